/* SPDX-License-Identifier: Apache-2.0 */
/* full_x86_64.c - decodes by Zydis, which knows all instructions and takes 100 ns for one. */
#include "arch/x86_64/full_x86_64.h"

#include <pthread.h>

static ZydisDecoder decoder;
static pthread_once_t decoder_once = PTHREAD_ONCE_INIT;

static void decoder_init(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

bool decode_full_x86_64(const uint8_t *code, size_t room, struct full_insn *ret)
{
	pthread_once(&decoder_once, decoder_init);
	return ZYAN_SUCCESS(
		ZydisDecoderDecodeFull(&decoder, code, room, &ret->insn, ret->operands));
}

uint64_t reg_bit_x86_64(ZydisRegister reg)
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

bool is_reg_x86_64(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER;
}

bool is_clearing_x86_64(const struct full_insn *full)
{
	const ZydisDecodedOperand *operands = full->operands;
	switch (full->insn.mnemonic) {
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
		return is_reg_x86_64(&operands[0]) && is_reg_x86_64(&operands[1]) &&
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
		return is_reg_x86_64(&operands[1]) && is_reg_x86_64(&operands[2]) &&
		       operands[1].reg.value == operands[2].reg.value;
	default:
		return false;
	}
}

uint64_t written_by_x86_64(const ZydisDecodedOperand *operand)
{
	bool is_written = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	return is_written && is_reg_x86_64(operand) ? reg_bit_x86_64(operand->reg.value) : 0;
}
