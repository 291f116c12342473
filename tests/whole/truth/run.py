#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The trace is true: programs that tell their own calls are traced, the trees must be equal.
"""
import collections
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
import truth  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
WARNINGS = ["-Wall", "-Wextra", "-Wno-infinite-recursion", "-Wno-clobbered", "-Wno-psabi",
            "-Wno-unknown-warning-option", "-Wno-gnu-imaginary-constant"]

Build = collections.namedtuple("Build", "name compiler flags is_static is_stripped not_for")

# What is not there: musl has no makecontext and no C++; a static program cannot dlopen, and
# its coroutines' functions of libc would need a tree for each stack to be told apart.
NO_STATIC = ("dlopen", "dlopen_storm", "contexts", "contexts_adjacent")
NO_MUSL = ("contexts", "contexts_adjacent", "exceptions")
BUILDS = [
    Build("O2", "gcc", ["-O2"], False, False, ()),
    Build("O0", "gcc", ["-O0"], False, False, ()),
    Build("Os", "gcc", ["-Os", "-fcf-protection=full"], False, False, ()),
    Build("clang", "clang", ["-O2"], False, False, ()),
    Build("nopie", "gcc", ["-O2", "-fno-pie", "-no-pie"], False, False, ()),
    Build("stripped", "gcc", ["-O2"], False, True, ()),
    Build("static", "gcc", ["-O2", "-static"], True, False, NO_STATIC),
    # Where the agent is loaded, too: stepped cannot tell it from stubs.
    Build("static-pie", "gcc", ["-O2", "-static-pie"], True, False, NO_STATIC + ("stepped",)),
    Build("musl", "musl-gcc", ["-O2"], False, False, NO_MUSL),
    Build("musl-static", "musl-gcc", ["-O2", "-static"], True, False,
          NO_STATIC + NO_MUSL),
]

# The others are gone through by turns in the short form.
ALWAYS = ("O2",)
# The short form shows each program from a recording, and in one of these ways, by turns.
BY_TURNS = ("live", "edges", "values")

# Functions that start files, libc_nonshared and libgcc put into a program.
START_FILES = {
    "_init", "_fini", "_start", "_start_c", "frame_dummy", "register_tm_clones",
    "deregister_tm_clones", "__do_global_dtors_aux", "_dl_relocate_static_pie", "truth_open",
    "__do_global_ctors_aux", "atexit", "__cpu_indicator_init", "get_available_features",
    "has_cpu_feature", "set_cpu_feature", "__mulxc3",
}


class Program:
    def __init__(self, source, build, folder):
        self.name = os.path.splitext(os.path.basename(source))[0]
        self.source, self.build = source, build
        self.path = os.path.join(folder, self.name)
        self.plugin_source = os.path.join(PROGRAMS, self.name + ".plugin.c")
        self.has_plugin = os.path.exists(self.plugin_source)
        self.own = own_functions(source)
        if self.has_plugin:
            self.own |= own_functions(self.plugin_source)
        self.names = {}  # of a stripped program: module+0xoffset -> name

    def compile(self):
        compiler = self.build.compiler
        if self.source.endswith(".cc"):
            compiler = {"gcc": "g++", "clang": "clang++"}[compiler]
        flags = [compiler, "-g", *WARNINGS, *self.build.flags]
        must([*flags, "-rdynamic", "-o", self.path, self.source, "-lpthread", "-ldl"])
        if self.has_plugin:
            flags = [f for f in flags if f not in ("-fno-pie", "-no-pie")]
            must([*flags, "-fPIC", "-shared", "-o", self.path + ".plugin.so",
                  self.plugin_source])
        if self.build.is_stripped:
            self.strip(self.path)
            if self.has_plugin:
                self.strip(self.path + ".plugin.so")

    def strip(self, path):
        module = os.path.basename(path)
        text = subprocess.run(["nm", path], check=True, capture_output=True).stdout.decode()
        for line in text.splitlines():
            vaddr, kind, name = line.rsplit(None, 2) if line[0] != " " else ("0", "U", "")
            if kind in "tTwW":
                self.names["%s+0x%x" % (module, int(vaddr, 16))] = name
        # Hide the exported names as well, but not those that the plugin needs.
        must(["strip", path])

    def is_extra(self, name):
        return name not in self.own

    def strangers(self, got):
        """Functions in the trace that are neither the program's nor a start file's."""
        if self.build.is_static or self.source.endswith(".cc"):
            return None
        names = {row[1].split(".")[0] for rows in got.values() for row in rows}
        names -= self.own | START_FILES
        return "unexpected functions: " + ", ".join(sorted(names)[:10]) if names else None

    def named(self, got):
        return {tid: [type(row)([row[0], self.names.get(row[1], row[1]), row[2]])
                      for row in rows] for tid, rows in got.items()}


def own_functions(source):
    with open(source, encoding="utf-8") as f:
        text = f.read()
    included = re.search(r'^#include "(\w+\.c)"', text, flags=re.M)
    if included:
        return own_functions(os.path.join(PROGRAMS, included.group(1)))
    text = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    text = re.sub(r"^#define FN.*$", "", text, flags=re.M)
    return set(re.findall(r"\bFN\b[^(;{]*?(\w+)\(", text)) | set(
        re.findall(r"^FN_ASM\((\w+)\)", text, flags=re.M))


def must(argv):
    done = subprocess.run(argv, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError("%s: %s" % (" ".join(argv), done.stderr.decode()[:2000]))


def run_noting(argv, log, **env):
    if os.path.exists(log):
        os.unlink(log)
    return tap.run(argv, env=dict(os.environ, FCTRACE_TRUTH=log, **env))


def same_end(bare, traced):
    if traced.is_late:
        return "took longer than %d s" % tap.TIME_LIMIT_S
    if bare.status != traced.status:
        return "exit status %d, untraced %d; stderr:\n%s" % (
            traced.status, bare.status, traced.err.decode(errors="replace")[-1500:])
    if bare.out != traced.out:
        return "stdout differs, " + tap.excerpt(bare.out, traced.out)
    return None


def check_bare(program):
    """The program and its log alone: returns (how it ran, what is wrong)."""
    log = program.path + ".bare.truth"
    bare = run_noting([program.path], log)
    if bare.is_late or bare.status in (99, 127) or bare.status > 128:
        return bare, "untraced run: status %d" % bare.status
    names = set(truth.counts(log))
    os.unlink(log)
    strangers = names - program.own
    if strangers:
        return bare, "notes of unknown functions: " + ", ".join(sorted(strangers))
    return bare, None


def check_replay(fctrace, program, bare, *options, shown=None):
    log, trace = program.path + ".truth", program.path + ".data"
    traced = run_noting([fctrace, "record", "--libs=none", *options, "-o", trace, program.path],
                        log)
    wrong = same_end(bare, traced)
    if wrong:
        return wrong
    replay = tap.run([fctrace, "replay", "--demangle=no", trace])
    if replay.status:
        return "replay: status %d: %s" % (replay.status, replay.err.decode()[-500:])
    told = truth.told(log)
    got = program.named(truth.printed(replay.out.decode(errors="replace"), shown))
    wrong = (program.strangers(got) or truth.compare(told, got, program.is_extra) or
             check_counts(fctrace, program, trace, truth.counts(log)) or
             (program.name == "large_frames" and check_callers(fctrace, program, trace, got)))
    os.unlink(log)
    os.unlink(trace)
    return wrong


def without_values(what):
    """A line of the tree behind its indentation, as it is without arguments and results."""
    what = re.sub(r"^([^ (|]+)\(.+\)( = .+)?(;| \{)( /\*.*)?$", r"\1()\3\4", what)
    what = re.sub(r"^([^ (|]+\(\)) = .+;( /\*.*)?$", r"\1;\2", what)
    what = re.sub(r"^\} = .+;( /\* .*)$", r"}\1", what)
    return re.sub(r"^(\} /\* \S+): .* \*/$", r"\1 */", what)


def check_values(fctrace, program, bare):
    """With values other code of the stubs runs; what they say is tests/values' own."""
    return check_replay(fctrace, program, bare, "-a", shown=without_values)


