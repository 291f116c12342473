#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What fctrace report sums of real traces is right, whichever way it was summed and shown.

Without a filter a report is made by several threads, strand by strand; a filter that leaves out
nothing makes the same fctrace play the trace in order. Both must agree to the last tick.
"""
import collections
import csv
import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import termios

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

WAYS = os.path.join(tap.TESTS, "whole/ways/programs")
NOTHING_LEFT_OUT = "-D2000000000"

PYTHON = """
import json, re, threading
def work(n):
    d = {str(i): [i, i * 2.5, "abc%d" % i] for i in range(40)}
    for i in range(n):
        s = json.dumps(d)
        json.loads(s)
        re.sub(r"[0-9]+", lambda m: m.group(0)[::-1], s)
threads = [threading.Thread(target=work, args=(ROUNDS,)) for i in range(3)]
for t in threads: t.start()
for t in threads: t.join()
"""
DEEP = """
int deep(volatile int n) { return n ? deep(n - 1) + 1 : 0; }
int main(void) { return deep(20000) + deep(300) - 20300; }
"""


WALKS = r"""
#include <fcntl.h>
#include <unistd.h>
__attribute__((noipa)) int walk(const char *path, int n)
{
	int fd = open(path, O_RDONLY);
	if (fd >= 0)
		close(fd);
	return n ? walk(n % 3 ? "/etc" : "/nowhere \"a\", \n<b>", n - 1) + walk(path, n / 3) : n;
}
__attribute__((noipa)) double half(double n) { return n / 2; }
__attribute__((noipa)) void nothing(void) { __asm__ volatile("nop; nop; nop; nop; nop; nop"); }
int main(int argc, char **argv)
{
	for (int i = 0; i < (argc > 1 ? 3000 : 3); i++)
		walk("/tmp", 9), half(i % 5), nothing();
	return 0;
}
"""


class Bench(bench.Bench):
    sources, flags = WAYS, ["-O2", "-pthread", "-w"]

    def __init__(self, suite):
        super().__init__(suite)
        self.python = ["/usr/bin/python3", "-c", PYTHON.replace("ROUNDS", "30" if self.is_long else "10")]
        self.told = {}  # by trace and options: several checks ask for the same

    def report(self, trace, *options, may_miss=False):
        done = self.run("report", *options, trace)
        if done.status not in ((0, 4) if may_miss else (0,)):
            raise AssertionError("report %s: status %d: %s" % (
                " ".join(options), done.status, done.err.decode(errors="replace")))
        return done.out

    def rows(self, trace, *options, may_miss=False):
        """Of a trace that is not written any more."""
        key = trace, options, may_miss
        if key not in self.told:
            self.told[key] = self.report(trace, "--json", *options, may_miss=may_miss)
        return json.loads(self.told[key])

    def named(self, name, argv, *options):
        return self.trace_of(*argv, options=options, to=name + ".data", status=None)


def record_threads(b):
    return b.named("threads", b.python)


def record_all_libs(b):
    return b.named("libs", ["/usr/bin/python3", "-c", "import json; json.dumps([1, 2])"],
                    "--libs=all")


def record_processes(b):
    return b.named("processes", ["/bin/sh", "-c", "for i in 1 2 3; do ls -l / | sort; done"])


def record_exceptions(b):
    return b.named("terminate", [b.build("terminate.cc"), "a"])


def record_forks(b):
    return b.named("forks", [b.build("processes.c"), "f"])


def record_contexts(b):
    return b.named("contexts", [b.build("contexts.c")])


def record_recursion(b):
    return b.named("deep", [b.build("deep.c", "-O1", text=DEEP)])


def record_lost(b):
    return b.named("lost", b.python, "--loss=drop", "--ring=64K")


def record_newest(b):
    return b.named("newest", b.python, "--loss=ring", "--ring=1M")


def record_filtered(b):
    return b.named("filtered", b.python, "-N", "*Malloc*")


RECORDS = [record_threads, record_all_libs, record_processes, record_exceptions, record_forks,
           record_contexts, record_recursion, record_lost, record_newest, record_filtered]


def damaged(b, trace):
    """The same with bytes changed here and there, and its end cut off."""
    with open(trace, "rb") as f:
        content = bytearray(f.read())
    for i in range(5, 10):
        content[len(content) * i // 11] ^= 0x55
    path = trace + ".damaged"
    with open(path, "wb") as f:
        f.write(content[:len(content) * 19 // 20])
    return path


def difference(a, b):
    """What differs in two reports as JSON, or None. Functions of the same name are told apart."""
    if len(a) != len(b):
        return "%d rows are not %d" % (len(a), len(b))
    for x, y in zip(a, b):
        if x != y:
            return "%s\nis not\n%s" % (x, y)
    return None


def ways_agree(b, trace, may_miss):
    """By threads and in order: the same rows, however they are grouped."""
    for by in ("function", "module", "thread", "process", "file"):
        options = ["--by", by, "-s", "calls,total,self,func,module,pid,tid"]
        why = difference(b.rows(trace, *options, may_miss=may_miss),
                         b.rows(trace, *options, NOTHING_LEFT_OUT, may_miss=may_miss))
        if why:
            return "by %s: %s" % (by, why)
    return None


def sums(rows, key):
    return sum(row[key] for row in rows)


def groups_agree(b, trace, may_miss):
    """Calls and time of their own are the same whatever the rows are."""
    functions = b.rows(trace, may_miss=may_miss)
    for by in ("module", "thread", "process", "file"):
        rows = b.rows(trace, "--by", by, may_miss=may_miss)
        for key in ("calls", "timed"):
            if sums(rows, key) != sums(functions, key):
                return "by %s there are %d %s, by function %d" % (
                    by, sums(rows, key), key, sums(functions, key))
        # Each row's ns are rounded down.
        if abs(sums(rows, "self_ns") - sums(functions, "self_ns")) > len(functions) + len(rows):
            return "by %s self is %d ns, by function %d" % (
                by, sums(rows, "self_ns"), sums(functions, "self_ns"))
    return None


def threads_add_up(b, trace, may_miss):
    """Reports of each thread add up to that of all, by functions."""
    if may_miss:
        return None
    calls = {}
    for thread in b.rows(trace, "--by", "thread"):
        rows = b.rows(trace, "--tid=%d" % thread["tid"])
        if sums(rows, "calls") != thread["calls"]:
            return "thread %d has %d calls, its functions %d" % (
                thread["tid"], thread["calls"], sums(rows, "calls"))
        why = difference(rows, b.rows(trace, "--tid=%d" % thread["tid"], NOTHING_LEFT_OUT))
        if why:
            return "thread %d: %s" % (thread["tid"], why)
        for row in rows:
            name = (row["module"], row["function"])
            calls[name] = calls.get(name, 0) + row["calls"]
    expected = {}
    for row in b.rows(trace):
        name = (row["module"], row["function"])
        expected[name] = expected.get(name, 0) + row["calls"]
    return None if calls == expected else "functions of all threads are other ones"


def statistics_are_in_order(b, trace, may_miss):
    """Percentiles rise and are within min and max; the average is, too."""
    for row in b.rows(trace, may_miss=may_miss):
        if not row["timed"]:
            continue
        rising = [row[key] for key in ("min_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns",
                                       "max_ns")]
        if rising != sorted(rising):
            return "not rising: %s" % row
        if not row["min_ns"] <= row["avg_ns"] <= row["max_ns"]:
            return "the average is not within: %s" % row
        if row["stdev_ns"] > row["max_ns"] - row["min_ns"] + 1:
            return "deviates by more than there is between min and max: %s" % row
    return None


def csv_is_as_json(b, trace, may_miss):
    for options in ([], ["--by", "thread"], ["-f", "calls,p99", "-s", "p99"], ["-n", "2"]):
        rows = b.rows(trace, *options, may_miss=may_miss)
        text = b.report(trace, "--csv", *options, may_miss=may_miss)
        table = list(csv.DictReader(io.StringIO(text.decode(errors="replace"), newline="")))
        told = [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
        if [sorted(row.items()) for row in table] != [sorted(row.items()) for row in told]:
            return "%s: CSV and JSON differ" % options
    return None


def bars_add_up(b, trace, may_miss):
    """A histogram has each timed call once, and says no more than min and max allow."""
    functions = {(row["module"], row["function"]): row
                 for row in b.rows(trace, may_miss=may_miss)}
    told = b.rows(trace, "--hist", "*", may_miss=may_miss)
    for row in told:
        if sum(bar["calls"] for bar in row["bars"]) != row["timed"]:
            return "%s: %s" % (row["function"], row["bars"])
        known = functions[row["module"], row["function"]]
        if row["timed"] and row["timed"] == known["timed"]:
            first, last = row["bars"][0], row["bars"][-1]
            if first["from_ns"] > known["min_ns"] * 1.04 + 1 or \
                    last["to_ns"] < known["max_ns"] * 0.96:
                return "%s: %s is not %s" % (row["function"], row["bars"], known)
    return None if told else "there is none"


CHECKS = [ways_agree, groups_agree, threads_add_up, statistics_are_in_order, csv_is_as_json,
          bars_add_up]


# ---- by value ----

def record_walks(b, name, *options):
    program = b.build("walks.c", "-g", "-O1", text=WALKS)
    return b.named(name, [program, *(["many"] if name != "walks" else [])], "-a", "-m", "walks", "-m",
                    "libc.so.6", *options)


def calls_of(b, trace):
    """As fctrace export tells them, by (module, name, arguments), in order of their ends."""
    done = b.run("export", "--format=jsonl", trace)
    lines = [json.loads(line) for line in done.out.decode().splitlines()]
    return [((line["module"], line["name"], line.get("args")), line)
            for line in lines if line["type"] == "call"]


def key_of(row):
    return row["module"], row["function"], row["value"]


def values_are_those_of_calls(b, trace, may_miss):
    calls = collections.Counter(key for key, call in calls_of(b, trace) if call["entered"])
    rows = {key_of(row): row["calls"] for row in b.rows(trace, "--by", "value", may_miss=may_miss)
            if row["calls"]}
    few = [key for key in calls if key[2]]
    if len(few) < 5:
        return "too few have values: %s" % calls
    return None if rows == calls else "%s\nis not\n%s" % (rows, calls)


def calls_within_calls_count_once(b, trace, may_miss):
    """Total: of calls that are not within one of the same function and the same arguments."""
    totals, outer, calls = collections.Counter(), {}, calls_of(b, trace)
    for key, call in reversed(calls):
        around = outer.get((call["tid"], key))
        if around and call["begin_ns"] >= around["begin_ns"] and call["depth"] > around["depth"]:
            continue
        outer[call["tid"], key] = call
        totals[key] += call.get("duration_ns", 0)
    rows = {key_of(row): row["total_ns"] for row in b.rows(trace, "--by", "value")}
    for key, total in totals.items():
        if abs(rows[key] - total) > len(calls):
            return "%s: %d ns, not %d" % (key, rows[key], total)
    if not any(row["total_ns"] < row["avg_ns"] * row["timed"] * 0.9 for row in
               b.rows(trace, "--by", "arg1")):
        return "no call is within one of its own row"
    return None


def values_are_parts_of_functions(b, trace, may_miss):
    """Whichever value: the rows of a function add up to it."""
    functions = {(row["module"], row["function"]): row
                 for row in b.rows(trace, NOTHING_LEFT_OUT, may_miss=may_miss)}
    for by in ("value", "arg1", "arg2", "arg6", "result"):
        parts = {}
        for row in b.rows(trace, "--by", by, may_miss=may_miss):
            parts.setdefault((row["module"], row["function"]), []).append(row)
        if parts.keys() != functions.keys():
            return "by %s: other functions" % by
        for name, rows in parts.items():
            whole = functions[name]
            if sums(rows, "calls") != whole["calls"] or sums(rows, "timed") != whole["timed"] or \
                    abs(sums(rows, "self_ns") - whole["self_ns"]) > len(rows) or \
                    sums(rows, "total_ns") < whole["total_ns"] - len(rows):
                return "by %s: %s is not %s" % (by, rows, whole)
    return None


def values_as_text(b, trace):
    def shown(*options):
        text = b.report(trace, *options, "-F", "half", "-F", "nothing", "-F", "walk", "-s", "func,value")
        return [line.split("  ")[-1] for line in text.decode().splitlines()[1:]]
    nowhere = r'"/nowhere \"a\", \n<b>"'
    expected = {
        "arg1": ["half(arg1 = %d)" % i for i in range(3)] + ["nothing()"] +
                ["walk(arg1 = %s)" % path for path in ('"/etc"', nowhere, '"/tmp"')],
        "result": ["half() = 0", "half() = 0.5", "half() = 1", "nothing()", "walk() = 0"],
    }
    for by, want in expected.items():
        got = [name for name in shown("--by", by) if name.startswith(("half", "nothing", "walk"))]
        if got != want:
            return "by %s: %s" % (by, got)
    if "walk(%s, 2)" % nowhere not in shown("--by", "value"):
        return "by value: %s" % shown("--by", "value")
    errors = b.rows(trace, "--by", "result", "-F", "open")
    if not any(row["value"] == "-1 ENOENT" for row in errors if row["function"] == "open"):
        return str(errors)
    told = list(csv.reader(io.StringIO(b.report(
        trace, "--csv", "--by", "value", "-f", "calls", "-F", "half", "-s", "value").decode())))
    if told != [["function", "module", "value", "calls"]] + [
            ["half", "walks", str(i), "1"] for i in range(3)]:
        return str(told)
    return None


COUNTS = """
__attribute__((noipa)) int given(int n) { return n; }
int main(void) { for (int i = 0; i < 200000; i++) given(i); return 0; }
"""


def too_many_values_are_said(b):
    trace = b.named("counts", [b.build("counts.c", "-g", "-O1", text=COUNTS)], "-a", "-m",
                     "counts", "-F", "given")
    done = b.run("report", "--json", "--by", "value", "-s", "calls", trace)
    rows = json.loads(done.out)
    if sums(rows, "calls") != 200000 or rows[0]["value"] != "<other values>":
        return "%d calls, %s" % (sums(rows, "calls"), rows[0])
    if "too many different values: %d calls" % rows[0]["calls"] not in done.err.decode():
        return done.err.decode()
    return None


VALUES = [values_are_those_of_calls, values_are_parts_of_functions]


def by_value(suite, b):
    whole = record_walks(b, "walks")
    kept = record_walks(b, "kept", "--loss=ring", "--ring=256K")
    suite.run_all(VALUES + [calls_within_calls_count_once], b, whole, False, prefix="by value: ")
    suite.run_all(VALUES, b, kept, False, prefix="by value, the newest: ")
    suite.run_all(VALUES, b, damaged(b, record_walks(b, "many")), True, prefix="by value, damaged: ")
    suite.run("by value: as text", values_as_text, b, whole)
    suite.run("by value: too many are said", too_many_values_are_said, b)


# ---- what is shown ----

def columns_are_those_asked_for(b, trace):
    head = b.report(trace, "-f", "p50,calls,stdev", "-n", "1").decode().split("\n")[0].split()
    if head != ["P50", "CALLS", "STDEV", "MODULE", "FUNCTION"]:
        return "the head is %s" % head
    row = b.rows(trace, "-f", "p50,calls", "-n", "1")[0]
    return None if list(row) == ["function", "module", "p50_ns", "calls"] else str(row)


def waits_that_nobody_recorded_are_not_told(b, trace):
    """A function that never waits, and one of which that is not known, are not the same."""
    done = b.run("report", "-f", "calls,cpu,wait,self-wait", "-n", "2", trace)
    lines = done.out.decode().split("\n")
    if done.status or lines[0].split()[:4] != ["CALLS", "CPU", "WAIT", "SELF-WAIT"] or lines[1].split()[1:4] != ["-"] * 3:
        return "status %d: %s" % (done.status, lines[:2])
    if b"no waits were recorded; --waits records" not in done.err:
        return done.err.decode()
    plain = b.run("report", "-n", "1", trace)
    if b"waits" in plain.err or b"WAIT" in plain.out or b"CPU" in plain.out:
        return "without -f: %s" % plain.out.decode()
    return expect([key for key in b.rows(trace, "-n", "1")[0] if "wait" in key or "cpu" in key], [])


def sorting_by_each_column(b, trace):
    keys = ("calls", "counted", "timed", "total", "self", "min", "avg", "max", "stdev", "p50",
            "p90", "p99", "p99.9")
    for key in keys:
        name = {"calls": "calls", "counted": "counted", "timed": "timed"}.get(
            key, key.replace(".", "_") + "_ns")
        values = [row[name] for row in b.rows(trace, "-s", key)]
        if values != sorted(values, reverse=True):
            return "-s %s: %s" % (key, values[:20])
    return None


def on_terminal(argv, width):
    """What it prints to a terminal of this width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    proc = subprocess.Popen(argv, stdout=slave, stderr=subprocess.DEVNULL,
                            stdin=subprocess.DEVNULL)
    os.close(slave)
    out = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(master)
    proc.wait(timeout=tap.PATIENCE_S)
    return out.decode(errors="replace")


