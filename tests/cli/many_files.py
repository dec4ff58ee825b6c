#!/usr/bin/env python3
"""Many files, several of them read at once: any number of threads gives the same tables, the same warnings in the same
order, and the same refusals, which name their file."""
import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until, used  # noqa: E402

BIN = os.environ["BIN"]
THREADS = ["1", "2", "3", "16"]
with open(BIN, "rb") as f:
    SANITIZED = re.search(b"__[at]san_init", f.read()) is not None
failed = 0


def check(what, good, detail=""):
    global failed
    failed += not good
    print("ok %s" % what if good else "FAIL %s: %s" % (what, str(detail)[:600]))


def events(rank, n):
    rnd = random.Random(rank)
    return [{"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % rnd.randrange(30), "pid": 1, "tid": rnd.randrange(3), "ts": 1000 * i + rank,
             "dur": rnd.randrange(1, 900), "args": {"External id": i}} for i in range(n)]


def name(folder, rank, end=""):
    return os.path.join(folder, "host_%d.1700000000000.pt.trace.json%s" % (rank, end))


def write(folder, rank, text):
    if rank % 3 == 0:
        with gzip.open(name(folder, rank, ".gz"), "wt") as f:
            f.write(text)
    else:
        with open(name(folder, rank), "w") as f:
            f.write(text)


def whole(rank, n):
    return json.dumps({"schemaVersion": 1, "distributedInfo": {"rank": rank, "world_size": 24}, "traceEvents": events(rank, n)})


def run(*args):
    p = subprocess.run([BIN, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout, p.stderr.decode()


def same_everywhere(what, *args):
    got = [run(*args, "--threads", t) for t in THREADS]
    check(what + ": the same with any number of threads", all(g == got[0] for g in got), [g[2] for g in got])
    return got[0]


with tempfile.TemporaryDirectory() as top:
    good = os.path.join(top, "good")
    os.mkdir(good)
    for rank in range(24):
        write(good, rank, whole(rank, 3000 if rank == 2 else 200 + 40 * (rank * 7 % 11)))
    status, out, err = same_everywhere("all tables", "summary", "--table", "all", "--format", "json", "--limit", "0", good)
    check("they are read", status == 0 and not err, (status, err))
    table = json.loads(run("summary", "--table", "operators", "--format", "json", "--limit", "0", "--worker", "host_2", good)[1])
    calls = sum(int(row["calls"]) for row in table["rows"]) if "rows" in table else None
    if calls is None:
        calls = sum(int(row["calls"]) for row in table["tables"][0]["rows"])
    check("the largest of them is whole", calls == 3000, calls)

    damaged = os.path.join(top, "damaged")
    os.mkdir(damaged)
    for rank in range(24):
        text = whole(rank, 300)
        write(damaged, rank, "no trace at all" if rank in (4, 13) else text[:-5000] if rank == 7 else text)
    status, out, err = same_everywhere("two files are no traces, one is cut off", "summary", "--table", "all", "--format", "json", "--limit", "0", damaged)
    named = re.findall(r"host_(\d+)\.", err)
    check("... which is said in their order", status in (0, 1) and [n for n in named if n in ("4", "13")][:2] == ["4", "13"], (status, err))

    long = os.path.join(top, "long")
    os.mkdir(long)
    for rank in range(24):
        write(long, rank, whole(rank, 200) if rank != 11 else '{"traceEvents": [{"ph": "X", "name": "' + "x" * (5 << 20))
    for t in THREADS if not SANITIZED else []:  # a sanitizer takes any amount of memory
        status, out, err = run("summary", "--max-memory", "200M", "--threads", t, long)
        check("%s threads: what is too long is refused, by the name of its file" % t, status == 4 and "host_11." in err and not out, (status, err))

    for t in THREADS:
        status, out, err = run("summary", "--max-events", "2000", "--threads", t, good)
        check("%s threads: more events than allowed" % t, status == 4 and "more than 2000 events" in err, (status, err))

    nothing = os.path.join(top, "nothing")
    os.mkdir(nothing)
    for rank in range(24):
        write(nothing, rank, "no trace")
    status, out, err = same_everywhere("no file is a trace", "summary", nothing)
    check("... which is an error", status == 3 and "host_0." in err, (status, err))

    # the user ends it while it reads
    slow = os.path.join(top, "slow")
    os.mkdir(slow)
    text = whole(0, 60000)
    for rank in range(24):
        write(slow, rank, text)
    for t in THREADS:
        p = subprocess.Popen([BIN, "summary", "--threads", t, slow], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until(lambda: used(p.pid) >= 0.05 or p.poll() is not None)
        p.send_signal(signal.SIGINT)
        p.communicate()
        check("%s threads: Ctrl-C ends it" % t, p.returncode in (-signal.SIGINT, 130, 0, 1), p.returncode)
sys.exit(failed > 0)
