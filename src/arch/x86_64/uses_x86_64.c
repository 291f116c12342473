/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uses_x86_64.c - which registers code reads before it writes them, as Zydis decodes it.
 *
 * That shows whether a caller passed an argument, and whether a function returned a result:
 * compilers leave out what nobody uses.
 */
#include "arch/x86_64/x86_64.h"

#include "arch/x86_64/full_x86_64.h"

enum { MOST_INSNS = 256 };

/* Does it look at no value: a push makes room as well, a nop names registers? */
static bool is_blind(const struct full_insn *full)
{
	return full->insn.mnemonic == ZYDIS_MNEMONIC_PUSH ||
	       full->insn.mnemonic == ZYDIS_MNEMONIC_NOP || is_clearing_x86_64(full);
}

/* Does code not simply go on behind it? */
static bool ends(const ZydisDecodedInstruction *insn)
{
	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
		return true;
	default:
		return insn->mnemonic == ZYDIS_MNEMONIC_UD2 ||
		       insn->mnemonic == ZYDIS_MNEMONIC_HLT;
	}
}

static uint64_t read_by(const ZydisDecodedOperand *operand)
{
	if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
		return reg_bit_x86_64(operand->mem.base) | reg_bit_x86_64(operand->mem.index);
	bool is_read = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	return is_read && is_reg_x86_64(operand) ? reg_bit_x86_64(operand->reg.value) : 0;
}

static void take_insn(const struct full_insn *full, struct fc_reg_uses *uses)
{
	bool reads = !is_blind(full);
	uint64_t read = 0, written = 0;

	for (unsigned i = 0; i < full->insn.operand_count; i++) {
		const ZydisDecodedOperand *operand = &full->operands[i];
		read |= reads ? read_by(operand) : 0;
		written |= written_by_x86_64(operand);
	}
	uses->read |= read & ~uses->written;
	uses->written |= written;
}

uint32_t widest_vector_x86_64(const uint8_t *code, size_t size)
{
	struct full_insn full;
	uint32_t ret = 0;

	for (size_t at = 0; at < size; at += full.insn.length) {
		if (!decode_full_x86_64(code + at, size - at, &full))
			return ret;
		for (unsigned i = 0; i < full.insn.operand_count; i++) {
			const ZydisDecodedOperand *operand = &full.operands[i];
			if (is_reg_x86_64(operand) &&
			    reg_bit_x86_64(operand->reg.value) >> DWARF_XMM0 &&
			    operand->size / 8 > ret)
				ret = operand->size / 8;
		}
	}
	return ret;
}

void reg_uses_x86_64(const uint8_t *code, size_t size, struct fc_reg_uses *ret)
{
	struct full_insn full;

	*ret = (struct fc_reg_uses){ 0 };
	for (int i = 0; i < MOST_INSNS && ret->size < size; i++) {
		if (!decode_full_x86_64(code + ret->size, size - ret->size, &full) ||
		    ends(&full.insn))
			return;
		take_insn(&full, ret);
		ret->size += full.insn.length;
	}
}
