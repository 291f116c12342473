/* SPDX-License-Identifier: Apache-2.0 */
/* packets.c - opens and decompresses the packets of one strand. */
#include "trace/packets.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/progress.h"
#include "trace/inside.h"

static struct fc_events_ref *ref_of(const struct fc_reader *reader, size_t i, size_t k)
{
	return fc_reader_ref(reader, reader->strands.at[i].first + k);
}

size_t fc_reader_nr_packets(const struct fc_reader *reader, size_t i)
{
	return reader->strands.at[i].nr;
}

const struct fc_events_head *fc_reader_packet(const struct fc_reader *reader, size_t i,
					      size_t k)
{
	return &ref_of(reader, i, k)->head;
}

static bool is_as_told(const struct fc_events_head *a, const struct fc_events_head *b)
{
	return a->strand == b->strand && a->pid == b->pid && a->tid == b->tid &&
	       a->ordinal == b->ordinal && a->lost_before == b->lost_before &&
	       a->lost == b->lost && a->nr_records == b->nr_records && a->begin == b->begin &&
	       a->end == b->end && a->depth == b->depth && a->has_ended == b->has_ended &&
	       a->kind == b->kind && a->has_moved == b->has_moved;
}

int fc_decoder_load_packet(struct fc_decoder *dec, const struct fc_reader *reader, size_t i,
			   size_t k)
{
	struct fc_events_ref *ref = ref_of(reader, i, k);
	struct fc_packet packet;
	fc_progress_did(reader->progress, ref->head.nr_records);
	if (ref->is_damaged || fc_reader_events(reader, ref, &packet) ||
	    fc_decoder_load(dec, packet.stored, packet.stored_len))
		return -EBADMSG;
	return is_as_told(&dec->head, &ref->head) ? 0 : -EBADMSG;
}

#define KEPT_BYTES (64u << 20) /* a smaller file may stay in memory as a whole */

/* A neighbour on the same page is read into place again when it is looked at. */
void fc_reader_packet_used(const struct fc_reader *reader, size_t i, size_t k)
{
	struct fc_packet packet;
	const uint8_t *head = reader->image + ref_of(reader, i, k)->off;
	if (!reader->is_mapped || reader->size < KEPT_BYTES ||
	    fc_packet_head_get(head, &packet))
		return;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = (uintptr_t)head / page * page;
	uintptr_t to = (uintptr_t)head + FC_PACKET_HEAD + packet.stored_len;
	madvise((void *)from, to - from, MADV_DONTNEED);
}

unsigned fc_reader_time_shift(const struct fc_reader *reader)
{
	return reader->facts.time_shift;
}
