#!/usr/bin/env python3
"""Writes XSpaces (*.xplane.pb) as XLA's profiler does, with an encoder of its own: samples, and variants for tests.

  make_xplane.py sample                writes assets/sample_xla again
  make_xplane.py write OUT [options]   a run of the kind that the options say

The run: training steps on TPUs or GPUs. Each step computes, exchanges gradients and waits for its input; one step waits
much longer (the story of the sample). Options of write:
  --device tpu|gpu|host   what the planes are of
  --devices N             how many devices (2)
  --steps N               steps (6); --slow K: the one that waits (K = steps - 2)
  --maps-last | --maps-first   whether the maps of a plane come after or before its lines (last)
  --shuffle SEED          planes, lines, maps and fields in another order; what the file says stays the same
  --negative              ids of metadata, stats and host lines are negative and huge
  --shift NS              every time later by so much
  --epoch                 times of lines are epoch times, as before there was a Task Environment
  --no-steps              no line Steps, and no step_num
  --host-steps            steps as host events with step_num, no line Steps
  --repeat N              N further host threads with the same events (for size)
"""
import argparse
import os
import random
import struct

START = 1_790_000_000_000_000_000  # epoch ns of the recording
PS = 1000


# ---- the wire ----

def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def double(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


# ---- planes ----

class Ref(str):
    """A text written as a reference to the name of a stat."""


class Plane:
    def __init__(self, name, opts):
        self.name, self.opts = name, opts
        self.kinds, self.stats, self.lines, self.facts = {}, {}, [], []

    def id_of(self, table, key):
        if key not in table:
            n = len(table) + 1
            table[key] = -n * (2**59 + 12345) - 7 if self.opts.negative else n
        return table[key]

    def stat(self, name, value):
        out = number(1, self.id_of(self.stats, name))
        if isinstance(value, Ref):
            return out + number(7, self.id_of(self.stats, str(value)))
        if isinstance(value, str):
            return out + data(5, value)
        if isinstance(value, float):
            return out + double(2, value)
        if isinstance(value, bytes):
            return out + data(6, value)
        return out + (number(4, value) if value < 0 or name == "step_num" else number(3, value))

    def kind(self, name, display="", **stats):
        """Id of a kind of event; the first call sets its stats."""
        key = (name, display)
        if key not in self.kinds:
            self.id_of(self.kinds, key)
            body = number(1, self.kinds[key]) + data(2, name)
            body += data(4, display) if display else b""
            body += b"".join(data(5, self.stat(n, v)) for n, v in stats.items())
            self.kinds[key] = (self.kinds[key], body)
        return self.kinds[key][0]

    def event(self, kind, start_ps, duration_ps, **stats):
        parts = [number(1, kind), number(2, start_ps), number(3, duration_ps)]
        parts += [data(4, self.stat(n, v)) for n, v in stats.items()]
        if self.opts.random:
            self.opts.random.shuffle(parts)
        return b"".join(parts)

    def line(self, id_, name, events, display="", timestamp_ns=0):
        base = timestamp_ns + self.opts.shift + (START if self.opts.epoch else 0)
        head = [number(1, id_), data(2, name), number(3, base)] + ([data(11, display)] if display else [])
        body = [data(4, e) for e in events]
        if self.opts.random:
            self.opts.random.shuffle(body)
            self.opts.random.shuffle(head)
            body = body + head
        else:
            body = head + body
        self.lines.append(b"".join(body))

    def fact(self, name, value):
        self.facts.append(self.stat(name, value))

    def encode(self, number_):
        lines = [data(3, l) for l in self.lines]
        maps = [data(4, number(1, i) + data(2, body)) for i, body in self.kinds.values()]
        maps += [data(5, number(1, i) + data(2, number(1, i) + data(2, n))) for n, i in self.stats.items()]
        head, facts = [number(1, number_), data(2, self.name)], [data(6, f) for f in self.facts]
        if self.opts.random:
            parts = head + lines + maps + facts
            self.opts.random.shuffle(parts)
            return b"".join(parts)
        middle = maps + lines if self.opts.maps_first else lines + maps
        return b"".join(head + middle + facts)


# ---- the run ----

# name, HLO category, share of a step in us, FLOPs, bytes; on GPUs the kernel has the name with _ for .
OPS = [("fusion.1", "loop fusion", 180, 90_000_000, 64_000_000),
       ("convolution.7", "convolution", 900, 620_000_000_000, 210_000_000),
       ("fusion.2", "output fusion", 640, 410_000_000_000, 150_000_000),
       ("all-reduce.3", "all-reduce", 310, 50_000_000, 100_000_000),
       ("fusion.9", "loop fusion", 120, 40_000_000, 48_000_000)]
STEP_US, WAIT_US, SLOW_US = 2600, 60, 4100
MODULE = "jit_train_step"


def steps_of(opts):
    """(number, start us, wait us, total us) of each step."""
    at, out = 500, []
    for i in range(opts.steps):
        wait = SLOW_US if i == opts.slow else WAIT_US + 3 * i
        length = wait + sum(op[2] for op in OPS) + 40
        out.append((100 + i, at, wait, length))
        at += length + 25
    return out


def tpu_plane(opts, n):
    p = Plane(f"/device:TPU:{n}", opts)
    p.fact("device_type_string", "TPU v6 Lite")
    p.fact("peak_teraflops_per_second", 918.0)
    p.fact("core_details", b"\x01\x02")
    long = f"%{{}} = f32[8,1024]{{{{1,0:T(8,128)}}}} {{}}(f32[8,1024] %param.{n})"
    ops, modules, steps, overlay = [], [], [], []
    infeed = p.kind("%infeed.4 = ((f32[8,1024]), token[]) infeed(token[] %after-all)", "infeed.4",
                    hlo_category=Ref("infeed"), flops=0, bytes_accessed=4096, program_id=77)
    for number_, at, wait, length in steps_of(opts):
        t = at * 10**6 + n * 1_500
        steps.append(p.event(p.kind(str(number_)), t, length * 10**6, group_id=number_))
        modules.append(p.event(p.kind(f"{MODULE}(77)"), t, length * 10**6, run_id=number_))
        ops.append(p.event(infeed, t, wait * 10**6 + 250, device_offset_ps=t))
        t += wait * 10**6 + 300
        for name, category, us, flops, bytes_ in OPS:
            kind = p.kind(long.format(name, category), name, hlo_category=Ref(category), flops=flops,
                          bytes_accessed=bytes_, program_id=77)
            length_ps = us * 10**6 + 137 * (number_ % 7) * PS + 333
            ops.append(p.event(kind, t, length_ps))
            overlay.append((name, t, length_ps))
            t += length_ps + 900
    if not opts.no_steps and not opts.host_steps:
        p.line(1, "Steps", steps)
    p.line(2, "XLA Modules", modules)
    p.line(3, "XLA Ops", ops)
    p.line(4, "Async XLA Ops", [p.event(p.kind("%copy-start.1 = copy-start()", "async-copy"), t, d * 2)
                                for name, t, d in overlay if name == "fusion.9"])
    p.line(-3, "XLA Ops", [p.event(p.kind("repeated", "repeated"), t, d) for _, t, d in overlay])
    return p


def gpu_plane(opts, n, launches):
    p = Plane(f"/device:GPU:{n}", opts)
    p.fact("device_vendor", "Nvidia")
    p.fact("clock_rate", 1_980_000)
    p.fact("core_count", 132)
    p.fact("memory_size", 85_899_345_920)
    p.fact("compute_cap_major", 9)
    p.fact("compute_cap_minor", 0)
    kernels, copies, names, steps = [], [], [], []
    for number_, at, wait, length in steps_of(opts):
        t = at * 10**6 + n * 1_500
        steps.append(p.event(p.kind(str(number_)), t, length * 10**6, group_id=number_))
        # brackets hold only the kind that the stream ran first
        copies.append(p.event(p.kind("MemcpyH2D"), t, wait * 10**6, correlation_id=launches(t, "cuMemcpyHtoDAsync_v2"),
                              memcpy_details="kind_src:pinned kind_dst:device size:8388608 dest:0 async:1"))
        t += wait * 10**6 + 300
        kernels.append(p.event(p.kind("Memset"), t, 2_000_400, memset_details="kind:device size:4096 async:1",
                               correlation_id=launches(t, "cuMemsetD32Async")))
        t += 2_100_000
        for name, _, us, flops, bytes_ in OPS:
            kernel = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)" \
                if name.startswith("all-reduce") else name.replace(".", "_")
            kind = p.kind(kernel)
            length_ps = us * 10**6 + 137 * (number_ % 7) * PS + 333
            kernels.append(p.event(
                kind, t, length_ps, correlation_id=launches(t, "cuLaunchKernelEx"), hlo_op=Ref(name),
                hlo_module=Ref(MODULE), tf_op=f"jit(train_step)/{name}:", flops=flops, bytes_accessed=bytes_,
                kernel_details=f"regs:{16 + us % 64} static_shared:1024 dynamic_shared:{us} grid:{us},2,1 "
                               f"block:256,1,1 occ_pct:{50 + us % 40}"))
            names.append((name, t, length_ps))
            t += length_ps + 900
    p.line(7, "Stream #7(Kernel,MemcpyH2D)", kernels)
    p.line(8, "Stream #8(MemcpyH2D)", copies)
    if not opts.no_steps and not opts.host_steps:
        p.line(-1, "Steps", steps)
    p.line(-2, "XLA Modules", [p.event(p.kind(MODULE), t, d) for _, t, d in names])
    p.line(-3, "XLA Ops", [p.event(p.kind(n_), t, d) for n_, t, d in names])
    p.line(-4, "TensorFlow Ops", [p.event(p.kind("train/" + n_), t, d) for n_, t, d in names])
    return p


