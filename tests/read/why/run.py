#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace why names what is wrong with programs in which something is wrong, says nothing foolish of
others, and each of its sentences is the answer to a query that anybody can ask.

The planted faults are counts, or times that are many times as long as all others: how fast the
machine is, and what runs beside, changes nothing of it.
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

FIRST = 3  # sentences, of which one must name the fault


class Bench(bench.Bench):
    flags = ["-O1", "-g", "-pthread", "-fno-builtin-strlen", "-fno-optimize-sibling-calls",
             "-I", os.path.join(HERE, "programs")]

    def why(self, *words, status=0):
        """The answers to a trace, or to a program; the program's are on stderr, behind what else
        fctrace says there."""
        out, err = self.must("why", "--json", "--show-sql", "-n", "0", *words, status=status)
        text = out if out.startswith("{") else err[re.search("^{", err, re.MULTILINE).start():]
        return json.loads(text)["answers"]

    def sentences(self, trace):
        return [answer["sentence"] for answer in self.why(trace)]


class Planted:
    """A program; texts: patterns that one of the first sentences must have, all of them."""

    def __init__(self, fault, source, *texts, args=()):
        self.fault, self.source, self.texts, self.args = fault, source, texts, args


PLANTED = [
    Planted("a loop that is quadratic", "quadratic.c", r"60 000 calls of strlen\(\) by parse_line\(\)",
            r"parse_line\(\) calls strlen\(\) 20 000 times in each of its 3 calls"),
    Planted("a list that is walked to its end", "growing.c", r"of (append|last_item)\(\) take longer and longer"),
    Planted("a lock convoy", "convoy.c", r"waiting for a lock",
            r"400 calls of pthread_mutex_lock\(\) by update_stats\(\)"),
    Planted("a cache that never hits", "cache.c", r"the cache saved none of it",
            r"get_page\(\) called cache_get\(\) 2000 times, and render_page\(\) 2000 times"),
    Planted("a query for each row", "queries.c", r"1500 calls of db_query\(\) by load_customer\(\)",
            r"load_orders\(\), called once, calls load_customer\(\) 1500 times"),
    Planted("a slow start", "start.c", r"load_dictionary\(\), which main\(\) called once, took",
            r"before the first of 2000 calls of handle_request\(\)"),
    Planted("a sleep", "sleep.c", r"retry_later\(\) slept for \d+ % of the time", r"1 call of usleep\(\)"),
    Planted("a loop that polls", "polling.c", r"wait_for_result\(\) slept for \d+ % of the time",
            r"wait_for_result\(\), called once, calls usleep\(\) [\d ]+ times"),
    Planted("one slow request of 10 000", "outlier.c", r"One of 10 000 calls of handle_request\(\)",
            r"in rebuild_index\(\), which was called 1 time in all"),
    Planted("memory that is never freed", "leak.c", r"19 801 blocks of memory were not freed",
            r"20 000 of them by copy_request\(\)"),
    Planted("a recursion that computes again", "fib.c",
            r"in fib\(\), which calls itself: 1 call by main\(\) became 1 028 457 calls"),
    Planted("a byte a system call", "bytes.c", r"read\(\) moved 1\.0 bytes a call: 50 00\d calls by next_byte\(\)",
            args=("input",)),
]


def first_of(answers):
    """The first sentences of the program: that others had its CPU tells of the machine."""
    sentences = [answer["sentence"] for answer in answers]
    return [said for said in sentences if "passed in waiting for a CPU, while other threads ran there" not in said][:FIRST]


def fault_is_named(bench, planted):
    bench.write("input", b"x" * 50000)
    program = bench.build(planted.source)
    answers = bench.why("-o", bench.trace, program, *planted.args)
    first = first_of(answers)
    if any(all(re.search(text, sentence) for text in planted.texts) for sentence in first):
        return None
    return "\n".join(["not named:", *planted.texts, "but:", *first])


