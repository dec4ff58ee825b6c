#!/usr/bin/env python3
"""Writes the sample folder of MindSpore's profiler up to 2.3, as MindInsight reads it: two Ascend devices that train a small network in graph mode.

    make_mindinsight_sample.py FOLDER [--devices 2] [--steps 16] [--generation 1|2|3] [--start TICKS] [--seed N] [--plain] [--expected FILE]

It is a simulation: operators of a graph follow one another on a stream, collectives end on all devices together, the input pipeline fills a queue on the
host and that one a queue on the device. Every file is made of the same records; --expected writes what tables have to say about them as JSON.
Faults built into it: Map is the slow operator of the input pipeline, so the queue on the host is empty for most batches and every step begins with a gap;
step 7 is the longest because of its tail, where a collective took long. The generations differ as the versions of MindSpore do: 1 is the oldest
(names and order of columns, percentages of 100), 3 is 2.1 and later. --steps 26000 makes about 1 GB.
"""
import argparse
import csv
import gzip
import json
import os
import random

MS = 100000                                                  # ticks of 10 ns
LONG_STEP = 7
COMPUTE_STREAM = 19
FP_START, BP_END = "Default/network-TrainOneStepCell/network-WithLossCell/_backbone-Net/conv1-Conv2d/Cast-op12", None
HOST_CAPACITY, DEVICE_CAPACITY = 16, 12
SAMPLING_MS = 10
PIPELINE = [(0, "BatchOp", 4, None, None), (1, "MapOp", 2, 0, (0, 3, 16)), (2, "ShuffleOp", 1, 1, (58, 64, 64)), (3, "GeneratorOp", 1, 2, (54, 62, 64))]
FREE_TIDS = {"Merged Computation Op": 7999, "Pure Communication Op": 8000, "Merged Communication Op": 8001, "Free Time Op": 8002}


class Operator:
    """An operator of the graph; ticks: time of one execution."""

    def __init__(self, number, scope, kind, ticks, shapes, flops=0):
        self.kind, self.ticks, self.shapes, self.flops, self.number = kind, ticks, shapes, flops, number
        self.short = "%s-op%d" % (kind, number)
        self.full = scope + "/" + self.short
        self.subgraph = scope.split("/")[0]
        self.block_dim = 1 if ticks < 400 else 32


def network():
    """The operators of a step: forward, backward, update."""
    net = "Default/network-TrainOneStepCell/network-WithLossCell/_backbone-Net"
    back = "Gradients/" + net
    tail = "Default/network-TrainOneStepCell/optimizer-Momentum"
    forward, backward, update = [], [], []
    number = 12

    def add(where, scope, kind, ticks, shapes, flops=0):
        nonlocal number
        where.append(Operator(number, scope, kind, ticks, shapes, flops))
        number += 1

    image, kernel = (32, 64, 56, 56), (64, 64, 3, 3)
    add(forward, net + "/conv1-Conv2d", "Cast", 1800, [image])
    for layer in ("conv1-Conv2d", "layer1-Conv2d", "layer2-Conv2d"):
        add(forward, net + "/" + layer, "Conv2D", 52000, [image, kernel], 7398)
        add(forward, net + "/" + layer.replace("Conv2d", "BatchNorm2d"), "BNTrainingUpdate", 21000, [image, (64,)])
        add(forward, net + "/" + layer.replace("Conv2d", "ReLU"), "ReluV2", 9000, [image])
    add(forward, net + "/fc-Dense", "MatMul", 6100, [(32, 2048), (2048, 1001)], 131)
    add(forward, "Default/network-TrainOneStepCell/network-WithLossCell/_loss_fn-SoftmaxCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits", 2500,
        [(32, 1001), (32, 1001)])
    add(backward, back + "/fc-Dense/gradMatMul", "MatMul", 7300, [(32, 1001), (2048, 1001)], 131)
    for layer in ("layer2-Conv2d", "layer1-Conv2d", "conv1-Conv2d"):
        add(backward, back + "/" + layer.replace("Conv2d", "ReLU") + "/gradReLU", "ReluGradV2", 11000, [image, image])
        add(backward, back + "/" + layer.replace("Conv2d", "BatchNorm2d") + "/gradBatchNorm", "BNTrainingReduceGrad", 24000, [image, (64,)])
        add(backward, back + "/" + layer + "/gradConv2D", "Conv2DBackpropInput", 61000, [image, kernel], 7398)
        add(backward, back + "/" + layer + "/gradConv2D", "Conv2DBackpropFilter", 66000, [image, image], 7398)
    for _ in range(4):
        add(update, tail, "ApplyMomentum", 3100, [kernel, kernel])
    return forward, backward, update


