/* SPDX-License-Identifier: Apache-2.0 */
/* lock.c - sums the waits for one lock, by who waited, who had it meanwhile, and who woke. */
#include "read/locks/lock.h"

#include <stdlib.h>

#include "base/memory.h"

/* ---- sums ---- */

static void add_time(struct fc_lock_times *times, uint64_t ticks)
{
	times->waits++;
	times->total += ticks;
	if (ticks > times->longest)
		times->longest = ticks;
}

static struct fc_lock_who *who_of(struct fc_lock *lock, enum fc_lock_role role,
				  const struct fc_lock_who *like)
{
	fc_vec_each (&lock->who[role], who)
		if (who->tid == like->tid && who->func == like->func &&
		    who->nobody == like->nobody)
			return who;
	fc_vec_push(&lock->who[role], *like);
	return &lock->who[role].at[lock->who[role].nr - 1];
}

static void add_who(struct fc_lock *lock, enum fc_lock_role role, struct fc_lock_who like,
		    uint64_t ticks)
{
	add_time(&who_of(lock, role, &like)->times, ticks);
}

/* ---- who has it ---- */

static bool excludes(const struct fc_lock_hold *hold, const struct fc_lock_ask *ask)
{
	return hold->tid != ask->tid && !(hold->is_shared && ask->is_shared);
}

static struct fc_lock_part *part_of(struct fc_lock_ask *ask, const struct fc_lock_hold *hold)
{
	fc_vec_each (&ask->parts, part)
		if (part->tid == hold->tid && part->func == hold->func)
			return part;
	fc_vec_push(&ask->parts, (struct fc_lock_part){ .tid = hold->tid, .func = hold->func });
	return &ask->parts.at[ask->parts.nr - 1];
}

static void add_part(const struct fc_lock_hold *hold, struct fc_lock_ask *ask, uint64_t tsc)
{
	uint64_t from = ask->begin > hold->since ? ask->begin : hold->since;

	part_of(ask, hold)->ticks += tsc > from ? tsc - from : 0;
}

static void end_hold(struct fc_lock *lock, size_t i, struct fc_lock_by by, uint64_t tsc)
{
	struct fc_lock_hold hold = lock->holds.at[i];

	lock->holds.at[i] = lock->holds.at[--lock->holds.nr];
	if (!lock->holds.nr)
		lock->released =
			(struct fc_waking){ .tid = by.tid, .strand = by.strand, .begin = tsc };
	for (struct fc_lock_ask *ask = lock->asks; ask; ask = ask->next)
		if (excludes(&hold, ask))
			add_part(&hold, ask, tsc);
}

/*
 * Whoever has it that cannot have it together with this one has released it, or died, which was not
 * recorded: since when nobody knows.
 */
static void drop_stale(struct fc_lock *lock, const struct fc_lock_hold *by)
{
	size_t nr = 0;

	fc_vec_each (&lock->holds, hold)
		if (hold->tid == by->tid || (hold->is_shared && by->is_shared))
			lock->holds.at[nr++] = *hold;
	lock->holds.nr = nr;
}

void fc_lock_hold(struct fc_lock *lock, struct fc_lock_by by, bool is_shared, uint64_t tsc)
{
	struct fc_lock_hold hold = { by.tid, by.func, 1, is_shared, tsc };

	lock->taken++;
	drop_stale(lock, &hold);
	fc_vec_each (&lock->holds, mine)
		if (mine->tid == by.tid) {
			mine->depth++;
			return;
		}
	fc_vec_push(&lock->holds, hold);
	for (struct fc_lock_ask *ask = lock->asks; ask; ask = ask->next)
		ask->has_waited |= excludes(&hold, ask);
}

bool fc_lock_release(struct fc_lock *lock, struct fc_lock_by by, uint64_t tsc)
{
	for (size_t i = 0; i < lock->holds.nr; i++) {
		if (lock->holds.at[i].tid != by.tid)
			continue;
		if (!--lock->holds.at[i].depth)
			end_hold(lock, i, by, tsc);
		return true;
	}
	return false;
}

void fc_lock_release_any(struct fc_lock *lock, struct fc_lock_by by, uint64_t tsc)
{
	if (lock->holds.nr == 1 && !lock->holds.at[0].is_shared)
		end_hold(lock, 0, by, tsc);
}

/* ---- who asks for it ---- */

struct fc_lock_ask *fc_lock_ask(struct fc_lock *lock, struct fc_lock_by by, bool is_shared,
				uint64_t tsc)
{
	struct fc_lock_ask *ask = fc_alloc(sizeof(*ask));

	*ask = (struct fc_lock_ask){ .next = lock->asks,
				     .tid = by.tid,
				     .strand = by.strand,
				     .func = by.func,
				     .is_shared = is_shared,
				     .begin = tsc };
	lock->asks = ask;
	fc_vec_each (&lock->holds, hold)
		ask->has_waited |= excludes(hold, ask);
	return ask;
}

