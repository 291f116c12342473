#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that run are attached to and let go, again and again: they never notice, and
afterwards they are what they were: mappings, code, speed.
"""
import contextlib
import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../.."), os.path.join(HERE, "..")]
import tap  # noqa: E402
from attaching import (HARMLESS, Bench, as_nobody, changed_code, check_nesting,  # noqa: E402
                       expect_end, expect_line, expect_silence, kill_after, maps_of, remains,
                       run_all, said_by, status_of, stop)
from tap import Skip, Wrong, wait_until  # noqa: E402

USAGE, FAILED, NOT_PROGRAM = 2, 125, 126
LIMIT_S = tap.PATIENCE_S


# ---- again and again


RECORD = ("record",)
COUNT = ("-c", "--no-time", "--edges")


def attach_often(bench, target, rounds, libs=("api",), how=RECORD):
    for i in range(rounds):
        ms = bench.rng.choice((1, 5, 20, 40))
        try:
            expect_silence(bench.run(*how, "-o", bench.trace, "-p", str(target.pid),
                                     "--libs=" + libs[i % len(libs)], "--for", "%dms" % ms))
            target.check_clean()
        except Wrong as wrong:
            raise Wrong("round %d of %d ms: %s" % (i, ms, wrong)) from None


def storm(name, *args, steady=True, libs=("api",), how=RECORD):
    def check(bench):
        rounds = bench.rounds(12, 500)
        target = bench.start(name, *[bench.build(arg, "-shared", "-fPIC", out="plugin.so") if
                                     arg == "plugin.c" else arg for arg in args], steady=steady)
        attach_often(bench, target, rounds, libs, how)
        target.check_end()
    return check


ALL = ("api", "all", "none")
STORMS = [
    ("threads that compute", storm("computing", libs=ALL)),
    ("threads that wait in every way", storm("waiting", steady=False, libs=ALL)),
    ("thousands of open calls", storm("deep", steady=False, libs=ALL)),
    ("C++ exceptions", storm("throwing", libs=ALL)),
    ("words that point into unwinders", storm("prologues", libs=ALL)),
    ("longjmp", storm("jumping", libs=ALL)),
    ("fibres that change threads", storm("fibres", libs=ALL)),
    ("a storm of signals", storm("handlers", libs=ALL)),
    ("32-bit code of a 64-bit program", storm("modes", libs=ALL)),
    ("restartable sequences", storm("restartable", libs=ALL)),
    ("forks", storm("forking")),
    ("births and deaths of threads", storm("births", steady=False)),
    ("vfork, posix_spawn and exec", storm("spawning", steady=False)),
    ("children that vfork() waits for", storm("awaited", steady=False)),
    ("dlopen and dlclose", storm("loading", "plugin.c", steady=False)),
] + [(name + ", only counted", storm(program, steady=False, libs=ALL, how=COUNT))
     for name, program in (("threads that compute", "computing"), ("exceptions", "throwing"),
                           ("fibres", "fibres"), ("a storm of signals", "handlers"),
                           ("forks", "forking"))]


def a_server_under_load(bench):
    """Not one of its replies is wrong or missing."""
    server = bench.start("server", steady=False)
    client = bench.start("client", server.head[0].decode().strip())
    attach_often(bench, server, bench.rounds(25, 500), ALL)
    nr = client.check_end()
    if int(nr.split()[1]) < 100:
        raise Wrong("the client asked too little: " + nr)
    server.check_unharmed()


def an_interrupted_unwinder(bench):
    """Without its hook nothing else may be hooked."""
    target = bench.start("prologues", "interrupted")
    controller = bench.begin("-p", str(target.pid), "--for", "20ms")
    err = expect_end(controller, FAILED)
    if "_Unwind_Resume" not in err or len(err.splitlines()) != 1:
        raise Wrong("fctrace says: " + err)
    target.check_unharmed()


def a_program_that_executes_itself(bench):
    target = bench.start("executing", steady=False)
    for _ in range(bench.rounds(8, 200)):
        expect_silence(bench.run("record", "-o", bench.trace, "-p", str(target.pid),
                                 "--for", "%dms" % bench.rng.randrange(1, 100)))
        target.check_clean()
    target.check_end()


def a_program_that_ends(bench):
    """While fctrace attaches, or is attached."""
    for _ in range(bench.rounds(8, 200)):
        target = bench.start("computing")
        controller = bench.begin("-p", str(target.pid))
        time.sleep(bench.rng.uniform(0, 0.25))
        target.check_end()
        try:
            controller.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            raise Wrong("fctrace does not end") from None
        err = said_by(controller)
        # Before it was attached to, that is an error, which is one line.
        if controller.returncode not in (0, FAILED) or (
                controller.returncode and len(err.splitlines()) != 1) or (
                not controller.returncode and HARMLESS.sub("", err)):
            raise Wrong("status %d: %s" % (controller.returncode, err))


# ---- the trace


def the_trace_is_true(bench):
    target = bench.start("counted")
    for libs in ALL:
        controller = bench.attach(target, "--libs=" + libs)
        words = target.ask("calls").split()
        stop(controller)
        expected = {name: int(nr) for name, nr in zip(words[::2], words[1::2])}
        got = bench.calls_of(expected)
        if got != expected:
            raise Wrong("--libs=%s: counted %s, the program says %s" % (libs, got, expected))
        check_nesting(bench)
        if bench.json("info")["lost"]:
            raise Wrong("records were lost")
    target.steady = False  # it has made threads
    target.check_unharmed()


def full_speed_afterwards(bench):
    """Not a single instruction but its own runs in what it does: no clock can tell that."""
    target = bench.start("counted", steady=False)
    own = target.ask("steps").strip()
    controller = bench.attach(target)
    traced = target.ask("steps").strip()
    stop(controller)
    after = target.ask("steps").strip()
    target.check_unharmed()
    if (own, after) != ("0 0", "0 0") or traced == "0 0":
        raise Wrong("steps that are not its own: %s before, %s while traced, %s afterwards" % (
            own, traced, after))


# ---- to end it


def told_by(sig, status=0):
    def check(bench):
        target = bench.start("computing")
        controller = bench.attach(target)
        stop(controller, sig, status)
        target.check_clean()
        if bench.run("report", bench.trace).status:
            raise Wrong("the trace is not whole")
        target.check_end()
    return check


def several_processes(bench):
    targets = [bench.start("computing"), bench.start("handlers"), bench.start("throwing")]
    pids = ",".join(str(target.pid) for target in targets)
    controller = bench.begin("-p", pids)
    for target in targets:
        wait_until(lambda t=target: changed_code(t.pid), "attaching")
    time.sleep(0.05)
    stop(controller)
    seen = {process["pid"] for process in bench.json("info")["processes"]}
    if seen != {target.pid for target in targets}:
        raise Wrong("the trace is of %s" % seen)
    for target in targets:
        target.check_unharmed()


def as_pidof_prints_them(bench):
    """Several ids in one argument, with blanks between them."""
    targets = [bench.start("computing") for _ in range(2)]
    expect_silence(bench.run("record", "-o", bench.trace, "--for", "50ms", "-p",
                             " %d  %d\n" % tuple(target.pid for target in targets)))
    told = {process["pid"] for process in bench.json("info")["processes"]}
    if told != {target.pid for target in targets}:
        raise Wrong("traced: %s" % told)
    for target in targets:
        target.check_unharmed()


# Waits for as many children as it is told, which compute.
FAMILY = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noipa)) int calls(int n) { return n + 1; }
static void work(void) { for (int n = 0;; n = calls(n)) usleep(1000); }
int main(int argc, char **argv)
{
	int nr = atoi(argv[1]);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < nr; i++)
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			work();
		}
	puts("ready");
	fflush(stdout);
	if (!nr)
		work();
	while (wait(NULL) > 0)
		;
	return 0;
}
"""


