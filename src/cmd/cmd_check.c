/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check.c - fctrace check: what works on this machine, what does not, and what to do. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "capture/kernel/tracefs.h"
#include "capture/target/breakpoint.h"
#include "capture/target/permit.h"
#include "cmd/options/cmd.h"
#include "cmd/options/options.h"
#include "cmd/out/json.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"

enum works { WORKS, MATTERS_LITTLE, DOES_NOT_WORK };

struct finding {
	enum works works;
	char found[160];
	const char *advice; /* NULL: nothing to do */
};

__attribute__((format(printf, 3, 4))) static struct finding
finding(enum works works, const char *advice, const char *fmt, ...)
{
	struct finding ret = { .works = works, .advice = advice };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ret.found, sizeof(ret.found), fmt, ap);
	va_end(ap);
	return ret;
}

/* The first line of a file, without its end; "" if it cannot be read. */
static void read_line(const char *path, char *line, size_t room)
{
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t nr = fd < 0 ? -1 : read(fd, line, room - 1);

	line[nr > 0 ? nr : 0] = 0;
	line[strcspn(line, "\n")] = 0;
}

/* The number behind "name:" in /proc/self/status, -1 if there is none. */
static int status_field(const char *name)
{
	fc_auto_fclose FILE *file = fopen("/proc/self/status", "re");
	char line[256];
	int value;

	while (file && fgets(line, sizeof(line), file)) {
		size_t len = strlen(name);
		if (!strncmp(line, name, len) && line[len] == ':' &&
		    sscanf(line + len + 1, "%d", &value) == 1)
			return value;
	}
	return -1;
}

/* How far a port is: "riscv64: code, jumps; not yet: stubs, threads, values". */
static void put_stages(const struct fc_arch *arch, char *ret, size_t size)
{
	bool is_there, is_first = true;
	const char *stage;
	snprintf(ret, size, "%s:", arch->name);
	for (int missing = 0; missing < 2; missing++, is_first = true)
		for (size_t i = 0; (stage = fc_arch_stage(arch, i, &is_there)); i++) {
			if (is_there == missing)
				continue;
			size_t nr = strlen(ret);
			const char *sep = !is_first ? ", " : missing ? "; not yet: " : " ";
			snprintf(ret + nr, size - nr, "%s%s", sep, stage);
			is_first = false;
		}
}

static struct finding check_machine(void)
{
	struct utsname name;
	char stages[128];

	uname(&name);
	if (fc_arch_here && !strcmp(name.machine, fc_arch_here->name))
		return finding(WORKS, NULL, "%s", name.machine);
	for (size_t i = 0; fc_arch_at(i); i++)
		if (!strcmp(name.machine, fc_arch_at(i)->name)) {
			put_stages(fc_arch_at(i), stages, sizeof(stages));
			return finding(
				DOES_NOT_WORK,
				"fctrace traces no programs here yet; traces can be read", "%s",
				stages);
		}
	return finding(DOES_NOT_WORK,
		       "fctrace traces no programs here; traces of others can be read", "%s",
		       name.machine);
}

static struct finding check_kernel(void)
{
	struct utsname name;
	int major = 0, minor = 0;

	uname(&name);
	sscanf(name.release, "%d.%d", &major, &minor);
	if (major > 4 || (major == 4 && minor >= 14))
		return finding(WORKS, NULL, "%s %s", name.sysname, name.release);
	return finding(DOES_NOT_WORK, "Linux 4.14 or later is needed (MADV_WIPEONFORK)",
		       "%s %s", name.sysname, name.release);
}

static struct finding check_yama(void)
{
	int scope = fc_permit_yama();

	if (scope == 3)
		return finding(DOES_NOT_WORK,
			       "ptrace is off until the next boot; boot with another "
			       "kernel.yama.ptrace_scope",
			       "ptrace_scope is 3");
	if (scope == 2 && geteuid() != 0)
		return finding(DOES_NOT_WORK,
			       "run fctrace as root, or: sysctl kernel.yama.ptrace_scope=1",
			       "ptrace_scope is 2: only for administrators");
	if (scope == 1 && geteuid() != 0)
		return finding(WORKS, NULL,
			       "ptrace_scope is 1: programs are traced that fctrace starts; "
			       "only root may attach to others");
	return finding(WORKS, NULL, scope ? "ptrace_scope is %d" : "no Yama, or it is off",
		       scope);
}

static void stop_as_tracee(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(errno & 0x7f);
	raise(SIGSTOP);
	_exit(0);
}

/* 0, or the errno that ptrace gave to a child of ours. */
static int try_ptrace(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		stop_as_tracee();
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return errno;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	errno = 0;
	unsigned long message;
	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &message);
	int err = errno;
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return err;
}

static struct finding check_ptrace(void)
{
	int err = try_ptrace();

	if (!err)
		return finding(WORKS, NULL, "a child of fctrace was traced");
	return finding(
		DOES_NOT_WORK,
		"in a container: start it with --cap-add=SYS_PTRACE; under a debugger or "
		"another tracer: run fctrace outside of it",
		"%s", strerror(err));
}

static struct finding check_memfd(void)
{
	fc_auto_close int fd = memfd_create("fctrace-check", MFD_CLOEXEC);

	if (fd >= 0 && !ftruncate(fd, 4096))
		return finding(WORKS, NULL, "made and sized");
	return finding(DOES_NOT_WORK,
		       "a seccomp filter may forbid it; run fctrace outside of it", "%s",
		       strerror(errno));
}

static struct finding check_proc(void)
{
	fc_auto_close int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return finding(WORKS, NULL, "can be opened");
	return finding(DOES_NOT_WORK, "mount it: mount -t proc proc /proc",
		       "/proc/self/mem: %s", strerror(errno));
}

