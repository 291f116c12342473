/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry_x86_64.c - recognizes how compilers and the C library's start-up code begin functions.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

/* clang-format off */
static const struct {
	uint8_t size, bytes[4];
} beginnings[] = {
	{ 4, { 0xf3, 0x0f, 0x1e, 0xfa } }, /* endbr64 */
	{ 1, { 0x55 } },                   /* push %rbp */
	{ 1, { 0x53 } },                   /* push %rbx */
	{ 2, { 0x41, 0x54 } },             /* push %r12 */
	{ 2, { 0x41, 0x55 } },             /* push %r13 */
	{ 2, { 0x41, 0x56 } },             /* push %r14 */
	{ 2, { 0x41, 0x57 } },             /* push %r15 */
	{ 3, { 0x48, 0x83, 0xec } },       /* sub $imm8, %rsp */
	{ 3, { 0x48, 0x81, 0xec } },       /* sub $imm32, %rsp */
	{ 4, { 0x48, 0x8d, 0x64, 0x24 } }, /* lea disp8(%rsp), %rsp */
	{ 4, { 0x48, 0x8d, 0xa4, 0x24 } }, /* lea disp32(%rsp), %rsp */
};
/* clang-format on */

bool starts_function_x86_64(const uint8_t *code, size_t room)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (room >= beginnings[i].size &&
		    !memcmp(code, beginnings[i].bytes, beginnings[i].size))
			return true;
	return false;
}

/* push %reg; ret */
bool returns_elsewhere_x86_64(const uint8_t *code, size_t room)
{
	enum { PUSH = 0x50, REX_B = 0x41 };
	size_t at = room && code[0] == REX_B;
	return room >= at + 2 && (code[at] & 0xf8) == PUSH && code[at + 1] == OP_RET;
}

/* mov $main, %rdi or lea main(%rip), %rdi */
static const uint8_t mov_rdi[] = { 0x48, 0xc7, 0xc7 }, lea_rdi[] = { 0x48, 0x8d, 0x3d };

/* glibc's sysdeps/x86_64/start.S */
uint64_t main_of_x86_64(const uint8_t *code, size_t size, uint64_t vaddr)
{
	enum { INSN = 7, LAST = 36 };
	static const uint8_t start[] = {
		0x31, 0xed,		/* xor %ebp, %ebp */
		0x49, 0x89, 0xd1,	/* mov %rdx, %r9 */
		0x5e,			/* pop %rsi */
		0x48, 0x89, 0xe2,	/* mov %rsp, %rdx */
		0x48, 0x83, 0xe4, 0xf0, /* and $-16, %rsp */
	};
	size_t off = size > sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64))
			     ? sizeof(endbr64)
			     : 0;
	if (size < off + sizeof(start) || memcmp(code + off, start, sizeof(start)) != 0)
		return 0;
	for (off += sizeof(start); off < LAST && off + INSN <= size; off++) {
		int32_t value;
		memcpy(&value, code + off + sizeof(mov_rdi), sizeof(value));
		if (!memcmp(code + off, mov_rdi, sizeof(mov_rdi)))
			return (uint64_t)value;
		if (!memcmp(code + off, lea_rdi, sizeof(lea_rdi)))
			return vaddr + off + INSN + (int64_t)value;
	}
	return 0;
}

/* The size of a call of what lies where modrm says; 0: it is none. */
static size_t call_size(const uint8_t *code, size_t room)
{
	enum { CALL = 2, SIB = 4, RIP = 5 };
	if (room < 2 || code[0] != OP_GROUP5 || (code[1] >> 3 & 7) != CALL)
		return 0;
	int mod = code[1] >> 6, rm = code[1] & 7;
	bool has_sib = mod != 3 && rm == SIB, is_wide = mod == 2 || (!mod && rm == RIP);
	if (has_sib && !mod)
		is_wide = room > 2 && (code[2] & 7) == RIP;
	return 2 + has_sib + (mod == 1) + 4 * is_wide;
}

bool is_call_x86_64(const uint8_t *bytes, size_t size, uint64_t vaddr, uint64_t *to)
{
	enum { DIRECT = 5, SHORTEST = 2, LONGEST = 7 };
	*to = 0;
	if (size >= DIRECT && bytes[size - DIRECT] == OP_CALL_REL32) {
		int32_t rel;
		memcpy(&rel, bytes + size - sizeof(rel), sizeof(rel));
		*to = vaddr + (int64_t)rel;
		return true;
	}
	for (size_t n = SHORTEST; n <= LONGEST && n <= size; n++)
		if (call_size(bytes + size - n, n) == n)
			return true;
	return false;
}
