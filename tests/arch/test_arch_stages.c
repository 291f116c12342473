/* SPDX-License-Identifier: Apache-2.0 */
/* How far a port is: a stage that is NULL is not there yet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"

static void a_port_that_has_begun_tells_what_is_missing(void **state)
{
	const struct fc_arch begun = { .code = fc_arch_x86_64.code,
				       .jumps = fc_arch_x86_64.jumps };
	static const char *const names[] = { "code", "jumps", "stubs", "threads", "values", "probes" };
	size_t i = 0;
	bool is_there;
	for (const char *name; (name = fc_arch_stage(&begun, i, &is_there)); i++) {
		assert_string_equal(name, names[i]);
		assert_int_equal(is_there, i < 2);
	}
	assert_int_equal(i, sizeof(names) / sizeof(names[0]));
}

/* fc_arch_here may name a machine only then. */
static void what_is_traced_here_has_all_that_tracing_needs(void **state)
{
	bool is_there;
	if (!fc_arch_here)
		skip();
	enum { NEEDED = 4 }; /* stages; values and probes are not */
	for (size_t i = 0; fc_arch_stage(fc_arch_here, i, &is_there); i++)
		assert_true(is_there || i >= NEEDED);
}

static void every_port_has_the_first_stage(void **state)
{
	for (size_t i = 0; fc_arch_at(i); i++)
		assert_non_null(fc_arch_at(i)->code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_port_that_has_begun_tells_what_is_missing),
		cmocka_unit_test(what_is_traced_here_has_all_that_tracing_needs),
		cmocka_unit_test(every_port_has_the_first_stage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
