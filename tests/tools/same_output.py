#!/usr/bin/env python3
"""same_output.py OLD NEW [PATH...]: two builds of the program print the same, byte for byte, for every trace: all tables as JSON and as text, each
screen, and an export. For changes of structure. Without paths: the samples, and every trace of TRACETTY_CORPUS. Prints "ok TRACE" or "FAIL TRACE WHAT"."""
import concurrent.futures
import hashlib
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCREENS = ["overview", "operators", "kernels", "trace", "memory", "modules", "distributed", "steps", "api", "problems"]
OLD, NEW = (os.path.abspath(p) for p in sys.argv[1:3])
ENV = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "XDG_CONFIG_HOME": "/nonexistent", "XDG_STATE_HOME": "/nonexistent"}


def calls(path):
    yield "tables as JSON", ["summary", "--table", "all", "--format", "json", "--limit", "0", path]
    yield "tables as text", ["summary", "--table", "all", path]
    yield "--style paddle", ["summary", "--style", "paddle", path]
    for screen in SCREENS:
        yield "screen " + screen, ["summary", "--screen", screen, "--size", "140x45", path]
    yield "timeline zoomed in", ["summary", "--screen", "trace", "--keys", "w w w Enter j j", "--size", "140x45", path]
    yield "export", ["export", "--output", "-", path]
    yield "check", ["check", path]


def digest(program, args):
    p = subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
    if p.returncode == 2:
        sys.exit("%s: %s" % (" ".join(args), p.stderr.decode("utf-8", "replace")))  # neither build has this table or screen
    return p.returncode, hashlib.sha256(p.stdout).hexdigest(), p.stderr.replace(program.encode(), b"")


def compare(path):
    return path, [what for what, args in calls(path) if digest(OLD, args) != digest(NEW, args)]


def traces():
    for folder in [os.path.join(TOP, "assets"), os.environ.get("TRACETTY_CORPUS")]:
        for at, _, names in os.walk(folder or "/nonexistent"):
            for name in sorted(names):
                if any(w in name for w in (".json", ".pb", ".ttspool", ".gz", ".zst")) and "expect" not in name:
                    yield os.path.join(at, name)


bad = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for path, differs in pool.map(compare, sys.argv[3:] or list(traces())):
        bad += bool(differs)
        print("FAIL %s: %s" % (path, ", ".join(differs)) if differs else "ok " + path, flush=True)
sys.exit(bad != 0)
