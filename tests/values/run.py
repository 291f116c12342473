#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Arguments and results: what a trace shows of them is what the program passed, and reading it harms
nobody. The programs print their own calls."""
import ast
import os
import random
import re
import resource
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import bench  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

USAGE = 2
BUILDS = [("gcc", "-O0"), ("gcc", "-O2"), ("gcc", "-O3"), ("clang", "-O1")]
LINE = re.compile(r"^[^|]*\| *(.*)$")


class Bench(bench.Bench):
    sources, flags = HERE, ["-w", "-pthread"]

    def say(self, *words, status=0, **how):
        """What fctrace record prints."""
        return self.must("record", "-o", self.trace, *words, status=status, **how)

    def shown(self, *options):
        """The calls of the trace, without their notes; addresses by one name."""
        return calls_of(self.must("replay", *options, self.trace)[0])


def calls_of(text, has_addresses=False):
    calls = []
    for line in text.splitlines():
        found = LINE.match(line)
        if found and not line.startswith("#"):
            call = re.sub(r" */\*.*\*/$", "", found.group(1)).rstrip(";")
            if not has_addresses:
                call = re.sub(r"0x[0-9a-f]{6,}", "0xPOINTER", call)
            if call:
                calls.append(call)
    return calls


def only(calls, *names):
    """Of these functions, and what stands beneath."""
    return [call for call in calls if re.match(r"(%s)\(" % "|".join(names), call)]


PASSES = ("ints", "longs", "floats", "mixed", "many", "text", "enums", "pointers", "nothing",
          "written", "fills", "down")


def check_passes(bench, compiler, option):
    program = bench.build("passes.c", option, compiler=compiler)
    want = tap.run([program]).out.decode().splitlines()
    out, _ = bench.say("-a", "--proto", os.path.join(HERE, "passes.h"), "-m",
                          os.path.basename(program), program)
    expect(out.splitlines(), want)
    shown = bench.shown()
    first, last = shown.index("main() {") + 1, len(shown) - shown[::-1].index("}") - 1
    expect([call for call in shown[first:last]], want)


def passes_of(compiler, option):
    def check(bench):
        tap.need(compiler)
        check_passes(bench, compiler, option)
    return "%s %s: what is shown is what was passed" % (compiler, option), check


def live_and_recorded_are_the_same(bench):
    program = bench.build("passes.c", "-O2")
    options = ["-a", "--proto", os.path.join(HERE, "passes.h"), "-m", os.path.basename(program)]
    bench.say(*options, program)
    live = bench.must("-o", bench.path("live"), *options, program)
    with open(bench.path("live"), encoding="utf-8") as f:
        expect(calls_of(f.read()), bench.shown())
    assert live


def a_filter_keeps_the_values(bench):
    program = bench.build("passes.c", "-O2")
    bench.say("-a", "--proto", os.path.join(HERE, "passes.h"), "-F", "down", "-F", "text", program)
    want = tap.run([program]).out.decode().splitlines()
    expect(bench.shown(), only(want, "text") + want[want.index("down(2) {"):])
    expect(bench.shown("-F", "down", "-D", "1"), ["down(2) = 2"])


def only_arguments_or_results_are_told(bench):
    program = bench.build("passes.c", "-O2")
    proto = ["--proto", os.path.join(HERE, "passes.h"), "-F", "longs", "-F", "ints"]
    bench.say("-A", "longs", "-R", "int*", *proto, program)
    expect(bench.shown(), ["ints() = -294977397",
                           "longs(-5000000000, 18446744073709551615, true, '\\n')"])
    bench.say("-A", "nobody", *proto, program)
    expect(bench.shown(), ["ints()", "longs()"])


def strings_are_as_long_as_asked(bench):
    program = bench.build("passes.c", "-O2")
    options = ["-A", "text", "--proto", os.path.join(HERE, "passes.h"), "-F", "text"]
    bench.say(*options, "-S", "4", program)
    expect(bench.shown(), ['text("on \\""..., "wide"...)', 'text("", "0123"...)'])
    bench.say(*options, "-S", "100", program)
    expect(bench.shown()[1:], ['text("", "0123456789012345678901234567890123456789")'])
    bench.say(*options, "--depth-of-values", "0", program)
    expect(bench.shown(), ["text(0xPOINTER, 0xPOINTER)"] * 2)


FAILED = [
    "main() {",
    "set_up() {",
    'read_config("/nowhere/config") {',
    'open("/nowhere/config", O_RDONLY) = -1 ENOENT',
    "} = -1",
    "} = 1",
    "failures() {",
    "pthread_mutex_trylock(0xPOINTER) = 16 EBUSY",
    "find(1) = NULL",
    "check(1) = BAD",
    "} = 3"]
IN_CHILD = ['read_config("/nowhere/else") {', 'open("/nowhere/else", O_RDONLY) = -1 ENOENT', "} = -1"]


def only_calls_that_fail_are_shown(bench):
    program = bench.build("fails.c", "-g", "-O1")

    def calls(text):
        """Without what libc calls for itself; the child's by themselves."""
        shown = [call for call in calls_of(text) if not re.match(r"__libc_start|_*fork|_Fork", call)]
        child = [call for call in shown if call in IN_CHILD[:2]]
        at = shown.index("main() {")
        return shown[at:at + len(FAILED)], child
    want = FAILED, IN_CHILD[:2]

    def check(text):
        got = calls(text)
        expect(got[0], want[0])
        expect(got[1], want[1])
    bench.must("-Z", "-o", bench.path("live"), program)
    with open(bench.path("live"), encoding="utf-8") as f:
        check(f.read())
    bench.say("-Z", program)
    check(bench.must("replay", bench.trace)[0])
    small = os.path.getsize(bench.trace)
    bench.say("-a", program)
    check(bench.must("replay", "-Z", bench.trace)[0])
    if small >= os.path.getsize(bench.trace):
        return "record -Z makes no smaller trace than record -a"
    expect(bench.shown("-Z", "-F", "failures"), FAILED[6:10] + ["} = 3"])
    expect(bench.shown("-Z", "-N", "main"), [])


# Each in many ways: a failure in a loop, one by another caller, one with other texts; places that are
# tried for a file; and one inside of what only the implementation may name so.
AGAIN = r"""
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define APART __attribute__((noipa))
struct thing { int n; };
APART struct thing *find(int n) { return n < 0 ? malloc(sizeof(struct thing)) : NULL; }
APART struct thing *__Find_inside(int n) { return n < 0 ? malloc(sizeof(struct thing)) : NULL; }
APART int denied(const char *path) { int fd = open(path, O_RDONLY | O_DIRECTORY); return fd; }
APART int places(void)
{
	char path[32];
	int n = 0;
	for (int i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "/nowhere/%d", i);
		n += open(path, O_RDONLY) < 0;
	}
	return n;
}
APART int one(void)
{
	int n = 0;
	for (int i = 0; i < 10; i++)
		n += !find(1);
	return n;
}
APART int other(void) { return !find(1) + !__Find_inside(2); }
APART int texts(void) { return (denied("/dev/null") < 0) + (denied("/dev/zero") < 0) + (denied("/dev/null") < 0); }
int main(void) { return one() + other() + texts() + places() == 23 ? 0 : 1; }
"""


def what_fails_as_before_is_counted(bench):
    program = bench.build("again.c", "-g", "-O1", text=AGAIN)
    options = ["--libs=none", "-F", "main", "-m", "again*"]
    def failed(text):
        """Those that fail, without those that were called by them."""
        found = re.findall(r"\| +(?:\d+ )?(?:\} = |(\w+)\((.*)\) = )(?:NULL|-1.*);?", text)
        return sorted((name, arg) for name, arg in found if name)
    want = sorted([("find", "1")] * 2 + [("denied", '"/dev/null"'), ("denied", '"/dev/zero"')])
    said = "fctrace: -Z left out %d failed calls: "
    live = bench.run("-Z", *options, "-o", bench.path("live"), program)
    with open(bench.path("live"), encoding="utf-8") as f:
        expect(failed(f.read()), want)
    expect(live.err.decode().splitlines(), [
        said % 11 + "10 like one that is shown, 1 inside a library or interpreter; most often find (9); "
        "-ZZ shows all"])
    everything = bench.must("-ZZ", *options, "-o", bench.path("live"), program)
    expect(everything[1], "")
    with open(bench.path("live"), encoding="utf-8") as f:
        expect(len(failed(f.read())), len(want) + 11)
    # What is recorded is all of them; who reads chooses.
    bench.say("-Z", *options, program)
    expect(len(failed(bench.must("replay", bench.trace)[0])), len(want) + 11)
    expect(bench.must("replay", "-ZZ", bench.trace)[1], "")
    shown, err = bench.must("replay", "-Z", bench.trace)
    expect(failed(shown), want)
    expect(err.splitlines(), live.err.decode().splitlines())


def a_mangled_name_is_not_reserved(bench):
    program = bench.build("mangled.cc", "-g", "-O1", text="""
        struct thing { int n; };
        __attribute__((noipa)) thing *find(int n) { return n < 0 ? new thing : nullptr; }
        int main() { return find(1) ? 1 : 0; }
    """)
    for form in ("simple", "no"):
        _, err = bench.must("-Z", "--demangle=" + form, "--libs=none", "-o", bench.path("live"), program)
        with open(bench.path("live"), encoding="utf-8") as f:
            text = f.read()
        if not re.search(r"(?:find|_Z4findi)\(1\) = NULL", text) or err:
            return "%s: %s%s" % (form, text, err)
    return None


