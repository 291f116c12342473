/* SPDX-License-Identifier: Apache-2.0 */
/* What is decoded by our own tables is what Zydis says of it. */
#include "arch/test_arch.h"

#include "arch/x86_64/decode_x86_64.h"
#include "rounds.h"

static const struct {
	uint8_t size, bytes[6];
} prefixes[] = {
	{ 0, { 0 } },
	{ 1, { 0x66 } },
	{ 1, { 0xf2 } },
	{ 1, { 0xf3 } },
	{ 1, { 0x2e } },
	{ 1, { 0x3e } },
	{ 1, { 0x64 } },
	{ 1, { 0x65 } },
	{ 1, { 0xf0 } },
	{ 1, { 0x67 } },
	{ 2, { 0x66, 0x66 } },
	{ 2, { 0x66, 0x2e } },
	{ 2, { 0x2e, 0x66 } },
	{ 2, { 0x64, 0x66 } },
	{ 2, { 0x64, 0xf2 } },
	{ 2, { 0x64, 0xf3 } },
	{ 2, { 0x66, 0xf2 } },
	{ 2, { 0x66, 0xf3 } },
	{ 2, { 0xf2, 0x66 } },
	{ 2, { 0xf3, 0x66 } },
	{ 2, { 0x48, 0x66 } },
	{ 5, { 0x66, 0x66, 0x66, 0x66, 0x2e } },
	{ 6, { 0x66, 0x66, 0x66, 0x66, 0x66, 0x2e } },
};

static const uint8_t rex[] = { 0, 0x40, 0x41, 0x42, 0x44, 0x48, 0x4f };

static void expect_same(const struct insn *ours, const struct insn *theirs)
{
	bool has_distance =
		ours->is_relative ||
		(ours->map == MAP_DEFAULT && (ours->opcode == 0x81 || ours->opcode == 0x83));
	assert_int_equal(ours->length, theirs->length);
	assert_int_equal(ours->map, theirs->map);
	assert_int_equal(ours->opcode, theirs->opcode);
	assert_int_equal(ours->has_lock, theirs->has_lock);
	assert_int_equal(ours->has_modrm, theirs->has_modrm);
	assert_int_equal(ours->has_sib, theirs->has_sib);
	assert_int_equal(ours->rex_r, theirs->rex_r);
	assert_int_equal(ours->rex_x, theirs->rex_x);
	assert_int_equal(ours->rex_b, theirs->rex_b);
	assert_int_equal(ours->mod, theirs->mod);
	assert_int_equal(ours->reg, theirs->reg);
	assert_int_equal(ours->rm, theirs->rm);
	assert_int_equal(ours->scale, theirs->scale);
	assert_int_equal(ours->index, theirs->index);
	assert_int_equal(ours->base, theirs->base);
	assert_int_equal(ours->modrm_off, theirs->modrm_off);
	assert_int_equal(ours->disp_off, theirs->disp_off);
	assert_int_equal(ours->disp_bits, theirs->disp_bits);
	assert_int_equal(ours->is_relative, theirs->is_relative);
	assert_int_equal(ours->disp, theirs->disp);
	if (has_distance)
		assert_int_equal(ours->imm, theirs->imm);
}

/* 1: our tables know it. */
static size_t compare(const uint8_t *code, size_t room)
{
	struct insn ours, theirs;
	if (!decode_frequent_x86_64(code, room, &ours))
		return 0;
	if (!decode_any_x86_64(code, room, &theirs))
		fail_msg("no instruction: %02x %02x %02x %02x %02x %02x %02x %02x", code[0],
			 code[1], code[2], code[3], code[4], code[5], code[6], code[7]);
	expect_same(&ours, &theirs);
	return 1;
}

static size_t compare_modrms(uint8_t *code, size_t at, size_t size)
{
	size_t nr = 0;
	for (int modrm = 0; modrm < 256; modrm++) {
		bool has_sib = modrm < 0xc0 && (modrm & 7) == 4;
		code[at] = modrm;
		for (int sib = 0; sib < 256; sib += has_sib ? rounds(17, 5) : 256) {
			code[at + 1] = has_sib ? sib : 0x85;
			nr += compare(code, size);
		}
	}
	return nr;
}

static size_t compare_opcodes(uint8_t *code, size_t at, size_t size)
{
	size_t nr = 0;
	for (int op = 0; op < 256; op++) {
		code[at] = op;
		if (op == 0x0f)
			continue;
		nr += compare_modrms(code, at + 1, size);
	}
	for (int op = 0; op < 256; op++) {
		code[at] = 0x0f;
		code[at + 1] = op;
		nr += compare_modrms(code, at + 2, size);
	}
	return nr;
}

static void all_that_the_tables_know_is_as_zydis_says(void **state)
{
	(void)state;
	size_t nr = 0;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		for (size_t k = 0; k < sizeof(rex); k++) {
			uint8_t code[40];
			size_t at = prefixes[i].size;
			for (size_t b = 0; b < sizeof(code); b++)
				code[b] = 0x81 + 7 * b;
			memcpy(code, prefixes[i].bytes, at);
			code[at] = rex[k];
			nr += compare_opcodes(code, at + (rex[k] != 0), sizeof(code));
		}
	}
	assert_in_range(nr, 1000000, 100000000);
}

static void an_instruction_that_is_cut_off_is_none(void **state)
{
	(void)state;
	static const uint8_t code[] = { 0x48, 0x81, 0x84, 0x24, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct insn insn;
	assert_true(decode_x86_64(code, sizeof(code), &insn));
	assert_int_equal(insn.length, sizeof(code));
	for (size_t room = 0; room < sizeof(code); room++) {
		/* What lies behind the room is not read. */
		uint8_t *copy = fc_alloc(room + 1);
		memcpy(copy, code, room);
		copy = fc_realloc(copy, room ? room : 1);
		assert_false(decode_x86_64(copy, room, &insn));
		free(copy);
	}
}

/* Of real code our tables know nearly all: that is what they are for. */
static void nearly_all_of_a_library_is_known(void **state)
{
	(void)state;
	struct fc_elf *elf;
	size_t known = 0, all = 0, nr;
	if (fc_elf_open("/lib/x86_64-linux-gnu/libc.so.6", "libc", &elf))
		skip();
	const struct fc_code_range *range = fc_elf_code(elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		const uint8_t *code = fc_elf_bytes(elf, range[i].vaddr, range[i].size);
		for (size_t off = 0; code && off < range[i].size; all++) {
			size_t room = range[i].size - off;
			struct insn insn = { .length = 1 };
			known += compare(code + off, room);
			off += decode_any_x86_64(code + off, room, &insn) ? insn.length : 1;
		}
	}
	fc_elf_close(elf);
	assert_in_range(known, all / 10 * 8, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_the_tables_know_is_as_zydis_says),
		cmocka_unit_test(an_instruction_that_is_cut_off_is_none),
		cmocka_unit_test(nearly_all_of_a_library_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
