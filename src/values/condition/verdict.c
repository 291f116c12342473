/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.c - is a condition true of a call? */
#include "values/condition/condition_private.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "values/extended.h"
#include "values/type.h"

/* Numbers of errors are less: MAX_ERRNO of the kernel's include/linux/err.h. */
enum { ERRORS = 4096, PARAM_ERRNO = 0x10000, MOST_NESTED = 8 };

enum truth { NO, YES, UNKNOWN };

static enum truth truth_of(bool is_so)
{
	return is_so ? YES : NO;
}

/* The call whose values a condition is evaluated on. */
struct asking {
	const struct fc_values *values;
	struct fc_value_words args, result;
	const struct fc_types *types; /* of the function */
	uint32_t func;
};

static struct fc_type proto_of(const struct asking *asking)
{
	return fc_type_of_func(asking->types, asking->func);
}

/* ---- names ---- */

static bool is_called(const char *path, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(path, name, len);
}

/* "arg1" is 0. False: it is no such name, or of none that there is. */
static bool find_numbered(const char *path, size_t len, uint32_t nr, uint32_t *ret)
{
	uint32_t i = 0;
	if (len < 4 || len > 6 || memcmp(path, "arg", 3) != 0)
		return false;
	for (size_t k = 3; k < len; k++) {
		if (path[k] < '0' || path[k] > '9')
			return false;
		i = i * 10 + (uint32_t)(path[k] - '0');
	}
	*ret = i - 1;
	return i && i <= nr;
}

/* The parameter that a name begins with. A parameter may be called "ret". */
static bool find_param(const struct asking *asking, const char *path, size_t len, uint32_t *ret)
{
	struct fc_type proto = proto_of(asking);
	for (uint32_t i = 0; i < proto.nr; i++) {
		*ret = i;
		if (is_called(path, len, fc_type_param(&proto, i).name))
			return true;
	}
	if (find_numbered(path, len, proto.nr, ret))
		return true;
	if (is_called(path, len, "errno")) {
		*ret = PARAM_ERRNO;
		return true;
	}
	*ret = FC_PARAM_RESULT;
	return (is_called(path, len, "ret") || is_called(path, len, "result")) && proto.of;
}

static size_t first_len(const char *path)
{
	return strcspn(path, ".");
}

/* ---- values, and what lies within them ---- */

/* A value, or a part of one. Without its bytes: only its type is looked for. */
struct part {
	const struct fc_types *types;
	uint32_t type;
	struct fc_value_bytes value;
	const struct fc_value_links *links; /* what pointers in it lead to */
	uint32_t bit, bits;		    /* of a bit-field; bits 0: it is none */
};

/* To what a pointer leads. */
static bool follow(struct part *part)
{
	struct fc_type type = fc_type_at(part->types, part->type);
	if (type.kind != FC_TYPE_POINTER || !type.of)
		return false;
	const struct fc_value_bytes *behind =
		part->value.is_there
			? fc_value_behind(part->types, type.of, &part->value, part->links)
			: NULL;
	part->type = type.of;
	part->value = behind ? *behind : (struct fc_value_bytes){ 0 };
	return true;
}

/* The member of that name, also of members that have none. */
static bool find_member(const struct fc_types *types, uint32_t id, const char *name, size_t len,
			unsigned depth, uint64_t *bit, uint32_t *bits, uint32_t *type)
{
	struct fc_type of = fc_type_at(types, id);
	if (!fc_type_has_members(&of) || depth == MOST_NESTED)
		return false;
	for (uint32_t i = 0; i < of.nr; i++) {
		struct fc_member member = fc_type_member(&of, i);
		uint64_t before = *bit;
		*bit += member.bit;
		if (is_called(name, len, member.name)) {
			*bits = member.bits;
			*type = member.type;
			return true;
		}
		if (!*member.name &&
		    find_member(types, member.type, name, len, depth + 1, bit, bits, type))
			return true;
		*bit = before;
	}
	return false;
}