def regression_is_named(bench):
    """Also where the new recording takes the name of the old one."""
    programs = []
    for name, flags in (("old", ()), ("new", ("-DSLOW",))):
        os.makedirs(bench.path(name), exist_ok=True)
        programs.append(bench.build("regression.c", *flags, out=name + "/shop"))
    old = bench.trace_of(programs[0], to="old.data")
    wanted = r"checksum\(\) took .* longer than before: .* in its own code, instead of .*, in 1000 calls\."
    for words in (("-o", bench.trace, programs[1]), ("-o", old, programs[1])):
        answers = bench.why("--than", old, *words)
        first = first_of(answers)
        if not any(re.match(wanted, sentence) for sentence in first):
            return "\n".join(["not named:", *first])
        command = next(a["command"] for a in answers if a["kind"] == "changed")
        out = tap.run(["/bin/sh", "-c", command.replace("fctrace", bench.fctrace, 1) + " --functions"]).out
        if not re.search(rb"\+[\d.]+ m?s .* checksum", out):
            return "%s: %s" % (command, out)
    return None


def nothing_changed_is_said(bench):
    trace = bench.trace_of(bench.build("sleep.c"), to="same.data")
    answers = bench.why("--than", trace, trace)
    if answers[1]["kind"] != "unchanged" or any(a["kind"] == "changed" for a in answers):
        return "%s" % [answer["sentence"] for answer in answers]
    rows = json.loads(bench.must("query", "--json", "--than", trace, trace, answers[1]["sql"])[0])
    return None if rows and rows[0]["functions"] == answers[1]["figures"]["functions"] else str(rows)


def of_each_planted(bench):
    return [("names a regression", regression_is_named),
            ("names no change where there is none", nothing_changed_is_said)] + [("names " + planted.fault, lambda b, planted=planted: fault_is_named(b, planted))
            for planted in PLANTED]


# ---- programs with nothing planted

SQL = "create table t(a integer primary key, b text); select max(b) from t;"
SOUND = [("ls", "/usr/bin/ls", "-l", "/etc"), ("git log", "/usr/bin/git", "log", "-n", "50"),
         ("python3 -c", "/usr/bin/python3", "-c", "print(sorted(str(i) for i in range(1000))[7])"),
         ("sqlite3", "/usr/bin/sqlite3", ":memory:", SQL)]
# What is wrong with a program; where its time goes is no fault.
FAULTS = {"growth", "leak", "cache", "small"}


def wrong_of(answer):
    """What no sentence may say."""
    text, figures = answer["sentence"], answer["figures"]
    shares = [value for name, value in figures.items() if name.endswith("share")]
    if any(value is not None and not 0 <= value <= 1.0001 for value in shares):
        return "a share is none: %s" % text
    if re.search(r"[][{}]|\bNULL\b|\(\)\(\)|  |None|nan", text) or not text.endswith("."):
        return "not a sentence: %s" % text
    if answer["kind"] in FAULTS:
        return "no fault was planted: %s" % text
    return None


def nothing_foolish(bench, argv):
    if not os.access(argv[0], os.X_OK):
        raise tap.Skip(argv[0] + " is not installed")
    if "git" in argv[0]:
        make_repository(bench)
    answers = bench.why("-o", bench.trace, *argv)
    if not answers or answers[0]["kind"] != "overview":
        return "no overview: %s" % answers
    return "\n".join(filter(None, map(wrong_of, answers)))


def make_repository(bench):
    git = ["/usr/bin/git", "-c", "user.name=n", "-c", "user.email=e", "-C", bench.folder]
    tap.texts_of([*git, "init", "-q"])
    for i in range(3):
        tap.texts_of([*git, "commit", "-q", "--allow-empty", "-m", "step %d" % i])


def of_each_sound(bench):
    return [("says nothing foolish of " + name, lambda b, argv=argv: nothing_foolish(b, argv))
            for name, *argv in SOUND]


# ---- the sentences


