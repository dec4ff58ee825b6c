#!/usr/bin/env python3
"""`tracetty sql`: tables computed from events, the worked queries of assets/doc/sql.md against a computation from the
JSON, lookups against scans, malicious queries, formats and messages. The reference reads the JSON with exact decimals
and looks at every event for every query."""
import collections
import csv
import decimal
import glob
import gzip
import io
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import at_most  # noqa: E402

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE = sorted(glob.glob(TOP + "/assets/sample_gpu/*rank0*"))[0]
BOTH = TOP + "/assets/sample_gpu"


def report(what, ok, why=""):
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:600]))


def run(query, *options, path=SAMPLE, stdin=None):
    command = [BIN, "sql", *options] + ([] if query is None else ["-e", query]) + [path]
    return subprocess.run(command, capture_output=True, text=True, input=stdin,
                          **({} if stdin is not None else {"stdin": subprocess.DEVNULL}))


def ask(query, path=SAMPLE):
    p = run(query, "--format", "json", path=path)
    assert p.returncode == 0, p.stderr
    return [list(r.values()) for r in json.loads(p.stdout)["tables"][0]["rows"]]


def ask_all(queries, path=SAMPLE):
    """The rows of each query, from one run."""
    p = run(None, "--format", "json", path=path, stdin=";\n".join(queries))
    assert p.returncode == 0, p.stderr
    tables = json.loads(p.stdout)["tables"]
    assert len(tables) == len(queries), (len(tables), len(queries))
    return [[list(r.values()) for r in t["rows"]] for t in tables]


def summary(table, *options, path=SAMPLE):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", table, *options, path], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return json.loads(p.stdout)["tables"]


if "without libsqlite3" in run("SELECT 1").stderr:
    print("skip sql: built without libsqlite3")
    raise SystemExit(0)

# ---- the trace, read again

with gzip.open(SAMPLE, "rt") as f:
    EVENTS = json.load(f, parse_float=decimal.Decimal)["traceEvents"]
T0 = min(int(decimal.Decimal(e["ts"]) * 1000) for e in EVENTS if e["ph"] != "M")
Slice = collections.namedtuple("Slice", "name cat pid tid start dur args")
SLICES = [Slice(e["name"], e["cat"], e["pid"], e["tid"], int(e["ts"] * 1000) - T0, int(e["dur"] * 1000), e.get("args") or {})
          for e in EVENTS if e["ph"] == "X"]
KERNELS = [s for s in SLICES if s.cat == "kernel"]
WORK = [s for s in SLICES if s.cat in ("kernel", "gpu_memcpy", "gpu_memset")]
OPS = [s for s in SLICES if s.cat == "cpu_op"]
CALLS = {s.args["correlation"]: s for s in SLICES if s.cat in ("cuda_runtime", "cuda_driver")}
MEMORY = [(int(e["ts"] * 1000) - T0, e["args"]) for e in EVENTS if e["name"] == "[memory]"]
STEPS = {int(s.name.split("#")[1]): s for s in SLICES if s.cat == "user_annotation" and s.name.startswith("ProfilerStep#")}


def launch(s):
    return CALLS.get(s.args.get("correlation"))


def operator(s):
    """The innermost operator around the launch, by a look at all operators."""
    call = launch(s)
    if call is None:
        return None
    around = [o for o in OPS if (o.pid, o.tid) == (call.pid, call.tid) and o.start <= call.start and o.start + o.dur >= call.start + call.dur]
    return max(around, key=lambda o: (o.start, -o.dur), default=None)


def step(s):
    at = launch(s).start if s.cat in ("kernel", "gpu_memcpy", "gpu_memset") and launch(s) else s.start
    return next((n for n, p in STEPS.items() if p.start <= at < p.start + p.dur), None)


def percentile(values, p):
    values = sorted(values)
    place = p / 100 * (len(values) - 1)
    low = int(place)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (place - low)


def union(slices):
    total, end = 0, None
    for s in sorted(slices, key=lambda s: s.start):
        a, b = s.start, s.start + s.dur
        total += max(0, b - (a if end is None else max(a, end)))
        end = b if end is None else max(end, b)
    return total


def grouped(items, key):
    out = collections.defaultdict(list)
    for i in items:
        out[key(i)].append(i)
    return out


def launch_delay():
    waits = grouped([k for k in KERNELS if launch(k)], lambda k: k.name)
    rows = [[n, len(v), percentile([k.start - launch(k).start for k in v], 50), max(k.start - launch(k).start for k in v)] for n, v in waits.items()]
    return sorted(rows, key=lambda r: (-r[3], r[0]))


