/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes known calls when told, and says how many. Each line of stdin is an order:
 *   calls   make them; prints one line, `FUNCTION COUNT...`
 *   time    prints the CPU time that a fixed amount of work takes, in ns
 */
#include <pthread.h>

#include "attached.h"

static long nr_even, nr_odd, nr_fib;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long nr_worker, nr_step;

NOINLINE static bool odd(long n);

NOINLINE static bool even(long n)
{
	nr_even++;
	bool got = n ? odd(n - 1) : true;
	__asm__ volatile("" ::: "memory"); /* no tail call */
	return got;
}

NOINLINE static bool odd(long n)
{
	nr_odd++;
	bool got = n ? even(n - 1) : false;
	__asm__ volatile("" ::: "memory");
	return got;
}

NOINLINE static long fib(long n)
{
	nr_fib++;
	if (n < 2)
		return n;
	long a = fib(n - 1), b = fib(n - 2);
	__asm__ volatile("" : "+r"(a), "+r"(b)); /* no loop in place of the second call */
	return a + b;
}

NOINLINE static long step(long n)
{
	__asm__ volatile("");
	return n + 1;
}

NOINLINE static void *worker(void *arg)
{
	long n = 0;
	while (n < (long)arg)
		n = step(n);
	pthread_mutex_lock(&mutex);
	nr_worker++;
	nr_step += n;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

NOINLINE static void calls(void)
{
	pthread_t threads[3];
	nr_even = nr_odd = nr_fib = nr_worker = nr_step = 0;
	for (long i = 0; i < 3; i++)
		CHECK(!pthread_create(&threads[i], NULL, worker, (void *)(1000 * (i + 1))));
	CHECK(even(100) && !even(31));
	CHECK(fib(15) == 610);
	for (int i = 0; i < 3; i++)
		CHECK(!pthread_join(threads[i], NULL));
	printf("calls 1 even %ld odd %ld fib %ld worker %ld step %ld\n", nr_even, nr_odd, nr_fib,
	       nr_worker, nr_step);
}

NOINLINE static void tell_time(void)
{
	struct timespec begin, end;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	CHECK(fib(24) == 46368);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	printf("%ld\n", (end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec);
}

int main(void)
{
	char line[64];
	setvbuf(stdout, NULL, _IOLBF, 0);
	ready();
	while (fgets(line, sizeof(line), stdin)) {
		if (!strcmp(line, "calls\n"))
			calls();
		else if (!strcmp(line, "time\n"))
			tell_time();
		else
			wrong("what is %s", line);
	}
	return well(1);
}
