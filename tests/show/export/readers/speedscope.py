# SPDX-License-Identifier: Apache-2.0
"""speedscope's own format: checked against its JSON schema, and loaded into its page."""
import collections
import json

import jsonschema

import nesting
import viewer
from sums import Sum

SCHEMA_EVENTS = 1000  # a profile; the rest is as the first


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def profile_sums(profile, sums, key_of):
    """key_of(frame): what the frames of one function have in common."""
    stack = nesting.Stack(profile["name"], sums)
    stack.at(profile["startValue"])
    for event in profile["events"]:
        take = stack.begin if event["type"] == "O" else stack.end
        take(key_of(event["frame"]), event["at"])
    stack.at(profile["endValue"])
    stack.finish()


def calls_and_sums(path):
    sums, whole = collections.defaultdict(Sum), load(path)
    frames = whole["shared"]["frames"]
    for profile in whole["profiles"]:
        profile_sums(profile, sums, lambda frame: frames[frame]["name"])
    return dict(sums)


def read(path):
    """Which calls are inherited ones, that count elsewhere, the format cannot tell."""
    return {name: Sum(None, s.self_ns, s.total_ns, s.slack_ns)
            for name, s in calls_and_sums(path).items()}


def fits_the_schema(export):
    whole = load(export.to("speedscope"))
    for profile in whole["profiles"]:
        del profile["events"][SCHEMA_EVENTS:]
    with open(viewer.schema(), encoding="utf-8") as f:
        schema = json.load(f)
    errors = jsonschema.Draft7Validator(schema).iter_errors(whole)
    return "\n".join(str(error)[:300] for error in list(errors)[:5])


def has_all_calls(export):
    """As many as CSV has lines of the function."""
    import csv
    with open(export.to("csv"), encoding="utf-8", newline="") as f:
        wanted = collections.Counter(row["name"] for row in csv.DictReader(f))
    got = {name: s.calls for name, s in calls_and_sums(export.to("speedscope")).items()}
    wrong = [(name, nr, got.get(name)) for name, nr in wanted.items() if got.get(name) != nr]
    return wrong and "csv's number, that here: %s" % wrong[:10]


def its_page_shows_it(export):
    path = export.to("speedscope")
    whole, shown = load(path), viewer.show(path)
    names = [profile["name"] for profile in whole["profiles"]]
    if shown.title not in names or whole["activeProfileIndex"] != names.index(shown.title):
        return "shows %s first" % shown.title
    sums, by_name = collections.defaultdict(Sum), collections.defaultdict(list)
    profile_sums(whole["profiles"][whole["activeProfileIndex"]], sums, lambda frame: frame)
    for frame, of_frame in sums.items():
        by_name[whole["shared"]["frames"][frame]["name"]].append(of_frame)
    return viewer.differs(shown, by_name)


def checks(export):
    return [("its schema", fits_the_schema(export)),
            ("all calls are there", has_all_calls(export)),
            ("its page shows the busiest thread", its_page_shows_it(export))]
