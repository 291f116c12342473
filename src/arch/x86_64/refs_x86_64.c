/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refs_x86_64.c - finds code that takes the address of code.
 *
 * That is lea f(%rip), or, in a program that is not moved, any number that is one. As with branches,
 * each byte is looked at as if an operand began there.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

enum { LEA = 0x8d, MODRM_MASK = 0xc7, MODRM_RIP = 0x05, LEA_SIZE = 6 };

/* What lea at code names, from the opcode on. */
static uint64_t lea_target(const uint8_t *code, uint64_t vaddr)
{
	int32_t rel;
	memcpy(&rel, code + 2, sizeof(rel));
	return vaddr + LEA_SIZE + (int64_t)rel;
}

void refs_x86_64(const uint8_t *code, size_t size, uint64_t vaddr, bool is_fixed,
		 const struct fc_targets *targets,
		 void (*fn)(void *ctx, uint64_t from, uint64_t to), void *ctx)
{
	for (size_t i = 0; i + 4 <= size; i++) {
		uint32_t word;
		memcpy(&word, code + i, sizeof(word));
		if (is_fixed && fc_targets_has(targets, word))
			fn(ctx, vaddr + i, word);
		if ((word & 0xff) != LEA || (word >> 8 & MODRM_MASK) != MODRM_RIP ||
		    i + LEA_SIZE > size)
			continue;
		uint64_t to = lea_target(code + i, vaddr + i);
		if (fc_targets_has(targets, to))
			fn(ctx, vaddr + i, to);
	}
}

/*
 * mov mem, %rsp: REX.W without R, 8b, modrm with register 4 and an operand in memory. Out of its
 * own frame a function takes it when an array of variable size ends: mov disp(%rbp), %rsp.
 */
void stack_loads_x86_64(const uint8_t *code, size_t size, uint64_t vaddr,
			void (*fn)(void *ctx, uint64_t vaddr), void *ctx)
{
	enum { REX_W = 0x48, REX_B = 1, REX_W_R = 0x4c, MOV_R_RM = 0x8b };
	enum { REG = 0x38, RSP = 4 << 3, RM = 7, RBP = 5 };
	const uint8_t *end = code + size, *at = code + 1;
	for (; at + 1 < end && (at = memchr(at, MOV_R_RM, end - at - 1)); at++) {
		bool is_frame = (at[1] & RM) == RBP && !(at[-1] & REX_B) && at[1] >= 0x40;
		if ((at[-1] & REX_W_R) == REX_W && (at[-1] & 0xf0) == PREFIX_REX &&
		    (at[1] & REG) == RSP && at[1] < 0xc0 && !is_frame)
			fn(ctx, vaddr + (at - 1 - code));
	}
}
