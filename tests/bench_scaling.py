"""Benchmarks of loading by kind of trace, by number of files and by number of threads: parts of bench.py."""
import glob
import os
import shutil
import statistics
import subprocess
import sys

THREADS = [1, 2, 4, 8, 16, 32]
PREDICTED = [2, 4, 8, 16, 32]


def traces(args):
    """Three kinds: a trace of 2024 or later, one with stacks and shapes in the order of ends, and the sample."""
    corpus, sample = os.environ.get("TRACETTY_CORPUS", ""), args.trace
    found = {"A, events of 2024": "b200_eager", "B, stacks, in order of ends": "resnet50_num_workers_0"}
    for name, folder in found.items():
        files = sorted(glob.glob(os.path.join(corpus, "traces", "pytorch", folder, "*.json*"))) if corpus else []
        if files:
            yield name, files[0]
        else:
            print("%s: needs the corpus (TRACETTY_CORPUS)" % name)
    yield "C, the sample", sample


def threads_here():
    return [t for t in THREADS if t <= max(1, os.cpu_count())]


def phases(run_json, args, path, threads):
    """Median seconds of reading, and of sorting the events that were read."""
    runs = [run_json(args.bin, "bench-load", path, "--threads", str(t))[0] for t in [threads] * args.runs]
    return (statistics.median(r["reading_seconds"] for r in runs), statistics.median(r["seconds"] - r["reading_seconds"] for r in runs))


def bench_kinds(bench, args, size):
    """Each kind by number of threads, against the floor (simdjson alone, storing nothing); the phases; a prediction
    for more threads."""
    whole = args.trace
    for name, path in traces(args):
        print("%s" % name)
        args.trace = path
        bench.bench_load(args, size, threads_here())
        big = bench.big_trace(args, size)
        by = {t: phases(bench.run_json, args, big, t) for t in threads_here()}
        for t, (reading, order) in by.items():
            print("  %2d threads: reading %.3f s, order and links %.3f s" % (t, reading, order))
        if 2 in by:
            predict(by[1], by[2], max(by))
    args.trace = whole


def predict(one, two, measured):
    """Predicts from the speedup of two threads in each phase: the serial part stays, however many threads there are.
    An upper bound: memory and disks have limits, too."""
    serial = [max(0.0, 2 * b - a) for a, b in zip(one, two)]
    shared = [max(0.0, a - s) for a, s in zip(one, serial)]
    print("  share that runs in parallel: reading %.0f %%, order and links %.0f %%" % tuple(100 * p / a for p, a in zip(shared, one)))
    print("  PREDICTED from these two phases, not measured: " + "  ".join(
        "%d threads %.3f s" % (t, sum(serial) + sum(shared) / t) for t in PREDICTED if t > measured))


def make_ranks(folder, *options):
    if not os.path.isdir(folder):
        part = folder + ".part"
        shutil.rmtree(part, ignore_errors=True)
        subprocess.run([sys.executable, "tests/tools/make_ranks.py", part, *options], check=True, stdout=subprocess.DEVNULL)
        os.rename(part, folder)
    return folder


def bench_ranks(bench, args):
    """Folders of many files, whole programs, wall time; --old PROGRAM: in turn with another build."""
    many = make_ranks(os.path.join(args.dir, "tracetty-bench-ranks-64"), "--ranks", "64", "--calls", "600")
    packed = many + "-gz"
    if not os.path.isdir(packed):
        os.mkdir(packed + ".part")
        for path in glob.glob(os.path.join(many, "*.pt.trace.json")):
            with open(os.path.join(packed + ".part", os.path.basename(path) + ".gz"), "wb") as out:
                subprocess.run(["gzip", "-6", "-c", path], stdout=out, check=True)
        os.rename(packed + ".part", packed)
    small = make_ranks(os.path.join(args.dir, "tracetty-bench-ranks-1024"), "--ranks", "1024", "--calls", "8")
    programs = [args.bin] + ([args.old] if args.old else [])
    for what, folder in (("64 ranks", many), ("64 ranks, .gz", packed), ("1,024 small ranks", small)):
        files = glob.glob(os.path.join(folder, "*.json*"))
        mb = sum(os.path.getsize(f) for f in files) / 1e6
        bench.clocked("cat", *files)
        for t in threads_here():
            took = {p: [] for p in programs}
            for _ in range(args.runs):
                for p in programs:
                    took[p].append(bench.clocked(p, "summary", "--table", "run", "--threads", str(t), folder))
            new, cpu, rss = (statistics.median(x) for x in zip(*took[args.bin]))
            line = "%s (%.0f MB), %d threads: %.3f s, %.2f ms a file, CPU %.3f s, peak %.0f MB" % (
                what, mb, t, new, new * 1e3 / len(files), cpu, rss / 1e6)
            if args.old:
                old = statistics.median(x[0] for x in took[args.old])
                line += "; %s %.3f s, ratio %.2f" % (args.old, old, new / old)
            print(line)
