/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of each function of a file: it is hooked, and how, or why not. */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/crew.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/patch/branches.h"
#include "capture/patch/known/fence.h"
#include "capture/patch/known/strand_register.h"
#include "capture/patch/known/profiler.h"
#include "capture/patch/known/rule.h"
#include "capture/patch/known/sanitizer.h"
#include "capture/patch/plan_private.h"
#include "capture/patch/probe_sites.h"

/* How a function is to be treated, before a look at whether a jump fits. */
struct verdict {
	bool is_hooked;
	enum fc_how how;
	enum fc_stub_kind kind;
	const char *why;
	bool is_walker; /* as in struct fc_planned */
};

static struct verdict skip(const char *why)
{
	return (struct verdict){ false, FC_HOW_SKIPPED, FC_STUB_CALL, why };
}

static const struct verdict a_part = { false, FC_HOW_PART, FC_STUB_CALL,
				       "a part of a function, entered by a jump" };

/* Without a name it may be setjmp, or an unwinder: true return addresses serve both. */
static const struct verdict may_unwind = { true, FC_HOW_ENTRY_ONLY, FC_STUB_UNWIND,
					   "looks at its return address" };

/* It is not left out of what walks past it, and sees the true return addresses of its callers. */
static const struct verdict walks_frames = { true, FC_HOW_ENTRY_ONLY, FC_STUB_UNWIND,
					     "looks at the return addresses of its callers",
					     true };

static const struct verdict hooked = { true, FC_HOW_HOOKED, FC_STUB_CALL, NULL };

static struct verdict entry_only(const char *why)
{
	return (struct verdict){ true, FC_HOW_ENTRY_ONLY, FC_STUB_ENTRY_ONLY, why };
}

/* The agent must know of its calls, also when nobody asked for them. */
static struct verdict watched(const struct fc_rule *rule, enum fc_stub_kind kind,
			      bool is_wanted)
{
	return (struct verdict){ true, is_wanted ? FC_HOW_ENTRY_ONLY : FC_HOW_SKIPPED, kind,
				 rule->why };
}

static struct verdict by_rule(const struct fc_rule *rule, bool is_wanted)
{
	static const uint8_t watched_by[] = {
		[FC_RULE_FILTER] = FC_STUB_FILTER,	[FC_RULE_TRACE] = FC_STUB_TRACE,
		[FC_RULE_LEND] = FC_STUB_LEND,		[FC_RULE_RIGHTS] = FC_STUB_RIGHTS,
		[FC_RULE_WRITE] = FC_STUB_WRITE,	[FC_RULE_UNWIND] = FC_STUB_UNWIND,
		[FC_RULE_RAISE] = FC_STUB_RAISE,	[FC_RULE_FORCE] = FC_STUB_FORCE,
		[FC_RULE_SLICE] = FC_STUB_SLICE,	[FC_RULE_COME] = FC_STUB_COME,
		[FC_RULE_CONTEXT] = FC_STUB_ENTRY_ONLY, [FC_RULE_LANDED] = FC_STUB_ENTRY_ONLY,
		[FC_RULE_LIMIT] = FC_STUB_LIMIT,	[FC_RULE_LOCK] = FC_STUB_LOCK,
	};
	switch (rule->kind) {
	case FC_RULE_SKIP:
		return skip(rule->why);
	case FC_RULE_ENTRY_ONLY:
		return entry_only(rule->why);
	case FC_RULE_DL:
		return (struct verdict){ true, FC_HOW_SKIPPED, FC_STUB_DL, rule->why };
	default:
		return watched(rule, watched_by[rule->kind],
			       is_wanted && rule->kind != FC_RULE_LANDED);
	}
}

/*
 * Compilers have each function call it: that is no call of the program's, and nobody wants to see it. glibc's
 * __cyg_profile_func_enter() does nothing at all.
 */
