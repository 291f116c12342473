/* SPDX-License-Identifier: Apache-2.0 */
/* exe.h - the program that a process runs (proc(5), /proc/PID/exe). */
#ifndef FC_CAPTURE_TARGET_EXE_H
#define FC_CAPTURE_TARGET_EXE_H

#include <stdbool.h>

enum { FC_EXE_PATH = 4096 };

/* What opens it, whatever its path is now. */
struct fc_exe_link {
	char text[32];
};

struct fc_exe_link fc_exe_link(int pid);

/* What the kernel writes behind the name of a file that is deleted, or was replaced. */
#define FC_EXE_DELETED " (deleted)"

/* Take that away from a file's name, if it is there. */
bool fc_exe_cut_deleted(char *path);

/* Where it was found when it was executed; of a memfd "/memfd:NAME". False with errno: "", it cannot be told. */
bool fc_exe_path(int pid, char ret[FC_EXE_PATH]);

#endif
