/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that end by a jump to the next one, of which the last fails. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone, noipa))

KEPT int third(const char *path, int flags, int more)
{
	int fd = open(path, flags | more);
	return fd < 0 ? -1 : close(fd);
}
KEPT int second(const char *path, int flags)
{
	return third(path, flags, 0);
}
KEPT int first(const char *path)
{
	return second(path, O_RDONLY);
}

int main(void)
{
	signal(SIGUSR1, SIG_IGN); /* the default is NULL, and no failure */
	first("/dev/null");
	return first("/nowhere/a") != -1;
}
