#!/usr/bin/env python3
"""A small training on the CPU to be recorded, for the gate of the README. Needs PyTorch.

    tracetty record -o RUN -- python3 train_cpu.py [LAYERS]

Twelve steps after two to warm up; more LAYERS (default 6) make every step slower."""
import sys

import torch
import tracetty

layers = int(sys.argv[1]) if len(sys.argv) > 1 else 6
torch.manual_seed(0)
torch.set_num_threads(1)
net = torch.nn.Sequential(*[m for _ in range(layers) for m in (torch.nn.Linear(64, 64), torch.nn.ReLU())])
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
data = torch.randn(64, 64)
for _ in range(14):
    with tracetty.range("forward", "forward"):
        loss = net(data).square().mean()
    with tracetty.range("backward", "backward"):
        optimizer.zero_grad()
        loss.backward()
    with tracetty.range("optimizer", "optimization"):
        optimizer.step()
    tracetty.step()
