/* SPDX-License-Identifier: Apache-2.0 */
/* grouping.c - assigns a row of the report to each function, call or thread. */
#include "read/sums/grouping.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/vec.h"
#include "calls/thread_names.h"
#include "read/sums/processes.h"
#include "read/sums/value_rows.h"

/* Row 0 is of what is not known. */
struct fc_grouping {
	enum fc_by by;
	uint32_t *of_func;	     /* by function id */
	FC_VEC(uint32_t) of_strand;  /* by place in the reader's list */
	FC_VEC(uint32_t) strand_ids; /* the same, in ascending order */
	FC_VEC(struct fc_group) groups;
	struct fc_value_rows *values; /* NULL: by none */
	struct fc_namer namer;	      /* by values */
	struct fc_thread_names names; /* by threads */
};

/* ---- modules ---- */

struct path_row {
	const char *path;
	uint32_t id, row;
};

static int by_path(const void *a, const void *b)
{
	const struct path_row *x = a, *y = b;
	return strcmp(x->path, y->path);
}

static void add_functions(struct fc_grouping *grouping, const struct fc_module_info *module,
			  uint32_t row)
{
	for (size_t i = 0; i < module->nr_funcs; i++) {
		uint32_t func = module->funcs[i].id;
		if (func && func <= FC_FUNC_MAX)
			grouping->of_func[func] = row;
	}
}

/* A file that several processes have is one module. */
static void add_modules(struct fc_grouping *grouping, const struct fc_reader *reader)
{
	size_t nr = fc_reader_nr_modules(reader);
	struct path_row *rows = fc_alloc(nr * sizeof(*rows));

	for (size_t i = 0; i < nr; i++)
		rows[i] = (struct path_row){ fc_reader_module(reader, i)->path, (uint32_t)i };
	if (nr)
		qsort(rows, nr, sizeof(*rows), by_path);
	for (size_t i = 0; i < nr; i++) {
		if (!i || strcmp(rows[i].path, rows[i - 1].path)) {
			struct fc_group group = {
				.name = { .name = "", .module = fc_base_name(rows[i].path) }
			};
			fc_vec_push(&grouping->groups, group);
		}
		add_functions(grouping, fc_reader_module(reader, rows[i].id),
			      (uint32_t)grouping->groups.nr - 1);
	}
	free(rows);
}

/* ---- files of the source ---- */

struct file_row {
	const char *path;
	uint32_t func;
};

static int by_file(const void *a, const void *b)
{
	const struct file_row *x = a, *y = b;
	return strcmp(x->path, y->path);
}

/* A function whose file is not known is in the file "?". */
static void add_files(struct fc_grouping *grouping, const struct fc_reader *reader,
		      const struct fc_namer *namer)
{
	uint32_t max = fc_reader_max_func(reader);
	size_t nr = max < FC_FUNC_MAX ? max : FC_FUNC_MAX;
	struct file_row *rows = fc_alloc(nr * sizeof(*rows));

	for (uint32_t i = 0; i < nr; i++) {
		const struct fc_source *source = namer->name_of(namer->ctx, i + 1).source;
		rows[i] = (struct file_row){ source ? source->file : "?", i + 1 };
	}
	if (nr)
		qsort(rows, nr, sizeof(*rows), by_file);
	for (size_t i = 0; i < nr; i++) {
		if (!i || by_file(&rows[i], &rows[i - 1])) {
			struct fc_group group = { .name = { .name = rows[i].path,
							    .module = "" } };
			fc_vec_push(&grouping->groups, group);
		}
		grouping->of_func[rows[i].func] = (uint32_t)grouping->groups.nr - 1;
	}
	free(rows);
}

/* ---- threads and processes ---- */

struct task_row {
	int pid, tid;
	size_t strand;
};

static int by_task(const void *a, const void *b)
{
	const struct task_row *x = a, *y = b;
	return fc_order(x->pid, y->pid) ?: fc_order(x->tid, y->tid);
}

/* A thread has several strands: a signal's stack is one. */
static void add_tasks(struct fc_grouping *grouping, const struct fc_reader *reader)
{
	size_t nr = fc_reader_nr_strands(reader);
	struct task_row *rows = fc_alloc(nr * sizeof(*rows));
	bool is_thread = grouping->by == FC_BY_THREAD;

	for (size_t i = 0; i < nr; i++) {
		const struct fc_strand_info *strand = fc_reader_strand(reader, i);
		rows[i] = (struct task_row){ strand->pid, is_thread ? strand->tid : 0, i };
		fc_vec_push(&grouping->strand_ids, strand->id);
		fc_vec_push(&grouping->of_strand, 0);
	}
	if (nr)
		qsort(rows, nr, sizeof(*rows), by_task);
	struct fc_processes processes = { 0 };
	fc_processes_find(reader, &processes);
	if (is_thread)
		fc_thread_names_find(&grouping->names, reader);
	for (size_t i = 0; i < nr; i++) {
		if (!i || by_task(&rows[i], &rows[i - 1])) {
			const char *program = fc_processes_program(&processes, rows[i].pid);
			struct fc_group group = { .name = { .name = program, .module = "" },
						  .value = fc_thread_names_of(&grouping->names,
									      rows[i].pid,
									      rows[i].tid),
						  .pid = rows[i].pid,
						  .tid = rows[i].tid };
			fc_vec_push(&grouping->groups, group);
		}
		grouping->of_strand.at[rows[i].strand] = (uint32_t)grouping->groups.nr - 1;
	}
	/* All that is known to be called is one group: only the outermost count. */
	for (uint32_t i = 1; i <= fc_reader_max_func(reader) && i <= FC_FUNC_MAX; i++)
		grouping->of_func[i] = 1;
	fc_processes_deinit(&processes);
	free(rows);
}

