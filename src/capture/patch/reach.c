/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that cannot be called while one that -F asks for is open.
 *
 *      _start --> main --> set_up --> read_file      only main leads here: out of reach
 *                     \--> f -----.-> parse          reached from f
 *      handlers[] ----------------'-> lookup         its address is in the data: by anyone
 *
 * What leads to a function of which we know how it is called? Direct calls and jumps. One whose
 * address is anywhere in code, data, relocations or the symbols for other modules may be called
 * by any pointer, at any time: by f, by what f calls, by a signal's handler, by another module.
 * So may one of which we do not know how it is called. So
 *
 *      known    what main leads to by direct branches
 *      reached  what the others and f lead to
 *
 * and the known ones that are not reached are out of reach. main's own address is given to the C
 * library, which calls it once: that does not count. A branch is real or not; in doubt it is one
 * for what is reached, and none for what is known.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "capture/patch/branches.h"
#include "capture/patch/known/rule.h"

enum {
	BLOCK = 32,	 /* bytes of code that share an entry in index */
	LONG_BRANCH = 5, /* bytes; it hits the very start of a function by chance never */
	START_SIZE = 48, /* of the code that gives main's address to the C library */
	NOT_FOUND = UINT32_MAX,
};
/* Files with so much between their first code and their last are not looked at. */
static const uint64_t max_span = 1ull << 30;

/* From one function into another. Not verified yet, unless it is long and leads to a start. */
struct edge {
	uint32_t from, to;
	uint64_t at;
	uint8_t size, kind;
	bool is_start; /* leads to its first byte */
};

struct reach {
	struct fc_plan *plan;
	struct fc_targets all;	   /* each address of code */
	struct fc_targets starts;  /* of functions */
	uint32_t *index;	   /* by block: the last function that starts before its end */
	FC_VEC(struct edge) edges; /* ascending by from */
	size_t *first_edge;	   /* by function; one more at the end */
	bool *is_root, *is_known, *is_reached;
	FC_VEC(uint32_t) open;	 /* reached, and what they lead to is not looked at yet */
	struct fc_branches gaps; /* decoding goes on there */
	uint32_t main;
	bool is_lost; /* there is code that leaves calls unseen */
};

/* The function that vaddr is in. */
static uint32_t func_at(const struct reach *r, uint64_t vaddr)
{
	const struct fc_plan *plan = r->plan;
	uint64_t off = vaddr - r->all.vaddr;
	if (off >= r->all.size)
		return NOT_FOUND;
	uint32_t i = r->index[off / BLOCK];
	while (i != NOT_FOUND && plan->funcs[i].vaddr > vaddr)
		i = i ? i - 1 : NOT_FOUND;
	if (i == NOT_FOUND)
		return NOT_FOUND;
	const struct fc_func *func = &plan->funcs[i];
	uint64_t size = func->size;
	if (!size)
		size = fc_plan_range_end(plan, func->vaddr) - func->vaddr;
	return vaddr - func->vaddr < size ? i : NOT_FOUND;
}

static bool make_index(struct reach *r)
{
	const struct fc_plan *plan = r->plan;
	if (!plan->nr_ranges || !plan->nr)
		return false;
	const struct fc_code_range *last = &plan->ranges[plan->nr_ranges - 1];
	uint64_t vaddr = plan->ranges[0].vaddr, size = last->vaddr + last->size - vaddr;
	if (size > max_span)
		return false;
	size_t nr_blocks = size / BLOCK + 1;
	r->all = fc_targets_make(vaddr, size);
	r->starts = fc_targets_make(vaddr, size);
	memset(r->all.bits, 0xff, (size / 64 + 1) * sizeof(*r->all.bits));
	r->index = fc_alloc(nr_blocks * sizeof(*r->index));
	memset(r->index, 0xff, nr_blocks * sizeof(*r->index));
	for (size_t i = 0; i < plan->nr; i++) {
		uint64_t off = plan->funcs[i].vaddr - vaddr;
		if (off >= size)
			continue;
		fc_targets_add(&r->starts, plan->funcs[i].vaddr);
		r->index[off / BLOCK] = i;
	}
	for (size_t i = 1; i < nr_blocks; i++)
		if (r->index[i] == NOT_FOUND)
			r->index[i] = r->index[i - 1];
	return true;
}

/* Of code in no known function nobody knows when it runs. */
static void note_branch(void *ctx, struct fc_branch branch)
{
	struct reach *r = ctx;
	uint32_t from = func_at(r, branch.from), to = func_at(r, branch.to);
	if (from == to || to == NOT_FOUND)
		return;
	if (from == NOT_FOUND) {
		bool is_long = branch.end - branch.from >= LONG_BRANCH;
		if (is_long || fc_branches_is_real(&r->gaps, branch))
			r->is_root[to] = true;
		return;
	}
	struct edge edge = {
		.from = from,
		.to = to,
		.at = branch.from,
		.size = branch.end - branch.from,
		.kind = branch.kind,
		.is_start = r->plan->funcs[to].vaddr == branch.to,
	};
	fc_vec_push(&r->edges, edge);
}

