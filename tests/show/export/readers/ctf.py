# SPDX-License-Identifier: Apache-2.0
"""CTF, as babeltrace2 reads it."""
import collections
import json
import os
import re
import shutil
import subprocess

from calls import Stacks

LINE = re.compile(r'\[(\d+)\] (\w+): \{ pid = (-?\d+), tid = (-?\d+), strand = (\d+) \}, \{ (.*) \}$')
FUNCTION = re.compile(r'function = \( "(.*)" : container = (\d+) \)$')
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|-?\d+)')
DISCARDED = re.compile(r'Tracer (?:discarded|may have discarded) (\d+)? ?events?')
ENDS = {"leave": "return", "leave_tail": "tail", "leave_pop": "pop", "leave_lost": "lost",
        "leave_end": "end"}
ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def unescape(text):
    return re.sub(r"\\(x[0-9a-f]{2}|.)",
                  lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else ESCAPES.get(m[1], m[1]), text)


class Trace:
    """What is in it: events of calls in stacks, all others in order."""

    def __init__(self, path):
        self.stacks = Stacks()
        self.counts = collections.defaultdict(collections.Counter)  # by function: events
        self.others = []  # name, ns, fields
        self.args, self.results = collections.Counter(), collections.Counter()  # of calls
        self.threads = collections.defaultdict(set)
        self.last_ns = 0
        self.numbers = collections.defaultdict(set)
        done = subprocess.run(["babeltrace2", "--no-delta", "--clock-cycles", path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise ValueError("babeltrace2: " + done.stderr[:500])
        self.discarded = DISCARDED.findall(done.stderr)
        for line in done.stdout.splitlines():
            self.take(*LINE.match(line).groups())

    def take(self, time, event, pid, tid, strand, rest):
        ns = int(time)
        if ns < self.last_ns:
            raise ValueError("%d ns comes after %d ns" % (ns, self.last_ns))
        self.last_ns = ns
        if event == "values":
            self.take_values(dict(FIELD.findall(rest)))
            return
        function = FUNCTION.match(rest)
        if not function:
            self.others.append((event, ns, {k: unescape(v[1:-1]) if v[0] == '"' else int(v)
                                            for k, v in FIELD.findall(rest)}))
            return
        name, number = unescape(function[1]), function[2]
        self.numbers[name].add(number)
        self.counts[name][event] += 1
        self.threads[strand].add((int(pid), int(tid)))
        if event in ("enter", "open"):
            self.stacks.begin(strand, ns, name, number, event == "enter")
        elif event == "call":
            self.stacks.only(strand, ns, name)
        else:
            self.stacks.end(strand, ns, name, ENDS[event])


    def take_values(self, fields):
        for bit, told, counter in ((1, "args", self.args), (2, "result", self.results)):
            if int(fields["known"]) & bit:
                counter[unescape(fields[told][1:-1])] += 1


def read(path):
    trace = Trace(path)
    if trace.stacks.check():
        raise ValueError(trace.stacks.check())
    return dict(trace.stacks.sums)


def fresh(export):
    shutil.rmtree(os.path.join(export.folder, "x.ctf"), ignore_errors=True)
    return export.to("ctf")


def check_counts(trace, report):
    """babeltrace2's own counts of events are report's calls."""
    wrong = []
    for name, counts in trace.counts.items():
        entered = counts["enter"] + counts["call"]
        left = sum(counts[end] for end in ENDS) - counts["open"] + counts["call"]
        if not entered == left == report[name].calls:
            wrong.append("%s: %d entered, %d left, report says %d" % (
                name, entered, left, report[name].calls))
    return "\n".join(wrong[:10])


def check_kinds(trace, lines):
    """How calls end, and what happens besides, is told as often as in JSON lines."""
    ended = collections.Counter(line["ended"] for line in lines if line["type"] == "call")
    others = collections.Counter(line["type"].replace(" ", "_") for line in lines
                                 if line["type"] != "call")
    found = collections.Counter(name for name, _, _ in trace.others)
    if (ended, others) != (trace.stacks.ended, found):
        return "%s %s, jsonl says %s %s" % (dict(trace.stacks.ended), dict(found), dict(ended),
                                            dict(others))
    return None


def check_threads(trace, lines):
    wanted = {(line["pid"], line["tid"]) for line in lines if line["type"] == "call"}
    found = {thread for threads in trace.threads.values() for thread in threads}
    mixed = [strand for strand, threads in trace.threads.items() if len(threads) > 1]
    if mixed:
        return "strands of several threads: %s" % mixed
    return None if found == wanted else "threads %s, jsonl has %s" % (found, wanted)


def check_lives(trace, lines):
    """Programs and exit states are those of JSON lines."""
    def programs(rows):
        return sorted((row["pid"], row["text"]) for row in rows)
    wanted = programs(line for line in lines if line["type"] == "exec")
    found = programs({"pid": f["pid"], "text": f["program"]} for name, _, f in trace.others
                     if name == "exec")
    if found != wanted:
        return "programs %s, jsonl has %s" % (found, wanted)
    wanted = sorted((line["pid"], line["value"] & 0xff7f) for line in lines if line["type"] == "exit")
    found = sorted((f["pid"], f["status"] << 8 | f["signal"]) for name, _, f in trace.others
                   if name == "exit")
    return None if found == wanted else "exits %s, jsonl has %s" % (found, wanted)


def check_clock(export, path):
    """babeltrace2 tells the wall clock's time."""
    done = subprocess.run(["babeltrace2", "--clock-seconds", path], stdout=subprocess.PIPE, text=True)
    seconds = float(re.match(r"\[([\d.]+)\]", done.stdout)[1])
    off = seconds - os.stat(export.trace).st_mtime
    return "it says %f, which is %f s off" % (seconds, off) if abs(off) > 600 else None


def check_full(export, path):
    """A folder that holds something stays as it is."""
    before = {name: os.stat(os.path.join(path, name)).st_mtime_ns for name in os.listdir(path)}
    done = subprocess.run([export.fctrace, "export", "-f", "ctf", "-o", path, export.trace],
                          stderr=subprocess.PIPE, text=True)
    after = {name: os.stat(os.path.join(path, name)).st_mtime_ns for name in os.listdir(path)}
    if done.returncode != 1 or "is there and not empty" not in done.stderr:
        return "status %d: %s" % (done.returncode, done.stderr)
    return None if before == after else "it was changed"


def checks(export):
    path = fresh(export)
    trace = Trace(path)
    with open(export.to("jsonl"), encoding="utf-8") as f:
        lines = [json.loads(line) for line in f]
    yield "as many enters and leaves as report's calls", check_counts(trace, export.report())
    yield "calls end, and other things happen, as in jsonl", check_kinds(trace, lines)
    yield "each strand's thread is told", check_threads(trace, lines)
    yield "programs and how they ended", check_lives(trace, lines)
    yield "its clock is right", check_clock(export, path)
    yield "nothing is written over", check_full(export, path)
