#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What uftrace recorded is the same in fctrace: calls, total and self as `uftrace report` has them,
and the tree of `uftrace replay`.

Calls that were left (by longjmp, by exec) are not in uftrace's report, and what a child inherited is
called once more there: those cases say so.
"""
import collections
import os
import re
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

UNITS = {"us": 1000, "ms": 1000 ** 2, "s": 1000 ** 3, "m": 60 * 1000 ** 3}
ROW = re.compile(r"^\s*([\d.]+) (us|ms|s|m)\s+([\d.]+) (us|ms|s|m)\s+(\d+)\s+(\S.*)$")


class Sum:
    def __init__(self, calls=0, total=0, self_=0, total_slack=0, self_slack=0):
        self.calls, self.total, self.self = calls, total, self_
        self.total_slack, self.self_slack = total_slack, self_slack

    def agrees(self, other):
        return (self.calls == other.calls and
                abs(self.total - other.total) <= self.total_slack + other.total_slack and
                abs(self.self - other.self) <= self.self_slack + other.self_slack)

    def __repr__(self):
        return "%d calls, %d ns total, %d ns self" % (self.calls, self.total, self.self)


def time_of(number, unit):
    """Nanoseconds, and by how much the text may be off: the last of its three digits."""
    ns = float(number) * UNITS[unit]
    return round(ns), (0 if unit == "us" else UNITS[unit] / 1000)


def report_of_uftrace(data, *args):
    done = tap.run(["uftrace", "report", "-d", data, "--demangle=no", "--no-pager",
                    "-f", "total,self,call", *args])
    sums = {}
    for line in done.out.decode().splitlines():
        row = ROW.match(line)
        if row:
            total, total_slack = time_of(*row.group(1, 2))
            self_, self_slack = time_of(*row.group(3, 4))
            sums[row.group(6)] = Sum(int(row.group(5)), total, self_, total_slack, self_slack)
    return sums


def report_of_fctrace(bench):
    sums = collections.defaultdict(Sum)
    for row in bench.json("report", "--demangle=no"):
        of = sums[row["function"]]
        of.calls += row["calls"]
        of.total += row["total_ns"]
        of.self += row["self_ns"]
    return dict(sums)


def differences(uftrace, fctrace):
    return ["%s: uftrace %s, fctrace %s" % (f, uftrace.get(f), fctrace.get(f))
            for f in sorted(uftrace.keys() | fctrace.keys())
            if not (f in uftrace and f in fctrace and uftrace[f].agrees(fctrace[f]))]


class Bench(bench.Bench):
    flags = ["-g", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        self.data = self.path("u.data")

    def record(self, options, program, *args):
        """By uftrace."""
        shutil.rmtree(self.data, ignore_errors=True)
        done = tap.run(["uftrace", "record", "-d", self.data, *options, program, *args],
                       cwd=self.folder)
        if not os.path.exists(os.path.join(self.data, "info")):
            raise RuntimeError("uftrace record: status %d: %s" % (done.status, done.err.decode()))

    def run_import(self, data=None, trace=None, **how):
        return self.run("import", "-o", trace or self.trace, data or self.data, **how)

    def imported(self):
        return self.must("import", "-o", self.trace, self.data)[1]

    def reports(self, *args):
        self.imported()
        return report_of_uftrace(self.data, *args), report_of_fctrace(self)


SAME = [
    # name, source, flags of the compiler, options of uftrace, words of the program
    ("-pg, threads that wait", "calls.c", ["-pg"], []),
    ("-finstrument-functions", "calls.c", ["-finstrument-functions"], []),
    ("-P . on what was built for nothing", "calls.c", ["-O1"], ["-P", "."]),
    ("calls of libraries within libraries", "calls.c", ["-pg"], ["--nest-libcall"]),
    ("no calls of libraries", "calls.c", ["-pg"], ["--no-libcall"]),
    ("a time filter", "calls.c", ["-pg"], ["-t", "2us"]),
    ("a depth", "calls.c", ["-pg"], ["-D", "3"]),
    ("a function's subtree", "calls.c", ["-pg"], ["-F", "work"]),
    ("all but a function", "calls.c", ["-pg"], ["-N", "fib"]),
    ("arguments and results", "calls.c", ["-pg"],
     ["-A", "fib@arg1/i32", "-R", "fib@retval", "-A", "greet@arg1/s", "-R", "greet@retval/s",
      "-A", "leaf@arg1"]),
    ("automatic arguments", "calls.c", ["-pg"], ["-a"]),
    ("values read at calls", "calls.c", ["-pg"], ["-T", "greet@read=proc/statm"]),
    ("a program that ends in exit()", "ends.c", ["-pg"], []),
    ("exceptions", "throws.cc", ["-pg"], []),
    ("exceptions, automatic arguments", "throws.cc", ["-pg"], ["-a", "--nest-libcall"]),
]


def check_same(bench):
    for name, source, flags, options in SAME:
        name = "import has uftrace's sums: " + name
        if not bench.suite.wants(name):
            continue
        bench.record(options, bench.build(source, *flags))
        uftrace, fctrace = bench.reports()
        why = "\n".join(differences(uftrace, fctrace)) or (
            "" if len(uftrace) > 2 else "uftrace reports next to nothing: %s" % uftrace)
        bench.suite.case(name, why)


def check_opened(bench):
    """Two libraries of one name, opened while the program runs."""
    name = "import has uftrace's sums: libraries that are opened, two of one name"
    if not bench.suite.wants(name):
        return
    program = bench.build("opens.c", "-pg")
    libraries = []
    for folder in ("one", "two"):
        os.makedirs(bench.path(folder), exist_ok=True)
        libraries.append(bench.build("library.c", "-pg", "-shared", "-fPIC", "-DSTEP=step_" + folder,
                                     out=folder + "/libjob.so"))
    bench.record(["--no-event"], program, *libraries)
    uftrace, fctrace = bench.reports()
    wrong = differences(uftrace, fctrace)
    for function, calls in (("work", 2), ("step_one", 10), ("step_two", 10)):
        if function not in fctrace or fctrace[function].calls != calls:
            wrong.append("%s: %s" % (function, fctrace.get(function)))
    bench.suite.case(name, "\n".join(wrong))


def check_deep(bench):
    """A depth is told in ten bits; what is deeper goes on (where uftrace's report loses count)."""
    name = "calls that are deeper than the data can say are all there"
    if not bench.suite.wants(name):
        return
    bench.record(["--no-event", "--max-stack", "4096"], bench.build("deep.c", "-pg"))
    bench.imported()
    rows = {r["function"]: r for r in bench.json("report")}
    depth = bench.run("query", bench.trace,
                     "SELECT max(depth) - min(depth) AS d FROM calls WHERE name = 'down'")
    bench.suite.case(name, "" if rows["down"]["calls"] == 5002 and
                     depth.out.split()[-1] == b"3000" else "%s %s" % (rows["down"], depth.out))


def check_forks(bench):
    """A child of inner() that returns through inner, outer and main; one that ends in inner. uftrace
    counts what each inherited as called once more. Of what does not return it has no name: <0>."""
    name = "import has uftrace's sums: forks, but for what a child inherited"
    if not bench.suite.wants(name):
        return
    # With perf's events uftrace's report mistakes the stack that a child inherits.
    bench.record(["--no-event"], bench.build("forks.c", "-pg"))
    uftrace, fctrace = bench.reports()
    for function, times in (("main", 1), ("outer", 1), ("inner", 1), ("fork", 2)):
        uftrace[function].calls -= times
    uftrace.pop("<0>", None)
    wrong = []
    for function in sorted(uftrace.keys() | fctrace.keys()):
        if function not in uftrace or function not in fctrace:
            wrong.append("%s is in one of them only" % function)
        elif uftrace[function].calls != fctrace[function].calls:
            wrong.append("%s: uftrace %s, fctrace %s" % (
                function, uftrace[function], fctrace[function]))
    for function in ("leaf", "waitpid", "_exit"):
        if function in uftrace and not uftrace[function].agrees(fctrace[function]):
            wrong.append("%s: uftrace %s, fctrace %s" % (
                function, uftrace[function], fctrace[function]))
    bench.suite.case(name, "\n".join(wrong))

    replay = bench.run("replay", bench.trace).out.decode()
    found = [re.findall(r"\[ *%s\] \|\s+(\w+)\(.*inherited" % child, replay)
             for child in re.findall(r"(\d+) was forked", replay)]
    stacks = [["main", "outer", "inner", "fork"]] * 2
    bench.suite.case("a child begins with the calls that its parent had open",
                     "" if found == stacks else "%s\n%s" % (found, replay))


def check_jumps(bench):
    """What longjmp() leaves is not in uftrace's report, but its time is told as that of a second call of
    setjmp; nor is what exec leaves."""
    name = "import has uftrace's sums: longjmp and exec, but for calls that were left"
    if not bench.suite.wants(name):
        return
    program = bench.build("jumps.c", "-pg")
    bench.record(["--no-event"], program, "again")
    uftrace, fctrace = bench.reports()
    wrong = []
    for function, calls in (("deep", 10), ("longjmp", 2), ("execl", 1)):
        if function in uftrace or fctrace.pop(function, Sum()).calls != calls:
            wrong.append("%s: uftrace %s, fctrace has not %d" % (
                function, uftrace.get(function), calls))
    for function, more in (("_setjmp", 2), ("main", -1)):
        if uftrace.pop(function).calls - fctrace.pop(function).calls != more:
            wrong.append("%s: not %d calls more in uftrace" % (function, more))
    bench.suite.case(name, "\n".join(wrong + differences(uftrace, fctrace)))

    replay = bench.run("replay", bench.trace).out.decode()
    left = len(re.findall(r"\bdeep.*left", replay))
    bench.suite.case("calls that longjmp leaves are told as left",
                     "" if left == 10 else "%d of 10\n%s" % (left, replay))


def tree_of(text):
    """(depth, name) of each call as it begins, in replay's output of either."""
    tree = []
    for line in text.splitlines():
        entry = re.match(r"^[^|]*\| ( *)([^ /}][^(]*)\(", line)
        if entry:
            tree.append((len(entry.group(1)) // 2, entry.group(2)))
    return tree


def check_replay(bench):
    for source, flags in (("throws.cc", ["-pg"]), ("calls.c", ["-finstrument-functions"])):
        name = "replay shows uftrace's tree: " + source
        if not bench.suite.wants(name):
            continue
        bench.record(["--no-event"], bench.build(source, *flags))
        bench.imported()
        tids = sorted(int(f[:-4]) for f in os.listdir(bench.data) if re.match(r"\d+\.dat$", f))
        wrong = []
        for tid in map(str, tids):
            ours = bench.run("replay", "--demangle=no", "--tid", tid, bench.trace)
            theirs = tap.run(["uftrace", "replay", "--no-pager", "--demangle=no", "-d", bench.data,
                              "--tid", tid])
            ours, theirs = tree_of(ours.out.decode()), tree_of(theirs.out.decode())
            if ours != theirs or not ours:
                wrong.append("thread %s:\n%s" % (tid, tap.excerpt(
                    "\n".join(map(str, theirs)), "\n".join(map(str, ours)))))
        bench.suite.case(name, "\n".join(wrong))


def check_commands(bench):
    """Every command that reads a trace reads this one, and none finds anything wrong with it."""
    bench.record([], bench.build("calls.c", "-pg"))
    bench.imported()
    for args in (["replay"], ["report"], ["graph"], ["graph", "--from=fib"], ["info"],
                 ["export", "-f", "jsonl"], ["query"], ["diff"]):
        name = "fctrace reads an import: " + " ".join(args)
        if not bench.suite.wants(name):
            continue
        more = {"query": ["select count(*) from calls"], "diff": [bench.trace]}.get(args[0], [])
        done = bench.run(*args, bench.trace, *more)
        bench.suite.case(name, "" if done.status == 0 and done.out and not done.err else
                         "status %d: %s" % (done.status, done.err.decode()))


def write(folder, name, data):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def change(folder, name, fn):
    with open(os.path.join(folder, name), "rb") as f:
        data = f.read()
    write(folder, name, fn(data))


def remove(folder, suffix):
    for name in os.listdir(folder):
        if name.endswith(suffix):
            os.unlink(os.path.join(folder, name))


def largest(folder):
    return max((f for f in os.listdir(folder) if re.match(r"\d+\.dat$", f)),
               key=lambda f: os.path.getsize(os.path.join(folder, f)))


def each_word(data, fn):
    """The second word of each record, as fn(i, word) makes it."""
    words = list(struct.unpack("<%dQ" % (len(data) // 8), data[:len(data) // 8 * 8]))
    for i in range(1, len(words), 2):
        words[i] = fn(i // 2, words[i])
    return struct.pack("<%dQ" % len(words), *words)


def be_fifo(folder, name):
    os.unlink(os.path.join(folder, name))
    os.mkfifo(os.path.join(folder, name))


def not_readable(folder):
    os.unlink(os.path.join(folder, "info"))
    os.mkdir(os.path.join(folder, "info"))


# What is done to a good folder, the exit status, what stderr says; None: nothing at all.
DAMAGE = {
    "it is empty": (lambda d: remove(d, ""), 3, "has no file info"),
    "info is missing": (lambda d: remove(d, "info"), 3, "has no file info"),
    "info is of something else": (lambda d: write(d, "info", b"hello\n" * 20), 3,
                                  "does not begin as uftrace's"),
    "info is empty": (lambda d: write(d, "info", b""), 3, "does not begin as uftrace's"),
    "info is a folder": (not_readable, 3, "not a regular file"),
    "info ends behind its head": (lambda d: change(d, "info", lambda b: b[:40]), 0, None),
    "version 9": (lambda d: change(d, "info", lambda b: b[:8] + b"\x09\0\0\0" + b[12:]), 3,
                  "version 9"),
    "a big-endian machine": (lambda d: change(d, "info", lambda b: b[:14] + b"\x02" + b[15:]), 3,
                             "big-endian"),
    "task.txt is missing": (lambda d: remove(d, "task.txt"), 3, "task.txt"),
    "task.txt is empty": (lambda d: write(d, "task.txt", b""), 3, "tells of no program"),
    "task.txt is noise": (lambda d: write(d, "task.txt", bytes(range(256)) * 900), 3,
                          "tells of no program"),
    "task.txt has a line of 10 MB": (
        lambda d: change(d, "task.txt", lambda b: b + b"TASK " + b"x" * 10 ** 7), 4,
        "1 lines cannot be read"),
    "task.txt is a FIFO": (lambda d: be_fifo(d, "task.txt"), 3, "not a regular file"),
    "a .dat file is a FIFO": (lambda d: be_fifo(d, largest(d)), 4, "that thread is left out"),
    "all .dat files are missing": (lambda d: remove(d, ".dat"), 3, "holds no calls"),
    "a .dat file is cut": (lambda d: change(d, largest(d), lambda b: b[:len(b) // 2 + 5]), 4,
                           "5 bytes"),
    "a .dat file has noise in it": (
        lambda d: change(d, largest(d), lambda b: b[:160] + b"\xff" * 99 + b[160:]), 4,
        "damaged and left out"),
    "a .dat file is of no thread": (lambda d: write(d, "1.dat", b"x" * 64), 4,
                                    "threads that task.txt does not tell of"),
    "records have another magic": (
        lambda d: change(d, largest(d), lambda b: each_word(b, lambda i, w: w ^ 0x38)), 4,
        "damaged and left out"),
    "records are in big-endian order": (
        lambda d: change(d, largest(d), lambda b: b"".join(
            b[i:i + 8][::-1] for i in range(0, len(b), 8))), 4, "damaged and left out"),
    "depths are huge": (
        lambda d: change(d, largest(d), lambda b: each_word(b, lambda i, w: w | 1023 << 6)), 0,
        None),
    "depths are noise": (
        lambda d: change(d, largest(d), lambda b: each_word(
            b, lambda i, w: w & ~(1023 << 6) | i * 389 % 1024 << 6)), 0, None),
    "all addresses are absurd": (
        lambda d: change(d, largest(d), lambda b: each_word(
            b, lambda i, w: w & 0xffff | (i * 0x9e3779b97f4a & 0xffffffffffff) << 16)), 0, None),
    "a .dat file is all zeros": (lambda d: change(d, largest(d), lambda b: bytes(len(b))), 4,
                                 "damaged and left out"),
    "map files are missing": (lambda d: remove(d, ".map"), 0, "named by their addresses"),
    "symbols are missing": (lambda d: remove(d, ".sym"), 0, "named by their place"),
    "symbols are noise": (lambda d: [write(d, f, bytes(range(256)) * 99) for f in os.listdir(d)
                                     if f.endswith(".sym")], 0, None),
    "perf's file is cut": (
        lambda d: [change(d, f, lambda b: b + b"\x0e\0\0\0\0\0\x18\0\1") for f in os.listdir(d)
                   if f.startswith("perf-cpu0")], 4, "perf-cpu"),
    "the kernel was traced, too": (lambda d: write(d, "kernel-cpu0.dat", b"x" * 4096), 0,
                                   "the kernel's functions are left out"),
    "messages were recorded": (lambda d: write(d, "extern.dat", b"1.5 hello\n"), 0, "extern.dat"),
}


def says_one_thing(done):
    lines = done.err.decode(errors="replace").splitlines()
    return all(line.startswith("fctrace: ") for line in lines)


def check_damage(bench):
    bench.record([], bench.build("calls.c", "-pg"))
    for what, (damage, status, says) in DAMAGE.items():
        name = "import of a damaged folder: " + what
        if not bench.suite.wants(name):
            continue
        data, trace = bench.path("bad"), bench.path("bad.data")
        for path in (trace, trace + ".old"):
            if os.path.exists(path):
                os.unlink(path)
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(bench.data, data)
        damage(data)
        done = bench.run_import(data, trace, limit_s=20)
        err = done.err.decode(errors="replace")
        why = done.trouble() or ""
        if done.status != status or not says_one_thing(done) or (says and says not in err):
            why = "status %d instead of %d: %s" % (done.status, status, err)
        elif os.path.exists(trace) != (status != 3):
            why = "a trace was left" if status == 3 else "there is no trace"
        elif status != 3:
            for command in ("report", "replay", "info"):
                read = bench.run(command, trace)
                if read.status != 0 or read.err:
                    why = "%s: status %d: %s" % (command, read.status, read.err.decode())
        bench.suite.case(name, why)


def check_usage(bench):
    bench.record([], bench.build("calls.c", "-pg"))
    full = "/dev/full"
    for what, words, status, says in (
            ("no such folder", ["no-such"], 3, "no-such"),
            ("a file", [bench.build("calls.c", "-pg")], 3, "is a file"),
            ("two folders", ["a", "b"], 2, "one folder"),
            ("a trace within the folder", ["-o", bench.data + "/t.data", bench.data], 1, "lies in"),
            ("over one of its files", ["-o", bench.data + "/info", bench.data], 1, "lies in"),
            ("into no folder", ["-o", "/no-such/t.data", bench.data], 1, "/no-such/t.data"),
            ("a full disk", ["-o", full, bench.data], 1, full)):
        name = "import refuses: " + what
        if bench.suite.wants(name):
            before = sorted(os.listdir(bench.data))
            done = bench.run("import", *words)
            err = done.err.decode()
            bench.suite.case(name, "" if (done.status == status and says in err and
                                          err.count("\n") == 1 and
                                          sorted(os.listdir(bench.data)) == before) else
                             "status %d: %s" % (done.status, err))

    name = "import that fails leaves the trace before as it was"
    if bench.suite.wants(name):
        bench.write("t.data", b"before")
        done = bench.run_import(bench.path("no-such"))
        with open(bench.trace, "rb") as f:
            bench.suite.case(name, "" if done.status == 3 and f.read() == b"before" else done.err)

    name = "import takes uftrace.data and writes fctrace.data when nothing is said"
    if bench.suite.wants(name):
        os.rename(bench.data, bench.path("uftrace.data"))
        done = bench.run("import")
        read = bench.run("report")
        os.rename(bench.path("uftrace.data"), bench.data)
        bench.suite.case(name, "" if done.status == 0 and b"fib" in read.out else done.err)


LONG_RECORDS = 3000000


def make_long(folder, nr):
    """A recording of one thread that is made, not recorded: main calls leaf all the time."""
    os.makedirs(folder)
    head = b"Ftrace!\0" + struct.pack("<IHBBQQHHI", 4, 40, 1, 2, 0x63, 0, 1024, 0, 0)
    write(folder, "info", head + b"exename:/bin/job\nexit_status:0\n")
    write(folder, "task.txt", b'SESS timestamp=1.000000000 pid=7 sid=0123456789abcdef '
          b'exename="/bin/job"\nTASK timestamp=1.000000000 tid=7 pid=7\n')
    write(folder, "sid-0123456789abcdef.map", b"10000-20000 r-xp 00000000 08:01 5 /bin/job\n")
    write(folder, "job.sym", b"# path name: /bin/job\n0000000000001000 T main\n"
          b"0000000000002000 T leaf\n0000000000003000 ? __sym_end\n")
    at = 10 ** 9
    with open(os.path.join(folder, "7.dat"), "wb") as f:
        f.write(struct.pack("<QQ", at, 5 << 3 | 0x11000 << 16))
        block = bytearray()
        for i in range(nr // 2):
            block += struct.pack("<QQQQ", at + 2 * i + 1, 5 << 3 | 1 << 6 | 0x12000 << 16,
                                 at + 2 * i + 2, 1 | 5 << 3 | 1 << 6 | 0x12000 << 16)
            if len(block) > 1 << 20:
                f.write(block)
                block.clear()
        f.write(block)
        f.write(struct.pack("<QQ", at + nr + 1, 1 | 5 << 3 | 0x11000 << 16))


def check_memory(bench):
    """Ten times the records take no more memory."""
    name = "import's memory does not grow with the recording"
    if not bench.suite.wants(name):
        return
    peaks = []
    for nr in (LONG_RECORDS // 10, LONG_RECORDS):
        data = bench.path("long%d" % nr)
        make_long(data, nr)
        child = subprocess.Popen([bench.fctrace, "import", "-o", bench.trace, data])
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        peaks.append(usage.ru_maxrss)
        rows = {r["function"]: r for r in bench.json("report")}
        shutil.rmtree(data)
        if rows["leaf"]["calls"] != nr // 2 or rows["leaf"]["total_ns"] != nr // 2 or \
                rows["main"]["self_ns"] != nr // 2 + 1:
            bench.suite.fail(name, "%s\n%s" % (rows["leaf"], rows["main"]))
            return
    bench.suite.case(name, "" if peaks[1] < peaks[0] + 4096 else "%s KiB" % peaks)


def check_absurd(bench):
    """A million addresses, none of which is known: soon done, in a small trace."""
    name = "a million absurd addresses are imported in seconds"
    if not bench.suite.wants(name):
        return
    data = bench.path("absurd")
    make_long(data, 1000000)
    change(data, "7.dat", lambda b: each_word(
        b, lambda i, w: w & 0xffff | (i // 2 * 0x9e3779b97f4a & 0xffffffffffff) << 16))
    done = bench.run_import(data, limit_s=20)
    rows = bench.json("report")
    rest = [r["calls"] for r in rows if r["function"] == "<other addresses>"]
    bench.suite.case(name, done.trouble() or (
        "" if done.status == 0 and len(rows) < 5000 and rest and rest[0] > 400000 else
        "status %d: %d rows, %s" % (done.status, len(rows), rest)))
    shutil.rmtree(data)


def check_lost(bench):
    """A record that says that 5 are lost: a gap of 5, and what is known around it."""
    name = "lost records are a gap with their number"
    if not bench.suite.wants(name):
        return
    data = bench.path("lost")
    make_long(data, 100)
    lost = struct.pack("<QQ", 0, 2 | 5 << 3 | 5 << 16)
    change(data, "7.dat", lambda b: b[:16 * 10] + lost + b[16 * 11:])
    done = bench.run_import(data)
    info = bench.run("info", bench.trace).out.decode()
    replay = bench.run("replay", bench.trace).out.decode()
    bench.suite.case(name, "" if done.status == 0 and re.search(r"^lost +5$", info, re.M) and
                     "5 records" in replay else "%s\n%s\n%s" % (done.err, info, replay))
    shutil.rmtree(data)


def suite_of(suite):
    bench = Bench(suite)
    for check in (check_same, check_opened, check_deep, check_forks, check_jumps, check_replay,
                  check_commands, check_damage, check_usage, check_lost, check_memory,
                  check_absurd):
        check(bench)


if __name__ == "__main__":
    tap.main(suite_of)
