#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plans that are kept on disk: they change no trace, and what becomes of them harms nothing.

A program of 3000 functions is traced with and without a kept plan.
"""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

NR_FUNCS = 3000


def source(answer):
    text = "".join("__attribute__((noinline)) int f%d(int x) { return x * %d + %d; }\n" % (
        i, i + 3, i) for i in range(NR_FUNCS))
    calls = "".join("sum += f%d(%d);\n" % (i, i) for i in range(0, NR_FUNCS, 7))
    return ('#include <stdio.h>\n%sint main(void) { unsigned sum = %d;\n%s'
            'printf("%%u\\n", sum); return 0; }\n' % (text, answer, calls))


class Bench(bench.Bench):
    flags = ["-O1", "-Wl,--build-id=0xfedcba9876543210"]

    def __init__(self, suite):
        super().__init__(suite)
        self.cache, self.kept = self.path("cache"), self.path("cache/fctrace")
        self.env = dict(os.environ, XDG_CACHE_HOME=self.cache)
        self.make(1)

    def make(self, answer):
        """Always the same build-id, whatever is in it."""
        self.program = self.build("program.c", text=source(answer))

    def empty(self):
        shutil.rmtree(self.cache, ignore_errors=True)
        os.mkdir(self.cache, 0o700)

    def plans(self):
        """Of the program only: the C library has one, too."""
        try:
            names = os.listdir(self.kept)
        except FileNotFoundError:
            return []
        return [os.path.join(self.kept, n) for n in sorted(names) if n.startswith("fedcba98")]

    def seen(self, *options, env=None):
        """Why it was not traced as it should be, or None; and what was seen."""
        bare = tap.run([self.program])
        done = self.record(self.program, options=options, env=env or self.env)
        if (done.status, done.out, done.err) != (bare.status, bare.out, bare.err):
            return "status %d, said %r and %r" % (done.status, done.out, done.err), None
        seen = sorted(self.calls().items())
        if dict(seen).get("f7") != 1 or dict(seen).get("main") != 1:
            return "calls are missing", seen
        return None, seen


def a_kept_plan_changes_no_trace(b):
    b.empty()
    why, first = b.seen()
    if why or len(b.plans()) != 1:
        return why or "no plan was kept"
    before = os.stat(b.plans()[0]).st_ino
    why, second = b.seen()
    if why or first != second:
        return why or "another trace"
    return None if os.stat(b.plans()[0]).st_ino == before else "it was written again"


def a_file_that_changed_is_planned_anew(b):
    b.empty()
    why, _ = b.seen()
    before = why or open(b.plans()[0], "rb").read()
    b.make(2)
    why = why or b.seen()[0]
    return why or (None if open(b.plans()[0], "rb").read() != before else "the old plan is there")


def a_file_that_pretends_to_be_another_is_not_taken_for_it(b):
    """Its owner has chosen its build-id, its size and its time; the code is another."""
    b.empty()
    b.make(1)
    if os.geteuid() == 0:
        os.chown(b.program, 65534, -1)
    why, _ = b.seen()
    if why:
        return why
    st, before = os.stat(b.program), open(b.plans()[0], "rb").read()
    with open(b.program, "rb") as f:
        code = f.read()
    b.make(2)
    with open(b.program, "rb+") as f:
        changed = len(f.read()) != len(code)
        f.truncate(len(code))
    if os.geteuid() == 0:
        os.chown(b.program, 65534, -1)
    os.utime(b.program, ns=(st.st_atime_ns, st.st_mtime_ns))
    if changed or os.stat(b.program).st_size != st.st_size:
        return "the two files differ in size: this case shows nothing"
    why = b.seen()[0]
    return why or (None if open(b.plans()[0], "rb").read() != before else "the other's plan was taken")


def a_damaged_plan_is_not_taken(b):
    b.empty()
    why, first = b.seen()
    plan = why or b.plans()[0]
    good = why or open(plan, "rb").read()
    damages = [b"", good[:100], good[:-1], good + b"x", b"\0" * len(good),
               good[:5000] + bytes([good[5000] ^ 1]) + good[5001:]] if not why else []
    for i, damaged in enumerate(damages):
        with open(plan, "wb") as f:
            f.write(damaged)
        why, seen = b.seen()
        if why or seen != first:
            return "damage %d: %s" % (i, why or "another trace")
        if open(plan, "rb").read() != good:
            return "damage %d: it was not written anew" % i
    return why


def what_only_leaves_out_is_in_no_kept_plan(b):
    """-F leaves out what f cannot reach: neither taken from a kept plan nor put into one."""
    b.empty()
    for when in ("before", "after"):
        done = b.record(b.program, options=["-F", "f7"], env=b.env)
        if done.status or done.err:
            return "%s: status %d, said %r" % (when, done.status, done.err)
        why, seen = b.seen()
        if why or len(seen) < NR_FUNCS // 7:
            return "%s: %s" % (when, why or "functions are missing")
    return None


def no_cache_keeps_nothing(b):
    b.empty()
    return b.seen("--no-cache")[0] or ("a plan was kept" if b.plans() else None)


def a_plan_is_kept_in_home_too(b):
    b.empty()
    env = {k: v for k, v in os.environ.items() if k != "XDG_CACHE_HOME"}
    env["HOME"] = b.cache
    why = b.seen(env=env)[0]
    made = os.path.join(b.cache, ".cache", "fctrace")
    return why or (None if os.path.isdir(made) else "there is no " + made)


def where_nothing_can_be_kept_is_no_error(b):
    places = ["/nonexistent", "/proc/self", "/dev/null", "relative", ""]
    for place in places:
        why = b.seen(env=dict(os.environ, XDG_CACHE_HOME=place, HOME=place))[0]
        if why:
            return "%r: %s" % (place, why)
    b.empty()
    os.symlink("/tmp", b.kept)
    why = b.seen()[0]
    return why or ("written through a link" if os.path.exists("/tmp/fedcba9876543210-a.plan")
                   else None)


def several_at_once_keep_whole_plans(b):
    b.empty()
    procs = [subprocess.Popen([b.fctrace, "record", "-o", "%s/%d.data" % (b.folder, i),
                               b.program], env=b.env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) for i in range(6)]
    ends = [(p.communicate(timeout=tap.PATIENCE_S)[1], p.returncode) for p in procs]
    if ends != [(b"", 0)] * 6:
        return repr(ends)
    names = os.listdir(b.kept)
    if any(not name.endswith(".plan") for name in names):
        return "left behind: %s" % names
    before = os.stat(b.plans()[0]).st_ino
    why = b.seen()[0]
    return why or (None if os.stat(b.plans()[0]).st_ino == before else "it was not taken")


CASES = [
    a_kept_plan_changes_no_trace, a_file_that_changed_is_planned_anew,
    a_file_that_pretends_to_be_another_is_not_taken_for_it,
    a_damaged_plan_is_not_taken, what_only_leaves_out_is_in_no_kept_plan, no_cache_keeps_nothing, a_plan_is_kept_in_home_too,
    where_nothing_can_be_kept_is_no_error, several_at_once_keep_whole_plans,
]


def suite_of(suite):
    suite.run_all(CASES, Bench(suite), prefix="cache: ")


if __name__ == "__main__":
    tap.main(suite_of)
