#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the exports that are not text must stand: losses, many threads, odd stacks and names, full
disks, damaged traces, long ones.
"""
import collections
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402
import hardship  # noqa: E402
from hardship import little_disk, odd_program  # noqa: E402

FORMATS = ("perfetto", "ctf")
UNUSABLE, INCOMPLETE = 3, 4
ODD_NAMES = {b"odd_name_quotes__": b'a"b\\c */ ??/ %s\'$', b"odd_name_controls": b"tab\tnew\nl\x01\x7f\x1b[2m",
             b"odd_name_letters_": "größe €_".encode() + b"a" * 5,
             b"odd_name_no_utf8_": b"\xff\xfe\x80\xc3(\xe2\x82 etc.....", b"odd_name_octal___": b"\x017\\1017\\x41\\n#{}"}


class Bench(hardship.Bench):
    formats, nr_damages = FORMATS, (120, 20)

    def read(self, form, trace, *options, **how):
        """A format's reader's view of a trace."""
        done = self.export(form, trace, *options, **how)
        if done.is_late or done.status:
            raise RuntimeError("status %d: %s" % (done.status, done.err.decode()))
        return self.readers[form].Trace(self.path("x." + form))

    def differs(self, trace, view):
        """From report, or None."""
        return view.stacks.check() or super().differs(trace, dict(view.stacks.sums))


def stacks(bench, form):
    """Calls of each stack nest, though those of a thread's stacks do not."""
    trace = bench.once("stacks", bench.build("stacks.c"))
    view = bench.read(form, trace)
    if view.stacks.sums["handler"].calls != 5 or view.stacks.sums["coroutine"].calls != 1:
        return "not all calls are there: %s" % dict(view.stacks.sums)
    if len(view.stacks.last_ns) < 2:
        return "there is only one stack"
    return bench.differs(trace, view)


def losses(bench, form):
    """Records that were lost are told, exactly, where they were."""
    trace = bench.once("losses", "--loss=drop", "--ring=64K", bench.build("busy.c"), "4", "30000")
    lost = bench.json("info", trace=trace)["lost"]
    view = bench.read(form, trace)
    if form == "ctf":
        told = sum(fields["records"] for name, _, fields in view.others if name == "lost")
        discarded = [int(nr or -1) for nr in view.discarded]
        if -1 in discarded or sum(discarded) != lost:
            return "babeltrace2 says %s were discarded, info %d" % (discarded, lost)
    else:
        told = view.annotated["lost"]
    if not lost:
        return "nothing was lost: this case shows nothing"
    if told != lost:
        return "%d are told, info says %d" % (told, lost)
    return bench.differs(trace, view)


def flight(bench, form):
    """The newest records only: what was open before them is told as such."""
    trace = bench.once("flight", "--loss=ring=64K", bench.build("busy.c"), "3", "100000")
    return bench.differs(trace, bench.read(form, trace))


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def threads(bench, form):
    """A thousand threads at once need no thousand files, nor much memory."""
    trace = bench.once("threads", bench.build("busy.c"), "1000", "20")
    view = bench.read(form, trace, preexec=few_files)
    if view.stacks.sums["work"].calls != 20000:
        return "work: %s" % view.stacks.sums["work"]
    return bench.differs(trace, view)


def names(bench, form):
    """Any name arrives as JSON lines have it."""
    trace = bench.once("odd", "-m", "odd", odd_program(bench, ODD_NAMES))
    done = bench.run("export", "-f", "jsonl", trace)
    rows = [json.loads(line) for line in done.out.decode().splitlines()]
    wanted = {row["name"] for row in rows if row["type"] == "call"}
    got = set(bench.read(form, trace).stacks.sums)
    if len(wanted) < len(ODD_NAMES) + 1:
        return "the odd names are not in the trace: %s" % sorted(wanted)
    return None if got == wanted else "%s, jsonl has %s" % (sorted(got - wanted),
                                                            sorted(wanted - got))


def filters(bench, form):
    """What -t holds back until it is known to be long is in order, and no more is there than asked for."""
    trace = bench.once("filters", bench.build("mixed.cc"))
    tid = bench.json("info", trace=trace)["strands"][-1]["tid"]
    for options in (["-t", "2us"], ["-t", "20us"], ["-F", "app::Worker::fails"], ["-N", "fib"], ["-D", "3"],
                    ["--tid", str(tid)]):
        done = bench.run("export", "-f", "jsonl", *options, trace)
        wanted = collections.Counter(
            row["name"] for row in map(json.loads, done.out.decode().splitlines())
            if row["type"] == "call" and row["entered"])
        view = bench.read(form, trace, *options)
        got = collections.Counter({name: s.calls for name, s in view.stacks.sums.items() if s.calls})
        if view.stacks.check() or got != wanted or not wanted:
            return "%s: %s %s, jsonl has %s" % (options, view.stacks.check(), got, wanted)
    return None


WRITERS = ("written", "fills", "text")  # of passes.c: they have a parameter that is not const


