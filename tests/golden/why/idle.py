"""Tables gpu_time, gpu_gaps, idle_causes, stream_idle."""
import collections

from .spans import common, cut, length, mean, minus, union
from .trace import blocks

CAUSES = ("input", "sync", "runtime", "operator", "between", "launch", "queue", "unknown")
DELIVERY = 100000  # ns: nothing takes longer to deliver a launch to an idle device


def device_name(trace, device):
    return "GPU%d" % device


def gpu_time(trace, windows=None):
    """A row per device; with windows [(step, t0, t1)] one per window and device."""
    rows = []
    for device, work in sorted(trace.devices.items()):
        of = {c: union((w.start, w.end) for w in work if w.of == c) for c in ("computation", "communication", "copy")}
        whole = [(None, min(w.start for w in work), max(w.end for w in work))]
        for step, t0, t1 in windows if windows is not None else whole:
            part = {c: cut(s, t0, t1) for c, s in of.items()}
            compute, talk, copy = part["computation"], part["communication"], part["copy"]
            row = {"device": device_name(trace, device), "total_ns": t1 - t0, "computation_ns": length(compute),
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
    """What a thread is in, by cause in the order of priority; later ones without the earlier ones."""

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
    def __init__(self, device, t0, t1, following):
        self.device, self.t0, self.t1, self.next = device, t0, t1, following
        self.part = dict.fromkeys(CAUSES, 0)

    @property
    def cause(self):
        return max(CAUSES, key=lambda c: (self.part[c], -CAUSES.index(c)))


def next_work(work, at):
    """Of what starts then: known launch before unknown, the earliest launch, the order in the file."""
    return min((w for w in work if w.start == at),
               key=lambda w: (w.launch is None, w.launch.start if w.launch else 0, w.order))


def fill(gap, g0, g1, hosts):
    """Divides [gap.t0, gap.t1), a part of the gap [g0, g1), by the rules for the whole gap."""
    def inside(a, b):
        return max(a, gap.t0), max(max(a, gap.t0), min(b, gap.t1))

    launch = gap.next.launch
    if launch is None:
        gap.part["unknown"] = gap.t1 - gap.t0
    elif launch.end <= g0:
        gap.part["queue"] = gap.t1 - gap.t0
    else:
        h = min(g1, launch.end)
        hosts.split(launch.thread, *inside(g0, h), gap.part)
        a, b = inside(h, min(g1, h + DELIVERY))
        gap.part["launch"] = b - a
        a, b = inside(min(g1, h + DELIVERY), g1)
        gap.part["queue"] = b - a


def gaps(trace, window=None, hosts=None):
    """The gaps by device and time. window: (t0, t1), whose edges count, too."""
    hosts, out = hosts or Hosts(trace), []
    for device, work in sorted(trace.devices.items()):
        busy = []  # merged as the work lies: work without length divides a gap
        for w in work:
            if busy and w.start <= busy[-1][1]:
                busy[-1][1] = max(busy[-1][1], w.end)
            else:
                busy.append([w.start, w.end])
        starts = collections.defaultdict(list)
        for w in work:
            starts[w.start].append(w)
        edges = [(a[1], b[0]) for a, b in zip(busy, busy[1:])]
        if window:
            edges = [e for e in edges if e[1] > window[0] and e[0] < window[1]]
            if busy[0][0] > window[0]:
                edges.insert(0, (window[0], busy[0][0]))
        for g0, g1 in edges:
            gap = Gap(device, g0, g1, next_work(starts[g1], g1))
            if window:
                gap.t0, gap.t1 = max(g0, window[0]), min(g1, window[1])
            if gap.t1 > gap.t0:
                fill(gap, g0, g1, hosts)
                out.append(gap)
        if window and busy[-1][1] < window[1]:
            gap = Gap(device, max(window[0], busy[-1][1]), window[1], None)
            hosts.split(trace.step_thread(*window), gap.t0, gap.t1, gap.part)
            out.append(gap)
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


def stream_idle(trace):
    by = collections.defaultdict(list)
    for (device, stream), work in trace.streams.items():
        end = None
        for w in work:
            if end is not None and w.start > end:
                gap = w.start - end
                cause = "host_wait" if w.launch and w.launch.start > end else "kernel_wait" if gap < 30000 else "other"
                by[(device, stream, cause)].append(gap)
            end = w.end if end is None else max(end, w.end)
    idle = collections.Counter()
    for (d, s, _), v in by.items():
        idle[(d, s)] += sum(v)
    return [{"device": device_name(trace, d), "stream": s, "cause": c, "gaps": len(v), "idle_ns": sum(v),
             "pct": 100 * sum(v) / idle[(d, s)], "mean_ns": mean(sum(v), len(v))} for (d, s, c), v in by.items()]
