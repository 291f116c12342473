/* SPDX-License-Identifier: Apache-2.0 */
/* A child in a jail answers, and can do nothing else; it does no harm when it does not answer. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
/* after those it needs */
#include <cmocka.h>

#include "dwarf/inmate.h"

static const struct fc_jail jail = { .memory = 64 << 20, .cpu_s = 100 };

static void start(struct fc_inmate *inmate, void (*work)(const void *))
{
	assert_int_equal(fc_inmate_start(inmate, &jail, work, NULL), 0);
}

static int64_t ask(const struct fc_inmate *inmate, int64_t question)
{
	int64_t answer = -1;
	ssize_t size =
		fc_inmate_ask(inmate, &question, sizeof(question), &answer, sizeof(answer));
	assert_int_equal(size, sizeof(answer));
	return answer;
}

static bool next_question(int64_t *ret)
{
	return read(0, ret, sizeof(*ret)) == sizeof(*ret);
}

static void answer(int64_t nr)
{
	if (write(0, &nr, sizeof(nr)) < 0)
		_exit(9);
}

static void answer_one_more(const void *ctx)
{
	int64_t nr;
	while (next_question(&nr))
		answer(nr + 1);
}

static void questions_are_answered(void **state)
{
	struct fc_inmate inmate;
	start(&inmate, answer_one_more);
	for (int64_t i = 0; i < 100; i++)
		assert_int_equal(ask(&inmate, i), i + 1);
	fc_inmate_end(&inmate);
	assert_int_equal(inmate.pid, 0);
	assert_int_equal(fc_inmate_end(&inmate), 0);
}

/* ---- what it may not ---- */

static long try(int64_t nr)
{
	static char *const no_words[] = { NULL };
	switch (nr) {
	case 0:
		return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
	case 1:
		return syscall(SYS_openat, AT_FDCWD, "/tmp", O_RDWR | O_TMPFILE, 0600);
	case 2:
		return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	case 3:
		return syscall(SYS_execve, "/bin/true", no_words, no_words);
	case 4:
		return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
	case 5:
		return syscall(SYS_kill, 1, 0);
	case 6:
		return syscall(SYS_ptrace, 0, 0, 0, 0);
	case 7:
		return syscall(SYS_setresuid, 0, 0, 0);
	case 8:
		return syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
	case 9:
		return syscall(SYS_sendmsg, 0, NULL, 0);
	case 10:
		return syscall(SYS_recvmsg, 0, NULL, 0);
	case 11:
		return syscall(SYS_dup, 0);
	case 12:
		return syscall(SYS_fcntl, 1, F_SETFL, 0);
	case 13:
		return syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, NULL, 8);
	case 14:
		return syscall(SYS_rt_sigaction, SIGIO, NULL, NULL, 8);
	case 15:
		return syscall(SYS_prlimit64, 0, 0, NULL, NULL);
	case 16:
		return syscall(SYS_process_vm_writev, getppid(), NULL, 0, NULL, 0, 0);
	case 17:
		return syscall(SYS_unlinkat, AT_FDCWD, "/tmp/none", 0);
	case 18:
		return syscall(SYS_io_uring_setup, 1, NULL);
	case 19:
		return syscall(SYS_memfd_create, "none", 0);
	default:
		return 77;
	}
}

static void answer_tries(const void *ctx)
{
	int64_t nr;
	while (next_question(&nr))
		answer(try(nr) == -1 ? errno : 0);
}

static void it_opens_starts_and_sends_nothing(void **state)
{
	struct fc_inmate inmate;
	start(&inmate, answer_tries);
	for (int64_t i = 0; i < 20; i++)
		assert_int_equal(ask(&inmate, i), EPERM);
	fc_inmate_end(&inmate);
}

