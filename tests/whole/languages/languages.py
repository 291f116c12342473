# SPDX-License-Identifier: Apache-2.0
"""languages.py - one program of each language and runtime, and how it is made and run.

Each reads numbers, a line each, and for each of them makes garbage and has it collected, raises
what the language raises and catches it, calls itself until the stack overflows where that is
caught, and uses threads or coroutines where it has them. It prints a line, at the end another
one, and ends with status 3.
"""
from collections import namedtuple

# made: commands that make it, in a folder with a copy of the source; needs: the programs of these
# and of argv; is_page: reads no lines, ends with status 0 and writes a log to stderr.
Language = namedtuple("Language", "name source made argv needs modes is_page")


def language(name, source, argv, *made, needs=(), modes=("api", "all"), is_page=False):
    programs = [command[0] for command in (*made, argv) if not command[0].startswith("./")]
    return Language(name, source, made, argv, [*programs, *needs], modes, is_page)


LINES = ["./lines"]
OCAML = ["ocamlopt", "-g", "-o", "lines", "ocaml.ml"]
MONO = ["mcs", "-out:lines.exe", "mono.cs"]
AHEAD = ["mono", "--aot", "lines.exe"]
STRIP = ["strip", "lines"]

# Root may run it without a sandbox only, which it says for itself. Its socket's path must be short.
CHROMIUM = ["env", "TMPDIR=/tmp", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=profile",
            "--virtual-time-budget=5000", "--dump-dom", "page.html"]

LANGUAGES = [
    language("OCaml", "ocaml.ml", LINES, OCAML),
    language("OCaml, stripped", "ocaml.ml", LINES, OCAML, STRIP),
    language("OCaml's bytecode", "ocaml.ml", ["ocamlrun", "lines"],
             ["ocamlc", "-o", "lines", "ocaml.ml"]),
    language("Poly/ML", "polyml.sml", LINES, ["polyc", "-o", "lines", "polyml.sml"]),
    language("Mono", "mono.cs", ["mono", "lines.exe"], MONO),
    language("Mono, compiled ahead of time", "mono.cs", ["mono", "lines.exe"], MONO, AHEAD,
             needs=["as"]),
    language("Mono, compiled ahead of time, stripped", "mono.cs", ["mono", "lines.exe"], MONO,
             AHEAD, ["strip", "lines.exe.so"], needs=["as"]),
    language("Haskell", "haskell.hs", LINES, ["ghc", "-O1", "-o", "lines", "haskell.hs"]),
    language("Haskell, with threads", "haskell.hs", ["./lines", "+RTS", "-N2"],
             ["ghc", "-O1", "-threaded", "-rtsopts", "-o", "lines", "haskell.hs"]),
    language("Erlang", "erlang_lines.erl", ["erl", "-noshell", "-s", "erlang_lines", "main"],
             ["erlc", "erlang_lines.erl"]),
    language("R", "r.R", ["Rscript", "--vanilla", "r.R"]),
    language("Ruby", "ruby.rb", ["ruby", "ruby.rb"]),
    language("PHP", "php.php", ["php", "php.php"]),
    language("Python", "python.py", ["python3", "python.py"]),
    language("Perl", "perl.pl", ["perl", "perl.pl"]),
    language("Lua", "lua.lua", ["lua5.4", "lua.lua"]),
    language("gawk", "gawk.awk", ["gawk", "-f", "gawk.awk"]),
    language("SBCL", "sbcl.lisp", ["sbcl", "--script", "sbcl.lisp"]),
    language("Guile", "guile.scm", ["guile", "--no-auto-compile", "guile.scm"]),
    language("Chez Scheme", "chez.ss", ["chezscheme", "--script", "chez.ss"]),
    language("Ada", "ada_lines.adb", LINES, ["gnatmake", "-q", "-o", "lines", "ada_lines.adb"]),
    language("D", "d.d", LINES, ["gdc", "-o", "lines", "d.d"]),
    language("D, by LDC", "d.d", LINES, ["ldc2", "-of=lines", "d.d"]),
    language("Nim", "nim.nim", LINES, ["nim", "c", "--hints:off", "--nimcache:cache", "-o:lines",
                                       "nim.nim"]),
    language("Pascal", "pascal.pas", LINES, ["fpc", "-v0", "-olines", "pascal.pas"]),
    language("Prolog", "prolog.pl", ["swipl", "prolog.pl"]),
    language("Rust", "rust.rs", LINES, ["rustc", "-O", "-o", "lines", "rust.rs"]),
    language("Go", "go.go", LINES, ["go", "build", "-o", "lines", "go.go"]),
    language("Java", "Lines.java", ["java", "-cp", ".", "Lines"], ["javac", "Lines.java"]),
    language("node", "node.js", ["node", "node.js"]),
    language("Chromium", "page.html", CHROMIUM, modes=["api"], is_page=True),
]
