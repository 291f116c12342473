/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the kernel's well: tracefs is set up for what is asked, read, and put back. */
#include "capture/kernel/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/kernel.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/kernel/address_probes.h"
#include "capture/kernel/cpus.h"
#include "capture/kernel/end_probes.h"
#include "capture/kernel/func_probes.h"
#include "capture/kernel/function_graph.h"
#include "capture/kernel/graph_filter.h"
#include "capture/kernel/kernel_events.h"
#include "capture/kernel/kernel_symbols.h"
#include "capture/kernel/kernel_values.h"
#include "capture/kernel/off_cpu.h"
#include "capture/kernel/path_probes.h"
#include "capture/kernel/raws.h"
#include "capture/kernel/everybody.h"
#include "capture/kernel/toplevel.h"
#include "capture/kernel/tracefile.h"
#include "capture/kernel/tracefs.h"
#include "capture/syscall/syscalls.h"
#include "trace/clock.h"
#include "trace/record.h"

#define TAKE_EVERY_NS 200000	/* a look costs a system call for each CPU */
#define LOOK_EVERY_NS 100000000 /* for others that trace: some system calls for each instance */

struct fc_kernel {
	struct fc_well well;
	struct fc_kernel_opts opts;
	struct fc_tracefs *tracefs;
	struct fc_cpus *cpus;
	struct fc_raws *raws;
	struct fc_kernel_funcs *funcs;	 /* NULL: only system calls */
	struct fc_kernel_values *values; /* of them; NULL: none */
	/* events of probes... */
	bool has_args, has_results, has_paths, has_addresses, has_ends;
	struct fc_kernel_symbols *symbols; /* of stacks of a trigger; NULL: there is none */
	bool own_args, own_results;	   /* that the tracer itself records */
	struct fc_syscalls *syscalls;
	struct fc_off_cpu *off_cpu;
	struct fc_tap *tap;
	struct fc_kernel_events *events;   /* from start() on */
	struct fc_strand_info lost_strand; /* where it is told how many were lost */
	uint64_t lost_told;
	uint64_t last_take_ns;
	bool had_events; /* at the last take: more are to come */
	bool is_on, is_following;
	bool is_filtered;      /* by set_graph_function, for all instances */
	uint64_t next_look_ns; /* whether somebody else uses the tracer by now */
	const char *limit;     /* by which somebody keeps functions from us; NULL: none */
};

static struct fc_kernel *kernel_of(struct fc_well *well)
{
	return (struct fc_kernel *)well;
}

static const char *folder_of(const struct fc_kernel *kernel)
{
	return fc_tracefs_folder(kernel->tracefs);
}

static void tell_lost(struct fc_kernel *kernel, uint64_t tsc)
{
	uint64_t lost = fc_cpus_lost(kernel->cpus);
	uint64_t words[] = { fc_record(tsc, fc_mark_func(FC_MARK_LOST, 2), FC_MARK),
			     lost - kernel->lost_told, 1 };
	if (lost == kernel->lost_told)
		return;
	kernel->lost_told = lost;
	kernel->tap->records(kernel->tap, &kernel->lost_strand, words, 3, tsc);
}

static void tell_until(struct fc_kernel *kernel, uint64_t until)
{
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE };
	until = fc_kernel_events_tell(kernel->events, kernel->raws, until);
	kernel->tap->records(kernel->tap, &strand, NULL, 0, until);
}

static void say(struct fc_kernel *kernel, const char *sentence)
{
	struct fc_life_info life = { .life = FC_LIFE_SAY,
				     .tsc = fc_clock_tsc(),
				     .text = sentence };
	kernel->opts.say(kernel->opts.ctx, sentence);
	kernel->tap->life(kernel->tap, &life);
}

/* ---- what all instances share ---- */

static bool has_own_instance(const struct fc_kernel *kernel)
{
	return strcmp(folder_of(kernel), fc_tracefs_root(kernel->tracefs)) != 0;
}

