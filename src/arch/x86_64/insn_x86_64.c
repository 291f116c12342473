/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_x86_64.c - counts the instructions that fit under a jump, and moves them elsewhere.
 *
 *   add  0x10(%rip), %eax    the displacement is made anew
 *   jne  near                jne rel32 to the same place
 *   call f                   push $original-return-address; jmp f
 *                            (so that unwinders and callees see original code)
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

#include "arch/x86_64/decode_x86_64.h"
#include "base/little.h"
#include "capture/agent/abi.h"

enum {
	MAX_INSN = 15,
	PUSH_ADDRESS = 13, /* push imm32; movl imm32, 4(%rsp) */
};

static bool is_rip_relative(const struct insn *insn)
{
	return insn->has_modrm && insn->mod == 0 && insn->rm == 5 && insn->disp_bits == 32;
}

static bool is_relative_branch(const struct insn *insn)
{
	return insn->is_relative;
}

size_t insn_len_x86_64(const uint8_t *code, size_t room, bool *is_branch)
{
	struct insn insn;
	if (!decode_x86_64(code, room, &insn))
		return 0;
	*is_branch = is_relative_branch(&insn);
	return insn.length;
}

unsigned traits_x86_64(const uint8_t *code)
{
	while (*code == PREFIX_OPERAND_SIZE || *code == PREFIX_F2 || *code == PREFIX_F3 ||
	       (*code & 0xf0) == PREFIX_REX)
		code++;
	switch (*code) {
	case OP_PUSHF:
		return FC_TRAIT_PUSHES_FLAGS;
	case OP_RET:
	case OP_RET_IMM16:
		return FC_TRAIT_RETURNS;
	case OP_0F:
		return code[1] == OP_0F_SYSCALL ? FC_TRAIT_SYSTEM_CALL : 0;
	default:
		return 0;
	}
}

static bool is_map_default(const struct insn *insn)
{
	return insn->map == MAP_DEFAULT;
}

static bool is_call_rel(const struct insn *insn)
{
	return is_map_default(insn) && insn->opcode == OP_CALL_REL32;
}

static bool is_group5(const struct insn *insn, int reg)
{
	return is_map_default(insn) && insn->opcode == OP_GROUP5 && insn->reg == reg;
}

static bool is_call_indirect(const struct insn *insn)
{
	return is_group5(insn, 2);
}

static bool is_jcc(const struct insn *insn)
{
	return (is_map_default(insn) && (insn->opcode & 0xf0) == OP_JCC_REL8) ||
	       (insn->map == MAP_0F && (insn->opcode & 0xf0) == OP_0F_JCC_REL32);
}

static bool is_jmp_rel(const struct insn *insn)
{
	return is_map_default(insn) &&
	       (insn->opcode == OP_JMP_REL32 || insn->opcode == OP_JMP_REL8);
}

static bool is_ud2(const struct insn *insn)
{
	return insn->map == MAP_0F && insn->opcode == OP_0F_UD2;
}

/* Does nothing that follows it run by falling through? */
static bool ends_flow(const struct insn *insn)
{
	if (insn->map == MAP_0F)
		return is_ud2(insn);
	if (!is_map_default(insn))
		return false;
	switch (insn->opcode) {
	case OP_RET:
	case OP_RET_IMM16:
	case OP_RETF:
	case OP_RETF_IMM16:
	case OP_IRET:
	case OP_JMP_REL32:
	case OP_JMP_REL8:
	case OP_HLT:
		return true;
	default:
		return is_group5(insn, 4) || is_group5(insn, 5);
	}
}

static bool is_nop(const struct insn *insn)
{
	return (is_map_default(insn) && insn->opcode == OP_NOP) ||
	       (insn->map == MAP_0F && insn->opcode == OP_0F_NOP);
}

/* Is rsp its register, or the base of its memory operand? (With REX.B it is r12.) */
static bool uses_rsp(const struct insn *insn)
{
	uint8_t base = insn->mod == 3 ? 4 : insn->base;
	return insn->rm == 4 && base == 4 && !insn->rex_b;
}

