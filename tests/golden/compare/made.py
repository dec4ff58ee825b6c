"""Makes traces from numbers: a training loop of one thread and one stream, as PyTorch's profiler writes it.

A step is a list of (kernel, ns of the kernel, ns of the host before its launch); at its end the host waits for the
device. Times are whole nanoseconds, written as microseconds with three digits."""
import json
import random

CALL = 4000      # ns: a launch on the host
DELIVERY = 6000  # ns from the end of a launch to the start of its kernel on an idle device
START = 1000000000

KERNELS = (("gemm_128x128", 400000), ("softmax_warp_forward", 150000), ("layer_norm", 100000), ("elementwise_add", 50000))
HOST = 30000     # ns before each launch


def microseconds(ns):
    return "%d.%03d" % (ns // 1000, ns % 1000)


class Number:
    """A time whose digits go to the JSON text unchanged."""

    def __init__(self, ns):
        self.text = microseconds(ns)


def event(name, cat, start, end, pid, tid, args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": Number(start), "dur": Number(end - start), "args": args}


def text_of(value):
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join("%s: %s" % (json.dumps(k), text_of(v)) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",\n".join(text_of(v) for v in value) + "]"
    return json.dumps(value)


class Run:
    """A run. steps: as above; rank: distributedInfo; shift: ns added to every time; pid, tid: the loop's thread."""

    def __init__(self, steps, first=1, rank=None, world=1, shift=0, pid=100, tid=100, device=0):
        self.events, self.rank, self.world, self.device = [], rank, world, device
        self.pid, self.tid, self.id = pid, tid, 0
        now = START + shift
        for number, step in enumerate(steps, first):
            now = self.step(number, step, now) + 2000

    def step(self, number, step, now):
        start, busy = now, now
        for name, ns, host in step:
            self.id += 1
            op = now
            now += host
            launch = now
            now += CALL
            begin = max(busy, now + DELIVERY)
            busy = begin + ns
            same = {"External id": self.id, "correlation": self.id}
            self.events.append(event("aten::" + name, "cpu_op", op, now + 1000, self.pid, self.tid, {"External id": self.id}))
            self.events.append(event("cudaLaunchKernel", "cuda_runtime", launch, now, self.pid, self.tid, dict(same, cbid=211)))
            self.events.append(event(name, "kernel", begin, busy, self.device, 7, dict(same, device=self.device, stream=7)))
            now += 1000
        end = max(now, busy) + 5000
        self.id += 1
        self.events.append(event("cudaDeviceSynchronize", "cuda_runtime", now, end, self.pid, self.tid, {"correlation": self.id}))
        self.events.append(event("ProfilerStep#%d" % number, "user_annotation", start, end, self.pid, self.tid, {}))
        return end

    def text(self, order=None):
        events = list(self.events)
        if order is not None:
            random.Random(order).shuffle(events)
        doc = {"schemaVersion": 1}
        if self.rank is not None:
            doc["distributedInfo"] = {"backend": "nccl", "rank": self.rank, "world_size": self.world}
        return text_of(dict(doc, traceEvents=events))

    def write(self, path, order=None):
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.text(order))
        return path


def loop(steps, seed, noise=0.002, kernels=KERNELS, factor=None):
    """Steps of a loop with random variation of times; factor(step, kernel) multiplies a time."""
    r = random.Random(seed)
    out = []
    for i in range(steps):
        step = []
        for name, ns in kernels:
            times = ns * (1 + r.uniform(-noise, noise)) * (factor(i, name) if factor else 1)
            step.append((name, round(times), round(HOST * (1 + r.uniform(-noise, noise)))))
        out.append(step)
    return out
