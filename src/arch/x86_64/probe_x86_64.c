/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe_x86_64.c - the arguments of a static probe: reads where they are, and emits the code that puts them on
 * the stack, a word each, where the arguments of a call would be.
 *
 * Nothing is loaded: of what is in memory the word is its address, and the agent looks whether it can be read.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/x86_64/x86_64.h"
#include "base/little.h"
#include "capture/agent/stub_x86_64.h"

enum { RAX = 0, RSP = 4, NR_VECTORS = 8 };

/* ---- to read them ---- */

/* In the order of their numbers: with 64, 32, 16 and 8 bits. */
static const char *const registers[][4] = {
	{ "rax", "eax", "ax", "al" },	   { "rcx", "ecx", "cx", "cl" },
	{ "rdx", "edx", "dx", "dl" },	   { "rbx", "ebx", "bx", "bl" },
	{ "rsp", "esp", "sp", "spl" },	   { "rbp", "ebp", "bp", "bpl" },
	{ "rsi", "esi", "si", "sil" },	   { "rdi", "edi", "di", "dil" },
	{ "r8", "r8d", "r8w", "r8b" },	   { "r9", "r9d", "r9w", "r9b" },
	{ "r10", "r10d", "r10w", "r10b" }, { "r11", "r11d", "r11w", "r11b" },
	{ "r12", "r12d", "r12w", "r12b" }, { "r13", "r13d", "r13w", "r13b" },
	{ "r14", "r14d", "r14w", "r14b" }, { "r15", "r15d", "r15w", "r15b" },
};

static bool is_word(const char *at, size_t size, const char *word)
{
	return strlen(word) == size && !memcmp(at, word, size);
}

/* "%rdi", behind which *at then is. is_whole: 64 bits. */
static bool take_register(const char **at, bool *is_whole, uint8_t *ret)
{
	if (**at != '%')
		return false;
	const char *name = *at + 1;
	size_t size = 0;
	while (isalnum((unsigned char)name[size]))
		size++;
	for (uint8_t reg = 0; reg < sizeof(registers) / sizeof(registers[0]); reg++) {
		for (size_t width = 0; width < 4; width++) {
			if (!is_word(name, size, registers[reg][width]))
				continue;
			*is_whole = !width;
			*ret = reg;
			*at = name + size;
			return true;
		}
	}
	return false;
}

static bool take_vector(const char **at, uint8_t *ret)
{
	static const char prefix[] = "%xmm";
	size_t size = sizeof(prefix) - 1;
	if (strncmp(*at, prefix, size) || (*at)[size] < '0' || (*at)[size] >= '0' + NR_VECTORS)
		return false;
	*ret = (uint8_t)((*at)[size] - '0');
	*at += size + 1;
	return true;
}

/* "-0x10", or "8+16"; nothing is 0. False: it is no number. */
static bool take_number(const char **at, int64_t *ret)
{
	*ret = 0;
	while (**at && !strchr("(%, ", **at)) {
		char *end;
		if (!isdigit((unsigned char)**at) && **at != '-' && **at != '+')
			return false;
		uint64_t part = strtoull(*at, &end, 0);
		if (end == *at)
			return false;
		*ret = (int64_t)((uint64_t)*ret + part);
		*at = end;
	}
	return true;
}

/* "(%rax,%rbx,4)", each but the parentheses may be missing. */
static bool take_address(const char **at, struct fc_sdt_operand *ret)
{
	bool is_whole = true;
	(*at)++;
	if (**at == '%') {
		if (!take_register(at, &is_whole, &ret->reg) || !is_whole)
			return false;
		ret->has_base = true;
	}
	if (**at == ',') {
		(*at)++;
		if (!take_register(at, &is_whole, &ret->index) || !is_whole ||
		    ret->index == RSP)
			return false;
		ret->has_index = true;
	}
	if (**at == ',') {
		static const char scales[] = "1248";
		const char *scale = (*at)[1] ? strchr(scales, (*at)[1]) : NULL;
		if (!scale)
			return false;
		ret->scale = (uint8_t)(scale - scales);
		*at += 2;
	}
	return *(*at)++ == ')' && (ret->has_base || ret->has_index);
}

