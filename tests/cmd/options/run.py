#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What is mistyped, or is what another tool calls it: the message has what was most likely meant, the
exit status is that of an error, and nothing is done.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

NO, USAGE, NOT_FOUND = 1, 2, 127

PROGRAM = r"""
#include <string.h>
__attribute__((noipa)) int name_length(const char *name) { return name[0] ? 1 : 0; }
__attribute__((noipa)) int lookup(const char *name) { return name_length(name) + 1; }
__attribute__((noipa)) int leaf(int n) { return n + 1; }
int main(void) { return lookup("dora") + leaf(3) == 6 ? 0 : 1; }
"""


class Bench(bench.Bench):
    def __init__(self, suite):
        super().__init__(suite)
        self.program = self.build("named.c", text=PROGRAM)
        self.trace_of(self.program)

    def refuse(self, *words, says, status=USAGE, lines=1):
        """Nothing on stdout, and a line of fctrace's that says so."""
        done = self.run(*words)
        told = done.err.decode().splitlines()
        if done.status != status or done.out or len(told) != lines or says not in told[-1]:
            raise Wrong("%s: status %d instead of %d, %r; stderr without %r: %s" % (
                " ".join(words), done.status, status, done.out[:200], says, done.err.decode()))


def commands(b):
    b.refuse("reprot", says="did you mean report? fctrace help lists", status=NOT_FOUND)
    b.refuse("reprot", "-n", "3", says="did you mean report?", status=NOT_FOUND)
    b.refuse("help", "recrod", says="did you mean record?")
    b.refuse("ctl", str(os.getpid()), "unhok", "main", says="did you mean unhook")
    b.refuse("no-such-program-at-all", says="no such program in $PATH", status=NOT_FOUND)


def options(b):
    b.refuse("report", "--colums", "calls", says="unknown option; see fctrace report --help")
    b.refuse("report", "--jsn", says="did you mean --json?")
    b.refuse("replay", "--callers", "main", says="--callers: an option of fctrace report, not of")
    b.refuse("record", "--no-folow", "true", says="did you mean --no-follow?")
    b.refuse("report", "--by", "modul", says="did you mean module?")


def columns_and_formats(b):
    b.refuse("report", "-f", "call,slef", says="did you mean calls?")
    b.refuse("report", "-s", "slef", says="did you mean self? There are")
    b.refuse("replay", "-f", "elapsd", says="did you mean elapsed?")
    b.refuse("export", "-f", "chrme", says="did you mean chrome?")
    b.refuse("export", "-f", "svgg", says="no such format")


def tables_of_sql(b):
    b.refuse("query", b.trace, "SELECT * FROM cals", says="no such table: cals; did you mean calls?")
    b.refuse("query", b.trace, "SELECT nme FROM functions",
             says="no such column: nme; did you mean name?")
    b.refuse("query", b.trace, "SELECT f.nme FROM functions f",
             says="no such column: f.nme; did you mean name?")
    b.refuse("query", b.trace, "SELECT path FROM paths",
             says="no such column: path; the table modules has one.")
    b.refuse("query", b.trace, "SELECT 1 FROM", says="SQL: incomplete input")


def functions(b):
    for words in (["report", "--callers"], ["report", "--callees"], ["report", "--hist"],
                  ["graph", "--from"], ["graph", "--to"]):
        b.refuse(*words, "lokup", b.trace, says="did you mean lookup?", status=NO)
        b.refuse(*words, "*length_name*", b.trace, says="no function that matches was called",
                 status=NO)
    b.refuse("report", "--callers", "lok", b.trace, says="did you mean lookup", status=NO)


def functions_of_a_program(b):
    b.refuse("list", "--why", "lokup", b.program, says="did you mean lookup? fctrace list shows",
             status=NO)
    b.refuse("list", "--why", "zzzzzz", b.program, says="; fctrace list shows them all", status=NO)
    _, said = b.must("list", "-F", "lokup", b.program)
    if "did you mean lookup? One of its libraries may" not in said:
        raise Wrong(said)


