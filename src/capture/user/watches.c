/* SPDX-License-Identifier: Apache-2.0 */
/* watches.c - what --dump-on, --on and --off-at name: says what nothing has, and writes dumps. */
#include "capture/user/watches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/demangle.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/whole.h"
#include "calls/nearest_function.h"

/* The next one with the same pattern: each function of the one is of the other. */
static uint8_t next_of(const struct fc_dump_on *on, size_t i)
{
	for (size_t k = i + 1; k < on->nr_funcs; k++)
		if (!strcmp(on->funcs[k].glob, on->funcs[i].glob))
			return (uint8_t)(k + 1);
	return 0;
}

/* Their times in ticks: how long a tick is, is seen in a moment. */
void fc_watches_measure(struct fc_tracer *tracer)
{
	enum { MOMENT_NS = 10 * 1000 * 1000 };
	struct fc_shared *shared = &tracer->shared;
	const struct fc_dump_on *on = &shared->opts->dump_on;
	struct fc_clock *clock = &tracer->clock;
	if (!on->nr_funcs)
		return;
	fc_clock_start(clock);
	nanosleep(&(struct timespec){ .tv_nsec = MOMENT_NS }, NULL);
	fc_clock_calibrate(clock);
	double rate = (double)(clock->tsc1 - clock->tsc0) /
		      (double)(clock->mono1_ns - clock->mono0_ns);
	for (size_t i = 0; i < on->nr_funcs; i++) {
		shared->watch_ticks[i] = fc_whole((double)on->funcs[i].min_ns * rate);
		shared->watch_nth[i] = on->funcs[i].nth;
		shared->watch_next[i] = next_of(on, i);
	}
}

/* Which one of many calls it was; malloc()ed. */
static char *nth_text(const struct fc_dump_on *on, uint64_t watch)
{
	const struct fc_dump_func *func =
		watch && watch <= on->nr_funcs ? &on->funcs[watch - 1] : NULL;
	return func && func->nth ? fc_asprintf(" (#%" PRIu64 ")", func->nth) : fc_strdup("");
}

void fc_watches_dump(struct fc_tracer *tracer, const uint64_t arg[2], int pid)
{
	const struct fc_shared *shared = &tracer->shared;
	const char *name = fc_modules_watched_name(&shared->modules, (uint32_t)arg[0]);
	fc_auto_free char *nth =
		nth_text(&shared->opts->dump_on, arg[0] >> FCA_DUMP_WATCH_SHIFT);
	if (arg[1])
		fc_tracer_dump(tracer, "%s() took %.3f ms%s in process %d", name,
			       (double)fc_clock_duration_ns(&tracer->clock, arg[1]) / 1e6, nth,
			       pid);
	else
		fc_tracer_dump(tracer, "%s() was called%s in process %d", name, nth, pid);
}

static void say_of(struct fc_tracer *tracer, const struct fc_dump_func *func, const char *what)
{
	fc_tracer_say(tracer, tracer->first_pid, "--dump-on '%s': %s", func->glob, what);
}

/* If a function of the file matches, *ret says of it that it has no hook. Else its names are offered. */
static void find_unhooked(const struct fc_module *module, const char *glob,
			  struct fc_nearest *nearest, char **ret)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct fc_name name = { .name = funcs[i].name,
					.module = fc_base_name(module->elf->path) };
		if (!name.name)
			continue;
		if (fc_name_match(name, glob)) {
			*ret = fc_asprintf("; %s has one, which cannot be: fctrace list says "
					   "why",
					   name.module);
			return;
		}
		fc_auto_free char *readable = fc_readable(name.name, FC_DEMANGLE_SIMPLE);
		name.name = readable;
		fc_nearest_offer_function(nearest, name);
	}
}

/* Of a glob that no hooked function matches: what to do about it. */
static char *advice_on(const struct fc_tracer *tracer, const char *glob)
{
	struct fc_nearest nearest;
	char *ret = NULL;
	fc_nearest_begin_glob(&nearest, glob);
	for (const struct fc_module *m = tracer->shared.modules.first; m && !ret; m = m->next)
		if (m->plan)
			find_unhooked(m, glob, &nearest, &ret);
	char *hint = fc_nearest_hint(&nearest, "", "fctrace list FILE shows names");
	if (!ret)
		return hint;
	free(hint);
	return ret;
}

/* advice: for all; NULL: for each its own. */
static void say_unturned(struct fc_tracer *tracer, const char *option, char *const *globs,
			 const char *what, const char *advice)
{
	for (; globs && *globs; globs++) {
		if (fc_turned_has_matched(&tracer->shared.modules.turned, *globs))
			continue;
		fc_auto_free char *own = advice ? fc_strdup(advice) : advice_on(tracer, *globs);
		fc_tracer_say(tracer, tracer->first_pid,
			      "%s '%s': no function that matches is %s%s", option, *globs, what,
			      own);
	}
}

static void say_unmatched(struct fc_tracer *tracer, const char *what, const char *advice)
{
	const struct fc_turns *turns = &tracer->shared.opts->turns;
	say_unturned(tracer, "--on", turns->on, what, advice);
	say_unturned(tracer, "--off-at", turns->off_at, what, advice);
	const struct fc_dump_on *on = &tracer->shared.opts->dump_on;
	for (size_t i = 0; i < on->nr_funcs; i++) {
		if (tracer->shared.modules.has_matched[i] || on->funcs[i].is_own)
			continue;
		fc_auto_free char *own = advice ? fc_strdup(advice)
					 : on->funcs[i].min_ns
						 ? fc_strdup("")
						 : advice_on(tracer, on->funcs[i].glob);
		fc_auto_free char *text =
			fc_asprintf("no function that matches is %s%s%s", what,
				    on->funcs[i].min_ns ? " with its exit" : "", own);
		say_of(tracer, &on->funcs[i], text);
	}
}

static void say_hidden(struct fc_tracer *tracer)
{
	const struct fc_dump_on *on = &tracer->shared.opts->dump_on;
	for (size_t i = 0; i < on->nr_funcs; i++)
		if (tracer->shared.modules.is_hidden[i])
			say_of(tracer, &on->funcs[i],
			       "of functions that match another --dump-on as well, only that "
			       "one tells");
	for (size_t i = 0; i < on->nr_funcs; i++)
		if (tracer->shared.modules.is_taken[i])
			say_of(tracer, &on->funcs[i],
			       "calls of functions that --on or --off-at name, too, write no "
			       "dump");
}

/* What the first program starts with; another that it executes comes when it comes. */
void fc_watches_say_missing(struct fc_tracer *tracer, const struct fc_process *process)
{
	bool is_other = process && (process->pid != tracer->first_pid || !process->space ||
				    !fc_space_is_complete(process->space));
	if (tracer->has_looked || is_other)
		return;
	tracer->has_looked = true;
	say_unmatched(tracer, "hooked so far",
		      "; what is loaded or executed later is looked at, too");
	say_hidden(tracer);
}

void fc_watches_say_never(struct fc_tracer *tracer)
{
	say_unmatched(tracer, "hooked", NULL);
	say_hidden(tracer);
}
