/* SPDX-License-Identifier: Apache-2.0 */
/* Switches and wakings of a thread, as the kernel tells them: which calls they become, and their results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/kernel/off_cpu.h"
#include "trace/record.h"

enum { ASLEEP, DISK, STOPPED, RUNNABLE, NO_SUCH_THREAD = 0x7ffffff0 };

static char folder[] = "/tmp/test_off_cpu.XXXXXX";
static struct fc_numbers numbers;
static struct fc_off_cpu *off;
static uint32_t func; /* what is open for the thread */
static uint64_t words[FC_OFF_CPU_WORDS];

static uint32_t id_of(unsigned which)
{
	return fc_off_cpu_module(off)->funcs[which].id;
}

static const char *name_of(uint32_t id)
{
	const struct fc_module_info *module = fc_off_cpu_module(off);
	for (size_t i = 0; i < module->nr_funcs; i++)
		if (module->funcs[i].id == id)
			return module->funcs[i].name;
	return "none";
}

/* One record; what its values' text is: of the mark before it. */
static size_t add_record(const uint64_t *word, char *text, size_t size)
{
	size_t nr = 1;
	char result[256] = "";
	if (fc_record_kind(word[0]) == FC_MARK) {
		assert_int_equal(fc_record_mark(word[0]), FC_MARK_VALUES);
		nr = fc_record_words(word[0]) + 1;
		assert_true(word[2] != 0);
		snprintf(result, sizeof(result), " \"%.*s\"", (int)word[3],
			 (const char *)&word[4]);
		nr++;
	}
	uint64_t record = word[nr - 1];
	assert_int_equal(fc_record_tick(record), 1000);
	size_t at = strlen(text);
	snprintf(text + at, size - at, "%s%s %s%s", at ? "; " : "",
		 fc_record_kind(record) == FC_ENTRY ? "enter" : "leave",
		 name_of(fc_record_func(record)), result);
	return nr;
}

static void expect(size_t nr, const char *expected, uint32_t open)
{
	char text[512] = "";
	for (size_t i = 0; i < nr;)
		i += add_record(words + i, text, sizeof(text));
	assert_string_equal(text, expected);
	assert_int_equal(func, open);
}

static size_t out(uint64_t state)
{
	struct fc_raw raw = { .tsc = 1000, .kind = FC_RAW_SWITCH, .number = state };
	return fc_off_cpu_out(off, &raw, &func, words);
}

static size_t woken_in(int tid, int64_t flags, const uint64_t *stack)
{
	struct fc_raw raw = { .tsc = 1000, .kind = FC_RAW_WAKING, .tid = tid, .value = flags };
	return fc_off_cpu_woken(off, &raw, stack, &func, words);
}

static size_t woken(int tid, int64_t flags)
{
	return woken_in(tid, flags, NULL);
}

static size_t in(int from, const char *name)
{
	uint64_t comm[2] = { 0 };
	struct fc_raw raw = { .tsc = 1000, .kind = FC_RAW_SWITCH, .tid = from };
	memcpy(comm, name, strlen(name));
	return fc_off_cpu_in(off, &raw, comm, &func, words);
}

static void who_sleeps_is_woken_and_waits_for_a_cpu(void **state)
{
	char expected[128];
	prctl(PR_SET_NAME, "a waker");
	expect(out(1), "enter asleep", id_of(ASLEEP));
	snprintf(expected, sizeof(expected),
		 "leave asleep \"woken by a waker[%d]\"; enter runnable", gettid());
	expect(woken(gettid(), 1), expected, id_of(RUNNABLE));
	/* Once more, before it runs. */
	expect(woken(gettid(), 1), "", id_of(RUNNABLE));
	expect(in(NO_SUCH_THREAD, "cc1"), "leave runnable \"cc1[2147483632] ran\"", 0);
}

static void who_is_preempted_waits_for_a_cpu(void **state)
{
	expect(out(0), "enter runnable", id_of(RUNNABLE));
	expect(in(0, "swapper/0"), "leave runnable", 0);
	expect(out(0x100), "enter runnable", id_of(RUNNABLE));
	expect(in(NO_SUCH_THREAD, "0123456789abcde"),
	       "leave runnable \"0123456789abcde[2147483632] ran\"", 0);
}

static void states_are_told_apart(void **state)
{
	expect(out(2), "enter asleep_uninterruptible", id_of(DISK));
	expect(woken(5, 8),
	       "leave asleep_uninterruptible \"woken by an interrupt\"; "
	       "enter runnable",
	       id_of(RUNNABLE));
	func = 0;
	expect(out(4), "enter stopped", id_of(STOPPED));
	func = 0;
	expect(out(8), "enter stopped", id_of(STOPPED));
	func = 0;
	expect(out(0x80), "enter asleep", id_of(ASLEEP));
	/* Its waking is among what was lost. */
	expect(in(0, ""), "leave asleep", 0);
	/* It has ended. */
	expect(out(0x20), "", 0);
	expect(out(0x10), "", 0);
}

