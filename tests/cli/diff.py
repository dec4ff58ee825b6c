#!/usr/bin/env python3
"""tracetty diff: options and messages, formats against each other, Markdown that stays a table, conditions of
--fail-on, damaged sides."""
import csv
import html
import io
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

BIN = os.environ["BIN"]
US = 1000


def run(*args, stdin=None):
    p = subprocess.run([BIN, *args], input=stdin, stdin=subprocess.DEVNULL if stdin is None else None, capture_output=True)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def doc_of(*args, status=0):
    got, out, err = run("diff", "--format", "json", *args)
    assert got == status, "status %d: %s" % (got, err)
    return json.loads(out)


def rows_of(table, *args):
    return doc_of("--table", table, *args)["tables"][0]["rows"]


def trace(path, steps, kernels=None, rank=None, worker=None, first=1, spans=None):
    """A trace whose steps take so many us; kernels: {name: us} or {name: [us of each step]}, launched at its beginning."""
    events, at, corr = [], 1000, 1
    for i, length in enumerate(steps):
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % (first + i), "pid": 1, "tid": 1, "ts": at, "dur": length})
        start = at + 10
        for name, us in (kernels or {}).items():
            dur = us[i] if isinstance(us, list) else us
            if not dur:
                continue
            events.append({"ph": "X", "cat": "cpu_op", "name": "aten::" + name.split("<")[0], "pid": 1, "tid": 1, "ts": start - 5, "dur": 4})
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": start - 4, "dur": 1,
                           "args": {"correlation": corr}})
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": start, "dur": dur,
                           "args": {"correlation": corr, "device": 0, "stream": 7}})
            corr += 1
            start += dur + 6
        at += length
    top = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A"}], "traceEvents": events}
    if rank is not None:
        top["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": 2}
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump(top, f)
    return path


class Place:
    """Files of a test."""

    def __init__(self, tmp):
        self.tmp = tmp
        self.n = itertools.count()

    def __call__(self, *args, **more):
        return trace(os.path.join(self.tmp, "t%d" % next(self.n), more.pop("file", "w.pt.trace.json")), *args, **more)


FAST = [1000, 1010, 1020, 1030, 1040]
SLOW = [2000, 2010, 2020, 2030, 2040]  # each step 1000 us more: shift 1000, interval [980, 1020]


def summary_of(base, new, *args):
    return {r["metric"]: r for r in rows_of("diff_summary", base, new, *args)}


# ---- each check is a function; its docstring is its name
def document(place):
    """the JSON document says which parts were compared"""
    a, b = place(FAST, {"mm": 100}), place(SLOW[:4], {"mm": 100})
    d = doc_of(a, b, "--fail-on", "step>1s")
    assert d["command"] == "diff" and "source" not in d, list(d)
    assert d["base"]["paths"] == [a] and d["new"]["paths"] == [b]
    assert (d["base"]["steps"], d["new"]["steps"], d["matched"]["steps"]) == (5, 4, 4), d["matched"]
    assert d["matched"]["workers"] == [["w", "w"]] and d["problems"] == [], d
    assert [t["id"] for t in d["tables"]] == ["diff_summary", "diff_causes", "diff_kernels", "diff_operators"]
    assert [c["held"] for c in d["conditions"]] == [False]
    everything = [t["id"] for t in doc_of(a, b, "--table", "all")["tables"]]
    assert everything and all(t.startswith("diff_") for t in everything) and "diff_runtime_api" in everything, everything


def worked_out(place):
    """the step by hand: shift, interval, verdict"""
    r = summary_of(place(FAST), place(SLOW))["step"]
    assert (r["base_ns"], r["new_ns"], r["delta_ns"]) == (1020 * US, 2020 * US, 1000 * US), r
    # 5 against 5 steps: k = 3, the third smallest and third largest of the 25 differences 960 ... 1040
    differences = sorted(y - x for x in FAST for y in SLOW)
    assert (r["low_ns"], r["high_ns"], r["verdict"]) == (differences[2] * US, differences[-3] * US, "slower"), r
    r = summary_of(place(SLOW), place(FAST))["step"]
    assert (r["delta_ns"], r["verdict"]) == (-1000 * US, "faster"), r


