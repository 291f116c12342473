/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_x86_64.c - finds branches into windows.
 *
 * Decoding all text would cost 20 ns a byte; looking at each byte as if it were a branch's opcode
 * costs 2 and misses none. The few hits are decoded later.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

/*
 * What a byte could begin: the length of the branch, and how far the 4 bytes at its end are
 * shifted to make the displacement: those of a short one hold its only byte on top.
 */
struct begin {
	uint8_t len, shift;
	uint8_t counts; /* bit 0: in any case; bit 1: if the next byte makes it a jcc */
};

#define SHORT                                                                                  \
	{                                                                                      \
		2, 24, 1                                                                       \
	}
#define LONG                                                                                   \
	{                                                                                      \
		5, 0, 1                                                                        \
	}

/* clang-format off */
static const struct begin begins[256] = {
	[OP_JCC_REL8 ... OP_JCC_REL8 + 15] = SHORT,
	[OP_LOOP_FIRST ... OP_LOOP_FIRST + 3] = SHORT,
	[OP_JMP_REL8] = SHORT,
	[OP_CALL_REL32 ... OP_JMP_REL32] = LONG,
	[OP_0F] = { 6, 0, 2 },
};
/* clang-format on */

static enum fc_branch_kind kind_of(uint8_t op)
{
	if (op == OP_CALL_REL32)
		return FC_BRANCH_CALL;
	return op == OP_JMP_REL8 || op == OP_JMP_REL32 ? FC_BRANCH_JUMP : FC_BRANCH_IF;
}

static int32_t rel32_at(const uint8_t *code)
{
	int32_t rel;
	memcpy(&rel, code, sizeof(rel));
	return rel;
}

enum { BLOCK = 512 };

/*
 * Offsets in the block of what could begin a branch. One byte in six does, without a pattern: a
 * conditional jump here would be mispredicted as often, so there is none.
 */
static size_t collect(const uint8_t *block, size_t size, uint16_t ret[BLOCK])
{
	size_t nr = 0;
	for (size_t i = 0; i < size; i++) {
		bool is_jcc = (block[i + 1] & 0xf0) == OP_0F_JCC_REL32;
		ret[nr] = i;
		nr += (begins[block[i]].counts & (1 | is_jcc << 1)) != 0;
	}
	return nr;
}

/* The displacement that ends at end; at the start of the code there are no 4 bytes. */
static int64_t rel_at(const uint8_t *code, size_t end, uint8_t shift)
{
	return end < 4 ? (int8_t)code[end - 1] : rel32_at(code + end - 4) >> shift;
}

void scan_x86_64(const uint8_t *code, size_t size, uint64_t vaddr,
		 const struct fc_targets *targets,
		 void (*fn)(void *ctx, struct fc_branch branch), void *ctx)
{
	uint16_t offs[BLOCK];
	for (size_t done = 0; done + 1 < size; done += BLOCK) {
		size_t left = size - 1 - done;
		size_t nr = collect(code + done, left < BLOCK ? left : BLOCK, offs);
		for (size_t k = 0; k < nr; k++) {
			size_t i = done + offs[k];
			const struct begin *begin = &begins[code[i]];
			uint64_t end = i + begin->len;
			if (end > size)
				continue;
			uint64_t to = end + rel_at(code, end, begin->shift);
			if (fc_targets_has(targets, vaddr + to))
				fn(ctx, (struct fc_branch){ vaddr + i, vaddr + end, vaddr + to,
							    kind_of(code[i]) });
		}
	}
}

/* Is a 5-byte instruction (opcode, imm32) within reach of at? */
static bool is_near(const uint8_t *code, size_t size, const uint8_t *at, uint8_t op,
		    uint32_t imm)
{
	enum { REACH = 64 };
	uint8_t insn[5] = { op };
	memcpy(insn + 1, &imm, sizeof(imm));
	const uint8_t *from = at - code > REACH ? at - REACH : code;
	const uint8_t *to = code + size - at > REACH ? at + REACH : code + size;
	return memmem(from, to - from, insn, sizeof(insn));
}

enum {
	MOV_EAX = 0xb8,
	MOV_ESI = 0xbe,
	MOV_EDI = 0xbf,
	ARCH_SET_GS = 0x1001,
	NR_ARCH_PRCTL = 158,
};

