/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c - for LD_PRELOAD: Ctrl-C comes with the fourth long write of a program. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int fd, const void *data, size_t len)
{
	static int nr;

	if (len > 32768 && ++nr == 4)
		raise(SIGINT);
	return syscall(SYS_write, fd, data, len);
}
