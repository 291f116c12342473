#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Traces unlike others.

Whatever a trace is, each command that reads gives a right answer or one clear sentence, within
bounds of time and memory, and shows nothing that steers a terminal. With --sanitized all of it
is done by that program, too.
"""
import csv
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import forged  # noqa: E402
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

# What reads a trace: words, and where the trace stands among them. Those that are not there
# (see fctrace help) are left out. "json": stdout is JSON.
TRACE = "{}"
COMMANDS = [
    ["report", TRACE], ["report", "--json", TRACE], ["report", "-F", "*e*", TRACE],
    ["report", "--by", "thread", "--json", TRACE],
    ["replay", TRACE], ["replay", "--demangle=full", "-D", "3", TRACE],
    ["replay", "--last", "20", TRACE],
    ["info", TRACE], ["info", "--json", TRACE],
    ["graph", TRACE], ["graph", "--json", TRACE],
    ["diff", TRACE, TRACE], ["diff", "--json", "--all", TRACE, TRACE],
    ["diff", "--csv", "--all", TRACE, TRACE],
    ["query", TRACE, "SELECT count(*), sum(duration_ns), max(depth) FROM calls"],
    ["query", "--json", TRACE, "SELECT * FROM functions"],
    ["query", TRACE, "SELECT name, module FROM functions"],
    ["query", "--csv", TRACE, "SELECT * FROM functions"], ["report", "--csv", TRACE],
    ["export", "-f", "csv", TRACE], ["export", "-f", "jsonl", TRACE],
    ["export", "-f", "chrome", TRACE], ["export", "-f", "speedscope", TRACE],
    ["export", "-f", "folded", TRACE], ["export", "-f", "folded", "--by-thread", TRACE],
    ["export", "-f", "flamegraph", TRACE], ["export", "-f", "flamegraph", "--by-calls", TRACE],
    ["export", "-f", "callgrind", TRACE], ["export", "-f", "dot", TRACE],
]
STATUSES = (0, 3, 4)  # shown; not usable; shown, but some of it is missing
LIMIT_S = 30  # of CPU time: a busy machine is no fault of theirs
HANG = 10  # times as long it may be at it
LIMIT_MB = 200
SHOWN_MAX = 8 << 20  # of what is shown is looked at
SANITIZED_LIMIT_S = 120

NASTY = [  # names of functions
    b"\x1b[2J\x1b]0;title\x07\r\t\x7f", b"two\nlines", b"\xc2\x9b2J\xe2\x80\xaeback", b"\xff\xfe\x80\x9b2J",
    b'"quotes\\ {}, <b>&amp;', b"%s%n%s%n%999999999d", "größe_länge_€".encode(), b"=1+1,'x\",;",
    b"_Z1f" + b"P" * 3000 + b"i", b"_ZN4evil\x1b[1mEv", b"_RNvC1a1\x07", b"_ZN", b"' OR 1=1 --",
    b"_Z1fSt4pairIiiE" + b"".join(b"S_IS%c_S%c_E" % (c, c) for c in b"0123456789ABCDEFGHIJKLMNO"),
    b"n" * 60000, b" ", b"-", b"?",
]


class Reader:
    """One fctrace that reads: so many damaged traces, and traces of so many calls."""

    def __init__(self, program, limit_s, limit_mb, rounds, nr_calls):
        self.program, self.limit_s, self.limit_mb = program, limit_s, limit_mb
        self.rounds, self.nr_calls = rounds, nr_calls
        text = tap.run([program, "help"]).out.decode()
        known = set(re.findall(r"^  (\w+) ", text, re.M))
        self.commands = [words for words in COMMANDS if words[0] in known and
                         all(self.knows(words[0], word) for word in words if word[:2] == "--")]

    def knows(self, command, option):
        return option.split("=")[0].encode() in tap.run([self.program, command, "--help"]).out

    def run(self, words, trace):
        """The status, stdout and stderr of one command; what is wrong whatever the trace is."""
        argv = [self.program] + [trace if word == TRACE else word for word in words]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            proc = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                    env=dict(os.environ, PAGER="cat", TERM="dumb"))
            end = time.monotonic() + self.limit_s * HANG
            while True:
                pid, status, usage = os.wait4(proc.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() > end:
                    proc.kill()
                    os.wait4(proc.pid, 0)
                    proc.returncode = -9
                    raise Wrong("%s: not done after %d s" % (words, self.limit_s * HANG))
                time.sleep(0.005)
            proc.returncode = os.waitstatus_to_exitcode(status)
            if usage.ru_utime + usage.ru_stime > self.limit_s:
                raise Wrong("%s: took %.1f s" % (words, usage.ru_utime + usage.ru_stime))
            out.seek(0)
            err.seek(0)
            # A program counts as large as the one that started it: this one stays small.
            text, said = out.read(SHOWN_MAX), err.read(SHOWN_MAX)
        self.check(words, proc.returncode, text, said, usage.ru_maxrss / 1024)
        return proc.returncode, text, said

    def check(self, words, status, out, err, mb):
        what = " ".join(words)
        is_whole = len(out) < SHOWN_MAX
        if not is_whole:  # it may end in the middle of a character
            out = out[:out.rindex(b"\n") + 1]
        if status not in STATUSES:
            raise Wrong("%s: status %d\n%s" % (what, status, err.decode(errors="replace")[:2000]))
        if b"runtime error" in err or b"Sanitizer" in err:
            raise Wrong("%s: %s" % (what, err.decode(errors="replace")[:3000]))
        lines = err.decode(errors="replace").splitlines()
        if any(not line.startswith("fctrace: ") for line in lines) or len(lines) > 3:
            raise Wrong("%s: says %r" % (what, err[:2000]))
        if status and not lines:
            raise Wrong("%s: status %d, and says nothing" % (what, status))
        if status == 3 and (len(lines) != 1 or out.count(b"\n") > 1):
            raise Wrong("%s: status 3, says %r and shows %r" % (what, err, out[:200]))
        if self.limit_mb and mb > self.limit_mb:
            raise Wrong("%s: took %d MB" % (what, mb))
        is_csv = "--csv" in words or "csv" in words
        if words[0] == "export":
            out = out.replace(b"\t", b" ")  # lines of DOT and of scripts begin with it
        if is_csv:
            out = out.replace(b"\r\n", b"\n")  # as RFC 4180 ends lines
            self.check_csv(what, out)
        for text in (out, err):
            steering = re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", text)
            if steering:
                around = text[max(steering.start() - 100, 0):steering.end() + 100]
                raise Wrong("%s: steers the terminal: %r" % (what, around))
            try:
                text = text.decode()
            except UnicodeDecodeError as e:
                raise Wrong("%s: no UTF-8: %s" % (what, e)) from e
            if re.search("[\x80-\x9f\u2028-\u202e\u2066-\u2069]", text) and "--json" not in words:
                raise Wrong("%s: steers the terminal" % what)
        if "--json" in words and status != 3 and is_whole:
            try:
                json.loads(out)
            except ValueError as e:
                raise Wrong("%s: no JSON: %s: %r" % (what, e, out[:200])) from e

    def check_csv(self, what, out):
        """No cell that a spreadsheet takes for a formula."""
        for row in csv.reader(io.StringIO(out.decode(errors="replace"), newline="")):
            for cell in row:
                if re.match(r"[=+@-](?![0-9.]+$)", cell):
                    raise Wrong("%s: a formula: %r" % (what, cell[:100]))

    def calls(self, trace):
        """Calls of each function; None: not usable."""
        status, out, _ = self.run(["report", "--json", TRACE], trace)
        if status == 3:
            return None
        sums = {}
        for row in json.loads(out):
            sums[row["function"]] = sums.get(row["function"], 0) + row["calls"]
        return sums

    def run_all(self, trace):
        """Every command, two at a time; their statuses agree on whether it is a trace."""
        with tap.workers() as pool:
            done = list(pool.map(lambda words: self.run(words, trace)[0], self.commands))
        statuses = {" ".join(words): status for words, status in zip(self.commands, done)}
        if 3 in statuses.values() and set(statuses.values()) != {3}:
            raise Wrong("some can read it, some cannot: %s" % statuses)
        return statuses


class Bench(bench.Bench):
    """The programs, and traces of them."""

    flags, limit_s = ["-O1", "-fno-optimize-sibling-calls", "-pthread"], 120

    def __init__(self, suite):
        super().__init__(suite)
        self.odd = self.build("odd.c", "-I", self.folder, out="odd")
        self.random = random.Random(20)
        self.made = {}
        self.put_names()

    def put_names(self):
        """Put the names over those that the compiler took."""
        with open(self.odd, "rb") as f:
            binary = f.read()
        for i, name in enumerate(NASTY):
            old = stand_in(i).encode()
            if binary.count(b"\0" + old + b"\0") != 1:
                raise Wrong("%s is there %d times" % (old[:20], binary.count(old)))
            binary = binary.replace(b"\0" + old + b"\0", b"\0" + name.ljust(len(old), b"\0") + b"\0")
        self.write("odd", binary, 0o755)

    def once(self, *words, options=("--libs=none",)):
        key = words + tuple(options)
        if key not in self.made:
            self.made[key] = self.trace_of(self.odd, *words, options=options, to="%d.data" % len(self.made))
        return self.made[key]

    def changed(self, content):
        return self.write("changed.data", content)

    def small(self):
        """A trace of all kinds of packets, small enough to be damaged often."""
        with open(self.once("threads", "20"), "rb") as f:
            return f.read()


def stand_in(i):
    """Names are shorter than those that stand for them, so that all fit."""
    return ("name_%03d_" % i).ljust(max(len(NASTY[i]), 10), "x")


def write_names(folder):
    with open(os.path.join(folder, "names.h"), "w") as f:
        for i in range(len(NASTY)):
            f.write("__attribute__((noinline)) void %s(void) { asm volatile(\"nop; nop; nop; nop; nop\"); }\n" %
                    stand_in(i))
        f.write("static void call_names(void)\n{\n\tfor (int i = 0; i < 3; i++) {\n")
        f.writelines("\t\t%s();\n" % stand_in(i) for i in range(len(NASTY)))
        f.write("\t}\n}\n")


def expect(got, name, nr):
    if got is None or got.get(name) != nr:
        raise Wrong("%s was called %s times instead of %d" % (name, got and got.get(name), nr))


# ---- cases: each (bench, reader) ----

def empty(bench, reader):
    for content in (b"", b"\0", b"\n", b"\0" * 100000, b"not a trace at all\n" * 1000):
        if set(reader.run_all(bench.changed(content)).values()) != {3}:
            raise Wrong("%r is read" % content[:20])


def check_part(reader, whole, trace, what):
    """Damaged, it has no call that the whole has not."""
    got = reader.calls(trace)
    for name, nr in (got or {}).items():
        # A name may be what is missing.
        most = max(whole.values()) if name.startswith("odd+0x") or name == "?" else whole.get(name, 0)
        if nr > most:
            raise Wrong("%s: %d calls of %s instead of %d" % (what, nr, name, most))


TRAILER = 16  # bytes behind the last packet: without them a trace is whole, but found more slowly


def cut(bench, reader):
    whole, content = reader.calls(bench.once("threads", "20")), bench.small()
    lengths = set(range(1, 64)) | {len(content) - i for i in range(1, 64)}
    lengths |= {bench.random.randrange(len(content)) for _ in range(reader.rounds)}
    sample = bench.random.sample(sorted(lengths), min(reader.rounds, len(lengths)))
    for length in sample + [len(content) - TRAILER]:
        trace = bench.changed(content[:length])
        try:
            statuses = reader.run_all(trace)
            if length == len(content) - TRAILER:
                if set(statuses.values()) != {0} or reader.calls(trace) != whole:
                    raise Wrong("it is not whole without its trailer: %s" % statuses)
            elif 0 in statuses.values():
                raise Wrong("nobody notices")
            check_part(reader, whole, trace, "cut")
        except Wrong as e:
            raise Wrong("cut at %d of %d: %s" % (length, len(content), e)) from e


def corrupt(content, at, chance):
    kind = chance.randrange(4)
    if kind == 0:
        content[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        content[at:at + 8] = chance.randbytes(8)
    elif kind == 2:
        del content[at:at + chance.randrange(1, 200)]
    else:
        content[at:at] = chance.randbytes(chance.randrange(1, 200))
    return content


def corrupted(bench, reader):
    whole, content = reader.calls(bench.once("threads", "20")), bench.small()
    for i in range(reader.rounds):
        seed = "%d" % i
        chance = random.Random(seed)
        damaged = corrupt(bytearray(content), chance.randrange(len(content)), chance)
        trace = bench.changed(bytes(damaged))
        try:
            reader.run_all(trace)
            check_part(reader, whole, trace, "corrupted")
        except Wrong as e:
            kept = os.path.join(tempfile.gettempdir(), "fctrace-odd-corrupted.data")
            shutil.copy(trace, kept)
            raise Wrong("corrupted with seed %s, see %s: %s" % (seed, kept, e)) from e


def killed(bench, reader):
    trace = bench.path("killed.data")
    if not os.path.exists(trace):
        tracer = subprocess.Popen([bench.fctrace, "record", "--libs=none", "-o", trace, bench.odd,
                                   "wait", "1500000"], stderr=subprocess.DEVNULL,
                                  start_new_session=True)
        while not os.path.exists(trace) or os.path.getsize(trace) < 50000:
            if tracer.poll() is not None:
                raise Wrong("record: status %d" % tracer.returncode)
            time.sleep(0.01)
        tracer.send_signal(signal.SIGKILL)
        tracer.wait()
        tap.kill_session(tracer.pid)
    statuses = reader.run_all(trace)
    if set(statuses.values()) != {4}:
        raise Wrong("the tracer was killed, and the statuses are %s" % statuses)
    if reader.calls(trace).get("leaf", 0) < 1000:
        raise Wrong("hardly any call is left")


def lost(bench, reader):
    made = reader.nr_calls
    trace = bench.once("loop", str(made), options=("--libs=none", "--loss=drop", "--ring=64K"))
    reader.run_all(trace)
    facts = json.loads(reader.run(["info", "--json", TRACE], trace)[1])
    if not facts["lost"]:
        raise Skip("nothing was lost")
    nr = reader.calls(trace)["leaf"]
    if not made - facts["lost"] <= nr <= made:
        raise Wrong("%d calls of %d, %d records lost" % (nr, made, facts["lost"]))
    if b" lost */" not in reader.run(["replay", "-D", "1", TRACE], trace)[1]:
        raise Wrong("replay does not show what is lost")
    return None


def only_entries(bench, reader):
    trace = bench.once("twice", "1000", options=("-m", "libc*", "--libs=all", "-F", "_setjmp"))
    reader.run_all(trace)
    expect(reader.calls(trace), "_setjmp", 1001)  # libc calls it once before main()


def many_threads(bench, reader):
    trace = bench.once("threads", "1000")
    reader.run_all(trace)
    got = reader.calls(trace)
    expect(got, "leaf", 10000)
    expect(got, "work", 1000)
    facts = json.loads(reader.run(["info", "--json", TRACE], trace)[1])
    if facts["threads"] != 1001:
        raise Wrong("%d threads" % facts["threads"])


def deep(bench, reader):
    trace = bench.once("deep", str(reader.nr_calls))
    reader.run_all(trace)
    # A shadow stack holds half a million calls; those that go on beyond it are few, and counted.
    facts = json.loads(reader.run(["info", "--json", TRACE], trace)[1])
    if facts["lost"] > 2048:
        raise Wrong("%d records were lost" % facts["lost"])
    expect(reader.calls(trace), "down", reader.nr_calls + 1 - facts["lost"] // 2)


def any_names(bench, reader):
    trace = bench.once("names")
    reader.run_all(trace)
    status, out, _ = reader.run(["report", "--json", "--demangle=no", TRACE], trace)
    rows = [row for row in json.loads(out) if row["calls"] == 3]
    if status or len(rows) != len(NASTY):
        raise Wrong("%d functions were called 3 times instead of %d" % (len(rows), len(NASTY)))
    got = {row["function"] for row in rows}
    for name in NASTY:
        # What is no UTF-8 is replaced byte by byte.
        try:
            text = name.decode()
        except UnicodeDecodeError:
            continue
        if text not in got:
            raise Wrong("%r is missing among %r" % (text[:80], sorted(n[:40] for n in got)))


def exported_names(bench, reader):
    """As formats hold them that have rules of their own: what is in the file is well-formed."""
    trace = bench.once("names")
    picture = reader.run(["export", "-f", "flamegraph", "--min", "0", TRACE], trace)[1]
    frames = [g for g in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}g")
              if g.get("data-v", "").startswith("3 ")]
    if len(frames) != len(NASTY):
        raise Wrong("%d frames of 3 calls instead of %d" % (len(frames), len(NASTY)))
    folded = reader.run(["export", "-f", "folded", "--by-calls", TRACE], trace)[1].decode()
    lines = [line for line in folded.split("\n") if line.endswith(" 3")]
    levels = {line.count(";") for line in lines}
    if len(lines) != len(NASTY) or len(levels) != 1:
        raise Wrong("%d stacks of 3 calls, of %s levels" % (len(lines), levels))
    if not tap.have("callgrind_annotate"):
        raise Skip("callgrind_annotate is not installed")
    path = bench.path("names.callgrind")
    with open(path, "wb") as f:
        f.write(reader.run(["export", "-f", "callgrind", "--by-calls", TRACE], trace)[1])
    done = tap.run(["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", path])
    nr = len(re.findall(rb"^ *3 ", done.out, re.M))
    # Those that are shown alike are one function for it.
    if done.status or b"WARNING" in done.err or nr < len(NASTY) - 3:
        raise Wrong("callgrind_annotate: status %d, %d functions with 3 calls: %s" % (
            done.status, nr, done.err[:300]))
    return None


def reads_events(words):
    """Not of every command all events are read: what functions there are is told elsewhere."""
    return words[0] != "info" and words[-1] != "SELECT name, module FROM functions"


def unknown_marks(bench, reader):
    """Of a later version. Those that may change what is open end their packet, others do not."""
    trace = bench.once("threads", "20")
    found = reader.run(["query", "--json", TRACE, "SELECT id FROM functions WHERE name = 'leaf'"],
                       trace)
    leaf, call = json.loads(found[1])[0]["id"], [forged.ENTRY, forged.RETURN]
    for mark, is_aside in ((42, False), (4, False), (0, False), (200, True), (257, True)):
        for words in ([], [7], list(range(255))):
            image = forged.with_strand(bench.small(), [*call, (mark, words), *call], leaf)
            trace = bench.changed(image)
            expect(reader.calls(trace), "leaf", 202 if is_aside else 201)
        for words in reader.commands:
            status, _, said = reader.run(words, trace)
            if not reads_events(words) and status != 3:
                continue
            wanted = b"a mark that this version does not know (kind %d, record 3 of strand" % mark
            if status != 4 or said.count(wanted) < 1 or b"changed.data" not in said:
                raise Wrong("%s, mark %d: status %d, says %r" % (words, mark, status, said))
            if (b"passed over" in said) != is_aside or (b"is left out" in said) == is_aside:
                raise Wrong("%s, mark %d: says %r" % (words, mark, said))
    for words in ([1], [1, 2], [1, 2, 3, 4, 5], list(range(255))):  # of one that is known
        image = forged.with_strand(bench.small(), [*call, (6, words), *call], leaf)
        trace = bench.changed(image)
        expect(reader.calls(trace), "leaf", 202)
        said = reader.run(["replay", TRACE], trace)[2]
        if b"does not know" in said:
            raise Wrong("%d words: says %r" % (len(words), said))


CASES = {
    "what is no trace is told from one": empty,
    "a trace that is cut anywhere": cut,
    "a trace that is damaged anywhere": corrupted,
    "a trace whose tracer was killed": killed,
    "a trace with lost records": lost,
    "a trace with entries only": only_entries,
    "a trace of 1 000 threads": many_threads,
    "a trace of a deep recursion": deep,
    "a trace with marks of a later version": unknown_marks,
    "functions named in any bytes": any_names,
    "functions named in any bytes, exported": exported_names,
}


def suite_of(suite):
    few = (60, 1000000) if suite.is_long else (10, 100000)
    readers = {"": Reader(suite.fctrace, LIMIT_S, LIMIT_MB, 400 if suite.is_long else 40, 1000000)}
    if suite.args.sanitized:
        readers[", under sanitizers"] = Reader(suite.args.sanitized, SANITIZED_LIMIT_S, None, *few)
    write_names(suite.folder)
    bench = Bench(suite)
    for nr, (name, check) in enumerate(CASES.items()):
        for how, reader in readers.items():
            if not how or suite.has_turn("odd", 3, nr):
                suite.run(name + how, check, bench, reader)


if __name__ == "__main__":
    tap.main(suite_of)
