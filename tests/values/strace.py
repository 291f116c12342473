#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What fctrace shows of open, stat, read, write and connect is what strace shows of the same programs.

Each program is run twice, with the same files: under strace -f -y, and under fctrace -a -y. What both show of
these calls is brought into one form: kind, path, result or errno; of each process, in its order. At least 95 %
must be equal; what differs is printed. --long: all programs.

Left out are, with the calls on their descriptors, what is no call of a function with a name: files of libraries, which
the loader looks for, and those that the C library opens for itself (nsswitch.conf, passwd, localtime).
What opendir() and fopen() open is shown as theirs by fctrace, and so differs.
"""
import difflib
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

EQUAL = 0.95
os.environ["LC_ALL"] = "C"  # no files of locales, which the C library opens by code of its own
# What a function of the C library is as a system call, by its name.
KINDS = {
    "open": ("open", "open64", "openat", "openat64", "__open_2", "__open64_2", "__openat_2", "__openat64_2", "creat", "creat64"),
    "stat": ("stat", "stat64", "lstat", "lstat64", "fstat", "fstat64", "fstatat", "fstatat64", "newfstatat", "statx",
             "__xstat", "__lxstat", "__fxstat", "__fxstatat", "__xstat64", "__lxstat64", "__fxstat64"),
    "read": ("read", "pread", "pread64", "__read", "__read_chk"),
    "write": ("write", "pwrite", "pwrite64", "__write"),
    "connect": ("connect", "__connect"),
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}
CALL = re.compile(r"(?:\[?pid +)?(\d+)?\]? *(?:\d+\.\d+ )?(\w+)\((.*)\) += +(-?\d+|0x[0-9a-f]+|NULL)(<[^>]*>)?(?: (E[A-Z0-9]+))?")
LIBRARY = re.compile(r"\.so(\.|$)|/ld\.so\.(cache|preload)$|/glibc-hwcaps|/locale-archive|/gconv-modules|/proc/|/etc/(nsswitch.conf|passwd|group|localtime)$|"
                     r"/zoneinfo/|/lib/(tls|haswell|avx512_1|x86_64)(/|$)")
C = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
static void go(const char *path)
{
	struct stat st;
	char buf[40];
	int fd = open(path, O_RDONLY);
	stat(path, &st);
	lstat("/nowhere/at/all", &st);
	while (fd >= 0 && read(fd, buf, sizeof(buf)) > 0)
		;
	fstat(fd, &st);
	close(fd);
}
static void *thread(void *arg) { go(arg); return NULL; }
int main(int argc, char **argv)
{
	pthread_t other;
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(1) };
	struct sockaddr_un un = { AF_UNIX, "/nowhere/socket" };
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	go("text");
	go("missing");
	pthread_create(&other, NULL, thread, "other");
	pthread_join(other, NULL);
	connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&in, sizeof(in));
	connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&un, sizeof(un));
	connect(-1, (void *)&un, sizeof(un));
	read(-1, &un, 1);
	if (!fork()) {
		go("text");
		_exit(write(1, "child\n", 6) != 6);
	}
	wait(NULL);
	return write(open("made", O_CREAT | O_WRONLY, 0600), "hello", 5) != 5;
}
"""
PROGRAMS = [
    ["./calls"],
    ["cat", "text", "other", "missing"],
    ["cp", "text", "made"],
    ["head", "-c", "10", "text"],
    ["dd", "if=text", "of=made", "bs=100", "count=3", "status=none"],
    ["wc", "-c", "text", "missing"],
]
LONG = [
    ["tee", "made"], ["sort", "text"], ["grep", "-c", "line", "text", "missing"], ["cmp", "text", "other"], ["md5sum", "text", "other"],
    ["tail", "-n", "2", "text"], ["tac", "text"], ["touch", "made"], ["stat", "text"], ["ls", "-l", "text", "missing"],
    ["od", "-c", "other"], ["split", "-b", "50", "text", "part"], ["gzip", "-c", "text"], ["find", ".", "-name", "t*"],
    ["python3", "-S", "-c", "import os, socket\nopen('text').read(); os.path.exists('missing')\ns = socket.socket()\ns.connect_ex(('127.0.0.1', 1))\nos.write(1, b'x')"],
    ["bash", "-c", "cat < text > made; [ -e missing ] || echo none; exec 3<>/dev/tcp/127.0.0.1/1"],
    ["perl", "-e", "open(F, '<', 'text'); print while <F>; stat('missing'); open(G, '<', 'missing')"],
    ["sqlite3", "made.db", "create table t(a); insert into t values (1); select * from t"],
]


