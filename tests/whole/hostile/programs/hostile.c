/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostile SEED MODE MS RING_WORDS NR_COUNTERS - a program that spoils all that fctrace has put
 * into it, for so long: what is shared, and what is its own. It may crash by that; fctrace may not.
 */
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/agent/abi.h"

static uint64_t seed;
static struct fca_arena *arena;
static uint64_t arena_size, ring_words, nr_counters;
static struct fca_config *config;
static sigjmp_buf again;
static pthread_t main_thread;

static uint64_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1dull;
}

static uint64_t below(uint64_t n)
{
	return any() % n;
}

/* Numbers at which mistakes are made. */
static uint64_t evil(void)
{
	switch (below(12)) {
	case 0:
		return 0;
	case 1:
		return ~0ull;
	case 2:
		return 1ull << 63;
	case 3:
		return any();
	case 4:
		return below(64);
	case 5:
		return (uint64_t)arena + below(arena_size);
	case 6:
		return 0x7fffffff;
	case 7:
		return 0xffffffff;
	case 8:
		return 1ull << below(64);
	case 9:
		return (uint64_t)config + below(1 << 16);
	case 10:
		return (uint64_t)getppid();
	default:
		return any() & 0xffff;
	}
}

volatile uint64_t sink;

__attribute__((noinline)) int f1(int x)
{
	sink += x;
	return x + 1;
}

__attribute__((noinline)) int f2(int x)
{
	sink += f1(x);
	return x + 2;
}

__attribute__((noinline)) int f3(int x)
{
	sink += f2(x);
	return x + 3;
}

/* Calls all the time, but not so many that its trace is long to read when it is long to end. */
static void *work(void *ctx)
{
	for (int n = 0;; n++) {
		for (int i = 0; i < 100; i++)
			f3(i);
		usleep(n < 1000 ? 100 : 10000);
	}
	return ctx;
}

static void on_fault(int sig)
{
	if (pthread_equal(pthread_self(), main_thread))
		siglongjmp(again, 1);
	_exit(7);
}

static int find_arena(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	uint64_t lo = 0, hi = 0, a, b;
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, "/memfd:fctrace") && sscanf(line, "%lx-%lx", &a, &b) == 2) {
			lo = lo ? lo : a;
			hi = b;
		}
	fclose(maps);
	arena = (struct fca_arena *)lo;
	arena_size = hi - lo;
	if (!lo || !arena->agent)
		return 0;
	const struct fca_header *header = (const struct fca_header *)arena->agent;
	config = (struct fca_config *)(arena->agent + header->config);
	return header->magic == FCA_MAGIC;
}

static uint64_t *ring(unsigned int i)
{
	return (uint64_t *)((char *)arena + fca_ring_at(i, ring_words, nr_counters));
}

static unsigned int nr_rings(void)
{
	unsigned int nr = arena->nr_rings;
	return nr && nr <= 16 ? nr : 4;
}

static uint64_t record(void)
{
	uint64_t tsc = __builtin_ia32_rdtsc();
	uint32_t func = (uint32_t)below(2000);
	switch (below(6)) {
	case 0:
		func = (uint32_t)below(64);
		break;
	case 1:
		func = (uint32_t)any() & 0x7fffff;
		break;
	case 2:
		func = (uint32_t)(below(16) | below(256) << 8);
		break;
	case 3:
		tsc = any();
		break;
	case 4:
		tsc -= below(1 << 20);
		break;
	default:
		break;
	}
	return tsc << 26 | (uint64_t)func << 3 | below(8);
}

static void spoil_records(void)
{
	unsigned int i = (unsigned int)below(nr_rings());
	uint64_t at = below(8) ? arena->rings[i].tail + below(256) : any();
	for (uint64_t k = 0, nr = below(200); k < nr; k++)
		ring(i)[(at + k) % ring_words] = record();
}

static void spoil_rings(void)
{
	struct fca_ring *r = &arena->rings[below(3) ? below(nr_rings()) : below(FCA_MAX_RINGS)];
	uint32_t *words = (uint32_t *)r;
	words[below(sizeof(*r) / 4)] = (uint32_t)evil();
	if (!below(4))
		arena->nr_rings = (uint32_t)evil();
	if (!below(50))
		usleep(500);
}

static void spoil_head(void)
{
	uint32_t *words = (uint32_t *)arena;
	words[below(offsetof(struct fca_arena, rings) / 4)] = (uint32_t)evil();
	if (!below(8))
		usleep(1000);
}

static void spoil_control_block(void)
{
	uint64_t *words = (uint64_t *)arena;
	words[below(FCA_ARENA_HEAD / 8)] = evil();
}

