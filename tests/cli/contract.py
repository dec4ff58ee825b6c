#!/usr/bin/env python3
"""The contract of the command line: exit status, output of each stream, JSON, CSV, sources, selection of rows, hostile
names."""
import csv
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUN = os.path.join(TOP, "assets/sample_gpu")
ONE = os.path.join(RUN, "train_rank0.1700000000000.pt.trace.json.gz")
CPU = os.path.join(TOP, "assets/sample_cpu.pt.trace.json.gz")
TEXT = gzip.open(ONE).read()


def run(*args, stdin=None, env=None):
    p = subprocess.run([BIN, *args], input=stdin, stdin=subprocess.DEVNULL if stdin is None else None, capture_output=True,
                       env={**os.environ, **(env or {})})
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def no_constant(name):
    raise ValueError("bare " + name)


def doc_of(*args, stdin=None):
    status, out, err = run("summary", "--format", "json", *args, stdin=stdin)
    assert status == 0, "status %d: %s" % (status, err)
    return json.loads(out.decode("utf-8"), parse_constant=no_constant)


def table_of(name, *args, stdin=None):
    return doc_of("--table", name, *args, stdin=stdin)["tables"][0]


def same(a, b, what="tables"):
    assert [t["id"] for t in a["tables"]] == [t["id"] for t in b["tables"]]
    for x, y in zip(a["tables"], b["tables"]):
        if x["id"] in ("run", "problems"):
            continue
        assert x["rows"] == y["rows"], "%s: %s differs" % (what, x["id"])


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


MAIN_TABLES = "step_breakdown,execution_summary,operators,kernels,runtime_api"


# ---- each check is a function; its docstring is its name
def statuses(tmp):
    """exit status and streams"""
    for args, want in ((["--version"], 0), (["--help"], 0), (["help", "summary"], 0), (["tables"], 0), (["summary", ONE], 0),
                       (["summary", "--nonsense", ONE], 2), (["summary", "--table", "nonsense", ONE], 2),
                       (["summary", "--format", "xml", ONE], 2), (["summary", "--sort", "nonsense", "--table", "kernels", ONE], 2),
                       (["summary", "--filter-regex", "(", "--table", "kernels", ONE], 2),
                       (["summary"], 2), (["summary", tmp + "/none.json"], 3), (["check", ONE], 0),
                       (["summary", write(tmp, "empty.json", b"")], 3), (["summary", write(tmp, "text.txt", b"hello\n" * 99)], 3)):
        status, out, err = run(*args)
        assert status == want, "%s: status %d, not %d: %s" % (args, status, want, err)
        assert bool(out) == (want == 0), "%s: stdout: %r" % (args, out[:80])
        assert bool(err) == (want != 0), "%s: stderr: %r" % (args, err[:200])
    assert "none.json" in run("summary", tmp + "/none.json")[2], "the message names the path"


def no_terminal(tmp):
    """without a terminal the default summary is printed"""
    assert run(ONE)[:2] == run("summary", ONE)[:2]


def json_types(tmp):
    """types and units in JSON"""
    doc = doc_of("--table", "all", RUN)
    assert doc["tool"] == "tracetty" and doc["source"]["format"] == "pytorch" and len(doc["source"]["workers"]) == 2
    assert len(doc["tables"]) >= 6
    for t in doc["tables"]:
        keys = [c["key"] for c in t["columns"]]
        assert t["rows"], t["id"] + " has no rows"
        for row in t["rows"]:
            assert list(row) == keys, "%s: %s" % (t["id"], list(row))
            for c in t["columns"]:
                v = row[c["key"]]
                if v is None:
                    continue
                kinds = {"string": str, "count": int, "bool": bool, "duration": int, "time": int, "bytes": int,
                         "percent": (int, float), "number": (int, float)}
                assert isinstance(v, kinds[c["type"]]), "%s.%s is %r" % (t["id"], c["key"], v)
                assert c["type"] == "bool" or not isinstance(v, bool)
        for c in t["columns"]:
            end = {"duration": "_ns", "time": "_at_ns", "bytes": "_bytes", "percent": "_pct"}.get(c["type"])
            assert end is None or c["key"].endswith(end) or c["key"] == end[1:], c