def table_fits_a_narrow_terminal(b, trace):
    argv = [b.fctrace, "report", "--color=never", "--no-pager", "-n", "5", trace]
    wide, narrow = on_terminal(argv, 200).split(), on_terminal(argv, 80).split("\n")
    if wide[:8] != ["CALLS", "TOTAL", "SELF", "MIN", "AVG", "MAX", "MODULE", "FUNCTION"]:
        return "wide: %s" % wide[:8]
    head = narrow[0].split()
    if "MIN" in head or head[:3] != ["CALLS", "TOTAL", "SELF"] or head[-1] != "FUNCTION":
        return "narrow: %s" % head
    if narrow[0].index("FUNCTION") > 60:
        return "no room for names: %s" % narrow[0]
    return None


def histogram_as_text(b, trace):
    text = b.report(trace, "--hist", "*", "-n", "2").decode(errors="replace")
    blocks = text.split("\n\n")
    if len(blocks) != 2:
        return "%d histograms" % len(blocks)
    if "p99.9" not in blocks[0] or "|#" not in blocks[0]:
        return blocks[0]
    return None


def refused(b, trace, options, status, word):
    done = b.run("report", *options, trace)
    err = done.err.decode(errors="replace")
    if done.status != status or err.count("\n") != 1 or word not in err or done.out:
        return "status %d, %r" % (done.status, err)
    return None


