#!/usr/bin/env python3
"""Relations between any trace and its exports.

- whole: the export of a whole file has the same events with the same members, numbers of the same spelling, and the
  same other members.
- strict: strict readers accept it: JSON with numbers where numbers belong.
- steps: an exported step, opened again, has the tables of --steps on the whole file, and only events of the whole file.
- merge: every event of every worker is in the merged file once; pids stay below 2^31, also for 4,096 workers.

Runs on the project's samples and, with TRACETTY_CORPUS, on the traces of a corpus, with a bounded amount of work.
Environment BIN. One line "ok" or "FAIL" for each relation of each file.
"""
import collections
import concurrent.futures
import csv
import functools
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import spent  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from inputs_todo import Todo  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BIN = os.environ.get("BIN", os.path.join(ROOT, "tracetty"))
BUDGET_S = float(os.environ.get("EXPORT_BUDGET_S", "75"))  # processor seconds
MOST_BYTES = 24 << 20  # bytes of text: Python takes too long on larger files
# Not compared: facts about the file, earlier peaks of memory, values that need other workers, and values over a range of time,
# in which device work of the step before may still run; that work is not in the export of this step.
NOT_OF_A_PART = {"run", "problems", "trust", "findings", "memory_devices", "memory_curve", "memory_alive", "memory_names", "memory_events",
                 "comm_wait", "comm_waits", "comm_ranks", "comm_calls", "rank_times",
                 "step_breakdown", "engine_steps", "serving", "step_compare", "execution_summary", "distribution", "interval", "comm_steps",
                 "gpu_time", "idle_causes", "gpu_gaps", "stream_idle", "critical_path", "what_if", "evidence", "overview", "runs"}


# Tables that name the owner of graph work, which the rest of the trace, or a capture beside it, may tell.
OF_OWNERS = {"graph_ownership", "operators", "modules", "launches", "roofline"}


