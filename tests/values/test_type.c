// SPDX-License-Identifier: Apache-2.0
// test_type.c - a view of a type tells what its table was told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "values/type.h"

static int set_up(void **state)
{
	*state = fc_types_create();
	return 0;
}

static int tear_down(void **state)
{
	fc_types_destroy(*state);
	return 0;
}

static void numbers_have_sizes_and_kinds(void **state)
{
	struct fc_types *types = *state;
	uint32_t flag = fc_types_number(types, "_Bool", 1, FC_NUMBER_BOOL);
	uint32_t letter = fc_types_number(types, "char", 1, FC_NUMBER_CHAR);
	uint32_t word = fc_types_number(types, "long", 8, FC_NUMBER_SIGNED);
	uint32_t wide = fc_types_number(types, "unsigned __int128", 16, FC_NUMBER_UNSIGNED);
	uint32_t real = fc_types_float(types, "double", 8);
	struct fc_type type = fc_type_at(types, flag);
	assert_int_equal(type.kind, FC_TYPE_INT);
	assert_int_equal(type.number, FC_NUMBER_BOOL);
	assert_int_equal(fc_type_at(types, letter).number, FC_NUMBER_CHAR);
	type = fc_type_at(types, word);
	assert_int_equal(type.number, FC_NUMBER_SIGNED);
	assert_int_equal(type.size, 8);
	assert_string_equal(type.name, "long");
	assert_int_equal(fc_type_at(types, wide).number, FC_NUMBER_UNSIGNED);
	assert_int_equal(fc_type_at(types, wide).size, 16);
	assert_int_equal(fc_type_at(types, real).kind, FC_TYPE_FLOAT);
}

static void names_and_qualifiers_are_looked_through(void **state)
{
	struct fc_types *types = *state;
	uint32_t letter = fc_types_number(types, "char", 1, FC_NUMBER_CHAR);
	uint32_t fixed = fc_types_const(types, letter);
	uint32_t called = fc_types_typedef(types, "letter", fixed);
	assert_int_equal(fc_type_at(types, called).id, letter);
	struct fc_type type = fc_type_as_named(types, called);
	assert_int_equal(type.kind, FC_TYPE_TYPEDEF);
	assert_string_equal(type.name, "letter");
	type = fc_type_as_named(types, type.of);
	assert_int_equal(type.kind, FC_TYPE_CONST);
	assert_int_equal(type.of, letter);
}

static void pointers_and_arrays_are_of_something(void **state)
{
	struct fc_types *types = *state;
	uint32_t word = fc_types_number(types, "int", 4, FC_NUMBER_SIGNED);
	struct fc_type type = fc_type_at(types, fc_types_pointer(types, word));
	assert_int_equal(type.kind, FC_TYPE_POINTER);
	assert_int_equal(type.size, 8);
	assert_int_equal(type.of, word);
	assert_int_equal(type.tags, 0);
	type = fc_type_at(types, fc_types_reference(types, word, true));
	assert_int_equal(type.tags, FC_TAG_RVALUE);
	type = fc_type_at(types, fc_types_array(types, word, 3));
	assert_int_equal(type.kind, FC_TYPE_ARRAY);
	assert_int_equal(type.of, word);
	assert_int_equal(type.nr, 3);
	assert_true(fc_type_is_compound(&type));
	type = fc_type_at(types, fc_types_vector(types, word, 4));
	assert_int_equal(type.tags, FC_TAG_VECTOR);
}

static void members_have_places(void **state)
{
	struct fc_types *types = *state;
	uint32_t word = fc_types_number(types, "unsigned int", 4, FC_NUMBER_UNSIGNED);
	const struct fc_member members[] = {
		{ "whole", word, 0, 0 },
		{ "part", word, 35, 7 },
		{ "", word, 64, 0 },
	};
	uint32_t id = fc_types_struct(types, "it", false, 12, 4, members, 3);
	struct fc_type type = fc_type_at(types, id);
	assert_int_equal(type.kind, FC_TYPE_STRUCT);
	assert_int_equal(type.size, 12);
	assert_int_equal(type.nr, 3);
	for (uint32_t i = 0; i < type.nr; i++) {
		struct fc_member member = fc_type_member(&type, i);
		assert_string_equal(member.name, members[i].name);
		assert_int_equal(member.type, members[i].type);
		assert_int_equal(member.bit, members[i].bit);
		assert_int_equal(member.bits, members[i].bits);
	}
	type = fc_type_at(types, fc_types_struct(types, "", true, 4, 4, members, 1));
	assert_int_equal(type.kind, FC_TYPE_UNION);
	assert_true(type.is_union);
	assert_string_equal(type.name, "");
	/* A forward is what it became. */
	assert_int_equal(fc_type_at(types, fc_types_forward(types, "it", false)).id, id);
	type = fc_type_at(types, fc_types_forward(types, "other", true));
	assert_int_equal(type.kind, FC_TYPE_FORWARD);
	assert_true(type.is_union);
}

