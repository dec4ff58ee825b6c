#!/usr/bin/env python3
"""The first line names the kind of file or the largest cost, and nothing that the file cannot tell: for the samples as
listed here, for the corpus as listed in its verdicts.json.

The Overview, the digest and table overview must show the same line."""
import json
import os
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.environ.get("TRACETTY_CORPUS")

# sample: text of the line; texts not in the line; texts in no finding. No sample shows a stream's wait.
SAMPLES = {
    "sample_gpu": (["^(Input-bound|Waits for input): GPU 0 of rank \\d is idle .* waiting for the DataLoader, "], ["CPU-bound"], []),
    "sample_cpu.pt.trace.json.gz": (["^CPU-only run: aten::\\S+ takes \\d+\\.\\d% of the CPU time"], ["GPU"], ["CPU-bound"]),
    "sample_snapshot": (["^(Out of memory on|Peak .* allocated)"], ["[Nn]o findings"], []),
    "sample_paddle": (["[Ii]nput|DataLoader|communicat|idle|busy"], [], []),
    "sample_ascend": (["^Straggler: rank 1 is last to arrive"], ["[Ii]nput"], []),
    "sample_nsys": (["^Input-bound: GPU 0 is idle .* waiting for the DataLoader"], ["CPU-bound"], []),
    "sample_rocpd": (["^Exposed communication: .* GPU 0 only communicates"], ["idle"], []),
    "sample_rpd": (["^Exposed communication: .* GPU 0 only communicates"], ["idle"], []),
    "sample_xla": (["of the kernel time|TPU"], ["CPU-bound", "hardly ever idle"], []),
    "sample_mindinsight": (["^Step gap: the device waits"], [], []),
}


def run(*args):
    p = subprocess.run([BIN, "summary", *args], capture_output=True, stdin=subprocess.DEVNULL)
    return p.stdout.decode("utf-8") if p.returncode == 0 else "status %d: %s" % (p.returncode, p.stderr[-200:].decode("utf-8", "replace"))


def said(*paths):
    """The first line, titles of the findings, and whether every place shows that line."""
    line = re.sub(r"^!+ ", "", run("--screen", "overview", "--size", "250x24", *paths).split("\n")[2].strip()).rstrip("…")
    tables = {t["id"]: t["rows"] for t in json.loads(run("--format", "json", "--table", "findings,overview", *paths))["tables"]}
    verdict = " ".join(next(r["text"] for r in tables["overview"] if r["what"] == "verdict").split()).replace("µ", "u")
    return line, [r["title"] for r in tables["findings"]], verdict.startswith(line.replace("µ", "u").strip())


def wrong(line, titles, must, must_not, never):
    both = [line] + titles[:1]
    return ["does not say /%s/" % r for r in must if not any(re.search(r, s) for s in both)] + \
           ["says /%s/" % r for r in must_not if re.search(r, line)] + \
           ["says /%s/ in %r" % (r, s) for r in never for s in [line] + titles if re.search(r, s)][:3]


def judge(label, paths, must, must_not, never):
    try:
        line, titles, one = said(*paths)
        bad = wrong(line, titles, must, must_not, never) + ([] if one else ["table overview has another line"])
    except (ValueError, IndexError, StopIteration) as e:
        line, bad = "", ["no answer: %r" % e]
    print("ok %s" % label if not bad else "FAIL %s: %s; it says %r" % (label, "; ".join(bad), line[:160]))
    return bool(bad)


# ---- kinds of traces made here, with the deciding events only

def event(cat, name, tid, at, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 0 if cat in ("kernel", "gpu_memcpy") else 1, "tid": tid, "ts": at, "dur": dur, "args": args}


def launch(n, at, kernel_at, dur, stream=7, name="gemm", call="cudaLaunchKernel", call_dur=5):
    return [event("cuda_runtime", call, 1, at, call_dur, correlation=n),
            event("kernel", name, stream, kernel_at, dur, correlation=n, device=0, stream=stream)]


def step(n, at, dur):
    return event("user_annotation", "ProfilerStep#%d" % n, 1, at, dur)


