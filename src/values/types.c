/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - adds types to a table, and finds them by name. */
#include "values/types.h"

#include <bpf/btf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "base/pairs.h"
#include "base/vec.h"
#include "values/sound.h"
#include "values/types_private.h"

enum { MAX_STEPS = 64, MAX_ALIGN = 1 << 16 };

/* What a name may be of; each has names of its own, as in C. */
enum namespace { SPACE_FUNC, SPACE_TYPEDEF, SPACE_TAG, NR_SPACES };

/* Kinds of what is made of others, beside those of BTF. */
enum { DERIVED_VECTOR = 0xff };

struct measure {
	uint64_t size;
	uint32_t align;
	uint32_t last_tag; /* number in struct fc_types.tags; 0: none */
	uint32_t words;	   /* of enum fc_tag */
};

struct tag {
	uint32_t text;	 /* string of btf */
	uint32_t before; /* the type's tag before it; 0: none */
};

struct fc_types {
	struct btf *btf;
	FC_VEC(struct measure) measures; /* by id */
	FC_VEC(struct tag) tags;	 /* by number less 1 */
	void *views;			 /* of all types, by id (type.c); NULL: not kept */
	/* By namespace and name (name_key()); the type's id by the key's number less 1. */
	struct fc_pairs names;
	FC_VEC(uint32_t) named;
	/* Of kind << 24 | type and number: what is made of others is made once. */
	struct fc_pairs derived;
	FC_VEC(uint32_t) derivatives;
};

/* libbpf says by a negative number that memory ran out; all else is asked for rightly. */
static uint32_t added(struct fc_types *types, int id, uint64_t size, uint32_t align)
{
	if (id < 0) {
		fc_alloc(SIZE_MAX); /* ends fctrace with its sentence */
		abort();
	}
	free(types->views);
	types->views = NULL;
	struct measure *measure = fc_vec_make(&types->measures, (size_t)id);
	measure->size = size;
	measure->align = align;
	return (uint32_t)id;
}

static uint64_t name_key(enum namespace space, const char *name, uint32_t salt)
{
	return fc_fnv(fc_fnv(fc_fnv_text(name), space), salt);
}

static bool is_named(const struct fc_types *types, uint32_t id, const char *name)
{
	const struct btf_type *type = btf__type_by_id(types->btf, id);
	const char *its = type ? btf__name_by_offset(types->btf, type->name_off) : NULL;
	return its && !strcmp(its, name);
}

/*
 * Its number; 0: there is none, and *ret_key is the key that it would have. libbpf is not asked,
 * since it copies a name behind all strings to look for it: those that callers hold may move.
 */
static uint32_t number_of(const struct fc_types *types, enum namespace space, const char *name,
			  uint64_t *ret_key)
{
	uint32_t number, salt = 0;
	do {
		*ret_key = name_key(space, name, salt++);
		number = fc_pairs_find(&types->names, *ret_key);
	} while (number && !is_named(types, types->named.at[number - 1], name));
	return number;
}

static void name_it(struct fc_types *types, enum namespace space, const char *name, uint32_t id)
{
	uint64_t key;
	if (!*name)
		return;
	uint32_t number = number_of(types, space, name, &key);
	if (!number) {
		number = fc_pairs_add(&types->names, key);
		fc_vec_push(&types->named, 0);
	}
	types->named.at[number - 1] = id;
}

static uint32_t find_named(const struct fc_types *types, enum namespace space, const char *name)
{
	uint64_t key;
	uint32_t number = number_of(types, space, name, &key);
	return number ? types->named.at[number - 1] : 0;
}

/* The place of its id: 0 if it is to be made. */
static uint32_t *derived(struct fc_types *types, uint32_t kind, uint32_t of, uint32_t nr)
{
	uint64_t pair = fc_pair(kind << 24 | of, nr);
	uint32_t number = fc_pairs_find(&types->derived, pair);
	if (!number) {
		number = fc_pairs_add(&types->derived, pair);
		fc_vec_push(&types->derivatives, 0);
	}
	return &types->derivatives.at[number - 1];
}

struct fc_types *fc_types_create(void)
{
	struct fc_types *types = fc_alloc(sizeof(*types));
	types->btf = btf__new_empty();
	if (!types->btf)
		fc_alloc(SIZE_MAX);
	btf__set_pointer_size(types->btf, FC_TYPES_POINTER);
	added(types, 0, 0, 0);
	return types;
}

