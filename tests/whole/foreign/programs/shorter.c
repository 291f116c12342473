/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shorter.c LIBRARY - load copies of a library that somebody cuts off at the same time.
 *
 * ld.so may die of it in the child that loads, which is its own business: who traces must not.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 12, STEP_US = 700 };

static void copy(const char *from, const char *to)
{
	static char bytes[1 << 16];
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
	ssize_t nr;

	while ((nr = read(in, bytes, sizeof(bytes))) > 0)
		if (write(out, bytes, nr) != nr)
			_exit(1);
	close(in);
	close(out);
}

static void load_and_cut(const char *name, int round)
{
	if (!fork()) {
		usleep(STEP_US * (round + 1));
		_exit(truncate(name, 4096) != 0);
	}
	if (!fork()) {
		dlopen(name, RTLD_LAZY);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	unlink(name);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < ROUNDS; i++) {
		char name[64];
		snprintf(name, sizeof(name), "./shorter%d.so", i);
		copy(argv[1], name);
		load_and_cut(name, i);
	}
	puts("done");
	return 7;
}
