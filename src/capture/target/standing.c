/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/standing.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "capture/target/status.h"

int fc_standing_add(struct fc_standing *standing, int tid)
{
	struct user_regs_struct regs;
	struct fc_status status;
	if (ptrace(PTRACE_GETREGS, tid, 0, &regs) || !fc_status_read(tid, &status))
		return fc_fail(ESRCH, "thread %d is gone", tid);
	fc_vec_push(&standing->threads, (struct fc_stand){ .tid = tid,
							   .own_tid = status.own_tid,
							   .rip = regs.rip,
							   .rsp = regs.rsp });
	return 0;
}

void fc_standing_deinit(struct fc_standing *standing)
{
	fc_vec_free(&standing->threads);
}

/* What of it cannot be read is left out. */
static void read_stack(int mem_fd, const struct fc_map *map, uint64_t rsp, struct fc_stack *ret)
{
	enum { RED_ZONE = 128, MOST = 8 << 20, CHUNK = 64 << 10 };
	uint64_t from = (rsp - RED_ZONE) & ~7ull;
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

/* Words of a signal frame, counted from that of the next instruction (rip). */
enum { FRAME_RSP = -1, FRAME_RIP = 0, FRAME_FLAGS = 1, FRAME_SEGMENTS = 2, FRAME_WORDS = 22 };

bool fc_stack_is_interrupted(const struct fc_stack *stack, size_t i)
{
	enum { USER_CS = 0x33, FLAG_ALWAYS = 2, FLAGS_MOST = 1 << 22 };
	if (i < FRAME_WORDS || i + FRAME_SEGMENTS >= stack->nr)
		return false;
	uint64_t flags = stack->words[i + FRAME_FLAGS];
	return (stack->words[i + FRAME_SEGMENTS] & 0xffff) == USER_CS && flags & FLAG_ALWAYS &&
	       flags < FLAGS_MOST;
}

void fc_stacks_each(int mem_fd, const struct fc_maps *maps, uint64_t rsp,
		    void (*fn)(void *ctx, const struct fc_stack *stack), void *ctx)
{
	enum { MOST_STACKS = 8 };
	const struct fc_map *seen[MOST_STACKS] = { fc_maps_at(maps, rsp) };
	uint64_t from[MOST_STACKS] = { rsp };
	for (int nr = seen[0] ? 1 : 0, i = 0; i < nr; i++) {
		struct fc_stack stack;
		read_stack(mem_fd, seen[i], from[i], &stack);
		fn(ctx, &stack);
		for (size_t w = 0; w < stack.nr && nr < MOST_STACKS; w++) {
			if (!fc_stack_is_interrupted(&stack, w))
				continue;
			uint64_t other = stack.words[w + FRAME_RSP];
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

static int by_value(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;
	return *left < *right ? -1 : *left > *right;
}

void fc_standing_interrupted(const struct fc_standing *standing, int mem_fd,
			     const struct fc_maps *maps, struct fc_addresses *ret)
{
	struct collector collector = { maps, ret };
	fc_vec_each (&standing->threads, stand)
		fc_stacks_each(mem_fd, maps, stand->rsp, collect, &collector);
	if (!ret->list.nr)
		return;
	qsort(ret->list.at, ret->list.nr, sizeof(*ret->list.at), by_value);
	size_t kept = 1;
	for (size_t i = 1; i < ret->list.nr; i++)
		if (ret->list.at[i] != ret->list.at[kept - 1])
			ret->list.at[kept++] = ret->list.at[i];
	ret->list.nr = kept;
}
