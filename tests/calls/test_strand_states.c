/* SPDX-License-Identifier: Apache-2.0 */
/* The state of each strand: it is found by its id, and all are seen in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calls/strands.h"

/* A body may leave out a strand, drop it, and end the loop. */
static void each_strand_that_has_state_is_seen(void **state)
{
	struct fc_strands strands = { .size = sizeof(int) };
	int *state_of, sum = 0;

	assert_null(fc_strands_make(&strands, FC_STRAND_MAX + 1));
	for (uint32_t id = 1; id < 100; id += 3)
		*(int *)fc_strands_make(&strands, id) = (int)id;
	fc_strands_each (&strands, state_of) {
		if (*state_of == 4)
			continue;
		if (*state_of == 10)
			break;
		sum += *state_of;
		fc_strands_drop(&strands, (uint32_t)state_of_id);
	}
	assert_int_equal(sum, 1 + 7);
	assert_null(fc_strands_find(&strands, 7));
	assert_non_null(fc_strands_find(&strands, 4));
	fc_strands_deinit(&strands);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_strand_that_has_state_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
