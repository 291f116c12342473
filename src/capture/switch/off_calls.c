/* SPDX-License-Identifier: Apache-2.0 */
/* off_calls.c - the functions that stand for time off the CPU, and the words of their calls. */
#include "capture/switch/off_calls.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/record.h"
#include "values/formats.h"
#include "values/writer.h"

static const char *const func_names[FC_NR_OFF] = {
	[FC_OFF_ASLEEP] = "asleep",
	[FC_OFF_UNINTERRUPTIBLE] = "asleep_uninterruptible",
	[FC_OFF_STOPPED] = "stopped",
	[FC_OFF_RUNNABLE] = "runnable",
};

struct fc_off_calls {
	struct fc_func_info funcs[FC_NR_OFF];
	struct fc_module_info module;
	void *bytes;
};

/* What they return: a pointer to a text, which is what is told of it. */
static void add_formats(struct fc_off_calls *off)
{
	enum { WORD = 8 };
	static const struct fc_format_part parts[] = {
		{ .fetch = { .how = FCA_FETCH_VALUE, .size = WORD }, .param = FC_PARAM_RESULT },
		{ .fetch = { .how = FCA_FETCH_STRING, .size = FC_OFF_TEXT },
		  .param = FC_PARAM_RESULT,
		  .level = 1 },
	};
	struct fc_types *types = fc_types_create();
	struct fc_formats *formats = fc_formats_create(types);
	uint32_t text = fc_types_pointer(
		types,
		fc_types_const(types, fc_types_number(types, "char", 1, FC_NUMBER_CHAR)));
	uint32_t proto = fc_types_proto(types, text, NULL, 0, false);
	for (size_t i = 0; i < FC_NR_OFF; i++) {
		uint32_t func = fc_types_func(types, func_names[i], proto);
		fc_types_tag(types, func, "fails(never)");
		fc_formats_add(formats, fca_format(off->funcs[i].id, true), func, parts, 2);
	}
	off->bytes = fc_formats_bytes(formats, &off->module.values_size);
	off->module.values = off->bytes;
	fc_formats_destroy(formats);
}

struct fc_off_calls *fc_off_calls_create(struct fc_numbers *numbers, const char *by)
{
	struct fc_off_calls *off = fc_alloc(sizeof(*off));
	for (size_t i = 0; i < FC_NR_OFF; i++)
		off->funcs[i] = (struct fc_func_info){
			.name = func_names[i],
			.vaddr = i,
			.size = 1,
			.id = ++numbers->funcs,
			.how = FC_HOW_HOOKED,
			.why = by,
		};
	off->module = (struct fc_module_info){
		.id = ++numbers->modules,
		.path = FC_OFF_CPU_MODULE,
		.build_id = "",
		.funcs = off->funcs,
		.nr_funcs = FC_NR_OFF,
	};
	add_formats(off);
	return off;
}

void fc_off_calls_destroy(struct fc_off_calls *off)
{
	if (!off)
		return;
	free(off->bytes);
	free(off);
}

const struct fc_module_info *fc_off_calls_module(const struct fc_off_calls *off)
{
	return &off->module;
}

uint32_t fc_off_calls_func(const struct fc_off_calls *off, enum fc_off which)
{
	return off->funcs[which].id;
}

size_t fc_off_calls_enter(const struct fc_off_calls *off, uint64_t tsc, enum fc_off which,
			  uint32_t *func, uint64_t ret[FC_OFF_WORDS])
{
	*func = off->funcs[which].id;
	*ret = fc_record(tsc, *func, FC_ENTRY);
	return 1;
}

size_t fc_off_calls_leave(uint64_t tsc, const char *text, uint32_t *func,
			  uint64_t ret[FC_OFF_WORDS])
{
	uint32_t was = *func;
	size_t nr = 0;
	*func = 0;
	if (*text) {
		struct fc_value_writer writer = fc_value_writer(ret, was, true);
		fc_value_add(&writer,
			     was); /* any pointer but NULL: what it points to is shown */
		fc_value_add_text(&writer, text, FC_OFF_TEXT);
		nr = fc_value_end(&writer, tsc);
	}
	ret[nr++] = fc_record(tsc, was, FC_EXIT);
	return nr;
}
