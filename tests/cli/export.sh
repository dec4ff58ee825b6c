#!/usr/bin/env bash
# export: a whole trace, opened again, has the same tables; a part has the tables of that part; exports are valid JSON.
set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C.UTF-8
BIN=${BIN:-$PWD/tracetty}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2"; }
check() { local what=$1; shift; if "$@" >"$tmp/log" 2>&1; then ok "$what"; else fail "$what" "$(head -c 300 "$tmp/log")"; fi; }
FILE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
table() { "$BIN" summary --table "$1" --format csv "${@:2}"; }
valid() { python3 -c 'import gzip, json, sys; p = sys.argv[1]; json.load(gzip.open(p) if p.endswith(".gz") else open(p))' "$1"; }
same() { diff <(table "$1" "$2") <(table "$1" "$3"); }

check "the whole trace" "$BIN" export "$FILE" --output "$tmp/train_rank0.json.gz"
check "is valid JSON" valid "$tmp/train_rank0.json.gz"
check "nothing is wrong with it" "$BIN" check "$tmp/train_rank0.json.gz"
for t in kernels operators runtime_api memory_curve memory_alive comm_steps step_breakdown modules user_ranges findings; do
    check "says the same: $t" same $t "$FILE" "$tmp/train_rank0.json.gz"
done

check "one step" "$BIN" export --steps 4 "$FILE" -o "$tmp/step.json"
check "one step is valid JSON" valid "$tmp/step.json"
step() { table step_breakdown "$@" | grep '^4,' | cut -d, -f1,3-; }
same_step() { [ -n "$(step "$1")" ] && [ "$(step "$1")" = "$(step "$2")" ]; }
check "one step says the same" same_step "$FILE" "$tmp/step.json"
counted() { # what is said to be written is what is there
    local said there
    said=$("$BIN" export --steps 4 "$FILE" -o "$tmp/step.json" 2>&1 | grep -o '[0-9,]* events written' | tr -dc 0-9)
    there=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["traceEvents"]))' "$tmp/step.json")
    [ "$said" -gt 1000 ] && [ "$said" = "$there" ]
}
check "events are counted" counted
smaller() { [ "$(stat -c %s "$tmp/step.json")" -lt $(($(gzip -dc "$FILE" | wc -c) / 2)) ]; }
check "one step is smaller" smaller
check "standard output" bash -c "'$BIN' export --range 10ms-11ms '$FILE' -o - | python3 -m json.tool >/dev/null"

# Several workers in one file: every event is there, with its own worker.
check "two workers in one file" "$BIN" export --merge assets/sample_gpu -o "$tmp/merged.json.gz"
check "... nothing is wrong with it" "$BIN" check "$tmp/merged.json.gz"
cat >"$tmp/merged.py" <<'PY'
import csv, gzip, io, json, subprocess, sys
BIN, merged, run = sys.argv[1:]
events = json.load(gzip.open(merged))["traceEvents"]
def ok(what, good, why=""): print("ok merged: " + what if good else "FAIL merged: %s: %s" % (what, why))
def table(name, path, *more):
    out = subprocess.run([BIN, "summary", "--table", name, "--format", "csv", *more, path], capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(io.StringIO(out)))
