#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace top tells what programs say of themselves, leaves them alone, and the terminal too.

No case depends on how fast the machine is: targets run until they are told to end, what is waited
for is waited for itself, and a pace is compared with that of the same moment.
"""
import array
import bisect
import fcntl
import json
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import screen  # noqa: E402
import tap  # noqa: E402
from tap import child_of, wait_until  # noqa: E402

MADE = ("tick", "tock", "nap", "a_round", "forever")
TICKER_STATUS = 3
PACE = 0.4  # fctrace may be held up between its clock and its counts, on a busy machine
LIMIT_S = tap.PATIENCE_S


class Bench(bench.Bench):
    def __init__(self, suite, ticker):
        super().__init__(suite)
        self.ticker, self.targets = ticker, []

    def start(self, *argv):
        """What runs until it is told to end; it says when it is ready."""
        target = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, start_new_session=True, bufsize=0)
        self.targets.append(target)
        said = target.stdout.readline()
        if said != b"ready\n":
            raise RuntimeError("%s says %r" % (argv[0], said))
        return target

    def start_ticker(self, threads=1):
        return self.start(self.ticker, "0", str(threads))

    def top(self, *args, **how):
        return self.run("top", *args, **how)

    def start_top(self, *args, pipesize=-1):
        top = subprocess.Popen([self.fctrace, "top", *args], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True, bufsize=0, pipesize=pipesize)
        self.targets.append(top)
        return top

    def top_of_ticker(self, is_enough, *args):
        """A ticker that fctrace starts, and that ends when there are enough intervals: how both
        ended, and the intervals."""
        out = self.path("o")
        top = self.start_top(*args, "--json", "-o", out, self.ticker, "0")
        if top.stdout.readline() != b"ready\n":
            raise RuntimeError("top: %r" % top.communicate(timeout=LIMIT_S)[1])
        wait_until(lambda: is_enough(intervals(read(out))), "enough intervals")
        os.kill(child_of(top.pid), signal.SIGTERM)
        printed, err = top.communicate(timeout=LIMIT_S)
        return tap.Run(top.returncode, printed, err, False), intervals(read(out))

    def terminal(self, *args, **how):
        return screen.Terminal([self.fctrace, "top", *args], **how)

    def end(self):
        """Those that trace first: who is traced ends with their leave."""
        for target in reversed(self.targets):
            if target.poll() is None:
                target.kill()
        for target in self.targets:
            target.communicate(timeout=LIMIT_S)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def intervals(text):
    """Of whole lines."""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line[-1] == "\n"]


def sums(all_intervals):
    ret = {}
    for interval in all_intervals:
        for row in interval["functions"]:
            ret[row["function"]] = ret.get(row["function"], 0) + row["calls"]
    return ret


def row_of(interval, function):
    rows = [row for row in interval["functions"] if row["function"] == function]
    return rows[0] if rows else None


def said_counts(out):
    words = [line.split() for line in out.partition(b"rounds_at\n")[0].decode().splitlines()]
    return {line[0]: int(line[1]) for line in words if len(line) == 2}


def rounds_at(out):
    """When each round of a ticker began, in seconds of time.monotonic()."""
    return array.array("d", out.partition(b"rounds_at\n")[2])


def is_near(value, expected, share):
    return value is not None and abs(value - expected) <= expected * share


def ends_well(target):
    """A ticker's own word on its end, to which it is told to come: None, or what is wrong."""
    target.terminate()
    out, err = target.communicate(timeout=LIMIT_S)
    if target.returncode != TICKER_STATUS or err or len(said_counts(out)) != len(MADE):
        return "target: status %d, %s %s" % (target.returncode, out, err)
    return None


def is_free(bench, pid):
    """Nothing of fctrace is left in it: what says so is fctrace detach."""
    done = tap.run([bench.fctrace, "detach", str(pid)])
    return None if b"there is nothing of fctrace in it" in done.err else done.err


# ---- numbers ----

def counts_are_exact(bench):
    done, told = bench.top_of_ticker(lambda told: len(told) > 3, "--no-time", "-d", "0.3")
    if done.status != TICKER_STATUS or done.err:
        return "status %d: %s" % (done.status, done.err)
    made, seen = said_counts(done.out), sums(told)
    wrong = [(name, made[name], seen.get(name)) for name in MADE if made[name] != seen.get(name)]
    return "made and told: %s" % wrong if wrong else None


