# SPDX-License-Identifier: Apache-2.0
"""tap.py - what the suites in Python share: cases told as lines, programs run with a limit.

A suite prints one line a case: `ok NAME`, `not ok NAME`, `ok NAME # SKIP why`; lines of
explanation begin with `#`. scripts/tally sums them.

A case is a function that returns what is wrong, or nothing. A suite runs its cases, and main()
runs a suite:

  def an_empty_file_is_refused(bench): ...

  def suite_of(suite):
      suite.run_all([an_empty_file_is_refused, ("a name of its own", check)], Bench(suite))

  tap.main(suite_of)

A suite does what it has to with nr_workers() at a time. A matrix that is too large for the short
form is gone through by turns: has_turn().
"""
import argparse
import concurrent.futures
import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import zlib

import bound

TESTS = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(TESTS)
PYTHON = "/usr/bin/python3"
TIMES = int(os.environ.get("FCTRACE_TIMES", "1"))  # so much slower is this machine: an interpreted one
TIME_LIMIT_S = 60 * TIMES  # of CPU time, or asleep: see run()
# For what takes a second, on a machine that has better to do: a wait for it ends when it is there.
PATIENCE_S = int(os.environ.get("FCTRACE_PATIENCE_S", 600 * TIMES))

# What a shell runs with "&", or nohup, begins with these ignored; what is tested must not.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Wrong(Exception):
    """Raised by a case: what is not as it should be."""


class Skip(Exception):
    """Raised by a case that cannot be run here: why."""


class Suite:
    """args: what main() was told; folder: where the suite works."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.fctrace, self.is_long = args.fctrace, args.long
        self.nr_told = self.nr_failed = 0
        self.unknown = set(args.only.split("|"))  # texts of --only that are in no name so far

    def wants(self, name):
        texts = [text for text in self.args.only.split("|") if text in name]
        self.unknown.difference_update(texts)
        return bool(texts)

    def ok(self, name):
        self.nr_told += 1
        print("ok " + name, flush=True)

    def fail(self, name, why=""):
        self.nr_told += 1
        self.nr_failed += 1
        print("not ok " + name)
        for line in str(why).splitlines()[:40]:
            print("#   " + line[:300])
        sys.stdout.flush()

    def skip(self, name, why):
        self.nr_told += 1
        print("ok %s # SKIP %s" % (name, why), flush=True)

    def case(self, name, why):
        """Why is None or "" when the case is well, else what is wrong, or a Skip."""
        if isinstance(why, Skip):
            self.skip(name, why)
        elif why:
            self.fail(name, why)
        else:
            self.ok(name)

    def show(self, done, program):
        """The cases of a program that prints TAP itself."""
        text = (done.out + done.err).decode(errors="replace")
        print(text, end="" if text.endswith("\n") else "\n", flush=True)
        # A case that cmocka skipped is "not ok 5 # SKIP name".
        nr_failed = len(re.findall(r"^not ok\b(?!.*# *SKIP)", text, re.M | re.I))
        self.nr_told += len(re.findall(r"^(?:not )?ok\b", text, re.M))
        self.nr_failed += nr_failed
        # cmocka's status is the number of failed cases.
        if done.is_late or (done.status and not nr_failed) or done.status >= 124:
            self.fail("%s ended with status %d" % (program, done.status),
                      "\n".join([*filter(None, [done.trouble()]), *text.splitlines()[-20:]]))

    def has_turn(self, name, of, nr=0):
        """Is it the turn of this case, of a matrix of which the short form runs a part each time?

        The long form runs all, and so does --only. The part changes with each commit. nr counts
        cases that share a name: of as many as there are turns one has it.
        """
        if self.is_long or self.args.only or not os.environ.get("FCTRACE_TURN"):
            return True
        return (zlib.crc32(name.encode()) + nr + int(os.environ["FCTRACE_TURN"], 16)) % of == 0

    def run(self, name, check, *args):
        """One case: check(*args), if it is asked for."""
        if self.wants(name):
            begin_s, begin = time.monotonic(), cpu_s()
            why = bound.run(name, lambda: outcome(check, *args))
            if self.args.times:
                print("# %.1f s, %.1f s of CPU time:" % (time.monotonic() - begin_s, cpu_s() - begin))
            self.case(name, why)

    def run_all(self, cases, *args, prefix="", at_once=1):
        """Cases: functions, which are their names, or (name, function).

        at_once: those that mostly wait are run several at a time, and told in their order. Each
        is a process of its own, then: what it forks, or changes of itself, is its own.
        """
        named = [(prefix + name, check) for name, check in map(with_name, cases)
                 if self.wants(prefix + name)]
        if at_once == 1:
            for name, check in named:
                self.run(name, check, *args)
            return
        global call
        call = lambda i: outcome(named[i][1], *args)  # noqa: E731: a child has it from its parent
        with multiprocessing.get_context("fork").Pool(at_once, maxtasksperchild=1) as pool:
            for (name, _), why in zip(named, pool.imap(called, range(len(named)))):
                self.case(name, why)


def expect(got, want):
    """Lists of texts."""
    if got != want:
        raise Wrong("\n".join(["got:", *map(str, got[:30]), "want:", *map(str, want)]))


def wait_until(is_so, what, limit_s=PATIENCE_S):
    end = time.monotonic() + limit_s
    while not is_so():
        if time.monotonic() > end:
            raise Wrong("%s: not within %d s" % (what, limit_s))
        time.sleep(0.002 * TIMES)


def child_of(pid):
    """The first; None: it has none."""
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as f:
        return next(map(int, f.read().split()), None)


def cpu_s():
    """Of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def nr_workers():
    """How many things a suite does at a time: one where other suites run beside it."""
    return int(os.environ.get("FCTRACE_WORKERS") or 0) or len(os.sched_getaffinity(0))


