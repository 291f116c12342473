/* SPDX-License-Identifier: Apache-2.0 */
/* functions_view.c - the functions of a trace as report has them; who calls one, and whom it calls. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "show/tui/app.h"
#include "show/tui/jumps.h"
#include "show/tui/prompt.h"
#include "show/tui/rows.h"
#include "show/tui/sums.h"
#include "show/tui/tree_text.h"

/* WAIT is there only if calls waited. */
enum column { CALLS, TOTAL, SELF, WAIT, AVG, MAX, MIN, NR_COLUMNS };

static const struct {
	const char *head;
	int width;
	size_t at; /* in struct fc_report_row */
} columns[NR_COLUMNS] = {
	[CALLS] = { "CALLS", 12, offsetof(struct fc_report_row, calls) },
	[TOTAL] = { "TOTAL", 13, offsetof(struct fc_report_row, total_ns) },
	[SELF] = { "SELF", 13, offsetof(struct fc_report_row, self_ns) },
	[WAIT] = { "WAIT", 13, offsetof(struct fc_report_row, wait_ns) },
	[AVG] = { "AVG", 13, offsetof(struct fc_report_row, avg_ns) },
	[MAX] = { "MAX", 13, offsetof(struct fc_report_row, max_ns) },
	[MIN] = { "MIN", 13, offsetof(struct fc_report_row, min_ns) },
};

/* A caller or callee of the function that is looked at; the heads of both lists, too. */
struct pair {
	const char *head; /* NULL: it is a row */
	struct fc_callers_row row;
	bool is_callee;
};

struct fc_functions {
	uint64_t errand_nr; /* whose rows these are */
	bool has_rows;
	struct fc_report_row *rows; /* of sums */
	size_t nr;
	bool has_waits;
	struct fc_list list;
	enum column sorted_by; /* NR_COLUMNS: by name */
	int nr_hidden;	       /* columns, the last of those that there is room for */
	char pattern[200];     /* searched for */

	uint32_t func; /* that is looked at; 0: all are */
	FC_VEC(struct pair) pairs;
	bool has_pairs;
	struct fc_list pair_list;
};

static struct fc_functions *functions_of(struct fc_app *app)
{
	if (!app->functions) {
		app->functions = fc_alloc(sizeof(*app->functions));
		app->functions->sorted_by = TOTAL;
	}
	return app->functions;
}

static void reset(struct fc_app *app)
{
	struct fc_functions *functions = app->functions;

	if (!functions)
		return;
	fc_vec_free(&functions->pairs);
	free(functions);
	app->functions = NULL;
}

/* ---- order ---- */

static uint64_t value_of(const struct fc_report_row *row, enum column column)
{
	return *(const uint64_t *)((const char *)row + columns[column].at);
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct fc_report_row *x = a, *y = b;
	enum column column = *(const enum column *)ctx;

	if (column < NR_COLUMNS && value_of(x, column) != value_of(y, column))
		return fc_order(value_of(y, column), value_of(x, column));
	return fc_name_order(&x->name, &y->name);
}

static void sort(struct fc_functions *functions)
{
	if (functions->nr)
		qsort_r(functions->rows, functions->nr, sizeof(*functions->rows), compare,
			&functions->sorted_by);
}

static void forget_rows(struct fc_functions *functions)
{
	functions->has_rows = functions->has_pairs = functions->has_waits = false;
	functions->rows = NULL;
	functions->nr = functions->list.nr = 0;
	functions->pairs.nr = 0;
}

