/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_types.c - prototypes found in the kernel's BTF by libbpf, and copied to a trace's types. */
#include "capture/kernel/kernel_types.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/kernel/kernel_funcs.h"
#include "values/parameter.h"

#define FOLDER "/sys/kernel/btf"

enum { WORD = 8 };

struct named {
	const char *name;
	uint32_t func; /* its type */
};

/* The types of the kernel, or of one of its modules. */
struct source {
	char *module;
	struct btf *btf;	    /* NULL: there is none */
	FC_VEC(struct named) named; /* its functions, by name */
};

struct fc_kernel_types {
	FC_VEC(struct source *) sources; /* the first one is the kernel's */
};

/* ---- whose ---- */

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static const char *name_at(const struct btf *btf, uint32_t off)
{
	const char *name = btf__name_by_offset(btf, off);
	return name ? name : "";
}

/* From the first type that is its own. */
static void name_funcs(struct source *source, uint32_t first)
{
	for (uint32_t id = first; id < btf__type_cnt(source->btf); id++) {
		const struct btf_type *type = btf__type_by_id(source->btf, id);
		if (btf_is_func(type))
			fc_vec_push(&source->named,
				    (struct named){ name_at(source->btf, type->name_off), id });
	}
	if (source->named.nr)
		qsort(source->named.at, source->named.nr, sizeof(struct named), compare_named);
}

static struct source *add_source(struct fc_kernel_types *types, const char *module,
				 struct btf *btf, uint32_t first)
{
	struct source *source = fc_alloc(sizeof(*source));
	source->module = fc_strdup(module);
	source->btf = btf;
	if (btf)
		name_funcs(source, first);
	fc_vec_push(&types->sources, source);
	return source;
}

int fc_kernel_types_open(struct fc_kernel_types **ret)
{
	struct btf *btf = btf__parse_raw(FOLDER "/vmlinux");
	if (!btf)
		return fc_fail(ENOENT, "this kernel has no type information "
				       "(CONFIG_DEBUG_INFO_BTF)");
	*ret = fc_alloc(sizeof(**ret));
	add_source(*ret, FC_KERNEL_MODULE, btf, 1);
	return 0;
}

void fc_kernel_types_close(struct fc_kernel_types *types)
{
	if (!types)
		return;
	/* A module's are based on the kernel's: those go last. */
	for (size_t i = types->sources.nr; i--;) {
		struct source *source = types->sources.at[i];
		btf__free(source->btf);
		fc_vec_free(&source->named);
		free(source->module);
		free(source);
	}
	fc_vec_free(&types->sources);
	free(types);
}

/* "[ext4]" is the file ext4. */
static struct source *load_module(struct fc_kernel_types *types, const char *module)
{
	struct btf *kernel = types->sources.at[0]->btf;
	size_t length = strlen(module);
	if (length < 2 || module[0] != '[')
		return add_source(types, module, NULL, 0);
	fc_auto_free char *path = fc_asprintf(FOLDER "/%.*s", (int)(length - 2), module + 1);
	return add_source(types, module, btf__parse_raw_split(path, kernel),
			  btf__type_cnt(kernel));
}

static const struct source *source_of(struct fc_kernel_types *types, const char *module)
{
	if (!strcmp(module, FC_INTERRUPT_MODULE))
		module = FC_KERNEL_MODULE;
	for (size_t i = 0; i < types->sources.nr; i++)
		if (!strcmp(types->sources.at[i]->module, module))
			return types->sources.at[i];
	return load_module(types, module);
}

/* ---- prototypes ---- */

struct fc_kernel_proto fc_kernel_types_find(struct fc_kernel_types *types, const char *module,
					    const char *name)
{
	const struct source *source = source_of(types, module);
	const struct named *named = source->named.at;
	size_t nr = source->named.nr;
	size_t at = fc_bisect(named, nr, one, strcmp(one->name, name) < 0);
	if (at == nr || strcmp(named[at].name, name) != 0 ||
	    (at + 1 < nr && !strcmp(named[at + 1].name, name)))
		return (struct fc_kernel_proto){ 0 };
	return (struct fc_kernel_proto){ source->btf,
					 btf__type_by_id(source->btf, named[at].func)->type };
}

static const struct btf_type *type_of(const struct fc_kernel_proto *proto)
{
	return proto->btf ? btf__type_by_id(proto->btf, proto->id) : NULL;
}

uint32_t fc_kernel_proto_nr(const struct fc_kernel_proto *proto)
{
	const struct btf_type *type = type_of(proto);
	uint32_t nr = type ? btf_vlen(type) : 0;
	return nr && !btf_params(type)[nr - 1].type ? nr - 1 : nr;
}

