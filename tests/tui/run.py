#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace tui in an emulated terminal, driven by keys.

  tests/tui/run.py --fctrace build/fctrace [--only NAME]
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
import tap  # noqa: E402
import terminal  # noqa: E402

ENV = {"PATH": os.environ["PATH"], "HOME": "/", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
CASES = []


def case(name):
    def add(function):
        CASES.append((name, function))
        return function
    return add


class Room:
    """fctrace, a folder, and traces that are recorded once."""

    def __init__(self, fctrace, folder):
        self.fctrace, self.folder = fctrace, folder
        self.traces = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def program(self, name):
        path = self.path(name)
        if not os.path.exists(path):
            subprocess.run(["gcc", "-O0", "-pthread", "-fno-inline", "-o", path,
                            os.path.join(HERE, "programs", name + ".c")], check=True)
        return path

    def trace(self, name, *words):
        """A trace of that program."""
        key = " ".join((name,) + words)
        if key not in self.traces:
            path = self.path("t%d.data" % len(self.traces))
            done = tap.run([self.fctrace, "record", "--libs=none", "-o", path,
                            self.program(name), *words])
            if done.status != 0:
                raise RuntimeError("record: %s" % done.err.decode(errors="replace"))
            self.traces[key] = path
        return self.traces[key]

    def tui(self, trace, size=(80, 24), **env):
        term = terminal.Terminal([self.fctrace, "tui", trace], size,
                                 dict(ENV, TERM="screen-256color", **env))
        why = term.wait_text("F1 help")
        if why:
            raise RuntimeError(why)
        term.settle()
        return term


def go_to(term, pattern, key="Down", most=200):
    """Press a key until the row that the user is on matches."""
    for _ in range(most):
        if re.search(pattern, term.selected()):
            return
        before = term.text()
        term.send(key)
        term.settle(0.05)
        if term.text() == before:
            term.settle()
    raise RuntimeError("no row is %s:\n%s" % (pattern, term.text()))


def quit_and_see(term):
    """It ends well and leaves the terminal as it was."""
    term.send("q")
    status = term.wait_end()
    if status != 0:
        return "status %s" % status
    return "the alternate screen is still on" if term.screen.is_alternate else None


@case("shows the outermost calls, unfolds and folds them")
def unfolds(room):
    term = room.tui(room.trace("small"))
    go_to(term, r" main$")
    first = term.text()
    if not re.search(r"\+ main\b", first):
        return "main is not there, folded:\n" + first
    unfolded = term.press("Enter")
    for wanted in [r"- main\b", r"\+ outer\b", r"leaf x 5000"]:
        if not re.search(wanted, unfolded):
            return "%s is not there:\n%s" % (wanted, unfolded)
    if term.press("Enter") != first:
        return "folded again it is another screen:\n" + term.text()
    return quit_and_see(term)


@case("every call of a small trace is shown as replay tells it")
def same_as_replay(room):
    trace = room.trace("small", "few")
    term = room.tui(trace, (200, 60))
    while re.search(r" \+ \w", "\n".join(term.lines()[2:-1])):
        term.press("Home")
        go_to(term, r" \+ \w")
        term.press("*")
    text = "\n".join(term.lines()[2:-1])
    seen = re.findall(r"^.{49} *[-+ ] ([a-z_]\w*)", text, re.M)
    done = tap.run([room.fctrace, "replay", "--no-pager", trace])
    told = re.findall(r"\| +(\w+)\(\)", done.out.decode())
    term.send("q")
    term.wait_end()
    return None if seen == told else "the tree has\n%s\nreplay has\n%s\n%s" % (seen, told, text)


@case("without a terminal it says so in a sentence")
def no_terminal(room):
    done = tap.run([room.fctrace, "tui", room.trace("small")], env=ENV)
    if done.status != 1 or done.out:
        return "status %d, stdout %r" % (done.status, done.out)
    return None if re.fullmatch(rb"fctrace: stdin is not a terminal; .*\n", done.err) else done.err


@case("a terminal that is not known is said in a sentence")
def unknown_terminal(room):
    for term in ["nosuch", "", "dumb"]:
        t = terminal.Terminal([room.fctrace, "tui", room.trace("small")],
                              env=dict(ENV, TERM=term))
        status = t.wait_end()
        if status != 1 or b"fctrace: " not in t.bytes or b"TERM" not in t.bytes:
            return "TERM=%s: status %s: %r" % (term, status, t.bytes)
    return None


@case("signals leave the terminal as it was, and end it")
def signals(room):
    for sig in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT]:
        term = room.tui(room.trace("small"))
        if not term.screen.is_alternate:
            return "it has no screen of its own"
        os.kill(term.pid, sig)
        status = term.wait_end()
        if status != -sig:
            return "%s: status %s" % (sig.name, status)
        if term.screen.is_alternate:
            return "%s: the alternate screen is still on" % sig.name
    return None


@case("follows the size of its terminal")
def resizes(room):
    term = room.tui(room.trace("small"))
    go_to(term, r" main$")
    term.press("Enter")
    for size in [(200, 60), (20, 5), (1, 1), (80, 24)]:
        term.resize(*size)
        term.settle()
        if term.is_over():
            return "at %dx%d it ended: %s" % (size + (term.status,))
    if "F1 help" not in term.lines()[-1] or "- main" not in term.text():
        return "back at 80x24 it is\n" + term.text()
    return quit_and_see(term)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fctrace", required=True)
    parser.add_argument("--only")
    args = parser.parse_args()
    suite = tap.Suite(args.only)
    with tempfile.TemporaryDirectory(prefix="fctrace-tui-") as folder:
        room = Room(os.path.abspath(args.fctrace), folder)
        for name, function in CASES:
            name = "tui " + name
            if not suite.wants(name):
                continue
            try:
                suite.case(name, function(room))
            except Exception as e:  # noqa: BLE001: a case that breaks is a failed one
                suite.fail(name, "%s: %s" % (type(e).__name__, e))
    suite.end()


if __name__ == "__main__":
    main()
