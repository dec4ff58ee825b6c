#!/usr/bin/env python3
"""Adds names to a list of tui/anonymise/, sorted and wrapped as they are kept there.

    public_names.py LIST < NAMES      names, one a line, into tui/anonymise/LIST.def
    public_names.py --torch           what the installed PyTorch has into aten, operators, nodes, torch_files, torch_functions
    public_names.py --python          what this Python has into python_files

Where the names come from: aten, operators and nodes from the registries of PyTorch 1.13 and the bindings of tch-rs for 2.x; torch_files and
torch_functions from PyTorch's modules; python_files and python_functions from Python 3.11; calls from HIPIFY's tables of CUDA and from the headers
of HIP; kernels from the headers of PyTorch, CUTLASS and FlashAttention and from public traces. Only names are taken. A word of plain English
does not belong into a list: a program's own name may consist of such words.
"""
import ast
import glob
import os
import re
import subprocess
import sys
import sysconfig

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tui", "anonymise")
RUN = re.compile(r"torch/(?:\w+\.py|(?:nn|optim|autograd|cuda|utils|distributed|profiler|amp|_dynamo|_inductor|_functorch)/)")
NOT = re.compile(r"/test|/testing|/quantiz|/ao/|/rpc/|/elastic/|/tensorboard/|/hipify/|/bottleneck/")


def add(name, names):
    path = os.path.join(HERE, name + ".def")
    text = open(path).read()
    head, body = text[:text.index("*/") + 2], text[text.index("*/") + 2:]
    names = {n for n in names if not set(n) & set('|"\\')} | set("".join(re.findall(r'"([^"]*)"', body)).split("|")[:-1])
    lines = [""]
    for n in sorted(n.encode() for n in names):
        if len(lines[-1]) + len(n) + 3 > 118:
            lines.append("")
        lines[-1] += n.decode() + "|"
    lines = ['"%s"' % line for line in lines]
    with open(path, "w") as f:
        f.write(head + "\n" + "\n".join(lines) + "\n")


def functions(path):
    return {n.name for n in ast.walk(ast.parse(open(path, errors="replace").read())) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}


def torch():
    import torch
    names = {s.name for s in torch._C._jit_get_all_schemas()}
    add("aten", [n[6:] for n in names if n.startswith("aten::")])
    add("operators", [n for n in names if not n.startswith(("aten::", "_test::"))])
    root = os.path.dirname(os.path.dirname(torch.__file__)) + "/"
    files = [f for f in glob.glob(root + "torch/**/*.py", recursive=True) if RUN.match(f[len(root):]) and not NOT.search(f)]
    add("torch_files", [f[len(root):] for f in files])
    add("torch_functions", set().union(*(functions(f) for f in files)))
    library = glob.glob(root + "torch/lib/libtorch_cpu.so") or glob.glob("/usr/lib/*/libtorch_cpu.so*")
    symbols = subprocess.run(["nm", "-DC", library[0]], capture_output=True, text=True).stdout
    add("nodes", re.findall(r"torch::autograd::generated::(\w+?)Backward\d*::apply", symbols))


def python():
    root = sysconfig.get_paths()["stdlib"] + "/"
    add("python_files", [f[len(root):] for f in glob.glob(root + "**/*.py", recursive=True) if not re.search(r"-packages/|/test|^test|idlelib|lib2to3", f[len(root):])])


if len(sys.argv) != 2:
    sys.exit(__doc__)
if sys.argv[1] == "--torch":
    torch()
elif sys.argv[1] == "--python":
    python()
else:
    add(sys.argv[1], [n for n in sys.stdin.read().split("\n") if n])
