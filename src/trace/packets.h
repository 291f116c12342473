/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packets.h - a strand's packets of events one by one, for who needs no order between strands.
 *
 * Nothing here changes the reader: several threads may use it at once, each with a decoder
 * of its own.
 */
#ifndef FC_TRACE_PACKETS_H
#define FC_TRACE_PACKETS_H

#include "trace/decode.h"
#include "trace/reader.h"

/* The packets of strand i (of fc_reader_nr_strands()), in the order of the file. */
size_t fc_reader_nr_packets(const struct fc_reader *reader, size_t i);
/* The head of packet k of strand i, from the index; the packet itself is not read. */
const struct fc_events_head *fc_reader_packet(const struct fc_reader *reader, size_t i,
					      size_t k);

/*
 * Load packet k of strand i. -EBADMSG without a sentence: it is damaged, or not what the index
 * tells.
 */
int fc_decoder_load_packet(struct fc_decoder *dec, const struct fc_reader *reader, size_t i,
			   size_t k);
/* It was decoded and its columns are used no more: its pages of the file may leave memory. */
void fc_reader_packet_used(const struct fc_reader *reader, size_t i, size_t k);

/* Times of heads and records are quanta: ticks >> this. */
unsigned fc_reader_time_shift(const struct fc_reader *reader);

#endif
