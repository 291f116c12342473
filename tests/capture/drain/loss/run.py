#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Nothing is lost, or it is counted: a program counts its own calls, thread by thread, while
fctrace is too slow for it, its disk is slow, or it is stopped or killed.
"""
import collections
import ctypes
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

STATUS = 7  # with which the program ends
WAITED_S = 0.6  # by all threads, while it is made sure that they do nothing else
PR_SET_CHILD_SUBREAPER = 36


class Job:
    """One run of the program, and what was recorded of it."""

    def __init__(self, bench, threads, rounds, pause_us=0, how=""):
        self.bench, self.fctrace, self.trace = bench, bench.fctrace, bench.trace
        self.program = [bench.build("own.c"), str(threads), str(rounds), str(pause_us)]
        self.program += [how] if how else []
        self.out, self.err, self.status = "", "", None

    def command(self, options, to=None):
        return [self.fctrace, "record", "--libs=none", *options, "-o", to or self.trace,
                *self.program]

    def start(self, options, to=None):
        # Files: a pipe that nobody reads while fctrace is stopped would be another story.
        for path in (self.trace, self.trace + ".out", self.trace + ".err"):
            if os.path.exists(path):
                os.unlink(path)
        with open(self.trace + ".out", "wb") as out, open(self.trace + ".err", "wb") as err:
            return subprocess.Popen(self.command(options, to), stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=err, start_new_session=True)

    def end(self, proc):
        try:
            self.status = proc.wait(timeout=tap.PATIENCE_S)
        except subprocess.TimeoutExpired:
            tap.kill_session(proc.pid)
            raise Wrong("took longer than %d s" % tap.PATIENCE_S) from None
        self.read()

    def read(self):
        with open(self.trace + ".out", encoding="utf-8") as f:
            self.out = f.read()
        with open(self.trace + ".err", encoding="utf-8") as f:
            self.err = f.read()

    def run(self, options):
        self.end(self.start(options))

    def told(self):
        """tid -> function -> calls, as the program counted them."""
        lines = self.out.splitlines()
        if not lines or lines[-1] != "end":
            raise Wrong("the program did not come to its end: " + self.out[-300:])
        told = {}
        for line in lines[:-1]:
            tid, *counts = line.split()
            told[int(tid)] = {f: int(n) for f, n in (word.split("=") for word in counts)}
        return told

    def strands(self):
        """tid -> sums of its strands."""
        info = self.bench.json("info")
        sums = collections.defaultdict(collections.Counter)
        for strand in info["strands"]:
            for key in ("calls", "records", "lost", "waits", "waited_ns"):
                sums[strand["tid"]][key] += strand[key]
        total = sum(strand["lost"] for strand in info["strands"])
        if total != info["lost"]:
            raise Wrong("info: lost %d, its strands %d" % (info["lost"], total))
        return sums

    def replay(self):
        """tid -> records that gaps tell, and tid -> how many waits are shown."""
        gaps, waits = collections.Counter(), collections.Counter()
        for line in self.bench.must("replay", "-D", "1", self.trace)[0].splitlines():
            gap = re.search(r"\[ *(\d+)\] \| /\* (\d+) records? lost \*/$", line)
            wait = re.search(r"\[ *(\d+)\] \| /\* waited [\d.]+ m?u?s for fctrace \*/$", line)
            if gap:
                gaps[int(gap.group(1))] += int(gap.group(2))
            if wait:
                waits[int(wait.group(1))] += 1
        return gaps, waits

    def report(self, *options):
        return {row["function"]: row["calls"] for row in self.bench.json("report", *options)}


def check_end(job):
    if job.status != STATUS:
        raise Wrong("status %s, not %d: %s" % (job.status, STATUS, job.err))


def check_sums(job, told, strands):
    """Each call is two records, its entry and its exit."""
    for tid, counts in told.items():
        want, got = 2 * sum(counts.values()), strands[tid]
        if got["records"] + got["lost"] != want:
            raise Wrong("thread %d made %d records; %d are there and %d told as lost" % (
                tid, want, got["records"], got["lost"]))


def check_functions(told, got):
    want = collections.Counter()
    for counts in told.values():
        want.update(counts)
    wrong = {f: (n, got.get(f, 0)) for f, n in want.items() if got.get(f, 0) != n}
    if wrong:
        raise Wrong("calls counted and recorded differ: %s" % wrong)


def check_nesting(job):
    """What each thread called stands beneath its work, and all of it has returned."""
    done = job.bench.run("replay", "-D", "2", "-F", "work", "-N", "round_of", "-N", "tick", job.trace)
    calls = [line.split(" | ")[1] for line in done.out.decode().splitlines()
             if " | " in line and " | /* " not in line]
    wrong = [line for line in calls if line not in ("work();", "work() {", "} /* work */")]
    if wrong:
        raise Wrong("%d lines are not where they belong: %s" % (len(wrong), wrong[:5]))


def check_whole(job):
    """Nothing is lost, and each thread's calls of each function are there."""
    check_end(job)
    told, strands = job.told(), job.strands()
    lost = sum(sums["lost"] for sums in strands.values())
    if lost or "lost" in job.err:
        raise Wrong("%d records were lost: %s" % (lost, job.err))
    check_sums(job, told, strands)
    check_functions(told, job.report())
    check_nesting(job)
    for tid in list(told)[:2]:
        check_functions({tid: told[tid]}, job.report("--tid", str(tid)))
    return strands


