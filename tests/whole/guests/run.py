#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that are started, mapped or kept from system calls in unusual ways: they run as they do
untraced, they are traced as far as that is safe, and what is not traced is said.
"""
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402


class Bench(bench.Bench):
    flags = ["-O1", "-pthread"]

    def counts(self, *of):
        """Of each of these functions, how many calls are in the trace."""
        calls = self.calls()
        return [calls[name] for name in of]

    def info(self):
        return self.must("info", self.trace)[0]

    def start(self, *command):
        """A program that tells by a line that it is at work."""
        proc = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if not proc.stdout.readline():
            raise Wrong("%s did not begin: %r" % (command, proc.stderr.read()))
        return proc

    def attach(self, pid, for_time="0.3s", options=()):
        return self.record("--for", for_time, "-p", str(pid), options=options)


def same(bare, traced):
    """What is different of a program that is traced."""
    if (bare.status, bare.out) != (traced.status, traced.out):
        return "status %d, untraced %d; %s; said %s" % (
            traced.status, bare.status, tap.excerpt(bare.out, traced.out),
            traced.err.decode(errors="replace")[-800:])
    return None


# System calls that become SIGSYS


def dispatched(b):
    program = b.build("dispatched.c")
    if tap.run([program, "prctl", "1"]).out.startswith(b"refused"):
        raise Skip("the kernel has no syscall user dispatch")
    return program


def a_dispatch_that_is_set_later(b):
    program = dispatched(b)
    for how in ("prctl", "syscall"):
        wrong = same(tap.run([program, how, "100"]), b.record(program, how, "100"))
        if wrong:
            return how + ": " + wrong
        dig, leaf = b.counts("dig", "leaf")
        if dig < 40100 or leaf < 40000:
            return "%s: %d and %d calls are in the trace" % (how, dig, leaf)
    return None


def a_dispatch_that_is_refused(b):
    program = b.build("dispatched.c")
    traced = b.record(program, "refused", "100")
    lost = b.json("info")["lost"]
    return same(tap.run([program, "refused", "100"]), traced) or \
        ("%d records were lost" % lost if lost else None)


def a_dispatch_while_attached(b):
    """Fast: its system calls are being dispatched as it is stopped."""
    program = dispatched(b)
    bare = tap.run([program, "prctl", "100"])
    proc = b.start(program, "prctl")
    for i in range(100 if b.is_long else 4):
        done = b.attach(proc.pid, "0.1s")
        if done.status:
            break
    out = b"ready\n" + proc.communicate()[0]
    if proc.returncode or out != bare.out:
        return "status %d: %r, untraced %r; said %r" % (proc.returncode, out, bare.out, done.err)
    if done.status or not b.counts("dig")[0]:
        return "not traced: %r" % done.err
    return None


def killed_while_dispatched(b):
    """fctrace dies while it puts itself into such a program: the dispatch is what it was."""
    program = dispatched(b)
    bare = tap.run([program, "prctl", "100"])
    for i in range(100 if b.is_long else 8):
        proc = b.start(program, "prctl", "0", "2")
        tracer = b.begin("-p", str(proc.pid), stderr=subprocess.DEVNULL)
        time.sleep(0.01 + i % 20 * 0.004)
        tracer.kill()
        tracer.wait()
        out = b"ready\n" + proc.communicate()[0]
        if proc.returncode or out != bare.out:
            return "round %d: status %d: %r, untraced %r" % (i, proc.returncode, out, bare.out)
    return None


# A program that translates another one


def translator(b):
    return b.build("translator.c", "-static"), b.build("started.c")


def a_translator(b):
    """Launched, and attached to: what it reads is what the files say."""
    program, guest = translator(b)
    done = b.record(program, guest)
    wrong = same(tap.run([program, guest]), done)
    if wrong or b"translates the code" not in done.err or "translates the code" not in b.info():
        return wrong or "it is not said: %r" % done.err
    if not b.counts("sum_of")[0]:
        return "it is not traced itself"
    proc = b.start(program, guest)
    try:
        tracer = b.begin("-p", str(proc.pid))
        wait_for_hooks(proc.pid, tracer)
        proc.stdin.write(b"\n")
        proc.stdin.flush()
        said = proc.stdout.readline()
        tracer.send_signal(signal.SIGINT)
        err = tracer.communicate()[1]
    finally:
        proc.communicate()
    if said != b"guest whole, fence whole\n" or b"translates the code" not in err:
        return "attached: %r; said %r" % (said, err)
    return None if b.counts("sum_of")[0] >= 200 else "attached: it is not traced itself"


def wait_for_hooks(pid, tracer):
    """The program's own code has been changed: it is hooked."""
    while tracer.poll() is None:
        with open("/proc/%d/maps" % pid, encoding="utf-8") as f:
            if "memfd:fctrace" in f.read():
                time.sleep(0.3)
                return
        time.sleep(0.01)
    raise Wrong("fctrace has ended: %r" % tracer.stderr.read())