def recorded_calls_are_exact(bench):
    done, told = bench.top_of_ticker(lambda told: len(told) > 3, "--budget", "100%", "-d",
                                     "0.3")
    made, seen = said_counts(done.out), sums(told)
    if any(interval["lost"] for interval in told):
        return "records were lost"
    for name in MADE:
        rows = [row_of(i, name) for i in told if row_of(i, name)]
        is_all = not any(row["calls_reckoned"] or row["calls_per_s"] is None for row in rows)
        if seen.get(name) != made[name] and (is_all or not seen.get(name, 0) <= made[name]):
            return "%s: made %d, told %s, all of it: %s" % (
                name, made[name], seen.get(name), is_all)
    return None


def wrong_paces(told, made_s, rows):
    """What is told of these rows (names, and calls a round) has to be what was made in the same
    interval, at the times made_s. The target's clock is not fctrace's: one difference between
    them has to fit all intervals. None, or why there is none."""
    spans = [(interval["begin_s"], interval["begin_s"] + interval["seconds"]) for interval in told]
    steps = range(int((made_s[-1] - made_s[0] - spans[-1][1]) * 1000) + 1)
    wrong = "fctrace's %s are not within the target's %s" % (spans, (made_s[0], made_s[-1]))
    for later_s in (made_s[0] + step / 1000 for step in steps):
        wrong = None
        for interval, span in zip(told, spans):
            at, end = (bisect.bisect(made_s, later_s + edge) for edge in span)
            for name, calls in rows:
                row, rate = row_of(interval, name), calls * (end - at) / interval["seconds"]
                if row["state"] != "unhooked" and not is_near(row["calls_per_s"], rate, PACE):
                    wrong = "%s: %s a second, not %d" % (name, row["calls_per_s"], rate)
        if not wrong:
            return None
    return wrong


def rates_are_its_own(option):
    def case(bench):
        target = bench.start_ticker()
        begin = time.monotonic()
        done = bench.top(*option, "--json", "-d", "0.5", "-n", "4", "-p", str(target.pid))
        lasted_s = time.monotonic() - begin
        target.terminate()
        out, err = target.communicate(timeout=LIMIT_S)
        if target.returncode != TICKER_STATUS or err or done.status:
            return "target: status %d, %s; top: %d, %s" % (
                target.returncode, err, done.status, done.err)
        told = intervals(done.out.decode())
        if len(told) != 4 or sum(i["seconds"] for i in told) > lasted_s or \
                any(i["seconds"] < 0.4 for i in told[1:]) or \
                any(not is_near(a["begin_s"] + a["seconds"], b["begin_s"], 0.001)
                    for a, b in zip(told, told[1:])):
            return "intervals of %.2f s: %s" % (
                lasted_s, [(i["begin_s"], i["seconds"]) for i in told])
        for interval in told[1:]:
            for name in ("nap", "tick", "tock"):
                row = row_of(interval, name)
                if row is None or (row["calls_per_s"] is None and row["state"] != "unhooked"):
                    return "%s: %s" % (name, row)
                if row["calls_per_s"] and not row["calls_reckoned"] and \
                        not is_near(row["calls"], row["calls_per_s"] * interval["seconds"], 0.01):
                    return "%s: %d calls in %s s, %s a second" % (
                        name, row["calls"], interval["seconds"], row["calls_per_s"])
        return wrong_paces(told[1:], rounds_at(out), (("nap", 1), ("tick", 1), ("tock", 10)))
    return case


def seen_whole(told):
    """Intervals of which the budget left nothing out, in the midst."""
    return [interval for interval in told[1:]
            if (row_of(interval, "nap") or {"timed": 0})["timed"] and
            all(row["state"] == "recorded" and not row["calls_reckoned"] and
                not row["times_reckoned"] for row in interval["functions"])]


