#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What is put back where a program is let go: return addresses on its stacks."""
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402


def a_forked_child_returns_from_its_own_calls(suite):
    """Entries of a vfork child that has executed a program have slots of its parent's stack."""
    program = os.path.join(suite.folder, "forked")
    subprocess.run(["gcc", "-O1", "-pthread", "-o", program, os.path.join(HERE, "forked.c")],
                   check=True)
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as target:
        with subprocess.Popen([suite.fctrace, "record", "--libs=none", "-o",
                               os.path.join(suite.folder, "data"), "-p", str(target.pid)],
                              stderr=subprocess.PIPE) as fctrace:
            line = target.stdout.readline()
            fctrace.send_signal(signal.SIGINT)
            err = fctrace.stderr.read()
        target.communicate(b"\n")
    if line != b"forked\n" or target.returncode or fctrace.returncode:
        return "it wrote %r and ended with %d, fctrace with %d: %s" % (
            line, target.returncode, fctrace.returncode, err)
    return None


def suite_of(suite):
    suite.run_all([a_forked_child_returns_from_its_own_calls], suite)


if __name__ == "__main__":
    tap.main(suite_of)
