#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bash, zsh and fish offer the words that fctrace knows, and after a program's name the
program's own.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
from shells import SHELLS  # noqa: E402

STATS = "calls counted timed total self cpu wait self-wait min avg max stdev p50 p90 p99 p99.9".split()
# What is offered, and some of what is not. {pid} is a process that lives.
CASES = [
    ("a command is completed", "fctrace rec", {"record"}, {"replay"}),
    ("programs are offered beside commands", "fctrace hel", {"hello", "help"}, {"record"}),
    ("an option's fixed words", "fctrace record --libs=", {"none", "api", "all"}, {"record"}),
    ("fixed words as a word of their own", "fctrace record --libs a", {"api", "all"}, {"none"}),
    ("words before a size", "fctrace record --loss=", {"block", "drop", "ring"}, set()),
    ("when to use colours", "fctrace replay --color=", {"auto", "always", "never"}, set()),
    ("how report is grouped", "fctrace report --by ", {"module", "thread", "file"}, set()),
    ("what report sorts by", "fctrace report -s p", {"p50", "p99.9", "pid"}, {"total"}),
    ("what diff sorts by", "fctrace diff -s pe", {"percent"}, {"total"}),
    ("traces to read", "fctrace report a", {"a.data"}, {"apple.txt"}),
    ("traces behind options", "fctrace report -n 3 --json a", {"a.data"}, {"apple.txt"}),
    ("two traces to compare", "fctrace diff a.data a", {"a.data", "a.data.old"}, set()),
    ("any file to write", "fctrace record -o a", {"a.data", "apple.txt"}, set()),
    ("formats", "fctrace export -f js", {"jsonl"}, set()),
    ("formats by the long name", "fctrace export --format=js", {"jsonl"}, set()),
    ("processes to detach", "fctrace detach ", {"{pid}"}, {"record"}),
    ("processes to record", "fctrace record -p ", {"{pid}"}, {"record"}),
    ("what ctl can do", "fctrace ctl {pid} ", {"on", "off", "status", "hook", "unhook"}, set()),
    ("commands to help with", "fctrace help rep", {"replay", "report"}, {"record"}),
    ("shells to complete in", "fctrace completion ", {"bash", "zsh", "fish"}, set()),
    ("a program to record", "fctrace record hel", {"hello"}, {"help"}),
    ("a program behind options", "fctrace record --no-follow -o a.data -D3 hel", {"hello"}, set()),
    ("a program behind --", "fctrace -- hel", {"hello"}, {"help"}),
    ("the program's own words", "fctrace hello al", {"alpha"}, {"beta"}),
    ("the program's own words behind record", "fctrace record hello ", {"alpha", "beta"},
     {"record"}),
    ("the program's own words behind options",
     "fctrace record --libs=all -F a:b --for 3s hello be", {"beta"}, {"alpha"}),
    ("letters in one word", "fctrace record -F f -D 3 -o a.data hello be", {"beta"}, {"alpha"}),
    ("no option behind the program", "fctrace record hello --li", set(), {"--libs"}),
    ("no option behind --", "fctrace report -- --js", set(), {"--json"}),
]
# Shells differ in what stands before the comma.
LISTS = [("several keys", "fctrace report -s total,se", "self"),
         ("several fields", "fctrace replay -f tid,ela", "elapsed"),
         ("several processes", "fctrace record -p 1,", "{pid}")]


def commands_of(fctrace):
    """Names of commands and their options, as help tells them."""
    def options(*command):
        text = subprocess.run([fctrace, *command, "--help"], check=True,
                              stdout=subprocess.PIPE).stdout.decode()
        ret = set()
        for line in text.splitlines():
            match = re.match(r"  (-\w)?(?:, )?(--[\w-]+)?", line)
            ret |= {name for name in match.groups() if name} if match else set()
        return text, ret
    text, _ = options()
    rows = text[text.index("\nCommands"):].splitlines()
    names = [m.group(1) for m in (re.match(r"  ([a-z]+) +\S", row) for row in rows) if m]
    ret = {name: options(name)[1] for name in names if name != "help"}
    ret[""] = options()[1]
    return ret


def trouble(offered, wanted, unwanted):
    missing, wrong = wanted - offered, unwanted & offered
    if missing:
        return "not offered: %s; but %s" % (sorted(missing), sorted(offered)[:20])
    return "offered: %s" % sorted(wrong) if wrong else None


