#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What tracing costs: programs bare, under each mode of fctrace and under its peers, side by side.

  bench/bench.py --fctrace build/fctrace [--rounds 3] [--only NAME]... [--columns full,count]

All figures come from one run on one machine; compare their ratios, not the figures of two
machines. The median of the rounds is shown. NAME is a table (loops, jobs, drain, start,
memory, births, values, marks, sites, reading, top) or a row (fib, redis). "-": not measured, and why is said below the table.
"""
import argparse
import json
import os
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(os.path.dirname(HERE), "tests")
sys.path += [TESTS, os.path.join(TESTS, "whole/unharmed")]
import births  # noqa: E402
import columns as all_of  # noqa: E402
import draining  # noqa: E402
import goals  # noqa: E402
import measured as tables  # noqa: E402
import memory  # noqa: E402
import programs  # noqa: E402
import reading  # noqa: E402
import start  # noqa: E402
import marking  # noqa: E402
import sited  # noqa: E402
import valued  # noqa: E402
import watching  # noqa: E402

LOOP_SECONDS = 0.3
JOB_SECONDS = 1.2
# To tell 5 % from 7 a job must run for a while.
LONG_SECONDS = {"bare": 3, "budget": 12}


def loop_seconds(column):
    return LOOP_SECONDS


def job_seconds(column):
    return JOB_SECONDS if column.is_peer else LONG_SECONDS.get(column.name, JOB_SECONDS)


def measure_floor(folder, columns, rounds):
    bare = tables.Measured([columns[0]])
    bare.measure(programs.two_rdtsc(folder), rounds, loop_seconds)
    return bare.ns("rdtsc", "bare")


def show_calls(measured, rows):
    """What the traces of the jobs hold, and what a call costs there."""
    def calls(row, column):
        return measured.median(row.name, column, lambda figure: figure.calls_a_round)
    heads = ["calls, full", "bytes a call", "ns a call added", "calls, budget", "calls, uf -P"]
    print("%-15s" % "a round" + "".join("%17s" % head for head in heads))
    for row in rows:
        size = measured.median(row.name, "full", lambda figure: figure.bytes_a_call)
        added, full = measured.added_ns(row.name, "full"), calls(row, "full")
        print("%-15s%17s%17s%17s%17s%17s" % (
            row.label, tables.show(full, "%.0f"), tables.show(size, "%.2f"),
            tables.show(added / full if added and full else None),
            tables.show(calls(row, "budget"), "%.0f"), tables.show(calls(row, "uf -P"), "%.0f")))
    print()


def show_table(folder, columns, loops, jobs, rounds):
    """The table of ratios: what is measured, and the goals it is held against."""
    measured = tables.Measured(columns)
    found = []
    if loops:
        floor_ns = measure_floor(folder, columns, rounds)
        for row in loops:
            measured.measure(row, rounds, loop_seconds)
        measured.table("ns a call", loops, measured.ns, "%.1f")
        print("two rdtsc %15s" % tables.show(floor_ns))
        print()
        found += goals.of_loops(measured, floor_ns)
    for row in jobs:
        measured.measure(row, rounds, job_seconds)
    if jobs:
        measured.table("ms a round", jobs, lambda row, column: scaled(measured.ns(row, column)),
                       "%.4g")
        if any(column.name == "full" for column in columns):
            show_calls(measured, jobs)
    rows = [*loops, *jobs]
    if rows:
        measured.table("times bare", rows, measured.times_bare, "%.2f")
        measured.notes()
        found.append(goals.runs_well(measured, rows))
        found += [goals.as_before(measured, row.name) for row in rows]
    names = [row.name for row in jobs]
    found += [goals.within_budget(measured, row) for row in names if row != "git"]
    found += [goals.small(measured, row) for row in names if row in ("python3", "sqlite3", "git")]
    return found


def scaled(ns):
    return ns and ns / 1e6


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        model = next((line.split(":")[1].strip() for line in f if line.startswith("model name")),
                     "unknown CPU")
    return "%s, %d CPUs, Linux %s" % (model, os.cpu_count(), os.uname().release)


def chosen(rows, table, only):
    return [row for row in rows if not only or table in only or row.name in only]


def parse(words):
    options = argparse.ArgumentParser()
    options.add_argument("--fctrace", required=True)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--only", action="append", metavar="NAME", help="a table or a row")
    options.add_argument("--columns", help="only these, by commas; bare is always there")
    options.add_argument("--records", type=float, default=200, metavar="MILLIONS",
                         help="how large the trace is that is read; default 200")
    options.add_argument("--json", action="store_true", help="the goals as JSON, at the end")
    return options, options.parse_args(words)


def main():
    options, args = parse(sys.argv[1:])
    fctrace = os.path.abspath(args.fctrace)
    if not os.access(fctrace, os.X_OK):
        options.error("%s cannot be run; build it first: make" % fctrace)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # workers and files go, too
    if args.rounds < 1:
        options.error("--rounds: at least 1")
    with tempfile.TemporaryDirectory(prefix="fctrace-bench-") as folder:
        columns = all_of.all_columns(fctrace, folder)
        if args.columns:
            names = ["bare", *args.columns.split(",")]
            unknown = set(names) - {column.name for column in columns}
            if unknown:
                options.error("no such column: %s; there are: %s" % (
                    ", ".join(sorted(unknown)), ", ".join(column.name for column in columns)))
            columns = [column for column in columns if column.name in names]
        loops, jobs = programs.all_loops(folder), programs.all_jobs(folder)
        known = {"loops", "jobs", "drain", "start", "memory", "births", "values", "marks", "sites", "reading",
                 "top",
                 *(row.name for row in loops + jobs)}
        if set(args.only or []) - known:
            options.error("--only knows " + ", ".join(sorted(known)))
        print(machine())
        print()
        found = show_table(folder, columns, chosen(loops, "loops", args.only),
                           chosen(jobs, "jobs", args.only), args.rounds)
        if not args.only or "drain" in args.only:
            found += draining.table(fctrace, [*loops, *jobs], folder)
        if not args.only or "start" in args.only:
            found += start.table(fctrace, args.rounds, folder)
        if not args.only or "memory" in args.only:
            found += memory.table(fctrace, folder)
        if not args.only or "births" in args.only:
            found += births.table(fctrace, args.rounds, folder)
        if not args.only or "values" in args.only:
            found += valued.table(fctrace, args.rounds, folder)
        if not args.only or "marks" in args.only:
            found += marking.table(fctrace, args.rounds, folder)
        if not args.only or "sites" in args.only:
            found += sited.table(fctrace, args.rounds, folder)
        if not args.only or "reading" in args.only:
            found += reading.table(fctrace, folder, args.records * 1e6)
        if not args.only or "top" in args.only:
            found += watching.table(fctrace, jobs, args.rounds)
    if args.only or args.columns:  # no word of what was not asked for
        found = [goal for goal in found if goal.is_met is not None]
    for goal in found:
        goal.show()
    if args.json:
        print(json.dumps([goal.as_dict() for goal in found]))


if __name__ == "__main__":
    main()
