/* SPDX-License-Identifier: Apache-2.0 */
/* specifiers.c - parses the types of C by their names, and those that a declaration makes. */
#include <stdlib.h>
#include <string.h>

#include "values/proto/layout.h"
#include "values/proto/parser.h"

static bool read_specifiers(struct fc_parser *p, struct fc_specifiers *ret);
static uint32_t read_struct(struct fc_parser *p, bool is_union);
static uint32_t read_enum(struct fc_parser *p);

/* How often each word stood there. */
enum word {
	WORD_VOID,
	WORD_CHAR,
	WORD_SHORT,
	WORD_INT,
	WORD_LONG,
	WORD_FLOAT,
	WORD_DOUBLE,
	WORD_SIGNED,
	WORD_UNSIGNED,
	WORD_BOOL,
	WORD_INT128,
	WORD_COMPLEX,
	WORD_FLOAT16,
	WORD_FLOAT128,
	WORD_VA_LIST,
	NR_WORDS,
	WORD_FLOAT32X, /* double */
	WORD_FLOAT64X, /* long double */
	WORD_UINT128,  /* unsigned __int128 */
};

static const struct {
	const char *text;
	enum word word;
} words[] = {
	{ "void", WORD_VOID },		 { "char", WORD_CHAR },
	{ "short", WORD_SHORT },	 { "int", WORD_INT },
	{ "long", WORD_LONG },		 { "float", WORD_FLOAT },
	{ "double", WORD_DOUBLE },	 { "signed", WORD_SIGNED },
	{ "__signed__", WORD_SIGNED },	 { "__signed", WORD_SIGNED },
	{ "unsigned", WORD_UNSIGNED },	 { "_Bool", WORD_BOOL },
	{ "bool", WORD_BOOL },		 { "__int128", WORD_INT128 },
	{ "__int128_t", WORD_INT128 },	 { "__uint128_t", WORD_UINT128 },
	{ "_Complex", WORD_COMPLEX },	 { "__complex__", WORD_COMPLEX },
	{ "_Float16", WORD_FLOAT16 },	 { "_Float32", WORD_FLOAT },
	{ "_Float64", WORD_DOUBLE },	 { "_Float32x", WORD_DOUBLE },
	{ "_Float64x", WORD_FLOAT64X },	 { "_Float128", WORD_FLOAT128 },
	{ "__float128", WORD_FLOAT128 }, { "__builtin_va_list", WORD_VA_LIST },
};

static int word_at(const struct fc_parser *p)
{
	if (p->token.kind == FC_TOKEN_NAME)
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (fc_token_is(&p->token, words[i].text))
				return (int)words[i].word;
	return -1;
}

/* Words that say nothing about values. */
static bool take_idle(struct fc_parser *p)
{
	static const char *const idle[] = { "volatile",	     "__volatile__", "restrict",
					    "__restrict",    "__restrict__", "extern",
					    "static",	     "inline",	     "__inline",
					    "__inline__",    "register",     "_Noreturn",
					    "_Thread_local", "__thread",     "_Atomic" };
	for (size_t i = 0; p->token.kind == FC_TOKEN_NAME && i < sizeof(idle) / sizeof(idle[0]);
	     i++)
		if (fc_parser_take(p, idle[i]))
			return true;
	return false;
}

static bool take_const(struct fc_parser *p)
{
	return fc_parser_take(p, "const") || fc_parser_take(p, "__const") ||
	       fc_parser_take(p, "__const__");
}

static uint32_t typedef_at(const struct fc_parser *p)
{
	char name[256];
	if (p->token.kind != FC_TOKEN_NAME || p->token.len >= sizeof(name))
		return 0;
	memcpy(name, p->token.at, p->token.len);
	name[p->token.len] = 0;
	return fc_types_find_typedef(p->types, name);
}

static bool is_tag_word(const struct fc_parser *p)
{
	return fc_parser_is(p, "struct") || fc_parser_is(p, "union") || fc_parser_is(p, "enum");
}

static bool is_type(const struct fc_parser *p)
{
	return p->token.kind == FC_TOKEN_NAME &&
	       (word_at(p) >= 0 || is_tag_word(p) || fc_parser_is(p, "const") ||
		fc_parser_is(p, "volatile") || typedef_at(p));
}

