/* SPDX-License-Identifier: Apache-2.0 */
/* tui.c - the loop of the tui: keys, views, drawing. */
#include "show/tui/tui.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "show/tui/jumps.h"
#include "show/tui/prompt.h"
#include "show/tui/replaying.h"
#include "show/tui/sums.h"
#include "trace/clock.h"

#define WORK_NS (20 * 1000 * 1000ull) /* between two looks at the keys */

static const struct fc_view *const views[FC_NR_VIEWS] = {
	[FC_VIEW_TREE] = &fc_view_tree,
	[FC_VIEW_FUNCTIONS] = &fc_view_functions,
	[FC_VIEW_GRAPH] = &fc_view_graph,
	[FC_VIEW_THREADS] = &fc_view_threads,
};

static void show(struct fc_app *app, int view)
{
	if (view != FC_VIEW_TREE)
		fc_replaying_stop(app);
	app->view = view;
}

static void set_thread(struct fc_app *app, int tid)
{
	if (tid == app->tid)
		return;
	fc_replaying_stop(app);
	fc_jumps_stop(app);
	app->tid = tid;
	for (int i = 0; i < FC_NR_VIEWS; i++)
		if (i != FC_VIEW_THREADS)
			views[i]->reset(app);
	fc_sums_drop(app);
}

/* ---- to draw ---- */

static size_t put_range(const struct fc_app *app, char *ret, size_t room)
{
	const struct fc_clock *clock = fc_reader_clock(app->opts->reader);
	struct fc_range range = fc_app_range(app);
	size_t at = (size_t)snprintf(ret, room, "%.9f s~",
				     (double)fc_clock_ns(clock, range.from_tsc) / 1e9);

	if (range.to_tsc)
		at += (size_t)snprintf(ret + at, room - at, "%.9f s",
				       (double)fc_clock_ns(clock, range.to_tsc) / 1e9);
	return at;
}

/* The title: the trace, or the part of its time that the sums are of. */
static void title_text(const struct fc_app *app, char *ret, size_t room)
{
	const char *slash = strrchr(app->opts->path, '/');
	bool is_summed = app->view == FC_VIEW_FUNCTIONS || app->view == FC_VIEW_GRAPH;
	char lasts[FC_CLOCK_TEXT];

	if (app->jumps.nr_zooms && is_summed) {
		size_t at = (size_t)snprintf(ret, room, " only ");
		at += put_range(app, ret + at, room - at);
		snprintf(ret + at, room - at, " ");
		return;
	}
	fc_clock_ns_text(app->totals.duration_ns, lasts);
	snprintf(ret, room, " %s  %" PRIu64 " calls  %s ", slash ? slash + 1 : app->opts->path,
		 app->totals.calls, lasts);
}

static void draw_titles(const struct fc_app *app)
{
	int width = fc_screen_width(), at = 0;
	char text[FC_ROW_ROOM];

	fc_screen_put(0, 0, width, FC_LOOK_BAR, "");
	for (int i = 0; i < FC_NR_VIEWS; i++) {
		snprintf(text, sizeof(text), " %d %s ", i + 1, views[i]->name);
		int len = (int)strlen(text);
		fc_screen_put(0, at, len, i == app->view ? FC_LOOK_ACTIVE : FC_LOOK_BAR, text);
		at += len;
	}
	title_text(app, text, sizeof(text));
	int len = (int)strlen(text), room = width - at;
	fc_screen_put(0, at + (room > len ? room - len : 0), room, FC_LOOK_BAR, text);
}

static void zoom_text(const struct fc_app *app, char *ret, size_t room)
{
	size_t at = 0;

	ret[0] = 0;
	if (app->tid)
		at = (size_t)snprintf(ret, room, "thread %d  ", app->tid);
	if (!app->jumps.nr_zooms)
		return;
	at += put_range(app, ret + at, room - at);
	snprintf(ret + at, room - at, "  ");
}

static void draw_status(const struct fc_app *app)
{
	const struct fc_prompt *prompt = &app->prompt;
	char text[FC_ROW_ROOM], zoom[128];
	int row = fc_screen_height() - 1, width = fc_screen_width();

	zoom_text(app, zoom, sizeof(zoom));
	if (prompt->label)
		snprintf(text, sizeof(text), " %s: %s", prompt->label, prompt->text);
	else if (app->message[0])
		snprintf(text, sizeof(text), " %s", app->message);
	else
		snprintf(text, sizeof(text), " F1 help  q quit  %s%s", zoom,
			 views[app->view]->keys);
	int at = fc_screen_put(row, 0, width, FC_LOOK_BAR, text);
	fc_screen_cursor(row, prompt->label ? at < width ? at : width - 1 : -1);
}

