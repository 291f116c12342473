/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h - for each function of an ELF file: hooked, entry only or skipped, and why.
 *
 * Pure: reads the file's bytes, knows no target. One plan serves every process that maps
 * the file.
 */
#ifndef FC_CAPTURE_PATCH_PLAN_H
#define FC_CAPTURE_PATCH_PLAN_H

#include "capture/agent/abi.h"
#include "capture/patch/planned_probe.h"
#include "elf/elf.h"
#include "trace/source.h"

struct fc_plan_opts {
	bool exported_only; /* --libs=api for a library: those of FC_FUNC_API */
	bool control_only;  /* record nothing; hook only what the agent needs to know of */

	/* Static probes that are wanted (planned_probe.h), by name: "provider:name"; NULL: none. */
	bool (*asks_probe)(void *ctx, const struct fc_elf *elf, const char *name);
	void *ctx;

	struct fc_progress *progress; /* while it is made, and may be given up; or NULL */
};

struct fc_plan;
struct fc_progress;

/*
 * elf must outlive the plan. With a sentence: -ENOTSUP: a machine without a port; -ECANCELED: it
 * was given up.
 */
int fc_plan_create(const struct fc_elf *elf, const struct fc_plan_opts *opts,
		   struct fc_plan **ret);
void fc_plan_destroy(struct fc_plan *plan);

/*
 * Is there an unwinder in a file, or may there be one? It is hooked also where nothing else of the
 * file is. Its headers tell.
 */
bool fc_plan_has_unwinder(const struct fc_elf *elf);

/* Planning is over: what only that needs may go, here and in elf (fc_elf_forget()). */
void fc_plan_forget(struct fc_plan *plan);

/* As fc_takes_register(). */
bool fc_plan_takes_register(const struct fc_plan *plan);

/* Why functions that would be hooked are entry only, for the user to know; NULL: none is. */
const char *fc_plan_entry_only(const struct fc_plan *plan);

/* Is that so of some functions only? */
bool fc_plan_has_exits(const struct fc_plan *plan);

/* Is none of its functions hooked, as ld.so writes to their code? */
bool fc_plan_is_refused(const struct fc_plan *plan);

/* By vaddr: elf->funcs, and functions without symbol and FDE that were found; ids are 0 until fc_plan_number(). */
const struct fc_func_info *fc_plan_funcs(const struct fc_plan *plan, size_t *nr);
/* The last of them that begins at or before vaddr; NULL: none. */
const struct fc_func_info *fc_plan_info_before(const struct fc_plan *plan, uint64_t vaddr);

/* The probe that function i of a plan is; NULL: it is none. */
const struct fc_planned_probe *fc_plan_probe(const struct fc_plan *plan, size_t i);
static inline bool fc_plan_is_probe(const struct fc_plan *plan, size_t i)
{
	return fc_plan_probe(plan, i);
}

bool fc_plan_has_probes(const struct fc_plan *plan);
/* Those that are no functions of the plan, and why. */
struct fc_unplaced_probe {
	const char *name, *why;
};
const struct fc_unplaced_probe *fc_plan_unplaced_probes(const struct fc_plan *plan, size_t *nr);

struct fc_plan_sums {
	size_t hooked, entry_only, skipped, parts;
};
struct fc_plan_sums fc_plan_sums(const struct fc_plan *plan);

/*
 * Only what is called while certain functions are open is wanted (-F). is_asked: is this one of
 * them? Their stubs will be gates.
 */
void fc_plan_ask(struct fc_plan *plan,
		 bool (*is_asked)(void *ctx, const struct fc_func_info *func), void *ctx);
/*
 * Calls of some functions turn the recording of their thread on or off. turn_of: FCA_SWITCH_ON, FCA_SWITCH_OFF; 0: it
 * does neither. Before fc_plan_prune().
 */
void fc_plan_turn(struct fc_plan *plan,
		  uint8_t (*turn_of)(void *ctx, const struct fc_func_info *func), void *ctx);
/* Does function i, which has a hook? */
bool fc_plan_is_turned(const struct fc_plan *plan, size_t i);
/*
 * Functions of which it can be proven that they are never called while one of these is open are
 * not hooked, and why says so of them. Before fc_plan_number(). Returns how many are left out: 0
 * where nothing can be proven (reach.c).
 */
size_t fc_plan_prune(struct fc_plan *plan, const char *why);

/* Give the functions that are hooked or entry only ids from first on; returns the next free id. */
uint32_t fc_plan_number(struct fc_plan *plan, uint32_t first);

/* What the stub of function i can do; 0: it has none. */
enum {
	FC_PLAN_SWITCH = 1 << 0, /* be switched off (struct fc_arch: make_switch) */
	FC_PLAN_COUNT = 1 << 1,	 /* count calls then, if it is made for that */
};
unsigned fc_plan_can(const struct fc_plan *plan, size_t i);

/*
 * The plan made for one process: the bytes of a stub pool and what to write over the
 * functions' first bytes.
 */
struct fc_patch {
	uint64_t taddr;
	uint8_t size;
	uint8_t order;	      /* enum fc_patch_order */
	uint8_t undo;	      /* enum fca_undo */
	uint8_t kind, window; /* as in struct fca_patch, and: */
	int16_t from;
	uint32_t stub;
	bool is_data;		/* a semaphore: what is around it the program may write to */
	uint8_t old[8], new[8]; /* bytes before and after */
};

/*
 * Written in this order, and undone in the other, every moment in between is sound: a hop
 * may lie in bytes that the jump of a neighbour has made free, and a near jump leads to one.
 */
