/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stubs. They are kept as bytes, with the instructions at the right; the same text for
 * an assembler is tests/arch/x86_64/stub_*.S, and a test demands that both agree.
 *
 *   entry  checks: does this call nest in the top shadow entry, has the ring room, is the
 *          stack this strand's? Else: special_entry, the agent.
 *          reserve a word by an unlocked cmpxchg on the cursor; push a shadow entry; take
 *          the time and write the record; then CALL the body with the return address
 *          dropped, so that the CPU's own return stack stays paired
 *   exit   the same for the return, and RET to the true return address
 *   off    where the first instruction, the switch, jumps to when one byte of it is
 *          changed: the body, or the counter behind it; and the way of a strand that is off
 *
 * The order is what it is because little overlaps with rdtsc: all that can be done before
 * it is. A signal between cmpxchg and the record's mov leaves a hole that is filled later;
 * the drain puts such records in order (capture/drain/ring.h).
 *
 * Live: all registers. Clobbers: arithmetic flags, memory below rsp.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

#include "base/little.h"
#include "capture/agent/abi.h"
#include "trace/record.h"

/* clang-format off */
static const uint8_t call_stub[] = {
	/* entry: 0x0 */
	0xa9, 0x2d, 0x01, 0x00, 0x00,                          /* test $...,%eax: the switch */
	0x48, 0x89, 0x44, 0x24, 0xf8,                          /* mov %rax,-0x8(%rsp) */
	0x48, 0x89, 0x4c, 0x24, 0xf0,                          /* mov %rcx,-0x10(%rsp) */
	0x48, 0x89, 0x54, 0x24, 0xe8,                          /* mov %rdx,-0x18(%rsp) */
	/* retry: 0x14 */
	0x65, 0x48, 0x8b, 0x14, 0x25, 0xf8, 0xff, 0xff, 0xff,  /* mov %gs:self,%rdx */
	0x48, 0x8b, 0x4a, 0xf0,                                /* mov shadow(%rdx),%rcx */
	0x48, 0x3b, 0x61, 0x08,                                /* cmp 0x8(%rcx),%rsp */
	0x0f, 0x83, 0xe1, 0x00, 0x00, 0x00,                    /* jae special_entry: not below the top entry's slot */
	0x48, 0x8b, 0x02,                                      /* mov cursor(%rdx),%rax */
	0x48, 0x3b, 0x42, 0x08,                                /* cmp limit(%rdx),%rax */
	0x0f, 0x83, 0xd4, 0x00, 0x00, 0x00,                    /* jae special_entry: no room in the ring, or off */
	0x48, 0x3b, 0x62, 0x10,                                /* cmp low(%rdx),%rsp */
	0x0f, 0x82, 0xca, 0x00, 0x00, 0x00,                    /* jb special_entry: not this stack */
	0x48, 0x89, 0x61, 0x18,                                /* mov %rsp,0x18(%rcx): the slot of the entry to be */
	0x48, 0x8d, 0x48, 0x08,                                /* lea 0x8(%rax),%rcx */
	0x48, 0x0f, 0xb1, 0x0a,                                /* cmpxchg %rcx,cursor(%rdx) */
	0x75, 0xc4,                                            /* jne retry: a signal came between */
	0x48, 0x83, 0x42, 0xf0, 0x10,                          /* addq $0x10,shadow(%rdx) */
	0x48, 0x8b, 0x42, 0xf0,                                /* mov shadow(%rdx),%rax */
	0x48, 0x8b, 0x14, 0x24,                                /* mov (%rsp),%rdx */
	0x48, 0x89, 0x60, 0x08,                                /* mov %rsp,0x8(%rax): entry->slot again: a handler may have used it */
	0x48, 0x89, 0x10,                                      /* mov %rdx,(%rax): entry->ret */
	0x0f, 0x31,                                            /* rdtsc */
	0x48, 0xc1, 0xe2, 0x3a,                                /* shl $0x3a,%rdx */
	0x48, 0xc1, 0xe0, 0x1a,                                /* shl $0x1a,%rax */
	0x48, 0x8d, 0x94, 0x10, 0x11, 0x11, 0x11, 0x11,        /* lea 0x11111111(%rax,%rdx,1),%rdx */
	0x48, 0x89, 0x51, 0xf8,                                /* mov %rdx,-0x8(%rcx): the record */
	0x48, 0x8b, 0x44, 0x24, 0xf8,                          /* mov -0x8(%rsp),%rax */
	0x48, 0x8b, 0x4c, 0x24, 0xf0,                          /* mov -0x10(%rsp),%rcx */
	0x48, 0x8b, 0x54, 0x24, 0xe8,                          /* mov -0x18(%rsp),%rdx */
	0x48, 0x83, 0xc4, 0x08,                                /* add $0x8,%rsp */
	0xe8, 0xa0, 0x00, 0x00, 0x00,                          /* call body */
	/* exit: 0x92 */
	0x48, 0x83, 0xec, 0x08,                                /* sub $0x8,%rsp */
	/* again: 0x96 */
	0x48, 0x89, 0x44, 0x24, 0xf8,                          /* mov %rax,-0x8(%rsp) */
	0x48, 0x89, 0x4c, 0x24, 0xf0,                          /* mov %rcx,-0x10(%rsp) */
	0x48, 0x89, 0x54, 0x24, 0xe8,                          /* mov %rdx,-0x18(%rsp) */
	/* retry: 0xa5 */
	0x65, 0x48, 0x8b, 0x14, 0x25, 0xf8, 0xff, 0xff, 0xff,  /* mov %gs:self,%rdx */
	0x48, 0x8b, 0x4a, 0xf0,                                /* mov shadow(%rdx),%rcx */
	0x48, 0x3b, 0x61, 0x08,                                /* cmp 0x8(%rcx),%rsp */
	0x75, 0x49,                                            /* jne special_exit: the top entry is not ours */
	0x48, 0x8b, 0x02,                                      /* mov cursor(%rdx),%rax */
	0x48, 0x3b, 0x42, 0x08,                                /* cmp limit(%rdx),%rax */
	0x73, 0x40,                                            /* jae special_exit: no room */
	0x48, 0x8d, 0x48, 0x08,                                /* lea 0x8(%rax),%rcx */
	0x48, 0x0f, 0xb1, 0x0a,                                /* cmpxchg %rcx,cursor(%rdx) */
	0x75, 0xda,                                            /* jne retry */
	0x48, 0x8b, 0x42, 0xf0,                                /* mov shadow(%rdx),%rax */
	0x48, 0x8b, 0x00,                                      /* mov (%rax),%rax: entry->ret */
	0x48, 0x83, 0x6a, 0xf0, 0x10,                          /* subq $0x10,shadow(%rdx) */
	0x48, 0x89, 0x04, 0x24,                                /* mov %rax,(%rsp) */
	0x0f, 0x31,                                            /* rdtsc */
	0x48, 0xc1, 0xe2, 0x3a,                                /* shl $0x3a,%rdx */
	0x48, 0xc1, 0xe0, 0x1a,                                /* shl $0x1a,%rax */
	0x48, 0x8d, 0x94, 0x10, 0x22, 0x22, 0x22, 0x22,        /* lea 0x22222222(%rax,%rdx,1),%rdx */
	0x48, 0x89, 0x51, 0xf8,                                /* mov %rdx,-0x8(%rcx): the record */
	0x48, 0x8b, 0x44, 0x24, 0xf8,                          /* mov -0x8(%rsp),%rax */
	0x48, 0x8b, 0x4c, 0x24, 0xf0,                          /* mov -0x10(%rsp),%rcx */
	0x48, 0x8b, 0x54, 0x24, 0xe8,                          /* mov -0x18(%rsp),%rdx */
	0xc3,                                                  /* ret */
	/* special_exit: 0x101 */
	0x48, 0x83, 0xec, 0x18,                                /* sub $0x18,%rsp */
	0xff, 0x25, 0xfd, 0xee, 0xff, 0xff,                    /* jmp *pool pointer: the slot holds exit */
	/* loops: 0x10b */
	0x00,
	/* special_entry: 0x10c */
	0x80, 0x7a, 0x20, 0x00,                                /* cmpb $0x0,off(%rdx) */
	0x75, 0x11,                                            /* jne off */
	0x48, 0x83, 0xec, 0x18,                                /* sub $0x18,%rsp */
	0x48, 0x8d, 0x05, 0x15, 0x00, 0x00, 0x00,              /* lea 0x15(%rip),%rax */
	0xff, 0x25, 0xdd, 0xee, 0xff, 0xff,                    /* jmp *pool pointer */
	/* off: 0x123 */
	0x48, 0x8b, 0x44, 0x24, 0xf8,                          /* mov -0x8(%rsp),%rax */
	0x48, 0x8b, 0x4c, 0x24, 0xf0,                          /* mov -0x10(%rsp),%rcx */
	0x48, 0x8b, 0x54, 0x24, 0xe8,                          /* mov -0x18(%rsp),%rdx */
};
/* clang-format on */

