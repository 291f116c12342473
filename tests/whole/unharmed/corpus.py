# SPDX-License-Identifier: Apache-2.0
"""corpus.py - programs that break other tracers: debuggers, engines, compilers, other runtimes.

Jobs like those of jobs.py. Those that take long or need large packages are for the long form.
"""
import os
import subprocess

from jobs import Job, make_lines, make_tree, write

DEBUGGED = r"""
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static int sum(const struct node *n) { return n ? n->value + sum(n->next) : 0; }
int main(void)
{
	struct node *list = NULL;
	for (int i = 0; i < 10; i++) {
		struct node *n = malloc(sizeof(*n));
		n->value = i * i;
		n->next = list;
		list = n;
	}
	printf("%d\n", sum(list));
	return 7;
}
"""

# ASLR is off in what gdb starts; which process id it gets is all that differs.
GDB = r"""
set pagination off
set confirm off
break sum
run
backtrace
info locals
print *n
finish
python
import gdb
frame = gdb.selected_frame()
print(frame.name(), [symbol.name for symbol in frame.block()])
print([field.name for field in gdb.lookup_type("struct node").fields()])
class Depth(gdb.Breakpoint):
    def stop(self):
        depth, f = 0, gdb.newest_frame()
        while f: depth, f = depth + 1, f.older()
        print("depth", depth)
        return False
gdb.breakpoints()[0].delete()
Depth("sum")
try:
    gdb.parse_and_eval("no_such_symbol")
except gdb.error as e:
    print("caught", e)
end
continue
print $_exitcode
disassemble /r sum
info types node
"""

NODE = r"""
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const crypto = require('crypto');
const zlib = require('zlib');
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
if (isMainThread) {
  const out = []; let left = 4;
  for (let i = 0; i < 4; i++) {
    const w = new Worker(__filename, { workerData: i });
    w.on('message', m => out.push(m));
    w.on('exit', code => {
      if (--left) return;
      console.log(out.sort().join('\n'));
      try { null.x } catch (e) { console.log('caught', e.constructor.name) }
      process.exitCode = 9;
    });
  }
} else {
  const list = [];
  for (let i = 0; i < 20000; i++) list.push({ i, t: 'x' + i * workerData });
  const text = JSON.stringify(JSON.parse(JSON.stringify(list)));
  const back = zlib.gunzipSync(zlib.gzipSync(text)).toString();
  const hash = crypto.createHash('sha256').update(back.replace(/x(\d+)/g, 'y$1')).digest('hex');
  parentPort.postMessage(workerData + ' ' + fib(22) + ' ' + hash);
}
"""

GO = r"""
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func deep(n int) int {
	var pad [64]int
	pad[n%64] = n
	if n == 0 {
		return pad[0]
	}
	return deep(n-1) + pad[n%64]
}

func safe(n int) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("recovered ", r)
		}
	}()
	var list []int
	return fmt.Sprint(list[n])
}

func main() {
	var wait sync.WaitGroup
	results := make(chan string, 64)
	for i := 0; i < 500; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			if i%50 == 0 {
				runtime.GC()
			}
			results <- fmt.Sprintf("%04d %d %d %s", i, fib(i%15), deep(i), safe(i))
		}(i)
	}
	go func() { wait.Wait(); close(results) }()
	var lines []string
	for line := range results {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
	os.Exit(5)
}
"""

CMAKE_LISTS = """cmake_minimum_required(VERSION 3.10)
project(demo CXX)
find_package(Threads REQUIRED)
include(CheckIncludeFileCXX)
check_include_file_cxx(vector HAVE_VECTOR)
configure_file(config.h.in config.h)
add_library(part STATIC part.cc)
add_executable(demo main.cc)
target_link_libraries(demo part Threads::Threads)
"""

LARGE_CXX = r"""
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
template <int N> struct box {
	std::map<std::string, std::vector<box<N - 1>>> in;
	std::function<int(int)> f;
	int run(int x) { for (auto &p : in) for (auto &b : p.second) x += b.run(x); return f ? f(x) : x; }
};
template <> struct box<0> { int run(int x) { return x + 1; } };
int main()
{
	box<12> b;
	std::regex r("a(b|c)*d");
	std::unordered_map<std::string, std::variant<int, std::string>> m;
	m["x"] = 1;
	std::vector<int> v{3, 1, 2};
	std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
	std::cout << b.run(1) << std::regex_match("abcd", r) << m.size() << std::endl;
	return v[0];
}
"""

