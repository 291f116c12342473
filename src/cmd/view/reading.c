/* SPDX-License-Identifier: Apache-2.0 */
/* reading.c - opens a trace, names its functions, and plays it through the filter. */
#include "cmd/view/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calls/code/code_names.h"
#include "calls/play.h"
#include "calls/shown.h"
#include "cmd/options/demangling.h"
#include "cmd/options/span.h"
#include "cmd/options/srclines.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/work.h"
#include "values/recorded.h"

/* Names, values and lines of each open trace: most commands read one, diff several. */
static struct named {
	struct named *next;
	struct fc_reader *reader;
	struct fc_shown *shown;
	struct fc_srclines *lines; /* NULL: not asked for */
	struct fc_values *values;  /* the same */
	struct fc_code *code;	   /* with them */
} * all_named;

static struct named *named_of(const struct fc_reader *reader)
{
	struct named *named = all_named;

	while (named && named->reader != reader)
		named = named->next;
	return named;
}

static void drop_names(const struct fc_reader *reader)
{
	struct named *named = named_of(reader), **link = &all_named;

	if (!named)
		return;
	while (*link != named)
		link = &(*link)->next;
	*link = named->next;
	fc_values_destroy(named->values);
	fc_code_destroy(named->code);
	fc_srclines_destroy(named->lines);
	fc_shown_destroy(named->shown);
	free(named);
}

bool fc_reading_open(int argc, char **argv, struct fc_reader **ret, int *status)
{
	if (argc > 1) {
		fc_say("%s: one trace at a time", argv[1]);
		*status = FC_STATUS_USAGE;
		return false;
	}
	int err = fc_reader_open(argc ? argv[0] : FC_DEFAULT_TRACE, ret);
	if (!err) {
		fc_reader_watch(*ret, fc_work_reading());
		return true;
	}
	fc_say("%s%s", fc_fail_text()[0] ? fc_fail_text() : strerror(-err),
	       !argc && err == -ENOENT ? "; fctrace record makes one" : "");
	*status = FC_STATUS_UNUSABLE;
	return false;
}

bool fc_reading_open_than(const struct fc_settings *settings, struct fc_reader **ret,
			  int *status)
{
	char *path = (char *)settings->than;

	*ret = NULL;
	return !path || fc_reading_open(1, &path, ret, status);
}

int fc_reading_close(struct fc_reader *reader)
{
	fc_reader_check_rest(reader);
	const char *trouble = fc_reader_trouble(reader);
	int status = trouble ? FC_STATUS_INCOMPLETE : FC_STATUS_OK;

	fc_progress_restart(fc_work_reading(), NULL, 0);
	fc_say_passing(NULL);
	if (trouble)
		fc_say("%s", trouble);
	drop_names(reader);
	fc_reader_close(reader);
	return status;
}

static struct fc_name name_of(void *ctx, uint32_t func)
{
	struct named *named = ctx;
	struct fc_func_ref ref = fc_reader_func(named->reader, func);
	return (struct fc_name){
		.name = fc_shown_get(named->shown, func, ref.name),
		.module = ref.module ? ref.module : "",
		.symbol = ref.name,
		.source = named->lines ? fc_srclines_find(named->lines, func) : NULL,
	};
}

static void each(void *ctx, void (*fn)(void *to, struct fc_name name), void *to)
{
	const struct named *named = ctx;
	for (uint32_t func = 1; func <= fc_reader_max_func(named->reader); func++)
		fn(to, name_of(ctx, func));
}

static struct named *make_named(struct fc_reader *reader)
{
	struct named *named = named_of(reader);

	if (!named) {
		named = fc_alloc(sizeof(*named));
		*named = (struct named){ all_named, reader,
					 fc_shown_create(fc_demangle_asked()) };
		if (fc_srclines_are_asked())
			named->lines = fc_srclines_create(reader);
		all_named = named;
	}
	return named;
}

struct fc_namer fc_reading_namer(struct fc_reader *reader)
{
	return (struct fc_namer){ .name_of = name_of, .ctx = make_named(reader), .each = each };
}

/* Add everything that was mapped at any time. */
static struct fc_code *make_code(struct fc_reader *reader, struct named *named)
{
	struct fc_namer namer = { .name_of = name_of, .ctx = named };
	struct fc_code *code = fc_code_create(namer, fc_demangle_asked());

	for (size_t i = 0; i < fc_reader_nr_modules(reader); i++)
		fc_code_add_module(code, fc_reader_module(reader, i));
	for (size_t i = 0; i < fc_reader_nr_maps(reader); i++)
		fc_code_add_map(code, fc_reader_map(reader, i));
	return code;
}

