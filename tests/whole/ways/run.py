#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that leave functions in every way there is run as they do untraced.

Each is built in several ways and traced with each set of libraries: status, stdout and stderr
must be as without fctrace.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")

# Only where a program itself asks for them are there backtraces.
ENV = dict(os.environ, RUST_BACKTRACE="0")
# What each program is told, run by run; builds in which it makes no sense or cannot be.
ARGS = {
    "terminate": ["a", "b", "c", "d", "e"],
    "processes": ["f", "v", "c", "t", "x", "s", "i", "q0", "q1", "q2", "q3", "q4"],
    "storm": ["0", "1", "2", "3"],
    "panics": ["n", "u", "b"],
    "stepped": ["j", "a", "b"],
    "leaks": ["500000"],
    "small_stacks": ["224", "1024"],
}
NOT_FOR = {
    # musl runs no clean-ups of this kind.
    "cancel": ("musl", "musl-static-stripped"),
    # Without a name mprotect is not known.
    "writes": ("static-stripped", "musl-static-stripped"),
    "contexts": ("musl", "musl-static-stripped"),
    "leaks": ("musl", "musl-static-stripped"),
    "small_stacks": ("musl", "musl-static-stripped"),
    # The unwinder that musl-gcc links needs glibc.
    "stepped": ("musl", "musl-static-stripped"),
}
# What -F asks for: half of all functions, so that recording goes on and off, where that leaves
# a program its meaning: most stubs' instructions stepped, few backtraces begun in the agent.
UNDER = {"stepped": "stepped", "faults": "*deep*"}
# Where each call asks the agent.
WATCHED = {"overflow": "paged>100s"}
UNDER_HALF = "*[a-l]?"
BUILDS = {
    "O2": ["-O2", "-g"],
    "O0": ["-O0"],
    "stripped": ["-O2", "-s"],
    "static": ["-O2", "-static"],
    "static-stripped": ["-O2", "-static", "-s"],
    "libc++": ["-O2", "-stdlib=libc++", "--unwindlib=libunwind", "-rtlib=compiler-rt"],
    "musl": ["-O2"],
    "musl-static-stripped": ["-O2", "-static", "-s"],
}
ALWAYS = ("O2",)  # the others are gone through by turns in the short form
EDGES_FOR = ("O2", "stripped")
RUST = {"O2": ["-Copt-level=2", "-g"], "O0": ["-Copt-level=0"],
        "stripped": ["-Copt-level=2", "-Cstrip=symbols"]}
COMPILERS = {".c": "gcc", ".cc": "g++", ".rs": "rustc"}


def compiler_of(ending, build):
    if ending == ".c" and build.startswith("musl"):
        return "musl-gcc"
    if ending == ".cc" and build == "libc++":
        return "clang++"
    return COMPILERS[ending]


def has_build(name, ending, build):
    if ending == ".rs":
        return build in RUST
    if ending == ".cc":
        return not build.startswith("musl")
    if name in ("libunwind", "hidden"):
        return build in ("O2", "O0")
    return build != "libc++" and build not in NOT_FOR.get(name, ())


def command_of(source, name, ending, build, path):
    compiler = compiler_of(ending, build)
    if ending == ".rs":
        return [compiler, *RUST[build], source, "-o", path]
    libraries = ["-l:libunwind.so.8", "-l:libunwind-x86_64.so.8"] if name == "libunwind" else []
    if os.path.exists(library_of(source)):
        libraries = [path + ".so"]
    return [compiler, *BUILDS[build], "-w", *(["-fnon-call-exceptions"] if name == "faults" else ["-fexceptions"]),
            source, "-o", path, "-pthread",
            *libraries]


def library_of(source):
    return os.path.splitext(source)[0] + ".library.cc"


# All that it is linked with is in it, and no name tells of that.
LIBRARY = ["g++", "-O2", "-s", "-shared", "-fPIC", "-static-libgcc", "-static-libstdc++",
           "-Wl,--exclude-libs,ALL"]


def build_program(source, name, ending, build, path):
    """Returns how the compiler ended that failed, or the last one."""
    library = library_of(source)
    made = None
    if os.path.exists(library):
        made = subprocess.run([*LIBRARY, library, "-o", path + ".so"], capture_output=True,
                              check=False)
    if made and made.returncode:
        return made
    return subprocess.run(command_of(source, name, ending, build, path), capture_output=True,
                          check=False)


def is_late(run):
    return "took longer than %d s" % tap.TIME_LIMIT_S if run.is_late else None


def said(err, name):
    """What the program said. A panic names the thread, which is another each time."""
    lines = [line for line in err.splitlines() if not line.startswith(b"fctrace:")]
    return len(lines) if name == "panics" else lines


def compare(name, bare, traced):
    if is_late(traced):
        return is_late(traced)
    if bare.status != traced.status:
        return "status %d, untraced %d; stderr:\n%s" % (
            traced.status, bare.status, traced.err.decode(errors="replace")[-1500:])
    if bare.out != traced.out:
        return "stdout differs, " + tap.excerpt(bare.out, traced.out)
    if said(bare.err, name) != said(traced.err, name):
        return "stderr differs, " + tap.excerpt(bare.err, traced.err)
    return None