def places_where_a_file_is_looked_for_are_few(bench):
    program = bench.build("again.c", "-g", "-O1", text=AGAIN)
    bench.say("-a", "-F", "places", program)
    shown, err = bench.must("replay", "-Z", bench.trace)
    expect(re.findall(r'open\("([^"]*)"', shown), ["/nowhere/%d" % i for i in range(3)])
    expect(err.splitlines(), ["fctrace: -Z left out 5 failed calls: 5 that found no file of one more name; "
                              "most often open (5); -ZZ shows all"])
    shown, _ = bench.must("replay", "-ZZ", bench.trace)
    expect(re.findall(r'open\("([^"]*)"', shown), ["/nowhere/%d" % i for i in range(8)])


def what_ended_by_a_jump_keeps_its_values(bench):
    program = bench.build("jumps.c", "-g", "-O2")
    want = ["main() {", 'first("/nowhere/a") = -1', 'second("/nowhere/a", 0) = -1',
            'third("/nowhere/a", 0, 0) {', 'open("/nowhere/a", O_RDONLY) = -1 ENOENT', "} = -1",
            "} = 0"]
    bench.say("-a", program)
    expect(bench.shown("-Z", "-F", "main"), want)
    bench.say("-Z", "-F", "main", program)
    expect(bench.shown(), want)


def numbers_out_of_range_have_failed(bench):
    """The largest number is none; what is too large says so by errno, of which the one before may be there."""
    program = bench.build("ranges.c", "-g", "-O1", "-fno-builtin")
    numbers = ["-F", "strto*", "-D1"]
    good = ['strtol("9223372036854775807", [""], 10) = 9223372036854775807',
            'strtol("-9223372036854775808", NULL, 10) = -9223372036854775808',
            'strtoul("18446744073709551615", NULL, 10) = 18446744073709551615',
            'strtol("-1", NULL, 10) = -1', 'strtod("inf", NULL) = inf', 'strtof("1.5", NULL) = 1.5']
    bad = ['strtol("9223372036854775808", [""], 10) = 9223372036854775807 ERANGE',
           'strtol("-9223372036854775809", NULL, 10) = -9223372036854775808 ERANGE',
           'strtoul("18446744073709551616", NULL, 10) = 18446744073709551615 ERANGE',
           'strtod("1e999", NULL) = inf ERANGE', 'strtof("-1e99", NULL) = -inf ERANGE']

    def shown(*options):
        return [line.replace("strtoll(", "strtol(") for line in bench.shown(*options)]
    bench.say("-a", *numbers, program)
    expect(shown(), good + bad)
    expect(shown("-Z"), bad)
    expect(shown("-F", "strto*@if:errno == ERANGE"), bad)
    bench.say("-Z", *numbers, program)
    expect(shown(), bad)


def packed_bit_fields_are_right_or_unknown(bench):
    """clang 14 tells of those that are as wide as their types only in which byte they begin."""
    call = "take({.a = 1, .b = 194183003023092, .c = 31, .wide = %s, .wide_too = %s, .d = 235857288749380, " \
        ".e = -5}) = 31"
    for compiler, wide in (("gcc", ("-106", "200")), ("clang", ("?", "?"))):
        if not tap.have(compiler):
            continue
        for option in ("-g", "-gdwarf-3"):
            program = bench.build("packed.c", option, "-O0", "-Wno-unknown-warning-option",
                                  "-Wno-packed-bitfield-compat", compiler=compiler)
            bench.say("-a", "-F", "take", program)
            shown = [re.sub(r"'\\(\d+)'", lambda m: str(int(m.group(1), 8)), line) for line in bench.shown()]
            shown = [line.replace("= 150,", "= -106,") for line in shown]
            if shown not in ([call % wide], [call % ("-106", "200")]):
                return "%s %s: %s" % (compiler, option, shown)
    return None


def a_trace_without_results_knows_no_failures(bench):
    bench.say(bench.build("fails.c", "-g", "-O1"))
    _, err = bench.must("replay", "-Z", bench.trace, status=1)
    expect(err.splitlines(), ["fctrace: -Z: this trace has no results; "
                              "fctrace record -a (or -Z) records them"])


def what_is_to_be_written_is_read_when_it_is(bench):
    """Before the call there may be anything in it: a secret that another call has left, too."""
    program = bench.build("written.c", "-g", "-O1", "-fno-builtin")
    names = ["name_of", "locate", "seventh", "getcwd", "gethostname", "confstr"]
    options = sum((["-F", name] for name in names), ["-a", "-S", "64", "-D", "1"])
    bench.say(*options, "--depth-of-values", "2", program)
    host, path = os.uname().nodename[:63], os.confstr("CS_PATH")
    expect(bench.shown(), [
        'name_of(7, "item-7", 64) = 6',
        "locate(3, {.x = 3, .y = -3}) = 0",
        'seventh(1, 2, 3, 4, 5, 6, [137], "text") = 0',
        'getcwd("%s", 64) = "%s"' % (bench.folder, bench.folder),
        "getcwd(0xPOINTER, 1) = NULL ERANGE",
        'gethostname("%s", 64) = 0' % host,
        'confstr(0, "%s", 64) = %d' % (path, len(path) + 1)])
    bench.say("-A", "name_of", "-A", "locate", "-F", "name_of", "-F", "locate", "-D", "1", program)
    expect(bench.shown(), ['name_of(7, "item-7", 64)', "locate(3, 0xPOINTER)"])


def arrays_end_where_the_result_says(bench):
    """What lies behind is of calls before."""
    program = bench.build("counted.c")
    event = "{.events = EPOLLIN, .data = {.ptr = 0x4d, .fd = 77, .u32 = 77, .u64 = 77}}"
    bench.record("-a", "-F", "epoll_wait", "-F", "recvmmsg", "-D", "1", program)
    calls = [re.sub(r"\b(epoll_wait|recvmmsg)\(\d+", r"\1(FD", call) for call in bench.shown()]
    expect(calls[:1] + calls[2:3], ["epoll_wait(FD, %s, 8, 0) = 1" % event, "epoll_wait(FD, {}, 8, 0) = 0"])
    if "85" in calls[1] or "EBADF" not in calls[1] or not re.search(r"\.msg_len = 3\}, 4, MSG_DONTWAIT, NULL\) = 1", calls[3]) or \
            calls[3].count("msg_len") != 1:
        raise tap.Wrong("\n".join(calls))
    bench.record("-a", "-F", "epoll_ctl", "-D", "1", program)
    expect([re.sub(r"\(\d+, (\w+), \d+", r"(FD, \1, FD", call) for call in bench.shown()],
           ["epoll_ctl(FD, EPOLL_CTL_ADD, FD, %s) = 0" % event])
    bench.record("-A", "epoll_wait", "-F", "epoll_wait", "-D", "1", program)
    if "1431655765" in "".join(bench.shown()):
        raise tap.Wrong("\n".join(bench.shown()))


def what_is_given_nothing_returns_what_it_jumps_to(bench):
    """Also where only the result is asked for: live, recorded, with a filter, in queries and reports."""
    program = bench.build("empty.c", "-g", "-O2", text=r"""
__attribute__((noipa)) int last(int x) { __asm__(""); return x * 2; }
__attribute__((noipa)) int middle(void) { return last(21); }
__attribute__((noipa)) int first(void) { return middle(); }
int main(void) { return middle() + first() != 84; }
""")
    want = ["middle() = 42", "last(21) = 42", "first() = 42", "middle() = 42", "last(21) = 42"]
    only_results = [call.replace("21", "") for call in want]
    every = ("first", "middle", "last")
    for options, calls in ((["-a"], want), (["-R", "*"], only_results), (["-a", "--loss=ring"], want)):
        bench.say(*options, "--libs=none", program)
        expect(only(bench.shown(), *every), calls)
        live = bench.path("live")
        if "--loss=ring" not in options:
            bench.must("-o", live, *options, "--libs=none", program)
            with open(live, encoding="utf-8") as f:
                expect(only(calls_of(f.read()), *every), calls)
        rows = bench.must("query", "--csv", bench.trace, "SELECT name, result FROM calls WHERE "
                          "name IN ('first', 'middle', 'last')")[0].split()[1:]
        expect(sorted(rows), ["first,42", "last,42", "last,42", "middle,42", "middle,42"])
        rows = bench.must("report", "--by", "result", "-F", "first", "-f", "calls", bench.trace)[0].splitlines()
        expect([row.split()[-3:] for row in rows if "first" in row], [["first()", "=", "42"]])
    bench.say("-F", "first@if:ret == 42", "--libs=none", program)
    expect([call.split("(")[0] for call in only(bench.shown(), *every)], ["first", "middle", "last"])
    bench.say("-R", "stat", "-F", "stat", bench.build("missing.c", text=r"""
#include <sys/stat.h>
int main(void) { struct stat st; return !stat("/nowhere", &st); }
"""))
    expect(only(bench.shown(), "stat"), ["stat() = -1 ENOENT"])


