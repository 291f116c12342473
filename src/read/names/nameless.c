/* SPDX-License-Identifier: Apache-2.0 */
/* nameless.c - collects the functions of all calls. */
#include "read/names/nameless.h"

#include <stdlib.h>

#include "base/memory.h"
#include "calls/call.h"
#include "read/sums/crunch.h"

bool fc_is_nameless(const struct fc_reader *reader, uint32_t func)
{
	struct fc_func_ref ref = fc_reader_func(reader, func);
	return ref.info && !ref.info->name && ref.of->path[0] == '/';
}

struct called {
	struct fc_call_sink sink;
	size_t size;
	uint8_t *bits;
};

static void set(struct called *called, uint32_t func)
{
	if (func / 8 < called->size)
		called->bits[func / 8] |= (uint8_t)(1 << func % 8);
}

static void leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	set((struct called *)sink, call->func);
}

static struct fc_call_sink *create(void *ctx)
{
	const struct fc_reader *reader = ctx;
	struct called *called = fc_alloc(sizeof(*called));
	called->sink = (struct fc_call_sink){ fc_sink_skip_call, leave, fc_sink_skip_event,
					      fc_sink_skip_finish };
	called->size = fc_reader_max_func(reader) / 8 + 1;
	called->bits = fc_alloc(called->size);
	return &called->sink;
}

static void merge(struct fc_call_sink *into, struct fc_call_sink *from)
{
	struct called *a = (struct called *)into, *b = (struct called *)from;
	for (size_t i = 0; i < a->size; i++)
		a->bits[i] |= b->bits[i];
}

static void destroy(struct fc_call_sink *sink)
{
	struct called *called = (struct called *)sink;
	free(called->bits);
	free(called);
}

int fc_called_functions(struct fc_reader *reader, uint8_t **ret)
{
	struct fc_crunch_opts opts = {
		.create = create, .merge = merge, .destroy = destroy, .ctx = reader
	};
	struct fc_call_sink *sink;
	int err = fc_crunch(reader, &opts, &sink);
	if (err)
		return err;
	struct called *called = (struct called *)sink;
	for (uint32_t func = 1; func <= fc_reader_max_func(reader); func++)
		if (fc_reader_counted(reader, func))
			set(called, func);
	*ret = called->bits;
	free(called);
	return 0;
}