def functions_of_filters(b):
    """What is asked for is done: a filter leaves all out, which is no error."""
    for words in (["-o", "/dev/null"], ["-c", "-o", "/dev/null"], ["record", "-o", "/dev/null"]):
        b.refuse(*words, "-F", "name_lenth", b.program, status=0,
                 says="-F name_lenth: no function that matches was called; did you mean name_length?")
        # One that has no hook.
        b.refuse(*words, "-F", "_strat", b.program, status=0, says="; did you mean _start?")
    # A name that is right is no other's; _start is called, but has no hook.
    for right in ("mkfifo", "_start"):
        b.refuse("-o", "/dev/null", "-F", right, b.program, status=0,
                 says="-F %s: no function that matches was called; such functions exist, but none "
                      "that is hooked was called; fctrace list says which are" % right)
    done = b.run("replay", "-F", "name_lenth", b.trace)
    if b"did you mean name_length?" not in done.err or done.status:
        raise Wrong("status %d: %s" % (done.status, done.err.decode()))


def who_calls_nobody(b):
    """It is there, so this is an answer."""
    for option, nr in (("--callees", 0), ("--callers", 1)):
        rows = b.json("report", option, "leaf")
        if len(rows) != nr:
            raise Wrong("%s leaf: %s" % (option, rows))


def what_leads_to_a_call(b):
    """-C: the same live, recorded, and read of a trace that has all calls."""
    def shown(text):
        return [name for name in re.findall(r"\| +(\w+)\(.*\)(?:;| \{)", text)
                if not name.startswith("__libc")]
    want = ["main", "lookup", "name_length"]
    _, live = b.must("--libs=none", "-C", "name_length", b.program)
    b.trace_of(b.program, options=["-C", "name_length", "--libs=none"], to="led.data")
    told = {"live": live, "recorded": b.must("replay", b.path("led.data"))[0],
            "read": b.must("replay", "-C", "named:name_length", b.trace)[0]}
    for how, text in told.items():
        if shown(text) != want:
            raise Wrong("%s: %s" % (how, text))
    # With values, too: who calls it, with what.
    _, live = b.must("-a", "--libs=none", "-C", "name_length", b.program)
    if 'lookup("dora")' not in live or "leaf" in live:
        raise Wrong(live)


def letters_of_others(b):
    for letter, says in (
            ("-f", "child processes are followed already"), ("-ff", "followed already"),
            ("-u", "sudo -u USER fctrace"), ("-T", "duration of each call is shown"),
            ("-g", "callers are recorded"), ("-r", "fctrace replay -f +delta"),
            ("-E", "env NAME=VALUE"), ("-v", "-S 1000"), ("-l", "-m 'libz*'")):
        for command in ([], ["record"]):
            b.refuse(*command, letter, "x", "true", says="unknown option; ")
            b.refuse(*command, letter, "x", "true", says=says)
    b.refuse("-e", "trace=open,close", "true", says="-a -F 'open' -F 'close'; to see system calls")
    b.refuse("record", "-e", "trace=%net", "true", says="-a -F 'open*'")
    for letter in ("-t", "-tt", "-ttt"):
        b.refuse(*([letter, "t"] if letter == "-t" else [letter]), "true", says="replay -f +time")
    b.refuse("-S", "calls", "true", says="-s KEYS")
    b.refuse("-s", "200", "true", says="-S 200")
    for letter, says in (("-i", "name the trace without an option"), ("-g", "fctrace graph"),
                         ("-a", "fctrace record -a"), ("-y", "fctrace record -y"), ("-o", ">FILE")):
        b.refuse("report", letter, b.trace, says=says)


def a_suffix_names_a_format(b):
    for suffix, name in (("svg", "flamegraph"), ("pftrace", "perfetto"), ("json", "chrome")):
        texts = {b.run("export", "-f", word, b.trace).out for word in (suffix, name)}
        if len(texts) != 1 or not texts.pop():
            raise Wrong("-f %s and -f %s differ" % (suffix, name))


def suite_of(suite):
    suite.run_all([commands, options, columns_and_formats, tables_of_sql, functions,
                   functions_of_a_program, functions_of_filters, who_calls_nobody,
                   what_leads_to_a_call, letters_of_others, a_suffix_names_a_format], Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
