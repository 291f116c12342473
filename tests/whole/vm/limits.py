#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a kernel does not permit: with Yama, and locked down. run.py boots one that has both; whole/endings
has the same sentences where nothing but the answers of the kernel are made up.
"""
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

SCOPE = "/proc/sys/kernel/yama/ptrace_scope"
SECURITY = "/sys/kernel/security"
NOBODY = 65534
AS_NOBODY = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups"]
WAITS = """#include <stdio.h>
__attribute__((noinline)) int tick(int n) { __asm__ volatile(""); return n + 1; }
int main(void) { int n = 0; puts("ready"); fflush(stdout); getchar();
	for (int i = 0; i < 100; i++) n = tick(n);
	return n == 100 ? 3 : 1; }"""


def set_scope(scope):
    with open(SCOPE, "w", encoding="utf-8") as f:
        f.write(str(scope))


def is_hooked(pid):
    with open("/proc/%d/maps" % pid, encoding="utf-8") as f:
        return "memfd:fctrace" in f.read()


def attached(b, prefix, user):
    """fctrace's status and what it said; the target ends as ever."""
    with subprocess.Popen([*user, b.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as target:
        target.stdout.readline()
        tracer = subprocess.Popen([*prefix, b.fctrace, "record", "--libs=none", "-o", b.trace, "-p", str(target.pid)],
                                  cwd=b.folder, stderr=subprocess.PIPE)
        while tracer.poll() is None and not is_hooked(target.pid):
            time.sleep(0.05)
        target.stdin.write(b"\n")
        target.stdin.close()
        err = tracer.stderr.read().decode(errors="replace")
        if target.wait() != 3:
            raise Wrong("the target ended with %d: %s" % (target.returncode, err))
        return tracer.wait(), err


def launched(b, prefix):
    done = tap.run([*prefix, b.fctrace, "record", "--libs=none", "-o", b.trace, b.program], cwd=b.folder, stdin=b"\n")
    return done.status, done.err.decode(errors="replace")


def ordinary_users_trace_their_programs_under_scope_0(b):
    set_scope(0)
    status, err = attached(b, AS_NOBODY, AS_NOBODY)
    if status not in (0, 3):
        raise Wrong("attached: %d %s" % (status, err))


def under_scope_1_those_that_they_start(b):
    set_scope(1)
    status, err = attached(b, AS_NOBODY, AS_NOBODY)
    if status != 125 or "ptrace_scope is 1" not in err or "start it by fctrace" not in err:
        raise Wrong("attached: %d %s" % (status, err))
    status, err = launched(b, AS_NOBODY)
    if status != 3 or b.calls()["tick"] != 100:
        raise Wrong("launched: %d %s" % (status, err))


def under_scope_2_only_root_does(b):
    set_scope(2)
    for status, err in (attached(b, AS_NOBODY, AS_NOBODY), launched(b, AS_NOBODY)):
        if status != 125 or "ptrace_scope is 2" not in err:
            raise Wrong("%d %s" % (status, err))
    status, err = attached(b, [], AS_NOBODY)
    if status not in (0, 3):
        raise Wrong("root: %d %s" % (status, err))


def a_locked_down_kernel_shows_nothing_of_itself(b):
    set_scope(0)
    if not os.path.exists(os.path.join(SECURITY, "lockdown")):
        subprocess.run(["mount", "-t", "securityfs", "none", SECURITY], check=True)
    with open(os.path.join(SECURITY, "lockdown"), encoding="utf-8") as f:
        if "[confidentiality]" not in f.read():
            raise Skip("this kernel is not locked down")
    for option in ("--syscalls", "-k"):
        done = b.run("record", option, "--libs=none", "-o", b.trace, b.program, stdin=b"\n")
        err = done.err.decode(errors="replace")
        if done.status != 3 or "the kernel is locked down" not in err or b.calls()["tick"] != 100:
            raise Wrong("%s: %d %s" % (option, done.status, err))
    out, _ = b.must("check")
    if "locked down" not in out:
        raise Wrong(out)


def under_scope_3_nobody_does(b):
    """The last one: it stays."""
    set_scope(3)
    for status, err in (attached(b, [], []), launched(b, [])):
        if status != 125 or "ptrace_scope is 3" not in err:
            raise Wrong("%d %s" % (status, err))


def suite_of(suite):
    b = bench.Bench(suite)
    b.program = b.build("waits.c", text=WAITS)
    os.chmod(b.folder, 0o777)
    if not os.path.exists(SCOPE) or os.geteuid():
        suite.skip("what a kernel does not permit", "it has no Yama, or this is not root")
        return
    suite.run_all([ordinary_users_trace_their_programs_under_scope_0, under_scope_1_those_that_they_start,
                   under_scope_2_only_root_does, a_locked_down_kernel_shows_nothing_of_itself,
                   under_scope_3_nobody_does], b)


if __name__ == "__main__":
    tap.main(suite_of)
