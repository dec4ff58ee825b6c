#!/usr/bin/env python3
"""export_keys.py FILE [--device]: checks the keys that TensorBoard's plugin, HTA and Perfetto look for in a trace of
PyTorch, and the rules of its text. FILE is the export of a recording of `target cuda-train`, or of any recording.
Each key has a row in a list."""
import json
import re
import sys

raw = open(sys.argv[1], "rb").read()
text = raw.decode("utf-8")  # fails unless the file is UTF-8
trace = json.loads(text)
events = trace["traceEvents"]


def check(what, good, found=""):
    print("ok " + what if good else "FAIL %s: %s" % (what, str(found)[:300]))


def whole(v): return isinstance(v, int) and not isinstance(v, bool)
def natural(v): return whole(v) and v >= 0
def positive(v): return whole(v) and v > 0
def number(v): return isinstance(v, (int, float)) and not isinstance(v, bool)
def string(v): return isinstance(v, str) and v != ""
def triple(v): return isinstance(v, list) and len(v) == 3 and all(positive(x) for x in v)
def shapes(v): return isinstance(v, list) and all(isinstance(x, list) for x in v)
def percent(v): return number(v) and 0 < v <= 100
def equals(want): return lambda v: type(v) is type(want) and v == want
def one_of(*wants): return lambda v: v in wants
def matches(pattern): return lambda v: isinstance(v, str) and re.search(pattern, v) is not None


