#!/usr/bin/env python3
"""Identities that the tables satisfy on every trace: parts add up, the order of events in the file does not matter, a
slice written as a begin and an end is the same slice, single steps add up to all steps. Runs on the samples, and on
the PyTorch, AMD and Paddle traces of TRACETTY_CORPUS if set."""
import collections
import decimal
import glob
import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.environ.get("TRACETTY_CORPUS")
LARGEST = 1100000  # stored bytes: larger traces only repeat the smaller ones
SHUFFLE = 200000   # stored bytes: rewritten traces are read again several times
SKIP = ("run", "problems")  # facts about the file


def tables(path, *options):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", "all", *options, path], capture_output=True,
                       stdin=subprocess.DEVNULL)
    assert p.returncode == 0, "status %d: %s" % (p.returncode, p.stderr[-300:])
    doc = json.loads(p.stdout.decode("utf-8"))
    found = collections.defaultdict(list)
    for t in doc["tables"]:
        found[t["id"]] = t["rows"]
    return found


def total(rows, column):
    return sum(r.get(column) or 0 for r in rows)


def flat(found):
    return {t: sorted(json.dumps(r, sort_keys=True) for r in rows) for t, rows in found.items() if t not in SKIP and rows}


def difference(a, b):
    a, b = flat(a), flat(b)
    for t in sorted(set(a) | set(b)):
        x, y = a.get(t, []), b.get(t, [])
        if x != y:
            only = [r for r in x if r not in set(y)][:1] + [r for r in y if r not in set(x)][:1]
            return "%s: %d and %d rows; %s" % (t, len(x), len(y), "  |  ".join(only))
    return None


# ---- the trace as text, so that no digit changes ----

def read(path):
    raw = open(path, "rb").read()
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8", "surrogateescape")


class Events:
    """The event list of a trace as pieces of its text, and the text around it."""

    def __init__(self, text):
        at = 0 if text.lstrip()[:1] == "[" else text.index('"traceEvents"')
        at = text.index("[", at) + 1
        self.head, self.piece, self.value = text[:at], [], []
        decoder = json.JSONDecoder(parse_float=decimal.Decimal, parse_int=decimal.Decimal, strict=False)
        space = re.compile(r"[\s,]*")
        at = space.match(text, at).end()
        while text[at] != "]":
            value, end = decoder.raw_decode(text, at)
            self.piece.append(text[at:end])
            self.value.append(value)
            at = space.match(text, end).end()
        self.tail = text[at:]

    def write(self, pieces, path):
        with open(path, "wb") as f:
            f.write((self.head + ",\n".join(pieces) + self.tail).encode("utf-8", "surrogateescape"))


def shuffled(events, seed):
    """Random order, except that events of the same time keep theirs, because only the order in the file tells them
    apart."""
    order = list(range(len(events.piece)))
    random.Random(seed).shuffle(order)
    places = collections.defaultdict(list)
    for place, i in enumerate(order):
        places[str(events.value[i].get("ts"))].append((place, i))
    for group in places.values():
        for (place, _), i in zip(group, sorted(i for _, i in group)):
            order[place] = i
    return [events.piece[i] for i in order]


def nests(slices):
    stack = []
    for start, end in slices:
        while stack and stack[-1] <= start:
            stack.pop()
        if stack and end > stack[-1]:
            return False
        stack.append(end)
    return True


def split(events):
    """Write slices of nested tracks as begin and end events, in an order in which the pairs match."""
    tracks, pieces = collections.defaultdict(list), []
    for i, e in enumerate(events.value):
        usable = isinstance(e, dict) and e.get("ph") == "X" and isinstance(e.get("ts"), decimal.Decimal) and \
            isinstance(e.get("dur"), decimal.Decimal) and e["dur"] >= 0
        if usable:
            tracks[(str(e.get("pid")), str(e.get("tid")))].append((e["ts"], -e["dur"], i))
        else:
            pieces.append(events.piece[i])
    done = 0
    for track in tracks.values():
        track.sort()
        ok = nests([(ts, ts - dur) for ts, dur, _ in track])
        stack = []

        def close(until):
            while stack and (until is None or stack[-1][0] <= until):
                end, e = stack.pop()
                pieces.append(json.dumps({"ph": "E", "pid": plain(e.get("pid")), "tid": plain(e.get("tid")),
                                          "name": e.get("name"), "ts": "@"}).replace('"@"', str(end)))

        for ts, dur, i in track:
            begin = re.sub(r'"dur"\s*:\s*[0-9.]+\s*,', "", re.sub(r'"ph"\s*:\s*"X"', '"ph":"B"', events.piece[i], count=1), count=1)
            want = {k: v for k, v in events.value[i].items() if k != "dur"}
            want["ph"] = "B"
            same = ok and json.loads(begin, parse_float=decimal.Decimal, parse_int=decimal.Decimal, strict=False) == want
            if not same:
                pieces.append(events.piece[i])
                continue
            close(ts)
            pieces.append(begin)
            stack.append((ts - dur, events.value[i]))
            done += 1
        close(None)
    return pieces, done


def plain(v):
    return int(v) if isinstance(v, decimal.Decimal) else v


# ---- the identities ----

