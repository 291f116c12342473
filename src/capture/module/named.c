/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/named.h"

#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/demangle.h"
#include "base/fail.h"
#include "base/memory.h"
#include "values/mangled.h"

static void read_symbols(struct fc_named *named)
{
	named->is_read = true;
	named->types = fc_types_create();
	if (!fc_image_init(&named->image, named->elf->image, named->elf->image_size,
			   named->elf->path))
		fc_symtab_read(&named->symtab, &named->image);
	fc_fail_clear();
}

static bool is_at(struct fc_named *named, const char *name, uint64_t vaddr)
{
	const struct fc_func *func = fc_symtab_find(&named->symtab, name);
	return func && func->vaddr == vaddr && func->flags & FC_SYM_GLOBAL;
}

/* A constructor for bases that is the one for whole objects, too: there are no virtual bases. */
static bool is_complete(struct fc_named *named, const struct fc_func_info *info)
{
	fc_auto_free char *name = fc_strdup(info->name);
	for (char *at = name; (at = strstr(at, "C2")); at += 2) {
		at[1] = '1';
		if (is_at(named, name, info->vaddr))
			return true;
		at[1] = '2';
	}
	return false;
}

static bool has_plain_result(const struct fc_named *named, const struct fc_func_info *info)
{
	enum { MOST = 1 << 20 };
	bool is_code = info->size && info->size < MOST;
	const uint8_t *code =
		is_code ? fc_elf_bytes(named->elf, info->vaddr, info->size) : NULL;
	return code && fc_arch_here->abi->returns_narrow(code, info->size);
}

bool fc_named_find(struct fc_named *named, const struct fc_func_info *info,
		   struct fc_signature *ret)
{
	*ret = (struct fc_signature){ 0 };
	if (!info->name || !fc_is_mangled(info->name) || !fc_arch_here->abi)
		return false;
	if (!named->is_read)
		read_symbols(named);
	if (!is_at(named, info->name, info->vaddr))
		return false;
	struct fc_mangled_facts facts = { .has_plain_result = has_plain_result(named, info),
					  .is_complete = is_complete(named, info) };
	return fc_mangled_read(fc_arch_here, info->name, &facts, named->types, ret);
}

void fc_named_deinit(struct fc_named *named)
{
	fc_types_destroy(named->types);
	fc_symtab_deinit(&named->symtab);
	fc_image_deinit(&named->image);
}
