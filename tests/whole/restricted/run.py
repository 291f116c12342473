#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that are not allowed much run as they do untraced, and what is not traced is said.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
from tap import Skip  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
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


def can(command):
    """Is the machine able to do this without fctrace?"""
    return tap.run(["sh", "-c", command]).status == 0


def why_not(label, start):
    for needed in ("unshare -Urpf --mount-proc", "unshare -Ur", "unshare -m"):
        if needed in start and not can(needed + " true"):
            return "`%s` does not work here" % needed
    if label in ("a chroot", "another user", "no /proc inside", "a full /dev/shm") and os.geteuid():
        return "needs root"
    return None


def fib_calls(fctrace, trace):
    lines = tap.fctrace_json(fctrace, "report", trace)
    return sum(line["calls"] for line in lines if line["function"] == "fib")


def check(fctrace, trace, command, nr_steps):
    bare = tap.run(["sh", "-c", command])
    traced = tap.run([fctrace, "record", "--libs=none", "-o", trace, "sh", "-c", command])
    if bare.is_late or traced.is_late:
        return "took longer than %d s" % tap.TIME_LIMIT_S
    said = traced.err.decode(errors="replace")
    if (bare.status, bare.out) != (traced.status, traced.out):
        return "status %d, untraced %d; %s\nstderr: %s" % (
            traced.status, bare.status, tap.excerpt(bare.out, traced.out), said[-1000:])
    calls = fib_calls(fctrace, trace)
    if nr_steps is None and "runs untraced: " in said:
        return None
    if calls < (nr_steps or 1) * STEP:
        return "%d calls of fib are in the trace, not %d: %s" % (
            calls, (nr_steps or 1) * STEP, said[-1000:])
    return None


def without_random_addresses(fctrace, trace, program):
    """All that is loaded is traced: what fctrace maps leaves room beside it."""
    if not can("setarch -R true"):
        raise Skip("setarch -R does not work here")
    for libs in ("api", "all"):
        traced = tap.run([fctrace, "record", "--libs=" + libs, "-o", trace,
                          "setarch", "-R", program, "threads"])
        if traced.status or b"not traced" in traced.err:
            return "--libs=%s: status %d: %s" % (libs, traced.status, traced.err.decode()[-500:])
    return None


def said_of_plugin(fctrace, trace, program):
    """What is loaded under a filter is not traced, and that is said."""
    traced = tap.run([fctrace, "record", "-o", trace, program, "black", "plugin"])
    if b"under its seccomp filter" not in traced.err:
        return "not said: " + traced.err.decode(errors="replace")
    return None


def said_of_lost(fctrace, trace, program):
    """What is lost names its cause, on stderr and in the trace."""
    for words, cause in ((["black", "threads"], "under a seccomp filter"),
                         (["no-clock"], "forbade itself to read the clock")):
        done = tap.run([fctrace, "record", "--libs=none", "-o", trace, program, *words])
        info = tap.run([fctrace, "info", trace]).out
        for text in (done.err.decode(), info.decode()):
            if not re.search(r"\d records were lost .*" + cause, text):
                return "%s: it does not say %r: %s" % (" ".join(words), cause, text[-500:])
    return None


def lost_by_a_probe(fctrace, trace, program):
    """What was refused changes nothing: new threads' calls are recorded."""
    for words in ("probe", "unprivileged refused", "diverged"):
        tap.run([fctrace, "record", "--libs=none", "-o", trace, program, *words.split(),
                 "threads", "fork"])
        lost = tap.fctrace_json(fctrace, "info", trace)["lost"]
        if lost:
            return "%s: %d records were lost" % (words, lost)
    return None


def said_of_many(fctrace, trace, program):
    """There are 1024 large rings: the main thread and 1023 others have one; each call of the rest
    is told, or told as two lost records. Threads that end give their ring to others."""
    before, after, rest = 15 + 1, 25, 1100 - 1023
    tap.run([fctrace, "record", "--libs=none", "--ring=16M", "-o", trace, program, "many"])
    lines = tap.fctrace_json(fctrace, "report", trace)
    seen = sum(line["calls"] for line in lines if line["function"] in ("fib", "one_of_many"))
    lost = tap.fctrace_json(fctrace, "info", trace)["lost"]
    want = STEP + 1100 * (before + after)
    if 2 * seen + lost != 2 * want or lost < 2 * rest * before:
        return "%d calls and %d lost records of %d calls" % (seen, lost, want)
    shown = tap.run([fctrace, "replay", trace]).out
    return None if b"/* %d records lost */" % lost in shown else "the tree does not show it"


