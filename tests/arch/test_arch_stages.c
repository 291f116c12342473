/* SPDX-License-Identifier: Apache-2.0 */
/* How far each port is: a table of stages and machines, as docs/howto-port.md has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "arch/arch.h"

static const char *stage_of(const struct fc_arch *arch, size_t i, bool *is_there)
{
	*is_there = false;
	return fc_arch_stage(arch, i, is_there);
}

static void the_table_is_printed(void **state)
{
	(void)state;
	printf("# %-10s", "stage");
	for (size_t m = 0; fc_arch_at(m); m++)
		printf(" %12s", fc_arch_at(m)->name);
	printf("\n");
	bool is_there;
	for (size_t i = 0; stage_of(fc_arch_at(0), i, &is_there); i++) {
		printf("# %-10s", stage_of(fc_arch_at(0), i, &is_there));
		for (size_t m = 0; fc_arch_at(m); m++) {
			stage_of(fc_arch_at(m), i, &is_there);
			printf(" %12s", is_there ? "there" : "not yet");
		}
		printf("\n");
	}
	assert_non_null(fc_arch_at(0));
}

/* A stage is of use where those before it are there. */
static void no_stage_is_left_out(void **state)
{
	(void)state;
	for (size_t m = 0; fc_arch_at(m); m++) {
		bool is_there, was_there = true;
		for (size_t i = 0; stage_of(fc_arch_at(m), i, &is_there); i++) {
			assert_true(was_there || !is_there);
			was_there = is_there;
		}
	}
}

/* Who is traced on this machine has all that tracing needs. */
static void the_machine_that_runs_this_is_whole(void **state)
{
	(void)state;
	bool is_there;
	for (size_t i = 0; fc_arch_here && stage_of(fc_arch_here, i, &is_there); i++)
		assert_true(is_there);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_printed),
		cmocka_unit_test(no_stage_is_left_out),
		cmocka_unit_test(the_machine_that_runs_this_is_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