def calls_by_function(rows):
    calls = collections.Counter()
    for row in rows:
        calls[row["module"], row["function"]] += row["calls"]
    return calls


def a_part_of_the_time(b, trace):
    """Each call counts where it begins; report, graph and --callers see the same part."""
    whole = calls_by_function(b.rows(trace))
    # Where half of the calls have begun: how long a program takes before its first is the machine's.
    done = b.run("query", trace, "SELECT begin_ns FROM calls ORDER BY begin_ns "
                 "LIMIT 1 OFFSET (SELECT count(*) / 2 FROM calls)")
    middle = done.out.decode().split()[-1] + "ns"
    halves = [["-r", "~" + middle], ["-r", middle + "~"]]
    told = [calls_by_function(b.rows(trace, *half)) for half in halves]
    if +(told[0] + told[1]) != +whole:
        return "the parts are %d and %d calls, the whole %d" % (
            sum(told[0].values()), sum(told[1].values()), sum(whole.values()))
    if not all(sum(part.values()) for part in told):
        return "a part is empty"
    for half, part in zip(halves, told):
        callers = collections.Counter()
        for row in b.rows(trace, "--top-rate", *half):
            callers[row["callee_module"], row["callee"]] += row["calls"]
        if +callers != +part:
            return "%s: --top-rate has other calls" % half
    self_ns = sum(row["self_ns"] for half in halves for row in b.rows(trace, *half))
    all_ns = sum(row["self_ns"] for row in b.rows(trace))
    if abs(self_ns - all_ns) > all_ns / 1000:
        return "self times are %d, of the whole %d" % (self_ns, all_ns)
    around = sum(calls_by_function(b.rows(trace, "--around", "40%,1ms")).values())
    return None if around < sum(whole.values()) else "--around: %d calls" % around


