# SPDX-License-Identifier: Apache-2.0
"""OpenTelemetry's spans, as protobuf's own reader of JSON takes them by a schema of ours with the published numbers."""
import collections
import importlib.util
import json
import os
import subprocess
import tempfile

from sums import Sum

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
loaded = []


def schema():
    """What protoc makes of it."""
    if not loaded:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["protoc", "-I" + FOLDER, "--python_out=" + folder, os.path.join(FOLDER, "otlp.proto")], check=True)
            spec = importlib.util.spec_from_file_location("otlp_pb2", os.path.join(folder, "otlp_pb2.py"))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            loaded.append(module)
    return loaded[0]


def value_of(value):
    return getattr(value, value.WhichOneof("value"))


def attributes_of(message):
    ret = {one.key: value_of(one.value) for one in message.attributes}
    if len(ret) != len(message.attributes):
        raise ValueError("a key comes twice: %s" % message)
    return ret


def spans(path):
    """Each with its resource's attributes and its own."""
    from google.protobuf import json_format
    with open(path, encoding="utf-8") as f:
        for line in f:
            data = json_format.Parse(line, schema().TracesData())
            for of_resource in data.resource_spans:
                resource = attributes_of(of_resource.resource)
                for scope in of_resource.scope_spans:
                    if scope.scope.name != "fctrace" or not 0 < len(scope.spans) <= 2000:
                        raise ValueError("%s: %d spans" % (scope.scope, len(scope.spans)))
                    for span in scope.spans:
                        yield resource, span, attributes_of(span)


def read(path):
    sums = collections.defaultdict(Sum)
    for _, span, attributes in spans(path):
        sums[span.name].add(int(attributes.get("fctrace.entered", True)), attributes.get("fctrace.self_ns", 0), None)
    return dict(sums)


def is_id(text, size):
    return len(text) == size and set(text) <= set("0123456789abcdef") and int(text, 16) != 0


def check_trees(found):
    """Each span has an id of its own; its parent is in the same trace, process and thread, and lasts as long."""
    by_id = {span.span_id: (resource, span, attributes) for resource, span, attributes in found}
    roots = collections.Counter()
    if len(by_id) != len(found):
        return "%d ids of %d spans" % (len(by_id), len(found))
    for resource, span, attributes in found:
        if not is_id(span.trace_id, 32) or not is_id(span.span_id, 16):
            return "ids: %s" % span
        if not span.parent_span_id:
            roots[span.trace_id] += 1
            continue
        of_parent, parent, own = by_id[span.parent_span_id]
        if (parent.trace_id, of_parent, own["thread.id"]) != (span.trace_id, resource, attributes["thread.id"]):
            return "its parent is another's: %s %s" % (span, parent)
        if not parent.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano <= parent.end_time_unix_nano:
            return "it is not within its parent: %s %s" % (span, parent)
    if set(roots.values()) != {1} or {span.trace_id for _, span, _ in found} != set(roots):
        return "roots: %s" % roots
    return None


def check_values(found, lines):
    """Arguments, results and failures are those of JSON lines."""
    told = collections.Counter((span.name, attributes.get("fctrace.args"), attributes.get("fctrace.result") is not None)
                               for _, span, attributes in found)
    wanted = collections.Counter((line["name"], line.get("args"), "result" in line) for line in lines if line["type"] == "call")
    if told != wanted:
        return "%s, and not %s" % (list((told - wanted).items())[:3], list((wanted - told).items())[:3])
    for _, span, attributes in found:
        if span.HasField("status") and (span.status.code != schema().Status.STATUS_CODE_ERROR or
                                        span.status.message != attributes["fctrace.result"]):
            return "status: %s" % span
        if str(attributes.get("fctrace.result", "")).startswith("-1 E") and not span.HasField("status"):
            return "failed: %s" % span
    return None


def check_times(found, lines):
    """They are of the day: as long behind the first span as in JSON lines."""
    begins = sorted(line["begin_ns"] for line in lines if line["type"] == "call" and "begin_ns" in line)
    starts = sorted(span.start_time_unix_nano for _, span, _ in found)
    if len(begins) == len(starts) and [n - begins[0] for n in begins] != [n - starts[0] for n in starts]:
        return "they begin at other times"
    return None if 1600000000 < starts[0] / 1e9 < 4000000000 else "not of this time: %d" % starts[0]


def checks(export):
    found = list(spans(export.to("otlp")))
    with open(export.to("jsonl"), encoding="utf-8") as f:
        lines = [json.loads(line) for line in f]
    services = {resource["service.name"] for resource, _, _ in found}
    yield "otlp: the spans of a trace are a tree", check_trees(found)
    yield "otlp: values and failures", check_values(found, lines)
    yield "otlp: times", check_times(found, lines)
    yield "otlp: a service for each program", None if export.program.split("/")[-1] in services else str(services)
