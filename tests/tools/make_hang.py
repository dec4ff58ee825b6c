#!/usr/bin/env python3
"""Flight recorder dumps of a simulated training job that hangs, and who was made to hang it.

    make_hang.py OUT [--fault KIND] [--tp 4] [--dp 4] [--seed N] [--form pickle|json] [--gz] [--names SCHEME] [--shift NS] [--rename N]

KIND: host (a rank stops calling), device (the work of a rank never ends, though others have its result), crash (no
dump), size (one rank calls with another size), order (one rank swaps two calls), deadlock (two ranks call two groups in
different orders, each waiting for the first), none. The job is a program of collectives for each rank; a call ends when
all members of its group have started the same call. OUT gets a dump per rank; the answer goes to standard output as
JSON: {"kind", "ranks", "group_ranks", "op", "seq"}.
"""
import argparse
import gzip
import json
import os
import pickle
import random
import shutil

EPOCH = 1764000000 * 10**9
TORCH = "/usr/lib/python3/dist-packages/torch/distributed/distributed_c10d.py"
PROGRAM = "/opt/train/"


class Call:
    def __init__(self, group, op, ins, outs, dtype, place, blocking=False):
        self.group, self.op, self.ins, self.outs, self.dtype, self.place, self.blocking = group, op, ins, outs, dtype, place, blocking
        self.created = self.started = self.ended = None

    def signature(self):
        return self.op, self.ins, self.outs, self.dtype


