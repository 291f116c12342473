#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Names for the functions of stripped files, once a trace is recorded.

Programs are built with debug information that is taken out of them into files of its own, as
distributions do it. What `fctrace names` makes of a trace is compared with the functions that the source has.
"""
import json
import os
import pty
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

SOURCE = """
static __attribute__((noinline)) int inner(int x) { volatile int y = x; return y + 1; }
__attribute__((noinline)) int outer(int x) { return 2 * inner(x); }
static __attribute__((noinline)) int never(int x) { volatile int y = x; return y; }
int main(int argc, char **argv) { return argc > 9 ? never(argc) : outer(argc) == 1; }
"""
CPP = """
namespace ns { struct Box { int at(int i); }; }
__attribute__((noinline)) int ns::Box::at(int i) { volatile int y = i; return y; }
int main(int argc, char **) { ns::Box box; return box.at(argc) == 0; }
"""
# Its symbol has two frames: the second begins within it, and has no symbol of its own.
WITHIN = """
	.text
	.globl main
	.type main, @function
main:	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	call .Lsecond
	xorl %eax, %eax
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size main, . - main
	.p2align 4
	.type whole, @function
whole:	.cfi_startproc
	xorl %eax, %eax
	.nops 14
	ret
	.cfi_endproc
	.p2align 4
.Lsecond:
	.cfi_startproc
	movl $1, %eax
	.nops 14
	ret
	.cfi_endproc
	.size whole, . - whole
	.section .note.GNU-stack, "", @progbits
"""


def build_id_of(program):
    text = subprocess.run(["readelf", "-n", program], capture_output=True, text=True,
                          check=True).stdout
    return text.split("Build ID: ")[1].split()[0]


class Case(bench.Bench):
    flags = ["-g", "-O1", "-Wl,--build-id"]

    def strip(self, source=SOURCE, name="prog.c", out="prog", compiler=None):
        """A stripped program; the path of its debug file."""
        program = self.build(name, text=source, out=out, compiler=compiler)
        debug = program + ".debug"
        subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
        subprocess.run(["strip", program], check=True)
        return debug

    def traced(self, *how, **more):
        """The same; its trace is recorded."""
        debug = self.strip(*how, **more)
        self.trace_of(debug[:-len(".debug")], options=["-q", "--libs=none"])
        return debug

    def called(self, trace=None):
        return set(self.calls(trace))

    def on_terminal(self, *words, env=None):
        """What it prints on stderr where that is a terminal."""
        main, side = pty.openpty()
        process = subprocess.Popen([self.fctrace, *words], cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=side)
        os.close(side)
        text = b""
        try:
            while True:
                text += os.read(main, 65536)
        except OSError:  # it has ended
            pass
        os.close(main)
        if process.wait():
            raise Wrong("%s: status %d: %r" % (words[0], process.returncode, text))
        lines = re.sub(r"\r\x1b\[K(fctrace: reading [^\r]*)?", "", text.decode())
        return lines.replace("\r\n", "\n")

    def names(self, *words, status=0):
        return self.must("names", *words, status=status)


def check_called(case, expected, trace=None):
    called = case.called(trace)
    return None if called == expected else "called: %s instead of %s" % (called, expected)


ALL = {"main", "outer", "inner"}


def from_a_file(case):
    debug = case.traced()
    before = case.called()
    if before & {"outer", "inner"} or len(before) != 3:
        return "stripped, its functions are %s" % before
    out, err = case.names("--debug", debug, case.trace)
    if "prog: 3 functions named, among them 2 of the 2 that were called, from %s\n" % debug != out or err:
        return out + err
    return check_called(case, ALL)


def from_what_was_not_stripped(case):
    program = case.build("prog.c", text=SOURCE, out="prog")
    whole = case.path("whole")
    shutil.copy(program, whole)
    subprocess.run(["strip", program], check=True)
    case.trace_of(program, options=["-q", "--libs=none"])
    case.names("--debug", whole, case.trace)
    return check_called(case, ALL)


def in_folder(case, place):
    """The debug file at that place below a folder; the program is on another machine."""
    debug = case.traced()
    os.unlink(debug[:-len(".debug")])
    id_ = build_id_of(debug)
    path = case.path(os.path.join("folder", place % {"id": id_, "aa": id_[:2], "rest": id_[2:]}))
    os.makedirs(os.path.dirname(path))
    os.rename(debug, path)
    case.write("folder/a text", "no ELF file")
    os.mkfifo(case.path("folder/a fifo"))
    out, err = case.names("--debug", case.path("folder"), case.trace)
    return check_called(case, ALL) or err or (None if path in out else out)


PLACES = {
    "as distributions install debug files": ".build-id/%(aa)s/%(rest)s.debug",
    "a tree of build-ids": "%(aa)s/%(rest)s.debug",
    "the cache of a server's client": "%(id)s/debuginfo",
    "any file below it": "deep/below/whatever.dbg",
}


def beside_the_program(case):
    """As it is installed later: nobody says where, for its debuglink does."""
    debug = case.traced()
    program = debug[:-len(".debug")]
    out, err = case.names(case.trace, status=1)
    if "prog: 2 functions that were called have no name; no file with symbols for build-id %s was found\n" % \
            build_id_of(program) != out or err:
        return "without a debug file: " + out + err
    # strip has copied the sections that are there; the link is added, the build-id stays.
    subprocess.run(["objcopy", "--add-gnu-debuglink=" + debug, program], check=True)
    case.names(case.trace)
    return check_called(case, ALL)


def of_another_program(case):
    debug = case.traced()
    other = case.strip(SOURCE.replace("outer", "other"), "other.c", "other")
    with open(case.trace, "rb") as f:
        before = f.read()
    out, err = case.names("--debug", other, "--debug", debug, case.trace, status=1)
    expected = "fctrace: %s has build-id %s, but %s in the trace has build-id %s\n" % (
        other, build_id_of(other), debug[:-len(".debug")], build_id_of(debug))
    if out or err != expected:
        return out + err
    with open(case.trace, "rb") as f:
        return None if f.read() == before else "the trace was changed"


def in_the_wrong_place(case):
    """A file that lies where the build-id says, and is another one's."""
    debug = case.traced()
    other = case.strip(SOURCE.replace("outer", "other"), "other.c", "other")
    id_ = build_id_of(debug)
    os.makedirs(case.path(".build-id/" + id_[:2]))
    place = case.path(".build-id/%s/%s.debug" % (id_[:2], id_[2:]))
    os.rename(other, place)
    os.unlink(debug)
    os.unlink(debug[:-len(".debug")])
    out, err = case.names("--debug", case.folder, case.trace, status=1)
    expected = "fctrace: passed over: %s has build-id %s instead of %s" % (place, build_id_of(place), id_)
    return check_called(case, case.called()) or (None if expected in err else out + err)


