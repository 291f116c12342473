# SPDX-License-Identifier: Apache-2.0
"""Chrome's Trace Event Format: read by Python's JSON parser, checked against the rules of the
document of that name, and loaded into speedscope's page."""
import collections
import json
import re
from decimal import Decimal

import nesting
import tap
import viewer
from sums import Sum

NAMES = {"process_name", "thread_name"}


def want(is_so, event, why):
    if not is_so:
        raise ValueError("%s: %s" % (why, event))


def check_form(event):
    """What the format asks of each event of a kind."""
    def is_int(key):
        return type(event.get(key)) is int
    want(isinstance(event, dict) and event.get("ph") in ("B", "E", "i", "M"), event, "phase")
    want(is_int("pid") and is_int("tid"), event, "pid and tid")
    want(isinstance(event.get("name"), str), event, "name")
    want(isinstance(event.get("args", {}), dict), event, "args")
    if event["ph"] == "M":
        want(event["name"] in NAMES and isinstance(event["args"].get("name"), str), event,
             "metadata")
        return
    want(isinstance(event.get("ts"), Decimal) and event["ts"] >= 0, event, "time")
    want(isinstance(event.get("cat", ""), str), event, "category")
    if event["ph"] == "B":
        want(event.get("cat"), event, "a call without a module")
    if event["ph"] == "i":
        want(event.get("s") in ("g", "p", "t"), event, "scope")


def check_ties(events):
    """Who sorts begins and ends apart must be able to put them together again."""
    last = {}
    for event in events:
        if event["ph"] in "BE":
            track = event["pid"], event["tid"]
            was = last.get(track)
            want(not was or was["ph"] == event["ph"] or was["ts"] < event["ts"], event,
                 "a begin and an end at the same time")
            last[track] = event


def load(path):
    with open(path, encoding="utf-8") as f:
        whole = json.load(f, parse_float=Decimal)
    want(whole["displayTimeUnit"] in ("ms", "ns"), whole["displayTimeUnit"], "unit")
    want(isinstance(whole.get("otherData"), dict), "", "otherData")
    for event in whole["traceEvents"]:
        check_form(event)
    check_ties(whole["traceEvents"])
    return whole["traceEvents"]


def sums_of(events):
    sums, stacks = collections.defaultdict(Sum), {}
    for event in events:
        if event["ph"] == "M":
            continue
        track = event["pid"], event["tid"]
        stack = stacks.setdefault(track, nesting.Stack(track, sums, 4))
        time, words = int(event["ts"] * 1000), event.get("cat", "").split(",")
        if event["ph"] == "B":
            stack.begin(event["name"], time, "begun before" not in words)
        elif event["ph"] == "E":
            stack.end(event["name"], time)
        elif "entry only" in words:
            stack.instant(event["name"], time)
    for stack in stacks.values():
        stack.finish()
    return dict(sums)


def read(path):
    return sums_of(load(path))


def names_all(export):
    """Each process and each thread with a call has a name."""
    events = load(export.to("chrome"))
    named = {(e["name"], e["pid"], e["tid"]) for e in events if e["ph"] == "M"}
    for e in events:
        if e["ph"] == "B" and not {("process_name", e["pid"], e["pid"]),
                                   ("thread_name", e["pid"], e["tid"])} <= named:
            return "%s %s have no name" % (e["pid"], e["tid"])
    return None


def tells_lives(export):
    """What query's table of events has besides calls is there as an instant."""
    rows = tap.fctrace_json(
        export.fctrace, "query", export.trace,
        "SELECT kind, count(*) AS nr FROM events WHERE kind IN ('start', 'exec', 'exit', "
        "'thread start', 'thread exit', 'lost', 'fork') GROUP BY kind")
    wanted = {row["kind"]: row["nr"] for row in rows}
    got = collections.Counter(e["name"] for e in load(export.to("chrome"))
                              if e["ph"] == "i" and e["cat"] == "fctrace")
    wrong = {kind: (nr, got[kind]) for kind, nr in wanted.items() if got[kind] != nr}
    return wrong and "query's number, that here: %s" % wrong


def speedscope_shows_it(export):
    """What it makes of one thread: entry only functions are not in it."""
    path = export.to("chrome")
    shown = viewer.show(path)
    tid = int(re.search(r"tid (\d+)\)", shown.title).group(1))
    sums = sums_of(e for e in load(path) if e["tid"] == tid)
    return viewer.differs(shown, {name: [of_name] for name, of_name in sums.items()})


def checks(export):
    return [("speedscope shows the same", speedscope_shows_it(export)),
            ("processes and threads have names", names_all(export)),
            ("lives are instants", tells_lives(export))]
