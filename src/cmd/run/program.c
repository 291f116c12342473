/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.c - starts or attaches to programs with the chosen backend, and exits as they exit.
 */
#include "cmd/run/program.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calls/wanted.h"
#include "capture/drain/weave/joined.h"
#include "capture/kernel/kernel.h"
#include "capture/switch/perf_switches.h"
#include "capture/syscall/stops.h"
#include "capture/syscall/syscalls.h"
#include "capture/kernel/tasks/kthreads.h"
#include "cmd/out/say.h"
#include "cmd/view/planning.h"
#include "values/asked.h"

enum { STRING_SIZE = 32 }; /* as strace has it */

static void do_nothing(int sig)
{
}

/*
 * Ctrl-C and a closed pipe are the program's to answer. Caught, not ignored: what is ignored
 * would stay so in the program, what is caught starts there with its default.
 */
static void leave_signals_to_program(void)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGPIPE };
	struct sigaction old, nothing = { .sa_handler = do_nothing, .sa_flags = SA_RESTART };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &nothing, NULL);
	}
}

void fc_program_start_clock(const struct fc_settings *settings, struct fc_clock *clock)
{
	struct timespec a_while = { .tv_nsec = 20 * 1000 * 1000 };

	fc_clock_start(clock);
	if (!settings->min_ns)
		return;
	/* -t is counted in ticks from the first call on. */
	nanosleep(&a_while, NULL);
	fc_clock_calibrate(clock);
}

static void say(void *ctx, const char *sentence)
{
	fc_say("%s", sentence);
}

int fc_program_failure(int err)
{
	switch (err) {
	case -ENOENT:
		return FC_STATUS_NOT_FOUND;
	case -EACCES:
	case -ENOEXEC:
	case -ENOTSUP:
	case -EISDIR:
		return FC_STATUS_NOT_PROGRAM;
	default:
		return FC_STATUS_FAILED;
	}
}

/* The globs of one option, more, and those that conditions need. */
static char **add_asked(const struct fc_settings *settings, char **globs, char **more)
{
	char **ret = NULL;
	for (; globs && *globs; globs++)
		fc_globs_push(&ret, *globs);
	for (char **glob = settings->asked_globs; glob && *glob; glob++)
		fc_globs_push(&ret, *glob);
	for (; more && *more; more++)
		fc_globs_push(&ret, *more);
	return ret;
}

/* The default length of strings: a condition must see enough to compare. */
static uint32_t string_size(const struct fc_settings *settings)
{
	return settings->asked_size > STRING_SIZE ? settings->asked_size : STRING_SIZE;
}

/* How much of values is recorded, whoever fetches them. */
static struct fc_fetch_opts fetch_opts(const struct fc_settings *settings)
{
	return (struct fc_fetch_opts){
		.string_size = fc_count_or(settings->string_size, string_size(settings)),
		.depth = fc_count_or(settings->value_depth, 1),
		.has_paths = settings->paths,
		.masks = { settings->masks, settings->unmask },
	};
}

/* The masks of secrets; NULL: no values are recorded. */
static const struct fc_masks *masks_of(const struct fc_settings *settings)
{
	static struct fc_masks masks; /* of the one command that a process runs */
	masks = fetch_opts(settings).masks;
	bool has_any = fc_settings_has_values(settings) || fc_settings_has_syscalls(settings);
	return has_any ? &masks : NULL;
}

static uint8_t program_heard; /* enum fc_values_heard */

