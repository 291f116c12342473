/* SPDX-License-Identifier: Apache-2.0 */
#include "values/declared.h"

#include <bpf/btf.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"

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

static void add_array(struct declarator *declarator, const struct btf_type *type)
{
	char items[32];

	snprintf(items, sizeof(items), "%s[%u]", is_pointer(declarator) ? ")" : "",
		 btf_array(type)->nelems);
	around(declarator, is_pointer(declarator) ? "(" : "", items);
}

static void add_function(struct declarator *declarator, const struct btf_type *type)
{
	const char *params = btf_vlen(type) ? "(...)" : "(void)";
	char behind[16];

	snprintf(behind, sizeof(behind), "%s%s", is_pointer(declarator) ? ")" : "", params);
	around(declarator, is_pointer(declarator) ? "(" : "", behind);
}

static const char *keyword_of(const struct btf_type *type)
{
	if (btf_is_struct(type) || (btf_is_fwd(type) && !btf_kflag(type)))
		return "struct ";
	if (btf_is_union(type) || btf_is_fwd(type))
		return "union ";
	return btf_is_any_enum(type) ? "enum " : "";
}

/* A name of a file's: it steers no terminal. */
static void add_name(struct fc_value_text *text, const char *name)
{
	char copy[ROOM];

	snprintf(copy, sizeof(copy), "%s", name);
	fc_make_printable(copy, strlen(copy));
	fc_value_text_add(text, copy);
}

static void put_base(struct fc_value_text *text, const struct btf *btf,
		     const struct btf_type *type, bool is_const)
{
	const char *name = type ? btf__str_by_offset(btf, type->name_off) : "void";

	fc_value_text_add(text, is_const ? "const " : "");
	fc_value_text_add(text, type ? keyword_of(type) : "");
	add_name(text, name && *name ? name : "{...}");
}

void fc_declared_put(struct fc_value_text *text, const struct fc_types *types, uint32_t id,
		     const char *name)
{
	const struct btf *btf = fc_types_btf(types);
	const struct btf_type *type = btf__type_by_id(btf, id);
	struct declarator declarator;
	bool is_const = false;
	int deep = 0;

	snprintf(declarator.text, ROOM, "%s", name);
	for (; id && type && deep < DEEPEST; deep++, type = btf__type_by_id(btf, id)) {
		if (btf_is_const(type)) {
			is_const = true;
		} else if (btf_is_ptr(type)) {
			around(&declarator, is_const ? "*const " : "*", "");
			is_const = false;
		} else if (btf_is_array(type)) {
			add_array(&declarator, type);
		} else if (btf_is_func_proto(type)) {
			add_function(&declarator, type);
		} else if (!btf_is_volatile(type) && !btf_is_restrict(type)) {
			break;
		}
		id = btf_is_array(type) ? btf_array(type)->type : type->type;
	}
	if (deep == DEEPEST)
		fc_value_text_add(text, "?");
	else
		put_base(text, btf, id ? type : NULL, is_const);
	fc_value_text_add(text, " ");
	add_name(text, declarator.text);
}
