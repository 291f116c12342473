# SPDX-License-Identifier: Apache-2.0
"""goals.py - what the figures must come to. A goal that could not be measured is not met."""
from columns import BUDGET
from measured import ratio, show

LOOPS = ["fib", "leaf", "indirect", "deep", "threads"]


class Goal:
    """What must be, what was measured, and whether that is so: None if it is not known."""

    def __init__(self, text, value, is_met):
        self.text, self.value, self.is_met = text, value, is_met

    def show(self):
        word = {True: "met", False: "missed", None: "not measured"}[self.is_met]
        print("%-50s %18s   %s" % (self.text, self.value, word))

    def as_dict(self):
        return {"goal": self.text, "value": self.value, "met": self.is_met}


def at_most(text, value, limit, form):
    return Goal(text, show(value, form), None if value is None else value <= limit)


def times_floor(measured, row, floor_ns, limit):
    ns = measured.ns(row, "full")
    return Goal("%s: full at most %.2f x two rdtsc" % (row, limit), ratio(ns, floor_ns),
                ns <= limit * floor_ns if ns and floor_ns else None)


def added(measured, column, limit_ns):
    """The worst of the loops is what counts."""
    found = {row: measured.added_ns(row, column) for row in LOOPS}
    found = {row: ns for row, ns in found.items() if ns is not None}
    worst = max(found, key=found.get, default=None)
    return Goal("%s: at most %d ns a call more than bare" % (column, limit_ns),
                "%.1f %s" % (found[worst], worst) if worst else "-",
                found[worst] <= limit_ns if worst else None)


def faster_than_uftrace(measured):
    ours, theirs = measured.ns("fib", "full"), measured.ns("fib", "uf -P")
    return Goal("fib: at least 4 x faster than uftrace -P .", ratio(theirs, ours),
                theirs >= 4 * ours if ours and theirs else None)


def of_loops(measured, floor_ns):
    return [
        times_floor(measured, "fib", floor_ns, 1.25),
        times_floor(measured, "indirect", floor_ns, 1.5),
        faster_than_uftrace(measured),
        added(measured, "off", 3),
        added(measured, "count", 3),
        added(measured, "edges", 10),
    ]


def as_before(measured, row):
    """Let go, a program is as fast as bare, as far as its bare runs agree with each other."""
    times, noise = measured.times_bare(row, "detached"), measured.noise(row)
    limit = max(0.03, noise or 0)
    return Goal("%s: detached = bare within %.0f %% (noise)" % (row, limit * 100),
                show(times and (times - 1) * 100, "%+.1f %%"),
                None if times is None else abs(times - 1) <= limit)


def share_kept(measured, row):
    """
    Percent of the calls of a round that the budget leaves in the trace, by the count of a full
    trace: what was unhooked can't tell how often it was called. The first second is in it.
    """
    kept, full = (measured.median(row, column, lambda figure: figure.calls_a_round)
                  for column in ("budget", "full"))
    return 100 * kept / full if kept is not None and full else None


def within_budget(measured, row):
    """Cheaper than allowed is well, too; how much of the trace that takes is shown."""
    text = "%s: at most %d %% slower with that budget, + 2" % (row, BUDGET)
    times = measured.times_bare(row, "budget")
    if times is None:
        return Goal(text, "-", None)
    slower, kept = (times - 1) * 100, share_kept(measured, row)
    return Goal(text, "%+.1f %%, %s kept" % (slower, show(kept, "%.0f %%")), slower <= BUDGET + 2)


def small(measured, row):
    size = measured.median(row, "full", lambda figure: figure.bytes_a_call)
    return at_most("%s: at most 2 bytes a call" % row, size, 2, "%.2f")


def runs_well(measured, rows):
    """Whatever is traced ends as it does untraced."""
    bad = [row.name + " " + column.name for row in rows for column in measured.columns
           if measured.is_bad(row, column)]
    return Goal("all programs end well under fctrace", ", ".join(bad) or "yes", not bad)