class Job:
    AHEAD = 8  # calls that a host makes before it waits for the device

    def __init__(self, o):
        self.o, self.random = o, random.Random(o.seed)
        self.n = o.tp * o.dp
        self.groups = {}  # name -> (description, members)
        self.add("default_pg", range(self.n))
        self.tp = {r: self.add("TENSOR_MODEL_PARALLEL_GROUP", range(r // o.tp * o.tp, r // o.tp * o.tp + o.tp)) for r in range(0, self.n, o.tp)}
        self.dp = {r: self.add("DATA_PARALLEL_GROUP", range(r, self.n, o.tp)) for r in range(o.tp)}
        self.program = {r: self.calls(r) for r in range(self.n)}
        self.stop, self.lost, self.gone = {}, {}, set()
        self.answer = {"kind": o.fault, "ranks": [], "group_ranks": [], "op": None, "seq": None}
        if o.fault != "none":
            getattr(self, "fault_" + o.fault)()
        self.number()
        self.run()

    def add(self, desc, members):
        name = str(len(self.groups) + self.o.rename)
        self.groups[name] = (desc, list(members))
        return name

    def calls(self, r):
        tp, dp, world = self.tp[r // self.o.tp * self.o.tp], self.dp[r % self.o.tp], next(iter(self.groups))
        out = []
        for _ in range(self.o.steps):
            for layer in range(2):
                out.append(Call(tp, "_all_gather_base", [[1024, 4096]], [[1024 * self.o.tp, 4096]], "BFloat16", ("model.py", 41 + 20 * layer, "attention")))
                out.append(Call(tp, "_reduce_scatter_base", [[1024 * self.o.tp, 4096]], [[1024, 4096]], "BFloat16", ("model.py", 52 + 20 * layer, "mlp")))
            out.append(Call(dp, "_reduce_scatter_base", [[1048576 * self.o.dp]], [[1048576]], "Float", ("optimizer.py", 88, "reduce_gradients")))
            out.append(Call(world, "allreduce", [[1]], [[1]], "Float", ("optimizer.py", 97, "gradient_norm"), True))
            out.append(Call(dp, "_all_gather_base", [[1048576]], [[1048576 * self.o.dp]], "BFloat16", ("optimizer.py", 110, "gather_parameters")))
        return out

    # ---- faults: in the last step but one, so that the dumps have a history ----

    def pick(self, test=lambda c: True):
        """A rank, and the index of one of its calls."""
        r = self.random.randrange(self.n)
        each = len(self.program[r]) // self.o.steps
        low = each * (self.o.steps - 2)
        return r, self.random.choice([i for i in range(low, low + each) if test(self.program[r][i])])

    def found(self, r, i, ranks=None):
        c = self.program[r][i]
        self.answer.update(ranks=sorted(ranks or [r]), group_ranks=self.groups[c.group][1], op=c.op, at=(r, i))

    def fault_host(self):
        r, i = self.pick()
        self.stop[r] = i
        self.found(r, i)

    def fault_crash(self):
        self.fault_host()
        self.gone |= set(self.answer["ranks"])
        self.answer["kind"] = "no_dump"

    def fault_device(self):
        r, i = self.pick(lambda c: "TENSOR" in self.groups[c.group][0])
        self.lost[r] = i
        self.found(r, i)

    def fault_size(self):
        r, i = self.pick(lambda c: "TENSOR" in self.groups[c.group][0])
        c = self.program[r][i]
        c.ins = [[n + 8 for n in c.ins[0]]]
        self.found(r, i)
        self.answer["kind"] = "mismatch"

    def fault_order(self):
        r, i = self.pick(lambda c: c.op == "_all_gather_base" and "TENSOR" in self.groups[c.group][0])
        p = self.program[r]
        p[i], p[i + 1] = p[i + 1], p[i]
        self.found(r, i)
        self.answer["kind"] = "mismatch"

    def fault_deadlock(self):
        r, _ = self.pick()
        mate = r // self.o.tp * self.o.tp + (r + 1) % self.o.tp
        pair = self.add("CHECK_GROUP", sorted([r, mate]))
        p = self.program
        i = next(k for k, c in enumerate(p[r]) if c.op == "allreduce" and k >= len(p[r]) // self.o.steps * (self.o.steps - 2))
        extra = lambda: Call(pair, "broadcast", [[2]], [[2]], "Long", ("train.py", 30, "check"), True)
        p[r].insert(i, extra())
        p[mate].insert(i + 1, extra())
        self.found(r, i, [r, mate])

    # ---- the run ----

    def number(self):
        for r, calls in self.program.items():
            seq = {}
            for c in calls:
                seq[c.group] = c.seq = seq.get(c.group, 0) + 1
        if self.answer.get("at"):
            r, i = self.answer.pop("at")
            self.answer["seq"] = self.program[r][i].seq

    def run(self):
        """Let every host and device go on until nobody can."""
        host, device, clock, free, open_calls = {}, {}, {}, {}, {}
        for r in range(self.n):
            host[r] = device[r] = 0
            clock[r] = free[r] = 1000 * self.random.randrange(50)
        moved = True
        while moved:
            moved = False
            for r, calls in self.program.items():
                while host[r] < len(calls) and host[r] != self.stop.get(r):
                    gate = host[r] - (1 if host[r] and calls[host[r] - 1].blocking else self.AHEAD)
                    if gate >= 0 and (calls[gate].ended is None or gate >= self.lost.get(r, len(calls))):
                        break
                    clock[r] = max(clock[r], calls[gate].ended if gate >= 0 else 0) + 1000 * (20 + self.random.randrange(10))
                    calls[host[r]].created = clock[r]
                    host[r] += 1
                    moved = True
                if device[r] < host[r] and calls[device[r]].started is None:
                    c = calls[device[r]]
                    c.started = max(c.created, free[r]) + 1000 * (150 + self.random.randrange(30))
                    there = open_calls.setdefault((c.group, c.seq), {})
                    there[r] = c
                    members = self.groups[c.group][1]
                    alike = self.o.fault not in ("size", "order") or all(self.alike(x, c) for x in there.values())
                    if len(there) == len(members) and alike:
                        end = max(x.started for x in there.values()) + 60000
                        for q, x in there.items():
                            x.ended = free[q] = end
                            device[q] += 1
                    moved = True

    @staticmethod
    def alike(a, b):
        return a.signature() == b.signature()

    # ---- the dumps ----

    def dump(self, r):
        o, frames, entries, status = self.o, {}, [], {}
        mine = {name: g for name, g in self.groups.items() if r in g[1]}
        local = {name: i for i, name in enumerate(mine)}
        frame = lambda file, line, name: frames.setdefault((file, line, name), {"name": name, "filename": file, "line": line})
        for i, c in enumerate(self.program[r]):
            if c.created is None:
                break
            done = c.ended is not None and i < self.lost.get(r, 10**9)
            none = 0 if o.form == "json" else None
            at = lambda t: EPOCH + o.shift + t if t is not None else none
            e = {"record_id": i, "pg_id": local[c.group], "process_group": (c.group, self.groups[c.group][0]), "collective_seq_id": c.seq, "p2p_seq_id": 0, "op_id": c.seq,
                 "profiling_name": "nccl:" + c.op, "time_created_ns": at(c.created), "input_sizes": c.ins, "input_dtypes": [c.dtype], "output_sizes": c.outs, "output_dtypes": [c.dtype],
                 "state": "completed" if done else "started" if c.started is not None else "scheduled", "time_discovered_started_ns": at(c.started),
                 "time_discovered_completed_ns": at(c.ended + 40000) if done else none, "retired": done, "timeout_ms": 600000, "is_p2p": False}
            if o.form == "pickle":
                e["frames"] = [frame(TORCH, 2400 + len(c.op), c.op), frame(PROGRAM + c.place[0], *c.place[1:]), frame(PROGRAM + "train.py", 64, "step"), frame(PROGRAM + "train.py", 90, "<module>")]
            entries.append(e)
            s = status.setdefault(local[c.group], [-1, -1, -1])
            s[0] = c.seq
            s[1] = c.seq if c.started is not None else s[1]
            s[2] = c.seq if done else s[2]
        number = str if o.form == "json" else int
        keys = ("last_enqueued_collective", "last_started_collective", "last_completed_collective")
        return {"version": "2.10" if o.form == "json" else "2.9", "pg_config": {n: {"name": n, "desc": d, "ranks": "[%s]" % ", ".join(map(str, m))} for n, (d, m) in mine.items()},
                "comm_lib_version" if o.form == "json" else "nccl_version": "2.27.3", "pg_status": {str(i): dict(zip(keys, map(number, s))) for i, s in status.items()}, "entries": entries}

    def write(self, out):
        o = self.o
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        for r in range(self.n):
            if r in self.gone:
                continue
            d = self.dump(r)
            data = json.dumps(d, sort_keys=True).encode() if o.form == "json" else pickle.dumps(d, 2)
            name = {"dump": "nccl_trace_rank_%d" % r, "host": "node%02d.rank%d.pkl" % (r // 8, r), "blind": "part-%s" % format(r * 2654435761 % 2**32, "08x")}[o.names]
            path = os.path.join(out, name + (".gz" if o.gz else ""))
            with open(path, "wb") as f:
                f.write(gzip.compress(data, 9, mtime=0) if o.gz else data)
            os.utime(path, ns=(EPOCH + 600 * 10**9,) * 2)


def parser():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--fault", default="host", choices=("host", "device", "crash", "size", "order", "deadlock", "none"))
    for name, value in (("tp", 4), ("dp", 4), ("steps", 4), ("seed", 1), ("shift", 0), ("rename", 0)):
        p.add_argument("--" + name, type=int, default=value)
    p.add_argument("--form", default="pickle", choices=("pickle", "json"))
    p.add_argument("--names", default="dump", choices=("dump", "host", "blind"))
    p.add_argument("--gz", action="store_true")
    return p


def main():
    o = parser().parse_args()
    job = Job(o)
    job.write(o.out)
    print(json.dumps(job.answer))


if __name__ == "__main__":
    main()
