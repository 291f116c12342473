#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Names from servers of debug files (DEBUGINFOD_URLS).

Servers listen on the loopback device only: Debian's debuginfod, and others that hang, lie, or note when they
are asked. What they serve was taken out of programs that are built here.
"""
import contextlib
import http.server
import os
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import stripped  # noqa: E402
import tap  # noqa: E402
from stripped import ALL, SOURCE, build_id_of, check_called  # noqa: E402


class Server:
    """Answers as debuginfod(8) does, /buildid/ID/debuginfo; `answer` is called for each question."""

    def __init__(self, files, answer=None):
        self.asked, self.files = [], files
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked.append(self.path)
                if answer and answer(self):
                    return
                path = server.files.get(self.path)
                self.send(path and open(path, "rb").read())

            def send(self, body):
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *args):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.http.server_port

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *args):
        self.http.shutdown()
        self.http.server_close()


class Case(stripped.Case):
    def env(self, url, **more):
        return dict(os.environ, DEBUGINFOD_URLS=url, DEBUGINFOD_CACHE_PATH=self.path("cache"), **more)

    def apart(self, *how, **more):
        """A stripped program; its debug file is where only a server finds it, and what that is asked for."""
        debug = self.strip(*how, **more)
        os.makedirs(self.path("served"), exist_ok=True)
        served = self.path("served/some.debug")
        os.rename(debug, served)
        return debug[:-len(".debug")], served, "/buildid/%s/debuginfo" % build_id_of(served)

    def record_it(self, program, **how):
        return self.must("record", "-q", "--libs=none", "-o", self.trace, program, **how)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(is_there, what, patience_s=tap.PATIENCE_S):
    """Polls for what takes a moment."""
    end = time.monotonic() + patience_s
    while not is_there():
        if time.monotonic() > end:
            raise tap.Wrong("%s did not come" % what)
        time.sleep(0.05)


@contextlib.contextmanager
def debian_server(case, path, asked):
    """debuginfod(8) over that folder, once it has found the file."""
    url = "http://127.0.0.1:%d" % free_port()
    env = {key: value for key, value in os.environ.items() if key != "DEBUGINFOD_URLS"}
    with open(case.path("server.log"), "wb") as log:
        server = subprocess.Popen(["debuginfod", "-p", url.rpartition(":")[2], "-d", case.path("index"), "-t", "1",
                                   "-F", path], stdout=log, stderr=log, env=dict(env, HOME=case.folder))

    def has_it():
        if server.poll() is not None:
            with open(case.path("server.log"), "rb") as log:
                raise tap.Wrong("debuginfod ended: %s" % log.read()[-500:])
        try:
            return urllib.request.urlopen(url + asked).status == 200
        except urllib.error.URLError:
            return False

    try:
        wait_for(has_it, "the debug file")
        yield url
    finally:
        server.terminate()
        server.wait()


def debian(case):
    """At the end of a recording; later; and without the server, once it is kept."""
    tap.need("debuginfod")
    program, served, asked = case.apart()
    with debian_server(case, os.path.dirname(served), asked) as url:
        case.record_it(program)
        if case.called() & {"outer", "inner"}:
            return "names without DEBUGINFOD_URLS: %s" % case.called()
        out, err = case.must("names", case.trace, env=case.env(url))
        named = "prog: 3 functions named, among them 2 of the 2 that were called, from %s\n" % \
            case.path("cache/%s/debuginfo" % build_id_of(served))
        why = check_called(case, ALL) or (None if out == named and not err else out + err)
        if why:
            return "names: " + why
        os.rename(case.path("cache"), case.path("cache.old"))
        case.record_it(program, env=case.env(url))
        why = check_called(case, ALL)
        if why:
            return "record: " + why
    # Functions of the linker that are in its symbols alone are hooked then, too.
    _, err = case.record_it(program, env=case.env("http://127.0.0.1:1"))
    return err or (None if ALL < case.called() else "with what is kept: %s" % case.called())


def never_while_it_waits(case):
    """When a server is asked, the program is over, and each file without names is asked for once."""
    source = SOURCE.replace("int main(int argc, char **argv) {", """#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) { FILE *f = fopen("pid", "w"); fprintf(f, "%d", getpid()); fclose(f); """)
    program, served, asked = case.apart(source)
    alive = []

    def answer(request):
        with open(case.path("pid"), encoding="ascii") as f:
            pid = f.read()
        try:
            with open("/proc/%s/stat" % pid, encoding="ascii") as f:
                alive.append(f.read())
        except FileNotFoundError:
            pass

    with Server({asked: served}, answer) as server:
        _, err = case.record_it(program, env=case.env(server.url))
        if err or alive or server.asked != [asked]:
            return "asked for %s; the program: %s; %s" % (server.asked, alive, err)
        # Arguments from debug information are looked for before the program runs.
        os.rename(case.path("cache"), case.path("cache.old"))
        server.asked.clear()
        case.must("record", "-q", "-a", "--libs=none", "-o", case.trace, program, env=case.env(server.url))
        if alive or server.asked != [asked]:
            return "with -a: asked for %s; the program: %s" % (server.asked, alive)
        case.must("report", case.trace, env=case.env(server.url))
        case.names(case.trace)
        return check_called(case, ALL) or (None if server.asked == [asked] else "asked again: %s" % server.asked)


def although_it_exports_some(case):
    """A stripped file has names of what it exports: those do not stand for the names that are missing."""
    case.flags = [*case.flags, "-rdynamic"]
    program, served, asked = case.apart(SOURCE + "int spare(int x) { volatile int y = x; return y; }")
    case.record_it(program)
    before = case.called()
    with Server({asked: served}) as server:
        out, err = case.must("names", case.trace, env=case.env(server.url))
        return check_called(case, ALL) or err or (None if server.asked == [asked] and "outer" in before else
                                                  "asked for %s; before %s; %s" % (server.asked, before, out))


