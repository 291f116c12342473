#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What stands behind values: pointers in structs, strings and lists of C++ and Rust."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

LISTS = ("length", "opened", "by_value", "texts", "run", "finds", "first")


class Bench(bench.Bench):
    sources, flags = HERE, ["-w", "-g"]

    def calls_of(self, program, *options, arguments=()):
        """What it prints, and its calls in a trace of it; how a call ended stands with it."""
        out = self.must("record", "-a", *options, "-o", self.trace, *program, *arguments)[0]
        calls, opened = [], []
        for line in self.must("replay", self.trace)[0].splitlines():
            if line.startswith("#"):
                continue
            call = line.partition("|")[2].strip()
            call = re.sub(r"0x[0-9a-f]{6,}", "0xPOINTER", re.sub(r" */\*.*\*/", "", call))
            if call.endswith("{"):
                opened.append(len(calls))
                calls.append(call[:-1].strip())
            elif call.startswith("}"):
                if opened:
                    calls[opened.pop()] += call[1:].rstrip("; ")
            elif call:
                calls.append(call.rstrip("; "))
        return out.splitlines(), calls


def of(calls, names):
    return [call for call in calls if call.partition("(")[0] in names]


# ---- pointers in structs, and to pointers ----

TEXTS = ['texts({"a", "b\\n"}) = 1', 'texts({"1", "2", "3", "4", "5", "6", "7", "8", ...}) = 1',
         "texts({}) = 1", 'texts(["good"]) = 1', 'texts({"a", ...}) = 1', "texts(0xPOINTER) = 1",
         'run(2, {"run", "-x"}) = 2', 'finds("123", ["3"]) = 0']

DEEP = {
    1: ["length({.name = 0xPOINTER, .next = 0xPOINTER}) = 1"] * 2 +
       ["first({.name = 0xPOINTER, .next = 0xPOINTER}) = 0xPOINTER",
        "opened({.user = 0xPOINTER, .password = 0xPOINTER, .number = 0xPOINTER, "
        ".either = {.text = 0xPOINTER, .value = VALUE}}) = 1",
        'by_value({.name = "key", .value = "value"}) = 1',
        "by_value({.name = NULL, .value = 0x10}) = 0"],
    2: ['length({.name = "one", .next = {.name = 0xPOINTER, .next = 0xPOINTER}}) = 1'] * 2 +
       ['first({.name = "two", .next = {.name = 0xPOINTER, .next = NEXT}}) = '
        '{.name = "two", .next = {.name = 0xPOINTER, .next = 0xPOINTER}}',
        'opened({.user = "anna", .password = 0xPOINTER, .number = [7], '
        ".either = {.text = 0xPOINTER, .value = VALUE}}) = 1",
        'by_value({.name = "key", .value = "value"}) = 1',
        "by_value({.name = NULL, .value = 0x10}) = 0"],
    4: ['length({.name = "one", .next = {.name = "two", .next = {.name = "three", .next = NULL}}}) = 1',
        'length({.name = "one", .next = {.name = "two", .next = {.name = "three", '
        ".next = {.name = 0xPOINTER, .next = 0xPOINTER}}}}) = 1"],
}


def pointers_are_followed(bench, compiler, option):
    program = bench.build("lists.c", option, compiler=compiler)
    for depth, want in DEEP.items():
        out, calls = bench.calls_of([program], "--depth-of-values", str(depth))
        expect(out, ["well"])
        calls = [re.sub(r"\.value = \d+}", ".value = VALUE}", call) for call in of(calls, LISTS)]
        calls = [re.sub(r"(\.next = )0xPOINTER(}}\) = {)", r"\1NEXT\2", call) for call in calls]
        expect(calls[:len(want)], want)
        if depth == 1:
            expect(calls[len(want):], TEXTS)
    out, calls = bench.calls_of([program], "--depth-of-values", "0")
    expect(of(calls, ("texts", "length"))[:3], ["length(0xPOINTER) = 1"] * 2 + ["texts(0xPOINTER) = 1"])