def check_waits(job, strands):
    """What info sums is what replay shows."""
    waits = collections.Counter({tid: s["waits"] for tid, s in strands.items() if s["waits"]})
    shown = job.replay()[1]
    if waits != shown:
        raise Wrong("waits: info tells %s, replay shows %s" % (dict(waits), dict(shown)))


def check_counted(job):
    """What is lost is counted, and each gap is shown where it is."""
    check_end(job)
    told, strands = job.told(), job.strands()
    check_sums(job, told, strands)
    lost = collections.Counter({tid: s["lost"] for tid, s in strands.items() if s["lost"]})
    gaps, waits = job.replay()
    if gaps != lost:
        raise Wrong("lost: info tells %s, replay shows %s" % (dict(lost), dict(gaps)))
    if waits:
        raise Wrong("the program waited though it was to drop: %s" % dict(waits))
    total = sum(lost.values())
    if total and "fctrace: %d records were lost" % total not in job.err:
        raise Wrong("record did not say that %d records were lost: %s" % (total, job.err))
    return strands


def block(job, options):
    job.run(options)
    check_waits(job, check_whole(job))


def drop(job, options):
    job.run(["--loss=drop", *options])
    check_counted(job)


def children(job, options):
    """What a child inherited is told as entries, so its functions are compared, not its sums."""
    job.run(options)
    check_end(job)
    told = job.told()
    for tid, counts in told.items():
        check_functions({tid: counts}, job.report("--tid", str(tid)))
    if sum(sums["lost"] for sums in job.strands().values()):
        raise Wrong("records were lost: " + job.err)


class SlowReader(threading.Thread):
    """A disk that takes so many bytes a second: a pipe that is emptied slowly. With hold() it takes
    nothing more than the first until that returns."""

    def __init__(self, pipe, path, rate, hold):
        super().__init__()
        self.pipe, self.path, self.rate, self.hold = pipe, path, rate, hold

    def run(self):
        size = 4096
        with open(self.pipe, "rb", buffering=0) as pipe, open(self.path, "wb") as out:
            while True:
                piece = pipe.read(size)
                if not piece:
                    return
                out.write(piece)
                if self.hold:
                    self.hold()
                    self.hold = None
                time.sleep(len(piece) / self.rate)


def slow_disk(job, options, rate, hold=None):
    pipe = job.trace + ".pipe"
    if os.path.exists(pipe):
        os.unlink(pipe)
    os.mkfifo(pipe)
    proc = job.start(options, to=pipe)
    reader = SlowReader(pipe, job.trace, rate, hold)
    reader.start()
    job.end(proc)
    reader.join()


def slow_disk_block(job, options, rate):
    slow_disk(job, options, rate)
    strands = check_whole(job)
    check_waits(job, strands)
    waited = sum(sums["waited_ns"] for sums in strands.values()) / 1e9
    if waited < 0.5:
        raise Wrong("the disk was no hindrance: waited %.3f s" % waited)


