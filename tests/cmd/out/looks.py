#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Colours and the pager: who sits at a terminal has them, unless he wants none; the text is the same."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

PROGRAM = """
#include <stdlib.h>
#include <unistd.h>
#define FN __attribute__((noipa))
FN int leaf(int n) { return n + 1; }
FN int sleeper(int n) { usleep(n); return n; }
FN int slow(int n) { for (int i = 0; i < n; i++) leaf(i); return sleeper(2000); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 10; i++)
		slow(atoi(argv[1]));
	return 0;
}
"""
ESCAPE = re.compile(r"\x1b\[\d*m")
COLUMNS = 70


class Bench(bench.Bench):
    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("looks.c", text=PROGRAM)
        self.commands = []

    def prepare(self):
        one = self.trace_of(self.program, "50", to="one.data")
        more = self.trace_of(self.program, "5000", to="more.data")
        self.commands = [["report", one], ["report", "--callers", "leaf", one], ["graph", one], ["replay", one], ["info", one],
                         ["diff", one, more], ["list", self.program], ["requests", "--root", "slow", one]]

    def at_terminal(self, *words, **env):
        """What somebody sees: stdout and stderr are a terminal, and nothing is typed."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        env = {"PATH": os.environ["PATH"], "HOME": self.folder, "TERM": "xterm", **env}
        with subprocess.Popen([self.fctrace, *words], cwd=self.folder, stdout=slave, stderr=slave,
                              stdin=subprocess.DEVNULL, env=env, start_new_session=True) as job:
            os.close(slave)
            text = b""
            while True:
                try:
                    data = os.read(master, 1 << 16)
                except OSError:
                    break
                if not data:
                    break
                text += data
            status = job.wait(tap.PATIENCE_S)
        os.close(master)
        return status, text.decode(errors="replace").replace("\r\n", "\n")

    def plain(self, *words):
        return self.run(*words).out.decode()


def colors_are_asked_for(b):
    """--color=always, in a pipe: the same text without them."""
    for words in b.commands:
        plain, colored = b.plain(*words), b.plain(*words, "--color=always")
        if not ESCAPE.search(colored):
            return "%s has no colours: %s" % (words, colored[:300])
        expect(ESCAPE.sub("", colored), plain)
        expect(b.plain(*words, "--color=never"), plain)


def none_in_a_pipe(b):
    for words in b.commands:
        if "\x1b" in b.plain(*words):
            return " ".join(words)


def at_a_terminal(b):
    """Unless somebody wants none."""
    for words in b.commands:
        status, text = b.at_terminal(*words, FCTRACE_PAGER="cat")
        if not ESCAPE.search(text):
            return "%s: status %d, no colours: %s" % (words, status, text[:300])
        for no in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            text = b.at_terminal(*words, FCTRACE_PAGER="cat", **no)[1]
            if "\x1b[" in re.sub(r"\r\x1b\[K", "", text):
                return "%s, %s: %r" % (words, no, text[:300])


def the_live_tree(b):
    text = b.at_terminal("--libs=none", b.program, "3")[1]
    if not re.search(r"\x1b\[33m +\d+\.\d+ ms \x1b\[0m", text):
        return text[-800:]
    text = b.at_terminal("--libs=none", "--color=never", b.program, "3")[1]
    expect(ESCAPE.findall(text), [])


def machines_have_none(b):
    """Not even at a terminal."""
    for words in b.commands:
        if words[0] == "replay":
            continue
        text = b.at_terminal(*words, "--json", FCTRACE_PAGER="sed s/^/paged:/")[1]
        if "\x1b" in text or "paged:" in text:
            return "%s: %r" % (words, text[:300])


def through_a_pager(b):
    """All of it, in the colours and as wide as without; what is said comes behind it."""
    for words in b.commands:
        bare = b.at_terminal(*words, FCTRACE_PAGER="cat")[1]
        paged = b.at_terminal(*words, FCTRACE_PAGER="sed s/^/paged:/")[1]
        lines = [line for line in bare.splitlines() if not line.startswith("fctrace:")]
        found = [line[6:] for line in paged.splitlines() if line.startswith("paged:")]
        expect([re.sub(r"\d", "0", line) for line in found], [re.sub(r"\d", "0", line) for line in lines])
        for wanted in ({"PAGER": "sed s/^/paged:/"}, {"PAGER": "false", "FCTRACE_PAGER": "sed s/^/paged:/"}):
            expect("paged:" in b.at_terminal(*words, **wanted)[1], True)
        for none in ([*words, "--no-pager"], words):
            env = {"PAGER": "sed s/^/paged:/"} if none != words else {"PAGER": "sed s/^/paged:/", "TERM": "dumb"}
            expect("paged:" in b.at_terminal(*none, **env)[1], False)


def what_is_said_comes_behind_it(b):
    trace = b.commands[0][-1]
    bare = b.at_terminal("graph", "-F", "leaf", "-F", "nothing_like_it", trace, FCTRACE_PAGER="cat")[1]
    paged = b.at_terminal("graph", "-F", "leaf", "-F", "nothing_like_it", trace, FCTRACE_PAGER="sed s/^/paged:/")[1]
    said = [line for line in bare.splitlines() if line.startswith("fctrace:")]
    expect(len(said), 1)
    expect(paged.splitlines()[-1], said[0])


def a_pager_that_fails(b):
    """One that is not there is said not to be; one that leaves at once has seen enough."""
    status, text = b.at_terminal("report", b.commands[0][-1], FCTRACE_PAGER="/nowhere/pager -x")
    expect((status, text.splitlines()[-1]), (1, "fctrace: the pager cannot be run: /nowhere/pager -x; --no-pager does without"))
    expect(b.at_terminal("report", b.commands[0][-1], FCTRACE_PAGER="true")[0], 0)


def a_narrow_terminal(b):
    """The pager is there, and the table is as narrow as the terminal."""
    text = ESCAPE.sub("", b.at_terminal("report", b.commands[0][-1], FCTRACE_PAGER="sed s/^/paged:/")[1])
    head = text.splitlines()[0]
    if "FUNCTION" not in head or len(head) - len("paged:") > COLUMNS or "MIN" in head:
        return head


def suite_of(suite):
    room = Bench(suite)
    room.prepare()
    suite.run_all([colors_are_asked_for, none_in_a_pipe, at_a_terminal, the_live_tree, machines_have_none, through_a_pager,
                   what_is_said_comes_behind_it, a_pager_that_fails, a_narrow_terminal], room, prefix="looks: ")


if __name__ == "__main__":
    tap.main(suite_of)
