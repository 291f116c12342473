/* SPDX-License-Identifier: Apache-2.0 */
/* What a well tells of threads gets strands, processes and names; the well is played here. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "calls/kinds.h"
#include "calls/programs.h"
#include "capture/kernel/raws.h"
#include "capture/kernel/end_probes.h"
#include "capture/kernel/tasks/kernel_tasks.h"
#include "trace/record.h"

/* No thread has such a number (PID_MAX_LIMIT is 4194304). */
enum { GONE = 5000001, CHILD, THREAD, NEXT, RECORD_TSC = 1000 };

static struct fc_tap next;
static char *told; /* by the next tap, one sentence a line */
static uint64_t last_life_tsc;
static struct fc_numbers numbers;
static struct fc_tasks *tasks;
static struct fc_tap *well;

static int take_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	fc_append(&told, "records of %u: %d/%d %s\n", strand->id, strand->pid, strand->tid,
		  fc_strand_word(strand->kind));
	return 0;
}

static int take_end(struct fc_tap *tap, const struct fc_strand_info *strand, uint64_t tsc)
{
	fc_append(&told, "%u ends\n", strand->id);
	return 0;
}

static int take_life(struct fc_tap *tap, const struct fc_life_info *life)
{
	last_life_tsc = life->tsc;
	fc_append(&told, "%s %d/%d %d %s\n", fc_life_word(life->life), life->pid, life->tid,
		  life->life == FC_LIFE_EXIT ? life->status : life->other,
		  life->text ? life->text : "-");
	return 0;
}

static void records(int tid)
{
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE, .tid = tid };
	uint64_t word = fc_record(RECORD_TSC, 1, FC_ENTRY);
	assert_int_equal(well->records(well, &strand, &word, 1, 2000), 0);
}

static void life(int what, int tid, int other, const char *text)
{
	struct fc_life_info info = {
		.life = what, .tid = tid, .other = other, .text = text, .tsc = 1500
	};
	assert_int_equal(well->life(well, &info), 0);
}

static void life_end(int tid, enum fc_end what, int value)
{
	struct fc_life_info info = {
		.life = FC_LIFE_EXIT, .tid = tid, .other = what, .status = value, .tsc = 1500
	};
	assert_int_equal(well->life(well, &info), 0);
}

static void check(const char *expected)
{
	assert_string_equal(told, expected);
	*told = 0;
}

static void idle_cpus_have_a_strand_each(void **state)
{
	records(FC_RAW_IDLE);
	records(FC_RAW_IDLE - 3);
	records(FC_RAW_IDLE);
	check("start 0/0 0 -\n"
	      "exec 0/0 0 [swapper]\n"
	      "records of 1: 0/0 kernel\n"
	      "records of 2: 0/0 kernel\n"
	      "records of 1: 0/0 kernel\n");
}

static void nothing_of_this_process_is_told(void **state)
{
	records(getpid());
	life(FC_LIFE_THREAD_START, THREAD, getpid(), NULL);
	records(THREAD);
	life(FC_LIFE_START, CHILD, THREAD, NULL);
	records(CHILD);
	life(FC_LIFE_EXEC, CHILD, 0, "/bin/x");
	life(FC_LIFE_THREAD_EXIT, CHILD, 0, NULL);
	check("");
}

