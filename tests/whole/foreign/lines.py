# SPDX-License-Identifier: Apache-2.0
"""lines.py - what lies in debug information, or is named in it: cases of run.py.

A program is recorded, and then something is put in the place of what `--srcline` looks for.
"""
import ctypes
import os
import shutil
import struct
import zlib

GIB = 1 << 30
COMPRESSED = 0x800
FUNCS = 100  # in a unit of its own each
PROGRAM = """
#include <stdio.h>
__attribute__((noinline)) int twice(int v) { __asm__ volatile(""); return 2 * v; }
int main(void) { printf("%d\\n", twice(21)); return 0; }
"""


class Lined:
    """A program, its trace, and how its lines are asked for."""

    def __init__(self, bench, name, *flags):
        self.bench, self.name = bench, name
        self.path, self.trace = bench.build(name + ".c", "-g", *flags, text=PROGRAM), bench.path(name + ".data")
        self.record()

    def record(self):
        done = self.bench.run("record", "-m", self.name, "-o", self.trace, self.path)
        assert done.status == 0, done.err

    def ask(self):
        return self.bench.run("report", "--srcline", "--csv", self.trace, limit_s=30,
                              preexec=self.bench.limit_memory)

    def has_lines(self, line=b".c,3"):
        """None, or that no line is shown."""
        done = self.ask()
        return self.bench.said(done, 0) or (None if line in done.out else "no line: %r" % done.out)

    def has_none(self, *words):
        done = self.ask()
        return self.bench.said(done, 0, *words) or \
            ("a line of %s: %r" % (self.name, done.out) if b".c," in done.out else None)

    def read(self):
        with open(self.path, "rb") as f:
            return f.read()

    def write(self, image):
        os.unlink(self.path)
        with open(self.path, "wb") as f:
            f.write(image)


def sections(image):
    """Of each section: where its header is, and its name."""
    table, nr, names = (*struct.unpack_from("<Q", image, 40), *struct.unpack_from("<HH", image, 60))
    names_at = struct.unpack_from("<Q", image, table + 64 * names + 24)[0]
    for i in range(nr):
        at = table + 64 * i
        name = names_at + struct.unpack_from("<I", image, at)[0]
        yield at, image[name:image.index(b"\0", name)].decode()


def with_section(image, name, content, flags=0):
    """The image, but that this section has this content, which is behind its end."""
    changed = bytearray(image)
    for at, found in sections(image):
        if found == name:
            struct.pack_into("<Q", changed, at + 8, flags)
            struct.pack_into("<QQ", changed, at + 24, len(changed), len(content))
    return bytes(changed) + content


def section(image, name):
    at = next(at for at, found in sections(image) if found == name)
    off, size = struct.unpack_from("<QQ", image, at + 24)
    return image[off:off + size]


def packed(content, size):
    return struct.pack("<IIQQ", 1, 0, size, 1) + content


def bombs(b):
    """1 GiB of zeros, in 1 MB."""
    lined = Lined(b, "packed", "-gz=zlib")
    if lined.has_lines():
        return "before: " + lined.has_lines()
    image, packer = lined.read(), zlib.compressobj(1)
    zeros = b"".join(packer.compress(bytes(1 << 20)) for _ in range(GIB >> 20)) + packer.flush()
    for name in (".debug_info", ".debug_line", ".debug_abbrev", ".debug_str", ".debug_line_str"):
        lined.write(with_section(image, name, packed(zeros, GIB), COMPRESSED))
        done = lined.ask()
        is_there = name in [found for _, found in sections(image)]
        wrong = b.said(done, 0, *([lined.path, "unpacks to too much"] if is_there else []))
        if wrong:
            return "%s: %s" % (name, wrong)
    # A size that is not true, of what is small.
    content = zlib.compress(section(image, ".debug_abbrev"))
    for size in (1 << 62, 1 << 24, 1):
        lined.write(with_section(image, ".debug_abbrev", packed(content, size), COMPRESSED))
        wrong = lined.has_none(lined.path)
        if wrong:
            return "size %d: %s" % (size, wrong)
    return None


def debug_file(b, lined, make):
    """Take the debug information out of the program, and put what make makes in its place."""
    b.shell("objcopy --only-keep-debug {0} {0}.debug && cp {0}.debug {0}.good && strip -g {0} && "
            "objcopy --add-gnu-debuglink={0}.debug {0}".format(lined.name))
    wrong = lined.has_lines()
    os.unlink(lined.path + ".debug")
    make(lined.path + ".debug")
    return "before: " + wrong if wrong else None


