#!/usr/bin/env python3
"""Findings claim time of the account: each rule on a small trace that just meets it and on one that just does not,
with its share and saving computed by hand; findings that restate a finding come under it. On every trace of
TRACETTY_CORPUS the root findings together save at most the account, which the critical path tiles."""
import glob
import json
import os
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
CORPUS = os.environ.get("TRACETTY_CORPUS")
LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
COLLECTIVE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
failed = 0


def report(ok, what, detail=""):
    global failed
    failed += not ok
    print("ok %s" % what if ok else "FAIL %s: %s" % (what, detail))


def summary(path, tables, *options):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", tables, *options, path], capture_output=True,
                       stdin=subprocess.DEVNULL)
    if p.returncode:
        raise RuntimeError("status %d: %s" % (p.returncode, p.stderr[-300:]))
    return {t["id"]: t for t in json.loads(p.stdout.decode("utf-8"))["tables"]}


class Trace:
    """One host thread and one device; times in us."""

    def __init__(self, rank=None, name="NVIDIA H100"):
        self.events, self.ids, self.rank = [], 0, rank
        self.device = dict(id=0, name=name, totalGlobalMem=1 << 36, computeMajor=9, computeMinor=0)

    def host(self, cat, name, start, end, **args):
        self.events.append(dict(ph="X", cat=cat, name=name, pid=1, tid=1, ts=start, dur=end - start, args=args))

    def step(self, number, start, end):
        self.host("user_annotation", "ProfilerStep#%d" % number, start, end)

    def work(self, call, start, end, name="gemm", cat="kernel", stream=7, api="cudaLaunchKernel", **args):
        """Device work from start to end, launched by a call (begin, end)."""
        self.ids += 1
        self.host("cuda_runtime", api, *call, correlation=self.ids)
        self.events.append(dict(ph="X", cat=cat, name=name, pid=0, tid=stream, ts=start, dur=end - start,
                                args=dict(args, correlation=self.ids, device=0, stream=stream)))

    def write(self, folder, name="trace.json"):
        doc = dict(schemaVersion=1, deviceProperties=[self.device], traceEvents=self.events)
        if self.rank is not None:
            doc["distributedInfo"] = dict(backend="nccl", rank=self.rank, world_size=2)
        path = os.path.join(folder, name)
        with open(path, "w") as f:
            json.dump(doc, f)
        return path


# ---- a trace of 1,000 us for each rule; x decides ----

def host_bound(x):  # an operator until x with its launch inside, then one kernel
    t = Trace()
    t.step(0, 0, 1000)
    t.host("cpu_op", "aten::mm", 0, x)
    t.work((x - 10, x), x, 1000)
    return t


def launch_bound(x):  # the launch takes x us, the kernel 300
    t = Trace()
    t.step(0, 0, 1000)
    t.host("cpu_op", "aten::mm", 0, 700)
    t.work((700 - x, 700), 700, 1000)
    return t


def input_stall(x):
    t = Trace()
    t.step(0, 0, 1000)
    t.host("user_annotation", LOADER, 0, x)
    t.work((x, x + 10), x + 10, 1000)
    return t


def sync_stall(x):  # after the first kernel the host waits for x more us
    t = Trace()
    t.step(0, 0, 1010)
    t.work((0, 10), 10, 400)
    t.host("cuda_runtime", "cudaStreamSynchronize", 20, 400 + x)
    t.work((400 + x, 410 + x), 410 + x, 1010)
    return t


def stream_wait(x):  # on two streams: a single stream does not show that it waits for another
    t = Trace()
    t.step(0, 0, 1000)
    t.work((0, 5), 10, 400)
    t.work((5, 10), 400 + x, 1000, stream=20)
    return t


def exposed_communication(x):
    t = Trace()
    t.step(0, 0, 1010)
    t.work((0, 5), 10, 10 + x, name=COLLECTIVE)
    t.work((5, 10), 10 + x, 1010)
    return t


def exposed_copy(x):
    t = Trace()
    t.step(0, 0, 1010)
    t.work((0, 5), 10, 10 + x, name="Memcpy HtoD (Pinned -> Device)", cat="gpu_memcpy", api="cudaMemcpyAsync", bytes=1000)
    t.work((5, 10), 10 + x, 1010)
    return t


def queue_full(x):  # the first kernel runs until x; meanwhile 1,030 more are launched, one each us
    t = Trace()
    t.step(0, 0, 4000)
    t.work((0, 1), 2, x)
    for i in range(1, 1031):
        t.work((i, i + 1), x + i - 1, x + i)
    return t


