/* SPDX-License-Identifier: Apache-2.0 */
/* spec.c - parses the specifications of -A and -R. */
#include "values/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "values/shape.h"
#include "values/stdstring.h"

enum { WORD = 8, MOST_NR = 64, MOST_WORDS = 100, EXTENDED_BITS = 80 };

struct reading {
	const struct fc_arch *arch;
	const char *text, *at; /* all of it; what is next */
	struct fc_value_spec *spec;
	struct fc_param params[FC_MAX_PARAMS];
	char names[FC_MAX_PARAMS][16];
	uint32_t nr;
	int err; /* 0, or that of the first thing that was wrong */
};

__attribute__((format(printf, 3, 4))) static void fail(struct reading *reading, const char *at,
						       const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	if (!reading->err)
		reading->err = fc_fail_at(reading->text, at, format, ap);
	va_end(ap);
}

static bool take(struct reading *reading, const char *word)
{
	size_t len = strlen(word);
	bool is_next = !strncmp(reading->at, word, len);
	reading->at += is_next ? len : 0;
	return is_next;
}

/* 0: there is none. One that is too large for anything stays so. */
static uint32_t take_number(struct reading *reading)
{
	uint32_t nr = 0;
	for (; isdigit((unsigned char)*reading->at); reading->at++)
		if (nr <= UINT16_MAX)
			nr = nr * 10 + (uint32_t)(*reading->at - '0');
	return nr;
}

/* ---- types ---- */

static uint32_t number(struct fc_types *types, uint32_t bits, bool is_signed)
{
	char name[16];
	snprintf(name, sizeof(name), is_signed ? "int%u_t" : "uint%u_t", bits);
	return fc_types_number(types, name, bits / 8,
			       is_signed ? FC_NUMBER_SIGNED : FC_NUMBER_UNSIGNED);
}

/* Flags of which none has a name are shown as they are written in C. */
static uint32_t bare_flags(struct fc_types *types, uint32_t bits, const char *base)
{
	uint32_t id = fc_types_enum(types, "", bits / 8, false, NULL, 0);
	fc_types_tag(types, id, "flag_enum");
	if (base)
		fc_types_tag(types, id, base);
	return id;
}

static uint32_t text(struct fc_types *types)
{
	uint32_t letter = fc_types_number(types, "char", 1, FC_NUMBER_CHAR);
	return fc_types_pointer(types, fc_types_const(types, letter));
}

static uint32_t string_object(struct fc_types *types)
{
	return fc_types_pointer(types, fc_types_const(types, fc_stdstring_type(types)));
}

static uint32_t floating(struct fc_types *types, uint32_t bits)
{
	if (bits == 32)
		return fc_types_float(types, "float", 4);
	return bits == EXTENDED_BITS ? fc_types_float(types, "long double", 16)
				     : fc_types_float(types, "double", 8);
}

static uint32_t make_type(struct fc_types *types, char format, uint32_t bits)
{
	switch (format) {
	case 'x':
		return bare_flags(types, bits, NULL);
	case 'o':
		return bare_flags(types, bits, "octal");
	case 'c':
		return fc_types_number(types, "char", 1, FC_NUMBER_CHAR);
	case 's':
		return text(types);
	case 'S':
		return string_object(types);
	case 'p':
		return fc_types_pointer(types, fc_types_proto(types, 0, NULL, 0, false));
	case 'f':
		return floating(types, bits);
	default:
		return number(types, bits, format != 'u');
	}
}

/* ---- what the user may say ---- */

static const struct {
	char format;
	uint16_t bits[5]; /* that it may have; the first if nothing is said */
} formats[] = {
	{ 'd', { 64, 8, 16, 32 } },
	{ 'i', { 64, 8, 16, 32 } },
	{ 'u', { 64, 8, 16, 32 } },
	{ 'x', { 64, 8, 16, 32 } },
	{ 'o', { 64, 8, 16, 32 } },
	{ 's', { 64 } },
	{ 'S', { 64 } },
	{ 'p', { 64 } },
	{ 'c', { 8 } },
	{ 'f', { 64, 32, 80 } },
};

static uint32_t take_bits(struct reading *reading, size_t format)
{
	const char *at = reading->at;
	bool is_said = isdigit((unsigned char)*at);
	uint32_t bits = take_number(reading);
	for (size_t i = 0; is_said && formats[format].bits[i]; i++)
		if (formats[format].bits[i] == bits)
			return bits;
	if (is_said)
		fail(reading, at, "no %c has so many bits: %s", formats[format].format,
		     formats[format].format == 'f' ? "32, 64 or 80"
		     : formats[format].bits[1]	   ? "8, 16, 32 or 64"
						   : "leave them out");
	return formats[format].bits[0];
}

/* "/x16", or what there is if nothing is said. */
static uint32_t take_format(struct reading *reading, char format, char *ret)
{
	enum { NR = sizeof(formats) / sizeof(formats[0]) };
	bool is_said = take(reading, "/"), is_float = format == 'f';
	size_t i = 0;
	if (is_said && !(is_float && isdigit((unsigned char)*reading->at)))
		format = *reading->at ? *reading->at++ : '?';
	while (i < NR && formats[i].format != format)
		i++;
	*ret = format;
	if (i == NR || (is_float && format != 'f')) {
		fail(reading, reading->at - 1, "no such format: %s",
		     is_float ? "a float has its bits: 32, 64 or 80"
			      : "d, i, u, x, o, c, s, S, p or f, and bits");
		return WORD * 8;
	}
	return is_said ? take_bits(reading, i) : formats[i].bits[0];
}

