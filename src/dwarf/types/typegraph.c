/* SPDX-License-Identifier: Apache-2.0 */
/* typegraph.c - stores types as nodes and items before they become one table. */
#include "dwarf/types/typegraph.h"

#include <stdlib.h>

uint32_t fc_typegraph_add(struct fc_typegraph *graph)
{
	fc_vec_push(&graph->nodes, (struct fc_typenode){ 0 });
	return (uint32_t)graph->nodes.nr;
}

struct fc_typenode *fc_typegraph_node(const struct fc_typegraph *graph, uint32_t id)
{
	return &graph->nodes.at[id - 1];
}

bool fc_typegraph_item(struct fc_typegraph *graph, uint32_t id, struct fc_typeitem item)
{
	struct fc_typenode *node = fc_typegraph_node(graph, id);

	if (node->nr == FC_NODE_ITEMS || graph->items.nr == UINT32_MAX)
		return false;
	if (!node->nr)
		node->first = (uint32_t)graph->items.nr;
	fc_vec_push(&graph->items, item);
	node->nr++;
	return true;
}

void fc_typegraph_deinit(struct fc_typegraph *graph)
{
	fc_vec_free(&graph->nodes);
	fc_vec_free(&graph->items);
	fc_texts_deinit(&graph->texts);
}