static bool go_into(struct part *part, const char *name, size_t len)
{
	uint64_t bit = 0;
	uint32_t bits = 0, type = 0;
	struct fc_type of = fc_type_at(part->types, part->type);
	if (of.kind == FC_TYPE_POINTER && !follow(part))
		return false;
	if (!find_member(part->types, part->type, name, len, 0, &bit, &bits, &type))
		return false;
	uint64_t off = bit / 8, size = fc_types_size(part->types, type);
	struct fc_value_bytes *value = &part->value;
	value->is_there = value->is_there && off < value->nr;
	if (value->is_there) {
		value->at += off;
		value->nr -= off;
		value->nr = value->nr > size && !bits ? size : value->nr;
	}
	part->type = type;
	part->bit = bit % 8;
	part->bits = bits;
	return true;
}

/* Fields, and what "*" stands before. False: there is no such field. */
static bool go_down(const struct fc_term *term, struct part *part)
{
	const char *path = term->name + first_len(term->name);
	while (*path) {
		path++;
		if (!go_into(part, path, first_len(path)))
			return false;
		path += first_len(path);
	}
	return !term->is_behind || follow(part);
}

/* ---- numbers ---- */

enum kind { NOTHING, WHOLE, REAL };

struct number {
	enum kind kind;
	bool is_float; /* of four bytes */
	__int128 whole;
	long double real;
};

static long double real_of(const struct fc_value_bytes *value, uint64_t size)
{
	float narrow;
	double plain;
	if (size == sizeof(narrow)) {
		memcpy(&narrow, value->at, sizeof(narrow));
		return (long double)narrow;
	}
	if (size == sizeof(plain)) {
		memcpy(&plain, value->at, sizeof(plain));
		return (long double)plain;
	}
	return fc_extended_get(value->at);
}

static struct number float_of(const struct part *part, const struct fc_type *type)
{
	struct number ret = { .is_float = type->size == sizeof(float) };
	bool is_quad = strstr(type->name, "128");
	if (part->value.nr < type->size || type->size < sizeof(float) || is_quad)
		return ret;
	ret.real = real_of(&part->value, type->size);
	ret.kind = isnan(ret.real) ? NOTHING : REAL;
	return ret;
}

static uint64_t bits_of(const struct part *part)
{
	unsigned __int128 wide = fc_value_number(&part->value, 8);
	if (part->value.nr > 8)
		wide |= (unsigned __int128)part->value.at[8] << 64;
	wide >>= part->bit;
	return (uint64_t)wide & (part->bits < 64 ? (1ull << part->bits) - 1 : UINT64_MAX);
}

/* The number that a value is; an address, of a pointer. NOTHING: it is none, or is not there. */
static struct number number_of(const struct part *part)
{
	struct number ret = { NOTHING };
	struct fc_type type = fc_type_at(part->types, part->type);
	uint64_t size = type.size;
	if (!part->value.is_there)
		return ret;
	if (type.kind == FC_TYPE_FLOAT)
		return float_of(part, &type);
	uint64_t needed = part->bits ? (part->bit + part->bits + 7) / 8 : size;
	if (!fc_type_is_whole(&type) || !size || size > 8 || part->value.nr < needed)
		return ret;
	uint64_t word = part->bits ? bits_of(part) : fc_value_number(&part->value, size);
	uint32_t bits = part->bits ? part->bits : (uint32_t)size * 8;
	ret.kind = WHOLE;
	ret.whole = fc_types_is_signed(part->types, part->type)
			    ? (__int128)fc_value_extend(word, bits)
			    : (__int128)word;
	return ret;
}

/* ---- constants ---- */

static bool find_enumerator(const struct fc_types *types, uint32_t id, const char *name,
			    __int128 *ret)
{
	struct fc_type type = fc_type_at(types, id);
	for (uint32_t i = 0; type.kind == FC_TYPE_ENUM && i < type.nr; i++) {
		struct fc_enumerator one = fc_type_enumerator(&type, i);
		if (strcmp(one.name, name) != 0)
			continue;
		uint64_t value = (uint64_t)one.value;
		uint32_t bits = type.size < 8 ? type.size * 8 : 64;
		if (!type.is_signed && bits < 64)
			value &= (1ull << bits) - 1;
		*ret = type.is_signed ? (__int128)fc_value_extend(value, bits)
				      : (__int128)value;
		return true;
	}
	return false;
}

static bool find_error(const char *name, __int128 *ret)
{
	for (int error = 1; error < ERRORS && name[0] == 'E'; error++) {
		const char *known = strerrorname_np(error);
		*ret = error;
		if (known && !strcmp(known, name))
			return true;
	}
	return false;
}