def what_is_written_is_told(bench):
    """Where a call has written behind its arguments, they are told at its end again."""
    folder = os.path.join(HERE, "../../values")
    program = bench.build(os.path.join(folder, "passes.c"), "-w", "-O2")
    trace = bench.once("written", "-a", "--proto", os.path.join(folder, "passes.h"), program)
    done = bench.run("export", "-f", "jsonl", trace)
    rows = [json.loads(line) for line in done.out.decode().splitlines()]
    view = bench.read("perfetto", trace)
    last = {row["args"] for row in rows if row.get("name") in WRITERS}
    if not last or last != set(view.written) or last & set(view.args):
        return "written: %s, not %s" % (view.written, last)
    return None


def values(bench, form):
    """Arguments and results arrive with their calls, as JSON lines have them."""
    program = bench.build(os.path.join(HERE, "../../values/fails.c"), "-w")
    trace = bench.trace_of(program, options=["-a", "-S", "200"], to="values.data")
    view = bench.read(form, trace)
    done = bench.run("export", "-f", "jsonl", trace)
    rows = [row for row in map(json.loads, done.out.decode().splitlines()) if row["type"] == "call"]
    told = {row["name"]: (row.get("args"), row.get("result")) for row in rows}
    wanted = {"find": ("1", 0), "check": ("1", -5), "far_below": (None, -100000),
              "read_config": ('"/nowhere/else"', -1),
              "open": ('"/nowhere/else", O_RDONLY', -1)}
    wrong = {name: told.get(name) for name, want in wanted.items() if told.get(name) != want}
    if wrong:
        return "jsonl has %s" % wrong
    args = collections.Counter(row["args"] for row in rows if "args" in row)
    if form == "ctf" and view.args != args:
        return "args: %s" % (view.args - args)
    if form == "perfetto":
        wrong = {text for text in ("1", '"/nowhere/else"', '"/nowhere/else", O_RDONLY')
                 if view.args[text] != args[text] or not args[text]}
        nr_args = sum(view.args.values())
        if wrong or nr_args != sum(args.values()):
            return "args: %s, %d of %d" % (wrong, nr_args, sum(args.values()))
        why = what_is_written_is_told(bench)
        if why:
            return why
    if view.results["-1 ENOENT"] != 2 or view.results["BAD"] != 1 or \
            sum(view.results.values()) != sum("result" in row for row in rows):
        return "results: %s" % view.results
    return bench.differs(trace, view)


def nothing(bench, form):
    """A trace without calls is one that others open."""
    trace = bench.once("nothing", "-F", "no_such_function", bench.build("busy.c"))
    view = bench.read(form, trace)
    return "calls: %s" % dict(view.stacks.sums) if view.stacks.sums else None


def full_disk(bench, form):
    """What cannot be written is said, once."""
    trace = bench.once("long", bench.build("busy.c"), "2", "50000")
    done = bench.export(form, trace, preexec=little_disk)
    said = done.err.decode()
    if done.status != 1 or "could not be written whole: File too large" not in said:
        return "status %d: %s" % (done.status, said)
    return None if said.count("\n") == 1 and bench.path("x." + form) in said else said


def no_disk(bench, form):
    """Where nothing can be written nothing is left."""
    trace = bench.once("long", bench.build("busy.c"), "2", "50000")
    done = bench.export(form, trace, preexec=lambda: little_disk(0))
    left = os.path.isdir(bench.path("x." + form))
    return None if done.status == 1 and not left else "status %d, left: %s" % (done.status, left)


def is_part(view, whole):
    """Of what was broken off: some calls that nest as they should, no more than there are. None if so."""
    found = {name: sum(counts.values()) for name, counts in view.counts.items()}
    if view.stacks.wrong:
        return "\n".join(view.stacks.wrong[:10])
    more = [name for name, nr in found.items() if nr > sum(whole.counts[name].values())]
    if more:
        return "more calls than there are of %s" % more
    nr, all_nr = sum(found.values()), sum(sum(c.values()) for c in whole.counts.values())
    return None if 1000 < nr < all_nr else "%d events of %d" % (nr, all_nr)


def full_disk_read(bench, form):
    """What fitted on the disk can be read."""
    trace = bench.once("long", bench.build("busy.c"), "2", "50000")
    whole = bench.read(form, trace)
    bench.export(form, trace, preexec=little_disk)
    return is_part(bench.readers[form].Trace(bench.path("x." + form)), whole)


def interrupted(bench, form):
    """What was written when Ctrl-C came can be read, and fctrace ends as if by the signal."""
    trace = bench.once("long", bench.build("busy.c"), "2", "50000")
    whole = bench.read(form, trace)
    preload = bench.build("interrupt.c", "-shared", "-fPIC", out="interrupt.so")
    done = bench.export(form, trace, env=dict(os.environ, LD_PRELOAD=preload))
    if done.status != 128 + signal.SIGINT or b"until it was broken off" not in done.err:
        return "status %d: %s" % (done.status, done.err.decode())
    return is_part(bench.readers[form].Trace(bench.path("x." + form)), whole)


