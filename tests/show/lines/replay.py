#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A part of a replay is what the whole has there.

Real traces (threads, forks, exec, exceptions, signals on a stack of their own, deep recursion,
bash) are shown whole and in parts: each part must consist of the very lines that the whole
has within it, and of the calls that are open where it begins.
"""
import collections
import os
import pty
import random
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

TRUTH = os.path.join(tap.TESTS, "whole/truth/programs")
# elapsed, duration, tid as bytes stand in a line.
LINE = re.compile(rb"^ *(\d+)\.(\d{9}) (?: +\d+\.\d{3} (?:us|ms|s ) | {14})\[ *(\d+)\] \| (.*)$")


class Row(collections.namedtuple("Row", "ns tid line is_begun is_end")):
    __slots__ = ()

    @property
    def text(self):
        return self.line.split(b"| ", 1)[1]


def row_of(line):
    found = LINE.match(line)
    if not found:
        raise Wrong("a line of another form: %r" % line)
    s, frac, tid, text = found.groups()
    return Row(int(s) * 10**9 + int(frac), int(tid), line,
               text.endswith(b"/* begun before */"), text.lstrip().startswith(b"} /*"))


class Rows(dict):
    """By their lines. A part has the lines of the whole: each is taken apart once."""

    def __missing__(self, line):
        row = self[line] = row_of(line)
        return row


class Trace:
    def __init__(self, fctrace, path):
        self.fctrace, self.path = fctrace, path
        self.rows_by_line, self.kept = Rows(), (None, [])

    def lines(self, *args, status=0):
        done = tap.run([self.fctrace, "replay", *args, self.path])
        if done.status != status or done.is_late:
            raise Wrong("replay %s: status %d: %s" % (" ".join(args), done.status,
                                                      done.err.decode()[-300:]))
        return done.out.splitlines()

    def rows(self, *args):
        lines = self.lines("-f", "elapsed,duration,tid", *args)
        return list(map(self.rows_by_line.__getitem__, lines[1:]))

    def whole(self, *args):
        """What rows() has; kept, as its parts are asked for next."""
        if self.kept[0] != args:
            self.rows_by_line = Rows()
            self.kept = args, self.rows(*args)
        return self.kept[1]


class Bench(bench.Bench):
    flags = ["-g", "-O2", "-w", "-rdynamic", "-lpthread", "-ldl"]

    def traced(self, name, *command, options=()):
        return Trace(self.fctrace, self.trace_of(
            *command, options=options, to=name + ".data", status=None,
            env=dict(os.environ, FCTRACE_TRUTH=self.path("log"))))


def differ(what, expected, got):
    if expected == got:
        return
    raise Wrong("%s: %d lines expected, %d there; %s" % (
        what, len(expected), len(got), tap.excerpt(b"\n".join(expected), b"\n".join(got))))


def ranges_of(rows, nr, seed):
    """Pairs of times at, or close to, which something happens; and some without an end."""
    rng = random.Random(seed)
    times = [row.ns for row in rows]
    for i in range(nr):
        at = rng.randrange(len(times))
        end = min(len(times) - 1, at + rng.choice((1, 30, 1000, len(times))))
        low, high = sorted((times[at], times[end]))
        yield low, high + rng.choice((0, 1, 100)) if i % 4 else None


def text_of(low, high):
    return "%dns~%s" % (low, "" if high is None else "%dns" % high)


def check_ranges(trace, nr, *args, no_leaves=("--no-merge",)):
    """Lines that have one time are there if that is in the range; all in the same order."""
    whole = trace.whole(*args, *no_leaves)
    for low, high in ranges_of(whole, nr, len(whole)):
        got = [row for row in trace.rows(*args, *no_leaves, "-r", text_of(low, high))
               if not (row.is_begun and row.ns < low)]
        expected = [row for row in whole
                    if row.ns >= low and (high is None or row.ns < high)]
        differ("-r %s" % text_of(low, high), [r.line for r in expected], [r.line for r in got])


def check_merged_ranges(trace, nr, *args):
    """Where a call that made none is one line. One that begins before may end in another packet."""
    whole = trace.whole(*args)
    lines = {row.line for row in whole}
    for low, high in ranges_of(whole, nr, len(whole) + 1):
        got = [row.line for row in trace.rows(*args, "-r", text_of(low, high))
               if row.ns >= low and (not row.is_end or row.line in lines)]
        expected = [row.line for row in whole
                    if row.ns >= low and (high is None or row.ns < high)]
        differ("-r %s" % text_of(low, high), expected, got)


def check_open(trace, nr):
    """The calls that are told to have begun before are those that the flat list has open."""
    whole = trace.whole("--flat")
    for low, _ in ranges_of(whole, nr, 7):
        shown = trace.rows("--flat", "-r", text_of(low, None))
        begun = collections.Counter((row.tid, row.text.split()[1]) for row in shown
                                    if row.is_begun and row.ns < low)
        opened = collections.Counter()
        for row in whole:
            if row.ns >= low:
                continue
            words = row.text.split()
            if words[0] == b"enter" and not row.text.endswith(b"entry only */"):
                opened[row.tid, words[1]] += 1
            elif words[0] == b"leave":
                opened[row.tid, words[1]] -= 1
        opened = +opened
        if begun != opened:
            raise Wrong("open at %d ns: expected %s more, %s fewer" % (
                low, dict(opened - begun), dict(begun - opened)))


def closes_what_never_ended(line):
    text = line.split(b"| ", 1)[-1].lstrip()
    return text.endswith(b"no return */") and text.startswith((b"} /*", b"leave "))


NUMBERS = (1, 2, 13, 50, 1000, 30000, 10**9)


def check_ends(trace, *args, numbers=NUMBERS):
    """--last is tail of what happened, --first is head; what is open stands before."""
    whole = trace.lines(*args)
    happened = [line for line in whole[1:] if not closes_what_never_ended(line)]
    for nr in numbers:
        got = trace.lines(*args, "--last", str(nr))[1:]
        differ("--last %d" % nr, happened[-nr:],
               [line for line in got if not line.endswith(b"/* begun before */")])
        differ("--first %d" % nr, whole[:nr + 1], trace.lines(*args, "--first", str(nr)))


def check_fields(trace):
    whole = trace.whole("--no-merge")
    fields = trace.lines("--no-merge", "-f", "time,delta,pid,module,srcline")
    if len(fields) != len(whole) + 1:
        raise Wrong("other fields make other lines")
    last = {}
    for row, line in zip(whole, fields[1:]):
        if not re.match(rb"^\d\d:\d\d:\d\d\.\d{9} .*\| ", line) or \
           line.split(b"| ", 1)[1] != row.line.split(b"| ", 1)[1]:
            raise Wrong("fields: %r of %r" % (line, row.line))
        delta = re.match(rb"^\S+ (?: +(\d+)\.(\d{3}) (us|ms|s ) | {14})\[", line)
        if not delta:
            raise Wrong("no delta: %r" % line)
        if delta.group(3) == b"us" and row.tid in last:
            ns = int(delta.group(1)) * 1000 + int(delta.group(2))
            if abs(max(0, row.ns - last[row.tid]) - ns) > 1:
                raise Wrong("delta %d ns, %d between: %r" % (ns, row.ns - last[row.tid], line))
        last[row.tid] = max(row.ns, last.get(row.tid, 0))
    if trace.lines("-f", "none", "--first", "1")[0] != b"# FUNCTION":
        raise Wrong("-f none has a field")


def check_flat(trace):
    """The flat list has the calls of the tree."""
    tree, flat = trace.whole("--no-merge"), trace.whole("--flat")
    names = collections.Counter()
    for row in flat:
        words = row.text.split()
        if words[0] in (b"enter", b"leave"):
            names[words[0], words[1]] += 1
    for row in tree:
        text = row.text.strip()
        if text.startswith(b"} /*"):
            names[b"leave", re.match(rb"\} /\* ([^ ,]+)", text).group(1)] -= 1
        elif not text.startswith(b"/*"):
            names[b"enter", re.match(rb"([^ ]+?)\(\)", text).group(1)] -= 1
    wrong = {key: nr for key, nr in names.items() if nr}
    if wrong:
        raise Wrong("flat and tree differ: %s" % wrong)


def check_filters(trace, name, tids, pids, is_long):
    """In the short form each number of lines stands beside a third of the filters."""
    for i, args in enumerate((("-F", name), ("-N", name), ("-D", "3"), ("-t", "3us"),
                              ("--tid", str(tids[-1])), ("--pid", str(pids[0])), ("--tid", str(tids[0])))):
        check_ranges(trace, 4 if is_long else 2, *args)
        check_ends(trace, *args, numbers=NUMBERS if is_long else NUMBERS[i % 3::3])


def check_colors(trace):
    plain = trace.lines("--color=never")
    colored = trace.lines("--color=always")
    if not any(b"\x1b[" in line for line in colored):
        raise Wrong("--color=always has no colours")
    differ("--color", plain, [re.sub(rb"\x1b\[\d*m", b"", line) for line in colored])
    if any(b"\x1b" in line for line in trace.lines()):
        raise Wrong("colours without a terminal")


def on_terminal(argv, env, answer=b""):
    """(status, all that a terminal would show)."""
    pid, fd = pty.fork()
    if not pid:
        os.execve(argv[0], argv, env)
    out, begin = b"", time.monotonic()
    while time.monotonic() - begin < tap.PATIENCE_S:
        try:
            got = os.read(fd, 65536)
        except OSError:
            break
        if not got:
            break
        out += got
        if answer and len(out) > 200:
            os.write(fd, answer)
            answer = b""
    _, status = os.waitpid(pid, 0)
    os.close(fd)
    return os.waitstatus_to_exitcode(status), out


def check_pager(trace):
    argv = [trace.fctrace, "replay", trace.path]
    env = dict(os.environ, TERM="xterm")
    for key in ("NO_COLOR", "PAGER", "FCTRACE_PAGER", "LESS"):
        env.pop(key, None)
    # A pager that sees three lines and is left: quietly.
    status, out = on_terminal(argv, dict(env, FCTRACE_PAGER="head -n 3", PAGER="false"))
    lines = out.splitlines()
    if status or len(lines) != 3 or b"\x1b[" not in out:
        raise Wrong("FCTRACE_PAGER: status %d, %r" % (status, out[:300]))
    status, out = on_terminal(argv, dict(env, PAGER="head -n 2", NO_COLOR="1"))
    if status or len(out.splitlines()) != 2 or b"\x1b" in out:
        raise Wrong("PAGER, NO_COLOR: status %d, %r" % (status, out[:300]))
    status, out = on_terminal(argv + ["--no-pager", "--first", "2"], dict(env, PAGER="false"))
    if status or len(out.splitlines()) < 3:
        raise Wrong("--no-pager: status %d, %r" % (status, out[:300]))
    if tap.have("less"):
        status, out = on_terminal(argv, env, b"q")
        if status:
            raise Wrong("less, left: status %d, %r" % (status, out[-300:]))
        status, out = on_terminal(argv + ["--first", "2"], env)
        if status or b"FUNCTION" not in out:
            raise Wrong("less, short: status %d, %r" % (status, out[-300:]))


def said(trace, status, *args):
    done = tap.run([trace.fctrace, "replay", *args, trace.path])
    lines = done.err.decode().splitlines()
    if done.status != status or len(lines) != 1:
        raise Wrong("%s: status %d, %r" % (" ".join(args), done.status, lines))
    return lines[0]


def check_said(trace):
    for args in (("-r", "1s"), ("-r", "~"), ("-r", "x~2s"), ("-r", "2s~1s"), ("-r", "5%~101%"),
                 ("-r", "1s~2s", "--around", "1s"), ("--around", "1s,x"), ("--last", "0"),
                 ("--first", "x"), ("-f", "tid,nope"), ("--color", "blue"), ("--pid", "x"),
                 ("-r", "25:00:00~"), ("-r", "-1s~"), ("--first", "1", "--last", "1")):
        said(trace, 2, *args)
    for args in (("-r", "1000s~"), ("--around", "1000s"), ("-r", "1999-01-01 00:00~1999-01-02 00:00"),
                 ("--pid", "1"), ("--tid", "1")):
        said(trace, 1, *args)


def check_clock(trace):
    """A time of day is the same moment as the time since the start, and a share, too."""
    rows = trace.rows("--no-merge")
    times = trace.lines("--no-merge", "-f", "time")[1:]
    at = len(rows) // 2
    day = times[at].split()[0].decode()
    expected = trace.lines("-r", "%dns~" % rows[at].ns)
    differ("-r %s~" % day, expected, trace.lines("-r", day + "~"))
    info = tap.fctrace_json(trace.fctrace, "info", trace.path)
    if "duration_ns" in info:
        differ("-r 50%", trace.lines("-r", "%dns~" % (info["duration_ns"] // 2)),
               trace.lines("-r", "50%~"))
    middle = rows[at].ns
    differ("--around", trace.lines("-r", "%dns~%dns" % (max(0, middle - 10000), middle + 10000)),
           trace.lines("--around", "%dns,10us" % middle))
    differ("-r 0%~100%", trace.lines(), trace.lines("-r", "0%~100%"))


def check_happened(trace):
    """Exceptions, forks, exec and signals' handlers are shown where they happened."""
    text = b"\n".join(trace.lines())
    for what in (rb"\} /\* thrower, left \*/", rb"\d+ forks \d+",
                 rb"\d+ was forked by \d+", rb"\d+ runs /\S*true", rb"\|   +on_signal\(\)",
                 rb"exited with 0"):
        if not re.search(what, text):
            raise Wrong("nowhere: %s" % what.decode())


