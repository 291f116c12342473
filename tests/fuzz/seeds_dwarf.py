#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""seeds_dwarf.py FOLDER - small inputs for fuzz_dwarf: libraries, and their sections in a row."""
import os
import struct
import subprocess
import sys
import tempfile

SOURCE = """
struct pair { int a, b; };
static int sum(struct pair p) { return p.a + p.b; }
int twice(int v) { struct pair p = { v, v }; return sum(p); }
__attribute__((cold, noinline)) void rare(int *v) { if (*v) *v = twice(*v); }
"""
NAMES = [b"", b".debug_info", b".debug_abbrev", b".debug_line", b".debug_str", b".debug_line_str",
         b".debug_str_offsets", b".debug_addr", b".debug_ranges", b".debug_rnglists", b".gnu_debugaltlink",
         b".gnu_debuglink", b".zdebug_info", b".debug_types", b".debug_loc", b".debug_loclists"]
FLAGS = ["-gdwarf-2", "-gdwarf-4 -O2", "-gdwarf-5 -O2", "-gdwarf-5 -gdwarf64", "-gdwarf-4 -ffunction-sections",
         "-gdwarf-5 -ffunction-sections", "-gdwarf-5 -gsplit-dwarf", "-gdwarf-4 -fdebug-types-section -O1", "-gdwarf-4 -gsplit-dwarf -O1",
         "-g -gz=zlib", "-g -gz=zlib-gnu"]


def sections(image):
    table, (nr, names) = struct.unpack_from("<Q", image, 40)[0], struct.unpack_from("<HH", image, 60)
    names_at = struct.unpack_from("<Q", image, table + 64 * names + 24)[0]
    for at in range(table, table + 64 * nr, 64):
        name, _, flags = struct.unpack_from("<IIQ", image, at)
        off, size = struct.unpack_from("<QQ", image, at + 24)
        begin = names_at + name
        yield image[begin:image.index(b"\0", begin)], flags & 0x800, image[off:off + size]


def row_of(image):
    row = b""
    for name, is_packed, content in sections(image):
        if name in NAMES[1:] and len(content) < 1 << 16:
            row += struct.pack("<BH", NAMES.index(name) | (0x80 if is_packed else 0), len(content)) + content
    return row


def main(folder):
    compilers = [cc for cc in ("gcc", "clang") if subprocess.run(
        ["sh", "-c", "command -v " + cc], stdout=subprocess.DEVNULL, check=False).returncode == 0]
    with tempfile.TemporaryDirectory() as work:
        source, library = os.path.join(work, "s.c"), os.path.join(work, "s.so")
        with open(source, "w", encoding="utf-8") as f:
            f.write(SOURCE)
        for i, (cc, flags) in enumerate((cc, flags) for cc in compilers for flags in FLAGS):
            made = subprocess.run([cc, *flags.split(), "-shared", "-nostdlib", "-fPIC", "-o", library, source],
                                  cwd=work, stderr=subprocess.DEVNULL, check=False)
            if made.returncode:
                continue
            with open(library, "rb") as f:
                image = f.read()
            for form, content in (("so", image), ("row", row_of(image))):
                with open(os.path.join(folder, "seed-%02d.%s" % (i, form)), "wb") as f:
                    f.write(content)


main(sys.argv[1])
