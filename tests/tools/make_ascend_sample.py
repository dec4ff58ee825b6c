#!/usr/bin/env python3
"""Writes the sample run of Ascend NPUs: ranks of a small model in data-parallel training, as the folders that torch_npu's profiler exports.

    make_ascend_sample.py FOLDER [--ranks 4] [--steps 3] [--layers 2] [--start NS] [--seed N] [--plain] [--expected FILE]

It is a simulation: host threads, device streams and ranks have clocks, a task starts after its launch and after the task before it on the stream,
a collective ends after the last rank has come and its slowest link is done, memory is allocated and freed. Every file of a folder is made of the same
records, so that sums of the csv files are the sums of the events; --expected writes what tables have to say about them as JSON.
Faults built into it: the AI cores of rank 1 run at a lower clock, so it computes longer and the others wait for it, and the link from rank 2 to rank 3
moves data at half the speed of the others. --steps 1800 makes about 1 GB; --plain leaves trace_view.json uncompressed.
"""
import argparse
import gzip
import json
import os
import random
import statistics
from contextlib import contextmanager

US = 1000
FIRST_STEP = 11
SLOW_RANK, SLOW_LINK = 1, (2, 3)
WIDTH, TOKENS, VOCAB = 768, 2048, 32000
GROUP = "8142406713950712"
COMPUTE, CALLS, COMM = 2, 3, 4                               # streams; the planes of a collective use COMM and the streams after it
NO_MODEL = 4294967295
FREQUENCY, SLOW_FREQUENCY = 1800, 1500                       # MHz
HCCS_BANDWIDTH, SLOW_BANDWIDTH, LOCAL_BANDWIDTH = 18.0, 9.2, 480.0  # bytes per ns
COLLECTIVE_OVERHEAD = 4 * US                                 # neither a transfer nor a wait
KERNELS = ("AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV", "AI_CPU", "DSA_SQE")
AS_AI_CORE = ("Cast", "TransData")                           # vector kernels: AI_CORE in the timeline, AI_VECTOR_CORE in kernel_details


