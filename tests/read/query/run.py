#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""SQL on traces: sums agree with report, what is pushed down to packets changes no row, odd
traces and odd names are shown, nothing is written that was not asked for.
"""
import csv
import io
import json
import os
import re
import random
import shutil
import sqlite3
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

ODD_NAME = b"a\"b,c\n\x1b[31m'd\xff;--e"
PATCHED_NAME = b"name_to_be_patched"


class Bench(bench.Bench):
    """The traces, and questions to them."""

    flags = ["-O2", "-g", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        self.program, self.traces = self.build("busy.c"), {}
        with open(self.program, "rb") as f:
            image = f.read()
        assert len(ODD_NAME) == len(PATCHED_NAME) and PATCHED_NAME + b"\0" in image
        self.write("busy", image.replace(PATCHED_NAME + b"\0", ODD_NAME + b"\0"), 0o755)

    def named(self, name, options, argv):
        self.traces[name] = self.trace_of(*argv, options=options, to=name + ".data")
        return self.traces[name]

    def query(self, *argv, stdin=b""):
        done = self.run("query", *argv, stdin=stdin)
        if done.trouble():
            raise Wrong("query %s %s" % (" ".join(argv), done.trouble()))
        return done

    def ask(self, trace, sql, statuses=(0,)):
        """Rows as dicts."""
        done = self.query("--json", trace, sql)
        if done.status not in statuses:
            raise Wrong("%s: status %d: %s" % (sql, done.status, done.err.decode()))
        return json.loads(done.out)

    def text(self, trace, sql):
        done = self.query("--csv", trace, sql)
        return done.status, done.out


# ---- sums ----


def report_of(bench, trace, *options):
    done = bench.run("report", "--json", *options, trace)
    if done.status not in (0, 4):
        raise Wrong("report: " + done.err.decode())
    rows = json.loads(done.out)
    return rows if isinstance(rows, list) else rows["functions"]


def compare_sums(want, got):
    """Each time in report is a sum of ticks, in calls a sum of rounded ns: a ns a call less."""
    keyed = {(row["function"], row["module"]): row for row in want}
    rows = {(row["name"], row["module"]): row for row in got}
    if set(keyed) != set(rows):
        return "functions differ: %s" % list(set(keyed) ^ set(rows))[:4]
    for key, row in keyed.items():
        mine = rows[key]
        slack = mine["n"] + 1
        if mine["calls"] != row["calls"] - row.get("counted", 0):
            return "%s: %s calls, report has %s" % (key, mine["calls"], row["calls"])
        for column in ("total_ns", "self_ns"):
            if not 0 <= row[column] - mine[column] <= slack:
                return "%s: %s %s, report has %s" % (key, column, mine[column], row[column])
    return None


SUMS = """SELECT name, module, count(*) AS n, sum(entered) AS calls,
  coalesce(sum(CASE WHEN recursive THEN 0 ELSE duration_ns END), 0) AS total_ns,
  coalesce(sum(self_ns), 0) AS self_ns FROM calls %s GROUP BY func"""


def calls_agree(bench, name):
    trace = bench.traces[name]
    return compare_sums(report_of(bench, trace), bench.ask(trace, SUMS % "", (0, 4)))


def functions_agree(bench, name):
    trace = bench.traces[name]
    rows = bench.ask(trace, "SELECT * FROM functions WHERE calls OR total_ns OR self_ns", (0, 4))
    got = {(r["name"], r["module"]): [r[c] for c in ("calls", "counted", "total_ns", "self_ns")]
           for r in rows}
    want = {(r["function"], r["module"]): [r["calls"], r["counted"], r["total_ns"], r["self_ns"]]
            for r in report_of(bench, trace)}
    if got != want:
        return "differ: %s" % [(k, got.get(k), want.get(k)) for k in set(got) | set(want)
                               if got.get(k) != want.get(k)][:4]
    return None


def threads_agree(bench, name):
    trace = bench.traces[name]
    threads = bench.ask(trace, "SELECT tid, sum(calls) AS calls FROM threads GROUP BY tid")
    if len(threads) < 4:
        return "only %d threads" % len(threads)
    for thread in threads:
        tid = str(thread["tid"])
        why = compare_sums(report_of(bench, trace, "--tid", tid),
                           bench.ask(trace, SUMS % ("WHERE tid = " + tid)))
        if why:
            return "thread %s: %s" % (tid, why)
    return None


def callers_agree(bench, name):
    trace = bench.traces[name]
    sums = bench.ask(trace, """SELECT callee_name AS name, sum(calls) AS calls FROM callers
                               GROUP BY callee HAVING sum(calls) ORDER BY 1, 2""", (0, 4))
    want = bench.ask(trace, """SELECT name, sum(entered) AS calls FROM calls GROUP BY func
                               HAVING sum(entered) ORDER BY 1, 2""", (0, 4))
    if sums != want:
        return "callers and calls differ"
    edges = bench.ask(trace, """SELECT caller, callee, calls FROM callers
                                EXCEPT SELECT caller, func, sum(entered) FROM calls
                                GROUP BY caller, func""", (0, 4))
    return "edges differ: %s" % edges[:3] if edges else None


def paths_agree(bench, name):
    """Over all paths, calls and own times of a function are those of functions, and totals of calls
    that are within no other of the same; a path's children are found by its id."""
    trace = bench.traces[name]
    sums = """SELECT id, name, calls - counted AS calls, self_ns / 1000 AS self_us, total_ns / 1000 AS us
              FROM functions WHERE id > 0 AND (calls > counted OR self_ns) ORDER BY id"""
    paths = """SELECT func AS id, name, sum(calls) AS calls, sum(self_ns) / 1000 AS self_us,
               sum(total_ns) / 1000 AS us FROM paths WHERE func > 0
               AND parent NOT IN (SELECT id FROM paths WHERE func IS NULL AND total_ns = 0)
               GROUP BY func ORDER BY func"""
    want, got = (bench.ask(trace, sql, (0, 4)) for sql in (sums, paths))
    if len(want) != len(got):
        return "%d functions, %d of paths" % (len(want), len(got))
    for row, own in zip(want, got):
        slack = own["calls"] / 1000 + 2  # each path's time is rounded
        if (row["id"], row["name"], row["calls"]) != (own["id"], own["name"], own["calls"]) or any(
                abs(row[key] - own[key]) > slack for key in ("self_us", "us")):
            return "%s is not %s" % (own, row)
    wrong = bench.ask(trace, """SELECT p.id FROM paths p JOIN paths c ON c.parent = p.id
                                WHERE c.depth <> p.depth + 1 OR c.id <= p.id
                                UNION SELECT p.id FROM paths p JOIN paths q ON q.id = p.id
                                WHERE q.parent <> p.parent""", (0, 4))
    nr = bench.ask(trace, """SELECT (SELECT count(*) FROM paths) AS a, (SELECT count(*) FROM paths
                             WHERE parent = 0) + (SELECT count(*) FROM paths p JOIN paths c
                             ON c.parent = p.id) AS b""", (0, 4))[0]
    return "%s %s" % (wrong, nr) if wrong or nr["a"] != nr["b"] else None


