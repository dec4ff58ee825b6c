#!/usr/bin/env python3
"""Names symbols that a folder uses and tests/lint/layers.txt does not allow it to use: symbols.py BUILD-FOLDER.

The linker sees arrows that no #include shows: a function declared in one folder and defined in another. Objects of the build folder are
read with nm. --files prints every arrow between two files instead, with the symbols, for whoever wants to know why."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
TOPS = ("model", "parser", "capture", "tui")
build = sys.argv[1]
show_files = "--files" in sys.argv

allowed = {}
for line in open(os.path.join(HERE, "layers.txt")):
    folder, colon, rest = line.split("#")[0].strip().partition(":")
    if colon:
        allowed[folder] = set(rest.split()) | {folder}

objects = sorted(os.path.join(d, f) for top in TOPS for d, _, fs in os.walk(os.path.join(build, top)) for f in fs if f.endswith(".o"))
sources = {o: os.path.relpath(o, build)[:-2] for o in objects}
objects = [o for o in objects if os.path.exists(os.path.join(ROOT, sources[o]))]
defined, used, of = {}, [], None
out = subprocess.run(["nm", "-A", "-P", "-g"] + objects, stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
for line in out.splitlines():
    path, rest = line.split(": ", 1)
    symbol, kind = rest.split()[:2]
    if kind in "UwvWV":
        used.append((sources[path], symbol))
    if kind not in "Uwv":
        defined.setdefault(symbol, sources[path])

arrows = {}
for source, symbol in used:
    target = defined.get(symbol)
    if target and target != source:
        arrows.setdefault((source, target), []).append(symbol)
for (source, target), symbols in sorted(arrows.items()):
    if show_files:
        print(source, target, " ".join(sorted(symbols)))
    elif os.path.dirname(target) not in allowed.get(os.path.dirname(source), ()):
        print("%s: may not use %s of %s" % (source, ", ".join(sorted(symbols)), target))
