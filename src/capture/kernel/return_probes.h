/* SPDX-License-Identifier: Apache-2.0 */
/*
 * return_probes.h - what the kernel's functions return: one event with a probe of each function.
 *
 * An event comes just before the function_graph tracer's exit of the same function, if it was
 * switched on before that tracer.
 */
#ifndef FC_CAPTURE_KERNEL_RETURN_PROBES_H
#define FC_CAPTURE_KERNEL_RETURN_PROBES_H

#include "capture/kernel/kernel_funcs.h"
#include "capture/kernel/probe_event.h"

#define FC_RETURN_PROBES_EVENT	"result"
#define FC_RETURN_PROBES_RESULT "ret" /* its field: the register */

/*
 * Of each function that has a result_size, which becomes 0 where the kernel allows no probe, as event.
 * -errno with a sentence: there is no such event then.
 */
int fc_return_probes_add(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs);

#endif
