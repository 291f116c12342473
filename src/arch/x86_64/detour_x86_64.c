/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detours, for processes whose %gs is the program's own: what a stub reads by %gs elsewhere,
 * the detour finds by %fs, in the agent's table of threads.
 *
 *   stub:   jmp detour       was: mov %gs:self,%rdx
 *   back:   ...              rdx is the strand
 *   detour: ...              not in the table: the agent is asked, or there are no counters
 *           jmp back
 *
 * As in a stub: all registers are live, arithmetic flags and memory below rsp may be used.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

#include "base/little.h"
#include "capture/agent/abi.h"

/* clang-format off */
static const uint8_t strand_detour[] = {
	0xf3, 0x48, 0x0f, 0xae, 0xc0,                          /* rdfsbase %rax */
	0x48, 0x89, 0xc1,                                      /* mov %rax,%rcx */
	0x48, 0xc1, 0xe9, 0x0c,                                /* shr $0xc,%rcx */
	0x69, 0xc9, 0xb1, 0x79, 0x37, 0x9e,                    /* imul $FCA_THREAD_FACTOR,%ecx,%ecx */
	0xc1, 0xe9, 0x10,                                      /* shr $0x10,%ecx */
	0x48, 0xba, 0, 0, 0, 0, 0, 0, 0, 0,                    /* movabs $table,%rdx */
	0x48, 0x8b, 0x14, 0xca,                                /* mov (%rdx,%rcx,8),%rdx */
	0x48, 0x39, 0x42, 0xe8,                                /* cmp %rax,thread(%rdx) */
	0x0f, 0x85, 0, 0, 0, 0,                                /* jne agent */
	0xe9, 0, 0, 0, 0,                                      /* jmp back */
};

static const uint8_t counts_detour[] = {
	0x48, 0x89, 0x4c, 0x24, 0xf0,                          /* mov %rcx,-0x10(%rsp) */
	0x48, 0x89, 0x54, 0x24, 0xe8,                          /* mov %rdx,-0x18(%rsp) */
	0xf3, 0x48, 0x0f, 0xae, 0xc0,                          /* rdfsbase %rax */
	0x48, 0x89, 0xc1,                                      /* mov %rax,%rcx */
	0x48, 0xc1, 0xe9, 0x0c,                                /* shr $0xc,%rcx */
	0x69, 0xc9, 0xb1, 0x79, 0x37, 0x9e,                    /* imul $FCA_THREAD_FACTOR,%ecx,%ecx */
	0xc1, 0xe9, 0x10,                                      /* shr $0x10,%ecx */
	0x48, 0xba, 0, 0, 0, 0, 0, 0, 0, 0,                    /* movabs $table,%rdx */
	0x48, 0x8b, 0x14, 0xca,                                /* mov (%rdx,%rcx,8),%rdx */
	0x31, 0xc9,                                            /* xor %ecx,%ecx */
	0x48, 0x39, 0x42, 0xe8,                                /* cmp %rax,thread(%rdx) */
	0x48, 0x8b, 0x42, 0x18,                                /* mov counts(%rdx),%rax */
	0x48, 0x0f, 0x45, 0xc1,                                /* cmovne %rcx,%rax: none */
	0x48, 0x8b, 0x4c, 0x24, 0xf0,                          /* mov -0x10(%rsp),%rcx */
	0x48, 0x8b, 0x54, 0x24, 0xe8,                          /* mov -0x18(%rsp),%rdx */
	0xe9, 0, 0, 0, 0,                                      /* jmp back */
};

/* In place of a read, where each call asks the agent: no counters. */
static const uint8_t no_counts[FCA_READ_SIZE] = {
	0x31, 0xc0,                                            /* xor %eax,%eax */
	0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00,              /* nopl 0x0(%rax) */
};
/* clang-format on */

enum {
	STRAND_TABLE = 0x17, /* imm64 */
	STRAND_AGENT = 0x29, /* rel32 */
	STRAND_BACK = 0x2d,
	COUNTS_TABLE = 0x21, /* imm64 */
	COUNTS_BACK = 0x45,
	LAST = FCA_DETOUR_SIZE - JUMP_SIZE, /* jmp back once more, where the agent finds it */
};

_Static_assert(sizeof(strand_detour) == STRAND_BACK + JUMP_SIZE, "offsets fit the bytes");
_Static_assert(sizeof(counts_detour) == COUNTS_BACK + JUMP_SIZE, "offsets fit the bytes");
_Static_assert(sizeof(counts_detour) <= LAST, "a detour has room for both");

void make_detour_x86_64(const struct fc_gs_read *read, uint64_t stub, uint64_t at,
			uint64_t table, uint8_t *ret)
{
	uint64_t back = stub + read->off + FCA_READ_SIZE;
	memset(ret, OP_INT3, FCA_DETOUR_SIZE);
	if (read->is_counts) {
		memcpy(ret, counts_detour, sizeof(counts_detour));
		fc_put_64(ret + COUNTS_TABLE, table);
		make_jump_x86_64(at + COUNTS_BACK, back, ret + COUNTS_BACK);
	} else {
		memcpy(ret, strand_detour, sizeof(strand_detour));
		fc_put_64(ret + STRAND_TABLE, table);
		fc_put_32(ret + STRAND_AGENT,
			  (uint32_t)(stub + read->agent_off - (at + STRAND_BACK)));
		make_jump_x86_64(at + STRAND_BACK, back, ret + STRAND_BACK);
	}
	make_jump_x86_64(at + LAST, back, ret + LAST);
}

size_t drop_gs_read_x86_64(const struct fc_gs_read *read, uint64_t stub, uint64_t detour,
			   uint8_t *ret)
{
	if (detour) {
		make_jump_x86_64(stub + read->off, detour, ret);
		return JUMP_SIZE;
	}
	if (read->is_counts) {
		memcpy(ret, no_counts, sizeof(no_counts));
		return sizeof(no_counts);
	}
	make_jump_x86_64(read->off, read->agent_off, ret);
	return JUMP_SIZE;
}
