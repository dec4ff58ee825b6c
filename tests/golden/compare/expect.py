"""Expected rows of comparing two traces, derived from the definitions."""
import fractions

from why.spans import mean

from . import lists
from .statistics import Change, median

PARTS = ("computation", "communication_exposed", "copy_exposed", "idle")
STATISTICS = ("low_ns", "high_ns", "p_value", "verdict")


class Side:
    """One run: lists from its raw events, and step windows from step_breakdown, gpu_time and idle_causes."""

    def __init__(self, trace, said):
        self.trace, self.steps = trace, lists.Steps(trace)
        self.rows = said["step_breakdown"]
        self.time, self.causes = {}, {}
        for r in said["gpu_time"]:
            self.time.setdefault(r["step"], []).append(r)
        for r in said["idle_causes"]:
            self.causes.setdefault(r["step"], []).append(r)
        marks = [m.name.split("#")[-1] for m in self.steps.marks]
        self.marked = bool(marks) and self.steps.apart and marks == [str(r["step"]) for r in self.rows]
        ops, self.left_out = lists.operators(trace, self.steps)
        self.lists = {"kernels": lists.kernels(trace, self.steps), "memcpy": lists.copies(trace, self.steps),
                      "runtime_api": lists.runtime_calls(trace, self.steps), "operators": ops}

    def metric(self, name, i):
        row = self.rows[i]
        if name == "step":
            return row["total_ns"]
        times = self.time.get(row["step"], ())
        if not times:
            return None
        parts = [row["total_ns"] - t["busy_ns"] if name == "host" else t[name + "_ns"] for t in times]
        return sum(parts) // len(parts)


class Pair:
    """Two sides and the compared steps: base_at, new_at are step numbers in order."""

    def __init__(self, base, new, base_at=None, new_at=None, per_run=False, confidence=95, min_effect=1):
        self.base, self.new = base, new
        self.at = (range(len(base.rows)) if base_at is None else base_at, range(len(new.rows)) if new_at is None else new_at)
        self.cut = (base_at is not None, new_at is not None)  # without selected steps all events count for the totals
        self.per_run, self.confidence, self.min_effect = per_run, confidence, min_effect

    def change(self, base, new):
        return Change(base, new, self.confidence, self.min_effect)

    def samples(self, name):
        return [[side.metric(name, i) for i in at] for side, at in zip((self.base, self.new), self.at)]


def statistics(c):
    """For more than 50 samples a side the interval's ends need not be differences of samples."""
    if not c.exact:
        return {"p_value": c.p}
    return {"low_ns": c.low, "high_ns": c.high, "p_value": c.p, "verdict": c.verdict}


def pct(delta, base):
    return 100 * delta / base if base else None


def summary(pair):
    rows = []
    for name in ("step",) + PARTS + ("host",):
        base, new = pair.samples(name)
        if None in base or None in new:
            continue
        c = pair.change(base, new)
        rows.append(dict(statistics(c), metric=name, base_steps=len(base), new_steps=len(new), base_ns=c.base, new_ns=c.new, delta_ns=c.delta,
                         delta_pct=pct(c.delta, c.base)))
    return rows


def parts_of(side, i, device):
    """{part: ns} of step i, over its devices; host parts of step_breakdown for a side without devices."""
    step, out = side.rows[i]["step"], {}
    if not device:
        return {c[:-len("_ns")]: v for c, v in side.rows[i].items() if c.endswith("_ns") and c not in ("start_at_ns", "total_ns") and v is not None}
    for t in side.time.get(step, ()):
        for p in PARTS[:3]:
            out[p] = out.get(p, 0) + t[p + "_ns"]
    for r in side.causes.get(step, ()):
        out[r["cause"]] = out.get(r["cause"], 0) + r["idle_ns"]
    return out


