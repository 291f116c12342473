/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tracer: starts the program and follows it and its children by ptrace events, hooking
 * each program as it is executed. Between events the targets run; their calls reach the
 * drain without a stop.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/secrets/redactor.h"
#include "calls/wanted.h"
#include "capture/drain/weave/weave.h"
#include "capture/hook/off.h"
#include "capture/hook/remnant.h"
#include "capture/target/cave.h"
#include "capture/target/exe.h"
#include "capture/target/status.h"
#include "capture/user/attach.h"
#include "capture/user/command.h"
#include "capture/user/comms.h"
#include "capture/user/detach.h"
#include "capture/user/dropped.h"
#include "capture/user/events.h"
#include "capture/user/hold.h"
#include "capture/user/letters.h"
#include "capture/user/limits.h"
#include "capture/user/retry.h"
#include "capture/user/session.h"
#include "capture/user/sever.h"
#include "capture/user/moved.h"
#include "capture/user/throttle.h"
#include "capture/user/user.h"
#include "capture/user/watches.h"
#include "trace/clock.h"
#include "values/asked.h"

/* ---- the loop ---- */

#define WAKE_NS 8000000000ull /* less than a quarter of the reach of a record's tick at 5 GHz */

/* struct fc_shared's hold() and release(). */
static void hold_space(void *ctx, const struct fc_space *space, struct fc_standing *ret)
{
	enum { HOLD_MS = 500 };
	struct fc_tracer *tracer = ctx;
	int tid = 0;
	fc_hold_all(tracer, HOLD_MS, &tid);
	const struct fc_process *process = tracer->tracees.first;
	while (process && process->space != space)
		process = process->next;
	if (process)
		fc_standing_of(tracer, process, ret);
}

static void release(void *ctx)
{
	fc_release_all(ctx);
}

static void look_at_memory(struct fc_tracer *tracer)
{
	fc_limits_look(tracer);
	fc_dropped_look(tracer);
}

/* The next signal until then; 0: none has come. UINT64_MAX: for ever. */
static int signal_until(const struct fc_tracer *tracer, uint64_t until_ns, siginfo_t *info)
{
	uint64_t now = fc_clock_mono_ns(), ns = until_ns > now ? until_ns - now : 0;
	struct timespec left = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
	if (until_ns == UINT64_MAX)
		return sigwaitinfo(&tracer->signals, info);
	int sig = sigtimedwait(&tracer->signals, info, &left);
	return sig < 0 && errno == EAGAIN ? 0 : sig;
}

/*
 * A strand that nobody drains may pause for longer than a record's time reaches: its next hook
 * comes to the agent, which tells the full time if it was long.
 */
static void wake_strands(struct fc_tracer *tracer)
{
	tracer->wake_ns = fc_clock_mono_ns() + WAKE_NS;
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p->space)
			fc_space_wake_strands(p->space);
}

static uint64_t earliest(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool is_enough(const struct fc_tracer *tracer)
{
	const struct fc_user_opts *opts = tracer->shared.opts;
	return opts->is_enough && opts->is_enough(opts->ctx);
}

static bool is_ignored(int sig)
{
	struct sigaction action;
	return !sigaction(sig, NULL, &action) && action.sa_handler == SIG_IGN;
}

/*
 * While files are planned. Whom Ctrl-C is for, it is not to wait for that: the program that it
 * would end is held until then.
 */
static bool look_up(void *ctx, const struct fc_progress *progress)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	struct fc_tracer *tracer = ctx;
	const struct fc_user_opts *opts = tracer->shared.opts;
	sigset_t pending;
	if (opts->planning)
		opts->planning(opts->ctx, progress);
	sigpending(&pending);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigismember(&pending, signals[i]) == 1 && !is_ignored(signals[i]) &&
		    (!tracer->is_started || fc_tracer_heeds(tracer, signals[i])))
			return true;
	return false;
}

/*
 * What was asked for is not over: it may run on while another one traces it, and this process is
 * its parent.
 */
static bool has_child(const struct fc_tracer *tracer)
{
	return !tracer->is_attached && tracer->wait_status < 0;
}

/*
 * The next signal, or SIGCHLD when it is time to look at the targets for it; 0: the end that
 * was asked for has come.
 */
