/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_reader.c - any bytes are safe to open as a trace, and to walk to the end. */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "trace/reader.h"

#include "trace/runs.h"
#include "dress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVENTS_MAX 200000 /* a forged packet may tell 64 Ki records in a few bytes */

static void walk_events(struct fc_reader *reader, uint64_t from_tsc)
{
	struct fc_cursor *cursor;
	struct fc_event event;
	cursor = fc_cursor_create(reader, &(struct fc_choice){ .from_tsc = from_tsc });
	for (int i = 0; i < EVENTS_MAX && fc_cursor_next(cursor, &event) == 1; i++) {
		if (!fc_reader_func(reader, event.func).name || !event.kind)
			abort();
	}
	fc_cursor_destroy(cursor);
}

static void walk(struct fc_reader *reader)
{
	size_t length = 0;
	struct fc_totals totals;
	fc_reader_totals(reader, &totals);
	for (int i = 0; i < fc_reader_argc(reader); i++)
		length += strlen(fc_reader_arg(reader, i));
	length += strlen(fc_reader_options(reader)) + strlen(fc_reader_machine(reader));
	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++)
		length += strlen(fc_reader_life(reader, i)->text);
	for (size_t i = 0; i < fc_reader_nr_modules(reader); i++) {
		const struct fc_module_info *module = fc_reader_module(reader, i);
		length += strlen(module->path) + strlen(module->build_id);
		for (size_t j = 0; j < module->nr_funcs; j++)
			length += strlen(module->funcs[j].why) +
				  strlen(fc_reader_func(reader, module->funcs[j].id).name);
	}
	if (length == (size_t)-1) /* so that nothing above is optimised away */
		abort();
	walk_events(reader, 0);
	walk_events(reader, totals.duration_ns);
	fc_reader_verify(reader);
	fc_reader_totals(reader, &totals);
}

static void compare_runs(const uint8_t *bytes, size_t size)
{
	struct fc_reader *by_next = NULL, *by_run = NULL;

	if (!fc_reader_open_memory(bytes, size, "next", &by_next) &&
	    !fc_reader_open_memory(bytes, size, "run", &by_run) &&
	    !runs_tell_the_same(by_next, by_run, 0, EVENTS_MAX))
		abort();
	fc_reader_close(by_run);
	fc_reader_close(by_next);
}

static void open_and_walk(const uint8_t *bytes, size_t size)
{
	struct fc_reader *reader = NULL;
	fc_fail_clear();
	if (!fc_reader_open_memory(bytes, size, "fuzz", &reader)) {
		walk(reader);
		fc_reader_close(reader);
		compare_runs(bytes, size);
	} else if (!fc_fail_text()[0]) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	with_trace(data, size, open_and_walk);
	return 0;
}
