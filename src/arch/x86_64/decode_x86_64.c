/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode_x86_64.c - decodes instructions by tables, and by Zydis what these do not have.
 *
 * Zydis knows all instructions and takes 60 to 100 ns for one. Large programs have a hundred
 * million; of these all but one in thirty are in the tables below, by which they take 5. What is
 * not there, or has prefixes that are rare, is Zydis's; a unit test compares the two.
 */
#include "arch/x86_64/decode_x86_64.h"

#include <pthread.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "arch/x86_64/x86_64.h"

/* What follows an opcode, and the prefixes with which it is known here. */
enum {
	PLAIN = 1 << 0, /* none, or REX */
	P66 = 1 << 1,	/* the same after 66, */
	PF2 = 1 << 2,	/* after f2, */
	PF3 = 1 << 3,	/* after f3 */
	MODRM = 1 << 4,
	IMM8 = 1 << 5,
	IMMZ = 1 << 6, /* 4 bytes; 2 after 66 */
	IMMV = 1 << 7, /* 4 bytes; 2 after 66, 8 after REX.W */
	RELATIVE = 1 << 8,
	MEMORY = 1 << 9, /* its operand is no register */
	GROUP = 1 << 10, /* not all of modrm.reg are known: groups[] */
	SEGMENT =
		1 << 11, /* a segment's prefix changes nothing, or only where the operand is */

	INT = PLAIN | P66 | SEGMENT,
	SSE = PLAIN | P66 | PF2 | PF3 | MODRM | SEGMENT,
	PS_PD = PLAIN | P66 | MODRM | SEGMENT,
	XMM = P66 | MODRM | SEGMENT,
};

#define ALU(op) [op... op + 3] = INT | MODRM, [op + 4] = INT | IMM8, [op + 5] = INT | IMMZ

/* clang-format off */
static const uint16_t one_byte[256] = {
	ALU(0x00), ALU(0x08), ALU(0x10), ALU(0x18),	/* add or adc sbb */
	ALU(0x20), ALU(0x28), ALU(0x30), ALU(0x38),	/* and sub xor cmp */
	[0x50 ... 0x5f] = PLAIN,			/* push pop */
	[0x63] = INT | MODRM,				/* movsxd */
	[0x68] = PLAIN | IMMZ,				/* push */
	[0x69] = INT | MODRM | IMMZ,			/* imul */
	[0x6a] = PLAIN | IMM8,				/* push */
	[0x6b] = INT | MODRM | IMM8,			/* imul */
	[0x70 ... 0x7f] = PLAIN | IMM8 | RELATIVE,	/* jcc */
	[0x80] = INT | MODRM | IMM8,			/* add or adc ... */
	[0x81] = INT | MODRM | IMMZ,
	[0x83] = INT | MODRM | IMM8,
	[0x84 ... 0x8b] = INT | MODRM,			/* test xchg mov */
	[0x8d] = INT | MODRM | MEMORY,			/* lea */
	[0x90 ... 0x97] = INT,				/* nop xchg */
	[0x98 ... 0x99] = INT,				/* cdqe cqo */
	[0xa8] = INT | IMM8,				/* test */
	[0xa9] = INT | IMMZ,
	[0xb0 ... 0xb7] = PLAIN | IMM8,			/* mov */
	[0xb8 ... 0xbf] = INT | IMMV,
	[0xc0 ... 0xc1] = INT | MODRM | IMM8 | GROUP,	/* rol ror ... shl shr */
	[0xc3] = PLAIN,					/* ret */
	[0xc6] = PLAIN | SEGMENT | MODRM | IMM8 | GROUP,/* mov */
	[0xc7] = INT | MODRM | IMMZ | GROUP,
	[0xc9] = PLAIN,					/* leave */
	[0xcc] = PLAIN,					/* int3 */
	[0xd0 ... 0xd3] = INT | MODRM | GROUP,		/* rol ror ... shl shr */
	[0xe8 ... 0xe9] = PLAIN | IMMZ | RELATIVE,	/* call jmp */
	[0xeb] = PLAIN | IMM8 | RELATIVE,		/* jmp */
	[0xf6 ... 0xf7] = INT | MODRM | GROUP,		/* test not neg mul ... */
	[0xfe] = PLAIN | SEGMENT | MODRM | GROUP,	/* inc dec */
	[0xff] = PLAIN | SEGMENT | MODRM | GROUP,	/* inc dec call jmp push */
};