/* jmp *table(,%reg,8), or mov table(,%reg,8), %reg before such a jump */
static uint64_t table_of(const struct insn *insn)
{
	enum { MOV_LOAD = 0x8b, NO_BASE = 5, TIMES_8 = 3 };
	bool is_load = is_group5(insn, 4) || (is_map_default(insn) && insn->opcode == MOV_LOAD);
	bool is_scaled = insn->has_sib && insn->mod == 0 && insn->base == NO_BASE &&
			 insn->scale == TIMES_8;
	return is_load && is_scaled ? (uint64_t)insn->disp : 0;
}

enum fc_insn_kind insn_kind_x86_64(const uint8_t *code, size_t room, size_t *len,
				   uint64_t *table)
{
	struct insn insn;
	*len = 1;
	if (table)
		*table = 0;
	if (!decode_x86_64(code, room, &insn))
		return FC_INSN_NONE;
	*len = insn.length;
	if (table)
		*table = table_of(&insn);
	if (is_nop(&insn) || (is_map_default(&insn) && insn.opcode == OP_INT3))
		return FC_INSN_FILLER;
	if (is_call_rel(&insn) || is_call_indirect(&insn))
		return FC_INSN_CALL;
	return ends_flow(&insn) ? FC_INSN_END : FC_INSN_PLAIN;
}

/* NULL, or why this instruction cannot run elsewhere. */
static const char *cannot_move(const struct insn *insn)
{
	if (is_map_default(insn) && insn->opcode == OP_INT3)
		return "starts with a breakpoint";
	if (is_map_default(insn) && insn->opcode == OP_XBEGIN && is_relative_branch(insn))
		return "starts a transaction";
	if (is_relative_branch(insn) && !is_call_rel(insn) && !is_jcc(insn) &&
	    !is_jmp_rel(insn))
		return "starts with loop or jrcxz";
	if (is_group5(insn, 3) || is_group5(insn, 5))
		return "starts with a far branch";
	if (is_call_indirect(insn) && uses_rsp(insn))
		return "starts with a call through the stack";
	return NULL;
}

static size_t moved_size(const struct insn *insn)
{
	if (is_call_rel(insn))
		return PUSH_ADDRESS + 5;
	if (is_call_indirect(insn))
		return PUSH_ADDRESS + insn->length;
	if (is_jcc(insn))
		return 6;
	if (is_jmp_rel(insn))
		return 5;
	return insn->length;
}

/* Are these bytes filler between functions: nops, int3? Zeros may be someone's data. */
bool is_padding_x86_64(const uint8_t *code, size_t size, size_t room)
{
	for (size_t i = 0; i < size;) {
		struct insn insn;
		if (code[i] == OP_INT3) {
			i++;
			continue;
		}
		if (!decode_x86_64(code + i, room - i, &insn) || !is_nop(&insn))
			return false;
		i += insn.length;
	}
	return true;
}

size_t nop_size_x86_64(const uint8_t *code, size_t room)
{
	struct insn insn;
	bool has_prefix = room && code[0] == PREFIX_OPERAND_SIZE;
	if (room && code[0] == OP_NOP)
		return 1;
	if (!decode_x86_64(code, room, &insn) || !is_nop(&insn))
		return 0;
	/* With other prefixes 90 is a pause, or exchanges registers. */
	return insn.map == MAP_0F || (has_prefix && insn.length == 2) ? insn.length : 0;
}

bool is_computed_x86_64(const uint8_t *code, size_t room)
{
	struct insn insn;
	return decode_x86_64(code, room, &insn) && (is_group5(&insn, 4) || is_group5(&insn, 5));
}

/*
 * cmp 0x10(%r14),%rsp; jbe, of functions whose frame is large with lea -frame(%rsp),%r12 and
 * r12 before (Go's cmd/internal/obj/x86: stacksplit()). r14 is the goroutine.
 */