def stream_gaps():
    rows = []
    for track in grouped(WORK, lambda s: (s.pid, s.tid)).values():
        track.sort(key=lambda s: s.start)
        end = track[0].start + track[0].dur
        for s in track[1:]:
            if s.start - end > 50000:
                rows.append([None, s.start, s.start - end, s.name])
            end = max(end, s.start + s.dur)
    return sorted(rows, key=lambda r: r[1])


def operator_tail():
    by = grouped(OPS, lambda s: s.name)
    return [[n, len(v)] + [percentile([s.dur for s in v], p) for p in (50, 95, 99)] for n, v in sorted(by.items()) if len(v) >= 12]


def hidden_communication():
    nccl = [k for k in KERNELS if k.name.lower().startswith("nccl")]
    rest = [k for k in KERNELS if not k.name.lower().startswith("nccl")]
    return [[union(nccl), union(nccl) + union(rest) - union(KERNELS)]]


def shapes():
    of = [(operator(k), k) for k in KERNELS]
    by = grouped([(o, k) for o, k in of if o and o.name == "aten::mm"], lambda p: json.dumps(p[0].args["Input Dims"]))
    return sorted(([s, len(v), sum(k.dur for _, k in v)] for s, v in by.items()), key=lambda r: (-r[2], r[0]))


def slow_step():
    by_length = sorted(STEPS, key=lambda n: (-STEPS[n].dur, n))
    worst, best = by_length[0], min(STEPS, key=lambda n: (STEPS[n].dur, n))
    rows = []
    for name, v in grouped(KERNELS, lambda k: k.name).items():
        a, b = [k.dur for k in v if step(k) == worst], [k.dur for k in v if step(k) == best]
        if a and b:
            rows.append([name, sum(a) - sum(b)])
    return sorted(rows, key=lambda r: (-r[1], r[0]))


def callers():
    o = operator(max(KERNELS, key=lambda k: k.dur))
    around = [s for s in SLICES if (s.pid, s.tid) == (o.pid, o.tid) and s.cat not in ("python_function", "overhead", "Trace") and
              s.start <= o.start and s.start + s.dur >= o.start + o.dur]
    return [[None, s.name] for s in sorted(around, key=lambda s: (-s.start, s.dur))]


def launch_bound():
    by = grouped([k for k in KERNELS if launch(k) and launch(k).dur > k.dur], lambda k: k.name)
    return sorted(([n, len(v), sum(launch(k).dur - k.dur for k in v)] for n, v in by.items()), key=lambda r: (-r[2], r[0]))


def at_the_peak():
    at = min((-a["Total Allocated"], t) for t, a in MEMORY if a["Device Type"] == 1)[1]
    kinds = {"kernel": "kernel", "gpu_memcpy": "memcpy", "gpu_memset": "memset"}
    return [[None, s.name, kinds[s.cat]] for s in WORK if s.start <= at < s.start + s.dur]


def waiting_for_the_device():
    by = grouped([s for s in SLICES if s.cat == "cuda_runtime" and "synchronize" in s.name.lower() and step(s)], step)
    return [[n, len(v), sum(s.dur for s in v)] for n, v in sorted(by.items())]


def without_work():
    device = [s for s in SLICES if s.cat in ("kernel", "gpu_memcpy", "gpu_memset", "cuda_sync")]
    ops = {id(operator(s)) for s in device}
    for c in CALLS.values():
        around = [o for o in OPS if (o.pid, o.tid) == (c.pid, c.tid) and o.start <= c.start and o.start + o.dur >= c.start + c.dur]
        ops.add(id(max(around, key=lambda o: (o.start, -o.dur), default=None)))
    by = grouped([o for o in OPS if id(o) not in ops], lambda o: o.name)
    return sorted(([n, len(v), sum(s.dur for s in v)] for n, v in by.items()), key=lambda r: (-r[2], r[0]))


def large_allocations():
    gpu = [(t, a["Addr"], a["Bytes"]) for t, a in MEMORY if a["Device Type"] == 1]
    by = grouped([m for m in gpu if m[2] >= 64 << 20], lambda m: m[2])
    return [[b, len(v), sum(any(f[0] > a[0] and f[1] == a[1] and f[2] == -b for f in gpu) for a in v)] for b, v in sorted(by.items())]


