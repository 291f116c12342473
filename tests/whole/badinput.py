#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Bad input: one clear line that names the thing, a status that tells, no crash.
"""
import ctypes
import json
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip  # noqa: E402

USAGE, UNUSABLE, INCOMPLETE, FAILED, NOT_PROGRAM, NOT_FOUND = 2, 3, 4, 125, 126, 127
NOBODY = 65534
EM_386, EM_AARCH64 = 3, 183

FORBIDS = r"""
#include <stdio.h>
#include <sys/prctl.h>
int main(void) { prctl(PR_SET_DUMPABLE, 0); printf("undumpable\n"); return 6; }
"""


class Bench(bench.Bench):
    """Of an fctrace and in a folder that anyone may enter."""

    def __init__(self, suite):
        super().__init__(suite)
        self.fctrace = shutil.copy(suite.fctrace, self.folder)
        os.chmod(self.fctrace, 0o755)
        os.chmod(self.folder, 0o777)


def one_line(done, *, names=None, status=None, programs_err=b""):
    """None, or how it is not one line of fctrace's, naming the thing, with that status."""
    err = done.err.replace(programs_err, b"", 1) if programs_err else done.err
    lines = err.decode(errors="replace").splitlines()
    text = "status %d, stderr:\n%s" % (done.status, "\n".join(lines[:10]))
    if done.is_late:
        return "did not end; " + text
    if done.status >= 128:
        return "crashed; " + text
    statuses = status if isinstance(status, tuple) else (status,)
    if status is not None and done.status not in statuses:
        return "expected status %s; %s" % (" or ".join(map(str, statuses)), text)
    if len(lines) != 1 or not lines[0].startswith("fctrace: "):
        return "expected one line `fctrace: ...`; " + text
    if names and names not in lines[0]:
        return "does not name %s; %s" % (names, text)
    if "\x1b" in lines[0]:
        return "steers the terminal; " + text
    return None


# Programs


def no_such_program(b):
    return one_line(b.record("/nonexistent/program"), names="/nonexistent/program",
                    status=NOT_FOUND)


def no_such_command(b):
    return one_line(b.run("no-such-program-in-path"), names="no-such-program-in-path",
                    status=NOT_FOUND) or \
        one_line(b.run("repotr"), names="fctrace help lists those", status=NOT_FOUND)


def not_executable(b):
    path = b.write("plain.txt", "text\n")
    done = b.record(path)
    return one_line(done, names="plain.txt", status=NOT_PROGRAM)


def a_folder(b):
    return one_line(b.record(b.folder), names=b.folder, status=NOT_PROGRAM)


def no_program(b):
    bare = b.run()  # shows its help
    if bare.status != USAGE or b"PROGRAM" not in bare.err or bare.out:
        return "status %d: %s" % (bare.status, bare.err.decode())
    return one_line(b.record(), status=USAGE)


def elf_with(b, name, change):
    with open("/usr/bin/true", "rb") as f:
        image = bytearray(f.read())
    change(image)
    return b.write(name, bytes(image), 0o755)


def an_elf_of_32_bit(b):
    def change(image):
        image[4] = 1
        struct.pack_into("<H", image, 18, EM_386)
    path = elf_with(b, "elf32", change)
    return (one_line(b.record(path), names="elf32", status=NOT_PROGRAM) or
            one_line(b.run("list", path), names="elf32"))


def an_elf_of_another_machine(b):
    path = elf_with(b, "foreign", lambda image: struct.pack_into("<H", image, 18, EM_AARCH64))
    return (one_line(b.record(path), names="foreign", status=NOT_PROGRAM) or
            one_line(b.run("list", path), names="foreign"))


def a_big_endian_elf(b):
    def change(image):
        image[5] = 2
    path = elf_with(b, "bigendian", change)
    return one_line(b.record(path), names="bigendian", status=NOT_PROGRAM)