def unusable(case):
    debug = case.traced()
    os.mkfifo(case.path("fifo"))
    case.write("text", "int main;")
    case.write("empty", "")
    said = {path: case.names("--debug", case.path(path), case.trace, status=1)[1]
            for path in ("fifo", "text", "empty", "nowhere", "prog")}
    expected = {"fifo": "not a regular file", "text": "is not an ELF file", "empty": "is not an ELF file",
                "nowhere": "No such file", "prog": "has no symbols"}
    return "\n".join("%s: %s" % (path, said[path]) for path, part in expected.items()
                     if part not in said[path]) or (debug if "outer" in case.called() else None)


def into_another_file(case):
    debug = case.traced()
    case.names("--debug", debug, "-o", case.path("new.data"), case.trace)
    return check_called(case, ALL, case.path("new.data")) or \
        ("the trace itself was changed" if "outer" in case.called() else None)


def twice(case):
    """What has names keeps them, and nothing is written."""
    debug = case.traced()
    case.names("--debug", debug, case.trace)
    size = os.path.getsize(case.trace)
    out, err = case.names(case.trace)
    if out != "all functions that were called have names\n" or err:
        return out + err
    _, err = case.names("-o", case.path("new.data"), case.trace, status=1)
    if err != "fctrace: %s was not written: there are no names to add\n" % case.path("new.data"):
        return err
    return None if os.path.getsize(case.trace) == size else "it grew"


def within_a_function(case):
    debug = case.traced(WITHIN, "within.s", compiler="gcc")
    case.names("--debug", debug, case.trace)
    called = case.called()
    return None if called == {"main", "whole+0x20"} else str(called)


def of_cpp(case):
    debug = case.traced(CPP, "box.cc")
    case.names("--debug", debug, case.trace)
    return check_called(case, {"main", "ns::Box::at"})


def everywhere(case):
    """Each command that shows functions shows the names."""
    debug = case.traced()
    case.names("--debug", debug, case.trace)
    shown = {command: case.must(command, case.trace)[0] for command in ("report", "replay", "graph")}
    shown["query"] = case.must("query", case.trace, "select name from functions")[0]
    for form in ("chrome", "callgrind", "folded", "jsonl", "speedscope"):
        shown["export " + form] = case.must("export", "-f", form, case.trace)[0]
    shown["-F"] = case.must("report", "-F", "outer", case.trace)[0]
    return "\n".join("%s: %s" % (what, text[:200]) for what, text in shown.items() if "outer" not in text)


HINTED = {("report",): 2, ("report", "-F", "prog+*"): 2, ("replay",): 2, ("graph",): 2,
          ("report", "--callees", "main"): 1, ("report", "--hist", "*"): 0, ("report", "--by", "module"): 0,
          ("report", "--json"): 0, ("report", "--csv"): 0, ("graph", "--json"): 0, ("graph", "--dot"): 0,
          ("replay", "--last", "1"): 0, ("export", "-f", "csv"): 0, ("report", "--top-rate"): 2}