def host_plane(opts, calls):
    p = Plane("/host:CPU", opts)
    sign = -(2**61) if opts.negative else 0
    python, main, memory = [], [], []
    used = 1 << 30
    for number_, at, wait, length in steps_of(opts):
        t = at * 10**6 - 400_000_000
        frame = p.kind("$train.py:41 train_step")
        python.append(p.event(frame, t, length * 10**6))
        python.append(p.event(p.kind("$data.py:17 __next__"), t + 1_000_000, wait * 10**6 - 2_000_000))
        python.append(p.event(p.kind("$builtins next"), t + 2_000_000, wait * 10**6 - 4_000_000))
        if opts.host_steps:
            main.append(p.event(p.kind("train"), t, length * 10**6, step_num=number_))
        main.append(p.event(p.kind("PjRtExecutable::Execute"), t + wait * 10**6, 55_000_500))
        size = 65536 * (number_ % 5 + 1)
        for i, name in enumerate(["MemoryAllocation", "MemoryDeallocation"]):
            used += -size if i else size
            stats = {"allocator_name": "GPU_0_bfc"} if opts.device == "gpu" else {"index_on_host": 0}
            if not i or opts.device == "gpu":
                stats.update(allocation_bytes=size, requested_bytes=size - 100)
            memory.append(p.event(p.kind(name), t + (10 + 500 * i) * 10**6, 0, addr=2**40 + 4096 * (number_ % 3),
                                  bytes_allocated=used, bytes_reserved=0, peak_bytes_in_use=(1 << 30) + 65536 * 5,
                                  **stats))
    p.line(4242 + sign, "python", python, "python")
    p.line(4243 + sign, "tf_pjrt_thread_pool/4243", main, "tf_pjrt_thread_pool/4243")
    p.line(4244 + sign, "allocator/4244", memory)
    for n, of_device in enumerate(calls):
        if of_device:
            p.line(4245 + n + sign, f"Host Threads/{4245 + n}",
                   [p.event(p.kind(name), t, d, correlation_id=c, device_id=n) for name, t, d, c in of_device])
    for i in range(opts.repeat):
        p.lines.append(number(1, 10_000 + i) + data(2, f"worker/{10_000 + i}") + p.lines[1])
    return p


