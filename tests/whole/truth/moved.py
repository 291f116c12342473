#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Calls that go on elsewhere: contexts in another thread, vfork children on their parent's stack.
And what kind of stack each is on, and which thread made each call.

A call that another thread ends has its end all the same, and a vfork child's calls are its own.
"""
import collections
import itertools
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import run  # noqa: E402
import tap  # noqa: E402

PROGRAMS = os.path.join(HERE, "moved")
BUILDS = {"O2": ["-O2"], "O0": ["-O0"], "static": ["-O2", "-static"]}
ROUNDS = 3  # which thread is seen to end first differs
STEPPED = "stepped"  # six seconds of CPU time each: in the short form one round
# How often each function returns; of contexts.c in parent and child.
CONTEXTS = {"hop": 40, "hop_and_call": 20, "outer": 24, "leaf": 28}
# Of kinds.c, in each of two threads.
KINDS = {("on_thread", "thread"): 6, ("on_signal", "signal"): 2, ("on_context", "context"): 4}
OUTLIVED = {"hop": 5, "outer": 1, "leaf": 5}


def calls(fctrace, trace):
    """The rows of all calls; a trace with a damaged or missing part is none."""
    done = tap.run([fctrace, "query", "--json", trace, "SELECT name, ended, tid, pid, entered, "
                    "kind FROM calls LEFT JOIN (SELECT strand, kind FROM strands) "
                    "USING (strand)"])
    if done.status:
        raise RuntimeError("query: status %d: %s" % (done.status, done.err.decode()[-500:]))
    return json.loads(done.out)


def returns(expected):
    def check_rows(rows):
        got = collections.Counter(row["name"] for row in rows
                                  if row["ended"] in ("return", "tail"))
        wrong = {name: got[name] for name in expected if got[name] != expected[name]}
        return "returns of %s, expected %s" % (wrong, expected) if wrong else None
    return check_rows


def vfork(rows):
    """Six children, each of which calls in_child three times; the parent calls in_parent."""
    children = collections.Counter(row["tid"] for row in rows if row["name"] == "in_child")
    parents = {row["pid"] for row in rows if row["name"] == "in_parent"}
    if len(parents) != 1:
        return "in_parent is called in %d processes" % len(parents)
    if sorted(children.values()) != [3] * 6 or parents & set(children):
        return "in_child: calls by thread: %s; the parent is %s" % (dict(children), parents)
    left = [row for row in rows if row["name"] == "spawn" and row["entered"]
            and row["ended"] not in ("return", "tail")]
    return "spawn did not return" if left else None


def kinds(rows):
    got = collections.Counter((row["name"], row["kind"]) for row in rows
                              if row["name"].startswith("on_"))
    return "calls by kind of stack: %s, expected %s" % (dict(got), KINDS) if got != KINDS else None


CASES = {"contexts": returns(CONTEXTS), "outlived": returns(OUTLIVED), "vfork": vfork,
         "kinds": kinds}


def check(fctrace, name, flags, options, top, nr_rounds):
    program, trace = os.path.join(top, name), os.path.join(top, name + ".data")
    run.must(["gcc", *flags, "-o", program, os.path.join(PROGRAMS, name + ".c"), "-pthread"])
    bare = tap.run([program])
    for _ in range(nr_rounds):
        done = tap.run([fctrace, "record", *options, "-o", trace, program])
        if (done.status, sorted(done.out.split())) != (bare.status, sorted(bare.out.split())):
            return "status %d, untraced %d; stderr: %s" % (
                done.status, bare.status, done.err.decode(errors="replace")[-500:])
        wrong = CASES[name](calls(fctrace, trace))
        if wrong:
            return wrong
    return None


# How a trace is made whose calls are all there.
RECORDS = {"plain": [], "small ring": ["--ring=64k"], "asked": ["-F", "body", "-F", "step"],
           "filtered": ["-D", "50"], "kept": ["--loss=ring", "--ring=16m"]}
NOTED = "('step', 'outer', 'inner', 'leaf')"


def notes(path):
    """Rows of function and thread, with how many calls they stand for, as the program saw them."""
    with open(path) as f:
        return [((name, int(tid)), int(nr)) for name, tid, nr in map(str.split, f)]


def told(rows):
    return [(key, len(list(group)))
            for key, group in itertools.groupby((row["name"], row["tid"]) for row in rows)]


def differ(what, got, want):
    if got == want:
        return None
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    return "%s: %d rows, expected %d; from row %d on %s, expected %s" % (
        what, len(got), len(want), at, got[at:at + 3], want[at:at + 3])


def counts_of(rows):
    sums = collections.Counter()
    for key, nr in rows:
        sums[key] += nr
    return sums


def is_leaf(line):
    """Its begin: there may be a wait for fctrace in it."""
    return "leaf();" in line or "leaf() {" in line


def wrong_thread(fctrace, trace, tid, want):
    """What commands tell of one thread: the calls that it made, whoever began the stack."""
    rows = json.loads(tap.run([fctrace, "query", "--json", trace,
                               "SELECT name, COUNT(*) AS nr FROM calls WHERE tid = %d AND entered "
                               "AND name IN %s GROUP BY name" % (tid, NOTED)]).out)
    by_query = {row["name"]: row["nr"] for row in rows}
    if by_query != want:
        return "query of thread %d: %s, expected %s" % (tid, by_query, want)
    lines = tap.run([fctrace, "replay", "--tid", str(tid), trace]).out.decode().splitlines()
    nr = sum(is_leaf(line) for line in lines)
    if nr != want["leaf"]:
        return "replay of thread %d: %d calls of leaf, expected %d" % (tid, nr, want["leaf"])
    alien = [line for line in lines if "] |" in line and "[%6d]" % tid not in line]
    if alien:
        return "replay of thread %d: %s" % (tid, alien[:3])
    report = json.loads(tap.run([fctrace, "report", "--json", "--tid", str(tid), trace]).out)
    by_report = {row["function"]: row["calls"] for row in report}
    if by_report.get("leaf") != want["leaf"] or by_report.get("step") != want["step"]:
        return "report of thread %d: %s, expected %s" % (tid, by_report, want)
    return None


def check_threads(fctrace, flags, options, top):
    """Stacks that are taken from thread to thread: the program tells which ran what."""
    program, trace = os.path.join(top, "threads"), os.path.join(top, "threads.data")
    path = os.path.join(top, "threads.notes")
    run.must(["gcc", *flags, "-o", program, os.path.join(PROGRAMS, "threads.c"), "-pthread"])
    done = tap.run([fctrace, "record", "--libs=none", *options, "-o", trace, program, path])
    if done.status:
        return "status %d: %s" % (done.status, done.err.decode(errors="replace")[-500:])
    want = notes(path)
    rows = json.loads(tap.run([fctrace, "query", "--json", trace,
                               "SELECT name, tid FROM calls WHERE entered AND name IN %s "
                               "ORDER BY begin_ns, depth" % NOTED]).out)
    wrong = differ("query", told(rows), want)
    if wrong or options:
        return wrong
    done = tap.run([fctrace, "export", "--format=jsonl", trace])
    lines = [json.loads(line) for line in done.out.splitlines()]
    calls_told = [line for line in lines if line["type"] == "call" and line["entered"]
                  and line["name"] in NOTED]
    # Who calls at once begins in the same nanosecond as what it calls.
    calls_told.sort(key=lambda line: (line["begin_ns"], line["depth"]))
    wrong = differ("export", told(calls_told), want)
    leaves = [key[1] for key, nr in want if key[0] == "leaf" and nr > 1000]
    sums = counts_of(want)
    for tid in () if wrong else list(dict.fromkeys(leaves))[:3]:
        wrong = wrong or wrong_thread(fctrace, trace, tid, {
            name: nr for (name, of), nr in sums.items() if of == tid})
    return wrong


def check_live(fctrace, top):
    """What is printed while the program runs."""
    program, path = os.path.join(top, "threads"), os.path.join(top, "threads.notes")
    run.must(["gcc", "-O2", "-o", program, os.path.join(PROGRAMS, "threads.c"), "-pthread"])
    done = tap.run([fctrace, "--libs=none", "-F", "leaf", program, path])
    tids = [int(line.split("[")[1].split("]")[0])
            for line in (done.out + done.err).decode().splitlines() if is_leaf(line)]
    got = [(("leaf", tid), len(list(group))) for tid, group in itertools.groupby(tids)]
    want = [(("leaf", tid), sum(nr for _, nr in group)) for tid, group in itertools.groupby(
        (row for row in notes(path) if row[0][0] == "leaf"), lambda row: row[0][1])]
    return differ("live", got, want)


def suite_of(suite):
    ways = [(build, flags, libs, ["--libs=" + libs]) for build, flags in BUILDS.items()
            for libs in ("none", "all")]
    cases = [(name, *way) for name in CASES for way in ways]
    cases.append(("vfork", "O2", BUILDS["O2"], STEPPED, ["--backend=step", "--libs=none"]))
    cases.append(("kinds", "O2", BUILDS["O2"], "filtered", ["--libs=none", "-D", "50"]))
    for name, build, flags, label, how in cases:
        if build != "O2" and not suite.has_turn("%s/%s/%s" % (name, build, label), of=3):
            continue
        suite.run("moved %s/%s/%s" % (name, build, label),
                  check, suite.fctrace, name, flags, how, suite.folder,
                  1 if label == STEPPED and not suite.is_long else ROUNDS)
    for nr, build in enumerate(BUILDS):
        if build != "O2" and not suite.has_turn("threads", 3, nr):
            continue
        suite.run("moved threads/%s" % build, check_threads, suite.fctrace, BUILDS[build], [],
                  suite.folder)
    for label, options in RECORDS.items():
        if options:
            suite.run("moved threads/O2/%s" % label, check_threads, suite.fctrace, BUILDS["O2"],
                      options, suite.folder)
    suite.run("moved threads/live", check_live, suite.fctrace, suite.folder)


if __name__ == "__main__":
    tap.main(suite_of)
