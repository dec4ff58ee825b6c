#!/usr/bin/env python3
"""Summary files: the promises of a merge, and merges of damaged, foreign and repeated parts.

Laws: a merge in any order and tree equals the single pass, byte for byte; a summary merged with itself is itself; the
empty summary is neutral; the summary of a folder is the merge of its files' summaries; overlapping sets count once. The
tables of a summary equal those of the traces. The straggler is known from the simulation that wrote the traces
(tests/tools/make_ranks.py), not from the program.
"""
import filecmp
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAKE = os.path.join(TOP, "tests", "tools", "make_ranks.py")
failed = 0


def report(ok, what, detail=""):
    global failed
    failed += not ok
    print("ok %s" % what if ok else "FAIL %s: %s" % (what, detail))


def run(*args):
    return subprocess.run([BIN, *map(str, args)], capture_output=True, text=True)


def must(*args):
    r = run(*args)
    if r.returncode:
        report(False, "tracetty %s" % " ".join(map(str, args[:2])), "status %d: %s" % (r.returncode, r.stderr[:300]))
    return r


def make(folder, *args):
    subprocess.run([sys.executable, MAKE, folder, *map(str, args)], check=True)
    by_rank = lambda p: int(re.search(r"rank(\d+)\.", p).group(1))
    return sorted(glob.glob(folder + "/*.json"), key=by_rank)


def tables(path, ids):
    doc = json.loads(must("summary", "--table", ids, "--format", "json", path).stdout)
    return {t["id"]: t["rows"] for t in doc["tables"]}, doc


def tree(parts, rnd, out, count=[0]):
    """A merge of random subsets that cover all parts, some of them several times."""
    if len(parts) == 1:
        return parts[0]
    cut = rnd.randint(1, len(parts) - 1)
    rnd.shuffle(parts)
    both = [tree(parts[:cut], rnd, out), tree(parts[cut:], rnd, out)] + rnd.sample(parts, rnd.randint(0, min(3, len(parts))))
    rnd.shuffle(both)
    count[0] += 1
    name = os.path.join(out, "t%d.tts" % count[0])
    must("merge", "-o", name, *both)
    return name


def laws(tmp, files, what, seed):
    rnd = random.Random(seed)
    out = os.path.join(tmp, "laws_" + what)
    os.makedirs(out)
    single = os.path.join(out, "single.tts")
    must("summarize", *files, "-o", single)
    parts = []
    for i, f in enumerate(files):
        parts.append(os.path.join(out, "part%d.tts" % i))
        must("summarize", f, "-o", parts[-1])
    same = lambda a: filecmp.cmp(single, a, shallow=False)
    trees = [tree(list(parts), rnd, out) for _ in range(6)]
    report(all(map(same, trees)), "%s: any order and tree is the single pass" % what)
    m = os.path.join(out, "m.tts")
    must("merge", "-o", m, single, single)
    report(same(m), "%s: merged with itself it is itself" % what)
    empty = os.path.join(out, "empty.tts")
    must("summarize", files[0], "--part", "1/2", "-o", empty)
    must("merge", "-o", m, empty, single, empty)
    report(same(m), "%s: the empty summary is neutral" % what)
    half = len(parts) // 2
    a, b = os.path.join(out, "a.tts"), os.path.join(out, "b.tts")
    must("merge", "-o", a, *parts[:half + 1])
    must("merge", "-o", b, *parts[half:])
    must("merge", "-o", m, b, a)
    report(same(m), "%s: sets that overlap count once" % what)
    return single


def divided(tmp, folder, n, single):
    """--part K/N for all K gives the whole, and each file belongs to one part."""
    names = []
    sources = 0
    for k in range(n):
        names.append(os.path.join(tmp, "d%d.tts" % k))
        must("summarize", folder, "--part", "%d/%d" % (k, n), "-o", names[-1])
        sources += int.from_bytes(open(names[-1], "rb").read()[12:16], "little")
    m = os.path.join(tmp, "d.tts")
    must("merge", "-o", m, *names)
    report(filecmp.cmp(m, single, shallow=False), "%d parts merged are the folder" % n)
    report(sources == int.from_bytes(open(single, "rb").read()[12:16], "little"), "%d parts divide the folder" % n, sources)


# a device's wait for a straggler needs single kernels: a summary only tells who it is, how often and how late
WAITS = re.compile(r"; [^;]* waits [\d.]+% of the (step )?time for it \([^()]*\)$")


def account_and_findings(rows):
    """Table overview without the order of findings and the first line: a straggler's consequences have another
    place."""
    found = sorted((r.get("worker") or "", r["name"], WAITS.sub("", r["text"])) for r in rows if r["what"] == "finding")
    return [r for r in rows if r["what"] not in ("finding", "verdict")], found