class Bench:
    def __init__(self, suite):
        tap.need("strace")
        self.fctrace, self.folder = suite.fctrace, suite.folder
        source = os.path.join(self.folder, "calls.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(C)
        tap.run(["gcc", "-w", "-O1", "-o", os.path.join(self.folder, "calls"), source, "-pthread"])

    def fresh(self):
        """A folder with the same files each time, of the same name."""
        work = os.path.join(self.folder, "work")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        shutil.copy(os.path.join(self.folder, "calls"), work)
        for name, nr in (("text", 40), ("other", 3)):
            with open(os.path.join(work, name), "w", encoding="utf-8") as f:
                f.write("".join("line %d\n" % i for i in range(nr)))
        return work

    def strace(self, argv):
        log = os.path.join(self.folder, "log")
        done = tap.run(["strace", "-f", "-y", "-s", "8", "-e", "trace=open,openat,creat,stat,lstat,fstat,newfstatat,statx,read,pread64,write,"
                        "pwrite64,connect", "-o", log, *argv], cwd=self.fresh())
        with open(log, encoding="utf-8", errors="replace") as f:
            return in_one_form(whole_lines(f.read())), done.out

    def fctrace_of(self, argv):
        log = os.path.join(self.folder, "tree")
        names = sum((["-F", name] for name in KIND_OF), [])
        done = tap.run([self.fctrace, "record", "-a", "-y", "-o", log, *names, *argv], cwd=self.fresh())
        out = tap.run([self.fctrace, "replay", "-D", "1", log]).out.decode(errors="replace")
        return in_one_form(tree_lines(out)), done.out


def whole_lines(text):
    """strace's, each call on one line, where it began: (pid, call)."""
    begun, lines = {}, []
    for line in text.splitlines():
        pid, _, call = line.partition(" ")
        call = call.strip()
        if call.endswith("<unfinished ...>"):
            begun[pid] = len(lines)
            lines.append((pid, call[:-len("<unfinished ...>")].rstrip()))
        elif call.startswith("<...") and pid in begun:
            i = begun.pop(pid)
            lines[i] = (pid, lines[i][1] + call.partition("resumed>")[2])
        else:
            lines.append((pid, call))
    return lines


def tree_lines(text):
    """fctrace's: what ends by a jump is one call with what it jumps to."""
    lines, opened, jumps = [], {}, set()
    for line in text.splitlines():
        head, _, call = line.partition("|")
        pid = re.search(r"\[ *(\d+)\]", head)
        call = call.strip()
        if not pid or not call:
            continue
        pid = pid.group(1)
        if pid in jumps:  # it is the one before
            jumps.discard(pid)
            if "tail call" in call:
                jumps.add(pid)
            continue
        if "tail call" in call:
            jumps.add(pid)
        # What a call of one kind calls is no other call of that kind.
        kind = KIND_OF.get(call.partition("(")[0])
        above = opened.setdefault(pid, [])
        is_part = kind and any(kind == its for _, its in above)
        if call.endswith("{"):
            above.append((len(lines), kind))
            lines.append((pid, "" if is_part else call.rstrip(" {")))
        elif call.startswith("}"):
            if above:
                i, _ = above.pop()
                lines[i] = (pid, lines[i][1] + call.partition(";")[0].lstrip("}") if lines[i][1] else "")
        elif not is_part:
            lines.append((pid, call.partition(";")[0] if ");" not in call else call))
    return lines


def path_of(args):
    text = re.search(r'"((?:[^"\\]|\\.)*)"', args)
    return text.group(1) if text else None


def in_one_form(lines):
    """[per process, in the order in which they begin: [(kind, path, result)]]."""
    calls, left_out = {}, {}
    for pid, line in lines:
        found = CALL.match(line)
        kind = KIND_OF.get(found.group(2)) if found else None
        process = calls.setdefault(pid, [])
        if not kind:
            continue
        args, result, where, error = found.group(3), found.group(4), found.group(5), found.group(6)
        fd = re.match(r"(-?\d+)(?:<([^>]*)>)?", args)
        path = path_of(args) if kind in ("open", "stat", "connect") else None
        if not path and fd:
            path = re.sub(r"\[\d+\]|:\[.*", "", fd.group(2) or "fd " + fd.group(1))
        hidden = left_out.setdefault(pid, set())
        if kind == "open":
            hidden.discard(result)
            if path and LIBRARY.search(path):
                hidden.add(result)
        if (path and LIBRARY.search(path)) or (kind != "open" and not path_of(args) and fd and fd.group(1) in hidden and kind != "stat"):
            continue
        process.append((kind, path or "", error or (result if kind != "open" else "opened")))
    return [each for each in calls.values() if each]


def compare(bench, argv):
    theirs, _ = bench.strace(argv)
    ours, _ = bench.fctrace_of(argv)
    a, b = [c for p in theirs for c in p], [c for p in ours for c in p]
    match = difflib.SequenceMatcher(None, a, b, autojunk=False)
    same = sum(block.size for block in match.get_matching_blocks())
    differ = ["%s %s" % (mark, call) for op, i, k, m, n in match.get_opcodes() if op != "equal"
              for mark, part in (("-", a[i:k]), ("+", b[m:n])) for call in part]
    return same, max(len(a), len(b)), differ


def suite_of(suite):
    bench = Bench(suite)
    total, equal = 0, 0
    for argv in PROGRAMS + (LONG if suite.is_long else []):
        if not argv[0].startswith("./") and not tap.have(argv[0]):
            continue
        same, nr, differ = compare(bench, argv)
        total, equal = total + nr, equal + same
        name = "%s: %d of %d calls are equal" % (" ".join(argv).splitlines()[0][:50], same, nr)
        why = "\n".join(differ[:30])
        suite.case(name, why if same < EQUAL * nr else None)
        if why and same >= EQUAL * nr:
            print("\n".join("# " + line for line in why.splitlines()), flush=True)
    suite.case("all: %d of %d" % (equal, total), None if equal >= EQUAL * total and total else "less than %d %%" % (100 * EQUAL))


tap.main(suite_of)
