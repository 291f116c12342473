#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A running session is told what to show: what it records is then exactly that, and the
programs never notice.
"""
import os
import re
import struct
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../.."), os.path.join(HERE, "..")]
import attaching  # noqa: E402
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

NO, USAGE = 1, 2
MANY_TRIES = 50
NR_THREADS = 64


class Bench(attaching.Bench):
    folders = [attaching.PROGRAMS, os.path.join(HERE, "programs")]

    def start(self, name, *args, steady=False):
        """Heaps grow while they are at work."""
        return super().start(name, *args, steady=steady)

    def ctl(self, pid, *words):
        """What it answers; it must be done."""
        out, err = self.must("ctl", str(pid), *words)
        if err:
            raise Wrong("ctl %s: %s" % (" ".join(words), err))
        return out

    def ctl_soon(self, pid, *words):
        """The same, where threads may wait in the kernel for a CPU: it says so, and to try again."""
        for _ in range(MANY_TRIES):
            done = self.run("ctl", str(pid), *words)
            if b"cannot be stopped" not in done.err:
                break
        if done.status or done.err:
            raise Wrong("ctl %d %s: %s" % (pid, " ".join(words), done.err.decode()))
        return done.out.decode()

    def attach_for_ctl(self, target, *args):
        controller = self.attach(target, *args)
        self.ctl(target.pid, "status")
        return controller

    def refuse(self, *words, says, status):
        done = self.run("ctl", *words)
        attaching.expect_line(done, says, status)


def counts(line):
    words = line.split()
    return {name: int(nr) for name, nr in zip(words[::2], words[1::2])}


def expect_counts(bench, expected):
    got = bench.calls_of(expected)
    if got != expected:
        raise Wrong("recorded %s, expected %s" % (got, expected))
    if bench.json("info")["lost"]:
        raise Wrong("records were lost")


def add(sums, more):
    for name, nr in more.items():
        sums[name] = sums.get(name, 0) + nr


def end(controller):
    for line in attaching.stop(controller).splitlines():
        print("# it said: " + line)


def nr_done(answer, word):
    found = re.match(r"(\d+) functions? %s in ([\d.]+) ms" % word, answer)
    if not found:
        raise Wrong("answers: " + answer)
    return int(found.group(1)), float(found.group(2))


# ---- truth


def status_tells(bench):
    target = bench.start("counted")
    controller = bench.attach(target)
    for pid in (target.pid, controller.pid):
        text = bench.ctl(pid)
        for line in ("traced     1 process, 1 thread", "recording  on", "filters    none",
                     r"functions  \d+ hooked, 0 unhooked", r"records    \d+ taken, 0 lost"):
            if not re.search("^%s$" % line, text, re.M):
                raise Wrong("no line '%s' in:\n%s" % (line, text))
    end(controller)
    info = bench.run("info", bench.trace).out.decode()
    if not info.startswith("command    none: what was traced ran already\n"):
        raise Wrong("info begins with " + info[:80])
    target.check_unharmed()


def status_tells_of_no_records(bench):
    def says(target, text):
        status = bench.ctl(target.pid)
        if "records    %s\n" % text not in status + "\n":
            raise Wrong(status)

    target = bench.start("counted")
    controller = bench.attach(target, "--loss=ring")
    says(target, "kept in rings, until they are dumped")
    end(controller)
    controller = subprocess.Popen([bench.fctrace, "-c", "--no-time", "-o", os.devnull, "-p",
                                   str(target.pid)], stderr=subprocess.PIPE)
    tap.wait_until(lambda: attaching.changed_code(target.pid), "attaching")
    says(target, "none: calls are counted")
    end(controller)
    target.check_unharmed()


def unhooked_is_not_recorded(bench):
    """Each call that is made while its function is hooked, and no other."""
    target = bench.start("counted")
    controller = bench.attach_for_ctl(target)
    sums = {}
    add(sums, counts(target.ask("calls")))
    if nr_done(bench.ctl(target.pid, "unhook", "fib", "counted:step", "odd"), "unhooked")[0] != 3:
        raise Wrong("not three functions")
    got = counts(target.ask("calls"))
    add(sums, dict(got, fib=0, step=0, odd=0))
    nr_done(bench.ctl(target.pid, "hook", "counted:fib"), "hooked")
    got = counts(target.ask("calls"))
    add(sums, dict(got, step=0, odd=0))
    if not re.match("2 functions hooked in .*; 1 hooked already",
                    bench.ctl(target.pid, "hook", "counted:step", "odd", "fi[b]")):
        raise Wrong("hooks what is hooked")
    add(sums, counts(target.ask("calls")))
    end(controller)
    expect_counts(bench, sums)
    attaching.check_nesting(bench)
    target.check_unharmed()


def let_go_while_unhooked(bench):
    target = bench.start("counted")
    for way in ("interrupt", "detach"):
        controller = bench.attach_for_ctl(target)
        bench.ctl(target.pid, "unhook", "*")
        target.ask("calls")
        if way == "detach":
            attaching.expect_silence(bench.run("detach", str(target.pid)))
            attaching.expect_end(controller)
        else:
            end(controller)
            target.check_clean()
    target.check_end()


def off_and_on(bench):
    target = bench.start("counted")
    controller = bench.attach_for_ctl(target, "--off")
    sums = {}
    add(sums, dict.fromkeys(counts(target.ask("calls")), 0))
    for _ in range(5):
        bench.ctl(target.pid, "on")
        add(sums, counts(target.ask("calls")))
        bench.ctl(target.pid, "off")
        target.ask("calls")
    end(controller)
    expect_counts(bench, sums)
    target.check_unharmed()


FILTERS = [
    (["-F", "fib"], {"fib"}),
    (["-F", "worker", "-F", "even"], {"worker", "step", "even", "odd"}),
    (["--all", "-N", "even", "-N", "worker"], {"calls", "fib"}),
    (["--all", "-D", "1", "-F", "calls"], {"calls"}),
    (["-D", "2"], {"calls", "even*", "fib*"}),
    (["--all", "-t", "10s"], set()),
    (["--all"], {"calls", "even", "odd", "fib", "worker", "step"}),
]


def filters_change(bench):
    """What is shown is what is asked for, from then on; the tree stays whole."""
    target = bench.start("counted")
    controller = bench.attach_for_ctl(target)
    sums = {}
    add(sums, counts(target.ask("calls")))
    for words, names in FILTERS:
        bench.ctl(target.pid, *words)
        got = counts(target.ask("calls"))
        # With -D 2 each is called once by calls() itself; even() twice.
        once = {"even": 2, "fib": 1}
        add(sums, {name: nr if name in names else once.get(name, 0) if name + "*" in names else 0
                   for name, nr in got.items()})
    end(controller)
    expect_counts(bench, sums)
    attaching.check_nesting(bench)
    said = bench.run("info", bench.trace).out.decode()
    if "filters from here on: -F fib (fctrace ctl)" not in said:
        raise Wrong("info does not tell of the filters")
    target.check_unharmed()


def filters_of_a_printer(bench):
    """fctrace PROGRAM, not record: the tree on its way to the terminal."""
    out = bench.path("tree.txt")
    target = bench.start("counted")
    controller = subprocess.Popen([bench.fctrace, "-o", out, "-p", str(target.pid)],
                                  cwd=bench.folder, stderr=subprocess.PIPE)
    bench_wait(target)
    told = {}

    def shown():
        with open(out, encoding="utf-8") as f:
            text = f.read()
        return {name: len(re.findall(r"\| +%s\(\)" % name, text)) for name in told}

    def wait_shown(more):
        """What was called so far is shown before the filters change: they are the printer's."""
        add(told, more)
        tap.wait_until(lambda: shown() == told, "showing %s" % told)

    names = ("fib", "even", "step")
    for words, seen in (None, names), (["-F", "even"], ("even",)), (["--all"], names):
        if words:
            bench.ctl(target.pid, *words)
        got = counts(target.ask("calls"))
        wait_shown({name: got[name] if name in seen else 0 for name in names})
    end(controller)
    if shown() != told:
        raise Wrong("shown %s, expected %s" % (shown(), told))
    target.check_unharmed()


