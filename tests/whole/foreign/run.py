#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Files of others: what another file, a process or a folder leads fctrace to harms nobody.
"""
import fcntl
import lzma
import os
import resource
import signal
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import lines  # noqa: E402
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip  # noqa: E402

NOBODY = 65534
LIMIT_MB = 900  # of memory that is taken for a small file
GIB = 1 << 30
PROGRAM = r"""
#include <stdio.h>
__attribute__((noinline)) int twice(int v) { __asm__ volatile(""); return 2 * v; }
int main(void) { printf("%d\n", twice(21)); return 0; }
"""


class Bench(bench.Bench):
    """With a stripped program."""

    flags = ["-O1", "-Wl,--build-id=none"]

    def __init__(self, suite):
        super().__init__(suite)
        self.build("p.c", "-s", out="plain", text=PROGRAM)
        self.build("p.c", "-g", out="whole", text=PROGRAM)

    def shell(self, command):
        subprocess.run(command, shell=True, check=True, cwd=self.folder)

    def start(self, *command, **more):
        """Something else than fctrace."""
        return tap.run(command, cwd=self.folder, **more)

    def list(self, name):
        """`fctrace list`, and why not: it takes long, or much memory, or what it says."""
        return self.run("list", self.path(name), limit_s=30, preexec=limit_memory)

    def limit_memory(self):
        limit_memory()

    def said(self, *args):
        return said(*args)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT_MB << 20, LIMIT_MB << 20))


def said(done, status, *words):
    """None, or how it is not one sentence with these words, and that status."""
    text = "status %d, said %r" % (done.status, done.err[:600])
    lines = done.err.decode(errors="replace").splitlines()
    if done.is_late:
        return "did not end; " + text
    if done.status != status:
        return "expected status %d; %s" % (status, text)
    if len(lines) != (1 if words else 0) or any(not line.startswith("fctrace: ") for line in lines):
        return "expected %s; %s" % ("one sentence" if words else "no word", text)
    missing = [word for word in words if word not in lines[0]]
    return "does not say %s; %s" % (missing, text) if missing else None


# What lies in a file, or is named in it


def a_bomb_in_the_file(b):
    """300 MiB of zeros, in some 45 KB."""
    xz = lzma.LZMACompressor(preset=0)
    with open(b.path("bomb.xz"), "wb") as f:
        for _ in range(300):
            f.write(xz.compress(bytes(1 << 20)))
        f.write(xz.flush())
    b.shell("objcopy --add-section .gnu_debugdata=bomb.xz plain bomb")
    return said(b.list("bomb"), 0, "bomb: its .gnu_debugdata was not read", "256 MiB") or \
        recorded(b, "bomb")


def recorded(b, name):
    """A program with such a file runs, traced, and its functions are told."""
    done = b.record(b.path(name))
    if done.status or done.out != b"42\n":
        return "recorded: status %d, %r, %r" % (done.status, done.out, done.err[:300])
    calls = b.run("report", "--csv", b.path("t.data"))
    return None if calls.status == 0 else "report: %r" % calls.err[:300]


def a_good_debugdata(b):
    """What the bomb is not: names are found in it."""
    b.shell("objcopy -S -K twice -R .comment whole mini 2>/dev/null; "
            "objcopy --only-keep-debug whole full && objcopy -S --remove-section .gdb_index "
            "--remove-section .comment -K twice full mini && xz -fk mini && "
            "objcopy --add-section .gnu_debugdata=mini.xz plain good")
    done = b.list("good")
    return said(done, 0) or (None if b"twice" in done.out else "no name: %r" % done.out[-400:])


def linked(b, name, make):
    """A program whose debuglink leads to what make makes."""
    with open(b.path(name + ".debug"), "w", encoding="utf-8") as f:
        f.write("to be replaced")
    b.shell("objcopy --add-gnu-debuglink=%s.debug plain %s" % (name, name))
    os.unlink(b.path(name + ".debug"))
    make(b.path(name + ".debug"))


def grown(b, size):
    def make(path):
        b.shell("cp whole %s && truncate -s %d %s" % (path, size, path))
    return make


def a_link_to_a_huge_sparse_file(b):
    linked(b, "sparse", grown(b, 40 * GIB))
    linked(b, "sparser", grown(b, 1 << 40))
    return said(b.list("sparse"), 0, "sparse: the debug file that its .gnu_debuglink names") or \
        said(b.list("sparser"), 0)


def a_link_to_a_fifo(b):
    linked(b, "fifo", os.mkfifo)
    return said(b.list("fifo"), 0) or recorded(b, "fifo")


def a_link_out_of_the_folder(b):
    linked(b, "away", lambda path: os.symlink("/dev/tty", path))
    return said(b.list("away"), 0)


def a_library_that_is_a_fifo(b):
    os.mkfifo(b.path("needed.so"))
    b.shell("gcc -shared -o real.so -Wl,-soname,%s p.c && gcc -o needs p.c real.so" %
            b.path("needed.so"))
    return said(b.run("list", b.path("needs"), limit_s=30), 0)


def an_interpreter_that_is_a_fifo(b):
    os.mkfifo(b.path("interpreter"))
    with open(b.path("script"), "w", encoding="utf-8") as f:
        f.write("#!%s\n" % b.path("interpreter"))
    os.chmod(b.path("script"), 0o755)
    return said(b.list("script"), 126, "interpreter", "not a regular file")


def a_file_under_a_lease(b):
    """Whoever opens it would have to wait until its holder gives it up, or for 45 s."""
    b.shell("cp plain leased")
    before = signal.signal(signal.SIGIO, signal.SIG_IGN)
    fd = os.open(b.path("leased"), os.O_RDWR)
    try:
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        return said(b.list("leased"), 125, "leased", "lease")
    finally:
        os.close(fd)
        signal.signal(signal.SIGIO, before)


# How large a file is


def with_segment(b, name, is_code, size):
    """The program, but that its first such segment goes on for size bytes of the file."""
    with open(b.path("plain"), "rb") as f:
        bytes_ = bytearray(f.read())
    phoff, nr = struct.unpack_from("<Q", bytes_, 32)[0], struct.unpack_from("<H", bytes_, 56)[0]
    for at in range(phoff, phoff + nr * 56, 56):
        kind, flags = struct.unpack_from("<II", bytes_, at)
        off, vaddr = struct.unpack_from("<QQ", bytes_, at + 8)
        if kind == 1 and bool(flags & 1) == is_code:
            struct.pack_into("<QQ", bytes_, at + 32, size, size)
            break
    # Those behind it are out of its way.
    for at in range(phoff, phoff + nr * 56, 56):
        if struct.unpack_from("<I", bytes_, at)[0] == 1 and struct.unpack_from("<Q", bytes_, at + 16)[0] > vaddr:
            struct.pack_into("<Q", bytes_, at + 16, struct.unpack_from("<Q", bytes_, at + 16)[0] + (1 << 42))
    with open(b.path(name), "wb") as f:
        f.write(bytes_)
        f.truncate(off + size)
    os.chmod(b.path(name), 0o755)


def huge_sparse_files(b):
    for owner in (0, NOBODY) if os.geteuid() == 0 else (os.geteuid(),):
        b.shell("cp plain huge && truncate -s 100G huge")
        with_segment(b, "code", True, 3 * GIB)
        with_segment(b, "data", False, 30 * GIB)
        for name in ("huge", "code", "data"):
            os.chown(b.path(name), owner, -1)
        wrong = said(b.list("huge"), 126, "huge has more than 64 GiB") or \
            said(b.list("code"), 126, "code: 3072 MiB of code", "are too much") or \
            said(b.list("data"), 126, "MiB of data are too much")
        if wrong:
            return "owned by %d: %s" % (owner, wrong)
    return None


def holes_are_nothing(b):
    """40 GiB of which some KB are there, as a file of another's."""
    b.shell("cp whole holes && truncate -s 40G holes")
    if os.geteuid() == 0:
        os.chown(b.path("holes"), NOBODY, -1)
    done = b.list("holes")
    return said(done, 0) or (None if b"twice" in done.out else "no name: %r" % done.out[-400:])


