#!/usr/bin/env python3
"""Tabs at every width: full titles if all fit, none cut, and the same title whichever tab is shown. Environment BIN."""
import os
import re
import subprocess
import sys

BIN = os.environ["BIN"]
SAMPLE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "assets", "sample_gpu")
FULL = ["Overview", "Operators", "Kernels", "Timeline", "Memory", "Distributed", "Steps", "Modules", "API, Copies", "Idle", "Roofline", "Trust"]
SCREENS = ("overview", "kernels", "timeline", "problems")


def titles(screen, width):
    p = subprocess.run([BIN, "summary", SAMPLE, "--screen", screen, "--size", "%dx24" % width, "--color", "never"], capture_output=True,
                       text=True, check=True)
    line = re.sub(r"^ tracetty", "", p.stdout.split("\n")[0])
    line = re.split(r" {3,}| +train", line)[0].replace("[", " ").replace("]", " ")
    return [t.strip() for t in re.split(r"\s*\b[1-9] |\s{2,}", line) if t.strip()]


def main():
    bad = []
    for width in (108, 115, 120, 130, 140, 160, 250):
        shown = [titles(s, width) for s in SCREENS]
        if any(s != shown[0] for s in shown): bad.append("%d: titles change with the tab: %s" % (width, shown))
        for title, full in zip(shown[0], FULL):
            if title.strip() != full and not full.startswith(title.strip()) and title.strip() != "Ops": bad.append("%d: %s" % (width, title))
        if width >= 120 and "Timeline" not in " ".join(shown[0]): bad.append("%d: no Timeline: %s" % (width, shown[0]))
        if width == 250 and [t.strip() for t in shown[0]] != FULL: bad.append("250: %s" % shown[0])
    for line in bad: print("     " + line)
    print("%s titles of the tabs" % ("FAIL" if bad else "ok"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
