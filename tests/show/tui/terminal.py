# SPDX-License-Identifier: Apache-2.0
"""terminal.py - a program in a terminal that is emulated (pyte): keys in, screens out."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

# Debian's packages, whichever python3 comes first in the user's PATH.
sys.path.append("/usr/lib/python3/dist-packages")
import pyte  # noqa: E402

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
import tap  # noqa: E402

KEYS = {
    "Up": "\x1bOA", "Down": "\x1bOB", "Right": "\x1bOC", "Left": "\x1bOD", "Home": "\x1b[1~",
    "End": "\x1b[4~", "PgUp": "\x1b[5~", "PgDn": "\x1b[6~", "Enter": "\r", "Space": " ",
    "F1": "\x1bOP", "Esc": "\x1b", "Tab": "\t", "BackTab": "\x1b[Z", "Backspace": "\x7f",
    "Ctrl-C": "\x03",
}

TIOCGPTPEER = 0x5441  # opens the program's end of the terminal; termios does not have it
LIMIT_S = tap.PATIENCE_S


class Stream(pyte.ByteStream):
    """Three sequences more: a region is scrolled, a character repeated."""

    csi = dict(pyte.ByteStream.csi, S="scroll_up", T="scroll_down", b="repeat")
    events = frozenset(pyte.ByteStream.events | {"scroll_up", "scroll_down", "repeat"})


class Screen(pyte.Screen):
    """ncurses asks for the alternate screen; pyte has but one."""

    def __init__(self, *args):
        super().__init__(*args)
        self.is_alternate = False
        self.last = " "

    def draw(self, data):
        super().draw(data)
        self.last = data[-1:] or self.last

    def repeat(self, nr=1):
        self.draw(self.last * (nr or 1))

    def set_mode(self, *modes, **kwargs):
        super().set_mode(*modes, **kwargs)
        if kwargs.get("private") and 1049 in modes:
            self.is_alternate = True

    def reset_mode(self, *modes, **kwargs):
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and 1049 in modes:
            self.is_alternate = False

    def scroll(self, nr, move):
        top, bottom = self.margins or (0, self.lines - 1)
        was, self.cursor.y = self.cursor.y, bottom if move == self.index else top
        for _ in range(nr or 1):
            move()
        self.cursor.y = was

    def scroll_up(self, nr=1):
        self.scroll(nr, self.index)

    def scroll_down(self, nr=1):
        self.scroll(nr, self.reverse_index)


class Terminal:
    def __init__(self, argv, size=(80, 24), env=None, cwd=None):
        self.screen = Screen(*size)
        self.stream = Stream(self.screen)
        self.bytes = b""
        self.status = None
        env = dict(env or {"PATH": os.environ["PATH"], "HOME": "/", "TERM": "screen-256color",
                           "LC_ALL": "C.UTF-8", "TZ": "UTC"})
        self.pid, self.fd = pty.fork()
        if not self.pid:
            try:
                for sig in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
                    signal.signal(sig, signal.SIG_DFL)  # nohup and "&" may have them ignored
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
                if cwd:
                    os.chdir(cwd)
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(127)

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """Take what comes for so long. False: nothing came, or nothing will."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.bytes += data
        self.stream.feed(data)
        return bool(data)

    def send(self, keys):
        """Words of KEYS, or characters."""
        for key in keys if isinstance(keys, (list, tuple)) else [keys]:
            os.write(self.fd, KEYS.get(key, key).encode())

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        return "\n".join(self.lines())

    def selected(self):
        """The row that the user is on, "" if there is none."""
        for row in range(1, self.screen.lines - 1):
            if self.screen.buffer[row][0].reverse:
                return self.screen.display[row].rstrip()
        return ""

    def wait_for(self, is_there, limit_s=LIMIT_S):
        """Until it is so on the screen. None, or what is wrong."""
        end = time.monotonic() + limit_s
        while not is_there(self):
            if time.monotonic() > end:
                return "not seen in %d s; the screen is\n%s" % (limit_s, self.text())
            if not self.read(0.05) and self.is_over():
                return None if is_there(self) else "it has ended; the screen is\n" + self.text()
        return None

    def wait_text(self, text, limit_s=LIMIT_S):
        why = self.wait_for(lambda t: text in t.text(), limit_s)
        return why and "%r %s" % (text, why)

    def settle(self, limit_s=LIMIT_S):
        """Until all keys were taken, all work is done and nothing more is drawn.

        Told by what the program does, not by how long that takes: it went to sleep at least
        twice with no key left and no thread beside it, and drew nothing in between.
        """
        end, before = time.monotonic() + limit_s, None
        while time.monotonic() < end and not self.is_over():
            is_quiet = not self.read(0)
            now = self.idle() if is_quiet and not self.has_keys() else None
            if now is None or before is None:
                before = now
            elif now != before and not self.read(0):
                return
            time.sleep(0.002)

    def has_keys(self):
        """Were some sent that have not been taken? To ask makes the kernel hand them on."""
        slave = fcntl.ioctl(self.fd, TIOCGPTPEER, os.O_RDWR | os.O_NOCTTY)
        try:
            return bool(select.select([slave], [], [], 0)[0])
        finally:
            os.close(slave)

    def idle(self):
        """How often it has gone to sleep, if it sleeps and is one thread; else None."""
        try:
            with open("/proc/%d/status" % self.pid, encoding="utf-8") as f:
                fields = dict(line.split(":", 1) for line in f if ":" in line)
        except OSError:
            return None
        is_alone = fields["Threads"].strip() == "1" and fields["State"].split()[0] == "S"
        return int(fields["voluntary_ctxt_switches"]) if is_alone else None

    def cpu_ns(self):
        """How long it has been running, on any CPU."""
        return time.clock_gettime_ns(~self.pid << 3 | 2)  # as clock_getcpuclockid() has it

    def press(self, *keys):
        self.send(keys)
        self.settle()
        return self.text()

    def is_over(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def wait_end(self, limit_s=LIMIT_S):
        end = time.monotonic() + limit_s
        while not self.is_over() and time.monotonic() < end:
            self.read(0.05)
        while self.read(0.05):
            pass
        return self.status

    def close(self):
        if not self.is_over():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)