def same(a, b):
    """The reference has no ids."""
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if len(x) != len(y) or any(w is not None and v != w and not (isinstance(v, (int, float)) and isinstance(w, (int, float)) and
                                                                     abs(v - w) <= 1e-9 * abs(w)) for v, w in zip(x, y)):
            return False
    return True


with open(TOP + "/assets/doc/sql.md") as f:
    QUERIES = dict(re.findall(r"```sql\n-- (\w+)\n(.*?)```", f.read(), re.S))
report("the manual has twelve worked queries", len(QUERIES) == 12, len(QUERIES))
for name, got in zip(QUERIES, ask_all([q.strip() for q in QUERIES.values()])):
    want = globals()[name]()
    if name == "shapes":
        got = [[json.dumps(json.loads(r[0]))] + r[1:] for r in got]
    report("worked query " + name, want and same(got, want), "\n%s\n%s" % (got[:4], want[:4]))

# ---- tables computed again

for path in (SAMPLE, BOTH):
    # for a single run
    wrong = []
    tables = summary("all", path=path)
    rows = ask_all(["SELECT %s FROM %s" % (", ".join('"%s"' % c["key"] for c in t["columns"]), t["id"]) for t in tables], path)
    for t, got in zip(tables, rows):
        want = [[r[c["key"]] for c in t["columns"]] for r in t["rows"]]
        if sorted(map(repr, got)) != sorted(map(repr, want)):
            wrong.append(t["id"])
    report("every one of %d tables has the same rows in SQL: %s" % (len(tables), os.path.basename(path)), len(tables) > 30 and not wrong, wrong)

RESTATED = {  # table: its columns, the same from events
    "kernels": ("name calls total_ns max_ns min_ns",
                "SELECT name, count(*), sum(duration), max(duration), min(duration) FROM slices WHERE kind = 'kernel' GROUP BY name"),
    "runtime_api": ("name calls total_ns max_ns min_ns",
                    "SELECT name, count(*), sum(duration), max(duration), min(duration) FROM slices WHERE kind IN ('runtime', 'driver') GROUP BY name"),
    "key_averages": ("name calls cpu_self_ns", "SELECT name, count(*), sum(self) FROM slices WHERE kind = 'cpu_op' GROUP BY name"),
    "memcpy": ("name calls bytes device_total_ns",
               "SELECT name, count(*), sum(arg(id, 'bytes')), sum(duration) FROM slices WHERE kind IN ('memcpy', 'memset') GROUP BY name"),
    "memory_devices": ("device peak_allocated_bytes peak_reserved_bytes",
                       "SELECT device, max(allocated), max(reserved) FROM memory GROUP BY device"),
    "memory_curve": ("device at_ns allocated_bytes reserved_bytes", "SELECT device, at, allocated, reserved FROM memory"),
    "step_breakdown": ("step start_at_ns total_ns", "SELECT number || '', start, duration FROM steps WHERE kept"),
    "launches": ("name works delay_total_ns delay_min_ns",
                 "SELECT k.name, count(*), sum(max(0, k.start - l.start - l.duration)), min(max(0, k.start - l.start - l.duration)) FROM slices k JOIN slices l "
                 "ON l.id = k.launch WHERE k.kind IN ('kernel', 'memcpy', 'memset') GROUP BY k.name"),
    "user_ranges": ("name calls host_total_ns",
                    "SELECT name, count(*), sum(duration) FROM slices WHERE kind = 'annotation' GROUP BY name"),
    "gpu_time": ("device busy_ns", "SELECT device, covered(start, duration) FROM slices WHERE kind IN ('kernel', 'memcpy', 'memset') GROUP BY device"),
    "event_types": ("type calls", "SELECT category, count(*) FROM slices GROUP BY category"),
    "kernels --group-by operator": ("operator name calls total_ns",
                                    "SELECT o.name, k.name, count(*), sum(k.duration) FROM slices k LEFT JOIN slices o ON o.id = k.operator "
                                    "WHERE k.kind = 'kernel' GROUP BY 1, 2"),
}
for table, (columns, query) in RESTATED.items():
    t = summary(*table.split())[0]
    want = [[r[c] for c in columns.split()] for r in t["rows"]]
    if table == "key_averages":  # it has other events, too
        want = [r for r in want if r[0] in {o.name for o in OPS}]
    if table == "event_types":  # the categories that it does not merge
        want = [r for r in want if r[0] in ("cpu_op", "cuda_runtime", "cuda_driver", "gpu_memset")]
    got = [r for r in ask(query) if table != "event_types" or r[0] in {w[0] for w in want}]
    report("restated: " + table, want and sorted(map(repr, want)) == sorted(map(repr, got)), "\n%s\n%s" % (sorted(want, key=repr)[:3], sorted(got, key=repr)[:3]))

