"""Tables of a trace for the second implementation: options of tracetty, the function with expected rows, key
columns."""
import collections

from . import account, idle, launches, path
from .answer import Differs, compare


class Case:
    """A trace file: its steps by tracetty (step_breakdown, proven elsewhere), and results so far."""

    def __init__(self, trace, steps):
        self.trace, self.hosts, self.path = trace, idle.Hosts(trace), None
        self.steps = [(r["step"], r["start_at_ns"] + trace.base, r["start_at_ns"] + r["total_ns"] + trace.base) for r in steps]
        self.windows = [(t0, t1) for _, t0, t1 in self.steps]
        self.account = account.account(trace, self.windows)
        if not trace.steps:  # the whole is one step
            self.steps = [(r["step"], t0, t1) for r, (t0, t1) in zip(steps, self.account)]

    def critical_path(self):
        if self.path is None:
            runs = account.runs(self.windows) if self.trace.steps else self.account
            self.path = path.critical_path(self.trace, runs, self.account, idle.gaps(self.trace, self.account, self.hosts))
        return self.path

    def gaps(self):
        return idle.gaps(self.trace, self.account, self.hosts)


def causes_by_step(case):
    rows = []
    for step, t0, t1 in case.steps:
        if t1 > t0:
            for r in idle.idle_causes(case.trace, idle.gaps(case.trace, case.account, case.hosts, [(t0, t1)])):
                rows.append(dict(r, step=step))
    return rows


def segments(case):
    rows = []
    for s in case.critical_path():
        row = {"start_at_ns": s.t0 - case.trace.base, "end_at_ns": s.t1 - case.trace.base, "duration_ns": s.t1 - s.t0, "category": s.category,
               "inferred": s.inferred}
        if s.category not in ("between", "unknown"):
            row["name"] = s.name
        rows.append(row)
    return rows


def categories(case):
    by = collections.defaultdict(list)
    for s in case.critical_path():
        by[s.category].append(s.t1 - s.t0)
    whole = sum(map(sum, by.values()))
    return [{"category": c, "total_ns": sum(v), "pct": 100 * sum(v) / whole, "segments": len(v), "longest_ns": max(v)} for c, v in by.items()]


def changes(rows):
    """The curve's values at instants where they change; simultaneous changes may cancel out."""
    at, last, out = {}, {}, []
    for r in rows:
        at[tuple(r.get(k) for k in ("device", "stream", "kind", "at_ns"))] = r
    for key, r in at.items():
        value = r.get("length", r.get("gb_per_s"))
        if value != last.get(key[:3]):
            out.append(r)
        last[key[:3]] = value
    return out


def device_copies(rows):
    return [r for r in rows if r["kind"] == "device copy"]


def sized_by_elements(rows):
    """Collectives sized by elements in their kernels' names; others are sized by their operators' shapes."""
    return [r for r in rows if r["dtype"] is not None]


# table, options, expected rows, key columns, preparation of tracetty's rows
TABLES = (
    ("gpu_time", (), lambda c: idle.gpu_time(c.trace, c.account), ("device",)),
    ("gpu_time", ("--group-by", "step"), lambda c: idle.gpu_time(c.trace, c.account, c.steps), ("step", "device")),
    ("gpu_gaps", (), lambda c: idle.gpu_gaps(c.trace, c.gaps()), ("device", "start_at_ns")),
    ("idle_causes", (), lambda c: idle.idle_causes(c.trace, c.gaps()), ("device", "cause")),
    ("idle_causes", ("--group-by", "step"), causes_by_step, ("step", "device", "cause")),
    ("stream_idle", (), lambda c: idle.stream_idle(c.trace, c.account), ("device", "stream", "cause")),
    ("launches", (), lambda c: launches.launches(c.trace, "name"), ("name",)),
    ("launches", ("--group-by", "api"), lambda c: launches.launches(c.trace, "api"), ("name",)),
    ("queue", (), lambda c: launches.queue(c.trace), ("device", "stream")),
    ("queue_curve", (), lambda c: launches.queue_curve(c.trace), ("device", "stream", "at_ns"), changes),
    ("copy_curve", (), lambda c: launches.copy_curve(c.trace), ("device", "kind", "at_ns"), changes),
    ("memcpy", (), lambda c: launches.memcpy(c.trace), ("kind", "name"), device_copies),
    ("kernel_sequences", (), lambda c: launches.kernel_sequences(c.trace), ("name", "kernels")),
    ("comm_sizes", (), lambda c: launches.comm_sizes(c.trace), ("operation", "dtype", "group", "in_bytes", "out_bytes"), sized_by_elements),
    ("critical_path", (), categories, ("category",)),
    ("critical_path", ("--group-by", "segment"), segments, ("start_at_ns", "end_at_ns")),
)


def check(case, table, said, work_out, keys, first=None):
    rows = said.get(table)
    if rows is None:
        raise Differs("tracetty has no such table")
    first = first or list
    compare(first(work_out(case)), first(rows), keys)