static void draw_help(const struct fc_app *app, int row, int height)
{
	static const char *const all[] = {
		"",
		"  1 2 3 4 Tab         tree, functions, graph, threads; the next of them",
		"  Up Down PgUp PgDn   move            Home End   first, last",
		"  t                   threads: show one of them, or all",
		"  Esc                 stop what takes long",
		"  F1 ? h              this help; any key leaves it",
		"  q                   quit; here, too, it only leaves the help",
	};
	int at = 0, width = fc_screen_width();

	for (const char *const *line = views[app->view]->help; *line && at < height; line++)
		fc_screen_put(row + at++, 0, width, FC_LOOK_PLAIN, *line);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && at < height; i++)
		fc_screen_put(row + at++, 0, width, FC_LOOK_PLAIN, all[i]);
}

static void draw(struct fc_app *app)
{
	int height = fc_screen_height() - 2;

	fc_screen_clear();
	draw_titles(app);
	app->page = height;
	if (app->has_help)
		draw_help(app, 1, height);
	else
		views[app->view]->draw(app, 1, height);
	draw_status(app);
	fc_screen_show();
}

/* ---- keys ---- */

static void stop(struct fc_app *app)
{
	if (fc_jumps_are_busy(app))
		fc_app_say(app, "stopped");
	fc_jumps_stop(app);
}

static bool key_of_all(struct fc_app *app, int key)
{
	if (key >= '1' && key < '1' + FC_NR_VIEWS) {
		show(app, key - '1');
		return true;
	}
	switch (key) {
	case FC_KEY_TAB:
		show(app, (app->view + 1) % FC_NR_VIEWS);
		return true;
	case FC_KEY_BACK_TAB:
		show(app, (app->view + FC_NR_VIEWS - 1) % FC_NR_VIEWS);
		return true;
	case 't':
		show(app, FC_VIEW_THREADS);
		return true;
	case FC_KEY_ESCAPE:
		stop(app);
		return true;
	case 'q':
		app->is_over = true;
		return true;
	case '?':
	case 'h':
	case FC_KEY_HELP:
		app->has_help = true;
		return true;
	default:
		return false;
	}
}

static void take_key(struct fc_app *app, int key)
{
	if (key == FC_KEY_RESIZE)
		return;
	app->message[0] = 0;
	if (app->prompt.label) {
		fc_prompt_key(app, key);
		return;
	}
	if (app->has_help) {
		app->has_help = false;
		return;
	}
	if (app->replaying && fc_replaying_key(app, key))
		return;
	if (!views[app->view]->key(app, key) && !key_of_all(app, key))
		fc_app_say(app, "no such key; F1 lists them");
}

/* ---- the loop ---- */

static bool work(struct fc_app *app)
{
	uint64_t until = fc_clock_mono_ns() + WORK_NS;
	const struct fc_view *view = views[app->view];

	fc_replaying_work(app);
	bool is_busy = fc_jumps_work(app, until);
	return (view->work && view->work(app, until)) || is_busy;
}

/* Sums are made elsewhere: look again now and then. */
static int wait_ms(const struct fc_app *app)
{
	int ms = fc_replaying_wait_ms(app);
	return ms >= 0 && ms < 100 ? ms : 100;
}

/* Handle all keys that wait before drawing, so that a held key does not lag. */
static void take_keys(struct fc_app *app, int key)
{
	for (int i = 0; key != FC_KEY_NONE && i < 32 && !app->is_over; i++) {
		take_key(app, key);
		key = fc_screen_has_key() ? fc_screen_key(0) : FC_KEY_NONE;
	}
}

static void run(struct fc_app *app)
{
	while (!app->is_over && !fc_screen_signal()) {
		bool is_busy = work(app);
		draw(app);
		take_keys(app, fc_screen_key(is_busy ? 0 : wait_ms(app)));
	}
}

int fc_tui_run(const struct fc_tui_opts *opts, char **missing)
{
	int err = fc_screen_open();

	*missing = NULL;
	if (err)
		return err;
	struct fc_app app = {
		.opts = opts, .tid = opts->tid, .show = show, .set_thread = set_thread
	};
	const struct fc_outline_opts outline = { .reader = opts->reader, .tid = opts->tid };
	fc_reader_totals(opts->reader, &app.totals);
	app.outline = fc_outline_create(&outline);
	if (opts->values)
		app.values = fc_step_values_create(opts->reader, opts->values);
	if (opts->range.from_tsc || opts->range.to_tsc)
		fc_zoom_in(&app, opts->range.from_tsc, opts->range.to_tsc);
	else
		fc_jump_main(&app);
	run(&app);
	int sig = fc_screen_signal();
	fc_screen_close();
	app.is_over = true;
	fc_replaying_stop(&app);
	fc_jumps_deinit(&app.jumps);
	for (int i = 0; i < FC_NR_VIEWS; i++)
		views[i]->reset(&app);
	fc_sums_deinit(&app);
	fc_outline_destroy(app.outline);
	fc_step_values_destroy(app.values);
	*missing = app.missing;
	return sig;
}
