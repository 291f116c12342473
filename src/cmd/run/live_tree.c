/* SPDX-License-Identifier: Apache-2.0 */
/* live_tree.c - the calls of a program as lines, while it runs. */
#include "cmd/out/looks.h"
#include "cmd/out/output.h"
#include "cmd/run/live_private.h"
#include "show/lines/tree.h"

struct live_tree {
	struct fc_live live;
	struct fc_tree *tree;
	int fd;
	int err; /* the output ended early */
};

static struct live_tree *tree_of(struct fc_live *live)
{
	return (struct live_tree *)live;
}

static void tree_life(struct fc_live *live, const struct fc_life_info *life)
{
	fc_tree_life(tree_of(live)->tree, life);
}

static int tree_tick(struct fc_live *live, uint64_t tsc)
{
	fc_tree_pass_time(tree_of(live)->tree, tsc);
	fc_tree_flush(tree_of(live)->tree);
	return tree_of(live)->err;
}

static int tree_finish(struct fc_live *live)
{
	fc_tree_flush(tree_of(live)->tree);
	return tree_of(live)->err;
}

static void tree_deinit(struct fc_live *live)
{
	fc_tree_destroy(tree_of(live)->tree);
}

static void write_lines(void *ctx, const char *lines, size_t len)
{
	struct live_tree *tree = ctx;
	if (!tree->err)
		tree->err = fc_write_all(tree->fd, lines, len);
}

struct fc_live *fc_live_tree(const struct fc_settings *settings, int fd)
{
	static const struct fc_live_show show = {
		.life = tree_life,
		.tick = tree_tick,
		.finish = tree_finish,
		.deinit = tree_deinit,
	};
	struct fc_live *live = fc_live_create(settings, &show, sizeof(struct live_tree));
	struct live_tree *tree = tree_of(live);
	struct fc_tree_opts opts = {
		.lines = { .clock = &live->clock,
			   .namer = live->namer,
			   .is_colored = fc_looks_want_colors(settings->color, fd) },
		.values = live->values,
		.is_long = settings->long_values,
		.write = write_lines,
		.ctx = tree,
	};

	tree->fd = fd;
	tree->tree = fc_tree_create(&opts);
	fc_live_connect(live, settings, fc_tree_sink(tree->tree));
	fc_tree_head(tree->tree);
	return live;
}
