# SPDX-License-Identifier: Apache-2.0
"""jobs.py - ordinary work of ordinary programs, the same result every time.

A job is a shell script run in a folder of its own that `prepare` filled; the program to
trace is what runs it: fctrace sees /bin/sh or the program named, and follows children.
"""
import os
import random

ENV = {
    "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/nonexistent",
    "SOURCE_DATE_EPOCH": "1700000000", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_PAGER": "cat",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org", "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_DATE": "1700000000 +0000", "PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0",
}
EPOCH = 1700000000


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def age(folder):
    """Fixed times and modes, so that listings and archives are the same."""
    for at, folders, files in os.walk(folder, topdown=False):
        for name in files + folders:
            path = os.path.join(at, name)
            os.utime(path, (EPOCH, EPOCH), follow_symlinks=False)
    os.utime(folder, (EPOCH, EPOCH))


def make_tree(folder):
    rng = random.Random(7)
    for d in range(12):
        for f in range(15):
            text = "".join("%s %d\n" % (rng.choice(WORDS), rng.randrange(10000))
                           for _ in range(rng.randrange(5, 60)))
            write("%s/tree/d%02d/f%02d.txt" % (folder, d, f), text)
    os.symlink("d00/f00.txt", folder + "/tree/link")
    age(folder + "/tree")


WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split()


def make_lines(folder):
    rng = random.Random(11)
    write(folder + "/lines.txt", "".join(
        "%s,%d,%s,%f\n" % (rng.choice(WORDS), rng.randrange(10 ** 6), rng.choice(WORDS),
                           rng.random()) for _ in range(4000)))


def make_c(folder):
    write(folder + "/hello.c", C_PROGRAM)


def make_project(folder):
    names = ["one", "two", "three"]
    for i, name in enumerate(names):
        write("%s/project/%s.c" % (folder, name),
              "int %s(int x) { return x * %d + 1; }\n" % (name, i + 2))
    write(folder + "/project/main.c",
          "#include <stdio.h>\n" + "".join("int %s(int);\n" % n for n in names) +
          'int main(void) { printf("%d\\n", one(two(three(5)))); return 0; }\n')
    write(folder + "/project/Makefile",
          "CC = gcc\nOBJS = main.o one.o two.o three.o\n\nall: app\n\t./app\n\n"
          "app: $(OBJS)\n\t$(CC) -o $@ $(OBJS)\n\n%.o: %.c\n\t$(CC) -O1 -c -o $@ $<\n")


def nothing(_folder):
    pass


C_PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct list { struct list *next; char text[32]; };
static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}
int main(void)
{
	struct list *head = NULL;
	char *texts[100];
	for (int i = 0; i < 100; i++) {
		struct list *l = malloc(sizeof(*l));
		snprintf(l->text, sizeof(l->text), "line %d", i * 7 % 100);
		l->next = head;
		head = l;
		texts[i] = l->text;
	}
	qsort(texts, 100, sizeof(texts[0]), compare);
	for (int i = 0; i < 100; i += 10)
		printf("%s %.3f\n", texts[i], i / 7.0);
	return 3;
}
"""

PERL = r"""
my %count; open(my $in, "<", "lines.txt") or die;
while (<$in>) { my ($w, $n) = split /,/; $count{$w} += $n; }
printf "%s=%d\n", $_, $count{$_} for sort keys %count;
my $text = join " ", map { "$_:" . ($count{$_} % 97) } sort keys %count;
$text =~ s/(\w+):(\d+)/$2-$1/g; print "$text\n";
sub deep { my $n = shift; return $n ? 1 + deep($n - 1) : 0 } print deep(50), "\n";
local $@; eval { die { code => 7 } }; print "caught $@->{code}\n"; print STDERR "to stderr\n";
exit 4;
"""

SQL = """
create table t(id integer primary key, name text, n integer, x real);
with recursive c(i) as (select 1 union all select i + 1 from c where i < 3000)
insert into t select i, 'name' || (i * 7919 % 1000), i * i % 101, i / 7.0 from c;
create index by_name on t(name);
select count(*), sum(n), round(avg(x), 4) from t;
select name, count(*) c, max(n) from t group by name order by c desc, name limit 5;
select a.id, b.id from t a join t b on a.n = b.n and a.id < b.id order by 1, 2 limit 5;
update t set n = n + 1 where name like '%5%'; delete from t where id % 7 = 0;
select total(n), group_concat(name) from (select * from t order by id limit 8);
pragma integrity_check;
"""

PYTHON_TEXT = r"""
import json, re, hashlib, collections
rows = [l.rstrip().split(",") for l in open("lines.txt")]
by = collections.Counter(r[0] for r in rows)
text = json.dumps({"by": by, "rows": rows[:500]}, sort_keys=True)
print(hashlib.sha256(text.encode()).hexdigest(), len(json.loads(text)["rows"]))
print(len(re.findall(r"(?:al|be)\w*,\d{3,5},", open("lines.txt").read())))
print(sorted(by.items())); print(sum(float(r[3]) for r in rows))
try:
    {}["missing"]
