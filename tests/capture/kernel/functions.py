#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""-k: the kernel's functions stand beneath the system calls that caused them, they are those that the
kernel's own function_graph prints, and nothing of it is left in the kernel.

It needs root and tracefs: suite `kernel` of whole/vm runs it in virtual machines.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
sys.path.insert(0, HERE)
import tap  # noqa: E402
from kernelbench import (INSTANCES, MODULE, TRACEFS, Bench, attach_and_run, by_turns, instances,  # noqa: E402
                         need_function_graph, state_of, wait_until_followed)
from tap import Skip, Wrong  # noqa: E402

KERNEL = "[kernel]"
# What somebody else may have set: it must be as it was.
SETTINGS = ("current_tracer", "set_ftrace_pid", "set_ftrace_filter", "set_ftrace_notrace", "set_event",
            "set_event_pid", "set_event_notrace_pid", "set_ftrace_notrace_pid", "set_graph_function", "trace_clock", "tracing_on", "buffer_size_kb",
            "options/function-fork", "options/event-fork", "options/funcgraph-args", "max_graph_depth", "enabled_functions",
            "kprobe_events", "events/sched/sched_waking/trigger")
OPENS = ["do_sys_openat2", "path_openat", "alloc_empty_file", "link_path_walk*", "vfs_open", "vfs_read",
         "path_init", "getname*", "do_dentry_open"]


def read(name):
    with open(os.path.join(TRACEFS, name), encoding="utf-8", errors="replace") as f:
        return f.read()


def write(name, text):
    with open(os.path.join(TRACEFS, name), "w", encoding="utf-8") as f:
        f.write(text)


def settings():
    got = {}
    for name in SETTINGS:
        if os.path.exists(os.path.join(TRACEFS, name)):
            got[name] = read(name)
    return got


def changed(before):
    after = settings()
    return [(name, was, after[name]) for name, was in before.items() if after[name] != was]


def filters(names):
    return [word for name in names for word in ("--kfilter", name)]


def told(bench, *words, options=(), statuses=(0, 3)):
    before = settings()
    said = bench.told(*words, options=["--libs=none", *options], statuses=statuses)
    if settings() != before:
        raise Wrong("not as it was: %s" % changed(before))
    return said


def nr_of(bench, name, caller, module=KERNEL):
    rows = bench.query("select count(*) as nr from calls where name='%s' and caller_name='%s' and "
                       "module='%s'" % (name, caller, module))
    return rows[0]["nr"]


def each_is_in_the_system_call_that_caused_it(bench):
    nr = bench.nr(2000, 10000)
    told(bench, bench.program, "one", str(nr),
         options=["-k", *filters(["__x64_sys_openat", "__do_sys_getppid"])])
    got = nr_of(bench, "__do_sys_getppid", "getppid"), nr_of(bench, "__x64_sys_openat", "openat")
    made = bench.made()
    outside = bench.query("select name, caller_name, count(*) as nr from calls where module='%s' and "
                          "caller_name not in ('getppid', 'openat') group by 1, 2" % KERNEL)
    if got != (nr, made["openat"]) or made["getppid"] != nr or outside:
        raise Wrong("%s of %d and %d; %s" % (got, nr, made["openat"], outside))


def so_it_is_in_threads_and_children(bench):
    nr = bench.nr(300, 5000)
    told(bench, bench.program, "threads", str(nr), options=["-k", *filters(["__do_sys_gettid"])])
    rows = bench.query("select tid, count(*) as nr from calls where name='__do_sys_gettid' and "
                       "caller_name='gettid' group by tid")
    if [row["nr"] for row in rows] != [nr] * 4:
        raise Wrong(rows)
    told(bench, bench.program, "forks", options=["-k", *filters(["__do_sys_getppid"])])
    rows = bench.query("select distinct pid from calls where name='__do_sys_getppid' and "
                       "caller_name='getppid'")
    if len(rows) != 2:
        raise Wrong("in children: %s" % rows)


def attached_to_from_that_moment_on(bench):
    attach_and_run(bench, 50, "-k", *filters(["__do_sys_getppid"]))
    if nr_of(bench, "__do_sys_getppid", "getppid") != 50:
        raise Wrong(nr_of(bench, "__do_sys_getppid", "getppid"))


