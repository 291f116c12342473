/* SPDX-License-Identifier: Apache-2.0 */
/* places.c - assigns registers and stack slots to parameters by the machine's ABI. */
#include "values/places.h"

#include "arch/arch.h"
#include "values/shape.h"
#include "values/type.h"

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
			 const struct fc_type *proto, bool is_rust, struct fc_value_places *ret)
{
	struct fc_shape result, params[FC_MAX_PARAMS];
	if (!fc_shape_init(&result, types, proto->of))
		return;
	uint32_t nr = 0;
	while (nr < ret->nr && fc_shape_init(&params[nr], types, fc_type_param(proto, nr).type))
		nr++;
	arch->abi->locate(&result, params, nr, &ret->result, ret->param);
	if (is_rust && !is_returned_as_in_c(&result))
		ret->result = (struct fc_location){ .is_absent = true };
	while (nr)
		fc_shape_deinit(&params[--nr]);
	fc_shape_deinit(&result);
}

/* ---- what code tells ---- */

static struct fc_reg_uses uses_of(const struct fc_arch *arch,
				  const struct fc_signature *signature, size_t size)
{
	struct fc_reg_uses ret = { 0 };
	if (signature->code && arch->abi && size <= signature->code_size)
		arch->abi->reg_uses(signature->code, size, &ret);
	return ret;
}

/* Registers that hold pieces of a value, as bits; 0: not all of it is in registers. */
static uint64_t regs_of(const struct fc_location *location)
{
	uint64_t ret = 0;
	for (uint8_t i = 0; i < location->nr; i++) {
		const struct fc_piece *piece = &location->piece[i];
		if (piece->kind == FC_PIECE_STACK || piece->reg >= 64)
			return 0;
		ret |= UINT64_C(1) << piece->reg;
	}
	return ret;
}

static bool is_same(const struct fc_location *a, const struct fc_location *b)
{
	if (!a->nr || a->nr != b->nr || a->is_address != b->is_address)
		return false;
	for (uint8_t i = 0; i < a->nr; i++) {
		const struct fc_piece *one = &a->piece[i], *other = &b->piece[i];
		if (one->kind != other->kind ||
		    (one->kind == FC_PIECE_STACK ? one->off != other->off
						 : one->reg != other->reg))
			return false;
	}
	return true;
}

static struct fc_location absent(void)
{
	return (struct fc_location){ .is_absent = true };
}

static bool is_on_stack(const struct fc_location *place)
{
	return place->nr && !place->is_address && place->piece[0].kind == FC_PIECE_STACK;
}

/* A place that is told for later: nothing has been written there since the entry, or it is not known. */
static void settle_late(const struct fc_arch *arch, const struct fc_signature *signature,
			struct fc_location *told)
{
	if (!told->late)
		return;
	struct fc_reg_uses uses = uses_of(arch, signature, told->late);
	bool is_there =
		uses.size == told->late && regs_of(told) && !(uses.written & regs_of(told));
	bool is_unsure = told->is_unsure;
	told->late = 0;
	if (!is_there)
		*told = (struct fc_location){ .is_absent = !is_unsure, .is_unsure = is_unsure };
}

/*
 * What may not be passed is: in memory as a whole (compilers leave out no such), where it is seen to be
 * used, or where the function's code reads it first of all.
 */
static bool is_passed(const struct fc_location *told, const struct fc_location *known,
		      const struct fc_reg_uses *uses, bool is_compound)
{
	if (!known->nr)
		return false;
	if (known->piece[0].kind == FC_PIECE_STACK)
		return is_compound || is_same(told, known);
	return is_same(told, known) || (regs_of(known) && !(regs_of(known) & ~uses->read));
}

static bool is_compound_type(const struct fc_types *types, uint32_t type)
{
	struct fc_type its = fc_type_at(types, type);
	return fc_type_has_members(&its) && !(its.tags & FC_TAG_COMPLEX);
}

