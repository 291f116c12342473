/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stubs. They are kept as bytes, with the instructions at the right; the same text for
 * an assembler is tests/arch/x86_64/stub_*.S, and a test demands that both agree.
 *
 *   entry  checks: does this call nest in the top shadow entry, has the ring room, is the
 *          stack this strand's? Else: special_entry, the agent.
 *          time, record, cursor by an unlocked cmpxchg, shadow entry; then CALL the body
 *          with the return address dropped, so that the CPU's own return stack stays paired
 *   exit   the same for the return, and RET to the true return address
 *
 * Lives in: all registers. Clobbers: arithmetic flags, memory below rsp.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

#include "agent/abi.h"
#include "trace/record.h"

/* clang-format off */
static const uint8_t call_stub[] = {
	/* entry: 0x0 */
	0x50,                                                    /* push %rax */
	0x51,                                                    /* push %rcx */
	0x52,                                                    /* push %rdx */
	0x65, 0x48, 0x8b, 0x14, 0x25, 0x00, 0x00, 0x00, 0x00,    /* mov %gs:shadow,%rdx */
	0x48, 0x8d, 0x44, 0x24, 0x18,                            /* lea 0x18(%rsp),%rax */
	0x48, 0x3b, 0x42, 0x08,                                  /* cmp 0x8(%rdx),%rax: not below the top entry */
	0x0f, 0x83, 0x27, 0x01, 0x00, 0x00,                      /* jae special_entry: slot at or above the top entry's */
	/* again: 0x1b */
	0x65, 0x48, 0x8b, 0x0c, 0x25, 0x00, 0x10, 0x00, 0x00,    /* mov %gs:cursor,%rcx */
	0x65, 0x48, 0x3b, 0x0c, 0x25, 0x08, 0x10, 0x00, 0x00,    /* cmp %gs:limit,%rcx */
	0x0f, 0x83, 0x0f, 0x01, 0x00, 0x00,                      /* jae special_entry */
	0x65, 0x48, 0x3b, 0x24, 0x25, 0x18, 0x10, 0x00, 0x00,    /* cmp %gs:low,%rsp: not this stack */
	0x0f, 0x82, 0x00, 0x01, 0x00, 0x00,                      /* jb special_entry */
	0x0f, 0x31,                                              /* rdtsc */
	0x48, 0xc1, 0xe2, 0x3a,                                  /* shl $0x3a,%rdx */
	0x48, 0xc1, 0xe0, 0x1a,                                  /* shl $0x1a,%rax */
	0x48, 0x8d, 0x94, 0x10, 0x11, 0x11, 0x11, 0x11,          /* lea 0x11111111(%rax,%rdx,1),%rdx: record */
	0x48, 0x89, 0xc8,                                        /* mov %rcx,%rax */
	0x48, 0xff, 0xc1,                                        /* inc %rcx */
	0x65, 0x48, 0x0f, 0xb1, 0x0c, 0x25, 0x00, 0x10, 0x00, 0x00, /* cmpxchg %rcx,%gs:cursor */
	0x75, 0xb5,                                              /* jne stub: a signal came between */
	0x25, 0x33, 0x33, 0x33, 0x33,                            /* and $0x33333333,%eax */
	0x65, 0x48, 0x8b, 0x0c, 0x25, 0x10, 0x10, 0x00, 0x00,    /* mov %gs:ring,%rcx */
	0x48, 0x89, 0x14, 0xc1,                                  /* mov %rdx,(%rcx,%rax,8) */
	0x65, 0x48, 0x83, 0x04, 0x25, 0x00, 0x00, 0x00, 0x00, 0x10, /* addq $0x10,%gs:shadow */
	0x65, 0x48, 0x8b, 0x0c, 0x25, 0x00, 0x00, 0x00, 0x00,    /* mov %gs:shadow,%rcx */
	0x48, 0x8b, 0x44, 0x24, 0x18,                            /* mov 0x18(%rsp),%rax */
	0x48, 0x89, 0x01,                                        /* mov %rax,(%rcx): entry->ret */
	0x48, 0x8d, 0x44, 0x24, 0x18,                            /* lea 0x18(%rsp),%rax */
	0x48, 0x89, 0x41, 0x08,                                  /* mov %rax,0x8(%rcx): entry->slot */
	0x5a,                                                    /* pop %rdx */
	0x59,                                                    /* pop %rcx */
	0x58,                                                    /* pop %rax */
	0x48, 0x8d, 0x64, 0x24, 0x08,                            /* lea 0x8(%rsp),%rsp */
	0xe8, 0xa6, 0x00, 0x00, 0x00,                            /* call body */
	/* exit: 0xa9 */
	0x50,                                                    /* push %rax */
	0x51,                                                    /* push %rcx */
	0x52,                                                    /* push %rdx */
	0x65, 0x48, 0x8b, 0x14, 0x25, 0x00, 0x00, 0x00, 0x00,    /* mov %gs:shadow,%rdx */
	0x48, 0x8d, 0x44, 0x24, 0x10,                            /* lea 0x10(%rsp),%rax */
	0x48, 0x3b, 0x42, 0x08,                                  /* cmp 0x8(%rdx),%rax */
	0x0f, 0x85, 0x71, 0x00, 0x00, 0x00,                      /* jne special_exit */
	/* again: 0xc4 */
	0x65, 0x48, 0x8b, 0x0c, 0x25, 0x00, 0x10, 0x00, 0x00,    /* mov %gs:cursor,%rcx */
	0x65, 0x48, 0x3b, 0x0c, 0x25, 0x08, 0x10, 0x00, 0x00,    /* cmp %gs:limit,%rcx */
	0x0f, 0x83, 0x59, 0x00, 0x00, 0x00,                      /* jae special_exit */
	0x0f, 0x31,                                              /* rdtsc */
	0x48, 0xc1, 0xe2, 0x3a,                                  /* shl $0x3a,%rdx */
	0x48, 0xc1, 0xe0, 0x1a,                                  /* shl $0x1a,%rax */
	0x48, 0x8d, 0x94, 0x10, 0x22, 0x22, 0x22, 0x22,          /* lea 0x22222222(%rax,%rdx,1),%rdx */
	0x48, 0x89, 0xc8,                                        /* mov %rcx,%rax */
	0x48, 0xff, 0xc1,                                        /* inc %rcx */
	0x65, 0x48, 0x0f, 0xb1, 0x0c, 0x25, 0x00, 0x10, 0x00, 0x00, /* cmpxchg %rcx,%gs:cursor */
	0x75, 0xc4,                                              /* jne exit */
	0x25, 0x33, 0x33, 0x33, 0x33,                            /* and $0x33333333,%eax */
	0x65, 0x48, 0x8b, 0x0c, 0x25, 0x10, 0x10, 0x00, 0x00,    /* mov %gs:ring,%rcx */
	0x48, 0x89, 0x14, 0xc1,                                  /* mov %rdx,(%rcx,%rax,8) */
	0x65, 0x48, 0x8b, 0x0c, 0x25, 0x00, 0x00, 0x00, 0x00,    /* mov %gs:shadow,%rcx */
	0x48, 0x8b, 0x09,                                        /* mov (%rcx),%rcx: entry->ret */
	0x65, 0x48, 0x83, 0x2c, 0x25, 0x00, 0x00, 0x00, 0x00, 0x10, /* subq $0x10,%gs:shadow */
	0x48, 0x8b, 0x44, 0x24, 0x10,                            /* mov 0x10(%rsp),%rax */
	0x48, 0x89, 0x4c, 0x24, 0x10,                            /* mov %rcx,0x10(%rsp) */
	0x5a,                                                    /* pop %rdx */
	0x59,                                                    /* pop %rcx */
	0xc3,                                                    /* ret */
	/* special_exit: 0x135 */
	0x48, 0x8d, 0x05, 0x6d, 0xff, 0xff, 0xff,                /* lea -0x93(%rip),%rax */
	0xff, 0x25, 0xc6, 0xee, 0xff, 0xff,                      /* jmp *pool exit */
	/* special_entry: 0x142 */
	0x48, 0x8d, 0x05, 0x06, 0x00, 0x00, 0x00,                /* lea 0x6(%rip),%rax */
	0xff, 0x25, 0xb1, 0xee, 0xff, 0xff,                      /* jmp *pool entry */
};
/* clang-format on */

