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
NEWEST_COMMITS, TURNS = 40, 10


def said(argv):
    done = tap.run(argv, cwd=tap.TOP, limit_s=CHECK_LIMIT_S)
    return None if done.status == 0 else (done.out + done.err).decode(errors="replace")


def sources(ending):
    return sorted(glob.glob("src/**/*." + ending, root_dir=tap.TOP, recursive=True))


def clang_format_agrees():
    files = sources("c") + sources("h")
    return said(["clang-format", "--dry-run", "-Werror", *files]) if files else "no sources"


def changed_files():
    """The files of src that the newest commits changed, or None where the history is not there."""
    done = tap.run(["git", "diff", "--name-only", "HEAD~%d" % NEWEST_COMMITS, "--", "src"],
                   cwd=tap.TOP)
    return set(done.out.decode().split()) if done.status == 0 else None


def files_to_check(suite, kept):
    """What cppcheck looks at. Where it keeps what it has found, all costs next to nothing; the
    short form on a new machine takes what changed last, and of the rest a tenth, by turns."""
    files = sources("c")
    changed = None if os.listdir(kept) else changed_files()
    if changed is None:
        return files
    return [path for path in files if path in changed or suite.has_turn(path, TURNS)]


def cppcheck_finds_nothing(suite):
    kept = os.path.join(suite.args.work, "cppcheck")
    os.makedirs(kept, exist_ok=True)
    files = files_to_check(suite, kept)
    print("# cppcheck looks at %d files" % len(files))
    # Its parser does not know __typeof__, and takes an address that mmap returned for NULL or less.
    return said(["cppcheck", "--quiet", "--std=c11", "--language=c",
                 "--enable=warning,portability,performance", "--inline-suppr",
                 "--error-exitcode=1", "--suppress=missingIncludeSystem",
                 "--suppress=nullPointerRedundantCheck:src/capture/agent/*",
                 "--cppcheck-build-dir=" + kept, "-D__x86_64__", "-D_GNU_SOURCE",
                 "-D__typeof__(x)=char *", "-I", "src", "-j", str(tap.nr_workers()), *files])


def suite_of(suite):
    suite.run("clang-format agrees with every file of src", clang_format_agrees)
    suite.run("cppcheck finds nothing in src", cppcheck_finds_nothing, suite)


tap.main(suite_of, work={"type": os.path.abspath, "default": "build-check",
                         "help": "where it keeps what it has checked"})
