# SPDX-License-Identifier: Apache-2.0
"""callgrind's format, read by valgrind's own callgrind_annotate."""
import collections
import re

import tap
from sums import Sum

LINE = re.compile(r"^\s*([\d,.]+)\s+([\d,.]+)\s+(.*)$")
TREE = re.compile(r"^\s*([\d,.]+)\s+([\d,.]+)\s+([<>*])\s+(.*?)(?: \(([\d,]+)x\))?(?: \[[^]]*\])?$")


def number(text):
    return 0 if text == "." else int(text.replace(",", ""))


def annotate(path, *args):
    done = tap.run(["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no",
                    *args, path])
    if done.status != 0 or b"WARNING" in done.err or b"WARNING" in done.out:
        raise RuntimeError("callgrind_annotate: status %d: %s" % (
            done.status, done.err.decode(errors="replace")))
    return done.out.decode().splitlines()


def costs(path, *args):
    """{function: (first, second event)}, those of one name in several modules summed."""
    sums = collections.defaultdict(lambda: [0, 0])
    for line in annotate(path, *args):
        match = LINE.match(line)
        if not match or match.group(3) == "PROGRAM TOTALS":
            continue
        name = re.sub(r" \[[^]]*\]$", "", match.group(3)).split(":", 1)[1]
        for i in range(2):
            sums[name][i] += number(match.group(i + 1))
    return sums


def read(path):
    own, inclusive = costs(path), costs(path, "--inclusive=yes")
    return {name: Sum(own[name][1], own[name][0], inclusive[name][0], slack_ns=own[name][1])
            for name in own if not name.startswith("[")}


def first_event_is_what_was_asked(export):
    calls = costs(export.to("callgrind", "--by-calls"))
    wrong = ["%s: %s, report says %s" % (f, calls[f][0], s.calls)
             for f, s in export.report().items() if calls[f][0] != s.calls]
    return "\n".join(wrong[:10])


def all_is_all(export):
    """What nobody called is called by [all], whose cost is the whole."""
    path = export.to("callgrind", "--by-calls")
    calls = costs(path, "--inclusive=yes")["[all]"][0]
    wanted = sum(s.calls for s in export.report().values())
    return None if calls == wanted else "%d calls, report has %d" % (calls, wanted)


def callers_are_reports(export):
    """Each function's callers, and how often they called it."""
    got, above = collections.Counter(), []
    for line in annotate(export.to("callgrind"), "--tree=caller"):
        match = TREE.match(line)
        if not match:
            continue
        name = match.group(4).split(":", 1)[1]
        if match.group(3) == "<":
            above.append((name, number(match.group(5))))
            continue
        for caller, calls in above:
            got[caller, name] += calls
        above = []
    wanted = collections.Counter()
    for row in tap.fctrace_json(export.fctrace, "report", "--callers=*", export.trace):
        # An inherited call is no call there, and one here (what has none has no costs).
        if row["calls"] or row["total_ns"]:
            caller = {"[outermost]": "[all]"}.get(row["caller"], row["caller"])
            wanted[caller, row["callee"]] += row["calls"] or 1
    wrong = ["%s -> %s: %d calls, report says %d" % (*pair, got[pair], wanted[pair])
             for pair in sorted(got.keys() | wanted.keys()) if got[pair] != wanted[pair]]
    return "\n".join(wrong[:10])


def sources_are_named(export):
    """What has debug information has files and lines: functions of C++ in ours."""
    lines = annotate(export.to("callgrind", "--srcline"), "--inclusive=yes")
    return None if any("mixed.cc:app::Worker::run" in line for line in lines) else "not there"


def checks(export):
    yield "calls can be the first cost", first_event_is_what_was_asked(export)
    yield "what is called by nobody is called by [all]", all_is_all(export)
    yield "callers are those of report", callers_are_reports(export)
    if "app::Worker::run" in export.report():
        yield "sources are named", sources_are_named(export)
