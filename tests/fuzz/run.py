#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Each fuzzer runs for a while, from the inputs that earlier runs kept in --corpus, from those in
tests/fuzz/corpus, and from seeds made for it. --long: 300 s each; else it goes through what is kept,
and half of them look for more, by turns.
"""
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

SHORT_S, LONG_S = 2, 300
OTHERS = ("fuzz_commands",)  # mutated.py runs it


def finding(fuzzer, corpus, seconds):
    name = os.path.basename(fuzzer)
    kept = os.path.join(corpus, name)
    os.makedirs(kept, exist_ok=True)
    seeds = os.path.join(HERE, "seeds_%s.py" % name[len("fuzz_"):])
    if os.path.exists(seeds):
        subprocess.run([tap.PYTHON, seeds, kept], check=True)
    given = os.path.join(HERE, "corpus", name[len("fuzz_"):])
    limit = "-max_total_time=%d" % seconds if seconds else "-runs=0"
    done = tap.run([fuzzer, limit, "-max_len=65536",
                    "-rss_limit_mb=2048", "-artifact_prefix=%s-" % kept, kept,
                    *([given] if os.path.isdir(given) else [])],
                   cwd=tap.TOP, limit_s=seconds + 600)
    if done.status == 0 and not done.is_late:
        return None
    return "\n".join((done.out + done.err).decode(errors="replace").splitlines()[-40:])


def suite_of(suite):
    def seconds_of(path):
        if suite.is_long:
            return LONG_S
        return SHORT_S if suite.has_turn(os.path.basename(path), of=3) else 0

    fuzzers = sorted(path for path in glob.glob(os.path.join(suite.args.fuzzers, "fuzz_*"))
                     if os.path.isfile(path) and os.access(path, os.X_OK)
                     and os.path.basename(path) not in OTHERS)
    if not fuzzers:
        suite.fail("fuzzers are built", "none in " + suite.args.fuzzers)
    with tap.workers() as pool:
        for fuzzer, why in zip(fuzzers, pool.map(
                lambda path: tap.outcome(finding, path, suite.args.corpus, seconds_of(path)),
                fuzzers)):
            suite.case("%s: %d s" % (os.path.basename(fuzzer), seconds_of(fuzzer)), why)


tap.main(suite_of, fuzzers={"type": os.path.abspath, "required": True},
         corpus={"type": os.path.abspath, "required": True})
