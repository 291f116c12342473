/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that fail, within calls that do not, and what looks like failing and is none. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone, noipa))

enum state { GOOD, BAD = -5 };

KEPT int read_config(const char *path)
{
	int fd = open(path, O_RDONLY);
	return fd < 0 ? -1 : close(fd);
}
KEPT int set_up(void)
{
	int good = read_config("/dev/null"), bad = read_config("/nowhere/config");
	return good - bad;
}
KEPT enum state check(int n)
{
	return n ? BAD : GOOD;
}
KEPT const char *find(int n)
{
	return n ? NULL : "found";
}
KEPT int far_below(void)
{
	return -100000; /* a number */
}
KEPT unsigned count(void)
{
	return 0xffffffff;
}
KEPT int no_failures(void)
{
	return (strcmp("a", "b") < 0) + (getenv("NOT_THERE") == NULL) + (strchr("a", 'b') == NULL) +
	       (far_below() < 0) + (count() > 0) + check(0) + (find(0) != NULL);
}
KEPT int failures(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&mutex);
	return (pthread_mutex_trylock(&mutex) != 0) + (find(1) == NULL) + (check(1) < 0);
}
KEPT int in_child(void)
{
	int status, pid = fork();
	if (!pid)
		_exit(read_config("/nowhere/else") ? 3 : 0);
	waitpid(pid, &status, 0);
	return status;
}

int main(void)
{
	return set_up() + no_failures() + failures() + in_child() == 0;
}
