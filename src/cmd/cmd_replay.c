/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_replay.c - fctrace replay: a trace, or a part of it, as the tree of its calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "calls/play.h"
#include "calls/wanted.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/parse.h"
#include "cmd/options/srclines.h"
#include "cmd/options/text_output.h"
#include "cmd/options/values_options.h"
#include "cmd/out/looks.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/view/nameless_hint.h"
#include "cmd/view/reading.h"
#include "show/lines/tree.h"

#define BATCH_BYTES (128 * 1024)

struct replay {
	const struct fc_settings *settings;
	struct fc_reader *reader;
	struct fc_tree_opts tree_opts;
	struct fc_choice choice;
	uint64_t min_ticks; /* -t: so long it may take until a call is known to be shown */
	struct fc_tree *tree;
	struct fc_nameless_shown nameless;
};

static void write_lines(void *ctx, const char *lines, size_t len)
{
	fc_output_write(lines, len);
}

static void on_life(void *ctx, const struct fc_life_info *life)
{
	struct replay *replay = ctx;
	const struct fc_settings *settings = replay->settings;
	uint32_t pid = (uint32_t)(life->life == FC_LIFE_START ? life->other : life->pid);

	if ((!settings->tid || settings->tid == pid) &&
	    (!settings->pid || settings->pid == pid))
		fc_tree_life(replay->tree, life);
}

static bool is_enough(void *ctx)
{
	return fc_output_is_over();
}

static bool is_past(void *ctx, uint64_t now_tsc)
{
	const struct replay *replay = ctx;
	return now_tsc > replay->min_ticks &&
	       fc_tree_is_done(replay->tree, now_tsc - replay->min_ticks);
}

/* Play once. Returns whether it could be; *nr_lines: how many there were. */
static bool play(struct replay *replay, bool has_head, uint64_t *nr_lines, int *status)
{
	const struct fc_tree_opts *opts = &replay->tree_opts;
	/* With -Z and conditions nobody knows for how long. */
	bool has_end = (opts->to_tsc || opts->max) && !replay->settings->only_failed &&
		       !replay->settings->leading && !replay->settings->asked_globs;
	struct fc_play_opts play_opts = {
		.life = on_life,
		.is_enough = is_enough,
		.is_past = has_end ? is_past : NULL,
		.ctx = replay,
		.choice = replay->choice,
	};

	free(fc_take(replay->nameless.bits)); /* of lines that were only counted */
	replay->tree = fc_tree_create(opts);
	if (has_head)
		fc_tree_head(replay->tree);
	bool is_played = fc_reading_play(replay->settings, replay->reader, &play_opts,
					 fc_tree_sink(replay->tree), status);
	*nr_lines = fc_tree_nr_lines(replay->tree);
	fc_tree_destroy(replay->tree);
	return is_played;
}

/*
 * Where do the last lines begin? Closing lines of calls that never ended are not among them: a
 * program that died deep in its calls would show little else. What has records enough is played
 * without showing it, and more of it while it has too few lines.
 */
static bool find_last(struct replay *replay, int *status)
{
	const uint64_t want = replay->settings->replay.last, from_tsc = replay->choice.from_tsc;
	struct fc_tree_opts *opts = &replay->tree_opts;
	uint64_t nr = 0, to_tsc = opts->to_tsc ? opts->to_tsc : UINT64_MAX;

	for (uint64_t records = 4 * want;; records *= 8) {
		struct fc_choice whole = replay->choice;
		whole.from_tsc = from_tsc;
		replay->choice.from_tsc =
			replay->settings->asked_globs
				? from_tsc
				: fc_reader_last_from(replay->reader, &whole, to_tsc, records);
		opts->since_tsc = replay->choice.from_tsc;
		opts->skip = UINT64_MAX;
		if (!play(replay, false, &nr, status))
			return false;
		if (nr >= want || replay->choice.from_tsc <= from_tsc || fc_output_is_over())
			break;
	}
	opts->skip = nr > want ? nr - want : 0;
	opts->is_open_needed = true;
	return true;
}

static const struct fc_fields *fields_of(const struct fc_replay_settings *settings)
{
	if (settings->has_fields)
		return &settings->fields;
	return settings->is_flat ? &fc_fields_flat : &fc_fields_tree;
}

