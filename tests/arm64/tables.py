#!/usr/bin/env python3
"""Compares the output of two builds of one source, byte for byte: tables.py HOST ARM64.
Covers every table as JSON and some as CSV, an export, a query and a difference of two runs, of the samples and of
every input of TRACETTY_CORPUS; the tables of the samples also with memory pages of 64 KiB (qemu's QEMU_PAGESIZE).

Environment: ARM64_LARGEST (bytes as stored, default 8,000,000: larger inputs take minutes under an emulator and
are listed as left out; 0 = all), ARM64_ONLY (a word of the paths), JOBS."""
import concurrent.futures
import difflib
import glob
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
CORPUS = os.environ.get("TRACETTY_CORPUS", "")
LARGEST = int(os.environ.get("ARM64_LARGEST", "8000000")) or 1 << 62
ONLY = os.environ.get("ARM64_ONLY", "")
HOST, OTHER = (os.path.abspath(p) for p in sys.argv[1:3])
# one table each as CSV; the input's name selects it
CSV = ("operators", "kernels", "step_breakdown", "runtime_api", "key_averages", "memcpy", "devices", "run")
# sums of doubles, rounding, order of equal rows, percentiles
QUERY = ("SELECT name, count(*) AS n, avg(duration) AS mean, sum(self) * 1.0 / sum(duration) AS share, percentile(duration, 90) AS p90 "
         "FROM slices WHERE duration > 0 GROUP BY name ORDER BY mean DESC, name LIMIT 200")


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(f, n)) for f, _, names in os.walk(path) for n in names)


def inputs():
    """Lists of paths: the samples, then the corpus, each once."""
    found = [[p] for p in sorted(glob.glob(os.path.join(TOP, "assets", "sample_*")))]
    for case in sorted(glob.glob(os.path.join(CORPUS, "cases", "*.json"))) if CORPUS else []:
        with open(case) as f:
            found.append([os.path.join(CORPUS, p) for p in json.load(f)["paths"]])
    once = {tuple(map(os.path.normpath, paths)): None for paths in found if ONLY in " ".join(paths)}
    return list(once)


def call(program, *words, **environment):
    p = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=3000, env=dict(os.environ, **environment))
    return p.returncode, p.stdout, p.stderr


def first_difference(a, b):
    """The first place where two texts differ, shortened."""
    for line in difflib.unified_diff(a.decode("utf-8", "replace").split("\n"), b.decode("utf-8", "replace").split("\n"), "host", "ARM64", "", "", 0, ""):
        if line[0] in "-+" and line[:3] not in ("---", "+++"):
            return line[:300]
    return "no line"


def compare(what, words, environment=None):
    """'' or the reason why the outputs differ."""
    a, b = call(HOST, *words), call(OTHER, *words, **(environment or {}))
    if a[0]:
        return "%s: status %d here: %s" % (what, a[0], a[2][-200:].decode("utf-8", "replace"))
    if a == b:
        return ""
    if a[0] != b[0]:
        return "%s: status %d and %d: %s" % (what, a[0], b[0], b[2][-200:].decode("utf-8", "replace"))
    return "%s: %s" % (what, first_difference(*((a[1], b[1]) if a[1] != b[1] else (a[2], b[2]))))


def content(path):
    """Content of an exported database: the file itself also names the SQLite version that wrote it."""
    if not path.endswith(".sqlite"):
        with open(path, "rb") as f:
            return f.read()
    with sqlite3.connect(path) as db:
        return "\n".join(db.iterdump()).encode()


def compare_export(paths, kind):
    with tempfile.TemporaryDirectory() as d:
        files = [os.path.join(d, n + kind) for n in ("host", "other")]
        a, b = (call(program, "export", *paths, "--output", f) for program, f in zip((HOST, OTHER), files))
        if a[0] != b[0]:
            return "export to %s: status %d and %d" % (kind, a[0], b[0])
        if a[0] or not os.path.exists(files[0]):
            return "" if os.path.exists(files[0]) == os.path.exists(files[1]) else "export to %s: one wrote a file" % kind
        got = [content(f) for f in files]
        return "" if got[0] == got[1] else "export to %s: %s" % (kind, first_difference(*got))


def one(paths):
    """Differences for one input, a list of reasons."""
    pick = int(hashlib.md5(os.path.basename(paths[0]).encode()).hexdigest(), 16)
    table = CSV[pick % len(CSV)]
    found = [compare("tables", ["summary", "--table", "all", "--format", "json", *paths]),
             compare("table %s as CSV" % table, ["summary", "--table", table, "--format", "csv", *paths]),
             compare("summary", ["summary", *paths]),
             compare("sql", ["sql", "--format", "json", "-e", QUERY, *paths]),
             compare_export(paths, (".json", ".sqlite")[pick // len(CSV) % 2]) if len(paths) == 1 else ""]
    if "/assets/" in paths[0]:
        found.append(compare("tables with pages of 64 KiB", ["summary", "--table", "all", "--format", "json", *paths], {"QEMU_PAGESIZE": "65536"}))
    return [why for why in found if why]


def pairs(known):
    """Consecutive inputs of one folder: runs that can be compared."""
    for a, b in zip(known, known[1:]):
        if len(a) == len(b) == 1 and os.path.dirname(a[0]) == os.path.dirname(b[0]):
            yield a[0], b[0]


def main():
    count = {"ok": 0, "FAIL": 0, "skip": 0}

    def say(what, text):
        count[what] += 1
        print(what, text, flush=True)

    every = inputs()
    large = [p for p in every if sum(map(size, p)) > LARGEST]
    rest = [p for p in every if p not in large]
    for paths in large:
        say("skip", "%s: %d bytes are much for an emulator (ARM64_LARGEST)" % (" ".join(paths), sum(map(size, paths))))
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        two = list(pairs(rest))
        diffs = pool.map(lambda p: compare("diff", ["diff", "--format", "json", *p]), two)
        for paths, why in zip(rest, pool.map(one, rest)):
            say("FAIL" if why else "ok", "%s: %s" % (" ".join(paths), "; ".join(why)) if why else " ".join(map(os.path.basename, paths)))
        for (a, b), why in zip(two, diffs):
            say("FAIL" if why else "ok", "diff of %s and %s%s" % (os.path.basename(a), os.path.basename(b), ": " + why if why else ""))
    if not rest:
        say("FAIL", "nothing was compared")
    print("%d passed, %d failed, %d skipped" % (count["ok"], count["FAIL"], count["skip"]))
    sys.exit(count["FAIL"] > 0)


main()
