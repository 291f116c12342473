# SPDX-License-Identifier: Apache-2.0
"""sections.py - the sections of an ELF file in memory, for who damages some of them."""
import struct


def sections_of(image):
    """Yields (name, offset, size)."""
    table = struct.unpack_from("<Q", image, 40)[0]
    nr, names = struct.unpack_from("<HH", image, 60)
    names_at = struct.unpack_from("<Q", image, table + 64 * names + 24)[0]
    for at in range(table, table + 64 * nr, 64):
        begin = names_at + struct.unpack_from("<I", image, at)[0]
        yield (bytes(image[begin:image.index(b"\0", begin)]),
               *struct.unpack_from("<QQ", image, at + 24))
