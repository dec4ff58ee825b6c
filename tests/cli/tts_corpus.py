#!/usr/bin/env python3
"""Summaries of every small trace of the corpus have the tables and findings of the traces. Skipped without
TRACETTY_CORPUS."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
CORPUS = os.environ.get("TRACETTY_CORPUS", "")
MOST = 6e6  # bytes of a trace
OF_THE_RUN = {"run", "trust"}
# a device's wait for a straggler needs single kernels: a summary only tells who it is, how often and how late
WAITS = re.compile(r"; [^;]* waits [\d.]+% of the (step )?time for it \([^()]*\)$")


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(path) for f in names)


def tables(path):
    r = subprocess.run([BIN, "summary", "--table", "all", "--format", "json", path], capture_output=True, text=True)
    if r.returncode:
        return r.returncode, {}
    return 0, {t["id"]: (t["columns"], [row for row in t["rows"] if not of_key(t["id"], row)]) for t in json.loads(r.stdout)["tables"]}


def of_key(table, row):
    """A problem of a trace of graph captures: a summary holds those of the run alone."""
    return table == "problems" and "capture_traces/" in (row["example"] or "")


def by_worker(rows):
    """Sort rows, because rows of different ranks with equal values may change places."""
    return sorted((r.get("worker") or "", r["id"], WAITS.sub("", r["title"])) for r in rows)


def same_overview(a, b):
    """Compare all but the order of findings and so the first line: a straggler's consequences have another place."""
    account = [[r for r in rows if r["what"] not in ("finding", "verdict")] for rows in (a, b)]
    found = [sorted((r.get("worker") or "", r["name"], WAITS.sub("", r["text"])) for r in rows if r["what"] == "finding") for rows in (a, b)]
    return account[0] == account[1] and found[0] == found[1] and any(WAITS.search(r["text"]) for r in a if r["what"] == "finding")


def differences(path, summary):
    (_, of_traces), (status, of_summary) = tables(path), tables(summary)
    wrong = [] if status == 0 else ["status %d" % status]
    for table, (columns, rows) in of_summary.items():
        if table in OF_THE_RUN or of_traces.get(table) == (columns, rows):
            continue
        if table == "hang_entries" and rows and all(r in of_traces[table][1] for r in rows):
            continue  # a summary keeps the calls that the verdict rests on
        if table == "overview" and same_overview(of_traces.get(table, (0, []))[1], rows):
            continue
        if table != "findings" or by_worker(rows) != by_worker(of_traces.get(table, (0, []))[1]):
            wrong.append(table)
    return wrong


def main():
    if not CORPUS:
        print("skip summaries of the acceptance data: no TRACETTY_CORPUS")
        return 0
    failed = compared = 0
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "a.tts")
        for path in sorted(glob.glob(os.path.join(CORPUS, "traces", "*", "*"))):
            if size(path) > MOST:
                continue
            name = os.path.relpath(path, os.path.join(CORPUS, "traces"))
            made = subprocess.run([BIN, "summarize", path, "-o", out], capture_output=True, text=True)
            status, _ = tables(path)
            wrong = ["summarize: %d" % made.returncode] if (made.returncode == 0) != (status == 0) else []
            if made.returncode == 0 and not wrong:
                compared += 1
                wrong = differences(path, out)
            if wrong:
                failed += 1
                print("FAIL %s: %s" % (name, wrong))
    print("ok %d traces summarised" % compared if compared > 20 else "FAIL only %d traces were compared" % compared)
    return failed > 0 or compared <= 20


if __name__ == "__main__":
    sys.exit(main())
