// SPDX-License-Identifier: Apache-2.0
/*
 * Loads files and unloads them again, so often, calls a function of each, and says when so many
 * were; a word on stdin lets it go on.
 *
 *   loading same|elsewhere|others N FOLDER MARK...
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { NR_FILES = 50, NR_KEPT = 40, PAGE = 4096 };

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, dlerror());
	exit(3);
}

/* Something comes where the file was, so that the next one is loaded elsewhere. */
static void move_on(int i)
{
	static void *kept[NR_KEPT];
	size_t size = (size_t)PAGE * (5 + i % 7);
	if (kept[i % NR_KEPT])
		munmap(kept[i % NR_KEPT], (size_t)PAGE * (5 + (i - NR_KEPT) % 7));
	kept[i % NR_KEPT] = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int load(const char *folder, int file, int i)
{
	char path[4096];
	snprintf(path, sizeof(path), file < 0 ? "%s/plug.so" : "%s/plug.%d.so", folder, file);
	void *so = dlopen(path, RTLD_NOW);
	int (*plug)(int) = so ? dlsym(so, "plug") : NULL;
	if (!plug)
		die(path);
	int got = plug(i);
	if (dlclose(so))
		die(path);
	return got == i * 7 + 2;
}

int main(int argc, char **argv)
{
	int nr = argc > 3 ? atoi(argv[2]) : 0, nr_good = 0;
	for (int i = 1; i <= nr; i++) {
		int file = !strcmp(argv[1], "others") ? i % NR_FILES : -1;
		nr_good += load(argv[3], file, i);
		if (!strcmp(argv[1], "elsewhere"))
			move_on(i);
		for (int k = 4; k < argc; k++)
			if (atoi(argv[k]) == i) {
				printf("%d\n", i);
				fflush(stdout);
				if (getchar() == EOF)
					return 2;
			}
	}
	return nr_good == nr ? 4 : 1;
}
