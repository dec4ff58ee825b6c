#!/usr/bin/env python3
"""One self time: the tables operators, operator_tree and key_averages have the same number wherever they count the
same calls. For JSON traces it equals the number computed here from the events: duration minus the union of the direct
children. Runs on the samples, on every trace of TRACETTY_CORPUS if set, and on generated traces in which almost all
slices coincide or cross. Python functions, modules, overhead, waits and the order of events change no number.

Environment BIN, TRACETTY_CORPUS; SELFTIME=TEXT selects the traces whose path contains the text.
"""
import collections
import decimal
import glob
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

BIN = os.environ.get("BIN", "./tracetty")
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.environ.get("TRACETTY_CORPUS", "")
WHICH = os.environ.get("SELFTIME", "")
TABLES = ("operators", "operator_tree", "key_averages", "user_ranges")

OPERATORS = ("cpu_op", "operator")
CALLS = ("runtime", "cuda_runtime", "cudaruntime", "mluruntime", "hip_runtime", "xpu_runtime", "mtia_runtime", "glow_runtime", "privateuse1_runtime",
         "cuda_driver", "xpu_driver", "privateuse1_driver")
CHILDREN = OPERATORS + CALLS + ("user_annotation",)
PADDLE = ("operatorinner", "userdefined", "profilestep")  # its times are rounded: golden/paddle has them by hand
# Left out by key_averages: the profiler's own bookkeeping.
BOOKKEEPING = ("profiler::_record_function_enter", "profiler::_record_function_enter_new", "profiler::_record_function_exit", "aten::is_leaf",
               "aten::output_nr", "aten::_version")


def summary(path):
    """{table: rows}, or None = the program does not open it."""
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", ",".join(TABLES), path], capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode == 3:
        return None
    assert p.returncode == 0, "status %d: %s" % (p.returncode, p.stderr[-300:].decode("utf-8", "replace"))
    return {t["id"]: t["rows"] for t in json.loads(p.stdout.decode("utf-8"))["tables"]}


def by_name(rows, calls, self):
    """{(worker, span, name): [calls, self time]}"""
    found = collections.defaultdict(lambda: [0, 0])
    for r in rows:
        sums = found[(r.get("worker"), r.get("span"), r["name"])]
        sums[0] += r[calls]
        sums[1] += r[self]
    return dict(found)


def check_agree(found):
    """Returns the number of compared names."""
    ranges = {(r.get("worker"), r.get("span"), r["name"]) for r in found["user_ranges"]}
    operators = by_name(found["operators"], "calls", "host_self_ns")
    others = {"key_averages": by_name([r for r in found["key_averages"] if r["side"] == "host"], "calls", "cpu_self_ns"),
              "operator_tree": by_name([r for r in found["operator_tree"] if not r["is_device"]], "calls", "host_self_ns")}
    n = 0
    for table, rows in others.items():
        for name, (calls, self) in operators.items():
            if name in rows and name not in ranges and rows[name][0] == calls:
                assert rows[name][1] == self, "%s: %d ns in operators, %d in %s" % (name[2][:80], self, rows[name][1], table)
                n += 1
    return n


# ---- computed again from the events ----

def ns(v):
    return v * 1000 if isinstance(v, int) else int((v * 1000).to_integral_value(rounding=decimal.ROUND_HALF_UP))


def category(e):
    return str(e.get("cat", "")).lower()


def number(v, missing):
    return v if isinstance(v, int) and v > 0 else missing


def tie(e):
    """Key that decides which of two slices with the same interval is the outer one: the smaller key."""
    args, cat = e.get("args") if isinstance(e.get("args"), dict) else {}, category(e)
    call = cat in CALLS
    missing = float("inf") if call else 0
    rank = 3 if call else 2 if cat in OPERATORS else 0
    return (number(args.get("External id"), missing), number(args.get("Ev Idx"), missing), rank, str(e.get("name")))


