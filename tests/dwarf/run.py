#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What is known of functions from debug information is what the source says.

tests/dwarf/signatures.c tells it. Each program is compiled in each way that compilers have to write
debug information; what it must tell stands beside it.
"""
import json
import os
import random
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import bench
import tap
from elf.sections import sections_of

C = """
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
typedef unsigned long count;
struct node { struct node *next; int v; unsigned f : 3, g : 5; long : 0; char name[16];
              union { int i; float x; }; struct { short a, b; } in; };
enum color { RED, GREEN = 5, BLUE = -1 };
enum large { LARGE = 0x100000000 };
typedef int (*order)(const void *, const void *);
typedef float four __attribute__((vector_size(16)));
struct opaque;
struct __attribute__((packed)) tight { char a; long b; };
struct wide { int a; _Alignas(32) char b; };
volatile int sink;
int add(int a, long b) { return a + (int)b + sink; }
void take(struct node *n, enum color c, enum large g) { sink = n->v + (int)c + (int)g; }
long double floats(float a, double b, long double c) { return a + b + c; }
bool chars(bool b, char c, signed char s, unsigned char u) { return b && c && s && u; }
double complex plus(double complex z, float complex y) { return z + y; }
four vectors(four a, const int m[3][4]) { return a + (float)m[1][2]; }
void *call(order f, struct opaque *restrict o, ...) { return f(o, o) ? o : NULL; }
struct tight *packed(struct tight t, volatile struct wide *w) { sink = t.a + w->b; return NULL; }
const char *const *texts(char **all, count nr) { return (const char *const *)all + nr; }
struct node big(struct node n) { n.v++; return n; }
void none(void) { sink = 1; }
int (*table(int i))[3] { static int all[2][3]; return &all[i]; }
int main(void) { return 0; }
"""
# As gcc says it; clang's "long" is "long int" here.
C_TOLD = """
int add(a int, b long int)
void take(n *struct node, c enum color, g enum large)
struct node 40 { next *struct node 0; v int 64; f unsigned int 96:3; g unsigned int 99:5; name [16]char 128; - union - 256; in struct - 288; }
union - 4 { i int 0; x float 0; }
struct - 4 { a short int 0; b short int 16; }
enum color 4 signed { RED=0; GREEN=5; BLUE=-1; }
enum large 8 { LARGE=4294967296; }
long double floats(a float, b double, c long double)
float float 4
float double 8
float long double 16
_Bool chars(b _Bool, c char, s signed char, u unsigned char)
int _Bool 1 bool
int char 1 char
int signed char 1 signed
int unsigned char 1
struct COMPLEX plus(z struct COMPLEX, y struct COMPLEX)
struct COMPLEX 16 { real double 0; imag double 64; } complex
struct COMPLEX 8 { real float 0; imag float 32; } complex
four vectors(a four, m *[4]const int)
typedef four <4>float
*void call(f order, o *unknown opaque, ...)
typedef order *func(*const void, *const void)int
*struct tight packed(t struct tight, w *struct wide)
struct tight 9 { a char 0; b long int 8; }
struct wide 64 { a int 0; b char 256; }
*const *const char texts(all **char, nr count)
typedef count long unsigned int
struct node big(n struct node)
void none()
*[3]int table(i int)
int main()
"""
CXX = """
#include <string>
#include <vector>
namespace geo {
struct base { int id; virtual ~base(); };
base::~base() {}
struct shape : base { double area; int count : 5; static int total; enum class kind : unsigned char { ROUND = 1, FLAT = 200 } k; };
class held { public: held(const held &o) : v(o.v) {} held() = default; int v; };
struct plain { int a; char b; };
struct holds { held h; };
struct empty {};
struct tied : virtual base { int z; ~tied(); };
tied::~tied() { z = 1; }
template <class T, int N> struct box { T items[N]; };
int use(plain &h, shape::kind k) { return h.a + (int)k; }
plain give(box<short, 3> b, plain &&p, const holds h) { return plain{ b.items[0] + p.a + h.h.v, 'c' }; }
int area(const shape *s) { return (int)s->area + s->count; }
void nothing(empty e, char16_t c, char32_t d, wchar_t w) { (void)e; (void)c; (void)d; (void)w; }
}
int geo::shape::total;
struct calls { int (*fn)(double, const char *); int calls::*member; int (calls::*method)(int) const; int go(int) const; };
int calls::go(int a) const { return a + this->*member + (this->*method)(a); }
int text(std::string s, const std::string &t, std::nullptr_t n) { (void)n; return (int)(s.size() + t.size()); }
template <class... A> __attribute__((noinline)) int pack(A... a) { return (0 + ... + (int)a); }
int main() { geo::shape s{}; std::vector<int> v; return pack(1, 2.5, 'c') + (int)s.area + (int)v.size(); }
"""
CXX_TOLD = """
int _ZN3geo3useERNS_5plainENS_5shape4kindE(h &struct geo::plain, k enum geo::shape::kind)
struct geo::plain 8 { a int 0; b char 32; }
enum geo::shape::kind 1 { ROUND=1; FLAT=200; }
struct geo::plain _ZN3geo4giveENS_3boxIsLi3EEEONS_5plainENS_5holdsE(b struct geo::box<short int, 3>, p &struct geo::plain, h const struct geo::holds)
struct geo::box<short int, 3> 6 { items [3]short int 0; }
struct geo::holds 4 { h struct geo::held 0; } by_reference
struct geo::held 4 { v int 0; } by_reference
int _ZN3geo4areaEPKNS_5shapeE(s *const struct geo::shape)
struct geo::shape 32 { base struct geo::base 0; area double 128; count int 192:5; k enum geo::shape::kind 200; } by_reference
struct geo::base 16 { _vptr **func()int 0; id int 64; } by_reference
void _ZN3geo4baseD2Ev(this THIS)
void _ZN3geo4tiedD1Ev(this THIS)
void _ZN3geo4tiedD2Ev(this THIS, VTT)
void _ZN3geo7nothingENS_5emptyEDsDiw(e struct geo::empty, c char16_t, d char32_t, w wchar_t)
int char16_t 2 char
int wchar_t 4 char
struct calls 32 { fn *func(double, *const char)int 0; member member pointer 64; method struct member pointer 128; }
struct member pointer 16 { ptr long int 0; adj long int 64; } member_pointer
int member pointer 8 signed member_pointer
int _ZNK5calls2goEi(this THIS, a int)
int _Z4textNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKS4_Dn(s std::string, t &const std::string, n std::nullptr_t)
typedef std::nullptr_t *void
"""
WAYS = {
    "gcc": ["-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -fdebug-types-section", "-gdwarf-4 -gz=zlib",
            "-gdwarf-3 -gno-strict-dwarf", "-gdwarf-5 -gdwarf64", "-gdwarf-5 -ffunction-sections", "-gdwarf-4 -gsplit-dwarf",
            "-gdwarf-5 -gsplit-dwarf", "-gdwarf-5 -gsplit-dwarf -fdebug-types-section", "-g -flto -shared -fPIC"],
    "clang": ["-gdwarf-4", "-gdwarf-5 -fstandalone-debug", "-gdwarf-4 -fdebug-types-section",
              "-gdwarf-4 -gsplit-dwarf -fstandalone-debug", "-gdwarf-5 -gsplit-dwarf -fstandalone-debug"],
}
LEVELS = ["-O0", "-O2"]


class Bench(bench.Bench):
    flags = []

    def __init__(self, suite):
        super().__init__(suite)
        self.told_by = {name: os.path.join(os.path.dirname(fctrace or ""), "tests", "signatures")
                        for name, fctrace in (("plain", suite.fctrace), ("sanitized", suite.args.sanitized))}

    def compile(self, compiler, flags, text, name, ending=".c"):
        tap.need(compiler)
        return self.build(name + ending, *flags.split(), out=name, compiler=compiler, text=text)

    def tell(self, path, *names, by="plain", status=0):
        done = tap.run([self.told_by[by], path, *names], cwd=self.folder)
        if done.is_late or done.status not in ((0, 1) if status is None else (status,)):
            raise tap.Wrong("status %d: %s" % (done.status, (done.out + done.err).decode(errors="replace")[-2000:]))
        if done.err:
            raise tap.Wrong("it says: " + done.err.decode(errors="replace")[:2000])
        return done.out.decode(errors="replace").splitlines()


def plain(line):
    """Without places, and with names as gcc gives them."""
    line = re.sub(r" @[^,)]*(,(stack|[rv]\d)[^,)]*)*", "", line)
    line = re.sub(r"struct (complex double|complex float|complex|_Complex double|_Complex float)\b", "struct COMPLEX", line)
    line = re.sub(r"\b(unsigned )?(long|short)( unsigned)?\b(?! (int|double|unsigned))",
                  lambda m: m.group(2) + (" unsigned" if m.group(1) or m.group(3) else "") + " int", line)
    line = re.sub(r"_vptr[.$]\w+ \*\*func\((void)?\)int", "_vptr **func()int", line)
    line = re.sub(r" aligned\(\d+\)", "", line)  # Clang tells it with DWARF 5 only
    line = re.sub(r"this (const )?\*(const )?struct (calls|geo::base|geo::tied)\b", "this THIS", line)
    line = re.sub(r"(__vtt_parm|vtt) (const )?\*\*(const )?void", "VTT", line)
    return line.strip()


def missing(told, lines):
    """The lines that were to be told, and were not."""
    have = set(map(plain, lines))
    lacking = [line for line in filter(None, told.splitlines()[1:]) if line not in have]
    return "\n".join(["missing:"] + lacking + ["of:"] + sorted(have)[:60]) if lacking else None


def told_in_all_ways(source, told, ending, compilers):
    def check(bench):
        for compiler, ways in WAYS.items():
            for way in ways:
                for level in LEVELS:
                    flags = "%s %s %s" % (level, way, "-std=c++17" if ending == ".cc" else "-std=gnu11")
                    if not tap.have(compilers[compiler]):
                        continue
                    path = bench.compile(compilers[compiler], flags, source, "p", ending)
                    why = missing(told, bench.tell(path))
                    if why:
                        return "%s %s: %s" % (compiler, flags, why)
        return None
    return check


# ---- where parameters are ----

PLACES = """
struct pair { long a, b; };
struct trio { long a, b, c; };
volatile long sink;
long all(int a, long b, char c, void *d, short e, unsigned f, int g, long h) { return a + b + c + (long)d + e + f + g + h + sink; }
double floats(float a, double b, int c, double d) { return a + b + c + d + (double)sink; }
long structs(struct pair p, int i, struct trio t) { return p.a + p.b + i + t.c + sink; }
static __attribute__((noinline)) long remade(struct trio *t, long unused, int k) { sink++; return t->c * k + sink; }
long calls(struct trio *t) { return remade(t, 3, (int)t->a) + remade(t, 5, 9); }
__attribute__((ms_abi)) long other(int a, long b) { sink++; return a + b; }
int main(void) { return 0; }
"""


def of_function(lines, name):
    found = [line for line in lines if re.search(r"\b%s(\.[.\w]+)?\(" % name, line)]
    if len(found) != 1:
        raise tap.Wrong("%s is told %d times" % (name, len(found)))
    return found[0]


def expect(line, *parts):
    for part in parts:
        if part not in line:
            raise tap.Wrong("%s: not in %s" % (part, line))


def places_at_entry(bench):
    """Registers as the compilers pass them; what is told nowhere is the ABI's."""
    for compiler in filter(tap.have, WAYS):
        for way in ("-gdwarf-4", "-gdwarf-5", "-gdwarf-4 -gsplit-dwarf", "-gdwarf-5 -gsplit-dwarf"):
            lines = bench.tell(bench.compile(compiler, "-O2 " + way, PLACES, "p"))
            expect(of_function(lines, "all"), "a int @r5:4", "b long", " @r4:8", "c char @r1:1", "d *void @r2:8",
                   "e short", "@r8:2", "f unsigned int @r9:4")
            expect(of_function(lines, "floats"), "a float @v17:4", "b double @v18:8", "c int @r5:4", "d double @v19:8")
            expect(of_function(lines, "other"), "a int @r2:4", "@r1:8")
            if re.search(r"unused long( int)? @r", of_function(lines, "remade")):
                return "a parameter that is not passed has a place: " + of_function(lines, "remade")
    return None