def warmup_steps(x):  # steps of 1,000 us, the first one of x us
    t, at = Trace(), 0
    for k in range(4):
        end = at + (x if k == 0 else 1000)
        t.step(k, at, end)
        t.work((at, at + 1), at + 1, end)
        at = end
    return t


def below_roof(x):  # 549,755,813,888 FLOP at 989.4 TFLOP/s take at least 555,646 ns: 40.03 % of 1,388 us, 39.97 % of 1,390
    t = Trace(name="NVIDIA H100 80GB HBM3")
    t.step(0, 0, 2000 + x)
    t.host("cpu_op", "aten::mm", 0, 10, **{"Input Dims": [[4096, 4096], [4096, 16384]], "Input type": ["c10::BFloat16"] * 2})
    t.work((2, 8), 10, 10 + x)
    t.work((20, 25), 10 + x, 2000 + x)
    return t


RULES = [  # rule, trace, x just below the rule, x that meets it, value in percent, saving in ns; None = not predicted
    (host_bound, 100, 101, 10.1, 101000),
    (launch_bound, 300, 301, 30.1, None),
    (input_stall, 50, 51, 5.1, 51000),
    (sync_stall, 50, 51, 100 * 51 / 1010, 51000),
    (stream_wait, 100, 101, 10.1, 1000000 - 390000 - 499000),  # both at once would save more, but busy time remains
    (exposed_communication, 101, 102, 100 * 102 / 1010, 102000),
    (exposed_copy, 50, 51, 100 * 51 / 1010, 51000),
    (below_roof, 1388, 1390, 100 * 1390 / 3390, 1390000 - 555646),
    (queue_full, 1030, 1100, False, None),
    (warmup_steps, 1500, 1501, 100 * 501 / 4501, None),
]


def check_rules(folder):
    for make, below, above, pct, saving in RULES:
        rule = make.__name__
        rows = summary(make(below).write(folder), "findings")["findings"]["rows"]
        report(rule not in [r["id"] for r in rows], "%s: not at its limit" % rule, rows)
        rows = summary(make(above).write(folder), "findings")["findings"]["rows"]
        at = [r for r in rows if r["id"] == rule]
        report(len(at) == 1, "%s: found above its limit" % rule, rows)
        if not at or pct is False:
            continue
        said = at[0]["saving_ns"]  # the remaining part is a fraction of 2^-30
        right = said is None if saving is None else said is not None and abs(said - saving) <= 2
        report(abs(at[0]["value_pct"] - pct) < 1e-6 and right, "%s: its share and what it saves" % rule, at)
        report(at[0]["start_at_ns"] is not None and at[0]["detail"], "%s: where, and what to do" % rule, at)


def under(rows, root, symptom):
    """The symptom comes after its root, with no other root in between."""
    ids = [r["id"] for r in rows]
    if root not in ids or symptom not in ids:
        return False
    i, k = ids.index(root), ids.index(symptom)
    return i < k and not rows[i].get("cause") and all(r.get("cause") == root for r in rows[i + 1:k + 1])


def check_symptoms(folder):
    t = input_stall(600)
    rows = summary(t.write(folder), "findings")["findings"]["rows"]
    report(under(rows, "input_stall", "input_bound"), "input: what the step says stands under what the path says", rows)
    report(under(rows, "input_stall", "low_gpu_utilization"), "input: and so does the device that idles", rows)
    rows = summary(launch_bound(400).write(folder), "findings")["findings"]["rows"]
    report(under(rows, "host_bound", "launch_bound"), "launches stand under the host", rows)
    rows = summary(exposed_communication(400).write(folder), "findings")["findings"]["rows"]
    report(under(rows, "exposed_communication", "communication_bound"), "communication: one root", rows)
    t, at = Trace(), 0  # steps that wait for input, one of them the longest: no time belongs to two findings
    for k, wait in enumerate((100, 100, 1500, 100)):
        t.step(k, at, at + 900 + wait)
        t.host("user_annotation", LOADER, at, at + wait)
        t.work((at + wait, at + wait + 10), at + wait + 10, at + 900 + wait)
        at += 900 + wait
    rows = summary(t.write(folder), "findings")["findings"]["rows"]
    slow = [r for r in rows if r["id"] == "slow_step"]
    report(len(slow) == 1 and not slow[0].get("cause") and slow[0]["saving_ns"] is None and slow[0]["time_ns"] is None,
           "the slow step stands alone and claims nothing", rows)
    savings = [r["saving_ns"] or 0 for r in rows if not r.get("cause")]
    place = [(("high", "medium", "info").index(r["severity"]), -(r["saving_ns"] or 0)) for r in rows if not r.get("cause")]
    report(sum(savings) <= at * 1000 and place == sorted(place), "roots: by severity the largest first, none twice", rows)
    report(all(r["saving_ns"] is None for r in rows if r.get("cause")), "symptoms save nothing of their own", rows)


