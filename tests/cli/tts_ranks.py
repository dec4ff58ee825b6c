#!/usr/bin/env python3
"""Summaries of runs with many ranks: the simulated straggler, slow node and slow link are named with their
microseconds; cut ranks; the wall of ranks on screen; more recordings than fit into memory.

tests/tools/make_ranks.py knows which rank was made late and by how much.
"""
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
SANITIZED = b"__asan_init" in open(BIN, "rb").read() or b"__tsan_init" in open(BIN, "rb").read()
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAKE = os.path.join(TOP, "tests", "tools", "make_ranks.py")
failed = 0


def report(ok, what, detail=""):
    global failed
    failed += not ok
    print("ok %s" % what if ok else "FAIL %s: %s" % (what, detail))


def run(*args, cwd=None):
    return subprocess.run([BIN, *map(str, args)], capture_output=True, text=True, cwd=cwd)


def make(folder, *args):
    subprocess.run([sys.executable, MAKE, folder, *map(str, args)], check=True)
    out = folder + ".tts"
    r = run("summarize", folder, "-o", out)
    if r.returncode:
        report(False, "summarize", r.stderr[:200])
    return out


def tables(path, ids, *args):
    return {t["id"]: t["rows"] for t in json.loads(run("summary", "--table", ids, "--format", "json", *args, path).stdout)["tables"]}


def findings(path):
    return {r["id"]: r["title"] for r in tables(path, "findings")["findings"] if r["id"] in ("straggler", "slow_node", "late_in_group")}


def near(text, want, by=12):
    """The microseconds in a sentence."""
    m = re.search(r"(\d+) us late", text)
    return bool(m) and abs(int(m.group(1)) - want) <= by


def everything_at_once(tmp):
    """A rank late in 30 % of its collectives, a slow node, clocks up to 1 s apart."""
    out = make(os.path.join(tmp, "both"), "--ranks", 128, "--per-node", 8, "--late", "77:300:0.3", "--slow-node", "3:150", "--clocks", 1, "--calls", 6)
    got = findings(out)
    report("rank 77 " in got.get("straggler", "") and near(got["straggler"], 300), "128 ranks: the straggler with its microseconds", got)
    report("node003" in got.get("slow_node", "") and "8 of 8" in got["slow_node"] and near(got["slow_node"], 150), "the slow node with its microseconds", got)
    report("late_in_group" not in got, "and no slow link", got)
    rows = {r["worker"]: r for r in tables(out, "rank_times")["rank_times"]}
    late = sorted(w for w, r in rows.items() if r["late_pct"] is not None and r["late_pct"] >= 10)
    report(late == sorted(["rank77"] + ["rank%d" % k for k in range(24, 32)]), "nobody else is late by itself", late)
    truth = json.load(open(os.path.join(tmp, "both", "truth.txt")))
    calls = sum(77 in range(int(t["group"][3:]), int(t["group"][3:]) + 8) if t["group"][:2] == "tp" else int(t["group"][3:]) == 77 % 8 for t in truth)
    report(rows["rank77"]["calls"] == calls, "it shares as many collectives as simulated", (rows["rank77"]["calls"], calls))
    groups = {r["group"]: r for r in tables(out, "comm_groups")["comm_groups"]}
    want = {t["group"] for t in truth}
    report(set(groups) == want, "every process group", (len(groups), len(want)))
    # all-reduce of 4 Mi bf16 among 8 in 120 us: 2 * 7/8 * 8 MiB / 120 us
    rate = 2 * 7 / 8 * 8 * 2**20 / 120e-6 / 1e9
    report(all(abs(g["busbw_gb_per_s"] / rate - 1) < 0.02 for k, g in groups.items() if k.startswith("tp")), "bandwidth of the groups", rate)
    return out


def slow_link(tmp):
    out = make(os.path.join(tmp, "link"), "--ranks", 32, "--per-node", 8, "--slow-link", "13:dp:200", "--clocks", 0.2)
    got = findings(out)
    report("rank 13 " in got.get("late_in_group", "") and near(got["late_in_group"], 200), "the slow link: late in one group only", got)
    report("slow_node" not in got, "and no slow node", got)


def nobody(tmp):
    out = make(os.path.join(tmp, "none"), "--ranks", 32, "--per-node", 8, "--clocks", 1)
    report(not findings(out), "where nobody is late nobody is named", findings(out))


def cut(tmp):
    """Two ranks lose the first third of their events, with and without numbers of calls: the answer is right, or
    inconclusive."""
    for what, more in (("numbered", []), ("not numbered", ["--no-seq"])):
        for seed in (1, 2, 3):
            folder = os.path.join(tmp, "cut_%s_%d" % (what[:3], seed))
            out = make(folder, "--ranks", 32, "--per-node", 8, "--late", "13:300:0.5", "--cut", "5,20", "--clocks", 1, "--seed", seed, *more)
            got = findings(out).get("straggler", "")
            report("rank 13 " in got or "inconclusive" in got or not got, "two ranks cut, %s, %d: right or inconclusive" % (what, seed), got)
    report("rank 13 " in findings(os.path.join(tmp, "cut_num_1.tts")).get("straggler", ""), "two ranks cut, numbered: it is named")