def run(*args):
    return subprocess.run([BIN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def text_of(path):
    with open(path, "rb") as f:
        raw = f.read(MOST_BYTES + 1)
    if raw[:2] == b"\x1f\x8b":
        with gzip.open(path) as f:
            raw = f.read(MOST_BYTES + 1)
    return raw


class Number(str):
    """A number with its spelling."""


def refuse(constant):
    raise ValueError("bare " + constant)


def parse(raw):
    """Parse a document, keeping the spelling of numbers; a bare list becomes a document. ValueError = no document."""
    doc = json.loads(raw.decode("utf-8"), parse_float=lambda s: "\0" + s, parse_int=lambda s: "\0" + s, parse_constant=refuse)
    return doc if isinstance(doc, dict) else {"traceEvents": doc}


def canonical(event):
    return json.dumps(event, sort_keys=True)


def lost_and_found(a, b):
    a, b = collections.Counter(map(canonical, a)), collections.Counter(map(canonical, b))
    return list((a - b).elements()), list((b - a).elements())


def number(v):
    return isinstance(v, str) and v[:1] == "\0"


def strict(doc):
    """Check what viewers require of every event: a phase of one letter, times that are numbers."""
    wrong = []
    for e in doc["traceEvents"]:
        if not isinstance(e, dict):
            wrong.append("no object: %r" % (e,))
        elif e and "ph" in e:
            if not isinstance(e["ph"], str) or len(e["ph"]) != 1:
                wrong.append("phase %r" % (e["ph"],))
            elif e["ph"] == "X" and not number(e.get("ts")):
                wrong.append("ts %r" % (e.get("ts"),))
    return wrong


TODO = Todo("export_relations", os.environ.get("TRACETTY_CORPUS"))


class Result:
    def __init__(self, name):
        self.name, self.lines, self.failed = name, [], 0

    def check(self, what, wrong):
        word = TODO.word(os.path.join(os.environ.get("TRACETTY_CORPUS") or "/", self.name), not wrong)
        self.failed += word == "FAIL"
        self.lines.append("%s export %s: %s%s" % (word, what, self.name,
                                                  "".join("\n    " + ascii(str(w))[1:-1][:300] for w in wrong[:4]) if wrong else ""))


def whole(result, doc, path, folder):
    out = os.path.join(folder, "whole.json")
    p = run("export", path, "-o", out)
    if p.returncode:
        return result.check("whole", ["status %d: %s" % (p.returncode, p.stderr[-200:])])
    made = parse(text_of(out))
    missing, extra = lost_and_found([e for e in doc["traceEvents"] if isinstance(e, dict)], made["traceEvents"])
    wrong = ["missing " + e for e in missing[:2]] + ["extra " + e for e in extra[:2]]
    if missing or extra:
        wrong.insert(0, "%d of %d missing, %d too many" % (len(missing), len(doc["traceEvents"]), len(extra)))
    for key in sorted({*doc, *made} - {"traceEvents"}):
        if doc.get(key) != made.get(key):
            wrong.append("member %s: %r, was %r" % (key, made.get(key), doc.get(key)))
    result.check("whole", wrong)
    if not strict(doc):
        result.check("strict", strict(made))


@functools.cache
def compared():
    known = [line.split()[0].rstrip(":") for line in run("tables").stdout.decode("utf-8").splitlines() if line[:1].isalpha()]
    return ",".join(t for t in known if t not in NOT_OF_A_PART and not t.startswith("diff_"))  # those need two runs


def tables(path, *options):
    p = run("summary", "--format", "json", "--table", compared(), *options, path)
    if p.returncode:
        return {"": p.stderr.decode("utf-8", "replace")}
    return {t["id"]: t["rows"] for t in json.loads(p.stdout)["tables"]}


SHARES_OF_TIME = ("utilization_pct", "sm_efficiency_pct")


def from_zero(rows):
    """Times relative to the earliest one in their column, because an export has its own axis. Rows of zeros about
    events outside of the export are left out."""
    out = [{k: v for k, v in r.items() if k not in SHARES_OF_TIME} for r in rows]
    out = [r for r in out if any(v for v in r.values() if not isinstance(v, str))]
    for key in {k for r in out for k in r if k == "at_ns" or k.endswith("_at_ns")}:
        first = min((r[key] for r in out if r[key] is not None), default=0)
        for r in out:
            r[key] = None if r[key] is None else r[key] - first
    return sorted(json.dumps(r, sort_keys=True) for r in out)


def differences(a, b):
    wrong = []
    for table in sorted({*a, *b}):
        if isinstance(a.get(table), str) or isinstance(b.get(table), str):
            wrong.append("no tables: %r %r" % (a.get(table), b.get(table)))
            continue
        x, y = collections.Counter(from_zero(a.get(table, []))), collections.Counter(from_zero(b.get(table, [])))
        if x != y:
            wrong.append("%s: %s" % (table, [list((x - y).elements())[:1], list((y - x).elements())[:1]]))
    return wrong


def of_steps(path, *options):
    """Tables of a step, without its number (an engine's steps are numbered in the order of the file), and without the
    column that only traces with graphs have."""
    found = tables(path, *options)
    graphs = found.get("graph_ownership")
    return {t: rows if isinstance(rows, str) else [{k: v for k, v in r.items() if k not in ("step", "replayed_calls")} for r in rows]
            for t, rows in found.items() if not graphs or t not in OF_OWNERS}


def infers_steps(path):
    """Whether the steps follow from the period of the whole trace, which a part of it does not have."""
    p = run("summary", "--format", "csv", "--table", "run", path)
    return b"steps_source,inferred" in p.stdout


def steps_of(path):
    p = run("summary", "--format", "csv", "--table", "step_breakdown", path)
    rows = list(csv.DictReader(io.StringIO(p.stdout.decode("utf-8"))))
    return list(dict.fromkeys(r["step"] for r in rows if r["step"].isdigit()))


def steps(result, doc, path, folder, most):
    known = collections.Counter(map(canonical, doc["traceEvents"])) if doc else None
    numbers = steps_of(path)
    if len(numbers) < 2 or infers_steps(path):
        return
    wrong = []
    for step in numbers[:most]:
        # keep the name and, for some files, the folders, because workers are named after them
        above = os.path.dirname(os.path.abspath(path)).split(os.sep)[-2:] if "trace_view" in path else []
        out = os.path.join(folder, "step", *above, os.path.basename(path).replace(".pb", ".json").replace(".gz", ""))
        os.makedirs(os.path.dirname(out), exist_ok=True)
        p = run("export", "--steps", step, path, "-o", out)
        if p.returncode:
            if b"there is no step" not in p.stderr and b"no step" not in p.stderr:
                wrong.append("step %s: status %d: %s" % (step, p.returncode, p.stderr[-200:]))
            continue
        if known is not None:
            part = parse(text_of(out))
            wrong += ["step %s: %s" % (step, w) for w in (strict(part) if not strict(doc) else [])]
            new = collections.Counter(map(canonical, part["traceEvents"])) - known
            wrong += ["step %s invents %s" % (step, e) for e in list(new)[:1]]
        there = steps_of(out)
        again = step if step in there or not there else there[0]
        whole_file = of_steps(path, "--steps", step)
        wrong += ["step %s: %s" % (step, w) for w in differences(whole_file, of_steps(out))]
        wrong += ["step %s: %s" % (step, w) for w in differences(whole_file, of_steps(out, "--steps", again))]
    result.check("steps", wrong)


def one_file(path, name, most_steps, deadline):
    result = Result(name)
    if spent() > deadline:
        return result
    try:
        raw = text_of(path)
        doc = parse(raw) if len(raw) <= MOST_BYTES else None
    except (ValueError, OSError, EOFError):
        doc = None
    is_list = doc is not None and isinstance(doc.get("traceEvents"), list)
    if not is_list and not path.endswith(".pb"):
        return result
    with tempfile.TemporaryDirectory() as folder:
        if run("check", path).returncode > 1:
            return result
        if is_list:
            whole(result, doc, path, folder)
        steps(result, doc if is_list else None, path, folder, most_steps)
    return result


# ---- several workers

def merged(result, paths, folder):
    out = os.path.join(folder, result.name.replace("/", "_") + ".merged.json")
    p = run("export", "--merge", *paths, "-o", out)
    if p.returncode:
        return result.check("merge", ["status %d: %s" % (p.returncode, p.stderr[-200:])])
    made = parse(text_of(out))["traceEvents"]

    def bare(e):  # without the members that a merge changes
        args = {k: v for k, v in e.get("args", {}).items() if k not in
                ("correlation", "External id", "external id", "Python id", "Python parent id", "Ev Idx", "Record function id",
                 "wait_on_cuda_event_record_corr_id")} if isinstance(e.get("args"), dict) else e.get("args")
        return {**{k: v for k, v in e.items() if k not in ("pid", "id", "ts")}, "args": args}

    names = ("process_name", "process_sort_index")
    parts = [bare(e) for path in paths for e in parse(text_of(path))["traceEvents"] if e and e.get("name") not in names]
    missing, extra = lost_and_found(parts, [bare(e) for e in made if e and e.get("name") not in names])
    wrong = ["missing " + e for e in missing[:2]] + ["extra " + e for e in extra[:2]]
    pids = {int(e["pid"][1:]) for e in made if number(e.get("pid"))}
    if max(pids) >= 2 ** 31 or min(pids) <= -2 ** 31:
        wrong.append("pid %d" % max(pids, key=abs))
    if not any(strict(parse(text_of(p))) for p in paths):
        wrong += strict({"traceEvents": made})
    result.check("merge", wrong)
    merged_is_its_parts(result, paths, out)


def merged_is_its_parts(result, paths, out):
    def rows(*where):
        p = run("summary", "--format", "json", "--table", "all", *where)
        doc = json.loads(p.stdout)
        return {t["id"]: t["rows"] for t in doc["tables"] if t["id"] not in ("run", "problems")}, doc["source"]["workers"]
    (a, workers), (b, again) = rows(*paths), rows(out)
    result.check("merge is its parts", differences(a, b) + ([] if workers == again else ["workers %s, were %s" % (again, workers)]))


def many_workers(folder, n):
    """Workers with the largest pids of Linux, and with pids that do not fit any block."""
    result = Result("%d workers" % n)
    paths, pids = [], set()
    for i in range(n):
        path = os.path.join(folder, "many", "rank%d.json" % i)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        own = [4194304 - i % 7, 0, 1 + i, 2 ** 40 + i]
        with open(path, "w") as f:
            json.dump({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "w%d p%d" % (i, p), "pid": p, "tid": 1, "ts": 1 + i, "dur": 1}
                                       for p in own]}, f)
        paths.append(path)
    out = os.path.join(folder, "many.json")
    p = run("export", "--merge", os.path.join(folder, "many"), "-o", out)
    if p.returncode:
        return result.check("merge", [p.stderr[-300:]]) or result
    wrong = []
    for e in json.load(open(out))["traceEvents"]:
        if e["ph"] != "X":
            continue
        if not 0 <= e["pid"] < 2 ** 31 or e["pid"] in pids:
            wrong.append("pid %d of %s" % (e["pid"], e["name"]))
        pids.add(e["pid"])
    if len(pids) != 4 * n:
        wrong.append("%d processes of %d" % (len(pids), 4 * n))
    result.check("pids", wrong)
    return result