/*
 * --from needs less of the kernel so; where the tracer is borrowed, nobody else has it. Other fctraces leave
 * out by themselves what theirs would.
 */
static void filter(struct fc_kernel *kernel)
{
	const char *root = fc_tracefs_root(kernel->tracefs);
	if (has_own_instance(kernel))
		fc_graph_filters_take_back(root);
	kernel->limit = fc_function_graph_limit(root);
	if (!kernel->opts.from)
		return;
	if (has_own_instance(kernel))
		kernel->is_filtered =
			fc_graph_filter_set(root, folder_of(kernel), kernel->funcs);
	else
		fc_function_graph_list_starts(root, FC_FUNCTION_GRAPH_STARTS, kernel->funcs);
}

static void unfilter(struct fc_kernel *kernel)
{
	if (kernel->is_filtered)
		fc_graph_filter_remove(fc_tracefs_root(kernel->tracefs), folder_of(kernel));
	kernel->is_filtered = false;
}

static void look_for_others(struct fc_kernel *kernel, uint64_t now_ns)
{
	if (!kernel->is_filtered || now_ns < kernel->next_look_ns)
		return;
	kernel->next_look_ns = now_ns + LOOK_EVERY_NS;
	if (fc_graph_filter_is_in_the_way(fc_tracefs_root(kernel->tracefs), folder_of(kernel)))
		unfilter(kernel);
}

static void say_limit(struct fc_kernel *kernel)
{
	if (!kernel->limit)
		return;
	fc_auto_free char *sentence = fc_asprintf("not all functions of the kernel are shown: "
						  "what may be traced is limited by %s, "
						  "which somebody has set",
						  kernel->limit);
	say(kernel, sentence);
}

/* Somebody may have set it meanwhile. */
static void look_for_limit(struct fc_kernel *kernel)
{
	if (!kernel->funcs || kernel->limit)
		return;
	unfilter(kernel);
	if (has_own_instance(kernel))
		kernel->limit = fc_function_graph_limit(fc_tracefs_root(kernel->tracefs));
	say_limit(kernel);
}

/* ---- as a well ---- */

static int tell_modules(struct fc_kernel *kernel, struct fc_numbers *numbers,
			struct fc_tap *tap)
{
	bool has_syscalls = kernel->opts.whom != FC_KERNEL_THREADS;
	int err = has_syscalls ? tap->module(tap, fc_syscalls_module(kernel->syscalls)) : 0;
	if (!err && kernel->opts.with_waits) {
		kernel->off_cpu =
			fc_off_cpu_create(fc_tracefs_root(kernel->tracefs), kernel->symbols,
					  kernel->symbols && kernel->opts.all_args, numbers);
		err = tap->module(tap, fc_off_cpu_module(kernel->off_cpu));
	}
	if (err || !kernel->funcs)
		return err;
	size_t size = 0;
	fc_kernel_funcs_number(kernel->funcs, numbers);
	const void *formats =
		kernel->values ? fc_kernel_values_formats(kernel->values, kernel->funcs, &size)
			       : NULL;
	return fc_kernel_funcs_tell(kernel->funcs, numbers, formats, size, tap);
}

static void make_events(struct fc_kernel *kernel)
{
	const struct fc_kernel_opts *opts = &kernel->opts;
	const struct fc_kernel_events_opts with = { .tap = kernel->tap,
						    .syscalls = kernel->syscalls,
						    .funcs = kernel->funcs,
						    .values = kernel->values,
						    .off_cpu = kernel->off_cpu,
						    .has_args = kernel->has_args,
						    .depth = opts->depth,
						    .from = opts->from,
						    .lives = opts->whom != FC_KERNEL_PROGRAMS };
	kernel->events = fc_kernel_events_create(&with);
}

