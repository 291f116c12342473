#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The flight recorder: the newest calls are in the trace, exactly, whatever ended the program.

The programs call functions that spell serial numbers, so that the end of a trace tells which
calls it must hold: all of the last ones, without a gap.
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import Skip, child_of  # noqa: E402

FAILED, USAGE = 125, 2
LINE = re.compile(r"^ *(?:[0-9.]+ [nmu]?s)? *\[ *(\d+)\] \|( *)(.*)$")
FULL_RING = 2500  # serials that a full ring of 1 MiB holds in any case: 12 records each


class Bench(bench.Bench):
    flags = ["-O1", "-fno-optimize-sibling-calls", "-pthread"]

    def __init__(self, suite):
        super().__init__(suite)
        self.flown = self.build("flown.c")

    def anew(self, trace):
        """What was there before is gone."""
        for old in os.listdir(self.folder):
            if old.startswith(trace):
                os.unlink(self.path(old))
        return trace

    def fly(self, *args, trace="t.data", options=(), program=None, **how):
        return self.record(program or self.flown, *args, options=["--loss=ring", *options],
                           to=self.anew(trace), **how)

    def start(self, *args, trace="t.data", options=()):
        return self.begin("--loss=ring", *options, self.flown, *args, to=self.anew(trace),
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          start_new_session=True)

    def replay(self, trace="t.data"):
        return self.must("replay", self.path(trace))[0]

    def threads(self, trace="t.data"):
        """Per thread: its lines as (indent, text)."""
        threads = {}
        for line in self.replay(trace).splitlines():
            found = LINE.match(line)
            if found:
                threads.setdefault(int(found[1]), []).append((len(found[2]), found[3]))
        return threads


def serials(lines):
    """The serial numbers that whole calls of serial() spell, in order."""
    found, digits = [], None
    for _, text in lines:
        if text.startswith("serial() {"):
            digits = None if "begun before" in text else ""
        elif text.startswith("} /* serial */") and digits is not None:
            if len(digits) < 5 and text.strip() != "} /* serial */":
                break  # it says that it was being spelled when this was read
            found.append((int(digits, 16) if len(digits) == 5 else "?" + digits))
            digits = None
        elif digits is not None and re.match(r"d[0-9a-f]\(\)(;| \{)", text):
            digits += text[1]
    return found


def parts(lines):
    """What is between two places where records are said to be missing."""
    found = [[]]
    for line in lines:
        if "not kept" in line[1]:
            found.append([])
        found[-1].append(line)
    return found


def not_in_a_row(found, last, at_least):
    """Why these are not the numbers of 20 bits up to last, each once, at_least so many."""
    if not isinstance(last, int):
        return "the last one is %r" % last
    expected = [n & 0xfffff for n in range(last - len(found) + 1, last + 1)]
    if found != expected:
        wrong = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), 0)
        return "%d serials, expected up to %#x; at %d: %r where %r belongs" % (
            len(found), last, wrong, found[wrong:wrong + 4], expected[wrong:wrong + 4])
    if len(found) < at_least:
        return "only %d serials, expected at least %d" % (len(found), at_least)
    return None


def ended(done, status, said=None):
    wrong = done.trouble()
    if not wrong and done.status != status:
        wrong = "status %d, expected %d: %s" % (done.status, status,
                                                done.err.decode(errors="replace"))
    if not wrong and said and said not in done.err.decode(errors="replace"):
        wrong = "did not say %r: %s" % (said, done.err.decode(errors="replace"))
    return wrong


def open_at_the_end(lines):
    """Names of the calls that never returned, the innermost first."""
    return [re.match(r"(?:\} /\* )?(\w+)", text)[1] for _, text in lines if "no return" in text]


def crashed_in(lines, *names):
    found = open_at_the_end(lines)
    return None if found[:len(names)] == list(names) else (
        "open at the end: %s; expected %s" % (" < ".join(found[:8]), " < ".join(names)))


def only_thread(b, trace="t.data"):
    threads = b.threads(trace)
    if len(threads) != 1:
        raise RuntimeError("%d threads, expected one" % len(threads))
    return next(iter(threads.values()))


def memory_kb(pid):
    """Private and shared pages of a process that are in memory."""
    with open("/proc/%d/status" % pid, encoding="ascii") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1])


# What is kept


def a_short_run_is_whole(b):
    wrong = ended(b.fly("count", "500"), 0, "the end")
    lines = only_thread(b)
    return (wrong or not_in_a_row(serials(lines), 499, 500)
            or ("something was not kept" if "not kept" in b.replay() else None))


def the_newest_calls_are_kept_and_the_others_counted(b):
    wrong = ended(b.fly("count", "300000"), 0, "the end")
    text = b.replay()
    kept = int(b.json("info")["records"])
    before = re.search(r"/\* (\d+) records before this were not kept", text)
    wrong = wrong or not_in_a_row(serials(only_thread(b)), 299999, FULL_RING)
    if wrong or not before:
        return wrong or "does not tell how many records were not kept"
    # 12 records a serial, and those of the program's start and end.
    total = int(before[1]) + kept
    return None if 0 < total - 300000 * 12 < 3000 else "%d records in all" % total


