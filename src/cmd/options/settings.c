/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c - checks and converts settings that several commands use. */
#include "cmd/options/settings.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "calls/wanted.h"
#include "capture/kernel/tasks/tasks_backend.h"
#include "capture/step/step.h"
#include "capture/user/user.h"
#include "cmd/options/parse.h"
#include "cmd/out/say.h"
#include "trace/clock.h"
#include "values/spec.h"
#include "values/types.h"

static void specs_deinit(struct fc_specs *specs)
{
	for (size_t i = 0; i < specs->nr; i++)
		fc_value_spec_deinit(&specs->at[i]);
	free(specs->at);
}

void fc_settings_deinit(struct fc_settings *settings)
{
	fc_globs_free(settings->only);
	fc_globs_free(settings->only_globs);
	fc_globs_free(settings->turned_on);
	fc_globs_free(settings->turned_off);
	fc_globs_free(settings->leading);
	fc_globs_free(settings->only_modules);
	fc_globs_free(settings->asked_globs);
	fc_globs_free(settings->except);
	fc_globs_free(settings->modules);
	fc_globs_free(settings->kernel.syscalls_only);
	fc_globs_free(settings->probes);
	fc_globs_free(settings->args);
	fc_globs_free(settings->results);
	fc_globs_free(settings->more_args);
	fc_globs_free(settings->more_results);
	fc_globs_free(settings->masks);
	fc_globs_free(settings->kernel.only);
	fc_globs_free(settings->kernel.except);
	fc_globs_free(settings->kernel.from);
	fc_globs_free(settings->kernel.args);
	fc_globs_free(settings->kernel.results);
	fc_globs_free(settings->kernel.kthreads);
	for (size_t i = 0; i < settings->nr_protos; i++)
		fc_types_destroy(settings->protos[i]);
	free(settings->protos);
	fc_types_destroy(settings->lock_types);
	specs_deinit(&settings->arg_specs);
	specs_deinit(&settings->result_specs);
	free(settings->pids);
	for (size_t i = 0; i < settings->dump_on.nr_funcs; i++)
		free(settings->dump_funcs[i].glob);
	free(settings->dump_funcs);
	fc_globs_free(settings->diff.modules);
	fc_globs_free(settings->debug);
}

bool fc_settings_has_values(const struct fc_settings *settings)
{
	return settings->all_values || settings->args || settings->results ||
	       settings->more_args || settings->more_results || settings->only_failed ||
	       settings->asked_globs || settings->probes;
}

bool fc_settings_has_turns(const struct fc_settings *settings)
{
	return settings->turned_on || settings->turned_off;
}

bool fc_settings_has_tasks(const struct fc_settings *settings)
{
	return settings->kernel.kthreads || settings->kernel.all_tasks;
}

bool fc_settings_has_kernel_funcs(const struct fc_settings *settings)
{
	const struct fc_kernel_settings *kernel = &settings->kernel;
	return kernel->functions || kernel->depth || kernel->only || kernel->except ||
	       kernel->from || kernel->args || kernel->results || kernel->kthreads ||
	       (kernel->all_tasks && !kernel->syscalls);
}

bool fc_settings_has_syscalls(const struct fc_settings *settings)
{
	return settings->kernel.syscalls || fc_settings_has_kernel_funcs(settings);
}

bool fc_settings_has_wells(const struct fc_settings *settings)
{
	return fc_settings_has_syscalls(settings) || settings->kernel.waits;
}

bool fc_settings_filter_anything(const struct fc_settings *settings)
{
	return settings->only || settings->except || settings->depth || settings->min_ns ||
	       settings->tid || settings->pid || settings->only_failed || settings->leading ||
	       settings->only_modules;
}

bool fc_settings_is_part(const struct fc_settings *settings)
{
	return fc_settings_filter_anything(settings) || settings->span.text;
}

size_t fc_settings_rows(const struct fc_settings *settings, size_t nr)
{
	return settings->nr_rows && settings->nr_rows < nr ? settings->nr_rows : nr;
}

const struct fc_backend *fc_settings_backend(const struct fc_settings *settings)
{
	/* As the words of fc_option_backend: what is first is used if nobody asks. */
	static const struct fc_backend *const backends[] = { &fc_user_backend,
							     &fc_step_backend };
	return fc_settings_has_tasks(settings) ? &fc_tasks_backend
					       : backends[settings->backend];
}

