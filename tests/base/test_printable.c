/* SPDX-License-Identifier: Apache-2.0 */
/* What is shown on a terminal does not steer it, whatever a file or a program calls itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"

static void shown_as(const char *text, const char *expected)
{
	fc_auto_free char *shown = fc_strdup(text);

	fc_make_printable(shown, strlen(shown));
	assert_string_equal(shown, expected);
}

static void letters_of_all_languages_stay(void **state)
{
	shown_as("plain ~ text", "plain ~ text");
	shown_as("gr\xc3\xb6\xc3\x9f"
		 "e \xe2\x82\xac \xf0\x9f\x98\x80",
		 "gr\xc3\xb6\xc3\x9f"
		 "e \xe2\x82\xac \xf0\x9f\x98\x80");
	shown_as("\xc2\xa0", "\xc2\xa0"); /* the first one behind the control characters */
}

static void what_steers_does_not_get_through(void **state)
{
	shown_as("\x1b[2J\r\n\t\x7f", "?[2J????");
	shown_as("\xc2\x9b"
		 "2J",
		 "??2J"); /* CSI in one character */
	shown_as("a\xe2\x80\xae"
		 "b",
		 "a???b"); /* right to left from here on */
	shown_as("\xe2\x81\xa9", "???");
}

static void what_is_no_utf8_does_not_get_through(void **state)
{
	shown_as("\x9b"
		 "2J",
		 "?2J"); /* CSI on a terminal of one byte a character */
	shown_as("\xc3", "?");
	shown_as("\xe2\x82", "??");
	shown_as("\xc0\xaf", "??");
	shown_as("\xed\xa0\x80", "???");
	shown_as("\xf4\x90\x80\x80", "????");
	shown_as("\xff\xfe", "??");
}

/* Under sanitizers nothing behind the end is touched. */
static void text_may_end_anywhere(void **state)
{
	static const char all[] = "\xf0\x9f\x98\x80\xe2\x82\xac\xc3\xb6";

	for (size_t len = 0; len < sizeof(all); len++) {
		char *text = fc_alloc(len + !len);
		memcpy(text, all, len);
		fc_make_printable(text, len);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_of_all_languages_stay),
		cmocka_unit_test(what_steers_does_not_get_through),
		cmocka_unit_test(what_is_no_utf8_does_not_get_through),
		cmocka_unit_test(text_may_end_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
