#!/usr/bin/env python3
"""Relations between the tables of a trace and those of the same trace written differently:

  order    the X events of a file in another order: the same tables, byte for byte
  ids      a constant added to every correlation id: the same tables, byte for byte
  worker   --worker X on a set: the tables of its file alone
  steps    calls of disjoint steps add up to those of all steps, and each step has the calls that the raw events say
  path     the critical path is as long as the time that each device is counted in, and no replay saves more

Runs on the samples, and on the small traces of TRACETTY_CORPUS if set; RELATIONS=all takes every trace, RELATIONS=TEXT
the traces whose path contains the text."""
import collections
import decimal
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from properties import BIN, CORPUS, TOP, Events, copy_name, read  # noqa: E402

WHICH = os.environ.get("RELATIONS", "")
LARGEST = 850000  # stored bytes: larger traces are read only if all are asked for
BY = 1 << 24      # added to correlation ids; no other id of these traces is that large
KINDS = ("pytorch", "amd", "chrome", "paddle")

# Exceptions: (relation, table) -> reason. "*" stands for every relation.
LEFT_OUT = {
    ("worker", "run"): "says which workers were read",
    ("worker", "problems"): "is about all that was read",
    ("worker", "comm_wait"): "compares workers",
    ("worker", "comm_waits"): "compares workers",
    ("worker", "comm_calls"): "compares workers",
    ("worker", "comm_ranks"): "compares workers",
    ("worker", "comm_groups"): "compares workers",
    ("worker", "comm_clock"): "compares workers",
    ("worker", "comm_ops"): "its data_transfer_ns compares workers",
    ("worker", "comm_sizes"): "its times are the shortest on any worker",
    ("worker", "rank_times"): "compares workers",
    ("worker", "worker_compare"): "compares workers",
    ("worker", "findings"): "the straggler is found by comparing workers",
    ("worker", "evidence"): "is of the findings",
    ("worker", "overview"): "has the findings",
    ("worker", "throughput"): "batches of all workers",
}
# Columns and facts that are never compared: (table, column) -> reason.
FREE = {
    ("problems", "offset"): "the place in the file is what changed",
    ("problems", "example"): "the first one in the file",
}
FREE_FACTS = ("path", "run")  # in table `run`: the place of the rewritten file


def tables(path, *options):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", "all", *options, path], capture_output=True,
                       stdin=subprocess.DEVNULL)
    assert p.returncode == 0, "status %d: %s" % (p.returncode, p.stderr[-300:].decode("utf-8", "replace"))
    doc = json.loads(p.stdout.decode("utf-8"))
    return {t["id"]: [{k: v for k, v in r.items() if (t["id"], k) not in FREE} for r in t["rows"]
                      if t["id"] != "run" or r["key"] not in FREE_FACTS] for t in doc["tables"]}


def difference(relation, a, b):
    """The first difference of two sets of tables, None = none."""
    for t in list(a) + [t for t in b if t not in a]:
        if (relation, t) in LEFT_OUT:
            continue
        x, y = a.get(t, []), b.get(t, [])
        if x == y:
            continue
        for i in range(max(len(x), len(y))):
            p, q = (z[i] if i < len(z) else None for z in (x, y))
            if p != q:
                shown = [dict((k, v) for k, v in r.items() if not o or o.get(k) != v or k == "name") if r else None
                         for r, o in ((p, q), (q, p))]
                return "%s: %d and %d rows; row %d: %s | %s" % (t, len(x), len(y), i, *(json.dumps(s)[:300] for s in shown))
    return None


def same(relation, a, b):
    diff = difference(relation, a, b)
    assert diff is None, diff


# ---- order ----

def is_slice(e):
    return isinstance(e, dict) and e.get("ph") == "X"


def shuffled(events, seed):
    """Shuffle the X events among their own places; other events stay, so that begins come before their ends."""
    places = [i for i, e in enumerate(events.value) if is_slice(e)]
    order = places[:]
    random.Random(seed).shuffle(order)
    pieces = events.piece[:]
    for to, i in zip(places, order):
        pieces[to] = events.piece[i]
    return pieces