enum {
	OP_NOP_BYTE = 0x90,
};

enum {
	CALL_RETRY = 0x14,
	CALL_KIND = 0x25, /* jae rel32, where other kinds have jae rel8 */
	CALL_ID = 0x72,
	CALL_EXIT = 0x92,
	CALL_AGAIN = 0x96,
	CALL_EXIT_RETRY = 0xa5,
	CALL_EXIT_CHECK = 0xb6, /* jne special_exit; a gate's: jmp */
	CALL_EXIT_ID = 0xe9,
	CALL_POOL_EXIT = 0x107, /* rel32 */
	CALL_LOOPS = 0x10b,	/* FCA_LOOPS: 1 if the function jumps to its own start */
	CALL_SPECIAL_EXIT = 0x101,
	CALL_GATE = 0x111, /* FCA_GATE: where jne off leads; a gate's: nowhere */
	CALL_AGENT = 0x112,
	CALL_POOL_ENTRY = 0x11f, /* rel32 */
	CALL_BODY = 0x132,
	CALL_LIMIT = 0x32,	/* jae special_entry */
	CALL_EXIT_LIMIT = 0xbf, /* jae special_exit */
};

/* clang-format off */
static const uint8_t entry_only_stub[] = {
	/* entry: 0x0 */
	0xa9, 0x79, 0x00, 0x00, 0x00,                          /* test $...,%eax: the switch */
	0x48, 0x89, 0x44, 0x24, 0xf8,                          /* mov %rax,-0x8(%rsp) */
	0x48, 0x89, 0x4c, 0x24, 0xf0,                          /* mov %rcx,-0x10(%rsp) */
	0x48, 0x89, 0x54, 0x24, 0xe8,                          /* mov %rdx,-0x18(%rsp) */
	/* retry: 0x14 */
	0x65, 0x48, 0x8b, 0x14, 0x25, 0xf8, 0xff, 0xff, 0xff,  /* mov %gs:self,%rdx */
	0x48, 0x8b, 0x4a, 0xf0,                                /* mov shadow(%rdx),%rcx */
	0x48, 0x3b, 0x61, 0x08,                                /* cmp 0x8(%rcx),%rsp */
	0x73, 0x31,                                            /* jae special */
	0x48, 0x8b, 0x02,                                      /* mov cursor(%rdx),%rax */
	0x48, 0x3b, 0x42, 0x08,                                /* cmp limit(%rdx),%rax */
	0x73, 0x28,                                            /* jae special */
	0x48, 0x3b, 0x62, 0x10,                                /* cmp low(%rdx),%rsp */
	0x72, 0x22,                                            /* jb special */
	0x48, 0x8d, 0x48, 0x08,                                /* lea 0x8(%rax),%rcx */
	0x48, 0x0f, 0xb1, 0x0a,                                /* cmpxchg %rcx,cursor(%rdx) */
	0x75, 0xd4,                                            /* jne retry */
	0x0f, 0x31,                                            /* rdtsc */
	0x48, 0xc1, 0xe2, 0x3a,                                /* shl $0x3a,%rdx */
	0x48, 0xc1, 0xe0, 0x1a,                                /* shl $0x1a,%rax */
	0x48, 0x8d, 0x94, 0x10, 0x11, 0x11, 0x11, 0x11,        /* lea 0x11111111(%rax,%rdx,1),%rdx */
	0x48, 0x89, 0x51, 0xf8,                                /* mov %rdx,-0x8(%rcx) */
	0xeb, 0x17,                                            /* jmp off */
	/* special: 0x58 */
	0x80, 0x7a, 0x20, 0x00,                                /* cmpb $0x0,off(%rdx) */
	0x75, 0x11,                                            /* jne off */
	/* agent: 0x5e */
	0x48, 0x83, 0xec, 0x18,                                /* sub $0x18,%rsp */
	0x48, 0x8d, 0x05, 0x15, 0x00, 0x00, 0x00,              /* lea 0x15(%rip),%rax */
	0xff, 0x25, 0xa1, 0xef, 0xff, 0xff,                    /* jmp *pool pointer */
	/* off: 0x6f */
	0x48, 0x8b, 0x44, 0x24, 0xf8,                          /* mov -0x8(%rsp),%rax */
	0x48, 0x8b, 0x4c, 0x24, 0xf0,                          /* mov -0x10(%rsp),%rcx */
	0x48, 0x8b, 0x54, 0x24, 0xe8,                          /* mov -0x18(%rsp),%rdx */
};
/* clang-format on */

