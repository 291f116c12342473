/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/module.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/crew.h"
#include "base/demangle.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/vec.h"
#include "calls/names.h"
#include "capture/module/fetched.h"
#include "capture/module/under.h"
#include "capture/patch/choice.h"
#include "capture/patch/known/strand_register.h"
#include "capture/patch/known/sanitizer.h"
#include "capture/patch/known/slicer.h"
#include "trace/clock.h"

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void tell(struct fc_modules *modules, const struct fc_module *module)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	const struct fc_module_values *values = module->values;
	modules->tap->module(modules->tap, &(struct fc_module_info){
						   .id = module->id,
						   .path = module->elf->path,
						   .build_id = module->elf->build_id,
						   .funcs = funcs,
						   .nr_funcs = nr,
						   .values = values ? values->bytes : NULL,
						   .values_size = values ? values->size : 0,
					   });
}

static bool tells_of_more(const struct fc_dump_func *a, const struct fc_dump_func *b)
{
	return !a->nth != !b->nth ? !a->nth : a->min_ns < b->min_ns;
}

/* Those that are not heeded for best's sake, though it does not tell of all their calls. */
static void note_hidden(struct fc_modules *modules, struct fc_name name,
			const struct fc_dump_func *best)
{
	for (size_t i = 0; i < modules->dump_on->nr_funcs; i++) {
		const struct fc_dump_func *func = &modules->dump_on->funcs[i];
		bool is_in_it = !best->nth && best->min_ns <= func->min_ns;
		if (!is_in_it && strcmp(func->glob, best->glob) &&
		    fc_name_match(name, func->glob))
			modules->is_hidden[i] = true;
	}
}

/*
 * The first --dump-on with a pattern that the function matches: from it the agent finds all of the
 * same pattern. Of different patterns it is the one that tells of more calls.
 */
static uint8_t watch_of(struct fc_modules *modules, struct fc_name name, bool is_timed)
{
	const struct fc_dump_func *funcs = modules->dump_on->funcs, *best = NULL;
	for (size_t i = 0; i < modules->dump_on->nr_funcs; i++) {
		if ((funcs[i].min_ns && !is_timed) || !fc_name_match(name, funcs[i].glob))
			continue;
		modules->has_matched[i] = true;
		if (!best || tells_of_more(&funcs[i], best))
			best = &funcs[i];
	}
	if (best)
		note_hidden(modules, name, best);
	for (size_t i = 0; best && i < modules->dump_on->nr_funcs; i++)
		if (!strcmp(funcs[i].glob, best->glob))
			return (uint8_t)(i + 1);
	return 0;
}

/* Its stub turns the recording of its thread on or off instead. */
static void note_taken(struct fc_modules *modules, struct fc_name name)
{
	for (size_t i = 0; i < modules->dump_on->nr_funcs; i++)
		if (fc_name_match(name, modules->dump_on->funcs[i].glob))
			modules->is_taken[i] = true;
}

/* Which functions are to be told of when they are called. */
static void watch(struct fc_modules *modules, struct fc_module *module)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	if (!modules->dump_on || !modules->dump_on->nr_funcs)
		return;
	module->watches = fc_alloc(nr + 1);
	for (size_t i = 0; i < nr; i++) {
		struct fc_name name = { .name = funcs[i].name,
					.module = fc_base_name(module->elf->path) };
		if (!funcs[i].name || !funcs[i].id)
			continue;
		module->watches[i] = watch_of(modules, name, funcs[i].how == FC_HOW_HOOKED);
		if (fc_plan_is_turned(module->plan, i))
			note_taken(modules, name);
		if (module->watches[i])
			fc_vec_push(
				&modules->watched,
				(struct fc_watched){
					.id = funcs[i].id,
					.name = fc_readable(name.name, FC_DEMANGLE_SIMPLE) });
	}
}

const char *fc_modules_watched_name(const struct fc_modules *modules, uint32_t id)
{
	fc_vec_each (&modules->watched, watched)
		if (watched->id == id)
			return watched->name;
	return "?";
}

const struct fc_fetched *fc_module_fetched(const struct fc_module *module)
{
	return module->values ? module->values->fetched : NULL;
}

size_t fc_module_pool_size(const struct fc_module *module, enum fc_counting counting)
{
	return fc_plan_pool_size(module->plan, counting, fc_module_fetched(module));
}