def slow_disk_drop(job, options, rate):
    slow_disk(job, ["--loss=drop", *options], rate, lambda: wait_until_said(job))
    strands = check_counted(job)
    if not sum(sums["lost"] for sums in strands.values()):
        raise Wrong("the disk was no hindrance: nothing was lost")


def state_of(pid, tid):
    with open("/proc/%d/task/%s/stat" % (pid, tid), encoding="utf-8", errors="replace") as f:
        return f.read().rpartition(")")[2].split()[0]


def is_at_work(job, pid):
    """All threads of the program are there: it is hooked, then, and calls."""
    try:
        with open("/proc/%d/comm" % pid, encoding="utf-8", errors="replace") as f:
            name = f.read().strip()
        states = [state_of(pid, tid) for tid in os.listdir("/proc/%d/task" % pid)]
        # One that was just born stands until fctrace has let it go.
        return name == "own" and len(states) > int(job.program[1]) and "t" not in states
    except OSError:
        return False


def wait_for_work(job, proc):
    """Until the program is at it, and a moment more. Its process id."""
    until = time.monotonic() + tap.PATIENCE_S
    while not (target := tap.child_of(proc.pid)) or not is_at_work(job, target):
        if time.monotonic() > until or proc.poll() is not None:
            raise Wrong("the program did not begin")
        time.sleep(0.005)
    time.sleep(random.random() * 0.4)
    return target


FUTEX = "202"  # what a thread sleeps in that waits for room, or for another one's end


def waits_in(pid, tid):
    """The number of the system call that it sleeps in."""
    with open("/proc/%d/task/%s/syscall" % (pid, tid), encoding="utf-8") as f:
        return f.read().split()[0]


def wait_until_all_wait(pid):
    """Three looks: what they wait for otherwise is over soon."""
    until = time.monotonic() + tap.PATIENCE_S
    nr_looks = 0
    while nr_looks < 3:
        tids = os.listdir("/proc/%d/task" % pid)
        nr_looks = nr_looks + 1 if {waits_in(pid, tid) for tid in tids} == {FUTEX} else 0
        if time.monotonic() > until:
            raise Wrong("the program does not wait for fctrace")
        time.sleep(0.05)


def wait_until_said(job):
    """Until the program has said its last word."""
    def has_said():
        with open(job.trace + ".out", encoding="utf-8") as f:
            return f.read().endswith("end\n")
    tap.wait_until(has_said, "the program comes to its end")


def stopped_block(job, options):
    begin = time.monotonic()
    proc = job.start(options)
    target = wait_for_work(job, proc)
    os.kill(proc.pid, signal.SIGSTOP)
    wait_until_all_wait(target)
    stood_s = -time.monotonic()
    time.sleep(WAITED_S)
    stood_s += time.monotonic()
    os.kill(proc.pid, signal.SIGCONT)
    job.end(proc)
    lasted_s = time.monotonic() - begin
    strands = check_whole(job)
    check_waits(job, strands)
    for tid in job.told():
        waited = strands[tid]["waited_ns"] / 1e9
        if not stood_s <= waited <= lasted_s:
            raise Wrong("all waited for %.3f s, of %.3f s; thread %d: %.3f s" % (
                stood_s, lasted_s, tid, waited))
    if "waited" in job.err:
        raise Wrong("stderr is for what a user must act on: " + job.err)
    info = job.bench.must("info", job.trace)[0]
    if not re.search(r"^waited +[\d.]+ m?s for fctrace, \d+ times?; --loss=drop would not wait$",
                     info, re.MULTILINE):
        raise Wrong("info does not say what would not wait: " + info)


def stopped_drop(job, options):
    proc = job.start(["--loss=drop", *options])
    wait_for_work(job, proc)
    os.kill(proc.pid, signal.SIGSTOP)
    wait_until_said(job)
    os.kill(proc.pid, signal.SIGCONT)
    job.end(proc)
    strands = check_counted(job)
    for tid in job.told():
        if not strands[tid]["lost"]:
            raise Wrong("thread %d lost nothing" % tid)