def times_are_shares(bench):
    done, told = bench.top_of_ticker(lambda told: len(seen_whole(told)) > 2, "--budget", "100%",
                                     "-d", "0.4")
    if done.status != TICKER_STATUS:
        return "status %d: %s" % (done.status, done.err)
    for interval in seen_whole(told)[:3]:
        forever, nap, sleep = (row_of(interval, f) for f in ("forever", "nap", "clock_nanosleep"))
        if not is_near(forever["total_share"], 1, 0.02) or forever["calls"]:
            return "what never returns: %s" % forever
        if not forever["max_open"] or forever["avg_ns"] is not None or forever["open"] != 1:
            return "what is open: %s" % forever
        if nap["total_share"] < 0.9 or sleep["self_share"] < 0.9 or nap["self_share"] > 0.1:
            return "what sleeps: %s %s" % (nap, sleep)
        # It sleeps for 5 ms at least; one of these had begun before.
        if not 5e6 <= nap["avg_ns"] <= nap["max_ns"] or \
                nap["avg_ns"] * nap["timed"] > interval["seconds"] * 1e9 + nap["max_ns"]:
            return "a nap: %s" % nap
        if not is_near(sum(row["self_share"] or 0 for row in interval["functions"]), 1, 0.05):
            return "self times make %s" % sum(
                row["self_share"] or 0 for row in interval["functions"])
    return None


def threads_are_told(bench):
    target = bench.start_ticker(3)
    done = bench.top("--json", "-d", "0.5", "-n", "2", "-p", str(target.pid))
    text = bench.top("--threads", "-b", "-d", "0.5", "-n", "1", "-p", str(target.pid))
    wrong = ends_well(target)
    if wrong or done.status or text.status:
        return "%s; %s %s" % (wrong, done.err, text.err)
    threads = intervals(done.out.decode())[1]["threads"]
    if len(threads) != 3 or {t["pid"] for t in threads} != {target.pid}:
        return "threads: %s" % threads
    if any(t["busy_share"] < 0.8 or t["name"] != "ticker" for t in threads):
        return "threads: %s" % threads
    lines = text.out.decode().splitlines()
    return None if len([x for x in lines if " ticker " in x]) == 3 else text.out.decode()


PYTHON_LOOP = """
import array, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: end.append(1))
end, at = [], []
print("ready", flush=True)
while not end:
    at.append(time.monotonic())
    time.sleep(0.002)
print("rounds_at", flush=True)
sys.stdout.buffer.write(array.array("d", at).tobytes())
"""


def python_loop(bench):
    target = bench.start(tap.PYTHON, "-c", PYTHON_LOOP)
    done = bench.top("--no-time", "--json", "-d", "0.5", "-n", "3", "-p", str(target.pid))
    target.terminate()
    out, err = target.communicate(timeout=LIMIT_S)
    if done.status or target.returncode or err:
        return "%s %s" % (done.err, err)
    return wrong_paces(intervals(done.out.decode())[1:], rounds_at(out), [("clock_nanosleep", 1)])


def redis_answers(bench):
    if not shutil.which("redis-server") or not shutil.which("redis-benchmark"):
        return None
    sock, requests = bench.path("redis.sock"), 6000
    server = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", sock, "--save", "", "--dir", bench.folder],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True)
    bench.targets.append(server)
    wait_until(lambda: os.path.exists(sock), "redis-server")
    told = bench.path("o")  # a pipe would have to be read meanwhile
    top = bench.start_top("--no-time", "--json", "-d", "0.3", "-o", told, "-p", str(server.pid))
    wait_until(lambda: os.path.exists(told) and read(told), "an interval")
    bm = tap.run(["redis-benchmark", "-s", sock, "-n", str(requests), "-c", "1", "-t", "set", "-q"])
    top.send_signal(signal.SIGINT)
    _, err = top.communicate(timeout=LIMIT_S)
    alive = tap.run(["redis-cli", "-s", sock, "ping"])
    server.terminate()
    server.communicate(timeout=LIMIT_S)
    if bm.status or top.returncode or alive.out.strip() != b"PONG" or server.returncode:
        return "%s %s %s %s" % (bm.err, err, alive.out, server.returncode)
    writes = sums(intervals(read(told))).get("write", 0)
    # An answer each, the benchmark's questions beforehand, and redis-server's log.
    return None if requests <= writes <= requests + 50 else "%d writes" % writes


