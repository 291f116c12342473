/* SPDX-License-Identifier: Apache-2.0 */
/* records.c - decodes the records of uftrace's files. */
#include "read/import/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

#define RECORD_BYTES 16
#define BUF_BYTES    (32u << 10)
#define VALUES_MAX   2048 /* bytes: more than uftrace keeps of one call */
#define MAGIC	     5
#define EVENT_FIRST  100000u /* the least that an event is called */
#define EVENT_LAST   (1u << 24)

static char *name_of(const struct fc_uf_records *records)
{
	return fc_asprintf("%d.dat", records->tid);
}

int fc_uf_records_open(struct fc_uf_records *records)
{
	fc_auto_free char *name = name_of(records);
	fc_auto_close int fd = -1;

	return fc_folder_file(records->folder, name, &fd, &records->size);
}

void fc_uf_records_close(struct fc_uf_records *records)
{
	free(records->buf);
	records->buf = NULL;
	records->at = records->nr = 0;
	records->off = records->size;
}

/*
 * Have VALUES_MAX and some records in buf, unless the file ends before. It is opened each time:
 * there may be more threads than descriptors.
 */
static void fill(struct fc_uf_records *records)
{
	if (records->nr - records->at >= VALUES_MAX + 4 * RECORD_BYTES ||
	    records->off >= records->size)
		return;
	fc_auto_free char *name = name_of(records);
	fc_auto_close int fd = -1;
	uint64_t size;
	if (!records->buf)
		records->buf = fc_alloc(BUF_BYTES);
	records->nr -= records->at;
	memmove(records->buf, records->buf + records->at, records->nr);
	records->at = 0;
	if (fc_folder_file(records->folder, name, &fd, &size)) {
		records->off = records->size;
		return;
	}
	while (records->nr < BUF_BYTES && records->off < records->size) {
		ssize_t n = pread(fd, records->buf + records->nr, BUF_BYTES - records->nr,
				  (off_t)records->off);
		if (n <= 0) {
			records->off = records->size;
			return;
		}
		records->nr += (size_t)n;
		records->off += (uint64_t)n;
	}
}

/* The record at buf + at. False: there are too few bytes, or they are none. */
static bool decode(const struct fc_uf_records *records, size_t at, struct fc_uf_record *ret)
{
	uint64_t words[2];

	if (at + RECORD_BYTES > records->nr)
		return false;
	memcpy(words, records->buf + at, sizeof(words));
	*ret = (struct fc_uf_record){
		.ns = words[0],
		.type = words[1] & 3,
		.more = words[1] >> 2 & 1,
		.depth = words[1] >> 6 & ((1 << FC_UF_DEPTH_BITS) - 1),
		.addr = words[1] >> 16,
	};
	if ((words[1] >> 3 & 7) != MAGIC)
		return false;
	if (ret->type == FC_UF_LOST)
		return !ret->ns && ret->addr;
	return ret->ns >= records->first_ns && ret->ns <= records->end_ns;
}

/* Does it follow the one before, as calls and returns do? */
static bool is_next(const struct fc_uf_records *records, const struct fc_uf_record *record)
{
	const struct fc_uf_record *last = &records->last;
	unsigned deeper =
		(unsigned)(record->depth - last->depth) & ((1 << FC_UF_DEPTH_BITS) - 1);
	unsigned shallower = -deeper & ((1 << FC_UF_DEPTH_BITS) - 1);

	if (last->type == FC_UF_ENTRY)
		return record->type == FC_UF_ENTRY ? deeper == 1 : deeper == 0;
	return record->type == FC_UF_ENTRY ? deeper == 0 : shallower == 1;
}

/* Can the record at buf + at be one, where it is not known where one begins? */
static bool is_likely(const struct fc_uf_records *records, size_t at,
		      const struct fc_uf_record *record, bool is_strict)
{
	struct fc_uf_record after;

	/* Little is in it, and values are often 0: what comes behind it must be one, too. */
	if (record->type == FC_UF_LOST)
		return record->addr < 1u << 31 && decode(records, at + RECORD_BYTES, &after) &&
		       after.type != FC_UF_LOST && is_likely(records, at, &after, false);
	if (record->ns < records->last_ns)
		return false;
	if (record->type == FC_UF_EVENT)
		return record->addr >= EVENT_FIRST && record->addr < EVENT_LAST &&
		       !record->depth;
	return records->is_code(records->ctx, record->addr, record->ns) &&
	       (!is_strict || is_next(records, record));
}

/*
 * Go on at the first place within limit bytes where a record can be. False: there is none; at the
 * end of the file that is a place, too.
 */
static bool seek_record(struct fc_uf_records *records, size_t limit, bool is_strict)
{
	struct fc_uf_record record;

	for (size_t skip = 0; skip <= limit; skip += 8) {
		size_t at = records->at + skip;
		if (at == records->nr && records->off >= records->size) {
			records->at = at;
			return true;
		}
		if (!decode(records, at, &record) ||
		    !is_likely(records, at, &record, is_strict))
			continue;
		records->at = at;
		return true;
	}
	return false;
}

/* An event's data has its length before it. */
static void pass_event(struct fc_uf_records *records)
{
	uint16_t len = 0;

	if (records->at + sizeof(len) <= records->nr)
		memcpy(&len, records->buf + records->at, sizeof(len));
	size_t n = ((size_t)len + sizeof(len) + 7) & ~(size_t)7;
	if (n <= VALUES_MAX && records->at + n <= records->nr)
		records->at += n;
}

static void pass_values(struct fc_uf_records *records, const struct fc_uf_record *record)
{
	fill(records);
	records->nr_values++;
	if (record->type == FC_UF_EVENT)
		pass_event(records);
	else if (!seek_record(records, VALUES_MAX, true))
		seek_record(records, VALUES_MAX, false);
}

/* Damage: look for what is a record. False: there is none up to the end. */
static bool pass_damage(struct fc_uf_records *records)
{
	for (;;) {
		fill(records);
		if (records->nr - records->at < RECORD_BYTES) {
			records->bad_bytes += records->nr - records->at;
			records->at = records->nr;
			return false;
		}
		records->at += 8;
		records->bad_bytes += 8;
		struct fc_uf_record record;
		if (decode(records, records->at, &record) &&
		    is_likely(records, records->at, &record, false))
			return true;
	}
}

int fc_uf_records_next(struct fc_uf_records *records, struct fc_uf_record *ret)
{
	fill(records);
	if (!decode(records, records->at, ret) &&
	    (!pass_damage(records) || !decode(records, records->at, ret))) {
		fc_uf_records_close(records);
		return 0;
	}
	records->at += RECORD_BYTES;
	if (ret->type == FC_UF_ENTRY || ret->type == FC_UF_EXIT)
		records->last = *ret;
	if (ret->ns > records->last_ns)
		records->last_ns = ret->ns;
	if (ret->more)
		pass_values(records, ret);
	return 1;
}
