#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What fctrace says to somebody who sits at a terminal, and to nobody else: what was recorded, and how
far long work is.
"""
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

# So many calls of step(); with "fail" one that fails follows, with "die" and "end" a signal.
PROGRAM = r"""
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
__attribute__((noipa)) int step(int n) { return n + 1; }
int main(int argc, char **argv)
{
	int n = 0;
	for (int left = atoi(argv[1]); left; left--)
		n = step(n);
	if (argc > 2 && argv[2][0] == 'f')
		return open("/nowhere", O_RDONLY) < 0 ? 0 : 1;
	return argc > 2 ? raise(argv[2][0] == 'd' ? SIGSEGV : SIGTERM) : 0;
}
"""
MANY = 1500000


class Terminal:
    """What is written to a terminal that is nobody's."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self.text = b""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.text += data

    def end(self):
        """All that was written; the last other side is closed."""
        os.close(self.slave)
        self.reader.join()
        os.close(self.master)
        return self.text.decode(errors="replace").replace("\r\n", "\n")


class Bench(bench.Bench):
    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("steps.c", text=PROGRAM)

    def at_terminal(self, *words, out=subprocess.DEVNULL):
        """The status, and what is on the terminal of its stderr."""
        terminal = Terminal()
        with subprocess.Popen([self.fctrace, *words], cwd=self.folder, stdout=out,
                              stderr=terminal.slave, stdin=subprocess.DEVNULL) as done:
            status = done.wait(tap.PATIENCE_S)
        return status, terminal.end()


def what_was_recorded(b):
    wrong = []
    for words, last, status in (
            ([b.program, "1000"], r"next: fctrace report -s self", 0),
            ([b.program, "10", "die"], r"next: fctrace replay --last 50", -signal.SIGSEGV),
            ([b.program, "10", "end"], r"next: fctrace report -s self", -signal.SIGTERM),
            (["-Z", b.program, "10", "fail"], r"next: fctrace replay -Z", 0),
            (["-F", "nothing_has_this_name", b.program, "10"], r"next: fctrace info", 0)):
        trace = "fctrace.data" if words[0] == b.program else "other.data"
        options = [] if trace == "fctrace.data" else ["-o", trace]
        got, text = b.at_terminal("record", *options, *words)
        end = "" if trace == "fctrace.data" else " other.data"
        if got != status or not re.search(
                r"^fctrace: %s: \d+ calls?, \S+ (?:.B|bytes), none lost; %s%s\n\Z" % (
                    re.escape(trace), last, end), text, re.M):
            wrong.append("%s: status %d: %r" % (words, got, text))
    status, text = b.at_terminal("record", b.program, "1000")
    _, device = b.at_terminal("record", "-o", "/dev/null", b.program, "1000")
    if not device.startswith("fctrace: /dev/null: ") or "next" in device:
        wrong.append("into a device: %r" % device)
    told = re.search(r"fctrace.data: (\d+) calls, ", text)
    calls = sum(row["calls"] for row in b.json("report", trace="fctrace.data"))
    if not told or int(told.group(1)) != calls:
        wrong.append("%r, and report has %d calls" % (text, calls))
    return "\n".join(wrong)


def nobody_is_there(b):
    """Or nobody wants it."""
    for words in ([], ["-q"]):
        done = b.run("record", *words, b.program, "10")
        if done.status or done.err:
            raise Wrong("%s: status %d: %s" % (words, done.status, done.err.decode()))
    status, text = b.at_terminal("record", "-q", b.program, "10")
    if status or text:
        raise Wrong("-q: status %d: %r" % (status, text))


def how_far_work_is(b):
    """It has to wait a while for who reads, in the middle of the trace."""
    trace = b.trace_of(b.program, str(MANY))
    terminal = Terminal()
    with subprocess.Popen([b.fctrace, "export", "-f", "jsonl", trace], cwd=b.folder,
                          stdout=subprocess.PIPE, stderr=terminal.slave) as done:
        done.stdout.read(1 << 16)
        time.sleep(1.2)
        while done.stdout.read(1 << 20):
            pass
        status = done.wait(tap.PATIENCE_S)
    text = terminal.end()
    if status or not re.search(r"\r\x1b\[Kfctrace: reading t\.data: \d+ %, \d+ s more", text):
        raise Wrong("status %d: %r" % (status, text[:400]))
    if not text.endswith("\r\x1b[K"):
        raise Wrong("it is not taken away: %r" % text[-100:])
    told = [int(nr) for nr in re.findall(r"(\d+) %", text)]
    if told != sorted(told) or told[-1] > 100:
        raise Wrong("how far: %s" % told)


def short_work_says_nothing(b):
    trace = b.trace_of(b.program, "1000")
    for words in (["report"], ["graph"], ["export", "-f", "jsonl"], ["query", trace,
                                                                     "SELECT count(*) FROM calls"]):
        status, text = b.at_terminal(*words, *([] if words[0] == "query" else [trace]))
        if status or text:
            raise Wrong("%s: status %d: %r" % (words, status, text))


def a_large_export_says_so_first(b):
    trace = b.trace_of(b.program, str(MANY))
    status, text = b.at_terminal("export", "-f", "chrome", "-o", "/dev/full", trace)
    if status != 1 or text.count("\n") != 2 or not re.match(
            r"fctrace: chrome takes about 1\d\d MB for this trace, \d+ times its size; ", text):
        raise Wrong("status %d: %s" % (status, text))
    for words in (["-f", "perfetto"], ["-f", "chrome", "-F", "main", "-D1"]):
        status, text = b.at_terminal("export", *words, "-o", "/dev/null", trace)
        if status or "takes about" in text:
            raise Wrong("%s: status %d: %s" % (words, status, text))
    done = b.run("export", "-f", "chrome", "-o", "/dev/full", trace)
    if done.status != 1 or done.err.count(b"\n") != 1:
        raise Wrong("without a terminal: status %d: %s" % (done.status, done.err.decode()))


def suite_of(suite):
    suite.run_all([what_was_recorded, nobody_is_there, how_far_work_is, short_work_says_nothing,
                   a_large_export_says_so_first],
                  Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
