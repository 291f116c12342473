/* SPDX-License-Identifier: Apache-2.0 */
/* strands.c - keeps the state of each strand in memory of its own, in an array by id. */
#include "calls/strands.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"

void *fc_strands_make(struct fc_strands *strands, uint32_t id)
{
	if (id > FC_STRAND_MAX)
		return NULL;
	void **state = fc_vec_make(strands, id);
	if (!*state)
		*state = fc_alloc(strands->size);
	return *state;
}

void *fc_strands_find(const struct fc_strands *strands, uint32_t id)
{
	return id < strands->nr ? strands->at[id] : NULL;
}

void fc_strands_drop(struct fc_strands *strands, uint32_t id)
{
	if (id >= strands->nr)
		return;
	free(strands->at[id]);
	strands->at[id] = NULL;
}

void fc_strands_deinit(struct fc_strands *strands)
{
	for (size_t i = 0; i < strands->nr; i++)
		free(strands->at[i]);
	fc_vec_free(strands);
}
