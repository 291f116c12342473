/* SPDX-License-Identifier: Apache-2.0 */
/* strands.c - keeps the state of each strand in memory of its own, in an array by id. */
#include "calls/strands.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void make_room(struct fc_strands *strands, uint32_t id)
{
	size_t want = strands->nr ? strands->nr : 16;
	while (want <= id)
		want *= 2;
	strands->at = fc_realloc(strands->at, want * sizeof(*strands->at));
	memset(strands->at + strands->nr, 0, (want - strands->nr) * sizeof(*strands->at));
	strands->nr = want;
}

void *fc_strands_make(struct fc_strands *strands, uint32_t id)
{
	if (id > FC_STRAND_MAX)
		return NULL;
	if (id >= strands->nr)
		make_room(strands, id);
	if (!strands->at[id])
		strands->at[id] = fc_alloc(strands->size);
	return strands->at[id];
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
	free(strands->at);
	strands->at = NULL;
	strands->nr = 0;
}
