/* SPDX-License-Identifier: Apache-2.0 */
/* events_table.c - the table of what happened beside calls: lives, hooks, marks. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "calls/kinds.h"
#include "read/query/cell.h"
#include "read/query/inside.h"
#include "read/query/marks.h"
#include "read/query/values.h"
#include "read/sums/processes.h"
#include "trace/mark.h"

const char fc_events_schema[] = "CREATE TABLE events(\n"
				"  time_ns INTEGER,\n"
				"  kind TEXT,\n"
				"  pid INTEGER,\n"
				"  tid INTEGER,\n"
				"  strand INTEGER,\n"
				"  func INTEGER,\n"
				"  name TEXT,\n"
				"  value INTEGER,\n"
				"  text TEXT)";

enum { TIME_NS, KIND, PID, TID, STRAND, FUNC, NAME, VALUE, TEXT, NR_COLUMNS };

static const char *const pushed[NR_COLUMNS] = {
	[TIME_NS] = "=<>lg", [KIND] = "=", [PID] = "=", [TID] = "=", [STRAND] = "=",
};

/* NULL: not known. */
struct event {
	uint64_t tsc;
	const char *kind, *text;
	bool has_pid, has_tid, has_strand, has_value;
	int pid, tid;
	uint32_t strand, func;
	int64_t value;
};

struct cursor {
	sqlite3_vtab_cursor base;
	size_t next_life, next_hook;
	struct fc_marks *marks; /* NULL: not asked for */
	struct event event;
	uint64_t id;
	bool is_over;
};

static int events_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	unsigned has[NR_COLUMNS] = { 0 };
	double cost = 1e6;

	if (fc_constraints_take(info, pushed, NR_COLUMNS, has) < 0)
		return SQLITE_NOMEM;
	for (int i = 0; i < NR_COLUMNS; i++)
		cost *= has[i] ? 0.3 : 1;
	info->estimatedCost = cost;
	info->estimatedRows = (sqlite3_int64)(cost / 100);
	return SQLITE_OK;
}

static int events_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **ret)
{
	struct cursor *cursor = fc_alloc(sizeof(*cursor));
	*ret = &cursor->base;
	return SQLITE_OK;
}

static int events_close(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	fc_marks_destroy(cursor->marks);
	free(cursor);
	return SQLITE_OK;
}

static struct event of_life(const struct fc_life_info *life)
{
	struct event event = {
		.tsc = life->tsc,
		.kind = fc_life_word(life->life),
		.text = *life->text ? life->text : NULL,
		.has_pid = life->pid,
		.pid = life->pid,
		.has_tid = fc_life_is_of_thread(life),
		.tid = life->tid,
		.has_value = life->life == FC_LIFE_START || life->life == FC_LIFE_EXIT ||
			     life->life == FC_LIFE_SIGNAL,
	};
	event.value = life->life == FC_LIFE_EXIT     ? fc_exit_status(life->status)
		      : life->life == FC_LIFE_SIGNAL ? life->status
						     : life->other;
	return event;
}

static struct event of_hook(const struct fc_hook_info *hook)
{
	static const char *const states[] = {
		[FC_HOOK_RECORDED] = "recorded",
		[FC_HOOK_COUNTED] = "counted",
		[FC_HOOK_OUT] = "unseen",
	};
	const size_t nr = sizeof(states) / sizeof(states[0]);
	bool is_known = hook->state >= 0 && (size_t)hook->state < nr;
	return (struct event){ .tsc = hook->tsc,
			       .kind = "hook",
			       .func = hook->func,
			       .text = is_known ? states[hook->state] : NULL };
}

static struct event of_mark(const struct fc_query *query, const struct fc_marks_row *row)
{
	const struct fc_event *mark = &row->event;
	uint64_t value = fc_mark_shown_value(mark, fc_reader_clock(query->reader));
	return (struct event){ .tsc = mark->tsc,
			       .kind = fc_mark_word(mark->mark),
			       .has_pid = true,
			       .pid = mark->pid,
			       .has_tid = true,
			       .tid = mark->tid,
			       .has_strand = true,
			       .strand = mark->strand,
			       .has_value = true,
			       .value = fc_int64(value),
			       .text = row->is_recorded ? NULL : "damaged" };
}

