# SPDX-License-Identifier: Apache-2.0
"""births.py - threads, signals and forks pass ptrace: what each costs more than untraced."""
import os
import statistics
import subprocess

import goals
import worker
from measured import show

HERE = os.path.dirname(os.path.abspath(__file__))
# What, and the most us that it may cost more.
KINDS = [("threads", 200), ("signals", 30), ("forks", None)]


def build(folder):
    path = os.path.join(folder, "births")
    subprocess.run(["gcc", "-O2", "-g", "-pthread", "-o", path, os.path.join(HERE, "births.c")],
                   check=True)
    return path


def us_each(argv, folder):
    """us for each of what the program makes; None if it fails."""
    made = worker.once(argv, folder)
    return made and made[1] / made[0] / 1e3


def table(fctrace, rounds, folder):
    program = build(folder)
    record = [fctrace, "record", "-o", os.path.join(folder, "births.data"), program]
    print("%-15s%10s%10s%10s" % ("us each", "bare", "full", "added"))
    found = []
    for what, limit_us in KINDS:
        pairs = [(us_each([program, what], folder), us_each([*record, what], folder))
                 for _ in range(rounds)]
        if any(None in pair for pair in pairs):
            found.append(goals.Goal(what + " work when traced", "no", False))
            continue
        bare, traced = (statistics.median(column) for column in zip(*pairs))
        print("%-15s%10s%10s%10s" % (what, show(bare), show(traced), show(traced - bare)))
        if limit_us:
            found.append(goals.at_most("%s: cost at most %d us more" % (what, limit_us),
                                       traced - bare, limit_us, "%.1f us"))
    print()
    return found