static struct verdict judge_profiler(const struct fc_plan *plan, const struct fc_func *func,
				     const struct fc_rule *rule)
{
	enum { NR_READ = 8 };
	uint64_t end = fc_plan_range_end(plan, func->vaddr);
	const uint8_t *code = end - func->vaddr >= NR_READ
				      ? fc_elf_bytes(plan->elf, func->vaddr, NR_READ)
				      : NULL;
	if (code && plan->arch->code->traits(code) & FC_TRAIT_RETURNS)
		return skip("called by what a compiler has added to functions, and does "
			    "nothing");
	return watched(rule, FC_STUB_CALLER, false);
}

static enum fc_slot_use use_of_slot(const struct fc_plan *plan, const struct fc_func *func)
{
	size_t size = func->size ? func->size : 64;
	const uint8_t *code = fc_elf_bytes(plan->elf, func->vaddr, size);
	return code ? plan->arch->code->slot_use(code, size) : FC_SLOT_PLAIN;
}

/*
 * longjmp, which leaves its callers. glibc's makes calls before, for which they are still there:
 * where all of these are seen, only the function at its end that does jump is told apart.
 */
static struct verdict judge_jump(const struct fc_plan *plan, const struct fc_func *func,
				 const struct fc_rule *rule, bool is_wanted)
{
	if (!is_wanted || use_of_slot(plan, func) == FC_SLOT_LEFT)
		return watched(rule, FC_STUB_JUMP, is_wanted);
	if (plan->opts.exported_only)
		return watched(rule, FC_STUB_JUMP_LATER, is_wanted);
	return hooked;
}

static const char *unwanted(const struct fc_plan_opts *opts, const struct fc_func *func)
{
	if (opts->control_only)
		return "its module was not asked for";
	if (opts->exported_only && !(func->flags & FC_FUNC_API))
		return "internal to its library (--libs=all hooks it)";
	return NULL;
}

static size_t stack_check(const struct fc_plan *plan, const struct fc_func *func)
{
	const uint8_t *code = fc_elf_bytes(plan->elf, func->vaddr, func->size);
	return code ? plan->arch->code->go_stack_check(code, func->size) : 0;
}

/*
 * Go moves stacks, and the return addresses on them must be its own. Stacks are small: only
 * behind a function's own check it is sure that there is room for a stub and the agent (800
 * bytes: StackGuard less StackSmall). When the check fails, the function starts over.
 */
static struct verdict judge_go(const struct fc_plan *plan, const struct fc_func *func)
{
	if (!stack_check(plan, func))
		return skip("Go code that does not check for room on its stack");
	return (struct verdict){ true, FC_HOW_ENTRY_ONLY, FC_STUB_GO,
				 "a Go function: its stack may be moved" };
}

/*
 * May code without symbols and unwind information be other than what compilers of C and Pascal
 * make? These give unwind information to all functions or none. A return to what was pushed
 * comes once in start-up code, and often in what just-in-time compilers call.
 */
static bool in_doubt(const struct fc_plan *plan)
{
	enum { START_UP = 4 };
	return plan->has_fdes || plan->nr_elsewhere > START_UP;
}

static bool is_start_or_signal(const struct fc_plan *plan, const struct fc_func *func)
{
	return func->vaddr == plan->elf->entry ||
	       func->flags & (FC_FUNC_NO_RETURN_ADDRESS | FC_FUNC_SIGNAL) ||
	       fc_elf_is_linkage(plan->elf, func->vaddr);
}

/* The program may write there, and a jump would be in its way. */
static bool is_writable(const struct fc_elf *elf, uint64_t vaddr)
{
	for (size_t i = 0; i < elf->nr_segments; i++)
		if (elf->segments[i].is_write &&
		    vaddr - elf->segments[i].vaddr < elf->segments[i].memsz)
			return true;
	return false;
}

/*
 * Of what is not wanted, too, an unwinder is hooked, though no name tells of it; and who walks from
 * frame to frame, in a file whose branches are known.
 */