@contextlib.contextmanager
def family(bench, nr):
    """A name that nothing else has, its first process and its children."""
    name = "kin%x" % zlib.crc32(bench.folder.encode())  # the same in a guest
    path = bench.build("family.c", text=FAMILY, out=name)
    with subprocess.Popen([path, str(nr)], stdout=subprocess.PIPE) as first:
        try:
            first.stdout.readline()
            with open("/proc/%d/task/%d/children" % (first.pid, first.pid), encoding="ascii") as f:
                yield name, first.pid, [int(pid) for pid in f.read().split()]
        finally:
            first.kill()


def the_only_one_of_a_name(bench):
    with family(bench, 0) as (name, pid, _):
        expect_silence(bench.run("record", "-o", bench.trace, "--for", "50ms", "-p", name))
        told = {process["pid"] for process in bench.json("info")["processes"]}
    if told != {pid}:
        raise Wrong("traced: %s instead of %d" % (told, pid))


def let_go_by_name(bench):
    """detach, ctl and dump take a name, too."""
    with family(bench, 0) as (name, pid, _):
        controller = bench.begin("-p", name)
        wait_until(lambda: changed_code(pid), "attaching")
        done = bench.run("ctl", name, "status")
        if done.status or b"1 process" not in done.out:
            raise Wrong("ctl: status %d: %s" % (done.status, done.err.decode()))
        expect_line(bench.run("dump", name), "", 1)
        expect_silence(bench.run("detach", name))
        expect_end(controller)
        if changed_code(pid):
            raise Wrong("its code is changed")
    with family(bench, 2) as (name, *_):
        for command in ("detach", "dump", "ctl"):
            done = bench.run(command, name)
            if done.status != USAGE or b"choose by id, as in " not in done.err or b"-p " in done.err:
                raise Wrong("%s: status %d: %s" % (command, done.status, done.err.decode()))


