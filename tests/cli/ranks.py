#!/usr/bin/env python3
"""The rank that keeps the others waiting: simulated ranks with a late one, recorded whole and with every kind of
damage.

A simulation knows which collectives are the same and when each rank arrived, and so the waits that follow from the
rest of each file. The program sees the files only. It must find the same calls and waits if the files tell which calls
are the same; otherwise it may answer "inconclusive", but must never name another rank.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
failed = 0


def report(ok, what, detail=""):
    global failed
    failed += not ok
    print("ok %s" % what if ok else "FAIL %s: %s" % (what, detail))


class Run:
    """Collectives of several ranks. `late` arrives at each `by` us after the others; all leave a collective within 3
    us."""

    def __init__(self, seed, ranks=8, late=5, by=100, steps=5, calls=4, marked=True, seq=False, step_marks=True, clock=0,
                 stall=False, offset_of=None, longest=1500):
        self.n, self.late, self.seq, self.marked, self.step_marks, self.stall = ranks, late, seq, marked, step_marks, stall
        rnd = random.Random(seed)
        self.events = [[] for _ in range(ranks)]  # for each rank: (start in its time, event, number of the call or None)
        self.times = [{} for _ in range(ranks)]   # for each rank: call -> duration in ns
        offset = [offset_of(k) if offset_of else k * clock for k in range(ranks)]
        at, call = 1000.0, 0
        for step in range(3, 3 + steps):
            begin = at
            for _ in range(calls):
                launch = at + rnd.randint(5, 40)
                come = [launch + rnd.random() * 20 + (by if k == late else 0) for k in range(ranks)]
                length = rnd.randint(60, longest)
                done = max(come) + length
                for k in range(ranks):
                    start, end = round(come[k], 3), round(done + rnd.random() * 3, 3)
                    self.collective(k, offset[k], step, call, round(launch, 3), start, end)
                at = done + rnd.randint(20, 2500)
                call += 1
            for k in range(ranks):
                if step_marks:
                    self.add(k, offset[k] + begin, "user_annotation", "ProfilerStep#%d" % step, at - begin, {})
            at += 10
        self.n_calls = call

    def add(self, k, ts, cat, name, dur, args, call=None):
        device = cat == "kernel"
        e = dict(ph="X", cat=cat, name=name, pid=0 if device else 100 + k, tid=20 if device else 1, ts=round(ts, 3), dur=round(dur, 3), args=args)
        self.events[k].append((e["ts"], e, call))

    def collective(self, k, offset, step, call, launch, start, end):
        about = {"Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 1000 + call, "Out msg nelems": 1000 + call,
                 "Group size": self.n, "Process Group Name": "0", "Process Group Ranks": "[0, ...]"}
        if self.seq:
            about["Seq"] = 17 + call
        ids = {"External id": 10 + 2 * call, "correlation": 1000 + call}
        # a rank that stalls while enqueueing stays in its host range while the others wait
        host = start - launch - 1 if self.stall and k == self.late else 9
        if self.marked:
            self.add(k, offset + launch - 2, "user_annotation", "nccl:all_reduce", host + 2, {"External id": 10 + 2 * call})
        else:
            self.add(k, offset + launch - 2, "cpu_op", "record_param_comms", host + 2, dict(about, **{"External id": 10 + 2 * call}))
        self.add(k, offset + launch + host - 5, "cuda_runtime", "cudaLaunchKernelExC", 3, ids)
        self.add(k, offset + start, "kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", end - start,
                 dict(about, device=0, stream=20, **ids), call)
        self.times[k][call] = round((end - start) * 1000)

    def write(self, folder, begins=None, cuts=None):
        """Write one event a line. begins: rank -> the first recorded call; cuts: rank -> share of the lines that are
        kept. Returns the durations that are left, by rank and call."""
        left = []
        for k in range(self.n):
            events = sorted(self.events[k], key=lambda x: (x[0], -x[1]["dur"]))
            if begins and k in begins:
                first = min(ts for ts, _, call in events if call == begins[k]) - 1
                events = [x for x in events if x[0] >= first]
            lines = [json.dumps(e) for _, e, _ in events]
            if cuts and k in cuts:
                lines = lines[:int(len(lines) * cuts[k])]
            left.append({call: self.times[k][call] for _, _, call in events[:len(lines)] if call is not None})
            head = {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": k, "world_size": self.n}}
            text = json.dumps(head)[:-1] + ', "traceEvents": [\n' + ",\n".join(lines)
            with open("%s/run_rank%d.pt.trace.json" % (folder, k), "w") as f:
                f.write(text + (",\n{\"ph\": \"X\", \"na" if cuts and k in cuts else "\n]}\n"))
        return left


def waits(left):
    """By rank, over the calls that at least two ranks have: calls, came last, waited, caused."""
    ranks = [[0, 0, 0, 0] for _ in left]
    for call in sorted(set().union(*left)):
        took = {k: times[call] for k, times in enumerate(left) if call in times}
        if len(took) < 2:
            continue
        last = min(took, key=lambda k: (took[k], k))
        for k, ns in took.items():
            ranks[k][0] += 1
            ranks[k][2] += ns - took[last]
        ranks[last][1] += 1
        ranks[last][3] += sum(took.values()) - len(took) * took[last]
    return {k: r for k, r in enumerate(ranks) if r[0]}


def tables(folder, names, *options):
    out = subprocess.run([BIN, "summary", "--table", names, "--format", "json", *options, folder], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return {t["id"]: t["rows"] for t in json.loads(out.stdout)["tables"]}


def rank(worker):
    return int(re.search(r"rank(\d+)", worker).group(1))


def check(what, run, exact=True, begins=None, cuts=None):
    """exact: all calls are found with their waits; otherwise the late rank is named, or no rank."""
    with tempfile.TemporaryDirectory() as folder:
        want = waits(run.write(folder, begins, cuts))
        t = tables(folder, "comm_ranks,comm_calls,findings")
    got = {rank(r["worker"]): [r["calls"], r["last_calls"], r["waited_ns"], r["caused_ns"]] for r in t["comm_ranks"]}
    named = [rank(r["worker"]) for r in t["comm_ranks"] if r["caused_ns"] > 0][:1]
    late = max(want, key=lambda k: want[k][3]) if want else None
    for r in t["comm_calls"]:
        unknown = [r["last_worker"], r["wait_ns"], r["waits_ns"]].count(None)
        if unknown != (0 if r["conclusive"] else 3):
            report(False, what + ": an inconclusive call says nothing", r)
    for f in t["findings"]:
        words = re.search(r"rank(\d+)", f["title"])
        if f["id"] == "straggler" and words and int(words.group(1)) != late:
            report(False, what + ": the finding", f["title"])
    if exact:
        report(got == want and late == run.late, what, "late %s, got %s, want %s" % (late, got, want))
    else:
        report(named in ([], [late]), what, "late %s, named %s" % (late, named))


def straggler():
    check("8 ranks", Run(1))
    check("16 ranks with clocks 2.5 ms apart", Run(2, ranks=16, late=11, clock=2500))
    check("kernels without a mark on the host", Run(3, marked=False))
    check("the late rank stalls while it enqueues", Run(4, by=400, stall=True))
    check("no steps", Run(5, step_marks=False, clock=1700))
    check("sequence numbers, no steps, clocks that say nothing", Run(6, seq=True, marked=False, step_marks=False,
                                                                     offset_of=lambda k: (k * 7919) % 13 * 1e5))


def later():
    """Recordings that begin later, in the middle of a step, each with its own clock."""
    for begin in (1, 2, 4, 5, 9):
        for marked in (True, False):
            how = "marked" if marked else "kernels alone"
            late = 5 if begin % 2 else 2
            check("one begins at call %d, %s" % (begin, how), Run(20 + begin, marked=marked, late=late, clock=900), begins={3: begin})
            check("one begins at call %d, %s, no steps" % (begin, how), Run(40 + begin, marked=marked, late=late, clock=900, step_marks=False),
                  begins={3: begin})
    check("every other one begins later", Run(60, ranks=12, late=6, clock=-400), begins={k: k // 2 for k in range(1, 12, 2)})
    check("the late one begins later", Run(61, ranks=12, late=7), begins={7: 6})
    check("sequence numbers, one begins later", Run(62, seq=True, step_marks=False), begins={2: 3})


def cut():
    for share in (0.08, 0.2, 0.35, 0.5, 0.71, 0.9, 0.97):
        # a single remaining collective does not relate the clock of its rank
        check("one is cut at %d %%" % (100 * share), Run(int(1000 * share), clock=300), exact=share > 0.1, cuts={1: share})
        check("one is cut at %d %%, no steps" % (100 * share), Run(int(2000 * share), clock=300, step_marks=False), exact=False,
              cuts={1: share})
        check("one is cut at %d %%, one begins later" % (100 * share), Run(int(3000 * share), ranks=10, late=9, clock=-120), exact=False,
              cuts={1: share}, begins={4: 3})


def inconclusive():
    """Steps with equal numbers that are not the same step: no rank is named, and a message says so."""
    with tempfile.TemporaryDirectory() as folder:
        Run(80, ranks=2, late=0, longest=150).write(folder)
        other = tempfile.mkdtemp(dir=folder)
        Run(81, ranks=2, late=1, longest=150).write(other)
        os.replace(other + "/run_rank1.pt.trace.json", folder + "/run_rank1.pt.trace.json")
        os.remove(other + "/run_rank0.pt.trace.json")
        os.rmdir(other)
        t = tables(folder, "comm_calls,comm_ranks,comm_waits,findings")
        doubtful = sum(not r["conclusive"] for r in t["comm_calls"])
        report(doubtful > len(t["comm_calls"]) // 2, "calls that are not the same: most are inconclusive", "%d of %d" % (doubtful, len(t["comm_calls"])))
        report(sum(r["last_calls"] for r in t["comm_ranks"]) == len(t["comm_calls"]) - doubtful, "they count for nobody", t["comm_ranks"])
        report(sum(r["waited_ns"] is None for r in t["comm_waits"]) == 2 * doubtful, "nor are there waits of them", doubtful)
        screen = subprocess.run([BIN, "--screen", "distributed", "--dump", "120x35", folder], capture_output=True, text=True).stdout
        report("%d of %d collectives inconclusive" % (doubtful, len(t["comm_calls"])) in screen and "? inconclusive" in screen,
               "the Distributed screen says so", screen)
        report("traggler unknown" in screen, "it names nobody when that is most of them", screen)
        said = [f["title"] for f in t["findings"] if f["id"] == "straggler"]
        report(len(said) == 1 and "inconclusive" in said[0] and not re.search(r"rank\d| rank \d", said[0]), "the finding says so", said)


def chosen():
    """Choosing a worker gives its rows of the whole."""
    with tempfile.TemporaryDirectory() as folder:
        Run(90, ranks=9, clock=50).write(folder, begins={4: 3})
        names = "comm_wait,comm_waits,comm_ranks,comm_ops,comm_steps"
        whole = tables(folder, names)
        for k in (0, 4, 5):
            worker = "run_rank%d" % k
            part = tables(folder, names, "--worker", worker)
            for name in names.split(","):
                want = [r for r in whole[name] if r["worker"] == worker]
                report(want and part[name] == want, "--worker %s: %s" % (worker, name), "%s instead of %s" % (part[name][:2], want[:2]))
        calls = tables(folder, "comm_calls", "--worker", "run_rank4")["comm_calls"]
        report(len(calls) == 17 and {r["workers"] for r in calls} == {9}, "--worker run_rank4: comm_calls are those that it takes part in", len(calls))
        sizes = collections.Counter(r["size_bytes"] for r in tables(folder, "comm_calls")["comm_calls"])
        report(sizes == collections.Counter(2 * (1000 + i) for i in range(20)), "sizes by the arguments of the kernels", sizes)


straggler()
later()
cut()
inconclusive()
chosen()
sys.exit(failed > 0)
