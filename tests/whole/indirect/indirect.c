// SPDX-License-Identifier: Apache-2.0
/*
 * Functions whose implementation is chosen when they are bound: the C library's, of its own file
 * (target_clones), and one whose resolver leaves the choice to another function.
 * Prints how often work() calls each. With an argument, it first waits until work() is hooked.
 */
#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef int number(int);

__attribute__((target_clones("avx2", "default"), noinline)) int widen(int n)
{
	return n * 3 + 1;
}

static int half_one(int n)
{
	return n / 2;
}

static int half_two(int n)
{
	return n >> 1;
}

__attribute__((noinline, noclone)) static number *choose(int is_new)
{
	return is_new ? half_two : half_one;
}

number *pick(void)
{
	return choose(1);
}

int half_of_the_number(int n) __attribute__((ifunc("pick")));

static const char text[] = "strlen 7\nmemcpy 5\nmemset 4\nmemcmp 6\nstrcpy 2\nstrchr 5\n"
			   "strrchr 3\nstrcmp 8\nstrncmp 2\nstrstr 1\nstrcasecmp 2\n"
			   "memchr 3\nstrnlen 2\nsin 3\nfloor 2\nwiden 4\n"
			   "half_of_the_number 5\n";
static volatile int sink;
static volatile double real = 0.5;

#define TIMES(n, call)                                                                         \
	for (int i = 0; i < (n); i++)                                                          \
	sink += (int)(call)

__attribute__((noinline)) static void work(char *a, char *b)
{
	TIMES(7, strlen(a));
	TIMES(3, (long)memcpy(b, a, 9 + i));
	TIMES(2, (long)memmove(b + i, b, 9)); /* its code is memcpy's */
	TIMES(4, (long)memset(b, 'x', 40 + i));
	TIMES(6, memcmp(a, b, i));
	TIMES(2, (long)strcpy(b, a));
	TIMES(5, strchr(a, 'c' + i) != NULL);
	TIMES(3, strrchr(a, 'c' + i) != NULL);
	TIMES(8, strcmp(a, b));
	TIMES(2, strncmp(a, b, 3 + i));
	TIMES(1, strstr(a, "def") != NULL);
	TIMES(2, strcasecmp(a, b));
	TIMES(3, memchr(a, 'f', 20) != NULL);
	TIMES(2, strnlen(a, 5));
	TIMES(3, sin(real + i));
	TIMES(2, floor(real + i));
	TIMES(4, widen(i));
	TIMES(5, half_of_the_number(i));
}

int main(int argc, char **argv)
{
	char a[64] = "abcdefghijklmnopqrstuvwxyz", b[64] = { 0 };
	unsigned char before[16];
	(void)argv;
	for (int i = 0; i < 16; i++)
		before[i] = ((volatile unsigned char *)work)[i];
	if (argc > 1 && write(1, "ready\n", 6) < 0)
		return 1;
	for (int i = 0; argc > 1; i = (i + 1) % 16) {
		if (before[i] != ((volatile unsigned char *)work)[i])
			break;
		usleep(100);
	}
	work(a, b);
	return write(1, text, sizeof(text) - 1) < 0;
}
