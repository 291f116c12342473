/* SPDX-License-Identifier: Apache-2.0 */
#include "user/status.h"

#include <inttypes.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

static void parse(const char *line, struct fc_status *ret)
{
	uint64_t mask;
	char state;
	if (sscanf(line, "Tgid: %d", &ret->tgid) == 1 ||
	    sscanf(line, "PPid: %d", &ret->ppid) == 1 ||
	    sscanf(line, "TracerPid: %d", &ret->tracer) == 1 ||
	    sscanf(line, "Seccomp: %d", &ret->seccomp) == 1 ||
	    sscanf(line, "Name: %16[^\n]", ret->name) == 1)
		return;
	if (sscanf(line, "State: %c", &state) == 1)
		ret->is_zombie = state == 'Z' || state == 'X';
	else if (sscanf(line, "SigPnd: %" SCNx64, &mask) == 1 ||
		 sscanf(line, "ShdPnd: %" SCNx64, &mask) == 1)
		ret->pending |= mask;
	else if (!strncmp(line, "NSpid:", 6)) /* namespaces nest, its own is the last */
		ret->own_tid = atoi(strrchr(line, '\t') ? strrchr(line, '\t') : line + 6);
}

bool fc_status_read(int tid, struct fc_status *ret)
{
	char name[64], line[256];
	*ret = (struct fc_status){ 0 };
	snprintf(name, sizeof(name), "/proc/%d/status", tid);
	fc_auto_fclose FILE *file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		parse(line, ret);
	return ret->tgid;
}

bool fc_is_thread_of(int pid, int tid)
{
	char name[64];
	snprintf(name, sizeof(name), "/proc/%d/task/%d", pid, tid);
	return !access(name, F_OK);
}

bool fc_shares_memory(int pid, int child, int event)
{
	long same = syscall(SYS_kcmp, pid, child, KCMP_VM, 0, 0);
	return same < 0 ? event == PTRACE_EVENT_VFORK : same == 0;
}

bool fc_is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}