enum {
	CALL_ID = 0x50,
	CALL_MASK = 0x67,
	CALL_EXIT = 0xa9,
	CALL_EXIT_ID = 0xea,
	CALL_EXIT_MASK = 0x101,
	CALL_POOL_EXIT = 0x13e,	 /* rel32 */
	CALL_POOL_ENTRY = 0x14b, /* rel32 */
	CALL_BODY = 0x14f,
};

/* clang-format off */
static const uint8_t entry_only_stub[] = {
	/* entry: 0x0 */
	0x50,                                                    /* push %rax */
	0x51,                                                    /* push %rcx */
	0x52,                                                    /* push %rdx */
	0x65, 0x48, 0x8b, 0x14, 0x25, 0x00, 0x00, 0x00, 0x00,    /* mov %gs:shadow,%rdx */
	0x48, 0x8d, 0x44, 0x24, 0x18,                            /* lea 0x18(%rsp),%rax */
	0x48, 0x3b, 0x42, 0x08,                                  /* cmp 0x8(%rdx),%rax */
	0x0f, 0x83, 0x62, 0x00, 0x00, 0x00,                      /* jae special */
	/* again: 0x1b */
	0x65, 0x48, 0x8b, 0x0c, 0x25, 0x00, 0x10, 0x00, 0x00,    /* mov %gs:cursor,%rcx */
	0x65, 0x48, 0x3b, 0x0c, 0x25, 0x08, 0x10, 0x00, 0x00,    /* cmp %gs:limit,%rcx */
	0x0f, 0x83, 0x4a, 0x00, 0x00, 0x00,                      /* jae special */
	0x65, 0x48, 0x3b, 0x24, 0x25, 0x18, 0x10, 0x00, 0x00,    /* cmp %gs:low,%rsp */
	0x0f, 0x82, 0x3b, 0x00, 0x00, 0x00,                      /* jb special */
	0x0f, 0x31,                                              /* rdtsc */
	0x48, 0xc1, 0xe2, 0x3a,                                  /* shl $0x3a,%rdx */
	0x48, 0xc1, 0xe0, 0x1a,                                  /* shl $0x1a,%rax */
	0x48, 0x8d, 0x94, 0x10, 0x11, 0x11, 0x11, 0x11,          /* lea 0x11111111(%rax,%rdx,1),%rdx */
	0x48, 0x89, 0xc8,                                        /* mov %rcx,%rax */
	0x48, 0xff, 0xc1,                                        /* inc %rcx */
	0x65, 0x48, 0x0f, 0xb1, 0x0c, 0x25, 0x00, 0x10, 0x00, 0x00, /* cmpxchg %rcx,%gs:cursor */
	0x75, 0xb5,                                              /* jne stub */
	0x25, 0x33, 0x33, 0x33, 0x33,                            /* and $0x33333333,%eax */
	0x65, 0x48, 0x8b, 0x0c, 0x25, 0x10, 0x10, 0x00, 0x00,    /* mov %gs:ring,%rcx */
	0x48, 0x89, 0x14, 0xc1,                                  /* mov %rdx,(%rcx,%rax,8) */
	0x5a,                                                    /* pop %rdx */
	0x59,                                                    /* pop %rcx */
	0x58,                                                    /* pop %rax */
	0xeb, 0x0d,                                              /* jmp body */
	/* special: 0x7d */
	0x48, 0x8d, 0x05, 0x06, 0x00, 0x00, 0x00,                /* lea 0x6(%rip),%rax */
	0xff, 0x25, 0x86, 0xef, 0xff, 0xff,                      /* jmp *pool entry only */
};
/* clang-format on */

