#!/usr/bin/env python3
"""Steps of engines of LLM serving: a simulated engine whose steps, phases, gaps and pause this test decides itself, and
fresh traces of the generator beside TRACETTY_CORPUS with the truth that it writes down.

Relations that hold for every trace with engine steps: times of steps without a pause add up to the distance of their
ends; phases of table serving have the steps of table engine_steps; kernel time by operator is kernel time by name, and
stays without the annotations.

Environment BIN, TRACETTY_CORPUS, SERVING_SEEDS (how many seeds of the generator, 3 by default)."""
import gzip
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

BIN = os.environ.get("BIN", "./tracetty")
CORPUS = os.environ.get("TRACETTY_CORPUS", "")
GENERATOR = os.path.join(CORPUS, "..", "tools", "gen_serving.py")
SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets/sample_serving/serving_rank0.pt.trace.json.gz")
SEEDS = int(os.environ.get("SERVING_SEEDS", "3"))
failed = 0


def report(what, wrong):
    global failed
    failed += bool(wrong)
    print("ok %s" % what if not wrong else "FAIL %s: %s" % (what, "; ".join(map(str, wrong[:4]))))


def tables(path, ids, *options):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", ids, *options, path], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        raise SystemExit("FAIL %s: status %d: %s" % (path, p.returncode, p.stderr[-200:]))
    return {t["id"]: t["rows"] for t in json.loads(p.stdout)["tables"]}


def differences(got, want, keys):
    """What rows with these keys, each with the columns that are wanted, differ in."""
    rows = {tuple(r.get(k) for k in keys): r for r in got}
    wrong = [] if len(got) == len(want) else ["%d rows, %d wanted" % (len(got), len(want))]
    for w in want:
        r = rows.get(tuple(w.get(k) for k in keys))
        if r is None:
            wrong.append("no row %s" % [w.get(k) for k in keys])
            continue
        wrong += ["%s %s: %r, want %r" % ([w.get(k) for k in keys], c, r.get(c), v) for c, v in w.items() if not c.startswith("_") and r.get(c) != v]
    return wrong


# ---- an engine simulated here