static int start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	struct fc_kernel *kernel = kernel_of(well);
	kernel->tap = tap;
	const struct fc_syscalls_opts syscalls = { .by = "raw_syscalls",
						   .only = kernel->opts.syscalls };
	kernel->syscalls = fc_syscalls_create(numbers, &syscalls);
	kernel->lost_strand = (struct fc_strand_info){ .id = fc_numbers_strand(numbers),
						       .kind = FC_STRAND_KERNEL };
	int err = tell_modules(kernel, numbers, tap);
	make_events(kernel);
	say_limit(kernel);
	if (err || kernel->opts.whom != FC_KERNEL_ALL)
		return err;
	kernel->is_following = true;
	return fc_everybody_begin(folder_of(kernel), kernel->funcs);
}

static void turn(struct fc_kernel *kernel)
{
	bool is_on = kernel->is_on && kernel->is_following;
	if (fc_tracefile_write(folder_of(kernel), "tracing_on", is_on ? "1" : "0"))
		say(kernel, fc_fail_text());
}

static void follow(struct fc_well *well, int tid)
{
	struct fc_kernel *kernel = kernel_of(well);
	fc_auto_free char *text = fc_asprintf("%d", tid);
	int err = fc_tracefile_append(folder_of(kernel), "set_event_pid", text);
	if (!err && kernel->funcs)
		err = fc_function_graph_follow(folder_of(kernel), tid, !kernel->is_following,
					       kernel->opts.whom == FC_KERNEL_PROGRAMS);
	if (err) {
		say(kernel, fc_fail_text());
		return;
	}
	if (kernel->is_following)
		return;
	kernel->is_following = true;
	turn(kernel);
}

static void leave_thread(struct fc_well *well, int tid)
{
	fc_kernel_events_leave(kernel_of(well)->events, tid);
}

static void turn_on(struct fc_well *well, bool is_on)
{
	struct fc_kernel *kernel = kernel_of(well);
	kernel->is_on = is_on;
	turn(kernel);
}

static uint64_t take_once(struct fc_kernel *kernel, uint64_t now_tsc)
{
	size_t before = fc_raws_nr(kernel->raws);
	uint64_t until = fc_cpus_take(kernel->cpus, now_tsc, fc_raws_add, kernel->raws);
	kernel->had_events = fc_raws_nr(kernel->raws) > before;
	tell_lost(kernel, now_tsc);
	tell_until(kernel, until);
	return until;
}

static size_t take(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_kernel *kernel = kernel_of(well);
	uint64_t now_ns = fc_clock_mono_ns(),
		 before = fc_kernel_events_nr_words(kernel->events);
	if (now_ns - kernel->last_take_ns < TAKE_EVERY_NS)
		return kernel->had_events;
	kernel->last_take_ns = now_ns;
	look_for_others(kernel, now_ns);
	take_once(kernel, now_tsc);
	return fc_kernel_events_nr_words(kernel->events) - before;
}

static void say_lost(struct fc_kernel *kernel)
{
	uint64_t lost = fc_cpus_lost(kernel->cpus);
	if (!lost)
		return;
	fc_auto_free char *where = fc_cpus_lost_text(kernel->cpus);
	fc_auto_free char *sentence = fc_asprintf(
		"%llu event%s of %s %s lost: they came faster than they were read, and the "
		"kernel waits for nobody (%s)%s",
		(unsigned long long)lost, lost == 1 ? "" : "s",
		kernel->funcs ? "the kernel" : "system calls", lost == 1 ? "was" : "were",
		where, kernel->funcs ? "; --kfilter makes them fewer" : "");
	say(kernel, sentence);
}

static void stop(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_kernel *kernel = kernel_of(well);
	fc_tracefile_write(folder_of(kernel), "tracing_on", "0");
	do {
		now_tsc = fc_clock_tsc();
	} while (take_once(kernel, now_tsc) < now_tsc);
	fc_cpus_count_lost(kernel->cpus);
	now_tsc = fc_clock_tsc();
	tell_lost(kernel, now_tsc);
	tell_until(kernel, now_tsc);
	kernel->tap->strand_end(kernel->tap, &kernel->lost_strand, now_tsc);
	say_lost(kernel);
	look_for_limit(kernel);
}

