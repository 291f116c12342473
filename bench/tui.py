# SPDX-License-Identifier: Apache-2.0
"""tui.py - fctrace tui on a large trace: from exec to the first screen, and from each key to its answer.

A key is answered when something is drawn; keys that change nothing have no answer. Every key is
pressed while what the one before has begun may still be on.
"""
import os
import select
import sys
import time

import goals
from measured import show, tell_progress

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                             "tests/show/tui"))
import terminal  # noqa: E402

START_MS, KEY_MS, MEMORY_MB = 100, 100, 200
SIZES = [(80, 24), (200, 60)]
ROUNDS = 5
LONG_S = 60  # until sums over all calls are there

SESSION = (["Enter", "Down", "Enter", "Down", "Enter", "End", "Home", "*"] + ["PgDn"] * 10 +
           ["End"] + ["PgUp"] * 10 + ["Home", "/", *"fib", "Enter", "n", "n", "N", "Right", "*",
                                      "PgDn", "+", "Right", "-", "/", *"list", "Enter", "n", "n",
                                      "N", ".", ",", "T", *"50%", "Enter", "r", *"40%~60%",
                                      "Enter", "PgDn", "-", "G", "L", "Esc", "2", "Down", "1",
                                      "PgDn", "t", "Down", "Down", "Down", "Enter", "End",
                                      "PgUp", "*", "PgUp", "t", "Home", "Enter", "2", "(wait)",
                                      "s", "s", "PgDn", "End", "Home", "L", "R", " ", "Esc", "2",
                                      "Enter", "1", "Down", "3", "1", "End", "3", "(wait)",
                                      "Enter", "*", "End", "Home", "4", "c", "1", "c", "F1", "1"])


def first_bytes(term, limit_s):
    """Seconds until something is drawn; None: nothing is."""
    begin = time.monotonic()
    if not select.select([term.fd], [], [], limit_s)[0]:
        return None
    took = time.monotonic() - begin
    term.read(0)
    return took


def take_rest(term):
    """What else comes of a key: until 20 ms are quiet, or for a tenth of a second."""
    end = time.monotonic() + 0.1
    while term.read(0.02) and time.monotonic() < end:
        pass


def start_ms(fctrace, trace, size):
    """From exec until calls are on the screen."""
    begin = time.monotonic()
    term = terminal.Terminal([fctrace, "tui", trace], size)
    why = term.wait_for(lambda t: "F1 help" in t.text() and t.selected())
    took = (time.monotonic() - begin) * 1e3
    term.send("q")
    term.wait_end()
    term.close()
    return None if why else took


def memory_mb(term):
    with open("/proc/%d/status" % term.pid, encoding="utf-8") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM")) / 1024


def key_times(fctrace, trace, size):
    """[(ms, key)], and the most memory. None: it ended."""
    term = terminal.Terminal([fctrace, "tui", trace], size)
    term.wait_for(lambda t: t.selected())
    term.settle()
    found = []
    for key in SESSION:
        if key == "(wait)":
            term.wait_for(lambda t: "reading all calls" not in t.text(), LONG_S)
            term.settle()
            continue
        while term.read(0.003):  # what others have drawn
            pass
        term.send(key)
        took = first_bytes(term, 0.5)
        if took is not None:
            found.append((took * 1e3, key))
        take_rest(term)
    if term.is_over():
        return None
    mb = memory_mb(term)
    term.send("q")
    term.wait_end()
    term.close()
    return sorted(found), mb


def measure(fctrace, trace):
    """The table, and the goals."""
    print("%-25s%12s%14s%14s%10s" % ("tui", "start, ms", "key, ms", "worst key", "MB"))
    starts, worsts, most = [], [], []
    for size in SIZES:
        tell_progress("tui %dx%d" % size)
        took = [start_ms(fctrace, trace, size) for _ in range(ROUNDS)]
        keys = key_times(fctrace, trace, size)
        tell_progress("")
        took = None if None in took else sorted(took)[ROUNDS // 2]
        times, mb = keys if keys else ([], None)
        worst = times[-1] if times else (None, "-")
        starts.append(took)
        worsts.append(worst[0])
        most.append(mb)
        print("%-25s%12s%14s%14s%10s" % (
            "%dx%d" % size, show(took), show(times[len(times) // 2][0] if times else None),
            "%s %s" % (show(worst[0]), worst[1]), show(mb, "%.0f")))

    def worst_of(values):
        return None if None in values else max(values)
    return [
        goals.at_most("tui: first screen in at most %d ms" % START_MS, worst_of(starts), START_MS,
                      "%.0f ms"),
        goals.at_most("tui: every key answered in at most %d ms" % KEY_MS, worst_of(worsts), KEY_MS,
                      "%.0f ms"),
        goals.at_most("tui: at most %d MB of memory" % MEMORY_MB, worst_of(most), MEMORY_MB,
                      "%.0f"),
    ]
