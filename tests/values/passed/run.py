#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What is shown was passed, and what was returned is shown, where compilers do otherwise than the ABI says.

Each program is compiled in several ways. What is shown must be true: a value that is wrong is worse than "?".
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

COMPILERS = ("gcc", "clang")


class Bench(bench.Bench):
    sources, flags = HERE, []

    def compiled(self, compiler, options, source):
        tap.need(compiler)
        quiet = ["-w", "-Wno-psabi"] if compiler != "rustc" else []
        return self.build(source, *quiet, *options.split(), compiler=compiler)

    def shown(self, program, *names):
        """{function: its first call as it is shown}, each on one line."""
        done = self.run("-a", "--libs=none", program)
        found = {}
        for line in done.err.decode(errors="replace").splitlines():
            call = line.partition("|")[2].strip()
            name = re.match(r"(?:\w+::)*(\w+)", call)
            closing = re.match(r"\} = (.*); /\* (\w+)", call)
            if closing and closing.group(2) in found:
                found[closing.group(2)] += " = " + closing.group(1)
            elif not closing and name and name.group(1) in names:
                found.setdefault(name.group(1), call.rstrip(";{ "))
        return found


def true_or_unknown(call, right):
    """Is each value of the call that is shown the right one?"""
    if call == right:
        return True
    name = right.partition("(")[0]
    begin, _, result = call.partition(") = ") if ") = " in call else (call.rstrip(")"), "", "")
    its, _, its_result = right.partition(") = ") if ") = " in right else (right.rstrip(")"), "", "")
    values, its_values = begin.partition("(")[2], its.partition("(")[2]
    split = lambda text: re.findall(r"\{[^}]*\}|\"[^\"]*\"|[^, ][^,]*", text)
    shown, want = split(values), split(its_values)
    return call.startswith(name + "(") and (not result or result in (its_result, "?")) and (
        not shown or shown == ["?"] or
        len(shown) == len(want) and all(a in (b, "?") for a, b in zip(shown, want)))


def all_true(calls, right):
    for name, want in right.items():
        if not true_or_unknown(calls.get(name, ""), want):
            return "%s instead of %s" % (calls.get(name), want)
    return None


CONVENTIONS = {
    "win": 'win(1, 2.5, "three", 4) = 123', "fifth": "fifth(1, 2, 3, 4, 5) = 15",
    "winpair": "winpair({.a = 1, .b = 2}) = {.a = 1, .b = 2}", "plain": "plain(3, 4.5) = 7",
}
OF_CLANG = {"regcall": "regcall(1, {.a = 2, .b = 3}, 4.5) = 7", "preserve": "preserve(5, 6.5)"}


def conventions_of_their_own(bench):
    for compiler in filter(tap.have, COMPILERS):
        right = dict(CONVENTIONS, **(OF_CLANG if compiler == "clang" else {}))
        for options in ("-O0 -g", "-O1 -g", "-O2 -g -gdwarf-4", "-O2 -g", "-O3 -g -fno-omit-frame-pointer"):
            calls = bench.shown(bench.compiled(compiler, options, "conventions.c"), *right)
            why = all_true(calls, right)
            if not why and calls["plain"] != right["plain"]:
                why = "%s is not known" % calls["plain"]
            if not why and "preserve" in right and calls["preserve"] != right["preserve"]:
                why = "%s is not known" % calls["preserve"]
            if why:
                return "%s %s: %s" % (compiler, options, why)
    return None


WIDE = {
    "five": "five(1, 2, 3, 4, 5, 0x00000000000000060000000000000007, 8, 9, 'h', 2.5) = 145",
    "six": "six(1, 2, 3, 4, 5, 6, 'k', 0x00000000000000060000000000000007, 8) = 143",
    "fits": "fits(1, 0x00000000000000060000000000000007, 2) = 10",
    "vectors": "vectors({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}, 3.5) = 6.5",
    "made": "made(2.5) = {2.5, 2, 3, 4, 5, 6, 7, 8}",
}


def values_of_several_words(bench):
    has_avx = " avx " in open("/proc/cpuinfo", encoding="utf-8").read()
    for compiler in filter(tap.have, COMPILERS):
        for options in ("-O0 -g", "-O0 -g -mavx") if has_avx else ("-O0 -g",):
            calls = bench.shown(bench.compiled(compiler, options, "wide.c"), *WIDE)
            why = all_true(calls, WIDE)
            known = ["fits"] + (["vectors", "made"] if "avx" in options else [])
            known += ["five", "six"] if compiler == "gcc" else []
            for name in known:
                if not why and calls[name] != WIDE[name]:
                    why = "%s is not known" % calls[name]
            if why:
                return "%s %s: %s" % (compiler, options, why)
    return None


TIGHT = "{.a = {%d, %d}, .b = 0x%032x}"
ALIGNED = {
    "own": "own(1, 2, 3, 4, 5, 6, 7, %s, 8) = 7" % (TIGHT % (1, 2, 3)),
    "shared": "shared(1, 2, 3, 4, 5, 6, 7, %s, 8) = 7" % (TIGHT % (1, 2, 3)),
    "both": "both(1, %s, 'c', {.a = 4, .tight = %s}, 2.5, {.a = 8, .b = 0x%032x}) = 8" %
            (TIGHT % (1, 2, 3), TIGHT % (5, 6, 7), 9),
}


