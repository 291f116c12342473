/* SPDX-License-Identifier: Apache-2.0 */
/* unshown.h - the functions whose calls a budget, or a user, did not have shown one by one. */
#ifndef FC_READ_SUMS_UNSHOWN_H
#define FC_READ_SUMS_UNSHOWN_H

#include "trace/reader.h"

struct fc_unshown {
	uint32_t func;
	int state;	   /* enum fc_hook_state, at the end */
	uint64_t counted;  /* calls that were only counted */
	uint64_t since_ns; /* when it was first not recorded, from the session's start */
	uint64_t count_ns; /* for so long its calls were counted, */
	uint64_t out_ns;   /* for so long nothing is known of them */
	uint32_t nr_changes;
};

/* Those with the most counted calls first. The caller frees *ret. Returns how many. */
size_t fc_unshown_find(struct fc_reader *reader, struct fc_unshown **ret);

#endif