def addresses_of_sockets_and_sets_of_signals_are_readable(bench):
    """As many bytes of an address as are passed, and of a set those that the kernel knows: what is behind is stale."""
    program = bench.build("addresses.c", "-D_GNU_SOURCE", "-fno-builtin", text=r"""
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(8080) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(443), .sin6_scope_id = 3 };
	struct sockaddr_un un = { AF_UNIX, "/nowhere/at/all/that/is/longer/than/fourteen/bytes" };
	struct sockaddr_un name = { AF_UNIX, "\0name-STALE" }, none = { AF_UNIX, "STALE" };
	struct sockaddr odd = { 4711, "abc" };
	sigset_t set;
	in.sin_addr.s_addr = htonl(0x7f000001);
	inet_pton(AF_INET6, "fe80::1", &in6.sin6_addr);
	connect(-1, (void *)&in, sizeof(in));
	connect(-1, (void *)&in, 4);
	connect(-1, (void *)&in, 2);
	connect(-1, (void *)&in, 1);
	connect(-1, (void *)&in, 0);
	connect(-1, (void *)&in6, sizeof(in6));
	connect(-1, (void *)&un, sizeof(un));
	connect(-1, (void *)&name, offsetof(struct sockaddr_un, sun_path) + 5);
	connect(-1, (void *)&none, sizeof(none.sun_family));
	bind(-1, &odd, sizeof(odd));
	connect(-1, (void *)8, 16);
	connect(-1, NULL, 16);
	sendto(-1, "x", 1, 0, (void *)&in, sizeof(in));
	memset(&set, 0xee, sizeof(set));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return 0;
}
""")
    inet = '{.sin_family = AF_INET, .sin_port = htons(8080), .sin_addr = "127.0.0.1"}'
    want = ["connect(-1, %s, %d)" % call for call in (
        (inet, 16), ("{.sin_family = AF_INET, .sin_port = htons(8080), ...}", 4),
        ("{.sin_family = AF_INET, ..., ...}", 2), ("{...}", 1), ("{...}", 0),
        ('{.sin6_family = AF_INET6, .sin6_port = htons(443), .sin6_addr = "fe80::1", .sin6_scope_id = 3}', 28),
        ('{.sun_family = AF_UNIX, .sun_path = "/nowhere/at/all/that/is/longer/than/fourteen/bytes"}', 110),
        ('{.sun_family = AF_UNIX, .sun_path = "\\000name"}', 7), ("{.sun_family = AF_UNIX}", 2))]
    want += ['bind(-1, {.sa_family = 4711, .sa_data = "abc"}, 16)', "connect(-1, 0x8, 16)", "connect(-1, NULL, 16)",
             'sendto(-1, "x", 1, 0, %s, 16)' % inet]
    bench.say("-a", "-F", "main", "-D", "2", program)
    shown = bench.shown()
    expect(only(shown, "connect", "bind", "sendto"), [call + " = -1 EBADF" for call in want])
    expect(only(shown, "sigprocmask", "sigaddset"), [
        "sigaddset([USR1], SIGUSR1) = 0", "sigaddset([USR1|TERM], SIGTERM) = 0",
        "sigprocmask(SIG_BLOCK, [USR1|TERM], NULL) = 0"])


HERE_IT_IS = '{.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr = "127.0.0.1"}'
ASKED = [
    "getsockname(3, %s, [16]) = 0" % HERE_IT_IS, "accept(3, %s, [16]) = 5" % HERE_IT_IS, "accept4(3, NULL, NULL, SOCK_CLOEXEC) = 6",
    "getpeername(5, %s, [16]) = 0" % HERE_IT_IS,
    "getsockname(5, {.sin_family = AF_INET, .sin_port = htons(PORT), ...}, [16]) = 0", "getsockname(6, %s, [16]) = 0" % HERE_IT_IS,
    'recvfrom(6, "hello", 16, 0, %s, [16]) = 5' % HERE_IT_IS, "getsockname(7, {.sun_family = AF_UNIX}, [2]) = 0",
    "getpeername(-1, 0xPOINTER, [16]) = -1 EBADF"]


def addresses_that_sockets_are_asked_for_are_shown(bench):
    """No more of them than the kernel has written, and than there was room for."""
    program = bench.build("sockets.c", "-fno-builtin")
    for how in (["-a", "-F", "main", "-D", "2"], ["--syscalls=ptrace", "--libs=none"]):
        bench.say(*how, program)
        shown = [re.sub(r"htons\(\d+\)", "htons(PORT)", call) for call in bench.shown()]
        expect(only(shown, "getsockname", "accept", "accept4", "getpeername", "recvfrom"), ASKED)
        sent = only(shown, "sendmmsg")
        expect(re.findall(r'iov_base = ("[^"]*"), .iov_len = (\d)', sent[0]), [('"one"', "3"), ('"two "', "4"), ('"three"', "5")])


def name_of(address="127.0.0.1"):
    there = '.sin_addr = "%s"' % address if address else "..."
    return "{.sin_family = AF_INET, .sin_port = htons(PORT), %s}" % there


def message(name, *pieces, length=None, name_length=16):
    """As a struct msghdr is shown, or, with a length, a struct mmsghdr."""
    row = ", ".join('{.iov_base = "%s", .iov_len = %d}' % piece for piece in pieces)
    row = row if len(pieces) == 1 else "{%s}" % row
    text = ("{.msg_name = %s, .msg_namelen = %d, .msg_iov = %s, .msg_iovlen = %d, .msg_control = NULL, "
            ".msg_controllen = 0, .msg_flags = 0}" % (name, name_length, row, len(pieces)))
    return text if length is None else "{.msg_hdr = %s, .msg_len = %d}" % (text, length)


def messages_are_told_with_whom_they_are_of(bench):
    """No byte that was not written is shown: not behind a name that was cut, nor of a message."""
    program = bench.build("messages.c", "-fno-builtin")
    sent = "sendmsg(3, %s, 0) = 7" % message(name_of(), ("one", 3), ("two ", 4))
    parts = (("on", 2), ("etwo ", 16), ("", 16))
    two = ", ".join((message("NULL", ("he", 2), ("llo", 16), length=5, name_length=0),
                     message("NULL", ("goodbye", 16), length=7, name_length=0)))
    want = [sent, "recvmsg(3, %s, 0) = 7" % message(name_of(), *parts), sent,
            "recvmsg(3, %s, 0) = 7" % message(name_of(None), *parts),
            "recvmmsg(3, {%s}, 2, 0, NULL) = 2" % two, "recvmsg(3, 0xPOINTER, MSG_DONTWAIT) = -1 EAGAIN"]
    for how in (["-a", "-F", "main", "-D", "2"], ["--syscalls=ptrace", "--libs=none"], ["-a", "--loss=ring"]):
        bench.say(*how, program)
        shown = [re.sub(r"htons\(\d+\)", "htons(PORT)", call) for call in bench.shown()]
        expect(only(shown, "sendmsg", "recvmsg", "recvmmsg"), want)


def options_of_sockets_are_shown_by_their_names(bench):
    program = bench.build("messages.c", "-fno-builtin")
    want = ["setsockopt(3, SOL_SOCKET, SO_REUSEADDR, 0xPOINTER, 4) = 0",
            "getsockopt(3, SOL_SOCKET, SO_TYPE, [2], [4]) = 0",
            "getsockopt(3, SOL_SOCKET, SO_LINGER, {.l_onoff = 0, .l_linger = 0}, [8]) = 0",
            "setsockopt(3, SOL_SOCKET, SO_RCVTIMEO, 0xPOINTER, 16) = 0",
            "getsockopt(3, SOL_SOCKET, SO_RCVTIMEO, {.tv_sec = 2, .tv_usec = 500000}, [16]) = 0",
            "getsockopt(4, SOL_SOCKET, SO_PEERCRED, {.pid = PID, .uid = %d, .gid = %d}, [12]) = 0"
            % (os.getuid(), os.getgid()),
            'getsockopt(3, SOL_SOCKET, SO_TYPE, "\\002\\000", [2]) = 0',
            "getsockopt(3, SOL_TCP, TCP_NODELAY, 0xPOINTER, [4]) = -1 EOPNOTSUPP"]
    for how in (["-a", "-F", "options", "-D", "2"], ["--syscalls=ptrace", "--libs=none"]):
        bench.say(*how, program)
        shown = [re.sub(r"pid = \d+", "pid = PID", call) for call in bench.shown()]
        expect(only(shown, "setsockopt", "getsockopt"), want)


def texts_without_an_end_are_told_up_to_their_bound(bench):
    """What lies behind is of others."""
    program = bench.build("bounds.c", "-fno-builtin", text=r"""
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *heap = malloc(100), small[8], four[4] = { 'f', 'o', 'u', 'r' };
	memset(heap, 'S', 99);
	heap[99] = 0;
	strncpy(heap, "a/long/path/to/nowhere", 6);
	memset(small, 'Q', 8);
	strncpy(small, "exactly8", 8);
	strncpy(small, "ab", 8);
	stpncpy(heap, "zz", 2);
	strndup(four, 4);
	long sum = strnlen(four, 4) + strnlen("short", 100) + strncmp(four, "fourth", 4);
	strncat(strcpy(heap, "x"), four, 4);
	return sum != 9;
}
""")
    bench.say("-a", "-S", "100", "-F", "main", "-D", "2", program)
    expect(only(bench.shown(), "strncpy", "stpncpy", "strndup", "strnlen", "strncmp", "strncat"), [
        'strncpy("a/long", "a/long", 6) = 0xPOINTER', 'strncpy("exactly8", "exactly8", 8) = 0xPOINTER',
        'strncpy("ab", "ab", 8) = 0xPOINTER', 'stpncpy("zz", "zz", 2) = 0xPOINTER', 'strndup("four", 4) = "four"',
        'strnlen("four", 4) = 4', 'strnlen("short", 100) = 5', 'strncmp("four", "four", 4) = 0',
        'strncat("xfour", "four", 4) = "xfour"'])