static void note_address(void *ctx, uint64_t from, uint64_t to)
{
	struct reach *r = ctx;
	uint32_t func = func_at(r, to);
	if (func != r->main || from - r->plan->elf->entry >= START_SIZE)
		r->is_root[func] = true;
}

/* __builtin_longjmp: who calls next is the first to notice, and must be hooked for that. */
static void note_stack(void *ctx, uint64_t vaddr)
{
	struct reach *r = ctx;
	uint32_t func = func_at(r, vaddr);
	const char *name = func == NOT_FOUND ? NULL : r->plan->funcs[func].name;
	if (!name || !fc_rule_find(name))
		r->is_lost = true;
}

static void scan_code(struct reach *r)
{
	const struct fc_plan *plan = r->plan;
	bool is_fixed = plan->elf->type == ET_EXEC;
	for (size_t i = 0; i < plan->nr_ranges; i++) {
		const struct fc_code_range *range = &plan->ranges[i];
		const uint8_t *code = fc_elf_bytes(plan->elf, range->vaddr, range->size);
		if (!code)
			continue;
		plan->arch->code->scan(code, range->size, range->vaddr, &r->all, note_branch,
				       r);
		plan->arch->code->refs(code, range->size, range->vaddr, is_fixed, &r->starts,
				       note_address, r);
		plan->arch->code->stack_loads(code, range->size, range->vaddr, note_stack, r);
	}
}

static void note_word(struct reach *r, uint64_t vaddr)
{
	if (fc_targets_has(&r->starts, vaddr))
		r->is_root[func_at(r, vaddr)] = true;
}

/* An address, or what ld.so makes one of; or the distance to a function from right there. */
static void scan_words(struct reach *r, const struct fc_code_range *range, const uint8_t *data)
{
	bool is_fixed = r->plan->elf->type == ET_EXEC;
	for (size_t i = 0; i + 4 <= range->size; i++) {
		uint64_t word = 0;
		memcpy(&word, data + i, is_fixed || i + 8 > range->size ? 4 : 8);
		note_word(r, word);
		if (i % 4 == 0)
			note_word(r, range->vaddr + i + (int64_t)(int32_t)word);
	}
}

/* False: nobody knows where the file's data is. */
static bool scan_data(struct reach *r)
{
	const struct fc_elf *elf = r->plan->elf;
	size_t nr = fc_elf_data(elf, NULL, 0);
	struct fc_code_range *ranges = fc_alloc((nr + 1) * sizeof(*ranges));
	fc_elf_data(elf, ranges, nr);
	bool is_seen = nr > 0;
	for (size_t i = 0; i < nr && is_seen; i++) {
		const uint8_t *data = fc_elf_bytes(elf, ranges[i].vaddr, ranges[i].size);
		is_seen = data != NULL;
		if (data)
			scan_words(r, &ranges[i], data);
	}
	free(ranges);
	return is_seen;
}

static int by_from(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	return fc_order(x->from, y->from) ?: fc_order(x->at, y->at);
}

static void sort_edges(struct reach *r)
{
	size_t k = 0;
	if (r->edges.nr)
		qsort(r->edges.at, r->edges.nr, sizeof(*r->edges.at), by_from);
	r->first_edge = fc_alloc((r->plan->nr + 1) * sizeof(*r->first_edge));
	for (size_t i = 0; i <= r->plan->nr; i++) {
		while (k < r->edges.nr && r->edges.at[k].from < i)
			k++;
		r->first_edge[i] = k;
	}
}

static bool is_real(struct fc_branches *branches, const struct edge *edge)
{
	struct fc_branch branch = { .from = edge->at,
				    .end = edge->at + edge->size,
				    .kind = (enum fc_branch_kind)edge->kind };
	return (edge->is_start && edge->size >= LONG_BRANCH) ||
	       fc_branches_is_real(branches, branch);
}

static void mark(struct reach *r, bool *marks, uint32_t func)
{
	if (marks[func])
		return;
	marks[func] = true;
	fc_vec_push(&r->open, func);
}

/* What the open ones lead to. A short branch of which a byte is one by chance is common. */
static void follow(struct reach *r, bool *marks, bool trusts_long)
{
	struct fc_branches branches = { .plan = r->plan };
	while (r->open.nr) {
		uint32_t func = r->open.at[--r->open.nr];
		for (size_t k = r->first_edge[func]; k < r->first_edge[func + 1]; k++) {
			const struct edge *edge = &r->edges.at[k];
			bool is_sure = trusts_long && edge->size >= LONG_BRANCH;
			if (!marks[edge->to] && (is_sure || is_real(&branches, edge)))
				mark(r, marks, edge->to);
		}
	}
}

/* May code run out of function i into the next one? Not into another section. */
static bool falls(const struct fc_plan *plan, size_t i)
{
	const struct fc_func *func = &plan->funcs[i];
	return fc_plan_range_end(plan, func->vaddr) == fc_plan_range_end(plan, func[1].vaddr) &&
	       !fc_plan_is_over(plan, i);
}