enum {
	ONLY_FIRST_CHECK = 0x03, /* replaced by a jump to special where no record is made */
	ONLY_ID = 0x50,
	ONLY_MASK = 0x67,
	ONLY_SPECIAL = 0x7d,
	ONLY_POOL = 0x86, /* rel32 */
	ONLY_BODY = 0x8a,
};

_Static_assert(sizeof(call_stub) == CALL_BODY, "offsets fit the bytes");
_Static_assert(sizeof(entry_only_stub) == ONLY_BODY, "offsets fit the bytes");

const struct fc_stub_layout layout_x86_64 = {
	.exit_off = CALL_EXIT,
	.body_off = CALL_BODY,
	.other_body_off = ONLY_BODY,
	.id_off = CALL_ID,
	.other_id_off = ONLY_ID,
};

static void put32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* The rel32 at offset off of the stub names a pointer of the pool's head. */
static void put_pool(const struct fc_stub *stub, uint8_t *ret, size_t off, int pointer)
{
	put32(ret + off,
	      (uint32_t)(stub->pool_taddr + 8 * pointer - (stub->taddr + off + 4)));
}

size_t stub_size_x86_64(enum fc_stub_kind kind, const struct fc_window *window)
{
	size_t head = kind == FC_STUB_CALL ? sizeof(call_stub) : sizeof(entry_only_stub);
	return head + window->moved_size + JUMP_SIZE;
}

