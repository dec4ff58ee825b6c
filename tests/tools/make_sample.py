#!/usr/bin/env python3
"""Writes two sample runs: two ranks of a small GPT training in bf16 on H100s, as PyTorch 2's profiler would record them.

    make_sample.py ASSETS-FOLDER

It is a simulation, not a random list of events: host threads and device streams have clocks, a kernel starts after its
launch, after the kernel before it on the stream and after the events it waits for; a collective ends on all ranks at the
same time, after the last rank has come; memory is allocated, used again and freed. Durations follow from the work
(FLOPs, bytes) and a fixed random seed. What there is to find: step 4 of rank 0 waits long for its input, rank 1 is
slower, the last gradient buckets are reduced with nothing left to overlap, batches are copied from pageable memory,
and the GPU idles while the loss is read back and the next batch is fetched.
The second run, sample_gpu_before, is the same training before someone worked on it; RUNS lists what was changed. Flash attention
and texts that are tokenised beforehand made the steps faster; pinned memory and the fused optimizer got lost.
"""
import gzip
import json
import os
import random
import sys
from contextlib import contextmanager
from dataclasses import dataclass

BASE_NS = 1696164435000000000
FIRST_STEP, STEPS = 2, 6
WORLD = 2
BATCH, SEQ, WIDTH, HEADS, LAYERS, VOCAB = 16, 1024, 768, 12, 4, 50304
TOKENS = BATCH * SEQ
US = 1000
MAIN_STREAM, COMM_STREAM, SYNC_ROW = 7, 20, 1000007
BF16 = "c10::BFloat16"
CBID = {"cudaLaunchKernel": 211, "cudaMemcpyAsync": 41, "cudaMemsetAsync": 51, "cudaStreamSynchronize": 131,
        "cudaEventRecord": 135, "cudaStreamWaitEvent": 147, "cudaLaunchKernelExC": 430, "cuLaunchKernelEx": 652,
        "cudaStreamIsCapturing": 317, "cudaEventQuery": 138}
FUNCTOR = ("void at::native::%selementwise_kernel<%s, at::native::%s, at::detail::Array<char*, %d> >"
           "(int, at::native::%s, at::detail::Array<char*, %d>)")
SOFTMAX = ("void (anonymous namespace)::softmax_warp_%s<c10::BFloat16, c10::BFloat16, float, 10, false, false>"
           "(c10::BFloat16*, c10::BFloat16 const*, int, int, int, bool const*, int, bool)")
MASKED_FILL = "masked_fill_kernel(at::TensorIterator&, c10::Scalar const&)::{lambda(c10::BFloat16, bool)#1}"
FUSED_SGD = ("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
             "TensorListMetadata<3>, at::native::(anonymous namespace)::FusedSgdMathFunctor<c10::BFloat16, 3>, double, double, "
             "float*, double, bool, bool, bool, float*, float*>(...)")
TENSOR_LIST = ("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
               "TensorListMetadata<%d>, at::native::(anonymous namespace)::%s<c10::BFloat16, %d, %d, 0>, %sfloat>(...)")


@dataclass(frozen=True)
class Setup:
    """How a run differs from others of the same training."""
    stamp: int = 1700000000000            # ms since 1970 at which the recording was made
    seed: int = 20231114
    fused_attention: bool = True          # flash attention; else the matrices of scores are written to memory
    read_us: float = 640.0                # to read a batch: tokenised beforehand, or each time
    slow_reads: tuple = (4,)              # steps in which rank 0 reads from a cold disk
    pinned: bool = False                  # batches lie in pinned memory, and the copy does not stop the host
    fused_optimizer: bool = False         # one kernel for each list of weights instead of four


RUNS = {"sample_gpu": Setup(),
        "sample_gpu_before": Setup(stamp=1699990000000, seed=20231113, fused_attention=False, read_us=5200.0, slow_reads=(3, 6),
                                   pinned=True, fused_optimizer=True)}


def elementwise(functor, arrays, vector=4):
    return FUNCTOR % ("vectorized_", vector, functor, arrays, functor, arrays)


def stream_time(nbytes):
    """Memory-bound work at 2.4 TB/s."""
    return 1600 + nbytes * 10 // 24000


def gemm_time(m, n, k):
    """A bf16 GEMM at 560 TFLOP/s."""
    return 2800 + 2 * m * n * k // 560000


def strides(shape):
    out, step = [], 1
    for d in reversed(shape):
        out.insert(0, step)
        step *= d
    return out


class Tensor:
    """A tensor argument: shape, dtype and the block of device memory behind it (None for views of something else)."""

    def __init__(self, shape, dtype=BF16, block=None):
        self.shape, self.dtype, self.block = list(shape), dtype, block


