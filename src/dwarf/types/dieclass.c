/* SPDX-License-Identifier: Apache-2.0 */
/* dieclass.c - reads structs, unions and classes of DWARF into the graph. */
#include "dwarf/types/dieclass.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/types/die.h"
#include "dwarf/types/dietypes.h"

enum { VARIANTS = 4096 /* bytes of what tells them */ };

/* ---- where a member is ---- */

/* A number, or "plus a number" (DWARF 2); false: it is computed, as of a virtual base. */
static bool member_offset(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Op *ops;
	size_t nr;

	*ret = 0;
	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return true;
	if (!dwarf_formudata(&attr, &value)) {
		*ret = value;
		return true;
	}
	if (dwarf_getlocation(&attr, &ops, &nr) || nr != 1 || ops[0].atom != DW_OP_plus_uconst)
		return false;
	*ret = ops[0].number;
	return true;
}

static uint64_t size_of_type(Dwarf_Die *die)
{
	Dwarf_Die type, peeled;
	uint64_t size = 0;

	if (fc_die_type(die, &type) && !dwarf_peel_type(&type, &peeled))
		fc_die_number(&peeled, DW_AT_byte_size, &size);
	return size;
}

/* Bits count from the highest of the unit that holds them, as DWARF 3 has them. */
static bool old_bit(Dwarf_Die *die, uint64_t bits, uint64_t *bit)
{
	uint64_t from_high, size;

	if (!fc_die_number(die, DW_AT_bit_offset, &from_high))
		return true;
	if (!fc_die_number(die, DW_AT_byte_size, &size))
		size = size_of_type(die);
	if (size > 16 || from_high + bits > size * 8)
		return false;
	*bit += size * 8 - from_high - bits;
	return true;
}

static bool place_of(Dwarf_Die *die, struct fc_typeitem *ret)
{
	uint64_t off, bits = 0;

	if (!member_offset(die, &off) || off > UINT32_MAX)
		return false;
	ret->value = off * 8;
	if (!fc_die_number(die, DW_AT_bit_size, &bits))
		return true;
	if (!bits || bits > 128)
		return false;
	ret->bits = (uint32_t)bits;
	if (fc_die_number(die, DW_AT_data_bit_offset, &ret->value))
		return ret->value < UINT32_MAX;
	return old_bit(die, bits, &ret->value);
}

/* ---- members ---- */

static bool is_static(Dwarf_Die *die)
{
	return fc_die_flag(die, DW_AT_external) || fc_die_flag(die, DW_AT_declaration);
}

static void align_to(struct fc_typenode *node, Dwarf_Die *die)
{
	uint64_t align = 0;

	if (fc_die_number(die, DW_AT_alignment, &align) && align > node->align &&
	    align < UINT32_MAX)
		node->align = (uint32_t)align;
}

/* Behind a bit-field, or what was one as below; 0: the member is none. */
static uint64_t end_of_bits(const struct fc_typegraph *graph, const struct fc_typeitem *member)
{
	if (member->bits || !member->of)
		return member->bits ? member->value + member->bits : 0;
	const struct fc_typenode *type = fc_typegraph_node(graph, member->of);
	return !type->kind && type->encoding ? member->value + type->size : 0;
}

/*
 * Of a bit-field as wide as its type in a packed struct, clang 14 tells the byte in which it begins, and
 * does not tell that it is one. It begins within the bit-field before it then: most likely behind that, but
 * nobody knows. *end: there.
 */
static bool is_misplaced(const struct fc_typegraph *graph, uint32_t id,
			 const struct fc_typeitem *item, uint64_t *end)
{
	const struct fc_typenode *node = fc_typegraph_node(graph, id);
	if (node->kind != BTF_KIND_STRUCT || !node->nr || item->bits)
		return false;
	const struct fc_typeitem *before = &graph->items.at[node->first + node->nr - 1];
	*end = end_of_bits(graph, before);
	return item->value < *end && item->value + 8 > before->value;
}

/* Its value is not known; bits: up to where it ends, most likely. */
static uint32_t unknown_type(struct fc_typegraph *graph, uint64_t bits)
{
	uint32_t id = fc_typegraph_add(graph);
	struct fc_typenode *node = fc_typegraph_node(graph, id);
	node->size = bits < UINT32_MAX ? (uint32_t)bits : 0;
	node->encoding = 1;
	return id;
}

