/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c - fctrace replay: a trace as the tree of its calls. */
#include "analyze/play.h"
#include "analyze/tree.h"
#include "cmd/cmd.h"
#include "cmd/demangle.h"
#include "cmd/output.h"
#include "cmd/reading.h"
#include "cmd/srclines.h"

struct replay {
	FILE *out;
	struct fc_tree *tree;
	int tid;
};

static void write_lines(void *ctx, const char *lines, size_t len)
{
	struct replay *replay = ctx;
	fwrite(lines, 1, len, replay->out);
}

static void on_life(void *ctx, const struct fc_life_info *life)
{
	struct replay *replay = ctx;
	if (!replay->tid || replay->tid == life->pid)
		fc_tree_life(replay->tree, life);
}

static bool is_enough(void *ctx)
{
	return fc_output_is_over();
}

static int run_replay(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL;
	int status = 0;

	if (!fc_reading_open(argc, argv, &reader, &status))
		return status;

	struct replay replay = { .out = fc_output_open(), .tid = settings->tid };
	struct fc_tree_opts tree_opts = {
		.lines = { .clock = fc_reader_clock(reader),
			   .namer = fc_reading_namer(reader) },
		.write = write_lines,
		.ctx = &replay,
	};
	struct fc_play_opts play_opts = {
		.life = on_life,
		.is_enough = is_enough,
		.ctx = &replay,
	};

	replay.tree = fc_tree_create(&tree_opts);
	fc_tree_head(replay.tree);
	bool is_played = fc_reading_play(settings, reader, &play_opts,
					 fc_tree_sink(replay.tree), &status);
	fc_tree_destroy(replay.tree);
	int read_status = fc_reading_close(reader);
	return fc_output_close(replay.out, is_played ? read_status : status);
}

static const struct fc_option *const options[] = {
	FC_OPTIONS_FILTER, &fc_option_demangle, &fc_option_srcline,
	&fc_option_tid,	   &fc_option_help,	NULL,
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