/* An array of one struct, as the psABI has it: passed by its address. */
static uint32_t va_list_type(struct fc_parser *p)
{
	uint32_t known = fc_types_find_tag(p->types, "__va_list_tag");
	uint32_t word = fc_types_number(p->types, "unsigned int", 4, FC_NUMBER_UNSIGNED);
	uint32_t pointer = fc_types_pointer(p->types, 0);
	const struct fc_member members[] = { { "gp_offset", word, 0, 0 },
					     { "fp_offset", word, 32, 0 },
					     { "overflow_arg_area", pointer, 64, 0 },
					     { "reg_save_area", pointer, 128, 0 } };
	if (!known)
		known = fc_types_struct(p->types, "__va_list_tag", false, 24, 8, members, 4);
	return fc_types_array(p->types, known, 1);
}

static uint32_t float_of(struct fc_parser *p, const char *name, uint32_t size, bool is_complex)
{
	uint32_t part = fc_types_float(p->types, name, size);
	const struct fc_member members[] = { { "re", part, 0, 0 },
					     { "im", part, size * 8, 0 } };
	return is_complex ? fc_types_struct(p->types, "", false, 2 * size, size, members, 2)
			  : part;
}

static uint32_t integer_of(struct fc_parser *p, const uint8_t nr[])
{
	bool is_unsigned = nr[WORD_UNSIGNED];
	enum fc_number_kind kind = is_unsigned ? FC_NUMBER_UNSIGNED : FC_NUMBER_SIGNED;
	if (nr[WORD_CHAR] && !is_unsigned && !nr[WORD_SIGNED])
		return fc_types_number(p->types, "char", 1, FC_NUMBER_CHAR);
	if (nr[WORD_CHAR])
		return fc_types_number(p->types, is_unsigned ? "unsigned char" : "signed char",
				       1, kind);
	if (nr[WORD_SHORT])
		return fc_types_number(p->types, is_unsigned ? "unsigned short" : "short", 2,
				       kind);
	if (nr[WORD_INT128])
		return fc_types_number(p->types, is_unsigned ? "unsigned __int128" : "__int128",
				       16, kind);
	if (nr[WORD_LONG] > 1)
		return fc_types_number(
			p->types, is_unsigned ? "unsigned long long" : "long long", 8, kind);
	if (nr[WORD_LONG])
		return fc_types_number(p->types, is_unsigned ? "unsigned long" : "long", 8,
				       kind);
	return fc_types_number(p->types, is_unsigned ? "unsigned int" : "int", 4, kind);
}

static uint32_t type_of_words(struct fc_parser *p, const uint8_t nr[])
{
	bool is_complex = nr[WORD_COMPLEX];
	if (nr[WORD_VOID])
		return 0;
	if (nr[WORD_VA_LIST])
		return va_list_type(p);
	if (nr[WORD_BOOL])
		return fc_types_number(p->types, "_Bool", 1, FC_NUMBER_BOOL);
	if (nr[WORD_FLOAT])
		return float_of(p, "float", 4, is_complex);
	if (nr[WORD_FLOAT16])
		return float_of(p, "_Float16", 2, is_complex);
	if (nr[WORD_FLOAT128])
		return float_of(p, "_Float128", 16, is_complex);
	if (nr[WORD_DOUBLE] || is_complex)
		return nr[WORD_LONG] ? float_of(p, "long double", 16, is_complex)
				     : float_of(p, "double", 8, is_complex);
	return integer_of(p, nr);
}

/* Do the words make a type, at most one? */
static bool fit(const uint8_t nr[])
{
	int others = nr[WORD_VOID] + nr[WORD_BOOL] + nr[WORD_FLOAT] + nr[WORD_FLOAT16] +
		     nr[WORD_FLOAT128] + nr[WORD_VA_LIST];
	int sizes = nr[WORD_CHAR] + nr[WORD_SHORT] + nr[WORD_INT128] + nr[WORD_DOUBLE];
	int signs = nr[WORD_SIGNED] + nr[WORD_UNSIGNED];
	if (others > 1 || sizes > 1 || signs > 1 || nr[WORD_LONG] > 2 || nr[WORD_INT] > 1)
		return false;
	if (others)
		return !sizes && !signs && !nr[WORD_LONG] && !nr[WORD_INT];
	if (nr[WORD_DOUBLE])
		return !signs && nr[WORD_LONG] <= 1 && !nr[WORD_INT];
	return !nr[WORD_LONG] || !sizes;
}

