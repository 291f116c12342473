# SPDX-License-Identifier: Apache-2.0
"""bench.py - where a suite works: a class that builds programs, runs fctrace on them, and reads
what it recorded.

A suite that needs more has a kind of its own:

  class Bench(bench.Bench):
      sources, flags = HERE, ["-O2", "-w"]

      def sums(self, *argv): ...
"""
import collections
import json
import os
import subprocess
import sys

import tap
from tap import Wrong

COMPILERS = {".c": "gcc", ".cc": "g++"}


class Bench:
    """A folder and fctrace. sources: where the programs are, flags: with which each is compiled,
    limit_s: how long fctrace may take."""

    sources = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "programs")
    flags = ["-O1", "-g", "-pthread"]
    limit_s = tap.TIME_LIMIT_S

    def __init__(self, suite):
        self.suite, self.fctrace, self.folder = suite, suite.fctrace, suite.folder
        self.is_long, self.trace = suite.is_long, self.path("t.data")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content, mode=0o644):
        """A file of text or bytes; its path."""
        with open(self.path(name), "wb") as f:
            f.write(content.encode() if isinstance(content, str) else content)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def build(self, source, *flags, out=None, compiler=None, text=None):
        """Compile a file of sources when it is first needed, or this text as a file of that name.

        Returns the program's path: out, or the name of the source, its compiler and its flags.
        """
        base, ending = os.path.splitext(os.path.basename(source))
        own = [word for word in (compiler, *flags) if word] if text is None else []
        path = self.path(out or "-".join([base, *own]).replace("/", ""))
        if text is not None or not os.path.exists(path):
            source = os.path.join(self.sources, source) if text is None else self.write(source, text)
            done = tap.run([compiler or COMPILERS[ending], "-o", path, source, *self.flags, *flags],
                           cwd=self.folder)
            said = done.err.decode(errors="replace")
            if done.status:
                raise Wrong("%s does not build: %s" % (source, said))
            sys.stderr.write(said)
        return path

    # ---- fctrace

    def run(self, *words, **how):
        """How it ended; how: as tap.run() takes it."""
        return tap.run([self.fctrace, *words], **{"cwd": self.folder, "limit_s": self.limit_s, **how})

    def must(self, *words, status=0, **how):
        """What it prints on stdout and on stderr; Wrong, if it ends with another status."""
        return tap.texts_of([self.fctrace, *words], status=status,
                            **{"cwd": self.folder, "limit_s": self.limit_s, **how})

    def record(self, *argv, options=(), to=None, **how):
        """How it ended; to: another trace than t.data."""
        return self.run("record", *options, "-o", self.path(to or self.trace), *argv, **how)

    def trace_of(self, *argv, options=(), to=None, status=0, **how):
        """Its path; Wrong, if fctrace ends with another status (None: any), or there is none."""
        path = self.path(to or self.trace)
        _, err = self.must("record", *options, "-o", path, *argv, status=status, **how)
        if not os.path.exists(path):
            raise Wrong("record %s: no trace: %s" % (" ".join(argv), err))
        return path

    def begin(self, *words, command=("record",), to=None, **how):
        """The same in the background; of what it says only stderr is read."""
        return subprocess.Popen([self.fctrace, *command, "-o", self.path(to or self.trace), *words], **{
            "cwd": self.folder, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
            "stderr": subprocess.PIPE, **how})

    # ---- what a trace says

    def json(self, command, *words, trace=None):
        return json.loads(self.must(command, "--json", trace or self.trace, *words)[0])

    def calls(self, trace=None):
        """The calls of each function, by its name."""
        calls = collections.Counter()
        for line in self.json("report", trace=trace):
            calls[line["function"]] += line["calls"]
        return calls
