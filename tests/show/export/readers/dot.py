# SPDX-License-Identifier: Apache-2.0
"""Graphs of graphviz, read by its own gvpr: a box for each path, with its sums as text."""
import collections
import re

import tap
from sums import Sum

ARGS = ["--min", "0"]  # nothing is summed
UNIT_NS = {"s": 10 ** 9, "ms": 10 ** 6, "us": 10 ** 3}
SUMS = re.compile(r"^[\d.]+%, (\d+) calls?\\ntotal ([\d.]+) (\w+)(?:, self ([\d.]+) (\w+))?$")


def boxes(path):
    """(name, calls, total_ns, self_ns or None, slack_ns) of each box."""
    done = tap.run(["gvpr", 'N{print(gsub(label, "\n", "\\\\n"))}', path])
    if done.status != 0 or done.err:
        raise RuntimeError("gvpr: %s" % done.err.decode(errors="replace"))
    for line in done.out.decode().splitlines():
        name, _, sums = line.partition("\\n")
        calls, *times = SUMS.match(sums).groups()
        # A thousandth of a unit may be lost in each.
        times_ns = [round(float(n) * UNIT_NS[unit]) if n else None
                    for n, unit in zip(times[::2], times[1::2])]
        slack_ns = sum(UNIT_NS[unit] // 1000 for unit in times[1::2] if unit)
        yield name.replace('\\"', '"').replace("\\\\", "\\"), int(calls), *times_ns, slack_ns


def read(path):
    sums = collections.defaultdict(Sum)
    for name, calls, total_ns, self_ns, slack_ns in boxes(path):
        # An echo says where recursive calls came from, which are counted elsewhere.
        if self_ns is not None and not name.startswith("["):
            sums[name].add(calls, self_ns, total_ns, slack_ns)
    return dict(sums)


def all_is_there(export):
    """By default: boxes of what is summed hold the rest."""
    calls = sum(box[1] for box in boxes(export.to("dot")) if box[3] is not None)
    wanted = sum(s.calls for s in export.report().values())
    return None if calls == wanted else "%d calls, report has %d" % (calls, wanted)


def dot_draws_it(export):
    path = export.to("dot", "--min", "2", "--by-calls")
    done = tap.run(["dot", "-Tsvg", path])
    nr, wanted = done.out.count(b'class="node"'), len(list(boxes(path)))
    if done.status or done.err or nr != wanted or not nr:
        return "status %d, %d of %d boxes: %s" % (done.status, nr, wanted, done.err[:200])
    return None


def checks(export):
    yield "what is summed is counted", all_is_there(export)
    yield "dot draws each box", dot_draws_it(export)
