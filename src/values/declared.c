/* SPDX-License-Identifier: Apache-2.0 */
/* declared.c - writes a type as a C declaration. */
#include "values/declared.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "values/type.h"

enum {
	DEEPEST = 16,
	ROOM = 256, /* bytes of what is declared; what is longer is cut */
};

/*
 * What stands around the name so far, from the inside out: path, *path, *const *path, (*path)(...).
 * A pointer to an array or to a function is in parentheses.
 */
struct declarator {
	char text[ROOM];
};

static void around(struct declarator *declarator, const char *before, const char *behind)
{
	char inner[ROOM];

	strcpy(inner, declarator->text);
	/* What is cut is only shown. */
	if (snprintf(declarator->text, ROOM, "%s%s%s", before, inner, behind) >= ROOM)
		strcpy(declarator->text + ROOM - sizeof("..."), "...");
}

static bool is_pointer(const struct declarator *declarator)
{
	return declarator->text[0] == '*';
}

static void add_array(struct declarator *declarator, const struct fc_type *type)
{
	char items[32];

	snprintf(items, sizeof(items), "%s[%u]", is_pointer(declarator) ? ")" : "", type->nr);
	around(declarator, is_pointer(declarator) ? "(" : "", items);
}

static void add_function(struct declarator *declarator, const struct fc_type *type)
{
	const char *params = type->nr || type->is_variadic ? "(...)" : "(void)";
	char behind[16];

	snprintf(behind, sizeof(behind), "%s%s", is_pointer(declarator) ? ")" : "", params);
	around(declarator, is_pointer(declarator) ? "(" : "", behind);
}

static const char *keyword_of(const struct fc_type *type)
{
	if (fc_type_has_members(type) || type->kind == FC_TYPE_FORWARD)
		return type->is_union ? "union " : "struct ";
	return type->kind == FC_TYPE_ENUM ? "enum " : "";
}

/* A name of a file's: it steers no terminal. */
static void add_name(struct fc_value_text *text, const char *name)
{
	char copy[ROOM];

	snprintf(copy, sizeof(copy), "%s", name);
	fc_make_printable(copy, strlen(copy));
	fc_value_text_add(text, copy);
}

static void put_base(struct fc_value_text *text, const struct fc_type *type, bool is_const)
{
	const char *name = type->id ? type->name : "void";

	fc_value_text_add(text, is_const ? "const " : "");
	fc_value_text_add(text, keyword_of(type));
	add_name(text, *name ? name : "{...}");
}

void fc_declared_put(struct fc_value_text *text, const struct fc_types *types, uint32_t id,
		     const char *name)
{
	struct fc_type type = fc_type_as_named(types, id);
	struct declarator declarator;
	bool is_const = false;
	int deep = 0;

	snprintf(declarator.text, ROOM, "%s", name);
	for (; type.id && deep < DEEPEST; deep++, type = fc_type_as_named(types, type.of)) {
		if (type.kind == FC_TYPE_CONST) {
			is_const = true;
		} else if (type.kind == FC_TYPE_POINTER) {
			around(&declarator, is_const ? "*const " : "*", "");
			is_const = false;
		} else if (type.kind == FC_TYPE_ARRAY) {
			add_array(&declarator, &type);
		} else if (type.kind == FC_TYPE_PROTO) {
			add_function(&declarator, &type);
		} else if (type.kind != FC_TYPE_QUALIFIED) {
			break;
		}
	}
	if (deep == DEEPEST)
		fc_value_text_add(text, "?");
	else
		put_base(text, &type, is_const);
	fc_value_text_add(text, " ");
	add_name(text, declarator.text);
}
