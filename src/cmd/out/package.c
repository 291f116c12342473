/* SPDX-License-Identifier: Apache-2.0 */
/* package.c - asks dpkg-query whose a file is. */
#include "cmd/out/package.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

#define DPKG_QUERY "/usr/bin/dpkg-query"

/* Its first line, in *line; false: it could not be started. */
static bool read_line(const char *path, char *line, size_t room)
{
	char *const argv[] = { (char *)"dpkg-query", (char *)"-S", (char *)"--", (char *)path,
			       NULL };
	char *const env[] = { (char *)"LC_ALL=C", NULL };
	posix_spawn_file_actions_t actions;
	int fds[2];
	pid_t pid;
	line[0] = 0;
	if (pipe2(fds, O_CLOEXEC))
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int err = posix_spawn(&pid, DPKG_QUERY, &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	fc_auto_fclose FILE *from = fdopen(fds[0], "r");
	if (!from)
		close(fds[0]);
	if (!err && from && !fgets(line, (int)room, from))
		line[0] = 0;
	if (!err)
		waitpid(pid, NULL, 0);
	return !err;
}

/* "git: /usr/bin/git", "libc6:amd64: /lib/…", "a, b: /shared": the first of them. */
static char *owner_of(const char *path)
{
	char line[1024];
	if (!read_line(path, line, sizeof(line)) || !strstr(line, ": /"))
		return NULL;
	size_t len = strcspn(line, ":, ");
	return len && strncmp(line, "diversion ", len + 1) != 0
		       ? fc_asprintf("%.*s", (int)len, line)
		       : NULL;
}

/* What dpkg calls /lib/x is at /usr/lib/x, to which /lib leads. */
static const char *without_usr(const char *path)
{
	static const char *const merged[] = { "/usr/bin/", "/usr/sbin/", "/usr/lib" };
	for (size_t i = 0; i < sizeof(merged) / sizeof(merged[0]); i++)
		if (!strncmp(path, merged[i], strlen(merged[i])))
			return path + strlen("/usr");
	return NULL;
}

char *fc_debug_package(const char *path)
{
	/* dpkg-query takes it for a pattern, unless there is nothing special in it. */
	if (path[0] != '/' || strpbrk(path, "*?[]\\") || access(DPKG_QUERY, X_OK))
		return NULL;
	const char *other = without_usr(path);
	fc_auto_free char *owner = owner_of(path);
	if (!owner && other)
		owner = owner_of(other);
	if (!owner)
		return NULL;
	/* Packages that are older than automatic ones have names of their own. */
	return fc_asprintf(strcmp(owner, "libc6") ? "%s-dbgsym" : "%s-dbg", owner);
}
