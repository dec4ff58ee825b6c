#!/usr/bin/env python3
"""The Overview, Distributed and the search over all names agree with the files.

The values on the screens are computed again from the raw JSON of the sample, and of a generated run with known slow
steps and a known late rank.
"""
import gzip
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
SAMPLE = "assets/sample_gpu"
failed = 0


def report(ok, what, detail=""):
    global failed
    failed += not ok
    print("ok %s" % what if ok else "FAIL %s: %s" % (what, detail))


def screen(path, name="overview", size="120x35", keys="", *more):
    run = subprocess.run([BIN, "summary", path, "--screen", name, "--size", size, "--keys", keys, *more], capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else "status %d: %s" % (run.returncode, run.stderr)


def events(path):
    return [e for e in json.load(gzip.open(path))["traceEvents"] if e.get("ph") == "X"]


def union(spans):
    total, end = 0.0, float("-inf")
    for a, b in sorted(spans):
        total += max(0.0, b - max(a, end))
        end = max(end, b)
    return total


# ---- the sample ----

ranks = [events(p) for p in sorted(glob.glob(SAMPLE + "/*.gz"))]
loads = [e for e in ranks[0] if "DataLoader" in e["name"] and "__next__" in e["name"]]
worst = max(loads, key=lambda e: e["dur"])
steps = [e for e in ranks[0] if e["name"].startswith("ProfilerStep#")]
step = next(e["name"].split("#")[1] for e in steps if e["ts"] <= worst["ts"] < e["ts"] + e["dur"])
def table_of(name, *more):
    run = subprocess.run([BIN, "summary", *more, "--table", name, "--format", "json", "--limit", "0"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["tables"][0]["rows"]

text = screen(SAMPLE, "overview", "250x35")
first = text.splitlines()[2]
said = re.search(r"input: GPU 0 of rank 0 is idle .* longest (\d+\.\d) ms\) waiting for the DataLoader(?:, (\S+) \((\S+):(\d+)\))?", first)
report(said and abs(float(said[1]) - worst["dur"] / 1e3) < 0.2, "first line: the longest wait for input", first)
report(said and any(re.search(r"\b%s\(%s\): %s$" % (re.escape(said[3]), said[4], re.escape(said[2])), e["name"]) for e in ranks[0]),
       "first line: with a line of the program", first)
findings = table_of("findings", SAMPLE)
report(first.strip(" !") == findings[0]["title"], "first line: the first finding word for word", findings[0]["title"])
verdict = [r for r in table_of("overview", SAMPLE) if r["what"] == "verdict"]
report([r["text"] for r in verdict] == [findings[0]["title"]], "first line: the row of table overview", verdict)
summary = subprocess.run([BIN, "summary", SAMPLE, "--worker", "train_rank0", "--format", "markdown"], capture_output=True, text=True).stdout
said = summary.splitlines()[2].strip("*`")
alone = screen(SAMPLE, "overview", "250x45", "", "--worker", "train_rank0").splitlines()[2].strip(" !")
report(said and said == alone, "the Markdown summary begins with the first line of the Overview", "%s, not %s" % (said, alone))
piped = subprocess.run([BIN, SAMPLE], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout.splitlines()
report(piped[0] == findings[0]["title"], "a summary on a pipe begins with the first line of the Overview", piped[0])
report(max(map(len, piped[piped.index("Run"):])) <= 120, "the tables of a summary on a pipe have at most 120 columns")

for r, rank in enumerate(ranks):
    device = [(e["ts"], e["ts"] + e["dur"]) for e in rank if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    marks = [e for e in rank if e["name"].startswith("ProfilerStep#")]
    begin = min(e["ts"] for e in marks)
    end = max([b for _, b in device] + [e["ts"] + e["dur"] for e in marks])
    want = 100 * union(device) / (end - begin)
    found = re.search(r"rank %d .* (\d+\.\d)%% busy" % r, text)
    report(found and abs(float(found[1]) - want) < 0.6, "strip: how busy rank %d is" % r, "%s, not %.1f" % (found and found[1], want))

calls = [[e["dur"] for e in sorted((e for e in r if e.get("cat") == "kernel" and "nccl" in e["name"]), key=lambda e: e["ts"])] for r in ranks]
caused = [0.0] * len(ranks)
for durs in zip(*calls):
    caused[durs.index(min(durs))] += max(durs) - min(durs)
late = caused.index(max(caused))
wait = "waits for rank %d: %.1f ms" % (late, max(caused) / 1e3)
report(wait in text, "device line: whom the other rank waits for", wait)
text = " ".join(screen(SAMPLE, "distributed", "80x24").split())
report("Straggler: rank %d, last to arrive" % late in text and "made others wait %.1f ms" % (max(caused) / 1e3) in text,
       "distributed: the straggler, also on a narrow screen", text[200:500])
other = [e["dur"] for e in ranks[1 - late] if e["name"] == worst["name"]]
said = re.search(r"Why: in step (\d+) its DataLoader takes (\d+\.\d) ms longer than the median rank's", text)
report(said and said[1] == step and worst["dur"] / 1e3 - max(other) / 1e3 <= float(said[2]) <= worst["dur"] / 1e3,
       "distributed: why it is late", said and said[0])

text = screen(SAMPLE, "distributed", "120x35", "= u")
both = re.search(r"input +(\d+\.?\d*) (.s) +(\d+\.\d) ms", text)
report("[Cmp]" in text.splitlines()[0] and both and abs(float(both[3]) - worst["dur"] / 1e3) < 0.06,
       "distributed: the late rank against the median rank, in the step where the others waited most", both and both[0])

# ---- a run with known slow steps: 20 steps of 1 ms, except the seventh with 10 ms and the twelfth with 5 ms ----

with tempfile.TemporaryDirectory() as tmp:
    made, at = [], 1000.0
    lengths = [{7: 10.0, 12: 5.0}.get(k, 1.0 + 0.001 * k) for k in range(20)]
    for k, ms in enumerate(lengths):
        made.append(dict(ph="X", cat="user_annotation", name="ProfilerStep#%d" % k, pid=1, tid=1, ts=at, dur=ms * 1e3))
        made.append(dict(ph="X", cat="cpu_op", name="enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", pid=1, tid=1, ts=at,
                         dur=ms * 1e3 - 500))
        made.append(dict(ph="X", cat="cpu_op", name="aten::mm", pid=1, tid=1, ts=at + ms * 1e3 - 400, dur=300))
        at += ms * 1e3 + 10
    path = os.path.join(tmp, "made.pt.trace.json")
    json.dump(dict(schemaVersion=1, traceEvents=made), open(path, "w"))
    for size in ("80x24", "120x35", "160x45", "250x70"):
        text = screen(path, "overview", size)
        shown = re.findall(r"^.step (\d+) +(\d+\.\d) ms", text, re.M)
        more = re.search(r"\.\.\. (\d+) more, median (\d+\.\d) ms", text)
        slowest = dict(shown)
        report(slowest.get("7") == "10.0" and slowest.get("12") == "5.0", "steps %s: the slowest are on the screen" % size, shown)
        report(len(shown) + int(more[1] if more else 0) == 20, "steps %s: the others are counted" % size, more and more[0])
        report(more is None or more[2] == "1.0", "steps %s: and their median is told" % size, more and more[0])
        report("+9.0 ms" in text and "DataLoader +9.0 ms" in text, "steps %s: why the slowest is slow" % size)
    text = screen(path, "steps", "80x24")
    report("Slowest: step 7" in text and "DataLoader +9.0 ms" in text, "steps tab: the slowest and why")
    report(re.search(r"Step 7 \(slowest, 10\.0 ms\) vs step \d+ \(median, 1\.0 ms\)", text), "steps tab: what is compared")

# ---- shares add up, utilisation is possible ----

def legend(text):
    """The lines below the bar of the account: after its title, the strips and the bar."""
    lines = text.splitlines()[4:]
    lines = lines[:next(i for i, line in enumerate(lines) if line.startswith("──"))]
    return [line for line in lines if re.search(r"\d%", line) and "% busy" not in line]

corpus = os.environ.get("TRACETTY_CORPUS", "")
names = ["pytorch/h100_bert-small", "pytorch/b200_eager", "pytorch/resnet50_num_workers_0", "pytorch/resnet50_num_workers_4",
         "pytorch/hta_trace_diff_control", "pytorch/torch_real_cpu_train", "paddle/dist2", "paddle/gpu_small", "paddle/cpu_only", "ascend/level1"]
paths = [SAMPLE, "assets/sample_cpu.pt.trace.json.gz"] + [os.path.join(corpus, "traces", n) for n in names if corpus]
for path in [p for p in paths if os.path.exists(p)]:
    text = screen(path, "overview", "250x70")
    shares = [float(x) for line in legend(text) for x in re.findall(r" (\d+\.\d)% ", line + " ")]
    report(bool(shares) and round(sum(shares), 1) == 100.0, "shares of %s add up to 100.0%%" % os.path.basename(path), shares)
    busy = [float(x) for x in re.findall(r"(\d+\.\d)% busy", text)]
    report(all(b <= 100 for b in busy), "utilisation of %s is possible" % os.path.basename(path), busy)

# the screen shows the values of table overview
rows = [r for r in table_of("overview", SAMPLE) if r["worker"] == "train_rank0"]
text = screen(SAMPLE, "overview", "250x70")
for r in rows:
    if r["what"] == "part" and r["pct"] >= 0.05:
        report(any("%s %.1f%%" % (r["name"], r["pct"]) in line for line in legend(text)), "bar: %s" % r["name"], legend(text))
    if r["what"] == "class" and r["pct"] >= 0.05:
        report("%s %.1f%%" % (r["name"], r["pct"]) in text, "classes of kernels: %s" % r["name"], "%.1f%%" % r["pct"])
    if r["what"] == "device":
        report("%.1f%% busy" % r["pct"] in text, "strip: %s" % r["device"], "%.1f%%" % r["pct"])
roots = [r for r in findings if not r["cause"]]
report(all(sum(r["title"][:60] in line for line in text.splitlines()[3:]) <= 1 for r in findings), "a finding is one line")
report(all(r["title"][:60] not in "\n".join(text.splitlines()[3:]) for r in findings if r["cause"]), "symptoms are counted, not listed")
for size in ("80x24", "120x35", "160x45", "250x70"):
    text = screen(SAMPLE, "overview", size)
    boxes = [line for line in text.splitlines() if line.startswith("── ")]
    titles = [t for line in boxes for t in re.findall(r"─ (\w[^─]*) ─", line) if not re.match(r"Enter:|\d+ of", t)]
    report(len(titles) <= 6, "at most six boxes at %s" % size, titles)
    shown = [line for line in text.splitlines() if re.match(r"^[ >](high|medium|info) ", line)]
    report(len(shown) == min(3, len({r["id"] for r in roots})), "three findings at %s" % size, shown)
tabs = screen(SAMPLE, "overview", "80x24").splitlines()[0]
report(len(re.findall(r"[A-Z][a-zA-Z]+", tabs)) >= 11, "every tab has two letters at 80x24", tabs)
help_text = " ".join(screen(SAMPLE, "overview", "120x60", "?").split())
for word in ("critical path", "between", "exposed", "idle: queued"):
    report(re.search(r" %s [a-z]" % word, help_text), "help explains the word: %s" % word)

# work without gaps: the busy cells of the strip match the share in the text
path = os.path.join(corpus, "traces/pytorch/unit_tensor_core_0")
if corpus and os.path.exists(path):
    strip, busy = re.search(r"^ GPU 0 (\S+) +(\d+\.\d)% busy", screen(path, "overview", "250x70"), re.M).groups()
    cells = 100 * sum(c in "▁▂▃▄▅▆▇█" for c in strip) / len(strip)
    report(abs(cells - float(busy)) < 2, "the strip shows the time that utilisation is a share of", "%.1f%% of %d cells, %s" % (cells, len(strip), busy))

# ---- further columns of screens ----

def shown(text, title):
    """Rows of a table on a screen, by the words of its head; two blanks separate columns."""
    lines = text[text.find("── " + title):].splitlines()
    head, out = re.split(r"  +", lines[1].strip()), []
    for line in lines[2:]:
        cells = re.split(r"  +", line.strip(" >"))
        if len(cells) < len(head) or line.startswith("──"):
            break
        out.append(dict(zip([h.strip("↓↑") for h in head], cells)))
    return out

def table(name):
    run = subprocess.run([BIN, "summary", SAMPLE, "--table", name, "--format", "json", "--limit", "0"], capture_output=True, text=True)
    return run.stdout

text = screen(SAMPLE, "operators", "200x60")
rows = shown(text, "Operators")
raw = [r for r in json.loads(table("operators"))["tables"][0]["rows"] if r.get("worker") == "train_rank0"]
for key, title in (("host_self_ns", "CPU %"), ("device_self_ns", "GPU %")):
    total = sum(r[key] or 0 for r in raw)
    for r in raw[:5]:
        found = [x[title] for x in rows if x["Operator"] == r["name"]]
        report(found and abs(float(found[0].strip("%")) - 100 * r[key] / total) < 0.06, "operators: %s of %s" % (title, r["name"]), str(found))
report("share" not in " ".join(raw[0]), "operators: shares are no part of its JSON")
rows = shown(screen(SAMPLE, "distributed", "200x60"), "Collectives")
raw = json.loads(table("comm_ops"))["tables"][0]["rows"]
report(len(rows) == len(raw) > 0, "collectives: all rows", str(rows))
for shows, r in zip(rows, raw):
    ms = {"ms": 1, "µs": 1e-3}
    number, unit = shows["Mean latency"].split()
    report(abs(float(number) * ms[unit] - r["latency_ns"] / r["calls"] / 1e6) < 0.002, "collectives: mean latency of %s" % r["worker"], shows["Mean latency"])
    number, unit = shows["Mean size"].split()
    report(unit == "MiB" and abs(float(number) - r["size_bytes"] / r["calls"] / 2 ** 20) < 0.006, "collectives: mean size of %s" % r["worker"], shows["Mean size"])

# ---- a rank beside the median rank, at the collective where the median rank waited most ----

def marks_of(rank):
    return sorted((e for e in rank if e["name"].startswith("nccl:") and e.get("cat") != "kernel" and "gpu" not in e.get("cat", "")), key=lambda e: e["ts"])

longest = max(range(len(calls[0])), key=lambda i: calls[1 - late][i] - calls[late][i])
number = marks_of(ranks[late])[longest]
of_step = next(e["name"].split("#")[1] for e in steps if e.get("cat") == "user_annotation" and e["ts"] <= number["ts"] < e["ts"] + e["dur"])
text = screen(SAMPLE, "distributed", "120x40", "g " + "j " * late + "=")
report("rank %d against rank %d, the median rank, in step %s" % (late, 1 - late, of_step) in text, "the late rank beside the other: in the step of the longest wait", text[-200:])
for side, rank in (("base", 1 - late), ("new", late)):
    mark = next(e for e in ranks[rank] if e.get("cat") == "user_annotation" and e["name"] == "ProfilerStep#" + of_step)
    offset = marks_of(ranks[rank])[longest]["ts"] - mark["ts"]
    found = re.search(r"^ %s +\+([\d.]+) ms " % side, text, re.M)
    report(found and abs(float(found[1]) - offset / 1e3) < 0.01, "both timelines: where the collective starts on rank %d" % rank, "%s, not %.3f" % (found and found[1], offset / 1e3))

# ---- the cursor reaches every row, and Enter opens it ----

text = screen(SAMPLE, "overview", "120x35", "Tab Tab Tab j j Enter")
report("[2 Ops]" in text.splitlines()[0] and re.search(r"^>aten::_log_softmax ", text, re.M), "an operator opens its row")
text = screen(SAMPLE, "overview", "120x35", "Tab Tab j Enter")
report("all" in text and "102 calls" in text, "a kernel opens all about it")
text = screen(SAMPLE, "overview", "120x35", "Tab j j Enter")
report(", step 4" in text and "rank 0: 1 step, 56.41 ms" in text, "a step limits to it", text[:200])
text = screen(SAMPLE, "overview", "120x35", "S-Tab j Enter")
report("[4 T" in text.splitlines()[0], "a device goes to the timeline", text[:100])

# ---- find anywhere ----

kernels = [e["name"] for r in ranks[:1] for e in r if e.get("cat") == "kernel" and "gemm" in e["name"]]
want = "%d kernels, %d calls" % (len(set(kernels)), len(kernels))
for where, keys in (("overview", "/"), ("memory", "^P"), ("trace", "^P")):
    text = screen(SAMPLE, where, "120x35", keys + ' "gemm"')
    report(want in text, "find anywhere on %s: how many there are" % where, want)
text = screen(SAMPLE, "memory", "120x35", '^P "log_softmax_backward_data" Enter')
report("[2 Ops]" in text.splitlines()[0] and re.search(r"^>aten::_log_softmax_backward_data ", text, re.M), "find anywhere: to the row of an operator")
text = screen(SAMPLE, "memory", "120x35", '^P "step 4" Enter')
report("[4 T" in text.splitlines()[0], "find anywhere: to a step on the timeline", text[:100])
text = screen(SAMPLE, "memory", "120x35", '^P "no such name" Enter')
report("[5 Mem]" in text.splitlines()[0] and "nothing to go to" in text, "find anywhere: no match goes nowhere", text[:100])
text = screen(SAMPLE, "kernels", "40x12", '^P "gemm" Down Down Esc')
report("Find anywhere" not in text, "find anywhere: Esc closes it")

sys.exit(failed > 0)