def what_is_waited_for_is_told(bench):
    """The outermost function that waits, and nothing below it; a join is no wait of its own."""
    text = """#include <pthread.h>
#include <unistd.h>
static void *doze(void *arg) { usleep(20000); return arg; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, doze, NULL);
    pthread_join(thread, NULL);
    return write(1, "", 0) != 0;
}
"""
    trace = bench.trace_of(bench.build("waits.c", text=text), to="waits.data")
    got = bench.ask(trace, """SELECT name, waits_for FROM paths WHERE waits_for IS NOT NULL
                              AND name IN ('usleep', 'nanosleep', 'clock_nanosleep', 'pthread_join',
                              'write', 'pthread_create') ORDER BY name""")
    tap.expect([(row["name"], row["waits_for"]) for row in got],
               [("pthread_create", "the kernel"), ("pthread_join", "the end of a thread or process"),
                ("usleep", "a timer"), ("write", "input or output")])
    row = bench.ask(trace, "SELECT total_ns, joined_ns FROM paths WHERE name = 'main'")[0]
    return None if 10_000_000 < row["joined_ns"] <= row["total_ns"] else str(row)


def functions_tell_when(bench, name):
    """The median and the last hundredth as report has them; the longest call, the first and the last."""
    trace = bench.traces[name]
    report = bench.run("report", "--json", "-f", "calls,p50,p99", trace)
    want = {(row["function"], row["module"]): (row["p50_ns"], row["p99_ns"])
            for row in json.loads(report.out)}
    rows = bench.ask(trace, """SELECT * FROM functions WHERE p50_ns IS NOT NULL""", (0, 4))
    for row in rows:
        if want[row["name"], row["module"]] != (row["p50_ns"], row["p99_ns"]):
            return "%s: report has %s" % (row, want[row["name"], row["module"]])
    wrong = bench.ask(trace, """SELECT f.name, f.first_ns, f.last_ns, f.longest_ns, f.max_ns FROM functions f
        JOIN (SELECT func, min(begin_ns) AS first, max(begin_ns) AS last FROM calls
              WHERE entered AND ended NOT IN ('unseen', 'lost') GROUP BY func) c ON c.func = f.id
        WHERE c.first <> f.first_ns OR c.last <> f.last_ns
        OR NOT EXISTS (SELECT 1 FROM calls l WHERE l.strand = f.longest_strand AND l.func = f.id
                       AND l.begin_ns = f.longest_ns AND l.duration_ns = f.max_ns)""", (0, 4))
    return "differ: %s of %d" % (wrong[:3], len(rows)) if wrong or not rows else None


