/* SPDX-License-Identifier: Apache-2.0 */
/*
 * where.h - where in a trace functions are not: which packets need not be looked at when only
 * their calls are wanted, as its rosters tell (roster.h).
 *
 * A trace of before 1.2 has none, of one that was cut or is damaged some may be missing: then
 * nothing is known of their packets.
 */
#ifndef FC_TRACE_WHERE_H
#define FC_TRACE_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_reader;
struct fc_where;

/* For a set of functions: a bit for each id below nr_ids, id 0 in the lowest of the first. */
struct fc_where *fc_where_create(const struct fc_reader *reader, const uint8_t *is_wanted,
				 size_t nr_ids);
void fc_where_destroy(struct fc_where *where);

/* Does certainly no call of a function of the set begin or end in this packet of strand 0..? */
bool fc_where_is_not(const struct fc_where *where, size_t strand, size_t packet);

#endif