void fc_types_destroy(struct fc_types *types)
{
	if (!types)
		return;
	btf__free(types->btf);
	free(types->views);
	fc_vec_free(&types->measures);
	fc_vec_free(&types->tags);
	fc_pairs_deinit(&types->names);
	fc_vec_free(&types->named);
	fc_pairs_deinit(&types->derived);
	fc_vec_free(&types->derivatives);
	free(types);
}

const char *fc_tag_word(unsigned i)
{
	static const char *const words[] = {
		"vector",    "complex", "decimal",	  "by_reference",
		"reference", "rvalue",	"octal",	  "flag_enum",
		"variants",  "split",	"unsure_result",  "read_result",
		"own_rules", "rust",	"member_pointer", "noreturn",
	};
	return i < sizeof(words) / sizeof(words[0]) ? words[i] : NULL;
}

/* 0: it is none of enum fc_tag. */
static uint32_t word_of(const char *text)
{
	for (unsigned i = 0; fc_tag_word(i); i++)
		if (!strcmp(text, fc_tag_word(i)))
			return 1u << i;
	return 0;
}

static void tag_it(struct fc_types *types, uint32_t id, uint32_t text)
{
	struct measure *measure = &types->measures.at[id];
	measure->words |= word_of(btf__str_by_offset(types->btf, text));
	fc_vec_push(&types->tags, (struct tag){ text, measure->last_tag });
	measure->last_tag = (uint32_t)types->tags.nr;
}

/* 0: it is no vector's size. */
static uint32_t vector_align(uint64_t size)
{
	return size <= MAX_ALIGN && !(size & (size - 1)) ? (uint32_t)size : 0;
}

/* What has tags finds them from now on. */
static void tag_loaded(struct fc_types *types, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(types->btf, id);

	if (btf_is_decl_tag(type))
		tag_it(types, type->type, type->name_off);
}

/* It is found by its name from now on. */
static void name_loaded(struct fc_types *types, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(types->btf, id);
	const char *name = btf__name_by_offset(types->btf, type->name_off);
	switch (btf_kind(type)) {
	case BTF_KIND_FUNC:
		name_it(types, SPACE_FUNC, name, id);
		break;
	case BTF_KIND_TYPEDEF:
		name_it(types, SPACE_TYPEDEF, name, id);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		name_it(types, SPACE_TAG, name, id);
		break;
	}
}

/* ---- sizes of what was loaded: no type is within itself, or in too many (values/sound.h) ---- */

/* is_measured: which have been; NULL: all. */
static struct measure measure_loaded(struct fc_types *types, bool *is_measured, uint32_t id);

/* One that does not fit its members' alignment is packed. */
static struct measure measure_struct(struct fc_types *types, bool *is_measured,
				     const struct btf_type *type)
{
	struct measure ret = { .size = type->size, .align = 1 };
	const struct btf_member *members = btf_members(type);
	bool is_packed = false;

	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		struct measure measure = measure_loaded(types, is_measured, members[i].type);
		if (!measure.align)
			continue;
		if (!btf_member_bitfield_size(type, i) &&
		    btf_member_bit_offset(type, i) % (measure.align * 8))
			is_packed = true;
		if (measure.align > ret.align)
			ret.align = measure.align;
	}
	if (is_packed || ret.size % ret.align)
		ret.align = 1;
	return ret;
}

/* A tag may tell more than the members do. */
static uint32_t told_align(const struct fc_types *types, uint32_t id)
{
	const char *text = fc_types_tagged(types, id, "aligned");
	unsigned long align = text ? strtoul(text + strcspn(text, "0123456789"), NULL, 10) : 0;
	return align <= MAX_ALIGN && !(align & (align - 1)) ? (uint32_t)align : 0;
}

