#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Static probes (SDT): each that is hooked is seen each time, with the arguments that the program was to pass, and
those that are not are named; flags, registers and the red zone stay; semaphores are up while somebody looks, and down
before and behind; notes that lie are refused and harm nobody.
"""
import os
import random
import re
import signal
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

NO_FUNCTIONS = ["--no-functions"]
MODES = [NO_FUNCTIONS, [], ["-a"], ["--libs=all"], ["--budget=5%"]]
LINE = re.compile(r"\| +([\w]+:\w+)\((.*)\);")
LEFT_OUT = re.compile(r"static probes? (?:is|are) not hooked: .*?: (\w+:.*)")


def hold(is_so, why):
    if not is_so:
        raise Wrong(str(why))


class Bench(bench.Bench):
    flags = ["-w"]

    def seen(self, trace=None):
        """Each probe that a trace has, with its arguments, in order."""
        tree = self.must("replay", trace or self.trace)[0]
        return [(name, args) for name, args in LINE.findall(tree)]


def names_left_out(said):
    names = set()
    for found in LEFT_OUT.findall(said):
        names.update(re.findall(r"\w+:\w+", found))
    return names


def expected_of(out):
    """What passed.c says that it passes."""
    for line in out.splitlines():
        name, *args = line.split(" ")
        yield "test:" + name, ", ".join(args)


def passed(compiler, *flags):
    def check(bench):
        tap.need(compiler)
        program = bench.build("passed.c", *flags, compiler=compiler)
        bare = tap.run([program, "5"])
        for mode in MODES:
            done = bench.record(program, "5", options=["-U", "test:*", *mode])
            said = done.err.decode()
            if done.status != bare.status:
                return "%s: status %d: %s" % (mode, done.status, said)
            if re.sub(rb"0x\w+", b"", done.out) != re.sub(rb"0x\w+", b"", bare.out):
                return "%s: another output: %s" % (mode, done.out)
            left = names_left_out(said)
            want = [(name, args) for name, args in expected_of(done.out.decode()) if name not in left]
            got = [(name, args) for name, args in bench.seen() if name not in left]  # some places of one name may be hooked
            if got != want:
                wrong = next((pair for pair in zip(got, want) if pair[0] != pair[1]), None)
                return "%s: %d seen of %d; the first that differs: %s; left out: %s" % (
                    mode, len(got), len(want), wrong, sorted(left))
            hold(len(left) < 12, "too many are left out: %s" % sorted(left))
    return check


def nothing_is_changed(*flags):
    def check(bench):
        program = bench.build("state.c", os.path.join(bench.sources, "state.S"), *flags, out="state" + "".join(flags))
        for mode in MODES:
            done = bench.record(program, "20000", options=["-U", "state:*", *mode])
            if done.status or done.out != b"wrong 0\n":
                return "%s: %d %s%s" % (mode, done.status, done.out, done.err)
            left = names_left_out(done.err.decode())
            hold(not left, "left out: %s" % sorted(left))
            if mode != ["--budget=5%"]:
                calls = bench.calls()
                for name in "carry", "equal", "below", "empty":
                    hold(calls["state:" + name] == 20000, "%s: %s of %s" % (mode, calls["state:" + name], name))
    return check


def arguments_of_each_kind(bench):
    program = bench.build("state.c", os.path.join(bench.sources, "state.S"), out="state")
    bench.must("record", "-q", *NO_FUNCTIONS, "-U", "state:*", "-o", bench.trace, program, "2")
    seen = bench.seen()
    rsp = seen[1][1].split(", ")[1]
    want = [("state:carry", "1, 2, 3, 4, 5, 8, 9, 12, 15, 0x1234, 0x5678"), ("state:equal", "-5, " + rsp)]
    hold(seen[:2] == want and seen[4:6] == want, seen)
    hold(seen[3] == ("state:empty", "") and seen[2][1].startswith(rsp + ", 1, "), seen)


def attached_and_detached(bench):
    """While it runs through them, several times."""
    program = bench.build("state.c", os.path.join(bench.sources, "state.S"), out="state")
    with subprocess.Popen([program, "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as target:
        target.stdout.readline()
        for i in range(40 if bench.is_long else 8):
            mode = MODES[i % len(MODES)]
            done = bench.record("-U", "state:*", "--for=60ms", "-p", str(target.pid), options=mode)
            if done.status or not bench.calls()["state:equal"]:
                target.kill()
                return "%s: %d %s" % (mode, done.status, done.err)
        out, _ = target.communicate("x\n")
    hold(out == "wrong 0\n" and target.returncode == 0, "%s %d" % (out, target.returncode))


def killed(bench):
    """fctrace is gone from one moment to the next: the program goes on, and the next one takes the place."""
    program = bench.build("state.c", os.path.join(bench.sources, "state.S"), out="state")
    with subprocess.Popen([program, "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as target:
        target.stdout.readline()
        for i in range(30 if bench.is_long else 6):
            tracer = bench.begin(*MODES[i % 4], "-U", "state:*", "-p", str(target.pid))
            time.sleep(0.02 * i)
            tracer.kill()
            tracer.communicate()
        done = bench.record("-U", "state:*", "--for=100ms", "-p", str(target.pid), options=NO_FUNCTIONS)
        got = bench.calls()["state:equal"] if not done.status else 0
        out, _ = target.communicate("x\n")
    hold(out == "wrong 0\n" and target.returncode == 0, "%s %d" % (out, target.returncode))
    hold(got, "nothing was seen afterwards: %s" % done.err)


def handlers_unwind(bench):
    """Signals come at any moment, and their handlers look at the stack: through the stub of a probe up to main."""
    # The agent is hardly ever at work here: a backtrace that begins in it ends there (docs/how-it-works.md).
    program = bench.build("unwound.c", os.path.join(bench.sources, "state.S"), "-O1", out="unwound")
    for mode in NO_FUNCTIONS, ["--libs=none"]:
        done = bench.record(program, "4000" if bench.is_long else "400",
                            options=["-U", "state:empty", "--ring=64M", "--loss=drop", *mode])
        found = re.fullmatch(rb"(\d+) of (\d+), wrong 0\n", done.out)
        if done.status or not found:
            return "%s: %d %s%s" % (mode, done.status, done.out, done.err)
        lost, looks = map(int, found.groups())
        hold(lost * 20 <= looks, "%s: %d of %d ended before main" % (mode, lost, looks))


def read_semaphores(target):
    target.stdin.write("look\n")
    target.stdin.flush()
    return target.stdout.readline().strip()


def semaphores(bench):
    """Up while it is attached to, down before and behind."""
    program = bench.build("semaphores.c", "-O1")
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as target:
        before = read_semaphores(target)
        tracer = bench.begin("-U", "counted:first", "-p", str(target.pid), *NO_FUNCTIONS)
        tap.wait_until(lambda: read_semaphores(target) == "1 0", "the semaphore is not up")
        tracer.send_signal(signal.SIGINT)
        tracer.communicate()
        behind = read_semaphores(target)
        target.communicate("end\n")
    hold((before, behind, target.returncode) == ("0 0", "0 0", 0),
           "before %s, behind %s, status %d" % (before, behind, target.returncode))
    calls = bench.calls()
    hold(calls["counted:first"] and not calls["counted:second"], calls)
    bench.must("record", "-q", *NO_FUNCTIONS, "-U", "counted:*", "-o", bench.trace, program, stdin=b"look\nlook\nend\n")
    hold(bench.calls()["counted:second"] == 2, bench.calls())


def notes_of(data):
    """Where the notes of a file are: the offsets of the address in each, and their names."""
    for found in re.finditer(rb"\x03\0\0\0stapsdt\0", data):
        at = found.end()
        yield at, data[at + 24:at + 80].split(b"\0")[1]


def notes_that_lie(bench):
    """Each address is changed to what is no probe's: other instructions, the middle of one, no code, no memory."""
    program = bench.build("passed.c", "-O1")
    bare = tap.run([program, "2"])
    with open(program, "rb") as f:
        data = f.read()
    refused = 0
    for change in (1, 2, 3, 5, 7, -1, -3, 0x2000, 1 << 40, -(1 << 20)):
        lying = bytearray(data)
        for at, _ in notes_of(data):
            value = struct.unpack_from("<Q", data, at)[0]
            struct.pack_into("<Q", lying, at, (value + change) % (1 << 64))
        path = bench.write("lying", bytes(lying), 0o755)
        for mode in NO_FUNCTIONS, []:
            done = bench.record(path, "2", options=["-U", "*", *mode])
            hold(done.status == bare.status and done.err.endswith(bare.err[-20:]) or bare.err[-20:] in done.err,
                   "moved by %d: %d %s" % (change, done.status, done.err))
            hold(len(done.out) == len(bare.out), "moved by %d: %s" % (change, done.out))
        listed = bench.must("list", "--probes", path)[0]
        refused += len(re.findall(r"^skipped", listed, re.M))
    hold(refused > 50, "only %d were refused" % refused)


