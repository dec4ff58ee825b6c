#!/usr/bin/env python3
"""Traces of graph captures beside a run (keys): which files are keys, which run they belong to, and what stays the same.

Environment BIN."""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

BIN = os.environ.get("BIN", "./tracetty")
failed = 0


def report(what, good, why=""):
    global failed
    failed += not good
    print("ok %s" % what if good else "FAIL %s: %s" % (what, why))


def event(cat, name, ts, dur, tid=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur, "args": args}


def write(path, events):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with gzip.open(path, "wt") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)
    return path


def run_trace(path, at=1000):
    """Two steps of an engine, each of which replays a graph of two kernels."""
    events = []
    for k in range(2):
        t, c = at + 1000 * k, k + 1
        events += [event("user_annotation", "execute_context_0(0)_generation_4(4)", t, 100),
                   event("cuda_runtime", "hipGraphLaunch", t + 10, 20, correlation=c)]
        for i, name in enumerate(["gemm", "norm"]):
            events.append(event("kernel", name, t + 200 + 50 * i, 40, tid=7, device=0, stream=7, correlation=c))
    return write(path, events)


def key_trace(path, annotation="capture_4_FULL", at=1, more=()):
    """One captured call of each kernel; `more` plain launches follow."""
    events = [event("user_annotation", annotation, at, 500)] if annotation else []
    events += [event("cuda_runtime", "hipStreamBeginCapture", at + 1, 5, correlation=100)]
    for i, (op, kernel) in enumerate([("aten::mm", "gemm"), ("aten::layer_norm", "norm")]):
        events += [event("cpu_op", op, at + 10 + 50 * i, 40),
                   event("cuda_runtime", "hipLaunchKernel", at + 15 + 50 * i, 10, correlation=101 + i, kernel=kernel)]
    events += [event("cuda_runtime", "hipStreamEndCapture", at + 200, 5, correlation=120)]
    events += [event("cuda_runtime", "hipLaunchKernel", at + 300 + i, 1, correlation=200 + i) for i in more]
    return write(path, events)


def eager_trace(path):
    return write(path, [event("user_annotation", "execute_context_0(0)_generation_4(4)", 1, 100),
                        event("cpu_op", "aten::mm", 5, 40),
                        event("cuda_runtime", "hipLaunchKernel", 10, 20, correlation=1),
                        event("kernel", "gemm", 60, 20, tid=7, device=0, stream=7, correlation=1)])


def summary(*words, cwd=None):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", "run,kernels,engine_steps,findings",
                        "--group-by", "operator", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, cwd=cwd, text=True)
    if p.returncode:
        return {"error": p.stderr, "keys": None, "operators": None, "workers": None, "steps": None}
    doc = json.loads(p.stdout)
    tables = {t["id"]: t["rows"] for t in doc["tables"]}
    facts = {r["key"]: r["value"] for r in tables["run"]}
    return {"keys": facts.get("graph_keys"), "paths": facts.get("graph_key_paths", ""), "events": doc["source"]["events"],
            "workers": len(doc["source"]["workers"]), "steps": tables["engine_steps"], "findings": tables["findings"],
            "operators": sorted({r["operator"] for r in tables["kernels"]}), "error": p.stderr}


OWNED = ["aten::layer_norm", "aten::mm"]


def expect(what, got, keys, operators=None, workers=1):
    """keys: how many; operators: of the kernels."""
    want = {"keys": str(keys) if keys else None, "workers": workers}
    if operators:
        want["operators"] = operators
    wrong = ["%s: %s, want %s" % (k, got[k], v) for k, v in want.items() if got[k] != v]
    report(what, not wrong, "; ".join(wrong) + got["error"][-200:])
    return got


