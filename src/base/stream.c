/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c - flushes a stream. */
#include "base/stream.h"

#include <stdlib.h>

#include "base/memory.h"

void fc_stream_init(struct fc_stream *stream,
		    int (*write)(void *ctx, const void *data, size_t len), void *ctx)
{
	*stream = (struct fc_stream){
		.data = fc_alloc(FC_STREAM_ROOM),
		.write = write,
		.ctx = ctx,
	};
}

static void pass_on(struct fc_stream *stream, const void *data, size_t len)
{
	if (!stream->err && len)
		stream->err = stream->write(stream->ctx, data, len);
	stream->nr_flushed += len;
}

int fc_stream_flush(struct fc_stream *stream)
{
	pass_on(stream, stream->data, stream->len);
	stream->len = 0;
	return stream->err;
}

void fc_stream_put_long(struct fc_stream *stream, const void *data, size_t len)
{
	fc_stream_flush(stream);
	if (len >= FC_STREAM_ROOM) {
		pass_on(stream, data, len);
		return;
	}
	memcpy(stream->data, data, len);
	stream->len = len;
}

void fc_stream_deinit(struct fc_stream *stream)
{
	free(stream->data);
	*stream = (struct fc_stream){ 0 };
}