def events_agree(bench, name):
    trace = bench.traces[name]
    info = bench.run("info", "--json", trace)
    info = json.loads(info.out)
    sums = bench.ask(trace, """SELECT kind, count(*) AS n, sum(value) AS v FROM events
                               GROUP BY kind""", (0, 4))
    got = {row["kind"]: (row["n"], row["v"]) for row in sums}
    lost = got.get("lost", (0, 0))[1]
    if info["trouble"] is None and lost != info["lost"]:
        return "lost: %s, info has %s" % (lost, info["lost"])
    if info["trouble"] is None and got.get("waited", (0, 0))[0] != info["waits"]:
        return "waits: %s, info has %s" % (got.get("waited"), info["waits"])
    one = bench.ask(trace, "SELECT count(*) AS n FROM events WHERE kind = 'exit'", (0, 4))
    return None if one[0]["n"] == got.get("exit", (0, 0))[0] else "kind = 'exit' differs"


# ---- what is pushed down changes nothing ----

COLUMNS = ("*", "id, func, name, begin_ns, end_ns, duration_ns, depth, caller, strand, tid, ended,"
                " recursive, entered")


class Asker:
    """Random questions about one trace."""

    def __init__(self, bench, trace):
        rows = bench.ask(trace, """SELECT min(begin_ns) AS first, max(end_ns) AS last,
                                   max(depth) AS depth FROM calls""", (0, 4))[0]
        self.first, self.last = rows["first"] or 0, rows["last"] or 1
        self.depth = rows["depth"] or 0
        self.tids = [r["tid"] for r in bench.ask(trace, "SELECT tid FROM threads", (0, 4))] or [1]
        self.funcs = [r["func"] for r in
                      bench.ask(trace, "SELECT DISTINCT func FROM calls", (0, 4))] or [1]

    def time(self):
        return random.randint(self.first, self.last)

    def width(self):
        return int((self.last - self.first) * 10 ** -random.uniform(0, 5))

    def times(self):
        at, width = self.time(), self.width()
        return random.choice([
            [], [("begin_ns", ">=", at), ("begin_ns", "<", at + width)],
            [("end_ns", ">", at), ("begin_ns", "<=", at + width)],
            [("end_ns", ">=", at), ("end_ns", "<", at + width)],
            [("begin_ns", random.choice(["<", ">", "<=", ">="]), at)],
            [("begin_ns", ">=", at + 0.5), ("begin_ns", "<", at + width + 0.25)],
        ])

    def functions(self):
        func = random.choice(self.funcs)
        return random.choice([
            [], [], [("func", "=", func)], [("func", "=", "%d.0" % func)],
            [("name", "GLOB", "'%s*'" % random.choice("fljdwa"))], [("name", "=", "'fib'")],
            [("module", "=", "'busy'")], [("func", "<=", func)],
        ])

    def where(self):
        terms = self.times() + self.functions()
        if random.random() < .5:
            terms.append(("tid", "=", random.choice(self.tids)))
        if random.random() < .4:
            terms.append(("depth", random.choice(["<", "<=", "=", ">"]),
                          random.randint(0, min(self.depth, 20))))
        return terms


