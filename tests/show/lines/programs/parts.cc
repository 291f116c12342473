// SPDX-License-Identifier: Apache-2.0
/* What a trace may hold: threads, forks, exec, exceptions, signals, deep recursion; enough calls
 * of each thread for several packets. */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define FN __attribute__((noinline, noclone, noipa))

static volatile long sink;

extern "C" {

FN long leaf(long n)
{
	return sink = n + 1;
}

FN long tree(long depth)
{
	return depth ? tree(depth - 1) + leaf(depth) + tree(depth - 1) : leaf(0);
}

FN void thrower(long n)
{
	leaf(n);
	if (n % 3 == 0)
		throw n;
}

FN void catcher(long n)
{
	try {
		thrower(n);
	} catch (long) {
		leaf(n);
	}
}

FN long deep(long n)
{
	long r = n ? deep(n - 1) : 0;
	return leaf(r);
}

FN void on_signal(int)
{
	leaf(7);
}

FN void *work(void *arg)
{
	long id = (long)arg;

	for (long i = 0; i < 45; i++) {
		tree(8);
		for (long k = 0; k < 30; k++)
			catcher(k + id);
		if (i % 15 == id)
			raise(SIGUSR1);
	}
	if (id == 1)
		deep(20000);
	return nullptr;
}

FN void *sleeper(void *)
{
	usleep(300 * 1000);
	return nullptr;
}

FN void child(void)
{
	tree(6);
	execl("/bin/true", "true", (char *)nullptr);
	_exit(1);
}
}

int main()
{
	static char stack[64 * 1024];
	stack_t alt = {};
	struct sigaction action = {};
	pthread_t threads[4];

	alt.ss_sp = stack;
	alt.ss_size = sizeof(stack);
	sigaltstack(&alt, nullptr);
	action.sa_handler = on_signal;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, nullptr);
	pthread_create(&threads[3], nullptr, sleeper, nullptr);
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], nullptr, work, (void *)i);
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();
		if (!pid)
			child();
		waitpid(pid, nullptr, 0);
		raise(SIGUSR1);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], nullptr);
	tree(10);
	return 0;
}
