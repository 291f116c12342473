# SPDX-License-Identifier: Apache-2.0
"""CSV, read by Python's own parser; and it is what fctrace query's table of calls holds."""
import collections
import csv

import tap
from sums import Sum

COLUMNS = ("func name module begin_ns end_ns duration_ns self_ns wait_ns self_wait_ns depth "
           "caller caller_name strand tid pid ended recursive entered args").split()
RESULT = ["result"]  # in SQL's types in query


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as f:
        reader = csv.DictReader(f, strict=True)
        if reader.fieldnames != COLUMNS + RESULT:
            raise ValueError("the first line is %s" % reader.fieldnames)
        yield from reader


def read(path):
    sums = collections.defaultdict(Sum)
    for row in rows_of(path):
        total = 0 if row["recursive"] == "1" else int(row["duration_ns"] or 0)
        sums[row["name"]].add(int(row["entered"]), int(row["self_ns"] or 0), total)
    return dict(sums)


def guarded(text):
    """What a spreadsheet would take for a formula has a ' before it; numbers are none."""
    is_formula = text[:1] and text[0] in "=+-@" and not text.lstrip("-").replace(".", "").isdigit()
    return "'" + text if is_formula else text


def as_query_says(export):
    """Each call is there as query has it. What query tells of an unseen end is not known here."""
    rows = tap.fctrace_json(export.fctrace, "query", export.trace,
                            "SELECT %s FROM calls WHERE ended != 'lost'" % ", ".join(COLUMNS))
    wanted = collections.Counter(
        tuple("" if row[c] is None else guarded(str(row[c])) for c in COLUMNS) for row in rows)
    got = collections.Counter(tuple(row[c] for c in COLUMNS)
                              for row in rows_of(export.to("csv")) if row["ended"] != "lost")
    wrong = ["only query: %s" % (row,) for row in (wanted - got)] + \
        ["only csv: %s" % (row,) for row in (got - wanted)]
    return "\n".join(wrong[:10])


def ends_lines_as_the_rfc_says(export):
    with open(export.to("csv"), "rb") as f:
        data = f.read()
    if data.count(b"\n") != data.count(b"\r\n") or not data.endswith(b"\r\n"):
        return "a line that does not end with CR LF"
    return None


def checks(export):
    return [("the calls are those of query", as_query_says(export)),
            ("lines end with CR LF", ends_lines_as_the_rfc_says(export))]
