/* SPDX-License-Identifier: Apache-2.0 */
/* rustcall.c - decides where Rust passes a value, by its size and kind. */
#include "dwarf/rustcall.h"

#include "dwarf/types/typegraph.h"

enum { REGISTERS = 6, VECTORS = 8, WORD = 8, MAX_STEPS = 64 };

/* What a value takes. */
struct load {
	unsigned int words, vectors;
	bool is_other; /* it is passed in a way not known */
};

static const struct fc_typenode *resolve(const struct fc_typegraph *graph, uint32_t id)
{
	for (int i = 0; id && i < MAX_STEPS; i++) {
		const struct fc_typenode *node = fc_typegraph_node(graph, id);
		if (node->kind != BTF_KIND_TYPEDEF && node->kind != BTF_KIND_CONST)
			return node;
		id = node->of;
	}
	return NULL;
}

static bool is_word(const struct fc_typenode *node)
{
	return node && (node->kind == BTF_KIND_PTR ||
			(node->kind == BTF_KIND_INT && node->size == WORD));
}

/* A pointer and a number, or two: a slice, a text, an object with its table of functions. */
static bool is_fat_pointer(const struct fc_typegraph *graph, const struct fc_typenode *node)
{
	if (node->kind != BTF_KIND_STRUCT || node->nr != 2 || node->size != 2 * WORD)
		return false;
	const struct fc_typeitem *items = &graph->items.at[node->first];
	const struct fc_typenode *first = resolve(graph, items[0].of);
	return first && first->kind == BTF_KIND_PTR && !items[0].value &&
	       is_word(resolve(graph, items[1].of)) && items[1].value == WORD * 8;
}

static struct load load_of(const struct fc_typegraph *graph, uint32_t id)
{
	const struct fc_typenode *node = resolve(graph, id);

	if (!node)
		return (struct load){ 0 };
	if (node->kind == BTF_KIND_PTR ||
	    ((node->kind == BTF_KIND_INT || node->kind == BTF_KIND_ENUM) && node->size <= WORD))
		return (struct load){ .words = 1 };
	if (node->kind == BTF_KIND_FLOAT && (node->size == 4 || node->size == 8))
		return (struct load){ .vectors = 1 };
	if (is_fat_pointer(graph, node))
		return (struct load){ .words = 2 };
	/* "()" and what else has no size is not passed at all. */
	bool is_nothing = node->kind == BTF_KIND_STRUCT && !node->size;
	return (struct load){ .is_other = !is_nothing };
}

bool fc_rustcall_is_plain(const struct fc_typegraph *graph, uint32_t proto)
{
	const struct fc_typenode *node = fc_typegraph_node(graph, proto);
	unsigned int words = 0, vectors = 0;

	if (load_of(graph, node->of).is_other)
		return false;
	for (uint32_t i = 0; i < node->nr; i++) {
		struct load load = load_of(graph, graph->items.at[node->first + i].of);
		words += load.words;
		vectors += load.vectors;
		if (load.is_other || !graph->items.at[node->first + i].of)
			return false;
	}
	return words <= REGISTERS && vectors <= VECTORS;
}
