/* SPDX-License-Identifier: Apache-2.0 */
/* A value by itself, from the words of a mark: as SQL and JSON have it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "given.h"
#include "values/recorded.h"
#include "values/recorded_scalar.h"
#include "values/recorded_text.h"

static bool take(struct call *call, uint32_t i, struct fc_scalar *ret)
{
	struct fc_value_words args = { call->args, call->nr_args };
	struct fc_value_words result = { call->result, call->nr_result };
	return fc_values_arg(call->values, args, result, i, ret);
}

static void expect_number(struct call *call, uint32_t i, int64_t number)
{
	struct fc_scalar got;
	assert_true(take(call, i, &got));
	assert_int_equal(got.kind, FC_SCALAR_INT);
	assert_int_equal(got.number, number);
}

static void expect_text(struct call *call, uint32_t i, const char *text)
{
	struct fc_scalar got;
	assert_true(take(call, i, &got));
	assert_int_equal(got.kind, FC_SCALAR_TEXT);
	assert_string_equal(got.text.at, text);
	assert_int_equal(got.text.nr, strlen(text));
}

static void expect_real(struct call *call, uint32_t i, double real)
{
	struct fc_scalar got;
	assert_true(take(call, i, &got));
	assert_int_equal(got.kind, FC_SCALAR_FLOAT);
	assert_true(got.real == real);
}

static void expect_none(struct call *call, uint32_t i)
{
	struct fc_scalar got;
	assert_false(take(call, i, &got));
}

static void numbers_have_their_sign(void **state)
{
	struct call call;
	begin(&call,
	      "enum e { A = -3 }; int f(signed char a, unsigned char b, int c, unsigned d, "
	      "enum e e, _Bool g);",
	      NULL);
	give(&call, 0xff);
	give(&call, 0xff);
	give(&call, 0x80000000);
	give(&call, 0x80000000);
	give(&call, 0xfffffffd);
	give(&call, 1);
	expect_number(&call, 0, -1);
	expect_number(&call, 1, 255);
	expect_number(&call, 2, INT32_MIN);
	expect_number(&call, 3, 0x80000000);
	expect_number(&call, 4, -3);
	expect_number(&call, 5, 1);
	expect_none(&call, 6);
	end(&call);
	(void)state;
}

static void what_sql_cannot_count_is_text(void **state)
{
	struct call call;
	begin(&call, "int f(long a, unsigned long b, unsigned long c);", NULL);
	give(&call, UINT64_MAX);
	give(&call, UINT64_MAX);
	give(&call, INT64_MAX);
	expect_number(&call, 0, -1);
	expect_text(&call, 1, "18446744073709551615");
	expect_number(&call, 2, INT64_MAX);
	end(&call);
	(void)state;
}

static uint64_t word_of(double value)
{
	uint64_t word;
	memcpy(&word, &value, sizeof(word));
	return word;
}

static void floats_are_numbers_where_they_can_be_told(void **state)
{
	struct call call;
	begin(&call, "int f(double a, _Float16 b, _Float128 c);", NULL);
	give(&call, word_of(-0.5));
	give(&call, 0x3e00); /* 1.5 */
	give(&call, 0);
	give(&call, 0x3fff800000000000); /* 1.5 */
	expect_real(&call, 0, -0.5);
	expect_none(&call, 1);
	expect_none(&call, 2);
	end(&call);
	(void)state;
}

static void strings_are_their_bytes(void **state)
{
	struct call call;
	begin(&call, "int f(const char *a, const char *b, const char *c);", NULL);
	give(&call, 0x1000);
	give(&call, 0);
	give(&call, 0x2000);
	give_behind(&call, "a \"b\"\n", 6, 0);
	give_behind(&call, "", 0, FCA_GOT_NONE);
	give_behind(&call, "", 0, FCA_GOT_NONE);
	expect_text(&call, 0, "a \"b\"\n");
	expect_number(&call, 1, 0);
	expect_number(&call, 2, 0x2000);
	end(&call);
	(void)state;
}