def check_order(path, found, events, folder):
    new = copy_name(path, folder)
    for seed in (1, 2):
        events.write(shuffled(events, seed), new)
        same("order", found, tables(new))


# ---- path ----

def check_path(_path, found, _events, _folder):
    of = lambda r: (r.get("worker"), r.get("span"))
    counted, length = collections.defaultdict(set), collections.Counter()
    for r in found.get("gpu_time", []):
        counted[of(r)].add(r["total_ns"])
    for r in found.get("critical_path", []):
        length[of(r)] += r["total_ns"]
    for who in set(length) & set(counted):
        assert length[who] in counted[who], "%s: the path is %d ns long, the account %s" % (who, length[who], counted[who])
    for r in found.get("what_if", []):
        assert 0 <= r["saving_ns"] <= r["total_ns"], "%s saves %d of %d ns" % (r["name"], r["saving_ns"], r["total_ns"])


# ---- ids ----

DEVICE = ("kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset")  # in lower case; files spell them differently
CORRELATION = ("correlation", "correlation id", "wait_on_cuda_event_record_corr_id")


def args_of(e):
    a = e.get("args") if isinstance(e, dict) else None
    return a if isinstance(a, dict) else {}


def category(e):
    return str(e.get("cat", "")).lower() if isinstance(e, dict) else ""


def external_ids_are_copies(events):
    pairs = [(a.get("External id", a.get("external id")), a.get("correlation"))
             for e in events.value if category(e) in DEVICE for a in [args_of(e)]]
    pairs = [p for p in pairs if p[0]]
    return sum(a == b for a, b in pairs) * 2 > len(pairs)


def add_to(piece, key):
    return re.sub(r'("%s"\s*:\s*)([1-9][0-9]*)\b(?![.eE])' % re.escape(key), lambda m: m[1] + str(int(m[2]) + BY), piece)


def with_other_ids(events):
    copies = external_ids_are_copies(events)
    pieces = []
    for piece, e in zip(events.piece, events.value):
        for key in CORRELATION + (("External id", "external id") if copies else ()):
            if '"%s"' % key in piece:
                piece = add_to(piece, key)
        if isinstance(e, dict) and e.get("ph") in ("s", "t", "f") and (category(e) in ("ac2g", "async_gpu") or e.get("name") == "ac2g"):
            piece = add_to(piece, "id")
        pieces.append(piece)
    return pieces


def check_ids(path, found, events, folder):
    new = copy_name(path, folder)
    events.write(with_other_ids(events), new)
    same("ids", found, tables(new))


# ---- one worker of a set ----

def moved(rows, by):
    return [{k: v + by if k.endswith("at_ns") and v is not None else v for k, v in r.items() if k not in ("worker", "span")}
            for r in rows]


def shift_of(whole, alone):
    """The constant between the times of two sets of tables, from the first time they share."""
    for t in whole:
        if ("worker", t) in LEFT_OUT:
            continue
        for p, q in zip(whole[t], alone.get(t, [])):
            for k in p:
                if k.endswith("at_ns") and p[k] is not None and q.get(k) is not None:
                    return p[k] - q[k]
    return 0


def check_worker(folder, options, path):
    whole, alone = tables(folder, *options), tables(path)
    by = shift_of(whole, alone)
    same("worker", {t: moved(rows, 0) for t, rows in whole.items()}, {t: moved(rows, by) for t, rows in alone.items()})


def members_of(folder):
    """[(options that choose one file of the folder, the file)]"""
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", "run", folder], capture_output=True,
                       stdin=subprocess.DEVNULL)
    if p.returncode:
        return []
    doc = json.loads(p.stdout.decode("utf-8"))
    paths = [(r.get("worker"), r.get("span"), r["value"]) for r in doc["tables"][0]["rows"] if r["key"] == "path"]
    workers, spans = (len({p[i] for p in paths}) for i in (0, 1))
    if workers < 2 or len({p[:2] for p in paths}) != len(paths) or len({p[2] for p in paths}) != len(paths):
        return []
    return [(["--worker", w] + (["--span", span] if spans > 1 else []), path) for w, span, path in paths]