# ---- cases that no sample has

ODD = """{"schemaVersion": 1, "number as text": "12", "long": 1.50, "nested": {"a": [1, 2.0, null, "x\\u00e9"]}, "traceEvents": [
{"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"odd"}},
{"ph":"M","name":"num_cpus","pid":7,"tid":0,"args":{"number":8}},
{"ph":"M","name":"thread_name","pid":7,"tid":1,"args":{"name":"main"}},
{"ph":"B","cat":"cpu_op","name":"pair","pid":7,"tid":1,"ts":10.500,"args":{"begin":1}},
{"ph":"E","cat":"cpu_op","name":"pair","pid":7,"tid":1,"ts":20.25,"args":{"end":2},"extra":[1.10]},
{"ph":"B","name":"never ends","pid":7,"tid":1,"ts":30},
{"ph":"E","name":"never began","pid":7,"tid":9,"ts":31},
{"ph":"b","cat":"io","id":"a1","name":"async","pid":7,"tid":2,"ts":12,"args":{"x":1}},
{"ph":"n","cat":"io","id":"a1","name":"async","pid":7,"tid":2,"ts":13},
{"ph":"e","cat":"io","id":"a1","name":"async","pid":7,"tid":2,"ts":19,"args":{"y":2}},
{"ph":"S","cat":"io","id":5,"name":"old","pid":7,"tid":2,"ts":12},
{"ph":"T","cat":"io","id":5,"name":"old","pid":7,"tid":2,"ts":13,"args":{"step":"a"}},
{"ph":"F","cat":"io","id":5,"name":"old","pid":7,"tid":2,"ts":14},
{"ph":"C","cat":"c","name":"queue","id":"7","pid":7,"tid":3,"ts":13,"args":{"length":2.50}},
{"ph":"C","cat":"c","name":"queue","id":"20","pid":7,"tid":3,"ts":13,"args":{"length":4}},
{"ph":"C","name":"text","pid":7,"ts":14,"args":{"v":"high"}},
{"ph":"C","name":"nothing","pid":7,"ts":14},
{"ph":"N","id":"0x1","name":"obj","pid":7,"tid":1,"ts":15,"args":{}},
{"ph":"O","id":"0x1","name":"obj","pid":7,"tid":1,"ts":16,"args":{"snapshot":{"deep":[{"er":1e3}]}}},
{"ph":"D","id":"0x1","name":"obj","pid":7,"tid":1,"ts":17},
{"ph":"c","name":"clock_sync","pid":7,"tid":1,"ts":17,"args":{"sync_id":"a","issue_ts":16}},
{"ph":"v","id":"d","name":"dump","pid":7,"tid":1,"ts":18,"args":{"dumps":{}}},
{"ph":"V","id":"d","name":"dump","pid":7,"tid":1,"ts":18},
{"ph":"(","name":"context","pid":7,"tid":1,"ts":18,"id":1},
{"ph":")","name":"context","pid":7,"tid":1,"ts":19,"id":1},
{"ph":"R","name":"mark","pid":7,"tid":1,"ts":19},
{"ph":"X","cat":"cpu_op","name":"no time","pid":7,"tid":1,"dur":2},
{"ph":"X","cat":"cpu_op","name":"no duration","pid":7,"tid":1,"ts":40},
{"ph":"X","cat":"cpu_op","name":"null duration","pid":7,"tid":1,"ts":41,"dur":null},
{"ph":"s","cat":"odd","name":"f","id":9,"pid":7,"tid":1,"ts":40.1},
{"ph":"i","s":"g","name":"Record Window End","pid":"","tid":"","ts":50.000},
{"name":"no phase"},
{}
], "after": "the list", "displayTimeUnit": "ms"}
"""