/* The rows of what is looked at by now, if they are there. */
static void settle(struct fc_app *app)
{
	struct fc_functions *functions = functions_of(app);
	struct fc_errand *errand = fc_sums_of(app, FC_ERRAND_FUNCTIONS);

	if (functions->errand_nr != fc_errand_nr(errand))
		forget_rows(functions);
	functions->errand_nr = fc_errand_nr(errand);
	if (functions->has_rows || !fc_errand_is_done(errand))
		return;
	functions->has_rows = true;
	functions->rows = fc_errand_rows(errand, &functions->nr);
	functions->list.nr = functions->nr;
	for (size_t i = 0; i < functions->nr; i++)
		functions->has_waits |= functions->rows[i].wait_ns > 0;
	if (functions->sorted_by == WAIT && !functions->has_waits)
		functions->sorted_by = TOTAL;
	sort(functions);
}

/* ---- to draw ---- */

/* The one that stands there, from 0 on. */
static enum column column_at(const struct fc_functions *functions, int place)
{
	return place < WAIT || functions->has_waits ? (enum column)place
						    : (enum column)place + 1;
}

static int max_columns(const struct fc_functions *functions)
{
	int width = fc_screen_width();

	if (width < 76)
		return WAIT;
	if (functions->has_waits)
		return width >= 120 ? NR_COLUMNS : width >= 90 ? MIN : MAX;
	return width >= 120 ? NR_COLUMNS - 1 : MIN - 1;
}

static int nr_columns(const struct fc_functions *functions)
{
	int nr = max_columns(functions) - functions->nr_hidden;
	return nr > 0 ? nr : 0;
}

/* Calls whose end was not seen have no duration. */
static void cell_of(const struct fc_report_row *row, enum column column, char ret[FC_TREE_CELL])
{
	bool is_sum = column == TOTAL || column == SELF || column == WAIT;
	bool is_known = row->nr_timed || (is_sum && row->total_ns);

	if (column == CALLS)
		snprintf(ret, FC_TREE_CELL, "%" PRIu64, row->calls);
	else if (is_known)
		fc_clock_ns_cell(value_of(row, column), ret);
	else
		snprintf(ret, FC_TREE_CELL, "-  ");
}

static void draw_head(const struct fc_functions *functions, int row)
{
	char heads[NR_COLUMNS][16];
	struct fc_cell cells[NR_COLUMNS];
	int nr = nr_columns(functions);

	for (int i = 0; i < nr; i++) {
		enum column column = column_at(functions, i);
		snprintf(heads[i], sizeof(heads[i]), "%s%s",
			 functions->sorted_by == column ? "v" : "", columns[column].head);
		cells[i] = (struct fc_cell){ columns[column].width, heads[i] };
	}
	fc_list_row(row, FC_LOOK_HEAD, cells, (size_t)nr,
		    functions->sorted_by == NR_COLUMNS ? "vFUNCTION" : "FUNCTION");
}

static void draw_row(const struct fc_app *app, size_t at, int row, enum fc_look look)
{
	const struct fc_functions *functions = app->functions;
	const struct fc_report_row *function = &functions->rows[at];
	char texts[NR_COLUMNS][FC_TREE_CELL], name[FC_ROW_ROOM];
	struct fc_cell cells[NR_COLUMNS];
	int nr = nr_columns(functions);

	for (int i = 0; i < nr; i++) {
		enum column column = column_at(functions, i);
		cell_of(function, column, texts[i]);
		cells[i] = (struct fc_cell){ columns[column].width, texts[i] };
	}
	snprintf(name, sizeof(name), "%s  %s", function->name.name,
		 fc_screen_width() >= 120 ? function->name.module : "");
	fc_list_row(row, look, cells, (size_t)nr, name);
}

static void draw_list(struct fc_app *app, int row, int height)
{
	struct fc_functions *functions = app->functions;

	if (fc_app_draw_wait(fc_sums_of(app, FC_ERRAND_FUNCTIONS), row))
		return;
	draw_head(functions, row);
	fc_list_draw(&functions->list, row, height, draw_row, app);
	if (!functions->nr)
		fc_screen_put(row + 1, 0, fc_screen_width(), FC_LOOK_FAINT,
			      app->jumps.nr_zooms ? "  no call is in this part of the time"
						  : "  no call is in this trace");
}

/* ---- callers and callees ---- */

