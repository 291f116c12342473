/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/namesakes.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "capture/target/comm.h"
#include "capture/target/exe.h"
#include "capture/target/status.h"

/* What /proc/PID/FILE holds, up to a zero byte more; its length. */
static size_t read_file(int pid, const char *file, char *ret, size_t room)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t nr = fd < 0 ? -1 : read(fd, ret, room - 1);
	ret[nr > 0 ? nr : 0] = 0;
	return nr > 0 ? (size_t)nr : 0;
}

/* The kernel keeps 15 bytes of what a process calls itself. */
static bool has_comm(int pid, const char *name)
{
	char comm[32];
	return fc_comm_read(pid, comm, sizeof(comm)) && !strcmp(comm, name);
}

/* A process that sets a title writes it over its words: "nginx: worker process". */
static bool has_word(const char *words, const char *name)
{
	size_t len = strlen(name);
	const char *base = fc_base_name(words);
	return !strcmp(base, name) || (!strncmp(words, name, len) && words[len] == ':');
}

static bool has_file(int pid, const char *name)
{
	char path[FC_EXE_PATH];
	if (!fc_exe_path(pid, path))
		return false;
	fc_exe_cut_deleted(path);
	return !strcmp(fc_base_name(path), name);
}

/* Does it wait for a child, or for a signal, as a parent does whose children work? */
static bool is_in_wait(int pid)
{
	static const long waits[] = {
		SYS_wait4, SYS_waitid, SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
#ifdef SYS_pause
		SYS_pause,
#endif
	};
	char text[256], *end;
	read_file(pid, "syscall", text, sizeof(text));
	long number = strtol(text, &end, 10);
	for (size_t i = 0; end != text && i < sizeof(waits) / sizeof(waits[0]); i++)
		if (number == waits[i])
			return true;
	return false;
}

static void add(struct fc_namesakes *namesakes, int pid, const char *name)
{
	struct fc_namesake one = { .pid = pid };
	struct fc_status status;
	size_t len = read_file(pid, "cmdline", one.command, sizeof(one.command));

	if (pid == getpid() || !len || !fc_status_read(pid, &status) || status.is_zombie)
		return;
	if (!has_comm(pid, name) && !has_word(one.command, name) && !has_file(pid, name))
		return;
	one.ppid = status.ppid;
	for (size_t i = 0; i + 1 < len; i++)
		if (!one.command[i])
			one.command[i] = ' ';
	for (size_t end = strlen(one.command); end && one.command[end - 1] == ' ';)
		one.command[--end] = 0;
	fc_vec_push(&namesakes->list, one);
}

static bool has_child(const struct fc_namesakes *namesakes, int pid)
{
	fc_vec_each (&namesakes->list, other)
		if (other->ppid == pid)
			return true;
	return false;
}

static int by_pid(const void *a, const void *b)
{
	const struct fc_namesake *x = a, *y = b;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

void fc_namesakes_find(const char *name, struct fc_namesakes *ret)
{
	*ret = (struct fc_namesakes){ 0 };
	DIR *dir = opendir("/proc");
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char *end;
		long pid = strtol(entry->d_name, &end, 10);
		if (pid > 0 && !*end)
			add(ret, (int)pid, name);
	}
	if (dir)
		closedir(dir);
	if (ret->list.nr)
		qsort(ret->list.at, ret->list.nr, sizeof(*ret->list.at), by_pid);
	fc_vec_each (&ret->list, one)
		one->is_waiting = has_child(ret, one->pid) && is_in_wait(one->pid);
}

void fc_namesakes_deinit(struct fc_namesakes *namesakes)
{
	fc_vec_free(&namesakes->list);
}
