/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page of a file's code that was hooked is a copy of the process' own. madvise(MADV_DONTNEED) drops
 * that copy, and the file's page comes back.
 *
 *   a letter     before madvise(): the functions are unhooked, with all threads held
 *   a look       no page of theirs is a copy any more: the call was made; they are hooked again
 *   any look     fewer pages are copies than before: who mapped the file anew has told nobody
 */
#include "capture/user/dropped.h"

#include "base/cleanup.h"
#include "base/fail.h"
#include "capture/hook/space.h"
#include "capture/target/resident.h"
#include "capture/user/rehook.h"
#include "capture/user/retry.h"
#include "capture/user/throttle.h"
#include "capture/user/writable.h"

enum {
	LOOK_NS = 1000 * 1000 * 1000,
	FIRST_PAUSE_NS = 10 * 1000 * 1000,
	SHARE = 100, /* one part of so many of the time is for looking */
};

/* ---- before it is dropped ---- */

/* Of these functions those that are unhooked, or those that are not. */
static void keep(const struct fc_modules *modules, struct fc_ids *ids, bool is_unhooked)
{
	size_t kept = 0;
	fc_vec_each (&ids->list, id)
		if (fc_modules_is_unhooked(modules, *id) == is_unhooked)
			ids->list.at[kept++] = *id;
	ids->list.nr = kept;
}

/* Afterwards they are those that were. */
static void unhook(struct fc_tracer *tracer, int pid, const char *path, struct fc_ids *ids)
{
	struct fc_rehooked done;
	/* Who was unhooked before is to stay so. */
	keep(&tracer->shared.modules, ids, false);
	if (fc_tracer_rehook(tracer, ids->list.at, ids->list.nr, false, &done))
		fc_tracer_say(tracer, pid, "%s", fc_fail_text());
	keep(&tracer->shared.modules, ids, true);
	if (tracer->throttle)
		fc_throttle_told(tracer->throttle, tracer, ids->list.at, ids->list.nr, false);
	if (ids->list.nr)
		fc_tracer_say(tracer, pid,
			      "%s: the program has code read from the file again "
			      "(MADV_DONTNEED): functions run unhooked until that is done",
			      path);
}

void fc_dropped_unhook(struct fc_tracer *tracer, int pid, const struct fc_space *space,
		       uint64_t lo, uint64_t hi)
{
	for (size_t i = 0; i < space->known.nr; i++) {
		const struct fc_known *known = &space->known.at[i];
		struct fc_drop drop = {
			.pid = pid,
			.lo = lo > known->code_start ? lo : known->code_start,
			.hi = hi < known->code_end ? hi : known->code_end,
		};
		struct fc_ids ids = { 0 };
		if (!known->is_written || drop.lo >= drop.hi)
			continue;
		fc_ids_add_hooked(&ids, space, known, lo, hi);
		unhook(tracer, pid, known->module->elf->path, &ids);
		fc_vec_copy(&drop.funcs, &ids.list);
		fc_vec_push(&tracer->drops.awaited, drop);
		fc_vec_free(&ids.list);
	}
	tracer->drops.pause_ns = FIRST_PAUSE_NS;
	tracer->drops.next_ns = fc_clock_mono_ns() + FIRST_PAUSE_NS;
}

/* ---- a look ---- */

/* The file's pages are there, or nobody's. */
static bool is_over(struct fc_tracer *tracer, const struct fc_drop *drop)
{
	return !fc_process_find(&tracer->tracees, drop->pid) ||
	       !fc_resident_own(drop->pid, drop->lo, drop->hi);
}

/* False: a thread cannot be stopped. */
static bool hook_again(struct fc_tracer *tracer, const struct fc_drop *drop)
{
	struct fc_rehooked done;
	if (drop->funcs.nr &&
	    fc_tracer_rehook(tracer, drop->funcs.at, drop->funcs.nr, true, &done))
		return false;
	fc_vec_each (&drop->funcs, func)
		if (fc_modules_is_unhooked(&tracer->shared.modules, *func))
			fc_retry_add(tracer, *func);
	return true;
}

static void look_at_awaited(struct fc_tracer *tracer)
{
	struct fc_drops *drops = &tracer->drops;
	size_t kept = 0;
	for (size_t i = 0; i < drops->awaited.nr; i++) {
		struct fc_drop *drop = &drops->awaited.at[i];
		if (is_over(tracer, drop) && hook_again(tracer, drop))
			fc_vec_free(&drop->funcs);
		else
			drops->awaited.at[kept++] = *drop;
	}
	drops->awaited.nr = kept;
}

/* Some of its processes may end meanwhile. */
static void repair(struct fc_tracer *tracer, struct fc_space *space, struct fc_known *known)
{
	struct fc_rehooked done;
	if (fc_tracer_repair(tracer, space, known, &done)) {
		known->nr_own++; /* at the next look again */
		return;
	}
	if (done.nr_done)
		fc_tracer_say(tracer, space->pid,
			      "%s: the program has mapped its code anew: functions ran "
			      "unhooked until this was noticed",
			      known->module->elf->path);
}

static void look_at_copies(struct fc_tracer *tracer)
{
	fc_auto_vec FC_VEC(struct fc_space *) spaces = { 0 };
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p->space)
			fc_vec_push(&spaces, fc_space_share(p->space));
	fc_vec_each (&spaces, space) {
		for (size_t i = 0; i < (*space)->known.nr; i++)
			if (fc_known_has_lost(*space, &(*space)->known.at[i]))
				repair(tracer, *space, &(*space)->known.at[i]);
		fc_space_put(*space);
	}
}

uint64_t fc_dropped_next_ns(const struct fc_tracer *tracer)
{
	return tracer->drops.next_ns;
}

void fc_dropped_look(struct fc_tracer *tracer)
{
	struct fc_drops *drops = &tracer->drops;
	uint64_t begin_ns = fc_clock_mono_ns();
	look_at_awaited(tracer);
	look_at_copies(tracer);
	bool is_soon = drops->awaited.nr && drops->pause_ns * 2 < LOOK_NS;
	drops->pause_ns =
		fc_clock_pause_ns(begin_ns, SHARE, is_soon ? drops->pause_ns * 2 : LOOK_NS);
	drops->next_ns = fc_clock_mono_ns() + drops->pause_ns;
}

void fc_dropped_deinit(struct fc_tracer *tracer)
{
	fc_vec_each (&tracer->drops.awaited, drop)
		fc_vec_free(&drop->funcs);
	fc_vec_free(&tracer->drops.awaited);
}