size_t go_stack_check_x86_64(const uint8_t *code, size_t room)
{
	static const struct {
		uint8_t bytes[5], nr, skip;
	} starts[] = {
		{ { 0x49, 0x3b, 0x66, 0x10 }, 4, 0 },
		{ { 0x4c, 0x8d, 0x64, 0x24 }, 4, 1 }, /* displacement of 1 byte */
		{ { 0x4c, 0x8d, 0xa4, 0x24 }, 4, 4 },
	};
	static const uint8_t compare_r12[] = { 0x4d, 0x3b, 0x66, 0x10 };
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		size_t at = starts[i].nr + starts[i].skip;
		if (room < at || memcmp(code, starts[i].bytes, starts[i].nr))
			continue;
		if (starts[i].skip) {
			if (room - at < sizeof(compare_r12) ||
			    memcmp(code + at, compare_r12, sizeof(compare_r12)))
				return 0;
			at += sizeof(compare_r12);
		}
		if (room - at > 2 && code[at] == OP_JCC_REL8 + CC_BE)
			return at + 2;
		if (room - at > 6 && code[at] == OP_0F &&
		    code[at + 1] == OP_0F_JCC_REL32 + CC_BE)
			return at + 6;
		return 0;
	}
	return 0;
}

const char *window_x86_64(const uint8_t *code, size_t room, uint64_t vaddr, uint64_t next,
			  uint8_t jump_size, uint8_t need, struct fc_window *ret)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	*ret = (struct fc_window){ .vaddr = vaddr, .jump_size = jump_size };
	if (room > sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64))) {
		ret->vaddr += sizeof(endbr64);
		code += sizeof(endbr64);
		room -= sizeof(endbr64);
	}
	if (next > vaddr && next < ret->vaddr + need)
		return "too short: the next function starts within 5 bytes";
	if (room < need)
		return "too short: its section ends within 5 bytes";

	while (ret->size < need && !ret->ends) {
		struct insn insn;
		if (!decode_x86_64(code + ret->size, room - ret->size, &insn))
			return "starts with bytes that are no instruction";
		const char *why = cannot_move(&insn);
		if (why)
			return why;
		if ((is_call_rel(&insn) || is_call_indirect(&insn)) &&
		    ret->size + insn.length < need)
			return "returns into its first 5 bytes";
		ret->size += insn.length;
		ret->moved_size += moved_size(&insn);
		ret->ends = ends_flow(&insn);
	}
	if (ret->size < need &&
	    !is_padding_x86_64(code + ret->size, need - ret->size, room - ret->size))
		return "too short: no padding behind it";
	return NULL;
}

/* Where moved code is written. */
struct out {
	uint8_t *at;
	size_t size;
	uint64_t taddr; /* of at[0] */
	bool is_far;	/* something did not reach */
};

static void emit(struct out *out, const void *bytes, size_t size)
{
	memcpy(out->at + out->size, bytes, size);
	out->size += size;
}

static void emit8(struct out *out, uint8_t byte)
{
	emit(out, &byte, 1);
}

static void emit32(struct out *out, uint32_t value)
{
	emit(out, &value, sizeof(value));
}

/* The 32-bit distance from the end of an instruction that ends after `more` bytes. */
static void emit_rel32(struct out *out, uint64_t to, size_t more)
{
	int64_t rel = (int64_t)(to - (out->taddr + out->size + 4 + more));
	if (rel != (int32_t)rel)
		out->is_far = true;
	emit32(out, (uint32_t)rel);
}

static void emit_jmp(struct out *out, uint64_t to)
{
	emit8(out, OP_JMP_REL32);
	emit_rel32(out, to, 0);
}

/* push the 64-bit address: the flags and all registers stay as they are */
static void emit_push_address(struct out *out, uint64_t address)
{
	static const uint8_t movl_to_4_rsp[] = { 0xc7, 0x44, 0x24, 0x04 };
	emit8(out, OP_PUSH_IMM32);
	emit32(out, (uint32_t)address);
	if ((int64_t)(int32_t)address != (int64_t)address) {
		emit(out, movl_to_4_rsp, sizeof(movl_to_4_rsp));
		emit32(out, (uint32_t)(address >> 32));
	}
}

/* A copy; a rip-relative displacement is made to name the same address. */
static void emit_copy(struct out *out, const struct insn *insn, const uint8_t *code,
		      uint64_t taddr)
{
	if (!is_rip_relative(insn)) {
		emit(out, code, insn->length);
		return;
	}
	size_t off = insn->disp_off, behind = insn->length - off - 4;
	emit(out, code, off);
	emit_rel32(out, taddr + insn->length + insn->disp, behind);
	emit(out, code + off + 4, behind);
}

