/* SPDX-License-Identifier: Apache-2.0 */
/* sdt_operand.h - where an argument of a static probe is, as an assembler was told: "-4@%edi". */
#ifndef FC_ARCH_SDT_OPERAND_H
#define FC_ARCH_SDT_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

enum fc_sdt_operand_kind {
	FC_SDT_UNKNOWN = 0, /* not understood, or where no stub gets at it */
	FC_SDT_NUMBER,
	FC_SDT_REGISTER,
	FC_SDT_MEMORY,
	FC_SDT_VECTOR,
};

struct fc_sdt_operand {
	uint8_t kind; /* enum fc_sdt_operand_kind */
	uint8_t size; /* bytes of the argument: 1, 2, 4, 8 */
	bool is_signed, is_float;
	/* Registers as instructions number them: the one it is in, or of its address. */
	uint8_t reg, index, scale; /* scale: 0 to 3, the index times 1, 2, 4, 8 */
	bool has_base, has_index;
	bool is_vaddr; /* value is one, and the only part of the address */
	int64_t value; /* the number, or what is added to the address */
};

enum { FC_MAX_SDT_OPERANDS = 12 }; /* of a probe: <sys/sdt.h> has no more */

#endif
