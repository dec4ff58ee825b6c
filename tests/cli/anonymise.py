#!/usr/bin/env python3
"""`export --anonymise` leaves no private text in the file: words planted wherever an input can hold text are searched
for in the output, and every table stays the same except for names. Also on the samples of every format and on traces
of TRACETTY_CORPUS: whatever looks like a path, a program's file, a user or a host in the input is searched for in the
output (ANONYMISE_LARGEST bytes of a file, 300000 by default; ANONYMISE_FILES files of a profiler, 4 by default)."""
import concurrent.futures
import glob
import gzip
import json
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until, used  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from inputs_todo import Todo  # noqa: E402

BIN = os.environ["BIN"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE = sorted(glob.glob(TOP + "/assets/sample_gpu/*rank0*"))[0]
CORPUS = os.environ.get("TRACETTY_CORPUS")
LARGEST = int(os.environ.get("ANONYMISE_LARGEST", "300000"))
FILES = int(os.environ.get("ANONYMISE_FILES", "4"))


TODO = Todo("anonymise", CORPUS)


def report(what, ok, why="", path="/"):
    print(TODO.word(path, ok) + " " + what + ("" if ok else ": " + str(why)[:500]))


def export(path, to, *options):
    return subprocess.run([BIN, "export", *(options or ["--anonymise"]), path, "-o", to], capture_output=True, text=True)


def read(path):
    with (gzip.open(path, "rt", errors="replace") if path.endswith(".gz") else open(path, errors="replace")) as f:
        return f.read()


def numbers(path):
    """Rows of every table without their texts, sorted."""
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


WORDS = ("SECRET", "alice", "/home", "/opt/", "/mnt", "train.py", "node17", "node18", "example.org", "site-packages")


def siphash(key, text):
    """SipHash-2-4 as its authors describe it."""
    mask = (1 << 64) - 1

    def turn(x, by):
        return (x << by | x >> (64 - by)) & mask

    def sip(v):
        a, b, c, d = v
        a = (a + b) & mask
        b = turn(b, 13) ^ a
        a = turn(a, 32)
        c = (c + d) & mask
        d = turn(d, 16) ^ c
        a = (a + d) & mask
        d = turn(d, 21) ^ a
        c = (c + b) & mask
        b = turn(b, 17) ^ c
        return [a, b, turn(c, 32), d]

    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573]
    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) & 255])
    for i in range(0, len(padded), 8):
        m = int.from_bytes(padded[i:i + 8], "little")
        v[3] ^= m
        v = sip(sip(v))
        v[0] ^= m
    v[2] ^= 255
    v = sip(sip(sip(sip(v))))
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def everything(path):
    """All text of a file, decompressed, and all values of a database."""
    data = gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    out = data.decode("latin-1")
    if data[:15] == b"SQLite format 3":
        with tempfile.NamedTemporaryFile(suffix=".db") as f:
            f.write(data)
            f.flush()
            db = sqlite3.connect(f.name)
            db.text_factory = lambda b: b.decode("latin-1")
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                for row in db.execute('SELECT * FROM "%s"' % name):
                    texts = [str(v) for v in row if isinstance(v, (str, bytes))]
                    host = any(v.lower() in ("hostname", "host_name", "host name") for v in texts)
                    out += "\n" + "\n".join('"hostname": "%s"' % v if host else v for v in texts)
    return out


FRAMEWORKS = r"(?:torch|torchvision|numpy|paddle|triton|transformers|accelerate|deepspeed|lightning\w*|pytorch_lightning|torchgen|functorch)"


