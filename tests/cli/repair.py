#!/usr/bin/env python3
"""`tracetty repair`: for every damaged file that opens, the output is valid JSON with the same events and nothing left
to repair.

Environment BIN. One line "ok" or "FAIL" for each file.
"""
import concurrent.futures
import gzip
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.environ.get("BIN", "./tracetty")
# faults that a repair leaves: it mends text, not facts
FACTS = {"bad_time", "bad_duration", "no_timestamp", "unmatched_begin", "unmatched_end", "too_many_categories", "bad_number", "unknown_phase",
         "duplicate_key", "overrunning_duration", "crossing_slices", "unlinked_device_work", "before_launch"}


def run(*args):
    return subprocess.run([BIN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def facts(path):
    p = run("summary", "--format", "json", "--table", "operators,kernels", path)
    if p.returncode:
        return None, None
    doc = json.loads(p.stdout)
    return doc["source"]["events"], doc


def rows(doc):
    """The rows of all tables; a run of invalid UTF-8 counts as one character."""
    return re.sub("\ufffd+", "\ufffd", json.dumps([t["rows"] for t in doc["tables"]], ensure_ascii=False))


def refuse(constant):
    raise ValueError("bare " + constant)


def once(pairs):
    """Refuse repeated keys: the readers of HTA and the plugin take the last one, others refuse them."""
    keys = [k for k, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("keys twice: %s" % sorted({k for k in keys if keys.count(k) > 1}))
    return dict(pairs)


def strict(path):
    """The rules of other readers: JSON; ts and dur are finite numbers wherever they occur; every slice has a dur of at
    least 0."""
    with open(path, "rb") as f:
        doc = json.loads(f.read().decode("utf-8"), parse_constant=refuse, object_pairs_hook=once)
    wrong = []
    for e in doc["traceEvents"]:
        for key in ("ts", "dur"):
            v = e.get(key, 0)
            if isinstance(v, bool) or not isinstance(v, (int, float)) or not math.isfinite(v):
                wrong.append("%s is %r" % (key, v))
        if e.get("ph") == "X" and not ("ts" in e and isinstance(e.get("dur"), (int, float)) and e["dur"] >= 0):
            wrong.append("slice with dur %r" % e.get("dur"))
    return doc, wrong[:3]


REFUSED = """{"schemaVersion": 1, "a": 1, "a": {"x": 1, "y": 2, "x": 3}, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "text", "pid": 1, "tid": 1, "ts": "1712195495519689.047", "dur": " 4.5 "},
{"ph": "X", "cat": "cpu_op", "name": "plus", "pid": 1, "tid": 1, "ts": +1712195495519700.125, "dur": 007.5},
{"ph": "X", "cat": "cpu_op", "name": "missing", "pid": 1, "tid": 1, "ts": 1712195495519701.5},
{"ph": "X", "cat": "cpu_op", "name": "null", "pid": 1, "tid": 1, "ts": 1712195495519702, "dur": null},
{"ph": "X", "cat": "cpu_op", "name": "nan", "pid": 1, "tid": 1, "ts": 1712195495519703, "dur": nan},
{"ph": "X", "cat": "cpu_op", "name": "negative", "pid": 1, "tid": 1, "ts": 1712195495519704, "dur": -3},
{"ph": "X", "cat": "cpu_op", "name": "negative text", "pid": 1, "tid": 1, "ts": 1712195495519705, "dur": "-3"},
{"ph": "X", "cat": "cpu_op", "name": "word", "pid": 1, "tid": 1, "ts": 1712195495519706, "dur": "long"},
{"ph": "X", "cat": "cpu_op", "name": "huge", "pid": 1, "tid": 1, "ts": 1712195495519707, "dur": 1e999},
{"ph": "X", "cat": "cpu_op", "name": "twice", "pid": 1, "tid": 1, "ts": 3, "ts": 1712195495519708, "dur": 1, "dur": 2,
 "args": {"k": 1, "n": {"z": 1, "z": 2}, "\\u006b": 3}},
{"ph": "M", "name": "process_name", "pid": 1, "ts": "none", "args": {"name": "p"}},
{"ph": "i", "name": "mark", "pid": 1, "tid": 1, "ts": "1712195495519709", "dur": null}],
"b": 1, "b": 2}
"""


def refused(folder):
    path, new = os.path.join(folder, "refused.json"), os.path.join(folder, "accepted.json")
    with open(path, "w") as f:
        f.write(REFUSED)
    p = run("repair", path, "-o", new)
    if p.returncode:
        return [p.stderr.decode()]
    try:
        doc, wrong = strict(new)
    except ValueError as e:
        return ["no JSON: %s" % e]
    text = open(new).read()
    by = {e["name"]: e for e in doc["traceEvents"]}
    if '"ts": 1712195495519689.047' not in text or by["text"]["dur"] != 4.5 or '1712195495519700.125' not in text or by["plus"]["dur"] != 7.5:
        wrong.append("numbers: %s %s" % (by["text"], by["plus"]))
    wrong += ["%s: dur %r" % (n, by[n]["dur"]) for n in ("missing", "null", "nan", "negative", "negative text", "word", "huge")
              if by[n]["dur"] != 0]
    twice = by["twice"]
    if (twice["ts"], twice["dur"], twice["args"]) != (1712195495519708, 2, {"n": {"z": 2}, "k": 3}):
        wrong.append("the last does not stay: %s" % twice)
    if doc["a"] != {"y": 2, "x": 3} or doc["b"] != 2 or "ts" in by["process_name"] or by["mark"]["ts"] != 1712195495519709:
        wrong.append("members: %s" % text[:200])
    for word in (b"times as text", b"without a usable duration", b"keys that came twice"):
        if word not in p.stderr:
            wrong.append("not told: %s" % word)
    if rows(facts(path)[1]) != rows(facts(new)[1]):
        wrong.append("the tables differ")
    return wrong


def check(folder, entry, number):
    path, new = os.path.join(folder, "broken", entry["file"]), os.path.join(folder, "%d.json" % number)
    events, before = facts(path)
    p = run("repair", path, "-o", new)
    if events is None or not before:
        return [] if p.returncode == 3 and not os.path.exists(new) else ["status %d for what is no trace" % p.returncode]
    if len(before["source"]["workers"]) > 1:
        return [] if p.returncode == 2 and b"name one of them" in p.stderr else ["status %d for several traces" % p.returncode]
    if p.returncode:
        return ["status %d: %s" % (p.returncode, p.stderr.decode("utf-8", "replace"))]
    try:
        doc, wrong = strict(new)
    except (ValueError, UnicodeDecodeError) as e:
        return ["no JSON: %s" % e]
    written = sum(1 for e in doc["traceEvents"] if isinstance(e.get("ph"), str))
    if written != events:
        wrong.append("%d events, %d were understood" % (written, events))
    again, after = facts(new)
    if again != events:
        wrong.append("opened again: %s events, expected %d" % (again, events))
    elif rows(after) != rows(before):
        wrong.append("the tables differ")
    left = [q["kind"] for q in after["problems"] if q["kind"] not in FACTS] if after else []
    if left:
        wrong.append("still there: %s" % left)
    return wrong


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(HERE, "..", "tools", "make_broken.py"), folder], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "broken.json"), encoding="utf-8") as f:
            entries = json.load(f)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for entry, wrong in zip(entries, pool.map(lambda e: check(folder, e[1], e[0]), enumerate(entries))):
                failed += bool(wrong)
                print("%s repair %s%s" % ("FAIL" if wrong else "ok", ascii(entry["file"])[1:-1], "".join("\n    " + w for w in wrong)))
        wrong = refused(folder)
        failed += bool(wrong)
        print("%s repair for strict readers%s" % ("FAIL" if wrong else "ok", "".join("\n    " + w for w in wrong)))
        good = os.path.join(folder, "broken", "two_lists_inside.json")
        p = run("repair", good, "-o", os.path.join(folder, "x.json.gz"))
        packed = json.loads(gzip.open(os.path.join(folder, "x.json.gz")).read())
        print("%s repair into gzip" % ("ok" if p.returncode == 0 and len(packed["traceEvents"]) == 25 else "FAIL"))
        same = run("repair", good, "-o", good).returncode
        print("%s repair onto itself is refused" % ("ok" if same == 2 else "FAIL"))
        print("%s repair into a folder that is not there" % ("ok" if run("repair", good, "-o", folder + "/no/x.json").returncode == 3 else "FAIL"))
        with open("/dev/full", "wb") as f:
            full = subprocess.run([BIN, "repair", good, "-o", "-"], stdout=f, stderr=subprocess.PIPE)
        print("%s repair onto a full disk" % ("ok" if full.returncode == 3 and b"space" in full.stderr else "FAIL %d %r" % (full.returncode, full.stderr)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