def odd(folder):
    result, path = Result("odd events"), os.path.join(folder, "odd.json")
    with open(path, "w") as f:
        f.write(ODD)
    doc = parse(ODD.encode())
    whole(result, doc, path, folder)
    p = run("export", "--range", "0-4us", path, "-o", os.path.join(folder, "part.json"))
    part = parse(text_of(os.path.join(folder, "part.json")))["traceEvents"]
    missing, extra = lost_and_found([e for e in doc["traceEvents"] if e.get("ph") == "M"] +
                                    [e for e in doc["traceEvents"] if number(e.get("ts")) and float(e["ts"][1:]) < 14.5 and e["ph"] != "R"] +
                                    [e for e in doc["traceEvents"] if e.get("name") in ("pair", "async") and e["ph"] in "Ee"], part)
    result.check("a part", ["missing " + e for e in missing] + ["extra " + e for e in extra])
    return result


def dump(folder):
    """Paddle's dump has all facts that the JSON of the run has, and more."""
    result = Result("paddle dump")
    sample = os.path.join(ROOT, "assets", "sample_paddle")
    pb = next(os.path.join(sample, f) for f in os.listdir(sample) if f.endswith(".pb"))
    js = next(os.path.join(sample, f) for f in os.listdir(sample) if f.endswith(".json"))
    out = os.path.join(folder, os.path.basename(js))
    p = run("export", pb, "-o", out)
    if p.returncode or b"warning" in p.stderr.lower() or b"left out" in p.stderr:
        result.check("whole", [p.stderr])
    result.check("strict", strict(parse(text_of(out))))
    result.check("tables", differences(tables(pb), tables(out)) + differences(
        {"memory": rows_of(pb, "memory_events")}, {"memory": rows_of(out, "memory_events")}))
    made = collections.defaultdict(list)
    for e in json.load(open(out))["traceEvents"]:
        made[e["ph"], e.get("cat"), e["name"]].append(e)
    wrong = []
    skip = {"start_time", "end_time", "memory bandwidth (GB/s)"}  # spelling of times, and values from others
    for e in json.load(open(js))["traceEvents"]:
        if not e or e["ph"] not in "Xi":
            continue
        name = e["name"].rsplit("[", 1)[0] if e["ph"] == "X" else e["name"]
        near = [m for m in made[e["ph"], e["cat"], name] if abs(m["ts"] - e["ts"]) < 1.001]
        want = {k: v for k, v in e["args"].items() if k not in skip}

        def same(a, b):
            return abs(a - b) < 1e-3 if isinstance(a, float) else a == b
        if e["ph"] == "X" and not want.get("callstack", True):
            want = {k: v for k, v in want.items() if k not in ("callstack", "input_shapes", "input_dtypes")}
        if not any(all(k in m["args"] and same(v, m["args"][k]) for k, v in want.items()) for m in near):
            wrong.append("%s %s: %s" % (e["ph"], name, [(k, v) for k, v in want.items() if not any(k in m["args"] and same(v, m["args"][k]) for m in near)]))
    result.check("arguments", wrong)
    return result


