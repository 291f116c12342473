/* SPDX-License-Identifier: Apache-2.0 */
/*
 * budget.h - how much tracing may slow a program down, and which functions that leaves.
 *
 * Pure: figures in, decisions out. A look takes what was called since the last one and how
 * long the program ran, reckons what tracing has cost, and moves functions between
 *
 *   recorded --> counted --> out        the most expensive first, while it costs too much
 *   recorded <-- counted <-- out        the cheapest first, when there is room
 *
 * Recorded: as ever. Counted: its stub only counts. Out: its hook is out of its code, and
 * nothing is known of its calls; it is tried again now and then, ever more rarely.
 */
#ifndef FC_CAPTURE_DRAIN_BUDGET_H
#define FC_CAPTURE_DRAIN_BUDGET_H

#include "base/vec.h"
#include "trace/source.h"

/* ns of the program's time a call. */
struct fc_budget_costs {
	double recorded, counted;
};

/* What a function can be but recorded. */
enum fc_budget_can {
	FC_CAN_COUNT = 1 << 0,
	FC_CAN_GO = 1 << 1,
};

struct fc_budget_func {
	uint64_t recorded, counted; /* calls at the last look */
	double rate;		    /* calls a ns of the program's own time, smoothed */
	uint64_t again_ns;	    /* not to be more than it is before that time */
	uint8_t state;		    /* enum fc_hook_state */
	uint8_t can;		    /* enum fc_budget_can */
	uint8_t nr_falls;	    /* how often it was found too expensive */
	bool is_left;		    /* the user has decided what it is */
};

struct fc_budget_change {
	uint32_t func;
	uint8_t state; /* to be from now on */
};

struct fc_budget {
	double share; /* 0.05: of 1 s of the program's own time, 50 ms */
	struct fc_budget_costs costs;
	FC_VEC(struct fc_budget_func) funcs;	 /* by id */
	FC_VEC(struct fc_budget_change) changes; /* what the last look has decided */
	uint64_t start_ns, last_ns, last_cpu_ns, next_raise_ns, next_try_ns, next_out_ns;
	double charged_ns;  /* costs told since the last look */
	double out_stop_ns; /* how long the last stop took for hooks that went */
	double debt_ns; /* spent above the share since the start; not below a little credit */
	double own_ns;	/* of the program, since the first second */
	double cost_ns; /* of tracing, since then */
};

void fc_budget_init(struct fc_budget *budget, double share, struct fc_budget_costs costs,
		    uint64_t now_ns);
void fc_budget_deinit(struct fc_budget *budget);

/* Function func is hooked and recorded; can: enum fc_budget_can. */
void fc_budget_add(struct fc_budget *budget, uint32_t func, unsigned can);

enum fc_hook_state fc_budget_state(const struct fc_budget *budget, uint32_t func);

/* It could not become what was decided, but is in this state. */
void fc_budget_set(struct fc_budget *budget, uint32_t func, enum fc_hook_state state);
/* From now on the user decides what it is; or the budget, again. */
void fc_budget_leave(struct fc_budget *budget, uint32_t func, bool is_left);
/* Its hook has to stay. */
void fc_budget_cannot_go(struct fc_budget *budget, uint32_t func);

/* The program waited so long for something else: a hook that was written. */
void fc_budget_charge(struct fc_budget *budget, double ns);

/* The same, for hooks that were taken out or written again: seldom, if that takes long. */
void fc_budget_charge_stop(struct fc_budget *budget, bool hook, double ns);

/* May so much more be spent at once? */
bool fc_budget_affords(const struct fc_budget *budget, double ns);

/*
 * cpu_ns is what the program has run until now_ns; recorded and counted are calls by function
 * id, below nr, since the start. ->changes are to be carried out.
 */
void fc_budget_look(struct fc_budget *budget, uint64_t now_ns, uint64_t cpu_ns,
		    const uint64_t *recorded, const uint64_t *counted, uint32_t nr);

#endif
