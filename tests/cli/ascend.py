#!/usr/bin/env python3
"""Folders of Ascend NPUs and of MindSpore's profiler against their generators, which know the right tables: runs of
several sizes and versions, ranks alone and together. The order of rows, columns, events and files, the time of day and
an archive around the folder change nothing."""
import collections
import csv
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAKE = {kind: os.path.join(TOP, "tests", "tools", "make_%s_sample.py" % kind) for kind in ("ascend", "mindinsight")}

# Table: the columns that identify a row, options. Every other expected column is compared.
ASCEND = {
    "operators": (("name",), ("--group-by", "name")),
    "kernels": (("name", "core", "type"), ("--group-by", "name")),
    "op_types": (("core", "type"), ()),
    "runtime_api": (("level", "name"), ()),
    "comm_steps": (("step",), ()),
    "comm_ops": (("name",), ()),
    "cluster_steps": (("type", "index", "step"), ()),
    "cluster_communication": (("rank", "step", "kind", "group", "name"), ()),
    "cluster_links": (("rank", "step", "op", "src", "dst"), ()),
    "memory_events": (("device", "kind", "operator", "size_bytes", "duration_ns"), ()),
    "memory_devices": (("device",), ()),
}
MINDINSIGHT = {
    "step_trace": (("step",), ()),
    "step_trace_summary": (("part",), ()),
    "step_collectives": (("step", "stream"), ()),
    "op_types": (("core", "type"), ()),
    "op_details": (("core", "name"), ()),
    "data_queues": (("queue",), ()),
    "data_stages": (("stage",), ()),
    "data_pipeline": (("op_id",), ()),
    "data_cpu": (("scope", "op_id"), ()),
    "data_queue_curve": (("queue", "size"), ()),
    "cluster_steps": (("type", "index", "step"), ()),
    "cluster_links": (("rank", "step", "src", "dst"), ()),
    "kernels": (("name",), ("--group-by", "name")),
}
# With several ranks: rows that the program makes from all ranks together, or counts differently.
TOGETHER = {"comm_ops", "memory_devices"}
# The files round these values.
ROUNDED = {"ratio_pct": 6e-4, "pct": 6e-3, "wait_ratio_pct": 6e-3, "synchronization_ratio_pct": 6e-3}


def report(what, why=None):
    print("ok " + what if not why else "FAIL %s: %s" % (what, why))


def make(kind, folder, *options):
    """Write a folder and return the expected tables by worker."""
    subprocess.run([sys.executable, MAKE[kind], folder, "--expected", folder + ".expected", *options], check=True)
    with open(folder + ".expected") as f:
        return json.load(f)


def document(path, table, *options):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", table, *options, path], capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode:
        return {"tables": [], "error": "status %d: %s" % (p.returncode, p.stderr[-200:].decode("utf-8", "replace"))}
    return json.loads(p.stdout.decode("utf-8"))


def rows(doc, table):
    return next((t["rows"] for t in doc["tables"] if t["id"] == table), [])


# ---- the generator's values

def differs(column, want, got):
    if want == got and type(want) is type(got):
        return False
    if isinstance(want, (int, float)) and isinstance(got, (int, float)) and not isinstance(want, bool) and not isinstance(got, bool):
        if column == "mean_ns" or column.endswith("_mean_ns"):
            return abs(want - got) > 1
        if isinstance(want, int) and isinstance(got, int):
            return True
        return abs(want - got) > ROUNDED.get(column, 1e-9 * abs(want))
    return True


def compare(want, got, key):
    """The first difference of two lists of rows in any order; rows of one name are matched by their order."""
    found = collections.defaultdict(list)
    for r in got:
        found[tuple(r.get(k) for k in key)].append(r)
    for w in want:
        name = tuple(w.get(k) for k in key)
        if not found[name]:
            return "no row %s" % (name,)
        g = found[name].pop(0)
        for column, value in w.items():
            if column not in key and (column not in g or differs(column, value, g[column])):
                return "%s %s: got %s, want %s" % (name, column, g.get(column, "no such column"), value)
    left = [name for name, some in found.items() if some]
    return "%d rows more, as %s" % (len(left), left[0]) if left else None


def copies(path, want):
    """Copies of host memory by the device are one row, or one row for each kind."""
    doc = document(path, "memcpy")
    mine = [r for r in rows(doc, "memcpy") if str(r["kind"]).startswith("device")]
    got = {"calls": sum(r["calls"] for r in mine), "total_ns": sum(r["device_total_ns"] for r in mine)}
    return doc.get("error") or (None if got == want else "got %s, want %s" % (got, want))


