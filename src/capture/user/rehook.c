/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 1 nobody moves: all threads of all processes are held
 * 2 of each pool, by its ledger: which patches are to come or go
 * 3 is anything about to come back into the middle of what is to be written over? These
 *   functions stay as they are, everywhere, and 2 is done again
 * 4 threads that stand in such a middle go on in the stub's copy; patches are written
 */
#include "capture/user/rehook.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/hook/ledger.h"
#include "capture/hook/patcher.h"
#include "capture/hook/space.h"
#include "capture/patch/choice.h"
#include "capture/target/registers.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"
#include "trace/clock.h"

/* A pool in which something may change. */
struct pool {
	const struct fc_known *known;
	struct fc_ledger ledger;
	bool *before, *after; /* of each of its patches: is it there? */
};

/* A process' memory. */
struct place {
	struct fc_space *space; /* a reference of its own */
	bool is_held;		/* threads that use it are in standing */
	struct fc_standing standing;
	struct fc_addresses busy;
	bool is_blind; /* its stacks cannot be read: all may be busy */
	FC_VEC(struct pool) pools;
};

/* Functions that are asked for by id. */
struct request {
	struct fc_modules *modules;
	bool hook;
	bool *is_asked; /* by id; those that are to change */
	uint32_t nr_ids;
	struct fc_rehooked *ret;
	const struct fc_space *only; /* nothing changes elsewhere; NULL: wherever it may */
	FC_VEC(struct place) places;
};

/* ---- what is to change ---- */

static bool has_asked(const struct request *request, const struct fc_module *module)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t i = 0; i < nr; i++)
		if (funcs[i].id && funcs[i].id < request->nr_ids &&
		    request->is_asked[funcs[i].id])
			return true;
	return false;
}

static uint32_t func_of(const struct pool *pool, const struct fca_patch *patch)
{
	const struct fc_func_info *func =
		fc_module_func(pool->known->module, fc_patch_site(patch) - pool->known->bias);
	return func ? func->id : 0;
}

static void add_pool(struct request *request, struct place *place, const struct fc_known *known)
{
	struct pool pool = { .known = known };
	if (!fc_ledger_read(place->space->mem_fd, known->pool, &pool.ledger))
		return;
	pool.before = fc_alloc(pool.ledger.nr + 1);
	pool.after = fc_alloc(pool.ledger.nr + 1);
	fc_modules_choose(request->modules, known->module, known->bias, pool.ledger.patches,
			  pool.ledger.nr, pool.before);
	fc_vec_push(&place->pools, pool);
}

static struct place *find_place(struct request *request, const struct fc_space *space)
{
	fc_vec_each (&request->places, place)
		if (place->space == space)
			return place;
	return NULL;
}

static struct place *add_place(struct request *request, struct fc_space *space)
{
	struct place place = { .space = fc_space_share(space) };
	fc_vec_each (&place.space->known, known)
		if (known->is_written && has_asked(request, known->module))
			add_pool(request, &place, known);
	fc_vec_push(&request->places, place);
	return &request->places.at[request->places.nr - 1];
}

/* What can be read while all run. */
static void find_places(struct fc_tracer *tracer, struct request *request)
{
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p->space && !find_place(request, p->space))
			add_place(request, p->space);
}

static void deinit_place(struct place *place)
{
	fc_vec_each (&place->pools, pool) {
		fc_ledger_deinit(&pool->ledger);
		free(pool->before);
		free(pool->after);
	}
	fc_vec_free(&place->pools);
	fc_vec_free(&place->busy.list);
	fc_standing_deinit(&place->standing);
	fc_space_put(place->space);
}

/* All are held: some may have come meanwhile, some gone. */
static void find_threads(struct fc_tracer *tracer, struct request *request)
{
	size_t kept = 0;
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next) {
		struct place *place = p->space ? find_place(request, p->space) : NULL;
		if (p->space && !place && !request->only)
			place = add_place(request, p->space);
		if (place && !place->is_held)
			place->is_held = !fc_standing_of(tracer, p, &place->standing);
	}
	fc_vec_each (&request->places, place) {
		if (place->is_held)
			request->places.at[kept++] = *place;
		else
			deinit_place(place);
	}
	request->places.nr = kept;
}

static void set_asked(struct request *request, bool is_unhooked)
{
	for (uint32_t id = 1; id < request->nr_ids; id++)
		if (request->is_asked[id])
			fc_modules_set_unhooked(request->modules, id, is_unhooked);
}

/* What is to be there when those that are still asked for are changed. */
static void choose(struct request *request)
{
	set_asked(request, !request->hook);
	fc_vec_each (&request->places, place)
		fc_vec_each (&place->pools, pool)
			fc_modules_choose(request->modules, pool->known->module,
					  pool->known->bias, pool->ledger.patches,
					  pool->ledger.nr, pool->after);
	set_asked(request, request->hook);
}