def suite_of(suite):
    bench = Bench(suite)
    parts = bench.traced("parts", bench.build("parts.cc"), options=["--libs=none"])
    bash = bench.traced("bash", "/bin/bash", "-c",
                        "for ((i = 0; i < 200; i++)); do x=$((i * i)); done; /bin/true | cat")
    rows = parts.rows("--no-merge")
    tids = sorted({row.tid for row in rows}, key=lambda t: -sum(r.tid == t for r in rows[::50]))
    pids = [first_pid(parts)]
    cases = [
        ("ranges of threads", lambda: check_ranges(parts, 6)),
        ("ranges of a flat list", lambda: check_ranges(parts, 5, no_leaves=("--flat",))),
        ("what is open where a range begins", lambda: check_open(parts, 6)),
        ("ranges with merged lines", lambda: check_merged_ranges(parts, 5)),
        ("ranges of bash", lambda: check_ranges(bash, 5)),
        ("merged ranges of bash", lambda: check_merged_ranges(bash, 5)),
        ("what is open in bash", lambda: check_open(bash, 6)),
        ("first and last lines", lambda: check_ends(parts)),
        ("first and last of a flat list", lambda: check_ends(parts, "--flat")),
        ("first and last of bash", lambda: check_ends(bash)),
        ("with filters", lambda: check_filters(parts, "tree", tids, pids, suite.is_long)),
        ("fields", lambda: check_fields(parts)),
        ("a flat list has the tree's calls", lambda: check_flat(parts)),
        ("colours", lambda: check_colors(bash)),
        ("a pager", lambda: check_pager(bash)),
        ("what is said", lambda: check_said(bash)),
        ("times of day and shares", lambda: check_clock(bash)),
        ("what happened is shown where", lambda: check_happened(parts)),
    ]
    for nr, name in enumerate(("threads", "fork", "exceptions", "exec", "longjmp", "contexts", "tail", "deep",
                               "altstack", "signals")):
        if suite.has_turn("programs", 2, nr):
            cases.append(("ranges of " + name, lambda name=name: check_program(bench, name)))
    suite.run_all(cases, at_once=tap.nr_workers())


def first_pid(trace):
    line = trace.lines("-f", "pid", "--first", "1")[1]
    return int(re.match(rb"\[ *(\d+)\]", line).group(1))


def check_program(bench, name):
    source = next(path for path in (os.path.join(TRUTH, name + end) for end in (".c", ".cc"))
                  if os.path.exists(path))
    # Deeper than a packet tells, in any case.
    flags = [] if bench.is_long else ["-DDEPTH=20000"]
    trace = bench.traced(name, bench.build(source, *flags, out=name), options=["--libs=none"])
    check_ranges(trace, 4)
    check_ranges(trace, 4, no_leaves=("--flat",))
    check_merged_ranges(trace, 4)
    check_ends(trace)


if __name__ == "__main__":
    tap.main(suite_of)
