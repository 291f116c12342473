/* SPDX-License-Identifier: Apache-2.0 */
/*
 * records.h - the records of a thread, from uftrace's TID.dat.
 *
 *    63                                                  0
 *    | ns of CLOCK_MONOTONIC                              |
 *    | addr: 48          | depth: 10 | 5: 3 | more | type: 2 |
 *    | values, if more is set: a multiple of 8 bytes      |
 *
 * How long the values are is nowhere said but in the types that they were recorded with. Behind
 * them the next record is the first place that can be one: right depth, time and address.
 */
#ifndef FC_READ_IMPORT_RECORDS_H
#define FC_READ_IMPORT_RECORDS_H

#include "read/import/folder.h"

enum fc_uf_type {
	FC_UF_ENTRY = 0,
	FC_UF_EXIT = 1,
	FC_UF_LOST = 2,
	FC_UF_EVENT = 3,
};

struct fc_uf_record {
	uint64_t ns;
	uint64_t addr; /* of LOST: how many; of EVENT: which */
	uint16_t depth;
	uint8_t type; /* enum fc_uf_type */
	bool more;
};

#define FC_UF_DEPTH_BITS 10

struct fc_uf_records {
	const struct fc_folder *folder;
	int tid;
	uint64_t first_ns, end_ns; /* times outside are damage */
	bool (*is_code)(void *ctx, uint64_t addr, uint64_t ns);
	void *ctx;

	uint64_t off, size; /* of the file: where buf ends, and its size in the beginning */
	uint8_t *buf;	    /* NULL: not read yet, or at the end */
	size_t at, nr;
	struct fc_uf_record last; /* that was read, LOST and EVENT not counted */
	uint64_t last_ns;

	/* Bytes that were skipped. */
	uint64_t nr_values; /* records with values */
	uint64_t bad_bytes;
};

/* -ENOENT…, with a sentence. first_ns to ctx are as above. */
int fc_uf_records_open(struct fc_uf_records *records);
void fc_uf_records_close(struct fc_uf_records *records);

/* The next record: 1, or 0 at the end. The file may be opened again for it. */
int fc_uf_records_next(struct fc_uf_records *records, struct fc_uf_record *ret);

#endif
