# SPDX-License-Identifier: Apache-2.0
"""truth.py - call trees: as a program tells them itself, and as fctrace prints them.

Both become the same thing, per thread: rows [depth, name, how] in the order in which the
calls began; how is "ret", "tail", or "gone" (longjmp, exception, exec, end of the thread).
"""
import collections
import functools
import re
import struct

HEAD = struct.Struct("<QQ48x")
RECORD = struct.Struct("<ic59s")


def read_log(path):
    """The records of a truth log as (tid, kind, raw name)."""
    with open(path, "rb") as f:
        nr, room = HEAD.unpack(f.read(HEAD.size))
        if nr > room:
            raise RuntimeError("truth log is full: %d notes" % nr)
        return RECORD.iter_unpack(f.read(nr * RECORD.size))


@functools.lru_cache(maxsize=None)
def name_of(raw):
    return raw.split(b"\0")[0].decode(errors="replace")


def counts(path):
    """{name: calls} that a program told, without their tree."""
    return collections.Counter(name_of(raw) for _, kind, raw in read_log(path) if kind == b"E")


class Teller:
    """One thread of the program that tells its calls: a stack of open rows for each strand.

    The calls of a strand stand below those that were open where it began.
    """

    def __init__(self):
        self.rows = []
        self.strand = self.current = "main"
        self.stacks = {"main": []}
        self.bases = {"main": 0}
        self.at_fork = []

    def stack(self):
        if self.strand != self.current:
            self.go_on()
        return self.stacks.setdefault(self.strand, [])

    def go_on(self):
        if self.strand != "main" and not self.stacks.get(self.strand):
            self.bases[self.strand] = self.bases[self.current] + len(self.stacks[self.current])
        self.current = self.strand

    def enter(self, name):
        stack = self.stack()
        row = [self.bases[self.strand] + len(stack), name, "gone"]
        self.rows.append(row)
        stack.append(row)

    def leave(self, name, how):
        row = self.stack().pop()
        if row[1] != name:
            raise RuntimeError("%s ends, but %s is innermost" % (name, row[1]))
        row[2] = how

    def land(self, name):
        while self.stack() and self.stack()[-1][1] != name:
            self.stack().pop()
        if not self.stack():
            raise RuntimeError("landed in %s, which is not open" % name)


class Told:
    """What a program told."""

    def __init__(self):
        self.threads = {}      # tid -> rows
        self.anywhere = set()  # functions that may come at any place: signals' handlers
        self.forked = set()    # tids that told what they inherited


def told(path):
    tellers, ret = {}, Told()
    for tid, kind, raw in read_log(path):
        teller = tellers.get(tid)
        if teller is None:
            teller = tellers[tid] = Teller()
        if kind == b"E":
            teller.enter(name_of(raw))
        elif kind == b"L":
            teller.leave(name_of(raw), "ret")
        elif kind == b"T":
            teller.leave(name_of(raw), "tail")
        elif kind == b"P":
            teller.land(name_of(raw))
        elif kind == b"X":
            teller.stacks, teller.current = {"main": []}, "main"
        elif kind == b"J":
            teller.stacks[name_of(raw)] = []
        elif kind == b"S":
            teller.strand = name_of(raw)
        elif kind == b"A":
            ret.anywhere.add(name_of(raw))
        elif kind == b"f":
            teller.at_fork = [row[1] for row in teller.stack()]
        elif kind == b"F":
            ret.forked.add(tid)
            for inherited in tellers[struct.unpack("<i", raw[:4])[0]].at_fork:
                teller.enter(inherited)
        else:
            raise RuntimeError("truth log: unknown note %r" % kind)
    ret.threads = {tid: teller.rows for tid, teller in tellers.items()}
    return ret


# The layout of show/lines/tree.h: `DURATION [TID] | ` and two spaces for each open call.
LINE = re.compile(r"^(?: *[\d.]+ (?:us|ms|s ) | {14})\[ *(\d+)\] \| ( *)(.*)$")
OPENS = re.compile(r"^(\S+)\(\) \{(?: /\* (.*) \*/)?$")
LEAF = re.compile(r"^(\S+)\(\);(?: /\* (.*) \*/)?$")
CLOSES = re.compile(r"^\} /\* (\S+?)(?:, (.*))? \*/$")
COMMENT = re.compile(r"^/\* .* \*/$")
GONE = {"left", "no return", "lost"}
NOTES = GONE | {"tail call", "inherited"}
INDENT_MAX = 250  # deeper lines are not indented further


class Inherited(list):
    """A row of a call that was open at the fork."""