static void check_enum(struct fc_types *types, uint32_t size, bool is_signed, int64_t value)
{
	const struct fc_enumerator values[] = { { "ZERO", 0 }, { "ONE", value } };
	struct fc_type type =
		fc_type_at(types, fc_types_enum(types, "", size, is_signed, values, 2));
	assert_int_equal(type.kind, FC_TYPE_ENUM);
	assert_int_equal(type.size, size);
	assert_int_equal(type.is_signed, is_signed);
	assert_int_equal(type.nr, 2);
	assert_string_equal(fc_type_enumerator(&type, 1).name, "ONE");
	assert_int_equal(fc_type_enumerator(&type, 1).value, value);
	assert_int_equal(fc_type_enumerator(&type, 0).value, 0);
}

static void enumerators_keep_their_values(void **state)
{
	check_enum(*state, 4, true, -1);
	check_enum(*state, 4, false, UINT32_MAX);
	check_enum(*state, 8, true, INT64_MIN);
	check_enum(*state, 8, false, (int64_t)UINT64_MAX);
	check_enum(*state, 1, false, 255);
}

static void functions_have_parameters(void **state)
{
	struct fc_types *types = *state;
	uint32_t word = fc_types_number(types, "int", 4, FC_NUMBER_SIGNED);
	uint32_t text = fc_types_pointer(types, word);
	const struct fc_param params[] = { { "to", text }, { "", word } };
	uint32_t open = fc_types_proto(types, word, params, 2, true);
	uint32_t func = fc_types_func(types, "printf", open);
	struct fc_type proto = fc_type_of_func(types, func);
	assert_int_equal(proto.id, open);
	assert_int_equal(proto.of, word);
	assert_int_equal(proto.nr, 2);
	assert_true(proto.is_variadic);
	assert_string_equal(fc_type_param(&proto, 0).name, "to");
	assert_int_equal(fc_type_param(&proto, 0).type, text);
	assert_string_equal(fc_type_param(&proto, 1).name, "");
	assert_string_equal(fc_type_as_named(types, func).name, "printf");
	proto = fc_type_at(types, fc_types_proto(types, 0, NULL, 0, false));
	assert_int_equal(proto.nr, 0);
	assert_false(proto.is_variadic);
	/* What is no function has no parameters. */
	assert_int_equal(fc_type_of_func(types, word).kind, FC_TYPE_NONE);
	assert_int_equal(fc_type_of_func(types, 0).nr, 0);
}

/* Kept views are those that are made anew; after a type was added there are none of before. */
static void kept_views_are_the_same(void **state)
{
	struct fc_types *types = *state;
	uint32_t letter = fc_types_number(types, "char", 1, FC_NUMBER_CHAR);
	uint32_t called = fc_types_typedef(types, "letter", fc_types_const(types, letter));
	uint32_t forward = fc_types_forward(types, "later", false);
	struct fc_type before[2] = { fc_type_at(types, called),
				     fc_type_as_named(types, called) };
	fc_type_keep_all(types);
	struct fc_type kept[2] = { fc_type_at(types, called), fc_type_as_named(types, called) };
	for (int i = 0; i < 2; i++) {
		assert_int_equal(kept[i].id, before[i].id);
		assert_int_equal(kept[i].kind, before[i].kind);
		assert_string_equal(kept[i].name, before[i].name);
	}
	assert_int_equal(fc_type_at(types, 0).kind, FC_TYPE_NONE);
	assert_int_equal(fc_type_at(types, 12345).kind, FC_TYPE_NONE);
	assert_int_equal(fc_type_at(types, forward).kind, FC_TYPE_FORWARD);
	uint32_t whole = fc_types_struct(types, "later", false, 0, 1, NULL, 0);
	assert_int_equal(fc_type_at(types, forward).id, whole);
	assert_int_equal(fc_type_at(types, called).id, letter);
}

static void what_is_not_there_is_none(void **state)
{
	struct fc_type type = fc_type_at(*state, 0);
	assert_int_equal(type.kind, FC_TYPE_NONE);
	assert_string_equal(type.name, "");
	type = fc_type_as_named(*state, 12345);
	assert_int_equal(type.kind, FC_TYPE_NONE);
	assert_int_equal(type.id, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(numbers_have_sizes_and_kinds, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(names_and_qualifiers_are_looked_through, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(pointers_and_arrays_are_of_something, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(members_have_places, set_up, tear_down),
		cmocka_unit_test_setup_teardown(enumerators_keep_their_values, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(functions_have_parameters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(kept_views_are_the_same, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_not_there_is_none, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
