#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""--on and --off-at: of each thread what it calls between the two is recorded, all of it, and nothing else."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../.."), os.path.join(HERE, "../../user")]
import attaching  # noqa: E402
import bench  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

BOTH = ["--on", "begin", "--off-at", "end"]
ROUNDS, THREADS = 500, 4
MODES = [[], ["-a"], ["--libs=none"], ["--libs=all"], ["--ring=64K"], ["--loss=ring"], ["--budget=90%"], ["--no-cache"]]
BUILDS = [[], ["-O0"], ["-O3", "-static"], ["-O2", "-no-pie", "-pg", "-mfentry"]]
GO = """package main
import "fmt"
//go:noinline
func add(i int) int { return i + 1 }
//go:noinline
func seen(i int) int { return add(i) + 1 }
//go:noinline
func begin(i int) int { return add(i) + 2 }
//go:noinline
func end(i int) int { return add(i) + 3 }
func main() {
	s := seen(0)
	s += begin(1)
	for i := 0; i < 100; i++ { s += seen(i) }
	s += end(1)
	fmt.Println(s + seen(2))
}
"""


def check(b):
    """What the program calls where."""
    calls = b.calls()
    expect([calls[name] for name in ("seen", "unseen", "on_signal")], [4 * ROUNDS * THREADS + 3, 0, 0])
    expect([calls[name] for name in ("begin", "end")], [2 * THREADS + 2, 2 * THREADS + 2])


def between(flags, mode):
    def test(b):
        program = b.build("turning.c", *flags)
        bare = tap.run([program], cwd=b.folder)
        done = b.record(program, options=["-q", *BOTH, *mode])
        expect((done.status, done.out), (bare.status, bare.out))
        check(b)
    return "from --on to --off-at: %s" % " ".join(["gcc", *flags, *mode]), test


def without_what_begins(b):
    """Threads are recorded from their start, and no more when they have called it."""
    program = b.build("turning.c")
    b.trace_of(program, options=["-q", "--off-at", "end"])
    calls = b.calls()
    expect([calls[name] for name in ("end", "seen")], [THREADS + 3, 2 * ROUNDS * THREADS + 2])


def without_what_ends(b):
    program = b.build("turning.c")
    b.trace_of(program, options=["-q", "--on", "begin"])
    calls = b.calls()
    expect([calls[name] for name in ("begin", "seen", "end")], [2 * THREADS + 2, 4 * ROUNDS * THREADS + 3, 3 * THREADS + 2])


def with_a_function_asked_for(b):
    """-F shows what is called under its functions, also where one of them turns recording on."""
    program = b.build("turning.c")
    b.trace_of(program, options=["-q", *BOTH, "-F", "leave", "-F", "seen"])
    expect(b.calls()["seen"], 4 * ROUNDS * THREADS + 3)
    expect(b.calls()["unseen"], 0)
    b.trace_of(program, options=["-q", *BOTH, "-F", "begin"])
    calls = b.calls()
    expect([calls[name] for name in ("begin", "seen")], [2 * THREADS + 2, 0])


def both_name_it(b):
    """What both name turns it on: all others turn it off."""
    program = b.build("turning.c")
    b.trace_of(program, options=["-q", "--libs=none", "--on", "begin", "--off-at", "*"])
    calls = b.calls()
    expect([calls[name] for name in ("begin", "unseen")], [2 * THREADS + 2, 0])
    if calls["repeat"] + calls["seen"] > calls["begin"]:  # the first call behind begin() turns it off
        return calls


def live(b):
    program = b.build("turning.c")
    out, err = b.must(*BOTH, "-a", "--libs=none", program)
    tree = out + err
    expect(len(re.findall(r"\bbegin\(\"\w+\", \d\)", tree)), 2 * THREADS + 2)
    expect(re.findall(r"\bunseen\(", tree), [])


def named_by_no_function(b):
    """It is said, and the program runs as ever."""
    program = b.build("turning.c")
    done = b.record(program, options=["-q", "--on", "nothing_like_it", "--off-at", "end"])
    said = done.err.decode()
    expect((done.status, done.out), (0, b"done\n"))
    expect("fctrace: --on 'nothing_like_it': no function that matches is hooked; fctrace list FILE shows names\n" in said, True)
    expect("--off-at" in said, False)
    expect(sum(b.calls().values()), 0)


def named_almost(b):
    """The names that are most like it are said, and that one which is there has no hook."""
    program = b.build("turning.c")
    said = b.record(program, options=["-q", "--on", "begim", "--off-at", "_start"]).err.decode()
    expect("--on 'begim': no function that matches is hooked; did you mean begin? fctrace list FILE shows names\n" in said, True)
    expect("--off-at '_start': no function that matches is hooked; turning" in said, True)


def with_a_dump(b):
    """A function that turns recording on tells of no dump, and that is said; another one does."""
    program = b.build("turning.c")
    done = b.record(program, options=["--loss=ring", *BOTH, "--dump-on", "begin", "--dump-on", "repeat#1"])
    said = done.err.decode()
    expect(re.findall("--dump-on '(.*)': calls of functions that --on or --off-at name, too, write no dump", said), ["begin"])
    expect(said.count("repeat() was called (#1)"), 1)


def attached(b):
    """Of threads that run already nothing is recorded before they call it, either."""
    program = b.build("waiting.c")
    job = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        expect(job.stdout.readline(), b"ready\n")
        tracer = b.begin("-p", str(job.pid), "--libs=none", *BOTH)
        attaching.wait_hooked(job.pid, tracer)
        out = job.communicate(b"xyz", tap.PATIENCE_S)[0]
        expect((job.returncode, out), (0, b"xyz"))
    finally:
        job.kill()
    tracer.communicate()
    calls = b.calls()
    expect([calls[name] for name in ("begin", "seen", "end", "unseen")], [3, 30, 3, 0])


def of_go(b):
    tap.need("go")
    b.write("g.go", GO)
    program = b.path("gone")
    tap.texts_of(["go", "build", "-o", program, b.path("g.go")], cwd=b.folder, env=dict(
        os.environ, GOCACHE=b.path("gocache"), GOFLAGS="-mod=mod", HOME=b.folder), limit_s=300)
    done = b.record(program, options=["-q", "-m", "gone", "--on", "main.begin", "--off-at", "main.end"])
    expect("go by the system's threads, each of which runs many goroutines" in done.err.decode(), True)
    calls = b.calls()
    expect([calls["main." + name] for name in ("begin", "seen", "end")], [1, 100, 1])


def refused(words, sentence):
    def test(b):
        done = b.run("record", *words, "/bin/true")
        expect((done.status, done.err.decode()), (2, "fctrace: %s\n" % sentence))
    return "refused: " + " ".join(words), test


REFUSED = [
    (["--on", "f", "--syscalls"], "--syscalls, --waits and -k are about the whole run: leave out --on and --off-at"),
    (["--off-at", "f", "--backend=step"], "--backend=step cannot be told to go on: it knows no --off, --on and --off-at"),
]


def suite_of(suite):
    suite.run_all([between(BUILDS[0], mode) for mode in MODES] + [between(flags, []) for flags in BUILDS[1:]] +
                  [without_what_begins, without_what_ends, with_a_function_asked_for, both_name_it, live, named_by_no_function, named_almost, with_a_dump, attached, of_go] +
                  [refused(*case) for case in REFUSED], Bench(suite), prefix="turned: ")


class Bench(bench.Bench):
    sources = os.path.join(HERE, "programs")


if __name__ == "__main__":
    tap.main(suite_of)
