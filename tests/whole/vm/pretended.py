#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A machine without FSGSBASE, pretended: any suite, as if the CPU or the kernel lacked it.

  pretended.py whole/truth/run.py [--fctrace FCTRACE] [OPTIONS]

fctrace asks the kernel in one place whether there are such instructions; the answer is no.
Programs of the tests are told by $NO_FSGSBASE, and use none. Suite `vm` runs suites where the
instructions are really illegal: so both ways are the same.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402

AT_HWCAP2, FSGSBASE = 26, 2


def has_fsgsbase():
    """Does this machine have it, really?"""
    with open("/proc/self/auxv", "rb") as f:
        words = [int.from_bytes(word, "little") for word in iter(lambda: f.read(8), b"")]
    return bool(dict(zip(words[::2], words[1::2])).get(AT_HWCAP2, 0) & FSGSBASE)


def make(fctrace, folder):
    """A command like fctrace, on a machine without FSGSBASE: fctrace itself, if this is one."""
    library, path = (os.path.join(folder, name) for name in ("old_cpu.so", "fctrace"))
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "old_cpu.c"),
                    "-ldl"], check=True)
    if not has_fsgsbase():
        return fctrace
    with open(path, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nexport NO_FSGSBASE=1 LD_PRELOAD='%s'${LD_PRELOAD:+:$LD_PRELOAD}\nexec '%s' \"$@\"\n"
                % (library, fctrace))
    os.chmod(path, 0o755)
    return path


def main():
    suite, words = sys.argv[1], sys.argv[2:]
    fctrace = os.path.join(tap.TOP, "build", "fctrace")
    if "--fctrace" in words:
        at = words.index("--fctrace")
        fctrace = os.path.abspath(words[at + 1])
        del words[at:at + 2]
    with tempfile.TemporaryDirectory(prefix="fctrace-pretended-") as folder:
        os.chmod(folder, 0o755)
        argv = [tap.PYTHON, os.path.join(tap.TESTS, suite), "--fctrace", make(fctrace, folder),
                *words]
        return subprocess.run(argv, check=False, env=dict(os.environ, NO_FSGSBASE="1")).returncode


if __name__ == "__main__":
    sys.exit(main())
