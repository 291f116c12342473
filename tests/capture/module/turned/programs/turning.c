/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turning.c - with --on begin --off-at end, each thread calls seen() ROUNDS times in each of four places while it is
 * recorded, and unseen() while it is not: in handlers on another stack, in coroutines, in a child that was forked while
 * its parent was recorded, behind a longjmp out of what was being recorded, and in threads that never call begin().
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { ROUNDS = 500, THREADS = 4, STACK = 1 << 16 };

#define FN __attribute__((noinline, noclone))

static volatile int sum;
static __thread ucontext_t coroutine, caller;
static __thread jmp_buf out;

FN void seen(int i)
{
	sum += i;
}

FN void unseen(int i)
{
	sum -= i;
}

FN int begin(const char *what, int i)
{
	sum += i;
	return what[0];
}

FN int end(int i)
{
	sum -= i;
	return sum;
}

static void on_signal(int sig)
{
	unseen(sig);
}

FN void repeat(void (*fn)(int i))
{
	for (int i = 0; i < ROUNDS; i++)
		fn(i);
}

/* Begun by one stack, and ended by another. */
static void run_coroutine(void)
{
	repeat(seen);
	swapcontext(&coroutine, &caller);
	end(2);
	repeat(unseen);
}

static void in_coroutine(char *stack)
{
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = STACK;
	coroutine.uc_link = &caller;
	makecontext(&coroutine, run_coroutine, 0);
	begin("coroutine", 2);
	swapcontext(&caller, &coroutine);
	repeat(seen);
	swapcontext(&caller, &coroutine);
	repeat(unseen);
}

FN void leave(void)
{
	begin("leave", 3);
	repeat(seen);
	longjmp(out, 1);
}

static void *work(void *nothing)
{
	char own_stack[1 << 14];
	stack_t own = { .ss_sp = own_stack, .ss_size = sizeof(own_stack) };
	char *stack = malloc(STACK);
	sigaltstack(&own, NULL);
	unseen(1);
	raise(SIGUSR1);
	in_coroutine(stack);
	raise(SIGUSR1);
	if (!setjmp(out))
		leave();
	repeat(seen);
	end(3);
	end(4); /* it is off by now */
	unseen(2);
	own.ss_flags = SS_DISABLE;
	sigaltstack(&own, NULL);
	free(stack);
	return nothing;
}

static void *other(void *nothing)
{
	repeat(unseen);
	end(5);
	return nothing;
}

/* A child goes on as the thread that forked it. */
static void fork_child(void)
{
	begin("parent", 6);
	pid_t pid = fork();
	if (!pid) {
		seen(1);
		end(8);
		unseen(1);
		begin("child", 7);
		seen(2);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	seen(3);
	end(6);
	unseen(3);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	pthread_t thread[THREADS + 1];
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i <= THREADS; i++)
		pthread_create(&thread[i], NULL, i < THREADS ? work : other, NULL);
	for (int i = 0; i <= THREADS; i++)
		pthread_join(thread[i], NULL);
	fork_child();
	puts("done");
	return 0;
}
