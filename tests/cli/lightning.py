#!/usr/bin/env python3
"""Ranges of PyTorch Lightning: modules have their own rows, hooks are stages, and neither are operators. Numbers by
hand."""
import json
import os
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
failed = 0


def report(what, ok, why=""):
    global failed
    failed += not ok
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:500]))


def trace(category):
    """One step of 1000 us; category: that of the ranges, which newer profilers call annotations and older ones
    operators."""
    events = []

    def x(cat, name, ts, dur, tid=1, **args):
        events.append({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur, "args": args})

    x("user_annotation", "ProfilerStep#3", 0, 1000)
    x(category, "[pl][profile]run_training_epoch", 5, 990)
    x(category, "[pl][profile][_TrainingEpochLoop].train_dataloader_next", 10, 100)
    x(category, "[pl][profile]run_training_batch", 120, 800)
    x(category, "[pl][profile][LightningModule]Net.optimizer_step", 130, 780)
    x(category, "[pl][profile][Strategy]SingleDeviceStrategy.training_step", 140, 300)
    x("python_function", "nn.Module: Net_0", 145, 290, **{"Python id": 1, "Python module id": 0})
    x(category, "[pl][module]torchvision.models.resnet.ResNet: model", 150, 200)
    x(category, "[pl][module]torch.nn.modules.conv.Conv2d: model.conv1", 160, 50)
    x("cpu_op", "aten::conv2d", 165, 40, **{"External id": 11})
    x("cuda_runtime", "cudaLaunchKernel", 170, 10, correlation=21, **{"External id": 11})
    x("kernel", "conv", 200, 70, tid=7, correlation=21, device=0, stream=7)
    x(category, "[pl][module]torch.nn.modules.linear.Linear: model.fc", 220, 60)
    x("cpu_op", "aten::addmm", 225, 30, **{"External id": 12})
    x("cpu_op", "aten::add", 260, 10, **{"External id": 13})
    x(category, "[pl][profile][Strategy]SingleDeviceStrategy.backward", 450, 250)
    x("cpu_op", "aten::mm", 500, 20, **{"External id": 14})
    x("user_annotation", "Optimizer.step#SGD.step", 720, 150)
    return json.dumps({"schemaVersion": 1, "Framework": "pytorch-lightning", "traceEvents": events})


def tables(path, *ids):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", ",".join(ids), path], capture_output=True,
                       stdin=subprocess.DEVNULL)
    return {t["id"]: t["rows"] for t in json.loads(p.stdout.decode("utf-8"))["tables"]}


def main():
    for category in ("user_annotation", "cpu_op"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "worker0.pt.trace.json")
            with open(path, "w", encoding="utf-8") as f:
                f.write(trace(category))
            t = tables(path, "modules", "stages", "operators")
        modules = [(r["name"], r["depth"], r["occurrences"], r["operators"], r["host_total_ns"], r["host_self_ns"],
                    r["device_total_ns"]) for r in t["modules"]]
        report("%s: modules" % category, modules == [
            ("ResNet: model", 0, 1, 0, 200000, 90000, 70000),
            ("Conv2d: model.conv1", 1, 1, 1, 50000, 10000, 70000),
            ("Linear: model.fc", 1, 1, 2, 60000, 20000, 0)], modules)
        stages = {r["stage"]: (r["calls"], r["host_total_ns"]) for r in t["stages"]}
        report("%s: stages" % category, {k: stages.get(k) for k in ("DataLoader", "Forward", "Backward", "Optimization")} == {
            "DataLoader": (1, 100000), "Forward": (1, 300000), "Backward": (1, 250000), "Optimization": (1, 150000)}, stages)
        operators = sorted(r["name"] for r in t["operators"])
        report("%s: operators" % category, operators == ["aten::add", "aten::addmm", "aten::conv2d", "aten::mm"], operators)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
