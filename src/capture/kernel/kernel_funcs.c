/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_funcs.c - what can be traced is a list of names; where they are, a second list says. */
#include "capture/kernel/kernel_funcs.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/kernel.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/order.h"
#include "base/sort.h"
#include "base/vec.h"
#include "capture/kernel/tracefile.h"

/* An event's address is of the call to the tracer, which may stand behind an endbr64. */
#define MOST_OFFSET 16
#define LAST_SIZE   64 /* of the last function of a module, behind which none is known */

static const char symbols_file[] = "kallsyms";

struct module {
	struct fc_module_info info;
	FC_VEC(struct fc_func_info) funcs;
};

struct symbol {
	uint64_t address;
	const char *name, *module;
};

struct fc_kernel_funcs {
	char *names, *symbols;		    /* what was read; the others point into it */
	FC_VEC(struct fc_kernel_func) list; /* by address */
	FC_VEC(struct module) modules;
};

/* ---- globs ---- */

static bool is_syscall(const char *glob)
{
	static const char prefix[] = "sys_";
	return !strncmp(glob, prefix, strlen(prefix));
}

/*
 * What implements a system call: __x64_sys_openat takes it from the registers, and one without
 * arguments is __do_sys_getpid alone.
 */
static bool is_name_match(const char *name, const char *glob)
{
	static const char *const wrappers[] = { FC_ARCH_SYSCALL_PREFIX, "__do_" };
	if (!fnmatch(glob, name, 0))
		return true;
	for (size_t i = 0; is_syscall(glob) && i < sizeof(wrappers) / sizeof(wrappers[0]);
	     i++) {
		size_t size = strlen(wrappers[i]);
		if (!strncmp(name, wrappers[i], size) && !fnmatch(glob, name + size, 0))
			return true;
	}
	return false;
}

/* "0xffffffff812a4b60": where a function begins; its calls are seen there or some bytes later. */
static bool is_address(const char *glob, uint64_t *ret)
{
	char *end;
	*ret = strtoull(glob, &end, 16);
	return !strncmp(glob, "0x", 2) && !*end;
}

bool fc_kernel_glob_is_special(const char *glob)
{
	uint64_t address;
	return is_syscall(glob) || is_address(glob, &address);
}

static bool is_match(const struct fc_kernel_func *func, const char *glob)
{
	uint64_t address;
	if (is_address(glob, &address))
		return func->address - address < MOST_OFFSET / 2;
	return is_name_match(func->name, glob);
}

static bool is_any_match(const struct fc_kernel_func *func, char *const *globs)
{
	for (; globs && *globs; globs++)
		if (is_match(func, *globs))
			return true;
	return false;
}

/* ---- what is read ---- */

/* The next line of *text, which ends where it is cut; NULL: there is none. */
static char *next_line(char **text)
{
	char *line = *text, *end;
	if (!line || !*line)
		return NULL;
	end = line + strcspn(line, "\n");
	*text = *end ? end + 1 : end;
	*end = 0;
	return line;
}

/* "NAME" or "NAME [MODULE]": cuts it behind the name, returns the module. */
static const char *split_name(char *name)
{
	char *end = name + strcspn(name, " \t");
	const char *module = strchr(end, '[');
	*end = 0;
	return module ? module : FC_KERNEL_MODULE;
}

static int by_name(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	return strcmp(x->name, y->name) ?:
	       strcmp(x->module, y->module) ?:
	       fc_order(x->address, y->address);
}

/* "ffffffff81000000 T _text", or with "\t[MODULE]" behind. */
static bool read_symbol(char *line, struct symbol *ret)
{
	char *end;
	ret->address = strtoull(line, &end, 16);
	if (end[0] != ' ' || !end[1] || !strchr("tTwW", end[1]) || end[2] != ' ')
		return false;
	ret->name = end + 3;
	ret->module = split_name(end + 3);
	return true;
}

static int by_symbol(const struct fc_kernel_func *func, const struct symbol *symbol)
{
	return strcmp(func->name, symbol->name) ?: strcmp(func->module, symbol->module);
}

static int by_func_name(const void *a, const void *b)
{
	const struct fc_kernel_func *x = a, *y = b;
	return strcmp(x->name, y->name) ?: strcmp(x->module, y->module);
}

/*
 * Kernels before 6.5 list names only. Of symbols with one name all are taken: which of them can be
 * traced, the list does not say.
 */
