/* SPDX-License-Identifier: Apache-2.0 */
/* live_rates.c - what functions did in each interval, as it ends. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cmd/run/live_private.h"

/* Counts or hooks, for when the calls have come so far. */
struct later {
	uint64_t tsc;
	uint64_t *calls;	    /* by function id */
	struct fc_hook_info *hooks; /* NULL: it is counts */
	size_t nr;
};

struct live_rates {
	struct fc_live live;
	struct fc_rates *rates;
	fc_live_taken taken;
	void *taken_ctx;
	FC_VEC(struct later) later;
	uint64_t counts_tsc; /* of the last counts; 0: none came */
	bool has_taken;	     /* an interval has ended */
};

static struct live_rates *rates_of(struct fc_live *live)
{
	return (struct live_rates *)live;
}

static void rates_life(struct fc_live *live, const struct fc_life_info *life)
{
	if (fc_life_ends_calls(life))
		fc_rates_task_end(rates_of(live)->rates, life->pid, fc_life_ended_tid(life));
}

static int rates_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	fc_vec_push(&((struct live_rates *)tap)->later,
		    (struct later){ .tsc = tsc,
				    .calls = fc_memdup(calls, nr * sizeof(*calls)),
				    .nr = nr });
	return 0;
}

static int rates_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	if (nr)
		fc_vec_push(&((struct live_rates *)tap)->later,
			    (struct later){ .tsc = info->tsc,
					    .hooks = fc_memdup(info, nr * sizeof(*info)),
					    .nr = nr });
	return 0;
}

static void later_free(const struct later *later)
{
	free(later->calls);
	free(later->hooks);
}

static void end_interval(struct live_rates *rates)
{
	struct fc_rates_view view;

	if (!fc_rates_close(rates->rates, rates->live.calls, rates->counts_tsc, &view))
		return;
	rates->has_taken = true;
	rates->taken(rates->taken_ctx, &view);
}

/* An interval ends where the counts were taken. */
static void take_counts(struct live_rates *rates, const struct later *later)
{
	fc_rates_counts(rates->rates, later->calls, (uint32_t)later->nr);
	rates->counts_tsc = later->tsc;
	end_interval(rates);
}

/* Counts and hooks that were told of up to then, each in its place among the calls. */
static void take_later(struct live_rates *rates, uint64_t tsc)
{
	size_t nr = 0;

	for (; nr < rates->later.nr && rates->later.at[nr].tsc <= tsc; nr++) {
		const struct later *later = &rates->later.at[nr];
		fc_merge_until(rates->live.merge, later->tsc);
		if (later->hooks)
			fc_rates_hooks(rates->rates, later->hooks, later->nr);
		else
			take_counts(rates, later);
		later_free(later);
	}
	rates->later.nr -= nr;
	if (rates->later.nr)
		memmove(rates->later.at, rates->later.at + nr,
			rates->later.nr * sizeof(*rates->later.at));
}

static void rates_until(struct fc_live *live, uint64_t tsc)
{
	struct live_rates *rates = rates_of(live);

	take_later(rates, tsc);
	/* If the program ends before the first interval does, one begins with its first call. */
	if (tsc == UINT64_MAX && rates->counts_tsc && !rates->has_taken)
		end_interval(rates);
}

static void rates_deinit(struct fc_live *live)
{
	struct live_rates *rates = rates_of(live);

	fc_rates_destroy(rates->rates);
	fc_vec_each (&rates->later, later)
		later_free(later);
	fc_vec_free(&rates->later);
}

struct fc_live *fc_live_rates(const struct fc_settings *settings, fc_live_taken taken,
			      void *ctx)
{
	static const struct fc_live_show show = {
		.life = rates_life,
		.until = rates_until,
		.deinit = rates_deinit,
	};
	struct fc_live *live = fc_live_create(settings, &show, sizeof(struct live_rates));
	struct live_rates *rates = rates_of(live);

	live->tap.counts = rates_counts;
	live->tap.hooks = rates_hooks;
	rates->taken = taken;
	rates->taken_ctx = ctx;
	rates->rates = fc_rates_create();
	fc_live_connect(live, settings, fc_rates_sink(rates->rates));
	return live;
}
