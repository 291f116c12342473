/* SPDX-License-Identifier: Apache-2.0 */
/* app.h - what the views of the tui have in common. */
#ifndef FC_TUI_APP_H
#define FC_TUI_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/outline.h"
#include "tui/screen.h"
#include "tui/tui.h"

enum fc_view_nr { FC_VIEW_TREE, FC_NR_VIEWS };

struct fc_app;

struct fc_view {
	const char *name;
	const char *keys; /* of the status line */
	/* Rows from row on, height of them. */
	void (*draw)(struct fc_app *app, int row, int height);
	/* False: it knows no such key. */
	bool (*key)(struct fc_app *app, int key);
	/* A little of what takes long. Returns whether there is more to do. */
	bool (*work)(struct fc_app *app, uint64_t mono_ns);
};

extern const struct fc_view fc_view_tree;

struct fc_app {
	const struct fc_tui_opts *opts;
	struct fc_totals totals;
	struct fc_outline *outline;
	int columns; /* of the tree: fewer, the greater */
	int view;
	bool is_over, has_help;
	int page; /* rows of the view, when it was drawn last */
	char message[256];
};

__attribute__((format(printf, 2, 3))) void fc_app_say(struct fc_app *app, const char *fmt, ...);

/* A row that is not to be touched by long names: at most room bytes. */
#define FC_ROW_ROOM 1024

#endif
