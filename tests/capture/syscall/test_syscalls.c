/* SPDX-License-Identifier: Apache-2.0 */
/* System calls become calls of functions, with arguments and results. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/agent/abi.h"
#include "capture/syscall/syscalls.h"
#include "trace/record.h"
#include "values/fetches.h"
#include "values/recorded.h"
#include "values/recorded_text.h"

static struct fc_syscalls *syscalls;
static struct fc_values *values;

static int begin(void **state)
{
	struct fc_numbers numbers = { .funcs = 10, .modules = 2 };
	syscalls = fc_syscalls_create(&numbers,
				      &(struct fc_syscalls_opts){ .by = "raw_syscalls" });
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

static struct fc_taken taken;

/* One call, of which something is taken: its name, arguments and result, as views show them. */
static void assert_call(uint64_t number, const uint64_t arg[6], int64_t result,
			const char *name, const char *args, const char *told)
{
	uint64_t in[FC_SYSCALL_WORDS], out[FC_SYSCALL_WORDS];
	size_t nr_in = fc_syscalls_enter(syscalls, 100, number, arg, in);
	size_t nr_out = fc_syscalls_leave(syscalls, 200, number, result, &taken, out);
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
	assert_int_equal(fc_syscalls_leave(syscalls, 1, SYS_rt_sigreturn, 7, &taken, words), 1);
}

static void names_of_files_are_those_that_the_kernel_took(void **state)
{
	uint64_t open[6] = { (uint64_t)-100, 0x1000, 0x80000 }, rename[6] = { 0x1000, 0x2000 };
	fc_syscalls_take(syscalls, SYS_openat, open, &taken);
	fc_paths_take(&taken.paths, 0xff00, 0x1000, "/etc/passwd");
	fc_paths_take(&taken.paths, 0xff00, 0x1000, "told again");
	assert_call(SYS_openat, open, 3, "openat",
		    "AT_FDCWD, \"/etc/passwd\", O_RDONLY|O_CLOEXEC, 0", "3");

	/* Also of one that failed. */
	assert_call(SYS_openat, open, -EACCES, "openat",
		    "AT_FDCWD, \"/etc/passwd\", O_RDONLY|O_CLOEXEC, 0", "-1 EACCES");

	/* Whichever the kernel takes first. */
	fc_syscalls_take(syscalls, SYS_rename, rename, &taken);
	fc_paths_take(&taken.paths, 0xff08, 0x2000, "new");
	assert_call(SYS_rename, rename, 0, "rename", "0x1000, \"new\"", "0");
	fc_paths_take(&taken.paths, 0xff10, 0x1000, "old");
	assert_call(SYS_rename, rename, 0, "rename", "\"old\", \"new\"", "0");

	/* Where it does not say which, in order. */
	fc_syscalls_take(syscalls, SYS_rename, rename, &taken);
	fc_paths_take(&taken.paths, 0xff08, 1, "old");
	fc_paths_take(&taken.paths, 0xff08, 1, "old");
	fc_paths_take(&taken.paths, 0xff10, 1, "new");
	fc_paths_take(&taken.paths, 0xff18, 1, "another");
	assert_call(SYS_rename, rename, 0, "rename", "\"old\", \"new\"", "0");

	/* Twice the same. */
	rename[1] = rename[0];
	fc_syscalls_take(syscalls, SYS_rename, rename, &taken);
	fc_paths_take(&taken.paths, 0xff08, 0x1000, "both");
	assert_call(SYS_rename, rename, 0, "rename", "\"both\", \"both\"", "0");

	/* The next call knows nothing of it; one that is given none takes none. */
	fc_syscalls_take(syscalls, SYS_close, open, &taken);
	fc_paths_take(&taken.paths, 0xff08, 0x1000, "x");
	assert_call(SYS_close, (uint64_t[6]){ 3 }, 0, "close", "3", "0");
	fc_syscalls_take(syscalls, SYS_openat, open, &taken);
	assert_call(SYS_openat, open, -ENOENT, "openat",
		    "AT_FDCWD, 0x1000, O_RDONLY|O_CLOEXEC, 0", "-1 ENOENT");
	fc_paths_forget(&taken.paths);
}

