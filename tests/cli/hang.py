#!/usr/bin/env python3
"""Dumps of flight recorders: who hangs is named, whatever form the dumps have, and nobody else.

The jobs come from tests/tools/make_hang.py, which knows whom it stopped. Relations that must hold: pickle or JSON,
compressed or not, any names and order of files, folders per node, other times and other numbers of groups, a summary
or an export of the dumps change no verdict; a missing dump of a victim accuses nobody else."""
import csv
import io
import json
import os
import pickletools
import random
import shutil
import subprocess
import sys
import tempfile

BIN = os.environ.get("BIN", "./tracetty")
HERE = os.path.dirname(os.path.abspath(__file__))
MAKE = os.path.join(HERE, "..", "tools", "make_hang.py")
TABLES = ("hang_faults", "hang_ranks", "hang_groups", "hang_wall", "hang_collectives", "hang_mismatches")
failed = 0


def check(what, holds, why=""):
    global failed
    failed += not holds
    print("%s %s%s" % ("ok" if holds else "FAIL", what, "" if holds else ": %s" % why))


def tracetty(*args):
    p = subprocess.run([BIN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return p.returncode, p.stdout, p.stderr


def table(name, *paths):
    status, out, err = tracetty("summary", "--table", name, "--limit", "0", "--format", "csv", *paths)
    if status:
        raise SystemExit("%s of %s: exit status %d: %s" % (name, paths, status, err))
    return list(csv.DictReader(io.StringIO(out)))


def make(out, *args):
    p = subprocess.run([sys.executable, MAKE, out, *args], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(p.stdout)


def ranks(text):
    out = []
    for part in (text or "").split(","):
        a, _, b = part.partition("-")
        out += range(int(a), int(b or a) + 1) if part else []
    return out


def sure(rows):
    return [(r["kind"], ranks(r["ranks"])) for r in rows if r["certainty"] in ("certain", "likely")]


def all_tables(*paths, drop=("file", "worker")):
    return {t: [{k: v for k, v in r.items() if k not in drop} for r in table(t, *paths)] for t in TABLES}


def answers(tmp):
    for fault in ("host", "device", "crash", "size", "order", "deadlock", "none"):
        for seed in range(1, 6):
            want = make(tmp, "--fault", fault, "--seed", str(seed))
            rows = table("hang_faults", tmp)
            got = sure(rows)
            check("%s, seed %d" % (fault, seed), got == ([(want["kind"], want["ranks"])] if want["ranks"] else []), "%s, not %s" % (got, want))
            if want["ranks"] and rows and want["kind"] != "deadlock":
                r = rows[0]
                call = (ranks(r["group_ranks"]), r["op"] if want["kind"] != "mismatch" else want["op"], r["seq"])
                check("%s, seed %d: its call" % (fault, seed), call == (want["group_ranks"], want["op"], str(want["seq"])), "%s, not %s" % (call, want))


def forms(tmp):
    plain, other = os.path.join(tmp, "plain"), os.path.join(tmp, "other")
    make(plain, "--seed", "7")
    want = all_tables(plain)
    frames = ("file", "worker", "frame", "last_frame", "version")
    for what, args, drop in (("compressed", ["--gz"], ()), ("names of hosts", ["--names", "host"], ()), ("names that tell nothing", ["--names", "blind"], ()),
                             ("JSON", ["--form", "json"], frames), ("other times", ["--shift", str(10**15)], ("since_unix_ns",)),
                             ("other numbers of groups", ["--rename", "300"], ("group",))):
        make(other, "--seed", "7", *args)
        drop = ("file", "worker") + tuple(drop)
        got = all_tables(other, drop=drop)
        check("the same tables: " + what, got == {t: [{k: v for k, v in r.items() if k not in drop} for r in rows] for t, rows in want.items()})
    files = [os.path.join(plain, f) for f in os.listdir(plain)]
    random.Random(5).shuffle(files)
    check("the same tables: files in any order", all_tables(*files) == want)
    shutil.rmtree(other)
    for i, f in enumerate(sorted(files)):
        os.makedirs(os.path.join(other, "node%d" % (i % 2)), exist_ok=True)
        shutil.copy2(f, os.path.join(other, "node%d" % (i % 2)))
    check("the same tables: a folder per node", all_tables(other) == want)


def kept(tmp):
    plain, tts, dumps = (os.path.join(tmp, n) for n in ("plain", "all.tts", "dumps"))
    for fault in ("host", "device", "size"):
        make(plain, "--seed", "11", "--fault", fault)
        want = all_tables(plain)
        parts = []
        for f in sorted(os.listdir(plain)):
            parts.append(os.path.join(tmp, f + ".tts"))
            status, _, err = tracetty("summarize", "-o", parts[-1], os.path.join(plain, f))
            check("summary of %s, %s" % (f, fault), status == 0, err)
        random.Random(3).shuffle(parts)
        tracetty("merge", "-o", tts, *parts)
        check("the same tables from a merged summary: " + fault, all_tables(tts) == want)
        for p in parts:
            os.remove(p)
        tracetty("export", "--format", "dump", "--output", dumps, plain)
        check("the same tables from exported dumps: " + fault, all_tables(dumps) == want)
        shutil.rmtree(dumps)
    tracetty("export", "--format", "dump", "--anonymise", "--output", dumps, plain)
    text = "".join(open(os.path.join(dumps, f)).read() for f in os.listdir(dumps))
    check("an anonymous export has no path or function of the program", text and not any(w in text for w in ("/opt", "gather_parameters", "model.py", "train.py", "attention")))
    check("an anonymous export has the same culprit", sure(table("hang_faults", dumps)) == sure(table("hang_faults", plain)))


def victims(tmp):
    for fault in ("host", "device", "size"):
        want = make(tmp, "--seed", "4", "--fault", fault)
        for f in sorted(os.listdir(tmp)):
            r = int(f.rsplit("_", 1)[1])
            if r in want["ranks"]:
                continue
            os.rename(os.path.join(tmp, f), os.path.join(tmp, "..", "aside"))
            got = [(k, who) for k, who in sure(table("hang_faults", tmp)) if who != [r]]
            check("%s without the dump of rank %d" % (fault, r), all(who == want["ranks"] for _, who in got), got)
            os.rename(os.path.join(tmp, "..", "aside"), os.path.join(tmp, f))


def ends_of_entries(dump):
    """Offset behind each entry of a pickled dump."""
    marks, ends = 0, []
    for op, value, at in pickletools.genops(dump):
        if value == "entries":
            ends = []
        marks += {"MARK": 1, "SETITEMS": -1, "APPENDS": -1, "TUPLE": -1}.get(op.name, 0)
        if op.name == "SETITEMS" and marks == 2:
            ends.append(at + 1)
    return ends


def cut(tmp):
    """Every dump cut at every 1 % of its length opens, or says why; what opens has only entries of the whole dump, a
    pickle all that end before the cut."""
    for form in ("pickle", "json"):
        make(tmp, "--form", form, "--seed", "2")
        path = os.path.join(tmp, "nccl_trace_rank_3")
        whole, opened, worse = open(path, "rb").read(), 0, []
        entries = {r["record_id"]: r for r in table("hang_entries", path)}
        ends = ends_of_entries(whole) if form == "pickle" else []
        for percent in range(100):
            part = os.path.join(tmp, "cut_rank3")
            with open(part, "wb") as f:
                f.write(whole[: len(whole) * percent // 100])
            status, out, err = tracetty("summary", "--table", "hang_entries", "--limit", "0", "--format", "csv", part)
            if status not in (0, 3) or (status == 3 and "cut_rank3" not in err):
                worse.append((percent, status, err))
            if status == 0:
                opened += 1
                rows = list(csv.DictReader(io.StringIO(out)))
                keys = ("op", "seq", "created_at_ns", "in_sizes", "out_dtypes", "timeout_ns")
                worse += [(percent, r) for r in rows if any(r[k] != entries[r["record_id"]][k] for k in keys)]
                complete = sum(end <= len(whole) * percent // 100 for end in ends)
                if ends and len(rows) != complete:
                    worse.append((percent, len(rows), complete))
        # JSON has its version last, and a dump without one is refused
        check("%s cut at each percent: opened %d times" % (form, opened), not worse and opened >= (80 if form == "pickle" else 0), worse[:2])


def many_of_a_kind(tmp):
    """Dumps that do not say their rank, of versions of which one begins like another."""
    shutil.rmtree(tmp)
    os.mkdir(tmp)
    for i in range(30):
        with open(os.path.join(tmp, "dump_" + chr(ord("a") + i // 26) + chr(ord("a") + i % 26)), "w") as f:
            json.dump({"version": "2.10" if i < 2 else "2.1", "entries": []}, f)
    facts = {r["key"]: r["value"] for r in table("run", tmp)}
    check("versions of the dumps, each once", facts["versions"] == "2.10, 2.1", facts)
    out = os.path.join(tmp, "..", "many")
    tracetty("export", "--format", "dump", "--output", out, tmp)
    check("each dump of an unknown rank has a file", len(os.listdir(out)) == 30, os.listdir(out))
    shutil.rmtree(out)


def statuses(tmp):
    make(tmp, "--seed", "1")
    status, out, _ = tracetty("summary", tmp)
    first = out.split("\n")[0]
    check("the verdict comes first", status == 0 and "stopped on the host: never called" in first and first.startswith("Rank "), first)
    for args, want in ((("--fail-on", "hang"), 1), (("--fail-on", "mismatch"), 0), (("--fail-on", "findings"), 1), (("--fail-on", "hang", "--fail-on", "mismatch"), 1), (("--require-all",), 0), (("--fail-on", "sideways"), 2)):
        status = tracetty("summary", *args, tmp)[0]
        check("summary %s: exit status %d" % (" ".join(args), want), status == want, status)
    os.remove(os.path.join(tmp, "nccl_trace_rank_0"))
    check("a missing dump under --require-all: exit status 1", tracetty("summary", "--require-all", tmp)[0] == 1)
    rows = {r["key"]: r["value"] for r in table("run", tmp)}
    check("facts of the run", rows.get("format") == "flight_recorder" and rows.get("world_size") == "16" and rows.get("dumps") == "15" and rows.get("recorder") == "c10d", rows)
    make(tmp, "--seed", "1", "--fault", "none")
    check("nothing hangs", tracetty("summary", tmp)[1].startswith("No hang seen: every call was called by all members and finished."))
    check("nothing hangs: exit status 0", tracetty("summary", "--fail-on", "hang=possible", tmp)[0] == 0)


def found(tmp):
    make(tmp, "--seed", "6")
    trace = os.path.join(tmp, "rank0.pt.trace.json")
    with open(trace, "w") as f:
        json.dump({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]}, f)
    status, out, err = tracetty("summary", "--run", "hang", "--table", "hang_faults", tmp)
    check("dumps beside a trace are the run 'hang'", status == 0 and "host" in out, out + err)
    os.remove(trace)
    shutil.copy2(os.path.join(tmp, "nccl_trace_rank_2"), os.path.join(tmp, "old_rank_9"))
    kinds = {v for r in table("problems", tmp) for v in r.values()}
    check("a second dump of one rank counts once, and is told", "duplicate_rank" in kinds, kinds)
    check("the second dump is of no further rank", len(table("hang_ranks", tmp)) == 16)


def screens(tmp):
    want = make(tmp, "--seed", "9")
    for size in ("80x24", "160x45"):
        status, out, err = tracetty("summary", "--screen", "hang", "--size", size, tmp)
        lines = out.split("\n")
        row = [l for l in lines if l.startswith("> %d " % want["ranks"][0])]
        check("the screen at %s marks the culprit" % size, status == 0 and len(row) == 1 and "-" in row[0], out)
        check("the screen at %s begins with the verdict" % size, "Rank %d stopped on the host" % want["ranks"][0] in lines[2], lines[:4])
        rows = [l for l in lines if l[:2] == "  " and l[2:3].isdigit() and " . " in l + " "]
        check("the screen at %s folds ranks that are alike" % size, 1 <= len(rows) <= 4, rows)
    out = tracetty("summary", "--screen", "hang", "--size", "120x30", "--keys", "Enter", tmp)[1]
    check("Enter on a fault shows the calls of its members", "Calls of" in out and "3 of 318 rows" in out, out)
    out = tracetty("summary", "--screen", "timeline", "--size", "120x30", tmp)[1]
    check("the timeline has a process for each rank", "rank 0" in out and "rank 15" in out, out)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        for test in (answers, forms, kept, victims, cut, many_of_a_kind, statuses, found, screens):
            folder = os.path.join(tmp, test.__name__)
            os.makedirs(os.path.join(folder, "jobs"))
            test(os.path.join(folder, "jobs") if test not in (forms, kept) else folder)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