static size_t emit_call(const struct fc_stub *stub, uint8_t *ret)
{
	memcpy(ret, call_stub, sizeof(call_stub));
	put32(ret + CALL_ID, (uint32_t)fc_record(0, stub->func, FC_ENTRY));
	put32(ret + CALL_EXIT_ID, (uint32_t)fc_record(0, stub->func, FC_EXIT));
	put32(ret + CALL_MASK, stub->ring_words - 1);
	put32(ret + CALL_EXIT_MASK, stub->ring_words - 1);
	put_pool(stub, ret, CALL_POOL_EXIT, FCA_POOL_EXIT);
	put_pool(stub, ret, CALL_POOL_ENTRY, FCA_POOL_ENTRY);
	return sizeof(call_stub);
}

static size_t emit_other(const struct fc_stub *stub, uint8_t *ret)
{
	static const int pointer[] = {
		[FC_STUB_ENTRY_ONLY] = FCA_POOL_ENTRY_ONLY,
		[FC_STUB_UNWIND] = FCA_POOL_UNWIND,
		[FC_STUB_DL] = FCA_POOL_DL,
	};
	memcpy(ret, entry_only_stub, sizeof(entry_only_stub));
	put32(ret + ONLY_ID, (uint32_t)fc_record(0, stub->func, FC_ENTRY_ONLY));
	put32(ret + ONLY_MASK, stub->ring_words - 1);
	put_pool(stub, ret, ONLY_POOL, pointer[stub->kind]);
	if (stub->kind != FC_STUB_ENTRY_ONLY)
		make_jump_x86_64(ONLY_FIRST_CHECK, ONLY_SPECIAL, ret + ONLY_FIRST_CHECK);
	return sizeof(entry_only_stub);
}

size_t emit_stub_x86_64(const struct fc_stub *stub, uint8_t *ret)
{
	size_t head = stub->kind == FC_STUB_CALL ? emit_call(stub, ret) : emit_other(stub, ret);
	size_t body = move_window_x86_64(stub, stub->taddr + head, ret + head);
	return body ? head + body : 0;
}