def personal(text):
    """Texts of an input that look like a path, a program's file, a user or a host."""
    text = text.replace("\\/", "/").replace("\\\\", "\\")
    found = set(re.findall(r"(?<![\w.:/<>*-])/(?:home|root|Users|mnt|data|tmp|opt|workspace|usr|scratch|cluster|nfs|gpfs|lustre)(?:/[\w.+@-]+)+", text))
    found |= {m for m in re.findall(r"[A-Za-z]:\\[\w.-]+(?:\\[\w. -]+)+", text)}
    found |= {"/home/" + u for u in re.findall(r"/home/(\w{3,})", text)} | {"/Users/" + u for u in re.findall(r"/Users/(\w{3,})", text)}
    for frame in re.findall(r"([\w./+-]+\.py)\(\d+\): ", text):
        inner = re.split(r"site-packages/|dist-packages/|lib/python[\d.]+/", frame)[-1]
        if "/" in inner and inner == frame and not re.match(FRAMEWORKS + "/", inner) and not re.match(r"(?:<|multiprocessing/|concurrent/|asyncio/|importlib/|json/)", inner):
            found.add(inner)
    found |= set(re.findall(r'"host_?name": "([^"]{3,})"', text, re.I)) | set(re.findall(r"[\w.+-]+@[\w-]+\.[\w.]+", text))
    return {f for f in found if len(f) > 4}


def differing_of(paths, other, tables):
    """Tables whose numbers differ between the two."""
    out = []
    for table in tables:
        rows = []
        for p in (paths, [other]):
            t = json.loads(subprocess.run([BIN, "summary", "--table", table, "--format", "json", *p], capture_output=True, text=True,
                                          stdin=subprocess.DEVNULL).stdout)["tables"][0]
            keys = [c["key"] for c in t["columns"] if c["type"] != "string"]
            rows.append(sorted(repr([r[k] for k in keys]) for r in t["rows"]))
        if rows[0] != rows[1] or not rows[0]:
            out.append((table, rows[0][:2], rows[1][:2]))
    return out


