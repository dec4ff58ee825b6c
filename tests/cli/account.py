#!/usr/bin/env python3
"""One account of the time: every time in a table is a part of it, and has the same value in every table.

  sums     on the samples and every trace of TRACETTY_CORPUS: parts, causes, gaps, steps and the path add up to the
           account; the table overview, the first screen and the digest agree with it; findings agree with their
           evidence and with the savings of a replay
  equality on small traces: events in another order, steps chosen by number, an export, events that are no activity,
           three times the length, two workers of one trace, a recording that begins later

ACCOUNT=TEXT selects the traces whose path contains the text."""
import collections
import decimal
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from inputs_todo import Todo  # noqa: E402
from properties import BIN, CORPUS, TOP, Events, read  # noqa: E402
from relations import is_slice, shuffled  # noqa: E402

WHICH = os.environ.get("ACCOUNT", "")
SMALL = 25000  # stored bytes: these traces are rewritten and read again several times
PARTS = ("computation_ns", "communication_exposed_ns", "copy_exposed_ns", "idle_ns")
CPU = "idle: CPU"
IDLE = {"input": "idle: input", "sync": "idle: sync", "launch": "idle: launch", "queue": "idle: queued", "unknown": "idle: unknown",
        "operator": CPU, "between": CPU, "runtime": CPU}
OF_IDLE = ("first_call", "input_stall", "sync_stall", "host_bound", "stream_wait")  # root findings that claim idle time
OF_KERNELS = ("kernel_class", "unfused_attention")  # count kernels and chains
ASKED = "gpu_time,idle_causes,gpu_gaps,stream_idle,step_breakdown,critical_path,findings,overview,evidence"
SAME = ("gpu_time", "idle_causes", "gpu_gaps", "critical_path", "findings", "overview", "evidence")
DEVICE = ("kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset")


class Wrong(Exception):
    pass


def need(holds, text, *values):
    if not holds:
        raise Wrong(text % values)


# ---- the program's tables