def damaged_notes(bench):
    """Bytes of the notes are anything: fctrace says so, or takes them for what they are."""
    program = bench.build("passed.c", "-O1")
    with open(program, "rb") as f:
        data = f.read()
    spots = [at for at, _ in notes_of(data)]
    begin, end = spots[0] - 20, spots[-1] + 100
    rand = random.Random(5)
    for _ in range(200 if bench.is_long else 20):
        broken = bytearray(data)
        for _ in range(rand.randint(1, 12)):
            broken[rand.randrange(begin, end)] = rand.choice([0, 0xff, 0x20, rand.randrange(256)])
        path = bench.write("broken", bytes(broken), 0o755)
        done = bench.run("list", "--probes", path)
        hold(done.status in (0, 1), "list: %d %s" % (done.status, done.err))
        done = bench.record(path, "1", options=["-U", "*", *NO_FUNCTIONS])
        hold(done.status == 7, "record: %d %s" % (done.status, done.err))


def python_functions(bench):
    """An interpreter's own: which function of the script runs."""
    if "python:function__return" not in bench.run("list", "--probes", tap.PYTHON).out.decode():
        raise tap.Skip("this Python has no probes")
    script = bench.write("f.py", "def deep(n):\n    return n and deep(n - 1)\n\ndeep(3)\nprint('done')\n")
    out, _ = bench.must("record", "-q", *NO_FUNCTIONS, "-U", "python:function__return", "-o", bench.trace,
                        tap.PYTHON, "-S", "-E", script)
    got = [args for _, args in bench.seen() if script in args]
    hold(out == "done\n" and [args.split(", ")[1] for args in got] == ['"deep"'] * 4 + ['"<module>"'], got)
    hold(all('"%s"' % script in args for args in got), got)


