// SPDX-License-Identifier: Apache-2.0
/*
 * leaderless FOLDER [until] - its first thread ends, and another one goes on: says "ready", then greets by
 * names that it has made, and calls what it loads. Six times, or until SIGUSR1 comes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder;
static volatile int is_told;
static int is_asked_for;

static void tell(int sig)
{
	is_told = sig;
}

__attribute__((noipa)) size_t greet(const char *name)
{
	return strlen(name);
}

/* A name of its own each time: none of a page that does not change. */
static size_t work(const char *name)
{
	char path[4096], *copy = strdup(name);
	snprintf(path, sizeof(path), "%s/plug.so", folder);
	void *so = dlopen(path, RTLD_NOW);
	int (*plug)(int) = so ? dlsym(so, "plug") : NULL;
	if (!plug || plug(1) != 9 || greet(copy) != 5)
		exit(2);
	dlclose(so);
	free(copy);
	return 0;
}

/* As the kernel tells of it: 'Z' for a first thread that has ended. */
static char state_of_first(void)
{
	char state = 0;
	FILE *file = fopen("/proc/self/stat", "re");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		exit(2);
	if (file)
		fclose(file);
	return state;
}

static void *go_on(void *unused)
{
	(void)unused;
	while (state_of_first() != 'Z')
		usleep(1000);
	work("alpha");
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 5 || (is_asked_for && !is_told); i++) {
		work("gamma");
		usleep(1000);
	}
	exit(3);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	folder = argc > 1 ? argv[1] : ".";
	is_asked_for = argc > 2;
	signal(SIGUSR1, tell);
	if (pthread_create(&thread, NULL, go_on, NULL))
		return 1;
	pthread_exit(NULL);
}
