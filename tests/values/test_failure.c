/* SPDX-License-Identifier: Apache-2.0 */
/* Which results say that a call failed, by what its declaration says of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "values/failure.h"
#include "values/proto/known.h"
#include "values/proto/protos.h"

static bool fails(const char *text, int64_t number)
{
	struct fc_types *types = NULL;
	assert_int_equal(fc_protos_read("t.h", text, strlen(text), &types), 0);
	bool ret = fc_value_is_failure(types, fc_types_find_func(types, "f"), number);
	fc_types_destroy(types);
	return ret;
}

static void without_a_tag_it_is_as_programs_in_c_have_it(void **state)
{
	assert_true(fails("int f(void);", -1));
	assert_true(fails("enum e { A = -1 } f(void);", -4095));
	assert_false(fails("int f(void);", -4096));
	assert_false(fails("int f(void);", 0));
	assert_false(fails("unsigned f(void);", -1));
	assert_false(fails("double f(void);", -1));
	assert_false(fails("void f(void);", -1));
	assert_true(fails("void *f(void);", 0));
	assert_true(fails("char *f(void);", -1));
	assert_false(fails("char *f(void);", 1));
	(void)state;
}

static void a_tag_of_the_function_says_how(void **state)
{
#define OF(what) "int f(void) __attribute__((annotate(\"fails(" what ")\")));"
	assert_false(fails(OF("never"), -1));
	assert_true(fails(OF("nonzero"), 7));
	assert_false(fails(OF("nonzero"), 0));
	assert_true(fails(OF("not positive"), 0));
	assert_true(fails(OF("not positive"), -70000));
	assert_false(fails(OF("not positive"), 1));
	assert_true(fails(OF("nonzero, not 1,-2"), 2));
	assert_false(fails(OF("nonzero, not 1,-2"), 1));
	assert_false(fails(OF("nonzero, not 1,-2"), -2));
	assert_true(fails(OF("nonzero, not "), 1));
	assert_false(fails("void *f(void) __attribute__((annotate(\"fails(-1)\")));", 0));
	assert_false(fails(OF("ERANGE"), INT32_MAX)); /* errno alone says so */
	(void)state;
}

static void a_tag_of_its_result_s_type_does_too(void **state)
{
#define CODE "enum e { OK, BAD, ROW } __attribute__((annotate(\"fails(nonzero, not 2)\")));"
	assert_true(fails(CODE "enum e f(void);", 1));
	assert_false(fails(CODE "enum e f(void);", 2));
	assert_false(fails(CODE "typedef enum e t; t f(void) "
				"__attribute__((annotate(\"fails(never)\")));",
			   1));
	(void)state;
}

static bool fails_in(const char *library, const char *name, int64_t number)
{
	const struct fc_types *types = fc_known_types(library);
	return fc_value_is_failure(types, fc_types_find_func(types, name), number);
}

static void libraries_that_tell_errors_otherwise_are_known(void **state)
{
	assert_true(fails_in("libsqlite3.so.0", "sqlite3_prepare_v2", 1));
	assert_true(fails_in("libsqlite3.so.0", "sqlite3_step", 5));
	assert_false(fails_in("libsqlite3.so.0", "sqlite3_step", 100));
	assert_false(fails_in("libsqlite3.so.0", "sqlite3_step", 101));
	assert_false(fails_in("libsqlite3.so.0", "sqlite3_errcode", 1));
	assert_false(fails_in("libsqlite3.so.0", "sqlite3_column_count", 1));
	assert_true(fails_in("libcrypto.so.3", "EVP_DigestUpdate", 0));
	assert_true(fails_in("libssl.so.3", "SSL_connect", 0));
	assert_false(fails_in("libssl.so.3", "SSL_connect", 1));
	assert_false(fails_in("libssl.so.3", "SSL_pending", 0));
	assert_false(fails_in("libcrypto.so.3", "BN_cmp", 0));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_tag_it_is_as_programs_in_c_have_it),
		cmocka_unit_test(a_tag_of_the_function_says_how),
		cmocka_unit_test(a_tag_of_its_result_s_type_does_too),
		cmocka_unit_test(libraries_that_tell_errors_otherwise_are_known),
	};
	return cmocka_run_group_tests_name("values: failure", tests, NULL, NULL);
}