static struct verdict judge_unwanted(const struct fc_plan *plan, const struct fc_func *func,
				     const char *no)
{
	const struct fc_elf *elf = plan->elf;
	if ((plan->opts.control_only && !plan->may_hide_unwinder) ||
	    func->flags & (FC_FUNC_IFUNC | FC_FUNC_PART) || elf->has_textrel || elf->is_go ||
	    is_start_or_signal(plan, func))
		return skip(no);
	enum fc_slot_use use = use_of_slot(plan, func);
	bool is_unwinder = use == FC_SLOT_READ && plan->may_hide_unwinder &&
			   !(func->name && func->flags & FC_FUNC_FDE);
	if (!is_unwinder && use != FC_SLOT_WALKED)
		return skip(no);
	return (struct verdict){ true, FC_HOW_SKIPPED, FC_STUB_UNWIND, no, !is_unwinder };
}

/* It may have parts behind its size. */
static uint64_t end_of(const struct fc_plan *plan, size_t i)
{
	size_t next = fc_plan_next(plan, i);
	return next < plan->nr ? plan->funcs[next].vaddr : UINT64_MAX;
}

static bool is_in(const struct fc_plan *plan, const struct fc_func *func, uint64_t vaddr)
{
	return vaddr && vaddr >= func->vaddr && vaddr < end_of(plan, func - plan->funcs);
}

/* Known by what it does: stripped runtimes have no name for it. */
static const struct fc_rule *rule_of(const struct fc_plan *plan, const struct fc_func *func)
{
	static const struct fc_rule lends = { "", FC_RULE_LEND,
					      "has the program's threads traced" };
	static const struct fc_rule counts = {
		"", FC_RULE_CALLER, "called by what a compiler has added to functions"
	};
	if (is_in(plan, func, plan->lends_at))
		return &lends;
	if (is_in(plan, func, plan->counts_at))
		return &counts;
	const struct fc_rule *slicer =
		fc_slicer_rule(&plan->slicers, func->vaddr, end_of(plan, func - plan->funcs));
	if (slicer)
		return slicer;
	return func->name ? fc_rule_find(func->name) : NULL;
}

/* What a C library chooses for these, if the kernel has it. */
static bool is_by_kernel(const struct fc_func *ifunc)
{
	const char *name = ifunc->name ? ifunc->name : "";
	return !strcmp(name, "time") || !strcmp(name, "gettimeofday");
}

/* By what it does with its return address, and with its callers'. */
static struct verdict judge_use(const struct fc_plan *plan, const struct fc_func *func)
{
	bool is_compiled = func->name && func->flags & FC_FUNC_FDE &&
			   !(func->flags & FC_FUNC_CHOSEN) && !plan->tables;
	switch (use_of_slot(plan, func)) {
	case FC_SLOT_WALKED:
		return is_compiled ? walks_frames : may_unwind;
	case FC_SLOT_READ:
		if (!is_compiled)
			return may_unwind;
		return plan->tells_callers ? hooked : entry_only("looks at its return address");
	case FC_SLOT_LEFT:
		return is_compiled ? hooked : entry_only("leaves its stack");
	default:
		return hooked;
	}
}

static struct verdict judge(const struct fc_plan *plan, const struct fc_func *func)
{
	const struct fc_elf *elf = plan->elf;
	const char *no = unwanted(&plan->opts, func);
	const struct fc_rule *rule = rule_of(plan, func);
	bool is_own = rule && rule->kind != FC_RULE_SKIP && rule->kind != FC_RULE_ENTRY_ONLY;

