/* SPDX-License-Identifier: Apache-2.0 */
/* parameters.c - reads the names, types and locations of a function's parameters. */
#include "dwarf/parameters.h"

#include <bpf/btf.h>
#include <dwarf.h>
#include <string.h>

#include "dwarf/types/die.h"

/* ---- which there are ---- */

static void add_param(struct fc_parameters *params, struct fc_dietypes *types, Dwarf_Die *die)
{
	uint32_t type = fc_dietypes_node_of(types, die);

	if (params->nr == FC_MAX_PARAMS)
		return;
	params->params[params->nr++] = (struct fc_parameter){
		.name = fc_dietypes_name(types, fc_die_name(die)),
		.type = type ? type : fc_typegraph_add(&types->graph),
	};
}

/* Calls each() for the parameters of a function, those of a pack of C++ among them. */
static void each_param(Dwarf_Die *function, struct fc_dietypes *types,
		       void (*each)(void *ctx, Dwarf_Die *die), void *ctx)
{
	Dwarf_Die die;

	if (dwarf_child(function, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		if (!types->left)
			return;
		types->left--;
		if (tag == DW_TAG_formal_parameter || tag == DW_TAG_unspecified_parameters)
			each(ctx, &die);
		else if (tag == DW_TAG_GNU_formal_parameter_pack &&
			 dwarf_tag(function) == DW_TAG_subprogram)
			each_param(&die, types, each, ctx);
	} while (!dwarf_siblingof(&die, &die));
}

struct reading {
	struct fc_parameters *params;
	struct fc_dietypes *types;
	const struct fc_entry *entry;
	Dwarf_Die *function;		  /* what is told of its code */
	Dwarf_Die origins[FC_MAX_PARAMS]; /* of a function that is told apart from its code */
};

/* Is it told of the function's code, too? */
static bool is_of_code(Dwarf_Die *function, Dwarf_Die *param)
{
	Dwarf_Die die, origin;

	if (dwarf_child(function, &die))
		return false;
	do {
		if (die.addr == param->addr ||
		    (fc_die_ref(&die, DW_AT_abstract_origin, &origin) &&
		     origin.addr == param->addr))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/*
 * Of constructors and destructors GCC makes a function for each way to call them. What it tells them
 * apart by it does not pass; and where the virtual bases are, to some of them only.
 */
static bool is_passed(const struct reading *reading, Dwarf_Die *die)
{
	const char *name = fc_die_name(die);

	if (!dwarf_hasattr(die, DW_AT_artificial) || !name)
		return true;
	return strcmp(name, "__in_chrg") != 0 &&
	       (strcmp(name, "__vtt_parm") != 0 || is_of_code(reading->function, die));
}

static void declare(void *ctx, Dwarf_Die *die)
{
	struct reading *reading = ctx;
	struct fc_parameters *params = reading->params;

	if (dwarf_tag(die) == DW_TAG_unspecified_parameters) {
		params->is_variadic = true;
		return;
	}
	if (!is_passed(reading, die))
		return;
	if (params->nr < FC_MAX_PARAMS)
		reading->origins[params->nr] = *die;
	add_param(params, reading->types, die);
}

/* The one that die is the place of; FC_MAX_PARAMS: of none. */
static uint32_t param_of(const struct reading *reading, Dwarf_Die *die)
{
	Dwarf_Die origin = *die;

	fc_die_ref(die, DW_AT_abstract_origin, &origin);
	for (uint32_t i = 0; i < reading->params->nr; i++)
		if (reading->origins[i].addr == origin.addr)
			return i;
	return FC_MAX_PARAMS;
}

static const struct fc_typenode *behind_names(struct fc_typegraph *graph, uint32_t type)
{
	const struct fc_typenode *node = fc_typegraph_node(graph, type);
	for (int i = 0;
	     i < 32 && (node->kind == BTF_KIND_TYPEDEF || node->kind == BTF_KIND_CONST); i++)
		node = fc_typegraph_node(graph, node->of);
	return node;
}

/* Fortran passes the address of a variable. */
static uint32_t address_of(struct fc_typegraph *graph, uint32_t type)
{
	uint32_t ret = fc_typegraph_add(graph);
	struct fc_typenode *pointer = fc_typegraph_node(graph, ret);
	pointer->kind = BTF_KIND_PTR;
	pointer->of = type;
	pointer->tags = FC_TAG_REFERENCE;
	return ret;
}

static void place(void *ctx, Dwarf_Die *die)
{
	struct reading *reading = ctx;
	uint32_t i = param_of(reading, die);

	if (i < FC_MAX_PARAMS) {
		struct fc_parameter *param = &reading->params->params[i];
		param->is_at =
			fc_atentry_of(reading->entry, die, &param->place, &param->is_all);
		if (param->is_at != FC_ATENTRY_BY_ADDRESS)
			return;
		param->is_at = FC_ATENTRY_HOME; /* C++: its type says so, too */
		reading->params->has_own_rules |= reading->entry->is_of_c;
		if (reading->entry->is_fortran)
			param->type = address_of(&reading->types->graph, param->type);
	}
}

/* ---- where they are ---- */

static uint32_t count(const struct fc_parameters *params, enum fc_atentry is_at)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < params->nr; i++)
		nr += params->params[i].is_at == is_at;
	return nr;
}

static bool share_a_register(const struct fc_location *a, const struct fc_location *b)
{
	for (int i = 0; i < a->nr; i++)
		for (int j = 0; j < b->nr; j++)
			if (a->piece[i].kind != FC_PIECE_STACK &&
			    a->piece[i].kind == b->piece[j].kind &&
			    a->piece[i].reg == b->piece[j].reg)
				return true;
	return false;
}

/* No two values are in one register; and what is in one that passes none has been moved there. */
static bool are_moved(const struct fc_parameters *params)
{
	for (uint32_t i = 0; i < params->nr; i++) {
		const struct fc_parameter *param = &params->params[i];
		if (param->is_at == FC_ATENTRY_MOVED)
			return true;
		for (uint32_t j = 0; j < i; j++)
			if (param->is_at == FC_ATENTRY_GIVEN &&
			    params->params[j].is_at == FC_ATENTRY_GIVEN &&
			    share_a_register(&param->place, &params->params[j].place))
				return true;
	}
	return false;
}

static void go_home(struct fc_parameter *param)
{
	param->is_at = FC_ATENTRY_HOME;
	param->place = (struct fc_location){ 0 };
}

static void go_away(struct fc_parameter *param)
{
	param->place = (struct fc_location){ .is_absent = true };
}

/* Is anything passed by the ABI's rules that has more than one register? */
static bool may_be_split(const struct fc_parameters *params, struct fc_typegraph *graph)
{
	for (uint32_t i = 0; i < params->nr; i++) {
		const struct fc_typenode *node = behind_names(graph, params->params[i].type);
		if (params->params[i].is_at == FC_ATENTRY_HOME && node->kind != BTF_KIND_PTR &&
		    (node->kind != BTF_KIND_INT || node->size > 8) &&
		    node->kind != BTF_KIND_FLOAT && node->kind != BTF_KIND_ENUM &&
		    node->kind != BTF_KIND_ENUM64)
			return true;
	}
	return false;
}

/*
 * A function that only its own unit calls may be made anew, with other parameters: where one is
 * not passed, the ABI tells nothing of the others any more. Nor does it of a copy of GCC's with other
 * parameters, and of one that LLVM has optimised and that takes structs: of these it does not pass what
 * is not used.
 */
static bool is_remade(const struct fc_parameters *params, struct fc_typegraph *graph,
		      const struct fc_entry *entry)
{
	bool is_of_llvm =
		!entry->is_by_gcc && entry->is_optimised && may_be_split(params, graph);

	return !entry->is_global &&
	       (count(params, FC_ATENTRY_NOWHERE) || count(params, FC_ATENTRY_LATE) ||
		entry->is_remade || is_of_llvm);
}

/*
 * One that others call keeps to the ABI; but of what it does not use, LLVM passes anything in calls of
 * the same unit.
 */
static void settle_param(struct fc_parameter *param, const struct fc_entry *entry,
			 bool is_moved, bool is_remade, bool has_own_rules)
{
	if (param->is_at == FC_ATENTRY_MOVED || (is_moved && param->is_all))
		go_home(param);
	if (param->is_at == FC_ATENTRY_GIVEN)
		return;
	bool is_late = param->is_at == FC_ATENTRY_LATE && param->place.nr;
	if (entry->has_own_rules || has_own_rules)
		go_away(param);
	else if (entry->is_global && entry->is_by_gcc)
		go_home(param);
	else if (entry->is_global && entry->is_optimised)
		param->place.is_unsure = true;
	else if (!is_late && (is_remade || param->is_at != FC_ATENTRY_HOME))
		go_away(param);
	else if (param->is_at == FC_ATENTRY_HOME && (entry->is_optimised || !param->place.nr))
		go_home(param); /* as it is written, nothing is put into the caller's frame */
}

static void settle(struct fc_parameters *params, struct fc_typegraph *graph,
		   const struct fc_entry *entry)
{
	bool has_moved = are_moved(params);
	bool has_remade = is_remade(params, graph, entry);

	for (uint32_t i = 0; i < params->nr; i++)
		settle_param(&params->params[i], entry, has_moved, has_remade,
			     params->has_own_rules);
}

void fc_parameters_read(struct fc_parameters *ret, struct fc_dietypes *types,
			Dwarf_Die *function, const struct fc_entry *entry)
{
	struct reading reading = {
		.params = ret, .types = types, .entry = entry, .function = function
	};
	Dwarf_Die told = *function, origin;

	*ret = (struct fc_parameters){ 0 };
	if (fc_die_ref(function, DW_AT_abstract_origin, &origin))
		told = origin;
	each_param(&told, types, declare, &reading);
	each_param(function, types, place, &reading);
	settle(ret, &types->graph, entry);
}

bool fc_parameters_are_placed(const struct fc_parameters *params)
{
	for (uint32_t i = 0; i < params->nr; i++)
		if (params->params[i].is_at != FC_ATENTRY_HOME || params->params[i].place.nr ||
		    params->params[i].place.is_absent || params->params[i].place.is_unsure)
			return true;
	return false;
}
