#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What functions are called, and where they are.

Programs in C++ (and Rust, if its compiler is there) are recorded; what each command shows of
their names is compared with c++filt's, and of their lines with the line that the source has
them on. Debug information lies in the program, in a file of its own, and on a server that
listens on the loopback device only.
"""
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

CPP = """#include <vector>
struct Box {
    int at(int i) const;
    template <class T> T as(T t);
};
int Box::at(int i) const { return i; }
template <class T> T Box::as(T t) { return t + at(1); }
namespace { int hidden(const std::vector<int> &v) { return v.size(); } }
int main() {
    Box box;
    auto twice = [&](int x) { return 2 * box.at(x); };
    std::vector<int> v(3);
    return twice(2) + (int)box.as(1L) + box.as(2) + hidden(v) == 0;
}
"""
# What is shown, and the line that it begins on.
SIMPLE = {"main": 9, "Box::at": 6, "Box::as": 7, "(anonymous namespace)::hidden": 8,
          "main::{lambda()#1}::operator()": 11}
FULL = {"main", "Box::at(int) const", "long Box::as<long>(long)", "int Box::as<int>(int)",
        "(anonymous namespace)::hidden(std::vector<int, std::allocator<int> > const&)",
        "main::{lambda(int)#1}::operator()(int) const"}
RUST = """#[inline(never)] fn sum<T: Into<u64> + Copy>(t: &[T]) -> u64 {
    t.iter().map(|x| (*x).into()).sum() }
