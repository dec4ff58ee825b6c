#!/usr/bin/env python3
"""Memory snapshots against a computation from the pickle in Python: every row of their tables, for each form that
PyTorch writes. The protocol, compression, time of day and memoisation of the pickle change nothing. A cut snapshot
keeps the part before the cut. A pickle that names or runs code, or would fill the memory, is refused with the offset.
"""
import collections
import gzip
import io
import json
import os
import pickle
import random
import resource
import struct
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
SANITIZED = b"__asan_init" in open(BIN, "rb").read() or b"__tsan_init" in open(BIN, "rb").read()
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAKE = os.path.join(TOP, "tests", "tools", "make_snapshot.py")
PENDING = ("active_pending_free", "active_awaiting_free")
TABLES = ("memory_devices", "memory_curve", "memory_events", "memory_fragmentation", "memory_segments", "memory_peak", "memory_stacks", "user_ranges")


def report(what, why=None):
    print("ok " + what if not why else "FAIL %s: %s" % (what, why))


def run(*args):
    return subprocess.run((BIN,) + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def table(path, name, *options):
    p = run("summary", path, "--table", name, "--format", "json", *options)
    if p.returncode:
        raise ValueError("%s: status %d: %s" % (name, p.returncode, p.stderr.decode()[:300]))
    return json.loads(p.stdout)["tables"][0]


# ---- recomputation ----

def stack_of(frames):
    return ";".join("%s(%d): %s" % (f["filename"], f["line"], f["name"]) for f in frames) or None


class Device:
    """The history of one device, in file order. Moments are numbers of events."""

    def __init__(self, number, segments, trace):
        self.name, self.trace = "GPU%d" % number, trace
        self.segments = [s for s in segments if s["device"] == number]
        self.blocks = []
        for s in self.segments:
            at = s["address"]
            for b in s["blocks"]:
                self.blocks.append((b.get("address", at), b, s))
                at += b["size"]
        self.live, self.items = {}, []
        for i, e in enumerate(trace):
            if e["action"] == "alloc":
                self.live[e["addr"]] = len(self.items)
                self.items.append([e["size"], i, None, stack_of(e["frames"])])
            elif e["action"] in ("free", "free_requested"):
                if e["addr"] in self.live:
                    self.items[self.live.pop(e["addr"])][2] = i
                else:
                    self.items.append([e["size"], None, i, None])
        self.asked = 0 # bytes of the active blocks; older files tell it only in the allocation
        for address, b, _ in self.blocks:
            if b["state"] == "active_allocated":
                known = self.items[self.live[address]][0] if address in self.live else b["size"]
                self.asked += b.get("requested_size", known)
                if address not in self.live:
                    self.items.append([b.get("requested_size", b["size"]), None, None, stack_of(b.get("frames", []))])
        # backwards from the end: state after event i
        self.after = [None] * len(trace)
        allocated = self.asked
        reserved = sum(s["total_size"] for s in self.segments)
        for i in range(len(trace) - 1, -1, -1):
            self.after[i] = (allocated, reserved)
            allocated -= self.allocates(trace[i])
            reserved -= self.reserves(trace[i])
        self.before = (allocated, reserved)

    @staticmethod
    def allocates(e):
        return e["size"] if e["action"] == "alloc" else -e["size"] if e["action"] in ("free", "free_requested") else 0

    @staticmethod
    def reserves(e):
        return {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}.get(e["action"], 0) * e["size"]

    def shown_before(self):
        """Whether the level before the first event counts, because that event lowers it."""
        return self.trace and (self.allocates(self.trace[0]) < 0 or self.reserves(self.trace[0]) < 0)

    def peak(self):
        """(moment, bytes); moment -1 = before the first event."""
        best = (-1, self.before[0]) if self.shown_before() else None
        for i, (a, _) in enumerate(self.after):
            if (self.allocates(self.trace[i]) or self.reserves(self.trace[i])) and (best is None or a > best[1]):
                best = (i, a)
        return best


def expected(snapshot):
    """Rows of each table as sorted lists of tuples of the columns in COLUMNS."""
    segments = snapshot["segments"] if isinstance(snapshot, dict) else snapshot
    traces = snapshot.get("device_traces", []) if isinstance(snapshot, dict) else []
    marks = snapshot.get("external_annotations", []) if isinstance(snapshot, dict) else []
    zero = min([t[0]["time_us"] for t in traces if t] + [m["time_us"] for m in marks] + ([] if any(traces) else [0])) * 1000
    out = {t: [] for t in TABLES}
    numbers = sorted({s["device"] for s in segments} | {i for i, t in enumerate(traces) if t})
    for d in (Device(n, segments, traces[n] if n < len(traces) else []) for n in numbers):
        ns = lambda i: None if i is None else d.trace[i]["time_us"] * 1000 - zero
        if d.trace:
            at, peak = d.peak()
            out["memory_devices"].append((d.name, peak, ns(max(at, 0)), max([r for _, r in d.after] + ([d.before[1]] if d.shown_before() else [])), d.after[-1][0]))
        else:
            at, peak = 0, sum(x[0] for x in d.items)
        for i, (allocated, reserved) in enumerate(d.after):
            if i == 0 and d.shown_before():
                out["memory_curve"].append((d.name, ns(0)) + d.before)
            if d.allocates(d.trace[i]) or d.reserves(d.trace[i]):
                out["memory_curve"].append((d.name, ns(i), allocated, reserved))
        at_peak, stacks = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0, 0, 0])
        for size, begin, end, stack in d.items:
            if begin is not None or end is not None:
                out["memory_events"].append((d.name, "allocated", size, ns(begin), ns(end)))
            if (begin is None or begin <= at) and (end is None or end > at):
                at_peak[stack][0] += 1
                at_peak[stack][1] += size
            stacks[stack][0] += begin is not None
            stacks[stack][1] += size if begin is not None else 0
            stacks[stack][2] += end is None
            stacks[stack][3] += size if end is None else 0
        assert sum(v[1] for v in at_peak.values()) == peak
        out["memory_peak"] += [(d.name, s, n, size) for s, (n, size) in at_peak.items()]
        out["memory_stacks"] += [(d.name, s) + tuple(v) for s, v in stacks.items()]
        if not d.segments:
            continue
        size = lambda *states: sum(b["size"] for _, b, _ in d.blocks if b["state"] in states)
        free = [b["size"] for _, b, _ in d.blocks if b["state"] == "inactive"]
        allocated, asked = size("active_allocated"), d.asked
        out["memory_fragmentation"].append((d.name, len(d.segments), len(d.blocks), sum(s["total_size"] for s in d.segments), allocated, asked, allocated - asked,
                                            size(*PENDING), sum(free), len(free), max(free, default=0), round(100 * (1 - max(free) / sum(free)), 9) if sum(free) else 0))
        kinds = collections.defaultdict(list)
        for s in d.segments:
            kinds[(str(s["stream"]), s["segment_type"], bool(s.get("is_expandable", False)))].append(s)
        for kind, of in kinds.items():
            blocks = [b for s in of for b in s["blocks"]]
            free = [b["size"] for b in blocks if b["state"] == "inactive"]
            out["memory_segments"].append((d.name,) + kind + (len(of), sum(s["total_size"] for s in of),
                                                              sum(b["size"] for b in blocks if b["state"] == "active_allocated"), sum(free), max(free, default=0)))
    ranges, open_ = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(list)
    for m in marks:
        key = (m["name"], m["device"])
        if m["stage"] == "START":
            open_[key].append(m["time_us"])
        elif open_[key]:
            ranges[m["name"]][0] += 1
            ranges[m["name"]][1] += (m["time_us"] - open_[key].pop()) * 1000
    out["user_ranges"] = [(k,) + tuple(v) for k, v in ranges.items()]
    return out


