# SPDX-License-Identifier: Apache-2.0
"""Flame graphs, by a parser of XML: what stands in the frames, and how they lie."""
import collections
import xml.etree.ElementTree as ET

from sums import Sum

SVG = "{http://www.w3.org/2000/svg}"
ARGS = ["--min", "0"]  # nothing is left out


class Frame:
    def __init__(self, g):
        self.left, self.width, level = map(float, g.get("data-f").split())
        self.level = int(level)
        self.calls, self.total_ns, self.self_ns = map(int, g.get("data-v").split())
        self.name, self.module, self.details = g.find(SVG + "title").text.split("\n")
        self.is_sum = g.get("data-others") is not None
        self.parent = None
        self.children = []


def frames_of(path):
    """The root's attributes and the frames, as they lie above one another."""
    root = ET.parse(path).getroot()
    frames, stack = [], []
    for g in root.iter(SVG + "g"):
        if g.get("class") != "f":
            continue
        frame = Frame(g)
        del stack[frame.level:]
        if stack:
            frame.parent = stack[-1]
            frame.parent.children.append(frame)
        stack.append(frame)
        frames.append(frame)
    return root, frames


def is_within_itself(frame):
    outer = frame.parent
    while outer and (outer.level == 0 or outer.name != frame.name):
        outer = outer.parent
    return outer is not None


def read(path):
    sums = collections.defaultdict(Sum)
    for frame in frames_of(path)[1]:
        if frame.level and not frame.name.startswith("["):
            sums[frame.name].add(frame.calls, frame.self_ns,
                                 0 if is_within_itself(frame) else frame.total_ns, slack_ns=1)
    return dict(sums)


def whole(export, *args):
    """Of the picture as it is by default: the sums of all, and frames where they belong."""
    root, frames = frames_of(export.to("flamegraph", *args))
    report = export.report().values()
    calls, self_ns = int(root.get("data-calls")), int(root.get("data-self"))
    wanted_calls, wanted_ns = sum(s.calls for s in report), sum(s.self_ns for s in report)
    if calls != wanted_calls or abs(self_ns - wanted_ns) > len(report) + 1:
        return "%d calls, %d ns; report has %d calls, %d ns" % (calls, self_ns, wanted_calls,
                                                               wanted_ns)
    # What is left out and could be seen is drawn as a sum: less than that may be missing.
    narrowest = 0.1 / 1180 + 1e-8
    for frame in frames:
        own = frame.calls / calls if "--by-calls" in args else frame.self_ns / self_ns
        missing = frame.width - own - sum(child.width for child in frame.children)
        if not frame.is_sum and not -1e-6 < missing < narrowest + 1e-6:
            return "%s at level %d: %g of its width is nobody's" % (frame.name, frame.level,
                                                                    missing)
        for child in frame.children:
            if (child.left < frame.left - 1e-8 or
                    child.left + child.width > frame.left + frame.width + 1e-8):
                return "%s is not above %s" % (child.name, frame.name)
    return None


def checks(export):
    yield "what is drawn and what is summed is all there is", whole(export)
    yield "so it is by calls", whole(export, "--by-calls")
    yield "so it is by threads", whole(export, "--by-thread")
