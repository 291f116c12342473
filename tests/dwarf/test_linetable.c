/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reads debug information may have been taken over by it: here it lies in each way. The file
 * that is read is this program.
 */
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

#include "dwarf/handle.h"
#include "dwarf/jail.h"
#include "dwarf/libdw.h"
#include "dwarf/linetable.h"
#include "dwarf/unitrows.h"
#include "dwarf/types/texts.h"
#include "dwarf/myself.h"

enum lie {
	TRUTH,
	NO_ANSWER,
	EMPTY,
	SHORT,
	LONG,
	HUGE_ANSWER,
	NO_ZERO,
	MANY_BYTES,
	FEW_BYTES,
	PATH_OUTSIDE,
	PATH_EMPTY,
	PATH_AT_A_ZERO,
	LINE_BELOW_0,
	FIRST_UNREAD,
	WRONG_UNKNOWN,
	CRASH,
	NO_MEMORY,
	NR_LIES
};

static const char *const said[NR_LIES] = {
	[NO_ANSWER] = "elfutils failed at it",
	[EMPTY] = "elfutils failed at it",
	[CRASH] = "elfutils failed at it",
	[NO_MEMORY] = "too many parts",
};

static enum lie lie; /* the child has it from us */

/* ---- instead of libdw.c ---- */

struct fc_dwarf_lines *fc_dwarf_lines_open(const struct fc_image *image,
					   const struct fc_image *alt,
					   const struct fc_dwarf_size *size)
{
	return NULL;
}

static void send_raw(const void *at, size_t size)
{
	if (write(0, at, size) < 0)
		_exit(9);
}

/* Line 100 + i, in one of two files. Every third is unread. */
static void tell(const struct fc_dwarf_question *question, size_t nr,
		 struct fc_dwarf_answer *ret)
{
	fc_dwarf_answer_clear(ret);
	for (size_t i = 0; i < nr; i++)
		if (i % 3 != 2)
			fc_dwarf_answer_put(ret, i, (uint32_t)(question->vaddrs[i] / 16),
					    question->vaddrs[i] & 16 ? "/odd.c" : "/even.c");
}

static void lie_in(struct fc_dwarf_answer *answer)
{
	switch (lie) {
	case NO_ZERO:
		answer->paths[answer->nr_bytes - 1] = 'x';
		break;
	case MANY_BYTES:
		answer->nr_bytes += 1;
		send_raw(answer, fc_dwarf_answer_size(answer) - 1);
		break;
	case FEW_BYTES:
		answer->nr_bytes -= 1;
		send_raw(answer, fc_dwarf_answer_size(answer) + 1);
		break;
	case PATH_OUTSIDE:
		answer->lines[0].path = answer->nr_bytes;
		break;
	case PATH_EMPTY:
		answer->paths[0] = 0;
		break;
	case PATH_AT_A_ZERO:
		answer->lines[0].path = answer->nr_bytes - 1;
		break;
	case LINE_BELOW_0:
		answer->lines[0].line = UINT32_MAX;
		break;
	case FIRST_UNREAD:
		answer->lines[0].line = FC_DWARF_UNREAD;
		break;
	case WRONG_UNKNOWN:
		answer->wrong = FC_DWARF_NR_WRONG;
		break;
	default:
		break;
	}
}

static void misbehave(const struct fc_dwarf_answer *answer)
{
	static char much[sizeof(*answer) + 1];
	switch (lie) {
	case NO_ANSWER:
		fc_jail_leave(0);
	case EMPTY:
		send_raw(answer, 0);
		break;
	case SHORT:
		send_raw(answer, 7);
		break;
	case LONG:
		send_raw(answer, fc_dwarf_answer_size(answer) + 1);
		break;
	case HUGE_ANSWER:
		send_raw(much, sizeof(much));
		break;
	case CRASH:
		__builtin_trap();
	case NO_MEMORY:
		fc_jail_leave(FC_DWARF_NO_MEMORY);
	default:
		break;
	}
}

void fc_dwarf_lines_find(struct fc_dwarf_lines *lines, const struct fc_dwarf_question *question,
			 size_t nr, struct fc_dwarf_answer *ret)
{
	tell(question, nr, ret);
	lie_in(ret);
	misbehave(ret);
}

/* ---- */

static struct myself me;

static int find_out_who_we_are(void **state)
{
	return myself_init(&me);
}

static struct fc_linetable *open_self(enum lie told)
{
	struct fc_linetable *table = NULL;
	lie = told;
	assert_int_equal(fc_linetable_open(me.path, me.build_id, &table), 0);
	return table;
}

static void expect_line(struct fc_linetable *table, uint64_t vaddr)
{
	const char *file = NULL;
	int line = 0;
	assert_true(fc_linetable_find(table, vaddr, &file, &line));
	assert_int_equal(line, vaddr / 16);
	assert_string_equal(file, vaddr & 16 ? "/odd.c" : "/even.c");
}

