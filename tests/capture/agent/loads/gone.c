/* SPDX-License-Identifier: Apache-2.0 */
/* Passes pointers to memory that is being taken away, or was: of each kind that the agent may read. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096, STACK = 16 * PAGE };

/* Does not look at it. */
__attribute__((noipa)) int look(const char *text, const int *number)
{
	return text && number;
}

__attribute__((noipa)) int look_all(int a, int b, int c, int d, int e, int f, const char *text,
				    const int *number)
{
	return a + b + c + d + e + f + look(text, number);
}

/* The caller's argument is gone when this returns. */
__attribute__((noipa)) int take_away(char *text, size_t size)
{
	return munmap(text, size);
}

static void look_at(const void *at)
{
	for (int i = 0; i < 3; i++) {
		look(at, at);
		look_all(1, 2, 3, 4, 5, 6, at, at);
	}
}

static void *pages(size_t size, int flags)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
		    0);
}

static void arguments(void)
{
	for (int i = 0; i < 8; i++) {
		char *text = pages(PAGE, 0);
		strcpy(text, "text");
		look_at(text);
		take_away(text, PAGE);
		look_at(text);
	}
}

/* A library that is closed, and one whose data the program unmaps itself. */
static void files(const char *library)
{
	for (int is_closed = 0; is_closed < 2; is_closed++) {
		void *self = dlopen(library, RTLD_NOW);
		const char *text = self ? dlsym(self, "a_text") : NULL;
		if (!text) {
			printf("%s\n", dlerror());
			exit(1);
		}
		look_at(text);
		void *page = (void *)((uintptr_t)text & -(uintptr_t)PAGE);
		if (is_closed)
			dlclose(self);
		else
			munmap(page, PAGE);
		look_at(text);
		if (is_closed ||
		    mmap(page, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			 0) == MAP_FAILED)
			continue;
		look_at(text);
		dlclose(self);
	}
}

static void *thread(void *ret)
{
	char local[64] = "local";
	look_at(local);
	*(char **)ret = strdup(local) ? local : NULL;
	return NULL;
}

/* Stacks of threads, given ones and libc's. */
static void threads(void)
{
	for (int i = 0; i < 4; i++) {
		char *local = NULL, *stack = pages(STACK, 0);
		pthread_attr_t attr;
		pthread_t id;
		pthread_attr_init(&attr);
		if (i % 2)
			pthread_attr_setstack(&attr, stack, STACK);
		pthread_create(&id, &attr, thread, &local);
		pthread_join(id, NULL);
		munmap(stack, STACK);
		look_at(local);
	}
}

static ucontext_t here, back;
static char *volatile edge;

static void on_growing(void)
{
	char local[32] = "local";
	look_at(local);
	look_at(edge);
	look_at(edge - 1);
	look_at(edge - 64 * PAGE);
	swapcontext(&here, &back);
}

/* One that grows by itself. */
static void growing(void)
{
	char *area = mmap(NULL, 64 * STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *top = area + 64 * STACK;
	munmap(area, 64 * STACK);
	char *stack = mmap(top - STACK, STACK, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_FIXED, -1, 0);
	edge = stack;
	getcontext(&here);
	here.uc_stack.ss_sp = stack;
	here.uc_stack.ss_size = STACK;
	makecontext(&here, on_growing, 0);
	swapcontext(&back, &here);
	munmap(stack, STACK);
}

/* A page of this very frame that may not be used for a while. */
static void forbidden(void)
{
	char room[4 * PAGE];
	char *page = (char *)(((uintptr_t)room + PAGE) & -(uintptr_t)PAGE);
	memset(room, 'r', sizeof(room));
	mprotect(page, PAGE, PROT_NONE);
	look_at(page);
	look_at(page - 8);
	look_at(page + 64);
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
	look_at(page);
}

int main(int argc, char **argv)
{
	arguments();
	files(argv[1]);
	threads();
	growing();
	forbidden();
	puts("well");
	return argc > 2;
}
