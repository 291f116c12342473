/* SPDX-License-Identifier: Apache-2.0 */
/* dieread.c - reads types of DWARF, of all kinds, into the graph. */
#include "dwarf/types/dieread.h"

#include <dwarf.h>
#include <string.h>

#include "dwarf/types/die.h"
#include "dwarf/types/dieclass.h"
#include "dwarf/types/dietypes.h"

enum {
	TWO_WORDS = 16, /* bytes */
	DIMENSIONS = 16,
	PARAMS = 64, /* of a function's type */
};

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool is_power_of_2(uint64_t size, uint64_t most)
{
	return size && size <= most && !(size & (size - 1));
}

/* What has neither members nor a value that is known. */
static void be_opaque(struct fc_typenode *node, uint64_t size)
{
	node->kind = BTF_KIND_STRUCT;
	node->size = size < UINT32_MAX ? (uint32_t)size : 0;
}

static void be_number(struct fc_typenode *node, uint64_t size, uint8_t encoding)
{
	if (!is_power_of_2(size, 16)) {
		be_opaque(node, size);
		return;
	}
	node->kind = BTF_KIND_INT;
	node->size = (uint32_t)size;
	node->encoding = encoding;
}

static void be_float(struct fc_typenode *node, uint64_t size)
{
	if (size == 12 || (size > 1 && is_power_of_2(size, 16))) {
		node->kind = BTF_KIND_FLOAT;
		node->size = (uint32_t)size;
	} else
		be_opaque(node, size);
}

/* "complex double" is two of "double". */
static void read_complex(struct fc_dietypes *types, uint32_t id, const char *name,
			 uint64_t size)
{
	/* Clang says no more than "complex". */
	const char *part_name = begins(name, "complex ")    ? name + strlen("complex ")
				: begins(name, "_Complex ") ? name + strlen("_Complex ")
				: size == 8		    ? "float"
				: size == 16		    ? "double"
							    : "long double";
	uint32_t part = fc_typegraph_add(&types->graph);
	struct fc_typenode *node = fc_typegraph_node(&types->graph, part);

	node->name = fc_dietypes_name(types, part_name);
	be_float(node, size / 2);
	node = fc_typegraph_node(&types->graph, id);
	be_opaque(node, size);
	node->tags |= FC_TAG_COMPLEX;
	fc_typegraph_item(&types->graph, id,
			  (struct fc_typeitem){ fc_dietypes_name(types, "real"), part, 0, 0 });
	fc_typegraph_item(
		&types->graph, id,
		(struct fc_typeitem){ fc_dietypes_name(types, "imag"), part, 0, size / 2 * 8 });
}

static uint8_t encoding_of(uint64_t dwarf_encoding, const char *name)
{
	bool is_char = !begins(name, "signed ") && !begins(name, "unsigned ");

	if (!strcmp(name, "wchar_t"))
		return BTF_INT_CHAR;
	switch (dwarf_encoding) {
	case DW_ATE_boolean:
		return BTF_INT_BOOL;
	case DW_ATE_UTF:
		return BTF_INT_CHAR;
	case DW_ATE_signed_char:
		return is_char ? BTF_INT_CHAR : BTF_INT_SIGNED;
	case DW_ATE_unsigned_char:
		return is_char ? BTF_INT_CHAR : 0;
	case DW_ATE_signed:
		return BTF_INT_SIGNED;
	default:
		return 0;
	}
}

static void read_base(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	const char *name = fc_die_name(die);
	uint64_t size = 0, encoding = 0, order = DW_END_default;
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);

	fc_die_number(die, DW_AT_byte_size, &size);
	fc_die_number(die, DW_AT_encoding, &encoding);
	fc_die_number(die, DW_AT_endianity, &order);
	node->name = fc_dietypes_name(types, name);
	if (order == DW_END_big)
		node->more = fc_dietypes_name(types, "big_endian");
	if (encoding == DW_ATE_float || encoding == DW_ATE_decimal_float)
		be_float(node, size);
	else if (encoding == DW_ATE_complex_float)
		read_complex(types, id, name ? name : "", size);
	else {
		be_number(node, size, encoding_of(encoding, name ? name : ""));
		if (types->splits_wide && size == TWO_WORDS)
			node->tags |= FC_TAG_SPLIT;
	}
	if (encoding == DW_ATE_decimal_float)
		fc_typegraph_node(&types->graph, id)->tags |= FC_TAG_DECIMAL;
}

/* Rust's "&T", through which nothing is written but what says that it may be. */
static bool is_shared(Dwarf_Die *die)
{
	const char *name = fc_die_name(die);
	return name && name[0] == '&' && !begins(name, "&mut ") &&
	       fc_die_language(die) == DW_LANG_Rust;
}