/* [endbr64;] mov $NR_ARCH_PRCTL, %eax; syscall: what a C library's function begins with */
static bool is_arch_prctl(const uint8_t *code, size_t size, uint64_t off)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t prctl[] = {
		MOV_EAX, NR_ARCH_PRCTL, 0, 0, 0, OP_0F, OP_0F_SYSCALL
	};
	if (off < size && size - off > sizeof(endbr64) &&
	    !memcmp(code + off, endbr64, sizeof(endbr64)))
		off += sizeof(endbr64);
	return off < size && size - off >= sizeof(prctl) &&
	       !memcmp(code + off, prctl, sizeof(prctl));
}

/* Soon behind at: a call or a jump to such a function in the same code. */
static bool leads_to_arch_prctl(const uint8_t *code, size_t size, const uint8_t *at)
{
	enum { SOON = 32 };
	const uint8_t *end = code + size;
	for (const uint8_t *op = at; op < at + SOON && end - op >= JUMP_SIZE; op++)
		if ((*op == OP_CALL_REL32 || *op == OP_JMP_REL32) &&
		    is_arch_prctl(code, size,
				  op + JUMP_SIZE - code + (int64_t)rel32_at(op + 1)))
			return true;
	return false;
}

/*
 * mov $ARCH_SET_GS, %edi before the system call or arch_prctl(), its own or another
 * module's; mov $ARCH_SET_GS, %esi before syscall(SYS_arch_prctl, …).
 */
static bool is_set_gs(const uint8_t *code, size_t size, const uint8_t *imm, const char *names,
		      size_t names_size)
{
	static const char name[] = "arch_prctl";
	if (imm[-1] == MOV_ESI)
		return is_near(code, size, imm, MOV_EDI, NR_ARCH_PRCTL);
	return imm[-1] == MOV_EDI && (is_near(code, size, imm, MOV_EAX, NR_ARCH_PRCTL) ||
				      leads_to_arch_prctl(code, size, imm) ||
				      (names && memmem(names, names_size, name, sizeof(name))));
}

static bool calls_arch_prctl(const uint8_t *code, size_t size, const char *names,
			     size_t names_size)
{
	const uint8_t *end = code + size, *at = code + 2;
	/* The second byte of the immediate 01 10 00 00 is looked for. */
	while (at + 3 <= end && (at = memchr(at, ARCH_SET_GS >> 8, end - at - 2))) {
		if (at[-1] == (ARCH_SET_GS & 0xff) && !at[1] && !at[2] &&
		    is_set_gs(code, size, at - 1, names, names_size))
			return true;
		at++;
	}
	return false;
}

/* f3, perhaps a REX prefix, 0f ae, modrm /3 with mod 3; ae is the rarest of these bytes. */
static bool has_wrgsbase(const uint8_t *code, size_t size)
{
	const uint8_t *end = code + size - 1, *at = code + 2;
	for (; at < end && (at = memchr(at, OP_0F_GROUP15, end - at)); at++) {
		bool has_rex = (at[-2] & 0xf0) == PREFIX_REX && at - code > 2;
		if (at[-1] == OP_0F && at[-2 - has_rex] == PREFIX_F3 && (at[1] & 0xf8) == 0xd8)
			return true;
	}
	return false;
}

bool takes_register_x86_64(const uint8_t *code, size_t size, const char *names,
			   size_t names_size)
{
	return size > 8 &&
	       (calls_arch_prctl(code, size, names, names_size) || has_wrgsbase(code, size));
}

/*
 *	add %reg, %rsp		48 01 c4+8n	4c for r8 to r15
 *	add %reg, %rbp		48 01 c5+8n
 *
 * rsp and rbp alike by a distance that is known at run time: greenlet, Stackless Python and their kin
 * go over to another one's frames so. No compiler does it. c: at the first.
 */
static bool is_move_by_distance(const uint8_t *c)
{
	enum { ADD_RM_R = 0x01, REX_W = 0x48, REX_R = 4, REG_FIELD = 0x38, RM_RSP = 0xc4 };
	return c[4] == ADD_RM_R && c[1] == ADD_RM_R && (c[0] & ~REX_R) == REX_W &&
	       c[3] == c[0] && (c[2] & ~REG_FIELD) == RM_RSP && c[5] == c[2] + 1;
}

/*
 *	mov	%rsp, %rdi
 *	call	*%rcx		copies frames away; returns where others begin, or 0
 *	test	%rax, %rax
 *	jz	1f
 *	mov	%rax, %rsp
 *
 * PyPy's stacklets. c: at the first.
 */
