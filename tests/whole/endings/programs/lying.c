// SPDX-License-Identifier: Apache-2.0
/*
 * When it is traced it writes over what fctrace keeps in it, in the way that its argument names,
 * says so, and does nothing more: it must not need its own stubs any longer.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/agent/abi.h"

#define INLINE static inline __attribute__((always_inline))

enum { PAGE = 4096, ARCH_GET_GS = 0x1004 };

static volatile long calls;

__attribute__((noinline)) static void leaf(void)
{
	calls++;
}

/* Calls itself as often as it can without a tail call. */
__attribute__((noinline)) static void deep(int n, void (*fn)(void))
{
	if (n)
		deep(n - 1, fn);
	else
		fn();
	calls++;
}

INLINE long call(long nr, long a, long b, long c)
{
	long got;
	__asm__ volatile("syscall"
			 : "=a"(got)
			 : "a"(nr), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return got;
}

INLINE void fill(volatile uint64_t *at, uint64_t value, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		at[i] = value;
}

/* ---- where everything is: found before anything is written ---- */

static struct {
	struct fca_arena *arena;
	struct fca_header *agent;
	struct fca_config *config;
	struct fca_strand *strand; /* its first page; %gs points to the next */
} my;

static int find_arena(void)
{
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "re");
	while (!my.arena && maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "/memfd:fctrace"))
			my.arena = (void *)strtoull(line, NULL, 16);
	if (maps)
		fclose(maps);
	return my.arena && my.arena->agent;
}

static int is_traced(void)
{
	uint64_t gs = 0;
	deep(3, leaf);
	call(SYS_arch_prctl, ARCH_GET_GS, (long)&gs, 0);
	if (!gs || !find_arena())
		return 0;
	my.strand = (void *)(gs - PAGE);
	my.agent = (void *)my.arena->agent;
	my.config = (void *)((char *)my.agent + my.agent->config);
	return my.strand->shadow_base && my.strand->tid && my.config->nr_pools;
}

INLINE struct fca_patch *ledger(uint32_t pool, uint32_t **head)
{
	struct fca_pool *p = &my.config->pools[pool];
	uint32_t *at = (uint32_t *)(p->lo + FCA_POOL_LEDGER * 8);
	uint64_t end = p->lo + at[0] + at[1] * sizeof(struct fca_patch) + PAGE;
	call(SYS_mprotect, p->lo, (end - p->lo) & ~(uint64_t)(PAGE - 1),
	     PROT_READ | PROT_WRITE | PROT_EXEC);
	*head = at;
	return (struct fca_patch *)(p->lo + at[0]);
}

/* ---- the lies. None of them makes a call: the stubs may not work any more ---- */

INLINE void top(uint64_t bytes)
{
	my.strand->shadow_end = ~0ull;
	*(volatile uint64_t *)((char *)my.strand + PAGE + FCA_STRAND_SHADOW) =
		my.strand->shadow_base + bytes;
}

INLINE void strands(uint64_t first, uint64_t step)
{
	volatile uint64_t *at = (void *)((char *)my.agent + my.agent->strands);
	for (int i = 0; i < FCA_MAX_STRANDS; i++)
		at[i] = first + i * step;
	*(volatile uint32_t *)((char *)my.agent + my.agent->nr_strands) = ~0u;
}

/* The bits that are put where the same bits of each patch are. */
INLINE void patches(int field, uint64_t value)
{
	for (uint32_t pool = 0; pool < my.config->nr_pools; pool++) {
		uint32_t *head;
		struct fca_patch *at = ledger(pool, &head);
		for (uint32_t i = 0; i < head[1]; i++) {
			switch (field) {
			case 0:
				at[i].taddr = value;
				break;
			case 1:
				at[i].taddr -= i * value;
				break;
			case 2:
				at[i].size = value;
				break;
			case 3:
				at[i].window = value;
				break;
			case 4:
				at[i].order = at[i].undo = value;
				break;
			case 5:
				at[i].kind = value;
				break;
			case 6:
				at[i].stub = value;
				break;
			default:
				at[i].from = (int16_t)value;
			}
		}
	}
}

INLINE void heads(int which, uint32_t value)
{
	for (uint32_t pool = 0; pool < my.config->nr_pools; pool++) {
		uint32_t *head;
		ledger(pool, &head);
		head[which] = value;
	}
}

INLINE void pools(uint64_t lo, uint64_t hi, uint64_t step)
{
	for (uint64_t i = 0; i < FCA_MAX_POOLS; i++)
		my.config->pools[i] = (struct fca_pool){ lo + i * step, hi + i * step };
	my.config->nr_pools = FCA_MAX_POOLS;
}

