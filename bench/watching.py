# SPDX-License-Identifier: Apache-2.0
"""watching.py - what `fctrace top -p` costs a program that runs, round by round beside a bare one.

Two of the same program take turns: one bare, one that fctrace has come to. What one round of the
second takes is divided by the round of the first before it; told are the medians of the first two
seconds, in which the budget finds out what is called too often, and of the rest.
"""
import os
import statistics
import subprocess
import time

import goals
import worker as workers

JOBS = ["python3", "sqlite3", "redis"]
FIRST_S, REST_S = 2, 10
MOST = 5  # %, its default budget; and what the machine itself may add, as goals.within_budget()
NOISE = 2
WAYS = [("top", []), ("top --no-time", ["--no-time"])]


class Bare:
    prefix = []


def watch(fctrace, job, options):
    """Ratios of rounds: of the first seconds, and of the rest."""
    bare, watched = job.start(Bare), job.start(Bare, "-watched")
    first, rest = [], []
    top = None
    try:
        for _ in range(3):
            bare.round(), watched.round()
        top = subprocess.Popen([fctrace, "top", "-b", "-p", str(watched.proc.pid), *options],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, start_new_session=True)
        begin = time.monotonic()
        while (since := time.monotonic() - begin) < FIRST_S + REST_S:
            ratio = bare.round().ns_each
            ratio = watched.round().ns_each / ratio
            (first if since < FIRST_S else rest).append(ratio)
        top.terminate()
        said = top.communicate(timeout=30)[1].decode(errors="replace").strip()
        if top.returncode:
            raise workers.Trouble("fctrace top: " + said[:200])
        watched.end()
    finally:
        if top and top.poll() is None:
            top.kill()
            top.communicate()
        bare.kill()
        watched.kill()
    return statistics.median(first), statistics.median(rest)


def row(fctrace, job, rounds, options):
    found = [watch(fctrace, job, options) for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*found)]


def table(fctrace, jobs, rounds):
    print("%-15s%18s%18s%24s%18s" % ("times bare", "top, first 2 s", "top, then",
                                     "--no-time, first 2 s", "then"))
    found = []
    for job in jobs:
        if job.name not in JOBS or not os.path.exists(job.argv[0]):
            continue
        try:
            ratios = [ratio for _, options in WAYS for ratio in row(fctrace, job, rounds, options)]
        except workers.Trouble as trouble:
            print("%-15s %s" % (job.name, trouble))
            found.append(goals.Goal(job.name + " runs well under top", "no", False))
            continue
        print("%-15s%18.2f%18.2f%24.2f%18.2f" % (job.name, *ratios))
        found.append(goals.at_most(
            "%s: at most %d %% slower under top -p, + %d" % (job.name, MOST, NOISE),
            (ratios[1] - 1) * 100, MOST + NOISE, "%+.1f %%"))
    print()
    return found
