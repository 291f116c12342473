#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace ends when what it was asked to run has ended, with its status: never earlier, and
always. One SIGINT or SIGTERM lets go.
"""
import os
import select
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import child_of  # noqa: E402


class Bench(bench.Bench):
    flags = ["-O1", "-Wall", "-Wextra", "-pthread", "-I", os.path.join(tap.TOP, "src")]
    limit_s = 2 * tap.TIME_LIMIT_S

    def __init__(self, suite):
        super().__init__(suite)
        self.checked = suite.args.sanitized or self.fctrace


# ---- targets that use ptrace themselves

WORK = 177  # calls that work(10) makes
# What it says where it would not end without fctrace: its parent would have to know of it.
THREADS = """once: 0
twice: -1 with an error
a thread once: 0
a thread twice: -1 with an error
written: 1
"""
# How a program uses ptrace, and how many of its calls must be in the trace.
TRACING = {
    "me": WORK, "me-by-syscall": 0, "me-by-instruction": WORK, "me-and-threads": 0,
    "by-child": 0, "seized-by-child": 0, "by-child-again": 0, "by-child-to-the-end": 0,
    "by-child-then-me": 0, "own-child": 0, "siblings": 0, "itself": 0,
    "who-executes": 0,
}
KNOWN = {"me-and-threads": (8, THREADS.encode())}


def uses_ptrace(b, way, below):
    """below: a shell is its parent, and traced, too."""
    argv = [b.build("tracing.c"), way]
    want = KNOWN.get(way)
    if not want:
        bare = tap.run(argv)
        want = bare.status, bare.out
    shell = ["/bin/sh", "-c", '"$0" "$1"; exit $?'] if below else []
    done = b.record(*shell, *argv)
    if done.is_late:
        return "does not end"
    if (done.status, done.out) != want:
        return "status %d, untraced %d; %s\n%s" % (done.status, want[0], tap.excerpt(
            want[1], done.out), done.err.decode(errors="replace"))
    if not below and b.calls()["work"] < TRACING[way]:
        return "%d calls of work() are in the trace" % b.calls()["work"]
    return None


def cases_of_tracing(b, suite):
    for way in TRACING:
        for below in (False, True):
            name = "endings ptrace %s%s" % (way, " below a shell" if below else "")
            # A shell does not know of threads that it is to trace: bare, too, it waits for ever.
            if (below and way in KNOWN) or not suite.wants(name):
                continue
            suite.case(name, uses_ptrace(b, way, below))


# ---- targets that write over what fctrace keeps in them


class Target:
    """A program that runs: what it says, line by line."""

    def __init__(self, *argv):
        self.proc = subprocess.Popen(argv, bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                     stdin=subprocess.DEVNULL, start_new_session=True)
        self.pid = self.proc.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        tap.kill_session(self.pid)
        self.proc.wait()
        self.proc.stdout.close()

    def line(self):
        """b"" at its end, and when nothing comes."""
        if not select.select([self.proc.stdout], [], [], Bench.limit_s)[0]:
            return b""
        return self.proc.stdout.readline().strip()

    def nr_waits(self):
        """Of its last thread."""
        last = os.listdir("/proc/%d/task" % self.pid)[-1]
        with open("/proc/%d/task/%s/status" % (self.pid, last), encoding="utf-8") as f:
            return int(f.read().partition("\nvoluntary_ctxt_switches:")[2].split()[0])

    def has_remains(self):
        threads = os.listdir("/proc/%d/task" % self.pid)
        with open("/proc/%s/maps" % threads[-1], encoding="utf-8") as f:
            return "memfd:fctrace" in f.read()


def how_it_ended(proc, err):
    """Of an fctrace: None if well."""
    said = err.decode(errors="replace")
    if proc.returncode < 0 or "Sanitizer" in said or "runtime error" in said:
        return "fctrace ended with %d: %s" % (proc.returncode, said[-3000:])
    return None


def ended(proc, b):
    """Wait for it; None, or what is wrong."""
    try:
        _, err = proc.communicate(timeout=b.limit_s)
    except subprocess.TimeoutExpired:
        proc.kill()
        proc.communicate()
        return "does not end"
    return how_it_ended(proc, err)


def told(b, *argv):
    """What a short command of fctrace's comes to."""
    return ended(subprocess.Popen([b.checked, *argv], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, start_new_session=True), b)


