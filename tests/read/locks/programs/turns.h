/* SPDX-License-Identifier: Apache-2.0 */
/* turns.h - a thread goes on when another one sleeps, as the kernel says: so who waits for whom is certain. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone, noipa))

static inline int own_tid(void)
{
	return (int)syscall(SYS_gettid);
}

/* It is in a system call that it sleeps in, and that call is futex(). */
static inline int is_in_futex(int tid)
{
	char path[64], text[64] = "";
	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	FILE *file = fopen(path, "r");
	if (!file || !fgets(text, sizeof(text), file))
		text[0] = 0;
	if (file)
		fclose(file);
	return atoi(text) == SYS_futex;
}

static inline int is_asleep(int tid)
{
	char path[64], text[512] = "";
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	FILE *file = fopen(path, "r");
	if (!file || !fgets(text, sizeof(text), file))
		text[0] = 0;
	if (file)
		fclose(file);
	const char *behind = strrchr(text, ')');
	return behind && behind[2] == 'S';
}

/* Until that thread, whose number is there once it began, sleeps in futex(). */
static inline void await_sleep(const volatile int *tid)
{
	while (!*tid || !is_asleep(*tid) || !is_in_futex(*tid) || !is_asleep(*tid))
		usleep(200);
}

static inline void await(const volatile int *turn, int value)
{
	while (*turn != value)
		usleep(200);
}
