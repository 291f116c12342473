# SPDX-License-Identifier: Apache-2.0
"""nesting.py - begins and ends of calls on one stack, checked and summed."""
import collections

from sums import Sum


class Stack:
    """One track of a viewer. Times in ns; each is unsure by so many, and so a sum by more."""

    def __init__(self, name, sums, unsure_ns=1):
        self.name, self.sums, self.unsure_ns = name, sums, unsure_ns
        self.open = []  # [function, begin, time of calls below, number of these]
        self.names = collections.Counter()
        self.last = None

    def at(self, time):
        if self.last is not None and time < self.last:
            raise ValueError("%s: %s comes after %s" % (self.name, time, self.last))
        self.last = time

    def begin(self, function, time, is_call=True):
        self.at(time)
        self.open.append([function, time, 0, 0])
        self.names[function] += 1
        self.sums[function].add(int(is_call) if is_call is not None else None, 0, 0)

    def end(self, function, time):
        self.at(time)
        if not self.open or self.open[-1][0] != function:
            raise ValueError("%s: %s ends at %s, open are %s" % (
                self.name, function, time, [call[0] for call in self.open[-3:]]))
        _, begun, below, nr = self.open.pop()
        self.names[function] -= 1
        took = time - begun
        total = 0 if self.names[function] else took
        self.sums[function].add(0, took - below, total,
                                slack_ns=self.unsure_ns * (2 + nr))
        if self.open:
            self.open[-1][2] += took
            self.open[-1][3] += 1

    def instant(self, function, time):
        self.at(time)
        self.sums[function].add(1, 0, 0)

    def finish(self):
        if self.open:
            raise ValueError("%s: never ended: %s" % (self.name, [c[0] for c in self.open]))