static void read_pointer(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	uint32_t to = fc_dietypes_node_of(types, die);
	if (is_shared(die)) {
		uint32_t of = fc_typegraph_add(&types->graph);
		fc_typegraph_node(&types->graph, of)->kind = BTF_KIND_CONST;
		fc_typegraph_node(&types->graph, of)->of = to;
		to = of;
	}
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);

	node->kind = BTF_KIND_PTR;
	node->of = to;
	if (dwarf_tag(die) != DW_TAG_pointer_type)
		node->tags |= FC_TAG_REFERENCE;
	if (dwarf_tag(die) == DW_TAG_rvalue_reference_type)
		node->tags |= FC_TAG_RVALUE;
}

/* Pointers to data are an offset; those to functions, two words (Itanium C++ ABI 2.3). */
static void read_member_pointer(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	Dwarf_Die to;
	bool is_function = fc_die_type(die, &to) && dwarf_tag(&to) == DW_TAG_subroutine_type;
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);

	be_number(node, 8, BTF_INT_SIGNED);
	node->name = fc_dietypes_name(types, "member pointer");
	node->tags |= FC_TAG_MEMBER_POINTER;
	if (!is_function)
		return;
	uint32_t word = fc_typegraph_add(&types->graph);
	struct fc_typenode *its = fc_typegraph_node(&types->graph, word);
	be_number(its, 8, BTF_INT_SIGNED);
	its->name = fc_dietypes_name(types, "long");
	be_opaque(fc_typegraph_node(&types->graph, id), 16);
	fc_typegraph_item(&types->graph, id,
			  (struct fc_typeitem){ fc_dietypes_name(types, "ptr"), word, 0, 0 });
	fc_typegraph_item(&types->graph, id,
			  (struct fc_typeitem){ fc_dietypes_name(types, "adj"), word, 0, 64 });
}

static void read_named(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die, uint8_t kind)
{
	bool is_local;
	uint32_t of = fc_dietypes_node_of(types, die);
	uint32_t name =
		kind == BTF_KIND_TYPEDEF ? fc_dietypes_full_name(types, die, &is_local) : 0;
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);

	node->kind = kind;
	node->of = of;
	node->name = name;
}

/* ---- arrays ---- */

/* Elements of a dimension; 0: not known. */
static uint32_t elements(Dwarf_Die *range)
{
	uint64_t nr = 0, lower = 0, upper;

	if (!fc_die_number(range, DW_AT_count, &nr)) {
		fc_die_number(range, DW_AT_lower_bound, &lower);
		if (!fc_die_number(range, DW_AT_upper_bound, &upper) || upper < lower)
			return 0;
		nr = upper - lower + 1;
	}
	return nr < UINT32_MAX ? (uint32_t)nr : 0;
}

static size_t read_dimensions(Dwarf_Die *die, uint32_t ret[DIMENSIONS])
{
	Dwarf_Die range;
	size_t nr = 0;

	if (dwarf_child(die, &range))
		return 0;
	do {
		int tag = dwarf_tag(&range);
		if (tag == DW_TAG_subrange_type || tag == DW_TAG_enumeration_type)
			ret[nr++] = elements(&range);
	} while (nr < DIMENSIONS && !dwarf_siblingof(&range, &range));
	return nr;
}

/* The last dimension's elements lie side by side: its array is the innermost. */
static void read_array(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	uint32_t dimensions[DIMENSIONS] = { 0 };
	uint32_t of = fc_dietypes_node_of(types, die);
	size_t nr = read_dimensions(die, dimensions);

	for (size_t i = nr; i-- > 1;) {
		uint32_t inner = fc_typegraph_add(&types->graph);
		*fc_typegraph_node(&types->graph, inner) = (struct fc_typenode){
			.kind = BTF_KIND_ARRAY, .of = of, .size = dimensions[i]
		};
		of = inner;
	}
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);
	node->kind = BTF_KIND_ARRAY;
	node->of = of;
	node->size = dimensions[0];
	if (fc_die_flag(die, DW_AT_GNU_vector))
		node->tags |= FC_TAG_VECTOR;
}

/* ---- enums ---- */