/* The option that the backend does not support; NULL: none. */
static const char *find_lack(const struct fc_settings *settings)
{
	const struct fc_backend *backend = fc_settings_backend(settings);
	const bool wishes[FC_NR_WISHES] = {
		[FC_WISH_ATTACH] = settings->nr_pids != 0,
		[FC_WISH_TIME] = settings->for_ns != 0,
		[FC_WISH_OFF] = settings->off || fc_settings_has_turns(settings),
		[FC_WISH_RING] = settings->loss == FC_LOSS_RING,
		[FC_WISH_BUDGET] = settings->budget != 0,
		[FC_WISH_COUNT] = settings->no_time,
		[FC_WISH_VALUES] = fc_settings_has_values(settings),
		[FC_WISH_KERNEL] = fc_settings_has_wells(settings),
	};

	for (int i = 0; i < FC_NR_WISHES; i++)
		if (wishes[i] && backend->lacks[i])
			return backend->lacks[i];
	return NULL;
}

/* A sentence on options that exclude each other; NULL: there are none. */
static const char *find_conflict(const struct fc_settings *s, bool has_program)
{
	bool is_ring = s->loss == FC_LOSS_RING, has_tasks = fc_settings_has_tasks(s);
	const struct {
		bool is_there;
		const char *sentence;
	} conflicts[] = {
		{ s->nr_pids && has_program, "either a program or -p, not both" },
		{ has_tasks && (has_program || s->nr_pids),
		  "--kthread and --all-tasks trace the kernel alone: leave out the program and "
		  "-p, or leave out these options" },
		{ s->kernel.kthreads && s->kernel.all_tasks,
		  "--all-tasks includes all kernel threads: either that or --kthread" },
		{ s->kernel.kthreads && s->kernel.syscalls,
		  "--kthread: kernel threads make no system calls; leave out --syscalls" },
		{ has_tasks && s->kernel.by == FC_SYSCALLS_BY_PTRACE,
		  "--syscalls=ptrace is about a program; with --all-tasks the kernel's tracing "
		  "shows system calls: leave out =ptrace" },
		{ fc_settings_has_kernel_funcs(s) && s->kernel.by == FC_SYSCALLS_BY_PTRACE,
		  "--syscalls=ptrace cannot be combined with -k: functions of the kernel and "
		  "system calls come from its tracing together" },
		{ has_tasks && s->backend, "--kthread and --all-tasks trace no program: leave "
					   "out --backend" },
		{ has_tasks && s->dry_run,
		  "--dry-run is about a program; with --kthread and --all-tasks nothing would "
		  "be hooked" },
		{ has_tasks && (s->probes || s->no_functions),
		  "-U and --no-functions are about programs; --kthread and --all-tasks trace "
		  "the "
		  "kernel alone" },
		{ s->dry_run && (s->probes || s->no_functions),
		  "--dry-run is about functions; fctrace list --probes FILE shows which static "
		  "probes can be hooked: leave out -U and --no-functions" },
		{ s->has_dump_on && !is_ring, "--dump-on is about the newest records that "
					      "fctrace record --loss=ring keeps" },
		{ is_ring && s->budget, "--budget cannot be combined with --loss=ring: it "
					"counts records as they come" },
		{ s->no_time && s->budget,
		  "--no-time counts all calls: there is nothing to save by --budget" },
		{ s->no_time && s->off,
		  "--no-time cannot be combined with --off: it counts from the start" },
		{ s->lock_types &&
			  (s->only || s->except || s->leading || s->modules || s->depth ||
			   s->min_ns || s->libs == FC_LIBS_NONE || fc_settings_has_turns(s)),
		  "--locks needs the calls of all threads, also in the C library: leave out "
		  "-F, "
		  "-C, -N, -m, -D, -t, --on, --off-at and --libs=none" },
		{ s->no_time && fc_settings_has_turns(s),
		  "--no-time cannot be combined with --on and --off-at: it counts all calls" },
		{ fc_settings_has_wells(s) && fc_settings_has_turns(s),
		  "--syscalls, --waits and -k are about the whole run: leave out --on and "
		  "--off-at" },
		{ s->kernel.waits && s->kernel.no_waits,
		  "either --waits or --no-waits, not both" },
		{ fc_settings_has_wells(s) && is_ring,
		  "--loss=ring cannot be combined with --syscalls, --waits or -k: it keeps the "
		  "newest records of the program's own rings" },
		{ fc_settings_has_wells(s) && s->no_time,
		  "--no-time cannot be combined with --syscalls, --waits or -k: it counts "
		  "calls "
		  "of the program's functions" },
		{ s->nr_protos && !fc_settings_has_values(s),
		  "--proto says what values are: which, is asked by -a, -A, -R or -Z" },
		{ s->summary && fc_settings_has_values(s),
		  "-c cannot be combined with -a, -A, -R, -U, -Z or a condition of -F: it sums "
		  "calls; give "
		  "them to fctrace record, and read the trace by fctrace report" },
		{ s->no_functions && !s->probes && !fc_settings_has_wells(s),
		  "--no-functions leaves nothing to be traced: name probes by -U, or ask for "
		  "--syscalls, --waits or -k" },
		{ s->no_functions && s->modules, "--no-functions cannot be combined with -m, "
						 "which names files whose functions "
						 "are traced" },
		{ s->nr_pids && s->dry_run,
		  "--dry-run is about a program; with -p nothing would be run" },
		{ !s->nr_pids && !has_program && !has_tasks,
		  "no program given: name one, or a process by -p; see fctrace --help" },
	};

	for (size_t i = 0; i < sizeof(conflicts) / sizeof(conflicts[0]); i++) {
		if (conflicts[i].is_there)
			return conflicts[i].sentence;
	}
	return find_lack(s);
}

