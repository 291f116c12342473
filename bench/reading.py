# SPDX-License-Identifier: Apache-2.0
"""reading.py - what it takes to read a trace: one large one, beside uftrace's of the same program.

The program is a mix: half of its records are those of fib, half those of python3. uftrace
records less of it; what is compared is the time a record.
"""
import glob
import json
import math
import os
import shlex
import shutil
import subprocess
import time

import goals
import jobs
import programs
import tap
import tui
from measured import ratio, show, tell_progress

FIB_RECORDS, PYTHON_RECORDS = 5.4e6, 13.5e6  # a round of each makes about as many
UFTRACE_SHARE = 10  # uftrace is given so many times less
REPORT_NS, REPLAY_TIMES, OPEN_MS, MEMORY_MB, QUERY_MS, RARE_MS = 5, 10, 50, 200, 500, 250
EXPORTS, EXPORT_MB_S = ("jsonl", "csv", "chrome"), 200


class Done:
    """One run of a command that reads."""

    def __init__(self, seconds, mb):
        self.seconds, self.mb = seconds, mb


def run(argv):
    """None if it fails."""
    with open(os.devnull, "r+b") as null:
        begin = time.monotonic()
        proc = subprocess.Popen(argv, stdin=null, stdout=null, stderr=null, env=jobs.ENV)
        _, status, usage = os.wait4(proc.pid, 0)
        seconds = time.monotonic() - begin
    proc.returncode = os.waitstatus_to_exitcode(status)
    return None if status else Done(seconds, usage.ru_maxrss / 1024)


def best(argv, rounds):
    tell_progress(" ".join(argv[:3]))
    runs = [run(argv) for _ in range(rounds)]
    tell_progress("")
    if None in runs:
        return None
    return Done(min(done.seconds for done in runs), max(done.mb for done in runs))


def mix(folder, nr_records):
    """A command that makes about so many records."""
    fib = programs.Loop("fib", "fib", folder).path(["-fpatchable-function-entry=5"])
    half = nr_records / 2
    script = "head -c %d /dev/zero | %s rounds >/dev/null && yes '' | head -n %d | %s -c %s" % (
        math.ceil(half / FIB_RECORDS), shlex.quote(fib), math.ceil(half / PYTHON_RECORDS), tap.PYTHON,
        shlex.quote(programs.PYTHON))
    return ["/bin/bash", "-c", script]


def record(fctrace, folder, nr_records):
    """The trace, and what is in it; None if it fails."""
    trace = os.path.join(folder, "reading.data")
    tell_progress("recording %d M records" % (nr_records / 1e6))
    done = tap.run([fctrace, "record", "--libs=none", "-o", trace, *mix(folder, nr_records)],
                   env=jobs.ENV, limit_s=1200)
    tell_progress("")
    return (trace, tap.fctrace_json(fctrace, "info", trace)) if done.status == 0 else None


def record_by_uftrace(folder, nr_records):
    """Where its data is, and how many records; None if there is none."""
    data = os.path.join(folder, "reading.uftrace")
    if not tap.have("uftrace"):
        return None
    tell_progress("recording by uftrace")
    tap.run(["uftrace", "record", "-d", data, "--no-libcall", "--no-event", "--force", "-P", ".",
             *mix(folder, nr_records)], env=jobs.ENV, limit_s=600)
    tell_progress("")
    size = sum(os.path.getsize(path) for path in glob.glob(data + "/*.dat"))
    return (data, size // 16) if size else None


def has_option(fctrace, command, option=""):
    done = tap.run([fctrace, command, "--help"])
    return done.status == 0 and option.encode() in done.out and command.encode() in done.out


def window(info):
    """10 ms in the middle of the busiest thread: half a million records."""
    busiest = max(info["strands"], key=lambda strand: strand["records"])
    middle = info["session"]["duration_ns"] // 2
    return "SELECT count(*) FROM calls WHERE tid = %d AND begin_ns BETWEEN %d AND %d" % (
        busiest["tid"], middle - 5_000_000, middle + 5_000_000)


RARE = """SELECT id FROM functions WHERE calls ORDER BY calls, total_ns LIMIT 1"""


def rare(fctrace, trace):
    """All calls of a function that is hardly ever called."""
    done = tap.run([fctrace, "query", "--json", trace, RARE], limit_s=600)
    return "SELECT * FROM calls WHERE func = %d" % (json.loads(done.out)[0]["id"] if done.out else 0)


def own_runs(fctrace, trace, info):
    """What is measured: its name, the words, how often, and whether it reads all records."""
    runs = [("report", ["report", trace], 3, True),
            ("replay", ["replay", trace], 1, True),
            ("graph", ["graph", trace], 1, True),
            ("open (info)", ["info", trace], 5, False),
            ("replay --last 50", ["replay", "--last", "50", trace], 5, False),
            ("query, 10 ms of a thread", ["query", trace, window(info)], 3, False),
            ("query, a rare function", ["query", trace, rare(fctrace, trace)], 3, False)]
    return [(name, [fctrace, *words], rounds, reads_all) for name, words, rounds, reads_all in runs
            if has_option(fctrace, words[0], words[1] if words[1].startswith("--") else "")]


def measure_own(fctrace, trace, info):
    print("%-25s%12s%14s%10s" % ("reading", "ms", "ns a record", "MB"))
    found = {}
    for name, argv, rounds, reads_all in own_runs(fctrace, trace, info):
        done = found[name] = best(argv, rounds)
        print("%-25s%12s%14s%10s" % (
            name, show(done and done.seconds * 1e3), show(
                done.seconds * 1e9 / info["records"] if done and reads_all else None),
            show(done and done.mb, "%.0f")))
    return found


def bytes_of(argv):
    """How much it writes to stdout."""
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=jobs.ENV) as proc:
        size, room = 0, bytearray(1 << 20)
        while nr := proc.stdout.readinto(room):
            size += nr
    return size


