/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes known calls when told, and says how many. Each line of stdin is an order:
 *   calls   make them; prints one line, `FUNCTION COUNT...`
 *   steps   prints how many instructions of a fixed amount of work are not the program's own,
 *           and whether some are out of reach of a stub's jump
 */
#include <pthread.h>

#include "../../../../whole/step.h"
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

void hit(void)
{
	wrong("a step of no turn");
}

static void tell_steps(void)
{
	step_init(0);
	turn = -1;
	nr_steps = is_cut = 0;
	CHECK(fib(10) == 55);
	STEP_ON;
	long n = fib(5);
	STEP_OFF;
	CHECK(n == 5);
	printf("%ld %d\n", nr_steps, is_cut);
}

int main(void)
{
	char line[64];
	setvbuf(stdout, NULL, _IOLBF, 0);
	ready();
	while (fgets(line, sizeof(line), stdin)) {
		if (!strcmp(line, "calls\n"))
			calls();
		else if (!strcmp(line, "steps\n"))
			tell_steps();
		else
			wrong("what is %s", line);
	}
	return well(1);
}
