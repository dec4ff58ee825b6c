"""Sums that must hold within tracetty's own tables, on every trace of every kind."""
import collections

from .answer import Differs, tables


def need(holds, text, *values):
    if not holds:
        raise Differs(text % values)


def key(row):
    return tuple(row.get(k) for k in ("worker", "span", "step", "device"))


def gpu_time(rows):
    for r in rows:
        parts = [r[k + "_ns"] for k in ("computation", "communication_exposed", "copy_exposed", "idle")]
        need(sum(parts) == r["total_ns"] and min(parts) >= 0, "parts of %s: %s of %d", key(r), parts, r["total_ns"])
        need(r["busy_ns"] == r["total_ns"] - r["idle_ns"], "busy of %s", key(r))
        need(r["overlap_ns"] <= min(r["communication_ns"], r["computation_ns"]), "overlap of %s", key(r))
        need(r["communication_exposed_ns"] + r["overlap_ns"] == r["communication_ns"], "communication of %s", key(r))
        if r["total_ns"]:
            pct = [r[k + "_pct"] for k in ("computation", "communication_exposed", "copy_exposed", "idle")]
            need(abs(sum(pct) - 100) < 1e-4, "percentages of %s: %s", key(r), pct)


def causes(time_rows, cause_rows):
    """Idle time by cause against the idle time of the same row of gpu_time."""
    idle, pct = collections.Counter(), collections.Counter()
    for r in cause_rows:
        need(r["idle_ns"] > 0 and r["gaps"] > 0 and r["longest_ns"] * r["gaps"] >= r["idle_ns"], "row %s %s", key(r), r["cause"])
        idle[key(r)] += r["idle_ns"]
        pct[key(r)] += r["pct"]
    for r in time_rows:
        need(idle.pop(key(r), 0) == r["idle_ns"], "idle of %s: causes add up to something else than %d", key(r), r["idle_ns"])
    need(not +idle, "causes of %s, which gpu_time does not have", list(idle))
    for k, p in pct.items():
        need(abs(p - 100) < 1e-4, "percentages of %s: %s", k, p)


def gaps(rows, time_rows=None):
    last, idle = None, collections.Counter()
    for r in rows:
        parts = [r[k] for k in ("host_ns", "launch_ns", "queue_ns", "unknown_ns")]
        need(sum(parts) == r["duration_ns"] > 0, "gap at %d: parts %s", r["start_at_ns"], parts)
        need(last is None or r["duration_ns"] <= last, "the longest first: gap at %d", r["start_at_ns"])
        last = r["duration_ns"]
        idle[(r.get("worker"), r.get("span"), r["device"])] += r["duration_ns"]
    for r in time_rows or ():
        need(idle[(r.get("worker"), r.get("span"), r["device"])] == r["idle_ns"], "gaps of %s add up to something else", key(r))


def path(segments, time_rows=()):
    """Rows are in order and do not overlap; together they are the account, like the rows of gpu_time."""
    last, whole = {}, collections.Counter()
    for r in segments:
        k = (r.get("worker"), r.get("span"))
        need(r["end_at_ns"] - r["start_at_ns"] == r["duration_ns"] > 0, "segment at %d", r["start_at_ns"])
        need(k not in last or last[k] <= r["start_at_ns"], "an overlap before the segment at %d", r["start_at_ns"])
        last[k] = r["end_at_ns"]
        whole[k] += r["duration_ns"]
    for r in time_rows:
        k = (r.get("worker"), r.get("span"))
        need(k not in whole or whole[k] == r["total_ns"], "the path has %d of an account of %d", whole[k], r["total_ns"])


def path_groups(by, segments):
    whole = collections.Counter()
    for s in segments:
        whole[(s.get("worker"), s.get("span"))] += s["duration_ns"]
    for group, rows in by.items():
        total, pct, n = collections.Counter(), collections.Counter(), 0
        for r in rows:
            k = (r.get("worker"), r.get("span"))
            total[k] += r["total_ns"]
            pct[k] += r["pct"]
            n += r["segments"]
        need(total == whole, "%s: totals add up to %s of %s", group, total, whole)
        need(n == len(segments), "%s: %d segments of %d", group, n, len(segments))
        need(all(abs(p - 100) < 1e-4 for p in pct.values()), "%s: percentages %s", group, pct)