enum {
	ONLY_LIMIT = 0x2e, /* jae special */
	ONLY_RETRY = 0x14, /* replaced by a jump to the agent's door where that does it all */
	ONLY_ID = 0x4e,
	ONLY_GATE = 0x5d,
	ONLY_AGENT = 0x5e,
	ONLY_POOL = 0x6b, /* rel32 */
	ONLY_BODY = 0x7e,
};

/* clang-format off */
static const uint8_t count_stub[] = {
	/* entry: 0x0 */
	0x48, 0x89, 0x44, 0x24, 0xf8,                          /* mov %rax,-0x8(%rsp) */
	0x65, 0x48, 0x8b, 0x04, 0x25, 0x18, 0x00, 0x00, 0x00,  /* mov %gs:counts,%rax */
	0x48, 0x85, 0xc0,                                      /* test %rax,%rax */
	0x75, 0x1b,                                            /* jne count */
	0x48, 0x89, 0x4c, 0x24, 0xf0,                          /* mov %rcx,-0x10(%rsp) */
	0x48, 0x89, 0x54, 0x24, 0xe8,                          /* mov %rdx,-0x18(%rsp) */
	0x48, 0x83, 0xec, 0x18,                                /* sub $0x18,%rsp */
	0x48, 0x8d, 0x05, 0x12, 0x00, 0x00, 0x00,              /* lea 0x12(%rip),%rax */
	0xff, 0x25, 0x12, 0xf0, 0xff, 0xff,                    /* jmp *pool pointer */
	/* count: 0x2e */
	0x48, 0xff, 0x80, 0x11, 0x11, 0x11, 0x11,              /* incq 0x11111111(%rax) */
	0x48, 0x8b, 0x44, 0x24, 0xf8,                          /* mov -0x8(%rsp),%rax */
};
/* clang-format on */