def what_is_aligned(bench):
    for compiler in filter(tap.have, WAYS):
        lines = bench.tell(bench.compile(compiler, "-gdwarf-5", C, "p"))
        if "struct wide 64 { a int 0; b char 256; } aligned(32)" not in lines:
            return compiler + ": " + "\n".join(lines)
    return None


def what_gcc_puts_on_the_stack(bench):
    tap.need("gcc")
    lines = bench.tell(bench.compile("gcc", "-g -O2", PLACES, "p"))
    expect(of_function(lines, "all"), "g int @stack+8:4", "h long int @stack+16:8")
    return None


def without_optimisation_nothing_is_told(bench):
    """What it says then is where a parameter is put when the function has begun."""
    for compiler in filter(tap.have, WAYS):
        lines = bench.tell(bench.compile(compiler, "-g -O0", PLACES, "p"))
        for name in ("all", "floats", "remade", "calls"):
            if re.search(r"@[rv?]", of_function(lines, name)):
                return of_function(lines, name)
    return None


def what_is_not_passed_is_not_there(bench):
    tap.need("gcc")
    line = of_function(bench.tell(bench.compile("gcc", "-g -O2", PLACES, "p")), "remade")
    expect(line, "t *struct trio @?", "unused long int @?", "k int @r4:4")
    return None


