#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A thread is stopped at each instruction of its way, through stubs, the agent and a signal's
handler, and hooks come and go, or all of fctrace does: it never notices.
"""
import mmap
import os
import select
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../.."), os.path.join(HERE, "..")]
import attaching  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

STEPPER = struct.Struct("=iiiiQqQ")  # programs/stepper.c
TID, NR, BEFORE, IS_SET = (4 * i for i in range(4))
FLAG, NR_STEPS = 16, 24

ways = ("small", "plain", "nested", "array", "executable", "locked")
HOW = {"": ["record"], ", with values": ["record", "-a"],
       ", only counted": ["-c", "--no-time"], ", by caller": ["-c", "--no-time", "--edges"]}


class Stepper:
    """What programs/stepper.c shares with us."""

    def __init__(self, bench):
        self.path = bench.path("stepper")
        with open(self.path, "wb") as f:
            f.write(bytes(STEPPER.size))
        with open(self.path, "r+b") as f:
            self.memory = mmap.mmap(f.fileno(), STEPPER.size)
        library = bench.build(os.path.join(HERE, "programs/stepper.c"), "-shared", "-fPIC", out="stepper.so")
        self.env = dict(os.environ, STEPPER=self.path, LD_PRELOAD=library)

    def set(self, at, value, kind="=i"):
        struct.pack_into(kind, self.memory, at, value)

    def get(self, at, kind="=i"):
        return struct.unpack_from(kind, self.memory, at)[0]


class Bench(attaching.Bench):
    def attach_stepped(self, stepper, how, target, *args):
        controller = self.attach(target, "--libs=none", *args, command=how, env=stepper.env)
        ask(controller, "status")  # it has come to where it answers
        return controller


def ask(controller, *words):
    """As fctrace ctl does, and faster."""
    try:
        with attaching.connect(controller.pid) as client:
            client.send(b"".join(word.encode() + b"\0" for word in words))
            return client.recv(65536)
    except ConnectionError:
        raise Wrong("fctrace has ended: " + attaching.said_by(controller)) from None


def has_answered(target):
    return bool(select.select([target.proc.stdout], [], [], 0)[0])


HOOK, UNHOOK, TOUCH = ("hook", "*"), ("unhook", "*"), ("unhook", "spare")
# The first before the way, the others from then on, again and again. Each changes something, for
# which threads are stopped.
IN_USE = (UNHOOK, HOOK, TOUCH), (UNHOOK, HOOK, UNHOOK)
AT_ANY_TIME = (HOOK, UNHOOK, HOOK), (UNHOOK, HOOK, TOUCH, HOOK, UNHOOK)


def go_through(stepper, target, controller, words, steps):
    """steps() says how many instructions the thread executes between two stops."""
    nr, nr_busy, nr_still, before = 1, 0, 0, 0
    ask(controller, *words[0])
    line = target.ask("wait") if words in IN_USE else "in\n"
    if line != "in\n":
        raise Wrong("it says: " + line)
    stepper.set(NR, steps())
    # From here on it does not run by itself.
    if b"in use" not in ask(controller, *words[1]) and words in IN_USE:
        raise Wrong("nothing is in use")
    target.order("pass")
    while not has_answered(target):
        answer = ask(controller, *words[1 + nr % (len(words) - 1)])
        nr += 1
        nr_busy += b"in use" in answer
        moved = stepper.get(NR_STEPS, "=q")
        nr_still, before = nr_still + 1 if moved == before else 0, moved
        if nr_still > 100:
            raise Wrong("it does not come to its end")
        stepper.set(NR, steps())
    stepper.set(NR, 0)
    ask(controller, "hook", "*")
    line = target.line()
    if line != b"passed\n":
        raise Wrong("it says: %s" % line.decode())
    return nr, nr_busy


WORDS = IN_USE + AT_ANY_TIME


def hooks_come_and_go(way, how, *more):
    def check(bench):
        stepper, sums = Stepper(bench), [0, 0]
        target = bench.start("passing", way, *more, steady=False)
        stepper.set(TID, target.pid)
        controller = bench.attach_stepped(stepper, HOW[how], target)
        try:
            for i in range(bench.rounds(4, 24)):
                one = bench.is_long and i < 12
                steps = (lambda: 1) if one else lambda: bench.rng.randrange(1, bench.rng.choice((4, 40, 800)))
                for k, nr in enumerate(go_through(
                        stepper, target, controller, WORDS[i % len(WORDS)], steps)):
                    sums[k] += nr
        except Wrong as wrong:
            if target.has_ended():
                raise Wrong("%s; status %d" % (wrong, target.proc.returncode)) from None
            raise
        err = attaching.stop(controller)
        print("# %s%s: stopped %d times, %d with a function in use; %d instructions" % (
            way, how, *sums, stepper.get(NR_STEPS, "=q")))
        if err and not attaching.HARMLESS.fullmatch(err):
            print("# it said: " + err)
        target.check_unharmed()
    return check


CASES = [("steps: hooks come and go, %s%s" % (way, how), hooks_come_and_go(way, how))
         for how in HOW for way in (ways if not how else ways[:1])]


if __name__ == "__main__":
    tap.main(lambda suite: attaching.run_all(suite, CASES, Bench(suite)), seed=tap.SEED)
