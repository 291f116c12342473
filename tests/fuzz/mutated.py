#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""mutated.py --fctrace FCTRACE --fuzzer FUZZ_COMMANDS [--long] - traces that were changed.

Traces of a few programs are changed behind their checksums, which are made right again, and read by
every command that reads, under sanitizers: no finding, no hang. --long: 5 000 of them.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

PROGRAMS = os.path.join(tap.TESTS, "whole/truth/programs")
NAMES = ["threads", "fork", "tail", "longjmp", "contexts", "exec", "altstack", "thread_exit",
         "recursion"]
OPTIONS = {"fork": [["--loss=ring"], ["-F", "*a*"]], "threads": [["--budget=1%"]]}
VALUED = os.path.join(HERE, "programs/valued")  # .c and .h: values in all forms
SHORT, LONG = 100, 5000
HANG_S = 600  # for one trace and all commands: a machine may be busy


def compile_one(name, folder, source=None, *flags):
    """Static, and so of few functions: what is changed is mostly what counts. False: it cannot be."""
    source = source or os.path.join(PROGRAMS, name + ".c")
    for compiler in ("musl-gcc", "gcc"):
        if shutil.which(compiler) and not subprocess.run(
                [compiler, "-static", "-O1", "-pthread", "-I", PROGRAMS, *flags, "-o", os.path.join(folder, name),
                 source], stderr=subprocess.DEVNULL, check=False).returncode:
            return True
    return False


def make_seeds(fctrace, folder):
    seeds = os.path.join(folder, "seeds")
    os.mkdir(seeds)
    for name in NAMES:
        if not compile_one(name, folder):
            continue
        for i, options in enumerate([[]] + OPTIONS.get(name, [])):
            tap.run([fctrace, "record", "-o", os.path.join(seeds, "%s%d" % (name, i)), *options,
                     os.path.join(folder, name)])
    if compile_one("valued", folder, VALUED + ".c", "-g", "-O2"):
        for i, options in enumerate(([], ["-F", "open_file"], ["--loss=ring"])):
            tap.run([fctrace, "record", "-o", os.path.join(seeds, "valued%d" % i), "-a", "--proto", VALUED + ".h",
                     *options, os.path.join(folder, "valued")])
    return seeds


def suite_of(suite):
    fuzzer, folder, runs = suite.args.fuzzer, suite.folder, LONG if suite.is_long else SHORT
    name = "%d traces changed behind their checksums, by every command" % runs
    if not os.access(fuzzer, os.X_OK):
        suite.skip(name, "there is no fuzzer")
        return
    seeds = make_seeds(suite.fctrace, folder)
    nr = len(os.listdir(seeds))
    suite.case("traces are there to be changed", None if nr >= 6 else "only %d" % nr)
    told, corpus = os.path.join(folder, "told"), os.path.join(folder, "corpus")
    os.mkdir(corpus)
    env = dict(os.environ, FC_FUZZ_OTHER=sorted(glob.glob(seeds + "/*"))[0], FC_FUZZ_TOLD=told)
    done = subprocess.run(
        [fuzzer, "-runs=%d" % (runs + nr), "-detect_leaks=0", "-close_fd_mask=3",
         "-timeout=%d" % HANG_S, "-max_len=20000", "-rss_limit_mb=4096",
         "-artifact_prefix=%s/fctrace-mutated-" % tempfile.gettempdir(), corpus, seeds],
        env=env, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = [line for line in done.stdout.decode(errors="replace").splitlines()
             if not line.startswith("#") and "NEW_FUNC" not in line]
    suite.case(name, None if done.returncode == 0 else "\n".join(lines[-40:]))
    if done.returncode == 0:
        with open(told, encoding="utf-8") as f:
            nr_read, nr_all = map(int, f.read().split())
        suite.case("most of them are still traces", None if nr_all >= runs and 2 * nr_read >= nr_all
                   else "%d of %d" % (nr_read, nr_all))


tap.main(suite_of, fuzzer={"type": os.path.abspath, "required": True})
