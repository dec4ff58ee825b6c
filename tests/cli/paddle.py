#!/usr/bin/env python3
"""Paddle's traces: the JSON and the dump of one run give the same tables, however large start_time is; the printed
layout is Paddle's; files that VisualDL refuses are opened, with their problems counted; a dump cut anywhere keeps its
complete events."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SAMPLE = os.path.join(TOP, "assets", "sample_paddle")
STEM = "host_node1pid_4321_time_2024_05_06_07_08_09_000123.paddle_trace."
failed = []


def report(what, why=None):
    print("ok " + what if not why else "FAIL %s: %s" % (what, why))


def run(*args):
    p = subprocess.run([BIN, *args], capture_output=True, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout.decode("utf-8"), p.stderr.decode("utf-8", "replace")


def document(path, tables, *options):
    status, out, err = run("summary", "--format", "json", "--table", tables, *options, path)
    return json.loads(out) if status == 0 else {"tables": [], "error": "status %d: %s" % (status, err[-200:])}


def rows(doc, table):
    return next((t["rows"] for t in doc["tables"] if t["id"] == table), [])


# ---- the two files of one run

# Not memory: it is attributed by time, and the JSON rounds times to microseconds; nor tables in which an instant counts
# for one of several overlapping roles.
COMPARED = ("devices,operators,operator_tree,kernels,runtime_api,memcpy,user_ranges,event_types,stages,stages_by_step,distribution,"
            "throughput,comm_steps")


def same(a, b, slack):
    """The first difference between the tables of two documents."""
    for t in a["tables"]:
        if t["id"] not in COMPARED.split(","):
            continue
        text = [c["key"] for c in t["columns"] if c["type"] == "string"]
        key = lambda r: tuple(str(r[k]) for k in text)
        mine, other = collections.defaultdict(list), collections.defaultdict(list)
        for r in t["rows"]:
            mine[key(r)].append(r)
        for r in rows(b, t["id"]):
            other[key(r)].append(r)
        if set(mine) != set(other):
            return "%s: rows %s" % (t["id"], sorted(set(mine) ^ set(other))[:2])
        for k in mine:
            if len(mine[k]) != len(other[k]):
                return "%s: %s occurs %d and %d times" % (t["id"], k, len(mine[k]), len(other[k]))
            for x, y in zip(mine[k], other[k]):
                for c in x:
                    why = differs(c, x[c], y[c], slack)
                    if why:
                        return "%s %s %s" % (t["id"], k[:2], why)
    return None


def differs(column, x, y, slack):
    if x == y:
        return None
    if isinstance(x, (int, float)) and isinstance(y, (int, float)) and not isinstance(x, bool):
        most = slack if column.endswith("_ns") else 0.02 + slack / 5000 if column.endswith("_pct") else 0.01 * abs(x)
        if column in ("calls", "depth"):
            most = 0
        if abs(x - y) <= most:
            return None
    return "%s: %s and %s" % (column, x, y)


def compare_files(tmp):
    cases = [("from the start", [], 60), ("far from the start", ["--offset", "3", "--steps", "6"], 1500),
             ("as far as 32 bits go", ["--offset", "8.388"], 5000), ("farther", ["--offset", "70", "--steps", "6"], 5000),
             ("schema 1.0.0", ["--schema", "1.0.0"], 60), ("schema 1.0.1", ["--schema", "1.0.1"], 60), ("a CPU build", ["--cpu"], 60),
             ("another run", ["--seed", "11", "--steps", "5"], 60)]
    for name, options, slack in cases:
        d = os.path.join(tmp, name.replace(" ", "_"))
        subprocess.run([sys.executable, os.path.join(TOP, "tests", "tools", "make_paddle.py"), d, *options], check=True)
        a, b = (document(os.path.join(d, STEM + kind), COMPARED + ",memory_names,memory_devices") for kind in ("json", "pb"))
        why = a.get("error") or b.get("error") or same(a, b, slack)
        for doc in (a, b):
            if not why and doc["source"]["format"] != "paddle":
                why = "format " + doc["source"]["format"]
        report("JSON and dump agree, " + name, why)
        memory = [[r["increase_bytes"] for r in rows(x, "memory_names")] for x in (a, b)]
        if memory[0] or memory[1]:
            peak = [[r["peak_allocated_bytes"] for r in rows(x, "memory_devices")] for x in (a, b)]
            why = None if sum(memory[0]) == sum(memory[1]) and peak[0] == peak[1] else "%s %s" % (memory, peak)
            report("memory agrees, " + name, why)


def arguments():
    """The explorer shows the members of an event from either file."""
    for kind, words in (("json", ["registers", "122"]), ("pb", ["registers per thread", "122"])):
        p = subprocess.run([BIN, "--dump", "200x60", "--screen", "trace", "--keys", "g Enter", os.path.join(SAMPLE, STEM + kind)],
                           capture_output=True, stdin=subprocess.DEVNULL)
        report("the explorer opens the %s" % kind, None if p.returncode == 0 and p.stdout else p.stderr.decode()[-200:])


def parts():
    """A part of an operator counts for the operator, because no operator of the sample calls another."""
    doc = document(os.path.join(SAMPLE, STEM + "pb"), "operators,memory_events,memory_operators")
    wrong = [r["name"] for r in rows(doc, "operators") if r["device_self_ns"] != r["device_total_ns"] or not r["device_total_ns"]]
    wrong += [r["kind"] for r in rows(doc, "memory_events") if not r["operator"]]
    wrong += [r["name"] for r in rows(doc, "memory_operators") if r["self_allocation_bytes"] != r["allocation_bytes"]]
    report("operators own what their parts do", str(wrong) if wrong else None)


# ---- the layout

def layout():
    dump = os.path.join(SAMPLE, STEM + "pb")
    status, out, err = run("summary", "--style", "paddle", dump)
    want = open(os.path.join(HERE, "paddle.txt")).read()
    why = None
    if status or err or out != want:
        got, expected = out.split("\n"), want.split("\n")
        at = next((i for i, (x, y) in enumerate(zip(got, expected)) if x != y), min(len(got), len(expected)))
        why = "status %d, line %d: %r, not %r" % (status, at + 1, got[at:at + 1], expected[at:at + 1])
    report("printed as Paddle does", why)
    units = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}
    step = rows(document(dump, "stages"), "stages")[0]["host_total_ns"]
    for unit, ns in units.items():
        _, out, _ = run("summary", "--style", "paddle", "--unit", unit, "--table", "distribution", dump)
        want = "ProfileStep" + " " * 16 + "%.2f" % (step / ns)
        report("time unit " + unit, None if "Time unit: %s\n" % unit in out and want in out else out[:300])
    for key, up in (("host_total_ns", False), ("host_mean_ns", False), ("host_max_ns", False), ("host_min_ns", True),
                    ("device_total_ns", False), ("device_mean_ns", False), ("device_max_ns", False), ("device_min_ns", True)):
        _, out, _ = run("summary", "--style", "paddle", "--table", "operators", "--sort", key, dump)
        names = re.findall(r"^(\w[^-\n]*?)  +\d+ +\d+\.\d\d / ", out, re.M)
        values = {r["name"]: r[key] for r in rows(document(dump, "operators"), "operators")}
        order = [values[n] for n in names]
        report("sorted by " + key, None if len(order) == len(values) and order == sorted(order, reverse=not up) else str(names))
    _, out, _ = run("summary", "--style", "paddle", "--thread-sep", "--table", "operators,user_ranges", dump)
    report("one part per thread", None if out.count("Thread: 4321") == 2 and "merged" not in out else out[:200])
    status, _, err = run("summary", "--style", "paddle", "--format", "json", dump)
    report("a style is for text", None if status == 2 and "--style" in err else err)


# ---- files that VisualDL refuses

def damaged(tmp):
    text = open(os.path.join(SAMPLE, STEM + "json")).read()
    events = document(os.path.join(SAMPLE, STEM + "json"), "stages")["source"]["events"]
    # case, text, events lost, problems, steps
    cases = [
        ("no span_indx", text.replace('"span_indx": "1",', ""), 0, {}, 3),
        ("no ExtraInfo", text[:text.index('"ExtraInfo"')], 0, {"truncated"}, 3),
        ("cut off", text[:len(text) // 2], events // 2 + 60, {"truncated"}, 3),
        ("no kernels", text.replace('"cat": "Kernel"', '"cat": "Memcpy"'), 0, {}, 3),
        ("no steps", text.replace('"cat": "ProfileStep"', '"cat": "PythonUserDefined"'), 0, {}, 0),
        ("steps without #", re.sub(r"ProfileStep#(\d+)", r"Step \1", text), 0, {}, 3),
        ("a line break in a name", text.replace('"augment[', '"aug\nment['), 0, {"control_in_string"}, 3),
        ("a quote in a name", text.replace('"augment[', '"load "train" shard['), 0, {"unescaped_quote"}, 3),
        ("a backslash in a name", text.replace('"augment[', '"C:\\data\\x['), 0, {"bad_escape"}, 3),
        ("nothing at time 0", text.replace('"start_time": "0.000 us"', '"start_time": "0.250 us"'), 0, {}, 3),
        ("another device", text.replace("CudaRuntime", "MluRuntime"), 0, {}, 3),
        ("written again by a program", json.dumps(json.loads(text)), 0, {}, 3),
        ("with sorted keys", json.dumps(json.loads(text), sort_keys=True), 0, {}, 3),
    ]
    for name, bad, lost, problems, steps in cases:
        path = os.path.join(tmp, "bad.json")
        with open(path, "w") as f:
            f.write(bad)
        doc = document(path, "stages,operators")
        why = doc.get("error")
        if not why:
            found = {p["kind"] for p in doc["problems"]}
            number = next((r["calls"] for r in rows(doc, "stages") if r["stage"] == "ProfileStep"), 0)
            kernels = sum(r["device_total_ns"] or 0 for r in rows(doc, "operators"))
            if doc["source"]["format"] != "paddle":
                why = "format " + doc["source"]["format"]
            elif doc["source"]["events"] < events - lost:
                why = "%d of %d events" % (doc["source"]["events"], events)
            elif found != set(problems):
                why = "problems %s" % sorted(found)
            elif number != steps:
                why = "%d steps" % number
            elif not kernels:
                why = "no device time"
        report("opens: " + name, why)
    names = {r["name"] for r in rows(document(os.path.join(SAMPLE, STEM + "json"), "user_ranges"), "user_ranges")}
    report("names without their duration", None if names == {"augment"} else str(names))


def cut_dumps(tmp):
    whole = open(os.path.join(SAMPLE, STEM + "pb"), "rb").read()
    path = os.path.join(tmp, "cut.pb")
    last, why = 0, None
    for n in list(range(len(whole) - 1, 40, -997)):
        with open(path, "wb") as f:
            f.write(whole[:n])
        doc = document(path, "stages")
        if doc.get("error"):
            why = None if "status 3" in doc["error"] and n < 400 else "%d bytes: %s" % (n, doc["error"])
        else:
            events = doc["source"]["events"]
            if last and events > last:
                why = "%d bytes: more events than with more bytes" % n
            if {p["kind"] for p in doc["problems"]} - {"unlinked_device_work"} != {"truncated"} and n < len(whole) - 200:
                why = "%d bytes: problems %s" % (n, doc["problems"])
            last = events
        if why:
            break
    report("a dump cut off anywhere", why)
    for seed in range(40):
        bad = bytearray(whole)
        for k in range(12):
            at = (seed * 7919 + k * 104729) % len(bad)
            bad[at] ^= 1 << (seed + k) % 8
        with open(path, "wb") as f:
            f.write(bad)
        status, out, err = run("summary", "--format", "json", "--table", "all", path)
        if status not in (0, 3) or (status == 0 and not json.loads(out)):
            why = "seed %d: status %d: %s" % (seed, status, err[-200:])
            break
    report("a dump with flipped bits", why)


def spans(tmp):
    d = os.path.join(tmp, "spans")
    os.makedirs(d)
    text = open(os.path.join(SAMPLE, STEM + "json")).read()
    for i, span in enumerate(("4", "7")):
        with open(os.path.join(d, "w0_time_2024_0%d.paddle_trace.json" % i), "w") as f:
            f.write(text.replace('"span_indx": "1"', '"span_indx": "%s"' % span))
    doc = document(d, "stages")
    report("spans are numbered by the files", None if doc["source"]["spans"] == ["4", "7"] else str(doc.get("source")))
    doc = document(d, "stages", "--span", "7")
    report("a span is chosen by its number", None if doc.get("source", {}).get("spans") == ["7"] else str(doc)[:200])


with tempfile.TemporaryDirectory() as tmp:
    d = os.path.join(tmp, "sample")
    subprocess.run([sys.executable, os.path.join(TOP, "tests", "tools", "make_paddle.py"), d], check=True)
    for kind in ("json", "pb"):
        same_bytes = open(os.path.join(d, STEM + kind), "rb").read() == open(os.path.join(SAMPLE, STEM + kind), "rb").read()
        report("generated sample " + kind, None if same_bytes else "make samples writes something else")
    compare_files(tmp)
    arguments()
    parts()
    layout()
    damaged(tmp)
    cut_dumps(tmp)
    spans(tmp)
