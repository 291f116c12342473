/* SPDX-License-Identifier: Apache-2.0 */
/* top_text.h - a frame of fctrace top as text: lines for the screen, blocks, JSON. */
#ifndef FC_CMD_VIEW_TOP_TEXT_H
#define FC_CMD_VIEW_TOP_TEXT_H

#include <stdio.h>

#include "cmd/view/top_frame.h"

enum {
	FC_TOP_NUMBERS = 48,   /* columns of the numbers, before the name */
	FC_TOP_MAX_TEXT = 256, /* bytes of a line without its name */
};

/* The sums of the interval, in one line. */
void fc_top_head(const struct fc_top_frame *frame, char ret[FC_TOP_MAX_TEXT]);
/* What is missing of it: counted, unhooked, lost; each behind two blanks. "": nothing. */
void fc_top_marks(const struct fc_top_frame *frame, char ret[FC_TOP_MAX_TEXT]);

/* The numbers of a row, FC_TOP_NUMBERS columns; and what they are called. */
void fc_top_row_text(const struct fc_top_row *row, bool has_times, char ret[FC_TOP_MAX_TEXT]);
void fc_top_thread_text(const struct fc_top_thread *thread, char ret[FC_TOP_MAX_TEXT]);
const char *fc_top_titles(bool by_thread);

/* As a block of plain text, or as a line of JSON. nr_rows 0: all. */
void fc_top_print_block(FILE *out, const struct fc_top_frame *frame, bool by_thread,
			size_t nr_rows);
void fc_top_print_json(FILE *out, const struct fc_top_frame *frame, size_t nr_rows);

#endif
