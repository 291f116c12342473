/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_values.c - arguments and results of kernel functions as values of calls, with the error that a result is. */
#include "capture/kernel/kernel_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/mix.h"
#include "base/vec.h"
#include "capture/kernel/kernel_types.h"
#include "trace/record.h"
#include "values/failure.h"
#include "values/formats.h"
#include "values/writer.h"

#define MOST_PROBED 1000 /* functions: each takes the kernel some ms */

enum { WORD = 8 };

/* A function of which something is recorded. */
struct wanted {
	struct fc_kernel_func *func;
	struct fc_kernel_proto proto;
};

struct fc_kernel_values {
	struct fc_kernel_types *types;
	FC_VEC(struct wanted) wanted;
	void *formats;
	uint64_t secret;
};

/* ---- which functions ---- */

static int by_name(const void *a, const void *b)
{
	const struct fc_kernel_func *const *x = a, *const *y = b;
	return strcmp((*x)->name, (*y)->name);
}

static void forget(struct fc_kernel_func *func)
{
	func->result_size = func->nr_args = 0;
}

/* Of several functions with one name nobody says which is which: of these nothing is told. */
static void drop_ambiguous(struct fc_kernel_func *all, size_t nr)
{
	fc_auto_free struct fc_kernel_func **sorted = fc_alloc(nr * sizeof(*sorted) + 1);
	for (size_t i = 0; i < nr; i++)
		sorted[i] = &all[i];
	qsort(sorted, nr, sizeof(*sorted), by_name);
	for (size_t i = 1; i < nr; i++)
		if (!strcmp(sorted[i]->name, sorted[i - 1]->name)) {
			forget(sorted[i]);
			forget(sorted[i - 1]);
		}
}

/* The first ones that are in one register each; behind another nobody knows where they are. */
static void find_args(struct fc_kernel_func *func, const struct fc_kernel_proto *proto)
{
	uint32_t nr = fc_kernel_proto_nr(proto);
	while (func->nr_args < nr && func->nr_args < FC_KERNEL_ARGS) {
		uint8_t size = fc_kernel_proto_size(proto, func->nr_args);
		if (!size)
			return;
		func->arg_size[func->nr_args++] = size;
	}
}

static void find_result(struct fc_kernel_func *func, const struct fc_kernel_proto *proto)
{
	func->result_size = fc_kernel_proto_size(proto, FC_PARAM_RESULT);
	func->may_fail = func->result_size && fc_kernel_proto_may_fail(proto);
}

static void find(struct fc_kernel_values *values, struct fc_kernel_funcs *funcs,
		 const struct fc_kernel_values_opts *opts)
{
	size_t nr;
	struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		bool with_args = fc_kernel_func_matches(&all[i], opts->args);
		bool with_result = fc_kernel_func_matches(&all[i], opts->results);
		if (all[i].is_out || (!with_args && !with_result))
			continue;
		struct fc_kernel_proto proto =
			fc_kernel_types_find(values->types, all[i].module, all[i].name);
		if (with_args)
			find_args(&all[i], &proto);
		if (with_result)
			find_result(&all[i], &proto);
		if (all[i].nr_args || all[i].result_size)
			fc_vec_push(&values->wanted, (struct wanted){ &all[i], proto });
	}
	drop_ambiguous(all, nr);
}

static size_t nr_probes(const struct fc_kernel_values *values,
			const struct fc_kernel_values_opts *opts)
{
	size_t nr = 0;
	fc_vec_each (&values->wanted, wanted)
		nr += (opts->args_probed && wanted->func->nr_args) +
		      (opts->results_probed && wanted->func->result_size);
	return nr;
}

int fc_kernel_values_create(struct fc_kernel_funcs *funcs,
			    const struct fc_kernel_values_opts *opts,
			    struct fc_kernel_values **ret)
{
	struct fc_kernel_values *values = fc_alloc(sizeof(*values));
	int err = fc_kernel_types_open(&values->types);
	if (!err)
		find(values, funcs, opts);
	size_t nr = nr_probes(values, opts);
	if (!err && !values->wanted.nr)
		err = fc_fail(ENOENT, "of none of the functions the kernel's type information "
				      "tells what they are given or return");
	if (!err && nr > MOST_PROBED)
		err = fc_fail(E2BIG,
			      "%zu probes would be needed, and %d are the most; name fewer "
			      "functions by --kfilter, --karg or --kret",
			      nr, MOST_PROBED);
	if (!err && getrandom(&values->secret, sizeof(values->secret), 0) < 0)
		err = fc_fail(errno, "getrandom: %s", strerror(errno));
	if (err)
		fc_kernel_values_destroy(values);
	else
		*ret = values;
	return err;
}