FORWARD, BACKWARD, UPDATE = network()
BP_END = BACKWARD[-1].full
GETNEXT = Operator(5, "Default", "GetNext", 0, [(32, 3, 224, 224)])
BUCKETS = [("AllReduce-op71", 41), ("AllReduce-op72", 42)]   # the first overlaps with the backward pass, the second comes after it


class Step:
    def __init__(self, number, start):
        self.number, self.start, self.fp, self.bp, self.end = number, start, 0, 0, 0
        self.runs = []                                       # (operator, start, ticks)
        self.collectives = []                                # (name, stream, start, end, transfer ticks, bytes)


class Device:
    def __init__(self, number, options):
        self.number, self.options = number, options
        self.rng = random.Random(options.seed * 100 + number)
        self.clock = options.start + 173 * number
        self.zero, self.steps = None, []
        self.get_next, self.waits = [], []                   # tasks of the AI CPU, and the device's waits before them

    def ticks(self, mean, spread=0.02):
        return max(1, int(mean * self.rng.lognormvariate(0, spread)))

    def begin(self, number):
        """Runs a step up to its dependence on other devices: its second collective can start."""
        step = Step(number, self.clock)
        gap = self.ticks(3.1 * MS, 0.2)
        wait_from = self.clock + 900
        step.fp = self.clock + gap
        if number == 1:                                      # the gap before the first step is not recorded
            step.start = step.fp
        taken = self.ticks(15000, 0.05)
        self.get_next.append((step.fp - 700 - taken, step.fp - 700))
        self.waits.append((wait_from, step.fp - 700))
        if number == 1:
            self.zero = self.get_next[0][0]
        at = self.compute(step, FORWARD, step.fp)
        half = len(BACKWARD) // 2
        at = self.compute(step, BACKWARD[:half], at)
        self.ready = [at + 300]
        step.bp = at = self.compute(step, BACKWARD[half:], at)
        self.ready.append(at + 300)
        self.steps.append(step)
        return step

    def compute(self, step, operators, at):
        for o in operators:
            ticks = self.ticks(o.ticks)
            step.runs.append((o, at, ticks))
            at += ticks + 90
        return at - 90

    def finish(self, step):
        at = self.compute(step, UPDATE, max(c[3] for c in step.collectives) + 500)
        step.end = self.clock = at + 1200


def simulate(options):
    devices = [Device(n, options) for n in range(options.devices)]
    for number in range(1, options.steps + 1):
        steps = [d.begin(number) for d in devices]
        for bucket, ((name, stream), nbytes) in enumerate(zip(BUCKETS, (25600 * 1000, 10240 * 1000))):
            begins = [max(d.ready[bucket], s.collectives[-1][3] + 400 if s.collectives else 0) for d, s in zip(devices, steps)]
            took = int(nbytes / 20 / 10 * (1 if (number, bucket) != (LONG_STEP, 1) else 17))  # 20 bytes a ns; ticks of 10 ns
            end = max(begins) + took + 250
            for device, step, begin in zip(devices, steps, begins):
                step.collectives.append((name, stream, begin, end + device.rng.randrange(9), took, nbytes))
        for device, step in zip(devices, steps):
            device.finish(step)
    return devices


# ---- intervals

