/* SPDX-License-Identifier: Apache-2.0 */
/* status.h - what /proc/TID/status tells of a thread. */
#ifndef FC_USER_STATUS_H
#define FC_USER_STATUS_H

#include <stdbool.h>
#include <stdint.h>

struct fc_status {
	char name[17];
	int tgid, ppid;
	int tracer;  /* tid of who traces it, 0: nobody */
	int own_tid; /* its id in its own pid namespace */
	int seccomp; /* 0: none, 1: strict, 2: filters */
	bool is_zombie;
	uint64_t pending; /* signals, its own and its process' */
};

/* False: there is no such thread; *ret is all zero then. */
bool fc_status_read(int tid, struct fc_status *ret);

bool fc_is_thread_of(int pid, int tid);

/* Have both the same memory? event: of ptrace, by which child was born, if kcmp() is denied. */
bool fc_shares_memory(int pid, int child, int event);

/* Does it stop a process that does not handle it? */
bool fc_is_stop_signal(int sig);

#endif
