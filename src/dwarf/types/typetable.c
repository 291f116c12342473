/* SPDX-License-Identifier: Apache-2.0 */
/* typetable.c - measures the types of a graph, and writes each once as BTF. */
#include "dwarf/types/typetable.h"

#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/types/sametypes.h"

enum {
	MAX_RANK = 60, /* types within types; a table may have 64 (values/sound.c) */
	MAX_BIT_OF_FIELDS = 0xffffff,
	POINTER_SIZE = 8,
};

#define MAX_SIZE (UINT64_C(1) << 32)

/* ---- what a table may have ---- */

/* A node that stands for all that are the same. */
struct shape {
	enum { UNKNOWN, ASKED, KNOWN } state;
	uint32_t rank;	/* types within it, one in the other */
	uint32_t align; /* as its members have it */
	uint64_t size;
};

struct maker {
	struct fc_typegraph *graph;
	uint32_t *same;	      /* by id: the node that stands for it */
	struct shape *shapes; /* by id */
	uint32_t *ids;	      /* by id less 1: of the table */
	struct btf *btf;
};

static bool is_struct(const struct fc_typenode *node)
{
	return node->kind == BTF_KIND_STRUCT || node->kind == BTF_KIND_UNION;
}

static struct fc_typeitem *items_of(const struct fc_typegraph *graph,
				    const struct fc_typenode *node)
{
	return graph->items.nr ? graph->items.at + node->first : NULL;
}

static void measure(struct maker *maker, uint32_t id, uint32_t rank);

/* The shape of what something contains; NULL: that may not contain it. */
static const struct shape *shape_within(struct maker *maker, uint32_t id, uint32_t rank)
{
	struct shape *shape = &maker->shapes[maker->same[id]];

	if (shape->state == UNKNOWN && rank < MAX_RANK - 2) /* not to be cut at the outermost */
		measure(maker, maker->same[id], rank + 1);
	return shape->state == KNOWN && shape->rank < MAX_RANK ? shape : NULL;
}

static void widen(struct shape *shape, const struct shape *within)
{
	if (shape->rank <= within->rank)
		shape->rank = within->rank + 1;
	if (shape->align < within->align)
		shape->align = within->align;
}

static bool fits(const struct fc_typenode *node, const struct fc_typeitem *item, uint64_t size,
		 bool has_fields)
{
	uint64_t bits = item->bits ? item->bits : size * 8;

	if (has_fields && item->value > MAX_BIT_OF_FIELDS)
		return false;
	if (item->bits ? item->bits > 255 || item->bits > size * 8 : item->value % 8)
		return false;
	if (node->kind == BTF_KIND_UNION && item->value)
		return false;
	return item->value <= (uint64_t)node->size * 8 &&
	       bits <= (uint64_t)node->size * 8 - item->value;
}

static bool has_fields(const struct fc_typegraph *graph, const struct fc_typenode *node)
{
	for (uint32_t i = 0; i < node->nr; i++)
		if (items_of(graph, node)[i].bits)
			return true;
	return false;
}

static bool is_kind_of_type(unsigned kind)
{
	return kind != BTF_KIND_FUNC && kind != BTF_KIND_FUNC_PROTO;
}

/* Members that may not be there are left out. */
static void measure_struct(struct maker *maker, struct fc_typenode *node, struct shape *shape,
			   uint32_t rank)
{
	struct fc_typeitem *items = items_of(maker->graph, node);
	bool has_bits = has_fields(maker->graph, node);
	uint32_t nr = 0;

	for (uint32_t i = 0; i < node->nr; i++) {
		uint32_t of = items[i].of ? maker->same[items[i].of] : 0;
		const struct shape *within =
			of && is_kind_of_type(fc_typegraph_node(maker->graph, of)->kind)
				? shape_within(maker, of, rank)
				: NULL;
		if (!within || !fits(node, &items[i], within->size, has_bits))
			continue;
		widen(shape, within);
		items[nr++] = items[i];
	}
	node->nr = nr;
	shape->size = node->size;
}

static void become_opaque(struct fc_typenode *node, uint32_t size)
{
	*node = (struct fc_typenode){ .kind = BTF_KIND_STRUCT,
				      .name = node->name,
				      .size = size };
}

static void measure_array(struct maker *maker, struct fc_typenode *node, struct shape *shape,
			  uint32_t rank)
{
	const struct shape *within = node->of ? shape_within(maker, node->of, rank) : NULL;

	if (!within) {
		become_opaque(node, 0);
		return;
	}
	widen(shape, within);
	if (within->size && node->size > MAX_SIZE / within->size)
		node->size = 0; /* not known */
	shape->size = within->size * node->size;
}

static void measure_other(struct maker *maker, struct fc_typenode *node, struct shape *shape,
			  uint32_t rank)
{
	const struct shape *within = node->of ? shape_within(maker, node->of, rank) : NULL;

	if (!within)
		node->of = 0;
	else {
		widen(shape, within);
		shape->size = within->size;
	}
}

