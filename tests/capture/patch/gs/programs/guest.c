// SPDX-License-Identifier: Apache-2.0
/*
 * A library that has %gs for itself: it points to a memory with nothing before it, and once it is
 * set in a thread it is taken for granted there, as code that compilers make of WebAssembly does.
 */
#include "guest.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, ARCH_SET_GS = 0x1001, ARCH_GET_GS = 0x1004, FSGSBASE = 2 };

static enum guest_way guest_way;
static __thread char *memory;

void guest_begin(enum guest_way way)
{
	guest_way = way;
}

/* The instructions are there, and are not to be left out ($NO_FSGSBASE). */
static bool may_write(void)
{
	return getauxval(AT_HWCAP2) & FSGSBASE && !getenv("NO_FSGSBASE");
}

static char *get_gs(void)
{
	char *at = NULL;
	if (may_write())
		__asm__ volatile("rdgsbase %0" : "=r"(at));
	else if (syscall(SYS_arch_prctl, ARCH_GET_GS, &at))
		abort();
	return at;
}

static void set_gs(char *to)
{
	if (guest_way == ASKS_THE_KERNEL || !may_write())
		syscall(SYS_arch_prctl, ARCH_SET_GS, to);
	else
		__asm__ volatile("wrgsbase %0" : : "r"(to));
}

static void enter(void)
{
	char *all = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memory = all + PAGE;
	if (all == MAP_FAILED || mprotect(memory, PAGE, PROT_READ | PROT_WRITE))
		abort();
	set_gs(memory);
}

static long load(void)
{
	long v;
	__asm__ volatile("mov %%gs:8, %0" : "=r"(v));
	return v;
}

static void store(long v)
{
	__asm__ volatile("mov %0, %%gs:8" : : "r"(v));
}

long guest_run(long (*fn)(long), long x)
{
	char *before = NULL;
	if (!memory)
		enter();
	if (guest_way == RESTORES) {
		before = get_gs();
		set_gs(memory);
	}
	store(fn(x));
	x = 2 * load();
	if (*(long *)(memory + 8) != load())
		abort();
	if (guest_way == RESTORES)
		set_gs(before);
	return x;
}
