#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fctrace report --locks names each lock that threads waited for, who waited, who had it, and who woke.

The programs let a thread go on when the kernel says that another one sleeps in futex(): so what is to be
told is known, whatever the machine is busy with.
"""
import csv
import io
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import bench  # noqa: E402
import tap  # noqa: E402

FUNCTIONS, FUTEXES = ["--locks"], ["--syscalls=ptrace"]
ROLES = ("waited", "held", "woke")

CALM = """
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    for (int i = 0; i < 3; i++) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
    return 0;
}
"""

OFTEN = """
#include <pthread.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    for (time_t end = time(NULL) + 3; time(NULL) < end;)
        for (int i = 0; i < 1000; i++) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
    return 0;
}
"""

# main() has the lock and sleeps, until it is woken when another thread waits.
SLEEPS = """
#include "turns.h"
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t bell;
static volatile int first, waiter;
ALONE void use(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
ALONE void hold(void) { pthread_mutex_lock(&lock); first = own_tid(); sem_wait(&bell); pthread_mutex_unlock(&lock); }
static void *work(void *arg) { await_sleep(&first); waiter = own_tid(); use(); return NULL; }
static void *ring(void *arg) { await_sleep(&waiter); sem_post(&bell); return NULL; }
int main(void) {
    pthread_t threads[2];
    sem_init(&bell, 0, 0);
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, ring, NULL);
    hold();
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
"""

# Not optimized, std::lock_guard and the like are functions of the program.
GUARDS = """
#include <mutex>
#include "turns.h"
struct store {
    std::mutex lock;
    ALONE void put(volatile int *waiter) { std::lock_guard<std::mutex> guard(lock); *waiter = -1;
        while (*waiter < 0) usleep(200); await_sleep(waiter); }
    ALONE void get() { std::lock_guard<std::mutex> guard(lock); }
};
static store all;
static volatile int waiter;
static void *work(void *) { while (!waiter) usleep(200); waiter = own_tid(); all.get(); return nullptr; }
int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    all.put(&waiter);
    pthread_join(thread, nullptr);
    return 0;
}
"""

# The child's lock has another holder than the parent's, at the same address.
FORKS = """
#include <sys/wait.h>
#include "turns.h"
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int tid;
ALONE void use(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
static void *work(void *arg) { tid = own_tid(); use(); return NULL; }
ALONE void contend(void) {
    pthread_t thread;
    tid = 0;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    await_sleep(&tid);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d %d\\n", getpid(), tid);
    fflush(stdout);
}
int main(void) {
    contend();
    if (!fork()) { contend(); return 0; }
    return wait(NULL) < 0;
}
"""


class Bench(bench.Bench):
    flags = ["-O1", "-w", "-pthread", "-D_GNU_SOURCE", "-I", os.path.join(HERE, "programs")]

    def locks_of(self, program, options):
        """What it printed, and its locks by name: None of those without one."""
        out, _ = self.must("record", "-q", *options, "-o", self.trace, program)
        locks = self.locks()
        return [line.split() for line in out.splitlines()], {lock["lock"]: lock for lock in locks}

    def locks(self, *words):
        return json.loads(self.must("report", "--locks", "--json", *words, self.trace)[0])


def who(lock, role):
    """(thread, function, waits), or why there is no thread."""
    return sorted(((row["tid"], row["function"], row["waits"]) if row["tid"] else (row["nobody"], row["waits"])
                  for row in lock[role]), key=str)


def check_eight(bench, options, *flags):
    printed, locks = bench.locks_of(bench.build("eight.c", *flags), options)
    names = {"config": "config_lock", "log": "log_lock", "cache": "cache+0x8", "jobs": None}
    tap.expect(sorted(locks, key=str), sorted(names.values(), key=str))
    by_function = "--locks" in options
    for name, holder, waiter in printed:
        lock, holder, waiter = locks[names[name]], int(holder), int(waiter)
        tap.expect((lock["kind"], lock["waits"], lock["taken"]), ("mutex", 3, 6) if by_function else ("futex", 3, 0))
        tap.expect(who(lock, "waited"), [(waiter, "read_" + name, 3)])
        tap.expect(who(lock, "held"), [(holder, "write_" + name, 3)] if by_function else [])
        tap.expect(who(lock, "woke"), [] if "--syscalls=ptrace" not in options else
                   [(holder, "write_" + name, 3)])
        tap.expect(lock["first_function"] in ("write_" + name, "read_" + name), True)
        for role in ROLES:
            for row in lock[role]:
                if not row["mean_ns"] <= row["longest_ns"] <= row["total_ns"] <= lock["total_ns"]:
                    return "%s: %s of %s" % (role, row, lock)


def eight_threads_and_four_locks_by_functions(bench):
    return check_eight(bench, FUNCTIONS)


def the_same_with_futex(bench):
    return check_eight(bench, FUNCTIONS + FUTEXES)


def the_same_by_futex_alone(bench):
    """Whose a lock is, nobody tells; who woke is known."""
    wrong = check_eight(bench, FUTEXES)
    said = bench.must("report", "--locks", bench.trace)[1]
    return wrong or ("who had a lock is not known" not in said and said)


def the_same_of_functions_that_end_with_a_jump_to_unlock(bench):
    return check_eight(bench, FUNCTIONS + FUTEXES, "-O2")


def the_same_of_a_static_program(bench):
    return check_eight(bench, FUNCTIONS, "-static")


def check_kinds(bench, options):
    printed, locks = bench.locks_of(bench.build("kinds.c"), options)
    main, waiter, reader = [int(word) for word in printed[0]]
    has_futex = options != FUNCTIONS
    told = {name: (lock["kind"], lock["waits"], who(lock, "waited"), who(lock, "held"), who(lock, "woke"))
            for name, lock in locks.items()}
    for lock in told:
        if lock not in ("ready", "table", "slots", "gate", "index_lock"):
            return "nobody waits for %s" % lock
    by = lambda *what: list(what) if has_futex else []
    tap.expect(told["ready"], ("condition", 1, [(waiter, "await_job", 1)], [], [(main, "give_job", 1)]))
    tap.expect(told["table"], ("rwlock", 1, [(waiter, "read_table", 1)], [(main, "write_table", 1)],
                               by((main, "write_table", 1))))
    tap.expect(told["slots"][:4], ("semaphore", 2, [(waiter, "get_slot", 1), (waiter, "get_slot_soon", 1)], []))
    tap.expect(sorted(told["slots"][4], key=str), sorted([(main, "put_slot", 1), ("a time-out", 1)], key=str))
    tap.expect(told["gate"], ("barrier", 1, [(waiter, "meet", 1)], [], [(main, "meet", 1)]))
    tap.expect(told["index_lock"], ("rwlock", 1, [(waiter, "write_index", 1)],
                                    sorted([(main, "main", 1), (reader, "read_index", 1)], key=str),
                                    by((reader, "read_index", 1))))


def each_kind_of_lock_by_functions(bench):
    return check_kinds(bench, FUNCTIONS)


def each_kind_of_lock_with_futex(bench):
    return check_kinds(bench, FUNCTIONS + FUTEXES)


def a_lock_that_was_taken_twice_by_trylock_has_its_holder(bench):
    """And a wait that had not ended is told, too."""
    printed, locks = bench.locks_of(bench.build("ends.c"), FUNCTIONS + FUTEXES)
    main, first, second = [int(word) for word in printed[0]]
    tap.expect(sorted(locks), ["again", "never"])
    tap.expect([who(locks["again"], role) for role in ROLES],
               [[(first, "use_again", 1)], [(main, "try_again", 1)], [(main, "main", 1)]])
    tap.expect([who(locks["never"], role) for role in ROLES],
               [[(second, "use_never", 1)], [(main, "main", 1)], [("nobody, up to its end", 1)]])


def what_the_holder_does_meanwhile_is_told(bench):
    _, locks = bench.locks_of(bench.build("sleeps.c", text=SLEEPS), FUNCTIONS)
    tap.expect([(row["function"], row["doing"]) for row in locks["lock"]["held"]], [("hold", "sem_wait")])
    tap.expect([(row["function"], row["doing"]) for row in locks["lock"]["waited"]], [("use", None)])
    text = bench.must("report", "--locks", bench.trace)[0]
    return " in hold, then in sem_wait\n" not in text and text


def functions_of_c_plus_plus_s_library_are_not_the_program_s(bench):
    for words in ((), ("--demangle=no",), ("--demangle=full",)):
        _, locks = bench.locks_of(bench.build("guards.cc", "-O0", text=GUARDS), FUNCTIONS)
        lock, = bench.locks(*words)
        told = [row["function"] for role in ("waited", "held") for row in lock[role]]
        if len(told) != 2 or "get" not in told[0] or "put" not in told[1] or "std" in "".join(told):
            return str(told)


def each_process_has_its_own(bench):
    out, _ = bench.must("record", "-q", "--locks", "-o", bench.trace, bench.build("forks.c", text=FORKS))
    told = sorted((lock["pid"], lock["lock"], who(lock, "waited"), who(lock, "held")) for lock in bench.locks())
    printed = sorted([int(word) for word in line.split()] for line in out.splitlines())
    tap.expect(told, [(pid, "lock", [(tid, "use", 1)], [(pid, "contend", 1)]) for pid, tid in printed])
    tap.expect([lock["pid"] for lock in bench.locks("--pid", str(printed[0][0]))], [printed[0][0]])
    if ", process %d" % printed[1][0] not in bench.must("report", "--locks", bench.trace)[0]:
        return "the text has no process"


def check_arrows(bench, options):
    """From each of the four that have locks, three lead to the one that waits: from the call that releases it,
    to the one that takes it."""
    printed, _ = bench.locks_of(bench.build("eight.c"), options)
    events = json.loads(bench.must("export", "-f", "chrome", bench.trace)[0])["traceEvents"]
    arrows = [(event["ph"], event["id"], event["tid"], event["ts"]) for event in events if event.get("cat") == "lock"]
    # A stack that is not the first of its thread is a track with a number of its own.
    threads = {event["tid"]: int(re.search(r"thread (\d+)", event["args"]["name"]).group(1))
               for event in events if event["name"] == "thread_name"}
    ends = {}
    for phase, number, tid, ts in arrows:
        ends.setdefault(number, {})[phase] = (tid, ts)
    tap.expect(sorted((threads[end["s"][0]], threads[end["f"][0]]) for end in ends.values()),
               sorted((int(holder), int(waiter)) for _, holder, waiter in printed for _ in range(3)))
    for end in ends.values():
        if end["s"][1] > end["f"][1]:
            return "%s leads back in time" % end
        for (tid, ts), name in ((end["s"], "pthread_mutex_unlock"), (end["f"], "pthread_mutex_lock")):
            if name not in open_calls(events, tid, ts):
                return "%s %s: not within %s, but %s" % (tid, ts, name, open_calls(events, tid, ts))


def open_calls(events, tid, ts):
    """The names of those that are open at that time, ends included."""
    names, ret = [], []
    for event in events:
        if event["tid"] != tid or event["ph"] not in "BE" or event["ts"] > ts:
            continue
        if event["ph"] == "B":
            names.append(event["name"])
        else:
            ended = names.pop()
            ret += [ended] if event["ts"] == ts else []
    return ret + names


def in_chrome_s_format_arrows_lead_from_who_releases(bench):
    return check_arrows(bench, FUNCTIONS)


def with_futex_from_who_wakes(bench):
    wrong = check_arrows(bench, FUNCTIONS + FUTEXES)
    out, _ = bench.must("export", "-f", "chrome", "-N", "write_log", bench.trace)
    return wrong or ('"cat":"lock"' in out and "arrows in a part of the trace")


def csv_has_what_json_has(bench):
    bench.locks_of(bench.build("kinds.c"), FUNCTIONS)
    told = list(csv.DictReader(io.StringIO(bench.must("report", "--locks", "--csv", bench.trace)[0])))
    expected = []
    for lock in bench.locks():
        expected.append(["lock", lock["lock"] or "", lock["address"], lock["kind"], "", "", "", str(lock["waits"]),
                         str(lock["total_ns"])])
        expected += [[role, lock["lock"] or "", lock["address"], lock["kind"], str(row["tid"] or ""), row["function"] or "",
                      row["nobody"] or "", str(row["waits"]), str(row["total_ns"])]
                     for role in ROLES for row in lock[role]]
    keys = ("role", "lock", "address", "kind", "tid", "function", "nobody", "waits", "total_ns")
    tap.expect([[row[key] for key in keys] for row in told], expected)


def as_text_there_is_a_line_for_each(bench):
    printed, locks = bench.locks_of(bench.build("eight.c"), FUNCTIONS + FUTEXES)
    text = bench.must("report", "--locks", bench.trace)[0]
    name, holder, waiter = printed[0]
    for line in ("config_lock (mutex of eight, taken 6 times)", "waited   %s in read_config" % waiter,
                 "held by  %s in write_config" % holder, "woken by %s in write_config" % holder,
                 "%s (mutex first used in write_jobs, taken 6 times)" % locks[None]["address"]):
        if line not in text:
            return "no %r in\n%s" % (line, text)
    tap.expect(len(text.splitlines()), 1 + 4 * 4)
    tap.expect(len(bench.must("report", "--locks", "-n", "1", bench.trace)[0].splitlines()), 1 + 4)


def needs_the_calls_of_all(bench):
    """What leaves out calls cannot be combined with it: who waits for whom would be false."""
    program = bench.build("kinds.c")
    for words in ["-F", "main"], ["-N", "main"], ["-m", "kinds"], ["--libs=none"], ["--on", "main"], ["--off-at", "main"], ["-D", "3"]:
        done = bench.run("record", "--locks", *words, "-o", bench.trace, program)
        tap.expect((done.status, done.err.decode().startswith("fctrace: --locks needs the calls of all threads, also in the C library: leave out -F")),
                   (2, True))


def what_is_not_there_is_told_from_what_was_not_recorded(bench):
    """Nobody is told to do what was done."""
    bench.record(bench.build("kinds.c"), options=["-q", "--locks"])
    done = bench.run("report", "--locks", "-r", "1h~", bench.trace)
    if b"records that" in done.err:
        return done.err
    calm = bench.build("calm.c", text="int main(void) { return 0; }")
    bench.record(calm, options=["-q", "--locks"])
    done = bench.run("report", "--locks", bench.trace)
    tap.expect("are seen with fctrace record --locks --syscalls=futex" in done.err.decode(), True)
    bench.record(calm, options=["-q"])
    done = bench.run("report", "--locks", bench.trace)
    tap.expect("fctrace record --locks records that" in done.err.decode(), True)


def they_are_sorted_as_asked(bench):
    bench.locks_of(bench.build("kinds.c"), FUNCTIONS)
    for words, key in (((), "total_ns"), (("-s", "total"), "total_ns"), (("-s", "calls"), "waits"),
                       (("-s", "max"), "longest_ns"), (("-s", "avg"), "mean_ns")):
        told = [lock[key] for lock in bench.locks(*words)]
        tap.expect(told, sorted(told, reverse=True))


def a_program_without_waits_is_said_to_have_none(bench):
    bench.must("record", "-q", "--locks", "-o", bench.trace, bench.build("calm.c", text=CALM))
    out, err = bench.must("report", "--locks", bench.trace)
    if out or "no thread waited for a lock" not in err:
        return out + err
    tap.expect(bench.locks(), [])


def a_trace_that_tells_of_no_locks_says_how_to_record_them(bench):
    bench.must("record", "-q", "-o", bench.trace, bench.build("calm.c", text=CALM))
    out, err = bench.must("report", "--locks", bench.trace, status=1)
    if out or "no arguments of functions such as pthread_mutex_lock()" not in err or \
            "fctrace record --locks" not in err:
        return out + err
    bench.must("record", "-q", "--libs=none", "-o", bench.trace, bench.build("calm.c", text=CALM))
    out, err = bench.must("report", "--locks", bench.trace, status=1)
    return (out or "no calls of functions such as" not in err) and out + err


def where_calls_were_only_counted_nothing_is_claimed(bench):
    """As --budget does with functions that are called too often."""
    bench.must("record", "-q", "--locks", "--budget=1%", "-o", bench.trace, bench.build("often.c", text=OFTEN))
    if "not all calls are shown" not in bench.must("report", bench.trace)[1]:
        raise tap.Skip("the budget was enough")
    out, err = bench.must("report", "--locks", bench.trace, status=1)
    return (out or "() were recorded (--budget" not in err) and out + err


def what_does_not_go_together_is_said(bench):
    for words in (["-F", "main"], ["--by", "thread"], ["-f", "calls"], ["--hist", "main"], ["--callers", "main"],
                  ["-s", "self"], ["--tid", "1"], ["--csv", "--json"]):
        _, err = bench.must("report", "--locks", *words, bench.trace, status=2)
        if len(err.splitlines()) != 1:
            return "%s: %s" % (words, err)


def suite_of(suite):
    suite.run_all([
        eight_threads_and_four_locks_by_functions, the_same_with_futex, the_same_by_futex_alone,
        the_same_of_functions_that_end_with_a_jump_to_unlock, the_same_of_a_static_program,
        each_kind_of_lock_by_functions, each_kind_of_lock_with_futex,
        a_lock_that_was_taken_twice_by_trylock_has_its_holder, what_the_holder_does_meanwhile_is_told,
        functions_of_c_plus_plus_s_library_are_not_the_program_s, each_process_has_its_own,
        in_chrome_s_format_arrows_lead_from_who_releases, with_futex_from_who_wakes,
        csv_has_what_json_has, as_text_there_is_a_line_for_each, they_are_sorted_as_asked, needs_the_calls_of_all,
        what_is_not_there_is_told_from_what_was_not_recorded,
        a_program_without_waits_is_said_to_have_none, a_trace_that_tells_of_no_locks_says_how_to_record_them,
        where_calls_were_only_counted_nothing_is_claimed, what_does_not_go_together_is_said,
    ], Bench(suite))


if __name__ == "__main__":
    tap.main(suite_of)