def a_result_that_nobody_looks_at(bench):
    """It may not be returned at all; of functions that others call, it is."""
    source = """volatile int sink;
static __attribute__((noinline)) int dropped(int *a, int b) { sink += *a; return sink * b; }
int kept(int a) { int b = a; dropped(&b, 3); dropped(&a, 4); return a + sink; }
int main(void) { return 0; }"""
    for compiler in filter(tap.have, WAYS):
        lines = bench.tell(bench.compile(compiler, "-g -O2", source, "p"))
        tag = " unsure_result" if compiler == "gcc" else " read_result"
        if not of_function(lines, "dropped").endswith(tag) or "_result" in of_function(lines, "kept"):
            return compiler + ":\n" + "\n".join(lines)
        lines = bench.tell(bench.compile(compiler, "-g -O0", source, "p"))
        if "_result" in of_function(lines, "dropped"):
            return "-O0: " + "\n".join(lines)
    return None


def a_value_that_is_passed_by_its_address(bench):
    tap.need("g++")
    path = bench.compile("g++", "-g -O2 -std=c++17", CXX, "p", ".cc")
    expect(of_function(bench.tell(path), "_Z4textNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKS4_Dn"),
           "s std::string @*r5:8", "@r4:8")
    return None


VALUES = {  # of a type: how value i is written, and which bytes it has
    "int": ("%d", lambda v: struct.pack("<i", v)),
    "long": ("%d", lambda v: struct.pack("<q", v)),
    "short": ("%d", lambda v: struct.pack("<h", v)),
    "double": ("%d", lambda v: struct.pack("<d", v)),
    "float": ("%d", lambda v: struct.pack("<f", v)),
    "struct two": ("{ %d, 7 }", lambda v: struct.pack("<qq", v, 7)),
    "struct mixed": ("{ %d, 7 }", lambda v: struct.pack("<qd", v, 7)),
    "struct big": ("{ %d, 7, 8 }", lambda v: struct.pack("<qqq", v, 7, 8)),
}
GDB = r"""
import gdb, json, struct
for line in ("set pagination off", "set debuginfod enabled off", "set confirm off"):
    gdb.execute(line)
seen, names = {}, json.load(open("names"))
for vaddr in names:
    gdb.Breakpoint("*" + vaddr)
gdb.execute("run")
while gdb.selected_inferior().pid:
    name = names.get("%#x" % gdb.newest_frame().pc())
    if name and name not in seen:
        word = lambda text: int(gdb.parse_and_eval(text)) & (1 << 64) - 1
        ints = dict((nr, word("(unsigned long)$" + reg)) for nr, reg in
                    zip((5, 4, 1, 2, 8, 9), ("rdi", "rsi", "rdx", "rcx", "r8", "r9")))
        seen[name] = {
            "r": {nr: struct.pack("<Q", value).hex() for nr, value in ints.items()},
            "v": {17 + i: struct.pack("<QQ", *(word("$xmm%d.v2_int64[%d]" % (i, n)) for n in (0, 1))).hex()
                  for i in range(8)},
            "stack": bytes(gdb.selected_inferior().read_memory(word("(unsigned long)$rsp"), 400)).hex(),
        }
    gdb.execute("continue")
json.dump(seen, open("seen", "w"))
"""


