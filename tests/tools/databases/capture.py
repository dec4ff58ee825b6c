"""The work of a program in terms of no format, read from a trace of Kineto. Times are integer nanoseconds since
`zero_ns`, which is in nanoseconds since 1970."""
import decimal
import gzip
import json
from collections import namedtuple

# kind: kernel, copy, set, sync. grid, block: three integers. shared: bytes. graph_node: None for a separate launch.
Work = namedtuple("Work", "kind name start end pid device context stream correlation grid block registers shared bytes graph_node")
Call = namedtuple("Call", "name start end pid tid correlation driver")
Range = namedtuple("Range", "name start end pid tid")
Device = namedtuple("Device", "id name memory sms major minor pid")
KINDS = {"kernel": "kernel", "gpu_memcpy": "copy", "gpu_memset": "set", "cuda_sync": "sync"}
CALLS = {"cuda_runtime": False, "cuda_driver": True}  # category: whether it is a call of the driver
RANGES = {"user_annotation": "ranges", "cpu_op": "operators"}
STEP = "ProfilerStep#"


class Capture:
    def __init__(self):
        self.zero_ns = None
        self.processes = {}  # pid: name
        self.threads = {}    # (pid, tid): name
        self.devices, self.work, self.calls, self.ranges, self.operators = [], [], [], [], []

    def map(self, **change):
        """A copy of the capture with some lists replaced."""
        new = Capture()
        new.__dict__.update(self.__dict__, **change)
        return new


def ns(us):
    """Nanoseconds of a decimal number of microseconds."""
    return int((decimal.Decimal(us) * 1000).to_integral_value())


def read(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as f:
        return json.load(f, parse_float=decimal.Decimal)


def work_of(e, pid):
    a = e["args"]
    start = ns(e["ts"])
    return Work(KINDS[e["cat"]], e["name"], start, start + ns(e["dur"]), pid, a["device"], a.get("context", 1), a["stream"], a["correlation"],
                a.get("grid"), a.get("block"), a.get("registers per thread"), a.get("shared memory"), a.get("bytes"), None)


def add(capture, path):
    """Adds one trace of one process; if its process id is in use, it gets the next free one."""
    trace = read(path)
    events = [e for e in trace["traceEvents"] if e.get("ph") == "X" and isinstance(e.get("pid"), int)]
    own = next(e["pid"] for e in events if e.get("cat") in CALLS or e.get("cat") in RANGES)
    pid = own
    while pid in capture.processes:
        pid += 1
    base = int(trace.get("baseTimeNanoseconds", 0))
    first = base + min(ns(e["ts"]) for e in events if e.get("cat") in CALLS or e.get("cat") in RANGES or e.get("cat") in KINDS)
    capture.zero_ns = first if capture.zero_ns is None else min(first, capture.zero_ns)
    capture.processes[pid] = "python3"
    for d in trace.get("deviceProperties") or []:
        capture.devices.append((base, Device(d["id"], d["name"], d.get("totalGlobalMem"), d.get("numSms"), d.get("computeMajor"), d.get("computeMinor"), pid)))
    for e in events:
        cat = e.get("cat")
        start = ns(e["ts"])
        end = start + ns(e.get("dur", 0))
        if cat in KINDS:
            capture.work.append((base, work_of(e, pid)))
        elif cat in CALLS:
            capture.calls.append((base, Call(e["name"], start, end, pid, e["tid"] - own + pid, e["args"]["correlation"], CALLS[cat])))
        elif cat in RANGES:
            getattr(capture, RANGES[cat]).append((base, Range(e["name"], start, end, pid, e["tid"] - own + pid)))


def capture(*paths):
    found = Capture()
    for path in paths:
        add(found, path)
    for name in "work", "calls", "ranges", "operators":
        moved = [r._replace(start=r.start + base - found.zero_ns, end=r.end + base - found.zero_ns) for base, r in getattr(found, name)]
        setattr(found, name, sorted(moved, key=lambda r: (r.start, -r.end)))
    found.devices = [d for _, d in found.devices]
    for r in found.calls + found.ranges + found.operators:
        found.threads[(r.pid, r.tid)] = "python3" if r.tid == r.pid else "pt_autograd_0"
    return found


def steps(found, first, last):
    """Keeps steps FIRST to LAST of every process: the calls and ranges that begin in them, and the work of those
    calls."""
    window = {}
    for r in found.ranges:
        if r.name.startswith(STEP) and first <= int(r.name[len(STEP):]) <= last:
            low, high = window.get(r.pid, (r.start, r.end))
            window[r.pid] = min(low, r.start), max(high, r.end)

    def inside(r):
        return r.pid in window and window[r.pid][0] <= r.start < window[r.pid][1]

    calls = [c for c in found.calls if inside(c)]
    kept = {(c.pid, c.correlation) for c in calls}
    return found.map(calls=calls, work=[w for w in found.work if (w.pid, w.correlation) in kept],
                     ranges=[r for r in found.ranges if inside(r)], operators=[r for r in found.operators if inside(r)])


def shifted(found, by):
    """Moves all times BY nanoseconds later on the profiler's clock, and its zero earlier by as much."""
    lists = {name: [r._replace(start=r.start + by, end=r.end + by) for r in getattr(found, name)] for name in ("work", "calls", "ranges", "operators")}
    return found.map(zero_ns=found.zero_ns - by, **lists)


def renumbered(found, by):
    """Other correlation ids, in another order."""
    def other(r):
        return r._replace(correlation=by - r.correlation)
    return found.map(work=[other(w) for w in found.work], calls=[other(c) for c in found.calls])


def graphs(found, size):
    """Turns up to SIZE consecutive launches of a thread into one launch of a graph, whose kernels share its
    correlation id."""
    new, gone, into, last = [], {}, {}, {}
    for c in sorted(found.calls, key=lambda c: (c.pid, c.tid, c.start)):
        thread = (c.pid, c.tid)
        if "LaunchKernel" not in c.name:
            last.pop(thread, None)
            new.append(c)
            continue
        if thread not in last or into[last[thread]] == size:
            last[thread] = len(new)
            into[len(new)] = 0
            new.append(c._replace(name="cudaGraphLaunch", driver=False))
        at = last[thread]
        into[at] += 1
        gone[(c.pid, c.correlation)] = new[at].correlation, into[at]
        new[at] = new[at]._replace(end=c.end)
    work = []
    for w in found.work:
        correlation, node = gone.get((w.pid, w.correlation), (w.correlation, None))
        work.append(w._replace(correlation=correlation, graph_node=node))
    return found.map(calls=sorted(new, key=lambda c: c.start), work=work)
