#!/usr/bin/env python3
"""The same program recorded by other profilers: Kineto's traces written as databases have the numbers of the trace, in
every version and variant of the formats. The order of rows, ids, the time of recording, and one process or several
change nothing."""
import collections
import os
import random
import re
import sqlite3
import sys
import tempfile

from _databases import TRACES, capture, document, made, report, rocpd, rows, run, supported

NUMBERS = {
    "kernels": ("calls", "total_ns", "max_ns", "min_ns"),
    "runtime_api": ("calls", "total_ns", "max_ns", "min_ns"),
    "user_ranges": ("calls", "host_total_ns", "host_max_ns", "host_min_ns"),
    "memcpy": ("calls", "bytes", "device_total_ns", "device_max_ns", "device_min_ns"),
}
NSYS = {
    "oldest schema": dict(schema="2.9"),
    "newest schema": {},
    "registered strings": dict(registered=True, schema="2.9"),
    "domains": dict(domains=True),
    "domains and registered strings": dict(domains=True, registered=True),
}
ROCPD = {
    "views": {},
    "no views": dict(views=False),
    "no events": dict(events=False),
    "few columns": dict(full=False, views=False, suffix="0123456789abcdef0123456789abcdef"),
    "no suffix": dict(suffix="", views=False),
}
RPD = {"markers": {}, "ids of a merged session": dict(first_id=1 << 32), "monitors": dict(monitors=True), "no autograd": dict(operators=False)}


# ---- sums over the trace

def statistics(items, named):
    """{name: numbers}: calls, total, longest, shortest of (name, duration) items."""
    found = collections.defaultdict(list)
    for name, duration in items:
        found[name].append(duration)
    return {name: dict(zip(NUMBERS[named], (len(d), sum(d), max(d), min(d)))) for name, d in found.items()}


def copies(found, name_of):
    groups = collections.defaultdict(list)
    for w in found.work:
        if w.kind in ("copy", "set"):
            groups[name_of(w)].append(w)
    return {name: {"calls": len(ws), "bytes": sum(w.bytes for w in ws), "device_total_ns": sum(w.end - w.start for w in ws),
                   "device_max_ns": max(w.end - w.start for w in ws), "device_min_ns": min(w.end - w.start for w in ws)} for name, ws in groups.items() if name}


def expected(found, call=str, copy=lambda w: w.name, ranges=None):
    steps = [r for r in (found.ranges if ranges is None else ranges) if not r.name.startswith(capture.STEP)]
    return {"kernels": statistics(((w.name, w.end - w.start) for w in found.work if w.kind == "kernel"), "kernels"),
            "runtime_api": statistics(((call(c.name), c.end - c.start) for c in found.calls), "runtime_api"),
            "user_ranges": statistics(((r.name, r.end - r.start) for r in steps), "user_ranges"),
            "memcpy": copies(found, copy)}


def as_amd(w):
    """Names of copies where kinds of host memory are unknown; a memset of rocprofv3 is a kernel."""
    return re.sub(r"Pageable|Pinned", "Host", w.name)


def joined(old, new):
    """Numbers of two rows as those of one."""
    def of(c, a, b):
        return None if a is None or b is None else max(a, b) if "max" in c else min(a, b) if "min" in c else a + b
    return {c: of(c, old[c], v) for c, v in new.items()} if old else new


def numbers(path, table):
    """{name: numbers} of a table over all workers, without the ranges of steps, which a format may store as steps or as
    ranges. A process with steps is a worker."""
    found = {}
    for r in rows(table, path):
        if not r["name"].startswith(capture.STEP):
            found[r["name"]] = joined(found.get(r["name"]), {c: r[c] for c in NUMBERS[table]})
    return found


def difference(want, got):
    for name in sorted(set(want) | set(got)):
        if want.get(name) != got.get(name):
            return "%s: got %s, want %s" % (name, got.get(name), want.get(name))
    return None


def compare(what, path, want):
    for table, mine in want.items():
        try:
            report("%s: %s" % (what, table), difference(mine, numbers(path, table)))
        except AssertionError as e:
            report("%s: %s" % (what, table), e)


# ---- one program in all formats

def formats(tmp, found, _):
    want = expected(found)
    compare("the trace itself", TRACES[0], want)
    for name, options in NSYS.items():
        compare("nsys, " + name, made("nsys", os.path.join(tmp, "n.sqlite"), found, **options), want)
    amd = expected(found, rocpd.hip, as_amd)
    for name, options in RPD.items():
        path = made("rpd", os.path.join(tmp, "r.rpd"), found, **options)
        mine = dict(amd, memcpy={n: dict(v, bytes=None) if n == "Memset (Device)" else v for n, v in amd["memcpy"].items()})
        compare("rpd, " + name, path, mine)
    amd["kernels"][rocpd.FILL] = {c: amd["memcpy"]["Memset (Device)"]["device_" + c if c != "calls" else c] for c in NUMBERS["kernels"]}
    del amd["memcpy"]["Memset (Device)"]
    for name, options in ROCPD.items():
        compare("rocpd, " + name, made("rocpd", os.path.join(tmp, "r.db"), found, **options), amd)


