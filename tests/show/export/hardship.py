# SPDX-License-Identifier: Apache-2.0
"""hardship.py - what an export may meet, for suites of several formats: little disks, odd names;
and whether it has what report says."""
import functools
import os
import resource
import shutil
import signal

import bench
from run import Export, reader_of

LITTLE_BYTES = 300000


def little_disk(size=LITTLE_BYTES):
    """For a child: no file becomes longer."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Bench(bench.Bench):
    """formats: those that are read; nr_damages: how many traces are damaged, in the long form and
    in the short one."""

    sources = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
    formats, nr_damages = (), (0, 0)

    def __init__(self, suite):
        super().__init__(suite)
        self.readers = {form: reader_of(form) for form in self.formats}
        self.nr_damages = self.nr_damages[not self.is_long]

    @functools.lru_cache(maxsize=None)
    def once(self, name, *words):
        """A trace of that name, recorded when it is first needed."""
        return self.trace_of(*words, options=["--libs=none"], to=name + ".data")

    def fresh(self, form):
        """Where an export goes to, and nothing is."""
        path = self.path("x." + form)
        if os.path.isdir(path):
            shutil.rmtree(path)
        return path

    def export(self, form, trace, *words, path=None, **how):
        return self.run("export", "-f", form, "-o", path or self.fresh(form), *words, trace, **how)

    def differs(self, trace, sums):
        """From report, or ""."""
        return differences(Export(self.fctrace, trace, self.folder).report(), sums)


def odd_program(bench, names):
    """A program with names that no compiler makes: they are put over others of that length. names:
    the others, and what is put over them."""
    source = "".join("__attribute__((noinline)) int %s(int n) { __asm__ volatile(\"\"); return n + %d; }\n"
                     % (name.decode(), i) for i, name in enumerate(names))
    source += "int main(void) { return (%s) == 0; }\n" % " + ".join(
        name.decode() + "(1)" for name in names)
    path = bench.build("odd.c", text=source)
    with open(path, "rb") as f:
        elf = f.read()
    for name, odd in names.items():
        elf = elf.replace(name + b"\0", odd[:len(name)].ljust(len(name), b"_") + b"\0")
    with open(path, "wb") as f:
        f.write(elf)
    return path


def differences(wanted, got):
    """Between sums of functions as report has them, and an export's; "": none."""
    wrong = ["%s: %s, report says %s" % (f, got.get(f), wanted.get(f))
             for f in sorted(wanted.keys() | got.keys())
             if not (f in got and f in wanted and got[f].agrees(wanted[f]))]
    return "\n".join(wrong[:10])