static int make_plan(struct fc_module *module, const struct fc_plan_opts *opts)
{
	if (fc_progress_is_over(opts->progress))
		return fc_fail(ECANCELED, "told to stop before it was read");
	fc_elf_read(module->elf);
	return fc_plan_create(module->elf, opts, &module->plan);
}

/* Whose probes are asked for. */
struct probes_asked {
	const struct fc_values_asked *asked; /* or NULL */
	bool has_marks;
};

/* Is this static probe asked for? By which glob is noted. */
static bool asks_probe(void *ctx, const struct fc_elf *elf, const char *name)
{
	const struct probes_asked *of = ctx;
	const struct fc_values_asked *asked = of->asked;
	bool is_asked = of->has_marks && fc_probe_is_mark(name);
	for (size_t i = 0; asked && asked->probes && asked->probes[i]; i++) {
		if (fnmatch(asked->probes[i], name, 0))
			continue;
		is_asked = true;
		if (asked->probes_heard)
			__atomic_store_n(&asked->probes_heard[i], FC_HEARD_FUNCTION,
					 __ATOMIC_RELAXED);
	}
	return is_asked;
}

/* Marks are wanted of what is traced. */
static struct probes_asked probes_asked(const struct fc_modules *modules, enum fc_scope scope)
{
	return (struct probes_asked){ modules->asked,
				      scope != FC_SCOPE_CONTROL && modules->marks };
}

static bool has_probe(const struct probes_asked *asked, const struct fc_elf *elf)
{
	size_t nr = 0;
	bool may_be = asked->has_marks || (asked->asked && asked->asked->probes);
	const struct fc_probe *probes = may_be ? fc_elf_probes(elf, &nr) : NULL;
	for (size_t i = 0; i < nr; i++)
		if (asks_probe((void *)asked, elf, probes[i].name))
			return true;
	return false;
}

/* No more than to look at the file: others may be read at the same time. */
static int read_module(struct fc_modules *modules, struct fc_module *module,
		       const struct fc_module_want *want)
{
	int ret = fc_elf_open_headers(want->open_path, want->shown, &module->elf);
	if (ret)
		return ret;
	struct fc_plan_opts opts = {
		.exported_only = module->scope == FC_SCOPE_EXPORTED,
		.control_only = module->scope == FC_SCOPE_CONTROL,
		.progress = &modules->progress,
	};
	struct fc_cache *cache = modules->cache;
	struct probes_asked asked = probes_asked(modules, module->scope);
	if (has_probe(&asked, module->elf)) { /* no plan in the cache has probes */
		cache = NULL;
		opts.asks_probe = asks_probe;
		opts.ctx = &asked;
	}
	fc_cache_key(cache, module->elf, &opts, &module->key);
	module->plan = fc_cache_get(cache, &module->key, module->elf, &opts);
	module->is_from_cache = module->plan;
	if (!module->plan)
		ret = make_plan(module, &opts);
	if (ret)
		return ret;
	if (modules->turns)
		fc_turned_find(modules->turns, module->plan, module->elf->path);
	fc_under_prune(module->plan, module->elf->path, modules->only);
	module->takes_register = fc_plan_takes_register(module->plan);
	module->sanitizer = fc_sanitizer(module->elf);
	if (!modules->keeps_funcs) {
		fc_plan_forget(module->plan);
		fc_elf_forget(module->elf);
	}
	return 0;
}

struct reading {
	struct fc_modules *modules;
	struct fc_module *module;
	struct fc_module_want want;
};

static void read_one(void *ctx, size_t i)
{
	struct reading *reading = (struct reading *)ctx + i;
	struct fc_module *module = reading->module;
	int err = read_module(reading->modules, module, &reading->want);
	if (err)
		module->damage = fc_strdup(fc_fail_text());
	module->is_given_up = err == -ECANCELED;
}

/* Who was told to stop does not begin. */
static void begin_work(struct fc_modules *modules)
{
	struct fc_progress *progress = &modules->progress;
	*progress = (struct fc_progress){ .look = progress->look,
					  .ctx = progress->ctx,
					  .begin_ns = fc_clock_mono_ns() };
	fc_progress_did(progress, 0);
}