def debuglinks(b):
    for name, make in (
            ("to_fifo", os.mkfifo), ("to_folder", os.mkdir),
            ("to_tty", lambda path: os.symlink("/dev/tty", path)),
            ("to_link", lambda path: (os.mkfifo(path + ".fifo"), os.symlink(path + ".fifo", path)))):
        lined = Lined(b, name)
        wrong = debug_file(b, lined, make) or lined.has_none("no debug information was found")
        if wrong:
            return "%s: %s" % (name, wrong)
    return None


def a_huge_sparse_debug_file(b):
    lined = Lined(b, "to_holes")
    return debug_file(b, lined, lambda path: b.shell(
        "cp {0}.good {1} && truncate -s 40G {1}".format(lined.path, path))) or \
        lined.has_none(lined.path, "its .gnu_debuglink names was not read")


def altlinks(b):
    """A file that lies in another's place, and one with the right build-id that is huge."""
    build_id = bytes(range(20))
    lined = Lined(b, "alternate")
    alt = b.path("alternate.alt")
    with open(b.path("altlink"), "wb") as f:
        f.write(b"alternate.alt\0" + build_id)
    b.shell("objcopy --add-section .gnu_debugaltlink=altlink alternate && "
            "gcc -g -Wl,--build-id=0x%s -o good.alt alternate.c" % build_id.hex())
    for make in (os.mkfifo, lambda path: os.symlink("/dev/tty", path),
                 lambda path: b.shell("cp good.alt %s && truncate -s 40G %s" % (path, path)),
                 lambda path: b.shell("truncate -s 40G %s" % path)):
        make(alt)
        wrong = lined.has_lines()
        if wrong:
            return wrong
        os.unlink(alt)
    return None


def assembled(b, name, text, nr_funcs=1):
    """A program whose debug information is text, which tells of functions f0, f1…."""
    lined = Lined(b, name)
    funcs = "".join('__attribute__((noinline)) void f%d(void) { __asm__ volatile("nopl 0(%%rax, %%rax)"); }\n' % i
                    for i in range(nr_funcs))
    calls = "".join("f%d();" % i for i in range(nr_funcs))
    with open(b.path(name + ".c"), "w", encoding="utf-8") as f:
        f.write(funcs + "int main(void) { %s return 0; }\n" % calls)
    with open(b.path(name + ".s"), "w", encoding="utf-8") as f:
        f.write(text)
    b.shell("gcc -O1 -z noexecstack -Wl,--build-id=none -o {0} {0}.c {0}.s".format(name))
    lined.record()
    return lined


def abbrev(*pairs):
    numbers = [1, 0x11, 0, *(n for pair in pairs for n in pair), 0, 0, 0]
    return '.section .debug_abbrev,"",@progbits\n.Labbrev: .uleb128 %s\n' % ", ".join(map(str, numbers))


LOW_PC, HIGH_PC, STMT_LIST, RANGES, COMP_DIR = 0x11, 0x12, 0x10, 0x55, 0x1b
ADDR, DATA4, REF4, SEC_OFFSET = 0x01, 0x06, 0x13, 0x17


def unit(nr, text):
    return ('.section .debug_info,"",@progbits\n.Lunit{0}: .long .Lend{0} - . - 4\n.value 4\n'
            ".long .Labbrev\n.byte 8\n.uleb128 1\n{1}\n.Lend{0}:\n").format(nr, text)


def line_head(end, version=2, line_range=14):
    """A head without folders and with a file."""
    return (".long {0} - . - 4\n.value {1}\n.long 2f - . - 4\n.byte 1, 1, -5, {2}, 13\n"
            ".byte 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1\n"
            '.byte 0\n.asciz "x.c"\n.byte 0, 0, 0, 0\n2:\n').format(end, version, line_range)


def one_program(b, name, program, **head):
    """f0, of which that line program tells."""
    return assembled(b, name, abbrev((LOW_PC, ADDR), (HIGH_PC, DATA4), (STMT_LIST, SEC_OFFSET)) +
                     unit(0, ".quad f0\n.long 1\n.long .Lline\n") +
                     '.section .debug_line,"",@progbits\n.Lline:\n' + line_head("3f", **head) +
                     ".byte 0, 9, 2\n.quad f0\n" + program + "\n3:\n")


END = ".byte 0, 1, 1\n"