def workers():
    return concurrent.futures.ThreadPoolExecutor(nr_workers())


def called(i):
    return call(i)


def with_name(case):
    return case if isinstance(case, tuple) else (case.__name__.replace("_", " "), case)


def outcome(check, *args):
    """What Suite.case() is told of a case; one that breaks is a failed case."""
    try:
        return check(*args)
    except Skip as why:
        return why
    except Wrong as why:
        return str(why) or "wrong"
    except Exception as e:  # noqa: BLE001
        return "%s: %s" % (type(e).__name__, e)


SEED = {"type": int, "default": random.SystemRandom().randrange(10 ** 6)}


def main(run, **options):
    """run(suite) tells the cases of a suite. options: more of them, NAME={what argparse takes}."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fctrace", type=os.path.abspath,
                        default=os.path.join(TOP, "build", "fctrace"))
    parser.add_argument("--sanitized", type=os.path.abspath, metavar="FCTRACE",
                        help="one that tells of its own faults")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="cases with this in their names, or with one of TEXT|TEXT...")
    parser.add_argument("--long", action="store_true", help="what takes long, too")
    parser.add_argument("--times", action="store_true", help="above each case, how long it took")
    parser.add_argument("--keep", type=os.path.abspath, metavar="FOLDER",
                        help="work in this folder and leave it")
    for name, how in options.items():
        parser.add_argument("--" + name, **how)
    args = parser.parse_args()
    path = os.path.abspath(sys.argv[0])
    name = os.path.basename(path if not path.endswith("/run.py") else os.path.dirname(path))
    with tempfile.TemporaryDirectory(prefix="fctrace-%s-" % os.path.splitext(name)[0],
                                     ignore_cleanup_errors=True) as scratch:
        suite = Suite(args, args.keep or scratch)
        os.makedirs(suite.folder, exist_ok=True)
        run(suite)
    if args.only and (suite.unknown or not suite.nr_told):
        parser.error("--only %s: no case is called so" % ("|".join(suite.unknown) or args.only))
    sys.exit(1 if suite.nr_failed else 0)


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


def texts_of(argv, status=0, **how):
    """What it says on stdout and on stderr; Wrong, if it ends with another status (None: any)."""
    done = run(argv, **how)
    if status not in (None, done.status) or done.is_late:
        raise Wrong("%s: status %d: %s" % (" ".join(argv[1:]), done.status,
                                           done.err.decode(errors="replace")))
    return done.out.decode(errors="replace"), done.err.decode(errors="replace")


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


def need(program):
    if not have(program):
        raise Skip(program + " is not installed")


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
