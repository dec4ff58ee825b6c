#!/usr/bin/env python3
"""Names circles of modules: circles.py FOLDER... A module is a header with the source of the same name, and needs the
modules whose headers it includes. Without circles each module can be read and tested after the modules that it needs."""
import os
import re
import sys

needs = {}
for path in sorted(os.path.join(d, f) for top in sys.argv[1:] for d, _, fs in os.walk(top) for f in fs):
    if re.search(r"\.(c|h)$", path):
        text = open(path, encoding="utf-8").read()
        module = os.path.splitext(path)[0]
        needs.setdefault(module, set()).update(set(re.findall(r'^#include "([^"]+)\.h"', text, re.M)) - {module})


def reach(start):
    found, todo = set(), [start]
    while todo:
        for m in needs.get(todo.pop(), ()):
            if m not in found:
                found.add(m)
                todo.append(m)
    return found


for module in sorted(needs):
    behind = reach(module)
    if module in behind:
        others = sorted(m for m in behind if module in reach(m) and m != module)
        print("%s: in a circle with %s" % (module, " ".join(others)))
