/* SPDX-License-Identifier: Apache-2.0 */
/* Types are shown as C declares them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>

#include "values/declared.h"
#include "values/proto/protos.h"
#include "values/types_private.h"

static void expect(const char *declaration, const char *wanted)
{
	struct fc_types *types = NULL;
	struct fc_value_text text;
	char source[1024];

	snprintf(source, sizeof(source),
		 "typedef unsigned long size_t; struct s; enum e { A }; union u { int a; };\n"
		 "void f(%s);",
		 declaration);
	assert_int_equal(fc_protos_read("t.h", source, strlen(source), &types), 0);
	const struct btf *btf = fc_types_btf(types);
	const struct btf_type *func = btf__type_by_id(btf, fc_types_find_func(types, "f"));
	const struct btf_param *param = btf_params(btf__type_by_id(btf, func->type));
	fc_value_text_clear(&text);
	fc_declared_put(&text, types, param->type, btf__str_by_offset(btf, param->name_off));
	assert_string_equal(text.at, wanted);
	fc_types_destroy(types);
}

static void types_are_as_they_were_declared(void **state)
{
	static const char *const same[] = {
		"int n",
		"unsigned long long n",
		"size_t size",
		"const char *path",
		"char *const *argv",
		"const char *const *const names",
		"void *p",
		"const void *buffer",
		"struct s *s",
		"enum e e",
		"union u u",
		"int (*matrix)[3]",
		"const int (*rows)[2][3]",
		"void (*stop)(void)",
		"long double x",
	};
	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		expect(same[i], same[i]);
	expect("int (*compare)(const void *, const void *)", "int (*compare)(...)");
	expect("void (*(*handler)(int))(int)", "void (*(*handler)(...))(...)");
	expect("struct { int a; } *p", "struct {...} *p");
}

static void what_is_too_deep_or_too_long_is_cut(void **state)
{
	expect("int ***************p", "int ***************p");
	expect("int ****************p", "? ****************p");
	struct fc_types *types = NULL;
	struct fc_value_text text;
	char name[400];
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	assert_int_equal(fc_protos_read("t.h", "int x(int *p);", 14, &types), 0);
	const struct btf *btf = fc_types_btf(types);
	const struct btf_type *func = btf__type_by_id(btf, fc_types_find_func(types, "x"));
	const struct btf_param *param = btf_params(btf__type_by_id(btf, func->type));
	fc_value_text_clear(&text);
	fc_declared_put(&text, types, param->type, name);
	assert_true(strlen(text.at) < 300);
	assert_string_equal(text.at + strlen(text.at) - 6, "aaa...");
	fc_types_destroy(types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_are_as_they_were_declared),
		cmocka_unit_test(what_is_too_deep_or_too_long_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