BUSYBOX = r"""
seq 300 | sort -r | awk '{ s += $1 } END { print s }'; tar cf - tree | md5sum; find tree -name 'f0*' | wc -l
sed -n 's/alpha/A/p' lines.txt | head -3; cut -d, -f2 lines.txt | sort -n | tail -2; ls -l tree/d00 | wc -l
echo 'x = 3; x * 2' | bc; gzip -c lines.txt | gunzip -c | cmp - lines.txt; (exit 3) || echo "was $?"; vi --nonsense; exit 4
"""

APT_CACHE = "apt-cache policy bash; apt-cache depends --installed bash; apt-cache rdepends --installed zlib1g | sort"


def make_debugged(folder):
    write(folder + "/debugged.c", DEBUGGED)
    write(folder + "/script.gdb", GDB)
    subprocess.run(["gcc", "-g", "-O0", "-o", "debugged", "debugged.c"], cwd=folder, check=True)


def make_go(folder):
    write(folder + "/program.go", GO)
    cache = os.path.join(folder, "cache")
    subprocess.run(["go", "build", "-o", "program", "program.go"], cwd=folder, check=True,
                   env=dict(os.environ, GO111MODULE="off", GOCACHE=cache, GOFLAGS="-trimpath",
                            HOME=folder))
    subprocess.run(["rm", "-rf", cache], check=True)


def make_musl(folder):
    write(folder + "/program.c", DEBUGGED.replace("return 7", "system(\"echo from a child\"); return 7"))
    subprocess.run(["musl-gcc", "-O2", "-o", "program", "program.c"], cwd=folder, check=True)
    subprocess.run(["musl-gcc", "-O2", "-static", "-o", "static", "program.c"], cwd=folder,
                   check=True)


def make_node(folder):
    write(folder + "/workers.js", NODE)


def make_cmake(folder):
    write(folder + "/demo/CMakeLists.txt", CMAKE_LISTS)
    write(folder + "/demo/config.h.in", "#cmakedefine HAVE_VECTOR\n")
    write(folder + "/demo/part.cc", "int part() { return 3; }\n")
    write(folder + "/demo/main.cc", "int part(); int main() { return part(); }\n")


def make_large(folder):
    write(folder + "/large.cc", LARGE_CXX)


V8_SENTENCE = "functions are entry only: V8 looks at the return addresses of what it calls"
TRACER_SENTENCE = "what the program traces itself runs untraced by fctrace"
GO_SENTENCE = "Go functions are entry only: Go moves its stacks"

QUICK = [
    Job("ripgrep", ["/usr/bin/rg", "-n", "--sort", "path", "(alpha|beta) [0-9]{3}$", "tree"],
        [make_tree]),
    Job("ripgrep with threads", ["/bin/sh", "-c", "rg -j4 -c 'a 1' tree | sort; rg nonsense tree"],
        [make_tree], needs=["rg"]),
    Job("a Go program: fzf", ["/usr/bin/fzf", "--filter=alp1"], [make_lines],
        stdin="lines.txt", says=GO_SENTENCE),
    Job("busybox-static", ["/usr/bin/busybox", "sh", "-c", BUSYBOX], [make_tree, make_lines]),
    Job("a musl program", ["./program"], [make_musl]),
    Job("a static musl program", ["./static"], [make_musl]),
    # Only one may be the tracer of a process: what these two trace is left to them.
    Job("gdb", ["/usr/bin/gdb", "-nx", "-batch", "-x", "script.gdb", "./debugged"],
        [make_debugged], files=False, drop=r"process \d+", says=TRACER_SENTENCE),
    Job("strace", ["/usr/bin/strace", "-f", "-c", "-o", "calls", "/bin/sh", "-c",
                   "./debugged; ls | wc -l; exit 7"],
        [make_debugged], files=False, says=TRACER_SENTENCE),
    Job("apt-get --simulate", ["/usr/bin/apt-get", "--simulate", "remove", "gcc"], modes=["api"]),
]

LONG = [
    Job("a Go program with goroutines", ["./program"], [make_go], files=False, needs=["go"],
        says=GO_SENTENCE),
    Job("node with workers", ["/usr/bin/node", "workers.js"], [make_node], says=V8_SENTENCE),
    Job("cmake", ["/bin/sh", "-c", "cmake -S demo -B build | grep -v '[0-9]s)' && "
                  "md5sum build/Makefile build/config.h build/CMakeFiles/*/build.make && "
                  "rm -rf build"], [make_cmake], needs=["cmake"]),
    Job("g++ -O2", ["/usr/bin/g++", "-std=c++17", "-O2", "-frandom-seed=1", "-c", "large.cc"],
        [make_large], modes=["api"], limit_s=900),
    Job("apt-get --simulate install", ["/usr/bin/apt-get", "--simulate", "install", "0ad"],
        modes=["api"]),
    Job("apt-cache", ["/bin/sh", "-c", APT_CACHE], modes=["api"], needs=["apt-cache"]),
]
