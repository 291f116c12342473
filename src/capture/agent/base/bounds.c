/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where stacks begin and end, as far as somebody knows: the kernel of the main stack and of a
 * thread's signal stack, libc of a thread's own. Of all others it is known where calls were seen.
 */
#include "capture/agent/base/bounds.h"

#include "capture/agent/base/kernel_copy.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/thread.h"
#include "trace/record.h"

struct signal_stack { /* the kernel's stack_t */
	uint64_t low;
	int32_t flags, unused;
	uint64_t size;
};

enum {
	WORDS = 64, /* that are read at a time */
	MOST_WORDS = 320,
	ABOVE_THREAD =
		64 *
		1024, /* of a thread's stack block: its descriptor, and what is behind it */
	SS_DISABLE = 2,
};

/* Less than an address: what else stands in a descriptor. */
#define MOST_STACK (1ull << 40)

/*
 * Address and size of the block that libc made for the thread's stack stand beside each other in
 * its descriptor, at which %fs points and which is at the block's upper end: glibc's struct
 * pthread has stackblock, stackblock_size, guardsize, musl's has map_base, map_size, stack,
 * stack_size, guard_size.
 */
static bool is_block(const uint64_t *word, uint64_t thread, uint64_t slot)
{
	uint64_t low = word[0], size = word[1], high = low + size;
	return low && size <= MOST_STACK && low < slot && slot < thread && thread < high &&
	       high - thread <= ABOVE_THREAD;
}

static void block_bounds(const uint64_t *word, struct bounds *ret)
{
	enum { GLIBC_GUARD = 2, MUSL_GUARD = 4 };
	uint64_t size = word[1];
	uint64_t guard = word[GLIBC_GUARD] < size  ? word[GLIBC_GUARD]
			 : word[MUSL_GUARD] < size ? word[MUSL_GUARD]
						   : 0;
	*ret = (struct bounds){ word[0] + guard, word[0] + size, FC_STRAND_THREAD };
}

/*
 * A stack that the program gave: glibc's block all the same. musl tells where it ends and how large
 * it is; the descriptor is at its end, with no block, or in a block without it.
 */
static bool is_given(const uint64_t *word, uint64_t thread, uint64_t slot)
{
	enum { MOST_AT_END = 2048 };
	uint64_t end = word[2], size = word[3], guard = word[4];
	bool is_at_end =
		!word[0] && word[1] - size <= MOST_AT_END && thread - end < MOST_AT_END;
	bool is_beside = word[0] && word[1] <= MOST_STACK && thread - word[0] < word[1];
	return !guard && size <= MOST_STACK && end - size < slot && slot < end &&
	       (is_at_end || is_beside);
}

/* Of a thread's descriptor five words, which may be those that tell. */
static bool is_told(const uint64_t *word, uint64_t thread, uint64_t slot, struct bounds *ret)
{
	if (is_block(word, thread, slot))
		block_bounds(word, ret);
	else if (is_given(word, thread, slot))
		*ret = (struct bounds){ word[2] - word[3], word[2], FC_STRAND_THREAD };
	return ret->high;
}

static bool find_block(uint64_t slot, struct bounds *ret)
{
	enum { BEHIND = 5 };
	uint64_t thread = thread_now(), word[WORDS + BEHIND];
	if (!thread)
		return false;
	for (int from = 0; from < MOST_WORDS; from += WORDS) {
		int nr = peek_words(thread + from * 8ull, word, WORDS + BEHIND);
		for (int i = nr; i < WORDS + BEHIND; i++)
			word[i] = 0;
		for (int i = 0; i + 1 < nr && i < WORDS; i++)
			if (is_told(&word[i], thread, slot, ret))
				return ret->low <= slot;
		if (nr < WORDS + BEHIND)
			return false;
	}
	return false;
}

static bool find_signal_stack(uint64_t slot, struct bounds *ret)
{
	struct signal_stack stack;
	if (syscall2(NR_sigaltstack, 0, &stack) || stack.flags & SS_DISABLE ||
	    slot - stack.low >= stack.size)
		return false;
	*ret = (struct bounds){ stack.low, stack.low + stack.size, FC_STRAND_SIGNAL };
	return true;
}

bool bounds_find(uint64_t slot, struct bounds *ret)
{
	*ret = (struct bounds){ 0 };
	/* A thread's own stack may lie within a frame of the main stack. */
	if (!agent_config.is_quiet && (find_signal_stack(slot, ret) || find_block(slot, ret)))
		return true;
	if (is_main_stack(slot))
		*ret = (struct bounds){ agent_config.stack_low, agent_config.stack_high,
					FC_STRAND_THREAD };
	return ret->high;
}

/* Where the agent has a handler's frame, and its own, to the stack's end. */
uint64_t bounds_room(const struct bounds *bounds)
{
	enum { MARGIN = 16 * 1024 };
	uint64_t low = bounds->low;
	if (low == agent_config.stack_low)
		low = agent_config.stack_mapped;
	return low ? low + MARGIN : ~0ull;
}