NOT_THERE = object()
CPU = next(e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_labels" and e["args"]["labels"] == "CPU")
ranges = {e["args"]["External id"]: e for e in events if e.get("cat") in ("cpu_op", "user_annotation", "dataloader", "forward", "backward",
                                                                         "optimization") and e["ph"] == "X"}
a_range = lambda v: v in ranges
STEPS = sum(e["ph"] == "X" and e["cat"] == "user_annotation" and e["name"].startswith("ProfilerStep#") for e in events if "cat" in e)

# ---- the text
lines = text.split("\n")
first = next(i for i, line in enumerate(lines) if line == '"traceEvents": [')
last = len(lines) - 1 - lines[::-1].index("]}")
on_lines = [json.loads(line.rstrip(",")) for line in lines[first + 1:last]]
check("one event a line", on_lines == events and len(events) > 3, len(on_lines))
check("no NaN, no infinity", not re.search(r"[:\[, ](-?inf|-?nan|NaN|-?Infinity)\b", re.sub(r'"(\\.|[^"\\])*"', '""', text), re.I))
check("no control characters", not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", text))
check("no half characters", not re.search(r"\\u[dD][89a-fA-F]", text))
times = re.findall(r'"(?:ts|dur)": ([^,}]*)', text)
check("times are microseconds with three decimals", all(re.fullmatch(r"-?\d+\.\d{3}|0", t) for t in times), times[:3])
check("ids are numbers", all(whole(e["pid"]) and whole(e.get("tid", 0)) for e in events if e["name"] != "Record Window End"))
check("the last event is the end of the window", events[-1]["name"] == "Record Window End" and events[-1]["ph"] == "i" and
      (events[-1]["pid"], events[-1]["tid"], events[-1]["s"]) == ("", "", "g"), events[-1])
check("... and nothing on the host is later", all(e["ts"] + e.get("dur", 0) <= events[-1]["ts"] + 0.0015 for e in events), events[-1])

# ---- top-level members: (key, condition)
TOP = [("schemaVersion", equals(1)), ("displayTimeUnit", equals("ms")), ("baseTimeNanoseconds", positive), ("traceName", string),
       ("traceEvents", lambda v: isinstance(v, list)), ("tracetty.version", matches(r"^\d+\.\d+\.\d+$")), ("tracetty.clean_exit", equals(True)),
       ("tracetty.drops", equals({})), ("tracetty.windows", lambda v: v and all(len(w) == 2 and w[0] < w[1] for w in v)),
       ("tracetty.overhead_us", number)]
if "--device" in sys.argv:
    TOP += [("cupti_version", equals(130001)), ("cuda_driver_version", equals(13000)), ("cuda_runtime_version", equals(12040)),
            ("distributedInfo.backend", equals("nccl")), ("distributedInfo.rank", equals(3)), ("distributedInfo.world_size", equals(8)),
            ("tracetty.overhead_us", lambda v: abs(v - 0.7 * 2 * 3 * STEPS) < 1e-3)]
# values of the CUPTI double
DEVICE = [("id", 0), ("name", "A GPU for tests"), ("totalGlobalMem", 80 << 30), ("computeMajor", 9), ("computeMinor", 0),
          ("maxThreadsPerBlock", 1024), ("maxThreadsPerMultiprocessor", 2048), ("regsPerBlock", 65536), ("warpSize", 32),
          ("sharedMemPerBlock", 49152), ("numSms", 132), ("regsPerMultiprocessor", 65536), ("sharedMemPerBlockOptin", 232448),
          ("sharedMemPerMultiprocessor", 233472)]
for key, good in TOP:
    at = trace
    for part in key.split("."):
        at = at.get(part, NOT_THERE) if isinstance(at, dict) else NOT_THERE
    check("top level: " + key, at is not NOT_THERE and good(at), at)

# ---- metadata events: (name, pid, tid or None, key of args, condition)
META = [("process_name", CPU, None, "name", equals("target")), ("process_labels", CPU, None, "labels", equals("CPU")),
        ("process_sort_index", CPU, None, "sort_index", equals(CPU)),
        ("thread_name", CPU, CPU, "name", matches(r"^thread %d \(target\)$" % CPU)),
        ("thread_sort_index", CPU, CPU, "sort_index", equals(CPU))]
if "--device" in sys.argv:
    META += [("process_name", 0, None, "name", equals("target")), ("process_labels", 0, None, "labels", equals("GPU 0")),
             ("process_sort_index", 0, None, "sort_index", equals(5000000)), ("thread_name", 0, 7, "name", matches("^stream 7 ?$")),
             ("thread_sort_index", 0, 7, "sort_index", equals(7)), ("thread_name", 0, 9, "name", matches("^stream 9 ?$")),
             ("thread_sort_index", 0, 9, "sort_index", equals(9)), ("process_name", -1, None, "name", equals("CUPTI Overhead")),
             ("process_sort_index", -1, None, "sort_index", lambda v: v > 5000000)]
meta = {(e["name"], e["pid"], e.get("tid")): e["args"] for e in events if e["ph"] == "M"}
for name, pid, tid, key, good in META:
    who = "of the CPU" if pid == CPU else "of overhead" if pid < 0 else "of the GPU" if tid is None else "of stream %d" % tid
    found = meta.get((name, pid, tid), {}).get(key, NOT_THERE)
    check("metadata: %s %s" % (name, who), found is not NOT_THERE and good(found), found)
for e in events:
    if e["ph"] in "Xi" and e["pid"] != "" and ("thread_name", e["pid"], e["tid"]) not in meta:
        check("every thread has a name", False, e)
check("no metadata of threads that only counters are on", all(whole(tid) for _, _, tid in meta if tid is not None))

# ---- arguments: (selection of events, key, condition for each, least number with the key)
X = lambda *cats: lambda e: e["ph"] == "X" and e.get("cat") in cats
named = lambda cat, *names: lambda e: e["ph"] == "X" and e.get("cat") == cat and e["name"] in names
WORK = ("kernel", "gpu_memcpy", "gpu_memset")
each = None
ARGS = [(X("cpu_op", "user_annotation", "forward", "dataloader"), "External id", positive, each),
        (X("cpu_op", "user_annotation"), "Record function id", equals(0), each),
        (X("cpu_op", "user_annotation"), "Ev Idx", natural, each)]
if "--device" in sys.argv:
    launch = lambda e: e["ph"] == "X" and e["name"].startswith("cudaLaunch")
    nccl = lambda e: e["ph"] == "X" and e["name"].startswith("ncclDevKernel")
    ARGS += [(X("cpu_op"), "Input Dims", shapes, each), (X("cpu_op"), "Sequence number", lambda v: natural(v) and v % 10 == 0, each),
             (named("cpu_op", "MmBackward0"), "Fwd thread id", equals(CPU), each),
             (X("cuda_runtime", "cuda_driver"), "cbid", positive, each), (X("cuda_runtime", "cuda_driver"), "correlation", positive, each),
             (X("cuda_runtime", "cuda_driver"), "External id", a_range, each),
             (X("gpu_user_annotation"), "External id", a_range, each), (nccl, "Collective name", equals("allreduce"), each),
             (named("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"), "dtype", equals("Float"), each)]
    real = lambda e: e.get("cat") == "kernel" and not e["name"].startswith("CUDA Graph")
    for key, good in [("queued", whole), ("device", equals(0)), ("context", equals(1)), ("stream", equals(7)), ("correlation", positive),
                      ("External id", a_range), ("registers per thread", equals(40)), ("shared memory", equals(1024)),
                      ("blocks per SM", lambda v: abs(v - 512 / 132) < 1e-4), ("warps per SM", lambda v: abs(v - 512 / 132 * 4) < 1e-4),
                      ("grid", equals([256, 2, 1])), ("block", equals([128, 1, 1])), ("channel", equals(3)),
                      ("est. achieved occupancy %", lambda v: abs(v - 100 * 512 / 132 * 4 / 64) < 1e-3)]:
        ARGS += [(real, key, good, each)]
    ARGS += [(real, "graph id", equals(4), 12), (real, "graph node id", one_of(1, 2, 3), 12),
             (named("kernel", "CUDA Graph 5"), "graph id", equals(5), each)]
    for cat, keys in [("gpu_memcpy", []), ("gpu_memset", [])]:
        for key, good in [("device", equals(0)), ("context", equals(1)), ("stream", equals(7)), ("correlation", positive),
                          ("External id", a_range), ("bytes", one_of(4096, 65536)),
                          ("memory bandwidth (GB/s)", lambda v: number(v) and v > 0)]:
            ARGS += [(X(cat), key, good, each)]
    peer = named("gpu_memcpy", "Memcpy PtoP (Device -> Device)")
    ARGS += [(peer, "fromDevice", equals(0), each), (peer, "inDevice", equals(0), each), (peer, "toDevice", equals(1), each)]
    for name in ("Stream Sync", "Stream Wait Event", "Event Sync"):
        for key, good in [("cuda_sync_kind", equals(name)), ("stream", one_of(7, 9, -1)), ("correlation", positive), ("device", equals(0)),
                          ("context", equals(1))]:
            ARGS += [(named("cuda_sync", name), key, good, each)]
    waits = named("cuda_sync", "Stream Wait Event", "Event Sync")
    ARGS += [(waits, "wait_on_stream", equals(7), each), (waits, "wait_on_cuda_event_record_corr_id", positive, each),
             (waits, "wait_on_cuda_event_id", equals(2), each), (X("cuda_event"), "correlation", positive, each)]
    memory = lambda e: e["name"] == "[memory]"
    for key, good in [("Addr", positive), ("Bytes", whole), ("Device Type", equals(1)), ("Device Id", equals(0)), ("Total Allocated", natural),
                      ("Total Reserved", natural)]:
        ARGS += [(memory, key, good, each)]
for events_of, key, good, least in ARGS:
    of = [e for e in events if events_of(e)]
    bad = [e for e in of if (key in e["args"] or least is None) and not (key in e["args"] and good(e["args"][key]))]
    have = sum(key in e["args"] for e in of)
    what = of[0].get("cat", of[0]["name"]) + " " + of[0]["name"].split("(")[0] if of else "?"
    check("args of %s: %s" % (what, key), of and not bad and have >= (least or 1), bad[:1] or "%d of %d events" % (have, len(of)))

# ---- categories and names: (category, a name in it)
NAMES = [("user_annotation", matches(r"^ProfilerStep#\d+$")), ("cpu_op", equals("aten::mm"))]
if "--device" in sys.argv:
    NAMES += [("cuda_runtime", equals("cudaLaunchKernel")), ("cuda_runtime", equals("cudaGraphLaunch")), ("cuda_driver", equals("cuLaunchKernel")),
              ("kernel", equals("vecadd(float*, float*, int)")), ("gpu_memcpy", equals("Memcpy HtoD (Pinned -> Device)")),
              ("gpu_memset", equals("Memset (Device)")), ("cuda_sync", equals("Stream Sync")), ("cuda_event", string),
              ("overhead", equals("Command Buffer Full")), ("gpu_user_annotation", equals("model")),
              ("gpu_user_annotation", matches(r"^ProfilerStep#\d+$")), ("memory_pool", equals("Memory Pool Created")),
              ("cpu_instant_event", equals("[memory]"))]
for cat, good in NAMES:
    of = {e["name"] for e in events if e.get("cat") == cat}
    check("names of " + cat, any(good(n) for n in of), of)
if "--device" not in sys.argv:
    sys.exit()

for key, want in DEVICE:
    found = trace["deviceProperties"][0].get(key, NOT_THERE)
    check("device: " + key, type(found) is type(want) and found == want, found)
check("the rank as HTA finds it", any(re.search(r'"rank":\s+(\d+)', line) and '"rank": 3' in line for line in lines[:first]))
check("calls have no versions", not any(re.search(r"_v\d+$", e["name"]) for e in events))
check("overhead is nobody's thread", all((e["pid"], e["tid"]) == (-1, 0) for e in events if e.get("cat") == "overhead"))
starts = {e["ts"] for e in events if e["ph"] == "X"}
check("queued is not later than the start", all(e["args"]["queued"] <= e["ts"] for e in events if e.get("cat") == "kernel" and "queued" in e["args"]))

# ---- arrows from a call to its work
begins, ends = ([e for e in events if e["ph"] == ph and e["cat"] == "ac2g"] for ph in "sf")
calls = {e["args"]["correlation"]: e for e in events if e.get("cat") in ("cuda_runtime", "cuda_driver")}
work = {(e["args"]["correlation"], e["pid"], e["tid"], e["ts"]) for e in events if e.get("cat") in WORK}
at = lambda e: (e["pid"], e["tid"], e["ts"])
check("arrows: category and name", all(e["cat"] == e["name"] == "ac2g" for e in begins + ends))
check("arrows: ends bind to what is around them", all(e.get("bp") == "e" for e in ends) and not any("bp" in e for e in begins))
check("arrows: one begin a call", len({e["id"] for e in begins}) == len(begins) and {e["id"] for e in begins} == {e["id"] for e in ends})
check("arrows: begin at the call", all(at(e) == at(calls[e["id"]]) for e in begins))
check("arrows: end at the work", {(e["id"],) + at(e) for e in ends} == {w for w in work if w[0] in calls} and len(ends) > 100, len(ends))

# ---- arrows from the innermost operator with a sequence number to its backward
back = {e["id"]: e for e in events if e["ph"] == "f" and e["cat"] == "fwdbwd"}
check("arrows to backward: from each aten::mm to the MmBackward0 of its number", len(back) == STEPS > 0 and all(e["bp"] == "e" for e in back.values()) and
      {(at(e), at(back[e["id"]])) for e in events if e["ph"] == "s" and e["cat"] == "fwdbwd"} ==
      {(at(a), at(b)) for a in events if a["name"] == "aten::mm" for b in events if b["name"] == "MmBackward0"
       and a["args"]["Sequence number"] == b["args"]["Sequence number"]})

# ---- ranges on streams, from the first to the last work launched inside
on_stream, shades, bad = {}, [e for e in events if e.get("cat") == "gpu_user_annotation"], []
for w in [e for e in events if e.get("cat") in WORK]:
    on_stream.setdefault(at(w)[:2], []).append((w, calls[w["args"]["correlation"]]))
for g in shades:
    r = ranges[g["args"]["External id"]]
    first, last, thread = r["ts"], r["ts"] + r["dur"], at(r)[:2]
    mine = [w for w, c in on_stream[at(g)[:2]] if first <= c["ts"] and c["ts"] + c["dur"] <= last and at(c)[:2] == thread]
    good = mine and abs(g["ts"] - min(e["ts"] for e in mine)) < 0.0015 and \
        abs(g["ts"] + g["dur"] - max(e["ts"] + e["dur"] for e in mine)) < 0.0025
    bad += [] if good else [(g, len(mine))]
check("ranges on streams", len({(g["tid"], g["name"]) for g in shades}) >= 6 and len(shades) >= 6 * STEPS and not bad, bad[:1] or len(shades))

# ---- memory: running sums
total = 0
for e in [e for e in events if e["name"] == "[memory]"]:
    total += e["args"]["Bytes"]
    if e["args"]["Total Allocated"] != total or e["args"]["Total Reserved"] < total:
        check("totals of memory", False, (total, e))
check("memory: frees are negative", any(e["args"]["Bytes"] < 0 for e in events if e["name"] == "[memory]"))

# ---- counters
for name, keys in [("loss", {"loss"}), ("CPU utilisation %", {"process", "system"})]:
    of = [e for e in events if e["ph"] == "C" and e["name"] == name]
    check("counter " + name, of and all(keys <= set(e["args"]) and all(number(v) for v in e["args"].values()) for e in of), of[:2])
check("a counter's value is exact", {1 / 3, 1 / 4} <= {e["args"]["loss"] for e in events if e["ph"] == "C" and e["name"] == "loss"})