def attached(b, *options):
    return subprocess.Popen([b.checked, "record", "-o", b.trace, *options],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            start_new_session=True)


def lies_to_its_session(b, lie):
    """It is let go with another one, which must not be harmed by it."""
    with Target(b.build("lying.c"), lie) as liar, Target(b.build("honest.c")) as honest:
        if (liar.line(), honest.line()) != (b"ready", b"ready"):
            return "does not begin"
        proc = attached(b, "-p", str(liar.pid), "-p", str(honest.pid))
        if liar.line() != b"told":
            proc.kill()
            return "is not traced: " + proc.communicate()[1].decode()
        wrong = told(b, "ctl", str(liar.pid), "unhook", "leaf")
        proc.send_signal(signal.SIGTERM)
        wrong = ended(proc, b) or wrong
        if not wrong and honest.has_remains():
            wrong = "another process is not as it was"
        honest.proc.send_signal(signal.SIGUSR1)
        if not wrong and honest.proc.wait(b.limit_s) != 3:
            wrong = "another process ended with %d" % honest.proc.returncode
        return wrong


def lies_to_who_comes_after(b, lie):
    """The fctrace that put it there was killed."""
    with Target(b.build("lying.c"), lie) as liar:
        liar.line()
        proc = attached(b, "--loss=ring", "-p", str(liar.pid))
        if liar.line() != b"told":
            proc.kill()
            return "is not traced: " + proc.communicate()[1].decode()
        proc.kill()
        proc.communicate()
        return (told(b, "dump", "-o", b.trace + ".dump", str(liar.pid)) or
                told(b, "detach", str(liar.pid)))


def cases_of_lies(b, suite):
    lies = tap.run([b.build("lying.c")]).out.decode().split()
    for name, fn in (("to its session", lies_to_its_session),
                     ("to who comes after", lies_to_who_comes_after)):
        label = "endings lies " + name
        if not suite.wants(label):
            continue
        wrong = []
        for lie in lies:
            if os.environ.get("VERBOSE"):
                print("#", lie, flush=True)
            why = fn(b, lie)
            if why:
                wrong.append("%s: %s" % (lie, why))
        suite.case(label, "\n".join(wrong))


# ---- what is not permitted

NOBODY, SOMEBODY = 65534, 54321
FAILED = 125
# In a mount namespace of its own, where the kernel says what the test wants it to say.
YAMA = ("mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && "
        "echo %d >/proc/sys/kernel/yama/ptrace_scope && exec %s")
AS_NOBODY = "setpriv --reuid=%d --regid=%d --clear-groups " % (NOBODY, NOBODY)
NO_CAP = "setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace "
# The kernel here has no Yama: a filter says EPERM in its place.
NO_PTRACE = """import ctypes, os, struct, sys
code = struct.pack("<HBBIHBBIHBBIHBBI", 0x20, 0, 0, 0, 0x15, 0, 1, 101,
                   0x06, 0, 0, 0x50001, 0x06, 0, 0, 0x7fff0000)
text = ctypes.create_string_buffer(code)
libc = ctypes.CDLL(None)
prog = struct.pack("<HxxxxxxQ", 4, ctypes.addressof(text))
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.c_char_p(prog), 0, 0):
    os._exit(99)
os.execv(sys.argv[1], sys.argv[1:])
"""


def can(command):
    return tap.run(["sh", "-c", command]).status == 0


def refused(b, what, prefix="", yama=None, is_filtered=False):
    """What fctrace says when what is not permitted, or what it does instead."""
    fctrace = [b.fctrace, "record", "-o", os.path.join(b.open_folder, "t.data"), *what]
    argv = ([tap.PYTHON, "-c", NO_PTRACE] if is_filtered else []) + fctrace
    command = prefix + '"$@"'
    if yama is not None:
        command = YAMA % (yama, command)
    done = tap.run(["unshare", "-m", "sh", "-c", command, "sh", *argv])
    if done.status != FAILED or len(done.err.splitlines()) != 1 or done.out:
        return "status %d, says %r, %r" % (done.status, done.err, done.out)
    return done.err.decode()


def says(got, *parts):
    missing = [part for part in parts if part not in got]
    return "not said: %s, but: %s" % (missing, got) if missing else None


