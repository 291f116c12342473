/* SPDX-License-Identifier: Apache-2.0 */
/* Births, execs and deaths, in whichever order a kernel tells of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "capture/target/lives.h"
#include "capture/target/status.h"
#include "trace/source.h"

enum {
	SHELL = 10,
	CHILD = 20,
	THREAD = 30,
	STRANGER = 40,
	FIRST_STOP = PTRACE_EVENT_STOP << 16
};

/* ---- a kernel ---- */

static int told_child;	   /* of a maker's event */
static bool has_reaped;	   /* the child was waited for */
static bool has_memory;	   /* the child has its parent's */
static char happened[256]; /* what the one who traces was told, and what was done to threads */

__attribute__((format(printf, 1, 2))) static void note(const char *fmt, ...)
{
	size_t len = strlen(happened);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(happened + len, sizeof(happened) - len, fmt, ap);
	va_end(ap);
}

static void assert_happened(const char *expected)
{
	assert_string_equal(happened, expected);
	happened[0] = 0;
}

long ptrace(enum __ptrace_request request, ...)
{
	va_list ap;
	va_start(ap, request);
	int tid = va_arg(ap, int);
	va_arg(ap, void *);
	if (request == PTRACE_GETEVENTMSG)
		*va_arg(ap, unsigned long *) = (unsigned long)told_child;
	else if (request == PTRACE_DETACH)
		note("detach %d;", tid);
	va_end(ap);
	return request == PTRACE_GETSIGINFO ? -1 : 0;
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	return has_reaped ? -1 : 0;
}

bool fc_is_thread_of(int pid, int tid)
{
	return pid == SHELL && tid == THREAD;
}

bool fc_status_read(int tid, struct fc_status *ret)
{
	*ret = (struct fc_status){
		.tid = tid,
		.tgid = fc_is_thread_of(SHELL, tid) ? SHELL : tid,
		.ppid = SHELL,
	};
	return true;
}

bool fc_shares_memory(int pid, int child, int event)
{
	return has_memory;
}

bool fc_exe_path(int pid, char ret[FC_EXE_PATH])
{
	strcpy(ret, "/bin/new");
	return true;
}

/* ---- who traces ---- */

static bool does_wait;

static void tell(void *ctx, int what, int pid, int tid, int other, int status, const char *text)
{
	static const char *const words[] = {
		[FC_LIFE_START] = "start",
		[FC_LIFE_EXEC] = "exec",
		[FC_LIFE_EXIT] = "exit",
		[FC_LIFE_THREAD_START] = "thread",
		[FC_LIFE_THREAD_EXIT] = "thread-exit",
	};
	note("%s %d of %d;", words[what], tid, what == FC_LIFE_START ? other : pid);
}

static bool waits(void *ctx, const struct fc_birth *birth)
{
	return does_wait;
}

static void born(void *ctx, const struct fc_birth *birth)
{
	note("born%s%s%s;", birth->maker ? "" : ", maker lost",
	     birth->has_parents_memory ? ", shares" : "", birth->is_late ? ", late" : "");
}

static void go(void *ctx, struct fc_tracee *child)
{
	note("go %d;", child->tid);
}

static void let_go(void *ctx, struct fc_tracee *child)
{
	note("let go %d;", child->tid);
	fc_tracee_remove(ctx, child->tid);
}

static int ended(void *ctx, struct fc_process *process, int tid)
{
	note("ended %d;", tid);
	return 0;
}

static void forget_process(struct fc_process *process)
{
	note("forget %d;", process->pid);
}

static const struct fc_lives_does does = { tell, waits, born, go, let_go, ended };

/* A shell is traced. */
struct session {
	struct fc_tracees tracees;
	struct fc_lives lives;
	struct fc_tracee *shell;
};

