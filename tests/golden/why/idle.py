"""Tables gpu_time, gpu_gaps, idle_causes, stream_idle."""
import collections

from .spans import common, cut, length, mean, minus, union
from .trace import blocks

# A device with less work than this, and a longer wait in its queue, may wait for events missing in the file.
EARLY = UNSEEN = 1000000
CAUSES = ("input", "sync", "runtime", "operator", "between", "launch", "queue", "unknown")
DELIVERY = 100000  # ns: longest time to deliver a launch to an idle device


def device_name(trace, device):
    return "GPU%d" % device


def gpu_time(trace, account, windows=None):
    """One row per device; with windows [(step, t0, t1)] one per window and device."""
    rows = []
    for device, work in sorted(trace.devices.items()):
        of = {c: union((w.start, w.end) for w in work if w.of == c) for c in ("computation", "communication", "copy")}
        for step, times in [(step, [(t0, t1)]) for step, t0, t1 in windows] if windows is not None else [(None, account)]:
            compute, talk, copy = (common(of[c], times) for c in ("computation", "communication", "copy"))
            row = {"device": device_name(trace, device), "total_ns": length(times), "computation_ns": length(compute),
                   "communication_exposed_ns": length(minus(talk, compute)),
                   "copy_exposed_ns": length(minus(minus(copy, compute), talk)),
                   "busy_ns": length(union(compute + talk + copy)), "communication_ns": length(talk),
                   "overlap_ns": length(common(talk, compute)), "copy_ns": length(copy)}
            row["idle_ns"] = row["total_ns"] - row["busy_ns"]
            for k in ("computation", "communication_exposed", "copy_exposed", "idle"):
                row[k + "_pct"] = 100 * row[k + "_ns"] / row["total_ns"] if row["total_ns"] else None
            row["overlap_pct"] = 100 * row["overlap_ns"] / row["communication_ns"] if row["communication_ns"] else None
            if step is not None:
                row["step"] = step
            rows.append(row)
    return rows


class Hosts:
    """Host activity of each thread, by cause in the order of priority; later causes exclude earlier ones."""

    def __init__(self, trace):
        self.trace, self.known = trace, {}

    def of(self, thread):
        if thread not in self.known:
            spans = collections.defaultdict(list)
            for s in self.trace.on_thread[thread]:
                cause = {"input": "input", "operator": "operator"}.get(s.kind)
                if s.kind == "call":
                    cause = "sync" if blocks(s.name) else "runtime"
                if cause:
                    spans[cause].append((s.start, s.end))
            taken, own = [], {}
            for cause in ("input", "sync", "runtime", "operator"):
                u = union(spans[cause])
                own[cause] = minus(u, taken)
                taken = union(u + taken)
            self.known[thread] = own
        return self.known[thread]

    def split(self, thread, a, b, part):
        left = b - a
        for cause, spans in self.of(thread).items() if thread is not None else ():
            n = length(cut(spans, a, b))
            part[cause] += n
            left -= n
        part["between"] += left


class Gap:
    """The part [t0, t1) of a gap [g0, g1) of a device. edge: leading, early, trailing or None."""

    def __init__(self, device, g0, g1, following, edge):
        self.device, self.g0, self.g1, self.next, self.edge = device, g0, g1, following, edge
        self.t0, self.t1, self.part, self.unknown = g0, g1, dict.fromkeys(CAUSES, 0), []

    @property
    def cause(self):
        return max(CAUSES, key=lambda c: (self.part[c], -CAUSES.index(c)))

    def cut(self, t0, t1, hosts, thread):
        """The part of the gap in a window, divided by the rules of the whole gap; thread: the thread charged after
        the last work."""
        out = Gap(self.device, self.g0, self.g1, self.next, self.edge)
        out.t0, out.t1 = max(t0, self.g0), min(t1, self.g1)
        if out.t1 > out.t0:
            out.fill(hosts, thread)
        return out

    def inside(self, a, b):
        return max(a, self.t0), max(max(a, self.t0), min(b, self.t1))

    def not_known(self, a, b):
        self.part["unknown"] += b - a
        self.unknown.append((a, b))

    def fill(self, hosts, thread):
        launch = self.next.launch if self.next else None
        if self.edge == "trailing" and thread is not None:
            hosts.split(thread, self.t0, self.t1, self.part)
            return
        if launch is None:
            self.not_known(self.t0, self.t1)
            return
        waits = self.queue_from()
        if launch.end > self.g0:
            h = min(self.g1, launch.end)
            hosts.split(launch.thread, *self.inside(self.g0, h), self.part)
            a, b = self.inside(h, waits)
            self.part["launch"] = b - a
            if self.edge == "leading":
                self.part["sync"] = 0
                for span in cut(hosts.of(launch.thread)["sync"], *self.inside(self.g0, h)):
                    self.not_known(*span)
        a, b = self.inside(waits, self.g1)
        if self.edge in ("leading", "early"):
            self.not_known(a, b)
        else:
            self.part["queue"] = b - a

    def queue_from(self):
        """Time from which the next work waits in its queue."""
        launch = self.next.launch
        if launch.end <= self.g0:
            return self.g0
        return min(self.g1, min(self.g1, launch.end) + DELIVERY)


