/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_x86_64.c - finds functions that return a narrow result, by their code.
 *
 * A function whose result is in memory returns that one's address, in all of rax (psABI 3.2.3). An
 * instruction that writes eax clears the upper half: what returns right behind it returns no address.
 */
#include "arch/x86_64/decode_x86_64.h"
#include "arch/x86_64/x86_64.h"

enum { REX = 0x40, REX_W = 8, REX_R = 4, REX_B = 1, EAX = 0 };

/* A plain instruction: its opcode, and its REX prefix, if any. */
struct plain {
	const struct insn *insn;
	uint8_t rex;
};

static bool take_plain(const uint8_t *code, const struct insn *insn, struct plain *ret)
{
	bool has_rex = (code[0] & 0xf0) == REX;
	uint8_t first = code[has_rex];

	*ret = (struct plain){ insn, has_rex ? code[0] : 0 };
	return insn->map == MAP_DEFAULT ? first == insn->opcode
					: insn->map == MAP_0F && first == 0x0f;
}

static bool is_to_reg(const struct plain *plain)
{
	return plain->insn->reg == EAX && !(plain->rex & (REX_W | REX_R));
}

static bool is_to_rm(const struct plain *plain)
{
	return plain->insn->mod == 3 && plain->insn->rm == EAX &&
	       !(plain->rex & (REX_W | REX_B));
}

/* Does it write all of eax, and nothing above? */
static bool is_narrow(const struct plain *plain)
{
	if (plain->insn->map == MAP_0F)
		switch (plain->insn->opcode) {
		case 0xaf: /* imul */
		case 0xb6: /* movzx, movsx */
		case 0xb7:
		case 0xbe:
		case 0xbf:
			return is_to_reg(plain);
		default:
			return false;
		}
	switch (plain->insn->opcode) {
	case 0x03: /* add, or, and, sub, xor, mov: to a register */
	case 0x0b:
	case 0x23:
	case 0x2b:
	case 0x33:
	case 0x8b:
	case 0x8d: /* lea */
		return is_to_reg(plain);
	case 0x01: /* the same, to a register or memory */
	case 0x09:
	case 0x21:
	case 0x29:
	case 0x31:
	case 0x89:
	case 0x83: /* with a number; but cmp */
	case 0xc7:
		return is_to_rm(plain) &&
		       !(plain->insn->opcode == 0x83 && plain->insn->reg == 7);
	case 0xb8:
		return !(plain->rex & (REX_W | REX_B));
	default:
		return false;
	}
}

/* Does it leave rax as it is, as what stands between a result and a return does? */
static bool leaves_result(const struct plain *plain)
{
	uint8_t opcode = plain->insn->opcode;

	if (plain->insn->map != MAP_DEFAULT)
		return false;
	if ((opcode & 0xf8) == 0x58) /* pop */
		return plain->rex & REX_B || (opcode & 7) != EAX;
	if (opcode == 0x81 || opcode == 0x83) /* add and the like, to rsp */
		return plain->insn->mod == 3 && plain->insn->rm == 4 && !(plain->rex & REX_B);
	return opcode == 0xc9; /* leave */
}

bool returns_narrow_x86_64(const uint8_t *code, size_t size)
{
	enum { RET = 0xc3 };
	bool has_narrow = false;
	struct insn insn;

	for (size_t done = 0; done < size; done += insn.length) {
		struct plain plain;
		if (!decode_x86_64(code + done, size - done, &insn))
			return false;
		bool is_known = take_plain(code + done, &insn, &plain);
		if (has_narrow && is_known && insn.map == MAP_DEFAULT && insn.opcode == RET)
			return true;
		has_narrow = is_known &&
			     (is_narrow(&plain) || (has_narrow && leaves_result(&plain)));
	}
	return false;
}
