#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Greenlets that switch at many depths: greenlets.py N, N rounds; without N until stdin is closed."""
import select
import sys

try:
    import greenlet
except ImportError:
    print("no greenlet")
    sys.exit(0)


def work(number):
    def down(depth):
        if depth:
            return sorted([depth, 0], key=lambda x: down(depth - 1) if x else 0) and depth
        for i in range(6):
            try:
                main.switch(i * number)
            except ValueError:
                raise KeyError(number)
        return 0
    try:
        down(number % 5)
    except KeyError as e:
        return e.args[0]
    return 1


def one_round():
    total = 0
    all_of_them = [greenlet.greenlet(work) for _ in range(12)]
    for turn in range(8):
        for number, one in enumerate(all_of_them):
            if not one.dead:
                total += (one.throw(ValueError) if turn == 4 and number % 3 == 0 else
                          one.switch(number) if not turn else one.switch()) or 0
    all_of_them.append(greenlet.greenlet(work))
    all_of_them[-1].switch(3)  # one that never ends
    return total


main = greenlet.getcurrent()
if len(sys.argv) > 1:
    for _ in range(int(sys.argv[1])):
        result = one_round()
else:
    print("ready", flush=True)
    result = one_round()
    while not select.select([0], [], [], 0)[0]:
        if one_round() != result:
            print("wrong")
            sys.exit(1)
print("ok", result)
