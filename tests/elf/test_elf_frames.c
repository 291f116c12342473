/* SPDX-License-Identifier: Apache-2.0 */
/* What the first row of an FDE says: frames byte by byte, in a file of nothing else. */
#include "elf/test_elf.h"

#include <dwarf.h>
#include <elf.h>

#include "elf/ehframe.h"
#include "elf/image.h"

#define VADDR 0x10000

/* .eh_frame under construction, at VADDR. */
struct frames {
	uint8_t bytes[512];
	size_t size;
};

static void put(struct frames *f, uint64_t value, size_t size)
{
	memcpy(f->bytes + f->size, &value, size);
	f->size += size;
}

/* An entry: its id and bytes behind a length. Returns where it starts. */
static size_t put_entry(struct frames *f, uint32_t id, const void *bytes, size_t size)
{
	size_t start = f->size;
	put(f, 4 + size, 4);
	put(f, id, 4);
	memcpy(f->bytes + f->size, bytes, size);
	f->size += size;
	return start;
}

/* version 1, "zR", code 1, data -8, return address 16, pcrel sdata4; CFA = rsp+8, ra
 * saved */
static const uint8_t plain_cie[] = { 1, 'z',  'R',  0, 1, 0x78, 16,
				     1, 0x1b, 0x0c, 7, 8, 0x90, 1 };

/* An FDE of cie at vaddr with these instructions. */
static void put_fde(struct frames *f, size_t cie, int32_t vaddr, const uint8_t *code,
		    size_t code_size)
{
	uint8_t bytes[64];
	int32_t from = vaddr - (VADDR + (int32_t)f->size + 8);
	uint32_t size = 0x20;
	memcpy(bytes, &from, 4);
	memcpy(bytes + 4, &size, 4);
	bytes[8] = 0; /* augmentation data */
	memcpy(bytes + 9, code, code_size);
	put_entry(f, f->size + 4 - cie, bytes, 9 + code_size);
}

static struct fc_ehframe reader(const struct frames *f)
{
	return (struct fc_ehframe){
		.machine = EM_X86_64,
		.start = f->bytes,
		.at = f->bytes,
		.end = f->bytes + f->size,
		.vaddr = VADDR,
	};
}

static struct fc_fde only_fde(const struct frames *f)
{
	struct fc_ehframe frames = reader(f);
	struct fc_fde fde, other;
	assert_true(fc_ehframe_next(&frames, &fde));
	assert_false(fc_ehframe_next(&frames, &other));
	return fde;
}

static struct fc_fde plain_fde(const uint8_t *code, size_t size)
{
	struct frames f = { 0 };
	size_t cie = put_entry(&f, 0, plain_cie, sizeof(plain_cie));
	put_fde(&f, cie, VADDR - 0x1000, code, size);
	struct fc_fde fde = only_fde(&f);
	assert_int_equal(fde.vaddr, VADDR - 0x1000);
	assert_int_equal(fde.size, 0x20);
	assert_false(fde.is_signal);
	return fde;
}

