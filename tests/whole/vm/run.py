#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Other suites on machines that this one is not: in virtual ones that lack what CPUs or kernels
may lack.

A machine without FSGSBASE is one whose kernel is told so: the instructions are then illegal. It has Yama, too,
and is locked down.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../.."))
import guest  # noqa: E402
import tap  # noqa: E402

# A suite, and which of its cases. Each suite begins once: Python takes a second for that there. In the
# short form the first one runs, and a third of the others by turns.
CHOSEN = [(name, "|".join(texts)) for name, *texts in [
    ("whole/vm/lacks.py", ""),
    ("whole/truth/run.py", "carved/O2", "large_frames/O2", "threads/static"),
    ("whole/truth/moved.py", "kinds/O2/none"),
    ("capture/patch/gs/run.py", "record --libs=none: host asks run",
     "record --libs=none: host threads", "attach to host", "record --libs=none: host unwind run"),
    ("whole/restricted/run.py", "signals on a stack of their own",
     "a program executed under a filter"),
    ("whole/unharmed/run.py", "sort in parallel", "perl"),
    ("whole/vm/limits.py", ""),  # the last one: ptrace_scope 3 stays
]]
WHOLE = [("whole/vm/lacks.py", "")] + [(name, "") for name in (
    "whole/truth/run.py", "whole/truth/moved.py", "whole/ways/run.py", "capture/patch/gs/run.py",
    "whole/restricted/run.py", "capture/user/attach/run.py", "whole/unharmed/run.py", "whole/vm/limits.py")]


def short_of(name):
    return re.sub(r"(/run)?\.py$", "", name).rpartition("/")[2]


class Lines:
    """What suites in a guest print becomes cases of this suite."""

    def __init__(self, suite, where):
        self.suite, self.where = suite, where
        self.case, self.why, self.name, self.rest = None, [], "", []
        self.has_failed, self.nr_cases = False, 0

    def __call__(self, line):
        told = re.match(r"(not )?ok (.*?)(?: # SKIP (.*))?$", line)
        ended = re.match(r"guest: status (\d+)$", line)
        if ended:
            self.end()
            if (ended[1] != "0" and not self.has_failed) or not self.nr_cases:
                self.fail("%s ended with status %s, %s" % (self.name, ended[1], self.where), self.rest)
        elif line.startswith("guest: "):
            self.end()
            self.name, self.rest = short_of(line[len("guest: "):]), []
            self.has_failed, self.nr_cases = False, 0
        elif told:
            self.end()
            self.case = told
            self.nr_cases += 1
        elif self.case and line.startswith("#"):
            self.why.append(line[1:].strip())
        else:
            self.rest.append(line)

    def end(self):
        if self.case:
            name = "%s: %s, %s" % (self.name, self.case[2], self.where)
            if self.case[1]:
                self.fail(name, self.why)
            elif self.case[3]:
                self.suite.skip(name, self.case[3])
            else:
                self.suite.ok(name)
        self.case, self.why = None, []

    def fail(self, name, why):
        self.has_failed = True
        self.suite.fail(name, "\n".join(why))


def run_in(suite, kernel, nr, chosen, words, where):
    folder = os.path.join(suite.folder, "machine%d" % nr)
    os.makedirs(folder)
    machine = guest.Guest(folder, suite.fctrace, is_long=suite.is_long)
    for name, *told in chosen:
        machine.add_suite(name, *told).wait()
    version = os.path.basename(kernel).replace("vmlinuz-", "")
    lines = Lines(suite, "Linux %s %s" % (version, where))
    machine.boot(kernel, *words, told=lines)
    lines.end()


def run_in_each(suite, what, chosen, words=()):
    """Suites, and what each is told, in a machine with one kernel, in the long form with each. words: what
    the kernel is told; what: what that makes of the machine."""
    try:
        guest.need()
        kernels = guest.kernels()
    except tap.Skip as why:
        suite.skip("machines " + what, why)
        return
    for nr, kernel in enumerate(kernels if suite.is_long else kernels[:1]):
        try:
            run_in(suite, kernel, nr, chosen, words, what)
        except tap.Wrong as why:
            suite.fail("a machine with " + os.path.basename(kernel), why)


def suite_of(suite):
    chosen = WHOLE if suite.is_long else CHOSEN[:1] + [
        one for nr, one in enumerate(CHOSEN[1:]) if suite.has_turn("short", 3, nr)]
    if suite.args.suite:
        chosen = [(suite.args.suite, suite.args.case)]
    run_in_each(suite, "without FSGSBASE", [(name, "--only", only) for name, only in chosen],
                ["nofsgsbase", "lsm=lockdown,yama", "lockdown=confidentiality"])


if __name__ == "__main__":
    tap.main(suite_of, suite={"default": "", "metavar": "FILE",
                              "help": "only this one of tests/, such as whole/truth/run.py"},
             case={"default": "", "metavar": "TEXT", "help": "and of it what --only says"})
