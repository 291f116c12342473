# SPDX-License-Identifier: Apache-2.0
"""guest.py - a virtual machine with a stock Debian kernel, in which suites of this folder's
siblings run.

    host                                       guest (QEMU, interpreted: no KVM is needed)
    ---------------------------------          -----------------------------------------------
    the suite, with a fctrace that does
    nothing: its programs are compiled,
    and `made/` keeps what came out     --->   the suite, with the fctrace that is tested;
    fctrace, Python, their libraries,          its "compiler" takes what is in `made/`
    the tests, each at its own path     --->
                                        <---   the lines that it prints

A guest has no compiler: an interpreted one would take longer than all the rest.
"""
import contextlib
import glob
import lzma
import os
import re
import select
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402

META = "linux-image-cloud-amd64"  # depends on the newest kernel of its kind
MEMORY_MIB = 3072
STDLIB = "import sysconfig; print(sysconfig.get_path('stdlib'))"
INTERPRETED = 10  # times slower than the host, at least
CASE_LIMIT_S = 900  # in the guest, for cases that take 16 s at most where nothing else runs: bound.py
LONG_CASE_LIMIT_S = 3600  # in the long form
BOOT_LIMIT_S = 24 * 3600  # of a guest that nobody follows any more
SILENCE_S = 600  # and no line for so much longer: the guest itself hangs
SLOW = ["la57"]  # five levels of page tables, which QEMU walks one by one: a tenth of all time
COMPILERS = ("gcc", "g++", "clang", "clang++", "musl-gcc", "rustc")
# What the suites run beside their own programs. The rest is busybox's.
TOOLS = ("nm", "strip", "unshare", "setpriv", "setarch", "mount", "umount", "taskset", "objdump",
         "chroot", "cat", "sh", "bash", "env", "prlimit", "strace",
         "ls", "sort", "find", "dash", "gawk", "sqlite3", "openssl", "tar", "xz", "sed", "grep", "perl",
         "git", "make", "trace-cmd", "tee", "wc", "dd", "head", "md5sum", "sha256sum")
PERL = "use Config; print join qq(\n), @Config{qw(privlibexp archlibexp)}, @INC"
BUSYBOX_LACKS = set(TOOLS)

INIT = """#!/bin/busybox sh
export PATH=/made/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mount -t tracefs tracefs /sys/kernel/tracing
chmod 1777 /tmp; mkdir -p /dev/shm /dev/pts
mount -t tmpfs shm /dev/shm; mount -t devpts pts /dev/pts
ln -s /proc/self/fd /dev/fd; ln -s /proc/self/fd/0 /dev/stdin; ln -s /proc/self/fd/1 /dev/stdout
ip link set lo up; hostname guest
stty -F /dev/ttyS1 raw -echo
sh /made/run.sh >/dev/ttyS1 2>&1 </dev/null
echo "guest: done" >/dev/ttyS1
sync; sleep 0.1; poweroff -f
"""

# The same script is each compiler, on the host and in the guest: what one was asked to make is
# known by its folder, its name, its words and what it reads from its standard input. What it said to what
# it could not compile is said again.
COMPILER = """#!/bin/sh
made=%(made)s real=%(real)s name=${0##*/} out=a.out before= reads=
for word; do
	[ "$before" = -o ] && out=$word
	[ "$word" = - ] && reads=1
	before=$word
done
input=$(mktemp); trap 'rm -f "$input"' EXIT
[ -z "$reads" ] || cat >"$input"
key=$({ printf '%%s\\n' "$PWD" "$name" "$@"; cat "$input"; } | md5sum)
key=$made/${key%%%% *}
if [ -z "$real" ]; then
	[ ! -f "$key" ] || exec cp "$key" "$out"
	[ ! -f "$key.said" ] || { cat "$key.said" >&2; exit 1; }
	echo "$name: not compiled on the host: $*" >&2; exit 1
fi
PATH=$real "$name" "$@" <"$input" 2>"$key.said"
status=$?
cat "$key.said" >&2
[ "$status" = 0 ] || exit "$status"
rm -f "$key.said"
[ ! -f "$out" ] || cp "$out" "$key"
"""


def need():
    for program in ("qemu-system-x86_64", "busybox", "apt-get", "dpkg"):
        tap.need(program)
    linked = subprocess.run(["ldd", shutil.which("busybox")], capture_output=True, check=False)
    if linked.returncode == 0:
        raise tap.Skip("busybox is not static (package busybox-static)")


def kernels():
    """Paths of kernels: those that $FCTRACE_VM_KERNELS names, or the one that apt knows."""
    named = os.environ.get("FCTRACE_VM_KERNELS")
    if named:
        return [path for path in named.split(":") if path]
    folder = os.path.join(tap.TOP, "build-check", "kernels")
    said = subprocess.run(["apt-cache", "depends", META], capture_output=True, text=True,
                          check=False).stdout
    package = re.search(r"Depends: (linux-image-\S+)", said)
    if not package:
        raise tap.Skip("apt knows no %s" % META)
    path = os.path.join(folder, package[1], "boot", package[1].replace("linux-image-", "vmlinuz-"))
    if not os.path.exists(path):
        fetch(package[1], folder)
    if not os.path.exists(path):
        raise tap.Skip("%s has no %s" % (package[1], os.path.basename(path)))
    return [path]


