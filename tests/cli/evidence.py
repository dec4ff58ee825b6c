#!/usr/bin/env python3
"""Evidence on the timeline: Enter on a finding shows its window with only the device's idle lane, the critical path
and the rows of its cause; [ and ] move through its pieces; going back restores the user's view. Also the way from a
kernel and from a rank to the timeline, the axis of traces with outliers, and the rows of counters, each against the
trace file."""
import concurrent.futures
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
CORPUS = os.environ.get("TRACETTY_CORPUS")
SAMPLE = "assets/sample_gpu"
RANK0 = SAMPLE + "/train_rank0.1700000000000.pt.trace.json.gz"
failed = 0


def report(ok, what, detail=""):
    global failed
    failed += not ok
    print("ok %s" % what if ok else "FAIL %s: %s" % (what, detail))


def screen(path, name, keys="", size="120x35", *options):
    p = subprocess.run([BIN, "summary", "--screen", name, "--size", size, "--keys", keys, *options, path], capture_output=True,
                       stdin=subprocess.DEVNULL)
    if p.returncode:
        raise RuntimeError("status %d: %s" % (p.returncode, p.stderr[-300:]))
    return p.stdout.decode("utf-8").split("\n")


def labels(lines):
    """The label column of the rows, from below the ruler to the pane."""
    out = []
    edge = lines[4].find("\u2502")
    for line in lines[5:]:
        if edge < 0 or line[edge:edge + 1] != "\u2502":
            break
        text = line[:edge].strip(" \u25c0\u2191\u2193\u25b6\u25bc")
        if text:
            out.append(text)
    return out


def events(path):
    text = gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    return [e for e in json.loads(text)["traceEvents"] if e.get("ph") == "X"]


def on_evidence(path, size="120x35", after=""):
    """The screen after Enter on the first finding, wherever the Overview's first list begins."""
    for keys in ("Enter", "Tab Enter", "Tab Tab Enter", "Tab Tab Tab Enter"):
        lines = screen(path, "overview", keys + after, size)
        if any(line.startswith("evidence") for line in lines):
            return keys, lines
    return "", lines


def table(path, name, *options):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", name, "--limit", "0", *options, path], capture_output=True,
                       stdin=subprocess.DEVNULL)
    tables = json.loads(p.stdout)["tables"] if p.returncode == 0 else []
    return tables[0]["rows"] if tables else []


def said_ns(text):
    """A duration on the screen in nanoseconds."""
    m = re.match(r"(\d+(?:\.\d+)?) (ns|\u00b5s|ms|s)\b", text)
    return float(m.group(1)) * {"ns": 1, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9}[m.group(2)] if m else None


def about(text, ns):
    """Whether the text shows this time, as precisely as a screen can."""
    said = said_ns(text)
    return said is not None and abs(said - ns) <= max(0.006 * ns, 1)


def piece(lines):
    """The piece named in the status line: its index, the number of pieces, its length."""
    m = next(filter(None, (re.match(r" ?evidence: piece ([\d,]+) of ([\d,]+)(?:, round again)?, (\S+ \S+?)(?:\s|$)", x) for x in lines)), None)
    return (int(m.group(1).replace(",", "")), int(m.group(2).replace(",", "")), m.group(3)) if m else (None, None, "")


def on_finding(path, row, size, after="", *options):
    return screen(path, "overview", ': "table findings" Enter ' + "j " * row + "Enter" + after, size, *options)


def has_thread(rows, thread):
    """Whether a label shows the thread; long labels are cut in the middle, and their words may be reordered: a number
    or a name stays."""
    number = re.search(r"(\d+)\D*$", thread)
    return any((number and number.group(1)[-4:] in r) or r[-6:] == thread.strip()[-6:] or r[:5] == thread.strip()[:5] != "threa" for r in rows)


