/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/budget.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/whole.h"

#define MS 1e6
#define S  1e9

#define WINDOW_NS      (5 * MS) /* the program's time between two looks that say something */
#define FREE_NS	       (1 * S)	/* in the beginning it may cost what it costs */
#define CREDIT_NS      (3 * S) /* what was not spent counts for so much of the program's time, */
#define SPEND_NS       (200 * MS) /* and calls may take so much of that at once */
#define REPAY_NS       (500 * MS) /* and a debt is paid back within so much of it */
#define RAISE_NS       (100 * MS) /* looks at what could be more come so often, */
#define TRY_NS	       (1 * S)	  /* and for what is out, whose threads must be stopped */
#define FIRST_WAIT     (500 * MS) /* what fell stays so long, then twice that, then... */
#define MAX_FALLS      8
#define TRIED_AT_LEAST 4
#define TRIAL_NS       (10 * MS)

#define AIM    0.9  /* of the share: what calls are reckoned to cost after a change */
#define ENOUGH 0.75 /* with less than that, functions come back */
#define COUNTS 0.25 /* of the share may go into counting */
#define STOPS                                                                                  \
	0.15 /* and into stopping threads for hooks that come back, and as much for others */
#define PAYS   4    /* or whenever it saves, within a second, so often what it takes */
#define TRIALS 0.05 /* and that into trying one that was out, for so long: */
#define SMOOTH 0.3

void fc_budget_init(struct fc_budget *budget, double share, struct fc_budget_costs costs,
		    uint64_t now_ns)
{
	*budget = (struct fc_budget){
		.share = share,
		.costs = costs,
		.start_ns = now_ns,
		.last_ns = now_ns,
		.next_raise_ns = now_ns,
	};
}

void fc_budget_deinit(struct fc_budget *budget)
{
	fc_vec_free(&budget->funcs);
	fc_vec_free(&budget->changes);
}

void fc_budget_add(struct fc_budget *budget, uint32_t func, unsigned can)
{
	while (budget->funcs.nr <= func)
		fc_vec_push(&budget->funcs, (struct fc_budget_func){ 0 });
	budget->funcs.at[func].can = can;
}

enum fc_hook_state fc_budget_state(const struct fc_budget *budget, uint32_t func)
{
	return func < budget->funcs.nr ? budget->funcs.at[func].state : FC_HOOK_RECORDED;
}

void fc_budget_set(struct fc_budget *budget, uint32_t func, enum fc_hook_state state)
{
	budget->funcs.at[func].state = state;
}

void fc_budget_leave(struct fc_budget *budget, uint32_t func, bool is_left)
{
	budget->funcs.at[func].is_left = is_left;
}

void fc_budget_cannot_go(struct fc_budget *budget, uint32_t func)
{
	budget->funcs.at[func].can &= ~FC_CAN_GO;
}

void fc_budget_charge(struct fc_budget *budget, double ns)
{
	budget->charged_ns += ns;
}

void fc_budget_charge_stop(struct fc_budget *budget, bool hook, double ns)
{
	uint64_t *next = hook ? &budget->next_try_ns : &budget->next_out_ns;
	uint64_t at = fc_whole_sum(budget->last_ns, fc_whole(ns / (budget->share * STOPS)));
	fc_budget_charge(budget, ns);
	if (!hook)
		budget->out_stop_ns = ns;
	if (budget->last_ns - budget->start_ns >= FREE_NS && *next < at)
		*next = at;
}

bool fc_budget_affords(const struct fc_budget *budget, double ns)
{
	return !budget->own_ns || budget->debt_ns + budget->charged_ns + ns <= 0;
}

/* ---- what it has cost ---- */

/* Calls of a function since the last look, of its kind. */
struct seen {
	uint32_t func;
	uint64_t calls;
	double cost_ns;
};

struct seen_list {
	struct seen *at;
	size_t nr, room;
};

static double cost_of(const struct fc_budget *budget, enum fc_hook_state state, double calls)
{
	switch (state) {
	case FC_HOOK_RECORDED:
		return calls * budget->costs.recorded;
	case FC_HOOK_COUNTED:
		return calls * budget->costs.counted;
	default:
		return 0;
	}
}

/* Sums grow, unless the program writes over its counters. */
static uint64_t grown(uint64_t *last, uint64_t now)
{
	uint64_t by = now > *last ? now - *last : 0;
	*last = now;
	return by;
}

static double take_calls(struct fc_budget *budget, const uint64_t *recorded,
			 const uint64_t *counted, uint32_t nr, struct seen_list *ret)
{
	double sum = 0;
	for (uint32_t i = 1; i < nr && i < budget->funcs.nr; i++) {
		struct fc_budget_func *f = &budget->funcs.at[i];
		uint64_t full = grown(&f->recorded, recorded[i]);
		uint64_t light = grown(&f->counted, counted[i]);
		if (!full && !light)
			continue;
		struct seen seen = {
			.func = i,
			.calls = full + light,
			.cost_ns = cost_of(budget, FC_HOOK_RECORDED, full) +
				   cost_of(budget, FC_HOOK_COUNTED, light),
		};
		sum += seen.cost_ns;
		fc_vec_push(ret, seen);
	}
	return sum;
}