# Files that change


def a_library_that_becomes_shorter(b):
    b.shell("gcc -O1 -o shorter %s/programs/shorter.c" % HERE)
    library = next(path for path in ("/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
                                     "/usr/lib/x86_64-linux-gnu/libc.so.6", "/lib/libc.so")
                   if os.path.exists(path))
    done = b.run("record", "-o", b.path("t.data"), b.path("shorter"), library, limit_s=120)
    if done.is_late or done.status != 7 or done.out != b"done\n":
        return "status %d, %r, %r" % (done.status, done.out, done.err[-600:])
    return None


# Where is written to


OUTPUTS = [  # words, and what is written: {} is its name
    ("record", "-o", "{}", "./plain"), ("record", "--loss=ring", "-o", "{}", "./plain"),
    ("-o", "{}", "./plain"), ("-c", "-o", "{}", "./plain"), ("top", "-b", "-o", "{}", "./plain"),
    ("export", "-f", "csv", "-o", "{}", "made.data"), ("export", "-f", "html", "-o", "{}", "made.data"),
    ("export", "-f", "ctf", "-o", "{}", "made.data"),
    ("query", "--to-sqlite={}", "made.data"),
]


def made(b):
    if not os.path.exists(b.path("made.data")):
        done = b.run("record", "-o", b.path("made.data"), "./plain")
        assert done.status == 0, done.err
    return b.path("made.data")


