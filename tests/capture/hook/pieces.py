#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A program that maps pieces of a file's code for itself, thousands of times: the file is named once, and
what is loaded later is traced."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
from bench import Bench  # noqa: E402

NR = 3000
PROGRAM = r"""
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	int fd = open(argv[1], O_RDONLY), nr = 0;
	long off = strtol(argv[2], NULL, 0);
	for (int i = 0; i < atoi(argv[3]); i++) {
		char *at = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		nr += mmap(at, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, off) == at;
	}
	void *self = dlopen(argv[4], RTLD_NOW);
	int (*late)(int) = self ? (int (*)(int))dlsym(self, "late") : NULL;
	printf("%d %d\n", nr, late ? late(1) : 0);
	return 0;
}
"""
# Code of several pages, of which one is mapped.
LARGE = "int large(int x) { return x + 1; } __asm__(\".text; .skip 20000, 0x90; ret\");\n"
LATE = "int late(int x) { return x + 41; }\n"


def offset_of_code(path):
    for line in tap.texts_of(["readelf", "-lW", path])[0].splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and "E" in words[6:-1]:
            return words[1]
    raise tap.Wrong("no code in " + path)


def a_piece_is_told_of_once(bench):
    program = bench.build("program.c", text=PROGRAM)
    large = bench.build("large.c", "-shared", "-fPIC", out="large.so", text=LARGE)
    late = bench.build("late.c", "-shared", "-fPIC", out="late.so", text=LATE)
    out, err = bench.must("record", "-o", bench.trace, program, large, offset_of_code(large), str(NR), late)
    if out != "%d 42\n" % NR:
        return "the program printed " + out
    lines = [line for line in err.splitlines() if large in line]
    if len(lines) != 1 or "only a part of its code is mapped" not in lines[0]:
        return "%d lines tell of it:\n%s" % (len(lines), "\n".join(lines[:5]))
    if not bench.json("report", "-F", "late"):
        return "what was loaded later is not traced"
    return None


tap.main(lambda suite: suite.run_all([a_piece_is_told_of_once], Bench(suite)))
