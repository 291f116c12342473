// SPDX-License-Identifier: Apache-2.0
/* Stacks side by side, without a page between; each is unmapped when its coroutine has ended. */
#define _GNU_SOURCE
#include "work.h"
#include <sys/mman.h>
#include <ucontext.h>

struct co {
	ucontext_t self;
	char *stack;
	size_t size;
};

static ucontext_t home;
static struct co *current;

static void begin(void)
{
}

static struct co *make(int nr, size_t size)
{
	struct co *co = calloc(1, sizeof(*co));
	co->size = size;
	co->stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(co->stack != MAP_FAILED && !getcontext(&co->self));
	co->self.uc_stack.ss_sp = co->stack;
	co->self.uc_stack.ss_size = size;
	co->self.uc_link = &home;
	makecontext(&co->self, (void (*)(void))work, 1, nr);
	return co;
}

static void resume(struct co *co)
{
	current = co;
	CHECK(!swapcontext(&home, &co->self));
}

static void yield(void)
{
	CHECK(!swapcontext(&current->self, &home));
}

static void release(struct co *co)
{
	munmap(co->stack, co->size);
	free(co);
}
