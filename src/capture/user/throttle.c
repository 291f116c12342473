/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/throttle.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/drain/budget.h"
#include "capture/drain/meter.h"
#include "capture/hook/ledger.h"
#include "capture/hook/space.h"
#include "capture/patch/choice.h"
#include "capture/target/exe.h"
#include "capture/user/rehook.h"
#include "trace/clock.h"

/*
 * What hooking a process costs, in times it waited for it: the first calls find their stubs and
 * rings in no cache and in pages that nobody has touched (160 ns each in as, not 40).
 */
#define AFTERMATH 1.3

enum {
	LOOK_NS = 10 * 1000 * 1000,
	GRACE_NS = 100 * 1000 * 1000, /* what the user has just asked for stays so long */
	TELL_NS = 1000 * 1000 *
		  1000, /* the trace is told of counts so often, unless the tap says */
	FIRST_HOOKING_NS = 5 * 1000 * 1000,
};

/* Where a function's hook is. */
struct place {
	const struct fc_module *module;
	const struct fc_func_info *func;
};

/* An executable file, and what it took to hook a process that runs it. */
struct program {
	dev_t dev;
	ino_t ino;
	uint64_t ns;
};

struct fc_throttle {
	struct fc_budget budget;
	struct fc_meter meter;
	FC_VEC(struct place) places; /* by function id */
	FC_VEC(struct program) programs;
	uint64_t *counted; /* by function id */
	uint64_t next_ns, next_tell_ns, tell_ns;
	uint64_t gone_ns;      /* what processes ran that have ended */
	bool has_told_failure; /* that a hook cannot be changed */
};

/*
 * Two time stamps, and the rest, which is more here than in a loop that calls one function: what
 * a budget leaves are calls that come now and then, whose stubs are in no cache.
 */
static struct fc_budget_costs measure(void)
{
	enum { ROUNDS = 20, PAIRS = 500 };
	static const double rest_ns = 20, counted_ns = 6;
	double best_ns = 1e9;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t begin = fc_clock_mono_ns();
		for (int k = 0; k < 2 * PAIRS; k++)
			fc_clock_tsc();
		double ns = (double)(fc_clock_mono_ns() - begin) / PAIRS;
		if (ns < best_ns)
			best_ns = ns;
	}
	return (struct fc_budget_costs){ best_ns + rest_ns, counted_ns };
}

struct fc_throttle *fc_throttle_create(double share, uint32_t nr_counters, uint64_t tell_ns,
				       struct fc_tap *tap)
{
	struct fc_throttle *throttle = fc_alloc(sizeof(*throttle));
	uint64_t now = fc_clock_mono_ns();
	fc_budget_init(&throttle->budget, share, measure(), now);
	fc_meter_init(&throttle->meter, nr_counters, tap);
	throttle->counted = fc_alloc((size_t)nr_counters * sizeof(*throttle->counted));
	throttle->next_ns = now + LOOK_NS;
	throttle->tell_ns = tell_ns ? tell_ns : TELL_NS;
	throttle->next_tell_ns = tell_ns ? now : now + TELL_NS;
	return throttle;
}

void fc_throttle_destroy(struct fc_throttle *throttle)
{
	if (!throttle)
		return;
	fc_budget_deinit(&throttle->budget);
	fc_meter_deinit(&throttle->meter);
	fc_vec_free(&throttle->places);
	fc_vec_free(&throttle->programs);
	free(throttle->counted);
	free(throttle);
}

struct fc_tap *fc_throttle_tap(struct fc_throttle *throttle)
{
	return &throttle->meter.pass.tap;
}

void fc_throttle_add(struct fc_throttle *throttle, const struct fc_module *module)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!funcs[i].id || funcs[i].id >= throttle->meter.nr)
			continue;
		while (throttle->places.nr <= funcs[i].id)
			fc_vec_push(&throttle->places, (struct place){ 0 });
		throttle->places.at[funcs[i].id] = (struct place){ module, &funcs[i] };
		unsigned can = fc_plan_can(module->plan, i);
		fc_budget_add(&throttle->budget, funcs[i].id,
			      (can & FC_PLAN_COUNT ? FC_CAN_COUNT : 0) |
				      (can & FC_PLAN_SWITCH ? FC_CAN_GO : 0));
	}
}

uint64_t fc_throttle_next_ns(const struct fc_throttle *throttle)
{
	return throttle->next_ns;
}

/* ---- what the targets ran ---- */

