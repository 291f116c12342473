#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Coroutines of many libraries and languages, with stacks of many sizes, do what they do untraced: launched,
attached to and let go, with values to a depth of three, and when fctrace is killed.
"""
import os
import random
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
SIZES = (16384, 32768, 65536, 1 << 20)
DEEP = ("-a", "--depth-of-values=3")
WAYS = (DEEP, (), ("--libs=all", *DEEP), ("--libs=none", *DEEP), ("--loss=ring", *DEEP), ("-F", "walk", *DEEP))
# name, what is needed besides a compiler; is it attached to?
LIBRARIES = {"ucontext.c": [], "assembly.c": [], "pcl.c": ["-lpcl"], "pth.c": ["-lpth"],
             "boost.cc": ["-lboost_context"], "cpp20.cc": ["-std=c++20"]}
INTERPRETERS = {"fibers.rb": "ruby", "coroutines.lua": "lua5.4", "coro.pl": "perl"}
GREENLETS = os.path.join(HERE, "../copied/programs/greenlets.py")


class Bench(bench.Bench):
    flags = ["-O2", "-g", "-Wl,-z,now", "-fPIE"]

    def __init__(self, suite):
        super().__init__(suite)
        self.rng = random.Random(suite.args.seed)

    def command(self, name, size):
        """Without a number of rounds."""
        if name == "greenlets.py":
            return [tap.PYTHON, GREENLETS]
        if name in INTERPRETERS:
            path = shutil.which(INTERPRETERS[name])
            if not path:
                raise Skip(INTERPRETERS[name] + " is not installed")
            return [path, os.path.join(PROGRAMS, name), str(size)]
        try:
            path = self.build(name, "-no-pie" if name == "assembly.c" else "-pie", *LIBRARIES[name])
        except Wrong as why:
            raise Skip("cannot be compiled: %s" % why) from why
        return [path, str(size)]


def launched(bench, name, size, *options):
    command = [*bench.command(name, size), "4"]
    bare = tap.run(command)
    if bare.out.startswith(b"no "):
        raise Skip(bare.out.decode().strip() + " is installed")
    traced = bench.record(*command, options=options)
    if bare.status or (bare.status, bare.out) != (traced.status, traced.out):
        raise Wrong("status %d, untraced %d; %s; %s" % (
            traced.status, bare.status, tap.excerpt(bare.out, traced.out),
            traced.err.decode(errors="replace")[-800:]))


def attached(bench, name, size, nr_rounds):
    """Let go, or fctrace is killed, in turns."""
    command = bench.command(name, size)
    expected = tap.run([*command, "1"]).out
    proc = subprocess.Popen(command, cwd=bench.folder, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if proc.stdout.readline() != b"ready\n":
        proc.kill()
        proc.communicate()
        raise Skip(expected.decode().strip())
    for i in range(nr_rounds):
        controller = bench.begin(*bench.rng.choice(WAYS), "-p", str(proc.pid),
                                 "--for", "%dms" % bench.rng.randrange(1, 60))
        if i % 2:
            time.sleep(bench.rng.random() * 0.2)
            controller.kill()
        err = controller.communicate()[1]
        if controller.returncode and not i % 2:
            proc.kill()
            raise Wrong("status %d: %r" % (controller.returncode, err[-600:]))
    out, err = proc.communicate()
    if proc.returncode or out != expected:
        raise Wrong("status %d, %r, expected %r; %r" % (proc.returncode, out, expected, err[-400:]))


def suite_of(suite):
    with_programs = Bench(suite)
    print("# --seed %d" % suite.args.seed)
    names = [*LIBRARIES, "greenlets.py", *INTERPRETERS]
    for name in names:
        sizes = SIZES if suite.is_long and name in LIBRARIES else SIZES[:1]
        for size in sizes:
            for way in WAYS if suite.is_long else WAYS[::5] if name in LIBRARIES else WAYS[:1]:
                suite.run("%s %d %s" % (name, size, " ".join(way)), launched, with_programs, name, size, *way)
            if name not in ("coroutines.lua", "coro.pl"):
                suite.run("%s %d attached to" % (name, size), attached, with_programs, name, size,
                          40 if suite.is_long else 4)


tap.main(suite_of, seed=tap.SEED)