/* clang-format off */
static const uint8_t edge_stub[] = {
	/* entry: 0x0 */
	0x48, 0x89, 0x44, 0x24, 0xf8,                          /* mov %rax,-0x8(%rsp) */
	0x48, 0x89, 0x4c, 0x24, 0xf0,                          /* mov %rcx,-0x10(%rsp) */
	0x48, 0x89, 0x54, 0x24, 0xe8,                          /* mov %rdx,-0x18(%rsp) */
	0x65, 0x48, 0x8b, 0x04, 0x25, 0x18, 0x00, 0x00, 0x00,  /* mov %gs:counts,%rax */
	0x48, 0x8b, 0x14, 0x24,                                /* mov (%rsp),%rdx */
	0x89, 0xd1,                                            /* mov %edx,%ecx */
	0x81, 0xf1, 0x22, 0x22, 0x22, 0x22,                    /* xor $0x22222222,%ecx */
	0x81, 0xe1, 0xfc, 0xff, 0x0f, 0x00,                    /* and $0xffffc,%ecx */
	0x48, 0x8d, 0x8c, 0x88, 0x00, 0x10, 0x00, 0x00,        /* lea 0x1000(%rax,%rcx,4),%rcx: where its edge would be */
	0x48, 0x85, 0xc0,                                      /* test %rax,%rax */
	0x75, 0x1b,                                            /* jne find */
	/* agent: 0x37: no table yet, no edge yet, or a full count */
	0x48, 0x83, 0xec, 0x18,                                /* sub $0x18,%rsp */
	0x48, 0x8d, 0x05, 0x3b, 0x00, 0x00, 0x00,              /* lea 0x3b(%rip),%rax */
	0xff, 0x25, 0x00, 0xf0, 0xff, 0xff,                    /* jmp *pool pointer */
	/* next: 0x48 */
	0x48, 0x83, 0x39, 0x00,                                /* cmpq $0x0,(%rcx) */
	0x74, 0xe9,                                            /* je agent */
	0x48, 0x83, 0xc1, 0x10,                                /* add $0x10,%rcx */
	/* find: 0x52 */
	0x48, 0x39, 0x11,                                      /* cmp %rdx,(%rcx): edge->ret */
	0x75, 0xf1,                                            /* jne next */
	0x8b, 0x41, 0x08,                                      /* mov 0x8(%rcx),%eax */
	0x35, 0x11, 0x11, 0x11, 0x11,                          /* xor $0x11111111,%eax */
	0xc1, 0xe0, 0x08,                                      /* shl $0x8,%eax: what remains are the bits of the id */
	0x75, 0xe4,                                            /* jne next */
	0x48, 0x81, 0x41, 0x08, 0x00, 0x00, 0x00, 0x01,        /* addq $0x1000000,0x8(%rcx): edge->calls */
	0x78, 0xc9,                                            /* js agent */
	0x48, 0x8b, 0x44, 0x24, 0xf8,                          /* mov -0x8(%rsp),%rax */
	0x48, 0x8b, 0x4c, 0x24, 0xf0,                          /* mov -0x10(%rsp),%rcx */
	0x48, 0x8b, 0x54, 0x24, 0xe8,                          /* mov -0x18(%rsp),%rdx */
};
/* clang-format on */

