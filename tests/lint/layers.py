#!/usr/bin/env python3
"""Names includes that tests/lint/layers.txt does not allow, folders that it does not list, lines of it that nothing needs, and circles.

A line of that file is "FOLDER: FOLDERS it may include from"; its own files are always allowed. The order is from the bottom to the top: a folder
may include only what stands above it in the file."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.join(HERE, "..", ".."))
allowed, order = {}, []
for number, line in enumerate(open(os.path.join(HERE, "layers.txt")), 1):
    line = line.split("#")[0].strip()
    if not line:
        continue
    folder, _, rest = line.partition(":")
    allowed[folder] = set(rest.split())
    for below in sorted(allowed[folder] - set(order)):
        print("layers.txt:%d: %s stands above %s, so it is no layer below it" % (number, folder, below))
    order.append(folder)

used = {folder: set() for folder in order}
for path in sorted(os.path.join(d, f) for top in ("model", "parser", "capture", "tui") for d, _, fs in os.walk(top) for f in fs):
    if not re.search(r"\.(c|h|cpp|def)$", path):
        continue
    folder = os.path.dirname(path)
    if folder not in allowed:
        print("%s: the folder %s is not in tests/lint/layers.txt" % (path, folder))
        continue
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        to = os.path.dirname(m.group(1)) if m else folder
        if to == folder:
            continue
        used[folder].add(to)
        if to not in allowed[folder]:
            print("%s:%d: %s may not include from %s" % (path, number, folder, to or "."))
for folder in order:
    for to in sorted(allowed[folder] - used[folder]):
        print("layers.txt: %s includes nothing from %s" % (folder, to))
sys.exit(0)
