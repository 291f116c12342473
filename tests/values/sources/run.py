#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Where fctrace knows from what functions are given and return: what the user says of them, debug information
in all the ways in which compilers write it, and names of C++."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402
from elf.sections import sections_of  # noqa: E402

USAGE = 2


class Bench(bench.Bench):
    sources, flags = HERE, ["-w"]

    def calls_of(self, program, *options, names=()):
        """The calls of these functions in a trace of it, as the program made them."""
        self.trace_of(program, options=options)
        shown = []
        for line in self.must("replay", self.trace)[0].splitlines():
            call = line.partition("|")[2].strip().partition(" /*")[0].rstrip(";{ ")
            if call.partition("(")[0] in names:
                shown.append(call)
        return shown


# ---- what the user says ----

def the_user_says_what_is_passed(bench):
    program = bench.build("said.c", "-O2", "-s", "-rdynamic", out="said")
    got = bench.calls_of(
        program, "-A", "mixed@arg1/s,arg2/i16,fparg1,arg7/i32,fparg2/32", "-R", "mixed@retval",
        "-A", "extended@arg1/c,fparg1/80", "-R", "extended@retval/f32",
        "-A", "word@arg1/o32,arg1/x16,arg1%rdi,arg2/s%rsi", "-R", "word@retval/s",
        names=("mixed", "extended", "word"))
    expect(got, ['mixed("text", -5, 2.5, 77, 1.25) = 201', "extended('a', 3.75) = 100.75",
                 'word(0755, 0x1ed, 493, "bytes") = "bytes"', "word(0, 0, 0, NULL) = NULL"])
    got = bench.calls_of(program, "-A", "mixed@arg7/i32%stack+1,fparg9/32%xmm1,arg6/u8", "-A", "w*@arg1/u16",
                      names=("mixed", "word"))
    expect(got, ["mixed(77, 1.25, 4)", "word(493)", "word(0)"])


def what_the_user_says_counts(bench):
    """Before debug information and declarations; of what is said twice, what is said last."""
    program = bench.build("said.c", "-O2", "-g", out="known")
    names = ("mixed", "word")
    got = bench.calls_of(program, "-a", "-A", "mixed@arg1", "-A", "*@fparg2/32", "-A", "word@arg2/s",
                      names=names)
    expect(got, ["mixed(1.25) = 201", 'word("bytes") = "bytes"', "word(NULL) = NULL"])
    got = bench.calls_of(program, "-a", "-R", "word@retval/i8", "-R", "mixed@retval/x16", names=names)
    expect(got[:1] + got[2:], ['mixed("text", -5, 2.5, 1, 2, 3, 4, 77, 1.25) = 0xc9',
                               "word(0, NULL) = 0"])


WRONG = {
    "-A": ["f@: column 3: ", "f@arg0: column 6: ", "f@arg1/q: column 8: ", "f@arg1/s32: column 9: ",
           "f@arg1%foo: column 7: ", "f@arg1,: column 8: ", "f@retval: column 3: ",
           "f@arg1 : column 7: ", "@arg1: column 1: ", "f@arg1/: column 7: ",
           "f@fparg1/12: column 10: ", "f@fparg1/x: column 10: ", "f@arg1%stack+0: column 7: ",
           "f@arg65: column 6: ", "f@arg99999999999: column 6: "],
    "-R": ["f@arg1: column 3: ", "f@retval/i7: column 11: ", "f@retval,arg1: column 9: "],
}


def errors_in_it_have_a_column(bench):
    for option, texts in WRONG.items():
        for text in texts:
            _, err = bench.must("record", "-o", bench.trace, option, text.rpartition(": c")[0],
                               "true", status=USAGE)
            if "fctrace: %s %s" % (option, text) not in err or len(err.splitlines()) > 2:
                return "%s: %s" % (text, err)


def what_is_asked_for_in_vain_is_said(bench):
    program = bench.build("told.c", "-O1", out="told")
    asked = ["-A", "nosuch", "-A", "add", "-R", "add", "-A", "write", "-a"]
    for command in ([], ["record", "-o", bench.path("t.data")]):
        done = tap.run([bench.fctrace, *command, *asked, program], cwd=bench.folder)
        said = [line.partition(":")[2].strip().partition(":")[0] for line in done.err.decode().splitlines()
                if line.startswith("fctrace: -")]
        expect(sorted(said), ["-A add", "-A nosuch", "-R add", "-a"])
    program = bench.build("told.c", "-O1", "-g", out="told-g")
    _, err = bench.must("record", "-o", bench.path("t.data"), "-a", "-A", "add", "-R", "add@retval", program)
    if "fctrace: -" in err:
        return err


# ---- debug information ----

