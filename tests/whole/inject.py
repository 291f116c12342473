#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Faults at random moments: fctrace is killed with SIGKILL, targets are stopped and get
signals, no more can be written. Targets end as they would have, and what was recorded can be read.
"""
import ctypes
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402
from tap import Skip  # noqa: E402

PYTHON_JOB = """
import hashlib, json, threading
def work(n):
    out[n] = hashlib.sha256(json.dumps([i * n for i in range(20000)]).encode()).hexdigest()
out = {}
threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
for t in threads: t.start()
for t in threads: t.join()
print(sorted(out.items()))
"""
FORK_JOB = "for i in 1 2 3 4 5 6 7 8; do echo $i | sort | sed s/^/x/; done; (exit 3); echo $?"
# Handles a timer of its own besides what comes from outside; the kernel restarts the rest.
TIMER_JOB = """
import signal, hashlib
seen = [0]
def tick(nr, frame): seen[0] += 1
signal.signal(signal.SIGALRM, tick)
signal.signal(signal.SIGUSR1, tick)
signal.signal(signal.SIGUSR2, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
h = hashlib.sha256()
for i in range(6000): h.update(repr(sorted(str(i * k) for k in range(12))).encode())
print(h.hexdigest(), seen[0] > 0)
# Python gives up handlers before it ends, and complains of a signal that it has noted by then.
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM, signal.SIGUSR1])
"""
PERL_JOB = "print join(q(,), map { my $x = $_; $x =~ s/(.)(.)/$2$1/g; $x } 1..20000), qq(\n)"
JOBS = [
    ("sort", "sort -n lines"),
    ("python3 with threads", "/usr/bin/python3 -c '%s'" % PYTHON_JOB),
    ("a shell with children", FORK_JOB),
    ("python3 with a timer", "/usr/bin/python3 -c '%s'" % TIMER_JOB),
    ("perl", "perl -e '%s'" % PERL_JOB),
    ("gawk", "gawk '{ s += $1; n[$1 % 100]++ } END { print s, length(n) }' lines"),
    ("sqlite3", "sqlite3 :memory: 'with recursive c(i) as (select 1 union all select i + 1 from c"
     " where i < 20000) select sum(i), group_concat(i % 7) from c'"),
    ("xz with threads", "xz -T2 --block-size=20000 -c lines | xz -dc | md5sum"),
    ("gcc", "echo 'int main(void) { return 3; }' | gcc -xc -O1 -o prog - && ./prog"),
    ("git", "(git init -q r && cd r && cp ../lines . && git add lines && git write-tree)"),
    ("busybox-static", "busybox sh -c 'busybox sort -n lines | busybox awk \"{ s += \\$1 } END { print s }\"'"),
    ("a Go program: fzf", "fzf --filter=123 <lines"),
    ("ripgrep", "rg -j2 -c 99 lines"),
]
TARGET_LIMIT_S = tap.PATIENCE_S


def wrapped(job):
    """The job leaves its output in `out`, then its status in `status`."""
    return ["/bin/sh", "-c", ": > begun; { %s\n} > out 2> err; echo $? > status.new;"
            " mv status.new status" % job]


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def wait_for(path, limit_s):
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        if os.path.exists(path):
            return True
        time.sleep(0.01)
    return False


def left_over(sid):
    """Processes of that session that have not ended: pid, name and state."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(pid)) == sid:
                with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as f:
                    text = f.read()
                state = text[text.rindex(")") + 2]
                if state not in "ZX":
                    found.append("%s %s %s" % (pid, text[text.index("("):text.rindex(")") + 1],
                                               state))
        except (OSError, ValueError):
            pass
    return found


def begins(sid, path):
    """False: it has not begun, and no process is left that could."""
    end = time.monotonic() + TARGET_LIMIT_S
    while time.monotonic() < end and not os.path.exists(path) and left_over(sid):
        time.sleep(0.02)
    return os.path.exists(path)


def prepare(folder):
    rng = random.Random(5)
    with open(os.path.join(folder, "lines"), "w", encoding="utf-8") as f:
        f.writelines("%d %d\n" % (rng.randrange(10 ** 6), i) for i in range(20000))


def is_there(job):
    return all(tap.have(program) for program in ("rg", "fzf", "busybox", "git", "gcc", "sqlite3")
               if program in job.split())


def results(folder):
    return tuple(read(os.path.join(folder, name)) for name in ("status", "out", "err"))


