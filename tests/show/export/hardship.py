# SPDX-License-Identifier: Apache-2.0
"""hardship.py - what an export may meet, for suites of several formats: little disks, odd names;
and whether it has what report says."""
import resource
import signal
import subprocess

LITTLE_BYTES = 300000


def little_disk(size=LITTLE_BYTES):
    """For a child: no file becomes longer."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def odd_program(path, names):
    """A program with names that no compiler makes: they are put over others of that length. names:
    the others, and what is put over them."""
    source = "".join("__attribute__((noinline)) int %s(int n) { __asm__ volatile(\"\"); return n + %d; }\n"
                     % (name.decode(), i) for i, name in enumerate(names))
    source += "int main(void) { return (%s) == 0; }\n" % " + ".join(
        name.decode() + "(1)" for name in names)
    subprocess.run(["gcc", "-O1", "-x", "c", "-o", path, "-"], input=source.encode(), check=True)
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
