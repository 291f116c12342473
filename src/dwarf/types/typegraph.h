/* SPDX-License-Identifier: Apache-2.0 */
/*
 * typegraph.h - the types of functions as units tell them, which become one table in BTF.
 *
 * Each unit tells the same types again. Two are one when everything that can be told of them, and
 * of all that they refer to, is the same. What a unit only declares is what another one defines, if
 * there is one such type of that name.
 */
#ifndef FC_DWARF_TYPES_TYPEGRAPH_H
#define FC_DWARF_TYPES_TYPEGRAPH_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "dwarf/types/texts.h"
#include "values/types.h"

/* Ids of nodes are 1, 2, 3...; 0 is void. */
struct fc_typenode {
	uint8_t kind; /* BTF_KIND_…, as the table will have it; 0: nothing is known of it */
	/*
	 * BTF_INT_… of a number; of an enum: it is signed; of a forward: it is a union; of a class: its
	 * own unit says that it is passed as its members are; with no kind: a member is of it whose
	 * place is not told.
	 */
	uint8_t encoding;
	uint16_t tags;	    /* enum fc_tag */
	uint32_t name;	    /* number in texts; 0: none */
	uint32_t more;	    /* a tag in words, in texts; 0: none */
	uint32_t size;	    /* bytes; of an array: elements */
	uint32_t align;	    /* bytes, if that is told; or 0 */
	uint32_t of;	    /* node: what it points to, is made of, or returns */
	uint32_t first, nr; /* of items: members, parameters, enumerators */
};

struct fc_typeitem {
	uint32_t name, of;
	uint32_t bits;	/* of a bit-field; or 0 */
	uint64_t value; /* of an enumerator; of a member: the bit where it begins */
};

/* Zeroed means: none. */
struct fc_typegraph {
	FC_VEC(struct fc_typenode) nodes; /* nodes.at[id - 1] */
	FC_VEC(struct fc_typeitem) items;
	struct fc_texts texts;
};

enum { FC_NODE_ITEMS = 65535 }; /* of a node, at most */

/* A new node, of which nothing is known. */
uint32_t fc_typegraph_add(struct fc_typegraph *graph);
/* It moves when one is added. id is none of void. */
struct fc_typenode *fc_typegraph_node(const struct fc_typegraph *graph, uint32_t id);
/* One more item of the node, which was the last to get one, or has none. False: it is full. */
bool fc_typegraph_item(struct fc_typegraph *graph, uint32_t id, struct fc_typeitem item);
void fc_typegraph_deinit(struct fc_typegraph *graph);

#endif
