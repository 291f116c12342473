#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What tracing costs, in one table: ns a call, run times of real programs, bytes a call,
start and memory of large programs.

  bench/bench.py --fctrace build/fctrace [--rounds 5]

All figures of a table come from one run on one machine; compare their ratios, not the
figures of two machines. The median of the rounds is shown.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(os.path.dirname(HERE), "tests")
sys.path[:0] = [TESTS, os.path.join(TESTS, "unharmed")]
import jobs  # noqa: E402
import tap  # noqa: E402

LOOPS = [("fib", "fib(32)"), ("leaf", "leaf loop"), ("deep", "deep recursion")]
PYTHON_JOB = """
import json, re, collections
rows = [{"k%d" % (i % 97): list(range(i % 50)), "t": "x" * (i % 70)} for i in range(4000)]
text = json.dumps(rows, sort_keys=True, indent=1)
back = json.loads(text)
words = collections.Counter(re.findall(r"k\\d+|x{3,7}", text))
print(len(text), len(back), sum(words.values()))
"""
SQL_JOB = """
create table t(id integer primary key, name text, n integer);
with recursive c(i) as (select 1 union all select i + 1 from c where i < 60000)
insert into t select i, 'name' || (i * 7919 % 1000), i * i % 101 from c;
create index by_name on t(name);
select name, count(*) c, sum(n) from t group by name order by c desc, name limit 5;
select count(*) from t a join t b on b.id = a.n where a.name like '%5%';
"""
GIT_JOB = "git log --stat --format='%H %an %s' | tail -1; git grep -c alpha | tail -1; git gc -q"


class Job:
    def __init__(self, name, argv, prepare=None):
        self.name, self.argv, self.prepare = name, argv, prepare


def git_repository(folder):
    jobs.make_tree(folder)
    script = "git init -q -b main . && git add tree && git commit -q -m first"
    for i in range(20):
        script += " && echo %d >> tree/d0%d/f00.txt && git commit -qam change%d" % (i, i % 10, i)
    subprocess.run(["/bin/sh", "-c", script], cwd=folder, env=jobs.ENV, check=True)


def c_file(folder):
    text = "#include <stdio.h>\n#include <stdlib.h>\n" + "".join(
        "static int f%d(int x) { int s = 0; for (int i = 0; i < x; i++) s += i * %d ^ x; "
        "return s; }\n" % (i, i + 3) for i in range(150))
    text += "int main(int c, char **v) { (void)v; return " + " + ".join(
        "f%d(c)" % i for i in range(150)) + "; }\n"
    jobs.write(os.path.join(folder, "many.c"), text)


JOBS = [
    Job("python3", ["/usr/bin/python3", "-c", PYTHON_JOB]),
    Job("sqlite3", ["/usr/bin/sqlite3", "-batch", ":memory:", SQL_JOB]),
    Job("git", ["/bin/sh", "-c", GIT_JOB], git_repository),
    Job("gcc", ["/usr/bin/gcc", "-O2", "-o", "many", "many.c"], c_file),
]


def median_of(rounds, measure):
    """The median of what rounds of measure return; None when one of them fails."""
    values = [measure() for _ in range(rounds)]
    return None if None in values else statistics.median(values)


def ns_a_call(argv, cwd):
    done = tap.run(argv, cwd=cwd, limit_s=120)
    try:
        calls, ns = map(int, done.out.split()[-2:])
        return ns / calls if done.status == 0 else None
    except (ValueError, ZeroDivisionError):
        return None


def build(name, flags, folder, suffix=""):
    path = os.path.join(folder, name + suffix)
    subprocess.run(["gcc", "-O2", "-g", *flags, "-o", path, os.path.join(HERE, name + ".c")],
                   check=True)
    return path


def show(value, form="%.1f"):
    return "-" if value is None else form % value


def ratio(a, b, form="%.2f x"):
    return "-" if not a or not b else form % (a / b)


