/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stepping tracer: one thread, one loop.
 *
 *   wait for a stop ---> a step: ip, sp -----> shadow: who has returned, who is called
 *        ^          '--> an event: births, exec, deaths, signals
 *        '--------------- one instruction more
 */
#include "capture/step/step.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/drain/well.h"
#include "capture/module/tell.h"
#include "capture/step/stepspace.h"
#include "capture/step/trapmask.h"
#include "capture/target/breakpoint.h"
#include "capture/target/exe.h"
#include "capture/target/interrupted.h"
#include "capture/target/launch.h"
#include "capture/target/lives.h"
#include "capture/target/registers.h"
#include "capture/target/status.h"
#include "capture/target/suspend.h"
#include "trace/clock.h"

enum {
	TICK_US = 10 * 1000,
	MASK_STOP =
		SIGTRAP | 0x80, /* what PTRACE_O_TRACESYSGOOD makes of system calls' stops */
};

struct program {
	struct fc_process process;
	struct fc_stepspace *space; /* NULL: runs freely */
};

struct thread {
	struct fc_tracee tracee;
	struct fc_shadow *shadow;
	uint64_t from;	      /* the instruction that is executed now */
	uint64_t quiet_until; /* runs freely up to this address; 0: is stepped */
	struct fc_trapmask mask;
	int nr_mask_stops; /* still to come of a call that changes the signal mask */
	/* A child in its parent's memory: is it on its parent's stack, too? */
	struct fc_shadow *parents;
};

struct stepper {
	struct fc_step_session session;
	struct fc_shadows shadows;
	struct fc_tracees tracees;
	struct fc_lives lives;
	struct fc_launch launch;
	struct fc_job job;
	sigset_t job_signals; /* that tell of it; blocked */
	int first_pid, wait_status;
	bool is_started;      /* the first program was executed */
	bool is_ending;	      /* told to stop tracing */
	bool has_breakpoints; /* the CPU stops where it is told */
	int unseen_pid;	      /* it should have stopped, and did not; 0: none */
	int error;
	struct fc_said said;
};

static volatile sig_atomic_t is_tick_due, is_told_to_end;

/* ---- telling ---- */

static void life(void *ctx, int what, int pid, int tid, int other, int status, const char *text)
{
	const struct stepper *stepper = ctx;
	fc_tell_life(stepper->session.tap, what, pid, tid, other, status, text);
}

static void say(void *ctx, int pid, const char *sentence)
{
	struct stepper *stepper = ctx;
	fc_tell_user(&stepper->said, stepper->session.opts, stepper->session.tap, pid,
		     sentence);
}

/* ---- threads ---- */

static struct thread *thread_of(struct fc_tracee *tracee)
{
	return (struct thread *)tracee;
}

/* 0: its parent's event has not come yet. */
static int pid_of(const struct thread *thread)
{
	return thread->tracee.process ? thread->tracee.process->pid : 0;
}

static struct fc_stepspace **space_at(struct fc_process *process)
{
	return &((struct program *)process)->space;
}

static struct fc_stepspace *space_of(const struct thread *thread)
{
	return thread->tracee.process ? *space_at(thread->tracee.process) : NULL;
}

/* What it knew of its program is over. */
static void forget(struct fc_tracee *tracee)
{
	struct thread *thread = thread_of(tracee);
	uint64_t tsc = fc_clock_tsc();
	fc_shadow_put(thread->shadow, tsc);
	fc_shadow_put(thread->parents, tsc);
	*thread = (struct thread){
		.tracee = *tracee,
		.mask.is_blocked = thread->mask.is_blocked,
	};
}

static void forget_process(struct fc_process *process)
{
	fc_stepspace_put(fc_take(*space_at(process)));
}

/* ---- on with it ---- */

static void resume(const struct thread *thread, int sig)
{
	bool is_free = !space_of(thread) || thread->quiet_until;
	ptrace(is_free		       ? PTRACE_CONT
	       : thread->nr_mask_stops ? PTRACE_SYSCALL
				       : PTRACE_SINGLESTEP,
	       thread->tracee.tid, 0, sig);
}