def rows_of_buffers_are_as_strace_shows_them(bench):
    """What was read, and no more: behind it stands what another call has left there."""
    tap.need("strace")
    program, log = bench.build("pieces.c", "-g", "-fno-builtin"), bench.path("log")
    wanted = r"(writev|readv|sendmsg|recvmsg|process_vm_\w+)\("
    tap.run(["strace", "-s", "32", "-o", log, program])
    with open(log, encoding="utf-8") as f:
        theirs = [line for line in f.read().splitlines() if re.match(wanted, line)]
    theirs = [re.sub(r" \([A-Z].*\)$", "", line) for line in theirs]
    theirs = [re.sub(r"\[(\{[^{}]*\})\]", r"\1", line).replace("[{", "{{").replace("}]", "}}")
              for line in theirs]
    theirs = [re.sub(r"([{ ])(\w+)=", r"\1.\2 = ", line) for line in theirs]
    for options in ([], ["--libs=all"], ["--loss=ring"]):
        bench.say("-a", *options, "-F", "main", "-D", "2", program)
        ours = [call for call in bench.shown() if re.match(wanted, call)]
        # strace leaves out an empty control; of 20 the first 8 are recorded.
        ours = [call.replace(".msg_control = NULL, ", "") for call in ours]
        for one, other in zip(ours[:-1], theirs[:-1]):
            expect(*([re.sub(r"0x[0-9a-fP][0-9A-Za-z]+|_vm_(\w+)\(\d+", r"\1", call)] for call in (one, other)))
        expect([len(ours), ours[-1].count("iov_base"), ours[-1][-40:]],
               [len(theirs), 8, '{.iov_base = "7", .iov_len = 1}, ...}, 20) = 20'[-40:]])
    return None


def names_of_files_are_whole(bench):
    """Those that begin alike are not one; other texts are as long as -S says."""
    program = bench.build("files.c")
    folder = "/nowhere" + "/a-folder-with-a-long-name" * 15
    bench.record("-a", "-F", "main", "-D", "2", program)
    calls = bench.shown()
    expect(only(calls, "open", "rename"), [
        'open("%s/one", O_RDONLY) = -1 ENOENT' % folder, 'open("%s/two", O_RDONLY) = -1 ENOENT' % folder,
        'rename("%s", "%s") = -1 ENOENT' % (folder[:300], folder[:301])])
    expect(only(calls, "getenv"), ['getenv("%s"...) = NULL' % folder[:32]])
    rows = bench.must("report", "--by", "arg1", "-F", "open", "-f", "calls", bench.trace)[0].splitlines()[1:]
    expect(sorted(row.split(None, 1)[0] + row[-6:] for row in rows), ['1/one")', '1/two")'])


def filled(size, last):
    """As longest.c fills a path."""
    return "".join("/" if i % 100 == 0 else chr(97 + i % 26) for i in range(size - 1)) + last


LONGEST = [63, 64, 600, 880, 888, 1000, 1816, 4094, 4095, 4096, 5000]


def the_longest_names_of_files_are_whole(bench):
    """4 096 bytes with the zero, as the kernel takes them; longer ones are cut, and look so."""
    program = bench.build("longest.c", "-g", "-fno-builtin")

    def quoted(size, last, most=4096):
        return '"%s"%s' % (filled(size, last)[:most], "..." if size > most - (most == 4096) else "")

    def opens(most=4096):
        return ["open(%s, O_RDONLY) = -1 %s" % (quoted(size, last, most),
                                                "ENOENT" if size < 4096 else "ENAMETOOLONG")
                for size in LONGEST for last in "123"]
    want = opens()
    for options in (["-F", "main", "-D", "2"], ["-F", "open"], ["-F", "open@if:ret < 0"],
                    ["-F", "main", "-D", "2", "--loss=ring"]):
        bench.say("-a", *options, program)
        shown = bench.shown()
        expect(only(shown, "open")[:len(want)], want)
        if "hunter" in "".join(only(shown, "open", "setenv")):
            raise tap.Wrong("a secret: %s" % options)
        nr_masked = len([call for call in only(shown, "open") if "<masked>" in call])
        expect([nr_masked], [81])
        if "main" in options:
            expect(only(shown, "rename"), ["rename(%s, %s) = -1 %s" % (
                quoted(size, "2"), quoted(size, "3"), "ENOENT" if size < 4096 else "ENAMETOOLONG")
                for size in LONGEST])
            expect(only(shown, "chdir"), ["chdir(%s) = -1 ENOENT" % quoted(1000, "4")])
            expect(only(shown, "setenv"), ['setenv("DB_PASSWORD", <masked>, 1) = 0'])
            expect(only(shown, "getcwd")[0].split(",")[0], 'getcwd("%s"' % os.path.realpath(bench.folder))
    bench.say("-a", "-F", "main", "-D", "2", "-S", "6000", program)
    expect(only(bench.shown(), "open")[:len(want)], opens(6000))


def reports_keep_long_names_apart(bench):
    program = bench.build("longest.c", "-g", "-fno-builtin")
    bench.say("-a", "-F", "open", program)
    rows = bench.must("report", "--by", "arg1", "-f", "calls", bench.trace)[0].splitlines()[1:]
    for size in LONGEST[:9]:
        for last in "123":
            found = [row for row in rows if '(path = "%s")' % filled(size, last) in row or
                     '"%s")' % filled(size, last) in row]
            if len(found) != 1 or found[0].split()[0] != "1":
                return "%d bytes, %s: %d rows" % (size, last, len(found))
    text = bench.must("query", "--csv", bench.trace,
                      "SELECT max(length(arg1)), count(DISTINCT arg1) FROM calls "
                      "WHERE name = 'open' AND arg1 LIKE '/%' AND arg1 NOT LIKE '%masked%'")[0]
    # Of names that are too long the first 4 096 bytes are told, which are the same.
    expect(text.split()[-1], "4096,%d" % (len(LONGEST[:9]) * 3 + 3 + 1))
    return None


def buffers_are_as_long_as_asked(bench):
    """What does not fit in one record goes on in others."""
    program = bench.build("buffers.c", "-g", "-fno-builtin", text=r"""
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	int fds[2];
	char *from = malloc(20000), to[20000];
	for (int i = 0; i < 20000; i++)
		from[i] = (char)('a' + i % 26);
	pipe(fds);
	for (int nr = 777; nr < 20000; nr += 777) {
		write(fds[1], from, nr);
		read(fds[0], to, nr + 10);
	}
	return 0;
}
""")
    bench.say("-a", "-S", "10000", "-F", "main", "-D", "2", program)
    shown, want = bench.shown(), []
    for nr in range(777, 20000, 777):
        text = "".join(chr(97 + i % 26) for i in range(nr))
        want.append('read(3, "%s"%s, %d) = %d' % (text[:10000], "..." if nr > 10000 else "", nr + 10, nr))
        want.append('write(4, "%s"%s, %d) = %d' % (text[:10000], "..." if nr > 10000 else "", nr, nr))
    expect(sorted(only(shown, "read", "write")), sorted(want))


def what_nobody_knows_is_said_once(bench):
    """And only where it is so: a program with debug information of which -F leaves nothing is one that is known."""
    bare, debug = bench.build("files.c"), bench.build("files.c", "-g")
    own = "-a: nothing is known of the program's own functions"
    for program, options, want in (
            (bare, ["-a"], own), (debug, ["-a"], ""), (debug, ["-a", "-F", "open"], ""),
            (bare, ["-A", "nosuch"], "-A nosuch: no function of that name was hooked"),
            (bare, ["-A", "main"], "-A main: nothing is known of the arguments"),
            (bare, ["-R", "main"], "-R main: nothing is known of the result"),
            (bare, ["-A", "open"], "")):
        _, err = bench.say(*options, program)
        if err.count("fctrace: ") != bool(want) or want not in err:
            return "%s: %r" % (options, err)
    return None


def what_is_written_stands_where_a_call_ends(bench):
    """Other calls stand between its begin and its end."""
    program = bench.build("written.c", "-g", "-O1", "-fno-builtin")
    bench.say("-a", "-F", "outer", program)
    live = bench.must("-o", "/dev/stdout", "-a", "-F", "outer", program)[0]
    for how, end in ((["--long"], "} = 0; /* outer: out = [42] */"), ([], "} = 0; /* outer: out = [42] */"),
                     (["--flat"], "leave outer = 0 /* out = [42] */")):
        text = bench.must("replay", *how, bench.trace)[0]
        if end not in text:
            raise tap.Wrong("%s is not in\n%s" % (end, text))
    if "} = 0; /* outer: out = [42] */" not in live:
        raise tap.Wrong(live)


SECRETS = ["get_password", "log_in", "crypt_it", "open_account", "ask", "plain"]


def what_is_named_like_a_secret_is_not_recorded(bench):
    program = bench.build("secrets.c", "-g", "-O1")
    options = sum((["-F", name] for name in SECRETS), ["-a", "-S", "64"]) + [program]
    bench.say(*options)
    expect(bench.shown(), [
        'log_in("anna", <masked>) = 213',
        'crypt_it(<masked>, 13, "first") = 231',
        "open_account(<masked>, <masked>, 3) = 50",
        "ask(<masked>, 14) = 0",
        "get_password(1) = <masked>",
        'plain("word", 5) = 124'])
    bench.say("--mask", "W?RD", "--mask", "n", *options)
    expect(bench.shown()[-1:], ["plain(<masked>, <masked>) = 124"])
    bench.say("--unmask", *options)
    shown = bench.shown()
    expect([shown[0], shown[4], shown[5]], [
        'log_in("anna", "tell-nobody-0") = 213',
        'get_password(1) = "tell-nobody-4"',
        'plain("word", 5) = 124'])
    bench.say("--unmask", "--mask", "of", "--mask", "*assword", *options)
    expect(bench.shown()[4:5], ["get_password(<masked>) = <masked>"])