def random_program(chance):
    """Functions with parameters of random types, some unused: {function: [(type, value)]}, source."""
    functions, lines = {}, ["#include <string.h>", "volatile int sink, one = 1; void *volatile kept;",
                            "struct two { long a, b; }; struct mixed { long a; double b; }; struct big { long a, b, c; };"]
    for n in range(60):
        params = [(chance.choice(list(VALUES)), 100 * n + i + 1) for i in range(chance.randrange(1, 10))]
        functions["f%d" % n] = params
        used = ["{ __typeof__(p%d) q = p%d; kept = &q; sink += *(volatile char *)kept; }" % (i, i)
                for i in range(len(params)) if chance.random() < .7]
        chance.shuffle(used)
        lines.append("%s__attribute__((noinline)) void f%d(%s) { sink++; %s }" % (
            chance.choice(["", "static "]), n, ", ".join("%s p%d" % (t, i) for i, (t, _) in enumerate(params)), " ".join(used)))
        lines += ["volatile %s a%d_%d = %s;" % (t, n, i, VALUES[t][0] % v) for i, (t, v) in enumerate(params)]
    lines.append("int main(void) {")
    for name, params in functions.items():
        lines.append("%s(%s);" % (name, ", ".join("a%s_%d" % (name[1:], i) for i in range(len(params)))))
    return functions, "\n".join(lines + ["return 0; }"])


