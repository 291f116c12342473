/* SPDX-License-Identifier: Apache-2.0 */
/* wakings.c - finds the one call that can have ended a wait. */
#include "read/locks/wakings.h"

enum { MAX_WAKINGS = 1024 }; /* beyond, the oldest are forgotten */

uint64_t fc_wakings_begin(struct fc_wakings *wakings, const struct fc_waking *waking)
{
	fc_vec_push(&wakings->list, *waking);
	wakings->list.at[wakings->list.nr - 1].id = ++wakings->last_id;
	return wakings->last_id;
}

void fc_wakings_end(struct fc_wakings *wakings, uint64_t id, uint64_t tsc, uint64_t nr)
{
	fc_vec_each (&wakings->list, waking) {
		if (waking->id != id)
			continue;
		waking->is_open = false;
		waking->end = tsc;
		waking->left = nr;
	}
}

void fc_wakings_wait(struct fc_wakings *wakings, const struct fc_woken *wait)
{
	fc_vec_push(&wakings->waits, *wait);
}

void fc_wakings_doubt(struct fc_wakings *wakings, uint64_t tsc)
{
	if (tsc >= wakings->dropped_tsc)
		wakings->dropped_tsc = tsc + 1;
}

static bool may_be(const struct fc_waking *waking, const struct fc_woken *wait)
{
	return waking->left && waking->is_signal == wait->by_signal &&
	       waking->tid != wait->tid && (!wait->by_tid || waking->tid == wait->by_tid) &&
	       waking->begin <= wait->end && waking->end >= wait->begin;
}

/* Is there one whose number is not known yet? */
static bool is_early(const struct fc_wakings *wakings, const struct fc_woken *wait)
{
	fc_vec_each (&wakings->list, waking)
		if (waking->is_open && waking->is_signal == wait->by_signal &&
		    waking->begin <= wait->end)
			return true;
	return false;
}

static enum fc_woken_by find(struct fc_wakings *wakings, const struct fc_woken *wait,
			     struct fc_waking **ret)
{
	struct fc_waking *found = NULL;
	bool is_one_call = true;

	fc_vec_each (&wakings->list, waking) {
		if (!may_be(waking, wait))
			continue;
		if (found && (found->tid != waking->tid || found->func != waking->func))
			return FC_WOKEN_BY_SEVERAL;
		is_one_call &= !found;
		found = waking;
	}
	if (wait->begin < wakings->dropped_tsc && !(wait->by_tid && found))
		return FC_WOKEN_BY_SEVERAL;
	if (!found)
		return FC_WOKEN_BY_NOBODY;
	/* Of several calls of one thread nobody knows which: each may still have woken another. */
	if (is_one_call && found->left != FC_WAKES_ALL)
		found->left--;
	*ret = found;
	return FC_WOKEN_BY_ONE;
}

static void tell_one(struct fc_wakings *wakings, const struct fc_woken *wait, fc_woken_fn *fn,
		     void *ctx)
{
	struct fc_waking *by = NULL;
	enum fc_woken_by how = find(wakings, wait, &by);

	fn(ctx, wait, how, by);
}

static bool is_useless(const struct fc_waking *waking, uint64_t oldest_tsc)
{
	return !waking->is_open && (!waking->left || waking->end < oldest_tsc);
}

/* Of those that have ended; the list is sorted by begin. */
static void drop_oldest(struct fc_wakings *wakings, size_t nr_dropped)
{
	size_t nr = 0;

	fc_vec_each (&wakings->list, waking) {
		if (!nr_dropped || waking->is_open) {
			wakings->list.at[nr++] = *waking;
			continue;
		}
		nr_dropped--;
		fc_wakings_doubt(wakings, waking->end);
	}
	wakings->list.nr = nr;
}

static void forget(struct fc_wakings *wakings, uint64_t oldest_tsc)
{
	size_t nr = 0;

	fc_vec_each (&wakings->list, waking)
		if (!is_useless(waking, oldest_tsc))
			wakings->list.at[nr++] = *waking;
	wakings->list.nr = nr;
	if (nr <= MAX_WAKINGS)
		return;
	drop_oldest(wakings, nr / 2);
}

void fc_wakings_tell(struct fc_wakings *wakings, uint64_t oldest_tsc, fc_woken_fn *fn,
		     void *ctx)
{
	size_t nr = 0;

	fc_vec_each (&wakings->waits, wait) {
		if (nr || is_early(wakings, wait)) {
			wakings->waits.at[nr++] = *wait;
			if (wait->begin < oldest_tsc)
				oldest_tsc = wait->begin;
		} else {
			tell_one(wakings, wait, fn, ctx);
		}
	}
	wakings->waits.nr = nr;
	forget(wakings, oldest_tsc);
}

void fc_wakings_finish(struct fc_wakings *wakings, fc_woken_fn *fn, void *ctx)
{
	/* What has not returned may have woken any number. */
	fc_vec_each (&wakings->list, waking)
		if (waking->is_open)
			fc_wakings_end(wakings, waking->id, UINT64_MAX, FC_WAKES_ALL);
	fc_wakings_tell(wakings, UINT64_MAX, fn, ctx);
}

void fc_wakings_deinit(struct fc_wakings *wakings)
{
	fc_vec_free(&wakings->list);
	fc_vec_free(&wakings->waits);
}