def long_programs(b):
    """What a line program can do to be long: rows, addresses, lines, operations that are not."""
    ok = one_program(b, "short", ".byte 23, 1\n.byte 2, 8\n" + END).has_lines(b"x.c,6")
    if ok:
        return ok
    for name, program, words, head in (
            ("rows", ".fill 12000000, 1, 18\n" + END, ["too many parts"], {}),
            ("lines", ".rept 300\n.byte 3\n.sleb128 0x7fffffffffff\n.byte 1\n.endr\n" + END, ["damaged"], {}),
            ("addresses", ".rept 100000\n.byte 2\n.uleb128 0xffffffffffffffff\n.byte 20\n.endr\n" + END, [], {}),
            ("number", ".byte 2\n.fill 5000000, 1, 0x80\n", ["damaged"], {}),
            ("none", ".fill 100, 1, 0\n", ["damaged"], {}),
            ("range", ".byte 20\n" + END, ["damaged"], {"line_range": 0}),
            ("version", ".byte 20\n" + END, ["damaged"], {"version": 77})):
        lined = one_program(b, name, program, **head)
        wrong = b.said(lined.ask(), 0, *words)
        if wrong:
            return "%s: %s" % (name, wrong)
    return None


def shared_programs(b):
    """The line program of each unit begins a little later in the same 6 MB: heads are skipped."""
    units = "".join(unit(i, ".quad f{0}\n.long 1\n.long .Lline{0}".format(i)) for i in range(FUNCS))
    programs = '.section .debug_line,"",@progbits\n' + "".join(
        ".byte 0, .Lafter{0} - .Lline{0} + 1, 0x80\n.Lline{0}:\n{1}.Lafter{0}:\n".format(
            i, line_head(".Lline_end")) for i in range(FUNCS))
    lined = assembled(b, "shared", abbrev((LOW_PC, ADDR), (HIGH_PC, DATA4), (STMT_LIST, SEC_OFFSET)) + units +
                      programs + ".fill 6000000, 1, 18\n" + END + ".Lline_end:\n", FUNCS)
    return b.said(lined.ask(), 0, lined.path, "too often")