/* call *operand becomes push; jmp *operand: modrm.reg 2 to 4 */
static void emit_jmp_indirect(struct out *out, const struct insn *insn, const uint8_t *code,
			      uint64_t taddr)
{
	size_t modrm = out->size + insn->modrm_off;
	emit_copy(out, insn, code, taddr);
	out->at[modrm] = (out->at[modrm] & 0xc7) | 4 << 3;
}

static void move_insn(struct out *out, const struct insn *insn, const uint8_t *code,
		      uint64_t taddr, uint64_t start, uint64_t body)
{
	uint64_t next = taddr + insn->length;
	uint64_t to = is_relative_branch(insn) ? next + insn->imm : 0;
	if (to == start && is_relative_branch(insn) && !is_call_rel(insn))
		to = body; /* a loop to the start is not a call */
	if (is_call_rel(insn)) {
		emit_push_address(out, next);
		emit_jmp(out, to);
	} else if (is_call_indirect(insn)) {
		emit_push_address(out, next);
		emit_jmp_indirect(out, insn, code, taddr);
	} else if (is_jcc(insn)) {
		emit8(out, OP_0F);
		emit8(out, OP_0F_JCC_REL32 | (insn->opcode & 0x0f));
		emit_rel32(out, to, 0);
	} else if (is_jmp_rel(insn)) {
		emit_jmp(out, to);
	} else {
		emit_copy(out, insn, code, taddr);
	}
}

/* The kernel starts some system calls anew: then it runs this instruction again. */
static bool is_syscall(const struct insn *insn)
{
	return insn->map == MAP_0F && insn->opcode == OP_0F_SYSCALL;
}

/* False: a window that any plan has made has fewer. */
static bool note_move(struct moved *moved, size_t from, size_t to)
{
	if (moved->nr == FC_MAX_MOVES)
		return false;
	moved->at[moved->nr++] = (struct fc_move){ .from = from, .to = to };
	return true;
}

size_t move_window_x86_64(const struct fc_stub *stub, uint64_t taddr, uint8_t *ret,
			  struct moved *moved)
{
	struct out out = { .at = ret, .taddr = taddr };
	uint64_t start = stub->window.vaddr + stub->bias;
	bool may_go_back = false, is_trap = false;
	moved->nr = 0;
	for (size_t done = 0; done < stub->window.size;) {
		struct insn insn;
		if (!decode_x86_64(stub->code + done, stub->window.size - done, &insn) ||
		    !note_move(moved, done, out.size))
			return 0;
		move_insn(&out, &insn, stub->code + done, start + done, start, taddr);
		done += insn.length;
		may_go_back = is_syscall(&insn);
		is_trap = is_ud2(&insn);
	}
	if (may_go_back && !note_move(moved, stub->window.size, out.size))
		return 0;
	/* Behind a ud2 a handler may go on. */
	if (!stub->window.ends || is_trap)
		emit_jmp(&out, start + stub->window.size);
	return out.is_far ? 0 : out.size;
}

enum { REG_RSP = 4, REG_RBP = 5 };

enum {
	PUSH = 0x50,
	POP = 0x58,
	PUSH_IMM8 = 0x6a,
	GROUP1_IMM32 = 0x81,
	GROUP1_IMM8 = 0x83,
	MOV_RM_R = 0x89,
	MOV_R_RM = 0x8b,
	LEA = 0x8d,
	POP_RM = 0x8f,
	PUSHF = 0x9c,
	POPF = 0x9d,
	LEAVE = 0xc9,
};

/* Does the instruction's memory operand have the form disp(%rsp)? */
static bool is_rsp_memory(const struct insn *insn)
{
	return insn->has_modrm && insn->mod != 3 && insn->rm == 4 && insn->base == REG_RSP &&
	       insn->index == 4 && !insn->rex_b && !insn->rex_x;
}

/* Is rsp the register operand that modrm.rm, or modrm.reg, names? */
static bool is_rm_rsp(const struct insn *insn)
{
	return insn->mod == 3 && insn->rm == REG_RSP && !insn->rex_b;
}

