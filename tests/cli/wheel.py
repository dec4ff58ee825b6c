#!/usr/bin/env python3
"""The wheel: its files, the platforms of its tag, and its installation by pip without a network in three ways; then
the program, the recorder and the Python package from there. The package is compared with the JSON of the trace, read
with exact decimals, and with the program's own output."""
import base64
import collections
import csv
import decimal
import doctest
import email
import email.policy
import functools
import glob
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import spent, until, used  # noqa: E402

BIN, B = os.environ["BIN"], os.environ["B"]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BOTH = TOP + "/assets/sample_gpu"
RANKS = sorted(glob.glob(BOTH + "/*.json.gz"))
LIBRARY = os.path.join(B, "libtracetty_capture.so")
SAID = subprocess.run([BIN, "--version"], capture_output=True, text=True).stdout
VERSION = SAID.split()[1]


def report(what, ok, why=""):
    print(("ok " if ok else "FAIL ") + what + ("" if ok else ": " + str(why)[:800]), flush=True)


def raised(kind, call):
    """The exception of this class that the call raises; None = none."""
    try:
        call()
    except kind as error:
        return error
    return None


def dumped(*options):
    return subprocess.run([BIN, "summary", "--format", "json", *options], capture_output=True, text=True, stdin=subprocess.DEVNULL)


# ---- inside the environment: the package

@functools.lru_cache(maxsize=None)
def raw_events(path):
    with gzip.open(path, "rt") as f:
        return json.load(f, parse_float=decimal.Decimal)["traceEvents"]


def check_numbers(tracetty):
    trace = tracetty.load(BOTH)
    sums = collections.defaultdict(list)
    for rank, path in enumerate(RANKS):
        for e in raw_events(path):
            if e["ph"] == "X" and e["cat"] == "kernel":
                sums["train_rank%d" % rank, e["name"]].append(int(e["dur"] * 1000))
    rows = {(r["worker"], r["name"]): (r["calls"], r["total_ns"], r["max_ns"], r["min_ns"]) for r in trace.table("kernels")}
    report("kernels are those of the JSON", rows == {k: (len(v), sum(v), max(v), min(v)) for k, v in sums.items()} and len(rows) > 20, rows)
    asked = trace.sql("SELECT worker, name, count(*) AS n, sum(duration) AS total FROM slices WHERE kind = 'kernel' GROUP BY 1, 2")
    report("SQL: the same", {(r["worker"], r["name"]): (r["n"], r["total"]) for r in asked} == {k: (len(v), sum(v)) for k, v in sums.items()})
    report("integers are integers", all(type(r[k]) is int for r in trace.table("kernels") for k in ("calls", "total_ns", "mean_ns")))
    launches = collections.Counter()
    for r in trace.table("kernels", group_by="launch"):
        launches[r["worker"], r["name"]] += r["total_ns"]
    report("grouped by launch they add up to the same", launches == {k: sum(v) for k, v in sums.items()})
    steps = sorted({int(r["step"]) for r in trace.table("step_breakdown")})
    apart = sum(r["calls"] for s in steps for r in trace.table("kernels", steps=s))
    together = sum(r["calls"] for r in trace.table("kernels", steps=(steps[0], steps[-1])))
    report("steps one by one add up", apart == together > 0 and len(steps) > 3, (apart, together))
    whole = trace.table("kernels", sort="name:asc")
    some = trace.table("kernels", sort="name:asc", filter="GEMM", limit=4)
    report("filter and limit take rows", some == [r for r in whole if "gemm" in r["name"].lower()][:4] and len(some) == 4, some)
    report("sort", trace.table("kernels", sort="calls").values("calls") == sorted(whole.values("calls"), reverse=True))
    t0 = min(int(e["ts"] * 1000) for p in RANKS for e in raw_events(p) if e["ph"] != "M")
    window = (20_000_000, 60_000_000)
    early = [e for e in raw_events(RANKS[0]) if e["ph"] == "X" and e["cat"] in ("cuda_runtime", "cuda_driver")
             and window[0] <= int(e["ts"] * 1000) - t0 < window[1]]
    found = trace.sql("SELECT count(*) AS n FROM slices WHERE worker = 'train_rank0' AND kind IN ('runtime', 'driver') AND start >= %d AND start < %d" % window)
    report("a window by SQL", found == [{"n": len(early)}] and early, (found, len(early)))
    for options in ({"range": window}, {"range": "20ms-60ms"}, {"steps": "3-"}, {"steps": 4}, {"what_if": {"aten::mm": 0.5}}):
        words = {"range": "20ms-60ms", "steps": str(options.get("steps")), "what_if": "aten::mm=0.5"}
        key = next(iter(options))
        table = "what_if" if key == "what_if" else "step_breakdown" if key == "range" else "operators"
        want = json.loads(dumped("--table", table, "--%s=%s" % (key.replace("_", "-"), words[key]), BOTH).stdout)["tables"][0]
        report("%r is what summary prints" % options, trace.table(table, **options) == want["rows"] and want["rows"])
    everything = json.loads(dumped("--table=all", "--steps=3", BOTH).stdout)["tables"]
    got = trace.all(steps=3)
    report("all() is --table all", list(got) == [t["id"] for t in everything] and all(got[t["id"]] == t["rows"] for t in everything))