/* All is done that was to be: what shows how far it is may go. */
static void end_work(struct fc_modules *modules)
{
	struct fc_progress *progress = &modules->progress;
	progress->done = progress->all;
	if (progress->look)
		progress->look(progress->ctx, progress);
}

static struct fc_module *find_module(const struct fc_modules *modules, const struct stat *st,
				     enum fc_scope scope)
{
	for (struct fc_module *m = modules->first; m; m = m->next)
		if (m->scope == scope && is_same_file(&m->stat, st) && !m->is_given_up)
			return m;
	return NULL;
}

static struct fc_module *add_module(struct fc_modules *modules, const struct stat *st,
				    enum fc_scope scope)
{
	struct fc_module *module = fc_alloc(sizeof(*module));
	module->stat = *st;
	module->scope = scope;
	module->next = modules->first;
	modules->first = module;
	return module;
}

/* In the order in which they are asked for, whichever was read first. */
static void number(struct fc_modules *modules, struct fc_module *module)
{
	if (module->is_numbered || module->damage)
		return;
	module->is_numbered = true;
	module->id = ++modules->numbers->modules;
	modules->numbers->funcs = fc_plan_number(module->plan, modules->numbers->funcs + 1) - 1;
	watch(modules, module);
	if (modules->turns)
		fc_turned_note(modules->turns, module->plan, module->elf->path,
			       &modules->turned);
	/* A mark is shown with what it is given, whether anything else is or not. */
	const struct fc_values_asked *asked = modules->asked ? modules->asked
					      : fc_plan_has_probes(module->plan)
						      ? modules->marks
						      : NULL;
	if (asked) {
		module->values = fc_alloc(sizeof(*module->values));
		fc_module_values_init(module->values, module->elf, module->plan, asked);
	}
	if (modules->planned)
		modules->planned(modules->ctx, module);
	tell(modules, module);
}

void fc_modules_prepare(struct fc_modules *modules, const struct fc_module_want *wants,
			size_t nr)
{
	fc_auto_vec FC_VEC(struct reading) readings = { 0 };
	for (size_t i = 0; i < nr; i++) {
		struct stat st;
		if (stat(wants[i].open_path, &st) || find_module(modules, &st, wants[i].scope))
			continue;
		struct fc_module *module = add_module(modules, &st, wants[i].scope);
		fc_vec_push(&readings, (struct reading){ modules, module, wants[i] });
	}
	begin_work(modules);
	fc_crew_each(readings.nr, read_one, readings.at);
	end_work(modules);
}

struct fc_module *fc_modules_get(struct fc_modules *modules, const char *open_path,
				 const char *shown, enum fc_scope scope)
{
	struct stat st = { 0 };
	bool is_there = !stat(open_path, &st);
	struct fc_module *module = is_there ? find_module(modules, &st, scope) : NULL;
	if (!module) {
		module = add_module(modules, &st, scope);
		struct reading reading = { modules, module, { open_path, shown, scope } };
		begin_work(modules);
		read_one(&reading, 0);
		end_work(modules);
	}
	number(modules, module);
	return module;
}

static const struct fc_passed *pass(struct fc_modules *modules, const char *open_path)
{
	struct fc_passed passed = { 0 };
	struct fc_elf *elf = NULL;
	if (stat(open_path, &passed.stat))
		return NULL;
	fc_vec_each (&modules->passed, known)
		if (is_same_file(&known->stat, &passed.stat))
			return known;
	if (!fc_elf_open_headers(open_path, open_path, &elf)) {
		passed.has_unwinder = fc_plan_has_unwinder(elf);
		passed.takes_register = fc_takes_register(elf);
		passed.sanitizer = fc_sanitizer(elf);
		passed.lends = fc_sanitizer_tracer(elf);
		passed.slices = fc_slicers_find(elf).nr;
		struct probes_asked asked = probes_asked(modules, FC_SCOPE_CONTROL);
		passed.has_probe = has_probe(&asked, elf);
	}
	fc_elf_close(elf);
	fc_fail_clear();
	fc_vec_push(&modules->passed, passed);
	return &modules->passed.at[modules->passed.nr - 1];
}

bool fc_modules_must_hook(struct fc_modules *modules, const char *open_path)
{
	const struct fc_passed *passed = pass(modules, open_path);
	return passed &&
	       (passed->has_unwinder || passed->lends || passed->slices || passed->has_probe);
}

