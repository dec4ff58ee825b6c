#!/usr/bin/env python3
"""Prints comments of the C files drawn at random, with the line of code that they stand at: draw_comments.py SEED [N].

For a reader who judges whether they are understood at once; 100 by default. The same seed draws the same comments from the same tree."""
import os
import random
import re
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
TOKEN = re.compile(r'//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
found = []
for path in subprocess.run(["git", "ls-files"], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout.split("\n"):
    if not re.search(r"\.(c|h|cpp|def)$", path) or not os.path.exists(path):
        continue
    text = open(path, encoding="utf-8").read()
    for m in TOKEN.finditer(text):
        if m.group(0)[0] != "/" or re.fullmatch(r"/\* ---- .* ---- \*/", m.group(0)):
            continue
        start = text.rfind("\n", 0, m.start()) + 1
        before = text[start:m.start()].strip()
        after = text[m.end():].lstrip("\n").split("\n")[0].strip()
        found.append((path, text.count("\n", 0, m.start()) + 1, m.group(0), before or after))
random.seed(sys.argv[1])
for path, line, comment, code in random.sample(found, min(len(found), int(sys.argv[2]) if len(sys.argv) > 2 else 100)):
    print("%s:%d:\n    %s\n  at: %s\n" % (path, line, comment, code))