def check_finding(path, f, place, pieces, size, *options):
    """Press Enter on a finding that claims time of a device; returns the fault in words."""
    start, end = f["start_at_ns"], f["end_at_ns"]
    inside = [p for p in pieces if p["start_at_ns"] >= start and p["end_at_ns"] <= end]
    if not inside: return ["%s, finding %d %s: no piece in its window" % (path, place + 1, f["id"])]
    longest = max(inside, key=lambda p: (p["duration_ns"], -p["start_at_ns"]))
    in_time = sorted(pieces, key=lambda p: p["start_at_ns"])
    lines = on_finding(path, place, size, "", *options)
    rows, bad = labels(lines), []
    at, of, ns = piece(lines)
    if (at, of) != (in_time.index(longest) + 1, len(pieces)) or not about(ns, longest["duration_ns"]):
        bad.append("piece %s of %s, %s; wanted %d of %d, %d ns" % (at, of, ns, in_time.index(longest) + 1, len(pieces), longest["duration_ns"]))
    between = next((x.split("between ")[1] for x in lines if "  between " in x), "")
    if not about(between, end - start): bad.append("window %s, wanted %d ns" % (between, end - start))
    if not any(r.startswith("critical path") for r in rows): bad.append("no critical path")
    if [r.startswith("idle") for r in rows].count(True) != 1: bad.append("not one row of the device")
    charged = {}
    for p in inside:
        if p["thread"]: charged[p["thread"]] = charged.get(p["thread"], 0) + p["duration_ns"]
    wanted = {longest["thread"], max(charged, key=charged.get)} if longest["thread"] else set()
    bad += ["no row of " + t for t in wanted if not has_thread(rows, t)]
    after = piece(on_finding(path, place, size, " ]", *options))
    following = in_time[(in_time.index(longest) + 1) % len(in_time)]
    if after[0] != in_time.index(following) + 1 or not about(after[2], following["duration_ns"]):
        bad.append("] leads to piece %s, %s" % (after[0], after[2]))
    back = piece(on_finding(path, place, size, " ] [", *options))
    if back[0] != at: bad.append("[ leads back to piece %s" % back[0])
    return ["%s %s, finding %d %s: %s; rows %s" % (path, size, place + 1, f["id"], b, rows) for b in bad]


def check_claims(path):
    """Check every finding with a claim, or some if there are many workers. None = there is no such finding."""
    findings, bad, n = table(path, "findings"), [], 0
    of = []
    for f in findings:
        key = (f.get("worker"), f.get("span"))
        if f.get("device") and key not in of: of.append(key)
    for worker, span in of[:2] + of[-1:] if len(of) > 3 else of:
        options = (["--worker", worker] if worker else []) + (["--span", span] if span else [])
        own, pieces = table(path, "findings", *options), table(path, "evidence", *options)
        for place, f in enumerate(own):
            mine = [p for p in pieces if p["finding"] == place + 1]
            if not mine: continue
            n += 1
            for size in ("80x24", "160x45"):
                bad += check_finding(path, f, place, mine, size, *options)
    return (bad, n) if n else None


def check_all_claims():
    """Check the samples, and the traces of a corpus that open fast."""
    size = lambda p: os.path.getsize(p) if os.path.isfile(p) else sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(p) for f in fs)
    paths = [SAMPLE] + [p for p in sorted(glob.glob(CORPUS + "/traces/*/*")) if size(p) < 4 << 20] if CORPUS else [SAMPLE]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, result in zip(paths, pool.map(check_claims, paths)):
            if result: report(not result[0], "evidence of %d findings of %s" % (result[1], os.path.basename(path)), "\n     ".join(result[0]))


def check_rows():
    """The shown threads are those that, by the file, launch the work that the pieces wait for."""
    lines = on_evidence(SAMPLE)[1]
    rows = labels(lines)
    names = [r for r in rows if r.startswith("idle")]
    report(len(names) == 1, "one idle lane", rows)
    loads = {str(e["tid"]) for e in events(RANK0) if e["name"].startswith("enumerate(DataLoader)")}
    shown = {m.group(1) for m in (re.search(r"(?:_|\b)(\d{5,})$", r) for r in rows) if m}
    process = {str(e["pid"]) for e in events(RANK0) if e["name"].startswith("enumerate(DataLoader)")}
    report(loads and shown - process == loads - process, "the threads of the cause", (loads, shown, rows))
    report(not any(w in r for r in rows for w in ("stream", "busy", "memory", "profiler", "SM,")), "nothing else", rows)
    report(len(rows) <= 9, "few names of rows", rows)
    for row, f in enumerate(f for f in table(SAMPLE, "findings") if not f["cause"] and f["device"]): # as the Overview lists them
        mine = [p for p in table(SAMPLE, "evidence") if (p["worker"], p["id"]) == (f["worker"], f["id"])]
        at, of, ns = piece(screen(SAMPLE, "overview", "j " * row + "Enter"))
        longest = max((p for p in mine if f["start_at_ns"] <= p["start_at_ns"] and p["end_at_ns"] <= f["end_at_ns"]),
                      key=lambda p: p["duration_ns"])
        report(of == len(mine) and about(ns, longest["duration_ns"]), "its pieces, from the Overview: %s of %s" % (f["id"], f["worker"]),
               (at, of, ns, longest))


def check_everywhere():
    paths = [SAMPLE]
    if CORPUS:
        paths += [CORPUS + "/traces/pytorch/" + t for t in ("resnet50_num_workers_0", "h100_bert-small")]
    for path in paths:
        for size in ("80x24", "120x35", "160x45"):
            keys, lines = on_evidence(path, size)
            rows = labels(lines)
            what = "%s %s" % (os.path.basename(path), size)
            report(bool(keys) and any(r.startswith(("GPU", "idle")) for r in rows), "evidence of " + what, rows)
            report(not any(r.startswith(("stream", "busy", "memory")) for r in rows), "no other rows: " + what, rows)
            was = screen(path, "timeline", "", size)
            back = screen(path, "overview", keys + " u 4", size)
            strip = [x for x in was[2:-3]]
            report(back[2:-3] == strip, "u brings back the timeline: " + what,
                   [(a, b) for a, b in zip(back[2:-3], strip) if a != b][:2])


