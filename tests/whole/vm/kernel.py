#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What fctrace shows of the kernel (capture/kernel/run.py), in virtual machines with stock kernels:
one, and in the long form all that $FCTRACE_VM_KERNELS names.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../.."))
import guest  # noqa: E402
import run as vm  # noqa: E402
import tap  # noqa: E402

SUITE = "capture/kernel/run.py"


def run_in(suite, kernel, nr):
    folder = os.path.join(suite.folder, "machine%d" % nr)
    os.makedirs(folder)
    machine = guest.Guest(folder, suite.fctrace)
    words = ["--long"] if suite.is_long else []
    machine.add_suite(SUITE, "--only", suite.args.case, *words).wait()
    version = os.path.basename(kernel).replace("vmlinuz-", "")
    lines = vm.Lines(suite, "Linux " + version)
    machine.boot(kernel, told=lines)
    lines.end()


def suite_of(suite):
    try:
        guest.need()
        kernels = guest.kernels()
    except tap.Skip as why:
        suite.skip("machines with tracefs", why)
        return
    for nr, kernel in enumerate(kernels if suite.is_long else kernels[:1]):
        try:
            run_in(suite, kernel, nr)
        except tap.Wrong as why:
            suite.fail("a machine with " + os.path.basename(kernel), why)


if __name__ == "__main__":
    tap.main(suite_of, case={"default": "", "metavar": "TEXT", "help": "what --only says there"})