enum {
	EDGE_READ = 0xf,
	EDGE_SCATTER = 0x20,
	EDGE_POOL = 0x44, /* rel32 */
	EDGE_ID = 0x5b,
	EDGE_BODY = 0x7d,
};

/* clang-format off */
static const uint8_t counted_end[] = {
	/* counted: 0x0 */
	0x48, 0x89, 0x44, 0x24, 0xf8,                          /* mov %rax,-0x8(%rsp) */
	0x65, 0x48, 0x8b, 0x04, 0x25, 0x18, 0x00, 0x00, 0x00,  /* mov %gs:counts,%rax */
	0x48, 0x85, 0xc0,                                      /* test %rax,%rax */
	0x74, 0x11,                                            /* je none */
	0x48, 0xff, 0x80, 0x11, 0x11, 0x11, 0x11,              /* incq 0x11111111(%rax) */
	0x48, 0x8b, 0x44, 0x24, 0xf8,                          /* mov -0x8(%rsp),%rax */
	0xe9, 0x33, 0x33, 0x33, 0x33,                          /* jmp none+0x33333333 */
	/* none: 0x24 */
	0x48, 0x8b, 0x44, 0x24, 0xf8,                          /* mov -0x8(%rsp),%rax */
	0xe9, 0x22, 0x22, 0x22, 0x22,                          /* jmp none+0x2222222c */
};
/* clang-format on */

