#!/usr/bin/env python3
"""XSpaces of XLA's profiler: tests/tools/read_xplane.py, which shares no code with the program, computes every table
again from the bytes, for the sample, for runs of several kinds, and for the files of the corpus. The order of planes,
lines, maps and fields, ids and the compression change nothing. A damaged file gives the part before the damage."""
import collections
import glob
import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "tools"))
import make_xplane  # noqa: E402
import read_xplane as rx  # noqa: E402

BIN = os.environ["BIN"]
COPIES = {"MemcpyH2D": "Memcpy HtoD (Host -> Device)", "MemcpyD2H": "Memcpy DtoH (Device -> Host)", "MemcpyD2D": "Memcpy DtoD (Device -> Device)"}
API = re.compile(r"cu[A-Z]|cuda|hip|hsa_")


def report(what, why=None):
    print("ok " + what if not why else "FAIL %s: %s" % (what, str(why)[:1500]))


def ask(path, table, *options, stdin=None):
    args = [BIN, "summary", path, "--table", table, "--format", "json", *options]
    r = subprocess.run(args, capture_output=True, input=stdin)
    if r.returncode != 0:
        raise RuntimeError("exit %d: %s" % (r.returncode, r.stderr.decode()[:300]))
    return json.loads(r.stdout)


def rows(path, table, *options):
    return ask(path, table, *options)["tables"][0]["rows"]


# ---- the tables computed again ----

def span(line, e):
    start, end = rx.ns(e["offset_ps"]), rx.ns(e["offset_ps"] + e["duration_ps"])
    return line["timestamp_ns"] + start, line["timestamp_ns"] + end


class Run:
    """The events of the file, sorted into kernels, copies, calls and steps as the contract defines them."""

    def __init__(self, path):
        self.kernels, self.copies, self.calls, self.steps, self.memory = [], [], [], [], []
        self.events, self.facts = 0, {}
        planes = rx.read(path)
        device_steps = []
        for p in planes:
            m = re.fullmatch(r"/device:(\w+):(\d+)", p["name"])
            if m and p["stats"]:
                self.facts[int(m[2])] = rx.named(p, p["stats"])
            for line in p["lines"]:
                self.events += len(line["events"])
                if m and (line["display_name"] or line["name"]) == "Steps" and line["events"]:
                    device_steps.append((int(m[2]), p, line))
        self.programs = {int(m[1]): k["name"] for p in planes for k in p["events"].values() for m in [re.search(r"\((\d+)\)$", k["name"])] if m and p["name"].startswith("/device:TPU")}
        self.first = min(span(l, e)[0] for p in planes for l in p["lines"] for e in l["events"])
        for p in planes:
            m = re.fullmatch(r"/device:(\w+):(\d+)", p["name"])
            for line in p["lines"]:
                for e in line["events"]:
                    self.sort(p, line, e, m, bool(device_steps))
        if device_steps:
            _, p, line = min(device_steps, key=lambda x: x[0])
            self.steps = [(int(rx.name_of(p, e)), *span(line, e)) for e in line["events"]]
        self.steps.sort(key=lambda x: x[1])

    def sort(self, p, line, e, device, device_steps):
        name, a = rx.name_of(p, e), rx.args(p, e)
        start, end = span(line, e)
        if not device:
            if name.startswith("Memory") and "bytes_allocated" in a:
                self.memory.append((start, a))
            elif "step_num" in a and not device_steps:
                self.steps.append((a["step_num"], start, end))
            elif "correlation_id" in a and API.match(name):
                self.calls.append((name, end - start))
            return
        number = int(device[2])
        if device[1] == "TPU":
            if line["name"] == "XLA Ops" and line["id"] >= 0:
                self.kernels.append((name, a.get("hlo_op", name), number, start, end, a))
        elif line["id"] >= 0 and line["name"].startswith("Stream"):
            if "memcpy_details" in a:
                self.copies.append((COPIES.get(name, name), "device copy", end - start, a["memcpy_details"]))
            elif "memset_details" in a:
                self.copies.append(("Memset (Device)", "device set", end - start, a["memset_details"]))
            else:
                name = name[:-3] if name.endswith(".kd") else name
                self.kernels.append((name, a.get("hlo_op"), number, start, end, a))


def sums(pairs):
    out = collections.defaultdict(list)
    for key, ns in pairs:
        out[key].append(ns)
    return {k: (len(v), sum(v), max(v), min(v)) for k, v in out.items()}


