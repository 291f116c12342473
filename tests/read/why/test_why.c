/* SPDX-License-Identifier: Apache-2.0 */
/* Figures in sentences: times, shares, groups of digits; and each sentence has the figures it names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after those it needs */
#include <cmocka.h>

#include "read/query/query.h"
#include "read/why/figure.h"
#include "read/why/questions.h"

/* The sentence that a row of SQL makes. */
static void expect_sentence(const char *sql, const char *template, const char *sentence)
{
	struct fc_figures figures = { 0 };
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	fc_figures_take(&figures, stmt);
	char *got = fc_figures_sentence(&figures, template);
	assert_string_equal(got, sentence);
	free(got);
	fc_figures_deinit(&figures);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

static void times_have_three_digits(void **state)
{
	static const struct {
		const char *ns, *text;
	} times[] = {
		{ "0", "0 ns" },	 { "999", "999 ns" },	    { "1000", "1.00 us" },
		{ "12345", "12.3 us" },	 { "99960", "100 us" },	    { "999499", "999 us" },
		{ "999600", "1.00 ms" }, { "48000000", "48.0 ms" }, { "1920000000", "1.92 s" },
		{ "3600e9", "3600 s" },	 { "0.4", "0 ns" },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		char sql[64];
		snprintf(sql, sizeof(sql), "SELECT %s AS each_ns", times[i].ns);
		expect_sentence(sql, "{each_ns}", times[i].text);
	}
}

static void shares_are_percentages(void **state)
{
	expect_sentence("SELECT 0.8412 AS share", "{share}", "84 %");
	expect_sentence("SELECT 0.042 AS self_share", "{self_share}", "4.2 %");
	expect_sentence("SELECT 0.0996 AS share", "{share}", "10 %");
	expect_sentence("SELECT 0.0001 AS share", "{share}", "less than 0.1 %");
	expect_sentence("SELECT 0.0 AS share", "{share}", "0.0 %");
	expect_sentence("SELECT 1.0 AS share", "{share}", "100 %");
}

static void digits_stand_in_groups(void **state)
{
	expect_sentence("SELECT 9999 AS n", "{n}", "9999");
	expect_sentence("SELECT 40000 AS n", "{n}", "40 000");
	expect_sentence("SELECT 1028457 AS n", "{n}", "1 028 457");
	expect_sentence("SELECT -12345 AS n", "{n}", "-12 345");
	expect_sentence("SELECT 20.5 AS n", "{n}", "20");
	expect_sentence("SELECT 8.14 AS n", "{n}", "8.1");
	expect_sentence("SELECT 32430.4 AS n", "{n}", "32 430");
}

static void one_has_no_s(void **state)
{
	expect_sentence("SELECT 1 AS n", "{n} call{n:s}", "1 call");
	expect_sentence("SELECT 0 AS n", "{n} call{n:s}", "0 calls");
	expect_sentence("SELECT 2 AS n", "{n} call{n:s}", "2 calls");
}

static void what_is_not_known_is_left_out(void **state)
{
	const char *template = "{a}()[ by {b}()][, {c_ns} each].";

	expect_sentence("SELECT 'f' AS a, 'g' AS b, 5 AS c_ns", template,
			"f() by g(), 5 ns each.");
	expect_sentence("SELECT 'f' AS a, NULL AS b, 5 AS c_ns", template, "f(), 5 ns each.");
	expect_sentence("SELECT 'f' AS a, NULL AS b, NULL AS c_ns", template, "f().");
}

static void parameters_in_a_name_are_not_followed_by_others(void **state)
{
	expect_sentence("SELECT 'a::f(int)' AS name", "in {name}(), once",
			"in a::f(int), once");
	expect_sentence("SELECT 'a::operator[]' AS name", "{name}()", "a::operator[]()");
}

static void names_are_words_of_a_shell(void **state)
{
	expect_sentence("SELECT 'main' AS name", "x {name:q}", "x main");
	expect_sentence("SELECT 'git+0x1c41b0' AS name", "{name:q}", "git+0x1c41b0");
	expect_sentence("SELECT 'f(int)' AS name", "{name:q}", "'f(int)'");
	expect_sentence("SELECT 'it''s $x' AS name", "{name:q}", "'it'\\''s $x'");
	expect_sentence("SELECT '' AS name", "{name:q}", "''");
}

static bool has_column(sqlite3_stmt *stmt, const char *name, size_t len)
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++) {
		const char *column = sqlite3_column_name(stmt, i);
		if (strlen(column) == len && !memcmp(column, name, len))
			return true;
	}
	return false;
}

