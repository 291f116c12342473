#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace diff tells what differs between two runs: exactly that, where it is, and no more.
"""
import csv
import io
import json
import os
import resource
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import pairs  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402
from tap import Skip  # noqa: E402

SAME, OTHER, USAGE, UNUSABLE, INCOMPLETE = 0, 1, 2, 3, 4
MANY_SQL = """
create table t(a integer primary key, b text);
insert into t values(1,'x'),(2,'y'),(3,'z');
select * from t where a > 1%s;
"""
LUA = """
local t = {}
for i = 1, 50 do t[i] = (i * 7919) % 101 end
table.sort(t)
print(table.concat(t, ",", 1, 5))
"""
CUT_SQL = "select sum(self_ns) as ns from calls where ended = 'end' and self_ns = duration_ns"
PYTHON_JOB = """
import json, sys
for i in range(int(sys.argv[1])):
    rows = [{"k%d" % (k % 97): list(range(k % 50)), "t": "x" * (k % 70)} for k in range(100)]
    assert json.loads(json.dumps(rows, sort_keys=True)) == rows
"""


class Bench(bench.Bench):
    flags = ["-O1", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        for source in ("planted.c", "threads.c", "family.c", "throws.cc"):
            self.build(source)
        self.build("planted.c", "-DPLANTED", out="planted-new")

    def named(self, name, *argv, options=("--libs=none",), **how):
        return self.trace_of(*argv, options=options, to=name, **how)

    def own(self, name, program, *args):
        return self.named(name, self.path(program), *args)

    def diff(self, *args, **more):
        return self.run("diff", *args, **more)

    def changes(self, a, b, *options):
        """The changes of the flow, and all that was told."""
        done = self.diff("--json", *options, a, b)
        if done.status not in (SAME, OTHER) or done.err:
            raise RuntimeError("status %d: %s" % (done.status, done.err.decode()))
        told = json.loads(done.out)
        if told["is_same_flow"] != (done.status == SAME) or not told["is_complete"]:
            raise RuntimeError("status %d, but %s" % (done.status, {
                k: v for k, v in told.items() if k.startswith("is_")}))
        return [(change["change"], "/".join(change["path"]), change["function"],
                 change["times_a"], change["times_b"]) for change in told["changes"]], told


# Flow


def equal_runs_are_the_same(b):
    for argv in (("planted", "way"), ("threads", "red", "3"), ("family", "4"),
                 ("throws", "2")):
        one, two = b.own("one", *argv), b.own("two", *argv)
        done = b.diff(one, two)
        text = done.out.decode()
        if done.status != SAME or "The flow of calls is the same in " not in text:
            return "%s: status %d: %s" % (argv, done.status, text)
    return None


def another_branch_is_told_where_it_is(b):
    got, _ = b.changes(b.own("one", "planted", "same"), b.own("two", "planted", "way"))
    return expect(got, [("gone", "main/store", "old_way", 1, 0),
                        ("new", "main/store", "new_way", 0, 1)])


def another_branch_as_text(b):
    done = b.diff("--flow", b.own("one", "planted", "same"), b.own("two", "planted", "way"))
    want = """\
  main() {
    parse() { ... 3 calls ... }
    store() {
      parse() { ... 4 calls ... }
-     old_way() {
-       leaf();
-     }
+     new_way() {
+       parse() {
+         leaf();  /* 2 times */
+       }
+       leaf();
+     }
      parse() { ... 3 calls ... }
    }
    parse() { ... 5 calls ... }
  }
