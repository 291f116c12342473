/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - formats values by their types. */
#include "values/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "values/extended.h"
#include "values/sequence.h"
#include "values/sockaddr.h"
#include "values/type.h"

enum {
	MOST_FIELDS = 16,
	MOST_ITEMS = 16,
	DEEPEST = 4,	   /* structs in structs */
	CUT = 3,	   /* "..." */
	MOST_OF_ONE = 256, /* of a number, or of a name with one */
};

/* What a value is told with. */
struct telling {
	struct fc_value_text *text;
	const struct fc_types *types;
	const struct fc_value_links *links;
};

void fc_value_text_clear(struct fc_value_text *text)
{
	text->nr = 0;
	text->at[0] = 0;
}

/* It is cut, or nothing can be added any more without that. */
static bool is_full(const struct fc_value_text *text)
{
	return text->nr >= sizeof(text->at) - 1 - CUT;
}

void fc_value_text_add(struct fc_value_text *text, const char *more)
{
	size_t room = sizeof(text->at) - 1 - CUT, nr = strlen(more);
	if (text->nr > room) /* it is cut */
		return;
	bool is_cut = nr > room - text->nr;
	nr = is_cut ? room - text->nr : nr;
	memcpy(text->at + text->nr, more, nr);
	text->nr += nr;
	memcpy(text->at + text->nr, is_cut ? "..." : "", is_cut ? CUT + 1 : 1);
	text->nr += is_cut ? CUT : 0;
}

__attribute__((format(printf, 2, 3))) static void add(const struct telling *telling,
						      const char *format, ...)
{
	char more[MOST_OF_ONE];
	va_list ap;
	va_start(ap, format);
	vsnprintf(more, sizeof(more), format, ap);
	va_end(ap);
	fc_value_text_add(telling->text, more);
}

/* A name of a file's: it steers no terminal. */
static void add_printable(const struct telling *telling, const char *name)
{
	char copy[128];
	snprintf(copy, sizeof(copy), "%s", name);
	fc_make_printable(copy, strlen(copy));
	fc_value_text_add(telling->text, copy);
}

