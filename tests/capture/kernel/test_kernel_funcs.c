/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's functions, as a list of tracefs has them: found by address and by name, left out, told. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fail.h"
#include "capture/kernel/kernel_funcs.h"

/* Not in the order of their addresses, as modules that are loaded later stand behind. */
static const char list[] = "ffffffff81000104 vfs_read\n"
			   "ffffffff81000204 vfs_write\n"
			   "ffffffff81000304 __x64_sys_openat\n"
			   "ffffffff81000404 __do_sys_getppid\n"
			   "ffffffff81000504 __sysvec_apic_timer_interrupt\n"
			   "ffffffffc0000010 ext4_open [ext4]\n"
			   "ffffffff81000604 late\n";

static char folder[] = "/tmp/test_kernel_funcs.XXXXXX";

static void write_list(const char *text)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/available_filter_functions_addrs", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct fc_kernel_funcs *read_list(void)
{
	struct fc_kernel_funcs *funcs;
	write_list(list);
	assert_int_equal(fc_kernel_funcs_read(folder, &funcs), 0);
	return funcs;
}

#define GLOBS(...) ((char *const[]){ __VA_ARGS__, NULL })

static uint32_t nr_told;
static char told[512];

static int take_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	size_t at = strlen(told);
	nr_told += info->nr_funcs;
	snprintf(told + at, sizeof(told) - at, "%s:", info->path);
	for (size_t i = 0; i < info->nr_funcs; i++) {
		at = strlen(told);
		snprintf(told + at, sizeof(told) - at, " %s+%#llx", info->funcs[i].name,
			 (unsigned long long)info->funcs[i].vaddr);
	}
	strcat(told, "\n");
	return 0;
}

static void tell(struct fc_kernel_funcs *funcs)
{
	struct fc_numbers numbers = { 0 };
	struct fc_tap tap = { .module = take_module };
	nr_told = 0;
	told[0] = 0;
	fc_kernel_funcs_number(funcs, &numbers);
	assert_int_equal(fc_kernel_funcs_tell(funcs, &numbers, NULL, 0, &tap), 0);
	assert_int_equal(numbers.funcs, nr_told);
}

static void a_trace_has_no_address_of_the_kernel(void **state)
{
	struct fc_kernel_funcs *funcs = read_list();
	tell(funcs);
	assert_string_equal(told, "[kernel]: vfs_read+0 vfs_write+0x100 __x64_sys_openat+0x200 "
				  "__do_sys_getppid+0x300 late+0x500\n"
				  "[interrupt]: __sysvec_apic_timer_interrupt+0\n"
				  "[ext4]: ext4_open+0\n");
	fc_kernel_funcs_destroy(funcs);
}

static void an_address_is_of_the_function_that_begins_there(void **state)
{
	struct fc_kernel_funcs *funcs = read_list();
	assert_null(fc_kernel_funcs_at(funcs, 0xffffffff81000104)); /* none is told yet */
	tell(funcs);
	assert_string_equal(fc_kernel_funcs_at(funcs, 0xffffffff81000104)->name, "vfs_read");
	assert_string_equal(fc_kernel_funcs_at(funcs, 0xffffffff81000608)->name, "late");
	assert_string_equal(fc_kernel_funcs_at(funcs, 0xffffffffc0000010)->module, "[ext4]");
	assert_null(fc_kernel_funcs_at(funcs, 0xffffffff81000180)); /* within it */
	assert_null(fc_kernel_funcs_at(funcs, 0));
	assert_null(fc_kernel_funcs_at(funcs, UINT64_MAX));
	fc_kernel_funcs_destroy(funcs);
}

static void what_is_left_out_is_a_list_of_lines(void **state)
{
	struct fc_kernel_funcs *funcs = read_list();
	fc_kernel_funcs_keep_only(funcs, GLOBS("vfs_*", "late"));
	fc_kernel_funcs_leave_out(funcs, GLOBS("*_write"));
	char *in = fc_kernel_funcs_lines(funcs, false),
	     *out = fc_kernel_funcs_lines(funcs, true);
	assert_string_equal(in, "1 7 ");
	assert_string_equal(out, "2 3 4 5 6 ");
	free(in);
	free(out);
	tell(funcs);
	assert_string_equal(told, "[kernel]: vfs_read+0 late+0x500\n");
	assert_null(fc_kernel_funcs_at(funcs, 0xffffffff81000204));
	fc_kernel_funcs_destroy(funcs);
}

