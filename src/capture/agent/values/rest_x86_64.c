/* SPDX-License-Identifier: Apache-2.0 */
/* The System V ABI's "Variable Argument Lists" (x86-64 psABI 3.5.7). */
#include "capture/agent/values/rest.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/kernel_copy.h"
#include "capture/agent/base/machine.h"

enum { INTS = 6, VECTORS = 8, WORD = 8, VECTOR = 16, XMM0 = 17 };

void rest_begin(struct rest *rest, const struct agent_frame *frame, uint32_t nr_int,
		uint32_t nr_vector, uint64_t stack, uint64_t begin, uint64_t end)
{
	*rest = (struct rest){ frame, 0, nr_int, nr_vector, stack, begin, end };
}

static bool read_word(const struct rest *rest, uint64_t at, uint64_t *ret)
{
	if (at % WORD)
		return false;
	if (at < rest->begin || at >= rest->end || rest->end - at < WORD)
		return !agent_config.is_quiet && peek_word(at, ret);
	*ret = *(const volatile uint64_t *)at;
	return true;
}

static uint64_t int_reg(const struct agent_frame *frame, uint32_t i)
{
	static const uint8_t reg[INTS] = { 5, 4, 1, 2, 8, 9 }; /* rdi, rsi, rdx, rcx, r8, r9 */
	return frame_reg(frame, reg[i]);
}

/* va_list: gp_offset, fp_offset (4 bytes each), overflow_arg_area, reg_save_area */
bool rest_begin_list(struct rest *rest, const struct agent_frame *frame, uint32_t i,
		     uint64_t begin, uint64_t end)
{
	*rest = (struct rest){ .begin = begin, .end = end };
	uint64_t at = i < INTS ? int_reg(frame, i) : 0, list[3];
	for (uint32_t k = 0; k < 3; k++)
		if (!read_word(rest, at + k * WORD, &list[k]))
			return false;
	uint32_t ints = (uint32_t)list[0], vectors = (uint32_t)(list[0] >> 32);
	if (ints % WORD || vectors % VECTOR)
		return false;
	rest->saved = list[2];
	rest->stack = list[1];
	rest->nr_int = ints / WORD;
	rest->nr_vector = vectors < INTS * WORD ? VECTORS : (vectors - INTS * WORD) / VECTOR;
	return true;
}

static bool take_stacked(struct rest *rest, uint64_t *ret)
{
	if (!read_word(rest, rest->stack, ret))
		return false;
	rest->stack += WORD;
	return true;
}

bool rest_word(struct rest *rest, uint64_t *ret)
{
	if (rest->nr_int >= INTS)
		return take_stacked(rest, ret);
	uint32_t i = rest->nr_int++;
	if (!rest->frame)
		return read_word(rest, rest->saved + i * WORD, ret);
	*ret = int_reg(rest->frame, i);
	return true;
}

bool rest_double(struct rest *rest, uint64_t *ret)
{
	uint64_t wide[8];
	if (rest->nr_vector >= VECTORS)
		return take_stacked(rest, ret);
	uint32_t i = rest->nr_vector++;
	if (!rest->frame)
		return read_word(rest, rest->saved + INTS * WORD + i * VECTOR, ret);
	store_vector(XMM0 + i, WORD, wide);
	*ret = wide[0];
	return true;
}

bool rest_long_double(struct rest *rest, uint64_t ret[2])
{
	rest->stack = (rest->stack + VECTOR - 1) & ~(uint64_t)(VECTOR - 1);
	return take_stacked(rest, &ret[0]) && take_stacked(rest, &ret[1]);
}