static int set_up(void **state)
{
	static struct session session;
	session = (struct session){
		.tracees.forget_process = forget_process,
		.lives = { &session.tracees, &does, &session.tracees, false },
	};
	session.shell =
		fc_tracee_add(&session.tracees, SHELL, fc_process_add(&session.tracees, SHELL));
	told_child = CHILD;
	has_reaped = has_memory = does_wait = false;
	happened[0] = 0;
	*state = &session;
	return 0;
}

static int tear_down(void **state)
{
	struct session *session = *state;
	fc_tracees_deinit(&session->tracees);
	return 0;
}

static void stop(struct session *session, int tid)
{
	assert_null(fc_lives_stopped(&session->lives, tid, FIRST_STOP));
}

static void tell_of(struct session *session, int child, int event)
{
	told_child = child;
	fc_lives_told(&session->lives, session->shell, event);
}

/* ---- births ---- */

static void a_child_that_was_told_of_goes_at_its_first_stop(void **state)
{
	tell_of(*state, CHILD, PTRACE_EVENT_FORK);
	assert_happened("start 20 of 10;born;");
	stop(*state, CHILD);
	assert_happened("go 20;");
}

static void later_stops_are_for_who_traces(void **state)
{
	struct session *session = *state;
	assert_ptr_equal(fc_lives_stopped(&session->lives, SHELL, FIRST_STOP), session->shell);
}

static void a_child_that_stops_first_goes_at_once(void **state)
{
	stop(*state, CHILD);
	assert_happened("start 20 of 10;born, maker lost;go 20;");
	tell_of(*state, CHILD, PTRACE_EVENT_FORK);
	assert_happened("born, late;");
}

static void a_child_that_stops_first_may_wait_for_its_maker(void **state)
{
	does_wait = has_memory = true;
	stop(*state, CHILD);
	stop(*state, CHILD); /* by PTRACE_INTERRUPT */
	assert_happened("");
	tell_of(*state, CHILD, PTRACE_EVENT_VFORK);
	assert_happened("start 20 of 10;born, shares;go 20;");
}

static void a_thread_is_of_its_makers_process(void **state)
{
	struct session *session = *state;
	tell_of(session, THREAD, PTRACE_EVENT_CLONE);
	stop(session, THREAD);
	assert_happened("thread 30 of 10;born, shares;go 30;");
	assert_int_equal(session->shell->process->nr_threads, 2);
}

static void a_thread_that_stops_first_is_of_its_process(void **state)
{
	stop(*state, THREAD);
	assert_happened("thread 30 of 10;born, maker lost, shares;go 30;");
}

static void who_is_not_followed_is_let_go_at_its_first_stop(void **state)
{
	struct session *session = *state;
	session->lives.no_follow = true;
	tell_of(session, CHILD, PTRACE_EVENT_FORK);
	assert_happened("born;");
	stop(session, CHILD);
	assert_happened("let go 20;");
	stop(session, CHILD);
	assert_happened("born, maker lost;let go 20;");
	assert_null(fc_tracee_find(&session->tracees, CHILD));
}

static void who_has_ended_before_it_was_told_of_is_not_born_again(void **state)
{
	struct session *session = *state;
	stop(session, CHILD);
	fc_lives_ended(&session->lives, CHILD, 0);
	assert_happened(
		"start 20 of 10;born, maker lost;go 20;ended 0;forget 20;exit 20 of 20;");
	has_reaped = true;
	tell_of(session, CHILD, PTRACE_EVENT_FORK);
	assert_happened("");
}

static void a_child_that_is_not_traced_goes_on_without_a_tracer(void **state)
{
	struct session *session = *state;
	assert_null(fc_lives_stopped(&session->lives, STRANGER, SIGTRAP << 8 | 0x7f));
	assert_happened("detach 40;");
	assert_null(fc_tracee_find(&session->tracees, STRANGER));
}

/* ---- makers that are killed ---- */