def same_tables(folder, summary, what):
    """Every table of a summary equals that of the traces."""
    # about the run as a whole; a summary keeps the calls of dumps that the verdict rests on
    left_out = {"run", "findings", "trust", "hang_entries"}
    both = [{t["id"]: (t["columns"], t["rows"]) for t in json.loads(must("summary", "--table", "all", "--format", "json", p).stdout)["tables"]}
            for p in (folder, summary)]
    ids = [i for i in both[1] if i in both[0] and i not in left_out]
    wrong = [i for i in ids if both[0][i] != both[1][i]]
    late = "overview" in ids and any(r["name"] == "straggler" and WAITS.search(r["text"]) for r in both[0]["overview"][1])
    if late and account_and_findings(both[0]["overview"][1]) == account_and_findings(both[1]["overview"][1]):
        wrong = [i for i in wrong if i != "overview"]
    found = [sorted((r.get("worker") or "", r["id"], WAITS.sub("", r["title"])) for r in json.loads(must(
        "summary", "--table", "findings", "--format", "json", p).stdout)["tables"][0]["rows"]) for p in (folder, summary)]
    report(found[0] == found[1], "%s: %d findings are those of the traces" % (what, len(found[0])), set(found[0]) ^ set(found[1]))
    report(len(ids) > 3 and not wrong, "%s: %d tables are those of the traces" % (what, len(ids)), wrong)
    report(not set(both[1]) - set(both[0]), "%s: no table that the traces do not have" % what, set(both[1]) - set(both[0]))


def without_sqlite(path):
    """A sample that this build can open: databases need libsqlite3."""
    return run("summary", "--table", "run", path).returncode == 0


def stragglers(tmp):
    """Every collective is as simulated; the late rank comes first, with its share and microseconds."""
    folder = os.path.join(tmp, "late")
    make(folder, "--ranks", 16, "--per-node", 4, "--late", "6:300:0.4", "--clocks", 1, "--seed", 5)
    out = folder + ".tts"
    must("summarize", folder, "-o", out)
    got, _ = tables(out, "comm_calls,comm_ranks")
    truth = json.load(open(folder + "/truth.txt"))
    want = sorted((t["group"], t["wait_ns"], t["waits_ns"]) for t in truth)
    have = sorted((r["group"], r["wait_ns"], r["waits_ns"]) for r in got["comm_calls"])
    report(want == have, "waits of %d collectives, clocks up to 1 s apart, to the nanosecond" % len(want), "%d differ" % sum(a != b for a, b in zip(want, have)))
    report(got["comm_ranks"][0]["worker"] == "rank6", "the late rank is first", got["comm_ranks"][0])


def sizes(path):
    b = open(path, "rb").read()
    packed = int.from_bytes(b[24:32], "little")
    return b, 48 + packed


