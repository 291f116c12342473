/* SPDX-License-Identifier: Apache-2.0 */
/* C declarations: what they become, and what is said of those that are wrong. */
#include <bpf/btf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fail.h"
#include "values/proto/known.h"
#include "values/proto/protos.h"
#include "values/types_private.h"

static struct fc_types *read_text(const char *text)
{
	struct fc_types *types = NULL;
	if (fc_protos_read("t.h", text, strlen(text), &types))
		fail_msg("%s", fc_fail_text());
	return types;
}

static void expect_wrong(const char *text, const char *sentence)
{
	struct fc_types *types = NULL;
	assert_int_equal(fc_protos_read("t.h", text, strlen(text), &types), -EINVAL);
	assert_string_equal(fc_fail_text(), sentence);
}

static void a_file_of_bytes_is_no_text(void **state)
{
	static const char bytes[] = "int f(void) __asm__(\"\0g\");";
	struct fc_types *types = NULL;
	assert_int_equal(fc_protos_read("t.h", bytes, sizeof(bytes) - 1, &types), -EINVAL);
	assert_string_equal(fc_fail_text(), "t.h is no text: it has zero bytes");
	(void)state;
}

static void expect_struct(const char *text, const char *name, uint64_t size, uint32_t align)
{
	struct fc_types *types = read_text(text);
	uint32_t id = fc_types_find_tag(types, name);
	assert_true(id);
	assert_int_equal(fc_types_size(types, id), size);
	assert_int_equal(fc_types_align(types, id), align);
	fc_types_destroy(types);
}

/* The type of a parameter of the function f. */
static uint32_t param(const struct fc_types *types, uint32_t i)
{
	const struct btf *btf = fc_types_btf(types);
	const struct btf_type *func = btf__type_by_id(btf, fc_types_find_func(types, "f"));
	return btf_params(btf__type_by_id(btf, func->type))[i].type;
}

static const struct btf_type *kind_of_param(const struct fc_types *types, uint32_t i)
{
	return btf__type_by_id(fc_types_btf(types), fc_types_resolve(types, param(types, i)));
}

static void numbers_have_their_sizes(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t size;
		bool is_signed;
	} numbers[] = {
		{ "char", 1, true },
		{ "unsigned char", 1, false },
		{ "short int", 2, true },
		{ "int unsigned short", 2, false },
		{ "int", 4, true },
		{ "unsigned", 4, false },
		{ "long", 8, true },
		{ "long unsigned int long", 8, false },
		{ "signed long long int", 8, true },
		{ "__int128", 16, true },
		{ "_Bool", 1, false },
		{ "unsigned __int128", 16, false },
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char text[128];
		snprintf(text, sizeof(text), "void f(const %s volatile);", numbers[i].text);
		struct fc_types *types = read_text(text);
		assert_int_equal(fc_types_size(types, param(types, 0)), numbers[i].size);
		assert_int_equal(fc_types_is_signed(types, param(types, 0)),
				 numbers[i].is_signed);
		fc_types_destroy(types);
	}
}

static void floats_have_their_sizes(void **state)
{
	(void)state;
	struct fc_types *types =
		read_text("void f(float, double, long double, double _Complex);");
	assert_int_equal(fc_types_size(types, param(types, 0)), 4);
	assert_int_equal(fc_types_size(types, param(types, 1)), 8);
	assert_int_equal(fc_types_size(types, param(types, 2)), 16);
	assert_int_equal(fc_types_size(types, param(types, 3)), 16);
	assert_true(fc_types_is_float(types, param(types, 2)));
	fc_types_destroy(types);
}

static void declarators_are_read_from_the_name_outwards(void **state)
{
	(void)state;
	struct fc_types *types = read_text("extern void (*f(int sig, void (*h)(int)))(int);\n"
					   "int (*not_f)(void), *nor_this[3];\n"
					   "void g(int a[4], int b(char), char (*c)[7]);\n");
	const struct btf *btf = fc_types_btf(types);
	assert_true(btf_is_ptr(kind_of_param(types, 1)));
	const struct btf_type *func = btf__type_by_id(btf, fc_types_find_func(types, "f"));
	uint32_t result = btf__type_by_id(btf, func->type)->type;
	assert_true(btf_is_ptr(btf__type_by_id(btf, result)));
	assert_int_equal(fc_types_find_func(types, "not_f"), 0);
	func = btf__type_by_id(btf, fc_types_find_func(types, "g"));
	const struct btf_param *params = btf_params(btf__type_by_id(btf, func->type));
	for (int i = 0; i < 3; i++)
		assert_true(btf_is_ptr(btf__type_by_id(btf, params[i].type)));
	assert_int_equal(fc_types_size(types, btf__type_by_id(btf, params[2].type)->type), 7);
	fc_types_destroy(types);
}

