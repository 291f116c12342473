/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What finds out about functions may have been taken over by the file that it reads: here it sends
 * what is wrong in each way. The file that is read is this program.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after those it needs */
#include <cmocka.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "dwarf/findings.h"
#include "dwarf/functions.h"
#include "dwarf/jail.h"
#include "dwarf/signatures.h"
#include "dwarf/myself.h"
#include "values/types.h"

enum { NR = 2 };

struct sent {
	struct fc_found_head head;
	struct fc_found_function functions[NR];
	struct fc_found_place places[2];
	size_t cut, size;
	struct fc_found_split splits[2]; /* id 0: none */
};

static struct fc_types *types;
static uint32_t func, integer;

static int make_table(void **state)
{
	types = fc_types_create();
	integer = fc_types_number(types, "int", 4, FC_NUMBER_SIGNED);
	struct fc_param params[] = { { "a", integer }, { "b", integer } };
	func = fc_types_func(types, "add", fc_types_proto(types, integer, params, 2, true));
	return 0;
}

static int drop_table(void **state)
{
	fc_types_destroy(types);
	return 0;
}

static struct sent right(void)
{
	struct fc_piece in_rdi = { .kind = FC_PIECE_INT, .reg = 5 };
	struct sent ret = { .head = { .nr_functions = NR, .nr_places = 2 },
			    .functions = { { func, 2, 0 }, { 0, 0, 0 } },
			    .places = { { .nr = 1, .piece = { in_rdi } },
					{ .is_absent = 1 } } };
	return ret;
}

static void put(const struct sent *sent, struct fc_found_bytes *ret)
{
	struct fc_found_head head = sent->head;
	struct fc_found_bytes splits = { 0 };
	size_t size;
	const void *table = fc_types_bytes(types, &size);
	head.types_size += (uint32_t)size;
	for (size_t i = 0; i < 2 && sent->splits[i].id; i++)
		fc_found_put_split(&splits, &sent->splits[i]);
	head.splits_size += (uint32_t)splits.bytes.nr;
	fc_found_put(ret, &head, sizeof(head));
	fc_found_put(ret, sent->functions, sizeof(sent->functions));
	fc_found_put(ret, sent->places, sizeof(sent->places));
	fc_found_put(ret, table, size);
	fc_found_put(ret, splits.bytes.at, splits.bytes.nr);
	fc_vec_free(&splits.bytes);
	ret->bytes.nr -= sent->cut;
}

static int load(const struct sent *sent, struct fc_findings *ret, struct fc_found_bytes *bytes)
{
	*bytes = (struct fc_found_bytes){ 0 };
	put(sent, bytes);
	return fc_findings_load(bytes->bytes.at, bytes->bytes.nr, NR, fc_arch_call_frame(62),
				ret);
}

static void what_is_right_is_taken(void **state)
{
	struct sent sent = right();
	struct fc_found_bytes bytes;
	struct fc_findings findings = { 0 };
	struct fc_signature signature;
	assert_int_equal(load(&sent, &findings, &bytes), 0);
	fc_findings_get(&findings, 0, &signature);
	assert_int_equal(signature.func, func);
	assert_int_equal(signature.nr, 2);
	assert_int_equal(signature.param[0].nr, 1);
	assert_int_equal(signature.param[0].piece[0].size, 4); /* as the type has it */
	assert_true(signature.param[1].is_absent);
	fc_findings_get(&findings, 1, &signature);
	assert_int_equal(signature.func, 0);
	fc_types_destroy(findings.types);
	fc_vec_free(&bytes.bytes);
}