static void prepare(struct replay *replay)
{
	const struct fc_replay_settings *settings = &replay->settings->replay;
	const struct fc_clock *clock = fc_reader_clock(replay->reader);

	replay->nameless.reader = replay->reader;
	replay->choice.pid = replay->settings->pid;
	replay->choice.tid = replay->settings->tid;
	if (replay->settings->min_ns)
		replay->min_ticks = fc_clock_ticks_of(clock, replay->settings->min_ns);
	replay->tree_opts = (struct fc_tree_opts){
		.lines = { .clock = clock,
			   .namer = fc_nameless_namer(&replay->nameless),
			   .fields = fields_of(settings),
			   .is_colored = fc_looks_want_colors(replay->settings->color,
							      STDOUT_FILENO) },
		.is_flat = settings->is_flat,
		.is_long = replay->settings->long_values,
		.no_merge = settings->no_merge,
		.values = fc_reading_values(replay->reader),
		.has_lives = true,
		.batch = BATCH_BYTES,
		.write = write_lines,
		.max = settings->first,
		.leaves_open = settings->last > 0,
	};
}

/* The time that was asked for. False: it has been said why not, *status is set. */
static bool find_range(struct replay *replay, int *status)
{
	struct fc_tree_opts *opts = &replay->tree_opts;
	bool is_found = fc_reading_find_span(replay->settings, replay->reader, &opts->from_tsc,
					     &opts->to_tsc, status);

	/* A condition needs arguments, which are recorded where a call begins: read from the start. */
	replay->choice.from_tsc = replay->settings->asked_globs ? 0 : opts->from_tsc;
	return is_found;
}

static int show(struct replay *replay)
{
	uint64_t nr_lines;
	int status = 0;

	prepare(replay);
	FILE *out = fc_text_output_open(replay->settings, true);
	bool is_shown = find_range(replay, &status) &&
			(!replay->settings->replay.last || find_last(replay, &status)) &&
			play(replay, true, &nr_lines, &status);
	int out_status = fc_output_close(out, FC_STATUS_OK);
	fc_nameless_say(&replay->nameless, NULL);
	if (is_shown)
		fc_reading_say_failures(replay->reader);
	int read_status = fc_reading_close(replay->reader);
	if (out_status)
		return out_status;
	return is_shown ? read_status : status;
}

static int run_replay(const struct fc_settings *settings, int argc, char **argv)
{
	struct replay replay = { .settings = settings };
	int status = 0;

	if (settings->replay.first && settings->replay.last) {
		fc_say("either --first or --last, not both");
		return FC_STATUS_USAGE;
	}
	if (!fc_reading_open(argc, argv, &replay.reader, &status))
		return status;
	return show(&replay);
}

/* In the order of enum fc_field. */
#define FIELDS "duration,tid,pid,time,delta,elapsed,module,srcline"

static int add_field(struct fc_settings *settings, const char *name)
{
	struct fc_fields *fields = &settings->replay.fields;
	uint32_t field = 0;
	int err = fc_parse_word(name, FIELDS, &field);

	if (err)
		return err;
	for (size_t i = 0; i < fields->nr; i++)
		if (fields->at[i] == field)
			return 0;
	fields->at[fields->nr++] = (uint8_t)field;
	if (field == FC_FIELD_SRCLINE)
		fc_srclines_ask();
	return 0;
}

static int set_fields(struct fc_settings *settings, const char *arg)
{
	struct fc_fields *fields = &settings->replay.fields;
	fc_auto_free char *words = fc_strdup(*arg == '+' ? arg + 1 : arg);
	char *rest = words;

	*fields = *arg == '+' ? fc_fields_tree : (struct fc_fields){ 0 };
	settings->replay.has_fields = true;
	if (!strcmp(arg, "none"))
		return 0;
	for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
		int err = add_field(settings, word);
		if (err)
			return err;
	}
	return 0;
}

static const struct fc_option *const options[] = {
	FC_OPTION(0, "first", "N", "only the first N lines",
		  FC_NUMBER(replay.first, "a number of lines")),
	FC_OPTION(0, "last", "N", "only the last N lines",
		  FC_NUMBER(replay.last, "a number of lines")),
	FC_OPTIONS_PART,
	&fc_option_failed,
	FC_OPTION('f', NULL, "FIELDS",
		  "what stands before each function: duration, tid, pid, time (of day), "
		  "elapsed (since the start), delta (since the thread's line before), module, "
		  "srcline; +FIELDS: besides duration and tid; none",
		  set_fields, .words = "duration,tid,pid,time,elapsed,delta,module,srcline"),
	&fc_option_demangle,
	&fc_option_srcline,
	FC_OPTION(0, "flat", NULL,
		  "no tree: a line for each enter and each leave, with its time",
		  FC_FLAG(replay.is_flat)),
	&fc_option_long,
	FC_OPTION(0, "no-merge", NULL, "two lines also for a call that makes none",
		  FC_FLAG(replay.no_merge)),
	FC_OPTIONS_TEXT,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_replay = {
	.name = "replay",
	.usage = "[OPTIONS] [FILE]",
	.summary = "show a trace as the tree of its calls",
	.options = options,
	.notes = "FILE: a trace that `fctrace record` wrote (default "
		 "fctrace.data).\n" FC_NOTES_READ,
	.run = run_replay,
};