/* ---- all ---- */

struct fc_grouping *fc_grouping_create(const struct fc_reader *reader,
				       const struct fc_namer *namer, enum fc_by by)
{
	if (by == FC_BY_FUNCTION)
		return NULL;
	struct fc_grouping *grouping = fc_alloc(sizeof(*grouping));
	const struct fc_group unknown = { .name = { .name = by == FC_BY_FILE ? "?" : "",
						    .module = "?" } };

	grouping->by = by;
	grouping->of_func = fc_alloc((FC_FUNC_MAX + 1) * sizeof(uint32_t));
	fc_vec_push(&grouping->groups, unknown);
	if (by == FC_BY_MODULE)
		add_modules(grouping, reader);
	else if (by == FC_BY_FILE)
		add_files(grouping, reader, namer);
	else
		add_tasks(grouping, reader);
	return grouping;
}

struct fc_grouping *fc_grouping_create_of_values(const struct fc_values *values,
						 const struct fc_namer *namer, enum fc_by by)
{
	const struct fc_value_rows_opts opts = {
		.values = values,
		.arg = by == FC_BY_VALUE    ? FC_ALL_ARGS
		       : by == FC_BY_RESULT ? FC_NO_ARG
					    : (uint32_t)(by - FC_BY_ARG1),
	};
	struct fc_grouping *grouping = fc_alloc(sizeof(*grouping));

	*grouping = (struct fc_grouping){ .by = by,
					  .values = fc_value_rows_create(&opts),
					  .namer = *namer };
	return grouping;
}

void fc_grouping_destroy(struct fc_grouping *grouping)
{
	if (!grouping)
		return;
	fc_value_rows_destroy(grouping->values);
	fc_thread_names_deinit(&grouping->names);
	free(grouping->of_func);
	fc_vec_free(&grouping->of_strand);
	fc_vec_free(&grouping->strand_ids);
	fc_vec_free(&grouping->groups);
	free(grouping);
}

const uint32_t *fc_grouping_recursion(const struct fc_grouping *grouping)
{
	return grouping ? grouping->of_func : NULL;
}

static uint32_t row_of_strand(const struct fc_grouping *grouping, uint32_t id)
{
	size_t nr = grouping->strand_ids.nr;
	size_t i = fc_bisect(grouping->strand_ids.at, nr, strand, *strand < id);

	return i < nr && grouping->strand_ids.at[i] == id ? grouping->of_strand.at[i] : 0;
}

/* Is a call's row that of its function? */
static bool is_of_func(const struct fc_grouping *grouping)
{
	return grouping->by == FC_BY_MODULE || grouping->by == FC_BY_FILE;
}

bool fc_grouping_is_of_values(const struct fc_grouping *grouping)
{
	return grouping && grouping->values;
}

uint64_t fc_grouping_nr_others(const struct fc_grouping *grouping)
{
	return fc_grouping_is_of_values(grouping) ? fc_value_rows_nr_others(grouping->values)
						  : 0;
}

uint32_t fc_grouping_row(const struct fc_grouping *grouping, const struct fc_call *call)
{
	if (grouping->values)
		return fc_value_rows_of_call(grouping->values, call);
	return is_of_func(grouping) ? grouping->of_func[call->func]
				    : row_of_strand(grouping, call->strand);
}

uint32_t fc_grouping_row_of_func(const struct fc_grouping *grouping, uint32_t func)
{
	if (grouping->values)
		return fc_value_rows_of_func(grouping->values, func);
	return is_of_func(grouping) && func <= FC_FUNC_MAX ? grouping->of_func[func] : 0;
}

static struct fc_group group_of_value(const struct fc_grouping *grouping, uint32_t row)
{
	struct fc_value_row of = fc_value_rows_get(grouping->values, row);
	return (struct fc_group){ .name = grouping->namer.name_of(grouping->namer.ctx, of.func),
				  .value = of.value };
}

struct fc_group fc_grouping_group(const struct fc_grouping *grouping, uint32_t row)
{
	if (grouping->values)
		return group_of_value(grouping, row);
	return grouping->groups.at[row < grouping->groups.nr ? row : 0];
}
