#!/usr/bin/env python3
"""Advice on recording more names options of the profiler that wrote the trace, and of no other profiler: the notes of
all tables and the empty screens, for the project's sample of each format. Environment BIN."""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden"))
import _wire  # noqa: E402

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KINETO = r"ProfilerActivity|with_stack|with_modules|record_shapes|profile_memory|prof\.step\(\)|--via kineto"
PADDLE = r"ProfilerTarget|paddle\.profiler"
NSYS = r"nsys profile|--python-backtrace"
XLA = r"host_tracer_level|python_tracer_level|jax\.|StepTraceAnnotation"
RECORDER = r"--ops\b|--via kineto|--step-marker|--yield-cupti"
MINDSPORE = r"mindspore\."
# sample: options of other profilers that its texts must not name. Nsight Systems and ROCm's profilers do not record operators
# and memory, so their texts name torch.profiler, which does.
FOREIGN = {
    "sample_xla*": "|".join((KINETO, PADDLE, NSYS, RECORDER, MINDSPORE)),
    "sample_mindinsight": "|".join((r"torch\.profiler|with_stack=True, with_modules", PADDLE, NSYS, XLA, RECORDER)),
    "sample_paddle": "|".join((r"ProfilerActivity|with_stack|with_modules|torch", NSYS, XLA, RECORDER, MINDSPORE)),
    "recording": "|".join((r"ProfilerActivity|with_stack|with_modules|record_shapes=|profile_memory=|prof\.step", PADDLE, NSYS, XLA, MINDSPORE)),
    "sample_nsys*": "|".join((r"ProfilerActivity|add record_shapes|--via kineto", PADDLE, XLA, RECORDER, MINDSPORE)),
    "sample_ascend": "|".join((r"ProfilerActivity\.CUDA", PADDLE, NSYS, XLA, RECORDER)),
    "sample_gpu": "|".join((PADDLE, NSYS, XLA, MINDSPORE)),
}
# features of a single profiler: notes about them name it
OF_ONE = ("step_trace", "step_trace_summary", "op_types", "op_details", "minddata_", "cluster_", "data_", "snapshot_", "memory_stacks")
SCREENS = ("kernels", "operators", "modules", "api", "memory", "steps", "idle", "distributed", "roofline")


def texts(path):
    """(place, text) for each text of a trace: every table separately, since --table all leaves out empty ones; and
    screens."""
    def run(args):
        p = subprocess.run([BIN, "summary", path, *args], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return " ".join(args), p.stdout + p.stderr
    tables = [t["id"] for t in json.loads(subprocess.run([BIN, "tables", "--format", "json"], capture_output=True, text=True).stdout)["tables"]]
    jobs = [["--table", t, "--limit", "3"] for t in tables if not t.startswith(("diff_",) + OF_ONE)] + [["--screen", s, "--size", "160x45"] for s in SCREENS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(run, jobs))


def sample_of(pattern, folder):
    if pattern == "recording":
        case = os.path.join(TOP, "tests", "golden", "recording")
        return _wire.ready(case, "trace.ttspool.json", folder)
    found = sorted(glob.glob(os.path.join(TOP, "assets", pattern)))
    return found[0] if found else None


def main():
    with tempfile.TemporaryDirectory() as folder:
        return check_all(folder)


def check_all(folder):
    failed = False
    for pattern, foreign in FOREIGN.items():
        path = sample_of(pattern, folder)
        if not path:
            print("skip %s: no such sample" % pattern)
            continue
        said = texts(path)
        wrong = [(where, m.group(0)) for where, text in said for m in [re.search(foreign, text)] if m]
        failed |= bool(wrong) or not said
        print("%s advice for %s names its own profiler, in %d texts%s" % ("FAIL" if wrong or not said else "ok", os.path.basename(path), len(said),
                                                                        ": " + str(wrong[:5]) if wrong else ""))
    return failed


if __name__ == "__main__":
    sys.exit(main())
