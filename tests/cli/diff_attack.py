#!/usr/bin/env python3
"""Comparing unsuitable sides: sides of different kinds; without steps, device or events; damaged and cut files; names
that are terminal commands or markup; numbers at the limits of their type; options that are no numbers; thousands of
steps and conditions; 64 ranks.

The program exits with one of its statuses, explains each status but 0, never writes raw control bytes, and its JSON
and Markdown stay valid."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import at_most, exceeded, spent  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
from compare import made  # noqa: E402

BIN = os.environ["BIN"]
CORPUS = os.environ.get("TRACETTY_CORPUS")
FORMATS = ("text", "markdown", "json")
FULL = (1 << 63) - 1
HOSTILE = ("\x1b[31mred\x1b]0;title\x07", "line\nbreak\r\tand tab", "a|b\\|c`d`<b>*e*_f_", "\u202eright to left\u0085\u2028", "@everyone #1 [x](http://y)",
           "nul\x00 and \x7f del \x9b31m", "e\u0301\u200b\U0001f600 wide \u6f22\u5b57", "x" * 5000, "", "| --- |", "$(reboot)", "%s%n%d")
RAW = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")


class Wrong(Exception):
    pass


def need(holds, text, *values):
    if not holds:
        raise Wrong(text % values)


def run(*args, statuses=(0,), work=60):
    """Run diff and return its standard output; checks every answer for its status, message and raw bytes."""
    p = subprocess.run([BIN, "diff", *args], capture_output=True, stdin=subprocess.DEVNULL, preexec_fn=at_most(work))
    need(not exceeded(p.returncode), "no end after %d s of work: %s", work, " ".join(args)[:300])
    shown = " ".join(args)[-300:]
    need(p.returncode in statuses, "status %d of %s: %s", p.returncode, shown, p.stderr[-300:])
    need(p.returncode == 0 or p.stderr.strip(), "status %d without a word: %s", p.returncode, shown)
    for what, text in (("output", p.stdout), ("errors", p.stderr)):
        raw = RAW.search(text)
        need(raw is None, "raw byte %s in the %s of %s: %s", raw and raw.group(), what, shown, raw and text[max(0, raw.start() - 40):raw.end() + 40])
    if "json" in args and p.returncode < 2:
        return json.loads(p.stdout.decode("utf-8"), parse_constant=lambda c: need(False, "bare %s in %s", c, shown))
    return p.stdout.decode("utf-8")


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


def loop(folder, name, steps=5, seed=1, **how):
    return made.Run(made.loop(steps, seed), **how).write(os.path.join(folder, name + ".pt.trace.json"))


def every_format(base, new, statuses=(0,)):
    for format in FORMATS:
        for way in ((), ("--per", "run")):
            run("--table", "all", "--format", format, *way, base, new, statuses=statuses)


def sides_of_all_kinds(folder):
    """Compare sides without steps, device or operators, with one step, or empty, with each other."""
    whole = made.Run(made.loop(5, 1))
    kinds = {"whole": whole.events, "nothing": [], "one": made.Run(made.loop(1, 1)).events}
    for name, cats in (("nosteps", ("user_annotation",)), ("nodevice", ("kernel", "cuda_runtime")), ("noops", ("cpu_op",)), ("kernels", ("user_annotation",
                       "cpu_op", "cuda_runtime"))):
        kinds[name] = [e for e in whole.events if e["cat"] not in cats]
    paths = [write(folder, k + ".json", made.text_of({"schemaVersion": 1, "traceEvents": v})) for k, v in kinds.items()]
    for a in paths:
        for b in paths:
            run("--table", "all", "--format", "json", a, b, statuses=(0, 3))
    every_format(paths[0], paths[3])
    rows = {t["id"]: t["rows"] for t in run("--format", "json", os.path.join(folder, "whole.json"), os.path.join(folder, "nodevice.json"))["tables"]}
    for r in rows["diff_kernels"]:  # the other side has no kernels
        need((r["new_calls"], r["new_total_ns"], r["delta_total_ns"], r["change"]) == (0, 0, -r["base_total_ns"], "deleted"),
             "kernels of a side without any: %s", r)
    rows = {t["id"]: t["rows"] for t in run("--format", "json", os.path.join(folder, "whole.json"), os.path.join(folder, "nosteps.json"))["tables"]}
    for r in rows["diff_summary"] + rows["diff_kernels"]:
        need(r.get("low_ns") is None and r.get("p_value") is None, "a side without steps has statistics: %s", r)


def formats_and_vendors(folder):
    if not CORPUS:
        print("skip formats and vendors: TRACETTY_CORPUS is not set")
        return
    t = os.path.join(CORPUS, "traces")
    kinds = [os.path.join(t, p) for p in ("amd/torch_compile_triton/torch_compile_triton.pt.trace.json.gz", "ascend/level1", "mindspore/synth_minddata", "paddle/gpu_small",
                                          "chrome/speedscope/multiprocess.json", "chrome/catapult/tall_trace.json")]
    kinds = [p for p in kinds if os.path.exists(p)] + [loop(folder, "made")]
    for a in kinds:
        for b in kinds:
            run("--table", "all", "--format", "json", a, b)
    for a, b in zip(kinds, kinds[1:]):
        every_format(a, b)


def hostile_names(folder):
    def path(name, seed):
        kernels = tuple((k, 20000 + 1000 * i) for i, k in enumerate(HOSTILE))
        return made.Run(made.loop(6, seed, kernels=kernels, factor=lambda i, k: 1 + 0.2 * seed)).write(os.path.join(folder, name))

    base, new = path("a.pt.trace.json", 0), path("b|`<i>.pt.trace.json", 1)
    every_format(base, new)
    run("--format", "csv", "--table", "diff_kernels", "--filter", "x", base, new)
    doc = run("--format", "json", "--table", "diff_kernels", base, new)
    names = {r["name"] for r in doc["tables"][0]["rows"]}
    need({"a|b\\|c`d`<b>*e*_f_", "| --- |", "@everyone #1 [x](http://y)", "x" * 5000} <= names, "names in JSON: %s", sorted(names)[:3])
    whole_tables(run("--format", "markdown", "--limit", "0", base, new))
    held = "kernel:%s>1%%" % HOSTILE[2]
    for format in FORMATS:
        run("--format", format, "--fail-on", held, base, new, statuses=(1,))
        run("--format", format, "--fail-on", "kernel:\x1b[31m\n|>1%", base, new, statuses=(0, 1, 2))
    odd = os.path.join(folder, "dir\x1b[31m\n|x")
    os.mkdir(odd)
    odd = loop(odd, "w\x1b[1m|\ny.1")
    every_format(base, odd)
    every_format(odd, os.path.dirname(odd))
    run(base, os.path.join(folder, "missing\x1b[31m\n"), statuses=(3,))


def whole_tables(text):
    """Every row of a Markdown table has as many cells as its head, and no text's markup is left."""
    cells, rows = None, 0
    for line in text.splitlines():
        if not line.startswith("|"):
            cells = None
            continue
        n = len(re.findall(r"(?<!\\)(?:\\\\)*\|", line))
        need(cells in (None, n), "a row of %d cells under a head of %s: %s", n, cells, line[:200])
        need("<b>" not in line and "<i>" not in line, "markup of a name: %s", line[:200])
        cells, rows = n, rows + 1
    need(rows > 20, "%d rows of Markdown", rows)


