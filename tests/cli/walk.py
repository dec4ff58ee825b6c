#!/usr/bin/env python3
"""Trees with loops of links, links that lead out, pipes, hidden and deep folders: summary, check, cluster and merge
end, read each trace or summary below the folder once, and enter the same folders, which a second walk in Python lists.
strace shows the opened files, so this is checked only where strace works. TREES=N tries more trees."""
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
TREES = int(os.environ.get("TREES", "6"))
QUIET = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")  # the leak check fails below strace
STRACE = shutil.which("strace")
if os.environ.get("EMULATED"):
    STRACE = None  # strace would see the calls of the emulator
if STRACE and subprocess.run([STRACE, "-f", "-o", os.devnull, "true"], capture_output=True).returncode:
    STRACE = None


def check(what, why):
    print("ok " + what if not why else "FAIL %s: %s" % (what, str(why)[:600]), flush=True)


def run(*words, traced=None):
    before = [STRACE, "-f", "-y", "-qq", "-s", "8000", "-e", "trace=open,openat", "-o", traced] if traced and STRACE else []
    p = subprocess.run([*before, BIN, *words], capture_output=True, stdin=subprocess.DEVNULL, env=QUIET)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def trace(path, rank, name):
    with open(path, "w") as f:
        json.dump({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 2},
                   "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 1, "dur": 50}]}, f)


def operators(path):
    status, out, err = run("summary", "--table", "operators", "--format", "csv", path)
    return sorted(row["name"] for row in csv.DictReader(out.splitlines())) if status == 0 else err


def opened(log, top):
    """Folders and files opened below top."""
    folders, files = set(), set()
    for line in open(log, errors="replace"):
        m = re.search(r"\) = \d+<([^>]*)>", line)
        if m and "O_PATH" not in line and (m[1] + "/").startswith(top + "/"):
            (folders if os.path.isdir(m[1]) else files).add(m[1])
    return folders, files


def expected(root):
    """Every visible folder below root, and the targets of links to folders that stay below it."""
    real, seen, waiting = os.path.realpath(root), set(), [root]
    while waiting:
        folder = waiting.pop()
        if os.path.realpath(folder) in seen:
            continue
        seen.add(os.path.realpath(folder))
        for e in os.scandir(folder):
            target = os.path.realpath(e.path)
            if e.name[0] != "." and e.is_dir() and (target + "/").startswith(real + "/"):
                waiting.append(e.path)
    return seen


def hostile(root, outside, seed):
    """Folders with links among each other and out; both ranks and their summaries lie in the first."""
    r = random.Random(seed)
    places = [root]
    for i in range(r.randrange(4, 20)):
        parent = r.choice(places)
        name = ("." if r.random() < 0.15 else "") + "d%d" % i
        os.mkdir(os.path.join(parent, name))
        places.append(os.path.join(parent, name))
        with open(os.path.join(places[-1], "notes.txt"), "w") as f:
            f.write("x")
    for i in range(r.randrange(5, 30)):
        at, target = r.choice(places), r.choice(places + [outside, os.path.dirname(root), "/", "/proc/self", "nowhere"])
        how = r.choice((os.path.abspath, lambda t: os.path.relpath(t, at))) if target != "nowhere" else str
        os.symlink(how(target), os.path.join(at, "l%d" % i))
    for i, at in enumerate(r.choices(places[1:], k=4)):
        os.symlink(os.path.join(outside, "rank0.pt.trace.json"), os.path.join(at, "out%d.pt.trace.json" % i))
        os.symlink(os.path.join(outside, "p.tts"), os.path.join(at, "out%d.tts" % i))
        os.mkfifo(os.path.join(at, "pipe%d.pt.trace.json" % i))
        os.mkfifo(os.path.join(at, "pipe%d.tts" % i))
        os.symlink("/dev/zero", os.path.join(at, "zero%d.json" % i))
    for rank in (0, 1):
        trace(os.path.join(root, "rank%d.pt.trace.json" % rank), rank, "own%d" % rank)
        run("summarize", "-o", "%s/p%d.tts" % (root, rank), "%s/rank%d.pt.trace.json" % (root, rank))
    os.symlink(outside, os.path.join(root, "out"))
    os.symlink("rank0.pt.trace.json", os.path.join(root, "alias.pt.trace.json"))
    os.symlink("p0.tts", os.path.join(root, "alias.tts"))


def commands(top, root):
    made = os.path.join(top, "made.tts")
    yield "summary", ("summary", "--table", "operators", "--format", "csv", root), None
    yield "check", ("check", root), None
    yield "cluster", ("cluster", "--engine", "local", "--at-end", "nothing", "-o", made, root), made
    yield "merge", ("merge", "-o", made, root), made


def one_tree(top, seed):
    root, outside, log = (os.path.join(top, n) for n in ("root", "outside", "log"))
    os.mkdir(root)
    os.mkdir(outside)
    trace(os.path.join(outside, "rank0.pt.trace.json"), 0, "stranger")
    run("summarize", "-o", outside + "/p.tts", outside + "/rank0.pt.trace.json")
    hostile(root, outside, seed)
    want = expected(root)
    for name, words, made in commands(top, root):
        what = "tree %d: %s" % (seed, name)
        status, out, err = run(*words, traced=log)
        got = operators(made) if made else sorted(row["name"] for row in csv.DictReader(out.splitlines())) if name == "summary" else None
        if status or got not in (None, ["own0", "own1"]):
            check(what + " reads both ranks and no more", (status, got, err))
            continue
        if name == "check" and (out.count("rank0.pt.trace.json:") != 1 or out.count(": no problems in ") != 2):
            check(what + " reads both ranks and no more", out)
            continue
        check(what + " reads both ranks and no more", None)
        check(what + " says which links lead out", None if "out of this folder" in err and "PATH" in err else err)
        if not STRACE:
            continue
        folders, files = opened(log, root)
        # a summary is known by its first bytes, and passed over; dumps of flight recorders have any name: notes are looked at
        kind = (".tts",) if name == "merge" else (".json", ".tts", "notes.txt")
        odd = {f for f in files if not f.endswith(kind)} | {f for f in opened(log, outside)[1]}
        check(what + " enters each folder below, and no other", (sorted(folders ^ want)[:3], len(folders), len(want)) if folders != want or opened(log, outside)[0] else None)
        check(what + " opens no other file", sorted(odd)[:3])


def random_trees():
    for seed in range(TREES):
        with tempfile.TemporaryDirectory() as top:
            one_tree(os.path.realpath(top), seed)


def farm():
    """A named folder with nothing but links to files is a collection whose links are followed. With one file or folder
    of its own, links out are passed over with a warning."""
    with tempfile.TemporaryDirectory() as top:
        os.mkdir(top + "/node")
        os.mkdir(top + "/all")
        for rank in (0, 1):
            trace("%s/node/rank%d.pt.trace.json" % (top, rank), rank, "own%d" % rank)
            run("summarize", "-o", "%s/node/p%d.tts" % (top, rank), "%s/node/rank%d.pt.trace.json" % (top, rank))
            os.symlink("../node/rank%d.pt.trace.json" % rank, "%s/all/rank%d.pt.trace.json" % (top, rank))
            os.symlink("../node/p%d.tts" % rank, "%s/all/p%d.tts" % (top, rank))
        os.symlink("node", top + "/latest")
        check("only links: all are taken", operators(top + "/all") != ["own0", "own1"] and operators(top + "/all"))
        status, out, err = run("merge", "-o", top + "/m.tts", top + "/all")
        check("only links: merge takes them", None if status == 0 and operators(top + "/m.tts") == ["own0", "own1"] else (status, err))
        trace(top + "/all/rank7.pt.trace.json", 7, "own7")
        run("summarize", "-o", top + "/all/p9.tts", top + "/all/rank7.pt.trace.json")
        for name, words in (("summary", ("summary", top + "/all")), ("merge", ("merge", "-o", top + "/m.tts", top + "/all"))):
            status, out, err = run(*words)
            check("links out beside an own file: %s says so" % name,
                  None if status == 0 and re.search(r"\d links lead out of this folder", err) and "all/p0.tts -> " in err else (status, err))
        check("... and takes links that are named", operators(top + "/latest") != ["own0", "own1"] and operators(top + "/latest"))
        status, out, err = run("merge", "-o", top + "/m.tts", top + "/all/p0.tts", top + "/all/p1.tts")
        check("... merge too", None if status == 0 and not err else (status, err))


def volume():
    """A volume of Kubernetes: visible names lead through ..data into a hidden folder."""
    with tempfile.TemporaryDirectory() as top:
        os.mkdir(top + "/..2026_01_01")
        os.symlink("..2026_01_01", top + "/..data")
        for rank in (0, 1):
            trace("%s/..data/rank%d.pt.trace.json" % (top, rank), rank, "own%d" % rank)
            run("summarize", "-o", "%s/..data/p%d.tts" % (top, rank), "%s/..data/rank%d.pt.trace.json" % (top, rank))
            for name in ("rank%d.pt.trace.json" % rank, "p%d.tts" % rank):
                os.symlink("..data/" + name, top + "/" + name)
        status, out, err = run("check", top)
        check("links into a hidden folder of the tree are followed", None if status == 0 and not err and out.count(" no problems") == 2 else (status, out, err))
        status, out, err = run("merge", "-o", top + "/m.tts", top)
        check("... by merge too", None if status == 0 and not err else (status, err))


def deep():
    """Folders beyond the longest path: each command reports them and goes on."""
    with tempfile.TemporaryDirectory() as top:
        root, here = top + "/root", os.getcwd()
        os.mkdir(root)
        for rank in (0, 1):
            trace("%s/rank%d.pt.trace.json" % (root, rank), rank, "own%d" % rank)
            run("summarize", "-o", "%s/p%d.tts" % (root, rank), "%s/rank%d.pt.trace.json" % (root, rank))
        os.chdir(root)
        for i in range(200):
            os.mkdir("d" * 30)
            os.chdir("d" * 30)
        trace("rank5.pt.trace.json", 5, "far")
        os.chdir(here)
        for name, words, made in commands(top, root):
            status, out, err = run(*words)
            check("%s tells of paths that are too long" % name, None if status == 0 and err.count("longer than the system takes") == 1 else (status, err))
        subprocess.run(["rm", "-rf", root], check=True)


if __name__ == "__main__":
    random_trees()
    farm()
    volume()
    deep()
    if not STRACE:
        print("skip what is opened: strace does not work here")
    sys.exit(0)
