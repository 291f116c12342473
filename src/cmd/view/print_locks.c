/* SPDX-License-Identifier: Apache-2.0 */
/* print_locks.c - sorts, names and prints locks, and beneath each the threads that had to do with it. */
#include "cmd/view/print_locks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "calls/play.h"
#include "calls/thread_names.h"
#include "cmd/options/options.h"
#include "cmd/options/srclines.h"
#include "cmd/options/text_output.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/view/lock_names.h"
#include "cmd/view/reading.h"
#include "read/locks/lock_op.h"
#include "read/locks/locks.h"

enum { MAX_WHO = 8 }; /* of each role, as text */

/* A lock, or one that waited for it, had it, or woke. */
struct row {
	const struct fc_lock *lock;
	const struct fc_lock_who *who; /* NULL: of the lock itself */
	size_t nr_more;		       /* it stands for so many, of which there are too many */
	const char *role;
	const char *name; /* the lock's; NULL: none is known, the address says it all */
	const char *module, *kind, *first_func; /* NULL: not known */
	const char *address;
	int pid;
	uint64_t taken;
	struct fc_table_cell tid;
	const char *thread, *why;		/* NULL: none */
	const char *func, *func_module, *doing; /* the same */
	uint64_t waits, total_ns, longest_ns, mean_ns, longest_at_ns;
};

typedef FC_VEC(struct row) rows;

struct view {
	const struct fc_settings *settings;
	struct fc_reader *reader;
	struct fc_namer namer;
	struct fc_thread_names threads;
	rows locks;
	FC_VEC(char *) texts;
	bool has_processes; /* more than one */
};

static const char *const roles[FC_NR_LOCK_ROLES] = {
	[FC_LOCK_WAITED] = "waited",
	[FC_LOCK_HELD] = "held",
	[FC_LOCK_WOKE] = "woke",
};

/* ---- rows ---- */

static void set_times(const struct view *view, struct row *row,
		      const struct fc_lock_times *times)
{
	const struct fc_clock *clock = fc_reader_clock(view->reader);

	row->waits = times->waits;
	row->total_ns = fc_clock_duration_ns(clock, times->total);
	row->longest_ns = fc_clock_duration_ns(clock, times->longest);
	row->mean_ns =
		times->waits ? fc_clock_duration_ns(clock, times->total / times->waits) : 0;
}

/* Of the program; NULL: none is known. */
static const char *name_of(const struct view *view, uint32_t func, const char **module)
{
	struct fc_name name = { 0 };

	if (func)
		name = view->namer.name_of(view->namer.ctx, func);
	*module = name.module;
	return name.name;
}

/* A text that lives as long as the view, or NULL. */
static const char *keep(struct view *view, char *text)
{
	if (text)
		fc_vec_push(&view->texts, text);
	return text;
}

static struct row lock_row(struct view *view, struct fc_lock_names *names,
			   const struct fc_lock *lock)
{
	struct row row = { .lock = lock,
			   .role = "lock",
			   .kind = fc_lock_word(lock->kind),
			   .pid = lock->pid,
			   .taken = lock->taken,
			   .tid.kind = FC_CELL_NULL };
	const char *first_module;
	const struct fc_clock *clock = fc_reader_clock(view->reader);

	row.first_func = name_of(view, lock->first_func, &first_module);
	row.address = keep(view, fc_asprintf("0x%" PRIx64, lock->address));
	row.name = keep(view, fc_lock_names_find(names, lock, &row.module));
	row.longest_at_ns = fc_clock_ns(clock, lock->longest_tsc);
	set_times(view, &row, &lock->times);
	return row;
}

static const char *why_nobody(int nobody)
{
	static const char *const words[] = {
		[FC_LOCK_NOT_TRACED] = "a thread that is not known",
		[FC_LOCK_ONE_OF_MANY] = "one of several threads",
		[FC_LOCK_TIMEOUT] = "a time-out",
		[FC_LOCK_INTERRUPTED] = "a signal",
		[FC_LOCK_FAILED] = "a time-out or a signal",
		[FC_LOCK_LEFT] = "cancellation, or a jump",
		[FC_LOCK_NOT_OVER] = "nobody, up to its end",
	};
	return words[nobody];
}

