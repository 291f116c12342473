#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs in namespaces: same output and status as untraced, every call, and the ids of outside.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

CALLS = 3 * 3 * 500  # of work(), in a round
BIND = "--dev-bind / / "

# How the program is started. Whether it is there in a sandbox is tried untraced first.
STARTS = [
    ("a pid namespace", "exec unshare -pf --mount-proc %s"),
    ("a pid namespace with the /proc of outside", "exec unshare -pf %s"),
    ("a pid namespace in another", "exec unshare -pf unshare -pf --mount-proc %s"),
    ("children in pid namespaces of their own", "exec %s 2 0 deeper"),
    ("mount and net namespaces", "exec unshare -mn %s"),
    ("a user namespace", "exec unshare -Ur %s"),
    ("all namespaces of unshare", "exec unshare -Urmnuipf --mount-proc %s"),
    ("no /proc inside", "exec unshare -m sh -c 'umount -l /proc; exec %s'"),
    ("a pid namespace, and no /proc", "exec unshare -mpf sh -c 'umount -l /proc; %s'"),
    ("bwrap --unshare-all", "exec bwrap --unshare-all " + BIND + "--proc /proc --dev /dev %s"),
    ("bwrap without /proc", "exec bwrap --unshare-all --ro-bind /usr /usr --symlink usr/lib /lib "
     "--symlink usr/lib64 /lib64 --symlink usr/bin /bin --ro-bind %(top)s %(top)s %%s"),
    ("bwrap in bwrap", "exec bwrap --unshare-pid " + BIND + "--proc /proc bwrap --unshare-pid " +
     BIND + "--proc /proc %s"),
    ("another user in a pid namespace",
     "exec unshare -pf --mount-proc setpriv --reuid=65534 --regid=65534 --clear-groups %s"),
]


