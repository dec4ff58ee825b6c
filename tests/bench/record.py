#!/usr/bin/env python3
"""Measures the cost of recording without a GPU: tests/bench/record.py [--build B]. Medians of 5; needs `make units`.
Measured are an NVTX push and pop, ranges in a tight loop on 4 threads, launches through the double of libcupti, and
programs without ranges."""
import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ap = argparse.ArgumentParser(description=__doc__)
ap.add_argument("--build", default="build")
B = os.path.abspath(ap.parse_args().build)
BIN = os.path.join(B, "tracetty") if B != os.path.abspath("build") else os.path.abspath("tracetty")
TARGET = os.path.join(B, "tests/doubles/target")
tmp = tempfile.mkdtemp()
env = dict(os.environ, TRACETTY_CAPTURE_LIB=os.path.join(B, "libtracetty_capture.so"), FAKE_CUPTI=os.path.join(tmp, "script"))


def run(command, **more):
    begin = time.perf_counter()
    p = subprocess.run(command, env=dict(env, **more), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return time.perf_counter() - begin, p.stdout


def record(command, *options, **more):
    """Returns seconds, output, bytes of the spools, and peak memory of the largest process in MiB."""
    out = os.path.join(tmp, "r")
    shutil.rmtree(out, ignore_errors=True)
    took, text = run([BIN, "record", "-o", out, "--format", "spool", "--at-end", "nothing", *options, *command], **more)
    size = sum(os.path.getsize(os.path.join(out, f)) for f in os.listdir(out) if f.endswith(".ttspool"))
    return took, text, size, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def drops():
    text = subprocess.run([BIN, "check", os.path.join(tmp, "r")], stdout=subprocess.PIPE, text=True).stdout
    lines = text.split("\n")
    return sum(int(lines[i + 1].split()[1].replace(",", "")) for i, l in enumerate(lines) if l.startswith("  recorder_drops "))


def cpu_seconds(f):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    f()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median(f, n=5):
    return statistics.median(f() for _ in range(n))


print("NVTX push and pop, ns: %.0f" % median(lambda: float(record([TARGET, "bench", "1000"])[1].split()[1])))
pairs = 200000  # all pairs fit into the memory for events: no drops
nothing = median(lambda: cpu_seconds(lambda: record([TARGET, "threads", "1"])))
all_of_it = median(lambda: cpu_seconds(lambda: record([TARGET, "threads", str(pairs)])))
print("processor time of a range, with writing: %.0f ns, %d dropped" % (1e9 * (all_of_it - nothing) / (4 * pairs), drops()))
pairs = 2500000
took, _, size, peak = record([TARGET, "threads", str(pairs)])
lost = drops()
kept = 4 * pairs - lost  # a range is kept completely or not at all
print("%d million ranges on 4 threads: %.1f s, %.1f million kept/s, %.1f bytes each, %.1f %% dropped, peak %.0f MiB" %
      (4 * pairs // 1000000, took, kept / took / 1e6, size / kept, 100 * lost / (4 * pairs), peak))
launches = 200000
with open(env["FAKE_CUPTI"], "w") as f:
    f.write("version 130001\nlaunch %d\n" % launches)
took, text, size, peak = record([TARGET, "cuda-script"], TRACETTY_CUPTI=os.path.join(B, "tests/doubles/libfakecupti.so"))
print("%d launches in %.1f s: %.1f bytes for a call and its kernel, %d dropped" % (launches, took, size / launches, drops()))
busy = [sys.executable, "-c", "import json\nfor i in range(200): json.loads(json.dumps(list(range(20000))))"]
plain, recorded = [], []
for _ in range(7):  # in turn, so that both meet the same load
    plain.append(cpu_seconds(lambda: run(busy)))
    recorded.append(cpu_seconds(lambda: record(busy)))
a, b = statistics.median(plain), statistics.median(recorded)
print("a busy program without ranges, processor time: %.2f s, recorded %.2f s (%+.1f %%)" % (a, b, 100 * (b / a - 1)))
print("a program that does nothing: %.0f ms, recorded %.0f ms" %
      (1e3 * median(lambda: run(["true"])[0]), 1e3 * median(lambda: record(["true"])[0])))
shutil.rmtree(tmp)
