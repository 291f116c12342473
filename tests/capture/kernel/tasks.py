#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""--kthread and --all-tasks: the kernel alone, of its own threads or of all of the machine, without a
program that is traced.

It needs root and tracefs: suite `kernel` of whole/vm runs it in virtual machines.
"""
import os
import pty
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
sys.path.insert(0, HERE)
import tap  # noqa: E402
from functions import KERNEL, changed, filters, settings  # noqa: E402
from kernelbench import MODULE, NOBODY, Bench, by_turns, instances, need_function_graph, session_folder  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/"


def is_on():
    """Does fctrace's session record? (The top level may have been on before.)"""
    try:
        folder = session_folder()
        return read_of(folder, "tracing_on").strip() == "1" and \
            bool(read_of(folder, "set_event_pid") + read_of(folder, "set_event_notrace_pid"))
    except (OSError, IndexError):
        return False


def read_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return f.read()


def wait_for(what):
    tap.wait_until(what, what.__name__.replace("_", " "))


class Session:
    """fctrace record (or live, with command=()), until it is told to end."""

    def __init__(self, bench, *words, **how):
        self.before = settings()
        self.tracer = bench.begin(*words, **how)
        wait_for(self.is_recording)

    def is_recording(self):
        if self.tracer.poll() is not None:
            raise Wrong("it ended: %s" % self.tracer.stderr.read())
        return is_on()

    def end(self, sig=signal.SIGINT):
        if sig:
            self.tracer.send_signal(sig)
        err = self.tracer.stderr.read().decode(errors="replace")
        if self.tracer.wait():
            raise Wrong("status %d: %s" % (self.tracer.returncode, err))
        if instances() or settings() != self.before:
            raise Wrong("left: %s, %s" % (instances(), changed(self.before)))
        return err


def make_work():
    """What is written to a terminal is passed on by a kernel worker (flush_to_ldisc)."""
    one, other = pty.openpty()
    try:
        for _ in range(20):
            os.write(one, b"x\n")
            os.read(other, 2)
    finally:
        os.close(one)
        os.close(other)


def programs(bench):
    return {row["pid"]: row["program"] for row in bench.query("select pid, program from processes")}


def it_ends_when_nobody_reads(bench):
    """fctrace | head"""
    done = tap.run(["sh", "-c", "{ '%s' --syscalls --all-tasks --no-waits 2>&1; echo status $? >&2; } | head -n 1"
                    % bench.fctrace], limit_s=bench.limit_s)
    if not done.out.startswith(b"# DURATION") or done.err != b"status 0\n" or instances():
        raise Wrong("%s, %s" % (done.out, done.err))


def every_thread_from_a_function_on(bench):
    """Of one that reads: each of its reads, by its name; of fctrace, which reads all the time, none."""
    session = Session(bench, "--all-tasks", "--from", "vfs_read", *filters(["vfs_read", "vfs_write", "rw_verify_area"]))
    made = subprocess.run(["sh", "-c", "dd if=/dev/zero of=/dev/null bs=4096 count=50 2>/dev/null; exec cat '%s'"
                           % bench.write("text", "text\n")], check=True, capture_output=True)
    session.end(signal.SIGTERM)
    names = programs(bench)
    if made.stdout != b"text\n" or session.tracer.pid in names:
        raise Wrong("%s of %d: %s" % (made.stdout, session.tracer.pid, names))
    rows = bench.query("select c.pid, k.caller_name as above, c.result, k.name from calls c, calls k where c.name='read' and "
                       "c.module='%s' and k.module='%s' and c.strand = k.strand and k.begin_ns >= c.begin_ns and "
                       "k.end_ns <= c.end_ns" % (MODULE, KERNEL))
    tops = [(row["pid"], row["result"]) for row in rows if row["name"] == "vfs_read" and row["above"] == "read"]
    of_dd = [pid for pid, result in tops if result == 4096]
    of_cat = [pid for pid, result in tops if result == 5]
    if len(of_dd) < 50 or os.path.basename(names[of_dd[-1]]) not in ("dd", "busybox") or \
       not of_cat or os.path.basename(names[of_cat[-1]]) not in ("cat", "busybox"):
        raise Wrong("%s, %s, %s" % (of_dd, of_cat, names))
    inside = {(row["above"], row["name"]) for row in rows}
    outside = bench.query("select count(*) as nr from calls where name='vfs_write' and caller_name != 'vfs_read'")
    if ("vfs_read", "rw_verify_area") not in inside or outside[0]["nr"]:
        raise Wrong("%s, %s" % (inside, outside))


