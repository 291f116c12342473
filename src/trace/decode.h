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

struct fc_decoder {
	ZSTD_DCtx *zstd;
	struct fc_events_head head;
	struct fc_slice column[FC_NR_COLUMNS];
	struct fc_bytes inflated[FC_NR_COLUMNS];
	uint32_t next; /* record */
	uint64_t at;   /* time of the record before, quanta */
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
 * (zeros at first) and keeps its strand, pid and tid; its time goes to *at, in quanta. 0
 * at the end, 1 with a record, -EBADMSG when the rest is not sound.
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

#endif