CLASSES = {"int": "r4", "long": "r8", "short": "r2", "double": "v8", "float": "v4", "struct two": "r8r8", "struct mixed": "r8v8"}


def by_the_abi(params):
    """Where x86-64's System V ABI has each of them."""
    free, off, places = {"r": [5, 4, 1, 2, 8, 9], "v": list(range(17, 25))}, 8, []
    for kind, _ in params:
        parts = re.findall(r"([rv])(\d)", CLASSES.get(kind, ""))
        if parts and all(len(free[c]) >= sum(c == other for other, _ in parts) for c, _ in parts):
            places.append(",".join("%s%d:%s" % (c, free[c].pop(0), size) for c, size in parts))
        else:
            size = len(VALUES[kind][1](0))
            places.append("stack+%d:%d" % (off, size))
            off += (size + 7) // 8 * 8
    return places


def bytes_at(place, state):
    """What was at a place: "r5:8,stack+8:4"; None: that was not looked at."""
    found = b""
    for piece in place.split(","):
        kind, at, size = re.match(r"(r|v|stack\+)(\d+):(\d+)", piece).groups()
        if kind == "stack+":
            found += bytes.fromhex(state["stack"])[int(at):int(at) + int(size)]
        elif at in state[kind]:
            found += bytes.fromhex(state[kind][at])[:int(size)]
        else:
            return None
    return found


def what_is_passed_is_there(bench):
    """Random functions, also those that the compiler makes anew: gdb looks at each place at entry."""
    tap.need("gdb")
    seed = random.SystemRandom().randrange(1 << 30)
    functions, source = random_program(random.Random(seed))
    nr = 0
    with open(bench.path("look.py"), "w", encoding="utf-8") as f:
        f.write(GDB)
    for compiler in filter(tap.have, WAYS):
        for flags in ("-O1 -gdwarf-4", "-O2 -gdwarf-5", "-O3 -gdwarf-5 -fno-var-tracking")[:None if compiler == "gcc" else 2]:
            path = bench.compile(compiler, "-w -no-pie " + flags, source, "random")
            symbols = subprocess.run(["nm", path], stdout=subprocess.PIPE, check=True).stdout.decode()
            with open(bench.path("names"), "w", encoding="utf-8") as f:
                json.dump({hex(int(vaddr, 16)): name for vaddr, name in re.findall(
                    r"^(\w+) [tT] (f\d+(?:\.(?!cold)\S+)?)$", symbols, re.M)}, f)
            done = tap.run(["gdb", "-q", "-batch", "-nx", "-x", "look.py", path], cwd=bench.folder)
            if not os.path.exists(bench.path("seen")):
                raise tap.Skip("gdb does not run programs here: " + done.err.decode(errors="replace")[-300:])
            with open(bench.path("seen"), encoding="utf-8") as f:
                seen = json.load(f)
            os.unlink(bench.path("seen"))
            for line in bench.tell(path):
                name = (re.match(r"void (f\d+[.\w]*)\(", line) or [None, None])[1]
                params = functions[name.split(".")[0]] if name else []
                told = dict(re.findall(r"p(\d+) [^@,]*@(\?|(?:(?:r|v|stack\+)\d+:\d+,?)+)", line))
                for i, (kind, value) in enumerate(params):
                    place = told.get(str(i), by_the_abi(params)[i]).rstrip(",")
                    got = bytes_at(place, seen[name]) if name in seen and place != "?" else None
                    nr += got is not None
                    if got is not None and got != VALUES[kind][1](value):
                        return "seed %d, %s %s: p%d of %s: %s instead of %s" % (
                            seed, compiler, flags, i, line, got.hex(), VALUES[kind][1](value).hex())
    return None if nr > 100 else "only %d places were looked at" % nr