except KeyError as e:
    print("caught", e)
json.dump(rows, open("out.json", "w"))
"""

PYTHON_THREADS = r"""
import queue, threading, time
todo, done = queue.Queue(), []
lock = threading.Lock()
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def work():
    while True:
        n = todo.get()
        if n is None:
            return
        r = fib(n)
        with lock:
            done.append((n, r))
threads = [threading.Thread(target=work) for _ in range(6)]
for t in threads: t.start()
for i in range(40): todo.put(i % 14)
for _ in threads: todo.put(None)
for t in threads: t.join()
print(sorted(done))
"""

PYTHON_CHILDREN = r"""
import os, subprocess, sys
print(subprocess.run(["sort", "-u", "lines.txt"], capture_output=True).stdout[:200])
p = subprocess.Popen("cut -d, -f1 | sort | uniq -c", shell=True, stdin=subprocess.PIPE,
                     stdout=subprocess.PIPE, text=True)
print(p.communicate(open("lines.txt").read())[0])
pid = os.fork()
if pid == 0:
    print("child", flush=True)
    os._exit(9)
print("child ended with", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
import multiprocessing
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(abs, [-3, 4, -5]))
sys.exit(11)
"""

PYTHON_SSL = r"""
import ssl, sqlite3, decimal, ctypes, zlib, bz2, lzma, hashlib
context = ssl.create_default_context()
print(context.verify_mode, ssl.OPENSSL_VERSION_INFO[0])
db = sqlite3.connect(":memory:"); db.create_function("twice", 1, lambda x: 2 * x)
print(db.execute("select twice(21)").fetchall())
data = open("lines.txt", "rb").read()
print([hashlib.md5(d(c(data))).hexdigest() for c, d in (
    (zlib.compress, zlib.decompress), (bz2.compress, bz2.decompress),
    (lzma.compress, lzma.decompress))])