/* After 0f. */
static const uint16_t two_bytes[256] = {
	[0x0b] = PLAIN,					/* ud2 */
	[0x10 ... 0x11] = SSE,				/* mov */
	[0x14 ... 0x15] = PS_PD,			/* unpck */
	[0x1f] = INT | MODRM,				/* nop */
	[0x28 ... 0x29] = PS_PD,			/* movap */
	[0x2e ... 0x2f] = PS_PD,			/* ucomis comis */
	[0x40 ... 0x4f] = INT | MODRM,			/* cmovcc */
	[0x51] = SSE,					/* sqrt */
	[0x54 ... 0x57] = PS_PD,			/* and andn or xor */
	[0x58 ... 0x59] = SSE,				/* add mul */
	[0x5c ... 0x5f] = SSE,				/* sub min div max */
	[0x60 ... 0x6d] = XMM,				/* punpck pcmpgt pack */
	[0x6e] = XMM,					/* movq */
	[0x6f] = XMM | PF3,				/* movdq */
	[0x70] = XMM | PF2 | PF3 | IMM8,		/* pshuf */
	[0x74 ... 0x76] = XMM,				/* pcmpeq */
	[0x7e ... 0x7f] = XMM | PF3,			/* movq movdq */
	[0x80 ... 0x8f] = PLAIN | IMMZ | RELATIVE,	/* jcc */
	[0x90 ... 0x9f] = PLAIN | SEGMENT | MODRM,	/* setcc */
	[0xa3] = INT | MODRM,				/* bt */
	[0xaf] = INT | MODRM,				/* imul */
	[0xb6 ... 0xb7] = INT | MODRM,			/* movzx */
	[0xbe ... 0xbf] = INT | MODRM,			/* movsx */
	[0xc6] = PS_PD | IMM8,				/* shuf */
	[0xc8 ... 0xcf] = PLAIN,			/* bswap */
	[0xd4] = XMM, [0xd6] = XMM, [0xdb] = XMM,	/* paddq movq pand */
	[0xdf] = XMM, [0xeb] = XMM, [0xef] = XMM,	/* pandn por pxor */
	[0xfa ... 0xfb] = XMM, [0xfe] = XMM,		/* psub padd */
};
/* clang-format on */

static bool is_known_group(uint8_t opcode, uint8_t reg)
{
	switch (opcode) {
	case 0xc6:
	case 0xc7:
		return reg == 0;
	case 0xf6:
	case 0xf7:
		return reg != 1;
	case 0xfe:
		return reg <= 1;
	case 0xff:
		return reg <= 2 || reg == 4 || reg == 6;
	default: /* shifts */
		return reg != 6;
	}
}

/* What comes before the opcode. */
struct prefixes {
	uint8_t size, rex;
	uint16_t allowed; /* one of PLAIN, P66, PF2, PF3; with SEGMENT too, if there is one */
};

enum { REX_W = 8, REX_R = 4, REX_X = 2, REX_B = 1, LONGEST = 15, FEW = 4 };

/* Bytes that are looked at: prefixes, opcode, modrm, SIB, displacement, immediate. */
enum { LOOKED_AT = (FEW + 2) + 2 + 2 + 4 + 8 };

static bool is_segment(uint8_t byte)
{
	return byte == 0x2e || byte == 0x3e || byte == 0x64 || byte == 0x65;
}

/* Not: several of one kind but 66, and other orders than compilers make. */
static struct prefixes prefixes_of(const uint8_t *code)
{
	struct prefixes p = { .allowed = PLAIN };
	while (p.size < FEW && code[p.size] == PREFIX_OPERAND_SIZE) {
		p.allowed = P66;
		p.size++;
	}
	bool has_segment = is_segment(code[p.size]);
	p.size += has_segment;
	if (code[p.size] == PREFIX_OPERAND_SIZE && has_segment && p.allowed == PLAIN) {
		p.allowed = P66;
		p.size++;
	} else if (p.allowed == PLAIN &&
		   (code[p.size] == PREFIX_F2 || code[p.size] == PREFIX_F3)) {
		p.allowed = code[p.size] == PREFIX_F2 ? PF2 : PF3;
		p.size++;
	}
	if ((code[p.size] & 0xf0) == PREFIX_REX)
		p.rex = code[p.size++];
	p.allowed |= has_segment ? SEGMENT : 0;
	return p;
}

static int32_t signed_at(const uint8_t *code, size_t size)
{
	int32_t value = 0;
	int16_t half;
	if (size == 1)
		return (int8_t)*code;
	if (size == 2) {
		memcpy(&half, code, sizeof(half));
		return half;
	}
	memcpy(&value, code, sizeof(value));
	return value;
}

/* Bytes of the displacement behind modrm and SIB. */
static size_t disp_size(const struct insn *insn)
{
	if (insn->mod == 1)
		return 1;
	bool is_wide =
		insn->mod == 2 ||
		(insn->mod == 0 && (insn->rm == 5 || (insn->has_sib && insn->base == 5)));
	return is_wide ? 4 : 0;
}

