/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings in files that are loaded: what is passed is what stands there now, also where that was
 * written over, or another file has come to its place.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone, noipa))
#define ROOM __asm__ volatile("nop; nop; nop; nop; nop; nop" ::: "memory")

enum { PAGE = 4096 };

/* Ends in its second page. */
__attribute__((aligned(PAGE))) static const char pages[2 * PAGE] = {
	[PAGE - 4] = 'a', 'c', 'r', 'o', 's', 's', 0
};

KEPT int take(const char *text)
{
	ROOM;
	return text[0];
}

static void take_twice(const char *text)
{
	take(text);
	take(text);
}

/* The same page is where the library was, or may be written for once. */
static void take_of(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	const char *const *text = library ? dlsym(library, "text") : NULL;
	if (!text)
		_exit(2);
	take_twice(*text);
	printf("%p\n", (void *)*text);
	dlclose(library);
}

static void write_over(const char *text)
{
	void *page = (void *)((uintptr_t)text & -PAGE);
	if (mprotect(page, PAGE, PROT_READ | PROT_WRITE))
		_exit(3);
	memcpy((char *)text, "now", 3);
	take(text);
	if (mprotect(page, PAGE, PROT_READ))
		_exit(3);
	take(text);
}

int main(int argc, char **argv)
{
	static const char *volatile here = "here", *volatile old = "old";
	take_twice(here);
	take_twice(pages + PAGE - 4);
	take_of(argv[1]);
	take_of(argv[2]);
	take_twice(old);
	write_over(old);
	pid_t child = fork();
	if (!child) {
		take(here);
		take(old);
		_exit(0);
	}
	return waitpid(child, NULL, 0) != child;
}