static void read_member(struct fc_dietypes *types, uint32_t node, Dwarf_Die *die)
{
	struct fc_typeitem item = { 0 };

	if (is_static(die) || !place_of(die, &item))
		return;
	item.name = fc_dietypes_name(types, fc_die_name(die));
	uint64_t end;
	if (is_misplaced(&types->graph, node, &item, &end)) {
		item.of = unknown_type(&types->graph, end - item.value + size_of_type(die) * 8);
	} else {
		item.of = fc_dietypes_node_of(types, die);
	}
	fc_typegraph_item(&types->graph, node, item);
	align_to(fc_typegraph_node(&types->graph, node), die);
}

static void read_base(struct fc_dietypes *types, uint32_t node, Dwarf_Die *die)
{
	struct fc_typeitem item = { 0 };
	Dwarf_Die base;

	if (fc_die_flag(die, DW_AT_virtuality) || !place_of(die, &item) ||
	    !fc_die_type(die, &base))
		return;
	item.name = fc_dietypes_name(types, fc_die_name(&base));
	item.of = fc_dietypes_node(types, &base);
	fc_typegraph_item(&types->graph, node, item);
}

/* ---- Rust's enums ---- */

struct variants {
	char values[VARIANTS]; /* "variants(0,1,*": of each member, "-" of what is none */
	size_t len;
	bool is_cut;
};

static void add_value(struct variants *variants, const char *value)
{
	size_t room = sizeof(variants->values) - variants->len - 1; /* behind them, ")" */
	int nr = snprintf(variants->values + variants->len, room, "%s%s",
			  variants->len ? "," : "variants(", value);

	if ((size_t)nr >= room)
		variants->is_cut = true;
	else
		variants->len += (size_t)nr;
}

static void read_variant(struct fc_dietypes *types, uint32_t node, Dwarf_Die *variant,
			 struct variants *values)
{
	Dwarf_Die die;
	uint64_t value;
	char text[32];

	if (fc_die_number(variant, DW_AT_discr_value, &value))
		snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	else
		snprintf(text, sizeof(text), "*");
	if (dwarf_child(variant, &die))
		return;
	do
		if (dwarf_tag(&die) == DW_TAG_member) {
			uint32_t before = fc_typegraph_node(&types->graph, node)->nr;
			read_member(types, node, &die);
			if (fc_typegraph_node(&types->graph, node)->nr > before)
				add_value(values, text);
		}
	while (!dwarf_siblingof(&die, &die));
}

/*
 * The first member is what tells which of the others is there: "variants(-,0,1,*)", by the value of
 * each; "*" is any other one.
 */
static void read_variants(struct fc_dietypes *types, uint32_t node, Dwarf_Die *part)
{
	struct variants values = { .len = 0 };
	Dwarf_Die die, discriminant;

	if (fc_die_ref(part, DW_AT_discr, &discriminant)) {
		read_member(types, node, &discriminant);
		add_value(&values, "-");
	}
	if (dwarf_child(part, &die))
		return;
	do {
		if (!types->left)
			return;
		types->left--;
		if (dwarf_tag(&die) == DW_TAG_variant)
			read_variant(types, node, &die, &values);
	} while (!dwarf_siblingof(&die, &die));
	struct fc_typenode *its = fc_typegraph_node(&types->graph, node);
	if (values.is_cut)
		its->nr = 0;
	else if (values.len) {
		memcpy(values.values + values.len, ")", 2);
		its->more = fc_dietypes_name(types, values.values);
	}
}

/* ---- Rust's Vec ---- */

/*
 * Its pointer is one to bytes. Of what it is stands only among the parameters of the type: that becomes
 * a member "T" at its end, an array of no pointers to it.
 */
static void read_item(struct fc_dietypes *types, uint32_t node, Dwarf_Die *class,
		      Dwarf_Die *die)
{
	const char *its = fc_die_name(class), *name = fc_die_name(die);
	uint32_t of = fc_dietypes_node_of(types, die);

	if (!its || !name || strncmp(its, "Vec<", 4) != 0 || strcmp(name, "T") != 0 || !of ||
	    fc_die_language(class) != DW_LANG_Rust)
		return;
	uint32_t pointer = fc_typegraph_add(&types->graph);
	uint32_t array = fc_typegraph_add(&types->graph);
	fc_typegraph_node(&types->graph, pointer)->kind = BTF_KIND_PTR;
	fc_typegraph_node(&types->graph, pointer)->of = of;
	fc_typegraph_node(&types->graph, array)->kind = BTF_KIND_ARRAY;
	fc_typegraph_node(&types->graph, array)->of = pointer;
	struct fc_typeitem item = {
		.name = fc_dietypes_name(types, "T"),
		.of = array,
		.value = (uint64_t)fc_typegraph_node(&types->graph, node)->size * 8,
	};
	fc_typegraph_item(&types->graph, node, item);
}

