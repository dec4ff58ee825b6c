#!/usr/bin/env bash
# Users' questions, and the keys that answer them. Answers are computed from the trace files here, not by the program.
. "$(dirname "$0")/_lib.sh"
RUN=assets/sample_gpu
RANK0=$RUN/train_rank0.1700000000000.pt.trace.json.gz

answers() {
    python3 - "$RUN" <<'PY'
import glob, gzip, json, sys
from decimal import Decimal
ranks = [json.loads(gzip.open(p).read(), parse_float=Decimal)["traceEvents"] for p in sorted(glob.glob(sys.argv[1] + "/*.gz"))]
events = ranks[0]
start = min(Decimal(e["ts"]) for r in ranks for e in r if e.get("ph") in "Xi" and "ts" in e)
def put(name, value): print(name + "=" + "'" + str(value) + "'")
def gib(n): return "%.2f GiB" % (n / 2**30) if n >= 2**30 else "%.2f MiB" % (n / 2**20)
def ms(us): # four digits, as on screen
    v, unit = (us / 1000, "ms") if us >= 1000 else (us, "µs")
    return "%.*f %s" % (3 if v < 10 else 2 if v < 100 else 1, v, unit)
def exact(us): # to the nanosecond
    v, unit = (us / 1000, "ms") if us >= 1000 else (us, "µs")
    return ("%.6f" % v).rstrip("0").rstrip(".") + " " + unit
# (a) the costliest kernel, its first launch, and the operator around it
total = {}
for e in events:
    if e.get("cat") == "kernel": total[e["name"]] = total.get(e["name"], 0) + e["dur"]
top = max(total, key=total.get)
first = min((e for e in events if e.get("cat") == "kernel" and e["name"] == top), key=lambda e: e["ts"])
launch = next(e for e in events if e.get("cat") == "cuda_runtime" and e["args"]["correlation"] == first["args"]["correlation"])
around = [e for e in events if e.get("cat") == "cpu_op" and e["tid"] == launch["tid"] and e["ts"] <= launch["ts"] < e["ts"] + e["dur"]]
put("kernel", top.split("<")[0].split("(")[0].split("::")[-1][:20])
put("kernel_full", top)
put("operator", min(around, key=lambda e: e["dur"])["name"])
# (b), (f) input waits
waits = {}
steps = [e for e in events if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep#")]
for e in events:
    if e.get("cat") == "user_annotation" and e["name"].startswith("enumerate(DataLoader)"):
        step = next(s for s in steps if s["ts"] <= e["ts"] < s["ts"] + s["dur"])
        waits[int(step["name"].split("#")[1])] = e["dur"]
worst = max(waits, key=waits.get)
put("wait_step", worst)
put("wait", ms(waits[worst]))
put("wait_exact", exact(waits[worst]))
put("wait_after", ms(waits[worst + 1]))
def kernels(rank, step): # time of the kernels launched in a step
    s = next(e for e in ranks[rank] if e.get("name") == "ProfilerStep#%d" % step and e.get("cat") == "user_annotation")
    ids = {e["args"]["correlation"] for e in ranks[rank] if e.get("cat") == "cuda_runtime" and s["ts"] <= e["ts"] < s["ts"] + s["dur"]}
    return sum(e["dur"] for e in ranks[rank] if e.get("cat") == "kernel" and e["name"].startswith("nccl") and e["args"]["correlation"] in ids)
put("nccl0", ms(kernels(0, worst)))
put("nccl1", ms(kernels(1, worst)))
# (c) the peak, and the largest holder of it
memory = sorted((e for e in events if e.get("name") == "[memory]" and e["args"]["Device Type"] == 1), key=lambda e: e["ts"])
peak = max(memory, key=lambda e: e["args"]["Total Allocated"])
put("peak", gib(peak["args"]["Total Allocated"]))
alive = {}
for e in memory:
    if e["ts"] > peak["ts"]: break
    if e["args"]["Bytes"] > 0: alive[e["args"]["Addr"]] = e
    else: alive.pop(e["args"]["Addr"], None)
def maker(e):
    ops = [o for o in events if o.get("cat") == "cpu_op" and o["tid"] == e["tid"] and o["ts"] <= e["ts"] < o["ts"] + o["dur"]]
    return min(ops, key=lambda o: o["dur"])["name"] if ops else None
held = {}
for e in alive.values(): held[maker(e)] = held.get(maker(e), 0) + e["args"]["Bytes"]
put("holder", sorted(held, key=lambda k: (-held[k], k))[0])
put("held", gib(max(held.values())))
# (d) the rank that others wait for
calls = [[e["dur"] for e in sorted((e for e in r if e.get("cat") == "kernel" and "nccl" in e["name"]), key=lambda e: e["ts"])] for r in ranks]
caused = [0] * len(ranks)
for durs in zip(*calls): caused[durs.index(min(durs))] += max(durs) - min(durs)
put("longest", "duration    " + exact(max(max(d) for d in zip(*calls))))
put("slowest", "train_rank%d" % caused.index(max(caused)))
put("waits", " ".join("train_rank%d=%d" % (r, sum((durs[r] - min(durs)) * 1000 for durs in zip(*calls))) for r in range(len(ranks))))
# (e) an operator with a shape
shapes = {}
for e in events:
    if e.get("cat") == "cpu_op" and e["name"] == "aten::addmm":
        k = json.dumps(e["args"]["Input Dims"])
        shapes[k] = shapes.get(k, 0) + 1
shape = sorted(shapes)[0]
put("shape", shape)
put("shape_calls", shapes[shape])
PY
}
eval "$(answers)"

tt_start 120 40 "$RUN" || exit 1
tt_expect "findings: the slow step" "Step $wait_step is"
tt_expect "findings: the rank that is waited for" "rank ${slowest#train_rank} is last to arrive"
for _ in 1 2 3 4 5 6; do tt_screen | grep -q '^>.*last to arrive' || tt_keys j; done
tt_keys Enter
tt_expect "findings: the proof is on the timeline" "[4 Time"
tt_expect "findings: with its length" "$longest"
tt_keys u
# (a) four keys
tt_keys 3 t '[' '['
tt_expect "costliest kernel: the operator that launched it" "$operator"
tt_keys 3
tt_expect "costliest kernel: its name" "$kernel"
tt_expect "costliest kernel: who launches it, without leaving the table" "launched by $operator "

# (b) the longest wait is the first of its slices
tt_keys 7 Tab Tab
tt_keys :
tt_type "sort dataloader_ns"
tt_keys Enter
tt_check "input wait: the step" grep -qE "^>$wait_step .* $wait " <(tt_screen)
tt_keys 9 Tab Tab /
tt_type enumerate
tt_keys Enter Enter
tt_expect "input wait: the list begins with the longest" "$wait"
tt_keys Enter
tt_expect "input wait: the timeline" "[4 Time"
tt_expect "input wait: it is selected" "duration    $wait_exact"

# (c) one key
tt_keys 5
tt_expect "memory: the peak" "peak $peak"
tt_check "memory: who held it" grep -qE -- "$holder .*$held" <(tt_screen)
tt_keys h
elsewhere() { tt_screen | grep -q 'Live at [0-9]'; } # computed once the cursor rests
tt_check "memory: elsewhere than at the peak" tt_until elsewhere
tt_keys P
tt_check "memory: back at the peak" tt_until tt_has "Live at peak"

# (d) one key
tt_keys 6
tt_expect "ranks: the straggler" "Straggler: rank ${slowest#train_rank}, last to arrive"
tt_expect "ranks: why it is late" "its DataLoader takes"
tt_check "ranks: the picture of waits has a line for each, and names the steps" [ "$(tt_screen | grep -cE '^ rank [01] .*··|╵step 2 .*╵step 7')" = 3 ]
got=$("$BIN" summary --format json --table comm_waits --limit 0 "$RUN" | python3 -c '
import collections, json, sys
waits = collections.Counter()
for row in json.load(sys.stdin)["tables"][0]["rows"]: waits[row["worker"]] += row["waited_ns"]
print(*("%s=%d" % w for w in sorted(waits.items())))')
tt_check "ranks: what each waited, of all collectives" [ "$got" = "$waits" ]

tt_check "ranks: when the kernels of collectives begin" python3 - "$BIN" "$RUN" <<'PY'
import glob, gzip, json, subprocess, sys
rows = json.loads(subprocess.run([sys.argv[1], "summary", "--format", "json", "--table", "comm_waits", sys.argv[2]],
                                 capture_output=True, check=True).stdout)["tables"][0]["rows"]
for rank in "01":
    events = json.load(gzip.open(glob.glob(sys.argv[2] + "/train_rank%s.*" % rank)[0]))["traceEvents"]
    kernels = sorted(float(e["ts"]) for e in events if e.get("cat") == "kernel" and e["name"].startswith("nccl"))
    got = sorted(r["kernel_at_ns"] for r in rows if r["worker"] == "train_rank" + rank)
    assert len(got) == len(kernels) == 24, (len(got), len(kernels))
    assert all(abs((a - got[0]) - (b - kernels[0]) * 1000) < 2 for a, b in zip(got, kernels))
    assert all(r["kernel_at_ns"] >= r["start_at_ns"] for r in rows)
PY

# (e)
tt_keys 2 b F
tt_type "$shape"
tt_keys Enter
tt_check "operator and shape: its calls" grep -qE "aten::addmm .* $shape_calls " <(tt_screen)
tt_keys '\' b b b

# (f) from the table back to the bars
tt_keys 7 BTab BTab g
for _ in $(seq 3 "$wait_step"); do tt_keys j; done
tt_keys m j m
tt_expect "two steps: which" "Step $wait_step (A) and step $((wait_step + 1)) (B)"
tt_check "two steps: the input wait of both" grep -qE "DataLoader +$wait +$wait_after" <(tt_screen)
tt_keys M k c
tt_expect "one step of two ranks: which" "Step $wait_step (A, train_rank0) and step $wait_step (B, train_rank1)"
tt_keys Tab b
tt_check "one step of two ranks: time of a kernel" grep -qE "nccl[^ ]* +$nccl0 +$nccl1" <(tt_screen)
tt_keys BTab
tt_quit Q

# a window of all ranks is one file
tt_start 120 40 "$RUN" --screen trace || exit 1
tt_keys : && tt_type "all" && tt_keys Enter
tt_keys e C-u
tt_type "$TT_DIR/both.json.gz"
tt_keys Enter
tt_expect "export of two ranks: done" "of all workers in scope written to"
tt_check "export of two ranks: all of their kernels" python3 -c '
import glob, gzip, json, sys
def kernels(paths): return sorted((e["name"], float(e["dur"])) for p in paths for e in json.loads(gzip.open(p).read())["traceEvents"] if e.get("cat") == "kernel")
sys.exit(kernels(glob.glob(sys.argv[1] + "/*.gz")) != kernels([sys.argv[2]]))' "$RUN" "$TT_DIR/both.json.gz"
tt_quit Q

# (g)
tt_start 120 40 "$RANK0" || exit 1
tt_keys 3 y
tt_check "copy: the whole name of the kernel" [ "$(cat "$TT_DIR/tracetty-yank")" = "$kernel_full" ]

# (h)
tt_keys 7 g
for _ in $(seq 3 "$wait_step"); do tt_keys j; done
tt_keys t
tt_expect "export: the step is marked" "A "
tt_keys e C-u
tt_type "$TT_DIR/part.json.gz"
tt_keys Enter
tt_expect "export: done" "events written to"
cp "$TT_DIR/part.json.gz" "$TT_DIR.part.json.gz"
tt_quit Q
tt_check "export: valid JSON" python3 -c 'import gzip, json, sys; json.loads(gzip.open(sys.argv[1]).read())' "$TT_DIR.part.json.gz"
tt_check "export: nothing is wrong with it" bash -c "\"\$0\" check \"\$1\" >/dev/null" "$BIN" "$TT_DIR.part.json.gz"
tt_start 120 40 --screen steps "$TT_DIR.part.json.gz" || exit 1
tt_expect "export: opened again, the step is there" "step $wait_step"
tt_check "export: with its input wait" grep -q "$wait" <(tt_screen; "$BIN" summary --table step_breakdown "$TT_DIR.part.json.gz")
tt_quit Q
rm -f "$TT_DIR.part.json.gz"
exit 0