static void let_go(struct stepper *stepper, struct thread *thread, int sig)
{
	int tid = thread->tracee.tid;
	if (thread->quiet_until)
		fc_registers_break_at(tid, 0);
	fc_trapmask_restore(&thread->mask, tid);
	ptrace(PTRACE_DETACH, tid, 0, sig);
	fc_tracee_leave(&stepper->tracees, &thread->tracee);
}

/* ---- a step ---- */

/* A stepped program's flags have the trap flag set, which it is not to see. */
static void hide_trap_flag(const struct thread *thread, uint64_t sp)
{
	uint64_t flags;
	if (fc_stepspace_read(thread->tracee.tid, sp, &flags))
		ptrace(PTRACE_POKEDATA, thread->tracee.tid, sp,
		       flags & ~fc_arch_here->thread->trap_flag);
}

/* A jump from the innermost call's own code to its own start is a loop, not a call. */
static bool is_loop(const struct thread *thread, const struct fc_shadow_entry *entry)
{
	return !entry->is_no_jump &&
	       fc_shadow_func_at(thread->shadow, entry->slot) == entry->func &&
	       fc_stepspace_is_inside(space_of(thread), thread->from, entry->func);
}

static void on_entry(const struct thread *thread, const struct fc_func_info *func,
		     struct fc_shadow_entry *entry)
{
	entry->func = func->id;
	if (func->how == FC_HOW_ENTRY_ONLY)
		fc_shadow_enter_only(thread->shadow, entry);
	else if (!is_loop(thread, entry) &&
		 fc_stepspace_read(thread->tracee.tid, entry->slot, &entry->ret))
		fc_shadow_enter(thread->shadow, entry);
}

static void on_notice(struct thread *thread)
{
	fc_stepspace_update(space_of(thread), pid_of(thread));
	if (thread->quiet_until)
		fc_registers_break_at(thread->tracee.tid, 0);
	thread->quiet_until = 0;
}

/* What brought the thread to where it is. */
enum cause {
	BY_INSTRUCTION,
	BY_SYSTEM_CALL, /* rt_sigreturn may end at any instruction */
	BY_SIGNAL,	/* its handler begins */
};

static void on_step(struct thread *thread, enum cause cause)
{
	struct fc_regs regs;
	if (fc_registers_read(thread->tracee.tid, &regs))
		return;
	uint64_t ip = fc_regs_get(&regs, FC_REG_IP), sp = fc_regs_get(&regs, FC_REG_SP);
	unsigned traits =
		fc_stepspace_traits(space_of(thread), thread->tracee.tid, thread->from);
	struct fc_shadow_arrival arrival = {
		.ip = ip,
		.sp = sp,
		.is_return = traits & FC_TRAIT_RETURNS &&
			     !fc_stepspace_moves_frames(space_of(thread), thread->from),
		.tsc = fc_clock_tsc(),
	};
	struct fc_shadow_entry entry = { .slot = sp, .tsc = arrival.tsc };
	if (cause == BY_INSTRUCTION && traits & FC_TRAIT_PUSHES_FLAGS)
		hide_trap_flag(thread, sp);
	fc_shadow_arrive(thread->shadow, &arrival);
	const struct fc_func_info *func =
		cause == BY_SYSTEM_CALL ? NULL : fc_stepspace_entry(space_of(thread), ip);
	entry.is_no_jump = cause == BY_SIGNAL || traits & FC_TRAIT_RETURNS;
	if (func)
		on_entry(thread, func, &entry);
	if (fc_stepspace_is_notice(space_of(thread), thread->tracee.tid, ip))
		on_notice(thread);
	if (cause == BY_SIGNAL)
		fc_trapmask_unblock(thread->tracee.tid);
	thread->from = ip;
	bool is_call = fc_stepspace_traits(space_of(thread), thread->tracee.tid, ip) &
		       FC_TRAIT_SYSTEM_CALL;
	thread->nr_mask_stops =
		is_call && fc_trapmask_begin(&thread->mask, thread->tracee.tid, &regs) ? 2 : 0;
}

