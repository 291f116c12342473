#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""System calls as an ordinary user sees them, by stopping the program at each: those that strace sees,
thread by thread, with the same paths, bytes and results, and the same signals; and nobody is harmed. --long: more programs.

What differs by chance from run to run is left out on both sides: addresses, ids, times.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong, expect  # noqa: E402

os.environ.update(LC_ALL="C")
TRIES, STRING_SIZE = 4, 100
PROGRAMS = [
    ["cat", "text", "missing"],
    ["cp", "text", "made"],
    ["sh", "-c", "cat < text > made; [ -e missing ] || echo none; exit 3"],
]
LONG = [
    ["ls", "-l", "text", "missing"], ["sort", "text"], ["gzip", "-nc", "text"], ["find", ".", "-name", "t*"],
    ["dd", "if=text", "of=made", "bs=100", "count=3", "status=none"], ["tail", "-n", "2", "text"],
    ["python3", "-S", "-c", "import os; open('text').read(); os.path.exists('missing')"],
    ["wc", "-l", "text"],
    ["bash", "-c", "for i in 1 2 3; do /bin/true; done; cat missing"],
    ["busybox", "wc", "text"],
]
# What an ordinary call returns that is another number in each run.
BY_CHANCE = {"brk", "mmap", "mremap", "clone", "clone3", "fork", "vfork", "wait4", "getpid", "gettid", "getppid", "getpgrp", "getpgid",
             "setpgid", "getsid", "set_tid_address", "shmat"}
LINE = re.compile(r"(\w+)\((.*)\) += +(\?|-?\w+)(?: +(E[A-Z0-9_]+))?")
THEIRS = re.compile(r"(\d+) +(.*)")
SIGNAL = re.compile(r"(?:---|/\*) (SIG[A-Z0-9]+) ")  # that comes to the thread
OURS = re.compile(r".*\[ *(\d+)\] \| *(.*)")
# Of the kernel's own codes for what it makes again the program sees nothing, or EINTR.
AGAIN = {"ERESTARTSYS": "EINTR", "ERESTARTNOINTR": "EINTR", "ERESTARTNOHAND": "EINTR", "ERESTART_RESTARTBLOCK": "EINTR"}


class Bench(bench.Bench):
    sources, flags = os.path.join(HERE, "programs"), ["-O1", "-w", "-pthread"]

    def fresh(self):
        """A folder with the same files each time, of the same name."""
        work = self.path("work")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        for name, nr in (("text", 40), ("other", 3)):
            with open(os.path.join(work, name), "w", encoding="utf-8") as f:
                f.write("".join("line %d\n" % i for i in range(nr)))
        return work

    def strace(self, argv):
        log = self.path("log")
        done = tap.run(["strace", "-f", "-s", str(STRING_SIZE), "-o", log, *argv], cwd=self.fresh())
        with open(log, encoding="utf-8", errors="replace") as f:
            return threads_of(whole_lines(f.read())), done

    def fctrace_of(self, argv):
        done = self.record(*argv, options=["-q", "--syscalls=ptrace", "--libs=none", "--string-size=%d" % STRING_SIZE], cwd=self.fresh())
        tree = self.must("replay", "-m", "[[]system call]", self.trace)[0]
        return threads_of(found.groups() for found in map(OURS.match, whole_tree(tree)) if found), done


def whole_lines(text):
    """strace's, each call on one line, where it began: (tid, call)."""
    begun, lines = {}, []
    for line in text.splitlines():
        tid, call = THEIRS.match(line).groups()
        if call.endswith("<unfinished ...>"):
            begun[tid] = len(lines)
            lines.append((tid, call[:-len("<unfinished ...>")].rstrip()))
        elif call.startswith("<...") and tid in begun:
            i = begun.pop(tid)
            lines[i] = (tid, lines[i][1] + call.partition("resumed>")[2])
        else:
            lines.append((tid, call))
    return lines


def whole_tree(text):
    """fctrace's, a call with its end, where it began."""
    opened, lines = {}, []
    for line in text.splitlines():
        found = OURS.match(line)
        if not found:
            continue
        tid, call = found.groups()
        if call.endswith("{"):
            opened.setdefault(tid, []).append(len(lines))
            lines.append(line[:-1].rstrip())
        elif call.startswith("}") and opened.get(tid):
            i = opened[tid].pop()
            lines[i] += call[1:]
        else:
            lines.append(line)
    return lines