def pushing_down_changes_nothing(bench, name, rounds, selected=None):
    random.seed(5)
    trace = bench.traces[name]
    asker = Asker(bench, trace)
    for _ in range(rounds):
        terms, columns = asker.where(), random.choice(selected or COLUMNS)
        texts = []
        for plus in ("", "+"):
            where = " AND ".join("%s%s %s %s" % (plus, *term) for term in terms) or "1"
            texts.append("SELECT %s FROM calls WHERE %s ORDER BY id" % (columns, where))
        pushed, whole = (bench.text(trace, sql) for sql in texts)
        if pushed != whole:
            return texts[0] + "\n" + tap.excerpt(whole[1], pushed[1])
    return None


VALUE_COLUMNS = ["id, args, result, arg1", "id, result", "arg1, self_ns", "args, id, duration_ns"]


def values_are_pushed_down_with_their_calls(bench, name):
    trace = bench.traces[name]
    found = bench.ask(trace, "SELECT count(args) AS args, count(result) AS results, count(*) AS n "
                             "FROM calls WHERE name = 'fib'")[0]
    # Of calls that were open where a ring begins nobody knows what they were given.
    if found["args"] < found["n"] * .95 or found["results"] < found["n"] * .9:
        return "few have values: %s" % found
    wrong = bench.ask(trace, "SELECT args, arg1, result, typeof(arg1) AS kind FROM calls WHERE "
                             "name = 'fib' AND args IS NOT NULL AND (args != CAST(arg1 AS TEXT) OR kind != 'integer')")
    return "%s" % wrong[:3] if wrong else pushing_down_changes_nothing(bench, name, 25,
                                                                      VALUE_COLUMNS)


PASSED = [
    ("longs", [-5000000000, "18446744073709551615", 1, 10, None, None, -4999999990]),
    ("floats", [0.5, -1.25, 3, None, None, None, 2.25]),
    ("mixed", [1, 2.5, 3, 4.5, 65, .25, 76.25]),
    ("text", ['on "the" heap\\', "wide", None, None, None, None, 'on "the" heap\\']),
    ("pointers", [16, "[-2]", "{.a = 7, .text = 0x", None, None, None, 16]),
    ("enums", [5, 5, None, None, None, None, -1]),
]


def values_have_types_of_sql(bench):
    for name, want in PASSED:
        row = bench.ask(bench.traces["passes"],
                        "SELECT arg1, arg2, substr(arg3, 1, 19) AS a3, arg3, arg4, arg5, arg6, "
                        "result FROM calls WHERE name = '%s' ORDER BY id LIMIT 1" % name)[0]
        if name == "pointers":
            row["arg3"], row["arg4"] = row["a3"], None
        del row["a3"]
        if list(row.values()) != want:
            return "%s: %s, not %s" % (name, list(row.values()), want)
    rows = bench.ask(bench.traces["passes"], "SELECT args FROM calls WHERE name = 'ints'")
    if rows != [{"args": "-1, 200, -300, 60000, -70000, 4000000000"}]:
        return "%s" % rows
    rows = bench.ask(bench.traces["passes"],
                     "SELECT count(*) AS n FROM calls WHERE name = 'down' AND arg1 BETWEEN 1 AND 2 "
                     "AND result > 0")
    if rows != [{"n": 2}]:
        return "%s" % rows
    rows = bench.ask(bench.traces["no values"],
                     "SELECT count(*) > 9 AS n, count(args) AS a, count(result) AS r, "
                     "count(arg1) AS o FROM calls")
    return None if rows == [{"n": 1, "a": 0, "r": 0, "o": 0}] else "%s" % rows