enum {
	COUNT_READ = 0x5,
	COUNT_POOL = 0x2a, /* rel32 */
	COUNT_AT = 0x31,   /* disp32 */
	COUNT_BODY = 0x3a,
	COUNTED_READ = 0x5,
	COUNTED_AT = 0x16,   /* disp32 */
	COUNTED_BODY = 0x20, /* rel32 */
	COUNTED_NONE = 0x2a, /* rel32, to the stub behind its switch */
	COUNTED_SIZE = 0x2e,
};

_Static_assert(CALL_LOOPS == CALL_BODY + FCA_LOOPS, "treaty");
_Static_assert(CALL_GATE == CALL_BODY + FCA_GATE, "treaty");
_Static_assert(ONLY_GATE == ONLY_BODY + FCA_GATE, "treaty");
_Static_assert(sizeof(call_stub) == CALL_BODY, "offsets fit the bytes");
_Static_assert(sizeof(entry_only_stub) == ONLY_BODY, "offsets fit the bytes");
_Static_assert(sizeof(count_stub) == COUNT_BODY, "offsets fit the bytes");
_Static_assert(sizeof(edge_stub) == EDGE_BODY, "offsets fit the bytes");
_Static_assert(sizeof(counted_end) == COUNTED_SIZE, "offsets fit the bytes");

const struct fc_stub_layout layout_x86_64 = {
	.exit_off = CALL_EXIT,
	.again_off = CALL_AGAIN,
	.body_off = CALL_BODY,
	.other_body_off = ONLY_BODY,
	.id_off = CALL_ID,
	.other_id_off = ONLY_ID,
	.count_body_off = COUNT_BODY,
	.count_off = COUNT_AT,
	.edge_body_off = EDGE_BODY,
	.edge_id_off = EDGE_ID,
};

/* The rel32 at offset off of the stub names a pointer of the pool's head. */
static void put_pool(const struct fc_stub *stub, uint8_t *ret, size_t off, int pointer)
{
	fc_put_32(ret + off,
		  (uint32_t)(stub->pool_taddr + 8 * pointer - (stub->taddr + off + 4)));
}

/* Where the body begins. */
static size_t head_size(enum fc_stub_kind kind)
{
	return kind == FC_STUB_CALL    ? CALL_BODY
	       : kind == FC_STUB_COUNT ? COUNT_BODY
	       : kind == FC_STUB_EDGE  ? EDGE_BODY
				       : ONLY_BODY;
}

/* Does it begin with a switch? */
static bool has_switch(enum fc_stub_kind kind)
{
	return kind == FC_STUB_CALL || kind == FC_STUB_ENTRY_ONLY || kind == FC_STUB_GO;
}

size_t stub_size_x86_64(enum fc_stub_kind kind, const struct fc_window *window, bool can_count)
{
	size_t end = can_count && has_switch(kind) ? COUNTED_SIZE : 0;
	return head_size(kind) + window->moved_size + JUMP_SIZE + end;
}

static size_t emit_call(const struct fc_stub *stub, uint8_t *ret)
{
	memcpy(ret, call_stub, sizeof(call_stub));
	fc_put_32(ret + CALL_ID, (uint32_t)fc_record(0, stub->func, FC_ENTRY));
	fc_put_32(ret + CALL_EXIT_ID, (uint32_t)fc_record(0, stub->func, FC_EXIT));
	ret[CALL_LOOPS] = (uint8_t)(stub->loops | stub->watch << FCA_WATCH_SHIFT);
	if (stub->is_gate) {
		ret[CALL_GATE] = 0;
		ret[CALL_EXIT_CHECK] = OP_JMP_REL8;
	}
	if (stub->watch) { /* as if there were no room */
		ret[CALL_LIMIT] = OP_NOP_BYTE;
		ret[CALL_LIMIT + 1] = OP_JMP_REL32;
		ret[CALL_EXIT_LIMIT] = OP_JMP_REL8;
	}
	put_pool(stub, ret, CALL_POOL_EXIT, FCA_POOL_EXIT);
	put_pool(stub, ret, CALL_POOL_ENTRY, FCA_POOL_ENTRY);
	return sizeof(call_stub);
}

