/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream.h - bytes on their way out, gathered and passed on many at a time.
 *
 * What cannot be passed on is dropped from then on, and err says why: a writer asks for it
 * now and then and at the end, not after each piece.
 */
#ifndef FC_BASE_STREAM_H
#define FC_BASE_STREAM_H

#include <stdint.h>
#include <string.h>

#include "base/decimal.h"

#define FC_STREAM_ROOM (256 * 1024) /* bytes */

struct fc_stream {
	char *data;
	size_t len;
	/* Takes all of it, or returns -errno. */
	int (*write)(void *ctx, const void *data, size_t len);
	void *ctx;
	int err;	     /* -errno of the first write that failed, else 0 */
	uint64_t nr_flushed; /* bytes passed on; with len, how far the stream is */
};

void fc_stream_init(struct fc_stream *stream,
		    int (*write)(void *ctx, const void *data, size_t len), void *ctx);
/* Pass on what is gathered. Returns err. */
int fc_stream_flush(struct fc_stream *stream);
/* What was not flushed is dropped. */
void fc_stream_deinit(struct fc_stream *stream);

/* Room for nr bytes, at most FC_STREAM_ROOM: they are written there and added to len. */
static inline char *fc_stream_room(struct fc_stream *stream, size_t nr)
{
	if (FC_STREAM_ROOM - stream->len < nr)
		fc_stream_flush(stream);
	return stream->data + stream->len;
}

void fc_stream_put_long(struct fc_stream *stream, const void *data, size_t len);

static inline void fc_stream_put(struct fc_stream *stream, const void *data, size_t len)
{
	if (FC_STREAM_ROOM - stream->len < len) {
		fc_stream_put_long(stream, data, len);
		return;
	}
	memcpy(stream->data + stream->len, data, len);
	stream->len += len;
}

static inline void fc_stream_text(struct fc_stream *stream, const char *text)
{
	fc_stream_put(stream, text, strlen(text));
}

#define fc_stream_literal(stream, text) fc_stream_put(stream, text, sizeof(text) - 1)

static inline void fc_stream_char(struct fc_stream *stream, char c)
{
	fc_stream_put(stream, &c, 1);
}

static inline void fc_stream_number(struct fc_stream *stream, uint64_t n)
{
	/* With room behind: so many bytes as a constant says are copied without a call. */
	char digits[2 * FC_DECIMAL_MAX] = { 0 };
	size_t nr = fc_decimal(digits, n);
	memcpy(fc_stream_room(stream, FC_DECIMAL_MAX), digits + FC_DECIMAL_MAX - nr,
	       FC_DECIMAL_MAX);
	stream->len += nr;
}

static inline void fc_stream_signed(struct fc_stream *stream, int64_t n)
{
	if (n < 0)
		fc_stream_char(stream, '-');
	fc_stream_number(stream, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

/* n thousandths: 1234567 is 1234.567 */
static inline void fc_stream_thousandths(struct fc_stream *stream, uint64_t n)
{
	char rest[4] = { '.', (char)('0' + n / 100 % 10), (char)('0' + n / 10 % 10),
			 (char)('0' + n % 10) };
	fc_stream_number(stream, n / 1000);
	fc_stream_put(stream, rest, sizeof(rest));
}

#endif