def got_sums(table, *keys):
    return {tuple(r[k] for k in keys): (r["calls"], r["total_ns"], r["max_ns"], r["min_ns"]) for r in table}


def numbers(details, key):
    m = re.search(r"(?:^|\s)%s:([\d,.]+)" % key, details)
    return [float(x) if "." in x else int(x) for x in m[1].split(",")] if m else None


def launch_of(a):
    d = a.get("kernel_details", "")
    regs = numbers(d, "regs")
    shared = [numbers(d, k) for k in ("shm", "static_shared", "dynamic_shared", "group_mem")]
    shared = sum(x[0] for x in shared if x) if any(shared) else None
    listed = lambda v: "[]" if v is None else json.dumps(v, separators=(", ", ": "))
    return (listed(numbers(d, "grid")), listed(numbers(d, "block")), regs[0] if regs and regs[0] <= 1024 else None, shared)


def union(intervals):
    total, last = 0, None
    for a, b in sorted(intervals):
        a = a if last is None or a > last else last
        if b > a:
            total, last = total + b - a, b
    return total


def check_kernels(path, run):
    want = sums(((n,), e - s) for n, _, _, s, e, _ in run.kernels)
    assert got_sums(rows(path, "kernels"), "name") == want, "kernels"
    want = sums(((n, op), e - s) for n, op, _, s, e, _ in run.kernels if op)
    got = {k: v for k, v in got_sums(rows(path, "kernels", "--group-by", "operator"), "name", "operator").items() if k in want or k[1]}
    assert got == want, "kernels by operator %s" % list(set(got) ^ set(want))[:4]
    want = sums(((n, *launch_of(a)), e - s) for n, _, _, s, e, a in run.kernels)
    merged = collections.defaultdict(lambda: (0, 0, 0, 2**63))
    for r in rows(path, "kernels", "--group-by", "launch"):
        key = (r["name"], r["grid"], r["block"], r["registers"], r["shared_memory_bytes"])
        old = merged[key]
        merged[key] = (old[0] + r["calls"], old[1] + r["total_ns"], max(old[2], r["max_ns"]), min(old[3], r["min_ns"]))
    assert dict(merged) == want, "kernels by launch"
    for r in rows(path, "kernels"):
        programs = {run.programs.get(a.get("program_id")) or a.get("hlo_module") for n, _, _, _, _, a in run.kernels if n == r["name"]} - {None}
        assert r.get("program") == (min(programs) if len(programs) == 1 else None), "program of %s: %s" % (r["name"], r.get("program"))
        mine = [a for n, _, _, _, _, a in run.kernels if n == r["name"]]
        for column, stat in (("flops", "flops"), ("accessed_bytes", "bytes_accessed")):
            total = sum(a.get(stat, 0) for a in mine)
            assert (r.get(column) or 0) == total, "%s of %s: %s, not %s" % (column, r["name"], r.get(column), total)


def check_rest(path, run):
    assert ask(path, "kernels")["source"]["events"] == run.events, "number of events"
    assert got_sums(rows(path, "runtime_api"), "name") == sums(((n,), ns) for n, ns in run.calls), "runtime_api"
    want = collections.defaultdict(lambda: [0, 0, 0])
    for name, kind, ns, details in run.copies:
        size = numbers(details, "size")
        want[name, kind] = [want[name, kind][0] + 1, want[name, kind][1] + ns, want[name, kind][2] + size[0]]
    got = {(r["name"], r["kind"]): [r["calls"], r["device_total_ns"], r["bytes"]] for r in rows(path, "memcpy") if r["kind"].startswith("device")}
    assert got == dict(want), "memcpy %s" % got


def check_devices(path, run):
    got = {r["device"]: r for r in rows(path, "devices")}
    used = {k[2] for k in run.kernels}
    word = "TPU" if any("device_type_string" in f for f in run.facts.values()) else "GPU"
    assert {"%s%d" % (word, n) for n in used} <= set(got), "devices %s" % sorted(got)
    for n in used:
        r, f = got["%s%d" % (word, n)], run.facts[n]
        assert r["memory_bytes"] == f.get("memory_size"), "memory of %d" % n
        if "compute_cap_major" in f:
            assert r["compute_capability"] == "%d.%d" % (f["compute_cap_major"], f["compute_cap_minor"]), "capability"
        if len(run.steps) > 1 and word == "TPU":
            t0, t1 = run.steps[0][1], max(s[2] for s in run.steps)
            busy = union((max(s, t0), min(e, t1)) for _, _, d, s, e, _ in run.kernels if d == n)
            assert abs(r["utilization_pct"] - 100 * busy / (t1 - t0)) < 1e-6, "utilization"