static uint32_t sized(struct fc_parser *p, uint32_t type, uint64_t size)
{
	bool is_float = fc_types_is_float(p->types, type);
	bool is_signed = fc_types_is_signed(p->types, type);
	if (is_float)
		return float_of(p, size == 4 ? "float" : "double", (uint32_t)size, false);
	static const char *const names[][2] = { { "unsigned char", "signed char" },
						{ "unsigned short", "short" },
						{ "unsigned int", "int" },
						{ "unsigned long", "long" },
						{ "unsigned __int128", "__int128" } };
	return fc_types_number(p->types, names[__builtin_ctzll(size)][is_signed],
			       (uint32_t)size,
			       is_signed ? FC_NUMBER_SIGNED : FC_NUMBER_UNSIGNED);
}

static bool read_specifiers(struct fc_parser *p, struct fc_specifiers *ret)
{
	uint8_t nr[NR_WORDS] = { 0 };
	bool is_const = false, has_type = false, has_words = false, has_any = false;
	struct fc_token at = p->token;
	*ret = (struct fc_specifiers){ 0 };
	while (!p->err) {
		fc_parser_attributes(p, &ret->attributes);
		int word = word_at(p);
		if (take_idle(p)) {
		} else if (take_const(p)) {
			is_const = true;
		} else if (fc_parser_take(p, "typedef")) {
			ret->is_typedef = true;
		} else if (word >= 0 && !has_type) {
			if (word > NR_WORDS) {
				nr[WORD_LONG] = word == WORD_FLOAT64X;
				nr[WORD_UNSIGNED] = word == WORD_UINT128;
				word = word == WORD_UINT128 ? WORD_INT128 : WORD_DOUBLE;
			}
			nr[word] += nr[word] < UINT8_MAX;
			has_words = true;
			fc_parser_next(p);
		} else if (is_tag_word(p) && !has_type && !has_words) {
			bool is_struct = fc_parser_is(p, "struct");
			ret->type = fc_parser_is(p, "enum") ? read_enum(p)
							    : read_struct(p, !is_struct);
			has_type = true;
		} else if (!has_type && !has_words && typedef_at(p)) {
			ret->type = typedef_at(p);
			fc_parser_next(p);
			has_type = true;
		} else {
			break;
		}
		has_any = true;
	}
	if (has_words && !fit(nr))
		fc_parser_fail(p, &at, "these words make no type");
	if (has_words && !p->err)
		ret->type = type_of_words(p, nr);
	if (ret->attributes.size && ret->type)
		ret->type = sized(p, ret->type, ret->attributes.size);
	if (has_any && !has_type && !has_words)
		fc_parser_fail(p, &p->token, "a type is missing before \"%.*s\"",
			       FC_PARSER_SHOWN(&p->token));
	if (is_const)
		ret->type = fc_types_const(p->types, ret->type);
	if (has_type || has_words)
		return true;
	fc_attributes_deinit(&ret->attributes);
	return false;
}

static uint32_t type_name(struct fc_parser *p)
{
	struct fc_specifiers specifiers;
	struct fc_declarator declarator = { 0 };
	if (!fc_parser_enter(p))
		return 0;
	if (read_specifiers(p, &specifiers)) {
		fc_parser_declarator(p, specifiers.type, &declarator);
		if (declarator.name.len)
			fc_parser_fail(p, &declarator.name, "there is to be no name here");
	}
	fc_attributes_deinit(&specifiers.attributes);
	fc_attributes_deinit(&declarator.attributes);
	fc_parser_leave(p);
	return declarator.type;
}

/* ---- struct, union, enum ---- */

/* A member as it was declared; where it lies is known when all of the struct is. */
struct declared {
	struct fc_token at;
	struct fc_member member;
	uint64_t size, align, forced;
	bool is_bits, is_told;
};

struct members {
	FC_VEC(struct declared) list;
};