def sides(place):
    """options of one side and of both sides"""
    a, b = place(FAST + SLOW, first=3), place(FAST + SLOW, first=3)
    def step(*args):
        r = summary_of(a, b, *args)["step"]
        return r["base_steps"], r["new_steps"], r["base_ns"], r["new_ns"]
    assert step("--steps", "3-7") == (5, 5, 1020 * US, 1020 * US)
    assert step("--base-steps", "3-7", "--new-steps", "8-") == (5, 5, 1020 * US, 2020 * US)
    assert step("--steps", "3-7", "--new-steps", "8-12") == (5, 5, 1020 * US, 2020 * US), "one side stands above both"
    assert step("--skip", "5") == (5, 5, 2020 * US, 2020 * US)
    assert step("--base-range", "0-5.1ms")[0] == 5 and step("--base-range", "0-5.1ms")[1] == 10
    assert step("--steps", "3-7", "--new-range", "5.1ms-")[:2] == (5, 5)
    d = doc_of(a, a, "--base-steps", "3-7", "--new-steps", "8-12", "--table", "diff_summary")
    assert d["tables"][0]["rows"][0]["delta_ns"] == 1000 * US, "two parts of one run"
    assert d["tables"][0]["options"] == {"base_steps": "3-7", "new_steps": "8-12"}, d["tables"][0]["options"]


def workers(place):
    """workers match by rank; a worker without a partner is named on stderr and in problems"""
    for side, ranks in (("a", (0, 1)), ("b", (1, 2))):
        for r in ranks:
            trace(os.path.join(place.tmp, "ranks", side, "host%d.pt.trace.json" % (r + (10 if side == "b" else 0))),
                  FAST if side == "a" else SLOW, rank=r)
    a, b = os.path.join(place.tmp, "ranks/a"), os.path.join(place.tmp, "ranks/b")
    d = doc_of(a, b)
    assert d["matched"]["workers"] == [["host1", "host11"]], d["matched"]
    found = [(p["side"], p["kind"], p["example"]) for p in d["problems"]]
    assert found == [("base", "unmatched_worker", "host0"), ("new", "unmatched_worker", "host12")], found
    err = run("diff", a, b)[2]
    assert "'host0' of BASE" in err and "'host12' of NEW" in err, err
    d = doc_of(a, b, "--base-worker", "host0", "--new-worker", "host12")
    assert d["matched"]["workers"] == [["host0", "host12"]] and d["problems"] == [], d


def refusals(place):
    """a usage error names the wrong option, if possible before anything is read"""
    a, b = place(FAST, {"mm": 100}), place(SLOW, {"mm": 100})
    steps = place([])
    for args, words in (
            ([], "diff BASE NEW"), ([a], "diff BASE NEW"), ([a, b, a], "give the directory"), (["-", "-"], "not both"),
            ([a, b, "--table", "kernels"], "'diff_kernels'"), ([a, b, "--table", "run"], "'run' is about one run"),
            ([a, b, "--table", "diff_kernel"], "did you mean 'diff_kernels'"), ([a, b, "--table", "nonsense"], "no table 'nonsense'"),
            ([a, b, "--per", "day"], "step, run"), ([a, b, "--match", "long"], "exact, short"),
            ([a, b, "--skip", "some"], "--skip: 'some'"), ([a, b, "--skip", "-1"], "--skip: '-1'"),
            ([a, b, "--confidence", "100"], "--confidence: '100'"), ([a, b, "--confidence", "0"], "--confidence: '0'"),
            ([a, b, "--confidence", "x"], "--confidence: 'x'"), ([a, b, "--confidence", "nan"], "--confidence: 'nan'"),
            ([a, b, "--min-effect", "-1"], "--min-effect: '-1'"), ([a, b, "--min-effect", "inf"], "--min-effect: 'inf'"),
            ([a, b, "--base-steps", "9-3"], "--base-steps: '9-3'"), ([a, b, "--new-range", "5"], "--new-range: '5'"),
            ([a, b, "--base-steps", "1", "--base-range", "0-1"], "--base-steps and --base-range"),
            ([a, b, "--new-steps", "70-"], r"--new-steps: NEW \(.*\): no step in '70-.*1 to 5"),
            ([a, b, "--steps", "70-"], r"--steps: BASE \(.*\): no step"), ([a, steps, "--steps", "1"], r"--steps: NEW \(.*no profiler steps"),
            ([a, b, "--new-worker", "x"], "--new-worker: NEW: no worker 'x' in .*there are: w"), ([a, b, "--base-span", "x"], "--base-span: BASE: .*'x'"),
            ([a, b, "--format", "csv"], "csv holds one table"), ([a, b, "--format", "csv", "--unit", "ms", "--table", "diff_kernels"], "--unit"),
            ([a, b, "--samples-per-step", "4"], "does not belong"), ([a, b, "--output", a], "does not belong"),
            ([a, b, "--fail-on", "step"], "has no limit"), ([a, b, "--fail-on", "step>"], "'' is no limit"),
            ([a, b, "--fail-on", ">5%"], "names no metric"), ([a, b, "--fail-on", "kernel: >5%"], "names no text"),
            ([a, b, "--fail-on", "step>5"], "'5' is no limit"), ([a, b, "--fail-on", "step>-5%"], "'-5%' is no limit"),
            ([a, b, "--fail-on", "step>5 parsecs"], "is no limit"), ([a, b, "--fail-on", "step>nan%"], "is no limit"),
            ([a, b, "--fail-on", "findings>5%"], "a number of findings"),
            ([a, b, "--fail-on", "stp>5%"], "did you mean 'step'"), ([a, b, "--fail-on", "weather>5%"], "there are step, computation"),
            ([a, b, "--fail-on", "step>100MiB"], "a percentage or a time"), ([a, b, "--fail-on", "kernel:mm>1MiB"], "a percentage or a time"),
            ([a, b, "--fail-on", "peak_memory>1MiB"], "neither run has"), ([a, b, "--fail-on", "kernel:zzz>1%"], "neither run has a kernel"),
            ([a, b, "--fail-on", "operator:zzz>1%"], "neither run has an operator")):
        status, out, err = run("diff", *args)
        assert status == 2 and not out, "%s: status %d, %s" % (args, status, err)
        assert re.search(words, err), "%s: %s" % (args, err)
    status, out, err = run("summary", "--table", "diff_kernels", a)
    assert status == 2 and "tracetty diff --table diff_kernels" in err, err
    for missing in (["diff", a, "/none.json"], ["diff", "/none.json", b]):
        assert run(*missing)[0] == 3 and "none.json" in run(*missing)[2]
    assert run("diff", a, b, "--max-events", "3")[0] == 4


