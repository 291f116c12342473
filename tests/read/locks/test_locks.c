/* SPDX-License-Identifier: Apache-2.0 */
/* Locks of futex() alone, as the kernel's tracing tells of system calls and of time off the CPU. */
#include <errno.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "capture/switch/off_calls.h"
#include "capture/syscall/syscalls.h"
#include "read/locks/locks.h"
#include "trace/words.h"

enum { PID = 10, GET = 1, PUT, NR_FUNCS = PUT, WORD = 0x1000 };

static const struct fc_func_info funcs[] = {
	{ .name = "get", .id = GET, .how = FC_HOW_HOOKED },
	{ .name = "put", .id = PUT, .how = FC_HOW_HOOKED }
};
static const struct fc_module_info prog = {
	.id = 1, .path = "/prog", .build_id = "", .funcs = funcs, .nr_funcs = NR_FUNCS
};

static struct {
	struct fc_syscalls *syscalls;
	struct fc_off_calls *off;
	struct fc_names *names;
	struct fc_values *values;
	struct fc_locks *locks;
	struct fc_calls *calls;
	struct fc_namer namer;
} at;

static void add_module(const struct fc_module_info *module)
{
	fc_names_add(at.names, module);
	if (module->values)
		assert_int_equal(fc_values_add(at.values, module->values, module->values_size),
				 0);
}

static int begin(void **state)
{
	struct fc_numbers numbers = { .funcs = NR_FUNCS, .modules = 1 };

	at.syscalls = fc_syscalls_create(&numbers,
					 &(struct fc_syscalls_opts){ .by = "raw_syscalls" });
	at.off = fc_off_calls_create(&numbers, "sched");
	at.names = fc_names_create(FC_DEMANGLE_SIMPLE);
	at.values = fc_values_create();
	add_module(&prog);
	add_module(fc_syscalls_module(at.syscalls));
	add_module(fc_off_calls_module(at.off));
	at.namer = fc_names_namer(at.names);
	at.locks = fc_locks_create(&at.namer, at.values);
	at.calls = fc_calls_create(fc_locks_sink(at.locks));
	fc_calls_set_values(at.calls, at.values);
	return 0;
}

static int end(void **state)
{
	fc_calls_destroy(at.calls);
	fc_locks_destroy(at.locks);
	fc_values_destroy(at.values);
	fc_names_destroy(at.names);
	fc_off_calls_destroy(at.off);
	fc_syscalls_destroy(at.syscalls);
	return 0;
}

/* Strands are ten times threads. */
static void feed(int tid, const uint64_t *words, size_t nr, uint64_t now)
{
	struct fc_strand_info strand = { .id = 10 * (uint32_t)tid, .pid = PID, .tid = tid };
	struct fc_event event;

	for (size_t i = 0, taken; i < nr; i += taken) {
		taken = fc_words_decode(words + i, nr - i, &strand, now, &event);
		assert_true(taken > 0);
		fc_calls_feed(at.calls, &event);
	}
}

static void call(int tid, uint32_t func, uint64_t tsc)
{
	feed(tid, (const uint64_t[]){ fc_record(tsc, func, FC_ENTRY) }, 1, tsc);
}

static void futex(int tid, uint64_t tsc, int operation, uint64_t value)
{
	const uint64_t arg[FC_SYSCALL_ARGS] = { WORD, (uint64_t)operation, value };
	uint64_t words[FC_SYSCALL_WORDS];

	feed(tid, words, fc_syscalls_enter(at.syscalls, tsc, SYS_futex, arg, words), tsc);
}

static void futex_returns(int tid, uint64_t tsc, int64_t result)
{
	static const struct fc_taken none;
	uint64_t words[FC_SYSCALL_WORDS];

	feed(tid, words, fc_syscalls_leave(at.syscalls, tsc, SYS_futex, result, &none, words),
	     tsc);
}

static void asleep(int tid, uint64_t from, uint64_t to, const char *text)
{
	uint64_t words[FC_OFF_WORDS];
	uint32_t func;
	size_t nr = fc_off_calls_enter(at.off, from, FC_OFF_ASLEEP, &func, words);

	feed(tid, words, nr, from);
	nr = fc_off_calls_leave(to, text, &func, words);
	feed(tid, words, nr, to);
}

static const struct fc_lock *lock_of(void)
{
	fc_calls_finish(at.calls, 1000);
	assert_int_equal(fc_locks_nr(at.locks), 1);
	const struct fc_lock *lock = fc_locks_get(at.locks, 0);
	assert_int_equal(lock->address, WORD);
	assert_int_equal(lock->kind, FC_LOCK_FUTEX);
	return lock;
}