def foreign(name):
    def check(b):
        """One that is installed: what it runs comes to its end, and it is traced itself."""
        if not tap.have(name):
            raise Skip(name + " is not installed")
        guest = b.build("started.c")
        words = [name] + (["-q", "--tool=none"] if name == "valgrind" else [])
        wrong = same(tap.run([*words, guest, "3"]), b.record(*words, guest, "3"))
        if wrong or "translates the code" not in b.info():
            return wrong or "it is not said"
        if b.json("info")["calls"] < 1000:
            return "it is not traced itself"
        proc = b.start(*words, guest)
        done = b.attach(proc.pid)
        out = proc.communicate(b"\n")[0]
        if proc.returncode or out != b"ended\n" or b"translates the code" not in done.err:
            return "attached: status %d, %r; said %r" % (proc.returncode, out, done.err)
        return None
    return check


def calls_of_a_debugger(b):
    """gdb lets functions of the program be called: it traces the program, fctrace traces gdb."""
    if not tap.have("gdb"):
        raise Skip("gdb is not installed")
    program = b.build("started.c", "-g", out="debugged")
    command = ["gdb", "-q", "-nx", "-batch", "-ex", "break tick", "-ex", "run", "-ex",
               "print leaf(13)", "-ex", "delete", "-ex", "continue", "--args", program, "3"]
    bare, traced = tap.run(command), b.record(*command)
    if b"$1 = 40" not in bare.out:
        raise Skip("gdb cannot call functions here, traced or not")
    return None if b"$1 = 40" in traced.out and b"sum" in traced.out else \
        "%r, untraced %r" % (traced.out, bare.out)


# Programs that ld.so is asked to start


def loader_of(program):
    lines = tap.run(["readelf", "-lW", program]).out.decode()
    return re.search(r"interpreter: (.*?)\]", lines).group(1)


def started_by_the_loader(b):
    program = b.build("started.c")
    loader = loader_of(program)
    preload = ["--preload", b.build("plugin.c", "-shared", "-fPIC", out="plugin.so")]
    for words in ([], ["--library-path", b.folder], ["--argv0", "other"], preload):
        wrong = same(tap.run([loader, *words, program, "7"]), b.record(loader, *words, program, "7"))
        if wrong or b.counts("tick", "leaf") != [7, 7]:
            return "%s: %s" % (words, wrong or "calls %s" % b.counts("tick", "leaf"))
    if b.counts("set_up") != [1]:
        return "what was preloaded: %s calls" % b.counts("set_up")
    traced = b.record(loader, program, "7", options=["--backend=step"])
    return None if b.counts("tick", "leaf") == [7, 7] else "--backend=step: %r" % traced.err


def attached_to_by_the_loader(b):
    program = b.build("started.c")
    proc = b.start(loader_of(program), "--argv0", "other", program)
    done = b.attach(proc.pid)
    out = proc.communicate(b"\n")[0]
    if proc.returncode or out != b"ended\n":
        return "status %d, %r; said %r" % (proc.returncode, out, done.err)
    tick, leaf = b.counts("tick", "leaf")
    return None if tick > 10 and abs(tick - leaf) < 2 else "calls %d, %d: %r" % (tick, leaf, done.err)


def started_by_musls_loader(b):
    if not tap.have("musl-gcc"):
        raise Skip("musl-gcc is not installed")
    program = b.build("started.c", compiler="musl-gcc")
    loader = loader_of(program)
    wrong = same(tap.run([loader, program, "7"]), b.record(loader, program, "7"))
    return wrong or (None if b.counts("tick", "leaf") == [7, 7] else b.counts("tick", "leaf"))


# Files that are not there any more, or never were


def named(b, proc, name, *options):
    """Attached to: its functions are those of a file with this name."""
    done = b.attach(proc.pid, options=options)
    lines = b.json("report")
    found = {line["module"] for line in lines if line["function"] in ("tick", "leaf")}
    return None if found == {name} else "%s: in %s; said %r" % (options, found, done.err)


def a_replaced_program(b):
    """Another file has its name by now. Its values are told by the one that runs."""
    program = b.build("started.c", "-g", out="replaced")
    proc = b.start(program)
    os.unlink(program)
    try:
        wrong = named(b, proc, "replaced")
        b.build("dispatched.c", out="replaced")
        wrong = wrong or named(b, proc, "replaced", "-m", "replaced") or \
            named(b, proc, "replaced", "-a")
    finally:
        proc.communicate(b"\n")
    shown = b.run("replay", b.trace).out
    return wrong or (None if b"tick(" in shown and b"deleted" not in shown + b.info().encode() else
                     "its arguments are not shown")


def a_name_that_ends_so(b):
    """A file may be called as the kernel calls those that are deleted."""
    program = b.build("started.c", out="odd (deleted)")
    wrong = same(tap.run([program, "7"]), b.record(program, "7"))
    return wrong or (None if b.counts("tick", "leaf") == [7, 7] else "it is not traced")


MEMFD = """import os, sys
fd = os.memfd_create("made up")
os.write(fd, open(sys.argv[1], "rb").read())
os.execve(fd, sys.argv[1:], os.environ)"""