def several_of_a_name(bench):
    """None is taken: they are listed, with those that only wait."""
    with family(bench, 2) as (name, parent, children):
        wait_until(lambda: status_of(parent, "State").startswith("S"), "the parent to wait")
        done = bench.run("record", "-o", bench.trace, "--for", "50ms", "-p", name)
        touched = [pid for pid in (parent, *children) if changed_code(pid)]
    lines = done.err.decode().splitlines()
    if done.status != USAGE or len(lines) != 4 or touched:
        raise Wrong("status %d, touched %s: %s" % (done.status, touched, lines))
    for pid, line in zip(sorted((parent, *children)), lines):
        if " %d  " % pid not in line or name + " 2" not in line or \
                ("only waits for its children" in line) != (pid == parent):
            raise Wrong("of %d: %s" % (pid, line))
    if not lines[3].endswith("choose by id, as in -p %d,%d" % tuple(sorted(children))):
        raise Wrong(lines[3])


def one_of_two_ends(bench):
    """Tracing goes on with the other."""
    one, other = bench.start("computing"), bench.start("computing")
    controller = bench.begin("-p", "%d,%d" % (one.pid, other.pid))
    for target in one, other:
        wait_until(lambda t=target: changed_code(t.pid), "attaching")
    one.check_end()
    if not changed_code(other.pid) or controller.poll() is not None:
        raise Wrong("the other is not traced any more")
    stop(controller)
    other.check_unharmed()


def detach_tells_fctrace(bench):
    target = bench.start("throwing")
    controller = bench.attach(target)
    expect_silence(bench.run("detach", str(target.pid)))
    expect_end(controller)
    target.check_unharmed()


def detach_finds_nothing(bench):
    target = bench.start("computing")
    expect_line(bench.run("detach", str(target.pid)), "nothing of fctrace", 1)
    target.check_unharmed()
    expect_line(bench.run("detach", str(target.pid)), "no process", 1)
    expect_line(bench.run("detach", "abc"), "abc", USAGE)
    expect_line(bench.run("detach"), "which process", USAGE)


