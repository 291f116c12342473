#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The sources are formatted, and cppcheck finds nothing in them."""
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

CHECK_LIMIT_S = 3600


def said(argv):
    done = tap.run(argv, cwd=tap.TOP, limit_s=CHECK_LIMIT_S)
    return None if done.status == 0 else (done.out + done.err).decode(errors="replace")


def clang_format_agrees():
    files = sorted(os.path.relpath(path, tap.TOP) for ending in "ch" for path in
                   glob.glob(os.path.join(tap.TOP, "src/**/*." + ending), recursive=True))
    return said(["clang-format", "--dry-run", "-Werror", *files]) if files else "no sources"


def cppcheck_finds_nothing(work):
    """It looks only at what has changed since it last did, by what it keeps in a folder."""
    kept = os.path.join(work, "cppcheck")
    os.makedirs(kept, exist_ok=True)
    # Its parser does not know __typeof__, and takes an address that mmap returned for NULL or less.
    return said(["cppcheck", "--quiet", "--std=c11", "--language=c",
                 "--enable=warning,portability,performance", "--inline-suppr",
                 "--error-exitcode=1", "--suppress=missingIncludeSystem",
                 "--suppress=nullPointerRedundantCheck:src/capture/agent/*",
                 "--cppcheck-build-dir=" + kept, "-D__x86_64__", "-D_GNU_SOURCE",
                 "-D__typeof__(x)=char *", "-I", "src", "-j", str(tap.nr_workers()), "src"])


def suite_of(suite):
    suite.run("clang-format agrees with every file of src", clang_format_agrees)
    suite.run("cppcheck finds nothing in src", cppcheck_finds_nothing, suite.args.work)


tap.main(suite_of, work={"type": os.path.abspath, "default": "build-check",
                         "help": "where it keeps what it has checked"})