# ---- launches

def innermost(found, ranges):
    """{(pid, correlation): the innermost range around the call, None = none}"""
    of_thread = collections.defaultdict(list)
    for r in ranges:
        of_thread[(r.pid, r.tid)].append(r)
    around = {}
    for c in found.calls:
        outer = [r for r in of_thread[(c.pid, c.tid)] if r.start <= c.start and c.end <= r.end]
        around[(c.pid, c.correlation)] = max(outer, key=lambda r: (r.start, -r.end)).name if outer else None
    return around


def by_operator(found, ranges):
    around = innermost(found, ranges)
    graphs = {(c.pid, c.correlation): "(graph)" for c in found.calls if "GraphLaunch" in c.name}  # the owner of work without a range
    return statistics((((w.name, around.get((w.pid, w.correlation)) or graphs.get((w.pid, w.correlation))), w.end - w.start) for w in found.work if w.kind == "kernel"), "kernels")


def launched(path, *columns, by="operator"):
    """{(name, the columns): numbers}; rows that differ only in other columns are merged."""
    found = {}
    for r in rows("kernels", "--group-by", by, path):
        key = tuple(r[c] or None for c in ("name",) + columns)
        found[key] = joined(found.get(key), {c: r[c] for c in NUMBERS["kernels"]})
    return found


def check(what, want, got):
    try:
        report(what, difference({str(k): v for k, v in want.items()}, {str(k): v for k, v in got().items()}))
    except AssertionError as e:
        report(what, e)


def no_step(found):
    return [r for r in found.ranges if not r.name.startswith(capture.STEP)]


def links(tmp, found, both):
    for name, mine, options in (("one process", found, {}), ("two processes", both, {}), ("graphs", capture.graphs(found, 6), {}),
                                ("oldest schema", found, dict(schema="2.9")), ("domains", found, dict(domains=True))):
        mine = mine.map(ranges=no_step(mine))
        path = made("nsys", os.path.join(tmp, "l.sqlite"), mine, operators=True, **options)
        check("nsys, %s: the range round the launch" % name, by_operator(mine, mine.ranges + mine.operators), lambda: launched(path, "operator"))
    path = made("rpd", os.path.join(tmp, "l.rpd"), found)
    check("rpd: the operator round the launch", by_operator(found, found.operators), lambda: launched(path, "operator"))
    path = made("nsys", os.path.join(tmp, "l.sqlite"), found)
    columns = "grid", "block", "registers", "shared_memory_bytes"
    of_launch = statistics((((w.name, str(w.grid), str(w.block), w.registers, w.shared or None), w.end - w.start) for w in found.work if w.kind == "kernel"), "kernels")
    check("nsys: sizes of launches", of_launch, lambda: launched(path, *columns, by="launch"))
    of_blocks = statistics((((w.name, str(w.grid), str(w.block)), w.end - w.start) for w in found.work if w.kind == "kernel"), "kernels")
    check("rpd: sizes of launches are blocks", of_blocks, lambda: launched(made("rpd", os.path.join(tmp, "l.rpd"), found), *columns[:2], by="launch"))
    check("rocpd: sizes of launches are blocks", of_blocks, lambda: {k: v for k, v in
        launched(made("rocpd", os.path.join(tmp, "l.db"), found), *columns[:2], by="launch").items() if k[0] != rocpd.FILL})


# ---- changes without effect

def everything(path, *words):
    doc = document("all", *words, path)
    return {t["id"]: [r for r in t["rows"] if t["id"] != "run" or r["key"] not in ("path", "run")] for t in doc["tables"]}


def same(what, a, b):
    for t in list(a) + [t for t in b if t not in a]:
        if a.get(t) != b.get(t):
            x, y = a.get(t) or [], b.get(t) or []
            at = next((i for i in range(max(len(x), len(y))) if x[i:i + 1] != y[i:i + 1]), 0)
            return report(what, "%s: %d and %d rows; %s | %s" % (t, len(x), len(y), str(x[at:at + 1])[:300], str(y[at:at + 1])[:300]))
    return report(what)


def beside(path):
    """A file with the same name in another folder, because workers are named after their files."""
    folder = os.path.join(os.path.dirname(path), "other")
    os.makedirs(folder, exist_ok=True)
    new = os.path.join(folder, os.path.basename(path))
    if os.path.exists(new):
        os.remove(new)
    return new


def rewritten(path, new, change):
    """A copy of a database with the rows that CHANGE(table, columns, rows) returns."""
    old, db = sqlite3.connect(path), sqlite3.connect(new)
    for kind, name, sql in old.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type").fetchall():
        db.execute(sql)
        if kind == "table":
            cursor = old.execute('SELECT * FROM "%s"' % name)
            columns = [d[0] for d in cursor.description]
            mine = change(name, columns, cursor.fetchall())
            db.executemany('INSERT INTO "%s" VALUES (%s)' % (name, ",".join("?" * len(columns))), mine)
    db.commit()
    db.close()
    return new


