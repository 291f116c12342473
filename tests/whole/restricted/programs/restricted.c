// SPDX-License-Identifier: Apache-2.0
/*
 * A program that restricts itself by one thing after the other, as its arguments say, and
 * calls functions in between. What it prints must not depend on being traced.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FN __attribute__((noinline, noclone))

FN int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}

FN int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

FN int deep(int n)
{
	volatile char frame[500];
	frame[0] = (char)n;
	return n ? deep(n - 1) + frame[0] : leaf(1);
}

/* No libc: a filter may forbid what it does. */
static void tell(const char *what, long number)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "%s %ld\n", what, number);
	if (write(1, line, (size_t)n) != n)
		_exit(9);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW(nr)                                                                              \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##nr, 0, 1),                                   \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL(nr)                                                                               \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##nr, 0, 1),                                   \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

/* Nothing but what a computing program needs. */
static struct sock_filter white[] = {
	LOAD(nr),
	ALLOW(write),
	ALLOW(exit_group),
	ALLOW(exit),
	ALLOW(rt_sigreturn),
	ALLOW(setitimer),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

/* All that an agent might wish to call; a C program that computes does without. */
static struct sock_filter black[] = {
	LOAD(nr),      KILL(memfd_create),
	KILL(gettid),  KILL(getpid),
	KILL(tgkill),  KILL(arch_prctl),
	KILL(getppid), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static void forbid(struct sock_filter *filter, size_t size, int by_syscall)
{
	struct sock_fprog prog = { (unsigned short)(size / sizeof(*filter)), filter };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		_exit(77);
	long ret = by_syscall ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog)
			      : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
	if (ret)
		_exit(77);
}

/* Is there such a thing as a filter? The kernel refuses one without a program. */
static void probe(void)
{
	tell("prctl", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL));
	tell("seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL));
	tell("tsync",
	     syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, NULL));
	tell("mode", prctl(PR_GET_SECCOMP));
}

static void tell_call(const char *what, long ret)
{
	tell(what, ret < 0 ? -errno : ret);
}

/* The kernel refuses all of these, each for a reason of its own. */
static void refused(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_filter bad = BPF_STMT(BPF_LD | BPF_B | BPF_IND, 0);
	struct sock_fprog good = { 1, &allow }, empty = { 0, &allow }, wrong = { 1, &bad };
	void *nowhere = (void *)8;
	tell_call("no privilege", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &good));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		_exit(77);
	tell_call("bad pointer", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nowhere));
	tell_call("no program", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &empty));
	tell_call("bad mode", prctl(PR_SET_SECCOMP, 99, &good));
	tell_call("bad pointer", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nowhere));
	tell_call("bad program", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
					 SECCOMP_FILTER_FLAG_TSYNC, &wrong));
	tell_call("bad flags", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1 << 20, &good));
	tell_call("bad flags", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL));
	tell("mode", prctl(PR_GET_SECCOMP));
}

static volatile int is_filtered, is_over;

/* By an instruction of its own, which is not seen; it forbids nothing. */
static void *filtered(void *arg)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { 1, &allow };
	long ret;
	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(SYS_seccomp), "D"(SECCOMP_SET_MODE_FILTER), "S"(0), "d"(&program)
			 : "rcx", "r11", "memory");
	is_filtered = 1 - 2 * (ret != 0);
	while (!is_over)
		usleep(1000);
	return arg;
}

/* One thread has a filter of its own: the others cannot be given another with it. */
static void diverged(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { 1, &allow };
	pthread_t thread;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    pthread_create(&thread, NULL, filtered, NULL))
		_exit(77);
	while (!is_filtered)
		usleep(1000);
	long ret = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
			   &program);
	tell("a thread is told", is_filtered > 0 && ret > 0);
	is_over = 1;
	pthread_join(thread, NULL);
	tell("mode", prctl(PR_GET_SECCOMP));
}

static volatile int nr_hits;

FN static void on_alarm(int sig)
{
	(void)sig;
	if (fib(5) != 5)
		_exit(8);
	nr_hits++;
}

static void alarms(int is_on_other_stack)
{
	static char stack[65536];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags =
					    SA_RESTART | (is_on_other_stack ? SA_ONSTACK : 0) };
	struct itimerval every = { { 0, 500 }, { 0, 500 } };
	sigaltstack(&other, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void *thread(void *arg)
{
	long *sum = arg;
	*sum = fib(15) + deep(100);
	return NULL;
}

static void threads(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_t t;
		long sum = 0;
		int err = pthread_create(&t, NULL, thread, &sum);
		if (!err)
			pthread_join(t, NULL);
		tell("thread", err ? -err : sum);
	}
}

static pthread_barrier_t all_are_there;

static void *one_of_many(void *arg)
{
	long *sum = arg;
	int before = fib(5);
	pthread_barrier_wait(&all_are_there);
	*sum = before + fib(6);
	return NULL;
}

/* More threads at a time than there are rings. */
static void many(void)
{
	enum { MANY = 1100, STACK = 64 * 1024 };
	static pthread_t t[MANY];
	static long sum[MANY];
	long all = 0;
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_barrier_init(&all_are_there, NULL, MANY);
	for (int i = 0; i < MANY; i++)
		if (pthread_create(&t[i], &attr, one_of_many, &sum[i]))
			_exit(77);
	for (int i = 0; i < MANY; i++) {
		pthread_join(t[i], NULL);
		all += sum[i];
	}
	tell("many", all);
}

