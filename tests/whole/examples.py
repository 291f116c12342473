#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The worked sessions in docs/examples still do what they say.

All commands of a page (lines that begin with "$ " in its ``` blocks) are run in order in a folder of
their own. Behind a block stands what must be found in what its commands say, and which is decisive
for the reader, as one or more comments:

  <!-- finds: REGULAR EXPRESSION -->
  <!-- status: 1 -->        of its last command (else 0)

<!-- before: COMMAND --> makes what the reader is told to have; $TOP is the project's folder.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

PAGES = os.path.join(tap.TOP, "docs", "examples")
BLOCK = re.compile(r"^```\n(.*?)^```\n((?:^<!-- .*? -->\n|^\n)*)", re.M | re.S)
OF_ROOT = re.compile(r"^```console\n# ", re.M)
MARK = re.compile(r"^<!-- (\w+): (.*?) -->$", re.M)


class Block:
    def __init__(self, text, marks):
        self.commands = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
        self.finds = [value for key, value in marks if key == "finds"]
        self.status = int(dict(marks).get("status", 0))


def blocks_of(page):
    return [Block(text, MARK.findall(marks)) for text, marks in BLOCK.findall(page)]


def run(command, folder, fctrace):
    env = dict(os.environ, TOP=tap.TOP, LC_ALL="C.UTF-8", PAGER="cat",
               PATH=os.path.dirname(fctrace) + ":/usr/bin:/bin")
    return tap.run(["bash", "-c", "exec 2>&1; " + command], cwd=folder, env=env)


def check_block(block, folder, fctrace):
    """"", or what is wrong."""
    said, status = "", 0
    for command in block.commands:
        done = run(command, folder, fctrace)
        status = done.status
        said += done.out.decode(errors="replace")
        if done.trouble():
            return "%s: %s" % (command, done.trouble())
        if status and command is not block.commands[-1]:
            return "%s: status %d\n%s" % (command, status, said)
    if status != block.status:
        return "%s: status %d\n%s" % (block.commands[-1], status, said)
    missing = [regex for regex in block.finds if not re.search(regex, said, re.M)]
    return "not found: %s\nin:\n%s" % (missing, said) if missing else ""


def check_page(suite, name, page, fctrace):
    with tempfile.TemporaryDirectory(prefix="fctrace-example-") as folder:
        for key, command in MARK.findall(page):
            if key == "before":
                done = run(command, folder, fctrace)
                if done.status:
                    suite.fail("%s: what it begins with" % name, done.out.decode())
                    return
        for block in blocks_of(page):
            if block.commands:
                suite.case("%s: %s" % (name, block.commands[-1][:70]),
                           check_block(block, folder, fctrace))


def check_index(suite, pages):
    """Each page is in the index, each link of it leads somewhere, and each page is checked."""
    with open(os.path.join(PAGES, "README.md"), encoding="utf-8") as f:
        links = set(re.findall(r"\]\(([\w.-]+\.md)\)", f.read()))
    suite.case("the index names all pages", "" if links == set(pages) else
               "index: %s, pages: %s" % (sorted(links), sorted(pages)))
    for name, page in pages.items():
        if OF_ROOT.search(page):
            continue
        marked = sum(len(block.finds) for block in blocks_of(page))
        suite.case("%s says what is decisive" % name, "" if marked >= 3 else "%d marks" % marked)


def suite_of(suite):
    pages = {}
    for name in sorted(os.listdir(PAGES)):
        if name.endswith(".md") and name != "README.md":
            with open(os.path.join(PAGES, name), encoding="utf-8") as f:
                pages[name] = f.read()
    check_index(suite, pages)
    for name in [name for name, page in pages.items() if OF_ROOT.search(page)]:
        suite.skip(name, "its commands are root's: tests/capture/kernel runs them in a machine")
        del pages[name]
    for name, page in pages.items():
        if suite.wants(name):
            check_page(suite, name, page, suite.fctrace)


if __name__ == "__main__":
    tap.main(suite_of)