/* The first and the last bytes of as much as there is room for. */
static void a_long_name_is_cut(void **state)
{
	char name[4096], expected[1024];
	uint64_t arg[6] = { 0x1000, 0x2000 };
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	fc_syscalls_take(syscalls, SYS_rename, arg, &taken);
	fc_paths_take(&taken.paths, 1, 0x1000, name);
	fc_paths_take(&taken.paths, 2, 0x2000, name + sizeof(name) - 1 - FC_PATH_ROOM / 2);
	snprintf(expected, sizeof(expected), "\"%.*s\"..., \"%.*s\"", FC_PATH_ROOM / 2, name,
		 FC_PATH_ROOM / 2, name);
	assert_call(SYS_rename, arg, 0, "rename", expected, "0");
	fc_paths_forget(&taken.paths);
}

/* By the prototypes, so that the table has no other number. */
static void each_name_of_a_file_is_an_argument_that_is_a_text(void **state)
{
	const struct fc_module_info *module = fc_syscalls_module(syscalls);
	uint64_t words[FC_SYSCALL_WORDS];
	size_t nr_found = 0;
	for (size_t i = 0; i < module->nr_funcs; i++) {
		uint8_t param[FC_PATH_PARAMS];
		unsigned nr = fc_paths_params(module->funcs[i].name, param);
		nr_found += nr > 0;
		for (uint64_t number = 0; nr && number < 500; number++) {
			uint64_t arg[6] = { 0x1001, 0x1002, 0x1003, 0x1004, 0x1005, 0x1006 };
			size_t in = fc_syscalls_enter(syscalls, 1, number, arg, words);
			if (fc_record_func(words[in - 1]) != module->funcs[i].id)
				continue;
			struct fc_value_text text;
			struct fc_value_words given = { .at = words + 1,
							.nr = (uint32_t)in - 2 };
			uint64_t out[FC_SYSCALL_WORDS];
			fc_syscalls_take(syscalls, number, arg, &taken);
			for (unsigned k = 0; k < nr; k++)
				fc_paths_take(&taken.paths, k + 1, arg[param[k]],
					      k ? "P1" : "P0");
			size_t nr_out = fc_syscalls_leave(syscalls, 2, number, 0, &taken, out);
			struct fc_value_words after = { .at = out + 1,
							.nr = (uint32_t)nr_out - 2 };
			assert_true(fc_values_args_text(values, given, after, &text));
			if (!strstr(text.at, "\"P0\"") ||
			    (nr > 1 && !strstr(text.at, "\"P1\"")))
				fail_msg("%s(%s)", module->funcs[i].name, text.at);
		}
	}
	assert_true(nr_found > 60);
	fc_paths_forget(&taken.paths);
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

static void some_are_wanted(void **state)
{
	static char *const only[] = { "open*", "sys_close", NULL }, *const none[] = { "opneat",
										      NULL };
	struct fc_numbers numbers = { 0 };
	struct fc_syscalls *some = fc_syscalls_create(
		&numbers, &(struct fc_syscalls_opts){ .by = "", .only = only });
	assert_true(fc_syscalls_wants(syscalls, SYS_read));
	assert_true(fc_syscalls_wants(syscalls, 4000));
	assert_true(fc_syscalls_wants(some, SYS_openat));
	assert_true(fc_syscalls_wants(some, SYS_close));
	assert_false(fc_syscalls_wants(some, SYS_read));
	assert_false(fc_syscalls_wants(some, 4000));
	fc_syscalls_destroy(some);
	assert_int_equal(fc_syscalls_check(only), 0);
	assert_int_equal(fc_syscalls_check(none), -EINVAL);
}

static void assert_stop(const struct fc_syscalls *own, const struct fc_values *told,
			const struct fc_syscall_stop *stop, const char *args,
			const char *result)
{
	uint64_t in[FC_SYSCALL_STOP_WORDS], out[FC_SYSCALL_STOP_WORDS];
	struct fc_syscall_stop at = *stop;
	size_t nr_in = fc_syscalls_enter_stop(own, &at, in);
	size_t nr_out = fc_syscalls_leave_stop(own, &at, out);
	struct fc_value_words given = { .at = in + 1, .nr = (uint32_t)nr_in - 2 };
	struct fc_value_words after = { .at = out + 1, .nr = (uint32_t)nr_out - 2 };
	struct fc_value_text text;
	assert_true(nr_in <= FC_SYSCALL_WORDS && nr_out <= FC_SYSCALL_WORDS);
	assert_true(fc_values_args_text(told, given, after, &text));
	if (args)
		assert_string_equal(text.at, args);
	else /* an address, and nothing behind it */
		assert_null(strchr(text.at, '"'));
	assert_true(fc_values_result_text(told, after, &text));
	assert_string_equal(text.at, result);
}

/* Of this thread, which stands still enough for itself. */
static void what_pointers_lead_to_is_read(void **state)
{
	static const struct fc_fetch_opts fetch = { .string_size = 32, .depth = 1 };
	static const char path[] = "/etc/passwd";
	static char buffer[] = "some bytes that are read";
	struct fc_numbers numbers = { 0 };
	struct fc_syscalls *own = fc_syscalls_create(
		&numbers, &(struct fc_syscalls_opts){ .by = "", .fetch = &fetch });
	const struct fc_module_info *module = fc_syscalls_module(own);
	struct fc_values *told = fc_values_create();
	assert_int_equal(fc_values_add(told, module->values, module->values_size), 0);
	struct fc_syscall_stop open = { .tid = getpid(),
					.tsc = 100,
					.number = SYS_openat,
					.arg = { (uint64_t)-100, (uint64_t)path, 0x80000 },
					.result = -ENOENT };
	assert_stop(own, told, &open, "AT_FDCWD, \"/etc/passwd\", O_RDONLY|O_CLOEXEC, 0",
		    "-1 ENOENT");
	struct fc_syscall_stop read = { .tid = getpid(),
					.tsc = 100,
					.number = SYS_read,
					.arg = { 3, (uint64_t)buffer, 100 },
					.result = 4 };
	assert_stop(own, told, &read, "3, \"some\", 100", "4");
	read.result = -EAGAIN; /* nothing was written there */
	assert_stop(own, told, &read, NULL, "-1 EAGAIN");
	read.arg[1] = 8; /* nobody can read that */
	read.result = 4;
	assert_stop(own, told, &read, "3, 0x8, 100", "4");
	struct fc_syscall_stop unknown = { .tid = getpid(), .tsc = 100, .number = 4000 };
	assert_stop(own, told, &unknown, "4000, NULL, NULL, NULL, NULL, NULL", "0");
	fc_values_destroy(told);
	fc_syscalls_destroy(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_has_its_name_arguments_and_result),
		cmocka_unit_test(an_error_is_the_one_of_libc),
		cmocka_unit_test(what_the_kernel_makes_again_was_interrupted),
		cmocka_unit_test(one_that_nobody_knows_has_its_number),
		cmocka_unit_test(what_has_no_result_has_none),
		cmocka_unit_test(names_of_files_are_those_that_the_kernel_took),
		cmocka_unit_test(a_long_name_is_cut),
		cmocka_unit_test(each_name_of_a_file_is_an_argument_that_is_a_text),
		cmocka_unit_test(some_are_wanted),
		cmocka_unit_test(what_pointers_lead_to_is_read),
		cmocka_unit_test(calls_of_fctrace_are_told_from_the_programs),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
