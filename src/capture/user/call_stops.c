/* SPDX-License-Identifier: Apache-2.0 */
/* call_stops.c - what a thread that has stopped at a system call is asked, and whom it is told. */
#include "capture/user/call_stops.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>

#include "arch/kernel.h"
#include "capture/user/quiet.h"
#include "capture/user/rival.h"

void fc_call_stops_follow(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	struct fc_well *const *wells = tracer->shared.opts->wells;
	if (fc_wells_want_calls(wells))
		tracer->tracees.sees_calls = tracee->sees_calls = true;
	fc_wells_follow(wells, tracee->tid);
}

/* Of what is asked once of the kernel: it does not know the question, and will not learn it. */
static void give_up(struct fc_tracer *tracer)
{
	tracer->tracees.sees_calls = false;
	fc_tracees_each (&tracer->tracees, t)
		t->sees_calls = false;
	fc_tracer_say(tracer, tracer->first_pid,
		      "--syscalls shows no system calls: this kernel does not tell which one a "
		      "thread has stopped at (PTRACE_GET_SYSCALL_INFO, Linux 5.3)");
}

/* Calls of another ABI (int $0x80) have other numbers: they get one that has no name. */
static uint64_t number_of(const struct __ptrace_syscall_info *info)
{
	const uint64_t nameless = 1u << 31;
	return info->arch == FC_ARCH_SYSCALLS ? info->entry.nr : info->entry.nr | nameless;
}

static void tell_wells(struct fc_tracer *tracer, int tid)
{
	struct __ptrace_syscall_info info;
	long size = ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info);
	if (size < 0 && errno == EIO)
		give_up(tracer);
	if (size <= 0)
		return;
	struct fc_call_stop stop = { 0 };
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		stop.is_entry = true;
		stop.number = number_of(&info);
		for (size_t i = 0; i < FC_SYSCALL_ARGS; i++)
			stop.arg[i] = info.entry.args[i];
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
		stop.result = info.exit.rval;
	} else {
		return;
	}
	fc_wells_call(tracer->shared.opts->wells, tid, &stop);
}

static void take_awaited(struct fc_tracee *tracee)
{
	tracee->call_stops--;
	if (tracee->awaited == FC_AWAITED_FILTER)
		fc_quiet_on_call(tracee);
	else
		fc_rival_on_call(tracee);
}

void fc_call_stops_take(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	if (tracee->call_stops)
		take_awaited(tracee);
	if (tracee->sees_calls)
		tell_wells(tracer, tracee->tid);
}
