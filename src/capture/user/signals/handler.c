/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/signals/handler.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "capture/hook/fault.h"
#include "capture/target/registers.h"
#include "capture/target/remote.h"

/* A single step with a signal stops at the handler's first instruction. */
void fc_handler_enter(const struct fc_tracer *tracer, struct fc_tracee *tracee, int sig)
{
	fc_register_read(tracee->tid, FC_REG_IP, &tracee->handler_ip);
	tracee->is_entering_handler = true;
	if (tracer->is_holding)
		ptrace(PTRACE_INTERRUPT, tracee->tid, 0, 0);
	ptrace(PTRACE_SINGLESTEP, tracee->tid, 0, sig);
}

/* The signal stack, if the frame lies there; else all below the frame. */
static void find_stack(struct fc_tracee *tracee, int mem_fd, uint64_t frame)
{
	struct {
		uint64_t start, flags, size;
	} stack = { 0 };
	fc_remote_get(mem_fd, frame + fc_arch_here->frame_stack, &stack, sizeof(stack));
	bool is_other = frame - stack.start < stack.size;
	tracee->handler_low = is_other ? stack.start : 0;
	tracee->handler_high = is_other ? stack.start + stack.size : frame + 1;
}

bool fc_handler_entered(struct fc_tracee *tracee)
{
	uint64_t frame;
	if (!tracee->is_entering_handler)
		return false;
	tracee->is_entering_handler = false;
	/* A fault in such a handler, too: the outer one is what ends last. */
	if (tracee->handler_frame || fc_register_read(tracee->tid, FC_REG_SP, &frame))
		return true;
	fc_auto_close int mem_fd = fc_remote_open(tracee->tid);
	if (mem_fd < 0)
		return true;
	find_stack(tracee, mem_fd, frame);
	tracee->handler_frame = frame;
	return true;
}

static void resume(const struct fc_tracee *tracee, const struct fc_space *space, uint64_t frame)
{
	uint64_t ip, at = frame + fc_arch_here->frame_ip;
	fc_auto_close int mem_fd = fc_remote_open(tracee->tid);
	if (mem_fd >= 0 && fc_remote_get(mem_fd, at, &ip, sizeof(ip)) &&
	    fc_fault_resume(space, ip == tracee->handler_ip, &ip))
		fc_remote_write(mem_fd, at, &ip, sizeof(ip));
}

void fc_handler_on_call(struct fc_tracee *tracee)
{
	struct fc_regs regs;
	const struct fc_space *space = tracee->process ? tracee->process->space : NULL;
	if (fc_registers_read(tracee->tid, &regs) ||
	    fc_fault_is_in_agent(space, fc_regs_get(&regs, FC_REG_IP)))
		return;
	uint64_t sp = fc_regs_get(&regs, FC_REG_SP), frame = sp - fc_arch_here->frame_returned;
	bool is_left = frame < tracee->handler_low || frame > tracee->handler_high;
	if (fc_regs_get(&regs, FC_REG_CALL) == SYS_rt_sigreturn) {
		resume(tracee, space, frame);
		is_left |= frame == tracee->handler_frame;
	}
	if (is_left) /* returned, or by siglongjmp */
		tracee->handler_frame = 0;
}
