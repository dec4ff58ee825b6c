"""Shared by the tests of databases: the program, the samples of assets/ written as databases, one line for each check."""
import gzip
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "tools"))
from databases import capture, nsys, rocpd, rpd  # noqa: E402

TRACES = [os.path.join(TOP, "assets", "sample_gpu", "train_rank%d.1700000000000.pt.trace.json.gz" % i) for i in (0, 1)]
SAMPLES = [os.path.join(TOP, "assets", *name) for name in (("sample_nsys", "train.sqlite"), ("sample_rocpd", "train_results.db"), ("sample_rpd", "train.rpd"))]
CANARY = "SECRET=canary-4f1d"
WRITERS = {"nsys": nsys, "rocpd": rocpd, "rpd": rpd}


def supported():
    """Whether the program reads databases; without SQLite's library it reports that in place of the results tested
    here."""
    p = subprocess.run([BIN, "check", SAMPLES[0]], capture_output=True, stdin=subprocess.DEVNULL)
    return b"libsqlite3" not in p.stderr


def report(what, why=None):
    print("ok " + what if not why else "FAIL %s: %s" % (what, why), flush=True)


def run(*words, **more):
    return subprocess.run([BIN, *words], capture_output=True, stdin=subprocess.DEVNULL, **more)


def document(table, *words):
    p = run("summary", "--format", "json", "--table", table, *words)
    if p.returncode:
        raise AssertionError("status %d: %s" % (p.returncode, p.stderr[-300:].decode("utf-8", "replace")))
    return json.loads(p.stdout.decode("utf-8"))


def rows(table, *words):
    return next((t["rows"] for t in document(table, *words)["tables"] if t["id"] == table), [])


def made(kind, path, found, **options):
    WRITERS[kind].write(path, found, WRITERS[kind].Options(**options))
    return path


def read_json(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        return json.load(f)
