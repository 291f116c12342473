/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c - copies a type into another table, with the types it is made of. */
#include "values/copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "values/sequence.h"
#include "values/type.h"

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

static uint32_t take_enum(const struct fc_type_copy *copy, const struct fc_type *type)
{
	fc_auto_free struct fc_enumerator *values =
		fc_alloc(((size_t)type->nr + 1) * sizeof(*values));
	for (uint32_t i = 0; i < type->nr; i++)
		values[i] = fc_type_enumerator(type, i);
	return fc_types_enum(copy->to, type->name, type->size, type->is_signed, values,
			     type->nr);
}

/* Pointers to it that its members have were taken as forwards: they find it by its name. */
static uint32_t take_struct(struct fc_type_copy *copy, const struct fc_type *type,
			    struct reach reach)
{
	struct fc_sequence sequence;
	if (reach.sequences && fc_sequence_find(copy->from, type->id, &sequence))
		reach = (struct reach){ reach.depth + (reach.depth < DEPTHS - 1),
					reach.sequences - 1 };
	fc_auto_free struct fc_member *members =
		fc_alloc(((size_t)type->nr + 1) * sizeof(*members));
	for (uint32_t i = 0; i < type->nr; i++) {
		members[i] = fc_type_member(type, i);
		members[i].type = take_id(copy, members[i].type, reach);
	}
	return fc_types_struct(copy->to, type->name, type->is_union, type->size,
			       fc_types_align(copy->from, type->id), members, type->nr);
}

static uint32_t take_proto(struct fc_type_copy *copy, const struct fc_type *type,
			   struct reach reach)
{
	fc_auto_free struct fc_param *params =
		fc_alloc(((size_t)type->nr + 1) * sizeof(*params));
	uint32_t result = take_id(copy, type->of, reach);
	for (uint32_t i = 0; i < type->nr; i++) {
		params[i] = fc_type_param(type, i);
		params[i].type = take_id(copy, params[i].type, reach);
	}
	return fc_types_proto(copy->to, result, params, type->nr, type->is_variadic);
}

/* What is pointed to from too far away. */
static uint32_t take_far(const struct fc_type_copy *copy, uint32_t id)
{
	struct fc_type type = fc_type_at(copy->from, id);
	if (type.kind == FC_TYPE_PROTO) /* a function, of whatever type */
		return fc_types_proto(copy->to, 0, NULL, 0, false);
	if (!fc_type_has_members(&type) || !*type.name)
		return 0;
	return fc_types_forward(copy->to, type.name, type.is_union);
}

static uint32_t take_pointer(struct fc_type_copy *copy, uint32_t from, uint32_t to,
			     struct reach reach)
{
	struct fc_type what = fc_type_at(copy->from, to);
	bool is_plain = !fc_type_has_members(&what) && what.kind != FC_TYPE_PROTO;
	struct reach nearer = { reach.depth ? reach.depth - 1 : 0, reach.sequences };
	uint32_t id = reach.depth || is_plain ? take_id(copy, to, nearer) : take_far(copy, to);
	if (fc_types_is_reference(copy->from, from))
		return fc_types_reference(copy->to, id,
					  fc_types_tags(copy->from, from) & FC_TAG_RVALUE);
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

static uint32_t take_array(struct fc_type_copy *copy, const struct fc_type *array,
			   struct reach reach)
{
	uint32_t of = take_id(copy, array->of, reach);
	return array->tags & FC_TAG_VECTOR ? fc_types_vector(copy->to, of, array->nr)
					   : fc_types_array(copy->to, of, array->nr);
}

static uint32_t take(struct fc_type_copy *copy, uint32_t id, struct reach reach)
{
	struct fc_type type = fc_type_as_named(copy->from, id);
	switch (type.kind) {
	case FC_TYPE_INT:
		return fc_types_number(copy->to, type.name, type.size, type.number);
	case FC_TYPE_FLOAT:
		return fc_types_float(copy->to, type.name, type.size);
	case FC_TYPE_POINTER:
		return take_pointer(copy, id, type.of, reach);
	case FC_TYPE_CONST:
		return fc_types_const(copy->to, take_id(copy, type.of, reach));
	case FC_TYPE_TYPEDEF:
		return fc_types_typedef(copy->to, type.name, take_id(copy, type.of, reach));
	case FC_TYPE_ARRAY:
		return take_array(copy, &type, reach);
	case FC_TYPE_ENUM:
		return take_enum(copy, &type);
	case FC_TYPE_STRUCT:
	case FC_TYPE_UNION:
		return take_struct(copy, &type, reach);
	case FC_TYPE_FORWARD:
		if (fc_types_resolve(copy->from, id) != id) /* it is known by now */
			return take_id(copy, fc_types_resolve(copy->from, id), reach);
		return fc_types_forward(copy->to, type.name, type.is_union);
	case FC_TYPE_PROTO:
		return take_proto(copy, &type, reach);
	case FC_TYPE_FUNC:
		return fc_types_func(copy->to, type.name, take_id(copy, type.of, reach));
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
	if (!*fc_vec_make(&copy->ids, at)) {
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
