// SPDX-License-Identifier: Apache-2.0
// Threads with names: their own, one that is too long, another's, and none.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int is_named[2];

__attribute__((noipa)) int leaf(int n)
{
	return n + 1;
}

static void *names_itself(void *name)
{
	leaf(1);
	prctl(PR_SET_NAME, name);
	leaf(2);
	return NULL;
}

static void *waits(void *arg)
{
	leaf(3);
	return read(is_named[0], &arg, 1) < 0 ? &is_named : NULL;
}

int main(void)
{
	pthread_t thread[4];
	if (pipe(is_named))
		return 1;
	pthread_create(&thread[0], NULL, names_itself, "worker \"one\"");
	pthread_join(thread[0], NULL);
	pthread_create(&thread[1], NULL, names_itself, "as long as it is not");
	pthread_join(thread[1], NULL);
	pthread_create(&thread[2], NULL, waits, NULL);
	pthread_setname_np(thread[2], "another's");
	pthread_create(&thread[3], NULL, waits, NULL);
	leaf(4);
	sleep(1); // fctrace looks for it once a second, at the latest
	close(is_named[1]);
	pthread_join(thread[2], NULL);
	pthread_join(thread[3], NULL);
	return 0;
}