def loops_table(fctrace, rounds, folder):
    floor = median_of(rounds, lambda: ns_a_call([build("rdtsc", [], folder)], folder))
    print("ns a call        bare   fctrace  uftrace -pg  uftrace -P .   fctrace/two rdtsc"
          "   uftrace -P/fctrace")
    ratios = {}
    has_uftrace = tap.have("uftrace")
    for name, label in LOOPS:
        bare, pg = build(name, [], folder), build(name, ["-pg"], folder, ".pg")
        # Room for a patch at each entry: without it uftrace leaves many functions out.
        nops = build(name, ["-fpatchable-function-entry=5"], folder, ".nops")
        data = os.path.join(folder, "uftrace.data")

        def fresh(argv):
            shutil.rmtree(data, ignore_errors=True)
            return ns_a_call(argv, folder)
        of_bare = median_of(rounds, lambda: ns_a_call([bare], folder))
        of_fctrace = median_of(rounds, lambda: ns_a_call(
            [fctrace, "record", "-o", os.path.join(folder, "t.data"), bare], folder))
        of_pg = of_patch = None
        if has_uftrace:
            record = ["uftrace", "record", "-d", data, "--no-libcall", "--no-event",
                      "--max-stack=20000", "-D", "20000"]
            of_pg = median_of(min(rounds, 3), lambda: fresh([*record, pg]))
            of_patch = median_of(min(rounds, 3), lambda: fresh([*record, "-P", ".", nops]))
        ratios[name] = (of_fctrace, of_patch)
        print("%-14s %6s %9s %12s %13s %19s %20s" % (
            label, show(of_bare), show(of_fctrace), show(of_pg), show(of_patch),
            ratio(of_fctrace, floor), ratio(of_patch, of_fctrace)))
    print("%-14s %6s" % ("two rdtsc", show(floor)))
    print()
    of_fctrace, of_patch = ratios["fib"]
    return [
        ("fib at most 1.3 x two rdtsc", ratio(of_fctrace, floor),
         bool(of_fctrace and floor) and of_fctrace <= 1.3 * floor),
        ("fib at least 4 x faster than uftrace -P .", ratio(of_patch, of_fctrace),
         None if not of_patch else bool(of_fctrace) and of_patch >= 4 * of_fctrace),
    ]


def seconds(argv, job, folder):
    """How long one run takes, in a folder made for it."""
    work = os.path.join(folder, "work")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    if job.prepare:
        job.prepare(work)
    begin = time.monotonic()
    done = tap.run(argv, cwd=work, env=dict(jobs.ENV, TMPDIR=work), limit_s=300)
    return time.monotonic() - begin if done.status == 0 else None


def jobs_table(fctrace, rounds, folder):
    print("run time in s    bare   fctrace     ratio        calls   bytes a call   ns a call added")
    goals = []
    trace = os.path.join(folder, "job.data")
    for job in JOBS:
        record = [fctrace, "record", "-o", trace, *job.argv]
        bare = median_of(rounds, lambda j=job: seconds(j.argv, j, folder))
        traced = median_of(rounds, lambda j=job, r=record: seconds(r, j, folder))
        if traced is None:
            print("%-14s %6s %9s" % (job.name, show(bare, "%.3f"), "failed"))
            goals.append((job.name + " ends well when traced", "no", False))
            continue
        info = tap.fctrace_json(fctrace, "info", trace)
        calls, size = info["calls"], info["bytes"] / max(1, info["calls"])
        print("%-14s %6s %9s %9s %12d %14.2f %17.1f" % (
            job.name, show(bare, "%.3f"), show(traced, "%.3f"), ratio(traced, bare), calls,
            size, (traced - bare) * 1e9 / max(1, calls)))
        if job.name != "gcc":
            goals.append(("%s at most 2 bytes a call" % job.name, "%.2f" % size, size <= 2))
    print()
    return goals


