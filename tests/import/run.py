#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What uftrace recorded is the same in fctrace: calls, total and self as `uftrace report` has them,
and the tree of `uftrace replay`.

  tests/import/run.py --fctrace build/fctrace [--only NAME]

Calls that were left (by longjmp, by exec) are not in uftrace's report, and what a child inherited is
called once more there: those cases say so.
"""
import argparse
import collections
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402

UNITS = {"us": 1000, "ms": 1000 ** 2, "s": 1000 ** 3, "m": 60 * 1000 ** 3}
ROW = re.compile(r"^\s*([\d.]+) (us|ms|s|m)\s+([\d.]+) (us|ms|s|m)\s+(\d+)\s+(\S.*)$")


class Sum:
    def __init__(self, calls=0, total=0, self_=0, total_slack=0, self_slack=0):
        self.calls, self.total, self.self = calls, total, self_
        self.total_slack, self.self_slack = total_slack, self_slack

    def agrees(self, other):
        return (self.calls == other.calls and
                abs(self.total - other.total) <= self.total_slack + other.total_slack and
                abs(self.self - other.self) <= self.self_slack + other.self_slack)

    def __repr__(self):
        return "%d calls, %d ns total, %d ns self" % (self.calls, self.total, self.self)


def time_of(number, unit):
    """Nanoseconds, and by how much the text may be off: the last of its three digits."""
    ns = float(number) * UNITS[unit]
    return round(ns), (0 if unit == "us" else UNITS[unit] / 1000)


def report_of_uftrace(data, *args):
    done = tap.run(["uftrace", "report", "-d", data, "--demangle=no", "--no-pager",
                    "-f", "total,self,call", *args])
    sums = {}
    for line in done.out.decode().splitlines():
        row = ROW.match(line)
        if row:
            total, total_slack = time_of(*row.group(1, 2))
            self_, self_slack = time_of(*row.group(3, 4))
            sums[row.group(6)] = Sum(int(row.group(5)), total, self_, total_slack, self_slack)
    return sums


def report_of_fctrace(fctrace, trace):
    sums = collections.defaultdict(Sum)
    for row in tap.fctrace_json(fctrace, "report", "--demangle=no", trace):
        of = sums[row["function"]]
        of.calls += row["calls"]
        of.total += row["total_ns"]
        of.self += row["self_ns"]
    return dict(sums)


def differences(uftrace, fctrace):
    return ["%s: uftrace %s, fctrace %s" % (f, uftrace.get(f), fctrace.get(f))
            for f in sorted(uftrace.keys() | fctrace.keys())
            if not (f in uftrace and f in fctrace and uftrace[f].agrees(fctrace[f]))]


class Bench:
    """A folder with the programs, what was recorded of them, and fctrace."""

    def __init__(self, suite, fctrace, folder):
        self.suite, self.fctrace, self.folder = suite, os.path.abspath(fctrace), folder
        self.data = os.path.join(folder, "u.data")
        self.trace = os.path.join(folder, "f.data")

    def build(self, source, *flags):
        program = os.path.join(self.folder, "program")
        subprocess.run(["g++" if source.endswith(".cc") else "gcc", "-g", "-pthread", *flags,
                        "-o", program, os.path.join(HERE, "programs", source)], check=True)
        return program

    def record(self, options, program, *args):
        shutil.rmtree(self.data, ignore_errors=True)
        done = tap.run(["uftrace", "record", "-d", self.data, *options, program, *args],
                       cwd=self.folder)
        if not os.path.exists(os.path.join(self.data, "info")):
            raise RuntimeError("uftrace record: status %d: %s" % (done.status, done.err.decode()))

    def run_import(self, data=None, trace=None, limit_s=tap.TIME_LIMIT_S):
        return tap.run([self.fctrace, "import", "-o", trace or self.trace, data or self.data],
                       limit_s=limit_s)

    def imported(self):
        done = self.run_import()
        if done.status != 0:
            raise RuntimeError("import: status %d: %s" % (done.status, done.err.decode()))
        return done.err.decode()

    def reports(self, *args):
        self.imported()
        return report_of_uftrace(self.data, *args), report_of_fctrace(self.fctrace, self.trace)


SAME = [
    # name, source, flags of the compiler, options of uftrace, words of the program
    ("-pg, threads that wait", "calls.c", ["-pg"], []),
    ("-finstrument-functions", "calls.c", ["-finstrument-functions"], []),
    ("-P . on what was built for nothing", "calls.c", ["-O1"], ["-P", "."]),
    ("calls of libraries within libraries", "calls.c", ["-pg"], ["--nest-libcall"]),
    ("no calls of libraries", "calls.c", ["-pg"], ["--no-libcall"]),
    ("a time filter", "calls.c", ["-pg"], ["-t", "2us"]),
    ("a depth", "calls.c", ["-pg"], ["-D", "3"]),
    ("a function's subtree", "calls.c", ["-pg"], ["-F", "work"]),
    ("all but a function", "calls.c", ["-pg"], ["-N", "fib"]),
    ("arguments and results", "calls.c", ["-pg"],
     ["-A", "fib@arg1/i32", "-R", "fib@retval", "-A", "greet@arg1/s", "-R", "greet@retval/s",
      "-A", "leaf@arg1"]),
    ("automatic arguments", "calls.c", ["-pg"], ["-a"]),
    ("values read at calls", "calls.c", ["-pg"], ["-T", "greet@read=proc/statm"]),
    ("exceptions", "throws.cc", ["-pg"], []),
    ("exceptions, automatic arguments", "throws.cc", ["-pg"], ["-a", "--nest-libcall"]),
]


def check_same(bench):
    for name, source, flags, options in SAME:
        name = "import has uftrace's sums: " + name
        if not bench.suite.wants(name):
            continue
        bench.record(options, bench.build(source, *flags))
        uftrace, fctrace = bench.reports()
        why = "\n".join(differences(uftrace, fctrace)) or (
            "" if len(uftrace) > 2 else "uftrace reports next to nothing: %s" % uftrace)
        bench.suite.case(name, why)


def check_forks(bench):
    """A child of inner() that returns through inner, outer and main; one that ends in inner. uftrace
    counts what each inherited as called once more. Of what does not return it has no name: <0>."""
    name = "import has uftrace's sums: forks, but for what a child inherited"
    if not bench.suite.wants(name):
        return
    # With perf's events uftrace's report mistakes the stack that a child inherits.
    bench.record(["--no-event"], bench.build("forks.c", "-pg"))
    uftrace, fctrace = bench.reports()
    for function, times in (("main", 1), ("outer", 1), ("inner", 1), ("fork", 2)):
        uftrace[function].calls -= times
    uftrace.pop("<0>", None)
    wrong = []
    for function in sorted(uftrace.keys() | fctrace.keys()):
        if function not in uftrace or function not in fctrace:
            wrong.append("%s is in one of them only" % function)
        elif uftrace[function].calls != fctrace[function].calls:
            wrong.append("%s: uftrace %s, fctrace %s" % (
                function, uftrace[function], fctrace[function]))
    for function in ("leaf", "waitpid", "_exit"):
        if function in uftrace and not uftrace[function].agrees(fctrace[function]):
            wrong.append("%s: uftrace %s, fctrace %s" % (
                function, uftrace[function], fctrace[function]))
    bench.suite.case(name, "\n".join(wrong))

    replay = tap.run([bench.fctrace, "replay", bench.trace]).out.decode()
    found = [re.findall(r"\[ *%s\] \|\s+(\w+)\(.*inherited" % child, replay)
             for child in re.findall(r"(\d+) was forked", replay)]
    stacks = [["main", "outer", "inner", "fork"]] * 2
    bench.suite.case("a child begins with the calls that its parent had open",
                     "" if found == stacks else "%s\n%s" % (found, replay))


def check_jumps(bench):
    """What longjmp() leaves is not in uftrace's report, but its time is told as that of a second call of
    setjmp; nor is what exec leaves."""
    name = "import has uftrace's sums: longjmp and exec, but for calls that were left"
    if not bench.suite.wants(name):
        return
    program = bench.build("jumps.c", "-pg")
    bench.record(["--no-event"], program, "again")
    uftrace, fctrace = bench.reports()
    wrong = []
    for function, calls in (("deep", 10), ("longjmp", 2), ("execl", 1)):
        if function in uftrace or fctrace.pop(function, Sum()).calls != calls:
            wrong.append("%s: uftrace %s, fctrace has not %d" % (
                function, uftrace.get(function), calls))
    for function, more in (("_setjmp", 2), ("main", -1)):
        if uftrace.pop(function).calls - fctrace.pop(function).calls != more:
            wrong.append("%s: not %d calls more in uftrace" % (function, more))
    bench.suite.case(name, "\n".join(wrong + differences(uftrace, fctrace)))

    replay = tap.run([bench.fctrace, "replay", bench.trace]).out.decode()
    left = len(re.findall(r"\bdeep.*left", replay))
    bench.suite.case("calls that longjmp leaves are told as left",
                     "" if left == 10 else "%d of 10\n%s" % (left, replay))


def tree_of(text):
    """(depth, name) of each call as it begins, in replay's output of either."""
    tree = []
    for line in text.splitlines():
        entry = re.match(r"^[^|]*\| ( *)([^ /}][^(]*)\(", line)
        if entry:
            tree.append((len(entry.group(1)) // 2, entry.group(2)))
    return tree


def check_replay(bench):
    for source, flags in (("throws.cc", ["-pg"]), ("calls.c", ["-finstrument-functions"])):
        name = "replay shows uftrace's tree: " + source
        if not bench.suite.wants(name):
            continue
        bench.record(["--no-event"], bench.build(source, *flags))
        bench.imported()
        tids = sorted(int(f[:-4]) for f in os.listdir(bench.data) if re.match(r"\d+\.dat$", f))
        wrong = []
        for tid in map(str, tids):
            ours = tap.run([bench.fctrace, "replay", "--demangle=no", "--tid", tid, bench.trace])
            theirs = tap.run(["uftrace", "replay", "--no-pager", "--demangle=no", "-d", bench.data,
                              "--tid", tid])
            ours, theirs = tree_of(ours.out.decode()), tree_of(theirs.out.decode())
            if ours != theirs or not ours:
                wrong.append("thread %s:\n%s" % (tid, tap.excerpt(
                    "\n".join(map(str, theirs)), "\n".join(map(str, ours)))))
        bench.suite.case(name, "\n".join(wrong))


def check_commands(bench):
    """Every command that reads a trace reads this one, and none finds anything wrong with it."""
    bench.record([], bench.build("calls.c", "-pg"))
    bench.imported()
    for args in (["replay"], ["report"], ["graph"], ["graph", "--from=fib"], ["info"],
                 ["export", "-f", "jsonl"], ["query"], ["diff"]):
        name = "fctrace reads an import: " + " ".join(args)
        if not bench.suite.wants(name):
            continue
        more = {"query": ["select count(*) from calls"], "diff": [bench.trace]}.get(args[0], [])
        done = tap.run([bench.fctrace, *args, bench.trace, *more])
        bench.suite.case(name, "" if done.status == 0 and done.out and not done.err else
                         "status %d: %s" % (done.status, done.err.decode()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fctrace", required=True)
    parser.add_argument("--only")
    args = parser.parse_args()
    suite = tap.Suite(args.only)
    with tempfile.TemporaryDirectory(prefix="fctrace-import-") as folder:
        bench = Bench(suite, args.fctrace, folder)
        for check in (check_same, check_forks, check_jumps, check_replay, check_commands):
            check(bench)
    suite.end()


if __name__ == "__main__":
    main()
