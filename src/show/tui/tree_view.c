/* SPDX-License-Identifier: Apache-2.0 */
/* tree_view.c - the calls of a trace in order of time, as a tree. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "base/fail.h"
#include "show/tui/app.h"
#include "show/tui/jumps.h"
#include "show/tui/prompt.h"
#include "show/tui/replaying.h"
#include "show/tui/tree_text.h"

/* ---- to draw ---- */

/* Columns go from the right when c is pressed, and where the screen is narrow. */
static bool has_column(const struct fc_app *app, int column)
{
	return column < FC_TREE_NR_COLUMNS - app->columns;
}

static int columns_width(const struct fc_app *app)
{
	int width = 0;

	for (int i = 0; i < FC_TREE_NR_COLUMNS; i++)
		width += has_column(app, i) ? fc_tree_heads[i].width : 0;
	return width + 2;
}

static void draw_cell(int row, int column, int width, enum fc_look look, const char *text)
{
	int len = 0;

	while (text[len])
		len++;
	fc_screen_put(row, column, width - len, look, "");
	fc_screen_put(row, column + (width > len ? width - len : 0), len, look, text);
}

static void draw_head(const struct fc_app *app, int row, uint32_t base)
{
	char text[64] = "  FUNCTION";
	int at = 0;

	fc_screen_put(row, 0, fc_screen_width(), FC_LOOK_HEAD, "");
	for (int i = 0; i < FC_TREE_NR_COLUMNS; i++) {
		if (!has_column(app, i))
			continue;
		draw_cell(row, at, fc_tree_heads[i].width, FC_LOOK_HEAD, fc_tree_heads[i].head);
		at += fc_tree_heads[i].width;
	}
	if (base)
		snprintf(text, sizeof(text), "  FUNCTION, %" PRIu32 " levels down", base);
	fc_screen_put(row, at + 2, fc_screen_width() - at - 2, FC_LOOK_HEAD, text);
}

static void draw_row(const struct fc_app *app, const struct fc_node *node, uint32_t base,
		     int row)
{
	bool is_selected = node == fc_outline_selected(app->outline);
	bool is_lost = node->kind == FC_NODE_STEP && node->step.kind == FC_STEP_LOST;
	enum fc_look look = is_selected			 ? FC_LOOK_SELECTED
			    : is_lost			 ? FC_LOOK_WARNING
			    : node->kind != FC_NODE_STEP ? FC_LOOK_FAINT
							 : FC_LOOK_PLAIN;
	char cell[FC_TREE_CELL], text[FC_ROW_ROOM];
	int at = 0, width = fc_screen_width() - columns_width(app);

	for (int i = 0; i < FC_TREE_NR_COLUMNS; i++) {
		if (!has_column(app, i))
			continue;
		fc_tree_cell(app->opts->reader, node, i, cell);
		draw_cell(row, at, fc_tree_heads[i].width, look, cell);
		at += fc_tree_heads[i].width;
	}
	fc_screen_put(row, at, 2, look, "");
	fc_tree_text(app->outline, &app->opts->namer, node, base, width, text, sizeof(text));
	fc_screen_put(row, at + 2, width, look, text);
}

/* Is it among the rows that are seen from top on? */
static bool is_seen(const struct fc_outline *outline, const struct fc_node *top,
		    const struct fc_node *node, int height)
{
	for (; top && height-- > 0; top = fc_outline_next(outline, top))
		if (top == node)
			return true;
	return false;
}

static struct fc_node *rows_above(const struct fc_outline *outline, struct fc_node *node,
				  int nr)
{
	for (struct fc_node *prev; nr-- > 0 && (prev = fc_outline_prev(outline, node));)
		node = prev;
	return node;
}

