/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscalls_x86_64.c - the instructions of a function that make system calls, and with which number.
 *
 *	mov $0x101,%eax   -->   rax is 257
 *	...               -->   as long as nothing else is written to it, on any way that leads here
 *	syscall           -->   257
 */
#include "arch/x86_64/x86_64.h"

#include <stdlib.h>
#include <string.h>

#include "arch/x86_64/full_x86_64.h"
#include "base/bisect.h"
#include "base/sort.h"
#include "base/vec.h"

enum {
	NR_REGS = 16,
	RAX_BIT = 1 << 0,
	KEPT_BITS = 1 << 3 | 1 << 6 | 0xf << 12, /* by calls: rbx, rbp, r12 to r15 */
	INT_SYSCALL = 0x80,
};

/* What is known of registers, by DWARF's numbers. */
struct constants {
	bool is_reached; /* a way leads here, of those that were looked at so far */
	uint64_t known;	 /* a bit for each */
	uint64_t of[NR_REGS];
	bool has_pushed; /* the instruction in front has pushed this */
	uint64_t pushed;
};

static int index_of(const ZydisDecodedOperand *operand)
{
	uint64_t bit = is_reg_x86_64(operand) ? reg_bit_x86_64(operand->reg.value) : 0;
	return bit && bit < UINT64_C(1) << NR_REGS ? __builtin_ctzll(bit) : -1;
}

/* What the instruction writes to the whole of its first operand. False: that is not known. */
static bool value_of(const struct full_insn *full, const struct constants *constants,
		     uint64_t *ret)
{
	enum { WHOLE = 32 }; /* bits from which on the others are cleared */
	const ZydisDecodedOperand *to = &full->operands[0], *from = &full->operands[1];
	if (full->insn.mnemonic == ZYDIS_MNEMONIC_POP) {
		*ret = constants->pushed;
		return constants->has_pushed;
	}
	if (to->size < WHOLE)
		return false;
	*ret = 0;
	if (is_clearing_x86_64(full)) /* sbb leaves 0 or -1 */
		return full->insn.mnemonic != ZYDIS_MNEMONIC_SBB;
	if (full->insn.mnemonic != ZYDIS_MNEMONIC_MOV)
		return false;
	if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		*ret = from->imm.value.u;
	} else {
		int i = index_of(from);
		if (i < 0 || !(constants->known >> i & 1))
			return false;
		*ret = constants->of[i];
	}
	if (to->size == WHOLE)
		*ret = (uint32_t)*ret;
	return true;
}

static enum fc_syscall_way way_of(const struct full_insn *full)
{
	switch (full->insn.mnemonic) {
	case ZYDIS_MNEMONIC_SYSCALL:
		return FC_SYSCALL_NATIVE;
	case ZYDIS_MNEMONIC_SYSENTER:
		return FC_SYSCALL_COMPAT;
	case ZYDIS_MNEMONIC_INT:
		return full->operands[0].imm.value.u == INT_SYSCALL ? FC_SYSCALL_COMPAT
								    : FC_SYSCALL_NONE;
	default:
		return FC_SYSCALL_NONE;
	}
}

static void follow(struct constants *constants, const struct full_insn *full)
{
	uint64_t value = 0, written = 0;
	bool is_known = value_of(full, constants, &value);
	int to = index_of(&full->operands[0]);
	for (unsigned i = 0; i < full->insn.operand_count; i++)
		written |= written_by_x86_64(&full->operands[i]);
	constants->known &= ~written;
	if (way_of(full)) /* the kernel writes its result */
		constants->known &= ~(uint64_t)RAX_BIT;
	if (full->insn.meta.category == ZYDIS_CATEGORY_CALL)
		constants->known &= KEPT_BITS;
	if (is_known && to >= 0) {
		constants->known |= UINT64_C(1) << to;
		constants->of[to] = value;
	}
	constants->has_pushed = full->insn.mnemonic == ZYDIS_MNEMONIC_PUSH &&
				full->operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
	if (constants->has_pushed)
		constants->pushed = full->operands[0].imm.value.u;
}

/* Where a direct branch of the instruction at off leads to in code of size bytes; size: to elsewhere. */
static size_t target_of(const struct full_insn *full, size_t off, size_t size)
{
	const ZydisDecodedOperand *to = &full->operands[0];
	if (!full->insn.operand_count_visible || to->type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    !to->imm.is_relative || full->insn.meta.category == ZYDIS_CATEGORY_CALL)
		return size;
	uint64_t ret = off + full->insn.length + to->imm.value.u;
	return ret < size ? (size_t)ret : size;
}

/* ---- the ways through a function ---- */

/* Where a branch of the function leads to, and what is known there whichever way was taken. */
struct target {
	size_t off;
	struct constants constants;
};

struct function {
	const uint8_t *code;
	size_t size;
	FC_VEC(struct target) targets; /* by off, each once */
	bool is_computed; /* jumps lead to where nobody knows: cases of a switch, say */
	bool is_stable;	  /* no way has changed what is known at a target in front of it */
};

