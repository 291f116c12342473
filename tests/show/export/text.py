#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the exports that hold each call as text must stand: losses, odd stacks and names, ranges,
bad places to write to, damaged traces, long ones.
"""
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
import hardship  # noqa: E402
from hardship import little_disk, odd_program  # noqa: E402

FORMATS = ("jsonl", "csv", "chrome", "speedscope")
FAILED, USAGE, UNUSABLE, INCOMPLETE = 1, 2, 3, 4
ODD_NAMES = {b"odd_name_quotes_": b'a"b\\c,d\'e', b"odd_name_control": b"tab\tnew\nl\x01\x7f\x1b[2m",
             b"odd_name_letters": "größe €".encode(), b"odd_name_no_utf8": b"\xff\xfe\x80\xc3(\xe2\x82"}
SHORT, LONG = 30_000, 300_000  # rounds
GROWTH_KB = 4096
PACKET_MAGIC, EVENTS = rb"\x8ffcP", 6  # docs/format.md


class Bench(hardship.Bench):
    formats, nr_damages = FORMATS, (60, 9)

    def rounds(self, nr):
        return self.once("rounds%d" % nr, self.build("rounds.c"), "1", str(nr))

    def read(self, form):
        """What was exported last."""
        return self.readers[form].read(self.path("x." + form))

    def differs(self, form, trace):
        self.must("export", "-f", form, "-o", self.fresh(form), trace)
        return super().differs(trace, self.read(form))


def one_line(done, status, *words):
    said = done.err.decode(errors="replace")
    if done.is_late or done.status != status:
        return "status %d, not %d: %s" % (done.status, status, said)
    if said.count("\n") != 1 or not said.startswith("fctrace: "):
        return "not one line: %s" % said
    missing = [word for word in words if word not in said]
    return missing and "does not say %s: %s" % (missing, said)


# What a trace may hold


def stacks(b, form):
    """Calls of each stack nest, though those of a thread's stacks do not."""
    trace = b.once("coroutines", b.build("coroutines.c"))
    strands = len(b.json("query", "SELECT DISTINCT strand FROM calls", trace=trace))
    if strands < 3:
        return "the trace has %d stacks only" % strands
    return b.differs(form, trace)


def losses(b, form):
    """Records that were lost are told where the format can tell them."""
    trace = b.once("lost", "--loss=drop", "--ring=64K", b.build("rounds.c"), "4", "30000")
    lost = b.json("info", trace=trace)["lost"]
    if not lost:
        return "nothing was lost: this shows nothing"
    b.export(form, trace)
    told = lost
    if form == "jsonl":
        with open(b.path("x.jsonl"), encoding="utf-8") as f:
            told = sum(row["value"] for row in map(json.loads, f) if row["type"] == "lost")
    elif form == "chrome":
        told = sum(e["args"]["records"] for e in b.readers[form].load(b.path("x.chrome"))
                   if e["name"] == "lost" and e.get("cat") == "fctrace")
    if told != lost:
        return "%d are told, info says %d" % (told, lost)
    # Lines leave out times that are not known; report counts them as long as they can be.
    return b.differs(form, trace) if form in ("chrome", "speedscope") else None


def newest(b, form):
    """The newest records only: what was open before them is no call of its own."""
    return b.differs(form, b.once("newest", "--loss=ring=64K", b.build("rounds.c"), "2", "100000"))


def names(b, form):
    """Names that no compiler makes arrive, and break nothing."""
    b.export(form, b.once("odd", "-m", "odd", odd_program(b, ODD_NAMES)))
    got = set(b.read(form))
    if sum(not re.fullmatch(r"\w+", name, re.A) for name in got) != len(ODD_NAMES):
        return "%d functions: %s" % (len(got), sorted(got))
    with open(b.path("x." + form), "rb") as f:
        data = f.read()
    data.decode()
    return "a control character" if set(data) & (set(range(32)) - {10, 13}) else None


def nothing(b, form):
    """A trace without calls is one that others open."""
    trace = b.once("nothing", "-F", "no_such_function", b.build("rounds.c"))
    b.export(form, trace)
    got = b.read(form)
    return got and "calls: %s" % got


def many_threads(b, form):
    """Each thread has its calls, with few files open."""
    trace = b.once("threads", b.build("rounds.c"), "300", "20")
    done = b.export(form, trace, preexec=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32)))
    if done.status:
        return done.err.decode()
    calls = b.read(form)["round_of"].calls
    return None if calls in (6000, None) else "%s calls" % calls


