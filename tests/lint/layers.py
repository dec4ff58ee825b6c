#!/usr/bin/env python3
"""Names includes and symbols that tests/lint/layers.txt does not allow: layers.py BUILD-FOLDER.

A line of that file is "FOLDER: FOLDERS it may include from and whose symbols it may use"; its own files are always
allowed. Lines are sorted from the bottom to the top: a folder may use only folders above its own line. Symbols are
read with nm from the objects of the build folder, as the linker sees them: that shows a function declared in one
folder and defined in another. Also named: folders without a line, entries of a line that nothing needs, and functions
without a declaration in a header of their own folder.
The explorer is one object in several folders: those below tui/app count as tui/app."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.join(HERE, "..", ".."))
BUILD = sys.argv[1]
TOPS = ("model", "parser", "capture", "tui")


def same(a, b):
    return a == b or a.startswith("tui/app") and b.startswith("tui/app")


allowed, order = {}, []
for number, line in enumerate(open(os.path.join(HERE, "layers.txt")), 1):
    folder, colon, rest = line.split("#")[0].strip().partition(":")
    if not colon:
        continue
    allowed[folder] = set(rest.split())
    for below in sorted(allowed[folder] - set(order)):
        if not same(folder, below):
            print("layers.txt:%d: %s stands above %s, so it is no layer below it" % (number, folder, below))
    order.append(folder)

files = sorted(os.path.join(d, f) for top in TOPS for d, _, fs in os.walk(top) for f in fs if re.search(r"\.(c|h|cpp|def)$", f))
used = {folder: set() for folder in order}
declared = {}
for path in files:
    folder = os.path.dirname(path)
    if folder not in allowed:
        print("%s: the folder %s is not in tests/lint/layers.txt" % (path, folder))
        continue
    text = open(path, encoding="utf-8").read()
    for m in re.finditer(r'^\s*#\s*include\s+"([^"]+)"', text, re.M):
        to = os.path.dirname(m.group(1))
        used[folder].add(to)
        if to not in allowed[folder] and not same(folder, to):
            print("%s:%d: %s may not include from %s" % (path, text.count("\n", 0, m.start()) + 1, folder, to or "."))
    if path.endswith(".h"):
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
        for name in set(re.findall(r"\b(tt_\w+)\b(?=\s*[(;\[,])", code)):
            declared.setdefault(name, set()).add(folder)

objects = {os.path.join(BUILD, f + ".o"): f for f in files if os.path.exists(os.path.join(BUILD, f + ".o"))}
if not objects:
    sys.exit("%s: no objects; build first" % BUILD)
defined, wanted = {}, []
out = subprocess.run(["nm", "-A", "-P", "-g"] + sorted(objects), stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
for line in out.splitlines():
    path, rest = line.split(": ", 1)
    symbol, kind = rest.split()[:2]
    if kind in "UwvWV":
        wanted.append((objects[path], symbol))
    if kind not in "Uwv":
        defined.setdefault(symbol, objects[path])
for source, symbol in sorted(set(wanted)):
    folder, to = os.path.dirname(source), os.path.dirname(defined.get(symbol, source))
    used[folder].add(to)
    if to not in allowed[folder] and not same(folder, to):
        print("%s: %s may not use %s of %s" % (source, folder, symbol, defined[symbol]))
for symbol, source in sorted(defined.items()):
    where = declared.get(symbol)
    if where and not any(same(os.path.dirname(source), w) for w in where):
        print("%s: %s is declared in %s" % (source, symbol, " ".join(sorted(where))))
for folder in order:
    for to in sorted(allowed[folder] - used[folder]):
        print("layers.txt: %s needs nothing from %s" % (folder, to))
