/* SPDX-License-Identifier: Apache-2.0 */
/* off_funcs.c - marks the functions of the module that stands for time off the CPU. */
#include "trace/off_funcs.h"

#include <string.h>

#include "trace/record.h"

void fc_off_funcs_add(struct fc_off_funcs *off, const struct fc_module_info *module)
{
	if (strcmp(module->path, FC_OFF_CPU_MODULE) != 0)
		return;
	for (size_t i = 0; i < module->nr_funcs; i++)
		if (module->funcs[i].id && module->funcs[i].id <= FC_FUNC_MAX)
			*fc_vec_make(&off->is, module->funcs[i].id) = true;
}

void fc_off_funcs_deinit(struct fc_off_funcs *off)
{
	fc_vec_free(&off->is);
}
