/* SPDX-License-Identifier: Apache-2.0 */
/* return_probes.c - the functions whose results are asked for get a probe each. */
#include "capture/kernel/return_probes.h"

#include <errno.h>

#include "base/fail.h"

int fc_return_probes_add(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs)
{
	size_t nr, nr_probes = 0;
	struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!all[i].result_size)
			continue;
		if (fc_probe_event_add_return(event, all[i].name,
					      FC_RETURN_PROBES_RESULT "=$retval:u64"))
			all[i].result_size = 0; /* the kernel forbids probes there */
		else
			nr_probes++;
	}
	if (!nr_probes)
		return fc_fail(ENOENT, "the kernel probes none of the functions: %s",
			       fc_fail_text());
	int err = fc_probe_event_turn_on(event);
	if (err)
		fc_probe_event_remove(event);
	return err;
}
