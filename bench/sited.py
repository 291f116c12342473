# SPDX-License-Identifier: Apache-2.0
"""sited.py - programs whose compilers have left sites at the begin of each function: what these cost where nobody
traces, and what a traced call costs, beside one that is hooked the ordinary way and beside those who need the sites.
"""
import os
import subprocess

import goals
import tap
import valued
from measured import show

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_OFF = 1.02  # of nops, where calls do some work; times the build without
MOST_ON = 1.05   # times the ordinary hook
# Name, compiler, flags, and who else needs such sites.
BUILDS = [
    ("none", "gcc", (), ()),
    ("nops: patchable-function-entry=5", "gcc", ("-fpatchable-function-entry=5",), ("uftrace",)),
    ("nops: -mfentry -mnop-mcount", "gcc", ("-fno-pic", "-no-pie", "-pg", "-mfentry", "-mnop-mcount", "-mrecord-mcount"), ()),
    ("calls: -pg", "gcc", ("-pg",), ("uftrace",)),
    ("calls: -pg -mfentry", "gcc", ("-pg", "-mfentry"), ("uftrace",)),
    ("calls: -finstrument-functions", "gcc", ("-finstrument-functions",), ("uftrace",)),
    ("sleds: XRay", "clang", ("-fxray-instrument", "-fxray-instruction-threshold=1"), ("xray",)),
]


def build(folder, nr, compiler, flags):
    path = os.path.join(folder, "sited-%d" % nr)
    done = subprocess.run([compiler, "-O2", "-w", *flags, "-o", path, os.path.join(HERE, "sited.c")], capture_output=True, check=False)
    return path if done.returncode == 0 else None


def peer(name, path, folder):
    if name == "uftrace" and tap.have("uftrace"):
        return ["uftrace", "record", "-d", os.path.join(folder, "uf.data"), "--no-libcall", "--no-event", path]
    if name == "xray":
        return ["env", "XRAY_OPTIONS=patch_premain=true xray_mode=xray-fdr xray_logfile_base=" + os.path.join(folder, "xray"), path]
    return None


def table(fctrace, rounds, folder):
    record = [fctrace, "record", "-q", "--libs=none", "-o", os.path.join(folder, "sited.data")]
    commands, rows = {}, []
    for nr, (name, compiler, flags, peers) in enumerate(BUILDS):
        path = build(folder, nr, compiler, flags) if tap.have(compiler) else None
        if not path:
            continue
        rows.append(name)
        commands[name, "off"], commands[name, "on"] = [path], [*record, path]
        for who in peers:
            argv = peer(who, path, folder)
            if argv:
                commands[name, who] = argv
    ns = valued.medians(commands, None, folder, rounds)  # -pg leaves its gmon.out in the folder
    print("%-36s%10s%10s%10s%10s" % ("ns a call, sites", "off", "fctrace", "uftrace", "XRay FDR"))
    for name in rows:
        print("%-36s%10s%10s%10s%10s" % (name, *(show(ns.get((name, what))) for what in ("off", "on", "uftrace", "xray"))))
    print()
    found = []
    for name in rows[1:]:
        off, on, plain, hooked = (ns[key] for key in ((name, "off"), (name, "on"), ("none", "off"), ("none", "on")))
        if name.startswith("nops"):
            found.append(goals.at_most("%s: off at most %.2f x none" % (name[6:], MOST_OFF), off and plain and off / plain, MOST_OFF, "%.3f"))
            found.append(goals.at_most("%s: on at most %.2f x none" % (name[6:], MOST_ON), on and hooked and on / hooked, MOST_ON, "%.3f"))
    return found
