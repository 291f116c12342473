#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What fctrace shows of the kernel (suites in capture/kernel), in virtual machines with stock kernels:
one, and in the long form all that $FCTRACE_VM_KERNELS names.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../.."))
import run as vm  # noqa: E402
import tap  # noqa: E402

SUITES = ["capture/kernel/run.py", "capture/kernel/functions.py", "capture/kernel/waits.py",
          "capture/kernel/tasks.py", "capture/kernel/compared.py"]


def suite_of(suite):
    words = ["--long"] if suite.is_long else []
    vm.run_in_each(suite, "with tracefs", [
        (name, "--only", suite.args.case, *words) for name in SUITES])


if __name__ == "__main__":
    tap.main(suite_of, case={"default": "", "metavar": "TEXT", "help": "what --only says there"})
