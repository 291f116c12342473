/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/writable.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "capture/hook/ledger.h"
#include "capture/hook/space.h"
#include "capture/patch/choice.h"
#include "capture/user/rehook.h"
#include "capture/user/throttle.h"

/* A jump may begin behind an endbr64, and what is written before a function may be its hop. */
static void add_funcs(const struct fc_known *known, uint64_t lo, uint64_t hi,
		      struct fc_ids *ret)
{
	enum { REACH = 16 };
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(known->module->plan, &nr);
	for (size_t i = 0; i < nr; i++) {
		uint64_t taddr = funcs[i].vaddr + known->bias;
		if (funcs[i].id && taddr < hi && taddr + REACH > lo)
			fc_vec_push(&ret->list, funcs[i].id);
	}
}

/* By what was written: a hop, or the window of a long one, may be further away. */
void fc_ids_add_hooked(struct fc_ids *ids, const struct fc_space *space,
		       const struct fc_known *known, uint64_t lo, uint64_t hi)
{
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	add_funcs(known, lo, hi, ids);
	fc_ledger_read(space->mem_fd, known->pool, &ledger);
	for (size_t i = 0; i < ledger.nr; i++) {
		const struct fca_patch *patch = &ledger.patches[i];
		uint64_t size = patch->window > patch->size ? patch->window : patch->size;
		if (!patch->size || patch->taddr >= hi || patch->taddr + size <= lo)
			continue;
		const struct fc_func_info *func =
			fc_module_func(known->module, fc_patch_site(patch) - known->bias);
		if (func && func->id)
			fc_vec_push(&ids->list, func->id);
	}
}

/* Never again: what is written there later is not seen. */
static void unhook(struct fc_tracer *tracer, int pid, const struct fc_module *module,
		   const struct fc_ids *found)
{
	struct fc_rehooked done;
	if (fc_tracer_rehook(tracer, found->list.at, found->list.nr, false, &done)) {
		fc_tracer_say(tracer, pid, "%s", fc_fail_text());
		return;
	}
	for (size_t i = 0; i < found->list.nr; i++)
		fc_modules_bar(&tracer->shared.modules, found->list.at[i]);
	if (tracer->throttle)
		fc_throttle_told(tracer->throttle, tracer, found->list.at, found->list.nr,
				 false);
	if (done.nr_done)
		fc_tracer_say(tracer, pid,
			      "%s: functions run unhooked from here on: the program may write "
			      "to their code",
			      module->elf->path);
}

/*
 * ld.so makes all of a file writable in which tables beside the code are to be relocated, and leaves the
 * code as it is. Before it has done so these are as in the file.
 */
static bool is_being_relocated(const struct fc_space *space, const struct fc_known *known)
{
	const struct fc_elf *elf = known->module->elf;
	uint64_t now, before;
	const uint8_t *at = fc_elf_bytes(elf, elf->relocated, sizeof(before));
	if (!elf->relocated || !at ||
	    fc_remote_read(space->mem_fd, known->bias + elf->relocated, &now, sizeof(now)))
		return false;
	memcpy(&before, at, sizeof(before));
	return now == before;
}

void fc_writable_unhook(struct fc_tracer *tracer, int pid, const struct fc_space *space,
			uint64_t lo, uint64_t hi)
{
	for (size_t i = 0; i < space->known.nr; i++) {
		struct fc_ids found = { 0 };
		const struct fc_known *known = &space->known.at[i];
		const struct fc_module *module = known->module;
		if (!known->is_written || is_being_relocated(space, known))
			continue;
		fc_ids_add_hooked(&found, space, known, lo, hi);
		if (found.list.nr)
			unhook(tracer, pid, module, &found);
		fc_vec_free(&found.list);
	}
}
