#!/usr/bin/env bash
# Kills a program at random moments, KILLS times, the GPU level with it and 3 s behind: CUPTI returns a buffer only when
# it is full or requested, and never while its work goes on; and yet no launch older than 2 s may be missing, nor a
# kernel that had ended by then; nor in a ring that begins a segment each second. `make kills` does it 100 times.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
printf '%s\n' "version 130001" device context "rain 20000" >"$FAKE_CUPTI"
python3 - "$tmp" "$target" <<'PY'
import csv, io, os, random, re, shutil, signal, subprocess, sys, time
tmp, target = sys.argv[1:]
kills, at_once = int(os.environ.get("KILLS", "4")), 4
rng = random.Random(int(os.environ.get("SEED", time.time_ns() % 1000000)))

def begin(i, behind, options):
    where = "%s/killed%d" % (tmp, i)
    out = open(where + ".out", "w+")
    record = subprocess.Popen([os.environ["BIN"], "record", "-o", where, "--at-end", "nothing", "--format", "spool"] + options + [target, "cuda-script"],
                              stdout=out, stderr=subprocess.DEVNULL, env=dict(os.environ, FAKE_AHEAD_MS=str(behind)))
    return record, where, out

def child_of(pid):
    for _ in range(500):
        kids = open("/proc/%d/task/%d/children" % (pid, pid)).read().split()
        if kids and open("/proc/%s/comm" % kids[0]).read().strip() == "target": return int(kids[0])
        time.sleep(0.01)

def calls(table, where):
    text = subprocess.run([os.environ["BIN"], "summary", "--table", table, "--format", "csv", "--limit", "0", where],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return sum(int(row["calls"]) for row in csv.DictReader(io.StringIO(text)))

def kill_some(what, behind, options):
    good = 0
    for first in range(0, kills, at_once):
        some = [begin(i, behind, options) for i in range(first, min(kills, first + at_once))]
        ends = sorted((time.monotonic() + rng.uniform(2.3, 4.5), child_of(one[0].pid), one) for one in some)
        for end, pid, (record, where, out) in ends:
            time.sleep(max(0, end - time.monotonic()))
            os.kill(pid, signal.SIGKILL)
            killed = time.monotonic_ns()
            record.wait()
            out.seek(0)
            told = [(int(n), int(ns)) for n, ns in re.findall(r"launched (\d+) ns (\d+)", out.read())]
            old = max([n for n, ns in told if ns <= killed - 2000000000], default=0)
            ended = max([n for n, ns in told if ns <= killed - 2000000000 - behind * 1000000], default=0)
            launches, kernels = calls("runtime_api", where), calls("kernels", where)
            shutil.rmtree(where)
            if old and launches >= old and kernels >= ended and record.returncode == 137: good += 1
            else: print("FAIL %s: killed when %d launches were 2 s old and %d had ended then: %d and %d are there, status %d" %
                        (what, old, ended, launches, kernels, record.returncode))
    print("%s SIGKILL at a random moment, %s: nothing older than 2 s is missing in %d of %d" % ("ok" if good == kills else "FAIL", what, good, kills))

for behind in 0, 3000:
    kill_some("GPU %d ms behind" % behind, behind, [])
    kill_some("GPU %d ms behind, of a ring" % behind, behind, ["--keep", "8"])
PY
exit 0