def steps_add_up(tmp):
    """parts of a step add up, and the sample contains what its generator says"""
    rows = table_of("step_breakdown", ONE)["rows"]
    assert [r["step"] for r in rows] == ["2", "3", "4", "5", "6", "7"]
    for r in rows:
        assert r["total_ns"] == sum(v for k, v in r.items() if k.endswith("_ns") and k not in ("total_ns", "start_at_ns")), r
    slow = max(rows, key=lambda r: r["total_ns"])
    assert slow["step"] == "4" and slow["dataloader_ns"] > slow["total_ns"] // 2
    slower = table_of("step_breakdown", os.path.join(RUN, os.path.basename(ONE).replace("rank0", "rank1")))["rows"]
    assert slower[0]["kernel_ns"] > rows[0]["kernel_ns"]


def independent_sums(tmp):
    """kernels, runtime calls and operators agree with sums over the file"""
    events = json.loads(TEXT)["traceEvents"]
    def sums(cats):
        out = {}
        for e in events:
            if e["ph"] == "X" and e["cat"] in cats:
                n, t = out.get(e["name"], (0, 0))
                out[e["name"]] = n + 1, t + round(e["dur"] * 1000)
        return out
    for table, cats, total in (("kernels", ["kernel"], "total_ns"), ("runtime_api", ["cuda_runtime", "cuda_driver"], "total_ns"),
                               ("operators", ["cpu_op"], "host_total_ns")):
        got = {r["name"]: (r["calls"], r[total]) for r in table_of(table, ONE)["rows"]}
        for name, want in sums(cats).items():
            if table == "operators" and name not in got:
                continue
            assert got.get(name) == want, "%s %s: %s, not %s" % (table, name, got.get(name), want)
        assert got


def csv_same(tmp):
    """CSV has the values of JSON; several tables are refused"""
    for name in MAIN_TABLES.split(","):
        t = table_of(name, RUN)
        status, out, err = run("summary", "--format", "csv", "--table", name, RUN)
        assert status == 0, err
        rows = list(csv.reader(io.StringIO(out.decode("utf-8"), newline="")))
        assert rows[0] == [c["key"] for c in t["columns"]] and len(rows) == len(t["rows"]) + 1
        for got, want in zip(rows[1:], t["rows"]):
            for cell, (key, v) in zip(got, want.items()):
                if isinstance(v, str):
                    assert cell == ("'" + v if v[:1] in tuple("=+-@") else v), (key, cell, v)
                elif v is None:
                    assert cell == ""
                elif isinstance(v, bool):
                    assert cell == str(v).lower()
                else:
                    assert float(cell) == v
    status, out, err = run("summary", "--format", "csv", "--table", "kernels,operators", ONE)
    assert status == 2 and not out and err


def sources(tmp):
    """plain, gzip, several members, zstd, standard input and FIFO give the same tables"""
    want = doc_of("--table", MAIN_TABLES, ONE)
    plain = write(tmp, "plain.anything", TEXT)
    same(want, doc_of("--table", MAIN_TABLES, plain), "plain")
    half = len(TEXT) // 2
    same(want, doc_of("--table", MAIN_TABLES, write(tmp, "two.gz", gzip.compress(TEXT[:half]) + gzip.compress(TEXT[half:]))), "members")
    same(want, doc_of("--table", MAIN_TABLES, "-", stdin=TEXT), "stdin")
    same(want, doc_of("--table", MAIN_TABLES, "-", stdin=open(ONE, "rb").read()), "stdin, gzip")
    fifo = os.path.join(tmp, "fifo")
    os.mkfifo(fifo)
    feeder = subprocess.Popen(["cp", plain, fifo])
    same(want, doc_of("--table", MAIN_TABLES, fifo), "FIFO")
    feeder.wait()
    for threads in "1", "2", "3":
        same(want, doc_of("--threads", threads, "--table", MAIN_TABLES, plain), threads + " threads")
    try:
        packed = subprocess.run(["zstd", "-q", "-c"], input=TEXT, capture_output=True, check=True).stdout
    except OSError:
        return
    same(want, doc_of("--table", MAIN_TABLES, write(tmp, "packed", packed)), "zstd")