WAYS = [("gcc", "-O0 -gdwarf-4"), ("gcc", "-O2 -gdwarf-5"), ("gcc", "-O3 -g -fdebug-types-section"),
        ("gcc", "-O2 -g -flto"), ("gcc", "-O0 -gdwarf-5 -gsplit-dwarf"),
        ("gcc", "-O2 -gdwarf-4 -gsplit-dwarf"), ("clang", "-O0 -gdwarf-5"),
        ("clang", "-O3 -gdwarf-4"), ("clang", "-O2 -gdwarf-5 -gsplit-dwarf"),
        ("clang", "-O2 -gdwarf-4 -gsplit-dwarf -fdebug-types-section"),
        ("clang", "-O2 -g -flto -fuse-ld=lld"), ("clang", "-O2 -gdwarf-4 -fbasic-block-sections=all"),
        ("clang", "-O1 -gdwarf-5 -gsplit-dwarf -fbasic-block-sections=all")]
TOLD = ['add(3, {.v = 5, .name = "node"}, "text") = 8', "half(5, 1.5, 'x') = 4",
        "other(7, GREEN) = 7"]


def in_this_way(compiler, options):
    def check(bench):
        tap.need(compiler)
        if "lld" in options:
            tap.need("ld.lld")
        expect(told(bench, bench.build("told.c", *options.split(), compiler=compiler)), TOLD)
    return "%s %s: what is told was passed" % (compiler, options), check


def told(bench, program):
    calls = bench.calls_of(program, "-a", "--depth-of-values", "2", "-m", os.path.basename(program),
                        names=("add", "half", "other"))
    return [re.sub(r"0x[0-9a-f]{6,}", "0xPOINTER", call) for call in calls]


def with_dwz(bench):
    """What two files have in common stands in a third one."""
    tap.need("dwz")
    paths = [bench.build("told.c", "-O2", "-g", out="told%d" % i) for i in range(2)]
    done = tap.run(["dwz", "-m", bench.path("common.dwz"), *paths], cwd=bench.folder)
    if done.status:
        return done.err.decode()
    expect(told(bench, paths[0]), TOLD)


def what_is_missing_is_said(bench):
    program = bench.build("told.c", "-O2", "-g", "-gsplit-dwarf", out="lost")
    for name in os.listdir(bench.folder):
        if name.endswith(".dwo"):
            os.remove(bench.path(name))
    _, err = bench.must("record", "-o", bench.trace, "-a", program)
    lines = [line for line in err.splitlines() if ".dwo" in line]
    if len(lines) != 1 or not re.search(r"lost: not all of its debug information was read: .*\.dwo is missing$",
                                        lines[0]):
        return err


# ---- what is wrong with it ----

def unharmed(bench, program, *options):
    """It prints the same, and ends alike. What fctrace says."""
    alone = tap.run([program])
    out, err = bench.must("record", "-o", bench.trace, *options, program, status=alone.status)
    if out != alone.out.decode():
        raise tap.Wrong("it printed: " + out)
    bench.must("replay", bench.trace)
    return [line for line in err.splitlines() if "debug information" in line]


def damaged_debug_information_is_said(bench):
    """Beside the program, and in it; what else is known counts."""
    for name in (b".debug_info", b".debug_abbrev"):
        program = bench.build("wrong.c", "-O1", "-g", out=name.decode()[1:] + "-torn")
        done = tap.run(["objcopy", "--only-keep-debug", program, program + ".debug"])
        done = done.status or tap.run(["objcopy", "--strip-debug", "--add-gnu-debuglink=" + program + ".debug",
                                       program]).status
        if done:
            return "objcopy: status %d" % done
        with open(program + ".debug", "rb") as f:
            image = bytearray(f.read())
        for section, off, size in sections_of(image):
            if section == name:
                image[off + 12:off + size] = b"\xff" * (size - 12)
        with open(program + ".debug", "wb") as f:
            f.write(image)
        said = unharmed(bench, program, "-a")
        if len(said) != 1 or "torn: " not in said[0]:
            return "%s: %s" % (name.decode(), said)


def debug_information_may_contradict_the_calls(bench):
    for options in (["-O0"], ["-O2"]):
        program = bench.build("wrong.c", "-g", *options)
        unharmed(bench, program, "-a", "--depth-of-values", "2")
        calls = bench.calls_of(program, "-a", names=("texts", "by_value", "returned"))
        texts = [call for call in calls if call.startswith("texts")]
        if texts[0] != "texts(NULL, NULL, NULL, NULL) = NULL" or texts[1] != "texts(0x1, 0x1, 0x1, 0x1) = 0x1":
            return "\n".join(texts)
        if len(calls) != 21:
            return "%d calls" % len(calls)


