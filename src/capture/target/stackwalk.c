/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/stackwalk.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/sort.h"
#include "capture/target/remote.h"
#include "capture/target/resident.h"

int fc_stackwalk_open(int pid, int mem_fd, uint64_t agent, const struct fca_header *header,
		      struct fc_stackwalk *ret)
{
	*ret = (struct fc_stackwalk){ .pid = pid, .mem_fd = mem_fd };
	if (agent && header->stacks) {
		ret->own.from = agent + header->stacks;
		ret->own.to = ret->own.from + FCA_NR_STACKS * FCA_STACK_SIZE;
	}
	return fc_maps_read(pid, &ret->maps);
}

void fc_stackwalk_close(struct fc_stackwalk *stacks)
{
	fc_maps_deinit(&stacks->maps);
	fc_vec_free(&stacks->read);
	fc_vec_free(&stacks->frames);
}

/* ---- the frames in a range ---- */

/* Of a signal's frame: words before the one that says where it goes back to, and behind it. */
enum { BEFORE = 22, BEHIND = 2, KEPT = BEFORE + BEHIND, AT_ONCE = 32 * 1024 };

struct scan {
	struct fc_stackwalk *stacks;
	struct fc_stack_range range;
	uint64_t next;	/* behind what was seen last */
	size_t nr_kept; /* words of that: a frame may lie in both */
	uint64_t words[KEPT + AT_ONCE];
};

static void find_frames(struct scan *scan, size_t nr)
{
	size_t first = scan->nr_kept > BEHIND ? scan->nr_kept - BEHIND : 0;
	for (size_t i = first; i < nr; i++) {
		struct fc_stack_frame frame = { .ip = scan->words[i] };
		if (!fc_arch_here->thread->is_interrupted(scan->words, nr, i, &frame.sp))
			continue;
		frame.taddr = scan->next - (nr - i) * sizeof(uint64_t);
		fc_vec_push(&scan->stacks->frames, frame);
	}
}

static void scan_some(struct scan *scan, uint64_t taddr, const uint64_t *words, size_t nr)
{
	if (taddr != scan->next)
		scan->nr_kept = 0;
	memcpy(scan->words + scan->nr_kept, words, nr * sizeof(*words));
	scan->next = taddr + nr * sizeof(*words);
	size_t sum = scan->nr_kept + nr, kept = sum < KEPT ? sum : KEPT;
	find_frames(scan, sum);
	memmove(scan->words, scan->words + sum - kept, kept * sizeof(*words));
	scan->nr_kept = kept;
}

/* Of the words of whole pages those that are within the range. */
static void clip(const struct fc_stack_range *range, uint64_t *taddr, const uint64_t **words,
		 size_t *nr)
{
	uint64_t end = *taddr + *nr * sizeof(**words);
	uint64_t from = *taddr > range->from ? *taddr : range->from;
	uint64_t to = end < range->to ? end : range->to;
	*words += (from - *taddr) / sizeof(**words);
	*nr = to > from ? (to - from) / sizeof(**words) : 0;
	*taddr = from;
}

static bool scan_pages(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr)
{
	struct scan *scan = ctx;
	clip(&scan->range, &taddr, &words, &nr);
	for (size_t i = 0; i < nr; i += AT_ONCE)
		scan_some(scan, taddr + i * sizeof(*words), words + i,
			  nr - i < AT_ONCE ? nr - i : AT_ONCE);
	return true;
}

/* Pages of a file's are there, though the process may not have come to them yet. */
static void each_page(const struct fc_stackwalk *stacks, const struct fc_stack_range *range,
		      bool (*fn)(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr),
		      void *ctx)
{
	uint64_t from = fc_page_down(range->from);
	while (from < range->to) {
		const struct fc_map *map = fc_maps_at(&stacks->maps, from);
		uint64_t end = map && map->end < range->to ? map->end : fc_page_up(range->to);
		if (map && map->ino)
			fc_memory_each(stacks->mem_fd, from, end, fn, ctx);
		else if (map)
			fc_resident_each(stacks->pid, stacks->mem_fd, from, end, fn, ctx);
		from = end;
	}
}