/* Its length; 1, if there is none: it is looked for one byte further on. */
static size_t decode(const struct function *function, size_t off, struct full_insn *full)
{
	bool is_one = decode_full_x86_64(function->code + off, function->size - off, full);
	if (!is_one)
		*full = (struct full_insn){ .insn.mnemonic = ZYDIS_MNEMONIC_INVALID };
	return is_one ? full->insn.length : 1;
}

static bool is_computed_jump(const struct full_insn *full)
{
	return full->insn.meta.category == ZYDIS_CATEGORY_UNCOND_BR &&
	       full->operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static void find_targets(struct function *function)
{
	struct full_insn full;
	for (size_t off = 0; off < function->size;) {
		size_t len = decode(function, off, &full);
		size_t to = target_of(&full, off, function->size);
		function->is_computed |= is_computed_jump(&full);
		if (to < function->size)
			fc_vec_push(&function->targets, (struct target){ .off = to });
		off += len;
	}
	fc_sort_by(function->targets.at, function->targets.nr, off);
	size_t nr = 0;
	for (size_t i = 0; i < function->targets.nr; i++)
		if (!nr || function->targets.at[nr - 1].off != function->targets.at[i].off)
			function->targets.at[nr++] = function->targets.at[i];
	function->targets.nr = nr;
}

static struct target *target_at(const struct function *function, size_t off)
{
	size_t k = fc_bisect(function->targets.at, function->targets.nr, target,
			     target->off < off);
	return k < function->targets.nr && function->targets.at[k].off == off
		       ? &function->targets.at[k]
		       : NULL;
}

/* What is the same in both; true: less is known at the target now. */
static bool meet(struct target *target, const struct constants *constants)
{
	struct constants *at = &target->constants;
	uint64_t known = at->known;
	if (!at->is_reached) {
		*at = *constants;
		at->has_pushed = false;
		return true;
	}
	at->known &= constants->known;
	for (int i = 0; i < NR_REGS; i++)
		if (at->of[i] != constants->of[i])
			at->known &= ~(UINT64_C(1) << i);
	return at->known != known;
}

/* What is known in front of the instruction at off. */
static void arrive(const struct function *function, struct constants *constants, size_t off,
		   const struct full_insn *full)
{
	struct target *target = target_at(function, off);
	if (target) {
		if (constants->is_reached)
			meet(target, constants);
		*constants = target->constants;
	} else if (function->is_computed && full->insn.mnemonic != ZYDIS_MNEMONIC_NOP) {
		constants->is_reached = true;
	}
}

/* What is known behind it. */
static void leave(struct function *function, struct constants *constants, size_t off,
		  const struct full_insn *full)
{
	size_t to = target_of(full, off, function->size);
	follow(constants, full);
	if (full->insn.mnemonic == ZYDIS_MNEMONIC_INVALID)
		constants->known = 0;
	if (to < function->size && constants->is_reached &&
	    meet(target_at(function, to), constants) && to <= off)
		function->is_stable = false;
	if (full->insn.meta.category == ZYDIS_CATEGORY_RET ||
	    full->insn.meta.category == ZYDIS_CATEGORY_UNCOND_BR)
		*constants = (struct constants){ 0 };
}

typedef void syscall_fn(void *ctx, struct fc_syscall_insn insn);

/* fn: NULL, or all is known that can be. */
static void go_through(struct function *function, uint64_t vaddr, syscall_fn *fn, void *ctx)
{
	struct constants constants = { .is_reached = true };
	struct full_insn full;
	function->is_stable = true;
	for (size_t off = 0; off < function->size;) {
		size_t len = decode(function, off, &full);
		arrive(function, &constants, off, &full);
		enum fc_syscall_way how = way_of(&full);
		bool is_known = constants.known & RAX_BIT;
		if (how && fn)
			fn(ctx, (struct fc_syscall_insn){ .vaddr = vaddr + off,
							  .way = how,
							  .is_known = is_known,
							  .number = is_known ? constants.of[0]
									     : 0 });
		leave(function, &constants, off, &full);
		off += len;
	}
}

/* Most functions make none. */
static bool may_make_any(const uint8_t *code, size_t size)
{
	static const uint8_t opcodes[][2] = { { 0x0f, 0x05 }, { 0x0f, 0x34 }, { 0xcd, 0x80 } };
	for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
		if (memmem(code, size, opcodes[i], sizeof(opcodes[i])))
			return true;
	return false;
}

void syscalls_x86_64(const uint8_t *code, size_t size, uint64_t vaddr, syscall_fn *fn,
		     void *ctx)
{
	enum { MOST_ROUNDS = 64 };
	struct function function = { .code = code, .size = size };
	if (!may_make_any(code, size))
		return;
	find_targets(&function);
	int i = 0;
	do
		go_through(&function, vaddr, NULL, NULL);
	while (!function.is_stable && ++i < MOST_ROUNDS);
	if (!function.is_stable)
		fc_vec_each (&function.targets, target)
			target->constants = (struct constants){ .is_reached = true };
	go_through(&function, vaddr, fn, ctx);
	fc_vec_free(&function.targets);
}
