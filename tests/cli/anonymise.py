#!/usr/bin/env python3
"""`export --anonymise`: nothing of a person's is left in the file (the input has words planted wherever text can be, and all of them are searched for), and
every table says the same but for names. Also on traces of TRACETTY_CORPUS."""
import glob
import gzip
import json
import os
import re
import subprocess
import tempfile

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE = sorted(glob.glob(TOP + "/assets/sample_gpu/*rank0*"))[0]
CORPUS = os.environ.get("TRACETTY_CORPUS")


def report(what, ok, why=""):
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:500]))


def export(path, to, *options):
    return subprocess.run([BIN, "export", *(options or ["--anonymise"]), path, "-o", to], capture_output=True, text=True)


def read(path):
    with (gzip.open(path, "rt", errors="replace") if path.endswith(".gz") else open(path, errors="replace")) as f:
        return f.read()


def numbers(path):
    """Of every table: rows without their texts, in no order."""
    p = subprocess.run([BIN, "summary", "--table", "all", "--format", "json", path], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    out = {}
    for t in json.loads(p.stdout)["tables"]:
        if t["id"] in ("run", "problems", "trust"):  # facts about the file itself
            continue
        keys = [c["key"] for c in t["columns"] if c["type"] != "string"]
        out[t["id"]] = sorted(repr([r[k] for k in keys]) for r in t["rows"])
    return out


def differing(a, b):
    a, b = numbers(a), numbers(b)
    return [t for t in sorted(set(a) | set(b)) if a.get(t) != b.get(t)]


def plant(events):
    """Words of a person in every place that has text."""
    n = 0
    for e in events:
        args = e.setdefault("args", {}) if e["ph"] == "X" else e.get("args", {})
        cat = e.get("cat")
        if e["ph"] == "M" and e["name"] == "process_name":
            args["name"] = "python3 /home/alice/SECRETproject/train.py"
        elif e["ph"] == "M" and e["name"] == "thread_name":
            args["name"] = args["name"].replace("pt_main_thread", "SECRETthread")
        elif cat == "python_function" and e["name"].startswith("train.py"):
            e["name"] = "/home/alice/SECRETproject/src/" + e["name"].replace("main", "SECRETmain")
        elif cat == "python_function" and e["name"].startswith("torch/"):
            e["name"] = "/home/alice/SECRETenv/lib/python3.11/site-packages/" + e["name"]
        elif cat == "python_function" and e["name"].startswith("nn.Module: GPT"):
            e["name"] = e["name"].replace("GPT", "SECRETNet")
        elif cat == "user_annotation" and e["name"].startswith("## "):
            e["name"] = "## SECRETphase"
        elif cat == "cpu_op" and e["name"] == "aten::item":
            e["name"] = ("SECRETlib::SECRETop", "SECRETFnBackward", "SECRET op é\\ \"x\"")[n % 3]
            n += 1
        if cat == "cpu_op":
            args["Call stack"] = "/home/alice/SECRETproject/train.py(7): SECRETstep;/opt/SECRETenv/site-packages/torch/nn/modules/module.py(1): _call_impl"
            args["Module Hierarchy"] = "SECRETNet_0.SECRETBlock_3.Linear_1"
        if cat == "cuda_runtime":
            args["host"] = "node17.SECRET.example.org"
            args["nested"] = [{"deep": ["SECRETvalue", 1, None, True]}, "/mnt/SECRET/x"]
    events.append({"ph": "C", "name": "SECRETcounter", "pid": 41200, "tid": 0, "ts": events[0]["ts"], "args": {"SECRETline": 3}})
    events.append({"ph": "i", "name": "SECRETinstant", "pid": "SECRETpid", "tid": "SECRETtid", "ts": events[0]["ts"], "s": "t"})


with tempfile.TemporaryDirectory() as d:
    doc = json.loads(read(SAMPLE))
    plant(doc["traceEvents"])
    doc.update(hostname="node17.SECRET.example.org", traceName="/home/alice/SECRETproject/log/node17_41200.json",
               user_meta={"SECRET": "kept key", "path": "/home/alice/SECRET", "list": ["SECRET", 7]})
    doc["user_meta"] = {"path": "/home/alice/SECRET", "list": ["SECRET", 7]}
    source, to = d + "/source.json", d + "/worker.json"
    with open(source, "w") as f:
        json.dump(doc, f)
    planted = len(re.findall("SECRET", read(source)))
    p = export(source, to)
    text = read(to)
    report("a trace with %d planted words is written" % planted, p.returncode == 0 and planted > 5000 and len(json.loads(text)["traceEvents"]) > 12000, p.stderr)
    for word in ("SECRET", "alice", "/home", "/opt/", "/mnt", "train.py", "node17", "example.org", "site-packages"):
        report("not left: " + word, word.lower() not in text.lower(), text[max(0, text.lower().find(word.lower()) - 80):][:200])
    events = json.loads(text)["traceEvents"]
    before = [e["name"] for e in doc["traceEvents"] if e.get("cat") == "kernel"]
    report("kernels keep their names", sorted(before) == sorted(e["name"] for e in events if e.get("cat") == "kernel"))
    names = {e["name"] for e in events if e.get("cat") == "cpu_op"}
    report("operators of frameworks keep theirs", {"aten::mm", "aten::linear", "MmBackward0", "record_param_comms"} <= names, sorted(names)[:20])
    names = {e["name"] for e in events if e.get("cat") == "python_function"}
    report("code of frameworks keeps its place below their folder", any(re.match(r"torch/nn/modules/\w+\.py\(\d+\): ", n) for n in names), sorted(names)[:9])
    wrong = differing(source, to)
    report("every table says the same but for names", not wrong, wrong)
    other = d + "/again.json.gz"
    export(source, other, "--anonymize")
    report("the same text has the same hash, in a compressed file, too", read(other) == text)
    export(to, d + "/twice.json")
    report("what is anonymous stays so", not differing(to, d + "/twice.json"))
    export(source, d + "/shapes.json", "--anonymise=shapes")
    shapes = {json.dumps(e["args"].get("Input Dims", [])) for e in json.loads(read(d + "/shapes.json"))["traceEvents"] if e.get("cat") == "cpu_op"}
    report("=shapes: no shapes are left", shapes == {"[]"}, shapes)
    for options in (["--merge"], ["--stacks", "time"]):
        p = subprocess.run([BIN, "export", "--anonymise", *options, source, "-o", d + "/no.json"], capture_output=True, text=True)
        report("refused: --anonymise " + options[0], p.returncode == 2 and "write the trace first" in p.stderr and not os.path.exists(d + "/no.json"), p.stderr)
    p = subprocess.run([BIN, "export", "--anonymise", source, "-o", d + "/no.sqlite"], capture_output=True, text=True)
    report("refused: --anonymise into a database", p.returncode == 2 and not os.path.exists(d + "/no.sqlite"), p.stderr)
    p = export(to, d + "/an.sqlite", "--threads", "2")
    database = open(d + "/an.sqlite", "rb").read()
    report("a database of the anonymous trace has none of them", p.returncode == 0 and b"SECRET" not in database and b"alice" not in database, p.stderr)

    # text that is hard to read
    hard = {"traceEvents": [
        {"ph": "X", "cat": "python_function", "name": "a/b.py(x): f", "pid": 1, "tid": 1, "ts": 1, "dur": 9, "args": {"Call stack": ";;x;" * 2000}},
        {"ph": "X", "cat": "python_function", "name": "SECRET): (", "pid": 1, "tid": 1, "ts": 2, "dur": 3},
        {"ph": "X", "cat": "cpu_op", "name": "::", "pid": 1, "tid": 1, "ts": 3, "dur": 1, "args": {"SECRETless": "\u0000\x1b[31m"}},
        {"ph": "X", "cat": "cpu_op", "name": "", "pid": "", "tid": "", "ts": 3, "dur": 1, "args": {"a": json.loads("[" * 100 + "]" * 100)}},
        {"ph": "X", "cat": "user_annotation", "name": "(", "pid": "x(", "tid": "()", "ts": 3, "dur": 1, "args": []}]}
    with open(d + "/hard.json", "w") as f:
        json.dump(hard, f)
    p = export(d + "/hard.json", d + "/hard_out.json")
    report("hard texts", p.returncode == 0 and len(json.loads(read(d + "/hard_out.json"))["traceEvents"]) >= 5, p.stderr)

    if CORPUS:
        every = [f for f in sorted(glob.glob(CORPUS + "/traces/**/*.json*", recursive=True)) if 2000 < os.path.getsize(f) < 300000]
        files = [f for f in every if "/pytorch/" in f][::2][:24] + [f for f in every if "/pytorch/" not in f][::5][:8]
        other = 0
        for f in files:
            if subprocess.run([BIN, "export", f, "-o", d + "/plain.json"], capture_output=True).returncode:
                continue
            p = export(f, d + "/c.json")
            if p.returncode == 2 and "knows traces of PyTorch" in p.stderr:
                other += not os.path.exists(d + "/c.json")
                continue
            out, wrong = read(d + "/c.json"), differing(d + "/plain.json", d + "/c.json")
            os.remove(d + "/c.json")
            paths = re.findall(r"(?<![\w.-])(?:/[\w.-]+){2,}\.py|[A-Z]:\\\\[\w\\]+", out)
            report("corpus: " + os.path.relpath(f, CORPUS), p.returncode == 0 and not paths and not wrong, (p.stderr, paths[:5], wrong))
        report("corpus: other formats are refused, and nothing is written", other > 3, other)
