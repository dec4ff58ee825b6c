#!/usr/bin/env python3
"""Several runs in one folder: the run that each command takes, the message about the choice, and inputs that are never
one run. Environment: BIN."""
import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOW = 1_700_000_000  # the oldest trace, s since 1970


def report(good, what, why=""):
    print("ok %s" % what if good else "FAIL %s: %s" % (what, str(why)[-600:]), flush=True)


def run(*words, cwd=None):
    p = subprocess.run([BIN, *words], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"})
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def events(name, n=3, base_us=0.0, category="cpu_op"):
    return [{"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1, "ts": base_us + 10 * i, "dur": 5} for i in range(n)]


def kineto(path, name="op", rank=None, at=None, n=3):
    """A PyTorch trace whose operators are called `name`; at: time of its events, s since 1970."""
    document = {"schemaVersion": 1}
    if rank is not None:
        document["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": 2}
    if at is not None:
        document["baseTimeNanoseconds"] = at * 10**9 - 10**12
    document["traceEvents"] = events(name, n, 10**9 if at is not None else 0)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with (gzip.open(path, "wt") if path.endswith(".gz") else open(path, "w")) as f:
        json.dump(document, f)
    return path


def chrome(path, name="slice"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump({"traceEvents": events(name, 3, 0, "whatever")}, f)
    return path


def changed(path, ago):
    """Set the last change of everything below path to `ago` s before a fixed moment."""
    for base, _, names in os.walk(path):
        for name in names:
            os.utime(os.path.join(base, name), (NOW - ago, NOW - ago))


def source(*words):
    status, out, words = run("summary", "--format", "json", "--table", "operators", *words)
    document = json.loads(out) if status == 0 else {"source": {"workers": [], "format": ""}, "tables": [{"rows": []}]}
    names = {r["name"] for t in document["tables"] for r in t["rows"]}
    return names, document["source"], words


def newest(box):
    one = os.path.join(box, "stamps")
    kineto(one + "/a/rank0.1700000500000.pt.trace.json", "newer")
    kineto(one + "/b/rank0.1700000400000.pt.trace.json", "older")
    changed(one + "/a", 5000)
    names, _, said = source(one)
    report(names == {"newer"}, "newest by the stamps of names", (names, said))
    report("'a' was taken" in said and "b" in said.split(": ")[-1] and "--run" in said, "the choice and the other run are said", said)

    one = os.path.join(box, "folders")
    kineto(one + "/2024_05_01_12_00_00/trace.json", "older")
    kineto(one + "/2024_05_01_12_00_01/trace.json", "newer")
    kineto(one + "/first/20240501-120002/trace.json", "newest")
    changed(one + "/first", 5000)
    names, _, said = source(one)
    report(names == {"newest"}, "newest by the names of folders", (names, said))

    one = os.path.join(box, "content")
    kineto(one + "/a/rank0.pt.trace.json", "older", at=NOW)
    kineto(one + "/b/rank0.pt.trace.json.gz", "newer", at=NOW + 60)
    kineto(one + "/c/rank0.pt.trace.json", "oldest", at=NOW - 60)
    changed(one + "/b", 5000)
    changed(one + "/a", -5000)
    names, _, said = source(one)
    report(names == {"newer"} and "by its events" in said, "newest by the times of events", (names, said))

    one = os.path.join(box, "changed")
    for ago, name in ((300, "a"), (100, "b"), (200, "c")):
        kineto("%s/%s/rank0.pt.trace.json" % (one, name), name)
        changed("%s/%s" % (one, name), ago)
    names, _, said = source(one)
    report(names == {"b"} and "by its files" in said, "newest by when files were changed", (names, said))
    commands = {"export": ("export", one, "-o", os.path.join(box, "out.json")), "sql": ("sql", "-e", "select distinct name from slices", one),
                "summarize": ("summarize", one, "-o", os.path.join(box, "out.tts")), "diff": ("diff", one, one), "screen": ("summary", "--screen", "overview", one)}
    for what, words in commands.items():
        status, _, said = run(*words)
        report(status == 0 and (what == "screen" or "'b' was taken" in said), "%s takes the same one" % what, (status, said))
    report({e.get("name") for e in json.load(open(os.path.join(box, "out.json")))["traceEvents"]} == {"b"}, "what was exported is of the newest run")
    for name in "abc":
        names, _, said = source(one, "--run", name)
        report(names == {name} and not said, "--run %s takes it and says nothing" % name, (names, said))
    names, _, said = source(one, "--run", one + "/c/")
    report(names == {"c"}, "--run takes the path of a run", said)
    status, _, said = run("summary", "--run", "d", one)
    report(status == 2 and all("%s" % n in said.split(":")[-1] for n in "abc"), "an unknown --run names those that are there", said)
    status, _, said = run("check", "--run", "d", one)
    report(status == 2 and "a" in said, "check: an unknown --run", (status, said))
    status, _, said = run("summary", "--run", "a", one + "/a/rank0.pt.trace.json")
    report(status == 2 and "folder" in said, "--run of a file is refused", said)
    status, out, said = run("diff", "--base-run", "a", "--new-run", "c", "--table", "diff_operators", "--format", "csv", one, one)
    report(status == 0 and "\na," in "\n" + out.replace('"', "") and "c" in out and "taken" not in said, "diff of two runs of a folder", (out, said))
    status, _, said = run("diff", "--base-run", "nope", one, one)
    report(status == 2 and "--run" in said, "diff: an unknown run of one side", said)


def readable(box):
    one = os.path.join(box, "broken")
    kineto(one + "/good/rank0.pt.trace.json", "good")
    os.makedirs(one + "/empty")
    open(one + "/empty/rank0.pt.trace.json", "w").close()
    os.makedirs(one + "/foreign")
    with open(one + "/foreign/my_trace.json", "w") as f:
        f.write("no trace at all")
    changed(one + "/good", 500)
    names, _, said = source(one)
    report(names == {"good"}, "what cannot be read is passed over", (names, said))
    report("empty" in said and "'good' was taken, the newest that can be read" in said, "... with the reason", said)
    status, out, said = run("check", one)
    report(status == 3 and "good" in out and "is empty" in said, "check looks at all of them, the worst status counts", (status, out, said))
    shutil.rmtree(one + "/empty")
    shutil.rmtree(one + "/foreign")
    whole = kineto(one + "/cut/rank0.pt.trace.json", "cut", n=500)
    with open(whole) as f:
        text = f.read()
    with open(whole, "w") as f:
        f.write(text[:len(text) // 2])
    names, _, said = source(one)
    report(names == {"cut"} and "repairs" in said, "a run that was cut off can be read", (names, said))
    changed(one + "/cut", 1000)
    names, _, said = source(one)
    report(names == {"good"}, "... and is not taken when it is older", (names, said))
    status, out, said = run("check", one)
    report(status == 1 and "truncated" in out and "no problems" in out and "run good" in out and "run cut" in out, "check: an older run that was cut off counts", (status, out))
    status, out, said = run("check", "--run", "good", one)
    report(status == 0 and "truncated" not in out, "check --run looks at this one", (status, out))


def one_folder(box):
    one = os.path.join(box, "mixed")
    os.makedirs(one)
    for rank in range(2):
        shutil.copy(os.path.join(TOP, "assets/sample_mindinsight/ascend_timeline_display_%d.json.gz" % rank), "%s/rank%d_trace.json.gz" % (one, rank))
    kineto(one + "/torch_trace.json", "torch")
    changed(one, 0)
    os.utime(one + "/torch_trace.json", (NOW + 5, NOW + 5))
    names, found, said = source(one)
    report(found["workers"] == ["torch_trace"], "frameworks in one folder are different runs", (found, said))
    _, found, said = source(one, "--run", "rank0_trace.json.gz")
    report(found["workers"] == ["rank0_trace", "rank1_trace"] and found["format"] == "mindinsight", "... each with its ranks", (found, said))
    chrome(one + "/other_trace.json")
    status, out, _ = run("check", one)
    report(status == 0 and out.count("\nrun ") + out.startswith("run ") == 3, "... and all are checked", (status, out))

    one = os.path.join(box, "ranks")
    for k, (host, stamp) in enumerate((("h_11", 1700000100000), ("h_12", 1700000100100), ("h_21", 1700000200000), ("h_22", 1700000200100))):
        kineto("%s/%s.%d.pt.trace.json" % (one, host, stamp), "second" if k > 1 else "first", rank=k % 2)
    names, found, said = source(one)
    report(found["workers"] == ["h_21", "h_22"] and names == {"second"}, "ranks that collide are the runs they were recorded in", (found, said))
    _, found, said = source(one, "--run", "h_11.1700000100000.pt.trace.json")
    report(found["workers"] == ["h_11", "h_12"], "... and the older one is chosen by its first file", (found, said))
    paths = [os.path.join(one, name) for name in sorted(os.listdir(one))]
    _, found, said = source(*paths)
    report(len(found["workers"]) == 4 and "rank_collision" in said, "paths that are named are one run, the collision is said", (found, said))
    status, out, _ = run("check", *paths)
    report(status == 1 and "rank_collision" in out, "... and is a problem", (status, out))
    kineto(one + "/h_21.1700000300000.pt.trace.json", "second", rank=0)
    _, found, said = source(one)
    report(found["workers"] == ["h_21", "h_22"] and found["spans"] == ["1", "2"], "a second span of a worker is no collision", (found, said))

    one = os.path.join(box, "replicas")
    for dp in range(2):
        for rank in range(2):
            kineto("%s/dp%d_rank%d.1700000100000.pt.trace.json" % (one, dp, rank), "dp%d" % dp, rank=rank)
    _, found, said = source(one)
    report(len(found["workers"]) == 4 and not said, "replicas that number their ranks alike are one run", (found, said))
    one = os.path.join(box, "same")
    kineto(one + "/same/rank0.pt.trace.json", "inner")
    kineto(one + "/rank0.pt.trace.json", "outer")
    changed(one + "/same", 50)
    os.utime(one + "/rank0.pt.trace.json", (NOW, NOW))
    names, _, said = source(one)
    report(names == {"outer"} and "holds 2 runs" in said, "a folder and one of its name in it are two runs", (names, said))
    names, _, said = source(one + "/same", kineto(box + "/third.json", "third"))
    report(names == {"inner", "third"}, "a folder and a file are workers of one run", (names, said))
    names, _, said = source(one, box + "/third.json")
    report(names == {"outer", "third"} and "'same' was taken" in said, "of a folder among several paths the newest run", (names, said))
    one = os.path.join(box, "unnamed")
    kineto(one + "/x.json", "x")
    kineto(one + "/deep/y.json", "y")
    changed(one + "/deep", 50)
    os.utime(one + "/x.json", (NOW, NOW))
    names, _, said = source(one)
    report(names == {"x"} and "deep/y.json" in said, "traces of any name are runs", (names, said))


def own(box):
    one = os.path.join(box, "own")
    trace = kineto(one + "/rank0.pt.trace.json", "mine", rank=0)
    made = {"z.pt.trace.json": ("export", trace, "-o"), "z.trace.json.gz": ("export", trace, "-o"), "z.tts": ("summarize", trace, "-o"),
            "a.sqlite": ("export", trace, "-o"), "deep.pt.trace.json": ("export", trace, "-o")}
    for name, words in made.items():
        status, _, said = run(*words, os.path.join(one, name))
        if status:
            print("skip %s: %s" % (name, said))
    with open(one + "/trace_tables.json", "w") as f:
        f.write(run("summary", "--format", "json", trace)[1])
    for name in ("svg", "text"):
        with open("%s/screen_trace.%s" % (one, name), "w") as f:
            f.write(run("summary", "--screen", "overview", "--format", name, trace)[1])
    os.makedirs(one + "/out")
    os.rename(one + "/deep.pt.trace.json", one + "/out/deep.pt.trace.json")
    changed(one + "/out", -5000)
    names, found, said = source(one)
    report(names == {"mine"} and found["workers"] == ["rank0"], "own output beside a trace is passed over", (found, said))
    report("passed over" in said and "taken" not in said, "... which is said", said)
    status, out, _ = run("check", one)
    report(status == 0 and out.count("no problems") == 1, "... and by check", (status, out))
    os.remove(trace)
    names, found, said = source(one)
    report(names == {"mine"}, "without anything else an export opens", (found, said))
    for base, _, files in os.walk(one):
        for name in files:
            if not name.endswith(".tts"):
                os.remove(os.path.join(base, name))
    status, out, said = run("summary", "--table", "operators", one)
    report(status == 0 and "mine" in out, "a folder with nothing but summaries opens", (status, out, said))
    one = os.path.join(box, "database")
    kineto(one + "/my_trace.json", "mine")
    sqlite3.connect(one + "/notes.sqlite").executescript("create table t(x); insert into t values (1)")
    changed(one, 10)
    os.utime(one + "/notes.sqlite", (NOW, NOW))
    names, _, said = source(one)
    report(names == {"mine"} and "notes.sqlite" in said, "a database of others hides no trace", (names, said))


def training(path, busy_us, steps=3, rank=None):
    """Steps of 1 ms on one device, which works for the first `busy_us` of each."""
    made = []
    for i in range(steps):
        t = 1000 * (i + 1)
        made += [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % i, "pid": 1, "tid": 1, "ts": t, "dur": 1000},
                 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": t + 1, "dur": 2, "args": {"correlation": i + 1}},
                 {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": t + 10, "dur": busy_us, "args": {"correlation": i + 1, "device": 0, "stream": 7}}]
    document = {"schemaVersion": 1, "traceEvents": made}
    if rank is not None:
        document["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": 2}
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump(document, f)
    return path


def rows(table, *words):
    status, out, said = run("summary", "--format", "json", "--table", table, *words)
    return {t["id"]: t["rows"] for t in json.loads(out)["tables"]} if status == 0 else {}, status, said


def table(box):
    one = os.path.join(box, "table")
    training(one + "/slow/rank0.pt.trace.json", 100, 5)
    training(one + "/fast/rank0.pt.trace.json", 970, 4, 0)
    training(one + "/fast/rank1.pt.trace.json", 500, 4, 1)
    kineto(one + "/plain/my_trace.json", "mine")
    with open(one + "/no_trace.json", "w") as f:
        f.write("nothing of that kind")
    for ago, name in ((300, "slow"), (200, "fast"), (100, "plain")):
        changed(os.path.join(one, name), ago)
    os.utime(one + "/no_trace.json", (NOW, NOW))
    t, status, said = rows("runs", one)
    got = t.get("runs", [])
    report(status == 0 and [r["run"] for r in got] == ["table", "plain", "fast", "slow"], "table runs: all of them, newest first", (status, got, said))
    report("taken" not in said and "no trace" in said, "table runs: nobody chose one, and what cannot be read is said", said)
    for r in got[1:]:
        own, _, _ = rows("overview,gpu_time,runs", one, "--run", r["run"])
        view = own["overview"]
        verdict = [x["text"] for x in view if x["what"] == "verdict"]
        report([r["verdict"]] == verdict and r["verdict"], "%s: the verdict is that of its overview" % r["run"], (r, verdict))
        busy = [100 * x["busy_ns"] / x["total_ns"] for x in own["gpu_time"]]
        same = r["busy_pct"] is None if not busy else abs(r["busy_pct"] - sum(busy) / len(busy)) < 1e-9
        report(same, "%s: busy is the mean over the devices" % r["run"], (r, busy))
        window = [x for x in view if x["what"] == "window"][0]
        report((r["account_ns"], r["steps"]) == (window["time_ns"], window["count"]), "%s: account and steps" % r["run"], (r, window))
        report(own["runs"] == [r], "%s: alone it has the same row" % r["run"], (r, own["runs"]))
        report(r["path"] == os.path.join(one, r["run"]) and r["format"] == "pytorch", "%s: path and format" % r["run"], r)
    if len(got) == 4:
        report([r["workers"] for r in got] == [None, 1, 2, 1] and [r["steps"] for r in got] == [None, None, 4, 5], "table runs: workers and steps", got)
        report(abs(got[2]["busy_pct"] - 73.5) < 1e-9 and got[2]["account_ns"] == 4_000_000, "table runs: numbers by hand", got[2])
        bad = {k: v for k, v in got[0].items() if v is not None}
        report(set(bad) == {"run", "path", "verdict"} and bad["verdict"].startswith("no trace"), "table runs: why a run cannot be read", got[0])
    both, _, said = rows("runs,run", one)
    fact = {r["key"]: r["value"] for r in both.get("run", [])}
    report(len(both.get("runs", [])) == 4 and fact.get("run") == "plain" and "'plain' was taken" in said, "beside other tables these are of the newest run", (fact, said))
    every, _, said = rows("all", one)
    report("run" in every and "runs" not in every, "table all is about one run", sorted(every))

    t, _, said = rows("runs", one + "/fast")
    report([(r["run"], r["workers"]) for r in t.get("runs", [])] == [("fast", 2)] and not said, "a folder of one run has one row", (t, said))
    t, _, _ = rows("runs", one + "/slow/rank0.pt.trace.json")
    report([(r["run"], r["steps"]) for r in t.get("runs", [])] == [("rank0.pt.trace.json", 5)], "a file has one row", t)
    t, _, _ = rows("runs", one + "/slow/rank0.pt.trace.json", one + "/plain/my_trace.json")
    report([(r["run"], r["path"], r["workers"]) for r in t.get("runs", [])] == [(None, None, 2)], "several paths are one run without a name", t)
    t, _, _ = rows("runs", one, "--steps", "4")
    report([r["steps"] for r in t.get("runs", [])] == [None, None, None, 1], "--steps: of the runs that have them", t)
    _, status, said = rows("runs", one, "--steps", "77")
    report(status == 2 and "no step" in said, "--steps that no run has", (status, said))
    os.makedirs(box + "/none")
    shutil.copy(one + "/no_trace.json", box + "/none/a_trace.json")
    _, status, said = rows("runs", box + "/none")
    report(status == 3 and said.count("no trace") == 1, "nothing that can be read", (status, said))


def main():
    with tempfile.TemporaryDirectory() as box:
        for test in (newest, readable, one_folder, own, table):
            test(box)


if __name__ == "__main__":
    sys.exit(main())
