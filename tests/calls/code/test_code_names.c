/* SPDX-License-Identifier: Apache-2.0 */
#include "calls/code/code_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
/* cmocka.h needs these before it. */
#include <cmocka.h>

static struct fc_name name_of(void *ctx, uint32_t id)
{
	static char name[16];
	snprintf(name, sizeof(name), "number %u", id);
	return (struct fc_name){ .name = name };
}

/* Out of order, as anybody may write a trace. */
static const struct fc_func_info first[] = {
	{ .name = "late", .vaddr = 0x300 },
	{ .name = "hooked", .vaddr = 0x100, .id = 7, .how = FC_HOW_HOOKED },
	{ .name = "_ZN3one3twoEi", .vaddr = 0x200 },
	{ .name = "late.cold", .vaddr = 0x400, .how = FC_HOW_PART },
	{ .name = NULL, .vaddr = 0x500 },
};
static const struct fc_func_info other[] = { { .name = "late", .vaddr = 0x1300 },
					     { .name = "elsewhere", .vaddr = 0x1200 } };

static struct fc_code *make(void)
{
	struct fc_code *code =
		fc_code_create((struct fc_namer){ .name_of = name_of }, FC_DEMANGLE_SIMPLE);
	fc_code_add_module(code,
			   &(struct fc_module_info){ .id = 1, .funcs = first, .nr_funcs = 5 });
	fc_code_add_module(code,
			   &(struct fc_module_info){ .id = 2, .funcs = other, .nr_funcs = 2 });
	return code;
}

static void map(struct fc_code *code, uint32_t module, uint64_t taddr)
{
	fc_code_add_map(code, &(struct fc_map_info){ .module_id = module, .taddr = taddr });
}

static void functions_are_found_where_they_begin(void **state)
{
	struct fc_code *code = make();
	assert_null(fc_code_name_at(code, 0x100)); /* it is mapped nowhere */
	map(code, 1, 0x10000);
	assert_string_equal(fc_code_name_at(code, 0x10100), "number 7");
	assert_string_equal(fc_code_name_at(code, 0x10200), "one::two");
	assert_string_equal(fc_code_name_at(code, 0x10200), "one::two");
	assert_string_equal(fc_code_name_at(code, 0x10300), "late");
	static const uint64_t none[] = { 0,	  0x10000, 0x100ff,    0x10101,
					 0x10400, 0x10500, UINT64_MAX, 0x200 };
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_null(fc_code_name_at(code, none[i]));
	fc_code_destroy(code);
}

/* Processes may have another one there each. */
static void of_two_functions_at_one_address_none_is_told(void **state)
{
	struct fc_code *code = make();
	map(code, 1, 0x11000);
	map(code, 1, 0x11000);
	map(code, 2, 0x10000);
	assert_null(fc_code_name_at(code, 0x11200));
	assert_string_equal(fc_code_name_at(code, 0x11300), "late"); /* both are called so */
	map(code, 3, 0x10000);					     /* nobody has told of it */
	assert_string_equal(fc_code_name_at(code, 0x11300), "late");
	fc_code_destroy(code);
}

static void there_may_be_more_maps_than_are_looked_at(void **state)
{
	struct fc_code *code = make();
	for (uint64_t i = 0; i < 10000; i++)
		map(code, 1, i << 20);
	assert_non_null(fc_code_name_at(code, (1ull << 20) + 0x300));
	assert_null(fc_code_name_at(code, (9999ull << 20) + 0x300));
	fc_code_destroy(code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_where_they_begin),
		cmocka_unit_test(of_two_functions_at_one_address_none_is_told),
		cmocka_unit_test(there_may_be_more_maps_than_are_looked_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
