#!/usr/bin/env python3
"""README's guided triage: after the keys of each row the sample's screen shows the texts and numbers that the row
quotes."""
import os
import re
import subprocess

BIN = os.environ["BIN"]
SAMPLE = "assets/sample_gpu"


def screen(keys):
    """The screen after the keys; after "tracetty demo compare" that of the two samples."""
    command = ["summary", "--screen", "overview", "--keys", keys, SAMPLE]
    if keys == "tracetty demo compare":
        command = ["diff", "--screen", "compare", SAMPLE + "_before", SAMPLE]
    p = subprocess.run([BIN, *command, "--size", "160x45"], capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode:
        raise RuntimeError(p.stderr.decode()[-300:])
    return p.stdout.decode("utf-8")


def rows():
    part = open("README.md").read().split("## Guided triage")[1].split("\n## ")[0]
    for line in part.splitlines():
        cells = [c.strip() for c in line.strip("| ").split(" | ")]
        if len(cells) == 3 and cells[0] != "question" and not cells[0].startswith("-"):
            yield cells


def keys_of(cell, read):
    """The key lists of a row: "none" = an empty list; "`j` first" in the expected text presses j before the last
    key."""
    for part in cell.split(", "):
        keys = re.findall("`([^`]+)`", part)
        yield " ".join(keys)
        first = re.search("`(.)` first", read)
        if first:
            yield " ".join(keys[:-1] + [first.group(1)] + keys[-1:])


def said(read):
    """Quoted texts except keys, and numbers with their units."""
    for text in read.split("`")[1::2]:
        if len(text) > 2:
            yield re.sub(" +", " ", text)
    for number in re.findall(r"\d+(?:\.\d+)?(?:%| (?:ms|GiB))", re.sub("`[^`]*`", "", read)):
        yield number


def main():
    n = 0
    for question, keys, read in rows():
        n += 1
        shown = re.sub(" +", " ", "\n".join(screen(k) for k in keys_of(keys, read)))
        missing = [t for t in said(read) if t not in shown]
        print("%s %s%s" % ("FAIL" if missing else "ok", question, ": not on the screen after %s: %s" % (keys, missing) if missing else ""))
    print("%s the triage has its questions: %d" % ("ok" if n == 10 else "FAIL", n))


main()
