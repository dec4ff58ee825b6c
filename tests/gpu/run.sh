#!/usr/bin/env bash
# Proves recording on a machine with a GPU; not part of `make test`. Environment: B (build folder), BIN, PYTHON (with torch, if there is one).
# Sections as in the design: return codes, exact counts, cost of a launch, PyTorch, two profilers, signals.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build} BIN=${BIN:-./tracetty} PYTHON=${PYTHON:-python3}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
[ -e /dev/nvidiactl ] || { echo "skip: no GPU here"; exit 77; }
ok() { echo "ok $1"; }
fail() { echo "FAIL $1"; failed=1; }
failed=0 n=0
record() { n=$((n + 1)) dir=$tmp/r$n; "$BIN" record -o "$dir" --at-end nothing "$@" >"$tmp/out" 2>"$tmp/err"; status=$?; }
sum() { # TABLE CSV-COLUMN [FILTER]: sum of calls
    "$BIN" summary --table "$1" --format csv --limit 0 ${3:+--filter "$3"} "$dir" 2>/dev/null | python3 -c '
import csv, sys
print(sum(int(r[sys.argv[1]] or 0) for r in csv.DictReader(sys.stdin)))' "$2"; }
same() { [ "$2" = "$3" ] && ok "$1: $2" || fail "$1: $2, want $3"; }

echo "== A: what is here"
"$BIN" doctor
nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -1)
if [ -n "$nvcc" ] && "$nvcc" -O2 -o "$tmp/target" tests/gpu/target.cu -ldl; then
    echo "== B: exact counts"
    record --memory "$tmp/target" 1000
    same "status" $status 0
    [ -s "$tmp/err" ] && sed 's/^/  /' "$tmp/err"
    # shellcheck disable=SC2046
    set -- $(cat "$tmp/out")
    same "kernels" "$(sum kernels calls)" "$2"
    same "copies" "$(sum memcpy calls Memcpy)" "$4"
    same "sets" "$(sum memcpy calls Memset)" "$6"
    same "steps" "$("$BIN" summary --table step_breakdown --format csv "$dir" 2>/dev/null | tail -n +2 | wc -l)" 5
    "$BIN" check "$dir" | tee "$tmp/check"
    grep -q before_launch "$tmp/check" && fail "kernels before their launch" || ok "no kernel before its launch"
    record --steps "(1,3)" "$tmp/target" 0
    same "kernels of two steps" "$(sum kernels calls)" 200

    echo "== C: cost of a launch"
    for i in 1 2 3 4 5; do
        plain="${plain:-} $("$tmp/target" 100000 | sed 's/.*launch_ns //')"
        record "$tmp/target" 100000; recorded="${recorded:-} $(sed 's/.*launch_ns //' "$tmp/out")"
    done
    python3 - "$plain" "$recorded" <<'PY'
import statistics, sys
a, b = (statistics.median(map(float, s.split())) for s in sys.argv[1:])
print("%s launch: %.0f ns, recorded %.0f ns, cost %.0f ns" % ("ok" if b - a <= 1000 else "FAIL", a, b, b - a))
PY
    echo "== G: signals"
    for sig in KILL TERM INT; do
        "$BIN" record -o "$tmp/sig$sig" --at-end nothing "$tmp/target" 30000000 >/dev/null 2>&1 &
        sleep 4; pkill -"$sig" -P $! ; wait $!; dir=$tmp/sig$sig
        [ "$(sum kernels calls)" -gt 500 ] && ok "SIG$sig keeps what was complete" || fail "SIG$sig"
    done
else
    echo "skip B, C, G: no nvcc"
fi

if "$PYTHON" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
    cat >"$tmp/train.py" <<'PY'
import sys, time, torch
mode = sys.argv[1]
model = torch.nn.Sequential(*[torch.nn.Linear(512, 512) for _ in range(8)]).cuda()
opt, x = torch.optim.SGD(model.parameters(), 1e-3), torch.randn(64, 512, device="cuda")
def step():
    opt.zero_grad(); model(x).square().mean().backward(); opt.step()
def loop(n, after=lambda: None):
    for i in range(n):
        torch.cuda.nvtx.range_push("ProfilerStep#%d" % i); step(); torch.cuda.synchronize(); torch.cuda.nvtx.range_pop(); after()
loop(20)
t = time.perf_counter()
if mode == "torch":
    with torch.profiler.profile() as p: loop(50, p.step)
    took = time.perf_counter() - t
    p.export_chrome_trace(sys.argv[2])
else:
    loop(50); took = time.perf_counter() - t
print("ms %.3f" % (took / 50 * 1e3))
PY
    echo "== D, E: PyTorch, against torch.profiler"
    for i in 1 2 3 4 5; do
        a="${a:-} $("$PYTHON" "$tmp/train.py" none | sed 's/ms //')"
        record "$PYTHON" "$tmp/train.py" none; b="${b:-} $(sed 's/ms //' "$tmp/out")"
        c="${c:-} $("$PYTHON" "$tmp/train.py" torch "$tmp/torch.json" | sed 's/ms //')"
    done
    python3 - "$a" "$b" "$c" <<'PY'
import statistics, sys
a, b, c = (statistics.median(map(float, s.split())) for s in sys.argv[1:])
print("%s step: %.3f ms, recorded %.3f ms (%+.1f %%), torch.profiler %.3f ms (%+.1f %%)" %
      ("ok" if b <= c and b <= 1.1 * a else "FAIL", a, b, (b / a - 1) * 100, c, (c / a - 1) * 100))
PY
    python3 - <(cd . && "$BIN" summary --table kernels --format csv --limit 0 "$dir" 2>/dev/null) \
        <("$BIN" summary --table kernels --format csv --limit 0 "$tmp/torch.json" 2>/dev/null) <<'PY'
import csv, sys
ours, theirs = ({r["name"]: int(r["calls"]) for r in csv.DictReader(open(f))} for f in sys.argv[1:])
# ours also has the 20 warm-up steps: compare per step
bad = [k for k in theirs if abs(ours.get(k, 0) / 70 - theirs[k] / 50) > 0.02 * theirs[k] / 50 + 0.05]
print("ok kernels as torch.profiler has them" if not bad else "FAIL kernels differ: %s" % bad[:5])
PY
    echo "== F: both profilers in one process"
    record "$PYTHON" "$tmp/train.py" torch "$tmp/both.json"
    same "status" $status 0; sed 's/^/  /' "$tmp/err"
    echo "== H: data loader processes"
    record "$PYTHON" -c 'import torch; [None for _ in torch.utils.data.DataLoader(torch.arange(64).cpu(), num_workers=2)]; torch.zeros(1).cuda()'
    same "status" $status 0
else
    echo "skip D, E, F, H: no torch with CUDA"
fi
exit $failed