fn main() { println!("{}", sum(&[1u8, 2]) + sum(&[1u32])); }
"""


class Case(bench.Bench):
    flags = []

    def program(self, compiler, *flags, source=CPP, name="prog.cc"):
        return self.build(name, *flags, compiler=compiler, text=source)

    def record(self, program):
        self.trace_of(program, options=["--libs=none"])

    def run(self, *words, env=None):
        done = super().run(*words, env=dict(os.environ, **(env or {})))
        if done.status:
            raise Wrong("%s: status %d: %s" % (words[0], done.status, done.err))
        return done

    def rows(self, *args, env=None):
        done = self.run("report", "--json", *args, self.trace, env=env)
        return json.loads(done.out), done.err.decode()


def missing(expected, got):
    return "".join("%s is missing\n" % one for one in sorted(set(expected) - set(got))) + \
        ("there are: " + ", ".join(sorted(got)) if set(expected) - set(got) else "")


def shows_each_form(case):
    case.record(case.program("g++", "-O0", "-g"))
    functions = {form: {row["function"] for row in case.rows("--demangle=" + form)[0]}
                 for form in ("simple", "full", "no")}
    filt = subprocess.run(["c++filt"], input="\n".join(functions["no"]), capture_output=True,
                          text=True, check=True).stdout.split("\n")
    if set(filt) != functions["full"]:
        return tap.excerpt("\n".join(sorted(filt)), "\n".join(sorted(functions["full"])))
    return missing(SIMPLE, functions["simple"]) or missing(FULL, functions["full"])


def every_command_shows_them(case):
    program = case.program("g++", "-O0", "-g")
    case.record(program)
    shown = {
        "replay": case.run("replay", case.trace).out,
        "list": case.run("list", program).out,
        "list --json": case.run("list", "--json", program).out,
        "live": tap.run([case.fctrace, "--libs=none", program]).err,
        "-c": tap.run([case.fctrace, "-c", "--libs=none", program]).err,
        "--edges": tap.run([case.fctrace, "-c", "--no-time", "--edges", "--libs=none",
                            program]).err,
        "replay --demangle=full": case.run("replay", "--demangle=full", case.trace).out,
        "graph --demangle=full": case.run("graph", "--demangle=full", case.trace).out,
        "-c --demangle=no": tap.run([case.fctrace, "-c", "--demangle=no", "--libs=none",
                                     program]).err,
    }
    expected = {"replay --demangle=full": b"Box::at(int) const;",
                "graph --demangle=full": b"Box::at(int) const", "-c --demangle=no": b"_ZNK3Box2atEi"}
    return "\n".join("%s: no %s in %r" % (what, expected.get(what, b"Box::at"), text[:300])
                     for what, text in shown.items()
                     if expected.get(what, b"Box::at") not in text)


def patterns_match_each_form(case):
    program = case.program("g++", "-O0", "-g")
    case.record(program)
    wrong = []
    for pattern, nr in (("Box::as", 2), ("Box::as<int>*", 0), ("int Box::as<int>(int)", 1),
                        ("_ZN3Box2asI*", 2), ("prog:Box::at", 1), ("at", 0), ("*::hidden*", 1),
                        ("main::{lambda()#1}::operator()", 1)):
        for form in ("simple", "full", "no"):
            rows, said = case.rows("-F", pattern, "-D1", "--demangle=" + form)
            if len(rows) != nr or (nr == 0) != ("no function that matches" in said):
                wrong.append("-F %r --demangle=%s: %d rows instead of %d; %s" % (
                    pattern, form, len(rows), nr, said))
        # The same where hooks are planned and calls are recorded.
        done = tap.run([case.fctrace, "-c", "--json", "-D1", "--libs=none", "-F", pattern, program])
        text = done.err[done.err.index(b"["):] if b"[" in done.err else b"[]"
        found = json.loads(text[:text.rindex(b"]") + 1])
        if len(found) != nr:
            wrong.append("live -F %r: %d rows instead of %d" % (pattern, len(found), nr))
    return "\n".join(wrong)


def why_takes_each_form(case):
    program = case.program("g++", "-O0", "-g")
    said = [case.run("list", "--why", name, program).out for name in
            ("Box::at", "Box::at(int) const", "_ZNK3Box2atEi")]
    return None if len(set(said)) == 1 and said[0] else repr(said)


def knows_rust(case):
    wrong = []
    for manglings in (["-C", "symbol-mangling-version=v0"],
                      ["-C", "symbol-mangling-version=legacy", "-Zunstable-options"]):
        try:
            program = case.program("rustc", "-g", *manglings, source=RUST, name="rusty.rs")
        except Wrong:
            program = None
        if not program:  # newer compilers know the older names no more
            continue
        case.record(program)
        rows = [row for row in case.rows()[0] if row["function"] == "rusty::sum"]
        if len(rows) != 2:
            wrong.append("%s: rusty::sum has %d rows instead of 2" % (manglings, len(rows)))
    return "\n".join(wrong)


def check_lines(rows, folder):
    # clang calls the lambda $_0.
    got = {row["function"].replace("$_0", "{lambda()#1}"): (row.get("file"), row.get("line"))
           for row in rows}
    file = os.path.join(folder, "prog.cc")
    return "".join("%s: %s instead of line %d\n" % (name, got.get(name), line)
                   for name, line in SIMPLE.items() if got.get(name) != (file, line))


def lines_are_in_the_program(case, compiler="g++", *flags):
    case.record(case.program(compiler, "-O0", "-g", *flags))
    rows, said = case.rows("--srcline")
    text = case.run("report", "--srcline", case.trace).out
    tree = case.run("replay", "--srcline", case.trace).out
    return check_lines(rows, case.folder) or said or \
        (None if b"  prog.cc:6  " in text else "report does not show prog.cc:6") or \
        (None if b"Box::at(); /* prog.cc:6 */" in tree else "replay does not show prog.cc:6")


def clang_needs_no_table_of_units(case):
    return lines_are_in_the_program(case, "clang++", "-gdwarf-5")


def every_form_of_debug_information(case):
    """Versions, packed sections, those that are left in other files, and what linkers drop."""
    wrong = []
    for flags in ("-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5", "-gdwarf64", "-gz=zlib", "-gz=zlib-gnu",
                  "-gsplit-dwarf", "-gdwarf-4 -gsplit-dwarf", "-fdebug-types-section",
                  "-ffunction-sections -Wl,--gc-sections"):
        why = lines_are_in_the_program(case, "g++", *flags.split())
        wrong += ["%s: %s" % (flags, why)] if why else []
    return "\n".join(wrong)


def lines_of_files_that_dwz_made(case):
    """What two programs have in common is in a third file, folders among it."""
    program = case.program("g++", "-O0")
    subprocess.run(["g++", "-O0", "-gdwarf-4", "-Wl,--build-id", "-o", "prog", "prog.cc"],
                   cwd=case.folder, check=True)
    shutil.copy(program, case.path("other"))
    subprocess.run(["dwz", "-m", case.path("common"), "-M", "common", program, case.path("other")],
                   check=True)
    case.record(program)
    rows, said = case.rows("--srcline")
    found = check_lines(rows, case.folder) or said
    os.unlink(case.path("common"))
    rows, said = case.rows("--srcline")
    files = {row.get("file") for row in rows if row["function"] == "main"}
    return found or said or (None if files == {"prog.cc"} else
                             "without its folder the file is called %s" % files)


def no_lines_without_being_asked(case):
    case.record(case.program("g++", "-O0", "-g"))
    rows, said = case.rows()
    return "lines although nobody asked" if any("file" in row for row in rows) else said


def split_off(case, debug):
    """Take the debug information out of the program into a file of its own."""
    program = case.program("g++", "-O0", "-g", "-Wl,--build-id")
    subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
    subprocess.run(["strip", "-g", program], check=True)
    return program


def lines_are_in_a_file_beside_it(case):
    os.mkdir(case.path(".debug"))
    debug = case.path(".debug/prog.debug")
    program = split_off(case, debug)
    subprocess.run(["objcopy", "--add-gnu-debuglink=" + debug, program], check=True)
    case.record(program)
    rows, said = case.rows("--srcline")
    return check_lines(rows, case.folder) or said


def build_id_of(program):
    text = subprocess.run(["readelf", "-n", program], capture_output=True, text=True,
                          check=True).stdout
    return text.split("Build ID: ")[1].split()[0]


def lines_come_from_a_server(case):
    debug = case.path("apart")
    program = split_off(case, debug)
    case.record(program)
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        """As debuginfod(8) answers: /buildid/ID/debuginfo."""

        def do_GET(self):
            asked.append(self.path)
            is_it = self.path == "/buildid/%s/debuginfo" % build_id_of(program)
            with open(debug, "rb") as f:
                body = f.read() if is_it else b""
            self.send_response(200 if is_it else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = {"DEBUGINFOD_URLS": "http://127.0.0.1:%d" % server.server_port,
           "DEBUGINFOD_CACHE_PATH": case.path("cache"), "DEBUGINFOD_TIMEOUT": "10"}
    try:
        nothing, said = case.rows("--srcline", env={"DEBUGINFOD_URLS": ""})
        if any("file" in row for row in nothing) or "no debug information" not in said or asked:
            return "without DEBUGINFOD_URLS: %s %s" % (asked, said)
        case.rows(env=env)
        if asked:
            return "asked although no lines were asked for: %s" % asked
        rows, said = case.rows("--srcline", env=env)
        return check_lines(rows, case.folder) or said or (None if asked else "did not ask")
    finally:
        server.shutdown()
        server.server_close()


def another_file_has_no_lines(case):
    """The program was built anew since: its lines would be wrong."""
    case.record(case.program("g++", "-O0", "-g"))
    case.program("g++", "-O1", "-g")
    rows, said = case.rows("--srcline")
    if any("file" in row for row in rows):
        return "lines of another file"
    return None if said.count("\n") == 1 and "not the file that was traced" in said else said


def a_file_that_is_gone_has_no_lines(case):
    program = case.program("g++", "-O0", "-g")
    case.record(program)
    os.unlink(program)
    os.mkfifo(program)  # must not be waited for
    fifo, said_fifo = case.rows("--srcline")
    os.unlink(program)
    rows, said = case.rows("--srcline")
    if any("file" in row for row in rows + fifo):
        return "lines of no file"
    return None if said.count("\n") == said_fifo.count("\n") == 1 and "No such file" in said \
        and "not a file" in said_fifo else said + said_fifo


CASES = {
    "each form of a name is shown as asked for": shows_each_form,
    "every command shows demangled names": every_command_shows_them,
    "patterns match the symbol and both forms": patterns_match_each_form,
    "list --why takes each form": why_takes_each_form,
    "names of Rust are known": knows_rust,
    "lines are found in the program": lines_are_in_the_program,
    "lines are found where clang writes no .debug_aranges": clang_needs_no_table_of_units,
    "lines are found in every form of debug information": every_form_of_debug_information,
    "lines are found in files that dwz made": lines_of_files_that_dwz_made,
    "lines are not looked for when nobody asks": no_lines_without_being_asked,
    "lines are found in a debug file beside it": lines_are_in_a_file_beside_it,
    "lines are fetched from a server that is named": lines_come_from_a_server,
    "a file that is another one by now has no lines": another_file_has_no_lines,
    "a file that is gone has no lines": a_file_that_is_gone_has_no_lines,
}
NEEDS = {"names of Rust are known": "rustc", "lines are found in files that dwz made": "dwz",
         "lines are found where clang writes no .debug_aranges": "clang++"}


def in_a_folder(suite, name, check):
    tap.need(NEEDS.get(name, "sh"))
    with tempfile.TemporaryDirectory(dir=suite.folder, ignore_cleanup_errors=True) as folder:
        return check(Case(tap.Suite(suite.args, folder)))


def suite_of(suite):
    os.environ.pop("DEBUGINFOD_URLS", None)
    for name, check in CASES.items():
        suite.run(name, in_a_folder, suite, name, check)


if __name__ == "__main__":
    tap.main(suite_of)