def a_ring_holds_as_much_as_is_asked_for(b):
    """64 KiB hold 8192 words, a sixteenth of which may be heads; 8 MiB hold them all."""
    wrong = ended(b.fly("count", "50000", options=["--loss=ring=64K"]), 0)
    found = serials(only_thread(b))
    wrong = wrong or not_in_a_row(found, 49999, 400)
    if len(found) > 8192 / 12:
        wrong = wrong or "%d serials in 64 KiB" % len(found)
    wrong = wrong or ended(b.fly("count", "50000", options=["--ring=8M"]), 0)
    return wrong or not_in_a_row(serials(only_thread(b)), 49999, 50000)


def the_calls_around_are_known(b):
    wrong = ended(b.fly("count", "300000"), 0)
    text = b.replay()
    for name in ("main", "count"):
        if not re.search(r"\| +%s\(\) \{ /\* begun before \*/" % name, text):
            wrong = wrong or name + " is not shown as begun before"
    return wrong


def of_deep_calls_the_innermost_are_known(b):
    wrong = ended(b.fly("deep", "50000"), 0)
    text = b.replay()
    around = re.search(r"were not kept; (\d+) calls are open around those shown", text)
    if wrong or not around:
        return wrong or "does not say how many calls are open around"
    known = text.count("deep() { /* begun before */")
    if not 50000 < int(around[1]) + known < 50010:
        return "%s around and %d shown" % (around[1], known)
    return not_in_a_row(serials(only_thread(b)), 49999, FULL_RING - 500)


def calls_that_longjmp_leaves(b):
    wrong = ended(b.fly("jumps", "100000"), 0)
    lines = only_thread(b)
    depths = {indent for indent, text in lines if text.startswith("jumped_over() {")
              and "begun before" not in text}
    if len(depths) != 1:
        return "jumped_over() at depths %s" % sorted(depths)
    return wrong or not_in_a_row(serials(lines), 99999, FULL_RING - 800)


def exceptions(b):
    if not tap.have("g++"):
        raise Skip("no g++")
    program = b.build("throwing.cc", "-O1", text="""
#include <cstdio>
extern "C" {
volatile int sink;
__attribute__((noinline)) void leaf(int i) { sink += i; }
__attribute__((noinline)) void throws(int i) { leaf(i); throw i; }
__attribute__((noinline)) void between(int i) { throws(i); leaf(i); }
__attribute__((noinline)) void catches(int i) { try { between(i); } catch (int n) { leaf(n); } }
}
int main() { for (int i = 0; i < 20000; i++) catches(i); puts("done"); }
""")
    wrong = ended(b.fly(program=program), 0)
    lines = only_thread(b)
    depths = {indent for indent, text in lines if text.startswith("catches() {")
              and "begun before" not in text}
    nr = sum(text.startswith("catches() {") for _, text in lines)
    if len(depths) != 1 or nr < 500:
        return "%d catches() at depths %s" % (nr, sorted(depths))
    return wrong


def each_thread_has_its_own(b):
    wrong = ended(b.fly("threads", "30000"), 0)
    counting = [lines for lines in b.threads().values() if serials(lines)]
    if len(counting) != 8:
        wrong = wrong or "%d threads counted, expected 8" % len(counting)
    for lines in counting:
        wrong = wrong or not_in_a_row(serials(lines), 29999, FULL_RING)
    return wrong


def of_many_threads_the_last_are_kept(b):
    wrong = ended(b.fly("births", "1500"), 0)
    counting = [lines for lines in b.threads().values() if serials(lines)]
    if len(counting) < 60:
        wrong = wrong or "%d threads are kept" % len(counting)
    for lines in counting:
        wrong = wrong or not_in_a_row(serials(lines), 99, 100)
    return wrong


def a_program_that_executes_another(b):
    wrong = ended(b.fly("exec", "100"), 0)
    lines = only_thread(b)
    found = serials(lines)
    return wrong or (None if found == list(range(100)) + list(range(7)) else repr(found[-20:]))


def a_filter_is_applied_when_it_is_written(b):
    wrong = ended(b.fly("count", "100000", options=["-F", "serial", "-D", "1"]), 0)
    lines = only_thread(b)
    nr = sum(text.startswith("serial();") for _, text in lines)
    if any(re.match(r"d[0-9a-f]\(", text) for _, text in lines):
        wrong = wrong or "calls that are too deep are there"
    return wrong or (None if nr >= FULL_RING else "%d calls" % nr)


# What ends it


def a_fault(b):
    done = b.fly("fault", "100000")
    wrong = ended(done, 128 + signal.SIGSEGV, "was killed by SIGSEGV")
    if done.err.count(b"is written") != 1:
        wrong = wrong or "written more than once: %r" % done.err
    lines = only_thread(b)
    found = serials(lines)
    return (wrong or crashed_in(lines, "faulty", "careless", "main")
            or (None if found[-1] == 0xabcde else "last serial %r" % found[-1:])
            or not_in_a_row(found[:-1], 99999, FULL_RING))


def an_abort(b):
    wrong = ended(b.fly("abort", "1000"), 128 + signal.SIGABRT, "was killed by SIGABRT")
    lines = only_thread(b)
    found = [name for name in open_at_the_end(lines)]
    if "aborting" not in found or found.index("aborting") > 5:
        return "open at the end: %s" % found[:8]
    return wrong or (None if serials(lines)[-1] == 0xabcde else "last serial is missing")


