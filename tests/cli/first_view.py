#!/usr/bin/env python3
"""The first view of the timeline shows the work of devices: if a trace has work on a device, a row of it is on the
screen at usual sizes. The test reads from the file itself which devices have work.

Runs on the project's samples and, with TRACETTY_CORPUS, on the traces of a corpus. Environment BIN."""
import collections
import concurrent.futures
import glob
import gzip
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from inputs_todo import Todo  # noqa: E402

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = ("80x24", "120x35", "160x45")
WORK = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"}  # cat of an event, in lower case
MOST_BYTES = 30 << 20


def events_of(path):
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
            trace = json.loads(f.read())
    except (OSError, ValueError, EOFError):
        return []
    events = trace.get("traceEvents") if isinstance(trace, dict) else trace
    return [e for e in events if isinstance(e, dict)] if isinstance(events, list) else []


def rows_of(events):
    """Labels that rows of work may have: those of its streams and their devices."""
    names, found = {}, set()
    for e in events:
        if e.get("ph") == "M" and e.get("name") == "thread_name":
            names[str(e.get("pid")), str(e.get("tid"))] = str(e.get("args", {}).get("name", "")).strip()
    for e in events:
        args = e.get("args") if isinstance(e.get("args"), dict) else {}
        if e.get("ph") != "X" or str(e.get("cat", "")).lower() not in WORK or "stream" not in args: continue
        found.add("stream %s" % args["stream"])
        found.add(names.get((str(e.get("pid")), str(e.get("tid"))), ""))
        found.add("GPU %s " % args.get("device", e.get("pid")))
    return {name for name in found if name}


def labels(path, size):
    """The label column above the pane of the selection."""
    p = subprocess.run([BIN, "summary", path, "--screen", "trace", "--size", size, "--color", "never"], capture_output=True, text=True)
    lines = p.stdout.split("\n")
    pane = [i for i, line in enumerate(lines) if line.startswith("── ")] + [len(lines)]
    return [line.split("│")[0] + " " for line in lines[:pane[0]] if "│" in line]


def check(path):
    files = glob.glob(os.path.join(path, "*.json*")) if os.path.isdir(path) else [path]
    wanted = set().union(*(rows_of(events_of(p)) for p in files))
    if not wanted: return None
    bad = []
    for size in SIZES:
        shown = labels(path, size)
        if not any(name in line for line in shown for name in wanted):
            bad.append("%s at %s: none of %s in %s" % (path, size, sorted(wanted)[:4], [line.strip() for line in shown]))
    return bad


def traces():
    found = glob.glob(os.path.join(TOP, "assets", "sample_gpu", "*.json*"))
    corpus = os.environ.get("TRACETTY_CORPUS")
    if corpus:
        found += glob.glob(os.path.join(corpus, "traces", "**", "*.json*"), recursive=True)
    found = sorted(p for p in found if p.endswith((".json", ".json.gz")) and os.path.getsize(p) <= MOST_BYTES)
    folders = collections.Counter(os.path.dirname(p) for p in found if p.endswith((".pt.trace.json", ".pt.trace.json.gz", ".paddle_trace.json")))
    return found + [folder for folder, n in sorted(folders.items()) if n > 1]


def main():
    done, bad, todo = 0, [], Todo("first_view", os.environ.get("TRACETTY_CORPUS"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, result in zip(traces(), pool.map(check, traces())):
            if result is not None:
                done += 1
                word = todo.word(path, not result)
                if word == "skip": print("skip " + path)
                bad += result if word == "FAIL" else []
    bad += todo.over()
    for line in bad: print("     " + line)
    print("%s devices are on the first view of %d traces" % ("FAIL" if bad or done == 0 else "ok", done))
    return 1 if bad or done == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
