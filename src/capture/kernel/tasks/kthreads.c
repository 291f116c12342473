/* SPDX-License-Identifier: Apache-2.0 */
/* kthreads.c - who has PF_KTHREAD is a kernel thread; workers carry what they work on in their name. */
#include "capture/kernel/tasks/kthreads.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "capture/kernel/tracefile.h"

#define PF_KTHREAD 0x00200000 /* include/linux/sched.h */

static const char worker[] = "kworker/";

/* "2 (kthreadd) S 0 0 0 0 -1 2129984 ...": the name may have blanks and brackets. */
bool fc_kthread_read(const char *stat, struct fc_kthread *ret)
{
	unsigned flags;
	const char *name = strchr(stat, '('), *end = strrchr(stat, ')');
	if (!name || !end || end < name ||
	    sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) != 1 ||
	    !(flags & PF_KTHREAD))
		return false;
	ret->tid = atoi(stat);
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)(end - name - 1), name + 1);
	return ret->tid > 0;
}

static bool is_match(const char *name, const char *glob)
{
	char alone[FC_KTHREAD_NAME];
	if (!fnmatch(glob, name, 0))
		return true;
	if (strncmp(name, worker, strlen(worker)) != 0)
		return false;
	snprintf(alone, sizeof(alone), "%.*s", (int)strcspn(name, "-+"), name);
	return !fnmatch(glob, alone, 0);
}

bool fc_kthread_matches(const char *name, char *const *globs)
{
	for (; globs && *globs; globs++)
		if (is_match(name, *globs))
			return true;
	return false;
}

static bool read_stat(const char *folder, const char *pid, struct fc_kthread *ret)
{
	char file[288], stat[512];
	if (*pid < '0' || *pid > '9')
		return false;
	snprintf(file, sizeof(file), "%s/stat", pid);
	fc_tracefile_read_begin(folder, file, stat, sizeof(stat));
	return fc_kthread_read(stat, ret);
}

void fc_kthreads_find(const char *folder, char *const *globs,
		      void (*take)(void *ctx, const struct fc_kthread *kthread), void *ctx)
{
	struct fc_kthread kthread;
	DIR *dir = opendir(folder);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (read_stat(folder, entry->d_name, &kthread) &&
		    fc_kthread_matches(kthread.name, globs))
			take(ctx, &kthread);
	if (dir)
		closedir(dir);
}

static void note(void *ctx, const struct fc_kthread *kthread)
{
	(void)kthread;
	*(bool *)ctx = true;
}

int fc_kthreads_check(const char *folder, char *const *globs)
{
	for (; globs && *globs; globs++) {
		char *const one[] = { *globs, NULL };
		bool is_any = false;
		fc_kthreads_find(folder, one, note, &is_any);
		if (!is_any)
			return fc_fail(EINVAL,
				       "--kthread %s: no kernel thread has such a name; ps "
				       "--ppid 2 lists them",
				       *globs);
	}
	return 0;
}