def a_process_of_several(b, trace):
    whole = calls_by_function(b.rows(trace))
    parts = collections.Counter()
    for row in b.rows(trace, "--by", "process"):
        parts += calls_by_function(b.rows(trace, "--pid", str(row["pid"])))
    return None if +parts == +whole else "all processes have %d calls, the whole %d" % (
        sum(parts.values()), sum(whole.values()))


def files_of_one_name(b, trace):
    rows = b.rows(trace)
    for module in sorted({row["module"] for row in rows})[:4]:
        want = +calls_by_function(row for row in rows if row["module"] == module)
        got = +calls_by_function(b.rows(trace, "-m", module))
        if got != want:
            return "-m %s: %s instead of %s" % (module, got - want, want - got)
    return None


def what_leads_to_a_function(b, trace):
    """Its calls are all there, and those that called it; nothing else is."""
    function = "memcpy"
    whole = b.rows(trace, "-s", "calls")
    some = {row["function"]: row for row in b.rows(trace, "-C", function)}
    calls = sum(row["calls"] for row in whole if row["function"] == function)
    if not calls or some.get(function, {}).get("calls") != calls:
        return "%s: %d calls, with -C %s" % (function, calls, some.get(function))
    leading = {row["caller"] for row in b.rows(trace, "--callers", function)
               if not row["caller"].startswith("[")}
    if not leading <= set(some) or len(some) >= len(whole):
        return "callers %s, with -C %s" % (leading, set(some))
    if b.rows(trace, "-C", function, "-N", "*"):
        return "-N does not go with it"
    return None


