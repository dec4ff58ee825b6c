#!/usr/bin/env python3
"""Relations that hold in every table of differences, for any runs:

  itself    X against X: no row is slower, faster, added or deleted, every difference is 0, both sides are equal
  mirror    A against B and B against A: base and new swapped, differences negated, intervals mirrored, equal p
  sums      totals of both sides per run equal `tracetty summary`; diff_causes adds up to the mean step's difference
  again     the same bytes twice, with one thread and with two

Runs on the samples, and on the small traces of TRACETTY_CORPUS if set; DIFF=all takes every trace (make diff-all),
DIFF=TEXT the traces whose path contains the text. Neighbours in the list are compared, too: other formats, other
vendors, a side without steps or device."""
import collections
import glob
import json
import os
import subprocess
import sys

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.environ.get("TRACETTY_CORPUS")
WHICH = os.environ.get("DIFF", "")
LARGEST = 90000  # stored bytes

LISTS = ("kernels", "operators", "memcpy", "runtime_api", "user_ranges", "modules", "stages", "comm_sizes", "key_averages")
STATISTICS = ("low_ns", "high_ns", "low_bytes", "high_bytes", "p_value", "verdict", "change", "share_pct", "metric")
SWAPPED = {"slower": "faster", "more": "less", "added": "deleted", "increased": "decreased"}
SWAPPED.update({v: k for k, v in SWAPPED.items()})
# values for no difference between a run and itself; None = unknown
NOTHING = {"verdict": ("same", "unclear", None), "change": ("unchanged", None)}
# tables whose rows have their own order, unlike that of the mirrored table
OTHER_ORDER = ("diff_operator_tree",)
# columns that depend on the base, or on the order of the rows
OF_A_SIDE = ("delta_pct", "ratio", "accumulated_delta_ns", "path")
MIN_EFFECT, OF_STEP = 0.01, 0.001


class Wrong(Exception):
    pass


def need(holds, text, *values):
    if not holds:
        raise Wrong(text % values)


def output(command, paths, *options):
    p = subprocess.run([BIN, command, *options, *paths], capture_output=True, stdin=subprocess.DEVNULL)
    need(p.returncode == 0, "%s: status %d: %s", command, p.returncode, p.stderr[-300:].decode("utf-8", "replace"))
    return p.stdout


def tables(command, paths, *options):
    doc = json.loads(output(command, paths, "--format", "json", *options).decode("utf-8"))
    return {t["id"]: t["rows"] for t in doc["tables"]}


def itself(path):
    for way in ((), ("--per", "run")):
        for name, rows in tables("diff", [path, path], "--table", "all", *way).items():
            for r in rows:
                same_sides(name, r)


def same_sides(name, r):
    for column, value in r.items():
        if column in NOTHING:
            need(value in NOTHING[column], "%s: %s is %s in %s", name, column, value, r)
        if column.startswith("delta_") or column == "share_pct":
            need(value in (0, None), "%s: %s is %s in %s", name, column, value, r)
        if column.startswith("base_"):
            need(value == r["new_" + column[5:]], "%s: %s differs from the other side in %s", name, column, r)
    for unit in ("ns", "bytes"):
        low, high = r.get("low_" + unit), r.get("high_" + unit)
        need((low is None) == (high is None) and (low is None or low == -high), "%s: interval of %s", name, r)
    need(r.get("p_value") in (1, None), "%s: p of %s", name, r)


def turned(r):
    """The row as the other direction must have it, as far as it follows."""
    out, r = {}, dict(r)
    if "base_name" in r:  # present if the names differ; a path belongs to the new run
        base, r["name"] = r["name"], r["base_name"] or r["name"]
        out["base_name"] = base if r.pop("base_name") else None
    for column, v in r.items():
        start, _, rest = column.partition("_")
        if start in ("base", "new") and rest:
            out[("new_" if start == "base" else "base_") + rest] = v
        elif column in OF_A_SIDE:
            continue
        elif start == "delta" and rest:
            out[column] = None if v is None else -v
        elif start in ("low", "high") and rest in ("ns", "bytes"):
            out[("high_" if start == "low" else "low_") + rest] = None if v is None else -v
        elif column in ("verdict", "change"):
            out[column] = SWAPPED.get(v, v)
        else:
            out[column] = v
    return out


