#!/usr/bin/env python3
"""Call stacks of operators from the slices around them: by hand, and computed again from the JSON of real traces.

The reference below sorts nothing and keeps no stack of open slices: it looks at every frame of a thread for every
call.
"""
import bisect
import collections
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
CORPUS = os.environ.get("TRACETTY_CORPUS")
failed = 0


def report(what, ok, why=""):
    global failed
    failed += not ok
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:400]))


def rows(path, table, *options):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", table, *options, path], capture_output=True,
                       stdin=subprocess.DEVNULL)
    return json.loads(p.stdout.decode("utf-8"))["tables"][0]["rows"]


def ns(us):
    return round(us * 1000)


def load(path):
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as f:
        return json.loads(f.read().replace("\\", "/"), strict=False)["traceEvents"]


def expected(events):
    """Calls of each (operator, stack), without recursive names, which a special rule merges."""
    frames, ops = collections.defaultdict(list), collections.defaultdict(list)
    for e in events:
        if e.get("ph") != "X":
            continue
        a, b = ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])
        if e.get("cat") == "python_function":
            frames[e["tid"]].append((a, b, e["name"]))
        elif e.get("cat") in ("cpu_op", "Operator"):
            ops[e["tid"]].append((a, b, e["name"], (e.get("args") or {}).get("Call stack") or ""))
    counts, selfish = collections.Counter(), set()
    for tid, calls in ops.items():
        calls.sort(key=lambda c: (c[0], -c[1]))
        mine = sorted(frames[tid])
        starts = [f[0] for f in mine]
        open_ops = []
        for a, b, name, stack in calls:
            while open_ops and open_ops[-1][0] <= a:
                open_ops.pop()
            selfish.update(name for c in open_ops if c[1] == name)
            open_ops.append((b, name))
            if not stack:
                around = [f for f in mine[:bisect.bisect_right(starts, a)] if (f[0] < a < f[1]) or (f[0] == a and f[1] >= b)]
                around.sort(key=lambda f: (f[0], -f[1]))
                stack = ";".join(f[2] for f in reversed(around))
            counts[name, stack] += 1
    return counts, selfish


def check_trace(path, table):
    want, selfish = expected(load(path))
    got = collections.Counter()
    for r in rows(path, table, "--group-by", "stack"):
        if r.get("side", "host") == "host" and any(r["name"] == n for n, _ in want):
            got[r["name"], r["stack"] or ""] += r["calls"]
    names = {n for n, _ in got} - selfish
    label = "%s of %s" % (table, os.path.basename(os.path.dirname(path)))
    report("%s: there are operators to compare" % label, len(names) > 5, names)
    a = {k: n for k, n in want.items() if k[0] in names}
    b = {k: n for k, n in got.items() if k[0] in names}
    report("%s: the stacks of %d operators" % (label, len(names)), a == b,
           [(k, a.get(k), b.get(k)) for k in set(a) | set(b) if a.get(k) != b.get(k)][:2])
    report("%s: most have one" % label, sum(n for k, n in b.items() if k[1]) > 0.5 * sum(b.values()))
    whole = {(r["name"], r.get("side")): r["calls"] for r in rows(path, table)}
    by = collections.Counter()
    for r in rows(path, table, "--group-by", "shape,stack"):
        by[r["name"], r.get("side")] += r["calls"]
    report("%s: by shape and stack the calls are the same" % label, whole == dict(by))


HAND = """{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "python_function", "name": "train.py(9): main", "pid": 1, "tid": 1, "ts": 100, "dur": 900, "args": {"Python id": 1}},
{"ph": "X", "cat": "python_function", "name": "nn.Module: Net_0", "pid": 1, "tid": 1, "ts": 150, "dur": 300, "args": {"Python id": 2, "Python parent id": 1, "Python module id": 0}},
{"ph": "X", "cat": "python_function", "name": "net.py(4): forward", "pid": 1, "tid": 1, "ts": 160, "dur": 100, "args": {"Python id": 3, "Python parent id": 2}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 160, "dur": 40, "args": {"External id": 1, "Input Dims": [[4, 8], [8, 2]]}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 210, "dur": 40, "args": {"External id": 2, "Input Dims": [[2, 2], [2, 2]]}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 300, "dur": 10, "args": {"External id": 3, "Input Dims": [[4, 8], [8, 2]]}},
{"ph": "X", "cat": "cpu_op", "name": "MyFunction", "pid": 1, "tid": 1, "ts": 500, "dur": 90, "args": {"External id": 4}},
{"ph": "X", "cat": "python_function", "name": "net.py(40): inner", "pid": 1, "tid": 1, "ts": 500, "dur": 50, "args": {"Python id": 4, "Python parent id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 510, "dur": 10, "args": {"External id": 5, "Call stack": "told.py(1): f;told.py(2): g"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 2, "ts": 510, "dur": 10, "args": {"External id": 6}}
]}
"""