static int next_signal(struct fc_tracer *tracer, uint64_t end_ns, siginfo_t *info)
{
	struct fc_throttle *throttle = tracer->throttle;
	bool is_ring = tracer->shared.opts->loss == FC_LOSS_RING;
	if (tracer->is_ending)
		return signal_until(tracer, UINT64_MAX, info);
	struct fc_teller *teller = tracer->teller;
	uint64_t look_ns = throttle  ? fc_throttle_next_ns(throttle)
			   : teller  ? fc_teller_next_ns(teller)
			   : is_ring ? tracer->wake_ns
				     : UINT64_MAX;
	uint64_t late_ns = fc_retry_next_ns(tracer);
	uint64_t rights_ns = fc_sever_next_ns(tracer);
	uint64_t drops_ns = fc_dropped_next_ns(tracer);
	uint64_t names_ns = fc_comms_next_ns(tracer);
	uint64_t other_ns = earliest(earliest(earliest(late_ns, rights_ns), names_ns),
				     earliest(drops_ns, fc_suspend_next_ns(&tracer->job)));
	int sig = signal_until(tracer, earliest(earliest(look_ns, end_ns), other_ns), info);
	uint64_t now_ns = fc_clock_mono_ns();
	if (now_ns >= late_ns)
		fc_retry_late(tracer);
	if (now_ns >= rights_ns)
		fc_sever_changed(tracer);
	if (now_ns >= names_ns)
		fc_comms_look(tracer);
	if (now_ns >= drops_ns)
		look_at_memory(tracer);
	if (now_ns >= other_ns)
		return !sig && fc_clock_mono_ns() < end_ns ? SIGCHLD : sig;
	if (fc_clock_mono_ns() < look_ns)
		return sig;
	if (is_ring)
		wake_strands(tracer);
	else if (teller)
		fc_teller_look(teller);
	else
		fc_throttle_look(throttle, tracer);
	if (!sig && is_enough(tracer))
		return 0;
	/* To stop all threads, it may have taken the signal of a target's end. */
	return sig ? sig : SIGCHLD;
}

/*
 * By somebody: not the kernel's SIGCHLD, nor the drain's SIGUSR1 for a letter, whose SI_TKILL
 * glibc makes SI_USER.
 */
static bool is_sent_to_dump(const struct fc_tracer *tracer, int sig, const siginfo_t *info)
{
	return sig > 0 && (info->si_code == SI_USER || info->si_code == SI_QUEUE) &&
	       info->si_pid != getpid() &&
	       sigismember(&tracer->shared.opts->dump_on.signals, sig) == 1;
}

static void catch_up(void *ctx)
{
	enum { CATCH_UP_MS = 1000 };
	const struct fc_tracer *tracer = ctx;
	fc_drain_catch_up(tracer->shared.drain, CATCH_UP_MS);
}

static void told_of_job(struct fc_tracer *tracer, const siginfo_t *info)
{
	fc_suspend_told(&tracer->job, info);
	if (tracer->is_attached && info->si_signo != SIGCONT)
		fc_tracer_say(tracer, tracer->first_pid,
			      "not stopped by Ctrl-Z: what it has attached to would wait "
			      "for it; Ctrl-C lets that go, fctrace ctl %d off records "
			      "nothing for a while",
			      tracer->first_pid);
}

/* Until nothing is left to be traced, or tracing is to end. */
static void run(struct fc_tracer *tracer)
{
	uint64_t for_ns = tracer->shared.opts->for_ns;
	uint64_t end_ns = for_ns ? fc_clock_mono_ns() + for_ns : UINT64_MAX;
	while (fc_events_serve(tracer) && (tracer->tracees.nr || has_child(tracer))) {
		siginfo_t info = { 0 };
		fc_suspend_look(&tracer->job);
		int sig = next_signal(tracer, end_ns, &info);
		if (sig == SIGUSR1) {
			fc_letters_serve(tracer);
			fc_command_serve(tracer);
		}
		if (sig == SIGCONT || fc_is_stop_signal(sig))
			told_of_job(tracer, &info);
		if (is_sent_to_dump(tracer, sig, &info))
			fc_tracer_dump(tracer, "SIG%s came to fctrace", sigabbrev_np(sig));
		if (!sig || fc_tracer_heeds(tracer, sig)) {
			tracer->is_ending = true;
			tracer->was_told = sig;
			return;
		}
	}
}

