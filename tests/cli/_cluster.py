"""Shared by the tests of `tracetty cluster`: runs with known stragglers, damage to them, and checks of the result."""
import collections
import json
import os
import re
import subprocess
import sys

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LATE = 37
failed = 0


def report(ok, what, detail=""):
    global failed
    failed += not ok
    print("ok %s" % what if ok else "FAIL %s: %s" % (what, str(detail)[:1500].replace("\n", "\n    ")), flush=True)
    return ok


def make(folder, ranks=64, *more):
    """Write a run whose rank LATE is late to half of its collectives; clocks are a second apart. Returns the simulated
    truth."""
    subprocess.run([sys.executable, os.path.join(TOP, "tests/tools/make_ranks.py"), folder, "--ranks", str(ranks), "--per-node", "8",
                    "--late", "%d:300:0.5" % LATE, "--clocks", "1", "--steps", "3", "--calls", "4", *more], check=True)
    with open(os.path.join(folder, "truth.txt")) as f:
        return json.load(f)


def trace_of(folder, rank):
    return next(os.path.join(folder, f) for f in os.listdir(folder) if re.match(r"rank%d\." % rank, f))


def cut(path):
    """Cut the last third off a file."""
    os.truncate(path, os.path.getsize(path) * 2 // 3)


def cluster(*args, env=None, binary=BIN, cwd=None):
    return subprocess.run([binary, "cluster", "--at-end", "nothing", *args], capture_output=True, cwd=cwd,
                          env=dict(os.environ, **(env or {})), stdin=subprocess.DEVNULL)


def said(r):
    return "status %d: %s" % (r.returncode, r.stderr.decode("utf-8", "replace"))


def rows(path, table):
    r = subprocess.run([BIN, "summary", "--table", table, "--format", "json", "--limit", "0", path], capture_output=True)
    return json.loads(r.stdout)["tables"][0]["rows"]


def wait_caused(truth):
    """For each rank, the waits in ns that it caused to others, by brute force."""
    sums = collections.Counter()
    for call in truth:
        sums[call["last"]] += call["waits_ns"]
    return sums


def straggler(path):
    """The rank that made the others wait most, and how long."""
    worst = max(rows(path, "comm_ranks"), key=lambda r: r["caused_ns"])
    return int(re.search(r"rank(\d+)", worst["worker"]).group(1)), worst["caused_ns"]


def ranks_in(path):
    return sorted(int(re.search(r"rank(\d+)", r["worker"]).group(1)) for r in rows(path, "comm_ranks"))


def work_folder(output):
    return os.path.join(os.path.dirname(output), "." + os.path.basename(output) + ".parts")
