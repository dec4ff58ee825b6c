#!/usr/bin/env bash
# Why the device waits, what bounds the step, which kernel is furthest below its roof: the keys that answer. Answers are
# computed from the trace file here, not by the program.
. "$(dirname "$0")/_lib.sh"
RUN=assets/sample_gpu
RANK0=$RUN/train_rank0.1700000000000.pt.trace.json.gz

answers() {
    python3 - "$RANK0" <<'PY'
import gzip, json, sys
from decimal import Decimal
events = json.loads(gzip.open(sys.argv[1]).read(), parse_float=Decimal)["traceEvents"]
def put(name, value): print(name + "='" + str(value) + "'")
def ms(us): # four digits, as on screen
    v, unit = (us / 1000, "ms") if us >= 1000 else (us, "µs")
    return "%.*f %s" % (3 if v < 10 else 2 if v < 100 else 1, v, unit)
def exact(us): # to the nanosecond
    v, unit = (us / 1000, "ms") if us >= 1000 else (us, "µs")
    return ("%.6f" % v).rstrip("0").rstrip(".") + " " + unit
work = sorted((e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")), key=lambda e: e["ts"])
step = next(e for e in events if e.get("name") == "ProfilerStep#4" and e.get("cat") == "user_annotation")
# the account: windows of the steps, each until its launched work ends, none before its predecessor ends
launched = {e["args"]["correlation"]: e["ts"] for e in events if e.get("cat") == "cuda_runtime"}
account, last = [], 0
for s in sorted((e for e in events if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep#")), key=lambda e: e["ts"]):
    a, b = s["ts"], s["ts"] + s["dur"]
    b = max([b] + [e["ts"] + e["dur"] for e in work if a <= launched.get(e["args"]["correlation"], 0) < b])
    a = max(a, last)
    last = b
    if account and account[-1][1] == a: account[-1] = (account[-1][0], b)
    else: account.append((a, b))
# the longest gap that touches step 4: its whole length, and the part in the account
gaps, end = [], work[0]["ts"]
for e in work:
    if e["ts"] > end: gaps.append((end, e))
    end = max(end, e["ts"] + e["dur"])
def inside(g): return min(g[1]["ts"], step["ts"] + step["dur"]) - max(g[0], step["ts"])
begin, after = max(gaps, key=inside)
middle = (max(begin, step["ts"]) + after["ts"]) / 2
launch = next(e for e in events if e.get("cat") == "cuda_runtime" and e["args"].get("correlation") == after["args"]["correlation"])
frames = [e for e in events if e.get("cat") == "python_function" and e["tid"] == launch["tid"]
          and e["ts"] <= middle < e["ts"] + e["dur"] and "(" in e["name"] and not e["name"].startswith(("torch/", "<"))]
put("line", min(frames, key=lambda e: e["dur"])["name"])
put("whole_gap", ms(after["ts"] - begin))
idle = [(account[0][0], work[0]["ts"])] + [(g[0], g[1]["ts"]) for g in gaps] + [(end, account[-1][1])]
cut = sorted((max(a, x), min(b, y)) for a, b in idle for x, y in account if min(b, y) > max(a, x))
own = max(cut, key=lambda g: g[1] - g[0])
put("listed_gap", ms(own[1] - own[0]))
following = next(g for g in cut if g > own)
put("next_gap", ms(next(b - a for a, b in idle if a <= following[0] < b)))
put("gaps", len(cut))
# the costliest kernel: its calls, its launch, its launching operator
total = {}
for e in events:
    if e.get("cat") == "kernel": total[e["name"]] = total.get(e["name"], 0) + e["dur"]
top = max(total, key=total.get)
calls = [e for e in events if e.get("cat") == "kernel" and e["name"] == top]
put("calls", len(calls))
put("total", ms(total[top]))
put("most", ms(max(e["dur"] for e in calls)))
put("most_exact", exact(max(e["dur"] for e in calls)))
put("grid", calls[0]["args"]["grid"])
PY
}
eval "$(answers)"

# pieces of a finding by time: one wait per step, the third by far the longest
tt_start 120 40 "$RUN" || exit 1
on() { tt_until tt_has "evidence: piece $1 of 6"; }
tt_keys Enter
tt_check "evidence: it begins at the longest wait" on 3
tt_expect "evidence: its window is that wait" "between 32.40 ms"
tt_expect "evidence: the critical path is there" "critical path"
tt_expect "evidence: the cause" "idle: input"
tt_keys ']'
tt_check "evidence: the next wait" on 4
tt_keys '[' '['
tt_check "evidence: the one before" on 2
tt_keys '[' '['
tt_check "evidence: round again" on 6
tt_reject "evidence: nothing else is there" "stream 7"
tt_keys X
tt_expect "evidence: all rows" "stream 7"
tt_keys ']'
tt_check "evidence: the pieces go on" on 1
tt_keys u
tt_expect "evidence: back to the findings" "[1 Over"
tt_keys C-r
tt_check "evidence: and there again, at the same wait" on 1
tt_keys u 4
tt_reject "evidence: the timeline is as it was" "critical path"
tt_keys V
tt_check "path: a person asks for it" tt_until tt_has "critical path: "
tt_keys 1 Enter
tt_check "path: evidence has it, too" on 3
tt_keys u 4
tt_expect "path: and it stays" "critical path"
tt_quit Q

tt_start 120 40 "$RUN" || exit 1
# the longest step is among the findings
for _ in 1 2; do tt_screen | grep -q '^>.*Step 4 is' || tt_keys j; done
tt_keys W
tt_expect "why is the device idle in step 4: the tab" "[Idle]"
tt_expect "why is the device idle in step 4: only that step" "step 4"
tt_check "why is the device idle in step 4: the cause" grep -qE '^>GPU0 .* input ' <(tt_screen)
tt_expect "why is the device idle in step 4: the line of the program" "$line"
tt_expect "why is the device idle in step 4: what to do" "num_workers"
tt_keys u
tt_expect "why: back where it was asked" "[1 Over]"
tt_reject "why: back to all steps" "step 4 only"
tt_check "why: the finding is still selected" grep -q '^>.*Step 4 is' <(tt_screen)

# reached from the list of steps
tt_keys 7 W
tt_expect "why, from the steps: the line of the program" "$line"
tt_keys u
tt_expect "why, from the steps: back there" "[7 Steps]"

# gaps of the whole trace on the timeline, one by one
tt_keys : && tt_type "tab idle" && tt_keys Enter
tt_expect "gaps: the longest first, of the account" "$listed_gap"
tt_keys Enter
tt_expect "gaps: on the timeline" "[4 Time"
tt_expect "gaps: its length there, with what lies between two steps" "$whole_gap"
tt_expect "gaps: its line there" "$line"
tt_keys n
tt_expect "gaps: n goes to the next" "of $gaps"
tt_expect "gaps: which has its own length" "$next_gap"
tt_keys N
tt_expect "gaps: N goes back" "$whole_gap"
tt_keys u
tt_expect "gaps: back to the list" "[Idle]"

# what bounds the step: parts of one path that add up
tt_keys Tab Tab
tt_expect "what bounds the step: the path by category" "[Critical path]"
tt_check "what bounds the step: the most first" grep -qE '^>computation ' <(tt_screen)
tt_keys Tab
tt_expect "what would help: the names whose absence saves most" "[What if]"
tt_quit Q

# all about a kernel
tt_start 120 40 "$RUN" --screen kernels || exit 1
tt_keys Enter
tt_expect "kernel: its calls" "in $calls calls"
tt_expect "kernel: its time" "$total in $calls calls"
tt_expect "kernel: how it is launched" "grid [${grid//[][]/}]"
tt_expect "kernel: who launches it" "c10d::allreduce_"
tt_expect "kernel: the line of the program" "train.py("
tt_expect "kernel: how much of it the step waits for" "of the critical path"
tt_expect "kernel: its longest call" "$most"
tt_expect "kernel: statistics of its calls" "median"
tt_keys Enter
tt_expect "kernel: a call on the timeline" "duration    $most_exact"
tt_keys u
tt_expect "kernel: back to it" "in $calls calls"
tt_keys Escape
tt_expect "kernel: back to the list of kernels" "[3 Kern"

# which kernel is furthest below its roof
tt_keys : && tt_type "tab roofline" && tt_keys Enter
tt_expect "roofline: the one furthest below is named" "furthest below"
tt_quit Q
exit 0
