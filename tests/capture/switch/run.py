#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""--waits: what a call took is its time on the CPU and off it, by the program's own clocks; nothing else is
off the CPU; and nobody is harmed.
"""
import csv
import json
import os
import re
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong, expect, wait_until  # noqa: E402

STATUS = 3
SHARE, LEAST_NS = 0.05, 3e6  # that the clocks may differ: the program reads them before and after a call
NAMES = ("naps", "locks", "reads", "awaits", "works")
MAKERS, WAITED_NS = ("locks", "reads", "awaits"), 10e6  # these make a thread or a child, and wait at least so long
# Of each function: how often it was called, what that took, and how much of it off the CPU.
SUMS = """
select name, count(*) as calls, sum(duration_ns) as wall, sum(off) as off from
 (select c.name, c.duration_ns, (select coalesce(sum(o.duration_ns), 0) from calls o where o.module = '[off CPU]'
   and o.strand = c.strand and o.begin_ns >= c.begin_ns and o.end_ns <= c.end_ns) as off
  from calls c where c.entered and c.name in ('naps', 'locks', 'reads', 'awaits', 'works')) group by name
"""
WITHIN = """
select c.name, sum(o.duration_ns) as off from calls c join calls o on o.strand = c.strand and o.begin_ns >= c.begin_ns
 and o.end_ns <= c.end_ns and o.module = '[off CPU]' and c.module = 'waiting' and not c.recursive group by 1