def check_steps(path, run, extended):
    got = [(r["step"], r["start_at_ns"], r["total_ns"]) for r in rows(path, "step_breakdown")]
    if not run.steps:
        assert len(got) <= 1, "steps that nobody marked: %s" % got
        return
    want = [(str(n), s - run.first, e - s) for n, s, e in run.steps]
    if extended:  # steps of the host last until their launched work ends
        assert [g[0] for g in got] == [w[0] for w in want][:len(got)] and len(got) >= len(want) - 1, "steps %s" % got
        return
    assert got == want, "steps %s" % got


def check_memory(path, run):
    peaks = collections.defaultdict(int)
    for _, a in run.memory:
        where = a.get("index_on_host", a.get("allocator_name"))
        peaks[where] = max(peaks[where], a["bytes_allocated"])
    got = sorted(r["peak_allocated_bytes"] for r in rows(path, "memory_devices"))
    assert got == sorted(v for v in peaks.values()), "peaks %s, not %s" % (got, dict(peaks))


def same_as_recomputed(what, path, extended=False):
    try:
        run = Run(path)
        check_kernels(path, run)
        check_rest(path, run)
        check_devices(path, run)
        check_steps(path, run, extended)
        if run.memory:
            check_memory(path, run)
        report("%s: all tables as computed from the bytes" % what)
    except (AssertionError, RuntimeError, KeyError) as e:
        report("%s: all tables as computed from the bytes" % what, repr(e))


# ---- relations ----

TABLES = [("kernels",), ("kernels", "--group-by", "launch"), ("kernels", "--group-by", "operator"), ("memcpy",), ("runtime_api",), ("devices",),
          ("step_breakdown",), ("gpu_time",), ("comm_ops",), ("memory_events",), ("memory_devices",), ("op_types",), ("findings",), ("idle_causes",)]


def everything(path, *more):
    out = []
    for table in TABLES:
        doc = ask(path, *table, *more)
        out.append((table, sorted(json.dumps(r, sort_keys=True) for r in doc["tables"][0]["rows"])))
    return out


def unchanged(what, want, path, *more):
    try:
        got = everything(path, *more)
        differ = [g[0] for g, w in zip(got, want) if g != w]
        report(what, differ and "tables differ: %s" % differ)
    except RuntimeError as e:
        report(what, e)


def relations(tmp, device):
    path = os.path.join(tmp, "host.xplane.pb")
    make_xplane.write(path, device=device)
    want = everything(path)
    data = open(path, "rb").read()
    for name, given in [("maps before the lines", {"maps_first": True}), ("negative and huge ids", {"negative": True}),
                        ("another order of everything", {"shuffle": 1}), ("yet another order", {"shuffle": 2}),
                        ("negative ids in another order", {"shuffle": 3, "negative": True}), ("a later start", {"shift": 123_456_789_000}),
                        ("times of the epoch", {"epoch": True})]:
        make_xplane.write(path, device=device, **given)
        unchanged("%s: %s" % (device, name), want, path)
    with open(path, "wb") as f:
        f.write(gzip.compress(data))
    unchanged("%s: compressed" % device, want, path)
    with open(path, "wb") as f:
        f.write(data)
    unchanged("%s: one thread" % device, want, path, "--threads", "1")
    piped = ask("-", "kernels", stdin=data)["tables"][0]["rows"]
    report("%s: through a pipe" % device, piped != rows(path, "kernels") and "kernels differ")


