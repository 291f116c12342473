/* SPDX-License-Identifier: Apache-2.0 */
/* dietypes.c - makes types in a table from the entries of a unit. */
#include "dwarf/types/dietypes.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/types/die.h"

enum {
	NAME = 4096, /* bytes at most */
	NODES = 8 << 20,
	MAX_STEPS = 64, /* through what is passed over */
};

uint32_t fc_dietypes_name(struct fc_dietypes *types, const char *name)
{
	char text[NAME];

	if (!name || !*name)
		return 0;
	if (strnlen(name, NAME) < NAME)
		return fc_texts_add(&types->graph.texts, name);
	snprintf(text, sizeof(text), "%.*s...", NAME - 4, name);
	return fc_texts_add(&types->graph.texts, text);
}

bool fc_dietypes_is_struct(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_interface_type;
}

uint32_t fc_dietypes_full_name(struct fc_dietypes *types, Dwarf_Die *die, bool *is_local)
{
	const char *name = fc_die_name(die);
	char text[NAME];

	*is_local = true;
	if (!name || !*name || fc_language_is_c(fc_die_language(die)))
		return fc_dietypes_name(types, name);
	struct fc_typescope scope =
		fc_scopes_of(&types->scopes, &types->graph.texts, die, &types->left);
	const char *prefix =
		scope.prefix ? fc_texts_get(&types->graph.texts, scope.prefix) : "";
	int size = snprintf(text, sizeof(text), "%s%s", prefix, name);
	*is_local = scope.is_local || size >= (int)sizeof(text);
	return fc_texts_add(&types->graph.texts, text);
}

/* ---- which node it is ---- */

/* What says nothing that is kept; then *ret is what it is of, or false: void. */
static bool is_passed_over(int tag)
{
	switch (tag) {
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_packed_type:
	case DW_TAG_immutable_type:
	case DW_TAG_shared_type:
	case DW_TAG_subrange_type:
		return true;
	}
	return false;
}

/* Of a class that other units tell, too: its node, or where that is to be kept; else NULL. */
static uint32_t *class_node(struct fc_dietypes *types, Dwarf_Die *die)
{
	int tag = dwarf_tag(die), language = fc_die_language(die);
	uint64_t size;
	bool is_local;

	if (!fc_dietypes_is_struct(tag) || !language || fc_language_is_c(language) ||
	    fc_die_flag(die, DW_AT_declaration) ||
	    !fc_die_number(die, DW_AT_byte_size, &size) || size >= UINT32_MAX / 2)
		return NULL;
	uint32_t name = fc_dietypes_full_name(types, die, &is_local);
	if (!name || is_local)
		return NULL;
	uint64_t key = fc_pair(name, (uint32_t)size << 1 | (tag == DW_TAG_union_type));
	uint32_t number = fc_pairs_find(&types->classes, key);
	if (!number) {
		number = fc_pairs_add(&types->classes, key);
		fc_vec_push(&types->class_nodes, 0);
	}
	return &types->class_nodes.at[number - 1];
}

static uint32_t new_node(struct fc_dietypes *types, Dwarf_Die *die)
{
	uint32_t *same = class_node(types, die);
	uint32_t node = same ? *same : 0;

	if (node)
		return node;
	node = fc_typegraph_add(&types->graph);
	if (same)
		*same = node;
	fc_vec_push(&types->unread, (struct fc_unread){ *die, node });
	return node;
}

static uint32_t node_of_entry(struct fc_dietypes *types, Dwarf_Die *die)
{
	uint64_t key = (uintptr_t)die->addr;
	uint32_t number = fc_pairs_find(&types->entries, key);

	if (number)
		return types->nodes.at[number - 1];
	if (types->graph.nodes.nr >= NODES) {
		types->is_full = true;
		types->left = 0;
	}
	fc_pairs_add(&types->entries, key);
	uint32_t node = new_node(types, die);
	fc_vec_push(&types->nodes, node);
	return node;
}

/* C++'s std::nullptr_t is a pointer; else void: 0. */
static uint32_t unspecified(struct fc_dietypes *types, Dwarf_Die *die)
{
	const char *name = fc_die_name(die);

	if (!name || (!strstr(name, "nullptr") && strcmp(name, "std::nullptr_t")))
		return 0;
	uint32_t node = fc_typegraph_add(&types->graph);
	fc_typegraph_node(&types->graph, node)->kind = BTF_KIND_PTR;
	return node;
}

uint32_t fc_dietypes_node(struct fc_dietypes *types, Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;

	for (int steps = 0; steps < MAX_STEPS; steps++) {
		int tag = dwarf_tag(&at);
		if (tag == DW_TAG_unspecified_type)
			return unspecified(types, &at);
		if (fc_die_ref(&at, DW_AT_signature, &next)) /* it is in a unit of its own */
			at = next;
		else if (!is_passed_over(tag))
			return node_of_entry(types, &at);
		else if (fc_die_ref(&at, DW_AT_type, &next))
			at = next;
		else
			return 0;
	}
	return 0;
}

uint32_t fc_dietypes_node_of(struct fc_dietypes *types, Dwarf_Die *die)
{
	Dwarf_Die type;

	return fc_die_type(die, &type) ? fc_dietypes_node(types, &type) : 0;
}

void fc_dietypes_deinit(struct fc_dietypes *types)
{
	fc_typegraph_deinit(&types->graph);
	fc_pairs_deinit(&types->entries);
	fc_vec_free(&types->nodes);
	fc_pairs_deinit(&types->classes);
	fc_vec_free(&types->class_nodes);
	fc_vec_free(&types->unread);
	fc_scopes_deinit(&types->scopes);
}