def a_stack_that_is_used_up(b):
    wrong = ended(b.fly("overflow", "1000"), 128 + signal.SIGSEGV, "was killed by SIGSEGV")
    found = open_at_the_end(only_thread(b))
    return wrong or (None if found[:1000] == ["endless"] * 1000 else "open: %s" % found[:5])


def a_kill(b):
    wrong = ended(b.fly("kill", "100000"), 128 + signal.SIGKILL, "the end")
    return wrong or not_in_a_row(serials(only_thread(b)), 99999, FULL_RING)


def a_fault_in_a_thread(b):
    wrong = ended(b.fly("crashing-thread", "30000"), 128 + signal.SIGSEGV,
                  "was killed by SIGSEGV")
    threads = b.threads()
    crashed = [lines for lines in threads.values() if "faulty" in open_at_the_end(lines)]
    if len(crashed) != 1 or len([1 for lines in threads.values() if serials(lines)]) != 5:
        return wrong or "%d threads, %d crashed" % (len(threads), len(crashed))
    return wrong or crashed_in(crashed[0], "faulty", "careless")


def a_fault_in_a_child(b):
    """Its dump comes at once, the parent goes on; at the end there is a second one."""
    done = b.fly("children", "2000")
    wrong = ended(done, 0, "was killed by SIGSEGV")
    said = done.err.decode().splitlines()
    if len(said) != 2 or "t.data.2" not in said[1]:
        wrong = wrong or "said %r" % said
    children = [lines for lines in b.threads().values() if serials(lines)]
    if len(children) != 5:
        wrong = wrong or "%d children, expected 5" % len(children)
    crashed = [lines for lines in children if "faulty" in open_at_the_end(lines)]
    return wrong or (None if len(crashed) == 1 else "%d crashed" % len(crashed))


# What a dump is written on


def a_signal_to_the_program(b):
    """The program gets it, and the trace ends where it came."""
    done = b.fly("signal", "20000", options=["--dump-on", "SIGUSR2"])
    wrong = ended(done, 0, "SIGUSR2 came to process")
    if done.out != b"2 signals\n":
        wrong = wrong or "the program printed %r" % done.out
    for trace in ("t.data", "t.data.2"):
        lines = only_thread(b, trace)
        wrong = wrong or not_in_a_row(serials(lines)[-FULL_RING:], 19999, FULL_RING)
        if "raise" not in open_at_the_end(lines):
            wrong = wrong or "%s: raise() is not open at the end: %s" % (
                trace, open_at_the_end(lines))
    return wrong or not_in_a_row(serials(only_thread(b, "t.data.3"))[-100:], 99, 100)


def a_signal_to_fctrace(b):
    """Only fctrace notices. What is written meanwhile is readable, and recording goes on."""
    job = b.start("serve", "5000", options=["--dump-on", "SIGUSR2"])
    wrong = None
    for i, trace in enumerate(("t.data", "t.data.2", "t.data.3")):
        job.stdin.write("go\n")
        job.stdin.flush()
        if job.stdout.readline() != "0\n":
            wrong = wrong or "the program got the signal"
        if i < 2:
            job.send_signal(signal.SIGUSR2)
            said = job.stderr.readline()
            if "SIGUSR2 came to fctrace" not in said or trace not in said:
                wrong = wrong or "said %r" % said
    out, err = job.communicate(timeout=tap.PATIENCE_S)
    if out != "0 signals\n" or "the end" not in err or job.returncode:
        wrong = wrong or "ended with %d: %r, %r" % (job.returncode, out, err)
    for i, trace in enumerate(("t.data", "t.data.2", "t.data.3")):
        found = serials(only_thread(b, trace))
        if found[-1] != 0x77700 + i:
            wrong = wrong or "%s ends with serial %r" % (trace, found[-1:])
        wrong = wrong or not_in_a_row(found[-FULL_RING:-1], 4999, FULL_RING - 1)
    return wrong


def a_signal_that_fctrace_uses(b):
    """Its own threads send it SIGUSR1: only what others send writes a trace."""
    done = b.fly("count", "10", options=["--dump-on", "SIGUSR1"])
    if b"came to fctrace" in done.err:
        return "nobody sent it: %r" % done.err
    return ended(done, 0, "t.data is written: the end")


def a_function(b):
    """The trace ends with its entry: it has not done anything yet."""
    done = b.fly("requests", "3000", options=["--dump-on", "pausing"])
    wrong = ended(done, 0, "t.data is written: pausing() was called in process")
    if done.err.count(b"is written") != 4:
        wrong = wrong or "said %s" % done.err.decode()
    for i in range(3):
        lines = only_thread(b, "t.data" + ("" if not i else ".%d" % (i + 1)))
        found = serials(lines)
        wrong = (wrong or crashed_in(lines, "pausing", "handle_request", "main")
                 or not_in_a_row(found, i * 1000 + 999, 900))
    return wrong


