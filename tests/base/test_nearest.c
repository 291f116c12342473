/* SPDX-License-Identifier: Apache-2.0 */
/* Names that are like a mistyped word: which are, which are nearest, and what is said of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/nearest.h"

static char *said;

/* What is said of a word, where these are the names. */
static const char *hint(const char *word, const char *names)
{
	struct fc_nearest nearest;

	free(said);
	fc_nearest_begin(&nearest, word, strlen(word));
	fc_nearest_offer_list(&nearest, names);
	said = fc_nearest_hint(&nearest, "", "");
	return said;
}

static void a_slip_of_the_fingers_is_near(void **state)
{
	static const char names[] = "record replay report graph diff query top tui";

	assert_string_equal(hint("reprot", names), "; did you mean report?");
	assert_string_equal(hint("recrod", names), "; did you mean record?");
	assert_string_equal(hint("repot", names), "; did you mean report?");
	assert_string_equal(hint("rreplay", names), "; did you mean replay?");
	assert_string_equal(hint("GRAPH", names), "; did you mean graph?");
	assert_string_equal(hint("toop", names), "; did you mean top?");
	assert_string_equal(hint("cals", "calls,functions"), "; did you mean calls?");
}

static void another_word_is_not(void **state)
{
	assert_string_equal(hint("ls", "record report"), "");
	assert_string_equal(hint("query", "record report"), "");
	assert_string_equal(hint("", "record report"), "");
	assert_string_equal(hint("x", "a b c"), "");
	assert_string_equal(hint("record", ""), "");
}

static void a_beginning_or_a_part_is_near(void **state)
{
	assert_string_equal(hint("rep", "record replay report"),
			    "; did you mean replay or report?");
	assert_string_equal(hint("lok", "main lookup name_length"), "; did you mean lookup?");
	assert_string_equal(hint("length", "main lookup name_length"),
			    "; did you mean name_length?");
	/* Too short to tell anything. */
	assert_string_equal(hint("re", "record replay report"), "");
}

static void what_is_nearer_comes_first_and_few_are_shown(void **state)
{
	assert_string_equal(hint("sort", "resort sorted sport sort_all"),
			    "; did you mean sorted, sort_all or resort?");
	assert_string_equal(hint("work", "work_a work_b work_c work_d"),
			    "; did you mean work_a, work_b or work_c?");
	assert_string_equal(hint("same", "sane,sane|sane"), "; did you mean sane?");
}

static void what_is_shown_may_be_another_name(void **state)
{
	struct fc_nearest nearest;

	fc_nearest_begin(&nearest, "jsn", 3);
	fc_nearest_offer(&nearest, "jsonx", 4);
	fc_nearest_offer_as(&nearest, "json", 4, "ns::json(int)");
	free(said);
	said = fc_nearest_hint(&nearest, "--", "");
	assert_string_equal(said, "; did you mean --json or --ns::json(int)?");
}

/* What comes next is a sentence of its own behind a question. */
static void what_to_do_is_said_behind_it(void **state)
{
	static const char *const rests[][3] = {
		{ "see --help", "; did you mean json? See --help", "; see --help" },
		{ "fctrace help lists them", "; did you mean json? fctrace help lists them",
		  "; fctrace help lists them" },
		{ ".tables lists them", "; did you mean json? .tables lists them",
		  "; .tables lists them" },
	};

	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++) {
		for (int is_far = 0; is_far < 2; is_far++) {
			struct fc_nearest nearest;
			fc_nearest_begin(&nearest, is_far ? "words" : "jsn", is_far ? 5 : 3);
			fc_nearest_offer(&nearest, "json", 4);
			free(said);
			said = fc_nearest_hint(&nearest, "", rests[i][0]);
			assert_string_equal(said, rests[i][1 + is_far]);
		}
	}
}

static void long_words_are_no_trouble(void **state)
{
	static char word[5000], name[5000];

	memset(word, 'a', sizeof(word) - 1);
	memset(name, 'a', sizeof(name) - 1);
	name[3] = 'b';
	assert_string_equal(hint(word, "a aa aaa"), "");
	assert_memory_equal(hint(word, name), "; did you mean aaab", 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slip_of_the_fingers_is_near),
		cmocka_unit_test(another_word_is_not),
		cmocka_unit_test(a_beginning_or_a_part_is_near),
		cmocka_unit_test(what_is_nearer_comes_first_and_few_are_shown),
		cmocka_unit_test(what_is_shown_may_be_another_name),
		cmocka_unit_test(what_to_do_is_said_behind_it),
		cmocka_unit_test(long_words_are_no_trouble),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	free(said);
	return ret;
}
