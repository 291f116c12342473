/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads from the program's memory. A load that faults ends the program, since nobody need be there who
 * would catch that. So the agent itself loads only what is proven to be there, and the kernel copies
 * all else: it says what cannot be read. docs/security.md lists all such loads.
 *
 *   a stack whose bounds nobody knows:      | slot ... its page's end |   ?
 *   a thread's own stack:                   | slot ... its upper end           |
 *
 * The call has just written its return address to the slot, so the slot's page is there. What is above
 * it, though, may be another stack, which need not be there any more: those of coroutines often lie
 * side by side. The stack that the kernel or libc made for a thread holds the frames of all that called.
 */
#include "capture/agent/strand/load.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/kernel_copy.h"
#include "capture/agent/base/machine.h"

/* Is it within the stack that the kernel or libc made for the thread, and no other within that? */
static bool is_own(const struct strand *s, uint64_t at)
{
	const struct bounds *bounds = &s->bounds;
	return bounds->kind == FC_STRAND_THREAD && !s->is_split && at >= bounds->low &&
	       at < bounds->high;
}

uint64_t load_end(const struct strand *s, uint64_t slot)
{
	return is_own(s, slot) ? s->bounds.high : page_of(slot) + FCA_PAGE;
}

/* The agent runs on the same stack, below: nobody has taken away what is between. */
static bool is_above_here(const struct strand *s, uint64_t at)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	return at >= here && is_own(s, here) && is_own(s, at);
}

static bool is_there(const struct strand *s, uint64_t slot, uint64_t at)
{
	return (slot && page_of(at) == page_of(slot) && at % 8 == 0) || is_above_here(s, at);
}

bool load_words(const struct strand *s, uint64_t slot, uint64_t at, uint64_t *ret, uint32_t nr)
{
	struct piece to = { (uint64_t)ret, nr * 8ull }, from = { at, nr * 8ull };
	if (!is_there(s, slot, at) || !is_there(s, slot, at + (nr - 1) * 8ull))
		return !agent_config.is_quiet &&
		       kernel_copy(NR_process_vm_readv, s->pid, &to, &from, 1) == (long)to.size;
	for (uint32_t i = 0; i < nr; i++)
		ret[i] = ((const volatile uint64_t *)at)[i];
	return true;
}

bool load_word(const struct strand *s, uint64_t slot, uint64_t at, uint64_t *ret)
{
	return load_words(s, slot, at, ret, 1);
}

void store_word(const struct strand *s, uint64_t slot, uint64_t at, uint64_t value)
{
	struct piece from = { (uint64_t)&value, sizeof(value) }, to = { at, sizeof(value) };
	if (agent_config.is_quiet || is_there(s, slot, at))
		*(volatile uint64_t *)at = value;
	else
		kernel_copy(NR_process_vm_writev, s->pid, &from, &to, 1);
}