# ---- steps ----

CALLS = ("cuda_runtime", "cuda_driver", "runtime", "cudaruntime", "hip_runtime")
COPIES = ("gpu_memcpy", "gpu_memset", "memcpy", "memset")


def ns(v):
    return int((v * 1000).to_integral_value())


def is_host_step(e):
    return re.fullmatch(r"ProfilerStep#\d+", str(e.get("name"))) and not category(e).startswith("gpu")


class Raw:
    """Steps by the raw events: a host event belongs to the step in whose host range it starts; device work to the step
    in which its launch starts, or in which it starts itself if the launch was not recorded; and to no step if its id
    is below those of all launches, because then it was launched before the recording."""

    def __init__(self, events):
        slices = [e for e in events.value if is_slice(e) and isinstance(e.get("ts"), decimal.Decimal)
                  and isinstance(e.get("dur"), decimal.Decimal)]
        steps = [e for e in slices if is_host_step(e)]
        self.host = [e for e in slices if category(e) in CALLS + ("cpu_op", "operator") and not is_host_step(e)]
        self.work = [e for e in slices if category(e) in COPIES + ("kernel",)]
        self.steps = sorted((e["ts"], e["ts"] + e["dur"], e["name"].split("#")[1]) for e in steps)
        one_process = len({str(e.get("pid")) for e in steps}) == 1
        disjoint = all(a[1] <= b[0] for a, b in zip(self.steps, self.steps[1:]))
        self.usable = one_process and disjoint and len({n for _, _, n in self.steps}) == len(steps)

    def step_of(self, ts):
        for start, end, number in self.steps:
            if start <= ts < end:
                return number
        return None

    def by_step(self):
        """{table: {step: {name: [calls, time in ns]}}}"""
        launched, found = {}, {t: collections.defaultdict(dict) for t in ("kernels", "memcpy", "runtime_api", "key_averages")}

        def count(table, step, e):
            sums = found[table][step].setdefault(e["name"], [0, 0])
            sums[0] += 1
            sums[1] += ns(e["dur"])

        for e in self.host:
            if category(e) in CALLS:
                count("runtime_api", self.step_of(e["ts"]), e)
                c = args_of(e).get("correlation")
                launched[c] = min(e["ts"], launched.get(c, e["ts"]))
            else:
                count("key_averages", self.step_of(e["ts"]), e)
        ids = {args_of(e).get("correlation") for e in self.work} & set(launched)
        first = min((c for c in ids if isinstance(c, (int, decimal.Decimal)) and 0 < c < 2 ** 31), default=0)
        for e in self.work:
            c = args_of(e).get("correlation") or None
            if c not in launched and isinstance(c, (int, decimal.Decimal)) and 0 < c < first:
                continue
            start = launched.get(args_of(e).get("correlation") or None, e["ts"])
            count("kernels" if category(e) == "kernel" else "memcpy", self.step_of(start), e)
        return found

    def nested_in_themselves(self):
        """Names of host events inside an event of their own name, which tables count by special rules."""
        found, tracks = set(), collections.defaultdict(list)
        for e in self.host:
            tracks[(str(e.get("pid")), str(e.get("tid")), e["name"])].append((e["ts"], -e["dur"]))
        for key, at in tracks.items():
            at.sort()
            if any(a[0] - a[1] > b[0] for a, b in zip(at, at[1:])):
                found.add(key[2])
        return found