static int find_addresses(struct fc_kernel_funcs *funcs)
{
	FC_VEC(struct symbol) symbols = { 0 };
	__typeof__(funcs->list) listed = funcs->list;
	size_t size, at = 0;
	struct symbol one;
	memset(&funcs->list, 0, sizeof(funcs->list));
	funcs->symbols = fc_tracefile_read("/proc", symbols_file, &size);
	for (char *text = funcs->symbols, *line; (line = next_line(&text));)
		if (read_symbol(line, &one) && one.address)
			fc_vec_push(&symbols, one);
	if (symbols.nr && listed.nr) {
		qsort(symbols.at, symbols.nr, sizeof(*symbols.at), by_name);
		qsort(listed.at, listed.nr, sizeof(*listed.at), by_func_name);
	}
	fc_vec_each (&symbols, symbol) {
		while (at < listed.nr && by_symbol(&listed.at[at], symbol) < 0)
			at++;
		if (at == listed.nr || by_symbol(&listed.at[at], symbol))
			continue;
		struct fc_kernel_func func = listed.at[at];
		func.address = symbol->address;
		fc_vec_push(&funcs->list, func);
	}
	fc_vec_free(&symbols);
	fc_vec_free(&listed);
	return funcs->list.nr ? 0
			      : fc_fail(EPERM,
					"/proc/%s hides the addresses of the kernel's "
					"functions (kernel.kptr_restrict)",
					symbols_file);
}

static void read_names(struct fc_kernel_funcs *funcs, bool has_addresses)
{
	uint32_t nr = 0;
	for (char *text = funcs->names, *line; (line = next_line(&text));) {
		struct fc_kernel_func func = { .line = ++nr, .name = line };
		if (has_addresses) {
			char *end;
			func.address = strtoull(line, &end, 16);
			func.name = end + strspn(end, " \t");
		}
		func.module = split_name((char *)func.name);
		fc_vec_push(&funcs->list, func);
	}
}

/* What runs for whoever was interrupted is told from what it asked for. */
static void name_interrupts(struct fc_kernel_funcs *funcs)
{
	static char *const entries[] = { FC_ARCH_INTERRUPTS "irq_enter*", "irq_exit*", NULL };
	fc_vec_each (&funcs->list, func)
		if (is_any_match(func, entries))
			func->module = FC_INTERRUPT_MODULE;
}

int fc_kernel_funcs_read(const char *root, struct fc_kernel_funcs **ret)
{
	struct fc_kernel_funcs *funcs = fc_alloc(sizeof(*funcs));
	size_t size;
	int err = 0;
	funcs->names = fc_tracefile_read(root, "available_filter_functions_addrs", &size);
	bool has_addresses = funcs->names;
	if (!has_addresses)
		funcs->names = fc_tracefile_read(root, "available_filter_functions", &size);
	if (!funcs->names)
		err = fc_fail(ENODEV, "this kernel has no list of functions that can be traced "
				      "(CONFIG_DYNAMIC_FTRACE)");
	if (!err)
		read_names(funcs, has_addresses);
	if (!err && !has_addresses)
		err = find_addresses(funcs);
	if (err) {
		fc_kernel_funcs_destroy(funcs);
		return err;
	}
	name_interrupts(funcs);
	fc_sort_by(funcs->list.at, funcs->list.nr, address);
	*ret = funcs;
	return 0;
}

void fc_kernel_funcs_destroy(struct fc_kernel_funcs *funcs)
{
	if (!funcs)
		return;
	fc_vec_each (&funcs->modules, module)
		fc_vec_free(&module->funcs);
	fc_vec_free(&funcs->modules);
	fc_vec_free(&funcs->list);
	free(funcs->names);
	free(funcs->symbols);
	free(funcs);
}

/* ---- which are traced ---- */

bool fc_kernel_has_func(const char *glob)
{
	size_t size;
	struct symbol symbol;
	fc_auto_free char *symbols = fc_tracefile_read("/proc", symbols_file, &size);
	for (char *text = symbols, *line; (line = next_line(&text));)
		if (read_symbol(line, &symbol) && is_name_match(symbol.name, glob))
			return true;
	return false;
}

/* A system call's function also by the name that it has for users. */
static char *hint_at(const struct fc_kernel_funcs *funcs, const char *glob)
{
	static const char prefix[] = FC_ARCH_SYSCALL_PREFIX;
	struct fc_nearest nearest;
	fc_nearest_begin(&nearest, glob, strlen(glob));
	fc_vec_each (&funcs->list, func) {
		bool is_call = is_syscall(glob) && !strncmp(func->name, prefix, strlen(prefix));
		const char *name = func->name + (is_call ? strlen(prefix) : 0);
		fc_nearest_offer(&nearest, name, strlen(name));
	}
	return fc_nearest_hint(&nearest, "",
			       "see available_filter_functions in tracefs, which lists those "
			       "that it can trace");
}

static int fail_to_find(const struct fc_kernel_funcs *funcs, const char *option,
			const char *glob)
{
	uint64_t address;
	if (is_address(glob, &address))
		return fc_fail(EINVAL,
			       "%s %s: no function that the kernel can trace begins there; "
			       "/proc/kallsyms has the addresses of all",
			       option, glob);
	if (fc_kernel_has_func(glob))
		return fc_fail(EINVAL,
			       "%s %s: the kernel does not let its function of that name be "
			       "traced; available_filter_functions in tracefs lists those that "
			       "it can trace",
			       option, glob);
	fc_auto_free char *hint = hint_at(funcs, glob);
	return fc_fail(EINVAL, "%s %s: the kernel has no function of that name%s", option, glob,
		       hint);
}