def traced(fctrace, job, folder, kill_after_s):
    """Run under fctrace and kill that; what is wrong or None, how long it ran, its state."""
    prepare(folder)
    begin = time.monotonic()
    proc = subprocess.Popen([fctrace, "record", "-o", "t.data", *wrapped(job)], cwd=folder,
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        proc.wait(kill_after_s)
    except subprocess.TimeoutExpired:
        os.kill(proc.pid, signal.SIGKILL)
        proc.wait()
    lasted_s = time.monotonic() - begin
    # Killed so early that the program had not begun: then it must not hang about either.
    has_begun = begins(proc.pid, os.path.join(folder, "begun"))
    if has_begun and not wait_for(os.path.join(folder, "status"), TARGET_LIMIT_S):
        wrong = "the target did not end: " + "; ".join(left_over(proc.pid))
    else:
        time.sleep(0.02)
        rest = left_over(proc.pid)
        wrong = "left behind: " + "; ".join(rest) if rest and not has_begun else None
    tap.kill_session(proc.pid)
    return wrong, lasted_s, has_begun


def check_round(fctrace, job, expected, folder, kill_after_s):
    wrong, lasted_s, has_begun = traced(fctrace, job, folder, kill_after_s)
    if wrong:
        return wrong
    if has_begun and results(folder) != expected:
        got = results(folder)
        return "killed after %.3f s: status %r, untraced %r; output %s; stderr %r" % (
            lasted_s, got[0], expected[0],
            tap.excerpt(expected[1] or b"", got[1] or b"") if got[1] != expected[1] else "the same",
            (got[2] or b"")[-300:])
    trace = os.path.join(folder, "t.data")
    if not has_begun and not read(trace):
        return None
    report = tap.run([fctrace, "report", trace])
    # Before the program begins not even the first packet need be whole.
    if not has_begun and report.status == 3:
        return None
    if report.status not in (0, 4):
        return "killed after %.3f s: report: status %d: %s" % (
            lasted_s, report.status, report.err.decode(errors="replace"))
    return None


def untraced(job, folder):
    prepare(folder)
    subprocess.run(wrapped(job), cwd=folder, check=False, timeout=tap.PATIENCE_S)
    return results(folder)


def rounds_of(fctrace, name, job, nr, rng):
    with tempfile.TemporaryDirectory(prefix="fctrace-inject-") as folder:
        expected = untraced(job, folder)
    with tempfile.TemporaryDirectory(prefix="fctrace-inject-") as folder:
        wrong, whole_s, _ = traced(fctrace, job, folder, 60)
        if wrong or results(folder) != expected:
            return wrong or "not killed: %r, untraced %r" % (results(folder)[0], expected[0])
    harmed = []
    for nr_round in range(nr):
        with tempfile.TemporaryDirectory(prefix="fctrace-inject-") as folder:
            wrong = check_round(fctrace, job, expected, folder, rng.uniform(0, whole_s))
            if wrong:
                harmed.append("round %d: %s" % (nr_round, wrong))
    if harmed:
        return "%d of %d rounds, first\n%s" % (len(harmed), nr, "\n".join(harmed))
    return None


def tids_of(sid):
    """Threads of a session's processes, but its leader: that is fctrace."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if int(pid) != sid and os.getsid(int(pid)) == sid:
                found += [(int(pid), int(t)) for t in os.listdir("/proc/%s/task" % pid)]
        except OSError:
            pass
    return found


def has_action(pid, sig):
    """Does the process catch or ignore it?"""
    with open("/proc/%d/status" % pid, encoding="utf-8", errors="replace") as f:
        fields = dict(line.split(":", 1) for line in f if line.startswith("Sig"))
    return (int(fields["SigCgt"], 16) | int(fields["SigIgn"], 16)) >> (sig - 1) & 1


def is_python(pid):
    with open("/proc/%d/comm" % pid, encoding="utf-8", errors="replace") as f:
        return f.read().startswith("python")


def disturb(sid, rng):
    """
    One random thing to one random target: stop it for a moment, or a signal that does nothing,
    or one that python handles or ignores (others catch signals to clean up and die).
    """
    targets = tids_of(sid)
    if not targets:
        return 0
    pid, tid = rng.choice(targets)
    try:
        sig = rng.choice([signal.SIGSTOP, signal.SIGSTOP, signal.SIGALRM, signal.SIGUSR1,
                          signal.SIGUSR2, signal.SIGWINCH, signal.SIGURG, signal.SIGCHLD])
        is_harmless = sig in (signal.SIGWINCH, signal.SIGURG, signal.SIGCHLD)
        if sig == signal.SIGSTOP:
            os.kill(pid, sig)
            time.sleep(rng.uniform(0, 0.003))
            os.kill(pid, signal.SIGCONT)
        elif is_harmless or (has_action(pid, sig) and is_python(pid)):
            tgkill(pid, tid, sig)
        else:
            return 0
    except (OSError, KeyError):
        return 0
    return 1


def tgkill(pid, tid, sig):
    number = 234  # x86-64
    if ctypes.CDLL(None).syscall(number, pid, tid, int(sig)) < 0:
        raise OSError("tgkill")


def signals_round(fctrace, job, expected, folder, nr, rng):
    """How many signals were sent before the job ended, and what is wrong or None."""
    prepare(folder)
    proc = subprocess.Popen([fctrace, "record", "-o", "t.data", *wrapped(job)], cwd=folder,
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)
    sent, end = 0, time.monotonic() + TARGET_LIMIT_S
    while proc.poll() is None and time.monotonic() < end:
        sent += disturb(proc.pid, rng) if sent < nr else 0
        time.sleep(rng.uniform(0, 0.004))
    wrong = None
    if proc.poll() is None:
        wrong = "it did not end: " + "; ".join(left_over(proc.pid))
    elif results(folder) != expected:
        wrong = "%d signals: %r, untraced %r" % (sent, results(folder)[0:1], expected[0:1])
    tap.kill_session(proc.pid)
    proc.wait()
    return sent, wrong


def signals_of(fctrace, job, nr, rng):
    with tempfile.TemporaryDirectory(prefix="fctrace-inject-") as folder:
        expected = untraced(job, folder)
    sent, tries = 0, 0
    while sent < nr and tries < 10 + nr:
        with tempfile.TemporaryDirectory(prefix="fctrace-inject-") as folder:
            now, wrong = signals_round(fctrace, job, expected, folder, nr - sent, rng)
        sent, tries = sent + now, tries + 1
        if wrong:
            return "run %d: %s" % (tries, wrong)
    return None if sent >= nr else "only %d of %d signals could be sent" % (sent, nr)


def no_room(fctrace, job, trace_in):
    """The trace cannot be written, from the start or soon: only fctrace complains."""
    with tempfile.TemporaryDirectory(prefix="fctrace-inject-") as folder:
        expected = untraced(job, folder)
    with tempfile.TemporaryDirectory(prefix="fctrace-inject-") as folder:
        prepare(folder)
        done = tap.run([fctrace, "record", "-o", os.path.join(folder, trace_in), *wrapped(job)],
                       cwd=folder)
        got = results(folder)
    if done.is_late:
        return "fctrace did not end"
    if done.status != 125 or b"fctrace: " not in done.err:
        return "status %d: %s" % (done.status, done.err.decode(errors="replace"))
    # Not begun at all, when there is no file; else whole.
    return None if got in (expected, (None, None, None)) else "harmed: %r" % (got,)


def small_disk(fctrace, job):
    """A file system that is full soon."""
    with tempfile.TemporaryDirectory(prefix="fctrace-inject-") as disk:
        done = tap.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk])
        if done.status != 0:
            raise Skip("a small disk needs root: " + done.err.decode().strip())
        try:
            return no_room(fctrace, job, disk + "/t.data")
        finally:
            tap.run(["umount", "-l", disk])


NO_ROOM = [
    ("the disk is full from the start", "/dev/full"),
    ("the trace's folder is not there", "no/such/folder/t.data"),
    ("the trace is a folder", "."),
]


def when_there(job, test, *args):
    if not is_there(job):
        raise Skip("its program is not installed")
    return test(*args)


def suite_of(suite):
    fctrace, args = suite.fctrace, suite.args
    print("# seed %d" % args.seed)
    rng = random.Random(args.seed)
    each = -(-args.rounds // len(JOBS))
    for name, job in JOBS:
        suite.run("inject %d kills while tracing %s" % (each, name),
                  when_there, job, rounds_of, fctrace, name, job, each, rng)
        suite.run("inject %d signals into %s" % (each, name),
                  when_there, job, signals_of, fctrace, job, each, rng)
    for name, trace_in in NO_ROOM:
        suite.run("inject " + name, no_room, fctrace, JOBS[0][1], trace_in)
    suite.run("inject the disk is full soon", small_disk, fctrace, JOBS[1][1])


if __name__ == "__main__":
    tap.main(suite_of, seed=tap.SEED,
             rounds={"type": int, "default": 50, "help": "in all, over the jobs"})
