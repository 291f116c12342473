/* SPDX-License-Identifier: Apache-2.0 */
/* tree_text.h - a row of the tree as text. */
#ifndef FC_SHOW_TUI_TREE_TEXT_H
#define FC_SHOW_TUI_TREE_TEXT_H

#include <stddef.h>

#include "calls/names.h"
#include "show/tui/outline.h"
#include "trace/clock.h"

enum fc_tree_column {
	FC_TREE_TIME, /* since the session's start */
	FC_TREE_DURATION,
	FC_TREE_SELF,
	FC_TREE_THREAD,
	FC_TREE_NR_COLUMNS,
};

extern const struct fc_tree_head {
	const char *head;
	int width;
} fc_tree_heads[FC_TREE_NR_COLUMNS];

#define FC_TREE_CELL FC_CLOCK_TEXT
/* "" where there is nothing to tell. */
void fc_tree_cell(const struct fc_reader *reader, const struct fc_node *node,
		  enum fc_tree_column column, char ret[FC_TREE_CELL]);

/*
 * What stands behind the columns: indented, a sign for folded or not, name and notes. Levels
 * count from base on, the least of the rows that are seen.
 */
void fc_tree_text(const struct fc_outline *outline, const struct fc_namer *namer,
		  const struct fc_node *node, uint32_t base, int width, char *ret, size_t room);

#endif