static void scan_range(struct fc_stackwalk *stacks, uint64_t from, uint64_t to)
{
	fc_auto_free struct scan *scan = fc_alloc(sizeof(*scan));
	scan->stacks = stacks;
	scan->range = (struct fc_stack_range){ from, to };
	each_page(stacks, &scan->range, scan_pages, scan);
}

/* ---- what was read ---- */

/* The first of the ranges that ends behind taddr. */
static size_t first_behind(const struct fc_stackwalk *stacks, uint64_t taddr)
{
	return fc_bisect(stacks->read.at, stacks->read.nr, range, range->to <= taddr);
}

/* Those that it touches become one with it. */
static void add_range(struct fc_stackwalk *stacks, struct fc_stack_range range)
{
	size_t kept = 0;
	fc_vec_each (&stacks->read, other) {
		if (other->to < range.from || other->from > range.to) {
			stacks->read.at[kept++] = *other;
			continue;
		}
		range.from = other->from < range.from ? other->from : range.from;
		range.to = other->to > range.to ? other->to : range.to;
	}
	stacks->read.nr = kept;
	fc_vec_push(&stacks->read, range);
	fc_sort_by(stacks->read.at, stacks->read.nr, from);
}

static void drop_twice(struct fc_stackwalk *stacks)
{
	size_t kept = 0;
	fc_sort_by(stacks->frames.at, stacks->frames.nr, taddr);
	fc_vec_each (&stacks->frames, frame)
		if (!kept || stacks->frames.at[kept - 1].taddr != frame->taddr)
			stacks->frames.at[kept++] = *frame;
	stacks->frames.nr = kept;
}

/* A frame may lie on both sides of where a range ends that was read before. */
static void read_range(struct fc_stackwalk *stacks, const struct fc_stack_range *range)
{
	const uint64_t both = KEPT * sizeof(uint64_t);
	size_t nr = stacks->frames.nr;
	uint64_t from = range->from;
	for (size_t i = first_behind(stacks, from); from < range->to; i++) {
		bool is_any = i < stacks->read.nr && stacks->read.at[i].from < range->to;
		uint64_t to = is_any ? stacks->read.at[i].from : range->to;
		uint64_t before = from > range->from ? both : 0, behind = is_any ? both : 0;
		if (to > from)
			scan_range(stacks, from - before, to + behind);
		from = is_any ? stacks->read.at[i].to : range->to;
	}
	add_range(stacks, *range);
	if (stacks->frames.nr != nr)
		drop_twice(stacks);
}

/* ---- the stacks of a thread ---- */

struct walk {
	struct fc_stackwalk *stacks;
	FC_VEC(struct fc_stack_range) ranges; /* of its stacks */
	size_t nr_read;			      /* so many of them */
};

static bool is_known(const struct walk *walk, uint64_t sp)
{
	fc_vec_each (&walk->ranges, range)
		if (sp >= range->from && sp < range->to)
			return true;
	return false;
}

/*
 * Where it ends is not known: it may go on in what is mapped behind it, when a page of it was
 * locked, say. Who stands further down than that is not in a function's first instructions.
 */
static uint64_t end_behind(const struct fc_stackwalk *stacks, const struct fc_map *map,
			   uint64_t from)
{
	const uint64_t most = 64 << 20;
	uint64_t end = map->end;
	while (end - from < most && (map = fc_maps_at(&stacks->maps, end)) && map->is_write)
		end = map->end;
	return end - from < most ? end : from + most;
}

/* One of the agent's: its upper end, where the stack is told that it was called on. 0: it is none. */
static uint64_t end_of_own(const struct fc_stackwalk *stacks, uint64_t sp)
{
	uint64_t off = sp - stacks->own.from;
	return sp >= stacks->own.from && sp < stacks->own.to
		       ? stacks->own.from + (off / FCA_STACK_SIZE + 1) * FCA_STACK_SIZE
		       : 0;
}