void fc_kernel_values_destroy(struct fc_kernel_values *values)
{
	if (!values)
		return;
	fc_kernel_types_close(values->types);
	fc_vec_free(&values->wanted);
	free(values->formats);
	free(values);
}

/* ---- what the words mean ---- */

static void add_entry(struct fc_formats *formats, const struct fc_kernel_func *func,
		      uint32_t type)
{
	struct fc_format_part parts[FC_KERNEL_ARGS];
	for (uint8_t i = 0; i < func->nr_args; i++)
		parts[i] = (struct fc_format_part){
			.fetch = { .how = FCA_FETCH_VALUE, .size = func->arg_size[i] },
			.param = i,
		};
	if (func->nr_args)
		fc_formats_add(formats, fca_format(func->id, false), type, parts,
			       func->nr_args);
}

static void add_exit(struct fc_formats *formats, const struct fc_kernel_func *func,
		     uint32_t type)
{
	struct fc_format_part parts[] = {
		{ .fetch = { .how = FCA_FETCH_VALUE, .size = func->result_size },
		  .param = FC_PARAM_RESULT },
		{ .fetch = { .how = FCA_FETCH_ERROR, .size = sizeof(int) },
		  .param = FC_PARAM_RESULT,
		  .level = FC_LEVEL_ERRNO },
	};
	if (func->result_size)
		fc_formats_add(formats, fca_format(func->id, true), type, parts,
			       func->may_fail ? 2 : 1);
}

const void *fc_kernel_values_formats(struct fc_kernel_values *values,
				     struct fc_kernel_funcs *funcs, size_t *size)
{
	struct fc_types *types = fc_types_create();
	struct fc_formats *formats = fc_formats_create(types);
	fc_vec_each (&values->wanted, wanted) {
		const struct fc_kernel_func *func = wanted->func;
		if (!func->id || (!func->nr_args && !func->result_size))
			continue;
		uint32_t type = fc_kernel_proto_copy(&wanted->proto, func->name, func->nr_args,
						     func->result_size, types);
		fc_types_tag(types, type, func->may_fail ? "fails(error)" : "fails(never)");
		add_entry(formats, func, type);
		add_exit(formats, func, type);
	}
	values->formats = fc_formats_bytes(formats, size);
	fc_formats_destroy(formats);
	return values->formats;
}

/* ---- words ---- */

/* The register's upper bytes mean nothing. */
static int64_t extended(uint64_t value, unsigned size)
{
	unsigned unused = (WORD - size) * 8;
	return (int64_t)(value << unused) >> unused;
}

/*
 * An address of the kernel, which nobody is to know, becomes a number that is the same whenever it is, in
 * this trace; as the kernel's own "%p" does. Others, and errors, stay as they are.
 */
static uint64_t hidden(const struct fc_kernel_values *values, uint64_t value, unsigned size)
{
	int64_t number = (int64_t)value;
	if (size < WORD || number >= 0 || number > -(1 << 20))
		return value;
	return fc_mix64(value ^ values->secret) & 0xffffffff;
}

size_t fc_kernel_values_args(const struct fc_kernel_values *values,
			     const struct fc_kernel_func *func, uint64_t tsc,
			     const uint64_t arg[FC_KERNEL_ARGS],
			     uint64_t ret[FC_KERNEL_ENTRY_WORDS])
{
	struct fc_value_writer writer = fc_value_writer(ret, func->id, false);
	for (uint8_t i = 0; i < func->nr_args; i++)
		fc_value_add(&writer, hidden(values, arg[i], func->arg_size[i]));
	return fc_value_end(&writer, tsc);
}

size_t fc_kernel_values_result(const struct fc_kernel_values *values,
			       const struct fc_kernel_func *func, uint64_t tsc, uint64_t value,
			       uint64_t ret[FC_KERNEL_RESULT_WORDS])
{
	int64_t result = extended(value, func->result_size);
	bool has_failed = func->may_fail && result < 0 && result > -FC_ERRORS;
	struct fc_value_writer writer = fc_value_writer(ret, func->id, true);
	fc_value_add(&writer, hidden(values, (uint64_t)result, func->result_size));
	if (func->may_fail)
		fc_value_add_error(&writer, has_failed ? (uint32_t)-result : 0);
	return fc_value_end(&writer, tsc);
}
