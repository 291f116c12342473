/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind values: which of it is fetched, and how it is shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "values/copy.h"
#include "values/fetches.h"
#include "values/places.h"
#include "values/proto/protos.h"
#include "values/recorded.h"
#include "values/recorded_scalar.h"
#include "values/recorded_text.h"
#include "values/sequence.h"

enum { FUNC = 7, MOST = 60, HERE = 0x10000 };

struct call {
	struct fc_types *types;
	uint32_t func;
	struct fc_fetch_plan entry;
	uint64_t word[MOST];
	uint32_t nr;
};

static void plan(struct call *call, struct fc_types *types, const struct fc_fetch_opts *opts)
{
	struct fc_signature signature = { .func = fc_types_find_func(types, "f") };
	struct fc_value_places places;
	*call = (struct call){ .types = types, .func = signature.func };
	fc_value_places_find(&fc_arch_x86_64, types, &signature, &places);
	struct fc_fetch_func what = { types, signature.func, places.param, places.nr,
				      places.result };
	fc_fetch_plan_entry(&what, opts, &call->entry);
	call->word[call->nr++] = fca_format(FUNC, false);
}

static void plan_of(struct call *call, const char *text, unsigned depth)
{
	struct fc_fetch_opts opts = { .string_size = 32, .depth = depth };
	struct fc_types *types = NULL;
	assert_int_equal(fc_protos_read("t.h", text, strlen(text), &types), 0);
	plan(call, types, &opts);
}

static void give(struct call *call, uint64_t word)
{
	call->word[call->nr++] = word;
}

static void give_behind(struct call *call, const void *bytes, uint64_t nr, uint64_t flags)
{
	give(call, nr | flags);
	memcpy(call->word + call->nr, bytes, nr);
	call->nr += (uint32_t)(nr + 7) / 8;
}

/* As a trace has it: the types are copied as deep as they are asked for. */
static void *bytes_of(const struct call *call, size_t *size)
{
	struct fc_types *types = fc_types_create();
	struct fc_type_copy copy;
	fc_type_copy_init(&copy, call->types, types);
	uint32_t func = fc_type_copy_take(&copy, call->func, 3);
	struct fc_formats *formats = fc_formats_create(types);
	fc_formats_add(formats, fca_format(FUNC, false), func, call->entry.part,
		       call->entry.nr);
	void *ret = fc_formats_bytes(formats, size);
	fc_formats_destroy(formats);
	fc_type_copy_deinit(&copy);
	return ret;
}

static struct fc_values *values_of(const struct call *call)
{
	struct fc_values *ret = fc_values_create();
	size_t size;
	void *bytes = bytes_of(call, &size);
	assert_int_equal(fc_values_add(ret, bytes, size), 0);
	free(bytes);
	return ret;
}

static void expect_text(const struct call *call, const char *want)
{
	struct fc_values *values = values_of(call);
	struct fc_value_words args = { call->word, call->nr }, none = { NULL, 0 };
	struct fc_value_text text;
	assert_true(fc_values_args_text(values, args, none, &text));
	assert_string_equal(text.at, want);
	fc_values_destroy(values);
}

static void end(struct call *call)
{
	fc_types_destroy(call->types);
}

/* The fetch that takes its address from that word; it is one of these bytes. */
static const struct fca_fetch *fetch_of(const struct call *call, uint32_t from, int32_t off)
{
	for (uint32_t i = 0; i < call->entry.nr; i++) {
		const struct fca_fetch *fetch = &call->entry.part[i].fetch;
		if (fetch->from == FCA_FROM_FETCH && fetch->reg == from && fetch->off == off)
			return fetch;
	}
	return NULL;
}

#define NODE "struct node { const char *name; const struct node *next; };"