libc = ctypes.CDLL(None)
order = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
numbers = (ctypes.c_int * 8)(5, 3, 9, 1, 7, 2, 8, 4)
libc.qsort(numbers, 8, 4, order(lambda a, b: a[0] - b[0])); print(list(numbers))
print(decimal.Decimal(2).sqrt())
"""

BASH = r"""
set -o pipefail
count() { local n=$1; (( n > 0 )) && { echo "n=$n"; count $((n - 1)); }; return 0; }
declare -A seen
while IFS=, read -r word number rest; do (( seen[$word] += number )); done < lines.txt
for word in $(printf '%s\n' "${!seen[@]}" | sort); do echo "$word ${seen[$word]}"; done
count 5 | (tac; echo "in a subshell"; exit 3); echo "status ${PIPESTATUS[*]}"
x=$(grep -c alpha lines.txt; echo "and more" >&2) ; echo "x=$x"
trap 'echo trapped' USR1; kill -USR1 $BASHPID; trap 'echo leaving' EXIT
diff <(head -3 lines.txt) <(head -4 lines.txt | tail -3); [[ abc =~ ^a(.)c$ ]] && echo "${BASH_REMATCH[1]}"
sleep 0.05 & wait $!; echo "waited $?"
exit 6
"""

GAWK = r"""
BEGIN { FS = "," } { sum[$1] += $2; line[NR] = $3 }
function up(s,   r) { r = toupper(substr(s, 1, 1)) substr(s, 2); return r }
END { n = asorti(sum, keys); for (i = 1; i <= n; i++) printf "%-10s %d %s\n", up(keys[i]), sum[keys[i]], gensub(/a(.)/, "<\\1>", "g", line[i]); exit 2 }
"""

GIT = r"""
git init -q -b main . && git add tree && git commit -q -m first && echo more > tree/d00/new
git add -A && git commit -q -m second && git tag -a -m tagged v1
git log --stat --graph --format='%H %an %s' && git grep -n -e 'alpha 1' | head -40
git diff HEAD~1 --stat && git checkout -q -b side HEAD~1 && echo x > tree/d01/x && git add -A
git commit -q -m side && git merge -q -m merged main && git log --oneline --graph
git gc -q && git fsck --strict && git rev-parse HEAD && git status --short && git blame tree/d00/new
rm -rf .git/index .git/logs .git/objects/info .git/objects/pack .git/info
"""

TAR = r"""
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1700000000 -cf t.tar tree
xz -T1 -k -2 t.tar && xz -t t.tar.xz && mkdir out && tar -C out -xJf t.tar.xz && diff -r tree out/tree
gzip -n -k t.tar && gzip -dc t.tar.gz | cmp - t.tar && rm -rf out && ls t.tar*
"""

OPENSSL = r"""
openssl dgst -sha256 -r lines.txt && openssl dgst -md5 -r lines.txt && openssl dgst -sha3-512 lines.txt
openssl enc -aes-256-cbc -K 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff -iv 000102030405060708090a0b0c0d0e0f -in lines.txt -out lines.enc
openssl enc -d -aes-256-cbc -K 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff -iv 000102030405060708090a0b0c0d0e0f -in lines.enc | cmp - lines.txt
openssl enc -chacha20 -K 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff -iv 000102030405060708090a0b0c0d0e0f -in lines.txt | openssl base64 | tail -2
"""


class Job:
    """files: whether the files of its folder are compared when it ends. stdin: one of them.
    needs: programs beside argv[0]. options, modes: how it is recorded. says: what fctrace
    must say about it, once. drop: what differs each time in its output, a regular expression."""

    def __init__(self, name, argv, prepare=(), files=True, stdin=None, needs=(), options=(),
                 modes=("api", "all"), says=None, drop=None, limit_s=120):
        self.name, self.argv, self.prepare, self.files = name, argv, prepare, files
        self.stdin, self.needs, self.options, self.modes = stdin, needs, options, modes
        self.says, self.drop, self.limit_s = says, drop, limit_s


JOBS = [
    Job("ls -lR", ["/usr/bin/ls", "-lR", "--time-style=full-iso", "tree"], [make_tree]),
    Job("ls /etc", ["/usr/bin/ls", "-la", "/usr/share/doc", "/nonexistent"]),
    Job("sort", ["/usr/bin/sort", "-t,", "-k2,2n", "-k1,1", "-o", "out.txt", "lines.txt"],
        [make_lines]),
    Job("sort in parallel", ["/usr/bin/sort", "--parallel=4", "-S", "1M", "lines.txt"],
        [make_lines]),
    Job("find", ["/usr/bin/find", "tree", "-type", "f", "-name", "*3.txt", "-size", "-2k",
                 "-newermt", "2001-01-01", "-printf", "%p %s %m\n"], [make_tree]),
    Job("find -exec", ["/usr/bin/find", "tree/d00", "-name", "f0*", "-exec", "grep", "-c",
                       "alpha", "{}", ";"], [make_tree]),
    Job("git", ["/bin/sh", "-c", GIT], [make_tree]),
    Job("git --version", ["/usr/bin/git", "--version"]),
    Job("bash", ["/usr/bin/bash", "-c", BASH], [make_lines]),
    Job("dash", ["/bin/dash", "-c", "for i in 1 2 3; do echo $i | cat; done; (exit 5); echo $?; "
                 "x=`ls tree | wc -l`; echo $x; cat < lines.txt | head -2 >&2; exit 9"],
        [make_tree, make_lines]),
    Job("perl", ["/usr/bin/perl", "-e", PERL], [make_lines]),
    Job("gawk", ["/usr/bin/gawk", GAWK, "lines.txt"], [make_lines]),
    Job("sqlite3", ["/usr/bin/sqlite3", "-batch", "test.db", SQL]),
    Job("openssl", ["/bin/sh", "-c", OPENSSL], [make_lines]),
    Job("python3 text", ["/usr/bin/python3", "-c", PYTHON_TEXT], [make_lines]),
    Job("python3 threads", ["/usr/bin/python3", "-c", PYTHON_THREADS]),
    Job("python3 children", ["/usr/bin/python3", "-c", PYTHON_CHILDREN], [make_lines]),
    Job("python3 ssl", ["/usr/bin/python3", "-c", PYTHON_SSL], [make_lines]),
    Job("gcc", ["/bin/sh", "-c", "gcc -O2 -g0 -o hello hello.c && ./hello"], [make_c]),
    Job("gcc -flto", ["/usr/bin/gcc", "-O2", "-flto", "-Wall", "-frandom-seed=1", "-o", "hello",
                      "hello.c"], [make_c]),
    Job("g++", ["/bin/sh", "-c", "g++ -x c++ -O1 -o hello++ - <<'E'\n#include <iostream>\n"
                "#include <map>\n#include <string>\n#include <stdexcept>\nint main() { std::map<std::string,"
                " int> m; m[\"a\"] = 1; m[\"b\"] = 2; for (auto &p : m) std::cout << p.first << "
                "p.second << '\\n'; try { throw std::runtime_error(\"x\"); } catch (std::exception"
                " &e) { std::cout << e.what() << std::endl; } return m.size(); }\nE\n./hello++"]),
    Job("clang", ["/usr/bin/clang", "-O1", "-c", "-o", "hello.o", "hello.c"], [make_c]),
    Job("tar and xz", ["/bin/sh", "-c", TAR], [make_tree]),
    Job("xz with threads", ["/usr/bin/xz", "-T2", "--block-size=20000", "-k", "lines.txt"],
        [make_lines]),
    Job("make", ["/usr/bin/make", "-C", "project", "--no-print-directory"], [make_project]),
    Job("make -j", ["/bin/sh", "-c", "make -s -j3 -C project --no-print-directory"],
        [make_project]),
    Job("sed, tr, od, md5sum", ["/bin/sh", "-c", "sed -n 's/alpha/ALPHA/gp' lines.txt | tr a-z A-Z"
                                " | head -5; od -c lines.txt | tail -3; md5sum lines.txt; "
                                "grep -E '(al|be)[a-z]+,1+' lines.txt | cut -c1-20 | tail -3; "
                                "cmp lines.txt /dev/null; date -u -d @0; expr 3 '*' 4"],
        [make_lines]),
    Job("a script", ["./script", "one", "two"],
        [lambda folder: (write(folder + "/script", "#!/bin/sh\necho \"$0 $*\"\nexec /usr/bin/env printf '%s\\n' \"$2\"\n"),
                         os.chmod(folder + "/script", 0o755))]),
    Job("killed by a signal", ["/bin/sh", "-c", "echo before; kill -TERM $$; echo after"]),
]