def a_program_in_memory(b):
    program = b.build("started.c")
    proc = b.start(tap.PYTHON, "-c", MEMFD, program)
    try:
        wrong = named(b, proc, "memfd:made up", "-m", "made up") or \
            named(b, proc, "memfd:made up", "-m", "memfd:*")
    finally:
        proc.communicate(b"\n")
    b.record(tap.PYTHON, "-c", MEMFD, program, "7", options=["-m", "made up"])
    return wrong or (None if b.counts("tick", "leaf") == [7, 7] else "launched: it is not traced")


def a_replaced_library(b):
    """What debug information tells of its functions is shown all the same."""
    if os.geteuid():
        raise Skip("needs root: others may not follow the links to mapped files")
    library = b.build("plugin.c", "-g", "-shared", "-fPIC", "-Wl,-soname,libold.so", out="libold.so")
    program = b.build("started.c", "-DWITH_PLUGIN", library, "-Wl,-rpath," + b.folder, out="linked")
    b.build("plugin.c", "-shared", "-fPIC", "-O2", out="new.so")
    proc = b.start(program)
    os.rename(b.path("new.so"), library)
    try:
        done = b.attach(proc.pid, options=["-a"])
    finally:
        proc.communicate(b"\n")
    shown = b.run("replay", "-F", "set_up", b.trace).out
    lines = b.json("report")
    if {line["module"] for line in lines if line["function"] == "set_up"} != {"libold.so"}:
        return "it has another name: %r" % done.err
    return None if b"set_up(7)" in shown else "%r; said %r" % (shown[:300], done.err)


# Code that is not where its file is mapped, and data beyond the reach of a jump


def hooked_of(b, name):
    """Of a file, how many functions are hooked as `fctrace info` says it."""
    return sum(module["hooked"] for module in b.json("info")["modules"]
               if os.path.basename(module["path"]) == name)


def code_that_was_copied(b):
    """Attached to; again, with what the first left; and launched, when hooks are copied, too."""
    program = b.build("recopied.c")
    proc = b.start(program, "whole")
    for _ in range(2):
        done = b.attach(proc.pid)
        tick, leaf = b.counts("tick", "leaf")
        if tick < 10 or not hooked_of(b, "recopied"):
            break
    out = proc.communicate(b"\n")[0]
    if proc.returncode or out != b"ended\n":
        return "status %d, %r; said %r" % (proc.returncode, out, done.err)
    if tick < 10 or abs(tick - leaf) > 1 or not hooked_of(b, "recopied"):
        return "%d and %d calls, said %r" % (tick, leaf, done.err)
    wrong = same(tap.run([program, "whole", "7"]), b.record(program, "whole", "7"))
    return wrong or (None if b.counts("tick", "leaf") == [10, 10] else
                     "launched: calls %s" % b.counts("tick", "leaf"))


def code_that_was_changed(b):
    """What is there is not what the file has: it is left alone, and info claims nothing."""
    proc = b.start(b.build("recopied.c"), "changed")
    done = b.attach(proc.pid)
    proc.communicate(b"\n")
    if proc.returncode or hooked_of(b, "recopied") or b"recopied: not traced" not in done.err:
        return "status %d, %d functions are hooked, said %r" % (
            proc.returncode, hooked_of(b, "recopied"), done.err)
    return None


def much_data(b):
    for name, flags in (("grid", ()), ("grid.fixed", ("-no-pie",))):
        program = b.build("grid.c", *flags, out=name)
        wrong = same(tap.run([program]), b.record(program))
        if wrong or b.counts("sweep", "cell") != [1, 8] or not hooked_of(b, name):
            return "%s: %s" % (name, wrong or "calls %s" % b.counts("sweep", "cell"))
    return None


CASES = [
    ("a dispatch of system calls that is set later", a_dispatch_that_is_set_later),
    ("a dispatch of system calls that is refused", a_dispatch_that_is_refused),
    ("attached to, with a dispatch of system calls", a_dispatch_while_attached),
    ("fctrace is killed, with a dispatch of system calls", killed_while_dispatched),
    ("a program that translates another one", a_translator),
    ("valgrind", foreign("valgrind")),
    ("qemu-user", foreign("qemu-x86_64")),
    ("functions that a debugger calls", calls_of_a_debugger),
    ("started by ld.so", started_by_the_loader),
    ("attached to, started by ld.so", attached_to_by_the_loader),
    ("started by musl's ld.so", started_by_musls_loader),
    ("a program whose file was replaced", a_replaced_program),
    ("a program that is called as if it were deleted", a_name_that_ends_so),
    ("a program in a memfd", a_program_in_memory),
    ("a library whose file was replaced", a_replaced_library),
    ("code that was copied onto other memory", code_that_was_copied),
    ("code that was copied and changed", code_that_was_changed),
    ("more than 2 GiB of data", much_data),
]


def suite_of(suite):
    suite.run_all(CASES, Bench(suite), prefix="guests ")


if __name__ == "__main__":
    tap.main(suite_of)