static void expect_columns(sqlite3_stmt *stmt, const char *template)
{
	while (template && (template = strchr(template, '{'))) {
		size_t len = strcspn(++template, ":}");
		if (!has_column(stmt, template, len))
			fail_msg("no column for {%s", template);
	}
}

/* Tables with the columns that a trace's have. */
static sqlite3 *open_tables(void)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	for (size_t i = 0; fc_query_table(i); i++)
		assert_int_equal(sqlite3_exec(db, fc_query_schema(i), NULL, NULL, NULL),
				 SQLITE_OK);
	return db;
}

/* What main() does for most of 1 s, in 4 calls of this function that waits. */
static void expect_wait(const char *name, const char *waits_for, const char *sentence)
{
	sqlite3 *db = open_tables();
	char *sql = sqlite3_mprintf(
		"INSERT INTO paths VALUES"
		" (1, 0, 0, 1, 'main', 'job', 1, 0, 1000000000, 80000000, 0, 0, 0, NULL),"
		" (2, 1, 1, 2, %Q, '', 4, 0, 920000000, 920000000, 0, 0, 0, %Q)",
		name, waits_for);
	sqlite3_stmt *stmt = NULL;
	struct fc_figures figures = { 0 };
	const struct fc_question *hot = fc_questions;

	while (strcmp(hot->kind, "hot") != 0)
		hot++;
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, hot->sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	fc_figures_take(&figures, stmt);
	const struct fc_question_shape *shape = hot->shapes;
	while (shape->shape && strcmp(shape->shape, waits_for) != 0)
		shape++;
	char *got = fc_figures_sentence(&figures, shape->sentence);
	assert_string_equal(got, sentence);
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	free(got);
	fc_figures_deinit(&figures);
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	sqlite3_close(db);
}

static void each_kind_of_waiting_has_its_words(void **state)
{
	expect_wait(
		"runnable", "a CPU",
		"92 % of the time (920 ms of 1.00 s) passed in waiting for a CPU, while other "
		"threads ran there: 4 times in main(), 230 ms each.");
	expect_wait(
		"asleep", "something else",
		"92 % of the time (920 ms of 1.00 s) was slept in the kernel, which does not "
		"tell for what: 4 times in main(), 230 ms each.");
	expect_wait("poll", "an event",
		    "92 % of the time (920 ms of 1.00 s) was spent waiting for something to "
		    "happen: 4 calls of poll() by main(), 230 ms each.");
	expect_wait("mmap", "the kernel",
		    "92 % of the time (920 ms of 1.00 s) was spent in 4 calls of mmap() by "
		    "main(), 230 ms each.");
}

static void each_sentence_has_its_figures(void **state)
{
	sqlite3 *db = open_tables();

	for (size_t i = 0; i < fc_nr_questions; i++) {
		const struct fc_question *question = &fc_questions[i];
		sqlite3_stmt *stmt = NULL;
		assert_int_equal(sqlite3_prepare_v2(db, question->sql, -1, &stmt, NULL),
				 SQLITE_OK);
		assert_true(has_column(stmt, "weight", strlen("weight")));
		size_t nr = 0;
		for (; nr < FC_QUESTION_SHAPES && question->shapes[nr].sentence; nr++) {
			expect_columns(stmt, question->shapes[nr].sentence);
			expect_columns(stmt, question->shapes[nr].command);
			if (question->shapes[nr].shape)
				assert_true(has_column(stmt, "shape", strlen("shape")));
		}
		assert_in_range(nr, 1, FC_QUESTION_SHAPES - 1); /* the last is empty */
		sqlite3_finalize(stmt);
	}
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_have_three_digits),
		cmocka_unit_test(shares_are_percentages),
		cmocka_unit_test(digits_stand_in_groups),
		cmocka_unit_test(one_has_no_s),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(parameters_in_a_name_are_not_followed_by_others),
		cmocka_unit_test(names_are_words_of_a_shell),
		cmocka_unit_test(each_kind_of_waiting_has_its_words),
		cmocka_unit_test(each_sentence_has_its_figures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
