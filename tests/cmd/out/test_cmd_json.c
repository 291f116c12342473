/* SPDX-License-Identifier: Apache-2.0 */
/* JSON is well-formed whatever the strings hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cmd/out/json.c"

static char *text;
static size_t len;

static struct fc_json begin(void)
{
	return (struct fc_json){ .out = open_memstream(&text, &len) };
}

static void assert_json(struct fc_json *json, const char *expected)
{
	fclose(json->out);
	assert_string_equal(text, expected);
	free(text);
	text = NULL;
}

static void commas_and_lines_fall_into_place(void **state)
{
	struct fc_json json = begin();

	fc_json_open(&json, NULL, '{');
	fc_json_number(&json, "n", UINT64_MAX);
	fc_json_open(&json, "empty", '[');
	fc_json_close(&json, '[');
	fc_json_open(&json, "list", '[');
	fc_json_null(&json, NULL);
	fc_json_bool(&json, NULL, true);
	fc_json_close(&json, '[');
	fc_json_close(&json, '{');
	assert_json(&json, "{\n  \"n\": 18446744073709551615,\n  \"empty\": [],\n"
			   "  \"list\": [\n    null,\n    true\n  ]\n}\n");
}

static void assert_string(const char *value, const char *expected)
{
	struct fc_json json = begin();

	fc_json_string(&json, NULL, value);
	assert_json(&json, expected);
}

static void strings_are_escaped(void **state)
{
	assert_string("a\"b\\c/\n\t\x7f\x01", "\"a\\\"b\\\\c/\\u000a\\u0009\\u007f\\u0001\"");
	assert_string("", "\"\"");
}

static void good_utf8_stays_and_bad_is_replaced(void **state)
{
	assert_string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		      "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
	assert_string("\xff", "\"\\ufffd\"");
	assert_string("\xc3", "\"\\ufffd\"");			    /* cut off */
	assert_string("\xe2\x82", "\"\\ufffd\\ufffd\"");	    /* cut off */
	assert_string("\xc0\xaf", "\"\\ufffd\\ufffd\"");	    /* overlong */
	assert_string("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* surrogate */
	assert_string("\xc2\x9b\x31m", "\"\\u009b1m\"");	    /* would steer a terminal */
	assert_string("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_and_lines_fall_into_place),
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(good_utf8_stays_and_bad_is_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