def become_nobody():
    """A damaged program may do anything: it must not do it as root, nor for long."""
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def an_elf_cut_off(b):
    for size in (1, 4, 16, 40, 63, 64, 100, 700, 4096, 9000):
        with open("/usr/bin/true", "rb") as f:
            path = b.write("cut", f.read(size), 0o755)
        bare = tap.run(["/usr/bin/env", path], cwd=b.folder, preexec=become_nobody)
        done = b.run("record", "-o", b.path("cut.trace"), path, preexec=become_nobody)
        # A program that the kernel can start runs as it does untraced, if it only crashes.
        if bare.status > 128 and done.status == bare.status:
            continue
        wrong = one_line(done, names="cut", status=(NOT_PROGRAM, NOT_FOUND))
        if wrong:
            return "%d bytes: %s" % (size, wrong)
    return None


def an_elf_with_damaged_sections(b):
    """The kernel does not look at sections: traced and run as ever, or refused in one line."""
    def change(image):
        at = struct.unpack_from("<Q", image, 40)[0]
        image[at:] = random.Random(1).randbytes(len(image) - at)
    path = elf_with(b, "sections", change)
    done = b.record(path)
    return one_line(done, names="sections", status=NOT_PROGRAM) if done.status else None


def elfs_damaged_anywhere(b):
    """Bits flipped: fctrace may say so or trace it, and ends as the program would, or in order."""
    for seed in range(40):
        rng = random.Random(seed)

        def change(image, rng=rng):
            at = rng.choice((64, 1024, len(image)))
            for _ in range(rng.choice((1, 8, 64))):
                image[16 + rng.randrange(at - 16)] ^= 1 << rng.randrange(8)
        path = elf_with(b, "damaged", change)
        bare = tap.run(["/usr/bin/env", path], cwd=b.folder, limit_s=15, preexec=become_nobody)
        done = b.run("record", "-o", b.path("damaged.trace"), path, limit_s=30,
                     preexec=become_nobody)
        listed = b.run("list", path, limit_s=20)
        if listed.is_late or listed.status >= 128:
            return "seed %d: list ended with %d: %s" % (seed, listed.status, listed.err.decode())
        if done.is_late and not bare.is_late:
            return "seed %d: record did not end" % seed
        if done.status >= 128 and bare.status < 126:
            return "seed %d: status %d, untraced %d: %s" % (
                seed, done.status, bare.status, done.err.decode(errors="replace"))
    return None


def an_empty_file(b):
    path = b.write("empty", "", 0o755)
    return one_line(b.record(path), names="empty", status=NOT_PROGRAM)


def a_script_without_its_interpreter(b):
    path = b.write("script", "#!/nonexistent/sh\necho hi\n", 0o755)
    return one_line(b.record(path), names="script", status=(NOT_PROGRAM, NOT_FOUND))


def an_empty_script(b):
    path = b.write("hollow", "#!/bin/sh\n", 0o755)
    done = b.record(path)
    return None if done.status == 0 else "status %d: %s" % (done.status, done.err.decode())


def a_set_uid_program(b):
    if os.geteuid() != 0:
        raise Skip("needs root to make one")
    path = b.path("suid-id")
    shutil.copy("/usr/bin/id", path)
    os.chmod(path, 0o4755)
    trace = b.path("suid.data")
    done = tap.run([b.fctrace, "record", "-o", trace, path], cwd=b.folder,
                   preexec=become_nobody)
    text = "status %d, stdout %s, stderr %s" % (done.status, done.out, done.err)
    if done.status != 0 or b"euid=0" in done.out:
        return "expected it to run without its privileges; " + text
    lines = done.err.decode().splitlines()
    if len(lines) != 1 or "suid-id" not in lines[0]:
        return "expected one line about its privileges; " + text
    return None


