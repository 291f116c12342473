#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""--syscalls and -k show when a thread was off the CPU, where, for how long, and who woke it: as the
program itself knows it.

It needs root and tracefs: suite `kernel` of whole/vm runs it in virtual machines.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
sys.path.insert(0, HERE)
import tap  # noqa: E402
from kernelbench import INSTANCES, Bench, by_turns, instances, need_tracefs  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

OFF_CPU = "[off CPU]"
MS = 1000000


class Waits(Bench):
    def __init__(self, suite):
        super().__init__(suite)
        self.waiting = self.build("waiting.c")

    def traced(self, *options, words=()):
        """What the program said."""
        done = self.record(self.waiting, *words, options=["--libs=none", *options])
        if b"lost" in done.err:
            raise Wrong(done.err.decode(errors="replace"))
        if done.status or instances():
            raise Wrong("status %d, left %s: %s" % (done.status, instances(), done.err.decode()))
        return done.out.decode()


def within(bench, function):
    """What stands in the call of that function of the program: name, result and duration of each, and how long
    after that call's begin it ended."""
    return bench.query(
        "select w.name, w.result, w.tid, w.duration_ns as ns, w.caller_name as caller, w.end_ns - c.begin_ns as until "
        "from calls w, calls c where "
        "w.module='%s' and c.name='%s' and w.strand=c.strand and w.begin_ns >= c.begin_ns and "
        "w.end_ns <= c.end_ns order by w.begin_ns" % (OFF_CPU, function))


def only(rows, name):
    """The longest one of that name."""
    found = [row for row in rows if row["name"] == name]
    if not found:
        raise Wrong("no %s: %s" % (name, rows))
    return max(found, key=lambda row: row["ns"])


def check_waker(bench, function, name, caller, waker, least_ns, where):
    """It was asleep there until that one woke it, so long after the function began, in a function of the kernel
    (None: not told). On a busy machine it falls asleep late."""
    rows = within(bench, function)
    if not rows:
        raise Wrong("%s() has none; %s" % (function, bench.query(
            "select name, tid, strand, begin_ns, end_ns, caller_name, result from calls where module='%s' or name='%s'" % (
                OFF_CPU, function))))
    row = only(rows, name)
    told, _, inside = row["result"].partition(" in ")
    if told != "woken by " + waker or row["caller"] != caller or row["until"] < least_ns or row["ns"] < least_ns / 8 or \
       not re.fullmatch(where or "", inside):
        raise Wrong("%s: %s, expected %s in %s" % (function, row, waker, where))


def check_all(bench, said, schedule=None, has_stacks=False):
    """schedule: in which function of the kernel they stand; None: right in the system call."""
    children = re.findall(r"^(?:child|thread) (\d+)$", said, re.M)
    child = ["waiting[%s]" % number for number in children]
    for function, caller, waker, least_ms, where in (
            ("naps", "clock_nanosleep", "an interrupt", 45, "hrtimer_wakeup"),
            ("reads", "read", child[0], 20, "(anon_)?pipe_write"),
            ("locks", "futex", child[1], 20, "futex_wake")):
        check_waker(bench, function, "asleep", schedule or caller, waker, least_ms * MS, where if has_stacks else None)
    # It is woken by who kept it stopped, which is fctrace, as it is for each traced program.
    row = only(within(bench, "stops"), "stopped")
    if row["ns"] < 20 * MS:
        raise Wrong("stops: %s" % row)


def who_woke_it_is_told(bench):
    check_all(bench, bench.traced("--syscalls"))


def can_instances_trace_functions():
    probe = os.path.join(INSTANCES, "probe")
    os.mkdir(probe)
    try:
        with open(os.path.join(probe, "available_tracers"), encoding="utf-8") as f:
            return "function_graph" in f.read()
    finally:
        os.rmdir(probe)


def so_it_is_beneath_functions_of_the_kernel(bench):
    """And in which of its functions the waker was, where an instance is fctrace's own."""
    said = bench.traced("-k", "--kfilter", "schedule", "--kfilter", "vfs_read")
    check_all(bench, said, "schedule", can_instances_trace_functions())