/* The id of a parameter's type, or of the result's; 0: void, or none. */
static uint32_t id_of(const struct fc_kernel_proto *proto, uint32_t i)
{
	const struct btf_type *type = type_of(proto);
	if (!type || (i != FC_PARAM_RESULT && i >= btf_vlen(type)))
		return 0;
	return i == FC_PARAM_RESULT ? type->type : btf_params(type)[i].type;
}

/* Behind typedefs and qualifiers. */
static const struct btf_type *resolved(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	while (type && (btf_is_mod(type) || btf_is_typedef(type) || btf_is_type_tag(type)))
		type = btf__type_by_id(btf, type->type);
	return type;
}

uint8_t fc_kernel_proto_size(const struct fc_kernel_proto *proto, uint32_t i)
{
	uint32_t id = id_of(proto, i);
	const struct btf_type *type = id ? resolved(proto->btf, id) : NULL;
	if (!type)
		return 0;
	if (btf_is_ptr(type))
		return WORD;
	bool is_number = btf_is_int(type) || btf_is_any_enum(type);
	return is_number && type->size <= WORD ? (uint8_t)type->size : 0;
}

bool fc_kernel_proto_may_fail(const struct fc_kernel_proto *proto)
{
	uint32_t id = id_of(proto, FC_PARAM_RESULT);
	const struct btf_type *type = id ? resolved(proto->btf, id) : NULL;
	return type && (btf_is_ptr(type) ||
			(btf_is_int(type) && (btf_int_encoding(type) & BTF_INT_SIGNED)));
}

/* ---- the same in a table of a trace ---- */

static uint32_t copy_number(const struct btf *btf, struct fc_types *into,
			    const struct btf_type *type)
{
	uint8_t encoding = btf_int_encoding(type);
	enum fc_number_kind kind = encoding & BTF_INT_BOOL     ? FC_NUMBER_BOOL
				   : encoding & BTF_INT_SIGNED ? FC_NUMBER_SIGNED
							       : FC_NUMBER_UNSIGNED;
	return fc_types_number(into, name_at(btf, type->name_off), type->size, kind);
}

static uint32_t copy_enum(const struct btf *btf, struct fc_types *into,
			  const struct btf_type *type)
{
	FC_VEC(struct fc_enumerator) values = { 0 };
	for (uint32_t i = 0; btf_is_enum(type) && i < btf_vlen(type); i++) {
		const struct btf_enum *one = &btf_enum(type)[i];
		fc_vec_push(&values,
			    (struct fc_enumerator){ name_at(btf, one->name_off), one->val });
	}
	uint32_t ret = fc_types_enum(into, name_at(btf, type->name_off), type->size,
				     btf_kflag(type), values.at, values.nr);
	fc_vec_free(&values);
	return ret;
}

/* What a pointer leads to is not read: its name is enough. */
static uint32_t copy_pointer(const struct btf *btf, struct fc_types *into,
			     const struct btf_type *type)
{
	const struct btf_type *to = type->type ? resolved(btf, type->type) : NULL;
	const char *name = to ? name_at(btf, to->name_off) : "";
	bool is_named = to && *name && (btf_is_composite(to) || btf_is_fwd(to));
	return fc_types_pointer(into,
				is_named ? fc_types_forward(into, name, btf_is_union(to)) : 0);
}

static uint32_t copy(const struct btf *btf, struct fc_types *into, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	if (btf_is_typedef(type))
		return fc_types_typedef(into, name_at(btf, type->name_off),
					copy(btf, into, type->type));
	if (btf_is_mod(type) || btf_is_type_tag(type))
		return copy(btf, into, type->type);
	if (btf_is_ptr(type))
		return copy_pointer(btf, into, type);
	return btf_is_int(type) ? copy_number(btf, into, type) : copy_enum(btf, into, type);
}

uint32_t fc_kernel_proto_copy(const struct fc_kernel_proto *proto, const char *name,
			      uint32_t nr_params, bool with_result, struct fc_types *into)
{
	FC_VEC(struct fc_param) params = { 0 };
	for (uint32_t i = 0; i < nr_params; i++) {
		const struct btf_param *param = &btf_params(type_of(proto))[i];
		fc_vec_push(&params, (struct fc_param){ name_at(proto->btf, param->name_off),
							copy(proto->btf, into, param->type) });
	}
	uint32_t result =
		with_result ? copy(proto->btf, into, id_of(proto, FC_PARAM_RESULT)) : 0;
	uint32_t func = fc_types_func(
		into, name, fc_types_proto(into, result, params.at, params.nr, false));
	fc_vec_free(&params);
	return func;
}