def fetch(package, folder):
    os.makedirs(folder, exist_ok=True)
    got = subprocess.run(["apt-get", "download", package], cwd=folder, capture_output=True,
                         text=True, check=False)
    files = glob.glob(os.path.join(folder, package + "_*.deb"))
    if got.returncode or not files:
        raise tap.Skip("apt-get cannot download %s" % package)
    subprocess.run(["dpkg", "-x", files[0], os.path.join(folder, package)], check=True)
    for path in files:
        os.unlink(path)


class Tree:
    """What is in the guest: files at the paths that they have here."""

    def __init__(self, folder):
        self.folder, self.has = folder, set()

    def at(self, path):
        to = self.folder + path
        os.makedirs(os.path.dirname(to), exist_ok=True)
        return to

    def add(self, path, is_needed=True):
        """A file, and the libraries that it needs."""
        if path in self.has or (not is_needed and not os.path.exists(path)):
            return
        self.has.add(path)
        if not os.path.exists(self.at(path)):
            shutil.copy(path, self.at(path))
        said = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
        for library in re.findall(r"(/\S+) \(0x", said):
            self.add(library)

    def add_folder(self, path, *without):
        shutil.copytree(path, self.at(path), dirs_exist_ok=True, symlinks=True,
                        ignore=shutil.ignore_patterns(*without))

    def write(self, path, text, mode=0o644):
        with open(self.at(path), "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(self.at(path), mode)

    def add_python(self):
        self.add(tap.PYTHON)
        library = subprocess.run([tap.PYTHON, "-c", STDLIB], capture_output=True, text=True,
                                 check=True).stdout.strip()
        self.add_folder(library, "test", "tests", "idlelib", "tkinter", "lib2to3", "ensurepip",
                        "config-*", "dist-packages", "distutils", "turtledemo", "pydoc_data")
        for module in glob.glob(os.path.join(library, "lib-dynload", "*.so")):
            self.add(module)

    def add_perl(self):
        said = subprocess.run(["perl", "-e", PERL], capture_output=True, text=True,
                              check=False).stdout
        for path in set(said.splitlines()):
            if os.path.isdir(path) and not path.startswith(("/etc", "/usr/local")):
                self.add_folder(path)

    def add_programs(self, fctrace):
        self.add(fctrace)
        self.add_perl()
        busybox = shutil.which("busybox")
        self.add(busybox)
        for tool in TOOLS:
            if shutil.which(tool):
                self.add(shutil.which(tool))
        for name in ("libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6", "libdl.so.2",
                     "libpthread.so.0"):
            for path in glob.glob("/lib/x86_64-linux-gnu/" + name):
                self.add(path)
        self.add("/lib/ld-musl-x86_64.so.1", False)
        os.makedirs(self.folder + "/bin", exist_ok=True)
        shutil.copy(busybox, self.folder + "/bin/busybox")
        listed = subprocess.run([busybox, "--list"], capture_output=True, text=True, check=True)
        for name in listed.stdout.split():
            to = self.folder + "/bin/" + name
            if name != "busybox" and name not in BUSYBOX_LACKS and not os.path.lexists(to):
                os.symlink("busybox", to)
        if not os.path.lexists(self.folder + "/bin/sh"):
            os.symlink("busybox", self.folder + "/bin/sh")

    def pack(self, path):
        for name in ("proc", "sys", "dev", "tmp", "root", "run", "etc"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        self.write("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n"
                                  "nobody:x:65534:65534:nobody:/:/bin/false\n")
        self.write("/init", INIT, 0o755)
        with open(path, "wb") as out:
            find = subprocess.Popen(["find", "."], cwd=self.folder, stdout=subprocess.PIPE)
            subprocess.run(["busybox", "cpio", "-o", "-H", "newc"], cwd=self.folder, check=True,
                           stdin=find.stdout, stdout=out, stderr=subprocess.DEVNULL)
            find.wait()


def processor():
    """What QEMU is told of CPUs: 7.2 has faults in cmpxchg16b and with more than one, 10 has none."""
    said = subprocess.run(["qemu-system-x86_64", "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"version (\d+)", said)
    return ("2", SLOW) if version and int(version[1]) >= 10 else ("1", [*SLOW, "cx16"])


def module_of(kernel, name):
    """A module's bytes, from the package of that kernel; None: it is not there."""
    top = os.path.dirname(os.path.dirname(kernel))
    found = glob.glob(os.path.join(top, "**", "modules", "*", "kernel", name + "*"), recursive=True)
    if not found:
        return None
    with (lzma.open if found[0].endswith(".xz") else open)(found[0], "rb") as f:
        return f.read()


class Guest:
    """Suites that run in one machine: add them, then boot()."""

    def __init__(self, folder, fctrace, lacks=(), is_long=False):
        self.folder, self.fctrace, self.lacks = folder, fctrace, lacks
        self.case_limit_s = LONG_CASE_LIMIT_S if is_long else CASE_LIMIT_S
        self.tree = Tree(os.path.join(folder, "tree"))
        self.made = os.path.join(folder, "made")
        self.commands = []
        os.makedirs(os.path.join(self.made, "bin"))
        self.write_compilers(self.made, os.environ["PATH"], os.path.join(self.made, "bin"))

    def write_compilers(self, made, real, to):
        for name in COMPILERS:
            path = os.path.join(to, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(COMPILER % {"made": made, "real": "'%s'" % real if real else ""})
            os.chmod(path, 0o755)

    def add_suite(self, name, *args):
        """A suite of tests/, and what it is told. Its programs are compiled now, side by side: it runs
        with an fctrace that does nothing, for which it does not wait."""
        work = os.path.join(self.folder, "work%d" % len(self.commands))
        argv = [tap.PYTHON, os.path.join(tap.TESTS, name), "--keep", work, *args]
        env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", FCTRACE_PATIENCE_S="5",
                   PATH=os.path.join(self.made, "bin") + ":" + os.environ["PATH"])
        self.commands.append((name, argv))
        return subprocess.Popen([*argv, "--fctrace", "/bin/false"], env=env,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def boot(self, kernel, *words, told):
        """told(line): of each line that the suites print. The kernel's command line has words."""
        tree = self.tree
        tree.add_programs(self.fctrace)
        tree.add_python()
        shutil.copytree(self.made, tree.folder + "/made", dirs_exist_ok=True)
        self.write_compilers("/made", "", tree.folder + "/made/bin")
        tree.add_folder(tap.TESTS, "__pycache__")
        # Python keeps there what it compiles of the tests; of its library it is copied.
        script = ["cd %s" % tap.TOP, "export FCTRACE_TIMES=%d" % INTERPRETED,
                  "export FCTRACE_CASE_LIMIT_S=%d" % self.case_limit_s,
                  "export FCTRACE_TURN=%s" % os.environ.get("FCTRACE_TURN", "")]
        for name, argv in self.commands:
            script.append("echo 'guest: %s'" % name)
            script.append(" ".join("'%s'" % word for word in [*argv, "--fctrace", self.fctrace]))
            script.append('echo "guest: status $?"')
        overlay = module_of(kernel, "fs/overlayfs/overlay.ko")
        if overlay:
            with open(tree.at("/made/modules/overlay.ko"), "wb") as f:
                f.write(overlay)
        tree.write("/made/run.sh", "\n".join(script) + "\n")
        tree.pack(os.path.join(self.folder, "initramfs"))
        self.emulate(kernel, words, told)

    def emulate(self, kernel, words, told):
        console = os.path.join(self.folder, "console")
        append = ["console=ttyS0", "panic=-1", "quiet", "cryptomgr.notests", "mitigations=off",
                  "no_timer_check", "tsc=reliable", "audit=0", "lsm=", "random.trust_cpu=on",
                  # A grace period of RCU waits for ticks of a clock; fctrace waits for some twenty of them.
                  "rcupdate.rcu_expedited=1", "rdinit=/init", *words]
        nr_cpus, without = processor()
        argv = ["qemu-system-x86_64", "-M", "pc", "-accel", "tcg", "-smp", nr_cpus, "-m",
                str(MEMORY_MIB), "-cpu", ",-".join(["max", *without, *self.lacks]), "-nodefaults",
                "-no-user-config", "-display", "none", "-monitor", "none", "-nic", "none",
                "-no-reboot", "-serial", "file:" + console, "-serial", "stdio", "-kernel", kernel,
                "-initrd", os.path.join(self.folder, "initramfs"), "-append", " ".join(append)]
        with subprocess.Popen(["timeout", "--foreground", str(BOOT_LIMIT_S), *argv],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as machine:
            try:
                is_done = self.follow(machine.stdout, told)
            finally:
                machine.terminate()
        if not is_done:
            with contextlib.suppress(OSError):
                with open(console, encoding="utf-8", errors="replace") as f:
                    raise tap.Wrong("the machine died: " + f.read()[-3000:])
            raise tap.Wrong("the machine did not start")

    def follow(self, out, told):
        """told(line): of each that the guest prints. False: it ended before the last one. Wrong: it hangs."""
        limit_s, rest, is_done = self.case_limit_s + SILENCE_S, b"", False
        while select.select([out], [], [], limit_s)[0]:
            got = os.read(out.fileno(), 1 << 16)
            if not got:
                return is_done
            *lines, rest = (rest + got).split(b"\n")
            for line in lines:
                line = line.decode(errors="replace").rstrip("\r")
                is_done |= line == "guest: done"
                told(line)
        with open(os.path.join(self.folder, "console"), encoding="utf-8", errors="replace") as f:
            raise tap.Wrong("the machine printed nothing for %d s: %s" % (limit_s, f.read()[-3000:]))