/* ---- its life ---- */

static struct fc_probe_event event_of(const struct fc_kernel *kernel, const char *name)
{
	return (struct fc_probe_event){ fc_tracefs_root(kernel->tracefs), folder_of(kernel),
					fc_tracefs_group(kernel->tracefs), name };
}

static char *const all_of_them[] = { "*", NULL };

/* Of which functions: of all only where none of them needs a probe of its own. */
static char *const *wanted(char *const *named, bool is_all, bool is_easy)
{
	return !named && is_all && is_easy ? all_of_them : named;
}

static struct fc_kernel_values_opts choose_values(struct fc_kernel *kernel)
{
	const struct fc_kernel_opts *opts = &kernel->opts;
	const char *root = fc_tracefs_root(kernel->tracefs), *folder = folder_of(kernel);
	kernel->own_args =
		(opts->args || opts->all_args) && fc_function_graph_record_args(root, folder);
	bool is_asked = opts->results || opts->all_results;
	kernel->own_results = is_asked && fc_function_graph_has_results(folder);
	bool is_easy = kernel->own_results || (is_asked && fc_func_probes_know_globs());
	return (struct fc_kernel_values_opts){
		.args = wanted(opts->args, opts->all_args, kernel->own_args),
		.results = wanted(opts->results, opts->all_results, is_easy),
		.args_probed = !kernel->own_args,
		.results_probed = !is_easy,
	};
}

/* Those that match both results and what is traced also match these, the fewer ones mostly. */
static char *const *globs_of(const struct fc_kernel *kernel, char *const *results)
{
	bool is_all = !strcmp(results[0], all_of_them[0]) && !results[1];
	return is_all && kernel->opts.only ? kernel->opts.only : results;
}

static void say_without(const struct fc_kernel *kernel, const char *what)
{
	fc_auto_free char *sentence = fc_asprintf(
		"no %s of the kernel's functions are shown: %s", what, fc_fail_text());
	kernel->opts.say(kernel->opts.ctx, sentence);
}

static int record_values(struct fc_kernel *kernel, const struct fc_kernel_values_opts *of)
{
	struct fc_probe_event args = event_of(kernel, FC_FUNC_PROBES_ARGS);
	struct fc_probe_event results = event_of(kernel, FC_FUNC_PROBES_RESULT);
	int err = fc_kernel_values_create(kernel->funcs, of, &kernel->values);
	if (err)
		return err;
	if (of->args && of->args_probed) {
		kernel->has_args = !fc_func_probes_add_args(&args, kernel->funcs);
		if (!kernel->has_args)
			say_without(kernel, "arguments");
	}
	if (of->results && !kernel->own_results) {
		kernel->has_results = !fc_func_probes_add_results(
			&results, kernel->funcs, globs_of(kernel, of->results));
		if (!kernel->has_results)
			say_without(kernel, "results");
	}
	return 0;
}

static void find_values(struct fc_kernel *kernel)
{
	const struct fc_kernel_opts *opts = &kernel->opts;
	struct fc_kernel_values_opts of = choose_values(kernel);
	if ((opts->all_args && !of.args) || (opts->all_results && !of.results))
		opts->say(opts->ctx,
			  "what functions of the kernel are given or return is recorded only "
			  "of those that --kfilter, --karg or --kret names");
	if ((!of.args && !of.results) || !record_values(kernel, &of))
		return;
	kernel->own_args = kernel->own_results = false;
	say_without(kernel, "arguments and results");
	fc_kernel_values_destroy(kernel->values);
	kernel->values = NULL;
}

/* otherwise: what is so where the kernel cannot be probed. */
static bool add_event(const struct fc_kernel *kernel, const char *name,
		      int (*add)(const struct fc_probe_event *event), const char *otherwise)
{
	struct fc_probe_event event = event_of(kernel, name);
	if (!add(&event))
		return true;
	if (kernel->opts.is_unasked)
		return false;
	fc_auto_free char *sentence = fc_asprintf("%s: %s", otherwise, fc_fail_text());
	kernel->opts.say(kernel->opts.ctx, sentence);
	return false;
}

