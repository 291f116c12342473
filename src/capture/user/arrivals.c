/* SPDX-License-Identifier: Apache-2.0 */
/* arrivals.c - what a signal's siginfo says, in words. */
#include "capture/user/arrivals.h"

#include <string.h>
#include <sys/ptrace.h>

#include "base/cleanup.h"
#include "base/crash.h"
#include "base/memory.h"

static const char *name_of(int sig)
{
	const char *name = sigabbrev_np(sig);
	return name ? name : "?";
}

/* "SIGUSR1"; the kernel's own numbers of real-time signals have no names. */
static char *called(int sig)
{
	return sigabbrev_np(sig) ? fc_asprintf("SIG%s", name_of(sig))
				 : fc_asprintf("signal %d", sig);
}

static char *about_child(const siginfo_t *info)
{
	switch (info->si_code) {
	case CLD_EXITED:
		return fc_asprintf("from %d, which exited with %d", info->si_pid,
				   info->si_status);
	case CLD_KILLED:
	case CLD_DUMPED:
		return fc_asprintf("from %d, which was killed by SIG%s", info->si_pid,
				   name_of(info->si_status));
	case CLD_STOPPED:
	case CLD_TRAPPED:
		return fc_asprintf("from %d, which was stopped by SIG%s", info->si_pid,
				   name_of(info->si_status));
	default:
		return fc_asprintf("from %d, which goes on", info->si_pid);
	}
}

static char *about_fault(int sig, const siginfo_t *info)
{
	unsigned long long at = (unsigned long long)(uintptr_t)info->si_addr;
	const char *why =
		sig == SIGSEGV && info->si_code == SEGV_MAPERR	 ? ", where nothing is mapped"
		: sig == SIGSEGV && info->si_code == SEGV_ACCERR ? ", which it may not access"
		: sig == SIGFPE && info->si_code == FPE_INTDIV	 ? ", by a division by zero"
								 : "";
	return fc_asprintf("at 0x%llx%s", at, why);
}

static char *about(int sig, const siginfo_t *info)
{
	switch (info->si_code) {
	case SI_USER:
	case SI_TKILL:
	case SI_QUEUE:
	case SI_MESGQ:
		return info->si_pid ? fc_asprintf("from %d", info->si_pid)
				    : fc_strdup("from another PID namespace");
	case SI_TIMER:
		return fc_strdup("from a timer");
	case SI_KERNEL:
		return fc_strdup("from the kernel");
	default:
		break;
	}
	if (sig == SIGCHLD)
		return about_child(info);
	if (info->si_code > 0 && (fc_is_fault(sig) || sig == SIGTRAP))
		return about_fault(sig, info);
	return fc_strdup("from the kernel");
}

static int sender_of(int sig, const siginfo_t *info)
{
	bool has_one = info->si_code == SI_USER || info->si_code == SI_TKILL ||
		       info->si_code == SI_QUEUE || sig == SIGCHLD;
	return has_one ? info->si_pid : 0;
}

void fc_arrivals_tell(struct fc_tracer *tracer, const struct fc_tracee *tracee, int sig)
{
	siginfo_t info;
	if (!tracer->shared.opts->wells || !tracee->process ||
	    ptrace(PTRACE_GETSIGINFO, tracee->tid, 0, &info))
		return;
	fc_auto_free char *who = called(sig);
	fc_auto_free char *how = about(sig, &info);
	fc_auto_free char *text = fc_asprintf("%s %s", who, how);
	fc_tracer_life(tracer, FC_LIFE_SIGNAL, tracee->process->pid, tracee->tid,
		       sender_of(sig, &info), sig, text);
}