def what_if(rows, segments):
    whole = collections.Counter()
    for s in segments:
        whole[(s.get("worker"), s.get("span"))] += s["duration_ns"]
    for r in rows:
        total = whole[(r.get("worker"), r.get("span"))]
        need(0 <= r["saving_ns"] <= total, "saving of %s: %d of %d", r["name"], r["saving_ns"], total)
        need(0 <= r["path_ns"] <= total, "path of %s", r["name"])
        if r["saving_pct"] is not None and total:
            need(abs(r["saving_pct"] - 100 * r["saving_ns"] / total) < 1e-3, "percentage of %s", r["name"])


def queue(rows, curve):
    for r in rows:
        at = [c for c in curve if all(c.get(k) == r.get(k) for k in ("worker", "span", "device", "stream"))]
        need(at and at[-1]["length"] == 0 and min(c["length"] for c in at) >= 0, "curve of %s %s", key(r), r["stream"])
        need(r["empty_ns"] + r["full_ns"] <= at[-1]["at_ns"] - at[0]["at_ns"], "spans of %s %s", key(r), r["stream"])
        need(max(c["length"] for c in at) <= r["max_length"], "the longest of %s %s", key(r), r["stream"])


def copies(curve):
    last = {}
    for r in curve:
        need(r["gb_per_s"] >= 0, "rate at %d", r["at_ns"])
        last[key(r) + (r["kind"],)] = r["gb_per_s"]
    need(all(v == 0 for v in last.values()), "a rate does not end: %s", last)


def launches(by_name, by_api, by_launch):
    for column in ("works", "launches", "device_total_ns", "call_total_ns", "delay_total_ns", "short", "slow", "delayed"):
        sums = [sum(r[column] or 0 for r in rows) for rows in (by_name, by_api, by_launch)]
        need(len(set(sums)) == 1, "%s by name, API, launch: %s", column, sums)


def scope(paths, *options):
    """Parts and causes of one scope; the length of its critical path, and the possible savings."""
    said = tables(paths, "--table", "gpu_time,idle_causes,gpu_gaps,critical_path,what_if", *options)
    gpu_time(said["gpu_time"])
    causes(said["gpu_time"], said["idle_causes"])
    gaps(said["gpu_gaps"], said["gpu_time"])
    segments = tables(paths, "--table", "critical_path", "--group-by", "segment", *options)["critical_path"]
    path(segments, said["gpu_time"])
    groups = {"category": said["critical_path"]}
    for by in ("name", "operator"):
        groups[by] = tables(paths, "--table", "critical_path", "--group-by", by, *options)["critical_path"]
    path_groups(groups, segments)
    what_if(said["what_if"], segments)
    return said, segments


def trace(paths):
    said, segments = scope(paths)
    for by in ("step", "operator"):
        rows = tables(paths, "--table", "idle_causes", "--group-by", by)["idle_causes"]
        if by == "step":
            times = tables(paths, "--table", "gpu_time", "--group-by", "step")["gpu_time"]
            gpu_time(times)
            causes(times, rows)
        else:
            need(sum(r["idle_ns"] for r in rows) == sum(r["idle_ns"] for r in said["gpu_time"]), "idle by operator adds up to something else")
    for by in ("operator", "category"):
        what_if(tables(paths, "--table", "what_if", "--group-by", by)["what_if"], segments)
    rest = tables(paths, "--table", "queue,queue_curve,copy_curve,launches")
    queue(rest["queue"], rest["queue_curve"])
    copies(rest["copy_curve"])
    launches(rest["launches"], *(tables(paths, "--table", "launches", "--group-by", g)["launches"] for g in ("api", "launch")))
    return said
