/* SPDX-License-Identifier: Apache-2.0 */
/* From types to where values are: what counts of a type, and what is too much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "base/vec.h"
#include "values/places.h"
#include "values/shape.h"

enum { RAX = 0, RSI = 4, RDI = 5, XMM0 = 17 };

struct numbers {
	struct fc_types *types;
	uint32_t of_int, of_long, of_char, of_double, of_long_double;
};

static struct numbers start(void)
{
	struct fc_types *types = fc_types_create();
	return (struct numbers){
		.types = types,
		.of_int = fc_types_number(types, "int", 4, FC_NUMBER_SIGNED),
		.of_long = fc_types_number(types, "long", 8, FC_NUMBER_SIGNED),
		.of_char = fc_types_number(types, "char", 1, FC_NUMBER_CHAR),
		.of_double = fc_types_float(types, "double", 8),
		.of_long_double = fc_types_float(types, "long double", 16),
	};
}

static uint32_t function(struct fc_types *types, uint32_t result, const uint32_t *params,
			 size_t nr, bool is_variadic)
{
	struct fc_param its[128] = { { NULL } };
	for (size_t i = 0; i < nr; i++)
		its[i] = (struct fc_param){ "", params[i] };
	return fc_types_func(types, "f", fc_types_proto(types, result, its, nr, is_variadic));
}

static struct fc_value_places places_of(const struct fc_types *types,
					struct fc_signature signature)
{
	struct fc_value_places ret;
	fc_value_places_find(&fc_arch_x86_64, types, &signature, &ret);
	return ret;
}

static bool is_in(const struct fc_location *location, enum fc_piece_kind kind, uint8_t reg,
		  uint32_t size)
{
	return location->nr == 1 && location->piece[0].kind == kind &&
	       location->piece[0].reg == reg && location->piece[0].size == size;
}

static void expect_leaves(const struct fc_types *types, uint32_t type, size_t nr)
{
	struct fc_shape shape;
	assert_true(fc_shape_init(&shape, types, type));
	assert_int_equal(shape.nr_leaves, nr);
	fc_shape_deinit(&shape);
}

static void expect_no_shape(const struct fc_types *types, uint32_t type)
{
	struct fc_shape shape;
	assert_false(fc_shape_init(&shape, types, type));
	assert_null(shape.leaves);
	assert_int_equal(shape.size, 0);
}

static void arrays_unions_and_bit_fields_are_told_by_their_leaves(void **state)
{
	struct numbers n = start();
	const struct fc_member in[] = {
		{ "bits", n.of_int, 0, 3 },
		{ "", n.of_int, 64, 3 }, /* padding */
		{ "more", n.of_long, 60, 10 },
		{ "array", fc_types_array(n.types, n.of_char, 3), 32, 0 },
		{ "none", fc_types_array(n.types, n.of_long, 0), 128, 0 },
	};
	uint32_t type = fc_types_struct(n.types, "s", false, 16, 8, in, 5);
	struct fc_shape shape;
	assert_true(fc_shape_init(&shape, n.types, type));
	static const struct fc_leaf leaves[] = { { 0, 1, FC_LEAF_INT },
						 { 8, 1, FC_LEAF_INT },
						 { 4, 1, FC_LEAF_INT },
						 { 5, 1, FC_LEAF_INT },
						 { 6, 1, FC_LEAF_INT } };
	assert_int_equal(shape.nr_leaves, 5);
	assert_memory_equal(shape.leaves, leaves, sizeof(leaves));
	fc_shape_deinit(&shape);
	const struct fc_member either[] = { { "a", type, 0, 0 },
					    { "b", type, 0, 0 },
					    { "c", n.of_long_double, 0, 0 } };
	expect_leaves(n.types, fc_types_struct(n.types, "u", true, 16, 16, either, 3), 6);
	fc_types_destroy(n.types);
}

static void a_float_of_16_bytes_is_told_by_its_name_or_tag(void **state)
{
	struct numbers n = start();
	uint32_t decimal = fc_types_float(n.types, "d", 16);
	fc_types_tag(n.types, decimal, "decimal");
	const uint32_t params[] = { fc_types_typedef(n.types, "quad",
						     fc_types_float(n.types, "__float128", 16)),
				    decimal, n.of_long_double };
	struct fc_value_places places = places_of(
		n.types, (struct fc_signature){ function(n.types, 0, params, 3, true) });
	assert_int_equal(places.nr, 3);
	assert_true(is_in(&places.param[0], FC_PIECE_VECTOR, XMM0, 16));
	assert_true(is_in(&places.param[1], FC_PIECE_VECTOR, XMM0 + 1, 16));
	assert_true(is_in(&places.param[2], FC_PIECE_STACK, 0, 16));
	fc_types_destroy(n.types);
}

