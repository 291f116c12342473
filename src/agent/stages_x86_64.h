/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stages_x86_64.h - how far a stub has come, by the offset of its next instruction. The stubs'
 * side is arch/x86_64/stub_x86_64.c; a unit test compares.
 */
#ifndef FC_AGENT_STAGES_X86_64_H
#define FC_AGENT_STAGES_X86_64_H

/* Of a stub with an exit. */
enum {
	CALL_KIND = 0x3e,	   /* a byte that only this kind has: */
	CALL_KIND_BYTE = 0x89,	   /* mov %rsp, ... */
	CALL_TRIED = 0x49,	   /* the word is reserved if ZF is set */
	CALL_PUSHED = 0x50,	   /* the shadow entry counts */
	CALL_RECORDED = 0x75,	   /* the record is written */
	CALL_BEGIN = 0x84,	   /* all is done but to drop the return address */
	CALL_DROPPED = 0x89,	   /* rsp is above the slot */
	CALL_RETURNED = 0x8e,	   /* the same: the exit */
	CALL_EXIT_LOADED = 0xab,   /* rdx, rcx, rax are not the function's from here on */
	CALL_EXIT_TRIED = 0xce,	   /* the word is reserved if ZF is set */
	CALL_EXIT_POPPED = 0xdc,   /* the shadow entry is gone, rax is the return address */
	CALL_EXIT_STORED = 0xe0,   /* the slot holds the return address */
	CALL_EXIT_RECORDED = 0xf6, /* the record is written */
	CALL_SPECIAL_EXIT = 0x106, /* from the next instruction on rsp is lowered */
	CALL_SPECIAL_ENTRY = 0x118,
};

/* Of the other kinds. */
enum {
	ONLY_TRIED = 0x45,    /* the word is reserved if ZF is set */
	ONLY_RECORDED = 0x5d, /* the record is written */
	ONLY_LOWERED = 0x6e,  /* from the next instruction on rsp is lowered */
};

/* Of all. */
enum {
	STUB_LOADED = 0x18, /* rdx, rcx, rax are not the caller's from here on */
	STUB_ALIGN = 32,
	STUB_MOST = 1024, /* bytes before an instruction of a stub where its start must be */
	SPECIAL_LOWERS = 0x18,
};

/* How every stub begins: mov %rax,-0x8(%rsp); mov %rcx,-0x10(%rsp); mov %rdx,-0x18(%rsp) */
#define STUB_BEGIN_LOW	0x244c8948f8244489ull /* of its bytes 1 to 8 */
#define STUB_BEGIN_HIGH 0xe8245489ull	      /* of its bytes 11 to 14 */

#endif
