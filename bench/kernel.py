#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs to see the kernel beneath a program: fctrace, trace-cmd, perf trace, bpftrace, retsnoop and
strace on the same work, in virtual machines with stock kernels (tests/whole/vm/guest.py). Those that are
installed here; retsnoop (https://github.com/anakryiko/retsnoop) is not in Debian 12.

  bench/kernel.py --fctrace build/fctrace [--rounds 3] [--calls 10000]

The work is pairs of getppid() and of an open() that fails. "a pair": how long one takes the program, by its
own clock; "a start": what the tool adds to the same program with one pair, which is switching it on and
off. The machine is interpreted: only ratios of one table mean anything.
"""
import argparse
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(os.path.dirname(HERE), "tests")
sys.path += [TESTS, os.path.join(TESTS, "whole/vm")]

# The first five that the kernel has, of those that the work calls.
CANDIDATES = ["do_sys_openat2", "path_openat", "__do_sys_getppid", "terminate_walk", "alloc_empty_file",
              "set_nameidata", "do_filp_open", "do_file_open", "path_init", "putname"]
NR_FUNCS = 5
PEERS = ("trace-cmd", "perf", "bpftrace", "retsnoop", "strace")
RETSNOOP_IS_ON = "Receiving data"


def words(option, names):
    return [word for name in names for word in (option, name)]


def functions():
    with open("/sys/kernel/tracing/available_filter_functions", encoding="utf-8") as f:
        known = {line.split()[0] for line in f}
    return [name for name in CANDIDATES if name in known][:NR_FUNCS]


def tools(args):
    """(name, the command in front of the program). What is missing is left out."""
    names = functions()
    record = [args.fctrace, "record", "-o", "t.data", "-m", "nothing"]
    rows = [
        ("bare", []),
        ("fctrace, no kernel", record),
        ("fctrace --syscalls --no-waits", [*record, "--syscalls", "--no-waits"]),
        ("fctrace --syscalls", [*record, "--syscalls"]),
        ("fctrace -k, one function", [*record, "--kfilter", names[0]]),
        ("fctrace -k, 5 functions", [*record, *words("--kfilter", names)]),
        ("fctrace -k, 5 functions, --karg --kret",
         [*record, *words("--kfilter", names), "--karg", "*", "--kret", "*"]),
        ("fctrace -k --from sys_openat", [*record, "-k", "--from", "sys_openat"]),
        ("fctrace -k, all functions", [*record, "-k"]),
        ("trace-cmd, raw_syscalls",
         ["trace-cmd", "record", "-q", "-o", "t.dat", "-e", "raw_syscalls", "-F"]),
        ("trace-cmd, 5 functions",
         ["trace-cmd", "record", "-q", "-o", "t.dat", "-p", "function_graph", *words("-l", names), "-F"]),
        ("trace-cmd, all functions",
         ["trace-cmd", "record", "-q", "-o", "t.dat", "-p", "function_graph", "-F"]),
        ("perf trace", ["perf", "trace", "-o", "t.perf"]),
        ("strace", ["strace", "-o", "t.strace"]),
    ]
    probes = " ".join("kprobe:%s { @[pid] = count(); } kretprobe:%s { @r[pid] = count(); }" % (name, name)
                       for name in names)
    rows.append(("bpftrace, 5 functions, counted", ["bpftrace", "-q", "-e", probes, "-c"]))
    rows.append(("retsnoop, 5 functions", ["retsnoop", "-T", "-S", "-sn", "-n", "calls", *words("-e", names)]))
    return [(name, command) for name, command in rows
            if not command or (any(text in name for text in args.only.split("|")) and
                               (command[0] == args.fctrace or shutil.which(command[0])))]


def run_beside(command, argv):
    """The program, while a tool runs that begins no program itself."""
    with open("t.beside", "w+", encoding="utf-8") as said, \
            subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT) as tool:
        while not has_said(RETSNOOP_IS_ON):
            if tool.poll() is not None:
                raise RuntimeError("%s ended with %d" % (command[0], tool.returncode))
            time.sleep(0.01)
        done = subprocess.run(argv, capture_output=True, check=False)
        tool.send_signal(signal.SIGINT)
    return done


def has_said(text):
    with open("t.beside", encoding="utf-8", errors="replace") as f:
        return text in f.read()


def run(command, program, nr):
    """Seconds of all of it, and nanoseconds of a pair as the program says."""
    argv = [program, "timed", str(nr)]
    argv = [*command, " ".join(argv)] if command[:1] == ["bpftrace"] else [*command, *argv]
    begin = time.monotonic()
    if command[:1] == ["retsnoop"]:
        done = run_beside(command, [program, "timed", str(nr)])
    else:
        done = subprocess.run(argv, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip()[-200:])
    return time.monotonic() - begin, int(re.search(rb"^(\d+)$", done.stdout, re.M)[1])


def measure(command, program, args):
    """Seconds of a start, and nanoseconds of a pair."""
    starts = [run(command, program, 1)[0] for _ in range(args.rounds)]
    pairs = [run(command, program, args.calls)[1] for _ in range(args.rounds)]
    return statistics.median(starts), statistics.median(pairs)


def run_here(args):
    """In the machine."""
    os.chdir("/tmp")
    os.environ["PATH"] += os.pathsep + args.path
    print("Linux %s" % os.uname().release)
    print("| | a start, s | a pair, us | times bare |")
    print("|---|---|---|---|")
    bare = None
    for name, command in tools(args):
        try:
            start, pair = measure(command, args.program, args)
        except (RuntimeError, OSError) as why:
            print("| %s | %s |" % (name, " ".join(str(why).split())), flush=True)
            continue
        bare = bare or (start, pair)
        print("| %s | %.2f | %.1f | %.1f |" % (name, start - bare[0], pair / 1000, pair / bare[1]),
              flush=True)


def run_there(args):
    """A machine for each kernel, one after the other."""
    import guest  # pylint: disable=import-outside-toplevel
    for kernel in guest.kernels():
        with tempfile.TemporaryDirectory(prefix="fctrace-bench-") as folder:
            program = os.path.join(folder, "calls")
            source = os.path.join(TESTS, "capture/kernel/calls.c")
            subprocess.run(["cc", "-O1", "-g", "-o", program, source, "-lpthread"], check=True)
            machine = guest.Guest(folder, os.path.abspath(args.fctrace))
            peers = list(filter(None, map(shutil.which, PEERS)))
            for path in [program, os.path.abspath(__file__), *peers]:
                machine.tree.add(path)
            machine.commands.append(("kernel", [
                "/usr/bin/python3", os.path.abspath(__file__), "--in-machine", "--program", program, "--rounds",
                str(args.rounds), "--calls", str(args.calls), "--only", args.only, "--path",
                os.pathsep.join({os.path.dirname(peer) for peer in peers})]))
            machine.boot(kernel, told=lambda line: print(line, flush=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fctrace", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=10000)
    parser.add_argument("--only", default="", metavar="TEXT|TEXT", help="rows with this in their name, beside bare")
    parser.add_argument("--path", default="", help=argparse.SUPPRESS)
    parser.add_argument("--in-machine", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--program", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.in_machine:
        run_here(args)
    else:
        run_there(args)


main()