static void split_units_are_told_one_by_one(void **state)
{
	struct sent sent = right();
	struct fc_found_bytes bytes;
	struct fc_findings findings = { 0 };
	struct fc_found_split split;
	sent.splits[0] = (struct fc_found_split){ 17, "a.dwo", "/where" };
	sent.splits[1] = (struct fc_found_split){ 18, "/b.dwo", "" };
	assert_int_equal(load(&sent, &findings, &bytes), 0);
	const uint8_t *at = findings.splits;
	for (size_t i = 0; i < 2; i++) {
		assert_true(fc_findings_next_split(&findings, &at, &split));
		assert_int_equal(split.id, sent.splits[i].id);
		assert_string_equal(split.name, sent.splits[i].name);
		assert_string_equal(split.dir, sent.splits[i].dir);
	}
	assert_false(fc_findings_next_split(&findings, &at, &split));
	fc_types_destroy(findings.types);
	fc_vec_free(&bytes.bytes);
}

/* ---- lies ---- */

static void nameless_split(struct sent *sent)
{
	sent->splits[0] = (struct fc_found_split){ 17, "", "/where" };
}

static void split_without_end(struct sent *sent)
{
	sent->splits[0] = (struct fc_found_split){ 17, "a.dwo", "/where" };
	sent->head.splits_size = UINT32_MAX; /* one less than there are */
	sent->cut = 1;
}

static void split_of_half_a_number(struct sent *sent)
{
	sent->splits[0] = (struct fc_found_split){ 17, "a.dwo", "" };
	sent->head.splits_size = (uint32_t)-8;
	sent->cut = 8;
}

static void split_with_a_long_name(struct sent *sent)
{
	static char name[FC_FOUND_PATH + 1];
	memset(name, 'a', FC_FOUND_PATH);
	sent->splits[0] = (struct fc_found_split){ 17, name, "" };
}

static void other_head(struct sent *sent)
{
	sent->head.nr_functions = 3;
}

static void more_places(struct sent *sent)
{
	sent->head.nr_places = UINT32_MAX;
}

static void fewer_places(struct sent *sent)
{
	sent->head.nr_places = 1;
}

static void unknown_wrong(struct sent *sent)
{
	sent->head.wrong = FC_DWARF_NR_WRONG;
}

static void longer_table(struct sent *sent)
{
	sent->head.types_size = 1;
}

static void cut_off(struct sent *sent)
{
	sent->cut = 1;
}

static void nearly_nothing(struct sent *sent)
{
	sent->cut = sizeof(struct sent);
}

static void no_function(struct sent *sent)
{
	sent->functions[0].func = integer;
}

static void no_type(struct sent *sent)
{
	sent->functions[0].func = 1000000;
}

static void other_number(struct sent *sent)
{
	sent->functions[0].nr = 1;
}

static void places_of_none(struct sent *sent)
{
	sent->functions[1].nr = 1;
}

static void places_behind(struct sent *sent)
{
	sent->functions[0].first = 1;
}

static void places_far_behind(struct sent *sent)
{
	sent->functions[0].first = UINT32_MAX;
}

static void many_pieces(struct sent *sent)
{
	sent->places[0].nr = FC_MAX_PIECES + 1;
}

static void no_bool(struct sent *sent)
{
	sent->places[0].is_address = 2;
}

static void there_and_absent(struct sent *sent)
{
	sent->places[0].is_absent = 1;
}

static void no_register(struct sent *sent)
{
	sent->places[0].piece[0].reg = 16;
}

static void stack_pointer(struct sent *sent)
{
	sent->places[0].piece[0].reg = 7;
}

static void no_vector(struct sent *sent)
{
	sent->places[0].piece[0].kind = FC_PIECE_VECTOR;
}

static void no_kind(struct sent *sent)
{
	sent->places[0].piece[0].kind = FC_PIECE_STACK + 1;
}

static void return_address(struct sent *sent)
{
	sent->places[0].piece[0].kind = FC_PIECE_STACK;
}

static void huge_piece(struct sent *sent)
{
	sent->places[0].piece[0].size = UINT32_MAX;
}

