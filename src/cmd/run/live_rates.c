/* SPDX-License-Identifier: Apache-2.0 */
/* live_rates.c - what functions did in each interval, as it ends. */
#include <string.h>

#include "cmd/run/live_private.h"

struct live_rates {
	struct fc_live live;
	struct fc_rates *rates;
	fc_live_taken taken;
	void *taken_ctx;
	FC_VEC(struct fc_live_told) later; /* for when the calls have come so far */
	uint64_t counts_tsc;		   /* of the last counts; 0: none came */
	bool has_taken;			   /* an interval has ended */
};

static struct live_rates *rates_of(struct fc_live *live)
{
	return (struct live_rates *)live;
}

static void rates_life(struct fc_live *live, const struct fc_life_info *life)
{
	bool is_thread = life->life == FC_LIFE_THREAD_EXIT;

	if (fc_live_ends_calls(life))
		fc_rates_task_end(rates_of(live)->rates, life->pid, is_thread ? life->tid : 0);
}

static void rates_told(struct fc_live *live, struct fc_live_told *told)
{
	fc_vec_push(&rates_of(live)->later, *told);
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
static void take_counts(struct live_rates *rates, const struct fc_live_told *told)
{
	fc_rates_counts(rates->rates, told->calls, (uint32_t)told->nr);
	rates->counts_tsc = told->tsc;
	end_interval(rates);
}

/* Counts and hooks that were told of up to then, each in its place among the calls. */
static void take_later(struct live_rates *rates, uint64_t tsc)
{
	size_t nr = 0;

	for (; nr < rates->later.nr && rates->later.at[nr].tsc <= tsc; nr++) {
		struct fc_live_told *told = &rates->later.at[nr];
		fc_merge_until(rates->live.merge, told->tsc);
		if (told->what == FC_TOLD_HOOKS)
			fc_rates_hooks(rates->rates, told->hooks, told->nr);
		else
			take_counts(rates, told);
		fc_live_told_free(told);
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
	/* What is over so soon has an interval nevertheless, from its first call on. */
	if (tsc == UINT64_MAX && rates->counts_tsc && !rates->has_taken)
		end_interval(rates);
}

static void rates_deinit(struct fc_live *live)
{
	struct live_rates *rates = rates_of(live);

	fc_rates_destroy(rates->rates);
	fc_vec_each (&rates->later, later)
		fc_live_told_free(later);
	fc_vec_free(&rates->later);
}

struct fc_live *fc_live_rates(const struct fc_settings *settings, fc_live_taken taken,
			      void *ctx)
{
	static const struct fc_live_show show = {
		.life = rates_life,
		.told = rates_told,
		.until = rates_until,
		.deinit = rates_deinit,
	};
	struct fc_live *live = fc_live_create(settings, &show, sizeof(struct live_rates));
	struct live_rates *rates = rates_of(live);

	live->tap.counts = fc_live_counts;
	live->tap.hooks = fc_live_hooks;
	rates->taken = taken;
	rates->taken_ctx = ctx;
	rates->rates = fc_rates_create();
	fc_live_connect(live, settings, fc_rates_sink(rates->rates));
	return live;
}
