#!/usr/bin/env python3
"""Names files, functions and lines that are too long, comments included. A function lies between the line that opens its body
(the end of a signature, in column 0 or continued) and the next "}" in column 0."""
import sys

LIMITS = {".c": 800, ".cpp": 800, ".h": 250, ".def": 800}
FUNCTION = 80
COLUMNS = 120

for path in sys.argv[1:]:
    lines = open(path, encoding="utf-8").read().split("\n")
    limit = LIMITS[path[path.rindex("."):]]
    if len(lines) - 1 > limit:
        print("%s: %d lines, at most %d" % (path, len(lines) - 1, limit))
    start = None
    for i, line in enumerate(lines):
        if len(line) > COLUMNS:
            print("%s:%d: %d columns, at most %d" % (path, i + 1, len(line), COLUMNS))
        if start is None and line.endswith("{") and (line == "{" or line.endswith(") {")):
            start = i
        elif line == "}" and start is not None:
            if i - start + 1 > FUNCTION:
                print("%s:%d: function of %d lines, at most %d" % (path, start, i - start + 1, FUNCTION))
            start = None
