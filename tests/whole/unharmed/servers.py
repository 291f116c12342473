# SPDX-License-Identifier: Apache-2.0
"""servers.py - servers under load: no request fails, and they end as they do untraced.

Traced from the start, and attached to while requests are served.
"""
import os
import pwd
import re
import signal
import socket
import subprocess
import tempfile
import time

import tap

READY_S = tap.PATIENCE_S
ATTACH_FOR = "2s"


class Server:
    """What run() starts in its folder, until stop(); load() answers what is wrong or None."""
    name = ""
    needs = ()
    user = None  # who runs it when root runs the tests

    def __init__(self, scale=1):
        self.scale = scale

    def prepare(self, folder):
        pass

    def argv(self, folder):
        raise NotImplementedError

    def is_ready(self, folder):
        raise NotImplementedError

    def load(self, folder):
        raise NotImplementedError

    def stop(self, folder, pid):
        os.kill(pid, signal.SIGTERM)

    def pids(self, pid):
        """Of the running server: all its processes."""
        found = [pid]
        for other in found:
            path = "/proc/%d/task/%d/children" % (other, other)
            if os.path.exists(path):
                with open(path, encoding="ascii") as f:
                    found += [int(p) for p in f.read().split()]
        return found


def as_user(user):
    if not user or os.getuid() != 0:
        return []
    return ["setpriv", "--reuid=" + user, "--regid=%d" % pwd.getpwnam(user).pw_gid,
            "--clear-groups"]


def command_line(pid):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as f:
            return f.read()
    except OSError:
        return b""


def output(argv, **options):
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, timeout=tap.PATIENCE_S, **options)
    return done.returncode, done.stdout.decode(errors="replace")


class Redis(Server):
    name = "redis-server"
    needs = ("redis-server", "redis-benchmark", "redis-cli")

    def argv(self, folder):
        return ["redis-server", "--port", "0", "--unixsocket", folder + "/socket", "--save", "",
                "--io-threads", "2", "--io-threads-do-reads", "yes", "--dir", folder]

    def ask(self, folder, *words):
        return output(["redis-cli", "-s", folder + "/socket", *words])[1].strip()

    def is_ready(self, folder):
        return self.ask(folder, "ping") == "PONG"

    def load(self, folder):
        nr = 2000 * self.scale
        self.ask(folder, "flushall")
        status, text = output(["redis-benchmark", "-s", folder + "/socket", "-q", "-n", str(nr),
                               "-c", "20", "-t", "incr,sadd,rpush,lrange_100,mset"])
        if status != 0:
            return "redis-benchmark: status %d: %s" % (status, text[-300:])
        count = self.ask(folder, "get", "counter:__rand_int__")
        return None if count == str(nr) else "%s of %d were counted" % (count, nr)

    def stop(self, folder, pid):
        self.ask(folder, "shutdown", "nosave")


class Nginx(Server):
    name = "nginx"
    needs = ("nginx", "ab")
    CONFIG = """daemon off; worker_processes 2; error_log %(f)s/errors; pid %(f)s/pid;
%(user)s
events { worker_connections 256; }
http { access_log off; client_body_temp_path %(f)s/t1; proxy_temp_path %(f)s/t2;
  fastcgi_temp_path %(f)s/t3; uwsgi_temp_path %(f)s/t4; scgi_temp_path %(f)s/t5;
  server { listen 127.0.0.1:%(port)d; root %(f)s; gzip on; gzip_types *; gzip_min_length 1; } }
"""

    def prepare(self, folder):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        with open(folder + "/config", "w", encoding="utf-8") as f:
            f.write(self.CONFIG % {"f": folder, "port": self.port,
                                   "user": "user root;" if os.getuid() == 0 else ""})
        with open(folder + "/page.html", "w", encoding="utf-8") as f:
            f.write("hello " * 1000)

    def argv(self, folder):
        return ["nginx", "-p", folder, "-c", folder + "/config", "-e", folder + "/errors"]

    def is_ready(self, folder):
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.port)) == 0

    def load(self, folder):
        nr = 5000 * self.scale
        status, text = output(["ab", "-q", "-k", "-n", str(nr), "-c", "10", "-H",
                               "Accept-Encoding: gzip",
                               "http://127.0.0.1:%d/page.html" % self.port])
        wanted = ["Complete requests:      %d" % nr, "Failed requests:        0"]
        if status == 0 and all(w in text for w in wanted) and "Non-2xx" not in text:
            return None
        return "ab: status %d: %s" % (status, text[-900:])

    def stop(self, folder, pid):
        with open(folder + "/pid", encoding="ascii") as f:
            os.kill(int(f.read()), signal.SIGQUIT)


