/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp over many frames, siglongjmp out of handlers, all the time. */
#include <setjmp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "attached.h"

static volatile bool is_told;
static sigjmp_buf out_of_handler;
static volatile sig_atomic_t may_jump, nr_jumps;

NOINLINE static long climb(long depth, jmp_buf out, long what)
{
	volatile long mark = depth;
	if (!depth && what % 16 == 0)
		usleep(200);
	if (!depth && what >= 0)
		longjmp(out, (int)(what % 1000) + 1);
	long below = depth ? climb(depth - 1, out, what) : 0;
	CHECK(mark == depth);
	return below + 1;
}

NOINLINE static long hop(long depth, long what)
{
	jmp_buf out;
	volatile long mark = what;
	int got = setjmp(out);
	if (!got)
		climb(depth, out, what);
	CHECK(mark == what);
	return got - 1;
}

static void *jump_often(void *arg)
{
	unsigned long nr = 0;
	for (long n = (long)arg; !is_told; n++, nr++)
		CHECK(hop(1 + n % 60, n) == n % 1000);
	return (void *)nr;
}

static void on_timer(int sig)
{
	(void)sig;
	if (!may_jump)
		return;
	may_jump = 0;
	nr_jumps++;
	siglongjmp(out_of_handler, 1);
}

NOINLINE static unsigned long spin(unsigned long n)
{
	__asm__ volatile("");
	return n * 3 + 1;
}

/* The handler jumps out of whatever is being done here. */
NOINLINE static void be_thrown_out(void)
{
	volatile long before = nr_jumps;
	if (sigsetjmp(out_of_handler, 1)) {
		CHECK(nr_jumps == before + 1);
		return;
	}
	may_jump = 1;
	for (unsigned long n = 0;; n++)
		CHECK(spin(n) == n * 3 + 1);
}

int main(void)
{
	pthread_t threads[2];
	unsigned long sum = 0;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	/* The timer's signal is the main thread's. */
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (long i = 0; i < 2; i++)
		CHECK(!pthread_create(&threads[i], NULL, jump_often, (void *)(i * 100)));
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGALRM, on_timer);
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
	setitimer(ITIMER_REAL, &often, NULL);
	ready();
	while (!is_over())
		be_thrown_out();
	setitimer(ITIMER_REAL, &never, NULL);
	is_told = true;
	for (int i = 0; i < 2; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum + nr_jumps);
}