/* It is aligned to what it would not be: that is kept through a table's bytes. */
static void alignment_is_known_of_a_table_that_is_loaded(void **state)
{
	struct numbers n = start();
	const struct fc_member plain[] = { { "a", n.of_long, 0, 0 },
					   { "b", n.of_long_double, 128, 0 } };
	const struct fc_member packed[] = { { "a", n.of_long_double, 0, 0 } };
	const uint32_t made[] = {
		fc_types_struct(n.types, "", false, 32, 16, plain, 2),
		fc_types_struct(n.types, "", false, 16, 1, packed, 1),
		fc_types_struct(n.types, "", false, 64, 64, packed, 1),
		fc_types_vector(n.types, n.of_int, 8),
		fc_types_array(n.types, n.of_int, 8),
		fc_types_number(n.types, "__int128", 16, FC_NUMBER_SIGNED),
		fc_types_const(n.types, n.of_long_double),
		fc_types_pointer(n.types, 0),
	};
	static const uint32_t aligns[] = { 16, 1, 64, 32, 4, 16, 16, 8 };
	size_t size;
	const void *bytes = fc_types_bytes(n.types, &size);
	struct fc_types *loaded;
	assert_int_equal(fc_types_load(bytes, size, &loaded), 0);
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		assert_int_equal(fc_types_align(n.types, made[i]), aligns[i]);
		assert_int_equal(fc_types_align(loaded, made[i]), aligns[i]);
	}
	fc_types_destroy(loaded);
	fc_types_destroy(n.types);
}

static void a_vector_is_not_the_array_of_the_same_numbers(void **state)
{
	struct numbers n = start();
	uint32_t array = fc_types_array(n.types, n.of_double, 2);
	uint32_t vector = fc_types_vector(n.types, n.of_double, 2);
	assert_int_not_equal(array, vector);
	assert_int_equal(vector, fc_types_vector(n.types, n.of_double, 2));
	expect_leaves(n.types, array, 2);
	expect_leaves(n.types, vector, 1);
	fc_types_destroy(n.types);
}

static void what_is_too_much_or_not_told_has_no_shape(void **state)
{
	struct numbers n = start();
	FC_VEC(struct fc_member) many = { 0 };
	for (int i = 0; i < 10000; i++)
		fc_vec_push(&many, (struct fc_member){ "", n.of_int, 0, 0 });
	expect_leaves(n.types, fc_types_struct(n.types, "u", true, 4, 4, many.at, many.nr), 1);
	for (uint32_t i = 0; i < 10000; i++)
		many.at[i].bit = i * 32;
	expect_leaves(n.types, fc_types_struct(n.types, "s", false, 40000, 4, many.at, many.nr),
		      0);
	/* Each has the one before it twice: it would take 2^60 steps. */
	uint32_t type = n.of_int;
	for (int i = 0; i < 60; i++) {
		const struct fc_member twice[] = { { "", type, 0, 0 }, { "", type, 0, 0 } };
		type = fc_types_struct(n.types, "", true, 4, 4, twice, 2);
	}
	expect_no_shape(n.types, type);
	expect_no_shape(n.types, fc_types_forward(n.types, "unknown", false));
	expect_no_shape(n.types, fc_types_struct(n.types, "opaque", false, 16, 8, NULL, 0));
	expect_leaves(n.types, 0, 0);
	expect_leaves(n.types, fc_types_typedef(n.types, "nothing", 0), 0);
	fc_vec_free(&many);
	fc_types_destroy(n.types);
}

static void what_is_behind_an_unknown_parameter_is_not_known(void **state)
{
	struct numbers n = start();
	const uint32_t params[] = { n.of_int, fc_types_forward(n.types, "unknown", false),
				    n.of_int };
	struct fc_value_places places = places_of(
		n.types,
		(struct fc_signature){ function(n.types, n.of_int, params, 3, false) });
	assert_int_equal(places.nr, 3);
	assert_true(is_in(&places.param[0], FC_PIECE_INT, RDI, 4));
	assert_int_equal(places.param[1].nr, 0);
	assert_int_equal(places.param[2].nr, 0);
	assert_true(is_in(&places.result, FC_PIECE_INT, RAX, 4));
	places = places_of(n.types, (struct fc_signature){
					    function(n.types, params[1], params, 1, false) });
	assert_int_equal(places.param[0].nr, 0); /* which may be behind a hidden one */
	assert_int_equal(places.result.nr, 0);
	fc_types_destroy(n.types);
}

