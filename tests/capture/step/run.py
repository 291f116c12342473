#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""--backend=step where debug registers do not fire, as in some virtual machines.

unfired.c stands for such a machine: it takes them from fctrace's calls of ptrace().
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

# Without a C library: the loader is stepped through, at 25 to 90 us an instruction.
PROGRAM = r"""
#include <sys/syscall.h>
__attribute__((noipa)) static long call(long nr, long a, const void *b, long c)
{
	__asm__ volatile("syscall" : "+a"(nr) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return nr;
}
__attribute__((noipa)) static int twice(int n) { __asm__ volatile(""); return 2 * n; }
__attribute__((noipa)) static void work(void)
{
	call(SYS_exit_group, call(SYS_write, 1, "out\n", 4) == 4 ? twice(3) : 1, "", 0);
}
void _start(void) { work(); }
"""
FAILED = 125


class Bench(bench.Bench):
    sources, flags = HERE, ["-O1"]

    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("program.c", "-nostdlib", "-pie", "-fPIE", text=PROGRAM)
        self.library = self.build("unfired.c", "-shared", "-fPIC", "-ldl", out="unfired.so")

    def run_with(self, nr_work, *args, **more):
        """fctrace, for which the debug registers of so many processes work."""
        env = dict(os.environ, LD_PRELOAD=self.library, UNFIRED=str(nr_work), **more)
        return self.run(*args, env=env)

    def step(self, nr_work, **more):
        return self.run_with(nr_work, "record", "--backend=step", "--libs=none", "-o", self.trace,
                             self.program, **more)


def said(done):
    return "status %d: %s" % (done.status, done.err.decode(errors="replace"))


def what_is_called_is_seen_without_them(bench):
    for nr_work in (0, 9):
        done = bench.step(nr_work)
        if (done.status, done.out) != (6, b"out\n"):
            return said(done)
        shown = bench.must("replay", bench.trace)[0]
        if "work() {" not in shown or "twice();" not in shown:
            return "%d work: %s" % (nr_work, shown)
    return None


def a_trace_that_saw_nothing_is_an_error(bench):
    """They worked when they were tried, and not when they were needed."""
    done = bench.step(1)
    if done.out != b"out\n":
        return "the program printed %r" % done.out
    if done.status != FAILED or b"debug registers" not in done.err:
        return said(done)
    return None


def what_ends_in_the_loader_is_no_error(bench):
    done = bench.step(9, LD_TRACE_LOADED_OBJECTS="1")
    return said(done) if done.status else None


def check_tries_them(bench):
    for nr_work, works in ((0, "partly"), (9, "yes")):
        rows = json.loads(bench.run_with(nr_work, "check", "--json").out)
        row = [row for row in rows if row["check"] == "debug register"]
        if len(row) != 1 or row[0]["works"] != works:
            return "%d work: %s" % (nr_work, row)
    return None


def suite_of(suite):
    suite.run_all([what_is_called_is_seen_without_them, a_trace_that_saw_nothing_is_an_error,
                   what_ends_in_the_loader_is_no_error, check_tries_them], Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