class Answers:
    """A trace that is loaded once and asked for several tables."""

    def __init__(self, *paths):
        self.process = subprocess.Popen([BIN, "answer", *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.read = b""
        self.opened = self.document() is not None

    def document(self):
        """The next answer; None = there is none."""
        while b"\0" not in self.read:
            more = self.process.stdout.read1(1 << 20)
            if not more:
                return None
            self.read += more
        answer, _, self.read = self.read.partition(b"\0")
        status, _, text = answer.partition(b"\n")
        return json.loads(text) if status == b"0" else None

    def tables(self, *options):
        self.process.stdin.write(b"".join(w.encode() + b"\0" for w in ("summary",) + options) + b"\0")
        self.process.stdin.flush()
        doc = self.document()
        need(doc is not None, "no answer to %s", " ".join(options))
        return {t["id"]: t["rows"] for t in doc["tables"]}

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def text(path, *options):
    p = subprocess.run([BIN, "summary", *options, path], capture_output=True, stdin=subprocess.DEVNULL)
    need(p.returncode == 0, "status %d: %s", p.returncode, p.stderr[-200:])
    return p.stdout.decode("utf-8")


def worker(row):
    return row.get("worker"), row.get("span")


def device(row):
    return worker(row) + (row["device"],)


def sums(rows, by, column):
    out = collections.Counter()
    for r in rows:
        out[by(r)] += r[column] or 0
    return +out


# ---- sums

class Said:
    """The tables of a trace in the scope of its account."""

    def __init__(self, ask):
        self.__dict__.update(ask.tables("--table=" + ASKED))
        self.by_step = ask.tables("--table=gpu_time,idle_causes", "--group-by=step")
        self.savings = ask.tables("--table=what_if", "--group-by=finding")["what_if"]
        self.apart = any(r["id"] == "clocks_differ" for r in self.findings)
        self.windows = {worker(r): r for r in self.overview if r["what"] == "window"}
        self.length = {w: r["time_ns"] for w, r in self.windows.items()}


def parts(x):
    for r in x.gpu_time + x.by_step["gpu_time"]:
        need(sum(r[p] for p in PARTS) == r["total_ns"] and min(r[p] for p in PARTS) >= 0, "parts of %s: %s", r["device"], r)
        need(r["busy_ns"] + r["idle_ns"] == r["total_ns"], "busy and idle of %s", r["device"])
    for r in x.gpu_time:
        need(x.apart or r["total_ns"] == x.length[worker(r)], "%s has an account of %d ns, the worker %s", r["device"], r["total_ns"], x.length[worker(r)])


def causes(x):
    idle = sums(x.gpu_time, device, "idle_ns")
    need(sums(x.idle_causes, device, "idle_ns") == idle, "causes are not the idle time")
    need(sums(x.gpu_gaps, device, "duration_ns") == idle, "gaps are not the idle time")
    for r in x.gpu_gaps:
        need(r["host_ns"] + r["launch_ns"] + r["queue_ns"] + r["unknown_ns"] == r["duration_ns"], "parts of the gap at %d", r["start_at_ns"])
    for stream, ns in sums(x.stream_idle, lambda r: device(r) + (r["stream"],), "idle_ns").items():
        total = {device(r): r["total_ns"] for r in x.gpu_time}[stream[:3]]
        need(idle[stream[:3]] <= ns <= total, "stream %s is idle for %d ns, its device for %d of %d", stream[3], ns, idle[stream[:3]], total)


def steps(x):
    of = [w for w, r in x.windows.items() if r["name"] == "steps"]
    lengths = sums(x.step_breakdown, worker, "total_ns")
    for w in of:
        need(lengths[w] == x.length[w], "steps have %d ns, the account %d", lengths[w], x.length[w])
        need(sum(worker(r) == w for r in x.step_breakdown) == x.windows[w]["count"], "the account counts %s steps", x.windows[w]["count"])
    inside = lambda rows: [r for r in rows if not x.apart and worker(r) in of]
    for column in PARTS + ("busy_ns", "communication_ns", "overlap_ns", "copy_ns"):
        need(sums(inside(x.by_step["gpu_time"]), device, column) == sums(inside(x.gpu_time), device, column), "%s by step", column)
    cause = lambda r: device(r) + (r["cause"],)
    need(sums(inside(x.by_step["idle_causes"]), cause, "idle_ns") == sums(inside(x.idle_causes), cause, "idle_ns"), "causes by step")


def path(x):
    for w, ns in sums(x.critical_path, worker, "total_ns").items():
        need(ns == x.length[w], "the path has %d ns, the account %d", ns, x.length[w])


def overview(x):
    rows = collections.defaultdict(list)
    for r in x.overview:
        rows[r["what"], worker(r)].append(r)
    for w in x.windows:
        need(len(rows["window", w]) == 1, "windows of %s", w)
        mine = {r["device"]: r for r in x.gpu_time if worker(r) == w}
        need({r["device"]: r["time_ns"] for r in rows["device", w]} == {d: r["busy_ns"] for d, r in mine.items()}, "the strip of %s", w)
        bar = {r["name"]: r["time_ns"] for r in rows["part", w]}
        if mine:
            want = collections.Counter()
            for r in mine.values():
                for column, name in zip(PARTS, ("compute", "exposed communication", "exposed copies")):
                    want[name] += r[column]
            for r in x.idle_causes:
                if worker(r) == w:
                    want[IDLE[r["cause"]]] += r["idle_ns"]
            need(bar == +want, "the bar of %s has %s, the tables %s", w, bar, +want)
        whole = sum(bar.values())
        need(x.apart or whole == x.length[w] * max(1, len(mine)) or not x.length[w], "the bar of %s has %d ns", w, whole)
        need(not bar or abs(sum(r["pct"] for r in rows["part", w]) - 100) < 1e-6, "tenths of the bar of %s", w)
        need(not whole or all(abs(r["pct"] - 100 * r["time_ns"] / whole) < 0.1 and r["time_ns"] > 0 for r in rows["part", w]), "shares of the bar of %s", w)
        kinds = rows["class", w]
        need(not kinds or abs(sum(r["pct"] for r in kinds) - 100) < 1e-6 or not sum(r["time_ns"] for r in kinds), "classes of %s", w)
        found = [r for r in x.findings if worker(r) == w]
        need([(r["name"], r["device"], r["time_ns"], r["pct"], r["count"], r["text"]) for r in rows["finding", w]] ==
             [(r["id"], r["device"], r["time_ns"], r["value_pct"], r["count"], r["title"]) for r in found], "findings of %s", w)
    verdicts = [r for r in x.overview if r["what"] == "verdict"]
    need(len(verdicts) == 1, "%d first lines", len(verdicts))
    said = [r["title"] for r in x.findings if r["id"] != "queue_full"]
    more = sum(r["id"].startswith("hang_") for r in x.findings) - 1  # a verdict about a hang counts the other faults
    want = said[0].removesuffix(".") + ". And %d more." % more if more > 0 else said[0] if said else verdicts[0]["text"]
    need(want and verdicts[0]["text"] == want, "first line %r, wanted %r", verdicts[0]["text"], want)


def screen(x, trace):
    """Check that the first screen and the digest have the numbers of table overview, for one worker's account."""
    shown = text(trace, "--screen", "overview", "--format", "text", "--size", "240x70")
    line = re.sub(r"^!+ ", "", shown.split("\n")[2].strip())
    verdict = " ".join(next(r["text"] for r in x.overview if r["what"] == "verdict").split())
    plain = lambda s: re.sub(r"[\\`*]", "", " ".join(html.unescape(s).split())).replace("\u2026", "").replace("\u00b5", "u").strip()
    need(line and plain(verdict).startswith(plain(line)), "the screen begins with %r, table overview has %r", line, verdict)
    bold = re.findall(r"^\*\*(.+?)\*\*\s*$", text(trace, "--format", "markdown"), re.M)
    need(bold and plain(bold[0]).lstrip("! ") == plain(verdict), "the digest begins with %r, table overview has %r", bold[:1], verdict)
    if len(x.windows) != 1 or x.apart:
        return
    busy = ["%.1f" % r["pct"] for r in x.overview if r["what"] == "device"]
    strips = re.findall(r"(\d+\.\d)% busy(?=$|  )", "\n".join(shown.split("\n")[3:]), re.M)
    need(set(strips) <= set(busy) and (strips or not busy), "strips of %s, table overview has %s", strips, busy)
    whole = sum(r["time_ns"] for r in x.overview if r["what"] == "window")
    if not whole:
        need("The recording, " not in shown and "other 100.0%" not in shown, "an account without time is drawn")
    for r in x.overview:
        if whole and r["what"] == "part" and r["pct"] >= 0.1:
            need("%s %.1f%%" % (r["name"], r["pct"]) in shown, "the bar does not have %s %.1f%%", r["name"], r["pct"])


def evidence(x):
    pieces = collections.defaultdict(list)
    for r in x.evidence:
        pieces[r["finding"]].append(r)
    for i, f in enumerate(x.findings, 1):
        p = pieces.pop(i, [])
        if f["time_ns"] is None:
            need(not p, "%s shows pieces of no claim", f["id"])
            continue
        need(all((r["id"], r["device"]) + worker(r) == (f["id"], f["device"]) + worker(f) for r in p), "pieces of %s", f["id"])
        lengths = [r["duration_ns"] for r in p]
        need(sum(lengths) == f["time_ns"], "pieces of %s have %d of %d ns", f["id"], sum(lengths), f["time_ns"])
        need(lengths == sorted(lengths, reverse=True) and lengths[0] == f["longest_ns"], "the longest piece of %s", f["id"])
        need([r["longest"] for r in p] == [True] + [False] * (len(p) - 1), "which piece of %s is the longest", f["id"])
        need(f["id"] in OF_KERNELS or sum(100 * n >= lengths[0] for n in lengths) == f["count"], "%s counts %d pieces", f["id"], f["count"])
        need(all(0 < r["duration_ns"] <= r["end_at_ns"] - r["start_at_ns"] for r in p), "hulls of %s", f["id"])
        seen = sum(r["duration_ns"] for r in p if f["start_at_ns"] <= r["start_at_ns"] and r["end_at_ns"] <= f["end_at_ns"])
        need(2 * seen >= f["time_ns"], "Enter on %s shows %d of %d ns", f["id"], seen, f["time_ns"])
        if not x.apart and f["id"] in OF_IDLE + ("exposed_communication", "exposed_copy"):
            need(abs(f["value_pct"] - 100 * f["time_ns"] / x.length[worker(f)]) < 1e-6, "share of %s", f["id"])
    need(not pieces, "evidence of no finding: %s", list(pieces))


def disjoint(x):
    """Check that no two root findings claim the same work of a device."""
    works = collections.defaultdict(list)
    for r in x.evidence:
        if r["cause"] is None and x.findings[r["finding"] - 1].get("cause") is None:
            works[device(r)].append((r["start_at_ns"], r["end_at_ns"], r["id"], r["finding"]))
    for d, claimed in works.items():
        claimed.sort()
        for (_, end, a, _), (start, _, b, _) in zip(claimed, claimed[1:]):
            need(start >= end, "%s and %s claim the same work of %s at %d", a, b, d[2], start)


def savings(x):
    busy = collections.Counter()
    for r in x.gpu_time:
        busy[worker(r)] = max(busy[worker(r)], r["busy_ns"])
    roots = [r for r in x.findings if r.get("cause") is None]
    need(all(r["saving_ns"] is None for r in x.findings if r.get("cause") is not None), "a symptom saves time of its own")
    for w, ns in sums(roots, worker, "saving_ns").items():
        need(ns <= x.length[w], "findings save %d ns of an account of %s", ns, x.length[w])
    for r in roots:
        if r["saving_ns"] is None:
            continue
        need(r["saving_ns"] >= 0, "%s saves less than nothing", r["id"])
        if r["id"] in OF_IDLE:
            need(r["saving_ns"] <= x.length[worker(r)] - busy[worker(r)], "%s saves %d ns of idle time", r["id"], r["saving_ns"])
        elif r["id"] in ("exposed_communication", "exposed_copy") + OF_KERNELS:
            need(r["saving_ns"] <= max(r["time_ns"], 0), "%s saves %d ns of its %s", r["id"], r["saving_ns"], r["time_ns"])
        need(r["saving_ns"] * 100 >= x.length[worker(r)] or r["severity"] == "info", "%s saves nothing and is %s", r["id"], r["severity"])
    claims = collections.Counter()
    for r in roots:
        if r["time_ns"]:
            claims[device(r)] += r["time_ns"]
    for d, ns in claims.items():
        need(x.apart or ns <= x.length[d[:2]], "roots claim %d ns on %s, the account has %s", ns, d[2], x.length[d[:2]])
    want = {worker(r) + (r["id"],): r["saving_ns"] for r in roots if r["saving_ns"] is not None}
    need({worker(r) + (r["name"],): r["saving_ns"] for r in x.savings} == want, "what_if saves something else: %s, %s", x.savings, want)


def asked_by_number(x, ask):
    """Choosing all steps by number equals the default."""
    numbers = [r["step"] for r in x.step_breakdown]
    if not x.windows or not all(r["name"] == "steps" for r in x.windows.values()) or not all(re.fullmatch(r"\d+", n) for n in numbers) or x.apart:
        return
    got = ask.tables("--table=gpu_time,idle_causes,overview", "--steps=%d-%d" % (min(map(int, numbers)), max(map(int, numbers))))
    for t in got:
        want = [r for r in getattr(x, t) if r["what"] in ("window", "device", "part", "class")] if t == "overview" else getattr(x, t)
        have = [r for r in got[t] if r["what"] in ("window", "device", "part", "class")] if t == "overview" else got[t]
        need(want == have, "%s of all steps by number", t)


# ---- equality

def tables(*paths):
    ask = Answers(*paths)
    try:
        need(ask.opened, "%s does not open", paths)
        return ask.tables("--table=" + ",".join(SAME))
    finally:
        ask.close()


def same(a, b, what, keep=SAME):
    differ = [t for t in keep if a[t] != b[t]]
    need(not differ, "%s: %s", what, "; ".join("%s %s" % (t, [r for r in b[t] if r not in a[t]][:1] or "fewer rows") for t in differ)[:400])


def account_of(found):
    return [{k: v for k, v in r.items() if k not in ("worker", "span")} for r in found["overview"] if r["what"] in ("window", "device", "part")]


def no_activity(events):
    """Add events that lengthen nothing: an instant, the profiler's own slice, names of a process."""
    last = max((e["ts"] for e in events.value if is_slice(e)), default=0)
    return events.piece + ['{"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": %s}' % (last + 7000000),
                           '{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": %s, "dur": 3000000}' % last,
                           '{"ph": "M", "name": "process_labels", "pid": 987654, "tid": 0, "args": {"labels": "none"}}']


def longer(events):
    """The trace three times as long, from its first event on; None = some time is finer than a nanosecond."""
    times = [e[k] for e in events.value if isinstance(e, dict) for k in ("ts", "dur") if isinstance(e.get(k), decimal.Decimal)]
    if not times or any(t * 1000 % 1 for t in times):
        return None
    first = min(e["ts"] for e in events.value if isinstance(e, dict) and isinstance(e.get("ts"), decimal.Decimal))
    scale = {"ts": lambda v: first + 3 * (v - first), "dur": lambda v: 3 * v}
    return [re.sub(r'("(ts|dur)"\s*:\s*)([-0-9.eE+]+)', lambda m: m[1] + format(scale[m[2]](decimal.Decimal(m[3])), "f"), piece, count=2)
            for piece in events.piece]


def times_three(a, b):
    """Check that all times are three times as long, except values that depend on constants: the length of a delivery,
    of unseen work."""
    for t in ("gpu_time", "gpu_gaps"):
        rows = [sorted(({k: v for k, v in r.items() if k in ("device", "start_at_ns", "duration_ns", "host_ns") or k in PARTS + ("total_ns", "busy_ns")}
                        for r in d[t]), key=str) for d in (a, b)]
        if t == "gpu_gaps":  # before the first work it stays unknown what a blocking call waited for
            for r in rows[0] + rows[1]:
                r.pop("host_ns")
        want = sorted(({k: 3 * v if k.endswith("_ns") else v for k, v in r.items()} for r in rows[0]), key=str)
        need(want == rows[1], "%s is not three times as long: %s, %s", t, want[:1], rows[1][:1])
    host = [sums([r for r in d["idle_causes"] if r["cause"] in ("input", "sync", "runtime", "operator", "between")], lambda r: (r["device"], r["cause"]), "idle_ns")
            for d in (a, b)]
    need(host[1] == {k: 3 * v for k, v in host[0].items()}, "causes on the host are not three times as long: %s, %s", *host)


def begins_later(events):
    """Remove the work of host threads before the first launch; None = the trace has steps, or no such work."""
    launches = {str((e.get("args") or {}).get("correlation")) for e in events.value if is_slice(e) and str(e.get("cat", "")).lower() in DEVICE}
    calls = [e for e in events.value if is_slice(e) and re.search(r"(runtime|driver)$", str(e.get("cat", "")), re.I) and
             str((e.get("args") or {}).get("correlation")) in launches]
    if not calls or any(is_slice(e) and str(e.get("name", "")).startswith("ProfilerStep#") for e in events.value):
        return None
    first = min(e["ts"] for e in calls)
    keep = [not is_slice(e) or str(e.get("cat", "")).lower() in DEVICE or e["ts"] + max(e.get("dur") or 0, 0) > first for e in events.value]
    return None if all(keep) else [p for p, k in zip(events.piece, keep) if k]


def rewritten(trace, folder):
    events, new = Events(read(trace)), os.path.join(folder, "one", "worker0.pt.trace.json")
    os.makedirs(os.path.dirname(new))
    events.write(events.piece, new)
    found = tables(new)
    events.write(shuffled(events, 7), new)
    same(found, tables(new), "events in another order")
    if any(map(is_slice, events.value)):  # a trace without slices only has facts about the file
        events.write(no_activity(events), new)
        same(found, tables(new), "what is no activity")
    pieces = longer(events)
    if pieces:
        events.write(pieces, new)
        times_three(found, tables(new))
    pieces = begins_later(events)
    if pieces:
        events.write(pieces, new)
        later = {device(r): r for r in tables(new)["gpu_time"]}
        for r in found["gpu_time"]:
            got = later[device(r)]
            need(got["busy_ns"] == r["busy_ns"] and got["total_ns"] <= r["total_ns"], "begins later: %s is busy %d of %d ns, was %d of %d", r["device"],
                 got["busy_ns"], got["total_ns"], r["busy_ns"], r["total_ns"])
    events.write(events.piece, new)
    export = os.path.join(folder, "export.json")
    subprocess.run([BIN, "export", new, "-o", export], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    need(account_of(tables(export)) == account_of(found), "the account of an export: %s, %s", account_of(tables(export))[:3], account_of(found)[:3])
    if any(worker(r) != (None, None) for r in found["overview"]):
        return
    twin = os.path.join(folder, "two")
    os.makedirs(twin)
    shutil.copy(new, twin)
    with open(os.path.join(twin, "worker1.pt.trace.json"), "wb") as f:  # gets another rank if it has one
        f.write(re.sub(rb'("distributedInfo"\s*:\s*\{[^{}]*?"rank"\s*:\s*)(\d+)', lambda m: m[1] + b"%d" % (int(m[2]) + 1), open(new, "rb").read(), count=1))
    both = tables(twin)
    for name in ("worker0", "worker1"):
        mine = {"overview": [r for r in both["overview"] if r.get("worker") == name]}
        need(account_of(mine) == account_of(found), "two workers of one trace: %s", name)


# ---- all traces

def traces():
    """Every trace and folder of the corpus, and the samples."""
    samples = [os.path.join(TOP, "assets", n) for n in sorted(os.listdir(os.path.join(TOP, "assets"))) if n.startswith("sample_") and n != "sample_ranks"]  # it has no events
    found = [p for p in samples if not p.endswith("sample_paddle")] + sorted(glob.glob(os.path.join(TOP, "assets/sample_paddle/*")))
    for p in sorted(glob.glob(os.path.join(CORPUS or "", "traces", "*", "*"))) if CORPUS else ():
        found.append(p)
    return [p for p in found if WHICH in p]


def small(paths):
    """Traces in the format that can be rewritten; those of tests/golden come first."""
    own = sorted(glob.glob(os.path.join(TOP, "tests/golden/*/*.pt.trace.json")))
    yield from [p for p in own if WHICH in p and "damaged" not in p]  # the JSON files
    for p in paths:
        files = [p] if os.path.isfile(p) else sorted(glob.glob(os.path.join(p, "*.json*")))
        if os.path.basename(os.path.dirname(p)) in ("pytorch", "amd", "account"):
            yield from [f for f in files if os.path.getsize(f) <= SMALL][:3]


def judged(trace, todo, label, *checks):
    """Print one line for each failed check, or one line that all hold; returns the number of failures."""
    wrong = []
    for name, check in checks:
        try:
            check()
        except Wrong as e:
            wrong.append("%s: %s" % (name, e))
    word = todo.word(trace, not wrong)
    for w in wrong:
        print("%s %s %s" % (word, label, w))
    if not wrong:
        print("%s %s" % (word, label))
    sys.stdout.flush()
    return len(wrong) if word == "FAIL" else 0


def adds_up(trace, todo, label):
    ask = Answers(trace)
    try:
        if not ask.opened:
            print("skip %s: does not open" % label)
            return 0
        x = Said(ask)
        return judged(trace, todo, label, *[(c.__name__, lambda c=c: c(x)) for c in (parts, causes, steps, path, overview, evidence, disjoint, savings)],
                      ("screen", lambda: screen(x, trace)), ("asked by number", lambda: asked_by_number(x, ask)))
    except Wrong as e:
        return judged(trace, todo, label, ("answer", lambda: need(False, "%s", e)))
    finally:
        ask.close()


def main():
    todo, failed = Todo("account", CORPUS), 0
    if not CORPUS:
        print("skip traces: TRACETTY_CORPUS is not set")
    paths = traces()
    for p in paths:
        failed += adds_up(p, todo, "/".join(p.split(os.sep)[-2:]))
    for p in small(paths):
        with tempfile.TemporaryDirectory() as folder:
            failed += judged(p, todo, "/".join(p.split(os.sep)[-2:]) + " rewritten", ("equal", lambda: rewritten(p, folder)))
    over = todo.over()
    for line in over:
        print(line)
    return 1 if failed or over else 0


if __name__ == "__main__":
    sys.exit(main())
