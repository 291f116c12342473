#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""-k beside trace-cmd: of the same programs both show the same functions of the kernel in the same
nesting and order, thread by thread. That is the long
form; the short one has what no other suite has, functions of a module.

It needs root and tracefs: suite `kernel` of whole/vm runs it in virtual machines.
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
sys.path.insert(0, HERE)
import tap  # noqa: E402
from kernelbench import Bench, instances, need_tracefs  # noqa: E402
from tap import Skip, Wrong  # noqa: E402

# Functions that nothing calls which one of the tracers does in the program, of different depth.
FUNCS = ["vfs_read", "ksys_read", "vfs_write", "ksys_write", "do_sys_openat2", "path_openat", "do_filp_open",
         "vfs_open", "do_dentry_open", "vfs_statx", "vfs_fstatat", "shmem_file_write_iter",
         "generic_perform_write", "sock_write_iter", "sock_read_iter", "unix_stream_sendmsg", "unix_stream_recvmsg",
         "unix_stream_read_generic", "pipe_read", "pipe_write", "__x64_sys_socketpair", "__do_sys_gettid",
         "__do_sys_getppid", "ovl_read_iter", "ovl_open", "ovl_real_fdget_meta", "backing_file_open",
         "backing_file_read_iter", "ovl_lookup"]
OVERLAY = "/made/modules/overlay.ko"  # guest.py has put it there
STARTED = "finalize_exec"  # the end of execve(): what is before it is of who started the program


def known_functions():
    with open("/sys/kernel/tracing/available_filter_functions", encoding="utf-8") as f:
        names = {line.split()[0] for line in f}
    return [name for name in [*FUNCS, STARTED] if name in names]


def trees_of_trace_cmd(bench, functions, argv):
    """For each thread, in the order in which they begin: (level, function)."""
    data = bench.path("trace.dat")
    words = [word for name in functions for word in ("-l", name)]
    done = tap.run(["trace-cmd", "record", "-q", "-o", data, "-p", "function_graph", *words, "-F", "-c", *argv],
                   cwd=bench.folder, limit_s=600)
    if not os.path.exists(data):
        raise Wrong("trace-cmd: %d: %s" % (done.status, done.err.decode(errors="replace")))
    said = tap.run(["trace-cmd", "report", "-N", "-i", data], cwd=bench.folder, limit_s=600)
    levels, trees = {}, {}
    for line in said.out.decode(errors="replace").splitlines():
        found = re.match(r" *\S+-(\d+) .*funcgraph_(entry|exit): +(?:-->|<--) ([\w.]+)", line)
        if not found:
            continue
        tid, level = found[1], levels.get(found[1], 0)
        if found[2] == "exit":
            levels[tid] = max(0, level - 1)
            continue
        levels[tid] = level + 1
        trees.setdefault(tid, []).append((level, found[3]))
    return list(trees.values())


def trees_of_fctrace(bench, functions, argv):
    words = [word for name in functions for word in ("--kfilter", name)]
    said = bench.told(*argv, options=["--no-waits", "-m", "nothing", *words], statuses=(0, 1, 3))
    if "lost" in said:
        raise Wrong(said)
    rows = bench.query("select tid, name, begin_ns, end_ns from calls where module not in ('[system call]') "
                       "order by begin_ns")
    around, trees = {}, {}
    for row in rows:
        ends = around.setdefault(row["tid"], [])
        while ends and ends[-1] <= row["begin_ns"]:
            ends.pop()
        trees.setdefault(row["tid"], []).append((len(ends), row["name"]))
        ends.append(row["end_ns"])
    return list(trees.values())


def program_of(tree):
    """Behind the last start of a program, from where on both look."""
    starts = [i for i, (_, name) in enumerate(tree) if name == STARTED]
    tree = tree[starts[-1] + 1 if starts else 0:]
    while tree and tree[0][0]:  # the rest of what encloses the start
        tree = tree[1:]
    return tree


