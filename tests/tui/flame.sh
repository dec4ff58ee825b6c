#!/usr/bin/env bash
# From start to the widest call of the slowest step, and to the slices between two marks. Expected values are computed
# from the trace file here, not by the program.
. "$(dirname "$0")/_lib.sh"
FILE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz

facts() { # number of steps before the slowest; its host slice with most self time: name, duration, step
    python3 - "$FILE" <<'PY'
import gzip, json, sys
events = json.loads(gzip.open(sys.argv[1]).read())["traceEvents"]
host = [e for e in events if e.get("ph") == "X" and e["cat"] in ("cpu_op", "user_annotation", "python_function", "cuda_runtime")]
steps = sorted((e for e in host if e["name"].startswith("ProfilerStep#")), key=lambda e: e["ts"])
slow = max(range(len(steps)), key=lambda i: steps[i]["dur"])
inside = [e for e in host if e["tid"] == steps[slow]["tid"] and steps[slow]["ts"] <= e["ts"]
          and e["ts"] + e["dur"] <= steps[slow]["ts"] + steps[slow]["dur"]]
stack, own = [], {}
for e in sorted(inside, key=lambda e: (e["ts"], -e["dur"])):
    while stack and stack[-1]["ts"] + stack[-1]["dur"] < e["ts"] + e["dur"]: stack.pop()
    if stack: own[id(stack[-1])] -= e["dur"]
    own[id(e)] = e["dur"]
    stack.append(e)
most = max(inside, key=lambda e: own[id(e)])
print("%d\t%s\t%.4g\t%s" % (slow, most["name"], float(most["dur"]) / 1000, steps[slow]["name"]))
PY
}
IFS=$'\t' read -r _ name dur step < <(facts)

tt_start 120 40 "$FILE" || exit 1
tt_keys 7 I # the tab starts on the slowest step
tt_screen >"$TT_DIR/shot"
tt_check "flame: of the slowest step" grep -q "$step.*ms" "$TT_DIR/shot"
tt_check "flame: merged by path" grep -q 'Flame graph (merged)' "$TT_DIR/shot"
tt_keys G
tt_screen >"$TT_DIR/shot"
sed -n '/── Path/,$p' "$TT_DIR/shot" >"$TT_DIR/detail"
tt_check "flame: down the widest path lies what took longest" grep -qF "$name" "$TT_DIR/detail"
tt_check "flame: its time" grep -q "CPU time $dur ms" "$TT_DIR/detail"
tt_keys Enter
tt_check "flame: zoomed into it" [ "$(tt_screen | sed -n 5p | cut -c1-20)" = "$(printf %s "$name" | cut -c1-20)" ]
tt_keys s s
tt_keys x
tt_expect "flame: by device work" "GPU time"
tt_keys o
tt_expect "flame: in the order of time" "Flame chart (by time)"
tt_keys o t
tt_screen >"$TT_DIR/shot"
tt_check "flame: and to the timeline" grep -qE '\[4 (Trace|Time)' "$TT_DIR/shot"
tt_keys u
tt_expect "flame: back from the timeline" "Flame graph (merged)"
tt_keys I
tt_expect "flame: back to the steps" "[7 Steps]"

tt_keys 4 M ':'
tt_type 10%
tt_keys Enter m ':'
tt_type 80%
tt_keys Enter m
tt_screen >"$TT_DIR/shot"
tt_check "interval: the pane" grep -q 'Interval .* ms.*Categories.*Kernels' "$TT_DIR/shot"
tt_keys Tab Tab Tab
top=$(tt_screen | sed -n '/── Kernels/,$p' | sed -n 3p | awk '{print $1}' | tr -d '>')
tt_keys Enter
tt_screen >"$TT_DIR/shot"
sed -n '/── Selection/,$p' "$TT_DIR/shot" >"$TT_DIR/detail"
tt_check "interval: Enter shows the longest of a kernel" grep -qF "${top%%…*}" "$TT_DIR/detail"
tt_keys M I
tt_expect "flame: of a kernel its callers" "callers of"
tt_keys b b
tt_expect "flame: then its stream" "all of"
tt_quit Q
exit 0
