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
#include "capture/agent/strand_private.h"

/* Is it within the stack that the kernel or libc made for the thread, and no other within that? */
static bool is_own(const struct strand *s, uint64_t at)
{
	const struct bounds *bounds = &s->bounds;
	return bounds->kind == FC_STRAND_THREAD && !s->is_split && at >= bounds->low &&
	       at < bounds->high;
}

void strand_split(struct strand *s)
{
	s->is_split = true;
	s->room = ~0ull;
}

void strands_split(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0, nr = count_strands(); i < nr; i++) {
		struct strand *s = strands[i];
		if (s && s->bounds.high && start < s->bounds.high && end > s->low)
			strand_split(s);
	}
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

long load_copy(long nr, int pid, const void *here, const void *there, uint32_t count)
{
	enum { ESRCH = 3 };
	long got = syscall6(nr, pid, (long)here, count, (long)there, count, 0);
	/* A process whose first thread has ended is none to the kernel; this thread is there. */
	return got != -ESRCH ? got
			     : syscall6(nr, syscall1(NR_gettid, 0), (long)here, count,
					(long)there, count, 0);
}

bool load_word(const struct strand *s, uint64_t slot, uint64_t at, uint64_t *ret)
{
	struct {
		uint64_t at, size;
	} to = { (uint64_t)ret, sizeof(*ret) }, from = { at, sizeof(*ret) };
	if (!is_there(s, slot, at))
		return !agent_config.is_quiet &&
		       load_copy(NR_process_vm_readv, s->pid, &to, &from, 1) == sizeof(*ret);
	*ret = *(const volatile uint64_t *)at;
	return true;
}

void store_word(const struct strand *s, uint64_t slot, uint64_t at, uint64_t value)
{
	struct {
		uint64_t at, size;
	} from = { (uint64_t)&value, sizeof(value) }, to = { at, sizeof(value) };
	if (agent_config.is_quiet || is_there(s, slot, at))
		*(volatile uint64_t *)at = value;
	else
		load_copy(NR_process_vm_writev, s->pid, &from, &to, 1);
}
