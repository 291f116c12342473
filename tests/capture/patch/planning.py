#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""planning/run.py - a file that takes long to plan: what is shown, and signals meanwhile.

The file is 256 MiB of code without a symbol. How quickly a signal is heeded is told by the CPU
time that fctrace takes, as a share of what the whole plan takes: no clock of the machine's.
"""
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
import tap

SIZE = 256 << 20
BASE = 0x10000000
FOR_EVER_S = 600
LETS_GO = (signal.SIGTERM, signal.SIGHUP)
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def code(words):
    """write(1, words, …); if there is an argument pause() for ever; exit_group(7)"""
    text = 0x1000 + 128
    return b"".join([
        b"\xb8\x01\x00\x00\x00\xbf\x01\x00\x00\x00",                # mov $1, %eax; $1, %edi
        b"\xbe" + struct.pack("<I", BASE + text),                   # mov $text, %esi
        b"\xba" + struct.pack("<I", len(words)) + b"\x0f\x05",      # mov $len, %edx; syscall
        b"\x48\x83\x3c\x24\x01\x74\x09",                            # cmpq $1, (%rsp); je exit
        b"\xb8\x22\x00\x00\x00\x0f\x05\xeb\xf7",                    # mov $34, %eax; again
        b"\xb8\xe7\x00\x00\x00\xbf\x07\x00\x00\x00\x0f\x05",        # exit_group(7)
    ]).ljust(128, b"\xcc") + words


def write_program(path):
    head = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, BASE + 0x1000, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    load = struct.pack("<IIQQQQQQ", 1, 5, 0, BASE, BASE, SIZE, SIZE, 0x1000)
    with open(path, "wb") as f:
        f.write(head + load)
        f.seek(0x1000)
        f.write(code(b"ran\n"))
        f.truncate(SIZE)
    os.chmod(path, 0o755)


def cpu_s(pid):
    with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
        fields = f.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) * TICK_S


class Late(Exception):
    """It had nearly planned it all when the signal came."""


class Tests:
    def __init__(self, suite, fctrace, folder):
        self.suite, self.fctrace, self.folder = suite, fctrace, folder
        self.program = os.path.join(folder, "large")
        write_program(self.program)
        begin_s = os.times().children_user
        self.listed = tap.run([fctrace, "list", "--summary", self.program])
        self.whole_s = os.times().children_user - begin_s

    def start(self, *argv, **kwargs):
        return subprocess.Popen(
            [self.fctrace, *argv], stdin=subprocess.DEVNULL, start_new_session=True, **kwargs)

    def wait_for_planning(self, proc):
        """Until a tenth of the plan's CPU time was taken."""
        end = time.monotonic() + FOR_EVER_S
        while cpu_s(proc.pid) < self.whole_s / 10:
            if proc.poll() is not None or time.monotonic() > end:
                raise RuntimeError("it has not begun to plan")
            time.sleep(0.005)

    def interrupted(self, sig, *argv):
        """Its status, stdout, stderr and the share of the plan that it made after the signal."""
        proc = self.start(*argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            self.wait_for_planning(proc)
            os.kill(proc.pid, signal.SIGSTOP)
            before_s = cpu_s(proc.pid)
            os.kill(proc.pid, sig)
            os.kill(proc.pid, signal.SIGCONT)
            out, err = proc.stdout.read(), proc.stderr.read()
            _, status, usage = os.wait4(proc.pid, 0)
            proc.returncode = os.waitstatus_to_exitcode(status)
        finally:
            tap.kill_session(proc.pid)
        if before_s > self.whole_s / 2:
            raise Late
        share = (usage.ru_utime + usage.ru_stime - before_s) / self.whole_s
        return proc.returncode, out.decode(), err.decode(), share

    def patiently(self, fn, *args):
        for _ in range(20):
            try:
                return fn(*args)
            except Late:
                pass
        raise RuntimeError("20 times the signal came too late")

    def told_to_stop(self, sig):
        trace = os.path.join(self.folder, "told.data")
        status, out, err, share = self.patiently(
            self.interrupted, sig, "record", "--no-cache", "-o", trace, self.program)
        if share > 0.3:
            return "after the signal it planned %d %% of the file" % (100 * share)
        if out != "ran\n":
            return "the program wrote %r" % out
        if "told to stop" not in err:
            return "stderr: %s" % err
        # Let go, it may end before fctrace does, or after.
        is_right = status == 7 or (status == -signal.SIGTERM and sig in LETS_GO)
        return None if is_right else "status %d: %s" % (status, err)

    def test_signals(self):
        for sig in signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT:
            name = "record: SIG%s ends planning" % sig.name[3:]
            if self.suite.wants(name):
                self.suite.case(name, self.told_to_stop(sig))

    def attach_told(self, sig):
        with subprocess.Popen([self.program, "wait"], stdout=subprocess.PIPE) as target:
            try:
                target.stdout.readline()
                trace = os.path.join(self.folder, "attach.data")
                status, _, err, share = self.patiently(
                    self.interrupted, sig, "record", "--no-cache", "-o", trace, "-p",
                    str(target.pid))
                with open("/proc/%d/maps" % target.pid, encoding="utf-8") as f:
                    maps = f.read().replace(self.folder, "")
            finally:
                target.kill()
        if share > 0.3:
            return "after the signal it planned %d %% of the file" % (100 * share)
        if "fctrace" in maps:
            return "something of fctrace is left:\n" + maps
        return None if status == 0 else "status %d: %s" % (status, err)

    def test_attach(self):
        for sig in signal.SIGTERM, signal.SIGINT:
            name = "attach: SIG%s ends planning" % sig.name[3:]
            if self.suite.wants(name):
                self.suite.case(name, self.attach_told(sig))

    def on_terminal(self):
        """What list writes to a terminal, when it takes longer than a second."""
        ours, theirs = pty.openpty()
        proc = self.start("list", "--summary", self.program, stdout=subprocess.DEVNULL,
                          stderr=theirs)
        os.close(theirs)
        self.wait_for_planning(proc)
        os.kill(proc.pid, signal.SIGSTOP)
        is_late = cpu_s(proc.pid) > self.whole_s / 2
        time.sleep(1.1) # it is shown after a second: more only makes that later
        os.kill(proc.pid, signal.SIGCONT)
        text = b""
        while select.select([ours], [], [], FOR_EVER_S)[0]:
            try:
                text += os.read(ours, 4096)
            except OSError:
                break
        os.close(ours)
        proc.wait()
        if is_late:
            raise Late
        return text.decode()

    def test_shown(self):
        text = self.patiently(self.on_terminal)
        shown = re.findall(r"fctrace: planning large: (\d+) %, (\d+) s more", text)
        why = None
        if not shown:
            why = "it wrote %r" % text
        elif [int(n) for n, _ in shown] != sorted(int(n) for n, _ in shown):
            why = "it goes back: %s" % shown
        elif not text.endswith("\r\x1b[K"):
            why = "it stays there: %r" % text[-80:]
        self.suite.case("list: on a terminal it is shown how far planning is", why)
        self.suite.case("list: elsewhere it is not", self.listed.err.decode())

    def test_whole(self):
        done = tap.run([self.fctrace, "record", "--no-cache", "-o",
                        os.path.join(self.folder, "whole.data"), self.program],
                       limit_s=FOR_EVER_S)
        self.suite.case("record: a large file without functions runs",
                        None if (done.status, done.out) == (7, b"ran\n") else
                        "status %d: %s" % (done.status, done.err.decode()))


def suite_of(suite):
    tests = Tests(suite, suite.fctrace, suite.folder)
    tests.test_signals()
    tests.test_attach()
    if suite.wants("list"):
        tests.test_shown()
    if suite.wants("large file"):
        tests.test_whole()


tap.main(suite_of)
