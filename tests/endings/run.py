#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace ends when what it was asked to run has ended, with its status: never earlier, and
always. One SIGINT or SIGTERM lets go.

  tests/endings/run.py --fctrace build/fctrace [--long] [--only NAME] [--keep DIR]
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
FLAGS = ["-O1", "-Wall", "-Wextra", "-pthread"]


class Bench:
    def __init__(self, fctrace, folder, is_long):
        self.fctrace, self.folder, self.is_long = fctrace, folder, is_long
        self.trace = os.path.join(folder, "trace.data")

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self):
        for name in sorted(os.listdir(PROGRAMS)):
            base = os.path.splitext(name)[0]
            subprocess.run(["gcc", *FLAGS, "-o", self.path(base),
                            os.path.join(PROGRAMS, name), "-ldl"], check=True)

    def record(self, *argv, options=()):
        return tap.run([self.fctrace, "record", *options, "-o", self.trace, *argv])

    def calls(self, function):
        lines = tap.fctrace_json(self.fctrace, "report", self.trace)
        return sum(line["calls"] for line in lines if line["function"] == function)


# ---- targets that use ptrace themselves

WORK = 177  # calls that work(10) makes
# What it says where it would not end without fctrace: its parent would have to know of it.
THREADS = """once: 0
twice: -1 with an error
a thread once: 0
a thread twice: -1 with an error
written: 1
"""
# How a program uses ptrace, and how many of its calls must be in the trace.
TRACING = {
    "me": WORK, "me-by-syscall": 0, "me-by-instruction": WORK, "me-and-threads": 0,
    "by-child": 0, "seized-by-child": 0, "by-child-again": 0, "by-child-to-the-end": 0,
    "by-child-then-me": 0, "own-child": 0, "siblings": 0, "itself": 0,
}
KNOWN = {"me-and-threads": (8, THREADS.encode())}


def uses_ptrace(b, way, below):
    """below: a shell is its parent, and traced, too."""
    argv = [b.path("tracing"), way]
    want = KNOWN.get(way)
    if not want:
        bare = tap.run(argv)
        want = bare.status, bare.out
    shell = ["/bin/sh", "-c", '"$0" "$1"; exit $?'] if below else []
    done = b.record(*shell, *argv)
    if done.is_late:
        return "does not end"
    if (done.status, done.out) != want:
        return "status %d, untraced %d; %s\n%s" % (done.status, want[0], tap.excerpt(
            want[1], done.out), done.err.decode(errors="replace"))
    if not below and b.calls("work") < TRACING[way]:
        return "%d calls of work() are in the trace" % b.calls("work")
    return None


def cases_of_tracing(b, suite):
    for way in TRACING:
        for below in (False, True):
            name = "endings ptrace %s%s" % (way, " below a shell" if below else "")
            # A shell does not know of threads that it is to trace: bare, too, it waits for ever.
            if (below and way in KNOWN) or not suite.wants(name):
                continue
            suite.case(name, uses_ptrace(b, way, below))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--fctrace", required=True)
    options.add_argument("--long", action="store_true")
    options.add_argument("--only", help="cases whose name contains this")
    options.add_argument("--keep", help="work in this folder and leave it")
    args = options.parse_args()
    suite = tap.Suite(args.only)
    folder = args.keep or tempfile.mkdtemp(prefix="fctrace-endings-")
    try:
        os.makedirs(folder, exist_ok=True)
        bench = Bench(os.path.abspath(args.fctrace), folder, args.long)
        bench.build()
        cases_of_tracing(bench, suite)
    finally:
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)
    suite.end()


if __name__ == "__main__":
    main()
