#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Calls asked for by what they were given and returned: the same live, as they are recorded, and as a
trace is read. What WHERE of `fctrace query` finds is the witness."""
import csv
import io
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

USAGE = 2
NO = 1

# Of which function, which condition, and the same in SQL.
CASES = [
    ("attempt", "ret < 0", "result < 0"),
    ("attempt", "n >= 3 and n != 5", "arg1 >= 3 AND arg1 <> 5"),
    ("attempt", "not (n > 2 or ret == -3)", "NOT (arg1 > 2 OR result = -3)"),
    ("attempt", "n & 1", "arg1 % 2 = 1"),
    ("attempt", "n == 2 || result == 5", "arg1 = 2 OR result = 5"),
    ("visit", 'name ~ "*a"', "arg1 GLOB '*a'"),
    ("visit", 'name == "beta \\"b\\""', "arg1 = 'beta \"b\"'"),
    ("visit", "name == NULL", "arg1 = 0"),
    ("visit", 'name !~ "*/*" && level < 1', "arg1 NOT GLOB '*/*' AND arg2 < 1"),
    ("visit", "arg2 == -1 or level == 0x1", "arg2 IN (-1, 1)"),
    ("paint", "c == BLUE", "arg1 = -3"),
    ("paint", "c != RED and u < 1K", "arg1 <> 0 AND arg2 < 1024"),
    ("scale", "by == 0.5", "arg1 = 0.5"),
    ("scale", "f == 0.1", "arg2 = 0.1"),
    ("scale", "ret < 0", "result < 0"),
    ("scale", "by > -3 and by < 1e3", "arg1 > -3 AND arg1 < 1e3"),
    ("malloc", "size >= 10000 and size < 1M", "arg1 >= 10000 AND arg1 < 1048576"),
    ("open", 'path ~ "/etc/*"', "arg1 GLOB '/etc/*'"),
    ("open", "flags & O_CLOEXEC", "(arg2 & 524288) <> 0"),
    ("open", "flags == O_RDWR|O_CLOEXEC", "arg2 = 524290"),
    ("open", "ret < 0", "result < 0"),
    ("open", 'ret >= 0 and path !~ "/etc/*"', "result >= 0 AND arg1 NOT GLOB '/etc/*'"),
    ("read", "ret < 0", "result < 0"),
]
# What SQL has no column for: the calls that are meant.
OTHERS = [
    ("move", "spot.x == 3", ["move({.x = 3, .y = 4, .name = \"there\"})"]),
    ("move", 'spot->name ~ "h*" and spot.y < 0', ["move({.x = 1, .y = -2, .name = \"here\"})"]),
    ("fill", "*out == 20", ["fill([20], 2)"]),
    ("fill", "*out > 0 and n < 2", ["fill([10], 1)"]),
    ("open", "errno == ENOENT", ['open("/proc/nothing/at/all", O_RDONLY) = -1 ENOENT']),
    ("read", "ret == 4", ['read(PLACE, "\\000\\000\\000\\000", 4) = 4']),
    ("paint", "u == 0xffffffffffffffff", ["paint(BLUE, 18446744073709551615)"]),
    ("visit", 'name ~ "a name*"', ['visit("a name that is longer than what "..., 2)']),
    ("visit", 'name == "a name that is longer than what "', []),
    ("visit", 'name ~ "*of it"', []),
    ("visit", 'not name ~ "*of it" and level > 1', []),
    ("leave", "n == 7", ["leave(7)"]),
]


class Bench(bench.Bench):
    sources, flags = HERE, ["-g", "-O1", "-fno-builtin"]

    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("asked.c")
        self.whole = self.asked("whole.data", "-a")

    def asked(self, name, *options, program=(), status=5):
        return self.trace_of(self.program, *program, options=options, to=name, status=status)

    def shown(self, *options, file=None):
        return calls_of(self.must("replay", *options, file or self.whole)[0])

    def found(self, name, where):
        out, _ = self.must("query", "--csv", self.whole, "SELECT args, result FROM calls WHERE name = '%s' AND "
                          "(%s) ORDER BY begin_ns" % (name, where))
        # A spreadsheet would take what begins so for a formula.
        return ["%s(%s)" % (name, re.sub("^'(?=-)", "", row["args"]))
                for row in csv.DictReader(io.StringIO(out))]


def calls_of(text):
    """Calls as they are shown, each with its depth in blanks; addresses by one name."""
    calls = []
    for line in text.splitlines():
        found = re.match(r"^[^|]*\| (.*)$", line)
        if found and not line.startswith("#") and not found.group(1).strip().startswith("/*"):
            call = re.sub(r" */\*.*\*/$", "", found.group(1)).rstrip(";")
            calls.append(re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", call))
    return calls


def bare(calls):
    """Without results and errors."""
    return [re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", re.sub(r"\)( = .*)?$", ")", call))
            for call in calls]


def case_of(name, condition, where):
    def as_query_finds(bench):
        want = bare(bench.found(name, where))
        if not want:
            raise tap.Wrong("the witness has found nothing")
        option = "%s@if:%s" % (name, condition)
        expect(bare(bench.shown("-D", "1", "-F", option)), want)
    as_query_finds.__name__ = "%s: %s" % (name, condition)
    return as_query_finds


def other_of(name, condition, want):
    def as_it_was_passed(bench):
        got = [re.sub(r"^read\(\d+", "read(PLACE", call)
               for call in bench.shown("-D", "1", "-F", "%s@if:%s" % (name, condition))]
        expect([re.sub(r" *\{\.\.\..*", "", call) for call in got], want)
    as_it_was_passed.__name__ = "%s: %s" % (name, condition)
    return as_it_was_passed


MANY = ["-F", 'open@if:path ~ "/etc/*"', "-F", "attempt@if:ret < 0", "-F", "malloc@if:size > 1M",
        "-F", "scale@if:by < 0", "-F", "paint@if:c == GREEN", "-F", "read@if:ret < 0",
        "-F", 'visit@if:name ~ "g*" or level == 1']


def live_recorded_and_replayed_are_the_same(bench):
    want = bench.shown(*MANY)
    expect(bench.shown(file=bench.asked("some.data", "-a", *MANY)), want)
    _, live = bench.must("-a", *MANY, bench.program, status=5)
    expect(calls_of(live), want)
    expect(bench.shown(file=bench.asked("ring.data", "-a", "--loss=ring", *MANY)), want)


def a_condition_asks_for_the_values_that_it_needs(bench):
    want = bench.shown("-D", "1", *MANY)
    expect(bench.shown("-D", "1", file=bench.asked("some.data", *MANY)), want)
    _, live = bench.must("-D", "1", *MANY, bench.program, status=5)
    expect(calls_of(live), want)


def strings_are_recorded_as_far_as_a_condition_needs(bench):
    name = "a name that is longer than what is recorded of it"
    for option, nr in (('visit@if:name == "%s"' % name, 1), ('visit@if:name == "%s"' % name[:-1], 0)):
        calls = bench.shown(file=bench.asked("some.data", "-F", option))
        expect(calls, ['visit("%s", 2)' % name] * nr)


def what_is_beneath_is_shown(bench):
    expect(bench.shown("-F", "around@if:ret == 4"),
           ["around(4) {"] + [line for n in range(4) for line in (
               "  attempt(%d) {" % n, "    inner(%d)" % n,
               "  } = %d" % (n if n % 3 else -n))] + ["} = 4"])
    expect(bench.shown("-F", "around@if:ret == 4", "-N", "inner", "-D", "2"),
           ["around(4) {"] + ["  attempt(%d) = %d" % (n, n if n % 3 else -n) for n in range(4)] +
           ["} = 4"])
    expect(bench.shown("-F", "around@if:ret == 5"), [])
    expect(bench.shown("-F", "attempt@if:n == 2", "-t", "1000s"), [])


def a_glob_beside_a_condition_counts_alone(bench):
    expect(bench.shown("-F", "attempt", "-F", "attempt@if:n > 1000", "-N", "inner"),
           bench.shown("-F", "attempt", "-N", "inner"))


def who_does_not_return_has_no_result(bench):
    expect(bench.shown("-F", "exit@if:ret == 0"), [])
    expect(bench.shown("-F", "leave@if:ret == 0"), [])


def the_other_views_have_the_same_calls(bench):
    option = ("-F", "attempt@if:ret < 0")
    out, _ = bench.must("report", *option, "--csv", bench.whole)
    rows = {row["function"]: row for row in csv.DictReader(io.StringIO(out))}
    expect(sorted(rows), ["attempt", "inner"])
    out, _ = bench.must("export", "--format", "jsonl", *option, bench.whole)
    nr = len(re.findall(r'"attempt"', out))
    want = len(bench.found("attempt", "result < 0"))
    expect([str(nr), rows["attempt"]["calls"]], [str(want)] * 2)
    out, _ = bench.must("graph", *option, bench.whole)
    if "attempt" not in out or "around" in out:
        return out
    return None


def a_part_of_the_time_knows_what_began_before(bench):
    whole = bench.asked("many.data", "-a", program=("many", "20000"), status=0)
    out, _ = bench.must("query", "--csv", whole, "SELECT begin_ns AS ns FROM calls WHERE "
                       "name = 'attempt' AND arg1 IN (10000, 10100) ORDER BY begin_ns")
    part = "%sns~%sns" % tuple(row["ns"] for row in csv.DictReader(io.StringIO(out)))
    expect(bench.shown("-r", part, "-D", "1", "-F", "around@if:n == 1", file=whole), [])
    for option in ("around@if:n > 1", "around@if:ret > 1"):
        if len(bench.shown("-r", part, "-F", option, file=whole)) < 300:
            return "what began before the time is not known"
        expect(bench.shown("--last", "2", "-F", option, file=whole)[-1:], ["} = 20000"])
        out, _ = bench.must("export", "-r", part, "--format", "jsonl", "-F", option, whole)
        if not 90 < len(re.findall(r'"attempt"', out)) < 110:
            return out[:400]
    return None


def what_takes_too_long_is_left_out_and_said(bench):
    _, said = bench.must("-F", "around@if:ret == 500000", "-D", "1", bench.program, "many", "500000")
    expect(calls_of(said), ["around(500000) = 500000"])
    if "are left out" not in said:
        return said
    return None


def a_running_program_is_asked_and_asked_anew(bench):
    """attach, and ctl while it records."""
    with subprocess.Popen([bench.program, "forever"]) as proc:
        pid = str(proc.pid)
        try:
            _, live = bench.must("-F", "attempt@if:n == 4", "-D", "1", "--for", "1s", "-p", pid)
            with bench.begin("-a", "-p", pid) as record:
                try:
                    tap.wait_until(lambda: not bench.run("ctl", pid).status, "recording")
                    bench.must("ctl", pid, "-F", "attempt@if:n == 7")
                    time.sleep(1)
                    out, _ = bench.must("ctl", pid)
                finally:  # else it records for ever, and is waited for
                    record.send_signal(signal.SIGINT)
                    record.communicate()
        finally:
            proc.kill()
    if "-F attempt@if:n == 7" not in out:
        return out
    expect(sorted(set(calls_of(live))), ["attempt(4) = 4"])
    calls = bench.shown("-F", "attempt", "-D", "1", file=bench.trace)
    expect(sorted(set(calls[-10:])), ["attempt(7) = 7"])
    return None


def what_is_wrong_is_said(bench):
    for option, text, status in (
            ("open@if:path >> 3", "column 15", USAGE),
            ("[@if:path == 3", "a [ without its ]", USAGE),
            ("@if:path == 3", "an empty pattern", USAGE),
            ("open@if:pth == 3", "open has no pth: it has path, flags, ret", 0),
            ("attempt@if:n == RED", "knows no RED", 0),
            ("nobody@if:n == 1", "no function that matches", 0)):
        _, said = bench.must("replay", "-F", option, bench.whole, status=status)
        if text not in said:
            return "%s: %s" % (option, said)
    bare_file = bench.asked("bare.data")
    _, said = bench.must("replay", "-F", "attempt@if:n == 1", bare_file, status=NO)
    if "no arguments and results" not in said:
        return said
    for argv, text in ((("record", "-R", "read@if:ret < 0", "true"), "-F 'read@if:ret < 0'"),
                       (("-c", "-F", "read@if:ret < 0", "true"), "or a condition of -F"),
                       (("top", "-F", "read@if:ret < 0", "true"), "no condition of -F")):
        _, said = bench.must(*argv, status=USAGE)
        if text not in said:
            return said
    return None


def suite_of(suite):
    suite.run_all([case_of(*case) for case in CASES] + [other_of(*case) for case in OTHERS] + [
        live_recorded_and_replayed_are_the_same,
        a_condition_asks_for_the_values_that_it_needs,
        strings_are_recorded_as_far_as_a_condition_needs,
        what_is_beneath_is_shown,
        a_glob_beside_a_condition_counts_alone,
        who_does_not_return_has_no_result,
        the_other_views_have_the_same_calls,
        a_part_of_the_time_knows_what_began_before,
        what_takes_too_long_is_left_out_and_said,
        a_running_program_is_asked_and_asked_anew,
        what_is_wrong_is_said,
    ], Bench(suite))


tap.main(suite_of)