def more_rows_than_are_kept(b):
    """Six units of 5 million rows each, with two functions each: all have their lines."""
    units = "".join(unit(i, ".long .Lranges{0}\n.long .Lline{0}".format(i)) for i in range(6))
    ranges = "".join(".Lranges{0}:\n.quad f{0}, f{0} + 1, f{1}, f{1} + 1, 0, 0\n".format(i, i + 6)
                     for i in range(6))
    piece = ".byte 0, 9, 2\n.quad f%d\n.byte 18\n"
    programs = "".join(".Lline%d:\n" % i + line_head(".Lline_end%d" % i) + ".byte 3, %d\n" % (10 * i) +
                       piece % i + ".fill 5000000, 1, 18\n.byte 3, 5\n" + piece % (i + 6) + ".byte 2, 1\n" +
                       END + ".Lline_end%d:\n" % i for i in range(6))
    lined = assembled(b, "many", abbrev((RANGES, SEC_OFFSET), (STMT_LIST, SEC_OFFSET)) + units +
                      '.section .debug_ranges,"",@progbits\n' + ranges +
                      '.section .debug_line,"",@progbits\n' + programs, 12)
    done = lined.ask()
    missing = [i for i in range(12)
               if b"f%d,many,x.c,%d," % (i, 10 * (i % 6) + 1 + 5 * (i // 6)) not in done.out]
    return b.said(done, 0) or ("no line of %s: %r" % (missing, done.out) if missing else None)


def shared_ranges(b):
    """Thousands of units have the same million ranges."""
    units = "".join(unit(i, ".long .Lranges\n.long .Lline") for i in range(3000))
    lined = assembled(b, "ranges", abbrev((RANGES, SEC_OFFSET), (STMT_LIST, SEC_OFFSET)) + units +
                      '.section .debug_line,"",@progbits\n.Lline:\n' + line_head("3f") + "3:\n"
                      '.section .debug_ranges,"",@progbits\n.Lranges:\n'
                      ".rept 1000000\n.quad f0, f0 + 1\n.endr\n.quad 0, 0\n")
    return b.said(lined.ask(), 0, lined.path, "too often")


def units_in_circles(b):
    """A unit that came from itself, in each way, and has nothing else."""
    origins = [(number, REF4) for number in (0x31, 0x47, 0x18, 0x69)]
    lined = assembled(b, "circle", abbrev(*origins) + "".join(
        unit(i, ".long 11, 11, 11, 11") for i in range(3)))
    return lined.has_none()


def damaged_sections(b):
    """Each section is cut off, is empty, or lies elsewhere."""
    lined = Lined(b, "cut")
    image = lined.read()
    names = [name for _, name in sections(image) if name.startswith(".debug_")]
    for name in names:
        content = section(image, name)
        for other in (b"", content[:7], content[:len(content) // 2], b"\xff" * len(content),
                      b"\x80" * 100000, bytes(len(content))):
            lined.write(with_section(image, name, other))
            done = lined.ask()
            if done.is_late or done.status or done.err.count(b"\n") > 1:
                return "%s as %r: %s" % (name, other[:8], b.said(done, 0))
    return None


def notes_in_a_hole(b):
    """Notes that are zeros, of which a small file has 60 GiB, in each section."""
    lined = Lined(b, "notes")
    image = bytearray(lined.read())
    for at, name in list(sections(image))[1:]:
        if name.startswith((".note", ".comment", ".rela", ".init", ".fini", ".debug")):
            struct.pack_into("<I", image, at + 4, 7)
            struct.pack_into("<QQ", image, at + 24, len(image), 60 * GIB - len(image))
    lined.write(bytes(image))
    os.truncate(lined.path, 60 * GIB)
    os.chmod(lined.path, 0o755)
    return b.said(lined.ask(), 0) or \
        b.said(b.run("list", lined.path, limit_s=30, preexec=b.limit_memory), 0)


PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2
NR_PRCTL, NR_SECCOMP, EACCES = 157, 317, 13


def no_filters():
    """From here on nobody may set up a filter of system calls, as in some containers."""
    def jump(value, past):
        return struct.pack("=HBBI", 0x15, 0, past, value)

    def load(off):
        return struct.pack("=HBBI", 0x20, 0, 0, off)

    def back(what):
        return struct.pack("=HBBI", 0x06, 0, 0, what)
    code = load(0) + jump(NR_SECCOMP, 1) + back(0x50000 | EACCES) + jump(NR_PRCTL, 3) + load(16) + \
        jump(PR_SET_SECCOMP, 1) + back(0x50000 | EACCES) + back(0x7fff0000)
    text = ctypes.create_string_buffer(code)
    program = struct.pack("=H6xQ", len(code) // 8, ctypes.addressof(text))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    assert libc.prctl(PR_SET_SECCOMP, FILTER, program) == 0


def without_a_jail(b):
    """Nothing is read by one that could do more; the rest of the report is there."""
    lined = Lined(b, "free")
    done = b.run("report", "--srcline", "--csv", lined.trace, limit_s=30, preexec=no_filters)
    return b.said(done, 0, lined.path, "seccomp") or \
        (None if b"twice" in done.out and b".c," not in done.out else "%r" % done.out)


def in_a_small_place(b):
    """As who is watched itself, has no rights, few descriptors or no first three, lines are there."""
    lined = Lined(b, "narrow")
    report = "exec %s report --srcline --csv %s" % (b.fctrace, lined.trace)
    os.chmod(b.folder, 0o755)
    os.chmod(lined.trace, 0o644)  # its owner lets others read it
    for name, start in (
            ("strace", "exec strace -f -o /dev/null "),
            ("setpriv", "exec setpriv --reuid=65534 --clear-groups --bounding-set=-all "),
            ("unshare", "exec unshare -Ur "), ("unshare", "exec unshare -Urpf --mount-proc "),
            ("sh", "ulimit -n 16; exec "), ("sh", "ulimit -c 0; ulimit -t 100; exec "),
            ("sh", "exec 0<&-; exec "), ("sh", "trap '' CHLD IO XCPU; exec ")):
        if not shutil.which(name) or b.start("sh", "-c", start + "true").status:
            continue
        done = b.start("sh", "-c", start + report[len("exec "):], limit_s=60)
        if done.status or done.err or b"narrow.c,3" not in done.out:
            return "%s: status %d, %r, %r" % (start, done.status, done.err[:300], done.out[:300])
    return None


CASES = [
    ("lines: sections that unpack to much", bombs),
    ("lines: a debuglink to a FIFO, a folder or a device", debuglinks),
    ("lines: a debuglink to a huge file with holes", a_huge_sparse_debug_file),
    ("lines: a common file that is a FIFO, a device or huge", altlinks),
    ("lines: line programs that are long, or wrong", long_programs),
    ("lines: units that share a line program", shared_programs),
    ("lines: more rows than are kept", more_rows_than_are_kept),
    ("lines: units that share ranges", shared_ranges),
    ("lines: units that come from themselves", units_in_circles),
    ("lines: sections that are cut off or overwritten", damaged_sections),
    ("lines: notes in a hole", notes_in_a_hole),
    ("lines: a kernel that refuses filters", without_a_jail),
    ("lines: a reader that is watched, or may do little", in_a_small_place),
]