static struct row who_row(const struct view *view, const struct row *lock, const char *role,
			  const struct fc_lock_who *who)
{
	struct row row = *lock;
	const char *doing_module;

	row.who = who;
	row.role = role;
	row.why = why_nobody(who->nobody);
	row.func = name_of(view, who->func, &row.func_module);
	row.doing = name_of(view, who->doing, &doing_module);
	row.tid = (struct fc_table_cell){ who->tid ? FC_CELL_NUMBER : FC_CELL_NULL,
					  .number = (uint64_t)who->tid };
	row.thread = who->tid ? fc_thread_names_of(&view->threads, lock->pid, who->tid) : NULL;
	set_times(view, &row, &who->times);
	return row;
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return fc_order(y->total_ns, x->total_ns) ?:
	       fc_order(y->waits, x->waits) ?:
	       fc_order(x->tid.number, y->tid.number) ?:
	       strcmp(x->func ? x->func : "", y->func ? y->func : "");
}

/* The caller frees their memory. */
static void find_who(const struct view *view, const struct row *lock, int role, rows *ret)
{
	const struct fc_lock *of = lock->lock;

	for (size_t i = 0; i < of->who[role].nr; i++)
		fc_vec_push(ret, who_row(view, lock, roles[role], &of->who[role].at[i]));
	fc_vec_sort(ret, most_first);
}

/* ---- their order ---- */

typedef int (*compare)(const void *a, const void *b);

static int by_name(const struct row *x, const struct row *y)
{
	return fc_order(y->total_ns, x->total_ns) ?:
	       fc_order(y->waits, x->waits) ?:
	       strcmp(x->name ? x->name : "", y->name ? y->name : "") ?:
	       fc_order(x->pid, y->pid) ?:
	       fc_order(x->lock->address, y->lock->address);
}

#define LARGEST_FIRST(key, field)                                                              \
	static int by_##key(const void *a, const void *b)                                      \
	{                                                                                      \
		const struct row *x = a, *y = b;                                               \
		return fc_order(y->field, x->field) ?: by_name(x, y);                          \
	}

LARGEST_FIRST(total, total_ns)
LARGEST_FIRST(waits, waits)
LARGEST_FIRST(longest, longest_ns)
LARGEST_FIRST(mean, mean_ns)

static const struct {
	const char *name;
	compare compare;
} orders[] = {
	{ "total", by_total }, { "calls", by_waits }, { "max", by_longest }, { "avg", by_mean }
};

/* NULL: there is no such. */
static compare find_order(const struct fc_settings *settings)
{
	if (!settings->sort)
		return by_total;
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (!strcmp(orders[i].name, settings->sort))
			return orders[i].compare;
	return NULL;
}

/* ---- as text ---- */

static void print_lock(FILE *out, const struct view *view, const struct row *row)
{
	fc_print_foreign(out, row->name ? row->name : row->address);
	fprintf(out, " (%s", row->kind);
	if (row->module) {
		fputs(" of ", out);
		fc_print_foreign(out, row->module);
	} else if (row->first_func) {
		fputs(" first used in ", out);
		fc_print_foreign(out, row->first_func);
	}
	if (view->has_processes)
		fprintf(out, ", process %d", row->pid);
	if (row->taken)
		fprintf(out, ", taken %" PRIu64 " times", row->taken);
	fputc(')', out);
}

static const char *said_role(const struct row *row)
{
	if (row->role == roles[FC_LOCK_WAITED])
		return "waited";
	if (row->role == roles[FC_LOCK_HELD])
		return "held by";
	return row->who && row->who->nobody >= FC_LOCK_TIMEOUT ? "ended by" : "woken by";
}

static void print_who(FILE *out, const struct row *row)
{
	fprintf(out, "  %-8s ", said_role(row));
	if (row->nr_more) {
		fprintf(out, "%zu more", row->nr_more);
		return;
	}
	if (row->why) {
		fputs(row->why, out);
		return;
	}
	fprintf(out, "%d", (int)row->tid.number);
	if (row->thread) {
		fputs(" (", out);
		fc_print_foreign(out, row->thread);
		fputc(')', out);
	}
	if (row->func) {
		fputs(" in ", out);
		fc_print_foreign(out, row->func);
	}
	/* As the function that took it is often the one that it is still in. */
	if (row->doing && (!row->func || strcmp(row->doing, row->func) != 0)) {
		fputs(", then in ", out);
		fc_print_foreign(out, row->doing);
	}
}