def the_program_started_is_let_go(sig):
    """--for, or a signal: the program goes on and ends with its own status."""
    def check(bench):
        more = [] if sig else ["--for", "300ms"]
        controller = subprocess.Popen(
            [bench.fctrace, "record", "-o", bench.trace, *more, "/bin/sh", "-c",
             "i=0; while [ ! -e go ]; do i=$((i+1)); done; echo $i >count; exit 7"],
            cwd=bench.folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            wait_until(lambda: tap.child_of(controller.pid), "starting")
            pid = tap.child_of(controller.pid)
            wait_until(lambda: changed_code(pid), "hooking")
            if sig:
                controller.send_signal(sig)
            wait_until(lambda: status_of(pid, "TracerPid") == "0", "letting go")
            if remains(maps_of(pid)) or changed_code(pid):
                raise Wrong("not clean: %s %s" % (remains(maps_of(pid)), changed_code(pid)))
            with open(bench.path("go"), "w", encoding="utf-8"):
                pass
            controller.wait(LIMIT_S)
            wait_until(lambda: os.path.exists(bench.path("count")), "the program's end")
            if controller.returncode != (-sig if sig else 7):
                raise Wrong("status %d: %s" % (controller.returncode, said_by(controller)))
        finally:
            for name in "go", "count":
                if os.path.exists(bench.path(name)):
                    os.unlink(bench.path(name))
            controller.stderr.close()
    return check


# ---- fctrace is killed


def clean_up(bench, target, is_left):
    """By detach, or by attaching anew; what -p finds it takes over."""
    if bench.rng.randrange(2):
        done = bench.run("detach", str(target.pid))
        if not is_left and done.status == 1 and b"nothing of fctrace" in done.err:
            return
        expect_silence(done)
    else:
        expect_silence(bench.run("record", "-o", bench.trace, "-p", str(target.pid),
                                 "--for", "5ms"))


KILLED = [("computing", True), ("throwing", True), ("handlers", True), ("fibres", True),
          ("modes", True), ("deep", False), ("births", False), ("forking", True), ("jumping", True)]


def killed(name, steady):
    """At any moment: while it attaches, is attached, or detaches."""
    def check(bench):
        target = bench.start(name, steady=steady)
        nr_left = 0
        rounds = bench.rounds(6, 50)
        for i in range(rounds):
            controller = bench.begin("-p", str(target.pid), "--for", "30ms")
            kill_after(controller, bench.rng.uniform(0.01, 0.2))
            time.sleep(0.005)
            if target.has_ended():
                target.check_end()
            is_left = bool(target.remains())
            nr_left += is_left
            try:
                clean_up(bench, target, is_left)
                target.check_clean()
            except Wrong as wrong:
                raise Wrong("round %d: %s" % (i, wrong)) from None
        target.check_end()
        print("# %s: %d of %d kills left something behind" % (name, nr_left, rounds))
    return check


def copied_frames(bench):
    """Frames that lie copied in static memory return through stubs, which must then stay."""
    nr_stay = 0
    for i in range(bench.rounds(8, 100)):
        bench.program("copying", "-no-pie")
        target = bench.start("copying")
        done = bench.run("record", "-o", bench.trace, "-p", str(target.pid),
                         "--libs=" + ("api", "all")[i % 2], "--for", "%dms" % (5 + i % 20))
        stay = b"stubs stay mapped in process" in done.err
        nr_stay += stay
        if not stay:
            expect_silence(done)
        time.sleep(0.02)
        target.check_end()
    print("# stubs stayed in %d programs" % nr_stay)


def copied_frames_of_two_strands(bench):
    """A large frame on a thread's stack makes a second strand: it finds what the first kept."""
    done = bench.run("record", "-o", bench.trace, bench.program("copying", "-no-pie"), "thread", "200")
    if done.status or done.err or done.out != b"ok 200\n":
        raise Wrong("status %d, %r, %r" % (done.status, done.out, done.err))


STEPS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <unistd.h>

static long nr_steps;

static int stopped; /* the thread that a call was about last */

/* TELL: a file, for the number of steps, or for the one at which the target was killed. */
static void tell(void)
{
	FILE *file = getenv("TELL") ? fopen(getenv("TELL"), "we") : NULL;
	if (file) {
		fprintf(file, "%ld\\n", nr_steps);
		fclose(file);
	}
}

static void step(void)
{
	const char *last = getenv("LAST_STEP");
	if (!last || ++nr_steps != atol(last))
		return;
	if (!getenv("TELL"))
		raise(SIGKILL);
	if (!kill(stopped, SIGKILL))
		tell();
}

__attribute__((destructor)) static void end(void)
{
	if (getenv("LAST_STEP") && !atol(getenv("LAST_STEP")))
		tell();
}

long ptrace(enum __ptrace_request request, ...)
{
	long (*real)(enum __ptrace_request, ...) = dlsym(RTLD_NEXT, "ptrace");
	va_list list;
	va_start(list, request);
	int pid = va_arg(list, int);
	void *at = va_arg(list, void *), *data = va_arg(list, void *);
	va_end(list);
	bool is_before = !getenv("TELL");
	stopped = pid;
	if (is_before)
		step();
	long ret = real(request, pid, at, data);
	if (!is_before)
		step();
	return ret;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t off)
{
	ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
	step();
	return real(fd, bytes, size, off);
}
"""


def build_steps(bench):
    return dict(os.environ, LD_PRELOAD=bench.build("steps.c", "-shared", "-fPIC", out="steps.so", text=STEPS))


def killed_at_each_step(bench):
    """Before each of the first calls by which it changes the target, and before some of the later
    ones; and so is the one that cleans up."""
    env = build_steps(bench)
    target = bench.start("throwing")
    nr_left = 0
    steps = list(range(1, bench.rounds(60, 600)))
    steps += [bench.rng.randrange(60, 600) for _ in range(bench.rounds(12, 0))]
    for i in steps:
        bench.run("record", "-o", bench.trace, "-p", str(target.pid), "--for", "5ms",
                  env=dict(env, LAST_STEP=str(i)))
        is_left = bool(target.remains())
        nr_left += is_left
        j = bench.rng.randrange(60)
        try:
            if is_left and j % 2:
                bench.run("detach", str(target.pid), env=dict(env, LAST_STEP=str(j)))
                is_left = bool(target.remains())
            clean_up(bench, target, is_left)
            target.check_clean()
        except Wrong as wrong:
            raise Wrong("step %d, then %d of detach: %s" % (i, j, wrong)) from None
    target.check_end()
    print("# %d of %d steps left something behind" % (nr_left, len(steps)))


def memory_limited_after_a_kill(bench):
    """What is left of an injection that went no further is small."""
    env = build_steps(bench)
    for i in range(5, 125, 12 // bench.rounds(1, 6)):
        target = bench.start("limiting")
        bench.run("record", "-o", bench.trace, "-p", str(target.pid), "--for", "1s",
                  env=dict(env, LAST_STEP=str(i)))
        if target.ask("limit") != "memory\n":
            raise Wrong("step %d: no memory; mapped:\n%s" % (i, "\n".join(target.remains())))
        target.check_end()


def a_flight_recorder_killed_at_steps(bench):
    """It goes on without fctrace, but not with a part of its hooks: who reads return addresses is
    among them. Killed while it attaches, the most often near the end of that."""
    env, told = build_steps(bench), bench.path("told")
    for name in ("throwing", "fibres"):
        target = bench.start(name)
        command = ("record", "--loss=ring", "-o", bench.trace, "-p", str(target.pid), "--for", "1ms")
        bench.run(*command, env=dict(env, LAST_STEP="0", TELL=told))
        with open(told, encoding="utf-8") as f:
            nr_steps = int(f.read())
        for _ in range(bench.rounds(25, 500)):
            step = bench.rng.randrange(1, nr_steps)
            bench.run(*command, env=dict(env, LAST_STEP=str(step)))
            time.sleep(0.005)
            try:
                clean_up(bench, target, bool(target.remains()))
                time.sleep(0.005)
                target.check_clean()
            except Wrong as wrong:
                raise Wrong("%s, step %d of %d: %s" % (name, step, nr_steps, wrong)) from None
        target.check_end()


def the_program_is_killed_at_steps(bench):
    """While fctrace lets go of it: its status is told all the same."""
    env, told = build_steps(bench), bench.path("told")

    def run(step):
        controller = subprocess.Popen(
            [bench.fctrace, "record", "-o", bench.trace, "--for", "300ms", "/bin/sh", "-c",
             "read line"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(env, LAST_STEP=str(step), TELL=told))

        def is_let_go():
            pid = tap.child_of(controller.pid)
            try:
                return pid and status_of(pid, "TracerPid") == "0"
            except (FileNotFoundError, ProcessLookupError):  # it is gone, or goes as it is read
                return False

        try:
            wait_until(lambda: controller.poll() is not None or is_let_go(), "letting go")
            controller.stdin.close()
            controller.wait(LIMIT_S)
            return controller.returncode, said_by(controller)
        finally:
            controller.kill()
            controller.wait()
            controller.stderr.close()

    def number():
        with open(told, encoding="utf-8") as f:
            return int(f.read())

    run(0)
    nr_steps, nr_killed = number(), 0
    for i in range(1, min(nr_steps, bench.rounds(36, 600))):
        os.unlink(told)
        status, said = run(nr_steps - i)
        is_killed = os.path.exists(told)
        nr_killed += is_killed
        if status != (-signal.SIGKILL if is_killed else 1):
            raise Wrong("killed %s %d of %d steps: status %d: %s" %
                        ("at" if is_killed else "not at", nr_steps - i, nr_steps, status, said))
        if not is_killed:
            open(told, "w", encoding="utf-8").close()
    print("# killed at %d of %d steps" % (nr_killed, nr_steps))


# Threads raise signals until its input ends; it says how many did not come.
RAISING = r"""
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile int is_over;
static __thread long nr_got;
static long nr_lost;
static void on_signal(int sig) { nr_got++; }
static void *raising(void *unused)
{
	long nr = 0;
	for (; !is_over; nr++)
		pthread_kill(pthread_self(), SIGUSR1);
	__atomic_fetch_add(&nr_lost, nr - nr_got, __ATOMIC_RELAXED);
	return NULL;
}
int main(void)
{
	pthread_t threads[4];
	char byte;
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, raising, NULL);
	while (read(0, &byte, 1) > 0)
		;
	is_over = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("%ld lost\n", nr_lost);
	return 0;
}
"""


def no_signal_is_dropped(bench):
    """The kernel drops one that a tracer has waited for and dies with."""
    env, raising = build_steps(bench), bench.build("raising.c", text=RAISING, out="raising")
    for i in range(bench.rounds(20, 300)):
        step = 1000 + bench.rng.randrange(1000)  # behind attaching: it passes signals on
        with subprocess.Popen([raising], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as target:
            done = bench.run("record", "-o", bench.trace, "-p", str(target.pid), env=dict(env, LAST_STEP=str(step)))
            out = target.communicate()[0]
        if done.status != 128 + signal.SIGKILL or target.returncode or out != b"0 lost\n":
            raise Wrong("step %d: status %s; the program: %d, %r" % (step, done.status, target.returncode, out))


def killed_and_left_alone(bench):
    """Nobody cleans up: the program goes on to its end all the same."""
    for name, _ in KILLED[:bench.rounds(4, len(KILLED))]:
        target = bench.start(name, steady=False)
        controller = bench.attach(target)
        controller.kill()
        expect_end(controller, -signal.SIGKILL)
        time.sleep(0.2)
        target.check_end()


# ---- states of targets


def a_stopped_process(bench):
    """It stays stopped, and goes on when told to."""
    target = bench.start("computing")

    def is_stopped():
        return status_of(target.pid, "State").startswith("T")

    os.kill(target.pid, signal.SIGSTOP)
    wait_until(is_stopped, "stopping")
    for _ in range(bench.rounds(3, 50)):
        expect_silence(bench.run("record", "-o", bench.trace, "-p", str(target.pid),
                                 "--for", "10ms"))
        target.check_clean()
        # Who lets go wakes it for a moment, in which it stops again as soon as it has a CPU.
        wait_until(is_stopped, "being stopped again")
    controller = bench.attach(target)
    os.kill(target.pid, signal.SIGCONT)
    wait_until(lambda: not is_stopped(), "going on")
    time.sleep(0.05)
    os.kill(target.pid, signal.SIGSTOP)
    wait_until(lambda: status_of(target.pid, "State")[0] in "Tt", "stopping")
    stop(controller)
    target.check_clean()
    wait_until(is_stopped, "staying stopped")
    os.kill(target.pid, signal.SIGCONT)
    target.check_end()


# ---- what cannot be attached to


def state_of(bench, target, what):
    done = bench.run("ctl", str(target.pid), "status")
    found = re.search(r"^%s +(.*)$" % what, done.out.decode(), re.M)
    return found.group(1) if found else ""


def a_handler_that_goes_back(bench):
    """What it goes back to is hooked as soon as it has."""
    target = bench.start("faulting")
    controller = bench.attach(target)
    target.order("go")
    wait_until(lambda: ", 0 unhooked" in state_of(bench, target, "functions"), "hooking hot()")
    records = state_of(bench, target, "records")
    wait_until(lambda: state_of(bench, target, "records") != records, "a call of hot()")
    err = stop(controller)
    calls = {row["function"]: row["calls"] for row in bench.json("report")}
    if not calls.get("hot") or err:
        raise Wrong("calls: %s; fctrace: %s" % (calls, err))
    target.check_unharmed()


def a_handler_that_stays(bench):
    """What it would go back to is named, and not counted as hooked."""
    target = bench.start("faulting")
    controller = bench.attach(target)
    target.order("stay")
    state = state_of(bench, target, "functions")
    err = stop(controller)
    if ", 1 unhooked" not in state or not re.search(
            r"faulting: 1 function is not hooked: a signal handler .*: hot$", err, re.M):
        raise Wrong("status: %s; fctrace: %s" % (state, err))
    target.check_unharmed()


def a_program_that_writes_code(bench):
    """What it may write to is not hooked, neither at an attach nor later."""
    target = bench.start("writing", steady=False)
    for libs in ALL:
        controller = bench.begin("-p", str(target.pid), "--libs=" + libs)
        wait_until(lambda: "memfd:fctrace" in "".join(maps_of(target.pid)), "attaching")
        asked = bench.run("ctl", str(target.pid), "hook", "hot")
        stop(controller)
        if b"may write to their code" not in asked.out + asked.err:
            raise Wrong("hook hot: %s%s" % (asked.out.decode(), asked.err.decode()))
    target.check_end()


def refused(*args, names, status=FAILED):
    def check(bench):
        expect_line(bench.run("record", "-o", bench.trace, *args), names, status)
    return check


def a_process_without_a_descriptor(bench):
    """fctrace says what it has not got, and what would help; that helps."""
    target = bench.start("computing")
    before = resource.prlimit(target.pid, resource.RLIMIT_NOFILE, (3, resource.prlimit(
        target.pid, resource.RLIMIT_NOFILE)[1]))
    refused("-p", str(target.pid), names="no file descriptor left; give it one more (prlimit")(bench)
    target.check_clean()
    resource.prlimit(target.pid, resource.RLIMIT_NOFILE, before)
    expect_silence(bench.run("record", "-o", bench.trace, "-p", str(target.pid), "--for", "10ms"))
    target.check_unharmed()


def a_thread_id(bench):
    target = bench.start("computing")
    tids = [tid for tid in os.listdir("/proc/%d/task" % target.pid) if int(tid) != target.pid]
    refused("-p", tids[0], names=str(target.pid))(bench)
    target.check_clean()


def a_dead_process(bench):
    target = bench.start("computing")
    os.kill(target.pid, signal.SIGKILL)
    # Its first thread may have ended while others are ending: then there is something to attach to.
    wait_until(lambda: status_of(target.pid, "State").startswith("Z") and
               len(os.listdir("/proc/%d/task" % target.pid)) == 1, "ending")
    refused("-p", str(target.pid), names="has ended")(bench)


# Its memory is given back first, which leaves it without a program, and its files take a while.
MANY_FILES = """
import os, resource, sys
most = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 20000)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
for i in range(most - 10):
    os.open(sys.argv[1], os.O_RDONLY)
