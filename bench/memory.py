# SPDX-License-Identifier: Apache-2.0
"""memory.py - what a function costs in memory: in fctrace, and in the program."""
import os
import subprocess

import goals
import jobs
import tap

WAITING = [  # programs that say their pid and wait: for what fctrace needs anyway, for its memory
    ("sh", ["/bin/sh", "-c", "echo $$; read line"]),  # and for the target's
    ("node", ["/usr/bin/node", "-e",
              "console.log(process.pid); process.stdin.once('data', () => process.exit())"]),
    ("python3", ["/usr/bin/python3", "-c", "import os; print(os.getpid(), flush=True); input()"]),
]


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


def table(fctrace, folder):
    print("%-15s%12s%15s%13s%10s%13s%13s" % ("memory", "functions", "fctrace, KiB", "bytes more",
                                             "hooked", "stubs, KiB", "bytes each"))
    found, least = [], None
    for name, argv in WAITING:
        if not os.path.exists(argv[0]):
            print("%-15s is not installed" % name)
            continue
        own, pools, nr, hooked = memory_of(fctrace, folder, argv)
        least = least or (own, nr)
        more = (own - least[0]) * 1024 // max(nr - least[1], 1)  # for each function more
        print("%-15s%12d%15d%13d%10d%13d%13d" % (name, nr, own, more, hooked, pools // 1024,
                                                 pools // hooked))
        if name == "node":
            found.append(goals.at_most("memory: a function at most 200 bytes in fctrace", more,
                                       200, "%d"))
        elif name == "python3":
            found.append(goals.at_most("memory: a hooked one at most 350 in the target",
                                       pools // hooked, 350, "%d"))
    print()
    return found