# ---- lookups find what a scan finds (+x keeps SQLite from handing the constraint over)

COLUMNS = {"id": 97, "parent": 33, "launch": 44, "correlation": 9, "name": "'aten::mm'", "category": "'kernel'", "kind": "'cpu_op'", "track": 2,
           "step": 3, "device": "'GPU0'", "stream": 7}
WHERE = ["%s = %s" % c for c in COLUMNS.items()] + [
    "start > 5000000 AND start <= 9000000.5", "start < 1e6", "start = 6000001", "start BETWEEN 9 AND 8",
    "start > 1 AND name = 'aten::mm'", "name = 'aten::mm' AND name = 'x'", "kind = 'kernel' AND category = 'cpu_op'", "id = 1.5", "parent IS NULL",
    "launch = 'x'", "start > NULL", "start > 'x'", "start > x'00'", "name = 'ATEN::MM' COLLATE NOCASE", "correlation = -1",
    "duration BETWEEN 100 AND 2000 AND kind = 'runtime'", "track = 99", "step = 3 AND stream = 7", "step = 3 AND step = 4", "step = 3.5",
    "step = NULL", "step = -9223372036854775808", "step IS NULL", "step = 99999", "step = 2 AND name = 'aten::mm' AND kind = 'cpu_op'",
    "device = 'GPU'", "device = 'GPU00'", "device = 'gpu0'", "device = 'gpu0' COLLATE NOCASE", "device = 'NPU0'", "device = 0", "device = 'GPU1' AND step = 4",
    "stream = 7.0", "stream = 'x'", "stream = 7 AND device = 'GPU0' AND start > 3000000", "stream = 20 AND kind = 'kernel'"]
NAMES = r"\b(start|duration|name|kind|category|id|parent|launch|correlation|track|step|device|stream)\b"
QUICK = ask_all(["SELECT id FROM slices WHERE %s ORDER BY +id" % w for w in WHERE], BOTH)
SCANS = ask_all(["SELECT id FROM slices WHERE %s ORDER BY +id" % re.sub(NAMES, r"+\1", w) for w in WHERE], BOTH)
for where, a, b in zip(WHERE, QUICK, SCANS):
    report("the same by look-up and by scan: " + where, a == b and (a or where not in WHERE[:len(COLUMNS)]), (len(a), len(b)))
# many lookups in one column, as in joins
TWICE = ["SELECT count(*), sum(s.id) FROM tracks t JOIN slices s ON %s s.stream = t.stream AND s.device = t.device" % p for p in ("", "+")]
TWICE += ["SELECT count(*), sum(s.id) FROM steps p JOIN slices s ON %s p.number = s.step WHERE s.kind = 'kernel'" % p for p in ("", "+")]
rows = ask_all([q.replace("+ s.", "+s.").replace("+ p.number = s.step", "p.number = +s.step") for q in TWICE], BOTH)
report("joins on stream and on step are those of scans", rows[0] == rows[1] and rows[2] == rows[3] and rows[0][0][0] > 0 and rows[2][0][0] > 0, rows)
ORDERS = ["start", "name", "id", "kind", "category", "step", "device", "stream"]
ORDERS += [o + " DESC" for o in ORDERS]
ORDERED, GROUPED = [], []
for order in ORDERS:
    column = order.split()[0]
    ORDERED += ["SELECT %s FROM slices ORDER BY %s%s" % (column, p, order) for p in ("", "+")]
    GROUPED += ["SELECT %s, count(*), sum(duration) FROM slices GROUP BY %s%s ORDER BY %s" % (column, p, column, order) for p in ("", "+")]
for what, queries in (("order", ORDERED), ("groups", GROUPED)):
    rows = ask_all(queries, BOTH)
    for i, order in enumerate(ORDERS):
        report("the same %s: %s" % (what, order), rows[2 * i] and rows[2 * i] == rows[2 * i + 1], (rows[2 * i][:4], rows[2 * i + 1][:4]))
