#!/usr/bin/env python3
"""Write a simulated training run as Paddle's profiler does: its Chrome JSON and its protobuf dump.

    make_paddle.py DIR [--steps N] [--schema 1.0.0|1.0.1|1.0.2] [--offset SECONDS] [--cpu] [--seed N]

Both files hold the same events; the JSON loses what Paddle's exporter loses (32-bit floats, whole microseconds, 32-bit bytes).
--offset puts idle time before the first step, so that start_time gets large. Needs nothing but Python.
"""
import argparse, os, random, struct

(OPERATOR, DATALOADER, STEP, RUNTIME, KERNEL, MEMCPY, MEMSET, USER, INNER, FORWARD, BACKWARD, OPTIMIZATION, COMM, PYTHON_OP,
 PYTHON_USER, DYGRAPH, STATIC) = range(17)
TYPES = ["Operator", "Dataloader", "ProfileStep", "CudaRuntime", "Kernel", "Memcpy", "Memset", "UserDefined", "OperatorInner",
         "Forward", "Backward", "Optimization", "Communication", "PythonOp", "PythonUserDefined", "DygraphKernelLaunch",
         "StaticKernelLaunch"]
PYTHON_LAYER = {STEP, FORWARD, BACKWARD, DATALOADER, OPTIMIZATION, PYTHON_OP, PYTHON_USER}
MEMORY_TYPES = ["Allocate", "Free", "ReservedAllocate", "ReservedFree"]
PID, READER = 4321, 4400
BASE = 1714979289000123457  # not a whole microsecond
SM = 108


class Event:
    def __init__(self, name, kind, start, end=None, thread=PID):
        self.name, self.kind, self.start, self.end, self.thread = name, kind, start, end, thread
        self.children, self.runtime, self.memory, self.supplement = [], [], [], None