def bench_wait(target):
    tap.wait_until(lambda: attaching.changed_code(target.pid), "attaching")


def later_programs(bench):
    """A program that is executed, or forked, after its functions were unhooked."""
    bench.program("counted")
    bench.write("orders", "calls\n")
    script = "./counted <orders; echo first; read x; ./counted <orders; (./counted <orders)"
    controller = subprocess.Popen(
        [bench.fctrace, "record", "-o", bench.trace, "sh", "-c", script], cwd=bench.folder,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = []
    while not lines or lines[-1] != "first\n":
        lines.append(controller.stdout.readline().decode())
        if not lines[-1]:
            raise Wrong("the first did not end: " + controller.stderr.read().decode())
    nr_done(bench.ctl(controller.pid, "unhook", "fib", "odd"), "unhooked")
    out, _ = controller.communicate(b"go\n", timeout=tap.PATIENCE_S)
    lines += out.decode().splitlines()
    told = [counts(line) for line in lines if line.startswith("calls ")]
    if controller.returncode or len(told) != 3:
        raise Wrong("status %d, says %s" % (controller.returncode, lines))
    sums = told[0]
    for more in told[1:]:
        add(sums, dict(more, fib=0, odd=0))
    expect_counts(bench, sums)


# ---- under load


def rounds_of(bench, pid, nr, *globs):
    """For how long it was stopped, in ms, the shortest first."""
    stops = []
    for _ in range(nr):
        for word, done in (("unhook", "unhooked"), ("hook", "hooked")):
            stops.append(nr_done(bench.ctl_soon(pid, word, *globs), done)[1])
    return sorted(stops)


def tell_stops(what, stops):
    print("# %s: stopped for %.1f ms (median), %.1f to %.1f ms" % (
        what, stops[len(stops) // 2], stops[0], stops[-1]))


def many_threads(bench):
    """What is not touched stays exact while the hooks around it come and go."""
    controller = subprocess.Popen(
        [bench.fctrace, "record", "-o", bench.trace, bench.program("many"), str(NR_THREADS)],
        cwd=bench.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)
    if controller.stdout.readline() != b"ready\n":
        raise Wrong("it did not begin")
    stops = rounds_of(bench, controller.pid, bench.rounds(100, 1000), "toggled", "deep",
                      "libc*:*")
    tell_stops("%d threads" % NR_THREADS, stops)
    out, err = controller.communicate(b"", timeout=tap.PATIENCE_S)
    lines = out.decode().splitlines()
    if controller.returncode or err or not lines[-1].startswith("ok "):
        raise Wrong("status %d, says %s %s" % (controller.returncode, lines, err))
    told = counts(lines[0].replace("calls ", ""))
    expect_counts(bench, {"steady": told["steady"]})
    got = bench.calls_of(["toggled", "deep"])
    if not all(0 < got[name] < told[name] for name in got):
        raise Wrong("recorded %s of %s" % (got, told))
    # As it takes when the machine has nothing else to do.
    if stops[0] > 50:
        raise Wrong("threads were stopped for %.1f ms each time" % stops[0])


def storm(name, libs="all"):
    """Programs that return by other ways, while all their hooks come and go."""
    def check(bench):
        target = bench.start(name)
        controller = bench.attach_for_ctl(target, "--libs=" + libs)
        rounds_of(bench, target.pid, bench.rounds(8, 200), "*")
        end(controller)
        target.check_unharmed()
    return check


def a_handler_goes_back(bench):
    """Into a function's first instructions: while it waits in the agent, on whatever stack."""
    target = bench.start("passing", "small")
    controller = bench.attach_for_ctl(target, "--libs=none")
    target.order("often")
    for _ in range(bench.rounds(25, 500)):
        for word in ("unhook", "hook"):
            bench.run("ctl", str(target.pid), word, "hot")
            time.sleep(bench.rng.uniform(0, 0.02))
    if target.has_ended():
        target.check_end()
    end(controller)
    target.check_unharmed()


def a_server(bench):
    """Not one of its replies is wrong or missing."""
    server = bench.start("server")
    client = bench.start("client", server.head[0].decode().strip())
    controller = bench.attach_for_ctl(server, "--libs=all")
    tell_stops("server", rounds_of(bench, server.pid, bench.rounds(100, 1000), "*"))
    end(controller)
    nr = client.check_end()
    if int(nr.split()[1]) < 100:
        raise Wrong("the client asked too little: " + nr)
    server.check_unharmed()


def killed_meanwhile(bench):
    """kill -9 of fctrace while hooks come and go."""
    for i in range(bench.rounds(8, 100)):
        target = bench.start("many", "8")
        controller = bench.attach_for_ctl(target)
        client = subprocess.Popen(
            ["sh", "-c", 'while "$0" ctl "$1" unhook "*" && "$0" ctl "$1" hook "*"; do :; done',
             bench.fctrace, str(target.pid)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(bench.rng.uniform(0.02, 0.15))
        controller.kill()
        controller.wait()
        controller.stderr.close()
        client.wait(tap.PATIENCE_S)
        if target.has_ended():
            raise Wrong("round %d: %s" % (i, target.check_end()))
        if i % 2:
            done = bench.run("detach", str(target.pid))
            attaching.expect_silence(done)
            target.check_clean()
        target.check_end()


# ---- who may, and what is no request


def another_user(bench):
    if os.getuid():
        raise Skip("not root")
    if not os.access(bench.fctrace, os.X_OK):
        raise Skip("fctrace cannot be executed")
    target = bench.start("counted")
    controller = bench.attach_for_ctl(target)
    for pid in (target.pid, controller.pid):
        done = tap.run([bench.fctrace, "ctl", str(pid), "off"], cwd="/",
                       preexec=attaching.as_nobody)
        attaching.expect_line(done, "refused: only user 0", NO)
    if "recording  on" not in bench.ctl(target.pid):
        raise Wrong("it was told all the same")
    end(controller)
    target.check_unharmed()
    return None


def root_of_a_user(bench):
    """Root may talk to a user's session."""
    if os.getuid():
        raise Skip("not root")
    folder = bench.path("nobody")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o777)
    controller = subprocess.Popen([bench.fctrace, "record", "-o", "t.data", "sleep", "3600"],
                                  cwd=folder, preexec_fn=attaching.as_nobody,
                                  stderr=subprocess.PIPE, start_new_session=True)
    tap.wait_until(lambda: not bench.run("ctl", str(controller.pid)).status, "an answer")
    controller.terminate()
    controller.wait(tap.PATIENCE_S)
    tap.kill_session(controller.pid)  # the program goes on
    return None


class SilentClient(threading.Thread):
    """It connects and says nothing, again and again: who waits for it waits for ever."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.is_over = pid, False
        self.start()

    def run(self):
        while not self.is_over:
            try:
                client = attaching.connect(self.pid)
                client.recv(1)  # until it is sent away
                client.close()
            except OSError:
                time.sleep(0.001)


def hostile_clients(bench):
    """Whoever connects and says nothing, or nonsense, holds nobody up."""
    target = bench.start("counted")
    controller = bench.attach_for_ctl(target)
    silent = [SilentClient(controller.pid) for _ in range(3)]
    requests = [b"\0", b"x", b"nosuch\0", b"hook\0", b"hook\0[\0", b"unhook\0\0",
                b"filter\0-Q\0x\0", b"filter\0-D\0", b"filter\0-D\0-1\0", b"filter\0-t\0x\0",
                b"filter\0-F\0[\0", b"a\0" * 5000, b"x" * 40000 + b"\0", b"status\0" * 513,
                struct.pack("<Q", 0x1234567890)]
    requests += [bytes(bench.rng.randrange(256) for _ in range(bench.rng.randrange(1, 200)))
                 for _ in range(50)]
    for request in requests:
        client = attaching.connect(controller.pid)
        client.send(request)
        answer = client.recv(65536)
        if not answer or answer[:1] not in (b"1", b"2") or len(answer) < 5:
            raise Wrong("%r is answered by %r" % (request[:50], answer))
        client.close()
    gone = attaching.connect(controller.pid)
    gone.send(b"status\0")
    gone.close()
    got = counts(target.ask("calls"))
    text = bench.ctl(target.pid)
    if "recording  on" not in text or "filters    none" not in text or \
            ", 0 unhooked" not in text:
        raise Wrong("something was done: " + text)
    end(controller)
    for client in silent:
        client.is_over = True
    expect_counts(bench, got)
    target.check_unharmed()


def nothing_is_inherited(bench):
    """The target has no descriptor of the socket."""
    out = bench.run("record", "-o", bench.trace, "ls", "-l", "/proc/self/fd").out.decode()
    if "socket:" in out or "eventfd" in out:
        raise Wrong(out)


def refused(*words, says, status):
    return lambda bench: bench.refuse(*words, says=says, status=status)


def not_traced(bench):
    target = bench.start("counted")
    bench.refuse(str(target.pid), says="process %d is not traced by fctrace" % target.pid,
                 status=NO)
    target.check_unharmed()


def wrong_words(bench):
    target = bench.start("counted")
    controller = bench.attach_for_ctl(target)
    pid = str(target.pid)
    for words, says, status in (
            (["start"], "start: no such command", USAGE),
            (["unhook"], "unhook: no function given", USAGE),
            (["on", "off"], "on takes no words", USAGE),
            (["off", "-F", "x"], "either a command or filters", USAGE),
            (["unhook", "nosuch*"], r"nosuch*: no function that matches", NO),
            (["unhook", "calls", "nosuch"], r"nosuch: no function that matches", NO),
            (["unhook", "evne"], "evne: no function that matches has a hook; did you mean even?", NO),
            (["unhook", "a[b"], "a [ without its ]", USAGE),
            (["-F", ""], "an empty pattern", USAGE),
            (["-D", "0"], "0: not a depth", USAGE),
            (["-t", "5"], "5: not a time", USAGE)):
        bench.refuse(pid, *words, says=says, status=status)
    end(controller)
    target.check_unharmed()


# Whole pages cannot be written into the memory of the process whose number is in $READ_ONLY.
FAULTS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t off)
{
	ssize_t (*write)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
	char link[64], path[64] = "", mem[64] = "/proc/";
	FILE *f = fopen(getenv("READ_ONLY"), "re");
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (!f)
		return write(fd, bytes, size, off);
	if (readlink(link, path, sizeof(path) - 1) < 0 || !fgets(mem + 6, 20, f))
		mem[0] = 0;
	fclose(f);
	strcat(mem, "/mem");
	if (strcmp(path, mem) || size % 4096 || off % 4096)
		return write(fd, bytes, size, off);
	errno = EIO;
	return -1;
}
"""


class ReadOnly:
    """fctrace is run so that of() makes a process' code read-only for it."""

    def __init__(self, bench):
        self.path = bench.path("read-only")
        self.env = {"LD_PRELOAD": bench.build("faults.c", "-shared", "-fPIC", out="faults.so", text=FAULTS),
                    "READ_ONLY": self.path}

    def __enter__(self):
        os.environ.update(self.env)
        return self

    def __exit__(self, *why):
        for name in self.env:
            del os.environ[name]

    def of(self, pid):
        if os.path.exists(self.path):
            os.unlink(self.path)
        if pid:
            with open(self.path, "w", encoding="ascii") as f:
                f.write(str(pid))


def code_that_cannot_be_written(bench):
    """A hook that cannot be removed in one process stays in all, is told, and is counted."""
    targets = [bench.start("counted") for _ in range(2)]
    with ReadOnly(bench) as faults:
        faults.of(0)
        controller = bench.begin("-p", ",".join(str(target.pid) for target in targets))
        tap.wait_until(lambda: all(attaching.changed_code(t.pid) for t in targets),
                             "attaching")
    sums, pid = {}, str(targets[0].pid)
    for hook, word in ((False, "unhook"), (True, "hook")):
        for faulty in targets:
            faults.of(faulty.pid)
            state = "unhooked" if hook else "hooked"
            done = bench.run("ctl", pid, word, "fib", "even")
            attaching.expect_line(
                done, "0 functions %sed in" % word, NO)
            if not re.search(r"; 2 left %s: process %d: cannot write the target's memory at "
                             r"0x[0-9a-f]+: Input/output error$" % (state, faulty.pid),
                             done.err.decode(), re.M):
                raise Wrong(done.err.decode())
            if (", %d unhooked" % (2 if hook else 0)) not in bench.ctl(pid):
                raise Wrong(bench.ctl(pid))
            for target in targets:
                got = counts(target.ask("calls"))
                add(sums, dict(got, fib=0, even=0) if hook else got)
        faults.of(0)
        if nr_done(bench.ctl(pid, word, "fib", "even"), word + "ed")[0] != 2:
            raise Wrong("not two functions")
        for target in targets:
            got = counts(target.ask("calls"))
            add(sums, got if hook else dict(got, fib=0, even=0))
    end(controller)
    expect_counts(bench, sums)
    for target in targets:
        target.check_unharmed()


def code_that_cannot_be_written_at_the_end(bench):
    """What the hooks that stay lead to stays as well, until they can be removed."""
    target = bench.start("counted")
    with ReadOnly(bench) as faults:
        faults.of(0)
        controller = bench.attach_for_ctl(target)
    target.ask("calls")
    faults.of(target.pid)
    err = attaching.stop(controller)
    faults.of(0)
    if "hooks stay in process %d, unused: cannot write the target's memory" % target.pid not in err:
        raise Wrong("says %r" % err)
    for _ in range(3):
        target.ask("calls")
    attaching.expect_silence(bench.run("detach", str(target.pid)))
    target.check_unharmed()


CASES = [("ctl: " + name, check) for name, check in [
    ("status", status_tells),
    ("status without records", status_tells_of_no_records),
    ("calls of unhooked functions are not recorded", unhooked_is_not_recorded),
    ("it lets go while functions are unhooked", let_go_while_unhooked),
    ("code that cannot be written", code_that_cannot_be_written),
    ("code that cannot be written at the end", code_that_cannot_be_written_at_the_end),
    ("off and on", off_and_on),
    ("filters change", filters_change),
    ("filters of a printer change", filters_of_a_printer),
    ("programs that are executed later", later_programs),
    ("%d threads" % NR_THREADS, many_threads),
    ("a server under load", a_server),
    ("threads that compute", storm("computing")),
    ("threads that wait in every way", storm("waiting")),
    ("thousands of open calls", storm("deep", "api")),
    ("C++ exceptions", storm("throwing")),
    ("longjmp", storm("jumping")),
    ("fibres that change threads", storm("fibres")),
    ("a storm of signals", storm("handlers")),
    ("a handler on a small stack goes back", a_handler_goes_back),
    ("forks", storm("forking")),
    ("births and deaths of threads", storm("births")),
    ("vfork, posix_spawn and exec", storm("spawning")),
    ("kill -9 meanwhile", killed_meanwhile),
    ("another user is refused", another_user),
    ("root is heard", root_of_a_user),
    ("who says nothing, or nonsense", hostile_clients),
    ("nothing is inherited", nothing_is_inherited),
    ("a process that is not traced", not_traced),
    ("wrong words", wrong_words),
    ("no process", refused(says="which process?", status=USAGE)),
    ("abc", refused("abc", says="abc: neither a process id nor the name", status=USAGE)),
    ("0", refused("0", says="0: not a process id", status=USAGE)),
    ("a process that is not there", refused("2147483647", says="there is no process 2147483647",
                                            status=NO)),
]]


if __name__ == "__main__":
    tap.main(lambda suite: attaching.run_all(suite, CASES, Bench(suite)), seed=tap.SEED)
