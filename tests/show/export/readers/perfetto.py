# SPDX-License-Identifier: Apache-2.0
"""Perfetto's protobuf, as protoc decodes it by a schema of ours with the published numbers."""
import collections
import json
import os
import subprocess

from calls import Stacks

SCHEMA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "perfetto.proto")


def unquote(text):
    """A string of protobuf's text format, which is one of C."""
    if not text.startswith('"'):
        return text
    return text[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()


def packets(path):
    """Each packet: a dict of lists, by field."""
    with open(path, "rb") as trace:
        proc = subprocess.Popen(["protoc", "-I" + os.path.dirname(SCHEMA), "--decode=Trace", SCHEMA],
                                stdin=trace, stdout=subprocess.PIPE, text=True)
    stack = [collections.defaultdict(list)]
    for line in proc.stdout:
        line = line.strip()
        field, colon, value = line.partition(": ")
        if line == "}":
            inner = stack.pop()
            if len(stack) == 1:
                yield inner
        elif not colon:
            inner = collections.defaultdict(list)
            stack[-1][line.removesuffix(" {")].append(inner)
            stack.append(inner)
            if len(stack) == 2:
                stack[0].clear()
        elif field.isdigit():
            raise ValueError("a field that the schema does not have: " + line)
        else:
            stack[-1][field].append(unquote(value))
    if proc.wait() or len(stack) != 1:
        raise ValueError("protoc cannot decode it")


class Trace:
    """What is in it. All ids are text."""

    def __init__(self, path):
        self.names, self.categories, self.annotations, self.strings = {}, {}, {}, {}
        self.tracks = {}
        self.stacks = Stacks()
        self.instants = collections.Counter()
        self.annotated = collections.Counter()  # by instant: sums of what it counts
        self.args, self.results = collections.Counter(), collections.Counter()  # of calls
        self.written = collections.Counter()  # arguments, where the call has changed them
        self.clocks = {}
        self.modules = collections.defaultdict(set)
        for packet in packets(path):
            self.take(packet)

    def take(self, packet):
        if packet["trusted_packet_sequence_id"] != ["1"]:
            raise ValueError("a packet of no sequence")
        for data in packet["interned_data"]:
            self.intern(data)
        for snapshot in packet["clock_snapshot"]:
            self.clocks = {c["clock_id"][0]: int(c["timestamp"][0]) for c in snapshot["clocks"]}
        for track in packet["track_descriptor"]:
            if track["uuid"][0] in self.tracks:
                raise ValueError("track %s is told twice" % track["uuid"][0])
            if any(uuid not in self.tracks for uuid in track["parent_uuid"]):
                raise ValueError("a track comes before its parent")
            self.tracks[track["uuid"][0]] = track
        for event in packet["track_event"]:
            self.event(event, int(packet["timestamp"][0]))

    def intern(self, data):
        for field, table, text in (("event_categories", self.categories, "name"),
                                   ("event_names", self.names, "name"),
                                   ("debug_annotation_names", self.annotations, "name"),
                                   ("debug_annotation_string_values", self.strings, "str")):
            for entry in data[field]:
                if table.setdefault(entry["iid"][0], entry[text][0]) != entry[text][0]:
                    raise ValueError("%s %s changes" % (field, entry["iid"][0]))

    def annotations_of(self, event):
        ret = {}
        for one in event["debug_annotations"]:
            name = one["name"][0] if one["name"] else self.annotations[one["name_iid"][0]]
            ret[name] = (self.strings[one["string_value_iid"][0]] if one["string_value_iid"] else
                         (one["string_value"] + one["int_value"] + one["bool_value"])[0])
        return ret

    def event(self, event, ns):
        kind, uuid = event["type"][0], event["track_uuid"][0]
        if uuid not in self.tracks:
            raise ValueError("an event on track %s, which was not told" % uuid)
        says = self.annotations_of(event)
        for told, counter in (("args", self.args), ("result", self.results),
                              ("args at end", self.written)):
            if told in says:
                counter[says[told]] += 1
        if kind == "TYPE_SLICE_END":
            self.stacks.end(uuid, ns, None, says.get("ended", "return"))
            return
        iid = event["name_iid"][0] if event["name_iid"] else None
        category = self.categories[event["category_iids"][0]]
        if kind == "TYPE_SLICE_BEGIN":
            self.stacks.begin(uuid, ns, self.names[iid], iid, says.get("entered") != "false")
        elif iid:
            self.stacks.only(uuid, ns, self.names[iid])
        else:
            self.instants[event["name"][0]] += 1
            self.annotated[event["name"][0]] += int(says.get("records", 0))
        if iid:
            self.modules[self.names[iid]].add(category)


def read(path):
    trace = Trace(path)
    if trace.stacks.check():
        raise ValueError(trace.stacks.check())
    return dict(trace.stacks.sums)


def lines_of(export):
    with open(export.to("jsonl"), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def check_modules(trace, lines):
    wanted = collections.defaultdict(set)
    for line in lines:
        if line["type"] == "call":
            wanted[line["name"]].add(line["module"])
    return None if trace.modules == wanted else "categories are not the modules of jsonl"


def check_kinds(trace, lines):
    """How calls end, and what happens besides, is told as often as in JSON lines."""
    ended = collections.Counter(line["ended"] for line in lines if line["type"] == "call")
    others = collections.Counter(line["type"] for line in lines if line["type"] != "call")
    if (ended, others) != (trace.stacks.ended, trace.instants):
        return "%s %s, jsonl says %s %s" % (dict(trace.stacks.ended), dict(trace.instants),
                                            dict(ended), dict(others))
    return None


def check_threads(trace, lines):
    """Each process and thread has its track, named after the program it runs."""
    calls = {(line["pid"], line["tid"]) for line in lines if line["type"] == "call"}
    threads = {(int(t["pid"][0]), int(t["tid"][0])): t["thread_name"]
               for track in trace.tracks.values() for t in track["thread"]}
    processes = {int(p["pid"][0]): p["process_name"]
                 for track in trace.tracks.values() for p in track["process"]}
    program = {}
    for line in lines:
        if line["type"] == "start":
            program[line["pid"]] = program.get(line["value"], "")
        elif line["type"] == "exec":
            program[line["pid"]] = os.path.basename(line["text"])
    wrong = ["thread %s has no track" % (key,) for key in calls - threads.keys()]
    wrong += ["thread %s is called %s" % (key, name) for key, name in threads.items()
              if name != [program[key[0]]]]
    wrong += ["process %s is called %s" % (pid, name) for pid, name in processes.items()
              if name != [program[pid]]]
    return "\n".join(wrong[:10])


def check_stacks(trace):
    """None of the jobs has a stack besides those of its threads; what exec began is on the same."""
    more = [track["name"][0] for track in trace.tracks.values()
            if track["parent_uuid"] and not track["thread"]]
    return "\n".join(more)


def check_clock(trace, export):
    """Its realtime clock is the session's; times are those of CLOCK_MONOTONIC."""
    last_ns = max(trace.stacks.last_ns.values())
    if not trace.clocks["3"] <= last_ns <= trace.clocks["3"] + 3600 * 10**9:
        return "times are not near the snapshot's"
    now_ns = os.stat(export.trace).st_mtime_ns
    if abs(trace.clocks["1"] - now_ns) > 600 * 10**9:
        return "the realtime clock is %d s off" % ((trace.clocks["1"] - now_ns) // 10**9)
    return None


def checks(export):
    trace, lines = Trace(export.to("perfetto")), lines_of(export)
    yield "categories are modules", check_modules(trace, lines)
    yield "calls end, and other things happen, as in jsonl", check_kinds(trace, lines)
    yield "processes and threads have their tracks and names", check_threads(trace, lines)
    yield "each thread has one track, also when it runs another program", check_stacks(trace)
    yield "its clock is right", check_clock(trace, export)
