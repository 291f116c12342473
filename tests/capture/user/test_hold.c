/* SPDX-License-Identifier: Apache-2.0 */
/* A program that was executed is not hooked while threads are held: it stands at its start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>

#include <cmocka.h>

#include "capture/user/detach.h"
#include "capture/user/hold.h"

/* Ids that no thread has. */
enum { RUNS = 5000001, EXECUTES = 5000002, PATIENCE_MS = 60 * 1000 };

static char asked[256]; /* of the kernel */
static int nr_looks;

long ptrace(enum __ptrace_request request, ...)
{
	static const struct {
		enum __ptrace_request request;
		const char *name;
	} names[] = {
		{ PTRACE_INTERRUPT, "interrupt" },
		{ PTRACE_CONT, "go on" },
		{ PTRACE_DETACH, "detach" },
	};
	va_list ap;
	va_start(ap, request);
	int tid = va_arg(ap, int);
	va_end(ap);
	size_t len = strlen(asked);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].request == request)
			snprintf(asked + len, sizeof(asked) - len, "%s %s;", names[i].name,
				 tid == RUNS ? "runs" : "executes");
	return 0;
}

static struct fc_tracee *find(struct fc_tracer *tracer, int tid)
{
	return fc_tracee_find(&tracer->tracees, tid);
}

/* One comes to rest, the other executes a program. */
static bool take(struct fc_tracer *tracer)
{
	nr_looks++;
	find(tracer, RUNS)->is_held = tracer->is_holding;
	find(tracer, EXECUTES)->is_at_start = true;
	return true;
}

static int set_up(void **state)
{
	static const struct fc_user_opts opts;
	static struct fc_tracer tracer;
	tracer = (struct fc_tracer){ .take = take, .shared.opts = &opts };
	for (int tid = RUNS; tid <= EXECUTES; tid++)
		fc_tracee_add(&tracer.tracees, tid, fc_process_add(&tracer.tracees, tid));
	asked[0] = 0;
	nr_looks = 0;
	*state = &tracer;
	return 0;
}

static int tear_down(void **state)
{
	struct fc_tracer *tracer = *state;
	fc_tracees_deinit(&tracer->tracees);
	return 0;
}

static void who_executes_a_program_is_not_waited_for(void **state)
{
	struct fc_tracer *tracer = *state;
	int tid = 0;
	assert_true(fc_hold_all(tracer, PATIENCE_MS, &tid));
	assert_int_equal(nr_looks, 1);
	assert_false(find(tracer, EXECUTES)->is_held);
	fc_release_all(tracer);
	assert_non_null(strstr(asked, "go on runs;"));
	assert_null(strstr(asked, "go on executes;"));
}

static void who_is_at_a_programs_start_is_left_there(void **state)
{
	struct fc_tracer *tracer = *state;
	int tid = 0;
	find(tracer, EXECUTES)->is_at_start = true;
	assert_true(fc_hold_all(tracer, PATIENCE_MS, &tid));
	fc_release_all(tracer);
	assert_string_equal(asked, "interrupt runs;go on runs;");
}

static void who_executes_a_program_is_no_thread_to_hold(void **state)
{
	struct fc_tracer *tracer = *state;
	assert_false(fc_hold_one(tracer, EXECUTES, PATIENCE_MS));
	assert_int_equal(nr_looks, 1);
}

static void a_detach_lets_go_of_who_is_at_a_programs_start(void **state)
{
	struct fc_tracer *tracer = *state;
	assert_int_equal(fc_detach_one(tracer, find(tracer, EXECUTES)->process), 0);
	assert_non_null(strstr(asked, "detach executes;"));
	assert_null(strstr(asked, "detach runs;"));
	assert_null(find(tracer, EXECUTES));
	assert_non_null(find(tracer, RUNS));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(who_executes_a_program_is_not_waited_for),
		TEST(who_is_at_a_programs_start_is_left_there),
		TEST(who_executes_a_program_is_no_thread_to_hold),
		TEST(a_detach_lets_go_of_who_is_at_a_programs_start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
