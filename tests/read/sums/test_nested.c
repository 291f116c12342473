/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of one row within each other count once; too many rows become one of each function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/sums/nested.h"
#include "read/sums/value_rows.h"
#include "values/fetches.h"
#include "values/formats.h"
#include "values/proto/protos.h"

enum { FUNCS = 4, ROWS = 5, DEEPEST = 40 };

struct open {
	struct fc_call call;
	uint32_t row;
};

/* Random calls of a strand, and what each row's outermost ones took and waited. */
struct run {
	struct fc_nested nested;
	struct open stack[DEEPEST];
	size_t nr;
	uint64_t now;
	struct fc_within total[FUNCS][ROWS], expected[FUNCS][ROWS];
};

static void enter(struct run *run, uint32_t strand, unsigned *seed)
{
	struct open *open = &run->stack[run->nr++];
	*open = (struct open){ .call = { .func = (uint32_t)rand_r(seed) % FUNCS,
					 .strand = strand,
					 .begin_tsc = run->now },
			       .row = (uint32_t)rand_r(seed) % ROWS };
	fc_nested_enter(&run->nested, &open->call);
}

static bool is_within_its_own(const struct run *run, const struct open *open)
{
	for (const struct open *other = run->stack; other < open; other++)
		if (other->call.func == open->call.func && other->row == open->row)
			return true;
	return false;
}

static void leave(struct run *run)
{
	struct open *open = &run->stack[run->nr - 1];
	struct fc_call *call = &open->call;
	call->end_tsc = run->now;
	call->wait_ticks = fc_call_ticks(call) / 3;
	/* Rows are of one function each. */
	uint32_t row = 1 + call->func * ROWS + open->row;
	struct fc_within within = fc_nested_leave(&run->nested, call, row);
	struct fc_within *total = &run->total[call->func][open->row];
	struct fc_within *expected = &run->expected[call->func][open->row];
	total->ticks += fc_call_ticks(call) - within.ticks;
	total->wait_ticks += call->wait_ticks - within.wait_ticks;
	if (!is_within_its_own(run, open)) {
		expected->ticks += fc_call_ticks(call);
		expected->wait_ticks += call->wait_ticks;
	}
	run->nr--;
}

static void each_row_counts_its_outermost_calls(void **state)
{
	for (unsigned seed = 1; seed <= 50; seed++) {
		unsigned next = seed;
		struct run run = { 0 };
		fc_nested_init(&run.nested);
		for (int i = 0; i < 3000; i++) {
			run.now += (unsigned)rand_r(&next) % 9;
			if (run.nr < DEEPEST && (!run.nr || rand_r(&next) % 100 < 52))
				enter(&run, 3, &next);
			else
				leave(&run);
		}
		while (run.nr)
			leave(&run);
		fc_nested_deinit(&run.nested);
		assert_memory_equal(run.total, run.expected, sizeof(run.total));
	}
}

static void strands_have_calls_of_their_own(void **state)
{
	struct fc_nested nested;
	struct fc_call outer = { .func = 1, .strand = 1, .begin_tsc = 10, .end_tsc = 50 };
	struct fc_call other = { .func = 1, .strand = 2, .begin_tsc = 20, .end_tsc = 30 };
	fc_nested_init(&nested);
	fc_nested_enter(&nested, &outer);
	fc_nested_enter(&nested, &other);
	assert_int_equal(fc_nested_leave(&nested, &other, 7).ticks, 0);
	assert_int_equal(fc_nested_leave(&nested, &outer, 7).ticks, 0);
	assert_int_equal(fc_nested_leave(&nested, &outer, 7).ticks, 0); /* none is open */
	fc_nested_enter(&nested, &outer);
	fc_nested_deinit(&nested); /* with an open one */
}

static struct fc_values *values_of(const char *text)
{
	static const struct fc_format_part part = {
		.fetch = { .size = 4, .how = FCA_FETCH_VALUE },
	};
	struct fc_values *ret = fc_values_create();
	struct fc_types *types = NULL;
	size_t size;
	assert_int_equal(fc_protos_read("t.h", text, strlen(text), &types), 0);
	struct fc_formats *formats = fc_formats_create(types);
	for (uint32_t func = 1; func <= 2; func++)
		fc_formats_add(formats, fca_format(func, false),
			       fc_types_find_func(types, func == 1 ? "f" : "g"), &part, 1);
	void *bytes = fc_formats_bytes(formats, &size);
	assert_int_equal(fc_values_add(ret, bytes, size), 0);
	free(bytes);
	fc_formats_destroy(formats);
	return ret;
}

static uint32_t row_of(struct fc_value_rows *rows, uint32_t func, uint64_t number)
{
	const uint64_t words[] = { fca_format(func, false), number };
	struct fc_call_values values = { .args = words, .nr_args = 2 };
	return fc_value_rows_of_call(rows,
				     &(struct fc_call){ .func = func, .values = &values });
}

static void expect_row(struct fc_value_rows *rows, uint32_t row, uint32_t func,
		       const char *value)
{
	struct fc_value_row got = fc_value_rows_get(rows, row);
	assert_int_equal(got.func, func);
	assert_non_null(got.value);
	assert_string_equal(got.value, value);
}

static void more_rows_than_there_may_be_become_one(void **state)
{
	struct fc_values *values = values_of("void f(int n); void g(int n);");
	struct fc_value_rows *rows = fc_value_rows_create(&(struct fc_value_rows_opts){
		.values = values, .arg = FC_ALL_ARGS, .max = 100 });
	for (uint64_t i = 0; i < 100; i++) {
		char text[8];
		snprintf(text, sizeof(text), "%u", (unsigned)i);
		expect_row(rows, row_of(rows, 1, i), 1, text);
	}
	assert_int_equal(fc_value_rows_nr_others(rows), 0);
	uint32_t others = row_of(rows, 1, 1000), of_g = row_of(rows, 2, 5);
	expect_row(rows, others, 1, "<other values>");
	expect_row(rows, of_g, 2, "<other values>");
	assert_int_equal(row_of(rows, 1, 1001), others);
	expect_row(rows, row_of(rows, 1, 42), 1, "42"); /* it has its row */
	assert_int_equal(fc_value_rows_nr_others(rows), 3);
	assert_null(fc_value_rows_get(rows, fc_value_rows_of_func(rows, 1)).value);
	assert_int_equal(fc_value_rows_get(rows, 0).func, 0);
	assert_int_equal(fc_value_rows_get(rows, 5000).func, 0);
	fc_value_rows_destroy(rows);
	fc_values_destroy(values);
}

static void texts_are_no_larger_than_they_may_be(void **state)
{
	struct fc_values *values = values_of("void f(int n); void g(int n);");
	struct fc_value_rows *rows = fc_value_rows_create(
		&(struct fc_value_rows_opts){ .values = values, .arg = 0, .max_bytes = 10 });
	expect_row(rows, row_of(rows, 1, 1234), 1, "1234");
	expect_row(rows, row_of(rows, 1, 12345), 1, "12345");
	expect_row(rows, row_of(rows, 1, 2), 1, "<other values>");
	fc_value_rows_destroy(rows);
	fc_values_destroy(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_counts_its_outermost_calls),
		cmocka_unit_test(strands_have_calls_of_their_own),
		cmocka_unit_test(more_rows_than_there_may_be_become_one),
		cmocka_unit_test(texts_are_no_larger_than_they_may_be),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
