/* SPDX-License-Identifier: Apache-2.0 */
/* What formats of printf() take of the arguments behind them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "capture/agent/values/conversion.c" /* of the agent, which is no part of the library */

/* Letters: i u x o c f F(long double) p s, with the size of numbers; "?": nobody knows. */
static const char *takes(const char *format)
{
	static const char letters[] = { '-', 'i', 'u', 'x', 'o', 'c', 'f', 'p', 's' };
	static char ret[256];
	size_t nr = strlen(format), used = 0;
	char *text = malloc(nr); /* exactly: a byte more would be seen by the sanitizer */
	struct conversion one;
	uint32_t at = 0;
	enum conversion_next next;
	memcpy(text, format, nr);
	while ((next = conversion_next(text, (uint32_t)nr, &at, &one)) == CONVERSION_ONE) {
		used += (size_t)snprintf(ret + used, sizeof(ret) - used, "%s%s",
					 one.has_width ? "w" : "", one.has_limit ? "l" : "");
		if (one.limit >= 0)
			used += (size_t)snprintf(ret + used, sizeof(ret) - used, "%d",
						 one.limit);
		if (one.kind)
			used += (size_t)snprintf(ret + used, sizeof(ret) - used, "%c%d ",
						 letters[one.kind], one.size);
	}
	free(text);
	snprintf(ret + used, sizeof(ret) - used, "%s", next == CONVERSION_UNKNOWN ? "?" : "");
	return ret;
}

static void numbers_have_the_size_that_is_said(void **state)
{
	assert_string_equal(takes("%d%hhd%hd%ld%lld%zd%jd%td%qd"),
			    "i4 i1 i2 i8 i8 i8 i8 i8 i8 ");
	assert_string_equal(takes("%u %x %X %o %b %#08lx"), "u4 x4 x4 o4 x4 x8 ");
	assert_string_equal(takes("%f%lf%Lf%a%LG%Lu"), "f8 f8 f16 f8 f16 u8 ");
	assert_string_equal(takes("%c %lc %C %p %n %ln"), "c1 i4 i4 p8 p8 p8 ");
	(void)state;
}

static void what_takes_nothing_is_passed_over(void **state)
{
	assert_string_equal(takes(""), "");
	assert_string_equal(takes("no percent"), "");
	assert_string_equal(takes("100%% %m %d"), "i4 ");
	(void)state;
}

static void widths_and_precisions_may_be_arguments(void **state)
{
	assert_string_equal(takes("%*d%-*.*f"), "wi4 wlf8 ");
	assert_string_equal(takes("%10.3s%.s%.*s"), "3s8 0s8 ls8 ");
	assert_string_equal(takes("%.99999999999s"), "1048576s8 ");
	assert_string_equal(takes("%ls%S"), "p8 p8 ");
	(void)state;
}

static void nothing_is_guessed(void **state)
{
	assert_string_equal(takes("%d %2$d %d"), "i4 ?");
	assert_string_equal(takes("%d %y %d"), "i4 ?");
	assert_string_equal(takes("%d %"), "i4 ?");
	assert_string_equal(takes("%"), "?");
	assert_string_equal(takes("%-"), "?");
	assert_string_equal(takes("%5"), "?");
	assert_string_equal(takes("%l"), "?");
	assert_string_equal(takes("%."), "?");
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_the_size_that_is_said),
		cmocka_unit_test(what_takes_nothing_is_passed_over),
		cmocka_unit_test(widths_and_precisions_may_be_arguments),
		cmocka_unit_test(nothing_is_guessed),
	};
	return cmocka_run_group_tests_name("agent: conversion", tests, NULL, NULL);
}