def check_words(tracetty):
    """Columns, titles and options exist."""
    trace = tracetty.load(RANKS[0])
    doc = json.loads(subprocess.run([BIN, "tables", "--format", "json"], capture_output=True, text=True).stdout)["tables"]
    report("tables() lists those about one run", trace.tables() == {t["id"]: t["title"] for t in doc if not t["compares_two_runs"]})
    table = trace.table("operators", steps="3-4", group_by="shape", sort="calls:asc")
    about = next(t for t in doc if t["id"] == "operators")
    meanings = {c["key"]: (c["title"], c["type"], c["unit"], c["meaning"]) for c in about["columns"]}
    report("columns say unit and meaning", [c.key for c in table.columns] == list(table[0]) and all(tuple(c[1:]) == meanings[c.key] for c in table.columns),
           table.columns)
    report("... grouped by shape there is one more", "input_shapes" in [c.key for c in table.columns])
    report("a table knows what it is", (table.id, table.title, table.options) ==
           ("operators", about["title"], {"group_by": "shape", "sort": "calls:asc", "steps": "3-4"}), table.options)
    front = tracetty.load(BOTH).table("operators").columns[0]
    report("the column of workers says what it is", front.key == "worker" and front.meaning, front)
    note = tracetty.load(TOP + "/assets/sample_cpu.pt.trace.json.gz").table("kernels")
    report("an empty table has columns and says why", note == [] and note.columns and note.note, note.note)
    report("source and problems", (trace.source["events"], trace.source["format"], trace.problems) ==
           (json.loads(dumped(RANKS[0]).stdout)["source"]["events"], "pytorch", []))
    report("repr", "pytorch" in repr(trace) and os.path.basename(RANKS[0]) in repr(trace))
    report("a column that is not there", "no column 'x'" in str(raised(KeyError, lambda: table.values("x"))))
    for library in (None, "pandas", "polars"):
        report("frame(%r) without it says what to install" % library, "pip install" in str(raised(ImportError, lambda: table.frame(library))))


def check_diff(tracetty):
    base, new = (tracetty.load(p) for p in RANKS)
    diff = base.diff(new, fail_on=["step>5%", "computation>5%"])
    sums = [{r["name"]: r["total_ns"] for r in t.table("kernels")} for t in (base, new)]
    rows = diff.table("diff_kernels")
    report("diff: kernels of both runs", {r["name"]: (r["base_total_ns"], r["new_total_ns"]) for r in rows} ==
           {n: (sums[0].get(n), sums[1].get(n)) for n in {**sums[0], **sums[1]}}, rows[:2])
    p = subprocess.run([BIN, "diff", "--table=all", "--format=json", "--fail-on=step>5%", "--fail-on=computation>5%", *RANKS], capture_output=True, text=True)
    want = json.loads(p.stdout)
    report("diff: conditions", diff.conditions == want["conditions"] and diff.failed == (p.returncode == 1) is True, diff.conditions)
    report("diff: every table", all(diff.table(t["id"]) == t["rows"] for t in want["tables"]) and list(diff.tables()) == [t["id"] for t in want["tables"]])
    same = base.diff(RANKS[0], skip=1)
    report("diff: with itself nothing", not same.failed and all(r["delta_ns"] in (0, None) for r in same.table()) and same.matched["steps"] == 5, same.matched)
    report("diff: one worker of a folder against the other", tracetty.load(BOTH, worker="train_rank0").diff(tracetty.load(BOTH, worker="train_rank1")).
           table("diff_kernels") == [dict(r) for r in base.diff(new).table("diff_kernels")])
    report("diff: no such table", "diff_summary" in str(raised(tracetty.UsageError, lambda: diff.table("kernels"))))
    report("diff: of several paths", "one path" in str(raised(tracetty.UsageError, lambda: tracetty.load(*RANKS).diff(new))))