def plant(events):
    """Plant words of a person in every place that holds text."""
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
    STATE = os.environ["XDG_STATE_HOME"] = d + "/state"
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
    for word in WORDS:
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
    p = subprocess.run([BIN, "export", "--anonymise", SAMPLE], capture_output=True, text=True)
    report("refused: --anonymise without --output", p.returncode == 2 and "--output FILE" in p.stderr, p.stderr)

    # outputs made from it
    second = d + "/SECRETnode18_99.json"
    with open(second, "w") as f:
        json.dump({**doc, "distributedInfo": {**doc["distributedInfo"], "rank": 1}}, f)
    tmp = d + "/SECRETtmp"
    os.mkdir(tmp)
    for name, options, inputs in (("one.sqlite", [], [source]), ("args.sqlite", ["--args"], [source]), ("both.db.gz", [], [source, second]),
                                  ("stacks.txt", ["--stacks", "time"], [source]), ("device.folded.gz", ["--stacks", "device"], [source]),
                                  ("both.json.gz", ["--merge"], [source, second]), ("both.tts", [], [source, second])):
        p = subprocess.run([BIN, "export", "--anonymise", *options, *inputs, "-o", d + "/" + name], capture_output=True, text=True,
                           env={**os.environ, "TMPDIR": tmp})
        left = [w for w in WORDS if w.lower() in everything(d + "/" + name).lower()] if p.returncode == 0 else ["not written"]
        report("nothing of a person's is left: " + name + " ".join([""] + options), not left and not os.listdir(tmp), (left, p.stderr, os.listdir(tmp)))
    plain = d + "/plain.sqlite"
    subprocess.run([BIN, "export", "--args", source, "-o", plain], capture_output=True)
    a, b = (sqlite3.connect(f) for f in (plain, d + "/args.sqlite"))
    for query in ("SELECT kind, count(*), sum(duration), sum(self), max(depth) FROM slices GROUP BY kind ORDER BY kind",
                  "SELECT step, device, stream, sum(start), count(DISTINCT name), sum(args IS NULL) FROM slices GROUP BY step, device, stream",
                  "SELECT device, sum(bytes), max(allocated), count(*) FROM memory GROUP BY device", "SELECT number, start, duration FROM steps ORDER BY start"):
        report("the same numbers in a database: " + query[:50], a.execute(query).fetchall() == b.execute(query).fetchall() != [],
               (a.execute(query).fetchall()[:3], b.execute(query).fetchall()[:3]))
    found = [json.loads(r[0]) for r in b.execute("SELECT args FROM slices WHERE kind = 'runtime'")]
    names = sorted({str(v[1]) for args in found for v in args.values() if isinstance(v, list)})
    report("arguments in a database have no names", found and len(names) == 1 and re.fullmatch(r"text_[0-9a-f]{10}", names[0]), names)
    keys = {k for args in found for k in args}
    report("nor keys that no list has", {"correlation"} < keys and not {"host", "nested"} & keys, keys)
    report("two ranks in a summary", not differing_of(
        [second, source], d + "/both.tts", ("comm_steps", "step_breakdown")), differing_of([second, source], d + "/both.tts", ("comm_steps", "step_breakdown")))

    # killed while it writes
    big = d + "/SECRETbig.json"
    with open(big, "w") as f:
        json.dump({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "SECRET%d" % (i % 99), "pid": 1, "tid": 1, "ts": 10 * i, "dur": 9} for i in range(200000)]}, f)
    in_time = 0
    for name, sig, later in (("big.sqlite", signal.SIGINT, 0), ("big.tts", signal.SIGTERM, 0.05), ("big.sqlite", signal.SIGINT, 0.15), ("big.sqlite", signal.SIGHUP, 0.3)):
        p = subprocess.Popen([BIN, "export", "--anonymise", big, second, "-o", d + "/" + name], stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": tmp})
        until(lambda: p.poll() is not None or os.listdir(tmp))
        modes = [stat.S_IMODE(os.stat(tmp + "/" + f).st_mode) for f in os.listdir(tmp)]
        begun = used(p.pid)
        until(lambda: used(p.pid) >= begun + later or p.poll() is not None)
        p.send_signal(sig)
        p.wait()
        in_time += p.returncode not in (0, 1)
        left = os.listdir(tmp) + [f for f in os.listdir(d) if f.startswith((".tracetty", name))]
        report("signal %d leaves nothing of %s (after %.2f s)" % (sig, name, later), modes in ([0o700], []) and (p.returncode == 0 or not left), (modes, left, p.returncode))
        for f in glob.glob(d + "/big.[st]*"):
            os.remove(f)
    report("... and it came in time", in_time > 0, in_time)

    # the key file
    key = STATE + "/tracetty/anonymise_key"
    report("the key is its owner's alone", stat.S_IMODE(os.stat(key).st_mode) == 0o600 and len(open(key).read()) == 34, oct(os.stat(key).st_mode))
    with open(key, "w") as f:
        f.write("0706050403020100 0f0e0d0c0b0a0908\n")
    with open(d + "/vector.json", "w") as f:
        json.dump({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 1, "dur": 9} for name in ("", bytes(range(1, 16)).decode())] +
                                  [{"ph": "X", "cat": "cpu_op", "name": "secret_op", "pid": 1, "tid": 1, "ts": 20, "dur": 9}]}, f)
    export(d + "/vector.json", d + "/vector_out.json")
    names = {e["name"] for e in json.loads(read(d + "/vector_out.json"))["traceEvents"] if e.get("cat") == "cpu_op"}
    want = {"operator_%010x" % (siphash(bytes(range(16)), text) & 0xFFFFFFFFFF) for text in (bytes(range(1, 16)), b"secret_op")}
    report("hashes are SipHash-2-4 under the key", want <= names, (want, names))
    report("and that is the published one", siphash(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5)
    p = subprocess.run([BIN, "export", "--anonymise", d + "/vector.json", "-o", d + "/other.json"], capture_output=True, text=True,
                       env={**os.environ, "XDG_STATE_HOME": d + "/elsewhere"})
    names = {e["name"] for e in json.loads(read(d + "/other.json"))["traceEvents"] if e.get("cat") == "cpu_op"}
    report("another key, other hashes", p.returncode == 0 and not names & want, names)
    p = subprocess.run([BIN, "export", "--anonymise", d + "/vector.json", "-o", d + "/none.json"], capture_output=True, text=True,
                       env={k: v for k, v in os.environ.items() if k not in ("XDG_STATE_HOME", "HOME")})
    report("no place for a key: one for this time", p.returncode == 0 and os.path.getsize(d + "/none.json") > 100, p.stderr)

    # texts that are hard to parse
    hard = {"traceEvents": [
        {"ph": "X", "cat": "python_function", "name": "a/b.py(x): f", "pid": 1, "tid": 1, "ts": 1, "dur": 9, "args": {"Call stack": ";;x;" * 2000}},
        {"ph": "X", "cat": "python_function", "name": "SECRET): (", "pid": 1, "tid": 1, "ts": 2, "dur": 3},
        {"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: " * 100000 + "SECRET", "pid": 1, "tid": 1, "ts": 3, "dur": 1},
        {"ph": "X", "cat": "Forward", "name": "[" * 9999 + "]", "pid": "7(" * 999, "tid": "1 SECRET 2", "ts": 3, "dur": 1, "args": {"/SECRET/x": {"a@SECRET": 1}}},
        {"ph": "X", "cat": "/SECRET/category", "name": "Default/SECRET-op1/" * 99, "pid": 1, "tid": 1, "ts": 3, "dur": 1, "args": {"fullname": "SECRET/" * 999}},
        {"ph": "X", "cat": "cpu_op", "name": "::", "pid": 1, "tid": 1, "ts": 3, "dur": 1, "args": {"secretless": "\u0000\x1b[31m"}},
        {"ph": "X", "cat": "cpu_op", "name": "", "pid": "", "tid": "", "ts": 3, "dur": 1, "args": {"a": json.loads("[" * 100 + "]" * 100)}},
        {"ph": "X", "cat": "user_annotation", "name": "(", "pid": "x(", "tid": "()", "ts": 3, "dur": 1, "args": []}]}
    with open(d + "/hard.json", "w") as f:
        json.dump(hard, f)
    p = export(d + "/hard.json", d + "/hard_out.json")
    report("hard texts", p.returncode == 0 and "SECRET" not in read(d + "/hard_out.json") and len(json.loads(read(d + "/hard_out.json"))["traceEvents"]) >= 5, p.stderr)

    # every format

    def text_of(path):
        if os.path.isdir(path):
            return "\n".join(everything(f) for f in glob.glob(path + "/**", recursive=True) if os.path.isfile(f))
        return everything(path)

    def check(number, f, name):
        """Check one input: a line for the report, or None = it is no trace."""
        base = "%s/c%d" % (d, number)
        if subprocess.run([BIN, "export", f, "-o", base + ".plain.json"], capture_output=True).returncode:
            return None
        p = export(f, base + ".json")
        words = personal(text_of(f)) if p.returncode == 0 else set()
        wrong = differing(base + ".plain.json", base + ".json") if p.returncode == 0 else ["not written"]
        out = read(base + ".json") if p.returncode == 0 else ""
        if number % 5 == 0 and p.returncode == 0:
            q = subprocess.run([BIN, "export", "--anonymise", "--args", f, "-o", base + ".sqlite"], capture_output=True, text=True)
            out += everything(base + ".sqlite") if q.returncode == 0 else "/home/not/written: " + q.stderr
        left = [w for w in words if w in out] + re.findall(r"(?<![\w.-])/(?:home|Users)/[\w.-]+", out)
        for old in glob.glob(base + ".*"):
            os.remove(old)
        return (name, not wrong and not left, (p.stderr, wrong, left[:5]), f, len(words))

    files = sorted(glob.glob(TOP + "/assets/sample_*")) + glob.glob(TOP + "/assets/sample_gpu/*rank0*")
    for folder in sorted(glob.glob((CORPUS or "/nowhere") + "/traces/*")):
        small = [f for f in sorted(glob.glob(folder + "/**/*", recursive=True))
                 if (os.path.isfile(f) and 1500 < os.path.getsize(f) < LARGEST) or f.endswith(("_ascend_pt", "_ascend_ms"))]
        files += small[::max(1, len(small) // (FILES * (4 if folder.endswith("/pytorch") else 1)))]
        # the traces with the most private text
        files += sorted(set(small) - set(files), key=lambda f: (-len(personal(text_of(f))), f))[:FILES // 2]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = [r for r in pool.map(lambda p: check(p[0], p[1], os.path.relpath(p[1], CORPUS if CORPUS and p[1].startswith(CORPUS) else TOP)),
                                    enumerate(files)) if r]
    for name, ok, why, path, n in done:
        report("anonymous: " + name, ok, why, path)
    for line in TODO.over():
        print(line)
    report("there was something to look for", sum(r[4] for r in done) > (100 if CORPUS else 1) and len(done) > (40 if CORPUS else 6),
           (len(done), sum(r[4] for r in done)))