def check_own_steps(parts, raw):
    """Each step has the events that the raw file says."""
    nested, times = raw.nested_in_themselves(), {"key_averages": "cpu_total_ns", "memcpy": "device_total_ns"}
    for table, by_step in raw.by_step().items():
        for n, part in parts.items():
            want = {k: v for k, v in by_step[str(n)].items() if k not in nested}
            got = {r["name"]: [r["calls"], r[times.get(table, "total_ns")]] for r in part.get(table, [])
                   if r.get("side") != "device" and r.get("kind") != "host range" and r["name"] not in nested}
            if table == "key_averages":  # it lists annotations, too
                got = {k: v for k, v in got.items() if k in want}
            bad = sorted(k for k in set(got) | set(want) if got.get(k) != want.get(k))
            assert not bad, "%s of step %d: %s: %s calls and ns, the events have %s (and %d more names)" % (
                table, n, bad[0][:80], got.get(bad[0]), want.get(bad[0]), len(bad) - 1)


ADDS_UP = {  # table: (columns that add up, columns that identify a row)
    "kernels": (("calls", "total_ns"), ("name",)),
    "runtime_api": (("calls", "total_ns"), ("name",)),
    "memcpy": (("calls", "bytes"), ("kind", "name")),
    "operators": (("calls", "host_self_ns", "host_total_ns"), ("name",)),
    "key_averages": (("calls", "cpu_total_ns"), ("side", "name")),
    "user_ranges": (("calls", "host_total_ns"), ("name",)),
}


def sums(rows, columns, names):
    found = collections.defaultdict(lambda: [0] * len(columns))
    for r in rows:
        key = tuple(r.get(n) for n in names)
        found[key] = [a + (r.get(c) or 0) for a, c in zip(found[key], columns)]
    return dict(found)


def check_steps(path, found, events, _folder):
    steps = [int(r["step"]) for r in found.get("step_breakdown", [])]
    if len(steps) < 2 or len(set(steps)) != len(steps) or steps != list(range(steps[0], steps[0] + len(steps))):
        return
    parts = {n: tables(path, "--steps", "%d-%d" % (n, n)) for n in steps}
    whole = tables(path, "--steps", "%d-%d" % (steps[0], steps[-1]))
    for table, (columns, names) in ADDS_UP.items():
        got = sums([r for p in parts.values() for r in p.get(table, [])], columns, names)
        want = sums(whole.get(table, []), columns, names)
        for key in sorted(set(got) | set(want), key=str):
            assert got.get(key) == want.get(key), "%s %s: steps give %s, all of them %s of %s" % (
                table, key, got.get(key), want.get(key), columns)
    raw = Raw(events)
    if raw.steps and raw.usable:
        check_own_steps(parts, raw)


# ---- hard traces: few times, names and ids, so that almost everything coincides ----

HOST = ("cpu_op", "user_annotation", "python_function", "cuda_runtime", "cuda_driver", "overhead", "other", None)
WORK = ("kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation", "cuda_sync")