/* What is asked before all is hooked waits until then. */
static void listen_to_users(struct fc_tracer *tracer)
{
	if (fc_control_start(&tracer->control))
		fc_tracer_say(tracer, tracer->first_pid, "%s", fc_fail_text());
}

static void stop_listening(struct fc_tracer *tracer)
{
	fc_control_stop(fc_take(tracer->control));
}

/* Options of ptrace that make children traced from their first instruction. */
static unsigned long ptrace_options(const struct fc_user_opts *opts)
{
	/* With no_follow, too: what is let go may share memory, and needs %gs of its own. */
	unsigned long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
				PTRACE_O_TRACESYSGOOD;
	return opts->no_follow ? options : options | PTRACE_O_TRACEVFORK;
}

static bool has_scope(const struct fc_modules *modules)
{
	for (struct fc_module *m = modules->first; m; m = m->next)
		if (m->scope != FC_SCOPE_CONTROL)
			return true;
	return false;
}

/* It is over, and by what was asked nothing could be seen of it. */
static void say_unseen(struct fc_tracer *tracer)
{
	const struct fc_user_opts *opts = tracer->shared.opts;
	bool has_probes = opts->values && opts->values->probes;
	if (opts->modules && !opts->wells && !has_probes && !has_scope(&tracer->shared.modules))
		fc_tracer_say(tracer, tracer->first_pid,
			      "-m %s: no file that matches was loaded, or --libs leaves it "
			      "out: nothing was hooked",
			      opts->modules[0]);
	else if (opts->is_off && !tracer->shared.was_on)
		fc_tracer_say(tracer, tracer->first_pid,
			      "--off: nothing was recorded; fctrace ctl PID on begins it");
}

static void forget_process(struct fc_process *process)
{
	fc_space_put(fc_take(process->space));
	process->cave = 0;
}

