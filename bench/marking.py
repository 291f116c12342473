# SPDX-License-Identifier: Apache-2.0
"""marking.py - marks (include/fctrace.h): what they cost a program that is not traced, and one that is."""
import os
import subprocess

import goals
import tap
import valued
from measured import show

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_OFF_NS, MOST_MORE_NS = 1, 20


def build(folder, name, *flags):
    path = os.path.join(folder, name)
    subprocess.run(["gcc", "-O2", *flags, "-I", os.path.join(tap.TOP, "include"), "-o", path,
                    os.path.join(HERE, "marks.c")], check=True)
    return path


def table(fctrace, rounds, folder):
    unmarked, marked = build(folder, "unmarked", "-DUNMARKED"), build(folder, "marked")
    record = [fctrace, "record", "-q", "--no-functions", "-U", "fctrace:*", "-o", os.path.join(folder, "marked.data")]
    floor_ns = valued.medians({"clocks": [unmarked]}, "clocks", folder, rounds)["clocks"]
    print("%-12s%10s%10s%10s" % ("ns a mark", "unmarked", "off", "on"))
    found = []
    for what in "plain", "ints", "text":
        off = valued.medians({"unmarked": [unmarked, "long"], "off": [marked, "long"]}, what, folder, rounds)
        ns = valued.medians({"on": [*record, marked]}, what, folder, rounds)
        print("%-12s%10s%10s%10s" % (what, *map(show, (off["unmarked"], off["off"], ns["on"]))))
        if off["off"] and off["unmarked"] and what != "text":
            found.append(goals.at_most("mark %s: off at most %d ns" % (what, MOST_OFF_NS), off["off"] - off["unmarked"],
                                       MOST_OFF_NS, "%.2f ns"))
        if what == "ints":
            more = ns["on"] - off["unmarked"] - floor_ns if ns["on"] and off["unmarked"] and floor_ns else None
            found.append(goals.at_most("mark with two integers: at most %d ns more than two rdtsc" % MOST_MORE_NS, more,
                                       MOST_MORE_NS, "%.1f ns"))
    print("%-12s%10s\n" % ("two rdtsc", show(floor_ns)))
    return found