"""
OFF = "select name, ended, count(*) as calls, sum(duration_ns) as ns from calls where module = '[off CPU]' group by 1, 2"
REFUSING = "waits does not show when threads are off the CPU: perf_event_open is not permitted"
REFUSED = """
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
long syscall(long nr, ...)
{
	long arg[6], ret;
	va_list list;
	va_start(list, nr);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(list, long);
	va_end(list);
	register long r10 asm("r10") = arg[3], r8 asm("r8") = arg[4], r9 asm("r9") = arg[5];
	asm volatile("syscall" : "=a"(ret) : "0"(nr == SYS_perf_event_open ? -1 : nr), "D"(arg[0]), "S"(arg[1]),
		     "d"(arg[2]), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	if (nr == SYS_perf_event_open)
		ret = -EACCES;
	if (ret >= 0 || ret < -4095)
		return ret;
	errno = -ret;
	return -1;
}
"""


WAYS_TO_SUM = ([], ["--by", "module"], ["--by", "thread"], ["--by", "process"], ["-D2000000000"], ["-N", "asleep"],
               ["-D3"], ["-F", "locks"], ["-t", "1ms"])


class Bench(bench.Bench):
    sources, flags = os.path.join(HERE, "programs"), ["-O1", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("waiting.c")

    def asked(self, sql):
        return json.loads(self.must("query", "--json", self.trace, sql)[0])

    def told(self, *argv, options=(), status=STATUS):
        """What the program says of each function: its calls, and their time as a whole and on the CPU."""
        done = self.record(self.program, *argv, options=["-q", "--waits", "--libs=none", *options])
        if done.status != status or done.err:
            raise Wrong("status %d: %s" % (done.status, done.err.decode()))
        sums = {}
        for line in done.out.decode().splitlines():
            name, wall, cpu = line.split()
            old = sums.get(name, (0, 0, 0))
            sums[name] = (old[0] + 1, old[1] + int(wall), old[2] + int(cpu))
        return sums

    def report_rows(self, *options):
        return json.loads(self.must("report", "--json", *options, self.trace)[0])

    def off(self):
        """{(function, how it ended): (calls, ns)} of the time off the CPU."""
        return {(row["name"], row["ended"]): (row["calls"], row["ns"]) for row in self.asked(OFF)}


def compare(b, told):
    """The program's sums, and the trace's."""
    seen = {row["name"]: row for row in b.asked(SUMS)}
    for name, (calls, wall, cpu) in told.items():
        row = seen.get(name)
        if not row or row["calls"] != calls:
            return "%s was called %d times; the trace: %s" % (name, calls, row)
        rest, room = row["wall"] - row["off"] - cpu, SHARE * wall + LEAST_NS * calls
        # Who makes a thread stops for fctrace, for as long as that takes.
        is_wrong = rest < -room or row["off"] < WAITED_NS * calls if name in MAKERS else abs(rest) > room
        if is_wrong:
            return "%s took %.1f ms, %.1f of them on the CPU; the trace: %.1f, and %.1f off it" % (
                name, wall / 1e6, cpu / 1e6, row["wall"] / 1e6, row["off"] / 1e6)
    return None


def on_and_off_are_all(b):
    """Where it naps, waits for a lock, a pipe, a child, and where it works."""
    told = b.told("all")
    return expect(sorted(told), sorted(NAMES)) or compare(b, told)


def wrong_row(row):
    """cpu and wait are all of the time, to the last ns."""
    is_right = row["cpu_ns"] + row["wait_ns"] == row["total_ns"] and row["self_wait_ns"] <= row["total_ns"]
    is_off = row.get("module") == "[off CPU]"
    return None if is_right and (not is_off or row["cpu_ns"] == 0) else str(row)


def report_has_columns_for_them(b):
    """Each function's cpu and wait are those that it had by its own clocks; whichever way calls are summed."""
    told = b.told("all")
    rows = {row["function"]: row for row in b.report_rows("-m", "waiting")}
    for name in NAMES:
        wall, cpu = told[name][1:]
        row, room = rows[name], SHARE * wall + LEAST_NS * told[name][0]
        if abs(row["wait_ns"] - (wall - cpu)) > room and (name not in MAKERS or row["wait_ns"] < WAITED_NS * told[name][0]):
            return "%s waited %.1f ms; report: %s" % (name, (wall - cpu) / 1e6, row)
    ends = b.asked("select avg(begin_ns + end_ns) / 2 as ns from calls where name in ('naps', 'locks') group by name order by 1")
    part = "%.9fs~%.9fs" % tuple(row["ns"] / 1e9 for row in ends)
    for options in (*WAYS_TO_SUM, ["-r", part]):
        rows = b.report_rows(*options)
        if not rows:
            return "%s: no rows" % options
        for row in rows:
            wrong = wrong_row(row)
            if wrong:
                return "%s: %s" % (options, wrong)
    return None


def report_sums_what_the_tree_has(b):
    """A function's wait is that of the calls of [off CPU] within its own, hidden ones, too."""
    b.told("all")
    seen = {row["name"]: row["off"] for row in b.asked(WITHIN)}
    for options in ([], ["-N", "asleep", "-N", "runnable"]):
        for row in b.report_rows(*options):
            off = row["total_ns"] if row["module"] == "[off CPU]" else seen.get(row["function"], 0)
            if abs(row["wait_ns"] - off) > 1000:
                return "%s: %d ns; %s" % (options, off, row)
    heads = [b.must("report", *options, b.trace)[0].split("\n")[0].split()
             for options in ([], ["-F", "now", "-N", "runnable"], ["-s", "self-wait"])]
    told = heads[0][:5] == ["CALLS", "TOTAL", "SELF", "CPU", "WAIT"] and "SELF-WAIT" not in heads[0]
    return None if told and "SELF-WAIT" in heads[2] else str(heads)


def query_knows_them(b):
    """wait_ns of calls, functions and paths is what their calls of [off CPU] took."""
    b.told("all")
    nr_off = b.asked("select count(*) as nr from calls where module = '[off CPU]'")[0]["nr"]  # each is rounded by itself
    for sql, slack in (
            ("select c.id, c.name, c.wait_ns as wait, (select coalesce(sum(o.duration_ns), 0) from calls o where o.module = "
             "'[off CPU]' and o.strand = c.strand and o.begin_ns >= c.begin_ns and o.end_ns <= c.end_ns) as off from calls c "
             "where c.name in ('main', 'naps', 'works', 'sleep_ms')", 100 + nr_off),
            ("select name, wait_ns as wait, (select coalesce(sum(c.wait_ns), 0) from calls c where c.func = f.id and not c.recursive) as off "
             "from functions f where calls", 1000),
            ("select name, self_wait_ns as wait, (select coalesce(sum(c.self_wait_ns), 0) from calls c where c.func = f.id) as off "
             "from functions f where calls", 1000),
            ("select name, wait_ns as wait, (select coalesce(sum(p.wait_ns), 0) from paths p where p.func = f.id) as off "
             "from functions f where calls and module = 'waiting' and name <> 'now'", 1000),
            ("select name, self_wait_ns as wait, (select coalesce(sum(p.self_wait_ns), 0) from paths p where p.func = f.id) as off "
             "from functions f where calls", 1000)):
        rows = b.asked(sql)
        wrong = [row for row in rows if row["wait"] is None or abs(row["wait"] - row["off"]) > slack]
        if not rows or wrong:
            return "%s: %s" % (sql, wrong[:4])
    damaged = b.asked("select count(*) as nr from calls where wait_ns > duration_ns or self_wait_ns > wait_ns")
    return expect(damaged, [{"nr": 0}])


def the_tree_tells_each_wait_once(b):
    """As lines, or where these are left out as a note of the innermost call, live as well."""
    b.told("all")
    whole = b.must("replay", b.trace)[0]
    bare = b.must("replay", "-N", "asleep", "-N", "runnable", b.trace)[0]
    naps = b.must("replay", "-F", "naps", "-D", "1", b.trace)[0]
    if "waited" in whole or "asleep" in bare or not re.search(r"naps\(\); /\* waited \d+\.\d+ ms \*/", naps):
        return "whole: %s...\n%s" % ("waited" in whole, naps)
    waits = [float(ms) for ms in re.findall(r"sleep_ms.*waited (\d+\.\d+) ms", bare)]
    if len(waits) < 20 or min(waits) < 19.9:
        return "%s\n%s" % (waits, bare)
    live = b.run("--waits", "--libs=none", "-N", "asleep", "-N", "runnable", "-F", "naps", b.program, "all", "2").err.decode()
    return expect(len(re.findall(r"sleep_ms.*waited \d+\.\d+ ms", live)), 2)


def flame_graphs_of_waits(b):
    """Their weights are all that was off the CPU, with and without its own frames; what never waits has no frame."""
    b.told("all")
    all_ns = sum(ns for _, ns in b.off().values())
    within_ns = b.asked("select sum(self_wait_ns) as ns from functions where calls")[0]["ns"]
    for options, ns in (([], all_ns), (["-N", "asleep*", "-N", "runnable"], within_ns), (["-D", "2", "-F", "all"], None)):
        lines = b.must("export", "-f", "folded", "--wait", *options, b.trace)[0].splitlines()
        stacks = {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in lines}
        if ns and abs(sum(stacks.values()) - ns) > 1000 * len(stacks):
            return "%s: %d ns of %d: %s" % (options, sum(stacks.values()), ns, lines)
        if not all(stacks.values()) or bool(options) == any("asleep" in stack for stack in stacks):
            return "%s: %s" % (options, lines)
    picture = b.must("export", "-f", "svg", "--wait", "--min=0", b.trace)[0]
    names = re.findall("<title>(.*)", picture)
    if " off the CPU: a frame is as wide" not in picture or "naps" not in names or "frame_dummy" in names:
        return str(names)
    return None


def paths_of_a_graph_wait(b):
    """What the paths of a function have waited is what report says of it."""
    b.told("all")
    told = {row["function"]: row for row in b.report_rows("-m", "waiting")}
    graph = json.loads(b.must("graph", "--json", b.trace)[0])
    for name in (*NAMES, "main", "sleep_ms"):
        nodes = [node for node in graph["nodes"] if node.get("function") == name and not node["is_recursion"]]
        for key in ("wait_ns", "self_wait_ns"):
            if abs(sum(node[key] for node in nodes) - told[name][key]) > 100:
                return "%s %s: %s, report: %s" % (name, key, nodes, told[name])
    head = b.must("graph", "--depth", "3", b.trace)[0].splitlines()[0].split()
    reverse = b.must("graph", "--to", "naps", b.trace)[0].splitlines()[1].split()
    return expect(head[:5], ["CALLS", "TOTAL", "SELF", "WAIT", "SHARE"]) or expect(reverse[6] != "0.000", True)


def callers_wait(b):
    """Over all callers of a function, which does not call itself, its waits are those of report."""
    b.told("all")
    told = {row["function"]: row for row in b.report_rows("-m", "waiting")}
    for name in NAMES:
        rows = json.loads(b.must("report", "--callers", name, "--json", b.trace)[0])
        for key in ("wait_ns", "self_wait_ns"):
            if abs(sum(row[key] for row in rows) - told[name][key]) > 100:
                return "%s %s: %s, report: %s" % (name, key, rows, told[name])
    rows = json.loads(b.must("report", "--callees", "*", "-s", "wait", "--json", b.trace)[0])
    head = b.must("report", "--callers", "naps", b.trace)[0].splitlines()[0].split()
    return expect([row["wait_ns"] for row in rows], sorted((row["wait_ns"] for row in rows), reverse=True)) or \
        expect(head[:7], ["CALLS", "PER", "CALL", "SHARE", "TOTAL", "SELF", "WAIT"])


def each_call_is_exported_with_them(b):
    b.told("all")
    told = b.asked("select name, begin_ns, wait_ns, self_wait_ns from calls where ended not in ('lost', 'unseen')")
    told = sorted((row["begin_ns"], row["name"], row["wait_ns"], row["self_wait_ns"]) for row in told)
    lines = [json.loads(line) for line in b.must("export", "-f", "jsonl", b.trace)[0].splitlines()]
    calls = sorted((line["begin_ns"], line["name"], line["wait_ns"], line["self_wait_ns"]) for line in lines
                   if line["type"] == "call" and line["ended"] not in ("lost", "unseen"))
    table = list(csv.DictReader(b.must("export", "-f", "csv", b.trace)[0].splitlines()))
    rows = sorted((int(row["begin_ns"]), row["name"], int(row["wait_ns"]), int(row["self_wait_ns"])) for row in table
                  if row["ended"] not in ("lost", "unseen"))
    return expect((calls == told, rows == told, len(told) > 50), (True, True, True))


def of_each_thread(b):
    return compare(b, b.told("threads", "3"))


def who_shares_a_cpu_is_runnable(b):
    """Of two threads on one CPU each waits for the other."""
    told = b.told("shared")
    wrong = compare(b, told)
    runnable = b.off().get(("runnable", "return"), (0, 0))
    if not wrong and (not runnable[0] or runnable[1] < 0.3 * told["works"][1]):
        wrong = "two of %s, but: %s" % (told, b.off())
    return wrong


def what_a_thread_does_for_fctrace_is_not_off_the_cpu(b):
    """Each signal stops it for a moment: that is not its own time."""
    b.told("signals")
    asleep = sum(calls for (name, _), (calls, _) in b.off().items() if name == "asleep")
    # It may wait for fctrace before its first function.
    return None if asleep < 5 else "it never sleeps, but: %s" % b.off()


def all_are_closed(b):
    """Each wait that began has ended, but those that the end of a thread cut off."""
    b.told("threads", "3")
    ended = {how for _, how in b.off()}
    return None if ended <= {"return", "pop", "end"} and ("asleep", "return") in b.off() else str(b.off())


def with_system_calls(b):
    """Beneath each system call that sleeps: it stops twice, and only what is between is its own."""
    b.told("all", options=["--syscalls=ptrace"])
    slept = b.asked("select c.ended, (select count(*) from calls o where o.strand = c.strand and o.name = 'asleep' and "
                    "o.caller_name = c.name and o.begin_ns >= c.begin_ns and o.end_ns <= c.end_ns) as asleep "
                    "from calls c where c.name = 'clock_nanosleep'")
    if len(slept) < 20 or any(row["ended"] != "return" or not row["asleep"] for row in slept):
        return str(slept)
    others = b.asked("select name, count(*) as calls from calls where module = '[system call]' and ended = 'pop' group by 1")
    return expect(others, [])


def who_executes_from_another_thread(b):
    """What runs then has the process' number, and its waits are its own."""
    told = b.told("thread")
    return expect(told["naps"][0], 2) or compare(b, told)


def begin_attached(b):
    """A program whose threads wait, and who traces it."""
    target = subprocess.Popen([b.program, "ready"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    target.stdout.readline()
    tracer = b.begin("-q", "--waits", "--libs=none", "-p", str(target.pid))
    wait_until(lambda: b.run("ctl", str(target.pid), "status").status == 0, "it is attached")
    return target, tracer


def attached_while_it_waits(b):
    """It goes on as before."""
    target, tracer = begin_attached(b)
    target.stdin.close()
    status = target.wait(timeout=tap.PATIENCE_S)
    err = tracer.communicate(timeout=tap.PATIENCE_S)[1]
    return expect((status, tracer.returncode, err), (STATUS, 0, b""))


def killed(b):
    target, tracer = begin_attached(b)
    tracer.send_signal(signal.SIGKILL)
    tracer.communicate(timeout=tap.PATIENCE_S)
    target.stdin.close()
    return expect(target.wait(timeout=tap.PATIENCE_S), STATUS)


def not_permitted(b):
    """A sentence says so and what would help, and all else is recorded."""
    refused = b.build("refused.c", "-shared", "-fPIC", out="refused.so", text=REFUSED)
    done = b.record(b.program, "all", "1", options=["--waits", "--libs=none"], env=dict(os.environ, LD_PRELOAD=refused))
    calls = b.asked("select count(*) as calls from calls where name = 'naps'")
    if REFUSING not in done.err.decode() or "kernel.perf_event_paranoid=2" not in done.err.decode():
        return done.err.decode()
    return expect((done.status, calls[0]["calls"], b.off()), (STATUS, 1, {}))


def what_does_not_go_together(b):
    for words in (["--waits", "--no-waits"], ["--waits", "--loss=ring"], ["--waits", "--backend=step"]):
        done = b.record("true", options=words)
        if done.status != 2 or len(done.err.decode().splitlines()) != 1 or b"waits" not in done.err and b"step" not in done.err:
            return "%s: status %d, %s" % (words, done.status, done.err.decode())
    return None


CASES = [
    ("on and off the CPU are all of the time", on_and_off_are_all),
    ("report has columns for them", report_has_columns_for_them),
    ("report sums what the tree has", report_sums_what_the_tree_has),
    ("query knows them", query_knows_them),
    ("the tree tells each wait once", the_tree_tells_each_wait_once),
    ("flame graphs of waits", flame_graphs_of_waits),
    ("paths of a graph wait", paths_of_a_graph_wait),
    ("callers wait", callers_wait),
    ("each call is exported with them", each_call_is_exported_with_them),
    ("so of each thread", of_each_thread),
    ("who shares a CPU is runnable", who_shares_a_cpu_is_runnable),
    ("what a thread stops for fctrace is not told", what_a_thread_does_for_fctrace_is_not_off_the_cpu),
    ("all are closed", all_are_closed),
    ("beneath system calls", with_system_calls),
    ("who executes a program from another thread", who_executes_from_another_thread),
    ("attached while it waits", attached_while_it_waits),
    ("fctrace is killed", killed),
    ("not permitted", not_permitted),
    ("what does not go together", what_does_not_go_together),
]


def suite_of(suite):
    b = Bench(suite)
    if REFUSING.encode() in b.record("true", options=["--waits"]).err:
        suite.skip("waits", "perf_event_open is not permitted here")
        return
    for name, case in CASES:
        suite.run("waits: " + name, case, b)


if __name__ == "__main__":
    tap.main(suite_of)