names = {e["args"]["name"] for e in events if e["name"] == "process_name"}
ok("processes bear the worker's name", "train_rank0: python3" in names and "train_rank1: python3" in names, names)
ends = {"s": {}, "f": {}}
for e in events:
    if e["ph"] in ends and e["name"] == "ac2g": ends[e["ph"]].setdefault(e["id"], set()).add(e["pid"] // 10000000)
ok("arrows stay within a worker", len(ends["s"]) > 2000 and all(ends["s"].get(i, ends["f"][i]) == ends["f"][i] and len(ends["f"][i]) == 1 for i in ends["f"]))
def by_operator(path):
    sums = {}
    for row in table("kernels", path, "--group-by", "operator"):
        key = (row["operator"], row["name"]); calls, ns = sums.get(key, (0, 0))
        sums[key] = calls + int(row["calls"]), ns + int(row["total_ns"])
    return sums
a, b = by_operator(merged), by_operator(run)
ok("kernels and their operators add up", a == b and len(a) > 20, [k for k in a if a.get(k) != b.get(k)][:3])
first = min(e["ts"] for e in events if e["ph"] == "X" and isinstance(e["pid"], int) and e["pid"] >= 0)
starts = table("step_breakdown", run)
ok("times are on the common axis", 0 <= first < 1e6 and {round(e["ts"] * 1000) for e in events if e["name"] == "ProfilerStep#3" and e["cat"] == "user_annotation"}
   == {int(r["start_at_ns"]) for r in starts if r["step"] == "3"})
PY
python3 "$tmp/merged.py" "$BIN" "$tmp/merged.json.gz" assets/sample_gpu
check "one rank" "$BIN" export --rank 1 assets/sample_gpu -o "$tmp/rank1.json"
check "... is that one" diff <(table kernels --worker train_rank1 assets/sample_gpu) <(table kernels "$tmp/rank1.json")
"$BIN" export --rank 9 assets/sample_gpu -o "$tmp/rank9.json" 2>"$tmp/log" && fail "no such rank" "accepted" || { grep -q 'no rank 9; the input has 0, 1' "$tmp/log" && ok "no such rank" || fail "no such rank" "$(cat "$tmp/log")"; }
"$BIN" export assets/sample_gpu -o "$tmp/both.json" 2>"$tmp/log" && fail "two workers without --merge" "accepted" || { grep -q -- '--merge' "$tmp/log" && ok "two workers without --merge" || fail "two workers without --merge" "$(cat "$tmp/log")"; }

# Pairs stay pairs, also of async slices; counters and damaged text are kept.
cat >"$tmp/odd.json" <<'JSON'
{"baseTimeNanoseconds": 1000, "note": "a \"quoted\" text", "traceEvents": [
{"ph":"M","name":"process_name","pid":7,"args":{"name":"odd"}},
{"ph":"B","cat":"cpu_op","name":"pair","pid":7,"tid":"t 1","ts":10.5,"args":{"x":[1,2]}},
{"ph":"X","cat":"cpu_op","name":"inner","pid":7,"tid":"t 1","ts":11,"dur":1.125},
{"ph":"E","cat":"cpu_op","name":"pair","pid":7,"tid":"t 1","ts":20.25,"args":{"y":3}},
{"ph":"b","cat":"io","id":"a1","name":"async","pid":7,"tid":2,"ts":12},
{"ph":"e","cat":"io","id":"a1","name":"async","pid":7,"tid":2,"ts":19},
{"ph":"C","name":"load","pid":7,"ts":13,"args":{"cpu":2.5}},
{"ph":"i","s":"t","cat":"mark","name":"here","pid":7,"tid":2,"ts":14},
{"ph":"X","cat":"cpu_op","name":"broken	tab","pid":7,"tid":2,"ts":15,"dur":2,"args":{"v":nan}},
{"ph":"X","cat":"cpu_op","name":"late","pid":7,"tid":2,"ts":900,"dur":2}]}
JSON
check "odd events" "$BIN" export --range 0-100us "$tmp/odd.json" -o "$tmp/odd2.json"
check "odd events are valid JSON" valid "$tmp/odd2.json"
as_was() {
    python3 - "$tmp/odd2.json" <<'PY'
import json, sys
trace = json.load(open(sys.argv[1]))
events = {(e["ph"], e["name"]): e for e in trace["traceEvents"]}
assert trace["note"] == 'a "quoted" text' and trace["baseTimeNanoseconds"] == 1000, trace
pair, end = events["B", "pair"], events["E", "pair"]
assert pair["ts"] == 10.5 and pair["args"] == {"x": [1, 2]} and pair["tid"] == "t 1", pair
assert end["ts"] == 20.25 and end["args"] == {"y": 3}, end
assert events["b", "async"]["ts"] == 12 and abs(events["e", "async"]["ts"] - 19) < 1e-9
assert events["C", "load"]["args"] == {"cpu": 2.5} and abs(events["C", "load"]["ts"] - 13) < 1e-9
assert events["i", "here"]["ts"] == 14
assert ("X", "broken\ttab") in events, list(events)
assert ("X", "late") not in events
PY
}
check "odd events are as they were" as_was

# folded stacks against the events of the file: self time of each path of each host thread
check "folded stacks" "$BIN" export "$FILE" -o "$tmp/all.folded"
check "folded stacks of device work" "$BIN" export --stacks device "$FILE" -o "$tmp/device.txt"
check "folded stacks of a range" "$BIN" export --range 20ms-60ms "$FILE" -o "$tmp/part.folded.gz"
folded() {
    python3 - "$FILE" "$tmp" <<'PY'
import gzip, json, sys
trace = json.load(gzip.open(sys.argv[1]))["traceEvents"]
ns = lambda v: int(round(float(v) * 1000))
device = ("kernel", "gpu_memcpy", "gpu_memset")
slices = [e for e in trace if e.get("ph") == "X" and e["cat"] not in ("Trace", "overhead")]
begin = min(ns(e["ts"]) for e in trace if "ts" in e and e["ph"] != "M")
def read(path):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    return {k: int(v) for k, v in (line.rstrip("\n").rsplit(" ", 1) for line in opened)}
def expect(t0, t1):
    out, threads = {}, {}
    for e in slices:
        if e["cat"] not in device and not e["cat"].startswith("gpu") and "stream" not in e.get("args", {}):
            threads.setdefault(e["tid"], []).append((ns(e["ts"]) - begin, ns(e["dur"]), e["name"]))
    for tid, rows in threads.items():
        stack = []
        for start, dur, name in sorted(rows, key=lambda r: (r[0], -r[1])):
            while stack and (stack[-1][1] <= start or stack[-1][1] < start + dur): stack.pop()
            name = "ProfilerStep" if name.startswith("ProfilerStep#") else name.replace(";", ",")
            path = (stack[-1][2] + ";" if stack else "") + name
            part = max(0, min(t1, start + dur) - max(t0, start))
            out[tid, path] = out.get((tid, path), 0) + part
            if stack: out[tid, stack[-1][2]] -= part
            stack.append((start, start + dur, path))
    merged = {}
    for (tid, path), v in out.items():
        if v > 0: merged[path] = merged.get(path, 0) + v
    return merged
def without_thread(stacks):
    out = {}
    for path, v in stacks.items():
        rest = path.split(";", 1)[1]
        out[rest] = out.get(rest, 0) + v
    return out
got, want = without_thread(read(sys.argv[2] + "/all.folded")), expect(0, 1 << 62)
assert len(got) > 300 and got == want, [(k, got.get(k), want.get(k)) for k in {*got, *want} if got.get(k) != want.get(k)][:5]
part = without_thread(read(sys.argv[2] + "/part.folded.gz"))
want = expect(20000000, 60000000)
assert part == want, [(k, part.get(k), want.get(k)) for k in {*part, *want} if part.get(k) != want.get(k)][:5]
launched = {e["args"]["correlation"] for e in slices if e["cat"] in ("cuda_runtime", "cuda_driver")}
work = sum(ns(e["dur"]) for e in slices if e["cat"] in device and e["args"].get("correlation") in launched)
got = sum(read(sys.argv[2] + "/device.txt").values())
assert got == work > 0, (got, work)
PY
}
check "folded stacks are right" folded
"$BIN" export assets/sample_gpu -o "$tmp/two.folded" 2>"$tmp/err"
[ $? = 2 ] && grep -q worker "$tmp/err" && [ ! -e "$tmp/two.folded" ] && ok "stacks of two workers are no file" || fail "stacks of two workers are no file" "$(cat "$tmp/err")"

"$BIN" export assets/sample_gpu -o "$tmp/two.json" 2>"$tmp/err"
[ $? = 2 ] && grep -q worker "$tmp/err" && [ ! -e "$tmp/two.json" ] && ok "two workers are no file" || fail "two workers are no file" "$(cat "$tmp/err")"
check "one of two workers" "$BIN" export --worker train_rank1 assets/sample_gpu -o "$tmp/one.json.gz"
"$BIN" export "$FILE" -o "$tmp/none/x.json" 2>"$tmp/err"
[ $? = 3 ] && grep -q "none/x.json" "$tmp/err" && ok "a folder that is not there" || fail "a folder that is not there" "$(cat "$tmp/err")"
cp "$FILE" "$tmp/self.json.gz"
"$BIN" export "$tmp/self.json.gz" -o "$tmp/self.json.gz" 2>"$tmp/err"
[ $? = 2 ] && cmp -s "$FILE" "$tmp/self.json.gz" && ok "not over the trace itself" || fail "not over the trace itself" "$(cat "$tmp/err")"
[ -z "$(find "$tmp" -name '*.json.??????')" ] && ok "nothing is left behind" || fail "nothing is left behind" "$(ls "$tmp")"
exit 0