def budget_marks_rows(bench):
    busy = "import json\nprint('ready', flush=True)\n" \
        "while True: json.loads(json.dumps([list(range(20))] * 20))"
    target = bench.start(tap.PYTHON, "-c", busy)
    done = bench.top("--json", "-d", "0.5", "-n", "5", "-p", str(target.pid))
    target.kill()
    told = intervals(done.out.decode())
    if done.status or len(told) != 5:
        return "status %d: %s" % (done.status, done.err)
    before = set()
    for interval in told:
        names = {(row["function"], row["module"]) for row in interval["functions"]}
        if before - names:
            return "rows that went: %s" % (before - names)
        before = names
    rows = told[-1]["functions"]
    states = {row["state"] for row in rows}
    if "unhooked" not in states and "counted" not in states:
        return "nothing is marked: %s" % states
    for row in rows:
        if row["calls_per_s"] is None and row["state"] != "unhooked":
            return "no rate, no mark: %s" % row
        if row["times_reckoned"] and row["state"] == "recorded" and row["total_share"] is None:
            return "reckoned of nothing: %s" % row
    return None


def filters(bench):
    target = bench.start_ticker()
    only = bench.top("--json", "-F", "a_round", "-d", "0.4", "-n", "2", "-p", str(target.pid))
    but = bench.top("--json", "-N", "nap", "-d", "0.4", "-n", "2", "-p", str(target.pid))
    module = bench.top("--json", "-m", "ticker", "--libs=none", "-d", "0.4", "-n", "2", "-p",
                       str(target.pid))
    wrong = ends_well(target)
    if wrong or only.status or but.status or module.status:
        return "%s; %s %s %s" % (wrong, only.err, but.err, module.err)
    names = [set(sums(intervals(done.out.decode()))) for done in (only, but, module)]
    if "a_round" not in names[0] or "clock_gettime" in names[0]:
        return "-F: %s" % names[0]
    if "a_round" not in names[1] or {"nap", "nanosleep"} & names[1]:
        return "-N: %s" % names[1]
    return "-m: %s" % names[2] if names[2] - set(MADE) - {"now_s"} else None


def two_at_once(bench):
    one, two = bench.start_ticker(), bench.start_ticker()
    done = bench.top("--json", "-d", "0.5", "-n", "2", "-p", "%d,%d" % (one.pid, two.pid))
    wrong = ends_well(one) or ends_well(two)
    if wrong or done.status:
        return "%s %s" % (wrong, done.err)
    pids = {t["pid"] for t in intervals(done.out.decode())[1]["threads"]}
    return None if pids == {one.pid, two.pid} else "threads of %s" % pids


# ---- text ----

TITLES = re.compile(r"^CALLS/S TOTAL%  SELF% +AVG +MAX +CALLS +FUNCTION +MODULE$")


def blocks_are_plain(bench):
    target = bench.start_ticker()
    done = bench.top("-b", "-s", "calls", "--rows", "3", "-d", "0.3", "-n", "3", "-p",
                     str(target.pid))
    wrong = ends_well(target)
    if wrong or done.status or done.err:
        return "%s %s" % (wrong, done.err)
    blocks = done.out.decode().strip("\n").split("\n\n")
    for block in blocks:
        lines = block.splitlines()
        if not lines[0].startswith("fctrace top  ") or not TITLES.match(lines[1]):
            return block
        if len(lines) != 5 or " tock " not in lines[2] + lines[3] + lines[4]:
            return block
    return None if len(blocks) == 3 else "%d blocks" % len(blocks)


def names_are_sorted(bench):
    target = bench.start_ticker()
    done = bench.top("--json", "-s", "name", "-d", "0.3", "-n", "1", "-p", str(target.pid))
    names = [row["function"] for row in intervals(done.out.decode())[0]["functions"]]
    return ends_well(target) or (None if names == sorted(names) else "%s" % names)


def output_is_the_programs(bench):
    done = bench.top("-d", "0.2", bench.ticker, "700")
    if done.status != TICKER_STATUS or len(said_counts(done.out)) != len(MADE):
        return "status %d, %s" % (done.status, done.out)
    return None if done.err.count(b"fctrace top  ") >= 2 else "%s" % done.err


