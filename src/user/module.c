/* SPDX-License-Identifier: Apache-2.0 */
#include "user/module.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "base/memory.h"

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
	if (module->scope == FC_SCOPE_ALL)
		module->conflict = find_conflict(module->elf);
	module->id = ++modules->nr;
	modules->next_func = fc_plan_number(module->plan, modules->next_func);
	if (modules->numbered)
		modules->numbered(modules->ctx, modules->next_func);
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

void fc_modules_deinit(struct fc_modules *modules)
{
	while (modules->first) {
		struct fc_module *module = modules->first;
		modules->first = module->next;
		fc_plan_destroy(module->plan);
		fc_elf_close(module->elf);
		free(module->damage);
		free(module);
	}
}