def refuses_to_start(b, **how):
    """What it does not trace it does not run."""
    mark = os.path.join(b.open_folder, "was-run")
    got = refused(b, ["/usr/bin/touch", mark], **how)
    if os.path.exists(mark):
        os.unlink(mark)
        return "it ran, untraced; " + got
    return got


def cases_of_permission(b, suite):
    def case(name, fn):
        if suite.wants("endings " + name):
            suite.case("endings " + name, fn())

    if os.geteuid() or not can("unshare -m sh -c 'mount -t tmpfs none /proc/sys/kernel'"):
        suite.skip("endings what is not permitted", "needs root and mount namespaces")
        return
    b.open_folder = os.path.join(b.folder, "open")
    os.makedirs(b.open_folder, exist_ok=True)
    os.chmod(b.open_folder, 0o777)
    os.chmod(b.folder, 0o755)

    def target(fn, user, words):
        argv = [b.build("honest.c"), *words]
        with Target(*(["setpriv", "--reuid=%d" % user, "--regid=%d" % user, "--clear-groups"]
                      if user else []), *argv) as honest:
            honest.line()
            named = "process %d" % honest.pid
            got = fn(["-p", str(honest.pid)])
            honest.proc.send_signal(signal.SIGUSR1)
            ended_with = honest.proc.wait(b.limit_s)
            return named, got if ended_with == 3 else "it ended with %d" % ended_with

    def attaching(*parts, user=None, words=(), **how):
        def run():
            named, got = target(lambda what: refused(b, what, **how), user, words)
            return says(got, named, *parts)
        return run

    def starting(*parts, **how):
        return lambda: says(refuses_to_start(b, **how), "/usr/bin/touch", *parts)

    case("not permitted: to start, ptrace_scope 3",
         starting("ptrace_scope is 3", yama=3, is_filtered=True))
    case("not permitted: to attach, ptrace_scope 3",
         attaching("ptrace_scope is 3", yama=3, is_filtered=True))
    case("not permitted: to start, ptrace_scope 2",
         starting("ptrace_scope is 2", "root", yama=2, is_filtered=True, prefix=AS_NOBODY))
    case("not permitted: to attach, ptrace_scope 2",
         attaching("ptrace_scope is 2", "root", yama=2, is_filtered=True, prefix=AS_NOBODY,
                   user=NOBODY))
    case("not permitted: to attach, ptrace_scope 1",
         attaching("ptrace_scope is 1", "start it by fctrace", yama=1, is_filtered=True,
                   prefix=AS_NOBODY, user=NOBODY))
    case("not permitted: a filter, whatever ptrace_scope says",
         starting("filter of system calls", yama=1, is_filtered=True, prefix=AS_NOBODY))
    case("not permitted: a filter of root's",
         attaching("filter of system calls", yama=2, is_filtered=True))
    case("not permitted: another user's, whatever ptrace_scope says",
         attaching("another user's", yama=1, prefix=AS_NOBODY, user=SOMEBODY))
    case("not permitted: root without CAP_SYS_PTRACE",
         attaching("another user's", prefix=NO_CAP, user=SOMEBODY))
    case("not permitted: a program that asks for it",
         attaching("protected", prefix=AS_NOBODY, user=NOBODY, words=["protected"]))
    if can("unshare -Ur true"):
        case("not permitted: another user namespace",
             attaching("another user namespace", prefix="unshare -Ur "))
    case("not permitted: what another one traces", lambda: traced_by_another(b))


def traced_by_another(b):
    with Target(b.build("honest.c")) as honest:
        honest.line()
        first = attached(b, "-p", str(honest.pid))
        while not is_traced(honest.pid):
            time.sleep(0.005)
        got = refused(b, ["-p", str(honest.pid)])
        first.send_signal(signal.SIGTERM)
        return ended(first, b) or says(got, "process %d" % honest.pid, "traced already")


# ---- files that are loaded and unloaded, again and again

NR_FILES = 50


def figures_of(fctrace_pid, pid):
    """What fctrace has asked of the kernel, and what the program has mapped."""
    with open("/proc/%d/io" % fctrace_pid, encoding="utf-8") as f:
        io = dict(line.split(": ") for line in f.read().splitlines())
    with open("/proc/%d/maps" % pid, encoding="utf-8") as f:
        nr_maps = len(f.readlines())
    return int(io["syscr"]) + int(io["syscw"]), int(io["rchar"]) + int(io["wchar"]), nr_maps


