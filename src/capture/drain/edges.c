/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/edges.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A caller: a function, or else a file or nothing that is known. */
struct caller {
	const struct fc_func_info *func;
	const char *path;
};

struct row {
	struct caller caller;
	uint32_t callee;
	uint64_t calls; /* 0: a free place */
};

struct fc_edges {
	struct row *rows; /* a hash table: room is a power of two */
	size_t nr, room;
	uint64_t lost;
	FC_VEC(char *) paths; /* of files that were not read */
};

/* ---- places ---- */

static bool is_same_code(const struct fc_mapped *a, const struct fc_mapped *b)
{
	return a->module == b->module && a->bias == b->bias && !strcmp(a->path, b->path);
}

void fc_places_add(struct fc_places *places, const struct fc_mapped *place)
{
	struct fc_mapped new = *place;
	bool is_known = false;
	new.is_shared = false;
	fc_vec_each (&places->list, other) {
		if (other->end <= new.start || other->start >= new.end)
			continue;
		if (!is_same_code(other, &new))
			other->is_shared = new.is_shared = true;
		else if (other->start <= new.start && other->end >= new.end)
			is_known = true;
	}
	if (is_known)
		return;
	new.path = fc_strdup(new.path);
	fc_vec_push(&places->list, new);
}

void fc_places_deinit(struct fc_places *places)
{
	fc_vec_each (&places->list, place)
		free(place->path);
	fc_vec_free(&places->list);
}

static const struct fc_mapped *find_place(const struct fc_places *places, uint64_t taddr)
{
	fc_vec_each (&places->list, place)
		if (taddr >= place->start && taddr < place->end)
			return place;
	return NULL;
}

/* ---- callers ---- */

/* Of a function's unlikely part, which has a name of its own, the function. */
static const struct fc_func_info *whole_of(const struct fc_module *module,
					   const struct fc_func_info *func)
{
	const char *end =
		func->name && func->how == FC_HOW_PART ? strstr(func->name, ".cold") : NULL;
	size_t nr, len = end ? (size_t)(end - func->name) : 0;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t i = 0; len && i < nr; i++)
		if (funcs[i].name && !strncmp(funcs[i].name, func->name, len) &&
		    !funcs[i].name[len])
			return &funcs[i];
	return func;
}

/* The function whose code is there; NULL: it is in none that is known. */
static const struct fc_func_info *func_at(const struct fc_module *module, uint64_t vaddr)
{
	const struct fc_func_info *func = module->plan ? fc_module_func(module, vaddr) : NULL;
	if (!func || (func->size && vaddr >= func->vaddr + func->size))
		return NULL;
	return whole_of(module, func);
}

static const char *keep_path(struct fc_edges *edges, const char *path)
{
	for (size_t i = 0; i < edges->paths.nr; i++)
		if (!strcmp(edges->paths.at[i], path))
			return edges->paths.at[i];
	fc_vec_push(&edges->paths, fc_strdup(path));
	return edges->paths.at[edges->paths.nr - 1];
}

/* The call is before the address that it returns to, and may be the last of its function. */
static struct caller caller_of(struct fc_edges *edges, const struct fc_places *places,
			       uint64_t ret)
{
	const struct fc_mapped *place = find_place(places, ret - 1);
	if (!place || place->is_shared)
		return (struct caller){ NULL, keep_path(edges, "") };
	if (!place->module)
		return (struct caller){ NULL, keep_path(edges, place->path) };
	const struct fc_func_info *func = func_at(place->module, ret - 1 - place->bias);
	return (struct caller){ func, keep_path(edges, place->path) };
}

/* ---- sums ---- */

static bool is_of(const struct row *row, struct caller caller, uint32_t callee)
{
	return row->callee == callee && row->caller.func == caller.func &&
	       row->caller.path == caller.path;
}

/* Its row, or the free place for it. */
static struct row *find_row(const struct fc_edges *edges, struct caller caller, uint32_t callee)
{
	uintptr_t key = (uintptr_t)caller.func ^ (uintptr_t)caller.path * 31;
	size_t i = (key >> 3 ^ callee) * 0x9e3779b97f4a7c15ull >> 20;
	for (;; i++) {
		struct row *row = &edges->rows[i & (edges->room - 1)];
		if (!row->calls || is_of(row, caller, callee))
			return row;
	}
}

static void grow(struct fc_edges *edges)
{
	struct fc_edges old = *edges;
	edges->room = old.room ? old.room * 2 : 1024;
	edges->rows = fc_alloc(edges->room * sizeof(*edges->rows));
	for (size_t i = 0; i < old.room; i++)
		if (old.rows[i].calls)
			*find_row(edges, old.rows[i].caller, old.rows[i].callee) = old.rows[i];
	free(old.rows);
}

static void add(struct fc_edges *edges, struct caller caller, uint32_t callee, uint64_t calls)
{
	if (edges->nr >= edges->room / 2)
		grow(edges);
	struct row *row = find_row(edges, caller, callee);
	edges->nr += !row->calls;
	row->caller = caller;
	row->callee = callee;
	row->calls += calls;
}

static void take(struct fc_edges *edges, const struct fc_places *places,
		 const struct fca_edge *edge)
{
	enum { MANY_BITS = 39 };
	uint64_t calls = edge->calls >> FCA_EDGE_CALLS;
	uint32_t id = edge->calls & ((1u << FCA_EDGE_CALLS) - 1);
	if (id & FCA_EDGE_IS_MANY)
		calls <<= MANY_BITS;
	if (id && calls)
		add(edges, caller_of(edges, places, edge->ret), id & ~FCA_EDGE_IS_MANY, calls);
}

struct fc_edges *fc_edges_create(void)
{
	return fc_alloc(sizeof(struct fc_edges));
}

void fc_edges_destroy(struct fc_edges *edges)
{
	if (!edges)
		return;
	fc_vec_each (&edges->paths, path)
		free(*path);
	fc_vec_free(&edges->paths);
	free(edges->rows);
	free(edges);
}

void fc_edges_take(struct fc_edges *edges, const struct fc_places *places,
		   const struct fca_edges *table)
{
	enum { PAGE = 256 };
	edges->lost += table->lost;
	for (size_t page = 0; page < FCA_EDGES_PAGES; page++) {
		if (!(table->pages[page / 64] >> page % 64 & 1))
			continue;
		for (size_t i = 0; i < PAGE; i++)
			take(edges, places, &table->at[page * PAGE + i]);
	}
}

void fc_edges_lose(struct fc_edges *edges, uint64_t nr)
{
	edges->lost += nr;
}

void fc_edges_tell(const struct fc_edges *edges, struct fc_tap *tap)
{
	fc_auto_vec FC_VEC(struct fc_edge) told = { 0 };
	for (size_t i = 0; i < edges->room; i++) {
		const struct row *row = &edges->rows[i];
		if (row->calls)
			fc_vec_push(&told, (struct fc_edge){ .caller = row->caller.func,
							     .caller_path = row->caller.path,
							     .callee = row->callee,
							     .calls = row->calls });
	}
	tap->edges(tap, told.at, told.nr, edges->lost);
}
