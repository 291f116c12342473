/* SPDX-License-Identifier: Apache-2.0 */
/* decode_x86_64.h - one instruction: its length and its fields, not its meaning. */
#ifndef FC_ARCH_DECODE_X86_64_H
#define FC_ARCH_DECODE_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_map { MAP_DEFAULT, MAP_0F, MAP_OTHER };

struct insn {
	uint8_t length;
	uint8_t map, opcode; /* enum insn_map */
	bool has_lock, has_modrm, has_sib;
	bool rex_r, rex_x, rex_b;
	uint8_t mod, reg, rm;	     /* 0 without modrm */
	uint8_t scale, index, base;  /* as encoded; 0 without SIB */
	uint8_t modrm_off, disp_off; /* from the first byte */
	uint8_t disp_bits;	     /* 0: there is none */
	bool is_relative;	     /* a direct branch; imm is its distance */
	int32_t disp;
	int64_t imm; /* of branches, and of add, or, ... with an immediate */
};

/* False: these bytes are no instruction, or room ends within it. */
bool decode_x86_64(const uint8_t *code, size_t room, struct insn *ret);

/* The same, of instructions that are frequent only: false says nothing. */
bool decode_frequent_x86_64(const uint8_t *code, size_t room, struct insn *ret);
/* The same, by the library that knows all. */
bool decode_any_x86_64(const uint8_t *code, size_t room, struct insn *ret);

#endif
