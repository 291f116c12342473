# SPDX-License-Identifier: Apache-2.0
"""cutting.py - what `export -r` is to tell, made of the calls of the whole trace."""
import collections

from sums import Sum


def middle(rows):
    """From and to, in ns: about the middle third of the calls, where nothing begins or ends."""
    times = sorted({int(row[c]) for row in rows for c in ("begin_ns", "end_ns") if row[c]})
    return gap_at(times, len(times) // 3), gap_at(times, 2 * len(times) // 3)


def gap_at(times, i):
    """Clocks round: a few ns to both sides must be free."""
    while times[i + 1] - times[i] < 8:
        i += 1
    return (times[i] + times[i + 1]) // 2


def cut(rows, begin, end):
    """The sums of each function within the span. rows: by the order of ends, as in CSV."""
    sums = collections.defaultdict(Sum)
    below = collections.defaultdict(dict)  # strand: depth: ns of calls there, how many
    for row in rows:
        first = int(row["begin_ns"])
        last = int(row["end_ns"]) if row["end_ns"] else first
        depth, of_strand = int(row["depth"]), below[row["strand"]]
        took = max(0, min(last, end) - max(first, begin))
        inside, nr = of_strand.pop(depth + 1, (0, 0))
        beside, nr_beside = of_strand.get(depth, (0, 0))
        of_strand[depth] = beside + took, nr_beside + 1
        if last < begin or first >= end:
            continue
        total = 0 if row["recursive"] == "1" else took
        sums[row["name"]].add(int(row["entered"] == "1" and first >= begin), took - inside, total,
                              slack_ns=4 + nr)
    return dict(sums)