/* Its size, by those of what it contains; nothing moves meanwhile. */
static void measure(struct maker *maker, uint32_t id, uint32_t rank)
{
	struct fc_typenode *node = fc_typegraph_node(maker->graph, id);
	struct shape *shape = &maker->shapes[id];

	shape->state = ASKED;
	switch (node->kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		measure_struct(maker, node, shape, rank);
		break;
	case BTF_KIND_ARRAY:
		measure_array(maker, node, shape, rank);
		break;
	case BTF_KIND_CONST:
	case BTF_KIND_TYPEDEF:
		measure_other(maker, node, shape, rank);
		break;
	case BTF_KIND_PTR:
		shape->size = shape->align = POINTER_SIZE;
		break;
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_ENUM:
		shape->size = shape->align = node->size;
		break;
	case 0:
		become_opaque(node, 0);
		break;
	}
	if (node->align <= shape->align) /* nothing new */
		node->align = 0;
	else
		shape->align = node->align;
	shape->state = KNOWN;
}

/* ---- what is passed by reference ---- */

static bool has_by_reference(const struct maker *maker, const struct fc_typenode *node)
{
	if (node->kind != BTF_KIND_STRUCT && node->kind != BTF_KIND_UNION) {
		uint32_t of = node->of ? maker->same[node->of] : 0;
		return of && fc_typegraph_node(maker->graph, of)->tags & FC_TAG_BY_REFERENCE;
	}
	for (uint32_t i = 0; i < node->nr; i++) {
		uint32_t of = maker->same[items_of(maker->graph, node)[i].of];
		if (fc_typegraph_node(maker->graph, of)->tags & FC_TAG_BY_REFERENCE)
			return true;
	}
	return false;
}

static bool hands_on(const struct fc_typenode *node)
{
	return is_struct(node) || node->kind == BTF_KIND_ARRAY ||
	       node->kind == BTF_KIND_TYPEDEF || node->kind == BTF_KIND_CONST;
}

/* Its own unit says so. */
static bool is_by_value(const struct fc_typenode *node)
{
	return is_struct(node) && node->encoding;
}

/* A class with a member that is copied by a function of its own is copied so, too. */
static void spread_by_reference(const struct maker *maker)
{
	bool has_changed = true;

	for (int i = 0; has_changed && i <= MAX_RANK; i++) {
		has_changed = false;
		fc_vec_each (&maker->graph->nodes, node) {
			if (!hands_on(node) || node->tags & FC_TAG_BY_REFERENCE ||
			    is_by_value(node) || !has_by_reference(maker, node))
				continue;
			node->tags |= FC_TAG_BY_REFERENCE;
			has_changed = true;
		}
	}
}

/* ---- the table ---- */

static const char *text_of(const struct maker *maker, uint32_t name, const char *otherwise)
{
	return name ? fc_texts_get(&maker->graph->texts, name) : otherwise;
}

static int id_of(const struct maker *maker, uint32_t id)
{
	return id ? (int)maker->ids[maker->same[id] - 1] : 0;
}

static int put_struct(struct maker *maker, const struct fc_typenode *node)
{
	const struct fc_typeitem *items = items_of(maker->graph, node);
	const char *name = text_of(maker, node->name, NULL);
	int id = node->kind == BTF_KIND_UNION ? btf__add_union(maker->btf, name, node->size)
					      : btf__add_struct(maker->btf, name, node->size);

	for (uint32_t i = 0; id > 0 && i < node->nr; i++) {
		int err = btf__add_field(maker->btf, text_of(maker, items[i].name, NULL),
					 id_of(maker, items[i].of), (uint32_t)items[i].value,
					 items[i].bits);
		if (err)
			return err;
	}
	return id;
}

static bool is_narrow(const struct fc_typeitem *items, uint32_t nr, bool is_signed)
{
	for (uint32_t i = 0; i < nr; i++) {
		int64_t value = (int64_t)items[i].value;
		if (is_signed ? value != (int32_t)value : items[i].value > UINT32_MAX)
			return false;
	}
	return true;
}

static int put_enum(struct maker *maker, const struct fc_typenode *node)
{
	const struct fc_typeitem *items = items_of(maker->graph, node);
	const char *name = text_of(maker, node->name, NULL);
	bool is_wide = !is_narrow(items, node->nr, node->encoding);
	int err = 0,
	    id = is_wide ? btf__add_enum64(maker->btf, name, node->size, node->encoding)
			 : btf__add_enum(maker->btf, name, node->size);

	for (uint32_t i = 0; id > 0 && !err && i < node->nr; i++) {
		const char *its = text_of(maker, items[i].name, "?");
		err = is_wide ? btf__add_enum64_value(maker->btf, its, items[i].value)
			      : btf__add_enum_value(maker->btf, its, (int64_t)items[i].value);
	}
	return err ? err : id;
}