a, b = (ask("SELECT count(*), sum(at), sum(bytes) FROM memory WHERE %sat > 2000000 AND %sat <= 5000000.0" % (p, p), BOTH) for p in ("", "+"))
report("memory: a range of times as by scan", a == b and a[0][0], (a, b))
a = ask("SELECT s.worker, count(*), count(DISTINCT s.id >> 32) FROM slices s GROUP BY s.worker", BOTH)
report("several workers: whose a row is", len(a) == 2 and all(r[2] == 1 for r in a), a)
a = ask("SELECT count(*) FROM slices k JOIN slices l USING (worker, correlation) WHERE k.kind = 'kernel' AND l.kind = 'runtime'", BOTH)
b = ask("SELECT count(*) FROM slices k JOIN slices l ON l.id = k.launch WHERE k.kind = 'kernel' AND l.kind = 'runtime'", BOTH)
report("a join on worker and correlation is a join on the launch", a == b and a[0][0] > 2000, (a, b))

# ---- values and functions

got = ask("SELECT overlap(0, 10, 5, 20), overlap(0, 5, 5, 9), overlap(0, 9, 2, 3), overlap(1, NULL, 2, 3), arg(0, 'none'), arg(-1, 'x'), arg(1 << 60, 'x')")
report("overlap() and arg() at their edges", got == [[5, 0, 1, None, None, None, None]], got)
got = ask("WITH v(x) AS (VALUES (1), (2), (3), (4), (NULL)) SELECT median(x), percentile(x, 0), percentile(x, 100), percentile(x, 25) FROM v")
report("median() and percentile() of four values", got == [[2.5, 1, 4, 1.75]], got)
got = ask("SELECT median(x), covered(x, 1) FROM (SELECT 1 AS x) WHERE x > 1")
report("aggregates of nothing", got == [[None, 0]], got)
one = next(s for s in OPS if s.args.get("Input Dims"))
got = ask("SELECT args FROM slices WHERE kind = 'cpu_op' AND arg(id, 'Ev Idx') = %d" % one.args["Ev Idx"])
report("args is the JSON of the file", len(got) == 1 and json.loads(got[0][0], parse_float=decimal.Decimal) == one.args, got)
got = run("SELECT 1 AS a, 'x' AS a, NULL AS \"\", x'00ff' AS b, 1.5 AS c UNION ALL SELECT 'é', 2, 3, 4, 5", "--format", "json")
rows = json.loads(got.stdout)["tables"][0]["rows"]
report("columns of mixed values, with equal and empty names", rows == [
    {"a": "1", "a_2": "x", "column": None, "b": "00ff", "c": 1.5}, {"a": "é", "a_2": "2", "column": 3, "b": "4", "c": 5}], rows)
p = run("SELECT '=1+1' AS f, 'a\"b' AS g, 3 AS n", "--format", "csv")
report("csv is quoted and guarded", list(csv.reader(io.StringIO(p.stdout))) == [["f", "g", "n"], ["'=1+1", 'a"b', "3"]], p.stdout)
p = run("SELECT char(27) || '[2J' AS x, 5000000 AS t_ns")
report("text: no controls of a terminal, human units", "\x1b" not in p.stdout and "5.0" in p.stdout and " ms" in p.stdout, p.stdout)
p = run("SELECT 1234567 AS id, 7654321 AS op_id, 1234567 AS n, 2345678 AS grid")
report("text: ids are not grouped, amounts are", p.stdout.split()[-4:] == ["1234567", "7654321", "1,234,567", "2,345,678"], p.stdout)
p = run("SELECT s.id, address FROM slices s, memory m WHERE s.id = 5000 LIMIT 1")
report("text: those of tables neither", "," not in p.stdout and "5000" in p.stdout, p.stdout)
p = run(None, "--format", "markdown", stdin="-- a comment\nSELECT 1 AS one;\n.schema steps\n;; SELECT 2 AS two")
report("standard input: several statements, comments, commands", p.returncode == 0 and "one" in p.stdout and "two" in p.stdout and "host_start" in p.stdout, p.stdout)
p = run("SELECT 1; SELECT 2", "--format", "csv")
report("csv: one result", p.returncode == 2 and "one query" in p.stderr, p.stderr)
p = run(".tables", "--format", "json")
report("all tables are listed", {"slices", "kernels", "trust"} <= {r["name"] for r in json.loads(p.stdout)["tables"][0]["rows"]}, p.stdout[:200])

# ---- malicious queries

