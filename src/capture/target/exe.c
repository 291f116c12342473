/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/exe.h"

#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

struct fc_exe_link fc_exe_link(int pid)
{
	struct fc_exe_link link;
	snprintf(link.text, sizeof(link.text), "/proc/%d/exe", pid);
	return link;
}

bool fc_exe_path(int pid, char ret[FC_EXE_PATH])
{
	ssize_t size = readlink(fc_exe_link(pid).text, ret, FC_EXE_PATH - 1);
	ret[size > 0 ? size : 0] = 0;
	return size > 0;
}