/* What the signature tells of its parameters, where it is not sure before the code has been seen. */
static void settle_told(const struct fc_arch *arch, const struct fc_types *types,
			const struct fc_type *proto, const struct fc_signature *signature,
			const struct fc_value_places *known, struct fc_location *told)
{
	struct fc_reg_uses uses = { 0 };
	bool is_read = false;
	for (uint32_t i = 0; i < signature->nr; i++) {
		told[i] = signature->param[i];
		settle_late(arch, signature, &told[i]);
		if (!told[i].is_unsure)
			continue;
		if (!is_read)
			uses = uses_of(arch, signature, signature->code_size);
		is_read = true;
		const struct fc_location *its = &known->param[i];
		bool is_whole = is_compound_type(types, fc_type_param(proto, i).type);
		bool is_placed = is_whole && is_on_stack(&told[i]);
		if (!is_passed(&told[i], its, &uses, is_whole))
			told[i] = (struct fc_location){ 0 };
		else if (!is_placed)
			told[i] = *its;
		told[i].is_unsure = !told[i].nr;
	}
}

/* ---- functions that do not keep to the rules ---- */

static bool contradicts(const struct fc_location *told, const struct fc_location *known)
{
	const struct fc_piece *a = &told->piece[0], *b = &known->piece[0];
	if (!told->nr || !known->nr)
		return false;
	return told->is_address != known->is_address || a->kind != b->kind ||
	       (a->kind == FC_PIECE_STACK ? a->off != b->off : a->reg != b->reg);
}

/* Of a class that is only declared nobody knows how much of it lies at an address. */
static bool leads_to_known(const struct fc_types *types, const struct fc_type *proto,
			   uint32_t param, const struct fc_location *place)
{
	return !place->is_address || fc_types_size(types, fc_type_param(proto, param).type);
}

/* A number in one register, which conventions that are not the machine's return there, too. */
static bool is_plain_result(const struct fc_types *types, const struct fc_type *proto,
			    const struct fc_location *result)
{
	return result->nr == 1 && !result->is_address &&
	       result->piece[0].kind != FC_PIECE_EXTENDED && result->piece[0].size <= 8 &&
	       !is_compound_type(types, proto->of);
}

/*
 * Where nothing is told of places, a function that is compiled as it is written puts all that it is
 * given into its frame. One that reads other registers than it would be given, and not the first that
 * it would be, has another convention.
 */
static bool reads_others(const struct fc_arch *arch, const struct fc_signature *signature,
			 const struct fc_value_places *places)
{
	uint64_t given = places->result.is_address ? arch->abi->arg_regs : 0, first = 0;
	for (uint32_t i = 0; i < places->nr; i++) {
		uint64_t regs = regs_of(&places->param[i]) & arch->abi->arg_regs;
		first = first ? first : regs;
		given |= regs;
	}
	if (signature->nr || !signature->code || !places->nr)
		return false;
	uint64_t read =
		uses_of(arch, signature, signature->code_size).read & arch->abi->arg_regs;
	return !(read & first) && read & ~given;
}

/*
 * The first struct that is told to lie elsewhere on the stack than its members make the rules tell:
 * its alignment is another one, which debug information does not tell (packed, with an __int128 within
 * it), and what is not told behind it may be anywhere. UINT32_MAX: there is none.
 */
static uint32_t find_aligned_otherwise(const struct fc_types *types,
				       const struct fc_type *proto,
				       const struct fc_signature *signature,
				       const struct fc_location *told,
				       const struct fc_value_places *known)
{
	uint32_t nr = signature->nr < known->nr ? signature->nr : known->nr;
	for (uint32_t i = 0; i < nr; i++)
		if (is_on_stack(&told[i]) && is_on_stack(&known->param[i]) &&
		    contradicts(&told[i], &known->param[i]))
			return is_compound_type(types, fc_type_param(proto, i).type)
				       ? i
				       : UINT32_MAX;
	return UINT32_MAX;
}

static void take_told(const struct fc_arch *arch, const struct fc_types *types,
		      const struct fc_type *proto, const struct fc_signature *signature,
		      struct fc_value_places *places)
{
	struct fc_location told[FC_MAX_PARAMS];
	bool is_own = fc_types_tags(types, signature->func) & FC_TAG_OWN_RULES ||
		      reads_others(arch, signature, places);
	bool has_own_rules = false;
	uint32_t nr = signature->nr < places->nr ? signature->nr : places->nr;
	settle_told(arch, types, proto, signature, places, told);
	uint32_t shifted = find_aligned_otherwise(types, proto, signature, told, places);
	for (uint32_t i = 0; i < nr; i++) {
		const struct fc_location *its = &places->param[i];
		bool is_other = contradicts(&told[i], its) &&
				!(i >= shifted && is_on_stack(&told[i]) && is_on_stack(its));
		has_own_rules |= told[i].is_absent || is_other;
		is_own |= told[i].is_address && its->nr && !its->is_address;
	}
	has_own_rules |= is_own;
	for (uint32_t i = 0; i < places->nr; i++)
		if (i < nr && told[i].nr && !(told[i].is_weak && has_own_rules))
			places->param[i] =
				leads_to_known(types, proto, i, &told[i]) ? told[i] : absent();
		else if (has_own_rules || (i < nr && told[i].is_unsure) ||
			 (i > shifted && is_on_stack(&places->param[i])))
			places->param[i] = absent();
	if (is_own ? !is_plain_result(types, proto, &places->result)
		   : has_own_rules && (places->result.nr > 1 || places->result.is_address))
		places->result = absent();
}