# ---- where debug information lies ----

def in_a_file_of_its_own(bench):
    path = bench.compile("gcc", "-O1 -g -Wl,--build-id", C, "own")
    for argv in (["objcopy", "--only-keep-debug", path, path + ".debug"], ["strip", "-d", path],
                 ["objcopy", "--add-gnu-debuglink=" + path + ".debug", path]):
        subprocess.run(argv, check=True, cwd=bench.folder)
    return missing(C_TOLD, bench.tell(path))


def what_dwz_has_moved(bench):
    """Types lie in partial units, and in a file that programs have in common."""
    tap.need("dwz")
    for level in LEVELS:
        for name in ("one", "two"):
            bench.compile("gcc", level + " -g", C.replace("sink", "sink_of_" + name), name)
        subprocess.run(["dwz", "-m", "common.debug", "one", "two"], check=True, cwd=bench.folder)
        for name in ("one", "two"):
            why = missing(C_TOLD, bench.tell(bench.path(name)))
            if why:
                return level + ": " + why
    return None


def after_optimisation_of_the_whole(bench):
    """With -flto functions and types are told in other units than their code."""
    tap.need("gcc")
    text = PLACES.replace("volatile long sink", "#define K __attribute__((used, noinline, noipa))\nvolatile long sink")
    text = re.sub(r"^(long|double) (all|floats)\(", r"K \1 \2(", text, flags=re.M)
    lines = bench.tell(bench.compile("gcc", "-O2 -g -flto", text, "p"))
    expect(plain(of_function(lines, "all")), "long int all(a int, b long int, c char, d *void, e short int, f unsigned int, g int, h long int)")
    return None


def names_alone_are_no_signature(bench):
    """-g1 tells neither parameters nor types: that is not void f(void)."""
    for compiler in filter(tap.have, WAYS):
        lines = bench.tell(bench.compile(compiler, "-O1 -g1", C, "p"), "add", "take")
        if sorted(lines) != ["add is not known", "take is not known"]:
            return "%s: %s" % (compiler, lines)
    return None


def split_units_that_are_missing_are_named(bench):
    for compiler in filter(tap.have, WAYS):
        for way in ("-gdwarf-4", "-gdwarf-5"):
            path = bench.compile(compiler, "-gsplit-dwarf " + way, C, "p")
            dwo = [name for name in os.listdir(bench.folder) if name.endswith(".dwo")]
            for name in dwo:
                os.remove(bench.path(name))
            lines = bench.tell(path, "add")
            if len(lines) != 2 or not re.search(r"information was read: /.*p\.dwo is missing$", lines[1]):
                return "%s %s: %s" % (compiler, way, lines)
    return None


def split_units_of_others_are_none(bench):
    """A .dwo of another build; one that is no ELF file; one that is a folder."""
    tap.need("gcc")
    bench.compile("gcc", "-O1 -gdwarf-5 -gsplit-dwarf", C, "p")
    path = bench.path("first")
    os.rename(bench.path("p"), path)
    bench.compile("gcc", "-O2 -gdwarf-5 -gsplit-dwarf", C.replace("sink", "sunk"), "p")
    dwo = [bench.path(name) for name in os.listdir(bench.folder) if name.endswith(".dwo")][0]
    if not bench.tell(path, "add")[-1].endswith("are of another build"):
        return "of another build: " + bench.tell(path, "add")[-1]
    os.remove(dwo)
    with open(dwo, "w", encoding="utf-8") as f:
        f.write("no ELF file")
    if "is missing" not in bench.tell(path, "add")[-1]:
        return "no ELF file: " + bench.tell(path, "add")[-1]
    os.remove(dwo)
    os.mkdir(dwo)
    if "is missing" not in bench.tell(path, "add")[-1]:
        return "a folder: " + bench.tell(path, "add")[-1]
    os.rmdir(dwo)
    return None


def packages(bench):
    for compiler in filter(tap.have, WAYS):
        for way, tools in (("-gdwarf-4", ["dwp", "llvm-dwp"]), ("-gdwarf-5", ["llvm-dwp"])):
            for tool in filter(tap.have, tools):
                options = "-O2 -std=gnu11 -gsplit-dwarf " + way
                path = bench.compile(compiler, options + " -fstandalone-debug" * (compiler == "clang"), C, "p")
                done = tap.run([tool, "-e", path, "-o", path + ".dwp"], cwd=bench.folder)
                if done.status:
                    return "%s: %s" % (tool, done.err.decode(errors="replace"))
                for name in os.listdir(bench.folder):
                    if name.endswith(".dwo"):
                        os.remove(bench.path(name))
                why = missing(C_TOLD, bench.tell(path))
                os.remove(path + ".dwp")
                if why:
                    return "%s %s %s: %s" % (compiler, way, tool, why)
    return None