def each_argument_is_a_line(bench):
    program = bench.build("lines.c", "-g", "-O1", text=r"""
#include <stddef.h>
struct pair { int a, b; };
#define KEPT __attribute__((noipa))
#define ROOM __asm__ volatile("nop; nop; nop; nop; nop; nop" ::: "memory")
KEPT int inner(const struct pair *pair, char *const *names, size_t nr) { ROOM; return 3; }
KEPT long outer(const char *why, int (*next)(const struct pair *, char *const *, size_t))
{
	char *names[] = { "x", NULL };
	return next(&(struct pair){ 1, 2 }, names, 1) + 1;
}
KEPT int nothing(void) { ROOM; return 7; }
int main(void) { outer("a\n\"b\"", inner); return nothing() - 7; }
""")
    want = ["outer(", r'const char *why = "a\n\"b\"",', "int (*next)(...) = inner", ") {",
            "inner(", "const struct pair *pair = {.a = 1, .b = 2},", 'char *const *names = {"x"},',
            "size_t nr = 1", ") = 3", "} = 4", "nothing() = 7"]
    options = ["-a", "-m", "lines", "-F", "outer", "-F", "nothing"]
    bench.say(*options, program)
    shown = [call.split("  ")[-1] for call in bench.shown("--long")]
    expect(shown, want)
    bench.must("--long", "-o", bench.path("live"), *options, program)
    with open(bench.path("live"), encoding="utf-8") as f:
        expect([call.split("  ")[-1] for call in calls_of(f.read())], shown)
    expect(bench.shown("--long", "--flat")[-2:], ["enter nothing", "leave nothing = 7"])
    lines = bench.must("replay", "--long", "-f", "none", bench.trace)[0].splitlines()
    if "      size_t nr = 1" not in lines or "  ) = 3;" not in lines:
        return "\n".join(lines)


def what_the_last_of_tail_calls_writes_is_shown(bench):
    program = bench.build("tails.c", "-g", "-O2", text=r"""
#include <stdio.h>
#include <sys/stat.h>
#define KEPT __attribute__((noinline, noclone, noipa))
#define ROOM __asm__ volatile("nop; nop; nop; nop; nop; nop" ::: "memory")
KEPT int last(int x, long *to, long *other) { ROOM; *to = x; *other = -x; return x + 1; }
KEPT int first(long *into, int x, long *to) { ROOM; *into = 1; return last(x, to, into + 1); }
int main(void) {
	long into[2] = { 0 }, to = 0;
	struct stat st;
	stat("/", &st);
	printf("%ld\n", (long)st.st_nlink);
	last(7, &to, into);
	first(into, 8, &to);
	stat("/nowhere", &st);
	return 0;
}
""")
    out, _ = bench.say("-a", "-F", "main", program)
    shown = bench.shown()
    expect(only(shown, "first", "last"), ["last(7, [7], [-7]) = 8", "first(0xPOINTER, 8, [8]) = 9",
                                          "last(8, [8], [-8]) = 9"])
    stats = only(shown, "stat", "fstatat")
    if (not any(".st_nlink = %d," % int(out) in call for call in stats) or
            ".st_nlink" in stats[-1] or not stats[-1].endswith(" = -1 ENOENT")):
        return "\n".join(stats)


def functions_are_shown_by_their_names(bench):
    want = ["qsort({2, 1}, 2, 4, order)", "signal(SIGUSR1, on_signal) = NULL", "raise(SIGUSR1) = 0", "call(twice, 4) = 8",
            "call(abs, -4) = 4", "call_of({.nr = 1, .run = twice}, 3) = 6", "pick(0) = NULL",
            "pick(1) = twice", "pick(2) = 0xPOINTER"]
    for options in (["-O0"], ["-O1"]):
        program = bench.build("functions.c", "-g", *options)
        shows = ["-F", "main", "-D", "2"]
        bench.say("-a", program)
        shown = [re.sub(r"qsort\(0xPOINTER", "qsort({2, 1}", call) for call in bench.shown(*shows)[1:-1]]
        expect(shown, want)
        bench.must("-o", bench.path("live"), "-a", *shows, program)
        with open(bench.path("live"), encoding="utf-8") as f:
            expect(calls_of(f.read()), bench.shown(*shows))
        bench.say("-a", *shows, program)  # what was called beneath is not in it, nor are its names
        if not re.match(r"call\(functions-\S+\+0x[0-9a-f]+, 4\)", bench.shown()[4]):
            return bench.shown()[4]


def strings_of_loaded_files_are_those_that_are_there(bench):
    program = bench.build("literals.c", "-O1", "-g")
    libraries = [bench.path(name + ".so") for name in ("first", "other")]
    for path in libraries:
        bench.build("text.c", "-shared", "-fPIC", out=path,
                    text='const char *const text = "%s one";' % os.path.basename(path)[:5])
    for options in ([], ["--libs=none"], ["--loss=ring", "--ring=64M"]):
        out, _ = bench.say("-A", "take", *options, program, *libraries)
        if len(set(out.split())) != 1:
            print("# the libraries have come to different places")
        expect(only(bench.shown(), "take"), ["take(\"%s\")" % text for text in (
            "here", "here", "across", "across", "first one", "first one", "other one", "other one",
            "old", "old", "now", "now", "here", "now")])


def registers_are_kept(bench):
    program = bench.build("keeps.c", "-O2")
    proto = bench.write("keeps.h", "long double probe(const char *, double, float, int);\n")
    out, _ = bench.say("-a", "--proto", proto, program)
    expect(out.splitlines(), ["0 wrong"])
    if 'probe("a string", 1.5, 2.5, 999) = 1' not in bench.shown():
        return "the calls are not shown as they were"


def with_a_small_stack():
    """It overflows in an eighth of the calls."""
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def an_overflow_of_the_stack_is_where_it_was(bench):
    proto = bench.write("overflow.h", "int deeper(int n, const char *text);\n")
    for option in "-O0", "-O1":
        out, _ = bench.say("-a", "--proto", proto, bench.build("overflow.c", option), preexec=with_a_small_stack)
        expect(out.splitlines(), ["in deeper"] * 16)


def a_chain_of_jumps_returns_what_its_last_call_does(bench):
    program = bench.build("chained.c", "-g", "-O2")
    functions = ["turned", "first", "last", "silent"]
    names = sum((["-F", name] for name in functions), ["-D", "2"])
    want = ["turned([10], 5) = 5", "first(5, [10]) = 5", "last(5, [10]) = 5",
            "turned([-6], -3) = -1", "first(-3, [-6]) = -1", "last(-3, [-6]) = -1",
            "silent([14], 7)", "first(7, [14]) = 7", "last(7, [14]) = 7"]
    bench.say("-a", program)
    expect(only(bench.shown(*names), *functions), want)
    live = calls_of(bench.must("-o", "/dev/stdout", "-a", *names, program)[0])
    expect(only(live, *functions), want)
    expect(only(bench.shown("-F", "turned@if:ret < 0", "-D", "2"), *functions), want[3:6])
    expect(only(bench.shown("-Z", "-F", "turned", "-D", "2"), *functions), want[3:6])
    expect(bench.must("query", "--csv", bench.trace, "SELECT args, result FROM calls "
                     "WHERE name = 'turned'")[0].splitlines()[1:], ['"[10], 5",5', '"[-6], -3",-1'])
    bench.say("-F", "turned@if:ret < 0", program)
    expect(bench.shown("-D", "1")[:1], ["turned([-6], -3) = -1"])
    report = bench.must("report", "--by", "result", "-F", "turned", bench.trace)[0]
    if "turned() = -1" not in report:
        raise tap.Wrong(report)


def results_are_known_of_any_call_of_a_chain(bench):
    """Also if nobody asks for those of the functions that jumped there, by whose stubs a chain returns."""
    program = bench.build("chained.c", "-g", "-O2")
    functions = ["turned", "first", "last", "silent"]
    names = sum((["-F", name] for name in functions), ["-D", "2"])
    chains = [("turned", 5), ("turned", -1), ("silent", 7)]
    for asked in (["last"], ["first"], ["turned"], ["first", "last"], ["turned", "first"]):
        want = ["%s()%s" % (name, " = %d" % result if name in asked else "")
                for begin, result in chains for name in (begin, "first", "last")]
        options = sum((["-R", name] for name in asked), ["--libs=none"])
        shown = {}
        live = bench.path("live")
        bench.must("-o", live, *options, "-N", "inner", program)
        with open(live, encoding="utf-8") as f:
            shown["live"] = calls_of(f.read())
        for how in ([], ["--loss=ring"]):
            bench.say(*options, *how, program)
            shown["recorded %s" % how] = bench.shown(*names)
        for how, calls in shown.items():
            try:
                expect(only(calls, *functions), want)
            except tap.Wrong as wrong:
                raise tap.Wrong("%s, %s: %s" % (options, how, wrong)) from None
        rows = bench.must("query", "--csv", bench.trace, "SELECT name || '() = ' || result FROM calls WHERE name IN "
                          "('%s') ORDER BY id" % "', '".join(asked))[0].splitlines()[1:]
        expect(rows, [call for call in want if "=" in call])


def called_by_own_rules(bench, compiler, name, text, *functions):
    tap.need(compiler)
    level = "-O0" if compiler in ("gfortran", "clang++") else "-O2"
    program = bench.build(name, "-g", level, out=name.split(".")[0] + "-" + compiler, compiler=compiler, text=text)
    bench.say("-a", program)
    return only(bench.shown(), *functions)