def forbid_ptrace():
    """A seccomp filter: ptrace fails with EPERM, as in many containers."""
    sock_filter = struct.pack(
        "<HBBIHBBIHBBIHBBI",
        0x20, 0, 0, 0,                      # load the number of the system call
        0x15, 0, 1, 101,                    # ptrace?
        0x06, 0, 0, 0x00050000 | 1,         # fail with EPERM
        0x06, 0, 0, 0x7fff0000)             # allow
    buffer = ctypes.create_string_buffer(sock_filter)
    prog = struct.pack("<HxxxxxxQ", 4, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.c_char_p(prog), 0, 0):
        os._exit(99)


def ptrace_is_forbidden(b):
    done = b.record("/usr/bin/true", preexec=forbid_ptrace)
    return one_line(done, names="/usr/bin/true", status=FAILED)


def check_says_that_ptrace_is_forbidden(b):
    done = b.run("check", preexec=forbid_ptrace)
    if done.status in (0, 99) or done.status >= 128 or b"ptrace" not in done.out + done.err:
        return "status %d: %s" % (done.status, (done.out + done.err).decode())
    return None


def a_target_that_forbids_being_looked_at(b):
    path = b.build("undumpable.c", text=FORBIDS)
    done = b.record(path)
    if done.status != 6 or done.out != b"undumpable\n":
        return "status %d, %r, %s" % (done.status, done.out, done.err.decode())
    return None


def a_process_of_another_user(b):
    if os.geteuid() != 0:
        raise Skip("needs root to become another user")
    with subprocess.Popen(["sleep", "60"]) as target:
        wrong = None
        for argv, status in ((["detach"], 1), (["dump"], 1), (["-o", "/dev/null", "-p"], FAILED)):
            done = b.run(*argv, str(target.pid), preexec=become_nobody)
            wrong = wrong or one_line(
                done, names="process %d: it is another user's; root may" % target.pid,
                status=status)
        target.kill()
    return wrong


def a_process_that_is_named_twice(b):
    with subprocess.Popen(["sleep", "60"]) as target:
        twice = "%d,%d" % (target.pid, target.pid)
        done = b.run("-o", "/dev/null", "-p", twice, "-p", str(target.pid), "--for", "10ms")
        target.kill()
    return None if not done.status and not done.err else done.err.decode()


# Where the trace goes


def a_trace_in_no_folder(b):
    return one_line(b.run("record", "-o", "/nonexistent/t.data", "true"),
                    names="/nonexistent/t.data", status=FAILED)


def a_trace_over_a_folder(b):
    os.makedirs(b.path("folder"), exist_ok=True)
    return one_line(b.run("record", "-o", b.path("folder"), "true"), names="folder",
                    status=FAILED)


def what_cannot_be_recorded_leaves_the_trace_before(b):
    """A name or a process id that is mistyped costs nothing; where no trace was, none is."""
    earlier, program = good_trace(b), ["/nonexistent/program"]
    for options in ([], ["--loss=ring"]):
        for what, status in ((program, NOT_FOUND), (["-p", "4194309"], FAILED)):
            for name in ("before.data", "none.data"):
                if name == "before.data":
                    shutil.copy(b.path("good.data"), b.path(name))
                    with open(b.path(name + ".old"), "wb") as f:
                        f.write(b"older")
                done = b.run("record", *options, "-o", b.path(name), *what)
                wrong = one_line(done, names=what[-1], status=status)
                if wrong:
                    return "%s %s: %s" % (options, what, wrong)
                left = {n: open(b.path(n), "rb").read() for n in os.listdir(b.folder)
                        if n.startswith(name)}
                before = {name: earlier, name + ".old": b"older"}
                if left != (before if name == "before.data" else {}):
                    return "%s %s: left %s" % (options, what, sorted(left))
    return None


