/* SPDX-License-Identifier: Apache-2.0 */
/* fetched.h - what is fetched of the calls of a module's functions, as far as that is asked for. */
#ifndef FC_CAPTURE_MODULE_FETCHED_H
#define FC_CAPTURE_MODULE_FETCHED_H

#include "capture/patch/plan.h"
#include "values/asked.h"

struct fc_module_values {
	struct fc_fetched *fetched; /* of each function of the plan; NULL: nothing is fetched */
	size_t nr_funcs;
	char *unread; /* what of debug information was not read, and why: a sentence, or NULL */
	void *bytes;  /* what a trace tells of it: values/formats.h */
	size_t size;
};

/* Of a file's plan, whose functions have ids. asked NULL: nothing. */
void fc_module_values_init(struct fc_module_values *values, const struct fc_elf *elf,
			   const struct fc_plan *plan, const struct fc_values_asked *asked);
void fc_module_values_deinit(struct fc_module_values *values);

#endif
