/* SPDX-License-Identifier: Apache-2.0 */
/* app.h - what the views of the tui have in common. */
#ifndef FC_SHOW_TUI_APP_H
#define FC_SHOW_TUI_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "calls/cut.h"
#include "show/tui/errand.h"
#include "show/tui/opts.h"
#include "show/tui/outline.h"
#include "show/tui/screen.h"

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
struct fc_hunt;
struct fc_paths;
struct fc_tasks;
struct fc_replaying;

/* See prompt.h. */
struct fc_prompt {
	const char *label; /* NULL: none is asked for */
	char text[200];
	size_t len;
	void (*done)(struct fc_app *app, const char *text);
};

enum { FC_ZOOMS = 32 };

/* See jumps.h. */
struct fc_jumps {
	struct fc_hunt *hunt; /* NULL: none is on */
	const char *what;     /* it is after */

	char pattern[200]; /* that names are searched for */
	uint8_t *is_wanted;
	size_t nr_ids, next_id; /* names are looked at up to here */
	bool is_naming, is_back;

	uint32_t longest_of;		 /* function whose sums are waited for; 0: none */
	int asked_in;			 /* the view that it was asked in */
	struct fc_range zooms[FC_ZOOMS]; /* parts of the time that are shown */
	size_t nr_zooms;
};

/* See sums.h. */
struct fc_sums {
	struct fc_errand *whole[FC_NR_ERRANDS], *part[FC_NR_ERRANDS];
	FC_VEC(struct fc_errand *) ending; /* nobody waits for these */
};

struct fc_app {
	const struct fc_tui_opts *opts;
	struct fc_totals totals;
	struct fc_outline *outline;
	struct fc_step_values *values; /* NULL: the trace has none */
	int tid;		       /* of one thread; 0: all */
	int columns;		       /* of the tree: fewer, the greater */
	int view;
	bool is_over, has_help;
	int page; /* rows of the view, when it was drawn last */
	char message[256];
	char *missing; /* as errands found it; NULL: nothing */

	struct fc_prompt prompt;
	struct fc_jumps jumps;
	struct fc_sums sums;
	struct fc_replaying *replaying; /* NULL: it is not on */

	/* tui.c's: */
	void (*show)(struct fc_app *app, int view);
	void (*set_thread)(struct fc_app *app, int tid);

	/* Of views; NULL: not needed yet. */
	struct fc_functions *functions;
	struct fc_paths *paths;
	struct fc_tasks *tasks;
};

__attribute__((format(printf, 2, 3))) void fc_app_say(struct fc_app *app, const char *fmt, ...);
void fc_app_show(struct fc_app *app, int view);
/* All views show this thread; 0: all. */
void fc_app_set_thread(struct fc_app *app, int tid);

/* The part of the time that is shown; 0 and 0: all. */
struct fc_range fc_app_range(const struct fc_app *app);

/* How far a sum is, or why there is none; false: it is there. */
bool fc_app_draw_wait(const struct fc_errand *errand, int row);

/* A row that is not to be touched by long names: at most so many bytes. */
#define FC_ROW_ROOM 1024

#endif