def notes(place):
    """stderr has notes on the comparison: warm-up, few steps, no steps"""
    warm, few, none = place([9000] + FAST), place(FAST[:3]), place([])
    a = place(FAST)
    assert run("diff", a, place(SLOW))[2] == "", run("diff", a, place(SLOW))[2]
    err = run("diff", warm, a)[2]
    assert "BASE" in err and "--skip 1" in err, err
    assert "--skip" not in run("diff", warm, a, "--skip", "1")[2]
    err = run("diff", a, few)[2]
    assert "5 steps against 3" in err and "record more steps" in err, err
    err = run("diff", a, none)[2]
    assert "NEW" in err and "totals" in err, err
    assert run("diff", a, few, "--per", "run")[2] == ""
    text = run("diff", a, place(SLOW))[1]
    assert text.count("take steps as independent") == 1 and "5 steps" in text.split("\n")[0] and "1 worker: w" in text.split("\n")[0], text
    assert "independent" not in run("diff", a, a, "--per", "run")[1]


HOSTILE = ["void f<int, 3>(float*)", "a|b", "`tick`|tick", "back\\slash|pipe", "<img src=x onerror=1>", "@everyone #1 GH-2", "_emphasis_ **b**",
           "[link](http://x.y)", "plain_name", "www.example.com", "a" * 200 + "1" + "b" * 200, "a" * 200 + "2" + "b" * 200, "tab\there", ":+1:",
           "new\nline", "&amp;", "~~x~~", "\u202eright", "\x1b[31mred", "ends\\", "|", "Käse"]


def split_cells(line):
    """Cells of a row as GitHub splits them: an escaped pipe does not split."""
    assert line.startswith("| ") and line.endswith(" |"), line
    return [c.strip() for c in re.split(r"(?<!\\)\|", line[1:-1])]


def unescape(cell):
    if cell.startswith("`"):
        assert re.fullmatch(r"`[^`]*`", cell), cell
        assert "\\" not in cell.replace("\\|", ""), cell
        return cell[1:-1].replace("\\|", "|")
    assert not re.search(r"[`*<@#\[\\~]", re.sub(r"&#\d+;", "", cell)), "markup: " + cell
    return html.unescape(cell).replace("\u2060", "")