REFUSED = [
    (["--hist", "no_such_function"], 1, "no_such_function"),
    (["--hist", "a[b"], 2, "a[b"),
    (["--by", "colour"], 2, "colour"),
    (["-f", "calls,beauty"], 2, "beauty"),
    (["-f", ""], 2, "column"),
    (["--json", "--csv"], 2, "--csv"),
    (["--hist", "*", "--by", "thread"], 2, "--by"),
    (["--hist", "*", "-f", "calls"], 2, "-f"),
    (["-s", "p98"], 2, "p98"),
    (["--by", "value"], 1, "-a"),
    (["--by", "arg7"], 2, "arg7"),
    (["--hist", "*", "--by", "value"], 2, "--by"),
]


def threads_have_names(b):
    """As they were given: in report, query and the exports that have a place for them."""
    want = ["worker \"one\"", "as long as it i", "another's", None]
    program = b.build(os.path.join(HERE, "threads.c"), "-pthread", out="named")
    trace = b.trace_of(program, to="named.data")
    rows = sorted(b.json("report", "--by=thread", trace=trace), key=lambda row: row["tid"])
    if [row["name"] for row in rows[1:]] != want or rows[0]["name"]:
        return "report: %s" % [row["name"] for row in rows]
    told = b.must("query", "--csv", trace, "SELECT tid, name FROM threads ORDER BY tid")[0]
    if [row[1] for row in csv.reader(io.StringIO(told))][1:] != [""] + [name or "" for name in want]:
        return "query: " + told
    text = b.must("report", "--by=thread", trace)[0]
    if "named (another's)\n" not in text:
        return "as text: " + text
    text = b.must("replay", trace)[0]
    if any("%d is called %s */" % (row["tid"], row["name"]) not in text for row in rows[1:4]):
        return "replay: " + text
    with open(b.path("named.json"), "w+", encoding="utf-8") as f:
        b.must("export", "-f", "chrome", "-o", f.name, trace)
        shown = {event["tid"]: event["args"]["name"] for event in json.load(f)["traceEvents"]
                 if event["name"] == "thread_name"}
    if [shown[row["tid"]].split(": ")[1:] for row in rows[1:]] != [[name] if name else [] for name in want]:
        return "chrome: %s" % shown
    return None


def suite_of(suite):
    b = Bench(suite)
    traces = {}
    for record in RECORDS:
        kind = record.__name__[len("record_"):]
        try:
            traces[kind] = record(b)
        except (AssertionError, OSError, tap.Wrong) as e:
            suite.fail("%s can be recorded" % kind, e)
    if "threads" in traces:
        traces["damaged"] = damaged(b, traces["threads"])
    for kind, trace in traces.items():
        suite.run_all(CHECKS, b, trace, kind == "damaged", prefix=kind + ": ")
    by_value(suite, b)
    suite.run_all([columns_are_those_asked_for, waits_that_nobody_recorded_are_not_told, sorting_by_each_column,
                   table_fits_a_narrow_terminal, histogram_as_text], b, traces["threads"])
    for kind in ("threads", "processes"):
        suite.run_all([a_part_of_the_time, a_process_of_several, files_of_one_name], b, traces[kind],
                      prefix=kind + ": ")
    suite.run_all([what_leads_to_a_function], b, traces["threads"])
    suite.run_all([threads_have_names], b)
    for options, status, word in REFUSED:
        suite.run("refused: report %s" % " ".join(options),
                  refused, b, traces["threads"], options, status, word)


if __name__ == "__main__":
    tap.main(suite_of)
