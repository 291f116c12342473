#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs with sanitizers report what they report untraced, with the same status.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
from tap import Skip  # noqa: E402

SOURCE = os.path.join(HERE, "programs", "faulty.c")
ENV = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1", MALLOC_ARENA_MAX="1")

# A build: its name, compiler and flags, and what its program is told.
BUILDS = [
    ("asan", ["gcc", "-fsanitize=address"], ["leak", "use", "often", "none"]),
    ("asan-static", ["gcc", "-fsanitize=address", "-static-libasan"], ["leak", "use"]),
    ("asan-stripped", ["gcc", "-fsanitize=address", "-static-libasan", "-s"], ["leak", "use"]),
    ("asan-clang", ["clang", "-fsanitize=address"], ["leak", "use", "often"]),
    ("lsan", ["gcc", "-fsanitize=leak"], ["leak", "often"]),
    ("lsan-clang", ["clang", "-fsanitize=leak"], ["leak"]),
    ("tsan", ["gcc", "-fsanitize=thread"], ["race", "none"]),
    ("tsan-clang", ["clang", "-fsanitize=thread"], ["race"]),
    ("msan-clang", ["clang", "-fsanitize=memory", "-fsanitize-memory-track-origins"],
     ["uninitialized"]),
    ("ubsan", ["gcc", "-fsanitize=undefined"], ["overflow"]),
    ("ubsan-clang", ["clang", "-fsanitize=undefined"], ["overflow"]),
]
LIBS = ("api", "all", "none")


def make(top, name, command):
    """None, or why it cannot be built."""
    made = subprocess.run([*command, "-g", "-O1", "-fno-omit-frame-pointer", "-w", "-pthread",
                           "-o", os.path.join(top, name), SOURCE], capture_output=True, check=False)
    return made.stderr.decode(errors="replace") if made.returncode else None


def report_of(err):
    """Without what is another one each time."""
    text = err.decode(errors="replace")
    text = re.sub(r"0x[0-9a-f]+|==\d+==|\b(pid|tid)=\d+|\(.*\+\)| T\d+", "", text)
    return [line.rstrip() for line in text.splitlines() if not line.startswith("fctrace:")]


def compare(bare, done):
    if done.is_late or bare.status != done.status:
        return "status %d, untraced %d: %s" % (done.status, bare.status, done.err[-1000:])
    if bare.out != done.out:
        return "stdout differs: " + tap.excerpt(bare.out, done.out)
    ours, theirs = report_of(done.err), report_of(bare.err)
    if ours == theirs:
        return None
    return "the report differs: " + tap.excerpt("\n".join(theirs).encode(),
                                                "\n".join(ours).encode())


SOON_S = 15  # of CPU time; a wait for an answer that nobody gives is asleep then: see tap.run()


def check(fctrace, top, name, word, libs):
    argv = [os.path.join(top, name), word]
    trace = os.path.join(top, "t.data")
    bare = tap.run(argv, env=ENV)
    done = tap.run([fctrace, "record", "--libs=" + libs, "-o", trace, *argv], env=ENV,
                   limit_s=SOON_S)
    wrong = done.trouble() or compare(bare, done)
    if wrong or word != "often":
        return wrong
    lines = tap.fctrace_json(fctrace, "report", trace)
    steps = sum(line["calls"] for line in lines if line["function"] == "step")
    return None if steps == 301000 else "%d calls of step are in the trace" % steps


def attached(fctrace, top, name):
    """It looks for leaks at its end, while it is traced since an attach."""
    argv = [os.path.join(top, name), "serve"]
    trace = os.path.join(top, "t.data")
    bare = tap.run(argv, env=ENV)
    with subprocess.Popen(argv, env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as served:
        assert served.stdout.readline() == b"serving\n"
        with subprocess.Popen([fctrace, "record", "-o", trace, "-p", str(served.pid)],
                              stderr=subprocess.PIPE) as tracer:
            while tap.run([fctrace, "ctl", str(served.pid), "status"]).status:
                if tracer.poll() is not None:
                    return "fctrace ended: %s" % tracer.stderr.read()
            out, err = served.communicate()
            said = tracer.communicate()[1]
    if tracer.returncode:
        return "fctrace: %d: %s" % (tracer.returncode, said)
    return compare(bare, tap.Run(served.returncode, b"serving\n" + out, err, False))


def suite_of(suite):
    fctrace, top = suite.fctrace, suite.folder
    for name, command, words in BUILDS:
        why = make(top, name, command)
        for word in words:
            for libs in LIBS:
                suite.run("sanitizers %s %s, --libs=%s" % (name, word, libs),
                          check_built, why, fctrace, top, name, word, libs)
        if "leak" in words and not why:
            suite.run("sanitizers attach to " + name, attached, fctrace, top, name)


def check_built(why, *args):
    if why:
        raise Skip(why.splitlines()[0])
    return check(*args)


if __name__ == "__main__":
    tap.main(suite_of)