def check_back():
    """Going back restores marks, a filter, folds, hidden rows and the window."""
    setup = "4 j x j c m l l m w"
    keys, _ = on_evidence(SAMPLE)
    was = screen(SAMPLE, "overview", setup)
    now = screen(SAMPLE, "overview", setup + " 1 " + keys + " u 4")
    report(was[2:-3] == now[2:-3], "everything that was set up is there again",
           [(a, b) for a, b in zip(was, now) if a != b][:2])
    filtered = screen(SAMPLE, "overview", '4 F "nccl" Enter 1 ' + keys + " u 4")
    report(any(line.startswith("F nccl") for line in filtered), "the filter, too", filtered[4])
    report(any(r.startswith("stream") for r in labels(screen(SAMPLE, "overview", keys + " X"))), "X shows all rows")
    report(any("stream" in r for r in labels(screen(SAMPLE, "overview", keys + " q 4"))), "q goes back, and does not quit")


class Trace:
    def __init__(self):
        self.events, self.ids = [], 0

    def host(self, cat, name, start, dur, **args):
        self.events.append(dict(ph="X", cat=cat, name=name, pid=1, tid=1, ts=start, dur=dur, args=args))

    def kernel(self, name, start, dur, launch=None):
        self.ids += 1
        if launch is not None:
            self.host("cuda_runtime", "cudaLaunchKernel", launch, 5, correlation=self.ids)
        self.events.append(dict(ph="X", cat="kernel", name=name, pid=0, tid=7, ts=start, dur=dur,
                                args=dict(correlation=self.ids, device=0, stream=7)))

    def write(self, folder):
        path = os.path.join(folder, "made.pt.trace.json")
        with open(path, "w") as f:
            json.dump(dict(schemaVersion=1, deviceProperties=[dict(id=0, name="H100")], traceEvents=self.events), f)
        return path


def check_launch(folder):
    t = Trace()
    t.kernel("gemm", 100, 900)
    t.kernel("gemm", 2000, 300, 1900)
    t.kernel("gemm", 3000, 500, 2900)
    t.kernel("gemm", 4000, 400, 3900)
    text = "\n".join(screen(t.write(folder), "kernels", "t"))
    report("cudaLaunchKernel" in text and "500" in text, "t on a kernel: the longest with a launch", text[-900:])
    t = Trace()
    t.kernel("gemm", 100, 300)
    t.kernel("gemm", 2000, 900)
    t.host("cpu_op", "aten::mm", 0, 50)
    text = "\n".join(screen(t.write(folder), "kernels", "t"))
    report("900" in text, "without any launch: the longest", text[-900:])


def check_rank():
    text = "\n".join(screen(SAMPLE, "distributed", "j t"))
    report("\u25b6 train_rank0" in text and "\u25bc train_rank1" in text, "t on a rank: its tracks, the others folded", text[:900])


def check_axis(folder):
    day = 86400 * 10 ** 6
    t = Trace()
    t.host("cpu_op", "early", 1, 1)
    for i in range(200):
        t.host("cpu_op", "step", 3 * day + i * 1000, 900)
        t.kernel("k", 3 * day + i * 1000 + 100, 700, 3 * day + i * 1000 + 50)
    path = t.write(folder)
    first, whole = screen(path, "timeline"), screen(path, "timeline", "0")
    report(first[3].startswith("window 199.9 ms"), "one early slice: the window is the rest", first[3])
    report("1 slice 3.00 d earlier" in first[3], "the strip says what is left out", first[3])
    report(re.search(r"\d d", whole[4]) and " ms" not in whole[4], "an axis of days is labelled in days", whole[4])
    report(screen(path, "timeline", "0 0")[3] == first[3], "0 again: back")
    narrow = screen(path, "timeline", "", "40x12")
    report(any("\u25c0" in line or "<" in line for line in narrow[2:5]), "a sign on a narrow screen", narrow[2:5])


def percent(line):
    m = re.search(r"([\d.]+)%", line)
    return float(m.group(1)) if m else None