def what_debug_information_does_not_say_is_not_believed(bench):
    """A wrong value is worse than none."""
    copy = r"""
struct s { unsigned a[3]; };
struct r { long x, y, z; };
__attribute__((noinline)) void use(const void *p) { __asm__ volatile("" :: "r"(p) : "memory"); }
static __attribute__((noinline)) struct r wide(struct s s) { use(&s); return (struct r){ 1, 2, 3 }; }
int main(int argc, char **argv) { struct s s = { { argc + 10, argc + 20, argc + 30 } }; wide(s); return 0; }
"""
    half = r"""
struct two { long a, b; };
__attribute__((noinline)) void use(const void *p) { __asm__ volatile("" :: "r"(p) : "memory"); }
static __attribute__((noinline)) struct two s_two(struct two t) { use(&t); t.a++; return t; }
int main(int argc, char **argv) { struct two t = { argc, 2 }; t = s_two(t); return t.a != 2; }
"""
    flags = r"""
#include <stdbool.h>
#include <stdio.h>
__attribute__((noinline)) int set_mode(bool on, bool loud, int n) { return on ? n : loud; }
int main(int argc, char **argv) { return set_mode(argc > 0, argc > 5, argc) != 1; }
"""
    by_address = r"""subroutine mix(n, x)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  if (n * x > 100) print *, n, x
end subroutine
program p
  call mix(2, 1.5d0)
end program
"""
    expect(called_by_own_rules(bench, "gcc", "copy.c", copy, r"wide.*"), ["wide.isra.0(?) {"])
    expect(called_by_own_rules(bench, "clang", "half.c", half, "s_two"), ["s_two(?) {"])
    expect(called_by_own_rules(bench, "clang", "flags.c", flags, "set_mode"),
           ["set_mode(true, false, 1) = 1"])
    expect(called_by_own_rules(bench, "gfortran", "mix.f90", by_address, "mix_"), ["mix_([2], [1.5])"])


NAMED = [
    'setenv("DB_PASSWORD", <masked>, 1) = 0',
    'setenv("COLOR", "green", 1) = 0',
    'getenv("DB_PASSWORD") = <masked>',
    'getenv("COLOR") = "green"',
    'putenv("API_KEY=<masked>") = 0',
    'start({"prog", "--password", <masked>, "--token=<masked>", "--user", "anna"}) = 0',
    'configure("secret", <masked>) = 231',
    'configure("color", "blue") = 197',
    'say("Host: here\\nAuthorization: <masked>") = 72',
    'say("postgres://anna:<masked>") = 112',
    'say("http://here:80/a@b") = 104',
    'say("PIN: <masked>") = 80',
    'say("PIN:") = 80',
    'printf("%s|%s\\n", "TOKEN=<masked>", "x=y") = 24',
    'ask_password() = <masked>',
    'say("plain") = 112',
]


def what_a_text_names_like_a_secret_is_not_recorded(bench):
    program = bench.build("named.c", "-g", "-O1", "-fno-builtin")
    names = ["setenv", "getenv", "putenv", "start", "configure", "say", "printf", "ask_password"]
    options = sum((["-F", name] for name in names), ["-a", "-S", "64", "-D", "1"])
    for how in ([], ["--loss=ring"]):
        bench.say(*how, *options, program)
        expect(bench.shown(), NAMED)
    bench.say("-a", "-S", "64", "-F", "ask_password", program)
    expect(bench.shown(), ["ask_password() {", "inner(<masked>) = 116", "} = <masked>"])
    expect(bench.must("query", "--csv", bench.trace, "SELECT count(*) FROM calls WHERE "
                     "args LIKE '%nobody%' OR result LIKE '%nobody%'")[0].split()[1:], ["0"])
    live = bench.must("-o", "/dev/stdout", *options, program)[0]
    expect([call for call in calls_of(live) if "(" in call], NAMED)
    bench.say("--unmask", *options, program)
    expect([call for call in bench.shown() if "masked" in call], [])


PASSED_ON = [
    "log_in(<masked>) {", "copy(<masked>, <masked>) = <masked>", "length(<masked>) = 10", "length(<masked>) = 1",
    'say("user=anna&word=<masked>") = 117', 'say("anna") = 97', "} = 0",
    'say("between") = 98',
    "open_account(<masked>) {", "length(<masked>) = 13", 'say("number 7") = 110', "} = 123",
    "ask(<masked>, 14) {", "fill(<masked>, 14) = 14", "} = 14",
    "jump(<masked>) = 13", "length(<masked>) = 13",
    "leave(<masked>) {", "say(<masked>) = 116", "}",
    'say("behind") = 98']


def what_a_call_was_given_of_secrets_is_not_recorded_beneath_it(bench):
    program = bench.build("passed_on.c", "-g", "-O1", "-fno-builtin", "-foptimize-sibling-calls")
    options = ["-a", "-S", "64", "-m", os.path.basename(program), "--libs=none", program]
    for how in ([], ["--loss=ring"]):
        bench.say(*how, *options)
        text = bench.must("replay", bench.trace)[0]
        if "nobody" in text:
            raise tap.Wrong(text)
        shown = bench.shown()
        first = shown.index("log_in(<masked>) {")
        expect(shown[first:first + len(PASSED_ON)], PASSED_ON)
        expect([call for call in shown if "last" in call], ['say("last") = 108'])
    live = bench.must("-o", "/dev/stdout", *options)[0]
    expect([line for line in live.splitlines() if "|" in line and "nobody" in line], [])
    bench.say("--syscalls=ptrace", *options)
    expect([call.partition(")")[0] for call in only(bench.shown(), "write")[-1:]], ['write(1, "<<masked>", 16'])
    bench.say("--unmask", *options)
    expect([call for call in bench.shown() if "masked" in call], [])


def what_cannot_be_read_harms_nobody(bench):
    program = bench.build("garbage.c", "-O2")
    proto = bench.write("garbage.h", "int look(const char *text, const long *number, "
                       "const void *buffer, unsigned long size) "
                       "__attribute__((access(read_only, 3, 4)));\n")
    for option in ([], ["--loss=ring"], ["--loss=drop"]):
        out, _ = bench.say("-a", "--proto", proto, *option, program)
        expect(out.splitlines(), ["well"])
    bench.say("-a", "--proto", proto, "-F", "look", program)
    shown = bench.shown()
    expect(shown[:2], ["look(NULL, NULL, NULL, 18446744073709551615) = -1",
                       "look(0x1, 0x1, 0x1, 18446744073709551615) = -1"])
    expect(shown[10:12], ['look("eeeeee"..., 0xPOINTER, "%s"..., 500) = 500' % ("e" * 32),
                          "look(0xPOINTER, 0xPOINTER, 0xPOINTER, 1) = 1"])
    calls = only(shown, "look") # a machine under load may show one in two lines
    if len(calls) != 20012:
        return "%d calls are shown" % len(calls)


