/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to be asked for by what they are given and return: of this program, and of the C library. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HERE __attribute__((noinline, used))

enum colour { RED, GREEN, BLUE = -3 };

struct spot {
	int x, y;
	char name[8];
};

volatile int sink;

HERE void inner(int n)
{
	sink += n;
}

HERE int attempt(int n)
{
	inner(n);
	return n % 3 ? n : -n;
}

HERE void paint(enum colour c, unsigned long u)
{
	sink += c + (int)u;
}

HERE float scale(double by, float f)
{
	sink += (int)by;
	return (float)by * f;
}

HERE void visit(const char *name, int level)
{
	sink += name ? name[0] : level;
}

HERE void move(const struct spot *spot)
{
	sink += spot->x;
}

HERE void fill(int *out, int n)
{
	*out = n * 10;
}

HERE int around(int n)
{
	for (int i = 0; i < n; i++)
		attempt(i);
	return n;
}

HERE void leave(int n)
{
	inner(n);
	if (fork() == 0)
		exit(n);
	wait(NULL);
}

static void call_ours(void)
{
	static const char *const names[] = { "alpha", "beta \"b\"", "gamma/delta", NULL,
					     "a name that is longer than what is recorded of it" };
	int out = 0;
	for (int i = 0; i < 5; i++)
		visit(names[i], i - 2);
	for (int i = 1; i <= 7; i++)
		attempt(i);
	paint(RED, 1);
	paint(BLUE, 0xffffffffffffffff);
	paint(GREEN, 6);
	scale(0.5, 0.1F);
	scale(-2.5, 2);
	scale(1e10, -1);
	move(&(struct spot){ 1, -2, "here" });
	move(&(struct spot){ 3, 4, "there" });
	for (int i = 0; i < 3; i++)
		fill(&out, i), sink += out;
	around(4);
}

static void call_theirs(void)
{
	char c[4];
	for (size_t size = 10; size < 4000000; size *= 10)
		free(malloc(size));
	close(open("/etc/passwd", O_RDONLY));
	close(open("/etc/group", O_RDONLY | O_CLOEXEC));
	close(open("/dev/null", O_RDWR | O_CLOEXEC));
	open("/proc/nothing/at/all", O_RDONLY);
	sink += (int)read(-1, c, sizeof(c));
	int fd = open("/dev/zero", O_RDONLY);
	sink += (int)read(fd, c, sizeof(c));
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "many")) {
		around(atoi(argv[2]));
		return 0;
	}
	for (int i = 0; argc > 1 && !strcmp(argv[1], "forever"); i++) {
		attempt(i % 10);
		usleep(1000);
	}
	call_ours();
	call_theirs();
	leave(7);
	return 5;
}