def enough_for_a_program(bench):
    top = bench.start_top("-d", "0.2", "-n", "2", bench.ticker, "0")
    ticker = child_of(top.pid) if top.stdout.readline() == b"ready\n" else None
    wait_until(lambda: "TracerPid:\t0\n" in read("/proc/%d/status" % ticker), "letting go")
    time.sleep(0.1)
    if top.poll() is not None:
        return "it did not wait for the program"
    os.kill(ticker, signal.SIGTERM)
    out, err = top.communicate(timeout=LIMIT_S)
    if top.returncode != TICKER_STATUS or len(said_counts(out)) != len(MADE):
        return "status %d, %s %s" % (top.returncode, out, err)
    return None if err.count(b"fctrace top  ") == 2 else "%s" % err


def nobody_reads(bench):
    target = bench.start_ticker()
    done = tap.run(["sh", "-c", '"$0" top -b -d 0.2 -p "$1" | head -n 1', bench.fctrace,
                    str(target.pid)])
    left = is_free(bench, target.pid)
    return ends_well(target) or left or done.trouble() or (
        None if done.out.startswith(b"fctrace top") and not done.err else "%s" % done.err)


def nobody_takes(bench):
    """Its reader holds the pipe: the program goes on, and so can who ends fctrace."""
    target = bench.start_ticker(2)
    top = bench.start_top("--json", "-d", "0.1", "-p", str(target.pid), pipesize=4096)
    held = []

    def is_full():  # for half a second it has taken no more
        held.append(fcntl.ioctl(top.stdout, termios.FIONREAD, bytes(4)))
        time.sleep(0.1)
        return any(held[-1]) and held[-6:] == held[-1:] * 6

    wait_until(is_full, "a full pipe")
    top.send_signal(signal.SIGTERM)
    top.wait(timeout=LIMIT_S)
    return is_free(bench, target.pid) or ends_well(target)


def evil_names(bench):
    evil = b"tick\x1b[2J\x1b]0;gotcha\x07"
    path = bench.path("evil")
    subprocess.run([b"objcopy", b"--redefine-sym", b"tick=" + evil, bench.ticker.encode(),
                    path.encode()], check=True)
    target = bench.start(path, "0")
    done = bench.top("-b", "-d", "0.3", "-n", "1", "-p", str(target.pid))
    term = bench.terminal("-d", "0.3", "-p", str(target.pid))
    is_shown = term.wait_for(lambda text: "tick?" in text)
    term.type("q")
    term.wait_end()
    shown = term.bytes
    term.close()
    wrong = ends_well(target)
    if wrong or not is_shown or b"tick?[2J?" not in done.out:
        return "%s %s %s" % (wrong, is_shown, done.out)
    return "it steers" if b"\x1b" in done.out or b"gotcha\x07" in shown else None


# ---- the screen ----

def first_names(term):
    return [line[48:].split()[0] for line in term.lines()[3:23] if line[48:].split()]


