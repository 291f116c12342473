# SPDX-License-Identifier: Apache-2.0
"""start.py - what programs take longer from start to end: cold, and with their plan kept.

They are such as end at once: nothing of note happens in between.
"""
import os
import shutil
import statistics
import time

import goals
import jobs
import tap


class Start:
    """A program, and how much later it may be ready in ms: cold, with its plan kept."""

    def __init__(self, name, argv, most_cold, most_warm=None, libs="api"):
        self.name, self.argv, self.libs = name, argv, libs
        self.limits = [("", most_cold), (" with its plan kept", most_warm)]


STARTS = [
    Start("python3", ["/usr/bin/python3", "-c", "pass"], 150),
    Start("node", ["/usr/bin/node", "--version"], 400, 150),
    Start("clang", ["/usr/bin/clang", "--version"], None),
    Start("clang, all", ["/usr/bin/clang", "--version"], 1200, libs="all"),
]


def run_ms(argv, cache, is_cold):
    """How long one run takes; None if it fails."""
    if is_cold:
        shutil.rmtree(cache, ignore_errors=True)
        os.makedirs(cache, 0o700)
    begin = time.monotonic()
    done = tap.run(argv, env=dict(jobs.ENV, XDG_CACHE_HOME=cache), limit_s=300)
    return (time.monotonic() - begin) * 1e3 if done.status == 0 else None


def added_ms(start, fctrace, rounds, folder):
    """What is added cold and warm, with the row of it printed; None if a run fails."""
    trace, cache = os.path.join(folder, "start.data"), os.path.join(folder, "start.cache")
    record = [fctrace, "record", "-o", trace, "--libs=" + start.libs, *start.argv]
    runs = [(run_ms(start.argv, cache, False), run_ms(record, cache, True),
             run_ms(record, cache, False)) for _ in range(rounds)]
    if any(None in run for run in runs):
        return None
    bare, cold, warm = (statistics.median(column) for column in zip(*runs))
    info = tap.fctrace_json(fctrace, "info", trace)
    print("%-15s%10.1f%13.1f%13.1f%12d" % (start.name, bare, cold - bare, warm - bare,
                                           info["hooked"] + info["entry_only"]))
    return cold - bare, warm - bare


def table(fctrace, rounds, folder):
    print("%-15s%10s%13s%13s%12s" % ("start, ms", "bare", "added, cold", "added, warm",
                                     "functions"))
    found = []
    for start in STARTS:
        if not os.path.exists(start.argv[0]):
            print("%-15s is not installed" % start.name)
            continue
        added = added_ms(start, fctrace, rounds, folder)
        if not added:
            found.append(goals.Goal(start.name + " starts when traced", "no", False))
            continue
        found += [goals.at_most("%s: starts at most %d ms later%s" % (start.name, most, when),
                                ms, most, "%.1f ms")
                  for (when, most), ms in zip(start.limits, added) if most]
    print()
    return found