def idle_cpus_and_whoever_is_born(bench):
    """Threads and children that begin later are told with their process and its program."""
    session = Session(bench, "--all-tasks", "--no-waits", *filters(["do_idle", "schedule_idle", "__do_sys_gettid"]))
    time.sleep(0.1)
    subprocess.run([bench.program, "threads", "20"], check=True, stdout=subprocess.DEVNULL)
    session.end()
    names = programs(bench)
    idle = bench.query("select distinct s.kind, c.tid, c.pid from calls c, strands s where c.strand = s.strand and "
                       "c.name in ('do_idle', 'schedule_idle')")
    if idle != [{"kind": "kernel", "tid": 0, "pid": 0}] or names[0] != "[swapper]":
        raise Wrong("%s, %s" % (idle, names))
    rows = bench.query("select c.pid, c.tid, count(*) as nr from calls c where name='__do_sys_gettid' and "
                       "caller_name='gettid' group by c.pid, c.tid having nr = 20")
    pids = {row["pid"] for row in rows}
    if len(rows) != 4 or len(pids) != 1 or names[pids.pop()] != bench.program:
        raise Wrong("%s, %s" % (rows, names))


def how_processes_end_is_told(bench):
    """By exit, by a signal, by a thread that is not the first, after an exec that ended threads."""
    kills = "kill -9 $$"
    session = Session(bench, "--all-tasks", "--syscalls", "--no-waits")
    time.sleep(0.1)
    ended = {}
    for words in ([bench.program, "one", "1"], ["sh", "-c", "exit 7"], ["sh", "-c", kills], [bench.ends, "thread"],
                  [bench.ends, "first"], [bench.ends, "exec"]):
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        ended[child.pid] = (words[-1], os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1]))
        child.returncode = 0
    session.end()
    rows = bench.query("select pid, value from events where kind='exit'")
    got = {row["pid"]: row["value"] for row in rows}
    expected = {pid: status if status >= 0 else 128 - status for pid, (_, status) in ended.items()}
    if [status for _, status in ended.values()] != [0, 7, -9, 3, 4, 5] or \
       {pid: got.get(pid) for pid in expected} != expected:
        raise Wrong("%s, not %s: %s" % (got, expected, ended))


def system_calls_of_all_live(bench):
    session = Session(bench, "--syscalls", "--all-tasks", "--no-waits", "-F", "getppid", command=(), to="lines")
    subprocess.run([bench.program, "one", "30"], check=True, stdout=subprocess.DEVNULL)
    session.end()
    lines = read_of(bench.folder, "lines").splitlines()
    made = {line.partition("[")[2].partition("]")[0] for line in lines if "| getppid() = %d;" % os.getpid() in line}
    if len(lines) < 30 or len(made) != 1 or len([line for line in lines if "getppid" in line]) != 30 or \
       not any(line.endswith("/* %s runs %s */" % (made.copy().pop().strip(), bench.program)) for line in lines):
        raise Wrong(lines)


def a_sum_and_an_end_by_time(bench):
    bench.must("-c", "--syscalls", "--all-tasks", "--for", "100ms", "-o", bench.path("sums"))
    head = read_of(bench.folder, "sums").split()
    if head[:2] != ["CALLS", "TOTAL"] or instances():
        raise Wrong("%s, %s" % (head, instances()))


def choose(word):
    """Are there to be large pages? While there are, khugepaged is: its number."""
    with open(HUGE_PAGES + "enabled", "w", encoding="utf-8") as f:
        f.write(word)
    found = []

    def it_came():
        found[:] = [name for name in os.listdir("/proc") if "(khugepaged)" in stat_of(name)]
        return (word == "always") == bool(found)
    wait_for(it_came)
    return found and found[0]


def wake_khugepaged():
    """It looks whether there is anything to be done, and sleeps again."""
    with open(HUGE_PAGES + "khugepaged/scan_sleep_millisecs", "w", encoding="utf-8") as f:
        f.write("50")
    time.sleep(0.05)


def with_khugepaged(test):
    """It begins and ends as it is told."""
    def case(bench):
        if not os.path.exists(HUGE_PAGES + "enabled"):
            raise Skip("this kernel has no khugepaged")
        was = read_of(HUGE_PAGES, "enabled").partition("[")[2].partition("]")[0]
        pause = read_of(HUGE_PAGES, "khugepaged/scan_sleep_millisecs")
        try:
            test(bench)
        finally:
            with open(HUGE_PAGES + "khugepaged/scan_sleep_millisecs", "w", encoding="utf-8") as f:
                f.write(pause)
            choose(was if was == "never" else "always")
    case.__name__ = test.__name__
    return case