"""
    text = done.out.decode()
    if want not in text or "differs at 1 place, in 1 of 1 thread." not in text:
        return tap.excerpt(want, text)
    return None


def a_loop_that_ran_more_often_is_told_as_such(b):
    one, two = b.own("one", "planted", "loop", "3"), b.own("two", "planted", "loop", "5")
    got, _ = b.changes(one, two)
    wrong = expect(got, [("times", "main", "step", 3, 5)])
    text = b.diff("--flow", one, two).out.decode()
    if not wrong and "!   step();  called 5 times instead of 3\n" not in text:
        wrong = text
    return wrong


def one_iteration_of_many(b):
    """One million calls of 10 kinds, and in B some more at the end."""
    one = b.own("one", "planted", "many", "100078")
    got, _ = b.changes(one, b.own("two", "planted", "many", "100079"))
    return expect(got, [("new", "main", "parse", 0, 1)])


def deep_recursion(b):
    one = b.own("one", "planted", "deep", "20000")
    done = b.diff("--json", one, b.own("two", "planted", "deep", "20001"), limit_s=30)
    told = json.loads(done.out)
    changes = told["changes"]
    if len(changes) != 1 or done.status != OTHER:
        return "%d changes, status %d" % (len(changes), done.status)
    return expect((changes[0]["change"], changes[0]["function"], changes[0]["depth"]),
                  ("new", "deep", 20002))


def threads_go_with_those_that_do_the_same(b):
    one, two = b.own("one", "threads", "red", "3"), b.own("two", "threads", "blue", "4")
    got, told = b.changes(one, two)
    return expect(got, [("times", "blue", "paint", 3, 4)]) or expect(
        (told["threads"], told["threads_that_differ"]), (3, 1))


def children_go_with_those_that_run_the_same(b):
    got, told = b.changes(b.own("one", "family", "3"), b.own("two", "family", "7"))
    return expect(got, [("times", "main/chores", "chore", 3, 7)]) or expect(
        told["threads_that_differ"], 1)


def an_exception_is_another_end(b):
    one, two = b.own("one", "throws", "0"), b.own("two", "throws", "2")
    got, told = b.changes(one, two)
    ended = [(name, path) for kind, path, name, _, _ in got if kind == "ended"]
    wrong = expect(ended, [("outer", "main/attempt"), ("inner", "main/attempt/outer")])
    text = b.diff("--flow", one, two).out.decode()
    if not wrong and "left by longjmp, an exception" not in text:
        wrong = text
    return wrong


def a_planted_change_of_a_build_is_named(b):
    """Another build of another name: that one function is new, at that one place."""
    one, two = b.own("one", "planted", "same"), b.own("two", "planted-new", "same")
    got, told = b.changes(one, two)
    rows = [(row["function"], row["state"]) for row in told["functions"]
            if not row["a"] or not row["b"] or row["a"]["calls"] != row["b"]["calls"]]
    return expect(got, [("new", "main/store", "check", 0, 1)]) or expect(
        sorted(rows), [("check", "new"), ("leaf", "changed")])


# Filters


def filters_hold_for_both(b):
    one, two = b.own("one", "planted", "loop", "3"), b.own("two", "planted", "way")
    return (
        expect(b.changes(one, two, "-F", "store")[0],
               [("gone", "store", "old_way", 1, 0), ("new", "store", "new_way", 0, 1)]) or
        expect(b.changes(one, two, "-N", "store")[0], [("gone", "main", "step", 3, 0)]) or
        expect(b.changes(one, two, "-N", "*_way", "-N", "step")[0], []) or
        expect(b.changes(one, two, "-F", "main", "-D", "1")[0], []) or
        expect(b.changes(one, two, "-m", "nothing*")[0], []) or
        expect(b.changes(one, two, "-F", "store", "-m", "plant*")[0],
               [("gone", "store", "old_way", 1, 0), ("new", "store", "new_way", 0, 1)]))


def output_is_limited_and_says_so(b):
    one, two = b.own("one", "planted", "loop", "3"), b.own("two", "planted", "way")
    text = b.diff("--flow", "--changes=1", one, two).out.decode()
    if "more than 1 place" not in text or "step" not in text or "way" in text:
        return text
    text = b.diff("--flow", "--lines=1", one, two).out.decode()
    if "+     new_way() { ... 4 calls ... }\n" not in text:
        return text
    text = b.diff("--flow", "--context=0", one, two).out.decode()
    return None if "... 1 call the same ..." in text and "parse() { ... 3" not in text else text


# The table of functions


def the_table_agrees_with_report(b):
    paths = [b.own("one", "planted", "same"), b.own("two", "planted", "way")]
    reports = [{(row["function"], row["module"]): row
                for row in b.json("report", trace=path)} for path in paths]
    _, told = b.changes(*paths, "--all")
    for row in told["functions"]:
        key = (row["function"], row["module"])
        for side, report in (("a", reports[0]), ("b", reports[1])):
            own = report.pop(key, None)
            if bool(own) != bool(row[side]):
                return "%s: %s, report: %s" % (key, row[side], own)
            for field in row[side] or ():
                if row[side][field] != own[field]:
                    return "%s: %s %s, report: %s" % (key, field, row[side], own)
    return expect([*reports[0], *reports[1]], [])


def csv_tells_the_same(b):
    one, two = b.own("one", "planted", "same"), b.own("two", "planted", "way")
    _, told = b.changes(one, two, "--all")
    done = b.diff("--csv", "--all", one, two)
    rows = list(csv.DictReader(io.StringIO(done.out.decode(), newline="")))
    want = [(row["function"], row["module"], row["state"], (row["a"] or {}).get("calls", 0),
             (row["b"] or {}).get("total_ns", 0)) for row in told["functions"]]
    return expect([(row["function"], row["module"], row["state"], int(row["calls_a"]),
                    int(row["total_ns_b"])) for row in rows], want)


def rows_are_sorted_and_cut(b):
    one, two = b.own("one", "planted", "loop", "3"), b.own("two", "planted", "way")
    _, told = b.changes(one, two, "-s", "calls", "--all")
    moved = [abs((row["a"] or {"calls": 0})["calls"] - (row["b"] or {"calls": 0})["calls"])
             for row in told["functions"]]
    if moved != sorted(moved, reverse=True) or len(moved) < 5:
        return str(moved)
    _, told = b.changes(one, two, "-s", "func", "-n", "2", "--all")
    names = [row["function"] for row in told["functions"]]
    if len(names) != 2 or names != sorted(names):
        return str(names)
    text = b.diff("--functions", "--min=1s", one, two).out.decode()
    return None if "No function was called more or less often" in text else text


# Real programs


def two_scripts_of_sqlite3(b):
    if not tap.have("sqlite3"):
        raise Skip("sqlite3 is not installed")
    paths = []
    for name, order in (("one", ""), ("again", ""), ("two", " order by b desc")):
        paths.append(b.named(name, "sqlite3", ":memory:", stdin=(MANY_SQL % order).encode(),
                              options=("--libs=all", "-m", "libsqlite3*"), limit_s=60))
    got, told = b.changes(paths[0], paths[1], "--changes=0")
    if got:
        return "the same script: %s" % got[:10]
    got, told = b.changes(paths[0], paths[2], "--changes=0")
    new = {row["function"] for row in told["functions"] if row["state"] == "new"}
    if "sqlite3VdbeSorterInit" not in new:
        return "new functions: %s" % sorted(new)
    below = {path.split("/")[0] for _, path, _, _, _ in got}
    return None if below <= {"sqlite3_prepare_v2", "sqlite3_step", "sqlite3_finalize",
                             "sqlite3_close", ""} else "changes below %s" % sorted(below)


def two_releases_of_lua(b):
    if not tap.have("lua5.3") or not tap.have("lua5.4"):
        raise Skip("lua5.3 and lua5.4 are not installed")
    with open(b.path("job.lua"), "w") as f:
        f.write(LUA)
    paths = [b.named(name, name, "job.lua") for name in ("lua5.3", "lua5.4")]
    got, told = b.changes(*paths, "--changes=0")
    states = {row["function"]: row["state"] for row in told["functions"]}
    want = {"luaopen_bit32": "gone", "lua_newuserdata": "gone", "lua_newuserdatauv": "new",
            "lua_setwarnf": "new"}
    wrong = {name: states.get(name) for name in want if states.get(name) != want[name]}
    if wrong:
        return str(wrong)
    want = [("new", "main/luaL_newstate", "lua_setwarnf", 0, 1),
            ("times", "main/lua_pcallk/luaL_checkversion_", "lua_version", 2, 1)]
    missing = [change for change in want if change not in got]
    return "missing: %s, got: %s" % (missing, got[:40]) if missing else None


# Bounds


def memory_is_bounded(b):
    one = b.named("one", tap.PYTHON, "-c", PYTHON_JOB, "4", limit_s=60)
    two = b.named("two", tap.PYTHON, "-c", PYTHON_JOB, "5", limit_s=60)
    done = b.diff("--memory=32M", "--flow", one, two, limit_s=60)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if done.status != OTHER or b"differs at" not in done.out:
        return "status %d: %s" % (done.status, done.err.decode())
    text = done.out.decode(errors="replace")
    if "memory did not suffice" in text:
        return "gave up, though a second look would do"
    return "peak of all children: %d kB" % peak if peak > 1 << 20 else None


# Bad input


def one_line(done, names, status):
    lines = done.err.decode(errors="replace").splitlines()
    if done.is_late or done.status != status or len(lines) != 1 or names not in lines[0]:
        return "expected status %d and %s, got status %d: %s" % (
            status, names, done.status, "\n".join(lines[:5]))
    return None


def bad_input_is_said_in_one_line(b):
    good = b.own("one", "planted", "same")
    with open(b.path("text"), "w") as f:
        f.write("no trace\n" * 100)
    return (one_line(b.diff(good, b.path("nothing")), "nothing", UNUSABLE) or
            one_line(b.diff(b.path("text"), good), "text", UNUSABLE) or
            one_line(b.diff(good, good, good), "Put vs between", USAGE) or
            one_line(b.diff(good, "vs"), "Put vs between", USAGE) or
            one_line(b.diff(good, b.path("nothing*")), "nothing*", UNUSABLE) or
            one_line(b.diff("-s", "taste", good, good), "taste", USAGE) or
            one_line(b.diff("-f", "calls,taste", good, good), "taste", USAGE) or
            one_line(b.diff("--memory=1", good, good), "16M", USAGE) or
            one_line(b.diff("--context=-1", good, good), "-1", USAGE) or
            one_line(b.diff(), "fctrace.data.old", UNUSABLE))


def a_cut_trace_is_shown_as_far_as_it_goes(b):
    good = b.own("one", "planted", "many", "30000")
    size = os.path.getsize(good)
    with open(good, "rb") as f:
        image = f.read()
    for part in range(1, 20):
        with open(b.path("cut"), "wb") as f:
            f.write(image[:size * part // 20])
        done = b.diff(good, b.path("cut"), limit_s=20)
        if done.is_late or done.status not in (UNUSABLE, INCOMPLETE):
            return "%d bytes: status %d: %s" % (size * part // 20, done.status,
                                                done.err.decode(errors="replace"))
        if len(done.err.decode(errors="replace").splitlines()) != 1:
            return done.err.decode(errors="replace")
    return None


def the_last_two_recordings_are_the_default(b):
    folder = b.path("default")
    os.mkdir(folder)
    for way in ("same", "way"):
        done = tap.run([b.fctrace, "record", "--libs=none", b.path("planted"), way], cwd=folder)
        if done.status:
            return done.err.decode()
    done = tap.run([b.fctrace, "diff", "--flow"], cwd=folder)
    text = done.out.decode()
    return None if done.status == OTHER and "+     new_way() {" in text else text


# Several runs, and what is no change


def runs_of_a_side_are_one_group(b):
    """Their rows are medians; what differs between runs of a side is no change."""
    for name, times in (("a1", "3"), ("a2", "4"), ("a3", "9"), ("b1", "3"), ("b2", "4"), ("b3", "9")):
        b.own(name + ".data", "planted", "loop", times)
    runs = {side: [b.path("%s%d.data" % (side, i)) for i in (1, 2, 3)] for side in "ab"}
    for words in ((b.path("a?.data"), b.path("b?.data")), (*runs["a"], "vs", *runs["b"]),
                  (b.path("a?.data"), "vs", *runs["b"])):
        done = b.diff("--json", "--all", *words)
        told = json.loads(done.out)
        step = next(row for row in told["functions"] if row["function"] == "step")
        wrong = expect((told["runs_a"], told["runs_b"]), (runs["a"], runs["b"])) or expect(
            (step["a"]["calls"], step["b"]["calls"], step["state"]), (4, 4, "same"))
        if wrong:
            return wrong
    text = b.diff(b.path("a[13].data"), b.path("b2.data")).out.decode()
    head = "--- A: %s and 1 more run\n+++ B: %s\n" % (b.path("a1.data"), b.path("b2.data"))
    if not text.startswith(head) or "of the first run of each" not in text:
        return text
    told = json.loads(b.diff("--json", "--functions", b.path("a1.data"), "vs", b.path("b3.data")).out)
    return expect([row["state"] for row in told["functions"] if row["function"] == "step"], ["changed"])


def the_end_of_the_process_is_a_footnote(b):
    """What the calls took that the end of their threads cut off, _exit() above all, is no change
    of a function; it is told in a line, and is what those calls took by themselves."""
    text = """
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	char *at = malloc(64 << 20);
	memset(at, 1, argc > 1 ? 64 << 20 : 1);
	return at[0] - 1;
}
"""
    path = b.build("ends.c", text=text)
    runs = {"a": b.named("one", path, options=()), "b": b.named("two", path, "all", options=())}
    told = json.loads(b.diff("--json", "--functions", *runs.values()).out)
    ends = [row for row in told["functions"] if "exit" in row["function"].lower()]
    if ends:
        return "rows of functions that never return: %s" % ends
    for side, run in runs.items():
        asked = b.run("query", "--json", run, CUT_SQL)
        wrong = expect(told["end_ns_" + side] > 0, True) or expect(
            abs(told["end_ns_" + side] - json.loads(asked.out)[0]["ns"]) < 100, True)
        if wrong:
            return "%s: %s, and query: %s" % (side, told["end_ns_" + side], asked.out)
    text = b.diff("--functions", *runs.values()).out.decode()
    return None if "Not compared: the end of the process took " in text else text


CASES = [
    equal_runs_are_the_same,
    another_branch_is_told_where_it_is,
    another_branch_as_text,
    a_loop_that_ran_more_often_is_told_as_such,
    one_iteration_of_many,
    deep_recursion,
    threads_go_with_those_that_do_the_same,
    children_go_with_those_that_run_the_same,
    an_exception_is_another_end,
    a_planted_change_of_a_build_is_named,
    filters_hold_for_both,
    output_is_limited_and_says_so,
    the_table_agrees_with_report,
    csv_tells_the_same,
    rows_are_sorted_and_cut,
    runs_of_a_side_are_one_group,
    the_end_of_the_process_is_a_footnote,
    pairs.the_planted_change_is_first,
    pairs.what_one_run_does_not_tell_is_named,
    two_scripts_of_sqlite3,
    two_releases_of_lua,
    memory_is_bounded,
    bad_input_is_said_in_one_line,
    a_cut_trace_is_shown_as_far_as_it_goes,
    the_last_two_recordings_are_the_default,
]


def suite_of(suite):
    suite.run_all(CASES, Bench(suite), prefix="diff: ")


if __name__ == "__main__":
    tap.main(suite_of)