class Printed:
    """Rows of one thread, made from printed lines."""

    def __init__(self):
        self.rows = []
        self.open = {}
        self.last_ended = {}  # depth -> row

    def enter(self, depth, name, notes):
        if "tail call" in notes:
            self.last_ended[depth][2] = "tail"
        row = (Inherited if "inherited" in notes else list)([depth, name, "gone"])
        self.rows.append(row)
        self.open.setdefault((depth, name), []).append(row)

    def leave(self, depth, name, notes):
        rows = self.open.get((depth, name))
        if not rows:
            raise RuntimeError("%s ends at depth %d, but is not open there" % (name, depth))
        row = self.last_ended[depth] = rows.pop()
        row[2] = "gone" if notes & GONE else "ret"


def notes_of(text, what):
    notes = set(text.split(", ")) if text else set()
    if notes - NOTES:
        raise RuntimeError("unknown note: " + what)
    return notes


@functools.lru_cache(maxsize=None)
def meaning_of(what):
    """(does a call begin, does one end, its name, notes) of what stands in a line."""
    for form, begins, ends in ((CLOSES, False, True), (OPENS, True, False), (LEAF, True, True)):
        match = form.match(what)
        if match:
            return begins, ends, match.group(1), notes_of(match.group(2), what)
    if COMMENT.match(what):
        return False, False, None, None
    raise RuntimeError("not a call: " + repr(what[:200]))


def put_line(thread, depth, what):
    begins, ends, name, notes = meaning_of(what)
    if begins:
        thread.enter(depth, name, notes)
    if ends:
        thread.leave(depth, name, notes)


def printed(text, shown=None):
    """The tree that fctrace printed: {tid: rows}. Lines of another form are an error.

    shown: makes of what stands in a line what is taken for it.
    """
    threads = {}
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            if not line.strip() or line.startswith(("#", "fctrace:")):
                continue
            raise RuntimeError("not a line of a call tree: " + repr(line[:200]))
        depth, rest = divmod(len(match.group(2)), 2)
        if rest:
            raise RuntimeError("indented by half a step: " + line)
        thread = threads.get(match.group(1))
        if thread is None:
            thread = threads[match.group(1)] = Printed()
        what = match.group(3)
        put_line(thread, depth, shown(what) if shown else what)
    return {int(tid): thread.rows for tid, thread in threads.items()}


def without(rows, is_extra, tells_fork=True):
    """
    Rows less those of functions that are not of interest; what they call moves up. What a child
    of libc's inherits on its parent's stack (posix_spawn) is not of interest: nobody tells it.
    """
    kept, extras_to = [], []
    for row in rows:
        depth, name, how = row
        above = extras_to[depth - 1] if 0 < depth <= len(extras_to) else 0
        extra = is_extra(name) or (isinstance(row, Inherited) and not tells_fork)
        extras_to[depth:depth + 1] = [above + extra]
        if not extra:
            kept.append([depth - above, name, how])
    return kept


def split(rows, anywhere):
    """(rows outside, rows of calls that may come anywhere with what they call)."""
    if not anywhere:
        return rows, []
    outside, inside, floor = [], [], None
    for depth, name, how in rows:
        if floor is not None and depth <= floor:
            floor = None
        if floor is None and name in anywhere:
            floor = depth
        if floor is None:
            outside.append([depth, name, how])
        else:
            inside.append([depth - floor, name, how])
    return outside, inside


def show(row):
    return "%5d %s%s%s" % (row[0], "  " * min(row[0], 30), row[1],
                           "" if row[2] == "ret" else " (%s)" % row[2])


def differ(expected, got):
    """None, or the place where two lists of rows begin to differ."""
    if expected == got:
        return None
    at = next((i for i, (x, y) in enumerate(zip(expected, got)) if x != y),
              min(len(expected), len(got)))
    lines = ["call %d of %d expected, %d got:" % (at + 1, len(expected), len(got))]
    lines += ["  both     " + show(row) for row in expected[max(0, at - 4):at]]
    lines += ["  expected " + show(row) for row in expected[at:at + 4]] or ["  expected (end)"]
    lines += ["  got      " + show(row) for row in got[at:at + 4]] or ["  got (end)"]
    return "\n".join(lines)


def clamped(rows):
    return [row if row[0] <= INDENT_MAX else [INDENT_MAX, *row[1:]] for row in rows]


def compare(told_, got, is_extra):
    """None, or the first thing that is wrong with got, {tid: rows}."""
    got = {tid: without(rows, is_extra, tid in told_.forked) for tid, rows in got.items()}
    for tid in sorted(set(told_.threads) | {tid for tid in got if got[tid]}):
        want = split(clamped(told_.threads.get(tid, [])), told_.anywhere)
        have = split(clamped(got.get(tid, [])), told_.anywhere)
        wrong = differ(want[0], have[0]) or differ(want[1], have[1])
        if wrong:
            return "thread %d, %s" % (tid, wrong)
    return None
