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
import bench  # noqa: E402
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
        tap.wait_until(lambda: what in self.command("jobs"), "the shell says " + what, tap.PATIENCE_S / 10)

    def comes_to_the_fore(self):
        """A key reaches the job, not the shell: bash names a job before it gives it the terminal."""
        tap.wait_until(lambda: os.tcgetpgrp(self.fd) != self.pid, "the job has the terminal",
                       tap.PATIENCE_S / 10)

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
            self.read(0.005)

    def stop(self, shown):
        """Ctrl-Z, again after half a second if it has not had an effect."""
        end = time.monotonic() + tap.PATIENCE_S / 10
        while shown not in self.text():
            if time.monotonic() > end:
                raise Wrong("Ctrl-Z does not stop it: " + self.text()[-500:])
            self.send(CTRL_Z)
            again = time.monotonic() + 0.5
            while shown not in self.text() and time.monotonic() < again:
                self.read(0.1)

    def stopped(self):
        """After Ctrl-Z: the shell has its terminal, and nothing of the job runs."""
        self.wait("Stopped", PROMPT)
        time.sleep(0.05)
        nr = self.nr_ticks()
        time.sleep(0.1)
        if self.nr_ticks() > nr + 1:
            raise Wrong("it runs on, stopped")

    def goes_on(self, says=None):
        """By fg; says: what the program does when it goes on."""
        self.send("fg\n")
        if says:
            self.wait(says)
        self.ticks_on()

    def modes(self):
        return subprocess.run(["stty", "-a"], stdin=self.fd, capture_output=True, text=True,
                              check=True).stdout

    def ended(self, expected):
        got = self.command("echo status=$?.")
        if "status=%d." % expected not in got.split("\n", 1)[1]:
            raise Wrong("status: " + got)


class Bench(bench.Bench):
    flags = ["-O1", "-g", "-Wall", "-Wextra"]

    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("stops.c")
        self.recording = "%s record -o %s" % (self.fctrace, self.trace)

    def shell(self):
        self.write("ticks", "")
        return Shell(self.folder)

    def job(self, how, tracer=None):
        return "%s %s %s" % (self.recording if tracer is None else tracer, self.program, how)


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


def tracer_of(pid):
    with open("/proc/%d/status" % pid, encoding="utf-8") as f:
        return int(re.search(r"TracerPid:\s+(\d+)", f.read()).group(1))


def state_of(pid):
    with open("/proc/%d/status" % pid, encoding="utf-8") as f:
        return re.search(r"State:\s+(\w)", f.read()).group(1)


def comes_to(pid, states):
    tap.wait_until(lambda: state_of(pid) in states, "process %d comes to state %s" % (pid, states),
                   tap.PATIENCE_S / 10)


def stopped_from_elsewhere(sig):
    """The program alone: fctrace does not stop, and hears SIGTERM; nor is the program killed by that."""
    def check(bench):
        with bench.shell() as shell:
            pid = shell.start(bench.job("default"))
            shell.ticks_on()
            tracer = tracer_of(pid)
            os.kill(pid, sig)
            comes_to(pid, "tT")
            time.sleep(0.3)  # longer than it waits for others to stop
            if state_of(tracer) == "T":
                return "fctrace has stopped"
            os.kill(tracer, signal.SIGTERM)
            tap.wait_until(lambda: not tracer_of(pid), "fctrace hears SIGTERM", tap.PATIENCE_S / 10)
            time.sleep(0.1)
            os.kill(pid, signal.SIGCONT)
            shell.wait(PROMPT)
            shell.ticks_on()
            os.kill(pid, signal.SIGKILL)
    return check


def typed_when_stopped_from_elsewhere(bench):
    with bench.shell() as shell:
        pid = shell.start(bench.job("default"))
        os.kill(pid, signal.SIGSTOP)
        comes_to(pid, "tT")
        shell.send(CTRL_Z)
        shell.stopped()
        shell.goes_on()


def sent_to_fctrace_alone(bench):
    with bench.shell() as shell:
        pid = shell.start(bench.job("default"))
        os.kill(tracer_of(pid), signal.SIGTSTP)
        shell.stopped()
        shell.goes_on()