static void add_member(struct fc_parser *p, struct members *members,
		       const struct fc_declarator *declarator, bool is_bits, uint32_t nr_bits,
		       uint64_t forced)
{
	bool has_name = declarator->name.len;
	struct declared one = {
		.at = has_name ? declarator->name : p->token,
		.member = { .name = has_name ? fc_parser_text(p, &declarator->name) : "",
			    .type = declarator->type,
			    .bits = nr_bits },
		.size = fc_types_size(p->types, declarator->type),
		.align = fc_types_align(p->types, declarator->type),
		.forced = forced,
		.is_bits = is_bits,
		.is_told = has_name || !is_bits,
	};
	if (declarator->is_func || (!one.size && !one.align))
		fc_parser_fail(p, &one.at, "the size of a member is not known");
	else if (has_name && is_bits && !nr_bits)
		fc_parser_fail(p, &one.at, "a bit-field of no bits has no name");
	else if (nr_bits > one.size * 8 || (is_bits && one.size > 8))
		fc_parser_fail(p, &one.at, "so many bits do not fit into its type");
	else if (members->list.nr == FC_PARSER_MOST)
		fc_parser_fail(p, &one.at, "the struct has too many members");
	fc_vec_push(&members->list, one);
}

static void read_member(struct fc_parser *p, struct members *members, bool is_first,
			const struct fc_specifiers *specifiers)
{
	struct fc_declarator declarator = { 0 };
	bool is_bits = false;
	uint64_t nr_bits = 0;
	if (is_first && fc_parser_is(p, ";"))
		declarator.type = specifiers->type; /* of an anonymous struct */
	else if (fc_parser_is(p, ":"))
		declarator.type = specifiers->type;
	else
		fc_parser_declarator(p, specifiers->type, &declarator);
	if (fc_parser_take(p, ":")) {
		is_bits = true;
		nr_bits = fc_parser_size(p, 128);
	}
	fc_parser_attributes(p, &declarator.attributes);
	uint64_t forced = declarator.attributes.align > specifiers->attributes.align
				  ? declarator.attributes.align
				  : specifiers->attributes.align;
	add_member(p, members, &declarator, is_bits, (uint32_t)nr_bits, forced);
	fc_attributes_deinit(&declarator.attributes);
}

static void read_members(struct fc_parser *p, struct members *members)
{
	while (!p->err && !fc_parser_is(p, "}")) {
		struct fc_specifiers specifiers;
		if (fc_parser_take(p, ";"))
			continue;
		if (!read_specifiers(p, &specifiers)) {
			fc_parser_fail(p, &p->token, "a member is missing before \"%.*s\"",
				       FC_PARSER_SHOWN(&p->token));
			break;
		}
		bool is_first = true;
		do {
			read_member(p, members, is_first, &specifiers);
			is_first = false;
		} while (fc_parser_take(p, ","));
		fc_attributes_deinit(&specifiers.attributes);
		fc_parser_expect(p, ";");
	}
	fc_parser_expect(p, "}");
}

static struct fc_token take_tag_name(struct fc_parser *p)
{
	struct fc_token name = { .at = "" };
	if (p->token.kind == FC_TOKEN_NAME) {
		name = p->token;
		fc_parser_next(p);
	}
	return name;
}

/* Lay out the members; returns the struct's size in bytes. */
static uint64_t lay(struct fc_parser *p, struct members *members, struct fc_layout *layout,
		    uint64_t forced)
{
	enum { MOST_BITS = 1 << 24 }; /* that BTF can tell of a struct with bit-fields */
	fc_vec_each (&members->list, one) {
		bool has_name = one->member.name[0];
		one->member.bit = fc_layout_add(layout, one->size, one->align, one->forced,
						one->is_bits, one->member.bits, has_name);
		if (one->member.bit >= MOST_BITS) {
			fc_parser_fail(p, &one->at, "the struct is too large");
			return 0;
		}
	}
	return fc_layout_end(layout, forced);
}

static uint32_t make_struct(struct fc_parser *p, bool is_union, const char *name,
			    struct fc_attributes *attributes)
{
	struct members members = { 0 };
	FC_VEC(struct fc_member) told = { 0 };
	read_members(p, &members);
	fc_parser_attributes(p, attributes);
	struct fc_layout layout = { .is_union = is_union, .is_packed = attributes->is_packed };
	uint64_t size = p->err ? 0 : lay(p, &members, &layout, attributes->align);
	fc_vec_each (&members.list, one)
		if (one->is_told)
			fc_vec_push(&told, one->member);
	uint32_t ret = 0;
	if (!p->err)
		ret = fc_types_struct(p->types, name, is_union, (uint32_t)size,
				      (uint32_t)layout.align, told.at, told.nr);
	fc_vec_free(&told);
	fc_vec_free(&members.list);
	return ret;
}

