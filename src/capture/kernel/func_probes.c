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
	if (!nr_added)
		return fc_fail(ENOENT, "the kernel probes none of the functions: %s",
			       fc_fail_text());
	return fc_probe_event_turn_on(event);
}

int fc_func_probes_add_args(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs)
{
	return add(event, funcs, false);
}

int fc_func_probes_add_results(const struct fc_probe_event *event,
			       struct fc_kernel_funcs *funcs)
{
	return add(event, funcs, true);
}