/* A thread stands in such a window when it is let go: 255 bytes of short instructions. */
INLINE void nops(void)
{
	patches(3, 255);
	struct fca_pool *p = &my.config->pools[0];
	uint32_t *head;
	struct fca_patch *at = ledger(0, &head);
	for (uint32_t i = 0; i < head[1]; i++) {
		at[i].taddr = p->lo + 0x1000;
		at[i].stub = 128;
	}
	__asm__ volatile("" ::: "memory");
}

INLINE void agent_may_be_written(void)
{
	call(SYS_mprotect, (long)my.agent, my.agent->config,
	     PROT_READ | PROT_WRITE | PROT_EXEC);
}

static const char *const lies[] = {
	"top-far",	"top-below",	  "top-many",	  "attic-odd",	 "attic-far",
	"strands-same", "strands-odd",	  "strands-far",  "shadow-none", "shadow-huge",
	"pools-all",	"pools-same",	  "pools-far",	  "pools-many",	 "ledger-many",
	"ledger-most",	"ledger-far",	  "taddr-far",	  "taddr-none",	 "taddr-back",
	"size",		"window",	  "order",	  "kind",	 "stub",
	"from",		"pages",	  "nops",	  "spares",	 "waste",
	"header-size",	"header-offsets", "header-magic", "agent",	 "ring",
	"counters",	"hops",		  "heads",
};

INLINE void lie(int which)
{
	switch (which) {
	case 0:
		top(1ull << 40);
		break;
	case 1:
		top(-(1ull << 20));
		break;
	case 2:
		top(my.config->shadow_size - 16);
		break;
	case 3:
		my.strand->attic = 1;
		break;
	case 4:
		my.strand->attic = ~0ull - 100;
		break;
	case 5:
		strands((uint64_t)my.strand, 0);
		break;
	case 6:
		strands((uint64_t)my.strand, 8);
		break;
	case 7:
		strands(0x5000, 1ull << 50);
		break;
	case 8:
		my.strand->attic = (uint64_t)my.arena;
		my.config->shadow_size = 0;
		break;
	case 9:
		my.config->shadow_size = ~0ull;
		break;
	case 10:
		pools(0, ~0ull, 0);
		break;
	case 11:
		pools(my.config->pools[0].lo, my.config->pools[0].hi, 0);
		break;
	case 12:
		pools(~0ull - PAGE, ~0ull - 1, 0);
		break;
	case 13:
		my.config->nr_pools = ~0u;
		break;
	case 14:
		heads(1, 0xffffff);
		break;
	case 15:
		heads(1, (1 << 22) - 1);
		break;
	case 16:
		heads(0, ~0u);
		break;
	case 17:
		patches(0, ~0ull - 2);
		break;
	case 18:
		patches(0, 0);
		break;
	case 19:
		patches(1, 1 << 20);
		break;
	case 20:
		patches(2, 7);
		break;
	case 21:
		patches(3, 255);
		break;
	case 22:
		patches(4, 7);
		break;
	case 23:
		patches(5, 15);
		break;
	case 24:
		patches(6, (1 << 28) - 1);
		break;
	case 25:
		patches(7, 0x7fff);
		break;
	case 26:
		patches(2, 0);
		break;
	case 27:
		nops();
		break;
	case 28:
		fill(my.config->spares, 0x10000, FCA_NR_SPARES);
		break;
	case 29:
		my.config->waste = 0x10000;
		my.config->nr_counters = ~0u;
		break;
	case 30:
		agent_may_be_written();
		my.agent->size = ~0u;
		break;
	case 31:
		agent_may_be_written();
		my.agent->config = my.agent->strands = my.agent->nr_strands = ~0u;
		break;
	case 32:
		agent_may_be_written();
		my.agent->magic = 0;
		break;
	case 33:
		my.arena->agent = ~0ull;
		break;
	case 34:
		my.config->ring_words = 1ull << 60;
		break;
	case 35:
		my.config->nr_counters = ~0u;
		break;
	case 36:
		fill((uint64_t *)my.config->hops, ~0ull, FCA_NR_HOPS * 2);
		break;
	default:
		heads(0, 0);
		heads(1, 1 << 20);
	}
}

static int find(const char *name)
{
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++)
		if (!strcmp(lies[i], name))
			return (int)i;
	return -1;
}

/* It calls nothing any more. */
__attribute__((noinline)) static void lie_and_wait(int which)
{
	static const char told[] = "told\n";
	lie(which);
	call(SYS_write, 1, (long)told, sizeof(told) - 1);
	for (;;) {
		struct timespec moment = { .tv_nsec = 1000 * 1000 };
		call(SYS_nanosleep, (long)&moment, 0, 0);
	}
}

int main(int argc, char **argv)
{
	int which = argc == 2 ? find(argv[1]) : -1;
	if (argc == 1)
		for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++)
			puts(lies[i]);
	if (which < 0)
		return argc != 1;
	puts("ready");
	fflush(stdout);
	while (!is_traced())
		usleep(1000);
	lie_and_wait(which);
	return 0;
}
