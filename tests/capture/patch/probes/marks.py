#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Marks (include/fctrace.h): each is seen with its values, by all compilers, without being asked for; a program that is
not traced knows nothing of them; other tools find them; and the flight recorder writes what it has where one says so.
"""
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../..", folder) for folder in ("", "show/export", "show/export/readers")]
import bench  # noqa: E402
import perfetto  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

LINE = re.compile(r"\| +(fctrace\w*:\w+)\((.*)\);")
COMPILERS = [["gcc", "-std=gnu11"], ["gcc", "-std=c99", "-pedantic-errors"], ["clang", "-std=gnu11"],
             ["clang", "-std=gnu99", "-Wno-unused-command-line-argument"], ["g++"], ["clang++", "-std=c++11"]]


class Bench(bench.Bench):
    flags = ["-g", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(tap.TOP, "include")]

    def marks(self, trace=None):
        return ["%s(%s)" % found for found in LINE.findall(self.must("replay", trace or self.trace)[0])]


def marks_of(program):
    marks = ["fctrace_begin:all(1)"]
    for i in range(3):
        marks += ['fctrace:begin(%d, "text", %s, NULL, 1, %d)' % (i, ("0", "0.5", "1")[i], i),
                  'fctrace:buf("buffer", %d, 3.5, 10)' % -i, "fctrace_counter:queue(%d)" % (2 * i)]
    return marks + ["fctrace_end:all()", 'fctrace:eight(1, 2, -3, 4, "five", 6.5, 0x7, "%s")' % program, "fctrace_dump:late()"]


def seen(compiler, *flags):
    def check(bench):
        tap.need(compiler)
        program = bench.build("marked.cc" if "++" in compiler else "marked.c", *flags, compiler=compiler)
        bare = tap.run([program])
        for mode in [], ["-a"], ["--libs=none"], ["--libs=all"], ["--no-functions", "-U", "fctrace*"]:
            done = bench.record(program, options=["-q", "--string-size=500", *mode])
            if (done.status, done.out, done.err) != (bare.status, bare.out, bare.err):
                return "%s: %d %s%s" % (mode, done.status, done.out, done.err)
            expect(bench.marks(), marks_of(program))
    return check


def without_values_asked_for(bench):
    """What marks are given is shown, values of functions are not."""
    program = bench.build("marked.c", "-O1")
    bench.must("record", "-q", "--libs=none", "-o", bench.trace, program, status=3)
    tree = bench.must("replay", bench.trace)[0]
    expect([line for line in tree.splitlines() if re.search(r"\bwork\([^)]", line)], [])


def chosen_by_name(bench):
    program = bench.build("marked.c", "-O1")
    bench.must("record", "-q", "-o", bench.trace, program, status=3)
    tree = bench.must("replay", "-F", "fctrace_counter:*", bench.trace)[0]
    expect([name for name, _ in LINE.findall(tree)], ["fctrace_counter:queue"] * 3)
    tree = bench.must("replay", "-N", "fctrace*:*", bench.trace)[0]
    expect(LINE.findall(tree), [])
    calls = bench.calls()
    expect([calls[name] for name in ("fctrace:begin", "fctrace_begin:all", "fctrace:eight")], [3, 1, 1])


def none_where_nothing_is_traced(bench):
    """Not of files whose functions are not traced, unless they are asked for; nor where calls are only counted."""
    program = bench.build("marked.c", "-O1")
    for mode in ["-m", "libc.so*"], ["--libs=none", "-m", "nothing"]:
        bench.must("record", "-q", *mode, "-o", bench.trace, program, status=3)
        expect(bench.marks(), [])
    out, _ = bench.must("-c", "--no-time", program, status=3)
    expect([line for line in out.splitlines() if "fctrace" in line.split("/")[-1]], [])


def dumps(bench):
    program = bench.build("marked.c", "-O1")
    for old in glob.glob(bench.trace + "*"):
        os.unlink(old)
    _, err = bench.must("record", "--loss=ring", "-o", bench.trace, program, status=3)
    if "fctrace_dump:late() was called" not in err:
        return err
    expect(bench.marks()[-1:], ["fctrace_dump:late()"])


def turned_off_and_on(bench):
    """Of each thread what it wants to be seen, all of it, and nothing else."""
    program = bench.build("turned.c", "-O1", "-pthread")
    for mode in ["--libs=none"], [], ["-a"], ["--libs=all"], ["--ring=64K"], ["-F", "work", "-F", "other"], ["--budget=90%"]:
        out, _ = bench.must("record", "-q", *mode, "-o", bench.trace, program)
        expect(out, "done\n")
        calls = bench.calls()
        if mode != ["--budget=90%"]:
            expect([calls[name] for name in ("seen", "goes_off", "other", "fctrace_off:thread")], [13000, 4, 1, 4])
        expect([calls[name] for name in ("unseen", "comes_on", "on_signal")], [0, 0, 0])
    bench.must("record", "-q", "--no-functions", "-U", "fctrace:*", "-o", bench.trace, program)  # and they are not heeded
    expect(bench.marks(), [])


def turned_from_outside(bench):
    """fctrace ctl off and on go beside: what the program has turned off stays so."""
    program = bench.build("turned.c", "-O1", "-pthread")
    bench.must("record", "-q", "--off", "-o", bench.trace, program)
    expect(sum(bench.calls().values()), 0)


def exported(bench):
    """As what viewers of the Trace Event Format have: spans, counters, instants with their values."""
    program = bench.build("marked.c", "-O1")
    bench.must("record", "-q", "--no-functions", "-U", "fctrace*", "-o", bench.trace, program, status=3)
    bench.must("export", "-f", "chrome", "-o", bench.path("marks.json"), bench.trace)
    with open(bench.path("marks.json"), encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    spans = [(e["ph"], e["name"], e["args"]) for e in events if e["ph"] in "be"]
    expect(spans, [("b", "all", {"values": "1"}), ("e", "all", {})])
    expect(len({e["id"] for e in events if e["ph"] in "be"}), 1)
    expect([e["args"]["value"] for e in events if e["ph"] == "C"], [0, 2, 4])
    expect([e["args"]["args"].split(",")[0] for e in events if e["name"] == "values"], ["0", '"buffer"', "1", '"buffer"', "2", '"buffer"', "1"])


def in_perfettos_own_format(bench):
    """Each name has a track: spans below their thread, counters below their process."""
    tap.need("protoc")
    program = bench.build("marked.c", "-O1")
    bench.must("record", "-q", "--no-functions", "-U", "fctrace*", "-o", bench.trace, program, status=3)
    bench.must("export", "-o", bench.path("marks.pftrace"), bench.trace)
    trace = list(perfetto.packets(bench.path("marks.pftrace")))
    tracks = {track["uuid"][0]: track for packet in trace for track in packet["track_descriptor"]}
    events = [event for packet in trace for event in packet["track_event"]]
    told = {name: [(event["type"][0], *event["counter_value"]) for event in events
                   if tracks[event["track_uuid"][0]]["name"] == [name]] for name in ("all", "queue")}
    expect(told, {"all": [("TYPE_SLICE_BEGIN",), ("TYPE_SLICE_END",)], "queue": [("TYPE_COUNTER", str(n)) for n in (0, 2, 4)]})
    kind_of_parent = {track["name"][0]: [kind for kind in ("process", "thread") if tracks[track["parent_uuid"][0]][kind]]
                      for track in tracks.values() if track["name"] and track["parent_uuid"]}
    expect(kind_of_parent, {"all": ["thread"], "queue": ["process"]})


def gdb_finds_them(bench):
    tap.need("gdb")
    program = bench.build("marked.c", "-O1")
    out = tap.texts_of(["gdb", "-nx", "-batch", "-ex", "info probes stap fctrace.*", program])[0]
    found = sorted(re.findall(r"^stap +(fctrace\w*) +(\w+)", out, re.M))
    expect(found, sorted([("fctrace", "begin"), ("fctrace", "buf"), ("fctrace", "eight"), ("fctrace_begin", "all"),
                          ("fctrace_counter", "queue"), ("fctrace_dump", "late"), ("fctrace_end", "all")]))


def suite_of(suite):
    kinds = [(compiler, flags) for compiler in COMPILERS for flags in (["-O0"], ["-O2"], ["-O2", "-static"], ["-O3", "-no-pie"])]
    kinds = [kind for kind in kinds if suite.has_turn("marks %s" % (kind,), 3)]
    suite.run_all([(" ".join([*compiler, *flags]), seen(compiler[0], *compiler[1:], *flags)) for compiler, flags in kinds] +
                  [without_values_asked_for, chosen_by_name, none_where_nothing_is_traced, dumps, turned_off_and_on, turned_from_outside, exported, in_perfettos_own_format, gdb_finds_them],
                  Bench(suite), prefix="marks ")


if __name__ == "__main__":
    tap.main(suite_of)
