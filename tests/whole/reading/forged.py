# SPDX-License-Identifier: Apache-2.0
"""forged.py - packets of events that no fctrace has written, put behind those of a trace."""
import struct

MAGIC = b"\x8ffcP"
FILE_HEAD, PACKET_HEAD, EVENTS, END = 16, 32, 6, 8
RETURN, ENTRY, OTHER, MARK = 0, 1, 3, 6


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


def number(n):
    out = bytearray()
    while n > 0x7f:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    return bytes(out) + bytes([n])


def numbers(data, nr):
    """The first ones of data."""
    found, at = [], 0
    for _ in range(nr):
        n = shift = 0
        while True:
            n |= (data[at] & 0x7f) << shift
            shift += 7
            at += 1
            if not data[at - 1] & 0x80:
                break
        found.append(n)
    return found


def packets(image):
    """Kind, number, payload as stored, and where it begins."""
    at = FILE_HEAD
    while image[at:at + 4] == MAGIC:
        kind, stored, seq = image[at + 4], *struct.unpack_from("<II", image, at + 12)
        yield kind, seq, image[at + PACKET_HEAD:at + PACKET_HEAD + stored], at
        at += PACKET_HEAD + stored


def packet(kind, seq, payload):
    head = MAGIC + struct.pack("<BBHIIIII", kind, 0, PACKET_HEAD, len(payload), len(payload), seq, 0,
                               crc32c(payload))
    return head + struct.pack("<I", crc32c(head)) + payload


def strand(pid, begin, records, func):
    """The payload of a strand of its own; each record is RETURN, ENTRY (of func) or (number, words)."""
    marks = [record for record in records if isinstance(record, tuple)]
    codes = [OTHER if isinstance(record, tuple) else record for record in records]
    codes += [0] * (-len(codes) % 4)
    columns = [
        bytes(a | b << 2 | c << 4 | d << 6 for a, b, c, d in zip(*[iter(codes)] * 4)),
        bytes([MARK] * len(marks)),
        bytes([1] * len(records)),
        number(func) * records.count(ENTRY),
        b"".join(number(mark) + number(len(words)) + b"".join(map(number, words))
                 for mark, words in marks),
        b"",
    ]
    head = [1, 60000, pid, 0, 0, 0, 0, len(records), records.count(ENTRY), begin, len(records), 0]
    lengths = b"".join(number(len(column)) * 2 for column in columns)
    return b"".join(map(number, head)) + lengths + b"".join(columns)


def with_strand(image, records, func):
    """The trace, without its end, with one strand more, which begins where others end."""
    pid = begin = last = end = 0
    for kind, seq, payload, at in packets(image):
        if kind == END:
            break
        last, end = seq, at + PACKET_HEAD + len(payload)
        if kind == EVENTS:
            fields = numbers(payload, 11)
            pid, begin = fields[2], max(begin, fields[9] + fields[10])
    return image[:end] + packet(EVENTS, last + 1, strand(pid, begin, records, func))
