/* SPDX-License-Identifier: Apache-2.0 */
/* A library opened and closed again and again while a timer's signals come at any moment. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include "truth.h"

static volatile sig_atomic_t nr_ticks;

FN int callback(int x)
{
	ENTER;
	LEAVE;
	return x * 2;
}

FN void on_tick(int sig)
{
	ASYNC;
	ENTER;
	nr_ticks += sig == SIGALRM;
	LEAVE;
}

FN int use(const char *path, int x)
{
	ENTER;
	void *lib = dlopen(path, RTLD_NOW);
	if (!lib) {
		printf("%s\n", dlerror());
		_exit(99);
	}
	int (*entry)(int, int (*)(int)) =
		(int (*)(int, int (*)(int)))dlsym(lib, "plugin_entry");
	int r = entry(x, callback);
	dlclose(lib);
	LEAVE;
	return r;
}

FN int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_tick, .sa_flags = SA_RESTART };
	struct itimerval on = { { 0, 500 }, { 0, 500 } }, off = { { 0, 0 }, { 0, 0 } };
	char path[4096];
	int sum = 0;

	(void)argc;
	ENTER;
	snprintf(path, sizeof(path), "%s.plugin.so", argv[0]);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &on, NULL);
	for (int i = 0; i < 40; i++)
		sum += use(path, i);
	setitimer(ITIMER_REAL, &off, NULL);
	printf("%d\n", sum);
	LEAVE;
	return 0;
}
