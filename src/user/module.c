/* SPDX-License-Identifier: Apache-2.0 */
#include "user/module.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "base/memory.h"
#include "patch/choice.h"
#include "user/under.h"

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static const char *find_conflict(const struct fc_elf *elf)
{
	const struct fc_arch *arch = fc_arch_find(elf->machine);
	size_t nr = fc_elf_code(elf, NULL, 0);
	struct fc_code_range *ranges = fc_alloc(nr * sizeof(*ranges));
	fc_elf_code(elf, ranges, nr);
	const char *conflict = NULL;
	size_t names_size;
	const char *names = fc_elf_dynamic_names(elf, &names_size);
	for (size_t i = 0; i < nr && !conflict; i++) {
		const uint8_t *code = fc_elf_bytes(elf, ranges[i].vaddr, ranges[i].size);
		conflict =
			code ? arch->conflict(code, ranges[i].size, names, names_size) : NULL;
	}
	free(ranges);
	return conflict;
}

static void tell(struct fc_modules *modules, const struct fc_module *module)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	modules->tap->module(modules->tap, &(struct fc_module_info){
						   .id = module->id,
						   .path = module->elf->path,
						   .build_id = module->elf->build_id,
						   .funcs = funcs,
						   .nr_funcs = nr,
					   });
}

static int read_module(struct fc_modules *modules, struct fc_module *module,
		       const char *open_path, const char *shown)
{
	int ret = fc_elf_open(open_path, shown, &module->elf);
	if (ret)
		return ret;
	struct fc_plan_opts opts = {
		.exported_only = module->scope == FC_SCOPE_EXPORTED,
		.control_only = module->scope == FC_SCOPE_CONTROL,
	};
	ret = fc_plan_create(module->elf, &opts, &module->plan);
	if (ret)
		return ret;
	fc_under_prune(module->plan, module->elf->path, modules->only);
	if (module->scope == FC_SCOPE_ALL)
		module->conflict = find_conflict(module->elf);
	module->id = ++modules->nr;
	modules->next_func = fc_plan_number(module->plan, modules->next_func);
	if (modules->planned)
		modules->planned(modules->ctx, module);
	tell(modules, module);
	return 0;
}

struct fc_module *fc_modules_get(struct fc_modules *modules, const char *open_path,
				 const char *shown, enum fc_scope scope)
{
	struct stat st = { 0 };
	bool is_there = !stat(open_path, &st);
	for (struct fc_module *m = modules->first; is_there && m; m = m->next)
		if (m->scope == scope && is_same_file(&m->stat, &st))
			return m;
	struct fc_module *module = fc_alloc(sizeof(*module));
	module->stat = st;
	module->scope = scope;
	if (read_module(modules, module, open_path, shown))
		module->damage = fc_strdup(fc_fail_text());
	module->next = modules->first;
	modules->first = module;
	return module;
}

const struct fc_func_info *fc_module_func(const struct fc_module *module, uint64_t vaddr)
{
	size_t nr, low = 0;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t high = nr; low < high;) {
		size_t mid = low + (high - low) / 2;
		if (funcs[mid].vaddr <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &funcs[low - 1] : NULL;
}

bool fc_module_may_unhook(const struct fc_module *module, const struct fca_patch *site)
{
	return fc_patch_may_go(site, fc_plan_entry_only(module->plan));
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

void fc_modules_choose(const struct fc_modules *modules, const struct fc_module *module,
		       uint64_t bias, const struct fca_patch *patches, size_t nr, bool *on)
{
	for (size_t i = 0; i < nr; i++) {
		if (!fc_patch_is_site(&patches[i]))
			continue;
		const struct fc_func_info *func =
			fc_module_func(module, patches[i].taddr - bias);
		on[i] = !func || !fc_modules_is_unhooked(modules, func->id) ||
			!fc_module_may_unhook(module, &patches[i]);
	}
	fc_choose_patches(patches, nr, fc_arch_x86_64.far_size, on);
}

void fc_modules_deinit(struct fc_modules *modules)
{
	fc_vec_free(&modules->unhooked);
	while (modules->first) {
		struct fc_module *module = modules->first;
		modules->first = module->next;
		fc_plan_destroy(module->plan);
		fc_elf_close(module->elf);
		free(module->damage);
		free(module);
	}
}
