/* SPDX-License-Identifier: Apache-2.0 */
/* What code does with registers, up to where it does not simply go on. */
#include "arch/test_arch.h"

enum { RAX = 0, RDX = 1, RCX = 2, RSI = 4, RDI = 5, XMM0 = 17 };

static struct fc_reg_uses uses_of(const uint8_t *code, size_t size)
{
	struct fc_reg_uses ret;
	arch->abi->reg_uses(code, size, &ret);
	return ret;
}

#define USES(...)                                                                              \
	uses_of((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static bool has(uint64_t regs, unsigned reg)
{
	return regs >> reg & 1;
}

static void what_is_read_first_is_told_up_to_a_call(void **state)
{
	struct fc_reg_uses uses =
		USES(0x48, 0x83, 0xec, 0x28,	      /* sub $0x28,%rsp */
		     0x40, 0x88, 0x74, 0x24, 0x18,    /* mov %sil,0x18(%rsp) */
		     0xf3, 0x0f, 0x11, 0x44, 0x24, 4, /* movss %xmm0,4(%rsp) */
		     0x48, 0x8d, 0x7c, 0x24, 3,	      /* lea 3(%rsp),%rdi */
		     0x89, 0xf9,		      /* mov %edi,%ecx */
		     0xe8, 0, 0, 0, 0,		      /* call */
		     0x89, 0xd0);		      /* mov %edx,%eax */
	assert_true(has(uses.read, RSI) && has(uses.read, XMM0));
	assert_false(has(uses.read, RDI)); /* it was written before */
	assert_false(has(uses.read, RDX)); /* behind the call */
	assert_true(has(uses.written, RDI) && has(uses.written, RCX));
	assert_false(has(uses.written, RSI));
	assert_int_equal(uses.size, 22);
}

static void what_is_cleared_or_pushed_is_not_read(void **state)
{
	struct fc_reg_uses uses = USES(0x57,		       /* push %rdi */
				       0x31, 0xc0,	       /* xor %eax,%eax */
				       0x66, 0x0f, 0x76, 0xc0, /* pcmpeqd %xmm0,%xmm0 */
				       0x89, 0xc2);	       /* mov %eax,%edx */
	assert_false(has(uses.read, RDI) || has(uses.read, RAX) || has(uses.read, XMM0));
	assert_true(has(uses.written, RAX) && has(uses.written, XMM0));
}

static void a_base_of_memory_is_read(void **state)
{
	assert_true(has(USES(0x8b, 0x04, 0x37).read, RDI)); /* mov (%rdi,%rsi),%eax */
	assert_true(has(USES(0x8b, 0x04, 0x37).read, RSI));
}

static void bytes_that_are_no_instruction_end_it(void **state)
{
	assert_int_equal(USES(0x89, 0xf9, 0x06).size, 2);
	assert_int_equal(USES(0x48, 0x8d).size, 0);
}

static void the_widest_vector_is_found_behind_calls_too(void **state)
{
	const uint8_t code[] = { 0xe8, 0, 0, 0, 0, 0xc5, 0xfc, 0x29, 0x07 }; /* vmovaps %ymm0 */
	assert_int_equal(arch->abi->widest_vector(code, sizeof(code)), 32);
	assert_int_equal(arch->abi->widest_vector(code, 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_first_is_told_up_to_a_call),
		cmocka_unit_test(what_is_cleared_or_pushed_is_not_read),
		cmocka_unit_test(a_base_of_memory_is_read),
		cmocka_unit_test(bytes_that_are_no_instruction_end_it),
		cmocka_unit_test(the_widest_vector_is_found_behind_calls_too),
	};
	return cmocka_run_group_tests_name("arch: uses", tests, NULL, NULL);
}