def with_values_all_functions_of_the_waker_are_shown(bench):
    """Also those that cannot be traced, by their own names."""
    if not can_instances_trace_functions():
        raise Skip("this kernel has one tracer for all")
    bench.traced("-k", "-a", "--kfilter", "schedule")
    for function, stack in (("naps", "woken by an interrupt in hrtimer_wakeup <- __hrtimer_run_queues <- .*timer_interrupt.*"),
                            ("reads", r"woken by waiting\[\d+\] in (anon_)?pipe_write <- .*vfs_write <- .*write.*do_syscall_64 <- entry_SYSCALL_64.*")):
        row = only(within(bench, function), "asleep")
        if not re.fullmatch(stack, row["result"] or ""):
            raise Wrong("%s: %s, expected %s" % (function, row, stack))


def among_all_functions(bench):
    """Some of them run between the record of a switch and the switch itself: that does not end the wait, which
    lasts until the timer's end (the way there takes long in an interpreted machine)."""
    bench.traced("-k", words=["naps"])
    row = only(within(bench, "naps"), "asleep")
    if row["until"] < 45 * MS or not row["result"]:
        raise Wrong(row)


def self_time_is_time_on_the_cpu(bench):
    """Of two that share one: the thread's own clock is the witness."""
    said = bench.traced("--syscalls")
    expected = int(re.search(r"^works (\d+) us$", said, re.M)[1]) * 1000
    rows = bench.query("select tid, duration_ns as ns, self_ns as self from calls where name='works' "
                       "order by begin_ns")
    if len(rows) != 2:
        raise Wrong(rows)
    off = within(bench, "works")
    # What it computes is in works() itself, or in clock_gettime() as a system call.
    its = [row["ns"] for row in off if row["tid"] == rows[0]["tid"]]
    on_cpu = rows[0]["ns"] - sum(its)
    # The thread's clock leaves out interrupts, which in an interpreted machine take long, and has a part of each
    # switch, which does so, too.
    if not expected - 2 * MS - len(its) * MS / 20 < on_cpu < 1.3 * expected or rows[0]["ns"] < 1.8 * expected:
        raise Wrong("on the CPU %d ns, by its own clock %d; %s" % (on_cpu, expected, rows))
    turns = [row for row in off if re.fullmatch(r"waiting\[\d+\] ran", row["result"] or "")]
    if not turns:
        raise Wrong("who ran meanwhile: %s" % off)


def others_are_not_shown(bench):
    """Who takes turns with the program on its CPU is named, and is not in the trace."""
    cpus = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cpus)})
    with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as other:
        try:
            bench.traced("--syscalls")
        finally:
            other.kill()
            os.sched_setaffinity(0, cpus)
    rows = bench.query("select distinct tid from calls where module='%s' and tid not in (select tid from "
                       "calls where module='[system call]')" % OFF_CPU)
    named = bench.query("select count(*) as nr from calls where result like 'sh[%%] ran'")
    if rows or not named[0]["nr"]:
        raise Wrong("%s, %s" % (rows, named))


def they_can_be_left_out(bench):
    bench.traced("--syscalls", "--no-waits")
    rows = bench.query("select name from functions where module='%s'" % OFF_CPU)
    if rows:
        raise Wrong(rows)


def is_traced(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as f:
        return "TracerPid:\t0\n" not in f.read()


def a_wait_that_began_before_is_not_shown(bench):
    """Attached to as it sleeps: from the next one on."""
    script = bench.write("naps", "read line\nsleep 0.1\n:\n")
    with subprocess.Popen(["sh", script], stdin=subprocess.PIPE) as target:
        tracer = bench.begin("--syscalls", "--libs=none", "-p", str(target.pid))
        tap.wait_until(lambda: is_traced(target.pid) or tracer.poll() is not None,
                       "the program is attached to")
        target.stdin.write(b"go on\n")
        target.stdin.close()
        err = tracer.stderr.read()
        if tracer.wait() or target.wait():
            raise Wrong("%d: %s" % (tracer.returncode, err))
    rows = bench.query("select caller_name as caller, result from calls where name='asleep' and "
                       "tid=%d and caller_name='wait4'" % target.pid)
    if not rows:
        raise Wrong(bench.query("select name, caller_name, result, tid from calls limit 50"))


def suite_of(suite):
    waits = Waits(suite)
    try:
        need_tracefs()
    except Skip as why:
        suite.skip("waits by tracefs", why)
        return
    suite.run_all(by_turns(suite, [
        who_woke_it_is_told,
        so_it_is_beneath_functions_of_the_kernel,
        with_values_all_functions_of_the_waker_are_shown,
        among_all_functions,
        self_time_is_time_on_the_cpu,
        others_are_not_shown,
        they_can_be_left_out,
        a_wait_that_began_before_is_not_shown,
    ]), waits)


if __name__ == "__main__":
    tap.main(suite_of)