/* The number of a named constant, of the type that a value is compared in. */
static bool find_named(const struct fc_types *types, uint32_t type, const char *name,
		       __int128 *ret)
{
	*ret = !strcmp(name, "true");
	return *ret || !strcmp(name, "false") || !strcmp(name, "NULL") ||
	       find_enumerator(types, type, name, ret) || find_error(name, ret);
}

static bool take_constant(const struct part *part, const struct fc_operand *constant,
			  struct number *ret)
{
	*ret = (struct number){ WHOLE };
	for (uint32_t i = 0; i < constant->nr; i++) {
		const struct fc_word *word = &constant->word[i];
		__int128 whole = word->number;
		if (word->name && !find_named(part->types, part->type, word->name, &whole))
			return false;
		ret->kind = word->is_real ? REAL : WHOLE;
		ret->real = word->is_negative ? -word->real : word->real;
		ret->whole |= word->is_negative ? -whole : whole;
	}
	return constant->nr;
}

/* ---- comparisons ---- */

static enum truth by_order(enum fc_compare compare, int order)
{
	switch (compare) {
	case FC_EQ:
		return truth_of(!order);
	case FC_NE:
		return truth_of(order);
	case FC_LT:
		return truth_of(order < 0);
	case FC_LE:
		return truth_of(order <= 0);
	case FC_GT:
		return truth_of(order > 0);
	case FC_GE:
		return truth_of(order >= 0);
	default:
		return UNKNOWN;
	}
}

static int order_of(const struct number *a, const struct number *b)
{
	if (a->kind == WHOLE && b->kind == WHOLE)
		return (a->whole > b->whole) - (a->whole < b->whole);
	long double x = a->kind == WHOLE ? (long double)a->whole : a->real;
	long double y = b->kind == WHOLE ? (long double)b->whole : b->real;
	/* 0.1f is what is shown as 0.1. */
	if (a->is_float && y > -1e38L && y < 1e38L)
		y = (long double)(float)y;
	return (x > y) - (x < y);
}

static bool is_pointer(const struct part *part)
{
	return fc_type_at(part->types, part->type).kind == FC_TYPE_POINTER;
}

static enum truth compare_numbers(const struct fc_term *term, const struct part *part)
{
	struct number value = number_of(part), mask, than;
	if (term->has_mask) {
		if (value.kind != WHOLE || !take_constant(part, &term->mask, &mask) ||
		    mask.kind != WHOLE)
			return UNKNOWN;
		value.whole &= mask.whole;
	}
	if (value.kind == NOTHING)
		return UNKNOWN;
	if (term->compare == FC_IS_SET)
		return truth_of(value.kind == WHOLE ? value.whole != 0 : value.real != 0);
	if (!take_constant(part, &term->value, &than))
		return UNKNOWN;
	/* MAP_FAILED is -1. */
	if (is_pointer(part) && than.kind == WHOLE && than.whole < 0)
		than.whole = (__int128)(uint64_t)than.whole;
	return by_order(term->compare, order_of(&value, &than));
}

/* A text, and whether it is only the begin of one. */
struct text {
	char at[FC_VALUE_TEXT];
	bool is_cut;
};

static void take_bytes(const struct fc_value_bytes *bytes, struct text *ret)
{
	size_t nr = bytes->nr < sizeof(ret->at) - 1 ? bytes->nr : sizeof(ret->at) - 1;
	if (nr)
		memcpy(ret->at, bytes->at, nr);
	ret->at[nr] = 0;
	ret->is_cut = strlen(ret->at) == nr && (bytes->is_cut || nr < bytes->nr);
}