void fc_lock_ask_sees(struct fc_lock_ask *ask, const struct fc_lock_hold *hold, uint32_t doing)
{
	if (excludes(hold, ask))
		part_of(ask, hold)->doing = doing;
}

static void take_out(struct fc_lock *lock, const struct fc_lock_ask *ask)
{
	struct fc_lock_ask **at = &lock->asks;

	while (*at && *at != ask)
		at = &(*at)->next;
	if (*at)
		*at = ask->next;
}

static uint64_t oldest_ask(const struct fc_lock *lock)
{
	uint64_t ret = UINT64_MAX;

	for (const struct fc_lock_ask *ask = lock->asks; ask; ask = ask->next)
		if (ask->begin < ret)
			ret = ask->begin;
	return ret;
}

static void tell_wake(const struct fc_lock *lock, const struct fc_woken *wait,
		      const struct fc_waking *by)
{
	struct fc_lock_wake wake = { .pid = lock->pid,
				     .from_tid = by->tid,
				     .from_strand = by->strand,
				     .from_tsc = by->begin,
				     .to_tid = wait->tid,
				     .to_strand = wait->strand,
				     .to_tsc = wait->end };

	if (lock->teller)
		lock->teller->tell(lock->teller->ctx, &wake);
}

static void tell_woken(void *ctx, const struct fc_woken *wait, enum fc_woken_by how,
		       const struct fc_waking *by)
{
	struct fc_lock *lock = ctx;
	struct fc_lock_who who = { 0 };

	if (how == FC_WOKEN_BY_ONE)
		who = (struct fc_lock_who){ .tid = by->tid, .func = by->func };
	else
		who.nobody =
			how == FC_WOKEN_BY_SEVERAL ? FC_LOCK_ONE_OF_MANY : FC_LOCK_NOT_TRACED;
	add_who(lock, FC_LOCK_WOKE, who, wait->ticks);
	if (how == FC_WOKEN_BY_ONE)
		tell_wake(lock, wait, by);
}

static void tell_all(struct fc_lock *lock)
{
	fc_wakings_tell(&lock->wakings, oldest_ask(lock), tell_woken, lock);
}

/* Was the lock released for it, as far as that is known without a sleep? By the last who had it. */
static bool was_released(const struct fc_lock *lock, const struct fc_woken *wait)
{
	return lock->released.tid && lock->released.tid != wait->tid &&
	       lock->released.begin >= wait->begin && lock->released.begin <= wait->end;
}

/* Who woke it; nobody, if it got the lock without a sleep. */
static void add_woken(struct fc_lock *lock, const struct fc_lock_ask *ask, uint64_t tsc)
{
	bool by_signal = ask->sleep == FC_LOCK_NO_SLEEP;
	struct fc_woken wait = { .tid = ask->tid,
				 .strand = ask->strand,
				 .by_signal = by_signal,
				 .by_tid = by_signal ? 0 : ask->woken_by,
				 .begin = by_signal ? ask->begin : ask->sleep_begin,
				 .end = by_signal ? tsc : ask->sleep_end,
				 .ticks = tsc - ask->begin };

	if (ask->sleep == FC_LOCK_SLEEP_WOKEN || (by_signal && !fc_lock_has_holder(lock->kind)))
		fc_wakings_wait(&lock->wakings, &wait);
	else if (by_signal && was_released(lock, &wait))
		tell_wake(lock, &wait, &lock->released);
}

static void add_ended(struct fc_lock *lock, const struct fc_lock_ask *ask, uint64_t tsc,
		      enum fc_lock_ending ending)
{
	static const enum fc_lock_nobody nobody[] = {
		[FC_LOCK_ENDED_TIMEOUT] = FC_LOCK_TIMEOUT,
		[FC_LOCK_ENDED_INTERRUPTED] = FC_LOCK_INTERRUPTED,
		[FC_LOCK_ENDED_FAILED] = FC_LOCK_FAILED,
		[FC_LOCK_ENDED_LEFT] = FC_LOCK_LEFT,
		[FC_LOCK_ENDED_NEVER] = FC_LOCK_NOT_OVER,
	};

	if (ending == FC_LOCK_ENDED)
		add_woken(lock, ask, tsc);
	else
		add_who(lock, FC_LOCK_WOKE, (struct fc_lock_who){ .nobody = nobody[ending] },
			tsc - ask->begin);
}