def each_output(b, name, look, prepare=lambda: None):
    """The first thing that look(done, words) finds wrong."""
    made(b)
    formats = b.run("export", "--help").out
    for words in OUTPUTS:
        if "html" in words and b"html" not in formats:
            continue
        prepare()
        done = b.run(*[word.replace("{}", name) for word in words])
        wrong = "did not end" if done.is_late else look(done, words)
        if wrong:
            return "%s: %s; status %d, %r" % (" ".join(words), wrong, done.status, done.err[:300])
    return None


def shared_folder(b, name, mode=0o1777, owner=0):
    os.mkdir(b.path(name))
    os.chmod(b.path(name), mode)
    os.chown(b.path(name), owner, -1)
    return b.path(name)


def a_link_of_anothers(b):
    """In a folder where others write: all it leads to is left alone, and is said."""
    for folder in (shared_folder(b, "sticky"), shared_folder(b, "open", 0o777),
                   shared_folder(b, "theirs", 0o755, NOBODY)):
        victim, link = b.path("victim"), os.path.join(folder, "link")
        with open(victim, "w", encoding="utf-8") as f:
            f.write("precious")
        os.symlink(victim, link)
        os.lchown(link, NOBODY, -1)
        os.symlink(b.path("."), os.path.join(folder, "way"))
        os.lchown(os.path.join(folder, "way"), NOBODY, -1)

        def look(done, _):
            with open(victim, encoding="utf-8") as f:
                if f.read() != "precious":
                    return "was written through"
            return None if b"not followed" in done.err or b"exists" in done.err else "is not said"
        wrong = each_output(b, link, look) or \
            each_output(b, os.path.join(folder, "way", "victim"), look) or \
            each_output(b, os.path.join(folder, "way", "new"),
                        lambda done, _: "was made" if os.path.exists(b.path("new")) else None)
        if wrong:
            return folder + ": " + wrong
    return None


def a_fifo_of_anothers(b):
    fifo = os.path.join(shared_folder(b, "fifos"), "fifo")
    os.mkfifo(fifo)
    os.chown(fifo, NOBODY, -1)
    return each_output(b, fifo, lambda done, _: None if b"FIFO" in done.err or b"exists" in done.err or
                       b"no folder" in done.err else "is not said")


def a_file_with_another_name(b):
    """A hard link: record makes a new file, others refuse."""
    folder = shared_folder(b, "hard", 0o777)
    with open(b.path("shadow"), "w", encoding="utf-8") as f:
        f.write("precious")
    path = os.path.join(folder, "link")

    def prepare():
        if os.path.exists(path):
            os.unlink(path)
        os.link(b.path("shadow"), path)

    def look(done, words):
        with open(b.path("shadow"), encoding="utf-8") as f:
            if f.read() != "precious":
                return "was written to"
        if "record" in words:
            return None if done.status == 0 else "failed"
        return None if done.status else "is not said"
    return each_output(b, path, look, prepare)