/*
 * A program may end while ld.so still loads it. But when ld.so has loaded all, the breakpoint was
 * passed without a stop, and no call was seen: that is no trace.
 */
static void on_quiet_end(struct stepper *stepper, const struct thread *thread)
{
	if (fc_stepspace_has_begun(space_of(thread), thread->tracee.tid))
		stepper->unseen_pid = pid_of(thread);
}

/* ---- exec ---- */

static void on_untraced(struct stepper *stepper, struct thread *thread, int err,
			const char *path)
{
	int pid = pid_of(thread);
	bool is_first = pid == stepper->first_pid && !stepper->is_started;
	if (is_first && err == -ENOTSUP) {
		stepper->error = fc_fail(ENOEXEC, "%s", fc_fail_text());
		kill(pid, SIGKILL);
		return;
	}
	fc_auto_free char *text = fc_asprintf("%s runs untraced: %s", path, fc_fail_text());
	say(stepper, pid, text);
}

/* The thread group runs a new program; thread is its leader now. */
static void on_exec(struct stepper *stepper, struct thread *thread)
{
	int pid = pid_of(thread);
	char path[FC_EXE_PATH];
	fc_lives_exec(&stepper->lives, &thread->tracee, path);
	int err = fc_stepspace_create(&stepper->session, pid, space_at(thread->tracee.process));
	if (err)
		on_untraced(stepper, thread, err, path);
	if (pid == stepper->first_pid)
		stepper->is_started = true;
	if (err)
		return;
	const struct fc_stepspace *space = space_of(thread);
	struct fc_main_stack stack = fc_stepspace_stack(space);
	thread->shadow = fc_shadow_create(&stepper->shadows, pid, pid, &stack);
	uint64_t until = stepper->has_breakpoints ? fc_stepspace_quiet_until(space) : 0;
	if (until && fc_registers_break_at(pid, until))
		thread->quiet_until = until;
}

/* ---- births and deaths ---- */

static uint64_t sp_of(int tid)
{
	uint64_t sp;
	fc_register_read(tid, FC_REG_SP, &sp);
	return sp;
}

/* Its stack begins as its maker's has come to be, or empty. */
static bool waits(void *ctx, const struct fc_birth *birth)
{
	const struct stepper *stepper = ctx;
	(void)birth;
	return !stepper->is_ending;
}

static void begin_copy(struct thread *child, const struct thread *maker)
{
	int pid = pid_of(child);
	*space_at(child->tracee.process) = fc_stepspace_fork(space_of(maker));
	child->shadow = fc_shadow_fork(maker->shadow, pid, pid_of(maker));
}

static void begin_sharing(struct fc_shadows *shadows, struct thread *child,
			  const struct thread *maker)
{
	struct fc_stepspace *space = space_of(maker);
	struct fc_main_stack stack = fc_stepspace_stack(space);
	child->shadow = fc_shadow_create(shadows, pid_of(child), child->tracee.tid, &stack);
	if (child->tracee.process == maker->tracee.process)
		return;
	*space_at(child->tracee.process) = fc_stepspace_share(space);
	child->parents = fc_shadow_share(maker->shadow);
}

/* Of whose maker nothing is known nobody knows what it has open: it runs freely. */
static void born(void *ctx, const struct fc_birth *birth)
{
	struct stepper *stepper = ctx;
	struct thread *child = thread_of(birth->child), *maker = thread_of(birth->maker);
	if (birth->is_late || !maker)
		return;
	child->mask.is_blocked = maker->mask.is_blocked;
	if (!birth->child->process || !space_of(maker))
		return;
	if (birth->has_parents_memory)
		begin_sharing(&stepper->shadows, child, maker);
	else
		begin_copy(child, maker);
}

