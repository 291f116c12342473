#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Targets that attack: fctrace trusts nothing that they can write, and others are not harmed.

A round: a program spoils what fctrace has put into it, in one of the ways of recording, beside a
friend that must come out as if alone; fctrace has sanitizers, and must end by itself.
"""
import glob
import os
import random
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402

NR_COUNTERS = 1 << 19
EDGES_WORDS = 4096 // 8 + ((1 << 18) + 256) * 2
BIG, SMALL = 131072, 8192  # words of a ring

# How it is recorded: options, words of a ring, words of counters, kind of what is written.
WAYS = [
    (["record"], BIG, 0),
    (["record", "--loss=drop", "--ring=64K"], SMALL, 0),
    (["record", "--loss=ring", "--ring=64K"], SMALL, 0),
    (["record", "--loss=ring", "--ring=64K", "--dump-on=f2>1us", "--dump-on=SIGUSR2"], SMALL, 0),
    ([], BIG, 0),
    (["-c"], BIG, 0),
    (["-c", "--no-time"], BIG, NR_COUNTERS),
    (["-c", "--no-time", "--edges"], BIG, EDGES_WORDS),
    (["record", "--budget=5%"], BIG, NR_COUNTERS),
    (["record", "-F", "f2"], BIG, 0),
    (["record", "-D", "2", "-t", "1us"], BIG, 0),
    (["top", "--json", "-d", "0.05"], BIG, NR_COUNTERS),
]
MODES = ["records", "rings", "head", "control block", "letters", "segments", "edges", "strands",
         "config", "all"]
RIGHTS = ["setuid", "setgid", "seteuid", "setgroups", "chroot", "unshare", "syscall", "filter",
          "raw"]


def build(top):
    for name in ("hostile", "friend", "rights", "pointers"):
        subprocess.run(["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-pthread",
                        "-I", os.path.join(tap.TOP, "src"), "-o", os.path.join(top, name),
                        os.path.join(HERE, "programs", name + ".c"), "-ldl"], check=True)


def env_of(top):
    log = os.path.join(top, "found")
    return dict(os.environ, ASAN_OPTIONS="detect_leaks=0:log_path=%s:exitcode=99" % log,
                UBSAN_OPTIONS="log_path=%s:print_stacktrace=1" % log)


def findings(top):
    """What sanitizers have told, which is then forgotten."""
    told = ""
    for path in glob.glob(os.path.join(top, "found.*")):
        with open(path, encoding="utf-8", errors="replace") as f:
            told += f.read()[:3000]
        os.unlink(path)
    return told


class Round:
    def __init__(self, top, fctrace, number):
        self.top, self.fctrace, self.number = top, fctrace, number
        self.env = env_of(top)
        self.options, self.words, self.counters = WAYS[number % len(WAYS)]
        self.mode = (number // len(WAYS)) % len(MODES)
        self.data = os.path.join(top, "round.data")
        self.attaches = number % 3 == 2
        self.random = random.Random(number)

    def name(self):
        return "round %d: %s, %s%s" % (self.number, MODES[self.mode],
                                       " ".join(self.options) or "live",
                                       ", attached" if self.attaches else "")

    def hostile(self, ms=80):
        return [os.path.join(self.top, "hostile"), str(self.number + 1), str(self.mode), str(ms),
                str(self.words), str(self.counters)]

    def shell(self):
        """What it spoils may make it wait for ever: that is its own affair."""
        return ["sh", "-c", "timeout -s KILL 4 %s & a=$!; %s 1; s=$?; wait $a; exit $s"
                % (" ".join(self.hostile()), os.path.join(self.top, "friend"))]

    def run(self):
        for path in glob.glob(self.data + "*"):
            os.unlink(path)
        why = self.attached() if self.attaches else self.launched()
        found = findings(self.top)
        if why or found:
            return "%s\n%s" % (why or "", found)
        return self.read() if self.number % 4 == 0 else None

    def command(self):
        return [self.fctrace] + self.options + ["-o", self.data]

    def launched(self):
        run = tap.run(self.command() + self.shell(), env=self.env)
        why = run.trouble()
        if not why and b"10000\n" not in run.out:
            why = "the friend said %r; %s" % (run.out[-200:], run.err[-500:])
        if not why and run.status != 42:
            why = "the status is %d, not 42: %s" % (run.status, run.err[-500:])
        return why

    def attached(self):
        """Come, do something, and go; then whoever comes next."""
        with subprocess.Popen(self.hostile(1500), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as target:
            try:
                run = tap.run(self.command() + ["--for", "0.3s", "-p", str(target.pid)],
                              env=self.env)
                why = run.trouble()
                after = self.random.choice((["dump", "-o", self.data, str(target.pid)],
                                            ["detach", str(target.pid)],
                                            ["ctl", str(target.pid), "status"]))
                if not why:
                    run = tap.run([self.fctrace] + after, env=self.env)
                    why = run.trouble() and "%s: %s" % (after[0], run.trouble())
            finally:
                tap.kill_session(target.pid)
        return why

    def read(self):
        for path in glob.glob(self.data + "*") if "record" in self.options else []:
            for words in (["report"], ["replay"], ["info"]):
                run = tap.run([self.fctrace] + words + [path], env=self.env)
                why = run.trouble() or findings(self.top)
                if why or run.status not in (0, 1, 2):
                    return "%s: status %d: %s" % (words[0], run.status, why or run.err[-500:])
        return None


def rounds(suite, top, sanitized, first, nr):
    """Told one by one only where something is found, else by tens."""
    good = 0
    for number in range(first, first + nr):
        one = Round(top, sanitized, number)
        if not suite.wants(one.name()):
            continue
        why = one.run()
        if why:
            suite.fail("hostile " + one.name(), why)
        good += not why
        if good and good % 10 == 0 and not why:
            suite.ok("hostile: %d rounds" % good)
    if nr and good % 10:
        suite.ok("hostile: %d rounds" % good)


def rights(suite, top, fctrace):
    """A process that gives up rights has rings of its own from then on, and loses nothing."""
    for how in RIGHTS:
        name = "hostile: rights given up by %s" % how
        if not suite.wants(name):
            continue
        if os.geteuid():
            suite.skip(name, "needs root")
            continue
        data = os.path.join(top, "rights.data")
        program = os.path.join(top, "rights")
        run = tap.run([fctrace, "record", "-o", data, program, how])
        lines = sorted(run.out.decode().split("\n"))
        why = run.trouble()
        if not why and lines != ["", "child its own", "parent the same"]:
            why = "%s; %s" % (lines, run.err)
        if not why and run.status:
            why = "status %d: %s" % (run.status, run.err)
        report = tap.run([fctrace, "report", "--csv", data]).out.decode()
        made = "work,rights,%d," % (6 * 20000)
        if not why and how != "filter" and "\n" + made not in report:
            why = "%s is not in the report" % made
        suite.case(name, why)


def pointers(suite, top, fctrace):
    """What the program has unmapped since may be where the controller has 16 GiB reserved, one time in a thousand."""
    for _ in range(3):
        run = tap.run([fctrace, "record", "-o", os.path.join(top, "p.data"),
                       os.path.join(top, "pointers")])
        why = run.trouble() or (None if run.status == 0 and run.out.startswith(b"0 of ")
                                else "%r, status %d" % (run.out, run.status))
        if not why or run.status:
            break
    suite.case("hostile: no address of the controller's is shared", why)


def stopped(suite, top, fctrace):
    """SIGTERM lets go at once, also while a library that was loaded waits to be hooked."""
    name = "hostile: SIGTERM while a stopped target's letter is served"
    if not suite.wants(name):
        return
    program = os.path.join(top, "friend")
    code = ("import ctypes, os, sys\nprint(os.getpid(), flush=True)\n"
            "while True:\n  h = ctypes.CDLL(%r)._handle\n"
            "  ctypes.CDLL(None).dlclose(ctypes.c_void_p(h))\n" % "libz.so.1")
    why = None
    for number in range(4):
        with subprocess.Popen([fctrace, "record", "-o", os.path.join(top, "s.data"),
                               tap.PYTHON, "-c", code], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, start_new_session=True) as proc:
            pid = int(proc.stdout.readline())
            time.sleep(0.05 * (number + 1))
            os.kill(pid, signal.SIGSTOP)
            proc.send_signal(signal.SIGTERM)
            try:
                proc.wait(timeout=tap.TIME_LIMIT_S)
            except subprocess.TimeoutExpired:
                why = "it did not end, %s" % program
            os.kill(pid, signal.SIGCONT)
            os.kill(pid, signal.SIGKILL)
            tap.kill_session(proc.pid)
        if why:
            break
    suite.case(name, why)


def suite_of(suite):
    top, fctrace, args = suite.folder, suite.fctrace, suite.args
    build(top)
    pointers(suite, top, fctrace)
    rights(suite, top, fctrace)
    stopped(suite, top, fctrace)
    rounds(suite, top, args.sanitized or fctrace, args.first, args.rounds)


tap.main(suite_of, rounds={"type": int, "default": 60},
         first={"type": int, "default": 0, "help": "the number of the first round"})
