#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What is put back in a program: return addresses where it is let go, the place of a fault."""
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402


class Bench(bench.Bench):
    sources, flags = HERE, ["-O1", "-w", "-pthread"]


def a_call_that_faults_and_goes_on_is_one(bench):
    """The handler sees the fault at the function's start, and the function begins again."""
    program = bench.build("barrier.c")
    for options in ([], ["--libs=none"], ["-A", "store@arg1/x,arg2/i32", "-R", "let_write@retval"]):
        done = bench.record(program, options=options)
        rows = bench.must("query", "--csv", bench.trace, "SELECT name, calls FROM functions WHERE name "
                          "IN ('store', 'let_write') ORDER BY name")[0].split()[1:]
        if done.status or rows != ["let_write,100", "store,100"]:
            return "%s: status %d: %s %s" % (options, done.status, done.err.decode(), rows)
    return None


def a_forked_child_returns_from_its_own_calls(bench):
    """Entries of a vfork child that has executed a program have slots of its parent's stack."""
    program = bench.build("forked.c")
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as target:
        with bench.begin("--libs=none", "-p", str(target.pid)) as fctrace:
            line = target.stdout.readline()
            fctrace.send_signal(signal.SIGINT)
            err = fctrace.stderr.read()
        target.communicate(b"\n")
    if line != b"forked\n" or target.returncode or fctrace.returncode:
        return "it wrote %r and ended with %d, fctrace with %d: %s" % (
            line, target.returncode, fctrace.returncode, err)
    return None


def calls_of(bench, name):
    return int(bench.must("query", "--csv", bench.trace, "SELECT calls FROM functions WHERE name = "
                          "'%s'" % name)[0].split()[1])


def code_that_is_its_file_s_again_is_hooked_again(bench):
    """Of a jump on two pages no half is left, and that calls are missing is said."""
    program = bench.build("dropped.c")
    bare = tap.run([program])
    for how in ("first", "second", "all", "syscall", "mapped"):
        done = bench.record(program, how)
        if (done.status, done.out) != (bare.status, bare.out):
            return "%s: status %d: %s %s" % (how, done.status, done.out, done.err.decode())
        seen = [calls_of(bench, name) for name in ("across", "plain")]
        # All were hooked before it was dropped, the second time, too.
        if min(seen) < 20 or b"unhooked" not in done.err:
            return "%s: %s calls, %s" % (how, seen, done.err.decode())
    return None


def stubs_have_names(bench):
    """--perf-map: of each process a file, whose addresses are code that no file is mapped to."""
    program = bench.build("mapped.c")
    out, _ = bench.must("record", "--perf-map", "--libs=none", "-o", bench.trace, program)
    for who in ("parent", "child"):
        lines = [line.split() for line in out.splitlines() if line.startswith(who + " ")]
        path = "/tmp/perf-%s.map" % lines[0][1]
        with open(path, encoding="utf-8") as f:
            rows = [line.split() for line in f]
        os.unlink(path)
        pools = [[int(end, 16) for end in words[2].split("-")] for words in lines
                 if words[3] == "r-xp" and len(words) == 7]
        for start, size, name in rows:
            lo, hi = int(start, 16), int(start, 16) + int(size, 16)
            if not any(pool[0] <= lo < hi <= pool[1] for pool in pools):
                return "%s: %s is at %s, where no stub is" % (who, name, start)
        if not {"main", "show"} <= {row[2] for row in rows}:
            return "%s: %s" % (who, rows)
    return None


def a_map_of_others_stays(bench):
    """Anybody may make something under that name: a link, a second name of a file, or what is no file."""
    victim = bench.write("victim", "precious\n")
    kinds = {"link": lambda path: os.symlink(victim, path), "second name": lambda path: os.link(victim, path),
             "FIFO": os.mkfifo}
    for kind, make in kinds.items():
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as cat:
            path = "/tmp/perf-%d.map" % cat.pid
            make(path)
            try:
                err = bench.must("record", "--perf-map", "--for=50ms", "-o", bench.trace, "-p", str(cat.pid))[1]
            finally:
                os.unlink(path)
            cat.stdin.close()
        with open(victim, encoding="utf-8") as f:
            text = f.read()
        if text != "precious\n" or path not in err or cat.returncode:
            return "%s: %r, status %s: %s" % (kind, text, cat.returncode, err)
    return None


def suite_of(suite):
    suite.run_all([code_that_is_its_file_s_again_is_hooked_again,
                   a_forked_child_returns_from_its_own_calls,
                   stubs_have_names, a_map_of_others_stays,
                   a_call_that_faults_and_goes_on_is_one], Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
