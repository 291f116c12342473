#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that are started, mapped or kept from system calls in unusual ways: they run as they do
untraced, they are traced as far as that is safe, and what is not traced is said.
"""
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")


class Bench:
    """fctrace, and a folder with the programs."""

    def __init__(self, suite):
        self.fctrace, self.folder, self.is_long = suite.fctrace, suite.folder, suite.is_long
        self.trace = self.path("t.data")

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, name, *flags, source=None, out=None):
        """Compiled when it is first needed."""
        path = self.path(out or name)
        if not os.path.exists(path):
            source = os.path.join(PROGRAMS, source or name + ".c")
            subprocess.run(["gcc", "-O1", "-o", path, source, "-pthread", *flags], check=True)
        return path

    def record(self, *command, options=()):
        return tap.run([self.fctrace, "record", *options, "-o", self.trace, *command],
                       cwd=self.folder)

    def calls(self, *of):
        """Of each of these functions, how many calls are in the trace."""
        lines = tap.fctrace_json(self.fctrace, "report", self.trace)
        return [sum(line["calls"] for line in lines if line["function"] == name) for name in of]

    def info(self):
        return tap.run([self.fctrace, "info", self.trace]).out.decode()

    def start(self, *command):
        """A program that tells by a line that it is at work."""
        proc = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if not proc.stdout.readline():
            raise Wrong("%s did not begin: %r" % (command, proc.stderr.read()))
        return proc

    def attach(self, pid, for_time="0.3s", options=()):
        return tap.run([self.fctrace, "record", *options, "-o", self.trace, "--for", for_time,
                        "-p", str(pid)], cwd=self.folder)


def same(bare, traced):
    """What is different of a program that is traced."""
    if (bare.status, bare.out) != (traced.status, traced.out):
        return "status %d, untraced %d; %s; said %s" % (
            traced.status, bare.status, tap.excerpt(bare.out, traced.out),
            traced.err.decode(errors="replace")[-800:])
    return None


# System calls that become SIGSYS


def dispatched(b):
    program = b.build("dispatched")
    if tap.run([program, "prctl", "1"]).out.startswith(b"refused"):
        raise Skip("the kernel has no syscall user dispatch")
    return program


def a_dispatch_that_is_set_later(b):
    program = dispatched(b)
    for how in ("prctl", "syscall"):
        wrong = same(tap.run([program, how, "100"]), b.record(program, how, "100"))
        if wrong:
            return how + ": " + wrong
        dig, leaf = b.calls("dig", "leaf")
        if dig < 40100 or leaf < 40000:
            return "%s: %d and %d calls are in the trace" % (how, dig, leaf)
    return None


def a_dispatch_that_is_refused(b):
    program = b.build("dispatched")
    traced = b.record(program, "refused", "100")
    lost = tap.fctrace_json(b.fctrace, "info", b.trace)["lost"]
    return same(tap.run([program, "refused", "100"]), traced) or \
        ("%d records were lost" % lost if lost else None)


def a_dispatch_while_attached(b):
    """Fast: its system calls are being dispatched as it is stopped."""
    program, rounds = dispatched(b), 20000 if b.is_long else 3000
    bare = tap.run([program, "prctl", str(rounds)])
    proc = b.start(program, "prctl", str(rounds), "200")
    for i in range(20 if b.is_long else 3):
        if proc.poll() is not None:
            break
        done = b.attach(proc.pid, "0.1s")
        if done.status:
            break
    out = b"ready\n" + proc.communicate()[0]
    if proc.returncode or out != bare.out:
        return "status %d: %r, untraced %r; said %r" % (proc.returncode, out, bare.out, done.err)
    if done.status or not b.calls("dig")[0]:
        return "not traced: %r" % done.err
    return None


def killed_while_dispatched(b):
    """fctrace dies while it puts itself into such a program: the dispatch is what it was."""
    program, rounds = dispatched(b), 3000
    bare = tap.run([program, "prctl", str(rounds)])
    for i in range(100 if b.is_long else 8):
        proc = b.start(program, "prctl", str(rounds))
        tracer = subprocess.Popen([b.fctrace, "record", "-o", b.trace, "-p", str(proc.pid)],
                                  stderr=subprocess.DEVNULL)
        time.sleep(0.01 + i % 20 * 0.004)
        tracer.kill()
        tracer.wait()
        out = b"ready\n" + proc.communicate()[0]
        if proc.returncode or out != bare.out:
            return "round %d: status %d: %r, untraced %r" % (i, proc.returncode, out, bare.out)
    return None


CASES = [
    ("a dispatch of system calls that is set later", a_dispatch_that_is_set_later),
    ("a dispatch of system calls that is refused", a_dispatch_that_is_refused),
    ("attached to, with a dispatch of system calls", a_dispatch_while_attached),
    ("fctrace is killed, with a dispatch of system calls", killed_while_dispatched),
]


def suite_of(suite):
    suite.run_all(CASES, Bench(suite), prefix="guests ")


if __name__ == "__main__":
    tap.main(suite_of)
