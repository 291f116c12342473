#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""seeds_conditions.py FOLDER: conditions to begin with, and words of a call."""
import os
import struct
import sys

TEXTS = [
    'f@if:a > 1M and s ~ "/etc/*" or not (d >= -2.5)',
    "f@if:flags & R|W && how == LAST || !out",
    "f@if:p->in < 0.5 and p.low == 3 and q.name != \"abc\" and p.wide",
    "f@if:(flags & 0x3) == W and *out == 'x' and ret == -1 and errno == ENOENT",
    's@if:arg2 !~ "[a-z]*\\"" and result < 10K and wide > 1e300',
]
for number, text in enumerate(TEXTS):
    words = struct.pack("<12Q", *range(1, 13)) + b"/etc/passwd".ljust(64, b"\0")
    with open(os.path.join(sys.argv[1], "seed%d" % number), "wb") as f:
        f.write(text.encode() + b"\0" + words)
