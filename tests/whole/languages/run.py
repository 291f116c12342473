#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One program of each language and runtime is unharmed, traced from its start and attached to.

--long: all that is installed; without: what `make check` has in any case. --table: appends what
docs/corpus.md tells of languages.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
from tap import Wrong  # noqa: E402
from languages import LANGUAGES  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
LIMIT_S = 300
QUICK = ("Python", "Perl", "Lua", "gawk")
NUMBERS = [5, 12, 7]
LINES = "".join("%d\n" % n for n in NUMBERS).encode()


def environment(folder):
    kept = {name: os.environ[name] for name in ("RUSTUP_HOME", "CARGO_HOME", "HOME")
            if name in os.environ}
    return dict(PATH=os.environ.get("PATH", "/usr/bin:/bin"), LC_ALL="C.UTF-8", TMPDIR=folder,
                GOCACHE=folder + "/go", XDG_CACHE_HOME=folder + "/cache", GOFLAGS="-mod=mod",
                **kept)


def make(language, folder):
    shutil.copy(os.path.join(PROGRAMS, language.source), folder)
    for command in language.made:
        done = tap.run(command, cwd=folder, env=environment(folder), limit_s=LIMIT_S)
        if done.status or done.is_late:
            raise Wrong("%s: status %d: %s" % (
                " ".join(command), done.status, (done.err or done.out).decode(errors="replace")))


def run(language, folder, *before):
    return tap.run([*before, *language.argv], cwd=folder, env=environment(folder), stdin=LINES,
                   limit_s=LIMIT_S)


def split(err):
    """What fctrace said about the program, and what the program said."""
    lines = err.decode(errors="replace").splitlines()
    said = [line for line in lines if line.startswith("fctrace: ")]
    return said, [line for line in lines if line not in said]


def compare(language, bare, traced):
    if traced.is_late:
        return "took longer than its time limit"
    said, own = split(traced.err)
    if bare.status != traced.status:
        return "status %d, untraced %d; it said:\n%s" % (traced.status, bare.status,
                                                         "\n".join(own[-20:] + said[-5:]))
    if bare.out != traced.out:
        return "stdout differs, " + tap.excerpt(bare.out, traced.out)
    if own != split(bare.err)[1] and not language.is_page:
        return "stderr differs, " + tap.excerpt("\n".join(split(bare.err)[1]), "\n".join(own))
    return None


def lacks(info):
    """What was recorded is whole, and there is something."""
    if info["lost"]:
        return "%d records were lost" % info["lost"]
    return None if info["calls"] else "no call was recorded"


HEAD = """
## Languages and runtimes

One program of each (`tests/whole/languages/programs`), run by `make check-long`: it reads lines, and for each of them makes garbage and has it collected, raises and catches what the language has,
overflows its stack where that is caught, and uses threads or coroutines. `same` as above. *Attached* means that fctrace came between two lines and left before the last.

| language | functions | hooked | entry only | skipped | calls | traced from the start | attached | what fctrace says |
|---|---:|---:|---:|---:|---:|---|---|---|
"""


class Row:
    """What docs/corpus.md tells of a language: of its last mode, and what went wrong in any."""

    def __init__(self, language):
        self.language, self.counts, self.said = language, None, []
        self.results = {"start": [], "attached": []}

    def note(self, info, said):
        self.counts = tap.counts_of(info)
        for line in said:
            sentence = line.rsplit(": ", 1)[-1]
            if sentence not in self.said:
                self.said.append(sentence)

    def told(self, how):
        wrong = [wrong for wrong in self.results[how] if wrong]
        if wrong:
            return "**%s**" % wrong[0].splitlines()[0].replace("|", "/")
        return "same" if self.results[how] else ""

    def text(self):
        name = self.language.name + ("" if "all" in self.language.modes else " \\*")
        return "| %s |\n" % " | ".join([name, *(self.counts or 5 * [""]), self.told("start"),
                                        self.told("attached"), "; ".join(self.said)])


def from_start(fctrace, language, folder, mode, bare, row):
    trace = os.path.join(folder, "trace." + mode)
    traced = run(language, folder, fctrace, "record", "--libs=" + mode, "-o", trace)
    wrong = compare(language, bare, traced)
    if wrong:
        return wrong
    info = tap.fctrace_json(fctrace, "info", trace)
    row.note(info, split(traced.err)[0])
    return lacks(info)


