/* SPDX-License-Identifier: Apache-2.0 */
/* A table is the same in text, JSON and CSV, and its columns stand below each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cmd/out/json.c"
#include "cmd/out/looks.c"
#include "cmd/out/table.c"

struct row {
	const char *name;
	uint64_t calls, ns;
	const char *note;
};

#define ROW(member) FC_FIELD(struct row, member)

static const struct fc_table_column columns[] = {
	{ "name", "NAME", ROW(name), .most = 8, .place = 1 },
	{ "calls", "CALLS", ROW(calls), .width = 7 },
	{ "ns", "TIME", ROW(ns), .width = 11, .show = fc_show_ns },
	{ "note", "NOTE", ROW(note), .most = 1, .place = 2 },
};

static void assert_printed(enum fc_form form, const struct row *rows, size_t nr,
			   const char *expected)
{
	char *text;
	size_t len;
	struct fc_table table = { open_memstream(&text, &len), form, FC_COLUMNS(columns) };

	fc_table_print(&table, rows, nr, sizeof(*rows));
	fclose(table.out);
	assert_string_equal(text, expected);
	free(text);
}

static void a_table_has_three_forms(void **state)
{
	static const struct row rows[] = { { "main", 1, 1500, NULL }, { "a,b", 23, 0, "" } };

	assert_printed(FC_FORM_TEXT, rows, 2,
		       "  CALLS        TIME  NAME  NOTE\n"
		       "      1    1.500 us  main  -\n"
		       "     23    0.000 us  a,b   \n");
	assert_printed(FC_FORM_CSV, rows, 2,
		       "name,calls,ns,note\r\nmain,1,1500,\r\n\"a,b\",23,0,\r\n");
	assert_printed(FC_FORM_JSON, rows, 1,
		       "[\n  {\n    \"name\": \"main\",\n    \"calls\": 1,\n    \"ns\": 1500,\n"
		       "    \"note\": null\n  }\n]\n");
}

static void a_table_without_rows_has_its_titles(void **state)
{
	assert_printed(FC_FORM_TEXT, NULL, 0, "  CALLS        TIME  NAME  NOTE\n");
	assert_printed(FC_FORM_CSV, NULL, 0, "name,calls,ns,note\r\n");
	assert_printed(FC_FORM_JSON, NULL, 0, "[]\n");
}

static void names_beyond_ascii_stand_in_line(void **state)
{
	static const struct row rows[] = { { "größe", 1, 1, "x" }, { "long", 2, 2, "y" } };

	assert_printed(FC_FORM_TEXT, rows, 2,
		       "  CALLS        TIME  NAME   NOTE\n"
		       "      1    0.001 us  größe  x\n"
		       "      2    0.002 us  long   y\n");
}

static void what_is_too_wide_sticks_out(void **state)
{
	static const struct row rows[] = { { "much_too_wide", 1, 1, "x" }, { "f", 2, 2, "y" } };

	assert_printed(FC_FORM_TEXT, rows, 2,
		       "  CALLS        TIME  NAME  NOTE\n"
		       "      1    0.001 us  much_too_wide  x\n"
		       "      2    0.002 us  f     y\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_three_forms),
		cmocka_unit_test(a_table_without_rows_has_its_titles),
		cmocka_unit_test(names_beyond_ascii_stand_in_line),
		cmocka_unit_test(what_is_too_wide_sticks_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