static size_t emit_count(const struct fc_stub *stub, uint8_t *ret)
{
	memcpy(ret, count_stub, sizeof(count_stub));
	fc_put_32(ret + COUNT_AT, stub->func * 8);
	put_pool(stub, ret, COUNT_POOL, FCA_POOL_COUNT);
	return sizeof(count_stub);
}

static size_t emit_edge(const struct fc_stub *stub, uint8_t *ret)
{
	memcpy(ret, edge_stub, sizeof(edge_stub));
	fc_put_32(ret + EDGE_SCATTER, fca_edge_scatter(stub->func));
	fc_put_32(ret + EDGE_ID, stub->func);
	put_pool(stub, ret, EDGE_POOL, FCA_POOL_EDGE);
	return sizeof(edge_stub);
}

static size_t emit_other(const struct fc_stub *stub, uint8_t *ret)
{
	static const int pointer[] = {
		[FC_STUB_ENTRY_ONLY] = FCA_POOL_ENTRY_ONLY,
		[FC_STUB_UNWIND] = FCA_POOL_UNWIND,
		[FC_STUB_RAISE] = FCA_POOL_UNWIND,
		[FC_STUB_FORCE] = FCA_POOL_UNWIND,
		[FC_STUB_JUMP] = FCA_POOL_UNWIND,
		[FC_STUB_JUMP_LATER] = FCA_POOL_UNWIND,
		[FC_STUB_DL] = FCA_POOL_DL,
		[FC_STUB_FILTER] = FCA_POOL_FILTER,
		[FC_STUB_TRACE] = FCA_POOL_FILTER,
		[FC_STUB_LEND] = FCA_POOL_FILTER,
		[FC_STUB_RIGHTS] = FCA_POOL_FILTER,
		[FC_STUB_WRITE] = FCA_POOL_FILTER,
		[FC_STUB_GO] = FCA_POOL_GO,
	};
	static const uint8_t watched[] = {
		[FC_STUB_RAISE] = FCA_UNWIND_RAISES,
		[FC_STUB_FORCE] = FCA_UNWIND_FORCES,
		[FC_STUB_JUMP] = FCA_UNWIND_JUMPS,
		[FC_STUB_JUMP_LATER] = FCA_UNWIND_JUMPS_LATER,
		[FC_STUB_FILTER] = FCA_WATCH_FILTER,
		[FC_STUB_TRACE] = FCA_WATCH_TRACE,
		[FC_STUB_LEND] = FCA_WATCH_LEND,
		[FC_STUB_RIGHTS] = FCA_WATCH_RIGHTS,
		[FC_STUB_WRITE] = FCA_WATCH_WRITE,
	};
	bool records = stub->kind == FC_STUB_ENTRY_ONLY || stub->kind == FC_STUB_GO;
	uint8_t low = records ? FC_ENTRY_ONLY : watched[stub->kind];
	memcpy(ret, entry_only_stub, sizeof(entry_only_stub));
	fc_put_32(ret + ONLY_ID, (uint32_t)fc_record(0, stub->func, 0) | low);
	put_pool(stub, ret, ONLY_POOL, pointer[stub->kind]);
	if (stub->is_gate)
		ret[ONLY_GATE] = 0;
	if (records && stub->watch) {
		ret[ONLY_LIMIT] = OP_JMP_REL8;
		ret[ONLY_LIMIT + 2] = stub->watch;
	}
	if (!records)
		make_jump_x86_64(ONLY_RETRY, ONLY_AGENT, ret + ONLY_RETRY);
	return sizeof(entry_only_stub);
}

static size_t emit_head(const struct fc_stub *stub, uint8_t *ret)
{
	switch (stub->kind) {
	case FC_STUB_CALL:
		return emit_call(stub, ret);
	case FC_STUB_COUNT:
		return emit_count(stub, ret);
	case FC_STUB_EDGE:
		return emit_edge(stub, ret);
	default:
		return emit_other(stub, ret);
	}
}