	if (is_writable(elf, func->vaddr))
		return skip("its code can be written to");
	if (func->vaddr - plan->apart_start < plan->apart_end - plan->apart_start)
		return skip("for the program that this one translates: no CPU runs it");
	if (no && !is_own)
		return rule ? skip(no) : judge_unwanted(plan, func, no);
	if (func->vaddr == elf->entry || func->flags & FC_FUNC_NO_RETURN_ADDRESS)
		return skip("the program's entry: it has no return address");
	if (func->flags & FC_FUNC_SIGNAL)
		return skip("returns from a signal");
	if (fc_elf_is_linkage(elf, func->vaddr))
		return skip("glue of the linker");
	if (rule && rule->kind == FC_RULE_JUMP)
		return judge_jump(plan, func, rule, !no);
	if (rule && rule->kind == FC_RULE_CALLER)
		return judge_profiler(plan, func, rule);
	if (rule && (rule->kind != FC_RULE_LANDED || no))
		return by_rule(rule, !no);
	if (func->flags & FC_FUNC_IFUNC)
		return skip(is_by_kernel(func) ? "its resolver: it chooses the kernel's code "
						 "(vdso), which is not hooked"
					       : "its resolver: what it chooses is the "
						 "function (ifunc)");
	if (func->flags & FC_FUNC_PART)
		return a_part;
	if (elf->has_textrel)
		return skip("its module relocates its code");
	bool has_fde = func->flags & FC_FUNC_FDE;
	if (elf->is_go && !has_fde)
		return judge_go(plan, func);
	bool is_found = func->flags & FC_FUNC_FOUND;
	if (is_found && !func->name && in_doubt(plan))
		return entry_only("no symbol and no unwind information: found by calls of it");
	if (plan->fdes_tell && !has_fde && !is_found)
		return entry_only("assembly without unwind information");
	if (plan->tables && plan->returned_to[func - plan->funcs])
		return entry_only(plan->tables);
	struct verdict by_use = judge_use(plan, func);
	if (by_use.kind == FC_STUB_CALL && plan->engine)
		return entry_only(plan->engine);
	return by_use;
}

static void unhook(struct fc_plan *plan, struct fc_planned *planned, struct verdict verdict)
{
	struct fc_func_info *info = &plan->infos[planned - plan->planned];
	planned->is_hooked = false;
	info->how = verdict.how;
	info->why = verdict.why;
}

/* No far jump fits; a near one may. */
static void refuse(struct fc_plan *plan, struct fc_planned *planned, const char *why)
{
	unhook(plan, planned, skip(why));
	planned->is_refused = true;
}

/* A site of the first kind that fits; NULL, or why the last one does not. */
static const char *find_site(struct fc_plan *plan, size_t i)
{
	const char *why = NULL;
	for (int kind = 0; kind < FC_SITE_NR_KINDS; kind++)
		if (fc_site_ops[kind]->find && !(why = fc_site_ops[kind]->find(plan, i)))
			return NULL;
	return why;
}

static void plan_function(struct fc_plan *plan, size_t i)
{
	const struct fc_func *func = &plan->funcs[i];
	struct fc_planned *planned = &plan->planned[i];
	if (func->flags & FC_FUNC_PROBE) /* when all others are planned */
		return;
	struct verdict verdict = judge(plan, func);
	planned->kind = verdict.kind;
	planned->how = verdict.how;
	planned->why = verdict.why;
	planned->is_walker = verdict.is_walker;
	if (!verdict.is_hooked) {
		unhook(plan, planned, verdict);
		return;
	}
	if (plan->elf->is_go && !(func->flags & FC_FUNC_FDE))
		planned->stack_check = stack_check(plan, func);
	const char *why = find_site(plan, i);
	if (why)
		refuse(plan, planned, why);
}

static bool overwrites(const struct fc_planned *planned, uint64_t vaddr)
{
	return vaddr - planned->site.window.vaddr < planned->site.window.jump_size;
}

/* NULL: there is none. */
static struct fc_planned *before(const struct fc_plan *plan, const struct fc_planned *planned)
{
	size_t i = planned - plan->planned, previous = fc_plan_previous(plan, i);
	return previous < i ? &plan->planned[previous] : NULL;
}