def tables_of_markdown(text):
    """Head and rows of each table under its title."""
    found, title, lines = {}, None, text.split("\n")
    for i, line in enumerate(lines):
        if line.startswith("### "):
            title = line[4:]
        if re.fullmatch(r"(\| -+:? )+\|", line):
            rows = []
            for row in lines[i + 1:]:
                if not row.startswith("|"):
                    break
                rows.append([unescape(c) for c in split_cells(row)])
            found[title] = (split_cells(lines[i - 1]), line, rows)
    return found


def to_ns(text):
    m = re.fullmatch(r"([+-]?)([\d.]+) (ns|us|µs|ms|s)", text)
    return 0 if text == "0" else m and round(float(m[1] + m[2]) * {"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}[m[3]])


def markdown(place):
    """Markdown stays one table for any names, and has the values of the JSON document"""
    kernels = {n: 20 + i for i, n in enumerate(HOSTILE)}
    a, b = place(FAST, kernels), place(SLOW, {n: us * 2 for n, us in kernels.items()})
    text = run("diff", a, b, "--format", "markdown", "--limit", "0", "--unit", "ns")[1]
    assert text.split("\n")[0] == "**step 1020000 ns -> 2020000 ns, +1000000 ns (+98.0%), slower**", text.split("\n")[0]
    found = tables_of_markdown(text)
    doc = {t["title"]: t for t in doc_of(a, b)["tables"]}
    assert list(found) == list(doc), (list(found), list(doc))
    for title, (head, rule, rows) in found.items():
        t = doc[title]
        assert len(rows) == len(t["rows"]), title
        columns = {c["title"]: c for c in t["columns"]}
        for h, mark in zip(head, split_cells(rule)):
            assert mark.endswith(":") == (columns[h]["type"] not in ("string", "bool")), (h, mark)
        for got, want in zip(rows, t["rows"]):
            assert len(got) == len(head), got
            for h, cell in zip(head, got):
                c, value = columns[h], want[columns[h]["key"]]
                if value is None:
                    assert cell == "-", (h, cell)
                elif c["type"] == "duration":
                    assert to_ns(cell) == value and (not c["key"].startswith("delta_") or (cell[0] == "+") == (value > 0)), (h, cell, value)
                elif c["type"] == "count":
                    assert int(cell.replace(",", "")) == value, (h, cell, value)
                elif c["type"] == "string" and len(value) <= 80 and value.isprintable():
                    assert cell == value, (h, cell, value)
    names = [r[0] for r in found["Kernels compared"][2]]
    assert len(set(names)) == len(names), "shortened names stay different"
    rest = text.replace("\n\n", "\n")
    assert "\x1b" not in rest and "\u202e" not in rest
    short = run("diff", a, b, "--format", "markdown")[1]
    assert len(tables_of_markdown(short)["Kernels compared"][2]) == 10 and "12 more of 22 rows" in short, "ten rows"


def markdown_of_summary(place):
    """Markdown of summary has the rows of its JSON"""
    a = place(FAST, {"mm<1>": 100, "add": 50})
    head, _, rows = tables_of_markdown(run("summary", "--table", "kernels", "--format", "markdown", a)[1])["Kernels"]
    t = json.loads(run("summary", "--table", "kernels", "--format", "json", a)[1])["tables"][0]
    assert [r[0] for r in rows] == [r["name"] for r in t["rows"]] == ["mm<1>", "add"]
    assert [to_ns(r[head.index("Total")]) for r in rows] == [r["total_ns"] for r in t["rows"]]


def formats(place):
    """CSV and text have the numbers of JSON; differences have their sign"""
    a, b = place(FAST, {"mm": 100, "gone": 30}), place(SLOW, {"mm": [200, 210, 220, 230, 240], "new": 7})
    for table in ("diff_summary", "diff_causes", "diff_kernels", "diff_operators", "diff_memcpy", "diff_runtime_api"):
        want = rows_of(table, a, b)
        got = list(csv.DictReader(io.StringIO(run("diff", "--table", table, "--format", "csv", a, b)[1])))
        assert len(got) == len(want), table
        for g, w in zip(got, want):
            for key, value in w.items():
                if isinstance(value, float):
                    assert abs(float(g[key]) - value) <= 1e-9 * abs(value), (key, g[key], value)
                else:
                    assert g[key] == ("" if value is None else str(value)), (key, g[key], value)
    rows = {r["name"]: r for r in rows_of("diff_kernels", a, b)}
    assert rows["mm"]["delta_step_ns"] == 120 * US and rows["gone"]["change"] == "deleted" and rows["new"]["change"] == "added", rows
    lines = run("diff", "--table", "diff_kernels", "--unit", "ns", a, b)[1].split("\n")
    line = next(l for l in lines if l.startswith("mm "))
    assert "+120000 ns" in line and "slower" in line, line
    assert re.search(r"gone .* -30000 ns", "\n".join(lines)), lines
    only = rows_of("diff_kernels", a, b, "--filter", "MM")
    assert [r["name"] for r in only] == ["mm"]
    assert [r["name"] for r in rows_of("diff_kernels", a, b, "--sort", "name:asc", "--limit", "2")] == ["gone", "mm"]


def condition(a, b, text, *args):
    status, out, err = run("diff", a, b, "--format", "json", "--fail-on", text, *args)
    c = json.loads(out)["conditions"][0]
    assert c["text"] == text and c["held"] == (status == 1) and status in (0, 1), (status, c)
    assert ("holds" in err) == c["held"], err
    return c, err


def conditions(place):
    """--fail-on: conditions that hold, and conditions that fail by size, verdict or direction"""
    kernels = {"mm": 400, "add_1": 100, "add_2": 100}
    a = place(FAST, kernels)
    b = place(SLOW, {"mm": 400, "add_1": 200, "add_2": 100})
    mixed = place([990, 2000, 1010, 1500, 1000], kernels)
    table = (
        (a, b, "step>5%", True), (a, b, "step > 99%", False), (a, b, "step>98%", True), (a, b, "step>999us", True),
        (a, b, "step>1ms", False), (a, b, "step>0.5ms", True), (b, a, "step>0%", False), (a, a, "step>0%", False),
        (a, mixed, "step>0.1%", False),  # larger median, but unclear
        (a, b, "kernel:mm>0%", False), (a, b, "kernel:add_1>99%", True), (a, b, "kernel:add_>49%", True), (a, b, "kernel:add_>51%", False),
        (a, b, "kernel:ADD_ > 99us", True), (a, b, "kernel:add_2>0%", False), (a, b, "computation>10%", True), (a, b, "computation>20%", False),
        (a, b, "idle>1%", True), (a, b, "idle>2s", False), (b, a, "idle>0%", False), (a, b, "findings>100", False))
    for x, y, text, held in table:
        c, err = condition(x, y, text)
        assert c["held"] == held, (text, c)
        if held:
            assert c.get("verdict") == "slower" and "slower" in err, (text, c, err)
    c, _ = condition(a, b, "kernel:add_>5%")
    assert (c["base_ns"], c["new_ns"], c["delta_ns"], c["delta_pct"]) == (200 * US, 300 * US, 100 * US, 50.0), c
    new = place(SLOW, {**kernels, "extra": 50})
    c, _ = condition(a, new, "kernel:extra>5%")
    assert c["held"] and c["base_ns"] == 0 and c["delta_pct"] is None, "of nothing anything is more"
    assert not condition(new, a, "kernel:extra>5%")[0]["held"], "a kernel that is gone"
    c, _ = condition(a, b, "operator:aten::add_>5%")
    assert not c["held"] and c["base_ns"] == 8 * US, c
    tiny = place(FAST, {"mm": 400, "add_1": 100, "add_2": 100.5})
    c, _ = condition(a, tiny, "kernel:add_2>0%")
    assert not c["held"] and c["verdict"] == "same", "it does not move the step by a thousandth"
    status, out, err = run("diff", a, b, "--fail-on", "step>5%", "--fail-on", "step>99s", "--fail-on", "idle>1%")
    assert status == 1 and err.count("holds") == 2 and out.count("FAIL  ") == 2 and out.count("ok    ") == 1, out
    text = run("diff", a, b, "--format", "markdown", "--fail-on", "step>5%", "--fail-on", "step>99s")[1]
    assert "- **failed** step>5%: " in text and "- passed step>99s: " in text, text[:600]


def rows_add_up(place):
    """a condition on several rows is judged by their sum in each step"""
    up, down = [100, 150, 200, 250, 300], [300, 250, 200, 150, 100]  # each alone is unclear; 400 in every step together
    a = place([1500] * 5, {"k_one": up, "k_two": down})
    b = place([1500] * 5, {"k_one": [u + 20 for u in up], "k_two": down})
    c, _ = condition(a, b, "kernel:k_>1%")
    assert c["held"] and (c["base_ns"], c["new_ns"], c["delta_ns"]) == (400 * US, 420 * US, 20 * US), c
    c, _ = condition(a, b, "kernel:k_one>1%")
    assert not c["held"] and c["verdict"] == "unclear", c
    c, _ = condition(a, b, "kernel:k_>1%", "--skip", "1")
    assert c["held"], c
    got = doc_of(a, b, "--table", "diff_kernels")["tables"][0]["rows"]
    one = next(r for r in got if r["name"] == "k_one")
    c, _ = condition(a, b, "kernel:k_one>1%")
    assert (c["base_ns"], c["new_ns"], c["delta_ns"], c["verdict"]) == (
        one["base_step_ns"], one["new_step_ns"], one["delta_step_ns"], one["verdict"]), (c, one)


def noise_unknown(place):
    """few steps, or totals: the difference alone decides, and stderr says so"""
    a, b = place(FAST[:3]), place([3000, 900, 1100])
    c, err = condition(a, b, "step>5%")
    assert c["held"] and not c["noise_known"] and "noise is unknown" in err, (c, err)
    a, b = place(FAST, {"mm": 100}), place(FAST, {"mm": 90})
    c, err = condition(a, b, "kernel:mm>5%", "--per", "run")
    assert not c["held"] and c["delta_ns"] == -50 * US and c["verdict"] is None and "noise is unknown" in err, (c, err)
    c, err = condition(b, a, "kernel:mm>5%", "--per", "run")
    assert c["held"] and c["base_ns"] == 450 * US and "noise is unknown" in err, (c, err)


def damage(place):
    """a damaged side is compared with a warning; problems name the side; inputs are never written"""
    a, b = place(FAST, {"mm": 100}), place(SLOW, {"mm": 100})
    cut = os.path.join(place.tmp, "cut.pt.trace.json")
    text = open(b).read()
    with open(cut, "w") as f:
        f.write(text[:int(len(text) * 0.9)])
    before = {p: open(p, "rb").read() for p in (a, b, cut)}
    files = sorted(os.path.join(d, n) for d, _, names in os.walk(place.tmp) for n in names)
    for pair, side in (((a, cut), "new"), ((cut, a), "base")):
        status, out, err = run("diff", "--format", "json", *pair)
        assert status == 0 and "opened with repairs" in err and cut in err, (status, err)
        found = {p["side"] for p in json.loads(out)["problems"]}
        assert found == {side}, found
    empty = os.path.join(place.tmp, "empty.json")
    open(empty, "w").close()
    for pair in ((a, empty), (empty, a)):
        status, out, err = run("diff", *pair)
        assert status == 3 and not out and "empty.json" in err, (status, err)
    status, out, _ = run("diff", "--format", "json", "-", b, stdin=before[a])
    assert status == 0 and json.loads(out)["base"]["paths"] == ["-"]
    assert all(open(p, "rb").read() == text for p, text in before.items())
    assert sorted(os.path.join(d, n) for d, _, names in os.walk(place.tmp) for n in names if n != "empty.json") == files


def mirrored(place):
    """with BASE and NEW exchanged differences change their sign; a run against itself has none"""
    a, b = place(FAST, {"mm": 100, "x": 5}), place(SLOW, {"mm": 130, "y": 9})
    for table, key in (("diff_summary", "metric"), ("diff_kernels", "name"), ("diff_causes", "cause")):
        there, back = rows_of(table, a, b), {r[key]: r for r in rows_of(table, b, a)}
        for r in there:
            for k, v in r.items():
                if k.startswith("delta_") and k.endswith("_ns") and v is not None:
                    assert back[r[key]][k] == -v, (table, r, back[r[key]])
        assert all(not r[k] for r in rows_of(table, a, a) for k in r if k.startswith("delta_") and r[k] is not None)
    for text in ("step>0%", "idle>0ns", "kernel:mm>0%", "findings>0"):
        assert not condition(a, a, text)[0]["held"], text


CHECKS = [document, worked_out, sides, workers, refusals, notes, markdown, markdown_of_summary, formats, conditions, rows_add_up, noise_unknown,
          damage, mirrored]

if __name__ == "__main__":
    for check in CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(Place(folder))
                print("ok " + check.__doc__)
            except Exception as e:
                line = sys.exc_info()[2].tb_next.tb_lineno
                print("FAIL %s: line %d: %s %s" % (check.__doc__, line, type(e).__name__, str(e)[:500]))
