#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that look at return addresses see the true ones: their own, their callers', and those
that compilers have functions tell of (gcc -pg, -finstrument-functions).
"""
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import bench  # noqa: E402
import tap  # noqa: E402

MODES = [[], ["-a"], ["--libs=none"], ["--libs=all"]]


class Bench(bench.Bench):
    flags = ["-g", "-rdynamic", "-ldl"]

    def listed(self, program):
        return self.must("list", program)[0]


def looks(compiler, level):
    """What is not recorded whole for it is said, and the rest is."""
    def check(bench):
        tap.need(compiler)
        program = bench.build("looks.c", level, "-fno-omit-frame-pointer",
                              "-fno-optimize-sibling-calls", compiler=compiler)
        for mode in MODES:
            got = bench.record(program, "50", options=mode)
            if got.status or got.out != b"begun\nwrong 0\n":
                return "%s: %d %s%s" % (mode, got.status, got.out, got.err)
        calls = bench.calls()
        for name in "own", "late", "callers", "walk", "inner", "outer":
            if calls.get(name) != 50:
                return "%s: %s calls" % (name, calls.get(name))
        listed = bench.listed(program)
        for name, why in (("own", "looks at its return address"),
                          ("late", "looks at its return address"),
                          ("callers", "looks at the return addresses of its callers"),
                          ("walk", "looks at the return addresses of its callers")):
            if not re.search(r"entry only +\d+  %s: %s\n" % (name, why), listed):
                return "list: " + listed
        if not re.search(r"hooked \w+ +\d+  outer\n", listed):
            return "list: " + listed
    return check


def attached(bench):
    """Several times, and detached from in between."""
    program = bench.build("looks.c", "-O1", "-fno-omit-frame-pointer",
                          "-fno-optimize-sibling-calls")
    with subprocess.Popen([program, "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as target:
        target.stdout.readline()
        for mode in MODES:
            got = bench.record("--for=50ms", "-p", str(target.pid), options=mode)
            if got.status:
                target.kill()
                return "%s: %s" % (mode, got.err)
            time.sleep(0.01)
        out, _ = target.communicate()
    if out != "wrong 0\n":
        return out


def told(level):
    def check(bench):
        program = bench.build("told.c", level, "-finstrument-functions")
        expected, _ = tap.texts_of([program])
        for mode in MODES:
            got = bench.record(program, options=mode)
            if got.status or got.out.decode() != expected:
                return "%s: %s%s for %s" % (mode, got.out, got.err, expected)
        listed = bench.listed(program)
        for name in "leaf", "branch":
            if not re.search(r"hooked \w+ +\d+  %s\n" % name, listed):
                return "list: " + listed
    return check


def arcs_of(bench, program):
    text = tap.texts_of(["gprof", "-b", "-q", program, bench.path("gmon.out")])[0]
    return [" ".join(line.split()[-3:]) for line in text.splitlines()
            if re.search(r"\b(left|right|leaf)\b", line)]


def arcs(*flags):
    def check(bench):
        tap.need("gprof")
        program = bench.build("arcs.c", "-O1", "-pg", *flags)
        subprocess.run([program], cwd=bench.folder, check=True)
        expected = arcs_of(bench, program)
        if not any("30/" in line or "80/" in line for line in expected):
            return "without fctrace: %s" % expected
        for mode in MODES:
            os.unlink(bench.path("gmon.out"))
            got = bench.record(program, options=mode)
            if got.status or arcs_of(bench, program) != expected:
                return "%s: %s for %s" % (mode, arcs_of(bench, program), expected)
    return check


def suite_of(suite):
    suite.run_all([("%s %s" % (compiler, level), looks(compiler, level))
                   for compiler in ("gcc", "clang") for level in ("-O0", "-O1", "-O2", "-O3")] +
                  [attached] +
                  [("-finstrument-functions " + level, told(level)) for level in ("-O0", "-O2")] +
                  [("-pg", arcs()), ("-pg -mfentry", arcs("-mfentry"))],
                  Bench(suite), prefix="callers ")


if __name__ == "__main__":
    tap.main(suite_of)
