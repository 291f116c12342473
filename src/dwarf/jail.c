/* SPDX-License-Identifier: Apache-2.0 */
/* jail.c - gives up rights, files and system calls before a file is parsed. */
#include "dwarf/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"

/* With AddressSanitizer, which takes terabytes of addresses. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW 1
#endif
#endif

enum { NOBODY = 65534 };

#define FIELD(name)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define ALLOW(call)                                                                            \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), RETURN(SECCOMP_RET_ALLOW)

enum { MACHINE_AT = 1 }; /* in the filter */

/*
 * Numbers of other tables (i386, x32) are none of these. Which signals are blocked stays as it is:
 * those that end it come through.
 */
static struct sock_filter filter[] = {
	FIELD(arch),
	[MACHINE_AT] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	FIELD(nr),
	ALLOW(read),
	ALLOW(write),
	ALLOW(mmap),
	ALLOW(munmap),
	ALLOW(mremap),
	ALLOW(mprotect),
	ALLOW(madvise),
	ALLOW(brk),
	ALLOW(futex),
	ALLOW(clock_gettime),
	ALLOW(exit),
	ALLOW(exit_group),
#ifdef HAS_SHADOW
	ALLOW(sigaltstack), /* AddressSanitizer looks for it in front of what does not return */
#endif
	RETURN(SECCOMP_RET_ERRNO | EPERM),
};

/* What the parent did with signals is not ours; Ctrl-C is for the parent, whose end ends us. */
static void reset_signals(void)
{
	sigset_t none;
	for (int nr = 1; nr < NSIG; nr++)
		signal(nr, nr == SIGINT || nr == SIGQUIT || nr == SIGHUP ? SIG_IGN : SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Never more than there was before. */
static int limit(__rlimit_resource_t what, uint64_t soft, uint64_t hard)
{
	struct rlimit now;
	if (getrlimit(what, &now))
		return -errno;
	now.rlim_max = hard < now.rlim_max ? hard : now.rlim_max;
	now.rlim_cur = soft < now.rlim_cur ? soft : now.rlim_cur;
	if (now.rlim_cur > now.rlim_max)
		now.rlim_cur = now.rlim_max;
	return setrlimit(what, &now) ? -errno : 0;
}

#ifndef HAS_SHADOW
/* Bytes of addresses that are in use. */
static uint64_t in_use(void)
{
	char text[64];
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t nr = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[nr > 0 ? nr : 0] = 0;
	return strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}
#endif

static int limit_all(const struct fc_jail *jail)
{
	int err = limit(RLIMIT_CORE, 0, 0);
	if (!err)
		err = limit(RLIMIT_FSIZE, 0, 0);
	if (!err)
		err = limit(RLIMIT_CPU, jail->cpu_s, jail->cpu_s + 1);
#ifndef HAS_SHADOW
	uint64_t most = in_use() + jail->memory;
	if (!err)
		err = limit(RLIMIT_AS, most, most);
#endif
	return err ? err : limit(RLIMIT_NOFILE, 0, 0);
}

/*
 * In a user namespace there may be no nobody, and who is not root may have rights, too. glibc's own
 * would ask threads that are not here.
 */
static int drop_rights(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (!geteuid()) {
		syscall(SYS_setgroups, (size_t)0, NULL);
		syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY);
		syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY);
	}
	return syscall(SYS_capset, &head, none) ? -errno : 0;
}

/* They become 0 and 1, whichever they are now. */
static int take_descriptors(int fd, int life)
{
	int high_fd = fcntl(fd, F_DUPFD, 3), high_life = fcntl(life, F_DUPFD, 3);

	if (high_fd < 0 || high_life < 0 || dup2(high_fd, 0) < 0 || dup2(high_life, 1) < 0)
		return -errno;
	closefrom(2);
	return 0;
}

/*
 * SIGIO ends it: when the pipe's other end is closed, by whatever ends the process that has it.
 * PR_SET_PDEATHSIG would come when the thread ends that forked. A user may send it to itself only: it
 * is asked for by who this process is from now on.
 */
static int end_with_parent(void)
{
	char c;

	if (fcntl(1, F_SETOWN, getpid()) || fcntl(1, F_SETFL, O_ASYNC | O_NONBLOCK))
		return -errno;
	return read(1, &c, 1) < 0 && errno == EAGAIN ? 0 : -EPIPE;
}

/* AUDIT_ARCH_… of <linux/audit.h>, of this machine. */
static uint32_t audit_arch(void)
{
	return fc_arch_here->elf_machine | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE;
}

static int refuse_calls(void)
{
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	filter[MACHINE_AT].k = audit_arch();
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -errno;
	return 0;
}

int fc_jail_enter(const struct fc_jail *jail, int fd, int life)
{
	reset_signals();
	int err = take_descriptors(fd, life);
	if (!err)
		err = limit_all(jail);
	if (!err)
		err = drop_rights();
	if (!err)
		err = end_with_parent();
	return err ? err : refuse_calls();
}

void fc_jail_leave(int status)
{
	for (;;)
		syscall(SYS_exit_group, status);
}
