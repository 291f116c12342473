/* SPDX-License-Identifier: Apache-2.0 */
#include "values/places.h"

#include <bpf/btf.h>

#include "arch/arch.h"
#include "values/shape.h"

/* The type of a function; NULL: it is none. */
static const struct btf_type *find_proto(const struct fc_types *types, uint32_t func)
{
	const struct btf *btf = fc_types_btf(types);
	const struct btf_type *type = btf__type_by_id(btf, func);
	if (!type || !btf_is_func(type))
		return NULL;
	type = btf__type_by_id(btf, type->type);
	return type && btf_is_func_proto(type) ? type : NULL;
}

static uint32_t nr_params(const struct btf_type *proto)
{
	uint32_t nr = btf_vlen(proto);
	if (nr && !btf_params(proto)[nr - 1].type) /* "..." */
		nr--;
	return nr < FC_MAX_PARAMS ? nr : FC_MAX_PARAMS;
}

/*
 * Rust does not say how it returns values; numbers and pointers, and two of 8 bytes each, as a slice is,
 * are where C has them.
 */
static bool is_returned_as_in_c(const struct fc_shape *shape)
{
	if (!shape->is_compound)
		return true;
	for (size_t i = 0; i < shape->nr_leaves; i++)
		if (shape->leaves[i].kind != FC_LEAF_INT || shape->leaves[i].size != 8)
			return false;
	return shape->size == 16 && shape->nr_leaves == 2;
}

/* Those up to the first of which it is not known how large it is, and of which kind. */
static void locate_known(const struct fc_arch *arch, const struct fc_types *types,
			 const struct btf_type *proto, bool is_rust,
			 struct fc_value_places *ret)
{
	struct fc_shape result, params[FC_MAX_PARAMS];
	if (!fc_shape_init(&result, types, proto->type))
		return;
	uint32_t nr = 0;
	while (nr < ret->nr && fc_shape_init(&params[nr], types, btf_params(proto)[nr].type))
		nr++;
	arch->locate(&result, params, nr, &ret->result, ret->param);
	if (is_rust && !is_returned_as_in_c(&result))
		ret->result = (struct fc_location){ .is_absent = true };
	while (nr)
		fc_shape_deinit(&params[--nr]);
	fc_shape_deinit(&result);
}

static bool contradicts(const struct fc_location *told, const struct fc_location *known)
{
	const struct fc_piece *a = &told->piece[0], *b = &known->piece[0];
	if (!told->nr || !known->nr)
		return false;
	return told->is_address != known->is_address || a->kind != b->kind ||
	       (a->kind == FC_PIECE_STACK ? a->off != b->off : a->reg != b->reg);
}

/* Of a class that is only declared nobody knows how much of it lies at an address. */
static bool leads_to_known(const struct fc_types *types, const struct btf_type *proto,
			   uint32_t param, const struct fc_location *place)
{
	return !place->is_address || fc_types_size(types, btf_params(proto)[param].type);
}

static void take_told(const struct fc_types *types, const struct btf_type *proto,
		      const struct fc_signature *signature, struct fc_value_places *places)
{
	bool has_own_rules = false;
	uint32_t nr = signature->nr < places->nr ? signature->nr : places->nr;
	for (uint32_t i = 0; i < nr; i++)
		has_own_rules |= signature->param[i].is_absent ||
				 contradicts(&signature->param[i], &places->param[i]);
	for (uint32_t i = 0; i < places->nr; i++)
		if (i < nr && signature->param[i].nr)
			places->param[i] = leads_to_known(types, proto, i, &signature->param[i])
						   ? signature->param[i]
						   : (struct fc_location){ .is_absent = true };
		else if (has_own_rules)
			places->param[i] = (struct fc_location){ .is_absent = true };
	if (has_own_rules && (places->result.nr > 1 || places->result.is_address))
		places->result = (struct fc_location){ .is_absent = true };
}

void fc_value_places_find(const struct fc_arch *arch, const struct fc_types *types,
			  const struct fc_signature *signature, struct fc_value_places *ret)
{
	const struct btf_type *proto = find_proto(types, signature->func);
	*ret = (struct fc_value_places){ 0 };
	if (!proto)
		return;
	ret->nr = nr_params(proto);
	if (arch->locate)
		locate_known(arch, types, proto,
			     fc_types_tagged(types, signature->func, "rust"), ret);
	take_told(types, proto, signature, ret);
	if (fc_types_tagged(types, signature->func, "unsure_result"))
		ret->result = (struct fc_location){ .is_absent = true };
}
