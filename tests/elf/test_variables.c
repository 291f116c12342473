/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of this program's own variables have their names. */
#include <errno.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "elf/elf.h"
#include "elf/variables.h"

#define SELF "/proc/self/exe"

struct {
	long first;
	int second[4];
} a_variable = { 1, { 2 } };
static char another[64];
int yet_another_that_is_zero;

static int take_base(struct dl_phdr_info *info, size_t size, void *ret)
{
	*(uint64_t *)ret = info->dlpi_addr;
	return 1; /* the program is the first */
}

static uint64_t vaddr_of(const void *at)
{
	uint64_t base = 0;
	dl_iterate_phdr(take_base, &base);
	return (uintptr_t)at - base;
}

static void assert_found(const struct fc_variables *variables, const void *at, const char *name,
			 uint64_t offset)
{
	const char *found = NULL;
	uint64_t found_offset = 0;

	assert_true(fc_variables_has(variables, vaddr_of(at)));
	assert_true(fc_variables_find(variables, vaddr_of(at), &found, &found_offset));
	assert_string_equal(found, name);
	assert_int_equal(found_offset, offset);
}

static void variables_are_found_by_their_addresses(void **state)
{
	struct fc_variables *variables = NULL;
	struct fc_elf *elf = NULL;
	const char *name;
	uint64_t offset;

	assert_int_equal(fc_elf_open_headers(SELF, SELF, &elf), 0);
	assert_int_equal(fc_variables_open(SELF, elf->build_id, &variables), 0);
	assert_found(variables, &a_variable, "a_variable", 0);
	assert_found(variables, &a_variable.second[1], "a_variable",
		     (uintptr_t)&a_variable.second[1] - (uintptr_t)&a_variable);
	another[3] = 1;
	assert_found(variables, another + 63, "another", 63);
	assert_found(variables, &yet_another_that_is_zero, "yet_another_that_is_zero", 0);
	/* A function is none. */
	assert_false(fc_variables_find(variables, vaddr_of(take_base), &name, &offset));
	assert_false(fc_variables_has(variables, vaddr_of(&variables)));
	assert_false(fc_variables_find(variables, UINT64_MAX, &name, &offset));
	assert_false(fc_variables_find(variables, 0, &name, &offset));
	fc_variables_close(variables);
	fc_elf_close(elf);
}

static void another_file_is_refused(void **state)
{
	struct fc_variables *variables = NULL;

	assert_int_equal(fc_variables_open(SELF, "00", &variables), -ESTALE);
	assert_int_equal(fc_variables_open("/nonexistent", "", &variables), -ENOENT);
	assert_true(fc_variables_open("/proc/self/status", "", &variables) < 0);
	assert_true(fc_variables_open("/dev/null", "", &variables) < 0);
	assert_null(variables);
	fc_variables_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_are_found_by_their_addresses),
		cmocka_unit_test(another_file_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
