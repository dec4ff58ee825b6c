#!/usr/bin/env python3
"""Names waits of tests that depend on time: fixed sleeps, and limits in seconds, which a busy machine misses.

Tests wait for states with tests/until.sh and tests/tools/until.py, and limit work in CPU seconds; only TEST_TIMEOUT
of tests/run ends them. tests/lint/waits.allow lists places where time itself is tested: FILE: TEXT # REASON. Programs
that are started by tests (tests/doubles), that measure (tests/bench) or that need a GPU (tests/gpu) are exempt."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
PLACES = ("capture", "cli", "cluster", "golden", "tools", "tui", "unit")
RULES = {
    ".sh": (r"(?<![\"'])\bsleep +[0-9.]", r"\btimeout +(-[a-z0-9]+ +)*[0-9]", r"\bSECONDS *\+", r"date \+%s.* - "),
    ".py": (r"\bsleep\(", r"(?<!-)\btimeout *=[^=]", r"\bwait\([0-9.]+\)", r"\btime\.(time|monotonic|perf_counter)\(\)"),
    ".c": (r"\b(u|nano)?sleep\(",),
}


def allowed():
    places = []
    with open(os.path.join(HERE, "waits.allow"), encoding="utf-8") as f:
        for line in f:
            place, _, reason = line.partition(" # ")
            if place.strip() and not line.startswith("#"):
                assert reason.strip(), "no reason: " + line
                places.append(tuple(place.rstrip().split(": ", 1)))
    return places


def findings():
    allow, met = allowed(), set()
    for place in PLACES:
        for folder, _, names in sorted(os.walk(os.path.join(TOP, "tests", place))):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), TOP)
                rules = RULES.get(os.path.splitext(name)[1])
                if not rules:
                    continue
                with open(path, encoding="utf-8", errors="replace") as f:
                    lines = f.read().split("\n")
                if name.endswith(".sh"):  # some contain Python programs
                    rules = rules + RULES[".py"]
                for number, line in enumerate(lines, 1):
                    if not any(re.search(rule, line) for rule in rules):
                        continue
                    excuse = [a for a in allow if a[0] == path and a[1] in line]
                    met.update(excuse)
                    if not excuse:
                        yield "%s:%d: %s" % (path, number, line.strip())
    for a in allow:
        if a not in met:
            yield "tests/lint/waits.allow: not needed any more: " + ": ".join(a)


os.chdir(TOP)
sys.stdout.writelines(line + "\n" for line in findings())
