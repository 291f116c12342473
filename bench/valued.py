# SPDX-License-Identifier: Apache-2.0
"""valued.py - arguments and results: what recording them costs more than recording the calls."""
import os
import shutil
import statistics
import subprocess

import goals
import tap
import worker
from measured import show

HERE = os.path.dirname(os.path.abspath(__file__))
# What, how uftrace is asked for it, and the most ns a call that it may cost more.
KINDS = [("ints", ("add_two@arg1/i32,arg2/i32", "add_two@retval/i32"), 12),
         ("stack", ("take_text@arg1/s", "take_text@retval/i32"), 60),
         ("literal", ("take_text@arg1/s", "take_text@retval/i32"), 60),
         ("heap", ("take_text@arg1/s", "take_text@retval/i32"), None)]


def build(folder, name, *flags):
    path = os.path.join(folder, name)
    subprocess.run(["gcc", "-O2", "-g", *flags, "-o", path, os.path.join(HERE, "values.c")],
                   check=True)
    return path


def ns_each(argv, folder):
    """CPU time of the program for each call; None if it fails."""
    made = worker.once(argv, folder)
    return made and made[1] / made[0]


def bytes_each(argv, trace, folder):
    made = worker.once(argv, folder)
    return made and os.path.getsize(trace) / made[0]


def medians(commands, what, folder, rounds):
    """In turns, so that what the machine does otherwise meets all of them. what: their last word, or None."""
    found = {name: [] for name in commands}
    for _ in range(rounds):
        for name, argv in commands.items():
            shutil.rmtree(os.path.join(folder, "uf.data"), ignore_errors=True)
            found[name].append(ns_each([*argv, *([what] if what else [])], folder))
    return {name: None if None in all_ns else statistics.median(all_ns)
            for name, all_ns in found.items()}


def table(fctrace, rounds, folder):
    plain, sited = build(folder, "valued"), build(folder, "valued-pg", "-pg")
    trace = os.path.join(folder, "valued.data")
    record = [fctrace, "record", "--libs=none", "-o", trace]
    uftrace = ["uftrace", "record", "-d", os.path.join(folder, "uf.data"), "--no-libcall",
               "--no-event"]
    print("%-12s%10s%10s%10s%10s%10s%10s%12s" % ("ns a call", "bare", "full", "full -a", "added",
                                                "uf -pg", "uf -A -R", "bytes a call"))
    found = []
    for what, (args, results), limit in KINDS:
        commands = {"bare": [plain], "full": [*record, plain], "values": [*record, "-a", plain]}
        if tap.have("uftrace"):
            commands["uf"] = [*uftrace, sited]
            commands["uf values"] = [*uftrace, "-A", args, "-R", results, sited]
        ns = medians(commands, what, folder, rounds)
        size = bytes_each([*record, "-a", plain, what], trace, folder)
        added = ns["values"] - ns["full"] if ns["values"] and ns["full"] else None
        print("%-12s%10s%10s%10s%10s%10s%10s%12s" % (
            what, *map(show, (ns["bare"], ns["full"], ns["values"], added, ns.get("uf"),
                              ns.get("uf values"), size))))
        if limit:
            found.append(goals.at_most("values of %s: cost at most %d ns more" % (what, limit), added,
                                       limit, "%.1f ns"))
    print()
    return found