/* The bytes of a string or a buffer; another value as it is shown. False: not known. */
static bool text_of(const struct part *part, struct text *ret)
{
	uint32_t item = 0;
	struct fc_value_bytes bytes;
	struct fc_value_text text;
	struct fc_type type = fc_type_at(part->types, part->type);
	if (!type.id || !part->value.is_there || part->bits)
		return false;
	if (fc_value_string(part->types, part->type, &part->value, part->links, &bytes)) {
		take_bytes(&bytes, ret);
		return true;
	}
	if (type.kind == FC_TYPE_POINTER) {
		const struct fc_value_bytes *behind =
			fc_types_size(part->types, type.of)
				? NULL
				: fc_value_behind(part->types, type.of, &part->value,
						  part->links);
		if (behind && behind->is_there)
			take_bytes(behind, ret);
		return behind && behind->is_there;
	}
	if (fc_types_item(part->types, part->type, &item) &&
	    fc_types_is_char(part->types, item)) {
		take_bytes(&part->value, ret);
		return true;
	}
	fc_value_text_clear(&text);
	fc_value_text_put(&text, part->types, part->type, &part->value, part->links);
	memcpy(ret->at, text.at, sizeof(ret->at));
	ret->is_cut = text.nr >= 3 && !strcmp(text.at + text.nr - 3, "...");
	return strcmp(text.at, "?") != 0;
}

/* Match a glob. If the text was cut, only what its begin decides is certain. */
static enum truth match_glob(const struct text *text, const char *glob)
{
	size_t plain = strcspn(glob, "*?[\\"), len = strlen(glob);
	bool is_open = len && glob[len - 1] == '*' && (len < 2 || glob[len - 2] != '\\');
	bool is_matched = !fnmatch(glob, text->at, 0);
	if (!text->is_cut || (is_open && is_matched))
		return truth_of(is_matched);
	size_t nr = strlen(text->at) < plain ? strlen(text->at) : plain;
	bool ends_before = !glob[plain] && strlen(text->at) >= plain;
	return memcmp(text->at, glob, nr) != 0 || ends_before ? NO : UNKNOWN;
}

static enum truth compare_texts(const struct fc_term *term, const struct part *part)
{
	struct text text;
	if (!text_of(part, &text))
		return UNKNOWN;
	const char *than = term->value.text;
	if (term->compare == FC_LIKE || term->compare == FC_UNLIKE) {
		enum truth ret = match_glob(&text, than);
		return ret == UNKNOWN || term->compare == FC_LIKE ? ret : truth_of(ret == NO);
	}
	size_t len = strlen(text.at);
	if (!text.is_cut || strncmp(text.at, than, len) != 0)
		return by_order(term->compare, strcmp(text.at, than));
	/* It begins so and goes on: it is more than its begin. */
	return strlen(than) > len ? UNKNOWN : by_order(term->compare, 1);
}

static struct fc_value_bytes number_bytes(const int *number)
{
	return (struct fc_value_bytes){ (const uint8_t *)number, sizeof(*number), true, false };
}

static enum truth compare_errno(const struct asking *asking, const struct fc_term *term)
{
	int error = 0;
	struct number value = { WHOLE }, mask, than;
	struct part part = { .types = asking->types };
	if (!fc_values_errno(asking->values, asking->result, &error))
		return UNKNOWN;
	value.whole = error;
	part.value = number_bytes(&error);
	if (term->has_mask && take_constant(&part, &term->mask, &mask))
		value.whole &= mask.whole;
	if (term->compare == FC_IS_SET)
		return truth_of(value.whole != 0);
	if (term->value.text || !take_constant(&part, &term->value, &than))
		return UNKNOWN;
	return by_order(term->compare, order_of(&value, &than));
}

static enum truth compare(const struct asking *asking, const struct fc_term *term)
{
	struct fc_value_found found;
	uint32_t param;
	if (!asking->func || !find_param(asking, term->name, first_len(term->name), &param))
		return UNKNOWN;
	if (param == PARAM_ERRNO)
		return compare_errno(asking, term);
	if (!fc_values_find(asking->values, asking->args, asking->result, param, &found))
		return UNKNOWN;
	struct part part = { .types = found.types,
			     .type = found.type,
			     .value = found.shown.value,
			     .links = &found.shown.links };
	if (!go_down(term, &part))
		return UNKNOWN;
	return term->value.text ? compare_texts(term, &part) : compare_numbers(term, &part);
}

/* As in SQL: what is not known stays so, unless the other side decides alone. */
static enum truth judge(const struct fc_condition *condition, const struct asking *asking,
			size_t at)
{
	const struct fc_term *term = &condition->terms.at[at];
	if (term->kind == FC_TERM_COMPARE)
		return compare(asking, term);
	enum truth left = judge(condition, asking, term->left);
	if (term->kind == FC_TERM_NOT)
		return left == UNKNOWN ? UNKNOWN : truth_of(left == NO);
	enum truth decides = term->kind == FC_TERM_AND ? NO : YES;
	if (left == decides)
		return left;
	enum truth right = judge(condition, asking, term->right);
	return right == decides || left != UNKNOWN ? right : UNKNOWN;
}

