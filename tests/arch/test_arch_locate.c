/* SPDX-License-Identifier: Apache-2.0 */
/* Where parameters and results are, by the ABI's own examples and by its rules one by one. */
#include "arch/test_arch.h"

enum { RAX = 0, RDX = 1, RCX = 2, RSI = 4, RDI = 5, R8 = 8, R9 = 9, XMM0 = 17, ST0 = 33 };

#define SHAPE(bytes, alignment, compound, ...)                                                 \
	{                                                                                      \
		.size = (bytes), .align = (alignment), .is_compound = (compound),              \
		.leaves = (const struct fc_leaf[]){ __VA_ARGS__ },                             \
		.nr_leaves = sizeof((const struct fc_leaf[]){ __VA_ARGS__ }) /                 \
			     sizeof(struct fc_leaf)                                            \
	}
#define NUMBER(kind, size) SHAPE(size, size, false, { 0, size, kind })

#define INT	     NUMBER(FC_LEAF_INT, 4)
#define LONG	     NUMBER(FC_LEAF_INT, 8)
#define INT128	     NUMBER(FC_LEAF_INT, 16)
#define DOUBLE	     NUMBER(FC_LEAF_FLOAT, 8)
#define LONG_DOUBLE  NUMBER(FC_LEAF_LONG_DOUBLE, 16)
#define VECTOR(size) NUMBER(FC_LEAF_VECTOR, size)
#define VOID                                                                                   \
	{                                                                                      \
		0                                                                              \
	}

static const struct fc_shape nothing = VOID;

/* "rdi8", "rdi8 xmm0:4", "@rdi8" for an address, "+8:24" of the stack; "" is nowhere. */
static const char *words_of(const struct fc_location *at)
{
	static const char *const ints[] = {
		[RAX] = "rax", [RDX] = "rdx", [RCX] = "rcx", [RSI] = "rsi",
		[RDI] = "rdi", [R8] = "r8",   [R9] = "r9"
	};
	static char text[256];
	size_t nr = 0;
	text[0] = 0;
	for (unsigned i = 0; i < at->nr; i++) {
		const struct fc_piece *piece = &at->piece[i];
		nr += (size_t)sprintf(text + nr, "%s%s", i ? " " : "",
				      at->is_address ? "@" : "");
		if (piece->kind == FC_PIECE_INT)
			nr += (size_t)sprintf(text + nr, "%s", ints[piece->reg]);
		else if (piece->kind == FC_PIECE_VECTOR)
			nr += (size_t)sprintf(text + nr, "xmm%u", piece->reg - XMM0);
		else if (piece->kind == FC_PIECE_EXTENDED)
			nr += (size_t)sprintf(text + nr, "st%u", piece->reg - ST0);
		else
			nr += (size_t)sprintf(text + nr, "+%d", piece->off);
		nr += (size_t)sprintf(text + nr, ":%u", piece->size);
	}
	return text;
}

static void expect_params(const struct fc_shape *result, const struct fc_shape *params,
			  size_t nr, const char *const *texts)
{
	struct fc_location at[32], result_at;
	arch->abi->locate(result, params, nr, &result_at, at);
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(words_of(&at[i]), texts[i]);
}

static void expect_result(const struct fc_shape *shape, const char *text)
{
	struct fc_location at;
	arch->abi->locate(shape, NULL, 0, &at, NULL);
	assert_string_equal(words_of(&at), text);
}

/* e and f are on the stack, as is s: psABI 3.2.3, figures 3.5 and 3.6. */
static void the_example_of_the_abi_is_as_it_says(void **state)
{
	const struct fc_shape structparm =
		SHAPE(16, 8, true, { 0, 4, FC_LEAF_INT }, { 4, 4, FC_LEAF_INT },
		      { 8, 8, FC_LEAF_FLOAT });
	const struct fc_shape params[] = { INT,	   INT,		structparm, INT,
					   INT,	   LONG_DOUBLE, DOUBLE,	    VECTOR(32),
					   DOUBLE, INT,		INT,	    INT };
	static const char *const texts[] = { "rdi:4",  "rsi:4", "rdx:8 xmm0:8", "rcx:4",
					     "r8:4",   "+8:16", "xmm1:8",	"xmm2:32",
					     "xmm3:8", "r9:4",	"+24:4",	"+32:4" };
	expect_params(&nothing, params, 12, texts);
}