/* A vfork child runs on its parent's stack, which waits for it: its calls begin there. */
static void join_parents_stack(struct thread *child)
{
	struct fc_shadow *parents = child->parents;
	if (!parents)
		return;
	struct fc_shadow *joined =
		fc_shadow_vfork(parents, pid_of(child), sp_of(child->tracee.tid));
	if (joined) {
		fc_shadow_put(child->shadow, fc_clock_tsc());
		child->shadow = joined;
	}
	child->parents = NULL;
	fc_shadow_put(parents, fc_clock_tsc());
}

static void let_child_go(void *ctx, struct fc_tracee *child)
{
	let_go(ctx, thread_of(child), 0);
}

static void go(void *ctx, struct fc_tracee *child)
{
	const struct stepper *stepper = ctx;
	if (stepper->is_ending) {
		let_child_go(ctx, child);
		return;
	}
	join_parents_stack(thread_of(child));
	resume(thread_of(child), 0);
}

static const struct fc_lives_does lives = {
	.tell = life,
	.waits = waits,
	.born = born,
	.go = go,
	.let_go = let_child_go,
};

/* ---- stops ---- */

/* Is the SIGTRAP a step's, and not the program's own? */
static bool is_step(int tid, enum cause *ret)
{
	static const struct {
		int code;
		enum cause cause;
	} steps[] = {
		{ TRAP_TRACE, BY_INSTRUCTION },
		{ TRAP_HWBKPT, BY_INSTRUCTION }, /* of the quiet beginning */
		{ TRAP_BRKPT, BY_SYSTEM_CALL },
		{ SIGTRAP, BY_SIGNAL },
	};
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, tid, 0, &info))
		return false;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (info.si_code == steps[i].code) {
			*ret = steps[i].cause;
			return true;
		}
	return false;
}

/* The begin of a call that changes the signal mask, or its end. */
static void on_mask_stop(struct thread *thread)
{
	int sig = 0;
	if (thread->nr_mask_stops && !--thread->nr_mask_stops) {
		sig = fc_trapmask_end(&thread->mask, thread->tracee.tid);
		on_step(thread, BY_SYSTEM_CALL);
	}
	resume(thread, sig);
}

static void on_signal(struct stepper *stepper, struct thread *thread, int sig)
{
	if (sig == MASK_STOP) {
		on_mask_stop(thread);
		return;
	}
	fc_suspend_signal(&stepper->job, &thread->tracee, sig);
	enum cause cause;
	bool is_ours =
		sig == SIGTRAP && space_of(thread) && is_step(thread->tracee.tid, &cause);
	bool is_held = sig == SIGTRAP && !is_ours &&
		       fc_trapmask_hold(&thread->mask, thread->tracee.tid);
	if (is_ours)
		on_step(thread, cause);
	else if (!is_held)
		thread->nr_mask_stops = 0; /* its handler comes first, and is stepped */
	fc_interrupted_by_signal(&thread->tracee, sig);
	resume(thread, is_ours || is_held ? 0 : sig);
}

/*
 * Tracing ends: let it go. A step's SIGTRAP that it has not taken yet would kill it then: that
 * stop comes first.
 */
static void on_last_stop(struct stepper *stepper, struct thread *thread, int event, int sig)
{
	enum cause cause;
	struct fc_status status;
	if (event && fc_status_read(thread->tracee.tid, &status) &&
	    status.pending & 1ull << (SIGTRAP - 1)) {
		ptrace(PTRACE_CONT, thread->tracee.tid, 0, 0);
		return;
	}
	if (event == PTRACE_EVENT_STOP && !fc_is_stop_signal(sig))
		fc_interrupted_by_stop(thread->tracee.tid);
	bool is_own = !event && sig != MASK_STOP &&
		      !(sig == SIGTRAP && is_step(thread->tracee.tid, &cause));
	let_go(stepper, thread, is_own ? sig : 0);
}

/* True: its group is stopped, and it stays so. */
static bool on_rest(struct stepper *stepper, struct thread *thread, int sig)
{
	bool is_stopped = fc_suspend_rest(&stepper->job, &thread->tracee, sig);
	if (is_stopped)
		ptrace(PTRACE_LISTEN, thread->tracee.tid, 0, 0);
	return is_stopped;
}