/* 11 waits, asleep as text says; 12 and 13 wake somebody each. */
static void run(const char *text)
{
	call(11, GET, 100);
	call(12, PUT, 101);
	call(13, PUT, 102);
	futex(11, 110, FUTEX_WAIT_PRIVATE, 2);
	futex(12, 120, FUTEX_WAKE_PRIVATE, 1);
	futex_returns(12, 122, 1);
	futex(13, 130, FUTEX_WAKE_PRIVATE, 1);
	futex_returns(13, 132, 1);
	asleep(11, 115, 140, text);
	futex_returns(11, 150, 0);
}

static void assert_woken(int tid, int nobody)
{
	const struct fc_lock *lock = lock_of();

	assert_int_equal(lock->times.waits, 1);
	assert_int_equal(lock->times.total, 40);
	assert_int_equal(lock->first_func, GET);
	assert_int_equal(lock->who[FC_LOCK_WAITED].nr, 1);
	assert_int_equal(lock->who[FC_LOCK_WAITED].at[0].tid, 11);
	assert_int_equal(lock->who[FC_LOCK_WAITED].at[0].func, GET);
	assert_int_equal(lock->who[FC_LOCK_HELD].nr, 0);
	assert_int_equal(lock->who[FC_LOCK_WOKE].nr, 1);
	assert_int_equal(lock->who[FC_LOCK_WOKE].at[0].tid, tid);
	assert_int_equal(lock->who[FC_LOCK_WOKE].at[0].func, tid ? PUT : 0);
	assert_int_equal(lock->who[FC_LOCK_WOKE].at[0].nobody, nobody);
}

static void without_the_kernel_s_word_nobody_knows_which(void **state)
{
	run("");
	assert_woken(0, FC_LOCK_ONE_OF_MANY);
}

static void the_kernel_says_who_woke(void **state)
{
	run("woken by worker[13]");
	assert_woken(13, 0);
}

static void also_where_in_it(void **state)
{
	run("woken by a b[12] in futex_wake");
	assert_woken(12, 0);
}

static void a_name_may_be_anything(void **state)
{
	run("woken by x[12] in y[13]");
	assert_woken(13, 0);
}

static void or_there_is_none(void **state)
{
	run("woken by thread 12");
	assert_woken(12, 0);
}

static void a_thread_that_did_not_wake_here_is_not_told(void **state)
{
	run("woken by other[99]");
	assert_woken(0, FC_LOCK_NOT_TRACED);
}

static void what_does_not_sleep_is_no_wait(void **state)
{
	call(11, GET, 100);
	futex(11, 110, FUTEX_WAIT_PRIVATE, 2);
	futex_returns(11, 112, -EAGAIN);
	assert_int_equal(lock_of()->times.waits, 0);
	assert_int_equal(fc_locks_seen(at.locks).futexes, 1);
}

static void time_that_is_over_and_signals_end_waits(void **state)
{
	call(11, GET, 100);
	futex(11, 110, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 2);
	futex_returns(11, 120, -ETIMEDOUT);
	futex(11, 130, FUTEX_WAIT_PRIVATE, 2);
	futex_returns(11, 150, -EINTR);
	futex(11, 160, FUTEX_WAIT_PRIVATE, 2);
	const struct fc_lock *lock = lock_of();
	assert_int_equal(lock->times.waits, 3);
	assert_int_equal(lock->who[FC_LOCK_WOKE].nr, 3);
	assert_int_equal(lock->who[FC_LOCK_WOKE].at[0].nobody, FC_LOCK_TIMEOUT);
	assert_int_equal(lock->who[FC_LOCK_WOKE].at[1].nobody, FC_LOCK_INTERRUPTED);
	assert_int_equal(lock->who[FC_LOCK_WOKE].at[2].nobody, FC_LOCK_NOT_OVER);
}

/* pthread_join(): the word is the thread's number. */
static void the_end_of_a_thread_is_no_lock(void **state)
{
	call(11, GET, 100);
	call(12, PUT, 101);
	futex(11, 110, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 12);
	futex_returns(11, 120, 0);
	fc_calls_finish(at.calls, 1000);
	assert_int_equal(fc_locks_nr(at.locks), 0);
	assert_int_equal(fc_locks_seen(at.locks).no_locks, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(without_the_kernel_s_word_nobody_knows_which),
		CASE(the_kernel_says_who_woke),
		CASE(also_where_in_it),
		CASE(a_name_may_be_anything),
		CASE(or_there_is_none),
		CASE(a_thread_that_did_not_wake_here_is_not_told),
		CASE(what_does_not_sleep_is_no_wait),
		CASE(time_that_is_over_and_signals_end_waits),
		CASE(the_end_of_a_thread_is_no_lock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