def damage(tmp, parts, single):
    """Flip one bit anywhere and cut anywhere: the damage is noticed and listed, and no answer is wrong."""
    good, body = sizes(parts[0])
    rnd = random.Random(3)
    bad = os.path.join(tmp, "bad.tts")
    out = os.path.join(tmp, "out.tts")
    places = [rnd.randrange(len(good)) for _ in range(60)] + list(range(0, 48, 3)) + [48, body - 1, body, len(good) - 1]
    worst = []
    for at in places:
        b = bytearray(good)
        b[at] ^= 1 << rnd.randrange(8)
        open(bad, "wb").write(bytes(b))
        r = run("merge", "-o", out, bad, parts[1])
        names = bool(re.search(r"bad\.tts", r.stderr))
        left = int.from_bytes(open(out, "rb").read()[12:16], "little") if r.returncode == 0 else -1
        alone = run("merge", "-o", out + "x", bad, "--require-all")
        if r.returncode or not names or left != 1 or alone.returncode not in (1, 3):
            worst.append((at, r.returncode, left, alone.returncode, r.stderr[:120]))
    report(not worst, "%d flipped bits are found, listed and left out" % len(places), worst[:3])
    worst = []
    for n in [0, 1, 7, 8, 20, 47, 48, 60, body - 1, body, body + 1, (body + len(good)) // 2, len(good) - 1]:
        open(bad, "wb").write(good[:n])
        r = run("merge", "-o", out, bad, parts[1])
        left = int.from_bytes(open(out, "rb").read()[12:16], "little") if r.returncode == 0 else -1
        s = run("summary", bad)
        if r.returncode or left != 1 or "bad.tts" not in r.stderr or s.returncode != 3 and n < body:
            worst.append((n, r.returncode, left, s.returncode, r.stderr[:200]))
    report(not worst, "files that are cut off are listed and left out", worst[:3])
    b = bytearray(good)
    b[8] = 9
    b[44:48] = zlib.crc32(bytes(b[:44])).to_bytes(4, "little")
    open(bad, "wb").write(bytes(b))
    r = run("summary", bad)
    report(r.returncode == 3 and "format 9" in r.stderr, "another version is refused by name", r.stderr)
    open(bad, "w").write('{"traceEvents": []}\n')
    r = run("merge", "-o", out, bad, parts[1])
    report(r.returncode == 0 and "no summary" in r.stderr, "what is no summary is listed", r.stderr)
    r = run("merge", "-o", out, bad)
    report(r.returncode == 3, "nothing else: status 3", r.returncode)
    whole, body = sizes(single)
    b = bytearray(whole)
    b[-5] ^= 4  # a byte of the last source
    open(bad, "wb").write(bytes(b))
    r = run("summary", "--table", "run", bad)
    report(r.returncode == 0, "a file with one damaged source still opens", r.stderr[:200])
    shutil.copy(parts[0], bad)
    r = run("merge", "-o", bad, bad, parts[1])
    report(r.returncode == 2 and filecmp.cmp(bad, parts[0], shallow=False), "an input is never the output", r.returncode)


def ranks_missing(tmp, files, parts):
    out = os.path.join(tmp, "r.tts")
    some = [p for i, p in enumerate(parts) if i not in (2, 3, 7)]
    r = run("merge", "-o", out, *some)
    report(r.returncode == 0 and "3 of 12 ranks are missing: 2-3, 7" in r.stderr, "missing ranks are listed", r.stderr)
    report(run("merge", "--require-all", "-o", out, *some).returncode == 1, "--require-all: status 1 when ranks are missing")
    report(run("merge", "--require-all", "-o", out, *parts).returncode == 0, "--require-all: status 0 when all are there")
    other = make(os.path.join(tmp, "world"), "--ranks", 2, "--per-node", 2, "--world", 64, "--seed", 9)
    must("summarize", *other, "-o", os.path.join(tmp, "w.tts"))
    r = run("merge", "-o", out, os.path.join(tmp, "w.tts"), *parts)
    report("world sizes differ" in r.stderr, "mixed worlds are told", r.stderr)
    again = make(os.path.join(tmp, "again"), "--ranks", 12, "--per-node", 4, "--steps", 3, "--calls", 4, "--clocks", 0.5, "--noise", 40)
    must("summarize", again[3], "-o", os.path.join(tmp, "g.tts"))
    r = run("merge", "-o", out, os.path.join(tmp, "g.tts"), *parts)
    report("same time: rank 3\n" in r.stderr, "two recordings of one rank and time are told", r.stderr)
    twin = os.path.join(tmp, "a_copy.json")
    shutil.copy(files[4], twin)
    must("summarize", twin, "-o", os.path.join(tmp, "twin.tts"))
    r = run("merge", "-o", out, os.path.join(tmp, "twin.tts"), *parts)
    paths = [x["value"] for x in tables(out, "run")[0]["run"] if x["key"] == "rank"]
    report("came twice" in r.stderr and len(paths) == 12, "a recording under two paths counts once", r.stderr)
    first, second = os.path.join(tmp, "f.tts"), os.path.join(tmp, "s.tts")
    must("merge", "-o", first, os.path.join(tmp, "twin.tts"), parts[4])
    must("merge", "-o", second, parts[4], os.path.join(tmp, "twin.tts"))
    report(filecmp.cmp(first, second, shallow=False), "which of two paths stays does not depend on the order")
    later = make(os.path.join(tmp, "later"), "--ranks", 12, "--per-node", 4, "--start", 60, "--seed", 8)
    must("summarize", *later, "-o", os.path.join(tmp, "l.tts"))
    must("merge", "-o", out, os.path.join(tmp, "l.tts"), *parts)
    spans = json.loads(must("summary", "--table", "comm_calls", "--format", "json", out).stdout)["source"]["spans"]
    report(len(spans) == 2, "a later recording of the same ranks is another span", spans)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        folder = os.path.join(tmp, "run")
        files = make(folder, "--ranks", 12, "--per-node", 4, "--steps", 3, "--calls", 4, "--clocks", 0.5)
        single = laws(tmp, files, "ranks", 1)
        by_folder = os.path.join(tmp, "folder.tts")
        must("summarize", folder, "-o", by_folder)
        report(filecmp.cmp(single, by_folder, shallow=False), "the summary of a folder is the merge of its files")
        spelt = os.path.join(tmp, "spelt.tts")
        subprocess.run([BIN, "summarize", "./run/../run", "-o", spelt], cwd=tmp, check=True)
        report(filecmp.cmp(single, spelt, shallow=False), "however the folder is spelt")
        divided(tmp, folder, 5, single)
        divided(tmp, folder, 16, single)
        same_tables(folder, single, "ranks")
        parts = sorted(glob.glob(os.path.join(tmp, "laws_ranks", "part*.tts")), key=lambda p: int(re.search(r"part(\d+)", p).group(1)))
        damage(tmp, parts, single)
        ranks_missing(tmp, files, parts)
        stragglers(tmp)
        sample = sorted(glob.glob(os.path.join(TOP, "assets", "sample_gpu", "*.gz")))
        single = laws(tmp, sample, "sample", 2)
        same_tables(os.path.join(TOP, "assets", "sample_gpu"), single, "sample")
        for path in sorted(glob.glob(os.path.join(TOP, "assets", "sample_*"))):
            name = os.path.basename(path).split(".")[0]
            if name == "sample_gpu" or not without_sqlite(path):
                continue
            out = os.path.join(tmp, name + ".tts")
            must("summarize", path, "-o", out)
            same_tables(path, out, name)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