COLUMNS = {
    "memory_devices": ("device", "peak_allocated_bytes", "peak_allocated_at_ns", "peak_reserved_bytes", "end_allocated_bytes"),
    "memory_curve": ("device", "at_ns", "allocated_bytes", "reserved_bytes"),
    "memory_events": ("device", "kind", "size_bytes", "allocated_at_ns", "freed_at_ns"),
    "memory_fragmentation": ("device", "segments", "blocks", "reserved_bytes", "allocated_bytes", "requested_bytes", "rounding_bytes", "pending_bytes",
                             "free_bytes", "free_blocks", "largest_free_bytes", "fragmentation_pct"),
    "memory_segments": ("device", "stream", "type", "expandable", "segments", "reserved_bytes", "allocated_bytes", "free_bytes", "largest_free_bytes"),
    "memory_peak": ("device", "stack", "blocks", "bytes"),
    "memory_stacks": ("device", "stack", "allocations", "allocated_bytes", "alive_blocks", "alive_bytes"),
    "user_ranges": ("name", "calls", "host_total_ns"),
}


def rows_of(path, name, shift=0):
    rows = table(path, name)["rows"]
    if name == "memory_events":
        rows = [r for r in rows if r["kind"] == "allocated"]
    got = [tuple(round(r[c], 9) if isinstance(r[c], float) else r[c] for c in COLUMNS[name]) for r in rows]
    return sorted(got, key=repr)