def check_sums(found):
    for step in found["step_breakdown"]:
        parts = [v for k, v in step.items() if k.endswith("_ns") and k not in ("total_ns", "start_at_ns") and v is not None]
        assert sum(parts) == step["total_ns"], "step %s: parts %d of %d" % (step["step"], sum(parts), step["total_ns"])
        assert min(parts) >= 0, "step %s has a negative part" % step["step"]
    for step in found["comm_steps"]:
        assert step["overlap_ns"] >= 0 and step["computation_ns"] >= 0 and step["communication_ns"] >= 0 and step["other_ns"] >= 0
    moved = [r for r in found["memcpy"] if r["kind"] != "host range"]
    kernels, copies = total(found["kernels"], "total_ns"), total(moved, "device_total_ns")
    device = [r for r in found["key_averages"] if r["side"] == "device"]
    assert total(device, "cuda_self_ns") == kernels + copies, "device rows of key_averages"
    assert total(device, "calls") == total(found["kernels"], "calls") + total(moved, "calls"), "calls of device rows"
    for table, column, side in (("operators", "device_self_ns", None), ("key_averages", "cuda_self_ns", "host")):
        own = total([r for r in found[table] if side is None or r["side"] == side], column)
        assert own <= kernels + copies, "%s launched %d of %d" % (table, own, kernels + copies)
    for r in found["operators"]:
        assert r["calls"] > 0 and r["host_min_ns"] <= r["host_mean_ns"] <= r["host_max_ns"], r["name"]
        if r["device_total_ns"] is not None:
            assert r["device_self_ns"] <= r["device_total_ns"], r["name"]
    for worker in {r.get("worker") for r in found["kernels"]}:
        rows = [r for r in found["kernels"] if r.get("worker") == worker]
        ratio = total(rows, "ratio_pct")
        assert abs(ratio - 100) < 1e-6 or not total(rows, "total_ns"), "ratios of kernels: %r" % ratio


def check_groups(path, found):
    """Finer groups of the same rows add up to the same."""
    for table, groups, columns in (("operators", ("shape", "stack"), ("calls", "host_self_ns", "host_total_ns", "device_self_ns")),
                                   ("key_averages", ("shape", "stack"), ("calls", "cpu_self_ns", "cuda_total_ns")),
                                   ("kernels", ("launch", "operator"), ("calls", "total_ns"))):
        for group in groups:
            p = subprocess.run([BIN, "summary", "--format", "json", "--table", table, "--group-by", group, path],
                               capture_output=True, stdin=subprocess.DEVNULL)
            rows = json.loads(p.stdout.decode("utf-8"))["tables"][0]["rows"]
            for column in columns:
                assert total(rows, column) == total(found[table], column), "%s by %s: %s" % (table, group, column)


def check_steps(path, found):
    steps = [int(r["step"]) for r in found["step_breakdown"]]
    if len(steps) < 2 or len(set(steps)) != len(steps):
        return
    parts = [tables(path, "--steps", "%d-%d" % (n, n)) for n in steps]
    whole = tables(path, "--steps", "%d-%d" % (min(steps), max(steps)))
    for table, columns in (("kernels", ("calls", "total_ns")), ("runtime_api", ("calls", "total_ns")), ("memcpy", ("calls", "bytes")),
                           ("operators", ("calls", "host_total_ns", "device_total_ns"))):
        for column in columns:
            got, want = sum(total(p[table], column) for p in parts), total(whole[table], column)
            assert got == want, "%s %s: steps give %d, all of them %d" % (table, column, got, want)
    assert [r["step"] for p in parts for r in p["step_breakdown"]] == [str(n) for n in steps], "steps shown one by one"


def copy_name(path, folder):
    """Keep the file's name, because it names the worker."""
    return os.path.join(folder, re.sub(r"\.gz$", "", os.path.basename(path)))


def check_order(path, found, events, folder):
    new = copy_name(path, folder)
    for seed in (1, 2):
        events.write(shuffled(events, seed), new)
        diff = difference(found, tables(new))
        assert diff is None, "shuffled: " + diff


def check_pairs(path, found, events, folder):
    new = copy_name(path, folder)
    if '"start_time"' in events.piece[0]:
        return  # Paddle's slices have exact times in args, which a begin event cannot hold
    pieces, done = split(events)
    if not done:
        return
    events.write(pieces, new)
    diff = difference(found, tables(new))
    assert diff is None, "begin and end: " + diff


def traces():
    for p in sorted(glob.glob(os.path.join(TOP, "assets/sample_gpu/*.json*"))[:1]) + glob.glob(os.path.join(TOP, "assets/sample_cpu*")):
        yield p
    if CORPUS:
        for kind in ("pytorch", "amd", "paddle"):
            for p in sorted(glob.glob(os.path.join(CORPUS, "traces", kind, "*", "*.json*"))):
                if os.path.getsize(p) <= LARGEST:
                    yield p


def main():
    failed = 0
    for path in traces():
        name = os.path.basename(os.path.dirname(path)) + "/" + os.path.basename(path)
        checks = [("sums", lambda f: check_sums(f)), ("groups", lambda f: check_groups(path, f)), ("steps", lambda f: check_steps(path, f))]
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = tables(path)
                if os.path.getsize(path) <= SHUFFLE:
                    events = Events(read(path))
                    checks += [("order of events", lambda f: check_order(path, f, events, folder)),
                               ("begin and end", lambda f: check_pairs(path, f, events, folder))]
                for what, check in checks:
                    try:
                        check(found)
                        print("ok   %s: %s" % (name, what))
                    except AssertionError as e:
                        failed += 1
                        print("FAIL %s: %s: %s" % (name, what, str(e)[:600]))
            except (AssertionError, ValueError) as e:
                failed += 1
                print("FAIL %s: %s" % (name, str(e)[:600]))
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
