/* SPDX-License-Identifier: Apache-2.0 */
/* app.h - what the views of the tui have in common. */
#ifndef FC_SHOW_TUI_APP_H
#define FC_SHOW_TUI_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "show/tui/jumps.h"
#include "show/tui/outline.h"
#include "show/tui/prompt.h"
#include "show/tui/screen.h"
#include "show/tui/sums.h"
#include "show/tui/tui.h"

enum fc_view_nr {
	FC_VIEW_TREE,
	FC_VIEW_FUNCTIONS,
	FC_VIEW_GRAPH,
	FC_VIEW_THREADS,
	FC_NR_VIEWS
};

struct fc_app;

struct fc_view {
	const char *name;
	const char *keys; /* of the status line */
	const char *const *help;
	/* Rows from row on, height of them. */
	void (*draw)(struct fc_app *app, int row, int height);
	/* False: it knows no such key. */
	bool (*key)(struct fc_app *app, int key);
	/* A little of what takes long. Returns whether there is more to do. May be NULL. */
	bool (*work)(struct fc_app *app, uint64_t mono_ns);
	/* Another thread was chosen; or all is over. */
	void (*reset)(struct fc_app *app);
};

extern const struct fc_view fc_view_tree, fc_view_functions, fc_view_graph, fc_view_threads;

struct fc_functions;
struct fc_paths;
struct fc_tasks;
struct fc_replaying;

struct fc_app {
	const struct fc_tui_opts *opts;
	struct fc_totals totals;
	struct fc_outline *outline;
	int tid;     /* of one thread; 0: all */
	int columns; /* of the tree: fewer, the greater */
	int view;
	bool is_over, has_help;
	int page; /* rows of the view, when it was drawn last */
	char message[256];
	char *missing; /* as errands found it; NULL: nothing */

	struct fc_prompt prompt;
	struct fc_jumps jumps;
	struct fc_sums sums;
	struct fc_replaying *replaying; /* NULL: it is not on */

	/* Of views; NULL: not needed yet. */
	struct fc_functions *functions;
	struct fc_paths *paths;
	struct fc_tasks *tasks;
};

__attribute__((format(printf, 2, 3))) void fc_app_say(struct fc_app *app, const char *fmt, ...);
void fc_app_show(struct fc_app *app, int view);
/* All views show this thread; 0: all. */
void fc_app_set_thread(struct fc_app *app, int tid);

/* How far a sum is, or why there is none; false: it is there. */
bool fc_app_draw_wait(const struct fc_errand *errand, int row);

/* A row that is not to be touched by long names: at most so many bytes. */
#define FC_ROW_ROOM 1024

#endif
