/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/standing.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include "capture/target/registers.h"
#include "capture/target/status.h"

int fc_standing_add(struct fc_standing *standing, int tid)
{
	struct fc_regs regs;
	struct fc_status status;
	if (fc_registers_read(tid, &regs) || !fc_status_read(tid, &status))
		return fc_fail(ESRCH, "thread %d is gone", tid);
	fc_vec_push(&standing->threads, (struct fc_stand){
						.tid = tid,
						.own_tid = status.own_tid,
						.ip = fc_regs_get(&regs, FC_REG_IP),
						.sp = fc_regs_get(&regs, FC_REG_SP),
					});
	return 0;
}

void fc_standing_deinit(struct fc_standing *standing)
{
	fc_vec_free(&standing->threads);
}

/* What of it cannot be read is left out. */
static void read_stack(int mem_fd, const struct fc_map *map, uint64_t sp, struct fc_stack *ret)
{
	enum { MOST = 8 << 20, CHUNK = 64 << 10 };
	uint64_t from = (sp - fc_arch_here->red_zone) & ~7ull;
	if (from < map->start)
		from = map->start;
	size_t size = map->end - from < MOST ? map->end - from : MOST, got = 0;
	*ret = (struct fc_stack){ .taddr = from, .words = fc_alloc(size + 8) };
	while (got < size) {
		size_t want = size - got < CHUNK ? size - got : CHUNK;
		ssize_t n = pread(mem_fd, (char *)ret->words + got, want, (off_t)(from + got));
		if (n <= 0)
			break;
		got += n;
	}
	ret->nr = got / 8;
}

bool fc_stack_is_interrupted(const struct fc_stack *stack, size_t i)
{
	uint64_t sp;
	return fc_arch_here->is_interrupted(stack->words, stack->nr, i, &sp);
}

void fc_stacks_each(int mem_fd, const struct fc_maps *maps, uint64_t sp,
		    void (*fn)(void *ctx, const struct fc_stack *stack), void *ctx)
{
	enum { MOST_STACKS = 8 };
	const struct fc_map *seen[MOST_STACKS] = { fc_maps_at(maps, sp) };
	uint64_t from[MOST_STACKS] = { sp };
	for (int nr = seen[0] ? 1 : 0, i = 0; i < nr; i++) {
		struct fc_stack stack;
		read_stack(mem_fd, seen[i], from[i], &stack);
		fn(ctx, &stack);
		for (size_t w = 0; w < stack.nr && nr < MOST_STACKS; w++) {
			uint64_t other;
			if (!fc_arch_here->is_interrupted(stack.words, stack.nr, w, &other))
				continue;
			const struct fc_map *map = fc_maps_at(maps, other);
			bool is_new = map && !map->is_exec;
			for (int k = 0; k < nr; k++)
				is_new = is_new && seen[k] != map;
			if (is_new) {
				seen[nr] = map;
				from[nr++] = other;
			}
		}
		free(stack.words);
	}
}

struct collector {
	const struct fc_maps *maps;
	struct fc_addresses *ret;
};

static void collect(void *ctx, const struct fc_stack *stack)
{
	struct collector *self = ctx;
	for (size_t i = 0; i < stack->nr; i++) {
		if (!fc_stack_is_interrupted(stack, i))
			continue;
		const struct fc_map *map = fc_maps_at(self->maps, stack->words[i]);
		if (map && map->is_exec && map->ino)
			fc_vec_push(&self->ret->list, stack->words[i]);
	}
}

void fc_standing_interrupted(const struct fc_standing *standing, int mem_fd,
			     const struct fc_maps *maps, struct fc_addresses *ret)
{
	struct collector collector = { maps, ret };
	fc_vec_each (&standing->threads, stand)
		fc_stacks_each(mem_fd, maps, stand->sp, collect, &collector);
	ret->list.nr = fc_sort_once(ret->list.at, ret->list.nr);
}
