# SPDX-License-Identifier: Apache-2.0
"""made.py - a trace whose times are all known: uftrace's recording of it is made, and imported."""
import os
import struct

import tap

HEAD = b"Ftrace!\0" + struct.pack("<IHBBQQHHI", 4, 40, 1, 2, 0x63, 0, 1024, 0, 0)
MAGIC, BASE = 5 << 3, 0x10000
FUNCTIONS = ["frame_dummy", "register_tm_clones", "main", "outer", "middle", "leaf", "last",
             "__do_global_dtors_aux", "deregister_tm_clones"]


class Thread:
    """Its records, as calls are made."""

    def __init__(self):
        self.ns, self.depth, self.records = 10 ** 9, 0, []

    def note(self, kind, function):
        address = BASE + 0x1000 + 0x100 * FUNCTIONS.index(function)
        self.records.append(struct.pack("<QQ", self.ns,
                                        kind | MAGIC | self.depth << 6 | address << 16))

    def call(self, function, own_ns, *calls):
        """It takes so long by itself, half of it before calls: [function, own_ns, ...] each."""
        self.note(0, function)
        self.depth += 1
        self.ns += own_ns // 2
        for inside in calls:
            self.call(*inside)
        self.ns += own_ns - own_ns // 2
        self.depth -= 1
        self.note(1, function)
        self.ns += 50


def small():
    """What programs/small.c does."""
    thread, leaf = Thread(), ("leaf", 40)
    thread.call("frame_dummy", 150)
    thread.call("register_tm_clones", 90)
    thread.call("main", 70000, *[("outer", 600, ("middle", 500, leaf), leaf)] * 3,
                *[leaf] * 5000, ("last", 80))
    thread.call("__do_global_dtors_aux", 700, ("deregister_tm_clones", 60))
    return thread


def write(folder, name, data):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def trace(fctrace, folder):
    """The path of such a trace."""
    data, path = os.path.join(folder, "made"), os.path.join(folder, "made.data")
    os.makedirs(data)
    write(data, "info", HEAD + b"exename:/bin/job\nexit_status:0\n")
    write(data, "task.txt", b'SESS timestamp=1.000000000 pid=7 sid=0123456789abcdef '
          b'exename="/bin/job"\nTASK timestamp=1.000000000 tid=7 pid=7\n')
    write(data, "sid-0123456789abcdef.map", b"10000-20000 r-xp 00000000 08:01 5 /bin/job\n")
    rows = ["%016x T %s\n" % (0x1000 + 0x100 * i, name) for i, name in enumerate(FUNCTIONS)]
    write(data, "job.sym", ("# path name: /bin/job\n" + "".join(rows)).encode() +
          b"%016x ? __sym_end\n" % (0x1000 + 0x100 * len(rows)))
    write(data, "7.dat", b"".join(small().records))
    done = tap.run([fctrace, "import", "-o", path, data])
    if done.status:
        raise RuntimeError("import: status %d: %s" % (done.status, done.err.decode()))
    return path
