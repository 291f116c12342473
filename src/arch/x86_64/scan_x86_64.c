/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches into windows. Decoding all text would cost 20 ns a byte; looking at each byte as
 * if it were a branch's opcode costs 2 and misses none. The few hits are decoded later.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

static bool is_inside(const uint64_t *bits, uint64_t size, uint64_t off)
{
	return off < size && bits[off / 64] >> off % 64 & 1;
}

/* Opcodes with a one-byte displacement: jcc, loop and jrcxz, jmp. */
static bool is_rel8(uint8_t op)
{
	return (op & 0xf0) == OP_JCC_REL8 || (op & 0xfc) == OP_LOOP_FIRST || op == OP_JMP_REL8;
}

static enum fc_branch_kind kind_of(uint8_t op)
{
	if (op == OP_CALL_REL32)
		return FC_BRANCH_CALL;
	return op == OP_JMP_REL8 || op == OP_JMP_REL32 ? FC_BRANCH_JUMP : FC_BRANCH_IF;
}

void scan_x86_64(const uint8_t *code, size_t size, uint64_t vaddr, const uint64_t *inside_bits,
		 void (*fn)(void *ctx, struct fc_branch branch), void *ctx)
{
	for (size_t i = 0; i + 1 < size; i++) {
		uint8_t op = code[i];
		uint64_t end, to;
		if (is_rel8(op)) {
			end = i + 2;
			to = end + (int64_t)(int8_t)code[i + 1];
		} else {
			size_t skip;
			if ((op & 0xfe) == OP_CALL_REL32)
				skip = 1;
			else if (op == OP_0F && (code[i + 1] & 0xf0) == OP_0F_JCC_REL32)
				skip = 2;
			else
				continue;
			if (i + skip + 4 > size)
				continue;
			int32_t rel;
			memcpy(&rel, code + i + skip, sizeof(rel));
			end = i + skip + 4;
			to = end + (int64_t)rel;
		}
		if (is_inside(inside_bits, size, to))
			fn(ctx, (struct fc_branch){ vaddr + i, vaddr + end, vaddr + to, kind_of(op) });
	}
}

/* Is a 5-byte instruction (opcode, imm32) within reach of at? */
static bool is_near(const uint8_t *code, size_t size, const uint8_t *at, uint8_t op, uint32_t imm)
{
	enum { REACH = 64 };
	uint8_t insn[5] = { op };
	memcpy(insn + 1, &imm, sizeof(imm));
	const uint8_t *from = at - code > REACH ? at - REACH : code;
	const uint8_t *to = code + size - at > REACH ? at + REACH : code + size;
	return memmem(from, to - from, insn, sizeof(insn));
}

static bool calls_arch_prctl(const uint8_t *code, size_t size, bool has_name)
{
	enum {
		MOV_EAX = 0xb8,
		MOV_ESI = 0xbe,
		MOV_EDI = 0xbf,
		SET_GS = 0x1001,
		NR = 158,
	};
	static const uint8_t set_gs[] = { SET_GS & 0xff, SET_GS >> 8, 0, 0 };
	const uint8_t *end = code + size, *at = code;
	for (; (at = memmem(at, end - at, set_gs, sizeof(set_gs))); at++) {
		if (at == code)
			continue;
		uint8_t op = at[-1];
		if (op == MOV_EDI && (has_name || is_near(code, size, at, MOV_EAX, NR)))
			return true;
		if (op == MOV_ESI && is_near(code, size, at, MOV_EDI, NR))
			return true; /* syscall(SYS_arch_prctl, ARCH_SET_GS, …) */
	}
	return false;
}

static bool has_wrgsbase(const uint8_t *code, size_t size)
{
	static const uint8_t prefix[] = { 0xf3, 0x48, 0x0f, 0xae }; /* then modrm /3, mod 3 */
	const uint8_t *end = code + size, *at = code;
	while ((at = memmem(at, end - at, prefix, sizeof(prefix)))) {
		at += sizeof(prefix);
		if (at < end && (*at & 0xf8) == 0xd8)
			return true;
	}
	return false;
}

const char *conflict_x86_64(const uint8_t *code, size_t size, const uint8_t *file,
			    size_t file_size)
{
	static const char name[] = "arch_prctl";
	bool has_name = memmem(file, file_size, name, sizeof(name));
	if (calls_arch_prctl(code, size, has_name) || has_wrgsbase(code, size))
		return "it uses %gs, which fctrace needs for itself";
	return NULL;
}
