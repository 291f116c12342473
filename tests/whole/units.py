#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The unit tests of a build: each test_* below --programs is a cmocka program, whose cases are shown
as the suite's. --long: the long form of those that have one.
"""
import glob
import os
import resource
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

# They run machine code that fctrace makes: they run without sanitizers, too.
RUN_STUBS = ("test_arch_live", "test_arch_run", "test_arch_signals", "test_ring", "test_torn", "test_wells")
CPU_LIMIT_S = 600  # a test that hangs is known by the CPU time that it takes


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S))


def output_of(program, is_long):
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP")
    if is_long:
        env["FCTRACE_LONG"] = "1"
    return tap.run([program], cwd=tap.TESTS, env=env, preexec=limit, limit_s=CPU_LIMIT_S)


def suite_of(suite):
    programs = sorted(path for path in glob.glob(os.path.join(suite.args.programs, "test_*"))
                      if os.path.isfile(path) and os.access(path, os.X_OK)
                      and suite.wants(os.path.basename(path))
                      and (not suite.args.stubs or os.path.basename(path) in RUN_STUBS))
    if not programs:
        suite.fail("unit tests are built", "none in " + suite.args.programs)
    with tap.workers() as pool:
        outputs = pool.map(lambda program: output_of(program, suite.is_long), programs)
        for program, done in zip(programs, outputs):
            suite.show(done, os.path.basename(program))


if __name__ == "__main__":
    tap.main(suite_of, programs={"type": os.path.abspath, "required": True,
                                 "help": "the folder where the tests are built"},
             stubs={"action": "store_true", "help": "only those that run what fctrace makes"})