def is_hooked(pid):
    try:
        with open("/proc/%d/maps" % pid, encoding="utf-8", errors="replace") as f:
            return "memfd:fctrace" in f.read()
    except OSError:
        return False


class Target:
    """A program that is asked line by line."""

    def __init__(self, language, folder):
        self.proc = subprocess.Popen(language.argv, cwd=folder, env=environment(folder),
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, start_new_session=True)
        self.pid = self.proc.pid

    def ask(self, number):
        self.proc.stdin.write(b"%d\n" % number)
        self.proc.stdin.flush()
        return self.proc.stdout.readline()

    def end(self):
        try:
            out, err = self.proc.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Wrong("the program does not end") from None
        status = self.proc.returncode
        return out, tap.Run(128 - status if status < 0 else status, out, err, False)

    def kill(self):
        tap.kill_session(self.pid)
        self.proc.communicate()


def let_go(controller):
    controller.send_signal(signal.SIGINT)
    try:
        _, err = controller.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        controller.kill()
        controller.communicate()
        raise Wrong("fctrace does not end") from None
    if controller.returncode:
        raise Wrong("fctrace: status %d: %s" % (controller.returncode,
                                                err.decode(errors="replace")))


def converse(fctrace, target, mode, trace):
    """Its answers, of which the second and third are given while it is traced."""
    answers = target.ask(NUMBERS[0])
    controller = subprocess.Popen(
        [fctrace, "record", "-p", str(target.pid), "--libs=" + mode, "-o", trace], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    try:
        tap.wait_until(lambda: is_hooked(target.pid) or controller.poll() is not None, "attaching")
        if controller.poll() is not None:
            raise Wrong("fctrace ended: " + controller.communicate()[1].decode(errors="replace"))
        for number in NUMBERS[1:]:
            answers += target.ask(number)
        let_go(controller)
    finally:
        if controller.poll() is None:
            controller.kill()
            controller.communicate()
    answers += target.ask(NUMBERS[0])
    out, done = target.end()
    return answers + out, done


def attached(fctrace, language, folder, mode, bare):
    trace = os.path.join(folder, "trace.attached")
    target = Target(language, folder)
    try:
        out, done = converse(fctrace, target, mode, trace)
    except (Wrong, OSError) as wrong:
        target.kill()
        return str(wrong)
    lines = bare.out.splitlines(keepends=True)
    expected = b"".join([*lines[:len(NUMBERS)], lines[0], *lines[len(NUMBERS):]])
    if done.status != bare.status:
        return "status %d, untraced %d; %s" % (done.status, bare.status,
                                               done.err.decode(errors="replace")[-1500:])
    if out != expected:
        return "stdout differs, " + tap.excerpt(expected, out)
    return lacks(tap.fctrace_json(fctrace, "info", trace))


def check(suite, fctrace, row, folder):
    language = row.language
    make(language, folder)
    bare, again = run(language, folder), run(language, folder)
    wrong = compare(language, bare, again)
    if wrong or bare.status != (0 if language.is_page else 3):
        raise Wrong("untraced: " + (wrong or "status %d; %s" % (
            bare.status, bare.err.decode(errors="replace")[-1000:])))
    for mode in language.modes:
        wrong = from_start(fctrace, language, folder, mode, bare, row)
        row.results["start"].append(wrong)
        suite.case("languages %s --libs=%s" % (language.name, mode), wrong)
        if language.is_page:
            continue
        wrong = attached(fctrace, language, folder, mode, bare)
        row.results["attached"].append(wrong)
        suite.case("languages %s attached --libs=%s" % (language.name, mode), wrong)


def missing(language):
    return [program for program in language.needs if not tap.have(program)]


def suite_of(suite):
    args, rows = suite.args, []
    for language in LANGUAGES:
        if not suite.wants(language.name) or not (args.long or args.only or language.name in QUICK):
            continue
        if missing(language):
            suite.skip("languages " + language.name,
                       " ".join(missing(language)) + " is not installed")
            continue
        with tempfile.TemporaryDirectory(dir=suite.folder) as folder:
            try:
                rows.append(Row(language))
                check(suite, suite.fctrace, rows[-1], folder)
            except (Wrong, RuntimeError, OSError) as wrong:
                suite.fail("languages " + language.name, wrong)
    if args.table:
        with open(args.table, "a", encoding="utf-8") as f:
            f.write(HEAD + "".join(row.text() for row in rows))


if __name__ == "__main__":
    tap.main(suite_of, table={"metavar": "FILE"})