def rows_of(path, table):
    return json.loads(run("summary", "--format", "json", "--table", table, path).stdout)["tables"][0]["rows"]


def samples():
    for folder, _, files in os.walk(os.path.join(ROOT, "assets")):
        for f in sorted(files):
            # a Chrome trace cannot hold all of an XSpace (programs, FLOPs): tests/cli/xplane.py compares the rest
            if f.endswith((".json", ".json.gz", ".pb")) and not f.endswith(".xplane.pb"):
                yield os.path.join(folder, f)


def corpus():
    top = os.environ.get("TRACETTY_CORPUS")
    found = []
    for folder, _, files in os.walk(os.path.join(top, "traces") if top else "/nonexistent"):
        found += [os.path.join(folder, f) for f in files if f.endswith((".json", ".gz", ".pb", ".txt")) and not f.endswith(".xplane.pb")]
    return sorted(found, key=lambda p: (os.path.getsize(p), p))  # the small files first


def sets():
    """Folders of the corpus with several workers."""
    names = collections.Counter(os.path.dirname(p) for p in corpus() if p.endswith((".pt.trace.json", ".pt.trace.json.gz",
                                                                                    ".paddle_trace.json")))
    return [d for d, n in sorted(names.items()) if n > 1]


def set_of_workers(where, name, folder, deadline):
    result = Result(name)
    paths = sorted(os.path.join(where, f) for f in os.listdir(where) if ".json" in f)
    if spent() < deadline and all(len(text_of(p)) <= MOST_BYTES for p in paths):
        merged(result, paths, folder)
    return result


def main():
    deadline = spent() + BUDGET_S
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        gpu = os.path.join(ROOT, "assets", "sample_gpu")
        jobs = [pool.submit(one_file, p, os.path.relpath(p, ROOT), 99, deadline + 1e6) for p in samples()]
        jobs += [pool.submit(odd, folder), pool.submit(dump, folder), pool.submit(many_workers, folder, 4096)]
        pair = Result("sample_gpu")
        merged(pair, sorted(os.path.join(gpu, f) for f in os.listdir(gpu)), folder)
        top = os.environ.get("TRACETTY_CORPUS", "")
        jobs += [pool.submit(one_file, p, os.path.relpath(p, top), 3, deadline) for p in corpus()]
        jobs += [pool.submit(set_of_workers, d, os.path.relpath(d, top), folder, deadline) for d in sets()]
        results = [j.result() for j in jobs] + [pair]
    over = TODO.over()
    for line in [line for r in results for line in r.lines] + over:
        print(line)
    return 1 if over or any(r.failed for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
