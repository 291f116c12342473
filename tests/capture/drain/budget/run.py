#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""With a budget the program runs as ever, and what the trace says of calls is exact:

  recorded + counted = made, for each function that was never unseen, else at most that.

How much a program is slowed down is bench/'s business: it needs a quiet machine.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(HERE, "../../..")
sys.path[:0] = [TESTS, os.path.join(TESTS, "whole/unharmed")]
import bench  # noqa: E402
import jobs  # noqa: E402
import tap  # noqa: E402

BUSY_STATUS = 3
PYTHON_JOB = """
import json, hashlib
for i in range(60):
    rows = [{"k%d" % (k % 97): list(range(k % 50)), "t": "x" * (k % 70)} for k in range(400)]
    text = json.dumps(rows, sort_keys=True, indent=1)
    assert json.loads(text) == rows
print(hashlib.sha256(text.encode()).hexdigest())
"""
SHELL_JOB = """
i=0; while [ $i -lt 30 ]; do i=$((i + 1)); echo "int f$i(int x) { return x * $i; }" > f.c
gcc -O1 -c f.c -o f.o && nm f.o | cut -c20-; done | sha256sum
"""

# Rounds of some 50 ms, each with a short process that loads a large library.
ROUNDS_JOB = """
for ((i = 0; i < 80; i++)); do
	for ((k = 0; k < 20000; k++)); do :; done
	as --version >/dev/null
done
"""


def own_counts(out):
    words = [line.split() for line in out.decode().splitlines()]
    return {line[0]: int(line[1]) for line in words if len(line) == 2}


class Bench(bench.Bench):
    flags, limit_s = ["-O2", "-pthread"], 120

    def within(self, budget, *argv):
        return self.record(*argv, options=["--budget", budget], env=dict(jobs.ENV, TMPDIR=self.folder))


def unshown_of(b):
    info = b.json("info")
    return info, {row["function"]: row for row in info["unshown"]}


def compare(b, made):
    """What is wrong, or None; the functions that were not shown."""
    info, unshown = unshown_of(b)
    report = {row["function"]: row for row in b.json("report")
              if row["function"] in made}
    if info["lost"]:
        return "%d records were lost" % info["lost"], unshown
    for name, calls in made.items():
        told = report.get(name, {"calls": 0, "counted": 0})
        row = unshown.get(name, {"unseen_for_ns": 0, "counted": 0})
        if told["counted"] != row["counted"]:
            return "%s: report has %d counted calls, info %d" % (
                name, told["counted"], row["counted"]), unshown
        if told["calls"] > calls or (not row["unseen_for_ns"] and told["calls"] != calls):
            return "%s: made %d, told %s, %s" % (name, calls, told, row), unshown
    return None, unshown


