#!/usr/bin/env bash
# The export of recordings: every key that other tools look for, the rules of the text, and parts of a recording.
. "$(dirname "$0")/_lib.sh"
export FAKE_CUPTI=$tmp/script FAKE_CUDA=$B/tests/doubles/libfakecuda.so:$B/tests/doubles/libcudart-fake.so
printf '%s\n' device context stream "launch 40" "early 10" "node 4" "copy 10" "peer 2" "set 5" "sync 3" "event 4" "overhead 2" "memory 5" \
    "pool 3" "noisy 7" "driver 2" "graph 1" flush >"$FAKE_CUPTI"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so

# ---- a training with everything
# enough steps to sample processor use twice
RANK=3 WORLD_SIZE=8 record --cpu-util 50 --memory --trace +graph,event "$target" cuda-train 60
"$BIN" export "$dir" -o "$tmp/all.json" 2>"$tmp/err"; same "export" $? 0
python3 tests/capture/export_keys.py "$tmp/all.json" --device
gzip -dc "$dir"/*.json.gz >"$tmp/recorded.json"
cmp -s "$tmp/all.json" "$tmp/recorded.json" && echo "ok the recorder writes the same file" || echo "FAIL the recorder's own export differs"
same "problems are those of the recording" "$("$BIN" check "$tmp/all.json" | tail -n +2)" "$("$BIN" check "$dir" | tail -n +2)"
format() { "$BIN" summary --format json --table run "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["source"]["format"])'; }
fact() { table run "$2" | sed -n "s/^$1,//p"; }
same "a recording is called what it is" "$(format "$dir") $(fact format "$dir") $(fact framework "$dir")" "tracetty tracetty PyTorch"
same "... its export has PyTorch's layout" "$(format "$tmp/all.json") $(fact format "$tmp/all.json") $(fact framework "$tmp/all.json")" "pytorch pytorch PyTorch"
has "... and says who wrote it" <(table run "$tmp/all.json") '^recorder,tracetty [0-9.]+'
has "its devices are known again" <(table devices "$tmp/all.json") '^GPU0,A GPU for tests,85899345920,9.0,'

has "what recording cost" <(table run) '^capture_overhead,252\.000 us \([0-9.e-]+ ?%\), as CUPTI says$|^capture_overhead,"252\.000 us \([0-9.e-]+ ?%\), as CUPTI says"$'
same "a fact is said once" "$(table run | cut -d, -f1 | sort | uniq -d)" ""

has "from an operator to its backward and back: b" <("$BIN" summary --screen trace --size 120x40 --keys '/ M m B a c k w a r d Enter b' "$dir" |
    grep -A1 '^── Selection') '^ aten::mm '

# ---- a recording without CUDA
TRACETTY_CUPTI=/no/such.so record "$target" train 3
"$BIN" export "$dir" -o "$tmp/cpu.json" 2>"$tmp/err"
python3 tests/capture/export_keys.py "$tmp/cpu.json" | sed 's/^\(ok\|FAIL\) /&without CUDA: /'

"$BIN" record -o "$tmp/plain" --at-end nothing "$target" basic 2>"$tmp/err"
same "without operators of PyTorch nobody says PyTorch" "$(fact framework "$tmp/plain")$(fact framework "$(echo "$tmp"/plain/*.gz)")" ""
TRACETTY_CUPTI=/no/such.so "$BIN" record -o "$tmp/none" --at-end nothing "$target" cuda-basic 2>"$tmp/err"
has "the overview says why there is no GPU" <("$BIN" summary --screen overview --size 120x35 "$tmp/none") '^ +fix +libcupti was not found'

has "... so do the findings" <(table findings "$tmp/none") '^no_gpu_activity,medium,No GPU activity recorded,.*libcupti was not found'

# ---- no file name given: `record` writes the export at its end
TRACETTY_CUPTI=/no/such.so "$BIN" record -o "$tmp/later" --format spool --at-end nothing bash -c \
    'for r in 0 1; do RANK=$r "$1" train 2 & done; wait' - "$target" 2>"$tmp/err"
"$BIN" export --rank 1 "$tmp/later" 2>"$tmp/err"
same "JSON beside the recording of a rank" "$? $(ls "$tmp/later" | grep -c 'rank1.*pt.trace.json.gz') $(ls "$tmp/later" | grep -c 'json.gz')" "0 1 1"
"$BIN" export "$tmp/later" 2>"$tmp/err"
same "... of all of them" "$? $(ls "$tmp/later" | grep -c 'rank[01].*pt.trace.json.gz') $(grep -c 'events written' "$tmp/err")" "0 2 2"
python3 tests/capture/export_keys.py <(gzip -dc "$tmp/later"/*rank0*.gz) | grep -v '^ok'
for part in "--steps 1-1" --merge "--stacks time"; do
    # shellcheck disable=SC2086
    "$BIN" export $part "$tmp/later" 2>"$tmp/err"; same "... parts of it need a name: $part" $? 2
done
"$BIN" export "$tmp/all.json" 2>"$tmp/err"; same "... and so do traces" $? 2

printf '%s\n' device context "launch 30" "drop 1200" flush >"$FAKE_CUPTI"
"$BIN" record -o "$tmp/drops" --at-end nothing "$target" cuda-train 2 >"$tmp/out" 2>"$tmp/err"
has "they say that events were lost" <(table findings "$tmp/drops") '^events_lost,high,Profiler dropped 7200 events \(9[0-9.]+ ?%\): times are underestimated'
has "... before all else" <("$BIN" summary --screen overview --size 120x35 "$tmp/drops" | grep -A1 '^── Findings') '^[> ]high +Profiler dropped 7200 events'
has "... of the export too" <(table findings "$(echo "$tmp"/drops/*.gz)") '^events_lost,high,Profiler dropped 7200 events'

# ---- ranges without operators: tables of operators list them; a range may end on another thread
TRACETTY_CUPTI=/no/such.so "$BIN" record -o "$tmp/ranges" --at-end nothing "$target" threads 5 2>"$tmp/err"
same "ranges stand for operators" "$(table operators "$tmp/ranges" | cut -d, -f1,2 | tr '\n' ' ')" "name,calls pair,20 "
has "... which is said" <("$BIN" summary --table operators "$tmp/ranges") '^\(annotations only: no operators were recorded\)$'
has "... in the explorer too" <("$BIN" summary --screen operators --size 120x35 "$tmp/ranges") '^── Operators .*annotations only: no operators were recorded'
same "... not where there are operators" "$(table operators "$dir" | grep -c model)" 0
"$BIN" record -o "$tmp/across" --at-end nothing "$target" cuda-train 20 >"$tmp/out" 2>"$tmp/err"
same "ranges that end on another thread" "$(table user_ranges "$tmp/across" | sed -n 's/^across threads,//p' | cut -d, -f1) $("$BIN" check "$tmp/across" | grep -c unmatched)" "20 0"
same "... none lost its end" "$(gzip -dc "$tmp"/across/*.gz | grep -c 'end was lost')" 0

"$BIN" record -o "$tmp/outlasts" --capture-range "a window" --at-end nothing "$target" odd 2>"$tmp/err"
"$BIN" export "$tmp/outlasts" -o "$tmp/outlasts.json" 2>"$tmp/err"
has "a range that outlasts what is recorded has its own end" <(grep '"X"' "$tmp/outlasts.json" | grep -v 'end was lost') '"outlasts its window"'

# ---- recording ends before the program, and steps only
record --steps skip_first=1,wait=1,active=2,repeat=2 "$target" cuda-train 8
for span in 1 2; do "$BIN" export --span $span "$dir" -o "$tmp/steps$span.json" 2>"$tmp/err" || echo "FAIL no export of span $span"; done
python3 - "$tmp/steps1.json" "$tmp/steps2.json" <<'PY'
import json, sys
ds = [json.load(open(f)) for f in sys.argv[1:]]
d = {"traceEvents": sum((d["traceEvents"] for d in ds), []), "tracetty": {"windows": sum((d["tracetty"]["windows"] for d in ds), [])}}
def check(what, good, found): print("ok " + what if good else "FAIL %s: %s" % (what, found))
steps = sorted((e["ts"], e["ts"] + e["dur"], e["name"]) for e in d["traceEvents"] if e["ph"] == "X" and e["name"].startswith("ProfilerStep#") and e["cat"] == "user_annotation")
windows = d["tracetty"]["windows"]
check("steps of two windows", [s[2][-1] for s in steps] == ["2", "3", "5", "6"], steps)
check("the windows are those of the schedule", len(windows) == 2 and
      all(w[0] <= a[0] + 0.002 and b[1] <= w[1] + 0.002 for w, a, b in zip(windows, steps[::2], steps[1::2])), (windows, steps))
end = d["traceEvents"][-1]
check("the end of the window", end["name"] == "Record Window End" and end["ts"] >= steps[-1][1] - 0.002, end)
PY
"$BIN" export --span 1 --steps 2-2 "$dir" -o "$tmp/one.json" 2>"$tmp/err" || echo "FAIL no export of a part"
python3 - "$tmp/one.json" <<'PY'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
step = [e for e in events if e["name"] == "ProfilerStep#2" and e["cat"] == "user_annotation"]
others = [e for e in events if e["name"].startswith("ProfilerStep#") and e["name"] != "ProfilerStep#2" and e["ph"] == "X" and e["cat"] == "user_annotation"]
end = events[-1]
good = len(step) == 1 and end["name"] == "Record Window End" and step[0]["ts"] < end["ts"] <= step[0]["ts"] + step[0]["dur"] + 200
print("ok a part ends where its steps do" if good else "FAIL a part: %s %s" % (step, end))
PY

# ---- names with characters to escape, and a folder with such a name
odd=$tmp/$(printf 'odd "na\\me\377 \u00e9 \001')
mkdir "$odd" && cp "$target" "$odd/tar\"get" && dir=$odd/rec
TRACETTY_CUPTI=/no/such.so "$BIN" record -o "$dir" --at-end nothing "$odd/tar\"get" strings 2>"$tmp/err"
"$BIN" export "$dir" -o "$tmp/strings.json" 2>"$tmp/err"
python3 tests/capture/export_keys.py "$tmp/strings.json" | grep -e 'characters' -e 'event a line' -e 'NaN' -e 'last event' | sed 's/^\(ok\|FAIL\) /&odd names: /'
python3 - "$tmp/strings.json" <<'PY'
import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
def check(what, good, found=""): print("ok " + what if good else "FAIL %s: %r" % (what, found))
bad = "\ufffd"
want = ['quote " backslash \\ slash /', "line\nfeed tab\t bell\a delete\x7f", "broken %s%s( cut %s%s" % (bad, bad, bad, bad),
        "overlong %s%s surrogate %s%s%s" % ((bad,) * 5), "caf\u00e9 \u4e2d \U0001F600 \u2028 \u202e", '"} , {"ph": "X"']
for ph, what in (("X", "ranges"), ("i", "marks"), ("C", "counters")):
    found = [e["name"] for e in d["traceEvents"] if e["ph"] == ph and e["name"] not in ("Record Window End", "CPU utilisation %")]
    check("names of " + what, sorted(found) == sorted(want), found)
check("the name of a thread", any(want[2] in e["args"]["name"] for e in d["traceEvents"] if e["name"] == "thread_name"))
check("the name of a process", any(e["args"]["name"] == 'tar"get' for e in d["traceEvents"] if e["name"] == "process_name"))
check("facts of the program", d["note"] == 'quote " and \u00e9' and d['broken "key"' + bad] == "no JSON " + bad, d)
PY