static void who_is_there_is_looked_up(void **state)
{
	char expected[512], path[256] = "";
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	int pid = fork();
	if (!pid)
		for (;;)
			pause();
	records(pid);
	records(pid);
	snprintf(expected, sizeof(expected),
		 "start %d/%d 0 -\nexec %d/%d 0 %s\nrecords of 1: %d/%d thread\n"
		 "records of 1: %d/%d thread\n",
		 pid, pid, pid, pid, path, pid, pid, pid, pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	check(expected);
}

static void of_a_zombie_the_name_is_known(void **state)
{
	char expected[256], name[16] = "";
	siginfo_t info;
	prctl(PR_GET_NAME, name);
	int pid = fork();
	if (!pid)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	records(pid);
	waitpid(pid, NULL, 0);
	snprintf(expected, sizeof(expected),
		 "start %d/%d 0 -\nexec %d/%d 0 %s\nrecords of 1: %d/%d thread\n", pid, pid,
		 pid, pid, name, pid, pid);
	check(expected);
}

static void who_is_gone_is_told_without_a_name(void **state)
{
	records(GONE);
	check("start 5000001/5000001 0 -\nrecords of 1: 5000001/5000001 thread\n");
}

/* In a trace, too, where some ticks of the clock are one. */
static void what_is_looked_up_stands_before_the_first_call(void **state)
{
	enum { QUANTUM = 32 };
	records(GONE);
	assert_true(last_life_tsc / QUANTUM < RECORD_TSC / QUANTUM);
}

/* By the one that ends all, though the first one ended before with another status. */
static void a_process_ends_with_its_last_thread(void **state)
{
	records(GONE);
	life(FC_LIFE_START, CHILD, GONE, NULL);
	life(FC_LIFE_THREAD_START, THREAD, CHILD, NULL);
	*told = 0;
	life_end(CHILD, FC_END_OF_ONE, 0);
	life_end(CHILD, FC_END_LAST, 0);
	life(FC_LIFE_THREAD_EXIT, CHILD, 0, NULL);
	life_end(THREAD, FC_END_OF_ALL, 256);
	life_end(THREAD, FC_END_OF_ONE, 768);
	life_end(THREAD, FC_END_LAST, 1);
	life(FC_LIFE_THREAD_EXIT, THREAD, 0, NULL);
	check("thread exit 5000002/5000002 0 -\nexit 5000002/5000002 768 -\n");
}

/* Those that an exec ends do not end it; one that ends by itself has a status of its own. */
static void threads_that_end_do_not_end_their_process(void **state)
{
	records(GONE);
	life(FC_LIFE_START, CHILD, GONE, NULL);
	life(FC_LIFE_THREAD_START, THREAD, CHILD, NULL);
	*told = 0;
	life_end(THREAD, FC_END_OF_ALL, 9);
	life_end(THREAD, FC_END_OF_ONE, 9);
	life_end(THREAD, FC_END_LAST, 0);
	life(FC_LIFE_THREAD_EXIT, THREAD, 0, NULL);
	life(FC_LIFE_EXEC, CHILD, 0, "/bin/x");
	life_end(CHILD, FC_END_OF_ONE, 0);
	life_end(CHILD, FC_END_LAST, 1);
	life(FC_LIFE_THREAD_EXIT, CHILD, 0, NULL);
	check("thread exit 5000002/5000003 0 -\nexec 5000002/5000002 0 /bin/x\n"
	      "exit 5000002/5000002 0 -\n");
}

static void births_and_deaths_are_told(void **state)
{
	records(GONE);
	*told = 0;
	life(FC_LIFE_START, CHILD, GONE, NULL);
	life(FC_LIFE_THREAD_START, THREAD, CHILD, NULL);
	records(THREAD);
	life(FC_LIFE_EXEC, CHILD, 0, "/usr/bin/cat");
	life(FC_LIFE_THREAD_EXIT, THREAD, 0, NULL);
	life(FC_LIFE_THREAD_EXIT, CHILD, 0, NULL);
	check("start 5000002/5000002 5000001 -\n"
	      "thread start 5000002/5000003 0 -\n"
	      "records of 2: 5000002/5000003 thread\n"
	      "exec 5000002/5000002 0 /usr/bin/cat\n"
	      "2 ends\n"
	      "thread exit 5000002/5000003 0 -\n"
	      "thread exit 5000002/5000002 0 -\n");
}

static void a_number_that_is_used_again_is_another(void **state)
{
	records(GONE);
	life(FC_LIFE_START, CHILD, GONE, NULL);
	records(CHILD);
	*told = 0;
	life(FC_LIFE_START, CHILD, GONE, NULL); /* its end was lost */
	records(CHILD);
	check("2 ends\n"
	      "start 5000002/5000002 5000001 -\n"
	      "records of 3: 5000002/5000002 thread\n");
}

static void of_kernel_threads_only_those_that_are_added(void **state)
{
	const struct fc_kthread worker = { .tid = GONE, .name = "kworker/0:1-events" };
	assert_true(fc_tasks_add(tasks, &worker));
	assert_false(fc_tasks_add(tasks, &worker));
	records(NEXT);
	records(getpid());
	check("");
	records(GONE);
	check("start 5000001/5000001 0 -\n"
	      "exec 5000001/5000001 0 [kworker/0:1-events]\n"
	      "records of 1: 5000001/5000001 kernel\n");
	fc_tasks_remove(tasks, GONE);
	records(GONE);
	check("1 ends\n");
}

/* They have a slash in it, and are no paths. */
static void names_of_kernel_threads_are_whole(void **state)
{
	struct fc_programs programs = { 0 };
	fc_programs_life(&programs, &(struct fc_life_info){ .life = FC_LIFE_EXEC,
							    .pid = 9,
							    .text = "[kworker/0:1]" });
	assert_string_equal(fc_programs_name(&programs, fc_programs_of(&programs, 9)),
			    "[kworker/0:1]");
	fc_programs_deinit(&programs);
}

static int begin(bool is_all)
{
	next = (struct fc_tap){ .records = take_records,
				.strand_end = take_end,
				.life = take_life };
	numbers = (struct fc_numbers){ 0 };
	told = fc_strdup("");
	tasks = fc_tasks_create(&numbers, is_all, &next);
	well = fc_tasks_tap(tasks);
	return 0;
}

static int of_all(void **state)
{
	return begin(true);
}

static int of_some(void **state)
{
	return begin(false);
}

static int end(void **state)
{
	fc_tasks_destroy(tasks);
	free(told);
	return 0;
}

#define OF_ALL(test) cmocka_unit_test_setup_teardown(test, of_all, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OF_ALL(idle_cpus_have_a_strand_each),
		OF_ALL(nothing_of_this_process_is_told),
		OF_ALL(who_is_there_is_looked_up),
		OF_ALL(of_a_zombie_the_name_is_known),
		OF_ALL(who_is_gone_is_told_without_a_name),
		OF_ALL(what_is_looked_up_stands_before_the_first_call),
		OF_ALL(a_process_ends_with_its_last_thread),
		OF_ALL(threads_that_end_do_not_end_their_process),
		OF_ALL(births_and_deaths_are_told),
		OF_ALL(a_number_that_is_used_again_is_another),
		cmocka_unit_test_setup_teardown(of_kernel_threads_only_those_that_are_added,
						of_some, end),
		cmocka_unit_test(names_of_kernel_threads_are_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
