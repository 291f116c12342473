#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The manual pages: one for each command, with the options that its --help has, without a
warning of mandoc or groff, and leading to each other; the page of the format says what
docs/format.md says.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

DOCS = os.path.join(tap.TOP, "docs")
MAN = os.path.join(DOCS, "man")
OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]*|-[A-Za-z](?![\w-]))")
# What is left out on purpose: pages have no date to be kept, and their sources longer lines.
ACCEPTED = ("missing date", "input text line longer than 80 bytes")
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "SEE ALSO"]


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def plain(text):
    """A page's source without fonts and escapes."""
    text = re.sub(r"\\f[A-Z]|\\&", "", text)
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")


def help_of(fctrace, command):
    return tap.run([fctrace, *command, "--help"]).out.decode()


def options_of_help(text):
    """Letters and names of the options that stand at the begin of lines."""
    ret = set()
    for line in text.splitlines():
        match = re.match(r"  (-\w)?(?:, )?(--[\w-]+)?", line)
        ret |= {name for name in match.groups() if name} if match else set()
    return ret


def options_of_page(text):
    """Those that a tag (the line behind .TP or .TQ) names."""
    ret, is_tag = set(), False
    for line in plain(text).splitlines():
        if is_tag and line.startswith("."):
            # A macro in fonts by turns glues its words, and "," stands for itself.
            words = line.split(None, 1)[1].replace('"', "")
            if OPTION.match(words):
                ret |= set(OPTION.findall(words))
        is_tag = line in (".TP", ".TQ")
    return ret


def commands_of(fctrace):
    text = help_of(fctrace, [])
    rows = text[text.index("\nCommands"):].splitlines()
    names = [m.group(1) for m in (re.match(r"  ([a-z]+) +\S", row) for row in rows) if m]
    return [name for name in names if name != "help"]


def differ(left, right, said_left, said_right):
    parts = []
    if left - right:
        parts.append("only %s: %s" % (said_left, " ".join(sorted(left - right))))
    if right - left:
        parts.append("only %s: %s" % (said_right, " ".join(sorted(right - left))))
    return "; ".join(parts)


def said_by(*argv):
    """What a checker says, less what is accepted."""
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return "\n".join(line for line in done.stdout.decode(errors="replace").splitlines()
                     if line.strip() and not any(a in line for a in ACCEPTED))


def wide_trouble(text):
    return "\n".join(line for line in text.splitlines() if len(line) > 80)


def see_also(text):
    match = re.search(r"^\.SH SEE ALSO\n(.*?)(?=^\.SH|\Z)", plain(text), re.M | re.S)
    return re.findall(r"^\.BR (\S+) \((\d)\)", match.group(1), re.M) if match else None


def see_also_trouble(name, text, pages):
    refs = see_also(text)
    if not refs:
        return "there is none"
    own = {page for page, _ in refs if page.startswith("fctrace")}
    if own - pages:
        return "no such page: %s" % sorted(own - pages)
    if name in own:
        return "it names itself"
    if name != "fctrace" and "fctrace" not in own:
        return "fctrace(1) is not named"
    if name == "fctrace":
        return differ(pages - {name}, own, "in docs/man", "in SEE ALSO")
    return None


def heads_trouble(text):
    heads = re.findall(r'^\.SH "?([^"\n]+)"?', text, re.M)
    missing = [head for head in SECTIONS if head not in heads]
    return "missing: %s" % missing if missing else None


def name_trouble(name, text):
    """As whatis(1) wants it, and the title fits."""
    title = re.search(r"^\.TH (\S+) (\d)", plain(text), re.M)
    if not title or title.group(1) != name.upper():
        return "the title is %s" % (title and title.group(1))
    if not re.search(r"^\.SH NAME\n%s - \S" % re.escape(name), plain(text), re.M):
        return "NAME is not `%s - …`" % name
    return None


def installed():
    return set(re.findall(r"'man/([\w-]+\.\d)'", read(os.path.join(DOCS, "meson.build"))))


