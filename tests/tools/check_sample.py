#!/usr/bin/env python3
"""Checks that a sample trace is possible: check_sample.py FILE... prints one line "ok" or "FAIL" for each rule.

Slices of a thread or stream nest, streams never run two slices at once, kernels start after their launch, flows have
two ends, memory totals add up, no live block is handed out again, and the collectives of all files end at the same
times."""
import gzip
import json
import sys
from collections import defaultdict
from decimal import Decimal

failed = 0


def rule(name, bad):
    global failed
    bad = list(bad)
    failed += bool(bad)
    print("%s %s %s" % ("FAIL" if bad else "ok", name, bad[:3] if bad else ""))


def ns(value):
    return int(value * 1000)


def crossing(slices):
    stack = []
    for start, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
        while stack and stack[-1][1] <= start:
            stack.pop()
        if stack and end > stack[-1][1]:
            yield name, start, stack[-1][2]
        stack.append((start, end, name))


def check(path):
    doc = json.loads(gzip.open(path).read(), parse_float=Decimal)
    events = doc["traceEvents"]
    rows, work, launches, device, flows = defaultdict(list), defaultdict(list), {}, [], defaultdict(list)
    memory, ends = defaultdict(list), []
    for e in events:
        if e["ph"] == "X":
            start = ns(e["ts"])
            end = start + ns(e["dur"])
            rows[e["pid"], e["tid"]].append((start, end, e["name"]))
            if e["cat"] in ("kernel", "gpu_memcpy", "gpu_memset"):
                work[e["tid"]].append((start, end, e["name"]))
                device.append((e["args"]["correlation"], start, e["name"]))
            if e["cat"] in ("cuda_runtime", "cuda_driver"):
                launches[e["args"]["correlation"]] = start
            if "AllReduce" in e["name"]:
                ends.append(end)
        elif e["ph"] in "sf":
            flows[e["cat"], e["id"]].append((ns(e["ts"]), e["ph"]))
        elif e["name"] == "[memory]":
            memory[e["args"]["Device Type"]].append((ns(e["ts"]), e["args"]))
    name = path.rsplit("/", 1)[-1].split(".")[0]
    rule(name + " slices nest", (c for row in rows.values() for c in crossing(row)))
    rule(name + " streams run one thing at a time",
         (b for s in work.values() for a, b in zip(sorted(s), sorted(s)[1:]) if b[0] < a[1]))
    rule(name + " kernels start after their launch", (d for d in device if d[1] <= launches[d[0]]))
    rule(name + " flows go forward", (k for k, v in flows.items() if k[0] == "fwdbwd" and [p for _, p in sorted(v)] != ["s", "f"]))
    bad, live = [], {}
    for kind, records in memory.items():
        total = None
        for ts, a in sorted(records, key=lambda r: r[1]["Ev Idx"]):
            if total is not None and total + a["Bytes"] != a["Total Allocated"]:
                bad.append((kind, ts, "total"))
            total = a["Total Allocated"]
            if total > a["Total Reserved"] and kind:
                bad.append((kind, ts, "reserved"))
            if a["Bytes"] > 0:
                if (kind, a["Addr"]) in live:
                    bad.append((kind, ts, "handed out twice"))
                live[kind, a["Addr"]] = a["Bytes"]
            elif live.pop((kind, a["Addr"]), None) != -a["Bytes"]:
                bad.append((kind, ts, "freed what was not there"))
    rule(name + " memory adds up", bad)
    rule(name + " memory is given back", [live] if live else [])
    return ends


all_ends = [check(p) for p in sys.argv[1:]]
rule("collectives end together", [(a[:3], all_ends[0][:3]) for a in all_ends if a != all_ends[0]])
sys.exit(failed > 0)
