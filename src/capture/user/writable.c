/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/writable.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "capture/hook/space_private.h"
#include "capture/user/rehook.h"
#include "capture/user/throttle.h"

struct found {
	FC_VEC(uint32_t) ids;
};

/* A jump may begin behind an endbr64, and what is written before a function may be its hop. */
static void find(const struct fc_known *known, uint64_t lo, uint64_t hi, struct found *ret)
{
	enum { REACH = 16 };
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(known->module->plan, &nr);
	for (size_t i = 0; i < nr; i++) {
		uint64_t taddr = funcs[i].vaddr + known->bias;
		if (funcs[i].id && taddr < hi && taddr + REACH > lo)
			fc_vec_push(&ret->ids, funcs[i].id);
	}
}

/* Never again: what is written there later is not seen. */
static void unhook(struct fc_tracer *tracer, int pid, const struct fc_module *module,
		   const struct found *found)
{
	struct fc_rehooked done;
	if (fc_tracer_rehook(tracer, found->ids.at, found->ids.nr, false, &done)) {
		fc_tracer_say(tracer, pid, "%s", fc_fail_text());
		return;
	}
	for (size_t i = 0; i < found->ids.nr; i++)
		fc_modules_bar(&tracer->shared.modules, found->ids.at[i]);
	if (tracer->throttle)
		fc_throttle_told(tracer->throttle, tracer, found->ids.at, found->ids.nr, false);
	if (done.nr_done)
		fc_tracer_say(tracer, pid,
			      "%s: functions run unhooked from here on: the program may write "
			      "to their code",
			      module->elf->path);
}

void fc_writable_unhook(struct fc_tracer *tracer, int pid, const struct fc_space *space,
			uint64_t lo, uint64_t hi)
{
	for (size_t i = 0; i < space->known.nr; i++) {
		struct found found = { 0 };
		const struct fc_known *known = &space->known.at[i];
		const struct fc_module *module = known->module;
		if (!known->is_written)
			continue;
		find(known, lo, hi, &found);
		if (found.ids.nr)
			unhook(tracer, pid, module, &found);
		fc_vec_free(&found.ids);
	}
}