static void smooth(struct fc_budget *budget, const struct seen_list *list, double own_ns)
{
	for (size_t i = 1; i < budget->funcs.nr; i++)
		if (budget->funcs.at[i].state != FC_HOOK_OUT)
			budget->funcs.at[i].rate *= 1 - SMOOTH;
	fc_vec_each (list, seen)
		budget->funcs.at[seen->func].rate += SMOOTH * seen->calls / own_ns;
}

/* ---- less ---- */

static int most_expensive_first(const void *a, const void *b)
{
	const struct seen *left = a, *right = b;
	return (left->cost_ns < right->cost_ns) - (left->cost_ns > right->cost_ns);
}

static void change(struct fc_budget *budget, uint32_t func, enum fc_hook_state state)
{
	budget->funcs.at[func].state = state;
	fc_vec_push(&budget->changes, (struct fc_budget_change){ func, state });
}

/* Each fall makes the next wait longer, and to try what is called so often has a price. */
static void fall(struct fc_budget *budget, uint32_t func, enum fc_hook_state state,
		 uint64_t now_ns)
{
	struct fc_budget_func *f = &budget->funcs.at[func];
	double wait_ns = FIRST_WAIT * (1u << f->nr_falls);
	double price_ns = f->rate * budget->costs.counted * TRIAL_NS;
	if (wait_ns < price_ns / (budget->share * TRIALS))
		wait_ns = price_ns / (budget->share * TRIALS);
	change(budget, func, state);
	f->again_ns = fc_whole_sum(now_ns, fc_whole(wait_ns));
	if (f->nr_falls < MAX_FALLS)
		f->nr_falls++;
}

/*
 * What it is to be when it has to be less than it is. To count is a switch; to go takes a stop
 * of all threads, for which it may not be time yet.
 */
static enum fc_hook_state less(const struct fc_budget *budget, const struct seen *seen,
			       double counts_left_ns, bool may_go)
{
	const struct fc_budget_func *f = &budget->funcs.at[seen->func];
	bool may_count = f->state == FC_HOOK_RECORDED && f->can & FC_CAN_COUNT;
	double light_ns = cost_of(budget, FC_HOOK_COUNTED, (double)seen->calls);
	may_go = may_go && f->can & FC_CAN_GO;
	if (may_count && (light_ns <= counts_left_ns || !may_go))
		return FC_HOOK_COUNTED;
	return may_go ? FC_HOOK_OUT : (enum fc_hook_state)f->state;
}

/* What is counted already, in this list. */
static double counts_ns(const struct fc_budget *budget, const struct seen_list *list)
{
	double sum = 0;
	fc_vec_each (list, seen)
		if (budget->funcs.at[seen->func].state == FC_HOOK_COUNTED)
			sum += seen->cost_ns;
	return sum;
}

/*
 * While tracing is most of the time, what is left to the program is a small difference of
 * large figures: no more than three quarters go at once, then another look is taken.
 */
static void lower(struct fc_budget *budget, struct seen_list *list, double cost_ns,
		  double allowed_ns, double own_ns, uint64_t now_ns)
{
	double counts_left_ns = allowed_ns * COUNTS - counts_ns(budget, list);
	double aim_ns = allowed_ns * AIM > cost_ns / 4 ? allowed_ns * AIM : cost_ns / 4;
	double saved_ns = (cost_ns - allowed_ns) / own_ns * S;
	bool may_go = now_ns >= budget->next_out_ns || saved_ns > PAYS * budget->out_stop_ns;
	qsort(list->at, list->nr, sizeof(*list->at), most_expensive_first);
	for (size_t i = 0; i < list->nr && cost_ns > aim_ns; i++) {
		const struct seen *seen = &list->at[i];
		enum fc_hook_state was = fc_budget_state(budget, seen->func);
		/* A counted one goes when counting is what costs too much. */
		if (was == FC_HOOK_OUT || (was == FC_HOOK_COUNTED && counts_left_ns > 0))
			continue;
		enum fc_hook_state state = less(budget, seen, counts_left_ns / 4, may_go);
		if (state == was)
			continue;
		double after_ns = cost_of(budget, state, (double)seen->calls);
		cost_ns -= seen->cost_ns - after_ns;
		counts_left_ns += (was == FC_HOOK_COUNTED ? seen->cost_ns : 0) - after_ns;
		if (budget->funcs.at[seen->func].rate < (double)seen->calls / own_ns)
			budget->funcs.at[seen->func].rate = (double)seen->calls / own_ns;
		fall(budget, seen->func, state, now_ns);
	}
}

/* ---- more ---- */

struct wish {
	uint32_t func;
	double rate;
};