def folder(tmp):
    run = os.path.join(tmp, "plugins", "profile", "2026_09_21_14_13_20")
    os.makedirs(run)
    for n in range(3):
        make_xplane.write(os.path.join(run, "host%d.xplane.pb" % n), shift=1000 * n)
    with gzip.open(os.path.join(run, "host1.trace.json.gz"), "wt") as f:
        f.write('{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[{"ph":"X","name":"lesser","pid":1,"tid":1,"ts":1,"dur":1}]}')
    doc = ask(tmp, "kernels")
    report("hosts of one folder are workers of one run", doc["source"]["workers"] != ["host0", "host1", "host2"] and doc["source"])
    r = subprocess.run([BIN, "summary", tmp, "--table", "kernels"], capture_output=True, text=True)
    report("the JSON beside an XSpace is hidden, and this is said", "host1" not in r.stderr + r.stdout and "not opened" not in r.stderr and r.stderr)
    report("what it says is in no table", "lesser" in r.stdout and r.stdout)
    open(os.path.join(run, "host1.xplane.pb"), "w").close()
    r = subprocess.run([BIN, "summary", tmp, "--table", "event_types"], capture_output=True, text=True)
    report("an empty XSpace: the JSON beside it is opened, and this is said", "host1.trace.json.gz" not in r.stderr and r.stderr)
    r = subprocess.run([BIN, "summary", os.path.join(run, "host1.xplane.pb"), "--table", "run"], capture_output=True, text=True)
    report("likewise when it is named", (r.returncode or "host1.trace.json.gz" not in r.stderr) and r.stderr)
    os.remove(os.path.join(run, "host1.trace.json.gz"))
    r = subprocess.run([BIN, "summary", os.path.join(run, "host1.xplane.pb"), "--table", "run"], capture_output=True, text=True)
    report("an empty XSpace alone is refused", (r.returncode != 3 or "empty" not in r.stderr) and r.stderr)


# ---- damage ----

def run_check(data, tmp):
    path = os.path.join(tmp, "damaged.xplane.pb")
    with open(path, "wb") as f:
        f.write(data)
    r = subprocess.run([BIN, "summary", path, "--table", "kernels", "--format", "json"], capture_output=True)
    return path, r


def damage(tmp):
    whole = os.path.join(tmp, "whole.xplane.pb")
    make_xplane.write(whole, device="gpu")
    data = open(whole, "rb").read()
    all_calls = {r["name"]: r["calls"] for r in rows(whole, "kernels")}
    bad, seen = [], 0
    for cut in range(40, len(data), len(data) // 60):
        _, r = run_check(data[:cut], tmp)
        if r.returncode not in (0, 3):
            bad.append((cut, r.returncode, r.stderr[:200]))
        if r.returncode != 0:
            continue
        doc = json.loads(r.stdout)
        calls = {x["name"]: x["calls"] for x in doc["tables"][0]["rows"]}
        seen += bool(calls)
        if not any(p["kind"] == "truncated" for p in doc["problems"]):
            bad.append((cut, "not said"))
        if any(n > all_calls.get(k, 0) for k, n in calls.items()):
            bad.append((cut, "kernels that are not in the file", calls))
    report("cut off: what came before, and a problem", bad[:3] or (not seen and "no cut keeps a kernel"))
    bad, dice = [], random.Random(7)
    for n in range(150):
        b = bytearray(data)
        for _ in range(dice.randrange(1, 6)):
            b[dice.randrange(len(b))] = dice.choice([0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)])
        _, r = run_check(bytes(b), tmp)
        if r.returncode not in (0, 3):
            bad.append((n, r.returncode, r.stderr[:200]))
    report("flipped bytes: no crash", bad[:3])
    hostile(tmp, data)


def hostile(tmp, data):
    v, d, n = make_xplane.varint, make_xplane.data, make_xplane.number
    name = d(2, "/device:GPU:0")
    endless = b"\x80" * 30
    event = lambda *fields: d(4, b"".join(fields))
    line = lambda *events: d(3, n(1, 7) + d(2, "Stream #7") + n(3, 1000) + b"".join(events))
    cases = {
        "a varint of 30 bytes": d(1, name + b"\x08" + endless),
        "a length of 2^63": b"\x0a" + v(len(data)) + name + b"\x1a" + v(2**63),
        "a plane longer than the file": b"\x0a" + v(2**40) + name + line(event(n(1, 1), n(2, 5), n(3, 9))),
        "times beyond all times": d(1, name + line(event(n(1, 1), n(2, 2**63 - 1), n(3, 2**63 - 1)), event(n(1, 1), n(3, 2**63)))),
        "a group, which nobody writes": d(1, name + b"\x0b\x0c"),
        "a map without keys": d(1, name + d(4, b"") * 50 + d(5, b"") * 50 + line(event(n(1, 0)))),
        "ids at both ends": d(1, name + d(4, n(1, -2**63) + d(2, d(2, "a"))) + d(4, n(1, 2**63 - 1) + d(2, d(2, "b"))) + line(event(n(1, -2**63)))),
        "an escape in a name": d(1, d(2, "/device:GPU:0\x1b[31m") + line(event(n(1, 1)))),
        "a thousand planes": d(1, name) * 1000,
        "a reference to itself": d(1, name + d(5, n(1, 1) + d(2, d(2, "hlo_op"))) + line(event(n(1, 1), d(4, n(1, 1) + n(7, 1)), d(4, n(1, 9) + n(7, 77))))),
    }
    for what, bytes_ in cases.items():
        path, r = run_check(bytes_, tmp)
        checked = subprocess.run([BIN, "check", path], capture_output=True)
        ended = r.returncode in (0, 3) and checked.returncode in (0, 1, 3)
        raw = b"\x1b" in r.stdout + r.stderr + checked.stdout + checked.stderr
        report("hostile: %s" % what, (not ended and (r.returncode, checked.returncode, r.stderr)) or (raw and "raw bytes are printed"))


