# SPDX-License-Identifier: Apache-2.0
"""JSON lines, read by Python's own parser."""
import collections
import json

from sums import Sum


def read(path):
    sums = collections.defaultdict(Sum)
    with open(path, encoding="utf-8") as f:
        for line in f:
            call = json.loads(line)
            if call["type"] == "call":
                # A call within another of the same function adds nothing to its total.
                sums[call["name"]].add(call["entered"], call.get("self_ns", 0), None)
    return dict(sums)