def on_the_edge(r, step):
    """Whether a value lies between the limits of both sides. Effects are shares of the base, so if the medians differ
    it may be large enough for one side only."""
    base, new = (next((r[side + c] for c in ("_step_ns", "_ns", "_bytes") if r.get(side + c) is not None), None) for side in ("base", "new"))
    if base is None or new is None:
        return True
    values = [abs(v) for k, v in r.items() if v is not None and k in ("delta_step_ns", "delta_ns", "delta_bytes", "low_ns", "high_ns", "low_bytes", "high_bytes")]
    limits = [(MIN_EFFECT * abs(base), MIN_EFFECT * abs(new))] + ([(OF_STEP * step[0], OF_STEP * step[1])] if step else [])
    return any(min(pair) <= v <= max(pair) for v in values for pair in limits)


def phase(a, b):
    """The option for the phase that a diff of these runs compares."""
    chosen = json.loads(output("diff", [a, b], "--format", "json", "--table", "diff_summary").decode("utf-8"))["matched"].get("phase")
    return "--phase", chosen or "all"


def mirror(a, b):
    for way in ((), ("--per", "run")):
        way += phase(a, b)
        there, back = tables("diff", [a, b], "--table", "all", *way), tables("diff", [b, a], "--table", "all", *way)
        need(set(there) == set(back), "other tables: %s", sorted(set(there) ^ set(back)))
        step = next(((r["base_ns"], r["new_ns"]) for r in there.get("diff_summary", ()) if r["metric"] == "step" and r["base_ns"]), None)
        for name in there:
            turned_table(name, there[name], back[name], None if None in (step or ()) else step)


def turned_table(name, there, back, step):
    want = [turned(r) for r in there]
    got = [{k: v for k, v in r.items() if k not in OF_A_SIDE} for r in back]
    need(len(want) == len(got), "%s: %d and %d rows", name, len(want), len(got))
    if name in OTHER_ORDER:
        want, got = (sorted(rows, key=lambda r: json.dumps({k: v for k, v in r.items() if k != "verdict"}, sort_keys=True)) for rows in (want, got))
    for w, g in zip(want, got):
        if w.get("verdict") != g.get("verdict") and on_the_edge(g, step):
            pair = {w.pop("verdict"), g.pop("verdict")}
            need(len(pair - {"same", "unclear"}) < 2, "%s: verdicts %s of %s", name, pair, g)
        need(w == g, "%s: %s", name, {k: (w.get(k), g.get(k)) for k in g if w.get(k) != g.get(k)} or (w, g))


def sums(a, b):
    doc = json.loads(output("diff", [a, b], "--format", "json", "--table", "all", "--per", "run").decode("utf-8"))
    said, part = {t["id"]: t["rows"] for t in doc["tables"]}, phase(a, b)
    for name in LISTS:
        rows = said.get("diff_" + name)
        if not rows:
            continue
        keys = [k for k in rows[0] if not k.startswith(("base_", "new_", "delta_")) and k not in STATISTICS]
        for n, (side, path) in enumerate((("base_", a), ("new_", b))):
            workers = [pair[n] for pair in doc["matched"]["workers"]]
            of_summary(name, rows, keys, side, together(tables("summary", [path], "--table", name, *part)[name], keys, workers))
    for side, path in (("base_", a), ("new_", b)):
        tree = tables("summary", [path], "--table", "operator_tree", *part)["operator_tree"]
        if not any("worker" in r or "span" in r for r in tree):
            of_tree(said.get("diff_operator_tree", []), side, tree)
    causes(tables("diff", [a, b], "--table", "diff_causes,diff_summary", "--per", "step"))


def of_tree(rows, side, want):
    for column in ("host_total_ns", "device_total_ns"):
        for what, of in (("roots", lambda r: r["depth"] == 0), ("device work", lambda r: r["is_device"])):
            got = sum(r[side + column] or 0 for r in rows if of(r))
            all_of = sum(r[column] or 0 for r in want if of(r))
            need(got == all_of, "diff_operator_tree: %s of the %s is %d, in operator_tree %d", side + column, what, got, all_of)


def together(rows, keys, workers):
    """Sums over the rows of the compared workers and spans; a single worker and span as it is."""
    if not any("worker" in r or "span" in r for r in rows):
        return rows
    by = collections.defaultdict(list)
    for r in rows:
        if r.get("worker", workers[0]) in workers:
            by[tuple(str(r.get(k)) for k in keys)].append(r)
    return [{c: group[0][c] if c in keys else values([r[c] for r in group], c) for c in group[0] if "mean" not in c} for group in by.values()]


