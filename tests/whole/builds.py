#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace builds with gcc and with clang and no warning, and what was built runs. The other suites
test these builds, in folders below --work: gcc, sanitized, and in the long form clang.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402
import units  # noqa: E402

SANITIZERS = ["-Db_sanitize=address,undefined", "-Db_lundef=false",
              "-Dc_args=-g1 -fsanitize=fuzzer-no-link,float-cast-overflow -fno-sanitize-recover=all"]
# Fuzzers see what is compared with what. It takes a sixth of all that is sanitized.
WITHOUT_COMPARISONS = " -fno-sanitize-coverage=trace-cmp"
# Lines and functions, no types: nothing reads more, and it takes a sixth of the time of all that gcc builds.
FEW_DEBUG = "-Dc_args=-g1"
BUILD_LIMIT_S = 3600


def build(folder, compiler, options, targets):
    """Set up, or again where options changed, and build; what went wrong."""
    env = dict(os.environ, CC=compiler)
    if compiler == "clang" and tap.have("ld.lld"):
        env["CC_LD"] = "lld"  # it links the tests in half the time
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        first = ["meson", "setup", folder, "--werror", *options]
    else:
        first = ["meson", "configure", folder, *options]
        # Look again which tests there are: meson finds them when it sets the build up.
        os.utime(os.path.join(tap.TOP, "tests", "meson.build"))
    for argv in (first, ["ninja", "-C", folder, *targets]):
        done = tap.run(argv, cwd=tap.TOP, env=env, limit_s=BUILD_LIMIT_S)
        if done.status or done.is_late:
            said = (done.out + done.err).decode(errors="replace").splitlines()
            errors = [line for line in said if re.search("error|FAILED", line)]
            return "\n".join(errors[:15] + said[-25:])
    return None


def builds(suite):
    """Name, label, compiler, options of meson, targets of ninja."""
    every = ["all", "every-test"]
    some = every if suite.is_long else ["program", "tests/plans", "tests/signatures",
                                        *("tests/" + name for name in units.RUN_STUBS)]
    sanitizers = [*SANITIZERS]
    if not suite.is_long:
        sanitizers[-1] += WITHOUT_COMPARISONS
    debug = "-Dc_args=" if suite.is_long else FEW_DEBUG
    yield "gcc", "builds with gcc and no warning", "gcc", [debug], some
    yield "sanitized", "builds with clang, its sanitizers and no warning", "clang", sanitizers, every
    if suite.is_long:
        # Nor without the page of export --format html, which needs npm.
        yield "clang", "builds with clang and no warning", "clang", ["-Dhtml=disabled"], every


def traces(fctrace, folder):
    done = tap.run([fctrace, "record", "-o", os.path.join(folder, "t.data"), "true"])
    return None if done.status == 0 else done.err.decode(errors="replace")


def suite_of(suite):
    for name, label, compiler, options, targets in builds(suite):
        folder = os.path.join(suite.args.work, name)
        suite.run(label, build, folder, compiler, options, targets)
        suite.run("what is built in %s traces a program" % name, traces,
                  os.path.join(folder, "fctrace"), suite.folder)


if __name__ == "__main__":
    tap.main(suite_of, work={"type": os.path.abspath, "default": "build-check",
                             "help": "where the build folders are"})