static void (*const lies[])(struct sent *sent) = {
	other_head,
	more_places,
	fewer_places,
	unknown_wrong,
	longer_table,
	cut_off,
	nearly_nothing,
	no_function,
	no_type,
	other_number,
	places_of_none,
	places_behind,
	places_far_behind,
	many_pieces,
	no_bool,
	there_and_absent,
	no_register,
	stack_pointer,
	no_vector,
	no_kind,
	return_address,
	huge_piece,
	nameless_split,
	split_without_end,
	split_of_half_a_number,
	split_with_a_long_name,
};

enum { NR_LIES = sizeof(lies) / sizeof(lies[0]) };

static void what_is_wrong_is_refused(void **state)
{
	for (size_t i = 0; i < NR_LIES; i++) {
		struct sent sent = right();
		struct fc_found_bytes bytes;
		struct fc_findings findings = { 0 };
		lies[i](&sent);
		if (!load(&sent, &findings, &bytes))
			fail_msg("lie %zu is taken", i);
		assert_null(findings.types);
		assert_non_null(strstr(fc_fail_text(), "damaged"));
		fc_vec_free(&bytes.bytes);
	}
}

/* ---- instead of functions.c ---- */

enum manner { HONEST, LYING, CRASHING, WITHOUT_MEMORY, EMPTY, LARGE };

static enum manner manner; /* the child has it from us */

int fc_dwarf_functions_find(const struct fc_image *image, const struct fc_image *alt,
			    const struct fc_split_files *splits,
			    const struct fc_dwarf_size *size, const uint64_t *vaddrs, size_t nr,
			    struct fc_found_bytes *ret)
{
	struct sent sent = right();
	if (nr != NR || vaddrs[0] != 16 || vaddrs[1] != 32)
		fc_jail_leave(9);
	if (manner == CRASHING)
		abort();
	if (manner == WITHOUT_MEMORY)
		return -ENOMEM;
	if (manner == EMPTY)
		return 0;
	if (manner == LYING)
		sent.functions[0].func = integer;
	/* More than a message takes. */
	for (int i = 0; manner == LARGE && i < 20000; i++) {
		char name[32];
		snprintf(name, sizeof(name), "number_%d", i);
		fc_types_typedef(types, name, integer);
	}
	put(&sent, ret);
	return 0;
}

static struct myself me;

static int find_out_who_we_are(void **state)
{
	return myself_init(&me) ? -1 : make_table(state);
}

static int read_self(enum manner told, struct fc_signatures **ret)
{
	const uint64_t vaddrs[] = { 32, 16, 32, 16 }; /* as they come */
	manner = told;
	return fc_signatures_read(me.path, me.build_id, vaddrs, 4, ret);
}

static void each_address_has_its_own(void **state)
{
	static const enum manner manners[] = { HONEST, LARGE };
	struct fc_signatures *signatures;
	struct fc_signature signature;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(read_self(manners[i], &signatures), 0);
		for (size_t n = 0; n < 4; n++) {
			fc_signatures_get(signatures, n, &signature);
			assert_int_equal(signature.func, n % 2 ? func : 0);
		}
		assert_null(fc_signatures_wrong(signatures));
		if (manners[i] == LARGE)
			assert_true(fc_types_find_typedef(fc_signatures_types(signatures),
							  "number_19999") > 0);
		fc_signatures_destroy(signatures);
	}
}

static void what_does_not_answer_costs_the_signatures(void **state)
{
	static const struct {
		enum manner manner;
		const char *said;
	} all[] = {
		{ LYING, "is nonsense" },
		{ EMPTY, "is nonsense" },
		{ CRASHING, "elfutils failed at it" },
		{ WITHOUT_MEMORY, "too many parts" },
	};
	struct fc_signatures *signatures;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_int_equal(read_self(all[i].manner, &signatures), -EBADMSG);
		assert_non_null(strstr(fc_fail_text(), all[i].said));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_right_is_taken),
		cmocka_unit_test(split_units_are_told_one_by_one),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(each_address_has_its_own),
		cmocka_unit_test(what_does_not_answer_costs_the_signatures),
	};
	return cmocka_run_group_tests(tests, find_out_who_we_are, drop_table);
}
