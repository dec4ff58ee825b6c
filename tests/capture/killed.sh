#!/usr/bin/env bash
# Kills a program at random moments, KILLS times: CUPTI returns its buffers only when full or requested, and yet no
# event older than 2 s may be missing. `make kills` does it 100 times.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
printf '%s\n' "version 130001" device context "rain 20000" >"$FAKE_CUPTI"
python3 - "$tmp" "$target" <<'PY'
import csv, io, os, random, re, shutil, signal, subprocess, sys, time
tmp, target = sys.argv[1:]
kills, at_once = int(os.environ.get("KILLS", "4")), 4
rng = random.Random(int(os.environ.get("SEED", time.time_ns() % 1000000)))

def begin(i):
    where = "%s/killed%d" % (tmp, i)
    out = open(where + ".out", "w+")
    record = subprocess.Popen([os.environ["BIN"], "record", "-o", where, "--at-end", "nothing", "--format", "spool", target, "cuda-script"],
                              stdout=out, stderr=subprocess.DEVNULL)
    return record, where, out

def child_of(pid):
    for _ in range(500):
        kids = open("/proc/%d/task/%d/children" % (pid, pid)).read().split()
        if kids and open("/proc/%s/comm" % kids[0]).read().strip() == "target": return int(kids[0])
        time.sleep(0.01)

def kernels(where):
    text = subprocess.run([os.environ["BIN"], "summary", "--table", "kernels", "--format", "csv", "--limit", "0", where],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return sum(int(row["calls"]) for row in csv.DictReader(io.StringIO(text)))

good = 0
for first in range(0, kills, at_once):
    some = [begin(i) for i in range(first, min(kills, first + at_once))]
    ends = sorted((time.monotonic() + rng.uniform(2.3, 4.5), child_of(one[0].pid), one) for one in some)
    for end, pid, (record, where, out) in ends:
        time.sleep(max(0, end - time.monotonic()))
        os.kill(pid, signal.SIGKILL)
        killed = time.monotonic_ns()
        record.wait()
        out.seek(0)
        told = [(int(n), int(ns)) for n, ns in re.findall(r"launched (\d+) ns (\d+)", out.read())]
        old = max([n for n, ns in told if ns <= killed - 2000000000], default=0)
        kept = kernels(where)
        shutil.rmtree(where)
        if old and kept >= old and record.returncode == 137: good += 1
        else: print("FAIL killed after %d launches were 2 s old: %d are there, status %d" % (old, kept, record.returncode))
print("%s SIGKILL at a random moment: nothing older than 2 s is missing in %d of %d" % ("ok" if good == kills else "FAIL", good, kills))
PY
exit 0