/* CPU time of all its threads; a process that is not there any more: 0. */
static uint64_t cpu_ns(int pid)
{
	enum { CPUCLOCK_SCHED = 2 }; /* as clock_getcpuclockid(3) makes it */
	struct timespec time;
	clockid_t clock = (clockid_t)(~(unsigned)pid << 3 | CPUCLOCK_SCHED);
	if (clock_gettime(clock, &time))
		return 0;
	return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static uint64_t all_cpu_ns(const struct fc_throttle *throttle, struct fc_tracer *tracer)
{
	uint64_t sum = throttle->gone_ns;
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next) {
		uint64_t ns = cpu_ns(p->pid);
		if (ns > p->cpu_ns)
			p->cpu_ns = ns;
		sum += p->cpu_ns;
	}
	return sum;
}

void fc_throttle_gone(struct fc_throttle *throttle, struct fc_process *process)
{
	throttle->gone_ns += process->cpu_ns;
	fc_throttle_left(throttle, process);
}

/* ---- programs that are executed ---- */

/* Its place in the list, from 1 on; 0: it cannot be told. */
static size_t find_program(struct fc_throttle *throttle, int pid)
{
	struct stat st;
	if (stat(fc_exe_link(pid).text, &st))
		return 0;
	fc_vec_each (&throttle->programs, program)
		if (program->dev == st.st_dev && program->ino == st.st_ino)
			return (size_t)(program - throttle->programs.at) + 1;
	fc_vec_push(&throttle->programs,
		    (struct program){ st.st_dev, st.st_ino, FIRST_HOOKING_NS });
	return throttle->programs.nr;
}

static struct program *program_of(struct fc_throttle *throttle,
				  const struct fc_process *process)
{
	return process->program ? &throttle->programs.at[process->program - 1] : NULL;
}

bool fc_throttle_allows(struct fc_throttle *throttle, struct fc_process *process)
{
	process->program = find_program(throttle, process->pid);
	const struct program *program = program_of(throttle, process);
	return !program ||
	       fc_budget_affords(&throttle->budget, (double)program->ns * AFTERMATH);
}

void fc_throttle_took(struct fc_throttle *throttle, struct fc_process *process, uint64_t ns)
{
	struct program *program = program_of(throttle, process);
	process->hooking_ns += ns;
	if (program && program->ns < process->hooking_ns)
		program->ns = process->hooking_ns;
	fc_budget_charge(&throttle->budget, (double)ns * AFTERMATH);
}

/* The first time its files were read and planned, too: what counts is the least. */
void fc_throttle_left(struct fc_throttle *throttle, struct fc_process *process)
{
	struct program *program = program_of(throttle, process);
	if (program && process->hooking_ns && process->hooking_ns < program->ns)
		program->ns = process->hooking_ns;
	process->program = 0;
	process->hooking_ns = 0;
}

/* ---- switches ---- */

/* At once: a thread that is about to execute it sees the one or the other. */
static int write_switch(int mem_fd, uint64_t stub, bool is_on)
{
	uint8_t begin[FC_STUB_BEGIN], bytes[FC_MAX_SWITCH];
	int err = fc_remote_read(mem_fd, stub, begin, sizeof(begin));
	return err ? err
		   : fc_remote_write(mem_fd, stub, bytes,
				     fc_arch_here->stub->make_switch(begin, is_on, bytes));
}

int fc_throttle_switch(void *ctx, const struct fc_module *module, const struct fc_stubs *stubs,
		       int mem_fd)
{
	const struct fc_throttle *throttle = ctx;
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	int ret = 0;
	for (size_t i = 0; i < nr && !ret; i++)
		if (stubs->offs[i] &&
		    fc_budget_state(&throttle->budget, funcs[i].id) != FC_HOOK_RECORDED)
			ret = write_switch(mem_fd, stubs->opts.pool_taddr + stubs->offs[i],
					   false);
	return ret;
}

/* The stub that vaddr's function has in a pool; 0: none. */
static uint64_t stub_of(const struct fc_ledger *ledger, const struct fc_known *known,
			uint64_t vaddr)
{
	size_t low = fc_bisect(ledger->patches, ledger->nr, patch,
			       patch->size && patch->taddr < vaddr + known->bias);
	for (; low < ledger->nr && ledger->patches[low].size; low++) {
		const struct fc_func_info *func =
			fc_module_func(known->module, ledger->patches[low].taddr - known->bias);
		if (!func || func->vaddr != vaddr)
			return 0;
		if (fc_patch_is_site(&ledger->patches[low]))
			return known->pool + ledger->patches[low].stub;
	}
	return 0;
}

static bool concerns(const struct fc_throttle *throttle, const struct fc_known *known)
{
	fc_vec_each (&throttle->budget.changes, change)
		if (throttle->places.at[change->func].module == known->module)
			return true;
	return false;
}