static struct measure measure_by_kind(struct fc_types *types, bool *is_measured, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(types->btf, id);
	struct measure ret = { 0 };

	switch (btf_kind(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return (struct measure){ type->size, type->size == 12 ? 4 : type->size, 0 };
	case BTF_KIND_PTR:
		return (struct measure){ FC_TYPES_POINTER, FC_TYPES_POINTER, 0 };
	case BTF_KIND_CONST:
	case BTF_KIND_TYPEDEF:
		return measure_loaded(types, is_measured, type->type);
	case BTF_KIND_ARRAY:
		ret = measure_loaded(types, is_measured, btf_array(type)->type);
		ret.size *= btf_array(type)->nelems;
		if (fc_types_tags(types, id) & FC_TAG_VECTOR)
			ret.align = vector_align(ret.size);
		return ret;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return measure_struct(types, is_measured, type);
	default:
		return ret;
	}
}

static struct measure measure_loaded(struct fc_types *types, bool *is_measured, uint32_t id)
{
	if (!id || !is_measured || is_measured[id])
		return types->measures.at[id];
	struct measure ret = measure_by_kind(types, is_measured, id);
	uint32_t align = told_align(types, id);
	ret.align = align ? align : ret.align;
	is_measured[id] = true;
	added(types, (int)id, ret.size, ret.align);
	return ret;
}

static void measure_all(struct fc_types *types)
{
	uint32_t nr = btf__type_cnt(types->btf);
	bool *is_measured = fc_alloc(nr);

	for (uint32_t id = 1; id < nr; id++)
		measure_loaded(types, is_measured, id);
	free(is_measured);
}

int fc_types_load(const void *bytes, size_t size, struct fc_types **ret)
{
	int err = fc_types_check(bytes, size);
	if (err)
		return err;
	struct btf *btf = btf__new(bytes, (uint32_t)size);
	if (!btf)
		return fc_fail(EBADMSG, "libbpf does not read the table of types: %s",
			       strerror(errno));
	struct fc_types *types = fc_types_create();
	btf__free(types->btf);
	types->btf = btf;
	btf__set_pointer_size(btf, FC_TYPES_POINTER);
	btf__find_str(btf, ""); /* libbpf moves all of it before its first change: now */
	added(types, (int)btf__type_cnt(btf) - 1, 0, 0);
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++)
		tag_loaded(types, id);
	measure_all(types);
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++)
		name_loaded(types, id);
	*ret = types;
	return 0;
}

const void *fc_types_bytes(const struct fc_types *types, size_t *size)
{
	uint32_t nr = 0;
	const void *bytes = btf__raw_data(types->btf, &nr);
	*size = nr;
	return bytes;
}

const struct btf *fc_types_btf(const struct fc_types *types)
{
	return types->btf;
}

void fc_types_keep_views(struct fc_types *types, void *views)
{
	free(types->views);
	types->views = views;
}

const void *fc_types_views(const struct fc_types *types)
{
	return types->views;
}

/* ---- to add ---- */

uint32_t fc_types_number(struct fc_types *types, const char *name, uint32_t size,
			 enum fc_number_kind kind)
{
	static const int encoding[] = {
		[FC_NUMBER_SIGNED] = BTF_INT_SIGNED,
		[FC_NUMBER_CHAR] = BTF_INT_CHAR,
		[FC_NUMBER_BOOL] = BTF_INT_BOOL,
	};
	uint32_t at = (uint32_t)btf__add_str(types->btf, name);
	uint32_t *ret = derived(types, BTF_KIND_INT, size << 4 | kind, at);
	if (!*ret)
		*ret = added(types, btf__add_int(types->btf, name, size, encoding[kind]), size,
			     size);
	return *ret;
}

uint32_t fc_types_float(struct fc_types *types, const char *name, uint32_t size)
{
	uint32_t at = (uint32_t)btf__add_str(types->btf, name);
	uint32_t *ret = derived(types, BTF_KIND_FLOAT, size, at);
	if (!*ret)
		*ret = added(types, btf__add_float(types->btf, name, size), size, size);
	return *ret;
}

uint32_t fc_types_pointer(struct fc_types *types, uint32_t to)
{
	uint32_t *ret = derived(types, BTF_KIND_PTR, to, 0);
	if (!*ret)
		*ret = added(types, btf__add_ptr(types->btf, (int)to), FC_TYPES_POINTER,
			     FC_TYPES_POINTER);
	return *ret;
}

/* Not the pointer to the same that is none: that would become one by the tag. */
uint32_t fc_types_reference(struct fc_types *types, uint32_t to, bool is_rvalue)
{
	uint32_t *ret = derived(types, BTF_KIND_PTR, to, is_rvalue ? 2 : 1);
	if (!*ret) {
		uint32_t id = added(types, btf__add_ptr(types->btf, (int)to), FC_TYPES_POINTER,
				    FC_TYPES_POINTER);
		fc_types_tag(types, id, is_rvalue ? "rvalue" : "reference");
		*ret = id;
	}
	return *ret;
}

uint32_t fc_types_const(struct fc_types *types, uint32_t of)
{
	uint32_t *ret = derived(types, BTF_KIND_CONST, of, 0);
	if (!*ret)
		*ret = added(types, btf__add_const(types->btf, (int)of),
			     fc_types_size(types, of), fc_types_align(types, of));
	return *ret;
}

uint32_t fc_types_array(struct fc_types *types, uint32_t of, uint32_t nr)
{
	uint32_t index = fc_types_number(types, "unsigned long", 8, FC_NUMBER_UNSIGNED);
	uint32_t *ret = derived(types, BTF_KIND_ARRAY, of, nr);
	if (!*ret)
		*ret = added(types, btf__add_array(types->btf, (int)index, (int)of, nr),
			     fc_types_size(types, of) * nr, fc_types_align(types, of));
	return *ret;
}

