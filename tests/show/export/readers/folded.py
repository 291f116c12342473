# SPDX-License-Identifier: Apache-2.0
"""Folded stacks: names split by ;, behind the last blank the weight; the first is a program."""
import collections
import os
import subprocess

from sums import Sum


def lines(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            stack, weight = line.rstrip("\n").rsplit(" ", 1)
            yield stack.split(";"), int(weight)


def read(path):
    selfs, totals, inner = (collections.Counter() for _ in range(3))
    for (_, *funcs), weight in lines(path):
        for func in {func for func in funcs if not func.startswith("[")}:
            totals[func] += weight
        if funcs[-1] != "[unknown]":
            selfs[funcs[-1]] += weight
            # A time is rounded down in each line that it is in.
            for func in set(funcs):
                inner[func] += 1
    return {f: Sum(None, selfs[f], totals[f], slack_ns=inner[f]) for f in totals}


def calls_are_reports(export):
    got = collections.Counter()
    for (_, *funcs), weight in lines(export.to("folded", "--by-calls")):
        got[funcs[-1]] += weight
    wanted = {f: s.calls for f, s in export.report().items() if s.calls}
    wrong = ["%s: %d calls, report says %s" % (f, got[f], wanted.get(f))
             for f in sorted(got.keys() | wanted.keys()) if got[f] != wanted.get(f, 0)]
    return "\n".join(wrong[:10])


def threads_sum_up(export):
    """The same sums, whether threads stand apart or not."""
    apart, merged = collections.Counter(), collections.Counter()
    for (task, *funcs), weight in lines(export.to("folded", "--by-calls", "--by-thread")):
        apart[(task.rsplit(" [", 1)[0], *funcs)] += weight
    for stack, weight in lines(export.to("folded", "--by-calls")):
        merged[tuple(stack)] += weight
    return None if apart == merged else "%s" % list((apart - merged) + (merged - apart))[:5]


def checks(export):
    yield "calls are those of report", calls_are_reports(export)
    yield "threads sum up to programs", threads_sum_up(export)
