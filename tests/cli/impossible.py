#!/usr/bin/env python3
"""No screen shows an impossible number: a share above 100 %, a negative duration, two steps of one name, a slice
longer than the recording. The test reads the screens, whatever computed them.

Runs on the samples and, if TRACETTY_CORPUS is set, on a part of its traces chosen by their names; IMPOSSIBLE=all takes
every trace at both sizes, IMPOSSIBLE=TEXT the traces whose path contains the text."""
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from inputs_todo import Todo  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.abspath(os.environ.get("BIN") or os.path.join(TOP, "tracetty"))
CORPUS = os.environ.get("TRACETTY_CORPUS", "")
WHICH = os.environ.get("IMPOSSIBLE", "")
SIZES = ("160x45", "80x24")
KINDS = ("pytorch", "amd", "chrome", "paddle", "ascend", "mindspore")
PART = 6  # without IMPOSSIBLE one screen of the corpus in this many is read
SCREENS = ("overview", "operators", "kernels", "trace", "memory", "distributed", "steps", "data", "modules", "api", "idle", "roofline", "problems",
           "flame", "kernels Enter", "idle Enter", "steps D g Enter", "overview D g Enter", "operators b", "api Tab", "steps j c")

NS = {"ns": 1, "us": 1e3, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9}
# A percentage without a sign is a share; one with a sign is a change and has no limit.
PERCENT = re.compile(r"(?<![\w.,+\-\u2212])(\d[\d,]*(?:\.\d+)?) ?%")
DURATION = re.compile(r"(?<![\w.,:+\-\u2212])([-\u2212]?)(\d[\d,]*(?:\.\d+)?) (ns|us|\u00b5s|ms|s)(?![\w/])")
STEP = re.compile(r"^[ >*#]*(step [^ ]+(?: \([^)]*\))?(?: {1,2}of [^ ]+)?) +\d[\d.,]* (?:ns|us|\u00b5s|ms|s)\b")
IDLE_FOR_NOTHING = re.compile(r"\bidle 0(?:\.0)?%, ")
SPAN = re.compile(r" (\d[\d,]*(?:\.\d+)?) (ns|us|\u00b5s|ms|s)  +[\d,]+ events?\b")

# Lines where a share above 100 is possible: (screen, text of the line) -> its meaning.
ABOVE_ALL = (
    ("roofline", "", "more than the peak of the device: a cache, or a device faster than its data sheet"),
    ("problems", "peak_exceeded", "the same, as a problem"),
    ("problems", "Example", "the same, as its example"),
    ("kernels", "of the roof", "the same, of a kernel"),
)
# Screens with differences: negative times mean "less".
DIFFERENCES = ("steps", "distributed", "memory", "data")


def number(text):
    return float(text.replace(",", ""))


def screen(path, name, size):
    tab, _, keys = name.partition(" ")
    return subprocess.run([BIN, "summary", path, "--screen", tab, "--size", size, "--unicode", "ascii", "--keys", keys], capture_output=True,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, LC_ALL="C.UTF-8"))


def faults(name, text):
    """Impossible numbers, line by line."""
    name = name.split()[0]
    lines = text.rstrip("\n").split("\n")
    lines = lines[:-2] if len(lines) > 8 else lines  # the status line repeats the selection
    steps = collections.Counter()
    span = SPAN.search(lines[1]) if len(lines) > 1 else None
    longest = number(span.group(1)) * NS[span.group(2)] if span else None
    for line in lines[2:]:
        for m in PERCENT.finditer(line):
            if number(m.group(1)) > 100.005 and not any(s == name and part in line for s, part, _ in ABOVE_ALL):
                yield "a share of %s%%: %s" % (m.group(1), line.strip())
        for m in DURATION.finditer(line):
            if m.group(1) and name not in DIFFERENCES:
                yield "a duration below 0: %s" % line.strip()
        if IDLE_FOR_NOTHING.search(line):
            yield "idle for something, but never: %s" % line.strip()
        if name in ("overview", "steps"):
            m = STEP.match(line)
            if m:
                steps[m.group(1)] += 1
    for label, n in steps.items():
        if n > 1:
            yield "%d rows are called %r" % (n, label)
    if longest is not None and name == "trace":  # slices of the timeline inside the selection
        for line in lines[2:]:
            m = re.match(r" *dur(?:ation)? +(\d[\d,.]*) (ns|us|\u00b5s|ms|s)\b", line)
            if m and number(m.group(1)) * NS[m.group(2)] > longest * 1.001:
                yield "longer than the recording: %s" % line.strip()


def run(offset, pid, kernel_us):
    """Two steps of 900 us, each with a kernel."""
    events = []
    for k in (8, 9):
        t, link = offset + k * 1000, offset + k
        events += [
            {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % k, "pid": pid, "tid": pid, "ts": t, "dur": 900, "args": {}},
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": pid, "tid": pid, "ts": t + 10, "dur": 500, "args": {"External id": link}},
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": pid, "tid": pid, "ts": t + 20, "dur": 50,
             "args": {"correlation": link}},
            {"ph": "X", "cat": "kernel", "name": "mm_kernel", "pid": 0, "tid": 7 + k, "ts": t + 100, "dur": kernel_us,
             "args": {"device": 0, "stream": 7 + k, "correlation": link, "blocks per SM": 8, "est. achieved occupancy %": 50}}]
    return events


