"""Tables launches, queue, queue_curve, copy_curve, memcpy, kernel_sequences, comm_sizes."""
import bisect
import collections

from .idle import device_name
from .spans import length, mean, middle, union
from .trace import number_or_none

LONG = 50000      # ns: longer calls are slow
DELAYED = 100000  # ns: longer waits are delays
FULL = 1024       # waiting launches that fill a stream's queue
SIZES = {"float": 4, "bfloat16": 2, "half": 2, "double": 8, "int": 4, "long": 8, "byte": 1, "char": 1, "short": 2, "bool": 1,
         "float8_e4m3fn": 1, "float8_e5m2": 1}


def launches(trace, by):
    rows = {}
    for w in trace.work:
        if not w.launch:
            continue
        call = w.launch
        name = w.name if by == "name" else call.name
        r = rows.setdefault(name, {"name": name, "works": 0, "launches": 0, "device_total_ns": 0, "call_total_ns": 0, "delay_total_ns": 0,
                                   "short": 0, "slow": 0, "delayed": 0, "delays": []})
        r["works"] += 1
        r["device_total_ns"] += w.end - w.start
        if not w.first:
            continue
        took, delay = call.end - call.start, max(0, w.start - call.end)
        r["launches"] += 1
        r["call_total_ns"] += took
        r["call_max_ns"] = max(r.get("call_max_ns", 0), took)
        r["delays"].append(delay)
        r["short"] += took <= LONG and w.end - w.start < took
        r["slow"] += took > LONG
        r["delayed"] += delay > DELAYED
    for r in rows.values():
        d = r.pop("delays")
        if d:
            r.update(delay_total_ns=sum(d), delay_mean_ns=mean(sum(d), len(d)), delay_median_ns=middle(d), delay_min_ns=min(d), delay_max_ns=max(d),
                     call_mean_ns=mean(r["call_total_ns"], len(d)))
    return list(rows.values())


def queue_changes(trace):
    """Queue changes by (device, stream): [(time, +1 or -1)], at equal times +1 first."""
    out = {}
    for key, work in trace.streams.items():
        changes = [c for w in work if w.launch for c in ((min(w.launch.start, w.start), 1), (w.start, -1))]
        if changes:
            out[key] = sorted(changes, key=lambda c: (c[0], -c[1]))
    return out


def queue(trace):
    rows = []
    for (device, stream), changes in queue_changes(trace).items():
        n = most = area = empty = full = 0
        at = changes[0][0]
        for t, by in changes:
            area += n * (t - at)
            empty += (t - at) * (n == 0)
            full += (t - at) * (n >= FULL)
            n, at = n + by, t
            most = max(most, n)
        span = changes[-1][0] - changes[0][0]
        rows.append({"device": device_name(trace, device), "stream": stream, "launches": len(changes) // 2, "max_length": most,
                     "mean_length": area / span if span else None, "empty_ns": empty, "empty_pct": 100 * empty / span if span else None,
                     "full_ns": full})
    return rows


def queue_curve(trace):
    """Queue length after the last change of each instant."""
    rows = []
    for (device, stream), changes in queue_changes(trace).items():
        n, lengths = 0, {}
        for t, by in changes:
            n += by
            lengths[t] = n
        rows += [{"device": device_name(trace, device), "stream": stream, "at_ns": t - trace.base, "length": n} for t, n in lengths.items()]
    return rows


def memcpy(trace):
    by = collections.defaultdict(list)
    for w in trace.work:
        if w.of == "copy" and not w.is_set:
            by[w.name].append(w)
    rows = []
    for name, works in by.items():
        sizes = [number_or_none(w.args.get("bytes")) for w in works]
        took = sum(w.end - w.start for w in works)
        known = all(s is not None for s in sizes)
        rates = [s / (w.end - w.start) for s, w in zip(sizes, works) if s is not None and w.end > w.start]
        rows.append({"kind": "device copy", "name": name, "calls": len(works), "bytes": sum(sizes) if known else None,
                     "gb_per_s": sum(sizes) / took if known and took else None,
                     "max_gb_per_s": max(rates) if rates else None})
    return rows