int fc_kernel_funcs_check(const struct fc_kernel_funcs *funcs, const char *option,
			  char *const *globs)
{
	for (; globs && *globs; globs++) {
		bool is_there = false;
		fc_vec_each (&funcs->list, func)
			if (is_match(func, *globs)) {
				is_there = true;
				break;
			}
		if (!is_there)
			return fail_to_find(funcs, option, *globs);
	}
	return 0;
}

void fc_kernel_funcs_leave_out(struct fc_kernel_funcs *funcs, char *const *globs)
{
	fc_vec_each (&funcs->list, func)
		func->is_out |= is_any_match(func, globs);
}

void fc_kernel_funcs_keep_only(struct fc_kernel_funcs *funcs, char *const *globs)
{
	fc_vec_each (&funcs->list, func)
		func->is_out |= !is_any_match(func, globs);
}

void fc_kernel_funcs_set_aside(struct fc_kernel_funcs *funcs, char *const *globs)
{
	fc_vec_each (&funcs->list, func)
		func->is_aside |= is_any_match(func, globs);
}

void fc_kernel_funcs_mark(struct fc_kernel_funcs *funcs, char *const *globs)
{
	fc_vec_each (&funcs->list, func)
		func->is_start = is_any_match(func, globs);
}

char *fc_kernel_funcs_lines(const struct fc_kernel_funcs *funcs, bool is_out)
{
	enum { ROOM = 16 };
	FC_VEC(char) text = { 0 };
	fc_vec_each (&funcs->list, func) {
		if (func->is_out != is_out)
			continue;
		fc_vec_reserve(&text, ROOM);
		text.nr += (size_t)snprintf(text.at + text.nr, ROOM, "%u ", func->line);
	}
	return text.at ? text.at : fc_strdup("");
}

/* ---- as functions of the session ---- */

static struct module *module_of(struct fc_kernel_funcs *funcs, const char *name)
{
	/* Those of a module stand together, mostly. */
	for (size_t i = funcs->modules.nr; i--;)
		if (!strcmp(funcs->modules.at[i].info.path, name))
			return &funcs->modules.at[i];
	fc_vec_push(&funcs->modules,
		    (struct module){ .info = { .path = name, .build_id = "" } });
	return &funcs->modules.at[funcs->modules.nr - 1];
}

/* Relative to the module's first: where the kernel is in memory stays secret. */
static void add(struct fc_kernel_funcs *funcs, const struct fc_kernel_func *func,
		const struct fc_kernel_func *next)
{
	struct module *module = module_of(funcs, func->module);
	bool is_last = !next || strcmp(next->module, func->module);
	fc_vec_push(&module->funcs,
		    (struct fc_func_info){
			    .name = func->name,
			    .vaddr = func->address,
			    .size = is_last ? LAST_SIZE : next->address - func->address,
			    .id = func->id,
			    .how = FC_HOW_HOOKED,
			    .why = "ftrace",
		    });
}

bool fc_kernel_func_matches(const struct fc_kernel_func *func, char *const *globs)
{
	return is_any_match(func, globs);
}

struct fc_kernel_func *fc_kernel_funcs_all(struct fc_kernel_funcs *funcs, size_t *nr)
{
	*nr = funcs->list.nr;
	return funcs->list.at;
}

void fc_kernel_funcs_number(struct fc_kernel_funcs *funcs, struct fc_numbers *numbers)
{
	fc_vec_each (&funcs->list, func)
		func->id = func->is_out || func->is_aside ? 0 : ++numbers->funcs;
}

int fc_kernel_funcs_tell(struct fc_kernel_funcs *funcs, struct fc_numbers *numbers,
			 const void *values, size_t values_size, struct fc_tap *tap)
{
	const struct fc_kernel_func *list = funcs->list.at;
	int err = 0;
	for (size_t i = 0; i < funcs->list.nr; i++)
		if (list[i].id)
			add(funcs, &list[i], i + 1 < funcs->list.nr ? &list[i + 1] : NULL);
	fc_vec_each (&funcs->modules, module) {
		uint64_t first = module->funcs.at[0].vaddr;
		fc_vec_each (&module->funcs, func)
			func->vaddr -= first;
		module->info.id = ++numbers->modules;
		module->info.funcs = module->funcs.at;
		module->info.nr_funcs = module->funcs.nr;
		if (module == funcs->modules.at) {
			module->info.values = values;
			module->info.values_size = values_size;
		}
		err = err ?: tap->module(tap, &module->info);
	}
	return err;
}

const struct fc_kernel_func *fc_kernel_funcs_at(const struct fc_kernel_funcs *funcs,
						uint64_t address)
{
	size_t nr = fc_bisect(funcs->list.at, funcs->list.nr, func, func->address <= address);
	const struct fc_kernel_func *func = nr ? &funcs->list.at[nr - 1] : NULL;
	bool is_traced = func && (func->id || func->is_aside);
	return is_traced && address - func->address < MOST_OFFSET ? func : NULL;
}