static void begin(struct fc_tracer *tracer, const struct fc_user_opts *opts, struct fc_tap *tap,
		  bool is_attached, struct fc_launch_signals *launch)
{
	static const int mine[] = { SIGCHLD, SIGUSR1, SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct fc_redactor *redactor =
		opts->masks ? fc_redactor_create(opts->masks, tap) : NULL;
	tap = redactor ? fc_redactor_tap(redactor) : tap;
	struct fc_weave *weave =
		opts->wells ? fc_weave_create(&tracer->shared.numbers, tap) : NULL;
	struct fc_queue *queue = fc_queue_create(weave ? fc_weave_tap(weave) : tap);
	*tracer = (struct fc_tracer){
		.redactor = redactor,
		.weave = weave,
		.queue = queue,
		.shared = { .opts = opts,
			    .tap = fc_queue_tap(queue),
			    .modules = { .numbers = &tracer->shared.numbers,
					 .tap = fc_queue_tap(queue),
					 .dump_on = &opts->dump_on,
					 .turns = &opts->turns,
					 .asked = opts->values,
					 .marks = opts->marks,
					 .only = opts->only,
					 .progress = { .look = look_up, .ctx = tracer },
					 .cache = opts->no_cache || opts->only
							  ? NULL
							  : fc_cache_open() },
			    .ptrace_options = ptrace_options(opts),
			    .hold = hold_space,
			    .release = release,
			    .hold_ctx = tracer },
		.tracees.forget_process = forget_process,
		.is_attached = is_attached,
		.lives = { &tracer->tracees, &fc_events_lives, tracer, opts->no_follow },
		.wait_status = -1,
		.take = fc_events_take,
		.job = { .tracees = &tracer->tracees,
			 .first_pid = &tracer->first_pid,
			 .is_ending = &tracer->is_ending,
			 .is_attached = is_attached,
			 .catch_up = catch_up,
			 .ctx = tracer },
	};
	fc_watches_measure(tracer);
	tracer->shared.is_off = opts->is_off;
	tracer->shared.nr_counters = opts->counting == FC_COUNT_EDGES ? FCA_EDGES_WORDS
				     : opts->counting		      ? FCA_NR_COUNTERS
								      : 0;
	fc_filter_info_copy(&tracer->filter, &opts->filter);
	sigemptyset(&tracer->signals);
	for (size_t i = 0; i < sizeof(mine) / sizeof(mine[0]); i++)
		sigaddset(&tracer->signals, mine[i]);
	fc_suspend_signals(is_attached, &tracer->signals);
	sigorset(&tracer->signals, &tracer->signals, &opts->dump_on.signals);
	fc_launch_keep_signals(launch);
	sigprocmask(SIG_BLOCK, &tracer->signals, NULL);
}

/* Why, of whom, and what would help. */
static void say_lost(struct fc_tracer *tracer, const uint64_t lost_by[FCA_NR_LOST])
{
	static const char *const why[FCA_NR_LOST] = {
		[FCA_LOST_FULL] = "of threads whose rings were full (--loss=drop); a larger "
				  "--ring keeps more",
		[FCA_LOST_QUIET] =
			"under a seccomp filter or syscall user dispatch: of threads, "
			"processes and stacks that began there, and of signal handlers",
		[FCA_LOST_BLIND] = "after the program forbade itself to read the clock",
		[FCA_LOST_NO_RING] =
			"of threads that found no ring free; with a smaller --ring "
			"there are more",
		[FCA_LOST_DEEP] = "so far down on stacks that fctrace has no room to follow",
	};
	/* Else a full ring is waited for, as long as somebody reads it. */
	static const char not_read[] =
		"of calls that were made when fctrace had stopped reading";
	bool may_drop = tracer->shared.opts->loss == FC_LOSS_DROP;
	for (int i = 0; i < FCA_NR_LOST; i++)
		if (lost_by[i])
			fc_tracer_say(tracer, tracer->first_pid, "%llu record%s lost %s",
				      (unsigned long long)lost_by[i],
				      lost_by[i] == 1 ? " was" : "s were",
				      i == FCA_LOST_FULL && !may_drop ? not_read : why[i]);
}

static void end(struct fc_tracer *tracer)
{
	fc_suspend_end();
	if (tracer->is_started && tracer->shared.modules.first) {
		fc_watches_say_never(tracer);
		fc_retry_say(tracer);
		say_unseen(tracer);
	}
	fc_tracees_deinit(&tracer->tracees);
	fc_vec_each (&tracer->lent, space)
		fc_space_put(*space);
	fc_vec_free(&tracer->lent);
	fc_vec_free(&tracer->executed);
	fc_vec_free(&tracer->dying);
	fc_vec_free(&tracer->moved);
	fc_dropped_deinit(tracer);
	uint64_t lost_by[FCA_NR_LOST] = { 0 };
	if (tracer->shared.drain) /* the tap keeps its own error */
		fc_drain_stop(tracer->shared.drain, lost_by);
	say_lost(tracer, lost_by);
	fc_throttle_destroy(tracer->throttle);
	fc_teller_destroy(tracer->teller);
	fc_queue_destroy(tracer->queue);
	fc_weave_destroy(tracer->weave);
	fc_redactor_destroy(tracer->redactor);
	fc_modules_deinit(&tracer->shared.modules);
	fc_vec_free(&tracer->shared.late.funcs);
	fc_filter_info_deinit(&tracer->filter);
	fc_said_deinit(&tracer->shared.said);
}

/* Nothing of fctrace's is to stay in what lives on. */
static void leave(struct fc_tracer *tracer)
{
	fc_moved_let_go(tracer);
	fc_comms_look(tracer);
	if (fc_detach_all(tracer))
		fc_tracer_say(tracer, tracer->first_pid, "%s", fc_fail_text());
}

/* What could not be let go is followed on, and the program's end waited for. */
static void wait_for_end(struct fc_tracer *tracer)
{
	while (tracer->wait_status < 0 && fc_events_serve(tracer)) {
		int sig = sigwaitinfo(&tracer->signals, NULL);
		if (sig == SIGTERM || sig == SIGHUP)
			return;
		if (fc_is_stop_signal(sig))
			fc_suspend_self(sig);
	}
}

static void planned(void *ctx, const struct fc_module *module)
{
	struct fc_tracer *tracer = ctx;
	fc_drain_set_funcs(tracer->shared.drain, tracer->shared.numbers.funcs + 1);
	if (tracer->throttle)
		fc_throttle_add(tracer->throttle, module);
}

static int start_drain(struct fc_tracer *tracer)
{
	struct fc_shared *shared = &tracer->shared;
	struct fc_tap *tap = shared->tap;
	if (shared->opts->budget > 0) {
		tracer->throttle = fc_throttle_create(shared->opts->budget, shared->nr_counters,
						      shared->opts->tell_ns, tap);
		tap = fc_throttle_tap(tracer->throttle);
		shared->switch_stubs = fc_throttle_switch;
		shared->switch_ctx = tracer->throttle;
	}
	int err = fc_drain_start(tap, &shared->numbers, shared->opts->ring_bytes,
				 shared->nr_counters, shared->opts->wells, &shared->drain);
	if (err)
		return err;
	if (shared->opts->is_off)
		fc_wells_turn_on(shared->opts->wells, false);
	shared->modules.planned = planned;
	shared->modules.ctx = tracer;
	if (shared->opts->tell_ns && !tracer->throttle)
		tracer->teller = fc_teller_create(shared->drain, shared->nr_counters, tap,
						  shared->opts->tell_ns);
	return 0;
}

static int trace(struct fc_tracer *tracer, const char *path, char *const *argv,
		 const struct fc_launch_signals *launch)
{
	int err = fc_launch_start(&tracer->launch, path, argv, launch,
				  tracer->shared.ptrace_options);
	if (err)
		return err;
	int pid = tracer->launch.pid;
	tracer->first_pid = pid;
	err = start_drain(tracer);
	if (err) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, __WALL);
		return err;
	}
	struct fc_process *process = fc_process_add(&tracer->tracees, pid);
	fc_tracee_add(&tracer->tracees, pid, process);
	fc_tracer_life(tracer, FC_LIFE_START, pid, pid, 0, 0, NULL);
	listen_to_users(tracer);
	run(tracer);
	stop_listening(tracer);
	if (tracer->is_ending) {
		leave(tracer);
		if (tracer->was_told)
			fc_tracer_say(tracer, pid,
				      "told to stop: the program goes on untraced");
		else
			wait_for_end(tracer);
	}
	if (!tracer->is_started && !tracer->is_ending)
		err = fc_launch_error(&tracer->launch, path);
	else
		close(tracer->launch.error_fd);
	return err ? err : tracer->error;
}

