#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Indirect functions: calls of strlen, memcpy, sin and target_clones stand under these names.

indirect.c prints how often it calls each of them, and this is what a trace must show of it: for
each way to link it, to look at it and to limit what is seen.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

BUILDS = {
    "lazy": ["-Wl,-z,lazy"],
    "now": ["-Wl,-z,now"],
    "fixed": ["-no-pie"],
    "static": ["-static"],
    "static-pie": ["-static-pie"],
}
LIBRARY = """
static int slow(int n) { return n + 1; }
static int fast(int n) { return 1 + n; }
static volatile int is_new = 1;
static void *pick(void) { return is_new ? fast : slow; }
int one_more(int n) __attribute__((ifunc("pick")));
"""
USER = """
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW);
	int (*one_more)(int) = (int (*)(int))dlsym(library, "one_more");
	size_t (*len)(const char *) = (size_t (*)(const char *))dlsym(RTLD_DEFAULT, "strlen");
	int n = 0;
	for (int i = 0; i < 11; i++)
		n = one_more(n);
	for (int i = 0; i < 13; i++)
		n += len(argv[0]) > 0;
	return n == 24 ? 0 : 1;
}
"""


class Bench(bench.Bench):
    sources, flags = HERE, ["-O1", "-fno-builtin", "-Wall", "-Wno-nonnull"]

    def program(self, build):
        return self.build("indirect.c", *BUILDS[build], "-lm", out=build)

    def rows(self, statement):
        out, _ = self.must("query", "--csv", self.trace, statement)
        return [line.split(",") for line in out.splitlines()[1:]]

    def called_by(self, caller):
        rows = self.rows("SELECT name, count(*) FROM calls WHERE caller_name = '%s' "
                         "GROUP BY name" % caller)
        return {name: int(nr) for name, nr in rows}


def counts_of(out):
    """What the program prints."""
    return {name: int(nr) for name, nr in (line.split() for line in out.splitlines())}


# That of strcasecmp goes on in strcasecmp_l, as by a jump; a call by the PLT may bind it first.
PASSED = ("strcasecmp_l", "_dl_fixup")


def differ(want, got):
    got = {name: nr for name, nr in got.items()
           if name not in PASSED and not name.startswith("ld-linux")}
    if want != got:
        return "\n".join("%s: %s calls, not %s" % (name, got.get(name), want.get(name))
                         for name in sorted({*want, *got}) if want.get(name) != got.get(name))
    return None


def check(bench, build, *options, of=lambda want: want, caller="work"):
    path = bench.program(build)
    want = counts_of(tap.run([path]).out.decode())
    out, _ = bench.must("record", *options, "-o", bench.trace, path)
    return differ(want, counts_of(out)) or differ(of(want), bench.called_by(caller))


def built(build, *options):
    return lambda bench: check(bench, build, *options)


def own(want):
    """Without libraries: the program's own."""
    return {name: want[name] for name in ("widen", "half_of_the_number")}


def without_libraries(bench):
    return check(bench, "lazy", "--libs=none", of=own)


def only_one_of_them(bench):
    """-F memcmp saw nothing."""
    path = bench.program("lazy")
    bench.trace_of("-F", "memcmp", path)
    rows = bench.rows("SELECT name, count(*) FROM calls GROUP BY name")
    return None if rows == [["memcmp", "6"]] else str(rows)


def one_whose_code_is_anothers(bench):
    """memmove's is memcpy's, and called so in the trace."""
    for glob in ("memmove", "libc.so*:memmove"):
        bench.trace_of("-F", glob, bench.program("lazy"))
        rows = bench.rows("SELECT name, count(*) FROM calls GROUP BY name")
        if rows != [["memcpy", "5"]]:
            return "%s: %s" % (glob, rows)
    return None


def all_but_one_of_them(bench):
    return check(bench, "lazy", "-N", "strlen", of=lambda want: {
        name: nr for name, nr in want.items() if name != "strlen"})


def in_a_ring(bench):
    return check(bench, "lazy", "--loss=ring=4M")


def within_a_budget(bench):
    """So little is called that all of it is within."""
    return check(bench, "lazy", "--budget=90%")


def one_that_runs_already(bench):
    path = bench.program("lazy")
    want = counts_of(tap.run([path]).out.decode())
    with subprocess.Popen([path, "wait"], stdout=subprocess.PIPE) as run:
        run.stdout.readline()  # it has seen work() without a hook
        done = bench.record("-p", str(run.pid))
        if done.status:
            run.kill()
        out = run.communicate()[0].decode()
    if run.returncode or done.status:
        return "status %d, of fctrace %d: %s" % (run.returncode, done.status, done.err)
    return differ(want, counts_of(out)) or differ(want, bench.called_by("work"))


def only_counted(bench):
    path = bench.program("lazy")
    want = counts_of(tap.run([path]).out.decode())
    done = bench.run("-c", "--no-time", "--edges", "--json", "-o", bench.path("edges"), path)
    with open(bench.path("edges"), encoding="utf-8") as f:
        rows = json.load(f)
    got = {row["callee"]: row["calls"] for row in rows if row["caller"] == "work"}
    return done.err.decode() or differ(want, got)


def their_values(bench):
    path = bench.program("lazy")
    bench.trace_of("-a", "-F", "work", path)
    # What the CPU's own strstr() calls in turn is none of it.
    lines = bench.must("replay", "-D", "2", bench.trace)[0]
    for line in ('strlen("abcdefghijklmnopqrstuvwxyz") = 26;', "sin(1.5) = 0.997494986",
                 'strstr("abcdefghijklmnopqrstuvwxyz", "def") = "defghij'):
        if line not in lines:
            return "no %s in\n%s" % (line, lines)
    return None


def loaded_and_looked_up(bench):
    """No PLT leads to them, and the library was not there when the program began."""
    library = bench.build("libmore.c", "-shared", "-fPIC", out="libmore.so", text=LIBRARY)
    path = bench.build("user.c", text=USER)
    for how in ("--libs=api", "--libs=all"):
        bench.trace_of(how, path, library)
        got = bench.called_by("main")
        if (got.get("one_more"), got.get("strlen")) != (11, 13):
            return "%s: %s" % (how, got)
    return None


def how_each_would_be_hooked(bench):
    lines = bench.must("list", bench.program("lazy"))[0].splitlines()
    rows = [line.split(None, 2) for line in lines]
    nr = sum(1 for row in rows if row[0] == "hooked" and row[2].endswith(" widen"))
    why = [line for line in lines if "widen: its resolver" in line]
    return None if (nr, len(why)) == (2, 1) else "\n".join(lines)


CASES = [
    *[("linked: " + build, built(build)) for build in BUILDS],
    *[(build + ", all of the libraries", built(build, "--libs=all")) for build in ("lazy", "now")],
    without_libraries, only_one_of_them, one_whose_code_is_anothers, all_but_one_of_them, in_a_ring, within_a_budget,
    one_that_runs_already, only_counted, their_values, loaded_and_looked_up,
    how_each_would_be_hooked,
]


def suite_of(suite):
    suite.run_all(CASES, Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