/* Behind the body, at end: what the switch may lead to. */
static size_t emit_counted(const struct fc_stub *stub, size_t head, size_t end, uint8_t *ret)
{
	memcpy(ret + end, counted_end, sizeof(counted_end));
	fc_put_32(ret + end + COUNTED_AT, stub->func * 8);
	fc_put_32(ret + end + COUNTED_BODY, (uint32_t)(head - (end + COUNTED_BODY + 4)));
	fc_put_32(ret + end + COUNTED_NONE,
		  (uint32_t)(FCA_SWITCH_SIZE - (end + COUNTED_NONE + 4)));
	return end + sizeof(counted_end);
}

size_t emit_stub_x86_64(const struct fc_stub *stub, uint8_t *ret)
{
	size_t head = emit_head(stub, ret);
	struct moved moved;
	size_t body = move_window_x86_64(stub, stub->taddr + head, ret + head, &moved);
	if (!body)
		return 0;
	size_t end = head + body, size = end;
	if (!has_switch(stub->kind))
		return size;
	if (stub->can_count)
		size = emit_counted(stub, head, end, ret);
	fc_put_32(ret + 1, (uint32_t)((stub->can_count ? end : head) - FCA_SWITCH_SIZE));
	return size;
}

/* mov %gs:..., %rdx or %rax */
static bool is_gs_read(const uint8_t *stub, size_t off)
{
	static const uint8_t read[] = { 0x65, 0x48, 0x8b };
	return !memcmp(stub + off, read, sizeof(read));
}

/* Of a stub that begins with a switch: its counter behind the body, if it has one. */
static size_t counted_read(const uint8_t *stub, size_t size, size_t head)
{
	uint64_t end = (uint64_t)fc_get_32(stub + 1) + FCA_SWITCH_SIZE;
	return end > head && end + COUNTED_SIZE <= size ? end + COUNTED_READ : 0;
}

size_t gs_reads_x86_64(const uint8_t *stub, size_t size, struct fc_gs_read ret[FC_MAX_GS_READS])
{
	bool has_switch = *stub == FCA_SWITCH_ON || *stub == FCA_SWITCH_OFF;
	if (!has_switch) {
		size_t off = is_gs_read(stub, COUNT_READ) ? COUNT_READ : EDGE_READ;
		ret[0] = (struct fc_gs_read){ (uint16_t)off, 0, true };
		return is_gs_read(stub, off);
	}
	_Static_assert((int)CALL_RETRY == (int)ONLY_RETRY, "both begin alike");
	if (!is_gs_read(stub,
			CALL_RETRY)) /* it always asks the agent, or was changed already */
		return 0;
	bool is_call = stub[CALL_KIND] == call_stub[CALL_KIND];
	size_t nr = 0;
	ret[nr++] = (struct fc_gs_read){ CALL_RETRY, is_call ? CALL_AGENT : ONLY_AGENT, false };
	if (is_call)
		ret[nr++] = (struct fc_gs_read){ CALL_EXIT_RETRY, CALL_SPECIAL_EXIT, false };
	size_t counted = counted_read(stub, size, is_call ? CALL_BODY : ONLY_BODY);
	if (counted)
		ret[nr++] = (struct fc_gs_read){ (uint16_t)counted, 0, true };
	return nr;
}

size_t moves_x86_64(const struct fc_stub *stub, struct fc_move ret[FC_MAX_MOVES])
{
	size_t head = head_size(stub->kind);
	/* What an instruction becomes: at most a push of 13 bytes, and itself or a jump. */
	enum { LONGEST_INSN = 15, PUSH_SIZE = 13 };
	uint8_t body[FC_MAX_MOVES * (PUSH_SIZE + LONGEST_INSN) + JUMP_SIZE];
	struct moved moved;
	if (!move_window_x86_64(stub, stub->taddr + head, body, &moved))
		return 0;
	for (size_t i = 0; i < moved.nr; i++) {
		ret[i] = moved.at[i];
		ret[i].to += head;
	}
	return moved.nr;
}
