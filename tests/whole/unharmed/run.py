#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Traced programs are unharmed: same stdout, stderr, exit status and files as untraced.

--long: the whole corpus, with servers under load; without: what is quick.
"""
import os
import re
import shutil
import stat
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
import corpus  # noqa: E402
import jobs  # noqa: E402
import servers  # noqa: E402


def in_folder(job, top, label, prefix):
    """Run a job in a new folder that has the same name each time; what it left behind."""
    outer = os.path.join(top, label)
    folder = os.path.join(outer, "job")
    os.makedirs(folder)
    for prepare in job.prepare:
        prepare(folder)
    # The same path in every run: some programs show it, or write it into what they make.
    here = os.path.join(top, "job")
    os.rename(folder, here)
    try:
        stdin = read(os.path.join(here, job.stdin)) if job.stdin else None
        done = tap.run([*prefix, *job.argv], cwd=here, env=dict(jobs.ENV, TMPDIR=here),
                       stdin=stdin, limit_s=job.limit_s)
        if job.drop:
            done.out = re.sub(job.drop.encode(), b"", done.out)
        files = snapshot(here) if job.files else {}
    finally:
        os.rename(here, folder)
    return done, files


def read(path):
    with open(path, "rb") as f:
        return f.read()


def snapshot(folder):
    files = {}
    for at, folders, names in os.walk(folder):
        for name in names + folders:
            path = os.path.join(at, name)
            info = os.lstat(path)
            content = None
            if stat.S_ISREG(info.st_mode):
                content = read(path)
            elif stat.S_ISLNK(info.st_mode):
                content = os.readlink(path).encode()
            files[os.path.relpath(path, folder)] = (stat.filemode(info.st_mode), content)
    return files


def differ(bare, traced):
    (bare, bare_files), (traced, traced_files) = bare, traced
    if traced.is_late:
        return "took longer than its time limit"
    if bare.status != traced.status:
        return "exit status %d, untraced %d; stderr:\n%s" % (
            traced.status, bare.status, traced.err.decode(errors="replace")[-1500:])
    for what in ("out", "err"):
        if getattr(bare, what) != getattr(traced, what):
            return "std%s differs, %s" % (what, tap.excerpt(getattr(bare, what),
                                                            getattr(traced, what)))
    wrong = [name for name in sorted(set(bare_files) | set(traced_files))
             if bare_files.get(name) != traced_files.get(name)]
    return "files differ: " + ", ".join(wrong[:10]) if wrong else None


def missing_of(job):
    program = [] if job.argv[0].startswith("./") else [os.path.basename(job.argv[0])]
    return [name for name in [*program, *job.needs] if not tap.have(name)]


def check_traced(fctrace, job, top, mode, bare):
    """The trace is written to top."""
    traced = in_folder(job, top, mode, [fctrace, "record", "--libs=" + mode, *job.options, "-o",
                                        os.path.join(top, "trace." + mode)])
    return take_sentence(job, traced[0]) or differ(bare, traced)


# Run once more where calls are only counted, by caller: shells, engines, threads, Go.
EDGES_FOR = {"sort in parallel", "git", "bash", "perl", "sqlite3", "python3 text",
             "python3 threads", "python3 children", "gcc", "make -j", "a Go program: fzf",
             "busybox-static", "a musl program", "a Go program with goroutines",
             "node with workers", "killed by a signal"}


def check_edges(fctrace, job, top, bare):
    table = os.path.join(top, "edges")
    traced = in_folder(job, top, "counted", [fctrace, "-c", "--no-time", "--edges", "--libs=all",
                                           "-o", table])
    wrong = take_sentence(job, traced[0]) or differ(bare, traced)
    with open(table, encoding="utf-8", errors="replace") as f:
        return wrong or (None if len(f.readlines()) > 1 else "no caller was counted")


def check_job(suite, fctrace, job, top):
    missing = missing_of(job)
    if missing:
        suite.skip("unharmed " + job.name, " ".join(missing) + " is not installed")
        return
    bare = in_folder(job, top, "bare", [])
    again = in_folder(job, top, "again", [])
    unsteady = differ(bare, again)
    if unsteady or not fctrace:
        suite.case("unharmed %s is the same each time" % job.name, unsteady)
        return
    for nr, mode in enumerate(job.modes):
        if not suite.has_turn(job.name, len(job.modes), nr):
            continue
        trace = os.path.join(top, "trace." + mode)
        wrong = check_traced(fctrace, job, top, mode, bare) or check_trace(fctrace, trace)
        suite.case("unharmed %s --libs=%s" % (job.name, mode), wrong)
    if job.name in EDGES_FOR and suite.has_turn(job.name + " edges", 2):
        suite.case("unharmed %s --edges" % job.name, check_edges(fctrace, job, top, bare))


def take_sentence(job, traced):
    """What fctrace says about a program goes to stderr, too: once, and nothing else."""
    lines = traced.err.splitlines(keepends=True)
    if not job.says:
        return None
    said = [line for line in lines
            if line.startswith(b"fctrace: ") and line.endswith(job.says.encode() + b"\n")]
    if len(said) != 1:
        return "%d times said: %s" % (len(said), job.says)
    lines.remove(said[0])
    traced.err = b"".join(lines)
    return None


def check_trace(fctrace, trace):
    """The recording is whole: nothing lost, calls in it."""
    info = tap.fctrace_json(fctrace, "info", trace)
    if info["lost"]:
        return "%d records were lost" % info["lost"]
    if not info["calls"]:
        return "no call was recorded"
    return None


PROGRAMS = ["ls", "sort", "find", "git", "bash", "dash", "perl", "gawk", "sqlite3", "openssl",
            "python3.11", "gcc", "as", "ld", "tar", "xz", "make", "sed", "grep"]


def check_complete(suite, fctrace, program):
    """At least 99 % of a program's functions are hooked, or entry only; others say why.

    Parts of functions, which are entered by a jump, are none.
    """
    name = "complete " + program
    path = "/usr/bin/" + program
    if not os.path.exists(path):
        suite.skip(name, "not installed")
        return
    try:
        plan = tap.fctrace_json(fctrace, "list", path)
        nr = sum(f["how"] != "part" for f in plan["functions"])
        nr_seen = plan["hooked"] + plan["entry_only"]
        silent = [f["function"] for f in plan["functions"] if not f["why"]]
        wrong = None
        if nr_seen < 0.99 * nr or not nr:
            wrong = "%d of %d functions" % (nr_seen, nr)
        elif nr != nr_seen + plan["skipped"] or len(plan["functions"]) != nr + plan["parts"]:
            wrong = "%d functions and %d parts are listed, %d + %d and %d counted" % (
                nr, len(plan["functions"]) - nr, nr_seen, plan["skipped"], plan["parts"])
        elif silent:
            wrong = "listed without a reason: " + ", ".join(silent[:5])
    except (RuntimeError, ValueError, KeyError) as error:
        wrong = "%s: %s" % (type(error).__name__, error)
    suite.case(name, wrong)


def suite_of(suite):
    fctrace = None if suite.args.self_test else suite.fctrace
    for job in [*jobs.JOBS, *corpus.QUICK, *(corpus.LONG if suite.is_long else [])]:
        if not suite.wants(job.name):
            continue
        # The same path in each run of the suite: a guest of whole/vm has no compiler, and knows by it
        # what was compiled for it.
        top = os.path.join(suite.folder, re.sub(r"\W", "_", job.name))
        os.makedirs(top)
        try:
            check_job(suite, fctrace, job, top)
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            suite.fail("unharmed " + job.name, "%s: %s" % (type(error).__name__, error))
        shutil.rmtree(top, ignore_errors=True)
    for server in servers.LONG if suite.is_long else servers.QUICK:
        if fctrace and suite.wants(server.name):
            servers.check(suite, fctrace, server)
    for program in PROGRAMS:
        if fctrace and suite.wants("complete " + program):
            check_complete(suite, fctrace, program)


if __name__ == "__main__":
    tap.main(suite_of, **{"self-test": {"action": "store_true", "help": "untraced runs only"}})