def secrets_behind_pointers(bench):
    program = bench.build("lists.c", "-O1")
    bench.calls_of([program], "--depth-of-values", "3", "-m", os.path.basename(program))
    with open(bench.trace, "rb") as f:
        if b"tell nobody" in f.read():
            return "a secret is in the trace"
    _, calls = bench.calls_of([program], "--depth-of-values", "2", "--mask", "us*", "--mask", "next")
    shown = of(calls, ("opened", "length"))
    if ".user = 0xPOINTER" not in shown[2] or ".next = 0xPOINTER" not in shown[0]:
        return "\n".join(shown)
    _, calls = bench.calls_of([program], "--depth-of-values", "2", "--unmask")
    if '.password = "tell nobody"' not in of(calls, ("opened",))[0]:
        return "\n".join(calls)


def any_bytes_harm_nobody(bench):
    program = bench.build("lists.c", "-O2")
    for options in (["--depth-of-values", "5"], ["-S", "200", "--depth-of-values", "3"],
                    ["--loss=ring", "--depth-of-values", "4"]):
        out, calls = bench.calls_of([program], *options, arguments=["any"])
        expect(out, ["well"])
        if options[0] != "--loss=ring" and len(of(calls, ("opened",))) != 2001:
            return "%d calls" % len(of(calls, ("opened",)))


# ---- C++ ----

STRINGS = ("letter", "by_value", "by_reference", "by_pointer", "views", "numbers", "texts", "written", "taken",
           "logs_in", "points", "named::length", "named::rename", "made", "listed")


def strings_are_shown(bench, compiler, options):
    program = bench.build("strings.cc", "-std=c++17", *options, compiler=compiler)
    out, calls = bench.calls_of([program])
    expect(of(calls, STRINGS), out)
    looked = of(calls, ("looked",))
    if len(looked) != 4:
        return "\n".join(looked)
    for i, call in enumerate(looked):
        if not re.match(r"looked\({\._M_dataplus = .*\._M_string_length = (5|18446744073709551615).*}, "
                        + (r"{.*\._M_start = .*}" if i < 3 else r"vector\(1\) \{1\}") + r"\) = 1$", call):
            return call


def strings_are_text_in_sql(bench):
    program = bench.build("strings.cc", "-std=c++17", "-O1")
    bench.trace_of(program, options=["-a"])
    got = bench.must("query", "--csv", bench.trace, "SELECT name, typeof(arg1), arg1, typeof(result), result FROM calls "
                     "WHERE name IN ('by_reference', 'texts', 'made') ORDER BY id")[0]
    for want in ("by_reference,text,little,integer,6", "made,integer,3,text,xxx",
                 'by_reference,text,"",integer,0'):
        if want not in got.splitlines():
            return got


# ---- Rust ----

RUST = ("string_slice", "string", "numbers", "vector", "strings", "slices")


def rust_is_shown(bench, option):
    tap.need("rustc")
    program = bench.path("rusty" + option)
    done = tap.run(["rustc", "-g", "-C", "opt-level=" + option, "-o", program,
                    os.path.join(HERE, "rusty.rs")], cwd=bench.folder)
    if done.status:
        raise tap.Skip("rustc does not compile here: " + done.err.decode(errors="replace")[:200])
    out, calls = bench.calls_of([program])
    expect([call.partition(" = ")[0] for call in of(calls, RUST)], out)


def suite_of(suite):
    cases = []
    for compiler in "gcc", "clang":
        for option in "-O0", "-O2":
            def check(bench, compiler=compiler, option=option):
                tap.need(compiler)
                return pointers_are_followed(bench, compiler, option)
            cases.append(("%s %s: pointers are followed as deep as is asked for" % (compiler, option),
                          check))
    for compiler, more in ("g++", []), ("clang++", ["-fstandalone-debug"]):
        for option in "-O0", "-O2":
            def check_strings(bench, compiler=compiler, options=(option, *more)):
                tap.need(compiler)
                return strings_are_shown(bench, compiler, options)
            cases.append(("%s %s: strings and lists of C++ are shown" % (compiler, option),
                          check_strings))
    for option in "0", "2":
        def check_rust(bench, option=option):
            return rust_is_shown(bench, option)
        cases.append(("opt-level=%s: strings and lists of Rust are shown" % option, check_rust))
    suite.run_all(cases + [secrets_behind_pointers, any_bytes_harm_nobody, strings_are_text_in_sql],
                  Bench(suite))


tap.main(suite_of)