/* Which values to record; NULL: none. */
static const struct fc_values_asked *values_asked(const struct fc_settings *settings)
{
	static struct fc_values_asked asked; /* of the one command that a process runs */
	if (!fc_settings_has_values(settings))
		return NULL;
	fc_globs_free(asked.args);
	fc_globs_free(asked.results);
	free(asked.args_heard);
	free(asked.probes_heard);
	free(asked.results_heard);
	asked = (struct fc_values_asked){
		/* A failed call is shown with its arguments. */
		.is_all = settings->all_values ||
			  (settings->only_failed && !settings->args && !settings->results),
		.args = add_asked(settings, settings->args, settings->more_args),
		.results = add_asked(settings, settings->results, settings->more_results),
		.fetch = fetch_opts(settings),
	};
	asked.protos = settings->protos;
	asked.nr_protos = settings->nr_protos;
	asked.last_protos = settings->lock_types;
	asked.arg_specs = settings->arg_specs.at;
	asked.nr_arg_specs = settings->arg_specs.nr;
	asked.result_specs = settings->result_specs.at;
	asked.nr_result_specs = settings->result_specs.nr;
	asked.probes = settings->probes;
	asked.probes_heard = fc_alloc(fc_globs_nr(asked.probes) + 1);
	asked.args_heard = fc_alloc(fc_globs_nr(asked.args) + 1);
	asked.results_heard = fc_alloc(fc_globs_nr(asked.results) + 1);
	asked.program_heard = &program_heard;
	return &asked;
}

/* Of marks, where no values are asked for. NULL: calls are only counted, and marks are not. */
static const struct fc_values_asked *marks_asked(const struct fc_settings *settings)
{
	static struct fc_values_asked asked; /* of the one command that a process runs */
	asked.fetch = fetch_opts(settings);
	return settings->edges || settings->no_time ? NULL : &asked;
}

static void say_unheard(char option, char *const *globs, const uint8_t *heard)
{
	const char *what = option == 'A' ? "arguments" : "result";
	for (size_t i = 0; globs && globs[i]; i++)
		if (!heard[i])
			fc_say("-%c %s: no function of that name was hooked; fctrace list "
			       "shows the names of a program's functions",
			       option, globs[i]);
		else if (heard[i] == FC_HEARD_PROBE)
			fc_say("-%c %s: this is a static probe: -U shows its arguments, and "
			       "--proto says what they are",
			       option, globs[i]);
		else if (!(heard[i] & FC_HEARD_VALUES))
			fc_say("-%c %s: nothing is known of the %s: compile with -g, declare "
			       "the function in a file for --proto, or say -%c '%s@%s'",
			       option, globs[i], what, option, globs[i],
			       option == 'A' ? "arg1,arg2/s" : "retval");
}

/* Values that were asked for, and of which nothing was known. */
static void say_all_unheard(const struct fc_settings *settings,
			    const struct fc_values_asked *asked)
{
	if (!asked)
		return;
	for (size_t i = 0; settings->probes && settings->probes[i]; i++)
		if (!asked->probes_heard[i])
			fc_say("-U %s: no such static probe was found; fctrace list --probes "
			       "FILE shows those of a program or a library",
			       settings->probes[i]);
	say_unheard('A', settings->args, asked->args_heard);
	say_unheard('R', settings->results, asked->results_heard);
	if (settings->all_values && program_heard == FC_HEARD_FUNCTION)
		fc_say("-a: nothing is known of the program's own functions: it has no debug "
		       "information (compile it with -g, or declare them in a file for "
		       "--proto)");
}

/* --no-functions: of no file any. */
static char **modules_of(const struct fc_settings *settings)
{
	static char nothing[] = "", *none[] = { nothing, NULL };
	return settings->no_functions ? none : settings->modules;
}

/* With a flight recorder also the program itself asks for dumps: FCTRACE_DUMP() of include/fctrace.h. */
static struct fc_dump_on dump_on(const struct fc_settings *settings)
{
	static struct fc_dump_func
		funcs[FCA_MAX_WATCHES]; /* of the one command that a process runs */
	static char marks[] = "fctrace_dump:*";
	struct fc_dump_on ret = settings->dump_on;
	if (settings->loss != FC_LOSS_RING || ret.nr_funcs == FCA_MAX_WATCHES)
		return ret;
	if (ret.nr_funcs)
		memcpy(funcs, ret.funcs, ret.nr_funcs * sizeof(*funcs));
	funcs[ret.nr_funcs++] = (struct fc_dump_func){ .glob = marks, .is_own = true };
	ret.funcs = funcs;
	return ret;
}