/* In a process of its own, whose status this is. */
static int status_of(void (*work)(void))
{
	int status;
	pid_t pid = fork();
	if (!pid) {
		work();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* In a user namespace there may be none. */
static void become_nobody(void)
{
	if (syscall(SYS_setresuid, 65534, 65534, 65534))
		_exit(1);
}

static void look_for(pid_t pid, const char *field, const char *value)
{
	char path[64], line[256];
	size_t len = strlen(field);
	bool is_there = false;
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, field, len) && line[len] == ':') {
			is_there = true;
			assert_int_equal(strncmp(line + len + 2, value, strlen(value)), 0);
		}
	fclose(file);
	assert_true(is_there);
}

static void it_has_no_rights_and_gains_none(void **state)
{
	struct fc_inmate inmate;
	char fd[64];
	start(&inmate, answer_one_more);
	assert_int_equal(ask(&inmate, 1), 2);
	look_for(inmate.pid, "NoNewPrivs", "1\n");
	look_for(inmate.pid, "Seccomp", "2\n");
	look_for(inmate.pid, "CapEff", "0000000000000000\n");
	look_for(inmate.pid, "CapPrm", "0000000000000000\n");
	if (!geteuid() && !status_of(become_nobody)) {
		look_for(inmate.pid, "Uid", "65534\t65534\t65534\t65534\n");
		look_for(inmate.pid, "Gid", "65534\t65534\t65534\t65534\n");
		look_for(inmate.pid, "Groups", " \n");
		for (int i = 0; i < 64; i++) {
			snprintf(fd, sizeof(fd), "/proc/%d/fd/%d", inmate.pid, i);
			assert_int_equal(faccessat(AT_FDCWD, fd, F_OK, AT_SYMLINK_NOFOLLOW),
					 i < 2 ? 0 : -1);
		}
	}
	fc_inmate_end(&inmate);
}

#ifdef __x86_64__
/* getpid() of another table, whose numbers mean other calls. */
static void call_as_i386(const void *ctx)
{
	long nr = 20;
	__asm__ volatile("int $0x80" : "+a"(nr) : : "r8", "r9", "r10", "r11", "memory");
	answer(nr);
}

static void numbers_of_another_table_end_it(void **state)
{
	struct fc_inmate inmate;
	int64_t nr = 0;
	start(&inmate, call_as_i386);
	assert_int_equal(fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr)), 0);
	assert_true(WIFSIGNALED(fc_inmate_end(&inmate)));
}
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW 1
#endif
#endif

static void answer_with_memory(const void *ctx)
{
	int64_t size;
	while (next_question(&size)) {
		void *at = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		answer(at == MAP_FAILED ? 0 : size);
	}
}

static void its_memory_is_limited(void **state)
{
	struct fc_inmate inmate;
#ifdef HAS_SHADOW
	skip();
#endif
	start(&inmate, answer_with_memory);
	assert_int_equal(ask(&inmate, 65 << 20), 0);
	assert_int_equal(ask(&inmate, 32 << 20), 32 << 20);
	assert_int_equal(ask(&inmate, 33 << 20), 0);
	fc_inmate_end(&inmate);
}

/* ---- what it may do that it should not ---- */

static void compute(const void *ctx)
{
	for (volatile uint64_t i = 0;; i++)
		;
}

static void one_that_computes_for_ever_is_ended(void **state)
{
	struct fc_jail short_jail = { .memory = 64 << 20, .cpu_s = 1 };
	struct fc_inmate inmate;
	int64_t nr = 0;
	assert_int_equal(fc_inmate_start(&inmate, &short_jail, compute, NULL), 0);
	inmate.wait_ms = 600000;
	assert_int_equal(fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr)), 0);
	int status = fc_inmate_end(&inmate);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGXCPU);
}

static void wait_for_ever(const void *ctx)
{
	static int nobody;
	for (;;)
		syscall(SYS_futex, &nobody, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void one_that_waits_for_ever_is_given_up(void **state)
{
	struct fc_inmate inmate;
	int64_t nr = 0;
	start(&inmate, wait_for_ever);
	inmate.wait_ms = 50;
	assert_int_equal(fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr)), -ETIMEDOUT);
	int status = fc_inmate_end(&inmate);
	assert_true(WIFSIGNALED(status));
}