def mean_step(side, at, device):
    """Parts of the mean step, which add up to it: rounded down, with the rest added to the largest."""
    sums, n = {}, 0
    for i in at:
        n += max(1, len(side.time.get(side.rows[i]["step"], ()))) if device else 1
        for p, ns in parts_of(side, i, device).items():
            sums[p] = sums.get(p, 0) + ns
    out = {p: ns // n for p, ns in sums.items()}
    if out:
        largest = max(out, key=lambda p: sums[p])
        out[largest] += sum(sums.values()) // n - sum(out.values())
    return out


def causes(pair):
    device = all(side.time.get(side.rows[i]["step"]) for side, at in zip((pair.base, pair.new), pair.at) for i in at)
    base, new = (mean_step(s, at, device) for s, at in zip((pair.base, pair.new), pair.at))
    whole = sum(new.values()) - sum(base.values())
    rows = []
    for p in sorted(set(base) | set(new)):
        b, n = base.get(p, 0), new.get(p, 0)
        rows.append({"cause": p, "base_ns": b, "new_ns": n, "delta_ns": n - b, "share_pct": pct(n - b, whole)})
    return rows


COLUMNS = {"kernels": ("name",), "memcpy": ("kind", "name"), "runtime_api": ("name",), "operators": ("name",)}
MAIN = {"kernels": "total_ns", "memcpy": "device_total_ns", "runtime_api": "total_ns", "operators": "host_total_ns"}


def changed(base, new):
    if base == new:
        return "unchanged"
    return "added" if not base else "deleted" if not new else "increased" if new > base else "decreased"


def calls_a_step(base, new, at):
    """Calls per step in the compared steps; all calls for entries outside of steps."""
    inside = [sum(e[0] in where for e in entries) for entries, where in zip((base, new), at)]
    if not any(inside):
        return len(base), len(new)
    return [fractions.Fraction(n, len(where)) for n, where in zip(inside, at)]


def rows_of(side, table, key, at, cut):
    """Entries of a row in scope, and the row's time in each step."""
    entries = side.lists[table].get(key, ())
    where = {i: n for n, i in enumerate(at)}
    if cut:
        entries = [e for e in entries if e[0] in where]
    times = [0] * len(at)
    for step, ns, _ in entries:
        if step in where:
            times[where[step]] += ns
    return entries, times


def main_columns(side, main, entries):
    """Total, mean, largest, smallest of the table's main time."""
    stem = main[:-len("total_ns")]
    out = {side + "calls": len(entries), side + main: sum(e[1] for e in entries)}
    if entries:
        ns = [e[1] for e in entries]
        out.update({side + stem + "mean_ns": mean(sum(ns), len(ns)), side + stem + "max_ns": max(ns), side + stem + "min_ns": min(ns)})
    return out


def difference(pair, table):
    """All rows of diff_<table> in order, without names that are called inside themselves."""
    main, rows = MAIN[table], []
    base, new = pair.base, pair.new
    steps = not pair.per_run and base.marked and new.marked
    medians = [median([side.rows[i]["total_ns"] for i in at]) for side, at in zip((base, new), pair.at)] if steps else None
    keys = set(base.lists[table]) | set(new.lists[table])
    for key in keys:
        (b, base_times), (n, new_times) = (rows_of(s, table, key, at, cut) for s, at, cut in zip((base, new), pair.at, pair.cut))
        if not b and not n or table == "operators" and key in base.left_out | new.left_out:
            continue
        row = dict(zip(COLUMNS[table], key), **main_columns("base_", main, b), **main_columns("new_", main, n))
        row["delta_" + main] = row["new_" + main] - row["base_" + main]
        row["change"] = changed(len(b), len(n))
        if steps:
            c = pair.change(base_times, new_times)
            row.update(statistics(c), base_step_ns=c.base, new_step_ns=c.new, delta_step_ns=c.delta)
            if not c.moves(medians[0]) and c.exact:
                row["verdict"] = "same"
            row["change"] = changed(*calls_a_step(b, n, pair.at))
        rows.append(row)
    by = "delta_step_ns" if steps else "delta_" + main
    return sorted(rows, key=lambda r: (-abs(r.get(by) or 0), r.get("name")))
