#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every format that fctrace exports has the same totals as report, as somebody else reads it.

A format has a file of its own in readers/, named after it, with

  read(path) -> {function: Sum}   what another program, or the format's own grammar, makes of it

perhaps ARGS, what it is exported with, and perhaps checks(export) -> [(case, why or None)],
with more that is to be seen in it. A format that has no such file fails.
"""
import collections
import importlib.util
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
sys.path.insert(0, HERE)
import bench  # noqa: E402
import cutting  # noqa: E402
import tap  # noqa: E402
from sums import Sum  # noqa: E402

SQL = ("create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n "
       "where i < 100) insert into t select i, i * i from n; select sum(b) from t;")
JOBS = {
    "threads, forks, exceptions": ["@mixed"],
    "arguments and results": ["-a", "@mixed"],
    "sqlite3": ["sqlite3", ":memory:", SQL],
    "bash": ["bash", "-c", 'f() { (( $1 < 2 )) || f $(( $1 - 1 )); return 0; }; f 6; echo $(echo a | cat)'],
}


class Export:
    """A trace that was recorded, and how it is exported."""

    def __init__(self, fctrace, trace, folder):
        self.fctrace, self.trace, self.folder = fctrace, trace, folder
        self.program = tap.fctrace_json(fctrace, "info", trace)["processes"][0]["program"]

    def to(self, form, *args):
        path = os.path.join(self.folder, "x." + form)
        if os.path.isdir(path):
            shutil.rmtree(path)  # a format that is a folder is not written over
        done = tap.run([self.fctrace, "export", "-f", form, "-o", path, *args, self.trace])
        if done.status != 0 or done.trouble():
            raise RuntimeError("export -f %s: status %d: %s" % (
                form, done.status, done.err.decode(errors="replace")))
        return path

    def report(self):
        """What report says, by function: those of one name in several modules are summed."""
        sums = collections.defaultdict(Sum)
        for row in tap.fctrace_json(self.fctrace, "report", self.trace):
            sums[row["function"]].add(row["calls"] - row["counted"], row["self_ns"],
                                      row["total_ns"])
        return dict(sums)


def reader_of(form):
    path = os.path.join(HERE, "readers", form.replace("-", "_") + ".py")
    if not os.path.exists(path):
        return None
    spec = importlib.util.spec_from_file_location("reader_" + form, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def formats_of(fctrace):
    text = tap.run([fctrace, "export", "--help"]).out.decode()
    return re.findall(r"^  ([a-z][\w-]*) ", text.split("\nFormats:\n")[1].split("\n\n")[0], re.M)


def recorded(b, argv):
    options = [word for word in argv[:1] if word.startswith("-")]
    words = [b.build("mixed.cc") if word == "@mixed" else word for word in argv[len(options):]]
    return b.trace_of(*words, options=options)


def check_sums(suite, name, reader, wanted, export, form, *args):
    try:
        got = reader.read(export.to(form, *getattr(reader, "ARGS", []), *args))
    except Exception as e:  # noqa: BLE001: whatever a reader dislikes is a failed case
        suite.fail(name, "%s: %s" % (type(e).__name__, e))
        return
    wrong = ["%s: %s, report says %s" % (f, got.get(f), wanted.get(f))
             for f in sorted(wanted.keys() | got.keys())
             if not (f in got and f in wanted and got[f].agrees(wanted[f]))]
    suite.case(name, "\n".join(wrong[:10]))


def checks_of(reader, export):
    try:
        return getattr(reader, "checks", lambda export: [])(export)
    except Exception as e:  # noqa: BLE001
        return [("its checks", "%s: %s" % (type(e).__name__, e))]


def check_range(suite, job, export, readers):
    """-r tells the calls of that time, cut to it, in each format."""
    rows = list(readers["csv"].rows_of(export.to("csv")))
    begin, end = cutting.middle(rows)
    wanted = cutting.cut(rows, begin, end)
    for form, reader in readers.items():
        name = "export %s: %s: the middle third is that of the whole" % (form, job)
        if reader and suite.wants(name):
            check_sums(suite, name, reader, wanted, export, form, "-r",
                       "%dns~%dns" % (begin, end))
    for form, program in (("folded", "%s;"), ("chrome", '"name":"%s"'), ("html", '"%s"'),
                          ("speedscope", "of %s (")):
        name = "export %s: %s: a range knows its programs" % (form, job)
        if suite.wants(name):
            with open(export.to(form, "-r", "%dns~%dns" % (begin, end)), encoding="utf-8") as f:
                wanted = program % os.path.basename(export.program)
                suite.case(name, None if wanted in f.read() else "it does not name " + wanted)


def suite_of(suite):
    fctrace = suite.fctrace
    readers = {form: reader_of(form) for form in formats_of(fctrace)}
    for job, argv in JOBS.items():
        with tempfile.TemporaryDirectory(dir=suite.folder) as folder:
            b = bench.Bench(tap.Suite(suite.args, folder))
            export = Export(fctrace, recorded(b, argv), folder)
            for form, reader in readers.items():
                name = "export %s: %s has report's totals" % (form, job)
                if not suite.wants(name):
                    continue
                if not reader:
                    suite.fail(name, "nobody reads it: tests/show/export/readers has no file for it")
                    continue
                check_sums(suite, name, reader, export.report(), export, form)
                for case, why in checks_of(reader, export):
                    suite.case("export %s: %s: %s" % (form, job, case), why)
            check_range(suite, job, export, readers)


if __name__ == "__main__":
    tap.main(suite_of)
