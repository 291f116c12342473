#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What random functions are passed and return is where fc_value_places_find() says.

Each program (generate.py) is built by its compiler with and without optimization, and linked with
fctrace's own objects and with shims that store all registers at each entry and return (shim.S). It
compares itself (driver.c). --long: with seeds that were never seen before.
"""
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", ".."))
import bench  # noqa: E402
import tap  # noqa: E402
from generate import Program  # noqa: E402

FUNCTIONS = 60
ROUNDS = 12  # of the long form
FLAGS = {16: [], 32: ["-mavx"], 64: ["-mavx512f"]}
LIBRARIES = ["-lbpf", "-lelf", "-lz", "-lZydis", "-lm"]
COMPILERS = {("gcc", "c"): "gcc", ("gcc", "c++"): "g++",
             ("clang", "c"): "clang", ("clang", "c++"): "clang++"}


def vector_size():
    """Bytes of the largest vectors that this machine has."""
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        flags = f.read().split()
    return 64 if "avx512f" in flags else 32 if "avx" in flags else 16


class Bench(bench.Bench):
    def __init__(self, suite):
        super().__init__(suite)
        self.vector = vector_size()
        self.library = os.path.join(os.path.dirname(suite.fctrace), "libfctrace-rooms.a")
        # gcc clears the upper half of a vector register in which it returns a union.
        self.common = ["-w", "-mno-vzeroupper", "-I", HERE, "-I", os.path.join(tap.TOP, "src"),
                       *FLAGS[self.vector]]
        self.driver = self.path("driver.o")
        tap.texts_of(["gcc", "-O1", "-w", "-I", HERE, "-I", os.path.join(tap.TOP, "src"), "-c",
                      "-o", self.driver, os.path.join(HERE, "driver.c")])

    def program(self, seed, compiler, language):
        """Its folder, with all that is the same in each build."""
        folder = self.path("%s-%s-%s" % (seed, compiler, language))
        os.makedirs(folder, exist_ok=True)
        Program(seed, language, compiler, FUNCTIONS, self.vector).write(folder)
        suffix = ".cc" if language == "c++" else ".c"
        tap.texts_of([COMPILERS[compiler, language], *self.common, "-O0", "-I", folder, "-c", "-o",
                      os.path.join(folder, "describe.o"), os.path.join(folder, "describe" + suffix)])
        tap.texts_of(["gcc", "-DVECTOR=%d" % self.vector, "-I", folder, "-c", "-o",
                      os.path.join(folder, "shim.o"), os.path.join(HERE, "shim.S")])
        return folder, suffix

    def check(self, folder, suffix, driver, level):
        program = os.path.join(folder, "program" + level)
        tap.texts_of([driver, *self.common, level, "-I", folder, "-c", "-o", program + ".o",
                      os.path.join(folder, "program" + suffix)])
        tap.texts_of(["g++", "-o", program, program + ".o", os.path.join(folder, "describe.o"),
                      os.path.join(folder, "shim.o"), self.driver, self.library, *LIBRARIES])
        done = tap.run([program])
        out = done.out.decode(errors="replace")
        if done.status or done.is_late or "functions %d " % FUNCTIONS not in out:
            return "status %d\n%s" % (done.status, out)
        return None


def check_one(bench, seed, compiler, language):
    """Cases of one program: name and what is wrong."""
    names = ["%s %s %s: values are where it is said, seed %s" % (compiler, language, level, seed)
             for level in ("-O0", "-O2")]
    wanted = [name for name in names if bench.suite.wants(name)]
    if not wanted:
        return []
    driver = COMPILERS[compiler, language]
    if not tap.have(driver):
        return [(name, tap.Skip(driver + " is not installed")) for name in wanted]
    try:
        folder, suffix = bench.program(seed, compiler, language)
        return [(name, tap.outcome(bench.check, folder, suffix, driver, name.split()[2][:3]))
                for name in wanted]
    except tap.Wrong as why:
        return [(name, str(why)) for name in wanted]


def suite_of(suite):
    bench = Bench(suite)
    first = suite.args.seed
    if first is None:
        first = random.SystemRandom().randrange(10 ** 6) if suite.is_long else 1
    seeds = [str(first + i) for i in range(ROUNDS if suite.is_long else 1)]
    with tap.workers() as pool:
        tasks = [pool.submit(check_one, bench, seed, *which)
                 for seed in seeds for which in COMPILERS]
        for task in tasks:
            for name, why in task.result():
                suite.case(name, why)


if __name__ == "__main__":
    tap.main(suite_of, seed={"type": int})