#define FDE(...)                                                                         \
	plain_fde((const uint8_t[]){ __VA_ARGS__ },                                      \
		  sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void what_comes_after_the_first_row_does_not_matter(void **state)
{
	assert_true(FDE(DW_CFA_nop).is_entry);
	assert_true(
		FDE(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, 0x86, 2).is_entry);
	assert_true(FDE(DW_CFA_advance_loc1, 1, DW_CFA_undefined, 16).is_entry);
	assert_true(FDE(DW_CFA_advance_loc1, 1, DW_CFA_undefined, 16).has_return_address);
}

static void a_row_with_something_saved_is_no_entry(void **state)
{
	assert_false(FDE(DW_CFA_def_cfa_offset, 16).is_entry);
	assert_false(FDE(DW_CFA_def_cfa, 6, 16).is_entry);
	assert_false(FDE(0x86, 2).is_entry); /* rbp at CFA-16 */
	assert_false(FDE(DW_CFA_def_cfa_expression, 2, 0x77, 8).is_entry);
	assert_false(FDE(DW_CFA_register, 16, 3).is_entry);
	assert_false(
		FDE(DW_CFA_advance_loc, 0x86, 2).is_entry); /* an advance by nothing */
	assert_true(FDE(DW_CFA_GNU_args_size, 0, DW_CFA_same_value, 3).is_entry);
}

static void an_undefined_return_address_is_told(void **state)
{
	assert_false(FDE(DW_CFA_undefined, 16).has_return_address);
	assert_true(FDE(DW_CFA_undefined, 3).has_return_address);
}

static void addresses_are_read_in_each_encoding(void **state)
{
	static const uint8_t absolute[] = {
		1, 'z', 'R', 0, 1, 0x78, 16, 1, DW_EH_PE_absptr, 0x0c, 7, 8, 0x90, 1
	};
	static const uint8_t udata4[] = {
		3, 'z', 'R', 0, 1, 0x78, 16, 1, DW_EH_PE_udata4, 0x0c, 7, 8, 0x90, 1
	};
	struct frames f = { 0 };
	uint64_t wide[3] = { 0x123456789a, 0x40, 0 };
	size_t cie = put_entry(&f, 0, absolute, sizeof(absolute));
	put_entry(&f, f.size + 4 - cie, wide, 17);
	assert_int_equal(only_fde(&f).vaddr, 0x123456789a);
	assert_int_equal(only_fde(&f).size, 0x40);

	uint32_t narrow[3] = { 0x89abcdef, 0x50, 0 };
	f.size = 0;
	cie = put_entry(&f, 0, udata4, sizeof(udata4));
	put_entry(&f, f.size + 4 - cie, narrow, 9);
	assert_int_equal(only_fde(&f).vaddr, 0x89abcdef);
	assert_int_equal(only_fde(&f).size, 0x50);
	assert_true(only_fde(&f).is_entry);
}

/* "zPLRS" with a personality routine of 4 bytes, and 'S': a signal frame. */
static void the_letters_of_the_augmentation_are_read(void **state)
{
	static const uint8_t signal_cie[] = { 1,    'z',  'P',	'L',  'R', 'S',	 0, 1,
					      0x78, 16,	  7,	0x1b, 1,   2,	 3, 4,
					      0x1b, 0x1b, 0x0c, 7,    8,   0x90, 1 };
	struct frames f = { 0 };
	size_t cie = put_entry(&f, 0, signal_cie, sizeof(signal_cie));
	put_fde(&f, cie, VADDR + 0x100, (const uint8_t[]){ 0 }, 1);
	assert_true(only_fde(&f).is_signal);
	assert_int_equal(only_fde(&f).vaddr, VADDR + 0x100);
}

static void lengths_of_64_bits_are_read(void **state)
{
	struct frames f = { 0 };
	put(&f, 0xffffffff, 4);
	put(&f, 4 + sizeof(plain_cie), 8);
	put(&f, 0, 4);
	memcpy(f.bytes + f.size, plain_cie, sizeof(plain_cie));
	f.size += sizeof(plain_cie);
	put_fde(&f, 0, 0x500, (const uint8_t[]){ 0 }, 1);
	assert_int_equal(only_fde(&f).vaddr, 0x500);
}

/* One FDE that cannot be read does not hide the others. */
static void an_fde_without_a_cie_is_left_out(void **state)
{
	struct frames f = { 0 };
	size_t cie = put_entry(&f, 0, plain_cie, sizeof(plain_cie));
	put_fde(&f, cie - 4, 0x100, (const uint8_t[]){ 0 }, 1);
	put_fde(&f, f.size - 400, 0x200, (const uint8_t[]){ 0 }, 1);
	put_fde(&f, cie, 0x300, (const uint8_t[]){ 0 }, 1);
	assert_int_equal(only_fde(&f).vaddr, 0x300);
}

static void frames_end_at_the_zero_length_or_where_they_are_cut(void **state)
{
	struct frames f = { 0 };
	size_t cie = put_entry(&f, 0, plain_cie, sizeof(plain_cie));
	put_fde(&f, cie, 0x100, (const uint8_t[]){ 0 }, 1);
	size_t end = f.size;
	put_fde(&f, cie, 0x200, (const uint8_t[]){ 0 }, 1);
	for (f.size--; f.size > end; f.size--)
		assert_int_equal(only_fde(&f).vaddr, 0x100);
	put(&f, 0, 4);
	put_fde(&f, cie, 0x200, (const uint8_t[]){ 0 }, 1);
	assert_int_equal(only_fde(&f).vaddr, 0x100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_after_the_first_row_does_not_matter),
		cmocka_unit_test(a_row_with_something_saved_is_no_entry),
		cmocka_unit_test(an_undefined_return_address_is_told),
		cmocka_unit_test(addresses_are_read_in_each_encoding),
		cmocka_unit_test(the_letters_of_the_augmentation_are_read),
		cmocka_unit_test(lengths_of_64_bits_are_read),
		cmocka_unit_test(an_fde_without_a_cie_is_left_out),
		cmocka_unit_test(frames_end_at_the_zero_length_or_where_they_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