static void a_list_is_followed_as_deep_as_is_asked_for(void **state)
{
	const uint64_t node[2] = { HERE, HERE };
	static const uint32_t nr[] = { 1, 2, 4, 6 };
	struct call call;
	for (unsigned depth = 0; depth < 4; depth++) {
		plan_of(&call, NODE "int f(const struct node *list);", depth);
		assert_int_equal(call.entry.nr, nr[depth]);
		end(&call);
	}
	plan_of(&call, NODE "int f(const struct node *list);", 3);
	give(&call, HERE);
	give_behind(&call, node, 16, 0); /* that leads to itself */
	give_behind(&call, "one", 3, 0);
	give_behind(&call, node, 16, 0);
	give_behind(&call, "", 0, FCA_GOT_NONE);
	give_behind(&call, node, 16, 0);
	expect_text(&call, "{.name = \"one\", .next = {.name = 0x10000, .next = {.name = "
			   "0x10000, .next = 0x10000}}}");
	call.nr -= 3; /* the mark was cut */
	expect_text(&call, "{.name = \"one\", .next = {.name = 0x10000, .next = 0x10000}}");
	end(&call);
	(void)state;
}

static bool is_hidden(const struct call *call, uint32_t from, int32_t off)
{
	for (uint32_t i = 0; i < call->entry.nr; i++) {
		const struct fc_format_part *part = &call->entry.part[i];
		if (part->fetch.from == FCA_FROM_FETCH && part->fetch.reg == from &&
		    part->fetch.off == off)
			return part->is_hidden;
	}
	return false;
}

/* What they lead to is taken for what calls beneath are given, and shown by nobody. */
static void secrets_are_followed_to_hidden(void **state)
{
	struct call call;
	plan_of(&call,
		"struct in { char password[8]; }; struct s { const char *user, *password; "
		"struct in "
		"*in; union { const char *a; long b; } u; }; int f(const struct s *s);",
		3);
	assert_int_equal(call.entry.nr, 5);
	assert_non_null(fetch_of(&call, 1, 0));
	assert_false(is_hidden(&call, 1, 0));
	assert_true(is_hidden(&call, 1, 8));
	assert_true(is_hidden(&call, 1, 16));
	assert_null(fetch_of(&call, 1, 24)); /* who knows whether it is one */
	end(&call);
	(void)state;
}

static void a_list_of_texts_ends_with_null(void **state)
{
	const uint64_t two[2] = { HERE, HERE };
	struct call call;
	plan_of(&call, "int f(const char **list);", 1);
	assert_int_equal(call.entry.part[1].fetch.how, FCA_FETCH_POINTERS);
	give(&call, HERE);
	give_behind(&call, two, 16, 0);
	give_behind(&call, "one", 3, 0);
	give_behind(&call, "two", 3, 0);
	expect_text(&call, "{\"one\", \"two\"}");
	call.word[2] |= FCA_GOT_MORE;
	expect_text(&call, "{\"one\", \"two\", ...}");
	call.word[7] |= FCA_GOT_NONE; /* the second leads nowhere: it is no list */
	expect_text(&call, "[\"one\"]");
	call.word[7] = 3;
	memcpy(&call.word[8], "\x90\xc3", 3); /* nor is that a text */
	expect_text(&call, "[\"one\"]");
	end(&call);
	plan_of(&call, "int f(char **argument, char **end);", 1);
	assert_int_equal(call.entry.part[2].fetch.how, FCA_FETCH_POINTERS);
	assert_int_equal(call.entry.part[2].param, 0);
	assert_null(fetch_of(&call, 1, 0));
	end(&call);
	(void)state;
}

/* ---- strings and lists ---- */

struct layout {
	const char *name, *items, *count;
	uint32_t size, count_at;
};

static uint32_t make(struct fc_types *types, const struct layout *layout, uint32_t item)
{
	uint32_t word = fc_types_number(types, "unsigned long", 8, FC_NUMBER_UNSIGNED);
	uint32_t pointer = fc_types_pointer(types, item);
	struct fc_member holder = { layout->items, pointer, 0, 0 };
	struct fc_member members[2] = {
		{ "in", fc_types_struct(types, "holder", false, 8, 8, &holder, 1), 0, 0 },
		{ layout->count, word, layout->count_at * 8, 0 },
	};
	return fc_types_struct(types, layout->name, false, layout->size, 8, members, 2);
}

