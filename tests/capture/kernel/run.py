#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""--syscalls: the system calls of what is traced are those that it made, in the functions that made
them; and nothing is left in the kernel.

It needs root and tracefs: suite `kernel` of whole/vm runs it in virtual machines.
"""
import collections
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
sys.path.insert(0, HERE)
import tap  # noqa: E402
from kernelbench import (MODULE, NOBODY, TRACEFS, Bench, attach_and_run, by_turns, instances,  # noqa: E402
                         is_reading, need_tracefs, session_folder, state_of, wait_until_followed)
from tap import Skip, Wrong  # noqa: E402


def straced(bench, *words):
    """Lines of strace, without what begins and ends a process."""
    tap.need("strace")
    path = bench.path("straced")
    subprocess.run(["strace", "-f", "-o", path, *words], cwd=bench.folder,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open(path, encoding="utf-8", errors="replace") as f:
        lines = [re.sub(r"^\d+ +", "", line.rstrip("\n")) for line in f]
    return [line for line in lines if line[:3] not in ("+++", "---") and "resumed>" not in line
            and not line.startswith("execve(")]


def compare_with_strace(bench, *words):
    expected = collections.Counter(line.partition("(")[0] for line in straced(bench, *words))
    said = bench.told(*words)
    got = bench.made()
    got.pop("execve", None)
    if "lost" in said:
        raise Wrong(said)
    if got != expected:
        raise Wrong("strace: %s\nfctrace: %s" % (dict(expected - got), dict(got - expected)))


def a_program_makes_the_calls_that_strace_sees(bench):
    compare_with_strace(bench, bench.program, "one", "500")


def so_do_children_and_what_they_run(bench):
    compare_with_strace(bench, bench.program, "forks")
    compare_with_strace(bench, shutil.which("bash"), "-c", "for i in 1 2 3; do cat /etc/passwd; done")


def so_does_a_program_whose_handler_interrupts_it(bench):
    compare_with_strace(bench, bench.program, "signals")


def results_and_errors_are_those_that_strace_sees_in_the_same_order(bench):
    expected = []
    for line in straced(bench, bench.program, "one", "20"):
        found = re.match(r"(\w+)\(.*\) += (-?\d+)\b(?: (E\w+))?", line)
        if found and found[1] not in ("getppid", "set_tid_address"):
            expected.append((found[1], found[2], found[3]))
    bench.told(bench.program, "one", "20", also=["--no-waits"])
    out, _ = bench.must("replay", bench.trace)
    got = []
    for line in out.splitlines():
        found = re.search(r"\b(\w+)\(.*\) = (-?\d+)\b(?: (E\w+))?;?$", line)
        if found and found[1] not in ("getppid", "set_tid_address"):
            got.append((found[1], found[2], found[3]))
    if len(got) < 40 or got != expected:
        raise Wrong(tap.excerpt("\n".join(map(str, expected)), "\n".join(map(str, got))))


def arguments_are_shown(bench):
    bench.told(bench.program, "one", "1")
    rows = bench.query("select args, result from calls where name='openat' and "
                       "caller_name='fails'")
    if len(rows) != 1 or rows[0]["args"] != 'AT_FDCWD, "/no/such/file", O_RDONLY, 0':
        raise Wrong(rows)


def names_in(text):
    return re.findall(r'"((?:[^"\\]|\\.)*)"', text)


def names_of_files_are_those_that_strace_sees(bench):
    """All but that of execve(), which straced() leaves out."""
    first = ("mkdir", ["/tmp/fctrace-names"])
    expected = []
    for line in straced(bench, bench.program, "names"):
        found = re.match(r"(\w+)\((.*)\) += ", line)
        names = names_in(found[2]) if found else []
        # What readlink() gives is no name that the kernel was given.
        expected.append((found[1], names[:1] if found[1] == "readlink" else names) if names else None)
    said = bench.told(bench.program, "names")
    rows = bench.query("select name, args from calls where module='%s' order by begin_ns" % MODULE)
    got = [(row["name"], names_in(row["args"])) for row in rows if names_in(row["args"] or "")]
    if ("execve", ["/no/such/program"]) not in got:
        raise Wrong("execve: %s" % got)
    expected = [call for call in expected[expected.index(first):] if call]
    got = [call for call in got[got.index(first):] if call[0] != "execve"]
    if len(got) < 20 or got != expected:
        raise Wrong(said + tap.excerpt("\n".join(map(str, expected)), "\n".join(map(str, got))))


def addresses_in(bench):
    """Calls that are given one, in their order, by name and arguments but the text that is sent."""
    rows = bench.query("select name, args, result from calls where module='%s' and name in ('bind', 'connect', 'sendto') "
                       "order by begin_ns" % MODULE)
    return [(row["name"], re.sub(r'^(\d+), ("x"|0x\w+), 1,', r"\1, TEXT, 1,", row["args"]), row["result"]) for row in rows]


def addresses_of_sockets_are_those_that_stops_of_the_thread_show(bench):
    bench.told(bench.program, "addresses", options=["--syscalls=ptrace", "--libs=none"])
    expected = addresses_in(bench)
    said = bench.told(bench.program, "addresses", also=["--no-waits"])
    got = addresses_in(bench)
    if len(expected) != 9 or got != expected:
        raise Wrong(said + tap.excerpt("\n".join(map(str, expected)), "\n".join(map(str, got))))


def expect_all(said, nr, *got):
    """Numbers of calls: all, but for what fctrace has counted as lost (on a busy host it comes too late)."""
    told = re.search(r"(\d+) events? of system calls w\w+ lost", said)
    lost = int(told[1]) if told else 0
    if any(not nr - lost <= its <= nr for its in got):
        raise Wrong("%s of %d, %d lost" % (got, nr, lost))


def each_call_is_in_the_function_that_made_it(bench):
    nr = bench.nr(5000, 50000)
    said = bench.told(bench.program, "one", str(nr))
    expect_all(said, nr, bench.under("getppid", "one"), bench.under("openat", "fails"))
    if bench.made()["getppid"] != bench.under("getppid", "one"):
        raise Wrong(bench.made())


def so_it_is_in_threads(bench):
    nr = bench.nr(1000, 20000)
    said = bench.told(bench.program, "threads", str(nr))
    rows = bench.query("select tid, count(*) as nr from calls where name='gettid' and "
                       "caller_name='in_thread' group by tid")
    expect_all(said, nr, *[row["nr"] for row in rows])
    if len(rows) != 4 or bench.made()["gettid"] != sum(row["nr"] for row in rows):
        raise Wrong("%s, %s" % (rows, bench.made()))


def and_in_a_handler_and_in_children(bench):
    bench.told(bench.program, "signals")
    if bench.under("getppid", "one") != 1 or bench.made()["pause"] != 1:
        raise Wrong("in the handler: %s" % bench.made())
    bench.told(bench.program, "forks")
    rows = bench.query("select distinct pid from calls where name='getppid' and "
                       "caller_name='one'")
    if len(rows) != 2:
        raise Wrong("in children: %s" % rows)


def calls_of_fctrace_itself_are_not_shown(bench):
    """What the agent does in the program, for threads, values and libraries that are loaded."""
    bench.told(bench.program, "threads", "10", also=["--libs=all", "-a"])
    got = bench.made()
    for name in ("process_vm_readv", "munlock", "sigaltstack"):
        if got[name]:
            raise Wrong(got)


def without_children_there_are_none_of_them(bench):
    bench.told(bench.program, "forks", also=["--no-follow"])
    if bench.made()["getppid"] or not bench.made()["wait4"]:
        raise Wrong(bench.made())


def attached_to_from_that_moment_on(bench):
    attach_and_run(bench, 200, "--syscalls")
    got = bench.under("getppid", "one"), bench.under("openat", "fails")
    if got != (200, 200):
        raise Wrong(got)


def is_empty():
    """Are the kernel's buffers of fctrace's instance?"""
    for path in glob.glob(os.path.join(session_folder(), "per_cpu", "cpu*", "stats")):
        with open(path, encoding="ascii") as f:
            if int(re.search(r"^entries: (\d+)", f.read())[1]):
                return False
    return True


def what_was_lost_is_counted(bench):
    """fctrace is stopped for a while: the kernel's buffers overflow meanwhile."""
    nr = 120000
    tracer = bench.begin("--syscalls", "--no-waits", "-m", "nothing", bench.program, "waits", str(nr),
                         stdin=subprocess.PIPE)
    wait_until_followed(tracer)
    # What the program did before it waits has been taken. (While the agent in it waits for fctrace, it sleeps, too.)
    child = tap.child_of(tracer.pid)
    tap.wait_until(lambda: is_reading(child) and is_empty(), "the program waits")
    os.kill(tracer.pid, signal.SIGSTOP)
    tracer.stdin.write(b"go\n")
    tracer.stdin.close()
    tap.wait_until(lambda: state_of(child) in "tZX", "the program's end waits for fctrace")
    os.kill(tracer.pid, signal.SIGCONT)
    err = tracer.stderr.read().decode(errors="replace")
    tracer.wait()
    lost = re.search(r"(\d+) events of system calls were lost", err)
    if not lost:
        raise Wrong("nothing was lost: %s" % err)
    info = bench.json("info")
    rows = bench.query("select sum(ended != 'pop') as whole, count(*) as all_of_them from calls "
                       "where name in ('getppid', 'openat') and module='%s'" % MODULE)
    gaps = bench.query("select count(*) as nr from events where kind='lost'")[0]["nr"]
    names = bench.query("select count(*) as nr from calls where name='openat' and args like "
                        "'%/no/such/file%'")[0]["nr"]
    seen = rows[0]["all_of_them"] + rows[0]["whole"] + names
    missing = 5 * nr - seen - int(lost[1])  # an openat() has a third event, of its name
    # A gap may leave out the begin of a call whose end was seen; others are calls of ld.so.
    if info["lost"] != int(lost[1]) or not -200 <= missing <= gaps:
        raise Wrong("%s lost, info tells %d; seen %d of %d, %d gaps; %s" % (
            lost[1], info["lost"], seen, 5 * nr, gaps, dict(bench.made())))