/* ---- what cannot change ---- */

static void drop(struct request *request, uint32_t func, size_t *count)
{
	if (!func || func >= request->nr_ids || !request->is_asked[func])
		return;
	request->is_asked[func] = false;
	(*count)++;
}

/* They were to be unhooked, and are not. */
static void drop_kept(struct request *request)
{
	fc_vec_each (&request->places, place)
		fc_vec_each (&place->pools, pool)
			for (size_t i = 0; i < pool->ledger.nr; i++)
				if (pool->after[i] &&
				    fc_patch_is_site(&pool->ledger.patches[i]))
					drop(request, func_of(pool, &pool->ledger.patches[i]),
					     &request->ret->nr_kept);
}

/* The first address in (from, to) that something will come back to; 0: none. */
static uint64_t first_busy(const struct fc_addresses *busy, uint64_t from, uint64_t to)
{
	size_t low = fc_bisect(busy->list.at, busy->list.nr, address, *address <= from);
	return low < busy->list.nr && busy->list.at[low] < to ? busy->list.at[low] : 0;
}

/* Where a thread is to go that stands at from of a site's window; 0: it has no copy. */
static uint64_t copy_of(const struct place *place, const struct pool *pool,
			const struct fca_patch *site, uint64_t ip)
{
	struct fc_move moves[FC_MAX_MOVES];
	size_t nr = fc_ledger_moves(&pool->ledger, place->space->mem_fd, site, moves);
	for (size_t i = 0; i < nr; i++)
		if (moves[i].from && site->taddr + moves[i].from == ip)
			return pool->ledger.pool + site->stub + moves[i].to;
	return 0;
}

static bool may_write(const struct place *place, const struct pool *pool,
		      const struct fca_patch *patch)
{
	uint64_t end = patch->taddr + patch->window;
	if (place->is_blind || first_busy(&place->busy, patch->taddr, end))
		return false;
	fc_vec_each (&place->standing.threads, stand)
		if (stand->ip > patch->taddr && stand->ip < end &&
		    !copy_of(place, pool, patch, stand->ip))
			return false;
	return true;
}

/* A signal's handler interrupted a thread that was about to jump from the hop. */
static bool may_remove(const struct place *place, const struct fca_patch *hop)
{
	return !place->is_blind && !first_busy(&place->busy, hop->taddr - 1, hop->taddr + 1);
}

/* A patch that is not to come or go. It may be there for a neighbour's sake only. */
static void drop_patch(struct request *request, const struct pool *pool,
		       const struct fca_patch *patch)
{
	size_t *count = request->hook ? &request->ret->nr_busy : &request->ret->nr_kept;
	size_t before = *count;
	size_t lender = fc_patch_around(pool->ledger.patches, pool->ledger.nr, patch->taddr);
	if (lender < pool->ledger.nr)
		drop(request, func_of(pool, &pool->ledger.patches[lender]), count);
	if (*count == before)
		drop(request, func_of(pool, patch), count);
	for (uint32_t id = 1; id < request->nr_ids && *count == before; id++)
		drop(request, id, count);
}

/* Patch i of the pool is to come or go, and something is in its way. */
static bool is_busy(const struct request *request, const struct place *place,
		    const struct pool *pool, size_t i)
{
	const struct fca_patch *patch = &pool->ledger.patches[i];
	bool is_site = fc_patch_is_site(patch);
	if (pool->before[i] == pool->after[i])
		return false;
	return request->hook ? is_site && !may_write(place, pool, patch)
			     : !is_site && !may_remove(place, patch);
}

/* True: something was dropped, and what is to be there is another question now. */
static bool drop_busy(struct request *request)
{
	size_t before = request->ret->nr_busy + request->ret->nr_kept;
	fc_vec_each (&request->places, place)
		fc_vec_each (&place->pools, pool)
			for (size_t i = 0; i < pool->ledger.nr; i++)
				if (is_busy(request, place, pool, i))
					drop_patch(request, pool, &pool->ledger.patches[i]);
	return request->ret->nr_busy + request->ret->nr_kept != before;
}

/* Only where code may be overwritten that is in use: hooks, and hops in a neighbour's code. */
static void look_at_stacks(struct request *request)
{
	fc_vec_each (&request->places, place) {
		bool is_needed = request->hook;
		fc_vec_each (&place->pools, pool)
			for (size_t i = 0; i < pool->ledger.nr && !is_needed; i++)
				is_needed = pool->before[i] != pool->after[i] &&
					    !fc_patch_is_site(&pool->ledger.patches[i]);
		fc_auto_stackwalk struct fc_stackwalk stacks = { 0 };
		if (!is_needed || !place->pools.nr)
			continue;
		place->is_blind = fc_space_stacks(place->space, &stacks);
		if (!place->is_blind)
			fc_stackwalk_busy(&stacks, &place->standing, &place->busy);
	}
}

