#!/usr/bin/env python3
"""Table trust against the events: launches, durations, steps and overhead counted again from the JSON; the mark in the
header and its tab; the result of each check on generated traces with one known fault. Runs on the samples, and on the
small traces of TRACETTY_CORPUS."""
import collections
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.abspath(os.environ.get("BIN") or os.path.join(TOP, "tracetty"))
CORPUS = os.environ.get("TRACETTY_CORPUS", "")
LARGEST = 6 << 20  # stored bytes
WORK = ("kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset")
CALLS = ("cuda_runtime", "cuda_driver", "runtime", "driver", "cuda_profiler_runtime")


def table(*paths):
    p = subprocess.run([BIN, "summary", "--format", "json", "--table", "trust", *paths], capture_output=True, stdin=subprocess.DEVNULL)
    assert p.returncode == 0, p.stderr[-300:]
    rows = json.loads(p.stdout)["tables"][0]["rows"]
    return {r["check"]: r for r in rows}, [r["check"] for r in rows]


def screen(path, *options):
    p = subprocess.run([BIN, "summary", path, *options], capture_output=True, stdin=subprocess.DEVNULL,
                       env=dict(os.environ, LC_ALL="C.UTF-8"))
    assert p.returncode == 0, p.stderr[-300:]
    return p.stdout.decode("utf-8").splitlines()


def first_numbers(text, n=2):
    return [int(x.replace(",", "")) for x in re.findall(r"(?<![\w.])\d[\d,]*(?![\d.]|\.\d)", text)[:n]]


def read(path):
    with open(path, "rb") as f:
        raw = f.read()
    return json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)


# ---- compared with the events

def recount(events):
    """The basis of the checks by other means: dictionaries of the events."""
    x = [e for e in events if isinstance(e, dict) and e.get("ph") == "X" and isinstance(e.get("ts"), (int, float))]
    work = [e for e in x if e.get("cat", "").lower() in WORK]
    calls = collections.Counter(e.get("args", {}).get("correlation") for e in x if e.get("cat", "").lower() in CALLS)
    steps = [e for e in x if e.get("name", "").startswith("ProfilerStep#") and e.get("cat") in ("user_annotation", "cpu_op", "Operator")]
    return {
        "work": len(work),
        "zero": sum(not round(float(e.get("dur", 0)) * 1000) for e in work),
        "short": sum(float(e.get("dur", 0)) < 10 for e in work),
        "orphans": sum(e.get("args", {}).get("correlation") not in calls for e in work),
        "steps": len(steps),
    }


def against_events(path):
    whole = read(path)
    own = recount(whole["traceEvents"] if isinstance(whole, dict) else whole)
    rows, _ = table(path)
    wrong = []
    if own["work"] and "timestamps" in rows:
        got = first_numbers(rows["timestamps"]["evidence"].split(": ", 1)[1])
        if got != [own["zero"], own["work"]]:
            wrong.append("timestamps %s, events %s" % (got, [own["zero"], own["work"]]))
        short = re.search(r"([\d.]+)% are under 10 us", rows["timestamps"]["evidence"])
        if short and abs(float(short.group(1)) - 100 * own["short"] / own["work"]) > 0.11:
            wrong.append("short %s of %s" % (short.group(1), own))
    if own["work"] and "launches" in rows and "neither" not in rows["launches"]["evidence"]:
        got = first_numbers(rows["launches"]["evidence"])
        # a flow or its own id may also tie an event to its operator
        if got[1] != own["work"] or got[0] > own["orphans"]:
            wrong.append("launches %s, events %s" % (got, [own["orphans"], own["work"]]))
    if own["steps"] and "steps" in rows and rows["steps"]["verdict"] == "ok":
        got = first_numbers(rows["steps"]["evidence"], 1)
        if got != [own["steps"]]:
            wrong.append("steps %s, events %d" % (got, own["steps"]))
    return wrong


# ---- generated traces

def events(steps=(1, 2, 3, 4), step_us=1000, first_us=None, launch=True, kernel=True, kernel_us=100.5, at=0.0, shift=0.25):
    """Steps one after another, each with a launch and its kernel, on a clock of nanoseconds."""
    out, t = [], at
    for i, n in enumerate(steps):
        us = first_us if first_us and not i else step_us
        out.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % n, "pid": 1, "tid": 1, "ts": t, "dur": us - 10, "args": {}})
        out.append({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": t + 5, "dur": 100, "args": {"External id": i + 1}})
        if launch:
            out.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": t + 10, "dur": 20,
                        "args": {"correlation": i + 1}})
        if kernel:
            out.append({"ph": "X", "cat": "kernel", "name": "mm", "pid": 0, "tid": 7, "ts": t + 40 + shift, "dur": kernel_us,
                        "args": {"device": 0, "stream": 7, "correlation": i + 1}})
        t += us
    return out


def overhead(us):
    return [{"ph": "X", "cat": "overhead", "name": "Buffer Flush", "pid": -1, "tid": 0, "ts": 1500, "dur": us, "args": {}}]


