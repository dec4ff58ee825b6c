#!/usr/bin/env python3
"""Texts of NVTX and roctx ranges in databases: the arguments that PyTorch's emit_nvtx writes behind a name make no other
name, in any variant of the formats, and ProfilerStep#N is a step. Each database is a recording of the samples whose
ranges get such texts."""
import json
import os
import re
import sqlite3
import sys
import tempfile

from _databases import TRACES, capture, made, report, rows, run, supported

SHAPES = [None, "[[4, 8], [8, 2]]", "[[], [3]]"]
# kind, options of its writer, whether operators are ranges like others
VARIANTS = {
    "nsys": ("nsys", dict(operators=True), True),
    "nsys, registered strings": ("nsys", dict(operators=True, registered=True), True),
    "nsys, domains": ("nsys", dict(operators=True, domains=True), True),
    "rocpd": ("rocpd", {}, False),
    "rpd": ("rpd", dict(operators=False), False),
}


def text_of(name, number):
    """The text of call `number`, as emit_nvtx writes it."""
    shapes = SHAPES[number % len(SHAPES)]
    return (name + (", seq = %d" % (10 + number) if number % 2 else "") + ", op_id = %d" % (1000 + number) +
            (", sizes = %s" % shapes if shapes else "") + (", input_op_ids = [(%d,0)]" % (999 + number) if number % 5 == 0 else ""))


def dressed(found):
    """Operators of the capture as ranges with arguments, steps and other ranges as they are; and name: calls, time,
    and name: shapes of its calls."""
    calls, shaped, ranges = {}, {}, list(found.ranges)
    for i, r in enumerate(sorted(found.operators, key=lambda r: (r.start, -r.end))):
        count = calls.setdefault(r.name, [0, 0])
        count[0] += 1
        count[1] += r.end - r.start
        shaped.setdefault((r.name, SHAPES[i % len(SHAPES)] or "[]"), [0])[0] += 1
        ranges.append(r._replace(name=text_of(r.name, i)))
    return found.map(ranges=ranges, operators=[]), calls, shaped


def counted(got, *columns):
    return {r["name"]: [r.get(c) for c in columns] for r in got}


def different(got, want):
    return ["%s: %s, want %s" % (k, got.get(k), want.get(k)) for k in sorted(set(got) | set(want), key=str) if got.get(k) != want.get(k)][:3]


def check_variant(what, path, found, calls, shaped, in_ranges):
    operators = counted(rows("operators", path), "calls", "host_total_ns")
    report(what + ": operators have the names without arguments", different(operators, calls))
    by_shape = {(r["name"], r["input_shapes"]): [r["calls"]] for r in rows("operators", "--group-by", "shape", path)}
    report(what + ": shapes of the text are input shapes", different(by_shape, shaped))
    ranges = counted(rows("user_ranges", path), "calls")
    steps = sorted({int(r.name[len(capture.STEP):]) for r in found.ranges if r.name.startswith(capture.STEP)})
    want = dict({n: [v[0]] for n, v in calls.items()} if in_ranges else {})
    for r in found.ranges:
        if not r.name.startswith(capture.STEP):
            want[r.name] = [want.get(r.name, [0])[0] + 1]
    report(what + ": annotations have the names without arguments", different(ranges, want))
    got = [int(r["step"]) for r in rows("step_breakdown", path)]
    report(what + ": ProfilerStep#N are the steps", got != steps and "%s, want %s" % (got, steps))
    launched = {r.get("operator") for r in rows("kernels", "--group-by", "operator", path)}
    report(what + ": operators of kernels have these names", [n for n in launched if n and ", op_id = " in n])


def check_text(what, path, folder):
    """The whole text is in the export, under the short name, and the export has the tables of the database."""
    out = os.path.join(folder, "export.json")
    p = run("export", "-o", out, path)
    with open(out, "rb") as f:
        events = json.loads(f.read().decode("utf-8"))["traceEvents"]
    with_text = [e for e in events if ", op_id = " in str(e.get("args", {}).get("recorded as"))]
    report(what + ": the export keeps the texts", p.returncode or (not with_text and "no event has one"))
    report(what + ": the export has short names", [e["name"] for e in events if ", op_id = " in e.get("name", "")])
    for table, words in (("operators", ("--group-by", "shape")), ("kernels", ("--group-by", "operator"))):
        report(what + ": %s of the export" % table, rows(table, *words, path) != rows(table, *words, out) and "differs")
    number = re.search(r"op_id = \d+", with_text[0]["args"]["recorded as"]).group(0)
    screen = run("summary", path, "--screen", "timeline", "--size", "140x40", "--keys", '/ "%s" Enter' % number).stdout.decode("utf-8")
    report(what + ": a search finds an argument", ("n N next" not in screen or number not in screen) and screen[-600:])
    other = run("summary", path, "--screen", "timeline", "--size", "140x40", "--keys", '/ "op_id = 77777777" Enter').stdout.decode("utf-8")
    report(what + ": a search for another finds nothing", "n N next" in other and other[-600:])


def check_engine_domain(folder):
    """TensorRT-LLM marks its steps in a domain of its own; a range with arguments is no step of an engine."""
    path = os.path.join(folder, "domain.sqlite")
    db = sqlite3.connect(path)
    db.executescript("""CREATE TABLE META_DATA_EXPORT(name, value); CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value);
        CREATE TABLE NVTX_EVENTS(start, end, eventType, globalTid, text, textId, domainId);""")
    tid = 7 << 24 | 7
    db.execute("INSERT INTO StringIds VALUES(1, '[Executor] _forward_step 2: 0 ctx reqs, 5 gen reqs')")
    db.executemany("INSERT INTO NVTX_EVENTS VALUES(?,?,?,?,?,?,?)",
                   [(0, None, 75, tid, "TensorRT-LLM", None, 3), (1000, 2000, 59, tid, "[Executor] _forward_step 1: 1 ctx reqs, 4 gen reqs", None, 3),
                    (3000, 4000, 59, tid, None, 1, 3), (5000, 6000, 59, tid, "step[DECODE bs=5]", None, 0), (7000, 8000, 59, tid, "step[DECODE bs=6], op_id = 3", None, 0),
                    (1100, 1200, 59, tid, "broadcast", None, 3)])
    db.commit()
    db.close()
    got = [(r["engine"], r["requests"]) for r in rows("engine_steps", path)]
    report("engine steps in a domain", got != [("tensorrt-llm", 5), ("tensorrt-llm", 5), ("sglang", 5)] and got)
    names = sorted(r["name"] for r in rows("user_ranges", path))
    report("names of ranges keep their domain", "TensorRT-LLM:broadcast" not in names and names)


def main():
    if not supported():
        print("skip ranges of databases: no libsqlite3")
        return
    plain = capture.capture(TRACES[0])
    found, calls, shaped = dressed(plain)
    with tempfile.TemporaryDirectory(prefix="tracetty-ranges-") as folder:
        for what, (kind, options, in_ranges) in VARIANTS.items():
            path = made(kind, os.path.join(folder, "%d.db" % len(what)), found, **options)
            check_variant(what, path, plain, calls, shaped, in_ranges)
            check_text(what, path, folder)
        check_engine_domain(folder)


sys.dont_write_bytecode = True
main()