static void on_event(struct stepper *stepper, struct thread *thread, int event, int sig)
{
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		fc_lives_told(&stepper->lives, &thread->tracee, event);
		break;
	case PTRACE_EVENT_EXEC:
		on_exec(stepper, thread);
		break;
	case PTRACE_EVENT_EXIT:
		if (thread->quiet_until)
			on_quiet_end(stepper, thread);
		break;
	case PTRACE_EVENT_STOP:
		if (on_rest(stepper, thread, sig))
			return;
		break;
	}
	resume(thread, 0);
}

static void on_stop(struct stepper *stepper, int tid, int status)
{
	struct fc_tracee *tracee = fc_lives_stopped(&stepper->lives, tid, status);
	struct thread *thread = thread_of(tracee);
	int sig = WSTOPSIG(status), event = status >> 16;
	if (!tracee)
		return;
	if (stepper->is_ending)
		on_last_stop(stepper, thread, event, sig);
	else if (event)
		on_event(stepper, thread, event, sig);
	else
		on_signal(stepper, thread, sig);
}

static void on_status(struct stepper *stepper, int tid, int status)
{
	if (WIFSTOPPED(status)) {
		on_stop(stepper, tid, status);
		return;
	}
	if (tid == stepper->first_pid)
		stepper->wait_status = status;
	fc_lives_ended(&stepper->lives, tid, status);
}

/* ---- the loop ---- */

static void on_alarm(int sig)
{
	(void)sig;
	is_tick_due = true;
}

static void on_end(int sig)
{
	(void)sig;
	is_told_to_end = true;
}

/* The programs run on: each is let go at its next stop. */
static void end(struct stepper *stepper)
{
	stepper->is_ending = true;
	say(stepper, stepper->first_pid, "told to stop: the program goes on untraced");
	fc_tracees_each (&stepper->tracees, tracee)
		if (!fc_tracee_is_parked(tracee))
			ptrace(PTRACE_INTERRUPT, tracee->tid, 0, 0);
	fc_lives_adopt(&stepper->lives, 0);
}

static void tell_all(void *ctx)
{
	struct stepper *stepper = ctx;
	fc_shadows_flush(&stepper->shadows, fc_clock_tsc());
	fc_wells_take(stepper->session.opts->wells);
}

/* Ctrl-Z, fg and bg: what is due is due at a tick. */
static void look_at_job(struct stepper *stepper)
{
	static const struct timespec now;
	siginfo_t info;
	while (sigtimedwait(&stepper->job_signals, &info, &now) > 0)
		fc_suspend_told(&stepper->job, &info);
	fc_suspend_look(&stepper->job);
}

static void run(struct stepper *stepper)
{
	while (stepper->tracees.nr) {
		int status, tid = waitpid(-1, &status, __WALL);
		if (tid < 0 && errno != EINTR)
			return;
		if (tid > 0)
			on_status(stepper, tid, status);
		if (is_tick_due && !stepper->is_ending)
			look_at_job(stepper);
		if (is_tick_due || stepper->shadows.is_full) {
			is_tick_due = false;
			tell_all(stepper);
		}
		if (is_told_to_end && !stepper->is_ending)
			end(stepper);
	}
}

/* Without SA_RESTART: they end a wait. */
static void catch_signals(void)
{
	struct itimerval tick = { { 0, TICK_US }, { 0, TICK_US } };
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = on_alarm }, NULL);
	sigaction(SIGTERM, &(struct sigaction){ .sa_handler = on_end }, NULL);
	sigaction(SIGHUP, &(struct sigaction){ .sa_handler = on_end }, NULL);
	setitimer(ITIMER_REAL, &tick, NULL);
}

static void uncatch_signals(void)
{
	struct itimerval none = { 0 };
	setitimer(ITIMER_REAL, &none, NULL);
}