MEAN = {  # query: status, words of the message
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c": (4, "--timeout"),
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT * FROM c ORDER BY x": (4, "--"),
    "SELECT count(*) FROM slices a, slices b, slices c": (4, "--timeout"),
    "SELECT * FROM slices a, slices b": (4, "--"),
    "SELECT a.name, b.name, count(*) FROM slices a, slices b GROUP BY a.id, b.id": (4, "--"),
    "SELECT sum(length(printf('%.*c', 15000000 + id % 2, 'x'))) FROM slices": (4, "--timeout"),
    "SELECT zeroblob(1000000000)": (4, "16 MiB"),
    "SELECT randomblob(1000000000)": (4, "16 MiB"),
    "SELECT printf('%1000000000d', 1)": (4, "16 MiB"),
    "SELECT printf('%d %-*.*c', 1, 3, 1000000000, 'x')": (4, "16 MiB"),
    "SELECT format('%.99999999999999999999f', 1.0)": (4, "16 MiB"),
    "WITH RECURSIVE c(x) AS (SELECT 'x' UNION ALL SELECT x || x FROM c) SELECT length(x) FROM c": (4, "16 MiB"),
    "SELECT replace(printf('%.15000000c', 'x'), 'x', 'yyyyyyyyyy')": (4, "16 MiB"),
    "SELECT name LIKE printf('%.2000c', '%') FROM slices": (2, "too complex"),
    "SELECT group_concat(printf('%.2000c', 'x')) FROM slices, (VALUES (1), (2))": (4, "16 MiB"),
    "SELECT hex(zeroblob(60000000)) || hex(zeroblob(60000000))": (4, "16 MiB"),
    "SELECT group_concat(a.name, a.name) FROM slices a, slices b": (4, ""),
    "ATTACH '/tmp/tt_sql_attach' AS x": (2, "ATTACH is not allowed"),
    "PRAGMA database_list": (2, "not allowed"),
    "PRAGMA hard_heap_limit = 0": (2, "not allowed"),
    "PRAGMA temp_store_directory = '/tmp'": (2, "not allowed"),
    "SELECT * FROM pragma_database_list": (2, "not a"),
    "SELECT load_extension('/tmp/x.so')": (2, "not authorized"),
    "SELECT writefile('/tmp/x', 'y')": (2, "no such function"),
    "SELECT readfile('/etc/passwd')": (2, "no such function"),
    "SELECT edit('x')": (2, "no such function"),
    "CREATE TABLE x(y)": (2, "not allowed"),
    "CREATE TEMP TABLE x(y)": (2, "not allowed"),
    "CREATE VIRTUAL TABLE x USING slices": (2, "not allowed"),
    "DELETE FROM slices": (2, ""),
    "UPDATE slices SET name = 'x'": (2, ""),
    "INSERT INTO kernels(name) VALUES ('x')": (2, ""),
    "DROP TABLE slices": (2, ""),
    "VACUUM INTO '/tmp/tt_sql_vacuum'": (2, ""),
    "BEGIN": (2, "not allowed"),
    "REINDEX": (2, ""),
    "SELECT fts3_tokenizer('simple')": (2, ""),
    "SELECT 1 FROM slicez": (2, "no such table"),
    "SELEC 1": (2, "SELEC"),
    "SELECT " + "abs(" * 5000 + "1" + ")" * 5000: (2, ""),
    "SELECT " + "1+" * 30000 + "1": (2, ""),
    "SELECT * FROM kernels('nothing')": (2, "name, launch, operator"),
}
LIMIT = 3 << 30


def confined():
    at_most(12)()
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


sanitized = "asan" in BIN or "tsan" in BIN  # they reserve the whole address space
for query, (status, words) in MEAN.items():
    # Other refusals must not be slow: at_most() limits their work, as a busy machine stretches any time.
    limit = "300ms" if words in ("--timeout", "--", "") else "3600s"
    p = subprocess.run([BIN, "sql", "--timeout", limit, "-e", query, SAMPLE], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                       preexec_fn=at_most(12) if sanitized else confined)
    report("refused: " + query[:70], p.returncode == status and words in p.stderr and p.stderr.startswith("tracetty: ") and not p.stdout, (p.returncode, p.stderr))
# SQLite 3.46 and later reads as many brackets as fit, earlier versions refuse them
brackets = subprocess.run([BIN, "sql", "--format", "csv", "-e", "SELECT " + "(" * 5000 + "1 AS one" + ")" * 5000, SAMPLE], capture_output=True, text=True)
answers = subprocess.run([BIN, "sql", "--format", "csv", "-e", "SELECT " + "(" * 5000 + "1" + ")" * 5000 + " AS one", SAMPLE], capture_output=True, text=True)
report("thousands of brackets: refused or read", brackets.returncode == 2 and brackets.stderr.startswith("tracetty: ") and
       (answers.returncode, answers.stdout) in ((2, ""), (0, "one\n1\n")), (brackets, answers.returncode, answers.stderr))
