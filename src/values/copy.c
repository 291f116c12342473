/* SPDX-License-Identifier: Apache-2.0 */
#include "values/copy.h"

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "values/sequence.h"

enum { DEPTHS = 8 };

/* What pointers lead to is taken so far; that of strings and lists counts by itself. */
struct reach {
	unsigned depth, sequences;
};

static uint32_t take_id(struct fc_type_copy *copy, uint32_t id, struct reach reach);

void fc_type_copy_init(struct fc_type_copy *copy, const struct fc_types *from,
		       struct fc_types *to)
{
	*copy = (struct fc_type_copy){ .from = from, .to = to };
}

void fc_type_copy_deinit(struct fc_type_copy *copy)
{
	fc_vec_free(&copy->ids);
}

/* Until a type is looked for by its name: libbpf moves its strings then. */
static const char *string_of(const struct fc_type_copy *copy, uint32_t at)
{
	const char *string = btf__str_by_offset(fc_types_btf(copy->from), at);
	return string ? string : "";
}

static uint32_t take_number(const struct fc_type_copy *copy, const struct btf_type *type)
{
	uint8_t encoding = btf_int_encoding(type);
	enum fc_number_kind kind = encoding & BTF_INT_BOOL     ? FC_NUMBER_BOOL
				   : encoding & BTF_INT_CHAR   ? FC_NUMBER_CHAR
				   : encoding & BTF_INT_SIGNED ? FC_NUMBER_SIGNED
							       : FC_NUMBER_UNSIGNED;
	return fc_types_number(copy->to, string_of(copy, type->name_off), type->size, kind);
}

static uint32_t take_enum(const struct fc_type_copy *copy, const struct btf_type *type)
{
	size_t nr = btf_vlen(type);
	bool is_signed = btf_kflag(type);
	fc_auto_free struct fc_enumerator *values = fc_alloc((nr + 1) * sizeof(*values));
	for (size_t i = 0; i < nr; i++) {
		const struct btf_enum *narrow = btf_enum(type) + i;
		const struct btf_enum64 *wide = (const struct btf_enum64 *)btf_enum(type) + i;
		values[i] = btf_is_enum64(type)
				    ? (struct fc_enumerator){ string_of(copy, wide->name_off),
							      (int64_t)btf_enum64_value(wide) }
				    : (struct fc_enumerator){
					      string_of(copy, narrow->name_off),
					      is_signed ? narrow->val
							: (int64_t)(uint32_t)narrow->val
				      };
	}
	return fc_types_enum(copy->to, string_of(copy, type->name_off), type->size, is_signed,
			     values, nr);
}

/* Pointers to it that its members have were taken as forwards: they find it by its name. */
static uint32_t take_struct(struct fc_type_copy *copy, uint32_t id, const struct btf_type *type,
			    struct reach reach)
{
	size_t nr = btf_vlen(type);
	struct fc_sequence sequence;
	if (reach.sequences && fc_sequence_find(copy->from, id, &sequence))
		reach = (struct reach){ reach.depth + (reach.depth < DEPTHS - 1),
					reach.sequences - 1 };
	fc_auto_free struct fc_member *members = fc_alloc((nr + 1) * sizeof(*members));
	for (size_t i = 0; i < nr; i++)
		members[i] = (struct fc_member){
			.type = take_id(copy, btf_members(type)[i].type, reach),
			.bit = btf_member_bit_offset(type, (uint32_t)i),
			.bits = btf_member_bitfield_size(type, (uint32_t)i),
		};
	for (size_t i = 0; i < nr; i++)
		members[i].name = string_of(copy, btf_members(type)[i].name_off);
	return fc_types_struct(copy->to, string_of(copy, type->name_off), btf_is_union(type),
			       type->size, fc_types_align(copy->from, id), members, nr);
}

static uint32_t take_proto(struct fc_type_copy *copy, const struct btf_type *type,
			   struct reach reach)
{
	size_t nr = btf_vlen(type);
	const struct btf_param *from = btf_params(type);
	bool is_variadic = nr && !from[nr - 1].type;
	nr -= is_variadic;
	fc_auto_free struct fc_param *params = fc_alloc((nr + 1) * sizeof(*params));
	uint32_t result = take_id(copy, type->type, reach);
	for (size_t i = 0; i < nr; i++)
		params[i].type = take_id(copy, from[i].type, reach);
	for (size_t i = 0; i < nr; i++)
		params[i].name = string_of(copy, from[i].name_off);
	return fc_types_proto(copy->to, result, params, nr, is_variadic);
}