def code_without_a_unit(bench):
    lines = bench.tell(bench.compile("gcc", "-O1", 'int main(void) { return 0; }\n__asm__(".globl bare; .type bare,@function; bare: ret; .size bare, 1");', "p"), status=None)
    return None if lines == [bench.path("p") + ": no debug information was found"] else lines


# ---- units that tell the same ----

SHARED = "struct item { struct item *next; struct list *in; int v; };\nstruct list { struct item *first; };\n"


def types_of_units_are_one(bench):
    """The same type of several units is one; what one declares, another defines; others differ."""
    tap.need("gcc")
    texts = {"a": SHARED + "static struct own { int a; } own; struct own *fa(struct item *i) { own.a = i->v; return &own; }",
             "b": SHARED + "static struct own { long b; } own; struct own *fb(struct item *i) { own.b = i->v; return &own; }",
             "c": "struct item { struct item *next; struct list *in; int v; };\nstruct own; int fc(struct item *i, struct own *o) { return i->v + !o; }",
             "m": "int main(void) { return 0; }"}
    for name, text in texts.items():
        with open(bench.path(name + ".c"), "w", encoding="utf-8") as f:
            f.write(text)
    subprocess.run(["gcc", "-g", "-o", "shared", "a.c", "b.c", "c.c", "m.c"], check=True, cwd=bench.folder)
    lines = bench.tell(bench.path("shared"))
    count = lambda text: sum(line.startswith(text) for line in lines)
    if count("struct item ") != 1 or count("struct list ") != 1 or count("struct own 4 ") != 1 or count("struct own 8 ") != 1:
        return "\n".join(lines)
    expect(of_function(lines, "fc"), "o *unknown own")
    expect("\n".join(lines), "struct item 24 { next *struct item 0; in *struct list 64; v int 128; }",
           "struct list 8 { first *struct item 0; }")
    return None


def large_types_are_told_or_cut(bench):
    tap.need("gcc")
    fields = " ".join("int f%d;" % i for i in range(10000))
    deep = "struct d0 { int a; };" + "".join("struct d%d { struct d%d a; int b; };" % (i, i - 1) for i in range(1, 200))
    more = " ".join("char f%d;" % i for i in range(70000))
    lines = bench.tell(bench.compile("gcc", "-g", """
struct many { %s }; struct more { %s }; %s
struct large { char all[0x180000000]; int behind; };
int many(struct many *m, struct more *o, struct d199 *d, struct large *l) { return !m + !o + !d + !l; }
int main(void) { return 0; }""" % (fields, more, deep), "p"))
    expect(of_function(lines, "many"), "m *struct many, o *struct more, d *struct d199, l *struct large")
    text = "\n".join(lines)
    expect(text, "f9999 int 319968;", "f65534 char 524272;", "struct d199 800 { a struct d198 0; b int 6368; }",
           "struct d150 604 { a struct d149 0;", "struct large 0 { all [0]char 0; }")
    if "f65535 char" in text:
        return "there are more members than a type may have"
    return None


