/* SPDX-License-Identifier: Apache-2.0 */
/* comm.c - a thread's name is read from /proc. */
#include "capture/target/comm.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"

bool fc_comm_read(int tid, char *ret, size_t room)
{
	char path[32];
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t nr = fd >= 0 ? read(fd, ret, room - 1) : -1;
	bool is_there = nr > 0;
	if (is_there && ret[nr - 1] == '\n')
		nr--;
	ret[is_there ? nr : 0] = 0;
	return is_there;
}