def of_threads_inside(fctrace, trace, inside, whose):
    """Threads are in the agent while another one forbids system calls."""
    for how in ([], ["--loss=ring", "--ring=64K"]):
        done = tap.run([fctrace, "record", "--libs=none", *how, "-o", trace, inside, whose, "20"])
        if done.trouble() or done.out != b"0 killed, 0 with blocked signals\n":
            return "%s: %s %s" % (how, done.trouble() or done.out, done.err.decode()[-500:])
    return None


def lost_before(fctrace, trace, inside):
    """The causes sum up to what is lost: of words torn at the end nobody knows the cause."""
    done = tap.run([fctrace, "record", "--libs=none", "--loss=drop", "--ring=64K", "-o", trace,
                    inside, "one", "5"])
    told = re.findall(rb"fctrace: (\d+) records? w\w+ lost [^;]*of threads", done.err)
    causes = sum(map(int, told))
    lost = tap.fctrace_json(fctrace, "info", trace)["lost"]
    is_right = causes and 0 <= lost - causes < 1000
    return done.trouble() or (None if is_right else "%d of %d: %s" % (causes, lost, done.err))


# In one session, as the kernel may share a CPU out among sessions before it looks at priorities.
HOGS = """for i in 1 2 3 4 5 6; do taskset -c "$0" sh -c "while :; do :; done" & hogs="$hogs $!"; done
"$@"; status=$?; kill $hogs; exit $status"""


def starved(fctrace, trace, program):
    """A thread that hardly gets a CPU stops late, but it stops: its child's records stand apart."""
    cpu = str(min(os.sched_getaffinity(0)))
    done = tap.run(["/bin/sh", "-c", HOGS, cpu, fctrace, "record", "-o", trace, program, cpu, "3"])
    if done.status != 3 or done.out != b"0\n0\n0\n" or b"rights" in done.err:
        return "status %d, says %s" % (done.status, done.err.decode()[-500:])
    return None


def build(top):
    os.chmod(top, 0o755)
    os.makedirs(os.path.join(top, "root"), exist_ok=True)
    program, static = os.path.join(top, "restricted"), os.path.join(top, "restricted.static")
    source = os.path.join(PROGRAMS, "restricted.c")
    flags = ["-O1", "-Wall", "-Wextra"]
    for argv in (["gcc", *flags, "-o", program, source, "-pthread", "-ldl"],
                 ["gcc", *flags, "-o", program + ".inside", os.path.join(PROGRAMS, "inside.c"),
                  "-pthread"],
                 ["gcc", *flags, "-o", program + ".starved", os.path.join(PROGRAMS, "starved.c"),
                  "-pthread"],
                 ["gcc", *flags, "-w", "-static", "-o", static, source, "-pthread"],
                 ["gcc", *flags, "-fPIC", "-shared", "-o", program + ".plugin.so",
                  os.path.join(PROGRAMS, "plugin.c")]):
        subprocess.run(argv, check=True, capture_output=True)
    return {"program": program, "inside": program + ".inside",
            "starved": program + ".starved", "static": static, "top": top, "nobody": NOBODY}


def case_of(fctrace, top, names, case):
    label, words, start, nr_steps = case
    missing = why_not(label, start)
    if missing:
        raise Skip(missing)
    return check(fctrace, os.path.join(top, "trace.data"),
                 start % dict(names, words=words % names), nr_steps)


def need_root(check, *args):
    if os.geteuid():
        raise Skip("needs root, to give it up")
    return check(*args)


def suite_of(suite):
    fctrace, trace = suite.fctrace, os.path.join(suite.folder, "trace.data")
    names = build(suite.folder)
    program, inside = names["program"], names["inside"]
    for case in CASES:
        suite.run("restricted " + case[0], case_of, fctrace, suite.folder, names, case)
    for label, check_it, *of in (
            ("addresses that are not random", without_random_addresses, program),
            ("what is loaded under a filter is said", said_of_plugin, program),
            ("what is lost names its cause", said_of_lost, program),
            ("what was refused loses nothing", lost_by_a_probe, program),
            ("what was lost before is told once", lost_before, inside),
            *(("threads of a forked child, system calls forbidden to " + whose,
               of_threads_inside, inside, whose) for whose in ("none", "one", "all"))):
        suite.run("restricted " + label, check_it, fctrace, trace, *of)
    suite.run("restricted a thread that hardly gets a CPU", need_root, starved, fctrace, trace,
              names["starved"])
    suite.run("restricted threads beyond the number of rings are counted as lost",
              said_of_many, fctrace, trace, program)


if __name__ == "__main__":
    tap.main(suite_of)