def the_c_library_is_known(bench):
    program = bench.build("libc.c", "-fno-builtin", text=r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	char buffer[32];
	struct stat st;
	struct timespec now;
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	write(fd, "to nobody", 9);
	read(fd, buffer, sizeof(buffer));
	close(fd);
	stat("/", &st);
	clock_gettime(CLOCK_MONOTONIC, &now);
	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	access("/nowhere", R_OK);
	getenv("FCTRACE_NOWHERE");
	strtol("12x", NULL, 10);
	lseek(0, 5, SEEK_CUR);
	return 0;
}
""")
    bench.say("-a", "-F", "main", "-D", "2", program)
    got = bench.shown()
    fd = re.search(r"= (\d+)$", got[1]).group(1)
    expect(got[1:5], [
        'open("/dev/null", O_RDWR|O_CLOEXEC) = ' + fd,
        'write(%s, "to nobody", 9) = 9' % fd, 'read(%s, "", 32) = 0' % fd, "close(%s) = 0" % fd])
    if not got[5].startswith('stat("/", '):
        return got[5]
    rest = [call for call in got[6:] if not call.startswith("fstatat")]
    if not re.match(r"clock_gettime\(CLOCK_MONOTONIC, \{.tv_sec = \d+, .tv_nsec = \d+\}\) = 0$",
                    rest[0]):
        return rest[0]
    expect(rest[1:5], ["mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0xPOINTER",
                       'access("/nowhere", R_OK) = -1 ENOENT', 'getenv("FCTRACE_NOWHERE") = NULL',
                       'strtol("12x", NULL, 10) = 12'])


def numbers_that_have_names_are_told_by_them(bench):
    program = bench.build("names.c", "-D_GNU_SOURCE", "-fno-builtin", text=r"""
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
int main(void)
{
	struct itimerval timer;
	struct winsize size;
	getitimer(ITIMER_VIRTUAL, &timer);
	getpriority(PRIO_PGRP, 0);
	epoll_create1(EPOLL_CLOEXEC);
	umask(022);
	chmod("/nowhere", S_ISUID | 0755);
	mkdir("/nowhere/x", 0);
	ioctl(-1, TIOCGWINSZ, &size);
	unlinkat(AT_FDCWD, "/nowhere/x", AT_REMOVEDIR);
	memfd_create("x", MFD_CLOEXEC);
	socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return 0;
}
""")
    bench.say("-a", "-F", "main", "-D", "2", program)
    expect([re.sub(r" =.*", "", call) for call in bench.shown()[1:] if call[0] != "_"], [
        "getitimer(ITIMER_VIRTUAL, 0xPOINTER)", "getpriority(PRIO_PGRP, 0)",
        "epoll_create1(EPOLL_CLOEXEC)", "umask(022)", 'chmod("/nowhere", S_ISUID|0755)',
        'mkdir("/nowhere/x", 0)', "ioctl(-1, TIOCGWINSZ, 0xPOINTER)",
        'unlinkat(AT_FDCWD, "/nowhere/x", AT_REMOVEDIR)', 'memfd_create("x", MFD_CLOEXEC)',
        "socket(AF_INET, SOCK_DGRAM|SOCK_CLOEXEC, 0)", "}"])


FD_CALLS = ("creat", "ftruncate", "lseek", "dup", "dup2", "socket", "close", "faccessat")


def where_descriptors_lead_is_told(bench):
    """As the program itself is told at that very moment; in a program under seccomp not at all."""
    program = bench.build("descriptors.c", "-O1", "-fno-builtin")

    def shown(*options, more=()):
        folder = bench.path("d" * 200 + str(len(os.listdir(bench.folder))))
        out, _ = bench.say("-a", *options, "-F", "main", "-D", "2", program, bench.path("made"),
                              folder, *more)
        return [re.sub(r"creat\([^,]*, ", "creat(", call) for call in
                only(bench.shown(), *FD_CALLS)], out.splitlines()
    got, want = shown("-y")
    expect(got, want)
    if not any("deleted" in call for call in got) or not any("ddd...>" in call for call in got):
        return "the program has not told all"
    got, want = shown("-y", "--depth-of-values", "0")
    expect(got[:5], want[:5])
    for options, more in (([], ()), (["-y"], ("forbidden",))):
        got, want = shown(*options, more=more)
        want = [re.sub(r"<[^>]*>", "", call) for call in want]
        if more:  # no memory but its stack is read: neither errno nor strings
            want = [re.sub(r" E[A-Z]+$", "", call) for call in want]
            got = [call.replace("0xPOINTER", '"x"') for call in got]
        expect(got, want)


WORDS = ["", "a", "two words", 'a \\"quote\\"', "back\\\\slash", "tab\\there", "0123456789" * 4]
LENGTHS = {"": 32, "hh": 8, "h": 16, "l": 64, "ll": 64, "z": 64, "j": 64}
DECLARED = """int printf(const char *, ...) __attribute__((format(printf, 1, 2)));
int say(const char *, ...);
int late(int, int, int, int, int, double, const char *, ...) __attribute__((format(printf, 7, 8)));
int latest(int, int, int, int, int, int, int, long double, const char *, ...) __attribute__((format(printf, 9, 10)));
"""


def a_conversion(dice):
    """As it stands in the format, and the arguments in C that it takes."""
    kind = dice.choice("dduxocsssfgeL*%")
    width = dice.choice(["", "", str(dice.randrange(1, 20)), "*"])
    args = [str(dice.randrange(-20, 20))] if width == "*" else []
    flag = dice.choice(["-", ""] + (["0"] if kind not in "cs" else []) + (["+", " "] if kind not in "csuxo" else []))
    if kind == "%":
        return "%%", []
    if kind == "c":
        return "%" + flag + width + "c", args + ["'%s'" % dice.choice("azAZ09 .")]
    if kind == "s":
        limit = dice.choice(["", "", ".3", ".0", ".*"])
        args += [str(dice.randrange(12))] if limit == ".*" else []
        return "%" + flag + width + limit + "s", args + ['"%s"' % dice.choice(WORDS)]
    if kind in "fgeL":
        number = "%r" % (dice.choice([0.5, 1.25, -3.0, 1e10, 0.1, dice.uniform(-1e6, 1e6)]))
        return ("%" + flag + width + dice.choice(["", ".3", ".0"]) + ("Lg" if kind == "L" else kind),
                args + [number + ("L" if kind == "L" else "")])
    length = dice.choice(list(LENGTHS))
    bits = LENGTHS[length]
    value = dice.choice([0, 1, -1, 42, dice.randrange(-2 ** (bits - 1), 2 ** (bits - 1))])
    kind = "d" if kind == "*" else kind
    number = "%dL" % value if value > -2 ** 63 else "(-%dL - 1)" % (2 ** 63 - 1)
    return "%" + flag + width + length + kind, args + [number if bits == 64 else "(int)" + number]


def printed_by(call):
    """What printf() prints of the arguments that are shown."""
    shown = re.match(r"\w+\((.*)\) = \d+$", call).group(1)
    at = re.findall(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|[^,\s]+""", shown)
    values = [ast.literal_eval("b" + one).decode() if one[0] in "\"'" else
              ast.literal_eval(re.sub("^0([0-7]+)$", r"0o\1", one)) for one in at]
    begin = next(i for i, value in enumerate(values) if isinstance(value, str))
    plain = re.sub(r"(%[-+0 ]*[0-9*]*(?:\.[0-9*]*)?)(?:hh|h|ll|l|z|j|L)?([a-z])", r"\1\2", values[begin])
    return plain % tuple(values[begin + 1:])


def what_printf_is_given_is_what_it_prints(bench):
    """Random formats: the arguments of the trace make what the program has printed."""
    dice = random.Random(15)
    names = {"printf": "", "say": "", "late": "1, 2, 3, 4, 5, 6.5, ", "latest": "1, 2, 3, 4, 5, 6, 7, 8.5L, "}
    lines = []
    for _ in range(400):
        parts = [a_conversion(dice) for _ in range(dice.randrange(1, 7))]
        lines.append('%s(%s"%s|\\n"%s);' % (
            *dice.choice(list(names.items())), "|".join(text for text, _ in parts),
            "".join(", " + arg for _, args in parts for arg in args)))
    wrap = "{ va_list ap; va_start(ap, f); int n = vprintf(f, ap); va_end(ap); return n; }\n"
    source = ("#include <stdarg.h>\n#include <stdio.h>\n" + "".join(
        "__attribute__((noipa)) int %s f, ...) %s" % (head, wrap) for head in (
            "say(const char *", "late(int a, int b, int c, int d, int e, double g, const char *",
            "latest(int a, int b, int c, int d, int e, int h, int i, long double j, const char *")) +
        "int main(void)\n{\n" + "\n".join(lines) + "\nreturn 0;\n}\n")
    for option in "-O0", "-O2":
        program = bench.build("prints.c", option, "-fno-builtin", "-D__NO_INLINE__", text=source)
        proto = bench.write("prints.h", DECLARED)
        out, _ = bench.say("-a", "-S", "100", "--ring=16M", "--proto", proto, "-F", "printf", "-F", "vprintf",
                           "-F", "late", "-F", "latest", program)
        calls = calls_of(bench.must("replay", "-D", "1", bench.trace)[0], True)
        if len(calls) != len(lines) or len(out.splitlines()) != len(lines):
            return "%d calls, %d lines" % (len(calls), len(out.splitlines()))
        for call, line in zip(calls, out.splitlines()):
            if printed_by(call) != line + "\n":
                return "%s\nprinted:\n%s\nnot:\n%s" % (call, line, printed_by(call))


def third_arguments_are_told_where_they_are_passed(bench):
    """And formats that lead nowhere, have no end or say what nobody knows harm nobody."""
    program = bench.build("thirds.c", "-D_GNU_SOURCE", "-O1", "-fno-builtin", text=r"""
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noipa)) int say(const char *f, ...) { __asm__ volatile("nop;nop;nop;nop;nop"); return 1; }
int main(void)
{
	char *end = (char *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + 4096;
	char deep[2000];
	munmap(end, 4096);
	memcpy(end - 4, "%d%s", 4);
	memset(deep, 'x', sizeof(deep)), memcpy(deep, "%d", 2), memcpy(deep + 1900, "%d", 3);
	open("/nowhere/x", O_RDONLY);
	open("/nowhere/x", O_RDONLY | O_CLOEXEC);
	open("/nowhere/x", O_WRONLY | O_CREAT, 0640);
	openat(AT_FDCWD, "/nowhere", O_TMPFILE | O_RDWR, 0600);
	fcntl(1, F_GETFD);
	fcntl(1, F_DUPFD, 50);
	say(NULL, 1), say((char *)8, 2), say(end, 3), say(end - 4, 4, "x"), say(deep, 5);
	say("%s|%s", (char *)8, end - 4), say("%.4s", end - 4), say("%d%y%d", 6, 7), say("");
	return 0;
}
""")
    proto = bench.write("thirds.h", "int say(const char *, ...) __attribute__((format(printf, 1, 2)));\n")
    bench.say("-a", "-S", "8", "--proto", proto, "-F", "main", "-D", "2", program)
    expect(only(bench.shown(), "open", "openat", "fcntl", "say"), [
        'open("/nowhere/x", O_RDONLY) = -1 ENOENT',
        'open("/nowhere/x", O_RDONLY|O_CLOEXEC) = -1 ENOENT',
        'open("/nowhere/x", O_WRONLY|O_CREAT, 0640) = -1 ENOENT',
        'openat(AT_FDCWD, "/nowhere", O_RDWR|O_TMPFILE, 0600) = -1 ENOENT',
        "fcntl(1, F_GETFD) = 0", "fcntl(1, F_DUPFD, 50) = 50",
        "say(NULL, ...) = 1", "say(0x8, ...) = 1", "say(0xPOINTER, ...) = 1",
        'say("%d%s"..., 4, "x", ...) = 1', 'say("%dxxxxxx"..., 5, ...) = 1',
        'say("%s|%s", 0x8, "%d%s"...) = 1', 'say("%.4s", "%d%s") = 1', 'say("%d%y%d", 6, ...) = 1',
        'say("") = 1'])