def start_and_kill(bench, *words):
    tracer = bench.begin("--syscalls", *words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wait_until_followed(tracer)
    child = tap.child_of(tracer.pid)
    tracer.kill()
    tracer.wait()
    return tracer, child


def killed_it_leaves_what_the_next_one_removes(bench):
    for way in ("record", "check"):
        tracer, child = start_and_kill(bench, bench.program, "waits", "5")
        left = instances()
        if len(left) != 1:
            raise Wrong("of a killed one: %s" % left)
        if way == "record":
            bench.told(bench.program, "one", "1")
        else:
            out, _ = bench.must("check", "--clean")
            if "1 " not in out:
                raise Wrong(out)
        if instances():
            raise Wrong("left behind %s: %s" % (way, instances()))
        if not os.path.exists("/proc/%d" % child):
            raise Wrong("the program has ended, too")
        tracer.stdin.write(b"go\n")
        tracer.stdin.close()
        tap.wait_until(lambda: not os.path.exists("/proc/%d" % child), "the program ends")


def somebody_who_looks_around_does_not_keep_it(bench):
    """The kernel removes no instance while a file of it is open."""
    tracer = bench.begin("--syscalls", "-m", "nothing", bench.program, "waits", "1", stdin=subprocess.PIPE)
    wait_until_followed(tracer)
    with open(os.path.join(session_folder(), "trace_clock"), encoding="utf-8"):
        tracer.stdin.write(b"go\n")
        tracer.stdin.close()
        tap.wait_until(lambda: state_of(tap.child_of(tracer.pid) or 0) in "ZX", "the program ends")
        time.sleep(0.3)
    tracer.wait()
    if instances():
        raise Wrong("left: %s" % instances())


def what_runs_is_not_removed(bench):
    target = bench.begin("--syscalls", bench.program, "waits", "5", stdin=subprocess.PIPE)
    wait_until_followed(target, instances)
    before = instances()
    bench.must("check", "--clean")
    after = instances()
    target.communicate(b"go\n")
    if before != after or target.returncode:
        raise Wrong("%s, %s" % (before, after))


def without_root_one_sentence_says_so(bench):
    os.chmod(bench.folder, 0o755)

    def become_nobody():
        os.chdir("/")
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    done = bench.run("--syscalls", "--libs=none", bench.program, "one", "1", preexec=become_nobody)
    err = done.err.decode(errors="replace")
    says = "system calls are seen by ptrace, which adds some 20 us to each: only root may use " + TRACEFS
    if done.status or says not in err or "one() {" not in err or "getppid() = " not in err:
        raise Wrong("status %d: %s" % (done.status, err))


def capabilities_are_enough(bench):
    """An ordinary user with the right to use tracefs, and nothing else of root's."""
    setpriv = shutil.which("setpriv")
    os.chmod(bench.folder, 0o777)
    caps = "+dac_override,+syslog"
    done = tap.run([setpriv, "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups", "--inh-caps=" + caps,
                    "--ambient-caps=" + caps, bench.fctrace, "record", "--kfilter", "do_sys_openat2", "--libs=none",
                    "-o", bench.trace, bench.program, "one", "3"], cwd=bench.folder)
    rows = bench.query("select count(*) as nr from calls where name='do_sys_openat2' and caller_name='openat'")
    if done.status or instances() or rows[0]["nr"] < 3:
        raise Wrong("%s %d %s" % (rows, done.status, done.err.decode(errors="replace")))


def without_tracefs_another_one(bench):
    tap.need("unshare")
    script = bench.write("hidden", "#!/bin/sh\nmount --make-rprivate / && "
                         "mount -t tmpfs none %s && exec '%s' \"$@\"\n" % (TRACEFS, bench.fctrace),
                         0o755)
    done = tap.run(["unshare", "--mount", script, "--syscalls", "--libs=none", bench.program, "one",
                    "1"])
    err = done.err.decode(errors="replace")
    if done.status or "tracefs is not mounted" not in err or "getppid() = " not in err:
        raise Wrong("status %d: %s" % (done.status, err))


def sums_are_made_of_them_live(bench):
    done = bench.run("-c", "--syscalls", "--libs=none", bench.program, "one", "50")
    err = done.err.decode(errors="replace")
    if not re.search(r"^ +50 .*\[system call\] +getppid$", err, re.M):
        raise Wrong(err)


def only_calls_under_a_function_are_let_through(bench):
    bench.told(bench.program, "one", "30", also=["-F", "one"])
    got = bench.made()
    if got != {"getppid": 30}:
        raise Wrong(got)


CASES = [
    a_program_makes_the_calls_that_strace_sees,
    so_do_children_and_what_they_run,
    so_does_a_program_whose_handler_interrupts_it,
    results_and_errors_are_those_that_strace_sees_in_the_same_order,
    arguments_are_shown,
    names_of_files_are_those_that_strace_sees,
    addresses_of_sockets_are_those_that_stops_of_the_thread_show,
    each_call_is_in_the_function_that_made_it,
    so_it_is_in_threads,
    and_in_a_handler_and_in_children,
    calls_of_fctrace_itself_are_not_shown,
    without_children_there_are_none_of_them,
    attached_to_from_that_moment_on,
    what_was_lost_is_counted,
    killed_it_leaves_what_the_next_one_removes,
    somebody_who_looks_around_does_not_keep_it,
    what_runs_is_not_removed,
    without_root_one_sentence_says_so,
    capabilities_are_enough,
    without_tracefs_another_one,
    sums_are_made_of_them_live,
    only_calls_under_a_function_are_let_through,
]


def suite_of(suite):
    with_program = Bench(suite)
    try:
        need_tracefs()
    except Skip as why:
        suite.skip("system calls by tracefs", why)
        return
    suite.run_all(by_turns(suite, CASES), with_program)


if __name__ == "__main__":
    tap.main(suite_of)
