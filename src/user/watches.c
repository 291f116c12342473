/* SPDX-License-Identifier: Apache-2.0 */
#include "user/watches.h"

#include "base/cleanup.h"
#include "base/memory.h"

static void say_unmatched(struct fc_tracer *tracer, const char *what, const char *advice)
{
	const struct fc_dump_on *on = &tracer->shared.opts->dump_on;
	for (size_t i = 0; i < on->nr_funcs; i++) {
		if (tracer->shared.modules.has_matched[i])
			continue;
		fc_auto_free char *text = fc_asprintf(
			"--dump-on '%s': no function that matches is %s%s%s", on->funcs[i].glob,
			what, on->funcs[i].min_ns ? " with its exit" : "", advice);
		fc_tracer_say(tracer, tracer->first_pid, text);
	}
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
}

void fc_watches_say_never(struct fc_tracer *tracer)
{
	say_unmatched(tracer, "hooked", "");
}