def in_one_form(name, args, result, error):
    texts = [plain(text) for text in re.findall(r'"((?:[^"\\]|\\.)*)"', args)] if name in WITH_TEXTS else []
    if name == "readlink" and b"/proc/self/exe" in texts or name == "execve":
        texts = texts[:1]  # the folder has another name; environments are not all shown
    error = AGAIN.get(error, error)
    if name in BY_CHANCE and not error:
        result = "some"
    if re.match(r"0x|\d", result):
        result = int(result, 0)
    return name, tuple(texts), error or ("?" if result == "?" else result)


def plain(text):
    """Whatever its bytes are written as."""
    return text.encode().decode("unicode_escape").encode("latin-1")


WITH_TEXTS = {"read", "readv", "writev", "write", "pread64", "pwrite64", "getcwd", "sendto", "recvfrom", "open", "openat", "stat", "lstat", "newfstatat", "access", "faccessat2", "rename", "symlink", "mkdir", "rmdir", "unlink", "readlink",
              "execve", "chdir", "statx"}


def threads_of(lines):
    """Of each thread its calls, in order; who begins first is the first."""
    threads = {}
    for tid, call in lines:
        signal_ = SIGNAL.match(call)
        if signal_:  # before or behind which call it comes is chance
            status = re.search(r"exited with (\d+)|CLD_EXITED.*si_status=(\d+)", call)
            threads.setdefault(tid + "signals", []).append((signal_.group(1), status and (status.group(1) or status.group(2))))
        found = LINE.match(call)
        if call.startswith(("exit_group(", "exit(")) and not found:
            found = re.match(r"(\w+)\((.*)\)()()", call)
        if call.startswith("execve(") and call.endswith("/* no return */"):
            found = re.match(r"(\w+)\((.*)\); /\* no return()()", call)
        if not found or found.group(1) == "rt_sigreturn":  # which has no result
            continue
        # What a call wrote in which others stand is behind its end.
        name, args, result, error = found.groups()
        args += "".join(re.findall(r"/\* (\w+: .*) \*/$", call))
        if name in ("exit", "exit_group"):
            result = "?"
        if name == "execve" and not result:
            result = "0"
        error = error or ""
        if name.startswith("syscall"):  # one without a name
            name = "syscall"
        threads.setdefault(tid, []).append(in_one_form(name, args, result, error))
    return list(threads.values())


def without_start(threads):
    """strace sees how the program is executed, before which fctrace does not look."""
    first = threads[0]
    return [first[1:] if first and first[0][0] == "execve" else first, *threads[1:]]


def the_same(bench, argv):
    """Who is faster, a thread or its timer, decides which calls are made: a run may be unlike the next."""
    for _ in range(TRIES):
        why = compare(bench, argv)
        if not why:
            break
    return why


def compare(bench, argv):
    theirs, expected = bench.strace(argv)
    ours, done = bench.fctrace_of(argv)
    expect(done.out, expected.out)
    expect(done.status, expected.status)
    theirs = without_start(theirs)
    if len(ours) != len(theirs):
        return "%d threads, strace: %d" % (len(ours), len(theirs))
    for i, (a, b) in enumerate(zip(sorted(ours, key=str), sorted(theirs, key=str))):
        for k, (mine, its) in enumerate(zip(a, b)):
            if mine != its:
                return "thread %d, call %d: %s, strace: %s" % (i, k, mine, its)
        if len(a) != len(b):
            return "thread %d: %d calls, strace: %d" % (i, len(a), len(b))
    return None


def ordinary_user(bench):
    """Without tracefs, --syscalls does the same by itself, and says so."""
    if os.getuid() == 0:
        tap.need("setpriv")
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    log = bench.path("user.txt")
    os.chmod(bench.folder, 0o777)
    done = tap.run([*user, bench.fctrace, "--syscalls", "--libs=none", "-o", log, "cat", "/etc/hostname", "/no/such"], cwd="/")
    said = done.err.decode()
    expect(done.status, 1)
    if "system calls are seen by ptrace" not in said:
        return "it did not say how: " + said
    with open(log, encoding="utf-8") as f:
        tree = f.read()
    return None if re.search(r'openat\(AT_FDCWD, "/no/such", .*\) = -1 ENOENT', tree) else tree