static const char *name_of(const struct fc_app *app, uint32_t func)
{
	return func == FC_CALLERS_OUTERMOST ? "[nobody]"
					    : fc_callers_name(&app->opts->namer, func).name;
}

static int by_total(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->is_callee != y->is_callee)
		return x->is_callee - y->is_callee;
	if (!x->head != !y->head)
		return x->head ? -1 : 1;
	return fc_order(y->row.total, x->row.total) ?: fc_order(y->row.calls, x->row.calls);
}

static void find_pairs(struct fc_app *app)
{
	struct fc_functions *functions = app->functions;
	const struct fc_callers *callers = fc_errand_callers(fc_sums_of(app, FC_ERRAND_PATHS));

	functions->pairs.nr = 0;
	fc_vec_push(&functions->pairs, (struct pair){ .head = "is called by" });
	fc_vec_push(&functions->pairs, (struct pair){ .head = "calls", .is_callee = true });
	for (size_t i = 0; callers && i < fc_callers_nr(callers); i++) {
		struct fc_callers_row row = fc_callers_get(callers, i);
		if (row.callee == functions->func)
			fc_vec_push(&functions->pairs, (struct pair){ .row = row });
		if (row.caller == functions->func)
			fc_vec_push(&functions->pairs,
				    (struct pair){ .row = row, .is_callee = true });
	}
	fc_vec_sort(&functions->pairs, by_total);
	functions->pair_list = (struct fc_list){ .nr = functions->pairs.nr, .selected = 1 };
	functions->has_pairs = true;
}

static void draw_pair(const struct fc_app *app, size_t at, int row, enum fc_look look)
{
	const struct pair *pair = &app->functions->pairs.at[at];
	const struct fc_clock *clock = fc_reader_clock(app->opts->reader);
	char calls[FC_TREE_CELL] = "", total[FC_TREE_CELL] = "", self[FC_TREE_CELL] = "";
	char text[FC_ROW_ROOM];

	if (pair->head) {
		snprintf(text, sizeof(text), "%s %s", name_of(app, app->functions->func),
			 pair->head);
		fc_screen_put(row, 0, fc_screen_width(),
			      look == FC_LOOK_PLAIN ? FC_LOOK_HEAD : look, text);
		return;
	}
	snprintf(calls, sizeof(calls), "%" PRIu64, pair->row.calls);
	snprintf(total, sizeof(total), "-  ");
	if (pair->row.is_timed)
		fc_clock_ns_cell(fc_clock_duration_ns(clock, pair->row.total), total);
	fc_clock_ns_cell(fc_clock_duration_ns(clock, pair->row.self), self);
	const struct fc_cell cells[] = { { columns[CALLS].width, calls },
					 { columns[TOTAL].width, total },
					 { columns[SELF].width, self } };
	fc_list_row(row, look, cells, 3,
		    name_of(app, pair->is_callee ? pair->row.callee : pair->row.caller));
}

static void draw_pairs(struct fc_app *app, int row, int height)
{
	struct fc_functions *functions = app->functions;
	static const struct fc_cell heads[] = { { 12, "CALLS" },
						{ 13, "TOTAL" },
						{ 13, "SELF" } };

	if (fc_app_draw_wait(fc_sums_of(app, FC_ERRAND_PATHS), row))
		return;
	if (!functions->has_pairs)
		find_pairs(app);
	fc_list_row(row, FC_LOOK_HEAD, heads, 3, "FUNCTION");
	fc_list_draw(&functions->pair_list, row, height, draw_pair, app);
}

static void draw(struct fc_app *app, int row, int height)
{
	settle(app);
	if (app->functions->func)
		draw_pairs(app, row, height);
	else
		draw_list(app, row, height);
}

/* ---- keys ---- */

static void look_at(struct fc_functions *functions, uint32_t func)
{
	functions->func = func;
	functions->has_pairs = false;
}