/* Where the nr-th parameter of this type is, when all before it are of the same. */
static struct fc_location place_of(const struct reading *reading, uint32_t type, uint32_t nr)
{
	struct fc_location places[MOST_NR], none;
	struct fc_shape shape, shapes[MOST_NR], nothing = { 0 };
	if (!fc_shape_init(&shape, reading->spec->types, type))
		return (struct fc_location){ .is_absent = true };
	for (uint32_t i = 0; i < nr; i++)
		shapes[i] = shape;
	reading->arch->abi->locate(&nothing, shapes, nr, &none, places);
	fc_shape_deinit(&shape);
	return places[nr - 1];
}

/* "%rdi", "%stack+1" instead of the place that the ABI tells. */
static void take_place(struct reading *reading, uint32_t size, struct fc_location *place)
{
	char name[16] = "";
	const char *at = reading->at;
	if (!take(reading, "%"))
		return;
	*place = (struct fc_location){ .nr = 1 };
	if (take(reading, "stack")) {
		take(reading, "+");
		uint32_t words = take_number(reading);
		place->piece[0] = (struct fc_piece){ .kind = FC_PIECE_STACK,
						     .off = (int32_t)(words * WORD) };
		if (!words || words > MOST_WORDS)
			fail(reading, at,
			     "the stack has %%stack+1, the word above the return address, "
			     "to %%stack+%d",
			     MOST_WORDS);
	} else {
		size_t len = strcspn(reading->at, ",@");
		snprintf(name, sizeof(name), "%.*s", (int)len, reading->at);
		reading->at += len;
		if (!reading->arch->abi->named(name, &place->piece[0]))
			fail(reading, at, "no register that holds arguments: %s, or %%stack+N",
			     reading->arch->abi->all_named);
	}
	place->piece[0].size = size;
}

static void add_param(struct reading *reading, const char *from, const char *end, uint32_t type,
		      struct fc_location place)
{
	struct fc_signature *signature = &reading->spec->signature;
	if (reading->nr == FC_MAX_PARAMS) {
		fail(reading, from, "more than %d arguments", FC_MAX_PARAMS);
		return;
	}
	char *name = reading->names[reading->nr];
	snprintf(name, sizeof(reading->names[0]), "%.*s", (int)(end - from), from);
	signature->param[reading->nr] = place;
	reading->params[reading->nr++] = (struct fc_param){ name, type };
}

static void read_arg(struct reading *reading, bool is_float)
{
	char format;
	const char *from = reading->at;
	take(reading, is_float ? "fparg" : "arg");
	const char *at = reading->at;
	uint32_t nr = take_number(reading);
	const char *end = reading->at;
	if (!nr || nr > MOST_NR) {
		fail(reading, at, "arguments are counted from 1 to %d", MOST_NR);
		return;
	}
	uint32_t bits = take_format(reading, is_float ? 'f' : 'd', &format);
	if (reading->err)
		return;
	uint32_t type = make_type(reading->spec->types, format, bits);
	struct fc_location place = place_of(reading, type, nr);
	take_place(reading, (uint32_t)fc_types_size(reading->spec->types, type), &place);
	add_param(reading, from, end, type, place);
}

static void read_args(struct reading *reading)
{
	do {
		if (!strncmp(reading->at, "arg", 3))
			read_arg(reading, false);
		else if (!strncmp(reading->at, "fparg", 5))
			read_arg(reading, true);
		else
			fail(reading, reading->at,
			     "an argument is called arg1, arg2..., or fparg1... if it is a "
			     "float");
	} while (!reading->err && take(reading, ","));
}

static uint32_t read_result(struct reading *reading)
{
	char format;
	if (!take(reading, "retval")) {
		fail(reading, reading->at, "a result is called retval");
		return 0;
	}
	uint32_t bits = take_format(reading, 'd', &format);
	return reading->err ? 0 : make_type(reading->spec->types, format, bits);
}

static void make_func(struct reading *reading, uint32_t result)
{
	struct fc_value_spec *spec = reading->spec;
	uint32_t proto =
		fc_types_proto(spec->types, result, reading->params, reading->nr, false);
	spec->signature.func = fc_types_func(spec->types, spec->glob, proto);
	spec->signature.nr = reading->nr;
}

int fc_value_spec_read(const struct fc_arch *arch, const char *text, bool is_result,
		       struct fc_value_spec *ret)
{
	const char *at = strchrnul(text, '@');
	struct reading reading = { .arch = arch, .text = text, .at = at, .spec = ret };
	uint32_t result = 0;
	*ret = (struct fc_value_spec){ .glob = fc_asprintf("%.*s", (int)(at - text), text) };
	if (!take(&reading, "@"))
		return 0;
	if (!*ret->glob)
		fail(&reading, at, "of which functions? GLOB@...");
	if (!arch->abi)
		fail(&reading, at, "of this machine it is not known where arguments are");
	ret->types = fc_types_create();
	if (is_result)
		result = read_result(&reading);
	else
		read_args(&reading);
	if (*reading.at)
		fail(&reading, reading.at, "\"%.20s\" is too much here", reading.at);
	if (reading.err)
		fc_value_spec_deinit(ret);
	else
		make_func(&reading, result);
	return reading.err;
}

void fc_value_spec_deinit(struct fc_value_spec *spec)
{
	free(spec->glob);
	fc_types_destroy(spec->types);
	*spec = (struct fc_value_spec){ 0 };
}
