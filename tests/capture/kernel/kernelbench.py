# SPDX-License-Identifier: Apache-2.0
"""kernelbench.py - where the suites of the kernel's half work: a Bench with tracefs, and what they ask
of it.
"""
import collections
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

TRACEFS = "/sys/kernel/tracing"
INSTANCES = os.path.join(TRACEFS, "instances")
MODULE = "[system call]"
NOBODY = 65534


def is_mounted():
    with open("/proc/mounts", encoding="utf-8") as f:
        return any(line.split()[1:3] == [TRACEFS, "tracefs"] for line in f)


def need_tracefs():
    if os.geteuid():
        raise Skip("only root may use tracefs")
    if not is_mounted():
        raise Skip("tracefs is not mounted")


def need_function_graph():
    """And the buffers are as at its first use."""
    need_tracefs()
    with open(os.path.join(TRACEFS, "available_tracers"), encoding="utf-8") as f:
        if "function_graph" not in f.read():
            raise Skip("this kernel has no function_graph tracer")
    with open(os.path.join(TRACEFS, "buffer_size_kb"), "w", encoding="utf-8") as f:
        f.write("1408")


def instances():
    return [name for name in os.listdir(INSTANCES) if name.startswith("fctrace-")]


class Bench(bench.Bench):
    sources = HERE
    limit_s = 600

    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("calls.c")

    def nr(self, short, long):
        return long if self.is_long else short

    def told(self, *words, options=("--syscalls", "--libs=none"), also=(),
             statuses=(0, 3)):
        """Record; what fctrace says."""
        done = self.record(*words, options=[*options, *also])
        if done.status not in statuses or done.is_late:
            raise Wrong("status %d: %s" % (done.status, done.err.decode(errors="replace")))
        if instances():
            raise Wrong("left in tracefs: %s" % instances())
        return done.err.decode(errors="replace")

    def query(self, sql):
        return self.json("query", sql)

    def made(self):
        """How often each system call was made."""
        rows = self.query("select name, count(*) as nr from calls where module='%s' group by name"
                          % MODULE)
        return collections.Counter({row["name"]: row["nr"] for row in rows})

    def under(self, name, caller):
        rows = self.query("select count(*) as nr from calls where name='%s' and caller_name='%s' "
                          "and module='%s'" % (name, caller, MODULE))
        return rows[0]["nr"]


def by_turns(suite, cases):
    """A fifth of them in the short form: each takes seconds in an interpreted machine."""
    return [case for nr, case in enumerate(cases) if suite.has_turn("kernel", 5, nr)]


def attach_and_run(bench, nr, *options):
    """What fctrace, attached to `calls waits NR`, says."""
    target = subprocess.Popen([bench.program, "waits", str(nr)], stdin=subprocess.PIPE)
    tracer = bench.begin(*options, "--libs=none", "-p", str(target.pid))
    try:
        wait_until_followed(tracer)
        target.stdin.write(b"go\n")
        target.stdin.close()
        target.wait()
        err = tracer.stderr.read()
        tracer.wait()
    finally:
        target.kill()
        tracer.kill()
        target.wait()
    if tracer.returncode or target.returncode:
        raise Wrong("%d, %d: %s" % (target.returncode, tracer.returncode, err))
    if instances():
        raise Wrong("left: %s" % instances())


def session_folder():
    """Where the fctrace that runs has its buffers; IndexError: none has (what it begins at, it keeps in another)."""
    name = [name for name in instances() if not name.endswith("-from")][0]
    return TRACEFS if name.endswith("-top") else os.path.join(INSTANCES, name)


def is_followed():
    """Has fctrace told the kernel whom it traces?"""
    try:
        with open(os.path.join(session_folder(), "set_event_pid"), encoding="utf-8") as f:
            return bool(f.read().strip())
    except (OSError, IndexError):
        return False


def wait_until_followed(tracer, is_so=is_followed):
    """Until fctrace has told the kernel whom it traces; Wrong, if it ends instead."""
    tap.wait_until(lambda: is_so() or tracer.poll() is not None, "fctrace tells the kernel whom it traces")
    if tracer.poll() is not None and not is_so():
        raise Wrong("fctrace has ended with %d: %s" % (tracer.returncode, tracer.stderr and tracer.stderr.read()))


def is_reading(pid):
    """Does it wait for its standard input, and not within the agent for fctrace?"""
    try:
        with open("/proc/%d/syscall" % pid, encoding="ascii") as f:
            return f.read().startswith("0 0x0 ")
    except OSError:
        return False


def state_of(pid):
    """As proc(5) has it; X: it is no more."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
            return f.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"