def values(of, column):
    if column.startswith(("max_", "min_")) or "_max_" in column or "_min_" in column:
        known = [v for v in of if v is not None]
        return (max if "max" in column else min)(known) if known else None
    if None in of:
        return None  # unknown for one worker makes the sum unknown
    return sum(of) if all(isinstance(v, int) for v in of) else of[0]


def of_summary(name, rows, keys, side, want):
    columns = [c[len(side):] for c in rows[0] if c.startswith(side) and not c.endswith("step_ns")]
    by = collections.defaultdict(list)
    for r in rows:
        by[tuple(str(r[k]) for k in keys)].append(r)
    for w in want:
        rows_there = by.pop(tuple(str(w.get(k)) for k in keys), None)
        need(rows_there is not None, "diff_%s has no row %s", name, [w.get(k) for k in keys])
        if len(rows_there) > 1:
            continue  # rows of several workers or with equal names
        for c in columns:
            if c not in w and "mean" in c:
                continue
            source = c if c in w else "occurrences" if c == "calls" and "occurrences" in w else None
            need(source is not None, "diff_%s: no column %s in %s", name, c, name)
            need(rows_there[0][side + c] == w[source], "diff_%s: %s%s of %s is %s, in summary %s", name, side, c, [w.get(k) for k in keys],
                 rows_there[0][side + c], w[source])
    for k, left in by.items():
        need(all(not r.get(side + "calls") for r in left), "diff_%s: %s is not in summary, but has %scalls", name, k, side)


def causes(said):
    """The difference of each part is that of its sides; the shares add up to the whole."""
    rows = said.get("diff_causes") or ()
    need(all(r["delta_ns"] == r["new_ns"] - r["base_ns"] for r in rows if None not in (r["base_ns"], r["new_ns"])), "a difference in diff_causes: %s", rows)
    shares = [r["share_pct"] for r in rows]
    if shares and None not in shares:
        need(abs(sum(shares) - 100) < 1e-3 or not any(shares), "shares add up to %s", sum(shares))


def again(a, b):
    first = output("diff", [a, b], "--format", "json", "--table", "all")
    for options in ((), ("--threads", "1"), ("--threads", "2")):
        need(output("diff", [a, b], "--format", "json", "--table", "all", *options) == first, "another answer %s", " ".join(options))


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(f, n)) for f, _, names in os.walk(path) for n in names)


def of_the_corpus():
    """Paths of the corpus' cases: a file, or a folder of several."""
    found = set()
    for case in glob.glob(os.path.join(CORPUS, "cases", "*.json")):
        paths = json.load(open(case, encoding="utf-8"))["paths"]
        found.add(os.path.join(CORPUS, paths[0] if len(paths) == 1 else os.path.dirname(paths[0])))
    return sorted(p for p in found if os.path.exists(p) and readable(p))


def readable(path):
    return subprocess.run([BIN, "summary", "--table", "run", path], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0


def traces():
    found = sorted(glob.glob(os.path.join(TOP, "assets", "sample_*")))
    if CORPUS:
        found += of_the_corpus()
    if WHICH not in ("", "all"):
        return [p for p in found if WHICH in p]
    return [p for p in found if WHICH == "all" or size(p) <= LARGEST and "speedscope" not in p]


def label(path):
    return os.sep.join(path.rstrip(os.sep).split(os.sep)[-2:])


def check(what, test, *paths):
    try:
        test(*paths)
        print("ok %s %s" % (what, " ".join(label(p) for p in paths)))
        return 0
    except (Wrong, KeyError, ValueError) as e:
        print("FAIL %s %s: %s" % (what, " ".join(label(p) for p in paths), (str(e) if isinstance(e, Wrong) else repr(e))[:1500]))
        return 1
    finally:
        sys.stdout.flush()


def main():
    if not CORPUS:
        print("skip real traces: TRACETTY_CORPUS is not set")
    failed, found = 0, traces()
    for i, path in enumerate(found):
        failed += check("itself", itself, path)
        other = found[(i + 1) % len(found)]
        for what, test in (("mirror", mirror), ("sums", sums), ("again", again)):
            failed += check(what, test, path, other)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
