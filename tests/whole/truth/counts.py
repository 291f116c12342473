#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Calls per function are as many as callgrind counts, for programs of ordinary make.

Callgrind simulates the program instruction by instruction and notes each call with its
target's address; a call counts here when it goes to a function's first byte (callgrind also
calls it a call when code jumps back into the middle of a function from its .cold part).

Callgrind also tells which instruction made each call. Where that is a call, it returns into
its caller, and --edges must say the same of each caller and callee; where it is a jump, the
call returns further up (a tail call), so only the sums over all callers can be compared.
"""
import bisect
import collections
import functools
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
from tap import Skip  # noqa: E402
from run import START_FILES  # noqa: E402

INTERPRETER = os.path.join(HERE, "counted", "interpreter.c")
BASH_JOB = """
f() { if (( $1 < 2 )); then r=1; else f $(( $1 - 1 )); local s=$r; f $(( $1 - 2 )); (( r += s )); fi; }
f 8; echo $r
declare -A seen; for w in one two three two one; do (( seen[$w]++ )); done
for k in one two three; do x=${k^^}; echo "$x ${seen[$k]} ${k//o/0}"; done
case $x in T*) echo t;; esac; [[ abc =~ a(.)c ]] && echo ${BASH_REMATCH[1]}
g() { local i; for ((i = 0; i < $1; i++)); do printf -v y %03d $i; z=$z$y; done; }; g 40; echo ${#z}
"""
PERL_JOB = """
my %h; my @l = map { $_ * 7 % 101 } 1 .. 200;
$h{$_ % 10} .= "$_," for sort { $a <=> $b } @l;
for my $k (sort keys %h) { (my $t = $h{$k}) =~ s/(\\d)(\\d)/$2$1/g; print "$k $t\\n"; }
"""
FIXED = {"PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0",
         "LC_ALL": "C", "PATH": "/usr/bin:/bin"}


def symbols(path):
    """{vaddr: set of names} of the functions that a file names."""
    at = collections.defaultdict(set)
    for flags in ([], ["-D"]):
        done = subprocess.run(["nm", "--defined-only", *flags, path], capture_output=True,
                              check=False)
        for line in done.stdout.decode().splitlines():
            fields = line.split()
            if len(fields) == 3 and fields[1] in "tTwWi":
                at[int(fields[0], 16)].add(fields[2].split("@")[0])
    return at


def environment_under_valgrind(folder):
    """Valgrind adds variables; a program that reads its environment makes calls for each."""
    out = tap.run(["valgrind", "-q", "--tool=none", "/usr/bin/env", "-0"], cwd=folder,
                  env=FIXED).out
    return dict(entry.split("=", 1) for entry in out.decode().split("\0") if entry)


@functools.lru_cache(maxsize=1)
def run_callgrind(argv, folder):
    """[(calling file, instruction, called file, vaddr, calls)], and how the program ended."""
    out = os.path.join(folder, "callgrind.out")
    # ASLR is left as it is: nothing that is counted may depend on it.
    done = tap.run(["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes",
                    "--compress-strings=no", "--compress-pos=no",
                    "--callgrind-out-file=" + out, *argv], cwd=folder, env=FIXED, limit_s=300)
    if done.status:
        raise RuntimeError("valgrind: status %d: %s" % (
            done.status, done.err.decode(errors="replace")[-500:]))
    calls = []
    current = called = None
    with open(out, encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("ob="):
                current = called = line[3:].strip()
            elif line.startswith("cob="):
                called = line[4:].strip()
            elif line.startswith("calls="):
                nr, target = line[6:].split()[:2]
                instruction = next(f).split()[0]
                calls.append((current, int(instruction, 16), called, int(target, 16), int(nr)))
                called = current
    return calls, done


def callgrind_counts(argv, folder, path):
    """{vaddr: calls} into one file, and how the program ended."""
    calls, done = run_callgrind(tuple(argv), folder)
    counts = collections.Counter()
    for _, _, called, vaddr, nr in calls:
        if called == path:
            counts[vaddr] += nr
    return counts, done


def loops_to_entry(path):
    """Functions with a jump to their own first byte: a loop for callgrind, a call for us."""
    found, entry = set(), None
    objdump = subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", path],
                               stdout=subprocess.PIPE, text=True, errors="replace")
    for line in objdump.stdout:
        head = re.match(r"^([0-9a-f]+) <([^>]+)>:", line)
        if head:
            entry = head.group(1).lstrip("0")
            continue
        jump = re.match(r"^\s*[0-9a-f]+:\s+(?:bnd )?j\w+\s+([0-9a-f]+) ", line)
        if jump and jump.group(1) == entry:
            found.add(int(entry, 16))
    objdump.wait()
    return found


def recorded(fctrace, argv, folder):
    """The table of functions by a trace, and how the program ended."""
    trace = os.path.join(folder, "counts.data")
    done = tap.run([fctrace, "record", "--libs=none", "-o", trace, *argv], cwd=folder,
                   env=environment_under_valgrind(folder), limit_s=120)
    return done, lambda: tap.fctrace_json(fctrace, "report", trace)


def counted(fctrace, argv, folder):
    """The same in count mode."""
    table = os.path.join(folder, "counts.json")
    done = tap.run([fctrace, "-c", "--no-time", "--json", "--libs=none", "-o", table, *argv],
                   cwd=folder, env=environment_under_valgrind(folder), limit_s=120)

    def rows():
        with open(table, encoding="utf-8") as f:
            return json.load(f)
    return done, rows


def fctrace_counts(how, fctrace, argv, folder, names_at):
    done, rows = how(fctrace, argv, folder)
    if done.status:
        raise RuntimeError("fctrace %s: status %d: %s" % (
            how.__name__, done.status, done.err.decode(errors="replace")[-500:]))
    vaddr_of = {name: vaddr for vaddr, names in names_at.items() for name in names}
    module = os.path.basename(argv[0])
    counts = collections.Counter()
    for line in rows():
        if line["module"] == module and line["function"] in vaddr_of:
            counts[vaddr_of[line["function"]]] += line["calls"]
    return counts, done


def call_instructions(path):
    """The addresses of a file's calls, and not of its jumps."""
    objdump = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path],
                             capture_output=True, text=True, errors="replace", check=True)
    found = re.findall(r"^\s*([0-9a-f]+):\s+(?:notrack |bnd |data16 |rex\.W )*call\b",
                       objdump.stdout, re.M)
    return {int(address, 16) for address in found}