static void switch_in(const struct fc_throttle *throttle, const struct fc_space *space,
		      const struct fc_known *known)
{
	fc_auto_ledger struct fc_ledger ledger = { 0 };
	if (!fc_ledger_read(space->mem_fd, known->pool, &ledger))
		return;
	fc_vec_each (&throttle->budget.changes, change) {
		const struct place *place = &throttle->places.at[change->func];
		uint64_t stub = place->module == known->module
					? stub_of(&ledger, known, place->func->vaddr)
					: 0;
		if (stub)
			write_switch(space->mem_fd, stub, change->state == FC_HOOK_RECORDED);
	}
}

static bool is_first_of(const struct fc_tracer *tracer, const struct fc_process *process)
{
	const struct fc_process *p = tracer->tracees.first;
	while (p->space != process->space)
		p = p->next;
	return p == process;
}

static void switch_space(const struct fc_throttle *throttle, const struct fc_space *space)
{
	fc_vec_each (&space->known, known)
		if (known->is_written && concerns(throttle, known))
			switch_in(throttle, space, known);
}

static void switch_all(const struct fc_throttle *throttle, struct fc_tracer *tracer)
{
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p->space && is_first_of(tracer, p))
			switch_space(throttle, p->space);
}

/*
 * Between two looks all births that there are become known: what may be missing is what the
 * last one has changed.
 */
void fc_throttle_forked(const struct fc_throttle *throttle, const struct fc_space *space)
{
	switch_space(throttle, space);
}

/* ---- hooks ---- */

/*
 * Those that were to change and could not. What keeps its hook is switched off, so it is
 * counted at most. is_busy: it may go better another time.
 */
static void keep_rest(struct fc_throttle *throttle, const struct fc_modules *modules,
		      const uint32_t *funcs, size_t nr, bool hook, bool is_busy)
{
	struct fc_budget *budget = &throttle->budget;
	for (size_t i = 0; i < nr; i++) {
		bool can_count = budget->funcs.at[funcs[i]].can & FC_CAN_COUNT;
		if (fc_modules_is_unhooked(modules, funcs[i]) != hook)
			continue;
		if (hook || can_count)
			fc_budget_set(budget, funcs[i], hook ? FC_HOOK_OUT : FC_HOOK_COUNTED);
		if (!hook && !is_busy)
			fc_budget_cannot_go(budget, funcs[i]);
	}
}

static void rehook(struct fc_throttle *throttle, struct fc_tracer *tracer, bool hook)
{
	struct fc_modules *modules = &tracer->shared.modules;
	struct fc_rehooked done;
	fc_auto_vec FC_VEC(uint32_t) funcs = { 0 };
	fc_vec_each (&throttle->budget.changes, change)
		if ((change->state != FC_HOOK_OUT) == hook &&
		    fc_modules_is_unhooked(modules, change->func) == hook)
			fc_vec_push(&funcs, change->func);
	int err = funcs.nr ? fc_tracer_rehook(tracer, funcs.at, funcs.nr, hook, &done) : 0;
	if (funcs.nr)
		fc_budget_charge_stop(&throttle->budget, hook, (double)done.stop_ns);
	if (funcs.nr && !err && done.nr_failed && !throttle->has_told_failure) {
		fc_tracer_say(tracer, tracer->first_pid, "--budget: functions cannot be %s: %s",
			      hook ? "hooked" : "unhooked", done.why);
		throttle->has_told_failure = true;
	}
	keep_rest(throttle, modules, funcs.at, funcs.nr, hook, err != 0);
}

/* ---- the trace ---- */

static void tell_changes(const struct fc_throttle *throttle)
{
	struct fc_tap *tap = throttle->meter.pass.next;
	fc_auto_vec FC_VEC(struct fc_hook_info) infos = { 0 };
	uint64_t tsc = fc_clock_tsc();
	fc_vec_each (&throttle->budget.changes, change)
		fc_vec_push(&infos,
			    (struct fc_hook_info){
				    .func = change->func,
				    .state = fc_budget_state(&throttle->budget, change->func),
				    .tsc = tsc,
			    });
	if (infos.nr && tap->hooks)
		tap->hooks(tap, infos.at, infos.nr);
}

/* The first few by name. */
static void note(const struct fc_throttle *throttle, struct fc_tracer *tracer, int state,
		 const char *what)
{
	enum { NAMED = 5 };
	fc_auto_free char *text = fc_asprintf("budget: %s from here on: ", what);
	size_t nr = 0;
	fc_vec_each (&throttle->budget.changes, change) {
		const struct place *place = &throttle->places.at[change->func];
		if ((int)fc_budget_state(&throttle->budget, change->func) != state ||
		    nr++ >= NAMED)
			continue;
		fc_auto_free char *name = fc_module_name_of(place->module, place->func);
		fc_append(&text, "%s%s", nr > 1 ? ", " : "", name);
	}
	if (nr > NAMED)
		fc_append(&text, " and %zu more", nr - NAMED);
	if (nr)
		fc_tracer_life(tracer, FC_LIFE_NOTE, tracer->first_pid, tracer->first_pid, 0, 0,
			       text);
}