class Postgres(Server):
    name = "postgresql"
    needs = ("postgres", "initdb", "pgbench", "createdb", "psql")
    user = "postgres"

    def __init__(self, scale=1):
        super().__init__(scale)
        root = "/usr/lib/postgresql"
        versions = sorted(os.listdir(root), key=float) if os.path.isdir(root) else []
        self.bin = "%s/%s/bin/" % (root, versions[-1]) if versions else "/usr/bin/"
        self.needs = [self.bin + "postgres", self.bin + "initdb", "pgbench", "createdb", "psql"]

    def argv(self, folder):
        # The server's status is the script's; initdb is traced with it.
        return ["/bin/sh", "-c", "'%(b)sinitdb' -D '%(f)s/data' -A trust -N >/dev/null && "
                "exec '%(b)spostgres' -D '%(f)s/data' -c listen_addresses= -c fsync=off "
                "-c unix_socket_directories='%(f)s' -c autovacuum_naptime=1s" %
                {"b": self.bin, "f": folder}]

    def ask(self, folder, *argv):
        return output([*as_user(self.user), *argv], cwd=folder, env=dict(os.environ, PGHOST=folder))

    def is_ready(self, folder):
        return self.ask(folder, "psql", "-Atc", "select 1", "postgres") == (0, "1\n")

    def load(self, folder):
        nr = 50 * self.scale
        self.ask(folder, "dropdb", "--if-exists", "bench")
        for argv in (["createdb", "bench"], ["pgbench", "-i", "-q", "bench"],
                     ["pgbench", "-c", "4", "-j", "2", "-t", str(nr), "bench"]):
            status, text = self.ask(folder, *argv)
            if status != 0:
                return "%s: status %d: %s" % (argv[0], status, text[-900:])
        if "actually processed: %d/%d" % (4 * nr, 4 * nr) not in text:
            return "pgbench: " + text
        status, text = self.ask(folder, "psql", "-Atc", "select count(*), sum(delta) = "
                                "(select sum(abalance) from pgbench_accounts) from "
                                "pgbench_history", "bench")
        return None if text == "%d|t\n" % (4 * nr) else "afterwards: " + text

    def pids(self, pid):
        """Without those that serve one connection and end with it."""
        return [pid] + [p for p in super().pids(pid)[1:]
                        if re.search(b"checkpointer|writer|launcher", command_line(p))]

    def stop(self, folder, pid):
        with open(folder + "/data/postmaster.pid", encoding="ascii") as f:
            os.kill(int(f.readline()), signal.SIGINT)


def wait_ready(server, folder, proc):
    end = time.monotonic() + READY_S
    while time.monotonic() < end and proc.poll() is None:
        if server.is_ready(folder):
            return None
        time.sleep(0.1)
    return "never ready (status %s)" % proc.poll()


def run(server, prefix, during):
    """Start, load by during(folder, pid), stop; what is wrong or None, and the status."""
    with tempfile.TemporaryDirectory(prefix="fctrace-server-") as folder:
        if as_user(server.user):
            os.chown(folder, pwd.getpwnam(server.user).pw_uid, -1)
        os.chmod(folder, 0o755)
        server.prepare(folder)
        with open(folder + "/said", "wb") as said:
            proc = subprocess.Popen([*as_user(server.user), *prefix, *server.argv(folder)],
                                    cwd=folder, stdin=subprocess.DEVNULL, stdout=said,
                                    stderr=said, start_new_session=True)
        try:
            wrong = wait_ready(server, folder, proc)
            if not wrong:
                wrong = during(folder, proc.pid)
                server.stop(folder, proc.pid)
            status = proc.wait(60)
        except (OSError, subprocess.TimeoutExpired) as error:
            wrong, status = wrong or str(error), None
        finally:
            tap.kill_session(proc.pid)
        if wrong:
            with open(folder + "/said", "rb") as f:
                wrong += "\nit said: " + f.read()[-1500:].decode(errors="replace")
        return wrong, status


def recording(fctrace, top, arguments, infos):
    """The command, and how to look at the trace that it makes; infos gets what info tells."""
    trace = os.path.join(top, "trace")

    def check():
        info = tap.fctrace_json(fctrace, "info", trace)
        infos.append(info)
        return None if info["calls"] else "no call was recorded"
    return [fctrace, "record", "-o", trace, *arguments], check


def check_from_start(fctrace, server, expected, infos):
    with tempfile.TemporaryDirectory(prefix="fctrace-servers-") as top:
        os.chmod(top, 0o777)
        prefix, check_trace = recording(fctrace, top, [], infos)
        wrong, status = run(server, prefix, lambda folder, _pid: server.load(folder))
        if not wrong and status != expected:
            wrong = "status %s, untraced %s" % (status, expected)
        return wrong or check_trace()


def check_attached(fctrace, server, expected, infos):
    """Load goes on while fctrace comes, traces for a while, and leaves."""
    with tempfile.TemporaryDirectory(prefix="fctrace-servers-") as top:
        os.chmod(top, 0o777)

        def during(folder, pid):
            pids = ",".join(str(p) for p in server.pids(pid))
            argv, check_trace = recording(fctrace, top, ["-p", pids, "--for=" + ATTACH_FOR],
                                          infos)
            tracer = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
            wrong = None
            while not wrong and tracer.poll() is None:
                wrong = server.load(folder)
            said = tracer.communicate(timeout=tap.PATIENCE_S)[0].decode(errors="replace")
            if not wrong and tracer.returncode != 0:
                wrong = "fctrace -p: status %d: %s" % (tracer.returncode, said)
            return wrong or server.load(folder) or check_trace()
        wrong, status = run(server, [], during)
        if not wrong and status != expected:
            wrong = "status %s, untraced %s" % (status, expected)
        return wrong


def missing_of(server):
    return [name for name in server.needs
            if not (os.path.exists(name) if "/" in name else tap.have(name))]


def run_untraced(server):
    return run(server, [], lambda folder, _pid: server.load(folder))


def check(suite, fctrace, server):
    missing = missing_of(server)
    if missing:
        suite.skip("unharmed " + server.name, " ".join(missing) + " is not installed")
        return
    wrong, expected = run_untraced(server)
    if wrong:
        suite.fail("unharmed %s is well untraced" % server.name, wrong)
        return
    for how, test in (("from the start", check_from_start), ("attached to", check_attached)):
        try:
            wrong = test(fctrace, server, expected, [])
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            wrong = "%s: %s" % (type(error).__name__, error)
        suite.case("unharmed %s under load, %s" % (server.name, how), wrong)


QUICK = [Redis()]
LONG = [Redis(scale=3), Nginx(scale=4), Postgres(scale=2)]