def against(what, path, expected, tables):
    """Compare every table of a worker that was opened alone."""
    for table, (key, options) in tables.items():
        if table in expected:
            doc = document(path, table, *options)
            report("%s %s" % (what, table), doc.get("error") or compare(expected[table], rows(doc, table), key))
    if "memcpy" in expected:
        report("%s memcpy" % what, copies(path, expected["memcpy"]))


def together(what, path, expected, tables):
    """Compare every table of all workers together."""
    for table, (key, options) in tables.items():
        if table in TOGETHER:
            continue
        doc = document(path, table, *options)
        every = rows(doc, table)
        why = doc.get("error")
        several = any("worker" in r for r in every)
        for worker, mine in expected.items():
            if table in mine and several and not why:
                why = compare(mine[table], [r for r in every if r["worker"] in (worker, worker.replace("_ascend_pt", ""))], key)
                why = why and worker + " " + why
        if not several and not why:  # a table of ranks needs no column of workers
            why = compare([r for mine in expected.values() for r in mine[table]], [r for r in every if r.get("type") != "stage"], key)
        report("%s %s" % (what, table), why)


def ascend(tmp):
    folder = os.path.join(tmp, "ascend")
    expected = make("ascend", folder)
    for worker, mine in expected.items():
        against("ascend " + worker, os.path.join(folder, worker), mine, ASCEND)
    together("ascend run", folder, expected, ASCEND)
    worker = "rank2_ascend_pt"
    against("ascend inner folder", os.path.join(folder, worker, "ASCEND_PROFILER_OUTPUT"), expected[worker],
            {t: k for t, k in ASCEND.items() if t not in ("memory_events", "memory_devices") and not t.startswith("cluster_")})
    without = os.path.join(tmp, "without")  # follows from the timeline and kernel_details.csv
    shutil.copytree(os.path.join(folder, worker), without)
    for name in ("step_trace_time.csv", "op_statistic.csv"):
        os.remove(os.path.join(without, "ASCEND_PROFILER_OUTPUT", name))
    against("ascend computed", without, expected[worker], {t: ASCEND[t] for t in ("op_types", "cluster_steps", "comm_steps")})
    larger = os.path.join(tmp, "larger")
    expected = make("ascend", larger, "--ranks", "3", "--steps", "6", "--layers", "4", "--seed", "3", "--plain")
    for worker in ("rank0_ascend_pt", "rank1_ascend_pt"):
        against("ascend larger " + worker, os.path.join(larger, worker), expected[worker], ASCEND)


def mindinsight(tmp):
    for generation in ("3", "2", "1"):
        folder = os.path.join(tmp, "mindinsight" + generation)
        expected = make("mindinsight", folder, "--generation", generation)
        together("mindinsight generation %s" % generation, folder, expected, MINDINSIGHT)
    alone = os.path.join(tmp, "alone")
    expected = make("mindinsight", alone, "--devices", "1", "--steps", "40", "--seed", "5", "--plain")
    against("mindinsight one device", alone, expected["0"], MINDINSIGHT)


# ---- changes without effect

def every_table(path, shift=0):
    """Rows of all tables as texts, without places in files and names of the folder; times as if the trace began
    `shift` ns earlier."""
    doc = document(path, "all")
    assert "error" not in doc, doc["error"]
    found = {}
    for t in doc["tables"]:
        times = [c["key"] for c in t["columns"] if c["type"] == "time"]
        some = []
        for r in t["rows"]:
            if t["id"] == "run" and r["key"] in ("path", "run", "files", "start_epoch_ns", "file_bytes"):
                continue
            r = {k: v for k, v in r.items() if (t["id"], k) not in (("problems", "offset"), ("problems", "example"))}
            for k in times:
                if isinstance(r.get(k), int) and r[k] > 10 ** 15:
                    r[k] -= shift
            some.append(json.dumps(r, sort_keys=True))
        found[t["id"]] = sorted(some)
    return found


def same(what, want, path, shift=0):
    try:
        got = every_table(path, shift)
    except AssertionError as e:
        return report(what, str(e))
    for table in list(want) + [t for t in got if t not in want]:
        a, b = want.get(table, []), got.get(table, [])
        if a != b:
            mine, other = [next(iter(sorted(set(x) - set(y))), "nothing") for x, y in ((a, b), (b, a))]
            return report(what, "%s: %d and %d rows: %s | %s" % (table, len(a), len(b), mine[:300], other[:300]))
    return report(what)


