# SPDX-License-Identifier: Apache-2.0
"""shells.py - shells that are asked what they would offer for a line that is typed.

Each has offers(line) -> the set of words, by the shell's own completion: bash and zsh in a
terminal, where the line is typed and tab is pressed; fish tells it by itself.
"""
import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import termios
import time

import tap

LIMIT_S = tap.PATIENCE_S


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, argv, cwd, env):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.chdir(cwd)
            os.execvpe(argv[0], argv, env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.seen = b""

    def type(self, text):
        os.write(self.fd, text.encode())

    def read_until(self, is_done, what):
        """Read what it writes, till is_done()."""
        end = time.monotonic() + LIMIT_S
        while not is_done():
            if time.monotonic() > end:
                raise RuntimeError("%s: not within %d s; it wrote %r" % (
                    what, LIMIT_S, self.seen[-400:]))
            if select.select([self.fd], [], [], 0.02)[0]:
                try:
                    self.seen += os.read(self.fd, 65536)
                except OSError as err:
                    raise RuntimeError("%s: the shell is gone: %r" % (
                        what, self.seen[-400:])) from err

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


class TerminalShell:
    """A shell that is typed to. Its set-up writes what is offered to the file `offered`, and
    the word "end" to the file `ended` when all was."""

    argv, suffix, setup = None, None, None

    def __init__(self, fctrace, folder, env):
        self.folder = os.path.join(folder, ".shell")
        os.makedirs(self.folder, exist_ok=True)
        script = os.path.join(self.folder, self.suffix)
        with open(script, "wb") as f:
            f.write(subprocess.run([fctrace, "completion", self.argv[0]], check=True,
                                   stdout=subprocess.PIPE).stdout)
        rc = os.path.join(self.folder, self.rc)
        with open(rc, "w") as f:
            f.write(self.setup.replace("DIR", self.folder).replace("SCRIPT", script))
        argv = [a.replace("RC", rc) for a in self.argv]
        env = dict(env, ZDOTDIR=self.folder, TERM="dumb", PS1="ready> ")
        self.terminal = Terminal(argv, folder, env)
        self.terminal.read_until(lambda: self.exists("ready"), "%s starts" % self.argv[0])

    def path(self, name):
        return os.path.join(self.folder, name)

    def exists(self, name):
        return os.path.exists(self.path(name))

    def offers(self, line):
        for name in ("offered", "ended"):
            if self.exists(name):
                os.unlink(self.path(name))
        self.terminal.type("\x15" + line + "\t")
        self.terminal.read_until(lambda: self.exists("ended"), line)
        if not self.exists("offered"):
            return set()
        with open(self.path("offered"), errors="replace") as f:
            return {word.rstrip(" \n") for word in f if word.strip()}

    def close(self):
        self.terminal.close()


class Bash(TerminalShell):
    argv, suffix, rc = ["bash", "--noprofile", "--rcfile", "RC", "-i"], "fctrace.bash", "bashrc"
    setup = r"""
PS1='ready> '
. /usr/share/bash-completion/bash_completion
. SCRIPT
complete -W "alpha beta" hello
spy()
{
	_fctrace "$@"
	local status=$?
	((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}" >DIR/offered
	echo end >DIR/ended
	return $status
}
complete -F spy fctrace
echo >DIR/ready
"""


class Zsh(TerminalShell):
    argv, suffix, rc = ["zsh", "-i"], "_fctrace", ".zshrc"
    setup = r"""
unsetopt beep list_beep prompt_cr prompt_sp
fpath=(DIR $fpath)
autoload -Uz compinit && compinit -u -d DIR/dump
_hello() { compadd alpha beta }
compdef _hello hello
compadd()
{
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
		builtin compadd "$@"
		return
	fi
	local -a hits
	builtin compadd -A hits "$@"
	(( $#hits )) && print -rl -- $hits >>DIR/offered
	builtin compadd "$@"
}
spy()
{
	_main_complete
	compstate[insert]= compstate[list]=
	print end >DIR/ended
}
zle -C spy complete-word spy
bindkey -e
bindkey '^I' spy
print >DIR/ready
"""


class Fish:
    def __init__(self, fctrace, folder, env):
        self.folder = folder
        self.env = dict(env, HOME=os.path.join(folder, ".fish"))
        done = subprocess.run([fctrace, "completion", "fish"], check=True, stdout=subprocess.PIPE)
        self.script = os.path.join(folder, ".fctrace.fish")
        with open(self.script, "wb") as f:
            f.write(done.stdout)

    def offers(self, line):
        quoted = line.replace("\\", "\\\\").replace("'", "\\'")
        code = ("source %s; complete -c hello -x -a 'alpha beta'; complete -C '%s'" % (
            self.script, quoted))
        done = subprocess.run(["fish", "--no-config", "-c", code], cwd=self.folder, env=self.env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S)
        if done.stderr:
            raise RuntimeError("%s: fish says %r" % (line, done.stderr[:400]))
        words = {row.split("\t")[0] for row in done.stdout.decode(errors="replace").splitlines()}
        # fish tells all of --name=value, the others what they would add.
        before = line.rpartition(" ")[2].rpartition("=")[0] + "="
        return {word[len(before):] if word.startswith(before) else word for word in words}

    def close(self):
        shutil.rmtree(os.path.join(self.folder, ".fish"), ignore_errors=True)


SHELLS = {"bash": Bash, "zsh": Zsh, "fish": Fish}