def drain_table(fctrace, folder):
    """What the thread that empties the rings spends on a record: bench/drain.c."""
    drain = os.path.join(os.path.dirname(fctrace), "bench", "drain")
    if not os.access(drain, os.X_OK):
        return [("a core drains 150 M records a second", "-", None)]
    print("ns a record      take    encode  compress     write       all   M records a second"
          "   bytes a record")
    trace, goals = os.path.join(folder, "drain.data"), []
    loop = Job("fib", [build("fib", [], folder)])
    for job in [loop] + [job for job in JOBS if job.name in ("python3", "sqlite3")]:
        if seconds([fctrace, "record", "-o", trace, *job.argv], job, folder) is None:
            continue
        done = tap.run([drain, trace, os.path.join(folder, "drained.data")])
        told = [float(n) for n in re.findall(r"\d+\.\d+", done.out.decode())]
        if done.status != 0 or len(told) != 12:
            continue
        of_all, millions, _, _, _, _, _, size, *parts = told
        print("%-14s %6.2f %9.2f %9.2f %9.2f %9.2f %20.0f %16.3f" % (
            job.name, *parts, of_all, millions, size))
        goals.append(("a core drains 150 M records of %s a second" % job.name,
                      "%.0f M" % millions, millions >= 150))
    print()
    return goals


STARTS = [  # program, and how much later it may be ready in ms: cold, with its plan kept
    ("python3", ["/usr/bin/python3", "-c", "pass"], 150, None),
    ("node", ["/usr/bin/node", "--version"], 400, 150),
    ("clang", ["/usr/bin/clang", "--version"], None, None),
    ("clang, all", ["/usr/bin/clang", "--version"], 1200, None),
]


def start_ms(argv, cache, is_cold):
    if is_cold:
        shutil.rmtree(cache, ignore_errors=True)
        os.makedirs(cache, 0o700)
    begin = time.monotonic()
    done = tap.run(argv, env=dict(jobs.ENV, XDG_CACHE_HOME=cache), limit_s=300)
    return (time.monotonic() - begin) * 1e3 if done.status == 0 else None


def start_row(fctrace, rounds, folder, name, argv):
    """From start to end: nothing of note happens in between. Cold: no plan is kept."""
    trace = os.path.join(folder, "start.data")
    cache = os.path.join(folder, "cache")
    libs = ["--libs=all"] if name.endswith("all") else []
    record = [fctrace, "record", "-o", trace, *libs, *argv]
    bare = median_of(rounds, lambda: start_ms(argv, cache, False))
    cold = median_of(rounds, lambda: start_ms(record, cache, True))
    warm = median_of(rounds, lambda: start_ms(record, cache, False))
    if None in (bare, cold, warm):
        print("%-12s does not run" % name)
        return None, None
    info = tap.fctrace_json(fctrace, "info", trace)
    print("%-12s %8.1f %10.1f %10.1f %10d" % (
        name, bare, cold - bare, warm - bare, info["hooked"] + info["entry_only"]))
    return cold - bare, warm - bare


def start_table(fctrace, rounds, folder):
    print("start to end     bare  added, cold      warm  functions   ms")
    goals = []
    for name, argv, most_cold, most_warm in STARTS:
        if not os.path.exists(argv[0]):
            print("%-12s is not installed" % name)
            continue
        cold, warm = start_row(fctrace, rounds, folder, name, argv)
        for what, added, most in (("", cold, most_cold), (" with its plan kept", warm, most_warm)):
            if most:
                goals.append(("%s%s starts at most %d ms later" % (name, what, most),
                              show(added) + " ms", added is not None and added <= most))
    print()
    return goals


def status_kib(pid, field):
    with open("/proc/%d/status" % pid, encoding="ascii") as f:
        return next(int(line.split()[1]) for line in f if line.startswith(field))


def pool_bytes(pid):
    """What is mapped in the target and is neither a file's nor the kernel's, and is code."""
    size = 0
    with open("/proc/%d/maps" % pid, encoding="utf-8") as f:
        for line in f:
            words = line.split()
            if words[1] == "r-xp" and len(words) == 5:
                low, high = (int(word, 16) for word in words[0].split("-"))
                size += high - low
    return size