def a_function_that_is_slow(b):
    """The trace ends with the return of the slow call; quick ones are not told of."""
    done = b.fly("requests", "3000", options=["--dump-on", "handle_re*>40ms"])
    wrong = ended(done, 0)
    said = re.findall(r"(t\.data[.0-9]*) is written: handle_request\(\) took ([0-9.]+) ms",
                      done.err.decode())
    # On a busy machine others may be slow, too: the program knows.
    slow = [(int(i), float(ms)) for i, ms in re.findall(r"(\d+) took ([0-9.]+) ms",
                                                        done.out.decode())]
    at, told = 0, {}
    for trace, ms in said:
        lines = only_thread(b, trace)
        found = serials(lines)
        wrong = wrong or not_in_a_row(found, found[-1], min(900, found[-1] + 1))
        last = [text for _, text in lines if "no return" not in text and text[:2] != "/*"][-1]
        while not wrong and at < len(slow) and slow[at][0] < found[-1]:
            at += 1
        if at == len(slow) or slow[at][0] != found[-1] or not 40 <= float(ms) <= slow[at][1]:
            wrong = wrong or "%s: %s took %s ms; the program says %s" % (trace, found[-1:], ms, slow)
        if last != "} /* handle_request */":
            wrong = wrong or "%s ends with %s" % (trace, lines[-4:])
        told[found[-1]] = float(ms)
    if any(told.get(i, 0) < 60 for i in (999, 1999, 2999)):
        wrong = wrong or "said %s" % done.err.decode()
    return wrong


def a_dump_takes_no_time_of_the_calls_around_it(b):
    """A thread waits while rings are copied: no call is slow for that, and the trace tells."""
    limit_ms = 9000
    for _ in range(2):
        done = b.fly("busy-request", "30", options=[
            "--dump-on", "serial", "--dump-on", "busy_request>%dus" % (limit_ms * 1000)])
        wrong = ended(done, 0, "serial() was called")
        waits = [re.search(r"waited ([0-9.]+) ([mu]?)s", text)
                 for _, text in only_thread(b, "t.data.31") if "waited" in text]
        if wrong or len(waits) != 30:
            return wrong or "waits: %s" % waits
        # The second time, half of what it waits in all is too much.
        limit_ms = sum(float(w[1]) * {"u": 1e-3, "m": 1, "": 1e3}[w[2]] for w in waits) / 2
    return "said %s" % done.err if b"busy_request() took" in done.err else None


def functions_that_are_watched_are_recorded_as_others(b):
    options = [word for glob in ("serial", "d?", "count", "deep", "jump*", "c*", "throws", "m*",
                                 "thread", "faulty") for word in ("--dump-on", glob + ">9s")]
    wrong = ended(b.fly("count", "50000", options=options), 0)
    wrong = wrong or not_in_a_row(serials(only_thread(b)), 49999, FULL_RING)
    wrong = wrong or ended(b.fly("deep", "20000", options=options), 0)
    wrong = wrong or not_in_a_row(serials(only_thread(b)), 19999, FULL_RING - 500)
    wrong = wrong or ended(b.fly("jumps", "20000", options=options), 0)
    wrong = wrong or not_in_a_row(serials(only_thread(b)), 19999, FULL_RING - 800)
    wrong = wrong or ended(b.fly("threads", "10000", options=options), 0)
    for lines in b.threads().values():
        if serials(lines):
            wrong = wrong or not_in_a_row(serials(lines), 9999, FULL_RING)
    wrong = wrong or ended(b.fly("fault", "1000", options=options), 128 + signal.SIGSEGV)
    wrong = wrong or crashed_in(only_thread(b), "faulty", "careless", "main")
    wrong = wrong or ended(b.fly("children", "1000", options=options), 0)
    if os.path.exists(b.path("throwing")):
        wrong = wrong or ended(b.fly(program=b.path("throwing"), options=options), 0)
        depths = {indent for indent, text in only_thread(b) if text.startswith("catches() {")
                  and "begun before" not in text}
        wrong = wrong or (None if len(depths) == 1 else "depths %s" % sorted(depths))
    return wrong


def a_function_that_is_called_all_the_time(b):
    """It does not fill the disk, and its calls do not wait for ever."""
    done = b.fly("count", "20000", options=["--dump-on", "serial"])
    wrong = ended(done, 0, "fctrace: these were 99 dumps, the most there are: one more is written "
                  "at the end; --dump-on 'FUNCTION#N' asks for one call\n")
    nr = len([f for f in os.listdir(b.folder) if f.startswith("t.data")])
    # One place was kept for the end.
    last = b.must("info", b.path("t.data.100"))[0]
    return wrong or (None if nr == 100 and "written at this: the end" in last else
                     "%d traces, the last: %s" % (nr, last[-800:]))


def one_call_of_many(b):
    """That one only, whatever else is asked of the function, counted over children and threads."""
    done = b.fly("count", "30000", options=["--dump-on", "serial#20001", "--dump-on", "dsix#1",
                                               "--dump-on", "serial#7", "--dump-on", "serial>9s"])
    wrong = ended(done, 0, "t.data is written: serial() was called (#7) in process")
    wrong = wrong or ended(done, 0, "t.data.2 is written: serial() was called (#20001) in process")
    if done.err.count(b"is written") != 3:
        wrong = wrong or "said %s" % done.err.decode()
    wrong = wrong or not_in_a_row(serials(only_thread(b)), 5, 6)
    wrong = wrong or not_in_a_row(serials(only_thread(b, "t.data.2")), 19999, FULL_RING)
    for mode, nr in (("children", 5), ("threads", 8)):
        done = b.fly(mode, "100", options=["--dump-on", "serial#%d" % (100 * nr),
                                              "--dump-on", "serial#%d" % (100 * nr + 2)])
        if done.err.count(b"serial() was called (#%d)" % (100 * nr)) != 1:
            wrong = wrong or "said %s" % done.err.decode()
        if mode == "threads" and done.err.count(b"was called") != 1:
            wrong = wrong or "said %s" % done.err.decode()
    return wrong


