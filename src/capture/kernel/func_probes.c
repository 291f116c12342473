/* SPDX-License-Identifier: Apache-2.0 */
/* func_probes.c - the functions whose arguments or results are asked for get a probe each. */
#include "capture/kernel/func_probes.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

static const char fetch_args[] =
	FC_FUNC_PROBES_FIRST "=$arg1:u64 arg2=$arg2:u64 arg3=$arg3:u64 arg4=$arg4:u64 "
			     "arg5=$arg5:u64 " FC_FUNC_PROBES_LAST "=$arg6:u64";
static const char fetch_result[] = FC_FUNC_PROBES_RET "=$retval:u64";

/* As the kernel takes it: "vfs_read", or "ext4:ext4_open". */
static char *symbol_of(const struct fc_kernel_func *func)
{
	bool is_own = !strcmp(func->module, FC_KERNEL_MODULE) ||
		      !strcmp(func->module, FC_INTERRUPT_MODULE);
	return is_own ? fc_strdup(func->name)
		      : fc_asprintf("%.*s:%s", (int)strlen(func->module) - 2, func->module + 1,
				    func->name);
}

/* What says that something is recorded of a function, and 0 that nothing is. */
static uint8_t *recorded(struct fc_kernel_func *func, bool is_result)
{
	return is_result ? &func->result_size : &func->nr_args;
}

static int end_adding(const struct fc_probe_event *event, size_t nr_added)
{
	if (!nr_added)
		return fc_fail(ENOENT, "the kernel probes none of the functions: %s",
			       fc_fail_text());
	return fc_probe_event_turn_on(event);
}

static int add(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs,
	       bool is_result)
{
	size_t nr, nr_added = 0;
	struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!*recorded(&all[i], is_result))
			continue;
		fc_auto_free char *symbol = symbol_of(&all[i]);
		if (is_result ? fc_probe_event_add_return(event, symbol, fetch_result)
			      : fc_probe_event_add_entry(event, symbol, fetch_args))
			*recorded(&all[i], is_result) = 0;
		else
			nr_added++;
	}
	return end_adding(event, nr_added);
}

/* ---- by globs ---- */

/*
 * fprobes that stand on the function graph tracer (Linux 6.14). Older ones share the list of open calls with
 * kretprobes: where one of a function that handles kprobes is beneath a kretprobe, that list is torn and
 * the kernel oopses (seen with 6.12).
 */
bool fc_func_probes_know_globs(void)
{
	return fc_kernel_has_func("fprobe_return");
}

static size_t nr_with_result(struct fc_kernel_funcs *funcs, char *const *globs)
{
	size_t nr, ret = 0;
	const struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++)
		ret += all[i].result_size && fc_kernel_func_matches(&all[i], globs);
	return ret;
}

/* The kernel looks through all its functions for each: one costs as much as some ten kretprobes. */
static bool are_cheaper(struct fc_kernel_funcs *funcs, char *const *globs)
{
	enum { COST = 10 };
	size_t nr = 0;
	while (globs[nr])
		nr++;
	return nr_with_result(funcs, globs) > COST * nr;
}

/* A name of a system call, or an address, is not what the kernel calls its function. */
static size_t add_each(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs,
		       char *glob)
{
	char *const globs[] = { glob, NULL };
	size_t nr, nr_added = 0;
	const struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	if (!fc_kernel_glob_is_special(glob))
		return !fc_probe_event_add_returns(event, glob, fetch_result);
	for (size_t i = 0; i < nr; i++)
		nr_added += all[i].result_size && fc_kernel_func_matches(&all[i], globs) &&
			    !fc_probe_event_add_returns(event, all[i].name, fetch_result);
	return nr_added;
}

static int add_globs(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs,
		     char *const *globs)
{
	size_t nr_added = 0;
	for (; *globs; globs++)
		nr_added += add_each(event, funcs, *globs);
	return end_adding(event, nr_added);
}

int fc_func_probes_add_args(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs)
{
	return add(event, funcs, false);
}

int fc_func_probes_add_results(const struct fc_probe_event *event,
			       struct fc_kernel_funcs *funcs, char *const *globs)
{
	bool by_globs = are_cheaper(funcs, globs) && fc_func_probes_know_globs();
	return by_globs ? add_globs(event, funcs, globs) : add(event, funcs, true);
}