bool fc_settings_has_target(const struct fc_settings *settings, int argc)
{
	const char *conflict = find_conflict(settings, argc > 0);

	if (conflict)
		fc_say("%s", conflict);
	return !conflict;
}

struct fc_filter_opts fc_settings_filter(const struct fc_settings *settings,
					 const struct fc_clock *clock, struct fc_namer *namer)
{
	return (struct fc_filter_opts){
		.only = settings->only,
		.leading = settings->leading,
		.modules = settings->only_modules,
		.except = settings->except,
		.depth = settings->depth,
		.min_ticks = settings->min_ns ? fc_clock_ticks_of(clock, settings->min_ns) : 0,
		.only_failed = settings->only_failed,
		.folds_failed = settings->only_failed && !settings->all_failed && namer,
		.tid = settings->tid,
		.pid = settings->pid,
		.is_ordered = true,
		.match = fc_namer_match,
		.ctx = namer,
		.namer = namer,
	};
}

static const char where_names_are[] = "fctrace list and fctrace report show their names";

/* hint: freed. */
static void say_unmatched(char option, const char *glob, char *hint)
{
	fc_say("-%c %s: no function that matches was called%s", option, glob, hint);
	free(hint);
}

static void say_nobody_led_to(const struct fc_settings *settings,
			      const struct fc_filter *filter)
{
	for (size_t i = 0; settings->leading && settings->leading[i]; i++)
		if (!fc_filter_leading_has_matched(filter, i))
			say_unmatched('C', settings->leading[i],
				      fc_filter_leading_nearest(filter, i, where_names_are));
}

void fc_settings_say_unmatched(const struct fc_settings *settings,
			       const struct fc_filter *filter)
{
	for (size_t i = 0; settings->only && settings->only[i]; i++) {
		if (!fc_filter_has_matched(filter, i))
			say_unmatched('F', settings->only[i],
				      fc_filter_nearest(filter, i, where_names_are));
		else if (fc_filter_trouble(filter, i))
			fc_say("-F %s: %s", settings->only[i], fc_filter_trouble(filter, i));
	}
	say_nobody_led_to(settings, filter);
	uint64_t nr = fc_filter_nr_forgotten(filter);
	if (nr)
		fc_say("-F: %" PRIu64
		       " calls beneath others that took too long to end, so that "
		       "their condition was not known, are left out",
		       nr);
}

static void add_part(char **parts, uint64_t nr, const char *what)
{
	if (nr)
		fc_append(parts, "%s%" PRIu64 " %s", *parts ? ", " : "", nr, what);
}

void fc_settings_say_failures(const struct fc_failures_sums *sums, const struct fc_namer *namer)
{
	uint64_t nr = sums->nr_repeats + sums->nr_probes + sums->nr_inside;
	fc_auto_free char *parts = NULL;

	if (!nr)
		return;
	add_part(&parts, sums->nr_repeats, "like one that is shown");
	add_part(&parts, sums->nr_probes, "that found no file of one more name");
	add_part(&parts, sums->nr_inside, "inside a library or interpreter");
	fc_say("-Z left out %" PRIu64 " failed call%s: %s; most often %s (%" PRIu64
	       "); -ZZ shows all",
	       nr, nr == 1 ? "" : "s", parts, namer->name_of(namer->ctx, sums->most_func).name,
	       sums->nr_most);
}