struct fc_user_opts fc_program_opts(const struct fc_settings *settings)
{
	return (struct fc_user_opts){
		.libs = settings->libs,
		.loss = settings->loss,
		.counting = settings->edges	? FC_COUNT_EDGES
			    : settings->no_time ? FC_COUNT_ONLY
			    : settings->budget	? FC_COUNT_SWITCHED
						: FC_COUNT_NEVER,
		.budget = settings->budget,
		.ring_bytes = settings->ring_bytes,
		.dump_on = dump_on(settings),
		.turns = { settings->turned_on, settings->turned_off },
		.modules = modules_of(settings),
		.only = settings->only_globs,
		.values = values_asked(settings),
		.marks = marks_asked(settings),
		.masks = masks_of(settings),
		.no_follow = settings->no_follow,
		.no_cache = settings->no_cache,
		.perf_map = settings->perf_map,
		.is_off = settings->off,
		.for_ns = settings->for_ns,
		.filter = { .only = settings->only,
			    .except = settings->except,
			    .depth = settings->depth,
			    .min_ns = settings->min_ns },
		.say = say,
		.planning = fc_planning_show,
	};
}

/* Of which of the kernel's functions: those that are named, or all of a short list; NULL: of none. */
static char *const *kernel_values(const struct fc_settings *settings, char *const *named,
				  bool is_all)
{
	static char *const all[] = { "*", NULL };
	return !named && is_all && settings->kernel.only ? all : named;
}

static int open_kernel_as(const struct fc_settings *settings, bool with_functions,
			  struct fc_kernel **ret)
{
	const struct fc_kernel_settings *asked = &settings->kernel;
	bool fails = settings->all_values || settings->only_failed;
	const struct fc_kernel_opts opts = {
		.syscalls = asked->syscalls_only,
		.whom = asked->kthreads	   ? FC_KERNEL_THREADS
			: asked->all_tasks ? FC_KERNEL_ALL
					   : FC_KERNEL_PROGRAMS,
		.with_functions = with_functions,
		.with_waits = !asked->no_waits,
		.depth = asked->depth,
		.only = asked->only,
		.except = asked->except,
		.from = asked->from,
		.args = kernel_values(settings, asked->args, settings->all_values),
		.results = kernel_values(settings, asked->results, fails),
		.all_args = settings->all_values,
		.all_results = fails,
		.is_unasked = asked->is_unasked,
		.say = say
	};
	return fc_kernel_open(&opts, ret);
}

/* What is recorded beside the program's functions; NULL: it is not, or not that way. */
struct beside {
	struct fc_fetch_opts fetch; /* of the stops */
	struct fc_kernel *kernel;
	struct fc_stops *stops;
	struct fc_switches *switches;
	struct fc_joined *joined;	    /* of both */
	struct fc_well *both[3], *wells[2]; /* they end with NULL */
};

/* Anybody may stop a program that is traced anyway. The sentence of tracefs is there. */
static void open_stops(const struct fc_settings *settings, struct beside *ret)
{
	fc_say("system calls are seen by ptrace, which adds some 20 us to each: %s",
	       fc_fail_text());
	ret->stops = fc_stops_create(settings->kernel.syscalls_only, &ret->fetch);
}

static void open_syscalls(const struct fc_settings *settings, struct beside *ret)
{
	enum fc_syscalls_by by = settings->kernel.by;
	if (by == FC_SYSCALLS_BY_PTRACE)
		ret->stops = fc_stops_create(settings->kernel.syscalls_only, &ret->fetch);
	else if (!open_kernel_as(settings, false, &ret->kernel))
		return;
	else if (by == FC_SYSCALLS_BY_TRACEFS)
		fc_say("--syscalls shows no system calls here: %s", fc_fail_text());
	else
		open_stops(settings, ret);
}

/*
 * What the kernel does, too, if it is asked for; what cannot be had is said. -EINVAL with a sentence: it
 * cannot be as it is asked for.
 */
static int open_calls(const struct fc_settings *settings, struct beside *ret)
{
	int err = fc_syscalls_check(settings->kernel.syscalls_only);
	if (err)
		return err;
	if (!fc_settings_has_kernel_funcs(settings)) {
		if (settings->kernel.syscalls)
			open_syscalls(settings, ret);
		return 0;
	}
	err = open_kernel_as(settings, true, &ret->kernel);
	if (!err || err == -EINVAL)
		return err;
	fc_say("no functions of the kernel are shown: %s", fc_fail_text());
	if (!open_kernel_as(settings, false, &ret->kernel))
		fc_say("system calls are shown");
	else
		open_stops(settings, ret);
	return 0;
}