def next_work(work, at):
    """Order of work that starts at one time: known launches before unknown ones, then by launch, then by place in the
    file."""
    return min((w for w in work if w.start == at),
               key=lambda w: (w.launch is None, w.launch.start if w.launch else 0, w.order))


def blocks_of(work):
    """Merged busy blocks; work without length divides a gap."""
    busy = []
    for w in work:
        if busy and w.start <= busy[-1][1]:
            busy[-1][1] = max(busy[-1][1], w.end)
        else:
            busy.append([w.start, w.end])
    return busy


def whole_gaps(trace, account):
    """All gaps of each device, to the account's limits before its first and after its last work: {device: [Gap]}."""
    blocks = {d: blocks_of(work) for d, work in trace.devices.items()}
    found = {}
    for device, work in sorted(trace.devices.items()):
        starts, busy, out, worked = collections.defaultdict(list), blocks[device], [], 0
        for w in work:
            starts[w.start].append(w)
        if busy[0][0] > account[0][0]:
            out.append(Gap(device, account[0][0], busy[0][0], next_work(starts[busy[0][0]], busy[0][0]), "leading"))
        for a, b in zip(busy, busy[1:]):
            # if work ends where the account begins, the edge of the account comes after it
            gap = Gap(device, a[1], b[0], next_work(starts[b[0]], b[0]), "leading" if a[1] == account[0][0] else None)
            worked += a[1] - a[0]
            if not gap.edge and worked < EARLY and gap.next.launch and gap.g1 - gap.queue_from() > UNSEEN and not any(
                    cut([tuple(x) for x in other], gap.queue_from(), gap.g1) for d, other in blocks.items() if d != device):
                gap.edge = "early"
            out.append(gap)
        if busy[-1][1] < account[-1][1]:
            out.append(Gap(device, busy[-1][1], account[-1][1], None, "trailing"))
        found[device] = out
    return found


def last_thread(trace, device):
    """Thread that launched the device's work that ends last; None = unknown."""
    launch = max(trace.devices[device], key=lambda w: (w.end, w.launch is not None)).launch
    return launch.thread if launch else None


def gaps(trace, account, hosts=None, windows=None):
    """Gaps by device and time, cut to the account, or to windows, each within a step."""
    hosts, out = hosts or Hosts(trace), []
    if not account:
        return out
    last = trace.steps[-1].thread if trace.steps else None
    for device, whole in whole_gaps(trace, account).items():
        for t0, t1 in windows or account:
            thread = (trace.step_thread(t0, t1) if windows else last) if trace.steps else last_thread(trace, device)
            for gap in whole:
                if gap.g1 > t0 and gap.g0 < t1:
                    out.append(gap.cut(t0, t1, hosts, thread))
    return out


def gpu_gaps(trace, found):
    rows = []
    for g in found:
        p = g.part
        rows.append({"device": device_name(trace, g.device), "start_at_ns": g.t0 - trace.base, "duration_ns": g.t1 - g.t0, "cause": g.cause,
                     "host_ns": sum(p[c] for c in CAUSES[:5]), "launch_ns": p["launch"], "queue_ns": p["queue"],
                     "unknown_ns": p["unknown"], "next": g.next.name if g.next else None})
    return rows


def idle_causes(trace, found):
    by, idle = collections.defaultdict(list), collections.Counter()
    for g in found:
        idle[g.device] += g.t1 - g.t0
        for c in CAUSES:
            if g.part[c]:
                by[(g.device, c)].append(g.part[c])
    return [{"device": device_name(trace, d), "cause": c, "gaps": len(v), "idle_ns": sum(v), "pct": 100 * sum(v) / idle[d],
             "mean_ns": mean(sum(v), len(v)), "longest_ns": max(v)} for (d, c), v in sorted(by.items())]


def stream_idle(trace, account):
    """Idle time of streams: the first gap begins and the last one ends with the account."""
    by = collections.defaultdict(list)
    for (device, stream), work in trace.streams.items():
        end = account[0][0] if account else None
        for w in work:
            if end is not None and w.start > end:
                gap = w.start - end
                first = next_work(work, w.start)
                cause = "host_wait" if first.launch and first.launch.start > end else "kernel_wait" if gap < 30000 else "other"
                by[(device, stream, cause)] += [b - a for a, b in cut(account, end, w.start)]
            end = w.end if end is None else max(end, w.end)
        if account:
            by[(device, stream, "other")] += [b - a for a, b in cut(account, end, max(end, account[-1][1]))]
    idle = collections.Counter()
    for (d, s, _), v in by.items():
        idle[(d, s)] += sum(v)
    return [{"device": device_name(trace, d), "stream": s, "cause": c, "gaps": len(v), "idle_ns": sum(v),
             "pct": 100 * sum(v) / idle[(d, s)], "mean_ns": mean(sum(v), len(v)), "longest_ns": max(v)} for (d, s, c), v in by.items() if v]
