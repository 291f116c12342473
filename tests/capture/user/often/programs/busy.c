/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All at once: threads, timers whose handlers run on small signal stacks and interrupt functions in their
 * first instructions, retries of system calls, jumps out of handlers, coroutines of 16 KiB. Functions cannot
 * be hooked at some moments, and are tried again later.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include "../../attach/programs/attached.h"

enum { NR_THREADS = 3, SIGNAL_STACK = 16 * 1024, SMALL = 16 * 1024, NR_CONTEXTS = 4 };

static volatile bool is_ended;
static unsigned long nr_done;

/* Long to come through the bytes that a jump would be written over. */
__asm__(".text\n.p2align 4\n.globl slow\n.type slow, @function\n"
	"slow:\t.cfi_startproc\n\txor %eax, %eax\n\trdtsc\n\tlfence\n\tadd $1, %rax\n\tret\n"
	"\t.cfi_endproc\n.size slow, . - slow\n");
long slow(void);

NOINLINE static long look(const char *text, long nr)
{
	__asm__ volatile("");
	return text[0] + nr;
}

NOINLINE static long handle(int nr)
{
	char text[] = "on the stack";
	long sum = 0;
	for (int i = 0; i < nr; i++)
		sum += look(text, i);
	return sum;
}

static void on_alarm(int sig, siginfo_t *info, void *context)
{
	int err = errno;
	(void)sig, (void)info, (void)context;
	CHECK(handle(200) == 200 * 'o' + 199 * 100);
	errno = err;
}

static __thread sigjmp_buf back;
static __thread volatile bool may_jump;

static void on_user(int sig)
{
	(void)sig;
	if (may_jump)
		siglongjmp(back, 1);
	handle(3);
}

NOINLINE static long deep(int depth)
{
	volatile long mine = depth;
	long below = depth ? deep(depth - 1) : slow() & 1;
	CHECK(mine == depth);
	return below + 1;
}

static void jump(void)
{
	if (!sigsetjmp(back, 1)) {
		may_jump = true;
		for (int i = 0; i < 20; i++)
			deep(i);
	}
	may_jump = false;
}

static ucontext_t home, context[NR_CONTEXTS];
static char stack[NR_CONTEXTS][SMALL];
static long nr_steps;

NOINLINE static long step(int nr, int depth)
{
	if (depth)
		return step(nr, depth - 1) + 1;
	nr_steps++;
	CHECK(!swapcontext(&context[nr], &home));
	return 0;
}

static void run(int nr)
{
	for (;;)
		CHECK(step(nr, nr * 3) == nr * 3);
}

static void begin_contexts(void)
{
	for (int i = 0; i < NR_CONTEXTS; i++) {
		getcontext(&context[i]);
		context[i].uc_stack.ss_sp = stack[i];
		context[i].uc_stack.ss_size = SMALL;
		makecontext(&context[i], (void (*)(void))run, 1, i);
	}
}

static void use_signal_stack(void)
{
	stack_t st = { .ss_sp = malloc(SIGNAL_STACK), .ss_size = SIGNAL_STACK };
	CHECK(!sigaltstack(&st, NULL));
}

static void *work(void *arg)
{
	int fds[2];
	(void)arg;
	CHECK(!pipe(fds));
	use_signal_stack();
	while (!is_ended) {
		char byte = 'x';
		CHECK(write(fds[1], &byte, 1) == 1 && read(fds[0], &byte, 1) == 1 && byte == 'x');
		jump();
		struct timespec left = { 0, 100000 };
		while (nanosleep(&left, &left))
			CHECK(errno == EINTR);
		__atomic_fetch_add(&nr_done, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void *send(void *threads)
{
	while (!is_ended) {
		for (int i = 0; i < NR_THREADS; i++)
			pthread_kill(((pthread_t *)threads)[i], SIGUSR1);
		usleep(300);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[NR_THREADS], sender;
	struct sigaction alarm = { .sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };
	struct sigaction user = { .sa_handler = on_user, .sa_flags = SA_RESTART };
	struct itimerval each = { { 0, 1700 }, { 0, 1700 } };
	/* No jump out of this one: it would let the next come upon what is left of its stack. */
	sigaddset(&alarm.sa_mask, SIGUSR1);
	use_signal_stack();
	CHECK(!sigaction(SIGALRM, &alarm, NULL) && !sigaction(SIGUSR1, &user, NULL));
	begin_contexts();
	for (int i = 0; i < NR_THREADS; i++)
		CHECK(!pthread_create(&thread[i], NULL, work, NULL));
	CHECK(!pthread_create(&sender, NULL, send, thread));
	CHECK(!setitimer(ITIMER_REAL, &each, NULL));
	ready();
	while (!is_over()) {
		for (int i = 0; i < 100; i++)
			slow();
		for (int i = 0; i < NR_CONTEXTS; i++)
			CHECK(!swapcontext(&home, &context[i]));
		CHECK(deep(30) >= 31);
		usleep(200);
	}
	is_ended = true;
	pthread_join(sender, NULL);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	CHECK(nr_steps);
	return well(nr_done);
}
