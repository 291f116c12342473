#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian package is built, holds what it should, is installed, runs, and is removed.

The short form packs what is built already (--build). It is installed below a folder, by a dpkg that knows the packages of this machine that it needs:
what the machine itself has installed is not touched.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

MAN = os.path.join(tap.TOP, "docs", "man")
# Where the page of export --format html is built in, what its libraries' licences ask for.
OPTIONAL = {"usr/share/doc/fctrace/NOTICE", "usr/share/doc/fctrace/NOTICE.gz"}


def wanted_files():
    pages = {"usr/share/man/man%s/%s.gz" % (page[-1], page) for page in os.listdir(MAN)}
    docs = {"usr/share/doc/fctrace/" + name for name in ("copyright", "changelog.gz")}
    with open(os.path.join(tap.TOP, "debian", "fctrace.docs")) as f:
        docs |= {"usr/share/doc/fctrace/" + os.path.basename(line.strip()) + ".gz" for line in f}
    return pages | docs | {
        "usr/bin/fctrace",
        "usr/include/fctrace.h",
        "usr/share/bash-completion/completions/fctrace",
        "usr/share/zsh/vendor-completions/_fctrace",
        "usr/share/fish/vendor_completions.d/fctrace.fish",
    }


def told(*argv):
    return subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout.decode()


def files_of(package):
    names = (line.split(None, 5)[5] for line in told("dpkg-deb", "-c", package).splitlines())
    return {name[2:] for name in names if not name.endswith("/")}


def needed_packages(package):
    return re.findall(r"([a-z0-9][\w.+-]*)(?: \([^)]*\))?(?:,|$)",
                      told("dpkg-deb", "-f", package, "Depends").strip())


class Place:
    """A folder that is the root of what a dpkg of its own installs."""

    def __init__(self, folder, needs):
        self.folder, self.state = folder, os.path.join(folder, "var/lib/dpkg")
        for name in ("info", "updates", "triggers"):
            os.makedirs(os.path.join(self.state, name))
        for name in needs:
            open(os.path.join(self.state, "info", name + ":amd64.list"), "w").close()
        with open(os.path.join(self.state, "status"), "w") as f:
            f.write("\n".join(told("dpkg-query", "-s", name) for name in needs))

    def dpkg(self, *args):
        user = [] if os.geteuid() == 0 else ["unshare", "-r"]
        done = tap.run([*user, "dpkg", "--root=" + self.folder, "--log=/dev/null", *args],
                       env=dict(os.environ, LC_ALL="C.UTF-8"))
        return None if done.status == 0 else (done.out + done.err).decode(errors="replace")

    def files(self):
        return {os.path.relpath(os.path.join(path, file), self.folder)
                for path, _, files in os.walk(self.folder) for file in files
                if not path.startswith(self.state)}


def check_content(suite, package):
    files, wanted = files_of(package), wanted_files()
    suite.case("the package holds what it should", None if files - OPTIONAL == wanted else
               "missing: %s; not expected: %s" % (sorted(wanted - files),
                                                  sorted(files - wanted - OPTIONAL)))
    needs = set(needed_packages(package))
    suite.case("the package says which libraries it needs", None if
               {"libc6", "libdw1", "libelf1", "liblzma5", "libzstd1", "libsqlite3-0"} <= needs else needs)
    if not tap.have("lintian"):
        suite.skip("lintian finds nothing", "there is no lintian")
        return
    done = tap.run(["lintian", "--allow-root", "--fail-on", "error,warning", package],
                   limit_s=120)
    suite.case("lintian finds nothing", None if done.status == 0 else
               (done.out + done.err).decode(errors="replace"))


def check_life(suite, package, folder):
    place = Place(os.path.join(folder, "root"), needed_packages(package))
    suite.case("dpkg installs the package", place.dpkg("-i", package))
    suite.case("all its files are there then", None if place.files() == files_of(package)
               else sorted(place.files()))
    fctrace = os.path.join(place.folder, "usr/bin/fctrace")
    home = dict(os.environ, HOME=folder)
    done = tap.run([fctrace, "-F", "main", "ls", "/"], env=home)
    suite.case("fctrace ls shows calls and what ls shows", None if
               done.status == 0 and b"exited with 0" in done.err and b"etc\n" in done.out
               else (done.out + done.err).decode(errors="replace"))
    trace = os.path.join(folder, "x.data")
    tap.run([fctrace, "record", "-o", trace, "true"], env=home)
    rows = tap.fctrace_json(fctrace, "report", trace)
    suite.case("a recording can be read", None if rows else "no function was called")
    suite.case("dpkg installs it over itself", place.dpkg("-i", package))
    suite.case("dpkg removes it", place.dpkg("-r", "fctrace"))
    suite.case("nothing of it is left then", " ".join(sorted(place.files())))


def suite_of(suite):
    is_packed = suite.args.build and not suite.is_long
    done = tap.run([os.path.join(tap.TOP, "scripts", "deb"),
                    *(["--build", suite.args.build] if is_packed else []), suite.folder],
                   limit_s=500)
    package = done.out.decode().strip().split("\n")[-1]
    suite.case("scripts/deb builds a package", None if done.status == 0 else
               done.err.decode(errors="replace"))
    if done.status != 0:
        return
    with open(os.path.join(tap.TOP, "meson.build")) as f:
        version = re.search(r"version: '([^']*)'", f.read()).group(1)
    name = "fctrace_%s_%s.deb" % (version, told("dpkg", "--print-architecture").strip())
    suite.case("it has the project's version in its name",
               None if os.path.basename(package) == name else package)
    check_content(suite, package)
    check_life(suite, package, suite.folder)


tap.main(suite_of, build={"type": os.path.abspath, "help": "a build folder of meson's"})
