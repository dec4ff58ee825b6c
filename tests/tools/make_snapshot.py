#!/usr/bin/env python3
"""Writes memory snapshots as PyTorch's torch.cuda.memory._dump_snapshot() does, without PyTorch: a small training
program runs against a caching allocator that is simulated here, and what that did is pickled with Python's own pickle.

  make_snapshot.py OUT [--protocol 2..5] [--seed N] [--steps N] [--layers N] [--devices N] [--ring N] [--pending]
                   [--expandable] [--oom] [--layout new|old|oldest] [--no-history]
  make_snapshot.py OUT --bytes SIZE     a file of that size, in the same form, written as a stream

--ring N keeps the last N events of each device, as a recorder with max_entries does. Layout "old": free instead of
free_requested and free_completed, no addresses and requested sizes in blocks, active_awaiting_free; "oldest": the
list of segments alone."""
import argparse
import pickle
import random
import struct

MIB = 1 << 20
SMALL, LARGE = 2 * MIB, 20 * MIB
EPOCH_US = 1_700_000_000_000_000


class Frames:
    """Frames, one object each, so that pickle memoises them."""

    def __init__(self):
        self.known = {}

    def stack(self, *frames):
        return [self.known.setdefault(f, {"name": f[2], "filename": f[0], "line": f[1]}) for f in frames]


class Block:
    def __init__(self, address, size, segment):
        self.address, self.size, self.segment = address, size, segment
        self.requested, self.state, self.frames = 0, "inactive", []


