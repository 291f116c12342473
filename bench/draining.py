# SPDX-License-Identifier: Apache-2.0
"""draining.py - what the thread that empties the rings spends on a record: bench/drain.c."""
import os
import re

import columns
import goals
import tap
import worker as workers

ROWS = ["fib", "python3", "sqlite3"]
SECONDS = 0.5
GOAL = "drain: a core takes 150 M records of %s a second"
# What drain.c tells: 12 figures, the parts at the end.
NR_FIGURES = 12


def drained(fctrace, drain, row, folder):
    """Figures of a trace of this row; None if there are none."""
    full = columns.Traced("full", folder, fctrace)
    try:
        full.run(row, SECONDS)
    except workers.Trouble:
        return None
    done = tap.run([drain, full.trace, os.path.join(folder, "drained.data")])
    told = [float(n) for n in re.findall(r"\d+\.\d+", done.out.decode())]
    return told if done.status == 0 and len(told) == NR_FIGURES else None


def table(fctrace, rows, folder):
    drain = os.path.join(os.path.dirname(fctrace), "bench", "drain")
    if not os.access(drain, os.X_OK):
        return [goals.Goal(GOAL % "any program", "-", None)]
    print("%-15s%10s%10s%10s%10s%10s%22s%18s" % (
        "ns a record", "take", "encode", "compress", "write", "all", "M records a second",
        "bytes a record"))
    found = []
    for row in (row for row in rows if row.name in ROWS):
        told = drained(fctrace, drain, row, folder)
        if not told:
            found.append(goals.Goal(GOAL % row.name, "failed", False))
            continue
        of_all, millions, _, _, _, _, _, size, *parts = told
        print("%-15s%10.2f%10.2f%10.2f%10.2f%10.2f%22.0f%18.3f" % (
            row.label, *parts, of_all, millions, size))
        found.append(goals.Goal(GOAL % row.name, "%.0f M" % millions, millions >= 150))
    print()
    return found