const struct fc_values *fc_reading_values(struct fc_reader *reader)
{
	struct named *named = make_named(reader);

	if (named->values)
		return named->values;
	named->values = fc_values_create();
	named->code = make_code(reader, named);
	fc_values_set_code(named->values, fc_code_for_values(named->code));
	for (size_t i = 0; i < fc_reader_nr_values(reader); i++) {
		size_t size;
		const void *bytes = fc_reader_values(reader, i, &size);
		if (fc_values_add(named->values, bytes, size))
			fc_say("%s", fc_fail_text());
	}
	return named->values;
}

/* NULL: there are none. */
static const struct fc_values *values_of(struct fc_reader *reader)
{
	return fc_reader_nr_values(reader) ? fc_reading_values(reader) : NULL;
}

static struct fc_failures_sums failures; /* of the last play */

void fc_reading_say_failures(struct fc_reader *reader)
{
	struct fc_namer namer = fc_reading_namer(reader);

	fc_settings_say_failures(&failures, &namer);
}

static void play_filtered(const struct fc_settings *settings, struct fc_reader *reader,
			  const struct fc_play_opts *opts, struct fc_call_sink *sink)
{
	struct fc_namer namer = fc_reading_namer(reader);
	struct fc_filter_opts filter_opts =
		fc_settings_filter(settings, fc_reader_clock(reader), &namer);
	filter_opts.group = opts->group;
	if (settings->only_failed || settings->asked_globs)
		filter_opts.values = fc_reading_values(reader);
	struct fc_filter *filter = fc_filter_create(&filter_opts, sink);
	struct fc_play_opts play_opts = *opts;
	play_opts.needs_begins = settings->asked_globs;
	play_opts.no_values &= !filter_opts.values;
	play_opts.values = play_opts.no_values ? NULL : values_of(reader);
	fc_play(reader, &play_opts, fc_filter_sink(filter));

	bool is_all = !opts->is_past && !opts->choice.from_tsc && !opts->choice.strand &&
		      !opts->range.from_tsc && !opts->range.to_tsc;
	if (is_all && !fc_output_is_over())
		fc_settings_say_unmatched(settings, filter);
	failures = fc_filter_failures(filter);
	fc_filter_destroy(filter);
}

static bool has_calls(const struct fc_reader *reader, int pid, int tid)
{
	for (size_t i = 0; i < fc_reader_nr_strands(reader); i++) {
		const struct fc_strand_info *strand = fc_reader_strand(reader, i);
		if ((!pid || strand->pid == pid) &&
		    (!tid || fc_reader_strand_may_be(reader, i, tid)))
			return true;
	}
	return false;
}

bool fc_reading_has_thread(const struct fc_settings *settings, struct fc_reader *reader,
			   int *status)
{
	bool has_pid = !settings->pid || has_calls(reader, settings->pid, 0);
	bool has_tid = !settings->tid || has_calls(reader, settings->pid, settings->tid);

	if (!has_pid)
		fc_say("--pid %d: no such process made a call in this trace", settings->pid);
	else if (!has_tid)
		fc_say("--tid %d: no such thread made a call in this trace", settings->tid);
	if (!has_pid || !has_tid)
		*status = FC_STATUS_NO;
	return has_pid && has_tid;
}

static bool has_values(const struct fc_settings *settings, struct fc_reader *reader,
		       int *status)
{
	if (!(settings->only_failed || settings->asked_globs) || fc_reader_nr_values(reader))
		return true;
	if (settings->only_failed)
		fc_say("-Z: this trace has no results; fctrace record -a (or -Z) records them");
	else
		fc_say("-F %s@if: this trace has no arguments and results; "
		       "fctrace record -a (or the same -F) records them",
		       settings->asked_globs[0]);
	*status = FC_STATUS_NO;
	return false;
}

bool fc_reading_find_span(const struct fc_settings *settings, struct fc_reader *reader,
			  uint64_t *from_tsc, uint64_t *to_tsc, int *status)
{
	int err = fc_span_find(&settings->span, reader, from_tsc, to_tsc);

	if (!err)
		return true;
	fc_say("%s", fc_fail_text());
	*status = err == -ENOENT ? FC_STATUS_NO : FC_STATUS_USAGE;
	return false;
}

bool fc_reading_choose(const struct fc_settings *settings, struct fc_reader *reader,
		       struct fc_play_opts *opts, int *status)
{
	opts->choice.pid = settings->pid;
	opts->choice.tid = settings->tid;
	return fc_reading_find_span(settings, reader, &opts->range.from_tsc,
				    &opts->range.to_tsc, status);
}

bool fc_reading_play(const struct fc_settings *settings, struct fc_reader *reader,
		     const struct fc_play_opts *opts, struct fc_call_sink *sink, int *status)
{
	if (!fc_reading_has_thread(settings, reader, status) ||
	    !has_values(settings, reader, status))
		return false;
	if (fc_settings_filter_anything(settings))
		play_filtered(settings, reader, opts, sink);
	else {
		struct fc_play_opts play_opts = *opts;
		play_opts.values = opts->no_values ? NULL : values_of(reader);
		fc_play(reader, &play_opts, sink);
	}
	return true;
}
