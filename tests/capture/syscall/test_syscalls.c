/* SPDX-License-Identifier: Apache-2.0 */
/* System calls become calls of functions, with arguments and results. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "capture/agent/abi.h"
#include "capture/syscall/syscalls.h"
#include "trace/record.h"
#include "values/recorded.h"

static struct fc_syscalls *syscalls;
static struct fc_values *values;

static int begin(void **state)
{
	struct fc_numbers numbers = { .funcs = 10, .modules = 2 };
	syscalls = fc_syscalls_create(&numbers);
	values = fc_values_create();
	const struct fc_module_info *module = fc_syscalls_module(syscalls);
	assert_int_equal(module->id, 3);
	assert_int_equal(numbers.funcs, 10 + module->nr_funcs);
	return fc_values_add(values, module->values, module->values_size);
}

static int end(void **state)
{
	fc_values_destroy(values);
	fc_syscalls_destroy(syscalls);
	return 0;
}

static const char *name_of(uint64_t record)
{
	const struct fc_module_info *module = fc_syscalls_module(syscalls);
	for (size_t i = 0; i < module->nr_funcs; i++)
		if (module->funcs[i].id == fc_record_func(record))
			return module->funcs[i].name;
	return "";
}

/* One call: its name, arguments and result, as views show them. */
static void assert_call(uint64_t number, const uint64_t arg[6], int64_t result,
			const char *name, const char *args, const char *told)
{
	uint64_t in[FC_SYSCALL_WORDS], out[FC_SYSCALL_WORDS];
	size_t nr_in = fc_syscalls_enter(syscalls, 100, number, arg, in);
	size_t nr_out = fc_syscalls_leave(syscalls, 200, number, result, out);
	struct fc_value_words given = { .at = in + 1, .nr = (uint32_t)nr_in - 2 };
	struct fc_value_words after = { .at = out + 1, .nr = (uint32_t)nr_out - 2 };
	struct fc_value_text text;

	assert_true(nr_in <= FC_SYSCALL_WORDS && nr_out <= FC_SYSCALL_WORDS);
	assert_int_equal(fc_record_kind(in[nr_in - 1]), FC_ENTRY);
	assert_int_equal(fc_record_tsc(in[nr_in - 1], 150), 100);
	assert_int_equal(fc_record_kind(out[nr_out - 1]), FC_EXIT);
	assert_string_equal(name_of(in[nr_in - 1]), name);
	assert_int_equal(fc_record_words(in[0]), nr_in - 2);
	assert_true(fc_values_args_text(values, given, after, &text));
	assert_string_equal(text.at, args);
	assert_true(fc_values_result_text(values, after, &text));
	assert_string_equal(text.at, told);
}

static void a_call_has_its_name_arguments_and_result(void **state)
{
	assert_call(SYS_openat, (uint64_t[6]){ (uint64_t)-100, 0x1000, 0x80000, 0, 7, 8 }, 3,
		    "openat", "AT_FDCWD, 0x1000, O_RDONLY|O_CLOEXEC, 0", "3");
	assert_call(SYS_read, (uint64_t[6]){ 3, 0x2000, 64 }, 64, "read", "3, 0x2000, 64",
		    "64");
}

static void an_error_is_the_one_of_libc(void **state)
{
	assert_call(SYS_openat, (uint64_t[6]){ (uint64_t)-100, 0x1000 }, -ENOENT, "openat",
		    "AT_FDCWD, 0x1000, O_RDONLY, 0", "-1 ENOENT");
}

static void what_the_kernel_makes_again_was_interrupted(void **state)
{
	for (int restart = 512; restart <= 516; restart++)
		assert_call(SYS_read, (uint64_t[6]){ 3, 0x2000, 64 }, -restart, "read",
			    "3, 0x2000, 64", "-1 EINTR");
}

static void one_that_nobody_knows_has_its_number(void **state)
{
	assert_call(3000, (uint64_t[6]){ 1, 2 }, -ENOSYS, "syscall",
		    "3000, 0x1, 0x2, NULL, NULL, NULL", "-1 ENOSYS");
	assert_call(UINT64_MAX, (uint64_t[6]){ 1, 2 }, 5, "syscall",
		    "-1, 0x1, 0x2, NULL, NULL, NULL", "5");
}

static void what_has_no_result_has_none(void **state)
{
	uint64_t words[FC_SYSCALL_WORDS];
	assert_int_equal(fc_syscalls_leave(syscalls, 1, SYS_rt_sigreturn, 7, words), 1);
}

static void calls_of_fctrace_are_told_from_the_programs(void **state)
{
	static const uint64_t numbers[] = { SYS_mmap, SYS_process_vm_readv, SYS_gettid,
					    SYS_futex };
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t arg[6] = { 1, 2, 3, 4, (uint64_t)-1, 0 };
		assert_false(fca_is_own_call(numbers[i], arg));
		fca_own_call(numbers[i], arg);
		assert_true(fca_is_own_call(numbers[i], arg));
		assert_int_equal((int)arg[0], 1); /* the kernel takes them as they were */
		assert_int_equal((int)arg[4], -1);
		assert_int_equal((uint32_t)arg[5], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_has_its_name_arguments_and_result),
		cmocka_unit_test(an_error_is_the_one_of_libc),
		cmocka_unit_test(what_the_kernel_makes_again_was_interrupted),
		cmocka_unit_test(one_that_nobody_knows_has_its_number),
		cmocka_unit_test(what_has_no_result_has_none),
		cmocka_unit_test(calls_of_fctrace_are_told_from_the_programs),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