def sent_to_the_job(bench):
    with bench.shell() as shell:
        pid = shell.start(bench.job("default") + " &")
        for sig in signal.SIGTSTP, signal.SIGSTOP:
            os.kill(-os.getpgid(pid), sig)
            shell.told("Stopped")
            shell.command("bg")
            shell.told("Running")
            shell.ticks_on()


def stops_itself(how):
    def check(bench):
        with bench.shell() as shell:
            shell.send(bench.job(how) + "\n")
            shell.stopped()
            shell.goes_on("back\n")
    return check


def reads_in_the_background(bench):
    with bench.shell() as shell:
        shell.command(bench.recording + " cat &")
        shell.told("Stopped")
        shell.send("fg\n")
        shell.wait("cat\n")
        shell.send("words\n")
        shell.wait("words\nwords\n")
        shell.send("\x04")
        shell.wait(PROMPT)
        shell.ended(0)


def has_a_session_of_its_own(bench):
    """No shell looks after it: SIGSTOP to itself is its own business, and SIGTSTP is without effect."""
    with bench.shell() as shell:
        pid = shell.start("%s setsid %s default" % (bench.recording, bench.program))
        tracer = tracer_of(pid)
        os.kill(pid, signal.SIGSTOP)
        comes_to(pid, "tT")
        time.sleep(0.3)
        if state_of(tracer) == "T":
            return "fctrace has stopped"
        os.kill(pid, signal.SIGKILL)
        shell.wait(PROMPT)


def has_no_shell(bench):
    """Of a session without a terminal, or of a group that nobody would let go on."""
    for how in "itself", "itself-stop":
        with subprocess.Popen(bench.job(how).split(), cwd=bench.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, start_new_session=True) as proc:
            try:
                pid = int(re.search(rb"pid=(\d+)", proc.stdout.readline()).group(1))
                time.sleep(0.3)
                if state_of(proc.pid) == "T":
                    return how + ": fctrace has stopped"
                os.kill(pid, signal.SIGCONT)
                if proc.stdout.readline() != b"back\n":
                    return how + ": it did not go on"
            finally:
                tap.kill_session(proc.pid)


def in_a_pipe(bench):
    """Whose other end is full: it is not waited for."""
    with bench.shell() as shell:
        shell.send("%s -F leaf %s busy 2>&1 | sleep 1000\n" % (bench.fctrace, bench.program))
        shell.comes_to_the_fore()
        time.sleep(0.5)
        shell.send(CTRL_Z)
        shell.wait("Stopped", PROMPT)
        shell.send("fg\n")
        shell.wait("sleep 1000\n")
        shell.comes_to_the_fore()
        shell.send(CTRL_C)
        shell.wait(PROMPT)


def under_timeout(bench):
    """It sends SIGTERM, and SIGCONT."""
    with bench.shell() as shell:
        shell.start("timeout -s KILL 1000 " + bench.job("handled"))
        shell.send(CTRL_Z)
        shell.stopped()
        shell.goes_on("back\n")
        shell.send(CTRL_C)
        shell.wait(PROMPT)
        shell.command("timeout 0.5 " + bench.job("itself"))
        shell.ended(124)


def in_a_script(bench):
    """Without job control: all of it is one job."""
    script = bench.write("script", "%s\necho after=$?.\n" % bench.job("handled"))
    for shell_of in "sh", "bash":
        with bench.shell() as shell:
            pid = shell.start("%s %s" % (shell_of, script))
            tracer = tracer_of(pid)
            shell.send(CTRL_Z)
            shell.stopped()
            # The script is stopped at once, and that is what its shell waits for.
            comes_to(tracer, "T")
            shell.goes_on("back\n")


def detach_says_that_it_is_stopped(bench):
    with bench.shell() as shell:
        pid = shell.start(bench.job("default"))
        shell.send(CTRL_Z)
        shell.stopped()
        for line in "detach %d" % pid, "ctl %d status" % pid:
            got = bench.run(*line.split())
            if not got.status or "is stopped" not in got.err.decode():
                return "%s: %d %s" % (line, got.status, got.err)
        shell.goes_on("goes on untraced")
        os.kill(pid, signal.SIGKILL)


