/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uses_x86_64.c - which registers code reads before it writes them, as Zydis decodes it.
 *
 * That shows whether a caller passed an argument, and whether a function returned a result:
 * compilers leave out what nobody uses.
 */
#include "arch/x86_64/x86_64.h"

#include <pthread.h>
#include <Zydis/Zydis.h>

enum { DWARF_XMM0 = 17, DWARF_ST0 = 33, MOST_INSNS = 256 };

static ZydisDecoder decoder;
static pthread_once_t decoder_once = PTHREAD_ONCE_INIT;

static void decoder_init(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

/* The register's bit, by DWARF's number; 0: it is none that holds values. */
static uint64_t bit_of(ZydisRegister reg)
{
	/* As instructions number them. */
	static const uint8_t numbers[] = { 0, 2, 1, 3, 7, 6, 4, 5 };
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15) {
		unsigned id = (unsigned)(whole - ZYDIS_REGISTER_RAX);
		return UINT64_C(1) << (id < 8 ? numbers[id] : id);
	}
	if (whole >= ZYDIS_REGISTER_ZMM0 && whole <= ZYDIS_REGISTER_ZMM15)
		return UINT64_C(1) << (DWARF_XMM0 + (whole - ZYDIS_REGISTER_ZMM0));
	if (reg >= ZYDIS_REGISTER_ST0 && reg <= ZYDIS_REGISTER_ST7)
		return UINT64_C(1) << (DWARF_ST0 + (reg - ZYDIS_REGISTER_ST0));
	return 0;
}

static bool is_reg(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER;
}

/* xor %eax,%eax, pcmpeqd %xmm0,%xmm0: what was in it does not matter. */
static bool is_clearing(const ZydisDecodedInstruction *insn,
			const ZydisDecodedOperand *operands)
{
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_SBB:
	case ZYDIS_MNEMONIC_PXOR:
	case ZYDIS_MNEMONIC_PCMPEQB:
	case ZYDIS_MNEMONIC_PCMPEQW:
	case ZYDIS_MNEMONIC_PCMPEQD:
	case ZYDIS_MNEMONIC_PCMPEQQ:
	case ZYDIS_MNEMONIC_PCMPGTD:
	case ZYDIS_MNEMONIC_XORPS:
	case ZYDIS_MNEMONIC_XORPD:
		return is_reg(&operands[0]) && is_reg(&operands[1]) &&
		       operands[0].reg.value == operands[1].reg.value;
	case ZYDIS_MNEMONIC_VPXOR:
	case ZYDIS_MNEMONIC_VPXORD:
	case ZYDIS_MNEMONIC_VPXORQ:
	case ZYDIS_MNEMONIC_VPCMPEQB:
	case ZYDIS_MNEMONIC_VPCMPEQW:
	case ZYDIS_MNEMONIC_VPCMPEQD:
	case ZYDIS_MNEMONIC_VPCMPEQQ:
	case ZYDIS_MNEMONIC_VXORPS:
	case ZYDIS_MNEMONIC_VXORPD:
		return is_reg(&operands[1]) && is_reg(&operands[2]) &&
		       operands[1].reg.value == operands[2].reg.value;
	default:
		return false;
	}
}

/* Does it look at no value: a push makes room as well, a nop names registers? */
static bool is_blind(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands)
{
	return insn->mnemonic == ZYDIS_MNEMONIC_PUSH || insn->mnemonic == ZYDIS_MNEMONIC_NOP ||
	       is_clearing(insn, operands);
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
		return bit_of(operand->mem.base) | bit_of(operand->mem.index);
	bool is_read = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	return is_read && is_reg(operand) ? bit_of(operand->reg.value) : 0;
}

static uint64_t written_by(const ZydisDecodedOperand *operand)
{
	bool is_written = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	return is_written && is_reg(operand) ? bit_of(operand->reg.value) : 0;
}

static void take_insn(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands,
		      struct fc_reg_uses *uses)
{
	bool reads = !is_blind(insn, operands);
	uint64_t read = 0, written = 0;

	for (unsigned i = 0; i < insn->operand_count; i++) {
		const ZydisDecodedOperand *operand = &operands[i];
		read |= reads ? read_by(operand) : 0;
		written |= written_by(operand);
	}
	uses->read |= read & ~uses->written;
	uses->written |= written;
}

uint32_t widest_vector_x86_64(const uint8_t *code, size_t size)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	uint32_t ret = 0;

	pthread_once(&decoder_once, decoder_init);
	for (size_t at = 0; at < size; at += insn.length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at, size - at, &insn,
							 operands)))
			return ret;
		for (unsigned i = 0; i < insn.operand_count; i++)
			if (is_reg(&operands[i]) &&
			    bit_of(operands[i].reg.value) >> DWARF_XMM0 &&
			    operands[i].size / 8 > ret)
				ret = operands[i].size / 8;
	}
	return ret;
}

void reg_uses_x86_64(const uint8_t *code, size_t size, struct fc_reg_uses *ret)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	*ret = (struct fc_reg_uses){ 0 };
	pthread_once(&decoder_once, decoder_init);
	for (int i = 0; i < MOST_INSNS && ret->size < size; i++) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + ret->size,
							 size - ret->size, &insn, operands)) ||
		    ends(&insn))
			return;
		take_insn(&insn, operands, ret);
		ret->size += insn.length;
	}
}