struct wish_list {
	struct wish *at;
	size_t nr, room;
};

static int cheapest_first(const void *a, const void *b)
{
	const struct wish *left = a, *right = b;
	return (left->rate > right->rate) - (left->rate < right->rate);
}

static void collect(const struct fc_budget *budget, enum fc_hook_state state, uint64_t now_ns,
		    struct wish_list *ret)
{
	for (uint32_t i = 1; i < budget->funcs.nr; i++) {
		const struct fc_budget_func *f = &budget->funcs.at[i];
		if (f->state == state && f->again_ns <= now_ns && !f->is_left)
			fc_vec_push(ret, (struct wish){ i, f->rate });
	}
	if (ret->nr)
		qsort(ret->at, ret->nr, sizeof(*ret->at), cheapest_first);
}

/* room: of the program's time, as a share of it. */
static void raise_counted(struct fc_budget *budget, double room, uint64_t now_ns)
{
	struct wish_list wishes = { 0 };
	collect(budget, FC_HOOK_COUNTED, now_ns, &wishes);
	fc_vec_each (&wishes, wish) {
		room -= cost_of(budget, FC_HOOK_RECORDED, wish->rate);
		if (room < 0)
			break;
		change(budget, wish->func, FC_HOOK_RECORDED);
	}
	fc_vec_free(&wishes);
}

/* What they would cost now is not known: their counts will tell. */
static void try_again(struct fc_budget *budget, double room, uint64_t now_ns)
{
	struct wish_list wishes = { 0 };
	collect(budget, FC_HOOK_OUT, now_ns, &wishes);
	for (size_t i = 0; i < wishes.nr; i++) {
		struct fc_budget_func *f = &budget->funcs.at[wishes.at[i].func];
		room -= cost_of(budget, FC_HOOK_COUNTED, f->rate);
		if (room < 0 && i >= TRIED_AT_LEAST)
			break;
		f->again_ns = now_ns + (uint64_t)FIRST_WAIT;
		change(budget, wishes.at[i].func,
		       f->can & FC_CAN_COUNT ? FC_HOOK_COUNTED : FC_HOOK_RECORDED);
	}
	fc_vec_free(&wishes);
}

/* ---- a look ---- */

static void keep_account(struct fc_budget *budget, double cost_ns, double own_ns,
			 uint64_t now_ns)
{
	double credit_ns = budget->share * CREDIT_NS;
	if (now_ns - budget->start_ns < FREE_NS)
		return;
	budget->own_ns += own_ns;
	budget->cost_ns += cost_ns;
	budget->debt_ns += cost_ns - budget->share * own_ns;
	if (budget->debt_ns < -credit_ns)
		budget->debt_ns = -credit_ns;
}

void fc_budget_look(struct fc_budget *budget, uint64_t now_ns, uint64_t cpu_ns,
		    const uint64_t *recorded, const uint64_t *counted, uint32_t nr)
{
	double ran_ns =
		cpu_ns > budget->last_cpu_ns ? (double)(cpu_ns - budget->last_cpu_ns) : 0;
	budget->changes.nr = 0;
	budget->last_ns = now_ns;
	if (cpu_ns < budget->last_cpu_ns) /* some of it is not traced any more */
		budget->last_cpu_ns = cpu_ns;
	if (ran_ns < WINDOW_NS)
		return;
	struct seen_list list = { 0 };
	double calls_ns = take_calls(budget, recorded, counted, nr, &list);
	/* A reckoned cost may be above the truth: something of the time is the program's. */
	double own_ns = ran_ns - calls_ns > ran_ns / 20 ? ran_ns - calls_ns : ran_ns / 20;
	keep_account(budget, calls_ns + budget->charged_ns, own_ns, now_ns);
	smooth(budget, &list, own_ns);

	double repay = own_ns < REPAY_NS ? own_ns / REPAY_NS : 1;
	double debt_ns = budget->debt_ns < -budget->share * SPEND_NS ? -budget->share * SPEND_NS
								     : budget->debt_ns;
	double allowed_ns = budget->share * own_ns - debt_ns * repay;
	if (allowed_ns < budget->share * own_ns / 10)
		allowed_ns = budget->share * own_ns / 10;
	if (calls_ns > allowed_ns) {
		lower(budget, &list, calls_ns, allowed_ns, own_ns, now_ns);
	} else if (calls_ns < allowed_ns * ENOUGH && now_ns >= budget->next_raise_ns) {
		raise_counted(budget, (allowed_ns * AIM - calls_ns) / own_ns, now_ns);
		budget->next_raise_ns = now_ns + (uint64_t)RAISE_NS;
		if (now_ns >= budget->next_try_ns) {
			try_again(budget, (allowed_ns * AIM - calls_ns) / own_ns / 2, now_ns);
			budget->next_try_ns = now_ns + (uint64_t)TRY_NS;
		}
	}
	budget->last_cpu_ns = cpu_ns;
	budget->charged_ns = 0;
	fc_vec_free(&list);
}