def compare(what, path, snapshot, tables=TABLES):
    want = expected(snapshot)
    for name in tables:
        if not want[name] and name in ("memory_devices", "memory_curve"):
            continue
        got, should = rows_of(path, name), sorted(want[name], key=repr)
        missing, more = collections.Counter(should) - collections.Counter(got), collections.Counter(got) - collections.Counter(should)
        report("%s: %s, %d rows" % (what, name, len(should)), None if not missing and not more else
               "missing %s; too many %s" % (list(missing)[:2], list(more)[:2]))


def make(folder, name, *options):
    path = os.path.join(folder, name + ".pickle")
    subprocess.run([sys.executable, MAKE, path, *options], check=True)
    with open(path, "rb") as f:
        return path, pickle.load(f)


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


# ---- changes without effect ----

def all_tables(path, *names):
    return {name: rows_of(path, name) for name in names or TABLES}


class NoMemo(pickle._Pickler):
    """Write every value again, so that references to one object become many objects."""

    def memoize(self, obj):
        pass

    def save(self, obj, save_persistent_id=True):
        self.memo.clear()
        super().save(obj, save_persistent_id)


class OneByOne(pickle._Pickler):
    """Write members and items one at a time, which pickle.loads() accepts."""
    _BATCHSIZE = 1


def one_by_one(value):
    buffer = io.BytesIO()
    OneByOne(buffer, 4).dump(value)
    return buffer.getvalue()


