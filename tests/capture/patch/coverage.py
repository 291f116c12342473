#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How much of real ELF files is hooked, and is that right by objdump? `plans` looks at files of this
machine: at some, or with --long at all of them; with --libc at the C library alone.
"""
import glob
import os
import stat
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402

FOLDERS = ("/usr/bin", "/usr/sbin", "/usr/lib")
LIBC = ("/usr/lib/*/libc.so.6", "/usr/lib/*/libm.so.6", "/usr/lib/*/ld-linux-*.so.*")
LEAST_BYTES = 3000
# Every so many files are looked at; disassembling large ones takes long.
SHORT, LONG = (80, 2000 * 1000), (1, 100 * 1000 * 1000)


def is_wanted(path, most_bytes):
    info = os.lstat(path)
    return (stat.S_ISREG(info.st_mode) and LEAST_BYTES < info.st_size < most_bytes
            and (info.st_mode & 0o100 or ".so" in os.path.basename(path)))


def files(most_bytes):
    return sorted(path for top in FOLDERS for folder, _, names in os.walk(top)
                  for path in (os.path.join(folder, name) for name in names)
                  if is_wanted(path, most_bytes))


def suite_of(suite):
    every, most_bytes = LONG if suite.is_long else SHORT
    if suite.args.libc:
        every, paths = 1, [path for pattern in LIBC for path in glob.glob(pattern)]
    else:
        paths = files(most_bytes)
    if suite.args.libc and not os.path.isdir("/usr/lib/debug/.build-id"):
        suite.skip("with debug files", "there are none")
        return
    suite.show(tap.run([suite.args.plans, str(every)], stdin="\n".join(paths).encode(),
                       limit_s=3600), "plans")


tap.main(suite_of, plans={"type": os.path.abspath, "required": True},
         libc={"action": "store_true"})