static bool ask(const struct fc_values *values, struct fc_value_words args,
		struct fc_value_words result, struct asking *ret)
{
	*ret = (struct asking){ .values = values, .args = args, .result = result };
	return values && (fc_values_func(values, args, &ret->types, &ret->func) ||
			  fc_values_func(values, result, &ret->types, &ret->func));
}

bool fc_condition_holds(const struct fc_condition *condition, const struct fc_values *values,
			struct fc_value_words args, struct fc_value_words result)
{
	struct asking asking;
	return ask(values, args, result, &asking) &&
	       judge(condition, &asking, condition->terms.nr - 1) == YES;
}

bool fc_condition_waits(const struct fc_condition *condition, const struct fc_values *values,
			uint32_t func, struct fc_value_words args)
{
	struct asking asking;
	if (!values || !ask(values, args, (struct fc_value_words){ 0 }, &asking))
		return values && fc_values_ends_with(values, func, FC_PARAM_RESULT);
	fc_vec_each (&condition->terms, term) {
		uint32_t param;
		if (term->kind != FC_TERM_COMPARE ||
		    !find_param(&asking, term->name, first_len(term->name), &param))
			continue;
		param = param == PARAM_ERRNO ? FC_PARAM_RESULT : param;
		if (fc_values_ends_with(values, func, param))
			return true;
	}
	return false;
}

/* ---- is all there that is named? ---- */

/* "file, oflag and ret" */
static char *list_params(const struct asking *asking)
{
	struct fc_type proto = proto_of(asking);
	char *ret = fc_strdup("");
	for (uint32_t i = 0; i < proto.nr; i++) {
		const char *name = fc_type_param(&proto, i).name;
		fc_auto_free char *number = fc_asprintf("arg%u", i + 1);
		fc_append(&ret, "%s%s", *ret ? ", " : "", *name ? name : number);
	}
	if (proto.of)
		fc_append(&ret, "%sret", *ret ? ", " : "");
	fc_append(&ret, "%s", *ret ? "" : "no arguments and no result");
	return ret;
}

static const char *func_name(const struct asking *asking)
{
	return fc_type_as_named(asking->types, asking->func).name;
}

static int check_words(const struct asking *asking, const struct fc_term *term,
		       const struct part *part, const struct fc_operand *constant)
{
	__int128 ignored;
	for (uint32_t i = 0; i < constant->nr; i++) {
		const char *name = constant->word[i].name;
		if (name && !find_named(part->types, part->type, name, &ignored))
			return fc_fail(EINVAL, "%s's %s knows no %s; say it as a number",
				       func_name(asking), term->name, name);
	}
	return 0;
}

static int check_term(const struct asking *asking, const struct fc_term *term)
{
	size_t len = first_len(term->name);
	uint32_t param;
	if (!find_param(asking, term->name, len, &param)) {
		fc_auto_free char *has = list_params(asking);
		return fc_fail(EINVAL, "%s has no %.*s: it has %s", func_name(asking), (int)len,
			       term->name, has);
	}
	struct part part = { .types = asking->types };
	struct fc_type proto = proto_of(asking);
	if (param < proto.nr)
		part.type = fc_type_param(&proto, param).type;
	else if (param == FC_PARAM_RESULT)
		part.type = proto.of;
	if (!go_down(term, &part))
		return fc_fail(EINVAL, "%s's %.*s has no %s%s", func_name(asking), (int)len,
			       term->name, term->is_behind ? "*" : "",
			       term->name + len + (term->name[len] == '.'));
	int err = check_words(asking, term, &part, &term->mask);
	return err ? err : check_words(asking, term, &part, &term->value);
}

int fc_condition_check(const struct fc_condition *condition, const struct fc_values *values,
		       struct fc_value_words args, struct fc_value_words result)
{
	struct asking asking;
	if (!ask(values, args, result, &asking))
		return -ENOENT;
	fc_vec_each (&condition->terms, term) {
		int err = term->kind == FC_TERM_COMPARE ? check_term(&asking, term) : 0;
		if (err)
			return err;
	}
	return 0;
}