def shuffled(tmp):
    """the order of the events does not matter"""
    doc = json.loads(TEXT, parse_float=lambda t: "@%s@" % t)
    random.Random(1).shuffle(doc["traceEvents"])
    text = json.dumps(doc).replace('"@', "").replace('@"', "")
    same(doc_of("--table", MAIN_TABLES, ONE), doc_of("--table", MAIN_TABLES, write(tmp, "shuffled.json", text.encode())), "shuffled")


def array_form(tmp):
    """array form, with and without an end, and numbers as strings"""
    events = json.loads(TEXT, parse_float=lambda t: "@%s@" % t)["traceEvents"]
    text = json.dumps(events)
    want = doc_of("--table", "kernels,runtime_api", ONE)
    for name, data in (("array", text.replace('"@', "").replace('@"', "")), ("strings", text.replace("@", "")),
                       ("open", text.replace('"@', "").replace('@"', "")[:-1]), ("comma", text.replace('"@', "").replace('@"', "")[:-1] + ",")):
        same(want, doc_of("--table", "kernels,runtime_api", write(tmp, name, data.encode())), name)


def damaged(tmp):
    """a damaged file loses only the damaged part, with a message, and `check` gives the offset"""
    whole = doc_of("--table", "problems", ONE)["source"]["events"]
    cut = write(tmp, "cut.json", TEXT[:len(TEXT) * 2 // 3])
    status, out, err = run("summary", "--format", "json", "--table", "problems", cut)
    doc = json.loads(out)
    assert status == 0 and err and whole // 2 < doc["source"]["events"] < whole and doc["problems"], (status, err)
    assert run("check", cut)[0] == 1
    packed = open(ONE, "rb").read()
    status, out, err = run("summary", "--format", "json", "--table", "problems", write(tmp, "cut.gz", packed[:len(packed) // 2]))
    assert status == 0 and err and 0 < json.loads(out)["source"]["events"] < whole
    # one event in the middle is broken: only that event is lost
    at = TEXT.index(b'"cat": "cpu_op"', len(TEXT) // 5)
    broken = TEXT[:at] + b'"cat: "cpu_op"' + TEXT[at + 15:]
    doc = doc_of("--table", "problems", write(tmp, "broken.json", broken))
    assert whole - 2 <= doc["source"]["events"] <= whole and doc["problems"], doc["source"]["events"]


def selection(tmp):
    """--sort, --limit, --filter, --group-by, --steps, --range and --worker"""
    rows = table_of("kernels", ONE)["rows"]
    by = table_of("kernels", "--sort", "mean_ns:asc", ONE)["rows"]
    assert [r["mean_ns"] for r in by] == sorted(r["mean_ns"] for r in rows)
    assert len(table_of("kernels", "--limit", "3", ONE)["rows"]) == 3
    gemm = table_of("kernels", "--filter", "GEMM", ONE)["rows"]
    assert gemm and len(gemm) < len(rows) and gemm == [r for r in rows if "gemm" in r["name"].lower()]
    nccl = table_of("kernels", "--filter-regex", "^nccl.*RING", ONE)["rows"]
    assert [r["name"] for r in nccl] == [r["name"] for r in rows if re.match("nccl.*RING", r["name"])] and len(nccl) == 1
    shapes = table_of("operators", "--group-by", "shape", ONE)["rows"]
    names = table_of("operators", ONE)["rows"]
    assert len(shapes) > len(names) and sum(r["calls"] for r in shapes) == sum(r["calls"] for r in names)
    two = table_of("step_breakdown", "--steps", "3-4", ONE)["rows"]
    assert [r["step"] for r in two] == ["3", "4"]
    assert sum(r["calls"] for r in table_of("kernels", "--steps", "3-4", ONE)["rows"]) * 3 == sum(r["calls"] for r in rows)
    assert sum(r["calls"] for r in table_of("kernels", "--range", "0ms-1ms", ONE)["rows"]) < 10
    both = table_of("kernels", RUN)
    assert both["columns"][0]["key"] == "worker"
    worker = both["rows"][0]["worker"]
    part = table_of("kernels", "--worker", worker, RUN)["rows"]
    assert sum(r["calls"] for r in part) == sum(r["calls"] for r in both["rows"] if r["worker"] == worker)


def hostile(tmp):
    """names with control characters, bidirectional controls and bad UTF-8 do no harm"""
    names = ["\\u001b[31mred", "\\u009b5m", "a\\u202eb", "=1+1", "tab\\tnew\\nline", "nul\\u0000end"]
    events = [{"ph": "X", "cat": "cpu_op", "name": n, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5} for i, n in enumerate(names)]
    text = json.dumps({"schemaVersion": 1, "traceEvents": events}).replace("\\\\", "\\").encode()
    text = text.replace(b"red", b"red\xff\xfe")
    path = write(tmp, "hostile.json", text)
    for fmt in "text", "csv", "json":
        status, out, err = run("summary", "--format", fmt, "--table", "operators", path)
        assert status == 0 and b"1+1" in out, err
        assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", out.replace(b"\r\n", b"\n")), fmt
        assert not re.search("[\u0080-\u009f\u202a-\u202e\u2066-\u2069]", out.decode("utf-8")), fmt
    assert "\x1b" not in run("summary", tmp + "/no\x1b[31msuch")[2]


def output_error(tmp):
    """a full disk is an error"""
    with open("/dev/full", "wb") as full:
        p = subprocess.run([BIN, "summary", ONE], stdout=full, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    assert p.returncode != 0 and p.stderr


def tables_listed(tmp):
    """`tables` and `help` list what there is"""
    listed = run("tables")[1].decode()
    short = run("help", "tables")[1].decode().split("\ntables:\n")[1].split("\n\n")[0]
    assert re.findall(r"^  (\w+) ", short, re.M) == re.findall(r"^(\w+): ", listed, re.M)
    for t in doc_of("--table", "all", ONE)["tables"]:
        assert re.search(r"\b%s\b" % t["id"], listed)
        for c in t["columns"]:
            assert re.search(r"\b%s\b" % c["key"], listed), c["key"]
    text = run("help", "summary")[1].decode()
    for option in ("--table", "--format", "--group-by", "--sort", "--limit", "--filter", "--filter-regex", "--steps", "--range",
                   "--worker", "--span", "--unit", "--thread-sep"):
        assert option in text, option


def no_color(tmp):
    """no colours in a pipe"""
    assert b"\x1b" not in run("summary", ONE)[1]
    assert b"\x1b[" in run("summary", "--color", "always", ONE)[1]


def recorded_cpu(tmp):
    """a recorded CPU training in the old array form"""
    rows = table_of("operators", CPU)["rows"]
    assert {"aten::conv2d", "aten::convolution_backward"} <= {r["name"] for r in rows}


failed = 0
for check in (statuses, no_terminal, json_types, steps_add_up, independent_sums, csv_same, sources, shuffled, array_form, damaged,
              selection, hostile, output_error, tables_listed, no_color, recorded_cpu):
    with tempfile.TemporaryDirectory() as tmp:
        try:
            check(tmp)
            print("ok", check.__doc__)
        except Exception as e:
            failed += 1
            line = sys.exc_info()[2].tb_next
            while line.tb_next and line.tb_next.tb_frame.f_code.co_filename == __file__:
                line = line.tb_next
            print("FAIL %s: line %d: %s %s" % (check.__doc__, line.tb_lineno, type(e).__name__, str(e)[:600]))
sys.exit(failed > 0)