static void who_runs_is_not_woken(void **state)
{
	expect(woken(5, 0), "", 0);
	expect(in(5, "x"), "", 0);
}

/* By whom the kernel was woken that is no more when it is looked at. */
static void names_of_the_dead_are_those_that_the_kernel_kept(void **state)
{
	char path[64];
	snprintf(path, sizeof(path), "%s/saved_cmdlines", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "1 init\n%d gone by\n214748363 other\n", NO_SUCH_THREAD + 1);
	fclose(f);
	out(1);
	expect(woken(NO_SUCH_THREAD + 1, 0),
	       "leave asleep \"woken by gone by[2147483633]\"; enter runnable",
	       id_of(RUNNABLE));
	func = 0;
	out(1);
	expect(woken(NO_SUCH_THREAD + 2, 0),
	       "leave asleep \"woken by thread 2147483634\"; enter runnable", id_of(RUNNABLE));
	func = 0;
	unlink(path);
}

static void long_names_are_whole(void **state)
{
	in(NO_SUCH_THREAD + 3, "0123456789abcde");
	out(1);
	expect(woken(NO_SUCH_THREAD + 3, 0),
	       "leave asleep \"woken by 0123456789abcde[2147483635]\"; enter runnable",
	       id_of(RUNNABLE));
	func = 0;
}

/* As the kernel lists them: /proc/kallsyms. */
static const char list[] = "0000000000001000 A fixed_percpu_data\n"
			   "ffffffff81000600 T hrtimer_wakeup\n"
			   "ffffffff81000200 T vfs_write\t[a_module]\n"
			   "ffffffff81000280 t entry_code\n"
			   "ffffffff81000300 T __wake_up_sync_key\n"
			   "ffffffff81000280 D data\n"
			   "ffffffff81000100 t pipe_write\n"
			   "ffffffff81000400 T try_to_wake_up\n"
			   "ffffffff81000500 W autoremove_wake_function\n";

/* First what records the event, which has no name. */
static const uint64_t by_write[] = { 7,
				     0xffffffff81000050,
				     0xffffffff81000420,
				     0xffffffff81000510,
				     0xffffffff81000310,
				     0xffffffff81000110,
				     0xffffffff81000210,
				     0xffffffff81000290 };

static void what_the_waker_did_is_told(void **state)
{
	static const uint64_t by_timer[] = { 2, 0xffffffff81000410, 0xffffffff81000610 };
	static const uint64_t unknown[] = { 2, 0xffffffff81000410, 0x1000 }, none[] = { 0 };
	in(NO_SUCH_THREAD + 4, "sshd");
	out(1);
	expect(woken_in(NO_SUCH_THREAD + 4, 0, by_write),
	       "leave asleep \"woken by sshd[2147483636] in pipe_write\"; enter runnable",
	       id_of(RUNNABLE));
	func = 0;
	out(1);
	expect(woken_in(0, 8, by_timer),
	       "leave asleep \"woken by an interrupt in hrtimer_wakeup\"; enter runnable",
	       id_of(RUNNABLE));
	for (size_t i = 0; i < 2; i++) {
		func = 0;
		out(1);
		expect(woken_in(0, 8, i ? unknown : none),
		       "leave asleep \"woken by an interrupt\"; enter runnable",
		       id_of(RUNNABLE));
	}
	func = 0;
}

static struct fc_kernel_symbols *symbols;

static void all_functions_of_the_waker_are_told_on_demand(void **state)
{
	struct fc_off_cpu *usual = off;
	off = fc_off_cpu_create(folder, symbols, true, &numbers);
	out(1);
	expect(woken_in(0, 8, by_write),
	       "leave asleep \"woken by an interrupt in pipe_write <- vfs_write <- "
	       "entry_code\"; enter runnable",
	       id_of(RUNNABLE));
	expect(in(0, ""), "leave runnable", 0);
	fc_off_cpu_destroy(off);
	off = usual;
}

static int set_up(void **state)
{
	char path[64];
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/kallsyms", folder);
	FILE *f = fopen(path, "w");
	if (!f)
		return -1;
	fputs(list, f);
	fclose(f);
	symbols = fc_kernel_symbols_read(folder);
	unlink(path);
	off = fc_off_cpu_create(folder, symbols, false, &numbers);
	return symbols ? 0 : -1;
}

static int tear_down(void **state)
{
	fc_off_cpu_destroy(off);
	fc_kernel_symbols_destroy(symbols);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_sleeps_is_woken_and_waits_for_a_cpu),
		cmocka_unit_test(who_is_preempted_waits_for_a_cpu),
		cmocka_unit_test(states_are_told_apart),
		cmocka_unit_test(who_runs_is_not_woken),
		cmocka_unit_test(names_of_the_dead_are_those_that_the_kernel_kept),
		cmocka_unit_test(long_names_are_whole),
		cmocka_unit_test(what_the_waker_did_is_told),
		cmocka_unit_test(all_functions_of_the_waker_are_told_on_demand),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
