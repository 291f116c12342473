/* SPDX-License-Identifier: Apache-2.0 */
/* plan_private.h - what plan.c decides and stubs.c writes. */
#ifndef FC_CAPTURE_PATCH_PLAN_PRIVATE_H
#define FC_CAPTURE_PATCH_PLAN_PRIVATE_H

#include <errno.h>

#include "arch/arch.h"
#include "base/progress.h"
#include "capture/patch/known/slicer.h"
#include "capture/patch/plan.h"
#include "capture/patch/site.h"
#include "trace/record.h"

struct fc_planned {
	struct fc_site site;
	const char *why;     /* why; for a hooked function this will be the tactic */
	uint8_t kind;	     /* enum fc_stub_kind */
	uint8_t how;	     /* enum fc_how: what it is when a jump fits, and, above, */
	uint8_t stack_check; /* bytes that stay in front of the window: Go's, 0 elsewhere */
	bool is_called, is_jumped_to; /* by a branch of its module; where it matters */
	uint8_t turns;		      /* fc_plan_turn() */
	bool is_asked : 1;	      /* fc_plan_ask() */
	bool is_refused : 1;	      /* was to be hooked, but no far jump fits */
	bool loops : 1;		      /* it jumps to its own start, from behind its window */
	bool is_walker : 1;	      /* its kind is an unwinder's, and it is none */
	bool is_hooked : 1; /* gets a stub; true also for those that record nothing (FC_STUB_DL) */
};

_Static_assert(sizeof(struct fc_planned) <= 40, "large programs have many of these");

struct fc_plan {
	const struct fc_elf *elf;
	const struct fc_arch *arch;
	struct fc_plan_opts opts;
	const char *engine; /* why no return address may be replaced (engine.c), or NULL */
	const char *tables; /* why some functions' may not: returned_to (returns.c), or NULL */
	bool *returned_to;  /* as funcs: it is called from where a table says; or NULL */
	uint64_t apart_start, apart_end; /* as fc_fence_find() */
	bool takes_register;		 /* as fc_takes_register() */
	uint64_t lends_at;		 /* as fc_sanitizer_tracer() */
	struct fc_slicers slicers;
	uint64_t counts_at;	/* as fc_profiler_find() */
	bool tells_callers;	/* as fc_profiler_is_called() */
	char *texts;		/* reasons and names of a plan that was saved, or NULL */
	bool fdes_tell;		/* a function without an FDE is not a compiler's */
	bool has_fdes;		/* more than start-up code has */
	bool may_hide_unwinder; /* fc_plan_may_hide_unwinder() */
	char *out_of_reach;	/* why fc_plan_prune() has left functions out, or NULL */
	struct fc_planned_probe *probes; /* by vaddr */
	size_t nr_probes;
	struct fc_unplaced_probe *unplaced;
	size_t nr_unplaced;
	size_t nr_elsewhere; /* returns to what code has pushed, in no known function */
	/*
	 * Those of elf, and what else is one; by vaddr. NULL: it was forgotten, or the plan was
	 * saved.
	 */
	struct fc_func *funcs;
	struct fc_func_info *infos; /* as funcs */
	struct fc_planned *planned; /* as funcs */
	size_t nr;
	bool is_cut;			    /* by fc_plan_number(): some had no id */
	const struct fc_code_range *ranges; /* elf's */
	size_t nr_ranges;
};

/* Why all functions of a file are entry only: the engine in it, or NULL. */
const char *fc_plan_engine(const struct fc_elf *elf);
/* In such a file: why a function with this window must stay as it is, or NULL. */
const char *fc_plan_read_by_runtime(const struct fc_plan *plan, const struct fc_window *window);
bool fc_planned_is_unwinder(const struct fc_planned *planned);
/* May there be an unwinder in a file that none of its names tells of? (unwinder.c) */
bool fc_plan_may_hide_unwinder(const struct fc_elf *elf);
/* Fill in tables and returned_to, once funcs are known. */
void fc_plan_find_returns(struct fc_plan *plan);
/* As fc_plan_engine(), when all functions are judged: no unwinder is among them, and there must be one. */
const char *fc_plan_lost_unwinder(const struct fc_plan *plan);

/* A plan without functions. */
struct fc_plan *fc_plan_new(const struct fc_elf *elf, const struct fc_arch *arch,
			    const struct fc_plan_opts *opts);

/* To be asked for each i of a loop whose steps are short. */
static inline bool fc_plan_is_given_up(const struct fc_plan *plan, size_t i)
{
	return i % 256 == 0 && fc_progress_did(plan->opts.progress, 0);
}

/* The end of the code range that holds vaddr, 0 if none does. */
uint64_t fc_plan_range_end(const struct fc_plan *plan, uint64_t vaddr);

const struct fc_planned_probe *fc_plan_probe_at(const struct fc_plan *plan, uint64_t vaddr);

/* The first behind i that is no static probe; nr: there is none. */
size_t fc_plan_next(const struct fc_plan *plan, size_t i);
/* The last before i that is none; i: there is none. */
size_t fc_plan_previous(const struct fc_plan *plan, size_t i);

/* Function i's window for a jump, as arch->jumps->window() says it. */
const char *fc_plan_window(const struct fc_plan *plan, size_t i, uint8_t jump_size,
			   uint8_t need, struct fc_window *ret);

/* Fill in funcs: those of the file's tables, and those that its code and data lead to. */
void fc_plan_find_funcs(struct fc_plan *plan);

/* The function that vaddr lies in or behind, NULL before the first. */
struct fc_planned *fc_plan_at(const struct fc_plan *plan, uint64_t vaddr);
/* In whose bytes, or behind whom, the hop of its near jump is; NULL: it has none. */
struct fc_planned *fc_plan_lender(const struct fc_plan *plan, const struct fc_planned *p);
/* The same, of no probe. */
struct fc_func *fc_plan_func_at(const struct fc_plan *plan, uint64_t vaddr);

/*
 * A function without a name that does not start where functions are aligned to may be a part
 * of one that its unwind information does not give away. Branches tell.
 */
static inline bool fc_plan_may_be_part(const struct fc_plan *plan, size_t i)
{
	const struct fc_func *func = &plan->funcs[i];
	bool is_likely = func->vaddr % 16 == 0 && !(func->flags & FC_FUNC_FOUND);
	return !func->name && !is_likely && plan->infos[i].how != FC_HOW_PART;
}

/* Function i is hooked at a site of this kind, which a trace names so. */
void fc_plan_hook(struct fc_plan *plan, size_t i, enum fc_site_kind kind,
		  const struct fc_window *window, const char *tactic);

/* Does nothing run out of function i into what is behind it? Some assembly does, into nops. */
bool fc_plan_is_over(const struct fc_plan *plan, size_t i);

#endif