MADE = {
    "several_runs.pt.trace.json": run(0, 100, 500) + run(20000, 100, 500),   # steps 8 and 9 twice
    "outlasting.pt.trace.json": run(0, 100, 6000),                           # kernels that run on long after their steps
}


# The first step's kernel runs far into the second, whose time in the tables begins after it: a slice longer than its step.
LONGER = run(0, 100, 1400)[:4] + [
    {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#9", "pid": 100, "tid": 100, "ts": 9000, "dur": 900, "args": {}},
    {"ph": "X", "cat": "user_annotation", "name": "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "pid": 100, "tid": 100, "ts": 9005,
     "dur": 890, "args": {}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100, "tid": 100, "ts": 9896, "dur": 2, "args": {"correlation": 99}},
    {"ph": "X", "cat": "kernel", "name": "add_kernel", "pid": 0, "tid": 7, "ts": 9899, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 99}}]


def says_why(tmp):
    """Step 9 is [9500, 9900) = 400 us, the slice inside it 890 us."""
    path = os.path.join(tmp, "longer.pt.trace.json")
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "traceEvents": LONGER}, f)
    text = screen(path, 'trace / "DataLoader" Enter', "120x35").stdout.decode("utf-8", "replace")
    steps = screen(path, "steps", "120x35").stdout.decode("utf-8", "replace")
    return "step 9 " in steps and "400" in steps and "9 (400" in text and "from the end of the GPU work before" in text


def traces(tmp):
    found = [os.path.join(tmp, n) for n in MADE] + [os.path.join(TOP, "assets", n) for n in ("sample_gpu", "sample_cpu.pt.trace.json.gz", "sample_ascend", "sample_mindinsight")]
    for kind in KINDS if CORPUS else ():
        for place in sorted(glob.glob(os.path.join(CORPUS, "traces", kind, "*"))):
            one = [f for f in glob.glob(os.path.join(place, "*")) if not f.endswith((".md", ".txt"))] if os.path.isdir(place) else []
            single = kind == "chrome" or len(one) == 1
            found.extend(sorted(one)[:6] if single and all(os.path.isfile(f) for f in one) else [place])
    return found


def work(tmp):
    for path in traces(tmp):
        for name in SCREENS:
            for size in SIZES:
                key = "%s %s %s" % (os.path.relpath(path, CORPUS or TOP), name, size)
                ours = path.startswith((tmp, os.path.join(TOP, "assets")))
                if WHICH == "all" or (WHICH and WHICH in path) or (not WHICH and (ours or zlib.crc32(key.encode()) % PART == 0)):
                    yield path, name, size, key


def read(job):
    path, name, size, key = job
    p = screen(path, name, size)
    if p.returncode:
        return key, path, ["status %d: %s" % (p.returncode, p.stderr.decode("utf-8", "replace")[-200:])]
    return key, path, list(dict.fromkeys(faults(name, p.stdout.decode("utf-8", "replace"))))


def self_check():
    """Check that each rule finds its fault."""
    head = "tabs\n x  100.0 ms  7 events\n"
    bad = (("overview", "GPU0 busy 164.50%"), ("overview", "it is idle 0.0%, waiting for CPU work"), ("idle", " -12.5 us gap"),
           ("steps", " step 9  5.0 ms ##\n step 9  5.1 ms ##"), ("trace", " dur 206.500 ms   start 1 ms"))
    good = (("overview", "GPU0 busy 100.00%"), ("steps", "DataLoader +31.6 ms +4309.22%"), ("steps", " step 9  5.0 ms\n step 9 (2)  5.1 ms"),
            ("trace", " dur 99.500 ms   start 1 ms"))
    return all(list(faults(n, head + t)) for n, t in bad) and not any(list(faults(n, head + t)) for n, t in good)


def main():
    failed, todo = not self_check(), Todo("impossible", CORPUS)
    print("%s the rules find what they are for" % ("FAIL" if failed else "ok"))
    by_trace = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as tmp, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, events in MADE.items():
            with open(os.path.join(tmp, name), "w") as f:
                json.dump({"schemaVersion": 1, "traceEvents": events}, f)
        why = says_why(tmp)
        print("%s a slice that is longer than its step says why" % ("ok" if why else "FAIL"))
        failed += not why
        for key, path, wrong in pool.map(read, work(tmp)):
            by_trace[path].append((key, wrong))
    for path, found in by_trace.items():
        wrong = [(k, w) for k, ws in found for w in ws]
        word = todo.word(path, not wrong)
        failed += word == "FAIL"
        print("%s %s: %d screens" % (word, os.path.basename(path) if path.startswith(tempfile.gettempdir()) else os.path.relpath(path, TOP), len(found)))
        for k, w in wrong[:12]:
            print("  %s: %s" % (" ".join(k.split()[1:]), w[:230]))
    for line in todo.over():
        failed += 1
        print(line)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