static void a_value_is_in_registers_or_on_the_stack_and_not_in_both(void **state)
{
	const struct fc_shape pair =
		SHAPE(16, 8, true, { 0, 8, FC_LEAF_INT }, { 8, 8, FC_LEAF_INT });
	const struct fc_shape params[] = { LONG, LONG, LONG, LONG, LONG, pair, LONG, INT128 };
	static const char *const texts[] = { "rdi:8", "rsi:8", "rdx:8", "rcx:8",
					     "r8:8",  "+8:16", "r9:8",	"+24:16" };
	expect_params(&nothing, params, 8, texts);
}

static void what_needs_16_or_more_is_aligned_on_the_stack(void **state)
{
	const struct fc_shape large = { .size = 65, .align = 1 };
	const struct fc_shape wide = { .size = 96, .align = 32 };
	const struct fc_shape params[] = { large, LONG_DOUBLE, large, wide };
	static const char *const texts[] = { "+8:65", "+88:16", "+104:65", "+200:96" };
	expect_params(&nothing, params, 4, texts);
}

static void a_result_in_memory_takes_the_first_register(void **state)
{
	const struct fc_shape large = { .size = 100, .align = 8, .is_compound = true };
	const struct fc_shape class = { .size = 1, .align = 1, .is_by_reference = true };
	const struct fc_shape params[] = { LONG, class, LONG };
	static const char *const texts[] = { "rsi:8", "@rdx:8", "rcx:8" };
	expect_params(&large, params, 3, texts);
	expect_params(&class, params, 3, texts);
	expect_result(&large, "@rax:8");
	expect_result(&class, "@rax:8");
}

