/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - scrolls a list, and keeps the cursor in view. */
#include "show/tui/rows.h"

#include <string.h>

/* height rows are seen: the top is moved as little as need be. */
static void settle(struct fc_list *list, int height)
{
	size_t seen = height > 0 ? (size_t)height : 1;

	if (list->selected >= list->nr)
		list->selected = list->nr ? list->nr - 1 : 0;
	if (list->top > list->selected)
		list->top = list->selected;
	if (list->selected - list->top >= seen)
		list->top = list->selected - seen + 1;
	if (list->top + seen > list->nr)
		list->top = list->nr > seen ? list->nr - seen : 0;
}

void fc_list_draw(struct fc_list *list, int row, int height,
		  void (*draw)(const struct fc_app *app, size_t at, int row, enum fc_look look),
		  const struct fc_app *app)
{
	settle(list, height - 1);
	for (int i = 1; i < height; i++) {
		size_t at = list->top + (size_t)i - 1;
		if (at < list->nr)
			draw(app, at, row + i,
			     at == list->selected ? FC_LOOK_SELECTED : FC_LOOK_PLAIN);
	}
}

static void move_by(struct fc_list *list, long by)
{
	if (by < 0 && (size_t)-by > list->selected)
		list->selected = 0;
	else
		list->selected += (size_t)by;
	if (list->selected >= list->nr)
		list->selected = list->nr ? list->nr - 1 : 0;
}

bool fc_list_key(struct fc_list *list, int key, int page)
{
	switch (key) {
	case FC_KEY_UP:
		move_by(list, -1);
		return true;
	case FC_KEY_DOWN:
		move_by(list, 1);
		return true;
	case FC_KEY_PAGE_UP:
		move_by(list, -(page > 2 ? page - 2 : 1));
		return true;
	case FC_KEY_PAGE_DOWN:
		move_by(list, page > 2 ? page - 2 : 1);
		return true;
	case FC_KEY_HOME:
		list->selected = 0;
		return true;
	case FC_KEY_END:
		list->selected = list->nr ? list->nr - 1 : 0;
		return true;
	default:
		return false;
	}
}

int fc_list_row(int row, int look, const struct fc_cell *cells, size_t nr, const char *text)
{
	int at = 0;

	for (size_t i = 0; i < nr; i++) {
		int len = (int)strlen(cells[i].text), width = cells[i].width;
		int pad = width > len ? width - len : 0;
		fc_screen_put(row, at, pad, look, "");
		fc_screen_put(row, at + pad, width - pad, look, cells[i].text);
		at += width;
	}
	fc_screen_put(row, at, 2, look, "");
	at += nr ? 2 : 0;
	fc_screen_put(row, at, fc_screen_width() - at, look, text);
	return at;
}