def shuffled(seed):
    def change(name, columns, found):
        random.Random(seed).shuffle(found)
        return found
    return change


def other_strings(name, columns, found):
    """Give the texts of an nsys export other ids, unrelated to their order."""
    ids = [i for i, c in enumerate(columns) if c in ("demangledName", "shortName", "nameId", "textId", "filenameId", "contentId") or name == "StringIds" and c == "id"]
    return [tuple(v if i not in ids or v is None else 3000000000 - 7 * v for i, v in enumerate(r)) for r in found]


def invariants(tmp, found, both):
    path = made("nsys", os.path.join(tmp, "a.sqlite"), found, registered=True, operators=True)
    base = everything(path)
    for seed in 1, 2:
        same("nsys: rows in order %d" % seed, base, everything(rewritten(path, beside(path), shuffled(seed))))
    same("nsys: other ids of strings", base, everything(rewritten(path, beside(path), other_strings)))
    for name, kind, mine in (("later on the profiler's clock", "nsys", capture.shifted(found, 123456789012)), ("other correlation ids", "nsys", capture.renumbered(found, 1 << 31))):
        same("nsys: " + name, base, everything(made(kind, beside(path), mine, registered=True, operators=True)))
    for kind, ending in ("rocpd", "db"), ("rpd", "rpd"):
        path = made(kind, os.path.join(tmp, "a." + ending), found)
        base = everything(path)
        same("%s: rows in another order" % kind, base, everything(rewritten(path, beside(path), shuffled(3))))
        same("%s: other ids of launches" % kind, base, everything(made(kind, beside(path), capture.renumbered(found, 1 << 31))))
    compare("nsys, two processes", made("nsys", os.path.join(tmp, "two.sqlite"), both), expected(both))
    compare("nsys, graphs", made("nsys", os.path.join(tmp, "g.sqlite"), capture.graphs(found, 6)), expected(capture.graphs(found, 6)))
    compare("rpd, graphs", made("rpd", os.path.join(tmp, "g.rpd"), capture.graphs(found, 6)), {"kernels": expected(found)["kernels"]})


def devices(tmp, found, _):
    """Facts of GPUs, under the numbers that the program used."""
    want = {"GPU%d" % d.id: (d.name, d.memory, "%d.%d" % (d.major, d.minor)) for d in found.devices}
    for name, options in NSYS.items():
        path = made("nsys", os.path.join(tmp, "v.sqlite"), found, **options)
        got = {r["device"]: (r["name"], r["memory_bytes"], r["compute_capability"]) for r in rows("devices", path)}
        report("nsys, %s: devices" % name, difference(want, got))
    for kind, ending in ("rocpd", "db"), ("rpd", "rpd"):
        got = {r["device"]: r["name"] for r in rows("devices", made(kind, os.path.join(tmp, "v." + ending), found))}
        report("%s: devices" % kind, difference({d: rocpd.DEVICE if kind == "rocpd" else None for d in want}, got))


def open_ranges(tmp, found, _):
    path = made("nsys", os.path.join(tmp, "open.sqlite"), found, open_range="never closed")
    report("nsys: a range that never ends is not counted", "never closed" in numbers(path, "user_ranges") and "it is")
    p = run("check", path)
    said = p.stdout + p.stderr
    report("nsys: a range that never ends is reported", None if p.returncode == 1 and b"never closed" in said else "status %d: %s" % (p.returncode, said[-300:]))


def differences(tmp, found, _):
    """Compare the trace with its database: no kernel, copy or call may differ."""
    path = made("nsys", os.path.join(tmp, "d.sqlite"), found)
    for table, ratio in ("diff_kernels", "kernels"), ("diff_memcpy", "memcpy"), ("diff_runtime_api", "runtime_api"):
        p = run("diff", "--format", "json", "--match", "short", "--table", table, TRACES[0], path)
        report("nsys against its trace: " + ratio, judged(p, table))


def judged(p, table):
    import json
    if p.returncode:
        return "status %d: %s" % (p.returncode, p.stderr[-300:].decode("utf-8", "replace"))
    found = next((t["rows"] for t in json.loads(p.stdout.decode("utf-8"))["tables"] if t["id"] == table), [])
    wrong = [r for r in found if r.get("delta_ns") or r.get("change") not in ("unchanged", "same", None)]
    return None if found and not wrong else "%d rows, of which differ: %s" % (len(found), str(wrong[:1])[:300])


def main():
    if not supported():
        print("skip relations: built without libsqlite3")
        return 0
    found, both = capture.capture(TRACES[0]), capture.capture(*TRACES)
    with tempfile.TemporaryDirectory() as tmp:
        for part in formats, links, invariants, devices, open_ranges, differences:
            try:
                part(tmp, found, both)
            except AssertionError as e:  # a database that does not open ends its part of the test
                report(part.__name__, e)
    return 0


if __name__ == "__main__":
    sys.exit(main())
