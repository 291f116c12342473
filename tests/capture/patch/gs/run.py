#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs and libraries that have %gs for themselves run as they do untraced, and each call is
in the trace.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
sys.path.insert(0, os.path.join(HERE, "../../../whole/vm"))
import pretended  # noqa: E402
import tap  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
WAYS = os.path.join(tap.TESTS, "whole/ways/programs")
LOADED, LINKED, STATIC = "host", "linked", "static"

# What the program is told, which of the programs, and the options of fctrace.
WORDS = [
    "run", "asks run", "restores run", "threads", "restores threads", "jump run", "unwind run",
    "signals run", "signals-elsewhere run", "fork run threads", "run filter run",
    "restores signals fork jump run unwind",
]
CASES = [(words, program, ["record", "--libs=none"]) for words in WORDS
         for program in (LOADED, LINKED, STATIC)]
CASES += [(words, program, ["record", "--libs=none", "-a"])
          for words in ("run", "restores run", "restores signals fork jump run unwind")
          for program in (LOADED, LINKED, STATIC)]
CASES += [("busy threads run", LOADED, ["record"])] * 3
CASES += [("fork threads unwind signals", program, options)
          for program in (LOADED, LINKED)
          for options in (["record"], ["record", "--libs=all"], ["record", "-F", "nest*"],
                          ["record", "--budget=50%"], ["-c", "--no-time"],
                          ["-c", "--no-time", "--edges"])]
# Programs that leave functions in every way, which use no %gs but are linked with who may: signals
# come at each instruction of a detour, too.
OTHERS = [("stepped", "j"), ("stepped", "a"), ("stepped", "b"), ("cancel", ""), ("contexts", ""),
          ("storm", "1"), ("faults", "")]
OTHERS_HOW = [["record", "--libs=all"], ["-c", "--no-time"], ["-c", "--no-time", "--edges"]]
VALUED = ["record", "-a", "--libs=none"]


def build(top):
    os.chmod(top, 0o755)
    flags = ["-g", "-O1", "-Wall", "-Wextra", "-mfsgsbase", "-pthread"]
    guest, host = (os.path.join(PROGRAMS, name) for name in ("guest.c", "host.c"))
    for argv in ([*flags, "-shared", "-fPIC", "-o", "libguest.so", guest],
                 [*flags, "-o", LOADED, host, "-ldl"],
                 [*flags, "-DLINKED", "-o", LINKED, host, "-L.", "-lguest", "-Wl,-rpath,$ORIGIN"],
                 [*flags, "-w", "-DLINKED", "-static", "-o", STATIC, host, guest]):
        subprocess.run(["gcc", *argv], check=True, cwd=top, stderr=subprocess.DEVNULL)
    for name in sorted({name for name, _ in OTHERS}):
        source = os.path.join(WAYS, name + (".cc" if name == "faults" else ".c"))
        subprocess.run(["gcc" if source.endswith(".c") else "g++", "-g", "-O2", "-w", "-pthread",
                        "-o", name, source, "-Wl,--no-as-needed", "-L.", "-lguest",
                        "-Wl,-rpath,$ORIGIN"], check=True, cwd=top)


def steps_in(fctrace, trace):
    lines = tap.fctrace_json(fctrace, "report", trace)
    return sum(line["calls"] for line in lines if line["function"] == "step")


def steps_counted(text):
    """Of what -c prints, with or without callers."""
    return sum(int(line.split()[0]) for line in text.splitlines() if line.split()[-1:] == ["step"])


def check(fctrace, top, words, program, options, env):
    """None, or what is wrong."""
    trace = os.path.join(top, "t.data")
    argv = [os.path.join(top, program), *words.split()]
    own = ["-o", trace] if options[0] == "record" else []
    done = tap.run([fctrace, *options, *own, *argv], env=env)
    said = done.err.decode(errors="replace")
    if done.is_late or done.status:
        return "status %d: %s%s" % (done.status, done.out.decode(errors="replace"), said[-1000:])
    want = int(done.out.split()[-1])
    if "-F" in options or any(o.startswith("--budget") for o in options):
        return None  # not all are asked for
    seen = steps_counted(said) if options[0] == "-c" else steps_in(fctrace, trace)
    return None if seen == want else "%d calls of step, not %d: %s" % (seen, want, said[-1000:])


