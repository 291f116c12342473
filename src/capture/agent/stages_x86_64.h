/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stages_x86_64.h - how far a stub has come, by the offset of its next instruction. The stubs'
 * side is arch/x86_64/stub_x86_64.c; a unit test compares.
 */
#ifndef FC_CAPTURE_AGENT_STAGES_X86_64_H
#define FC_CAPTURE_AGENT_STAGES_X86_64_H

/* Of a stub with an exit. */
enum {
	CALL_KIND = 0x43,	   /* a byte that only this kind has: */
	CALL_KIND_BYTE = 0x89,	   /* mov %rsp, ... */
	CALL_TRIED = 0x4e,	   /* the word is reserved if ZF is set */
	CALL_PUSHED = 0x55,	   /* the shadow entry counts */
	CALL_RECORDED = 0x7a,	   /* the record is written */
	CALL_BEGIN = 0x89,	   /* all is done but to drop the return address */
	CALL_DROPPED = 0x8d,	   /* rsp is above the slot */
	CALL_RETURNED = 0x92,	   /* the same: the exit */
	CALL_EXIT_LOADED = 0xae,   /* rdx, rcx, rax are not the function's from here on */
	CALL_EXIT_TRIED = 0xc9,	   /* the word is reserved if ZF is set */
	CALL_EXIT_POPPED = 0xd7,   /* the shadow entry is gone, rax is the return address */
	CALL_EXIT_STORED = 0xdb,   /* the slot holds the return address */
	CALL_EXIT_RECORDED = 0xf1, /* the record is written */
	CALL_SPECIAL_EXIT = 0x101, /* from the next instruction on rsp is lowered */
	CALL_SPECIAL_EXIT_LAST = 0x105,
	CALL_SPECIAL_ENTRY = 0x112, /* the same */
	CALL_OFF = 0x123,	    /* rsp is not lowered */
};

/* Of the other kinds. */
enum {
	ONLY_TRIED = 0x3e,	  /* the word is reserved if ZF is set */
	ONLY_RECORDED = 0x56,	  /* the record is written */
	ONLY_LOWERED = 0x5e,	  /* from the next instruction on rsp is lowered */
	ONLY_OFF = 0x6f,	  /* rsp is not lowered */
	ONLY_LIMIT_BYTE = 0x2e,	  /* a stub that is watched has here: */
	ONLY_WATCHED_BYTE = 0xeb, /* jmp rel8 */
	ONLY_WATCH = 0x30,	  /* and here, where it never comes, which watch + 1 */
};

/* Of those that only count. */
enum {
	COUNT_KIND = 0x11, /* where what else begins like it differs: */
	COUNT_KIND_BYTE = 0x75,
	COUNT_LOADED = 0xe,   /* rax is not the caller's from here on */
	COUNT_LOWERED = 0x1d, /* from the next instruction on rsp is lowered */
	COUNT_FOUND = 0x2e,   /* rsp is not lowered */
	COUNT_DONE = 0x35,    /* the call is counted */
};

/* Of those that count by caller. */
enum {
	EDGE_KIND = 0x1a, /* where what else begins like it differs: of mov (%rsp),%rdx */
	EDGE_KIND_BYTE = 0x14,
	EDGE_LOADED = 0x18,  /* rdx, rcx, rax are not the caller's from here on */
	EDGE_LOWERED = 0x37, /* from the next instruction on rsp is lowered */
	EDGE_NEXT = 0x48,    /* rsp is not lowered */
	EDGE_DONE = 0x6c,    /* the call is counted */
};

/* Of what stands behind the body of those that can be switched to counting. */
enum {
	COUNTED_LOADED = 0xe,
	COUNTED_DONE = 0x1a,
	COUNTED_NONE = 0x24, /* there are no counters yet */
};

/* Of all. */
enum {
	STUB_LOADED = 0x1d, /* rdx, rcx, rax are not the caller's from here on */
	STUB_ALIGN = 8,
	STUB_MOST = 1024, /* bytes before an instruction of a stub where its start must be */
	SPECIAL_LOWERS = 0x18,
};

/*
 * How a stub begins, behind its switch if it has one: mov %rax,-0x8(%rsp). Then mov
 * %rcx,-0x10(%rsp), mov %rdx,-0x18(%rsp), or if it only counts mov %gs:counts,%rax. One that
 * counts by caller has no switch, and begins like those that have one.
 */
#define STUB_BEGIN_LOW	0x244c8948f8244489ull /* of bytes 1 to 8 */
#define STUB_BEGIN_HIGH 0xe8245489ull	      /* of bytes 11 to 14 */
/* But for its read of %gs, of which 5 bytes may be a jump to a detour, and bytes 5 to 11. */
#define COUNT_BEGIN_LOW	 0xf8244489ull /* of bytes 1 to 4 */
#define COUNT_BEGIN_HIGH 0x0000ull     /* of bytes 12 and 13 */

#endif