static void add_char(const struct telling *telling, uint8_t c, char quote)
{
	static const char letters[] = { ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
					['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r' };
	if (c == (uint8_t)quote || c == '\\')
		add(telling, "\\%c", c);
	else if (c < sizeof(letters) && letters[c])
		add(telling, "\\%c", letters[c]);
	else if (c < ' ' || c == 0x7f)
		add(telling, "\\%03o", c);
	else
		add(telling, "%c", c);
}

/* Bytes of UTF-8 as they are, if they are that; quote is what ends them. */
static void add_bytes(const struct telling *telling, const struct fc_value_bytes *string,
		      char quote)
{
	for (size_t i = 0; i < string->nr;) {
		char wide[8] = "";
		size_t nr = fc_utf8_len((const char *)string->at + i, string->nr - i);
		if (nr > 1 && !fc_is_steering((const char *)string->at + i, nr)) {
			memcpy(wide, string->at + i, nr);
			fc_value_text_add(telling->text, wide);
		} else if (string->at[i] >= 0x80) {
			add(telling, "\\%03o", string->at[i]);
			nr = 1;
		} else {
			add_char(telling, string->at[i], quote);
		}
		i += nr ? nr : 1;
	}
}

static void add_string(const struct telling *telling, const struct fc_value_bytes *string)
{
	if (string->is_masked && !string->nr) {
		fc_value_text_add(telling->text, "<masked>");
		return;
	}
	fc_value_text_add(telling->text, "\"");
	add_bytes(telling, string, '"');
	fc_value_text_add(telling->text, string->is_masked ? "<masked>\""
					 : string->is_cut  ? "\"..."
							   : "\"");
}

static void add_quoted(const struct telling *telling, uint8_t c)
{
	fc_value_text_add(telling->text, "'");
	if (c >= 0x80)
		add(telling, "\\%03o", c);
	else
		add_char(telling, c, '\'');
	fc_value_text_add(telling->text, "'");
}

static void add_integer(const struct telling *telling, const struct fc_type *type,
			uint64_t value, uint32_t bits)
{
	bool is_char = type->number == FC_NUMBER_CHAR;
	if (type->number == FC_NUMBER_BOOL && value <= 1) {
		fc_value_text_add(telling->text, value ? "true" : "false");
	} else if (is_char && type->size == 1) {
		add_quoted(telling, (uint8_t)value);
	} else if (is_char || type->number == FC_NUMBER_SIGNED) {
		add(telling, "%" PRId64, fc_value_extend(value, bits));
	} else {
		add(telling, "%" PRIu64, value);
	}
}

static void add_wide(const struct telling *telling, const struct fc_value_bytes *value)
{
	fc_value_text_add(telling->text, "0x");
	for (size_t i = value->nr < 16 ? value->nr : 16; i--;)
		add(telling, "%02x", value->at[i]);
}

/* As few digits as tell it apart from all others of its type. */
static void add_number(const struct telling *telling, long double value, int least, int most,
		       bool (*is_same)(const char *text, long double value))
{
	char text[64];
	for (int digits = least; digits <= most; digits++) {
		snprintf(text, sizeof(text), "%.*Lg", digits, value);
		if (is_same(text, value))
			break;
	}
	fc_value_text_add(telling->text, text);
}

static bool is_same_float(const char *text, long double value)
{
	return strtof(text, NULL) == (float)value;
}

static bool is_same_double(const char *text, long double value)
{
	return strtod(text, NULL) == (double)value;
}

static bool is_same_extended(const char *text, long double value)
{
	return strtold(text, NULL) == value;
}

/* Of 16 bytes, but no long double: "_Float128", "__float128". */
static bool is_quad(const struct fc_type *type)
{
	return strstr(type->name, "128");
}

/* False: it has another size. */
static bool add_real(const struct telling *telling, const struct fc_value_bytes *value,
		     size_t size)
{
	float narrow;
	double plain;
	if (size == sizeof(narrow) && value->nr >= sizeof(narrow)) {
		memcpy(&narrow, value->at, sizeof(narrow));
		add_number(telling, (long double)narrow, 6, 9, is_same_float);
	} else if (size == sizeof(plain) && value->nr >= sizeof(plain)) {
		memcpy(&plain, value->at, sizeof(plain));
		add_number(telling, (long double)plain, 15, 17, is_same_double);
	} else if (size > sizeof(plain) && value->nr >= FCA_EXTENDED_BYTES) {
		add_number(telling, fc_extended_get(value->at), 18, 21, is_same_extended);
	} else {
		return false;
	}
	return true;
}

static void add_float(const struct telling *telling, const struct fc_type *type,
		      const struct fc_value_bytes *value)
{
	if ((type->size > sizeof(double) && is_quad(type)) ||
	    !add_real(telling, value, type->size))
		fc_value_text_add(telling->text, "?");
}

/* An enumerator's value, in as many bytes as its enum has. */
static uint64_t enumerated(const struct fc_type *type, const struct fc_enumerator *one)
{
	uint64_t mask = type->size < 8 ? (1ull << type->size * 8) - 1 : UINT64_MAX;
	return (uint64_t)one->value & mask;
}

/* With the tag "zero(3)" the name of 0 stands where these bits are 0. */
static bool add_zero(const struct telling *telling, const struct fc_type *type, uint64_t value)
{
	const char *tag = fc_types_tagged(telling->types, type->id, "zero");
	uint64_t mask = tag ? strtoull(tag + strlen("zero("), NULL, 10) : 0;
	for (uint32_t i = 0; mask && !(value & mask) && i < type->nr; i++) {
		struct fc_enumerator one = fc_type_enumerator(type, i);
		if (enumerated(type, &one))
			continue;
		add_printable(telling, one.name);
		return true;
	}
	return false;
}

/* The bits of a flag set that have names; what remains is a number. */
static void add_flags(const struct telling *telling, const struct fc_type *type, uint64_t value)
{
	bool is_octal = type->tags & FC_TAG_OCTAL;
	bool is_first = !add_zero(telling, type, value);
	for (uint32_t i = 0; i < type->nr; i++) {
		struct fc_enumerator one = fc_type_enumerator(type, i);
		uint64_t flag = enumerated(type, &one);
		if (!flag || (value & flag) != flag)
			continue;
		fc_value_text_add(telling->text, is_first ? "" : "|");
		add_printable(telling, one.name);
		value &= ~flag;
		is_first = false;
	}
	fc_value_text_add(telling->text, value && !is_first ? "|" : "");
	if (value || is_first)
		add(telling, is_octal ? "%#" PRIo64 : "%#" PRIx64, value);
}

static void add_enum(const struct telling *telling, const struct fc_type *type, uint64_t value)
{
	/* It may stand beside one. */
	bool has_zero = fc_types_tagged(telling->types, type->id, "zero");
	for (uint32_t i = 0; !has_zero && i < type->nr; i++) {
		struct fc_enumerator one = fc_type_enumerator(type, i);
		if (enumerated(type, &one) != value)
			continue;
		add_printable(telling, one.name);
		return;
	}
	if (type->tags & FC_TAG_FLAG_ENUM)
		add_flags(telling, type, value);
	else if (type->is_signed)
		add(telling, "%" PRId64, fc_value_extend(value, type->size * 8));
	else
		add(telling, "%" PRIu64, value);
}

static void add_value(const struct telling *telling, uint32_t type,
		      const struct fc_value_bytes *value, unsigned depth);

/* The bytes of value from a bit on, bits of a bit-field (0: it is none), moved to their begin. */
static struct fc_value_bytes part_of(const struct fc_value_bytes *value, uint64_t bit,
				     uint32_t bits, uint64_t size, uint64_t *field)
{
	struct fc_value_bytes ret = { value->at + bit / 8, 0, true, false };
	if (bit / 8 < value->nr)
		ret.nr = value->nr - bit / 8;
	if (ret.nr > size && !bits)
		ret.nr = size;
	if (!bits)
		return ret;
	*field = fc_value_number(&ret, 8) >> bit % 8;
	if (bits + bit % 8 > 64 && ret.nr > 8)
		*field |= (uint64_t)ret.at[8] << (64 - bit % 8);
	*field &= bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
	return (struct fc_value_bytes){ (const uint8_t *)field, sizeof(*field), true, false };
}

static void add_field(const struct telling *telling, const struct fc_member *member,
		      const struct fc_value_bytes *value, unsigned depth)
{
	struct fc_type of = fc_type_at(telling->types, member->type);
	uint64_t field = 0;
	struct fc_value_bytes part =
		part_of(value, member->bit, member->bits,
			fc_types_size(telling->types, member->type), &field);
	if (*member->name) {
		fc_value_text_add(telling->text, ".");
		add_printable(telling, member->name);
		fc_value_text_add(telling->text, " = ");
	}
	if (!part.nr)
		fc_value_text_add(telling->text, "?");
	else if (member->bits && of.kind == FC_TYPE_INT)
		add_integer(telling, &of, field, member->bits);
	else
		add_value(telling, member->type, &part, depth + 1);
}

static void add_struct(const struct telling *telling, const struct fc_type *type,
		       const struct fc_value_bytes *value, unsigned depth)
{
	fc_value_text_add(telling->text, "{");
	for (uint32_t i = 0; i < type->nr; i++) {
		struct fc_member member = fc_type_member(type, i);
		bool is_all =
			i == MOST_FIELDS || depth == DEEPEST || member.bit / 8 >= value->nr;
		fc_value_text_add(telling->text, i ? ", " : "");
		if (is_all) {
			fc_value_text_add(telling->text, "...");
			break;
		}
		add_field(telling, &member, value, depth);
	}
	fc_value_text_add(telling->text, "}");
}

/* Up to its first zero byte. */
static void add_chars(const struct telling *telling, const struct fc_value_bytes *value)
{
	struct fc_value_bytes string = *value;
	const uint8_t *end = value->nr ? memchr(value->at, 0, value->nr) : NULL;
	if (end) {
		string.nr = (size_t)(end - value->at);
		string.is_cut = false;
	}
	add_string(telling, &string);
}

/* Items one behind the other, as many as there are bytes of. */
static void add_items(const struct telling *telling, uint32_t item,
		      const struct fc_value_bytes *value, uint64_t nr, unsigned depth)
{
	uint64_t size = fc_types_size(telling->types, item);
	fc_value_text_add(telling->text, "{");
	for (uint64_t i = 0; i < nr && size; i++) {
		fc_value_text_add(telling->text, i ? ", " : "");
		if (i == MOST_ITEMS || (i + 1) * size > value->nr || depth >= DEEPEST) {
			fc_value_text_add(telling->text, "...");
			break;
		}
		struct fc_value_bytes one = { value->at + i * size, size, true, false };
		add_value(telling, item, &one, depth + 1);
	}
	fc_value_text_add(telling->text, "}");
}

static void add_array(const struct telling *telling, const struct fc_type *array,
		      const struct fc_value_bytes *value, unsigned depth)
{
	if (fc_types_is_char(telling->types, array->of))
		add_chars(telling, value);
	else
		add_items(telling, array->of, value, array->nr, depth);
}

/* ---- what a pointer leads to ---- */

static bool is_whole(const struct fc_types *types, uint32_t to,
		     const struct fc_value_bytes *behind)
{
	struct fc_type type = fc_type_at(types, to);
	return !type.id || fc_type_is_compound(&type) || !behind->nr ||
	       behind->nr >= fc_types_size(types, to);
}

static const struct fc_value_bytes *find_behind(const uint8_t *at,
						const struct fc_value_links *links)
{
	for (size_t i = 0; i < links->nr; i++)
		if (links->at[i].at == at)
			return links->at[i].behind.is_there ? &links->at[i].behind : NULL;
	return NULL;
}

const struct fc_value_bytes *fc_value_behind(const struct fc_types *types, uint32_t to,
					     const struct fc_value_bytes *value,
					     const struct fc_value_links *links)
{
	const struct fc_value_bytes *behind = find_behind(value->at, links);
	return behind && is_whole(types, to, behind) ? behind : NULL;
}

/* A string or a list, and what of its items is there. */
struct items {
	struct fc_sequence of;
	struct fc_value_bytes at;
	uint64_t nr; /* that it has */
};

/* False: it is none, or they could not be read. Where there are none the pointer leads nowhere. */
static bool find_items(const struct fc_types *types, uint32_t type,
		       const struct fc_value_bytes *value, const struct fc_value_links *links,
		       struct items *ret)
{
	enum { WORD = 8 };
	*ret = (struct items){ 0 };
	if (value->nr < fc_types_size(types, type) || !fc_sequence_find(types, type, &ret->of))
		return false;
	const uint8_t *at = value->at + ret->of.at, *count_at = value->at + ret->of.count_at;
	uint64_t begin = fc_value_number(&(struct fc_value_bytes){ at, WORD }, WORD);
	uint64_t count = fc_value_number(&(struct fc_value_bytes){ count_at, WORD }, WORD);
	const struct fc_value_bytes *behind = find_behind(at, links);
	if (ret->of.is_end && count < begin)
		return false;
	ret->nr = ret->of.is_end ? (count - begin) / ret->of.size : count;
	if (behind)
		ret->at = *behind;
	return behind || !ret->nr;
}

bool fc_value_string(const struct fc_types *types, uint32_t id,
		     const struct fc_value_bytes *value, const struct fc_value_links *links,
		     struct fc_value_bytes *ret)
{
	struct items items;
	struct fc_type type = fc_type_at(types, id);
	if (type.kind == FC_TYPE_POINTER && value->nr) {
		bool is_one = fc_types_is_reference(types, type.id);
		value = fc_value_behind(types, type.of, value, links);
		if (value && fc_types_is_char(types, type.of) && !is_one) {
			*ret = *value;
			return true;
		}
		type = fc_type_at(types, type.of);
	}
	if (!value || !type.id || !find_items(types, type.id, value, links, &items) ||
	    items.of.name)
		return false;
	*ret = items.at;
	return true;
}

/* Can people read it? The end of a text that was cut may be a part of a letter. */
static bool is_readable(const struct fc_value_bytes *string)
{
	enum { WIDEST = 4 };
	size_t i = 0;
	while (i < string->nr) {
		uint8_t c = string->at[i];
		bool is_end = string->is_cut && i + WIDEST > string->nr;
		size_t nr = fc_utf8_len((const char *)string->at + i, string->nr - i);
		if (c == 0x7f || (c < ' ' && !(c >= '\t' && c <= '\r')) ||
		    (c >= 0x80 && nr < 2 && !is_end))
			return false;
		i += nr ? nr : 1;
	}
	return true;
}

/*
 * Do all pointers of a list lead to texts? Else it is none, but a pointer to one, and others stand
 * behind by chance: only the first is told.
 */
static bool is_list(const struct telling *telling, const struct fc_value_bytes *behind)
{
	enum { WORD = 8 };
	size_t nr = behind->is_list ? behind->nr / WORD : 0;
	for (size_t i = 0; i < nr; i++) {
		const struct fc_value_bytes *text =
			find_behind(behind->at + i * WORD, telling->links);
		if (!text || !is_readable(text))
			return false;
	}
	return behind->is_list;
}

/* A path, or what else is in an address, ends at its zero; one that begins with a zero is no path. */
static void add_sockaddr(const struct telling *telling, const struct fc_value_bytes *behind)
{
	struct fc_sockaddr address;
	struct fc_value_bytes text = *behind;
	fc_sockaddr_read(behind->at, behind->nr, &address);
	fc_value_text_add(telling->text, "{");
	fc_value_text_add(telling->text, address.words);
	if (address.text) {
		text.at += address.text;
		text.nr -= address.text;
		if (*text.at)
			add_chars(telling, &text);
		else
			add_string(telling, &text);
	}
	fc_value_text_add(telling->text, "}");
}

/* Bytes of which there are many, or one. */
static void add_behind(const struct telling *telling, uint32_t to,
		       const struct fc_value_bytes *behind)
{
	struct fc_type type = fc_type_at(telling->types, to);
	uint64_t size = fc_types_size(telling->types, type.id);
	if (fc_types_is_char(telling->types, type.id) || !size || behind->is_masked)
		add_string(telling, behind);
	else if (fc_sockaddr_is(telling->types, to))
		add_sockaddr(telling, behind);
	else if (!behind->nr && !behind->is_cut)
		fc_value_text_add(telling->text, "{}");
	else if (is_list(telling, behind) || (behind->nr >= 2 * size && !behind->is_list))
		add_items(telling, to, behind, behind->nr / size + (behind->is_cut ? 1 : 0), 0);
	else if (fc_type_is_compound(&type))
		add_value(telling, to, behind, 0);
	else {
		fc_value_text_add(telling->text, "[");
		add_value(telling, to, behind, 0);
		fc_value_text_add(telling->text, "]");
	}
}

/* What the function is called that a pointer leads to; NULL: it leads to none that is known. */
static const char *function_at(const struct telling *telling, uint32_t to, uint64_t address)
{
	struct fc_type type = fc_type_at(telling->types, to);
	const struct fc_value_code *code = telling->links ? telling->links->code : NULL;
	return type.kind == FC_TYPE_PROTO && code ? code->name_at(code->ctx, address) : NULL;
}

static void add_pointer(const struct telling *telling, const struct fc_type *type,
			const struct fc_value_bytes *value)
{
	bool is_one_char = fc_types_is_char(telling->types, type->of) &&
			   fc_types_is_reference(telling->types, type->id);
	const struct fc_value_bytes *behind =
		fc_value_behind(telling->types, type->of, value, telling->links);
	uint64_t address = fc_value_number(value, 8);
	const char *function = behind ? NULL : function_at(telling, type->of, address);
	if (!address)
		fc_value_text_add(telling->text, "NULL");
	else if (behind && is_one_char)
		add_value(telling, type->of, behind, 0);
	else if (behind)
		add_behind(telling, type->of, behind);
	else if (function)
		add_printable(telling, function);
	else
		add(telling, "%#" PRIx64, address);
}

static void add_sequence(const struct telling *telling, const struct items *items,
			 unsigned depth)
{
	if (!items->of.name) {
		add_string(telling, &items->at);
		return;
	}
	add(telling, "%s(%" PRIu64 ") ", items->of.name, items->nr);
	add_items(telling, items->of.item, &items->at, items->nr, depth);
}

static void add_value(const struct telling *telling, uint32_t id,
		      const struct fc_value_bytes *value, unsigned depth)
{
	struct items items;
	struct fc_type type = fc_type_at(telling->types, id);
	if (is_full(telling->text))
		return;
	if (!fc_type_is_compound(&type) && value->nr < type.size) {
		fc_value_text_add(telling->text, "?");
		return;
	}
	switch (type.kind) {
	case FC_TYPE_INT:
		if (type.size > 8)
			add_wide(telling, value);
		else
			add_integer(telling, &type, fc_value_number(value, type.size),
				    type.size * 8);
		break;
	case FC_TYPE_ENUM:
		add_enum(telling, &type, fc_value_number(value, type.size));
		break;
	case FC_TYPE_FLOAT:
		add_float(telling, &type, value);
		break;
	case FC_TYPE_POINTER:
		add_pointer(telling, &type, value);
		break;
	case FC_TYPE_STRUCT:
	case FC_TYPE_UNION:
		if (find_items(telling->types, type.id, value, telling->links, &items))
			add_sequence(telling, &items, depth);
		else
			add_struct(telling, &type, value, depth);
		break;
	case FC_TYPE_ARRAY:
		add_array(telling, &type, value, depth);
		break;
	default:
		add(telling, "%#" PRIx64, fc_value_number(value, 8));
		break;
	}
}

void fc_value_text_put(struct fc_value_text *text, const struct fc_types *types, uint32_t type,
		       const struct fc_value_bytes *value, const struct fc_value_links *links)
{
	const struct telling telling = { text, types, links };
	if (!value->is_there)
		fc_value_text_add(text, "?");
	else
		add_value(&telling, type, value, 0);
}

void fc_value_text_path(struct fc_value_text *text, const struct fc_value_bytes *path)
{
	const struct telling telling = { text, NULL, NULL };
	fc_value_text_add(text, "<");
	add_bytes(&telling, path, '>');
	fc_value_text_add(text, path->is_cut ? "...>" : ">");
}

void fc_value_text_string(struct fc_value_text *text, const struct fc_value_bytes *string)
{
	const struct telling telling = { text, NULL, NULL };
	add_string(&telling, string);
}

void fc_value_text_float(struct fc_value_text *text, const struct fc_value_bytes *value)
{
	const struct telling telling = { text, NULL, NULL };
	if (!add_real(&telling, value, value->nr))
		fc_value_text_add(text, "?");
}

void fc_value_text_number(struct fc_value_text *text, enum fca_item as, uint64_t number,
			  uint32_t bits)
{
	const struct telling telling = { text, NULL, NULL };
	if (as == FCA_ITEM_SIGNED)
		add(&telling, "%" PRId64, fc_value_extend(number, bits));
	else if (as == FCA_ITEM_UNSIGNED)
		add(&telling, "%" PRIu64, number);
	else if (as == FCA_ITEM_OCTAL)
		add(&telling, "%#" PRIo64, number);
	else if (as == FCA_ITEM_CHAR)
		add_quoted(&telling, (uint8_t)number);
	else if (as != FCA_ITEM_HEX && !number)
		fc_value_text_add(text, "NULL");
	else
		add(&telling, "%#" PRIx64, number);
}