def check_counts(fctrace, program, trace, told):
    """report's counts per function are those that the program told."""
    got = collections.Counter()
    for line in tap.fctrace_json(fctrace, "report", "--demangle=no", trace):
        name = program.names.get(line["function"], line["function"])
        if name in program.own:
            got[name] += line["calls"]
    if told != got:
        return "report's counts differ: told %s, got %s" % (dict(told - got), dict(got - told))
    return None


def check_callers(fctrace, program, trace, rows):
    """report's callers of each function are those that replay shows: one stack is one strand."""
    shown, told = collections.Counter(), collections.Counter()
    for thread in rows.values():
        for i, row in enumerate(thread):
            above = [other[1] for other in thread[:i] if other[0] == row[0] - 1]
            if row[1] in program.own and above:
                shown[above[-1], row[1]] += 1
    for callee in {callee for _, callee in shown}:
        for line in tap.fctrace_json(fctrace, "report", "--demangle=no", "--callers=" + callee,
                                     trace):
            edge = tuple(program.names.get(line[key], line[key]) for key in ("caller", "callee"))
            if set(edge) <= program.own:
                told[edge] += line["calls"]
    shown = collections.Counter({edge: nr for edge, nr in shown.items() if edge[0] in program.own})
    if told != shown:
        return "report --callers differ: replay %s, report %s" % (dict(shown - told),
                                                                  dict(told - shown))
    return None