/* ---- what compilers do otherwise ---- */

/* One integer of two words, which some compilers pass as two: the rest is somewhere else then. */
static void leave_out_split(const struct fc_types *types, const struct fc_type *proto,
			    struct fc_value_places *places)
{
	bool is_split = false;
	for (uint32_t i = 0; i < places->nr; i++) {
		struct fc_location *place = &places->param[i];
		uint32_t type = fc_types_resolve(types, fc_type_param(proto, i).type);
		bool is_wide = fc_types_tags(types, type) & FC_TAG_SPLIT;
		is_split |= is_wide && place->piece[0].kind == FC_PIECE_STACK;
		if (is_split && place->piece[0].kind != FC_PIECE_VECTOR)
			*place = absent();
	}
}

/* Bytes of the largest vector that it is or holds. */
static uint32_t vector_size(const struct fc_types *types, uint32_t type)
{
	struct fc_shape shape;
	uint32_t ret = 0;
	if (!fc_shape_init(&shape, types, type))
		return 0;
	for (size_t i = 0; i < shape.nr_leaves; i++)
		if (shape.leaves[i].kind == FC_LEAF_VECTOR && shape.leaves[i].size > ret)
			ret = shape.leaves[i].size;
	fc_shape_deinit(&shape);
	return ret;
}

/*
 * A vector that is larger than all machines have registers for is passed by other rules where the
 * compiler was not told of larger ones: its code does not use them then.
 */
static void leave_out_vectors(const struct fc_arch *arch, const struct fc_types *types,
			      const struct fc_type *proto, const struct fc_signature *signature,
			      struct fc_value_places *places)
{
	enum { ALL_HAVE = 16 };
	uint32_t most = vector_size(types, proto->of);
	for (uint32_t i = 0; i < places->nr; i++) {
		uint32_t size = vector_size(types, fc_type_param(proto, i).type);
		most = size > most ? size : most;
	}
	if (most <= ALL_HAVE || !signature->code || !arch->abi ||
	    arch->abi->widest_vector(signature->code, signature->code_size) >= most)
		return;
	for (uint32_t i = 0; i < places->nr; i++)
		if (!signature->nr || !signature->param[i].nr || signature->param[i].is_weak)
			places->param[i] = absent();
	places->result = absent();
}

/* Of what may not be returned, what callers read. */
static void leave_out_unread(const struct fc_types *types, const struct fc_signature *signature,
			     struct fc_value_places *places)
{
	uint64_t regs = places->result.is_address ? 0 : regs_of(&places->result);
	bool is_read = regs && !(regs & ~signature->results_read);
	bool is_kept = signature->results_read == UINT64_MAX; /* as it is written */
	uint32_t tags = fc_types_tags(types, signature->func);
	if (tags & FC_TAG_UNSURE_RESULT || (tags & FC_TAG_READ_RESULT && !is_read && !is_kept))
		places->result = absent();
}

void fc_value_places_find(const struct fc_arch *arch, const struct fc_types *types,
			  const struct fc_signature *signature, struct fc_value_places *ret)
{
	struct fc_type its = fc_type_of_func(types, signature->func);
	const struct fc_type *proto = &its;
	*ret = (struct fc_value_places){ 0 };
	if (!its.id)
		return;
	ret->nr = its.nr < FC_MAX_PARAMS ? its.nr : FC_MAX_PARAMS;
	if (arch->abi)
		locate_known(arch, types, proto,
			     fc_types_tags(types, signature->func) & FC_TAG_RUST, ret);
	leave_out_split(types, proto, ret);
	take_told(arch, types, proto, signature, ret);
	leave_out_vectors(arch, types, proto, signature, ret);
	leave_out_unread(types, signature, ret);
}
