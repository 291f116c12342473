#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that are not allowed much run as they do untraced, and what is not traced is said.
"""
import os
import re
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip  # noqa: E402

STEP = 8361 + 20 * 21891  # calls of fib() that the program makes after each word
NOBODY = 65534

# A case: its name, what the program is told, how it is started, and how many steps must be in
# the trace: None where the program may also run untraced, if that is said.
PLAIN = "exec %(program)s %(words)s"
CASES = [
    ("a filter that allows next to nothing", "white", PLAIN, 1),
    ("a filter, by syscall()", "black", PLAIN, 1),
    ("signals under a filter", "alarms white", PLAIN, 2),
    ("signals on a stack of their own under a filter", "alarms-elsewhere white", PLAIN, 2),
    ("a probe for filters", "probe threads fork", PLAIN, 3),
    ("filters that are refused", "unprivileged refused threads fork", PLAIN, 4),
    ("a filter that a thread has no use for", "diverged threads fork", PLAIN, 3),
    ("a filter behind refused ones", "refused white", PLAIN, 2),
    ("strict mode", "fork strict", PLAIN, 1),
    ("a clock that must not be read", "threads no-clock threads", PLAIN, 1),
    ("threads under a filter", "black threads", PLAIN, 2),
    ("a child under a filter", "black fork", PLAIN, 2),
    ("a library loaded under a filter", "black plugin", PLAIN, 2),
    ("a program executed under a filter", "black exec %(program)s alarms threads", PLAIN, None),
    ("a filter over a filter", "black exec %(program)s white", PLAIN, None),
    ("mlockall", "mlock threads resident", PLAIN, 3),
    ("mlockall, and then another user", "mlock unprivileged threads fork", PLAIN, 4),
    ("mlockall with a limit, by root", "limit-locked mlock threads fork", PLAIN, 4),
    ("a limit of what it may lock", "limit-locked threads fork", PLAIN, 3),
    ("a limit of what it may lock, and another user", "limit-locked unprivileged threads fork", PLAIN, 4),
    ("mlockall, and then few rights", "mlock limit-locked unprivileged some-memory fork", PLAIN, 5),
    ("memory that it limits itself", "limit-memory memory threads fork memory", PLAIN, 5),
    ("PR_SET_DUMPABLE 0", "undumpable threads fork", PLAIN, 3),
    ("no descriptor can be opened", "nofile threads fork", PLAIN, 3),
    ("all descriptors closed", "close threads fork", PLAIN, 3),
    ("its own SIGTRAP", "trap", PLAIN, 1),
    ("descriptors 0 to 2 closed", "threads", PLAIN + " 0<&- 2<&-", 1),
    ("a small stack", "threads fork", "ulimit -s 512; " + PLAIN, 2),
    ("huge pages", "huge threads fork", PLAIN, 3),
    ("a full /dev/shm", "threads fork",
     "exec unshare -m sh -c 'mount -t tmpfs -o size=4k none /dev/shm; "
     "cat /dev/zero >/dev/shm/full 2>&-; " + PLAIN + "'", 2),
    ("more threads than rings", "many fork", PLAIN, 2),
    ("a user namespace", "threads fork", "exec unshare -Ur " + PLAIN[5:], 2),
    ("a pid namespace", "threads fork", "exec unshare -Urpf --mount-proc " + PLAIN[5:], 2),
    ("no /proc inside", "threads fork",
     "exec unshare -m sh -c 'umount -l /proc; " + PLAIN + "'", 2),
    ("a chroot", "threads fork", "cp %(static)s %(top)s/root; exec chroot %(top)s/root "
     "/restricted.static %(words)s", 2),
    ("another user", "threads fork undumpable",
     "exec setpriv --reuid=%(nobody)d --clear-groups " + PLAIN[5:], 3),
] + [
    ("%d MiB of address space, %s" % (mib, kind), "memory threads",
     "ulimit -v %d; exec %%(%s)s %%(words)s" % (mib * 1024, kind), None)
    for mib in (4000, 1100, 600, 200, 100, 50, 35) for kind in ("program", "static")
]


NEED_ROOT = ("mlockall, and then few rights", "mlockall, and then another user", "mlockall with a limit, by root",
             "a limit of what it may lock, and another user", "a chroot", "another user", "no /proc inside",
             "a full /dev/shm")


def can(command):
    """Is the machine able to do this without fctrace?"""
    return tap.run(["sh", "-c", command]).status == 0


def why_not(label, start):
    for needed in ("unshare -Urpf --mount-proc", "unshare -Ur", "unshare -m"):
        if needed in start and not can(needed + " true"):
            return "`%s` does not work here" % needed
    if label in NEED_ROOT and os.geteuid():
        return "needs root"
    return None


class Bench(bench.Bench):
    flags = ["-O1", "-w", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        os.chmod(self.folder, 0o755)
        os.makedirs(self.path("root"), exist_ok=True)
        self.program, self.inside = self.build("restricted.c"), self.build("inside.c")
        self.starved = self.build("starved.c")
        static = self.build("restricted.c", "-static", out="restricted.static")
        self.build("plugin.c", "-fPIC", "-shared", out="restricted.plugin.so")
        self.names = {"program": self.program, "static": static, "top": self.folder, "nobody": NOBODY}

    def own(self, *argv, options=()):
        """Only the functions of the program itself are hooked."""
        return self.record(*argv, options=["--libs=none", *options])

    def lost(self):
        return self.json("info")["lost"]


def check(b, command, nr_steps):
    bare = tap.run(["sh", "-c", command])
    traced = b.own("sh", "-c", command)
    if bare.is_late or traced.is_late:
        return "took longer than %d s" % tap.TIME_LIMIT_S
    said = traced.err.decode(errors="replace")
    if (bare.status, bare.out) != (traced.status, traced.out):
        return "status %d, untraced %d; %s\nstderr: %s" % (
            traced.status, bare.status, tap.excerpt(bare.out, traced.out), said[-1000:])
    calls = b.calls()["fib"]
    if nr_steps is None and "runs untraced: " in said:
        return None
    if calls < (nr_steps or 1) * STEP:
        return "%d calls of fib are in the trace, not %d: %s" % (
            calls, (nr_steps or 1) * STEP, said[-1000:])
    return None


def without_random_addresses(b):
    """All that is loaded is traced: what fctrace maps leaves room beside it."""
    if not can("setarch -R true"):
        raise Skip("setarch -R does not work here")
    for libs in ("api", "all"):
        traced = b.record("setarch", "-R", b.program, "threads", options=["--libs=" + libs])
        if traced.status or b"not traced" in traced.err:
            return "--libs=%s: status %d: %s" % (libs, traced.status, traced.err.decode()[-500:])
    return None


def said_of_plugin(b):
    """What is loaded under a filter is not traced, and that is said."""
    traced = b.record(b.program, "black", "plugin")
    if b"under its seccomp filter" not in traced.err:
        return "not said: " + traced.err.decode(errors="replace")
    return None


def said_of_lost(b):
    """What is lost names its cause, on stderr and in the trace."""
    for words, cause in ((["black", "threads"], "under a seccomp filter"),
                         (["no-clock"], "forbade itself to read the clock")):
        done = b.own(b.program, *words)
        info = b.run("info", b.trace).out
        for text in (done.err.decode(), info.decode()):
            if not re.search(r"\d records were lost .*" + cause, text):
                return "%s: it does not say %r: %s" % (" ".join(words), cause, text[-500:])
    return None


def lost_by_a_probe(b):
    """What was refused changes nothing: new threads' calls are recorded."""
    for words in ("probe", "unprivileged refused", "diverged"):
        b.own(b.program, *words.split(), "threads", "fork")
        if b.lost():
            return "%s: %d records were lost" % (words, b.lost())
    return None