def one_slow_call_of_many(b):
    done = b.fly("requests", "3000", options=["--dump-on", "handle_re*>40ms#2"])
    wrong = ended(done, 0)
    said = re.findall(r"handle_request\(\) took ([0-9.]+) ms \(#2\)", done.err.decode())
    if len(said) != 1 or done.err.count(b"is written") != 2:
        wrong = wrong or "said %s" % done.err.decode()
    return wrong or not_in_a_row(serials(only_thread(b)), 1999, 900)


def one_call_of_a_function_that_is_hooked_at_its_entry_only(b):
    done = b.fly("jumps", "100", options=["--dump-on", "_setjmp#40"])
    wrong = ended(done, 0, "setjmp() was called (#40) in process")
    if done.err.count(b"is written") != 2:
        wrong = wrong or "said %s" % done.err.decode()
    calls = [text for _, text in only_thread(b) if text.startswith("_setjmp()")]
    return wrong or (None if len(calls) == 40 else "%d calls" % len(calls))


def two_patterns_of_one_function(b):
    """One of them is heeded, the one that tells of more; what that leaves out is said."""
    said = "--dump-on 'seria*': of functions that match another --dump-on as well, only that one tells"
    done = b.fly("count", "30", options=["--dump-on", "seria*#3", "--dump-on", "serial>9s"])
    wrong = ended(done, 0, said)
    if done.err.count(b"only that one") != 1 or b"was called" in done.err:
        wrong = wrong or "said %s" % done.err.decode()
    done = b.fly("count", "30", options=["--dump-on", "seria*", "--dump-on", "serial#3"])
    wrong = wrong or ended(done, 0, "t.data.30 is written: serial() was called in process")
    return wrong or ("said %s" % done.err.decode() if b"only that one" in done.err else None)


def a_function_that_is_not_there(b):
    return ended(b.fly("count", "5", options=["--dump-on", "nosuch*>1ms"]), 0,
                 "--dump-on 'nosuch*': no function that matches is hooked with its exit\n")


NOT_YET = ("--dump-on 'nosuch': no function that matches is hooked so far; "
           "what is loaded or executed later is looked at, too\n")


def a_mistyped_function_is_told_while_the_program_runs(b):
    """One line as soon as all is hooked that it starts with; what is there is not named."""
    for static in (False, True):
        program = b.build("spelt.c", *["-static"] * static, text="#include <unistd.h>\n"
                          "int main() { char c; return read(0, &c, 1); }")
        job = b.begin("--loss=ring", "--dump-on", "nosuch", "--dump-on", "main>9s", "--dump-on", "read>9s",
                      program, stdin=subprocess.PIPE, text=True)
        said = job.stderr.readline()  # it waits for its end of file
        rest = job.communicate(timeout=tap.PATIENCE_S)[1]
        if not said.endswith(NOT_YET) or rest.count("--dump-on") != 1:
            return "static: %s, said %r, then %r" % (static, said, rest)
    return None


