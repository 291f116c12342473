/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_results.c - results of kernel functions as values of calls, with the error that they are. */
#include "capture/kernel/kernel_results.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "trace/record.h"
#include "values/failure.h"
#include "values/formats.h"

#define MOST_RESULTS 1000 /* each takes the kernel some ms to probe */

enum { WORD = 8 };

struct named {
	const char *name;
	uint32_t func; /* its type */
};

struct fc_kernel_results {
	struct btf *kernel;
	FC_VEC(struct named) named; /* its functions, by name */
	void *formats;
};

/* ---- the kernel's types ---- */

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static int load(struct fc_kernel_results *results)
{
	results->kernel = btf__parse_raw("/sys/kernel/btf/vmlinux");
	if (!results->kernel)
		return fc_fail(ENOENT, "this kernel has no type information "
				       "(CONFIG_DEBUG_INFO_BTF)");
	for (uint32_t id = 1; id < btf__type_cnt(results->kernel); id++) {
		const struct btf_type *type = btf__type_by_id(results->kernel, id);
		if (btf_is_func(type))
			fc_vec_push(&results->named,
				    (struct named){ btf__name_by_offset(results->kernel,
									type->name_off),
						    id });
	}
	if (results->named.nr)
		qsort(results->named.at, results->named.nr, sizeof(struct named),
		      compare_named);
	return 0;
}

static const struct btf_type *type_at(const struct fc_kernel_results *results, uint32_t id)
{
	return btf__type_by_id(results->kernel, id);
}

/* The type of what the function of that name returns; 0: it is void, or not known for sure. */
static uint32_t result_of(const struct fc_kernel_results *results, const char *name)
{
	const struct named *named = results->named.at;
	size_t nr = results->named.nr;
	size_t at = fc_bisect(named, nr, one, strcmp(one->name, name) < 0);
	if (at == nr || strcmp(named[at].name, name) != 0 ||
	    (at + 1 < nr && !strcmp(named[at + 1].name, name)))
		return 0;
	return type_at(results, type_at(results, named[at].func)->type)->type;
}

/* Behind typedefs and qualifiers. */
static const struct btf_type *resolved(const struct fc_kernel_results *results, uint32_t id)
{
	const struct btf_type *type = type_at(results, id);
	while (type && (btf_is_mod(type) || btf_is_typedef(type) || btf_is_type_tag(type)))
		type = type_at(results, type->type);
	return type;
}

/* Bytes of what is returned in one register; 0: it is something else. */
static uint8_t size_of(const struct fc_kernel_results *results, uint32_t id)
{
	const struct btf_type *type = id ? resolved(results, id) : NULL;
	if (!type)
		return 0;
	if (btf_is_ptr(type))
		return WORD;
	bool is_number = btf_is_int(type) || btf_is_any_enum(type);
	return is_number && type->size <= WORD ? (uint8_t)type->size : 0;
}

/* May it be the number of an error? */
static bool may_fail(const struct fc_kernel_results *results, uint32_t id)
{
	const struct btf_type *type = resolved(results, id);
	return btf_is_ptr(type) ||
	       (btf_is_int(type) && (btf_int_encoding(type) & BTF_INT_SIGNED));
}

/* ---- the same in a table of a trace ---- */

static uint32_t copy_number(const struct fc_kernel_results *results, struct fc_types *types,
			    const struct btf_type *type)
{
	uint8_t encoding = btf_int_encoding(type);
	enum fc_number_kind kind = encoding & BTF_INT_BOOL     ? FC_NUMBER_BOOL
				   : encoding & BTF_INT_SIGNED ? FC_NUMBER_SIGNED
							       : FC_NUMBER_UNSIGNED;
	return fc_types_number(types, btf__name_by_offset(results->kernel, type->name_off),
			       type->size, kind);
}

static uint32_t copy_enum(const struct fc_kernel_results *results, struct fc_types *types,
			  const struct btf_type *type)
{
	FC_VEC(struct fc_enumerator) values = { 0 };
	for (uint32_t i = 0; btf_is_enum(type) && i < btf_vlen(type); i++) {
		const struct btf_enum *one = &btf_enum(type)[i];
		fc_vec_push(&values,
			    (struct fc_enumerator){
				    btf__name_by_offset(results->kernel, one->name_off),
				    one->val });
	}
	uint32_t ret =
		fc_types_enum(types, btf__name_by_offset(results->kernel, type->name_off),
			      type->size, btf_kflag(type), values.at, values.nr);
	fc_vec_free(&values);
	return ret;
}

/* What a pointer leads to is not read: its name is enough. */
static uint32_t copy_pointer(const struct fc_kernel_results *results, struct fc_types *types,
			     const struct btf_type *type)
{
	const struct btf_type *to = type->type ? resolved(results, type->type) : NULL;
	const char *name = to ? btf__name_by_offset(results->kernel, to->name_off) : "";
	bool is_named = to && *name && (btf_is_composite(to) || btf_is_fwd(to));
	return fc_types_pointer(types,
				is_named ? fc_types_forward(types, name, btf_is_union(to)) : 0);
}