def other_shell(name, *args):
    def check(bench):
        tap.need(name)
        with bench.shell() as shell:
            shell.send("PS1='%s' exec %s %s\n" % (PROMPT, name, " ".join(args)))
            shell.wait(PROMPT)
            shell.start(bench.job("handled"))
            shell.send(CTRL_Z)
            shell.wait("handled\n", PROMPT)
            shell.goes_on("back\n")
            shell.send(CTRL_C)
            shell.wait(PROMPT)
            shell.ended(128 + signal.SIGINT)
    return check


def fctrace_alone_is_told_to_go_on(bench):
    with bench.shell() as shell:
        pid = shell.start(bench.job("default"))
        shell.send(CTRL_Z)
        shell.stopped()
        os.kill(tracer_of(pid), signal.SIGCONT)
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


def goes_on_in_the_end(shell):
    """fg, and once more where the shell says that the job has stopped: fctrace is awake every 20 ms, and a
    shell that looks just then gives it the terminal and no SIGCONT (docs/how-it-works.md)."""
    nr, end, shell.at = shell.nr_ticks(), time.monotonic() + tap.PATIENCE_S / 10, len(shell.raw)
    shell.send("fg\n")
    while shell.nr_ticks() < nr + 3:
        shell.read(0.005)
        if "Stopped" in shell.text() and shell.text().endswith(PROMPT):
            shell.at = len(shell.raw)
            shell.send("fg\n")
        if time.monotonic() > end:
            raise Wrong("it does not go on: " + shell.text()[-500:])


def daemon_runs_on(bench):
    with bench.shell() as shell:
        shell.start(bench.job("daemon", bench.recording + " --ring=64K"))
        shell.ticks_on("d")
        shell.send(CTRL_Z)
        shell.stopped()
        for _ in range(5):
            shell.ticks_on("d")
        goes_on_in_the_end(shell)


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
        shell.goes_on()
        shell.send(CTRL_C)
        shell.wait(PROMPT)
        nr = shell.nr_ticks()
    calls = bench.calls()["tick"]
    if not nr <= calls <= nr + 1:
        return "%d calls, %d ticks" % (calls, nr)


def less_goes_on(bench):
    tap.need("less")
    bench.write("text", "".join("line %d\n" % i for i in range(1000)))
    with bench.shell() as shell:
        shell.send(bench.recording + " less text\n")
        shell.wait("line 5\n")
        shell.stop("Stopped")  # less may pass the first one over
        shell.wait("Stopped", PROMPT)
        shell.send("fg\n")
        shell.wait("line 5\n")
        shell.comes_to_the_fore()
        shell.send("q")
        shell.wait(PROMPT)
        shell.ended(0)


def attached_goes_on(bench):
    """Ctrl-Z is for what was started here; the other program must not wait for it."""
    bench.write("ticks", "")
    target = subprocess.Popen([bench.program], cwd=bench.folder, stdout=subprocess.DEVNULL)
    try:
        with Shell(bench.folder) as shell:
            shell.send("%s -p %d\n" % (bench.recording, target.pid))
            tap.wait_until(lambda: not bench.run("ctl", str(target.pid), "status").status, "attaching")
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
        ("a program that is stepped", stops_and_goes_on("handled", "%s record --backend=step -o s.data")),
        ("a program that is stepped, and does not handle it", stops_and_goes_on(
            "default", "%s record --backend=step -o s.data")),
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
        ("SIGSTOP from elsewhere is for the program alone", stopped_from_elsewhere(signal.SIGSTOP)),
        ("so is SIGTSTP", stopped_from_elsewhere(signal.SIGTSTP)),
        typed_when_stopped_from_elsewhere,
        sent_to_fctrace_alone,
        sent_to_the_job,
        ("a program that sends itself SIGTSTP", stops_itself("itself")),
        ("a program that sends itself SIGSTOP", stops_itself("itself-stop")),
        reads_in_the_background,
        has_a_session_of_its_own,
        has_no_shell,
        in_a_pipe,
        under_timeout,
        in_a_script,
        detach_says_that_it_is_stopped,
        ("dash", other_shell("dash", "-i")),
        ("zsh", other_shell("zsh", "-f", "-i")),
    ], bench, prefix="suspend ")


if __name__ == "__main__":
    tap.main(suite_of)