def killed(job, options):
    """The program goes on to its end, and what was recorded before can be read."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    proc = job.start(options)
    target = wait_for_work(job, proc)
    os.kill(proc.pid, signal.SIGSTOP)
    wait_until_all_wait(target)
    os.kill(proc.pid, signal.SIGKILL)
    proc.wait()
    until = time.monotonic() + tap.PATIENCE_S
    while time.monotonic() < until:
        pid, status = os.waitpid(target, os.WNOHANG)
        if pid:
            break
        time.sleep(0.05)
    else:
        os.kill(target, signal.SIGKILL)
        raise Wrong("the program hangs after fctrace was killed")
    job.status = os.waitstatus_to_exitcode(status)
    job.read()
    check_end(job)
    told = job.told()
    done = job.bench.run("report", "--json", job.trace)
    if done.status != 4 or b"has no end" not in done.err:
        raise Wrong("report: status %d: %s" % (done.status, done.err.decode()))
    if len(told) != int(job.program[1]):
        raise Wrong("threads are missing: " + job.out)


DEEPER = r"""
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
extern "C" {
volatile long calls, sink;
__attribute__((noinline)) void leaf(void) { sink++; }
__attribute__((noinline)) void deep(long n)
{
	volatile long frame[32];
	frame[0] = n;
	calls++;
	if (n)
		deep(frame[0] - 1);
	else if (sink < 0)
		throw 1;
	sink++;
}
__attribute__((noinline)) void catches(long n)
{
	try {
		deep(n);
	} catch (int i) {
		sink = 0;
	}
}
}
static void *run(void *n)
{
	catches((long)n);
	for (int i = 0; i < 1000; i++)
		leaf();
	sink = -1000000000;
	catches(1000);
	sink = -1000000000;
	catches((long)n);
	for (int i = 0; i < 1000; i++)
		leaf();
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 512 << 20);
	pthread_create(&thread, &attr, run, (void *)atol(argv[1]));
	pthread_join(thread, NULL);
	printf("%ld\n", calls);
}
"""


def deeper_than_the_shadow_stack(bench):
    """What is beyond is lost, exactly, and not taken for another stack's; what comes then is whole.
    An exception comes from there."""
    program = bench.build("deeper.cc", "-w", "-O1", "-fno-optimize-sibling-calls", text=DEEPER)
    out, _ = bench.must("record", "--libs=none", "-o", bench.trace, program, "540000")
    made = int(out)
    rows = bench.calls()
    lost = bench.json("info")["lost"]
    # The one is that of the unwinder, which is hooked at its entry only.
    if lost < 3 or rows["deep"] + (lost - 1) // 2 != made or lost % 2 != 1 or rows["leaf"] != 2000:
        raise Wrong("made %d, recorded %s, lost %d records" % (made, rows, lost))
    roots = bench.json("query", "SELECT count(*) AS n FROM calls WHERE name = 'deep' AND depth = "
                       "(SELECT min(depth) FROM calls WHERE name = 'deep')")[0]["n"]
    if roots != 3:
        raise Wrong("%d outermost calls of deep()" % roots)


def handlers_that_leave(bench):
    """By siglongjmp, out of stubs, too. A call whose body began is there, in its place; one that was
    left before it began may be. No record is said to be lost."""
    done = bench.record(bench.build("leaves.c"), "1000", options=["--libs=none"])
    if done.status or b"lost" in done.err:
        raise Wrong("status %d: %s" % (done.status, done.err.decode()))
    told = dict(zip(("one_round", "outer", "inner"), map(int, done.out.split())))
    rows = bench.calls()
    for name, calls in told.items():
        if not calls <= rows[name] <= calls + told["one_round"]:
            raise Wrong("%s began %d times, %d are recorded" % (name, calls, rows[name]))
    for depth, name in enumerate(told, 1):
        shown = bench.json("query", "SELECT count(*) AS n FROM calls WHERE name = '%s' AND depth = %d" % (
            name, depth))[0]["n"]
        if shown != rows[name]:
            raise Wrong("%d of %d calls of %s() are at depth %d" % (shown, rows[name], name, depth))


def handlers_that_nest_as_they_leave(bench):
    """What each jump looks at is what is new: a thousand within each other are as quick as a thousand."""
    for libs in ("none", "api"):
        done = bench.record(bench.build("nests.c"), "1000", options=["--libs=" + libs])
        if done.status or done.err or done.out != b"2000 2\n":
            raise Wrong("status %d: %s%s" % (done.status, done.out.decode(), done.err.decode()))
        shown = bench.json("query", "SELECT name, count(*) AS n, min(depth) = max(depth) AS flat FROM calls"
                           " WHERE name IN ('handler', 'after') GROUP BY name")
        tap.expect([{"name": "after", "n": 2, "flat": 1},
                    {"name": "handler", "n": 2000, "flat": int(libs == "none")}], shown)


def handlers_that_take_the_room(bench):
    """Room for a call's values, made just now, is used by a signal's handler: none are lost."""
    done = bench.record(bench.build("unwinds.c", "-O2", "-g"), "5000", options=["-a"])
    if done.status or done.err:
        raise Wrong("status %d: %s" % (done.status, done.err.decode()))
    got = bench.run("report", "--by", "result", "--json", "-F", "strtol", bench.trace)
    if got.status or b"12" not in got.out:
        raise Wrong("no values: " + got.err.decode())


def cases(is_long):
    """Yields (name, function, job's arguments, further arguments)."""
    work = 40 if is_long else 1
    for ring in ("64K", "1M"):
        for threads in (1, 2, 8, 64):
            size = "%d threads, ring of %s" % (threads, ring)
            rounds = 2000 * work // threads
            yield "block: " + size, block, (threads, rounds), (["--ring", ring],)
            yield "drop: " + size, drop, (threads, rounds), (["--ring", ring],)
    for ring in ("64K", "1M", "64M"):
        yield ("block: signals, ring of " + ring, block, (2, 500 * work, 300, "ticks"),
               (["--ring", ring],))
        # A handler that makes more calls than the ring holds interrupts whatever it meets.
        yield ("block: long handlers, ring of " + ring, block, (2, 20 * work, 0, "floods"),
               (["--ring", ring],))
    yield ("drop: long handlers, ring of 64K", drop, (2, 20 * work, 0, "floods"),
           (["--ring", "64K"],))
    for threads in (3000, 8000) if is_long else (3000,):
        yield "block: %d threads at once" % threads, block, (threads, 1, 0, "crowd"), ([],)
    yield "block: a filter", block, (2, 500 * work), (["--ring", "64K", "-D", "50"],)
    yield "block: children", children, (8, 200 * work, 0, "fork"), (["--ring", "64K"],)
    for ring in ("64K", "1M"):
        for threads in (1, 2, 8):
            size = "%d threads, ring of %s" % (threads, ring)
            slow = (threads, 1500 // threads if not is_long else 4000)
            paced = (threads, 2500 // threads + 700, 1000)
            if not is_long and (threads, ring) not in ((1, "64K"), (8, "1M")):
                continue
            yield ("slow disk, block: " + size, slow_disk_block, slow,
                   (["--ring", ring], 300e3))
            yield "stopped, drop: " + size, stopped_drop, paced, (["--ring", ring],)
            if not is_long and threads > 1:
                continue
            yield ("slow disk, drop: " + size, slow_disk_drop, (threads, 1000 // threads, 100),
                   (["--ring", ring], 50e3))
            yield "stopped, block: " + size, stopped_block, paced, (["--ring", ring],)
            yield "killed while stopped: " + size, killed, paced, (["--ring", ring],)


class Bench(bench.Bench):
    flags = ["-O2", "-Wall", "-Wextra", "-pthread"]


def job_of(bench, check, sizes, more):
    check(Job(bench, *sizes), *more)


def suite_of(suite):
    bench = Bench(suite)
    for name, check, sizes, more in cases(suite.is_long):
        suite.run("loss " + name, job_of, bench, check, sizes, more)
    if tap.have("g++"):
        suite.run_all([deeper_than_the_shadow_stack, handlers_that_leave, handlers_that_nest_as_they_leave,
                       handlers_that_take_the_room], bench, prefix="loss ")


if __name__ == "__main__":
    tap.main(suite_of)