def outermost(trace):
    """Operators of each thread outside of other operators: {thread: [slice]}."""
    out = {}
    for thread, slices in trace.on_thread.items():
        end, found = None, []
        for s in sorted((s for s in slices if s.kind == "operator"), key=lambda s: (s.start, -s.end, s.tie, s.order)):
            if end is None or s.start >= end:
                found.append(s)
                end = s.end
        out[thread] = found
    return out


def stream_order(work):
    """Order of streams for work that begins at one instant: by number, then named ones."""
    stream = str(work.args.get("stream", ""))
    return (0, int(stream), "") if stream.isdigit() else (1, 0, stream)


def kernel_sequences(trace):
    tops, works = outermost(trace), collections.defaultdict(list)
    starts = {t: [s.start for s in v] for t, v in tops.items()}
    for w in trace.work:  # by start, then file order
        if not w.launch:
            continue
        thread = w.launch.thread
        i = bisect.bisect_right(starts[thread], w.launch.start) - 1
        if i >= 0 and w.launch.start < tops[thread][i].end:
            works[tops[thread][i]].append(w)
    by = collections.defaultdict(list)
    for op, list_ in works.items():
        list_.sort(key=lambda w: (w.start, stream_order(w)))
        if len(list_) >= 2:
            by[(op.name, "; ".join(w.name for w in list_))].append((op, list_))
    return [{"name": name, "kernels": kernels, "calls": len(v),
             "device_total_ns": sum(length(union((w.start, w.end) for w in ws)) for _, ws in v),
             "host_total_ns": sum(op.end - op.start for op, _ in v)} for (name, kernels), v in by.items() if len(v) > 1]


def comm_sizes(trace):
    by = collections.defaultdict(list)
    for w in trace.work:
        a = w.args
        if w.of == "communication" and "Collective name" in a and "In msg nelems" in a:
            size = SIZES.get(str(a.get("dtype")).lower())
            if size is not None:
                key = (a["Collective name"], a.get("dtype"), a.get("Process Group Name"), number_or_none(a.get("Group size")),
                       number_or_none(a["In msg nelems"]) * size, number_or_none(a.get("Out msg nelems")) * size)
                by[key].append(w.end - w.start)
    rows = []
    for (op, dtype, group, n, in_bytes, out_bytes), v in by.items():
        low, total = op.lower(), sum(v)
        size = out_bytes if "gather" in low else in_bytes
        rate = size * len(v) / total if total else None
        factor = 1
        if n and "allreduce" in low.replace("_", ""):
            factor = 2 * (n - 1) / n
        elif n and any(k in low.replace("_", "") for k in ("gather", "scatter", "alltoall")):
            factor = (n - 1) / n
        rows.append({"operation": op, "dtype": dtype, "group": group, "group_size": n, "in_bytes": in_bytes, "out_bytes": out_bytes,
                     "calls": len(v), "total_ns": total, "mean_ns": mean(total, len(v)), "min_ns": min(v), "algbw_gb_per_s": rate,
                     "busbw_gb_per_s": rate * factor if rate is not None else None})
    return rows


def copy_curve(trace):
    """Bytes per time of all copies of a kind, after each instant of a change; a copy moves its bytes evenly."""
    changes = collections.defaultdict(collections.Counter)
    for w in trace.work:
        size = number_or_none(w.args.get("bytes")) if w.of == "copy" else None
        if size is not None and w.end > w.start:
            rate = size * 10 ** 9 // (w.end - w.start)
            kind = w.name.split("(")[0].strip()
            changes[(w.device, kind)][w.start] += rate
            changes[(w.device, kind)][w.end] -= rate
    rows = []
    for (device, kind), by in changes.items():
        rate = 0
        for t in sorted(by):
            rate += by[t]
            rows.append({"device": device_name(trace, device), "kind": kind, "at_ns": t - trace.base, "gb_per_s": rate / 10 ** 9})
    return rows
