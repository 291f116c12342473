#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/corpus.md: each program of the corpus, what of it is hooked, how it ended.

  tests/whole/unharmed/table.py --fctrace build/fctrace >docs/corpus.md
  tests/whole/languages/run.py --fctrace build/fctrace --long --table docs/corpus.md
"""
import argparse
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
import corpus  # noqa: E402
import jobs  # noqa: E402
import run  # noqa: E402
import servers  # noqa: E402

HEAD = """# The corpus

Programs that are run untraced and traced by `make check` and `make check-long`; made by `tests/whole/unharmed/table.py` on %s.
`same` means: same standard output, standard error, exit status and files as untraced. Of servers: no request failed, what they
store is as it should be, and they ended with the same status; *attached* means that fctrace came while requests were served, traced
for two seconds, and left.

**Functions** are those of all files that the program and its children mapped and that were asked for, with `--libs=all` or (\\*)
`--libs=api`. What is entry only or skipped is told with the reason by `fctrace list` and `fctrace info`. Parts of functions, which are entered by
a jump, are not counted.

| program | functions | hooked | entry only | skipped | calls | traced from the start | attached |
|---|---:|---:|---:|---:|---:|---|---|"""

def row(*cells):
    print("| %s |" % " | ".join(cells), flush=True)


def told(wrong):
    return "same" if not wrong else "**%s**" % wrong.splitlines()[0].replace("|", "/")


def tell_job(fctrace, job):
    mode = job.modes[-1]
    name = job.name + ("" if mode == "all" else " \\*")
    with tempfile.TemporaryDirectory(prefix="fctrace-table-") as top:
        bare = run.in_folder(job, top, "bare", [])
        wrong = run.check_traced(fctrace, job, top, mode, bare)
        info = tap.fctrace_json(fctrace, "info", os.path.join(top, "trace." + mode))
    row(name, *tap.counts_of(info), told(wrong), "")


def tell_server(fctrace, server):
    infos = []
    wrong, expected = servers.run_untraced(server)
    if wrong:
        raise RuntimeError(wrong)
    results = [told(check(fctrace, server, expected, infos))
               for check in (servers.check_from_start, servers.check_attached)]
    row(server.name + " \\*", *tap.counts_of(infos[0]), *results)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--fctrace", required=True)
    options.add_argument("--only", default="")
    args = options.parse_args()
    fctrace = os.path.abspath(args.fctrace)
    uname = os.uname()
    print(HEAD % ("Debian %s, Linux %s" % (open("/etc/debian_version", encoding="ascii")
                                           .read().strip(), uname.release.split("-")[0])))
    for job in [*jobs.JOBS, *corpus.QUICK, *corpus.LONG]:
        if args.only in job.name and not run.missing_of(job):
            tell_job(fctrace, job)
    for server in servers.LONG:
        if args.only in server.name and not servers.missing_of(server):
            tell_server(fctrace, server)


if __name__ == "__main__":
    main()