def hinted(case):
    """Behind what people read, one line; of the functions that are shown."""
    debug = case.traced()
    wrong = []
    for words, nr in HINTED.items():
        said = case.on_terminal(words[0], case.trace, *words[1:])
        begin = "fctrace: %d function%s of prog ha%s no name: set DEBUGINFOD_URLS and run fctrace names %s, " \
            "or add --debug PATH if you have its debug file\n" % (nr, *(("", "s") if nr == 1 else ("s", "ve")), case.trace)
        if said != (begin if nr else ""):
            wrong.append("%s: %r" % (" ".join(words), said))
    said = case.on_terminal("report", case.trace, env=dict(os.environ, DEBUGINFOD_URLS="http://127.0.0.1:1"))
    if "run fctrace names %s, which asks the servers of DEBUGINFOD_URLS\n" % case.trace not in said:
        wrong.append(said)
    piped = case.must("report", case.trace)[1]
    case.names("--debug", debug, case.trace)
    return "\n".join(wrong) or piped or case.on_terminal("report", case.trace)


def hinted_without_a_build_id(case):
    case.flags = ["-O1", "-s", "-Wl,--build-id=none"]
    case.trace_of(case.build("prog.c", text=SOURCE, out="prog"), options=["-q", "--libs=none"])
    said = case.on_terminal("report", case.trace)
    out, _ = case.names(case.trace, status=1)
    return (None if "record it before it is stripped, or with a build-id" in said else said) or \
        (None if "has no build-id to find a debug file by" in out else out)


def hinted_with_its_package(case):
    """A file that a package of Debian's has, as the tests' git."""
    tap.need("dpkg-query")
    program = "/usr/bin/git"
    if os.path.realpath(program) != program or tap.run(["dpkg-query", "-S", program]).status:
        raise tap.Skip("git is not a package's here")
    case.trace_of(program, "--version", options=["-q", "--libs=none"])
    if not any("+0x" in name for name in case.called()):
        raise tap.Skip("git has a debug file here")
    said = case.on_terminal("report", case.trace)
    return None if " functions of git have no name: install git-dbgsym or set DEBUGINFOD_URLS, then run: " \
        "fctrace names %s\n" % case.trace in said else said


def damaged(case):
    """Whatever is in a debug file: names of it, or a sentence."""
    debug = case.traced()
    with open(debug, "rb") as f:
        good = f.read()
    with open(case.trace, "rb") as f:
        trace = f.read()
    choose = random.Random(7)
    for nr in range(200 if case.is_long else 40):
        bad = bytearray(good)
        for _ in range(choose.choice((1, 8, 64))):
            at = choose.choice((choose.randrange(64), len(bad) - 1 - choose.randrange(3000),
                                choose.randrange(len(bad))))
            bad[at] = choose.randrange(256)
        case.write("bad.debug", bytes(bad[:choose.choice((len(bad), choose.randrange(len(bad))))]))
        case.write("bad.data", trace)
        done = case.run("names", "--debug", case.path("bad.debug"), case.path("bad.data"))
        if done.status not in (0, 1) or (done.status and not done.err and not done.out):
            return "%d: status %d: %s" % (nr, done.status, done.err)
        case.must("report", case.path("bad.data"))
    return None


def one_that_is_recorded_still(case):
    """A trace that another fctrace is writing is left alone."""
    debug = case.traced()
    with open(case.trace, "rb") as f:
        whole = f.read()
    cut = case.write("cut.data", whole[:-100])
    out, err = case.names("--debug", debug, cut, status=1)
    if "fctrace may still be recording it" not in err or os.path.getsize(cut) != len(whole) - 100:
        return out + err
    out, err = case.names("--debug", debug, "-o", case.path("new.data"), cut, status=4)
    done = case.run("report", "--json", case.path("new.data"))
    functions = {row["function"] for row in json.loads(done.out)}
    return None if functions == ALL and done.status == 4 else "%s: %s" % (functions, done.err)


CASES = {
    "names are taken from a debug file": from_a_file,
    "names are taken from a program that is not stripped": from_what_was_not_stripped,
    "a debug file beside the program is found": beside_the_program,
    "a file of another program is refused with both build-ids": of_another_program,
    "a file in the wrong place is passed over": in_the_wrong_place,
    "what is no debug file is refused": unusable,
    "-o writes another file": into_another_file,
    "a trace that has all names stays as it is": twice,
    "a function that begins within another is named by it": within_a_function,
    "names of C++ are demangled": of_cpp,
    "every command shows the names": everywhere,
    "tables say which names are missing": hinted,
    "a file without a build-id is said to have none": hinted_without_a_build_id,
    "a package with the names is told": hinted_with_its_package,
    "a damaged debug file does no harm": damaged,
    "a trace without an end is not written to": one_that_is_recorded_still,
}


def in_a_folder(suite, check, *args):
    tap.need("objcopy")
    with tempfile.TemporaryDirectory(dir=suite.folder, ignore_cleanup_errors=True) as folder:
        return check(Case(tap.Suite(suite.args, folder)), *args)


def suite_of(suite):
    os.environ.pop("DEBUGINFOD_URLS", None)
    for name, check in CASES.items():
        suite.run(name, in_a_folder, suite, check)
    for name, place in PLACES.items():
        suite.run("a folder: " + name, in_a_folder, suite, in_folder, place)


if __name__ == "__main__":
    tap.main(suite_of)
