// SPDX-License-Identifier: Apache-2.0
// Pointers in structs, and to pointers. What it is asked to make of them is its first argument.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CALLED __attribute__((noinline, used))
#define KEEP   __asm__ volatile("nop; nop; nop; nop; nop" ::: "memory")

struct node {
	const char *name;
	const struct node *next;
};

struct account {
	const char *user;
	const char *password;
	int *number;
	union {
		const char *text;
		long value;
	} either;
};

struct pair {
	const char *name, *value;
};

CALLED int length(const struct node *list)
{
	KEEP;
	return !!list;
}
CALLED int opened(const struct account *account)
{
	KEEP;
	return !!account;
}
CALLED int by_value(struct pair pair)
{
	KEEP;
	return pair.name && pair.value;
}
CALLED int texts(const char **list)
{
	KEEP;
	return !!list;
}
CALLED int run(int argc, char **argv)
{
	KEEP;
	return argv ? argc : 0;
}
CALLED int finds(const char *text, char **end)
{
	KEEP;
	*end = (char *)text + 2;
	return 0;
}
CALLED const struct node *first(const struct node *list)
{
	KEEP;
	return list;
}

int main(int argc, char **argv)
{
	struct node three = { "three", NULL }, two = { "two", &three }, one = { "one", &two };
	int number = 7;
	struct account account = { "anna", "tell nobody", &number, { "either" } };
	struct pair pair = { "key", "value" };
	const char *list[] = { "a", "b\n", NULL, "behind" };
	const char *many[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9", NULL };
	const char *none[] = { NULL };
	const char *bad[] = { "good", (char *)16, NULL };
	char *args[] = { "run", "-x", NULL }, *end = NULL;
	char *page =
		mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(page + 4096, 4096);
	length(&one);
	three.next = &one;
	length(&one);
	first(&two);
	opened(&account);
	by_value(pair);
	by_value((struct pair){ NULL, (char *)16 });
	texts(list);
	texts(many);
	texts(none);
	texts(bad);
	memcpy(page + 4096 - 8, list, 8);
	texts((const char **)(page + 4096 - 8));
	texts((const char **)(page + 4096 - 4));
	run(2, args);
	finds("123", &end);

	/* Any bytes as structs: what is followed leads anywhere. */
	srandom(1);
	for (int i = 0; argc > 1 && i < 2000; i++) {
		long words[8];
		for (int k = 0; k < 8; k++)
			words[k] = k % 2 ? (long)(words + random() % 8)
					 : random() << (random() % 33);
		length((struct node *)words);
		opened((struct account *)words);
		texts((const char **)words);
	}
	puts("well");
	return 0;
}