static struct finding check_fast_registers(void)
{
	static char advice[128];
	if (!fc_arch_here)
		return finding(MATTERS_LITTLE, NULL, "nothing is traced here");
	if (fc_arch_here->thread->found_without(getauxval(AT_HWCAP2)) != FCA_BY_TID)
		return finding(WORKS, NULL, "the CPU and the kernel have it");
	snprintf(advice, sizeof(advice),
		 "programs that use %s are traced slower: Linux 5.9 or later helps",
		 fc_arch_here->thread->strand_register);
	return finding(MATTERS_LITTLE, advice, "not there");
}

static struct finding check_debug_registers(void)
{
	if (fc_breakpoints_fire())
		return finding(WORKS, NULL, "one stopped a child of fctrace");
	return finding(MATTERS_LITTLE,
		       "--backend=step also steps through the loader, which takes seconds",
		       "none stopped a child of fctrace; virtual machines may have none");
}

static struct finding check_seccomp(void)
{
	int mode = status_field("Seccomp");

	if (mode <= 0)
		return finding(WORKS, NULL, "no filter");
	return finding(MATTERS_LITTLE, "if a row here says no, this filter may be why",
		       "a filter is in place (mode %d)", mode);
}

static struct finding check_clock(void)
{
	char source[32];

	read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
		  sizeof(source));
	if (!strcmp(source, "tsc"))
		return finding(WORKS, NULL, "the kernel trusts the TSC");
	return finding(MATTERS_LITTLE,
		       "times are taken from the TSC; if it drifts between CPUs, so do they",
		       "the kernel uses %s", *source ? source : "?");
}

static struct finding check_tracefs(void)
{
	if (!fc_tracefs_check())
		return finding(WORKS, NULL, "tracefs can be used");
	return finding(MATTERS_LITTLE,
		       "--syscalls and -k show nothing of the kernel; all else works", "%s",
		       fc_fail_text());
}

static struct finding check_terminal(void)
{
	if (isatty(STDERR_FILENO))
		return finding(WORKS, NULL, "stderr is a terminal");
	return finding(WORKS, NULL, "stderr is not a terminal");
}

static const struct check {
	const char *name;
	struct finding (*run)(void);
} checks[] = {
	{ "machine", check_machine },
	{ "kernel", check_kernel },
	{ "ptrace policy", check_yama },
	{ "ptrace", check_ptrace },
	{ "/proc", check_proc },
	{ "memfd_create", check_memfd },
	{ NULL, check_fast_registers }, /* called by the machine's name for them */
	{ "debug register", check_debug_registers },
	{ "seccomp", check_seccomp },
	{ "clock", check_clock },
	{ "kernel tracing", check_tracefs },
	{ "terminal", check_terminal },
};

#define NR_CHECKS (sizeof(checks) / sizeof(checks[0]))

static const char *const words[] = { "works", "so-so", "NO" };

static const char *name_of(const struct check *check)
{
	return check->name    ? check->name
	       : fc_arch_here ? fc_arch_here->thread->fast_registers
			      : "registers";
}

static void print_text(FILE *out, const struct finding *findings)
{
	for (size_t i = 0; i < NR_CHECKS; i++) {
		fprintf(out, "%-6s %-14s %s\n", words[findings[i].works], name_of(&checks[i]),
			findings[i].found);
		if (findings[i].advice)
			fprintf(out, "%21s  -> %s\n", "", findings[i].advice);
	}
}

static void print_json(FILE *out, const struct finding *findings)
{
	static const char *const keys[] = { "yes", "partly", "no" };
	struct fc_json json = { .out = out };

	fc_json_open(&json, NULL, '[');
	for (size_t i = 0; i < NR_CHECKS; i++) {
		fc_json_open(&json, NULL, '{');
		fc_json_string(&json, "check", name_of(&checks[i]));
		fc_json_string(&json, "works", keys[findings[i].works]);
		fc_json_string(&json, "found", findings[i].found);
		fc_json_string(&json, "advice", findings[i].advice ? findings[i].advice : "");
		fc_json_close(&json, '{');
	}
	fc_json_close(&json, '[');
}

/* Remove what killed fctraces left in the kernel. The next attach cleans a process up. */
static int clean(void)
{
	size_t nr = fc_tracefs_clean();
	FILE *out = fc_output_open();
	fprintf(out, "%zu tracing instance%s of fctraces that were killed %s removed\n", nr,
		nr == 1 ? "" : "s", nr == 1 ? "was" : "were");
	return fc_output_close(out, FC_STATUS_OK);
}

static int run_check(const struct fc_settings *settings, int argc, char **argv)
{
	struct finding findings[NR_CHECKS];
	int status = FC_STATUS_OK;

	if (argc) {
		fc_say("%s: check takes no arguments", argv[0]);
		return FC_STATUS_USAGE;
	}
	if (settings->clean)
		return clean();
	for (size_t i = 0; i < NR_CHECKS; i++) {
		findings[i] = checks[i].run();
		if (findings[i].works == DOES_NOT_WORK)
			status = FC_STATUS_NO;
	}

	FILE *out = fc_output_open();
	if (settings->json)
		print_json(out, findings);
	else
		print_text(out, findings);
	return fc_output_close(out, status);
}

static const struct fc_option option_clean = {
	0, "clean", NULL,
	"remove what killed fctraces have left in the kernel, and check nothing", FC_FLAG(clean)
};

static const struct fc_option *const options[] = {
	&option_clean,
	&fc_option_json,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_check = {
	.name = "check",
	.usage = "[OPTIONS]",
	.summary = "what works on this machine, what does not",
	.options = options,
	.notes = "Exit status: 0 all that is needed works, 1 something does not, 2 wrong "
		 "usage.\n",
	.run = run_check,
};
