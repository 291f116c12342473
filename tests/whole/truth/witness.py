#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The witness agrees: programs are traced by hooks and by stepping, the trees must be equal.

The stepping backend changes no byte of a program and finds calls by what the CPU does. Times
and ids of processes differ from run to run; calls, their order, their nesting and how they
ended must not.
"""
import collections
import os
import queue
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import run  # noqa: E402
import tap  # noqa: E402
import truth  # noqa: E402

FOLDERS = [os.path.join(HERE, "witnessed"), os.path.join(HERE, "programs")]
BUILDS = {build.name: build for build in run.BUILDS}
Case = collections.namedtuple("Case", "name build libs")

# One instruction takes about 25 us here: programs that make few. What libraries do must not
# depend on how fast threads are, so programs with threads leave them out.
CASES = [Case(*case.split("/")) for case in """
    far_loop/O2/none
    loops/O2/none       loops/musl/all            tail/musl-static/none
    handlers/O2/none    handlers/O2/api           handlers/musl-static/all
    altstack/O2/none    altstack/O0/none
    callbacks/O2/api    callbacks/musl-static/all callbacks/stripped/none
    processes/O2/none   processes/musl-static/all exec/Os/none  fork/O2/none
    throws/O2/none      throws/Os/none            quiet_catch/O2/none
    longjmp/clang/none  longjmp/musl-static/none
    large_frame/O2/none large_frame/O0/api        large_frame/static/all large_frame/musl/all
    leaving/O2/none     leaving/musl/none         thread_exit/O2/none  leader/O2/none
    contexts/O2/none    contexts_adjacent/O2/none
    restarted/O2/none   restarted/static/all      restarted/stripped/all
    dlopen/O2/none      dlopen/O2/api             ctors/musl/none
    structs/musl-static/none                      flags/nopie/none
""".split()]

# Tracer and program on one CPU: a stop takes a fourth of the time.
cpus = queue.SimpleQueue()


def source_of(name):
    for folder in FOLDERS:
        for suffix in (".c", ".cc"):
            path = os.path.join(folder, name + suffix)
            if os.path.exists(path):
                return path
    raise RuntimeError("no program " + name)


def trees(fctrace, program, backend, libs):
    """({tid: rows} as replay prints them, how the program ended)."""
    trace = "%s.%s.data" % (program.path, backend)
    cpu = cpus.get()
    try:
        traced = tap.run([fctrace, "record", "--backend=" + backend, "--libs=" + libs, "-o",
                          trace, program.path], cwd=os.path.dirname(program.path),
                         preexec=lambda: os.sched_setaffinity(0, {cpu}))
    finally:
        cpus.put(cpu)
    replay = tap.run([fctrace, "replay", trace])
    if replay.status:
        raise RuntimeError("replay: status %d: %s; stderr of record:\n%s" % (
            replay.status, replay.err.decode()[-500:], traced.err.decode()[-500:]))
    os.unlink(trace)
    return truth.printed(replay.out.decode(errors="replace")), traced


def differ(patch, step):
    """None, or what is told of a thread by one and by no thread of the other."""
    rest = [rows for rows in step.values() if rows]
    alone = []
    for rows in patch.values():
        if rows in rest:
            rest.remove(rows)
        elif rows:
            alone.append(rows)
    if not alone and not rest:
        return None
    alone.sort(key=len)
    rest.sort(key=len)
    first = alone[-1] if alone else []
    other = rest[-1] if rest else []
    return "%d of %d and %d of %d threads differ; expected: step, got: patch\n%s" % (
        len(alone), len(patch), len(rest), len(step), truth.differ(other, first))


def check(fctrace, case, folder):
    folder = os.path.join(folder, case.build, case.libs)
    os.makedirs(folder, exist_ok=True)
    program = run.Program(source_of(case.name), BUILDS[case.build], folder)
    program.compile()
    bare = tap.run([program.path], cwd=folder)
    patch, patched = trees(fctrace, program, "patch", case.libs)
    step, stepped = trees(fctrace, program, "step", case.libs)
    for backend, traced in (("patch", patched), ("step", stepped)):
        wrong = run.same_end(bare, traced)
        if wrong:
            return "%s: %s" % (backend, wrong)
    if not any(patch.values()):
        return "patch saw nothing: " + patched.err.decode(errors="replace")[-500:]
    if not any(row[1].split(".")[0] == "main" or program.build.is_stripped
               for rows in step.values() for row in rows):
        return "main was not seen"
    return differ(patch, step)


def wait_untraced(pid):
    """Until nobody traces any of its threads, or it has ended."""
    end = time.monotonic() + tap.PATIENCE_S
    while is_traced(pid):
        if time.monotonic() > end:
            raise subprocess.TimeoutExpired("record", tap.PATIENCE_S)
        time.sleep(0.005)


def is_traced(pid):
    try:
        for tid in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/status" % (pid, tid), encoding="utf-8") as f:
                if "\nTracerPid:\t0\n" not in f.read():
                    return True
    except OSError:
        pass
    return False


def lets_go(fctrace, folder):
    """Told to end, the witness leaves a program that computes and sleeps as if untraced."""
    program = run.Program(source_of("waits"), BUILDS["O2"], folder)
    program.compile()
    with subprocess.Popen([fctrace, "record", "--backend=step", "--libs=none", "-o",
                           program.path + ".data", program.path], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          start_new_session=True) as traced:
        first = traced.stdout.readline()
        pid = tap.child_of(traced.pid)
        traced.send_signal(signal.SIGTERM)
        try:
            wait_untraced(pid)
            rest = traced.communicate(timeout=tap.PATIENCE_S)[0]
        except subprocess.TimeoutExpired:
            tap.kill_session(traced.pid)
            return "it does not end"
    if (first, rest, traced.returncode) != (b"ready\n", b"done\n", -signal.SIGTERM):
        return "it said %r, then %r; status of fctrace: %d" % (first, rest, traced.returncode)
    return None


def case_of(fctrace, case, folder):
    began = time.monotonic()
    try:
        wrong = check(fctrace, case, folder)
    except (RuntimeError, OSError, ValueError, KeyError, IndexError) as error:
        wrong = "%s: %s" % (type(error).__name__, error)
    return wrong, time.monotonic() - began


def suite_of(suite):
    fctrace, top = suite.fctrace, suite.folder
    for cpu in sorted(os.sched_getaffinity(0))[:2]:
        cpus.put(cpu)
    cases = CASES
    if suite.args.all:
        names = {os.path.splitext(f)[0] for folder in FOLDERS if os.path.isdir(folder)
                 for f in os.listdir(folder)
                 if f.endswith((".c", ".cc")) and ".plugin." not in f}
        cases = [Case(name, "O2", "none") for name in sorted(names)]
    jobs = []
    with tap.workers() as pool:
        for case in cases:
            label = "witness %s/%s/%s" % case
            if not suite.wants(label) or not suite.has_turn(label, 4):
                continue
            if not tap.have(BUILDS[case.build].compiler):
                suite.skip(label, BUILDS[case.build].compiler + " is not installed")
                continue
            jobs.append((label, pool.submit(case_of, fctrace, case, top)))
        for label, job in jobs:
            wrong, seconds = job.result()
            suite.case(label, wrong)
            print("#   %.1f s" % seconds, flush=True)
    suite.run("witness lets go of what it steps when it is told to end",
              lambda: next(filter(None, (lets_go(fctrace, top) for _ in range(5))), None))


if __name__ == "__main__":
    tap.main(suite_of, all={"action": "store_true",
                            "help": "every program there is, built by gcc -O2"})