static bool is_reg_rsp(const struct insn *insn)
{
	return insn->reg == REG_RSP && !insn->rex_r;
}

/* disp(%rbp) */
static bool is_rbp_memory(const struct insn *insn)
{
	return insn->has_modrm && insn->mod % 3 && insn->rm == REG_RBP && !insn->rex_b;
}

/* mov %rsp, %rbp, in either encoding */
static bool is_frame_start(const struct insn *insn)
{
	int reg = insn->reg, rm = insn->rm;
	if (!is_map_default(insn) || insn->mod != 3 || insn->rex_r || insn->rex_b)
		return false;
	return (insn->opcode == MOV_RM_R && reg == REG_RSP && rm == REG_RBP) ||
	       (insn->opcode == MOV_R_RM && reg == REG_RBP && rm == REG_RSP);
}

enum follow {
	FOLLOW_ON,
	FOLLOW_LOST,  /* rsp is no longer known */
	FOLLOW_FOUND, /* the return slot was popped */
	FOLLOW_LEFT,  /* the stack is left at its level */
};

static enum follow add_rsp(int64_t *depth, int64_t by)
{
	*depth -= by;
	return *depth < 0 ? FOLLOW_LOST : FOLLOW_ON;
}

/* depth: rsp = return slot - depth */
static enum follow follow_rsp(const struct insn *insn, int64_t *depth)
{
	if (!is_map_default(insn))
		return FOLLOW_ON;
	uint8_t op = insn->opcode;
	if ((op & 0xf8) == POP || op == POP_RM || op == POPF)
		return *depth ? add_rsp(depth, 8) : FOLLOW_FOUND;
	if ((op & 0xf8) == PUSH || op == PUSH_IMM8 || op == OP_PUSH_IMM32 || op == PUSHF ||
	    is_group5(insn, 6))
		return add_rsp(depth, -8);
	if ((op == GROUP1_IMM8 || op == GROUP1_IMM32) && is_rm_rsp(insn)) {
		int64_t imm = insn->imm;
		if (insn->reg == 0)
			return add_rsp(depth, imm);
		if (insn->reg == 5)
			return add_rsp(depth, -imm);
		return insn->reg == 7 ? FOLLOW_ON : FOLLOW_LOST; /* 7: cmp */
	}
	bool is_switch =
		(op == MOV_RM_R && is_rm_rsp(insn)) || (op == MOV_R_RM && is_reg_rsp(insn));
	if (is_switch && !*depth)
		return FOLLOW_LEFT;
	bool is_written = is_switch || (op == LEA && is_reg_rsp(insn)) || op == LEAVE;
	return is_written ? FOLLOW_LOST : FOLLOW_ON;
}

/* Does it change no register but rsp, by a distance that is known? */
static bool only_lowers_rsp(const struct insn *insn)
{
	enum { SUB = 5 };
	if (!is_map_default(insn))
		return false;
	switch (insn->opcode) {
	case PUSH_IMM8:
	case OP_PUSH_IMM32:
	case PUSHF:
	case OP_TEST_EAX: /* a stub's switch */
		return true;
	case GROUP1_IMM8:
	case GROUP1_IMM32:
		return insn->reg == SUB && is_rm_rsp(insn);
	case MOV_RM_R:
		return insn->mod != 3;
	default:
		return (insn->opcode & 0xf8) == PUSH;
	}
}

bool may_run_again_x86_64(const uint8_t *code, size_t size, uint64_t *raise)
{
	int64_t depth = 0;
	for (size_t done = 0; done < size;) {
		struct insn insn;
		if (!decode_x86_64(code + done, size - done, &insn) ||
		    !only_lowers_rsp(&insn) || follow_rsp(&insn, &depth) != FOLLOW_ON)
			return false;
		done += insn.length;
	}
	*raise = depth;
	return true;
}

/* ---- return addresses that are looked at ---- */

enum {
	NR_WAYS = 32,
	NR_INSNS = 400,
	NR_FIRST = 24, /* most prologues end there */
	UNKNOWN = -1,
	USUAL_FRAME = 8, /* the caller's rbp was pushed first, and is where rbp points to */
};

/*
 * At an instruction: rsp = return slot - depth, rbp = return slot - frame. links: a bit for each
 * register with the address of the function's own frame, or of a caller's, who keeps its caller's there.
 */
