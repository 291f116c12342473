#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace is killed with SIGKILL at any moment: the target ends as it would have, and what was
recorded can be read.

  tests/inject/run.py --fctrace build/fctrace [--rounds 50] [--seed N]
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402

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
JOBS = [
    ("sort", "sort -n lines"),
    ("python3 with threads", "/usr/bin/python3 -c '%s'" % PYTHON_JOB),
    ("a shell with children", FORK_JOB),
]
TARGET_LIMIT_S = 30


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


def prepare(folder):
    rng = random.Random(5)
    with open(os.path.join(folder, "lines"), "w", encoding="utf-8") as f:
        f.writelines("%d %d\n" % (rng.randrange(10 ** 6), i) for i in range(20000))


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
    has_begun = wait_for(os.path.join(folder, "begun"), 1)
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
    if report.status not in (0, 4):
        return "killed after %.3f s: report: status %d: %s" % (
            lasted_s, report.status, report.err.decode(errors="replace"))
    return None


def untraced(job, folder):
    prepare(folder)
    subprocess.run(wrapped(job), cwd=folder, check=False, timeout=60)
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


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--fctrace", required=True)
    options.add_argument("--rounds", type=int, default=50, help="in all, over the jobs")
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10 ** 6))
    options.add_argument("--only")
    args = options.parse_args()
    suite = tap.Suite(args.only)
    print("# seed %d" % args.seed)
    rng = random.Random(args.seed)
    each = -(-args.rounds // len(JOBS))
    for name, job in JOBS:
        label = "inject %d kills while tracing %s" % (each, name)
        if suite.wants(label):
            suite.case(label, rounds_of(os.path.abspath(args.fctrace), name, job, each, rng))
    suite.end()


if __name__ == "__main__":
    main()