def check_clocks(folder):
    """Two ranks whose collectives end together, and two whose ends drift apart."""
    for moves, expected in ((0, False), (400, True)):
        place = tempfile.mkdtemp(dir=folder)
        for rank in range(2):
            t = Trace(rank)
            for k in range(6):
                at, late = 10000 * k, 1000 if rank == 0 else 0
                t.step(k, at, at + 9000)
                t.work((at + 10, at + 20), at + 3000 - late, at + 5000 + (moves * k if rank else 0), name=COLLECTIVE)
                t.work((at + 30, at + 40), at + 5000 + moves * k, at + 9000)
            t.write(place, "rank%d.json" % rank)
        rows = summary(place, "findings,comm_clock")
        doubtful = any(r["trusted"] is False for r in rows["comm_clock"]["rows"])
        found = any(r["id"] == "clocks_apart" for r in rows["findings"]["rows"])
        report(found == expected == doubtful, "clocks_apart: %s" % ("found" if expected else "not where they agree"), rows)


def check_two_clocks(folder):
    """Device work on another clock than the host's is set against no step: neither a share nor a slow step is said."""
    t, away = Trace(), 10 ** 12
    for i in range(4):
        t.step(i, 1000 * i, 1000 * i + 900)
        for k in range(8):
            at = 1000 * i + 100 * k
            t.work((at, at + 5), away + at + 10, away + at + 90)
    rows = summary(t.write(folder, "two_clocks.json"), "findings")["findings"]["rows"]
    report([r["id"] for r in rows] == ["clocks_differ"], "two clocks in one file: nothing else is said", [r["title"] for r in rows])


def check_none(folder):
    t = Trace()
    t.step(0, 0, 1010)
    t.work((0, 5), 10, 500)
    t.work((5, 10), 510, 1010)
    note = summary(t.write(folder), "findings")["findings"].get("note") or ""
    report(note == "No findings. GPU 0 is busy 98.0% of the step time; largest idle cause: queued 1.0%",
           "no findings: how busy the device is, and why it idles most", note)
    t = Trace()
    t.step(0, 0, 1000)
    t.host("cpu_op", "aten::mm", 0, 100)
    t.host("cuda_runtime", "cudaFree", 100, 1000)
    found = summary(t.write(folder), "findings")["findings"]
    silent = {"host_bound", "launch_bound", "sync_stall", "stream_wait", "low_gpu_utilization", "blocking_calls"}
    report(not silent & {r["id"] for r in found["rows"]}, "nothing is said of idle devices where none worked", found)


def check_corpus():
    """No time on the path is saved by two root findings."""
    folders = {os.path.dirname(p) for p in glob.glob(os.path.join(CORPUS, "traces", "*", "*", "*.json*"))}
    paths = sorted(folders) + sorted(glob.glob(os.path.join(CORPUS, "traces", "ascend", "*")))
    checked = 0
    for path in paths:
        try:
            found = summary(path, "findings,critical_path")
        except RuntimeError:
            continue  # the file is no readable trace
        of = lambda r: (r.get("worker"), r.get("span"))
        length, saved = {}, {}
        for r in found["critical_path"]["rows"]:
            length[of(r)] = length.get(of(r), 0) + r["total_ns"]
        for r in found["findings"]["rows"]:
            if not r.get("cause"):
                saved[of(r)] = saved.get(of(r), 0) + (r["saving_ns"] or 0)
        for key in length:
            checked += 1
            if saved.get(key, 0) > length[key]:
                report(False, "%s %s" % (path, key), "roots save %d of %d ns" % (saved[key], length[key]))
        rows, roots = found["findings"]["rows"], set()
        for r in rows:
            if not r.get("cause"):
                roots = {r["id"]}
            elif r["cause"] not in roots:
                report(False, path, "%s is not behind its root" % r["id"])
    report(checked > 50, "%d traces: roots save no more than the path is long" % checked, "only %d traces" % checked)


with tempfile.TemporaryDirectory() as tmp:
    check_rules(tmp)
    check_symptoms(tmp)
    check_clocks(tmp)
    check_two_clocks(tmp)
    check_none(tmp)
if CORPUS:
    check_corpus()
sys.exit(0)