def loads(b, how):
    """The last thousand costs what the first one did, and each call is in the trace."""
    nr, part = (100000, 1000) if b.is_long and how == "same" else (3000, 300)
    marks = [part, 2 * part, nr - part, nr]
    proc = b.begin(b.build("loading.c"), how, str(nr), b.folder, *map(str, marks),
                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    figures = []
    for mark in marks:
        if proc.stdout.readline().strip() != str(mark).encode():
            return "it ended: " + proc.communicate()[1].decode()
        figures.append(figures_of(proc.pid, child_of(proc.pid)))
        proc.stdin.write(b".")
        proc.stdin.flush()
    _, err = proc.communicate()
    said = err.decode().splitlines()
    if proc.returncode != 4 or len(set(said)) < len(said):
        return "status %d: %s" % (proc.returncode, err.decode()[-2000:])
    for what, i, margin in (("system calls", 0, 0.2), ("bytes", 1, 0.2)):
        first = figures[1][i] - figures[0][i]
        last = figures[3][i] - figures[2][i]
        if last > first * (1 + margin) + 1000:
            return "%s for %d loads: %d, and at last %d" % (what, part, first, last)
    if figures[3][2] > figures[0][2] + 100:
        return "%d things are mapped, and at last %d" % (figures[0][2], figures[3][2])
    seen = [b.calls()["plug"], b.calls()["plug_part"]]
    # What is not exported is not asked for.
    return None if seen == [nr, nr] else "%s calls of %d are in the trace" % (seen, nr)


def cases_of_loading(b, suite):
    if not suite.wants("endings loading"):
        return
    plug = b.build("plug.c", "-shared", "-fPIC", "-fno-ipa-ra", out="plug.so")
    for i in range(NR_FILES):
        shutil.copy(plug, b.path("plug.%d.so" % i))
    for nr, how in enumerate(("same", "elsewhere", "others")):
        if suite.has_turn("loading", 3, nr):
            suite.run("endings loading: " + how, loads, b, how)


# ---- attached to, again and again


def is_traced(pid):
    with open("/proc/%d/status" % pid, encoding="utf-8") as f:
        return "TracerPid:\t0\n" not in f.read()


def is_hooked(b, target):
    """Does its fctrace answer? Asked when something of it is mapped: an answer costs a run of fctrace."""
    return target.has_remains() and b.run("ctl", str(target.pid), "status").status == 0


def attach_again(b, options, nr):
    """Nothing stays of any: what is left on a stack in the heap is nobody's."""
    with Target(b.build("restless.c")) as target:
        target.line()
        for i in range(nr):
            proc = attached(b, *options, "-p", str(target.pid))
            while not is_hooked(b, target) and proc.poll() is None:
                time.sleep(0.002)
            target.proc.send_signal(signal.SIGUSR2)
            if target.line() != b"signal":
                return "round %d: the program ended" % i
            proc.send_signal(signal.SIGTERM)
            _, err = proc.communicate()
            if proc.returncode or target.has_remains():
                return "round %d: status %d: %s" % (i, proc.returncode, err.decode())
        target.proc.send_signal(signal.SIGUSR1)
        return None if target.proc.wait(b.limit_s) == 3 else "it ended otherwise"


def inside_all_the_time(b, how):
    """Threads that are nearly always in the stub of a function that is hooked at its entry only come out."""
    with Target(b.build("returning.c"), "8") as target:
        target.line()
        for i in range(20 if b.is_long else 3):
            proc = attached(b, *(["--for=200ms"] if how == "--for" else []), "-p", str(target.pid))
            while not is_hooked(b, target) and proc.poll() is None:
                time.sleep(0.002)
            if how == "SIGTERM":
                proc.send_signal(signal.SIGTERM)
            elif how == "detach":
                b.run("detach", str(target.pid))
            _, err = proc.communicate()
            if proc.returncode or target.has_remains():
                return "round %d: status %d: %s" % (i, proc.returncode, err.decode())
        target.proc.send_signal(signal.SIGUSR1)
        return None if target.proc.wait(b.limit_s) == 3 else "it ended otherwise"


def cases_of_attaching(b, suite):
    for how in "SIGTERM", "detach", "--for":
        name = "endings inside all the time, %s" % how
        if suite.wants(name):
            suite.case(name, inside_all_the_time(b, how))
    for options in ([], ["--loss=ring"], ["-F", "deep"], ["--libs=all"]):
        name = " ".join(["endings attach again"] + options)
        if suite.wants(name):
            suite.case(name, attach_again(b, options, 500 if b.is_long else 5))


# ---- told to let go of what cannot be stopped

SOON_S, TRIES = 5, 3  # without having been told it tries for ten seconds
FREEZER = "/sys/fs/cgroup/freezer"


def ends_soon(b, start, sig, target):
    """On a machine that is busy one try may be late, but not each."""
    for _ in range(TRIES):
        proc = start()
        while not is_traced(target()) and proc.poll() is None:
            time.sleep(0.005)
        time.sleep(0.1)
        proc.send_signal(sig)
        begin = time.monotonic()
        try:
            proc.wait(b.limit_s)
        except subprocess.TimeoutExpired:
            proc.kill()
            proc.wait()
            return "does not end"
        if proc.returncode < 0 and proc.returncode != -sig:
            return "ended with %d" % proc.returncode
        if time.monotonic() - begin < SOON_S:
            return None
    return "does not end soon"


def attaching_to_vfork(b, sig):
    with Target(b.build("vforking.c")) as parent:
        parent.line()
        return ends_soon(b, lambda: attached(b, "-p", str(parent.pid)), sig,
                         lambda: parent.pid) or (
            None if parent.proc.poll() is None else "the program has ended")


def started_vfork(b, sig):
    started = []

    def start():
        proc = b.begin(b.build("vforking.c"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       start_new_session=True)
        proc.stdout.readline()
        started.append((proc, child_of(proc.pid)))
        return proc
    wrong = ends_soon(b, start, sig, lambda: started[-1][1])
    for proc, pid in started:
        if not wrong and not os.path.exists("/proc/%d" % pid):
            wrong = "the program has ended"
        tap.kill_session(proc.pid)
    return wrong


def frozen(b, sig):
    group = os.path.join(FREEZER, "fctrace-test-%d" % os.getpid())
    os.mkdir(group)

    def put(name, text):
        with open(os.path.join(group, name), "w", encoding="utf-8") as f:
            f.write(text)
    try:
        with Target(b.build("honest.c")) as honest:
            honest.line()
            put("cgroup.procs", str(honest.pid))
            put("freezer.state", "FROZEN")
            wrong = ends_soon(b, lambda: attached(b, "-p", str(honest.pid)), sig,
                              lambda: honest.pid)
            put("freezer.state", "THAWED")
            honest.proc.send_signal(signal.SIGUSR1)
            return wrong or (None if honest.proc.wait(b.limit_s) == 3 else "it ended otherwise")
    finally:
        os.rmdir(group)


def cases_of_letting_go(b, suite):
    for name, fn in (("attaching, a vfork child", attaching_to_vfork),
                     ("started, a vfork child", started_vfork),
                     ("attaching, frozen", frozen)):
        for sig in (signal.SIGTERM, signal.SIGINT):
            label = "endings %s: %s" % (sig.name, name)
            if not suite.wants(label) or (fn is started_vfork and sig == signal.SIGINT):
                continue  # that one is the program's
            if fn is frozen and not os.access(FREEZER, os.W_OK):
                suite.skip(label, "no freezer")
                continue
            suite.case(label, fn(b, sig))


# ---- who starts fctrace ignores that children end, as some daemons and `trap "" CHLD` do

def ignore_children():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def ignored(b, *options):
    """The program ends as it does untraced, and finds the signal ignored, too."""
    argv = ["grep", "SigIgn", "/proc/self/status"]
    bare = tap.run(argv, preexec=ignore_children)
    done = b.record(*argv, options=options, preexec=ignore_children)
    if done.is_late or (done.status, done.out) != (bare.status, bare.out):
        return "%s; %s" % (done.trouble(), tap.excerpt(bare.out, done.out))
    return None


def ignored_at_attach(b):
    with Target(b.build("honest.c")) as honest:
        honest.line()
        done = b.run("record", "-o", b.trace, "--for=200ms", "-p", str(honest.pid),
                     preexec=ignore_children)
        honest.proc.send_signal(signal.SIGUSR1)
        return done.trouble() or (None if honest.proc.wait(b.limit_s) == 3 else "it ended otherwise")


def cases_of_ignoring(b, suite):
    suite.run("endings SIGCHLD is ignored: started", ignored, b)
    suite.run("endings SIGCHLD is ignored: stepped", ignored, b, "--backend=step")
    suite.run("endings SIGCHLD is ignored: attached to", ignored_at_attach, b)


# ---- the first thread has ended, others go on: /proc tells of the process what it tells of them

def leaderless(b):
    b.build("plug.c", "-shared", "-fPIC", "-fno-ipa-ra", out="plug.so")
    return b.build("leaderless.c", "-g")


def is_seen(b, least):
    """Names are read from its memory, and what it loads is seen."""
    calls, nr_names = b.calls(), b.must("replay", b.trace)[0].count('greet("')
    if calls["greet"] < least or calls["plug"] < least or nr_names < least:
        return "%d calls of greet, %d of plug, %d names" % (calls["greet"], calls["plug"], nr_names)
    return None


def leaderless_started(b):
    done = b.record(leaderless(b), b.folder, options=["-a"])
    return is_seen(b, 6) if done.status == 3 else "status %d: %s" % (done.status, done.err)


def leaderless_attached(b):
    with Target(leaderless(b), b.folder, "until") as target:
        target.line()
        proc = attached(b, "-a", "-p", str(target.pid))
        while not is_hooked(b, target) and proc.poll() is None:
            time.sleep(0.002)
        begin = target.nr_waits()
        while target.nr_waits() < begin + 20 and proc.poll() is None:  # it waits between its calls
            time.sleep(0.01)
        proc.send_signal(signal.SIGTERM)
        _, err = proc.communicate()
        if proc.returncode or target.has_remains():
            return "status %d: %s" % (proc.returncode, err.decode())
        target.proc.send_signal(signal.SIGUSR1)
        if target.proc.wait(b.limit_s) != 3:
            return "it ended otherwise"
    return is_seen(b, 1)


def protecting(b):
    """A thread asks the agent for memory of its own while stubs of a library are about to be mapped."""
    b.build("plug.c", "-shared", "-fPIC", "-fno-ipa-ra", out="plug.so")
    for options in [], ["-a"]:
        done = b.record(b.build("protecting.c", "-g"), b.folder, options=options)
        if done.status != 3:
            return "status %d: %s" % (done.status, done.err)
    return None


def cases_of_leaders(b, suite):
    suite.run("endings libraries come and go beside mprotect", protecting, b)
    suite.run("endings the first thread has ended: started", leaderless_started, b)
    suite.run("endings the first thread has ended: attached to", leaderless_attached, b)


# ---- fctrace is itself what is attached to, while it traces a program

def of_fctrace(b):
    """It has the memory that it shares with its program mapped, too: nothing to be tidied up."""
    first = b.begin(b.build("honest.c"), to="first.data", stdout=subprocess.PIPE)
    first.stdout.readline()
    done = b.run("record", "-o", b.trace, "--for=200ms", "-p", str(first.pid))
    told = b.run("detach", str(first.pid))
    program = child_of(first.pid)
    if not program:
        return "it has ended: %d" % first.wait(b.limit_s)
    os.kill(program, signal.SIGUSR1)
    first.communicate(timeout=b.limit_s)
    if b"sanitizer" in done.err:  # it knows some by their texts, which it holds, too
        return done.err.decode()
    if done.status or b"nothing of fctrace" not in told.err:
        return "attached: status %s; detached: %s, %s" % (done.status, told.status, told.err)
    return None if first.returncode == 3 else "it ended with %d" % first.returncode


def cases_of_fctrace(b, suite):
    suite.run("endings fctrace is attached to", of_fctrace, b)


def suite_of(suite):
    bench = Bench(suite)
    for cases in (cases_of_tracing, cases_of_lies, cases_of_permission, cases_of_loading,
                  cases_of_attaching, cases_of_letting_go, cases_of_ignoring, cases_of_leaders,
                  cases_of_fctrace):
        cases(bench, suite)


if __name__ == "__main__":
    tap.main(suite_of)