def what_is_kept_for_nothing_is_no_later_call_s(bench):
    """blank() writes where nobody knows how much: its exit asks for nothing that its entry kept."""
    program = bench.build("kept.c", "-O1", "-fno-builtin", text=r"""
#include <string.h>
__attribute__((noipa)) void *blank(void *to, int n) { memset(to, 1, n); return to; }
__attribute__((noipa)) const char *name(int n) { __asm__ volatile("nop;nop;nop;nop;nop"); return "a name"; }
int main(void)
{
	char text[8];
	blank(text, 4);
	return strlen(name(3)) == 6 ? 0 : 1;
}
""")
    proto = bench.write("kept.h", "void *blank(void *to, int n) __attribute__((access(write_only, 1)));\n"
                       "const char *name(int n);\n")
    bench.say("-a", "--proto", proto, "-F", "main", "-D", "2", program)
    expect(only(bench.shown(), "blank", "name"), [
        "blank(0xPOINTER, 4) = 0xPOINTER", 'name(3) = "a name"'])


def a_running_program_is_attached_to(bench):
    program = bench.build("runs.c", "-O1", text=r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((noipa)) int twice(int n, const char *text) { __asm__ volatile("nop;nop;nop;nop;nop"); return 2 * n; }
int main(void)
{
	char line[64];
	puts("ready");
	fflush(stdout);
	for (int i = 0; fgets(line, sizeof(line), stdin); i++)
		printf("%d\n", twice(i, line)), fflush(stdout);
	return 7;
}
""")
    proto = bench.write("runs.h", "int twice(int, const char *);\n")
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as program:
        program.stdout.readline()
        for how in (signal.SIGINT, signal.SIGKILL):
            tracer = bench.begin("-a", "--proto", proto, "-F", "twice", "-p", str(program.pid))
            seen = 0
            while seen < 3 and tracer.poll() is None:
                program.stdin.write("line\n")
                program.stdin.flush()
                program.stdout.readline()
                with open("/proc/%d/maps" % program.pid, encoding="utf-8") as f:
                    seen += "memfd:fctrace" in f.read()
            for _ in range(100):
                program.stdin.write("after\n")
                program.stdin.flush()
                program.stdout.readline()
            tracer.send_signal(how)
            tracer.communicate()
            if how == signal.SIGINT:
                calls = bench.shown()
                if not calls or not re.match(r'twice\(\d+, "(line|after)\\n"\) = \d+$', calls[-1]):
                    return "\n".join(calls[-3:])
            for i in range(20):
                program.stdin.write("alone\n")
                program.stdin.flush()
                if not program.stdout.readline():
                    return "it has not gone on"
        program.stdin.close()
        if program.wait() != 7:
            return "status %d" % program.returncode


def handlers_lose_nothing_of_what_they_interrupt(bench):
    """A handler's calls take the room that was made for what is told of another call."""
    program = bench.build("signals.c", "-O1", "-g")
    for _ in range(3 if bench.is_long else 1):
        out, err = bench.say("-a", "--libs=none", "--ring=64K", program, "1500000")
        if out != "1\n" or err:
            return "it printed %r, and fctrace %s" % (out, err)
    return None


def a_flight_recorder_shows_the_last_arguments(bench):
    program = bench.build("dies.c", "-O1", text=r"""
#include <stdlib.h>
__attribute__((noipa)) int step(int n) { __asm__ volatile("nop;nop;nop;nop;nop"); if (n == 50000) abort(); return n + 1; }
int main(void) { int n = 0; for (;;) n = step(n); }
""")
    proto = bench.write("dies.h", "int step(int);\n")
    bench.say("-a", "--proto", proto, "-m", "dies", "--loss=ring", program,
                 status=128 + signal.SIGABRT)
    steps = only(bench.shown(), "step")
    expect(steps[-3:], ["step(49998) = 49999", "step(49999) = 50000", "step(50000)"])


def errors_in_a_file_of_declarations_have_a_place(bench):
    proto = bench.write("bad.h", "int f(int);\nint g(foo);\n")
    _, err = bench.say("-a", "--proto", proto, "true", status=USAGE)
    if "bad.h:2:7: " not in err:
        return err
    _, err = bench.say("-a", "--proto", bench.path("missing.h"), "true", status=USAGE)
    if "missing.h" not in err:
        return err


def every_system_header_can_be_given(bench):
    headers = ["stdio", "stdlib", "string", "unistd", "math", "pthread", "netdb", "signal", "time",
               "sys/socket", "sys/stat", "wchar", "complex", "regex", "locale", "sys/epoll"]
    source = bench.write("all.c", "".join("#include <%s.h>\n" % header for header in headers))
    done = tap.run(["gcc", "-D_GNU_SOURCE", "-E", source])
    proto = bench.write("all.h", done.out.decode())
    bench.say("-a", "--proto", proto, "true")


def what_is_known_agrees_with_the_system(bench):
    """gcc sees our declarations and the system's: another type of the same function is an error."""
    top = os.path.join(HERE, "../..", "prototypes")
    for name, headers in (("libm", ["math", "complex"]),):
        text = "".join("#include <%s.h>\n" % header for header in headers)
        with open(os.path.join(top, name + ".h"), encoding="utf-8") as f:
            text += f.read()
        done = tap.run(["gcc", "-D_GNU_SOURCE", "-fsyntax-only", "-w", bench.write(name + ".c", text)])
        if done.status:
            return done.err.decode()


def structs_are_as_large_as_the_system_s(bench):
    structs = ["timespec", "timeval", "itimerspec", "tm", "stat", "stat64", "dirent", "dirent64",
               "iovec", "sockaddr", "sockaddr_in", "msghdr", "mmsghdr", "pollfd", "epoll_event",
               "passwd", "group", "addrinfo", "rlimit", "rusage", "utsname", "winsize", "utimbuf",
               "option", "termios", "sembuf", "tms"]
    headers = ["time.h", "sys/time.h", "sys/stat.h", "dirent.h", "sys/uio.h", "sys/socket.h",
               "netinet/in.h", "poll.h", "sys/epoll.h", "pwd.h", "grp.h", "netdb.h",
               "sys/resource.h", "sys/utsname.h", "sys/ioctl.h", "utime.h", "getopt.h", "termios.h",
               "sys/sem.h", "sys/times.h"]
    theirs = "".join("#include <%s>\n" % header for header in headers)
    with open(os.path.join(HERE, "../../prototypes/libc.h"), encoding="utf-8") as f:
        ours = f.read()
    sizes = []
    for number, text in enumerate((theirs, ours)):
        text += "int printf(const char *, ...);\nint main(void) {\n" + "".join(
            'printf("%s %%zu %%zu\\n", sizeof(struct %s), _Alignof(struct %s));\n' % (s, s, s)
            for s in structs) + "}\n"
        program = bench.build("sizes%d.c" % number, "-D_GNU_SOURCE", "-fno-builtin", text=text)
        sizes.append(tap.run([program]).out.decode().splitlines())
    expect(sizes[1], sizes[0])


def suite_of(suite):
    suite.run_all([passes_of(*build) for build in BUILDS] + [
        live_and_recorded_are_the_same,
        a_filter_keeps_the_values,
        only_arguments_or_results_are_told,
        strings_are_as_long_as_asked,
        only_calls_that_fail_are_shown, what_fails_as_before_is_counted,
        places_where_a_file_is_looked_for_are_few, a_mangled_name_is_not_reserved,
        what_ended_by_a_jump_keeps_its_values,
        numbers_out_of_range_have_failed,
        packed_bit_fields_are_right_or_unknown,
        a_trace_without_results_knows_no_failures,
        what_is_to_be_written_is_read_when_it_is,
        arrays_end_where_the_result_says,
        what_nobody_knows_is_said_once, what_is_given_nothing_returns_what_it_jumps_to,
        texts_without_an_end_are_told_up_to_their_bound,
        addresses_of_sockets_and_sets_of_signals_are_readable,
        addresses_that_sockets_are_asked_for_are_shown, messages_are_told_with_whom_they_are_of,
        options_of_sockets_are_shown_by_their_names, rows_of_buffers_are_as_strace_shows_them,
        names_of_files_are_whole, the_longest_names_of_files_are_whole, reports_keep_long_names_apart,
        buffers_are_as_long_as_asked,
        what_is_written_stands_where_a_call_ends,
        a_chain_of_jumps_returns_what_its_last_call_does,
        results_are_known_of_any_call_of_a_chain,
        what_debug_information_does_not_say_is_not_believed,
        what_is_named_like_a_secret_is_not_recorded,
        what_a_text_names_like_a_secret_is_not_recorded,
        what_a_call_was_given_of_secrets_is_not_recorded_beneath_it,
        each_argument_is_a_line,
        strings_of_loaded_files_are_those_that_are_there,
        functions_are_shown_by_their_names,
        what_the_last_of_tail_calls_writes_is_shown,
        registers_are_kept,
        an_overflow_of_the_stack_is_where_it_was,
        what_cannot_be_read_harms_nobody,
        the_c_library_is_known,
        numbers_that_have_names_are_told_by_them,
        where_descriptors_lead_is_told,
        what_printf_is_given_is_what_it_prints,
        third_arguments_are_told_where_they_are_passed,
        what_is_kept_for_nothing_is_no_later_call_s,
        a_running_program_is_attached_to,
        handlers_lose_nothing_of_what_they_interrupt,
        a_flight_recorder_shows_the_last_arguments,
        errors_in_a_file_of_declarations_have_a_place,
        every_system_header_can_be_given,
        what_is_known_agrees_with_the_system,
        structs_are_as_large_as_the_system_s,
    ], Bench(suite))


tap.main(suite_of)
