/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints its calls with descriptors, each with where /proc says at that moment that it leads. Given a
 * file to be made, and a folder; with a third argument it runs under seccomp.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 128 };

static char told[8192];

static void tell(const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	size_t nr = strlen(told);
	vsnprintf(told + nr, sizeof(told) - nr, format, ap);
	va_end(ap);
}

/* "3</a/path>" */
static void tell_fd(int fd, const char *after)
{
	char name[64], path[512];
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ssize_t got = readlink(name, path, sizeof(path));
	if (got < 0)
		tell("%d%s", fd, after);
	else
		tell("%d<%.*s%s>%s", fd, (int)(got < MOST ? got : MOST), path,
		     got > MOST ? "..." : "", after);
}

static void forbid(void)
{
	struct sock_filter all = { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW };
	struct sock_fprog program = { 1, &all };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	if (argc > 3)
		forbid();
	int fd = creat(argv[1], 0600);
	tell("creat(0600) = ");
	tell_fd(fd, "\n");

	tell("ftruncate(");
	tell_fd(fd, ", 3) = 0\n");
	ftruncate(fd, 3);
	unlink(argv[1]);

	tell("lseek(");
	tell_fd(fd, ", 0, SEEK_SET) = 0\n");
	lseek(fd, 0, SEEK_SET);

	tell("dup(");
	tell_fd(fd, ") = ");
	int other = dup(fd);
	tell_fd(other, "\n");

	tell("dup2(");
	tell_fd(0, ", ");
	tell_fd(other, ") = ");
	dup2(0, other);
	tell_fd(other, "\n");

	int end = socket(AF_UNIX, SOCK_STREAM, 0);
	tell("socket(AF_UNIX, SOCK_STREAM, 0) = ");
	tell_fd(end, "\n");
	tell("close(");
	tell_fd(end, ") = 0\n");
	close(end);
	tell("close(%d) = -1 EBADF\nclose(-1) = -1 EBADF\n", end);
	close(end);
	close(-1);

	mkdir(argv[2], 0700);
	chdir(argv[2]);
	int folder = open(".", O_RDONLY);
	tell("faccessat(");
	tell_fd(folder, ", \"x\", F_OK, 0) = -1 ENOENT\nfaccessat(AT_FDCWD, \"x\", F_OK, 0) = "
			"-1 ENOENT\n");
	errno = 0;
	faccessat(folder, "x", F_OK, 0);
	faccessat(AT_FDCWD, "x", F_OK, 0);
	fputs(told, stdout);
	return errno != ENOENT;
}