print("open", flush=True)
sys.stdin.read()
os._exit(0)
"""


def has_program(pid):
    try:
        return os.readlink("/proc/%d/exe" % pid)
    except FileNotFoundError:
        return None


def a_process_that_is_ending(bench):
    """It may have ended by the time that fctrace looks, but it is nothing else."""
    for _ in range(4):
        with subprocess.Popen([tap.PYTHON, "-c", MANY_FILES, bench.fctrace], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as target:
            target.stdout.readline()
            target.stdin.close()
            while has_program(target.pid):
                pass
            refused("-p", str(target.pid), names="process %d " % target.pid)(bench)


def fctrace_itself(bench):
    """A process that becomes fctrace keeps its id."""
    done = tap.run(["/bin/sh", "-c", 'exec "$0" record -o "$1" -p $$', bench.fctrace,
                    bench.trace])
    expect_line(done, "fctrace itself", FAILED)


def a_kernel_thread(bench):
    for pid in sorted(filter(str.isdigit, os.listdir("/proc")), key=int):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                if not f.read() and status_of(int(pid), "Kthread") == "1":
                    break
        except (OSError, AttributeError):
            continue
    else:
        raise Skip("no thread of the kernel is seen here")
    refused("-p", pid, names="kernel", status=NOT_PROGRAM)(bench)
    return None


def traced_by_fctrace(bench):
    target = bench.start("computing")
    controller = bench.attach(target)
    refused("-p", str(target.pid), names="by fctrace (process %d)" % controller.pid)(bench)
    stop(controller)
    target.check_clean()


def traced_by(*argv, name):
    def check(bench):
        tap.need(argv[0])
        target = bench.start("computing")
        other = subprocess.Popen([*argv, str(target.pid)], stdin=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: status_of(target.pid, "TracerPid") != "0", argv[0])
            refused("-p", str(target.pid), names=name)(bench)
            expect_line(bench.run("detach", str(target.pid)), "nothing of fctrace", 1)
        finally:
            other.stdin.close()
            other.terminate()
            other.wait(LIMIT_S)
        return None
    return check


def not_permitted(bench):
    """Another user's process."""
    if os.getuid():
        raise Skip("not root")
    if not os.access(bench.fctrace, os.X_OK):
        raise Skip("fctrace cannot be executed")
    target = bench.start("computing")
    folder = bench.path("nobody")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o777)
    done = tap.run([bench.fctrace, "record", "-o", os.path.join(folder, "t.data"), "-p",
                    str(target.pid)], cwd=folder, preexec=as_nobody)
    expect_line(done, "not permitted to trace process %d" % target.pid, FAILED)
    target.check_unharmed()
    return None


