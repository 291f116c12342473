# SPDX-License-Identifier: Apache-2.0
"""screen.py - a program on a terminal of its own, whose screen can be read and keys be typed."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../show/tui"))
import tap  # noqa: E402
import terminal  # noqa: E402

KEYS = {"up": "\x1bOA", "down": "\x1bOB", "page down": "\x1b[6~", "end": "\x1bOF",
        "home": "\x1bOH", "enter": "\r", "esc": "\x1b"}


class Terminal:
    def __init__(self, argv, columns=80, lines=24, env=None):
        self.screen = terminal.Screen(columns, lines)
        self.stream = terminal.Stream(self.screen)
        self.bytes = b""
        self.master, slave = pty.openpty()
        self._set_size(columns, lines)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **(env or {})}
        self.status = None
        self.pid = os.fork()
        if not self.pid:
            self._become(slave, argv, env)

    def _become(self, slave, argv, env):
        try:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(slave, fd)
            os.execve(argv[0], argv, env)
        finally:
            os._exit(99)

    def _set_size(self, columns, lines):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        self._set_size(columns, lines)

    def type(self, text):
        os.write(self.master, KEYS.get(text, text).encode())

    def read(self, seconds):
        """Take what is written within so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.master], [], [], left)[0]:
                return
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            self.bytes += data
            self.stream.feed(data)

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        return "\n".join(self.lines())

    def wait_for(self, is_it, seconds=tap.PATIENCE_S):
        """Until is_it(text of the screen); whether it came so far."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if is_it(self.text()):
                return True
            self.read(0.05)
        return is_it(self.text())

    def wait_end(self, seconds=tap.PATIENCE_S):
        """How it ended, as waitpid() says; None: it has not."""
        end = time.monotonic() + seconds
        while self.status is None and time.monotonic() < end:
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
                self.read(0.1)
        return self.status

    def is_as_before(self):
        """The terminal's modes."""
        return termios.tcgetattr(self.slave) == self.before

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)
        os.close(self.slave)
