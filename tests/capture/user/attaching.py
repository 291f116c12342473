# SPDX-License-Identifier: Apache-2.0
"""attaching.py - programs that are attached to and let go: what the suites of that share.

A program of programs/ says "ready" when it is at work; at its end it says whether it was harmed.
"""
import os
import random
import re
import select
import signal
import socket
import subprocess
import time

import bench
import tap
from tap import Wrong

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attach", "programs")
NOBODY = 65534


# ---- what the kernel tells of a process


def status_of(pid, key):
    with open("/proc/%d/status" % pid, encoding="utf-8") as f:
        return re.search(r"^%s:\s*(.*)$" % key, f.read(), re.M).group(1)


def maps_of(pid):
    with open("/proc/%d/maps" % pid, encoding="utf-8") as f:
        return f.read().splitlines()


def remains(lines):
    """Of fctrace's: its arena, and code in memory that is no file's."""
    found = []
    for line in lines:
        field = line.split(None, 5)
        is_named = len(field) == 6
        if "memfd:fctrace" in line or ("x" in field[1] and not is_named):
            found.append(line)
    return found


def reserved_kb(lines):
    """Anonymous memory that may be written: a leaked strand is of 16 MiB."""
    sum_kb = 0
    for line in lines:
        field = line.split(None, 5)
        if field[1] == "rw-p" and len(field) == 5:
            start, end = (int(at, 16) for at in field[0].split("-"))
            sum_kb += (end - start) // 1024
    return sum_kb


def changed_code(pid):
    """Files whose code in memory is not what the file says."""
    found = []
    with open("/proc/%d/mem" % pid, "rb", 0) as mem:
        for line in maps_of(pid):
            field = line.split(None, 5)
            if "x" not in field[1] or len(field) < 6 or not field[5].startswith("/"):
                continue
            start, end = (int(at, 16) for at in field[0].split("-"))
            try:
                with open(field[5], "rb") as f:
                    f.seek(int(field[2], 16))
                    bytes_of_file = f.read(end - start)
                mem.seek(start)
                bytes_of_memory = mem.read(end - start)
                if len(bytes_of_memory) < end - start:
                    return []  # this memory has ended, with its program
                if bytes_of_memory[:len(bytes_of_file)] != bytes_of_file:
                    found.append(field[5])
            except OSError:
                pass  # unmapped meanwhile
    return found


# ---- the programs