def ones_own_links(b):
    """What one has put there oneself is followed, anywhere; /dev/stdout is."""
    folder = shared_folder(b, "mine")
    for at in (b.path("own"), os.path.join(folder, "own")):
        for words in OUTPUTS:
            if "ctf" in words or "html" in words or "query" in words:
                continue
            target = b.path("target")
            if os.path.exists(target):
                os.unlink(target)
            if not os.path.islink(at):
                os.symlink(target, at)
            done = b.run(*[word.replace("{}", at) for word in words])
            if done.status or not os.path.exists(target) or not os.path.islink(at):
                return "%s: status %d, %r" % (words, done.status, done.err[:300])
    done = b.run("export", "-f", "csv", "-o", "/dev/stdout", made(b))
    if done.status or b"twice" not in done.out and b"plain" not in done.out:
        return "/dev/stdout: %d, %r" % (done.status, done.err[:300])
    done = b.run("record", "-o", "/dev/null", "./plain")
    return None if done.status == 0 else "/dev/null: %r" % done.err[:300]


def ones_own_fifo(b):
    fifo = b.path("own.fifo")
    os.mkfifo(fifo)
    with open(b.path("from.fifo"), "wb") as f:
        reader = subprocess.Popen(["cat", fifo], stdout=f)
        done = b.run("record", "-o", fifo, "./plain")
        reader.wait(timeout=60)
    info = b.run("info", b.path("from.fifo"))
    return None if done.status == 0 and info.status == 0 else "%r, %r" % (done.err, info.err)


def older_files(b):
    """A user's own fctrace.data.older stays, whatever becomes of the trace."""
    def put(name, text):
        with open(b.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def get(name):
        with open(b.path(name), "rb") as f:
            return f.read()
    put("x.data", "one")
    put("x.data.old", "two")
    put("x.data.older", "mine")
    put("x.data.older.1", "mine, too")
    done = b.run("record", "-o", b.path("x.data"), "./plain")
    if done.status or get("x.data.old") != b"one" or get("x.data.older") != b"mine" or \
            get("x.data.older.1") != b"mine, too":
        return "recorded: %d, %r" % (done.status, done.err)
    b.run("record", "-o", b.path("x.data"), "/nonexistent")
    left = sorted(name for name in os.listdir(b.folder) if name.startswith("x.data"))
    return None if get("x.data.old") == b"one" and get("x.data.older") == b"mine" and \
        left == ["x.data", "x.data.old", "x.data.older", "x.data.older.1"] else left


CASES = [
    ("a small file that unpacks to much", a_bomb_in_the_file),
    ("what unpacks to little is read", a_good_debugdata),
    ("a debuglink to a huge file with holes", a_link_to_a_huge_sparse_file),
    ("a debuglink to a FIFO", a_link_to_a_fifo),
    ("a debuglink to a device", a_link_out_of_the_folder),
    ("a library that is a FIFO", a_library_that_is_a_fifo),
    ("an interpreter that is a FIFO", an_interpreter_that_is_a_fifo),
    ("a file that somebody holds a lease on", a_file_under_a_lease),
    ("huge files are refused", huge_sparse_files),
    ("holes in a file cost nothing", holes_are_nothing),
    ("libraries that become shorter while they are read", a_library_that_becomes_shorter),
    ("a link of another's is not written through", a_link_of_anothers),
    ("a FIFO of another's is not written to", a_fifo_of_anothers),
    ("a file with another name elsewhere is not written to", a_file_with_another_name),
    ("one's own links are followed", ones_own_links),
    ("one's own FIFO is written to", ones_own_fifo),
    ("what is called .older stays", older_files),
] + lines.CASES
NEED_ROOT = (a_link_of_anothers, a_fifo_of_anothers, a_file_with_another_name, ones_own_links)


def for_root(case):
    def as_root(bench):
        if os.geteuid():
            raise Skip("needs root, to be another")
        return case(bench)
    return as_root


def suite_of(suite):
    cases = [(name, for_root(case) if case in NEED_ROOT else case) for name, case in CASES]
    suite.run_all(cases, Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