static void tell_counts(struct fc_throttle *throttle, uint64_t now, uint32_t nr)
{
	struct fc_tap *tap = throttle->meter.pass.next;
	if (now < throttle->next_tell_ns)
		return;
	/* In step: what came late does not make all that follow late. */
	bool is_late = now - throttle->next_tell_ns >= 2 * throttle->tell_ns;
	throttle->next_tell_ns = (is_late ? now : throttle->next_tell_ns) + throttle->tell_ns;
	if (tap->counts)
		tap->counts(tap, fc_clock_tsc(), throttle->counted, nr);
}

/* Some may not have become what was asked for; those that have no switch are nothing to us. */
static bool is_done(const struct fc_throttle *throttle, const struct fc_modules *modules,
		    uint32_t func, bool hook)
{
	const struct fc_budget *budget = &throttle->budget;
	return func < budget->funcs.nr && budget->funcs.at[func].can &&
	       fc_modules_is_unhooked(modules, func) != hook;
}

void fc_throttle_told(struct fc_throttle *throttle, struct fc_tracer *tracer,
		      const uint32_t *funcs, size_t nr, bool hook)
{
	struct fc_budget *budget = &throttle->budget;
	enum fc_hook_state state = hook ? FC_HOOK_RECORDED : FC_HOOK_OUT;
	tracer->take(tracer); /* those born before the last changes */
	budget->changes.nr = 0;
	for (size_t i = 0; i < nr; i++) {
		if (!is_done(throttle, &tracer->shared.modules, funcs[i], hook))
			continue;
		fc_budget_leave(budget, funcs[i], !hook);
		if (fc_budget_state(budget, funcs[i]) == state)
			continue;
		fc_budget_set(budget, funcs[i], state);
		fc_vec_push(&budget->changes, (struct fc_budget_change){ funcs[i], state });
	}
	switch_all(throttle, tracer);
	tell_changes(throttle);
}

static bool is_cheaper(const struct fc_throttle *throttle, uint32_t func)
{
	const struct fc_budget *budget = &throttle->budget;
	return func < budget->funcs.nr && budget->funcs.at[func].can &&
	       !budget->funcs.at[func].is_left &&
	       fc_budget_state(budget, func) != FC_HOOK_RECORDED;
}

size_t fc_throttle_nr_cheaper(const struct fc_throttle *throttle)
{
	size_t nr = 0;
	for (uint32_t func = 1; func < throttle->budget.funcs.nr; func++)
		nr += is_cheaper(throttle, func);
	return nr;
}

size_t fc_throttle_open(struct fc_throttle *throttle, struct fc_tracer *tracer,
			const uint32_t *funcs, size_t nr)
{
	fc_auto_vec FC_VEC(uint32_t) asked = { 0 };
	struct fc_rehooked done;
	size_t nr_before = fc_throttle_nr_cheaper(throttle);
	for (size_t i = 0; i < nr; i++)
		if (is_cheaper(throttle, funcs[i]))
			fc_vec_push(&asked, funcs[i]);
	if (asked.nr) {
		/* Those that are counted have their hooks: they are recorded in any case. */
		fc_tracer_rehook(tracer, asked.at, asked.nr, true, &done);
		fc_throttle_told(throttle, tracer, asked.at, asked.nr, true);
		/* What asked for them reaches the drain within 10 ms or so: none may be out by then. */
		throttle->next_ns = fc_clock_mono_ns() + GRACE_NS;
	}
	return nr_before - fc_throttle_nr_cheaper(throttle);
}

static void decide(struct fc_throttle *throttle, struct fc_tracer *tracer, uint64_t now,
		   uint32_t nr)
{
	fc_budget_look(&throttle->budget, now, all_cpu_ns(throttle, tracer),
		       throttle->meter.calls, throttle->counted, nr);
	if (throttle->budget.changes.nr) {
		/* Off before it is out, and on when it is in again. */
		rehook(throttle, tracer, true);
		switch_all(throttle, tracer);
		rehook(throttle, tracer, false);
		tell_changes(throttle);
		note(throttle, tracer, FC_HOOK_COUNTED, "only counted");
		note(throttle, tracer, FC_HOOK_OUT, "unseen");
		note(throttle, tracer, FC_HOOK_RECORDED, "shown again");
	}
}

void fc_throttle_look(struct fc_throttle *throttle, struct fc_tracer *tracer)
{
	uint64_t now = fc_clock_mono_ns();
	uint32_t nr = fc_drain_counts(tracer->shared.drain, throttle->counted);
	throttle->next_ns = now + LOOK_NS;
	/* While it is off what calls would cost is not seen: all would come back. */
	if (!tracer->shared.is_off)
		decide(throttle, tracer, now, nr);
	tell_counts(throttle, now, nr);
}