static void print_text(const struct fc_table *table, const void *of)
{
	const struct row *row = of;

	if (row->who || row->nr_more)
		print_who(table->out, row);
	else
		print_lock(table->out, table->of, row);
}

#define ROW(member) FC_FIELD(struct row, member)

static const struct fc_table_column text_columns[] = {
	{ NULL, "WAITS", ROW(waits), .width = 10 },
	{ NULL, "TOTAL  ", ROW(total_ns), .width = 11, .show = fc_show_ns },
	{ NULL, "LONGEST  ", ROW(longest_ns), .width = 11, .show = fc_show_ns },
	{ NULL, "MEAN  ", ROW(mean_ns), .width = 11, .show = fc_show_ns },
	{ NULL, "LOCK", .print = print_text, .most = 1 },
};

/* The first, and one that sums all others. */
static void cut(const struct view *view, rows *who)
{
	struct fc_lock_times times = { 0 };

	if (who->nr <= MAX_WHO + 1)
		return;
	struct row *last = &who->at[MAX_WHO];
	for (size_t i = MAX_WHO; i < who->nr; i++) {
		const struct fc_lock_times *more = &who->at[i].who->times;
		times.waits += more->waits;
		times.total += more->total;
		if (more->longest > times.longest)
			times.longest = more->longest;
	}
	last->nr_more = who->nr - MAX_WHO;
	set_times(view, last, &times);
	who->nr = MAX_WHO + 1;
}

/* ---- as CSV and JSON ---- */

static const struct fc_table_column who_columns[] = {
	{ "tid", NULL, .field = FC_FIELD_CELL, .at = offsetof(struct row, tid) },
	{ "thread", NULL, ROW(thread) },
	{ "function", NULL, ROW(func) },
	{ "function_module", NULL, ROW(func_module) },
	{ "nobody", NULL, ROW(why) },
	{ "doing", NULL, ROW(doing) },
	{ "waits", NULL, ROW(waits) },
	{ "total_ns", NULL, ROW(total_ns) },
	{ "longest_ns", NULL, ROW(longest_ns) },
	{ "mean_ns", NULL, ROW(mean_ns) },
};

static void json_who(const struct fc_table *table, const char *key, const void *lock)
{
	const struct view *view = table->of;

	for (int role = 0; role < FC_NR_LOCK_ROLES; role++) {
		fc_auto_vec rows who = { 0 };
		if (strcmp(roles[role], key) != 0)
			continue;
		find_who(view, lock, role, &who);
		struct fc_table within = { NULL, FC_FORM_JSON, FC_COLUMNS(who_columns),
					   table->json, key };
		fc_table_print(&within, who.at, who.nr, sizeof(*who.at));
	}
}

static const struct fc_table_column json_columns[] = {
	{ "lock", NULL, ROW(name) },
	{ "module", NULL, ROW(module) },
	{ "address", NULL, ROW(address) },
	{ "kind", NULL, ROW(kind) },
	{ "pid", NULL, ROW(pid) },
	{ "first_function", NULL, ROW(first_func) },
	{ "taken", NULL, ROW(taken) },
	{ "waits", NULL, ROW(waits) },
	{ "total_ns", NULL, ROW(total_ns) },
	{ "longest_ns", NULL, ROW(longest_ns) },
	{ "longest_at_ns", NULL, ROW(longest_at_ns) },
	{ "mean_ns", NULL, ROW(mean_ns) },
	{ "waited", .json = json_who },
	{ "held", .json = json_who },
	{ "woke", .json = json_who },
};

static const struct fc_table_column csv_columns[] = {
	{ "role", NULL, ROW(role) },
	{ "lock", NULL, ROW(name) },
	{ "module", NULL, ROW(module) },
	{ "address", NULL, ROW(address) },
	{ "kind", NULL, ROW(kind) },
	{ "pid", NULL, ROW(pid) },
	{ "tid", NULL, .field = FC_FIELD_CELL, .at = offsetof(struct row, tid) },
	{ "thread", NULL, ROW(thread) },
	{ "function", NULL, ROW(func) },
	{ "function_module", NULL, ROW(func_module) },
	{ "nobody", NULL, ROW(why) },
	{ "doing", NULL, ROW(doing) },
	{ "taken", NULL, ROW(taken) },
	{ "waits", NULL, ROW(waits) },
	{ "total_ns", NULL, ROW(total_ns) },
	{ "longest_ns", NULL, ROW(longest_ns) },
	{ "mean_ns", NULL, ROW(mean_ns) },
};

