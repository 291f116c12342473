# SPDX-License-Identifier: Apache-2.0
"""sums.py - what a reader of an export found of one function."""


class Sum:
    """calls, self_ns, total_ns; None: the format does not tell it. slack_ns: by which times may
    differ, as a format that rounds each to microseconds has it."""

    def __init__(self, calls=0, self_ns=0, total_ns=0, slack_ns=0):
        self.calls, self.self_ns, self.total_ns, self.slack_ns = calls, self_ns, total_ns, slack_ns

    def add(self, calls, self_ns, total_ns=None, slack_ns=0):
        self.calls = None if calls is None else self.calls + calls
        self.self_ns = None if self_ns is None else self.self_ns + self_ns
        self.total_ns = None if total_ns is None else self.total_ns + total_ns
        self.slack_ns += slack_ns

    def agrees(self, other):
        def near(a, b):
            # Each call's ticks become nanoseconds by themselves: one may be lost each time.
            slack = self.slack_ns + other.slack_ns + max(self.calls or 0, other.calls or 0) + 2
            return a is None or b is None or abs(a - b) <= slack

        return ((self.calls is None or self.calls == other.calls) and
                near(self.self_ns, other.self_ns) and near(self.total_ns, other.total_ns))

    def __repr__(self):
        return "%s calls, %s ns self, %s ns total" % (self.calls, self.self_ns, self.total_ns)