class Bench(bench.Bench):
    flags = ["-std=gnu11", "-D_GNU_SOURCE", "-O1", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        os.chmod(self.folder, 0o755)
        self.program = self.build("inside.c")
        os.mkdir(self.path("out"))
        self.trace = self.path("out/containers.data")

    def shell(self, how, words=""):
        how = how % {"top": self.folder} if "%(top)s" in how else how
        return ["sh", "-c", how % (self.program + words)]

    def sql(self, text):
        run = self.run("query", "--json", self.trace, text)
        return json.loads(run.out) if run.status == 0 else "%s: %s" % (text, run.err)

    def untold(self, calls):
        """What is wrong with the trace: its calls, losses, and ids."""
        rows = self.sql("SELECT sum(calls) AS n FROM functions WHERE name = 'work'")
        if not isinstance(rows, list) or not rows or rows[0]["n"] != calls:
            return "%s, not %d calls" % (rows, calls)
        rows = self.sql("SELECT DISTINCT pid FROM threads WHERE pid NOT IN "
                        "(SELECT pid FROM processes)")
        return "threads of unknown processes: %s" % rows if rows else None


def same(run, plain):
    if run.trouble():
        return run.trouble()
    if (run.status, run.out) != (plain.status, plain.out):
        return "status %d, %r; untraced %d, %r; stderr %s" % (
            run.status, run.out[-300:], plain.status, plain.out[-300:], run.err[-500:])
    return None


def launched(suite, bench):
    for name, how in STARTS:
        name = "containers: " + name
        if not suite.wants(name):
            continue
        if "bwrap" in how and not shutil.which("bwrap"):
            suite.skip(name, "there is no bwrap")
            continue
        plain = tap.run(bench.shell(how))
        if plain.status != 5:
            suite.skip(name, "not permitted here: %s" % plain.err.decode()[-80:].strip())
            continue
        run = bench.record(*bench.shell(how))
        rounds = 2 if "deeper" in how else 1
        suite.case(name, same(run, plain) or bench.untold(rounds * CALLS))


def many(suite, bench):
    """Each child of an init process is number 2, 3...: outside there are such processes, too."""
    name = "containers: many short programs in a pid namespace"
    if not suite.wants(name):
        return
    words = ["unshare", "-pf", "sh", "-c", "for i in 1 2 3 4 5 6 7 8; do /bin/true; done; exit 6"]
    run = bench.record(*words)
    suite.case(name, run.trouble() or (run.status != 6 and "status %d: %s"
                                       % (run.status, run.err)))


def exe_of(pid):
    return os.readlink("/proc/%s/exe" % pid)


def parent_of(pid):
    with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as f:
        return f.read().rpartition(")")[2].split()[1]


def inner_pid(proc, program):
    """The process of the program, which a shell, or unshare, has started; here."""
    for _ in range(600):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.getsid(int(pid)) == proc.pid and exe_of(pid) == program and \
                        exe_of(parent_of(pid)) != program:
                    return int(pid)
            except OSError:
                pass
        time.sleep(0.05)
    return None


def attached(suite, bench):
    for name, how in STARTS[:3] + STARTS[6:7] + STARTS[9:10]:
        name = "containers: attached from outside, %s" % name
        if not suite.wants(name):
            continue
        if tap.run(bench.shell(how)).status != 5:
            suite.skip(name, "not permitted here")
            continue
        with subprocess.Popen(bench.shell(how, " 60 20"), stdout=subprocess.PIPE,
                              start_new_session=True) as proc:
            pid = inner_pid(proc, bench.program)
            run = bench.record("--for", "0.5s", "-p", str(pid))
            out = proc.communicate()[0]
        why = run.trouble() or (run.status and "fctrace: status %d, %s" % (run.status, run.err))
        if not why and (proc.returncode != 5 or out != b"%d calls\n" % (60 * CALLS)):
            why = "the program: %d, %r" % (proc.returncode, out)
        rows = None if why else bench.sql("SELECT count(*) AS n FROM processes WHERE pid = %d"
                                          % pid)
        if not why and rows != [{"n": 1}]:
            why = "process %d is not in the trace: %s" % (pid, rows)
        suite.case(name, why)


def from_inside(suite, bench):
    """fctrace is in the container, too."""
    words = "%s record -o %s " % (bench.fctrace, bench.trace)
    cases = [
        ("recorded from inside", words + bench.program, CALLS),
        ("attached from inside", "%s 60 20 & p=$!; sleep 0.2; %s --for 0.5s -p $p || exit 7; "
         "wait $p" % (bench.program, words), None),
    ]
    for name, script, calls in cases:
        name = "containers: " + name
        if not suite.wants(name):
            continue
        run = tap.run(["unshare", "-pf", "--mount-proc", "sh", "-c", script])
        why = run.trouble() or (run.status != 5 and "status %d: %s" % (run.status, run.err))
        suite.case(name, why or (bench.untold(calls) if calls else None))


def entered(suite, bench):
    """A traced program comes into a namespace that is there already (setns)."""
    name = "containers: a namespace that is entered"
    if not suite.wants(name):
        return
    with subprocess.Popen(["unshare", "-pf", "--mount-proc", "sleep", "600"],
                          start_new_session=True) as proc:
        try:
            init = inner_pid(proc, os.path.realpath("/usr/bin/sleep"))
            how = "exec nsenter -t %d -p -m %%s" % init
            plain = tap.run(bench.shell(how))
            run = bench.record(*bench.shell(how))
            suite.case(name, same(run, plain) or bench.untold(CALLS))
        finally:
            tap.kill_session(proc.pid)


def killed(suite, bench):
    """kill -9 of fctrace: the container runs on."""
    name = "containers: kill -9 of fctrace"
    if not suite.wants(name):
        return
    with bench.begin(*bench.shell(STARTS[0][1], " 40 20"), stdout=subprocess.PIPE,
                     stderr=subprocess.DEVNULL, start_new_session=True) as proc:
        inner_pid(proc, bench.program)
        time.sleep(0.3)
        proc.send_signal(signal.SIGKILL)
        out = proc.stdout.read()
    suite.case(name, out != b"%d calls\n" % (40 * CALLS) and "it said %r" % out)


def suite_of(suite):
    if os.geteuid():
        suite.skip("containers", "needs root")
        return
    bench = Bench(suite)
    for part in (launched, many, attached, from_inside, entered, killed):
        part(suite, bench)


if __name__ == "__main__":
    tap.main(suite_of)