def by_hand(folder):
    path = os.path.join(folder, "worker0.pt.trace.json")
    with open(path, "w", encoding="utf-8") as f:
        f.write(HAND)
    main, net, forward = "train.py(9): main", "nn.Module: Net_0", "net.py(4): forward"
    want = {("aten::mm", ";".join((forward, net, main))): 2, ("aten::mm", net + ";" + main): 1, ("MyFunction", main): 1,
            ("aten::add", "told.py(1): f;told.py(2): g"): 1, ("aten::add", ""): 1}
    for table in ("operators", "key_averages"):
        got = {(r["name"], r["stack"] or ""): r["calls"] for r in rows(path, table, "--group-by", "stack")}
        report("%s: stacks by hand" % table, got == want, got)
        both = {(r["name"], r["input_shapes"], r["stack"] or ""): r["calls"] for r in rows(path, table, "--group-by", "shape,stack")}
        report("%s: by shape and stack" % table,
               both.get(("aten::mm", "[[2, 2], [2, 2]]", ";".join((forward, net, main)))) == 1 and len(both) == 6, both)
    cut = {(r["name"], r["stack"]) for r in rows(path, "key_averages", "--group-by", "stack", "--stack-depth", "1")}
    report("the first frame alone", cut == {("aten::mm", forward), ("aten::mm", net), ("MyFunction", main),
                                            ("aten::add", "told.py(1): f"), ("aten::add", "")}, cut)


def recursion(folder):
    """A stack of 128 frames is complete; one of 129 ends with a mark; stacks that differ further out stay separate."""
    events = []
    for deep, at in ((128, 1000), (129, 100000), (130, 200000)):
        for i in range(deep):
            events.append({"ph": "X", "cat": "python_function", "name": "f.py(%d): f" % i, "pid": 1, "tid": 1, "ts": at + i, "dur": 2000 - 2 * i,
                           "args": {"Python id": len(events) + 1}})
        events.append({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": at + deep + 1, "dur": 5})
    path = os.path.join(folder, "deep.pt.trace.json")
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events}, f)
    want = sorted([(";".join("f.py(%d): f" % i for i in range(deep - 1, deep - 129, -1)) + (";..." if deep > 128 else ""), 1)
                   for deep in (128, 129, 130)])
    for table in ("operators", "key_averages"):
        got = sorted((r["stack"], r["calls"]) for r in rows(path, table, "--group-by", "stack"))
        report("%s: stacks of endless recursion are cut, with a sign" % table, got == want, [(len(s), s[-40:], n) for s, n in got])


def memory_by_line(path):
    """The live bytes by operator, by allocation and by line are equal; lines are frames of the program or empty."""
    sums = []
    for group in ("operator", "allocation", "line"):
        by = collections.Counter()
        table = rows(path, "memory_alive", "--group-by", group)
        for r in table:
            by[r["device"]] += r["size_bytes"]
        sums.append(by)
    label = os.path.basename(os.path.dirname(path))
    report("live allocations of %s by operator, one by one and by line add up alike" % label, sums[0] and sums[0] == sums[1] == sums[2], sums)
    names = [(r["device"], r["name"]) for r in table]
    report("live allocations of %s: a line once a device" % label, len(names) == len(set(names)), names)
    lines = [n for _, n in names if n and not n.startswith("(")]
    report("live allocations of %s: lines of the program" % label, lines and all(".py(" in n and "torch/" not in n for n in lines), lines)


def main():
    for path in sorted(glob.glob("assets/sample_gpu/*rank0*.gz")) + (
            glob.glob(os.path.join(CORPUS, "traces/pytorch/h100_bert-small/*.gz")) if CORPUS else []):
        memory_by_line(path)
    with tempfile.TemporaryDirectory() as folder:
        by_hand(folder)
        recursion(folder)
    for name in ("h100_bert-small", "b200_eager", "resnet50_num_workers_0") if CORPUS else ():
        for path in sorted(glob.glob(os.path.join(CORPUS, "traces/pytorch", name, "*.gz")))[:1]:
            check_trace(path, "operators")
            check_trace(path, "key_averages")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
