/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figure.h - what a query found, and sentences made of it.
 *
 *	"{share} of the time ({time_ns}) was spent in {calls} call{calls:s} of {name}()[ by {caller}()]."
 *
 * becomes "84 % of the time (1.92 s) was spent in 40 000 calls of strlen() by parse_line()."
 * A figure is shown by how it is called: NAME_ns as a time, NAME_share as a percentage, other numbers
 * in groups of three digits. {NAME:s} is "s", or nothing if the number is 1; {NAME:q} is a word for a
 * shell. What stands in [] is left out if a figure in it is NULL. "()" behind a name that has its
 * parameters in it already is left out.
 */
#ifndef FC_READ_WHY_FIGURE_H
#define FC_READ_WHY_FIGURE_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/vec.h"

enum fc_figure_kind { FC_FIGURE_NULL, FC_FIGURE_INT, FC_FIGURE_REAL, FC_FIGURE_TEXT };

struct fc_figure {
	char *name;
	enum fc_figure_kind kind;
	int64_t number;
	double real;
	char *text;
};

struct fc_figures {
	FC_VEC(struct fc_figure) list;
};

/* The row that the statement stands on, a figure a column. */
void fc_figures_take(struct fc_figures *figures, sqlite3_stmt *stmt);
void fc_figures_deinit(struct fc_figures *figures);
/* NULL: there is none of that name. */
const struct fc_figure *fc_figures_find(const struct fc_figures *figures, const char *name,
					size_t len);
/* As a number; 0 if it is none. */
double fc_figures_number(const struct fc_figures *figures, const char *name);

/* The sentence; the caller frees it. The template may name no figure that is not there. */
char *fc_figures_sentence(const struct fc_figures *figures, const char *template);

#endif