static bool is_signed_type(Dwarf_Die *die)
{
	Dwarf_Die type, peeled;
	uint64_t encoding = 0;

	return fc_die_type(die, &type) && !dwarf_peel_type(&type, &peeled) &&
	       fc_die_number(&peeled, DW_AT_encoding, &encoding) &&
	       (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
}

static bool value_of(Dwarf_Die *enumerator, bool *is_signed, uint64_t *ret)
{
	Dwarf_Attribute attr;
	int64_t value;

	if (!dwarf_attr(enumerator, DW_AT_const_value, &attr))
		return false;
	unsigned int form = dwarf_whatform(&attr);
	bool has_sign = form == DW_FORM_sdata || form == DW_FORM_implicit_const;
	if (!has_sign && !*is_signed)
		return fc_die_number(enumerator, DW_AT_const_value, ret);
	if (!fc_die_signed(enumerator, DW_AT_const_value, &value))
		return false;
	*is_signed |= value < 0;
	*ret = (uint64_t)value;
	return true;
}

static uint64_t size_of_enum(Dwarf_Die *die)
{
	Dwarf_Die type, peeled;
	uint64_t size = 0;

	if (!fc_die_number(die, DW_AT_byte_size, &size) && fc_die_type(die, &type) &&
	    !dwarf_peel_type(&type, &peeled))
		fc_die_number(&peeled, DW_AT_byte_size, &size);
	return is_power_of_2(size, 8) ? size : 4;
}

static void read_enum(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	bool is_local, is_signed = is_signed_type(die);
	uint32_t name = fc_dietypes_full_name(types, die, &is_local);
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);
	Dwarf_Die child;

	node->kind = BTF_KIND_ENUM;
	node->name = name;
	node->size = (uint32_t)size_of_enum(die);
	if (!dwarf_child(die, &child))
		do {
			struct fc_typeitem item = { 0 };
			if (dwarf_tag(&child) != DW_TAG_enumerator ||
			    !value_of(&child, &is_signed, &item.value))
				continue;
			item.name = fc_dietypes_name(types, fc_die_name(&child));
			if (!types->left || !fc_typegraph_item(&types->graph, id, item))
				break;
			types->left--;
		} while (!dwarf_siblingof(&child, &child));
	fc_typegraph_node(&types->graph, id)->encoding = is_signed;
}

/* ---- functions ---- */

/* The parameters, as items; "..." has neither name nor type. */
static void read_params(struct fc_dietypes *types, uint32_t node, Dwarf_Die *die)
{
	Dwarf_Die child;
	uint32_t nr = 0;

	if (dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		struct fc_typeitem item = { 0 };
		if (!types->left)
			return;
		types->left--;
		if (tag == DW_TAG_formal_parameter) {
			item.name = fc_dietypes_name(types, fc_die_name(&child));
			item.of = fc_dietypes_node_of(types, &child);
			if (!item.of)
				item.of = fc_typegraph_add(&types->graph);
		}
		if (tag == DW_TAG_unspecified_parameters || item.of)
			fc_typegraph_item(&types->graph, node, item);
		nr += tag == DW_TAG_formal_parameter;
		if (tag == DW_TAG_unspecified_parameters || nr == PARAMS)
			return;
	} while (!dwarf_siblingof(&child, &child));
}

static void read_proto(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	uint32_t result = fc_dietypes_node_of(types, die);
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);

	node->kind = BTF_KIND_FUNC_PROTO;
	node->of = result;
	read_params(types, id, die);
}

/* ---- all ---- */

static void read_struct(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	bool is_local;
	uint32_t name = fc_dietypes_full_name(types, die, &is_local);

	fc_typegraph_node(&types->graph, id)->name = name;
	fc_dieclass_read(types, id, die);
}

static void read_other(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	struct fc_typenode *node = fc_typegraph_node(&types->graph, id);
	uint64_t size = 0;

	fc_die_number(die, DW_AT_byte_size, &size);
	node->name = fc_dietypes_name(types, fc_die_name(die));
	be_opaque(node, size);
}

static void read_entry(struct fc_dietypes *types, uint32_t id, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	if (fc_dietypes_is_struct(tag))
		read_struct(types, id, die);
	else if (tag == DW_TAG_base_type)
		read_base(types, id, die);
	else if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
		 tag == DW_TAG_rvalue_reference_type)
		read_pointer(types, id, die);
	else if (tag == DW_TAG_ptr_to_member_type)
		read_member_pointer(types, id, die);
	else if (tag == DW_TAG_typedef || tag == DW_TAG_template_alias)
		read_named(types, id, die, BTF_KIND_TYPEDEF);
	else if (tag == DW_TAG_const_type)
		read_named(types, id, die, BTF_KIND_CONST);
	else if (tag == DW_TAG_array_type)
		read_array(types, id, die);
	else if (tag == DW_TAG_enumeration_type)
		read_enum(types, id, die);
	else if (tag == DW_TAG_subroutine_type)
		read_proto(types, id, die);
	else
		read_other(types, id, die);
}

void fc_dieread_all(struct fc_dietypes *types)
{
	while (types->unread.nr && types->left) {
		struct fc_unread next = types->unread.at[--types->unread.nr];
		types->left--;
		read_entry(types, next.node, &next.die);
	}
}