static void results_are_where_their_classes_say(void **state)
{
	const struct {
		struct fc_shape shape;
		const char *text;
	} cases[] = {
		{ VOID, "" },
		{ NUMBER(FC_LEAF_INT, 1), "rax:1" },
		{ INT128, "rax:8 rdx:8" },
		{ NUMBER(FC_LEAF_FLOAT, 2), "xmm0:2" },
		{ NUMBER(FC_LEAF_FLOAT, 16), "xmm0:16" },
		{ VECTOR(64), "xmm0:64" },
		{ VECTOR(128), "@rax:8" },
		{ VECTOR(4), "rax:4" },
		{ LONG_DOUBLE, "st0:16" },
		/* _Complex float, double, long double; and a struct of that. */
		{ SHAPE(8, 4, false, { 0, 4, FC_LEAF_FLOAT }, { 4, 4, FC_LEAF_FLOAT }),
		  "xmm0:8" },
		{ SHAPE(16, 8, false, { 0, 8, FC_LEAF_FLOAT }, { 8, 8, FC_LEAF_FLOAT }),
		  "xmm0:8 xmm1:8" },
		{ SHAPE(32, 16, false, { 0, 16, FC_LEAF_LONG_DOUBLE },
			{ 16, 16, FC_LEAF_LONG_DOUBLE }),
		  "st0:16 st1:16" },
		{ SHAPE(32, 16, true, { 0, 16, FC_LEAF_LONG_DOUBLE },
			{ 16, 16, FC_LEAF_LONG_DOUBLE }),
		  "@rax:8" },
		/* { float; int; float }, { double; char; } */
		{ SHAPE(12, 4, true, { 0, 4, FC_LEAF_FLOAT }, { 4, 4, FC_LEAF_INT },
			{ 8, 4, FC_LEAF_FLOAT }),
		  "rax:8 xmm0:4" },
		{ SHAPE(16, 8, true, { 0, 8, FC_LEAF_FLOAT }, { 8, 1, FC_LEAF_INT }),
		  "xmm0:8 rax:8" },
		/* packed { char; int } */
		{ SHAPE(5, 1, true, { 0, 1, FC_LEAF_INT }, { 1, 4, FC_LEAF_INT }), "@rax:8" },
		/* unions of a long double: with an int, with a float, with two longs */
		{ SHAPE(16, 16, true, { 0, 16, FC_LEAF_LONG_DOUBLE }, { 0, 4, FC_LEAF_INT }),
		  "@rax:8" },
		{ SHAPE(16, 16, true, { 0, 16, FC_LEAF_LONG_DOUBLE }, { 0, 4, FC_LEAF_FLOAT }),
		  "@rax:8" },
		{ SHAPE(16, 16, true, { 0, 16, FC_LEAF_LONG_DOUBLE }, { 0, 8, FC_LEAF_INT },
			{ 8, 8, FC_LEAF_INT }),
		  "rax:8 rdx:8" },
		/* a union of a vector and a double behind it: no upper part any more */
		{ SHAPE(16, 16, true, { 0, 16, FC_LEAF_VECTOR }, { 8, 8, FC_LEAF_FLOAT }),
		  "xmm0:8 xmm1:8" },
		{ SHAPE(32, 16, true, { 0, 16, FC_LEAF_VECTOR }, { 16, 16, FC_LEAF_VECTOR }),
		  "@rax:8" },
		{ SHAPE(32, 32, true, { 0, 32, FC_LEAF_VECTOR }), "xmm0:32" },
		/* aligned(16) { int }: behind it is padding */
		{ SHAPE(16, 16, true, { 0, 4, FC_LEAF_INT }), "rax:8" },
		/* padding before it: no location can tell */
		{ SHAPE(16, 8, true, { 8, 8, FC_LEAF_INT }), "" },
		/* wrong: a leaf beyond the end */
		{ SHAPE(8, 8, true, { 8, 8, FC_LEAF_INT }), "@rax:8" },
		{ SHAPE(8, 8, true, { UINT32_MAX & -8u, 8, FC_LEAF_INT }), "@rax:8" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_result(&cases[i].shape, cases[i].text);
}

static void what_is_empty_is_nowhere_and_takes_nothing(void **state)
{
	const struct fc_shape empty_of_cxx = { .size = 1, .align = 1, .is_compound = true };
	const struct fc_shape params[] = { nothing, LONG, empty_of_cxx, DOUBLE };
	static const char *const texts[] = { "", "rdi:8", "", "xmm0:8" };
	expect_params(&empty_of_cxx, params, 4, texts);
	expect_result(&empty_of_cxx, "");
}

static void what_is_beyond_any_stack_is_nowhere(void **state)
{
	const struct fc_shape huge = { .size = UINT32_MAX, .align = 1 };
	const struct fc_shape half = { .size = INT32_MAX / 2, .align = 1 };
	const struct fc_shape params[] = { half, half, half, huge, huge, LONG_DOUBLE, LONG };
	static const char *const texts[] = { "+8:1073741823", "", "", "", "", "", "rdi:8" };
	expect_params(&nothing, params, 7, texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_of_the_abi_is_as_it_says),
		cmocka_unit_test(a_value_is_in_registers_or_on_the_stack_and_not_in_both),
		cmocka_unit_test(what_needs_16_or_more_is_aligned_on_the_stack),
		cmocka_unit_test(a_result_in_memory_takes_the_first_register),
		cmocka_unit_test(results_are_where_their_classes_say),
		cmocka_unit_test(what_is_empty_is_nowhere_and_takes_nothing),
		cmocka_unit_test(what_is_beyond_any_stack_is_nowhere),
	};
	return cmocka_run_group_tests_name("where parameters and results are, by the ABI",
					   tests, NULL, NULL);
}
