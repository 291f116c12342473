# SPDX-License-Identifier: Apache-2.0
"""tap.py - what the suites in Python share: cases told as lines, programs run with a limit.

A suite prints one line a case: `ok NAME`, `not ok NAME`, `ok NAME # SKIP why`; lines of
explanation begin with `#`. scripts/tally sums them.
"""
import json
import os
import signal
import subprocess
import sys
import time

TESTS = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(TESTS)
PYTHON = "/usr/bin/python3"
TIME_LIMIT_S = 60  # of CPU time, or asleep: see run()
# For what takes a second, on a machine that has better to do: a wait for it ends when it is there.
PATIENCE_S = 600

# What a shell runs with "&", or nohup, begins with these ignored; what is tested must not.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Suite:
    def __init__(self, only=None):
        self.only = only
        self.nr_failed = 0

    def wants(self, name):
        return not self.only or self.only in name

    def ok(self, name):
        print("ok " + name, flush=True)

    def fail(self, name, why=""):
        self.nr_failed += 1
        print("not ok " + name)
        for line in str(why).splitlines()[:40]:
            print("#   " + line[:300])
        sys.stdout.flush()

    def skip(self, name, why):
        print("ok %s # SKIP %s" % (name, why), flush=True)

    def case(self, name, why):
        """Why is None or "" when the case is well, else what is wrong."""
        if why:
            self.fail(name, why)
        else:
            self.ok(name)

    def end(self):
        sys.exit(1 if self.nr_failed else 0)


class Run:
    """How a program ended: status as a shell shows it, stdout and stderr as bytes."""

    def __init__(self, status, out, err, is_late):
        self.status, self.out, self.err, self.is_late = status, out, err, is_late

    def trouble(self):
        return "took longer than its time limit" if self.is_late else None


def run(argv, cwd=None, env=None, stdin=None, limit_s=TIME_LIMIT_S, preexec=None):
    """Run argv in a session of its own; kill that session when the time is over.

    On a machine that is busy with other things that time is longer: see is_over_time().
    """
    proc = subprocess.Popen(argv, cwd=cwd, env=env, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True, preexec_fn=preexec)
    begin, nr_idle, is_late = time.monotonic(), 0, False
    words, wait_s = stdin or b"", limit_s
    while True:
        try:
            out, err = proc.communicate(words, timeout=wait_s)
            break
        except subprocess.TimeoutExpired:
            words, wait_s = None, 1
        cpu_s, is_idle = state_of(proc.pid)
        nr_idle = nr_idle + 1 if is_idle else 0
        if not is_over_time(time.monotonic() - begin, cpu_s, nr_idle, limit_s):
            continue
        is_late = True
        kill_session(proc.pid)
        try:
            out, err = proc.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            out, err = b"", b""
        break
    status = proc.returncode if proc.returncode is not None else 137
    return Run(128 - status if status < 0 else status, out, err, is_late)


def is_over_time(wall_s, cpu_s, nr_idle, limit_s):
    """Whoever waits for a CPU is not late; who had it for that long, or does not ask for it, is."""
    return cpu_s >= limit_s or nr_idle >= 5 or wall_s >= max(PATIENCE_S, 10 * limit_s)


def state_of(sid):
    """Of a session: seconds of CPU time that it had; do all of its threads sleep?"""
    ticks, is_idle = 0, True
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(pid)) != sid:
                continue
            for tid in os.listdir("/proc/%s/task" % pid):
                with open("/proc/%s/task/%s/stat" % (pid, tid), encoding="utf-8",
                          errors="replace") as f:
                    fields = f.read().rpartition(")")[2].split()
                is_idle = is_idle and fields[0] not in "RD"
            with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as f:
                ticks += sum(map(int, f.read().rpartition(")")[2].split()[11:15]))
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK"), is_idle


def kill_session(sid):
    """End what is left of a session that run() started: its processes, not just its group."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(pid)) == sid:
                os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass


def fctrace_json(fctrace, command, *args):
    done = run([fctrace, command, "--json", *args])
    if done.status != 0:
        raise RuntimeError("fctrace %s: status %d: %s" % (
            " ".join([command, *args]), done.status, done.err.decode(errors="replace").strip()))
    return json.loads(done.out)


NOT_ASKED = ("internal to its library (--libs=all hooks it)", "its module was not asked for")


def counts_of(info):
    """For a table: functions that were asked for, hooked, entry only, skipped, and the calls."""
    not_asked = sum(reason["functions"] for module in info["modules"]
                    for reason in module["reasons"] if reason["why"] in NOT_ASKED)
    skipped = info["skipped"] - not_asked
    numbers = [info["hooked"] + info["entry_only"] + skipped, info["hooked"],
               info["entry_only"], skipped, info["calls"]]
    return ["{:,}".format(n).replace(",", " ") for n in numbers]


def have(program):
    return any(os.access(os.path.join(d, program), os.X_OK)
               for d in os.environ.get("PATH", "/usr/bin:/bin").split(":"))


def excerpt(expected, got, limit=12):
    """Where two texts begin to differ, a few lines of each."""
    if isinstance(expected, bytes):
        expected, got = (t.decode(errors="replace") for t in (expected, got))
    a, b = expected.splitlines(), got.splitlines()
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    lines = ["line %d:" % (at + 1)]
    lines += ["  expected: " + line for line in a[at:at + limit // 2]] or ["  expected: (end)"]
    lines += ["  got:      " + line for line in b[at:at + limit // 2]] or ["  got:      (end)"]
    return "\n".join(lines)