def keys_do_what_help_says(bench):
    target = bench.start_ticker()
    term = bench.terminal("-d", "0.3", "-p", str(target.pid))
    try:
        if not term.wait_for(lambda text: "a_round" in text and "FUNCTION" in text):
            return term.text()
        for key, word in (("c", "calls"), ("t", "total"), ("a", "avg"), ("m", "max"),
                          ("n", "name"), ("s", "self")):
            term.type(key)
            if not term.wait_for(lambda text, word=word: "\nby %s " % word in text):
                return "%s: %s" % (key, term.text())
            if key == "n" and not term.wait_for(
                    lambda _: first_names(term) == sorted(first_names(term))):
                return "not sorted: %s" % term.text()
            longest = ("a_round", "nap", "nanosleep", "clock_nanosleep")
            if key == "t" and not term.wait_for(lambda _: first_names(term)[0] in longest):
                return "not by total: %s" % term.text()
        for key in ("h", "?"):
            term.type(key)
            if not term.wait_for(lambda text: "by self time" in text and "quit:" in text and
                                 "was open when fctrace came" in text):
                return "no help: %s" % term.text()
            term.type(key)
            if not term.wait_for(lambda text: "a_round" in text):
                return "no way back: %s" % term.text()
        term.type("H")
        if not term.wait_for(lambda text: "THREAD" in text and " ticker " in text):
            return "no threads: %s" % term.text()
        term.type("H")
        term.type("/")
        for letter in "ROUND":
            term.type(letter)
        term.type("enter")
        if not term.wait_for(lambda text: "1-1 of 1  with ROUND" in text and
                             first_names(term) == ["a_round"]):
            return "not looked for: %s" % term.text()
        term.type("/")
        term.type("esc")
        if not term.wait_for(lambda text: "with" not in text.splitlines()[1]):
            return "still looked for: %s" % term.text()
        term.type("p")
        term.wait_for(lambda text: "PAUSED" in text)
        term.read(0.2)  # the rest of that picture
        before = term.text()
        term.read(0.8)
        if "PAUSED" not in before or term.text() != before:
            return "not paused: %s" % term.text()
        term.type(" ")
        if not term.wait_for(lambda text: text != before and "PAUSED" not in text):
            return "still paused: %s" % term.text()
        for key in ("k", "x", "\x1a", "\x13", "down", "end", "page down", "home", "up"):
            term.type(key)  # none of them ends, stops or kills anything
        if not term.wait_for(lambda text: "a_round" in text) or target.poll() is not None:
            return "a key was taken for more: %s" % term.text()
        term.type("q")
        status = term.wait_end()
        if status or not term.is_as_before() or b"\x1b[?1049l" not in term.bytes:
            return "status %s, the terminal's modes are the same: %s" % (
                status, term.is_as_before())
        last = term.bytes.split(b"\x1b[?1049l")[-1].decode()
        if "fctrace top  " not in last or " a_round " not in last:
            return "no last numbers: %s" % last
        return is_free(bench, target.pid)
    finally:
        term.close()
        target.kill()


def it_fits(bench):
    target = bench.start_ticker()
    term = bench.terminal("-d", "0.3", "-p", str(target.pid))
    try:
        for columns, lines in ((80, 24), (200, 60), (40, 8), (10, 3), (80, 24)):
            term.resize(columns, lines)
            nr_before = len(term.bytes)
            words = ["a_round", "MODULE"] if columns >= 80 else []

            def is_drawn(text):
                return (len(term.bytes) > nr_before and text.startswith("fctrace to") and
                        (columns < 40 or term.lines()[-1].startswith("h help  q quit")) and
                        all(word in text for word in words))

            if not term.wait_for(is_drawn):
                return "%dx%d: %s" % (columns, lines, term.text())
        return None
    finally:
        term.type("q")
        term.wait_end()
        term.close()
        target.kill()


def screen_ends_by(what):
    def case(bench):
        target = bench.start_ticker()
        term = bench.terminal("-d", "0.3", "-p", str(target.pid))
        try:
            if not term.wait_for(lambda text: "a_round" in text):
                return term.text()
            if what == "ctrl-c":
                term.type("\x03")
            else:
                os.kill(term.pid, what)
            status = term.wait_end()
            is_crash = what == signal.SIGSEGV
            if status is None or (not is_crash and status) or (is_crash and not status):
                return "it ended with %s" % status
            if not term.is_as_before() or b"\x1b[?1049l" not in term.bytes:
                return "the terminal is not as it was"
            return (None if is_crash else is_free(bench, target.pid)) or ends_well(target)
        finally:
            term.close()
    return case


def target_ends_under_screen(bench):
    target = bench.start_ticker()
    # Of the last interval, which may be a short one, fctrace shows as many functions as fit.
    term = bench.terminal("-d", "0.3", "-F", "a_round", "-p", str(target.pid))
    try:
        is_shown = term.wait_for(lambda text: "a_round" in text)
        wrong = ends_well(target)
        status = term.wait_end()
        last = term.bytes.split(b"\x1b[?1049l")[-1].decode()
        if not is_shown or status or not term.is_as_before() or " a_round " not in last:
            return "status %s, %s" % (status, last)
        return wrong
    finally:
        term.close()


def bad_terminals(bench):
    target = bench.start_ticker()
    for name, word in (("no-such-terminal", "not known"), ("dumb", "cannot move"), ("", "$TERM")):
        term = bench.terminal("-p", str(target.pid), env={"TERM": name})
        status = term.wait_end()
        text = term.text()
        term.close()
        if os.waitstatus_to_exitcode(status) != 125 or word not in text.replace("\n", ""):
            return "%s: status %s, %s" % (name, status, text)
        if len([line for line in text.splitlines() if line]) > 2:
            return "more than a sentence: %s" % text
    return ends_well(target)


