# SPDX-License-Identifier: Apache-2.0
"""The page's data, by Python's own parsers of HTML and JSON; tests/show/export/html looks at it in a browser."""
import collections
import html.parser
import json

from sums import Sum


class Page(html.parser.HTMLParser):
    """Finds the script that is the data."""

    def __init__(self):
        super().__init__()
        self.is_data, self.data, self.links = False, "", []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.is_data = tag == "script" and attrs.get("id") == "data"
        self.links += [attrs[name] for name in ("src", "href") if attrs.get(name)]

    def handle_endtag(self, tag):
        self.is_data = False

    def handle_data(self, data):
        if self.is_data:
            self.data += data


def parse(path):
    page = Page()
    with open(path, encoding="utf-8") as f:
        page.feed(f.read())
    return page, json.loads(page.data)


def read(path):
    """The table."""
    sums = collections.defaultdict(Sum)
    for name, _, calls, _, total, self_ns, *_ in parse(path)[1]["functions"]:
        sums[name].add(calls, self_ns, total)
    return dict(sums)


def name_of(data, number):
    return data["functions"][number][0] if number >= 0 else data["words"][-1 - number]


def sums_of_tree(data):
    """The flame graph."""
    sums = collections.defaultdict(Sum)
    for i in range(0, len(data["tree"]), 5):
        _, name, calls, _, self_ns = data["tree"][i:i + 5]
        sums[name_of(data, name)].add(calls, self_ns)
    return sums


def why_tree_differs(export, data):
    wanted, got = export.report(), sums_of_tree(data)
    if got["[other]"].calls:
        # Not all stacks are in the page: then the sums of all functions have to do.
        if sum(s.calls for s in got.values()) == sum(s.calls for s in wanted.values()):
            return None
        return "other numbers of calls"
    return "\n".join("%s: %s, report says %s" % (f, got[f], s) for f, s in wanted.items()
                     if not got[f].agrees(s))


def spans_of(level):
    """(begin, length, name, calls) each."""
    at, i = 0, 0
    while i < len(level):
        gap, length, name, calls = level[i:i + 4]
        yield at + gap, length, name, calls
        at += gap + length
        i += 4 + (calls > 1)
        i += i < len(level) and isinstance(level[i], str)  # what was given and returned


def why_tracks_differ(export, data):
    """All calls are in one of the spans, or said not to be; and these do not overlap."""
    inside = 0
    for track in data["tracks"]:
        for level in track["levels"]:
            end = 0
            for begin, length, name, calls in spans_of(level):
                # Ticks become nanoseconds by themselves: one may be missing.
                if begin < end - 1:
                    return "thread %d: %s begins at %d, before %d" % (
                        track["tid"], name_of(data, name), begin, end)
                inside += calls
                end = begin + length
    wanted = sum(s.calls for s in export.report().values())
    told = sum(track["calls"] for track in data["tracks"]) + data["elsewhere_calls"]
    if told != wanted:
        return "%d calls, report says %d" % (told, wanted)
    # Calls that a child inherited are drawn, and not counted.
    if inside + data["deeper_calls"] + data["elsewhere_calls"] < wanted:
        return "%d of %d calls are drawn, %d are too deep" % (inside, wanted, data["deeper_calls"])
    return None


def checks(export):
    page, data = parse(export.to("html"))
    yield "its flame graph has report's totals", why_tree_differs(export, data)
    yield "its time line has all calls", why_tracks_differ(export, data)
    yield "no call is said to be left out", data["told"] < data["calls"] and \
        "%d of %d" % (data["told"], data["calls"])
    links = [link for link in page.links if not link.startswith(("#", "data:"))]
    yield "it needs no other file", links and "it names %s" % links