class Allocator:
    """Allocator of one device: segments cut into blocks; best fit, free neighbours are merged."""

    def __init__(self, device, capacity, expandable, rng):
        self.device, self.capacity, self.expandable, self.rng = device, capacity, expandable, rng
        self.segments, self.events, self.now = [], [], EPOCH_US
        self.next = 0x7F0000000000 + device * (1 << 36)
        self.live, self.reserved = {}, 0

    def tell(self, action, **more):
        self.now += self.rng.choice((0, 0, 1, 3, 17))
        event = {"action": action, "stream": 0, "time_us": self.now, "compile_context": "N/A", "user_metadata": ""}
        event.update(more)
        self.events.append(event)

    def segment_for(self, size, stream, frames):
        large = size > MIB
        if self.expandable and large:
            total = (size + LARGE - 1) // LARGE * LARGE
            old = next((s for s in self.segments if s["is_expandable"] and s["stream"] == stream), None)
        else:
            total, old = (SMALL if not large else LARGE if size < LARGE // 2 else (size + SMALL - 1) // SMALL * SMALL), None
        if self.reserved + total > self.capacity:
            return None
        self.reserved += total
        if old:
            address = old["address"] + old["total_size"]
            old["total_size"] += total
            block = Block(address, total, old)
            old["blocks"].append(block)
            self.tell("segment_map", addr=address, size=total, stream=stream, frames=frames)
            self.merge(old)
            return old
        segment = {"device": self.device, "address": self.next, "total_size": total, "stream": stream,
                   "segment_type": "large" if large else "small", "segment_pool_id": (0, 0),
                   "is_expandable": self.expandable and large, "frames": frames}
        self.next += (1 << 34) if segment["is_expandable"] else total + 4 * MIB
        segment["blocks"] = [Block(segment["address"], total, segment)]
        self.segments.append(segment)
        self.tell("segment_map" if segment["is_expandable"] else "segment_alloc", addr=segment["address"], size=total,
                  stream=stream, frames=frames)
        return segment

    @staticmethod
    def merge(segment):
        merged = []
        for b in segment["blocks"]:
            if merged and b.state == "inactive" and merged[-1].state == "inactive":
                merged[-1].size += b.size
            else:
                merged.append(b)
        segment["blocks"] = merged

    def fit(self, size, stream):
        kind = "large" if size > MIB else "small"
        free = [b for s in self.segments if s["segment_type"] == kind and s["stream"] == stream for b in s["blocks"]
                if b.state == "inactive" and b.size >= size]
        return min(free, key=lambda b: b.size) if free else None

    def alloc(self, requested, frames, stream=0):
        size = max(512, (requested + 511) // 512 * 512)
        block = self.fit(size, stream)
        if not block:
            if not self.segment_for(size, stream, frames):
                self.tell("oom", device_free=self.capacity - self.reserved, size=requested, stream=stream, frames=frames)
                return None
            block = self.fit(size, stream)
        if block.size - size >= (512 if size <= MIB else MIB):
            rest = Block(block.address + size, block.size - size, block.segment)
            blocks = block.segment["blocks"]
            blocks.insert(blocks.index(block) + 1, rest)
            block.size = size
        block.state, block.requested, block.frames = "active_allocated", requested, frames
        self.tell("alloc", addr=block.address, size=requested, stream=stream, frames=frames)
        self.live[block.address] = block
        return block

    def free(self, block, frames, pending=False):
        del self.live[block.address]
        self.tell("free_requested", addr=block.address, size=block.requested, stream=block.segment["stream"], frames=frames)
        if pending:
            block.state = "active_pending_free"
            return
        self.tell("free_completed", addr=block.address, size=block.requested, stream=block.segment["stream"], frames=frames)
        block.state, block.requested, block.frames = "inactive", 0, []
        self.merge(block.segment)

    def state(self):
        out = []
        for s in self.segments:
            blocks = [{"address": b.address, "size": b.size, "requested_size": b.requested or b.size, "state": b.state,
                       "frames": b.frames} for b in s["blocks"]]
            active = [b for b in s["blocks"] if b.state == "active_allocated"]
            out.append({**{k: v for k, v in s.items() if k != "blocks"},
                        "allocated_size": sum(b.size for b in active),
                        "active_size": sum(b.size for b in s["blocks"] if b.state != "inactive"),
                        "requested_size": sum(b.requested for b in active), "blocks": blocks})
        return out


def train(args, device, frames, rng):
    """Weights, steps with activations that the backward pass frees, an optimizer's state from the first step on."""
    main = ("/app/train.py", 88, "<module>")
    a = Allocator(device, args.capacity * MIB, args.expandable, rng)
    marks, kept = [], []
    for i in range(args.layers):
        at = frames.stack(("/app/model.py", 12 + i % 3, "__init__"), ("/app/train.py", 31, "build"), main)
        kept.append(a.alloc(rng.randrange(2, 6) * MIB + rng.randrange(4096), at))
        kept.append(a.alloc(rng.randrange(4, 64) * 1024, at))
    for step in range(args.steps):
        held = []
        for i in range(args.layers):
            name = ("attention", "mlp", "norm")[i % 3]
            at = frames.stack(("??", 0, "at::empty_cuda"), ("/opt/torch/nn/modules/linear.py", 125, "forward"),
                              ("/app/model.py", 40 + i % 3, name), ("/app/model.py", 70, "forward"),
                              ("/app/train.py", 52, "step"), main)
            held.append(a.alloc(rng.randrange(1, 9) * MIB + rng.randrange(8192), at))
            scratch = a.alloc(rng.randrange(64, 900_000), at, stream=7 if args.pending and i % 4 == 0 else 0)
            a.free(scratch, at, pending=args.pending and i % 4 == 0 and step == args.steps - 1)
        back = frames.stack(("/opt/torch/autograd/graph.py", 823, "backward"), ("/app/train.py", 55, "step"), main)
        grads = []
        for block in reversed([b for b in held if b]):
            grads.append(a.alloc(block.requested // 4 + 1, back))
            a.free(block, back)
        marks.append({"stage": "START", "name": "Optimizer.step#AdamW.step", "device": device, "time_us": a.now})
        if step == 0:
            at = frames.stack(("/opt/torch/optim/adamw.py", 180, "_init_group"), ("/app/train.py", 58, "step"), main)
            kept += [a.alloc(rng.randrange(2, 6) * MIB, at) for _ in range(args.layers)]
        for block in [b for b in grads if b]:
            a.free(block, back)
        marks.append({"stage": "END", "name": "Optimizer.step#AdamW.step", "device": device, "time_us": a.now})
    if args.oom:
        at = frames.stack(("/app/eval.py", 23, "logits"), ("/app/eval.py", 61, "evaluate"), ("/app/train.py", 90, "<module>"))
        cache = frames.stack(("/app/eval.py", 40, "kv_cache"), ("/app/eval.py", 61, "evaluate"), ("/app/train.py", 90, "<module>"))
        while a.capacity - a.reserved > 80 * MIB:
            a.now += 60  # it is slow
            a.alloc(37 * MIB + 513, cache)
        a.alloc(152 * MIB + 77, at)
    return a, marks


def snapshot(args):
    rng, frames = random.Random(args.seed), Frames()
    segments, traces, marks = [], [], []
    for device in range(args.devices):
        a, m = train(args, device, frames, rng)
        segments += a.state()
        traces.append([] if args.no_history else a.events[-args.ring:] if args.ring else a.events)
        marks += m
    marks.sort(key=lambda m: m["time_us"])
    if args.layout != "new":
        for s in segments:
            for key in ("is_expandable", "requested_size", "segment_pool_id", "frames"):
                s.pop(key)
            for b in s["blocks"]:
                b.pop("address"), b.pop("requested_size")
                b["state"] = b["state"].replace("pending", "awaiting")
        if args.layout == "oldest":
            return segments
        for t in traces:
            for e in t:
                e.pop("user_metadata"), e.pop("compile_context")
                e["action"] = "free" if e["action"] == "free_requested" else e["action"]
            t[:] = [e for e in t if e["action"] != "free_completed"]
        return {"segments": segments, "device_traces": traces}
    settings = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True" if args.expandable else "", "max_split_size": -1,
                "garbage_collection_threshold": 0.0, "expandable_segments": args.expandable,
                "roundup_power2_divisions": {str(1 << i): 0 for i in range(16)}}
    return {"segments": segments, "device_traces": traces, "allocator_settings": settings, "external_annotations": marks}


class Stream:
    """Opcodes of protocol 4 in pickle's form, without objects, for a file larger than memory."""

    def __init__(self, f):
        self.f, self.n, self.memo = f, 0, {}
        f.write(b"\x80\x04")

    def remember(self):
        self.n += 1
        return b"\x94"

    def known(self, key, make):
        at = self.memo.get(key)
        if at is None:
            out = make()
            self.memo[key] = self.n
            return out + self.remember()
        return b"h" + bytes((at,)) if at < 256 else b"j" + struct.pack("<I", at)

    def text(self, s):
        b = s.encode()
        head = b"\x8c" + bytes((len(b),)) if len(b) < 256 else b"X" + struct.pack("<I", len(b))
        return self.known(s, lambda: head + b)

    @staticmethod
    def integer(v):
        if 0 <= v < 256:
            return b"K" + bytes((v,))
        if 0 <= v < 65536:
            return b"M" + struct.pack("<H", v)
        if -(1 << 31) <= v < 1 << 31:
            return b"J" + struct.pack("<i", v)
        n = v.bit_length() // 8 + 1
        return b"\x8a" + bytes((n,)) + v.to_bytes(n, "little", signed=True)

    def frame(self, f):
        at = self.memo.get(f)
        if at is not None:
            return b"h" + bytes((at,)) if at < 256 else b"j" + struct.pack("<I", at)
        self.memo[f] = self.n
        return (b"}" + self.remember() + b"(" + self.text("name") + self.text(f[2]) + self.text("filename") + self.text(f[0]) +
                self.text("line") + self.integer(f[1]) + b"u")

    def event(self, action, addr, size, us, frames):
        out = [b"}", self.remember(), b"(", self.text("action"), self.text(action), self.text("addr"), self.integer(addr),
               self.text("size"), self.integer(size), self.text("stream"), b"K\0", self.text("time_us"), self.integer(us),
               self.text("compile_context"), self.text("N/A"), self.text("user_metadata"), self.text(""), self.text("frames"),
               b"]", self.remember(), b"("]
        out += [self.frame(f) for f in frames]
        out.append(b"eu")
        return b"".join(out)


def write_large(path, size, seed):
    """One device, blocks of one large segment each, in pickle's batches of 1,000. The state at the end is known
    before: no live blocks, and the first segments empty."""
    rng = random.Random(seed)
    stacks = [tuple(("/app/model_%d.py" % (i % 40), 10 + (i * 7 + d * 3) % 900, "layer_%d" % d) for d in range(4 + i % 12))
              for i in range(3000)]
    with open(path, "wb", buffering=1 << 20) as f:
        w = Stream(f)
        base, slots = 0x7F0000000000, 4096
        f.write(b"}" + w.remember() + b"(" + w.text("segments") + b"]" + w.remember() + b"(")
        for i in range(slots):
            f.write(b"}" + w.remember() + b"(" + w.text("device") + b"K\0" + w.text("address") + w.integer(base + i * LARGE) +
                    w.text("total_size") + w.integer(LARGE) + w.text("stream") + b"K\0" + w.text("segment_type") +
                    w.text("large") + w.text("is_expandable") + b"\x89" + w.text("blocks") + b"]" + w.remember() + b"}" +
                    w.remember() + b"(" + w.text("address") + w.integer(base + i * LARGE) + w.text("size") + w.integer(LARGE) +
                    w.text("requested_size") + w.integer(0) + w.text("state") + w.text("inactive") + w.text("frames") + b"]" +
                    w.remember() + b"ua" + b"u")
        f.write(b"e" + w.text("device_traces") + b"]" + w.remember() + b"]" + w.remember() + b"(")
        live, us, n, written = [], EPOCH_US, 0, f.tell()
        free = list(range(slots))
        closing = False
        while live or not closing:
            closing = closing or written >= size
            us += rng.randrange(3)
            if free and not closing and (len(live) < 1000 or rng.random() < 0.5):
                slot, asked, stack = free.pop(), rng.randrange(1, LARGE), stacks[rng.randrange(len(stacks))]
                live.append((slot, asked))
                out = w.event("alloc", base + slot * LARGE, asked, us, stack)
            else:
                k = rng.randrange(len(live))
                slot, asked = live[k]
                live[k] = live[-1]
                live.pop()
                free.append(slot)
                stack = stacks[rng.randrange(50)]
                out = (w.event("free_requested", base + slot * LARGE, asked, us, stack) +
                       w.event("free_completed", base + slot * LARGE, asked, us, stack))
                n += 1
            n += 1
            f.write(out)
            written += len(out)
            if n % 1000 < 2:
                f.write(b"e(")
        f.write(b"ea" + w.text("allocator_settings") + b"}" + w.remember() + w.text("external_annotations") + b"]" +
                w.remember() + b"u.")
    print("%s: %d events" % (path, n))


def parse(argv=None):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--protocol", type=int, default=4)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--steps", type=int, default=3)
    p.add_argument("--layers", type=int, default=12)
    p.add_argument("--devices", type=int, default=1)
    p.add_argument("--capacity", type=int, default=640, help="of a device, MiB")
    p.add_argument("--ring", type=int, default=0)
    p.add_argument("--layout", choices=("new", "old", "oldest"), default="new")
    p.add_argument("--bytes", type=float, default=0)
    for flag in ("--pending", "--expandable", "--oom", "--no-history"):
        p.add_argument(flag, action="store_true")
    return p.parse_args(argv)


def main():
    args = parse()
    if args.bytes:
        write_large(args.out, int(args.bytes), args.seed)
        return
    with open(args.out, "wb") as f:
        pickle.dump(snapshot(args), f, protocol=args.protocol)


if __name__ == "__main__":
    main()
