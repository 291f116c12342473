#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Calls per function are as many as callgrind counts, for programs of ordinary make.

Callgrind simulates the program instruction by instruction and notes each call with its
target's address; a call counts here when it goes to a function's first byte (callgrind also
calls it a call when code jumps back into the middle of a function from its .cold part).
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402
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


def callgrind_counts(argv, folder, path):
    """{vaddr: calls} into one file, and how the program ended."""
    out = os.path.join(folder, "callgrind.out")
    # ASLR is left as it is: nothing that is counted may depend on it.
    done = tap.run(["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes",
                    "--compress-strings=no", "--compress-pos=no",
                    "--callgrind-out-file=" + out, *argv], cwd=folder, env=FIXED, limit_s=300)
    if done.status:
        raise RuntimeError("valgrind: status %d: %s" % (
            done.status, done.err.decode(errors="replace")[-500:]))
    counts = collections.Counter()
    current = called = None
    with open(out, encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("ob="):
                current = called = line[3:].strip()
            elif line.startswith("cob="):
                called = line[4:].strip()
            elif line.startswith("calls="):
                nr, target = line[6:].split()[:2]
                if called == path:
                    counts[int(target, 16)] += int(nr)
                called = current
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


def check(how, fctrace, argv, folder):
    """What is wrong or None; a summary."""
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


def run_case(suite, name, how, fctrace, argv, folder):
    if not tap.have("valgrind") or not os.path.exists(argv[0]):
        suite.skip(name, "valgrind or %s is not installed" % argv[0])
        return
    try:
        wrong, summary = check(how, os.path.abspath(fctrace), argv, folder)
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        wrong, summary = "%s: %s" % (type(error).__name__, error), ""
    suite.case(name, wrong)
    print("#   " + summary)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--fctrace", required=True)
    options.add_argument("--only")
    args = options.parse_args()
    suite = tap.Suite(args.only)
    with tempfile.TemporaryDirectory(prefix="fctrace-counts-") as folder:
        for name, argv in jobs(folder):
            for how, what in ((recorded, "counts of %s equal callgrind's"),
                              (counted, "--no-time counts of %s equal callgrind's")):
                if suite.wants(what % name):
                    run_case(suite, what % name, how, args.fctrace, argv, folder)
    suite.end()


if __name__ == "__main__":
    main()
