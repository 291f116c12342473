#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that copy frames of their stack away and back, for coroutines that take turns on one stack, or for
continuations that are called again: launched, attached to and let go while frames are away, with functions
unhooked, and when fctrace is killed, they are unharmed.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

WAYS = ((), ("--libs=none",), ("--libs=all",), ("-a",), ("-a", "--depth-of-values=3"),
        ("--loss=ring",), ("-F", "leaf"))


class Bench(bench.Bench):
    flags = ["-O2", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        self.rng = random.Random(suite.args.seed)
        print("# --seed %d" % suite.args.seed)

    def all_calls(self):
        """With those that were only counted."""
        return {line["function"]: line["calls"] + line["counted"] for line in self.json("report")}


class Target:
    """A program at work until its stdin is closed, which then prints what it came to."""

    def __init__(self, bench, command):
        self.expected = tap.run([*command, "1"]).out
        self.proc = subprocess.Popen(command, cwd=bench.folder, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pid = self.proc.pid
        if self.proc.stdout.readline() != b"ready\n":
            self.proc.kill()
            raise Skip(self.expected.decode().strip())

    def end(self):
        out, err = self.proc.communicate()
        if self.proc.returncode or out != self.expected:
            raise Wrong("status %d, %r, expected %r; %r" % (
                self.proc.returncode, out, self.expected, err[-400:]))

    def remains(self):
        with open("/proc/%d/maps" % self.pid, encoding="utf-8") as f:
            fields = [line.split(None, 5) for line in f]
        return [f for f in fields if "memfd:fctrace" in f[-1] or ("x" in f[1] and len(f) < 6)]


def slices(bench):
    return [bench.build("slices.c")]


def again(bench):
    return [bench.build("again.c")]


def greenlets(_bench):
    return [tap.PYTHON, os.path.join(HERE, "programs", "greenlets.py")]


def interpreted(bench, name, script, *options):
    """A script of an interpreter that has continuations of its own."""
    path = shutil.which(name)
    if not path:
        raise Skip(name + " is not installed")
    launched(bench, [path, *({"guile": ["--no-auto-compile"]}.get(name, [])),
                     os.path.join(HERE, "programs", script)], *options)


def launched(bench, command, *options):
    bare, traced = tap.run(command), bench.record(*command, options=options)
    if b"no greenlet" in bare.out:
        raise Skip("python3-greenlet is not installed")
    if (bare.status, bare.out) != (traced.status, traced.out):
        raise Wrong("status %d, untraced %d; %s; %s" % (
            traced.status, bare.status, tap.excerpt(bare.out, traced.out),
            traced.err.decode(errors="replace")[-800:]))


def all_calls_are_recorded(bench):
    """As many as are counted by stubs that touch no return address."""
    of = ("leaf", "yield", "deeper", "one", "two", "three", "go", "resume", "save", "move")
    bench.record(*slices(bench), "5", "2")
    recorded = bench.all_calls()
    bench.record(*slices(bench), "5", "2", options=("-c", "--no-time"))
    counted = bench.all_calls()
    wrong = ["%s: %s recorded, %s counted" % (name, recorded.get(name), counted.get(name))
             for name in of if recorded.get(name) != counted.get(name) or not counted.get(name)]
    return "; ".join(wrong)


def calls_of_frames_that_stay_have_exits(bench):
    """The scheduler's own, which are not copied, or are back when they return."""
    bench.record(*slices(bench), "3")
    for line in bench.json("report"):
        if line["function"] in ("main", "rounds") and line["timed"] != line["calls"]:
            return "%s: %d of %d calls have an end" % (line["function"], line["timed"], line["calls"])
    return None


def attached(bench, command, nr_rounds):
    target = Target(bench, command)
    for _ in range(nr_rounds):
        options = bench.rng.choice(WAYS[:5])
        done = bench.record("-p", str(target.pid), "--for", "%dms" % bench.rng.randrange(1, 60),
                            options=options)
        if done.status:
            raise Wrong("status %d: %r" % (done.status, done.err[-800:]))
        left = target.remains()
        if left:
            raise Wrong("what was copied away holds fctrace's addresses? %r, %s" % (done.err, left))
    target.end()


def unhooked(bench, command, nr_rounds):
    target = Target(bench, command)
    controller = bench.begin("-p", str(target.pid))
    names = ("leaf", "deeper", "one", "go", "yield", "move", "come", "save", "leave", "*", "memcpy",
             "_PyEval_EvalFrameDefault", "PyObject_*", "PyMem_*")
    tap.wait_until(lambda: not bench.run("ctl", str(target.pid)).status or controller.poll() is not None,
                   "attaching")
    for _ in range(nr_rounds):
        globs = bench.rng.sample(names, 3)
        for word in ("unhook", "hook"):
            bench.run("ctl", str(target.pid), word, *globs)
    controller.send_signal(signal.SIGINT)
    err = controller.communicate()[1]
    target.end()
    if controller.returncode:
        raise Wrong("status %d: %r" % (controller.returncode, err[-800:]))


def fctrace_killed(bench, command, nr_rounds):
    target = Target(bench, command)
    for _ in range(nr_rounds):
        controller = bench.begin("-p", str(target.pid), *bench.rng.choice(WAYS[:5]))
        time.sleep(bench.rng.random() * 0.3)
        controller.kill()
        controller.communicate()
        time.sleep(0.01)
    target.end()


def suite_of(suite):
    bench = Bench(suite)
    nr = 100 if suite.is_long else 3
    ways = WAYS if suite.is_long else WAYS[:5:2]
    for name, command in (("slices", slices), ("again", again), ("greenlets", greenlets)):
        for way in ways:
            suite.run("%s launched %s" % (name, " ".join(way)), launched, bench,
                      [*command(bench), "3" if name == "greenlets" else "20"], *way)
        suite.run(name + " attached to and let go", attached, bench, command(bench), nr)
        suite.run(name + " with functions unhooked", unhooked, bench, command(bench), nr)
        suite.run(name + " when fctrace is killed", fctrace_killed, bench, command(bench), nr)
    for name, script in (("ruby", "callcc.rb"), ("guile", "callcc.scm")):
        for way in WAYS if suite.is_long else ((), ("--libs=all", "-a")):
            suite.run(" ".join((script, *way)), interpreted, bench, name, script, *way)
    suite.run("slices in threads", launched, bench, [*slices(bench), "10", "4"])
    for flag in ("-O0", "-O1", "-O3"):
        for name in ("slices", "again"):
            suite.run("%s of %s" % (name, flag), launched, bench, [bench.build(name + ".c", flag), "5"])
    suite.run_all([all_calls_are_recorded, calls_of_frames_that_stay_have_exits], bench)


tap.main(suite_of, seed=tap.SEED)