def a_mistyped_function_is_told_when_attached(b):
    target = subprocess.Popen([b.flown, "serve", "5"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    job = b.begin("--loss=ring", "--dump-on", "nosuch", "--dump-on", "serial>9s", "-p", str(target.pid),
                  text=True)
    said = job.stderr.readline()
    target.communicate(timeout=tap.PATIENCE_S)
    rest = job.communicate(timeout=tap.PATIENCE_S)[1]
    return None if said.endswith(NOT_YET) and rest.count("--dump-on") == 1 else (
        "said %r, then %r" % (said, rest))


def a_function_of_what_is_loaded_later(b):
    """It is missed at the start, but not at the end, and its call is heeded."""
    library = b.build("late.c", "-shared", "-fPIC", out="late.so",
                      text="volatile int x; void nosuch(void) { x++; }")
    program = b.build("loads.c", text="#include <dlfcn.h>\nint main(int c, char **v) { void (*f)(void) = "
                      "dlsym(dlopen(v[1], RTLD_NOW), \"nosuch\"); f(); return 0; }")
    done = b.fly(library, program=program, options=["--dump-on", "nosuch"])
    wrong = ended(done, 0, "t.data is written: nosuch() was called in process")
    said = [line for line in done.err.decode().splitlines(True) if "--dump-on" in line]
    return wrong or (None if len(said) == 1 and said[0].endswith(NOT_YET) else repr(said))


def dumps_while_threads_run(b):
    """Taken at any moment: no thread's calls have a gap or are out of order."""
    job = b.start("busy-threads", options=["--dump-on", "SIGUSR2"])
    job.stdout.readline()
    said = []
    for _ in range(8):
        job.send_signal(signal.SIGUSR2)
        said.append(job.stderr.readline())
    job.communicate(timeout=tap.PATIENCE_S)
    wrong = next(("it said " + line for line in said if "SIGUSR2" not in line), None)
    for trace in sorted(f for f in os.listdir(b.folder) if f.startswith("t.data")):
        for lines in b.threads(trace).values():
            for part in parts(lines):
                found = serials(part)
                if found:
                    wrong = wrong or not_in_a_row(found, found[-1], 1)
    return wrong


# fctrace dump


def dump(b, pid, trace="d.data", options=()):
    if os.path.exists(b.path(trace)):
        os.unlink(b.path(trace))
    return b.run("dump", "-o", b.path(trace), *options, str(pid))


def say_go(job):
    job.stdin.write("go\n")
    job.stdin.flush()
    return job.stdout.readline()


def ends_with(b, last, at_least, trace="d.data"):
    found = serials(only_thread(b, trace))
    if found[-1:] != [last]:
        return "%s ends with serial %r" % (trace, found[-1:])
    return not_in_a_row(found[-FULL_RING:-1], 4999, at_least)


def a_process_while_it_is_recorded(b):
    job = b.start("serve", "5000")
    say_go(job)
    wrong = ended(dump(b, child_of(job.pid)), 0, "d.data is written")
    wrong = wrong or ends_with(b, 0x77700, FULL_RING - 1)
    text = b.replay("d.data")
    if not re.match(r"#.*\n.*/\* \d+ runs ", text):
        wrong = wrong or "a call was ended by what it ran in: %s" % text[:500]
    say_go(job)
    out, err = job.communicate(timeout=tap.PATIENCE_S)
    if out != "0 signals\n" or job.returncode or err.count("is written") != 1:
        wrong = wrong or "ended with %d: %r, %r" % (job.returncode, out, err)
    found = serials(only_thread(b))
    return wrong or (None if found[-1] == 0x77701 else "the end is at %r" % found[-1:])


def a_dump_goes_where_the_recorder_writes(b):
    """If that still lives; wherever the dump is asked for."""
    job = b.start("serve", "5000")
    say_go(job)
    child, elsewhere = child_of(job.pid), b.path("elsewhere")
    os.makedirs(elsewhere, exist_ok=True)
    wrong = ended(b.run("dump", str(child), cwd=elsewhere), 0,
                  "fctrace: %s is written" % os.path.realpath(b.trace))
    wrong = wrong or ends_with(b, 0x77700, FULL_RING - 1, b.trace)
    if os.listdir(elsewhere):
        wrong = wrong or "it left %s" % os.listdir(elsewhere)
    job.kill()
    job.wait()
    wrong = wrong or ended(b.run("dump", str(child), cwd=elsewhere), 0, "fctrace: fctrace.data is")
    if os.listdir(elsewhere) != ["fctrace.data"]:
        wrong = wrong or "without it there is %s" % os.listdir(elsewhere)
    b.run("detach", str(child))
    job.stdin.close()
    return wrong


def a_process_whose_fctrace_was_killed(b):
    """It goes on recording: what was called before and since is there, with its names."""
    job = b.start("serve", "5000")
    say_go(job)
    child = child_of(job.pid)
    job.kill()
    job.wait()
    for _ in range(3):
        say_go(job)
    wrong = ended(dump(b, child), 0, "d.data is written")
    wrong = wrong or ends_with(b, 0x77703, FULL_RING - 1)
    say_go(job)
    wrong = wrong or ended(dump(b, child, "d2.data"), 0)
    wrong = wrong or ends_with(b, 0x77704, FULL_RING - 1, "d2.data")
    info = b.must("info", b.path("d2.data"))[0]
    if not re.search(r"^command .*flown serve 5000$", info, re.M) or \
            not re.search(r"^ +\d+ entry only: why is not known to a dump$", info, re.M):
        wrong = wrong or info
    text = b.replay("d2.data")
    for name in ("main", "count", "_IO_file_write"):
        if not re.search(r"\| +%s\(\)" % name, text):
            wrong = wrong or name + "() is not there"
    wrong = wrong or ended(b.run("detach", str(child)), 0)
    wrong = wrong or ended(dump(b, child, "d3.data"), 1, "nothing of fctrace")
    out, _ = job.communicate(timeout=tap.PATIENCE_S)
    return wrong or (None if out == "0 signals\n" else "it printed %r" % out)


def a_busy_process_whose_fctrace_was_killed(b):
    job = b.start("endless", "10000")
    ready, child = job.stdout.readline(), child_of(job.pid)
    job.kill()
    job.wait()
    wrong = ended(dump(b, child), 0)
    tap.kill_session(job.pid)
    job.communicate()
    found = serials(parts(only_thread(b, "d.data"))[-1])
    return wrong or not_in_a_row(found, found[-1], 100) or (
        None if ready == "ready\n" else "it says %r" % ready)


def a_dump_with_a_filter(b):
    job = b.start("serve", "5000")
    say_go(job)
    wrong = ended(dump(b, child_of(job.pid), options=["-F", "d5"]), 0)
    job.communicate(timeout=tap.PATIENCE_S)
    names = {text.split("(")[0] for _, text in only_thread(b, "d.data") if "();" in text}
    return wrong or (None if names == {"d5"} else "calls of %s" % sorted(names))


def a_query_knows_what_was_open_before(b):
    """Also one that reads only what it asks for: with a condition that SQLite alone looks at, and
    with one by which packets are passed over."""
    job = b.start("serve", "40000", options=["--ring=2M"])
    say_go(job)
    wrong = ended(dump(b, child_of(job.pid)), 0)
    job.communicate(timeout=tap.PATIENCE_S)
    asked = [b.run("query", "--csv", "d.data", "SELECT name, entered, begin_ns FROM calls WHERE %s < 2" % depth)
             for depth in ("depth", "+depth")]
    wrong = wrong or ended(asked[0], 0) or ended(asked[1], 0)
    if not wrong and b"main,0," not in asked[1].out:
        wrong = "main() was not open before: %r" % asked[1].out
    return wrong or (None if asked[0].out == asked[1].out else "%r, but %r" % (
        asked[0].out, asked[1].out))


def what_cannot_be_dumped(b):
    own = os.getpid()
    wrong = ended(dump(b, own), 1, "process %d: there is nothing of fctrace" % own)
    wrong = wrong or ended(dump(b, 2 ** 22 + 5), 1, "there is no process")
    wrong = wrong or ended(dump(b, "me"), USAGE, "me: neither a process id nor the name")
    wrong = wrong or ended(b.run("dump"), USAGE, "which process?")
    job = b.begin(b.flown, "serve", "5", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None,
                  text=True)
    say_go(job)
    wrong = wrong or ended(dump(b, child_of(job.pid)), 1, "--loss=ring")
    job.communicate(timeout=tap.PATIENCE_S)
    job = b.start("serve", "5")
    say_go(job)
    wrong = wrong or ended(dump(b, child_of(job.pid), "nowhere/d.data"), FAILED, "nowhere/d.data")
    filtered = b.run("ctl", str(job.pid), "-D", "2")
    wrong = wrong or ended(filtered, 1, "give filters to fctrace dump")
    job.communicate(timeout=tap.PATIENCE_S)
    return wrong


# For long


def its_memory_is_constant(b):
    """Rings are full after ten thousand serials; a hundred times as many change nothing."""
    nr = 100000
    job = b.start("serve", str(nr))
    child = None
    for i in range(43):
        say_go(job)
        if i == 2:
            child = child_of(job.pid)
            before = memory_kb(job.pid), memory_kb(child)
    after = memory_kb(job.pid), memory_kb(child)
    err = job.communicate(timeout=tap.PATIENCE_S)[1]
    grown = [y - x for x, y in zip(before, after)]
    if max(grown) > 300:
        return "grew by %d KiB (fctrace) and %d KiB (the program)" % tuple(grown)
    if job.returncode or "the end" not in err:
        return "status %d: %s" % (job.returncode, err)
    found = serials(only_thread(b))
    return not_in_a_row(found[:-1], nr - 1, FULL_RING - 1)


def threads_that_end_leave_nothing(b):
    """Hours of short threads: what is kept of them is bounded."""
    job = b.start("births", "60000")
    seen = []
    for i in range(5):
        said = job.stdout.readline()
        if i >= 2:
            seen.append(memory_kb(job.pid))
    tap.kill_session(job.pid)
    job.communicate()
    if said != "1000 births\n":
        return "it says %r" % said
    return None if seen[-1] - seen[0] < 8000 else "fctrace grew: %s KiB" % seen


def threads_that_end_are_kept_within_bounds(b):
    """Large rings of many threads, one after the other, are not all kept. Those that ended within half a
    second are, however many a fast machine makes in that time: so there is a pause between them."""
    job = b.start("births", "60", "200000", "40", options=["--ring=16M"])
    most = 0
    while job.poll() is None:
        most = max(most, memory_kb(job.pid))
        time.sleep(0.05)
    err = job.communicate()[1]
    if job.returncode or "is written" not in err:
        return "status %d, says %s" % (job.returncode, err)
    return None if most < 600 << 10 else "fctrace had %d KiB" % most


def a_pause_of_minutes_is_told(b):
    """A record has 38 bits of its time: a longer pause than that must not be told as a short one."""
    job = b.start("serve", "10")
    for pause in (0, 150):
        time.sleep(pause)
        job.stdin.write("go\n")
        job.stdin.flush()
        job.stdout.readline()
    job.communicate(timeout=tap.PATIENCE_S)
    longest = max((float(m) for m in re.findall(r"^ *([0-9.]+) +s ", b.replay(), re.M)), default=0)
    return None if 149 < longest < 160 else "the longest call took %s s" % longest


def a_function_that_opens_late(b):
    """The same outside of what -F asks for."""
    done = b.fly("late", "150", options=["-F", "pausing"], limit_s=200)
    longest = max((float(m) for m in re.findall(r"^ *([0-9.]+) +s ", b.replay(), re.M)), default=0)
    return ended(done, 0) or (
        None if 10 <= longest < 15 else "the longest call took %s s" % longest)


# What goes wrong


def a_trace_that_cannot_be_written(b):
    """The folder vanishes: each dump is one line, the program does not notice."""
    folder = b.path("gone")
    os.makedirs(folder, exist_ok=True)
    job = b.start("serve", "100", trace="gone/t.data", options=["--dump-on", "SIGUSR2"])
    job.stdin.write("go\n")
    job.stdin.flush()
    job.stdout.readline()
    shutil.rmtree(folder)
    job.send_signal(signal.SIGUSR2)
    said = job.stderr.readline()
    os.makedirs(folder)
    job.stdin.write("go\n")
    job.stdin.flush()
    if job.stdout.readline() != "0\n":
        return "the program did not go on"
    out, err = job.communicate(timeout=tap.PATIENCE_S)
    if "gone/t.data: No such file" not in said:
        return "said %r" % said
    if out != "0 signals\n" or "gone/t.data.2 is written" not in err:
        return "%r, %r" % (out, err)
    if job.returncode != FAILED:
        return "status %d" % job.returncode
    return not_in_a_row(serials(only_thread(b, "gone/t.data.2"))[-101:-1], 99, 100)


def a_dump_that_takes_long(b):
    """More threads end meanwhile than there are rings: theirs are freed, nothing is lost."""
    os.mkfifo(b.path("slow.data"))
    job = b.begin("--loss=ring=64K", "--dump-on", "count#20", b.flown, "births", "1150", to="slow.data",
                  stdout=subprocess.PIPE, text=True)
    said = [job.stdout.readline() for _ in range(2)]  # while nobody reads the pipe
    ended_well = said == ["1000 births\n", "0 signals\n"]
    with open(b.path("slow.data"), "rb") as pipe, open(b.path("t.data"), "wb") as copy:
        shutil.copyfileobj(pipe, copy)
    err = job.communicate(timeout=tap.PATIENCE_S)[1]
    if not ended_well or job.returncode or "count() was called (#20)" not in err:
        return "status %d, said %r" % (job.returncode, err)
    counting = [lines for lines in b.threads("slow.data.2").values() if serials(lines)]
    lost = b.json("info", trace=b.path("slow.data.2"))["lost"]
    wrong = None if len(counting) >= 60 and not lost else (
        "%d threads, %d lost" % (len(counting), lost))
    for lines in counting:
        wrong = wrong or not_in_a_row(serials(lines), 99, 100)
    before = [lines for lines in b.threads("t.data").values() if serials(lines)]
    return wrong or (None if len(before) == 19 else "%d threads before" % len(before))


def a_folder_that_is_not_there(b):
    done = b.fly("count", "10", trace="nowhere/t.data")
    wrong = ended(done, FAILED, "nowhere/t.data: No such file")
    return wrong or ("the program was run" if done.out else None)


def a_device(b):
    """All traces go into it; none appears beside it."""
    for device, status, said in (("/dev/null", 0, "/dev/null is written"),
                                 ("/dev/full", FAILED, "cannot write the trace file /dev/full:")):
        done = b.run("record", "--loss=ring", "-o", device, "--dump-on", "main", b.flown, "count", "10")
        wrong = ended(done, status, said)
        if wrong or done.err.decode().count(said) != 2 or os.path.exists(device + ".2"):
            return wrong or "%s: %s" % (device, done.err.decode())
    return None


def a_disk_that_is_full(b):
    disk = b.path("disk")
    os.makedirs(disk, exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "none", disk],
                      capture_output=True, check=False).returncode:
        raise Skip("cannot mount a small disk here")
    try:
        done = b.fly("count", "30000", trace="disk/t.data")
        wrong = ended(done, FAILED, "disk/t.data: No space left")
        return wrong or (None if done.out == b"0 signals\n" else repr(done.out))
    finally:
        subprocess.run(["umount", "-l", disk], check=False)


CASES = [
    a_short_run_is_whole,
    the_newest_calls_are_kept_and_the_others_counted,
    a_ring_holds_as_much_as_is_asked_for,
    the_calls_around_are_known,
    of_deep_calls_the_innermost_are_known,
    calls_that_longjmp_leaves,
    exceptions,
    each_thread_has_its_own,
    of_many_threads_the_last_are_kept,
    a_program_that_executes_another,
    a_filter_is_applied_when_it_is_written,
    a_fault,
    an_abort,
    a_stack_that_is_used_up,
    a_kill,
    a_fault_in_a_thread,
    a_fault_in_a_child,
    a_signal_to_the_program,
    a_signal_to_fctrace,
    a_signal_that_fctrace_uses,
    a_function,
    a_function_that_is_slow,
    a_dump_takes_no_time_of_the_calls_around_it,
    functions_that_are_watched_are_recorded_as_others,
    a_function_that_is_called_all_the_time,
    one_call_of_many,
    one_slow_call_of_many,
    one_call_of_a_function_that_is_hooked_at_its_entry_only,
    two_patterns_of_one_function,
    a_function_that_is_not_there,
    a_mistyped_function_is_told_while_the_program_runs,
    a_mistyped_function_is_told_when_attached,
    a_function_of_what_is_loaded_later,
    dumps_while_threads_run,
    a_process_while_it_is_recorded,
    a_dump_goes_where_the_recorder_writes,
    a_process_whose_fctrace_was_killed,
    a_busy_process_whose_fctrace_was_killed,
    a_dump_with_a_filter,
    a_query_knows_what_was_open_before,
    what_cannot_be_dumped,
    its_memory_is_constant,
    threads_that_end_leave_nothing,
    a_trace_that_cannot_be_written,
    a_dump_that_takes_long,
    a_folder_that_is_not_there,
    a_device,
    a_disk_that_is_full,
]
LONG_CASES = [threads_that_end_are_kept_within_bounds, a_pause_of_minutes_is_told, a_function_that_opens_late]


def suite_of(suite):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    suite.run_all(CASES + (LONG_CASES if suite.is_long else []), Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