def under_a_function(rows, name):
    """(level, function) of the last time that it was called, and what it called."""
    begins = [i for i, (_, what) in enumerate(rows) if what == name]
    if not begins:
        raise Wrong("%s is not there" % name)
    begin = begins[-1]
    level = rows[begin][0]
    got = [(0, name)]
    for depth, what in rows[begin + 1:]:
        if depth <= level:
            break
        got.append((depth - level, what))
    return got


def as_the_kernel_prints_it(bench, names):
    """The same program, traced by hand."""
    script = bench.write("hand", "\n".join([
        "cd %s" % TRACEFS, "echo > set_ftrace_filter",
        *["echo '%s' >> set_ftrace_filter" % name for name in names],
        "echo 0 > tracing_on", "echo $$ > set_ftrace_pid", "echo function_graph > current_tracer",
        "echo 1 > tracing_on", "exec '%s' one 3" % bench.program]) + "\n")
    subprocess.run(["sh", script], check=True, stdout=subprocess.DEVNULL)
    write("tracing_on", "0")
    text = read("trace")
    write("current_tracer", "nop")
    for name in ("set_ftrace_filter", "set_ftrace_pid", "trace"):
        write(name, "")
    write("tracing_on", "1")
    rows = []
    for line in text.splitlines():
        found = re.match(r"^ *\d+\).*\| ( *)([\w.]+)(?: \[\w+\])?\(", line)
        if found:
            rows.append((len(found[1]) // 2, found[2]))
    return rows


def the_tree_is_what_the_kernel_prints(bench):
    expected = under_a_function(as_the_kernel_prints_it(bench, OPENS), "do_sys_openat2")
    told(bench, bench.program, "one", "3", options=["-k", "--no-waits", *filters(OPENS)])
    out, _ = bench.must("replay", "--no-merge", "-f", "none", bench.trace)
    rows = []
    for line in out.splitlines():
        found = re.match(r"^( *)([\w.]+)\(.*(?:\{|;)$", line)
        if found:
            rows.append((len(found[1]) // 2, found[2]))
    got = under_a_function(rows, "do_sys_openat2")
    if len(expected) < 4 or got != expected:
        raise Wrong(tap.excerpt("\n".join(map(str, expected)), "\n".join(map(str, got))))


def levels_are_limited(bench):
    """With one level no function of the kernel is called by another."""
    said = told(bench, bench.program, "one", "3", options=["-K", "1", *filters(OPENS)])
    rows = bench.query("select name, caller_name from calls where module='%s' and (name = "
                       "'do_sys_openat2' or caller_name in (select name from functions where "
                       "module='%s'))" % (KERNEL, KERNEL))
    if {(row["name"], row["caller_name"]) for row in rows} != {("do_sys_openat2", "openat")}:
        raise Wrong("%s; %s" % (rows, said))


def it_begins_at_a_function(bench):
    told(bench, bench.program, "one", "3", options=[
        *filters(OPENS), "--from", "path_openat"])
    rows = bench.query("select distinct name, caller_name from calls where module='%s'" % KERNEL)
    inside = {row["name"] for row in rows}
    tops = {row["name"] for row in rows if row["caller_name"] == "openat"}
    if tops != {"path_openat"} or "path_init" not in inside or "do_sys_openat2" in inside:
        raise Wrong(rows)


def or_at_a_system_call_and_leaves_functions_out(bench):
    told(bench, bench.program, "one", "3", options=[
        *filters(["__x64_sys_open*", "__x64_sys_read", "__do_sys_getppid", *OPENS]), "--from", "sys_getppid", "--from", "sys_openat", "--knot",
        "path_*"])
    rows = bench.query("select name, caller_name from calls where module='%s'" % KERNEL)
    tops = {row["name"] for row in rows if row["caller_name"] in ("openat", "getppid")}
    if tops != {"__x64_sys_openat", "__do_sys_getppid"} or \
       any(row["name"].startswith("path_") for row in rows):
        raise Wrong(rows)


def all_functions(bench):
    """Without a filter: the system call is there with many functions, and the program is unharmed."""
    done = bench.run("-k", "--libs=none", bench.program, "one", "2")
    err = done.err.decode(errors="replace")
    nr = len(re.findall(r"^.*\| .*\(", err, re.M))
    if done.status or instances() or nr < 500 or "do_sys_openat2() {" not in err:
        raise Wrong("status %d, %d lines: %s" % (done.status, nr, err[-1000:]))
    if "__sysvec_apic_timer_interrupt" in err:
        bench.must("record", "-k", "--kfilter", "__sysvec_*", "-o", bench.trace, "--libs=none",
                   bench.program, "one", "1")
        if not re.search(r"\[interrupt\]", bench.must("info", bench.trace)[0]):
            raise Wrong(bench.must("info", bench.trace)[0])
    for name in ("syscall_trace_enter", "syscall_exit_work", "__traceiter_", "__probestub_", "kprobe_ftrace_handler",
                 "kretprobe_rethook_handler", "copy_from_kernel_nofault"):
        if name in err:
            raise Wrong("what recording costs is shown: %s" % name)


def calls_of_fctrace_itself_are_not_shown(bench):
    told(bench, bench.program, "threads", "10",
         options=["--libs=all", "-a", *filters(["__x64_sys_process_vm_readv", "__x64_sys_munlock",
                                                "__x64_sys_openat"])])
    got = {row["name"] for row in bench.query("select distinct name from calls where module='%s'"
                                              % KERNEL)}
    if got != {"__x64_sys_openat"}:
        raise Wrong(got)


def what_stops_a_thread_for_fctrace_is_not_shown(bench):
    for what, expected in (("threads", "__x64_sys_openat"), ("signals", "get_signal")):
        said = told(bench, bench.program, what, "10", options=["--no-waits", *filters([
            "ptrace_*", "do_notify_parent_cldstop", "get_signal", "__x64_sys_openat"])])
        got = {row["name"] for row in bench.query("select distinct name from calls where module='%s'" % KERNEL)}
        if expected not in got or not got <= {"get_signal", "__x64_sys_openat"}:
            raise Wrong("%s: %s, %s" % (what, got, said))


def results_are_those_of_the_system_call(bench):
    """And a function that returns nothing has none."""
    told(bench, bench.program, "one", "20", options=[
        *filters(["__do_sys_getppid", "do_sys_openat2", "path_put"]), "--kret", "*"])
    rows = bench.query("select name, result, caller_name from calls where name in "
                       "('getppid', 'openat', '__do_sys_getppid', 'do_sys_openat2', 'path_put')")
    got = {name: [row["result"] for row in rows if row["name"] == name]
           for name in ("getppid", "openat", "__do_sys_getppid", "do_sys_openat2")}
    opened = [-2 if result == -1 else result for result in got["openat"]]
    if len(got["getppid"]) != 20 or got["__do_sys_getppid"] != got["getppid"] or \
       opened.count(-2) < 20 or got["do_sys_openat2"] != opened:
        raise Wrong(got)
    if any(row["result"] is not None for row in rows if row["name"] == "path_put"):
        raise Wrong(rows)


def arguments_are_those_of_the_system_call(bench):
    """Each call has them, also where thousands come at a time; addresses of the kernel are not told."""
    nr = bench.nr(1000, 20000)
    told(bench, bench.program, "one", str(nr), options=[
        *filters(["do_sys_openat2", "vfs_read", "path_openat"]), "--karg", "*"])
    lost = bench.query("select count(*) as nr from calls where module='%s' and args is null" % KERNEL)
    with_args = bench.query("select count(*) as nr from calls where name='do_sys_openat2' and args like "
                            "'-100, 0x%'")
    addresses = bench.query("select args from calls where module='%s' and args like '%%0xffff%%'" % KERNEL)
    if lost[0]["nr"] or with_args[0]["nr"] < nr or addresses:
        raise Wrong("%s without of %s, %s" % (lost, with_args, addresses[:5]))
    rows = bench.query("select name, arg2, arg3 from calls where name in ('read', 'vfs_read') order by begin_ns")
    pairs = [(row, after) for row, after in zip(rows, rows[1:])
             if (row["name"], after["name"]) == ("read", "vfs_read")]
    if not pairs or any((asked["arg2"], asked["arg3"]) != (got["arg2"], got["arg3"]) for asked, got in pairs):
        raise Wrong(rows)


def the_first_function_that_failed_is_the_innermost(bench):
    tap.need("setpriv")
    os.makedirs(bench.path("closed"))
    os.chmod(bench.path("closed"), 0)
    os.chmod(bench.folder, 0o755)
    told(bench, shutil.which("setpriv"), "--reuid=65534", "--clear-groups", shutil.which("cat"),
         bench.path("closed/file"), statuses=(1,), options=[
             "-Z", "-m", "nothing", *filters([*OPENS, "inode_permission", "generic_permission"])])
    out, _ = bench.must("replay", "-Z", "-f", "none", bench.trace)
    lines = out.splitlines()
    at = [i for i, line in enumerate(lines) if "= -13 EACCES" in line]
    if not at or "= 0xffff" in out or not lines[at[0]].strip().startswith("generic_permission() = -13 EACCES;") or \
       lines[at[-1] + 1].strip() != '} = -1 EACCES; /* openat: path = "%s" */' % bench.path(
           "closed/file"):
        raise Wrong(out[-2000:])


def a_full_disk_is_found_out_as_the_example_says(bench):
    """docs/examples/which-kernel-function-said-no.md"""
    os.makedirs(bench.path("small"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", bench.path("small")], check=True)
    try:
        told(bench, shutil.which("dd"), "if=/dev/zero", "of=" + bench.path("small/f"), "bs=20000",
             "count=5", statuses=(1,), options=["-Z", *filters([
                 "*sys_write", "vfs_write", "generic_*write*", "shmem_*"])])
    finally:
        subprocess.run(["umount", bench.path("small")], check=True)
    out, _ = bench.must("replay", "-Z", "-f", "none", bench.trace)
    lines = [line.strip() for line in out.splitlines()]
    end = lines.index("} = -1 ENOSPC; /* write */")
    said = [line for line in lines[:end] if line.endswith(" ENOSPC;")]
    if "} = -28 ENOSPC; /* vfs_write */" not in lines[:end] or not said or \
       not said[-1].startswith("shmem_"):
        raise Wrong(out[-2500:])


def can_record_results():
    """CONFIG_FUNCTION_GRAPH_RETVAL"""
    return " retval;" in read("events/ftrace/funcgraph_exit/format")


def can_probe_by_globs():
    """fprobes on top of the function graph tracer"""
    with open("/proc/kallsyms", encoding="utf-8") as f:
        return any(line.split()[2] == "fprobe_return" for line in f)


def knows_all_results():
    return can_record_results() or can_probe_by_globs()


def can_record_arguments():
    """CONFIG_FUNCTION_TRACE_ARGS"""
    return os.path.exists(os.path.join(TRACEFS, "options/funcgraph-args"))


def what_the_tracer_itself_records_is_there_of_all(bench):
    """Nothing is named, and no function has a probe of its own; where that cannot be, a sentence says so."""
    err = told(bench, bench.program, "one", "2", options=["-k", "-a", "-F", "sys_openat"])
    is_said = "is recorded only of those that --kfilter, --karg or --kret names" in err
    rows = bench.query("select name, args, result from calls where module='%s'" % KERNEL)
    opens = [row for row in rows if row["name"] == "do_sys_openat2"]
    if is_said == (can_record_arguments() and knows_all_results()) or len(opens) < 2:
        raise Wrong("%s, %s" % (err, opens))
    with_args = [row for row in rows if row["args"]]
    with_result = [row["result"] for row in opens if row["result"] is not None]
    if bool(with_args) != can_record_arguments() or \
       any(not re.match("-100, 0x", row["args"]) for row in opens if can_record_arguments()):
        raise Wrong("%d have arguments; %s" % (len(with_args), opens))
    if (with_result.count(-2) < 2 or len(with_result) < len(opens)) if knows_all_results() else with_result:
        raise Wrong("%s, %s" % (err, opens))


def too_many_results_are_said_to_be_so(bench):
    if knows_all_results():
        raise Skip("this kernel needs no probe of each function for results")
    done = bench.run("--kret", "*", "-K", "1", *filters(["s*", "__x64_sys_openat"]), "--libs=none",
                     bench.program, "one", "1")
    err = done.err.decode(errors="replace")
    if done.status or instances() or "are the most; name fewer" not in err or \
       "__x64_sys_openat();" not in err:
        raise Wrong("status %d: %s" % (done.status, err[-1500:]))


def results_are_probed_by_globs_where_the_kernel_can(bench):
    """Of more functions than could have a probe each, and they are those of the system call."""
    if not can_probe_by_globs():
        raise Skip("this kernel has no probes of globs")
    globs = ["s*", "do_s*", "sys_getppid", "path_*"]
    said = told(bench, bench.program, "one", "20", options=[*filters(globs), "--kret", "*", "--no-waits"])
    rows = bench.query("select name, result from calls where name in ('openat', 'getppid', '__do_sys_getppid', "
                       "'do_sys_openat2', 'path_put')")
    got = {name: [row["result"] for row in rows if row["name"] == name]
           for name in ("getppid", "openat", "__do_sys_getppid", "do_sys_openat2", "path_put")}
    opened = [-2 if result == -1 else result for result in got["openat"]]
    if "lost" in said or len(got["getppid"]) != 20 or got["__do_sys_getppid"] != got["getppid"] or \
       opened.count(-2) < 20 or got["do_sys_openat2"] != opened or any(result is not None for result in got["path_put"]):
        raise Wrong("%s, %s" % (said, got))


def the_first_function_that_failed_needs_no_name(bench):
    if not knows_all_results():
        raise Skip("this kernel needs names for results")
    told(bench, shutil.which("cat"), "/no/such/file", statuses=(1,), options=["-k", "-Z", "-F", "sys_openat"])
    out, _ = bench.must("replay", "-Z", "-f", "none", bench.trace)
    lines = [line.strip() for line in out.splitlines()]
    end = [i for i, line in enumerate(lines) if re.match(r"} = -1 ENOENT; /\* openat: path = \"/no/such/file\"", line)]
    first = [i for i, line in enumerate(lines) if line.startswith(("link_path_walk", "walk_component", "__lookup_slow"))
             and "= -2 ENOENT" in line]
    if not end or not [i for i in first if i < end[0]]:
        raise Wrong(out[-3000:])


def a_name_that_is_none_is_refused(bench):
    for words, named in ((["--kfilter", "vfs_raed"], "--kfilter vfs_raed: the kernel has no function of that name; did you mean vfs_read"),
                         (["-k", "--from", "sys_opnat"], "did you mean sys_openat"),
                         (["--kfilter", "do_syscall_64"],
                          "--kfilter do_syscall_64: the kernel does not let"),
                         (["-k", "--from", "nosuch*"], "--from nosuch*"),
                         (["-k", "--karg", "nosuch"], "--karg nosuch: the kernel has no function"),
                         (["--kfilter", "vfs_read", "--knot", "vfs_*"], "--knot leaves nothing")):
        done = bench.run(*words, bench.program, "one", "1")
        err = done.err.decode(errors="replace")
        if done.status != 125 or named not in err or instances() or len(err.splitlines()) != 1:
            raise Wrong("%s: status %d: %s" % (words, done.status, err))


def whoever_uses_the_tracer_is_not_disturbed(bench):
    """Where there is only one for all, fctrace leaves it alone and says so; elsewhere both work."""
    write("set_ftrace_filter", "vfs_fsync")
    write("current_tracer", "function")
    try:
        before = settings()
        said = bench.told(bench.program, "one", "3",
                          options=["--libs=none", "-k", *filters(["__x64_sys_openat"])])
        if settings() != before:
            raise Wrong("changed: %s, %s" % (before, settings()))
    finally:
        write("current_tracer", "nop")
        write("set_ftrace_filter", "")
    nr = nr_of(bench, "__x64_sys_openat", "openat")
    calls = bench.made()["openat"]
    is_refused = "somebody else traces the kernel" in said
    if not calls or nr != (0 if is_refused else calls):
        raise Wrong("%d of %d: %s" % (nr, calls, said))


def what_others_limit_is_said(bench):
    """Settings that all instances share."""
    limits = (("set_graph_function", "vfs_fsync", ""), ("max_graph_depth", "1", "0"),
              ("tracing_thresh", "1000", "0"), ("/proc/sys/kernel/ftrace_enabled", "0", "1"))
    for name, text, was in limits if bench.is_long else limits[::3]:
        if not os.path.exists(os.path.join(TRACEFS, name)):
            continue
        write(name, text)
        try:
            said = told(bench, bench.program, "one", "1", options=["-k", *filters(["__x64_sys_openat"])])
        finally:
            write(name, was)
        if os.path.basename(name) not in said:
            raise Wrong("%s: %s" % (name, said))


def go(tracer):
    tracer.stdin.write(b"go\n")
    tracer.stdin.close()


def has_instances():
    """Where function_graph is in each instance, with a list of functions that all share."""
    os.mkdir(os.path.join(INSTANCES, "looked-at"))
    try:
        return "function_graph" in read("instances/looked-at/available_tracers")
    finally:
        os.rmdir(os.path.join(INSTANCES, "looked-at"))


def the_kernel_begins_there_unless_somebody_else_traces(bench):
    """Nothing else is recorded then; it is taken back when another begins to trace functions."""
    before, other = settings(), os.path.join(INSTANCES, "another")
    is_shared = has_instances()
    tracer = bench.begin("-k", "--from", "do_sys_openat2", bench.program, "waits", "5", stdin=subprocess.PIPE)
    wait_until_followed(tracer)
    begins = read("set_graph_function")
    if is_shared:
        os.mkdir(other)
        try:
            write("instances/another/set_ftrace_filter", "vfs_fsync")
            write("instances/another/current_tracer", "function_graph")
            tap.wait_until(lambda: "do_sys_openat2" not in read("set_graph_function"), "it is taken back")
            after = read("set_graph_function")
            go(tracer)
            err = tracer.stderr.read()
            tracer.wait()
        finally:
            write("instances/another/current_tracer", "nop")
            os.rmdir(other)
    else:
        after = "#### all functions enabled"
        go(tracer)
        err = tracer.stderr.read()
        tracer.wait()
    rows = bench.query("select caller_name, count(*) as nr from calls where name='do_sys_openat2' group by 1")
    others = bench.query("select name from calls where module='%s' and caller_name='openat' and name != 'do_sys_openat2'"
                         % KERNEL)
    if "do_sys_openat2" not in begins or "#### all functions enabled" not in after or others or \
       len(rows) != 1 or rows[0]["nr"] < 5 or settings() != before or instances():
        raise Wrong("%s, %s: %s, %s; %s; %s" % (begins, after, rows, others, changed(before), err))


def two_fctraces_do_not_limit_each_other(bench):
    """Each begins at a function of its own; the first one has set it for both."""
    if not bench.is_long:
        raise Skip("only with --long")
    if not has_instances():
        raise Skip("this kernel has one tracer for all")
    before, first = settings(), bench.path("first.data")
    tracer = bench.begin("-k", "--from", "do_sys_openat2", *filters(OPENS), bench.program, "waits", "5",
                         stdin=subprocess.PIPE, to="first.data")
    wait_until_followed(tracer)
    done = bench.record(bench.program, "one", "3", options=[
        "--libs=none", "-k", "--from", "sys_getppid", *filters(["__do_sys_*"])])
    go(tracer)
    said = tracer.stderr.read() + done.err
    tracer.wait()
    nr = nr_of(bench, "__do_sys_getppid", "getppid")
    rows = bench.json("query", "select count(*) as nr from calls where name='do_sys_openat2'", trace=first)
    if nr != 3 or rows[0]["nr"] < 5 or b"limited" in said or settings() != before or instances():
        raise Wrong("%d, %s, %s; %s %s" % (nr, rows, said, changed(before), instances()))


def killed_it_leaves_what_is_put_back(bench):
    for way in ("record", "check"):
        before = settings()
        tracer = bench.begin("--kret", "*", *filters(["__do_sys_getppid"]), "--from", "sys_getppid", bench.program, "waits",
                             "5", stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wait_until_followed(tracer)
        child = tap.child_of(tracer.pid)
        tracer.kill()
        tracer.wait()
        if not instances() or "__do_sys_getppid" not in read("kprobe_events") or \
           "__do_sys_getppid" not in read("set_graph_function"):
            raise Wrong("a killed one has left nothing")
        if way == "record":
            bench.told(bench.program, "one", "1", options=["-k", *filters(["__do_sys_getppid"])])
        else:
            bench.must("check", "--clean")
        if instances() or settings() != before:
            raise Wrong("left behind %s: %s, %s" % (way, instances(), settings()))
        go(tracer)
        tap.wait_until(lambda: not os.path.exists("/proc/%d" % child), "the program ends")


def what_was_not_borrowed_is_not_given_back(bench):
    """Killed before it had kept the settings: the next one leaves them as they are."""
    keeper = os.path.join(INSTANCES, "fctrace-99999999-1-top")
    write("trace_clock", "mono")
    try:
        before = settings()
        os.mkdir(keeper)
        write(os.path.join(keeper, "tracing_on"), "0")
        bench.must("check", "--clean")
        if instances() or settings() != before:
            raise Wrong("%s, %s" % (instances(), changed(before)))
    finally:
        write("trace_clock", "local")


def killed_at_any_moment_it_harms_nobody(bench):
    """While it sets up, traces, or ends: the program is as ever, tracefs is put back."""
    rng = random.Random(32)
    before = settings()
    for i in range(bench.nr(4, 200)):
        out = open(bench.path("out"), "wb")
        start = ["--from", "sys_getppid"] if i % 2 else []
        tracer = bench.begin("--kret", "*", *filters(["__do_sys_getppid", "vfs_read"]), *start, "--libs=none",
                             bench.program, "says", "2000", stdout=out, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, 3))
        child = tap.child_of(tracer.pid) if tracer.poll() is None else 0
        tracer.kill()
        tracer.wait()
        tap.wait_until(lambda: not child or state_of(child) in "XZ", "round %d: the program ends" % i)
        out.close()
        bench.must("check", "--clean")
        with open(bench.path("out"), "rb") as f:
            said = f.read()
        if instances() or settings() != before:
            raise Wrong("round %d: left: %s, %s" % (i, instances(), changed(before)))
        if said and said != b"done 2000\n":
            raise Wrong("round %d: the program said %r" % (i, said))


def what_was_lost_is_counted_and_the_tree_is_whole(bench):
    """Small buffers that fctrace has no time to read: exits and entries are missing anywhere."""
    said = told(bench, bench.program, "one", str(bench.nr(3000, 30000)), options=[
        "-k", *filters(["__x64_sys_*", "*lock*", *OPENS])])
    info = bench.json("info")
    lost = re.search(r"(\d+) events? of the kernel w\w+ lost", said)
    if info["lost"] != (int(lost[1]) if lost else 0):
        raise Wrong("%s; info: %d" % (said, info["lost"]))
    wrong = bench.query("select name, caller_name from calls where module='%s' and caller_name in "
                        "(select name from functions where module in ('%s', '%s'))"
                        % (MODULE, MODULE, KERNEL))
    if wrong:
        raise Wrong(wrong[:10])


CASES = [
    each_is_in_the_system_call_that_caused_it,
    so_it_is_in_threads_and_children,
    attached_to_from_that_moment_on,
    the_tree_is_what_the_kernel_prints,
    levels_are_limited,
    it_begins_at_a_function,
    or_at_a_system_call_and_leaves_functions_out,
    all_functions,
    calls_of_fctrace_itself_are_not_shown,
    what_stops_a_thread_for_fctrace_is_not_shown,
    results_are_those_of_the_system_call,
    arguments_are_those_of_the_system_call,
    what_the_tracer_itself_records_is_there_of_all,
    the_first_function_that_failed_is_the_innermost,
    a_full_disk_is_found_out_as_the_example_says,
    too_many_results_are_said_to_be_so,
    results_are_probed_by_globs_where_the_kernel_can,
    the_first_function_that_failed_needs_no_name,
    a_name_that_is_none_is_refused,
    whoever_uses_the_tracer_is_not_disturbed,
    what_others_limit_is_said,
    the_kernel_begins_there_unless_somebody_else_traces,
    two_fctraces_do_not_limit_each_other,
    killed_it_leaves_what_is_put_back,
    what_was_not_borrowed_is_not_given_back,
    killed_at_any_moment_it_harms_nobody,
    what_was_lost_is_counted_and_the_tree_is_whole,
]


def suite_of(suite):
    with_program = Bench(suite)
    try:
        need_function_graph()
    except Skip as why:
        suite.skip("functions of the kernel by tracefs", why)
        return
    suite.run_all(by_turns(suite, CASES), with_program)


if __name__ == "__main__":
    tap.main(suite_of)