/* "name+8(%rip)", or "name": where is that? */
static bool take_symbol(const char **at, const struct fc_symbol_finder *finder,
			struct fc_sdt_operand *ret)
{
	static const char relative[] = "(%rip)";
	size_t size = strcspn(*at, "+-( ");
	char name[128];
	uint64_t vaddr;
	if (!size || size >= sizeof(name) || !finder)
		return false;
	memcpy(name, *at, size);
	name[size] = 0;
	*at += size;
	if (!take_number(at, &ret->value) || !finder->find(finder->ctx, name, &vaddr))
		return false;
	if (!strncmp(*at, relative, sizeof(relative) - 1))
		*at += sizeof(relative) - 1;
	ret->value = (int64_t)((uint64_t)ret->value + vaddr);
	ret->is_vaddr = true;
	return true;
}

static bool take_place(const char **at, const struct fc_symbol_finder *finder,
		       struct fc_sdt_operand *ret)
{
	bool is_whole;
	if (**at == '$') {
		(*at)++;
		ret->kind = FC_SDT_NUMBER;
		return take_number(at, &ret->value);
	}
	if (take_vector(at, &ret->reg)) {
		ret->kind = FC_SDT_VECTOR;
		return ret->is_float;
	}
	if (**at == '%') {
		ret->kind = FC_SDT_REGISTER;
		return take_register(at, &is_whole, &ret->reg);
	}
	ret->kind = FC_SDT_MEMORY;
	if (isalpha((unsigned char)**at) || **at == '_' || **at == '.')
		return take_symbol(at, finder, ret);
	if (!take_number(at, &ret->value) || **at != '(' ||
	    ret->value != (int64_t)(int32_t)ret->value)
		return false;
	return take_address(at, ret);
}

/* "-4", "8", "4f", and the '@' behind it; without it, of a word. */
static bool take_size(const char **at, struct fc_sdt_operand *ret)
{
	const char *sign = strchr(*at, '@');
	ret->size = 8;
	if (!sign || sign - *at > 3)
		return true;
	ret->is_signed = **at == '-';
	*at += ret->is_signed;
	if (!strchr("1248", **at) || !**at)
		return false;
	ret->size = (uint8_t)(*(*at)++ - '0');
	if (**at == 'f') {
		ret->is_float = true;
		(*at)++;
	}
	return *(*at)++ == '@';
}

size_t probe_operands_x86_64(const char *args, const struct fc_symbol_finder *finder,
			     struct fc_sdt_operand ret[FC_MAX_SDT_OPERANDS])
{
	size_t nr = 0;
	while (nr < FC_MAX_SDT_OPERANDS) {
		args += strspn(args, " ");
		if (!*args)
			break;
		struct fc_sdt_operand operand = { 0 };
		const char *at = args;
		bool is_known = take_size(&at, &operand) && take_place(&at, finder, &operand) &&
				(!*at || *at == ' ');
		if (!is_known)
			operand = (struct fc_sdt_operand){ .size = 8 };
		ret[nr++] = operand;
		args += strcspn(args, " ");
	}
	return nr;
}

/* ---- to have them on the stack ---- */

struct gathering {
	uint8_t *at;
	size_t size;
	uint64_t taddr; /* of at[0] */
	int64_t bias;
	uint32_t room; /* bytes of the words, and of rax */
	bool is_rax_lost;
	bool is_far; /* something is out of reach */
};

static void put(struct gathering *g, const uint8_t *bytes, size_t nr)
{
	memcpy(g->at + g->size, bytes, nr);
	g->size += nr;
}