def self_times(track, rounding):
    """[(event, self time)] of the events of a thread that are children."""
    order = sorted(((ns(e["ts"]), -ns(e["ts"]) - ns(e["dur"]), tie(e), i) for i, e in enumerate(track)))
    own, open_ = [ns(e["dur"]) for e in track], []
    for start, end, _, i in order:
        end = -end
        while open_ and (open_[-1][0] <= start or open_[-1][0] < end):  # it has ended, or does not contain this slice
            open_.pop()
        if open_:
            until = open_[-1][1]
            if end > until:
                crosses = start < until and until - start > rounding and end - until > rounding
                own[open_[-1][2]] -= end - (until if crosses else start)
                open_[-1][1] = end
        open_.append([end, start, i])
    return [(e, max(0, t)) for e, t in zip(track, own)]


def recompute(events):
    """({name: ns} of the operators, {name: ns} of all children)"""
    tracks, rounding = collections.defaultdict(list), 1000
    for e in events:
        if not isinstance(e, dict):
            continue
        if any(isinstance(e.get(k), decimal.Decimal) and ns(e[k]) % 1000 for k in ("ts", "dur")):
            rounding = 0
        if e.get("ph") == "X" and category(e) in CHILDREN:
            tracks[(str(e.get("pid")), str(e.get("tid")))].append(e)
    operators, everything = collections.Counter(), collections.Counter()
    for track in tracks.values():
        for e, self in self_times(track, rounding):
            name, step = str(e.get("name")), str(e.get("name")).startswith("ProfilerStep#")
            if category(e) in OPERATORS and not step:
                operators[name] += self
            if not (category(e) in OPERATORS and name in BOOKKEEPING):
                everything["ProfilerStep*" if step else name] += self
    return operators, everything


def load(path):
    """The document of a Kineto trace; None = another format."""
    with open(path, "rb") as f:
        raw = f.read()
    try:
        raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        doc = json.loads(raw.decode("utf-8"), parse_float=decimal.Decimal, strict=False)
    except (OSError, EOFError, ValueError):
        return None
    if not isinstance(doc, dict) or not isinstance(doc.get("traceEvents"), list):
        return None
    events = [e for e in doc["traceEvents"] if isinstance(e, dict)]
    found = {category(e) for e in events}
    if not found & set(OPERATORS) or found & set(PADDLE) or any(e.get("ph") in ("B", "E") for e in events):
        return None
    return dict(doc, traceEvents=events)


def selves(found, without):
    """({name: ns} of operators, {name: ns} of key_averages except some names)"""
    operators, everything = collections.Counter(), collections.Counter()
    for r in found["operators"]:
        operators[r["name"]] += r["host_self_ns"]
    for r in found["key_averages"]:
        if r["side"] == "host" and r["name"] not in without:
            everything[r["name"]] += r["cpu_self_ns"]
    return operators, everything


def others(events):
    """Names with a row whose slices are never children."""
    return {"[memory]"} | {str(e.get("name")) for e in events if category(e) == "overhead"}


def check_same(got, want, whose):
    for name in sorted(set(got) | set(want)):
        assert got[name] == want[name], "%s: %s has %d ns, %s %d" % (whose[0], name[:80], got[name], whose[1], want[name])


def check_again(found, doc):
    without = others(doc["traceEvents"])
    operators, everything = selves(found, without)
    of_events, all_of_events = recompute(doc["traceEvents"])
    check_same(operators, {name: of_events[name] for name in operators}, ("operators", "its events"))
    check_same(everything, {k: v for k, v in all_of_events.items() if k not in without}, ("key_averages", "its events"))


# ---- changes without effect ----

def write(doc, path):
    numbers = []

    def mark(v):
        numbers.append(str(v))
        return "\u0001%d\u0001" % (len(numbers) - 1)

    text = json.dumps(doc, default=mark)
    parts = text.split('"\\u0001')
    out = [parts[0]]
    for part in parts[1:]:
        number, rest = part.split('\\u0001"', 1)
        out += [numbers[int(number)], rest]
    with open(path, "w") as f:
        f.write("".join(out))