static void each_address_has_its_own_answer(void **state)
{
	uint64_t vaddrs[1000];
	for (uint64_t i = 0; i < 1000; i++)
		vaddrs[i] = 16 * (1 + (i * 7) % 500); /* each twice, in no order */
	struct fc_linetable *table = open_self(TRUTH);
	fc_linetable_expect(table, vaddrs, 1000);
	for (uint64_t i = 0; i < 2000; i++)
		expect_line(table, 16 * (1 + (i * 11) % 700)); /* some nobody expected */
	assert_null(fc_linetable_wrong(table));
	fc_linetable_close(table);
}

static void what_is_no_answer_costs_the_lines(void **state)
{
	const char *file;
	int line;
	uint64_t vaddrs[] = { 16, 32, 48, 64 };
	for (int i = NO_ANSWER; i < NR_LIES; i++) {
		struct fc_linetable *table = open_self((enum lie)i);
		fc_linetable_expect(table, vaddrs, 4);
		for (int n = 0; n < 3; n++)
			for (uint64_t vaddr = 16; vaddr < 160; vaddr += 16)
				assert_false(fc_linetable_find(table, vaddr, &file, &line));
		const char *wrong = fc_linetable_wrong(table);
		assert_non_null(wrong);
		assert_non_null(strstr(wrong, said[i] ? said[i] : "is nonsense"));
		assert_null(strchr(wrong, '\n'));
		fc_linetable_close(table);
	}
}

/* ---- what both sides keep ---- */

static void of_rows_at_one_address_the_last_counts(void **state)
{
	struct fc_unitrows rows = { 0 };
	assert_null(fc_unitrows_find(&rows, 0));
	fc_unitrows_add(&rows, (struct fc_unitrow){ 16, 1, 5 });
	fc_unitrows_add(&rows, (struct fc_unitrow){ 20, 1, 6 });
	fc_unitrows_add(&rows, (struct fc_unitrow){ 20, 2, 7 });
	fc_unitrows_add(&rows, (struct fc_unitrow){ 24, 0, 0 });
	fc_unitrows_trim(&rows);
	assert_null(fc_unitrows_find(&rows, 15));
	assert_int_equal(fc_unitrows_find(&rows, 16)->line, 5);
	assert_int_equal(fc_unitrows_find(&rows, 19)->line, 5);
	assert_int_equal(fc_unitrows_find(&rows, 23)->line, 7);
	assert_int_equal(fc_unitrows_find(&rows, 23)->path, 2);
	assert_null(fc_unitrows_find(&rows, 24));
	assert_null(fc_unitrows_find(&rows, UINT64_MAX));
	fc_unitrows_deinit(&rows);
}

static void rows_that_say_the_same_take_no_memory(void **state)
{
	struct fc_unitrows rows = { 0 };
	for (uint64_t i = 0; i < 100000; i++)
		fc_unitrows_add(&rows, (struct fc_unitrow){ i, 1, 5 });
	for (uint64_t i = 0; i < 100000; i++) /* at one address, again and again */
		fc_unitrows_add(&rows, (struct fc_unitrow){ 100000, 1, i % 2 ? 5 : 6 });
	assert_int_equal(fc_unitrows_nr_bytes(&rows), sizeof(struct fc_unitrow));
	assert_int_equal(fc_unitrows_find(&rows, 100000)->line, 5);
	fc_unitrows_deinit(&rows);
}

static void a_text_is_kept_once(void **state)
{
	struct fc_texts texts = { 0 };
	char text[16];
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 10000; i++) {
			snprintf(text, sizeof(text), "%u", i);
			assert_int_equal(fc_texts_add(&texts, text), i + 1);
		}
	assert_int_equal(fc_texts_add(&texts, ""), 10001);
	assert_string_equal(fc_texts_get(&texts, 4243), "4242");
	assert_true(texts.nr_bytes < 10001 * (5 + sizeof(char *)));
	fc_texts_deinit(&texts);
	assert_int_equal(fc_texts_add(&texts, "again"), 1);
	fc_texts_deinit(&texts);
}

/* What finds no room is not looked up, and asked for once more. */
static void long_paths_come_one_by_one(void **state)
{
	static struct fc_dwarf_answer answer;
	char text[FC_DWARF_PATH];
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	fc_dwarf_answer_clear(&answer);
	for (size_t i = 0; i < 4; i++) {
		text[0] = (char)('a' + i);
		fc_dwarf_answer_put(&answer, i, 7, text);
	}
	assert_int_equal(answer.lines[1].line, 7);
	assert_int_equal(answer.lines[2].line, FC_DWARF_UNREAD);
	assert_int_equal(fc_dwarf_answer_size(&answer), sizeof(answer));
	assert_true(fc_dwarf_answer_check(&answer, sizeof(answer), 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_address_has_its_own_answer),
		cmocka_unit_test(what_is_no_answer_costs_the_lines),
		cmocka_unit_test(of_rows_at_one_address_the_last_counts),
		cmocka_unit_test(rows_that_say_the_same_take_no_memory),
		cmocka_unit_test(a_text_is_kept_once),
		cmocka_unit_test(long_paths_come_one_by_one),
	};
	return cmocka_run_group_tests(tests, find_out_who_we_are, NULL);
}