def no_place(bench, form):
    """A place that cannot be is said, and nothing is left there."""
    trace = bench.once("little", bench.build("busy.c"))
    path = bench.path("no such folder/x")
    done = bench.run("export", "-f", form, "-o", path, trace)
    said = done.err.decode()
    if done.status != 1 or path not in said or said.count("\n") != 1:
        return "status %d: %s" % (done.status, said)
    done = bench.export(form, trace, "--pid", "1")
    if done.status != 1 or os.path.isdir(bench.path("x." + form)):
        return "--pid of no process: status %d, %s" % (done.status, done.err.decode())
    return None


def terminal(bench, form):
    """What is no text, or no one file, is not written to a terminal."""
    trace = bench.once("little", bench.build("busy.c"))
    done = tap.run(["script", "-qec", "%s export -f %s %s" % (bench.fctrace, form, trace),
                    "/dev/null"])
    said = done.out.decode(errors="replace")
    return None if done.status == 2 and "-o F" in said and said.count("\n") == 1 else repr(said[:300])


def suffixes(bench, form):
    """The name of what is written says the format."""
    trace = bench.once("little", bench.build("busy.c"))
    for suffix in {"perfetto": ("pftrace", "perfetto-trace"), "ctf": ("ctf", "2.ctf/")}[form]:
        path = bench.path("little." + suffix)
        done = bench.run("export", "-o", path, trace)
        if done.status:
            return "%s: status %d: %s" % (suffix, done.status, done.err.decode())
        if bench.readers[form].Trace(path).stacks.sums["work"].calls != 1:
            return "%s: work is not in it once" % suffix
    return None


def is_clear(done, form, path):
    """Does it end as it should for a damaged trace? None if so."""
    said = done.err.decode(errors="replace")
    if done.is_late or done.status not in (0, 1, UNUSABLE, INCOMPLETE):
        return "status %d: %s" % (done.status, said)
    if done.status in (UNUSABLE, INCOMPLETE) and said.count("\n") < 1:
        return "status %d without a word" % done.status
    if form == "ctf" and done.status == UNUSABLE and os.path.exists(path):
        return "a folder was left of what is no trace"
    return None


def damaged(bench, form):
    """Any trace: what is left of it is exported in a way that others can read, or one sentence."""
    trace = bench.once("damaged", "--loss=drop", "--ring=64K", bench.build("busy.c"), "3", "3000")
    with open(trace, "rb") as f:
        whole = f.read()
    rng, nr_read = random.Random(6), 0
    for i in range(bench.nr_damages):
        at, nr = rng.randrange(len(whole)), rng.choice((1, 1, 40, 4000))
        bad = whole[:at] + (b"" if i % 3 == 0 else rng.randbytes(nr) + whole[at + nr:])
        done = bench.export(form, bench.write("bad.data", bad))
        why = is_clear(done, form, bench.path("x." + form))
        if why:
            return "damage %d at %d: %s" % (i, at, why)
        if done.status == UNUSABLE:
            continue
        nr_read += 1
        view = bench.readers[form].Trace(bench.path("x." + form))
        if view.stacks.check():
            return "damage %d at %d: %s" % (i, at, view.stacks.check())
    return None if nr_read > bench.nr_damages // 3 else "only %d of %d were read" % (
        nr_read, bench.nr_damages)


def memory_of(bench, form, trace):
    """KiB at most, looked at now and then: ru_maxrss begins with what Python itself has."""
    argv = [bench.fctrace, "export", "-f", form, "-o", bench.fresh(form), trace]
    proc, most = subprocess.Popen(argv), 0
    while proc.poll() is None:
        with open("/proc/%d/status" % proc.pid, encoding="utf-8") as f:
            own = dict(line.split(":", 1) for line in f)
        # A trace that is read is mapped: RssAnon is what the export itself needs.
        most = max(most, int(own.get("RssAnon", "0 kB").split()[0]))
        time.sleep(0.001)
    if proc.returncode:
        raise RuntimeError("%s: status %d" % (form, proc.returncode))
    return most


def memory(bench, form):
    """Ten times the calls need the same memory."""
    found = []
    for rounds in ("200000", "2000000"):
        trace = bench.once("memory" + rounds, bench.build("busy.c"), "4", rounds)
        found.append(memory_of(bench, form, trace))
    print("# %s: %d KiB, then %d KiB" % (form, *found))
    return None if 1000 < found[0] and found[1] < found[0] + 2000 else "%d KiB, then %d KiB" % tuple(found)


CASES = [stacks, losses, flight, threads, names, filters, values, nothing, full_disk, no_place, terminal,
         suffixes, damaged]

# Of a folder, which can be read at any time.
FOLDER_CASES = [no_disk, full_disk_read, interrupted]


def suite_of(suite):
    bench = Bench(suite)
    for nr, form in enumerate(FORMATS):
        # Recordings of millions of calls: the short form exports them to one format, by turns.
        long = [memory] if suite.has_turn("memory", len(FORMATS), nr) else []
        suite.run_all(CASES + long + (FOLDER_CASES if form == "ctf" else []), bench, form,
                      prefix="export %s: " % form)


if __name__ == "__main__":
    tap.main(suite_of)
