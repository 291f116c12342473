#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A program that crashes leaves the core dump that it would leave without fctrace."""
import glob
import os
import re
import resource
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

FRAME = re.compile(r"^#\d+\s+(?:0x[0-9a-f]+ in )?([\w?@.]+) \(", re.M)
SIGNALS = {"s": signal.SIGSEGV, "b": signal.SIGBUS, "f": signal.SIGFPE, "i": signal.SIGILL,
           "a": signal.SIGABRT, "q": signal.SIGQUIT, "o": signal.SIGSEGV, "t": signal.SIGSEGV}
RECORD, RING = ["record"], ["record", "--loss=ring"]


class Bench(bench.Bench):
    flags = ["-O1", "-g", "-fno-omit-frame-pointer", "-Wall", "-Wextra", "-Wno-infinite-recursion",
             "-pthread"]


def core_in(folder):
    cores = glob.glob(os.path.join(folder, "core*"))
    return cores[0] if cores else None


def need_cores():
    tap.need("gdb")
    with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as f:
        pattern = f.read().strip()
    if not re.match(r"core[\w.%-]*$", pattern):
        raise Skip("cores do not go to where a program is: kernel.core_pattern is " + pattern)
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if hard != resource.RLIM_INFINITY:
        raise Skip("cores are limited to %d bytes" % hard)


def allow_cores():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)


def folder_for(bench, name):
    folder = bench.path(name)
    os.makedirs(folder, exist_ok=True)
    return folder


def dies(bench, name, argv, how):
    """The folder with the core of what dies in it."""
    folder = folder_for(bench, name)
    done = tap.run(argv + [bench.build("dies.c"), how], cwd=folder, preexec=allow_cores)
    if done.status != 128 + SIGNALS[how]:
        raise Wrong("%s: status %d: %s" % (name, done.status, done.err.decode()))
    return folder


def frames(bench, folders):
    """Of each core: its threads, the one that has crashed first, as lists of functions."""
    argv = ["gdb", "-nx", "-batch"]
    for folder in folders:
        core = core_in(folder)
        if not core:
            raise Wrong("no core in " + folder)
        argv += ["-ex", "core-file " + core, "-ex", r"echo \n===\n", "-ex",
                 "thread apply all -ascending bt -14"]
    done = tap.run(argv + [bench.build("dies.c")])
    parts = [part.partition("\nCore was generated")[0]
             for part in done.out.decode(errors="replace").split("\n===\n")[1:]]
    return [[FRAME.findall(thread) for thread in re.split(r"^Thread ", part, flags=re.M)[1:]]
            for part in parts]


def cores_tell_of_the_same_calls(bench):
    need_cores()
    wrong = []
    hows = "sbfiaqo"
    folders = [dies(bench, how + kind, argv, how) for how in hows
               for kind, argv in (("", []), ("-traced", [bench.fctrace, *RECORD]))]
    folders.append(dies(bench, "s-ring", [bench.fctrace, *RING], "s"))
    found = frames(bench, folders)
    plain, traced = found[0:-1:2], found[1:-1:2]
    for how, expected, got in zip(hows, plain, traced):
        if "main" not in expected[0]:
            wrong.append("%s: gdb finds no main without fctrace: %s" % (how, expected))
        if got != expected:
            wrong.append("%s: %s, not %s" % (how, got, expected))
    if found[-1] != plain[0]:
        wrong.append("flight recorder: %s, not %s" % (found[-1], plain[0]))
    return "\n".join(wrong)


def a_core_tells_of_all_threads(bench):
    need_cores()
    nr = 20 if bench.is_long else 3
    folders = [dies(bench, "threads-%d" % i, [bench.fctrace, *RECORD], "t") for i in range(nr)]
    for threads in frames(bench, folders):
        if len(threads) != 6 or any("??" in thread for thread in threads):
            return "threads: %s" % threads
        if sum("worker" in thread for thread in threads) != 5:
            return "threads: %s" % threads


def a_core_of_a_program_that_was_attached_to(bench):
    need_cores()
    folder = folder_for(bench, "attached")
    target = subprocess.Popen([bench.build("dies.c"), "w"], cwd=folder, preexec_fn=allow_cores)
    try:
        tracer = subprocess.Popen([bench.fctrace, "record", "-p", str(target.pid)], cwd=folder,
                                  stderr=subprocess.DEVNULL)
        tap.wait_until(lambda: not bench.run("ctl", str(target.pid), "status").status, "attached")
        target.send_signal(signal.SIGUSR1)
        status = target.wait(timeout=tap.PATIENCE_S)
        tracer.wait(timeout=tap.PATIENCE_S)
    finally:
        target.kill()
    if status != -signal.SIGSEGV:
        return "status %d" % status
    got = frames(bench, [folder])[0][0]
    expected = ["segv", "die"] + ["deep"] * 4 + ["wait_inside"] * 4 + ["main"]
    if got != expected:
        return "%s, not %s" % (got, expected)


def suite_of(suite):
    suite.run_all([
        cores_tell_of_the_same_calls,
        a_core_tells_of_all_threads,
        a_core_of_a_program_that_was_attached_to,
    ], Bench(suite), prefix="crash ")


if __name__ == "__main__":
    tap.main(suite_of)
