/* SPDX-License-Identifier: Apache-2.0 */
/* decode.h - the payload of an events packet in, its records out: encode.h backwards. */
#ifndef FC_TRACE_DECODE_H
#define FC_TRACE_DECODE_H

#include "trace/encode.h"
#include "trace/event.h"

/* The calls open in a strand, the outermost first; go on from packet to packet. */
struct fc_opens {
	FC_VEC(struct fc_open) calls;
};

/* Marks of a packet that are of a later version of the format. */
struct fc_unknown_marks {
	uint32_t nr;
	uint64_t mark;	 /* of the first: its number… */
	uint64_t record; /* …and its place among the packet's records, 0.. */
	bool is_end;	 /* the last is none of those that are beside the calls: the records
			    behind it are not sound */
};

struct fc_decoder {
	ZSTD_DCtx *zstd;
	struct fc_events_head head;
	struct fc_slice column[FC_NR_COLUMNS];
	struct fc_bytes inflated[FC_NR_COLUMNS];
	uint32_t next;	   /* record */
	uint64_t at;	   /* time of the record before, quanta */
	bool skips_values; /* nobody is told of FC_MARK_VALUES */
	struct fc_unknown_marks unknown;
	uint64_t words[FC_MARK_MAX_VALUES]; /* of the mark that was told last */
};

void fc_decoder_init(struct fc_decoder *dec);
void fc_decoder_deinit(struct fc_decoder *dec);

/*
 * Begin with a payload, which must outlive the decoding. -EBADMSG without a sentence when
 * it is not sound.
 */
int fc_decoder_load(struct fc_decoder *dec, const uint8_t *payload, size_t size);

/*
 * The calls that the packet says were open at its begin: the innermost ones, at most
 * head.depth of them. -EBADMSG as above.
 */
int fc_decoder_opens(const struct fc_decoder *dec, struct fc_opens *ret);

/*
 * The next record: its kind, function and mark go to *ret, which holds the event before
 * (zeros at first) and keeps its strand, pid and tid, unless another thread has gone on with the
 * strand: that is then its tid (the packet's first is the head's). Its time goes to *at, in quanta. 0
 * at the end, 1 with a record, -EBADMSG when the rest is not sound. dec->unknown tells of marks
 * that were passed over, or that are why the rest is not sound.
 */
int fc_decoder_next(struct fc_decoder *dec, struct fc_opens *opens, struct fc_event *ret,
		    uint64_t *at);

/*
 * Entries, returns and tail calls that come next and before `limit` (quanta), as many as are
 * plain and fit; the rest is for fc_decoder_next(). Each is as `like` but for its time in
 * quanta, its kind and function, and without a mark's words.
 */
size_t fc_decoder_run(struct fc_decoder *dec, struct fc_opens *opens,
		      const struct fc_event *like, uint64_t limit, struct fc_event *ret,
		      size_t nr);

/*
 * The mark that the columns of a record tell next, for who decodes the others himself: its mark
 * and words go to *ret. 1, 0 when it says nothing of the calls that anybody is told (it is unknown,
 * or the thread changes: ret->tid), -EBADMSG as above. record: its place in the packet.
 */
int fc_decoder_mark(struct fc_decoder *dec, uint64_t record, struct fc_event *ret);
/*
 * The same for who wants no values: if what the columns tell next is a sound FC_MARK_VALUES, it is passed
 * over, words and all, but for its time and its bits among the kinds. Else nothing is taken.
 */
bool fc_decoder_pass_values(struct fc_decoder *dec);

#endif