WAITING = [  # programs that say their pid and wait: for what fctrace needs anyway, for its memory
    ("sh", ["/bin/sh", "-c", "echo $$; read line"]),  # and for the target's
    ("node", ["/usr/bin/node", "-e",
              "console.log(process.pid); process.stdin.once('data', () => process.exit())"]),
    ("python3", ["/usr/bin/python3", "-c", "import os; print(os.getpid(), flush=True); input()"]),
]


def memory_of(fctrace, folder, argv):
    """KiB in fctrace beside mapped files, bytes of stubs, functions planned, functions hooked."""
    trace = os.path.join(folder, "memory.data")
    with subprocess.Popen([fctrace, "record", "-o", trace, "--libs=all", *argv],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env=jobs.ENV) as tracer:
        pid = int(tracer.stdout.readline())
        own, pools = status_kib(tracer.pid, "RssAnon"), pool_bytes(pid)
        tracer.communicate(b"\n")
    info = tap.fctrace_json(fctrace, "info", trace)
    hooked = info["hooked"] + info["entry_only"]
    return own, pools, hooked + info["skipped"] + info["parts"], hooked


def memory_table(fctrace, folder):
    goals, least = [], None
    print("memory      functions  fctrace, KiB  bytes more    hooked  stubs, KiB  bytes each")
    for name, argv in WAITING:
        if not os.path.exists(argv[0]):
            print("%-11s is not installed" % name)
            continue
        own, pools, nr, hooked = memory_of(fctrace, folder, argv)
        least = least or (own, nr)
        more = (own - least[0]) * 1024 // max(nr - least[1], 1)  # for each function more
        print("%-11s %9d %13d %11d %9d %11d %11d" % (
            name, nr, own, more, hooked, pools // 1024, pools // hooked))
        if name == "node":
            goals.append(("fctrace needs at most 200 bytes a function", more, 200))
        elif name == "python3":
            goals.append(("a hooked function at most 350 in the target", pools // hooked, 350))
    print()
    return [(goal, "%d" % value, value <= most) for goal, value, most in goals]


def births_table(fctrace, rounds, folder):
    """Threads, signals and forks pass ptrace: what each costs more than untraced."""
    print("us each          bare   fctrace     added")
    program = build("births", ["-pthread"], folder)
    trace = os.path.join(folder, "births.data")
    goals = []
    for what, goal_us in [("threads", 200), ("signals", 30), ("forks", None)]:
        bare = median_of(rounds, lambda w=what: ns_a_call([program, w], folder))
        traced = median_of(rounds, lambda w=what: ns_a_call(
            [fctrace, "record", "-o", trace, program, w], folder))
        added = (traced - bare) / 1e3 if traced and bare else None
        print("%-14s %6s %9s %9s" % (what, show(bare and bare / 1e3),
                                     show(traced and traced / 1e3), show(added)))
        if goal_us:
            goals.append(("%s cost at most %d us more" % (what, goal_us),
                          show(added) + " us", added is not None and added <= goal_us))
    print()
    return goals


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        model = next((line.split(":")[1].strip() for line in f if line.startswith("model name")),
                     "unknown CPU")
    return "%s, %d CPUs, Linux %s" % (model, os.cpu_count(), os.uname().release)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--fctrace", required=True)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", action="store_true", help="the goals as JSON, at the end")
    args = options.parse_args()
    fctrace = os.path.abspath(args.fctrace)
    print(machine())
    print()
    with tempfile.TemporaryDirectory(prefix="fctrace-bench-") as folder:
        goals = loops_table(fctrace, args.rounds, folder)
        goals += jobs_table(fctrace, args.rounds, folder)
        goals += drain_table(fctrace, folder)
        goals += start_table(fctrace, args.rounds, folder)
        goals += memory_table(fctrace, folder)
        goals += births_table(fctrace, args.rounds, folder)
    for goal, value, is_met in goals:
        print("%-45s %10s   %s" % (goal, value, {True: "met", False: "missed",
                                                 None: "not measured"}[is_met]))
    if args.json:
        print(json.dumps([{"goal": g, "value": v, "met": m} for g, v, m in goals]))


if __name__ == "__main__":
    main()