/* ---- how it is passed ---- */

/* The class that a function has a reference to as its only parameter beside "this". */
static bool takes_reference_to(Dwarf_Die *function, const Dwarf_Die *class)
{
	Dwarf_Die param, type, to;
	size_t nr = 0;
	bool ret = false;

	if (dwarf_child(function, &param))
		return false;
	do {
		if (dwarf_tag(&param) != DW_TAG_formal_parameter ||
		    fc_die_flag(&param, DW_AT_artificial))
			continue;
		if (nr++ || !fc_die_type(&param, &type))
			return false;
		int tag = dwarf_tag(&type);
		if (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type)
			return false;
		if (!fc_die_type(&type, &to))
			return false;
		while (dwarf_tag(&to) == DW_TAG_const_type && fc_die_type(&to, &type))
			to = type;
		ret = to.addr == class->addr;
	} while (!dwarf_siblingof(&param, &param));
	return ret;
}

/* "vector<int>" has the constructor "vector". */
static bool is_constructor(const char *name, const char *class)
{
	size_t len = strcspn(class, "<");
	return !strncmp(name, class, len) && (!name[len] || name[len] == '<');
}

/* Does it make copying or ending more than copying bytes? */
static bool makes_copies_special(Dwarf_Die *function, Dwarf_Die *class)
{
	const char *name = fc_die_name(function), *its = fc_die_name(class);
	uint64_t defaulted = DW_DEFAULTED_no;

	if (fc_die_flag(function, DW_AT_virtuality) ||
	    dwarf_hasattr(function, DW_AT_vtable_elem_location))
		return true;
	if (!name || !its || fc_die_flag(function, DW_AT_deleted))
		return false;
	fc_die_number(function, DW_AT_defaulted, &defaulted);
	if (defaulted == DW_DEFAULTED_in_class || fc_die_flag(function, DW_AT_artificial))
		return false;
	return name[0] == '~' ||
	       (is_constructor(name, its) && takes_reference_to(function, class));
}

static void read_passing(struct fc_typenode *node, Dwarf_Die *die)
{
	uint64_t convention = 0;

	fc_die_number(die, DW_AT_calling_convention, &convention);
	if (convention == DW_CC_pass_by_reference)
		node->tags |= FC_TAG_BY_REFERENCE;
	node->encoding = convention == DW_CC_pass_by_value;
}

/* ---- all ---- */

static void read_child(struct fc_dietypes *types, uint32_t node, Dwarf_Die *class,
		       Dwarf_Die *die, bool *is_special)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_member:
		read_member(types, node, die);
		break;
	case DW_TAG_inheritance:
		*is_special |= dwarf_hasattr(die, DW_AT_virtuality);
		read_base(types, node, die);
		break;
	case DW_TAG_variant_part:
		read_variants(types, node, die);
		break;
	case DW_TAG_template_type_parameter:
		read_item(types, node, class, die);
		break;
	case DW_TAG_subprogram:
		if (!*is_special)
			*is_special = makes_copies_special(die, class);
		break;
	}
}

static void read_children(struct fc_dietypes *types, uint32_t node, Dwarf_Die *class)
{
	bool is_special = false;
	Dwarf_Die die;

	if (dwarf_child(class, &die))
		return;
	do {
		if (!types->left)
			return;
		types->left--;
		read_child(types, node, class, &die, &is_special);
	} while (!dwarf_siblingof(&die, &die));
	struct fc_typenode *its = fc_typegraph_node(&types->graph, node);
	if (is_special && !its->encoding)
		its->tags |= FC_TAG_BY_REFERENCE;
}

void fc_dieclass_read(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);
	bool is_union = dwarf_tag(die) == DW_TAG_union_type;
	uint64_t size = 0;

	if (fc_die_flag(die, DW_AT_declaration) && node->name) {
		node->kind = BTF_KIND_FWD;
		node->encoding = is_union;
		return;
	}
	fc_die_number(die, DW_AT_byte_size, &size);
	node->kind = is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT;
	node->size = size < UINT32_MAX ? (uint32_t)size : 0;
	align_to(node, die);
	read_passing(node, die);
	read_children(types, id, die);
}
