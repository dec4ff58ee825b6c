#!/usr/bin/env bash
# shellcheck disable=SC2015 # ok and fail never fail
# Proves recording on a machine with a GPU; not part of `make test`. Some minutes. Environment: B (build folder), BIN, PYTHON (with torch,
# if there is one), OUT (folder for figures.txt and sample traces, default B/gpu), DRY=1: run the parts that can be run on the doubles.
# A what the real libcupti answers; B exact counts; C cost of a launch; D cost of recording PyTorch; E kernels as torch.profiler has
# them; F both profilers in one process; G signals; H data loader processes; I samples.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build} PYTHON=${PYTHON:-python3} DRY=${DRY:-}
if [ "$B" = build ]; then BIN=${BIN:-./tracetty}; else BIN=${BIN:-$B/tracetty}; fi
OUT=${OUT:-$B/gpu}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
mkdir -p "$OUT" && : >"$OUT/figures.txt"
[ -n "$DRY" ] || [ -e /dev/nvidiactl ] || { echo "skip: no GPU here"; exit 77; }

failed=0 n=0 dir='' status=0
ok() { echo "ok $1"; }
fail() { echo "FAIL $1"; failed=1; }
same() { if [ "$2" = "$3" ]; then ok "$1: $2"; else fail "$1: $2, want $3"; fi; }
figure() { echo "$1 $2 $3" | tee -a "$OUT/figures.txt"; } # NAME VALUE UNIT
record() { # OPTIONS... COMMAND: into a new $dir; $status; what it says in $tmp/err, what the command prints in $tmp/out
    n=$((n + 1)) dir=$tmp/r$n
    "$BIN" record -o "$dir" --at-end nothing "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}
said() { sed -n "s/.*\\b$1=\\([0-9.]*\\).*/\\1/p" "$tmp/out"; } # what the command printed for a key
table() { "$BIN" summary --table "$1" --format csv --limit 0 "${2:-$dir}" 2>/dev/null; }
sum() { # TABLE COLUMN [PART-OF-THE-NAME]
    table "$1" | python3 -c '
import csv, sys
rows = [r for r in csv.DictReader(sys.stdin) if sys.argv[2] in r["name"]]
print(sum(int(r[sys.argv[1]] or 0) for r in rows))' "$2" "${3:-}"
}
events() { # NAME: how many events of the export have it
    "$BIN" export "$dir" -o "$tmp/e.json" 2>/dev/null && grep -c "\"name\": \"$1\"" "$tmp/e.json"
    rm -f "$tmp/e.json"
}
median() { python3 -c 'import statistics, sys; print(round(statistics.median(map(float, sys.argv[1:])), 3))' "$@"; }

target=("$tmp/target")
if [ -n "$DRY" ]; then # the same program by the doubles: a libcupti that replays a script, and what the script does
    export TRACETTY_CUPTI=$B/tests/double/libfakecupti.so FAKE_CUPTI=$tmp/script TRACETTY_CAPTURE_LIB=$B/libtracetty_capture.so
    cat >"$tmp/target" <<END
#!/usr/bin/env bash
printf '%s\n' device context "copy 1" "set 1" "launch 100" "event 1" "pool 1" "sync 1" flush >$tmp/script
"$B/tests/double/target" cuda-script \${2:-5} >/dev/null
echo "steps=\${2:-5} kernels=\$((\${2:-5} * 100)) copies=\${2:-5} sets=\${2:-5} nodes=0 graphs=0 events=\${2:-5} waits=\${2:-5} allocations=\${2:-5} launch_ns=1000"
END
    chmod +x "$tmp/target"
fi

echo "== A: what is here, and what the real libcupti answers"
"$BIN" doctor
if [ -z "$DRY" ]; then
    lib=$("$BIN" doctor | grep -o '/[^ ]*libcupti[^ ]*' | head -1)
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -o "$tmp/probe" tests/gpu/probe.c -ldl && "$tmp/probe" "${lib:-libcupti.so}" | tee "$OUT/probe.txt"
    awk '$2 == "ActivityEnable" || $3 == "ActivityEnable" { if ($(NF - 1) != 0) bad++; ms += $NF } END { exit bad > 0 }' "$OUT/probe.txt" &&
        ok "every kind can be enabled" || fail "kinds that cannot be enabled: see $OUT/probe.txt"
    figure first_enable_ms "$(awk '/early ActivityEnable/ { ms += $NF } END { print ms }' "$OUT/probe.txt")" ms
    nvcc=$(command -v nvcc || find /usr/local/cuda*/bin -name nvcc 2>/dev/null | head -1)
    [ -n "$nvcc" ] && "$nvcc" -O2 -o "$tmp/target" tests/gpu/target.cu -ldl || echo "no nvcc: B, C, G need the program built with it"
fi

if [ -x "$tmp/target" ]; then
    echo "== B: exact counts"
    record --memory --trace +event "${target[@]}" 1000
    same "status" $status 0
    [ -s "$tmp/err" ] && sed 's/^/  /' "$tmp/err"
    same "kernels" "$(sum kernels calls)" "$(said kernels)"
    same "copies" "$(sum memcpy calls Memcpy)" "$(said copies)"
    same "sets" "$(sum memcpy calls Memset)" "$(said sets)"
    same "graph launches" "$(sum runtime_api calls cudaGraphLaunch)" "$(said graphs)"
    same "steps" "$(table step_breakdown | tail -n +2 | wc -l)" "$(said steps)"
    same "recordings of events" "$(sum runtime_api calls cudaEventRecord)" "$(said events)"
    same "waits of streams for events" "$(events 'Stream Wait Event')" "$(said waits)"
    "$BIN" export "$dir" -o "$tmp/b.json" 2>/dev/null
    same "waits that know the recording" "$(grep '"Stream Wait Event"' "$tmp/b.json" | grep -c '"wait_on_cuda_event_record_corr_id": [0-9]')" "$(said waits)"
    same "nodes of graphs" "$(grep '"cat": "kernel"' "$tmp/b.json" | grep -c '"graph node id"')" "$(said nodes)"
    [ "$(grep -c '"cat": "gpu_user_annotation", "name": "ProfilerStep#' "$tmp/b.json")" -ge "$(said steps)" ] && ok "steps are on the streams" ||
        fail "steps are not on the streams"
    [ "$(grep -c '"\[memory\]".*"pool"' "$tmp/b.json")" -ge "$(said allocations)" ] && ok "allocations from pools" || fail "no allocations from pools"
    "$BIN" check "$dir" | tee "$tmp/check"
    for what in before_launch recorder_drops unlinked; do
        grep -q "  $what" "$tmp/check" && fail "problem $what" || ok "no problem $what"
    done
    record --steps "(1,3)" "${target[@]}" 0
    same "kernels of two steps" "$(sum kernels calls)" 200
    if [ -z "$DRY" ]; then
        record --trace +graph "${target[@]}" 0
        same "whole graphs" "$(sum kernels calls 'CUDA Graph')" "$(said graphs)"
        record --buffers 1 --buffer-size 64K "${target[@]}" 100000
        drops=$("$BIN" check "$dir" | grep -A1 '^  recorder_drops ' | sed -n 's/^ *count *//p')
        echo "tiny buffers: $(sum kernels calls) of $(said kernels) kernels, ${drops:-0} drops counted"
    fi

    echo "== C: cost of a launch"
    plain=() recorded=() whole=()
    for _ in 1 2 3 4 5; do
        "$tmp/target" 100000 >"$tmp/out"; plain+=("$(said launch_ns)")
        record "${target[@]}" 100000; recorded+=("$(said launch_ns)")
        record --trace kernel "${target[@]}" 100000; whole+=("$(said launch_ns)")
    done
    a=$(median "${plain[@]}") b=$(median "${recorded[@]}") k=$(median "${whole[@]}")
    figure launch_ns "$a" ns; figure launch_recorded_ns "$b" ns; figure launch_recorded_kernels_only_ns "$k" ns
    python3 -c 'import sys; a, b = map(float, sys.argv[1:]); sys.exit(b - a > 1000)' "$a" "$b" && ok "a recorded launch costs at most 1 us more" ||
        fail "a recorded launch costs more than 1 us"

    echo "== G: signals"
    for sig in KILL TERM INT; do
        "$BIN" record -o "$tmp/sig$sig" --at-end nothing "${target[@]}" 30000000 30 >"$tmp/out" 2>&1 &
        recorder=$!
        for _ in $(seq 100); do # until some blocks are on the disk
            [ -n "$(find "$tmp/sig$sig" -name '*.ttspool' -size +100k 2>/dev/null)" ] && break
            sleep 0.1
        done
        child=$(pgrep -P $recorder | head -1)
        [ -n "$child" ] && kill -"$sig" "$child" 2>/dev/null
        wait $recorder
        got=$? dir=$tmp/sig$sig
        [ "$(sum kernels calls)" -gt 100 ] && ok "SIG$sig keeps what was complete (status $got)" || fail "SIG$sig"
    done
else
    echo "skip B, C, G"
fi

torch() { "$PYTHON" tests/gpu/train.py "$@" >"$tmp/out" 2>"$tmp/err2" || fail "train.py $*: $(tail -1 "$tmp/err2")"; }
if "$PYTHON" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
    echo "== D: cost of recording PyTorch"
    for loop in small large launch; do
        a=() b=() c=()
        for _ in 1 2 3 4 5; do # one after another, so that all see the same clocks and temperature
            torch none $loop; a+=("$(said ms_per_step)")
            record "$PYTHON" tests/gpu/train.py none $loop; b+=("$(said ms_per_step)")
            torch torch $loop "$tmp/torch.json"; c+=("$(said ms_per_step)")
        done
        x=$(median "${a[@]}") y=$(median "${b[@]}") z=$(median "${c[@]}")
        figure "${loop}_ms" "$x" ms; figure "${loop}_recorded_ms" "$y" ms; figure "${loop}_torch_profiler_ms" "$z" ms
        most=1.10; [ $loop = large ] && most=1.01
        [ $loop = launch ] && most=10 # bound by the cost of a launch, which C measures
        python3 -c 'import sys; a, b, c, most = map(float, sys.argv[1:]); sys.exit(not (b <= c and b <= most * a))' "$x" "$y" "$z" $most &&
            ok "$loop: recording costs less than torch.profiler, and at most x$most" || fail "$loop: $x ms, recorded $y ms, torch.profiler $z ms"
    done

    echo "== E: kernels as torch.profiler has them, of the same steps of the same loop"
    record --steps "(20,70)" "$PYTHON" tests/gpu/train.py none small
    torch torch small "$tmp/torch.json"
    python3 - <(table kernels) <(table kernels "$tmp/torch.json") <<'PY' || failed=1
import csv, sys
ours, theirs = ({r["name"]: r for r in csv.DictReader(open(f))} for f in sys.argv[1:])
calls = lambda t, k: int(t[k]["calls"]) if k in t else 0
bad = ["%s: %d, torch.profiler %d" % (k[:80], calls(ours, k), calls(theirs, k)) for k in sorted(set(ours) | set(theirs)) if calls(ours, k) != calls(theirs, k)]
print("FAIL kernels differ:\n  " + "\n  ".join(bad[:10]) if bad else "ok %d kernels with the names and counts of torch.profiler" % len(ours))
a, b = (sum(int(r["total_ns"]) for r in t.values()) for t in (ours, theirs))
print("%s sum of durations: %.3f ms, torch.profiler %.3f ms" % ("ok" if b and abs(a - b) <= 0.1 * b else "FAIL", a / 1e6, b / 1e6))
sys.exit(bool(bad) or not b or abs(a - b) > 0.1 * b)
PY

    echo "== F: both profilers in one process"
    record "$PYTHON" tests/gpu/train.py torch small "$tmp/both.json"
    same "status" $status 0
    sed 's/^/  /' "$tmp/err"
    echo "== H: data loader processes"
    record "$PYTHON" tests/gpu/train.py none input
    same "status" $status 0
    same "one process is recorded" "$(find "$dir" -name '*.ttspool' | wc -l)" 1

    echo "== I: samples"
    torch torch-full small "$OUT/train_torch.pt.trace.json" && gzip -f "$OUT/train_torch.pt.trace.json"
    for loop in small input launch; do
        record --memory --trace +event --steps "(20,26)" "$PYTHON" tests/gpu/train.py none $loop
        rm -f "$OUT/train_$loop.json.gz" && "$BIN" export "$dir" -o "$OUT/train_$loop.json.gz"
    done
    "$PYTHON" -c 'import hta' 2>/dev/null && "$PYTHON" - "$OUT/train_small.json.gz" <<'PY'
import sys
from hta.trace_analysis import TraceAnalysis
print("ok HTA reads the export:", len(TraceAnalysis(trace_files={0: sys.argv[1]}).get_temporal_breakdown(visualize=False)), "rank")
PY
else
    echo "skip D, E, F, H: no torch with CUDA"
fi
if [ -x "$tmp/target" ]; then
    record --memory --trace +event "${target[@]}" 200 3
    rm -f "$OUT/cuda_program.json.gz" && "$BIN" export "$dir" -o "$OUT/cuda_program.json.gz"
fi
echo "figures and samples: $OUT"
exit $failed
