/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/breakpoint.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/target/registers.h"

/* The child comes here once. */
__attribute__((noinline)) static void spot(void)
{
	static volatile int visits;
	visits++;
}

static void run_child(void)
{
	if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL)) {
		raise(SIGSTOP);
		spot();
	}
	_exit(0);
}

/* Is the child stopped, now or soon, and not dead? */
static bool wait_for_stop(int pid, int *sig)
{
	int status;
	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			return false;
	*sig = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
	return *sig;
}

bool fc_breakpoints_fire(void)
{
	uint64_t ip = 0, taddr = (uintptr_t)spot;
	int sig = 0, pid = fork();
	if (pid < 0)
		return false;
	if (!pid)
		run_child();
	bool is_there = wait_for_stop(pid, &sig);
	bool is_set = is_there && fc_registers_break_at(pid, taddr) &&
		      !ptrace(PTRACE_CONT, pid, NULL, NULL);
	is_there = is_set ? wait_for_stop(pid, &sig) : is_there;
	bool fires = is_set && is_there && sig == SIGTRAP &&
		     !fc_register_read(pid, FC_REG_IP, &ip) && ip == taddr;
	if (is_there) {
		kill(pid, SIGKILL);
		wait_for_stop(pid, &sig);
	}
	return fires;
}
