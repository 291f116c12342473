/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/hits.h"

#include <stdlib.h>
#include <string.h>

#include "base/crew.h"

/*
 *   range   |---------------------------|
 *   chunks  |-------|-------|-------|---|
 *                   ^ a branch that begins before it is the left one's, which looks a few
 *                     bytes further
 */
enum { CHUNK = 1 << 20, LONGEST = 16, COST = 2 };

struct chunk {
	uint64_t vaddr, end;
	size_t room; /* bytes from vaddr on that may be looked at */
	struct fc_hits hits;
};

struct scan {
	const struct fc_plan *plan;
	const struct fc_targets *targets;
	bool (*is_wanted)(const void *ctx, const struct fc_branch *branch);
	const void *ctx;
	FC_VEC(struct chunk) chunks;
};

static void add_chunks(struct scan *scan, const struct fc_code_range *range)
{
	uint64_t end = range->vaddr + range->size;
	for (uint64_t at = range->vaddr; at < end;) {
		struct chunk chunk = { .vaddr = at };
		chunk.end = end - at > CHUNK ? at + CHUNK : end;
		chunk.room = (end - chunk.end > LONGEST ? chunk.end + LONGEST : end) - at;
		at = chunk.end;
		fc_vec_push(&scan->chunks, chunk);
	}
}

/* What the callback of one chunk works with. */
struct looking {
	const struct scan *scan;
	struct chunk *chunk;
};

static void note(void *ctx, struct fc_branch branch)
{
	struct looking *looking = ctx;
	const struct scan *scan = looking->scan;
	if (branch.from < looking->chunk->end && scan->is_wanted(scan->ctx, &branch))
		fc_vec_push(&looking->chunk->hits.list, branch);
}

static void look(void *ctx, size_t i)
{
	struct scan *scan = ctx;
	struct chunk *chunk = &scan->chunks.at[i];
	struct fc_progress *progress = scan->plan->opts.progress;
	if (fc_progress_is_over(progress))
		return;
	struct looking looking = { scan, chunk };
	const uint8_t *code = fc_elf_bytes(scan->plan->elf, chunk->vaddr, chunk->room);
	if (code)
		scan->plan->arch->code->scan(code, chunk->room, chunk->vaddr, scan->targets,
					     note, &looking);
	fc_progress_did(progress, (chunk->end - chunk->vaddr) * COST);
}

uint64_t fc_scan_cost(const struct fc_plan *plan)
{
	uint64_t size = 0;
	for (size_t i = 0; i < plan->nr_ranges; i++)
		size += plan->ranges[i].size;
	return size * COST;
}

void fc_scan(const struct fc_plan *plan, const struct fc_targets *targets,
	     bool (*is_wanted)(const void *ctx, const struct fc_branch *branch),
	     const void *ctx, struct fc_hits *hits)
{
	struct scan scan = { plan, targets, is_wanted, ctx };
	for (size_t i = 0; i < plan->nr_ranges; i++)
		add_chunks(&scan, &plan->ranges[i]);
	fc_crew_each(scan.chunks.nr, look, &scan);

	size_t nr = 0;
	fc_vec_each (&scan.chunks, chunk)
		nr += chunk->hits.list.nr;
	if (nr)
		fc_vec_reserve(&hits->list, nr);
	fc_vec_each (&scan.chunks, chunk) {
		if (chunk->hits.list.nr)
			memcpy(hits->list.at + hits->list.nr, chunk->hits.list.at,
			       chunk->hits.list.nr * sizeof(*hits->list.at));
		hits->list.nr += chunk->hits.list.nr;
		fc_vec_free(&chunk->hits.list);
	}
	fc_vec_free(&scan.chunks);
}
