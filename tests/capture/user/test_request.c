/* SPDX-License-Identifier: Apache-2.0 */
/* What comes over the socket of fctrace ctl: words, or anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "capture/user/request.h"

enum { PAGE = 4096 };

/* The bytes at the end of memory: whoever reads on is stopped. */
static const char *at_the_end(const void *bytes, size_t size)
{
	static char *memory;
	size_t room = 16 * PAGE;
	if (!memory) {
		memory = mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_true(memory != MAP_FAILED);
		assert_int_equal(mprotect(memory + room, PAGE, PROT_NONE), 0);
	}
	assert_true(size <= room);
	return memcpy(memory + room - size, bytes, size);
}

static int parse(const void *bytes, size_t size, struct fc_request *ret)
{
	return fc_request_parse(at_the_end(bytes, size), size, ret);
}

static void words_are_what_was_sent(void **state)
{
	static const char bytes[] = "hook\0str*\0\0libc.so.6:mem?py";
	struct fc_request request;

	assert_int_equal(parse(bytes, sizeof(bytes), &request), 0);
	assert_int_equal(request.nr, 4);
	assert_string_equal(request.words[0], "hook");
	assert_string_equal(request.words[1], "str*");
	assert_string_equal(request.words[2], "");
	assert_string_equal(request.words[3], "libc.so.6:mem?py");
	assert_null(request.words[4]);
	fc_request_deinit(&request);
}

static void what_has_no_command_is_no_request(void **state)
{
	struct fc_request request;

	assert_true(parse("", 0, &request) < 0);
	assert_true(parse("\0x", 3, &request) < 0);
	assert_null(request.bytes);
}

static void a_word_without_an_end_is_refused(void **state)
{
	struct fc_request request;

	assert_true(parse("status", 6, &request) < 0);
	assert_true(parse("hook\0f", 6, &request) < 0);
}

static void there_is_a_limit_of_words_and_of_bytes(void **state)
{
	static char bytes[FC_REQUEST_MAX + 1];
	struct fc_request request;

	memset(bytes, 'x', FC_REQUEST_MAX);
	assert_true(parse(bytes, sizeof(bytes), &request) < 0);
	bytes[FC_REQUEST_MAX - 1] = 0;
	assert_int_equal(parse(bytes, FC_REQUEST_MAX, &request), 0);
	fc_request_deinit(&request);

	memset(bytes, 0, sizeof(bytes));
	bytes[0] = 'x';
	assert_int_equal(parse(bytes, FC_REQUEST_WORDS + 1, &request), 0);
	assert_int_equal(request.nr, FC_REQUEST_WORDS);
	fc_request_deinit(&request);
	assert_true(parse(bytes, FC_REQUEST_WORDS + 2, &request) < 0);
	assert_null(request.bytes);
}

static void anything_is_words_or_refused(void **state)
{
	uint8_t bytes[300];
	size_t nr_good = 0;

	srand(1);
	for (int round = 0; round < 20000; round++) {
		size_t size = (size_t)rand() % sizeof(bytes), sum = 0;
		for (size_t i = 0; i < size; i++)
			bytes[i] = rand() % 3 ? (uint8_t)rand() : 0;
		if (size)
			bytes[size - 1] = rand() % 4 ? 0 : bytes[size - 1];
		struct fc_request request;
		if (parse(bytes, size, &request))
			continue;
		for (size_t i = 0; i < request.nr; i++)
			sum += strlen(request.words[i]) + 1;
		assert_int_equal(sum, size);
		fc_request_deinit(&request);
		nr_good++;
	}
	assert_true(nr_good > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_what_was_sent),
		cmocka_unit_test(what_has_no_command_is_no_request),
		cmocka_unit_test(a_word_without_an_end_is_refused),
		cmocka_unit_test(there_is_a_limit_of_words_and_of_bytes),
		cmocka_unit_test(anything_is_words_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