def compare(bench, *argv, needs=()):
    functions = known_functions()
    missing = [name for name in needs if name not in functions]
    if missing:
        raise Skip("this kernel has no %s" % ", ".join(missing))
    expected = [tree for tree in map(program_of, trees_of_trace_cmd(bench, functions, argv)) if tree]
    got = [tree for tree in map(program_of, trees_of_fctrace(bench, functions, argv)) if tree]
    if instances():
        raise Wrong("left: %s" % instances())
    if not got or sorted(got) != sorted(expected):
        raise Wrong("%d threads, %d expected: %s" % (len(got), len(expected), tap.excerpt(
            "\n".join(map(str, sum(sorted(expected), []))), "\n".join(map(str, sum(sorted(got), []))))))
    return got


def cat(bench):
    trees = compare(bench, shutil.which("cat"), "/etc/passwd", "/no/such/file")
    if (0, "ksys_read") not in trees[0] and (0, "vfs_read") not in trees[0]:
        raise Wrong(trees)


def dd(bench):
    compare(bench, shutil.which("dd"), "if=/dev/zero", "of=" + bench.path("out"), "bs=700", "count=%d" % bench.nr(20, 2000))


def an_echo_over_a_socket(bench):
    compare(bench, bench.program, "echoes", str(bench.nr(50, 3000)), needs=["unix_stream_sendmsg"])


def threads(bench):
    if len(compare(bench, bench.program, "threads", str(bench.nr(50, 3000)))) != 5:
        raise Wrong("not five threads")


def children_and_programs_that_they_run(bench):
    compare(bench, shutil.which("sh"), "-c", "for i in %s; do %s /etc/passwd; done" % (
        " ".join(map(str, range(bench.nr(3, 40)))), shutil.which("cat")))


def functions_of_a_module(bench):
    """A file beneath an overlay."""
    if not os.path.exists(OVERLAY):
        raise Skip("there is no module of this kernel")
    subprocess.run(["insmod", OVERLAY], check=True)
    folders = [bench.path(name) for name in ("lower", "upper", "work", "merged")]
    for path in folders:
        os.makedirs(path, exist_ok=True)
    bench.write("lower/file", "text\n")
    options = "lowerdir=%s,upperdir=%s,workdir=%s" % tuple(folders[:3])
    subprocess.run(["mount", "-t", "overlay", "-o", options, "none", folders[3]], check=True)
    file = os.path.join(folders[3], "file")
    try:
        subprocess.run(["cat", file], check=True, stdout=subprocess.DEVNULL)
        if bench.is_long and "ovl_open" not in str(compare(bench, shutil.which("cat"), file, needs=["ovl_open"])):
            raise Wrong("ovl_open was not called")
        bench.told(shutil.which("cat"), file, options=["-m", "nothing", "--kfilter", "ovl_open", "--karg", "*", "--kret", "*"])
        rows = bench.query("select module, args, result from calls where name='ovl_open'")
        if not rows or not rows[0]["args"] or (rows[0]["module"], rows[0]["result"]) != ("[overlay]", 0):
            raise Wrong("what it is given and returns: %s" % rows)
    finally:
        subprocess.run(["umount", folders[3]], check=True)


def suite_of(suite):
    with_program = Bench(suite)
    try:
        need_tracefs()
        if suite.is_long:
            tap.need("trace-cmd")
    except Skip as why:
        suite.skip("the kernel beside trace-cmd", why)
        return
    cases = [
        ("trace-cmd: cat", cat),
        ("trace-cmd: dd", dd),
        ("trace-cmd: an echo over a socket", an_echo_over_a_socket),
        ("trace-cmd: threads", threads),
        ("trace-cmd: children, and programs that they run", children_and_programs_that_they_run),
        functions_of_a_module,
    ]
    # trace-cmd takes some 15 s for a program in an interpreted machine.
    suite.run_all(cases if suite.is_long else [functions_of_a_module], with_program)


if __name__ == "__main__":
    tap.main(suite_of)