def main_of_rust(bench):
    tap.need("rustc")
    with open(bench.path("r.rs"), "w", encoding="utf-8") as f:
        f.write("""
pub enum Kind { One(u32), Two { x: u8, y: u64 }, Three }
#[no_mangle] #[inline(never)] pub fn simple(a: i32, b: f64, s: &str, v: &[u16]) -> bool { a as f64 > b + (s.len() + v.len()) as f64 }
#[no_mangle] #[inline(never)] pub fn other(k: &Kind, t: (u8, i32), o: Option<&u8>) -> usize { (match k { Kind::One(x) => *x as usize, Kind::Two { x, y } => *x as usize + *y as usize, Kind::Three => 1 }) + t.1 as usize + *o.unwrap_or(&1) as usize }
fn main() { println!("{} {}", simple(1, 2.0, "a", &[1]), other(&Kind::One(3), (1, 2), None) + other(&Kind::Two{x: 1, y: 2}, (3, 4), Some(&3)) + other(&Kind::Three, (5, 6), None)); }
""")
    done = subprocess.run(["rustc", "-g", "-o", "r", "r.rs"], cwd=bench.folder, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise tap.Skip("rustc does not compile here: " + done.stderr.decode(errors="replace")[:200])
    lines = bench.tell(bench.path("r"), "simple", "other")
    expect(of_function(lines, "simple"), "bool simple(a i32, b f64, s struct &str, v struct &[u16]) rust")
    expect(of_function(lines, "other"), "k *const struct r::Kind", "t struct (u8, i32) @?")
    expect("\n".join(lines), "struct &str 16 { data_ptr *u8 0; length usize 64; }", " variants(-,0,1,2)",
           "Two struct r::Kind::Two 0;")
    return None


# ---- damage ----

def damage(image, chance):
    parts = [(off, size) for name, off, size in sections_of(image)
             if name.startswith(b".debug_") and size]
    for _ in range(chance.choice([1, 3, 30])):
        off, size = chance.choice(parts)
        at = off + chance.randrange(size)
        image[at] = chance.choice([0, 0xff, image[at] ^ 1 << chance.randrange(8), chance.randrange(256)])
    return image


def are_harmless(bench, files):
    """files: what is damaged, and the program that it belongs to; None: it is one itself."""
    by = "sanitized" if os.access(bench.told_by["sanitized"], os.X_OK) else "plain"
    seed = random.SystemRandom().randrange(1 << 30)
    chance = random.Random(seed)
    whole = {}
    for path, _ in files:
        with open(path, "rb") as f:
            whole[path] = f.read()
    for i in range(1500 if bench.is_long else 60):
        path, program = chance.choice(files)
        target = path if program else bench.path("damaged")
        with open(target, "wb") as f:
            f.write(damage(bytearray(whole[path]), chance))
        try:
            bench.tell(program or target, by=by, status=None)
        except tap.Wrong as why:
            return "seed %d, file %d: %s" % (seed, i, why)
        if program:
            with open(path, "wb") as f:
                f.write(whole[path])
    return None


def damaged_files_are_harmless(bench):
    """Bytes of debug information changed at random: a table that is sound, or a sentence."""
    return are_harmless(bench, [
        (bench.compile(cc, flags, C if ending == ".c" else CXX, "w%d" % i, ending), None)
        for i, (cc, flags, ending) in enumerate([
            ("gcc", "-O2 -gdwarf-5", ".c"), ("clang", "-O2 -gdwarf-4", ".c"), ("g++", "-O1 -gdwarf-4 -std=c++17", ".cc")])
        if tap.have(cc)])


def damaged_split_files_are_harmless(bench):
    files = []
    for compiler in filter(tap.have, WAYS):
        for way in ("4", "5"):
            name = compiler + way
            path = bench.compile(compiler, "-O2 -gsplit-dwarf -gdwarf-" + way, C, name)
            dwo = [bench.path(each) for each in os.listdir(bench.folder)
                   if each.startswith(name) and each.endswith(".dwo")][0]
            files.append((dwo, path))
            if tap.have("llvm-dwp"):
                packed = bench.path("packed" + name)
                with open(path, "rb") as f, open(packed, "wb") as to:
                    to.write(f.read())
                tap.run(["llvm-dwp", "-e", path, "-o", packed + ".dwp"], cwd=bench.folder)
                files.append((packed + ".dwp", packed))
    return are_harmless(bench, files)


CASES = [
    ("C, in each way", told_in_all_ways(C, C_TOLD, ".c", {"gcc": "gcc", "clang": "clang"})),
    ("C++, in each way", told_in_all_ways(CXX, CXX_TOLD, ".cc", {"gcc": "g++", "clang": "clang++"})),
    ("Rust", main_of_rust),
    places_at_entry, what_is_aligned, what_gcc_puts_on_the_stack, without_optimisation_nothing_is_told,
    what_is_not_passed_is_not_there, a_result_that_nobody_looks_at, a_value_that_is_passed_by_its_address, what_is_passed_is_there,
    in_a_file_of_its_own, what_dwz_has_moved, after_optimisation_of_the_whole,
    names_alone_are_no_signature, split_units_that_are_missing_are_named,
    split_units_of_others_are_none, packages, code_without_a_unit,
    types_of_units_are_one, large_types_are_told_or_cut,
    damaged_files_are_harmless, damaged_split_files_are_harmless,
]

tap.main(lambda suite: suite.run_all(CASES, Bench(suite)))
