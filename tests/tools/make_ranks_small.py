#!/usr/bin/env python3
"""Small traces of N ranks of one job with a known straggler: make_ranks_small.py DIR N [--late RANK] [--by US] [--steps N] [--calls N]

Every rank computes and then meets the others in all-reduces. Rank --late comes --by us after the others to each of them; these come
within 20 us. All leave a collective within 3 us. Clocks of ranks are up to a second apart. Prints the waits as JSON: for each
collective the rank that was last and the longest wait in ns, as the files have them.
"""
import argparse
import json
import os
import random


def simulate(n, late, by, steps, calls):
    """Of each rank its events in its own clock, and of each collective (last rank, longest wait in ns)."""
    rnd = random.Random(n * 1000 + late)
    clock = [1e6 + rnd.randrange(0, 1000000) for _ in range(n)]
    events, waits, at, corr = [[] for _ in range(n)], [], 1000.0, 0
    for step in range(10, 10 + steps):
        begin = at
        for call in range(calls):
            corr += 2
            gemm = at + 50
            come = [gemm + 400 + rnd.random() * 20 + (by if k == late else 0) for k in range(n)]
            done = max(come) + rnd.randrange(300, 600)
            for k in range(n):
                base, start, end = clock[k], round(come[k], 3), round(done + rnd.random() * 3, 3)
                operator(events[k], base + at + 10, corr, k)
                launched(events[k], base + at + 20, base + gemm, round(come[k] - gemm - 5, 3), corr, "sm90_gemm_bf16_%d" % (call % 3), {})
                launched(events[k], base + at + 30, base + start, round(end - start, 3), corr + 1, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", {
                    "Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 4096, "Out msg nelems": 4096, "Group size": n,
                    "Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[0, ...]", "Rank": k,
                    "Seq": corr // 2})
            length = [round(round(done_of(events[k]), 3) * 1000) for k in range(n)]
            waits.append((length.index(min(length)), max(length) - min(length)))
            at = done + 60
        for k in range(n):
            events[k].append(dict(ph="X", cat="user_annotation", name="ProfilerStep#%d" % step, pid=1000, tid=1000,
                                  ts=round(clock[k] + begin, 3), dur=round(at - begin, 3), args={}))
        at += 30
    return events, waits


def done_of(events):
    return events[-2]["dur"]  # of the collective; its flow follows


def operator(out, ts, corr, rank):
    out.append(dict(ph="X", cat="cpu_op", name="aten::mm", pid=1000, tid=1000, ts=round(ts, 3), dur=15.0,
                    args={"External id": corr, "Ev Idx": corr}))


def launched(out, ts, start, dur, corr, name, args):
    out.append(dict(ph="X", cat="cuda_runtime", name="cudaLaunchKernel", pid=1000, tid=1000, ts=round(ts, 3), dur=4.0,
                    args={"External id": corr & ~1, "correlation": corr}))
    out.append(dict(ph="X", cat="kernel", name=name, pid=0, tid=7, ts=round(start, 3), dur=dur,
                    args=dict({"External id": corr & ~1, "correlation": corr, "device": 0, "stream": 7, "grid": [64, 1, 1], "block": [128, 1, 1]},
                              **args)))
    out.append(dict(ph="s", id=corr, pid=1000, tid=1000, ts=round(ts, 3), cat="ac2g", name="ac2g"))


def trace(n, rank, events):
    return {"schemaVersion": 1,
            "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85899345920, "numSms": 132}],
            "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": n, "pg_count": 1,
                                "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": n,
                                               "ranks": list(range(n))}]},
            "traceName": "rank%d.json" % rank, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1700000000000000000, "traceEvents": events}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dir")
    p.add_argument("ranks", type=int)
    p.add_argument("--late", type=int, default=-1)
    p.add_argument("--by", type=float, default=300)
    p.add_argument("--steps", type=int, default=3)
    p.add_argument("--calls", type=int, default=6)
    a = p.parse_args()
    events, waits = simulate(a.ranks, a.late, a.by, a.steps, a.calls)
    os.makedirs(a.dir, exist_ok=True)
    for k in range(a.ranks):
        with open(os.path.join(a.dir, "rank%d.1700000000000.pt.trace.json" % k), "w") as f:
            json.dump(trace(a.ranks, k, events[k]), f)
    print(json.dumps([{"last": last, "wait_ns": wait} for last, wait in waits]))


main()
