#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A program's handlers of SIGSEGV and SIGILL find the fault where it was, also in an instruction that
was moved, and go on as they like: by a return, behind the instruction, by siglongjmp.
"""
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import bench  # noqa: E402
import tap  # noqa: E402

MODES = [[], ["-a"], ["--loss=ring"]]
FUNCTIONS = ("second", "third", "after_nop", "small", "trap_first", "trap_second")


class Bench(bench.Bench):
    flags = ["-O1", "-g", "-Wall", "-Wextra", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("faulty.c")

    def start(self):
        target = subprocess.Popen([self.program, "all", "3", "0"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        target.stdout.readline()
        return target


def ends_well(target, expected=r"elsewhere 0, wrong 0\n"):
    out, _ = target.communicate()
    if target.returncode or not re.fullmatch(expected, out):
        return "status %d: %s" % (target.returncode, out)


def launched(how, nr_threads):
    def check(bench):
        for mode in MODES:
            got = bench.record(bench.program, how, str(nr_threads), "20", options=mode)
            if got.status or got.out != b"begun\nelsewhere 0, wrong 0\n":
                return "%s: %d %s%s" % (mode, got.status, got.out, got.err)
    return check


def it_is_said(bench):
    """Each function was recorded until then, and that is its end."""
    err = bench.record(bench.program, "skip", "1", "3").err.decode()
    said = re.findall(r"(\w+) runs unhooked from here on: SIG(\w+) ", err)
    calls = bench.calls()
    for name, sig in said:
        if sig != ("ILL" if name.startswith("trap") else "SEGV"):
            return err
    for name in FUNCTIONS:
        if calls.get(name) != (1 if name in dict(said) else 3):
            return "%s: %s calls\n%s" % (name, calls.get(name), err)
    if len(said) < 4:
        return err


def attached(bench):
    """Threads stand in handlers, and faults are on their way, when fctrace comes and goes."""
    target = bench.start()
    for i in range(200 if bench.is_long else 12):
        got = bench.record("--for=40ms", "-p", str(target.pid), options=MODES[i % 2])
        if got.status and target.poll() is None:
            target.kill()
            return got.err
    return ends_well(target)


def hooked_again_and_again(bench):
    target = bench.start()
    with bench.begin("-p", str(target.pid), stderr=subprocess.DEVNULL) as proc:
        while bench.run("ctl", str(target.pid), "status").status:
            if proc.poll() is not None:
                return "it has ended"
        for i in range(400 if bench.is_long else 30):
            bench.run("ctl", str(target.pid), "hook" if i % 3 else "unhook", *FUNCTIONS)
        wrong = ends_well(target)
    return wrong


def killed(bench):
    """fctrace is, at any time: handlers see stubs until all is taken out, and the program runs on."""
    target = bench.start()
    for i in range(100 if bench.is_long else 8):
        with bench.begin("-p", str(target.pid), stderr=subprocess.DEVNULL) as proc:
            time.sleep(0.02 + 0.013 * (i % 10))
            proc.kill()
        bench.run("detach", str(target.pid))
    return ends_well(target, r"elsewhere \d+, wrong 0\n")


def suite_of(suite):
    suite.run_all([("%s, %d threads" % (how, nr), launched(how, nr))
                   for how in ("mend", "skip", "jump", "all") for nr in (1, 4)] +
                  [it_is_said, attached, hooked_again_and_again, killed],
                  Bench(suite), prefix="faults ")


if __name__ == "__main__":
    tap.main(suite_of)
