/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions: what is true of a call's values, and what is wrong with a condition. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../given.h"
#include "base/fail.h"
#include "values/condition/condition.h"

static struct fc_condition *read_condition(const char *text)
{
	struct fc_condition *ret;
	char whole[512] = "f@if:";
	strcat(whole, text);
	if (fc_condition_read(whole, &ret))
		fail_msg("%s", fc_fail_text());
	assert_non_null(ret);
	return ret;
}

static bool holds(const struct call *call, const char *text)
{
	struct fc_value_words args = { call->args, call->nr_args };
	struct fc_value_words result = { call->result, call->nr_result };
	struct fc_condition *condition = read_condition(text);
	bool ret = fc_condition_holds(condition, call->values, args, result);
	fc_condition_destroy(condition);
	return ret;
}

#define EXPECT(call, ...) expect_each((call), true, (const char *[]){ __VA_ARGS__, NULL })
#define REFUSE(call, ...) expect_each((call), false, (const char *[]){ __VA_ARGS__, NULL })

static void expect_each(const struct call *call, bool is_so, const char **texts)
{
	for (; *texts; texts++)
		if (holds(call, *texts) != is_so)
			fail_msg("%s: it is%s so", *texts, is_so ? " not" : "");
}

static void expect_wrong(const char *text, const char *sentence)
{
	struct fc_condition *condition;
	assert_int_equal(fc_condition_read(text, &condition), -EINVAL);
	assert_string_equal(fc_fail_text(), sentence);
	assert_null(condition);
}

static void what_is_wrong_has_a_column(void **state)
{
	(void)state;
	expect_wrong(
		"open@if:path >> 3",
		"open@if:path >> 3: column 15: found \"> 3\"; expected a number, a name or a "
		"\"text\"");
	expect_wrong("f@if:",
		     "f@if:: column 6: found the end; expected a parameter's name, arg1, "
		     "ret or errno");
	expect_wrong("f@if:a = 3", "f@if:a = 3: column 8: what is equal is asked by ==");
	expect_wrong("f@if:a == 3 b",
		     "f@if:a == 3 b: column 13: found \"b\"; expected \"and\", "
		     "\"or\" or the end");
	expect_wrong("f@if:(a == 3", "f@if:(a == 3: column 13: found the end; expected an "
				     "operator, or the ) of column 6");
	expect_wrong("f@if:a ~ x", "f@if:a ~ x: column 10: found \"x\"; ~ takes a pattern in "
				   "\"...\"");
	expect_wrong("f@if:a == \"x", "f@if:a == \"x: column 11: a text without its closing "
				      "quotation mark");
	expect_wrong("f@if:a > 3Q", "f@if:a > 3Q: column 10: not a number; say it as 100, -1, "
				    "0x1f, 0644, 64K, 1M or 0.5");
	expect_wrong("f@if:a > 99999999999999999999",
		     "f@if:a > 99999999999999999999: column 10: too large a number");
	expect_wrong("f@if:a.3 == 1", "f@if:a.3 == 1: column 8: found \"3 == 1\"; expected a "
				      "field's name");
	expect_wrong("f@if:a == 'xy'",
		     "f@if:a == 'xy': column 11: not a char: a text stands in "
		     "\"...\"");
}

static void too_much_is_refused(void **state)
{
	char text[4096] = "f@if:";
	struct fc_condition *condition;
	(void)state;
	for (int i = 0; i < 40; i++)
		strcat(text, "(");
	assert_int_equal(fc_condition_read(text, &condition), -EINVAL);
	strcpy(text, "f@if:");
	for (int i = 0; i < 1000; i++)
		strcat(text, "!");
	assert_int_equal(fc_condition_read(text, &condition), -EINVAL);
	strcpy(text, "f@if:a");
	for (int i = 0; i < 200; i++)
		strcat(text, " and a");
	assert_int_equal(fc_condition_read(text, &condition), -EINVAL);
}

static void a_glob_alone_has_no_condition(void **state)
{
	struct fc_condition *condition;
	(void)state;
	assert_int_equal(fc_condition_read("memcpy@GLIBC_2.14", &condition), 0);
	assert_null(condition);
	assert_int_equal(fc_condition_glob_size("libc*:open@if:ret"), 10);
}

