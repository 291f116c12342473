/* SPDX-License-Identifier: Apache-2.0 */
/* ends.c - ends in ways in which its status is not the first thread's own: ends thread|first|exec. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *end_all(void *status)
{
	usleep(50000);
	exit(*(int *)status);
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int status = strcmp(argv[1], "thread") ? 4 : 3;
	(void)argc;
	if (!strcmp(argv[1], "five"))
		return 5;
	if (!strcmp(argv[1], "exec")) {
		pthread_create(&thread, NULL, wait_for_ever, NULL);
		usleep(50000);
		execl(argv[0], argv[0], "five", NULL);
	}
	pthread_create(&thread, NULL, end_all, &status);
	if (!strcmp(argv[1], "first"))
		pthread_exit(NULL);
	return !pthread_join(thread, NULL);
}
