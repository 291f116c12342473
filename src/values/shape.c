/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - flattens a type into the leaves that an ABI classifies. */
#include "values/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "values/type.h"

enum {
	MAX_DEPTH = 64,
	MAX_STEPS = 20000, /* members and elements that are looked at */
	MAX_LEAVES = 256,
	WORD = 8,
};

struct making {
	const struct fc_types *types;
	FC_VEC(struct fc_leaf) leaves; /* each once */
	unsigned nr_steps, depth;
};

static bool add_leaf(struct making *making, enum fc_leaf_kind kind, uint64_t off, uint64_t size)
{
	if (off + size > FC_SHAPE_SIZE)
		return false;
	fc_vec_each (&making->leaves, leaf)
		if (leaf->off == off && leaf->size == size && leaf->kind == kind)
			return true;
	if (making->leaves.nr == MAX_LEAVES)
		return false;
	fc_vec_push(&making->leaves, (struct fc_leaf){ (uint32_t)off, (uint32_t)size, kind });
	return true;
}

/* Floats of 16 bytes are long doubles, but for those that their names or tags tell. */
static bool add_float(struct making *making, const struct fc_type *type, uint64_t off)
{
	bool is_quad = strstr(type->name, "128") || type->tags & FC_TAG_DECIMAL;
	bool is_long = type->size == 16 && !is_quad;
	if (type->size == 12) /* another machine's */
		return false;
	return add_leaf(making, is_long ? FC_LEAF_LONG_DOUBLE : FC_LEAF_FLOAT, off, type->size);
}

static bool add_type(struct making *making, uint32_t id, uint64_t off);

static bool add_array(struct making *making, const struct fc_type *array, uint64_t off)
{
	uint64_t size = fc_types_size(making->types, array->of);
	if (array->tags & FC_TAG_VECTOR)
		return add_leaf(making, FC_LEAF_VECTOR, off, size * array->nr);
	for (uint32_t i = 0; size && i < array->nr; i++)
		if (++making->nr_steps > MAX_STEPS ||
		    !add_type(making, array->of, off + i * size))
			return false;
	return true;
}

/* Those without a name are padding. */
static bool add_bits(struct making *making, const struct fc_member *member, uint64_t bit)
{
	uint64_t last = (bit + member->bits - 1) / 64;
	for (uint64_t word = bit / 64; *member->name && word <= last; word++)
		if (!add_leaf(making, FC_LEAF_INT, word * WORD, 1))
			return false;
	return true;
}

static bool add_members(struct making *making, const struct fc_type *type, uint64_t off)
{
	/* Larger than what is empty in C++, and yet nothing is told to be in it. */
	if (!type->nr && type->size > fc_types_align(making->types, type->id))
		return false;
	for (uint32_t i = 0; i < type->nr; i++) {
		struct fc_member member = fc_type_member(type, i);
		uint64_t bit = off * 8 + member.bit;
		if (++making->nr_steps > MAX_STEPS ||
		    !(member.bits ? add_bits(making, &member, bit)
				  : add_type(making, member.type, bit / 8)))
			return false;
	}
	return true;
}

static bool add_known(struct making *making, const struct fc_type *type, uint64_t off)
{
	switch (type->kind) {
	case FC_TYPE_INT:
	case FC_TYPE_ENUM:
	case FC_TYPE_POINTER:
		return add_leaf(making, FC_LEAF_INT, off, type->size);
	case FC_TYPE_FLOAT:
		return add_float(making, type, off);
	case FC_TYPE_ARRAY:
		return add_array(making, type, off);
	case FC_TYPE_STRUCT:
	case FC_TYPE_UNION:
		return add_members(making, type, off);
	default:
		return false;
	}
}

static bool add_type(struct making *making, uint32_t id, uint64_t off)
{
	if (making->depth == MAX_DEPTH)
		return false;
	making->depth++;
	struct fc_type type = fc_type_at(making->types, id);
	bool is_known = add_known(making, &type, off);
	making->depth--;
	return is_known;
}

static bool is_compound(const struct fc_type *type)
{
	return fc_type_is_compound(type) && !(type->tags & (FC_TAG_VECTOR | FC_TAG_COMPLEX));
}

bool fc_shape_init(struct fc_shape *ret, const struct fc_types *types, uint32_t type)
{
	struct fc_type its = fc_type_at(types, type);
	uint64_t size = fc_types_size(types, its.id);
	struct making making = { .types = types };
	*ret = (struct fc_shape){ 0 };
	if (!its.id)
		return !type || !fc_types_size(types, type);
	if (size > UINT32_MAX || (size <= FC_SHAPE_SIZE && !add_type(&making, its.id, 0))) {
		fc_vec_free(&making.leaves);
		return false;
	}
	ret->size = (uint32_t)size;
	ret->align = fc_types_align(types, its.id);
	ret->is_compound = is_compound(&its);
	ret->is_by_reference = its.tags & FC_TAG_BY_REFERENCE;
	ret->leaves = making.leaves.at;
	ret->nr_leaves = making.leaves.nr;
	return true;
}

void fc_shape_deinit(struct fc_shape *shape)
{
	free((void *)shape->leaves);
	*shape = (struct fc_shape){ 0 };
}