static void wake_fctrace(void)
{
	__atomic_fetch_add(&arena->letters, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&arena->bell, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &arena->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void write_letter(void)
{
	struct fca_desk *desk = &config->desks[below(FCA_NR_DESKS)];
	desk->owner = below(3) ? (uint32_t)getpid() : (uint32_t)evil();
	desk->what = below(3) ? (uint32_t)below(5) : (uint32_t)evil();
	desk->arg[0] = below(2) ? evil() : below(2) ? 0 : (uint64_t)getpid();
	desk->arg[1] = evil();
	desk->taken = below(2) ? desk->taken : (uint32_t)evil();
	desk->answered = below(2) ? desk->command : (uint32_t)evil();
	desk->result = (int64_t)evil();
	desk->done = below(2) ? 0 : (uint32_t)evil();
	desk->asked = below(4) ? (uint32_t)any() | 1 : (uint32_t)evil();
	wake_fctrace();
	if (!below(4))
		usleep(200);
	static int nr_loads; /* it waits for the answer to a letter that it may have spoilt */
	if (!below(100) && nr_loads++ < 1) {
		void *library = dlopen("libm.so.6", RTLD_NOW);
		if (library)
			dlclose(library);
	}
}

static void spoil_segments(void)
{
	uint64_t *words = ring((unsigned int)below(nr_rings()));
	for (int i = 0; i < 64; i++)
		words[below(ring_words + nr_counters)] = below(2) ? record() : evil();
	struct fca_segment *s =
		(struct fca_segment *)(words + below(16) * fca_segment_words(ring_words));
	s->seq = below(2) ? evil() : 1 + below(40);
	s->before = evil();
	s->tsc = below(2) ? __builtin_ia32_rdtsc() : evil();
	s->depth = (uint32_t)evil();
	s->nr_told = (uint32_t)(below(2) ? evil() : below(1100));
	if (s->nr_told * 4ull < fca_segment_words(ring_words) * 8)
		s->sum = fca_segment_sum(s, s->seq);
}

static void spoil_edges(void)
{
	if (nr_counters != FCA_EDGES_WORDS) {
		spoil_segments();
		return;
	}
	struct fca_edges *e =
		(struct fca_edges *)(ring((unsigned int)below(nr_rings())) + ring_words);
	e->pages[below(sizeof(e->pages) / 8)] = any();
	for (int i = 0, at = (int)below(5000); i < 200; i++, at++) {
		e->at[at].ret = below(2) ? (uint64_t)f1 + below(64) : evil();
		e->at[at].calls = evil();
	}
	e->nr = evil();
	e->lost = evil();
}

/* Its own: bounds of shadow stacks, attics, which ring is whose. */
static void spoil_strand(void)
{
	const struct fca_header *header = (const struct fca_header *)arena->agent;
	uint64_t *strands = (uint64_t *)(arena->agent + header->strands);
	uint32_t *nr = (uint32_t *)(arena->agent + header->nr_strands);
	uint64_t at = strands[below(4)];
	if (!below(16))
		*nr = (uint32_t)evil();
	if (!below(16))
		strands[below(FCA_MAX_STRANDS)] = evil();
	if (at)
		((uint64_t *)at)[below(sizeof(struct fca_strand) / 8)] = evil();
	if (at && !below(4))
		*(uint64_t *)(at + 4096 + FCA_STRAND_SHADOW) = evil();
	usleep(200);
}

/* What a later fctrace believes of this process: pools, hops, ledgers. */
static void spoil_config(void)
{
	uint64_t *words = (uint64_t *)config;
	uint64_t pool = config->pools[below(config->nr_pools ? config->nr_pools : 1)].lo;
	if (below(2) && pool &&
	    !mprotect((void *)pool, 4096, PROT_READ | PROT_WRITE | PROT_EXEC))
		((uint32_t *)pool)[FCA_POOL_LEDGER * 2 + below(2)] = (uint32_t)evil();
	else
		words[below(sizeof(*config) / 8)] = evil();
	usleep(500);
}

static void (*const modes[])(void) = {
	spoil_records,	spoil_rings, spoil_head,   spoil_control_block, write_letter,
	spoil_segments, spoil_edges, spoil_strand, spoil_config,
};

enum { NR_MODES = sizeof(modes) / sizeof(modes[0]) };

static uint64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	if (argc < 6)
		return 2;
	seed = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15ull + 1;
	unsigned int mode = (unsigned int)atoi(argv[2]);
	uint64_t ms = strtoull(argv[3], NULL, 0);
	ring_words = strtoull(argv[4], NULL, 0);
	nr_counters = strtoull(argv[5], NULL, 0);
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	main_thread = pthread_self();
	for (int i = 0; !find_arena(); i++) { /* it may be attached to later */
		f3(i);
		usleep(1000);
		if (i > 20000)
			return 3;
	}
	if (!below(3))
		for (int i = 0; i < 3; i++)
			if (!fork()) {
				f3(i);
				usleep(20000);
				_exit(0);
			}
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	for (uint64_t until = now_ms() + ms; now_ms() < until;) {
		sigsetjmp(again, 1);
		modes[mode < NR_MODES ? mode : below(NR_MODES)]();
	}
	_exit(0);
}