class Engine:
    """Steps of random phases on one device. The host is ahead of the device, which runs the work of one step after the
    other; before one step nobody asks for 200 ms."""

    NAMES = {"decode": "decode[bs=%d tok=%d d=%d]", "prefill": "prefill[bs=%d tok=%d ctx=%d]"}

    def __init__(self, seed):
        rnd = random.Random(seed)
        self.events, self.rows = [], []
        host, device, correlation, before = 1000, 5000, 1, None
        pause_at = rnd.randrange(3, 12)
        for k in range(15):
            phase, requests = rnd.choice(["decode", "decode", "prefill"]), rnd.randint(1, 9)
            tokens = requests if phase == "decode" else requests * 100
            if k == pause_at:
                host += 200000000
            begin, at = host, host + 1000
            works, launches = [], rnd.randint(1, 5)
            for _ in range(launches):
                works.append((correlation, rnd.randint(20000, 90000)))
                self.add("cuda_runtime", "cudaLaunchKernel", at, 2000, correlation=correlation)
                correlation += 1
                at += 3000
            host = at + 1000
            start = max(device + rnd.randint(0, 20000), begin + 20000)
            p = start
            for c, ns in works:
                self.add("kernel", "k%d" % (c % 3), p, ns, correlation=c, device=0, stream=7)
                p += ns
            self.add("user_annotation", self.NAMES[phase] % (requests, tokens, requests), begin, host - begin)
            paused = k == pause_at
            self.rows.append({"step": str(k), "engine": "atom", "phase": phase, "requests": requests, "complete": True,
                              "host_ns": host - begin, "busy_ns": p - start,
                              "gap_ns": None if before is None or paused else start - before,
                              "time_ns": None if before is None else p - start if paused else p - before})
            self.pause = start - before if paused else getattr(self, "pause", 0)
            device, before = p, p
            host += rnd.randint(1000, 9000)

    def add(self, cat, name, at, ns, **args):
        on_device = cat == "kernel"
        self.events.append('{"ph":"X","cat":"%s","name":"%s","pid":%d,"tid":%d,"ts":%d.%03d,"dur":%d.%03d,"args":%s}' % (
            cat, name, 0 if on_device else 1, 7 if on_device else 1, at // 1000, at % 1000, ns // 1000, ns % 1000, json.dumps(args)))

    def save(self, path, shuffle=0):
        events = list(self.events)
        random.Random(shuffle).shuffle(events)
        with open(path, "w") as f:
            f.write('{"schemaVersion": 1, "traceEvents": [\n%s\n]}' % ",\n".join(events))


def percentile(values, p):
    values = sorted(values)
    return values[-(-p * len(values) // 100) - 1]


def phases(rows):
    """Rows of table serving by the definition, from rows of table engine_steps."""
    out = []
    for phase in sorted({r["phase"] for r in rows}):
        own = [r for r in rows if r["phase"] == phase and r["complete"]]
        times = [r["time_ns"] for r in own if r["time_ns"] is not None]
        gaps = [r["gap_ns"] for r in own if r["gap_ns"] is not None]
        row = {"phase": phase, "steps": len(own), "busy_ns": sum(r["busy_ns"] for r in own), "host_ns": sum(r["host_ns"] for r in own),
               "time_ns": sum(times) if times else None, "gap_ns": sum(gaps) if gaps else None}
        for p in (50, 90, 99):
            row["time_p%d_ns" % p] = percentile(times, p) if times else None
        out.append(row)
    return out


def simulate(folder):
    for seed in (1, 2, 3):
        engine, path = Engine(seed), os.path.join(folder, "engine%d.pt.trace.json" % seed)
        engine.save(path, seed)
        got = tables(path, "engine_steps,serving,findings")
        report("simulated engine %d: engine_steps" % seed, differences(got["engine_steps"], engine.rows, ["step"]))
        of_phases = [r for r in got["serving"] if r["phase"] not in ("pause", "outside")]
        report("simulated engine %d: serving" % seed, differences(of_phases, phases(engine.rows), ["phase"]))
        pauses = [r for r in got["serving"] if r["phase"] == "pause"]
        report("simulated engine %d: pause" % seed, differences(pauses, [{"phase": "pause", "steps": 1, "time_ns": engine.pause}], ["phase"]))
        of = {p: tables(path, "kernels,engine_steps", "--phase", p) for p in sorted({r["phase"] for r in engine.rows})}
        whole = tables(path, "kernels")["kernels"]
        sums = sum(r["total_ns"] for t in of.values() for r in t["kernels"]), sum(r["total_ns"] for r in whole)
        report("simulated engine %d: kernels of the phases are all" % seed, [] if sums[0] == sums[1] else [sums])
        wrong = [(p, r["step"]) for p, t in of.items() for r in t["engine_steps"] if r["phase"] != p]
        report("simulated engine %d: --phase keeps the phase" % seed, wrong)
        found = [r["id"] for r in got["findings"]]
        wrong = [] if found[:1] == ["serving_phase"] and "engine_pause" in found and "host_bound" not in found else [found]
        report("simulated engine %d: findings" % seed, wrong)


def compare(folder):
    """diff compares the steps of one phase by their times from completion to completion."""
    engines = [Engine(seed) for seed in (1, 2, 3)]
    paths = [os.path.join(folder, "engine%d.pt.trace.json" % seed) for seed in (1, 2, 3)]
    for base, now in ((0, 1), (1, 2), (2, 0)):
        p = subprocess.run([BIN, "diff", "--format", "json", "--table", "diff_summary", paths[base], paths[now]],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        doc = json.loads(p.stdout)
        busy = {phase: sum(r["busy_ns"] for r in engines[base].rows if r["phase"] == phase) for phase in ("prefill", "decode")}
        phase, step = doc["matched"].get("phase"), doc["tables"][0]["rows"][0]
        report("diff of %d and %d: the phase with most work" % (base, now), [] if phase == max(busy, key=busy.get) else [phase, busy])
        of = [[r["time_ns"] for r in engine.rows if r["phase"] == phase and r["time_ns"] is not None] for engine in (engines[base], engines[now])]
        for side, times in zip(("base", "new"), of if all(of) else ()):
            said = step[side + "_steps"], step[side + "_ns"]
            good = said[0] == len(times) and abs(said[1] - statistics.median(times)) < 1
            report("diff of %d and %d: %s" % (base, now, side), [] if good else [said, times])


# ---- relations

def relations(label, path):
    got = tables(path, "engine_steps,serving,kernels")
    by_worker = {}
    for r in got["engine_steps"]:
        by_worker.setdefault((r.get("worker"), r.get("span")), []).append(r)
    wrong = []
    for rows in by_worker.values():
        rows = sorted((r for r in rows if r["device_end_at_ns"] is not None), key=lambda r: r["device_end_at_ns"])
        for a, b in zip(rows, rows[1:]):
            if b["gap_ns"] is not None and b["device_end_at_ns"] - a["device_end_at_ns"] != b["time_ns"]:
                wrong.append("step %s takes %s, ends %s after step %s" % (b["step"], b["time_ns"], b["device_end_at_ns"] - a["device_end_at_ns"], a["step"]))
    report("%s: times add up to the distance of ends" % label, wrong)
    steps = sum(r["steps"] + r["incomplete"] for r in got["serving"] if r["phase"] not in ("pause", "outside"))
    report("%s: phases have all steps" % label, [] if steps == len(got["engine_steps"]) else ["%d of %d" % (steps, len(got["engine_steps"]))])
    by_operator = tables(path, "kernels", "--group-by", "operator")["kernels"]
    sums = [sum(r["total_ns"] for r in rows) for rows in (got["kernels"], by_operator)]
    report("%s: kernel time by operator is that by name" % label, [] if sums[0] == sums[1] else [sums])


def sample(folder):
    """The sample with a GPU that has no name, as HIP writes it, and with its steps from other sources."""
    with gzip.open(SAMPLE, "rt") as f:
        doc = json.load(f)
    doc["deviceProperties"][0]["name"] = ""
    nameless = os.path.join(folder, "nameless.pt.trace.json")
    with open(nameless, "w") as f:
        json.dump(doc, f)
    first = tables(nameless, "findings")["findings"][0]
    report("a GPU without a name is taken for MI300X", [] if "taken for MI300X" in first["detail"] else [first])
    peaks = {r["peak_gb_per_s"] for r in tables(nameless, "roofline")["roofline"]}
    report("its peaks are those of the product", [] if peaks == {5300} else [peaks])
    doc["deviceProperties"][0]["numSms"] = 303
    with open(nameless, "w") as f:
        json.dump(doc, f)
    first = tables(nameless, "findings")["findings"][0]
    report("with other numbers it is not", [] if "taken for" not in first["detail"] else [first])
    for source, said, steps in (("engine", "annotation", 27), ("inferred", "inferred", 27), ("profiler", "none", 1)):
        got = tables(SAMPLE, "run,step_breakdown", "--step-source", source)
        word = {r["key"]: r["value"] for r in got["run"]}["steps_source"]
        n = len([r for r in got["step_breakdown"] if r["step"] != "average"])
        report("--step-source %s" % source, [] if (word, n) == (said, steps) else [word, n])


def on_devices(folder):
    """The sample with its ranges as copies on two streams instead of on the host: the same steps, but for the host's times."""
    with gzip.open(SAMPLE, "rt") as f:
        doc = json.load(f)
    ranges = [e for e in doc["traceEvents"] if e.get("cat") == "user_annotation" and e["name"].startswith("execute_")]
    events = [e for e in doc["traceEvents"] if e not in ranges]
    called = {e["args"]["correlation"]: e["ts"] for e in events if e.get("cat") == "cuda_runtime" and "correlation" in e.get("args", ())}
    work = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    for i, r in enumerate(ranges):
        own = [e for e in work if r["ts"] <= called.get(e["args"].get("correlation"), -1) < r["ts"] + r["dur"]]
        first, last = min(e["ts"] for e in own), max(e["ts"] + e["dur"] for e in own)
        for stream, start, end in ((7, first, (first + last) / 2), (8, (first + last) / 2, last)):
            events.append({"ph": "X", "cat": "gpu_user_annotation", "name": r["name"], "pid": 0, "tid": stream,
                           "ts": round(start, 3), "dur": round(end - start, 3), "args": {"External id": 9000 + i}})
    random.Random(1).shuffle(events)
    path = os.path.join(folder, "copies.pt.trace.json")
    with open(path, "w") as f:
        json.dump(dict(doc, traceEvents=events), f)
    got, want = (tables(p, "run,engine_steps,serving", "--graph-key", os.path.dirname(SAMPLE) + "/capture_traces") for p in (path, SAMPLE))
    facts = {r["key"]: r["value"] for r in got["run"]}
    report("copies on devices: steps_source", [] if facts["steps_source"] == "gpu_annotation" else [facts["steps_source"]])
    for table, key, columns in (("engine_steps", "step", ("name", "phase", "requests", "busy_ns", "gap_ns", "time_ns", "device_end_at_ns")),
                                ("serving", "phase", ("steps", "time_ns", "time_p99_ns", "busy_pct", "graph_pct", "top", "top_pct", "generation_tokens"))):
        rows = [{c: r.get(c) for c in columns + (key,)} for r in want[table]]
        shift = {t: min([r["device_end_at_ns"] for r in d["engine_steps"]]) for t, d in (("got", got), ("want", want))}
        for r in rows:
            if "device_end_at_ns" in r:
                r["device_end_at_ns"] += shift["got"] - shift["want"]  # the file begins later without the first range
        report("copies on devices: %s" % table, differences(got[table], rows, [key]))
    report("copies on devices: no time on the host", [r for r in got["engine_steps"] + got["serving"] if r.get("host_ns") is not None])


def without_annotations(path, to):
    """A copy of a trace without its user annotations."""
    with gzip.open(path, "rt") as f:
        trace = json.load(f)
    trace["traceEvents"] = [e for e in trace["traceEvents"] if e.get("cat") not in ("user_annotation", "gpu_user_annotation")]
    with open(to, "w") as f:
        json.dump(trace, f)


# ---- the generator

# Traces whose graph work the tables do not know yet.
WAITING = {"nsys_nvtx": "nodes of graphs in reports of Nsight Systems"}


def rounded(rows):
    return [dict(r, owned_pct=round(r["owned_pct"], 6)) for r in rows]


def check_truth(label, name, t, path, worker):
    """Compare tables with what the generator says of a trace, or of one of its workers."""
    def own(table, *options):
        rows = tables(path, table, *options)[table]
        return rows if worker is None else [r for r in rows if r["worker"] == worker]
    if "engine_steps" in t:
        report("%s: engine_steps" % label, differences(own("engine_steps"), t["engine_steps"], ["step"]))
    if "graph_ownership" not in t:
        return
    if name in WAITING:
        print("skip %s: graphs: %s" % (label, WAITING[name]))
        return
    rows = own("graph_ownership")
    report("%s: graph_ownership" % label, differences(rounded(rows), rounded(t["graph_ownership"]), ["graph", "source"]))
    sums = {g: sum(r["owned_pct"] for r in rows if r["graph"] == g) for g in {r["graph"] for r in rows}}
    report("%s: owned shares of a graph add up to 100" % label, [s for s in sums.items() if abs(s[1] - 100) > 1e-6])
    report("%s: kernels by operator" % label, differences(own("kernels", "--group-by", "operator"), t["kernels"], ["operator", "name"]))


def check_seed(folder, seed):
    subprocess.run([sys.executable, GENERATOR, "--seed", str(seed), folder], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "truth.json")) as f:
        truth = json.load(f)
    for name, t in sorted(truth.items()):
        path = os.path.join(folder, t["paths"][0])
        label = "seed %d, %s" % (seed, name)
        check_truth(label, name, t, path, None)
        for worker, own in t.get("workers", {}).items():
            check_truth("%s, %s" % (label, worker), name, own, path, worker)
        if "engine_steps" in t or "workers" in t:
            relations(label, path)
        if "iterations" in t:
            rows = tables(path, "engine_steps")["engine_steps"]
            report("%s: iterations" % label, [] if len(rows) == t["iterations"] else ["%d, want %d" % (len(rows), t["iterations"])])
    whole = os.path.join(folder, truth["edges_mixed"]["paths"][0])
    bare = os.path.join(folder, "bare.pt.trace.json")
    without_annotations(whole, bare)
    sums = [{r["name"]: r["total_ns"] for r in tables(p, "kernels")["kernels"]} for p in (whole, bare)]
    report("seed %d: kernel time is the same without annotations" % seed, [] if sums[0] == sums[1] else [sums])


def main():
    with tempfile.TemporaryDirectory() as folder:
        simulate(folder)
        compare(folder)
        sample(folder)
        on_devices(folder)
    if not os.path.isfile(GENERATOR):
        print("skip generated traces: TRACETTY_CORPUS is not set, or has no ../tools/gen_serving.py")
        return 1 if failed else 0
    for seed in range(101, 101 + SEEDS):
        with tempfile.TemporaryDirectory() as folder:
            check_seed(folder, seed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