def cpp_exceptions(bench):
    program = bench.build("thrown.cc", "-O1", text="""
        #include <cstdio>
        #include <stdexcept>
        int main() { for (int i = 0; i < 5; i++) try { throw std::runtime_error("x"); }
                     catch (std::exception &e) { putchar(*e.what()); } }""")
    for mode in NO_FUNCTIONS, ["--libs=none"], []:
        out, _ = bench.must("record", "-q", *mode, "-U", "libstdcxx:*", "-o", bench.trace, program)
        names = [name for name, _ in bench.seen()]
        hold(out == "xxxxx" and names == ["libstdcxx:throw", "libstdcxx:catch"] * 5, "%s: %s %s" % (mode, out, names))


def declared(bench):
    """--proto says what a probe's arguments are: a text, where the note only knows eight bytes."""
    program = bench.build("passed.c", "-O1")
    proto = bench.write("p.h", "void test__leaf(unsigned sum, int twice);\nvoid test__round(int i, int value);\n")
    bench.must("record", "-q", "--proto", proto, *NO_FUNCTIONS, "-U", "test:leaf", "-U", "test:round", "-o", bench.trace,
               program, "1", status=7)
    tree = bench.must("replay", bench.trace)[0]
    hold("test:leaf(0, 0)" in tree and "test:round(0, 3, 0)" in tree, tree)


def not_found(bench):
    program = bench.build("passed.c", "-O1")
    _, err = bench.must("record", *NO_FUNCTIONS, "-U", "test:nosuch*", "-o", bench.trace, program, "1", status=7)
    hold("-U test:nosuch*: no such static probe was found" in err, err)
    _, err = bench.must("record", "--no-functions", "-o", bench.trace, program, status=2)
    hold("--no-functions leaves nothing to be traced" in err, err)
    done = bench.run("list", "--probes", "/bin/true")
    hold(done.status == 1 and b"/bin/true has no static probes" in done.err, done.err)


def listed(bench):
    program = bench.build("passed.c", "-O0")
    rows = bench.json("list", "--probes", trace=program)
    names = [row["probe"] for row in rows]
    hold({"test:leaf", "test:round", "test:many", "test:empty"} <= set(names), names)
    for row in rows:
        hold((row["how"] == "hooked") == (row["why"] == ""), row)
    many = next(row for row in rows if row["probe"] == "test:many")
    hold(many["how"] == "hooked" and len(many["arguments"].split()) == 12, many)


def suite_of(suite):
    kinds = [(compiler, flags) for compiler in ("gcc", "clang") for flags in (
        ["-O0"], ["-O1"], ["-O2"], ["-O3", "-fcf-protection"], ["-O2", "-no-pie"], ["-O2", "-static"])]
    kinds = [kind for kind in kinds if suite.has_turn("probes %s %s" % (kind[0], " ".join(kind[1])), 3)]
    suite.run_all([("%s %s" % (compiler, " ".join(flags)), passed(compiler, *flags)) for compiler, flags in kinds] +
                  [("nothing is changed " + flag, nothing_is_changed(flag)) for flag in ("-pie", "-no-pie")] +
                  [arguments_of_each_kind, attached_and_detached, killed, handlers_unwind, semaphores, notes_that_lie,
                   damaged_notes, python_functions, cpp_exceptions, declared, not_found, listed],
                  Bench(suite), prefix="probes ")


if __name__ == "__main__":
    tap.main(suite_of)
