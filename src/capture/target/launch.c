/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/target/permit.h"
#include "capture/target/registers.h"

/* 0, or why this file cannot be executed. */
static int try_file(const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return access(path, X_OK) ? -errno : 0;
}

static int cannot_find(const char *name, int err)
{
	if (err == -ENOENT)
		return fc_fail(ENOENT, "%s: no such program", name);
	if (err == -EISDIR)
		return fc_fail(EACCES, "%s is a folder, not a program", name);
	if (err == -EACCES)
		return fc_fail(EACCES, "%s is not executable; chmod +x makes it so", name);
	return fc_fail(-err, "%s: %s", name, strerror(-err));
}

int fc_launch_find_program(const char *name, char **ret)
{
	*ret = NULL;
	if (!*name)
		return fc_fail(ENOENT, "the program's name is empty");
	if (strchr(name, '/')) {
		int err = try_file(name);
		if (err)
			return cannot_find(name, err);
		*ret = fc_strdup(name);
		return 0;
	}
	const char *env = getenv("PATH");
	fc_auto_free char *dirs = fc_strdup(env ? env : "/bin:/usr/bin");
	int worst = -ENOENT;
	char *rest = dirs;
	for (char *dir = strsep(&rest, ":"); dir; dir = strsep(&rest, ":")) {
		char *path = fc_asprintf("%s/%s", *dir ? dir : ".", name);
		int err = try_file(path);
		if (!err) {
			*ret = path;
			return 0;
		}
		if (err == -EACCES)
			worst = err;
		free(path);
	}
	if (worst == -ENOENT)
		return fc_fail(ENOENT, "%s: no such program in $PATH", name);
	return cannot_find(name, worst);
}

void fc_launch_keep_signals(struct fc_launch_signals *ret)
{
	sigprocmask(SIG_BLOCK, NULL, &ret->mask);
	sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = SIG_IGN }, &ret->file_size);
	sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = SIG_DFL }, &ret->child);
}

__attribute__((noreturn)) static void child(const char *path, char *const *argv,
					    const struct fc_launch_signals *signals, int go_fd,
					    int error_fd)
{
	char go;
	while (read(go_fd, &go, 1) < 0 && errno == EINTR)
		; /* 0: the tracer is gone; the program runs all the same */
	sigaction(SIGXFSZ, &signals->file_size, NULL);
	sigaction(SIGCHLD, &signals->child, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
	execv(path, argv);
	int err = errno;
	if (write(error_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* Who cannot be traced does not run. */
static int begin(int pid, const char *path, unsigned long options, int go_fd)
{
	int ret = 0;
	if (ptrace(PTRACE_SEIZE, pid, 0, options))
		ret = fc_permit_fail(errno, pid, "trace %s", path);
	else if (write(go_fd, "", 1) != 1)
		ret = fc_fail(errno, "cannot start %s: %s", path, strerror(errno));
	if (ret) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, __WALL);
	}
	return ret;
}

int fc_launch_start(struct fc_launch *launch, const char *path, char *const *argv,
		    const struct fc_launch_signals *signals, unsigned long options)
{
	int go[2], error[2], err = fc_registers_check();
	if (err)
		return err;
	if (pipe2(go, O_CLOEXEC))
		return fc_fail(errno, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(error, O_CLOEXEC)) {
		err = errno;
		close(go[0]);
		close(go[1]);
		return fc_fail(err, "cannot make a pipe: %s", strerror(err));
	}
	int pid = fork();
	if (pid == 0) {
		close(go[1]);
		child(path, argv, signals, go[0], error[1]);
	}
	int ret = pid < 0 ? fc_fail(errno, "cannot start %s: %s", path, strerror(errno)) : 0;
	close(go[0]);
	close(error[1]);
	if (!ret)
		ret = begin(pid, path, options, go[1]);
	close(go[1]);
	if (ret) {
		close(error[0]);
		return ret;
	}
	*launch = (struct fc_launch){ pid, error[0] };
	return 0;
}

int fc_launch_error(struct fc_launch *launch, const char *path)
{
	int err = 0;
	ssize_t n = read(launch->error_fd, &err, sizeof(err));
	close(launch->error_fd);
	launch->error_fd = -1;
	if (n != sizeof(err))
		return 0;
	if (err == ENOEXEC)
		return fc_fail(err, "%s is neither a program nor a script that begins with #!",
			       path);
	if (err == ENOENT)
		return fc_fail(err, "%s: its interpreter is not there", path);
	return fc_fail(err, "%s cannot be executed: %s", path, strerror(err));
}
