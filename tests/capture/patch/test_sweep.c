/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is decoded in pieces, by several threads, is the same as decoded in a row. */
#include "arch/test_arch.h"

#include "capture/patch/sweep.h"

enum { SIZE = 256 << 10, VADDR = 0x401010 };

static struct fc_swept sweep(const uint8_t *code, size_t size, size_t piece_size)
{
	size_t words = (size + 63) / 64 + 1;
	struct fc_swept swept = {
		.insns = { VADDR & ~63, size + 64, fc_alloc(8 * (words + 1)) },
		.fresh = { VADDR & ~63, size + 64, fc_alloc(8 * (words + 1)) },
	};
	fc_sweep(arch, code, VADDR, VADDR + size, piece_size, NULL, &swept);
	return swept;
}

static void free_swept(struct fc_swept *swept)
{
	free(swept->insns.bits);
	free(swept->fresh.bits);
	fc_vec_free(&swept->tables);
}

static void expect_same_in_pieces(const uint8_t *code, size_t size)
{
	static const size_t pieces[] = { 64, 100, 4096, 65536 };
	struct fc_swept whole = sweep(code, size, size);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct fc_swept parts = sweep(code, size, pieces[i]);
		size_t bytes = (size + 63) / 64 * 8;
		assert_memory_equal(whole.insns.bits, parts.insns.bits, bytes);
		assert_memory_equal(whole.fresh.bits, parts.fresh.bits, bytes);
		assert_int_equal(whole.nr_elsewhere, parts.nr_elsewhere);
		assert_int_equal(whole.tables.nr, parts.tables.nr);
		if (whole.tables.nr)
			assert_memory_equal(whole.tables.at, parts.tables.at,
					    8 * whole.tables.nr);
		free_swept(&parts);
	}
	free_swept(&whole);
}

static size_t nr_set(const struct fc_targets *targets)
{
	size_t nr = 0;
	for (size_t i = 0; i < targets->size / 64; i++)
		nr += __builtin_popcountll(targets->bits[i]);
	return nr;
}

static void real_code_is_the_same_in_pieces(void **state)
{
	(void)state;
	struct fc_elf *elf;
	size_t nr;
	if (fc_elf_open("/lib/x86_64-linux-gnu/libc.so.6", "libc", &elf))
		skip();
	const struct fc_code_range *range = fc_elf_code(elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		const uint8_t *code = fc_elf_bytes(elf, range[i].vaddr, range[i].size);
		if (code)
			expect_same_in_pieces(code,
					      range[i].size < SIZE ? range[i].size : SIZE);
	}
	fc_elf_close(elf);
}

static void any_bytes_are_the_same_in_pieces(void **state)
{
	(void)state;
	fc_auto_free uint8_t *bytes = fc_alloc(SIZE);
	uint32_t seed = 1;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (seed = seed * 1664525 + 1013904223) >> 24;
	expect_same_in_pieces(bytes, SIZE);
}

/* movabs $0xb848b848b848b848, %rax: who begins wrong here never goes right. */
static void decoding_that_never_goes_right_is_done_again(void **state)
{
	(void)state;
	fc_auto_free uint8_t *bytes = fc_alloc(SIZE);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = i % 2 ? 0xb8 : 0x48;
	struct fc_swept whole = sweep(bytes, SIZE, SIZE);
	assert_int_equal(nr_set(&whole.insns), SIZE / 10);
	free_swept(&whole);
	expect_same_in_pieces(bytes, SIZE);
}

static void returns_to_what_was_pushed_and_tables_are_each_told_once(void **state)
{
	(void)state;
	static const uint8_t code[] = { 0x50, 0xc3, 0xff, 0x24, 0xc5, 0x00, 0x10, 0x40, 0 };
	fc_auto_free uint8_t *bytes = fc_alloc(SIZE);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = code[i % sizeof(code)];
	struct fc_swept whole = sweep(bytes, SIZE, SIZE);
	assert_in_range(whole.nr_elsewhere, SIZE / sizeof(code) - 1, SIZE / sizeof(code) + 1);
	assert_in_range(whole.tables.nr, SIZE / sizeof(code) - 1, SIZE / sizeof(code) + 1);
	assert_int_equal(whole.tables.at[0], 0x401000);
	free_swept(&whole);
	expect_same_in_pieces(bytes, SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_code_is_the_same_in_pieces),
		cmocka_unit_test(any_bytes_are_the_same_in_pieces),
		cmocka_unit_test(decoding_that_never_goes_right_is_done_again),
		cmocka_unit_test(returns_to_what_was_pushed_and_tables_are_each_told_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