static void print_json(FILE *out, const struct view *view, size_t nr)
{
	struct fc_table table = { out, FC_FORM_JSON, FC_COLUMNS(json_columns), .of = view };

	fc_table_print(&table, view->locks.at, nr, sizeof(*view->locks.at));
}

/* Each lock, and all that had to do with it. */
static void print_rows(FILE *out, enum fc_form form, const struct view *view, size_t nr)
{
	struct fc_table csv = { out, form, FC_COLUMNS(csv_columns) };
	struct fc_table text = { out, form, FC_COLUMNS(text_columns), .of = view };
	struct fc_table *table = form == FC_FORM_CSV ? &csv : &text;

	fc_table_begin(table);
	for (size_t i = 0; i < nr; i++) {
		const struct row *lock = &view->locks.at[i];
		fc_table_row(table, lock);
		for (int role = 0; role < FC_NR_LOCK_ROLES; role++) {
			fc_auto_vec rows who = { 0 };
			find_who(view, lock, role, &who);
			if (form == FC_FORM_TEXT)
				cut(view, &who);
			fc_vec_each (&who, row)
				fc_table_row(table, row);
		}
	}
	fc_table_end(table);
}

/* ---- all ---- */

#define RECORD "fctrace record --locks records that"
#define OTHERS                                                                                 \
	", as those of Rust and Go, are seen with fctrace record --locks --syscalls=futex"

/* What is not known, and how it would be; false: nothing is. */
static bool say_missing(const struct fc_settings *settings, const struct fc_reader *reader,
			const struct fc_locks *locks)
{
	struct fc_locks_seen seen = fc_locks_seen(locks);
	bool was_asked = strstr(fc_reader_options(reader), "--locks") && !seen.blind;

	if (!seen.ops && !seen.futexes) {
		if (fc_settings_is_part(settings))
			fc_say("--locks: in that part of the trace no thread takes a lock or "
			       "waits for one");
		else if (was_asked)
			fc_say("--locks: no functions such as pthread_mutex_lock() were "
			       "called; "
			       "locks that are not the C library's" OTHERS);
		else
			fc_say("--locks: this trace tells of no locks: it has %s; " RECORD,
			       seen.blind ? "no arguments of functions such as "
					    "pthread_mutex_lock()"
					  : "no calls of functions such as "
					    "pthread_mutex_lock()");
		return false;
	}
	if (!seen.ops && was_asked)
		fc_say("--locks: who had a lock is not known: it is none of the C library's");
	else if (!seen.ops)
		fc_say("--locks: who had a lock is not known, as the trace has no arguments of "
		       "functions such as pthread_mutex_lock(); " RECORD);
	return true;
}

/* A function of locks whose calls were not all recorded: NULL, there is none. */
static const char *find_partial(struct fc_reader *reader)
{
	struct fc_namer namer = fc_reading_namer(reader);

	for (size_t i = 0; i < fc_reader_nr_hooks(reader); i++) {
		const struct fc_hook_info *hook = fc_reader_hook(reader, i);
		struct fc_name name = namer.name_of(namer.ctx, hook->func);
		if (hook->state != FC_HOOK_RECORDED && fc_lock_op_find(name))
			return name.name;
	}
	return NULL;
}

/* False: who has a lock, and who waits for it, cannot be told; that is said. */
static bool say_partial(struct fc_reader *reader)
{
	const char *name = find_partial(reader);

	if (name)
		fc_say("--locks: not all calls of %s() were recorded (--budget, or fctrace ctl "
		       "unhook): who waits for whom is not known",
		       name);
	return !name;
}

static void say_gaps(const struct fc_locks *locks)
{
	if (fc_locks_seen(locks).has_gaps)
		fc_say("--locks: records were lost: who had a lock, and who woke, is not known "
		       "of some waits");
}

