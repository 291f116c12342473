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

static int turn_on(const struct fc_probe_event *event, size_t nr)
{
	if (!nr)
		return fc_fail(ENOENT, "the kernel probes none of the functions: %s",
			       fc_fail_text());
	int err = fc_probe_event_turn_on(event);
	if (err)
		fc_probe_event_remove(event);
	return err;
}

int fc_func_probes_add_args(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs)
{
	size_t nr, nr_added = 0;
	struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!all[i].nr_args)
			continue;
		fc_auto_free char *symbol = symbol_of(&all[i]);
		if (fc_probe_event_add_entry(event, symbol, fetch_args))
			all[i].nr_args = 0;
		else
			nr_added++;
	}
	return turn_on(event, nr_added);
}

int fc_func_probes_add_results(const struct fc_probe_event *event,
			       struct fc_kernel_funcs *funcs)
{
	size_t nr, nr_added = 0;
	struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!all[i].result_size)
			continue;
		fc_auto_free char *symbol = symbol_of(&all[i]);
		if (fc_probe_event_add_return(event, symbol, fetch_result))
			all[i].result_size = 0;
		else
			nr_added++;
	}
	return turn_on(event, nr_added);
}