FORMATS = ["printf('%5d|%-5d|%05d|%+d', 42, 42, 42, 42)", "printf('%.3f %g %e', 1.5, 2.25, 1e10)", "printf('%s %q %Q %w', 'a', 'b''c', NULL, 'x')",
           "printf('%*d|%.*f|%-*s|', 8, 3, 2, 1.23456, 5, 'ab')", "printf('%% %d%%', 5)", "printf('%,d', 1234567)", "printf('x')", "printf(NULL)", "printf('%')",
           "printf('%lld %x %c', 5, 255, 'hello')", "printf('%d %d %d', 1)", "format('%s-%s', 1, 2)", "printf('%s', x'4142')", "printf('%*d', -6, 7) || '|'"]
memory = sqlite3.connect(":memory:")
want = [memory.execute("SELECT " + f.replace("format(", "printf(")).fetchone()[0] for f in FORMATS]
got = ask("SELECT " + ", ".join("%s AS c%d" % (f, i) for i, f in enumerate(FORMATS)))[0]
report("printf() is SQLite's", got == want, list(zip(got, want)))
report("nothing was written", not glob.glob("/tmp/tt_sql_*"), glob.glob("/tmp/tt_sql_*"))
with tempfile.TemporaryDirectory() as d:
    before = set(os.listdir(d))
    subprocess.run([BIN, "sql", "-e", "SELECT a.name FROM slices a ORDER BY a.name || a.id", SAMPLE], capture_output=True, cwd=d,
                   env={**os.environ, "TMPDIR": d, "SQLITE_TMPDIR": d})
    report("a sort writes no file", set(os.listdir(d)) == before)
for args, words in ((["--timeout", "x"], "--timeout"), (["--max-memory", "x"], "--max-memory"), (["--limit", "x"], "--limit")):
    p = run("SELECT 1", *args)
    report("refused: " + " ".join(args), p.returncode == 2 and words in p.stderr, p.stderr)
WIDE = "SELECT printf('%.4000c', 'x') AS x, a.id FROM slices a, slices b LIMIT 25000"
p = run(WIDE, "--max-memory", "64M", "--format", "json")
report("--max-memory bounds a result", p.returncode == 4 and "--max-memory" in p.stderr and not p.stdout, (p.returncode, p.stderr))
p = run(WIDE, "--max-memory", "64M", "--format", "csv")
report("csv is written row by row, and has no bound", p.returncode == 0 and p.stdout.count("\n") == 25001 and len(p.stdout) > 100000000, (p.returncode, p.stderr))
with subprocess.Popen([BIN, "sql", "--format", "csv", "-e", "SELECT a.id, b.name FROM slices a, slices b", SAMPLE], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL) as p:
    lines = [p.stdout.readline() for _ in range(3)]
    p.stdout.close()
    message = p.stderr.read()
report("| head ends it, quietly", p.returncode in (0, -signal.SIGPIPE) and not message and lines[0] == "id,name\n", (p.returncode, message, lines))
with subprocess.Popen([BIN, "sql", "--format", "csv", "-e", "SELECT a.id, b.name FROM slices a, slices b", SAMPLE], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL) as p:
    p.stdout.readline()
    p.send_signal(signal.SIGINT)
    p.stdout.read()
report("Ctrl-C ends it", p.wait() in (130, -signal.SIGINT), p.returncode)
MIXED = "SELECT 1 AS a, -1 AS b, 2.5 AS t_ns UNION ALL SELECT 'x', '-y', NULL UNION ALL SELECT 9007199254740993, x'01', 7"
p = run(MIXED, "--format", "csv")
report("csv: each value by itself", list(csv.reader(io.StringIO(p.stdout))) == [["a", "b", "t_ns"], ["1", "-1", "2.5"], ["x", "'-y", ""],
                                                                                 ["9007199254740993", "01", "7"]], p.stdout)
p = run("SELECT id, name, duration, step, device FROM slices ORDER BY id", "--format", "csv")
rows = [["" if v is None else str(v) for v in r] for r in ask("SELECT id, name, duration, step, device FROM slices ORDER BY id")]
report("csv has the values of json", list(csv.reader(io.StringIO(p.stdout)))[1:] == rows and len(rows) == 7500, p.stdout[:200])
p = run("SELECT id FROM slices", "--format", "csv", "--limit", "4")
report("csv: --limit", p.stdout.split() == ["id", "0", "1", "2", "3"], p.stdout[:100])