static void follow_falls(struct reach *r)
{
	size_t nr = r->plan->nr;
	bool *is_seen = fc_alloc(nr * sizeof(*is_seen)), is_more = true;
	while (is_more) {
		is_more = false;
		follow(r, r->is_reached, true);
		for (size_t i = 0; i + 1 < nr; i++) {
			if (!r->is_reached[i] || r->is_reached[i + 1] || is_seen[i])
				continue;
			is_seen[i] = true;
			if (!falls(r->plan, i))
				continue;
			mark(r, r->is_reached, i + 1);
			is_more = true;
		}
	}
	free(is_seen);
}

static void find_reached(struct reach *r)
{
	mark(r, r->is_known, r->main);
	follow(r, r->is_known, false);
	for (size_t i = 0; i < r->plan->nr; i++)
		if (r->is_root[i] || !r->is_known[i])
			mark(r, r->is_reached, i);
	follow_falls(r);
}

/* Those stay whose stubs hold the bytes that another function's near jump goes over. */
static void keep_lenders(struct reach *r)
{
	const struct fc_plan *plan = r->plan;
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *planned = &plan->planned[i];
		const struct fc_planned *lender = fc_plan_lender(plan, planned);
		if (planned->is_hooked && lender)
			r->is_reached[lender - plan->planned] = true;
	}
}

/* What the agent must know of stays, as do those that are special in any other way. */
static bool may_go(const struct fc_plan *plan, size_t i)
{
	const struct fc_planned *planned = &plan->planned[i];
	const char *name = plan->funcs[i].name;
	bool is_plain = planned->kind == FC_STUB_CALL || planned->kind == FC_STUB_ENTRY_ONLY;
	return planned->is_hooked && is_plain && !(name && fc_rule_find(name));
}

static size_t leave_out(struct reach *r, const char *why)
{
	struct fc_plan *plan = r->plan;
	size_t nr = 0;
	for (size_t i = 0; i < plan->nr; i++) {
		if (r->is_reached[i] || !may_go(plan, i))
			continue;
		if (!plan->out_of_reach)
			plan->out_of_reach = fc_strdup(why);
		plan->planned[i].is_hooked = false;
		plan->infos[i].how = FC_HOW_SKIPPED;
		plan->infos[i].why = plan->out_of_reach;
		nr++;
	}
	return nr;
}

/* main, if only the start-up code leads to it as far as headers and symbols tell. */
static uint32_t find_main(const struct reach *r)
{
	const struct fc_plan *plan = r->plan;
	const struct fc_elf *elf = plan->elf;
	const uint8_t *code = fc_elf_bytes(elf, elf->entry, START_SIZE);
	uint64_t vaddr = code ? plan->arch->code->main_of(code, START_SIZE, elf->entry) : 0;
	uint32_t func = vaddr ? func_at(r, vaddr) : NOT_FOUND;
	if (func == NOT_FOUND || plan->funcs[func].vaddr != vaddr || r->is_root[func])
		return NOT_FOUND;
	return func;
}

static size_t prune(struct reach *r, const char *why)
{
	if (!make_index(r))
		return 0;
	r->main = find_main(r);
	if (r->main == NOT_FOUND || !scan_data(r) || r->is_root[r->main])
		return 0;
	scan_code(r);
	if (r->is_root[r->main] || r->is_lost)
		return 0;
	sort_edges(r);
	find_reached(r);
	keep_lenders(r);
	return leave_out(r, why);
}

static void deinit(struct reach *r)
{
	free(r->all.bits);
	free(r->starts.bits);
	free(r->index);
	free(r->first_edge);
	free(r->is_root);
	free(r->is_known);
	free(r->is_reached);
	fc_vec_free(&r->edges);
	fc_vec_free(&r->open);
}

size_t fc_plan_prune(struct fc_plan *plan, const char *why)
{
	const struct fc_elf *elf = plan->elf;
	if (elf->is_go || elf->has_textrel || plan->engine || plan->opts.control_only)
		return 0;
	struct reach r = {
		.plan = plan,
		.gaps = { .plan = plan },
		.is_root = fc_alloc(plan->nr * sizeof(bool) + 1),
		.is_known = fc_alloc(plan->nr * sizeof(bool) + 1),
		.is_reached = fc_alloc(plan->nr * sizeof(bool) + 1),
	};
	for (size_t i = 0; i < plan->nr; i++)
		r.is_root[i] = plan->funcs[i].flags & (FC_FUNC_EXPORTED | FC_FUNC_IFUNC) ||
			       plan->planned[i].is_asked || plan->planned[i].turns;
	size_t nr = prune(&r, why);
	deinit(&r);
	return nr;
}

void fc_plan_ask(struct fc_plan *plan,
		 bool (*is_asked)(void *ctx, const struct fc_func_info *func), void *ctx)
{
	for (size_t i = 0; i < plan->nr; i++)
		plan->planned[i].is_asked = is_asked(ctx, &plan->infos[i]);
}