def csv_files(folder):
    for where, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(".csv"):
                yield os.path.join(where, name)


def rewrite(path, change):
    with open(path, newline="", encoding="utf-8") as f:
        table = list(csv.reader(f))
    with open(path, "w", newline="", encoding="utf-8") as f:
        csv.writer(f, lineterminator="\n").writerows(change(table))


def shuffled_rows(path, rng):
    """Reorder the rows of a file whose order has no meaning: averages stay last; steps of cluster_analyse and calls of
    AI CPUs, which have no number, stay."""
    name = os.path.basename(path)

    def change(table):
        if "cluster_analyse" in name or name.startswith(("aicpu", "memory_record")):
            return table
        last = table[-1:] if name.startswith(("step_trace_raw", "hccl_raw")) else []
        body = table[1:len(table) - len(last)]
        rng.shuffle(body)
        return table[:1] + body + last
    return change


def shuffled_columns(rng):
    def change(table):
        order = list(range(len(table[0])))
        rng.shuffle(order)
        return [[row[k] for k in order if k < len(row)] for row in table]
    return change


def shuffled_events(folder, rng):
    for where, _, names in os.walk(folder):
        for name in names:
            if name.startswith("trace_view.json"):
                path = os.path.join(where, name)
                with gzip.open(path, "rt") as f:
                    lines = f.read().rstrip()[1:-1].split(",\n")
                rng.shuffle(lines)
                with gzip.open(path, "wt") as f:
                    f.write("[" + ",\n".join(lines) + "]")


def in_another_order(folder, to):
    """The same files, created in the opposite order of their names."""
    paths = [os.path.join(where, n) for where, _, names in os.walk(folder) for n in names]
    for path in sorted(paths, reverse=True):
        target = os.path.join(to, os.path.relpath(path, folder))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(path, target)


def with_windows_lines(table_path):
    with open(table_path, newline="", encoding="utf-8") as f:
        text = f.read()
    inside, out = False, []
    for c in text:
        inside = inside != (c == '"')
        out.append("\r\n" if c == "\n" and not inside else c)
    with open(table_path, "w", newline="", encoding="utf-8") as f:
        f.write("".join(out))


def relations(tmp, kind, later):
    rng = random.Random(14)
    base = os.path.join(tmp, "base_" + kind)
    make(kind, base)
    want = every_table(base)
    report("%s has tables" % kind, None if sum(map(len, want.values())) > 200 else "%d rows" % sum(map(len, want.values())))
    for what, change in (("rows", lambda p: rewrite(p, shuffled_rows(p, rng))), ("columns", lambda p: rewrite(p, shuffled_columns(rng))),
                         ("line ends", with_windows_lines)):
        folder = os.path.join(tmp, kind + what.replace(" ", ""))
        shutil.copytree(base, folder)
        for path in csv_files(folder):
            change(path)
        same("%s: other %s of csv files" % (kind, what), want, folder)
    if kind == "ascend":
        folder = os.path.join(tmp, kind + "events")
        shutil.copytree(base, folder)
        shuffled_events(folder, rng)
        same("ascend: events in another order", want, folder)
    folder = os.path.join(tmp, kind + "files")
    in_another_order(base, folder)
    same("%s: files in another order" % kind, want, folder)
    folder = os.path.join(tmp, kind + "later")
    make(kind, folder, "--start", str(later[0]))
    same("%s: another time" % kind, want, folder, later[1])
    archives(tmp, kind, base, want)


def archives(tmp, kind, base, want):
    names = sorted(os.path.relpath(os.path.join(where, n), base) for where, _, some in os.walk(base) for n in some)
    path = os.path.join(tmp, kind + ".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name in reversed(names):
            z.write(os.path.join(base, name), name)
    same("%s: in a zip file" % kind, want, path)
    path = os.path.join(tmp, kind + ".tar.gz")
    with tarfile.open(path, "w:gz") as t:
        for name in names:
            t.add(os.path.join(base, name), name)
    same("%s: in a tar file" % kind, want, path)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        ascend(tmp)
        mindinsight(tmp)
        relations(tmp, "ascend", (1730000000000000000 + 86400 * 10 ** 9, 86400 * 10 ** 9))
        relations(tmp, "mindinsight", (43806841592 + 777700, 7777000))


if __name__ == "__main__":
    main()