/* Returns where it ends. */
static size_t decode_modrm(const uint8_t *code, size_t at, struct insn *ret)
{
	uint8_t modrm = code[at];
	ret->has_modrm = true;
	ret->modrm_off = at++;
	ret->mod = modrm >> 6;
	ret->reg = modrm >> 3 & 7;
	ret->rm = modrm & 7;
	if (ret->mod != 3 && ret->rm == 4) {
		uint8_t sib = code[at++];
		ret->has_sib = true;
		ret->scale = sib >> 6;
		ret->index = sib >> 3 & 7;
		ret->base = sib & 7;
	}
	size_t size = disp_size(ret);
	if (size) {
		ret->disp_bits = 8 * size;
		ret->disp_off = at;
		ret->disp = signed_at(code + at, size);
	}
	return at + size;
}

static size_t imm_size(uint16_t what, const struct prefixes *p)
{
	if (what & IMM8)
		return 1;
	if (!(what & (IMMZ | IMMV)))
		return 0;
	if (p->rex & REX_W)
		return what & IMMV ? 8 : 4;
	return p->allowed & P66 ? 2 : 4;
}

/* The first LOOKED_AT bytes must be there. */
static bool decode_few(const uint8_t *code, struct insn *ret)
{
	struct prefixes p = prefixes_of(code);
	size_t at = p.size;
	*ret = (struct insn){ .rex_r = p.rex & REX_R,
			      .rex_x = p.rex & REX_X,
			      .rex_b = p.rex & REX_B };
	bool is_0f = code[at] == OP_0F;
	at += is_0f;
	ret->map = is_0f ? MAP_0F : MAP_DEFAULT;
	ret->opcode = code[at];
	uint16_t what = (is_0f ? two_bytes : one_byte)[code[at++]];
	if ((what & p.allowed) != p.allowed)
		return false;
	if (what & MODRM)
		at = decode_modrm(code, at, ret);
	if ((what & MEMORY && ret->mod == 3) ||
	    (what & GROUP && !is_known_group(ret->opcode, ret->reg)))
		return false;
	size_t size = imm_size(what, &p);
	if (!is_0f && (ret->opcode & 0xfe) == 0xf6 && ret->reg == 0) /* test */
		size = imm_size(ret->opcode & 1 ? IMMZ : IMM8, &p);
	if (size && size <= 4)
		ret->imm = signed_at(code + at, size);
	ret->is_relative = what & RELATIVE;
	ret->length = at + size;
	return true;
}

bool decode_frequent_x86_64(const uint8_t *code, size_t room, struct insn *ret)
{
	uint8_t bytes[LOOKED_AT] = { 0 };
	if (room >= LOOKED_AT)
		return decode_few(code, ret) && ret->length <= LONGEST;
	memcpy(bytes, code, room);
	return decode_few(bytes, ret) && ret->length <= LONGEST && ret->length <= room;
}

static ZydisDecoder decoder;
static pthread_once_t decoder_once = PTHREAD_ONCE_INIT;

static void decoder_init(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	/* Lengths and raw fields only: twice as fast, and planning is start-up time. */
	ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
}

static bool has_lock(const ZydisDecodedInstruction *insn)
{
	for (int i = 0; i < insn->raw.prefix_count; i++)
		if (insn->raw.prefixes[i].value == PREFIX_LOCK)
			return true;
	return false;
}

static enum insn_map map_of(const ZydisDecodedInstruction *insn)
{
	return insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT ? MAP_DEFAULT
	       : insn->opcode_map == ZYDIS_OPCODE_MAP_0F    ? MAP_0F
							    : MAP_OTHER;
}

bool decode_any_x86_64(const uint8_t *code, size_t room, struct insn *ret)
{
	ZydisDecodedInstruction insn;
	pthread_once(&decoder_once, decoder_init);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code, room, &insn)))
		return false;
	*ret = (struct insn){
		.length = insn.length,
		.map = map_of(&insn),
		.opcode = insn.opcode,
		.has_lock = has_lock(&insn),
		.has_modrm = insn.attributes & ZYDIS_ATTRIB_HAS_MODRM,
		.has_sib = insn.attributes & ZYDIS_ATTRIB_HAS_SIB,
		.rex_r = insn.raw.rex.R,
		.rex_x = insn.raw.rex.X,
		.rex_b = insn.raw.rex.B,
		.mod = insn.raw.modrm.mod,
		.reg = insn.raw.modrm.reg,
		.rm = insn.raw.modrm.rm,
		.scale = insn.raw.sib.scale,
		.index = insn.raw.sib.index,
		.base = insn.raw.sib.base,
		.modrm_off = insn.raw.modrm.offset,
		.disp_off = insn.raw.disp.offset,
		.disp_bits = insn.raw.disp.size,
		.is_relative = insn.raw.imm[0].is_relative,
		.disp = insn.raw.disp.value,
		.imm = insn.raw.imm[0].value.s,
	};
	return true;
}

bool decode_x86_64(const uint8_t *code, size_t room, struct insn *ret)
{
	return decode_frequent_x86_64(code, room, ret) || decode_any_x86_64(code, room, ret);
}
