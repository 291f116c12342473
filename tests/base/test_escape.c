/* SPDX-License-Identifier: Apache-2.0 */
/* test_escape.c - any bytes within the quotes of JSON: valid, and nothing of it steers a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"

static void escaped_as(const char *text, const char *expected)
{
	size_t len = strlen(text), nr = 0;
	char got[256] = "";
	fc_auto_free char *edge = fc_alloc(len); /* a sanitizer sees what is read behind it */
	memcpy(edge, text, len);
	for (size_t at = 0; at < len;) {
		struct fc_escaped escaped;
		at += fc_escape_json(edge + at, len - at, &escaped);
		assert_in_range(at, 1, len);
		assert_true(nr + escaped.len < sizeof(got));
		memcpy(got + nr, escaped.text, escaped.len);
		nr += escaped.len;
	}
	assert_string_equal(got, expected);
}

static void letters_of_all_languages_stay(void **state)
{
	escaped_as("plain ~ /text", "plain ~ /text");
	escaped_as("\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80",
		   "\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80");
	escaped_as("\xc2\xa0", "\xc2\xa0"); /* the first one behind the control characters */
}

static void quotes_are_escaped(void **state)
{
	escaped_as("a\"b\\c", "a\\\"b\\\\c");
}

static void what_steers_is_escaped(void **state)
{
	escaped_as("\x1b[\r\n\t\x7f", "\\u001b[\\u000d\\u000a\\u0009\\u007f");
	escaped_as("\xc2\x80\xc2\x9b\xc2\x9f",
		   "\\u0080\\u009b\\u009f"); /* CSI in one character */
	escaped_as("\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa9", "\\u2028\\u202e\\u2069");
}

static void what_is_no_utf8_is_replaced(void **state)
{
	escaped_as("\x9b"
		   "2J",
		   "\\ufffd2J");
	escaped_as("\xc3", "\\ufffd");
	escaped_as("\xe2\x82", "\\ufffd\\ufffd");
	escaped_as("\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_of_all_languages_stay),
		cmocka_unit_test(quotes_are_escaped),
		cmocka_unit_test(what_steers_is_escaped),
		cmocka_unit_test(what_is_no_utf8_is_replaced),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