def libraries_of(name, build):
    if "static" in build:
        return ("api",)
    # Hooked inside, nongnu libunwind sees its own functions' stubs where they have no name.
    return ("api", "none") if name == "libunwind" else ("api", "all", "none")


def options_of(name, build):
    """Yields (label, fctrace's options)."""
    for libs in libraries_of(name, build):
        yield libs, ["--libs=" + libs]
    if build in ("O2", "static"):
        yield "under", ["-F", UNDER.get(name, UNDER_HALF)]
    if build == "O2":
        yield "values", ["-a", *(["-F", UNDER[name]] if name in UNDER else [])]
    if build == "O2" and name == "overflow":  # by chance, where in a stub the stack ends
        for again in range(8):
            yield "values %d" % again, ["-a"]
            yield "switched %d" % again, ["--budget=1%"]
    if build == "O2" and name in WATCHED:
        yield "watched", ["--loss=ring", "--dump-on", WATCHED[name]]


def has_turn(suite, name, build, nr):
    """The short form runs what always runs with --libs=api, and in half of the other ways, by turns."""
    return nr == 0 or build not in ALWAYS or suite.has_turn(name, 2, nr)


def runs_of(suite, name, path, build):
    """Yields (label, what is wrong) for one program built one way."""
    for arg in ARGS.get(name, [None]):
        argv = [path] + ([arg] if arg else [])
        bare = tap.run(argv, env=ENV)
        of_build = "%s%s/%s" % (name, " " + arg if arg else "", build)
        for nr, (how, options) in enumerate(options_of(name, build)):
            if not has_turn(suite, of_build, build, nr):
                continue
            trace = path + ".data"
            traced = tap.run([suite.fctrace, "record", *options, "-o", trace, *argv], env=ENV)
            wrong = is_late(bare) or compare(name, bare, traced) or readable(suite.fctrace, trace)
            yield of_build + "/" + how, wrong


def edges_of(suite, name, path, build):
    """The same where stubs only count, by caller; these are shorter."""
    for arg in ARGS.get(name, [None]):
        label = "%s%s/%s/edges" % (name, " " + arg if arg else "", build)
        if build in ALWAYS and not suite.has_turn(label, 2):
            continue
        argv = [path] + ([arg] if arg else [])
        bare = tap.run(argv, env=ENV)
        table = path + ".edges"
        traced = tap.run([suite.fctrace, "-c", "--no-time", "--edges", "--libs=all", "-o", table,
                          *argv], env=dict(ENV, LEAST_STEPS="20"))
        yield label, is_late(bare) or compare(name, bare, traced) or filled(table)


def filled(table):
    with open(table, encoding="utf-8", errors="replace") as f:
        return None if len(f.readlines()) > 1 else "no caller was counted"


def readable(fctrace, trace):
    replay = tap.run([fctrace, "report", trace])
    if replay.status:
        return "the trace cannot be read: " + replay.err.decode(errors="replace")[-500:]
    return None


def cases_of(suite, file, build):
    """Returns [(label, what is wrong or None)] of one program built one way, or why it cannot be."""
    name, ending = os.path.splitext(file)
    # No dot: rustc names what it leaves beside its output by what stands before a dot.
    path = os.path.join(suite.folder, name + "-" + build)
    source = os.path.join(PROGRAMS, file)
    made = build_program(source, name, ending, build, path)
    if made.returncode:
        why = made.stderr.decode(errors="replace")
        return [], why, b"cannot find" in made.stderr or b"not found" in made.stderr
    cases = list(runs_of(suite, name, path, build))
    if build in EDGES_FOR and name != "libunwind":
        cases += edges_of(suite, name, path, build)
    return cases, None, False


def tell(suite, label, cases, why, is_missing):
    if is_missing:
        suite.skip("ways " + label, "cannot be built: " + why.split("\n")[0])
    elif why:
        suite.fail("ways " + label, why)
    for what, wrong in cases:
        suite.case("ways " + what, wrong)


def suite_of(suite):
    jobs = []
    with tap.workers() as pool:
        for file in sorted(os.listdir(PROGRAMS)):
            if ".library." in file:
                continue
            name, ending = os.path.splitext(file)
            for build in BUILDS:
                label = "%s/%s" % (name, build)
                if not has_build(name, ending, build) or not suite.wants("ways " + label):
                    continue
                if build not in ALWAYS and not suite.has_turn(label, of=10):
                    continue
                compiler = compiler_of(ending, build)
                if not tap.have(compiler):
                    suite.skip("ways " + label, compiler + " is not installed")
                    continue
                jobs.append((label, pool.submit(cases_of, suite, file, build)))
        for label, job in jobs:
            tell(suite, label, *job.result())


if __name__ == "__main__":
    tap.main(suite_of)
