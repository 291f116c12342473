# SPDX-License-Identifier: Apache-2.0
"""columns.py - the ways in which a program is run: bare, under fctrace, under its peers.

A column that this fctrace does not know yet, or whose program is not installed, is there all
the same and says why it has no figures.
"""
import glob
import os
import shutil
import statistics

import tap
import worker as workers

BUDGET = 5  # percent


class Figure:
    """
    What one run came to. What is known of its trace: calls, bytes; None if there is none.
    times_bare: of a column whose rounds had a bare one each beside them.
    """

    def __init__(self, rounds, nr_rounds, info=None):
        self.ns_each = statistics.median(r.ns_each for r in rounds)
        # Sums: what comes now and then, as hooking another process, is a cost, too.
        pairs = [r for r in rounds if r.bare]
        self.times_bare = (sum(r.ns_each for r in pairs) /
                           sum(r.bare.ns_each for r in pairs)) if pairs else None
        self.calls_a_round = info["calls"] / nr_rounds if info else None
        self.bytes_a_call = info["bytes"] / info["calls"] if info and info["calls"] else None


class Column:
    """
    The first round of each run is not counted, for it touches pages and fills caches, unless
    every round is fresh: done by processes of its own. Counted are those that begin when the
    program has worked for after_s, for as long as the table says.

    A machine that others share is half as fast from one second to the next. What is to be told
    to a percent has a bare companion: a second run of the program whose rounds alternate with
    its own, so that each has its own measure.
    """

    is_peer = False
    companion = None  # a column
    after_s = 0
    flags = []
    why_not = None  # a reason why it runs nothing
    must_compile = False

    def __init__(self, name, folder, prefix=()):
        self.name, self.folder, self.prefix = name, folder, list(prefix)

    def can_run(self, program):
        return not self.why_not and (program.is_compiled or not self.must_compile)

    def before(self):
        pass

    def meanwhile(self, worker):
        pass

    def info(self):
        return None

    def run(self, program, seconds):
        """One run of the program: a Figure. Trouble if it fails."""
        self.before()
        workers_of = [program.start(self)]
        try:
            if self.companion:
                workers_of.append(program.start(self.companion, "-beside"))
            rounds, nr = self.rounds(*workers_of, seconds=seconds, is_fresh=program.is_fresh)
            for worker in workers_of:
                worker.end()
        finally:
            for worker in workers_of:
                worker.kill()
        return Figure(rounds, nr, self.info())

    def rounds(self, worker, beside=None, *, seconds, is_fresh):
        """The rounds that count, and how many there were in all."""
        nr = 0 if is_fresh else 1
        if not is_fresh:
            for each in filter(None, (worker, beside)):
                each.round()
        self.meanwhile(worker)
        counted = []
        while not counted or worker_age(counted) < seconds:
            one = worker.round()
            one.bare = beside and beside.round()
            nr += 1
            if one.ran_s >= self.after_s:
                counted.append(one)
        return counted, nr


def worker_age(rounds):
    """Seconds from the first round that counts to the last one's begin."""
    return rounds[-1].at_s - rounds[0].at_s


class Traced(Column):
    """A column that writes a trace of fctrace."""

    def __init__(self, name, folder, fctrace, *options):
        self.fctrace, self.trace = fctrace, os.path.join(folder, "t.data")
        super().__init__(name, folder, [fctrace, "record", *options, "-o", self.trace])

    def before(self):
        for path in (self.trace, self.trace + ".old"):
            if os.path.exists(path):
                os.unlink(path)

    def info(self):
        return tap.fctrace_json(self.fctrace, "info", self.trace)


class Detached(Traced):
    """The program runs bare, is traced for a while and let go; what counts comes after that."""

    ATTACHED = "300ms"

    def __init__(self, name, folder, fctrace):
        super().__init__(name, folder, fctrace)
        self.prefix = []

    def meanwhile(self, worker):
        workers.let_go_again(worker, [self.fctrace, "record", "-o", self.trace, "--for",
                                      self.ATTACHED, "-p", str(worker.proc.pid)])


class Peer(Column):
    """Another tracer. It takes its time: one round counts, of one run."""

    is_peer = True

    def __init__(self, name, folder, program, prefix):
        super().__init__(name, folder, prefix)
        if not tap.have(program):
            self.why_not = program + " is not installed"


class Uftrace(Peer):
    CALL_BYTES = 32  # two records of 16

    def __init__(self, name, folder, flags, *options):
        self.data = os.path.join(folder, "uftrace.data")
        # Not its own limit of depth, and nothing but functions.
        super().__init__(name, folder, "uftrace", [
            "uftrace", "record", "-d", self.data, "--no-libcall", "--no-event", "--force",
            "--max-stack=20000", "-D", "20000", *options])
        self.flags, self.must_compile = flags, "-pg" in flags

    def before(self):
        shutil.rmtree(self.data, ignore_errors=True)

    def info(self):
        """A run in which it saw no function says nothing of its cost."""
        size = sum(os.path.getsize(path) for path in glob.glob(self.data + "/*.dat"))
        if not size:
            raise workers.Trouble("it traced no function")
        return {"calls": size // self.CALL_BYTES, "bytes": size}


def help_of(fctrace, *command):
    return tap.run([fctrace, *command, "--help"]).out.decode(errors="replace")


def needs(column, text, *words):
    """The column says why it is empty unless all words are in a text of help."""
    if not all(word in text for word in words):
        column.why_not = "this fctrace has no " + words[0].strip("|")
    return column


def all_columns(fctrace, folder):
    record, live = help_of(fctrace, "record"), help_of(fctrace)
    loss = "".join(line for line in record.splitlines() if "--loss" in line)
    counting = [fctrace, "-c", "--no-time", "-o", os.path.join(folder, "table")]
    budget = needs(Traced("budget", folder, fctrace, "--budget=%d%%" % BUDGET), record, "--budget")
    bare = Column("bare", folder)
    budget.after_s, budget.companion = 1, bare
    return [
        bare,
        budget,
        Traced("full", folder, fctrace),
        needs(Traced("ring", folder, fctrace, "--loss=ring"), loss, "|ring"),
        needs(Column("count", folder, counting), live, "--no-time"),
        needs(Column("edges", folder, [*counting, "--edges"]), live, "--edges"),
        needs(Traced("off", folder, fctrace, "--off"), record, "--off"),
        Detached("detached", folder, fctrace),
        Uftrace("uf -pg", folder, ["-pg"]),
        # Room for a patch at each entry: without it uftrace leaves many functions out.
        Uftrace("uf -P", folder, ["-fpatchable-function-entry=5"], "-P", "."),
        Peer("callgrind", folder, "valgrind",
             ["valgrind", "-q", "--tool=callgrind", "--trace-children=yes",
              "--callgrind-out-file=" + os.path.join(folder, "callgrind.%p")]),
    ]