static uint32_t copy(const struct fc_kernel_results *results, struct fc_types *types,
		     uint32_t id)
{
	const struct btf_type *type = type_at(results, id);
	if (btf_is_typedef(type))
		return fc_types_typedef(types,
					btf__name_by_offset(results->kernel, type->name_off),
					copy(results, types, type->type));
	if (btf_is_mod(type) || btf_is_type_tag(type))
		return copy(results, types, type->type);
	if (btf_is_ptr(type))
		return copy_pointer(results, types, type);
	return btf_is_int(type) ? copy_number(results, types, type)
				: copy_enum(results, types, type);
}

/* ---- which functions ---- */

static int by_name(const void *a, const void *b)
{
	const struct fc_kernel_func *const *x = a, *const *y = b;
	return strcmp((*x)->name, (*y)->name);
}

/* Of several functions with one name nobody says which is which: these have no result. */
static void drop_ambiguous(struct fc_kernel_func *all, size_t nr)
{
	fc_auto_free struct fc_kernel_func **sorted = fc_alloc(nr * sizeof(*sorted) + 1);
	for (size_t i = 0; i < nr; i++)
		sorted[i] = &all[i];
	qsort(sorted, nr, sizeof(*sorted), by_name);
	for (size_t i = 1; i < nr; i++)
		if (!strcmp(sorted[i]->name, sorted[i - 1]->name))
			sorted[i]->result_size = sorted[i - 1]->result_size = 0;
}

static size_t find(struct fc_kernel_results *results, struct fc_kernel_funcs *funcs,
		   char *const *globs)
{
	size_t nr, nr_found = 0;
	struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (all[i].is_out || strcmp(all[i].module, FC_KERNEL_MODULE) != 0 ||
		    !fc_kernel_func_matches(&all[i], globs))
			continue;
		uint32_t type = result_of(results, all[i].name);
		all[i].result_size = size_of(results, type);
		all[i].may_fail = all[i].result_size && may_fail(results, type);
	}
	drop_ambiguous(all, nr);
	for (size_t i = 0; i < nr; i++)
		nr_found += all[i].result_size != 0;
	return nr_found;
}

int fc_kernel_results_create(struct fc_kernel_funcs *funcs, char *const *globs,
			     struct fc_kernel_results **ret)
{
	struct fc_kernel_results *results = fc_alloc(sizeof(*results));
	int err = load(results);
	size_t nr = err ? 0 : find(results, funcs, globs);
	if (!err && !nr)
		err = fc_fail(ENOENT, "none of the functions is known to return anything");
	if (!err && nr > MOST_RESULTS)
		err = fc_fail(
			E2BIG,
			"%zu of the functions return something, and %d are the most; name "
			"fewer by --kfilter or --kret",
			nr, MOST_RESULTS);
	if (err)
		fc_kernel_results_destroy(results);
	else
		*ret = results;
	return err;
}

void fc_kernel_results_destroy(struct fc_kernel_results *results)
{
	if (!results)
		return;
	btf__free(results->kernel);
	fc_vec_free(&results->named);
	free(results->formats);
	free(results);
}

static void add_format(struct fc_formats *formats, const struct fc_kernel_func *func,
		       uint32_t type)
{
	struct fc_format_part parts[] = {
		{ .fetch = { .how = FCA_FETCH_VALUE, .size = func->result_size },
		  .param = FC_PARAM_RESULT },
		{ .fetch = { .how = FCA_FETCH_ERROR, .size = sizeof(int) },
		  .param = FC_PARAM_RESULT,
		  .level = FC_LEVEL_ERRNO },
	};
	fc_formats_add(formats, fca_format(func->id, true), type, parts,
		       func->may_fail ? 2 : 1);
}

const void *fc_kernel_results_formats(struct fc_kernel_results *results,
				      struct fc_kernel_funcs *funcs, size_t *size)
{
	struct fc_types *types = fc_types_create();
	struct fc_formats *formats = fc_formats_create(types);
	size_t nr;
	const struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!all[i].result_size)
			continue;
		uint32_t result = copy(results, types, result_of(results, all[i].name));
		uint32_t func = fc_types_func(types, all[i].name,
					      fc_types_proto(types, result, NULL, 0, false));
		fc_types_tag(types, func, all[i].may_fail ? "fails(error)" : "fails(never)");
		add_format(formats, &all[i], func);
	}
	results->formats = fc_formats_bytes(formats, size);
	fc_formats_destroy(formats);
	return results->formats;
}

/* The register's upper bytes mean nothing. */
static int64_t extended(uint64_t value, unsigned size)
{
	unsigned unused = (WORD - size) * 8;
	return (int64_t)(value << unused) >> unused;
}

size_t fc_kernel_results_words(const struct fc_kernel_func *func, uint64_t tsc, uint64_t value,
			       uint64_t ret[FC_KERNEL_RESULT_WORDS])
{
	int64_t result = extended(value, func->result_size);
	bool has_failed = func->may_fail && result < 0 && result > -FC_ERRORS;
	size_t nr = 1;
	ret[nr++] = fca_format(func->id, true);
	ret[nr++] = (uint64_t)result;
	if (func->may_fail) {
		ret[nr++] = has_failed ? sizeof(int) : FCA_GOT_NONE;
		if (has_failed)
			ret[nr++] = (uint64_t)-result;
	}
	ret[0] = fc_record(tsc, fc_mark_func(FC_MARK_VALUES, (uint32_t)nr - 1), FC_MARK);
	return nr;
}