def a_struct_of_many_fields(bench):
    """As a pointer and by value, of debug information and of a declaration."""
    fields = "struct many { " + "".join("int f%d; " % i for i in range(10000)) + "};\n"
    source = bench.write("many.c", fields + """
__attribute__((noipa)) int look(const struct many *m, int n) { __asm__ volatile("nop;nop;nop;nop;nop"); return m->f9999 + n; }
__attribute__((noipa)) int whole(struct many m, int n) { __asm__ volatile("nop;nop;nop;nop;nop"); return m.f9999 + n; }
int main(void) { static struct many m = { 1, 2, 3, .f9999 = 4 }; return look(&m, 5) + whole(m, 6) != 19; }
""")
    header = bench.write("many.h", fields + "int look(const struct many *m, int n); int whole(struct many m, int n);\n")
    for options, proto in ((["-g"], []), ([], ["--proto", header])):
        program = bench.build(source, "-O1", *options)
        unharmed(bench, program, "-a", *proto)
        calls = bench.calls_of(program, "-a", *proto, names=("look", "whole"))
        begin = "{.f0 = 1, .f1 = 2, .f2 = 3, "
        if len(calls) != 2 or not calls[0].startswith("look(" + begin) or not calls[0].endswith("..., 5) = 9") and \
                not calls[0].endswith("...}, 5) = 9"):
            return "\n".join(calls)
        if not calls[1].startswith("whole(" + begin) or not calls[1].endswith(", 6) = 10"):
            return calls[1]


def errors_in_declarations_are_one_line(bench):
    wrong = {"int f(int;\n": "1:10", "int f(int);\nint f(wrong a);\n": "2:7", "struct { int a; \n": "2:1",
             "enum e { A = 1 / 0 };\nint f(enum e);": "1:", "int f(int a[99999999999999999999]);\n": "1:",
             "@": "1:1", "int f(int) __attribute__((access(read_only, 1)));\nint g(\"x\");\n": "2:7"}
    for text, place in wrong.items():
        _, err = bench.must("record", "-o", bench.trace, "-a", "--proto", bench.write("wrong.h", text), "true",
                            status=USAGE)
        if "wrong.h:%s" % place not in err.splitlines()[0]:
            return "%r: %s" % (text, err)


# ---- names ----

NAMED = ["inner::count(?, ?, 2.5, 1.5)", 'shape::shape(0xPOINTER, 4, "square", true)', "shape::area(0xPOINTER, 6)",
         "shape::label()", "shape::~shape(0xPOINTER)", "shape::made()", "behind(103, TEXT, ?, ?)",
         "plain(1000, [17], [3], true, 2.75, 120)", "in_memory(?, 1.25)", "added(41, [1], 5) = 42",
         "added(1.5, [0.5], 6) = 2", "derived::derived(0xPOINTER, 1, 2)", "most::most(0xPOINTER)",
         "derived::derived(0xPOINTER, ?, ?)"]


def names_tell_what_they_can(bench):
    """Also stripped, where a library's functions are exported; and nothing that is not so."""
    tap.need("g++")
    names = [call.partition("(")[0] for call in NAMED]
    for compiler in filter(tap.have, ("g++", "clang++")):
        for options in (["-O2"], ["-O2", "-s", "-rdynamic"], ["-O0"], ["-O1", "-fPIE", "-pie"]):
            if compiler == "clang++":
                options = options + ["-DHERE=__attribute__((noinline))"]
            program = bench.build("named.cc", *options, compiler=compiler)
            calls = bench.calls_of(program, "-a", "-m", os.path.basename(program), names=names)
            for call in calls:
                call = re.sub(r"0x[0-9a-f]{6,}", "0xPOINTER", call)
                call = re.sub(r"\b103, [^?]*, \?", "103, TEXT, ?", call)
                name = call.partition("(")[0]
                right = [want for want in NAMED if want.partition("(")[0] == name]
                # What is not told of some code is no error; what is told must be true.
                vague = [re.sub(r"[^(), ]+(?=[,)])", "?", want) for want in right] + [name + "()"]
                floats = ["inner::count(?, ?, 2.5, 1.5)"]
                if call not in right + vague + floats:
                    return "%s %s: %s" % (compiler, " ".join(options), call)
            if compiler == "g++" and "-O2" in options:
                shown = [re.sub(r"0x[0-9a-f]{6,}", "0xPOINTER", call) for call in calls]
                shown = [re.sub(r"\b103, [^?]*, \?", "103, TEXT, ?", call) for call in shown]
                parts = ("derived::derived()", "most::most()")  # what else the compiler made of them
                expect([call for call in shown if call not in parts], NAMED)


tap.main(lambda suite: suite.run_all([
    the_user_says_what_is_passed,
    what_the_user_says_counts,
    errors_in_it_have_a_column,
    what_is_asked_for_in_vain_is_said,
    *[in_this_way(*way) for way in WAYS],
    with_dwz,
    names_tell_what_they_can,
    damaged_debug_information_is_said,
    debug_information_may_contradict_the_calls,
    a_struct_of_many_fields,
    errors_in_declarations_are_one_line,
    what_is_missing_is_said,
], Bench(suite)))
