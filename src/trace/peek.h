/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peek.h - what is in a strand's packets of events, without decoding their records.
 *
 * A packet's head costs nothing: the index has it. Its open calls and its functions are columns
 * of their own, which are inflated alone.
 */
#ifndef FC_TRACE_PEEK_H
#define FC_TRACE_PEEK_H

#include "trace/packets.h"

/* Are records missing between the packet before and this one? */
bool fc_reader_has_gap(const struct fc_reader *reader, size_t strand, size_t packet);
/*
 * The time of the last event or life that there is, as fc_play() finds it when it has seen all.
 */
uint64_t fc_reader_last_tsc(struct fc_reader *reader);

struct fc_peek;
struct fc_peek *fc_peek_create(struct fc_reader *reader);
void fc_peek_destroy(struct fc_peek *peek);

/* Look at a packet. -EBADMSG without a sentence: it is damaged. */
int fc_peek_at(struct fc_peek *peek, size_t strand, size_t packet);

/* Does the packet have marks? */
bool fc_peek_has_marks(const struct fc_peek *peek);
/*
 * The calls open at its begin, the outermost first, at most the innermost FC_OPENS_TOLD of
 * them. They live until the next call. -EBADMSG without a sentence.
 */
int fc_peek_opens(struct fc_peek *peek, const struct fc_opens **ret);
/*
 * Does a function of the set occur in its records? is_wanted has a bit for each id below nr_ids
 * (id 0 in the lowest bit of the first byte). Now and then true by mistake, never false.
 */
bool fc_peek_has_func(struct fc_peek *peek, const uint8_t *is_wanted, size_t nr_ids);

#endif