def kinds(box):
    """Rules by which a file is a key, and by which it is none."""
    run_trace(box + "/alone/run.pt.trace.json.gz")
    alone = expect("a run without keys", summary(box + "/alone"), 0, ["(graph)"])

    run_trace(box + "/b/run.pt.trace.json.gz")
    key_trace(box + "/b/capture_traces/bs_4_rank0.json.gz", None)
    got = expect("a folder capture_traces", summary(box + "/b"), 1, OWNED)
    report("a key changes no step and no count of events",
           got["steps"] == alone["steps"] and got["events"] == alone["events"], "%s, %s" % (got["events"], alone["events"]))

    run_trace(box + "/a/run.pt.trace.json.gz")
    key_trace(box + "/a/graph.pt.trace.json.gz", more=range(9))
    expect("a range that names a capture", summary(box + "/a"), 1, OWNED)

    run_trace(box + "/c/run.pt.trace.json.gz")
    key_trace(box + "/c/graph.pt.trace.json.gz", None, more=range(9))
    expect("a minority of captured calls is no key", summary(box + "/c"), 0, workers=2)
    with open(box + "/c/execution_details.json", "w") as f:
        json.dump([{"file": "other.json"}, {"file": "graph.pt.trace.json.gz", "batch_size": 4, "mode": "FULL"}], f)
    expect("a file that execution_details.json names", summary(box + "/c"), 1, OWNED)

    run_trace(box + "/d/run.pt.trace.json.gz")
    key_trace(box + "/d/graph.pt.trace.json.gz", None)
    expect("a majority of captured calls", summary(box + "/d"), 1, OWNED)

    run_trace(box + "/n/run.pt.trace.json.gz")
    eager_trace(box + "/n/run-NoGraph.pt.trace.json.gz")
    expect("an eager companion by its name", summary(box + "/n"), 1, ["(graph)", "aten::mm"])
    run_trace(box + "/o/prof_1/run.pt.trace.json.gz")
    eager_trace(box + "/o/no-cuda-graph/prof_1/run.pt.trace.json.gz")
    expect("an eager companion by its folder", summary(box + "/o"), 1, ["(graph)", "aten::mm"])

    got = expect("a key alone is opened as a run", summary(box + "/b/capture_traces"), 0)
    report("its finding says so", any(f["id"] == "graph_capture" for f in got["findings"]), got["findings"])
    expect("paths of a run and a key", summary(box + "/b/run.pt.trace.json.gz", box + "/d/graph.pt.trace.json.gz"), 2, OWNED)
    with zipfile.ZipFile(box + "/b.zip", "w") as z:
        for name in ("run.pt.trace.json.gz", "capture_traces/bs_4_rank0.json.gz"):
            z.write(box + "/b/" + name, "b/" + name)
    expect("a run in an archive", summary(box + "/b.zip"), 1, OWNED)


def runs(box):
    """Which run a key belongs to."""
    run_trace(box + "/r/one/run.pt.trace.json.gz")
    key_trace(box + "/r/one/capture_traces/bs_4_rank0.json.gz")
    run_trace(box + "/r/two/run.pt.trace.json.gz")
    expect("keys below a run are that run's", summary(box + "/r", "--run", "one"), 1, OWNED)
    expect("not those of the run beside it", summary(box + "/r", "--run", "two"), 0, ["(graph)"])
    shutil.move(box + "/r/one/capture_traces", box + "/r/capture_traces")
    expect("keys beside the folders of runs are all of theirs", summary(box + "/r", "--run", "two"), 1, OWNED)
    expect("as from the folder itself", summary(".", "--run", "one", cwd=box + "/r"), 1, OWNED)
    expect("not with the run's own folder", summary(box + "/r/one"), 0, ["(graph)"])


def named(box):
    """Option --graph-key."""
    run = run_trace(box + "/g/run.pt.trace.json.gz")
    key = key_trace(box + "/g/sub/graph.pt.trace.json.gz", None, more=range(9))
    key_trace(box + "/h/capture_traces/bs_4_rank0.json.gz")
    expect("a key by option", summary(run, "--graph-key", key), 1, OWNED)
    expect("two keys by option, one a folder", summary(run, "--graph-key", key, "--graph-key", box + "/h"), 2, OWNED)
    got = summary(run, "--graph-key", box + "/absent.json")
    report("a key that is absent is refused", "absent.json" in got["error"] and got["keys"] is None, got)
    shutil.copy(key, box + "/g/graph.pt.trace.json.gz")
    expect("a file of the folder that the option names is no worker",
           summary(box + "/g", "--run", "g", "--graph-key", box + "/g/graph.pt.trace.json.gz"), 1, OWNED)


def problems(path):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", "problems", path], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return {r["kind"]: r["example"] for r in json.loads(p.stdout)["tables"][0]["rows"]} if p.returncode == 0 else {"": p.stderr}


def damaged(box):
    """Keys that are cut, or no traces: the run opens, and its problems name them."""
    run = run_trace(box + "/run.pt.trace.json.gz")
    key = key_trace(box + "/capture_traces/bs_4_rank0.json.gz", more=range(99))
    with open(key, "rb") as f:
        whole = f.read()
    with open(key, "wb") as f:
        f.write(whole[:len(whole) * 2 // 3])
    got = problems(box)
    report("problems of a key that is cut name its path", any(key in text for text in got.values()), got)
    with open(key, "w") as f:
        f.write("no trace\n")
    got = problems(run)
    report("a key that cannot be read is a problem", key in got.get("graph_key_unread", ""), got)
    expect("a run beside a key that cannot be read", summary(run), 1, ["(graph)"])
    with open(key, "wb") as f:
        f.write(whole)
    report("a whole key has no problems", not problems(box), problems(box))


def main():
    for part in (kinds, runs, named, damaged):
        with tempfile.TemporaryDirectory() as box:
            part(box)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