def check_other(fctrace, top, program, word, options, env):
    argv = [os.path.join(top, program), *word.split()]
    own = [*options, "-o", os.path.join(top, "t.data")]
    bare = tap.run(argv)
    done = tap.run([fctrace, *own, *argv], env=env)
    if (bare.status, bare.out) == (done.status, done.out):
        return None
    return "status %d, untraced %d; %s%s" % (done.status, bare.status,
                                             tap.excerpt(bare.out, done.out), done.err[-1000:])


def attached(fctrace, top, program, env):
    """It has set %gs before fctrace comes, twice, and goes on."""
    trace = os.path.join(top, "t.data")
    with subprocess.Popen([os.path.join(top, program), "run", "serve", "threads", "unwind"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as served:
        assert served.stdout.readline() == b"serving\n"
        for _ in range(3):
            done = tap.run([fctrace, "record", "-o", trace, "--for", "300ms",
                            "-p", str(served.pid)], env=env)
            if done.status:
                break
        served.stdin.close()
        served.stdin = None
        out = served.stdout.read()
    if done.status or served.returncode:
        return "fctrace: %d, program: %d: %s%s" % (
            done.status, served.returncode, done.err.decode(errors="replace"), out.decode())
    return None if steps_in(fctrace, trace) else "no call of step is in the trace"


def beside_its_parent(fctrace, top, program, env):
    """A vfork child's calls are told of the child, and its parent's of the parent."""
    trace = os.path.join(top, "t.data")
    done = tap.run([fctrace, "record", "--libs=none", "-o", trace, os.path.join(top, program),
                    "run", "vfork", "run"], env=env)
    if done.status:
        return "status %d: %s" % (done.status, done.err.decode())
    rows = tap.fctrace_json(fctrace, "query", trace, "SELECT name, count(DISTINCT tid) AS "
                            "threads, count(*) AS calls FROM calls "
                            "WHERE name IN ('of_child', 'of_parent') GROUP BY name")
    told = sorted((row["name"], row["threads"], row["calls"]) for row in rows)
    want = [("of_child", 100, 600), ("of_parent", 1, 1200)]
    return None if told == want else "%s, not %s" % (told, want)


def said_once(fctrace, top, program, env):
    """That each call asks the agent is reported, for both of two processes."""
    trace, host = (os.path.join(top, name) for name in ("t.data", program))
    done = tap.run([fctrace, "record", "--libs=none", "-o", trace, "sh", "-c",
                    "%s run; %s run" % (host, host)], env=env)
    nr = done.err.count(b"has no FSGSBASE")
    want = 1 if "NO_FSGSBASE" in env else 0
    return None if (done.status, nr) == (0, want) else "%d times: %s" % (nr, done.err.decode())


def cases_of(machine):
    """(name, how it is checked, with what) on a machine of that name."""
    cases = [("%s: %s %s" % (" ".join(how), program, words), check, (words, program, how))
             for words, program, how in CASES]
    cases += [("attach to " + program, attached, (program,))
              for program in (LOADED, LINKED, STATIC)]
    cases.append(("it is reported once that calls are slow, or not", said_once, (LOADED,)))
    cases += [("a vfork child of " + program, beside_its_parent, (program,))
              for program in (LOADED, LINKED, STATIC)]
    others = [(*other, how) for other in OTHERS for how in OTHERS_HOW]
    others += [(*other, VALUED) for other in OTHERS if other[0] == "stepped"]
    cases += [("%s: %s %s" % (" ".join(how), program, word), check_other,
               (program, word, how)) for program, word, how in others]
    return [(name + machine, how, what) for name, how, what in cases]


def suite_of(suite):
    build(suite.folder)
    old = pretended.make(suite.fctrace, suite.folder)
    runs = [(old, ", without FSGSBASE", dict(os.environ, NO_FSGSBASE="1"))]
    if old != suite.fctrace:
        runs.insert(0, (suite.fctrace, "", dict(os.environ, LEAST_STEPS="20")))
    for fctrace, machine, env in runs:
        for name, how, what in cases_of(machine):
            # Without FSGSBASE each call asks the agent, which is not stepped.
            if not machine or LOADED in what or what[0] == "cancel":
                suite.run(name, how, fctrace, suite.folder, *what, env)


if __name__ == "__main__":
    tap.main(suite_of)
