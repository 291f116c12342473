/* SPDX-License-Identifier: Apache-2.0 */
/* jump_x86_64.c - encodes jumps of each size. */
#include <string.h>

#include "arch/x86_64/x86_64.h"
#include "base/little.h"

void make_jump_x86_64(uint64_t from, uint64_t to, uint8_t *ret)
{
	ret[0] = OP_JMP_REL32;
	fc_put_32(ret + 1, (uint32_t)(to - (from + JUMP_SIZE)));
}

void make_near_jump_x86_64(uint64_t from, uint64_t to, uint8_t *ret)
{
	ret[0] = OP_JMP_REL8;
	ret[1] = (uint8_t)(to - (from + NEAR_JUMP_SIZE));
}

/* jmp *0(%rip); .quad to */
void make_long_jump_x86_64(uint64_t to, uint8_t *ret)
{
	static const uint8_t jmp_memory[] = { OP_GROUP5, 0x25, 0, 0, 0, 0 };
	memcpy(ret, jmp_memory, sizeof(jmp_memory));
	fc_put_64(ret + sizeof(jmp_memory), to);
}

/*
 *   e9 lo lo hi hi    nr_free 3: two bytes of the displacement are ours, two stay
 *
 * The lowest bytes come first, so the reach is one range, of 1 byte to 16 MiB.
 */
void pun_x86_64(uint64_t from, const uint8_t *code, uint8_t nr_free, uint64_t *first,
		uint64_t *last)
{
	uint32_t free_bits = (uint32_t)((1ull << 8 * (nr_free - 1)) - 1), fixed;
	memcpy(&fixed, code + 1, sizeof(fixed));
	*first = from + JUMP_SIZE + (int64_t)(int32_t)(fixed & ~free_bits);
	*last = *first + free_bits;
}