def invented(seed):
    """The text of a random trace."""
    r = random.Random(seed)
    times, wide, pids = r.choice((3, 6, 20)), r.choice((0, 0, 1 << 33)), r.choice(((1,), (1, 2)))

    def of(chance, args, key, values):
        if r.random() < chance:
            args[key] = r.choice(values)

    events = [{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python"}}]
    for i in range(r.choice((8, 30, 120))):
        host, args = r.random() < 0.7, {}
        ids = [wide + v for v in range(1, r.choice((3, 40)))]
        cat = r.choice(HOST if host else WORK)
        of(0.7, args, "External id", ids)
        if cat in ("cpu_op", "user_annotation", "python_function"):
            of(0.7, args, "Ev Idx", ids)
            of(0.4, args, "Input Dims", ([[2, 3]], [[4]], []))
            of(0.3, args, "Call stack", ("a.py(1): f;b.py(2): g", "a.py(1): f"))
            of(0.2, args, "Collective name", ("allreduce", "allgather"))
            of(0.2, args, "In msg nelems", (10, 20))
        if cat == "python_function":
            of(0.8, args, "Python id", ids)
            of(0.5, args, "Python parent id", ids)
            of(0.3, args, "Python module id", (0, 1))
        if cat in WORK + ("cuda_runtime", "cuda_driver"):
            of(0.8, args, "correlation", ids)
        if not host:
            args.update({"device": 0, "stream": 7})
            of(0.5, args, "bytes", (64, 128))
            of(0.5, args, "grid", ([1, 1, 1], [2, 1, 1]))
            of(0.3, args, "blocks per SM", (0.5, 1.25))
        names = ("aten::a", "aten::b", "nccl:all_reduce", "ProfilerStep#1", "ProfilerStep#2", "Optimizer.step#SGD.step",
                 "cudaLaunchKernel", "nn.Module: M_0", "ncclDevKernel_AllReduce(x)", "Memcpy HtoD (Pageable -> Device)")
        e = {"ph": "X", "cat": cat, "name": r.choice(names), "pid": r.choice(pids) if host else 0, "tid": r.choice((1, 2)) if host else 7,
             "ts": r.randrange(times), "dur": r.choice((0, 1, 1, 2, times)), "args": args}
        events.append({k: v for k, v in e.items() if v is not None})
    for i in range(r.choice((0, 4, 12))):
        ts, bytes_ = r.randrange(times), r.choice((512, -512))
        events.append({"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": ts, "args": {
            "Bytes": bytes_, "Addr": r.choice((1, 2)), "Device Type": 1, "Device Id": 0, "Total Allocated": 512 * i}})
        events.append({"ph": r.choice("sf"), "cat": r.choice(("ac2g", "fwdbwd")), "name": "ac2g", "id": r.choice((1, 2)), "bp": "e",
                       "pid": 1, "tid": 1, "ts": ts})
        events.append({"ph": r.choice("BE"), "cat": "cpu_op", "name": "pair", "pid": 1, "tid": 1, "ts": ts})
    return json.dumps({"schemaVersion": 1, "traceEvents": events})


# ---- the comparisons ----

def wanted(path):
    if WHICH in ("", "all"):
        return WHICH == "all" or os.path.getsize(path) <= LARGEST or not CORPUS or not path.startswith(CORPUS)
    return WHICH in path


def traces():
    found = glob.glob(os.path.join(TOP, "assets/sample_gpu/*.json*"))[:1] + glob.glob(os.path.join(TOP, "assets/sample_cpu*"))
    for kind in KINDS if CORPUS else ():
        found += sorted(glob.glob(os.path.join(CORPUS, "traces", kind, "*", "*.json*")))
    return [p for p in found if wanted(p)]


def sets():
    found = [os.path.join(TOP, "assets/sample_gpu")]
    for kind in KINDS if CORPUS else ():
        found += sorted(glob.glob(os.path.join(CORPUS, "traces", kind, "*")))
    for folder in found:
        files = glob.glob(os.path.join(folder, "*.json*"))
        if len(files) > 1 and all(wanted(p) for p in files):
            yield folder


class Report:
    failed = 0

    def check(self, what, relation, *args):
        try:
            relation(*args)
            print("ok   " + what)
        except (AssertionError, ValueError) as e:
            self.failed += 1
            print("FAIL %s: %s" % (what, str(e)[:900]))
        sys.stdout.flush()


def main():
    report = Report()
    for path in traces():
        name = os.path.basename(os.path.dirname(path)) + "/" + os.path.basename(path)
        try:
            events = Events(read(path))
        except ValueError as e:
            print("skip %s: no strict JSON: %s" % (name, str(e)[:100]))
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = tables(path)
            for what, relation in (("order", check_order), ("ids", check_ids), ("steps", check_steps), ("path", check_path)):
                report.check("%s: %s" % (name, what), relation, path, found, events, folder)
    for seed in range(200 if WHICH == "all" else 30):
        with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as folder:
            path = os.path.join(made, "invented.pt.trace.json")
            with open(path, "w", encoding="utf-8") as f:
                f.write(invented(seed))
            events, found = Events(read(path)), tables(path)
            for what, relation in (("order", check_order), ("ids", check_ids), ("path", check_path)):
                report.check("invented %d: %s" % (seed, what), relation, path, found, events, folder)
    for folder in sets():
        for options, path in members_of(folder):
            report.check("%s: %s" % (os.path.basename(folder), " ".join(options)), check_worker, folder, options, path)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
