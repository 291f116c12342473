// SPDX-License-Identifier: Apache-2.0
/*
 * protecting FOLDER - loads a library and lets go of it, again and again, while other threads change how their own
 * memory may be used.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 60, THREADS = 3 };

static volatile int is_over;

static void *protect(void *unused)
{
	(void)unused;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *own = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	while (!is_over) {
		mprotect(own, size, PROT_READ | PROT_WRITE);
		*own = 1;
		mprotect(own, size, PROT_READ);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	char path[4096];
	snprintf(path, sizeof(path), "%s/plug.so", argc > 1 ? argv[1] : ".");
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, protect, NULL))
			return 1;
	for (int i = 0; i < ROUNDS; i++) {
		void *so = dlopen(path, RTLD_NOW);
		int (*plug)(int) = so ? dlsym(so, "plug") : NULL;
		if (!plug || plug(1) != 9)
			exit(2);
		dlclose(so);
	}
	is_over = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 3;
}