for form in ("text", "csv", "json", "markdown"):
    p = run('SELECT 1 AS "\x1b[31mred\x07\u202e\u009b"', "--format", form)
    report("a column's title is sanitised in " + form, p.returncode == 0 and "red" in p.stdout and not re.search("[\x00-\x09\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e]", p.stdout),
           repr(p.stdout))

# ---- in the explorer


def screen(keys, path=SAMPLE):
    p = subprocess.run([BIN, "summary", path, "--screen", "overview", "--size", "120x30", "--keys", keys], capture_output=True, text=True,
                       stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return p.stdout + p.stderr


LONGEST = max((k for k in KERNELS if "nccl" not in k.name), key=lambda k: k.dur)
QUERY = ": \"sql SELECT id, name, duration, start FROM slices WHERE kind='kernel' AND name NOT LIKE 'nccl%' ORDER BY duration DESC LIMIT 5\" Enter"
shown = screen(QUERY)
report("explorer: :sql shows a table", "SQL" in shown and "5 rows" in shown and LONGEST.name[:20] in shown, shown)
shown = screen(QUERY + " Enter")
report("explorer: Enter shows the slice on the timeline", "[4 Timeline]" in shown and "%.6f ms" % (LONGEST.dur / 1e6) in shown, shown)
shown = screen(QUERY + " > > F \"duration>0\" Enter")
report("explorer: the answer is sorted and filtered like a table", "sort" in shown and "5 rows" in shown, shown)
shown = screen(": \"sql SELECT no_column FROM slices\" Enter")
report("explorer: a mistake is told", "no such column: no_column" in shown, shown)
shown = screen(": \"sql ATTACH 'x' AS y\" Enter")
report("explorer: what is not allowed there neither", "not allowed" in shown, shown)

# ---- the same tables as a database


def key_of(row):
    """JSON has 15 digits: fractions are compared by nine digits."""
    return repr([("%.9g" % v if v != int(v) else int(v)) if isinstance(v, (int, float)) else v for v in row])


with tempfile.TemporaryDirectory() as d:
    for path in (SAMPLE, BOTH):
        to = d + "/out.sqlite"
        p = subprocess.run([BIN, "export", path, "-o", to], capture_output=True, text=True)
        db = sqlite3.connect(to)
        names = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        report("export .sqlite: sound, with every table: " + os.path.basename(path), p.returncode == 0 and len(names) > 80 and
               db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], p.stderr)
        wrong, queries = [], []
        for name in names:
            columns = ", ".join('"%s"' % c[1] for c in db.execute("PRAGMA table_info(%s)" % name))
            queries.append("SELECT %s FROM %s" % (columns, name))
        for name, query, want in zip(names, queries, ask_all(queries, path)):
            got = [list(r) for r in db.execute(query)]
            if sorted(map(key_of, got)) != sorted(map(key_of, want)):
                wrong.append(name)
        report("export .sqlite: the rows that queries see: " + os.path.basename(path), not wrong, wrong)
        db.close()
    p = subprocess.run([BIN, "export", "--args", SAMPLE, "-o", d + "/args.sqlite"], capture_output=True, text=True)
    got = sqlite3.connect(d + "/args.sqlite").execute("SELECT id, args FROM slices ORDER BY id").fetchall()
    report("export --args: the arguments that queries see", p.returncode == 0 and [list(r) for r in got] == ask("SELECT id, args FROM slices ORDER BY id"), p.stderr)
    wanted = collections.Counter(json.dumps(s.args, sort_keys=True, default=float) for s in SLICES)
    have = collections.Counter(json.dumps(json.loads(r[1]), sort_keys=True) for r in got)
    report("export --args: and those of the file", wanted == have, list((wanted - have).items())[:2])
    os.remove(d + "/args.sqlite")
    p = subprocess.run([BIN, "export", SAMPLE, "-o", d + "/out.sqlite.gz"], capture_output=True, text=True)
    report("export .sqlite.gz", p.returncode == 0 and gzip.open(d + "/out.sqlite.gz").read(15) == b"SQLite format 3", p.stderr)
    p = subprocess.run([BIN, "export", SAMPLE, "--steps", "3", "-o", d + "/part.db"], capture_output=True, text=True)
    report("export of a part as a database is refused", p.returncode == 2 and "--steps" in p.stderr and not os.path.exists(d + "/part.db"), p.stderr)
    report("export leaves nothing beside", sorted(os.listdir(d)) == ["out.sqlite", "out.sqlite.gz"], os.listdir(d))