static void what_a_pointer_leads_to_is_as_it_is_shown(void **state)
{
	const int there = -2;
	struct call call;
	begin(&call,
	      "struct s { int a, b; }; int f(const int *a, const int *b, const struct s *c);",
	      NULL);
	give(&call, 0x1000);
	give(&call, 0x2ffe);
	give(&call, 0x3000);
	give_behind(&call, &there, 4, 0);
	give_behind(&call, &there, 2, FCA_GOT_MORE); /* at the end of a page */
	give_behind(&call, (const int[]){ 1, 2 }, 8, 0);
	expect_text(&call, 0, "[-2]");
	expect_number(&call, 1, 0x2ffe);
	expect_text(&call, 2, "{.a = 1, .b = 2}");
	end(&call);
	(void)state;
}

static void what_is_masked_or_missing_is_none(void **state)
{
	const char *const masks[] = { "b", NULL };
	struct call call;
	begin(&call, "int f(int a, int b, int c);", masks);
	give(&call, 1);
	give(&call, 3);
	expect_number(&call, 0, 1);
	expect_none(&call, 1);
	expect_number(&call, 2, 3);
	call.nr_args--;
	expect_none(&call, 2);
	call.nr_args = 0;
	expect_none(&call, 0);
	end(&call);
	(void)state;
}

static void results_are_values(void **state)
{
	struct call call;
	struct fc_scalar got;
	begin(&call, "short f(void);", NULL);
	call.result[call.nr_result++] = 0xfffe;
	struct fc_value_words result = { call.result, call.nr_result };
	assert_true(fc_values_result(call.values, result, &got));
	assert_int_equal(got.kind, FC_SCALAR_INT);
	assert_int_equal(got.number, -2);
	result.nr = 1;
	assert_false(fc_values_result(call.values, result, &got));
	end(&call);
	(void)state;
}

static void what_a_format_takes_is_told_item_by_item(void **state)
{
	static const char format[] = "%d %s %g %s";
	struct call call;
	struct fc_scalar got;
	struct fc_value_text text;
	begin(&call, "int f(const char *, ...) __attribute__((format(printf, 1, 2)));", NULL);
	give(&call, 0x1000);
	give_behind(&call, format, strlen(format), 0);
	give(&call, 6);
	give(&call, fca_item(FCA_ITEM_SIGNED, 4));
	give(&call, 0xffffffff);
	give(&call, fca_item(FCA_ITEM_TEXT, 8));
	give(&call, 0x2000);
	give_behind(&call, "abc", 3, (uint64_t)FCA_ITEM_BYTES << 24 | FCA_GOT_MORE);
	give(&call, fca_item(FCA_ITEM_FLOAT, 8));
	give(&call, 0x4004000000000000);
	give(&call, fca_item(FCA_ITEM_TEXT, 8));
	give(&call, 0x3000);
	give(&call, fca_item(FCA_ITEM_BYTES, 0) | FCA_GOT_NONE);
	struct fc_value_words args = { call.args, call.nr_args }, none = { NULL, 0 };
	assert_true(fc_values_args_text(call.values, args, none, &text));
	assert_string_equal(text.at, "\"%d %s %g %s\", -1, \"abc\"..., 2.5, 0x3000");
	expect_number(&call, 1, -1);
	assert_true(take(&call, 2, &got));
	assert_int_equal(got.kind, FC_SCALAR_TEXT);
	assert_string_equal(got.text.at, "abc");
	assert_true(take(&call, 3, &got));
	assert_int_equal(got.kind, FC_SCALAR_FLOAT);
	assert_true(got.real == 2.5);
	expect_number(&call, 4, 0x3000);
	assert_false(take(&call, 5, &got));
	for (; args.nr; args.nr--) /* what is cut off is no harm */
		assert_true(fc_values_args_text(call.values, args, none, &text));
	end(&call);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_their_sign),
		cmocka_unit_test(what_sql_cannot_count_is_text),
		cmocka_unit_test(floats_are_numbers_where_they_can_be_told),
		cmocka_unit_test(strings_are_their_bytes),
		cmocka_unit_test(what_a_pointer_leads_to_is_as_it_is_shown),
		cmocka_unit_test(what_is_masked_or_missing_is_none),
		cmocka_unit_test(results_are_values),
		cmocka_unit_test(what_a_format_takes_is_told_item_by_item),
	};
	return cmocka_run_group_tests_name("values: scalars", tests, NULL, NULL);
}
