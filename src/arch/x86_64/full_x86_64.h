/* SPDX-License-Identifier: Apache-2.0 */
/* full_x86_64.h - an instruction with all its operands, those that it does not name, too: as Zydis decodes it. */
#ifndef FC_ARCH_X86_64_FULL_X86_64_H
#define FC_ARCH_X86_64_FULL_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <Zydis/Zydis.h>

struct full_insn {
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

enum { DWARF_XMM0 = 17, DWARF_ST0 = 33 };

/* False: these bytes are no instruction, or room ends within it. */
bool decode_full_x86_64(const uint8_t *code, size_t room, struct full_insn *ret);

/* A bit for the register, by DWARF's number; 0: it is none that holds values. */
uint64_t reg_bit_x86_64(ZydisRegister reg);
bool is_reg_x86_64(const ZydisDecodedOperand *operand);
/* xor %eax,%eax, pcmpeqd %xmm0,%xmm0: what was in it does not matter. */
bool is_clearing_x86_64(const struct full_insn *full);
/* The bits of the registers that the operand writes to, perhaps. */
uint64_t written_by_x86_64(const ZydisDecodedOperand *operand);

#endif
