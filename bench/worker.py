# SPDX-License-Identifier: Apache-2.0
"""worker.py - a program that does its work when it is told to: one round, and how long it took.

The program reads its stdin: for each line it does its work once and prints two numbers, the
units of work (a loop's calls, one job) and the ns they took, measured by itself. It ends with its
stdin. So who measures decides how many rounds there are and what happens between them.
"""
import re
import signal
import subprocess
import threading
import time

import tap

TIME_LIMIT_S = 150


class Trouble(Exception):
    """A worker that failed, with the reason for people."""


def once(argv, folder):
    """A program that works once: the units of work and the ns they took; None if it fails."""
    done = tap.run(argv, cwd=folder, limit_s=120)
    try:
        work, ns = map(int, done.out.split()[-2:])
        return (work, ns) if done.status == 0 and work else None
    except ValueError:
        return None


class Round:
    def __init__(self, at_s, ran_s, work, ns):
        self.at_s = at_s  # when it began, seconds after the program's start
        self.ran_s = ran_s  # for how long the program had worked by then
        self.ns_each = ns / work
        self.bare = None  # the round of a bare run that was beside it


class Worker:
    """A running program. Its session is killed when it takes longer than its time limit."""

    def __init__(self, argv, cwd, env):
        self.env, self.err = env, open(cwd + "/stderr", "w+b")
        self.begin_s = time.monotonic()
        self.ran_s = 0
        self.proc = subprocess.Popen(argv, cwd=cwd, env=env, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=self.err,
                                     start_new_session=True)
        self.is_late = False
        self.timer = threading.Timer(TIME_LIMIT_S, self.stop_late)
        self.timer.start()

    def stop_late(self):
        self.is_late = True
        tap.kill_session(self.proc.pid)

    def tell(self, text):
        try:
            self.proc.stdin.write(text)
            self.proc.stdin.flush()
        except BrokenPipeError:
            pass  # line() says why

    def line(self):
        line = self.proc.stdout.readline()
        if not line:
            raise Trouble(self.why("it ended early"))
        return line

    def work(self):
        """Have it work once: units of work, 0 if its result was wrong, and ns."""
        self.tell(b"\n")
        work, ns = map(int, self.line().split())
        return work, ns

    def round(self):
        at_s = time.monotonic() - self.begin_s
        work, ns = self.work()
        if work == 0:
            raise Trouble("it came to a wrong result")
        self.ran_s += ns / 1e9
        return Round(at_s, self.ran_s - ns / 1e9, work, ns)

    def ask_to_end(self):
        self.tell(b"")
        try:
            self.proc.stdin.close()
        except BrokenPipeError:
            pass

    def end(self):
        """Let it end. Trouble if it ends badly or not at all."""
        self.ask_to_end()
        while self.proc.stdout.read(65536):
            pass
        status = self.proc.wait()
        if status != 0:
            raise Trouble("%s (status %d)" % (self.why("no message"), status))

    def kill(self):
        """What is left of it is ended. Harmless after end()."""
        self.timer.cancel()
        if self.proc.poll() is None:
            tap.kill_session(self.proc.pid)
            self.proc.wait()
        for file in (self.proc.stdin, self.proc.stdout, self.err):
            try:
                file.close()
            except BrokenPipeError:
                pass

    def why(self, otherwise):
        """What is known of why it failed."""
        if self.is_late:
            return "it took longer than %d s" % TIME_LIMIT_S
        self.err.seek(0)
        lines = self.err.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:200] if lines else otherwise


class SqliteWorker(Worker):
    """sqlite3 knows no loop and no fine clock: statements are fed to it, and timed from here."""

    SQL = b"""
drop table if exists t;
create table t(id integer primary key, name text, n integer);
with recursive c(i) as (select 1 union all select i + 1 from c where i < 60000)
insert into t select i, 'name' || (i * 7919 % 1000), i * i % 101 from c;
create index by_name on t(name);
select name, count(*) c, sum(n) from t group by name order by c desc, name limit 5;
select count(*) from t a join t b on b.id = a.n where a.name like '%5%';
"""
    # sqlite3 flushes its output when it changes to another.
    END = b".output /dev/stdout\n.print end\n.output\n"

    RIGHT = (b"name0|60|2950\nname1|60|2874\nname10|60|2852\nname100|60|2871\n"
             b"name101|60|2756\n16100\nend\n")

    def work(self):
        begin = time.monotonic_ns()
        self.tell(self.SQL + self.END)
        got = b""
        while not got.endswith(b"end\n"):
            got += self.line()
        return int(got == self.RIGHT), time.monotonic_ns() - begin


class RedisWorker(Worker):
    """redis-server serves; redis-benchmark, untraced, asks and tells the requests a second."""

    NR = 10000
    PING_LIMIT_S = 30

    def __init__(self, argv, cwd, env):
        self.socket = cwd + "/socket"
        super().__init__(argv, cwd, env)
        while self.ask("redis-cli", "ping").strip() != "PONG":
            if self.proc.poll() is not None or time.monotonic() - self.begin_s > self.PING_LIMIT_S:
                self.kill()
                raise Trouble("redis-server does not answer")
            time.sleep(0.01)

    def ask(self, program, *words):
        done = subprocess.run([program, "-s", self.socket, *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.env,
                              timeout=TIME_LIMIT_S, check=False)
        return done.stdout.decode(errors="replace")

    def work(self):
        """Pipelined, or the server waits for its clients more than it works."""
        text = self.ask("redis-benchmark", "--csv", "-n", str(self.NR), "-P", "16", "-c", "20",
                        "-r", "10000", "-t", "set,get,incr,lpush,zadd")
        rates = [float(rate) for rate in re.findall(r'^"[^"]*","([0-9.]+)"', text, re.M)]
        if not rates:
            raise Trouble("redis-benchmark told no rates")
        return 1, int(sum(self.NR / rate for rate in rates) * 1e9)

    def ask_to_end(self):
        self.ask("redis-cli", "shutdown", "nosave")


def let_go_again(worker, argv):
    """Run argv, which attaches to the worker for a while, under load. Trouble if it fails."""
    controller = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, env=worker.env)
    while controller.poll() is None:
        if time.monotonic() - worker.begin_s > TIME_LIMIT_S:
            controller.send_signal(signal.SIGTERM)
        worker.round()
    said = controller.stderr.read().decode(errors="replace").strip()
    controller.stderr.close()
    if controller.returncode != 0:
        raise Trouble("attaching failed: " + said[:200])