static void structs_are_laid_as_gcc_lays_them(void **state)
{
	(void)state;
	expect_struct("struct s { char a; long b; char c; };", "s", 24, 8);
	expect_struct("struct s { char a; long b; } __attribute__((packed));", "s", 9, 1);
	expect_struct("struct __attribute__((__packed__)) s { char a; long b; };", "s", 9, 1);
	expect_struct("struct s { char a; } __attribute__((aligned(32)));", "s", 32, 32);
	expect_struct("struct s { char a; int b __attribute__((aligned(16))); };", "s", 32, 16);
	expect_struct("struct s { int a : 3, b : 30; };", "s", 8, 4);
	expect_struct("struct s { char a; int : 0; char b; };", "s", 5, 1);
	expect_struct("struct s { int a : 3; char b : 7; };", "s", 4, 4);
	expect_struct("union s { char a[9]; double b; };", "s", 16, 8);
	expect_struct("struct s { struct { char x; union { short y; int z; }; }; char w; };",
		      "s", 12, 4);
	expect_struct("enum { N = 1 << 3 }; struct s { char a[N + 1], b[]; };", "s", 9, 1);
	expect_struct("struct s { struct s *next; void (*f)(struct s *); };", "s", 16, 8);
	expect_struct("#define N 5\nstruct s { char a[N]; };", "s", 5, 1);
	expect_struct("struct s { long double a; };", "s", 16, 16);
	expect_struct("typedef int t; struct s { t t; const t u; };", "s", 8, 4);
}

static void constants_are_reckoned_as_in_c(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t size;
	} constants[] = {
		{ "1 + 2 * 3", 7 },	   { "(1 + 2) * 3", 9 },
		{ "7 / 2 % 2", 1 },	   { "1 << 4 | 3", 19 },
		{ "-1 < 0 ? 3 : 4", 3 },   { "-1 < 0u ? 3 : 4", 4 },
		{ "~0u >> 28", 15 },	   { "sizeof(long) + 'a' - 'a'", 8 },
		{ "!0 + !5", 1 },	   { "0x10 - 010", 8 },
		{ "(char)257 + 1", 2 },	   { "1 && 2 || 0", 1 },
		{ "5 >= 5 && 4 != 5", 1 }, { "'\\n' + '\\x01'", 11 },
		{ "_Alignof(double)", 8 }, { "6 ^ 3 & 1", 7 },
	};
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		char text[256];
		snprintf(text, sizeof(text), "struct s { char a[%s]; };", constants[i].text);
		expect_struct(text, "s", constants[i].size, 1);
	}
}

static void what_says_something_of_values_is_kept(void **state)
{
	(void)state;
	struct fc_types *types =
		read_text("enum e { A = 1, B = 2 } __attribute__((flag_enum));\n"
			  "long f(int, void *, unsigned long) "
			  "__attribute__((__access__(__write_only__, 2, 3),"
			  " nothrow, annotate(\"fails(-1)\"))) __asm__(\"\" \"g\");\n");
	uint32_t func = fc_types_find_func(types, "g");
	assert_int_equal(fc_types_find_func(types, "f"), 0);
	assert_string_equal(fc_types_tagged(types, func, "access"), "access(write_only,2,3)");
	assert_string_equal(fc_types_tagged(types, func, "fails"), "fails(-1)");
	assert_null(fc_types_tagged(types, func, "nothrow"));
	assert_true(fc_types_tagged(types, fc_types_find_tag(types, "e"), "flag_enum"));
	fc_types_destroy(types);
}

static void what_is_not_declared_is_passed_over(void **state)
{
	(void)state;
	struct fc_types *types = read_text(
		"/* a comment */ // another\n#pragma once\n#ifndef T_H\n#define T_H\n"
		"#ifdef __cplusplus\nextern \"C\" {\n#if 1\n#endif\n#endif\n"
		"static inline int g(int a) { if (a) { return '}'; } return 1; }\n"
		"_Static_assert(sizeof(int) == 4, \"x\");\n"
		"#define CALL(x) f(x)\n#define TEXT \"abc\"\n#define HARD (1 + unknown)\n"
		"int x = 5, y[] = { 1, { 2 } }, z;\n;\n__extension__ typedef void nothing;\n"
		"int f(nothing *, ...);\n#endif\n");
	assert_true(fc_types_find_func(types, "f"));
	assert_true(fc_types_find_func(types, "g"));
	assert_int_equal(fc_types_find_func(types, "x"), 0);
	fc_types_destroy(types);
}

