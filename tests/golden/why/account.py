"""The account of a worker: disjoint windows; every number about time is a part of them."""
from .spans import union

FAR = 1000  # two clocks are different if they are further apart than this many times the longer of host and devices


def recording(trace):
    """Window of host and devices together; None: no events, or their clocks differ."""
    devices = [(min(w.start for w in work), max(w.end for w in work)) for work in trace.devices.values()]
    hosts = [(trace.host_start, trace.host_end)] if trace.host_start is not None else []
    both = devices + hosts
    if not both:
        return None
    t0, t1 = min(a for a, _ in both), max(b for _, b in both)
    longest = max(b - a for a, b in both)
    return (t0, t1) if t1 - t0 <= FAR * longest else None


def account(trace, windows):
    """Windows of the steps, or of the recording without steps: [(t0, t1)]; empty when clocks differ."""
    if recording(trace) is None:
        return []
    return union(windows if trace.steps else [recording(trace)])


def runs(windows):
    """Runs of steps, each beginning within the shorter neighbour's length of the one before: [(t0, t1)]."""
    out, last = [], None
    for t0, t1 in sorted(w for w in windows if w[1] > w[0]):
        if last and t0 - last[1] <= min(last[1] - last[0], t1 - t0):
            out[-1] = (out[-1][0], max(out[-1][1], t1))
        else:
            out.append((t0, t1))
        last = (t0, t1)
    return out
