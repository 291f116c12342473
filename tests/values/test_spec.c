/* SPDX-License-Identifier: Apache-2.0 */
/* What the user says of arguments and results: types and places of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "values/spec.h"
#include "values/types_private.h"

enum { RAX = 0, RSI = 4, RDI = 5, R9 = 9, XMM0 = 17 };

static struct fc_value_spec spec_of(const char *text, bool is_result)
{
	struct fc_value_spec spec;
	assert_int_equal(fc_value_spec_read(&fc_arch_x86_64, text, is_result, &spec), 0);
	return spec;
}

static const struct btf_type *proto_of(const struct fc_value_spec *spec)
{
	const struct btf *btf = fc_types_btf(spec->types);
	return btf__type_by_id(btf, btf__type_by_id(btf, spec->signature.func)->type);
}

static void expect_place(const struct fc_value_spec *spec, uint32_t i, const char *name,
			 struct fc_piece piece)
{
	const struct fc_location *place = &spec->signature.param[i];
	const struct btf_param *param = &btf_params(proto_of(spec))[i];
	assert_true(i < spec->signature.nr);
	assert_int_equal(place->nr, 1);
	assert_int_equal(place->piece[0].kind, piece.kind);
	assert_int_equal(place->piece[0].reg, piece.reg);
	assert_int_equal(place->piece[0].size, piece.size);
	assert_int_equal(place->piece[0].off, piece.off);
	assert_string_equal(btf__name_by_offset(fc_types_btf(spec->types), param->name_off),
			    name);
	assert_int_equal(fc_types_size(spec->types, param->type), piece.size);
}

static void a_glob_alone_says_nothing(void **state)
{
	struct fc_value_spec spec = spec_of("std::*", false);
	assert_string_equal(spec.glob, "std::*");
	assert_null(spec.types);
	fc_value_spec_deinit(&spec);
}

static void places_are_those_of_the_abi(void **state)
{
	struct fc_value_spec spec = spec_of(
		"f@arg1/s,arg6/x16,arg7/i8,arg9,fparg1,fparg2/32,fparg9,fparg2/80", false);
	assert_int_equal(spec.signature.nr, 8);
	expect_place(&spec, 0, "arg1", (struct fc_piece){ FC_PIECE_INT, RDI, 8, 0 });
	expect_place(&spec, 1, "arg6", (struct fc_piece){ FC_PIECE_INT, R9, 2, 0 });
	expect_place(&spec, 2, "arg7", (struct fc_piece){ FC_PIECE_STACK, 0, 1, 8 });
	expect_place(&spec, 3, "arg9", (struct fc_piece){ FC_PIECE_STACK, 0, 8, 24 });
	expect_place(&spec, 4, "fparg1", (struct fc_piece){ FC_PIECE_VECTOR, XMM0, 8, 0 });
	expect_place(&spec, 5, "fparg2", (struct fc_piece){ FC_PIECE_VECTOR, XMM0 + 1, 4, 0 });
	expect_place(&spec, 6, "fparg9", (struct fc_piece){ FC_PIECE_STACK, 0, 8, 8 });
	expect_place(&spec, 7, "fparg2", (struct fc_piece){ FC_PIECE_STACK, 0, 16, 24 });
	fc_value_spec_deinit(&spec);
}

static void the_user_may_say_where(void **state)
{
	struct fc_value_spec spec = spec_of(
		"f@arg1%rax,arg2/i32%stack+3,arg3%stack2,fparg1/32%xmm7,arg4/S%rsi", false);
	assert_int_equal(spec.signature.nr, 5);
	expect_place(&spec, 0, "arg1", (struct fc_piece){ FC_PIECE_INT, RAX, 8, 0 });
	expect_place(&spec, 1, "arg2", (struct fc_piece){ FC_PIECE_STACK, 0, 4, 24 });
	expect_place(&spec, 2, "arg3", (struct fc_piece){ FC_PIECE_STACK, 0, 8, 16 });
	expect_place(&spec, 3, "fparg1", (struct fc_piece){ FC_PIECE_VECTOR, XMM0 + 7, 4, 0 });
	expect_place(&spec, 4, "arg4", (struct fc_piece){ FC_PIECE_INT, RSI, 8, 0 });
	fc_value_spec_deinit(&spec);
}

static void a_result_has_a_type(void **state)
{
	static const struct {
		const char *text;
		uint32_t size;
		bool is_signed, is_float;
	} cases[] = {
		{ "f@retval", 8, true, false },	     { "f@retval/i32", 4, true, false },
		{ "f@retval/u8", 1, false, false },  { "f@retval/x16", 2, false, false },
		{ "f@retval/f", 8, false, true },    { "f@retval/f32", 4, false, true },
		{ "f@retval/f80", 16, false, true }, { "f@retval/S", 8, false, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fc_value_spec spec = spec_of(cases[i].text, true);
		uint32_t type = proto_of(&spec)->type;
		assert_int_equal(fc_types_size(spec.types, type), cases[i].size);
		assert_int_equal(fc_types_is_signed(spec.types, type), cases[i].is_signed);
		assert_int_equal(fc_types_is_float(spec.types, type), cases[i].is_float);
		fc_value_spec_deinit(&spec);
	}
}

static void too_many_are_refused(void **state)
{
	char text[1024] = "f@arg1";
	struct fc_value_spec spec;
	for (int i = 1; i < FC_MAX_PARAMS; i++)
		strcat(text, ",arg1");
	spec = spec_of(text, false);
	assert_int_equal(spec.signature.nr, FC_MAX_PARAMS);
	fc_value_spec_deinit(&spec);
	strcat(text, ",arg1");
	assert_int_not_equal(fc_value_spec_read(&fc_arch_x86_64, text, false, &spec), 0);
	assert_non_null(strstr(fc_fail_text(), "column 323: more than 64 arguments"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_glob_alone_says_nothing),
		cmocka_unit_test(places_are_those_of_the_abi),
		cmocka_unit_test(the_user_may_say_where),
		cmocka_unit_test(a_result_has_a_type),
		cmocka_unit_test(too_many_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
