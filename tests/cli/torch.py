#!/usr/bin/env python3
"""key_averages as text has the layout of PyTorch's table, checked by hand in torch.txt; --style tables gives the
layout of all other tables."""
import os
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
HERE = os.path.dirname(os.path.abspath(__file__))
TRACE = """{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "X"}], "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "pid": 1, "tid": 1, "ts": 100, "dur": 1200, "args": {"External id": 1, "Input Dims": [[8], [4, 16], [16, 8], [], []], "Call stack": "/home/models/a/very/long/path/that/does/not/fit/into/the/column/of/places/model.py(120): forward;train.py(7): <module>"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::expand", "pid": 1, "tid": 1, "ts": 110, "dur": 20, "args": {"External id": 2, "Input Dims": [[8], [], []]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 200, "dur": 100, "args": {"correlation": 9, "External id": 1}},
{"ph": "X", "cat": "kernel", "name": "void gemm_kernel_with_a_name_that_is_longer_than_the_column<float, 128, 64>(float*)", "pid": 0, "tid": 7, "ts": 400, "dur": 2500, "args": {"device": 0, "stream": 7, "correlation": 9, "External id": 1}},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 150, "args": {"Device Type": 1, "Device Id": 0, "Bytes": 1536, "Addr": 1, "Total Allocated": 1536, "Total Reserved": 4096}},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 120, "args": {"Device Type": 0, "Device Id": -1, "Bytes": 512, "Addr": 2, "Total Allocated": 512, "Total Reserved": 0}}
]}
"""
failed = 0


def report(what, ok, why=""):
    global failed
    failed += not ok
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + why))


def text(path, *options):
    p = subprocess.run([BIN, "summary", "--table", "key_averages", *options, path], capture_output=True, stdin=subprocess.DEVNULL)
    return p.stdout.decode("utf-8")


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "worker0.pt.trace.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(TRACE)
        got = "".join("# %s\n%s" % (" ".join(o), text(path, *o)) for o in
                      ([], ["--group-by", "shape", "--limit", "2"], ["--group-by", "stack"], ["--unit", "us", "--sort", "calls"]))
        golden = os.path.join(HERE, "torch.txt")
        if sys.argv[1:] == ["--update"]:
            with open(golden, "w", encoding="utf-8") as f:
                f.write(got)
        with open(golden, encoding="utf-8") as f:
            want = f.read()
        lines = zip(got.split("\n"), want.split("\n"))
        report("key_averages as PyTorch prints it", got == want, "; ".join("%r, want %r" % l for l in lines if l[0] != l[1])[:300])
        report("the totals are of the whole table", text(path, "--limit", "1").split("\n")[-4:-1] ==
               ["Self CPU time total: 1.200ms", "Self CUDA time total: 2.500ms", "(1 of 4 rows)"])
        report("--style tables", text(path, "--style", "tables").startswith("Key Averages"), text(path, "--style", "tables")[:80])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
