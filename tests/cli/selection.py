#!/usr/bin/env python3
"""Options that select rows change no row: with --worker, --limit and --filter the rows of every table are rows of the
whole table; --style paddle prints the same for an operator among few and many; both numbers of low_gpu_utilization are
shares of one time. Runs on the project's samples and, with TRACETTY_CORPUS, on folders of several ranks. Environment
BIN."""
import glob
import json
import os
import re
import subprocess
import sys

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.environ.get("TRACETTY_CORPUS")
MOST_BYTES = 3 << 20
# facts about the loaded files; findings and tables made from them compare ranks only if several are loaded
OF_THE_LOAD = {"run", "trust", "problems", "findings", "evidence"}
OF_FINDINGS = {"finding", "verdict"}  # rows of table overview


def tables(path, *args):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", "all", *args, path], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert p.returncode == 0, (args, path, p.stderr[-300:])
    return {t["id"]: t for t in json.loads(p.stdout)["tables"]}


def rows_of(table, worker):
    """Rows of the worker, without its name and without times relative to the first loaded event."""
    return [{k: v for k, v in r.items() if k != "worker" and not k.endswith("at_ns")} for r in table["rows"]
            if r.get("worker", worker) == worker and r.get("what") not in OF_FINDINGS]


def workers(path):
    whole, wrong = tables(path), []
    names = sorted({r["worker"] for t in whole.values() for r in t["rows"] if r.get("worker")})
    for name in names[:2]:
        one = tables(path, "--worker", name)
        for id in sorted((set(whole) | set(one)) - OF_THE_LOAD):
            a, b = ([] if id not in t else rows_of(t[id], name) for t in (whole, one))
            if not any("worker" in r for r in whole.get(id, {"rows": []})["rows"]):  # of all workers the rows about this one
                a = [r for r in a if r in b]
            if a != b:
                wrong.append("%s of %s: %s, alone %s" % (id, name, [r for r in a if r not in b][:1], [r for r in b if r not in a][:1]))
    return wrong if len(names) > 1 else ["no workers"]


def fewer(path):
    whole, wrong = tables(path), []
    for options in (("--limit", "2"), ("--filter", "e"), ("--filter-regex", "[a-m]$")):
        for id, t in tables(path, *options).items():
            known = {json.dumps(r, sort_keys=True) for r in whole[id]["rows"]}
            wrong += ["%s %s: %s" % (" ".join(options), id, r) for r in t["rows"] if json.dumps(r, sort_keys=True) not in known][:1]
    return wrong


def paddle(path):
    def lines(*args):
        text = subprocess.run([BIN, "summary", "--style", "paddle", "--table", "operators,kernels", *args, path], capture_output=True, text=True).stdout
        return [re.sub(r"\s+", " ", line) for line in text.split("\n") if re.search(r"\d / ", line)]
    whole = lines("--limit", "0")
    parts = [lines(*options) for options in (("--limit", "1"), ("--limit", "2"), ("--filter", "conv"))]
    return [line for part in parts for line in part if line not in whole][:3] + ([] if all(parts) and whole else ["nothing printed"])


def utilization(path):
    """Busy time and the largest idle cause are parts of the steps' time; the cause is at most as long as in
    idle_causes."""
    wrong = []
    for r in json.loads(subprocess.run([BIN, "summary", "--table", "findings", "--format", "json", path], capture_output=True, text=True).stdout)["tables"][0]["rows"]:
        m = re.search(r"Largest idle cause: .*?, ([\d.]+)% of the step time", r.get("detail") or "") if r["id"] == "low_gpu_utilization" else None
        if m and r["value_pct"] + float(m.group(1)) > 100.1:
            wrong.append("%s; %s" % (r["title"], m.group(0)))
    return wrong


def ranks():
    yield os.path.join(TOP, "assets", "sample_gpu")
    for folder in sorted(glob.glob(os.path.join(CORPUS, "traces", "pytorch", "*"))) if CORPUS else ():
        files = glob.glob(os.path.join(folder, "*.pt.trace.json*"))
        if len(files) > 1 and sum(map(os.path.getsize, files)) < MOST_BYTES and len(set(re.sub(r"[._]\d{9,}.*", "", f) for f in files)) > 1:
            yield folder


def main():
    failed = False
    samples = sorted(glob.glob(os.path.join(TOP, "assets", "sample_*")))
    found = [("--worker", workers, p) for p in ranks()] + [("fewer rows", fewer, p) for p in samples]
    found += [("Paddle's ratios", paddle, os.path.join(TOP, "assets", "sample_paddle"))]
    found += [("low_gpu_utilization", utilization, p) for p in samples]
    if CORPUS:
        found += [("low_gpu_utilization", utilization, p) for p in sorted(glob.glob(os.path.join(CORPUS, "traces", "pytorch", "*")))]
    for what, test, path in found:
        wrong = test(path)
        failed |= bool(wrong)
        print("%s %s: %s%s" % ("FAIL" if wrong else "ok", what, os.path.basename(path), "".join("\n    " + w[:300] for w in wrong[:3])))
    return failed


if __name__ == "__main__":
    sys.exit(main())