/* A stack and code in huge pages, and the program's own code, where the kernel can do that. */
static void huge(void)
{
	enum { HUGE_PAGE = 2 << 20 };
	static const unsigned char jump[] = {
		0x48, 0x89, 0xf8, /* mov %rdi, %rax */
		0x89, 0xf7,	  /* mov %esi, %edi */
		0xff, 0xe0,	  /* jmp *%rax */
	};
	char *at = mmap(NULL, 3 * HUGE_PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		_exit(77);
	at += HUGE_PAGE - (unsigned long)at % HUGE_PAGE;
	madvise(at, 2 * HUGE_PAGE, MADV_HUGEPAGE);
	memset(at, 0, 2 * HUGE_PAGE);
	madvise((void *)((unsigned long)fib & -4096ul), 4096, MADV_HUGEPAGE);

	pthread_attr_t attr;
	pthread_t t;
	long sum = 0;
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, at, HUGE_PAGE);
	if (!pthread_create(&t, &attr, thread, &sum))
		pthread_join(t, NULL);
	tell("huge stack", sum);

	memcpy(at + HUGE_PAGE, jump, sizeof(jump));
	mprotect(at + HUGE_PAGE, HUGE_PAGE, PROT_READ | PROT_EXEC);
	int (*call)(int (*)(int), int) = (int (*)(int (*)(int), int))(at + HUGE_PAGE);
	tell("huge code", call(fib, 15));
}

static void forks(void)
{
	int status = 0, pid = fork();
	if (!pid)
		_exit(fib(10));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	tell("fork", status);
}

/* Its limit is its own, though it has its parent's memory. */
static void vforks(void)
{
	struct rlimit limit = { 160ul << 20, 160ul << 20 };
	int status = 0, pid = vfork();
	if (!pid) {
		setrlimit(RLIMIT_AS, &limit);
		execl("/bin/true", "true", NULL);
		_exit(9);
	}
	waitpid(pid, &status, 0);
	tell("vfork", status);
}

static void loads(const char *self)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s.plugin.so", self);
	void *plugin = dlopen(path, RTLD_NOW);
	int (*call)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_call") : NULL;
	tell("plugin", call ? call(3) : -1);
}

static void resident(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (!file || fscanf(file, "%*d %ld", &pages) != 1)
		_exit(7);
	fclose(file);
	/* What fctrace may add is not a question of exact pages. */
	tell("resident above 200 MiB", pages > 200 * 256);
}

static volatile int nr_traps;

FN static void on_trap(int sig)
{
	nr_traps += leaf(sig);
}

static void limit(int what, unsigned long bytes)
{
	struct rlimit limit = { bytes, bytes };
	tell("limit", setrlimit(what, &limit));
}

static void memory(unsigned long mib)
{
	char *at = malloc(mib << 20);
	tell("memory", at != NULL);
	if (at)
		memset(at, 1, mib << 20);
	free(at);
}

static int is(const char *word, const char *name)
{
	return !strcmp(word, name);
}

static void restrict_by(const char *word, char **argv)
{
	if (is(word, "white"))
		forbid(white, sizeof(white), 0);
	else if (is(word, "black"))
		forbid(black, sizeof(black), 1);
	else if (is(word, "probe"))
		probe();
	else if (is(word, "refused"))
		refused();
	else if (is(word, "diverged"))
		diverged();
	else if (is(word, "unprivileged"))
		tell("setresuid", setresuid(65534, 65534, 65534));
	else if (is(word, "strict"))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	else if (is(word, "no-clock"))
		prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
	else if (is(word, "alarms") || is(word, "alarms-elsewhere"))
		alarms(is(word, "alarms-elsewhere"));
	else if (is(word, "threads"))
		threads();
	else if (is(word, "many"))
		many();
	else if (is(word, "huge"))
		huge();
	else if (is(word, "fork"))
		forks();
	else if (is(word, "plugin"))
		loads(argv[0]);
	else if (is(word, "mlock"))
		tell("mlockall", mlockall(MCL_CURRENT | MCL_FUTURE));
	else if (is(word, "resident"))
		resident();
	else if (is(word, "undumpable"))
		tell("prctl", prctl(PR_SET_DUMPABLE, 0));
	else if (is(word, "nofile"))
		limit(RLIMIT_NOFILE, 0);
	else if (is(word, "memory"))
		memory(20);
	else if (is(word, "limit-vforked"))
		vforks();
	else if (is(word, "some-memory"))
		memory(1);
	else if (is(word, "limit-memory"))
		limit(RLIMIT_AS, 512ul << 20);
	else if (is(word, "limit-locked"))
		limit(RLIMIT_MEMLOCK, 8ul << 20);
	else if (is(word, "close"))
		for (int fd = 3; fd < 1000; fd++)
			close(fd);
	else if (is(word, "trap")) {
		signal(SIGTRAP, on_trap);
		__asm__ volatile("int3");
		raise(SIGTRAP);
		tell("traps", nr_traps);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (is(argv[i], "exec") && i + 1 < argc) {
			execv(argv[i + 1], argv + i + 1);
			return 6;
		}
		restrict_by(argv[i], argv);
		long sum = fib(18) + deep(300);
		for (int j = 0; j < 20; j++)
			sum += fib(20);
		tell(argv[i], sum);
	}
	syscall(SYS_exit, 0);
}