def a_folder_that_is_read_only(b):
    if os.geteuid() != 0:
        raise Skip("needs root to become another user")
    closed = b.path("closed")
    os.makedirs(closed, exist_ok=True)
    os.chmod(closed, 0o755)
    done = tap.run([b.fctrace, "record", "true"], cwd=closed,
                   preexec=lambda: os.setuid(NOBODY))
    return one_line(done, names="fctrace.data", status=FAILED)


BUSY = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; echo $i; exit 5"


# More than 16 packets of events, and marks: of processes that begin within calls.
MANY_KINDS = "f() { for i in 1 2 3 4 5; do :; done; }; for i in {1..900}; do f; done; ( : ); exit 5"


def the_disk_is_full(b):
    """The target runs on to its end; what fits is kept whole; the status tells."""
    disk = b.path("disk")
    os.makedirs(disk, exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "none", disk],
                      capture_output=True, check=False).returncode:
        raise Skip("cannot mount a small disk here")
    try:
        trace = os.path.join(disk, "t.data")
        done = b.run("record", "--libs=all", "-o", trace, "/bin/sh", "-c", BUSY)
        wrong = one_line(done, names="t.data", status=FAILED)
        if not wrong and done.out != b"3000\n":
            wrong = "the target printed %r" % done.out
        if not wrong:
            report = b.run("report", trace)
            wrong = None if report.status in (0, INCOMPLETE, UNUSABLE) else (
                "report: status %d: %s" % (report.status, report.err.decode()))
        return wrong
    finally:
        subprocess.run(["umount", "-l", disk], check=False)


def the_file_may_not_grow(b):
    """RLIMIT_FSIZE holds for the target too, where the shared memory is made: one line says so."""
    done = b.run("record", "-o", b.path("limited.data"), "/bin/sh", "-c", BUSY,
                 preexec=lambda: (resource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000)),
                                  signal.signal(signal.SIGXFSZ, signal.SIG_IGN)))
    wrong = one_line(done, status=(5, FAILED))
    return wrong or (None if done.out == b"3000\n" else "the target printed %r" % done.out)