/*
 * Below a main stack nothing is mapped: it grows when it is written to, and sp may have been lowered
 * before that.
 */
static const struct fc_map *map_of(const struct fc_stackwalk *stacks, uint64_t sp)
{
	const struct fc_maps *maps = &stacks->maps;
	size_t i = fc_bisect(maps->at, maps->nr, map, map->end <= sp);
	return i < maps->nr ? &maps->at[i] : NULL;
}

/* The live part of the stack that sp points into, with its red zone. */
static void add_stack(struct walk *walk, uint64_t sp)
{
	const struct fc_stackwalk *stacks = walk->stacks;
	const struct fc_map *map = map_of(stacks, sp);
	uint64_t from = (sp - fc_arch_here->thread->red_zone) & ~7ull,
		 own_end = end_of_own(stacks, sp);
	if (!map || (map->is_exec && !map->is_write) || is_known(walk, sp))
		return;
	from = from < map->start ? map->start : from;
	uint64_t to = own_end ? own_end : end_behind(stacks, map, from);
	fc_vec_push(&walk->ranges, (struct fc_stack_range){ from, to });
	uint64_t called_on;
	if (own_end && fc_remote_get(stacks->mem_fd, own_end + FCA_STACK_SP, &called_on,
				     sizeof(called_on)))
		add_stack(walk, called_on);
}

/* The handlers on one of its stacks, and the stacks that these go back to. */
static void follow(struct walk *walk, struct fc_stack_range range, struct fc_addresses *ret)
{
	struct fc_stackwalk *stacks = walk->stacks;
	read_range(stacks, &range);
	size_t i = fc_bisect(stacks->frames.at, stacks->frames.nr, frame,
			     frame->taddr < range.from);
	for (; i < stacks->frames.nr && stacks->frames.at[i].taddr < range.to; i++) {
		struct fc_stack_frame *frame = &stacks->frames.at[i];
		if (frame->turn == stacks->nr_turns)
			continue;
		frame->turn = stacks->nr_turns;
		fc_vec_push(&ret->list, frame->ip);
		add_stack(walk, frame->sp);
	}
}

void fc_stackwalk_back(struct fc_stackwalk *stacks, const struct fc_stand *stand,
		       struct fc_addresses *ret)
{
	struct walk walk = { .stacks = stacks };
	stacks->nr_turns++;
	add_stack(&walk, stand->sp);
	while (walk.nr_read < walk.ranges.nr)
		follow(&walk, walk.ranges.at[walk.nr_read++], ret);
	fc_vec_free(&walk.ranges);
}

static bool is_code(const struct fc_stackwalk *stacks, uint64_t taddr)
{
	const struct fc_map *map = fc_maps_at(&stacks->maps, taddr);
	return map && map->is_exec;
}

void fc_stackwalk_busy(struct fc_stackwalk *stacks, const struct fc_standing *standing,
		       struct fc_addresses *ret)
{
	size_t kept = 0;
	fc_vec_each (&standing->threads, stand)
		fc_stackwalk_back(stacks, stand, ret);
	fc_vec_each (&ret->list, at)
		if (is_code(stacks, *at))
			ret->list.at[kept++] = *at;
	ret->list.nr = fc_sort_once(ret->list.at, kept);
}

struct words {
	const struct fc_stack_range *range;
	void (*fn)(void *ctx, const uint64_t *words, size_t nr);
	void *ctx;
};

static bool see_words(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr)
{
	const struct words *self = ctx;
	clip(self->range, &taddr, &words, &nr);
	self->fn(self->ctx, words, nr);
	return true;
}

void fc_stackwalk_each_word(struct fc_stackwalk *stacks, const struct fc_standing *standing,
			    void (*fn)(void *ctx, const uint64_t *words, size_t nr), void *ctx)
{
	struct fc_addresses any = { 0 };
	fc_vec_each (&standing->threads, stand)
		fc_stackwalk_back(stacks, stand, &any);
	fc_vec_free(&any.list);
	fc_vec_each (&stacks->read, range)
		each_page(stacks, range, see_words, &(struct words){ range, fn, ctx });
}
