/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions a pattern means: by name, by module, by what C++ shows, and system calls by theirs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calls/names.h"

static bool is_match(const char *glob, const char *module, const char *symbol)
{
	return fc_name_match((struct fc_name){ .name = symbol, .module = module }, glob);
}

static void a_function_is_known_by_its_name_and_module(void **state)
{
	assert_true(is_match("vfs_*", "[kernel]", "vfs_read"));
	assert_false(is_match("vfs_*", "[kernel]", "do_vfs"));
	assert_true(is_match("ls:main", "ls", "main"));
	assert_false(is_match("ls:main", "cat", "main"));
	assert_true(is_match("[kernel]:vfs_*", "[kernel]", "vfs_read"));
}

static void a_system_call_is_known_by_its_name_in_the_kernel(void **state)
{
	assert_true(is_match("openat", "[system call]", "openat"));
	assert_true(is_match("sys_openat", "[system call]", "openat"));
	assert_true(is_match("sys_open*", "[system call]", "openat"));
	assert_true(is_match("sys_*", "[system call]", "read"));
	assert_false(is_match("sys_read", "[system call]", "readv"));
	assert_false(is_match("sys_read", "libc.so.6", "read"));
	assert_true(is_match("sys_read", "program", "sys_read"));
}

static void names_of_cxx_are_known_in_each_form(void **state)
{
	assert_true(is_match("_ZN1a1bEi", "x", "_ZN1a1bEi"));
	assert_true(is_match("a::b", "x", "_ZN1a1bEi"));
	assert_true(is_match("a::b(int)", "x", "_ZN1a1bEi"));
	assert_true(is_match("x:a::*", "x", "_ZN1a1bEi"));
	assert_false(is_match("a::c", "x", "_ZN1a1bEi"));
}

static void who_asks_for_memmove_means_the_code_that_it_shares(void **state)
{
	assert_true(is_match("memmove", "libc.so.6", "memcpy"));
	assert_true(is_match("memmove", "libc-2.31.so", "memcpy"));
	assert_false(is_match("memmove", "libother.so", "memcpy"));
}

static void code_in_a_memfd_is_known_with_and_without_that_word(void **state)
{
	assert_true(is_match("hidden:tick", "memfd:hidden", "tick"));
	assert_true(is_match("memfd:hidden:tick", "memfd:hidden", "tick"));
	assert_true(is_match("memfd:*:ti*", "memfd:hidden", "tick"));
	assert_true(is_match("tick", "memfd:hidden", "tick"));
	assert_false(is_match("memfd:other:tick", "memfd:hidden", "tick"));
	assert_false(is_match("memfd:hidden:leaf", "memfd:hidden", "tick"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_known_by_its_name_and_module),
		cmocka_unit_test(a_system_call_is_known_by_its_name_in_the_kernel),
		cmocka_unit_test(names_of_cxx_are_known_in_each_form),
		cmocka_unit_test(code_in_a_memfd_is_known_with_and_without_that_word),
		cmocka_unit_test(who_asks_for_memmove_means_the_code_that_it_shares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
