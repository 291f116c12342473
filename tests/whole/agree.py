#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Numbers agree: what report, graph and replay show of one trace are the same calls and times.

Report is compared with
  graph      the sums over all lines of a function; and the lines of --from and --to FUNC
  --top-rate the sums over all callers of a function
  replay     its lines, read back: calls, total and self times as far as lines show them
"""
import collections
import functools
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

TRUTH = os.path.join(HERE, "truth", "programs")
OWN = os.path.join(tap.TESTS, "capture/drain/loss/programs/own.c")
PYTHON_JOB = """
import json, re
rows = [{"k%d" % i: [i, str(i) * 3, {"a": i}]} for i in range(60)]
assert json.loads(json.dumps(rows)) == rows
re.findall(r"(\\w+)\\s*=\\s*(\\d+)", " ".join("k%d = %d" % (i, i) for i in range(50)))
f = lambda n: n if n < 2 else f(n - 1) + f(n - 2)
f(8)
try:
    {}["x"]
except KeyError:
    pass
"""
# One that looks for no modules begins with a third of the calls.
PYTHON = [tap.PYTHON, "-I", "-S", "-c", PYTHON_JOB]
BASH_JOB = 'f() { if (( $1 < 2 )); then r=1; else f $(( $1 - 1 )); fi; }; f 8; echo $(echo $r | cat)'
SQL_JOB = ("create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n "
           "where i < 200) insert into t select i, i * i from n; select sum(b) from t;")
NAMES_JOB = r"""
__attribute__((noinline)) int quote(int n) { __asm__ volatile(""); return n + 1; }
__attribute__((noinline)) int bytes(int n) { __asm__ volatile(""); return quote(n) + 1; }
int main(void) { return bytes(quote(1)) != 4; }
"""
ODD_NAMES = {"quote": b'a"b\\c<d>{e|f}\\n', "bytes": b"\xff\xfe\x01\x1b[31m\xc3\xa9"}
LINE = re.compile(rb"^ *(?:(\d+)\.(\d{3}) (us|ms|s ) )?\[ *(\d+)\] \|( *)(.*)$")
RESOLUTION = {b"us": 1, b"ms": 1000, b"s ": 1000000}


class Trace:
    """A recorded trace, and how the commands that read it should end."""

    def __init__(self, fctrace, path, status=0):
        self.fctrace, self.path, self.status = fctrace, path, status

    def read(self, command, *options):
        done = tap.run([self.fctrace, command, *options, self.path], limit_s=120)
        if done.status != self.status:
            raise Wrong("%s %s: status %s: %s" % (command, " ".join(options), done.status,
                                                  done.err.decode(errors="replace")[-300:]))
        return done.out

    def json(self, command, *options):
        return json.loads(self.read(command, "--json", *options))


Sums = collections.namedtuple("Sums", "calls total self nr")


def add_up(rows, key):
    """{key(row): Sums}; nr: of how many rows, each rounded down."""
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for row in rows:
        for i, n in enumerate((row["calls"], row["total_ns"], row["self_ns"], 1)):
            sums[key(row)][i] += n
    return {name: Sums(*of) for name, of in sums.items()}


def by_function(row):
    return row["module"], row["function"]


def is_near(whole, parts, nr):
    """parts is a sum of nr numbers that were rounded down, whole was rounded down once."""
    return whole - nr <= parts <= whole + nr


def compare(what, report, other, parts=("calls", "total", "self")):
    for name in sorted(set(report) | set(other)):
        want, got = report.get(name, Sums(0, 0, 0, 0)), other.get(name, Sums(0, 0, 0, 0))
        if want.calls != got.calls:
            raise Wrong("%s: %s has %d calls, report says %d" % (
                what, name, got.calls, want.calls))
        for part in parts[1:]:
            if not is_near(getattr(want, part), getattr(got, part), want.nr + got.nr):
                raise Wrong("%s: %s of %s is %d ns, report says %d" % (
                    what, part, name, getattr(got, part), getattr(want, part)))


# ---- graph ----

def is_function(node):
    return not node.get("more") and not (node["function"].startswith("[") and
                                         not node["module"])


def check_graph(trace, report, options):
    graph = trace.json("graph", *options)
    nodes = [n for n in graph["nodes"] if not n["is_recursion"]]
    compare("graph", report, add_up(filter(is_function, nodes), by_function))
    for part in ("calls", "self_ns"):
        nr = sum(n[part] for n in nodes)
        if not is_near(graph[part], nr, len(nodes) + 1):
            raise Wrong("graph: %s of all lines is %d, of the whole %d" % (
                part, nr, graph[part]))
    check_tree(graph["nodes"])
    return graph


def check_tree(nodes):
    """Children stand behind their parents, and none takes longer."""
    seen = {0: None}
    for node in nodes:
        if node["parent"] not in seen:
            raise Wrong("graph: %s stands before its parent" % node)
        if "id" in node:
            seen[node["id"]] = node
        parent = seen[node["parent"]]
        if parent and node["total_ns"] > parent["total_ns"] + len(nodes):
            raise Wrong("graph: %s takes longer than %s" % (node, parent))


def check_cut(trace, graph, options):
    """What is not shown is summed: nothing is lost."""
    for cut in (["--min=5"], ["--depth=3", "--min=0"], ["--min=1", "--depth=4", "--by-calls"]):
        cut_graph = trace.json("graph", *options, *cut)
        calls = sum(n["calls"] for n in cut_graph["nodes"] if not n["is_recursion"])
        text = trace.read("graph", *options, *cut).splitlines()[1:]
        shown = sum(int(line.split()[0]) for line in text
                    if not line.endswith(b"  (recursion)"))
        if not graph["calls"] == cut_graph["calls"] == calls == shown:
            raise Wrong("graph %s: %d calls of %d, the text has %d" % (
                cut, calls, graph["calls"], shown))
        if len(cut_graph["nodes"]) != len(text):
            raise Wrong("graph %s: %d lines of text, %d of JSON" % (
                cut, len(text), len(cut_graph["nodes"])))


def literal(name):
    """A glob that matches just this name."""
    return re.sub(r"([\\*?\[])", r"\\\1", name)


def check_ways(trace, report, options, has_filter):
    """--from and --to of the functions that take longest."""
    nr_of = collections.Counter(name for _, name in report)
    longest = sorted(report, key=lambda name: -report[name].total)
    wanted = [n for n in longest if nr_of[n[1]] == 1 and ":" not in n[1] and
              "\ufffd" not in n[1] and n[1].isprintable()][:6]
    for module, name in wanted:
        for option in ("--from", "--to"):
            graph = trace.json("graph", *options, "%s=%s" % (option, literal(name)))
            roots = [n for n in graph["nodes"] if n["parent"] == 0]
            if not roots:
                raise Wrong("graph %s %s: nothing" % (option, name))
            want, got = report[(module, name)], add_up(roots, by_function)
            got = got.get((module, name), Sums(0, 0, 0, 0))
            # Of --from the calls of the function itself are at its root; so are those of --to.
            counted = 0 if option == "--to" or has_filter else counted_of(trace, name)
            if (want.calls - counted, want.total, want.self) != (got.calls, got.total, got.self):
                raise Wrong("graph %s %s: %s, report says %s" % (option, name, got, want))


def counted_of(trace, name):
    return sum(row["counted"] for row in trace.json("report") if row["function"] == name)


def check_callers(trace, report, options):
    rows = trace.json("report", "--top-rate", *options)
    got = add_up(rows, lambda row: (row["callee_module"], row["callee"]))
    compare("--top-rate", report, got, ("calls", "self"))
    for name, of in got.items():
        if of.total < report[name].total - of.nr - 1:
            raise Wrong("--top-rate: total of %s is %d, report says %d" % (
                name, of.total, report[name].total))
    all_calls = sum(row["calls"] for row in rows)
    if any(row["all_calls"] != all_calls for row in rows):
        raise Wrong("--top-rate: all calls are %d" % all_calls)
    for module, name in list(report)[:5]:
        for option, side in (("--callers", "callee"), ("--callees", "caller")):
            glob = literal(name)
            want = [row for row in rows if row[side] == name]
            if ":" in name or "\ufffd" in name or not want:  # no such name, or none to be found
                continue
            some = trace.json("report", "%s=%s" % (option, glob), *options)
            if sorted(map(str, some)) != sorted(map(str, want)):
                raise Wrong("%s %s: %s instead of %s" % (option, glob, some, want))


# ---- replay ----

class Range:
    """A time in ns that is only known to be from low to high."""

    def __init__(self):
        self.low = self.high = 0
        self.is_known = True

    def add(self, low, high):
        self.low += low
        self.high += high

    def has(self, value):
        return not self.is_known or self.low - 1 <= value <= self.high + 1


class Lines:
    """The lines of replay, read back."""

    def __init__(self, text):
        self.calls = collections.Counter()
        self.total = collections.defaultdict(Range)
        self.self = collections.defaultdict(Range)
        self.stacks = collections.defaultdict(list)  # tid -> [name, low, high of children]
        for line in text.splitlines():
            if not line.startswith(b"#"):
                self.read(line)
        for tid, stack in self.stacks.items():
            if stack:
                raise Wrong("replay: %s of %d does not end" % (stack[-1][0], tid))

    def read(self, line):
        match = LINE.match(line)
        if not match:
            raise Wrong("replay: what is %s" % line)
        whole, thousandths, unit, tid, _, what = match.groups()
        low = (int(whole) * 1000 + int(thousandths)) * RESOLUTION[unit] if whole else 0
        time = (low, low + RESOLUTION[unit]) if whole else None
        stack = self.stacks[int(tid)]
        if what.startswith(b"/*"):
            return
        if what.startswith(b"} /* "):
            name, notes = split_notes(what[len(b"} /* "):-len(b" */")])
            if not stack or stack[-1][0] != name:
                raise Wrong("replay: %s ends, open are %s" % (name, [s[0] for s in stack]))
            self.leave(stack, time, notes)
            return
        call = re.match(rb"^(.*)\(\)(;| \{)(?: /\* (.*) \*/)?$", what)
        if not call:
            raise Wrong("replay: what is %s" % line)
        name, end, notes = call.groups()
        self.enter(stack, name, notes or b"")
        if end == b";":
            self.leave(stack, time, notes or b"")

    def enter(self, stack, name, notes):
        if b"inherited" not in notes and b"begun before" not in notes:
            self.calls[name] += 1
        stack.append([name, 0, 0, b"begun before" in notes])

    def leave(self, stack, time, notes):
        name, below_low, below_high, is_vague = stack.pop()
        is_vague = is_vague or b"lost" in notes
        low, high = time or (0, 0)
        if is_vague:
            self.total[name].is_known = self.self[name].is_known = False
        if stack:
            stack[-1][1] += low
            stack[-1][2] += high
            if is_vague:
                self.self[stack[-1][0]].is_known = False
        self.self[name].add(max(0, low - below_high), max(0, high - below_low))
        if name not in (open_call[0] for open_call in stack):
            self.total[name].add(low, high)


def split_notes(text):
    """The name behind a closing brace, and what is said of how it ended."""
    for note in (b", left", b", lost", b", no return"):
        if text.endswith(note):
            return text[:-len(note)], note
    return text, b""


def shown_name(name):
    return re.sub(rb"[\x00-\x1f\x7f]", b"?", name.encode())


def check_replay(trace, rows, options, has_self):
    lines = Lines(trace.read("replay", *options))
    nr_of = collections.Counter(row["function"] for row in rows)
    calls = collections.Counter()
    for row in rows:
        if "\ufffd" in row["function"]:
            continue
        name = shown_name(row["function"])
        calls[name] += row["calls"] - row["counted"]
        if nr_of[row["function"]] > 1:
            continue
        for part, of in (("total", lines.total), ("self", lines.self)):
            value = row[part + "_ns"]
            if (part == "total" or has_self) and not of[name].has(value):
                raise Wrong("replay: %s of %s is %d to %d ns, report says %d" % (
                    part, name, of[name].low, of[name].high, value))
    for name in calls:
        if calls[name] != lines.calls[name]:
            raise Wrong("replay: %s has %d calls, report says %d" % (
                name, lines.calls[name], calls[name]))
    if sum(lines.calls.values()) != sum(row["calls"] - row["counted"] for row in rows):
        raise Wrong("replay: %d calls in all" % sum(lines.calls.values()))


# ---- cases ----

def check(trace, options=(), has_self=True, has_replay=True):
    rows = trace.json("report", *options)
    report = add_up(rows, by_function)
    if not rows:
        raise Wrong("report: no calls")
    graph = check_graph(trace, report, options)
    check_cut(trace, graph, options)
    check_ways(trace, report, options, bool(options))
    check_callers(trace, report, options)
    if has_replay:
        check_replay(trace, rows, options, has_self)


class Bench(bench.Bench):
    sources, flags = TRUTH, ["-O1", "-pthread", "-w", "-I", TRUTH]

    def traced(self, name, argv, *options, stdin=None):
        return Trace(self.fctrace, self.trace_of(
            *argv, options=options, to=name + ".data", status=None, stdin=stdin,
            env=dict(os.environ, LC_ALL="C", PYTHONHASHSEED="0")))


# What runs on several stacks of one thread has lines that do not nest.
PROGRAMS = ["recursion.c", "tail.c", "exceptions.cc", "fork.c", "longjmp.c", "signals.c",
            "exec.c", "short.c", "structs.c"]
SEVERAL_STACKS = ["altstack.c", "contexts.c"]
THREADED = ["threads.c", "thread_exit.c"]


def check_program(bench, source, **how):
    program = bench.build(source)
    check(bench.traced(os.path.basename(program), [program]), **how)


def check_on_several_stacks(bench, source):
    check_program(bench, source, has_replay=False)


def check_job(bench, name, argv):
    tap.need(argv[0])
    check(bench.traced(name, argv))


def real_jobs():
    yield "python3", PYTHON
    yield "bash", ["bash", "-c", BASH_JOB]
    yield "sqlite3", ["sqlite3", ":memory:", SQL_JOB]
    yield "perl", ["perl", "-e", "my %h; $h{$_ % 7} .= $_ for 1 .. 99; print map { $h{$_} } keys %h"]


def check_filters(bench):
    trace = bench.traced("filtered", PYTHON)
    filters = [["-F", "PyObject_*"], ["-F", "PyEval_EvalCode", "-D", "6"], ["-N", "malloc"],
               ["-t", "20us"], ["-D", "9"]]
    for i, options in enumerate(filters):
        # What is left out is not part of the lines' self times.
        if bench.suite.has_turn("filters", 4, i):
            check(trace, options, has_self=False)


def check_one_thread(bench):
    program = bench.build("threads.c")
    trace = bench.traced("one_thread", [program])
    tids = sorted({row["tid"] for row in trace.json("info")["strands"]})
    if len(tids) < 2:
        raise Wrong("only threads %s" % tids)
    for tid in tids[:3]:
        check(trace, ["--tid", str(tid)])


def check_lost(bench):
    program = bench.build(OWN)
    for _ in range(10):
        trace = bench.traced("lost", [program, "2", "100", "0"], "--libs=none", "--loss=drop",
                             "--ring=64K")
        if trace.json("info")["lost"]:
            break
    else:
        raise Wrong("nothing was lost")
    # In a gap there may be callers that no line tells of: their time is nobody's.
    check(trace, has_self=False)
    if "[unknown]" not in {n.get("function") for n in trace.json("graph")["nodes"]}:
        print("# no caller was lost")


def record_counted(bench, program):
    """Whether there is need to save depends on how busy the machine is."""
    for _ in range(10):
        trace = bench.traced("counted", [program, "300", "1", "100"], "--budget", "0.5%")
        if any(row["counted"] for row in trace.json("report")):
            return trace
    raise Wrong("no call was only counted")


def check_counted(bench):
    program = bench.build(os.path.join(tap.TESTS, "capture/drain/budget/programs/busy.c"), "-O2")
    trace = record_counted(bench, program)
    check(trace)
    nodes = trace.json("graph")["nodes"]
    roots = [n for n in nodes if n.get("function") == "[only counted]"]
    got = sum(n["calls"] for n in nodes if roots and n["parent"] == roots[0]["id"])
    if got != sum(row["counted"] for row in trace.json("report")):
        raise Wrong("graph: %d calls were only counted" % got)


def check_cut_off(bench):
    """As of a tracer that was killed, or a disk that was full; and damaged in its middle."""
    whole = bench.traced("whole", PYTHON)
    with open(whole.path, "rb") as f:
        content = f.read()
    for nr, (name, damaged) in enumerate((("cut", content[:len(content) * 2 // 3]),
                                          ("holed", content[:len(content) // 2] + bytes(64) +
                                           content[len(content) // 2 + 64:]))):
        if bench.suite.has_turn("damaged", 2, nr):
            check(Trace(bench.fctrace, bench.write(name + ".data", damaged), 4), has_self=False)


def check_names(bench):
    program = bench.build("names.c", text=NAMES_JOB)
    redefine = [b"--redefine-sym=%s=%s" % (old.encode(), new) for old, new in ODD_NAMES.items()]
    subprocess.run(["objcopy", *redefine, program], check=True)
    trace = bench.traced("names", [program], "--libs=none")
    check(trace)
    check_picture(bench, trace)


def check_picture(bench, trace, *options):
    """Graphviz draws a box for each line of the text."""
    lines = trace.read("graph", *options).splitlines()[1:]
    dot = trace.read("graph", "--dot", *options)
    if not tap.have("dot"):
        print("# graphviz is not installed")
        return
    done = tap.run(["dot", "-Tsvg"], stdin=dot, limit_s=120)
    nr = done.out.count(b'class="node"')
    if done.status or done.err or nr != len(lines):
        raise Wrong("dot: status %s, %d boxes for %d lines: %s" % (
            done.status, nr, len(lines), done.err.decode(errors="replace")[:300]))


def check_pictures(bench):
    trace = bench.traced("picture", PYTHON)
    check_picture(bench, trace, "--min", "1")
    check_picture(bench, trace, "--to", "malloc", "--depth", "4", "--min", "2")
    check_picture(bench, trace, "--from", "PyEval_EvalCode", "--by-calls", "--min", "2")


def check_usage(bench):
    trace = bench.traced("usage", ["true"])
    for command, *options in (
            ("graph", "--min", "101"), ("graph", "--min", "x"), ("graph", "--depth", "0"),
            ("graph", "--from", "a", "--from", "b"), ("graph", "--to", "[a"),
            ("graph", "--dot", "--json"), ("report", "--callers", "a", "--callees", "b"),
            ("report", "--top-rate", "-s", "func")):
        done = bench.run(command, *options, trace.path)
        if done.status != 2 or done.out or done.err.count(b"\n") != 1:
            raise Wrong("%s %s: status %d: %s" % (command, options, done.status, done.err))
    for command, *options in (("graph", "--from", "nobody"), ("graph", "--to", "nobody"),
                              ("report", "--callers", "nobody"),
                              ("report", "--callees", "nobody")):
        done = bench.run(command, *options, trace.path)
        if done.status != 1 or b"nobody: no function" not in done.err or done.out:
            raise Wrong("%s %s: status %d: %s" % (command, options, done.status, done.err))


def in_a_folder(bench, check, *args):
    """Each case has a folder of its own."""
    bench.folder = tempfile.mkdtemp(dir=bench.folder)
    return check(bench, *args)


def programs():
    for source in PROGRAMS + THREADED:
        yield source.split(".")[0], check_program, source
    for source in SEVERAL_STACKS:
        yield source.split(".")[0], check_on_several_stacks, source
    for name, argv in real_jobs():
        yield name, check_job, name, argv


def cases(suite):
    """The short form has half of the programs, by turns."""
    for nr, case in enumerate(programs()):
        if suite.has_turn("programs", 2, nr):
            yield case
    yield "under filters", check_filters
    yield "of one thread", check_one_thread
    yield "with lost records", check_lost
    yield "with calls that were only counted", check_counted
    yield "of a trace that is cut or damaged", check_cut_off
    yield "with names in any bytes", check_names
    yield "pictures have what the text has", check_pictures
    yield "wrong usage is one clear line", check_usage


def suite_of(suite):
    bench = Bench(suite)
    suite.run_all([(name, functools.partial(in_a_folder, bench, *check))
                   for name, *check in cases(suite)], prefix="agree ", at_once=tap.nr_workers())


if __name__ == "__main__":
    tap.main(suite_of)