def nobody_without_urls(case):
    program, served, asked = case.apart()
    with Server({asked: served}) as server:
        for env in (case.env(""), {k: v for k, v in os.environ.items() if k != "DEBUGINFOD_URLS"}):
            case.record_it(program, env=env)
            case.must("names", case.trace, env=env, status=1)
        return "asked for %s" % server.asked if server.asked else None


def one_that_has_nothing(case):
    program, _, asked = case.apart()
    with Server({}) as server:
        _, err = case.record_it(program, env=case.env(server.url))
        if err or server.asked != [asked]:
            return "asked for %s; %s" % (server.asked, err)
        out, err = case.must("names", case.trace, env=case.env(server.url), status=1)
        return None if "no file with symbols for build-id" in out and not err else out + err


def one_that_lies(case):
    """Another program's file, a piece of the right one, and what is no file of that kind."""
    program, served, asked = case.apart()
    with open(served, "rb") as f:
        right = f.read()
    other = case.strip(SOURCE.replace("outer", "other"), "other.c", "other")
    with open(other, "rb") as f:
        wrong = f.read()
    said = []
    for nr, body in enumerate((wrong, right[:len(right) // 2], right[:100], b"int main;", b"")):
        path = case.write("body", body)
        with Server({asked: path}) as server:
            env = case.env(server.url)
            env["DEBUGINFOD_CACHE_PATH"] = case.path("cache%d" % nr)
            case.record_it(program, env=env)
            said.append(case.must("names", case.trace, env=env, status=1)[1])
            case.record_it(program, env=env)  # by what is kept, too
            if case.called() & {"outer", "other", "inner"}:
                return "body %d: %s" % (nr, case.called())
    expected = "has build-id %s instead of %s" % (build_id_of(other), build_id_of(served))
    return None if expected in said[0] else "\n".join(said)


def hanging():
    """An answer that does not come before release is set; asked is set when it is wanted."""
    asked, release = threading.Event(), threading.Event()

    def answer(request):
        asked.set()
        release.wait()
        return True

    return asked, release, answer


def one_that_hangs(case):
    program, _, _ = case.apart()
    _, release, answer = hanging()
    with Server({}, answer) as server:
        try:
            _, err = case.record_it(program, env=case.env(server.url, DEBUGINFOD_TIMEOUT="2"))
        finally:
            release.set()
    case.must("report", case.trace)
    if err != "fctrace: cannot ask the servers of DEBUGINFOD_URLS (no answer in 2 s): no more debug files are fetched\n":
        return err
    _, err = case.record_it(program, env=case.env("http://127.0.0.1:%d" % free_port()))
    return None if "(Connection refused): no more debug files" in err else err


def interrupted(case, *words):
    """Ctrl-C ends the fetching, and not the command: its trace is whole."""
    program, _, _ = case.apart()
    case.record_it(program)
    asked, release, answer = hanging()
    with Server({}, answer) as server:
        argv = {"names": [case.trace], "record": ["-q", "--libs=none", "-o", case.trace, program]}[words[0]]
        process = subprocess.Popen([case.fctrace, words[0], *argv], env=case.env(server.url), cwd=case.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            if not asked.wait(tap.PATIENCE_S):
                return "the server was not asked"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=tap.PATIENCE_S)
        finally:
            process.kill()
            release.set()
    if process.returncode != (0 if words[0] == "record" else 1):
        return "status %d: %s%s" % (process.returncode, out, err)
    case.must("report", case.trace)
    return None


def shown_on_a_terminal(case):
    program, served, asked = case.apart()
    case.record_it(program)
    wanted, release, _ = hanging()

    def answer(request):
        wanted.set()
        release.wait()

    main, side = pty.openpty()
    with Server({asked: served}, answer) as server:
        process = subprocess.Popen([case.fctrace, "names", case.trace], env=case.env(server.url), cwd=case.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=side)
        os.close(side)
        text = b""
        try:
            while b"fetching the debug file of prog" not in text:
                text += os.read(main, 4096) or b"fetching the debug file of prog: never"
            release.set()
            process.wait(tap.PATIENCE_S)
        except OSError:
            return "the terminal was closed: %r" % text
        finally:
            release.set()
            process.kill()
            os.close(main)
    return check_called(case, ALL) or (None if b"waiting for servers (Ctrl-C: without)" in text else repr(text))


CASES = {
    "Debian's debuginfod has names": debian,
    "no server is asked while the program waits, none twice": never_while_it_waits,
    "a file that exports some functions": although_it_exports_some,
    "nobody is asked without DEBUGINFOD_URLS": nobody_without_urls,
    "a server that has nothing": one_that_has_nothing,
    "a server that lies": one_that_lies,
    "a server that hangs": one_that_hangs,
    "Ctrl-C ends fetching at the end of a recording": lambda case: interrupted(case, "record"),
    "Ctrl-C ends fetching of names": lambda case: interrupted(case, "names"),
    "a terminal shows what is fetched": shown_on_a_terminal,
}


def in_a_folder(suite, check):
    tap.need("objcopy")
    with tempfile.TemporaryDirectory(dir=suite.folder, ignore_cleanup_errors=True) as folder:
        return check(Case(tap.Suite(suite.args, folder)))


def suite_of(suite):
    for name, check in CASES.items():
        suite.run(name, in_a_folder, suite, check)


if __name__ == "__main__":
    tap.main(suite_of)