def either_finds_each_once(bench, name):
    """OR of two that SQLite asks for one after the other, and knows the rows by their ids."""
    trace = bench.traces[name]
    for table, a, b in (("calls", "func = 1", "depth = 1"), ("calls", "name = 'fib'", "tid > 0"),
                        ("events", "kind = 'exit'", "kind = 'waited'"),
                        ("functions", "id = 2", "id = 3")):
        sql = "SELECT count(*) AS n FROM %s WHERE %s OR %s"
        pushed = bench.ask(trace, sql % (table, a, b), (0, 4))
        whole = bench.ask(trace, sql % (table, "+" + a, "+" + b), (0, 4))
        if pushed != whole:
            return "%s: %s, %s" % (table, pushed, whole)
    return None


FUNCS_KIND = 12
INCOMPLETE = 4
OF_FUNCTIONS = """SELECT f.id, f.name, (SELECT count(*) || ' ' || sum(id) || ' ' ||
  ifnull(sum(begin_ns), '') || ' ' || ifnull(sum(duration_ns), '') || ' ' ||
  ifnull(sum(caller), '') || ' ' || sum(depth) || ' ' || group_concat(DISTINCT ended)%s
  FROM calls c WHERE c.func = f.id) AS sums FROM functions f
  WHERE f.calls AND f.id % 5 = 1"""