static int trace_program(struct stepper *stepper, const char *path, char *const *argv)
{
	unsigned long options =
		PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD;
	if (!stepper->session.opts->no_follow)
		options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
	stepper->has_breakpoints = fc_breakpoints_fire();
	if (stepper->has_breakpoints)
		options |= PTRACE_O_TRACEEXIT;
	struct fc_launch_signals signals;
	fc_launch_keep_signals(&signals);
	sigemptyset(&stepper->job_signals);
	fc_suspend_signals(false, &stepper->job_signals);
	sigprocmask(SIG_BLOCK, &stepper->job_signals, NULL);
	int err = fc_launch_start(&stepper->launch, path, argv, &signals, options);
	if (err)
		return err;
	int pid = stepper->first_pid = stepper->launch.pid;
	fc_tracee_add(&stepper->tracees, pid, fc_process_add(&stepper->tracees, pid));
	life(stepper, FC_LIFE_START, pid, pid, 0, 0, NULL);
	catch_signals();
	run(stepper);
	uncatch_signals();
	fc_suspend_end();
	fc_tracees_deinit(&stepper->tracees);
	fc_shadows_flush(&stepper->shadows, fc_clock_tsc());
	if (!stepper->is_started && !stepper->is_ending)
		return fc_launch_error(&stepper->launch, path);
	close(stepper->launch.error_fd);
	if (stepper->unseen_pid && !stepper->error)
		return fc_fail(EIO,
			       "process %d was not seen: it did not stop at the breakpoint "
			       "where its libraries are loaded; the debug registers of this "
			       "(virtual) machine do not work always",
			       stepper->unseen_pid);
	return stepper->error;
}

static int trace(struct stepper *stepper, const char *path, char *const *argv)
{
	struct fc_step_session *session = &stepper->session;
	int err = fc_wells_start(session->opts->wells, &session->numbers, session->tap);
	if (err)
		return err;
	err = trace_program(stepper, path, argv);
	fc_wells_stop(session->opts->wells);
	return err;
}

static int run_program(const struct fc_user_opts *opts, char *const *argv, struct fc_tap *tap,
		       int *wait_status)
{
	fc_auto_free char *path = NULL;
	int err = fc_launch_find_program(argv[0], &path);
	if (err)
		return err;
	struct stepper stepper = {
		.session = { .opts = opts,
			     .modules = { .numbers = &stepper.session.numbers,
					  .tap = tap,
					  .keeps_funcs = true },
			     .tap = tap,
			     .say = say },
		.shadows = { .tap = tap, .numbers = &stepper.session.numbers },
		.tracees = { .tracee_size = sizeof(struct thread),
			     .process_size = sizeof(struct program),
			     .forget = forget,
			     .forget_process = forget_process },
		.lives = { &stepper.tracees, &lives, &stepper, opts->no_follow },
		.job = { .tracees = &stepper.tracees,
			 .first_pid = &stepper.first_pid,
			 .is_ending = &stepper.is_ending,
			 .catch_up = tell_all,
			 .ctx = &stepper },
		.wait_status = -1,
	};
	stepper.session.ctx = &stepper;
	err = trace(&stepper, path, argv);
	*wait_status = stepper.wait_status;
	fc_modules_deinit(&stepper.session.modules);
	fc_said_deinit(&stepper.said);
	return err;
}

const struct fc_backend fc_step_backend = {
	.name = "step",
	.lacks = {
		[FC_WISH_ATTACH] = "--backend=step traces whole runs: it knows no -p",
		[FC_WISH_TIME] = "--backend=step traces whole runs: it knows no --for",
		[FC_WISH_OFF] = "--backend=step cannot be told to go on: it knows no --off, "
				"--on and --off-at",
		[FC_WISH_RING] = "--backend=step has no rings: it knows no --loss=ring",
		[FC_WISH_BUDGET] = "--backend=step takes its time: it knows no --budget",
		[FC_WISH_VALUES] = "--backend=step sees calls and returns: it knows no -a, -A, "
				   "-R and -U",
		[FC_WISH_KERNEL] = "--backend=step stops a program at each call: it knows no "
				   "--syscalls and no -k",
		[FC_WISH_COUNT] = "--backend=step sees each call by itself: it knows no --no-time",
	},
	.run = run_program,
};
