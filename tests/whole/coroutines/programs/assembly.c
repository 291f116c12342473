// SPDX-License-Identifier: Apache-2.0
/* A switch of some instructions, as libco and its kin have it; stacks in the heap. */
#include "work.h"

struct co {
	void *sp;
	int nr;
	char *stack;
};

static void *home;
static struct co *current;

/* void change(void **from, void *to) */
void change(void **from, void *to);
__asm__(".text\n.globl change\n.type change, @function\nchange:\n"
	"\tpush %rbp\n\tpush %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n"
	"\tmov %rsp, (%rdi)\n\tmov %rsi, %rsp\n"
	"\tpop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop %rbp\n\tret\n"
	".size change, . - change\n");

static void run(void)
{
	work(current->nr);
	yield();
	CHECK(0);
}

static void begin(void)
{
}

static struct co *make(int nr, size_t size)
{
	enum { SAVED = 6 };
	struct co *co = calloc(1, sizeof(*co));
	co->nr = nr;
	co->stack = malloc(size);
	void **top = (void **)(((size_t)co->stack + size) & ~(size_t)15);
	*--top = NULL;
	*--top = (void *)run;
	for (int i = 0; i < SAVED; i++)
		*--top = NULL;
	co->sp = top;
	return co;
}

static void resume(struct co *co)
{
	current = co;
	change(&home, co->sp);
}

static void yield(void)
{
	change(&current->sp, home);
}

static void release(struct co *co)
{
	free(co->stack);
	free(co);
}
