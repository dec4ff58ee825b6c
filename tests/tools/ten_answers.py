#!/usr/bin/env python3
"""Answers to users' questions, from the events of a trace file: ten_answers.py QUESTION PATH. Fields are separated
by tabs."""
import collections
import glob
import gzip
import json
import re
import statistics
import sys


def events_of(path):
    data = open(path, "rb").read()
    doc = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return [e for e in (doc["traceEvents"] if isinstance(doc, dict) else doc) if isinstance(e, dict)]


def of(events, *cats):
    return [e for e in events if e.get("ph") == "X" and e.get("cat", "").lower() in cats]


def steps_of(events):
    found = [e for e in of(events, "user_annotation", "cpu_op", "operator") if e["name"].startswith("ProfilerStep#")]
    return sorted(found, key=lambda e: e["ts"])


def union(spans):
    total, end = 0, float("-inf")
    for a, b in sorted(spans):
        total += max(0, b - max(a, end))
        end = max(end, b)
    return total


def work(events):
    return of(events, "kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset")


LIBRARY = re.compile(r"(^|/)torch/|site-packages|dist-packages|^<|multiprocessing/|threading\.py|importlib|runpy\.py|_decorator|/lib/python")


def line_at(events, tid, ts):
    """The innermost frame of the program on a thread at a time."""
    around = [e for e in of(events, "python_function") if e["tid"] == tid and e["ts"] <= ts < e["ts"] + e["dur"]]
    for e in sorted(around, key=lambda e: e["dur"]):
        if re.match(r".+\.py\(\d+\): ", e["name"]) and not LIBRARY.search(e["name"]):
            return e["name"]
    return None


def brief(us):
    return "%.1f ms" % (us / 1000)


def short(name):
    return re.sub(r"^void ", "", name)[:24]


def kernel(path):
    events = events_of(path)
    total = collections.Counter()
    for e in of(events, "kernel"):
        total[e["name"]] += e["dur"]
    name = total.most_common(1)[0][0]
    launch = {e["args"]["correlation"]: e for e in of(events, "cuda_runtime", "cuda_driver") if "correlation" in e.get("args", {})}
    lines = collections.Counter()
    for e in of(events, "kernel"):
        if e["name"] == name and e["args"].get("correlation") in launch:
            call = launch[e["args"]["correlation"]]
            lines[line_at(events, call["tid"], call["ts"])] += e["dur"]
    return short(name), lines.most_common(1)[0][0]


def idle(path):
    """The slowest step: its number, and the share of it without device work."""
    events = events_of(path)
    step = max(steps_of(events), key=lambda e: e["dur"])
    a, b = step["ts"], step["ts"] + step["dur"]
    launched = {e["args"]["correlation"] for e in of(events, "cuda_runtime", "cuda_driver")
                if "correlation" in e.get("args", {}) and a <= e["ts"] < b}
    own = [e for e in work(events) if e.get("args", {}).get("correlation") in launched]
    b = max([b] + [e["ts"] + e["dur"] for e in own])
    busy = union([(max(a, e["ts"]), min(b, e["ts"] + e["dur"])) for e in work(events) if e["ts"] < b and e["ts"] + e["dur"] > a])
    return step["name"].split("#")[1], "%.1f%%" % (100 * (b - a - busy) / (b - a))


