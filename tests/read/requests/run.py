#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace requests has a row for each call of the root, and shows what the slowest did otherwise."""
import csv
import io
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

# Request 70 of 100 does what no other does; dispatch() is open around each, and called in each; the
# others differ in how often they call step().
SERVER = """
#include <stdlib.h>
#define ALONE __attribute__((noinline, noclone, noipa))
static volatile unsigned x;
ALONE void step(void) { for (int i = 0; i < 2000; i++) x = x * 5 + 1; }
ALONE void rebuild(void) { for (int i = 0; i < 40000000; i++) x = x * 5 + 1; }
ALONE void dispatch(int nr);
ALONE void handle(int nr) {
    if (nr < 0) return;
    for (int i = 0; i < 3; i++) step();
    if (nr == 70) rebuild();
    dispatch(-1);
    if (nr == 50) handle(-1);
}
ALONE void dispatch(int nr) { if (nr > 0) handle(nr); }
int main(void) { for (int i = 1; i <= 100; i++) dispatch(i); return 0; }
"""


class Bench(bench.Bench):
    flags = ["-O1", "-fno-optimize-sibling-calls"]

    def __init__(self, suite):
        super().__init__(suite)
        self.trace_of(self.build("server.c", text=SERVER))

    def requests(self, *words):
        return json.loads(self.must("requests", "--json", *words, self.trace)[0])


def each_call_is_a_row(bench):
    """But those within another one; their times are those of the table of calls."""
    told = bench.requests("--root", "handle")
    calls = json.loads(bench.must("query", "--json", bench.trace, """SELECT begin_ns, duration_ns FROM calls
        WHERE name = 'handle' AND NOT recursive ORDER BY duration_ns DESC""")[0])
    # Of equally many ns one may be longer by a tick of the clock.
    tap.expect([row["duration_ns"] for row in told["requests"]], [row["duration_ns"] for row in calls])
    tap.expect(sorted((row["begin_ns"], row["duration_ns"]) for row in told["requests"]),
               sorted((row["begin_ns"], row["duration_ns"]) for row in calls))
    tap.expect(sorted(row["nr"] for row in told["requests"]), list(range(1, 101)))
    slowest = told["requests"][0]
    if (told["count"], slowest["nr"], told["max_ns"]) != (100, 70, slowest["duration_ns"]):
        return "%s %s" % (told["count"], slowest)
    if told["p50_ns"] != calls[50]["duration_ns"] or told["p90_ns"] != calls[10]["duration_ns"]:
        return "%s, but %s" % (told["p50_ns"], calls[50])
    return None if told["outliers"] >= 1 else "no outlier"


def slowest_and_median_are_side_by_side(bench):
    tree = bench.requests("--root", "handle", "--min", "0")["tree"]
    got = {(line["level"], line["function"]): (line["median_calls"], line["slowest_calls"])
           for line in tree}
    want = {(0, "handle"): (1, 1), (1, "step"): (3, 3), (1, "rebuild"): (0, 1), (1, "dispatch"): (1, 1)}
    if got != want and got != {**want, (0, "handle"): (2, 1)}:  # the median may be number 50
        return str(got)
    return None if tree[1]["function"] == "rebuild" else "not the heaviest first: %s" % tree


def light_functions_are_summed(bench):
    text = bench.must("requests", "--root", "handle", "-n", "3", bench.trace)[0]
    lines = text.splitlines()
    if not lines[0].startswith("100 requests of handle: median ") or "... 2 more functions" not in text:
        return text
    rows = lines[lines.index("") + 2:lines.index("", 4)]
    return None if len(rows) == 3 and rows[0].split()[0] == "70" else text


def rows_are_csv(bench):
    out = bench.must("requests", "--root", "handle", "--csv", bench.trace)[0]
    rows = list(csv.DictReader(io.StringIO(out)))
    want = bench.requests("--root", "handle")["requests"]
    tap.expect([[row[key] for key in ("nr", "begin_ns", "duration_ns", "function")] for row in rows],
               [[str(row[key]) for key in ("nr", "begin_ns", "duration_ns", "function")] for row in want])


def patterns_are_several_functions(bench):
    told = bench.requests("--root", "re*ld", "--min", "0")
    return None if told["count"] == 1 and len(told["tree"]) == 1 else str(told)


def wrong_words(bench):
    for words, status, text in ((["--root", "handel"], 1, "handle"), ([], 2, "--root"),
                                (["--root", ""], 2, "")):
        done = bench.run("requests", *words, bench.trace)
        if done.status != status or done.out or text not in done.err.decode():
            return "%s: %d: %s" % (words, done.status, done.err)
    return None


def suite_of(suite):
    suite.run_all([each_call_is_a_row, slowest_and_median_are_side_by_side, light_functions_are_summed,
                   rows_are_csv, patterns_are_several_functions, wrong_words], Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
