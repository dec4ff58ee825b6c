#!/usr/bin/env python3
"""Benchmarks: `make bench`. Everything is a ratio to a reference measured in the same run, interleaved, medians of 5.

    bench.py --bin ./tracetty --tools build/tests/bench [--trace FILE] [--size 100M --size 1G] [--runs 5] [--only load,kinds,ranks,gz,inside,diff,csv,python,keys] [--dir DIR]

load    loading speed and memory of `tracetty bench-load` against simdjson alone reading the same fields (tests/bench/floor.cpp)
kinds   the same for three kinds of traces by threads, the phases of loading, and what more threads are predicted to make of them
ranks   folders of 64 and 1,024 files, plain and compressed; --old PROGRAM: another build in turn
gz      the same file compressed: loading against loading the plain one, and against decompression alone; memory bandwidth
inside  time to build the timeline's index, frames of 60 rows x 200 columns by zoom, every table the first time
diff    comparing two traces against loading one of them, whole programs by the clock; and the largest of both sides in memory
csv     a generated kernel_details.csv of 300 MB: reading rows with the numbers that a loader takes, on one core
python  Python's json on the smallest size
keys    the explorer in a terminal: opening the sample, keys while the biggest trace is read on a busy machine, the first use
        of each tab: see tests/bench_keys.py
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

import bench_keys
import bench_scaling

SAMPLE = "assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz"


def run_json(*cmd):
    """Returns the JSON that a command prints, and its peak resident memory in bytes."""
    child = subprocess.Popen(cmd, stdout=subprocess.PIPE)
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit("%s: exit status %d" % (" ".join(cmd), child.returncode))
    return json.loads(text), usage.ru_maxrss * 1024


def big_trace(args, size):
    os.makedirs(args.dir, exist_ok=True)
    path = os.path.join(args.dir, "tracetty-bench-%s-%s.json" % (os.path.basename(args.trace).split(".")[0], size))
    if not os.path.exists(path):
        subprocess.run([sys.executable, "tests/tools/scale_trace.py", args.trace, path, size], check=True)
    with open(path, "rb", buffering=0) as f:  # read it into the page cache
        while f.read(1 << 22):
            pass
    return path


def bench_load(args, size, threads=None):
    path = big_trace(args, size)
    threads = threads or sorted({1, min(2, os.cpu_count())})
    floor, load, rss = {t: [] for t in threads}, {t: [] for t in threads}, {t: [] for t in threads}
    for _ in range(args.runs):
        for t in threads:
            reference, _ = run_json(os.path.join(args.tools, "floor"), path, str(t))
            result, peak = run_json(args.bin, "bench-load", path, "--threads", str(t))
            if result["events"] != reference["events"]:
                raise SystemExit("events differ: %d loaded, %d in the reference" % (result["events"], reference["events"]))
            floor[t].append(reference["bytes"] / reference["seconds"] / 1e6)
            load[t].append(reference["bytes"] / result["seconds"] / 1e6)
            rss[t].append(peak)
    print("%s: %d MB, %d events" % (size, reference["bytes"] // 10 ** 6, reference["events"]))
    for t in threads:
        a, b = statistics.median(floor[t]), statistics.median(load[t])
        print("  %d thread%s  reference %6.0f MB/s   tracetty %6.0f MB/s   ratio %.2f   peak memory %4.0f MB = %.2f of the file" % (
            t, " " if t == 1 else "s", a, b, b / a, statistics.median(rss[t]) / 1e6,
            statistics.median(rss[t]) / reference["bytes"]))
    for key, value in sorted(result.items()):
        if "per_event" in key or "bytes_" in key:
            print("  %s: %s" % (key, json.dumps(value)))
    return statistics.median(load[1])


def median_seconds(runs, *cmd):
    results = [run_json(*cmd) for _ in range(runs)]
    return statistics.median(r["seconds"] for r, _ in results), results[-1][0], statistics.median(m for _, m in results)


def bench_gz(args, size):
    path, machine = big_trace(args, size), os.path.join(args.tools, "machine")
    packed = path + ".gz"
    if not os.path.exists(packed):
        subprocess.run(["sh", "-c", 'gzip -6 -c "$0" > "$1.part" && mv "$1.part" "$1"', path, packed], check=True)
    plain, _, _ = median_seconds(args.runs, args.bin, "bench-load", path)
    loaded, result, peak = median_seconds(args.runs, args.bin, "bench-load", packed)
    alone, _, _ = median_seconds(args.runs, machine, "inflate", packed)
    copied, copy, _ = median_seconds(args.runs, machine, "copy")
    mb = result["bytes"] / 1e6
    print("gzip, %s of text: loading %.0f MB/s = %.2f x the time of the plain file, peak memory %.2f of the text; decompression alone %.0f MB/s" % (
        size, mb / loaded, loaded / plain, peak / result["bytes"], mb / alone))
    print("memory copies: %.1f GB/s; loading plain text runs at %.2f of that" % (
        copy["bytes"] / 1e9 / copied, (mb / plain) / (copy["bytes"] / 1e6 / copied)))


def bench_inside(args, size):
    result, _ = run_json(args.bin, "bench-load", "--tables", "--frames", big_trace(args, size))
    print("%s, %d events, %d slices: index of the timeline %.0f ms, %.1f bytes a slice" % (
        size, result["events"], result["slices"], result["index_build_ms"], result["index_bytes_per_slice"]))
    print("  frame, ms, by zoom: " + "  ".join("%sx %.2f" % (z, ms) for z, ms in result["frame_ms_by_zoom"].items()))
    tables = sorted(result["table_ms"].items(), key=lambda x: -x[1])
    print("  slowest tables, ms: " + "  ".join("%s %.0f" % x for x in tables[:8]))


def clocked(*cmd):
    """Returns wall seconds, CPU seconds, and peak resident memory in bytes."""
    start = time.perf_counter()
    child = subprocess.Popen(cmd, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit("%s: exit status %d" % (" ".join(cmd), child.returncode))
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def bench_diff(args, size):
    """Compares two copies of a file, like two runs: with one file on both sides it could be read once."""
    base = big_trace(args, size)
    new = base.replace(".json", "-new.json")
    if not os.path.exists(new):
        shutil.copyfile(base, new)
    commands = {"load": ("summary", "--table", "run", base), "diff": ("diff", "--format", "json", base, new),
                "all": ("diff", "--format", "json", "--table", "all", base, new)}
    for path in (base, new):
        clocked("cat", path)
    took = {name: [] for name in commands}
    for _ in range(args.runs):
        for name, command in commands.items():
            took[name].append(clocked(args.bin, *command))
    one = [statistics.median(x) for x in zip(*took["load"])]
    for name in ("diff", "all"):
        two = [statistics.median(x) for x in zip(*took[name])]
        print("%s, %s: comparing two %.2f s, loading one %.2f s; ratio by the clock %.2f, of processor time %.2f, of peak memory %.2f" % (
            size, "four tables" if name == "diff" else "every table", two[0], one[0], *(t / o for t, o in zip(two, one))))


def bench_csv(args, size=300 * 10 ** 6):
    path = os.path.join(args.dir, "tracetty-bench-kernel_details.csv")
    head = ("Step Id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,"
            "Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats,"
            "Context ID,aicore_time(us),aic_total_cycles,aic_mac_ratio,aiv_time(us),aiv_total_cycles,aiv_vec_ratio,cube_utilization(%)\n")
    rows, total = 0, 0
    try:
        with open(path, "w") as f:
            f.write(head)
            while f.tell() < size:
                lines = []
                for rows in range(rows + 1, rows + 20001):
                    duration = rows * 7919 % 900000
                    total += duration
                    lines.append('%d,4294967295,%d,2,aclnnMatmul_MatMulCommon_MatMulV2_%d,MatMulV2,dynamic,AI_CORE,1736408883%06d.%03d\t,%d.%03d,%d.%02d,20,0,NO,'
                                 '"""16,2048;2048,1000""",DT_FLOAT16;FLOAT16,ND;ND,"""16,1000""",FLOAT16,ND,N/A,%d.%02d,%d,0.%04d,0.0,0,0.0,%d.%03d\n' % (
                                     rows % 50, rows, rows % 977, rows % 10 ** 6, rows % 1000, duration // 1000, duration % 1000, rows % 400, rows % 100,
                                     rows % 800, rows % 100, rows * 17, rows % 10000, rows % 100, rows % 1000))
                f.write("".join(lines))
        seconds, result, peak = median_seconds(args.runs, os.path.join(args.tools, "csv"), path)
    finally:
        os.remove(path)
    if (result["rows"], result["sum"]) != (rows, total):
        raise SystemExit("csv: %d rows and %d ns were read, %d and %d written" % (result["rows"], result["sum"], rows, total))
    print("csv, %d MB, %d rows: %.0f MB/s, peak memory %.0f MB" % (
        result["bytes"] // 10 ** 6, rows, result["bytes"] / 1e6 / seconds, peak / 1e6))


def bench_python(args, size):
    path = big_trace(args, size)
    code = "import json,sys,time; t=time.time(); d=json.load(open(sys.argv[1])); print(json.dumps({'s': time.time()-t}))"
    times, peaks = [], []
    for _ in range(min(3, args.runs)):
        result, peak = run_json(sys.executable, "-c", code, path)
        times.append(result["s"])
        peaks.append(peak)
    mb = os.path.getsize(path) / 1e6
    print("python json, %s: %.0f MB/s, peak memory %.0f MB = %.1f of the file" % (
        size, mb / statistics.median(times), statistics.median(peaks) / 1e6, statistics.median(peaks) / 1e6 / mb))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True)
    p.add_argument("--tools", required=True)
    p.add_argument("--trace", default=SAMPLE, help="the trace that is scaled up")
    p.add_argument("--size", action="append")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--old", help="another build of the program, for ranks")
    p.add_argument("--only", default="load,kinds,ranks,gz,inside,diff,csv,python,keys")
    p.add_argument("--dir", default=os.environ.get("TMPDIR", "/tmp"))
    args = p.parse_args()
    args.bin = os.path.abspath(args.bin)
    sizes = args.size or ["100M", "1G"] + (["4G"] if os.environ.get("BENCH_LARGE") == "1" else [])
    if "load" in args.only:
        for size in sizes:
            bench_load(args, size)
    if "kinds" in args.only:
        bench_scaling.bench_kinds(sys.modules[__name__], args, "1G" if not args.size else sizes[-1])
    if "ranks" in args.only:
        bench_scaling.bench_ranks(sys.modules[__name__], args)
    if "gz" in args.only:
        bench_gz(args, sizes[-1] if args.size else "1G")
    if "inside" in args.only:
        bench_inside(args, sizes[-1])
    if "diff" in args.only:
        bench_diff(args, sizes[-1])
    if "csv" in args.only:
        bench_csv(args)
    if "python" in args.only:
        bench_python(args, sizes[0])
    if "keys" in args.only:
        bench_keys.be_prompt()
        bench_keys.bench_open(args.bin, args.runs)
        path = big_trace(args, sizes[-1])
        bench_keys.bench_loading(args.bin, path, 2)
        bench_keys.bench_tabs(args.bin, path)


if __name__ == "__main__":
    main()
