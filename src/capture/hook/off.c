/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/off.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/hook/space_private.h"

/* Address of each strand's first page; a strand's own address is that of its second. */
static uint32_t read_strands(const struct fc_space *space, uint64_t *ret)
{
	uint32_t nr;
	if (fc_remote_read(space->mem_fd, space->agent + space->header.nr_strands, &nr,
			   sizeof(nr)))
		return 0;
	if (nr > FCA_MAX_STRANDS)
		nr = FCA_MAX_STRANDS;
	return fc_remote_read(space->mem_fd, space->agent + space->header.strands, ret,
			      nr * sizeof(*ret))
		       ? 0
		       : nr;
}

/*
 * Off: its next hook is to come to the agent, which sees the switch. On: stubs no longer pass
 * it by. Single words, which the thread may change at the same time: the agent looks at the
 * switch again after each change of its own.
 */
static void tell_strand(const struct fc_space *space, uint64_t first_page, bool is_on)
{
	static const uint64_t zero;
	if (first_page)
		fc_remote_write(space->mem_fd,
				first_page + FCA_PAGE +
					(is_on ? FCA_STRAND_OFF : FCA_STRAND_LIMIT),
				&zero, is_on ? 1 : sizeof(zero));
}

void fc_space_switch(struct fc_space *space, bool is_on)
{
	if (!space->arena)
		return;
	__atomic_store_n(&space->arena->at->is_off, !is_on, __ATOMIC_SEQ_CST);
	fc_auto_free uint64_t *strands = fc_alloc(FCA_MAX_STRANDS * sizeof(*strands));
	uint32_t nr = read_strands(space, strands);
	for (uint32_t i = 0; i < nr; i++)
		tell_strand(space, strands[i], is_on);
}

void fc_space_lend(const struct fc_space *space)
{
	static const uint32_t yes = 1;
	fc_remote_write(space->mem_fd, FC_CONFIG(space, is_lent), &yes, sizeof(yes));
}

void fc_space_leave(struct fc_space *space)
{
	fc_space_switch(space, false);
	if (space->arena)
		fc_drain_leave(space->arena);
}

/* A limit of 0, torn or not, is below every cursor; the agent sets it anew. */
void fc_space_wake_strands(const struct fc_space *space)
{
	fc_auto_free uint64_t *strands = fc_alloc(FCA_MAX_STRANDS * sizeof(*strands));
	uint32_t nr = read_strands(space, strands);
	for (uint32_t i = 0; i < nr; i++)
		tell_strand(space, strands[i], false);
}
