/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks that go on in another thread in the middle of calls, by swapcontext() and by hand. Each
 * function notes which thread runs it, and at the end the notes go to the file that was asked for:
 * how often a function was called in a row, and where. One thread runs at a time.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#define FN __attribute__((noinline, noipa))

enum { STACK = 256 * 1024, HOPS = 7, MANY = 9000, NR_NOTES = 4096 };

static struct note {
	const char *name;
	int tid, nr;
} notes[NR_NOTES];
static int nr_notes;
static __thread int own_tid;

/* No calls: what is recorded is the functions' own. */
static inline __attribute__((always_inline)) void note(const char *name)
{
	struct note *last = nr_notes ? &notes[nr_notes - 1] : NULL;
	if (last && last->name == name && last->tid == own_tid)
		last->nr++;
	else if (nr_notes < NR_NOTES)
		notes[nr_notes++] = (struct note){ name, own_tid, 1 };
}

/* void switch_by_hand(void **from, void *to): a stack pointer is kept, another one is taken. */
void switch_by_hand(void **from, void *to);
__asm__("	.text\n"
	"	.type switch_by_hand, @function\n"
	"switch_by_hand:\n"
	"	push %rbp\n	push %rbx\n	push %r12\n	push %r13\n	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	"	.size switch_by_hand, . - switch_by_hand\n");

static ucontext_t there, home;
static void *sp_there, *sp_home;
static int is_by_hand;

FN void away(void)
{
	if (is_by_hand)
		switch_by_hand(&sp_there, sp_home);
	else
		swapcontext(&there, &home);
}

FN void back(void)
{
	if (is_by_hand)
		switch_by_hand(&sp_home, sp_there);
	else
		swapcontext(&home, &there);
}

/* Read anew: the thread may be another than it was at the function's begin. */
FN void leaf(void)
{
	note("leaf");
}

FN void inner(int n)
{
	note("inner");
	leaf();
	away();
	for (int i = 0; i < n; i++)
		leaf();
}

FN void outer(int n)
{
	note("outer");
	for (int i = 0; i < HOPS; i++)
		inner(n);
	away();
}

FN void body(void)
{
	outer(is_by_hand ? 3 : MANY);
	outer(3);
	for (;;)
		away();
}

FN void *step(void *arg)
{
	own_tid = gettid();
	note("step");
	back();
	return arg;
}

static void in_thread(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, step, NULL) || pthread_join(thread, NULL))
		_exit(99);
}

static sem_t go, done;

/* A thread that lives on while the main one has the stack. */
static void *partner(void *arg)
{
	for (;;) {
		sem_wait(&go);
		step(NULL);
		sem_post(&done);
	}
	return arg;
}

static void in_partner(void)
{
	sem_post(&go);
	sem_wait(&done);
}

/* The stack begins in the main thread, or in another one; these take turns. */
static void hop(int is_main_first, void (*elsewhere)(void))
{
	for (int i = 0; i < 2 * (HOPS + 1); i++)
		if (i % 2 == is_main_first)
			elsewhere();
		else
			step(NULL);
}

static void begin(void)
{
	char *stack = malloc(STACK);
	void **sp = (void **)(stack + STACK);
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = STACK;
	makecontext(&there, body, 0);
	*--sp = NULL;
	*--sp = body;
	sp_there = sp - 6;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	sem_init(&go, 0, 0);
	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, partner, NULL);
	for (int way = 0; way < 8; way++) {
		is_by_hand = way / 2 % 2;
		begin();
		hop(way % 2, way / 4 ? in_thread : in_partner);
	}
	FILE *out = argc > 1 ? fopen(argv[1], "w") : stdout;
	for (int i = 0; out && i < nr_notes; i++)
		fprintf(out, "%s %d %d\n", notes[i].name, notes[i].tid, notes[i].nr);
	return !out || fclose(out);
}