def check_counters():
    """With one rank the axis shows the whole trace, from the first event to the last."""
    raw = json.loads(gzip.open(RANK0).read())["traceEvents"]
    own = [e for e in raw if e.get("ph") == "X"]
    work = [e for e in own if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    t0, t1 = min(e["ts"] for e in own), max(e["ts"] + e["dur"] for e in own)
    edges = sorted([(e["ts"], 1) for e in work] + [(e["ts"] + e["dur"], -1) for e in work])
    busy = last = open_ = 0
    for at, by in edges:
        busy += (at - last) if open_ else 0
        open_ += by
        last = at
    changes = []
    for e in work:
        blocks = e["args"].get("blocks per SM", 0) if e["cat"] == "kernel" else 0
        if blocks:
            changes += [(e["ts"], blocks), (e["ts"] + e["dur"], -blocks)]
    area = level = last = 0
    for at, by in sorted(changes):
        area += min(1, level) * (at - last) if level > 1e-9 else 0
        level += by
        last = at
    peak = max(e["args"]["Total Allocated"] for e in raw if e.get("name") == "[memory]" and e["args"].get("Device Type") == 1)
    lines = screen(RANK0, "timeline", "", "160x60")
    if not any("window %.1f ms" % ((t1 - t0) / 1000) in x for x in lines[:5]):
        lines = screen(RANK0, "timeline", "0", "160x60")
    rows = labels(lines)
    find = lambda name: next((r for r in rows if r.startswith(name)), "")
    report(percent(find("busy")) is not None and abs(percent(find("busy")) - 100 * busy / (t1 - t0)) < 0.2,
           "how busy the device is", (find("busy"), 100 * busy / (t1 - t0), rows))
    report("%.2f GiB" % (peak / 2 ** 30) in find("memory"), "its memory", (find("memory"), peak / 2 ** 30))
    at = [i for i, x in enumerate(lines) if "SM, queues" in x.split("\u2502")[0]][0] - [i for i, x in enumerate(lines) if "\u25c0" in x.split("\u2502")[0]][0]
    zero = "0 " if lines != screen(RANK0, "timeline", "", "160x60") else ""
    opened = labels(screen(RANK0, "timeline", zero + ("j " if at > 0 else "k ") * abs(at) + "c", "160x60"))
    sm = next((r for r in opened if r.startswith("SM eff")), "")
    report(percent(sm) is not None and abs(percent(sm) - 100 * area / (t1 - t0)) < 0.2, "its SM efficiency",
           (sm, 100 * area / (t1 - t0), opened))
    report(any(r.startswith("queue") for r in opened), "its queues", opened)


def check_search():
    name = "aten::mm"
    n = sum(name in e["name"] for e in events(RANK0))
    first = screen(RANK0, "timeline", '/ "%s" Enter' % name)
    later = screen(RANK0, "timeline", '/ "%s" Enter n n' % name)
    here = re.search(r"(\d[\d,]*) of (\d[\d,]*)   n N next, previous", later[-3] + later[-2])
    report(here and int(here.group(2).replace(",", "")) == n, "number of matches", (later[-3:], n))
    was = re.search(r"(\d[\d,]*) of", first[-3] + first[-2])
    report(bool(here and was) and (int(here.group(1).replace(",", "")) - int(was.group(1).replace(",", ""))) % n == 2,
           "n goes on by one", (first[-3:], later[-3:]))
    report("\u25b4" in later[3], "ticks below the strip", later[3])


def check_memory():
    """The first view shows the whole curve, whatever the timeline shows, and the label of the peak hides no part of
    it."""
    alone = screen(SAMPLE, "memory")
    after = screen(SAMPLE, "timeline", "w w w w w 5")
    report(alone[3:18] == after[3:18], "memory has its own first view")
    linked = screen(SAMPLE, "timeline", "w w w w w 5 v")
    report(linked[3:18] != alone[3:18], "v links it to the timeline's window")
    peak = next(x for x in alone if "peak" in x and "GiB;" in x)
    report(not re.search("[\u2580-\u259f]", peak), "the label of the peak is above the curve", peak)
    report(peak.index("\u25bc") in (alone[alone.index(peak) + 1].find(c) for c in "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"),
           "and points at it", (peak, alone[alone.index(peak) + 1]))


def check_key_bar():
    for name in ("overview", "operators", "kernels", "timeline", "memory", "steps", "api", "idle"):
        for size in ("40x12", "80x24", "120x35"):
            bar = next(x for x in reversed(screen(SAMPLE, name, "", size)) if x.strip())
            report(re.search(r"\? help  q (exit|back)$", bar), "help and the way out: %s %s" % (name, size), bar)
    text = "\n".join(screen(SAMPLE, "timeline", "m l l m q"))
    report("A-B" not in text and "Interval" not in text, "q closes the pane of the marked interval", text[-700:])


def main():
    check_memory()
    check_key_bar()
    check_rows()
    check_all_claims()
    check_everywhere()
    check_back()
    check_rank()
    check_counters()
    check_search()
    with tempfile.TemporaryDirectory() as folder:
        check_launch(folder)
        check_axis(folder)
    sys.exit(failed > 0)


main()
