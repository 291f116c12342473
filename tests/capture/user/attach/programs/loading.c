/* SPDX-License-Identifier: Apache-2.0 */
/* dlopen, calls, dlclose, all the time, beside a thread that calls on; argument: the library. */
#include <dlfcn.h>
#include <pthread.h>

#include "attached.h"

static volatile bool is_told;

NOINLINE static long leaf(long n)
{
	__asm__ volatile("");
	return n * 7 + 1;
}

static void *call_on(void *arg)
{
	unsigned long nr = 0;
	(void)arg;
	for (; !is_told; nr++)
		CHECK(leaf((long)nr) == (long)nr * 7 + 1);
	return (void *)nr;
}

static void load_once(const char *path)
{
	void *lib = dlopen(path, RTLD_NOW);
	if (!lib)
		wrong("%s", dlerror());
	long (*times_three)(long n) = (long (*)(long))dlsym(lib, "plugin_times_three");
	CHECK(times_three);
	for (long n = 0; n < 500; n++)
		CHECK(times_three(n) == n * 3);
	CHECK(!dlclose(lib));
	CHECK(!dlopen(path, RTLD_NOW | RTLD_NOLOAD));
}

int main(int argc, char **argv)
{
	pthread_t thread;
	unsigned long sum = 0;
	void *nr;
	CHECK(argc == 2);
	CHECK(!pthread_create(&thread, NULL, call_on, NULL));
	load_once(argv[1]);
	ready();
	for (; !is_over(); sum++)
		load_once(argv[1]);
	is_told = true;
	CHECK(!pthread_join(thread, &nr));
	return well(sum + (unsigned long)nr);
}