/* Nobody asked for these. */
static void answer_for_ever(const void *ctx)
{
	for (;;)
		answer(7);
}

static void one_that_answers_for_ever_holds_nobody_up(void **state)
{
	struct fc_inmate inmate;
	start(&inmate, answer_for_ever);
	for (int i = 0; i < 10; i++)
		assert_int_equal(ask(&inmate, i), 7);
	fc_inmate_end(&inmate);
}

/* It does not even take them; there is no room for more. */
static void one_that_never_reads_holds_nobody_up(void **state)
{
	struct fc_inmate inmate;
	ssize_t size = 8;
	int64_t nr = 0;
	start(&inmate, answer_for_ever);
	for (int i = 0; size && i < 100000; i++)
		size = fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr));
	assert_int_equal(size, 0);
	fc_inmate_end(&inmate);
}

static void answer_too_long(const void *ctx)
{
	static char much[100000];
	int64_t nr;
	while (next_question(&nr))
		if (write(0, much, sizeof(much)) < 0)
			_exit(9);
}

static void a_long_answer_is_cut_and_told(void **state)
{
	struct fc_inmate inmate;
	struct {
		int64_t nr, behind;
	} got = { 0, 99 };
	start(&inmate, answer_too_long);
	assert_int_equal(
		fc_inmate_ask(&inmate, &got.nr, sizeof(got.nr), &got.nr, sizeof(got.nr)),
		100000);
	assert_int_equal(got.behind, 99);
	fc_inmate_end(&inmate);
}

static void answer_nothing(const void *ctx)
{
	fc_jail_leave(5);
}

static void one_that_ends_is_told(void **state)
{
	struct fc_inmate inmate;
	int64_t nr = 0;
	start(&inmate, answer_nothing);
	assert_int_equal(fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr)), 0);
	assert_int_equal(fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr)), 0);
	int status = fc_inmate_end(&inmate);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 5);
}

/* ---- where it lives ---- */

static void say_and_compute(const void *ctx)
{
	answer(1);
	compute(ctx);
}

static void say_and_wait(const void *ctx)
{
	answer(1);
	wait_for_ever(ctx);
}

/* It is at work by then. */
static void start_and_be_killed(void (*work)(const void *))
{
	struct fc_inmate inmate;
	int64_t nr = 0;
	if (!fc_inmate_start(&inmate, &jail, work, NULL) &&
	    fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr)) == sizeof(nr))
		raise(SIGKILL);
}

static void leave_one_that_computes(void)
{
	start_and_be_killed(say_and_compute);
}

static void leave_one_that_waits(void)
{
	start_and_be_killed(say_and_wait);
}

static void leave_one_that_answers(void)
{
	start_and_be_killed(answer_for_ever);
}

/* Nobody may be there any more when it begins. */
static void leave_one_at_once(void)
{
	struct fc_inmate inmate;
	if (!fc_inmate_start(&inmate, &jail, compute, NULL))
		raise(SIGKILL);
}

/* They come to us when their parent is gone; without the pipe they would be there for long. */
static void it_ends_with_its_parent(void **state)
{
	void (*const works[])(void) = { leave_one_that_computes, leave_one_that_waits,
					leave_one_that_answers, leave_one_at_once };
	int status;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	for (int i = 0; i < 4; i++) {
		status = status_of(works[i]);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGKILL);
		assert_true(waitpid(-1, &status, 0) > 0);
		assert_false(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
	}
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
}

static void ask_once(int64_t status)
{
	struct fc_inmate inmate;
	int64_t nr = 41;
	if (fc_inmate_start(&inmate, &jail, answer_one_more, NULL))
		_exit(20);
	if (fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr)) != sizeof(nr))
		_exit(21);
	fc_inmate_end(&inmate);
	_exit(nr == 42 ? (int)status : 22);
}

