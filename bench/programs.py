# SPDX-License-Identifier: Apache-2.0
"""programs.py - the rows of the table: loops that only call, and jobs of real programs."""
import os
import subprocess

import jobs
import worker as workers

HERE = os.path.dirname(os.path.abspath(__file__))

PYTHON = """
import collections, json, re, sys, time
rows = [{"k%d" % (i % 97): list(range(i % 50)), "t": "x" * (i % 70)} for i in range(4000)]
for line in sys.stdin:
    begin = time.monotonic_ns()
    text = json.dumps(rows, sort_keys=True, indent=1)
    back = json.loads(text)
    words = collections.Counter(re.findall(r"k\\d+|x{3,7}", text))
    right = back == rows and sum(words.values()) == 24242
    print(int(right), time.monotonic_ns() - begin, flush=True)
"""

# bash, for it has a clock of its own: no process more than the job has.
SHELL = """
while read -r _; do
	begin=${EPOCHREALTIME/./}
	{ %s ; } </dev/null >/dev/null && right=1 || right=0
	end=${EPOCHREALTIME/./}
	echo $right $(((end - begin) * 1000))
done
"""
GIT = ("git log -p --stat --format='%H %an %s' && git grep -c alpha && "
       "git pack-objects --all --no-reuse-delta --window=50 --stdout -q")
GCC = "gcc -O2 -c -o many.o many.c"


def env_in(folder):
    """Plans are kept there from one run to the next, as a user's are."""
    return dict(jobs.ENV, TMPDIR=folder, XDG_CACHE_HOME=folder + "/cache")


class Loop:
    """A C program of this folder. Its unit of work is a call."""

    is_compiled, is_fresh = True, False

    def __init__(self, name, label, folder):
        self.name, self.label, self.folder = name, label, folder
        self.built = {}

    def path(self, flags):
        """The program, compiled with these flags."""
        name = "".join([self.name, *flags])
        if name not in self.built:
            self.built[name] = os.path.join(self.folder, name)
            subprocess.run(["gcc", "-O2", "-g", "-pthread", *flags, "-o", self.built[name],
                            os.path.join(HERE, self.name + ".c")], check=True)
        return self.built[name]

    def start(self, column, beside=""):
        argv = [*column.prefix, self.path(column.flags), "rounds"]
        return workers.Worker(argv, self.folder, env_in(self.folder))


class Job:
    """A program of the system, in a folder that is prepared for it. It cannot be compiled anew."""

    is_compiled = False

    def __init__(self, name, folder, argv, prepare=None, kind=workers.Worker):
        self.name = self.label = name
        self.folder, self.argv, self.prepare, self.kind = folder + "/" + name, argv, prepare, kind
        self.is_fresh = "/bin/bash" in argv  # a loop of a shell's

    def start(self, column, beside=""):
        """beside: what to call the folder of a second run at the same time."""
        folder = self.folder + beside
        if not os.path.isdir(folder):
            os.makedirs(folder)
            if self.prepare:
                self.prepare(folder)
        return self.kind([*column.prefix, *self.argv], folder, env_in(folder))


def git_repository(folder):
    jobs.make_tree(folder)
    script = "git init -q -b main . && git add tree && git commit -q -m first"
    for i in range(20):
        script += " && echo %d >> tree/d0%d/f00.txt && git commit -qam change%d" % (i, i % 10, i)
    subprocess.run(["/bin/sh", "-c", script], cwd=folder, env=jobs.ENV, check=True)


def c_file(folder):
    text = "".join("static int f%d(int x) { int s = 0; for (int i = 0; i < x; i++) "
                   "s += i * %d ^ x; return s; }\n" % (i, i + 3) for i in range(25))
    text += "int all(int c) { return " + " + ".join("f%d(c)" % i for i in range(25)) + "; }\n"
    jobs.write(os.path.join(folder, "many.c"), text)


def all_loops(folder):
    return [Loop(name, label, folder) for name, label in [
        ("fib", "fib"), ("leaf", "leaf loop"), ("indirect", "indirect calls"),
        ("deep", "deep recursion"), ("threads", "2 threads")]]


def two_rdtsc(folder):
    return Loop("rdtsc", "two rdtsc", folder)


def all_jobs(folder):
    return [
        Job("python3", folder, ["/usr/bin/python3", "-c", PYTHON]),
        Job("sqlite3", folder, ["/usr/bin/sqlite3", "-batch", ":memory:"],
            kind=workers.SqliteWorker),
        Job("git", folder, ["/bin/bash", "-c", SHELL % GIT], git_repository),
        Job("gcc", folder, ["/bin/bash", "-c", SHELL % GCC], c_file),
        Job("redis", folder, ["/usr/bin/redis-server", "--port", "0", "--unixsocket", "socket",
                              "--save", "", "--appendonly", "no"], kind=workers.RedisWorker),
    ]