MADE = [  # name, events, check, verdict, words of its evidence
    ("all is well", events(), "launches", "ok", "0 of 4 GPU events (0.0%)"),
    ("no runtime calls", events(launch=False), "launches", "warn", "4 of 4 GPU events (100.0%) have no launch: no runtime calls were recorded"),
    ("half without launch", events() + [e for e in events(launch=False, at=0.125) if e["cat"] == "kernel" and
                                        not e["args"].update(correlation=e["args"]["correlation"] + 100)],
     "launches", "warn", "4 of 8 GPU events (50.0%) have no launch in the trace"),
    ("no kernels", events(kernel=False), "device activity", "bad", "4 launch calls, but no kernel was recorded"),
    ("kernels lost", [e for e in events() if e["cat"] != "kernel" or e["args"]["correlation"] != 2], "kernels of launches", "warn",
     "1 of 4 launch calls (25.0%)"),
    ("warm-up", events(first_us=2500), "warm-up", "warn", "2.49 ms, 2.5x the median of the others (990 us)"),
    ("a step is missing", events(steps=(1, 2, 5, 6)), "steps", "warn", "2 steps missing, step 3 first"),
    ("steps repeat", events() + events(at=9000.0), "steps", "warn", "4 of 8 steps have the number of an earlier one"),
    ("steps overlap", events() + events(steps=(7,), at=500.0), "steps", "warn", "2 of 5 steps begin"),
    ("overhead", events() + overhead(198), "profiler overhead", "warn", "198 us of the steps (5.0%) is the profiler's own, most of it Buffer Flush"),
    ("much overhead", events() + overhead(990 * 2), "profiler overhead", "bad", "Buffer Flush"),
    ("little overhead", events() + overhead(20), "profiler overhead", "ok", "20.0 us of the steps (0.5%)"),
    ("no durations", events(kernel_us=0), "timestamps", "warn", "4 of 4 GPU events (100.0%) have a duration of 0"),
    ("microseconds", events(kernel_us=5, shift=0), "timestamps", "warn", "times are whole microseconds"),
    ("before the launch", [dict(e, ts=e["ts"] - 35) if e["cat"] == "kernel" else e for e in events()], "clock of the host", "warn",
     "4 of 4 GPU events with a launch (100.0%) start before it"),
    ("outside of steps", events() + [dict(e, ts=e["ts"] + 50000, args=dict(e["args"], correlation=e["args"]["correlation"] + 50)) for e in events()
                                     if e["cat"] in ("kernel", "cuda_runtime")], "work in steps", "warn", "402 us of 804 us of GPU work lie in no step"),
]


def made(tmp):
    failed = 0
    for name, of, check, verdict, words in MADE:
        path = os.path.join(tmp, name.replace(" ", "_") + ".pt.trace.json")
        with open(path, "w") as f:
            json.dump({"schemaVersion": 1, "traceEvents": of}, f)
        rows, order = table(path)
        row = rows.get(check)
        levels = [rows[c]["verdict"] for c in order]
        good = row and row["verdict"] == verdict and words in row["evidence"]
        sorted_well = levels == sorted(levels, key=["bad", "warn", "ok"].index)
        doubts = sum(v != "ok" for v in levels)
        marks = [screen(path, "--screen", s, "--size", "120x35")[1] for s in ("overview", "steps", "problems")]
        marked = all(("trust OK" in m) == (doubts == 0) and ("! " in m) == (doubts > 0) for m in marks)
        said = subprocess.run([BIN, "check", path], capture_output=True, text=True).stdout.splitlines()
        told = [l for l in said if l.startswith("trust: ")]
        marked = marked and (told == ["trust: OK"] if doubts == 0 else len(told) == doubts and all(l.startswith("trust: ! ") for l in told))
        print("%s %s" % ("ok" if good and sorted_well and marked else "FAIL", name))
        if not (good and sorted_well and marked):
            failed += 1
            print("  %s, sorted %s, marked %s: %s" % (row, sorted_well, marked, marks[0]))
    return failed


def header(tmp):
    """The header has the mark at every width; its tab is one key away; Enter on a check goes to its slice."""
    path = os.path.join(tmp, "half_without_launch.pt.trace.json")
    wide, narrow = screen(path, "--screen", "kernels", "--size", "120x35"), screen(path, "--screen", "kernels", "--size", "40x12")
    tab = screen(path, "--screen", "kernels", "--keys", "!", "--size", "120x35")
    there = screen(path, "--screen", "kernels", "--keys", "! Enter", "--size", "120x35")
    back = screen(path, "--screen", "kernels", "--keys", "! u", "--size", "120x35")
    checks = [
        ("the mark in words", "! 50% of GPU events have no launch" in wide[1]),
        ("the number where it is narrow", re.search(r" !\d$", narrow[1]) is not None),
        ("! shows the checks and the problems", "[" in tab[0] and re.search(r"Trust !\d\]", tab[0]) and any("Evidence" in line for line in tab) and
         any("Problems" in line for line in tab)),
        ("Enter leads to the first of them", "imeline]" in there[0] or "Trace]" in there[0] or "Time]" in there[0]),
        ("u leads back", "Kern" in re.search(r"\[[^\]]*\]", back[0]).group(0)),
        ("the same from the command line as on the screen", [r for r in table(path)[1]] == [
            line[1:].split("  ")[0].strip() for line in tab if re.match(r"[ >][a-z][a-z -]+  +(ok|warn|bad) ", line)]),
        ("steps and trust in one line", "4 steps" in wide[1]),
    ]
    for name, good in checks:
        print("%s %s" % ("ok" if good else "FAIL", name))
    return sum(not good for _, good in checks)


def main():
    failed = 0
    files = glob.glob(os.path.join(TOP, "assets", "sample_gpu", "*.json*")) + [os.path.join(TOP, "assets", "sample_cpu.pt.trace.json.gz")]
    for kind in ("pytorch", "amd") if CORPUS else ():
        files += sorted(f for f in glob.glob(os.path.join(CORPUS, "traces", kind, "*", "*.json*")) if os.path.getsize(f) < LARGEST)
    for path in files:
        wrong = against_events(path)
        failed += bool(wrong)
        print("%s %s%s" % ("FAIL" if wrong else "ok", os.path.basename(path), "".join("\n  " + w for w in wrong)))
    with tempfile.TemporaryDirectory() as tmp:
        failed += made(tmp) + header(tmp)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
