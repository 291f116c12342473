/* SPDX-License-Identifier: Apache-2.0 */
/* status.h - what /proc/TID/status tells of a thread. */
#ifndef FC_CAPTURE_TARGET_STATUS_H
#define FC_CAPTURE_TARGET_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { FC_UID_REAL, FC_UID_EFFECTIVE, FC_UID_SAVED, FC_NR_UIDS };
enum { FC_MAX_PID_NAMESPACES = 33 }; /* MAX_PID_NS_LEVEL, <linux/pid_namespace.h>, and ours */

/* What a process may do, as far as it can change that without executing a program. */
struct fc_rights {
	uid_t uid[FC_NR_UIDS];
	gid_t gid[FC_NR_UIDS];
	uint64_t capabilities; /* effective */
	int seccomp;	       /* 0: none, 1: strict, 2: filters */
	int no_new_privs;
};

struct fc_status {
	char name[17];
	int tgid, ppid;
	int tracer; /* tid of who traces it, 0: nobody */
	int tid;
	int own_tid; /* its id in its own pid namespace */
	/* Its ids from this process' namespace on, each nested in the one before. */
	int ns_tid[FC_MAX_PID_NAMESPACES], nr_ns;
	struct fc_rights rights;
	uint64_t permitted; /* capabilities */
	char state;	    /* R: it runs or waits for a CPU; others as in proc(5) */
	bool is_zombie;
	uint64_t pending; /* signals, its own and its process' */
	uint64_t caught,
		ignored; /* by its process: signals with a handler, and those without effect */
};

/* False: there is no such thread; *ret is all zero then. */
bool fc_status_read(int tid, struct fc_status *ret);

/* The id of whom in the pid namespace of who; 0: it has none there. */
int fc_status_seen_by(const struct fc_status *who, const struct fc_status *whom);

bool fc_is_thread_of(int pid, int tid);

/* PF_KTHREAD of <linux/sched.h>, among the flags of /proc/TID/stat (proc(5)). */
bool fc_is_kernel_thread(int tid);

/*
 * Of a process whose first thread has ended, /proc tells no memory, files or program: those are
 * to be asked of another one. pid, if there is none.
 */
int fc_living_thread(int pid);

/* Have both the same memory? event: of ptrace, by which child was born, if kcmp() is denied. */
bool fc_shares_memory(int pid, int child, int event);

/* Does it stop a process that does not handle it? */
bool fc_is_stop_signal(int sig);

#endif