static void add_events(struct fc_kernel *kernel)
{
	enum fc_kernel_whom whom = kernel->opts.whom;
	bool has_programs = whom != FC_KERNEL_THREADS;
	kernel->has_paths = has_programs &&
			    add_event(kernel, FC_PATH_PROBES_EVENT, fc_path_probes_add,
				      "of names of files system calls show only the address");
	kernel->has_addresses =
		has_programs &&
		add_event(kernel, FC_ADDRESS_PROBES_EVENT, fc_address_probes_add,
			  "of addresses of sockets system calls show only where they are");
	kernel->has_ends = whom == FC_KERNEL_ALL &&
			   add_event(kernel, FC_END_PROBES_EVENT, fc_end_probes_add,
				     "how processes end is not shown");
}

static int set_up_functions(struct fc_kernel *kernel)
{
	const struct fc_kernel_opts *opts = &kernel->opts;
	int err = fc_kernel_funcs_read(fc_tracefs_root(kernel->tracefs), &kernel->funcs);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--kfilter", opts->only);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--knot", opts->except);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--from", opts->from);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--karg", opts->args);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--kret", opts->results);
	if (err)
		return err;
	fc_kernel_funcs_mark(kernel->funcs, opts->from);
	err = fc_function_graph_choose(folder_of(kernel), kernel->funcs, opts->only,
				       opts->except, opts->whom != FC_KERNEL_PROGRAMS);
	if (err)
		return err;
	find_values(kernel);
	return 0;
}

/*
 * From where a waker was called is known where its functions have names. In an instance of our own only: at
 * the top level of 6.1, with all functions traced, the program was seen to hang.
 */
static void find_stacks(struct fc_kernel *kernel)
{
	if (!kernel->opts.with_waits || !kernel->funcs || !has_own_instance(kernel) ||
	    fc_tracefile_write(folder_of(kernel), FC_TOPLEVEL_TRIGGER, "stacktrace if pid > 0"))
		return;
	kernel->symbols = fc_kernel_symbols_read("/proc");
}

/* Where nobody else tells when a thread has ended, its last switch does. */
static unsigned kinds_of(const struct fc_kernel *kernel)
{
	enum fc_kernel_whom whom = kernel->opts.whom;
	unsigned ends = whom == FC_KERNEL_PROGRAMS ? 0 : 1u << FC_RAW_SWITCH;
	return FC_RAWS_SYSCALLS | (kernel->funcs ? FC_RAWS_FUNCTIONS : 0) |
	       (kernel->has_args ? FC_RAWS_ARGS : 0) |
	       (kernel->has_results ? FC_RAWS_RETURNS : 0) |
	       (kernel->own_args ? FC_RAWS_OWN_ARGS : 0) |
	       (kernel->own_results ? FC_RAWS_OWN_RESULTS : 0) |
	       (kernel->has_paths ? FC_RAWS_PATHS : 0) |
	       (kernel->has_addresses ? FC_RAWS_ADDRESSES : 0) |
	       (kernel->has_ends ? FC_RAWS_ENDS : 0) |
	       (kernel->opts.with_waits ? FC_RAWS_SWITCHES : ends) |
	       (kernel->symbols ? FC_RAWS_STACKS : 0) |
	       (whom == FC_KERNEL_ALL ? FC_RAWS_LIVES : 0);
}

/*
 * Whoever traced threads make is followed by the kernel itself, from the first moment on: of all, it
 * is who is not traced. A kernel thread makes no system calls, and what it makes may be a program.
 */
