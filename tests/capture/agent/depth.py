#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The agent fits into the room that it asks for on a stack (FCA_ROOM of capture/agent/abi.h).

A door looks for so much room on the program's stack, else it goes to a page of the agent's own. What the C
code behind each door can take is counted in the machine code of each build: frames along the deepest
chain of calls. --objects: folders of builds.
"""
import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
import tap  # noqa: E402

ELF = "src/capture/agent/agent.elf"
# Called through a pointer: who calls, and what.
POINTERS = {"rewind_stubs": "unwinding_begin_of"}
ALIGNED = 16  # by a door, before it calls


def number(name):
    with open(os.path.join(tap.TOP, "src/capture/agent/abi.h"), encoding="utf-8") as f:
        text = f.read()
    value = re.search(r"#define %s\s+(\w+)" % name, text)[1]
    return int(value) if value.isdigit() else number(value)


class Code:
    """Of each function: bytes of its frame, and whom it calls or jumps to."""

    def __init__(self, elf):
        self.frames, self.calls = collections.Counter(), collections.defaultdict(dict)
        self.known = {}
        listing = tap.texts_of(["objdump", "-d", "--no-show-raw-insn", elf])[0]
        name = None
        for line in listing.splitlines():
            begins = re.match(r"[0-9a-f]+ <(.+)>:$", line)
            insn = re.match(r"\s*[0-9a-f]+:\s+(\S+)\s*(.*)", line)
            if begins:
                name = begins[1]
            elif insn and name:
                self.add(name, insn[1], insn[2])

    def add(self, name, op, args):
        grows = re.match(r"\$0x([0-9a-f]+),%rsp$", args)
        lea = re.match(r"-0x([0-9a-f]+)\(%rsp\),%rsp$", args)
        to = re.search(r"<([^>+]+)>$", args)
        if op.startswith("push"):
            self.frames[name] += 8
        elif op.startswith("sub") and grows:
            self.frames[name] += int(grows[1], 16)
        elif op.startswith("add") and grows and int(grows[1], 16) >> 63:
            self.frames[name] += 2**64 - int(grows[1], 16)
        elif op == "lea" and lea:
            self.frames[name] += int(lea[1], 16)
        is_call = op.startswith("call")
        if is_call and not to:
            if name not in POINTERS:
                raise tap.Wrong("%s calls %s: through which pointers is not known" % (name, args))
            self.calls[name][POINTERS[name]] = True
        elif to and to[1] != name and (is_call or op.startswith("j")):
            self.calls[name][to[1]] = self.calls[name].get(to[1], False) or is_call

    def deepest(self, name, path=()):
        """Bytes below the stack pointer with which it begins, and the chain that takes them."""
        if name in path:
            raise tap.Wrong("it calls itself: " + " ".join(path + (name,)))
        if name not in self.known:
            most, chain = self.frames[name], ()
            for to, is_call in self.calls[name].items():
                below, its = self.deepest(to, path + (name,))
                below += self.frames[name] + 8 if is_call else 0
                if below > most:
                    most, chain = below, its
            self.known[name] = most, (name,) + chain
        return self.known[name]


def fits(elf):
    code = Code(elf)
    # From where a door has seen that there is room.
    doors = [name for name in list(code.calls) if re.match(r"agent_on_\w+_here$", name)]
    if len(doors) < 5:
        return "doors: %s" % doors
    most, chain = max(code.deepest(door) for door in doors)
    print("# %s: %d of %d bytes" % (os.path.dirname(elf), most + ALIGNED, number("FCA_ROOM")))
    if most + ALIGNED > number("FCA_ROOM"):
        return "%d bytes: %s" % (most + ALIGNED,
                                 ", ".join("%s %d" % (f, code.frames[f]) for f in chain))
    return None


def own_stack_is_larger():
    """What does not fit into the program's stack fits into the agent's: with what a door keeps there."""
    room, size = number("FCA_ROOM"), number("FCA_STACK_SIZE")
    return None if room + 64 <= size else "%d of %d" % (room, size)


def suite_of(suite):
    for folder in suite.args.objects:
        suite.run("the agent fits into its room, " + os.path.basename(folder), fits,
                  os.path.join(folder, ELF))
    suite.run("its own stacks have as much", own_stack_is_larger)


if __name__ == "__main__":
    tap.main(suite_of, objects={"nargs": "+", "required": True, "type": os.path.abspath,
                                "help": "folders of builds"})
