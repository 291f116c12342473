#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Formats that hold sums take a bounded amount of memory and disk, whatever the trace holds.

What there is no room for is summed and said: the sums stay those of report.
"""
import collections
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
from bench import Bench  # noqa: E402

LIMIT_MB = 200  # of memory
LEVELS = 1000


def export(b, trace, form, path, *args):
    """What it says; the memory it took, in MB."""
    with open(path + ".err", "w+b") as err:
        proc = subprocess.Popen([b.fctrace, "export", "-f", form, "-o", path, *args, trace],
                                stderr=err)
        status, usage = os.wait4(proc.pid, 0)[1:]
        proc.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        said = err.read().decode()
    if proc.returncode:
        raise RuntimeError("status %d: %s" % (proc.returncode, said))
    return said, usage.ru_maxrss / 1024


def calls_of_folded(path):
    calls = collections.Counter()
    with open(path) as f:
        for line in f:
            stack, weight = line.rsplit(" ", 1)
            calls[stack.rsplit(";", 1)[1]] += int(weight)
    return calls


def is_bounded(b, trace, path, form, limit_file_mb, has_other, *args):
    said, mb = export(b, trace, form, path, *args)
    file_mb = os.path.getsize(path) >> 20
    if mb > LIMIT_MB or file_mb > limit_file_mb:
        return "%d MB of memory, a file of %d MB" % (mb, file_mb)
    if (" calls on others are summed by function" in said) != has_other:
        return "it says %r" % said
    return None


def folded(b, trace, path, *limits):
    why = is_bounded(b, trace, path, "folded", *limits, "--by-calls")
    got, wanted = calls_of_folded(path), b.calls(trace)
    return why or (None if got == wanted else "%s\n%s" % (dict(got), dict(wanted)))


def flamegraph(b, trace, path, *limits):
    why = is_bounded(b, trace, path, "flamegraph", *limits, "--by-calls")
    root = ET.parse(path).getroot()
    frames = [g for g in root.iter("{http://www.w3.org/2000/svg}g") if g.get("class") == "f"]
    levels = 1 + max(int(g.get("data-f").split()[2]) for g in frames)
    wanted = sum(b.calls(trace).values())
    if int(root.get("data-calls")) != wanted:
        why = why or "%s calls, report has %d" % (root.get("data-calls"), wanted)
    if len(frames) > 25000 or levels > LEVELS + 4:
        why = why or "%d frames, %d levels" % (len(frames), levels)
    return why


def deep_is_named(path):
    """What is too deep is a part of where it is, by function."""
    with open(path) as f:
        lines = [line for line in f if ";[deeper];" in line]
    if len(lines) != 1 or not lines[0].startswith("paths;") or ";down;[deeper];down " not in lines[0]:
        return "%d lines of what is deeper: %s" % (len(lines), lines[:1])
    return None


def suite_of(suite):
    b = Bench(suite)
    program, path = b.build("paths.c", "-fno-optimize-sibling-calls", out="paths"), b.path("out")
    traces = {}
    for kind, nr in (("tree", 21), ("deep", 100000)):
        traces[kind] = b.trace_of(program, kind, str(nr), options=["--libs=none"], to=kind + ".data",
                                  limit_s=120)
    for form in (folded, flamegraph):
        suite.run("bounded %s: 4 million stacks" % form.__name__,
                  form, b, traces["tree"], path, 300, True)
        suite.run("bounded %s: a stack 100 000 deep" % form.__name__,
                  form, b, traces["deep"], path, 8, False)
        if form is folded:
            suite.run("bounded folded: what is too deep is said where it is", deep_is_named, path)
    for form in ("callgrind", "dot"):
        for kind in traces:
            suite.run("bounded %s: %s" % (form, kind),
                      is_bounded, b, traces[kind], path, form, 1, False)
    for kind in traces:
        suite.run("bounded html: %s" % kind,
                  is_bounded, b, traces[kind], path, "html", 4, False)


if __name__ == "__main__":
    tap.main(suite_of)
