/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/tui.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/clock.h"
#include "tui/app.h"

#define WORK_NS (20 * 1000 * 1000ull) /* between two looks at the keys */

static const struct fc_view *const views[FC_NR_VIEWS] = {
	[FC_VIEW_TREE] = &fc_view_tree,
};

void fc_app_say(struct fc_app *app, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(app->message, sizeof(app->message), fmt, ap);
	va_end(ap);
}

/* ---- to draw ---- */

static void draw_titles(const struct fc_app *app)
{
	int width = fc_screen_width(), at = 0;
	char text[FC_ROW_ROOM], lasts[FC_CLOCK_TEXT];

	fc_clock_ns_text(app->totals.duration_ns, lasts);
	snprintf(text, sizeof(text), "%s  %" PRIu64 " calls  %s ", app->opts->path,
		 app->totals.calls, lasts);
	int len = (int)strlen(text);
	fc_screen_put(0, 0, width, FC_LOOK_BAR, "");
	fc_screen_put(0, width > len ? width - len : 0, len, FC_LOOK_BAR, text);
	for (int i = 0; i < FC_NR_VIEWS; i++) {
		snprintf(text, sizeof(text), " %d %s ", i + 1, views[i]->name);
		at += fc_screen_put(0, at, width - at,
				    i == app->view ? FC_LOOK_ACTIVE : FC_LOOK_BAR, text);
	}
}

static void draw_status(const struct fc_app *app)
{
	char text[FC_ROW_ROOM];

	if (app->message[0])
		snprintf(text, sizeof(text), " %s", app->message);
	else
		snprintf(text, sizeof(text), " F1 help  q quit  %s", views[app->view]->keys);
	fc_screen_put(fc_screen_height() - 1, 0, fc_screen_width(), FC_LOOK_BAR, text);
}

static void draw_help(int row, int height)
{
	static const char *const lines[] = {
		"Keys",
		"",
		"  Up Down PgUp PgDn   move            Home End   first, last",
		"  Enter Space         unfold or fold  Right      unfold, go in",
		"  Left                fold, go out    *          unfold all below",
		"  c                   fewer columns",
		"  F1 ? h              this help; any key leaves it",
		"  q                   quit",
	};

	for (int i = 0; i < (int)(sizeof(lines) / sizeof(lines[0])) && i < height; i++)
		fc_screen_put(row + i, 0, fc_screen_width(), FC_LOOK_PLAIN, lines[i]);
}

static void draw(struct fc_app *app)
{
	int height = fc_screen_height() - 2;

	fc_screen_clear();
	draw_titles(app);
	app->page = height;
	if (app->has_help)
		draw_help(1, height);
	else
		views[app->view]->draw(app, 1, height);
	draw_status(app);
	fc_screen_cursor(0, -1);
	fc_screen_show();
}

/* ---- keys ---- */

static void take_key(struct fc_app *app, int key)
{
	app->message[0] = 0;
	if (app->has_help || key == FC_KEY_RESIZE) {
		app->has_help &= key == FC_KEY_RESIZE;
		return;
	}
	if (views[app->view]->key(app, key))
		return;
	switch (key) {
	case 'q':
		app->is_over = true;
		break;
	case '?':
	case 'h':
	case FC_KEY_HELP:
		app->has_help = true;
		break;
	default:
		fc_app_say(app, "no such key; F1 lists them");
	}
}

static void run(struct fc_app *app)
{
	bool is_busy = true;

	while (!app->is_over && !fc_screen_signal()) {
		if (!fc_screen_has_key())
			is_busy = views[app->view]->work(app, fc_clock_mono_ns() + WORK_NS);
		draw(app);
		int key = fc_screen_key(is_busy ? 0 : -1);
		/* Those that wait are taken at once: a held key is not drawn one by one. */
		for (int i = 0; key != FC_KEY_NONE && i < 32; i++) {
			take_key(app, key);
			key = fc_screen_has_key() ? fc_screen_key(0) : FC_KEY_NONE;
			is_busy = true;
		}
	}
}

int fc_tui_run(const struct fc_tui_opts *opts)
{
	int err = fc_screen_open();

	if (err)
		return err;
	struct fc_app app = { .opts = opts };
	const struct fc_outline_opts outline = { .reader = opts->reader };
	fc_reader_totals(opts->reader, &app.totals);
	app.outline = fc_outline_create(&outline);
	run(&app);
	fc_outline_destroy(app.outline);
	int sig = fc_screen_signal();
	fc_screen_close();
	return sig;
}
