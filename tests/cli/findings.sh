#!/usr/bin/env bash
# Findings: each rule on a trace that meets it, and on a trace that does not.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
python3 - "$tmp" <<'PY'
import json, sys
def write(name, steps):
    """steps: lists of (category, name, start in the step, duration); a step is 10 ms or ends with its last event"""
    events, at, ids = [], 1000, 0
    for number, content in enumerate(steps):
        end = max([10000] + [s + d for _, _, s, d in content])
        events.append(dict(ph="X", cat="user_annotation", name="ProfilerStep#%d" % number, pid=1, tid=1, ts=at, dur=end))
        for cat, what, start, dur in content:
            e = dict(ph="X", cat=cat, name=what, pid=1, tid=1, ts=at + start, dur=dur, args={})
            if cat in ("kernel", "gpu_memcpy"):
                ids += 1
                events.append(dict(ph="X", cat="cuda_runtime", name="cudaLaunchKernel", pid=1, tid=1, ts=at + max(0, start - 3), dur=1,
                                   args=dict(correlation=ids)))
                e.update(pid=0, tid=7, args=dict(correlation=ids, device=0, stream=7))
            events.append(e)
        at += end + 10
    json.dump(dict(schemaVersion=1, deviceProperties=[dict(id=0, name="GPU", totalGlobalMem=1 << 34)], traceEvents=events),
              open("%s/%s.json" % (sys.argv[1], name), "w"))
busy = [("kernel", "gemm", 100, 9800)]
write("healthy", [busy] * 5)
write("slow", [busy] * 4 + [busy + [("kernel", "gemm", 9950, 8000)]])
write("blocked", [[("kernel", "gemm", 100, 4000), ("cuda_runtime", "cudaFree", 4200, 5000 + 20000 * late)] for late in (1, 0, 0)])
write("short", [[("kernel", "k%d" % (i % 7), 10 + 90 * i, 3) for i in range(100)]] * 3)
write("pageable", [busy[:1] + [("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 9910, 1500)]] * 3)
PY
found() { "$BIN" summary --table findings --format csv "$tmp/$1.json" 2>/dev/null; }
for rule in "slow slow_step Step 4" "blocked blocking_calls cudaFree" "short short_kernels 300 of 300" "pageable pageable_copies 3 copies"; do
    read -r trace id words <<<"$rule"
    if found "$trace" | grep "^$id,.*" | grep -q -- "$words"; then echo "ok $id: found, with $words"; else echo "FAIL $id: $(found "$trace")"; fi
    if found healthy | grep -q "^$id,"; then echo "FAIL $id in a healthy trace"; else echo "ok $id: not in a healthy trace"; fi
done
# a slow step names the cause of its waiting; no replay tells the saving
saving=$("$BIN" summary --table findings --format json "$tmp/slow.json" | python3 -c '
import json, sys
print(next(r["saving_ns"] for r in json.load(sys.stdin)["tables"][0]["rows"] if r["id"] == "slow_step"))')
[ "$saving" = None ] && echo "ok slow_step: without a number that nothing predicts" || echo "FAIL slow_step saves $saving"
# advice uses the words of the framework that wrote the trace; layers of Paddle are modules
"$BIN" summary --table findings --format csv assets/sample_paddle | grep -q "num_workers of paddle.io.DataLoader; use use_shared_memory=True" &&
    echo "ok input: Paddle's words" || echo "FAIL input: not in Paddle's words"
"$BIN" summary assets/sample_paddle --screen timeline --size 120x36 --color never | grep -q "module  *Net > ConvLayer" &&
    echo "ok Paddle's layers around a kernel" || echo "FAIL Paddle's layers around a kernel"
exit 0