def numbers_that_hardly_fit(folder):
    """Durations and times at the limits of 64 bits: their sums and differences do not wrap around."""
    def trace(name, starts, dur, size=0):
        events = []
        for i, t in enumerate(starts):
            args = {"device": 0, "stream": 7, "correlation": i, "bytes": size}
            events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % i, "pid": 1, "tid": 1, "ts": made.Number(t), "dur": made.Number(dur)})
            for cat, what in (("kernel", "k"), ("gpu_memcpy", "Memcpy HtoD"), ("cpu_op", "op")):
                events.append({"ph": "X", "cat": cat, "name": what, "pid": 0 if cat != "cpu_op" else 1, "tid": 7 if cat != "cpu_op" else 1, "ts": made.Number(t),
                               "dur": made.Number(dur), "args": args})
            for sign in (1, -1):
                events.append({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": made.Number(t + 1),
                               "args": {"Total Allocated": sign * size, "Total Reserved": sign * size, "Bytes": sign * size, "Addr": i, "Device Id": 0,
                                        "Device Type": 1}})
        return write(folder, name, made.text_of({"schemaVersion": 1, "traceEvents": events}))

    paths = [trace("far.json", [i for i in range(6)], FULL - 10, FULL), trace("long.json", [i * (FULL // 8) for i in range(6)], FULL // 9, FULL),
             trace("low.json", [-FULL // 2 + i for i in range(6)], FULL // 3, -FULL), trace("tiny.json", range(6), 1, 1), trace("zero.json", [0] * 6, 0)]
    for a in paths:
        for b in paths:
            doc = run("--table", "all", "--format", "json", a, b)
            for t in doc["tables"]:
                for r in t["rows"]:
                    for k, v in r.items():
                        sides_and_difference(t["id"], k, v, r)
    every_format(paths[0], paths[3])
    every_format(paths[3], paths[0])


def sides_and_difference(table, column, value, r):
    if column.startswith("base_") and column.endswith("_ns") and None not in (value, r["new_" + column[5:]]):
        delta, new = r.get("delta_" + column[5:]), r["new_" + column[5:]]
        need(delta is None or delta == 0 or (delta > 0) == (new > value) or column == "base_ns" or "step" in column, "%s: %s of %d and %d is %s", table,
             column, value, new, delta)
    if column == "p_value" and value is not None:
        need(0 <= value <= 1, "%s: p is %s", table, value)
    if column in ("base_calls", "new_calls", "base_steps", "new_steps") and value is not None:
        need(value >= 0, "%s: %s is %s", table, column, value)


def options_that_are_none(folder):
    a, b = loop(folder, "oa"), loop(folder, "ob", seed=2)
    for option, values in (("--confidence", ("nan", "inf", "0", "100", "-1", "1e309", "", "95%%", "9 5", "-0")),
                           ("--min-effect", ("nan", "-1", "inf", "1e309", "", "x", "-nan")),
                           ("--skip", ("-1", "1.5", "", "99999999999999999999", "x")),
                           ("--per", ("", "day")), ("--match", ("", "fuzzy")),
                           ("--fail-on", ("", ">", "step", "step>", ">5%", "step>nan%", "step>inf", "step>5parsecs", "step>1e400ms", "step>>5%", "step<5%",
                                          "nothing>5%", "kernel:>", "step>-5%x", "step>5 %%", "peak_memory>5ms", "step>5MiB", "findings>5%x", "kernel:a",
                                          "step>" + "9" * 400, "x" * 10000))):
        for value in values:
            run(option, value, a, b, statuses=(2,))
    for option, value in (("--skip", "5"), ("--skip", "1000000"), ("--confidence", "0.0001"), ("--confidence", "99.9999999"), ("--min-effect", "1000000"),
                          ("--min-effect", "0")):
        for format in FORMATS:
            run(option, value, "--format", format, a, b)
    run("--base-steps", "7-9", a, b, statuses=(2,))
    run("--new-worker", "nobody", a, b, statuses=(2,))
    run(a, statuses=(2,))
    run(a, b, a, statuses=(2,))


def a_thousand_conditions(folder):
    a, b = loop(folder, "ca"), loop(folder, "cb", seed=2)
    conditions = [x for i in range(1000) for x in ("--fail-on", "step>%d%%" % (i + 5))]
    doc = run("--format", "json", *conditions, a, b)
    need(len(doc["conditions"]) == 1000 and not any(c["held"] for c in doc["conditions"]), "%d conditions", len(doc["conditions"]))
    run(*[x for i in range(1000) for x in ("--fail-on", "kernel:%s>%d%%" % ("gemm" if i % 2 else "e", i + 5))], a, b)


def damaged_sides(folder):
    """Sides cut at many places, and emptied: the other side is still shown, or the message names the file."""
    whole = loop(folder, "da")
    text = open(whole, "rb").read()
    for i in range(0, 40):
        cut = write(folder, "cut.pt.trace.json", text[:len(text) * i // 40])
        for pair in ((whole, cut), (cut, whole)):
            run("--format", "json", "--table", "all", *pair, statuses=(0, 3))
    every_format(whole, cut)
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    for bad in (empty, os.path.join(folder, "none"), write(folder, "zero.json", ""), write(folder, "noise.json", bytes(range(256)) * 50), "/dev/null"):
        for pair in ((whole, bad), (bad, whole), (bad, bad)):
            run(*pair, statuses=(3,))
    for limit in (("--max-events", "3"), ("--max-memory", "1k")):
        run(*limit, whole, whole, statuses=(4,))


def many_ranks(folder):
    sides = []
    for side, seed in (("na", 1), ("nb", 100)):
        os.mkdir(os.path.join(folder, side))
        for rank in range(64):
            made.Run(made.loop(4, seed + rank), rank=rank, world=64).write(os.path.join(folder, side, "host%d.1.pt.trace.json" % rank))
        sides.append(os.path.join(folder, side))
    doc = run("--format", "json", *sides)
    need(len(doc["matched"]["workers"]) == 64, "%d workers are matched", len(doc["matched"]["workers"]))
    need(all(a == b for a, b in doc["matched"]["workers"]), "matched otherwise: %s", doc["matched"]["workers"][:3])
    kernels = next(t for t in doc["tables"] if t["id"] == "diff_kernels")["rows"]
    need(all(r["base_calls"] == 64 * 4 for r in kernels), "calls of 64 workers: %s", kernels[0])
    every_format(*sides)


def thousands_of_steps(folder):
    """Twice the steps take about twice the work, not four times."""
    took = []
    for n in (5000, 10000):
        sides = [loop(folder, "s%d%s" % (n, side), n, seed) for side, seed in (("a", 1), ("b", 2))]
        best = None
        for _ in range(3):
            start = spent()
            doc = run("--format", "json", *sides)
            best = min(best or 1e9, spent() - start)
        took.append(best)
        step = next(t for t in doc["tables"] if t["id"] == "diff_summary")["rows"][0]
        need((step["base_steps"], step["new_steps"], step["verdict"]) == (n, n, "same"), "%d steps: %s", n, step)
    need(took[1] < 3.2 * took[0] + 0.2, "5,000 steps %.2f s, 10,000 steps %.2f s", *took)


TESTS = (sides_of_all_kinds, formats_and_vendors, hostile_names, numbers_that_hardly_fit, options_that_are_none, a_thousand_conditions, damaged_sides,
         many_ranks, thousands_of_steps)


def main():
    failed = 0
    for test in TESTS:
        if sys.argv[1:] and not any(w in test.__name__ for w in sys.argv[1:]):
            continue
        with tempfile.TemporaryDirectory(prefix="tracetty-diff-") as folder:
            try:
                test(folder)
                print("ok " + test.__name__.replace("_", " "))
            except (Wrong, KeyError, ValueError, StopIteration) as e:
                failed += 1
                print("FAIL %s: %s" % (test.__name__.replace("_", " "), (str(e) if isinstance(e, Wrong) else repr(e))[:1500]))
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