def check_errors(tracetty, tmp):
    trace = tracetty.load(RANKS[0])
    said = dumped("--table=nope", RANKS[0]).stderr.strip()
    error = raised(tracetty.UsageError, lambda: trace.table("nope"))
    report("the message is the program's", error is not None and "tracetty: " + str(error) == said and error.status == 2 and isinstance(error, ValueError), error)
    for what, kind, status, call in (
            ("no such query", tracetty.UsageError, 2, lambda: trace.sql("SELECT nope")), ("no query", tracetty.UsageError, 2, lambda: trace.sql("")),
            ("two queries", tracetty.UsageError, 2, lambda: trace.sql("SELECT 1; SELECT 2")), ("a NUL", tracetty.UsageError, 2, lambda: trace.sql("\0")),
            ("no such file", tracetty.InputError, 3, lambda: tracetty.load("/no/such")), ("no path", tracetty.UsageError, 2, tracetty.load),
            ("an empty path", tracetty.UsageError, 2, lambda: tracetty.load("")), ("a comparison with one", tracetty.UsageError, 2, lambda: trace.diff("")),
            ("standard input", tracetty.UsageError, 2, lambda: tracetty.load("-")), ("a limit", tracetty.LimitError, 4, lambda: tracetty.load(BOTH, max_events=9)),
            ("no such worker", tracetty.UsageError, 2, lambda: tracetty.load(BOTH, worker="x")),
            ("all as a table", tracetty.UsageError, 2, lambda: trace.table("all")), ("time is up", tracetty.LimitError, 4,
             lambda: tracetty.load(RANKS[0], timeout="1ms").sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"))):
        error = raised(tracetty.Error, call)
        report("error: " + what, type(error) is kind and error.status == status and str(error), (type(error), error))
    report("an option that is not there", raised(TypeError, lambda: trace.table("kernels", groupby="x")))
    os.environ["TRACETTY_BIN"] = tmp + "/none"
    report("error: no program", "cannot be started" in str(raised(tracetty.Error, lambda: tracetty.load(RANKS[0]))))
    del os.environ["TRACETTY_BIN"]
    import warnings
    cut = tmp + "/cut.json"
    with open(cut, "wb") as f:
        f.write(gzip.open(RANKS[0]).read()[:300000])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        damaged = tracetty.load(cut)
    report("a repair is a warning, and a problem", any("opened with repairs" in str(w.message) for w in seen) and
           [p["kind"] for p in damaged.problems] == ["truncated"] and seen[0].filename == __file__, ([str(w) for w in seen], damaged.problems))


def check_texts(tracetty, tmp):
    """Names of all kinds, exact times, paths of all kinds."""
    names = ["a\u001b[31mred", "caf\u00e9 \U0001f600", "quote\" back\\slash", "line\nbreak", "\u202eright", "x" * 3000]
    big = 9007199254740993  # 2^53 + 1: no double can hold it
    events = [{"ph": "X", "cat": "cpu_op", "name": n, "ts": 1000 + 10 * i, "dur": 5, "pid": 1, "tid": 1} for i, n in enumerate(names)]
    text = json.dumps({"traceEvents": events})[:-2] + ', {"ph": "X", "cat": "cpu_op", "name": "long", "ts": 2000, "dur": 9007199254740.993, "pid": 1, "tid": 2}]}'
    folder = tmp + "/a b\n--\u00e9"
    os.mkdir(folder)
    for path in (folder + "/-x=y.json", os.fsencode(tmp) + b"/\xff.json"):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        rows = {r["name"]: r for r in tracetty.load(os.fsdecode(path)).table("operators")}
        report("path %a" % path[-12:], set(rows) == set(names) | {"long"}, sorted(rows))
    report("ns beyond 2^53 are exact", rows["long"]["host_total_ns"] == big, rows["long"]["host_total_ns"])
    os.chdir(folder)
    import pathlib
    trace = tracetty.load(pathlib.Path("-x=y.json"))
    os.chdir("/")
    trace.close()
    report("a relative path means the same elsewhere", len(trace.table("operators")) == len(names) + 1)


def check_process(tracetty, tmp):
    import pickle
    import threading
    copy = tmp + "/copy.json.gz"
    shutil.copy(RANKS[0], copy)
    with tracetty.load(copy) as trace:
        os.rename(copy, copy + ".moved")
        want = tracetty.load(RANKS[0]).table("kernels")
        report("loaded once, asked often", trace.table("kernels") == want and len(trace.all()) > 20 and trace.sql("SELECT 1 AS x") == [{"x": 1}])
        child = trace._answers._child
        os.rename(copy + ".moved", copy)
    report("with: the program has gone", child.poll() is not None)
    report("asked again, it is loaded again", trace.table("kernels") == want and trace._answers._child is not child)
    trace._answers._child.kill()
    report("the program was killed: an error", "signal 9" in str(raised(tracetty.Error, lambda: trace.table("kernels"))))
    report("... and then it is loaded again", trace.table("kernels") == want)
    found = []
    threads = [threading.Thread(target=lambda: found.append(trace.table("kernels") == want)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    report("eight threads", found == [True] * 8, found)
    pid = os.fork()
    if not pid:
        os._exit(0 if trace.table("kernels") == want else 1)
    report("a fork asks its own", os.waitpid(pid, 0)[1] == 0 and trace.table("kernels") == want)
    again = pickle.loads(pickle.dumps(trace))
    report("pickled", again.table("kernels") == want and again.paths == trace.paths)
    # restore the default handler, because a shell may have set it to ignore for its children
    code = ("import signal, tracetty; signal.signal(signal.SIGINT, signal.default_int_handler); t = tracetty.load(%r, timeout=0); t.sql('SELECT 1')\n"
            "print(t._answers._child.pid, flush=True)\n"
            "try: t.sql('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n')\n"
            "except KeyboardInterrupt: print(t.sql('SELECT 7 AS x'))" % RANKS[0])
    p = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    worker = int(p.stdout.readline())
    begun = used(worker)
    until(lambda: used(worker) > begun + 0.1)  # the worker runs the query
    p.send_signal(2)
    report("Ctrl-C ends a query, and the next is answered", p.communicate()[0] == "[{'x': 7}]\n")
    code = "import sys, tracetty; t = tracetty.load(%r); print(t._answers._child.pid); sys.stdout.flush()" % RANKS[0]
    pid = int(subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True).stdout)
    report("nothing is left when Python ends", raised(ProcessLookupError, lambda: os.kill(pid, 0)) is not None)


def check_marks(tmp):
    """Record a program and read the recording."""
    program = tmp + "/train.py"
    with open(program, "w") as f:
        f.write("import sys, tracetty\nfor i in range(4):\n    with tracetty.range('load', 'dataloader'):\n        sum(x for x in range(3000))\n"
                "    with tracetty.range('both'):\n        tracetty.range('inner')(lambda: None)()\n    tracetty.counter('loss', 1.5 * i)\n    tracetty.step(samples=8)\n"
                "tracetty.mark('end')\nprint(tracetty.status().recording, 'tracetty.reader' in sys.modules, 'subprocess' in sys.modules)\n")
    out = tmp + "/recorded"
    p = subprocess.run([shutil.which("tracetty"), "record", "--quiet", "--at-end", "nothing", "-o", out, "--", sys.executable, program],
                       capture_output=True, text=True)
    report("record finds its library; marks do not load the reader", (p.returncode, p.stdout) == (0, "1 False False\n"), (p.returncode, p.stdout, p.stderr))
    import tracetty
    trace = tracetty.load(out)
    names = {r["name"]: r["n"] for r in trace.sql("SELECT name, count(*) AS n FROM slices WHERE name IN ('load', 'both', 'inner') GROUP BY 1")}
    report("ranges are in the recording", names == {"load": 4, "both": 4, "inner": 4}, names)
    report("steps and counters too", len(trace.sql("SELECT * FROM steps")) >= 4 and
           trace.sql("SELECT value FROM counters WHERE name LIKE '%loss%' ORDER BY at").values("value") == [0, 1.5, 3, 4.5])
    p = subprocess.run([sys.executable, program], capture_output=True, text=True)
    report("without a recorder the marks do nothing", (p.returncode, p.stdout) == (0, "0 False False\n"), p)
    code = "import tracetty; tracetty.init(%r); tracetty.mark('x'); print(tracetty.status().recording)" % (tmp + "/own")
    p = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    report("init() finds the library", p.stdout == "1\n", p)


def check_pages():
    """The examples in the document give the output shown there."""
    name = "assets/doc/python.md"
    with open(os.path.join(TOP, name), encoding="utf-8") as f:
        text = "\n".join("" if line.startswith("```") else line for line in f.read().split("\n"))
    os.chdir(TOP)
    said = io.StringIO()
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    failed, tried = doctest.DocTestRunner().run(test, out=said.write)
    report("%s says what comes out" % name, not failed and tried > 10, said.getvalue())
    os.chdir("/")


def inside():
    import tracetty
    tmp = tempfile.mkdtemp(dir=os.environ["WHEEL_TMP"])
    report("the package that was installed", tracetty.__file__.startswith(os.environ["WHEEL_TMP"]), tracetty.__file__)
    if "without libsqlite3" in subprocess.run([BIN, "sql", "-e", "SELECT 1", RANKS[0]], capture_output=True, text=True).stderr:
        print("skip the package: built without libsqlite3")
        return
    check_numbers(tracetty)
    check_words(tracetty)
    check_diff(tracetty)
    check_errors(tracetty, tmp)
    check_texts(tracetty, tmp)
    check_process(tracetty, tmp)
    check_marks(tmp)
    check_pages()


# ---- outside: the file of the wheel

def build(out, program=BIN, library=LIBRARY, **env):
    p = subprocess.run([sys.executable, TOP + "/assets/packaging/wheel", "--strip", program, library, VERSION, out], capture_output=True, text=True,
                       env={**os.environ, **env})
    return p.stdout.strip(), p.stderr


def wanted_tag(*files):
    """The platform tag by readelf, an independent reader."""
    newest, foreign = 17, False
    for path in files:
        text = subprocess.run(["readelf", "-W", "-d", "-V", path], capture_output=True, text=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
        foreign = foreign or any(n.split(".so")[0] not in ("libc", "libm", "libdl", "librt", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64") for n in needed)
        newest = max([newest] + [int(v) for v in re.findall(r"Name: GLIBC_2\.(\d+)", text)])
    return "%s_%s" % ("linux" if foreign else "manylinux_2_%d" % newest, os.uname().machine)


FIELDS = {"Metadata-Version", "Name", "Version", "Summary", "License-Expression", "License-File", "Requires-Python", "Classifier", "Project-URL",
          "Description-Content-Type"}


def check_metadata(wheel, info, names):
    """What an index asks of the metadata: core metadata 2.4."""
    said = email.message_from_bytes(wheel.read(info + "METADATA"), policy=email.policy.compat32)
    report("metadata: version 2.4 of tracetty", (said["Metadata-Version"], said["Name"], said["Version"]) == ("2.4", "tracetty", VERSION), said.items())
    report("metadata: fields that 2.4 has, once", set(said.keys()) <= FIELDS and
           all(said.keys().count(k) == 1 for k in FIELDS - {"License-File", "Classifier", "Project-URL"}), said.keys())
    report("metadata: a summary of one line", 20 < len(said["Summary"]) < 512 and "\n" not in said["Summary"], said["Summary"])
    licences = said.get_all("License-File", [])
    report("metadata: files of licences are there", "LICENSE" in licences and {info + "licenses/" + f for f in licences} <= set(names), licences)
    report("metadata: the licence stands in one place", said["License-Expression"].startswith("Apache-2.0") and
           not [c for c in said.get_all("Classifier") if c.startswith("License ::")], said["License-Expression"])
    report("metadata: addresses are real", not [u for u in said.get_all("Project-URL", []) if ".invalid" in u or ", https://" not in u])
    text = said.get_payload(decode=True).decode("utf-8")
    report("metadata: the description is Markdown", said["Description-Content-Type"] == "text/markdown" and text.startswith("# ") and len(text) > 1000)
    report("... its links lead somewhere", not re.findall(r"!\[|\]\((?!https?:)[^)]*\)|<img", text), re.findall(r"!\[|\]\((?!https?:)[^)]*\)", text))
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as f:
        whole = re.findall(r"\S+", f.read())
    report("... it is README.md", len(re.findall(r"\S+", text)) > 0.8 * len(whole), len(whole))
    report("the package is whole", {"tracetty/py.typed", "tracetty/__init__.py", "tracetty/annotations.py"} <= set(names))
    samples = {n.split("/")[4] for n in names if n.startswith(info.replace("dist-info", "data") + "data/share/tracetty/")}
    there = {n for n in os.listdir(TOP + "/assets") if n.startswith("sample_")}
    report("samples for tracetty demo", {"sample_gpu", "sample_snapshot"} <= samples <= there, samples)


def check_file(path, tmp):
    with zipfile.ZipFile(path) as z:
        names = z.namelist()
        info = "tracetty-%s.dist-info/" % VERSION
        record = list(csv.reader(io.StringIO(z.read(info + "RECORD").decode())))
        hashes = {n: ("sha256=" + base64.urlsafe_b64encode(hashlib.sha256(z.read(n)).digest()).decode().rstrip("="), str(len(z.read(n)))) for n in names}
        listed = {n: (h, s) for n, h, s in record}
        hashes[info + "RECORD"] = ("", "")
        report("RECORD has every file with its hash", listed == hashes and len(record) == len(names) == len(set(names)), listed)
        modes = {n: z.getinfo(n).external_attr >> 16 & 0o777 for n in names}
        runs = {n for n, m in modes.items() if m & 0o111}
        report("program and library can be executed, nothing else", {n.rsplit("/", 1)[1] for n in runs} == {"tracetty", "libtracetty_capture.so"}, runs)
        tag = re.search(r"^Tag: (.*)$", z.read(info + "WHEEL").decode(), re.M).group(1)
        report("the name has the tag", os.path.basename(path) == "tracetty-%s-%s.whl" % (VERSION, tag), tag)
        check_metadata(z, info, names)
        report("times are 1980", {z.getinfo(n).date_time for n in names} == {(1980, 1, 1, 0, 0, 0)})
    if shutil.which("readelf"):
        report("the tag is true", tag == "py3-none-" + wanted_tag(BIN, LIBRARY), (tag, wanted_tag(BIN, LIBRARY)))
        small, why = build(tmp + "/small", LIBRARY)
        report("needing nothing but the C library: manylinux", "manylinux" in small and wanted_tag(LIBRARY) in small and not why, (small, wanted_tag(LIBRARY), why))
        compiler = os.environ.get("CC", "cc")
        with open(tmp + "/one.c", "w") as f:
            f.write("int one(void) { return 1; }\nint main(void) { return one(); }\n")
        if subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp + "/libone.so", tmp + "/one.c"], capture_output=True).returncode == 0:
            subprocess.run([compiler, "-o", tmp + "/one", tmp + "/one.c", "-Wl,--no-as-needed", tmp + "/libone.so"], check=True)
            mine, why = build(tmp + "/small", tmp + "/one")
            report("a library that others may lack: for this machine", "-linux_" in mine and "libone.so" in why, (mine, why))
        with open(tmp + "/new.c", "w") as f:
            f.write("#define _GNU_SOURCE\n#include <string.h>\nint main(void) { return sigabbrev_np(1) == 0; }\n")
        if subprocess.run([compiler, "-o", tmp + "/new", tmp + "/new.c"], capture_output=True).returncode == 0:
            new = build(tmp + "/small", tmp + "/new")[0]
            report("a newer function: a newer tag", wanted_tag(tmp + "/new", LIBRARY) in new and int(re.search(r"2_(\d+)", new).group(1)) >= 32, new)
    again = build(tmp + "/again")[0]
    later = build(tmp + "/later", SOURCE_DATE_EPOCH="1700000000")[0]
    with open(path, "rb") as a, open(again, "rb") as b:
        report("the same files make the same bytes", a.read() == b.read())
    with zipfile.ZipFile(later) as z:
        report("SOURCE_DATE_EPOCH is the time of its files", {i.date_time for i in z.infolist()} == {(2023, 11, 14, 22, 13, 20)})
    p = subprocess.run([sys.executable, TOP + "/assets/packaging/wheel", __file__, LIBRARY, VERSION, tmp], capture_output=True, text=True)
    report("no program: said", p.returncode == 1 and "no little-endian ELF file" in p.stderr, p.stderr)


def check_notices(tmp):
    """A wheel of the portable program has the licences of the libraries in it."""
    folder = tmp + "/portable"
    os.mkdir(folder)
    shutil.copy(LIBRARY, folder + "/tracetty")
    with open(folder + "/THIRD-PARTY-NOTICES", "w", encoding="utf-8") as f:
        f.write("words of the licences\n")
    with open(tmp + "/parts.json", "w", encoding="utf-8") as f:
        json.dump({"parts": [{"licence": "Zlib"}, {"licence": "Apache-2.0"}, {"licence": "BSD-3-Clause"}, {"licence": "Zlib"}]}, f)
    p = subprocess.run([sys.executable, TOP + "/assets/packaging/wheel", "--parts", tmp + "/parts.json", folder + "/tracetty", LIBRARY, VERSION, tmp + "/noted"],
                       capture_output=True, text=True)
    with zipfile.ZipFile(p.stdout.strip()) as z:
        info = "tracetty-%s.dist-info/" % VERSION
        said = email.message_from_bytes(z.read(info + "METADATA"))
        report("a portable wheel has the notices", z.read(info + "licenses/THIRD-PARTY-NOTICES") == b"words of the licences\n" and
               said.get_all("License-File") == ["LICENSE", "THIRD-PARTY-NOTICES"], said.items())
        report("... and names each licence once", said["License-Expression"] == "Apache-2.0 AND BSD-3-Clause AND Zlib", said["License-Expression"])


def environment(folder):
    """Python of a new environment, for pip(); None = neither venv nor pip exists. Copying a pip into it would take
    longest."""
    python = folder + "/bin/python"
    outside = subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], capture_output=True).returncode == 0
    if outside and pip_of(python) == pip_from_outside(python):
        return python
    if subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True).returncode:
        return None
    return python if subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0 else None


def pip_from_outside(python):
    return [sys.executable, "-m", "pip", "--python", python]


def pip_of(python):
    """The command that runs pip for this Python."""
    if python == sys.executable or os.path.exists(python[:-len("python")] + "pip"):
        return [python, "-m", "pip"]
    known = subprocess.run([*pip_from_outside(python), "--version"], capture_output=True).returncode == 0  # pip 22.3
    return pip_from_outside(python) if known else [python, "-m", "pip"]


def pip(python, *words):
    env = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    env.update(http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9")
    p = subprocess.run([*pip_of(python), "install", "-q", "--disable-pip-version-check", "--no-cache-dir", *words], capture_output=True, text=True, env=env)
    return p.returncode == 0, p.stderr


def check_places(path, python, tmp):
    """Install into a folder and, if pip allows that, for the user."""
    ways = [("--target", tmp + "/target", ["--target", tmp + "/target"], {"PYTHONPATH": tmp + "/target"}, python)]
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0 and sys.prefix == sys.base_prefix:
        os.environ["PYTHONUSERBASE"] = tmp + "/user"
        ways.append(("--user", tmp + "/user", ["--user", "--break-system-packages"], {"PYTHONUSERBASE": tmp + "/user"}, sys.executable))
    for name, folder, words, env, by in ways:
        done, why = pip(by, *words, path)
        if not done and "no such option" in why:
            done, why = pip(by, words[0], path)
        env = {**os.environ, **env}
        env.pop("TRACETTY_CAPTURE_LIB", None)
        doctor = subprocess.run([folder + "/bin/tracetty", "doctor"], capture_output=True, text=True, env=env).stdout if done else why
        report("%s: the program finds its library" % name, re.search("^ok +recorder +" + re.escape(folder) + "/libexec/", doctor, re.M), doctor)
        code = ("import tracetty, tracetty.program as p; tracetty.init(%r); print(p.find_program(), tracetty.status().recording)\n"
                "print(len(tracetty.load(%r).table('kernels')))" % (folder + "/rec", RANKS[0]))
        env["PATH"] = "/usr/bin:/bin"
        p = subprocess.run([by, "-m", "tracetty", "--version"], capture_output=True, text=True, env=env, cwd="/")
        report("%s: python -m tracetty" % name, p.stdout == SAID, (p.stdout, p.stderr))
        p = subprocess.run([by, "-c", code], capture_output=True, text=True, env=env, cwd="/")
        report("%s: the package finds program and library" % name, p.stdout.startswith(folder + "/bin/tracetty 1\n") and p.returncode == 0, (p.stdout, p.stderr))


def check_frames(site):
    """With pandas, if this Python has it: the environment has none."""
    code = ("import sys, tracetty, pandas\nt = tracetty.load(%r)\nbad = []\nfor i, x in t.all().items():\n    f = x.frame()\n"
            "    bad += [i] if list(f.columns) != [c.key for c in x.columns] or len(f) != len(x) else []\n"
            "    for c in x.columns:\n        for a, b in zip(f[c.key], x.values(c.key)):\n"
            "            bad += [(i, c.key, a, b)] if (not pandas.isna(a) if b is None else a != b or c.unit in ('ns', 'bytes') and isinstance(a, float)) else []\n"
            "f = t.sql('SELECT 9007199254740993 AS a UNION ALL SELECT NULL').frame()\n"
            "print(bad[:3], list(f['a'])[0] == 9007199254740993, f['a'].dtype, len(t.table('kernels', filter='none').frame().columns) > 5)" % BOTH)
    p = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": site + os.pathsep + os.environ.get("PYTHONPATH", "")})
    if "No module named 'pandas'" in p.stderr:
        print("skip frames: this Python has no pandas")
    else:
        report("frames of pandas have the same values, integers exact", p.stdout == "[] True Int64 True\n", (p.stdout, p.stderr))


def main(tmp):
    path, why = build(tmp + "/dist")
    report("a wheel is made", path.endswith(".whl"), why)
    check_file(path, tmp)
    check_notices(tmp)
    python = environment(tmp + "/venv")
    if not python:
        print("skip installing: no venv with pip (python3-venv)")
        return
    done, why = pip(python, path)
    report("pip installs it without a network", done, why)
    installed = tmp + "/venv/bin/tracetty"
    first = subprocess.run([installed, "summary", BOTH], capture_output=True).stdout
    report("the program is that of the build", first == subprocess.run([BIN, "summary", BOTH], capture_output=True).stdout and first)
    times = []
    for _ in range(20):
        began = spent()
        subprocess.run([installed, "--version"], stdout=subprocess.DEVNULL)
        times.append(spent() - began)
    report("it starts in less than 15 ms of work", min(times) < 0.015, "%.1f ms" % (min(times) * 1e3))
    env = {**os.environ, "PATH": os.path.dirname(installed) + os.pathsep + os.environ["PATH"], "WHEEL_TMP": tmp}
    for name in ("TRACETTY_CAPTURE_LIB", "PYTHONPATH"):
        env.pop(name, None)
    p = subprocess.run([python, os.path.abspath(__file__), "inside"], env=env, capture_output=True, text=True)
    print(p.stdout, end="")
    report("the package ran to its end", p.returncode == 0, p.stderr[-800:])
    check_places(path, python, tmp)
    check_frames(glob.glob(tmp + "/venv/lib/python*/site-packages")[0])


if sys.argv[1:] == ["inside"]:
    inside()
    raise SystemExit
with open(BIN, "rb") as program:
    code = program.read()
if code[:4] != b"\x7fELF" or b"__asan_init" in code or b"__tsan_init" in code:
    print("skip the wheel: not the program itself, or one with a sanitizer")
    raise SystemExit
with tempfile.TemporaryDirectory() as folder:
    main(os.path.realpath(folder))