# Where it is written to


def full_disk(b, form):
    trace = b.rounds(SHORT)
    why = one_line(b.export(form, trace, path="/dev/full"), FAILED, "/dev/full", "No space left")
    return why or one_line(b.export(form, trace, preexec=little_disk), FAILED, "x." + form,
                           "File too large")


def full_stdout(b, form):
    done = tap.run(["/bin/sh", "-c", 'exec "$0" export -f %s "$1" >/dev/full' % form, b.fctrace,
                    b.rounds(SHORT)])
    return one_line(done, FAILED, "stdout", "No space left")


def cpu_s():
    """Of all that was run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def closed_pipe(b, form):
    """Who has seen enough: no error, and not all of the work."""
    trace, begin = b.rounds(LONG), cpu_s()
    done = tap.run(["/bin/bash", "-c", '"$0" export -f %s "$1" | head -c 100 >/dev/null; '
                    'exit ${PIPESTATUS[0]}' % form, b.fctrace, trace])
    if done.status or done.err:
        return "status %d: %s" % (done.status, done.err.decode())
    some_s, begin = cpu_s() - begin, cpu_s()
    b.run("export", "-f", form, "-o", "/dev/null", trace)
    all_s = cpu_s() - begin
    return None if some_s < all_s * 0.75 else "took %.3f s of CPU time, all %.3f s" % (some_s,
                                                                                      all_s)


def dash_is_stdout(b, form):
    """- is no file, but stdout."""
    done = b.run("export", "-f", form, "-o", "-", b.rounds(SHORT))
    whole = b.run("export", "-f", form, b.rounds(SHORT))
    if os.path.exists(b.path("-")):
        return "a file was made"
    return None if done.out == whole.out and done.out else "status %d: %s" % (
        done.status, done.err.decode())


def no_folder(b, form):
    path = b.path("no such folder/x")
    return one_line(b.export(form, b.rounds(SHORT), path=path), FAILED, path)


def not_over_itself(b, form):
    """The trace is not written over, by whatever name."""
    trace, other = b.path("own.data"), b.path("link.data")
    shutil.copy(b.rounds(SHORT), trace)
    if not os.path.exists(other):
        os.symlink(trace, other)
    with open(trace, "rb") as f:
        before = f.read()
    why = one_line(b.export(form, trace, path=trace), FAILED, trace) or \
        one_line(b.export(form, trace, path=other), FAILED, other)
    with open(trace, "rb") as f:
        return why or (None if f.read() == before else "the trace has changed")


def not_over_for_nothing(b, form):
    """What is not there to be exported writes nothing over."""
    path, trace = b.write("kept." + form, "kept"), b.rounds(SHORT)
    why = one_line(b.export(form, trace, "--tid", "1", path=path), FAILED, "--tid 1") or \
        one_line(b.export(form, trace, "-r", "900s~", path=path), FAILED, "900s~") or \
        one_line(b.export(form, trace, "-r", "2s~1s", path=path), USAGE, "ends before it begins")
    with open(path, encoding="utf-8") as f:
        return why or (None if f.read() == "kept" else "it was written over")


# Damage, and length


def damage(b, form):
    """A damaged trace: what is whole is there, in a file that others read; one sentence."""
    with open(b.rounds(SHORT), "rb") as f:
        whole = f.read()
    rng = random.Random(form)
    for i in range(b.nr_damages):
        data = bytearray(whole)
        if i % 3 == 0:
            data = data[:rng.randrange(len(data))]
        for _ in range(i % 3):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        done = b.export(form, b.write("damaged.data", data))
        if done.is_late or done.status not in (0, UNUSABLE, INCOMPLETE):
            return "status %d: %s" % (done.status, done.err.decode())
        if done.status and one_line(done, done.status):
            return one_line(done, done.status)
        if done.status != UNUSABLE:
            b.read(form)
    return None


def range_alone(b, form):
    """What lies outside the range is not read: damage there is not met."""
    with open(b.rounds(LONG), "rb") as f:
        data = bytearray(f.read())
    packets = [m.start() for m in re.finditer(PACKET_MAGIC, data) if data[m.start() + 4] == EVENTS]
    for at in (packets[0], packets[-1]):
        data[at + 200] ^= 0xff
    trace = b.write("holes.data", data)
    why = one_line(b.export(form, trace), INCOMPLETE)
    if why:
        return "as a whole: " + why
    rows = b.json("query", "SELECT begin_ns FROM calls WHERE name = 'small' ORDER BY begin_ns",
                  trace=b.rounds(LONG))
    begin = rows[len(rows) // 2]["begin_ns"]
    done = b.export(form, trace, "-r", "%dns~%dns" % (begin, begin + 20000))
    if done.status or done.err:
        return "the middle: status %d: %s" % (done.status, done.err.decode())
    nr = len(b.read(form))  # main may be behind the hole
    return None if nr >= 2 else "%d functions in the middle" % nr


def peak_kb(argv):
    """The most anonymous memory that it has: mapped pages of the trace are the kernel's. It writes
    no further than it was looked at."""
    most = 0
    with subprocess.Popen(argv, stdout=subprocess.PIPE, bufsize=0) as proc:
        while proc.stdout.read(1 << 16):
            with open("/proc/%d/status" % proc.pid, encoding="utf-8") as f:
                most = max([most] + [int(line.split()[1]) for line in f if line.startswith("RssAnon")])
    if proc.returncode:
        raise RuntimeError("status %d" % proc.returncode)
    return most


def memory(b, form):
    """A trace ten times as long takes no more."""
    short, long = (peak_kb([b.fctrace, "export", "-f", form, b.rounds(nr)]) for nr in (SHORT, LONG))
    return "%d KB, %d KB for ten times as much" % (short, long) if long > short + GROWTH_KB or not short \
        else None


def opens_in_jq(b, form):
    """Another JSON parser counts as many calls."""
    count = {"jsonl": 'select(.type == "call") | 1', "chrome": '.traceEvents[] | select(.ph == "B") | 1',
             "speedscope": '.profiles[].events[] | select(.type == "O") | 1'}.get(form)
    if not count:
        return None
    b.export(form, b.rounds(SHORT))
    done = tap.run(["jq", count, b.path("x." + form)])
    calls = b.json("info", trace=b.rounds(SHORT))["calls"]
    # Functions hooked at entry only are no begins in Chrome's.
    lines = done.out.count(b"\n")
    return None if done.status == 0 and abs(lines - calls) <= 3 else "%d, info has %d: %s" % (
        lines, calls, done.err.decode())


EVIL = r'"evil \033[31m \"quoted\" \\ \n\t\001\377", 3'
TOLD = {"text": {(EVIL, None), ('"café", 4', None)}, "half": {("2.5", "1.25")}, "nothing": {(None, "7")},
        "jumps": {('"ab", 2', '"b"')}, "last": {('"ab"', '"b"')}}


def told_values(b, form):
    """The functions' arguments and results, as a reader of the format finds them."""
    told = {name: set() for name in TOLD}
    if form == "csv":
        rows = [(row["name"], row["args"] or None, row["result"] or None)
                for row in b.readers[form].rows_of(b.path("x.csv"))]
    elif form == "chrome":
        rows = [(e["args"]["call"], e["args"].get("args"), e["args"].get("result"))
                for e in b.readers[form].load(b.path("x.chrome")) if e["name"] == "values"]
    else:
        with open(b.path("x.jsonl"), encoding="utf-8") as f:
            calls = [row for row in map(json.loads, f) if row["type"] == "call"]
        rows = [(row["name"], row.get("args"), json.dumps(row["result"]) if "result" in row else None)
                for row in calls]
    for name, args, result in rows:
        if name in told and (args or result):
            told[name].add((args, result))
    return told


def values(b, form):
    """Arguments and results arrive with their calls, where the format has room for them."""
    program = b.build(os.path.join(HERE, "../tui/programs/given.c"), "-O2")
    trace = b.once("given", "-a", program)
    done = b.export(form, trace)
    if done.status:
        return done.err.decode()
    if form != "speedscope" and told_values(b, form) != TOLD:
        return "%s is not %s" % (told_values(b, form), TOLD)
    return b.differs(form, trace)


CASES = (stacks, values, losses, newest, names, nothing, many_threads, full_disk, full_stdout, dash_is_stdout,
         closed_pipe, no_folder, not_over_itself, not_over_for_nothing, damage, range_alone, memory, opens_in_jq)


def suite_of(suite):
    bench = Bench(suite)
    for form in FORMATS:
        suite.run_all(CASES, bench, form, prefix="export %s: " % form)


if __name__ == "__main__":
    tap.main(suite_of)
