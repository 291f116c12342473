/* SPDX-License-Identifier: Apache-2.0 */
/* everybody.c - the lists of who is not traced get this process's threads, those of who is are emptied. */
#include "capture/kernel/everybody.h"

#include <dirent.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/kernel/tracefile.h"

/* With blanks between; threads that they make later are added by the kernel. */
static char *own_threads(void)
{
	char *text = fc_strdup("");
	DIR *dir = opendir("/proc/self/task");
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (*entry->d_name != '.')
			fc_append(&text, "%s ", entry->d_name);
	if (dir)
		closedir(dir);
	return text;
}

/* Linux 5.8 has such lists. */
static int leave_out(const char *folder, const char *list, const char *threads)
{
	fc_auto_free char *path = fc_asprintf("%s/%s", folder, list);
	return access(path, F_OK) ? 0 : fc_tracefile_write(folder, list, threads);
}

int fc_everybody_begin(const char *folder, bool with_functions)
{
	fc_auto_free char *threads = own_threads();
	int err = leave_out(folder, "set_event_notrace_pid", threads);
	if (err || !with_functions)
		return err;
	err = fc_tracefile_write(folder, "options/function-fork", "1");
	if (!err)
		err = leave_out(folder, "set_ftrace_notrace_pid", threads);
	return err ? err : fc_tracefile_write(folder, "set_ftrace_pid", "");
}
