#!/usr/bin/env python3
"""Slow ranks, slow nodes, slow links and runs without any, of random shape: 4 to 16 ranks, clocks a second apart, with
and without numbers of calls, with two cut ranks. The finding must be that of the simulation, with its microseconds,
and no other; a run without a slow place must have none. SEEDS=A-B runs other shapes."""
import csv
import io
import os
import random
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
failed = 0


def report(ok, what, detail=""):
    global failed
    failed += not ok
    print("ok %s" % what if ok else "FAIL %s: %s" % (what, detail))


class Case:
    def __init__(self, seed):
        rnd = random.Random(seed)
        self.per = rnd.choice([4, 8, 16])
        self.nodes = rnd.choice([2, 3, 4] if self.per > 4 else [2, 3, 4, 8])
        self.n = self.per * self.nodes
        self.kind = ["none", "slow_node", "dp", "tp", "late"][seed % 5]
        self.us = rnd.choice([100, 200, 300])
        self.noise = rnd.choice([5, 15, 40])
        self.who = rnd.randrange(self.nodes if self.kind == "slow_node" else self.n)
        self.args = ["--noise", self.noise, "--clocks", 1, "--seed", seed, "--ranks", self.n, "--per-node", self.per, "--steps", 5, "--calls", 6]
        self.args += {"none": [], "slow_node": ["--slow-node", "%d:%d" % (self.who, self.us)], "late": ["--late", "%d:%d:0.4" % (self.who, self.us)]}.get(
            self.kind, ["--slow-link", "%d:%s:%d" % (self.who, self.kind, self.us)])
        if rnd.random() < 0.5:
            self.args += ["--no-seq"]
        if rnd.random() < 0.5:  # not the slow one
            others = [k for k in range(self.n) if k != self.who]
            self.args += ["--cut", ",".join(map(str, rnd.sample(others, 2)))]

    def right(self, found):
        """found: titles by id."""
        if self.kind == "none":
            return not found
        if self.kind == "slow_node":
            return self.names(found.get("slow_node", ""), "node%03d " % self.who) and "late_in_group" not in found
        if self.kind == "late":
            return self.names(found.get("straggler", ""), "rank %d " % self.who) and not {"slow_node", "late_in_group"} & set(found)
        return self.names(found.get("late_in_group", ""), "rank %d " % self.who) and " %s_" % self.kind in found["late_in_group"] and "slow_node" not in found

    def names(self, title, who):
        us = re.search(r"(\d+) us", title)
        return who in title and us and abs(int(us.group(1)) - self.us) <= self.noise + 5


def main():
    first, last = map(int, os.environ.get("SEEDS", "0-9").split("-"))
    with tempfile.TemporaryDirectory() as tmp:
        for seed in range(first, last + 1):
            c = Case(seed)
            folder = "%s/run%d" % (tmp, seed)
            subprocess.run([sys.executable, os.path.join(TOP, "tests/tools/make_ranks.py"), folder, *map(str, c.args)], check=True)
            r = subprocess.run([BIN, "cluster", "--engine", "local", "--at-end", "nothing", "--table", "findings", "--format", "csv", folder],
                               capture_output=True, text=True)
            found = {row["id"]: row["title"] for row in csv.DictReader(io.StringIO(r.stdout)) if row["id"] in ("straggler", "slow_node", "late_in_group")}
            report(r.returncode == 0 and c.right(found), "%d ranks on %d nodes, %s" % (c.n, c.nodes, c.kind), (c.args, found, r.stderr[:300]))
    sys.exit(failed != 0)


main()