static void whole_numbers_are_compared_by_their_sign(void **state)
{
	struct call call;
	(void)state;
	begin(&call, "int f(int a, unsigned b, unsigned long c, signed char d);", NULL);
	give(&call, 0xffffffff);
	give(&call, 0xffffffff);
	give(&call, UINT64_MAX);
	give(&call, 'x');
	EXPECT(&call, "a < 0", "a == -1", "a >= -1 and a <= -1", "b > 0", "b == 4294967295",
	       "b > 2G", "c > 9223372036854775807", "c == 0xffffffffffffffff", "d == 'x'",
	       "arg1 == -1", "a", "a != 0 && b != 0", "a<0||b<0", "not a > 0", "!(a > 0)",
	       "a & 1", "(b & 0xf0) == 0xf0", "b & 0xf0 == 0xf0", "d == 0170", "a == \"-1\"",
	       "a < -0.5", "d < 1K");
	REFUSE(&call, "a > 0", "b == -1", "b < 0", "c < 0", "d == 'y'", "a == 4294967295",
	       "not a", "a < 0 and b < 0", "ret == 0", "ret != 0", "not ret == 0", "arg5 == 0",
	       "nothing == 0");
	end(&call);
}

static void what_is_not_known_decides_nothing(void **state)
{
	const char *const masks[] = { "b", NULL };
	struct call call;
	(void)state;
	begin(&call, "void f(int a, int b, const char *c, const char *d);", masks);
	give(&call, 1);
	give(&call, 0x1000);
	give(&call, 0);
	give_behind(&call, "", 0, FCA_GOT_NONE);
	give_behind(&call, "", 0, FCA_GOT_NONE);
	EXPECT(&call, "a == 1 or b == 2", "b == 2 or a == 1", "c != NULL", "c == 0x1000",
	       "d == NULL", "not d", "a == 1 and not d", "b == 2 or not d");
	REFUSE(&call, "b == 2", "b != 2", "not b == 2", "a == 2 or b == 2", "c == \"x\"",
	       "c != \"x\"", "c !~ \"*\"", "c ~ \"*\"", "d ~ \"*\"", "b == 2 and a == 1");
	end(&call);
}

static void texts_are_compared(void **state)
{
	struct call call;
	(void)state;
	begin(&call, "void f(const char *a, const char *b, const void *c);", NULL);
	give(&call, 0x1000);
	give(&call, 0x2000);
	give(&call, 0x3000);
	give_behind(&call, "/etc/passwd", 11, 0);
	give_behind(&call, "a \"b\"\n", 6, 0);
	EXPECT(&call, "a == \"/etc/passwd\"", "a ~ \"/etc/*\"", "a ~ \"/?t?/[p]*\"",
	       "a !~ \"/usr/*\"", "a != \"/etc\"", "a > \"/etc\"", "a < \"/f\"", "a != NULL",
	       "b == \"a \\\"b\\\"\\n\"", "b ~ \"*\\\"b\\\"*\"", "a > 0");
	REFUSE(&call, "a == \"/etc\"", "a ~ \"/etc\"", "a !~ \"/etc/*\"", "a ~ \"/etc/\\\\*\"",
	       "a == NULL", "c == \"x\"");
	end(&call);
}

static void of_a_text_that_was_cut_its_begin_counts(void **state)
{
	struct call call;
	(void)state;
	begin(&call, "void f(const char *a);", NULL);
	give(&call, 0x1000);
	give_behind(&call, "/etc/pass", 9, FCA_GOT_MORE);
	EXPECT(&call, "a ~ \"/etc/*\"", "a !~ \"/usr/*x\"", "a != \"/etc\"",
	       "a != \"/etc/pass\"", "a > \"/etc/pass\"", "a > \"/etc\"", "a < \"/f\"",
	       "a !~ \"/etc\"");
	REFUSE(&call, "a == \"/etc/pass\"", "a == \"/etc/passwd\"", "a != \"/etc/passwd\"",
	       "a ~ \"*wd\"", "a !~ \"*wd\"", "a < \"/etc/passwd\"", "a ~ \"/usr/*\"");
	end(&call);
}

static void names_of_enums_and_flags_are_numbers(void **state)
{
	struct call call;
	(void)state;
	begin(&call,
	      "enum how { FIRST, LAST = -2 }; enum __attribute__((flag_enum)) fl { R = 1, W = "
	      "2, "
	      "X = 0x80000000 }; void f(enum how a, enum fl b, int c, _Bool d);",
	      NULL);
	give(&call, 0xfffffffe);
	give(&call, 0x80000001);
	give(&call, ENOENT);
	give(&call, 1);
	EXPECT(&call, "a == LAST", "a != FIRST", "a < FIRST", "b & X", "b == R|X", "b & W|R",
	       "(b & R|W) == R", "not b & W", "c == ENOENT", "d == true", "d", "a == \"LAST\"",
	       "b ~ \"*X*\"");
	REFUSE(&call, "a == FIRST", "b & W", "b == R", "c == EBUSY", "c == FIRST", "d == false",
	       "a == W");
	end(&call);
}

static uint64_t word_of(double value)
{
	uint64_t word;
	memcpy(&word, &value, sizeof(word));
	return word;
}