struct way {
	size_t off;
	int64_t depth, frame;
	uint32_t links;
};

/* Of branches that lead on within the function, the nearest first. */
struct ways {
	struct way at[NR_WAYS];
	size_t nr;
};

struct chain {
	int32_t local;	/* disp(%rbp) holds such an address; 0: none does */
	bool is_walked; /* by one of these */
};

static void add_way(struct ways *ways, const struct way *way)
{
	size_t i = ways->nr;
	if (ways->nr == NR_WAYS)
		return;
	for (; i && ways->at[i - 1].off > way->off; i--)
		;
	if (i && ways->at[i - 1].off == way->off)
		return;
	memmove(ways->at + i + 1, ways->at + i, (ways->nr - i) * sizeof(*way));
	ways->at[i] = *way;
	ways->nr++;
}

/* What is known where a branch leads to holds there, whatever stands before it. */
static bool take_way(struct ways *ways, size_t off, bool is_next, struct way *ret)
{
	size_t nr = 0;
	bool is_found = false;
	for (; nr < ways->nr && !is_found && (is_next || ways->at[nr].off <= off); nr++)
		is_found = ways->at[nr].off == off || (is_next && ways->at[nr].off > off);
	if (is_found)
		*ret = ways->at[nr - 1];
	ways->nr -= nr;
	memmove(ways->at, ways->at + nr, ways->nr * sizeof(*ways->at));
	return is_found;
}

static bool is_mov_to_reg(const struct insn *insn)
{
	return is_map_default(insn) && insn->opcode == MOV_R_RM;
}

static unsigned reg_of(const struct insn *insn)
{
	return insn->reg | (unsigned)insn->rex_r << 3;
}

static unsigned rm_of(const struct insn *insn)
{
	return insn->rm | (unsigned)insn->rex_b << 3;
}

static bool is_link(const struct way *way, unsigned reg)
{
	return reg == REG_RBP || way->links & 1u << reg;
}

static void set_link(struct way *way, unsigned reg, bool is_link)
{
	if (reg != REG_RSP && reg != REG_RBP)
		way->links = is_link ? way->links | 1u << reg : way->links & ~(1u << reg);
}

/* A copy of rbp, or of another link: to a register, to a local variable, or from one. */
static void note_copy(struct chain *chain, const struct insn *insn, struct way *way)
{
	bool is_load = is_mov_to_reg(insn);
	bool is_local = is_rbp_memory(insn) && insn->disp < 0;
	unsigned reg = reg_of(insn), rm = rm_of(insn);
	if (!is_load && !(is_map_default(insn) && insn->opcode == MOV_RM_R))
		return;
	if (insn->mod == 3)
		set_link(way, is_load ? reg : rm, is_link(way, is_load ? rm : reg));
	else if (is_load)
		set_link(way, reg, is_local && insn->disp == chain->local);
	else if (is_local && is_link(way, reg))
		chain->local = insn->disp;
}

/* A frame's first word is its caller's frame, its second one the return address. */
static bool is_link_followed(const struct insn *insn, const struct way *way)
{
	if (!is_mov_to_reg(insn) || insn->mod == 3 || insn->rm == 4 || is_rip_relative(insn))
		return false;
	return (way->links & 1u << rm_of(insn) && (insn->disp == 0 || insn->disp == 8)) ||
	       (is_rbp_memory(insn) && insn->disp == 0 && reg_of(insn) != REG_RBP);
}

static void note_chain(struct chain *chain, const struct insn *insn, struct way *way)
{
	if (way->frame != USUAL_FRAME || !insn->has_modrm)
		return;
	if (is_link_followed(insn, way))
		chain->is_walked = true;
	note_copy(chain, insn, way);
}

/* Not: ret; lea, which only names it; lock or $0,(%rsp), a fence. */
static bool uses_slot(const struct insn *insn, const struct way *way)
{
	int64_t slot = is_rsp_memory(insn)   ? way->depth
		       : is_rbp_memory(insn) ? way->frame
					     : UNKNOWN;
	bool is_lea = is_map_default(insn) && insn->opcode == LEA;
	return slot != UNKNOWN && insn->disp == slot && !is_lea && !insn->has_lock;
}