# ---- nothing is harmed ----

def first_block(top):
    """What it shows first; it goes on showing."""
    return top.stdout.readline()


def leaves_by(sig):
    def case(bench):
        target = bench.start_ticker(2)
        top = bench.start_top("-b", "-d", "0.2", "-p", str(target.pid))
        first = first_block(top)
        top.send_signal(sig)
        _, err = top.communicate(timeout=LIMIT_S)
        wrong = is_free(bench, target.pid)
        if top.returncode or err or not first.startswith(b"fctrace top"):
            return "status %d: %s" % (top.returncode, err)
        return wrong or ends_well(target)
    return case


def killed(bench):
    target = bench.start_ticker(2)
    for wait_s in (0.05, 0.3, 0.8):
        top = bench.start_top("-b", "-d", "0.2", "-p", str(target.pid))
        time.sleep(wait_s)
        top.kill()
        top.communicate()
    again = bench.top("--json", "-d", "0.3", "-n", "2", "-p", str(target.pid))
    wrong = is_free(bench, target.pid)
    if again.status or not sums(intervals(again.out.decode())).get("a_round"):
        return "not again: %d %s" % (again.status, again.err)
    return wrong or ends_well(target)


def stopped(bench):
    """fctrace is stopped for a while: the program is not."""
    target = bench.start_ticker()
    top = bench.start_top("-b", "-d", "0.2", "-p", str(target.pid))
    first_block(top)
    top.send_signal(signal.SIGSTOP)
    wait_until(lambda: "\nState:\tT" in read("/proc/%d/status" % top.pid), "stopping")
    begin = time.monotonic()
    time.sleep(1)
    end = time.monotonic()
    top.send_signal(signal.SIGCONT)
    target.terminate()
    out, err = target.communicate(timeout=LIMIT_S)
    top.communicate(timeout=LIMIT_S)
    halves = [sum(at < s < at + (end - begin) / 2 for s in rounds_at(out))
              for at in (begin, (begin + end) / 2)]
    return None if min(halves) >= 10 and not err else "%s rounds meanwhile; %s" % (halves, err)


def target_ends(bench):
    target = bench.start_ticker()
    top = bench.start_top("-b", "-d", "0.3", "-F", "a_round", "-p", str(target.pid))
    first_block(top)
    wrong = ends_well(target)
    out, err = top.communicate(timeout=LIMIT_S)
    if top.returncode or err or " a_round " not in out.decode().strip().split("\n\n")[-1]:
        return "status %d: %s %s" % (top.returncode, err, out)
    return wrong


def over_at_once(bench):
    """Some of so many end before the budget has looked for the first time."""
    for _ in range(12):
        done = bench.top("-b", "true")
        if done.status or done.err.count(b"FUNCTION") != 1:
            return "status %d: %s" % (done.status, done.err.decode())
    return None


def not_there(bench):
    target = subprocess.Popen(["true"])
    target.wait()
    done = bench.top("-b", "-p", str(target.pid))
    return None if done.status == 125 and b"there is no process" in done.err and not done.out \
        else "status %d: %s %s" % (done.status, done.err, done.out)


def traced_already(bench):
    target = bench.start_ticker()
    first = bench.start_top("-b", "-d", "0.2", "-p", str(target.pid))
    first_block(first)
    done = bench.top("-b", "-p", str(target.pid))
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=LIMIT_S)
    wrong = ends_well(target)
    if wrong or first.returncode or done.status != 125 or done.err.count(b"\n") != 1:
        return "%s %d %d %s" % (wrong, first.returncode, done.status, done.err)
    return None if b"traced" in done.err else "%s" % done.err


def as_nobody():
    os.setgid(65534)
    os.setuid(65534)