static void say_calm(const struct fc_locks *locks)
{
	struct fc_locks_seen seen = fc_locks_seen(locks);

	if (seen.futexes)
		fc_say("--locks: no thread waited for a lock: %" PRIu64
		       " calls of functions such as pthread_mutex_lock(), %" PRIu64
		       " of futex()",
		       seen.ops, seen.futexes);
	else
		fc_say("--locks: no thread waited for a lock of the C library: %" PRIu64
		       " calls of functions such as pthread_mutex_lock(); others" OTHERS,
		       seen.ops);
}

static void find_rows(struct view *view, const struct fc_locks *locks)
{
	struct fc_lock_names *names = fc_lock_names_create(view->reader);

	for (size_t i = 0; i < fc_locks_nr(locks); i++) {
		const struct fc_lock *lock = fc_locks_get(locks, i);
		if (lock->times.waits)
			fc_vec_push(&view->locks, lock_row(view, names, lock));
	}
	fc_lock_names_destroy(names);
	for (size_t i = 1; i < view->locks.nr; i++)
		view->has_processes |= view->locks.at[i].pid != view->locks.at[0].pid;
	fc_vec_sort(&view->locks, find_order(view->settings));
}

static void print_all(FILE *out, const struct fc_settings *settings, struct fc_reader *reader,
		      const struct fc_locks *locks)
{
	struct view view = { .settings = settings,
			     .reader = reader,
			     .namer = fc_reading_namer(reader) };
	bool is_text = !settings->json && !settings->report.csv;

	fc_thread_names_find(&view.threads, reader);
	find_rows(&view, locks);
	size_t nr = fc_settings_rows(settings, view.locks.nr);
	if (settings->json)
		print_json(out, &view, nr);
	else if (nr || !is_text)
		print_rows(out, is_text ? FC_FORM_TEXT : FC_FORM_CSV, &view, nr);
	if (!view.locks.nr)
		say_calm(locks);
	fc_vec_each (&view.texts, text)
		free(*text);
	fc_vec_free(&view.texts);
	fc_vec_free(&view.locks);
	fc_thread_names_deinit(&view.threads);
}

/* A sentence on an option that this table does not have; NULL: there is none. */
static const char *find_trouble(const struct fc_settings *settings)
{
	const struct fc_report_settings *report = &settings->report;

	if (settings->callers.callers || settings->callers.callees ||
	    settings->callers.top_rate || report->columns.nr || report->by != FC_BY_FUNCTION ||
	    report->hist || fc_srclines_are_asked())
		return "--locks is a table of its own: it has no -f, --by, --hist, --callers, "
		       "--callees, --top-rate or --srcline";
	if (settings->only || settings->except || settings->leading || settings->only_modules ||
	    settings->depth || settings->min_ns || settings->tid)
		return "--locks needs the calls of all threads: it has no -F, -C, -N, -m, -D, "
		       "-t or --tid";
	if (!find_order(settings))
		return "-s: locks are sorted by total, calls (their waits), max or avg";
	return NULL;
}

static void tell_life(void *ctx, const struct fc_life_info *life)
{
	fc_locks_life(ctx, life);
}

static bool play(const struct fc_settings *settings, struct fc_reader *reader,
		 struct fc_locks *locks, int *status)
{
	struct fc_play_opts opts = { .life = tell_life,
				     .ctx = locks,
				     .values = fc_reading_values(reader) };

	if (!fc_reading_choose(settings, reader, &opts, status))
		return false;
	fc_play(reader, &opts, fc_locks_sink(locks));
	return true;
}

int fc_locks_run(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL;
	int status = 0;

	const char *trouble = find_trouble(settings);
	if (trouble) {
		fc_say("%s", trouble);
		return FC_STATUS_USAGE;
	}
	if (!fc_reading_open(argc, argv, &reader, &status))
		return status;
	FILE *out = fc_text_output_open(settings, !settings->json && !settings->report.csv);
	struct fc_namer namer = fc_reading_namer(reader);
	struct fc_locks *locks = fc_locks_create(&namer, fc_reading_values(reader));
	bool is_played = play(settings, reader, locks, &status);
	bool is_shown =
		is_played && say_partial(reader) && say_missing(settings, reader, locks);
	if (is_shown) {
		print_all(out, settings, reader, locks);
		say_gaps(locks);
	} else if (is_played) {
		status = FC_STATUS_NO;
	}
	fc_locks_destroy(locks);
	int read_status = fc_reading_close(reader);
	return fc_output_close(out, is_shown ? read_status : status);
}