def nameless(tmp):
    """Operators of a TPU whose kinds the file does not name are told apart by the numbers of the kinds."""
    d, n = make_xplane.data, make_xplane.number
    path = os.path.join(tmp, "nameless.xplane.pb")
    line = d(3, n(1, 7) + d(2, "XLA Ops") + n(3, 1000) + b"".join(d(4, n(1, 1 + i % 3) + n(2, i * 9000) + n(3, 5000)) for i in range(9)))
    with open(path, "wb") as f:
        f.write(d(1, d(2, "/device:TPU:0") + line))
    got = sorted((r["name"], r["operator"], r["calls"]) for r in rows(path, "kernels", "--group-by", "operator"))
    want = [("event %d" % i, "event %d" % i, 3) for i in (1, 2, 3)]
    report("operators without names keep apart", got != want and got)


def events_as_json(tmp):
    path = os.path.join(tmp, "host.xplane.pb")
    out = os.path.join(tmp, "export.json")
    make_xplane.write(path, device="gpu")
    r = subprocess.run([BIN, "export", path, "-o", out], capture_output=True, text=True)
    if r.returncode:
        report("events as JSON", r.stderr)
        return
    doc = json.load(gzip.open(out) if open(out, "rb").read(2) == b"\x1f\x8b" else open(out))
    ops = collections.Counter(e["args"]["hlo_op"] for e in doc["traceEvents"] if e.get("cat") == "kernel")
    want = collections.Counter(op for _, op, _, _, _, _ in Run(path).kernels)
    report("events as JSON: every kernel with its operator", ops != want and (ops, want))
    report("an export has the same memory", rows(out, "memory_events") != rows(path, "memory_events") and (rows(out, "memory_events")[:2], rows(path, "memory_events")[:2]))
    made = [(r["step"], r["total_ns"]) for r in rows(out, "step_breakdown")]
    report("an export has the same steps", [m[0] for m in made] != [str(n) for n, _, _ in Run(path).steps] and made)
    report("an export has the same kernels", got_sums(rows(out, "kernels"), "name") != got_sums(rows(path, "kernels"), "name") and "differ")


def main():
    for path in glob.glob(os.path.join(TOP, "assets/sample_xla/plugins/profile/*/*.xplane.pb")):
        same_as_recomputed("sample", path)
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "host.xplane.pb")
        for device in ("tpu", "gpu", "host"):
            for given in ({}, {"steps": 1, "devices": 1}, {"no_steps": True}, {"host_steps": True}, {"shuffle": 5, "negative": True, "devices": 3}):
                make_xplane.write(path, device=device, **given)
                same_as_recomputed("%s %s" % (device, given or ""), path, given.get("host_steps"))
        for device in ("tpu", "gpu"):
            relations(tmp, device)
        events_as_json(tmp)
        nameless(tmp)
    with tempfile.TemporaryDirectory() as tmp:
        damage(tmp)
    with tempfile.TemporaryDirectory() as tmp:
        folder(tmp)
    for path in sorted(glob.glob(os.path.join(os.environ.get("TRACETTY_CORPUS") or "/nonexistent", "traces/xla/*.xplane.pb"))):
        same_as_recomputed(os.path.basename(path), path)


if __name__ == "__main__":
    main()