def cases_of(suite, name, shell, fctrace):
    pid = str(os.getpid())

    def filled(text):
        return text.replace("{pid}", pid)

    def ask(case, line, judge):
        if not suite.wants(case):
            return
        try:
            suite.case(case, judge(shell.offers(filled(line))))
        except (RuntimeError, subprocess.TimeoutExpired) as err:
            suite.fail(case, err)

    for case, line, wanted, unwanted in CASES:
        ask("%s: %s" % (name, case), line, lambda offered, w=wanted, u=unwanted: trouble(
            offered, {filled(x) for x in w}, u))
    for case, line, wanted in LISTS:
        ask("%s: %s" % (name, case), line, lambda offered, w=wanted: trouble(
            {word.split(",")[-1] for word in offered}, {filled(w)}, set()))
    for command, options in commands_of(fctrace).items():
        ask("%s: the options of fctrace %s" % (name, command),
            "fctrace %s%s-" % (command, " " if command else ""),
            lambda offered, o=options: trouble({w.rstrip("=") for w in offered}, o, set())
            or trouble(o, {w.rstrip("=") for w in offered if w.startswith("-")}, set()))
    commands = set(commands_of(fctrace)) - {""} | {"help"}
    ask("%s: all commands are offered" % name, "fctrace ",
        lambda offered: trouble(offered, commands, set()))


def words_are_known(suite, fctrace, folder):
    """What is offered is what fctrace takes: its sentence on a wrong word tells all."""
    script = subprocess.run([fctrace, "completion", "bash"], check=True,
                            stdout=subprocess.PIPE).stdout.decode()
    rows = re.findall(r"^\t'(\w+) (-[^']*)'.*\) echo '(\w+) ?([^']*)'", script, re.M)
    suite.case("options with fixed words are in the script", None if any(
        kind in ("words", "list") for _, _, kind, _ in rows) else script[:400])
    for command, option, kind, words in rows:
        args = [] if command == "fctrace" else [command]
        known = tap.run([fctrace, *args, option, "no-such", "a.data"], cwd=folder).err.decode()
        listed = re.search(r"(?:unknown; say|; there are) (.*)", known)
        if listed:
            told = set(re.split(r", | and | or ", listed.group(1).strip()))
            suite.case("all that fctrace %s knows for %s is offered" % (command, option),
                       trouble(set(words.split()), told, set()))
        if kind not in ("words", "list"):
            continue
        joined = [",".join(words.split())] if kind == "list" else words.split()
        why = None
        for word in joined:
            argument = [option + "=" + word] if option.startswith("--") else [option, word]
            done = tap.run([fctrace, *args, *argument, "--help"], cwd=folder)
            if done.status != 0:
                why = "%s: %s" % (word, done.err.decode())
        suite.case("fctrace %s takes what is offered for %s" % (command, option), why)


def wrong_usage(suite, fctrace, folder):
    for words, said in (([], "which shell"), (["bash", "zsh"], "one shell"), (["ksh"], "ksh")):
        done = tap.run([fctrace, "completion", *words], cwd=folder)
        err = done.err.decode()
        suite.case("fctrace completion %s is refused" % " ".join(words), None if
                   done.status == 2 and said in err and err.count("\n") == 1 else err)


def suite_of(suite):
    fctrace, folder = suite.fctrace, suite.folder
    bin_folder = os.path.join(folder, ".bin")
    os.mkdir(bin_folder)
    os.symlink(fctrace, os.path.join(bin_folder, "fctrace"))
    os.symlink("/bin/true", os.path.join(bin_folder, "hello"))
    for name in ("a.data", "a.data.old", "apple.txt"):
        with open(os.path.join(folder, name), "w"):
            pass
    env = dict(os.environ, PATH=bin_folder + ":" + os.environ["PATH"], LC_ALL="C.UTF-8",
               HOME=folder)
    for name, shell_class in SHELLS.items():
        shell = shell_class(fctrace, folder, env)
        try:
            cases_of(suite, name, shell, fctrace)
        finally:
            shell.close()
    words_are_known(suite, fctrace, folder)
    wrong_usage(suite, fctrace, folder)


if __name__ == "__main__":
    tap.main(suite_of)