def loader(at, dur):
    return event("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1, at, dur)


def busy():  # all but 10 us of each step: 3 in a call, 7 in delivery
    return [step(1, 0, 1000), step(2, 1000, 1000)] + [e for k in (0, 1000) for e in launch(k + 1, k, k + 10, 990, call_dur=3)]


def starved():
    return [step(1, 0, 1000), step(2, 1000, 1000)] + [e for k in (0, 1000) for e in [loader(k, 600)] + launch(k + 1, k + 610, k + 620, 380)]


def python():
    return [step(1, 0, 1000), step(2, 1000, 1000)] + [e for k in (0, 1000) for e in launch(k + 1, k + 500, k + 510, 490)]


def started():
    return launch(1, 10, 620, 50, call_dur=600) + launch(2, 700, 710, 100) + [event("cpu_op", "aten::mm", 1, 0, 1000)]


def began_before():  # the device runs work that is not in the file, which is no wait of its streams
    return [step(1, 0, 10000)] + launch(1, 0, 4000, 400) + launch(2, 20, 4400, 400, 9) + launch(3, 40, 4800, 5200)


def host_alone():
    return [event("cpu_op", "aten::conv2d", 1, 0, 700), event("cpu_op", "aten::relu", 1, 700, 300)]


def two_clocks():
    return launch(1, 10, 10**9, 100) + launch(2, 50, 10**9 + 200, 100) + [event("cpu_op", "aten::mm", 1, 0, 100)]


def elements():
    at = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)"
    return [step(1, 0, 1000)] + [e for k in range(10) for e in launch(k + 1, k * 20, 10 + k * 99, 99, name=at)]


MADE = (  # text that the line must have; texts that it must not have
    (busy, r"^No findings\. GPU 0 is busy 99\.0% of the step time; largest idle cause: launch 0\.7%$", "CPU-bound"),
    (starved, r"^Input-bound: GPU 0 is idle 60\.0% of the step time \(1\.200 ms in 2 waits, longest 600\.0 us\) waiting for the DataLoader$", "CPU-bound"),
    (python, r"^CPU-bound: GPU 0 is idle 50\.5% of the step time \(1\.010 ms in 2 waits, longest 505\.0 us\): Python or unrecorded code 50\.0%, runtime calls 0\.5%$",
     "[Ii]nput"),
    (started, r"^First call: cudaLaunchKernel takes 600\.0 us \(60\.0% of the time\): start-up, not the program", "CPU-bound"),
    (began_before, r"^Cannot tell what GPU 0 did for ", "[Ss]tream wait|CPU-bound|[Ii]nput-bound"),
    (host_alone, r"^CPU-only run: aten::conv2d takes 70\.0% of the CPU time", "idle|busy"),
    (two_clocks, r"(?i)clocks of device and host differ", "CPU-bound|idle|busy"),
    (elements, r"^Elementwise kernels take 100\.0% of the kernel time \(10 launches\)", "CPU-bound"),
)


def main():
    failed = 0
    for name, (must, must_not, never) in SAMPLES.items():
        path = os.path.join(TOP, "assets", name)
        paths = [os.path.join(path, sorted(os.listdir(path))[0])] if name in ("sample_paddle", "sample_snapshot") else [path]
        failed += judge(name, paths, must, must_not, never + ["(?i)stream wait"])
    with tempfile.TemporaryDirectory() as folder:
        for make, must, must_not in MADE:
            path = os.path.join(folder, make.__name__ + ".pt.trace.json")
            with open(path, "w") as f:
                json.dump({"schemaVersion": 1, "traceEvents": make()}, f)
            failed += judge("made: " + make.__name__.replace("_", " "), [path], [must], [must_not], ["(?i)stream wait"])
    if not CORPUS:
        print("skip real traces: TRACETTY_CORPUS is not set")
        return 1 if failed else 0
    with open(os.path.join(CORPUS, "verdicts.json"), encoding="utf-8") as f:
        for e in json.load(f):
            paths = [os.path.join(CORPUS, p) for p in e["paths"]]
            failed += judge(e["paths"][0], paths, e.get("must", []), e.get("must_not", []), e.get("never", []))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