static void ask_without_descriptors(void)
{
	closefrom(0);
	ask_once(6);
}

static void ask_with_children_ignored(void)
{
	signal(SIGCHLD, SIG_IGN);
	ask_once(6);
}

static void ask_with_signals_blocked(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGIO, SIG_IGN);
	signal(SIGXCPU, SIG_IGN);
	ask_once(6);
}

static void ask_as_nobody(void)
{
	if (!geteuid())
		become_nobody();
	ask_once(6);
}

static void it_works_wherever_its_parent_does(void **state)
{
	assert_int_equal(status_of(ask_without_descriptors), 6 << 8);
	assert_int_equal(status_of(ask_with_children_ignored), 6 << 8);
	assert_int_equal(status_of(ask_with_signals_blocked), 6 << 8);
	if (geteuid() || !status_of(become_nobody))
		assert_int_equal(status_of(ask_as_nobody), 6 << 8);
}

#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define LOAD(field)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(nr)   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 1, 0)

/* As containers do: nobody sets up a filter any more. */
static void refuse_filters(void)
{
	struct sock_filter filter[] = {
		LOAD(nr),
		UNLESS(SYS_prctl),
		RETURN(SECCOMP_RET_ALLOW),
		LOAD(args[0]),
		UNLESS(PR_SET_SECCOMP),
		RETURN(SECCOMP_RET_ALLOW),
		RETURN(SECCOMP_RET_ERRNO | EACCES),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(23);
}

static void ask_without_filters(void)
{
	struct fc_inmate inmate;
	int64_t nr = 41;
	refuse_filters();
	if (fc_inmate_start(&inmate, &jail, answer_one_more, NULL))
		_exit(20);
	if (fc_inmate_ask(&inmate, &nr, sizeof(nr), &nr, sizeof(nr)))
		_exit(21);
	int status = fc_inmate_end(&inmate);
	_exit(WIFEXITED(status) && WEXITSTATUS(status) == FC_INMATE_NO_JAIL ? 6 : 22);
}

static void without_a_jail_it_does_nothing(void **state)
{
	assert_int_equal(status_of(ask_without_filters), 6 << 8);
}

static void there_are_not_too_many(void **state)
{
	static struct fc_inmate inmates[FC_INMATES];
	struct fc_inmate other = { 0 };
	for (int i = 0; i < FC_INMATES; i++)
		start(&inmates[i], answer_one_more);
	assert_int_equal(fc_inmate_start(&other, &jail, answer_one_more, NULL), -EBUSY);
	assert_int_equal(ask(&inmates[FC_INMATES - 1], 1), 2);
	for (int i = 0; i < FC_INMATES; i++)
		fc_inmate_end(&inmates[i]);
	start(&other, answer_one_more);
	fc_inmate_end(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(questions_are_answered),
		cmocka_unit_test(it_opens_starts_and_sends_nothing),
		cmocka_unit_test(it_has_no_rights_and_gains_none),
#ifdef __x86_64__
		cmocka_unit_test(numbers_of_another_table_end_it),
#endif
		cmocka_unit_test(its_memory_is_limited),
		cmocka_unit_test(one_that_computes_for_ever_is_ended),
		cmocka_unit_test(one_that_waits_for_ever_is_given_up),
		cmocka_unit_test(one_that_answers_for_ever_holds_nobody_up),
		cmocka_unit_test(one_that_never_reads_holds_nobody_up),
		cmocka_unit_test(a_long_answer_is_cut_and_told),
		cmocka_unit_test(one_that_ends_is_told),
		cmocka_unit_test(it_ends_with_its_parent),
		cmocka_unit_test(it_works_wherever_its_parent_does),
		cmocka_unit_test(without_a_jail_it_does_nothing),
		cmocka_unit_test(there_are_not_too_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
