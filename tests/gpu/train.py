#!/usr/bin/env python3
"""A PyTorch training loop to be recorded: train.py PROFILER LOOP [OUT]; train.py wait LOOP SECONDS runs steps for so
long.

PROFILER: none; torch = torch.profiler over the steps after the warm-up, with its trace in OUT; torch-full = also
memory, shapes, stacks, modules.
LOOP: small, large (layers of 512 and 4096); launch (many tiny kernels); input (the data loader is the slow part).
late: torch.profiler over 3 steps, then 20 steps that tracetty records into the folder LATE, from tracetty.init() on.
Every step is in a range ProfilerStep#N, from 0: WARM warm-up steps, then STEPS steps (environment, default 50).
Prints ms_per_step of the latter."""
import os
import sys
import time

import torch

WARM, STEPS = 20, int(os.environ.get("STEPS", "50"))
PROFILER, LOOP = sys.argv[1], sys.argv[2]


class Slow(torch.utils.data.Dataset):
    """A dataset whose samples take CPU time."""

    def __len__(self):
        return 1 << 20

    def __getitem__(self, i):
        if LOOP == "input":
            time.sleep(2e-4)
        return torch.full((width,), float(i))


width, layers, batch = {"small": (512, 8, 64), "large": (4096, 8, 256), "launch": (64, 48, 16), "input": (512, 4, 32)}[LOOP]
blocks = [m for _ in range(layers) for m in (torch.nn.Linear(width, width), torch.nn.ReLU())]
model = torch.nn.Sequential(*blocks).cuda()
optimizer = torch.optim.Adam(model.parameters(), 1e-4)
workers = 2 if LOOP == "input" else 0
samples = iter(torch.utils.data.DataLoader(Slow(), batch_size=batch, num_workers=workers))
fixed = torch.randn(batch, width, device="cuda")


def step(number):
    with_marker = PROFILER in ("none", "wait")  # torch.profiler writes ProfilerStep#N itself
    if with_marker:
        torch.cuda.nvtx.range_push("ProfilerStep#%d" % number)
    x = next(samples).cuda() if LOOP == "input" else fixed
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
    torch.cuda.synchronize()
    if with_marker:
        torch.cuda.nvtx.range_pop()


def steps(first, n, after=lambda: None):
    for i in range(first, first + n):
        step(i)
        after()


steps(0, WARM)
if PROFILER == "wait":
    begin, done = time.perf_counter(), 0
    while time.perf_counter() - begin < float(sys.argv[3]):
        steps(WARM + done, 10)
        done += 10
    took = (time.perf_counter() - begin) / done * STEPS
elif PROFILER == "late":
    import tracetty

    with torch.profiler.profile():
        steps(WARM, 3)
    tracetty.init(os.environ["LATE"])
    begin = time.perf_counter()
    steps(WARM + 3, 20)
    took = (time.perf_counter() - begin) / 20 * STEPS
elif PROFILER == "none":
    begin = time.perf_counter()
    steps(WARM, STEPS)
    took = time.perf_counter() - begin
else:
    full = PROFILER == "torch-full"
    with torch.profiler.profile(record_shapes=full, profile_memory=full, with_stack=full, with_modules=full) as p:
        begin = time.perf_counter()
        steps(WARM, STEPS, p.step)
        took = time.perf_counter() - begin
    p.export_chrome_trace(sys.argv[3])
print("ms_per_step=%.3f" % (took / STEPS * 1e3))
