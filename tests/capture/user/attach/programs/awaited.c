/* SPDX-License-Identifier: Apache-2.0 */
/* Its threads are nearly always in vfork(), whose children take their time before they end. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "attached.h"

static volatile bool is_told;

NOINLINE static pid_t make_child(int status)
{
	static const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };
	pid_t pid = vfork();
	if (!pid) {
		syscall(SYS_nanosleep, &pause, NULL);
		_exit(status);
	}
	return pid;
}

static void *make_children(void *arg)
{
	unsigned long nr = 0;
	for (; !is_told; nr++) {
		int status = -1;
		pid_t pid = make_child((int)(nr % 100));
		CHECK(pid > 0);
		CHECK(waitpid(pid, &status, 0) == pid);
		if (status != (int)(nr % 100) << 8)
			wrong("child %lu ended with status %#x", nr, status);
	}
	return (void *)nr;
}

int main(void)
{
	pthread_t threads[2];
	unsigned long sum = 0;
	for (int i = 0; i < 2; i++)
		CHECK(!pthread_create(&threads[i], NULL, make_children, NULL));
	ready();
	while (!is_over())
		usleep(10000);
	is_told = true;
	for (int i = 0; i < 2; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	printf("ok %lu\n", sum);
	return 0;
}