def lost_by_a_limit(b):
    """Of what may be locked, which counts only for who locks all of its memory and is not root."""
    for words in ("limit-locked fork many", "limit-locked unprivileged fork many", "limit-locked mlock fork many",
                  "mlock fork many"):
        done = b.own(b.program, *words.split())
        if done.status or b.lost():
            return "%s: %s, %d records were lost" % (words, done.trouble() or done.status, b.lost())
    return None


def said_of_many(b):
    """There are 1024 large rings: the main thread and 1023 others have one; each call of the rest
    is told, or told as two lost records. Threads that end give their ring to others."""
    before, after, rest = 15 + 1, 25, 1100 - 1023
    b.own(b.program, "many", options=["--ring=16M"])
    calls, lost = b.calls(), b.lost()
    seen = calls["fib"] + calls["one_of_many"]
    want = STEP + 1100 * (before + after)
    if 2 * seen + lost != 2 * want or lost < 2 * rest * before:
        return "%d calls and %d lost records of %d calls" % (seen, lost, want)
    shown = b.run("replay", b.trace).out
    return None if b"/* %d records lost */" % lost in shown else "the tree does not show it"


def of_threads_inside(b, whose):
    """Threads are in the agent while another one forbids system calls."""
    for how in ([], ["--loss=ring", "--ring=64K"]):
        done = b.own(b.inside, whose, "20", options=how)
        if done.trouble() or done.out != b"0 killed, 0 with blocked signals\n":
            return "%s: %s %s" % (how, done.trouble() or done.out, done.err.decode()[-500:])
    return None