def without_a_rank(tmp, files):
    """A folder with a file cut in the middle and one that is no trace: the other files count."""
    folder = os.path.join(tmp, "hurt")
    shutil.copytree(files, folder)
    paths = sorted(glob.glob(folder + "/*.json"))
    os.truncate(paths[3], os.path.getsize(paths[3]) // 2)
    open(paths[4], "w").write("no trace")
    r = run("summarize", folder, "-o", folder + ".tts")
    report(r.returncode == 0 and os.path.basename(paths[4]) in r.stderr and os.path.basename(paths[3]) in r.stderr, "files that are cut or none are listed", r.stderr[:300])
    r = run("summarize", folder, "--require-all", "-o", folder + ".tts")
    report(r.returncode == 1, "--require-all: status 1", r.returncode)
    r = run("summarize", "--part", "3/3", folder, "-o", folder + ".tts")
    report(r.returncode == 2 and "--part" in r.stderr, "a part that is none is a usage error", r.stderr)


def screen(path, keys="", size="160x45", cwd=None):
    return run("summary", "--screen", "distributed", "--size", size, *(["--keys", keys] if keys else []), path, cwd=cwd).stdout


def wall(tmp, out):
    text = screen(out)
    lines = [l for l in text.split("\n") if re.search(r"\d+-\d+ +node\d+", l)]
    covered = [tuple(map(int, re.search(r"(\d+)-(\d+) +node", l).groups())) for l in lines]
    report(covered and covered[0][0] == 0 and covered[-1][1] == 127 and all(a[1] + 1 == b[0] for a, b in zip(covered, covered[1:])), "all 128 ranks on one screen", covered)
    report(any("rank 77 +" in l and " since step 1" in l for l in lines), "the line of the straggler says so", lines[:2])
    text = screen(out, "Enter")
    report(re.search(r"Ranks \(\d+ of 128\)", text) and "+29" in text or "+30" in text, "Enter goes into its line", text[:400])
    text = screen(out, "Enter Esc")
    report("Ranks (128)" in text, "Esc comes out again", text[:300])
    text = screen(out, "Enter Enter")
    report("2 ranks" in text and "rank 77" in text, "Enter on a rank opens its recording beside the median rank's", text[:400])
    moved = os.path.join(tmp, "moved")
    os.makedirs(moved)
    os.rename(os.path.join(tmp, "both"), os.path.join(moved, "both"))
    shutil.copy(out, os.path.join(moved, "both.tts"))
    text = screen(os.path.join(moved, "both.tts"), "Enter Enter")
    report("2 ranks" in text and "rank 77" in text, "also where folder and summary were moved together", text[:300])
    text = screen(out, "Enter Enter")
    report("is not there" in text, "a recording that is gone is told", text[-300:])


def memory(tmp):
    """Reading rank by rank gives the same answer, and a warning says so."""
    if SANITIZED:
        print("skip rank by rank in little memory: a sanitizer takes memory of its own")
        return
    if os.environ.get("EMULATED"):
        print("skip rank by rank in little memory: the emulator takes memory of its own")
        return
    folder = os.path.join(tmp, "many")
    os.makedirs(folder)
    sample = sorted(glob.glob(os.path.join(TOP, "assets", "sample_gpu", "*.gz")))
    texts = [gzip.open(path, "rt").read() for path in sample]
    for k in range(40):
        with gzip.open(os.path.join(folder, "train_rank%d.1700000000000.pt.trace.json.gz" % k), "wt", 1) as f:
            f.write(re.sub(r'"rank": \d+', '"rank": %d' % k, texts[k % 2], count=1))
    whole, part = run("summary", "--table", "comm_ranks,kernels", "--format", "json", folder), run(
        "summary", "--table", "comm_ranks,kernels", "--format", "json", "--max-memory", "24M", folder)
    report(part.returncode == 0 and "do not fit into memory together" in part.stderr, "more than fits is said", (part.returncode, part.stderr[:200]))
    report(whole.returncode == 0 and json.loads(whole.stdout)["tables"] == json.loads(part.stdout or '{"tables": 0}')["tables"], "rank by rank: the same tables")


def refusals(out):
    """A question that a summary cannot answer is refused, not answered with nothing or zero."""
    r = run("summary", "--table", "kernels", "--steps", "2", out)
    report("whole recordings only" in r.stdout, "some steps of a table without steps", r.stdout[:200])
    rows = tables(out, "step_breakdown", "--steps", "2")["step_breakdown"]
    report(rows and {x["step"] for x in rows} == {"2"}, "steps of a table that has them", rows[:1])
    r = run("summary", "--table", "operators", "--group-by", "stack", out)
    report("no call stacks" in r.stdout, "call stacks", r.stdout[:200])
    r = run("summary", "--table", "memory_events", out)
    report("no single events" in r.stdout, "single events", r.stdout[:200])
    r = run("export", out, "-o", out + ".json")
    report(r.returncode == 2 and "no events to export" in r.stderr and not os.path.exists(out + ".json"), "export", r.stderr[:200])
    r = run("diff", out, out, "--table", "diff_kernels", "--format", "json")
    rows = json.loads(r.stdout)["tables"][0]["rows"]
    report("whole recordings" in r.stderr and all(x["delta_total_ns"] == 0 and x["base_total_ns"] > 0 for x in rows), "diff compares totals", r.stderr[:200])


def main():
    with tempfile.TemporaryDirectory() as tmp:
        out = everything_at_once(tmp)
        slow_link(tmp)
        nobody(tmp)
        cut(tmp)
        without_a_rank(tmp, os.path.join(tmp, "none"))
        refusals(os.path.join(tmp, "link.tts"))
        memory(tmp)
        wall(tmp, out)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