def without_capability():
    """Root, but for CAP_SYS_PTRACE."""
    PR_CAPBSET_DROP, CAP_SYS_PTRACE = 24, 19
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE, 0, 0, 0):
        os._exit(99)


def root_without_the_capability(bench):
    """It is not told that root may."""
    if os.getuid():
        raise Skip("not root")
    with subprocess.Popen(["sleep", "60"], preexec_fn=as_nobody) as target:
        try:
            done = bench.run("record", "-o", bench.trace, "-p", str(target.pid),
                             preexec=without_capability)
        finally:
            target.kill()
    expect_line(done, "fctrace runs as root, but without CAP_SYS_PTRACE", FAILED)
    if b"root may" in done.err:
        raise Wrong(done.err.decode())


CASES = [("attach: " + name, check) for name, check in STORMS] + [
    ("attach: a handler that goes back into a function", a_handler_that_goes_back),
    ("attach: a program that writes over its code", a_program_that_writes_code),
    ("attach: a handler that stays above a function", a_handler_that_stays),
    ("attach: a server under load", a_server_under_load),
    ("attach: an interrupted unwinder", an_interrupted_unwinder),
    ("attach: a program that executes itself", a_program_that_executes_itself),
    ("attach: a program that ends meanwhile", a_program_that_ends),
    ("attach: the trace is true", the_trace_is_true),
    ("attach: full speed afterwards", full_speed_afterwards),
    ("attach: Ctrl-C ends it", told_by(signal.SIGINT)),
    ("attach: SIGTERM ends it", told_by(signal.SIGTERM)),
    ("attach: SIGHUP ends it", told_by(signal.SIGHUP)),
    ("attach: several processes", several_processes),
    ("attach: several processes, as pidof prints them", as_pidof_prints_them),
    ("attach: one of two processes ends", one_of_two_ends),
    ("attach: fctrace detach tells the fctrace that traces", detach_tells_fctrace),
    ("attach: fctrace detach finds nothing", detach_finds_nothing),
    ("attach: --for lets a started program go", the_program_started_is_let_go(None)),
    ("attach: SIGTERM lets a started program go", the_program_started_is_let_go(signal.SIGTERM)),
] + [("attach: fctrace is killed over " + name, killed(name, steady))
     for name, steady in KILLED] + [
    ("attach: fctrace is killed at each of its steps", killed_at_each_step),
    ("attach: memory that is limited after fctrace was killed", memory_limited_after_a_kill),
    ("attach: a flight recorder is killed at steps", a_flight_recorder_killed_at_steps),
    ("attach: the program is killed while it is let go", the_program_is_killed_at_steps),
    ("attach: fctrace is killed and nobody cleans up", killed_and_left_alone),
    ("attach: fctrace is killed as signals come", no_signal_is_dropped),
    ("attach: frames that lie copied", copied_frames),
    ("attach: copied frames of two strands", copied_frames_of_two_strands),
    ("attach: a stopped process stays stopped", a_stopped_process),
    ("attach: no such process", refused("-p", "999999999", names="999999999")),
    ("attach: a process without a descriptor that is free", a_process_without_a_descriptor),
    ("attach: a thread's id", a_thread_id),
    ("attach: a dead process", a_dead_process),
    ("attach: a process that is ending", a_process_that_is_ending),
    ("attach: fctrace itself", fctrace_itself),
    ("attach: a thread of the kernel", a_kernel_thread),
    ("attach: what fctrace traces already", traced_by_fctrace),
    ("attach: what strace traces", traced_by("strace", "-qq", "-o", "/dev/null", "-p",
                                             name="by strace")),
    ("attach: what gdb traces", traced_by("gdb", "-q", "-nx", "-p", name="by gdb")),
    ("attach: another user's process", not_permitted),
    ("attach: root without the capability", root_without_the_capability),
    ("attach: -p 0", refused("-p", "0", names="0: not a process id", status=USAGE)),
    ("attach: -p with a name that nobody has", refused(
        "-p", "1 no-such-prog", names="no-such-prog: neither a process id nor the name of a process",
        status=USAGE)),
    ("attach: -p with the name of one process", the_only_one_of_a_name),
    ("attach: -p with the name of several", several_of_a_name),
    ("attach: detach, ctl and dump by name", let_go_by_name),
    ("attach: -p 1,", refused("-p", "1,", names="not a process id", status=USAGE)),
    ("attach: -p and a program", refused("-p", "1", "true", names="-p", status=USAGE)),
    ("attach: --for 0", refused("--for", "0s", "true", names="0s", status=USAGE)),
]


if __name__ == "__main__":
    tap.main(lambda suite: run_all(suite, CASES, Bench(suite)), seed=tap.SEED)
