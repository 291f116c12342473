#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""In a machine without FSGSBASE: it is one, and fctrace reports it."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402

SIGILL = 4
READS = """int main(void) { long base; __asm__ volatile("rdfsbase %0" : "=r"(base)); return !base; }"""


def suite_of(suite):
    def it_is_an_illegal_instruction():
        path = os.path.join(suite.folder, "reads")
        subprocess.run(["gcc", "-mfsgsbase", "-xc", "-o", path, "-"], input=READS.encode(),
                       check=True)
        done = tap.run([path])
        return None if done.status == 128 + SIGILL else "status %d" % done.status

    def check_reports_it():
        said = tap.run([suite.fctrace, "check"]).out.decode(errors="replace")
        return None if "FSGSBASE       not there" in said else said

    suite.run_all([it_is_an_illegal_instruction, check_reports_it])


if __name__ == "__main__":
    tap.main(suite_of)
