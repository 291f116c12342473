#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-Z, fg, bg and kill %1 do to a program that is traced what they do to any: by a shell, on a
terminal.
"""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

PROMPT = "ready> "
ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
CTRL_C, CTRL_Z = "\x03", "\x1a"


class Shell:
    """bash with job control on a terminal of its own."""

    def __init__(self, folder):
        self.folder, self.raw, self.at = folder, b"", 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(PS1=PROMPT, TERM="xterm")
            os.environ.pop("PROMPT_COMMAND", None)
            os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
        self.wait(PROMPT)

    def __enter__(self):
        return self

    def __exit__(self, *what):
        tap.kill_session(self.pid)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

    def text(self):
        return ESCAPES.sub(b"", self.raw[self.at:]).decode(errors="replace")

    def read(self, seconds):
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                self.raw += os.read(self.fd, 65536)
            except OSError:
                raise Wrong("the shell has ended: " + self.text()[-500:]) from None

    def wait(self, *texts):
        """Until the terminal has shown all of them since the last wait; what it has shown."""
        end = time.monotonic() + tap.PATIENCE_S / 10
        while not all(text in self.text() for text in texts):
            if time.monotonic() > end:
                raise Wrong("waited for %s: %s" % (texts, self.text()[-500:]))
            self.read(0.1)
        shown, self.at = self.text(), len(self.raw)
        return shown

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def command(self, line):
        self.send(line + "\n")
        return self.wait(PROMPT)

    def told(self, what):
        """The shell comes to say this of its job."""
        end = time.monotonic() + tap.PATIENCE_S / 10
        while what not in self.command("jobs"):
            if time.monotonic() > end:
                raise Wrong("the shell does not say " + what)
            time.sleep(0.02)

    def start(self, line):
        """A program that tells its id."""
        self.send(line + "\n")
        return int(re.search(r"pid=(\d+)\.", self.wait(".\n")).group(1))

    def nr_ticks(self, which="t"):
        try:
            with open(os.path.join(self.folder, "ticks"), encoding="utf-8") as f:
                return f.read().count(which)
        except FileNotFoundError:
            return 0

    def ticks_on(self, which="t"):
        nr, end = self.nr_ticks(which), time.monotonic() + tap.PATIENCE_S / 10
        while self.nr_ticks(which) < nr + 3:
            if time.monotonic() > end:
                raise Wrong("%s: it does not go on: %s" % (which, self.text()[-500:]))
            time.sleep(0.005)

    def stopped(self):
        """After Ctrl-Z: the shell has its terminal, and nothing of the job runs."""
        self.wait("Stopped", PROMPT)
        time.sleep(0.05)
        nr = self.nr_ticks()
        time.sleep(0.1)
        if self.nr_ticks() > nr + 1:
            raise Wrong("it runs on, stopped")

    def modes(self):
        return subprocess.run(["stty", "-a"], stdin=self.fd, capture_output=True, text=True,
                              check=True).stdout

    def ended(self, expected):
        got = self.command("echo status=$?.")
        if "status=%d." % expected not in got.split("\n", 1)[1]:
            raise Wrong("status: " + got)


class Bench:
    def __init__(self, suite):
        self.fctrace, self.folder = suite.fctrace, suite.folder
        self.trace = os.path.join(suite.folder, "t.data")
        self.program = os.path.join(suite.folder, "stops")
        subprocess.run(["gcc", "-O1", "-g", "-Wall", "-Wextra", "-o", self.program,
                        os.path.join(HERE, "programs", "stops.c")], check=True)
        self.record = "%s record -o %s" % (self.fctrace, self.trace)

    def shell(self):
        ticks = os.path.join(self.folder, "ticks")
        if os.path.exists(ticks):
            os.unlink(ticks)
        return Shell(self.folder)

    def job(self, how, tracer=None):
        return "%s %s %s" % (self.record if tracer is None else tracer, self.program, how)


def stops_and_goes_on(how, tracer=None):
    """Twice; then Ctrl-C ends it."""
    def check(bench):
        with bench.shell() as shell:
            shell.start(bench.job(how, tracer and tracer % bench.fctrace))
            for _ in range(2):
                shell.ticks_on()
                shell.send(CTRL_Z)
                shell.stopped()
                shell.send("fg\n")
                if how in ("handled", "raw"):
                    shell.wait("back\n")
                shell.ticks_on()
            shell.send(CTRL_C)
            shell.wait(PROMPT)
            shell.ended(128 + signal.SIGINT)
    return check


def goes_on_in_the_background(bench):
    with bench.shell() as shell:
        shell.start(bench.job("handled"))
        shell.send(CTRL_Z)
        shell.stopped()
        shell.command("bg")
        shell.ticks_on()
        if "Running" not in shell.command("jobs"):
            return "jobs: " + shell.text()
        shell.command("kill %1")
        shell.told("Terminated")


def a_stopped_job_is_killed(bench):
    with bench.shell() as shell:
        shell.start(bench.job("default"))
        shell.send(CTRL_Z)
        shell.stopped()
        shell.command("kill %1")
        shell.told("Terminated")


def is_told_to_go_on_without_its_shell(bench):
    with bench.shell() as shell:
        pid = shell.start(bench.job("default"))
        shell.send(CTRL_Z)
        shell.stopped()
        os.kill(pid, signal.SIGCONT)
        shell.ticks_on()
        os.kill(pid, signal.SIGSTOP)
        shell.told("Stopped")
        os.kill(pid, signal.SIGCONT)
        shell.ticks_on()


def fctrace_alone_is_told_to_go_on(bench):
    with bench.shell() as shell:
        pid = shell.start(bench.job("default"))
        shell.send(CTRL_Z)
        shell.stopped()
        with open("/proc/%d/status" % pid, encoding="utf-8") as f:
            tracer = int(re.search(r"TracerPid:\s+(\d+)", f.read()).group(1))
        os.kill(tracer, signal.SIGCONT)
        shell.ticks_on()


def a_stopped_program_ends(bench):
    with bench.shell() as shell:
        pid = shell.start(bench.job("default"))
        shell.send(CTRL_Z)
        shell.stopped()
        os.kill(pid, signal.SIGKILL)
        shell.told("Killed")


def the_terminal_is_the_shells_and_then_the_programs(bench):
    with bench.shell() as shell:
        shell.start(bench.job("raw"))
        raw = shell.modes()
        shell.send(CTRL_Z)
        shell.stopped()
        if " icanon" not in shell.command("stty -a"):
            return "stopped: " + shell.text()
        shell.send("fg\n")
        shell.wait("back\n")
        if " -icanon" not in shell.modes() or shell.modes() != raw:
            return "after fg: %s\nbefore: %s" % (shell.modes(), raw)


def daemon_runs_on(bench):
    with bench.shell() as shell:
        shell.start(bench.job("daemon", bench.record + " --ring=64K"))
        shell.ticks_on("d")
        shell.send(CTRL_Z)
        shell.stopped()
        for _ in range(5):
            shell.ticks_on("d")
        shell.send("fg\n")
        shell.ticks_on()


def end_all(program):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/exe" % pid) == program:
                os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass


def what_has_not_stopped_runs_on(bench):
    """A child in a session of its own, which makes children and fills its ring meanwhile."""
    try:
        daemon_runs_on(bench)
    finally:
        end_all(bench.program)


def all_calls_are_recorded(bench):
    with bench.shell() as shell:
        shell.start(bench.job("handled"))
        shell.send(CTRL_Z)
        shell.stopped()
        shell.send("fg\n")
        shell.ticks_on()
        shell.send(CTRL_C)
        shell.wait(PROMPT)
        nr = shell.nr_ticks()
    rows = tap.fctrace_json(bench.fctrace, "report", bench.trace)
    calls = {row["function"]: row["calls"] for row in rows}
    if not nr <= calls.get("tick", 0) <= nr + 1:
        return "%d calls, %d ticks" % (calls.get("tick", 0), nr)


def less_goes_on(bench):
    tap.need("less")
    with open(os.path.join(bench.folder, "text"), "w", encoding="utf-8") as f:
        f.write("".join("line %d\n" % i for i in range(1000)))
    with bench.shell() as shell:
        shell.send(bench.record + " less text\n")
        shell.wait("line 5\n")
        while "Stopped" not in shell.text():  # less may pass the first one over
            shell.send(CTRL_Z)
            shell.read(0.5)
        shell.wait("Stopped", PROMPT)
        shell.send("fg\n")
        shell.wait("line 5\n")
        shell.send("q")
        shell.wait(PROMPT)
        shell.ended(0)


def attached_goes_on(bench):
    """Ctrl-Z is for what was started here; the other program must not wait for it."""
    ticks = open(os.path.join(bench.folder, "ticks"), "wb")
    ticks.close()
    target = subprocess.Popen([bench.program], cwd=bench.folder, stdout=subprocess.DEVNULL)
    try:
        with Shell(bench.folder) as shell:
            shell.send("%s -p %d\n" % (bench.record, target.pid))
            end = time.monotonic() + tap.PATIENCE_S
            while tap.run([bench.fctrace, "ctl", str(target.pid), "status"]).status:
                if time.monotonic() > end:
                    return "it is not attached to"
            shell.send(CTRL_Z)
            shell.wait("not stopped by Ctrl-Z")
            shell.ticks_on()
            shell.send(CTRL_C)
            shell.wait(PROMPT)
    finally:
        target.kill()
        target.wait()


def suite_of(suite):
    bench = Bench(suite)
    suite.run_all([
        ("a program that handles Ctrl-Z", stops_and_goes_on("handled")),
        ("a program that does not", stops_and_goes_on("default")),
        ("a program with a child", stops_and_goes_on("child")),
        ("the live tree", stops_and_goes_on("handled", "%s -F tick -o tree")),
        ("sums of calls", stops_and_goes_on("default", "%s -c -o sums")),
        ("a flight recorder", stops_and_goes_on("handled", "%s record --loss=ring -o f.data")),
        ("top, as text", stops_and_goes_on("handled", "%s top -b -o top")),
        goes_on_in_the_background,
        a_stopped_job_is_killed,
        is_told_to_go_on_without_its_shell,
        fctrace_alone_is_told_to_go_on,
        a_stopped_program_ends,
        the_terminal_is_the_shells_and_then_the_programs,
        what_has_not_stopped_runs_on,
        all_calls_are_recorded,
        less_goes_on,
        attached_goes_on,
    ], bench, prefix="suspend ")


if __name__ == "__main__":
    tap.main(suite_of)
