#!/usr/bin/env python3
"""Traces of a training run of many ranks, as torch.profiler writes them, whose stragglers are known.

Every rank belongs to two process groups: "tp", the ranks of its node, and "dp", the ranks of equal place on all nodes. In
each step a rank computes, meets its node, computes, and meets its dp group, --calls times. All ranks leave a collective
together (to --jitter us); who arrives later is in it for a shorter time. What makes a rank late is chosen:
  --late RANK:US:SHARE      RANK arrives US later at a SHARE (0 to 1) of its collectives
  --slow-node NODE:US       all ranks of NODE arrive US later at every dp collective
  --slow-link RANK:GROUP:US RANK arrives US later at the collectives of its group tp or dp
Other ranks arrive 0 to --noise us late. Clocks differ by up to --clocks seconds. --cut RANK,... loses the first third of
a rank's events. --no-seq leaves out the numbers of calls. truth.json says what every collective waited, by brute force.

  make_ranks.py DIR --ranks 64 --per-node 8 [--world N] [--steps 5] [--calls 8] [--seed 1] [--only A-B] ...
  make_ranks.py --sample DIR     the ranks of assets/sample_ranks"""
import argparse
import json
import os
import random
import sys

SAMPLE = "--ranks 64 --per-node 8 --steps 6 --calls 4 --seed 7 --late 37:900:0.6 --slow-node 6:350".split()
TYPES = {"tp": ("allreduce", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 4 << 20),
         "dp": ("reduce_scatter", "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 16 << 20)}
MOVE_US = {"tp": 120.0, "dp": 400.0}
COMPUTE_US = 900.0


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dir")
    p.add_argument("--ranks", type=int, default=8)
    p.add_argument("--per-node", type=int, default=8)
    p.add_argument("--world", type=int, default=0)
    p.add_argument("--steps", type=int, default=5)
    p.add_argument("--calls", type=int, default=8)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--noise", type=float, default=15.0)
    p.add_argument("--jitter", type=float, default=1.0)
    p.add_argument("--clocks", type=float, default=0.0)
    p.add_argument("--late", default="")
    p.add_argument("--slow-node", default="")
    p.add_argument("--slow-link", default="")
    p.add_argument("--cut", default="")
    p.add_argument("--no-seq", action="store_true")
    p.add_argument("--start", type=int, default=0, help="seconds that the recording begins later")
    p.add_argument("--sample", action="store_true", help="with the options of assets/sample_ranks")
    return p.parse_args((SAMPLE if "--sample" in sys.argv else []) + sys.argv[1:])


class Run:
    def __init__(self, o):
        self.o = o
        self.rnd = random.Random(o.seed)
        self.events = [[] for _ in range(o.ranks)]
        self.now = [0.0] * o.ranks
        self.offset = [round(self.rnd.uniform(-o.clocks, o.clocks) * 1e6, 3) for _ in range(o.ranks)]
        late = o.late.split(":") if o.late else None
        self.late = (int(late[0]), float(late[1]), float(late[2])) if late else None
        node = o.slow_node.split(":") if o.slow_node else None
        self.node = (int(node[0]), float(node[1])) if node else None
        link = o.slow_link.split(":") if o.slow_link else None
        self.link = (int(link[0]), link[1], float(link[2])) if link else None
        self.seq = {}
        self.correlation = [0] * o.ranks
        self.truth = []

    def groups(self, kind):
        o = self.o
        if kind == "tp":
            return [list(range(k, min(k + o.per_node, o.ranks))) for k in range(0, o.ranks, o.per_node)]
        return [list(range(k, o.ranks, o.per_node)) for k in range(min(o.per_node, o.ranks))]

    def delay(self, rank, kind, chosen):
        us = self.rnd.uniform(0, self.o.noise)
        if self.late and rank == self.late[0] and chosen:
            us += self.late[1]
        if self.node and kind == "dp" and rank // self.o.per_node == self.node[0]:
            us += self.node[1]
        if self.link and rank == self.link[0] and kind == self.link[1]:
            us += self.link[2]
        return us

    def kernel(self, rank, name, begin, end, args):
        self.correlation[rank] += 1
        c = self.correlation[rank]
        e = self.events[rank]
        e.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100 + rank, "tid": 1,
                  "ts": begin - 12.0, "dur": 4.0, "args": {"correlation": c, "External id": c}})
        e.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": begin, "dur": end - begin,
                  "args": dict(args, device=0, stream=7, correlation=c)})

    def compute(self, rank, us):
        begin = self.now[rank] + 14.0
        self.kernel(rank, "ampere_bf16_gemm_128x128", begin, begin + us,
                    {"External id": self.correlation[rank] + 1, "grid": [128, 1, 1], "block": [256, 1, 1]})
        self.now[rank] = begin + us

    def collective(self, step, kind):
        what, name, elements = TYPES[kind]
        for members in self.groups(kind):
            group = "%s_%d" % (kind, members[0])
            self.seq[group] = self.seq.get(group, 0) + 1
            chosen = self.late and self.rnd.random() < self.late[2]
            arrive = {}
            for r in members:
                arrive[r] = self.now[r] + 14.0 + self.delay(r, kind, chosen)
            done = max(arrive.values()) + MOVE_US[kind]
            times = {}
            for r in members:
                end = round(done + self.rnd.uniform(0, self.o.jitter), 3)
                begin = round(arrive[r], 3)
                args = {"Collective name": what, "dtype": "BFloat16", "In msg nelems": elements, "Out msg nelems": elements,
                        "Group size": len(members), "Process Group Name": group, "Process Group Description": kind,
                        "Process Group Ranks": str(members) if len(members) <= 8 else "[%d, ..., %d]" % (members[0], members[-1])}
                if not self.o.no_seq:
                    args["Seq"] = self.seq[group]
                self.kernel(r, name, begin, end, args)
                times[r] = round((end - begin) * 1000)
                self.now[r] = end
            last = min(times, key=lambda r: (times[r], r))
            if len(members) > 1:
                self.truth.append({"group": group, "seq": self.seq[group], "step": step, "last": last,
                                   "wait_ns": max(times.values()) - times[last],
                                   "waits_ns": sum(t - times[last] for t in times.values())})

    def step(self, number):
        begin = list(self.now)
        for _ in range(self.o.calls):
            for kind in ("tp", "dp"):
                for r in range(self.o.ranks):
                    self.compute(r, COMPUTE_US)
                self.collective(number, kind)
        for r in range(self.o.ranks):
            self.events[r].append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % number, "pid": 100 + r,
                                   "tid": 1, "ts": begin[r], "dur": self.now[r] - begin[r], "args": {}})
            self.now[r] += 20.0

    def write(self, rank):
        o = self.o
        events = sorted(self.events[rank], key=lambda e: e["ts"])
        if rank in [int(x) for x in o.cut.split(",") if x]:
            events = events[len(events) // 3:]
        for e in events:
            e["ts"] = round(e["ts"] + self.offset[rank] + 1000.0 + o.start * 1e6, 3)
            e["dur"] = round(e["dur"], 3)
        node = rank // o.per_node
        doc = {"schemaVersion": 1, "hostname": "node%03d" % node,
               "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85899345920, "computeMajor": 8,
                                     "computeMinor": 0, "numSms": 108}],
               "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": o.world or o.ranks},
               "baseTimeNanoseconds": 1700000000000000000, "traceEvents": events}
        with open(os.path.join(o.dir, "rank%d.%d.pt.trace.json" % (rank, 1700000000000 + o.start)), "w") as f:
            json.dump(doc, f)


def main():
    o = arguments()
    os.makedirs(o.dir, exist_ok=True)
    run = Run(o)
    for number in range(1, o.steps + 1):
        run.step(number)
    for rank in range(o.ranks):
        run.write(rank)
    with open(os.path.join(o.dir, "truth.txt"), "w") as f:
        json.dump(run.truth, f)


if __name__ == "__main__":
    main()