def no_file_may_grow(b):
    """One line says so, and fctrace does not die of the signal."""
    done = b.run("record", "-o", b.path("limited.data"), "/bin/true",
                 preexec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    return one_line(done, status=FAILED)


def memory_is_limited(b):
    """One line, and no core."""
    for limit, kib in (resource.RLIMIT_AS, 30000), (resource.RLIMIT_AS, 60000), \
            (resource.RLIMIT_DATA, 1000):
        for words in ("record", "-o", b.path("limited.data"), "/bin/true"), ("/bin/true",):
            done = b.run(*words,
                         preexec=lambda: resource.setrlimit(limit, (kib << 10, kib << 10)))
            if done.status and one_line(done, status=FAILED):
                return one_line(done, status=FAILED)
            if words[0] == "record" and not done.status and not done.err:
                return "%d KiB: nothing is said" % kib
    return None


def live_output_to_a_full_device(b):
    done = b.run("-o", "/dev/full", "/bin/sh", "-c", BUSY)
    wrong = one_line(done, names="/dev/full", status=FAILED)
    return wrong or (None if done.out == b"3000\n" else "the target printed %r" % done.out)


def report_to_a_full_device(b):
    good_trace(b)
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([b.fctrace, "report", b.path("good.data")], stdout=full,
                              stderr=subprocess.PIPE, check=False, timeout=tap.PATIENCE_S)
    return one_line(tap.Run(done.returncode, b"", done.stderr, False), status=(1, FAILED))


# Options


WRONG_OPTIONS = [
    ("unknown option", ["record", "--no-such-option", "true"], "--no-such-option"),
    ("unknown option of fctrace", ["--no-such-option", "true"], "--no-such-option"),
    ("an option of record", ["--dump-on=SIGUSR2", "true"], "see fctrace record --help"),
    ("an option of fctrace", ["record", "--no-time", "true"],
     "an option of fctrace, not of fctrace record"),
    ("a letter of fctrace", ["record", "-c", "true"], "-c: an option of fctrace, not"),
    ("unknown letter", ["-Q", "true"], "-Q"),
    ("bad time", ["-t", "3 parsecs", "true"], "3 parsecs"),
    ("bad time of record", ["record", "-t", "3 parsecs", "true"], "3 parsecs"),
    ("negative time", ["-t", "-5us", "true"], "-5us"),
    ("time too large", ["-t", "99999999999999999999s", "true"], "99999999999999999999s"),
    ("bad glob", ["-F", "[abc", "true"], "[abc"),
    ("bad glob of -N", ["record", "-N", "[", "true"], "["),
    ("bad glob of -m", ["record", "-m", "[x", "true"], "[x"),
    ("empty glob", ["-F", "", "true"], "pattern"),
    ("bad depth", ["-D", "deep", "true"], "deep"),
    ("depth of none", ["-D", "0x", "true"], "0x"),
    ("bad --libs", ["record", "--libs=some", "true"], "some"),
    ("bad --loss", ["record", "--loss=maybe", "true"], "maybe"),
    ("ring too small", ["record", "--ring=1K", "true"], "1K"),
    ("ring larger than memory", ["record", "--ring=64G", "true"], "64G"),
    ("ring of no size", ["-c", "--ring=large", "true"], "large"),
    ("--loss=ring too small", ["record", "--loss=ring=1K", "true"], "--loss ring=1K: too small"),
    ("--loss=ring too large", ["record", "--loss=ring=64G", "true"], "64G"),
    ("--loss=ring without record", ["--loss=ring", "true"], "fctrace record --loss=ring"),
    ("--loss=ring with --backend=step", ["record", "--loss=ring", "--backend=step", "true"],
     "--loss=ring"),
    ("--dump-on without --loss=ring", ["record", "--dump-on", "SIGUSR2", "true"], "--loss=ring"),
    ("--dump-on something else", ["record", "--loss=ring", "--dump-on", "SIGNONE", "true"],
     "SIGNONE"),
    ("--dump-on with a bad time", ["record", "--loss=ring", "--dump-on", "f>fast", "true"],
     "fast"),
    ("--dump-on with a bad glob", ["record", "--loss=ring", "--dump-on", "[f>1ms", "true"], "[f"),
    ("--dump-on what nobody sees", ["record", "--loss=ring", "--dump-on", "SIGKILL", "true"],
     "SIGKILL"),
    ("option without its value", ["record", "-o"], "-o"),
    ("a budget and only counts", ["-c", "--no-time", "--budget", "5%", "true"], "--budget"),
    ("a budget for the stepper", ["--backend=step", "--budget", "5%", "true"], "--budget"),
    ("the stepper and -p", ["--backend=step", "-p", "1"], "-p"),
    ("the stepper for a while", ["--backend=step", "--for", "1s", "true"], "--for"),
    ("the stepper off", ["record", "--backend=step", "--off", "true"], "--off"),
    ("the stepper and only counts", ["-c", "--no-time", "--backend=step", "true"], "--no-time"),
    ("a backend that is none", ["--backend=magic", "true"], "say patch or step"),
    ("--off and only counts", ["-c", "--no-time", "--off", "true"], "--off"),
    ("a budget of nothing", ["record", "--budget", "0", "true"], "0.1%"),
    ("a budget below all", ["record", "--budget=-5%", "true"], "-5%"),
    ("a budget above all", ["--budget", "101%", "true"], "101%"),
    ("a budget of words", ["--budget", "some", "true"], "some"),
    ("a budget of other units", ["-c", "--budget", "5ms", "true"], "5ms"),
    ("--no-time without -c", ["--no-time", "true"], "-c"),
    ("--no-time with a budget", ["-c", "--no-time", "--budget=5%", "true"], "--budget"),
    ("--edges without --no-time", ["-c", "--edges", "true"], "--no-time"),
    ("--edges without -c", ["--edges", "--no-time", "true"], "-c"),
    ("--edges with a filter", ["-c", "--no-time", "--edges", "-F", "main", "true"], "-F"),
    ("--edges by a key of functions", ["-c", "--no-time", "--edges", "-s", "total", "true"], "total"),
    ("functions by a key of --edges", ["-c", "-s", "callee", "true"], "callee"),
    ("counts by a key of times", ["-c", "--no-time", "-s", "calls,self", "true"], "self"),
    ("--no-time with a filter", ["-c", "--no-time", "-F", "main", "true"], "-F"),
    ("bad sort key", ["report", "-s", "beauty", "good.data"], "beauty"),
    ("bad number of rows", ["report", "-n", "many", "good.data"], "many"),
    ("bad tid", ["report", "--tid", "me", "good.data"], "me"),
    ("calls where there are no sums", ["export", "-f", "jsonl", "--by-calls", "good.data"], "--by-calls"),
    ("waits where there are no sums", ["export", "-f", "jsonl", "--wait", "good.data"], "--wait"),
    ("waits and calls", ["export", "-f", "folded", "--wait", "--by-calls", "good.data"], "--by-calls"),
    ("threads where there are no stacks", ["export", "-f", "dot", "--by-thread", "good.data"],
     "--by-thread"),
    ("a limit where all is told", ["export", "-f", "folded", "--min", "1", "good.data"], "--min"),
    ("sources where none are named", ["export", "-f", "dot", "--srcline", "good.data"],
     "--srcline"),
    ("bad share", ["export", "-f", "dot", "--min", "101", "good.data"], "101"),
    ("two traces", ["report", "good.data", "good.data"], "good.data"),
]


def wrong_option(args, names):
    def case(b):
        good_trace(b)
        return one_line(b.run(*args), names=names, status=USAGE)
    return case


def list_of_nothing(b):
    return (one_line(b.run("list", "/nonexistent"), names="/nonexistent") or
            one_line(b.run("list", b.write("notelf", "x" * 5000)), names="notelf") or
            one_line(b.run("list", "--why", "no_such_function", "/usr/bin/true"),
                     names="no_such_function", status=1) or
            one_line(b.run("list", "-F", "no_such*", "/usr/bin/true"),
                     names="-F no_such*: no function of /usr/bin/true matches", status=0))


def a_name_that_no_call_has(b):
    good_trace(b)
    trace = b.path("good.data")
    for argv in (["-o", "/dev/null"], ["-c", "-o", "/dev/null"], ["record", "-o", "/dev/null"]):
        done = b.run(*argv, "-F", "nothing_is_called_so", "-F", "*", "/usr/bin/true")
        wrong = one_line(done, names="nothing_is_called_so", status=0)
        if wrong:
            return "%s: %s" % (argv, wrong)
    return (one_line(b.run("replay", trace, "-F", "nope"), names="nope", status=0) or
            one_line(b.run("report", trace, "--tid=7777777"), names="7777777", status=1) or
            one_line(b.run("export", "-f", "folded", "--wait", trace), names="--waits", status=1))


def options_that_leave_nothing(b):
    """It runs all the same; a line says why nothing is there."""
    for argv in (["-o", "/dev/null"], ["-c", "-o", "/dev/null"], ["record", "-o", "/dev/null"]):
        for options, names in ((["-m", "nothing_is_called_so"], "-m nothing_is_called_so"),
                               (["--off"], "fctrace ctl PID on")):
            wrong = one_line(b.run(*argv, *options, "/usr/bin/true"), names=names, status=0)
            if wrong:
                return "%s %s: %s" % (argv, options, wrong)
    return one_line(b.run("-m", "libc.so*", "-o", "/dev/null", "/nonexistent"), status=NOT_FOUND)


def options_behind_the_file(b):
    good_trace(b)
    trace = b.path("good.data")
    for argv in (["report", trace, "-n", "1", "--json"], ["info", trace, "--json"],
                 ["list", "/usr/bin/true", "--json"]):
        done = b.run(*argv)
        if done.status or not json.loads(done.out):
            return "%s: status %d: %s" % (argv, done.status, done.err.decode())
    done = b.run("record", "-o", "/dev/null", "/bin/echo", "-n", "--json")
    if done.out != b"--json" or done.status:
        return "options of the program were taken: %r" % done.out
    return one_line(b.run("info", trace, "--nonsense"), names="--nonsense", status=USAGE)


# Traces


def good_trace(b):
    """With room for all of its calls: of a program that had to wait, report has more to say."""
    path = b.path("good.data")
    if not os.path.exists(path):
        done = b.run("record", "--ring=64M", "-o", path, "/bin/sh", "-c", BUSY)
        if done.status != 5:
            raise RuntimeError("record: status %d: %s" % (done.status, done.err.decode()))
    with open(path, "rb") as f:
        return f.read()


READERS = ("report", "replay", "info")


def each_reader(b, name, status):
    for reader in READERS:
        wrong = one_line(b.run(reader, b.path(name)), names=name, status=status)
        if wrong:
            return "%s: %s" % (reader, wrong)
    return None


def a_trace_that_is_not_there(b):
    wrong = each_reader(b, "missing.data", UNUSABLE)
    return wrong or one_line(tap.run([b.fctrace, "info"], cwd="/"), names="fctrace record",
                             status=UNUSABLE)


def an_empty_trace(b):
    b.write("empty.data", "")
    return each_reader(b, "empty.data", UNUSABLE)


def not_a_trace(b):
    b.write("text.data", "just text\n" * 1000)
    shutil.copy("/usr/bin/true", b.path("elf.data"))
    b.write("zeros.data", bytes(100000))
    return (each_reader(b, "text.data", UNUSABLE) or each_reader(b, "elf.data", UNUSABLE) or
            each_reader(b, "zeros.data", UNUSABLE))


def a_folder_as_trace(b):
    os.makedirs(b.path("dir.data"), exist_ok=True)
    return each_reader(b, "dir.data", UNUSABLE)


def a_trace_of_a_later_version(b):
    image = bytearray(good_trace(b))
    struct.pack_into("<H", image, 8, 999)
    struct.pack_into("<I", image, 12, crc32c(image[:12]))
    b.write("later.data", bytes(image))
    return each_reader(b, "later.data", UNUSABLE)


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


def traces_cut_off(b):
    """Anywhere: readable up to there, and said; nothing that was whole is lost."""
    image = good_trace(b)
    calls = []
    for percent in (0.1, 1, 5, 20, 40, 60, 80, 90, 99, 99.9):
        size = max(1, int(len(image) * percent / 100))
        b.write("cut.data", image[:size])
        for reader in READERS:
            wrong = one_line(b.run(reader, b.path("cut.data")), names="cut.data",
                             status=(UNUSABLE, INCOMPLETE))
            if wrong:
                return "%s of %s %%: %s" % (reader, percent, wrong)
        info = b.run("info", "--json", b.path("cut.data"))
        calls.append(json.loads(info.out)["calls"] if info.status == INCOMPLETE else 0)
    whole = b.json("info", trace="good.data")["calls"]
    if calls != sorted(calls) or calls[-1] > whole or (whole and not calls[-2]):
        return "calls that could be read: %s of %d" % (calls, whole)
    return None


def damage_is_told(b, name, readers):
    """info reads no events: it may not see what is wrong with them."""
    for reader in readers:
        done = b.run(reader, b.path(name))
        if reader == "info" and done.status == 0:
            continue
        wrong = one_line(done, names=name, status=(UNUSABLE, INCOMPLETE))
        if wrong:
            return "%s: %s" % (reader, wrong)
    return None


def traces_damaged(b):
    """A flipped bit anywhere is found: checksums cover everything."""
    image = good_trace(b)
    rng = random.Random(3)
    for _ in range(60):
        at = rng.randrange(len(image))
        damaged = bytearray(image)
        damaged[at] ^= 1 << rng.randrange(8)
        b.write("damaged.data", bytes(damaged))
        wrong = damage_is_told(b, "damaged.data", [rng.choice(READERS)])
        if wrong:
            return "byte %d of %d: %s" % (at, len(image), wrong)
    return None


def packets(image):
    """Of each kind the last one: its place and the length of its payload."""
    found, at = {}, 16
    while image[at:at + 4] == b"\x8ffcP":
        size = struct.unpack_from("<I", image, at + 12)[0]
        found[image[at + 4]] = (at, size)
        at += 32 + size
    return found


def packets_of_each_kind_damaged(b):
    """Those that nothing shown depends on, too: sums of marks, which functions are where."""
    path = b.path("kinds.data")
    done = b.run("record", "--ring=64M", "-o", path, "/bin/bash", "-c", MANY_KINDS)
    with open(path, "rb") as f:
        image = f.read()
    found = packets(image)
    if done.status != 5 or not {2, 3, 4, 5, 6, 8, 11, 12} <= set(found):
        raise RuntimeError("record: status %d, kinds %s" % (done.status, sorted(found)))
    for kind, (at, size) in found.items():
        for where in (at + 9, at + 32 + size // 2):
            damaged = bytearray(image)
            damaged[where] ^= 4
            b.write("kind.data", bytes(damaged))
            by_turns = [reader for nr, reader in enumerate(("report", "replay", "graph"))
                        if b.suite.has_turn("kind %d" % kind, 3, nr + (where != at + 9))]
            wrong = damage_is_told(b, "kind.data", by_turns)
            if wrong:
                return "kind %d, byte %d of it: %s" % (kind, where - at, wrong)
    return None


def traces_full_of_noise(b):
    image = good_trace(b)
    for seed in range(20):
        rng = random.Random(seed)
        at = rng.randrange(16, len(image))
        noise = rng.randbytes(min(3000, len(image) - at))
        b.write("noise.data", image[:at] + noise + image[at + len(noise):])
        wrong = damage_is_told(b, "noise.data", READERS)
        if wrong:
            return "noise %d at %d: %s" % (seed, at, wrong)
    return None


CASES = [
    no_such_program, no_such_command, not_executable, a_folder, no_program, an_elf_of_32_bit,
    an_elf_of_another_machine, a_big_endian_elf, an_elf_cut_off, an_elf_with_damaged_sections,
    elfs_damaged_anywhere, an_empty_file, a_script_without_its_interpreter, an_empty_script,
    a_set_uid_program, ptrace_is_forbidden, check_says_that_ptrace_is_forbidden, a_target_that_forbids_being_looked_at,
    a_process_of_another_user, a_process_that_is_named_twice, a_trace_in_no_folder,
    a_trace_over_a_folder, what_cannot_be_recorded_leaves_the_trace_before,
    a_folder_that_is_read_only, the_disk_is_full, the_file_may_not_grow,
    no_file_may_grow, memory_is_limited,
    live_output_to_a_full_device, report_to_a_full_device, list_of_nothing,
    a_name_that_no_call_has, options_that_leave_nothing, options_behind_the_file,
    a_trace_that_is_not_there, an_empty_trace, not_a_trace, a_folder_as_trace,
    a_trace_of_a_later_version, traces_cut_off, traces_damaged,
    packets_of_each_kind_damaged, traces_full_of_noise,
]


def suite_of(suite):
    bench = Bench(suite)
    suite.run_all(CASES, bench, prefix="badinput ")
    suite.run_all([(what, wrong_option(argv, names)) for what, argv, names in WRONG_OPTIONS], bench,
                  prefix="badinput option: ")


if __name__ == "__main__":
    tap.main(suite_of)
