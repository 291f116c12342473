# SPDX-License-Identifier: Apache-2.0
"""bound.py - how long a case may take, and where everything stood when it took longer.

A machine of which nobody else uses anything, such as one of whole/vm, sets $FCTRACE_CASE_LIMIT_S. A case that takes
longer fails with its own place, and with one line for each thread that it has begun: what it is called, its state, whether it
still gets CPU time, and the functions of the kernel in which it stands. Those threads are killed, and the next case begins.
"""
import os
import signal
import sys
import threading
import time
import traceback

LIMIT_S = int(os.environ.get("FCTRACE_CASE_LIMIT_S", "0"))
REST_S = int(os.environ.get("FCTRACE_CASE_REST_S", "60"))  # in which a case that is told to end does so: what it has begun is killed, and it waits for that
HERE = os.path.dirname(os.path.abspath(__file__))
MAX_FUNCTIONS = 7
MARK = "FCTRACE_CASE_OF"


class TooLong(Exception):
    """Raised in a case, where it stands."""


def text_of(*path):
    try:
        with open(os.path.join("/proc", *path), encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def stat_of(pid, tid):
    """What follows the name: state, parent, ... as proc(5) has it; None: it has ended."""
    fields = text_of(pid, "task", tid, "stat").rpartition(")")[2].split()
    return fields or None


def ticks_of(pid, tid):
    """Its CPU time, and when it began."""
    fields = stat_of(pid, tid)
    return (int(fields[11]) + int(fields[12]), int(fields[19])) if fields else (0, 0)


def threads():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            tids = os.listdir("/proc/%s/task" % pid)
        except OSError:
            continue
        for tid in tids:
            yield pid, tid


def is_of_the_kernel(pid):
    return not text_of(pid, "cmdline")


def is_ours(pid):
    """What this program begins has a word in its environment, also when its parent has ended: nobody else is killed."""
    return "%s=%s\0" % (MARK, os.environ.get(MARK, "-")) in text_of(pid, "environ")


def since(begin_ticks):
    """Threads of programs that this one has begun since, or that these have; and any of the kernel that waits for a device
    or a lock."""
    for pid, tid in threads():
        fields = stat_of(pid, tid)
        if not fields or int(pid) == os.getpid():
            continue
        if fields[0] == "D" if is_of_the_kernel(pid) else int(fields[19]) >= begin_ticks and is_ours(pid):
            yield pid, tid


def status_of(pid, tid, *names):
    lines = dict(line.split(":", 1) for line in text_of(pid, "task", tid, "status").splitlines() if ":" in line)
    return [(name, lines[name].strip()) for name in names if lines.get(name, "0").strip("0 \t")]


def functions_of(pid, tid):
    """Of the kernel, the innermost first."""
    lines = text_of(pid, "task", tid, "stack").splitlines()
    names = [line.rpartition("] ")[2].partition("+")[0] for line in lines]
    return " < ".join(names[:MAX_FUNCTIONS]) or text_of(pid, "task", tid, "wchan") or "?"


def where_it_stands(pid, tid, ticks):
    words = text_of(pid, "cmdline").replace("\0", " ").strip() or "[%s]" % text_of(pid, "comm").strip()
    said = " ".join("%s %s" % pair for pair in status_of(pid, tid, "TracerPid", "SigPnd", "ShdPnd"))
    return "%s/%s %s, %d ticks, call %s, %s %s (%s)" % (
        pid, tid, (stat_of(pid, tid) or "X")[0], ticks, text_of(pid, "task", tid, "syscall").split(" ")[0].strip() or "?", said,
        functions_of(pid, tid), words[-70:])


def all_places(begin_ticks):
    """ticks: CPU time within a second."""
    before = {(pid, tid): ticks_of(pid, tid)[0] for pid, tid in since(begin_ticks)}
    time.sleep(1)
    return [where_it_stands(pid, tid, ticks_of(pid, tid)[0] - was) for (pid, tid), was in before.items()
            if stat_of(pid, tid)]


def place_of(frame):
    """Where the case stands, in files of the tests."""
    return " < ".join("%s:%d %s" % (os.path.relpath(step.filename, HERE), step.lineno, step.name)
                      for step in reversed(traceback.extract_stack(frame)) if step.filename.startswith(HERE))


class Watch:
    """A thread that ends the case: the case itself may stand in a call that no signal ends."""

    def __init__(self, name, limit_s):
        self.name, self.limit_s, self.main = name, limit_s, threading.main_thread().ident
        self.begin_ticks = now_ticks()
        self.has_ended, self.why = threading.Event(), None
        self.thread = threading.Thread(target=self.run, daemon=True)

    def interrupt(self, *_):
        if not self.has_ended.is_set():
            raise TooLong()

    def run(self):
        if self.has_ended.wait(self.limit_s):
            return
        self.why = "\n".join(["not within %d s: %s" % (self.limit_s, place_of(sys._current_frames()[self.main])),
                              *all_places(self.begin_ticks)])
        for _ in range(3):
            for pid in {int(pid) for pid, _ in since(self.begin_ticks) if not is_of_the_kernel(pid)}:
                kill(pid)
            signal.pthread_kill(self.main, signal.SIGALRM)
            if self.has_ended.wait(REST_S):
                return
        print("not ok %s\n#   %s\n#   and it does not end" % (self.name, self.why.replace("\n", "\n#   ")), flush=True)
        os._exit(1)


def now_ticks():
    return int(float(text_of("uptime").split()[0]) * os.sysconf("SC_CLK_TCK"))


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def run(name, check, limit_s=None):
    """What check() returns; or, if it takes longer, where everything stood."""
    if not (limit_s or LIMIT_S):
        return check()
    os.environ[MARK] = "%d-%d" % (os.getpid(), now_ticks())
    watch = Watch(name, limit_s or LIMIT_S)
    signal.signal(signal.SIGALRM, watch.interrupt)
    watch.thread.start()
    try:
        got = check()
    except TooLong:
        got = None
    finally:
        watch.has_ended.set()
        watch.thread.join()
    return watch.why or got