static void a_system_call_is_known_by_its_name(void **state)
{
	struct fc_kernel_funcs *funcs = read_list();
	assert_int_equal(
		fc_kernel_funcs_check(funcs, "--from", GLOBS("sys_openat", "sys_get*")), 0);
	assert_int_equal(fc_kernel_funcs_check(funcs, "--from", GLOBS("sys_nosuch")), -EINVAL);
	assert_non_null(
		strstr(fc_fail_text(), "--from sys_nosuch: the kernel has no function"));
	fc_kernel_funcs_mark(funcs, GLOBS("sys_openat"));
	tell(funcs);
	assert_true(fc_kernel_funcs_at(funcs, 0xffffffff81000304)->is_start);
	assert_false(fc_kernel_funcs_at(funcs, 0xffffffff81000404)->is_start);
	fc_kernel_funcs_destroy(funcs);
}

static void an_address_is_where_a_function_begins(void **state)
{
	struct fc_kernel_funcs *funcs = read_list();
	size_t nr;
	/* The list has where calls are seen: behind the first instruction, on some CPUs. */
	fc_kernel_funcs_keep_only(funcs, GLOBS("0xffffffff81000100", "0xffffffff81000204"));
	const struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(all[i].is_out, strncmp(all[i].name, "vfs_", 4) != 0);
	assert_int_equal(fc_kernel_funcs_check(funcs, "--from", GLOBS("0xffffffff81000105")),
			 -EINVAL);
	assert_string_equal(
		fc_fail_text(),
		"--from 0xffffffff81000105: no function that the kernel can trace begins "
		"there; /proc/kallsyms has the addresses of all");
	assert_int_equal(fc_kernel_funcs_check(funcs, "--from", GLOBS("0xffffffff810000f0")),
			 -EINVAL);
	fc_kernel_funcs_destroy(funcs);
}

static void a_name_that_is_mistyped_is_asked_about(void **state)
{
	struct fc_kernel_funcs *funcs = read_list();
	assert_int_equal(fc_kernel_funcs_check(funcs, "--kfilter", GLOBS("ext4_opne")),
			 -EINVAL);
	assert_string_equal(
		fc_fail_text(),
		"--kfilter ext4_opne: the kernel has no function of that name; did you mean "
		"ext4_open? See available_filter_functions in tracefs, which lists those that "
		"it "
		"can trace");
	fc_kernel_funcs_destroy(funcs);
}

static void a_list_of_nothing_is_an_empty_one(void **state)
{
	struct fc_kernel_funcs *funcs;
	write_list("");
	assert_int_equal(fc_kernel_funcs_read(folder, &funcs), 0);
	tell(funcs);
	assert_string_equal(told, "");
	assert_null(fc_kernel_funcs_at(funcs, 0xffffffff81000104));
	fc_kernel_funcs_destroy(funcs);
	write_list("\n \nzz\nffffffff81000104\n");
	assert_int_equal(fc_kernel_funcs_read(folder, &funcs), 0);
	tell(funcs);
	fc_kernel_funcs_destroy(funcs);
}

static int begin(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/available_filter_functions_addrs", folder);
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trace_has_no_address_of_the_kernel),
		cmocka_unit_test(an_address_is_of_the_function_that_begins_there),
		cmocka_unit_test(what_is_left_out_is_a_list_of_lines),
		cmocka_unit_test(a_system_call_is_known_by_its_name),
		cmocka_unit_test(an_address_is_where_a_function_begins),
		cmocka_unit_test(a_name_that_is_mistyped_is_asked_about),
		cmocka_unit_test(a_list_of_nothing_is_an_empty_one),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