static int set_up(struct fc_kernel *kernel)
{
	static const struct {
		const char *file, *text;
		unsigned kinds; /* what it is needed for */
		bool is_of_programs;
	} settings[] = {
		{ "trace_clock", FC_ARCH_TRACE_CLOCK, ~0u, false },
		{ "options/event-fork", "1", ~0u, true },
		{ "events/raw_syscalls/sys_enter/enable", "1", ~0u, true },
		{ "events/raw_syscalls/sys_exit/enable", "1", ~0u, true },
		{ "events/sched/sched_switch/enable", "1", 1u << FC_RAW_SWITCH, false },
		{ "events/sched/sched_waking/enable", "1", 1u << FC_RAW_WAKING, false },
		{ "events/task/task_newtask/enable", "1", FC_RAWS_LIVES, false },
		{ "events/sched/sched_process_exec/enable", "1", FC_RAWS_LIVES, false },
	};
	const char *folder = folder_of(kernel);
	bool has_programs = kernel->opts.whom != FC_KERNEL_THREADS;
	int err = kernel->opts.with_functions ? set_up_functions(kernel) : 0;
	/* All probes must be there before the tracer. */
	if (!err)
		add_events(kernel);
	if (!err && kernel->funcs)
		err = fc_function_graph_begin(folder);
	if (!err && kernel->funcs)
		filter(kernel);
	if (!err)
		find_stacks(kernel);
	unsigned kinds = kinds_of(kernel);
	if (!err)
		err = fc_raws_create(folder, kinds, fc_tracefs_group(kernel->tracefs),
				     &kernel->raws);
	for (size_t i = 0; !err && i < sizeof(settings) / sizeof(settings[0]); i++)
		if (settings[i].kinds & kinds && (!settings[i].is_of_programs || has_programs))
			err = fc_tracefile_write(folder, settings[i].file, settings[i].text);
	return err ? err : fc_cpus_open(folder, &kernel->cpus);
}

int fc_kernel_open(const struct fc_kernel_opts *opts, struct fc_kernel **ret)
{
	struct fc_kernel *kernel = fc_alloc(sizeof(*kernel));
	kernel->opts = *opts;
	kernel->is_on = true;
	kernel->well = (struct fc_well){ .start = start,
					 .follow = follow,
					 .leave = leave_thread,
					 .turn_on = turn_on,
					 .take = take,
					 .stop = stop };
	int err = fc_tracefs_open(opts->with_functions, &kernel->tracefs);
	if (!err)
		err = set_up(kernel);
	if (err) {
		fc_kernel_close(kernel);
		return err;
	}
	*ret = kernel;
	return 0;
}

static void remove_event(const struct fc_kernel *kernel, const char *name)
{
	struct fc_probe_event event = event_of(kernel, name);
	fc_probe_event_remove(&event);
}

void fc_kernel_close(struct fc_kernel *kernel)
{
	if (!kernel)
		return;
	fc_cpus_close(kernel->cpus);
	unfilter(kernel);
	if (kernel->funcs)
		fc_function_graph_end(folder_of(kernel));
	/* Nobody reads the instance any more, and its tracer is off. */
	if (kernel->has_args)
		remove_event(kernel, FC_FUNC_PROBES_ARGS);
	if (kernel->has_results)
		remove_event(kernel, FC_FUNC_PROBES_RESULT);
	if (kernel->has_paths)
		remove_event(kernel, FC_PATH_PROBES_EVENT);
	if (kernel->has_addresses)
		remove_event(kernel, FC_ADDRESS_PROBES_EVENT);
	if (kernel->has_ends)
		remove_event(kernel, FC_END_PROBES_EVENT);
	fc_tracefs_close(kernel->tracefs);
	fc_syscalls_destroy(kernel->syscalls);
	fc_off_cpu_destroy(kernel->off_cpu);
	fc_kernel_events_destroy(kernel->events);
	fc_raws_destroy(kernel->raws);
	fc_kernel_values_destroy(kernel->values);
	fc_kernel_funcs_destroy(kernel->funcs);
	fc_kernel_symbols_destroy(kernel->symbols);
	free(kernel);
}

struct fc_well *fc_kernel_well(struct fc_kernel *kernel)
{
	return &kernel->well;
}