static void refuse_target(struct fc_branches *branches, struct fc_branch branch)
{
	struct fc_plan *plan = branches->plan;
	/* A window behind an endbr64 may reach behind the next function's entry. */
	struct fc_planned *hit = fc_plan_at(plan, branch.to);
	if (!hit || !hit->is_hooked || !overwrites(hit, branch.to))
		hit = hit ? before(plan, hit) : NULL;
	if (!hit || !hit->is_hooked || branch.to <= hit->site.window.vaddr ||
	    !overwrites(hit, branch.to) || !fc_branches_is_real(branches, branch))
		return;
	/* A cold part of nothing but landing pads begins with a nop, where no frame is. */
	if (branch.kind == FC_BRANCH_LANDING && fc_plan_may_be_part(plan, hit - plan->planned))
		unhook(plan, hit, a_part);
	else
		refuse(plan, hit, "a branch goes into its first 5 bytes");
}

/* A jump from a function's own code, behind its window, to its start. */
static bool is_own_loop(const struct fc_plan *plan, const struct fc_planned *planned,
			struct fc_branch branch)
{
	const struct fc_func *func = &plan->funcs[planned - plan->planned];
	return planned->is_hooked &&
	       (branch.kind == FC_BRANCH_JUMP || branch.kind == FC_BRANCH_IF) &&
	       branch.from >= planned->site.window.vaddr + planned->site.window.size &&
	       branch.from < func->vaddr + func->size;
}

static void note_branch(struct fc_branches *branches, struct fc_branch branch)
{
	struct fc_plan *plan = branches->plan;
	struct fc_planned *hit = fc_plan_at(plan, branch.to);
	if (!hit || plan->funcs[hit - plan->planned].vaddr != branch.to) {
		refuse_target(branches, branch);
		return;
	}
	if (is_own_loop(plan, hit, branch)) {
		hit->loops = hit->loops || fc_branches_is_real(branches, branch);
		return;
	}
	bool *known = branch.kind == FC_BRANCH_CALL   ? &hit->is_called
		      : branch.kind != FC_BRANCH_JUMP ? &hit->is_jumped_to
						      : NULL;
	if (known && !*known)
		*known = fc_branches_is_real(branches, branch);
}

/*
 * A conditional jump or an unwinder leads here and no call does: compilers make no such
 * tail calls. Of what only calls tell of, such a jump makes a loop or a part.
 */
static void drop_parts(struct fc_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		struct fc_planned *planned = &plan->planned[i];
		bool is_found = plan->funcs[i].flags & FC_FUNC_FOUND;
		if (planned->is_jumped_to && (is_found || !planned->is_called) &&
		    fc_plan_may_be_part(plan, i))
			unhook(plan, planned, a_part);
	}
}

/* No branch, from wherever in the module, may go into bytes that are overwritten. */
static void check_branches(struct fc_plan *plan)
{
	struct fc_branches branches;
	fc_branches_init(&branches, plan);
	for (size_t i = 0; i < branches.hits.list.nr && !fc_plan_is_given_up(plan, i); i++)
		note_branch(&branches, branches.hits.list.at[i]);
	drop_parts(plan);
	for (int kind = 0; kind < FC_SITE_NR_KINDS; kind++)
		if (fc_site_ops[kind]->find_among)
			fc_site_ops[kind]->find_among(plan, &branches);
	fc_branches_deinit(&branches);
}

/*
 * In a file whose functions have unwind information, one without is assembly that may do
 * anything. Some files have none but of their start-up code: musl.
 */
static void count_fdes(struct fc_plan *plan)
{
	enum { START_UP = 16 };
	const struct fc_elf *elf = plan->elf;
	size_t with = 0;
	for (size_t i = 0; i < elf->nr_funcs; i++)
		with += (elf->funcs[i].flags & FC_FUNC_FDE) != 0;
	plan->fdes_tell = elf->has_eh_frame && with > elf->nr_funcs / 2;
	plan->has_fdes = with > START_UP;
}