static void errors_have_a_place(void **state)
{
	(void)state;
	expect_wrong("int f(int x", "t.h:1:12: the file ends where \")\" is missing");
	expect_wrong("\n  foo_t f(void);", "t.h:2:3: \"foo_t\" is not known here");
	expect_wrong("int f(foo);",
		     "t.h:1:7: the type of a parameter is missing before \"foo\"");
	expect_wrong("struct s { struct s a; };",
		     "t.h:1:21: the size of a member is not known");
	expect_wrong("struct s { __attribute__((nonnull)) };",
		     "t.h:1:37: a member is missing before \"}\"");
	expect_wrong("int f(__attribute__((nonnull)) 1);",
		     "t.h:1:32: the type of a parameter is missing before \"1\"");
	expect_wrong("__attribute__((nonnull)) 1;", "t.h:1:26: \"1\" is not known here");
	expect_wrong("union { int a : 0; };", "t.h:1:13: a bit-field of no bits has no name");
	expect_wrong("int f(void) __asm__(\"\");", "t.h:1:20: a symbol has no name");
	expect_wrong("long float x;", "t.h:1:1: these words make no type");
	expect_wrong("struct s { int a : 33; };",
		     "t.h:1:16: so many bits do not fit into its type");
	expect_wrong("struct s { char a[-1]; };",
		     "t.h:1:19: this number is to be between 0 and 4294967295");
	expect_wrong("struct s { char a[1 / 0]; };", "t.h:1:21: it is divided by zero");
	expect_wrong("enum { A = 1 << 32 };", "t.h:1:14: it is shifted too far");
	expect_wrong("enum { A = 2147483647 + 1 };", "t.h:1:23: the number is too large");
	expect_wrong("#include <stdio.h>\n", "t.h:1:2: this is for the preprocessor: give what "
					     "\"cpp -P FILE\" prints");
	expect_wrong("# 7 \"other.h\"\nint f(;",
		     "other.h:7:7: the type of a parameter is missing "
		     "before \";\"");
	expect_wrong("/* ", "t.h:1:4: a comment does not end");
	expect_wrong("int f(void)[3];",
		     "t.h:1:15: a function returns no function, and no array");
	expect_wrong("struct s { char a[1 << 30], b[1 << 30]; };",
		     "t.h:1:29: the struct is too large");
}

/* Repeated until it would be too much for any stack. */
static void expect_bounded(const char *piece, const char *head)
{
	enum { TIMES = 200000 };
	size_t nr = strlen(head), len = strlen(piece);
	char *text = malloc(nr + TIMES * len + 1);
	memcpy(text, head, nr);
	for (int i = 0; i < TIMES; i++, nr += len)
		memcpy(text + nr, piece, len);
	struct fc_types *types;
	assert_int_equal(fc_protos_read("t.h", text, nr, &types), -EINVAL);
	free(text);
}

static void nothing_is_too_deep(void **state)
{
	(void)state;
	expect_bounded("(", "int f");
	expect_bounded("*", "int ");
	expect_bounded("[1]", "int a");
	expect_bounded("struct {", "");
	expect_bounded("int (*a)(", "int f(");
	expect_bounded("-", "enum { A = ");
	expect_bounded("(1 ? ", "enum { A = ");
	expect_bounded("sizeof(struct { int a[", "enum { A = ");
	expect_bounded("__attribute__((", "int f ");
	expect_bounded("((", "int f(void) __attribute__((x");
	expect_bounded("{", "int f(void) ");
}

static void what_comes_with_fctrace_can_be_read(void **state)
{
	(void)state;
	assert_true(fc_types_find_func(fc_known_types("libc.so.6"), "open"));
	assert_true(fc_types_find_func(fc_known_types("libm.so.6"), "pow"));
	assert_null(fc_known_types("libnobody.so.1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_their_sizes),
		cmocka_unit_test(floats_have_their_sizes),
		cmocka_unit_test(declarators_are_read_from_the_name_outwards),
		cmocka_unit_test(structs_are_laid_as_gcc_lays_them),
		cmocka_unit_test(constants_are_reckoned_as_in_c),
		cmocka_unit_test(what_says_something_of_values_is_kept),
		cmocka_unit_test(what_is_not_declared_is_passed_over),
		cmocka_unit_test(errors_have_a_place),
		cmocka_unit_test(a_file_of_bytes_is_no_text),
		cmocka_unit_test(nothing_is_too_deep),
		cmocka_unit_test(what_comes_with_fctrace_can_be_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
