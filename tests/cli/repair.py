#!/usr/bin/env python3
"""`tracetty repair`: for every damaged file that opens, the output is valid JSON, has the same events, and nothing left to repair.

Environment BIN. One line "ok" or "FAIL" for each file.
"""
import concurrent.futures
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.environ.get("BIN", "./tracetty")
# what a repair leaves as it is: it mends text, not facts
FACTS = {"bad_time", "bad_duration", "no_timestamp", "unmatched_begin", "unmatched_end", "too_many_categories", "bad_number", "unknown_phase",
         "duplicate_key", "overrunning_duration", "crossing_slices", "unlinked_device_work", "before_launch"}


def run(*args):
    return subprocess.run([BIN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def facts(path):
    p = run("summary", "--format", "json", "--table", "operators,kernels", path)
    if p.returncode:
        return None, None
    doc = json.loads(p.stdout)
    return doc["source"]["events"], doc


def rows(doc):
    """Runs of bytes that are no UTF-8 may count differently."""
    return re.sub("\ufffd+", "\ufffd", json.dumps([t["rows"] for t in doc["tables"]], ensure_ascii=False))


def refuse(constant):
    raise ValueError("bare " + constant)


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
        doc = json.loads(open(new, encoding="utf-8").read(), parse_constant=refuse)
    except (ValueError, UnicodeDecodeError) as e:
        return ["no JSON: %s" % e]
    wrong = []
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
        subprocess.run([sys.executable, os.path.join(HERE, "..", "make_broken.py"), folder], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "broken.json"), encoding="utf-8") as f:
            entries = json.load(f)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for entry, wrong in zip(entries, pool.map(lambda e: check(folder, e[1], e[0]), enumerate(entries))):
                failed += bool(wrong)
                print("%s repair %s%s" % ("FAIL" if wrong else "ok", ascii(entry["file"])[1:-1], "".join("\n    " + w for w in wrong)))
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