def relations(folder):
    path, snapshot = make(folder, "relations", "--oom", "--pending", "--devices", "2", "--steps", "2")
    base = all_tables(path)
    for protocol in (2, 3, 4, 5):
        other = write(folder, "protocol.pickle", pickle.dumps(snapshot, protocol=protocol))
        report("protocol %d gives the same tables" % protocol, None if all_tables(other) == base else "they differ")
    buffer = io.BytesIO()
    NoMemo(buffer, 4).dump(snapshot)
    other = write(folder, "no_memo.pickle", buffer.getvalue())
    report("a pickle without a memo gives the same tables", None if all_tables(other) == base else "they differ")
    other = write(folder, "one_by_one.pickle", one_by_one(snapshot))
    report("members one at a time give the same tables", None if all_tables(other) == base else "they differ")
    block = {"address": 4096, "size": 512, "requested_size": 512, "state": "active_allocated", "frames": []}
    segments = [{"device": d, "address": 4096, "total_size": 512, "stream": 0, "segment_type": "small", "blocks": [dict(block)]} for d in (0, 1)]
    events = [{"action": "alloc", "addr": 4096, "size": 512, "stream": 0, "time_us": 1_700_000_000_000_000, "frames": []}]
    other = write(folder, "one_event.pickle", pickle.dumps(dict(segments=segments, device_traces=[events, []]), protocol=4))
    problems = json.loads(run("summary", other, "--table", "run", "--format", "json").stdout)["problems"]
    report("a single event, and a device without any: nothing is wrong", problems)
    with open(path, "rb") as f:
        packed = write(folder, "packed.pickle.gz", gzip.compress(f.read()))
    report("compressed it is the same", None if all_tables(packed) == base else "differs")
    later = pickle.loads(pickle.dumps(snapshot))
    for e in [e for t in later["device_traces"] for e in t] + later["external_annotations"]:
        e["time_us"] += 86_400_000_000
    shifted = write(folder, "later.pickle", pickle.dumps(later))
    report("a day later it is the same", None if all_tables(shifted) == base else "differs")
    moved = pickle.loads(pickle.dumps(snapshot))
    for s in moved["segments"]:
        s["address"] += 1 << 40
        for b in s["blocks"]:
            b["address"] += 1 << 40
    for e in [e for t in moved["device_traces"] for e in t if "addr" in e]:
        e["addr"] += 1 << 40
    random.Random(5).shuffle(moved["segments"])
    other = write(folder, "moved.pickle", pickle.dumps(moved))
    report("at other addresses, in another order of segments, it is the same", None if all_tables(other) == base else "differs")
    one = pickle.loads(pickle.dumps(snapshot))
    one["segments"] = [s for s in one["segments"] if s["device"] == 0]
    one["device_traces"] = one["device_traces"][:1]
    other = write(folder, "one.pickle", pickle.dumps(one))
    for name in ("memory_fragmentation", "memory_segments", "memory_peak", "memory_stacks"):
        report("a device by itself: %s" % name, None if rows_of(other, name) == [r for r in base[name] if r[0] == "GPU0"] else "differs")
    # with a shorter ring the end of the recording is the same
    shorter = pickle.loads(pickle.dumps(snapshot))
    shorter["device_traces"] = [t[len(t) // 2:] for t in shorter["device_traces"]]
    other = write(folder, "ring.pickle", pickle.dumps(shorter))
    full, half = (dict((r[0], r[4]) for r in rows_of(p, "memory_devices")) for p in (path, other))
    report("a ring that lost half of it ends at the same totals", None if full == half else "%s %s" % (full, half))


# ---- out of memory ----

def out_of_memory(folder):
    path, snapshot = make(folder, "oom", "--oom", "--pending")
    d = Device(0, snapshot["segments"], snapshot["device_traces"][0])
    oom = [e for e in d.trace if e["action"] == "oom"][-1]
    found = [r for r in table(path, "findings")["rows"] if r["id"] == "out_of_memory"]
    free = [b["size"] for _, b, _ in d.blocks if b["state"] == "inactive"]
    size = lambda v: next("%.3g %s" % (v / 1024 ** i, u) for i, u in enumerate(("bytes", "KiB", "MiB", "GiB")) if v / 1024 ** i < 1000 or u == "GiB")
    text = found[0]["title"] + found[0]["detail"] if found else ""
    for what, value in (("the request", oom["size"]), ("what was free on the device", oom["device_free"]), ("the cache", sum(free)), ("its largest free piece", max(free))):
        report("finding out_of_memory tells " + what, None if size(value) in text else "%s is not in %r" % (size(value), text))
    at, held = d.trace.index(oom), collections.Counter()
    for bytes_, begin, end, stack in d.items:
        if (begin is None or begin <= at) and (end is None or end > at):
            held[stack] += bytes_
    stack, most = held.most_common(1)[0]
    who = "%s, %s (%.1f%%)" % (stack.split(";")[0], size(most), 100 * most / sum(held.values()))
    report("finding out_of_memory tells who held most", None if who in text else "%s is not in %r" % (who, text))
    zero = min(d.trace[0]["time_us"], snapshot["external_annotations"][0]["time_us"])
    report("and when", None if found and found[0]["start_at_ns"] == (oom["time_us"] - zero) * 1000 else "%s" % found)
    quiet, _ = make(folder, "quiet")
    report("without one there is no such finding", None if not [r for r in table(quiet, "findings")["rows"] if r["id"] == "out_of_memory"] else "there is")


# ---- damage ----

def cut_off(folder):
    path, snapshot = make(folder, "cut", "--steps", "2")
    with open(path, "rb") as f:
        whole = f.read()
    events = len(snapshot["device_traces"][0])
    seen, bad = [], None
    for i in range(1, 40):
        at = len(whole) * i // 40
        path = write(folder, "cut_at.pickle", whole[:at])
        p = run("check", path)
        if p.returncode not in (1, 3):
            bad = bad or "%d bytes: status %d: %s" % (at, p.returncode, p.stderr.decode()[:200])
        elif p.returncode == 1:
            said = json.loads(run("summary", path, "--table", "memory_devices", "--format", "json").stdout)
            seen.append(said["source"]["events"])
            if "truncated" not in [x["kind"] for x in said["problems"]]:
                bad = bad or "%d bytes: no problem 'truncated': %s" % (at, said["problems"])
    report("cut off anywhere it opens as far as it goes, or says why not", bad)
    report("the more of it is there, the more is shown", None if seen and seen == sorted(seen) and seen[-1] > events * 3 // 4 else seen)
    part = write(folder, "part.pickle", whole[:len(whole) * 3 // 5])
    low = table(part, "memory_curve")["rows"]
    report("totals of what is left never fall below nothing", None if low and min(r["allocated_bytes"] for r in low) >= 0 else low[:1])
    broken = bytearray(whole)
    broken[len(whole) * 2 // 3] = 0xFF
    p = run("check", write(folder, "broken.pickle", bytes(broken)))
    report("a byte that is no opcode keeps what came before, or is text", None if p.returncode in (0, 1) else p.stderr.decode()[:200])
    held = 0
    rng = random.Random(11)
    for i in range(150):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        p = run("check", write(folder, "flip.pickle", bytes(data)))
        held += p.returncode in (0, 1, 3, 4)
    report("150 files with changed bytes end with a status of the contract", None if held == 150 else "%d of 150" % held)


# ---- hostile ----

REFUSED = {"GLOBAL": b"cos\nsystem\n", "STACK_GLOBAL": b"\x8c\x02os\x8c\x06system\x93", "REDUCE": b"NN)R", "BUILD": b"}}b", "INST": b"(ios\nsystem\n", "OBJ": b"(NNo",
           "NEWOBJ": b"N)\x81", "NEWOBJ_EX": b"N)}\x92", "EXT1": b"\x82\x01", "EXT2": b"\x83\x01\x00", "EXT4": b"\x84\x01\0\0\0", "PERSID": b"Pid\n", "BINPERSID": b"NQ",
           "NEXT_BUFFER": b"\x97", "READONLY_BUFFER": b"\x98"}
CODE = {"GLOBAL": b"c", "STACK_GLOBAL": b"\x93", "REDUCE": b"R", "BUILD": b"b", "INST": b"i", "OBJ": b"o", "NEWOBJ": b"\x81", "NEWOBJ_EX": b"\x92", "EXT1": b"\x82",
        "EXT2": b"\x83", "EXT4": b"\x84", "PERSID": b"P", "BINPERSID": b"Q", "NEXT_BUFFER": b"\x97", "READONLY_BUFFER": b"\x98"}


def hostile(folder):
    good = pickle.dumps({"segments": [], "device_traces": [[]]}, protocol=4)
    for name, code in REFUSED.items():
        for where, data in (("alone", b"\x80\x04" + code + b"."), ("inside a snapshot", good[:-1] + b"0" + code + b".")):
            at = data.index(CODE[name], data.index(code) if where == "alone" else len(good))
            path = write(folder, "hostile.pickle", data)
            p = run("check", path)
            said = p.stderr.decode() + p.stdout.decode()
            report("%s %s is refused with its place" % (name, where),
                   None if p.returncode == 3 and "%s at byte %d" % (name, at) in said else "status %d: %s" % (p.returncode, said[:300]))
    proof = os.path.join(folder, "ran")
    run("check", write(folder, "runs.pickle", b"\x80\x04cos\nsystem\n(S'touch %s'\ntR." % proof.encode()))
    report("nothing runs", None if not os.path.exists(proof) else "it ran")
    for what, value, word in (("a dict of something else", {"weights": [1, 2], "step": 7}, "'weights'"), ("a list", [1, 2, 3], "a list of 3 values"),
                              ("a text", "hello", "a text"), ("a number", 5, "a number"), ("nothing", None, "None")):
        p = run("check", write(folder, "other.pickle", pickle.dumps(value, protocol=4)))
        said = p.stderr.decode() + p.stdout.decode()
        report("a pickle of %s: what it is, and what is expected" % what,
               None if p.returncode == 3 and word in said and "segments" in said and "_dump_snapshot" in said else "status %d: %s" % (p.returncode, said[:300]))


def limited():
    if not SANITIZED:  # a sanitizer takes address space and time
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60) if SANITIZED else (10, 10))


def bombs(folder):
    frame = {"name": "f", "filename": "/x" * 2000, "line": 1}
    event = lambda i, frames: {"action": "alloc", "addr": 4096 * i, "size": 8, "stream": 0, "time_us": 1 + i, "frames": frames}
    block = lambda: {"address": 0, "size": 1, "requested_size": 1, "state": "active_allocated", "frames": []}
    segment = lambda blocks: {"device": 0, "address": 0, "total_size": 9, "stream": 0, "segment_type": "large", "blocks": blocks}
    shared = [block() for _ in range(20000)]
    many = [block() for _ in range(300_000)]
    nest = []
    for _ in range(100):
        nest = [nest, nest]
    loop = {"action": "alloc", "addr": 1, "size": 1, "time_us": 5}
    loop["frames"] = [loop]
    long_name = "n" * 20_000_000
    marks = [{"name": long_name, "stage": "START", "time_us": 5 + i, "device": 0} for i in range(3000)]
    cases = {
        "one dictionary, which is filled late, 60 million times": one_by_one({"segments": [], "device_traces": [[loop] * 300_000] * 200}),
        "300,000 blocks in 20,000 segments each": pickle.dumps({"segments": [segment(many) for _ in range(20000)], "device_traces": []}, protocol=4),
        "a name of 20 MB in 3,000 frames and annotations": pickle.dumps(
            {"segments": [], "device_traces": [[event(i, [dict(frame, line=i, filename=long_name)]) for i in range(3000)]], "external_annotations": marks}, protocol=4),
        "nesting of 5 million lists": b"\x80\x04" + b"(" * 5_000_000,
        "nesting of 1 million lists in each other": b"\x80\x04" + b"]" * 1_000_000 + b"a" * 999_999 + b".",
        "a memo number of 4 billion": b"\x80\x04Nr\xff\xff\xff\xff.",
        "a memo number that nobody gave": b"\x80\x04j\xff\xff\xff\x7f.",
        "a text of 2^62 bytes": b"\x80\x04\x8d" + struct.pack("<Q", 1 << 62) + b"abc",
        "a text of 200 MB that is not there": b"\x80\x04X" + struct.pack("<I", 200_000_000) + b"abc",
        "a number of 4 GB": b"\x80\x04\x8b\xff\xff\xff\xff1",
        "a frame of 2^63 bytes": b"\x80\x04\x95" + b"\xff" * 8 + pickle.dumps({"segments": []}, protocol=3)[2:],
        "lists that double a hundred times": pickle.dumps({"segments": [segment([])], "device_traces": [[]], "x": nest}, protocol=4),
        "one long frame in 200,000 places": pickle.dumps({"segments": [], "device_traces": [[event(i, [frame] * (i % 700)) for i in range(600)]]}, protocol=4),
        "20,000 blocks in 2,000 segments each": pickle.dumps({"segments": [segment(shared) for _ in range(2000)], "device_traces": []}, protocol=4),
        "one event 3 million times": pickle.dumps({"segments": [], "device_traces": [[event(1, [])] * 3_000_000]}, protocol=4),
        "an event inside itself": pickle.dumps({"segments": [], "device_traces": [[loop]]}, protocol=2),
        "sizes beyond everything": pickle.dumps({"segments": [], "device_traces": [[dict(event(i, []), size=1 << 62) for i in range(9)]]}, protocol=4),
        "addresses and times that are no numbers": pickle.dumps({"segments": [], "device_traces": [[dict(event(1, []), addr="x", time_us=None, size=[])]]}, protocol=4),
        "devices without end": pickle.dumps({"segments": [segment([])], "device_traces": [[]] * 100000}, protocol=4),
        "marks without a list": b"\x80\x04((((eeee.",
        "members without a dictionary": b"\x80\x04]NNs.",
        "a key without a value": b"\x80\x04}(Nu.",
    }
    for what, data in cases.items():
        p = subprocess.run((BIN, "summary", write(folder, "bomb.pickle", data), "--table", "memory_peak", "--format", "json"), stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, preexec_fn=limited)
        size = len(p.stdout)
        report("%s: 1 GB and 10 s are enough" % what,
               None if p.returncode in (0, 3, 4) and size < 64 << 20 else "status %d, %d bytes: %s" % (p.returncode, size, p.stderr.decode()[:200]))
    path = write(folder, "sums.pickle", pickle.dumps({"segments": [], "device_traces": [[dict(event(i, []), size=1 << 50) for i in range(20000)]]}, protocol=4))
    stacks = table(path, "memory_stacks")["rows"]
    report("sums stay below 2^62: what goes beyond is no size", None if sum(r["allocated_bytes"] for r in stacks) == 1 << 62 else stacks)
    names = {"name": "\x1b]0;x\x07", "filename": "/a\x1b[2J\u202e", "line": 3}
    path = write(folder, "escape.pickle", pickle.dumps({"segments": [segment([block()])], "device_traces": [[event(1, [names])]]}, protocol=4))
    out = b"".join(run("summary", path, "--table", t, "--format", f).stdout for t in ("memory_peak", "memory_events") for f in ("text", "csv", "json"))
    report("controls in names of frames do not reach the terminal", None if out and b"\x1b" not in out and b"\x07" not in out else "they do")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, options in (("plain", ()), ("pending", ("--pending", "--oom")), ("expandable", ("--expandable", "--oom")), ("ring", ("--ring", "97")),
                              ("ring_long", ("--ring", "1000", "--steps", "9", "--seed", "4")), ("devices", ("--devices", "3", "--pending", "--ring", "250")),
                              ("old", ("--layout", "old", "--pending")), ("old_ring", ("--layout", "old", "--ring", "61")), ("no_history", ("--no-history",)),
                              ("oldest", ("--layout", "oldest",))):
            path, snapshot = make(folder, name, *options)
            compare(name, path, snapshot)
        sample = os.path.join(TOP, "assets", "sample_snapshot", "memory_snapshot.pickle")
        with open(sample, "rb") as f:
            compare("sample", sample, pickle.load(f))
        relations(folder)
        out_of_memory(folder)
        cut_off(folder)
        hostile(folder)
        bombs(folder)


main()
