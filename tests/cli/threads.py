#!/usr/bin/env python3
"""The result of reading depends neither on the number of threads nor on the run: a file exported as a database, its
tables and its timeline with 1, 2, 5 and 8 threads. Runs on a file of several windows whose counters and flows are
first met by different threads, and on the samples. Flows have texts as ids, which become numbers internally.

Environment BIN."""
import glob
import json
import os
import random
import sqlite3
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.environ.get("BIN", "./tracetty")
ASSETS = os.path.join(HERE, "..", "..", "assets")
THREADS = ("1", "2", "5", "8", "8")


def mixed(folder):
    """30,000 events in random order: slices, counters of two processes with several series, flows with texts and large
    numbers as ids."""
    r = random.Random(11)
    events = []
    for i in range(10000):
        tid, at = i % 7, i * 50
        events.append({"ph": "X", "cat": "cpu_op", "name": "op%d" % r.randrange(40), "pid": 1 + i % 2, "tid": tid, "ts": at, "dur": r.randrange(1, 40)})
        events.append({"ph": "C", "name": "counter %d" % r.randrange(30), "pid": 1 + i % 2, "ts": at // 5000 * 5000,  # several at one moment
                       "args": {"line %d" % k: r.randrange(1000) for k in r.sample(range(6), 2)}})
        events.append({"ph": "sf"[i % 2], "cat": "data", "name": "flow", "id": "0xf%04x" % (i // 2) if i % 4 < 2 else (1 << 40) + i // 2,
                       "pid": 1 + i % 2, "tid": tid, "ts": at + 1})
    r.shuffle(events)
    path = os.path.join(folder, "mixed.json")
    with open(path, "w") as f:
        json.dump({"traceEvents": events}, f)
    return path


def answers(path, threads, folder):
    """All outputs about the file: name -> bytes."""
    database = os.path.join(folder, "out.sqlite")
    if os.path.exists(database):
        os.unlink(database)
    calls = {"tables": ["summary", "--table", "all", "--format", "json"], "timeline": ["summary", "--screen", "trace", "--size", "160x60"],
             "export": ["export", "--output", database]}
    got = {}
    for name, words in calls.items():
        p = subprocess.run([BIN, *words, "--threads", threads, path], capture_output=True, stdin=subprocess.DEVNULL)
        got[name] = (p.returncode, p.stdout)
    if os.path.exists(database):
        with sqlite3.connect(database) as db:
            got["database"] = "\n".join(db.iterdump()).encode()
    return got


def main():
    with tempfile.TemporaryDirectory() as folder:
        for path in [mixed(folder), *sorted(glob.glob(os.path.join(ASSETS, "sample_[acgx]*")))]:
            first = answers(path, THREADS[0], folder)
            wrong = [] if first["tables"][0] == 0 and first.get("database") else ["nothing came: status %d" % first["tables"][0]]
            for threads in THREADS[1:]:
                got = answers(path, threads, folder)
                wrong += ["%s with %s threads" % (name, threads) for name in first if got.get(name) != first[name]]
            print("%s %s%s" % ("FAIL" if wrong else "ok", os.path.basename(path), ": " + ", ".join(wrong) if wrong else " with 1, 2, 5 and 8 threads"))


main()
