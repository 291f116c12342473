# SPDX-License-Identifier: Apache-2.0
"""calls.py - sums made of begins and ends, as formats that hold each call by itself tell them."""
import collections

from sums import Sum


class Open:
    """A call that is open."""

    def __init__(self, name, key, begin_ns, is_entered):
        self.name, self.key, self.begin_ns, self.is_entered = name, key, begin_ns, is_entered
        self.children_ns = self.nr_children = 0


class Stacks:
    """Begins and ends by stack, in order; wrong holds what cannot be."""

    def __init__(self):
        self.open = collections.defaultdict(list)
        self.last_ns = collections.defaultdict(int)
        self.sums = collections.defaultdict(Sum)
        self.wrong = []
        self.ended = collections.Counter()

    def at(self, stack, ns):
        if ns < self.last_ns[stack]:
            self.wrong.append("stack %s: %d ns comes after %d ns" % (stack, ns, self.last_ns[stack]))
        self.last_ns[stack] = ns

    def begin(self, stack, ns, name, key, is_entered=True):
        """key: the same for calls of the same function only."""
        self.at(stack, ns)
        self.open[stack].append(Open(name, key, ns, is_entered))

    def end(self, stack, ns, name=None, ended="return"):
        self.at(stack, ns)
        if not self.open[stack]:
            self.wrong.append("stack %s: an end at %d ns of nothing" % (stack, ns))
            return
        call = self.open[stack].pop()
        if name not in (None, call.name):
            self.wrong.append("stack %s: %s ends within %s" % (stack, name, call.name))
        total_ns = ns - call.begin_ns
        is_outermost = all(outer.key != call.key for outer in self.open[stack])
        # Each time is rounded down: so many are taken from each other.
        self.sums[call.name].add(int(call.is_entered), total_ns - call.children_ns,
                                 total_ns if is_outermost else 0, 2 + call.nr_children)
        if self.open[stack]:
            self.open[stack][-1].children_ns += total_ns
            self.open[stack][-1].nr_children += 1
        self.ended[ended] += 1

    def only(self, stack, ns, name):
        """A call of which no end is known: it takes no time."""
        self.at(stack, ns)
        self.sums[name].add(1, 0, 0)
        self.ended["unseen"] += 1

    def check(self):
        """What is wrong with it, or None."""
        left = ["stack %s: %s is not ended" % (stack, call.name)
                for stack, calls in self.open.items() for call in calls]
        return "\n".join((self.wrong + left)[:10]) or None