uint32_t fc_types_vector(struct fc_types *types, uint32_t of, uint32_t nr)
{
	uint32_t index = fc_types_number(types, "unsigned long", 8, FC_NUMBER_UNSIGNED);
	uint32_t *ret = derived(types, DERIVED_VECTOR, of, nr);
	if (!*ret) {
		uint64_t size = fc_types_size(types, of) * nr;
		uint32_t id = added(types, btf__add_array(types->btf, (int)index, (int)of, nr),
				    size, vector_align(size));
		fc_types_tag(types, id, "vector");
		*ret = id;
	}
	return *ret;
}

uint32_t fc_types_typedef(struct fc_types *types, const char *name, uint32_t of)
{
	uint32_t id = added(types, btf__add_typedef(types->btf, name, (int)of),
			    fc_types_size(types, of), fc_types_align(types, of));
	name_it(types, SPACE_TYPEDEF, name, id);
	return id;
}

uint32_t fc_types_forward(struct fc_types *types, const char *name, bool is_union)
{
	uint32_t at = (uint32_t)btf__add_str(types->btf, name);
	uint32_t *ret = derived(types, BTF_KIND_FWD, is_union, at);
	if (!*ret)
		*ret = added(types,
			     btf__add_fwd(types->btf, name,
					  is_union ? BTF_FWD_UNION : BTF_FWD_STRUCT),
			     0, 0);
	return *ret;
}

/* BTF has no place for it. */
static void tell_align(struct fc_types *types, uint32_t id, uint32_t align)
{
	char tag[32];
	snprintf(tag, sizeof(tag), "aligned(%u)", align);
	fc_types_tag(types, id, tag);
}

uint32_t fc_types_struct(struct fc_types *types, const char *name, bool is_union, uint32_t size,
			 uint32_t align, const struct fc_member *members, size_t nr)
{
	const char *its = *name ? name : NULL;
	int id = is_union ? btf__add_union(types->btf, its, size)
			  : btf__add_struct(types->btf, its, size);
	for (size_t i = 0; i < nr; i++)
		btf__add_field(types->btf, *members[i].name ? members[i].name : NULL,
			       (int)members[i].type, (uint32_t)members[i].bit, members[i].bits);
	added(types, id, size, align);
	name_it(types, SPACE_TAG, name, (uint32_t)id);
	const struct btf_type *type = btf__type_by_id(types->btf, (uint32_t)id);
	if (align && align != measure_struct(types, NULL, type).align)
		tell_align(types, (uint32_t)id, align);
	return (uint32_t)id;
}

static bool is_narrow(const struct fc_enumerator *values, size_t nr, bool is_signed)
{
	for (size_t i = 0; i < nr; i++)
		if (is_signed ? values[i].value != (int32_t)values[i].value
			      : (uint64_t)values[i].value > UINT32_MAX)
			return false;
	return true;
}

uint32_t fc_types_enum(struct fc_types *types, const char *name, uint32_t size, bool is_signed,
		       const struct fc_enumerator *values, size_t nr)
{
	const char *its = *name ? name : NULL;
	bool is_wide = !is_narrow(values, nr, is_signed);
	int id = is_wide ? btf__add_enum64(types->btf, its, size, is_signed)
			 : btf__add_enum(types->btf, its, size);
	for (size_t i = 0; i < nr; i++) {
		if (is_wide)
			btf__add_enum64_value(types->btf, values[i].name,
					      (uint64_t)values[i].value);
		else
			btf__add_enum_value(types->btf, values[i].name, values[i].value);
	}
	added(types, id, size, size);
	name_it(types, SPACE_TAG, name, (uint32_t)id);
	return (uint32_t)id;
}

uint32_t fc_types_proto(struct fc_types *types, uint32_t result, const struct fc_param *params,
			size_t nr, bool is_variadic)
{
	int id = btf__add_func_proto(types->btf, (int)result);
	for (size_t i = 0; i < nr; i++)
		btf__add_func_param(types->btf, *params[i].name ? params[i].name : NULL,
				    (int)params[i].type);
	if (is_variadic) /* as the kernel has it: the last one has neither name nor type */
		btf__add_func_param(types->btf, NULL, 0);
	return added(types, id, 0, 0);
}