enum { PORTION = 1024, COST = 1000 }; /* of functions, for a thread; of each */

/* One function's plan needs no other's. */
static void plan_portion(void *ctx, size_t nr)
{
	struct fc_plan *plan = ctx;
	struct fc_progress *progress = plan->opts.progress;
	if (fc_progress_is_over(progress))
		return;
	for (size_t i = nr * PORTION; i < plan->nr && i < (nr + 1) * PORTION; i++)
		plan_function(plan, i);
	fc_progress_did(progress, PORTION * COST);
}

static void plan_functions(struct fc_plan *plan)
{
	memset(plan->planned, 0, plan->nr * sizeof(*plan->planned));
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_func *func = &plan->funcs[i];
		plan->infos[i] = (struct fc_func_info){ func->name, func->vaddr, func->size };
	}
	size_t nr_portions = (plan->nr + PORTION - 1) / PORTION;
	fc_progress_add(plan->opts.progress, plan->elf->path, nr_portions * PORTION * COST);
	fc_crew_each(nr_portions, plan_portion, plan);
}

static void make(struct fc_plan *plan)
{
	const struct fc_plan_opts *opts = &plan->opts;
	plan->engine = fc_plan_engine(plan->elf);
	plan->may_hide_unwinder = fc_plan_may_hide_unwinder(plan->elf);
	bool has_branches = !opts->control_only || plan->may_hide_unwinder || opts->asks_probe;
	if (has_branches)
		fc_progress_add(opts->progress, plan->elf->path, fc_scan_cost(plan));
	plan->lends_at = fc_sanitizer_tracer(plan->elf);
	plan->slicers = fc_slicers_find(plan->elf);
	plan->counts_at = fc_profiler_find(plan->elf, plan->arch);
	plan->tells_callers = fc_profiler_is_called(plan->elf);
	fc_fence_find(plan->elf, &plan->apart_start, &plan->apart_end);
	count_fdes(plan);
	fc_plan_find_funcs(plan);
	fc_plan_add_probes(plan);
	if (!opts->control_only && !plan->engine)
		fc_plan_find_returns(plan);
	plan->infos = fc_alloc(plan->nr * sizeof(*plan->infos));
	plan->planned = fc_alloc(plan->nr * sizeof(*plan->planned));
	plan_functions(plan);
	if (!plan->engine && (plan->engine = fc_plan_lost_unwinder(plan)))
		plan_functions(plan);
	fc_plan_hook_probes(plan);
	if (has_branches)
		check_branches(plan);
	plan->takes_register = fc_takes_register(plan->elf);
}

int fc_plan_create(const struct fc_elf *elf, const struct fc_plan_opts *opts,
		   struct fc_plan **ret)
{
	const struct fc_arch *arch = fc_arch_find(elf->machine);
	if (!arch || !arch->jumps)
		return fc_fail(ENOTSUP,
			       "%s is for another machine (ELF machine %u): fctrace has "
			       "no port for it",
			       elf->path, elf->machine);
	struct fc_plan *plan = fc_plan_new(elf, arch, opts);
	make(plan);
	plan->opts.progress = NULL;
	int err = fc_elf_check(elf);
	if (!err && fc_progress_is_over(opts->progress))
		err = fc_fail(ECANCELED, "told to stop before it was planned");
	if (err)
		fc_plan_destroy(plan);
	else
		*ret = plan;
	return err;
}

uint32_t fc_plan_number(struct fc_plan *plan, uint32_t first)
{
	for (size_t i = 0; i < plan->nr; i++) {
		if (!fc_how_is_recorded(plan->infos[i].how))
			continue;
		if (first > FC_FUNC_MAX) {
			unhook(plan, &plan->planned[i], skip("out of function ids"));
			plan->is_cut = true;
		} else {
			plan->infos[i].id = first++;
		}
	}
	return first;
}
