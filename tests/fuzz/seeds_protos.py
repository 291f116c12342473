#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""seeds_protos.py FOLDER: declarations to begin with."""
import os
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
TEXTS = [
    "int f(const char *, ...) __attribute__((format(printf, 1, 2), access(write_only, 1, 2)));",
    "struct s { int a : 3; union { long b; char c[4]; }; } __attribute__((packed));",
    "enum e { A = 1 << 3, B = A | 2, C = sizeof(long) ? -1 : 'x' } __attribute__((flag_enum));",
    "typedef void (*(*t)(int (*)[3]))(void);\n#define N 3\nint g(t, char [N]) __asm__(\"h\");",
]
with open(os.path.join(TOP, "tests/values/passes.h"), encoding="utf-8") as f:
    TEXTS.append(f.read())
for number, text in enumerate(TEXTS):
    with open(os.path.join(sys.argv[1], "seed%d" % number), "w", encoding="utf-8") as f:
        f.write(text)