def with_strangers(doc, seed):
    """Reorder the events and add slices that are never children: as long as an event, or across its end."""
    r, events, new = random.Random(seed), doc["traceEvents"], []
    host = [e for e in events if e.get("ph") == "X" and category(e) in CHILDREN and e.get("dur")]
    whole = all(isinstance(e["ts"], int) and isinstance(e["dur"], int) for e in host)  # then all times are whole
    slices, waits = collections.Counter((str(e.get("pid")), str(e.get("tid"))) for e in host), collections.Counter()
    for e in r.sample(host, min(len(host), 300)):
        cat, name, args = r.choice((("python_function", "strange.py(1): f", {}), ("python_function", "nn.Module: Strange_0", {"Python module id": 77}),
                                    ("cuda_sync", "Strange Sync", {}), ("overhead", "Strange Flush", {})))
        track = (str(e.get("pid")), str(e.get("tid")))
        waits[track] += cat == "cuda_sync"
        if waits[track] * 2 >= slices[track]:  # a row of waits belongs to a device
            continue
        later = r.choice((0, 0, e["dur"] // 2 if whole else e["dur"] / 2))
        new.append({"ph": "X", "cat": cat, "name": name, "pid": e.get("pid"), "tid": e.get("tid"), "ts": e["ts"] + later, "dur": e["dur"], "args": args})
    events = events + new
    r.shuffle(events)
    return dict(doc, traceEvents=events)


def check_strangers(found, doc, folder):
    path = os.path.join(folder, "strange.pt.trace.json")
    write(with_strangers(doc, 7), path)
    without = others(doc["traceEvents"]) | {"Strange Flush"}
    changed = summary(path)
    check_agree(changed)
    for got, want, table in zip(selves(changed, without), selves(found, without), ("operators", "key_averages")):
        check_same(got, want, (table + " among functions, modules, overhead and waits, in another order", "without them"))


# ---- hard traces ----

def invented(seed):
    """A trace with few times and names, so that almost every slice coincides with another or crosses it."""
    r = random.Random(seed)
    times, unit, events = r.choice((6, 20, 200)), r.choice((1, decimal.Decimal("0.25"))), []
    cats = [(c, "call %d" % (i % 3)) for i, c in enumerate(CALLS)] + [("cpu_op", n) for n in "abcde"] * 3
    cats += [("user_annotation", n) for n in ("my range", "nccl:all_reduce", "gloo:barrier", "Optimizer.step#SGD.step", "ProfilerStep#2")]
    for i in range(r.choice((5, 30, 200))):
        cat, name = r.choice(cats)
        args = {"External id": i + 1, "Ev Idx": i + 1}
        if cat in CALLS:
            args = {"External id": r.randrange(1, 40), "correlation": 1000 + i}
        events.append({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": r.choice((1, 1, 2)), "ts": 1000 + r.randrange(times) * unit,
                       "dur": r.choice((0, 1, 2, 5, times)) * unit, "args": args})
    events.append({"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 9, "ts": 1000, "dur": 1, "args": {"External id": 999, "Ev Idx": 999}})
    return {"schemaVersion": 1, "traceEvents": events}


# ---- all traces ----

def inputs():
    found = glob.glob(os.path.join(TOP, "assets/sample_*"))
    if CORPUS:
        found += [p for p in glob.glob(os.path.join(CORPUS, "traces", "*", "*")) if os.path.isdir(p) and len(os.listdir(p)) > 1]
        for folder, _, names in os.walk(os.path.join(CORPUS, "traces")):
            found += [os.path.join(folder, name) for name in names]
    return [p for p in sorted(set(found)) if WHICH in p]


class Report:
    failed = 0

    def check(self, what, relation, *args):
        try:
            relation(*args)
            return True
        except (AssertionError, ValueError) as e:
            self.failed += 1
            print("FAIL %s: %s" % (what, str(e)[:600]))
            return False


def main():
    report, opened, again = Report(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in inputs():
            found = summary(path)
            if not found or not found.get("key_averages"):
                continue
            opened += 1
            name = os.path.relpath(path, CORPUS or TOP)
            report.check(name, check_agree, found)
            doc = load(path) if os.path.isfile(path) else None
            if doc and report.check(name, check_again, found, doc):
                again += 1
                report.check(name, check_strangers, found, doc, folder)
        for seed in range(60):
            doc, path = invented(seed), os.path.join(folder, "invented.pt.trace.json")
            write(doc, path)
            found = summary(path)
            report.check("invented %d" % seed, check_agree, found)
            if report.check("invented %d" % seed, check_again, found, doc):
                report.check("invented %d" % seed, check_strangers, found, doc, folder)
    print("%s %d inputs agree, %d of them with their events" % ("FAIL" if report.failed else "ok", opened, again))
    return report.failed > 0


sys.exit(main())
