#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Programs under load are attached to in every way, told to unhook and hook functions meanwhile, and let
go in every way, or fctrace is killed, again and again: not one of them is harmed.

The long form is evidence: --attaches 5000 --kills 2000 print how many there were.
"""
import os
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../.."), os.path.join(HERE, "..")]
import attaching  # noqa: E402
import tap  # noqa: E402
from tap import Wrong  # noqa: E402

COPIED = os.path.join(HERE, "../../../whole/copied/programs")
ROUNDS_OF_ONE = 20  # so long one target lives

# name, arguments; do its mappings change by themselves?
TARGETS = [("busy", (), False), ("computing", (), True), ("throwing", (), True),
           ("handlers", (), True), ("fibres", (), True), ("deep", (), False),
           ("births", (), False), ("forking", (), True), ("jumping", (), True),
           ("waiting", (), False), ("spawning", (), False), ("slices", (), False)]

# If it is killed while it holds threads, system calls may fail with EINTR, as by SIGSTOP and SIGCONT.
KILLED = [target for target in TARGETS if target[0] != "waiting"]

WANTED = [(), ("--libs=none",), ("--libs=all",), ("--loss=drop",), ("--loss=ring",), ("-F", "*e*"),
          ("--budget", "5%")]
VALUES = [("-a",), ("-a", "--depth-of-values=3"), ("-a", "-y"), ("-Z",)]
GLOBS = ["*", "slow", "deep", "step", "look", "handle", "fib*", "*e*", "malloc", "swapcontext", "work"]


class Bench(attaching.Bench):
    folders = [attaching.PROGRAMS, os.path.join(HERE, "programs"), COPIED]

    def options(self):
        """Half of them with values."""
        chosen = self.rng.choice(WANTED)
        return [*chosen, *(self.rng.choice(VALUES) if self.rng.randrange(2) else ())]

    def begin_at(self, target, *more):
        self.last = [*self.options(), *more]
        return self.begin("-p", str(target.pid), *self.last)

    def command(self, target, controller):
        """Told what to do while it hooks, or traces, or ends: it may be too early, or too late."""
        word = self.rng.choice(("unhook", "hook", "off", "on", "status"))
        globs = self.rng.sample(GLOBS, 2) if word.endswith("hook") else ()
        self.run("ctl", str(self.rng.choice((target.pid, controller.pid))), word, *globs)

    def take_out(self, target):
        done = self.run("detach", str(target.pid))
        if done.is_late:
            raise Wrong("fctrace detach does not end")


def ends(controller, command):
    """As it should."""
    try:
        _, err = controller.communicate(timeout=tap.PATIENCE_S)
    except subprocess.TimeoutExpired:
        controller.kill()
        controller.communicate()
        raise Wrong("fctrace does not end: " + command) from None
    if controller.returncode:
        raise Wrong("%s: status %d: %s" % (command, controller.returncode,
                                           err.decode(errors="replace")[-500:]))


def let_go(bench, target):
    """One attach."""
    how = bench.rng.randrange(3)
    controller = bench.begin_at(target, *(("--for", "%dms" % bench.rng.choice((1, 5, 20, 60)))
                                          if not how else ()))
    command = " ".join(controller.args)
    for _ in range(bench.rng.randrange(4)):
        bench.command(target, controller)
    if how:
        attaching.wait_hooked(target.pid, controller)
    if how == 1:
        controller.send_signal(signal.SIGINT)
    elif how == 2:
        bench.take_out(target)
    ends(controller, command)


def kill(bench, target):
    controller = bench.begin_at(target, "--for", "50ms")
    if bench.rng.randrange(2):
        bench.command(target, controller)
    attaching.kill_after(controller, bench.rng.choice((0.01, 0.03, 0.1, 0.2)) * bench.rng.random() * 2)
    time.sleep(0.003)
    if bench.rng.randrange(2):
        bench.take_out(target)


def spoil(bench, target, what, nr):
    """So many rounds with one target. None, or how it was harmed."""
    for i in range(nr):
        try:
            what(bench, target)
            if target.has_ended():
                raise Wrong("it has ended")
        except Wrong as wrong:
            status = target.proc.poll()
            said = b"" if status is None else target.proc.stdout.read() + target.proc.stderr.read()
            return "%s, round %d: %s; %s; its status: %s %r" % (
                target.name, i, wrong, " ".join(bench.last), status, said[-300:])
    try:
        target.check_end()
    except Wrong as wrong:
        return "%s, at its end: %s; %s" % (target.name, wrong, " ".join(bench.last))
    return None


def harms_nobody(what, nr, targets):
    """nr rounds, over all targets in turn."""
    def check(bench):
        nr_done, harmed = 0, []
        while nr_done < nr:
            bench.rng.shuffle(targets)
            for name, args, steady in targets:
                rounds = min(ROUNDS_OF_ONE, max(1, -(-nr // len(targets))), nr - nr_done)
                if not rounds:
                    break
                why = spoil(bench, bench.start(name, *args, steady=steady), what, rounds)
                bench.end()
                nr_done += rounds
                if why:
                    harmed.append(why)
                if bench.is_long:
                    print("# %d of %d%s" % (nr_done, nr, ": " + why if why else ""), flush=True)
        print("# %s: %d rounds, %d targets harmed" % (what.__name__, nr_done, len(harmed)))
        return "\n".join(harmed)
    return check


def suite_of(suite):
    nr = [suite.args.attaches, suite.args.kills]
    if not suite.is_long:
        nr = [min(n, few) for n, few in zip(nr, (16, 16))]
    attaching.run_all(suite, [
        ("attached to and let go, under load", harms_nobody(let_go, nr[0], TARGETS)),
        ("fctrace is killed, under load", harms_nobody(kill, nr[1], KILLED)),
    ], Bench(suite))


tap.main(suite_of, seed=tap.SEED, attaches={"type": int, "default": 5000},
         kills={"type": int, "default": 2000})