static void add_holder(struct fc_lock *lock, const struct fc_lock_part *part)
{
	struct fc_lock_who like = { .tid = part->tid, .func = part->func };
	struct fc_lock_who *who = who_of(lock, FC_LOCK_HELD, &like);

	if (!who->times.waits || part->ticks > who->times.longest)
		who->doing = part->doing;
	add_time(&who->times, part->ticks);
}

/* Who had it meanwhile. */
static void add_holders(struct fc_lock *lock, struct fc_lock_ask *ask, uint64_t tsc)
{
	bool has_holders = lock->has_ops && fc_lock_has_holder(lock->kind);

	fc_vec_each (&lock->holds, hold)
		if (excludes(hold, ask))
			add_part(hold, ask, tsc);
	fc_vec_each (&ask->parts, part)
		add_holder(lock, part);
	if (!ask->parts.nr && has_holders)
		add_who(lock, FC_LOCK_HELD,
			(struct fc_lock_who){ .nobody = FC_LOCK_NOT_TRACED }, tsc - ask->begin);
}

static void add_wait(struct fc_lock *lock, struct fc_lock_ask *ask, uint64_t tsc,
		     enum fc_lock_ending ending)
{
	uint64_t ticks = tsc - ask->begin;

	if (!lock->times.waits || ticks > lock->times.longest)
		lock->longest_tsc = ask->begin;
	add_time(&lock->times, ticks);
	add_who(lock, FC_LOCK_WAITED,
		(struct fc_lock_who){ .tid = ask->tid, .func = ask->func }, ticks);
	add_holders(lock, ask, tsc);
	add_ended(lock, ask, tsc, ending);
}

static void free_ask(struct fc_lock_ask *ask)
{
	fc_vec_free(&ask->parts);
	free(ask);
}

void fc_lock_ask_end(struct fc_lock *lock, struct fc_lock_ask *ask, uint64_t tsc,
		     enum fc_lock_ending ending)
{
	if (tsc < ask->begin)
		tsc = ask->begin;
	take_out(lock, ask);
	ask->has_waited |= ending == FC_LOCK_ENDED_TIMEOUT || ending == FC_LOCK_ENDED_FAILED;
	if (ask->has_waited && ending != FC_LOCK_ENDED_AT_ONCE)
		add_wait(lock, ask, tsc, ending);
	tell_all(lock);
	free_ask(ask);
}

/* ---- who wakes ---- */

void fc_lock_signal(struct fc_lock *lock, struct fc_lock_by by, uint64_t tsc, uint64_t nr)
{
	struct fc_waking waking = { .tid = by.tid,
				    .strand = by.strand,
				    .func = by.func,
				    .is_signal = true,
				    .begin = tsc,
				    .end = tsc,
				    .left = nr };

	for (struct fc_lock_ask *ask = lock->asks; ask; ask = ask->next)
		ask->has_waited |= ask->tid != by.tid;
	fc_wakings_begin(&lock->wakings, &waking);
	tell_all(lock);
}

uint64_t fc_lock_wake(struct fc_lock *lock, struct fc_lock_by by, uint64_t tsc)
{
	struct fc_waking waking = { .tid = by.tid,
				    .strand = by.strand,
				    .func = by.func,
				    .is_open = true,
				    .begin = tsc };

	return fc_wakings_begin(&lock->wakings, &waking);
}

void fc_lock_wake_end(struct fc_lock *lock, uint64_t id, uint64_t tsc, uint64_t nr)
{
	fc_wakings_end(&lock->wakings, id, tsc, nr);
	tell_all(lock);
}

/* ---- what is not known ---- */

void fc_lock_doubt(struct fc_lock *lock, int tid, uint64_t tsc)
{
	for (size_t i = lock->holds.nr; i-- > 0;)
		if (!tid || lock->holds.at[i].tid == tid)
			end_hold(lock, i, (struct fc_lock_by){ 0 }, tsc);
	lock->released.tid = 0;
	fc_wakings_doubt(&lock->wakings, tsc);
}

/* ---- its end ---- */

void fc_lock_forget(struct fc_lock *lock)
{
	fc_wakings_finish(&lock->wakings, tell_woken, lock);
	lock->holds.nr = 0;
}

void fc_lock_finish(struct fc_lock *lock)
{
	fc_wakings_finish(&lock->wakings, tell_woken, lock);
}

void fc_lock_deinit(struct fc_lock *lock)
{
	for (struct fc_lock_ask *ask = lock->asks, *next; ask; ask = next) {
		next = ask->next;
		free_ask(ask);
	}
	for (size_t i = 0; i < FC_NR_LOCK_ROLES; i++)
		fc_vec_free(&lock->who[i]);
	fc_vec_free(&lock->holds);
	fc_wakings_deinit(&lock->wakings);
}