static void what_is_told_of_a_function_counts(void **state)
{
	struct numbers n = start();
	const uint32_t params[] = { n.of_long, n.of_long, n.of_long };
	const struct fc_location rsi = { .nr = 1, .piece = { { FC_PIECE_INT, RSI, 8, 0 } } };
	struct fc_signature signature = {
		.func = function(n.types, n.of_long, params, 3, false), .nr = 3
	};
	signature.param[1] = rsi;
	struct fc_value_places places = places_of(n.types, signature);
	assert_true(is_in(&places.param[0], FC_PIECE_INT, RDI, 8));
	assert_true(is_in(&places.param[1], FC_PIECE_INT, RSI, 8));
	/* Now it contradicts the ABI. */
	signature.param[1] = (struct fc_location){ 0 };
	signature.param[0] = rsi;
	places = places_of(n.types, signature);
	assert_int_equal(places.nr, 3);
	assert_true(is_in(&places.param[0], FC_PIECE_INT, RSI, 8));
	assert_true(places.param[1].is_absent);
	assert_true(places.param[2].is_absent);
	assert_true(is_in(&places.result, FC_PIECE_INT, RAX, 8));
	/* One was left out by the compiler: who knows where the others are. */
	signature.param[0] = (struct fc_location){ .is_absent = true };
	places = places_of(n.types, signature);
	assert_true(places.param[0].is_absent);
	assert_true(places.param[1].is_absent);
	fc_types_destroy(n.types);
}

static void what_rust_returns_is_told_where_it_is_as_in_c(void **state)
{
	struct numbers n = start();
	const struct fc_member slice[] = { { "ptr", n.of_long, 0, 0 },
					   { "len", n.of_long, 64, 0 } };
	const struct fc_member pair[] = { { "a", n.of_int, 0, 0 }, { "b", n.of_int, 32, 0 } };
	const struct {
		uint32_t type;
		unsigned nr;
	} cases[] = {
		{ n.of_long, 1 },
		{ fc_types_struct(n.types, "slice", false, 16, 8, slice, 2), 2 },
		{ fc_types_struct(n.types, "pair", false, 8, 4, pair, 2), 0 },
	};
	for (size_t i = 0; i < 3; i++) {
		uint32_t func = function(n.types, cases[i].type, NULL, 0, false);
		fc_types_tag(n.types, func, "rust");
		struct fc_value_places places =
			places_of(n.types, (struct fc_signature){ .func = func });
		assert_int_equal(places.result.nr, cases[i].nr);
	}
	fc_types_destroy(n.types);
}

static void more_parameters_than_are_told_are_left_out(void **state)
{
	struct numbers n = start();
	uint32_t params[100];
	for (size_t i = 0; i < 100; i++)
		params[i] = n.of_long;
	struct fc_value_places places = places_of(
		n.types, (struct fc_signature){ function(n.types, 0, params, 100, true) });
	assert_int_equal(places.nr, FC_MAX_PARAMS);
	assert_int_equal(places.param[63].piece[0].off, 8 + 57 * 8);
	/* No function at all. */
	places = places_of(n.types, (struct fc_signature){ n.of_long });
	assert_int_equal(places.nr, 0);
	places = places_of(n.types, (struct fc_signature){ 0 });
	assert_int_equal(places.nr, 0);
	fc_types_destroy(n.types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_unions_and_bit_fields_are_told_by_their_leaves),
		cmocka_unit_test(a_float_of_16_bytes_is_told_by_its_name_or_tag),
		cmocka_unit_test(alignment_is_known_of_a_table_that_is_loaded),
		cmocka_unit_test(a_vector_is_not_the_array_of_the_same_numbers),
		cmocka_unit_test(what_is_too_much_or_not_told_has_no_shape),
		cmocka_unit_test(what_is_behind_an_unknown_parameter_is_not_known),
		cmocka_unit_test(what_is_told_of_a_function_counts),
		cmocka_unit_test(what_rust_returns_is_told_where_it_is_as_in_c),
		cmocka_unit_test(more_parameters_than_are_told_are_left_out),
	};
	return cmocka_run_group_tests_name("from types to places", tests, NULL, NULL);
}