/* What is pointed to from too far away. */
static uint32_t take_far(const struct fc_type_copy *copy, uint32_t id)
{
	const struct btf_type *type =
		btf__type_by_id(fc_types_btf(copy->from), fc_types_resolve(copy->from, id));
	if (type && btf_is_func_proto(type)) /* a function, of whatever type */
		return fc_types_proto(copy->to, 0, NULL, 0, false);
	if (!type || !btf_is_composite(type) || !type->name_off)
		return 0;
	return fc_types_forward(copy->to, string_of(copy, type->name_off), btf_is_union(type));
}

static uint32_t take_pointer(struct fc_type_copy *copy, uint32_t from, uint32_t to,
			     struct reach reach)
{
	uint32_t what = fc_types_resolve(copy->from, to);
	const struct btf_type *type = btf__type_by_id(fc_types_btf(copy->from), what);
	bool is_plain = type && !btf_is_composite(type) && !btf_is_func_proto(type);
	struct reach nearer = { reach.depth ? reach.depth - 1 : 0, reach.sequences };
	uint32_t id = reach.depth || is_plain ? take_id(copy, to, nearer) : take_far(copy, to);
	if (fc_types_is_reference(copy->from, from))
		return fc_types_reference(copy->to, id,
					  fc_types_tagged(copy->from, from, "rvalue"));
	return fc_types_pointer(copy->to, id);
}

static bool has_tag(const struct fc_types *types, uint32_t id, const char *text)
{
	const char *tag;
	for (size_t i = 0; (tag = fc_types_tag_at(types, id, i)); i++)
		if (!strcmp(tag, text))
			return true;
	return false;
}

static void take_tags(const struct fc_type_copy *copy, uint32_t id, uint32_t ret)
{
	size_t i = 0;
	for (const char *tag; (tag = fc_types_tag_at(copy->from, id, i)); i++)
		if (!has_tag(copy->to, ret, tag))
			fc_types_tag(copy->to, ret, tag);
}

static uint32_t take_array(struct fc_type_copy *copy, uint32_t id,
			   const struct btf_array *array, struct reach reach)
{
	uint32_t of = take_id(copy, array->type, reach);
	return fc_types_tagged(copy->from, id, "vector")
		       ? fc_types_vector(copy->to, of, array->nelems)
		       : fc_types_array(copy->to, of, array->nelems);
}

static uint32_t take(struct fc_type_copy *copy, uint32_t id, struct reach reach)
{
	const struct btf_type *type = btf__type_by_id(fc_types_btf(copy->from), id);
	uint32_t of;
	switch (type ? btf_kind(type) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
		return take_number(copy, type);
	case BTF_KIND_FLOAT:
		return fc_types_float(copy->to, string_of(copy, type->name_off), type->size);
	case BTF_KIND_PTR:
		return take_pointer(copy, id, type->type, reach);
	case BTF_KIND_CONST:
		return fc_types_const(copy->to, take_id(copy, type->type, reach));
	case BTF_KIND_TYPEDEF:
		of = take_id(copy, type->type, reach);
		return fc_types_typedef(copy->to, string_of(copy, type->name_off), of);
	case BTF_KIND_ARRAY:
		return take_array(copy, id, btf_array(type), reach);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return take_enum(copy, type);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return take_struct(copy, id, type, reach);
	case BTF_KIND_FWD:
		if (fc_types_resolve(copy->from, id) != id) /* it is known by now */
			return take_id(copy, fc_types_resolve(copy->from, id), reach);
		return fc_types_forward(copy->to, string_of(copy, type->name_off),
					btf_kflag(type));
	case BTF_KIND_FUNC_PROTO:
		return take_proto(copy, type, reach);
	case BTF_KIND_FUNC:
		of = take_id(copy, type->type, reach);
		return fc_types_func(copy->to, string_of(copy, type->name_off), of);
	default:
		return 0;
	}
}

/* By id, and by how far it was taken: a struct that came as a forward may be asked for whole. */
static uint32_t take_id(struct fc_type_copy *copy, uint32_t id, struct reach reach)
{
	size_t at =
		((size_t)id * DEPTHS + reach.depth) * (FC_SEQUENCES_DEEP + 1) + reach.sequences;
	if (!id)
		return 0;
	while (copy->ids.nr <= at)
		fc_vec_push(&copy->ids, 0);
	if (!copy->ids.at[at]) {
		uint32_t ret = take(copy, id, reach);
		take_tags(copy, id, ret);
		copy->ids.at[at] = ret;
	}
	return copy->ids.at[at];
}

uint32_t fc_type_copy_take(struct fc_type_copy *copy, uint32_t id, unsigned depth)
{
	struct reach reach = { depth < DEPTHS - 1 ? depth : DEPTHS - 2, FC_SEQUENCES_DEEP };
	return take_id(copy, id, reach);
}