/* The top row moves as little as is needed; after a jump what was jumped to is in the middle. */
static void settle_top(struct fc_outline *outline, int height)
{
	struct fc_node *node = fc_outline_selected(outline), *top = fc_outline_top(outline);

	if (!node)
		return;
	if (!top)
		fc_outline_set_top(outline, rows_above(outline, node, height / 2));
	else if (is_seen(outline, node, top, height))
		fc_outline_set_top(outline, node);
	else if (!is_seen(outline, top, node, height))
		fc_outline_set_top(outline, rows_above(outline, node,
						       is_seen(outline, top, node, 2 * height)
							       ? height - 1
							       : height / 2));
	/* No empty rows below while there are rows above. */
	top = fc_outline_top(outline);
	int nr = 0;
	for (const struct fc_node *at = top; at && nr < height;
	     at = fc_outline_next(outline, at))
		nr++;
	fc_outline_set_top(outline, rows_above(outline, top, height - nr));
}

static uint32_t least_level(const struct fc_outline *outline, const struct fc_node *node,
			    int nr)
{
	uint32_t least = UINT32_MAX;

	for (; node && nr-- > 0; node = fc_outline_next(outline, node)) {
		uint32_t level = fc_outline_level(outline, node);
		least = level < least ? level : least;
	}
	return least == UINT32_MAX ? 0 : least;
}

static void draw_tree(struct fc_app *app, int row, int height)
{
	struct fc_outline *outline = app->outline;

	settle_top(outline, height - 1);
	const struct fc_node *node = fc_outline_top(outline);
	uint32_t base = least_level(outline, node, height - 1);
	draw_head(app, row, base);
	if (!node)
		fc_screen_put(row + 1, 0, fc_screen_width(), FC_LOOK_FAINT,
			      "  no call is in this trace");
	for (int i = 1; i < height && node; i++) {
		draw_row(app, node, base, row + i);
		node = fc_outline_next(outline, node);
	}
}

/* ---- keys ---- */

static void move_by(struct fc_outline *outline, int by)
{
	struct fc_node *node = fc_outline_selected(outline), *to = node;

	for (; to && by > 0; by--) {
		to = fc_outline_next(outline, node);
		node = to ? to : node;
	}
	for (; to && by < 0; by++) {
		to = fc_outline_prev(outline, node);
		node = to ? to : node;
	}
	if (node)
		fc_outline_select(outline, node);
}

static void toggle(struct fc_outline *outline, struct fc_node *node)
{
	if (node->kind == FC_NODE_STEP && node->is_unfolded)
		fc_outline_fold(outline, node);
	else
		fc_outline_unfold(outline, node);
}

static void go_left(struct fc_outline *outline, struct fc_node *node)
{
	if (node->kind == FC_NODE_STEP && node->is_unfolded)
		fc_outline_fold(outline, node);
	else if (fc_outline_parent(outline, node))
		fc_outline_select(outline, fc_outline_parent(outline, node));
}

static void go_right(struct fc_outline *outline, struct fc_node *node)
{
	if (node->kind == FC_NODE_STEP && node->is_unfolded && node->first)
		fc_outline_select(outline, node->first);
	else
		fc_outline_unfold(outline, node);
}

static bool key_on_row(struct fc_outline *outline, struct fc_node *node, int key)
{
	switch (key) {
	case FC_KEY_ENTER:
	case ' ':
		toggle(outline, node);
		return true;
	case FC_KEY_LEFT:
		go_left(outline, node);
		return true;
	case FC_KEY_RIGHT:
		go_right(outline, node);
		return true;
	case '*':
		fc_outline_unfold_all(outline, node);
		return true;
	default:
		return false;
	}
}

/* ---- jumps ---- */

static void ask_time(struct fc_app *app, const char *text)
{
	uint64_t tsc = 0;

	if (app->opts->find_time(app->opts->ctx, text, &tsc))
		fc_app_say(app, "%s", fc_fail_text());
	else
		fc_jump_time(app, tsc);
}

static void ask_range(struct fc_app *app, const char *text)
{
	uint64_t from = 0, to = 0;

	if (app->opts->find_range(app->opts->ctx, text, &from, &to))
		fc_app_say(app, "%s", fc_fail_text());
	else
		fc_zoom_in(app, from, to);
}

static void zoom_to(struct fc_app *app, const struct fc_node *node)
{
	if (!node || node->kind != FC_NODE_STEP || node->step.end_tsc <= node->step.begin_tsc) {
		fc_app_say(app, "no call with a duration is in this row");
		return;
	}
	const struct fc_step step = node->step;
	fc_zoom_in(app, step.begin_tsc, step.end_tsc);
	fc_outline_reveal(app->outline, step.strand, step.place, step.depth);
}

