#!/usr/bin/env python3
"""Records assets/sample_cpu.pt.trace.json.gz: a real training run on the CPU. Needs Debian's python3-torch.

    record_cpu_sample.py OUTPUT.json.gz

A small convolutional network, a DataLoader without workers, SGD with momentum, three recorded steps. Debian builds
PyTorch without Kineto, so this is the old form of such files: a bare array, times relative to the start, no categories.
Paths and names of the recording machine are replaced.
"""
import gzip
import json
import os
import re
import sys
import tempfile

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        torch.manual_seed(i)
        return torch.randn(3, 32, 32), i % 10


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
                                      nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4))
        self.head = nn.Linear(32 * 16, 10)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def main():
    torch.manual_seed(0)
    torch.set_num_threads(2)
    net, loss_of = Net(), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    raw = tempfile.mktemp(suffix=".json")
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=3, repeat=1),
                 on_trace_ready=lambda p: p.export_chrome_trace(raw), record_shapes=True, profile_memory=True,
                 with_stack=True, with_modules=True) as prof:
        for images, labels in DataLoader(Images(), batch_size=8, num_workers=0):
            with record_function("forward"):
                loss = loss_of(net(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            prof.step()
    text = open(raw, encoding="utf-8").read()
    os.unlink(raw)
    here = re.escape(os.path.dirname(os.path.abspath(__file__)) + "/")
    text = re.sub("(?:%s|tests/)?record_cpu_sample.py" % here, "train.py", text)
    text = re.sub(r"/usr/lib/python3(?:\.\d+)?/(?:dist-packages/)?", "", text)
    text = text.replace(os.uname().nodename, "localhost").replace(raw, "./sample_cpu.pt.trace.json")
    json.loads(text)
    with open(sys.argv[1], "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as out:
        out.write(text.encode())
    print("%s: %d events, %d kB packed" % (sys.argv[1], text.count('"ph":'), os.path.getsize(sys.argv[1]) // 1000))


if __name__ == "__main__":
    main()
