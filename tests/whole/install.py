#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`make install` puts all in its place, shells and man find it there, `make uninstall` takes it
away.

fctrace stands in a build folder of meson's, which is what is installed.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

MAN = os.path.join(tap.TOP, "docs", "man")


def files_below(folder):
    return {os.path.relpath(os.path.join(path, file), folder)
            for path, _, files in os.walk(folder) for file in files}


def wanted_files():
    pages = {"share/man/man%s/%s" % (page[-1], page) for page in os.listdir(MAN)}
    return pages | {
        "bin/fctrace",
        "include/fctrace.h",
        "share/bash-completion/completions/fctrace",
        "share/zsh/site-functions/_fctrace",
        "share/fish/vendor_completions.d/fctrace.fish",
        "share/doc/fctrace/LICENSE",
    }


def make(target, build, folder):
    return tap.run(["make", "-C", tap.TOP, target, "BUILD=" + build, "DESTDIR=" + folder],
                   limit_s=300)


def said(argv, **env):
    """stdout, or what went wrong."""
    done = tap.run(argv, env=dict(os.environ, LC_ALL="C.UTF-8", **env))
    return done.out.decode(errors="replace").strip() or done.err.decode(errors="replace")


def same(path, argv):
    with open(path, "rb") as f:
        return f.read() == subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout


def check_shells(suite, fctrace, prefix, folder):
    share = os.path.join(prefix, "share")
    for shell, path in (("bash", "bash-completion/completions/fctrace"),
                        ("zsh", "zsh/site-functions/_fctrace"),
                        ("fish", "fish/vendor_completions.d/fctrace.fish")):
        suite.case("what is installed for %s is what the program prints" % shell,
                   None if same(os.path.join(share, path), [fctrace, "completion", shell])
                   else path)
    where = dict(XDG_DATA_DIRS=share + ":/usr/local/share:/usr/share", HOME=folder,
                 PATH=os.path.join(prefix, "bin") + ":" + os.environ["PATH"])
    told = said(["bash", "--norc", "-c", ". /usr/share/bash-completion/bash_completion; "
                 "__load_completion fctrace; complete -p fctrace"], **where)
    suite.case("bash finds it", None if told == "complete -F _fctrace fctrace" else told)
    told = said(["zsh", "-fc", "fpath=(%s/zsh/site-functions $fpath); autoload -Uz compinit; "
                 "compinit -u -d %s/dump; print $_comps[fctrace]" % (share, folder)], **where)
    suite.case("zsh finds it", None if told == "_fctrace" else told)
    told = said(["fish", "-c", "complete -C 'fctrace reco'"], **where)
    suite.case("fish finds it", None if "record\trun PROGRAM" in told else told)


def check_pages(suite, prefix):
    for page in ("fctrace", "fctrace-record", "fctrace-data"):
        told = said(["man", "-M", os.path.join(prefix, "share/man"), "-w", page])
        suite.case("man finds %s" % page,
                   None if re.search(r"/man/man[15]/%s\.[15]$" % page, told) else told)


def suite_of(suite):
    fctrace, folder = suite.fctrace, suite.folder
    root = os.path.join(folder, "root")
    prefix = os.path.join(root, "usr/local")
    build = os.path.dirname(fctrace)
    done = make("install", build, root)
    suite.case("make install ends well", None if done.status == 0 else
               (done.out + done.err)[-2000:].decode(errors="replace"))
    found, wanted = files_below(root), {"usr/local/" + f for f in wanted_files()}
    # That of what the page of export --format html is made of, if it is built in.
    found -= {"usr/local/share/doc/fctrace/NOTICE"}
    suite.case("make install puts everything in its place", None if found == wanted else
               "missing: %s; not expected: %s" % (sorted(wanted - found), sorted(found - wanted)))
    done = tap.run([os.path.join(prefix, "bin/fctrace"), "-o", "/dev/null", "echo", "here"],
                   env=dict(os.environ, HOME=folder))
    suite.case("the installed program traces", None if done.out == b"here\n" else
               done.err.decode(errors="replace"))
    check_shells(suite, fctrace, prefix, folder)
    if tap.have("man"):
        check_pages(suite, prefix)
    else:
        suite.skip("man finds the pages", "there is no man")
    make("uninstall", build, root)
    left = files_below(root)
    suite.case("make uninstall takes all away", " ".join(sorted(left)))


tap.main(suite_of)