@with_khugepaged
def kernel_threads_alone_and_those_that_begin_later(bench):
    choose("never")
    session = Session(bench, "--kthread", "kworker/*", "--kthread", "k[hw][uo][rg]*", "--no-waits",
                      *filters(["flush_to_ldisc", "process_one_work", "prepare_to_wait_event"]))
    folder = session_folder()
    late = choose("always")

    def it_is_followed():
        return late in read_of(folder, "set_event_pid").split()
    wait_for(it_is_followed)
    make_work()
    for _ in range(5):
        wake_khugepaged()
    session.end()
    rows = bench.query("select c.name, c.caller_name as caller, c.pid, c.tid, s.kind from calls c, strands s where "
                       "c.strand = s.strand")
    names = programs(bench)
    if not [row for row in rows if row["name"] == "flush_to_ldisc" and row["caller"] == "process_one_work"]:
        raise Wrong("no work of the terminal: %s" % {(row["name"], row["caller"], row["tid"]) for row in rows})
    for row in rows:
        if row["kind"] != "kernel" or row["pid"] != row["tid"] or \
           not names[row["pid"]].startswith(("[kworker/", "[khugepaged]")):
            raise Wrong("%s: %s" % (row, names))
    if names.get(int(late)) != "[khugepaged]":
        raise Wrong("%s is not among %s" % (late, names))
    for command in (["replay"], ["info"], ["export", "--format", "chrome"]):
        bench.must(*command, bench.trace)


@with_khugepaged
def it_ends_with_the_last_one(bench):
    choose("always")
    session = Session(bench, "--kthread", "khugepaged", *filters(["schedule_timeout"]))
    choose("never")
    session.end(0)


def stat_of(pid):
    try:
        return read_of("/proc", pid + "/stat")
    except OSError:
        return ""


def what_cannot_be_is_refused(bench):
    tap.need("setpriv")
    os.chmod(bench.folder, 0o755)
    as_nobody = [shutil.which("setpriv"), "--reuid=%d" % NOBODY, "--clear-groups"]
    for before, words, status, named in (
            ([], ["--kthread", "nosuch*"], 125, "--kthread nosuch*: no kernel thread has such a name"),
            ([], ["--kthread", "kworker/*", bench.program], 2, "leave out the program and -p"),
            ([], ["--all-tasks", "--kthread", "*"], 2, "--all-tasks includes all kernel threads"),
            ([], ["--all-tasks", "--dry-run"], 2, "--dry-run is about a program"),
            (as_nobody, ["--all-tasks"], 125, "only root may use")):
        done = tap.run([*before, bench.fctrace, "record", "-o", "/dev/null", *words], cwd="/",
                       limit_s=bench.limit_s)
        err = done.err.decode(errors="replace")
        if done.status != status or named not in err or instances() or len(err.splitlines()) != 1:
            raise Wrong("%s: status %d: %s" % (words, done.status, err))


def killed_it_leaves_what_is_put_back(bench):
    before = settings()
    session = Session(bench, "--all-tasks", *filters(["vfs_read"]))
    session.tracer.kill()
    session.tracer.wait()
    if not instances():
        raise Wrong("a killed one has left nothing")
    bench.must("check", "--clean")
    if instances() or settings() != before:
        raise Wrong("left: %s, %s" % (instances(), changed(before)))


def all_functions_of_all(bench):
    """On a machine that works: more than can be recorded, perhaps, and it ends."""
    if not bench.is_long:
        raise Skip("only with --long")
    with subprocess.Popen(["sh", "-c", "while :; do dd if=/dev/zero of=/dev/null bs=512 count=1000; done"],
                          stderr=subprocess.DEVNULL) as busy:
        try:
            err = bench.must("record", "-k", "--all-tasks", "--for", "300ms", "-o", bench.trace, status=None)[1]
        finally:
            busy.kill()
    info = bench.json("info")
    if info["calls"] < 1000 or (info["lost"] > 0) != ("lost" in err):
        raise Wrong("%d calls, %d lost: %s" % (info["calls"], info["lost"], err))


CASES = [
    kernel_threads_alone_and_those_that_begin_later,
    it_ends_with_the_last_one,
    every_thread_from_a_function_on,
    idle_cpus_and_whoever_is_born,
    how_processes_end_is_told,
    system_calls_of_all_live,
    a_sum_and_an_end_by_time,
    it_ends_when_nobody_reads,
    what_cannot_be_is_refused,
    killed_it_leaves_what_is_put_back,
    all_functions_of_all,
]


def suite_of(suite):
    bench = Bench(suite)
    bench.ends = bench.build("ends.c")
    try:
        need_function_graph()
    except Skip as why:
        suite.skip("the kernel alone by tracefs", why)
        return
    suite.run_all(by_turns(suite, CASES), bench)


if __name__ == "__main__":
    tap.main(suite_of)