def union(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def minus(a, b):
    left, k = [], 0
    for start, end in a:
        while k < len(b) and b[k][1] <= start:
            k += 1
        j = k
        while j < len(b) and b[j][0] < end:
            if b[j][0] > start:
                left.append([start, b[j][0]])
            start = max(start, b[j][1])
            j += 1
        if start < end:
            left.append([start, end])
    return left


# ---- texts of numbers

def decimal(ticks, digits):
    """Ticks in units of 10^digits, as an exact decimal text."""
    return ("%d.%0*d" % (ticks // 10 ** digits, digits, ticks % 10 ** digits)).rstrip("0").rstrip(".")


def micros(ticks):
    return decimal(ticks, 2)


def millis(ticks):
    return decimal(ticks, 5)


def mean(values):
    """The mean, by adding one value after the other: sum() of Python 3.12 and later rounds differently, and would
    change the sample."""
    total = 0
    for value in values:
        total += value
    return total / len(values)


# ---- the files of a device

class Folder:
    def __init__(self, device, options):
        self.device, self.options, self.n = device, options, device.number
        self.generation = options.generation

    def open(self, name):
        return open(os.path.join(self.options.folder, name), "w", encoding="utf-8", newline="")

    def csv(self, name, header, rows):
        with self.open(name) as f:
            out = csv.writer(f, lineterminator="\n")
            out.writerow(header)
            out.writerows(rows)

    def json(self, name, content):
        with self.open(name) as f:
            json.dump(content, f)

    def collective_columns(self, name, stream):
        """Names of the three columns of a collective, and the order that this generation has: 0 duration, 1 start, 2 end."""
        base = "stream_%d_parallel_0" % stream if self.generation == 1 else "stream_%d_0_%s" % (stream, name)
        order = (0, 1, 2) if self.generation == 3 else (1, 2, 0)
        names = (base, base + "_start_point", base + "_end_point")
        return [names[k] for k in order], order

    def step_trace(self):
        header = ["step_num", "start_point", "end_point", "total", "fp_point", "bp_point", "iteration_interval", "fp_and_bp", "tail"]
        for name, stream in BUCKETS:
            header += self.collective_columns(name, stream)[0]
        rows = []
        for s in self.device.steps:
            row = [s.number, s.start, s.end, s.end - s.start, s.fp, s.bp, s.fp - s.start, s.bp - s.fp, s.end - s.bp]
            for c in s.collectives:
                values = (c[3] - c[2], c[2], c[3])
                row += [values[k] for k in self.collective_columns(c[0], c[1])[1]]
            rows.append(row)
        self.average = dict(zip(header[1:], [round(mean(column)) for column in list(zip(*rows))[1:]]))
        rows.append(["0" if self.generation == 1 else "-"] + list(self.average.values()))
        self.csv("step_trace_raw_%d_detail_time.csv" % self.n, header, rows)
        self.json("step_trace_point_info_%d.json" % self.n, {"fp_start": FP_START, "bp_end": BP_END})

    def runs(self):
        """{operator: ticks of its runs}."""
        found = {}
        for s in self.device.steps:
            for o, _, ticks in s.runs:
                found.setdefault(o, []).append(ticks)
        return found

    def operators(self):
        runs = self.runs()
        kinds = {}
        for o, ticks in runs.items():
            kinds.setdefault(o.kind, []).extend(ticks)
        every = sum(sum(t) for t in kinds.values())
        scale = 1 if self.generation == 3 else 100
        self.csv("aicore_intermediate_%d_type.csv" % self.n,
                 ["op_type" if self.generation == 1 else "kernel_type", "execution_time" if self.generation == 1 else "total_time", "execution_frequency", "percent"],
                 [[k, millis(sum(t)), len(t), round(scale * sum(t) / every, 6)] for k, t in kinds.items()])
        name = "full_op_name" if self.generation == 1 else "full_kernel_name"
        self.csv("aicore_intermediate_%d_detail.csv" % self.n, [name, "task_duration" if self.generation == 3 else "execution_time", "execution_frequency"],
                 [[o.full, sum(t) / MS / len(t), len(t)] for o, t in runs.items()])
        self.csv("aicpu_intermediate_%d.csv" % self.n,
                 ["serial_number", "op_type" if self.generation == 1 else "kernel_type", "total_time", "dispatch_time", "execution_time", "run_start", "run_end"],
                 [[k + 1, GETNEXT.short, millis(b - a), millis(40), millis(b - a - 140), micros(a), micros(b)] for k, (a, b) in enumerate(self.device.get_next)])
        head = ["task_id", "stream_id", "block_dim"] + {
            1: ["full_op_name", "op_name", "op_type", "subgraph", "op_info"],
            2: ["full_kernel_name", "op_name", "kernel_name", "kernel_type", "subgraph", "op_info", "graph_id"],
            3: ["full_kernel_name", "op_name", "kernel_name", "op_type", "subgraph", "op_info", "model_id", "kernel_type"]}[self.generation]
        rows = []
        for k, o in enumerate([GETNEXT] + FORWARD + BACKWARD + UPDATE):
            info = {"input_%d" % i: {"format": "NCHW", "data_type": "NUMBER_TYPE_FLOAT16",
                                     "shape": list(s) if self.generation > 1 else ",".join(map(str, s))} for i, s in enumerate(o.shapes)}
            info["output_0"] = dict(info["input_0"])
            named = [o.full, o.short, o.kind] if self.generation == 1 else [o.full, o.full, o.short, o.kind]
            extra = {1: [], 2: [11], 3: [11, "AI_CPU" if o is GETNEXT else "AI_CORE"]}[self.generation]
            rows.append([k + 2, COMPUTE_STREAM, o.block_dim] + named + [o.subgraph, json.dumps(info)] + extra)
        self.csv("framework_raw_%d.csv" % self.n, head, rows)
        with self.open("flops_%d.txt" % self.n) as f:
            f.write("%s, FLOPs(10^6), FLOPS(10^9), FLOPS utilization(%%)\n" % name)
            for o, ticks in runs.items():
                if o.flops:
                    speed = o.flops * 1e6 / (mean(ticks) * 10)
                    f.write("%s, %.3f, %.3f, %.3f\n" % (o.full, o.flops, speed, speed / 256e3 * 100))
        self.json("flops_summary_%d.json" % self.n, {"FLOPs": float(sum(o.flops for o in runs)), "FLOPS": 9100.25, "FLOPS_Utilization": 3.555})

    def timeline(self):
        """Events in the order of their starts, names of rows behind them."""
        zero, n, events = self.device.zero, self.n, []

        def put(pid, tid, name, start, ticks, args=None):
            args = args and ', "args": ' + json.dumps(args) or ""
            events.append((start, '{"name": %s, "ph": "X", "tid": %s, "ts": %s, "dur": %s, "pid": %d%s}' %
                           (json.dumps(name), json.dumps(tid), micros(start - zero), micros(ticks), pid, args)))
        computing, communicating = [], []
        for s in self.device.steps:
            put(n, 100000, str(s.number), s.start, s.end - s.start)
            for o, start, ticks in s.runs:
                args = {"type": o.kind, "fullname": o.full}
                for i, shape in enumerate(o.shapes):
                    args["input_%d" % i] = {"format": "NCHW", "data_type": "NUMBER_TYPE_FLOAT16", "shape": ",".join(map(str, shape))}
                put(n, COMPUTE_STREAM, o.short, start, ticks, args)
                computing.append((start, start + ticks))
            for name, stream, start, end, _, _ in s.collectives:
                put(10000, str(stream), "stream_%d_0_%s" % (stream, name), start, end - start)
                communicating.append((start, end))
            put(n, 100001, "Default", s.fp, s.runs[len(FORWARD) - 1][1] + s.runs[len(FORWARD) - 1][2] - s.fp, {"scope_level": 0})
        for start, end in self.device.get_next:
            put(9000, 9000, GETNEXT.short, start, end - start, {"type": GETNEXT.kind, "fullname": GETNEXT.full})
        computing, communicating = union(computing), union(communicating)
        busy = union([tuple(i) for i in computing + communicating])
        for label, parts in (("Merged Computation Op", computing), ("Pure Communication Op", minus(communicating, computing)),
                             ("Merged Communication Op", communicating), ("Free Time Op", [[a[1], b[0]] for a, b in zip(busy, busy[1:])])):
            for start, end in parts:
                put(12000, FREE_TIDS[label], label, start, end - start)
        events = [text for _, text in sorted(events)]
        for pid, label in ((n, "AI Core Op"), (9000, "AI CPU Op"), (10000, "Communication Op"), (12000, "Op Overlap Analyse")):
            events.append(json.dumps({"name": "process_labels", "ph": "M", "pid": pid, "args": {"labels": label}}))
        for pid, tid, label in [(n, COMPUTE_STREAM, "Stream 19"), (n, 100000, "Steps"), (n, 100001, "Scope Name")] + [(12000, t, k) for k, t in FREE_TIDS.items()]:
            events.append(json.dumps({"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": label}}))
        path = os.path.join(self.options.folder, "ascend_timeline_display_%d.json" % n)
        with open(path if self.options.plain else path + ".gz", "wb") as raw:
            # The gzip header has no time and no name: the same events give the same bytes.
            with raw if self.options.plain else gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=raw, mtime=0) as f:
                f.write(("[%s]\n" % ",\n".join(events)).encode("utf-8"))
        with self.open("min_cycle_counter_%d.txt" % n) as f:
            f.write("%d.0" % zero)

    def data(self):
        rng, steps = random.Random(self.options.seed * 10 + self.n), self.device.steps
        self.host = [0 if (k * 7 + self.n) % 10 < 7 else 1 + rng.randrange(3) for k in range(len(steps))]
        self.queue = [0 if size == 0 and k % 3 else 1 + rng.randrange(4) for k, size in enumerate(self.host)]
        self.times = []
        with self.open("device_queue_profiling_%d.txt" % self.n) as f:
            for k, (step, size) in enumerate(zip(steps, self.host)):
                get, push = 8 + rng.randrange(6) if size == 0 else 1, 1 + rng.randrange(2)
                self.times.append((get, push, get + push))
                at = 1000 + (step.fp - steps[0].fp) // MS
                for extra, value in enumerate(self.times[-1]):
                    f.write("0 %d %d %d %d\n" % (extra, k + 1, value, at))
                f.write("1 %d %d %d %d\n" % (HOST_CAPACITY, k + 1, size, at))
        with self.open("minddata_aicpu_%d.txt" % self.n) as f:
            for (start, end), size in zip(self.device.waits, self.queue):
                f.write("GetNext_dequeue_wait %d %d %d\n" % (start // 100, end // 100, size))
        samples = max(4, (steps[-1].end - steps[0].start) // (SAMPLING_MS * MS))
        self.sizes = {i: [rng.randint(r[0], r[1]) for _ in range(samples)] for i, _, _, _, r in PIPELINE if r}
        children = {i: [c for c, _, _, parent, _ in PIPELINE if parent == i] for i, _, _, _, _ in PIPELINE}
        self.csv("minddata_pipeline_raw_%d.csv" % self.n, ["op_id", "op_type", "num_workers", "output_queue_size", "output_queue_average_size", "output_queue_length",
                 "output_queue_usage_rate", "sample_interval", "parent_id", "children_id"],
                 [[i, kind, workers] + ([json.dumps(self.sizes[i]), mean(self.sizes[i]), r[2], mean(self.sizes[i]) / r[2]] if r else ["", "", "", 0 if self.generation == 3
                  else ""]) + [SAMPLING_MS, "" if parent is None else parent, json.dumps(children[i]) if children[i] else ""] for i, kind, workers, parent, r in PIPELINE])
        self.json("pipeline_profiling_%d.json" % self.n, {"sampling_interval": SAMPLING_MS, "op_info": [
            {"op_id": i, "op_type": kind, "num_workers": workers, "children": children[i] or None,
             "metrics": {"output_queue": {"size": self.sizes[i], "length": r[2]}} if r else None} for i, kind, workers, _, r in PIPELINE]})
        self.cpu = {key: [0] + [rng.randint(a, b) for _ in range(samples - 1)] for key, (a, b) in
                    {"user": (78, 86), "sys": (6, 9), "io": (0, 1), "process_user": (70, 80), "process_sys": (4, 7), "map_user": (62, 74), "map_sys": (2, 4)}.items()}
        idle = [100] + [100 - u - s - i for u, s, i in list(zip(self.cpu["user"], self.cpu["sys"], self.cpu["io"]))[1:]]
        self.cpu["idle"] = idle
        self.json("minddata_cpu_utilization_%d.json" % self.n, {
            "sampling_interval": SAMPLING_MS, "cpu_processor_num": 8, "time_stamp": [1000 + SAMPLING_MS * k for k in range(samples + 1)],
            "device_info": {"user_utilization": self.cpu["user"], "sys_utilization": self.cpu["sys"], "io_utilization": self.cpu["io"], "idle_utilization": idle,
                            "runable_processes": [5] * samples, "context_switch_count": [1200] * samples},
            "process_info": {"user_utilization": self.cpu["process_user"], "sys_utilization": self.cpu["process_sys"]},
            "op_info": [{"op_id": -1, "metrics": {"user_utilization": [1] * samples, "sys_utilization": [1] * samples}},
                        {"op_id": 1, "metrics": {"user_utilization": self.cpu["map_user"], "sys_utilization": self.cpu["map_sys"]}}]})

    def links(self, name, stream, took, nbytes):
        """{link: (cost ticks, bytes)} of a collective: the transfer from the other device, and the local copy."""
        return {"%d-%d" % (peer, self.n): (took if peer != self.n else 2000, nbytes) for peer in range(self.options.devices)}

    def communication(self):
        rows, self.link_rows = [], []
        for s in self.device.steps:
            total, operators = {}, {}
            for name, stream, start, end, took, nbytes in s.collectives:
                mine = self.links(name, stream, took, nbytes)
                operators["stream_%d_0_%s" % (stream, name)] = ["1", took / MS, (end - start - took) / MS, self.link_info(mine)]
                for link, (ticks, size) in mine.items():
                    t = total.setdefault(link, [0, 0, 0.0])
                    t[0], t[1], t[2] = t[0] + ticks, t[1] + size, t[2] + size / 1000 / (ticks / MS) * 1000
            self.link_rows.append(total)
            info = {link: {"SDMA": [t[0] / MS, t[1] / 1000, t[2]]} for link, t in total.items()}
            rows.append([s.number, sum(c[4] for c in s.collectives) / MS, sum(c[3] - c[2] - c[4] for c in s.collectives) / MS, json.dumps(info), json.dumps(operators)])
        average = {link: {"SDMA": [mean([t[link][0] for t in self.link_rows]) / MS, mean([t[link][1] for t in self.link_rows]) / 1000, 0.0]} for link in self.link_rows[0]}
        rows.append(["-", mean([r[1] for r in rows]), mean([r[2] for r in rows]), json.dumps(average), rows[-1][4]])
        self.csv("hccl_raw_%d.csv" % self.n, ["step_num", "communication_cost", "wait_cost", "link_info", "communication_operator_cost"], rows)
        self.cluster = []
        for s in self.device.steps:
            alone = minus(union((c[2], c[3]) for c in s.collectives), union((a, a + t) for _, a, t in s.runs))
            t2 = sum(b - a for a, b in alone)
            self.cluster.append((round((s.end - s.start - t2) / MS, 4), round(t2 / MS, 4)))
        self.cluster.append(tuple(round(mean(c), 4) for c in zip(*self.cluster[1:])))
        names = ["computation", "communication_alone"]
        self.csv("ascend_cluster_analyse_data-parallel_1_%d_%d.csv" % (self.options.devices, self.n),
                 names if self.generation == 1 else [x + "_time" for x in names], self.cluster)

    def link_info(self, mine):
        return {link: {"SDMA": [ticks / MS, nbytes / 1000, nbytes / 1000 / (ticks / MS) * 1000]} for link, (ticks, nbytes) in mine.items()}

    def info(self):
        self.json("profiler_info_%d.json" % self.n, {"context_mode": "graph", "rank_id": self.n, "device_id": self.n, "rank_size": self.options.devices,
                  "parallel_mode": "data_parallel", "stage_num": 1, "is_heterogeneous": False, "ms_version": {1: "1.2.0", 2: "1.9.0", 3: "2.1.0"}[self.generation]})

    def write(self):
        self.info()
        self.step_trace()
        self.operators()
        self.timeline()
        self.data()
        self.communication()

    # ---- expected tables
    def expected(self):
        runs, d = self.runs(), self.device
        ns = {k: v * 10 for k, v in self.average.items()}
        kinds = {}
        for o, t in runs.items():
            kinds.setdefault(o.kind, []).extend(t)
        every = sum(sum(t) for t in kinds.values())
        waits = [b - a for a, b in d.get_next]
        usage = {i: mean(s) / r[2] for (i, _, _, _, r) in PIPELINE if r for s in [self.sizes[i]]}
        host, queue = self.host, self.queue

        def cpu(scope, op, *keys):
            return dict({"scope": scope, "op_id": op}, **{p: mean(self.cpu[k][1:]) for p, k in zip(("user_pct", "sys_pct", "io_pct", "idle_pct"), keys)})
        return {
            "step_trace": [{"step": str(s.number), "total_ns": 10 * (s.end - s.start), "gap_ns": 10 * (s.fp - s.start), "forward_backward_ns": 10 * (s.bp - s.fp),
                            "tail_ns": 10 * (s.end - s.bp), "collectives_ns": 10 * sum(b - a for a, b in union((c[2], c[3]) for c in s.collectives))} for s in d.steps],
            "step_trace_summary": [{"part": p, "mean_ns": ns[k], "pct": round(100 * ns[k] / ns["total"], 2)} for p, k in
                                   (("total", "total"), ("gap", "iteration_interval"), ("forward_backward", "fp_and_bp"), ("tail", "tail"))],
            "step_collectives": [{"step": str(s.number), "stream": str(c[1]), "offset_ns": 10 * (c[2] - s.start), "duration_ns": 10 * (c[3] - c[2])}
                                 for s in d.steps for c in s.collectives],
            "op_types": [{"core": "AICORE", "type": k, "calls": len(t), "total_ns": 10 * sum(t), "ratio_pct": round(100 * sum(t) / every, 4)} for k, t in kinds.items()] +
                        [{"core": "AICPU", "type": "GetNext", "calls": len(waits), "total_ns": 10 * sum(waits), "ratio_pct": 100.0}],
            "op_details": [{"core": "AICORE", "name": o.full, "type": o.kind, "calls": len(t), "mean_ns": round(10 * sum(t) / len(t)), "stream": str(COMPUTE_STREAM),
                            "block_dim": o.block_dim, "flops": o.flops or None} for o, t in runs.items()] +
                          [{"core": "AICPU", "name": GETNEXT.short, "type": "GetNext", "calls": len(waits), "mean_ns": round(10 * mean(waits))}],
            "data_queues": [
                {"queue": "host", "samples": len(host), "empty": host.count(0), "full": host.count(HOST_CAPACITY), "capacity": HOST_CAPACITY, "mean_size": mean(host),
                 "empty_pct": 100 * host.count(0) / len(host), "get_mean_ns": round(1e6 * mean([t[0] for t in self.times])),
                 "push_mean_ns": round(1e6 * mean([t[1] for t in self.times])), "batch_mean_ns": round(1e6 * mean([t[2] for t in self.times]))},
                {"queue": "device", "samples": len(queue), "empty": queue.count(0), "mean_size": mean(queue), "empty_pct": 100 * queue.count(0) / len(queue),
                 "get_mean_ns": round(1000 * mean([b // 100 - a // 100 for a, b in d.waits]))}],
            "data_stages": [{"stage": s, "bottleneck": s == "data_process"} for s in ("data_process", "data_transfer", "training")],
            "data_pipeline": [{"op_id": i, "name": "%s_%d" % (kind, i), "type": kind, "workers": workers, "parent_id": parent, "samples": len(self.sizes.get(i, [])),
                               "queue_mean": mean(self.sizes[i]) if r else None, "queue_capacity": r[2] if r else None, "queue_usage_pct": 100 * usage[i] if r else None,
                               "suspect": kind == "MapOp"} for i, kind, workers, parent, r in PIPELINE],
            "data_cpu": [cpu("device", None, "user", "sys", "io", "idle"), cpu("process", None, "process_user", "process_sys"), cpu("operator", 1, "map_user", "map_sys")],
            "data_queue_curve": [{"queue": q, "size": size} for q, sizes in [("host", host), ("device", queue)] +
                                 [("%s_%d" % (kind, i), self.sizes[i]) for i, kind, _, _, r in PIPELINE if r] for size in sizes],
            "cluster_steps": [{"type": "rank", "index": str(self.n), "step": "average" if k == len(d.steps) else str(k + 1), "computing_ns": round(c[0] * 1e6),
                               "not_overlapped_ns": round(c[1] * 1e6)} for k, c in enumerate(self.cluster)],
            "cluster_links": [{"rank": self.n, "step": str(s.number), "src": int(link.split("-")[0]), "dst": int(link.split("-")[1]), "transport": "SDMA",
                               "size_bytes": t[1], "transit_ns": 10 * t[0], "bandwidth_gbps": t[1] / (10 * t[0])} for s, row in zip(d.steps, self.link_rows)
                              for link, t in row.items()],
            "kernels": [{"name": o.full, "calls": len(t), "total_ns": 10 * sum(t), "max_ns": 10 * max(t), "min_ns": 10 * min(t)} for o, t in runs.items()] +
                       [{"name": GETNEXT.full, "calls": len(waits), "total_ns": 10 * sum(waits), "max_ns": 10 * max(waits), "min_ns": 10 * min(waits)}],
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("--steps", type=int, default=16)
    parser.add_argument("--generation", type=int, default=3, choices=(1, 2, 3))
    parser.add_argument("--start", type=int, default=43806841592, help="ticks of 10 ns of the first event")
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--plain", action="store_true", help="the timeline as it is, not compressed")
    parser.add_argument("--expected", metavar="FILE", help="what tables have to say, as JSON")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    folders = [Folder(device, options) for device in simulate(options)]
    for folder in folders:
        folder.write()
    if options.expected:
        with open(options.expected, "w", encoding="utf-8") as f:
            json.dump({str(folder.n): folder.expected() for folder in folders}, f, indent=1)


if __name__ == "__main__":
    main()