#define PUT(g, ...)                                                                            \
	put((g), (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void put_32(struct gathering *g, uint32_t value)
{
	fc_put_32(g->at + g->size, value);
	g->size += sizeof(value);
}

enum { REX_W = 0x48, REX_R = 4, REX_X = 2, REX_B = 1 };

/* mov %reg,off(%rsp), or the other way */
static void put_mov(struct gathering *g, uint8_t opcode, uint8_t reg, uint32_t off)
{
	PUT(g, REX_W | (reg >= 8 ? REX_R : 0), opcode, 0x84 | (reg & 7) << 3, 0x24);
	put_32(g, off);
}

static void store(struct gathering *g, uint8_t reg, uint32_t off)
{
	put_mov(g, 0x89, reg, off);
}

static void take_back_rax(struct gathering *g)
{
	if (g->is_rax_lost)
		put_mov(g, 0x8b, RAX, g->room - 8);
	g->is_rax_lost = false;
}

/* lea value(%rip),%rax */
static void load_vaddr(struct gathering *g, int64_t vaddr)
{
	PUT(g, REX_W, 0x8d, 0x05);
	int64_t off = vaddr + g->bias - (int64_t)(g->taddr + g->size + 4);
	g->is_far |= off != (int64_t)(int32_t)off;
	put_32(g, (uint32_t)off);
}

/* lea value(reg,index,scale),%rax */
static void load_address(struct gathering *g, const struct fc_sdt_operand *operand)
{
	enum { NO_INDEX = 4, NO_BASE = 5, MOD_DISP32 = 0x80 };
	int64_t value = operand->value;
	if (operand->is_vaddr) {
		load_vaddr(g, value);
		return;
	}
	if (operand->has_base && operand->reg == RSP)
		value += g->room + 8 + PROBE_RED_ZONE;
	g->is_far |= value != (int64_t)(int32_t)value;
	uint8_t index = operand->has_index ? operand->index : NO_INDEX;
	uint8_t base = operand->has_base ? operand->reg : NO_BASE;
	PUT(g, REX_W | (index >= 8 ? REX_X : 0) | (base >= 8 ? REX_B : 0), 0x8d,
	    (operand->has_base ? MOD_DISP32 : 0) | 4,
	    (uint8_t)(operand->scale << 6 | (index & 7) << 3 | (base & 7)));
	put_32(g, (uint32_t)value);
}

/* movabs $value,%rax */
static void load_number(struct gathering *g, int64_t value)
{
	PUT(g, REX_W, 0xb8);
	fc_put_64(g->at + g->size, (uint64_t)value);
	g->size += 8;
}

static void gather(struct gathering *g, const struct fc_sdt_operand *operand, uint32_t off)
{
	switch ((enum fc_sdt_operand_kind)operand->kind) {
	case FC_SDT_UNKNOWN:
	case FC_SDT_VECTOR:
		return;
	case FC_SDT_REGISTER:
		if (operand->reg == RAX)
			take_back_rax(g);
		if (operand->reg != RSP) {
			store(g, operand->reg, off);
			return;
		}
		load_address(g, &(struct fc_sdt_operand){ .reg = RSP, .has_base = true });
		break;
	case FC_SDT_MEMORY:
		take_back_rax(g);
		load_address(g, operand);
		break;
	case FC_SDT_NUMBER:
		load_number(g, operand->value);
		break;
	}
	g->is_rax_lost = true;
	store(g, RAX, off);
}

size_t emit_gathering_x86_64(const struct fc_stub *stub, uint64_t taddr, uint8_t *ret)
{
	struct gathering g = {
		.at = ret,
		.taddr = taddr,
		.bias = (int64_t)stub->bias,
		.room = probe_room_x86_64(stub),
	};
	for (uint8_t i = 0; i < stub->nr_operands; i++)
		gather(&g, &stub->operands[i], i * 8u);
	take_back_rax(&g);
	return g.is_far ? SIZE_MAX : g.size;
}

void place_operand_x86_64(const struct fc_sdt_operand *operand, uint8_t i,
			  struct fc_location *ret)
{
	enum { XMM0_IS = 17, SLOT = 8 };
	*ret = (struct fc_location){ .is_absent = operand->kind == FC_SDT_UNKNOWN };
	if (ret->is_absent)
		return;
	bool is_memory = operand->kind == FC_SDT_MEMORY;
	ret->nr = 1;
	ret->is_address = is_memory;
	ret->piece[0] = (struct fc_piece){ .kind = FC_PIECE_STACK,
					   .size = is_memory ? 8 : operand->size,
					   .off = SLOT + i * 8 };
	if (operand->kind == FC_SDT_VECTOR)
		ret->piece[0] = (struct fc_piece){ .kind = FC_PIECE_VECTOR,
						   .reg = XMM0_IS + operand->reg,
						   .size = operand->size };
}