def measure_exports(fctrace, trace):
    """MB of output a second, by format; nowhere, so that no disk is measured."""
    print("%-25s%12s%14s%10s" % ("exporting", "ms", "MB/s", "MB"))
    found = {}
    for form in EXPORTS:
        argv = [fctrace, "export", "-f", form, trace]
        done = best(argv, 1)
        found[form] = done and bytes_of(argv) / 1e6 / done.seconds
        print("%-25s%12s%14s%10s" % ("export -f " + form, show(done and done.seconds * 1e3),
                                     show(found[form], "%.0f"), show(done and done.mb, "%.0f")))
    return found


def judge_exports(found):
    return [goals.Goal("reading: export -f %s at least %d MB/s" % (form, EXPORT_MB_S),
                       show(rate, "%.0f"), rate >= EXPORT_MB_S if rate else None)
            for form, rate in found.items()]


def measure_uftrace(folder, nr_records):
    recorded, found = record_by_uftrace(folder, nr_records), {}
    if not recorded:
        return found
    data, nr = recorded
    for command in ("report", "replay"):
        done = best(["uftrace", command, "--no-pager", "-d", data], 1)
        found[command] = done and done.seconds * 1e9 / nr
        print("%-25s%12s%14s%10s" % ("uftrace " + command, show(done and done.seconds * 1e3),
                                     show(found[command]), show(done and done.mb, "%.0f")))
    shutil.rmtree(data, ignore_errors=True)
    return found


def judge(found, theirs, nr_records):
    """A goal of what is not there yet is not measured."""
    def ns(name):
        done = found.get(name)
        return done and done.seconds * 1e9 / nr_records

    def ms(name):
        done = found.get(name)
        return done and done.seconds * 1e3
    ours, peer = ns("replay"), theirs.get("replay")
    return [
        goals.at_most("reading: report at most %d ns a record" % REPORT_NS, ns("report"),
                      REPORT_NS, "%.1f"),
        goals.Goal("reading: replay at least %d x faster than uftrace's" % REPLAY_TIMES,
                   ratio(peer, ours), peer >= REPLAY_TIMES * ours if peer and ours else None),
        goals.at_most("reading: opens in at most %d ms" % OPEN_MS, ms("open (info)"), OPEN_MS,
                      "%.0f ms"),
        goals.at_most("reading: replay --last 50 in at most %d ms" % OPEN_MS,
                      ms("replay --last 50"), OPEN_MS, "%.0f ms"),
        goals.at_most("reading: 10 ms of a thread by SQL in %d ms" % QUERY_MS,
                      ms("query, 10 ms of a thread"), QUERY_MS, "%.0f ms"),
        goals.at_most("reading: a rare function in all of it by SQL in %d ms" % RARE_MS,
                      ms("query, a rare function"), RARE_MS, "%.0f ms"),
        goals.at_most("reading: at most %d MB of memory" % MEMORY_MB,
                      max((done.mb for done in found.values() if done), default=None), MEMORY_MB,
                      "%.0f"),
    ]


def table(fctrace, folder, nr_records):
    recorded = record(fctrace, folder, nr_records)
    if not recorded:
        return [goals.Goal("reading: there is a trace to read", "no", False)]
    trace, info = recorded
    print("a trace of %.1f M records, %.0f MB" % (info["records"] / 1e6, info["bytes"] / 1e6))
    found = measure_own(fctrace, trace, info)
    exports = measure_exports(fctrace, trace)
    theirs = measure_uftrace(folder, nr_records / UFTRACE_SHARE)
    print()
    looked = tui.measure(fctrace, trace) if has_option(fctrace, "tui") else []
    print()
    os.unlink(trace)
    bad = [name for name, done in found.items() if not done]
    return judge(found, theirs, info["records"]) + judge_exports(exports) + looked + \
        ([goals.Goal("reading: all that reads ends well", ", ".join(bad), False)] if bad else [])