static int run_program(const struct fc_user_opts *opts, char *const *argv, struct fc_tap *tap,
		       int *wait_status)
{
	fc_auto_free char *path = NULL;
	int err = fc_launch_find_program(argv[0], &path);
	if (err)
		return err;
	struct fc_tracer tracer;
	struct fc_launch_signals launch;
	begin(&tracer, opts, tap, false, &launch);
	err = trace(&tracer, path, argv, &launch);
	*wait_status = tracer.wait_status;
	end(&tracer);
	if (tracer.was_told)
		fc_suspend_stay(&tracer.job, &tracer.signals);
	return err;
}

/* ---- processes that run already ---- */

static int attach_to(const struct fc_user_opts *opts, const int *pids, size_t nr_pids,
		     struct fc_tap *tap)
{
	struct fc_tracer tracer;
	struct fc_launch_signals launch;
	begin(&tracer, opts, tap, true, &launch);
	tracer.is_started = true;
	tracer.first_pid = pids[0];
	int err = start_drain(&tracer);
	if (!err)
		listen_to_users(&tracer);
	for (size_t i = 0; i < nr_pids && !err; i++)
		err = fc_attach_seize(&tracer, pids[i]);
	if (!err)
		err = fc_attach_all(&tracer);
	if (!err)
		fc_watches_say_missing(&tracer, NULL);
	if (!err)
		run(&tracer);
	stop_listening(&tracer);
	tracer.is_ending = true;
	fc_auto_free char *why = err ? fc_strdup(fc_fail_text()) : NULL;
	leave(&tracer);
	end(&tracer);
	return err ? fc_fail(-err, "%s", why) : 0;
}

const struct fc_backend fc_user_backend = {
	.name = "patch",
	.run = run_program,
	.attach = attach_to,
};

static int ignore_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	return 0;
}

static int ignore_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	return 0;
}

static int ignore_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	return 0;
}

static bool is_fctrace(int pid)
{
	char path[FC_EXE_PATH];
	fc_exe_path(pid, path);
	const char *slash = strrchr(path, '/');
	return slash && !strncmp(slash + 1, "fctrace", 7);
}

/* By Ctrl-Z, that is, or by SIGSTOP: it does nothing until it goes on. */
static bool is_stopped(int controller)
{
	struct fc_status status;
	return fc_status_read(controller, &status) && status.state == 'T';
}

