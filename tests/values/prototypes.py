#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What prototypes/*.h say is what the headers of the libraries say, as far as they are installed.

Each file parses alone. Then all its functions are declared again behind the library's own headers:
the compiler tells a conflict. An enum that only we have stands for a number that C calls int or
unsigned. Structs whose fields we tell have the same size, and each field the same place.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

FOLDER = os.path.join(tap.TOP, "prototypes")
# What the library's own headers are, and where they are. What has none: its symbols must be there.
HEADERS = {
    "zlib": (["stdio.h", "zlib.h"], []),
    "sqlite3": (["sqlite3.h"], []),
    "openssl": (["stdio.h"] + ["openssl/%s.h" % name for name in (
        "ssl evp bio err x509 x509_vfy x509v3 rand sha md5 hmac bn pem crypto rsa ec asn1").split()],
        ["-DOPENSSL_API_COMPAT=0x10100000L"]),
    "python": (["Python.h"], ["-I/usr/include/python3." + str(minor) for minor in range(20, 8, -1)]),
}
SYMBOLS_OF = {"libstdc++": "libstdc++.so.6"}


def compile_c(text, *flags):
    """What gcc says of it; "" if it says nothing."""
    command = ["gcc", "-std=gnu11", "-x", "c", "-fsyntax-only", "-w", "-fmax-errors=0", *flags, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr


def statements(text):
    """Those of the file, each with its first line's number."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    depth, begin = 0, 0
    for at, char in enumerate(text):
        depth += (char in "{(") - (char in "})")
        if char == ";" and not depth:
            one = text[begin:at + 1]
            blank = len(one) - len(one.lstrip())
            yield text.count("\n", 0, begin + blank) + 1, one.strip()
            begin = at + 1


def function_of(statement):
    """The name of the function that it declares, or None."""
    if re.match(r"typedef\b", statement) or re.match(r"(struct|union|enum)\s+\w+\s*[{;]", statement):
        return None
    plain = re.sub(r"__(attribute|asm)__\s*\(.*", "", statement, flags=re.S)
    found = re.match(r"[^(]*\(\*\s*(\w+)\s*\(", plain) or re.search(r"\b(\w+)\s*\(", plain)
    return found and found.group(1)


def structs_of(parts):
    """Of each struct whose fields are told: how it is called, and its fields."""
    for _, one in parts:
        found = re.match(r"(?:typedef\s+)?(struct|union)\s*(\w*)\s*\{(.*)\}\s*(\w*)\s*;$", one, re.S)
        if not found or "{" in found.group(3):
            continue
        kind, tag, body, alias = found.groups()
        fields = re.findall(r"(\w+)\s*(?:\[[^]]*\])*\s*[,;]", re.sub(r"\([^*].*?\)", "", body))
        yield (kind + " " + tag) if tag else alias, fields


def declared_again(path, parts, head, flags):
    """Compiler's errors: those of functions that neither int nor unsigned in place of our enums helps."""
    ours = set(re.findall(r"^enum\s+(\w+)", open(path, encoding="utf-8").read(), re.M))
    theirs = {name for name in ours if not compile_c(head + "int size[sizeof(enum %s)];\n" % name, *flags)}
    wrong = {}
    for number in ("int", "unsigned int"):
        text, names = head, {}
        for line, one in parts:
            name = function_of(one)
            if not name or (wrong and name not in wrong) or (number != "int" and not wrong):
                continue
            plain = re.sub(r"__attribute__\s*\(\(.*\)\)", "", one, flags=re.S)
            plain = re.sub(r"\benum\s+(\w+)", lambda m: m.group() if m.group(1) in theirs else number, plain)
            names[line] = name
            text += '#undef %s\n# %d "%s"\n%s\n' % (name, line, path, " ".join(plain.split()))
        said = compile_c(text, *flags) if names else ""
        bad = {int(line): why for line, why in re.findall(
            re.escape(path) + r":(\d+):\d+: (error: .*)", said)}
        if said and not bad:
            return ["the compiler says: " + said[:500]]
        wrong = {names.get(line, "line %d" % line): "%s:%d: %s" % (path, line, why)
                 for line, why in bad.items()}
        if not wrong:
            return []
    return list(wrong.values())


def places(text, structs, flags):
    """Numbers as the compiler has them, or what it says."""
    asked = [expression for name, fields in structs
             for expression in ["sizeof(%s)" % name] + [
                 one for field in fields for one in ("__builtin_offsetof(%s, %s)" % (name, field),
                                                     "sizeof(((%s *)0)->%s)" % (name, field))]]
    text += "const unsigned long numbers[] = {\n" + ",\n".join(asked) + "\n};\n"
    done = subprocess.run(["gcc", "-std=gnu11", "-w", "-x", "c", "-S", "-o", "-", *flags, "-"],
                          input=text, capture_output=True, text=True, check=False)
    numbers = re.findall(r"\.(?:quad|zero)\s+(\d+)", done.stdout)
    return done.stderr or list(zip(asked, numbers))


def takes_it_alone(text, functions):
    said = compile_c(text)
    twice = sorted({one for one in functions if functions.count(one) > 1})
    if said or re.search(r"^\s*#", text, re.M) or not functions:
        return said[:1000] or "it needs the preprocessor, or has no function"
    return twice and "twice: " + " ".join(twice)


def has_its_symbols(library, parts):
    path = subprocess.run(["gcc", "-print-file-name=" + library], capture_output=True, text=True,
                          check=True).stdout.strip()
    if not os.path.exists(path):
        return tap.Skip("it is not installed")
    exported = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True,
                              check=False).stdout
    names = [(re.search(r'__asm__\("(\w+)"\)', one) or [None, function_of(one)])[1]
             for _, one in parts if function_of(one)]
    missing = [one for one in names if not re.search(r" %s(@|$)" % re.escape(one), exported, re.M)]
    return "\n".join(missing)


