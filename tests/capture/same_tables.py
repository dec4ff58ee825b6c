#!/usr/bin/env python3
"""same_tables.py WHAT TRACETTY RECORDING EXPORT [OPTION...]: compares all tables of a recording with those of its
export.
Differences that concern the file instead of the run are listed here with reasons."""
import json
import subprocess
import sys

what, tracetty, recording, export, *options = sys.argv[1:]
FILE = {
    "format": "the export has PyTorch's layout",
    "path": "another file",
    "run": "another folder",
    "events": "the export has an event for each end of an arrow, the recording has none; lines of a counter are one event in it",
}


def tables(path):
    run = subprocess.run([tracetty, "summary", "--format", "json", "--limit", "0", *(options or ["--table", "all"]), path], capture_output=True)
    assert run.returncode == 0, (path, run.stderr)
    return {t["id"]: t for t in json.loads(run.stdout)["tables"] if rows(t)}


# faults of the file are not in its export: a range without an end has one there
MENDED = ("truncated", "malformed_event", "unmatched_begin", "unknown_phase")


def rows(table):
    of = table["rows"]
    if table["id"] == "run":
        return [r for r in of if r["key"] not in FILE]
    if table["id"] == "problems":  # another file has other places
        return [{k: v for k, v in r.items() if k != "offset"} for r in of if r["kind"] not in MENDED]
    if table["id"] == "trust":  # trust: compare only losses of the recording
        return [r for r in of if r["check"] != "input complete"]
    return of


a, b = tables(recording), tables(export)
different = 0
for name in a:
    x, y = rows(a[name]), rows(b[name]) if name in b else None
    if x == y and a[name]["columns"] == b[name]["columns"]:
        continue
    different += 1
    print("FAIL %s: %s differs: %d rows, %d of the export" % (what, name, len(x), len(y or [])))
    for mark, p, q in (("recording", x, y or []), ("export", y or [], x)):
        for r in [r for r in p if r not in q][:3]:
            print("  %s: %s" % (mark, json.dumps(r)[:400]))
if set(b) - set(a):
    print("FAIL %s: only of the export: %s" % (what, set(b) - set(a)))
elif not different:
    print("ok %s: the same %d tables" % (what, len(a)))
    print("rows %s" % " ".join(sorted(a)))