def planes_of(opts):
    calls, serial = [[] for _ in range(opts.devices)], [0]

    def launches_of(n):
        def launch(t, name):
            serial[0] += 1
            calls[n].append((name, t - 30_000_000 - serial[0] % 5 * 1000, 1_000_700, serial[0]))
            return serial[0]
        return launch

    planes = []
    for n in range(opts.devices):
        if opts.device == "tpu":
            planes.append(tpu_plane(opts, n))
        elif opts.device == "gpu":
            planes.append(gpu_plane(opts, n, launches_of(n)))
    planes.append(host_plane(opts, calls))
    meta = Plane("/host:metadata", opts)
    meta.kind("jit_train_step(7)", **{"Hlo Proto": b"\x0a\x03abc" * 40})
    planes.append(meta)
    task = Plane("Task Environment", opts)
    task.fact("profile_start_time", START)
    task.fact("profile_stop_time", START + 60_000_000_000)
    planes.append(task)
    return planes


def options(**given):
    """Options for tests: defaults except the given ones."""
    values = dict(device="tpu", devices=2, steps=6, slow=None, maps_first=False, shuffle=None, negative=False, shift=0,
                  epoch=False, no_steps=False, host_steps=False, repeat=0)
    values.update(given)
    opts = argparse.Namespace(**values)
    opts.slow = opts.steps - 2 if opts.slow is None else opts.slow
    opts.random = random.Random(opts.shuffle) if opts.shuffle is not None else None
    return opts


def space(opts):
    planes = [data(1, p.encode(i)) for i, p in enumerate(planes_of(opts))]
    if opts.random:
        opts.random.shuffle(planes)
    return b"".join(planes)


def write(path, **given):
    with open(path, "wb") as f:
        f.write(space(options(**given)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["sample", "write"])
    parser.add_argument("out", nargs="?")
    for name, default in [("devices", 2), ("steps", 6), ("shift", 0), ("repeat", 0)]:
        parser.add_argument(f"--{name}", type=int, default=default)
    for name in ["slow", "shuffle"]:
        parser.add_argument(f"--{name}", type=int)
    for name in ["maps-first", "maps-last", "negative", "epoch", "no-steps", "host-steps"]:
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--device", default="tpu", choices=["tpu", "gpu", "host"])
    given = vars(parser.parse_args())
    what, out = given.pop("what"), given.pop("out")
    given.pop("maps_last")
    if what == "write":
        write(out, **given)
        return
    root = os.path.join(os.path.dirname(__file__), "../../assets/sample_xla/plugins/profile/2026_09_21_14_13_20")
    os.makedirs(root, exist_ok=True)
    write(os.path.join(root, "host.xplane.pb"), steps=8, slow=5)


if __name__ == "__main__":
    main()
