#!/usr/bin/env python3
"""Known files that are no traces: files of other profilers, URLs, pickles that no profiler writes. Each exits with
status 3; the message names the file, its kind, and what to do.

Environment BIN.
"""
import cProfile
import gzip
import json
import marshal
import os
import subprocess
import sys
import tempfile

BIN = os.environ.get("BIN", "./tracetty")
SPEEDSCOPE = {"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "f"}]}, "profiles": []}
failed = False


def say(good, what, why=""):
    global failed
    failed = failed or not good
    print("ok %s" % what if good else "FAIL %s: %s" % (what, why))


def refused(what, args, words):
    p = subprocess.run([BIN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text = p.stderr.decode("utf-8", "replace").strip()
    missing = [w for w in words if w not in text]
    say(p.returncode == 3 and not missing and text.count("\n") == 0, what, "status %d, without %s: %s" % (p.returncode, missing, text[:400]))


def profile(folder):
    """cProfile's own file, as this Python writes it."""
    path = os.path.join(folder, "own.pstats")
    p = cProfile.Profile()
    p.runcall(sorted, [2, 1])
    p.dump_stats(path)
    with open(path, "rb") as f:
        return f.read()


def main():
    stats = {("a.py", 1, "f"): (1, 1, 0.5, 0.5, {})}
    with tempfile.TemporaryDirectory() as folder:
        files = {
            "perf.data": (b"PERFILE2" + bytes(200), "Linux perf", "perf report -i "),
            "kernel.ncu-rep": (b"NVR\0" + bytes(200), "Nsight Compute", "ncu --import "),
            "renamed.json": (b"NVR\0" + bytes(200), "Nsight Compute", "ncu --import "),
            "own.prof": (profile(folder), "cProfile", "python3 -m pstats "),
            "speedscope.json": (json.dumps(SPEEDSCOPE).encode(), "speedscope", "speedscope.app"),
            "indented.json": (json.dumps({"exporter": "x", **SPEEDSCOPE}, indent=1).encode(), "speedscope", "speedscope.app"),
        }
        for version in range(5):
            files["version%d.prof" % version] = (marshal.dumps(stats, version), "cProfile", "python3 -m pstats ")
        for name, (data, what, remedy) in files.items():
            path = os.path.join(folder, name)
            with open(path, "wb") as f:
                f.write(data)
            refused("%s is named" % name, ["summary", path], [path, what, remedy])
            with gzip.open(path + ".gz", "wb") as f:
                f.write(data)
            refused("... and packed", ["check", path + ".gz"], [path, what, remedy])
        path = os.path.join(folder, "mentions.json")
        with open(path, "w") as f:
            json.dump({"traceEvents": [{"ph": "X", "name": "https://www.speedscope.app/file-format-schema.json x", "ts": 1, "dur": 1, "pid": 1, "tid": 1}]}, f)
        p = subprocess.run([BIN, "check", path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        say(p.returncode == 0, "a trace that mentions speedscope is read", p.stderr)
        for url, command in (("http://host/a.json.gz", "curl -sL 'http://host/a.json.gz' | tracetty -"), ("https://host/a?b=c&d", "curl -sL 'https://host/a?b=c&d' | tracetty -"),
                             ("s3://bucket/a.json", "aws s3 cp 's3://bucket/a.json' - | tracetty -"), ("gs://bucket/a", "gcloud storage cat 'gs://bucket/a' | tracetty -"),
                             ("hdfs://node/a", "hdfs dfs -cat 'hdfs://node/a' | tracetty -"), ("file:///no/such", "give the path: /no/such"), ("abfs://x/y", "download it first"),
                             ("http://host/it's", "download it first")):
            for args in (["summary", url], ["check", url], ["diff", url, url], ["export", url, "-o", os.path.join(folder, "out.json")], ["merge", url, "-o", os.path.join(folder, "o.tts")]):
                refused("%s %s" % (args[0], url), args, [url, "is a URL", command])
        refused("a path that is not there is no URL", ["summary", os.path.join(folder, "a:b")], ["No such file"])
        deep = {
            "marks": b"(" * 5000,
            "lists": b"](" * 5000,
            "dictionaries": b"}(\x8c\x01a" * 5000,
            "tuples": b")" + b"\x85" * 200000 + b".",
            "lists of one": b"]" * 200000 + b"a" * 199999 + b".",
            "lists that never end": b"]" * 17000000,
        }
        for name, data in deep.items():
            path = os.path.join(folder, name + ".pickle")
            with open(path, "wb") as f:
                f.write(b"\x80\x04" + data)
            whole = data.endswith(b".")
            refused("a pickle of deep %s" % name, ["summary", path], [path, "torch.cuda.memory._dump_snapshot"] + ([] if whole else ["at byte "]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
