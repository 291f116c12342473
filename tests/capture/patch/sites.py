#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs whose compilers have left sites at the begin of each function, as for the kernel's tracer.

They are hooked as any other; their trees are those of the same program without sites. What has tables of
sites has them relocated beside its code, which ld.so makes writable meanwhile.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../.."), os.path.join(HERE, "../user")]
import attaching  # noqa: E402
import bench  # noqa: E402
import tap  # noqa: E402

CALLS = """
#define KEPT __attribute__((noinline))
KEPT int leaf(int n) { __asm__ volatile(""); return n * 2; }
KEPT int inner(int n) { __asm__ volatile(""); return leaf(n) + 1; }
KEPT int outer(int n) { __asm__ volatile(""); return inner(n) + inner(n + 1); }
"""
PROGRAM = CALLS + """
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char c;
	if (argc > 1) { /* for somebody who attaches */
		puts("ready");
		fflush(stdout);
		if (read(0, &c, 1) != 1)
			return 1;
	}
	printf("%d\\n", outer(20));
	return 0;
}
"""
# A library that is loaded later.
LOADER = """
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int (*outer)(int) = (int (*)(int))dlsym(dlopen(argv[1], RTLD_NOW), "outer");
	printf("%d\\n", outer(20));
	return 0;
}
"""
WRITTEN = """
	.text
	.globl	outer
	.type	outer, @function
outer:	movabs	$number, %rax
	mov	(%rax), %eax
	ret
	.size	outer, .-outer
	.data
number:	.long	84
	.section .note.GNU-stack,"",@progbits
"""
TREE = ["outer", "inner", "leaf", "inner", "leaf"]
KINDS = {
    "gcc": ["-pg", "-pg -mfentry", "-pg -mfentry -mrecord-mcount", "-fpatchable-function-entry=5",
            "-fpatchable-function-entry=8,3", "-finstrument-functions",
            "-fno-pic -no-pie -pg -mfentry -mnop-mcount -mrecord-mcount"],
    "clang": ["-pg", "-pg -mfentry", "-fpatchable-function-entry=5", "-finstrument-functions",
              "-finstrument-functions-after-inlining", "-fxray-instrument -fxray-instruction-threshold=1"],
}


class Bench(bench.Bench):
    flags = ["-O1", "-w"]

    def tree(self, *argv, libs="all"):
        """Names of the functions above that are called, in order; what fctrace says beside."""
        done = self.run("--libs=" + libs, *argv)
        text = done.err.decode(errors="replace")
        if done.status or done.out != b"84\n":
            raise tap.Wrong("status %d, %r: %s" % (done.status, done.out, text[-600:]))
        said = [line for line in text.splitlines() if line.startswith("fctrace: ")]
        return names_in(text), said

    def attached(self, program):
        """The same of one that runs already."""
        with subprocess.Popen([program, "wait"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as job:
            job.stdout.readline()
            tracer = self.begin("-p", str(job.pid))
            attaching.wait_hooked(job.pid, tracer)
            out = job.communicate(b"x", tap.PATIENCE_S)[0]
        said = tracer.communicate(timeout=tap.PATIENCE_S)[1].decode()
        if job.returncode or out != b"84\n":
            raise tap.Wrong("attached: status %d, %r: %s" % (job.returncode, out, said))
        return names_in(self.must("replay", self.trace)[0]), said.splitlines()


def names_in(text):
    """What a compiler has added is no call of the program's."""
    return re.findall(r"\|\s+(outer|inner|leaf|__cyg_profile\w*|_*mcount\w*|__fentry__)\(\)", text)


def program_of(compiler, options):
    def check(b):
        tap.need(compiler)
        program = b.build("p.c", *options.split(), "-Wl,-z,notext", text=PROGRAM, compiler=compiler, out="p")
        for tree, said in b.tree(program), b.tree(program, libs="api"), b.attached(program):
            if tree != TREE or said:
                return "%s, %s" % (tree, said)
        return None
    return "%s %s" % (compiler, options), check


def library_with_a_table(b):
    """Hooked when it is mapped, before ld.so relocates its table."""
    library = b.build("l.c", "-shared", "-fPIC", "-pg", "-mfentry", "-mrecord-mcount", "-Wl,-z,notext",
                      text=CALLS, out="libl.so")
    tree, said = b.tree(b.build("d.c", text=LOADER, out="d"), library)
    return None if tree == TREE and not said else "%s, %s" % (tree, said)


def code_that_is_relocated(b):
    """It is left alone, and that is said."""
    library = b.build("w.S", "-shared", "-nostdlib", "-Wl,-z,notext", text=WRITTEN, out="libw.so", compiler="gcc")
    tree, said = b.tree(b.build("d.c", text=LOADER, out="d"), library)
    told = [line for line in said if "libw.so: its functions are not traced" in line]
    return None if not tree and len(told) == 1 else "%s, %s" % (tree, said)


def suite_of(suite):
    suite.run_all([program_of(compiler, options) for compiler, all_of in KINDS.items() for options in all_of] +
                  [library_with_a_table, code_that_is_relocated], Bench(suite), prefix="sites: ")


if __name__ == "__main__":
    tap.main(suite_of)