static void floats_are_compared(void **state)
{
	const float narrow = 0.1F;
	uint32_t bits;
	struct call call;
	(void)state;
	memcpy(&bits, &narrow, sizeof(bits));
	begin(&call, "void f(double a, float b, double c);", NULL);
	give(&call, word_of(2.5));
	give(&call, bits);
	give(&call, word_of(__builtin_nan("")));
	EXPECT(&call, "a == 2.5", "a > 2", "a < 3", "a >= 25e-1", "b == 0.1", "b < 0.2", "a",
	       "a > -1");
	REFUSE(&call, "a == 2", "a != 2.5", "b > 0.1", "c == 1.0", "c != 1.0", "c > 0", "c < 0",
	       "a & 2");
	end(&call);
}

static void fields_are_values(void **state)
{
	struct {
		int a;
		char name[8];
		uint32_t bits;
		int inner;
	} there = { -3, "abc", 5 | 3 << 4, 7 };
	struct call call;
	(void)state;
	begin(&call,
	      "struct s { int a; char name[8]; unsigned low : 4, high : 4; struct { int inner; "
	      "}; };"
	      " void f(const struct s *p, const int *n);",
	      NULL);
	give(&call, 0x1000);
	give(&call, 0x2000);
	give_behind(&call, &there, sizeof(there), 0);
	give_behind(&call, &there, 4, 0);
	EXPECT(&call, "p.a == -3", "p->a < 0", "p.name == \"abc\"", "p.low == 5", "p.high == 3",
	       "p.inner == 7", "*n == -3", "*n < 0", "n != NULL");
	REFUSE(&call, "p.a == 3", "p.nothing == 3", "p.a.b == 3", "*p.a == 3", "n.x == 1",
	       "p.name == 3");
	end(&call);
}

static void addresses_are_whole_numbers(void **state)
{
	struct call call;
	(void)state;
	begin(&call, "void *f(void);", NULL);
	call.result[call.nr_result++] = UINT64_MAX;
	EXPECT(&call, "ret == -1", "ret != NULL", "result > 0", "ret == 0xffffffffffffffff");
	REFUSE(&call, "ret < 0", "ret == NULL");
	end(&call);
}

static void a_name_that_is_not_there_is_said(void **state)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
		{ "pth > 1", "f has no pth: it has a, p, arg3, ret" },
		{ "p.x > 1", "f's p has no x" },
		{ "a == FIRST", "f's a knows no FIRST; say it as a number" },
		{ "*a == 1", "f's a has no *" },
		{ "a == 1 and p.y == 1", NULL },
		{ "errno == ENOENT", NULL },
	};
	struct call call;
	(void)state;
	begin(&call, "struct s { int y; }; int f(int a, struct s *p, int, ...);", NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fc_value_words args = { call.args, call.nr_args }, none = { 0 };
		struct fc_condition *condition = read_condition(cases[i].text);
		int err = fc_condition_check(condition, call.values, args, none);
		assert_int_equal(err, cases[i].sentence ? -EINVAL : 0);
		if (cases[i].sentence)
			assert_string_equal(fc_fail_text(), cases[i].sentence);
		assert_int_equal(fc_condition_check(condition, call.values, none, none),
				 -ENOENT);
		fc_condition_destroy(condition);
	}
	end(&call);
}

static bool waits(const struct call *call, const char *text)
{
	struct fc_value_words args = { call->args, call->nr_args };
	struct fc_condition *condition = read_condition(text);
	bool ret = fc_condition_waits(condition, call->values, FUNC, args);
	fc_condition_destroy(condition);
	return ret;
}

static void only_what_the_end_tells_is_waited_for(void **state)
{
	struct call call;
	(void)state;
	begin(&call, "int f(int a, int *out, const char *in);", NULL);
	assert_false(waits(&call, "a == 1"));
	assert_false(waits(&call, "in ~ \"x\" and arg1 > 2"));
	assert_true(waits(&call, "*out == 1"));
	assert_true(waits(&call, "a == 1 or ret == 1"));
	end(&call);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_has_a_column),
		cmocka_unit_test(too_much_is_refused),
		cmocka_unit_test(a_glob_alone_has_no_condition),
		cmocka_unit_test(whole_numbers_are_compared_by_their_sign),
		cmocka_unit_test(what_is_not_known_decides_nothing),
		cmocka_unit_test(texts_are_compared),
		cmocka_unit_test(of_a_text_that_was_cut_its_begin_counts),
		cmocka_unit_test(names_of_enums_and_flags_are_numbers),
		cmocka_unit_test(floats_are_compared),
		cmocka_unit_test(fields_are_values),
		cmocka_unit_test(addresses_are_whole_numbers),
		cmocka_unit_test(a_name_that_is_not_there_is_said),
		cmocka_unit_test(only_what_the_end_tells_is_waited_for),
	};
	return cmocka_run_group_tests_name("values: conditions", tests, NULL, NULL);
}