def limited_by_a_vfork_child(b):
    """The limit is the child's: each of its parent's threads has a ring still."""
    done = b.own(b.program, "limit-vforked", "many")
    if done.status:
        return done.trouble() or "status %d" % done.status
    return "%d records are lost" % b.lost() if b.lost() else None


def limited_by_another(b):
    """What is reserved is given back when the limit is seen, at the next hook."""
    limit, program = 1 << 30, b.build("limited.c")
    for options in (["--libs=none"], ["--libs=all"], ["-a"]):
        with b.begin(*options, program, str(limit), stdout=subprocess.PIPE) as fctrace:
            fctrace.stdout.readline()
            child = tap.child_of(fctrace.pid)
            resource.prlimit(child, resource.RLIMIT_AS, (limit, limit))
            out, err = fctrace.communicate()
        if fctrace.returncode or out != b"memory a thread\n":
            return "%s: status %d: %s %s" % (options, fctrace.returncode, out, err)
    return None


def its_own_small_stack(b):
    """fctrace needs more than the shell gives; the program has what the shell gave."""
    for options in ("", "-a --libs=all --depth-of-values=3", "--loss=ring"):
        for size in ("32", "64", "512"):
            done = tap.run(["/bin/sh", "-c", "ulimit -s %s; exec %s record -q %s -o %s /bin/sh -c 'ulimit -s; exit 3'" % (
                size, b.fctrace, options, b.trace)])
            if done.status != 3 or done.out.decode().split() != [size]:
                return "%s, %s KiB: status %d: %s %s" % (options, size, done.status, done.out, done.err)
            done = tap.run(["/bin/sh", "-c", "ulimit -s %s; exec %s report --csv %s" % (size, b.fctrace, b.trace)])
            if done.status or done.out.count(b"\n") < 3:
                return "report, %s KiB: status %d: %s" % (size, done.status, done.err)
    return None


def lost_before(b):
    """The causes sum up to what is lost: of words torn at the end nobody knows the cause."""
    done = b.own(b.inside, "one", "5", options=["--loss=drop", "--ring=64K"])
    told = re.findall(rb"fctrace: (\d+) records? w\w+ lost [^;]*of threads", done.err)
    causes = sum(map(int, told))
    lost = b.lost()
    is_right = causes and 0 <= lost - causes < 1000
    return done.trouble() or (None if is_right else "%d of %d: %s" % (causes, lost, done.err))


# In one session, as the kernel may share a CPU out among sessions before it looks at priorities.
HOGS = """for i in 1 2 3 4 5 6; do taskset -c "$0" sh -c "while :; do :; done" & hogs="$hogs $!"; done
"$@"; status=$?; kill $hogs; exit $status"""


def starved(b):
    """A thread that hardly gets a CPU stops late, but it stops: its child's records stand apart."""
    cpu = str(min(os.sched_getaffinity(0)))
    done = tap.run(["/bin/sh", "-c", HOGS, cpu, b.fctrace, "record", "-o", b.trace, b.starved, cpu, "3"])
    if done.status != 3 or done.out != b"0\n0\n0\n" or b"rights" in done.err:
        return "status %d, says %s" % (done.status, done.err.decode()[-500:])
    return None


def case_of(b, case):
    label, words, start, nr_steps = case
    missing = why_not(label, start)
    if missing:
        raise Skip(missing)
    return check(b, start % dict(b.names, words=words % b.names), nr_steps)


def need_root(check, *args):
    if os.geteuid():
        raise Skip("needs root, to give it up")
    return check(*args)


def suite_of(suite):
    b = Bench(suite)
    for case in CASES:
        suite.run("restricted " + case[0], case_of, b, case)
    for label, check_it, *of in (
            ("addresses that are not random", without_random_addresses),
            ("what is loaded under a filter is said", said_of_plugin),
            ("what is lost names its cause", said_of_lost),
            ("what was refused loses nothing", lost_by_a_probe),
            ("what was lost before is told once", lost_before),
            ("memory that a vfork child limits", limited_by_a_vfork_child),
            ("memory that another process limits", limited_by_another),
            ("its own small stack", its_own_small_stack),
            *(("threads of a forked child, system calls forbidden to " + whose,
               of_threads_inside, whose) for whose in ("none", "one", "all"))):
        suite.run("restricted " + label, check_it, b, *of)
    suite.run("restricted a limit of what may be locked loses nothing", need_root, lost_by_a_limit, b)
    suite.run("restricted a thread that hardly gets a CPU", need_root, starved, b)
    suite.run("restricted threads beyond the number of rings are counted as lost", said_of_many, b)


if __name__ == "__main__":
    tap.main(suite_of)