uint32_t fc_types_func(struct fc_types *types, const char *name, uint32_t proto)
{
	int id = btf__add_func(types->btf, name, BTF_FUNC_EXTERN, (int)proto);
	added(types, id, 0, 0);
	name_it(types, SPACE_FUNC, name, (uint32_t)id);
	return (uint32_t)id;
}

void fc_types_tag(struct fc_types *types, uint32_t id, const char *tag)
{
	added(types, btf__add_decl_tag(types->btf, tag, (int)id, -1), 0, 0);
	tag_it(types, id, (uint32_t)btf__add_str(types->btf, tag));
	uint32_t align = told_align(types, id);
	if (align)
		types->measures.at[id].align = align;
}

/* ---- to find ---- */

uint32_t fc_types_find_func(const struct fc_types *types, const char *name)
{
	return find_named(types, SPACE_FUNC, name);
}

bool fc_types_is_func(const struct fc_types *types, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(types->btf, id);
	return type && btf_is_func(type);
}

uint32_t fc_types_find_typedef(const struct fc_types *types, const char *name)
{
	return find_named(types, SPACE_TYPEDEF, name);
}

uint32_t fc_types_find_tag(const struct fc_types *types, const char *name)
{
	return find_named(types, SPACE_TAG, name);
}

uint32_t fc_types_resolve(const struct fc_types *types, uint32_t id)
{
	for (int steps = 0; steps < MAX_STEPS; steps++) {
		const struct btf_type *type = btf__type_by_id(types->btf, id);
		if (!type)
			return 0;
		if (btf_is_fwd(type)) {
			uint32_t known =
				find_named(types, SPACE_TAG,
					   btf__name_by_offset(types->btf, type->name_off));
			return known ? known : id;
		}
		if (!btf_is_mod(type) && !btf_is_typedef(type))
			return id;
		id = type->type;
	}
	return 0;
}

bool fc_types_is_signed(const struct fc_types *types, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(types->btf, fc_types_resolve(types, id));
	if (type && btf_is_any_enum(type))
		return btf_kflag(type);
	return type && btf_is_int(type) &&
	       btf_int_encoding(type) & (BTF_INT_SIGNED | BTF_INT_CHAR);
}

bool fc_types_is_char(const struct fc_types *types, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(types->btf, fc_types_resolve(types, id));
	return type && btf_is_int(type) && type->size == 1 &&
	       (btf_int_encoding(type) & BTF_INT_CHAR ||
		!strcmp(btf__name_by_offset(types->btf, type->name_off), "char"));
}

bool fc_types_is_reference(const struct fc_types *types, uint32_t pointer)
{
	uint32_t id = fc_types_resolve(types, pointer);
	return fc_types_tags(types, id) & (FC_TAG_REFERENCE | FC_TAG_RVALUE);
}

bool fc_types_is_float(const struct fc_types *types, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(types->btf, fc_types_resolve(types, id));
	return type && btf_is_float(type);
}

bool fc_types_item(const struct fc_types *types, uint32_t id, uint32_t *item)
{
	const struct btf_type *type = btf__type_by_id(types->btf, fc_types_resolve(types, id));
	if (!type || !btf_is_array(type))
		return false;
	*item = btf_array(type)->type;
	return true;
}

static struct measure measure(const struct fc_types *types, uint32_t id)
{
	uint32_t what = fc_types_resolve(types, id);
	struct measure ret = { 0 };
	/* What a typedef was made of may have become known since. */
	if (id < types->measures.nr)
		ret = types->measures.at[id];
	if (!ret.size && what < types->measures.nr)
		ret = types->measures.at[what];
	return ret;
}

uint64_t fc_types_size(const struct fc_types *types, uint32_t id)
{
	return measure(types, id).size;
}

uint32_t fc_types_align(const struct fc_types *types, uint32_t id)
{
	return measure(types, id).align;
}

uint32_t fc_types_tags(const struct fc_types *types, uint32_t id)
{
	return id < types->measures.nr ? types->measures.at[id].words : 0;
}

const char *fc_types_tag_at(const struct fc_types *types, uint32_t id, size_t i)
{
	uint32_t number = id < types->measures.nr ? types->measures.at[id].last_tag : 0;
	while (number && i--)
		number = types->tags.at[number - 1].before;
	return number ? btf__str_by_offset(types->btf, types->tags.at[number - 1].text) : NULL;
}

const char *fc_types_tagged(const struct fc_types *types, uint32_t id, const char *tag)
{
	size_t len = strlen(tag), i = 0;
	const char *text;
	while ((text = fc_types_tag_at(types, id, i++)))
		if (!strncmp(text, tag, len) && (!text[len] || text[len] == '('))
			break;
	return text;
}