class Callers:
    """Whose code is where, by the symbols of a file. What is in none is OTHER."""
    OTHER = 0

    def __init__(self, path):
        self.spans, self.by_name = {}, {}
        for flags in ([], ["-D"]):
            done = subprocess.run(["nm", "-S", "--defined-only", *flags, path],
                                  capture_output=True, check=False)
            for line in done.stdout.decode().splitlines():
                fields = line.split()
                if len(fields) == 4 and fields[2] in "tTwWi":
                    name = fields[3].split("@")[0]
                    self.by_name[name] = int(fields[0], 16)
                    self.spans[int(fields[0], 16)] = (int(fields[1], 16), name)
        self.starts = sorted(self.spans)

    def of_name(self, name):
        return self.by_name.get(name, self.OTHER)

    def of_address(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        start = self.starts[i] if i >= 0 else 0
        size, name = self.spans.get(start, (0, ""))
        if address >= start + size:
            return self.OTHER
        return self.of_name(name.split(".cold")[0]) or start


def callgrind_edges(argv, folder, path, callers):
    """{(caller, callee): calls} by calls; {callee: calls} by jumps; {callee: all}."""
    is_call = call_instructions(path)
    by_call, by_jump, total = (collections.Counter() for _ in range(3))
    for calling, instruction, called, vaddr, nr in run_callgrind(tuple(argv), folder)[0]:
        if called != path:
            continue
        total[vaddr] += nr
        if calling != path:
            by_call[callers.OTHER, vaddr] += nr
        elif instruction in is_call:
            by_call[callers.of_address(instruction), vaddr] += nr
        else:
            by_jump[vaddr] += nr
    return by_call, by_jump, total


def fctrace_edges(fctrace, argv, folder, names_at, callers):
    """{(caller, callee): calls}, and how the program ended."""
    table = os.path.join(folder, "edges.json")
    done = tap.run([fctrace, "-c", "--no-time", "--edges", "--json", "--libs=none", "-o", table,
                    *argv], cwd=folder, env=environment_under_valgrind(folder), limit_s=120)
    if done.status:
        raise RuntimeError("fctrace --edges: status %d: %s" % (
            done.status, done.err.decode(errors="replace")[-500:]))
    vaddr_of = {name: vaddr for vaddr, names in names_at.items() for name in names}
    module = os.path.basename(argv[0])
    edges = collections.Counter()
    with open(table, encoding="utf-8") as f:
        for row in json.load(f):
            if row["callee_module"] != module or row["callee"] not in vaddr_of:
                continue
            own = row["caller_module"] == module
            caller = callers.of_name(row["caller"]) if own else callers.OTHER
            edges[caller, vaddr_of[row["callee"]]] += row["calls"]
    return edges, done


def compare_edges(by_call, by_jump, total, got):
    """Of one callee: True if callers are as they should be."""
    if by_jump:
        return total == sum(got.values()) and all(got[c] >= nr for c, nr in by_call.items())
    return by_call == got


def check_edges(fctrace, argv, folder):
    path = argv[0]
    names_at, callers = symbols(path), Callers(path)
    by_call, by_jump, total = callgrind_edges(argv, folder, path, callers)
    bare = run_callgrind(tuple(argv), folder)[1]
    edges, traced = fctrace_edges(fctrace, argv, folder, names_at, callers)
    if bare.out != traced.out:
        return "stdout differs, " + tap.excerpt(bare.out, traced.out), ""
    skip = loops_to_entry(path) if len(names_at) > 200 else set()
    wrong, nr_pairs, nr_tail = [], 0, 0
    for v in sorted(names_at):
        if v in skip or names_at[v] & START_FILES:
            continue
        expected = collections.Counter({c: nr for (c, to), nr in by_call.items() if to == v})
        got = collections.Counter({c: nr for (c, to), nr in edges.items() if to == v})
        nr_pairs += len(expected)
        nr_tail += v in by_jump
        if not compare_edges(expected, by_jump[v], total[v], got):
            wrong.append("%s: by callers callgrind %s (%d by jumps), fctrace %s" % (
                min(names_at[v]), dict(expected), by_jump[v], dict(got)))
    summary = "%d pairs of caller and callee; of %d callees that are jumped to, too, the sums" % (
        nr_pairs, nr_tail)
    if not nr_pairs:
        return "callgrind saw no pair", summary
    if wrong:
        return "\n".join(["%d functions differ; %s" % (len(wrong), summary), *wrong]), summary
    return None, summary


def check(how, fctrace, argv, folder):
    """What is wrong or None; a summary."""
    if how == check_edges:
        return check_edges(fctrace, argv, folder)
    path = argv[0]
    names_at = symbols(path)
    expected, bare = callgrind_counts(argv, folder, path)
    got, traced = fctrace_counts(how, fctrace, argv, folder, names_at)
    if bare.out != traced.out:
        return "stdout differs, " + tap.excerpt(bare.out, traced.out), ""
    skip = loops_to_entry(path) if len(names_at) > 200 else set()
    compared = [v for v in names_at if v not in skip and not names_at[v] & START_FILES]
    wrong = ["%s: callgrind %d, fctrace %d" % (min(names_at[v]), expected[v], got[v])
             for v in sorted(compared) if expected[v] != got[v]]
    summary = "%d functions were called, %d calls; %d loop to their entry and are left out" % (
        sum(1 for v in compared if expected[v]), sum(expected[v] for v in compared), len(skip))
    if not any(expected[v] for v in compared):
        return "callgrind counted no call", summary
    if wrong:
        return "\n".join(["%d functions differ; %s" % (len(wrong), summary), *wrong]), summary
    return None, summary


def jobs(folder):
    for name, flags in (("O2", ["-O2"]), ("O0", ["-O0"]),
                        ("O3-nopie", ["-O3", "-fno-pie", "-no-pie"])):
        path = os.path.join(folder, "interpreter-" + name)
        subprocess.run(["gcc", "-g", "-w", *flags, "-o", path, INTERPRETER, "-lm"], check=True)
        yield "interpreter built with " + name, [path]
    # Programs that export most of their functions. Not python3: it makes a few calls more than
    # under valgrind (PyObject_RichCompare 1527 and 1479 times; gdb's breakpoints count 1527).
    yield "perl", ["/usr/bin/perl", "-e", PERL_JOB]
    yield "bash", ["/usr/bin/bash", "--norc", "-c", BASH_JOB]


def case_of(how, fctrace, argv, folder):
    if not tap.have("valgrind") or not os.path.exists(argv[0]):
        raise Skip("valgrind or %s is not installed" % argv[0])
    wrong, summary = check(how, fctrace, argv, folder)
    print("#   " + summary)
    return wrong


def suite_of(suite):
    for name, argv in jobs(suite.folder):
        for how, what in ((recorded, "counts of %s equal callgrind's"),
                          (counted, "--no-time counts of %s equal callgrind's"),
                          (check_edges, "--edges of %s equal callgrind's")):
            suite.run(what % name, case_of, how, suite.fctrace, argv, suite.folder)


if __name__ == "__main__":
    tap.main(suite_of)
