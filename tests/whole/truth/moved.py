#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Calls that go on elsewhere: contexts in another thread, vfork children on their parent's stack.
And what kind of stack each is on.

A call that another thread ends has its end all the same, and a vfork child's calls are its own.
"""
import collections
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


def check(fctrace, name, flags, options, top):
    program, trace = os.path.join(top, name), os.path.join(top, name + ".data")
    run.must(["gcc", *flags, "-o", program, os.path.join(PROGRAMS, name + ".c"), "-pthread"])
    bare = tap.run([program])
    for _ in range(ROUNDS):
        done = tap.run([fctrace, "record", *options, "-o", trace, program])
        if (done.status, sorted(done.out.split())) != (bare.status, sorted(bare.out.split())):
            return "status %d, untraced %d; stderr: %s" % (
                done.status, bare.status, done.err.decode(errors="replace")[-500:])
        wrong = CASES[name](calls(fctrace, trace))
        if wrong:
            return wrong
    return None


def suite_of(suite):
    ways = [(build, flags, libs, ["--libs=" + libs]) for build, flags in BUILDS.items()
            for libs in ("none", "all")]
    cases = [(name, *way) for name in CASES for way in ways]
    cases.append(("vfork", "O2", BUILDS["O2"], "stepped", ["--backend=step", "--libs=none"]))
    cases.append(("kinds", "O2", BUILDS["O2"], "filtered", ["--libs=none", "-D", "50"]))
    for name, build, flags, label, how in cases:
        suite.run("moved %s/%s/%s" % (name, build, label),
                  check, suite.fctrace, name, flags, how, suite.folder)


if __name__ == "__main__":
    tap.main(suite_of)