def not_permitted(bench):
    if os.getuid():
        return None
    target = bench.start_ticker()
    os.chmod(bench.folder, 0o755)
    copy = bench.path("fctrace")
    shutil.copy(bench.fctrace, copy)
    os.chmod(copy, 0o755)
    done = tap.run([copy, "top", "-b", "-p", str(target.pid)], cwd="/", preexec=as_nobody)
    if done.status != 125 or done.err.count(b"\n") != 1 or done.out:
        return "status %d: %s %s" % (done.status, done.err, done.out)
    return ends_well(target)


def wrong_usage(bench):
    for args, word in ((["-d", "0", "true"], "interval"), (["-d", "x", "true"], "time"),
                       (["-n", "0", "true"], "refreshes"), (["-s", "size", "true"], "unknown"),
                       ([], "no program given"), (["-p", "1", "true"], "either"),
                       (["--no-time", "-F", "x", "true"], "-F"),
                       (["--no-time", "-s", "self", "true"], "times"),
                       (["--no-time", "--threads", "true"], "--threads"),
                       (["--no-time", "--budget", "5%", "true"], "--budget"),
                       (["--budget", "500%", "true"], "budget"), (["-p", "x"], "process id")):
        done = bench.top(*args)
        if done.status != 2 or word not in done.err.decode() or done.err.count(b"\n") != 1:
            return "%s: status %d, %s" % (args, done.status, done.err)
    missing = bench.top("no-such-program-anywhere")
    return None if missing.status == 127 else "status %d" % missing.status


CASES = [
    ("counts of all intervals are the program's own", counts_are_exact),
    ("recorded calls of all intervals are the program's own", recorded_calls_are_exact),
    ("rates are the program's own pace", rates_are_its_own([])),
    ("rates are the program's own pace with --no-time", rates_are_its_own(["--no-time"])),
    ("times are shares of each interval, of open calls too", times_are_shares),
    ("threads have rows", threads_are_told),
    ("a loop of python3 has its own rate", python_loop),
    ("redis-server's answers are counted", redis_answers),
    ("what the budget leaves out is marked, never missing", budget_marks_rows),
    ("-F, -N, -m and --libs", filters),
    ("several processes at once", two_at_once),
    ("blocks are plain text", blocks_are_plain),
    ("rows are sorted by name", names_are_sorted),
    ("a program's output and status are its own", output_is_the_programs),
    ("-n ends before a program, whose end is waited for", enough_for_a_program),
    ("a reader that goes away ends it", nobody_reads),
    ("a reader that holds its pipe holds up nobody", nobody_takes),
    ("names do not steer the terminal", evil_names),
    ("keys at 80x24", keys_do_what_help_says),
    ("the screen follows the terminal's size", it_fits),
    ("Ctrl-C leaves the terminal as it was", screen_ends_by("ctrl-c")),
    ("SIGTERM leaves the terminal as it was", screen_ends_by(signal.SIGTERM)),
    ("SIGHUP leaves the terminal as it was", screen_ends_by(signal.SIGHUP)),
    ("a crash leaves the terminal as it was", screen_ends_by(signal.SIGSEGV)),
    ("the target's end leaves the last numbers", target_ends_under_screen),
    ("a terminal that is not known: a sentence", bad_terminals),
    ("SIGINT lets go", leaves_by(signal.SIGINT)),
    ("SIGTERM lets go", leaves_by(signal.SIGTERM)),
    ("SIGHUP lets go", leaves_by(signal.SIGHUP)),
    ("killed: the program goes on, and can be watched again", killed),
    ("stopped: the program is not", stopped),
    ("the target ends", target_ends),
    ("a program that is over at once has an interval", over_at_once),
    ("a process that is not there", not_there),
    ("a process that is traced already", traced_already),
    ("a process of another user", not_permitted),
    ("wrong usage is said in a line", wrong_usage),
]


def with_bench(case, suite, ticker):
    with tempfile.TemporaryDirectory(prefix="fctrace-top-") as folder:
        bench = Bench(tap.Suite(suite.args, folder), ticker)
        try:
            return case(bench)
        finally:
            bench.end()


def suite_of(suite):
    os.chmod(suite.folder, 0o755)
    ticker = bench.Bench(suite).build("ticker.c")
    suite.run_all([(name, functools.partial(with_bench, case)) for name, case in CASES],
                  suite, ticker, prefix="top: ", at_once=4)


if __name__ == "__main__":
    tap.main(suite_of)