def counts_are_exact(nr_threads, budget, need):
    def case(b):
        each_ms = str(1500 if nr_threads == 1 else 3000 // nr_threads)
        done = b.within(budget, b.build("busy.c"), each_ms, str(nr_threads))
        if done.status != BUSY_STATUS:
            return "status %d: %s" % (done.status, done.err[-300:])
        wrong, unshown = compare(b, own_counts(done.out))
        if wrong:
            return wrong
        states = {"unseen": any(row["unseen_for_ns"] for row in unshown.values()),
                  "counted": any(row["counted"] for row in unshown.values())}
        if not all(states[state] for state in need):
            return "none was ever %s: %s" % (need, unshown)
        notes = b.run("replay", b.trace, "-F", "cool0").out
        if b"budget: " not in notes:
            return "replay says nothing of the budget"
        return None
    return case


def what_fits_is_shown_whole(b):
    """Between its calls the program works for some 10 us: on any machine far more than calls cost."""
    done = b.within("50%", b.build("busy.c"), "1500", "1", "10000")
    made = own_counts(done.out)
    wrong, unshown = compare(b, made)
    less = [unshown[name] for name in made if name in unshown]
    if done.status != BUSY_STATUS or wrong or less:
        return "status %d: %s, %s" % (done.status, wrong, less)
    return None if sum(made.values()) > 1000 else "it made only these calls: %s" % made


def same_as_bare(argv, budget):
    def case(b):
        work = b.path("bare")
        os.makedirs(work)
        bare = tap.run(argv, cwd=work, env=dict(jobs.ENV, TMPDIR=work), limit_s=120)
        traced = b.within(budget, *argv)
        if (bare.status, bare.out) != (traced.status, traced.out):
            return "bare: %d %s, traced: %d %s" % (
                bare.status, bare.out[-200:], traced.status, traced.out[-200:])
        b.json("info")
        return None
    return case


def begin_busy(b, budget, threads="1"):
    """It has begun, and goes on until it is told to end."""
    proc = b.begin("--budget", budget, b.build("busy.c"), "0", threads, bufsize=0,
                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    if proc.stdout.readline() != b"begun\n":
        raise RuntimeError("the program did not begin")
    return proc


def end_busy(proc):
    os.kill(tap.child_of(proc.pid), signal.SIGTERM)
    return own_counts(proc.communicate(timeout=tap.PATIENCE_S)[0])


def killed(b):
    """fctrace is killed while hooks come and go: the program runs on to its end."""
    for ms in (0, 100, 250, 400, 650):
        proc = begin_busy(b, "2%", "3")
        busy = tap.child_of(proc.pid)
        time.sleep(ms / 1000)
        proc.send_signal(signal.SIGKILL)
        proc.wait()
        time.sleep(0.1)
        os.kill(busy, signal.SIGTERM)
        out = proc.communicate(timeout=tap.PATIENCE_S)[0]
        if len(own_counts(out)) != 12:
            return "killed after %d ms: the program said %s" % (ms, out)
        b.run("replay", b.trace)
    return None


def ctl(b, proc, *words):
    return b.must("ctl", str(proc.pid), *words)[0]


def the_user_decides(b):
    """What is unhooked by hand stays so, and is told as unseen, whatever the budget allows."""
    proc = begin_busy(b, "5%")
    try:
        time.sleep(0.7)
        before = time.monotonic()
        ctl(b, proc, "unhook", "hot*", "cool0")
        begin = time.monotonic()
        time.sleep(2)
        again = ctl(b, proc, "unhook", "hot*", "cool0")
        end = time.monotonic()
        ctl(b, proc, "hook", "cool0")
        after = time.monotonic()
        time.sleep(0.1)
    finally:
        made = end_busy(proc)
    wrong, unshown = compare(b, made)
    if wrong or "0 functions unhooked" not in again or "4 unhooked already" not in again:
        return "%s; asked again: %s" % (wrong, again)
    unseen = {name: row["unseen_for_ns"] / 1e9 for name, row in unshown.items()}
    if min(unseen.get(name, 0) for name in ("hot0", "hot1", "hot2")) < end - begin:
        return "%.3f s are not told as unseen: %s" % (end - begin, unshown)
    # Unhooked after the first word was said, and before it was answered.
    return None if end - begin <= unseen.get("cool0", 0) <= after - before else (
        "cool0: %s, of %.3f to %.3f s" % (unseen, end - begin, after - before))


def what_a_filter_asks_for_is_opened(b):
    """-F wins over the budget for a while; what stays with the budget is said."""
    proc = begin_busy(b, "5%")
    try:
        tap.wait_until(lambda: " 0 unhooked" not in ctl(b, proc, "status"), "unhooking")
        rest = ctl(b, proc, "-F", "nosuch").strip()
        asked_ns = time.monotonic_ns()
        asked_for = ctl(b, proc, "-F", "hot*").strip()
        time.sleep(0.5)
    finally:
        made = end_busy(proc)
        end_ns = time.monotonic_ns()
    left = re.match(r"filters from here on: -F nosuch; (\d+) functions? (is|are) left to the budget, "
                    r"only counted or unseen \(hook opens them\)$", rest)
    opened = re.match(r"filters from here on: -F hot\*; (\d) that the budget had made cheaper "
                      r"(is|are) recorded again, until that costs too much(; |$)", asked_for)
    if not left or not opened or int(left[1]) < int(opened[1]):
        return "answers: %s; %s" % (rest, asked_for)
    query = ("SELECT count(*) FROM calls WHERE name LIKE 'hot%%' AND begin_ns > "
             "(SELECT max(end_ns) FROM calls) - %d" % (end_ns - asked_ns))
    nr = int(b.must("query", "--csv", b.trace, query)[0].split()[-1])
    info, _ = unshown_of(b)
    if info["lost"] or len(made) != 12:
        return "lost %d, the program counted %s" % (info["lost"], made)
    return None if nr > 100 else "%d calls of what was asked for are recorded" % nr


def off_changes_nothing(b):
    """While recording is off no call is seen to cost anything: what is out stays out."""
    proc = begin_busy(b, "2%")
    try:
        tap.wait_until(lambda: " 0 unhooked" not in ctl(b, proc, "status"), "unhooking")
        ctl(b, proc, "off")
        before = ctl(b, proc, "status").splitlines()
        time.sleep(2.5)
        after = ctl(b, proc, "status").splitlines()
        ctl(b, proc, "on")
    finally:
        end_busy(proc)
    hooks = [[line for line in lines if line.startswith("functions")] for lines in (before, after)]
    if hooks[0] != hooks[1] or " 0 unhooked" in hooks[0][0]:
        return "hooks: %s" % hooks
    return None if "recording  off" in after else "status: %s" % after


def the_table_counts_too(b):
    table = b.path("table.json")
    done = b.run("-c", "--json", "--budget", "3%", "-o", table, b.build("busy.c"), "2500")
    with open(table, encoding="utf-8") as f:
        rows = {row["function"]: row for row in tap.json.load(f)}
    made = own_counts(done.out)
    wrong = [(name, rows.get(name), made[name]) for name in made
             if name in rows and rows[name]["calls"] > made[name]]
    if done.status != BUSY_STATUS or wrong:
        return "status %d, %s" % (done.status, wrong)
    return None if any(row["counted"] for row in rows.values()) else "no call was only counted"


def short_processes_wait_seldom(b):
    """Hooking as takes 10 ms, most of it for its library: not in each round of 50."""
    done = b.within("5%", "bash", "-c", ROUNDS_JOB)
    info = b.json("info")
    programs = [p["program"] for p in info["processes"]]
    pids = list(dict.fromkeys(p["pid"] for p in info["processes"] if p["program"].endswith("-as")))
    late = pids[len(pids) // 2:]
    seen = b.run("query", "--csv", b.trace, "SELECT DISTINCT pid FROM calls WHERE module LIKE '%-as'")
    hooked = set(map(int, seen.out.split()[1:])) & set(late)
    if done.status or len(late) < 30:
        return "status %d, %s" % (done.status, programs[:5])
    return None if len(hooked) < 0.2 * len(late) else "%d of %d were hooked" % (
        len(hooked), len(late))


CASES = [
    ("counts are exact", counts_are_exact(1, "5%", ["unseen", "counted"])),
    ("counts are exact in four threads", counts_are_exact(4, "5%", ["unseen", "counted"])),
    ("counts are exact with a large budget", counts_are_exact(1, "90%", [])),
    ("counts are exact with a tiny budget", counts_are_exact(2, "0.1%", ["unseen"])),
    ("what fits is shown whole", what_fits_is_shown_whole),
    ("python3 runs as ever", same_as_bare(["/usr/bin/python3", "-c", PYTHON_JOB], "5%")),
    ("a shell and gcc run as ever", same_as_bare(["/bin/sh", "-c", SHELL_JOB], "5%")),
    ("fctrace is killed", killed),
    ("what the user unhooks stays so", the_user_decides),
    ("what a filter asks for is opened", what_a_filter_asks_for_is_opened),
    ("off changes nothing", off_changes_nothing),
    ("the table counts too", the_table_counts_too),
    ("short processes wait seldom", short_processes_wait_seldom),
]


# What is shown there depends on what is left of the CPUs.
MEASURING = {"what fits is shown whole", "what a filter asks for is opened", "the table counts too",
             "short processes wait seldom"}


def suite_of(suite):
    for name, case in CASES:
        if suite.args.which != "all" and (name in MEASURING) != (suite.args.which == "measuring"):
            continue
        with tempfile.TemporaryDirectory(dir=suite.folder) as folder:
            suite.run("budget: " + name, case, Bench(tap.Suite(suite.args, folder)))


if __name__ == "__main__":
    tap.main(suite_of, which={"choices": ("all", "measuring", "others"), "default": "all",
                              "help": "cases that are to run with nothing beside them, or the others"})