/* ---- the change ---- */

static void move(const struct fc_stand *stand, uint64_t to)
{
	fc_register_write(stand->tid, FC_REG_IP, to);
}

static void move_threads(const struct place *place, const struct pool *pool,
			 const struct fca_patch *patch, bool hook)
{
	fc_vec_each (&place->standing.threads, stand) {
		uint64_t off = stand->ip - patch->taddr;
		if (hook && patch->window && off && off <= patch->window) {
			uint64_t to = copy_of(place, pool, patch, stand->ip);
			if (to)
				move(stand, to);
		} else if (!hook && !patch->window && !off) {
			move(stand, fc_patch_site(patch));
		}
	}
}

/* Those that are to come, or those that are to go. */
static int change(const struct place *place, const struct pool *pool, bool hook)
{
	struct fc_patch *patches = fc_alloc((pool->ledger.nr + 1) * sizeof(*patches));
	size_t nr = 0;
	for (size_t i = 0; i < pool->ledger.nr; i++) {
		const struct fca_patch *entry = &pool->ledger.patches[i];
		if (pool->before[i] == pool->after[i] || pool->after[i] != hook)
			continue;
		move_threads(place, pool, entry, hook);
		patches[nr++] = fc_ledger_patch(entry);
	}
	int ret = hook ? fc_patch_redo(place->space->mem_fd, patches, nr)
		       : fc_patch_undo(place->space->mem_fd, patches, nr);
	free(patches);
	return ret;
}

/*
 * What has become of it. Functions whose hooks, or their hops, are not as they were to be are to be
 * as before: who lends a hop its place must stay hooked as long as it is there.
 */
static void look_after(struct request *request, const struct place *place, struct pool *pool)
{
	for (size_t i = 0; i < pool->ledger.nr; i++) {
		const struct fca_patch *entry = &pool->ledger.patches[i];
		struct fc_patch patch = fc_ledger_patch(entry);
		if (pool->before[i] == pool->after[i])
			continue;
		pool->before[i] = fc_patch_is_there(place->space->mem_fd, &patch);
		if (pool->before[i] != pool->after[i])
			drop(request, func_of(pool, entry), &request->ret->nr_failed);
	}
}

/* A function that could not be changed somewhere is made what it was elsewhere, too. */
static void change_back(struct request *request)
{
	fc_vec_each (&request->places, place)
		fc_vec_each (&place->pools, pool)
			look_after(request, place, pool);
	choose(request);
	fc_vec_each (&request->places, place)
		fc_vec_each (&place->pools, pool)
			change(place, pool, !request->hook);
}

static void change_all(struct request *request)
{
	bool has_failed = false;
	fc_vec_each (&request->places, place)
		fc_vec_each (&place->pools, pool) {
			int err = change(place, pool, request->hook);
			if (err && !has_failed)
				snprintf(request->ret->why, sizeof(request->ret->why),
					 "process %d: %s", place->space->pid, fc_fail_text());
			has_failed |= err != 0;
		}
	if (has_failed)
		change_back(request);
	for (uint32_t id = 1; id < request->nr_ids; id++)
		request->ret->nr_done += request->is_asked[id];
	set_asked(request, !request->hook);
}

/* All are held. */
static void rehook_held(struct fc_tracer *tracer, struct request *request)
{
	find_threads(tracer, request);
	choose(request);
	if (!request->hook)
		drop_kept(request);
	look_at_stacks(request);
	while (drop_busy(request))
		choose(request);
	change_all(request);
}

static void deinit(struct request *request)
{
	fc_vec_each (&request->places, place)
		deinit_place(place);
	fc_vec_free(&request->places);
	free(request->is_asked);
}

/*
 * A thread that waits for its vfork child, or in the kernel, may be stopped a little later.
 * *vain_ns: how long the others stood for nothing.
 */
static int hold(struct fc_tracer *tracer, uint64_t *since_ns, uint64_t *vain_ns)
{
	enum { TRIES = 10, HOLD_MS = 20, PAUSE_NS = 20 * 1000 * 1000 };
	int tid = 0;
	for (int i = 0; i < TRIES; i++) {
		*since_ns = fc_clock_mono_ns();
		if (fc_hold_all(tracer, HOLD_MS, &tid))
			return 0;
		fc_release_all(tracer);
		*vain_ns += fc_clock_mono_ns() - *since_ns;
		fc_hold_let_run(tracer, PAUSE_NS);
	}
	return fc_fail(EBUSY,
		       "thread %d cannot be stopped: it waits for its vfork child, or in the "
		       "kernel; try again",
		       tid);
}