def without_rosters(bench, name):
    """The trace with each packet damaged that tells which functions are where; how many."""
    with open(bench.traces[name], "rb") as f:
        image = bytearray(f.read())
    at, nr = 16, 0
    while image[at:at + 4] == b"\x8ffcP":
        length = struct.unpack_from("<I", image, at + 12)[0]
        if image[at + 4] == FUNCS_KIND:
            image[at + 32 + length // 2] ^= 1
            nr += 1
        at += 32 + length
    path = bench.path("without.data")
    with open(path, "wb") as f:
        f.write(image)
    return path, nr


def rosters_change_nothing(bench, name):
    """Of a fifth of all functions: calls as found by rosters, and by looking into all packets."""
    path, nr = without_rosters(bench, name)
    if not nr:
        return "there is none"
    for more in ("", " || ' ' || ifnull(sum(self_ns), '')"):
        (have_status, have), (status, want) = (
            bench.text(trace, OF_FUNCTIONS.replace("%s", more))
            for trace in (bench.traces[name], path))
        if have != want or want.count(b"\n") < 20:
            return tap.excerpt(want, have)
        if (have_status, status) != (0, INCOMPLETE):  # as all packets were looked into
            return "status %d, without rosters %d" % (have_status, status)
    return None


# ---- odd traces ----

ALL_TABLES = "; ".join("SELECT * FROM " + table for table in (
    "calls", "functions", "callers", "modules", "maps", "processes", "threads", "events"))


def pieces_of_traces_are_read(bench, name):
    with open(bench.traces[name], "rb") as f:
        image = f.read()
    path = bench.path("piece.data")
    for i in range(24):
        if not bench.suite.has_turn("pieces of " + name, 3, i // 2):
            continue
        random.seed(i)
        piece = bytearray(image[:random.randrange(len(image))] if i % 2 else image)
        for _ in range(0 if i % 2 else 1 + i % 5):
            piece[random.randrange(len(piece))] ^= 1 << random.randrange(8)
        with open(path, "wb") as f:
            f.write(piece)
        done = bench.query("--csv", path, ALL_TABLES)
        if done.status not in (0, 3, 4) or (done.status and not done.err.startswith(b"fctrace: ")):
            return "piece %d: status %d: %s" % (i, done.status, done.err.decode()[:200])
        if len(done.err.splitlines()) > 1:
            return "piece %d: more than a line: %s" % (i, done.err.decode()[:400])
    return None


def damaged_traces_agree(bench, name):
    """A trace with a hole in its events: rows that are pushed down, and report's sums."""
    with open(bench.traces[name], "rb") as f:
        image = bytearray(f.read())
    for at in range(len(image) // 3, len(image) // 3 + 40):
        image[at] ^= 0x55
    bench.traces["hole"] = bench.path("hole.data")
    with open(bench.traces["hole"], "wb") as f:
        f.write(image)
    if bench.query(bench.traces["hole"], "SELECT count(*) FROM calls").status != 4:
        return "the hole is not noticed"
    return (calls_agree(bench, "hole") or functions_agree(bench, "hole") or
            callers_agree(bench, "hole"))


def an_empty_trace_has_tables(bench):
    trace = bench.named("empty", ["-F", "no_such_function", "--libs=none"], ["true"])
    counts = bench.ask(trace, "SELECT (SELECT count(*) FROM calls) AS calls, "
                              "(SELECT count(*) FROM callers) AS callers, "
                              "(SELECT sum(calls) FROM functions) AS sum")
    if counts != [{"calls": 0, "callers": 0, "sum": 0}] and counts[0]["calls"]:
        return str(counts)
    done = bench.query(trace, "SELECT name FROM calls")
    return None if done.out == b"name\n" and not done.status else repr(done.out)


def entries_alone_have_no_end(bench):
    trace = bench.named("entries", ["-F", "_setjmp", "--libs=none"], [bench.program, "5"])
    trace = bench.named("entries", ["-F", "*setjmp*"], [bench.program, "5"])
    rows = bench.ask(trace, "SELECT DISTINCT ended, end_ns, duration_ns, self_ns FROM calls")
    want = {"ended": "unseen", "end_ns": None, "duration_ns": None, "self_ns": None}
    return None if rows == [want] else str(rows)


# ---- shown safely ----

def as_csv_shows(text):
    """Control characters, but for the ends of lines, and what is no UTF-8."""
    return re.sub("[\x00-\x09\x0b-\x1f\x7f\xff]", "?", text)


def odd_names_are_shown(bench):
    trace = bench.traces["busy"]
    sql = "SELECT name, NULL AS missing, x'00ff' AS blob, '' AS empty, 1.5 AS real, 7 AS int " \
          "FROM functions WHERE calls AND name GLOB 'a\"b*'"
    table = bench.query(trace, sql).out
    if b"\x1b" in table or table.count(b"\n") != 2 or b"a\"b,c??[31m'd" not in table:
        return "table: %r" % table
    rows = bench.ask(trace, sql)
    want = {"name": ODD_NAME.decode("utf-8", "replace"), "missing": None, "blob": "00ff",
            "empty": "", "real": 1.5, "int": 7}
    if rows != [want]:
        return "json: %r" % rows
    text = bench.text(trace, sql)[1].decode("latin-1")
    cells = list(csv.reader(io.StringIO(text, newline="")))
    if cells[1] != [as_csv_shows(ODD_NAME.decode("latin-1")), "", "x'00ff'", "", "1.5", "7"]:
        return "csv: %r" % cells
    if text.splitlines()[-1].split(";--e\"")[1] != ",,x'00ff',\"\",1.5,7":
        return "csv: NULL and empty: %r" % text
    return None


def tables_are_aligned(bench):
    done = bench.query(bench.traces["busy"],
                     "SELECT 'a' AS x, 1 AS n UNION ALL SELECT 'longer', 1000")
    want = b"x          n\na          1\nlonger  1000\n"
    return None if done.out == want else repr(done.out)


# ---- SQL that is wrong, or does too much ----

REFUSED = (
    "ATTACH 'x.sqlite' AS x", "VACUUM INTO 'x.sqlite'", "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA journal_mode = WAL", "PRAGMA writable_schema = 1", "SELECT load_extension('x')",
    "DELETE FROM calls", "INSERT INTO calls(id) VALUES (1)", "SELECT nothing FROM calls",
    "SELEKT", "SELECT * FROM calls WHERE", "DROP TABLE calls", "DETACH main",
    "SELECT 1; SELECT bad", "SELECT edit('x')", "SELECT writefile('x', 'y')",
)


def wrong_sql_is_one_line(bench):
    before = set(os.listdir(bench.folder))
    for sql in REFUSED:
        done = bench.query(bench.traces["busy"], sql)
        if done.status != 2 or not done.err.startswith(b"fctrace: SQL: ") or \
                len(done.err.splitlines()) != 1:
            return "%s: status %d: %s" % (sql, done.status, done.err.decode())
    made = set(os.listdir(bench.folder)) - before
    return "files were made: %s" % made if made else None


def reading_pragmas_and_own_tables_work(bench):
    done = bench.query("--csv", bench.traces["busy"], "PRAGMA table_info(calls); CREATE TABLE t AS "
                     "SELECT * FROM functions; SELECT count(*) > 5 FROM t")
    if done.status or done.out.splitlines()[-1] != b"1" or b"begin_ns" not in done.out:
        return "%d: %s %s" % (done.status, done.out[-300:], done.err)
    return None


def statements_come_from_stdin(bench):
    done = bench.query(bench.traces["busy"], stdin=b".mode csv\nSELECT 1\n AS one;\n.tables\n"
                     b".schema threads\n.help\nSELECT 2 AS two")
    lines = done.out.decode().splitlines()
    if done.status or lines[:3] != ["one", "1", "calls"] or lines[-2:] != ["two", "2"]:
        return "status %d: %s" % (done.status, lines)
    bad = bench.query(bench.traces["busy"], stdin=b".nothing\nSELECT 1;\n")
    if bad.status != 2 or bad.out:
        return "a wrong word: status %d: %s" % (bad.status, bad.out)
    quit_early = bench.query(bench.traces["busy"], stdin=b".quit\nSELECT 1;\n")
    return "after .quit: %s" % quit_early.out if quit_early.out or quit_early.status else None


def words_are_told_apart(bench):
    shutil.copy(bench.traces["busy"], bench.path("fctrace.data"))
    for words in ([".tables"], ["fctrace.data", ".tables"], [".schema calls"]):
        done = bench.query(*words)
        if done.status or b"calls" not in done.out:
            return "%s: status %d: %s" % (words, done.status, done.err)
    if bench.query("fctrace.data", ".nothing").status != 2:
        return ".nothing is known"
    asked = bench.query("SELECT 1 AS one")
    missing = bench.query("no_such.data")
    too_many = bench.query("fctrace.data", "SELECT", "1")
    both = bench.query("--csv", "--json", "fctrace.data", "SELECT 1")
    for done, status, out in ((asked, 0, b"one\n  1\n"), (missing, 3, b""), (too_many, 2, b""),
                              (both, 2, b"")):
        if done.status != status or done.out != out:
            return "status %d: %r %s" % (done.status, done.out, done.err.decode())
    return None


# ---- into a database ----

def a_database_has_the_same_rows(bench):
    trace, path = bench.traces["busy"], bench.path("out.sqlite")
    done = bench.query("--to-sqlite", path, trace)
    if done.status:
        return done.err.decode()
    db = sqlite3.connect(path)
    db.text_factory = bytes
    for table in ("calls", "functions", "callers", "modules", "maps", "processes", "threads",
                  "events"):
        rows = db.execute("SELECT * FROM %s" % table).fetchall()
        text = bench.text(trace, "SELECT * FROM " + table)[1].decode("latin-1")
        cells = list(csv.reader(io.StringIO(text, newline="")))[1:]
        mine = [["" if c is None else as_csv_shows(c.decode("latin-1")) if isinstance(c, bytes) else str(c)
                 for c in row] for row in rows]
        if mine != cells:
            return "%s differs: %s" % (table, [p for p in zip(mine, cells) if p[0] != p[1]][:2])
    indexes = db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'index'").fetchone()[0]
    if indexes < 3:
        return "%d indexes" % indexes
    plan = b" ".join(row[3] for row in db.execute(
        "EXPLAIN QUERY PLAN SELECT * FROM calls WHERE begin_ns BETWEEN 1 AND 2"))
    db.close()
    return None if b"calls_begin_ns" in plan else "no index is used: %r" % plan


def a_file_that_exists_is_left_alone(bench):
    path = bench.path("mine")
    with open(path, "w", encoding="utf-8") as f:
        f.write("precious")
    done = bench.query("--to-sqlite", path, bench.traces["busy"])
    with open(path, encoding="utf-8") as f:
        if done.status != 1 or b"exists" not in done.err or f.read() != "precious":
            return "status %d: %s" % (done.status, done.err.decode())
    done = bench.query("--to-sqlite", bench.path("no/such/folder"), bench.traces["busy"])
    return None if done.status == 1 and b"cannot make" in done.err else done.err.decode()


# ---- memory ----

def memory_does_not_grow_with_the_trace(bench):
    trace = bench.named("long", ["--libs=none"], [bench.program, "24"])
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = tap.run([tap.PYTHON, "-c", code, bench.fctrace, "query", "--csv", trace,
                    "SELECT count(*), sum(self_ns) FROM calls"])
    count, peak_kb = int(done.out.split()[1].split(b",")[0]), int(done.out.split()[2])
    if count < 1000000:
        return "only %d calls" % count
    return "%d KB for %d calls" % (peak_kb, count) if peak_kb > 65536 else None


def recorded(bench):
    bench.named("busy", ["--libs=none"], [bench.program, "17"])
    bench.named("libs", [], [bench.program, "12"])
    bench.named("lossy", ["--libs=none", "--loss=drop", "--ring=64K"], [bench.program, "19"])
    bench.named("flight", ["--libs=none", "--loss=ring", "--ring=64K"], [bench.program, "17"])


    bench.named("forks", ["--libs=none"], ["bash", "-c", FORKS])
    bench.named("values", ["-a", "--libs=none"], [bench.program, "17"])
    bench.named("last values", ["-a", "--libs=none", "--loss=ring", "--ring=64K"],
                 [bench.program, "17"])
    passes = bench.build(os.path.join(HERE, "../../values/passes.c"), "-O1", "-w", out="passes")
    bench.named("passes", ["-a"], [passes])
    bench.named("no values", ["--libs=none"], [passes])


FORKS = """f() { local a=$1; ((a > 0)) && f $((a - 1)); }
for i in {1..16}; do f 9; x=$(echo $i); done; type f | sort | head -3"""


def cases(bench):
    for name in ("busy", "libs", "lossy", "flight"):
        yield "calls of %s sum up to report's" % name, lambda n=name: calls_agree(bench, n)
        yield "functions of %s are report's" % name, lambda n=name: functions_agree(bench, n)
        yield "callers of %s are those of its calls" % name, \
            lambda n=name: callers_agree(bench, n)
        yield "paths of %s sum up to functions" % name, lambda n=name: paths_agree(bench, n)
        yield "events of %s are info's" % name, lambda n=name: events_agree(bench, n)
        yield "pushing down changes nothing in %s" % name, \
            lambda n=name: pushing_down_changes_nothing(bench, n, 25)
    for name in ("values", "last values"):
        yield "pushing down changes no %s" % name, \
            lambda n=name: values_are_pushed_down_with_their_calls(bench, n)
    yield "values have types of SQL", lambda: values_have_types_of_sql(bench)
    yield "pieces of a trace of values are read", lambda: pieces_of_traces_are_read(bench, "passes")
    yield "rosters change nothing", lambda: rosters_change_nothing(bench, "forks")
    yield "threads of busy sum up to report --tid's", lambda: threads_agree(bench, "busy")
    for name, fn in (
            ("functions tell when their calls were", lambda b: functions_tell_when(b, "busy")),
            ("what is waited for is told", what_is_waited_for_is_told),
            ("an OR finds each row once", lambda b: either_finds_each_once(b, "busy")),
            ("pieces of a trace are read", lambda b: pieces_of_traces_are_read(b, "busy")),
            ("a damaged trace agrees with report", lambda b: damaged_traces_agree(b, "busy")),
            ("an empty trace has tables", an_empty_trace_has_tables),
            ("entries alone have no end", entries_alone_have_no_end),
            ("odd names are shown safely", odd_names_are_shown),
            ("tables are aligned", tables_are_aligned),
            ("wrong SQL is one line and status 2", wrong_sql_is_one_line),
            ("PRAGMAs that tell and tables in memory work", reading_pragmas_and_own_tables_work),
            ("statements come from stdin", statements_come_from_stdin),
            ("the trace and the SQL are told apart", words_are_told_apart),
            ("--to-sqlite has the same rows", a_database_has_the_same_rows),
            ("--to-sqlite leaves a file alone", a_file_that_exists_is_left_alone),
            ("memory does not grow with the trace", memory_does_not_grow_with_the_trace)):
        yield name, lambda f=fn: f(bench)


def suite_of(suite):
    bench = Bench(suite)
    recorded(bench)
    suite.run_all(cases(bench), prefix="query ")


if __name__ == "__main__":
    tap.main(suite_of)