static int events_next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	const struct fc_query *query = fc_vtab_query(base);
	struct fc_marks_row mark;

	size_t nr_lives = fc_reader_nr_lives(query->reader);
	if (cursor->next_life < nr_lives) {
		cursor->id = cursor->next_life;
		cursor->event = of_life(fc_reader_life(query->reader, cursor->next_life++));
	} else if (cursor->next_hook < fc_reader_nr_hooks(query->reader)) {
		cursor->id = nr_lives + cursor->next_hook;
		cursor->event = of_hook(fc_reader_hook(query->reader, cursor->next_hook++));
	} else if (cursor->marks && fc_marks_next(cursor->marks, &mark) == 1) {
		cursor->id = mark.id;
		cursor->event = of_mark(query, &mark);
	} else {
		cursor->is_over = true;
	}
	if (cursor->is_over && query->opts.is_stopped &&
	    query->opts.is_stopped(query->opts.ctx))
		return SQLITE_INTERRUPT;
	return SQLITE_OK;
}

/* Is it the name of a mark (true), or certainly of something else? Nothing else needs packets. */
static bool may_be_mark(sqlite3_value *kind)
{
	const char *text = (const char *)sqlite3_value_text(kind);
	for (int mark = 0; text && mark < FC_NR_MARKS; mark++) {
		const char *word = fc_mark_word(mark);
		if (word && !strcmp(word, text))
			return true;
	}
	return false;
}

static bool take_id(const struct fc_bounds *bounds, bool *has, int *ret)
{
	*has = bounds->min == bounds->max;
	*ret = (int)bounds->min;
	return !*has || bounds->min == *ret;
}

static void begin_marks(struct cursor *cursor, const struct fc_bounds *bounds)
{
	const struct fc_query *query = fc_vtab_query(&cursor->base);
	struct fc_scan_want want = fc_scan_want_all();
	const struct fc_bounds *strand = &bounds[STRAND];

	if (!take_id(&bounds[PID], &want.has_pid, &want.pid) ||
	    !take_id(&bounds[TID], &want.has_tid, &want.tid) ||
	    fc_bounds_is_empty(&bounds[TIME_NS]) || bounds[TIME_NS].max < 0)
		return;
	want.has_strand = strand->min == strand->max;
	want.strand = (uint32_t)strand->min;
	fc_ticks_of_bounds(fc_reader_clock(query->reader), &bounds[TIME_NS], &want.begin_min,
			   &want.begin_max);
	want.is_stopped = query->opts.is_stopped;
	want.ctx = query->opts.ctx;
	cursor->marks = fc_marks_create(query->reader, &want);
}

static int events_filter(sqlite3_vtab_cursor *base, int idx_num, const char *idx_str, int argc,
			 sqlite3_value **argv)
{
	struct cursor *cursor = (struct cursor *)base;
	struct fc_bounds bounds[NR_COLUMNS];
	bool has_marks = true, has_facts = true;

	fc_marks_destroy(cursor->marks);
	*cursor = (struct cursor){ .base = cursor->base };
	for (int i = 0; i < NR_COLUMNS; i++)
		bounds[i] = fc_bounds_all();
	for (int i = 0; i < argc; i++, idx_str += FC_CONSTRAINT_CHARS) {
		int column = idx_str[0] - 'a';
		if (column != KIND) {
			fc_bounds_narrow(&bounds[column], idx_str[1], argv[i]);
			continue;
		}
		has_facts &= !may_be_mark(argv[i]);
		has_marks &= may_be_mark(argv[i]);
	}
	if (!has_facts) {
		cursor->next_life = SIZE_MAX;
		cursor->next_hook = SIZE_MAX;
	}
	if (has_marks)
		begin_marks(cursor, bounds);
	return events_next(base);
}

static int events_eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->is_over;
}

static int events_column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int column)
{
	const struct event *event = &((struct cursor *)base)->event;
	const struct fc_query *query = fc_vtab_query(base);

	switch (column) {
	case TIME_NS:
		return fc_cell_tsc(ctx, query, true, event->tsc);
	case KIND:
		return fc_cell_string(ctx, event->kind);
	case PID:
		return fc_cell_int(ctx, event->has_pid, event->pid);
	case TID:
		return fc_cell_int(ctx, event->has_tid, event->tid);
	case STRAND:
		return fc_cell_int(ctx, event->has_strand, event->strand);
	case FUNC:
		return fc_cell_int(ctx, event->func, event->func);
	case NAME:
		return fc_cell_func(ctx, query, event->func);
	case VALUE:
		return fc_cell_int(ctx, event->has_value, event->value);
	default:
		return fc_cell_string(ctx, event->text);
	}
}

static int events_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
	*ret = fc_int64(((struct cursor *)base)->id);
	return SQLITE_OK;
}

const sqlite3_module fc_events_module = {
	.xConnect = fc_vtab_connect,
	.xBestIndex = events_best_index,
	.xDisconnect = fc_vtab_disconnect,
	.xOpen = events_open,
	.xClose = events_close,
	.xFilter = events_filter,
	.xNext = events_next,
	.xEof = events_eof,
	.xColumn = events_column,
	.xRowid = events_rowid,
};