static bool is_move_to_result(const uint8_t *c)
{
	static const uint8_t before[] = { 0x48, 0x89, 0xe7, 0xff },
			     test[] = { 0x48, 0x85, 0xc0, 0x74 }, move[] = { 0x48, 0x89, 0xc4 };
	enum { TEST = 5, MOVE = 10 };
	return !memcmp(c, before, sizeof(before)) && !memcmp(c + TEST, test, sizeof(test)) &&
	       !memcmp(c + MOVE, move, sizeof(move));
}

/* From *at on, where a byte that such code has at off is found, and then the code. */
static bool find_code(const uint8_t *code, size_t size, size_t *at, uint8_t byte, size_t off,
		      size_t len, bool (*is_it)(const uint8_t *c))
{
	const uint8_t *c = code + *at + off, *end = code + size;
	for (; c < end && (c = memchr(c, byte, (size_t)(end - c))); c++)
		if ((size_t)(end - c) >= len - off && is_it(c - off)) {
			*at = (size_t)(c - off - code) + len;
			return true;
		}
	return false;
}

bool moves_frames_x86_64(const uint8_t *code, size_t size, size_t *at)
{
	enum { ADDS = 6, ADD_RM_R = 0x01, RESULT = 13, RDI_RSP = 0xe7 };
	size_t first = *at, second = *at;
	bool is_first = find_code(code, size, &first, ADD_RM_R, 1, ADDS, is_move_by_distance);
	bool is_second = find_code(code, size, &second, RDI_RSP, 2, RESULT, is_move_to_result);
	if (is_first || is_second)
		*at = is_second && (!is_first || second < first) ? second : first;
	return is_first || is_second;
}

/* mov %reg, disp(%base): its length, 0: it is none. */
static size_t is_store(const uint8_t *code, uint8_t *reg, uint8_t *base, int32_t *disp)
{
	enum { MOV_RM_R = 0x89, REX_W = 0x48, REX_RB = 5, DISP8 = 1, DISP32 = 2, HAS_SIB = 4 };
	uint8_t mod = code[2] >> 6, rm = code[2] & 7;
	if ((code[0] & ~REX_RB) != REX_W || code[1] != MOV_RM_R || rm == HAS_SIB ||
	    mod > DISP32 || (!mod && rm == 5))
		return 0;
	*reg = (code[2] >> 3 & 7) | (code[0] & 4) << 1;
	*base = rm | (code[0] & 1) << 3;
	*disp = 0;
	if (mod == DISP8)
		*disp = (int8_t)code[3];
	if (mod == DISP32)
		memcpy(disp, code + 3, sizeof(*disp));
	return mod == DISP32 ? 7 : mod == DISP8 ? 4 : 3;
}

/* Near one store to a buffer there is one so much lower. */
static bool is_stored_near(const uint8_t *code, size_t size, size_t at, uint8_t base,
			   int32_t disp)
{
	enum { NEAR = 32, LONGEST = 7 };
	for (size_t i = at < NEAR ? 0 : at - NEAR; i < at + NEAR && i + LONGEST <= size; i++) {
		uint8_t its_reg, its_base;
		int32_t its_disp;
		if (is_store(code + i, &its_reg, &its_base, &its_disp) && its_base == base &&
		    its_disp == disp)
			return true;
	}
	return false;
}

/*
 * As gcc has it, in any order, to a buffer that rsp or rbp does not lead to:
 *
 *	mov	%rbp, 0x1c0(%rdx)	the frame's address; it may be in any register
 *	lea	1f(%rip), %rdi
 *	mov	%rdi, 0x1c8(%rdx)	where to go on
 *	mov	%rsp, 0x1d0(%rdx)
 */
bool notes_place_x86_64(const uint8_t *code, size_t size, size_t *at)
{
	enum { MOV_RM_R = 0x89, RSP = 4, RBP = 5, LONGEST = 7, WORD = 8 };
	const uint8_t *c = code + *at + 1, *end = code + size;
	for (; c < end && (c = memchr(c, MOV_RM_R, (size_t)(end - c))); c++) {
		uint8_t reg, base;
		int32_t disp;
		size_t i = (size_t)(c - 1 - code);
		size_t len = i + LONGEST <= size ? is_store(c - 1, &reg, &base, &disp) : 0;
		if (!len || reg != RSP || base == RBP ||
		    !is_stored_near(code, size, i, base, disp - WORD) ||
		    !is_stored_near(code, size, i, base, disp - 2 * WORD))
			continue;
		*at = i + len;
		return true;
	}
	return false;
}