class Memory:
    """A caching allocator: blocks by size are used again; reserved memory grows in 20 MiB segments and never shrinks."""

    def __init__(self, base, allocated, segment):
        self.next, self.allocated, self.free, self.segment = base, allocated, {}, segment
        self.reserved = -(-allocated // segment) * segment if segment else 0
        self.spare = self.reserved - allocated

    def take(self, size):
        size = -(-size // 512) * 512 if self.segment else size
        if self.free.get(size):
            addr = self.free[size].pop()
        else:
            addr, self.next = self.next, self.next + -(-size // 512) * 512
            if self.segment:
                grow = max(0, -(-(size - self.spare) // self.segment) * self.segment)
                self.reserved += grow
                self.spare += grow - size
        self.allocated += size
        return addr, size

    def give(self, addr, size):
        self.free.setdefault(size, []).append(addr)
        self.allocated -= size


class Rank:
    """One process with its device. `others` are the times at which the other ranks reach each collective."""

    def __init__(self, rank, others, setup):
        self.rank, self.others, self.setup, self.arrivals = rank, others, setup, []
        self.rng = random.Random(setup.seed + rank)
        self.pid = 41200 + 7 * rank
        self.main, self.autograd = self.pid, self.pid + 262
        self.clock = {self.main: setup.stamp * 1000 * US - BASE_NS + rank * 37 * US, self.autograd: 0}
        self.thread = self.main
        self.host, self.device, self.flows, self.memory_events = [], [], [], []
        self.ops, self.frames, self.annotations = [], {self.main: [], self.autograd: []}, []
        self.external = self.python_id = self.correlation = self.ev_idx = self.fwdbwd = self.cuda_event = 0
        self.sequence = 1840
        self.free_at = {MAIN_STREAM: 0, COMM_STREAM: 0}
        self.slow = 1.0 if rank == 0 else 1.11
        weights = 2 * (2 * VOCAB * WIDTH + SEQ * WIDTH + LAYERS * 12 * WIDTH * WIDTH)
        self.cuda = Memory(0x7F2A40000000, 3 * weights, 20 << 20)  # weights, gradients, momentum
        self.cpu = Memory(0x55D0C8000000, 0, 0)
        self.module_counts, self.module_ids, self.forward_ops = {}, {}, {}

    # ---- time
    def now(self):
        return self.clock[self.thread]

    def spend(self, us):
        self.clock[self.thread] += int(us * US * self.rng.lognormvariate(0, 0.18)) + 1

    def next_ev(self):
        self.ev_idx += 1
        return self.ev_idx - 1

    @contextmanager
    def on(self, thread):
        before, self.thread = self.thread, thread
        self.clock[thread] = max(self.clock[thread], self.clock[before] + 9 * US)
        yield
        self.thread = before
        self.clock[before] = max(self.clock[before], self.clock[thread] + 6 * US)

    # ---- host
    @contextmanager
    def op(self, name, tensors=(), concrete=None, cost=3.0, cat="cpu_op", seq=None, forward_thread=None, extra=None):
        self.external += 1
        args = {"External id": self.external, "Record function id": self.external - 1}
        if seq is not None:
            args["Sequence number"] = seq
            args["Fwd thread id"] = 1 if forward_thread else 0
        args.update(extra or {})
        if cat == "cpu_op" and tensors:
            args["Concrete Inputs"] = concrete if concrete is not None else ["" for _ in tensors]
            args["Input type"] = [t.dtype if isinstance(t, Tensor) else t for t in tensors]
            args["Input Strides"] = [strides(t.shape) if isinstance(t, Tensor) else [] for t in tensors]
            args["Input Dims"] = [t.shape if isinstance(t, Tensor) else [] for t in tensors]
        args["Ev Idx"] = self.next_ev()
        event = {"cat": cat, "name": name, "tid": self.thread, "ts": self.now(), "args": args}
        self.host.append(event)
        if cat == "cpu_op":
            self.ops.append(self.external)
        else:
            self.annotations.append((self.external, name, {}))
        self.spend(cost * 0.55)
        yield event
        self.spend(cost * 0.45)
        event["dur"] = self.now() - event["ts"]
        if cat == "cpu_op":
            self.ops.pop()
        else:
            _, _, streams = self.annotations.pop()
            for stream, (first, last) in streams.items():
                self.device.append({"cat": "gpu_user_annotation", "name": name, "tid": stream, "ts": first - 1,
                                    "dur": last - first + 2, "args": {"External id": args["External id"]}})
        self.spend(0.2)

    def quick(self, name, tensors=(), concrete=None, cost=1.4):
        with self.op(name, tensors, concrete, cost):
            pass

    @contextmanager
    def frame(self, name, module=None, cost=0.9):
        self.python_id += 1
        stack = self.frames[self.thread]
        args = {"Python parent id": stack[-1] if stack else None, "Python id": self.python_id}
        if module is not None:
            args["Python module id"] = module
        args["Ev Idx"] = self.next_ev()
        event = {"cat": "python_function", "name": name, "tid": self.thread, "ts": self.now(), "args": args}
        self.host.append(event)
        stack.append(self.python_id)
        self.spend(cost)
        yield
        self.spend(cost * 0.4)
        stack.pop()
        event["dur"] = self.now() - event["ts"]
        self.spend(0.15)

    @contextmanager
    def module(self, path, cls, source):
        """An nn.Module call: its frame and that of its forward; instances are numbered per class as they first appear."""
        if path not in self.module_ids:
            self.module_ids[path] = self.module_counts.get(cls, 0)
            self.module_counts[cls] = self.module_ids[path] + 1
        with self.frame("nn.Module: %s_%d" % (cls, self.module_ids[path]), module=self.module_ids[path]):
            with self.frame(source):
                yield

    # ---- calls into the driver, and what they start on the device
    def call(self, name, us, flow=True):
        self.correlation += 1
        args = {"cbid": CBID[name], "correlation": self.correlation}
        if self.ops:
            args = {"External id": self.ops[-1], **args}
        cat = "cuda_driver" if name.startswith("cu") and not name.startswith("cuda") else "cuda_runtime"
        event = {"cat": cat, "name": name, "tid": self.thread, "ts": self.now(), "args": args}
        self.host.append(event)
        self.spend(us)
        event["dur"] = self.now() - event["ts"]
        self.flows.append(("s" if flow else "f", "ac2g", self.correlation, self.pid, self.thread, event["ts"]))
        self.spend(0.3)
        return event

    def work(self, call, cat, name, duration, args, stream=MAIN_STREAM, after=0, end=None):
        start = max(call["ts"] + int(self.rng.uniform(3.2, 4.6) * US), after,
                    self.free_at[stream] + int(self.rng.uniform(0.7, 1.4) * US))
        stop = start + int(duration) if end is None else end(start)
        corr = call["args"]["correlation"]
        full = {"External id": self.ops[-1], "device": 0, "context": 1, "stream": stream, "correlation": corr, **args}
        if cat == "kernel":
            full = {"External id": self.ops[-1], "queued": 0, **full}
        self.device.append({"cat": cat, "name": name, "tid": stream, "ts": start, "dur": stop - start, "args": full})
        self.flows.append(("f", "ac2g", corr, 0, stream, start))
        self.free_at[stream] = stop
        for _, _, streams in self.annotations:
            first, last = streams.get(stream, (start, stop))
            streams[stream] = (min(first, start), max(last, stop))
        return start, stop

    def kernel(self, name, duration, blocks, threads=128, regs=32, shared=0, how="cudaLaunchKernel", occupancy=None, **more):
        call = self.call(how, 4.3 if how == "cudaLaunchKernel" else 5.6)
        grid = [blocks, 1, 1] if isinstance(blocks, int) else blocks
        count = grid[0] * grid[1] * grid[2]
        per_sm = count / 132
        warps = per_sm * threads / 32
        limit = min(64, 65536 // (regs * 32), 64 if not shared else max(1, 233472 // (shared + 1024)) * threads // 32)
        if occupancy is None:
            occupancy = min(100, int(100 * min(warps, limit) / 64))
        args = {"registers per thread": regs, "shared memory": shared, "blocks per SM": round(per_sm, 6),
                "warps per SM": round(warps, 6), "grid": grid, "block": [threads, 1, 1],
                "est. achieved occupancy %": occupancy}
        args.update(more.pop("args", {}))
        duration = duration * self.slow * self.rng.lognormvariate(0, 0.03)
        return self.work(call, "kernel", name, duration, args, **more)

    def memset(self, nbytes):
        call = self.call("cudaMemsetAsync", 3.4)
        duration = 1100 + nbytes // 2600
        self.work(call, "gpu_memset", "Memset (Device)", duration,
                  {"bytes": nbytes, "memory bandwidth (GB/s)": round(nbytes / duration, 6)})

    def sync(self, stream=MAIN_STREAM):
        """Waits for all work of a stream; the device's synchronisation row shows the wait too."""
        call = self.call("cudaStreamSynchronize", 1.2, flow=False)
        done = max(self.now(), self.free_at[stream] + int(self.rng.uniform(2.5, 4.5) * US))
        self.clock[self.thread] = done
        call["dur"] = done - call["ts"]
        self.device.append({"cat": "cuda_sync", "name": "Stream Sync", "tid": SYNC_ROW, "ts": call["ts"] + 300,
                            "dur": call["dur"] - 500, "args": {
                                "External id": self.ops[-1], "cuda_sync_kind": "Stream Sync", "stream": stream,
                                "correlation": call["args"]["correlation"], "device": 0, "context": 1}})
        self.spend(0.4)

    def copy(self, kind, nbytes, gb_per_s):
        call = self.call("cudaMemcpyAsync", 9.0 + (nbytes / 9e3 if "Pageable ->" in kind else 0))
        duration = 1300 + int(nbytes / gb_per_s)
        self.work(call, "gpu_memcpy", "Memcpy " + kind, duration,
                  {"bytes": nbytes, "memory bandwidth (GB/s)": round(nbytes / duration, 6)})
        if "Pageable" in kind:
            self.sync()

    # ---- memory
    def note(self, memory, addr, delta):
        cuda = memory is self.cuda
        self.memory_events.append((self.thread, self.now(), {
            "Total Reserved": memory.reserved, "Total Allocated": memory.allocated, "Bytes": delta, "Addr": addr,
            "Device Id": 0 if cuda else -1, "Device Type": 1 if cuda else 0, "Ev Idx": self.next_ev()}))

    def empty(self, shape, dtype=BF16, memory=None, quiet=False):
        memory = memory or self.cuda
        size = {BF16: 2, "float": 4, "long int": 8}[dtype]
        for d in shape:
            size *= d
        def take():
            self.spend(0.7)
            addr, got = memory.take(size)
            self.note(memory, addr, got)
            return Tensor(shape, dtype, (memory, addr, got))
        if quiet:
            return take()
        with self.op("aten::empty", ["ScalarList", "Scalar", "", "", "", ""],
                     [json.dumps(list(shape)), "15" if dtype == BF16 else "6", "", "0", "False", ""], 1.2):
            return take()

    def drop(self, *tensors):
        for t in tensors:
            if t is not None and t.block:
                memory, addr, size = t.block
                memory.give(addr, size)
                self.spend(0.3)
                self.note(memory, addr, -size)
                t.block = None

    # ---- autograd
    def forward_op(self, event, seq):
        """Notes the start of the flow to the backward operator of this sequence number."""
        event["args"]["Sequence number"] = seq
        event["args"]["Fwd thread id"] = 0
        self.forward_ops[seq] = event["ts"]

    @contextmanager
    def backward_node(self, name, seq, tensors=()):
        with self.op("autograd::engine::evaluate_function: " + name, tensors, cost=4.5, seq=seq, forward_thread=1):
            with self.op(name, tensors, cost=2.6, seq=seq, forward_thread=1) as event:
                if seq in self.forward_ops:
                    self.fwdbwd += 1
                    self.flows.append(("s", "fwdbwd", self.fwdbwd, self.pid, self.main, self.forward_ops.pop(seq)))
                    self.flows.append(("f", "fwdbwd", self.fwdbwd, self.pid, self.thread, event["ts"]))
                yield

    def seq(self):
        self.sequence += 1
        return self.sequence


class Training:
    """The model and its training loop on one rank. Every layer's forward pushes its backward on the tape."""

    def __init__(self, r):
        self.r, self.tape, self.bucket, self.bucket_size = r, [], [], 0
        self.works = []

    # ---- layers
    def linear(self, x, n_out, path, bias=True):
        r, k = self.r, x.shape[-1]
        w = Tensor([n_out, k])
        m = TOKENS
        with r.module(path, "Linear", "torch/nn/modules/linear.py(116): forward"):
            seq = r.seq()
            with r.op("aten::linear", [x, w, Tensor([n_out])] if bias else [x, w, ""], cost=2.4):
                with r.op("aten::t", [w], cost=1.6):
                    with r.op("aten::transpose", [w, "Scalar", "Scalar"], ["", "0", "1"], 1.5):
                        r.quick("aten::as_strided", [w, "ScalarList", "ScalarList", ""],
                                ["", "[%d, %d]" % (k, n_out), "[1, %d]" % k, ""], 0.8)
                name = "aten::addmm" if bias else "aten::mm"
                flat = Tensor([m, k])
                tensors = [Tensor([n_out]), flat, Tensor([k, n_out])] if bias else [flat, Tensor([k, n_out])]
                with r.op(name, tensors + (["Scalar", "Scalar"] if bias else []), cost=7.0) as event:
                    r.forward_op(event, seq)
                    y = r.empty([m, n_out], quiet=True)
                    self.gemm(m, n_out, k, "tn")
                r.quick("aten::view", [y, "ScalarList"], ["", str([BATCH, SEQ, n_out])], 1.0)
        self.tape.append(lambda g: self.linear_back(g, x, w, seq, bias))
        return Tensor([BATCH, SEQ, n_out], BF16, y.block)

    def gemm(self, m, n, k, layout):
        tile = [-(-n // 128), -(-m // 128), 1]
        if n * m > 1 << 26:
            name = "nvjet_tst_256x128_64x4_1x2_h_bz_coopA_%s" % layout.upper()
            self.r.kernel(name, gemm_time(m, n, k), [132, 1, 1], 384, 168, 213440, how="cuLaunchKernelEx", occupancy=19)
        else:
            name = ("sm90_xmma_gemm_bf16bf16_bf16f32_f32_%s_n_tilesize128x128x64_warpgroupsize1x1x1_"
                    "execute_segment_k_off_kernel__5x_cublas" % layout)
            self.r.kernel(name, gemm_time(m, n, k), tile, 128, 168, 197632, how="cudaLaunchKernelExC")

    def linear_back(self, g, x, w, seq, bias):
        r, (n_out, k), m = self.r, w.shape, TOKENS
        flat = Tensor([m, n_out])
        with r.backward_node("AddmmBackward0" if bias else "MmBackward0", seq, [g]):
            for out, dims, layout in ((Tensor([m, k]), (m, k, n_out), "nn"), (Tensor([n_out, k]), (n_out, k, m), "nt")):
                r.quick("aten::t", [flat if out.shape[0] == m else w], cost=1.5)
                with r.op("aten::mm", [flat, Tensor([dims[2], dims[1]])], cost=6.5):
                    out.block = r.empty(out.shape, quiet=True).block
                    self.gemm(*dims, layout)
                if out.shape[0] == m:
                    dx = out
                else:
                    dw = out
            db = None
            if bias:
                with r.op("aten::sum", [flat, "ScalarList", "Scalar", ""], ["", "[0]", "True", ""], 5.0):
                    db = r.empty([n_out], quiet=True)
                    r.kernel("void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, at::native::"
                             "func_wrapper_t<c10::BFloat16, at::native::sum_functor<c10::BFloat16, float, c10::BFloat16>::"
                             "operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, c10::BFloat16, 4> >"
                             "(...)", stream_time(m * n_out * 2) * 1.6, [-(-n_out // 128), 16, 1], 512, 40, 16)
        r.drop(g)
        if x.block and x.block[2] == TOKENS * k * 2:
            r.drop(x)
        for grad in (db, dw):
            if grad is not None:
                self.accumulate(grad)
        return dx

    def accumulate(self, grad):
        """AccumulateGrad: add to the gradient (a view into a DDP bucket); a full bucket is reduced."""
        r = self.r
        n = 1
        for d in grad.shape:
            n *= d
        with r.op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", [grad], cost=3.2, seq=None):
            with r.op("torch::autograd::AccumulateGrad", [grad], cost=2.2):
                with r.op("aten::add_", [Tensor(grad.shape), grad, "Scalar"], ["", "", "1"], 4.0):
                    r.kernel(elementwise("CUDAFunctor_add<c10::BFloat16>", 3), stream_time(n * 6),
                             max(1, n // 512), 128, 26)
            r.drop(grad)
            self.bucket_size += n
            if self.bucket_size * 2 > 25 << 20:
                self.reduce_bucket()

    def reduce_bucket(self):
        """An all-reduce of the bucket on the communication stream, after the main stream's work so far."""
        r, n = self.r, self.bucket_size
        self.bucket_size = 0
        group = {"Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[0, 1]"}
        sizes = {"Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": n, "Out msg nelems": n,
                 "In split size": "[]", "Out split size": "[]", "Group size": WORLD}
        with r.op("torch.distributed.ddp.reducer::mul_out", [Tensor([n])], cost=3.0):
            with r.op("aten::mul", [Tensor([n]), "Scalar", Tensor([n])], cost=3.0):
                r.kernel(elementwise("AUnaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::"
                                     "MulFunctor<float> >", 2), stream_time(n * 4), n // 512, 128, 24)
        with r.op("c10d::allreduce_", ["TensorList", "", "", "", "", "Scalar"], ["", "", "", "", "", "-1"], 9.0):
            with r.op("record_param_comms", [Tensor([n])], cost=11.0, extra={
                    **sizes, **group, "Global rank start": 0, "Global rank stride": 1, "Rank": r.rank}):
                with r.op("nccl:all_reduce", cost=14.0, cat="user_annotation"):
                    r.call("cudaEventRecord", 1.7, flow=False)
                    record = r.correlation
                    wait = r.call("cudaStreamWaitEvent", 1.4, flow=False)
                    self.wait_event(wait, COMM_STREAM, MAIN_STREAM, record)
                    r.call("cudaStreamIsCapturing", 0.6, flow=False)
                    number = len(r.arrivals)
                    noise = random.Random(number).lognormvariate(0, 0.02)  # the same on all ranks
                    transfer = int(n * 2 / 68.0 * noise) + 18 * US

                    def end(start):
                        r.arrivals.append(start)
                        ready = [o[number] for o in r.others if number < len(o)]
                        return max([start] + ready) + transfer
                    _, stop = r.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 0,
                                       [16, 1, 1], 544, 96, 82240, how="cudaLaunchKernelExC", occupancy=1,
                                       stream=COMM_STREAM, after=r.free_at[MAIN_STREAM] + 1500, end=end,
                                       args={**sizes, **group})
                    r.call("cudaEventRecord", 1.6, flow=False)
        self.works.append((r.correlation, stop))

    def wait_event(self, call, stream, on, record):
        r = self.r
        r.cuda_event += 1
        r.device.append({"cat": "cuda_sync", "name": "Stream Wait Event", "tid": SYNC_ROW + stream - MAIN_STREAM,
                         "ts": call["ts"] + 100, "dur": max(200, call["dur"] - 300), "args": {
                             "External id": r.ops[-1], "cuda_sync_kind": "Stream Wait Event", "wait_on_stream": on,
                             "wait_on_cuda_event_record_corr_id": record, "wait_on_cuda_event_id": r.cuda_event,
                             "stream": stream, "correlation": call["args"]["correlation"], "device": 0, "context": 1}})

    def layer_norm(self, x, path):
        r, nbytes = self.r, TOKENS * WIDTH * 2
        w = Tensor([WIDTH])
        with r.module(path, "LayerNorm", "torch/nn/modules/normalization.py(201): forward"):
            seq = r.seq()
            with r.op("aten::layer_norm", [x, "ScalarList", w, w, "Scalar", "Scalar"],
                      ["", "[768]", "", "", "1e-05", "True"], 2.6):
                with r.op("aten::native_layer_norm", [x, "ScalarList", w, w, "Scalar"],
                          ["", "[768]", "", "", "1e-05"], 6.0) as event:
                    r.forward_op(event, seq)
                    y = r.empty([BATCH, SEQ, WIDTH])
                    mean, rstd = r.empty([BATCH, SEQ, 1], "float"), r.empty([BATCH, SEQ, 1], "float")
                    r.kernel("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>"
                             "(int, float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, "
                             "c10::BFloat16*)", stream_time(2 * nbytes), [TOKENS, 1, 1], 128, 40, 24)

        def back(g):
            with r.backward_node("NativeLayerNormBackward0", seq, [g]):
                with r.op("aten::native_layer_norm_backward", [g, x, "ScalarList", mean, rstd, w, w, ""], cost=8.0):
                    dx, dw, db = r.empty(x.shape), r.empty([WIDTH]), r.empty([WIDTH])
                    r.kernel("void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, "
                             "float>(...)", stream_time(3 * nbytes), [TOKENS, 1, 1], 128, 40, 32)
                    r.kernel("void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, "
                             "float, 32u, 8u, 256u, false, false>(...)", stream_time(2 * nbytes) * 1.3, [24, 64, 1], 256, 72)
            r.drop(g, mean, rstd)
            self.accumulate(db)
            self.accumulate(dw)
            return dx
        self.tape.append(back)
        return y

    def attention(self, x, i):
        r, path = self.r, "h.%d.attn" % i
        head = [BATCH, HEADS, SEQ, WIDTH // HEADS]
        with r.module(path, "CausalSelfAttention", "model.py(52): forward"):
            qkv = self.linear(x, 3 * WIDTH, path + ".c_attn")
            with r.op("aten::split", [qkv, "Scalar", "Scalar"], ["", "768", "2"], 3.5):
                for part in range(3):
                    r.quick("aten::narrow", [qkv, "Scalar", "Scalar", "Scalar"], ["", "2", str(part * 768), "768"], 1.7)
            for _ in range(3):
                r.quick("aten::view", [Tensor([BATCH, SEQ, WIDTH]), "ScalarList"], ["", str([BATCH, SEQ, HEADS, 64])], 1.0)
                r.quick("aten::transpose", [Tensor([BATCH, SEQ, HEADS, 64]), "Scalar", "Scalar"], ["", "1", "2"], 1.4)
            if not r.setup.fused_attention:
                return self.scores(qkv, path)
            seq = r.seq()
            q = Tensor(head)
            with r.op("aten::scaled_dot_product_attention", [q, q, q, "", "Scalar", "Scalar", "", "Scalar"],
                      ["", "", "", "", "0.", "True", "", "False"], 6.0):
                with r.op("aten::_scaled_dot_product_flash_attention", [q, q, q, "Scalar", "Scalar", "Scalar", ""],
                          ["", "", "", "0.", "True", "False", ""], 5.0) as event:
                    r.forward_op(event, seq)
                    with r.op("aten::_flash_attention_forward", [q, q, q, "", "", "Scalar", "Scalar"], cost=9.0):
                        y, lse = r.empty([BATCH, SEQ, HEADS, 64]), r.empty([BATCH, HEADS, SEQ], "float")
                        r.kernel("void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, "
                                 "false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<64, 128, 128, 4, "
                                 "cutlass::bfloat16_t> >, false, true, false, false, true, true, false>"
                                 "(pytorch_flash::Flash_fwd_params)",
                                 4 * BATCH * HEADS * SEQ * SEQ * 64 // 2 / 310000, [SEQ // 128, BATCH, HEADS], 128, 255, 49152)
            r.quick("aten::transpose", [Tensor(head), "Scalar", "Scalar"], ["", "1", "2"], 1.5)
            r.quick("aten::view", [Tensor([BATCH, SEQ, HEADS, 64]), "ScalarList"], ["", str([BATCH, SEQ, WIDTH])], 1.0)

            def back(g):
                with r.backward_node("ScaledDotProductFlashAttentionBackward0", seq, [g]):
                    with r.op("aten::_scaled_dot_product_flash_attention_backward", [g, q, q, q, y, lse], cost=7.0):
                        with r.op("aten::_flash_attention_backward", [g, q, q, q, y, lse], cost=11.0):
                            dqkv = r.empty([BATCH, SEQ, 3 * WIDTH])
                            dq = r.empty([BATCH, SEQ, HEADS, 64], "float")
                            work = 4 * BATCH * HEADS * SEQ * SEQ * 64 // 2
                            r.kernel("void pytorch_flash::flash_bwd_dot_do_o_kernel<true, pytorch_flash::"
                                     "Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, cutlass::bfloat16_t> >"
                                     "(pytorch_flash::Flash_bwd_params)", stream_time(TOKENS * WIDTH * 6), [8, 16, 12], 256, 48)
                            r.kernel("void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<pytorch_flash::"
                                     "Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, cutlass::bfloat16_t>, false, "
                                     "true, false, false, true, true>(pytorch_flash::Flash_bwd_params)",
                                     2.5 * work / 260000, [8, 16, 12], 256, 255, 147456)
                            r.kernel("void pytorch_flash::flash_bwd_convert_dq_kernel<pytorch_flash::Flash_bwd_kernel_traits<64, "
                                     "128, 128, 8, 4, 4, 4, false, false, cutlass::bfloat16_t> >"
                                     "(pytorch_flash::Flash_bwd_params, int)", stream_time(TOKENS * WIDTH * 6), [8, 16, 12], 256, 56)
                r.drop(g, dq, lse, y, qkv)
                return dqkv
            self.tape.append(back)
            return self.linear(Tensor([BATCH, SEQ, WIDTH], BF16, None), WIDTH, path + ".c_proj")

    def scores(self, qkv, path):
        """Attention as formulas write it: softmax(mask(q k^T / 8)) v, each step over a matrix of scores in memory."""
        r, pairs = self.r, BATCH * HEADS
        q, att = Tensor([BATCH, HEADS, SEQ, 64]), Tensor([BATCH, HEADS, SEQ, SEQ])
        att_bytes = 2 * pairs * SEQ * SEQ
        seqs = {name: r.seq() for name in ("Bmm0", "Mul", "MaskedFill", "Softmax", "Bmm1")}

        def kernel(name, arrays, threads=128, regs=32):
            r.kernel(name, stream_time(arrays * att_bytes), att_bytes // 2048, threads, regs)

        def multiply(a, b, out):
            """A batched GEMM over all heads; of its operands, the scores take the time."""
            flat = [Tensor([pairs] + t.shape[2:]) for t in (a, b)]
            with r.op("aten::bmm", flat, cost=7.0) as event:
                got = r.empty(out.shape, quiet=True)
                r.kernel("nvjet_tst_192x128_64x5_1x2_h_bz_coopA_TNN", stream_time(att_bytes) * 1.2, [132, 1, 1], 384, 168,
                         213440, how="cuLaunchKernelEx", occupancy=19)
            return got, event

        def forward(name, op, tensors, functor, arrays, cost=5.0):
            with r.op(op, tensors, cost=cost) as event:
                r.forward_op(event, seqs[name])
                out = r.empty(att.shape, quiet=True)
                kernel(functor, arrays)
            return out

        with r.op("aten::matmul", [q, q], cost=4.0):
            raw, event = multiply(q, q, att)
            r.forward_op(event, seqs["Bmm0"])
        scaled = forward("Mul", "aten::mul", [att, "Scalar"], elementwise(
            "AUnaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> >", 2), 2)
        r.drop(raw)
        masked = forward("MaskedFill", "aten::masked_fill", [att, Tensor([1, 1, SEQ, SEQ], "bool"), "Scalar"],
                         elementwise(MASKED_FILL, 3), 2)
        r.drop(scaled)
        with r.op("aten::softmax", [att, "Scalar", ""], ["", "-1", ""], 2.2):
            prob = forward("Softmax", "aten::_softmax", [att, "Scalar", "Scalar"], SOFTMAX % "forward", 2)
        r.drop(masked)
        with r.op("aten::matmul", [att, q], cost=4.0):
            y, event = multiply(att, q, q)
            r.forward_op(event, seqs["Bmm1"])
        r.quick("aten::transpose", [q, "Scalar", "Scalar"], ["", "1", "2"], 1.5)
        r.quick("aten::view", [Tensor([BATCH, SEQ, HEADS, 64]), "ScalarList"], ["", str([BATCH, SEQ, WIDTH])], 1.0)

        def back(g):
            with r.backward_node("BmmBackward0", seqs["Bmm1"], [g]):
                dv, _ = multiply(att, q, q)
                dprob, _ = multiply(q, q, att)
            with r.backward_node("SoftmaxBackward0", seqs["Softmax"], [dprob]):
                with r.op("aten::_softmax_backward_data", [att, att, "Scalar", "Scalar"], ["", "", "-1", "15"], 6.0):
                    dmasked = r.empty(att.shape, quiet=True)
                    kernel(SOFTMAX % "backward", 3)
            r.drop(dprob, prob)
            with r.backward_node("MaskedFillBackward0", seqs["MaskedFill"], [dmasked]):
                with r.op("aten::masked_fill", [att, Tensor([1, 1, SEQ, SEQ], "bool"), "Scalar"], cost=5.0):
                    dscaled = r.empty(att.shape, quiet=True)
                    kernel(elementwise(MASKED_FILL, 3), 2)
            r.drop(dmasked)
            with r.backward_node("MulBackward0", seqs["Mul"], [dscaled]):
                with r.op("aten::mul", [att, "Scalar"], cost=5.0):
                    draw = r.empty(att.shape, quiet=True)
                    kernel(elementwise("AUnaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::"
                                       "MulFunctor<float> >", 2), 2)
            r.drop(dscaled)
            with r.backward_node("BmmBackward0", seqs["Bmm0"], [draw]):
                dk, _ = multiply(att, q, q)
                dq, _ = multiply(att, q, q)
            r.drop(draw)
            with r.backward_node("SplitBackward0", r.seq(), [dq]):
                with r.op("aten::cat", ["TensorList", "Scalar"], ["", "2"], 8.0):
                    dqkv = r.empty([BATCH, SEQ, 3 * WIDTH], quiet=True)
                    r.kernel("void at::native::(anonymous namespace)::CatArrayBatchedCopy_aligned16_contig<at::native::(anonymous "
                             "namespace)::OpaqueType<2u>, unsigned int, 3, 128, 1>(...)", stream_time(TOKENS * WIDTH * 12),
                             [264, 3, 1], 512, 32)
            r.drop(g, dq, dk, dv, y, qkv)
            return dqkv
        self.tape.append(back)
        return self.linear(Tensor([BATCH, SEQ, WIDTH], BF16, None), WIDTH, path + ".c_proj")

    def pointwise(self, name, back_name, tensors, functor, arrays, back_functor, free_input=False):
        """An element-wise operator whose backward is one element-wise kernel, or none (back_functor None)."""
        r, shape = self.r, tensors[0].shape
        nbytes = 2
        for d in shape:
            nbytes *= d
        seq = r.seq()
        with r.op(name, tensors + (["Scalar"] if name == "aten::add" else []), cost=5.0) as event:
            r.forward_op(event, seq)
            y = r.empty(shape, quiet=True)
            r.kernel(elementwise(functor, arrays), stream_time(nbytes * arrays), nbytes // 1024, 128, 28)

        def back(g):
            with r.backward_node(back_name, seq, [g]):
                if back_functor is None:
                    return g
                with r.op(name + "_backward", [g, tensors[0]], cost=5.0):
                    dx = r.empty(shape, quiet=True)
                    r.kernel(elementwise(back_functor, 3), stream_time(nbytes * 3), nbytes // 1024, 128, 34)
            r.drop(g, tensors[0] if free_input else None)
            return dx
        self.tape.append(back)
        return y

    def block(self, x, i):
        r = self.r
        add = "CUDAFunctor_add<c10::BFloat16>"

        def release(g):  # last of the block's backward: frees values saved by its norms
            r.drop(mid, x)
            return g
        self.tape.append(release)
        with r.module("h.%d" % i, "Block", "model.py(104): forward"):
            n1 = self.layer_norm(x, "h.%d.ln_1" % i)
            a = self.attention(n1, i)
            mid = self.pointwise("aten::add", "AddBackward0", [x, a], add, 3, None)
            r.drop(a)
            n2 = self.layer_norm(mid, "h.%d.ln_2" % i)
            with r.module("h.%d.mlp" % i, "MLP", "model.py(88): forward"):
                up = self.linear(n2, 4 * WIDTH, "h.%d.mlp.c_fc" % i)
                with r.module("h.%d.mlp.gelu" % i, "GELU", "torch/nn/modules/activation.py(684): forward"):
                    act = self.pointwise("aten::gelu", "GeluBackward0", [up], "GeluCUDAKernelImpl(at::TensorIteratorBase&, at::"
                                         "native::GeluType)::{lambda()#2}::operator()() const::{lambda(c10::BFloat16)#1}", 2,
                                         "GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}"
                                         "::operator()() const::{lambda(c10::BFloat16, c10::BFloat16)#1}", True)
                down = self.linear(act, WIDTH, "h.%d.mlp.c_proj" % i)
            y = self.pointwise("aten::add", "AddBackward0", [mid, down], add, 3, None)
            r.drop(down)

        return y

    def embeddings(self, tokens):
        r = self.r
        with r.module("wte", "Embedding", "torch/nn/modules/sparse.py(163): forward"):
            seq = r.seq()
            w = Tensor([VOCAB, WIDTH])
            with r.op("aten::embedding", [w, tokens, "Scalar", "Scalar", "Scalar"], ["", "", "-1", "False", "False"], 4.0) as event:
                r.forward_op(event, seq)
                with r.op("aten::index_select", [w, "Scalar", Tensor([TOKENS], "long int")], ["", "0", ""], 6.0):
                    y = r.empty([TOKENS, WIDTH], quiet=True)
                    r.kernel("void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, "
                             "2, -2, true>(...)", stream_time(TOKENS * WIDTH * 4) * 1.4, [1056, 1, 1], 128, 32)
        y = Tensor([BATCH, SEQ, WIDTH], BF16, y.block)

        def back(g):
            with r.backward_node("EmbeddingBackward0", seq, [g]):
                with r.op("aten::embedding_backward", [g, tokens, "Scalar", "Scalar", "Scalar", "Scalar"], cost=3.0):
                    with r.op("aten::embedding_dense_backward", [g, tokens, "Scalar", "Scalar", "Scalar"], cost=9.0):
                        with r.op("aten::zeros", ["ScalarList", "Scalar"], ["[50304, 768]", "15"], 3.0):
                            dw = r.empty([VOCAB, WIDTH])
                            with r.op("aten::zero_", [dw], cost=2.6):
                                r.memset(VOCAB * WIDTH * 2)
                        r.kernel("void at_cuda_detail::cub::DeviceRadixSortOnesweepKernel<at_cuda_detail::cub::DeviceRadixSortPolicy"
                                 "<long, long, int>::Policy900, false, long, long, int, int, long>(...)", 23 * US, [22, 1, 1], 384, 62,
                                 36868)
                        r.kernel("void at::native::(anonymous namespace)::compute_grad_weight<c10::BFloat16, long>(...)",
                                 stream_time(TOKENS * WIDTH * 4) * 2.2, [12288, 1, 1], 128, 30)
            r.drop(g, tokens)
            self.accumulate(dw)
            if self.bucket_size:
                self.reduce_bucket()
            return None
        self.tape.append(back)
        return y

    def loss(self, logits, targets):
        r = self.r
        flat = Tensor([TOKENS, VOCAB], BF16, logits.block)
        nbytes = TOKENS * VOCAB * 2
        r.quick("aten::view", [logits, "ScalarList"], ["", str([TOKENS, VOCAB])], 1.0)
        with r.frame("torch/nn/functional.py(2946): cross_entropy"):
            with r.op("aten::cross_entropy_loss", [flat, targets, "", "Scalar", "Scalar", "Scalar"],
                      ["", "", "", "1", "-1", "0."], 4.0):
                seq_softmax = r.seq()
                with r.op("aten::log_softmax", [flat, "Scalar", ""], ["", "1", ""], 2.2):
                    with r.op("aten::_log_softmax", [flat, "Scalar", "Scalar"], ["", "1", "False"], 5.5) as event:
                        r.forward_op(event, seq_softmax)
                        logp = r.empty([TOKENS, VOCAB], quiet=True)
                        r.kernel("void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, c10::BFloat16, "
                                 "at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(c10::BFloat16*, c10::BFloat16 const*, "
                                 "int)", stream_time(nbytes * 3), [TOKENS, 1, 1], 1024, 30, 128)
                seq_nll = r.seq()
                with r.op("aten::nll_loss_nd", [logp, targets, "", "Scalar", "Scalar"], cost=2.0):
                    with r.op("aten::nll_loss_forward", [logp, targets, "", "Scalar", "Scalar"], cost=6.0) as event:
                        r.forward_op(event, seq_nll)
                        value = r.empty([], quiet=True)
                        r.kernel("void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<c10::BFloat16, "
                                 "float, long>(...)", 14 * US, [1, 1, 1], 32, 32, 256)

        def back(_):
            with r.backward_node("NllLossBackward0", seq_nll, [value]):
                with r.op("aten::nll_loss_backward", [value, logp, targets], cost=6.0):
                    g = r.empty([TOKENS, VOCAB], quiet=True)
                    r.memset(nbytes)
                    r.kernel("void at::native::(anonymous namespace)::nll_loss_backward_reduce_cuda_kernel_2d<c10::BFloat16, long>"
                             "(...)", 9 * US, [1, 1, 1], 32, 26)
            with r.backward_node("LogSoftmaxBackward0", seq_softmax, [g]):
                with r.op("aten::_log_softmax_backward_data", [g, logp, "Scalar", "Scalar"], ["", "", "1", "15"], 6.0):
                    dlogits = r.empty([TOKENS, VOCAB], quiet=True)
                    r.kernel("void at::native::(anonymous namespace)::cunn_SoftMaxBackward<8, c10::BFloat16, float, c10::BFloat16, "
                             "at::native::(anonymous namespace)::LogSoftMaxBackwardEpilogue>(...)",
                             stream_time(nbytes * 3), [TOKENS, 1, 1], 1024, 30, 128)
            r.drop(g, logp, targets, Tensor([], BF16, logits.block))
            return dlogits
        self.tape.append(back)
        return value

    # ---- the loop
    def to_device(self, cpu):
        r = self.r
        with r.op("aten::to", [cpu, "", "", "", "", "Scalar", "Scalar", ""], cost=2.4):
            with r.op("aten::_to_copy", [cpu, "", "", "", "", "Scalar", ""], cost=3.4):
                with r.op("aten::empty_strided", ["ScalarList", "ScalarList"], cost=2.0):
                    gpu = r.empty(cpu.shape, "long int", quiet=True)
                with r.op("aten::copy_", [gpu, cpu, "Scalar"], ["", "", "False"], 5.0):
                    r.copy(*(("HtoD (Pinned -> Device)", TOKENS * 8, 22.0) if r.setup.pinned else
                             ("HtoD (Pageable -> Device)", TOKENS * 8, 9.4)))
        return gpu

    def fetch(self, step):
        """A batch from the loader: read, tokenise (Python, no operators), collate."""
        r = self.r
        with r.frame("torch/utils/data/dataloader.py(626): __next__"):
            with r.op("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", cost=12, cat="user_annotation"):
                with r.frame("torch/utils/data/dataloader.py(673): _next_data"):
                    slow = step in r.setup.slow_reads and r.rank == 0
                    with r.frame("train.py(31): __getitem__"):
                        r.spend(31400.0 if slow else r.setup.read_us)
                    with r.frame("torch/utils/data/_utils/collate.py(265): default_collate"):
                        batch = []
                        for _ in range(2):
                            parts = Tensor([SEQ], "long int")
                            with r.op("aten::stack", ["TensorList", "Scalar"], ["", "0"], 8.0):
                                with r.op("aten::cat", ["TensorList", "Scalar"], ["", "0"], 22.0):
                                    batch.append(r.empty([BATCH, SEQ], "long int", r.cpu, quiet=True))
                            r.quick("aten::detach", [parts], cost=1.2)
        return batch

    def backward(self, value):
        r = self.r
        with r.frame("torch/_tensor.py(428): backward"):
            with r.frame("torch/autograd/__init__.py(106): backward"):
                with r.op("aten::ones_like", [value, "", "", "", "", "Scalar"], cost=3.0):
                    g = r.empty([], quiet=True)
                    with r.op("aten::fill_", [g, "Scalar"], ["", "1."], 3.0):
                        r.kernel(elementwise("FillFunctor<c10::BFloat16>", 1), 1300, 1, 128, 16)
                with r.frame("<built-in method run_backward of torch._C._EngineBase object at 0x7f2b1c8e5a30>"):
                    with r.on(r.autograd):
                        seed = g
                        for node in reversed(self.tape):
                            g = node(g) or g
                        self.finish_reduction()
        r.drop(value, seed)

    def finish_reduction(self):
        """The main stream waits for the reduced buckets before the optimizer may use the gradients."""
        r = self.r
        with r.op("torch::distributed::Reducer::finalize_backward", cost=4.0):
            for record, stop in self.works:
                call = r.call("cudaStreamWaitEvent", 1.5, flow=False)
                self.wait_event(call, MAIN_STREAM, COMM_STREAM, record)
                r.free_at[MAIN_STREAM] = max(r.free_at[MAIN_STREAM], stop)

    def foreach(self, name, functor, lists, depth, operator, numbers):
        r = self.r
        with r.op(name, ["TensorList"] * lists + ["Scalar"], cost=22.0):
            for n in numbers:
                r.kernel(TENSOR_LIST % (lists, functor, depth, lists, operator), stream_time(n * 2 * (lists + 1)),
                         min(320, max(1, n // 65536)), 512, 40)

    def optimizer(self):
        r = self.r
        total = 2 * VOCAB * WIDTH + LAYERS * 12 * WIDTH * WIDTH
        chunks = [total // 3] * 3
        with r.frame("torch/optim/optimizer.py(374): wrapper"):
            with r.op("Optimizer.step#SGD.step", cost=16.0, cat="user_annotation"):
                with r.frame("torch/optim/sgd.py(79): step"):
                    if r.setup.fused_optimizer:
                        with r.op("aten::_fused_sgd_", ["TensorList"] * 3 + ["Scalar"] * 5, cost=26.0):
                            for n in chunks:
                                r.kernel(FUSED_SGD, stream_time(n * 2 * 5), min(320, max(1, n // 65536)), 512, 48)
                    else:
                        self.foreach("aten::_foreach_add_", "BinaryOpListAlphaFunctor", 2, 2, "std::plus<float>, ", chunks)
                        self.foreach("aten::_foreach_mul_", "BinaryOpScalarFunctor", 1, 1, "std::multiplies<float>, ", chunks)
                        self.foreach("aten::_foreach_add_", "BinaryOpListAlphaFunctor", 2, 2, "std::plus<float>, ", chunks)
                        self.foreach("aten::_foreach_add_", "BinaryOpListAlphaFunctor", 2, 2, "std::plus<float>, ", chunks)
        with r.frame("torch/optim/optimizer.py(782): zero_grad"):
            with r.op("Optimizer.zero_grad#SGD.zero_grad", cost=9.0, cat="user_annotation"):
                self.foreach("aten::_foreach_zero_", "ZeroFunctor", 1, 1, "", chunks)

    def step(self, number):
        r = self.r
        self.tape, self.works = [], []
        with r.op("ProfilerStep#%d" % number, cost=8.0, cat="user_annotation"):
            batch = self.fetch(number)
            tokens, targets = [self.to_device(cpu) for cpu in batch]
            r.drop(*batch)
            with r.frame("torch/nn/parallel/distributed.py(1519): forward"):
                with r.op("DistributedDataParallel.forward", cost=26.0, cat="user_annotation"):
                    with r.module("", "GPT", "model.py(170): forward"):
                        x = self.embeddings(tokens)
                        for i in range(LAYERS):
                            x = self.block(x, i)
                        last = x
                        self.tape.append(lambda g: r.drop(last) or g)
                        x = self.layer_norm(x, "ln_f")
                        logits = self.linear(x, VOCAB, "lm_head", bias=False)
                        value = self.loss(logits, targets)
            self.backward(value)
            self.optimizer()
            with r.op("aten::item", [Tensor([])], cost=2.6):
                with r.op("aten::_local_scalar_dense", [Tensor([])], cost=4.0):
                    r.copy("DtoH (Device -> Pageable)", 2, 1.4)
            with r.frame("train.py(58): log"):
                r.spend(140.0)

    def run(self):
        r = self.r
        with r.frame("train.py(71): <module>"):
            with r.frame("train.py(40): main"):
                for number in range(FIRST_STEP, FIRST_STEP + STEPS):
                    self.step(number)
                    r.spend(9.0)
                with r.frame("torch/profiler/profiler.py(783): stop", cost=30):
                    pass
        return r


# ---- writing, in the layout of libkineto
def us(ns):
    return "%d.%03d" % (ns // 1000, ns % 1000)


def text(value):
    return json.dumps(value, separators=(", ", ": "))


def document(r):
    head = {
        "schemaVersion": 1,
        "deviceProperties": [
            {"id": i, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85017755648, "computeMajor": 9, "computeMinor": 0,
             "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048, "regsPerBlock": 65536, "warpSize": 32,
             "sharedMemPerBlock": 49152, "numSms": 132, "regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": 232448,
             "sharedMemPerMultiprocessor": 233472} for i in range(1)],
        "cupti_version": 26, "cuda_runtime_version": 12080, "cuda_driver_version": 12080,
        "distributedInfo": {"backend": "nccl", "rank": r.rank, "world_size": WORLD, "pg_count": 1, "pg_config": [
            {"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": WORLD,
             "ranks": list(range(WORLD))}], "nccl_version": "2.25.1"},
        "record_shapes": 1, "profile_memory": 1, "with_stack": 1, "with_modules": 1,
        "trace_id": "%032X" % random.Random(r.rank).getrandbits(128),
        "displayTimeUnit": "ms", "baseTimeNanoseconds": BASE_NS}
    first = min(e["ts"] for e in r.host)
    last = max(e["ts"] + e["dur"] for e in r.host + r.device)
    out = []

    def x(cat, name, pid, tid, ts, dur, args):
        out.append('  {\n    "ph": "X", "cat": "%s", "name": %s, "pid": %s, "tid": %s,\n    "ts": %s, "dur": %s%s\n  }' % (
            cat, text(name), text(pid), text(tid), us(ts), us(dur),
            ',\n    "args": {\n      ' + text(args)[1:-1] + "\n    }" if args else ""))

    def meta(name, pid, tid, key, value):
        out.append('  {\n    "name": "%s", "ph": "M", "ts": %s, "pid": %s, "tid": %s,\n    "args": {\n      "%s": %s\n    }\n  }' % (
            name, us(first), text(pid), text(tid), key, text(value)))

    for e in r.host:
        if e["cat"] not in ("cuda_runtime", "cuda_driver"):
            x(e["cat"], e["name"], r.pid, e["tid"], e["ts"], e["dur"], e["args"])
    for tid, ts, args in r.memory_events:
        out.append('  {\n    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": %d, "tid": %d,\n'
                   '    "ts": %s,\n    "args": {\n      %s\n    }\n  }' % (r.pid, tid, us(ts), text(args)[1:-1]))
    for e in r.device:
        x(e["cat"], e["name"], 0, e["tid"], e["ts"], e["dur"], e["args"])
    for e in r.host:
        if e["cat"] in ("cuda_runtime", "cuda_driver"):
            x(e["cat"], e["name"], r.pid, e["tid"], e["ts"], e["dur"], e["args"])
    for ph, cat, number, pid, tid, ts in r.flows:
        out.append('  {\n    "ph": "%s", "id": %d, "pid": %d, "tid": %d, "ts": %s,\n    "cat": "%s", "name": "%s"%s\n  }' % (
            ph, number, pid, tid, us(ts), cat, cat, ', "bp": "e"' if ph == "f" else ""))
    x("overhead", "Activity Buffer Request", -1, 0, first + 1204 * US, 1526826, None)
    x("overhead", "Instrumentation", -1, 0, first + 3010 * US, 88210, None)
    meta("process_name", r.pid, 0, "name", "python3")
    meta("process_labels", r.pid, 0, "labels", "CPU")
    meta("process_sort_index", r.pid, 0, "sort_index", r.pid)
    meta("process_name", 0, 0, "name", "python3")
    meta("process_labels", 0, 0, "labels", "GPU 0")
    meta("process_sort_index", 0, 0, "sort_index", 5000000)
    for stream in (MAIN_STREAM, COMM_STREAM):
        meta("thread_name", 0, stream, "name", "stream %d " % stream)
        meta("thread_sort_index", 0, stream, "sort_index", stream)
        meta("thread_name", 0, SYNC_ROW + stream - MAIN_STREAM, "name", "stream %d (sync)" % stream)
        meta("thread_sort_index", 0, SYNC_ROW + stream - MAIN_STREAM, "sort_index", stream)
    for tid, name in ((r.main, "pt_main_thread"), (r.autograd, "pt_autograd_0")):
        meta("thread_name", r.pid, tid, "name", "thread %d (%s)" % (tid, name))
        meta("thread_sort_index", r.pid, tid, "sort_index", tid)
    meta("thread_name", -1, 0, "name", "Overhead")
    meta("process_name", "Spans", 0, "name", "python3")
    meta("process_labels", "Spans", 0, "labels", "Spans")
    meta("process_sort_index", "Spans", 0, "sort_index", 536870912)
    x("Trace", "PyTorch Profiler (0)", "Spans", "PyTorch Profiler", first - 240 * US, last - first + 600 * US, {"Op count": 0})
    for name, pid, tid, ts in (("Iteration Start: PyTorch Profiler", "Traces", "Trace PyTorch Profiler", first - 240 * US),
                               ("Record Window End", "", "", last + 360 * US)):
        out.append('  {\n    "name": "%s", "ph": "i", "s": "g",\n    "pid": "%s", "tid": "%s", "ts": %s\n  }' % (
            name, pid, tid, us(ts)))
    lines = ",\n".join("  %s: %s" % (text(k), text(v)) for k, v in head.items())
    return "{\n%s,\n  \"traceEvents\": [\n%s\n  ],\n  \"traceName\": \"./log/train_rank%d.pt.trace.json\"\n}\n" % (
        lines, ",\n".join(out), r.rank)


def simulate(setup):
    """Both ranks, repeated until the times of their collectives no longer change."""
    arrivals = [[] for _ in range(WORLD)]
    while True:
        ranks = []
        for i in range(WORLD):
            ranks.append(Training(Rank(i, [a for j, a in enumerate(arrivals) if j != i], setup)).run())
        met = [r.arrivals for r in ranks]
        if met == arrivals:
            return ranks
        arrivals = met


def main():
    for name, setup in RUNS.items():
        folder = os.path.join(sys.argv[1], name)
        os.makedirs(folder, exist_ok=True)
        for r in simulate(setup):
            path = os.path.join(folder, "train_rank%d.%d.pt.trace.json.gz" % (r.rank, setup.stamp))
            data = document(r).encode()
            with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
                out.write(data)
            print("%s: %d events, %d kB, %d kB packed" % (path, data.count(b'"ph":'), len(data) // 1000,
                                                          os.path.getsize(path) // 1000))


if __name__ == "__main__":
    main()