def us(ns):
    """Nanoseconds as text in microseconds, the form of all files."""
    return "%s%d.%03d" % ("-" if ns < 0 else "", abs(ns) // 1000, abs(ns) % 1000)


def cell(text):
    """A csv cell, quoted if necessary."""
    text = str(text)
    return '"%s"' % text.replace('"', '""') if any(c in text for c in ',"\r\n') else text


def shapes(dims):
    return '"%s"' % ";".join(",".join(str(d) for d in dim) for dim in dims)


def union(intervals):
    merged = []
    for start, end in sorted(intervals):
        if end <= start:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def minus(a, b):
    """Parts of the intervals of a outside of b; both are unions."""
    left = []
    for start, end in a:
        for other, stop in b:
            if stop <= start or other >= end:
                continue
            if other > start:
                left.append([start, other])
            start = max(start, stop)
        if start < end:
            left.append([start, end])
    return left


class Op:
    """A call of an operator: a cpu_op row of the timeline and a row of operator_details."""

    def __init__(self, name, thread, start, dims, stack, parent):
        self.name, self.thread, self.start, self.dims, self.stack, self.parent = name, thread, start, dims, stack, parent
        self.end, self.children_ns, self.device_ns, self.compute_ns, self.total_device, self.total_compute = 0, 0, 0, 0, 0, 0


class Task:
    """A task of the device."""

    def __init__(self, name, kind, core, stream, start, ns, dims=(), step=0, blocks=0):
        self.name, self.kind, self.core, self.stream, self.start, self.ns = name, kind, core, stream, start, ns
        self.dims, self.step, self.blocks, self.connection, self.number = dims, step, blocks, 0, 0


class Collective:
    """A collective of this rank: when it was ready on the device, and its outcome."""

    def __init__(self, name, kind, nbytes, ready, op, step, connection):
        self.name, self.kind, self.nbytes, self.ready, self.op, self.step, self.connection = name, kind, nbytes, ready, op, step, connection
        self.begin = self.arrived = self.end = self.transit = 0
        self.links = {}                                      # peer: (bytes, ns)


class Rank:
    def __init__(self, rank, options):
        self.rank, self.options = rank, options
        self.rng = random.Random(options.seed * 1000 + rank)
        self.pid = 41200 + 7 * rank
        self.main, self.autograd, self.queue = self.pid, self.pid + 262, self.pid + 131
        begin = options.start + rank * 37 * US
        self.clock = {self.main: begin, self.autograd: begin, self.queue: begin}
        self.thread = self.main
        self.slow = FREQUENCY / SLOW_FREQUENCY * 0.94 if rank == SLOW_RANK else 1.0
        self.stacks = {self.main: [], self.autograd: []}
        self.frames, self.python_id, self.module_ids = [], 0, {}
        self.events = []                                     # (ts, text) of the step
        self.free_at = {}
        self.connection, self.correlation, self.sequence, self.task_number, self.calls = 900, 8000, 1300, 11000, 0
        self.flow_ids, self.tapes, self.step = set(), [], 0
        self.ops, self.tasks, self.collectives, self.pending, self.apis = [], [], [], [], []
        self.memory, self.blocks, self.allocated, self.reserved = [], [], 96 << 20, 128 << 20
        self.steps = []                                      # number, host start, host end

    # ---- texts of events
    def process(self, name):
        order = ("Python", "CANN", "Ascend Hardware", "AI Core Freq", "HCCL", "HBM", "NPU MEM", "Overlap Analysis")
        return self.pid if name == "Python" else self.pid * 1024 + 32 * order.index(name)

    def put(self, ts, text):
        self.events.append((ts, text))

    def slice(self, process, tid, name, ts, ns, args, cat=""):
        self.put(ts, '{"ph": "X", "name": %s, "pid": %d, "tid": %d, "ts": "%s", "dur": %s%s%s}' %
                 (json.dumps(name), self.process(process), tid, us(ts), us(ns), cat and ', "cat": "%s"' % cat, args is not None and ', "args": ' + json.dumps(args) or ""))

    def flow(self, phase, cat, name, number, process, tid, ts):
        self.put(ts, '{"ph": "%s", "bp": "e", "name": "%s", "id": %s, "pid": %d, "tid": %d, "ts": "%s", "cat": "%s"}' %
                 (phase, name, number, self.process(process), tid, us(ts), cat))

    def counter(self, process, name, ts, args):
        self.put(ts, '{"name": "%s", "ts": "%s", "pid": %d, "tid": 0, "args": %s, "ph": "C"}' % (name, us(ts), self.process(process), json.dumps(args)))

    # ---- the host
    def spend(self, micros, thread=None):
        self.clock[thread or self.thread] += int(micros * US * self.rng.lognormvariate(0, 0.15)) + 11

    def now(self):
        return self.clock[self.thread]

    @contextmanager
    def frame(self, name, module=None):
        """A Python function, or a module where one is named."""
        self.python_id += 1
        args = {"Python id": self.python_id, "Python parent id": self.frames[-1][1] if self.frames else 0}
        if module is not None:
            args["Python module id"] = self.module_ids.setdefault(module, len(self.module_ids))
        self.frames.append((name, self.python_id))
        start = self.now()
        self.spend(1.1)
        yield
        self.spend(0.7)
        self.frames.pop()
        self.slice("Python", self.main, name, start, self.now() - start, args, "python_function")

    @contextmanager
    def op(self, name, dims=(), types=(), cost=2.4, sequence=-1, forward=0):
        stack = [f[0] for f in reversed(self.frames)] if self.thread == self.main else []
        nesting = self.stacks[self.thread]
        self.spend(0.8)
        op = Op(name, self.thread, self.now(), dims, stack, nesting[-1] if nesting else None)
        nesting.append(op)
        self.spend(cost)
        yield op
        self.spend(cost / 2)
        nesting.pop()
        op.end = self.now()
        if op.parent:
            op.parent.children_ns += op.end - op.start
        args = {"Sequence number": sequence, "Fwd thread id": forward, "Input Dims": ";\r\n".join(",".join(map(str, d)) for d in dims),
                "Input type": ";\r\n".join(types or ["c10::BFloat16"] * len(dims))}
        if stack:
            args["Call stack"] = ";\r\n".join(stack)
        self.slice("Python", op.thread, name, op.start, op.end - op.start, args, "cpu_op")
        self.ops.append(op)

    @contextmanager
    def on(self, thread):
        before, self.thread = self.thread, thread
        self.clock[thread] = max(self.clock[thread], self.clock[before] + 8 * US)
        yield
        self.thread = before
        self.clock[before] = max(self.clock[before], self.clock[thread] + 5 * US)

    def api(self, level, name, start, ns, item, thread, connection=None):
        call = {"acl": "AscendCL@" + name, "node": "Node@" + name, "hccl": "Hccl@" + name, "runtime": "Runtime@" + name}[level]
        args = {"Thread Id": thread, "Mode": "launch" if level == "node" else "ACL_RTS", "level": level,
                "id": name if level in ("acl", "runtime") else "0", "item_id": item}
        if connection is not None:
            args["connection_id"] = connection
            self.flow("s", "HostToDevice", "HostToDevice%d" % connection, '"%d"' % connection, "CANN", thread, start)
        self.slice("CANN", thread, call, start, ns, args)
        self.apis.append((level, name, ns))

    def enqueue(self, name, calls):
        """The innermost operator passes a call to the queue's thread, which calls CANN: [(level, name, item, us)],
        from outer to inner. The last one launches: returns its end, and its connection."""
        self.correlation += 1
        start, queue = self.now(), self.queue
        self.spend(1.9)
        self.slice("Python", self.thread, "Enqueue", start, self.now() - start, {"correlation_id": self.correlation}, "enqueue")
        self.flow("s", "async_task_queue", "enqueue_to_dequeue", self.correlation, "Python", self.thread, start)
        self.clock[queue] = begin = max(self.clock[queue] + 1300, start + 1100)
        self.flow("f", "async_task_queue", "enqueue_to_dequeue", self.correlation, "Python", queue, begin)
        self.connection += 3
        open_calls = []
        for level, call, item, micros in calls:
            self.spend(0.5, queue)
            open_calls.append((level, call, item, self.clock[queue]))
            self.spend(micros, queue)
        launched = self.clock[queue]
        for k, (level, call, item, at) in enumerate(reversed(open_calls)):
            self.api(level, call, at, self.clock[queue] - at, item, queue, self.connection if k == 0 else None)
            self.spend(0.4, queue)
        self.slice("Python", queue, "Dequeue@" + name, begin, self.clock[queue] - begin, {"correlation_id": self.correlation}, "dequeue")
        return launched, self.connection

    # ---- the device
    def task(self, name, kind, core, ns, ready, stream=COMPUTE, connection=None, op=None, dims=(), blocks=0, lag=900):
        start = max(ready, self.free_at.get(stream, 0) + lag)
        while start in self.flow_ids:
            start += 1
        self.flow_ids.add(start)
        self.free_at[stream] = start + ns
        task = Task(name, kind, core, stream, start, ns, dims, self.step, blocks)
        self.task_number += 1
        task.number, task.connection = self.task_number, connection or 0
        args = {"Model Id": NO_MODEL, "Task Type": kind, "Physic Stream Id": stream, "Task Id": self.task_number, "Batch Id": 0,
                "Subtask Id": NO_MODEL}
        if connection is not None:
            args["connection_id"] = connection
        self.slice("Ascend Hardware", stream, name, start, ns, args)
        self.tasks.append(task)
        if connection is not None:
            self.flow("f", "HostToDevice", "HostToDevice%d" % connection, '"%d"' % connection, "Ascend Hardware", stream, start)
        if op:
            self.torch_flow(op, start, "Ascend Hardware", stream)
            op.device_ns += ns
            op.compute_ns += ns if kind in KERNELS else 0
        return task

    def torch_flow(self, op, start, process, tid):
        self.flow("s", "async_npu", "torch_to_npu", start, "Python", op.thread, op.start)
        self.flow("f", "async_npu", "torch_to_npu", start, process, tid, start)

    def kernel(self, api, op_type, core, micros, dims, out, blocks=24):
        """A kernel of the innermost operator, launched by an aclnn call."""
        name = "%s_%s_%s" % (api, op_type + ("AiCore" if core == "AI_CORE" else "AiCpu" if core == "AI_CPU" else ""), op_type)
        kind = "AI_CORE" if op_type in AS_AI_CORE else core
        calls = [("acl", api, "0", 3.1), ("node", "launch", name, 2.2)]
        if core == "AI_CPU":
            calls.append(("runtime", "AicpuKernelLaunch", "0", 3.3))
        launched, connection = self.enqueue(api, calls)
        ns = int(micros * US * self.slow * self.rng.lognormvariate(0, 0.04))
        return self.task(name, kind, core, ns, launched + 2300, connection=connection, op=self.stacks[self.thread][-1], dims=(dims, out), blocks=blocks)

    def copy(self, nbytes):
        launched, connection = self.enqueue("acl_memcpy", [("acl", "aclrtMemcpyAsync", "0", 4.0)])
        return self.task("MEMCPY_ASYNC", "MEMCPY_ASYNC", None, 1800 + nbytes * 10 // 240, launched + 2100, connection=connection,
                         op=self.stacks[self.thread][-1])

    def collective(self, kind, nbytes, label):
        """A collective of the innermost operator, after the work that the compute stream has got so far."""
        launched, connection = self.enqueue("Hccl" + label, [("hccl", "hcom_%s_" % kind, "hcom_%s_" % kind, 3.0), ("hccl", "Launch_Ffts", "Launch_Ffts", 5.0)])
        record = self.task("EVENT_RECORD", "EVENT_RECORD", None, 20, launched + 1100)
        wait = self.task("EVENT_WAIT", "EVENT_WAIT", None, 20, max(launched + 1500, record.start + 40), stream=CALLS)
        name = "hcom_%s__%s_%d_1" % (kind, GROUP[-3:], self.calls)
        self.calls += 1
        self.pending.append(Collective(name, kind, nbytes, wait.start + 500, self.stacks[self.thread][-1], self.step, connection))

    def finish_collectives(self):
        """Asks the run for the ends of pending collectives, and lets the compute stream wait for them."""
        pending, self.pending = self.pending, []
        yield pending
        for c in pending:
            self.draw_collective(c)
            self.free_at[COMM] = c.end
        ready = self.free_at[COMPUTE] + 300
        end = max(c.end for c in pending)
        self.task("EVENT_WAIT", "EVENT_WAIT", None, max(end - ready, 20), ready, lag=300)

    def draw_collective(self, c):
        self.collectives.append(c)
        while c.begin in self.flow_ids:
            c.begin -= 1
        self.flow_ids.add(c.begin)
        args = {"connection_id": c.connection, "model id": NO_MODEL, "data_type": "BFP16", "alg_type": "MESH-RING", "count": c.nbytes // 2}
        self.slice("HCCL", 0, c.name, c.begin, c.end - c.begin, args)
        self.flow("f", "HostToDevice", "HostToDevice%d" % c.connection, '"%d"' % c.connection, "HCCL", 0, c.begin)
        self.torch_flow(c.op, c.begin, "HCCL", 0)
        c.op.device_ns += c.end - c.begin
        for plane, (peer, (nbytes, ns)) in enumerate(sorted(c.links.items(), key=lambda l: (l[0] != self.rank, l[0]))):
            local = peer == self.rank
            rows = [] if local else [("Notify_Wait", "Notify Wait", c.begin, c.arrived - c.begin, 0, 0)]
            rows.append(("Memcpy", "SDMA", c.arrived + COLLECTIVE_OVERHEAD // 2, ns, nbytes, nbytes / ns))
            for name, kind, start, duration, size, bandwidth in rows:
                self.slice("HCCL", 1 + plane, name, start, duration,
                           {"stream id": COMM + plane, "task id": 800 + plane, "task type": name, "src rank": self.rank, "dst rank": peer,
                            "transport type": "LOCAL" if name == "Notify_Wait" else "SDMA", "size(Byte)": size,
                            "link type": "ON_CHIP" if local else "HCCS", "bandwidth(GB/s)": round(bandwidth, 6)})
                self.slice("Ascend Hardware", COMM + plane, kind, start, duration,
                           {"Model Id": NO_MODEL, "Task Type": kind, "Physic Stream Id": COMM + plane, "Task Id": 800 + plane, "Subtask Id": plane})

    # ---- memory
    def alloc(self, nbytes):
        nbytes = -(-nbytes // 512) * 512
        self.allocated += nbytes
        while self.allocated > self.reserved:
            self.reserved += 20 << 20
        nesting = self.stacks[self.thread]
        block = {"op": nesting[-1].name, "bytes": nbytes, "at": self.now() - 700, "freed": None, "after": (self.allocated, self.reserved)}
        self.blocks.append(block)
        self.memory.append((block["at"], self.allocated, self.reserved))
        return block

    def free(self, block):
        self.allocated -= block["bytes"]
        self.spend(0.3)
        block["freed"], block["end"] = self.now(), (self.allocated, self.reserved)
        self.memory.append((block["freed"], self.allocated, self.reserved))

    # ---- the model
    def forward_op(self, name, inner, api, op_type, core, micros, dims, out, backward):
        """An operator with a kernel whose result is kept for the backward pass."""
        self.sequence += 1
        with self.op(name, dims, sequence=self.sequence) as op:
            with self.op(inner, dims, sequence=self.sequence):
                block = self.alloc(2 * out[0][0] * out[0][1])
                self.kernel(api, op_type, core, micros, dims, out)
        self.tapes.append((op, self.sequence, block, backward, dims, out))

    def forward(self):
        x, w = (TOKENS, WIDTH), (WIDTH, WIDTH)
        self.forward_op("aten::embedding", "aten::index_select", "aclnnEmbedding", "GatherV2", "AI_VECTOR_CORE", 26, ((VOCAB, WIDTH), (TOKENS,)), (x,),
                        ("EmbeddingBackward0", "aten::embedding_dense_backward", "aclnnEmbeddingDenseBackward", "EmbeddingDenseGrad", "AI_VECTOR_CORE", 41))
        for layer in range(self.options.layers):
            with self.frame("nn.Module: Block_%d" % layer, "Block_%d" % layer):
                self.forward_op("aten::layer_norm", "aten::native_layer_norm", "aclnnLayerNorm", "LayerNormV3", "AI_VECTOR_CORE", 14, (x, (WIDTH,), (WIDTH,)),
                                (x,), ("NativeLayerNormBackward0", "aten::native_layer_norm_backward", "aclnnLayerNormBackward", "LayerNormGradV3",
                                       "AI_VECTOR_CORE", 31))
                self.forward_op("aten::matmul", "aten::mm", "aclnnMm", "MatMulV2", "AI_CORE", 92, (x, w), (x,),
                                ("MmBackward0", "aten::mm", "aclnnMm", "MatMulV2", "AI_CORE", 95))
                self.forward_op("aten::scaled_dot_product_attention", "npu::npu_fusion_attention", "aclnnFlashAttentionScore", "FlashAttentionScore",
                                "MIX_AIC", 128, (x, x, x), (x,), ("NpuFusionAttentionBackward0", "npu::npu_fusion_attention_grad",
                                                                  "aclnnFlashAttentionScoreGrad", "FlashAttentionScoreGrad", "MIX_AIC", 236))
                self.forward_op("aten::gelu", "npu::npu_gelu", "aclnnGelu", "Gelu", "AI_VECTOR_CORE", 21, (x,), (x,),
                                ("GeluBackward0", "aten::gelu_backward", "aclnnGeluBackward", "GeluGrad", "AI_VECTOR_CORE", 27))
                self.forward_op("aten::to", "aten::_to_copy", "aclnnCast", "Cast", "AI_VECTOR_CORE", 9, (x,), (x,),
                                ("ToCopyBackward0", "aten::_to_copy", "aclnnCast", "Cast", "AI_VECTOR_CORE", 9))
        self.forward_op("aten::cross_entropy_loss", "aten::nll_loss_forward", "aclnnNLLLoss", "NLLLoss", "MIX_AIV", 18, (x, (TOKENS,)), ((1, 1),),
                        ("NllLossBackward0", "aten::nll_loss_backward", "aclnnNLLLossBackward", "NLLLossGrad", "AI_VECTOR_CORE", 13))

    def backward(self):
        half = len(self.tapes) // 2
        for k, (forward, sequence, block, (name, inner, api, op_type, core, micros), dims, out) in enumerate(reversed(self.tapes)):
            with self.op("autograd::engine::evaluate_function: " + name, sequence=sequence, forward=1) as outer:
                self.flow("s", "fwdbwd", "fwdbwd", sequence, "Python", forward.thread, forward.start)
                self.flow("f", "fwdbwd", "fwdbwd", sequence, "Python", outer.thread, outer.start)
                with self.op(name, out, sequence=sequence, forward=1):
                    with self.op(inner, out + dims):
                        temporary = self.alloc(2 * out[0][0] * out[0][1])
                        self.kernel(api, op_type, core, micros, out, dims[:1])
                        if core == "AI_CORE":
                            self.kernel(api, op_type, core, micros, out, dims[1:])
                self.free(block)
                self.free(temporary)
            if k in (half, len(self.tapes) - 1):
                with self.op("c10d::allreduce_", ((6 << 20, ),) if k == half else ((3 << 20, ),)):
                    with self.op("HcclAllreduce"):
                        self.collective("allReduce", (12 << 20) if k == half else (6 << 20), "Allreduce")
        self.tapes = []

    def train_step(self, number):
        self.step = number
        with self.op("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", cost=60):
            with self.op("aten::stack", ((TOKENS,),), ("long int",), cost=14):
                pass
        with self.op("aten::to", ((TOKENS,),), ("long int",)):
            with self.op("aten::copy_", ((TOKENS,), (TOKENS,)), ("long int", "long int")):
                batch = self.alloc(8 * TOKENS)
                self.copy(8 * TOKENS)
        with self.frame("nn.Module: Model_0", "Model_0"):
            self.forward()
        with self.frame("torch/_tensor.py(525): backward"):
            with self.on(self.autograd):
                self.backward()
        yield from self.finish_collectives()
        with self.op("Optimizer.step#AdamW.step", cost=6):
            for _ in range(2):
                with self.op("npu::npu_apply_adam_w", ((WIDTH, WIDTH),) * 3):
                    self.kernel("aclnnApplyAdamWV2", "ApplyAdamWV2", "AI_VECTOR_CORE", 58, ((WIDTH, WIDTH),) * 3, ((WIDTH, WIDTH),), 40)
        with self.op("aten::nonzero", ((TOKENS,),)):
            mask = self.alloc(8 * TOKENS)
            self.kernel("aclnnNonzero", "NonZero", "AI_CPU", 33, ((TOKENS,),), ((TOKENS, 1),), 1)
        with self.op("c10d::_allgather_base_", ((1,), (self.options.ranks,))):
            with self.op("HcclAllGather"):
                self.collective("allGather", 4096 * self.options.ranks, "AllGather")
        yield from self.finish_collectives()
        with self.op("aten::item", ((1,),)):
            with self.op("aten::_local_scalar_dense", ((1,),)):
                done = self.copy(4)
                start = self.now() + 900
                end = max(done.start + done.ns, start) + 3 * US
                self.clock[self.thread] = end
                self.api("acl", "aclrtSynchronizeStreamWithTimeout", start, end - start, "0", self.main)
        self.free(mask)
        self.free(batch)

    def run(self):
        """Runs the steps; yields collectives whose ends the run must compute, and None after each step."""
        self.counters()
        for number in range(FIRST_STEP, FIRST_STEP + self.options.steps):
            start = self.now()
            with self.frame("train.py(64): train_step"):
                yield from self.train_step(number)
            end = self.now()
            self.slice("Python", self.main, "ProfilerStep#%d" % number, start - 300, end + 300 - start,
                       {"Sequence number": -1, "Fwd thread id": 0, "Input Dims": "", "Input type": ""}, "cpu_op")
            self.steps.append((number, start - 300, end))
            self.clock[self.main] = end + 40 * US
            self.counters()
            yield None

    def counters(self):
        at = self.now() - 2 * US
        self.counter("AI Core Freq", "AI Core Freq", at, {"MHz": SLOW_FREQUENCY if self.rank == SLOW_RANK else FREQUENCY})
        self.counter("NPU MEM", "APP/HBM", at, {"KB": float(self.reserved >> 10)})
        self.counter("HBM", "HBM 0/Read", at, {"Read(MB/s)": round(210000 * self.rng.random(), 3)})
        self.counter("HBM", "HBM 0/Write", at, {"Write(MB/s)": round(90000 * self.rng.random(), 3)})

    # ---- what follows from the records
    def overlap(self):
        """{name: intervals} for the rows of Overlap Analysis."""
        computing = union((t.start, t.start + t.ns) for t in self.tasks if t.kind in KERNELS)
        communication = union((c.begin, c.end) for c in self.collectives)
        busy = union([tuple(i) for i in computing + communication])
        free = [[a[1], b[0]] for a, b in zip(busy, busy[1:])]
        return {"Computing": computing, "Communication": communication, "Communication(Not Overlapped)": minus_sorted(communication, computing), "Free": free}

    def step_times(self):
        """The rows of step_trace_time: a piece counts in the step in which it starts."""
        rows, pieces = [], self.overlap()
        starts = {n: sorted(p) for n, p in pieces.items()}
        position = {n: 0 for n in starts}
        for number, host_start, host_end in self.steps:
            mine = {}
            for name, parts in starts.items():
                k = position[name]
                while k < len(parts) and parts[k][0] < host_end:
                    k += 1
                mine[name], position[name] = parts[position[name]:k], k
            total = {name: sum(b - a for a, b in parts) for name, parts in mine.items()}
            busy = mine["Computing"] + mine["Communication"]
            first, last = min(a for a, _ in busy), max(b for _, b in busy)
            rows.append({"step": number, "computing": total["Computing"], "not_overlapped": total["Communication(Not Overlapped)"],
                         "overlapped": total["Communication"] - total["Communication(Not Overlapped)"], "communication": total["Communication"],
                         "free": total["Free"], "stage": last - first, "preparing": first - host_start})
        return rows


def minus_sorted(a, b):
    """minus() in linear time, for long runs."""
    left, k = [], 0
    for start, end in a:
        while k < len(b) and b[k][1] <= start:
            k += 1
        j = k
        near = []
        while j < len(b) and b[j][0] < end:
            near.append(b[j])
            j += 1
        left += minus([[start, end]], near)
    return left


# ---- the run: ranks together

def resolve(ranks, pending):
    """A collective over all ranks: each begins when it is ready there, and all end together."""
    for calls in zip(*pending):
        for rank, c in zip(ranks, calls):
            c.begin = max(c.ready, rank.free_at.get(COMM, 0) + 400)
        arrived = max(c.begin for c in calls)
        share = calls[0].nbytes // len(ranks)
        for rank, c in zip(ranks, calls):
            c.arrived = arrived
            for peer in range(len(ranks)):
                local = peer == rank.rank
                bandwidth = LOCAL_BANDWIDTH if local else SLOW_BANDWIDTH if (rank.rank, peer) == SLOW_LINK else HCCS_BANDWIDTH
                nbytes = share if local or c.kind == "allGather" else 2 * share
                c.links[peer] = (nbytes, int((nbytes / bandwidth + 300) * rank.rng.lognormvariate(0, 0.02)))
            c.transit = max(ns for _, ns in c.links.values())
        slowest = max(c.transit for c in calls)
        for rank, c in zip(ranks, calls):
            c.end = arrived + COLLECTIVE_OVERHEAD + slowest + rank.rng.randrange(200)
            rank.free_at[COMM] = c.end


def simulate(ranks, sinks):
    runs = [rank.run() for rank in ranks]
    while runs:
        asked = [next(run, "done") for run in runs]
        if asked[0] == "done":
            return
        if asked[0] is None:
            for rank, sink in zip(ranks, sinks):
                flush(rank, sink)
        else:
            resolve(ranks, asked)


def flush(rank, sink):
    rank.events.sort(key=lambda e: e[0])
    for _, text in rank.events:
        sink.write(",\n" + text)
    rank.events = []


# ---- the files

def head(rank):
    """Names of processes and threads."""
    def name(what, process, tid, text):
        return json.dumps({"ph": "M", "name": what, "pid": rank.process(process), "tid": tid, "args": {"name": text}})
    rows = [name("process_name", p, 0, p) for p in
            ("Python", "CANN", "Ascend Hardware", "AI Core Freq", "HCCL", "HBM", "NPU MEM", "Overlap Analysis")]
    rows += [json.dumps({"ph": "M", "name": "process_labels", "pid": rank.process(p), "tid": 0, "args": {"labels": label}})
             for p, label in (("Python", "CPU"), ("CANN", "CPU"), ("Ascend Hardware", "NPU"), ("HCCL", "NPU"), ("Overlap Analysis", "NPU"))]
    rows += [name("thread_name", "Python", t, "Thread %d" % t) for t in (rank.main, rank.autograd, rank.queue)]
    rows += [name("thread_name", "CANN", t, "Thread %d" % t) for t in (rank.main, rank.queue)]
    rows += [name("thread_name", "Ascend Hardware", s, "Stream %d" % s) for s in [COMPUTE, CALLS] + [COMM + k for k in range(rank.options.ranks)]]
    rows += [name("thread_name", "HCCL", 0, "Group 0 Communication")]
    rows += [name("thread_name", "HCCL", 1 + k, "Plane %d" % k) for k in range(rank.options.ranks)]
    rows += [name("thread_name", "Overlap Analysis", k, n) for k, n in enumerate(("Computing", "Communication", "Communication(Not Overlapped)", "Free"))]
    return "[" + ",\n".join(rows)


def write_csv(folder, name, header, rows):
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
        f.write(",".join(header) + "\n")
        for row in rows:
            f.write(",".join(cell(c) for c in row) + "\n")


def kernel_rows(rank):
    """Rows of kernel_details in the order of their starts: kernels and collectives."""
    rows = [(t.start, t) for t in rank.tasks if t.kind in KERNELS] + [(c.begin, c) for c in rank.collectives]
    end = None
    for start, row in sorted(rows, key=lambda r: r[0]):
        wait = 0 if end is None else max(0, start - end)
        if isinstance(row, Collective):
            end = row.end
            yield [row.step, rank.rank, NO_MODEL, 0, COMM, row.name, "hcom_%s_" % row.kind, "N/A", "HCCL", us(start) + "\t", us(row.end - start), us(wait), 0, 0,
                   "N/A"] + ["N/A"] * 7 + ["0.0"] * 5
            continue
        end = start + row.ns
        cube = us(int(row.ns * 0.93)) if row.core in ("AI_CORE", "MIX_AIC") else "0.0"
        vector = us(int(row.ns * 0.91)) if row.core in ("AI_VECTOR_CORE", "MIX_AIV", "MIX_AIC") else "0.0"
        yield [row.step, rank.rank, NO_MODEL, row.number, row.stream, row.name, kernel_type(row), "dynamic", row.core, us(start) + "\t", us(row.ns), us(wait), row.blocks,
               0, "NO", shapes(row.dims[0]), ";".join(["DT_BF16"] * len(row.dims[0])), ";".join(["ND"] * len(row.dims[0])),
               shapes(row.dims[1]), ";".join(["DT_BF16"] * len(row.dims[1])), ";".join(["ND"] * len(row.dims[1])), "N/A",
               cube, "0.72" if cube != "0.0" else "0.0", vector, "0.4" if vector != "0.0" else "0.0", "81.5" if cube != "0.0" else "0"]


def kernel_type(task):
    return task.name.rsplit("_", 1)[1]


KERNEL_HEADER = ["Step Id", "Device_id", "Model ID", "Task ID", "Stream ID", "Name", "Type", "OP State", "Accelerator Core", "Start Time(us)",
                 "Duration(us)", "Wait Time(us)", "Block Dim", "Mix Block Dim", "HF32 Eligible", "Input Shapes", "Input Data Types", "Input Formats", "Output Shapes",
                 "Output Data Types", "Output Formats", "Context ID", "aicore_time(us)", "aic_mac_ratio", "aiv_time(us)", "aiv_vec_ratio", "cube_utilization(%)"]


def op_types(rank):
    """{(type, core): durations} of the kernels, without collectives."""
    groups = {}
    for t in rank.tasks:
        if t.kind in KERNELS:
            groups.setdefault((kernel_type(t), t.core), []).append(t.ns)
    return sorted(groups.items(), key=lambda g: (-sum(g[1]), g[0]))


def add_up(rank):
    """Device times of operators with those inside; an operator ends after its inner ones."""
    for op in rank.ops:
        op.total_device += op.device_ns
        op.total_compute += op.compute_ns
        if op.parent:
            op.parent.total_device += op.total_device
            op.parent.total_compute += op.total_compute


def mb(nbytes):
    return repr(nbytes / (1 << 20))


def write_memory(rank, folder):
    device = "NPU:%d" % rank.rank
    rows = []
    for b in rank.blocks:
        freed = b["freed"]
        rows.append([b["op"], b["bytes"] / 1024, us(b["at"]) + "\t"] +
                    ([us(freed) + "\t", us(freed - 400) + "\t", us(freed - b["at"]) + "\t", us(freed - 400 - b["at"]) + "\t"] if freed else [""] * 4) +
                    [mb(b["after"][0]), mb(b["after"][1]), mb(b["after"][0])] +
                    ([mb(b["end"][0]), mb(b["end"][1]), mb(b["end"][0])] if freed else [""] * 3) + [897357296, device])
    write_csv(folder, "operator_memory.csv", ["Name", "Size(KB)", "Allocation Time(us)", "Release Time(us)", "Active Release Time(us)", "Duration(us)",
              "Active Duration(us)", "Allocation Total Allocated(MB)", "Allocation Total Reserved(MB)", "Allocation Total Active(MB)",
              "Release Total Allocated(MB)", "Release Total Reserved(MB)", "Release Total Active(MB)", "Stream Ptr", "Device Type"], rows)
    rows, ge = [["GE", us(rank.options.start) + "\t", "1.5", "4.0", "1.5", 897357296, device]], (3 << 19, 4 << 20)
    for at, allocated, reserved in sorted(rank.memory):
        rows.append(["PTA", us(at) + "\t", mb(allocated), mb(reserved), mb(allocated), 897357296, device])
        rows.append(["PTA+GE", us(at) + "\t", mb(allocated + ge[0]), mb(reserved + ge[1]), mb(allocated + ge[0]), 897357296, device])
    for _, start, _ in rank.steps:
        rows.append(["APP", us(start) + "\t", "", mb(rank.reserved + (640 << 20)), "", "", device])
    write_csv(folder, "memory_record.csv", ["Component", "Timestamp(us)", "Total Allocated(MB)", "Total Reserved(MB)", "Total Active(MB)", "Stream Ptr", "Device Type"],
              rows)


def write_steps(rank, folder):
    write_csv(folder, "step_trace_time.csv", ["Device_id", "Step", "Computing", "Communication(Not Overlapped)", "Overlapped", "Communication", "Free", "Stage", "Bubble",
              "Communication(Not Overlapped and Exclude Receive)", "Preparing"],
              [[rank.rank, s["step"]] + [us(s[k]) for k in ("computing", "not_overlapped", "overlapped", "communication", "free", "stage")] +
               [0, us(s["not_overlapped"]), us(s["preparing"])] for s in rank.step_times()])


def write_operators(rank, folder):
    write_csv(folder, "kernel_details.csv", KERNEL_HEADER, kernel_rows(rank))
    types = op_types(rank)
    every = sum(sum(d) for _, d in types)
    write_csv(folder, "op_statistic.csv", ["Device_id", "OP Type", "Core Type", "Count", "Total Time(us)", "Min Time(us)", "Avg Time(us)", "Max Time(us)", "Ratio(%)"],
              [[rank.rank, name, core, len(d), us(sum(d)), us(min(d)), us(round(sum(d) / len(d))), us(max(d)), round(100 * sum(d) / every, 3)] for (name, core), d in types])
    write_csv(folder, "operator_details.csv", ["Name", "Input Shapes", "Call Stack", "Host Self Duration(us)", "Host Total Duration(us)", "Device Self Duration(us)",
              "Device Total Duration(us)", "Device Self Duration With AICore(us)", "Device Total Duration With AICore(us)"],
              [[op.name, ";\r\n".join(",".join(map(str, d)) for d in op.dims), ";\r\n".join(op.stack), us(op.end - op.start - op.children_ns), us(op.end - op.start),
                us(op.device_ns), us(op.total_device), us(op.compute_ns), us(op.total_compute)] for op in sorted(rank.ops, key=lambda o: (o.start, o.thread))])
    calls = {}
    for level, name, ns in rank.apis:
        calls.setdefault((level, name), []).append(ns)
    write_csv(folder, "api_statistic.csv", ["Level", "API Name", "Time(us)", "Count", "Avg(us)", "Min(us)", "Max(us)", "Variance"],
              [[level, name, us(sum(d)), len(d), us(round(sum(d) / len(d))), us(min(d)), us(max(d)), round(statistics.pvariance(d) / 1e6, 3)]
               for (level, name), d in sorted(calls.items())])


def bandwidth_info(links, rank):
    """Communication Bandwidth Info of a call: SDMA repeats HCCS."""
    remote = [l for peer, l in links.items() if peer != rank]
    nbytes, ns = sum(l[0] for l in remote), sum(l[1] for l in remote)
    sizes = {}
    for size, duration in remote:
        count, total = sizes.get(str(size / 1e6), (0, 0))
        sizes[str(size / 1e6)] = (count + 1, total + duration)
    used = {"Transit Size(MB)": nbytes / 1e6, "Transit Time(ms)": ns / 1e6, "Bandwidth(GB/s)": round(nbytes / ns, 4) if ns else 0, "Large Packet Ratio": 0,
            "Size Distribution": {k: [count, total / 1e6] for k, (count, total) in sizes.items()}}
    none = {"Transit Size(MB)": 0, "Transit Time(ms)": 0, "Bandwidth(GB/s)": 0, "Large Packet Ratio": 0, "Size Distribution": {}}
    return {"RDMA": none, "HCCS": used, "PCIE": none, "SDMA": used, "SIO": none}


def call_times(c):
    """elapse, transit, wait, synchronization of a call."""
    elapse, synchronization = c.end - c.begin, c.arrived - c.begin
    return elapse, c.transit, elapse - c.transit - COLLECTIVE_OVERHEAD, synchronization


def time_info(start, elapse, transit, wait, synchronization):
    return {"Start Timestamp(us)": start, "Elapse Time(ms)": elapse / 1e6, "Transit Time(ms)": transit / 1e6, "Wait Time(ms)": wait / 1e6,
            "Synchronization Time(ms)": synchronization / 1e6, "Idle Time(ms)": (elapse - transit - wait) / 1e6,
            "Wait Time Ratio": round(wait / (wait + transit), 4), "Synchronization Time Ratio": round(synchronization / (synchronization + transit), 4)}


def matrix_links(calls, rank):
    """{"src-dst": entry} of several calls together."""
    entries = {}
    for peer in calls[0].links:
        nbytes, ns = sum(c.links[peer][0] for c in calls), sum(c.links[peer][1] for c in calls)
        entries["%d-%d" % (rank, peer)] = {"Transport Type": "LOCAL" if peer == rank else "HCCS", "Transit Size(MB)": nbytes / 1e6,
                                           "Transit Time(ms)": ns / 1e6, "Bandwidth(GB/s)": round(nbytes / ns, 4), "Op Name": calls[0].name}
    return entries


def write_communication(rank, folder):
    times, matrix = {}, {}
    for number, _, _ in rank.steps:
        calls = [c for c in rank.collectives if c.step == number]
        ops, kinds = {}, {}
        for c in calls:
            ops["%s@%s" % (c.name, GROUP)] = {"Communication Time Info": time_info(c.begin / 1000, *call_times(c)),
                                              "Communication Bandwidth Info": bandwidth_info(c.links, rank.rank)}
            kinds.setdefault(c.kind.lower(), []).append(c)
        total = time_info(0, *(sum(t) for t in zip(*(call_times(c) for c in calls))))
        del total["Start Timestamp(us)"]
        ops["Total Op Info"] = {"Communication Time Info": total, "Communication Bandwidth Info": {
            link: {k: v for k, v in info.items() if k != "Bandwidth(GB/s)"} for link, info in bandwidth_info(
                {p: tuple(sum(c.links[p][i] for c in calls) for i in (0, 1)) for p in calls[0].links}, rank.rank).items()}}
        times["step%d" % number] = {"p2p": {}, "collective": ops}
        samples = matrix["step%d" % number] = {"p2p": {}, "collective": {}}
        for kind, same in kinds.items():
            longest = sorted(same, key=lambda c: c.begin - c.end)
            for label, some in (("top1", longest[:1]), ("middle", longest[len(same) // 2:][:1]), ("bottom1", longest[-1:]), ("total", same)):
                samples["collective"]["%s-%s@%s" % (kind, label, GROUP)] = matrix_links(some, rank.rank)
    for name, content in (("communication.json", times), ("communication_matrix.json", matrix)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            json.dump(content, f)


def write_info(rank, folder):
    options = rank.options
    info = {"config": {"common_config": {"activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"], "schedule": {"wait": 0, "active": options.steps, "warmup": 1,
                       "repeat": 1, "skip_first": FIRST_STEP - 1}, "record_shapes": True, "profile_memory": True, "with_stack": True, "with_flops": False,
                       "with_modules": True},
                       "experimental_config": {"_profiler_level": "Level1", "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION", "_l2_cache": False, "_msprof_tx": False,
                                               "_data_simplification": True, "_export_type": "text"}},
            "start_info": {"syscnt_enable": True, "freq": 100, "start_cnt": 17238197612056, "start_monotonic": 172163581670080},
            "end_info": {"collectionTimeEnd": rank.steps[-1][2] + 900 * US, "MonotonicTimeEnd": 172164265133640}, "rank_id": rank.rank}
    with open(os.path.join(folder, "profiler_info_%d.json" % rank.rank), "w", encoding="utf-8") as f:
        json.dump(info, f, indent=4)
    metadata = {"ENV_VARIABLES": {"ASCEND_LAUNCH_BLOCKING": "", "HCCL_RDMA_TC": ""},
                "parallel_group_info": {GROUP: {"group_name": "default_group", "group_rank": rank.rank, "global_ranks": list(range(options.ranks))}}}
    with open(os.path.join(folder, "profiler_metadata.json"), "w", encoding="utf-8") as f:
        json.dump(metadata, f, indent=4)


# ---- expected tables

def expected(rank):
    operators, kernels, apis, links = {}, {}, {}, []
    for op in rank.ops:
        e = operators.setdefault(op.name, [0] * 5)
        for k, v in enumerate((1, op.end - op.start - op.children_ns, op.end - op.start, op.device_ns, op.total_device)):
            e[k] += v
    for t in rank.tasks:
        if t.kind in KERNELS:
            kernels.setdefault(t.name, []).append(t)
    for level, name, ns in rank.apis:
        apis.setdefault((level, name), []).append(ns)
    for number, _, _ in rank.steps:
        for kind in ("allReduce", "allGather"):
            calls = [c for c in rank.collectives if c.step == number and c.kind == kind]
            for peer in sorted(calls[0].links):
                nbytes, ns = sum(c.links[peer][0] for c in calls), sum(c.links[peer][1] for c in calls)
                links.append({"rank": rank.rank, "step": str(number), "kind": "collective", "op": kind.lower(), "group": GROUP, "src": rank.rank, "dst": peer,
                              "transport": "LOCAL" if peer == rank.rank else "HCCS", "size_bytes": nbytes, "transit_ns": ns, "bandwidth_gbps": nbytes / ns})
    steps, copies = rank.step_times(), [t.ns for t in rank.tasks if t.kind == "MEMCPY_ASYNC"]
    remote = {c.name: sum(l[0] for p, l in c.links.items() if p != rank.rank) for c in rank.collectives}
    communication = []
    for c in rank.collectives:
        elapse, transit, wait, sync = call_times(c)
        communication.append({"rank": rank.rank, "step": str(c.step), "kind": "collective", "group": GROUP, "name": c.name, "elapse_ns": elapse, "transit_ns": transit,
                              "wait_ns": wait, "synchronization_ns": sync, "idle_ns": COLLECTIVE_OVERHEAD, "size_bytes": remote[c.name],
                              "wait_ratio_pct": round(100 * wait / (wait + transit), 2), "synchronization_ratio_pct": round(100 * sync / (sync + transit), 2)})
    every = sum(sum(d) for _, d in op_types(rank))
    return {
        "operators": [dict(zip(("name", "calls", "host_self_ns", "host_total_ns", "device_self_ns", "device_total_ns"), [n] + e))
                      for n, e in operators.items() if "#" not in n],  # loaders and optimizers are ranges around operators
        "kernels": [{"name": n, "core": t[0].core, "type": kernel_type(t[0]), "calls": len(t), "total_ns": sum(k.ns for k in t), "max_ns": max(k.ns for k in t),
                     "min_ns": min(k.ns for k in t)} for n, t in kernels.items()],
        "op_types": [{"core": core, "type": n, "calls": len(d), "total_ns": sum(d), "max_ns": max(d), "min_ns": min(d), "ratio_pct": round(100 * sum(d) / every, 3)}
                     for (n, core), d in op_types(rank)],
        "runtime_api": [{"level": level, "name": n, "calls": len(d), "total_ns": sum(d), "max_ns": max(d), "min_ns": min(d)} for (level, n), d in apis.items()],
        "memcpy": {"calls": len(copies), "total_ns": sum(copies)},
        "comm_steps": [{"step": str(s["step"]), "computation_ns": s["computing"] - s["overlapped"], "overlap_ns": s["overlapped"],
                        "communication_ns": s["not_overlapped"], "other_ns": s["free"]} for s in steps],
        "comm_ops": [{"name": c["name"], "calls": 1, "size_bytes": c["size_bytes"], "latency_ns": c["elapse_ns"], "data_transfer_ns": c["transit_ns"]}
                     for c in communication],
        "cluster_steps": [{"type": "rank", "index": str(rank.rank), "step": str(s["step"]), "computing_ns": s["computing"], "not_overlapped_ns": s["not_overlapped"],
                           "overlapped_ns": s["overlapped"], "communication_ns": s["communication"], "free_ns": s["free"], "stage_ns": s["stage"], "bubble_ns": 0,
                           "not_overlapped_exclude_receive_ns": s["not_overlapped"], "preparing_ns": s["preparing"]} for s in steps],
        "cluster_communication": communication,
        "cluster_links": links,
        "memory_events": [{"device": "NPU%d" % rank.rank, "kind": "allocated", "operator": b["op"], "size_bytes": b["bytes"],
                           "duration_ns": b["freed"] - b["at"] if b["freed"] else None} for b in rank.blocks],
        "memory_devices": [{"device": "NPU%d" % rank.rank, "peak_allocated_bytes": max(m[1] for m in rank.memory),
                            "peak_reserved_bytes": max(m[2] for m in rank.memory)}],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--start", type=int, default=1730000000000000000, help="ns since 1970 of the first event")
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--plain", action="store_true", help="trace_view.json as it is, not compressed")
    parser.add_argument("--expected", metavar="FILE", help="what tables have to say, as JSON")
    options = parser.parse_args()
    ranks, sinks, folders = [Rank(r, options) for r in range(options.ranks)], [], []
    for rank in ranks:
        folders.append(os.path.join(options.folder, "rank%d_ascend_pt" % rank.rank))
        output = os.path.join(folders[-1], "ASCEND_PROFILER_OUTPUT")
        os.makedirs(output, exist_ok=True)
        path = os.path.join(output, "trace_view.json")
        # The gzip header has no time and no name: the same events give the same bytes.
        raw = open(path if options.plain else path + ".gz", "wb")
        sink = raw if options.plain else gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=raw, mtime=0)
        sinks.append(Text(sink, raw))
        sinks[-1].write(head(rank))
    simulate(ranks, sinks)
    for rank, sink, folder in zip(ranks, sinks, folders):
        rank.events = []
        for tid, (name, parts) in enumerate(rank.overlap().items()):
            for a, b in parts:
                rank.slice("Overlap Analysis", tid, name, a, b - a, None)
        flush(rank, sink)
        sink.write("]\n")
        sink.close()
        output = os.path.join(folder, "ASCEND_PROFILER_OUTPUT")
        add_up(rank)
        write_info(rank, folder)
        write_operators(rank, output)
        write_memory(rank, output)
        write_steps(rank, output)
        write_communication(rank, output)
    if options.expected:
        with open(options.expected, "w", encoding="utf-8") as f:
            json.dump({"rank%d_ascend_pt" % rank.rank: expected(rank) for rank in ranks}, f, indent=1)


class Text:
    """Text into a file of bytes."""

    def __init__(self, sink, raw):
        self.sink, self.raw = sink, raw

    def write(self, text):
        self.sink.write(text.encode("utf-8"))

    def close(self):
        self.sink.close()
        self.raw.close()


if __name__ == "__main__":
    main()