static bool jump_key(struct fc_app *app, int key)
{
	switch (key) {
	case '/':
		fc_prompt_ask(&app->prompt, "call of", fc_jump_search);
		return true;
	case 'n':
	case 'N':
		fc_jump_again(app, key == 'N');
		return true;
	case '.':
	case ',':
		fc_jump_call_of(app, fc_app_func(app), key == ',');
		return true;
	case 'L':
		fc_jump_longest(app, fc_app_func(app));
		return true;
	case 'G':
	case 'g':
		fc_jump_gap(app, key == 'g');
		return true;
	case 'T':
		fc_prompt_ask(&app->prompt, "time (1.5s, 14:03:22, 10%)", ask_time);
		return true;
	case 'r':
		fc_prompt_ask(&app->prompt, "range (1.5s~2s)", ask_range);
		return true;
	case '+':
		zoom_to(app, fc_outline_selected(app->outline));
		return true;
	case '-':
		fc_zoom_out(app);
		return true;
	case 'R':
		fc_replaying_start(app);
		return true;
	default:
		return false;
	}
}

static bool tree_key(struct fc_app *app, int key)
{
	struct fc_outline *outline = app->outline;
	struct fc_node *node = fc_outline_selected(outline);
	int page = app->page > 2 ? app->page - 2 : 1;

	switch (key) {
	case FC_KEY_UP:
		move_by(outline, -1);
		return true;
	case FC_KEY_DOWN:
		move_by(outline, 1);
		return true;
	case FC_KEY_PAGE_UP:
		move_by(outline, -page);
		return true;
	case FC_KEY_PAGE_DOWN:
		move_by(outline, page);
		return true;
	case FC_KEY_HOME:
		fc_outline_home(outline);
		return true;
	case FC_KEY_END:
		fc_outline_end(outline);
		return true;
	case 'c':
		app->columns = (app->columns + 1) % (FC_TREE_NR_COLUMNS + 1);
		return true;
	default:
		return jump_key(app, key) || (node && key_on_row(outline, node, key));
	}
}

/* Find the values of the rows on the screen. */
static bool find_texts(const struct fc_app *app, uint64_t mono_ns)
{
	struct fc_node *node = fc_outline_top(app->outline);

	for (int i = 0; i < app->page && node && app->values; i++) {
		if (fc_clock_mono_ns() > mono_ns)
			return true;
		fc_outline_find_text(node, app->values);
		node = fc_outline_next(app->outline, node);
	}
	return false;
}

static bool tree_work(struct fc_app *app, uint64_t mono_ns)
{
	struct fc_outline *outline = app->outline;

	if (fc_outline_work(outline, mono_ns) || find_texts(app, mono_ns))
		return true;
	struct fc_node *node = fc_outline_top(outline);
	for (int i = 0; i < app->page && node; i++) {
		if (fc_outline_find_self(outline, node, mono_ns))
			return true;
		node = fc_outline_next(outline, node);
	}
	return false;
}

static void tree_reset(struct fc_app *app)
{
	const struct fc_outline_opts opts = { .reader = app->opts->reader, .tid = app->tid };

	app->jumps.nr_zooms = 0;
	if (!app->is_over)
		fc_outline_set(app->outline, &opts);
}

static const char *const help[] = {
	"Tree: the calls in order of time",
	"",
	"  Enter Space         unfold or fold  Right      unfold, go in",
	"  Left                fold, go out    *          unfold all below",
	"  / n N               find a name, again, backwards",
	"  . ,                 next, last call of this function",
	"  L                   longest call of this function",
	"  G g                 next, last gap: lost records",
	"  T                   go to a time    r          show a range of time",
	"  + -                 show the time of this call only; more again",
	"  R                   replay: from call to call by itself",
	"  c                   fewer columns",
	NULL,
};

const struct fc_view fc_view_tree = {
	.name = "Tree",
	.keys = "Enter unfold  / find  L longest  G gap  + zoom  T time  R replay",
	.help = help,
	.draw = draw_tree,
	.key = tree_key,
	.work = tree_work,
	.reset = tree_reset,
};
