#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bound.py: a case that hangs fails and says where everything stood, and the next case runs."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

LIMIT_S = 5
SUITE = """
import os, signal, subprocess, sys
sys.path.insert(0, %r)
import tap

def hangs():
    # In a wait that begins anew behind each signal, for one that ends by SIGKILL alone.
    subprocess.run(["sh", "-c", "trap '' TERM INT ALRM; while :; do sleep 1000; done"])

def waits_for_ever_in_vain():
    try:
        hangs()
    finally:
        while True:
            try:
                os.read(os.pipe()[0], 1)
            except Exception:
                pass

def is_fine():
    pass

tap.main(lambda suite: suite.run_all([hangs, is_fine, waits_for_ever_in_vain]))
"""


def suite_of(suite):
    def run_of(only):
        path = os.path.join(suite.folder, "suite.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write(SUITE % tap.TESTS)
        done = tap.run([tap.PYTHON, path, "--only", only], env=dict(
            os.environ, FCTRACE_CASE_LIMIT_S=str(LIMIT_S), FCTRACE_CASE_REST_S="1"), limit_s=tap.PATIENCE_S)
        return done.status, (done.out + done.err).decode(errors="replace")

    def it_fails_and_the_next_one_runs():
        status, said = run_of("hangs|is fine")
        if status != 1 or not re.search(r"^not ok hangs\n#   not within 5 s: .*outcome", said) or "\nok is fine\n" not in said:
            raise Wrong("%d %s" % (status, said))

    def where_its_processes_stood_is_said():
        _, said = run_of("hangs")
        place = re.search(r"^#   \d+/\d+ (\w), (\d+) ticks, call (\d+), .*\(sleep 1000\)$", said, re.M)
        if not place or place[1] != "S" or place[2] != "0":
            raise Wrong(said)

    def one_that_does_not_end_then_ends_the_suite():
        status, said = run_of("waits for ever")
        if status != 1 or not re.search(r"^not ok waits for ever in vain\n(#.*\n)+#   and it does not end\n", said):
            raise Wrong("%d %s" % (status, said))

    suite.run_all([it_fails_and_the_next_one_runs, where_its_processes_stood_is_said, one_that_does_not_end_then_ends_the_suite])


if __name__ == "__main__":
    tap.main(suite_of)