static const struct layout string = {
	"std::__cxx11::basic_string<char, std::char_traits<char> >", "_M_p", "_M_string_length",
	32, 8
};

static void only_what_is_laid_out_so_is_a_string(void **state)
{
	struct fc_types *types = fc_types_create();
	uint32_t byte = fc_types_number(types, "char", 1, FC_NUMBER_CHAR);
	struct fc_sequence got;
	struct layout other = string;
	assert_true(fc_sequence_find(types, make(types, &other, byte), &got));
	assert_null(got.name);
	assert_int_equal(got.count_at, 8);
	other.name = "my::basic_string<char, std::char_traits<char> >";
	assert_false(fc_sequence_find(types, make(types, &other, byte), &got));
	other.name = "std::basic_string<char, int>";
	assert_true(fc_sequence_find(types, make(types, &other, byte), &got));
	assert_false(fc_sequence_find(
		types, make(types, &other, fc_types_number(types, "int", 4, FC_NUMBER_SIGNED)),
		&got));
	assert_false(fc_sequence_find(types, make(types, &other, 0), &got));
	other.size = 40;
	assert_false(fc_sequence_find(types, make(types, &other, byte), &got));
	other = string;
	other.items = "_M_q";
	assert_false(fc_sequence_find(types, make(types, &other, byte), &got));
	other = string;
	other.count = "_M_length";
	assert_false(fc_sequence_find(types, make(types, &other, byte), &got));
	assert_false(fc_sequence_find(types, byte, &got));
	assert_false(fc_sequence_find(types, 0, &got));
	fc_types_destroy(types);
	(void)state;
}

/* Of "std::span" with these items, whose name is that. How many fetches are made of what is shown. */
static uint32_t nr_of_span(const char *name, bool is_secret, uint32_t size)
{
	static const struct layout span = { "std::span<item, 18446744073709551615>", "_M_ptr",
					    "_M_extent_value", 16, 8 };
	struct fc_types *types = fc_types_create();
	uint32_t byte = fc_types_number(types, "unsigned char", 1, FC_NUMBER_UNSIGNED);
	struct fc_member member = { is_secret ? "password" : "name",
				    fc_types_array(types, byte, size), 0, 0 };
	uint32_t item =
		size == 1 ? byte : fc_types_struct(types, "item", false, size, 1, &member, 1);
	struct fc_param param = { name, make(types, &span, item) };
	struct fc_fetch_opts opts = { .string_size = 8, .depth = 1 };
	struct call call;
	fc_types_func(types, "f", fc_types_proto(types, 0, &param, 1, false));
	plan(&call, types, &opts);
	end(&call);
	uint32_t nr = 0;
	for (uint32_t i = 0; i < call.entry.nr; i++)
		nr += !call.entry.part[i].is_hidden;
	return nr;
}

static void secrets_in_lists_are_hidden(void **state)
{
	assert_int_equal(nr_of_span("users", false, 8), 3);
	assert_int_equal(nr_of_span("users", true, 8), 2);
	assert_int_equal(nr_of_span("bytes", false, 1), 3);
	assert_int_equal(nr_of_span("key", false, 1), 1);
	assert_int_equal(nr_of_span("passwords", false, 1), 1);
	(void)state;
}

static void begin_string(struct call *call, unsigned depth)
{
	struct fc_types *types = fc_types_create();
	uint32_t byte = fc_types_number(types, "char", 1, FC_NUMBER_CHAR);
	uint32_t to = fc_types_const(types, make(types, &string, byte));
	struct fc_param param = { "s", fc_types_pointer(types, to) };
	struct fc_fetch_opts opts = { .string_size = 8, .depth = depth };
	fc_types_func(types, "f", fc_types_proto(types, 0, &param, 1, false));
	plan(call, types, &opts);
}

