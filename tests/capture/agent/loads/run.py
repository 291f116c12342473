#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the agent loads of the program's memory is there: whatever the program takes away, it prints and
returns the same as without fctrace."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import bench  # noqa: E402
import tap  # noqa: E402

WAYS = [[], ["-a", "--depth-of-values=3"], ["-Z", "--loss=ring"]]
MORE_WAYS = [["-a"], ["-Z"], ["-a", "--loss=ring"], ["-a", "--loss=drop"]]
NINE = ",".join("arg%d" % (i + 1) for i in range(9))


class Bench(bench.Bench):
    sources, flags = HERE, ["-w", "-g", "-O1"]

    def is_as_alone(self, argv, ways=None):
        """What is different if it is traced."""
        alone = tap.run(argv, cwd=self.folder)
        if alone.status:
            return "alone it ends with %s: %s" % (alone.status, alone.err.decode())
        for way in ways or WAYS + (MORE_WAYS if self.is_long else []):
            traced = self.record(*argv, options=way)
            if (traced.status, traced.out) != (alone.status, alone.out):
                return "%s, %s: ends with %s\n%s" % (" ".join(argv), " ".join(way), traced.status,
                                                     (traced.out + traced.err).decode())
        return None


def neighbours_are_freed(bench):
    """Stacks of coroutines side by side, with calls open on those that are freed."""
    program = bench.build("neighbours.cc")
    sizes = (12288, 16384)
    if bench.is_long:
        sizes = (8192, 12288, 16384, 20480, 32768, 65536, 131072, 262144)
    for size in sizes:
        for which in "upper", "lower":
            for guard in ("0", "4096") if bench.is_long or size == 16384 else ("0",):
                wrong = bench.is_as_alone([program, str(size), which, guard])
                if wrong:
                    return wrong
    return None


def arguments_are_not_looked_for_above_the_stack(bench):
    """Who says that there are some need not be right."""
    program = bench.build("top.c")
    wrong = bench.is_as_alone([program], [["--libs=none", "-A", "%s@%s" % (name, what)]
                                          for name in ("first", "leaf")
                                          for what in (NINE, "arg7/s", NINE + ",arg10/s")])
    if wrong:
        return wrong
    shown = bench.must("replay", "-F", "leaf", bench.trace)[0]
    return None if "leaf(0, " in shown and ", ?" in shown else "it is not shown:\n" + shown


def stacks_that_are_arrays_are_not_overrun(bench):
    """On such a stack there may be little room, and below it is something else."""
    return bench.is_as_alone([bench.build("arrays.c"), "900", "3000"]) or \
        bench.is_as_alone([bench.build("arrays.c"), "2000", "4000"])


def what_is_taken_away_harms_nobody(bench):
    library = bench.build("text.c", "-shared", "-fPIC")
    program = bench.build("gone.c", "-pthread", "-ldl")
    for _ in range(20 if bench.is_long else 1):
        wrong = bench.is_as_alone([program, library])
        if wrong:
            return wrong
    return None


def suite_of(suite):
    suite.run_all([
        neighbours_are_freed,
        arguments_are_not_looked_for_above_the_stack,
        stacks_that_are_arrays_are_not_overrun,
        what_is_taken_away_harms_nobody,
    ], Bench(suite))


tap.main(suite_of)
