#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace tui in an emulated terminal, driven by keys.
"""
import fcntl
import functools
import os
import random
import re
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import made  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402

ENV = {"PATH": os.environ["PATH"], "HOME": "/", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
CASES = []
NR_AT_ONCE = 4


def case(name):
    def add(function):
        CASES.append((name, function))
        return function
    return add


class Room(bench.Bench):
    """With traces that are recorded once."""

    flags = ["-g", "-O0", "-pthread", "-fno-inline"]

    def program(self, name):
        return self.build(name + ".c", *["-O2"] * (name == "given"), out=name)

    def once(self, name, *words):
        """A trace of that program, recorded by the case that needs it first."""
        path = self.path("-".join((name, *words)) + ".data")
        with open(self.path("lock"), "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(path):
                values = ["-a"] if name == "given" else []
                os.rename(self.trace_of(self.program(name), *words, options=["--libs=none", *values],
                                        to=path + ".new"), path)
        return path

    def tui(self, trace, size=(80, 24), options=(), **env):
        term = terminal.Terminal([self.fctrace, "tui", *options, trace], size,
                                 dict(ENV, TERM="screen-256color", **env))
        why = term.wait_text("F1 help")
        term.seen_ns = term.cpu_ns()
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
        term.settle()
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
    term = room.tui(room.once("small"))
    if "frame_dummy  (jumped on)" not in term.text():
        return "a call that ends in a jump is not told as such:\n" + term.text()
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
    trace = room.once("small", "few")
    term = room.tui(trace, (200, 60))
    while re.search(r" \+ \w", "\n".join(term.lines()[2:-1])):
        term.press("Home")
        go_to(term, r" \+ \w")
        term.press("*")
    text = "\n".join(term.lines()[2:-1])
    seen = re.findall(r"^.{49} *(?:[-+] )?([a-z_]\w*)", text, re.M)
    done = room.run("replay", "--no-pager", trace)
    told = re.findall(r"\| +(\w+)\(\)", done.out.decode())
    term.send("q")
    term.wait_end()
    return None if seen == told else "the tree has\n%s\nreplay has\n%s\n%s" % (seen, told, text)


def rows_of(term):
    """Behind the columns, without indent and notes."""
    rows = [line[49:].strip() for line in term.lines()[2:-1] if line[49:].strip()]
    return [re.sub(r"  \([a-z ]+\)$", "", re.sub(r"^[-+] ", "", row)) for row in rows]


def told_by_replay(room, trace):
    """Each call with what it was given and returned, in order of their begins."""
    done = room.run("replay", "--no-pager", "--flat", trace)
    calls, is_open = [], []
    for line in done.out.decode(errors="replace").splitlines()[1:]:
        told = re.search(r"\| (enter|leave) (.*?)(?: +/\*.*\*/)?$", line)
        if told and told.group(1) == "enter":
            is_open.append(len(calls))
            calls.append(told.group(2))
        elif told:
            name, _, result = told.group(2).partition(" = ")
            at = is_open.pop()
            if result and "(" not in calls[at]:
                calls[at] += "()"
            calls[at] += " = " + result if result else ""
    return calls


@case("what calls were given and returned is shown as replay tells it")
def values_as_replay(room):
    trace = room.once("given")
    term = room.tui(trace, (200, 60))
    go_to(term, r" main\b")
    term.press("*")
    term.settle()
    own = re.compile(r"(main|text|half|down|jumps|last|nothing)\b(?! x )")
    rows = [row for row in rows_of(term) if own.match(row)]
    told = [call for call in told_by_replay(room, trace) if own.match(call)]
    if rows != told:
        return "%s\nreplay has\n%s" % ("\n".join(rows), "\n".join(told))
    if "nothing x 20" not in term.text():
        return "no run:\n" + term.text()
    return quit_and_see(term)


@case("long arguments leave room for the result")
def long_arguments(room):
    term = room.tui(room.once("given"), (100, 30))
    go_to(term, r" main\b")
    term.press("*")
    term.settle()
    if not re.search(r'down\(4, "a long.*\.\.\.\) = 12$', term.text(), re.M):
        return term.text()
    return quit_and_see(term)


@case("without a terminal it says so in a sentence")
def no_terminal(room):
    done = tap.run([room.fctrace, "tui", room.once("small")], env=ENV)
    if done.status != 1 or done.out:
        return "status %d, stdout %r" % (done.status, done.out)
    return None if re.fullmatch(rb"fctrace: stdin is not a terminal; .*\n", done.err) else done.err


@case("a terminal that is not known is said in a sentence")
def unknown_terminal(room):
    for term in ["nosuch", "", "dumb"]:
        t = terminal.Terminal([room.fctrace, "tui", room.once("small")],
                              env=dict(ENV, TERM=term))
        status = t.wait_end()
        if status != 1 or b"fctrace: " not in t.bytes or b"TERM" not in t.bytes:
            return "TERM=%s: status %s: %r" % (term, status, t.bytes)
    return None


@case("signals leave the terminal as it was, and end it")
def signals(room):
    for sig in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT]:
        term = room.tui(room.once("small"))
        if not term.screen.is_alternate:
            return "it has no screen of its own"
        os.kill(term.pid, sig)
        status = term.wait_end()
        if status != -sig:
            return "%s: status %s" % (sig.name, status)
        if term.screen.is_alternate:
            return "%s: the alternate screen is still on" % sig.name
    return None


@case("ends when its terminal is gone, also where nohup has SIGHUP ignored")
def hangs_up(room):
    for ignore in ["", "trap '' HUP; "]:
        term = terminal.Terminal(["sh", "-c", ignore + 'exec "$0" tui "$1"', room.fctrace,
                                  room.once("small")],
                                 env=dict(ENV, TERM="screen-256color"))
        why = term.wait_text("F1 help")
        if why:
            return why
        os.close(term.fd)
        end = time.monotonic() + terminal.LIMIT_S
        while not term.is_over() and time.monotonic() < end:
            time.sleep(0.02)
        if not term.is_over():
            os.kill(term.pid, signal.SIGKILL)
            return "it goes on without a terminal" + (", SIGHUP ignored" if ignore else "")
    return None


@case("begins at main, with a part of the time, or a thread, if they are asked for")
def begins_somewhere(room):
    trace = room.once("many", "threads", "20")
    term = room.tui(trace)
    if not re.search(r" main$", term.selected()):
        return "it begins at %r" % term.selected()
    why = quit_and_see(term)
    if why:
        return why
    threads = {row["tid"] for row in room.json("report", "--by", "thread", trace=trace)}
    tid = max(threads)
    term = room.tui(trace, options=["--tid", str(tid), "-r", "50%~"])
    shown = {int(nr) for nr in re.findall(r"us +(\d+)  ", term.text())}
    if "thread %d" % tid not in term.lines()[-1] or "~" not in term.lines()[-1] or shown - {tid}:
        return "threads %s: %s" % (shown, term.text())
    term.press("-", "t", "Home", "Enter")
    if "thread %d" % tid in term.lines()[-1]:
        return "it stays at the thread:\n" + term.text()
    why = quit_and_see(term)
    if why:
        return why
    for options, said in ((["--tid", "7777777"], "no such thread"), (["-r", "9s~8s"], "ends before"),
                          (["-r", "900s~"], "nothing there")):
        done = room.run("tui", *options, trace)
        if done.status not in (1, 2) or said not in done.err.decode():
            return "%s: status %d: %s" % (options, done.status, done.err.decode())
    return None


@case("follows the size of its terminal")
def resizes(room):
    term = room.tui(room.once("small"))
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


def name_rows(term, nr_cells):
    """Rows of a list: its cells and the name behind them."""
    rows = []
    for line in term.lines()[2:-1]:
        words = re.split(r"  +", line.strip())
        if len(words) > nr_cells:
            rows.append(tuple(words[:nr_cells + 1]))
    return rows


@case("functions have the numbers that report prints")
def functions_as_report(room):
    for trace in [room.once("small"), room.once("many", "threads", "20")]:
        term = room.tui(trace, (200, 60))
        term.send("2")
        why = term.wait_text("CALLS") or term.wait_text("main")
        if why:
            return why
        term.settle()
        got = set(name_rows(term, 6))
        done = room.run("report", "-f", "calls,total,self,avg,max,min", trace)
        told = set()
        for line in done.out.decode().splitlines()[1:]:
            words = re.split(r"  +", line.strip())
            told.add(tuple(words[:6] + [words[7]]))
        if got != told or not told:
            return "only the tui: %s\nonly report: %s" % (sorted(got - told), sorted(told - got))
        why = quit_and_see(term)
        if why:
            return why
    return None


@case("the graph has the numbers that fctrace graph prints")
def graph_as_graph(room):
    trace = room.once("small")
    term = room.tui(trace, (200, 60))
    term.send("3")
    why = term.wait_text("SHARE")
    if why:
        return why
    term.settle()
    while re.search(r"% +\+ ", term.text()):
        term.press("Home")
        go_to(term, r"% +\+ ")
        term.press("*")
    clean = [re.sub(r"^[-+] ", "", name) for *_, name in name_rows(term, 4)]
    got = sorted((calls, total, name) for (calls, total, *_), name in
                 zip(name_rows(term, 4), clean))
    done = room.run("graph", trace)
    told = []
    for line in done.out.decode().splitlines()[1:]:
        words = re.split(r"  +", line.strip(), maxsplit=4)
        told.append((words[0], words[1], re.sub(r"^[|`][|` -]*", "", words[4])))
    term.send("q")
    term.wait_end()
    return None if got == sorted(told) else "the tui: %s\ngraph: %s" % (got, sorted(told))


@case("functions have fewer columns, and all again")
def fewer_columns(room):
    term = room.tui(room.once("small"))
    term.send("2")
    why = term.wait_text("CALLS")
    if why:
        return why
    term.settle()
    heads = term.lines()[1].split()
    for nr in (*range(len(heads) - 2, -1, -1), len(heads) - 1):
        term.send("c")
        why = term.wait_for(lambda t, nr=nr: t.lines()[1].split() == heads[:nr] + ["FUNCTION"])
        if why or not re.search(r"\bleaf\b", term.text()):
            return why or "no leaf in\n" + term.text()
    return quit_and_see(term)


@case("callers and callees of a function")
def callers(room):
    term = room.tui(room.once("small"))
    term.send("2")
    term.wait_text("CALLS")
    go_to(term, r"  leaf")
    term.send("Enter")
    why = term.wait_text("leaf is called by")
    if why:
        return why
    term.settle()
    for wanted in [r"^ +5003 .* main", r"^ +3 .* middle", r"^ +3 .* outer"]:
        if wanted != r"^ +5003 .* main" and not re.search(wanted, term.text(), re.M):
            return "%s is not there:\n%s" % (wanted, term.text())
    if not re.search(r"^ +5000 .* main", term.text(), re.M):
        return "5000 calls by main are not there:\n" + term.text()
    go_to(term, r"  main")
    term.press("Enter")
    if not re.search(r"main calls", term.text()):
        return "Enter does not go on to main:\n" + term.text()
    if "vTOTAL" not in term.press("Esc"):
        return "Esc does not go back:\n" + term.text()
    return quit_and_see(term)


WAITS = """
#include <time.h>
__attribute__((noipa)) void naps(void) { nanosleep(&(struct timespec){ .tv_nsec = 30000000 }, 0); }
__attribute__((noipa)) void works(void) { for (volatile int i = 0; i < 1000; i++); }
int main(void) { works(); naps(); works(); return 0; }
"""


@case("how long functions waited")
def waits(room):
    path = room.path("waits.data")
    done = room.run("record", "-q", "--waits", "--libs=none", "-o", path, room.build("waits.c", "-O1", text=WAITS))
    if b"perf_event_open is not permitted" in done.err:
        return None
    term = room.tui(path)
    term.send("2")
    why = term.wait_text("WAIT")
    if why:
        return why
    term.press("s")  # by self time
    if "vWAIT" not in term.press("s"):
        return "it is not sorted by WAIT:\n" + term.text()
    if not re.search(r"\d\d\.\d+ ms +\S+ ms  naps", term.text()):  # WAIT, AVG
        return "naps() has not waited:\n" + term.text()
    return quit_and_see(term)


@case("finds calls by name, forwards and backwards")
def searches(room):
    term = room.tui(room.once("small"))
    term.send(["/", *"middle", "Enter"])
    term.settle()
    first = term.selected()
    if " middle" not in first:
        return "no middle is selected but %r:\n%s" % (first, term.text())
    term.press("n")
    second = term.selected()
    if " middle" not in second or second == first:
        return "n goes to %r" % second
    term.press("N")
    if term.selected() != first:
        return "N goes to %r instead of %r" % (term.selected(), first)
    if "there is not a call of that name any more before" not in term.press("N"):
        return "no word on the first one:\n" + term.text()
    if "no function is called so" not in term.press("/", *"nosuch", "Enter"):
        return "no word on what is not there:\n" + term.text()
    term.press(".")
    if term.selected() != second:
        return ". goes to %r instead of %r" % (term.selected(), second)
    return quit_and_see(term)


@case("goes to the longest call that report knows")
def longest(room):
    trace = room.once("small")
    term = room.tui(trace)
    rows = room.json("report", trace=trace)
    most = next(row["max_ns"] for row in rows if row["function"] == "outer")
    term.send(["/", *"outer", "Enter"])
    term.settle()
    term.send("L")
    term.settle()
    if "%d.%03d us" % divmod(most, 1000) not in term.selected():
        return "it should take %d ns:\n%s\n%s" % (most, term.selected(), term.text())
    return quit_and_see(term)


@case("zooms in to a call and out again; goes to times")
def zooms(room):
    term = room.tui(room.once("small"))
    term.press("/", *"outer", "Enter")
    inside = term.press("+")
    if " main" not in inside or "leaf x" in inside or "s~" not in inside:
        return "zoomed in it is\n" + inside
    if "leaf x 5000" not in term.press("-"):
        return "zoomed out it is\n" + term.text()
    if "this is the whole time" not in term.press("-"):
        return "no word on the whole time"
    if "not a time" not in term.press("T", *"rubbish", "Enter"):
        return "no word on a wrong time:\n" + term.text()
    term.press("T", *"0%", "Enter")
    if "frame_dummy" not in term.selected():
        return "the first call is not selected: %r" % term.selected()
    if "s~" not in term.press("r", *"0%~50%", "Enter"):
        return "no range is shown:\n" + term.text()
    if "nothing there" not in term.press("r", *"100s~", "Enter"):
        return "no word on a range beyond the end:\n" + term.text()
    return quit_and_see(term)


def find(term, name):
    """Go to the next call of that name."""
    term.send(["/", *name, "Enter"])
    why = term.wait_for(lambda t: t.selected().rstrip().endswith(" " + name))
    if why:
        raise RuntimeError(why)
    term.settle()


def calls_of(term, view, nr_cells):
    """Of each function, as a view of sums has them; folded rows of the graph are unfolded."""
    term.send(view)
    why = term.wait_text("CALLS ")
    if why:
        raise RuntimeError(why)
    term.settle()
    if view == "3":
        term.press("Home", "*")
    found = {}
    for calls, *_, name in name_rows(term, nr_cells):
        name = name.lstrip("-+ ")
        found[name] = found.get(name, 0) + int(calls)
    return found


@case("functions and graph are of the part of the time that is zoomed")
def sums_of_part(room):
    term = room.tui(room.once("small"), (200, 60))
    whole = calls_of(term, "2", 6)
    if whole.get("leaf") != 5006 or " only " in term.lines()[0]:
        return "the whole is %s:\n%s" % (whole, term.text())
    term.press("1")
    find(term, "outer")
    term.press("+")
    part = {"main": 0, "outer": 1, "middle": 1, "leaf": 2}
    for view, nr_cells in [("2", 6), ("3", 4)]:
        got = calls_of(term, view, nr_cells)
        if got != part or not re.search(r" only \d+\.\d{9} s~\d+\.\d{9} s$", term.lines()[0]):
            return "view %s has %s, it should have %s:\n%s" % (view, got, part, term.text())
    term.press("2", "Home")
    go_to(term, r"  leaf")
    term.send("Enter")
    why = term.wait_text("leaf is called by")
    if why or not re.search(r"^ +1 .* outer", term.text(), re.M):
        return why or "outer calls leaf once in this part:\n" + term.text()
    term.press("Esc", "1")
    find(term, "middle")
    term.press("+")
    if calls_of(term, "2", 6) != {"main": 0, "outer": 0, "middle": 1, "leaf": 1}:
        return "zoomed in further it is\n" + term.text()
    term.press("1", "-", "-")
    if calls_of(term, "2", 6) != whole:
        return "zoomed out it is\n" + term.text()
    return quit_and_see(term)


@case("the longest call is that of the part of the time that is zoomed")
def longest_of_part(room):
    term = room.tui(room.once("small"), (200, 60))
    find(term, "outer")
    term.press("+")
    find(term, "leaf")
    first = term.selected()
    second = term.press("n") and term.selected()
    term.press("L")
    why = term.wait_for(lambda t: "reading" not in t.text())
    term.settle()
    if why or term.selected() not in (first, second):
        return why or "L goes to %r, in the part there are %r and %r" % (
            term.selected(), first, second)
    term.press("-")
    find(term, "last")
    term.press("+")
    term.press("Home")
    if " main" not in term.selected():
        return "main is not selected but %r" % term.selected()
    term.send("L")
    return term.wait_text("none began in this part") or quit_and_see(term)


@case("replays calls in order of time, pauses and goes on by steps")
def replays(room):
    term = room.tui(room.once("small", "few"))
    done = room.run("replay", "--no-pager", room.once("small", "few"))
    told = re.findall(r"\| +(\w+)\(\)", done.out.decode())
    term.press("R", " ")
    seen = []
    for _ in range(8):
        seen.append(re.sub(r" .*", "", term.selected()[49:].strip(" +-")))
        term.press("Right")
    at = [i for i in range(len(told)) if told[i:i + 8] == seen]
    if not at:
        return "it goes by %s, replay by %s" % (seen, told)
    before = term.selected()
    term.send(["+", "+", "+", " "])
    why = term.wait_text("this was the last call")
    return why or (None if term.selected() != before else "it did not move") or \
        quit_and_see(term)


@case("shows one thread, and all again")
def one_thread(room):
    trace = room.once("many", "threads", "20")
    term = room.tui(trace)
    if "many" not in term.text() and " main" not in term.text():
        return term.text()
    term.press("t")
    tid = None
    for _ in range(3):
        term.press("Down")
    tid = term.selected().split()[0]
    text = term.press("Enter")
    tids = {line[40:49].strip() for line in text.splitlines()[2:-1] if line[40:49].strip()}
    if tids != {tid} or "thread " + tid not in text:
        return "threads %s are shown, %s was chosen:\n%s" % (tids, tid, text)
    term.send("2")
    why = term.wait_text("CALLS")
    term.settle()
    calls = {name: nr for nr, *_, name in name_rows(term, 5)}
    if why or calls.get("middle") != "20":
        return why or "calls of this thread: %s" % calls
    text = term.press("t", "Home", "Enter")
    tids = {line[40:49].strip() for line in text.splitlines()[2:-1] if line[40:49].strip()}
    return quit_and_see(term) if len(tids) > 3 else "all again are %s" % tids


@case("a thousand threads: seen at once, first and last")
def thousand_threads(room):
    one = room.tui(room.once("small"))
    quit_and_see(one)
    term = room.tui(room.once("many", "threads", "1000"))
    if term.seen_ns > 10 * one.seen_ns:
        return "seen after %d ns of work, after %d where there is one" % (term.seen_ns,
                                                                          one.seen_ns)
    first = term.text()
    last = term.press("End")
    if last == first or "thread_main" not in last:
        return "the end is\n" + last
    if term.press("Home") != first:
        return "home again it is\n" + term.text()
    if "1002" not in term.press("t") and len(term.lines()) < 20:
        return term.text()
    return quit_and_see(term)


@case("a recursion a million deep is unfolded, searched and left")
def million_deep(room):
    term = room.tui(room.once("many", "deep", "1000000"))
    term.send(["/", *"down", "Enter"])
    term.settle()
    if " down" not in term.selected():
        return term.text()
    term.press("*")
    for _ in range(5):
        term.press("PgDn")
    if not re.search(r"FUNCTION, \d+ levels down", term.text()):
        return "it is not unfolded:\n" + term.text()
    term.send(["r", *"50%~", "Enter"])
    term.settle()
    term.send(["T", *"60%", "Enter"])
    term.settle()
    term.send(["N"])
    why = term.wait_for(lambda t: "calls further out" in t.text() or " down" in t.selected())
    if why:
        return why
    term.press("Esc", "-")
    term.press("2")
    calls = room.calls(room.once("many", "deep", "1000000"))["down"]
    why = term.wait_text(" %d " % calls)
    return why or quit_and_see(term)


@case("lost records are rows, and gone to")
def lost(room):
    path = room.trace_of(room.program("many"), "lossy", to="lost.data",
                         options=["--libs=none", "--loss=drop", "--ring=64K"])
    info = room.json("info", trace=path)
    if not info["lost"]:
        return "nothing was lost"
    term = room.tui(path, (200, 60))
    term.press("G")
    if "records are lost here" not in term.selected():
        return "G goes to %r:\n%s" % (term.selected(), term.text())
    seen = set()
    while "any more" not in term.text() and len(seen) < 200:
        seen.add(term.selected())
        term.press("G")
    if "any more" in term.text():
        lost = sum(int(re.search(r"~~ (\d+) records", row).group(1)) for row in seen)
        if lost != info["lost"]:
            return "%d are shown as lost, %d were" % (lost, info["lost"])
    first = term.selected()
    term.press("g")
    if term.selected() == first and len(seen) > 1:
        return "g does not go back"
    return quit_and_see(term)


@case("damaged traces are shown as far as they go, and say so in the end")
def damaged(room):
    with open(room.once("many", "lossy"), "rb") as f:
        whole = f.read()
    for name, bytes_ in [
            ("one packet", whole[:len(whole) // 2] + b"\xff" * 64 + whole[len(whole) // 2 + 64:]),
            ("cut", whole[:len(whole) * 2 // 3])]:
        path = room.path("damaged.data")
        with open(path, "wb") as f:
            f.write(bytes_)
        term = room.tui(path)
        for key in ["End", "Home", "G", "*", "End", "2"]:
            term.press(key)
        why = term.wait_text("middle")
        if why:
            return "%s: %s" % (name, why)
        term.send("q")
        status = term.wait_end()
        if status != 4 or b"fctrace: " not in term.bytes.split(b"1049l")[-1]:
            return "%s: status %s: %r" % (name, status, term.bytes[-200:])
    return None


@case("a trace without calls, and what is no trace")
def empty(room):
    path = room.trace_of(room.program("small"), options=["--libs=none", "-F", "nosuch"], to="empty.data")
    term = room.tui(path)
    if "no call is in this trace" not in term.text():
        return term.text()
    for key in ["Down", "Enter", "*", "End", "L", "G", "n", ".", "+", "-", "R", "3", "Enter", "4",
                "Down", "Enter"]:
        term.press(key)
    term.press("2")
    why = term.wait_text("no call is in this trace") or quit_and_see(term)
    if why:
        return why
    for bytes_ in [b"", b"rubbish" * 100]:
        with open(path, "wb") as f:
            f.write(bytes_)
        t = terminal.Terminal([room.fctrace, "tui", path], env=dict(ENV, TERM="screen-256color"))
        if t.wait_end() != 3 or t.screen.is_alternate or t.bytes.count(b"fctrace: ") != 1:
            return "status %s: %r" % (t.status, t.bytes)
    return None


@case("names of any bytes do not steer the terminal")
def evil_names(room):
    program = room.path("evil")
    with open(room.program("small"), "rb") as f:
        elf = f.read()
    evil = b"\x1b]\xc3\xa9\xff"  # as long as the name it replaces
    with open(program, "wb") as f:
        f.write(elf.replace(b"\0outer\0", b"\0" + evil + b"\0"))
    os.chmod(program, 0o755)
    path = room.trace_of(program, options=["--libs=none"], to="evil.data")
    for locale, shown in [("C.UTF-8", "??\u00e9?"), ("C", None)]:
        term = room.tui(path, LC_ALL=locale)
        go_to(term, r" main$")
        text = term.press("Enter")
        shown = "?]\u00e9?" if locale == "C.UTF-8" else "?]??"
        if shown not in text and "?]?" not in text:
            return "LC_ALL=%s: %r is not there:\n%s" % (locale, shown, text)
        if b"\x1b]" in term.bytes or b"\xff" in term.bytes:
            return "its bytes came through"
        why = quit_and_see(term)
        if why:
            return why
    return None


@case("help is one key away and fits 80x24 in every view")
def helps(room):
    term = room.tui(room.once("small"))
    for view in "1234":
        for key in ["F1", "?", "h"]:
            text = term.press(view, key)
            if "Up Down PgUp PgDn" not in text or "  q  " not in text:
                return "view %s, key %s:\n%s" % (view, key, text)
            if "Up Down PgUp PgDn" in term.press("q" if key == "h" else " "):
                return "it stays"
    return quit_and_see(term)


MONKEY_KEYS = ["Down", "Up", "Enter", "Right", "Left", "*", "PgDn", "PgUp", "Home", "End", "n", "N",
               ".", ",", "L", "G", "g", "+", "-", "R", " ", "1", "2", "3", "4", "s", "c", "Esc",
               "Tab", "F1", "t", "/", "m", "T", "r"]
MONKEYS, MONKEY_ROUNDS = 4, 4


def damaged_bytes(rand, whole):
    bytes_ = bytearray(whole)
    for _ in range(rand.choice([0, 1, 2, 8])):
        bytes_[rand.randrange(len(bytes_))] = rand.randrange(256)
    return bytes_[:rand.randrange(len(bytes_))] if rand.random() < 0.3 else bytes_


def monkey(room, seed):
    rand = random.Random(seed)
    traces = [room.once("small"), room.once("many", "lossy"), room.once("many", "threads", "20"),
              room.once("given")]
    path = room.path("monkey%d.data" % seed)
    for _ in range(MONKEY_ROUNDS):
        with open(rand.choice(traces), "rb") as f, open(path, "wb") as to:
            to.write(damaged_bytes(rand, f.read()))
        # What ncurses knows of terminals stays allocated.
        env = dict(ENV, TERM="screen-256color", ASAN_OPTIONS="detect_leaks=0")
        term = terminal.Terminal([room.suite.args.sanitized or room.fctrace, "tui", path],
                                 rand.choice([(80, 24), (40, 10), (200, 60)]), env)
        term.wait_for(lambda t: "F1" in t.text())
        keys = [rand.choice(MONKEY_KEYS) for _ in range(40)]
        for key in keys:
            if not term.is_over():
                term.send(key)
                term.read(0.02)
        if not term.is_over():
            term.send(["Esc", "Esc", "q", "q"])
        if term.wait_end() not in (0, 3, 4):
            return "status %s after %s:\n%s" % (term.status, " ".join(keys), term.text())
        term.close()
    return None


for i in range(MONKEYS):
    CASES.append(("random keys on whole and damaged traces never make it fall, %d" % i,
                  functools.partial(monkey, seed=i)))


# ---- a recorded session ----

SESSION = os.path.join(HERE, "session.txt")


def marked(term):
    """The screen, with a mark behind the row that the user is on."""
    lines = term.lines()
    for i in range(2, term.screen.lines - 1):
        if term.screen.buffer[i][0].reverse:
            lines[i] += "   <="
    return lines


def session_of(text):
    """[(keys, screen)] of a session that was written down."""
    steps = []
    for line in text.splitlines():
        if line.startswith("> "):
            steps.append((line[2:].split(), []))
        elif line.startswith("|"):
            steps[-1][1].append(line[1:])
    return steps


def play_session(room, steps):
    term = room.tui(made.trace(room.fctrace, room.folder))
    for keys, _ in steps:
        for key in keys:
            if key == "(wait)":
                term.wait_text("CALLS ")
                term.settle()
            elif key != "(start)":
                term.send(key)
        term.settle()
        yield keys, marked(term)
    term.send("q")
    term.wait_end()


@case("a recorded session is seen again, screen by screen")
def recorded(room):
    with open(SESSION, encoding="utf-8") as f:
        steps = session_of(f.read())
    if len(steps) < 10:
        return "the session is not there"
    for (keys, got), (_, told) in zip(play_session(room, steps), steps):
        if got != told:
            return "after %s\n%s" % (" ".join(keys), tap.excerpt("\n".join(told),
                                                                 "\n".join(got), 30))
    return None


def record_session(room):
    """Write down what is seen now, for the same keys."""
    with open(SESSION, encoding="utf-8") as f:
        text = f.read()
    head = [line for line in text.splitlines() if line.startswith("#")]
    steps = session_of(text)
    with open(SESSION, "w", encoding="utf-8") as f:
        f.write("\n".join(head) + "\n")
        for keys, screen in play_session(room, steps):
            f.write("> %s\n" % " ".join(keys))
            f.writelines("|%s\n" % line for line in screen)


def suite_of(suite):
    room = Room(suite)
    if suite.args.record_session:
        record_session(room)
    else:
        suite.run_all(CASES, room, prefix="tui ", at_once=NR_AT_ONCE)


if __name__ == "__main__":
    tap.main(suite_of, **{"record-session": {
        "action": "store_true", "help": "write session.txt anew, with the keys that are in it"}})