static void note_branch(struct ways *ways, const struct insn *insn, const struct way *way,
			size_t size)
{
	int64_t to = (int64_t)(way->off + insn->length) + insn->imm;
	if (!is_relative_branch(insn) || is_call_rel(insn) || insn->imm < 0 ||
	    to >= (int64_t)size)
		return;
	add_way(ways, &(struct way){ (size_t)to, way->depth, way->frame, way->links });
}

/*
 * Go on behind an instruction. False: nothing is known there, or where later code is reached from.
 * rbp names the frame in all of a function that has made it do so.
 */
static bool go_on(struct ways *ways, struct way *way, bool is_known)
{
	if (is_known) {
		take_way(ways, way->off, false, way);
		return true;
	}
	way->depth = UNKNOWN;
	way->links = 0;
	if (way->frame != UNKNOWN) {
		take_way(ways, way->off, false, way);
		return true;
	}
	return take_way(ways, way->off, true, way);
}

/* disp(%rsp) that names the slot: the bytes of an instruction from its SIB on */
static bool is_slot_at(const uint8_t *sib, size_t size, int64_t depth)
{
	enum { SIB_RSP = 0x24 };
	if (*sib != SIB_RSP || depth == UNKNOWN)
		return false;
	return !depth || (size > 1 && sib[1] == depth) ||
	       (size > 4 && fc_get_32(sib + 1) == depth);
}

/* disp(%rbp) that names what the chain is made of, or a copy of rbp: the bytes from modrm on */
static bool is_link_at(const uint8_t *modrm, size_t size)
{
	enum { LOCAL_OF_RBP = 0x6d, COPY_OF_RBP = 0xe8 };
	bool is_near = (*modrm & 0xc7) == 0x45 && size > 1 && modrm[1] % 8 == 0;
	return (is_near && modrm[1] <= 8) || *modrm == LOCAL_OF_RBP ||
	       (*modrm & 0xf8) == COPY_OF_RBP;
}

/*
 * Is it worth while to decode the rest? Not if no bytes are there that could be an operand of
 * interest: so it is in nearly all functions.
 */
static bool may_look(const uint8_t *code, size_t size, const struct way *way,
		     const struct chain *chain)
{
	if (way->links || chain->local)
		return true;
	for (size_t i = 0; i < size; i++)
		if (is_slot_at(code + i, size - i, way->depth) ||
		    (way->frame == USUAL_FRAME && is_link_at(code + i, size - i)))
			return true;
	return false;
}

/*
 * Does an instruction use the word where the return address is, or walk from frame to frame? One
 * that goes over to another stack without having pushed a thing (setcontext, longjmp, the end of a
 * context) came with what is no return address it goes back to.
 */
enum fc_slot_use slot_use_x86_64(const uint8_t *code, size_t size)
{
	struct ways ways = { .nr = 0 };
	struct chain chain = { 0 };
	struct way way = { 0, 0, UNKNOWN, 0 };
	bool is_read = false;
	for (size_t nr = 0; way.off < size && nr < NR_INSNS && !chain.is_walked; nr++) {
		struct insn insn;
		if (!decode_x86_64(code + way.off, size - way.off, &insn))
			break;
		if (nr == NR_FIRST && !may_look(code + way.off, size - way.off, &way, &chain))
			break;
		is_read |= uses_slot(&insn, &way);
		note_chain(&chain, &insn, &way);
		note_branch(&ways, &insn, &way, size);
		if (is_frame_start(&insn) && way.depth != UNKNOWN)
			way.frame = way.depth;
		enum follow follow =
			way.depth == UNKNOWN ? FOLLOW_ON : follow_rsp(&insn, &way.depth);
		is_read |= follow == FOLLOW_FOUND;
		if (follow == FOLLOW_LEFT && !is_read)
			return FC_SLOT_LEFT;
		way.off += insn.length;
		if (!go_on(&ways, &way, follow == FOLLOW_ON && !ends_flow(&insn)))
			break;
	}
	return chain.is_walked ? FC_SLOT_WALKED : is_read ? FC_SLOT_READ : FC_SLOT_PLAIN;
}
