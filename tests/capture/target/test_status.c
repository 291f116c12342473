/* SPDX-License-Identifier: Apache-2.0 */
/* test_status.c - what /proc/TID/status tells of a thread is what the thread itself is told. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/target/status.h"

static void handle(int nr)
{
}

static uint64_t bit(int nr)
{
	return 1ull << (nr - 1);
}

static void own_ids_rights_and_name(void **state)
{
	struct fc_status status;
	uid_t uid[FC_NR_UIDS];
	gid_t gid[FC_NR_UIDS];
	assert_int_equal(getresuid(&uid[0], &uid[1], &uid[2]), 0);
	assert_int_equal(getresgid(&gid[0], &gid[1], &gid[2]), 0);
	assert_int_equal(prctl(PR_SET_NAME, "Tgid: 7 a:b"), 0);

	assert_true(fc_status_read(getpid(), &status));
	assert_string_equal(status.name, "Tgid: 7 a:b");
	assert_int_equal(status.tid, getpid());
	assert_int_equal(status.tgid, getpid());
	assert_int_equal(status.ppid, getppid());
	assert_int_equal(status.own_tid, getpid());
	assert_true(status.nr_ns >= 1);
	assert_int_equal(status.ns_tid[status.nr_ns - 1], getpid());
	assert_int_equal(status.tracer, 0);
	assert_memory_equal(status.rights.uid, uid, sizeof(uid));
	assert_memory_equal(status.rights.gid, gid, sizeof(gid));
	assert_int_equal(status.rights.no_new_privs, prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	assert_int_equal(status.rights.seccomp, prctl(PR_GET_SECCOMP));
	assert_int_equal(status.state, 'R');
	assert_false(status.is_zombie);
}

static void signals(void **state)
{
	struct fc_status status;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, NULL), 0);
	signal(SIGHUP, SIG_IGN);
	signal(SIGUSR1, handle);
	raise(SIGUSR1);		 /* for the thread */
	kill(getpid(), SIGUSR2); /* for the process */

	assert_true(fc_status_read(getpid(), &status));
	assert_true(status.pending == (bit(SIGUSR1) | bit(SIGUSR2)));
	assert_true(status.ignored & bit(SIGHUP));
	assert_false(status.ignored & bit(SIGUSR1));
	assert_true(status.caught & bit(SIGUSR1));
	assert_false(status.caught & bit(SIGHUP));
	signal(SIGUSR2, SIG_IGN);
	assert_int_equal(sigprocmask(SIG_UNBLOCK, &set, NULL), 0);
}

static void no_such_thread(void **state)
{
	struct fc_status status;
	assert_false(fc_status_read(-1, &status));
	assert_int_equal(status.tgid, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_ids_rights_and_name),
		cmocka_unit_test(signals),
		cmocka_unit_test(no_such_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