def check_live(fctrace, program, bare):
    log = program.path + ".live.truth"
    traced = run_noting([fctrace, "--demangle=no", "--libs=none", program.path], log)
    wrong = same_end(bare, traced)
    if wrong:
        return wrong
    told = truth.told(log)
    os.unlink(log)
    got = program.named(truth.printed(traced.err.decode(errors="replace")))
    return program.strangers(got) or truth.compare(told, got, program.is_extra)


def check_edges(fctrace, program, bare):
    """Of each function, the calls by all callers are as many as it told; main is called by none."""
    log, table = program.path + ".edges.truth", program.path + ".edges.json"
    traced = run_noting([fctrace, "-c", "--no-time", "--edges", "--json", "--demangle=no",
                         "--libs=none", "-o", table, program.path], log, LEAST_STEPS="20")
    wrong = same_end(bare, traced)
    if wrong:
        return wrong
    told, got = truth.counts(log), collections.Counter()
    with open(table, encoding="utf-8") as f:
        for row in json.load(f):
            name = program.names.get(row["callee"], row["callee"])
            caller = program.names.get(row["caller"], row["caller"])
            if name in program.own:
                got[name] += row["calls"]
            if name == "main" and caller in program.own:
                return "main is called by %s" % caller
    os.unlink(log)
    os.unlink(table)
    if told != got:
        return "--edges differ: told %s, got %s" % (dict(told - got), dict(got - told))
    return None


def cases_of(suite, fctrace, source, build, folder):
    """Yields (name, what is wrong or None) for one program built one way."""
    program = Program(source, build, folder)
    name = "%s/%s" % (program.name, build.name)
    try:
        program.compile()
        bare, wrong = check_bare(program)
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        return [(name, str(error))]
    if wrong or not fctrace:
        return [(name, wrong)]
    results = []
    only_for = {"live": ("O2", "static"), "edges": ("O2", "O0", "stripped", "static"),
                "values": ("O2", "O0")}
    for what, check in (("replay", check_replay), ("live", check_live),
                        ("edges", check_edges), ("values", check_values)):
        if build.name not in only_for.get(what, (build.name,)):
            continue
        if build.name in ALWAYS and what in BY_TURNS and not suite.has_turn(
                name, len(BY_TURNS), BY_TURNS.index(what)):
            continue
        try:
            results.append(("%s/%s" % (name, what), check(fctrace, program, bare)))
        except (RuntimeError, OSError, ValueError, KeyError, IndexError) as error:
            results.append(("%s/%s" % (name, what), "%s: %s" % (type(error).__name__, error)))
    return results


def suite_of(suite):
    fctrace = None if suite.args.self_test else suite.fctrace
    sources = sorted(os.path.join(PROGRAMS, f) for f in os.listdir(PROGRAMS)
                     if f.endswith((".c", ".cc")) and ".plugin." not in f)
    jobs = []
    with tap.workers() as pool:
        for build in BUILDS:
            folder = os.path.join(suite.folder, build.name)
            os.makedirs(folder, exist_ok=True)
            for source in sources:
                name = os.path.splitext(os.path.basename(source))[0]
                label = "truth %s/%s" % (name, build.name)
                if name in build.not_for or not suite.wants(label):
                    continue
                if build.name not in ALWAYS and not suite.has_turn(label, of=10):
                    continue
                if not tap.have(build.compiler):
                    suite.skip(label, build.compiler + " is not installed")
                    continue
                jobs.append(pool.submit(cases_of, suite, fctrace, source, build, folder))
        for job in jobs:
            for name, wrong in job.result():
                suite.case("truth " + name, wrong)


if __name__ == "__main__":
    tap.main(suite_of, **{"self-test": {"action": "store_true",
                                        "help": "the programs and the harness, without fctrace"}})