def some_only(bench):
    bench.must("record", "-q", "--syscalls=ptrace,open*,sys_close", "--libs=none", "-o", bench.trace, "cat", "/etc/hostname")
    names = {row["function"] for row in bench.json("report") if row["module"] == "[system call]"}
    expect(sorted(names), ["close", "openat"])
    _, err = bench.must("record", "--syscalls=opneat", "true", status=125)
    expect("no system call has this name; did you mean openat" in err, True)


def in_functions(bench):
    """A system call stands in the function that made it."""
    calls = bench.build("calls.c")
    bench.trace_of(calls, options=["-q", "--syscalls=ptrace"], status=7)
    rows = bench.json("query", "select distinct caller_name from calls where module = '[system call]' and args like '%/in/a/handler%'")
    expect([row["caller_name"] for row in rows], ["fstatat"])


def is_hooked(pid):
    with open("/proc/%d/maps" % pid, encoding="utf-8") as f:
        return "memfd:fctrace" in f.read()


def attached(bench):
    """A thread that waits in the kernel; what it does from then on is seen, and it is let go."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as cat:
        tracer = bench.begin("-q", "--syscalls=ptrace", "--libs=none", "-p", str(cat.pid))
        tap.wait_until(lambda: is_hooked(cat.pid), "it is traced")
        for i in range(20):
            cat.stdin.write(b"%d\n" % i)
            cat.stdin.flush()
            expect(cat.stdout.readline(), b"%d\n" % i)
        tracer.send_signal(signal.SIGINT)
        _, err = tracer.communicate()
        expect(tracer.returncode, 0)
        cat.stdin.write(b"after\n")
        cat.stdin.close()
        expect(cat.stdout.read(), b"after\n")
    expect(cat.returncode, 0)
    calls = bench.calls()
    return None if calls["write"] >= 19 and calls["read"] >= 19 else str(dict(calls))


def begins_by_tracefs(bench, nr):
    """What a process does before it executes a program, in the moment in which it begins to be traced."""
    done = bench.record(bench.build("spawns.c"), str(nr), options=["--syscalls=tracefs", "--libs=none"])
    if b"shows no system calls here" in done.err:
        raise tap.Skip(done.err.decode().splitlines()[0])
    rows = bench.json("query", "SELECT name, count(*) AS n FROM calls WHERE name = 'execve' OR name = 'close' AND arg1 = 1000"
                      " GROUP BY name")
    expect([{"name": "close", "n": nr}, {"name": "execve", "n": nr}], rows)


PLACE = re.compile(r"^ *([0-9a-f]+):\t(?:syscall|sysenter|int +\$0x80)\b", re.M)
# strace -i: the address behind the instruction, and the call.
MADE_AT = re.compile(r"^(?:\d+ +)?\[0*([0-9a-f]+)\] (\w+)\(", re.M)
INSN_SIZE = 2
LOW = 1 << 32  # there is a program that was linked for its addresses; others that it executes are above


def listed(bench, path):
    rows = bench.json("list", "--syscalls", trace=path)
    return {row["vaddr"]: row.get("name", "?") for row in rows}, rows


def places_are_all_there(bench):
    """Where objdump sees such instructions, in libc and in the loader."""
    for path in ("/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2"):
        code = tap.texts_of(["objdump", "-d", "--no-show-raw-insn", os.path.realpath(path)])[0]
        theirs = {int(found, 16) for found in PLACE.findall(code)}
        expect([hex(at) for at in sorted(theirs)], [hex(at) for at in sorted(listed(bench, path)[0])])
        if len(theirs) < 30:
            raise Wrong("%s: only %d" % (path, len(theirs)))


def names_are_right(bench):
    """A function that is called as a system call is makes that one, but for a few that have become others."""
    names, rows = listed(bench, "/lib/x86_64-linux-gnu/libc.so.6")
    if list(names.values()).count("?") > 12:
        raise Wrong("unknown: %s" % [row for row in rows if "name" not in row])
    known = set(names.values())
    same = other = 0
    for row in rows:
        plain = row.get("function", "").lstrip("_")
        if plain in known and plain in [r.get("name") for r in rows if r.get("function") == row["function"]]:
            same += 1
        elif plain in known:
            other += 1
    if same < 150 or other > same / 10:
        raise Wrong("%d are the same, %d are not" % (same, other))


def places_are_where_calls_come_from(bench, argv):
    """Each call of a program that lies where its file says comes from a place that is listed, with its name."""
    names = listed(bench, argv[0])[0]
    log = bench.path("log")
    tap.run(["strace", "-f", "-i", "-o", log, *argv], cwd=bench.fresh())
    with open(log, encoding="utf-8", errors="replace") as f:
        made = {(int(at, 16) - INSN_SIZE, name) for at, name in MADE_AT.findall(f.read())}
    made = {(at, name) for at, name in made if at < LOW and name not in ("execve", "restart_syscall")}
    for at, name in made:
        if names.get(at) not in (name, "?", {"fstatat": "newfstatat", "prlimit64": "prlimit"}.get(name, name)):
            raise Wrong("%s at %x is listed as %s" % (name, at, names.get(at)))
    known = sum(names[at] != "?" for at, _ in made)
    if len(made) < 10 or known < len(made) * 0.8:
        raise Wrong("%d places, %d of them with names" % (len(made), known))


# As assembly of OpenSSL's has them; 6 and 7 begin no instruction.
TABLE = """__asm__(".text\\n.p2align 4\\n.byte 0x0f,0x05,6,7,0x0f,0x05,0xcd,0x80,6,7\\n.p2align 4");
int main(void) { return 0; }
"""


def none_is_listed(bench, path):
    done = bench.run("list", "--syscalls", path)
    expect((1, b""), (done.status, done.out))
    return None if b"makes no system calls itself" in done.err else done.err.decode()


def killed(bench, nr):
    """fctrace is killed at any moment: the program goes on as if nothing had been."""
    for i in range(nr):
        with subprocess.Popen(["dd", "if=/dev/zero", "bs=1", "count=20000", "status=none"], stdout=subprocess.PIPE) as dd:
            tracer = bench.begin("-q", "--syscalls=ptrace", "-p", str(dd.pid))
            time.sleep(0.02 * (i % 10))
            tracer.kill()
            out = dd.stdout.read()
            tracer.communicate()
        if (len(out), dd.returncode) != (20000, 0):
            return "round %d: %d bytes, status %d" % (i, len(out), dd.returncode)
    return None


def suite_of(suite):
    tap.need("strace")
    work = Bench(suite)
    suite.run("threads, children, handlers: as strace sees them", lambda: the_same(work, [work.build("calls.c")]))
    suite.run("of a static program", lambda: the_same(work, [work.build("calls.c", "-static")]))
    for argv in PROGRAMS + (LONG if suite.is_long else []):
        if shutil.which(argv[0]):
            suite.run("as strace sees them: " + " ".join(argv)[:50], the_same, work, argv)
    suite.run("as an ordinary user", ordinary_user, work)
    suite.run("some only", some_only, work)
    suite.run("in the functions that make them", in_functions, work)
    suite.run("attached", attached, work)
    suite.run("by tracefs: each child's first calls", begins_by_tracefs, work, 50)
    suite.run("listed: all places", places_are_all_there, work)
    suite.run("listed: their names", names_are_right, work)
    static = work.build("calls.c", "-static", "-no-pie", out="placed")
    suite.run("listed: where calls come from", places_are_where_calls_come_from, work, [static])
    stripped = work.path("stripped")
    tap.texts_of(["strip", "-o", stripped, static])
    suite.run("listed: where calls of a stripped program come from", places_are_where_calls_come_from, work, [stripped])
    for name, path in ("none", "/bin/true"), ("data between functions", work.build("table.c", text=TABLE)):
        suite.run("listed: " + name, none_is_listed, work, path)
    suite.run("fctrace is killed", killed, work, 200 if suite.is_long else 10)


tap.main(suite_of)