def check_command(suite, fctrace, command, pages):
    name = "-".join(["fctrace", *command])
    said = " ".join(["fctrace", *command])
    suite.case("%s --help keeps to 80 columns" % said, wide_trouble(help_of(fctrace, command)))
    suite.case("README names %s" % said, None if re.search(
        r"^%s " % said, read(os.path.join(os.path.dirname(DOCS), "README.md")), re.M) else
        "not in its list of commands")
    helped = tap.run([fctrace, "help", *command]).out.decode()
    suite.case("fctrace help%s is its --help" % "".join(" " + word for word in command),
               None if helped == help_of(fctrace, command) else helped[:400])
    if name not in pages:
        suite.fail("%s has a page" % said, "docs/man/%s.1 is missing" % name)
        return
    suite.ok("%s has a page" % said)
    text = read(os.path.join(MAN, name + ".1"))
    suite.case("%s has the options of --help" % name, differ(
        options_of_help(help_of(fctrace, command)), options_of_page(text), "in --help",
        "in the page"))


def numbers_of_format(text):
    """Kinds by number: "1 SESSION", "0 RETURN", "MARK 5 RESUME"."""
    return {" ".join(pair) for pair in re.findall(r"\b(\d+) ([A-Z][A-Z_]{2,})\b", text)}


def check_format(suite, pages):
    """What has a number in docs/format.md has the same in the page, and the magic bytes."""
    if "fctrace-data" not in pages:
        suite.fail("the format has a page", "docs/man/fctrace-data.5 is missing")
        return
    source = re.sub(r"^[.']\\\".*\n", "", read(os.path.join(MAN, "fctrace-data.5")), flags=re.M)
    page = re.sub(r"\s+", " ", re.sub(r"^\.\w+ ?", "", plain(source), flags=re.M))
    page = page.replace('"', "")
    guide = read(os.path.join(DOCS, "format.md"))
    guide = guide[guide.index("## Rules for readers"):]
    flat = re.sub(r"\s+", " ", re.sub(r"[*`|]", " ", guide))
    wanted = numbers_of_format(flat)
    at_payloads = {"%s %s" % (n, word)
                   for word, n in re.findall(r"\*\*([A-Z]+)\*\* \((\d+)\)", guide)}
    suite.case("docs/format.md has the packets' numbers in one way",
               " ".join(sorted(at_payloads - wanted)))
    suite.case("the format's page has the numbers of docs/format.md",
               differ(wanted, numbers_of_format(page), "in format.md", "in the page"))
    rows = re.findall(r"^\| (\d+) \| (\d+) \|", guide, re.M)
    told = re.findall(r"^(\d+)\t(\d+)\t", source, re.M)
    suite.case("the format's page has the heads' layout", None if rows and rows == told else
               "%s, but %s" % (rows, told))
    magics = re.findall(r"(?:[0-9a-f]{2} ){3,7}[0-9a-f]{2}", guide)
    suite.case("the format's page has the magic bytes", "\n".join(
        m for m in magics if m not in page) or (None if magics else "none in format.md"))
    versions = re.findall(r"(major|minor) version: (\d+)", guide)
    suite.case("the format's page has the version", "\n".join(
        "%s %s" % v for v in versions if "%s version: %s" % v not in page))


def suite_of(suite):
    fctrace = suite.fctrace
    files = sorted(os.listdir(MAN))
    pages = {file.rpartition(".")[0] for file in files}
    suite.case("all pages are installed", differ(set(files), installed(), "in docs/man",
                                                 "in docs/meson.build"))
    for command in [[], *([name] for name in commands_of(fctrace))]:
        check_command(suite, fctrace, command, pages)
    for file in files:
        path, name = os.path.join(MAN, file), file.rpartition(".")[0]
        text = read(path)
        suite.case("%s: mandoc is content" % name, said_by("mandoc", "-T", "lint", path))
        suite.case("%s: groff is content" % name, said_by(
            "groff", "-t", "-man", "-ww", "-z", "-K", "utf8", path))
        suite.case("%s: NAME" % name, name_trouble(name, text))
        suite.case("%s: SEE ALSO" % name, see_also_trouble(name, text, pages))
        if file.endswith(".1"):
            suite.case("%s: sections" % name, heads_trouble(text))
    check_format(suite, pages)


tap.main(suite_of)