/* It is wanted unhooked now: nobody need try again. */
static void drop_late(struct fc_late *late, uint32_t func)
{
	size_t kept = 0;
	fc_vec_each (&late->funcs, at)
		if (*at != func)
			late->funcs.at[kept++] = *at;
	late->funcs.nr = kept;
}

int fc_tracer_rehook(struct fc_tracer *tracer, const uint32_t *funcs, size_t nr, bool hook,
		     struct fc_rehooked *ret)
{
	struct fc_modules *modules = &tracer->shared.modules;
	struct request request = {
		.modules = modules,
		.hook = hook,
		.nr_ids = tracer->shared.numbers.funcs + 1,
		.is_asked = fc_alloc(tracer->shared.numbers.funcs + 2),
		.ret = ret,
	};
	size_t nr_asked = 0;
	*ret = (struct fc_rehooked){ 0 };
	for (size_t i = 0; i < nr; i++) {
		if (!funcs[i] || funcs[i] >= request.nr_ids || request.is_asked[funcs[i]])
			continue;
		if (hook && fc_modules_is_barred(modules, funcs[i])) {
			ret->nr_failed++;
			snprintf(ret->why, sizeof(ret->why),
				 "the program may write to their code");
			continue;
		}
		if (!hook)
			drop_late(&tracer->shared.late, funcs[i]);
		bool is_same = fc_modules_is_unhooked(modules, funcs[i]) != hook;
		request.is_asked[funcs[i]] = !is_same;
		ret->nr_same += is_same;
		nr_asked += !is_same;
	}
	uint64_t since_ns = 0;
	if (nr_asked)
		find_places(tracer, &request);
	int err = nr_asked ? hold(tracer, &since_ns, &ret->stop_ns) : 0;
	if (nr_asked && !err) {
		rehook_held(tracer, &request);
		fc_release_all(tracer);
		ret->stop_ns += fc_clock_mono_ns() - since_ns;
	}
	deinit(&request);
	return err;
}

/* ---- what was lost ---- */

/* A file's own bytes are where a hook is to be. */
static bool is_lost(const struct place *place, const struct fca_patch *entry)
{
	uint8_t found[FCA_MAX_PATCH];
	return entry->size &&
	       fc_remote_get(place->space->mem_fd, entry->taddr, found, entry->size) &&
	       !memcmp(found, entry->old, (size_t)entry->size);
}

/* False: none is. */
static bool find_lost(struct request *request, const struct fc_known *known,
		      struct place *place)
{
	bool is_any = false;
	add_pool(request, place, known);
	fc_vec_each (&place->pools, pool)
		for (size_t i = 0; i < pool->ledger.nr; i++) {
			const struct fca_patch *entry = &pool->ledger.patches[i];
			pool->after[i] = pool->before[i];
			if (!pool->before[i] || !is_lost(place, entry))
				continue;
			pool->before[i] = false;
			is_any = true;
			request->is_asked[func_of(pool, entry)] = true;
		}
	return is_any;
}

/* All are held. */
static int repair_held(struct fc_tracer *tracer, struct request *request,
		       struct fc_known *known)
{
	int ret = 0;
	find_threads(tracer, request);
	look_at_stacks(request);
	fc_vec_each (&request->places, place)
		fc_vec_each (&place->pools, pool) {
			for (size_t i = 0; i < pool->ledger.nr && !ret; i++)
				if (is_busy(request, place, pool, i))
					ret = fc_fail(EBUSY, FC_LATE_WHY);
			ret = ret ? ret : change(place, pool, true);
		}
	fc_known_has_lost(request->only, known); /* before another thread can take them away */
	return ret;
}

int fc_tracer_repair(struct fc_tracer *tracer, struct fc_space *space, struct fc_known *known,
		     struct fc_rehooked *ret)
{
	uint64_t since_ns = 0;
	struct request request = {
		.modules = &tracer->shared.modules,
		.hook = true,
		.nr_ids = tracer->shared.numbers.funcs + 1,
		.is_asked = fc_alloc(tracer->shared.numbers.funcs + 2),
		.ret = ret,
		.only = space,
	};
	struct place place = { .space = fc_space_share(space) };
	*ret = (struct fc_rehooked){ 0 };
	int err = 0;
	bool is_any = find_lost(&request, known, &place);
	fc_vec_push(&request.places, place);
	if (is_any)
		err = hold(tracer, &since_ns, &ret->stop_ns);
	if (is_any && !err) {
		err = repair_held(tracer, &request, known);
		fc_release_all(tracer);
		ret->stop_ns += fc_clock_mono_ns() - since_ns;
	}
	for (uint32_t id = 1; id < request.nr_ids && !err; id++)
		ret->nr_done += request.is_asked[id];
	deinit(&request);
	return err;
}