class Run:
    """Builds the host trees and what they launch, in nanoseconds from 0."""

    def __init__(self, rng, cpu):
        self.rng, self.cpu, self.now, self.corr = rng, cpu, 0, 100
        self.roots = {PID: Event("root node", USER, 0), READER: Event("root node", USER, 0, thread=READER)}
        self.open = [self.roots[PID]]
        self.free_at = {7: 0, 17: 0, 20: 0}
        self.blocks, self.allocated, self.reserved, self.peak, self.peak_reserved = [], 0, 0, 0, 0
        self.next_address = 0x7F1200000000

    def wait(self, low, high):
        self.now += self.rng.randrange(low, high)

    def begin(self, name, kind):
        e = Event(name, kind, self.now)
        self.open[-1].children.append(e)
        self.open.append(e)
        self.wait(150, 900)
        return e

    def finish(self):
        self.wait(150, 900)
        self.open.pop().end = self.now

    def range(self, name, kind, body=None, low=800, high=4000):
        e = self.begin(name, kind)
        if body:
            body()
        else:
            self.wait(low, high)
        self.finish()
        self.wait(100, 400)
        return e

    def call(self, name, device=None):
        """A runtime call, with the device event it launches."""
        if self.cpu:
            self.wait(5000, 20000)
            return
        self.corr += 1
        start = self.now
        self.wait(3000, 6000)
        call = {"name": name, "start": start, "end": self.now, "corr": self.corr, "device": []}
        if device:
            at = max(self.free_at[device["stream"]], self.now + self.rng.randrange(1500, 4000))
            device.update(start=at, end=at + device.pop("dur"), corr=self.corr)
            self.free_at[device["stream"]] = device["end"] + 300
            call["device"].append(device)
        self.open[-1].runtime.append(call)
        self.wait(100, 300)

    def kernel(self, name, dur, grid, block, stream=7, registers=32, shared=0):
        blocks = grid[0] * grid[1] * grid[2] / SM
        threads = block[0] * block[1] * block[2]
        self.call("cudaLaunchKernel_v7000",
                  {"kind": KERNEL, "name": name, "dur": dur + self.rng.randrange(0, dur // 8), "stream": stream, "grid": grid,
                   "block": block, "registers": registers, "dynamic": shared, "static": 0, "blocks_per_sm": blocks,
                   "warps_per_sm": blocks * threads / 32, "occupancy": min(1.0, min(blocks, 2048 // threads) * threads / 2048)})

    def copy(self, name, size, stream=17):
        self.call("cudaMemcpyAsync_v3020", {"kind": MEMCPY, "name": name, "dur": size // 12 + 700, "stream": stream, "bytes": size})

    def memory(self, kind, size, address):
        sign = 1 if kind in (0, 2) else -1
        if kind < 2:
            self.allocated += sign * size
        else:
            self.reserved += sign * size
        self.peak, self.peak_reserved = max(self.peak, self.allocated), max(self.peak_reserved, self.reserved)
        self.open[-1].memory.append({"at": self.now + 50, "kind": kind, "addr": address, "bytes": sign * size, "state":
                                     (self.allocated, self.reserved, self.peak, self.peak_reserved)})
        self.wait(80, 200)

    def allocate(self, size):
        if self.allocated + size > self.reserved:
            self.memory(2, 1 << 23, self.next_address)
        self.memory(0, size, self.next_address)
        self.blocks.append((self.next_address, size))
        self.next_address += size

    def free_blocks(self):
        while self.blocks:
            address, size = self.blocks.pop()
            self.memory(1, size, address)

    # ---- the model

    def op(self, name, kernels, shapes, launch_style):
        def body():
            e = self.begin(name + " dygraph", OPERATOR)
            e.supplement = {"at": self.now, "shapes": shapes, "stack": 'File "train.py", line 12, in forward\n  x = self.%s(x)' % name}
            self.range(name + " infer_meta", INNER)
            self.begin(name + (" kernel launch" if launch_style else " compute"), DYGRAPH if launch_style else INNER)
            self.allocate(4096 * self.rng.randrange(64, 256))
            for k in kernels:
                self.kernel(*k)
            self.finish()
            self.range(name + " node_creation", INNER)
            self.finish()
        self.range(name + " pybind_imperative_func", USER, body)

    def layer(self, i):
        x = [[16, 32 << i, 28, 28]]
        def body():
            self.op("conv2d", [("ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x6_nn", 60000 + 9000 * i, (64, 4, 1), (128, 1, 1),
                                7, 122, 49152)], {"input": x, "filter": [[64, 32, 3, 3]]}, i % 2)
            self.op("relu", [("void phi::funcs::VectorizedElementwiseKernel<float, phi::funcs::CudaReluFunctor<float>, 1, 1, 4>"
                              "(phi::Array<char const*, 1>)", 5200, (196, 1, 1), (256, 1, 1))], {"x": x}, i % 2)
        return body

    def gradient(self, name, kernels, comm=None):
        def body():
            def local():
                self.range(name + "_grad infer_meta", INNER)
                self.begin(name + "_grad compute", INNER)
                self.call("cudaMemsetAsync_v3020", {"kind": MEMSET, "name": "MEMSET", "dur": 1500, "stream": 7, "bytes": 4096, "value": 0})
                for k in kernels:
                    self.kernel(*k)
                self.finish()
            self.range("Local_%sGradNode" % name.capitalize(), OPERATOR, local)
        self.range("Global_%sGradNode" % name.capitalize(), INNER, body)
        if comm:
            def reduce():
                def op():
                    self.kernel("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", comm, (2, 1, 1), (512, 1, 1), 20, 96, 1024)
                self.range("c_allreduce_sum dygraph", OPERATOR, op)
            self.range("ProcessGroupNCCL::AllReduce", COMM, reduce)

    def step(self, number):
        def loader():
            self.wait(180000, 260000)
            def move():
                self.range("GpuMemcpyAsync:CUDAPinned->GPU", USER, lambda: self.copy("MEMCPY_HtoD", 1605632))
            self.range("BufferedReader:MemoryCopy", USER, move)
        def forward():
            for i in range(2):
                self.range("ConvLayer", FORWARD, self.layer(i))
        def backward():
            for i in range(2):
                self.gradient("conv2d", [("cudnn::cnn::wgrad_alg0_engine<float, 128, 5, 5, 3, 3, 3, false, 512>", 88000, (128, 1, 1),
                                          (128, 1, 1), 7, 128, 20480)], 70000)
        def optimizer():
            for i in range(4):
                self.range("adam", OPERATOR, lambda: self.kernel("void phi::AdamKernelREG<float, float>", 5200, (36, 1, 1), (512, 1, 1)))
            self.free_blocks()
        self.begin("ProfileStep#%d" % number, STEP)
        self.range("_DataLoaderIterMultiProcess", DATALOADER, loader)
        self.range("augment", PYTHON_USER, None, 20000, 60000)
        self.range("Net", FORWARD, forward)
        self.range("Gradient Backward", BACKWARD, backward)
        self.range("Optimization Step", OPTIMIZATION, optimizer)
        self.call("cudaDeviceSynchronize_v3020")
        self.finish()
        self.wait(500, 1500)


def reader_thread(run, until):
    """A second thread that copies batches at times."""
    now, root = 30000, run.roots[READER]
    while now < until:
        e = Event("BufferedReader:MemoryCopy", USER, now, now + 21000, READER)
        root.children.append(e)
        now += 400000


def shift(e, by):
    """Move a tree in time, and everything under it."""
    e.start += by
    e.end = e.end + by if e.end is not None else None
    for c in e.runtime:
        for x in [c] + c["device"]:
            x["start"] += by
            x["end"] += by
    for m in e.memory:
        m["at"] += by
    if e.supplement:
        e.supplement["at"] += by
    for c in e.children:
        shift(c, by)


def breadth_first(root):
    order, parent = [root], [-1]
    for i, e in enumerate(order):
        order.extend(e.children)
        parent.extend([i] * len(e.children))
        if i > 10 ** 6:
            break
    return list(zip(order, parent))


# ---- JSON

def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def us(ns):
    return "%.3f" % single(ns / 1000.0)


def suffix(ns, schema):
    if schema == "1.0.0" or ns / 1000.0 > 1000:
        return "[%.3f ms]" % single(ns / 1e6)
    return "[%.3f us]" % single(ns / 1e3)


def wrap32(n):
    n &= 0xFFFFFFFF
    return n - (1 << 32) if n >= 1 << 31 else n


def relative(ns, zero):
    return us((ns - zero) % (1 << 64))


class Json:
    def __init__(self, schema, zero, devices):
        self.schema, self.zero, self.parts, self.tracks = schema, zero, [], set()
        self.devices = devices

    def event(self, text):
        self.parts.append("\n  {\n" + text + "\n  },\n  ")

    def head(self, name, kind, start, end, pid, tid, color):
        return ('    "name": "%s%s", "pid": %d, "tid": %s,\n    "ts": %d, "dur": %s,\n    "ph": "X", "cat": "%s",\n'
                '    "cname": "%s",\n    "args": {\n' % (name, suffix(end - start, self.schema), pid, tid, start // 1000, us(end - start),
                                                      TYPES[kind], color))

    def times(self, start, end):
        return '      "start_time": "%s us",\n      "end_time": "%s us"' % (relative(start, self.zero), relative(end, self.zero))

    def host(self, e):
        tid = '"%d(%s)"' % (e.thread, "Python" if e.kind in PYTHON_LAYER else "C++")
        self.tracks.add((PID, e.thread))
        extra = ""
        if e.kind == OPERATOR and self.schema != "1.0.0":
            s = e.supplement or {"shapes": {}, "stack": ""}
            extra = ',\n      "input_shapes": {%s},\n      "input_dtypes": {%s},\n      "callstack": "%s"' % (
                ",".join('"%s":%s' % (k, str(v).replace(" ", "")) for k, v in s["shapes"].items()),
                ",".join('"%s":["float32"]' % k for k in s["shapes"]), s["stack"].replace('"', "'").replace("\n", "\\n"))
        self.event(self.head(e.name, e.kind, e.start, e.end, PID, tid, "thread_state_runnable") + self.times(e.start, e.end) + extra +
                   "\n    }")

    def call(self, c, thread):
        tid = '"%d(C++)"' % thread
        self.event(self.head(c["name"], RUNTIME, c["start"], c["end"], PID, tid, "thread_state_running") +
                   '      "correlation id": %d,\n' % c["corr"] + self.times(c["start"], c["end"]) + "\n    }")
        self.event('    "name": "launch", "id": %d, "pid": %d, "tid": %s,\n    "ts": %d,\n    "ph": "s", "cat": "async"' %
                   (c["corr"], PID, tid, (c["start"] + c["end"]) // 2000))
        for d in c["device"]:
            self.device(d)

    def device(self, d):
        self.tracks.add((0, d["stream"]))
        text = self.head(d["name"], d["kind"], d["start"], d["end"], 0, str(d["stream"]), "cq_build_failed") + self.times(d["start"], d["end"])
        if d["kind"] == KERNEL:
            text += (',\n      "device": 0, "context": 1,\n      "stream": %d, "correlation id": %d,\n      "registers per thread": %d,\n'
                     '      "shared memory": %d,\n      "blocks per SM": %f,\n      "warps per SM": %f,\n      "grid": [%d, %d, %d],\n'
                     '      "block": [%d, %d, %d],\n      "theoretical achieved occupancy %%": %.3f' % (
                         (d["stream"], d["corr"], d["registers"], d["dynamic"] + d["static"], d["blocks_per_sm"], d["warps_per_sm"]) +
                         d["grid"] + d["block"] + (100 * d["occupancy"],)))
        elif d["kind"] == MEMCPY:
            text += ',\n      "stream": %d, "correlation id": %d,\n      "bytes": %d,\n      "memory bandwidth (GB/s)": %.3f' % (
                d["stream"], d["corr"], wrap32(d["bytes"]), d["bytes"] / (d["end"] - d["start"]))
        else:
            text += ',\n      "device": 0, "context": 1,\n      "stream": %d, "correlation id": %d,\n      "bytes": %d,\n      "value": %d' % (
                d["stream"], d["corr"], wrap32(d["bytes"]), d["value"])
        self.event(text + "\n    }")
        short = d["end"] - d["start"] < 1000
        self.event('    "name": "launch", "id": %d, "pid": 0, "tid": %d,\n    "ts": %d,\n    "ph": "f", "cat": "async"%s' % (
            d["corr"], d["stream"], (d["start"] if short else (d["start"] + d["end"]) // 2) // 1000, "" if short else ', "bp": "e"'))

    def memory(self, m, thread):
        self.event('    "name": "[memory]", "pid": %d, "tid": "%d(C++)",\n    "ts": %d,\n    "ph": "i", "cat": "%s",\n    "args": {\n'
                   '      "place": "Place(gpu:0)",\n      "addr": "%d",\n      "increase_bytes": %d,\n      "current_allocated": %d,\n'
                   '      "current_reserved": %d,\n      "peak_allocated": %d,\n      "peak_reserved": %d\n    }' % (
                       (PID, thread, m["at"] // 1000, MEMORY_TYPES[m["kind"]], m["addr"], m["bytes"]) + m["state"]))

    def metadata(self, names):
        def put(name, pid, tid, value):
            key = "sort_index" if name.endswith("sort_index") else "name"
            self.event('    "name": "%s", "pid": %d, "tid": %s,\n    "ph": "M",\n    "args": {\n      "%s": %s\n    }' % (
                name, pid, tid, key, value))
        for pid, tid in sorted(self.tracks):
            if pid:
                for k, layer in enumerate(("Python", "C++")):
                    label = '"%d(%s)"' % (tid, layer)
                    put("process_name", pid, label, '"Process %d (CPU)"' % pid)
                    put("thread_name", pid, label, '"thread %d:%s(%s)"' % (tid, names[str(tid)], layer))
                    put("thread_sort_index", pid, label, 2 * tid + k)
                put("process_sort_index", pid, tid, pid)
            else:
                put("process_name", 0, tid, '"%s 0 (GPU)"' % ("Device" if self.schema == "1.0.2" else "Deivce"))
                put("thread_name", 0, tid, '"stream %d"' % tid)
                put("process_sort_index", 0, tid, 0x10000000)
                put("thread_sort_index", 0, tid, tid)

    def text(self, extra, span):
        head = '\n  {\n    "displayTimeUnit": "ms",\n    "schemaVersion": "%s",\n    "span_indx": "%d",\n' % (self.schema, span)
        if self.devices:
            head += '    "deviceProperties": [\n      {' + ", ".join(
                '"%s": %s' % (k, '"%s"' % v if isinstance(v, str) else v) for k, v, _ in self.devices) + "}],\n"
        info = "\n   ,\n".join('     "%s": "%s"' % kv for kv in extra.items())
        return head + '    "traceEvents": [\n  ' + "".join(self.parts) + '\n  {}\n  ],\n  \n  "ExtraInfo": {\n%s\n  }\n  }\n  ' % info


def write_json(path, run, schema, extra, span, devices):
    zero = min(root.children[0].start for root in run.roots.values())
    out = Json(schema, zero, devices)
    for thread in sorted(run.roots):
        for e, parent in breadth_first(run.roots[thread]):
            if parent >= 0:
                out.host(e)
            for c in e.runtime:
                out.call(c, thread)
            for m in e.memory if schema != "1.0.0" else []:
                out.memory(m, thread)
    out.metadata(extra)
    with open(path, "w") as f:
        f.write(out.text(extra, span))


# ---- protobuf

def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, value):
    """bytes and text: length-delimited; float: 32 bits; int: varint."""
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def message(*values):
    """Values for the fields 1, 2, ...; None leaves a field out."""
    return b"".join(field(i + 1, v) for i, v in enumerate(values) if v is not None)


def pb_device(d):
    common = message(d["name"], d["kind"], BASE + d["start"], BASE + d["end"], 0, 1, d["stream"], d["corr"])
    if d["kind"] == KERNEL:
        k = message(*d["block"], *d["grid"], d["dynamic"], d["static"], d["registers"], 0, 0, 0, 0, 0, float(d["blocks_per_sm"]),
                    float(d["warps_per_sm"]), float(d["occupancy"]))
        common += field(9, k)
    elif d["kind"] == MEMCPY:
        common += field(10, message(d["bytes"], d["name"][7:], "Pinned", "Device"))
    else:
        common += field(11, message(d["bytes"], "Device", d["value"]))
    return message(common)


def pb_node(number, parent, e, with_memory):
    if parent < 0:
        event = message(e.name, e.kind, 0, (1 << 64) - 1, 0, 0)
    else:
        event = message(e.name, e.kind, BASE + e.start, BASE + e.end, PID, e.thread)
    out = message(number, parent, event)
    for c in e.runtime:
        call = message(c["name"], BASE + c["start"], BASE + c["end"], PID, e.thread, c["corr"], 211)
        out += field(4, field(1, call) + b"".join(field(2, pb_device(d)) for d in c["device"]))
    for m in e.memory if with_memory else []:
        out += field(5, message(message(BASE + m["at"], m["kind"], m["addr"], PID, e.thread, m["bytes"], "Place(gpu:0)", *m["state"])))
    if e.supplement and with_memory:
        s = e.supplement
        shapes = b"".join(field(1, k) for k in s["shapes"])
        shapes += b"".join(field(2, b"".join(field(1, b"".join(field(1, n) for n in shape)) for shape in v)) for v in s["shapes"].values())
        types = b"".join(field(1, k) for k in s["shapes"]) + b"".join(field(2, field(1, "float32")) for _ in s["shapes"])
        out += field(6, message(message(BASE + s["at"], e.name, PID, e.thread, shapes, types, s["stack"], 0)))
    return out


def write_pb(path, run, schema, extra, span, devices):
    out = message(schema, span)
    for thread in sorted(run.roots):
        nodes = b"".join(field(2, pb_node(i, parent, e, schema != "1.0.0"))
                         for i, (e, parent) in enumerate(breadth_first(run.roots[thread])))
        out += field(3, field(1, thread) + nodes)
    for kv in extra.items():
        out += field(4, message(*kv))
    if devices:
        out += field(5, b"".join(field(n, v) for _, v, n in devices))
    with open(path, "wb") as f:
        f.write(out)


DEVICES = [("id", 0, 1), ("name", "NVIDIA A100-SXM4-40GB", 2), ("totalGlobalMem", 42505273344, 3), ("computeMajor", 8, 4),
           ("computeMinor", 0, 5), ("maxThreadsPerBlock", 1024, 6), ("maxThreadsPerMultiprocessor", 2048, 7),
           ("regsPerBlock", 65536, 8), ("regsPerMultiprocessor", 65536, 9), ("warpSize", 32, 10), ("sharedMemPerBlock", 49152, 11),
           ("sharedMemPerMultiprocessor", 167936, 12), ("smCount", SM, 13), ("sharedMemPerBlockOptin", 166912, 14)]


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("dir")
    ap.add_argument("--steps", type=int, default=3)
    ap.add_argument("--schema", default="1.0.2", choices=["1.0.0", "1.0.1", "1.0.2"])
    ap.add_argument("--offset", type=float, default=0, help="idle seconds before the first step")
    ap.add_argument("--cpu", action="store_true", help="a CPU build: no device events")
    ap.add_argument("--seed", type=int, default=7)
    a = ap.parse_args()
    run = Run(random.Random(a.seed), a.cpu)
    for i in range(a.steps):
        run.step(5 + i)
    reader_thread(run, run.now)
    if a.offset:
        early = Event("warm-up", USER, 0, 1000)
        for root in run.roots.values():
            shift(root, int(a.offset * 1e9))
        run.roots[PID].children.insert(0, early)
    devices = [] if a.cpu else DEVICES
    extra = {"System Cpu Utilization": "0.312500", "Process Cpu Utilization": "1.206200", str(PID): "MainThread", str(READER): "BufferedReader"}
    os.makedirs(a.dir, exist_ok=True)
    path = os.path.join(a.dir, "host_node1pid_%d_time_2024_05_06_07_08_09_000123.paddle_trace." % PID)
    write_pb(path + "pb", run, a.schema, extra, 1, devices)
    for root in run.roots.values():
        shift(root, BASE)
    write_json(path + "json", run, a.schema, extra, 1, devices)


if __name__ == "__main__":
    main()
