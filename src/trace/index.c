/* SPDX-License-Identifier: Apache-2.0 */
/* index.c - encodes and decodes an entry of the index. */
#include "trace/index.h"

#include <errno.h>

/* The first number of a head. */
enum {
	HEAD_ENDED = 1 << 0,
	HEAD_KIND_SHIFT = 1,
	HEAD_KIND_MASK = 63,
	HEAD_MOVED = 1 << 7,
};

void fc_events_head_put(struct fc_bytes *bytes, const struct fc_events_head *head)
{
	fc_bytes_varint(bytes, (head->kind & HEAD_KIND_MASK) << HEAD_KIND_SHIFT |
				       (head->has_ended ? HEAD_ENDED : 0) |
				       (head->has_moved ? HEAD_MOVED : 0));
	fc_bytes_varint(bytes, head->strand);
	fc_bytes_varint(bytes, (uint32_t)head->pid);
	fc_bytes_signed(bytes, (int64_t)head->tid - head->pid);
	fc_bytes_varint(bytes, head->ordinal);
	fc_bytes_varint(bytes, head->lost_before);
	fc_bytes_varint(bytes, head->lost);
	fc_bytes_varint(bytes, head->nr_records);
	fc_bytes_varint(bytes, head->nr_calls);
	fc_bytes_varint(bytes, head->begin);
	fc_bytes_varint(bytes, head->end - head->begin);
	fc_bytes_varint(bytes, head->depth);
}

int fc_events_head_get(struct fc_slice *slice, struct fc_events_head *ret)
{
	*ret = (struct fc_events_head){ 0 };
	uint64_t flags = fc_slice_varint(slice);
	ret->has_ended = flags & HEAD_ENDED;
	ret->has_moved = flags & HEAD_MOVED;
	ret->kind = flags >> HEAD_KIND_SHIFT & HEAD_KIND_MASK;
	ret->strand = (uint32_t)fc_slice_varint(slice);
	uint32_t pid = (uint32_t)fc_slice_varint(slice);
	ret->pid = (int)pid;
	ret->tid = (int)(pid + (uint32_t)fc_slice_signed(slice));
	ret->ordinal = fc_slice_varint(slice);
	ret->lost_before = fc_slice_varint(slice);
	ret->lost = fc_slice_varint(slice);
	uint64_t nr_records = fc_slice_varint(slice);
	uint64_t nr_calls = fc_slice_varint(slice);
	ret->nr_records = (uint32_t)nr_records;
	ret->nr_calls = (uint32_t)nr_calls;
	ret->begin = fc_slice_varint(slice);
	ret->end = ret->begin + fc_slice_varint(slice);
	ret->depth = fc_slice_varint(slice);
	bool is_sane = nr_records <= FC_PACKET_RECORDS && nr_calls <= nr_records &&
		       ret->end >= ret->begin;
	return slice->is_bad || !is_sane ? -EBADMSG : 0;
}

void fc_index_entry_put(struct fc_bytes *bytes, const struct fc_index_entry *entry,
			uint64_t last_off)
{
	fc_bytes_varint(bytes, entry->kind);
	fc_bytes_varint(bytes, entry->off - last_off);
	if (entry->kind == FC_PACKET_EVENTS)
		fc_events_head_put(bytes, &entry->events);
}

int fc_index_row_get(struct fc_slice *slice, uint8_t *kind, uint64_t *off)
{
	uint64_t last_off = *off;
	*kind = (uint8_t)fc_slice_varint(slice);
	*off += fc_slice_varint(slice);
	return slice->is_bad || *off <= last_off ? -EBADMSG : 0;
}
