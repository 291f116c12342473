#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Only under a function: what -F leaves out is never missing under a function that matches.

`record -F f` hooks fewer functions, and records only under f. It must show what `replay -F f`
shows of a trace of all calls: the same calls, order, nesting and ends.
"""
import collections
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import run  # noqa: E402
import tap  # noqa: E402
import truth  # noqa: E402
from witness import differ  # noqa: E402

FOLDERS = [os.path.join(HERE, folder) for folder in ("asked", "witnessed", "programs")]
BUILDS = {build.name: build for build in run.BUILDS}
REASON = "cannot be reached from -F "
ASKED_MAX = 5
Case = collections.namedtuple("Case", "name build libs")

# Programs that do the same each time.
CASES = [Case(*case.split("/")) for case in """
    under/O2/none      under/O0/api      under/nopie/all    under/static/all
    under/clang/none   under/stripped/api
    callbacks/O2/api   handlers/O2/none  tail/O2/api        longjmp/O2/api
    exceptions/O2/api  throws/O2/none    quiet_catch/O2/none leaving/O2/none
    contexts/O2/none   contexts_adjacent/O2/none            altstack/O2/none
    recursion/O2/api   loops/O2/none     fork/O2/none       dlopen/O2/none
    exec/O2/none       thread_exit/O2/none                  pointers/O2/none
""".split()]

# Installed programs: stripped, or not; with functions that only main leads to.
INSTALLED = {
    "ls": ["ls", "-lR", HERE],
    "sort": ["sort", os.path.abspath(__file__)],
    "find": ["find", HERE, "-name", "*.c"],
    "xz": ["xz", "-kc", os.path.abspath(__file__)],
    "gawk": ["gawk", "/a/ { n++ } END { print n }", os.path.abspath(__file__)],
}


def source_of(name):
    for folder in FOLDERS:
        for suffix in (".c", ".cc"):
            path = os.path.join(folder, name + suffix)
            if os.path.exists(path):
                return path
    raise RuntimeError("no program " + name)


def compile_unexported(program):
    """Without -rdynamic, as most programs are: what is exported may be called by anyone."""
    if program.has_plugin:
        program.compile()
        return
    compiler = program.build.compiler
    if program.source.endswith(".cc"):
        compiler = {"gcc": "g++", "clang": "clang++"}[compiler]
    run.must([compiler, *run.WARNINGS, *program.build.flags, "-o", program.path, program.source,
              "-lpthread", "-ldl"])
    if program.build.is_stripped:
        program.strip(program.path)


class Subject:
    """A program, and how it is traced."""

    def __init__(self, fctrace, argv, libs, folder):
        self.fctrace, self.argv, self.libs, self.folder = fctrace, argv, libs, folder

    def record(self, trace, only=None, how="-F"):
        asked = [how, only] if only else []
        return tap.run([self.fctrace, "record", "--libs=" + self.libs, *asked, "-o", trace,
                        *self.argv], cwd=self.folder)

    def replay(self, trace, only=None, how="-F"):
        asked = [how, only] if only else []
        shown = tap.run([self.fctrace, "replay", "--demangle=no", *asked, trace], cwd=self.folder)
        if shown.status:
            raise RuntimeError("replay: status %d: %s" % (shown.status,
                                                          shown.err.decode()[-500:]))
        return truth.printed(shown.out.decode(errors="replace"))


def left_out(fctrace, trace):
    """How many functions the trace says were left out."""
    info = json.loads(tap.run([fctrace, "info", "--json", trace]).out)
    return sum(reason["functions"] for module in info["modules"]
               for reason in module["reasons"] if reason["why"].startswith(REASON))


def plain(name):
    """A pattern that matches this name only."""
    return "".join("\\" + c if c in "*?[\\" else c for c in name)


def asked_of(rows):
    """Some of the functions that were called, from often to seldom."""
    names = sorted({row[1] for thread in rows.values() for row in thread})
    if len(names) <= ASKED_MAX:
        return names
    return [names[i * len(names) // ASKED_MAX] for i in range(ASKED_MAX)]


def check(subject, folder, always=()):
    """(what is wrong or None, how many functions were left out in all)."""
    everything, some = os.path.join(folder, "all.data"), os.path.join(folder, "some.data")
    full = subject.record(everything)
    rows = subject.replay(everything)
    if not any(rows.values()):
        return "nothing was recorded: " + full.err.decode(errors="replace")[-500:], 0
    nr = 0
    for name in dict.fromkeys([*always, *asked_of(rows)]):
        ended = subject.record(some, plain(name))
        wrong = run.same_end(full, ended)
        if wrong:
            return "-F %s: %s" % (name, wrong), nr
        nr += left_out(subject.fctrace, some)
        wrong = differ(subject.replay(some), subject.replay(everything, plain(name)))
        if wrong:
            return "-F %s: (patch: -F of record, step: of replay) %s" % (name, wrong), nr
    return None, nr


# tail.c: first jumps to second, that calls last and jumps to third, that jumps to last.
BENEATH = {"first": {"first", "second", "third", "last"}, "second": {"second", "third", "last"},
           "third": {"third", "last"}, "last": {"last"}}


def jumped(subject, folder):
    """What is reached by tail jumps is beneath who jumped: for -F, and for -N."""
    everything, some = os.path.join(folder, "all.data"), os.path.join(folder, "some.data")
    subject.record(everything)
    for name, beneath in BENEATH.items():
        for how in ("-F", "-N"):
            subject.record(some, name, how)
            recorded = subject.replay(some)
            wrong = differ(recorded, subject.replay(everything, name, how))
            if wrong:
                return "%s %s: (patch: of record, step: of replay) %s" % (how, name, wrong)
            names = {row[1] for thread in recorded.values() for row in thread}
            if how == "-F" and names != beneath:
                return "-F %s shows %s" % (name, sorted(names))
            if how == "-N" and name == "second" and "third" in names:
                return "-N second shows what it jumped to"
    return None


def made(fctrace, case, top):
    tap.need(BUILDS[case.build].compiler)
    folder = os.path.join(top, "%s.%s.%s" % case)
    os.makedirs(folder, exist_ok=True)
    program = run.Program(source_of(case.name), BUILDS[case.build], folder)
    compile_unexported(program)
    subject = Subject(fctrace, [program.path], case.libs, folder)
    is_own = case.name == "under" and not program.build.is_stripped
    always = ["f", "shared", "f_forks", "f_switches", "f_then_shared", "to_f", "handler",
              "set_up", "only_tidy"] if is_own else []
    wrong, nr = check(subject, folder, always)
    if not wrong and is_own and not nr:
        return "no function was left out"
    if not wrong and case.name == "tail":
        return jumped(subject, folder)
    return wrong


def installed(fctrace, name, top):
    tap.need(name)
    folder = os.path.join(top, name)
    os.makedirs(folder, exist_ok=True)
    wrong, _ = check(Subject(fctrace, INSTALLED[name], "none", folder), folder)
    return wrong


def suite_of(suite):
    for case in CASES:
        suite.run("under %s/%s/%s" % case, made, suite.fctrace, case, suite.folder)
    for name in INSTALLED:
        suite.run("under " + name, installed, suite.fctrace, name, suite.folder)


if __name__ == "__main__":
    tap.main(suite_of)