def slowest(path):
    steps = steps_of(events_of(path))
    longest = max(steps, key=lambda e: e["dur"])
    median = sorted(e["dur"] for e in steps)[(len(steps) - 1) // 2]
    return longest["name"].split("#")[1], "+%.1f ms" % ((longest["dur"] - median) / 1000), "%.1fx" % (longest["dur"] / median)


def straggler(folder):
    """The rank with the largest input wait of all."""
    waits = {}
    for path in sorted(glob.glob(folder + "/*.json.gz")):
        events = events_of(path)
        waits[re.search(r"rank(\d+)", path).group(1)] = max(e["dur"] for e in of(events, "user_annotation")
                                                           if e["name"].startswith("enumerate(DataLoader)"))
    return max(waits, key=waits.get), str(len(waits))


def memory(path):
    """The device's peak, its largest holder then, and the line that allocated it."""
    events = events_of(path)
    records = sorted((e for e in events if e.get("name") == "[memory]" and e["args"]["Device Type"] == 1), key=lambda e: e["ts"])
    top = max(records, key=lambda e: e["args"]["Total Allocated"])
    live = {}
    for e in records:
        if e["ts"] > top["ts"]:
            break
        if e["args"]["Bytes"] > 0:
            live[e["args"]["Addr"]] = e
        else:
            live.pop(e["args"]["Addr"], None)
    held, place = collections.Counter(), {}
    operators = of(events, "cpu_op")
    for e in live.values():
        around = [o for o in operators if o["tid"] == e["tid"] and o["ts"] <= e["ts"] < o["ts"] + o["dur"]]
        if around:
            name = min(around, key=lambda o: o["dur"])["name"]
            held[name] += e["args"]["Bytes"]
            place.setdefault(name, collections.Counter())[line_at(events, e["tid"], e["ts"])] += e["args"]["Bytes"]
    lines = {n: [l for l in place[n] if l] for n in held}
    name = next(n for n, _ in held.most_common() if lines[n])
    return "%.2f GiB" % (top["args"]["Total Allocated"] / 2**30), name, max(lines[name], key=lambda l: place[name][l])


def windows(events):
    """Windows of the steps. A step lasts until its launched device work ends, as in the TensorBoard plugin, and
    begins no sooner than its predecessor ends: together they are the account of the time."""
    launched = {e["args"]["correlation"]: e["ts"] for e in of(events, "cuda_runtime", "cuda_driver", "runtime") if "correlation" in e.get("args", {})}
    found, before = [], float("-inf")
    for step in steps_of(events):
        a, b = step["ts"], step["ts"] + step["dur"]
        ends = [e["ts"] + e["dur"] for e in work(events) if a <= launched.get(e.get("args", {}).get("correlation"), -1) < b]
        found.append((max(a, before), max([b] + ends)))
        before = found[-1][1]
    return found


def input(path):
    """Waits of the device for batches within the account: share, time, number, longest. While idle with its next
    work not launched, the device waits for the activity of the launching thread."""
    events = events_of(path)
    calls = {e["args"]["correlation"]: e for e in of(events, "cuda_runtime", "cuda_driver", "runtime") if "correlation" in e.get("args", {})}
    loads = [e for e in of(events, "user_annotation", "cpu_op", "operator") if e["name"].startswith("enumerate(DataLoader)")]
    account, waits = windows(events), []
    idle_from = account[0][0]
    for e in sorted(work(events), key=lambda e: e["ts"]):
        call = calls.get(e.get("args", {}).get("correlation"))
        if e["ts"] > idle_from and call:
            until = min(e["ts"], call["ts"] + call["dur"])
            spans = [(max(idle_from, x["ts"], a), min(until, x["ts"] + x["dur"], b)) for x in loads if x["tid"] == call["tid"] for a, b in account]
            wait = union([x for x in spans if x[0] < x[1]])
            waits += [wait] if wait > 0 else []
        idle_from = max(idle_from, e["ts"] + e["dur"])
    share = 100 * sum(waits) / sum(b - a for a, b in account)
    many = sum(w >= 0.01 * max(waits) for w in waits)
    return "%.1f%%" % share, brief(sum(waits)), str(many), brief(max(waits))


def median(path):
    """The median step."""
    return (brief(statistics.median(b - a for a, b in windows(events_of(path)))),)


def pageable(path):
    events = events_of(path)
    launch = {e["args"]["correlation"]: e for e in of(events, "cuda_runtime", "cuda_driver") if "correlation" in e.get("args", {})}
    lines, total = collections.Counter(), collections.Counter()
    for e in of(events, "gpu_memcpy"):
        if "Pageable" in e["name"] and e["args"].get("correlation") in launch:
            call = launch[e["args"]["correlation"]]
            total[e["name"]] += e["dur"]
            lines[e["name"], line_at(events, call["tid"], call["ts"])] += e["dur"]
    name = total.most_common(1)[0][0]
    return name[:20], max((l for l in lines if l[0] == name and l[1]), key=lambda l: lines[l])[1]


def device(path):
    """Share of the kernels' time on tensor cores, and of the account with device work."""
    events = events_of(path)
    kernels, account = of(events, "kernel"), windows(events)
    spans = [(max(a, e["ts"]), min(b, e["ts"] + e["dur"])) for e in work(events) for a, b in account]
    busy = union([x for x in spans if x[0] < x[1]])
    tensor = re.compile(r"(gemm|conv).*(bf16|f16|h)|nvjet|flash|cutlass.*tensorop|sm\d+_xmma|s\d+gemm", re.I)
    on = sum(e["dur"] for e in kernels if tensor.search(e["name"]))
    return "%.1f%%" % (100 * on / sum(e["dur"] for e in kernels)), "%.1f%%" % (100 * busy / sum(b - a for a, b in account))


def launches(path):
    """Share of device work without a launch in the file."""
    events = events_of(path)
    ids = {e["args"]["correlation"] for e in of(events, "cuda_runtime", "cuda_driver", "runtime") if "correlation" in e.get("args", {})}
    own = work(events)
    lost = [e for e in own if e.get("args", {}).get("correlation") not in ids]
    return "{:,} of {:,} GPU events".format(len(lost), len(own)), str(statistics.fmean([0]))


print("\t".join(str(v) for v in globals()[sys.argv[1]](sys.argv[2])))
