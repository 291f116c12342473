// SPDX-License-Identifier: Apache-2.0
/* Does what the sanitizer that its argument names has something to say of. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FN __attribute__((noinline))

void __lsan_do_leak_check(void) __attribute__((weak));
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

FN static void *get(size_t size)
{
	return malloc(size);
}

FN static void lose(size_t size)
{
	char *volatile p = get(size);
	memset(p, 1, size);
	p = NULL;
}

static void *loser(void *arg)
{
	for (int i = 0; i < 3; i++)
		lose(100 + i);
	return arg;
}

static void leak(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, loser, NULL);
	pthread_join(thread, NULL);
	loser(NULL);
}

FN static int use(const int *p)
{
	return p[1];
}

FN static int look(const int *p)
{
	return use(p) + 1;
}

static void use_after_free(void)
{
	int *p = get(40);
	p[1] = 1;
	free(p);
	printf("%d\n", look(p));
}

FN static int step(int i)
{
	return i + 1;
}

/* A tracer of its own comes and goes, while others run. */
static void *busy(void *arg)
{
	for (volatile int i = 0; i < 100000;)
		i = step(i);
	return arg;
}

static void check_often(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, busy, NULL);
	for (int i = 0; i < 3 && __lsan_do_recoverable_leak_check; i++)
		printf("leaks: %d\n", __lsan_do_recoverable_leak_check());
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	for (volatile int i = 0; i < 1000;)
		i = step(i);
	puts("300000 + 1000 steps");
}

static int shared;

FN static void change(int by)
{
	shared += by;
}

static void *changer(void *arg)
{
	change(1);
	return arg;
}

static void race(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, changer, NULL);
	usleep(300 * 1000);
	change(2);
	pthread_join(thread, NULL);
}

FN static int branch_on(const int *p)
{
	return p[3] ? 1 : 2;
}

FN static int add(int a, int b)
{
	return a + b;
}

static void serve(void)
{
	char end;
	puts("serving");
	fflush(stdout);
	while (read(0, &end, 1) > 0)
		;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "leak"))
		leak();
	else if (!strcmp(what, "use"))
		use_after_free();
	else if (!strcmp(what, "often"))
		check_often();
	else if (!strcmp(what, "race"))
		race();
	else if (!strcmp(what, "uninitialized"))
		printf("%d\n", branch_on(get(40)));
	else if (!strcmp(what, "overflow"))
		printf("%d\n", add(0x7fffffff, argc));
	else if (!strcmp(what, "serve"))
		serve(), leak();
	puts("end");
	return 0;
}
