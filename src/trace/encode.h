/* SPDX-License-Identifier: Apache-2.0 */
/*
 * encode.h - ring words of one strand in, the payload of an events packet out.
 *
 * Each record is taken apart into columns that are compressed each on its own:
 *
 *   kinds    2 bits: the innermost open call returned | ENTRY | TAIL | see others
 *   others   1 byte: EXIT with its function told | ENTRY_ONLY | POP | MARK
 *   times    quanta since the record before
 *   funcs    function of ENTRY, TAIL, ENTRY_ONLY and told EXIT; count of POP
 *   marks    type, number of words, words
 *   opens    the calls open at the packet's begin, innermost first
 */
#ifndef FC_TRACE_ENCODE_H
#define FC_TRACE_ENCODE_H

#include "trace/index.h"
#include "trace/record.h"
#include "trace/source.h"

enum fc_column_code {
	FC_CODE_RETURN = 0, /* EXIT of the function that the open calls say */
	FC_CODE_ENTRY = 1,
	FC_CODE_TAIL = 2,
	FC_CODE_OTHER = 3,
};

enum fc_column {
	FC_COLUMN_KINDS,
	FC_COLUMN_OTHERS,
	FC_COLUMN_TIMES,
	FC_COLUMN_FUNCS,
	FC_COLUMN_MARKS,
	FC_COLUMN_OPENS,
	FC_NR_COLUMNS,
};

/*
 * How many open calls a packet tells at its begin, so that deep recursion does not fill
 * the file with its stack. A return from further out has its function told.
 */
#define FC_OPENS_TOLD 1024

/* An open call. After tail calls func is the last, first the one that will return. */
struct fc_open {
	uint32_t first, func;
	uint64_t begin; /* of func, quanta */
};

/* The functions that were seen in records, and those of them that are new. */
struct fc_seen {
	uint32_t *stamps; /* by function id, 0: not seen; memory is used where ids are */
	uint32_t last_stamp;
	FC_VEC(uint32_t) fresh;
};

/* A packet with more than twice as many functions is in no roster: readers search it. */
#define FC_TOUCHED_MAX 4096

void fc_seen_init(struct fc_seen *seen);
void fc_seen_deinit(struct fc_seen *seen);

struct fc_encoder {
	unsigned time_shift;
	struct fc_seen *seen;
	struct fc_events_head head; /* of the packet being filled */
	int tid;		    /* the thread that the next record is of */
	uint64_t last;		    /* time of the last record, quanta */
	struct fc_bytes column[FC_NR_COLUMNS];
	struct fc_open *opens; /* there is one before the first, which is none */
	size_t depth, room;
	size_t told; /* innermost open calls that a reader of this packet alone knows */

	/*
	 * Functions of which calls begin or end in the packet, here and there one twice; until
	 * the next packet begins. A function whose stamp is this is among them.
	 */
	FC_VEC(uint32_t) touched;
	uint32_t stamp;
	bool has_touched_many; /* they are not all there, and not to be told */
};

void fc_encoder_init(struct fc_encoder *enc, unsigned time_shift, struct fc_seen *seen,
		     const struct fc_strand_info *strand);
void fc_encoder_deinit(struct fc_encoder *enc);

/*
 * Take whole records until they are used up or the packet is full; returns how many words
 * were taken. Words that are no record count as one lost record each.
 */
size_t fc_encoder_add(struct fc_encoder *enc, const uint64_t *words, size_t nr,
		      uint64_t now_tsc);

/*
 * What is known of the strand from now on: words that come next are of this thread, and of this
 * kind. word is the first of them. The packet may be full then.
 */
void fc_encoder_move(struct fc_encoder *enc, const struct fc_strand_info *strand, uint64_t word,
		     uint64_t now_tsc);

bool fc_encoder_is_full(const struct fc_encoder *enc);
bool fc_encoder_is_empty(const struct fc_encoder *enc);

/* No more records: the packet says that the strand ended then. */
void fc_encoder_end(struct fc_encoder *enc, uint64_t tsc);

/* The payload of what was taken, and its head. The next packet begins empty. */
void fc_encoder_finish(struct fc_encoder *enc, ZSTD_CCtx *zstd, struct fc_bytes *payload,
		       struct fc_events_head *head);

/* Give memory back while nothing comes; only when empty. */
void fc_encoder_rest(struct fc_encoder *enc);

#endif