def as_its_headers_say(path, name, parts):
    headers, flags = HEADERS[name]
    head = "#define _GNU_SOURCE\n" + "".join("#include <%s>\n" % header for header in headers)
    if compile_c(head, *flags):
        return tap.Skip("its headers are not installed")
    wrong = declared_again(path, parts, head, flags)
    structs = list(structs_of(parts))
    ours, theirs = places("".join(one + "\n" for _, one in parts), structs, []), places(head, structs, flags)
    if ours != theirs:
        wrong.append("structs: %s" % (sorted(set(ours) ^ set(theirs)) if isinstance(theirs, list) else theirs))
    return "\n".join(wrong)


def each_file(suite):
    for file in sorted(name for name in os.listdir(FOLDER) if name.endswith(".h")):
        path, name = os.path.join(FOLDER, file), file[:-2]
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        parts = list(statements(text))
        functions = [one for one in (function_of(one) for _, one in parts) if one]
        suite.case(file + ": a compiler takes it alone", takes_it_alone(text, functions))
        if name in SYMBOLS_OF:
            suite.case("%s: %d functions that are there" % (file, len(functions)),
                       has_its_symbols(SYMBOLS_OF[name], parts))
        elif name in HEADERS:
            suite.case("%s: %d functions as its library's headers say" % (file, len(functions)),
                       as_its_headers_say(path, name, parts))


def types_of(path):
    with open(path, encoding="utf-8") as stream:
        return "".join(one + "\n" for _, one in statements(stream.read()) if not function_of(one))


def suite_of(suite):
    each_file(suite)
    with open(os.path.join(FOLDER, "kernel/syscall.h"), encoding="utf-8") as stream:
        text = types_of(os.path.join(FOLDER, "libc.h")) + stream.read()
    functions = [one for one in (function_of(one) for _, one in statements(text)) if one]
    suite.case("kernel/syscall.h: a compiler takes it behind the types of libc.h",
               takes_it_alone(text, functions))


tap.main(suite_of)