static void tag_all(struct fc_parser *p, uint32_t id, const struct fc_attributes *attributes)
{
	fc_vec_each (&attributes->tags, tag)
		if (id)
			fc_types_tag(p->types, id, *tag);
}

static uint32_t read_struct(struct fc_parser *p, bool is_union)
{
	struct fc_attributes attributes = { 0 };
	uint32_t ret = 0;
	if (!fc_parser_enter(p))
		return 0;
	fc_parser_next(p);
	fc_parser_attributes(p, &attributes);
	struct fc_token at = p->token, name = take_tag_name(p);
	const char *text = fc_parser_text(p, &name);
	if (fc_parser_take(p, "{")) {
		ret = make_struct(p, is_union, text, &attributes);
		tag_all(p, ret, &attributes);
	} else if (name.len) {
		ret = fc_types_forward(p->types, text, is_union);
	} else {
		fc_parser_fail(p, &at, "a name, or \"{\", is missing");
	}
	fc_attributes_deinit(&attributes);
	fc_parser_leave(p);
	return ret;
}

static uint32_t make_enum(struct fc_parser *p, const char *name,
			  struct fc_attributes *attributes)
{
	FC_VEC(struct fc_enumerator) list = { 0 };
	struct fc_constant next = { 0, false, 32 };
	bool has_negative = false, has_wide = false, has_high = false;
	while (!p->err && !fc_parser_is(p, "}")) {
		struct fc_token token = p->token;
		if (token.kind != FC_TOKEN_NAME || list.nr == FC_PARSER_MOST) {
			fc_parser_fail(p, &token, "the name of a constant is missing");
			break;
		}
		fc_parser_next(p);
		struct fc_attributes own = { 0 };
		fc_parser_attributes(p, &own);
		fc_attributes_deinit(&own);
		if (fc_parser_take(p, "="))
			next = fc_parser_expression(p);
		fc_parser_know(p, &token, next);
		struct fc_enumerator one = { fc_parser_text(p, &token), (int64_t)next.value };
		fc_vec_push(&list, one);
		bool is_negative = !next.is_unsigned && one.value < 0;
		has_negative |= is_negative;
		has_high |= !is_negative && next.value > INT32_MAX;
		has_wide |= is_negative ? one.value < INT32_MIN : next.value > UINT32_MAX;
		next.value++;
		if (!fc_parser_take(p, ","))
			break;
	}
	fc_parser_expect(p, "}");
	fc_parser_attributes(p, attributes);
	has_wide |= has_negative && has_high;
	uint32_t size = attributes->is_packed ? 1 : has_wide ? 8 : 4;
	for (size_t i = 0; attributes->is_packed && i < list.nr; i++)
		while (size < 8 &&
		       (has_negative ? list.at[i].value < -(1ll << (size * 8 - 1)) ||
					       list.at[i].value >= 1ll << (size * 8 - 1)
				     : (uint64_t)list.at[i].value >> size * 8))
			size *= 2;
	uint32_t ret =
		p->err ? 0
		       : fc_types_enum(p->types, name, size, has_negative, list.at, list.nr);
	fc_vec_free(&list);
	return ret;
}

static uint32_t read_enum(struct fc_parser *p)
{
	struct fc_attributes attributes = { 0 };
	uint32_t ret = 0;
	fc_parser_next(p);
	fc_parser_attributes(p, &attributes);
	struct fc_token at = p->token, name = take_tag_name(p);
	const char *text = fc_parser_text(p, &name);
	if (fc_parser_take(p, "{")) {
		ret = make_enum(p, text, &attributes);
		tag_all(p, ret, &attributes);
	} else if (name.len) {
		ret = fc_types_find_tag(p->types, text);
		if (!ret)
			ret = fc_types_number(p->types, "unsigned int", 4, FC_NUMBER_UNSIGNED);
	} else {
		fc_parser_fail(p, &at, "a name, or \"{\", is missing");
	}
	fc_attributes_deinit(&attributes);
	return ret;
}

const struct fc_type_grammar fc_parser_types = {
	.is_type = is_type,
	.type_name = type_name,
	.specifiers = read_specifiers,
};