static const struct fc_module *planned_module(const struct fc_modules *modules,
					      const char *open_path)
{
	struct stat st;
	for (struct fc_module *m = stat(open_path, &st) ? NULL : modules->first; m; m = m->next)
		if (m->plan && is_same_file(&m->stat, &st))
			return m;
	return NULL;
}

bool fc_modules_takes_register(struct fc_modules *modules, const char *open_path)
{
	const struct fc_module *module = planned_module(modules, open_path);
	const struct fc_passed *passed = module ? NULL : pass(modules, open_path);
	return module ? module->takes_register : passed && passed->takes_register;
}

const char *fc_modules_sanitizer(struct fc_modules *modules, const char *open_path)
{
	const struct fc_module *module = planned_module(modules, open_path);
	const struct fc_passed *passed = module ? NULL : pass(modules, open_path);
	return module ? module->sanitizer : passed ? passed->sanitizer : NULL;
}

const struct fc_func_info *fc_module_func(const struct fc_module *module, uint64_t vaddr)
{
	return fc_plan_info_before(module->plan, vaddr);
}

char *fc_module_name_of(const struct fc_module *module, const struct fc_func_info *func)
{
	return func->name ? fc_readable(func->name, FC_DEMANGLE_SIMPLE)
			  : fc_asprintf("%s+0x%llx", fc_base_name(module->elf->path),
					(unsigned long long)func->vaddr);
}

/* May the site's function run without its hook? */
static bool may_unhook(const struct fc_module *module, const struct fca_patch *site)
{
	return fc_patch_may_go(site, !fc_plan_has_exits(module->plan));
}

bool fc_modules_is_unhooked(const struct fc_modules *modules, uint32_t func)
{
	return func < modules->unhooked.nr && modules->unhooked.at[func];
}

void fc_modules_set_unhooked(struct fc_modules *modules, uint32_t func, bool is_unhooked)
{
	while (modules->unhooked.nr <= func)
		fc_vec_push(&modules->unhooked, false);
	modules->nr_unhooked -= modules->unhooked.at[func];
	modules->nr_unhooked += is_unhooked;
	modules->unhooked.at[func] = is_unhooked;
}

void fc_modules_bar(struct fc_modules *modules, uint32_t func)
{
	while (modules->barred.nr <= func)
		fc_vec_push(&modules->barred, false);
	modules->barred.at[func] = true;
}

bool fc_modules_is_barred(const struct fc_modules *modules, uint32_t func)
{
	return func < modules->barred.nr && modules->barred.at[func];
}

void fc_modules_choose(const struct fc_modules *modules, const struct fc_module *module,
		       uint64_t bias, const struct fca_patch *patches, size_t nr, bool *on)
{
	for (size_t i = 0; i < nr; i++) {
		if (!fc_patch_is_site(&patches[i]))
			continue;
		const struct fc_func_info *func =
			fc_module_func(module, patches[i].taddr - bias);
		on[i] = !func || !fc_modules_is_unhooked(modules, func->id) ||
			!may_unhook(module, &patches[i]);
	}
	fc_choose_patches(patches, nr, fc_arch_here->jumps->far_size, on);
}

static void keep(const struct fc_modules *modules, const struct fc_module *module)
{
	size_t nr = 0;
	if (!module->plan || module->is_from_cache || !module->key.name[0])
		return;
	fc_plan_funcs(module->plan, &nr);
	if (nr >= FC_CACHE_LEAST)
		fc_cache_put(modules->cache, &module->key, module->plan);
}

void fc_modules_deinit(struct fc_modules *modules)
{
	fc_vec_free(&modules->unhooked);
	fc_vec_free(&modules->barred);
	while (modules->first) {
		struct fc_module *module = modules->first;
		modules->first = module->next;
		keep(modules, module);
		fc_plan_destroy(module->plan);
		fc_elf_close(module->elf);
		free(module->damage);
		free(module->watches);
		if (module->values)
			fc_module_values_deinit(module->values);
		free(module->values);
		free(module);
	}
	fc_cache_close(modules->cache);
	fc_vec_each (&modules->watched, watched)
		free(watched->name);
	fc_vec_free(&modules->watched);
	fc_vec_free(&modules->turned);
	fc_vec_free(&modules->passed);
}