def structs_that_are_aligned_otherwise(bench):
    """Where they are is told, and believed, where a function is compiled as it is written."""
    for compiler in filter(tap.have, COMPILERS):
        for options in ("-O0 -g", "-O0 -g -gdwarf-4", "-O2 -g"):
            calls = bench.shown(bench.compiled(compiler, options, "aligned.c"), *ALIGNED)
            for name, want in ALIGNED.items():
                call = calls.get(name, "")
                if "-O0" in options and call != want:
                    return "%s %s: %s instead of %s" % (compiler, options, call, want)
                for value in re.findall(r"\{\.a = \{[^}]*\}, [^}]*\}", call):
                    if value not in want:
                        return "%s %s: %s instead of %s" % (compiler, options, call, want)
    return None


UNUSED = {
    "unused": "unused(5, 1) = 2", "set": "set(6, 1) = 2", "later": "later(7, 1) = 2",
    "half": "half({.a = 11, .b = 12}, 1) = 12", "many": "many(1, 2, 3, 4, 5, 6, 7, 8) = 29",
    "stored": "stored(true, {.a = 21, .b = 22}, {.a = {1, 2, 3, 4}}, 2.5, 1.5, 'c') = 1",
    "result": "result(true, {.a = {1, 2, 3, 4}}) = {.a = {1, 2, 3, 4}}",
}


def what_is_not_used_may_not_be_passed(bench):
    """What is used, of a function that others can call, is where the ABI has it, wherever it goes then."""
    for compiler in filter(tap.have, COMPILERS):
        for options in ("-O0 -g", "-O1 -g", "-O2 -g", "-O2 -gdwarf-4", "-O3 -g -fno-omit-frame-pointer", "-O2 -g -fPIC"):
            calls = bench.shown(bench.compiled(compiler, options, "unused.c"), *UNUSED)
            used = ("stored", "result")
            why = None
            for name, want in UNUSED.items():
                its = re.sub(r"\{\.a = \{[^}]*\}\}", "LARGE", calls.get(name, ""))
                if name in used and its != re.sub(r"\{\.a = \{[^}]*\}\}", "LARGE", want):
                    why = "%s is not known" % calls.get(name)
                elif name not in used and not true_or_unknown(calls.get(name, ""), want):
                    why = "%s instead of %s" % (calls.get(name), want)
            if why:
                return "%s %s: %s" % (compiler, options, why)
    return None


COPIES = {"constant": "constant({.real = 91, .imag = 474.875})", "half": "half({.a = 1, .b = 2, .c = 3, .d = 4}, 1) = 1"}


def copies_for_constants(bench):
    """What is made within a copy, and not passed to it, is not shown from where it would be passed."""
    for compiler in filter(tap.have, COMPILERS):
        for options in ("-O1 -g", "-O2 -g", "-O2 -g -gdwarf-4", "-O3 -g", "-Os -g"):
            calls = bench.shown(bench.compiled(compiler, options, "copies.c"), *COPIES)
            for name, want in COPIES.items():
                call = calls.get(name, "").replace(".constprop.0", "").replace(".isra.0", "")
                if not true_or_unknown(call, want):
                    return "%s %s: %s instead of %s" % (compiler, options, call, want)
    return None


RESULTS = {"whole": "42", "real": "3", "word": '"ello"', "compare": "1"}


def results_that_callers_look_at(bench):
    """Of functions that only their file calls; one that is dropped is not made up."""
    for compiler in filter(tap.have, COMPILERS):
        ways = ["-O1 -g", "-O2 -g", "-O2 -gdwarf-4", "-O3 -g"]
        ways += ["-O2 -g -flto -fuse-ld=lld"] if compiler == "clang" and tap.have("ld.lld") else []
        for options in ways:
            calls = bench.shown(bench.compiled(compiler, options, "results.c"), *RESULTS, "dropped", "first")
            its = {name: call.partition(") = ")[2] for name, call in calls.items()}
            wrong = [name for name, want in RESULTS.items() if its.get(name) != want]
            if wrong or its.get("dropped") not in ("", "?", "3") or its.get("first") not in ("", "?", "{.a = 1, .b = 2}"):
                return "%s %s: %s" % (compiler, options, calls)
            if compiler == "clang" and its.get("dropped") == "3":
                return "%s %s: nobody looks at it, and it is shown: %s" % (compiler, options, calls["dropped"])
    return None


def results_of_rust(bench):
    tap.need("rustc")
    for options in ("-g", "-g -C opt-level=1", "-g -C opt-level=2", "-g -C opt-level=3"):
        calls = bench.shown(bench.compiled("rustc", options, "results.rs"), "product", "sum")
        its = {name: call.partition(") = ")[2] for name, call in calls.items()}
        if its != {"product": "3", "sum": "42"}:
            return "%s: %s" % (options, calls)
    return None


def what_is_not_known_is_told_so(bench):
    """No parameters: f(); some of which nothing is known: f(?). A result that is not known is there."""
    tap.need("clang")
    program = bench.compiled("clang", "-O2 -g", "results.c")
    calls = bench.shown(program, "dropped", "first", "main", "use")
    if not calls["dropped"].endswith(" = ?") or not calls["first"].endswith(" = ?") or " = " in calls["use"]:
        return str(calls)
    calls = bench.shown(bench.compiled("gcc", "-O0 -g", "conventions.c"), "win", "fifth", "main")
    if calls["win"] != "win(?, ?, ?, ?) = 123" or calls["fifth"] != "fifth(?, ?, ?, ?, ?) = 15" or not calls["main"].startswith("main()"):
        return str(calls)
    return None


CASES = [conventions_of_their_own, values_of_several_words, structs_that_are_aligned_otherwise,
         what_is_not_used_may_not_be_passed, copies_for_constants,
         results_that_callers_look_at, results_of_rust, what_is_not_known_is_told_so]

tap.main(lambda suite: suite.run_all(CASES, Bench(suite)))
