/* SPDX-License-Identifier: Apache-2.0 */
/* scopes.c - builds the full names of types from the scopes around them. */
#include "dwarf/types/scopes.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

#include "dwarf/types/die.h"

enum { MAX_DEPTH = 32, PREFIX = 4096 /* bytes at most */ };

static uint64_t key_of(const Dwarf_Die *die)
{
	return (uintptr_t)die->addr;
}

static bool is_type(int tag)
{
	switch (tag) {
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_typedef:
		return true;
	}
	return false;
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* The scope within die, which is in outer; if it is told in a unit of its own, where it is there. */
static struct fc_typescope scope_in(struct fc_scopes *scopes, struct fc_texts *texts,
				    Dwarf_Die *die, struct fc_typescope outer, uint64_t *left)
{
	Dwarf_Die whole = *die;
	if (fc_die_ref(die, DW_AT_signature, &whole))
		outer = fc_scopes_of(scopes, texts, &whole, left);
	const char *name = fc_die_name(&whole);
	const char *before = outer.prefix ? fc_texts_get(texts, outer.prefix) : "";
	bool is_namespace = dwarf_tag(die) == DW_TAG_namespace;
	struct fc_typescope ret = { outer.prefix, outer.is_local || !name };
	char text[PREFIX];

	if (!name && !is_namespace)
		return ret;
	int size = snprintf(text, sizeof(text), "%s%s::", before,
			    name ? name : "(anonymous namespace)");
	if (size >= (int)sizeof(text))
		ret.is_local = true;
	ret.prefix = fc_texts_add(texts, text);
	return ret;
}

static void note(struct fc_scopes *scopes, const Dwarf_Die *die, struct fc_typescope scope)
{
	if (fc_pairs_find(&scopes->entries, key_of(die)))
		return;
	fc_pairs_add(&scopes->entries, key_of(die));
	fc_vec_push(&scopes->scopes, scope);
}

static void go_through(struct fc_scopes *scopes, struct fc_texts *texts, Dwarf_Die *parent,
		       struct fc_typescope scope, int depth, uint64_t *left)
{
	Dwarf_Die die;

	if (depth == MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		if (!*left)
			return;
		--*left;
		if (is_type(tag))
			note(scopes, &die, scope);
		if (is_scope(tag) && dwarf_haschildren(&die) > 0)
			go_through(scopes, texts, &die,
				   scope_in(scopes, texts, &die, scope, left), depth + 1, left);
	} while (!dwarf_siblingof(&die, &die));
}

struct fc_typescope fc_scopes_of(struct fc_scopes *scopes, struct fc_texts *texts,
				 Dwarf_Die *die, uint64_t *left)
{
	Dwarf_Die unit, declared;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return (struct fc_typescope){ 0, true };
	if (!fc_pairs_find(&scopes->units, key_of(&unit))) {
		fc_pairs_add(&scopes->units, key_of(&unit));
		go_through(scopes, texts, &unit, (struct fc_typescope){ 0 }, 0, left);
	}
	/* What completes a declaration is where that is. */
	if (fc_die_ref(die, DW_AT_specification, &declared) &&
	    !dwarf_hasattr(&declared, DW_AT_specification))
		return fc_scopes_of(scopes, texts, &declared, left);
	uint32_t number = fc_pairs_find(&scopes->entries, key_of(die));
	return number ? scopes->scopes.at[number - 1] : (struct fc_typescope){ 0, true };
}

void fc_scopes_deinit(struct fc_scopes *scopes)
{
	fc_pairs_deinit(&scopes->entries);
	fc_pairs_deinit(&scopes->units);
	fc_vec_free(&scopes->scopes);
}
