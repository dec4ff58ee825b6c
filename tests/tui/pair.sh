#!/usr/bin/env bash
# From a row of a comparison to both timelines and through their steps. Expected values are computed from the trace
# files here, not by the program.
. "$(dirname "$0")/_lib.sh"
BASE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
NEW=assets/sample_gpu/train_rank1.1700000000000.pt.trace.json.gz

# Step at a place of both files; for a kernel in both steps, per side "PLACE of N" and durations in us.
facts() { # STEP
    python3 - "$1" "$BASE" "$NEW" <<'PY'
import gzip, json, sys
from collections import Counter, defaultdict
def side(path, place):
    events = [e for e in json.loads(gzip.open(path).read())["traceEvents"] if e.get("ph") == "X"]
    steps = sorted((e for e in events if e["cat"] == "user_annotation" and e["name"].startswith("ProfilerStep#")), key=lambda e: e["ts"])
    step = steps[place]
    launch = {e["args"]["correlation"]: e["ts"] for e in events if e["cat"] == "cuda_runtime" and "correlation" in e.get("args", {})}
    kernels = defaultdict(list)
    for e in events:
        at = launch.get(e.get("args", {}).get("correlation"))
        if e["cat"] == "kernel" and at is not None and step["ts"] <= at < step["ts"] + step["dur"]: kernels[e["name"]].append((at, e["dur"]))
    return step["name"].split("#")[1], {k: [d for _, d in sorted(v)] for k, v in kernels.items()}
(a, base), (b, new) = (side(p, int(sys.argv[1])) for p in sys.argv[2:])
name = min((n for n in base if n in new and n.replace("_", "").isalnum()), key=lambda n: (-len(base[n]), n))
print(a, b, name, ",".join("%.3f" % d for d in base[name]), ",".join("%.3f" % d for d in new[name]))
PY
}
# Whether a side's line in the pane has a place and duration of the list. Durations are shown in us or ms.
agrees() { # SIDE DURATIONS
    sed -n '/ kernel ──/,$p' "$TT_DIR/shot" | grep -E "^ $1 " | python3 -c '
import re, sys
want = [float(x) for x in sys.argv[1].split(",")]
m = re.search(r"[+-][\d.,]+ \w+ +([\d.,]+) (ns|us|ms) +(\d+) of (\d+)", sys.stdin.read())
us = float(m[1].replace(",", "")) * {"ns": 1e-3, "us": 1, "ms": 1e3}[m[2]]
sys.exit(not (int(m[4]) == len(want) and abs(us - want[int(m[3]) - 1]) < 0.0015 * max(1, {"ns": 1e-3, "us": 1, "ms": 1e3}[m[2]])))' "$2"
}
read -r a0 b0 _ _ _ < <(facts 0)
read -r a1 b1 name base_us new_us < <(facts 1)

tt_start 120 40 diff "$BASE" "$NEW" || exit 1
tt_keys ':'
tt_type 'tab pair'
tt_keys Enter
tt_expect "pair: the first step of both" "aligned at step $a0 / step $b0"
tt_keys '>'
tt_expect "pair: the next" "aligned at step $a1 / step $b1"
tt_keys '/'
tt_type "$name"
tt_keys Enter
tt_screen >"$TT_DIR/shot"
tt_check "pair: the kernel" grep -qF "$name" "$TT_DIR/shot"
tt_check "pair: its call in the base" agrees base "$base_us"
tt_check "pair: the same call in the new run" agrees new "$new_us"
tt_expect "pair: the new run has the keys" " base  Tab"
tt_keys Tab
tt_expect "pair: the base has the keys" " new   Tab"
tt_keys . Z
tt_screen >"$TT_DIR/shot"
tt_check "pair: the next slice, of the base" grep -qE '^ base ' "$TT_DIR/shot"
tt_keys m l m
tt_expect "pair: an interval of both" "Interval"
tt_keys M '<' '<'
tt_expect "pair: before the first step there is none" "the first: aligned at step $a0 / step $b0"
tt_resize 60 16
tt_expect "pair: on a small terminal" " new   Tab"
tt_resize 120 40
tt_keys q
tt_reject "pair: and back" "aligned at step"
tt_quit Q
tt_check "pair: left in order" [ "$TT_STATUS" = 0 ]
