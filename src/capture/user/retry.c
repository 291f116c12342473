/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/retry.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "capture/module/left_out.h"
#include "capture/user/rehook.h"
#include "trace/clock.h"

enum { LONGEST_PAUSE_NS = 1000 * 1000 * 1000 };

uint64_t fc_retry_next_ns(const struct fc_tracer *tracer)
{
	const struct fc_late *late = &tracer->shared.late;
	return late->funcs.nr ? late->next_ns : UINT64_MAX;
}

void fc_retry_add(struct fc_tracer *tracer, uint32_t func)
{
	struct fc_late *late = &tracer->shared.late;
	if (!late->funcs.nr) {
		late->pause_ns = FC_LATE_PAUSE_NS;
		late->next_ns = fc_clock_mono_ns() + FC_LATE_PAUSE_NS;
	}
	fc_vec_push(&late->funcs, func);
}

void fc_retry_late(struct fc_tracer *tracer)
{
	struct fc_late *late = &tracer->shared.late;
	struct fc_rehooked done;
	size_t kept = 0;
	fc_tracer_rehook(tracer, late->funcs.at, late->funcs.nr, true, &done);
	fc_vec_each (&late->funcs, func)
		if (fc_modules_is_unhooked(&tracer->shared.modules, *func))
			late->funcs.at[kept++] = *func;
	late->funcs.nr = kept;
	if (late->pause_ns < LONGEST_PAUSE_NS)
		late->pause_ns *= 2;
	late->next_ns = fc_clock_mono_ns() + late->pause_ns;
}

static bool is_late(const struct fc_late *late, uint32_t func)
{
	fc_vec_each (&late->funcs, at)
		if (*at == func)
			return true;
	return false;
}

static void say_module(struct fc_tracer *tracer, const struct fc_module *module)
{
	size_t nr;
	fc_auto_vec FC_VEC(size_t) found = { 0 };
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t i = 0; i < nr; i++)
		if (funcs[i].id && is_late(&tracer->shared.late, funcs[i].id))
			fc_vec_push(&found, i);
	fc_auto_free char *text = fc_module_left_out(module, found.at, found.nr, FC_LATE_WHY);
	if (found.nr)
		fc_tracer_say(tracer, tracer->first_pid, "%s", text);
}

void fc_retry_say(struct fc_tracer *tracer)
{
	for (struct fc_module *m = tracer->shared.modules.first; m; m = m->next)
		if (m->plan && tracer->shared.late.funcs.nr)
			say_module(tracer, m);
}