static void a_child_whose_maker_dies_begins_while_that_is_known(void **state)
{
	struct session *session = *state;
	does_wait = true;
	stop(session, CHILD);
	fc_lives_ended(&session->lives, SHELL, SIGKILL);
	assert_happened(
		"ended 0;start 20 of 10;born, maker lost;go 20;forget 10;exit 10 of 10;");
}

static void a_child_whose_maker_goes_with_an_exec_begins_before_that(void **state)
{
	struct session *session = *state;
	char path[FC_EXE_PATH];
	does_wait = true;
	stop(session, CHILD);
	fc_lives_exec(&session->lives, session->shell, path);
	assert_happened("start 20 of 10;born, maker lost;go 20;forget 10;exec 10 of 10;");
}

static void who_waits_may_be_told_that_nobody_will_tell(void **state)
{
	struct session *session = *state;
	does_wait = true;
	stop(session, CHILD);
	fc_lives_adopt(&session->lives, 0);
	assert_happened("start 20 of 10;born, maker lost;go 20;");
	stop(session, THREAD);
	fc_lives_adopt(&session->lives, SHELL);
	assert_happened("thread 30 of 10;born, maker lost;go 30;");
}

static void the_death_of_another_does_not_end_the_wait(void **state)
{
	struct session *session = *state;
	tell_of(session, STRANGER, PTRACE_EVENT_FORK);
	does_wait = true;
	stop(session, CHILD);
	happened[0] = 0;
	fc_lives_ended(&session->lives, STRANGER, 0);
	assert_happened("ended 0;forget 40;exit 40 of 40;");
}

static void a_child_that_dies_while_it_waits_was_never_born(void **state)
{
	struct session *session = *state;
	does_wait = true;
	stop(session, CHILD);
	assert_false(fc_lives_ended(&session->lives, CHILD, SIGKILL));
	assert_happened("");
}

/* ---- execs and deaths ---- */

static void an_exec_leaves_one_thread(void **state)
{
	struct session *session = *state;
	char path[FC_EXE_PATH];
	tell_of(session, THREAD, PTRACE_EVENT_CLONE);
	stop(session, THREAD);
	happened[0] = 0;
	fc_lives_exec(&session->lives, session->shell, path);
	assert_happened("forget 10;exec 10 of 10;");
	assert_null(fc_tracee_find(&session->tracees, THREAD));
	assert_string_equal(path, "/bin/new");
}

static void a_process_ends_with_its_leader(void **state)
{
	struct session *session = *state;
	tell_of(session, THREAD, PTRACE_EVENT_CLONE);
	stop(session, THREAD);
	happened[0] = 0;
	assert_false(fc_lives_ended(&session->lives, THREAD, 0));
	assert_happened("ended 30;thread-exit 30 of 10;");
	assert_true(fc_lives_ended(&session->lives, SHELL, 0));
	assert_happened("ended 0;forget 10;exit 10 of 10;");
	assert_int_equal(session->tracees.nr, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_child_that_was_told_of_goes_at_its_first_stop),
		TEST(later_stops_are_for_who_traces),
		TEST(a_child_that_stops_first_goes_at_once),
		TEST(a_child_that_stops_first_may_wait_for_its_maker),
		TEST(a_thread_is_of_its_makers_process),
		TEST(a_thread_that_stops_first_is_of_its_process),
		TEST(who_is_not_followed_is_let_go_at_its_first_stop),
		TEST(who_has_ended_before_it_was_told_of_is_not_born_again),
		TEST(a_child_that_is_not_traced_goes_on_without_a_tracer),
		TEST(a_child_whose_maker_dies_begins_while_that_is_known),
		TEST(a_child_whose_maker_goes_with_an_exec_begins_before_that),
		TEST(who_waits_may_be_told_that_nobody_will_tell),
		TEST(the_death_of_another_does_not_end_the_wait),
		TEST(a_child_that_dies_while_it_waits_was_never_born),
		TEST(an_exec_leaves_one_thread),
		TEST(a_process_ends_with_its_leader),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
