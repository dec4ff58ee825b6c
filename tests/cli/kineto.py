#!/usr/bin/env python3
"""Variants of PyTorch's traces with equal meaning: steps whose events have no category, kernels named by ROCm's
loader. The tables equal those of the usual form.

Environment BIN.
"""
import json
import os
import subprocess
import sys
import tempfile

BIN = os.environ.get("BIN", "./tracetty")
# names, and their spelling by ROCm
KERNELS = [
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>)",
    "attn_fwd",
    "triton_poi_fused_add_relu_0",
    "Cijk_Ailk_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x160x64",
    "_Z9gelu_bwd_kPf",
]


def trace(steps="user_annotation", ending=lambda name: ""):
    """Three steps of some operators, each with its launch and its kernel."""
    events = []
    for step in range(3):
        at = 1000.0 * step
        marker = {"ph": "X", "name": "ProfilerStep#%d" % (step + 5), "pid": 1, "tid": 1, "ts": at, "dur": 900}
        events.append(dict(marker, cat=steps) if steps else marker)
        for i, name in enumerate(KERNELS):
            n = 10 * step + i + 1
            events.append({"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % i, "pid": 1, "tid": 1, "ts": at + 100 * i + 10, "dur": 60, "args": {"External id": n}})
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": at + 100 * i + 20, "dur": 10, "args": {"External id": n, "correlation": n}})
            events.append({"ph": "X", "cat": "kernel", "name": name + ending(name), "pid": 0, "tid": 7, "ts": at + 100 * i + 50, "dur": 30 + i, "args": {"External id": n, "correlation": n, "device": 0, "stream": 7}})
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "AMD Instinct MI300X"}], "traceEvents": events}


def tables(folder, data, *more):
    path = os.path.join(folder, "trace.json")
    with open(path, "w") as f:
        json.dump(data, f)
    p = subprocess.run([BIN, "summary", "--table", "all", "--format", "json", *more, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        return {"status": p.returncode, "stderr": p.stderr}
    return {t["id"]: t["rows"] for t in json.loads(p.stdout)["tables"]}


def main():
    failed = False
    rocm = lambda name: ".kd" if name.startswith("_Z") or "<" not in name else " [clone .kd]"
    with tempfile.TemporaryDirectory() as folder:
        usual = tables(folder, trace())
        for what, data in (("steps without a category", trace(steps=None)), ("steps with an empty category", trace(steps="")), ("kernels with .kd behind their names", trace(ending=lambda n: ".kd")),
                           ("kernels with [clone .kd] behind their names", trace(ending=lambda n: " [clone .kd]")), ("kernels with either", trace(ending=rocm))):
            for more in ([], ["--group-by", "launch"]):
                table = ["--table", "kernels"] if more else []
                want = tables(folder, trace(), *table, *more) if more else usual
                got = tables(folder, data, *table, *more)
                differ = sorted(k for k in set(want) | set(got) if want.get(k) != got.get(k))
                failed = failed or bool(differ)
                print("%s %s %s" % ("FAIL" if differ else "ok", what, " ".join(more) + (": other tables: %s" % differ if differ else "")))
        steps = [r["step"] for r in usual.get("step_breakdown", [])]
        failed = failed or steps != ["5", "6", "7"]
        print("ok three steps" if steps == ["5", "6", "7"] else "FAIL steps are %s" % steps)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