static bool find_name(struct fc_app *app, bool is_back)
{
	struct fc_functions *functions = app->functions;
	size_t nr = functions->nr;

	for (size_t i = 1; i <= nr && functions->pattern[0]; i++) {
		size_t at = functions->list.selected + (is_back ? nr - i : i);
		if (fc_jump_matches(app, functions->rows[at % nr].func, functions->pattern)) {
			functions->list.selected = at % nr;
			return true;
		}
	}
	fc_app_say(app, "no such function was called");
	return false;
}

static void search(struct fc_app *app, const char *text)
{
	struct fc_functions *functions = app->functions;

	if (!functions)
		return;
	settle(app);
	snprintf(functions->pattern, sizeof(functions->pattern), "%s", text);
	find_name(app, false);
}

static bool pair_key(struct fc_app *app, int key)
{
	struct fc_functions *functions = app->functions;
	const struct pair *pair = functions->has_pairs
					  ? &functions->pairs.at[functions->pair_list.selected]
					  : NULL;

	if (key == FC_KEY_ESCAPE || key == FC_KEY_LEFT || key == FC_KEY_BACKSPACE) {
		look_at(functions, 0);
		return true;
	}
	if (fc_list_key(&functions->pair_list, key, app->page))
		return true;
	if ((key == FC_KEY_ENTER || key == FC_KEY_RIGHT) && pair && !pair->head) {
		uint32_t func = pair->is_callee ? pair->row.callee : pair->row.caller;
		if (func && func <= FC_FUNC_MAX)
			look_at(functions, func);
		return true;
	}
	return false;
}

static bool row_key(struct fc_app *app, uint32_t func, int key)
{
	switch (key) {
	case FC_KEY_ENTER:
	case FC_KEY_RIGHT:
		look_at(app->functions, func);
		return true;
	case 'L':
		fc_jump_longest(app, func);
		return true;
	case '.':
	case ',':
		fc_jump_call_of(app, func, key == ',');
		return true;
	default:
		return false;
	}
}

static void sort_next(struct fc_functions *functions)
{
	int nr = nr_columns(functions);

	int place = 0; /* of the next one */
	if (functions->sorted_by != NR_COLUMNS)
		while (place < nr && column_at(functions, place++) != functions->sorted_by)
			;
	functions->sorted_by = place < nr ? column_at(functions, place) : NR_COLUMNS;
	sort(functions);
	functions->list.selected = 0;
}

static bool key(struct fc_app *app, int key)
{
	struct fc_functions *functions = functions_of(app);

	settle(app);
	if (!functions->has_rows)
		return false;
	if (functions->func)
		return pair_key(app, key) || row_key(app, functions->func, key);
	if (fc_list_key(&functions->list, key, app->page))
		return true;
	switch (key) {
	case 's':
		sort_next(functions);
		return true;
	case 'c':
		functions->nr_hidden =
			(functions->nr_hidden + 1) % (max_columns(functions) + 1);
		return true;
	case '/':
		fc_prompt_ask(&app->prompt, "function", search);
		return true;
	case 'n':
	case 'N':
		find_name(app, key == 'N');
		return true;
	default:
		return functions->list.selected < functions->nr &&
		       row_key(app, functions->rows[functions->list.selected].func, key);
	}
}

static const char *const help[] = {
	"Functions: calls and times of each, as fctrace report has them; with + or r in",
	"the tree only of the time that is shown there",
	"",
	"  Enter               who calls it, and whom it calls; Esc: back",
	"  s                   sort by the next column",
	"  c                   fewer columns: longer names",
	"  / n N               find a name, again, backwards",
	"  L                   its longest call (that began in this time), in the tree",
	"  . ,                 its next call in the tree, its last one",
	NULL,
};

const struct fc_view fc_view_functions = {
	.name = "Functions",
	.keys = "Enter callers  s sort  / find  L longest  . , next, last call",
	.help = help,
	.draw = draw,
	.key = key,
	.reset = reset,
};