static void a_string_is_what_it_holds(void **state)
{
	const uint64_t text[4] = { HERE, 5 }, empty[4] = { 0, 0 };
	struct fc_scalar got;
	struct call call;
	begin_string(&call, 0);
	assert_int_equal(call.entry.nr, 1);
	end(&call);
	begin_string(&call, 1);
	assert_int_equal(call.entry.nr, 3);
	const struct fca_fetch *fetch = fetch_of(&call, 1, 0);
	assert_non_null(fetch);
	assert_int_equal(fetch->how, FCA_FETCH_ARRAY);
	assert_int_equal(fetch->count, 1);
	assert_int_equal(fetch->count_off, 8);
	give(&call, HERE);
	give_behind(&call, text, 32, 0);
	give_behind(&call, "hel\0o", 5, 0);
	expect_text(&call, "\"hel\\000o\"");
	struct fc_values *values = values_of(&call);
	struct fc_value_words args = { call.word, call.nr }, none = { NULL, 0 };
	assert_true(fc_values_arg(values, args, none, 0, &got));
	assert_int_equal(got.kind, FC_SCALAR_TEXT);
	assert_string_equal(got.text.at, "hel");
	fc_values_destroy(values);
	call.word[7] = FCA_GOT_NONE; /* its bytes could not be read */
	expect_text(&call, "{.in = {._M_p = 0x10000}, ._M_string_length = 5}");
	memcpy(call.word + 3, empty, 32);
	expect_text(&call, "\"\"");
	end(&call);
	(void)state;
}

/* ---- what others wrote ---- */

/* Parts of 16 bytes, and no highest bit in the size of the types. */
static void a_table_of_an_older_build_is_read(void **state)
{
	enum { PART = 20, OLD_PART = 16 };
	struct call call;
	plan_of(&call, NODE "int f(const struct node *list);", 1);
	give(&call, HERE);
	give_behind(&call, (const uint64_t[]){ 1, 2 }, 16, 0);
	size_t size;
	uint8_t *bytes = bytes_of(&call, &size);
	uint8_t *part = bytes + size - 2 * PART;
	bytes[3] &= 0x7f;
	memmove(part + OLD_PART, part + PART, OLD_PART);
	struct fc_values *values = fc_values_create();
	assert_int_equal(fc_values_add(values, bytes, size - 2 * (PART - OLD_PART)), 0);
	struct fc_value_words args = { call.word, call.nr }, none = { NULL, 0 };
	struct fc_value_text text;
	assert_true(fc_values_args_text(values, args, none, &text));
	assert_string_equal(text.at, "{.name = 0x1, .next = 0x2}");
	fc_values_destroy(values);
	free(bytes);
	end(&call);
	(void)state;
}

/* ---- what is damaged ---- */

/* A part may say anything of another: of itself, of one that follows, of none. */
static void any_part_may_lead_anywhere(void **state)
{
	const uint64_t node[2] = { HERE, HERE };
	struct call call;
	plan_of(&call, NODE "int f(const struct node *list);", 3);
	give(&call, HERE);
	give_behind(&call, node, 16, 0);
	for (int i = 0; i < 4; i++)
		give_behind(&call, node, 16, 0);
	for (unsigned reg = 0; reg < 256; reg++)
		for (int off = -9; off < 40; off += 7) {
			struct call other = call;
			struct fc_value_text text;
			struct fc_value_words args = { other.word, other.nr }, none = { 0 };
			for (uint32_t i = 2; i < other.entry.nr; i++) {
				other.entry.part[i].fetch.reg = (uint8_t)(reg + i);
				other.entry.part[i].fetch.off = off;
			}
			struct fc_values *values = values_of(&other);
			assert_true(fc_values_args_text(values, args, none, &text));
			fc_values_destroy(values);
		}
	end(&call);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_followed_as_deep_as_is_asked_for),
		cmocka_unit_test(secrets_are_followed_to_hidden),
		cmocka_unit_test(a_list_of_texts_ends_with_null),
		cmocka_unit_test(only_what_is_laid_out_so_is_a_string),
		cmocka_unit_test(secrets_in_lists_are_hidden),
		cmocka_unit_test(a_string_is_what_it_holds),
		cmocka_unit_test(a_table_of_an_older_build_is_read),
		cmocka_unit_test(any_part_may_lead_anywhere),
	};
	return cmocka_run_group_tests_name("values: pointees", tests, NULL, NULL);
}
