#!/usr/bin/env python3
"""Classes of kernels on whole traces: kernels by class are the sums of kernels by name and by launch, with one class
for each name everywhere; the communication in gpu_time consists of kernels of that class, except whole collectives; a
summary file equals its trace. Runs on the samples and, with TRACETTY_CORPUS, on the small traces of a corpus.
Environment BIN."""
import collections
import glob
import json
import os
import subprocess
import tempfile

BIN = os.environ.get("BIN", "./tracetty")
CORPUS = os.environ.get("TRACETTY_CORPUS")
LARGEST = 400000  # stored bytes
CLASSES = {"gemm", "attention", "norm/reduce", "elementwise", "copy", "communication", "other"}


def tables(path, *options):
    p = subprocess.run([BIN, "summary", "--format", "json", *options, path], capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode:
        return None
    return {t["id"]: t["rows"] for t in json.loads(p.stdout.decode("utf-8"))["tables"]}


def added(rows, of):
    """Sums by worker and class, without unknown values."""
    out = collections.defaultdict(lambda: [0, 0, None, None])
    for r in rows:
        x = out[r.get("worker"), r.get("span"), r[of]]
        x[0] += r["calls"]
        x[1] += r["total_ns"]
        x[2] = r["max_ns"] if x[2] is None else max(x[2], r["max_ns"])
        x[3] = r["min_ns"] if x[3] is None else min(x[3], r["min_ns"])
    return dict(out)


def check(path):
    """Number of kernels checked; faults."""
    by_name = tables(path, "--table", "kernels,gpu_time")
    if not by_name or not by_name.get("kernels"):
        return 0, []
    rows, wrong = by_name["kernels"], []
    if any(r["calls"] is None or r["total_ns"] is None or r["max_ns"] is None for r in rows):
        return 0, []
    by_class = tables(path, "--table", "kernels", "--group-by", "class")["kernels"]
    by_launch = tables(path, "--table", "kernels", "--group-by", "launch")["kernels"]
    want = added(rows, "class")
    if added(by_class, "name") != want or len(by_class) != len(want):
        wrong.append("by class: %s, by name: %s" % (added(by_class, "name"), want))
    if added(by_launch, "class") != want:
        wrong.append("by launch: %s, by name: %s" % (added(by_launch, "class"), want))
    if not {r["class"] for r in rows} <= CLASSES:
        wrong.append("classes %s" % {r["class"] for r in rows})
    for r in by_class:
        if r["mean_ns"] is None or abs(r["mean_ns"] * r["calls"] - r["total_ns"]) > r["calls"]:
            wrong.append("mean of %s" % r)
    communicates = any(r["class"] == "communication" for r in rows)
    if "ascend" not in path and any(r["communication_ns"] for r in by_name.get("gpu_time", ())) and not communicates:
        wrong.append("gpu_time has communication, kernels none")
    return sum(r["calls"] for r in rows), wrong


def check_summary(path, folder):
    out = os.path.join(folder, "of.tts")
    p = subprocess.run([BIN, "summarize", "-o", out, path], capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode:
        return ["summarize: status %d: %s" % (p.returncode, p.stderr[-200:].decode("utf-8", "replace"))]
    wrong = []
    for group in "name", "class":
        a, b = ([(r["name"], r.get("class"), r["calls"], r["total_ns"]) for r in tables(x, "--table", "kernels", "--group-by", group)["kernels"]]
                for x in (path, out))
        if a != b:
            wrong.append("by %s: %s, in a summary %s" % (group, a[:3], b[:3]))
    return wrong


def main():
    paths = sorted(glob.glob("assets/sample_*/*trace*.json*") + glob.glob("assets/sample_*/*.nsys-rep*") + glob.glob("assets/sample_*/*.sqlite"))
    for kind in ("pytorch", "amd", "chrome", "paddle", "account") if CORPUS else ():
        for p in sorted(glob.glob(os.path.join(CORPUS, "traces", kind, "*", "*"))):
            if os.path.isfile(p) and ".json" in p and os.path.getsize(p) <= LARGEST:
                paths.append(p)
    kernels = looked = 0
    for p in paths:
        n, wrong = check(p)
        kernels, looked = kernels + n, looked + (n > 0)
        for w in wrong:
            print("FAIL %s: %s" % (p, w))
    if kernels:
        print("ok   %d kernels of %d traces by class, by name and by launch" % (kernels, looked))
    else:
        print("FAIL no kernels were looked at")
    with tempfile.TemporaryDirectory() as folder:
        sample = [p for p in paths if p.startswith("assets/sample_gpu")]
        wrong = check_summary(sample[0], folder) if sample else ["no sample"]
        print("FAIL summary: %s" % wrong if wrong else "ok   a summary file has the same classes")


main()