def trace_of(bench, source, *args):
    return bench.trace_of(bench.build(source), *args, to=source + ".data")


def each_sentence_is_a_query(bench):
    """Whoever asks the same by `fctrace query` gets the same figures."""
    for source in ("quadratic.c", "convoy.c", "leak.c"):
        trace = trace_of(bench, source)
        for answer in bench.why(trace):
            rows = json.loads(bench.must("query", "--json", trace, answer["sql"])[0])
            if not any(same(row, answer["figures"]) for row in rows):
                return "%s: %s\nis none of %s" % (answer["kind"], answer["figures"], rows[:3])
    return None


def same(row, figures):
    return row.keys() == figures.keys() and all(
        row[key] == value or isinstance(value, float) and abs(row[key] - value) <= 1e-6 * abs(value)
        for key, value in figures.items())


def each_command_runs(bench):
    """With a name of a file and names of functions that a shell would take apart."""
    trace = bench.trace_of(bench.build("convoy.c"), to="of the $convoy's.data")
    answers = bench.why(trace)
    for answer in answers:
        command = answer["command"].replace("fctrace", bench.fctrace, 1)
        tap.texts_of(["/bin/sh", "-c", command])
    return None if len(answers) > 1 else "only %d answers" % len(answers)


def text_and_json_agree(bench):
    trace = trace_of(bench, "convoy.c")
    answers = bench.why(trace)
    text = bench.must("why", "-n", "0", trace)[0]
    blocks = [block.split("\n") for block in text.rstrip("\n").split("\n\n")]
    tap.expect([[a["sentence"], "  " + a["command"]] for a in answers], blocks)
    shown = bench.must("why", "-n", "1", "--show-sql", trace)[0]
    if answers[0]["sql"].replace("\n", "\n    ") not in shown or answers[1]["sentence"] in shown:
        return shown
    return None


def programs_keep_their_stdout_and_status(bench):
    text = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 7; }\n"
    program = bench.build("seven.c", text=text)
    done = bench.run("why", "-o", bench.trace, program)
    if (done.status, done.out) != (7, b"hello\n") or b"The calls of" not in done.err:
        return "%d %s %s" % (done.status, done.out, done.err)
    done = bench.run("why", "-o", bench.trace, "/no/such/program")
    return None if done.status == 127 and not done.out else "%d %s" % (done.status, done.err)


def a_running_process(bench):
    text = """#include <unistd.h>
__attribute__((noinline)) void doze(void) { usleep(1000); }
int main(void) { for (;;) doze(); }
"""
    program = bench.build("doze.c", text=text)
    proc = tap.subprocess.Popen([program])
    try:
        out, _ = bench.must("why", "-o", bench.trace, "--for", "300ms", "-p", str(proc.pid))
    finally:
        proc.kill()
        proc.wait()
    return None if "doze() slept for" in out else out


def wrong_words(bench):
    for words, status in ((["no.data", "x"], 127), ([trace_of(bench, "sleep.c"), "x"], 2),
                          (["-n", "x"], 2), (["-p", "1", "ls"], 2)):
        done = bench.run("why", *words)
        if done.status != status or not done.err:
            return "%s: status %d: %s" % (words, done.status, done.err)
    done = bench.run("why", "--than", "no.data", trace_of(bench, "sleep.c"))
    if done.status != 3 or done.out:
        return "%d %s" % (done.status, done.err)
    bench.write("text", "no trace")
    done = bench.run("why", bench.path("text"))
    return None if done.status == 3 else "%d %s" % (done.status, done.err)


def suite_of(suite):
    b = Bench(suite)
    suite.run_all(of_each_planted(b), b)
    suite.run_all(of_each_sound(b), b)
    suite.run_all([each_sentence_is_a_query, each_command_runs, text_and_json_agree,
                   programs_keep_their_stdout_and_status, a_running_process, wrong_words], b)


if __name__ == "__main__":
    tap.main(suite_of)
