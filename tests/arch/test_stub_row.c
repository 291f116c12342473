// SPDX-License-Identifier: Apache-2.0
// test_stub_row.c - each kind of stub has a row, and rows do not contradict themselves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/stub_row.h"

/* A kind that nobody made a row for would be a call. */
static void only_a_call_is_a_call(void **state)
{
	for (int kind = 0; kind < FC_STUB_NR_KINDS; kind++)
		assert_int_equal(fc_stub_row(kind)->shape == FC_SHAPE_CALL,
				 kind == FC_STUB_CALL);
}

static void what_can_be_off_records(void **state)
{
	for (int kind = 0; kind < FC_STUB_NR_KINDS; kind++) {
		const struct fc_stub_row *row = fc_stub_row(kind);
		if (row->has_switch)
			assert_true(row->records);
		/* One that only counts changes flags, and writes below the stack pointer. */
		if (row->records)
			assert_true(row->is_counted == (kind != FC_STUB_PROBE) && !row->tells);
	}
}

/* Their hooks stay until no stack has a stub's address. */
static void unwinders_go_last(void **state)
{
	for (int kind = 0; kind < FC_STUB_NR_KINDS; kind++) {
		const struct fc_stub_row *row = fc_stub_row(kind);
		assert_int_equal(row->meets_stubs, row->undo == FCA_UNDO_LAST);
		if (row->is_unwinder)
			assert_true(row->meets_stubs);
	}
}

static void what_is_none_does_nothing(void **state)
{
	const struct fc_stub_row *row = fc_stub_row((enum fc_stub_kind)31);
	assert_int_equal(row->shape, FC_SHAPE_ENTRY);
	assert_false(row->records || row->has_switch || row->is_counted || row->meets_stubs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_call_is_a_call),
		cmocka_unit_test(what_can_be_off_records),
		cmocka_unit_test(unwinders_go_last),
		cmocka_unit_test(what_is_none_does_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