static int put_proto(struct maker *maker, const struct fc_typenode *node)
{
	const struct fc_typeitem *items = items_of(maker->graph, node);
	int err = 0, id = btf__add_func_proto(maker->btf, id_of(maker, node->of));

	for (uint32_t i = 0; id > 0 && !err && i < node->nr; i++)
		err = btf__add_func_param(maker->btf, text_of(maker, items[i].name, NULL),
					  id_of(maker, items[i].of));
	return err ? err : id;
}

static int put_node(struct maker *maker, const struct fc_typenode *node, int index)
{
	struct btf *btf = maker->btf;
	const char *name = text_of(maker, node->name, "?");

	switch (node->kind) {
	case BTF_KIND_INT:
		return btf__add_int(btf, name, node->size, node->encoding);
	case BTF_KIND_FLOAT:
		return btf__add_float(btf, name, node->size);
	case BTF_KIND_PTR:
		return btf__add_ptr(btf, id_of(maker, node->of));
	case BTF_KIND_CONST:
		return btf__add_const(btf, id_of(maker, node->of));
	case BTF_KIND_TYPEDEF:
		return btf__add_typedef(btf, name, id_of(maker, node->of));
	case BTF_KIND_ARRAY:
		return btf__add_array(btf, index, id_of(maker, node->of), node->size);
	case BTF_KIND_FWD:
		return btf__add_fwd(btf, name, node->encoding ? BTF_FWD_UNION : BTF_FWD_STRUCT);
	case BTF_KIND_ENUM:
		return put_enum(maker, node);
	case BTF_KIND_FUNC_PROTO:
		return put_proto(maker, node);
	case BTF_KIND_FUNC:
		return btf__add_func(btf, name, BTF_FUNC_EXTERN, id_of(maker, node->of));
	default:
		return put_struct(maker, node);
	}
}

static int put_tag(struct maker *maker, const char *text, uint32_t id)
{
	int added = btf__add_decl_tag(maker->btf, text, (int)id, -1);
	return added < 0 ? added : 0;
}

static int put_tags(struct maker *maker, const struct fc_typenode *node, uint32_t id)
{
	char aligned[32];
	int err = node->more ? put_tag(maker, text_of(maker, node->more, ""), id) : 0;

	for (unsigned i = 0; !err && fc_tag_word(i); i++)
		if (node->tags & 1u << i)
			err = put_tag(maker, fc_tag_word(i), id);
	if (!err && node->align) {
		snprintf(aligned, sizeof(aligned), "aligned(%u)", node->align);
		err = put_tag(maker, aligned, id);
	}
	return err;
}

static bool stands_for_itself(const struct maker *maker, uint32_t id)
{
	return maker->same[id] == id;
}

/* The first type is what arrays are counted with. */
static int put_all(struct maker *maker)
{
	size_t nr = maker->graph->nodes.nr;
	int err, index = btf__add_int(maker->btf, "unsigned long", 8, 0);

	for (uint32_t id = 1; index > 0 && id <= nr; id++)
		if (stands_for_itself(maker, id)) {
			err = put_node(maker, fc_typegraph_node(maker->graph, id), index);
			if (err != (int)maker->ids[id - 1])
				return -1;
		}
	for (uint32_t id = 1; index > 0 && id <= nr; id++)
		if (stands_for_itself(maker, id) &&
		    put_tags(maker, fc_typegraph_node(maker->graph, id), maker->ids[id - 1]))
			return -1;
	return index > 0 ? 0 : -1;
}

static void number_all(struct maker *maker)
{
	uint32_t next = 2;

	for (uint32_t id = 1; id <= maker->graph->nodes.nr; id++)
		if (stands_for_itself(maker, id))
			maker->ids[id - 1] = next++;
	for (uint32_t id = 1; id <= maker->graph->nodes.nr; id++)
		maker->ids[id - 1] = maker->ids[maker->same[id] - 1];
}

struct btf *fc_typegraph_table(struct fc_typegraph *graph, uint32_t *ret_ids)
{
	size_t nr = graph->nodes.nr;
	struct maker maker = { .graph = graph,
			       .same = fc_alloc((nr + 1) * sizeof(uint32_t)),
			       .shapes = fc_alloc((nr + 1) * sizeof(struct shape)),
			       .ids = ret_ids,
			       .btf = btf__new_empty() };

	fc_sametypes_find(graph, maker.same);
	for (uint32_t id = 1; id <= nr; id++)
		if (stands_for_itself(&maker, id) && maker.shapes[id].state == UNKNOWN)
			measure(&maker, id, 0);
	spread_by_reference(&maker);
	number_all(&maker);
	if (maker.btf && put_all(&maker)) {
		btf__free(maker.btf);
		maker.btf = NULL;
	}
	free(maker.same);
	free(maker.shapes);
	return maker.btf;
}