/* The kernel's tracing tells of switches itself. */
static int open_beside(const struct fc_settings *settings, struct beside *ret)
{
	int err = open_calls(settings, ret);
	if (!err && settings->kernel.waits && !ret->kernel &&
	    fc_switches_open(say, NULL, &ret->switches))
		fc_say("--waits does not show when threads are off the CPU: %s",
		       fc_fail_text());
	return err;
}

/* NULL: there is nothing beside. */
static struct fc_well *const *wells_of(struct beside *beside)
{
	struct fc_well *calls = beside->kernel	? fc_kernel_well(beside->kernel)
				: beside->stops ? fc_stops_well(beside->stops)
						: NULL;
	beside->wells[0] = calls;
	if (beside->switches)
		beside->wells[0] = fc_switches_well(beside->switches);
	if (calls && beside->switches) {
		beside->both[0] = calls;
		beside->both[1] = fc_switches_well(beside->switches);
		beside->joined = fc_joined_create(beside->both);
		beside->wells[0] = fc_joined_well(beside->joined);
	}
	return beside->wells[0] ? beside->wells : NULL;
}

static void close_beside(struct beside *beside)
{
	fc_joined_destroy(beside->joined);
	fc_kernel_close(beside->kernel);
	fc_stops_destroy(beside->stops);
	fc_switches_close(beside->switches);
}

/* The same without a program: there is nothing else to be shown. */
static int open_kernel_alone(const struct fc_settings *settings, struct fc_kernel **ret)
{
	int err = fc_syscalls_check(settings->kernel.syscalls_only);
	if (!err)
		err = fc_kthreads_check("/proc", settings->kernel.kthreads);
	if (!err)
		err = open_kernel_as(settings, fc_settings_has_kernel_funcs(settings), ret);
	/* As an error of fctrace's own: no program is concerned. */
	return err ? -EINVAL : 0;
}

bool fc_program_run_as(const struct fc_settings *settings, const struct fc_user_opts *opts,
		       char **argv, struct fc_tap *tap, int *wait_status, int *status)
{
	leave_signals_to_program();
	*wait_status = -1;
	const struct fc_backend *backend = fc_settings_backend(settings);
	struct beside beside = { .fetch = fetch_opts(settings) };
	bool has_tasks = fc_settings_has_tasks(settings);
	int err = has_tasks ? open_kernel_alone(settings, &beside.kernel)
			    : open_beside(settings, &beside);
	struct fc_user_opts with_beside = *opts;
	with_beside.wells = wells_of(&beside);
	with_beside.kthreads = settings->kernel.kthreads;
	if (!err)
		err = settings->nr_pids ? backend->attach(&with_beside, settings->pids,
							  settings->nr_pids, tap)
					: backend->run(&with_beside, argv, tap, wait_status);
	close_beside(&beside);
	if (!err) {
		say_all_unheard(settings, opts->values);
		return true;
	}
	fc_say("%s", fc_fail_text());
	*status = fc_program_failure(err);
	return false;
}

bool fc_program_run(const struct fc_settings *settings, char **argv, struct fc_tap *tap,
		    int *wait_status, int *status)
{
	struct fc_user_opts opts = fc_program_opts(settings);
	return fc_program_run_as(settings, &opts, argv, tap, wait_status, status);
}

int fc_program_end(const struct fc_settings *settings, int wait_status)
{
	if (settings->nr_pids || fc_settings_has_tasks(settings))
		return FC_STATUS_OK;
	if (wait_status < 0) /* it lives on: fctrace was told to stop, and ends by that */
		wait_status = SIGTERM;
	if (!WIFSIGNALED(wait_status))
		return WEXITSTATUS(wait_status);

	int sig = WTERMSIG(wait_status);
	struct rlimit no_core = { 0 };
	sigset_t only;

	/* The program has left its core; ours would overwrite it. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	return 128 + sig;
}