class Target:
    """A program of programs/, at work. steady: its mappings do not change by themselves."""

    def __init__(self, bench, name, *args, steady=True):
        self.name, self.steady = name, steady
        self.proc = subprocess.Popen([bench.program(name), *args], cwd=bench.folder,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, start_new_session=True,
                                     bufsize=0, env=dict(os.environ, MALLOC_ARENA_MAX="1"))
        self.pid = self.proc.pid
        self.head = []
        while not self.head or self.head[-1] != b"ready\n":
            self.head.append(self.line())
            if not self.head[-1]:
                raise Wrong("%s did not begin: %s" % (name, self.proc.stderr.read()))
        self.before = maps_of(self.pid)

    def line(self):
        if not select.select([self.proc.stdout], [], [], tap.PATIENCE_S)[0]:
            raise Wrong("%s does not answer" % self.name)
        return self.proc.stdout.readline()

    def order(self, word):
        self.proc.stdin.write(word.encode() + b"\n")

    def ask(self, word):
        self.order(word)
        return self.line().decode()

    def has_ended(self):
        return self.proc.poll() is not None

    def remains(self):
        """What fctrace has left in it: not what the program had mapped before."""
        return [line for line in remains(maps_of(self.pid)) if line not in self.before]

    def check_clean(self):
        """Nothing of fctrace's is in it."""
        if self.has_ended():
            self.check_end()
        if status_of(self.pid, "TracerPid") != "0":
            raise Wrong("process %s traces it" % status_of(self.pid, "TracerPid"))
        lines = maps_of(self.pid)
        left = self.remains()
        if left:
            raise Wrong("mapped still:\n" + "\n".join(left))
        code = changed_code(self.pid)
        if code:
            raise Wrong("code is not that of its file: " + ", ".join(code))
        if self.steady and lines != self.before:
            raise Wrong("maps before and after:\n" + "\n".join(
                ["- " + line for line in self.before if line not in lines] +
                ["+ " + line for line in lines if line not in self.before]))
        grown_kb = reserved_kb(lines) - reserved_kb(self.before)
        if grown_kb > 256 << 10:
            raise Wrong("%d KiB more are mapped" % grown_kb)

    def check_unharmed(self):
        self.check_clean()
        return self.check_end()

    def check_end(self):
        """It ends well, having done something."""
        if not self.proc.stdin.closed:
            try:
                self.proc.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self.proc.wait(tap.PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise Wrong("%s does not end" % self.name) from None
        out, err = self.proc.stdout.read().decode(), self.proc.stderr.read().decode()
        if self.proc.returncode or err or not re.search(r"^ok [1-9]\d*$", out, re.M):
            raise Wrong("%s: status %d, says: %s%s" % (self.name, self.proc.returncode,
                                                       out[-500:], err[-500:]))
        return out

    def kill(self):
        if not self.has_ended():
            tap.kill_session(self.pid)
            self.proc.wait()
        for stream in (self.proc.stdin, self.proc.stdout, self.proc.stderr):
            try:
                stream.close()
            except OSError:
                pass


class Bench(bench.Bench):
    """folders: where the programs are."""

    folders, flags = [PROGRAMS], ["-O2", "-g", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        self.rng, self.targets = random.Random(suite.args.seed), []
        os.chmod(self.folder, 0o755)

    def program(self, name, *flags):
        """Its path."""
        source = next(filter(os.path.exists, (os.path.join(folder, name + ending) for folder in
                                              self.folders for ending in bench.COMPILERS)))
        return self.build(source, *flags, out=name)

    def start(self, name, *args, steady=True):
        target = Target(self, name, *args, steady=steady)
        self.targets.append(target)
        return target

    def end(self):
        for target in self.targets:
            target.kill()
        self.targets.clear()

    def attach(self, target, *args, **how):
        """fctrace, when it has hooked the target."""
        controller = self.begin("-p", str(target.pid), *args, **how)
        wait_hooked(target.pid, controller)
        if controller.poll() is not None:
            raise Wrong("fctrace ended: " + said_by(controller))
        return controller

    def calls_of(self, names):
        calls = self.calls()
        return {name: calls[name] for name in names}

    def rounds(self, few, many):
        return many if self.is_long else few


def wait_hooked(pid, controller):
    """Until it is hooked, or fctrace has ended."""
    tap.wait_until(lambda: changed_code(pid) or controller.poll() is not None, "attaching")


def said_by(controller):
    return controller.stderr.read().decode(errors="replace")


def expect_end(controller, status=0):
    try:
        controller.wait(tap.PATIENCE_S)
    except subprocess.TimeoutExpired:
        controller.kill()
        raise Wrong("fctrace does not end") from None
    err = said_by(controller)
    controller.stderr.close()
    if controller.returncode != status:
        raise Wrong("fctrace: status %d, expected %d: %s" % (controller.returncode, status, err))
    return err


def stop(controller, sig=signal.SIGINT, status=0):
    controller.send_signal(sig)
    return expect_end(controller, status)


# It is right to say this: a signal's handler runs above the first instructions of a function, or
# jumps out of a stub that had not written its record.
HARMLESS = re.compile(r"fctrace: ("
                      r".* not hooked: a signal handler will come back to .*|"
                      r"\d{1,3} records were lost; fctrace replay shows where)\n")


def expect_silence(done):
    err = HARMLESS.sub("", done.err.decode(errors="replace"))
    if done.status or err or done.is_late:
        raise Wrong("fctrace: status %d%s: %s" % (
            done.status, ", late" if done.is_late else "", err))


def expect_line(done, names, status):
    lines = done.err.decode(errors="replace").splitlines()
    if done.status != status or len(lines) != 1 or names not in lines[0] or done.is_late or \
            not lines[0].startswith("fctrace: "):
        raise Wrong("expected status %d and one line with %r; status %d:\n%s" % (
            status, names, done.status, "\n".join(lines)))


def kill_after(controller, delay_s):
    try:
        controller.wait(delay_s)
    except subprocess.TimeoutExpired:
        controller.kill()
        controller.wait()
    controller.stderr.close()


def check_nesting(bench):
    """Each line of the tree that closes a call names the one that is open."""
    done = bench.run("replay", bench.trace)
    stacks = {}
    nr = 0
    for line in done.out.decode().splitlines():
        parts = re.match(r"[^\[]*\[ *(\d+)\] \|( +)(.*)$", line)
        if not parts or line.startswith("#"):
            continue
        tid, indent, text = parts.group(1), len(parts.group(2)), parts.group(3)
        stack = stacks.setdefault(tid, [])
        opens = re.match(r"(\S+)\(\) \{", text)
        closes = re.match(r"\} /\* ([^, ]+)", text)
        if opens:
            stack.append((opens.group(1), indent))
            nr += 1
        elif closes:
            if not stack or stack.pop() != (closes.group(1), indent):
                raise Wrong("closes what is not open: " + line)
        elif stack and not text.startswith("/*") and indent <= stack[-1][1]:
            raise Wrong("is not within its caller: " + line)
    if nr < 100:
        raise Wrong("replay shows %d calls that make others" % nr)


def as_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def connect(pid):
    """To where fctrace takes requests."""
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.settimeout(tap.PATIENCE_S)
    client.connect(b"\0fctrace.%d" % pid)
    return client


def checked(check, bench):
    try:
        return check(bench)
    finally:
        bench.end()


def run_all(suite, cases, bench):
    """Each leaves no process behind; its time is told where it may be long."""
    print("# seed %d" % suite.args.seed)
    for name, check in cases:
        begin = time.monotonic()
        suite.run(name, checked, check, bench)
        if suite.is_long and suite.wants(name):
            print("# %.1f s" % (time.monotonic() - begin), flush=True)
