/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h - rows with numbers, of which some are seen and one is the user's. */
#ifndef FC_SHOW_TUI_ROWS_H
#define FC_SHOW_TUI_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "show/tui/screen.h"

struct fc_app;

struct fc_list {
	size_t selected, top, nr;
};

/*
 * Draw those of the list's rows that are seen below a head, with draw(): item at of the list, in
 * this row of the screen. The whole is height rows from row on.
 */
void fc_list_draw(struct fc_list *list, int row, int height,
		  void (*draw)(const struct fc_app *app, size_t at, int row, enum fc_look look),
		  const struct fc_app *app);
/* False: it is no key that moves. */
bool fc_list_key(struct fc_list *list, int key, int page);

/*
 * Cells from the left, each with its width, set to the right; text fills the rest of the row.
 * Returns where text begins.
 */
struct fc_cell {
	int width;
	const char *text;
};
int fc_list_row(int row, int look, const struct fc_cell *cells, size_t nr, const char *text);

#endif
