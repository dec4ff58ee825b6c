#!/usr/bin/env python3
"""Words that users of PyTorch's and Paddle's tables type: those of sort_by and SortedKeys, op_detail, the Perf
Summary; and PyTorch's layout of a run with several workers."""
import json
import os
import re
import subprocess

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUN = os.path.join(TOP, "assets/sample_gpu")
PADDLE = os.path.join(TOP, "assets/sample_paddle/host_node1pid_4321_time_2024_05_06_07_08_09_000123.paddle_trace.json")
# Meaning of each word in its own profiler, as the column of the table used with it here.
WORDS = {
    "cpu_time": ("key_averages", "cpu_mean_ns"), "cpu_time_total": ("key_averages", "cpu_total_ns"),
    "self_cpu_time_total": ("key_averages", "cpu_self_ns"), "cuda_time_total": ("key_averages", "cuda_total_ns"),
    "self_cuda_time_total": ("key_averages", "cuda_self_ns"), "device_time_total": ("key_averages", "cuda_total_ns"),
    "cpu_memory_usage": ("key_averages", "cpu_memory_bytes"), "self_cuda_memory_usage": ("key_averages", "cuda_memory_self_bytes"),
    "count": ("key_averages", "calls"), "CPUTotal": ("operators", "host_total_ns"), "CPUAvg": ("operators", "host_mean_ns"),
    "CPUMax": ("operators", "host_max_ns"), "CPUMin": ("operators", "host_min_ns"), "GPUTotal": ("operators", "device_total_ns"),
    "GPUAvg": ("operators", "device_mean_ns"), "GPUMax": ("operators", "device_max_ns"), "GPUMin": ("operators", "device_min_ns"),
}


def run(*args):
    p = subprocess.run([BIN, "summary", *args], stdin=subprocess.DEVNULL, capture_output=True)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def report(what, why=None):
    print("ok " + what if not why else "FAIL %s: %s" % (what, why))


def words():
    for word, (table, key) in WORDS.items():
        status, out, err = run(RUN, "--table", table, "--sort", word, "--format", "json")
        rows = json.loads(out)["tables"][0]["rows"] if not status else []
        values = [r[key] for r in rows if r[key] is not None]
        want = sorted(values, reverse=not word.endswith("Min"))
        report("--sort " + word, None if rows and values == want else "not in the order of %s (%s)" % (key, err[:80]))
    status, _, err = run(RUN, "--table", "key_averages", "--sort", "self_cuda_time")
    report("a wrong word", None if status == 2 and "self_cuda_time_total" in err else err)


def blocks(text):
    """The tables in PyTorch's layout, by worker."""
    parts = re.split(r"^worker (\S+)\n", text, flags=re.M)
    return dict(zip(parts[1::2], (p.strip("\n") for p in parts[2::2])))


def layout():
    status, out, err = run(RUN, "--table", "key_averages", "--sort", "cuda_time_total", "--limit", "7")
    both = blocks(out)
    report("one table for each worker", None if sorted(both) == ["train_rank0", "train_rank1"] else str(sorted(both)) + err)
    for worker, text in both.items():
        alone = run(RUN, "--table", "key_averages", "--sort", "cuda_time_total", "--limit", "7", "--worker", worker)[1]
        report("as for the worker alone: " + worker, None if text == alone.strip("\n") else "differs")


def perf():
    events = json.load(open(PADDLE))["traceEvents"]
    text = run(PADDLE, "--style", "paddle", "--table", "throughput")[1]
    steps = [(e["ts"], e["dur"]) for e in events if e.get("name", "").startswith("ProfileStep") and e.get("ph") == "X"]
    cells = re.findall(r"\| +batch_cost +\| +([\d.]+) +\| +([\d.]+) +\| +([\d.]+)", text)
    got = [float(v) for v in cells[0]] if cells else []
    us = [d for _, d in steps]
    want = [sum(us) / len(us) / 1e6, max(us) / 1e6, min(us) / 1e6]
    report("batch_cost is the steps of the file", None if got and all(abs(a - b) <= 2e-4 * b for a, b in zip(got, want)) else
           "%s, not %s" % (got, want))
    ips = re.findall(r"\| +ips +\| +([\d.]+) +\| +([\d.]+) +\| +([\d.]+)", text)
    got = [float(v) for v in ips[0]] if ips else []
    want = [1e6 * len(us) / sum(us), 1e6 / min(us), 1e6 / max(us)]
    report("ips is steps a second", None if got and all(abs(a - b) <= 2e-4 * b for a, b in zip(got, want)) else
           "%s, not %s" % (got, want))
    digits = [len(v.lstrip("0.").replace(".", "")) for v in re.findall(r"\d+\.\d+(?= +\|)", text)]
    report("four digits at least", None if digits and min(digits) >= 4 else str(digits))


def paddle():
    full = run(PADDLE, "--style", "paddle", "--table", "operators")[1].splitlines()
    short = run(PADDLE, "--style", "paddle", "--table", "operators", "--op-detail", "off")[1].splitlines()
    report("--op-detail off leaves the operators", None if short == [l for l in full if not l.startswith("  ")] != full else "differs")
    status, out, err = run(PADDLE, "--style", "paddle", "--table", "run")
    report("a table that Paddle has no view of", None if status == 2 and not out and "'run'" in err and "kernels" in err else err)
    status, out, err = run(PADDLE, "--style", "paddle", "--table", "operators,run")
    report("one of two without a view", None if status == 2 and not out and "'run'" in err else err)
    status, _, err = run(PADDLE, "--op-detail", "off")
    report("--op-detail without the style", None if status == 2 and "--style paddle" in err else err)
    cpu = os.path.join(TOP, "assets/sample_cpu.pt.trace.json.gz")
    status, _, err = run(cpu, "--style", "paddle", "--table", "kernels")
    report("a view without rows says so", None if status == 0 and "Kernel Summary" in err else err)


words()
layout()
perf()
paddle()
