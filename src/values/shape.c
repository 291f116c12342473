/* SPDX-License-Identifier: Apache-2.0 */
#include "values/shape.h"

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

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
static bool add_float(struct making *making, uint32_t id, uint64_t off)
{
	const struct btf *btf = fc_types_btf(making->types);
	const struct btf_type *type = btf__type_by_id(btf, id);
	bool is_quad = strstr(btf__name_by_offset(btf, type->name_off), "128") ||
		       fc_types_tagged(making->types, id, "decimal");
	bool is_long = type->size == 16 && !is_quad;
	if (type->size == 12) /* another machine's */
		return false;
	return add_leaf(making, is_long ? FC_LEAF_LONG_DOUBLE : FC_LEAF_FLOAT, off, type->size);
}

static bool add_type(struct making *making, uint32_t id, uint64_t off);

static bool add_array(struct making *making, uint32_t id, uint64_t off)
{
	const struct btf_array *array =
		btf_array(btf__type_by_id(fc_types_btf(making->types), id));
	uint64_t size = fc_types_size(making->types, array->type);
	if (fc_types_tagged(making->types, id, "vector"))
		return add_leaf(making, FC_LEAF_VECTOR, off, size * array->nelems);
	for (uint32_t i = 0; size && i < array->nelems; i++)
		if (++making->nr_steps > MAX_STEPS ||
		    !add_type(making, array->type, off + i * size))
			return false;
	return true;
}

/* Those without a name are padding. */
static bool add_bits(struct making *making, const struct btf_member *member, uint64_t bit,
		     uint32_t bits)
{
	for (uint64_t word = bit / 64; member->name_off && word <= (bit + bits - 1) / 64;
	     word++)
		if (!add_leaf(making, FC_LEAF_INT, word * WORD, 1))
			return false;
	return true;
}

static bool add_members(struct making *making, uint32_t id, uint64_t off)
{
	const struct btf_type *type = btf__type_by_id(fc_types_btf(making->types), id);
	/* Larger than what is empty in C++, and yet nothing is told to be in it. */
	if (!btf_vlen(type) && type->size > fc_types_align(making->types, id))
		return false;
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *member = &btf_members(type)[i];
		uint64_t bit = off * 8 + btf_member_bit_offset(type, i);
		uint32_t bits = btf_member_bitfield_size(type, i);
		if (++making->nr_steps > MAX_STEPS ||
		    !(bits ? add_bits(making, member, bit, bits)
			   : add_type(making, member->type, bit / 8)))
			return false;
	}
	return true;
}

static bool add_known(struct making *making, uint32_t id, uint64_t off)
{
	const struct btf_type *type = btf__type_by_id(fc_types_btf(making->types), id);
	switch (type ? btf_kind(type) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_PTR:
		return add_leaf(making, FC_LEAF_INT, off, fc_types_size(making->types, id));
	case BTF_KIND_FLOAT:
		return add_float(making, id, off);
	case BTF_KIND_ARRAY:
		return add_array(making, id, off);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return add_members(making, id, off);
	default:
		return false;
	}
}

static bool add_type(struct making *making, uint32_t id, uint64_t off)
{
	if (making->depth == MAX_DEPTH)
		return false;
	making->depth++;
	bool is_known = add_known(making, fc_types_resolve(making->types, id), off);
	making->depth--;
	return is_known;
}

static bool is_compound(const struct fc_types *types, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(fc_types_btf(types), id);
	if (btf_is_array(type))
		return !fc_types_tagged(types, id, "vector");
	return btf_is_composite(type) && !fc_types_tagged(types, id, "complex");
}

bool fc_shape_init(struct fc_shape *ret, const struct fc_types *types, uint32_t type)
{
	uint32_t id = fc_types_resolve(types, type);
	uint64_t size = fc_types_size(types, id);
	struct making making = { .types = types };
	*ret = (struct fc_shape){ 0 };
	if (!id)
		return !type || !fc_types_size(types, type);
	if (size > UINT32_MAX || (size <= FC_SHAPE_SIZE && !add_type(&making, id, 0))) {
		fc_vec_free(&making.leaves);
		return false;
	}
	ret->size = (uint32_t)size;
	ret->align = fc_types_align(types, id);
	ret->is_compound = is_compound(types, id);
	ret->is_by_reference = fc_types_tagged(types, id, "by_reference");
	ret->leaves = making.leaves.at;
	ret->nr_leaves = making.leaves.nr;
	return true;
}

void fc_shape_deinit(struct fc_shape *shape)
{
	free((void *)shape->leaves);
	*shape = (struct fc_shape){ 0 };
}