/* SIGTERM makes it let go of all its targets, in order. */
static int tell_to_detach(int pid, int controller)
{
	enum { PATIENCE_MS = 15000, STEP_MS = 5 };
	struct fc_status status;
	if (kill(controller, SIGTERM))
		return fc_fail(errno, "cannot tell fctrace (process %d) to detach: %s",
			       controller, strerror(errno));
	for (int ms = 0; ms < PATIENCE_MS && !is_stopped(controller); ms += STEP_MS) {
		if (!fc_status_read(fc_living_thread(pid), &status) ||
		    status.tracer != controller)
			return 0;
		nanosleep(&(struct timespec){ .tv_nsec = STEP_MS * 1000 * 1000 }, NULL);
	}
	if (is_stopped(controller))
		return fc_fail(EBUSY,
			       "fctrace (process %d) is stopped: it detaches from process %d "
			       "as soon as it goes on (fg, or kill -CONT %d)",
			       controller, pid, controller);
	return fc_fail(EBUSY,
		       "fctrace (process %d) was told to detach from process %d, but has "
		       "not yet",
		       controller, pid);
}

static int tidy_up(const struct fc_user_opts *opts, int pid)
{
	struct fc_tap silent = { .module = ignore_module,
				 .map = ignore_map,
				 .life = ignore_life };
	struct fc_tracer tracer;
	struct fc_launch_signals launch;
	struct fc_remnant remnant;
	fc_auto_close int mem_fd = fc_remote_open(pid);
	if (mem_fd < 0)
		return mem_fd;
	int found = fc_remnant_find(pid, mem_fd, &remnant);
	if (found == -EBADMSG)
		return fc_fail_while(found, "process %d", pid);
	if (found && !fc_cave_left(pid, mem_fd))
		return fc_fail(ENOENT, "process %d: there is nothing of fctrace in it", pid);
	fc_remnant_deinit(&remnant);
	begin(&tracer, opts, &silent, true, &launch);
	tracer.is_started = tracer.is_ending = true;
	tracer.first_pid = pid;
	int err = fc_attach_seize(&tracer, pid);
	fc_auto_free char *why = err ? fc_strdup(fc_fail_text()) : NULL;
	int left = fc_detach_all(&tracer);
	end(&tracer);
	return err ? fc_fail(-err, "%s", why) : left;
}

int fc_user_detach(const struct fc_user_opts *opts, int pid)
{
	struct fc_status status;
	if (!fc_status_read(fc_living_thread(pid), &status))
		return fc_fail(ESRCH, "there is no process %d", pid);
	if (status.tracer && is_fctrace(status.tracer))
		return tell_to_detach(pid, status.tracer);
	return tidy_up(opts, pid);
}

/* Whose program cannot be looked at has at least a name. */
static bool may_be_fctrace(int pid)
{
	struct fc_status status;
	return is_fctrace(pid) ||
	       (fc_status_read(pid, &status) && !strcmp(status.name, "fctrace"));
}

static int find_controller(int pid, int *ret)
{
	struct fc_status status;
	if (!fc_status_read(fc_living_thread(pid), &status))
		return fc_fail(ESRCH, "there is no process %d", pid);
	*ret = status.tracer ? status.tracer : pid;
	if (may_be_fctrace(*ret))
		return 0;
	if (status.tracer)
		return fc_fail(ESRCH,
			       "process %d is traced, but not by fctrace (by process %d)", pid,
			       status.tracer);
	return fc_fail(ESRCH, "process %d is not traced by fctrace; fctrace -p %d does that",
		       pid, pid);
}

static int ask(int pid, bool is_own, const char *words, size_t size, int *status, char **answer)
{
	int controller = 0;
	int err = find_controller(pid, &controller);
	if (!err && is_stopped(controller))
		return fc_fail(EBUSY,
			       "fctrace (process %d) is stopped: ask it when it goes on (fg, "
			       "or kill -CONT %d)",
			       controller, controller);
	return err ? err : fc_control_ask(controller, is_own, words, size, status, answer);
}

int fc_user_ask(int pid, const char *words, size_t size, int *status, char **answer)
{
	return ask(pid, false, words, size, status, answer);
}

int fc_user_ask_own(int pid, const char *words, size_t size, int *status, char **answer)
{
	return ask(pid, true, words, size, status, answer);
}