enum fc_patch_order {
	FC_PATCH_JUMP = 0,
	FC_PATCH_HOP,
	FC_PATCH_NEAR,
	FC_PATCH_PUN, /* leads where the neighbour's bytes, with their patch, say */
	FC_PATCH_NR_ORDERS,
};

/*
 * A function whose jump can only lead to some addresses (pun.c). It has no patch before
 * fc_stubs_place_pun().
 */
struct fc_pun {
	uint64_t taddr;	     /* of the jump */
	uint64_t stub_taddr; /* where it must lead in the end */
	uint64_t hop_taddr;  /* where it leads, to a jump of hop_size bytes; 0: nowhere yet */
	size_t func;	     /* as fc_plan_funcs() */
};

/* What is fetched of a function's calls: as struct fc_stub's. */
struct fc_fetched {
	const struct fca_fetches *values, *result;
};

/* What stubs do instead of recording calls. */
enum fc_counting {
	FC_COUNT_NEVER = 0,
	FC_COUNT_SWITCHED, /* they can be switched to only counting them (struct fc_arch: make_switch) */
	FC_COUNT_ONLY,	/* they only count them: nothing is recorded */
	FC_COUNT_EDGES, /* the same, by caller */
};

struct fc_stubs_opts {
	enum fc_counting counting;
	bool is_entry_only;	/* no return address is replaced */
	uint32_t nr_counters;	/* functions from this id on cannot be counted */
	uint64_t bias;		/* target address = vaddr + bias */
	uint64_t pool_taddr;	/* where the pool will be */
	const uint8_t *watches; /* of each function, as struct fc_stub's; NULL: none */
	const struct fc_fetched *fetched; /* the same */
	uint64_t doors[12]; /* target addresses of the agent's doors, by FCA_POOL_… */

	/*
	 * Target addresses, ascending, to which something will come back by other ways than a
	 * call's return: what they lie in the middle of stays as it is.
	 */
	const uint64_t *busy;
	size_t nr_busy;

	/*
	 * Not NULL: called for each part of the pool's head and code, as it is ready, instead of
	 * keeping all of it. Not 0 ends fc_plan_build().
	 */
	int (*write)(void *ctx, size_t off, const uint8_t *bytes, size_t size);
	void *ctx;
};

struct fc_stubs {
	const struct fc_plan *plan;
	struct fc_stubs_opts opts;
	uint8_t *pool;		  /* its head and its code; NULL: all was written */
	size_t pool_off;	  /* where in the pool that is */
	size_t code_size;	  /* head and code */
	size_t room;		  /* fc_plan_pool_size() */
	struct fca_patch *ledger; /* fc_stubs_add_ledger() */
	size_t nr_ledger;
	size_t ledger_off;	  /* from there to the end of the room */
	uint32_t *offs;		  /* of each function's stub in the pool; 0: it has none */
	uint8_t *undo;		  /* enum fca_undo of each function's patches */
	struct fc_patch *patches; /* by taddr */
	size_t nr_patches;
	struct fc_pun *puns; /* by taddr */
	size_t nr_puns;
	size_t nr_far; /* functions left out because an operand was out of reach */
	/*
	 * Of functions in opts.busy's way, as fc_plan_funcs(): those whose patches are among the
	 * others, but must not be written before nothing is in the way any more; and those that
	 * were left out.
	 */
	size_t *late, *busy;
	size_t nr_late, nr_busy;
	size_t nr_uncounted; /* functions left out because of opts.nr_counters */
};

/* Bytes that a pool for this plan needs at most; 0: nothing to hook. */
size_t fc_plan_pool_size(const struct fc_plan *plan, enum fc_counting counting,
			 const struct fc_fetched *fetched);
/* 0, or what opts->write() returned. */
int fc_plan_build(const struct fc_plan *plan, const struct fc_stubs_opts *opts,
		  struct fc_stubs *ret);
void fc_stubs_deinit(struct fc_stubs *stubs);

/*
 * The name of a function that walks the stack, and so has to be hooked where others are, which
 * nr busy addresses (as opts->busy) would keep from it; NULL: there is none.
 */
const char *fc_plan_busy_unwinder(const struct fc_plan *plan, uint64_t bias,
				  const uint64_t *busy, size_t nr);

/*
 * All patches are known: add the ledger to the pool, with the pages that were mapped for the
 * hops of puns.
 */
void fc_stubs_add_ledger(struct fc_stubs *stubs, const struct fca_pool *pages, size_t nr_pages);
/* What the pool's head says of it, at FCA_POOL_LEDGER. */
void fc_stubs_ledger_head(const struct fc_stubs *stubs, uint32_t ret[2]);

/*
 * Where pun i may lead: [*first, *last]. The bytes that it shares may be those of a function
 * behind it that is patched: ask from the last to the first, each after its next was placed.
 */
void fc_stubs_pun_range(const struct fc_stubs *stubs, size_t i, uint64_t *first,
			uint64_t *last);
/* It leads to hop_taddr: adds its patch, and says in hop what must be there. */
enum { FC_HOP_MAX = 16 };
size_t fc_stubs_place_pun(struct fc_stubs *stubs, size_t i, uint64_t hop_taddr,
			  uint8_t hop[FC_HOP_MAX]);

/*
 * For a thread that stands where patches are about to be. plan must still be there.
 *
 *   f:    55           push %rbp             f:    jmp stub
 *   f+1:  48 89 e5     mov %rsp, %rbp   -->        stub's body:  push %rbp
 *   f+4:  ...                                          body+1:   mov %rsp, %rbp
 *
 * The address of the copy of the instruction at taddr; 0 if a thread may stay there: it is not
 * overwritten, or it is where the jump begins. The way back is in the pool's ledger.
 */
uint64_t fc_stubs_moved_to(const struct fc_stubs *stubs, uint64_t taddr);

#endif
