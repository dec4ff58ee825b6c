#!/usr/bin/env bash
# shellcheck disable=SC2015 # ok and fail never fail
# Proves recording on a machine with a GPU; not part of `make test`. It runs unattended: tests/gpu/run.sh [SECTION...]; without any, all:
#   A what is here, and what the real libcupti answers     B exact counts                C cost of a launch
#   D cost of recording PyTorch                            E kernels as torch.profiler has them
#   F both profilers in one process                        G KILL, TERM, INT             H data loader processes
#   I samples                                              J clocks, queues, GPU counters, times that count from the context
# Environment: B (build folder, or what tests/gpu/bundle made where it could be built), BIN, PYTHON (with torch, if there is one),
# OUT (folder for report.txt, figures.txt, probe.txt and sample traces, default B/gpu), LIMIT (seconds for everything, default 570; what
# does not fit is said, and can be run in another call), REPEAT (runs of each measurement, default 5), UM=1: unified memory too,
# DRY=1: run the parts that can be run on the doubles. Needs python3. A program in CUDA C++ is built where nvcc is, else one that uses
# the driver alone. Exit status: 0 all passed, 1 something failed, 77 no GPU.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build} PYTHON=${PYTHON:-python3} DRY=${DRY:-} LIMIT=${LIMIT:-570} REPEAT=${REPEAT:-5}
case $B in /*) ;; *) B=$PWD/$B ;; esac
if [ "$B" = "$PWD/build" ] && [ -x ./tracetty ]; then BIN=${BIN:-$PWD/tracetty}; else BIN=${BIN:-$B/tracetty}; fi
OUT=${OUT:-$B/gpu}
sections=${*:-A B C D E F G H I J}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
mkdir -p "$OUT" && : >>"$OUT/figures.txt"
[ -n "$DRY" ] || [ -e /dev/nvidiactl ] || { echo "skip: no GPU here"; exit 77; }
command -v python3 >/dev/null || { echo "FAIL python3 is missing"; exit 1; }
[ -x "$BIN" ] || { echo "FAIL $BIN is missing: build it, or tests/gpu/bundle where that is possible"; exit 1; }
"$BIN" --version >/dev/null 2>"$tmp/err" || { echo "FAIL $BIN does not run here: $(head -1 "$tmp/err")"; exit 1; }
exec > >(tee -a "$OUT/report.txt") 2>&1
tee=$!
export TRACETTY_CAPTURE_LIB=${TRACETTY_CAPTURE_LIB:-$B/libtracetty_capture.so}
unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH TRACETTY_CTL

failed=0 n=0 dir='' status=0
ok() { echo "ok $1"; }
fail() { echo "FAIL $1"; failed=1; }
same() { if [ "$2" = "$3" ]; then ok "$1: $2"; else fail "$1: $2, want $3"; fi; }
figure() { # NAME VALUE UNIT: the latest of a name counts
    sed -i "/^$1 /d" "$OUT/figures.txt"
    echo "$1 $2 $3" | tee -a "$OUT/figures.txt"
}
left() { echo $((LIMIT - SECONDS)); }
# Nothing may hang: a command gets two minutes, or what is left.
run() { timeout -k 10 "$(($(left) > 125 ? 120 : $(left) > 10 ? $(left) - 5 : 5))" "$@"; }
record() { # OPTIONS... COMMAND: into a new $dir; $status; what it says in $tmp/err, what the command prints in $tmp/out
    n=$((n + 1)) dir=$tmp/r$n
    run "$BIN" record -o "$dir" --format spool --at-end nothing "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
    # a script that cannot record cannot prove anything: say why
    [ $status = 0 ] || tail -n 3 "$tmp/err" | sed 's/^/  /'
}
warnings() { grep 'warning:' "$tmp/err" | sed 's/^/  /'; }
forget() { rm -rf "$dir"; } # recordings of long loops are large
said() { sed -n "s/.*\\b$1=\\([0-9.]*\\).*/\\1/p" "$tmp/out" | tail -n 1; } # what the command printed for a key
table() { "$BIN" summary --table "$1" --format csv --limit 0 "${2:-$dir}" 2>/dev/null; }
sum() { # TABLE COLUMN [PART-OF-THE-NAME]
    table "$1" | python3 -c '
import csv, sys
rows = [r for r in csv.DictReader(sys.stdin) if sys.argv[2] in r["name"]]
print(sum(int(r[sys.argv[1]] or 0) for r in rows))' "$2" "${3:-}"
}
lines() { grep -c -- "$1" "$2"; } # PATTERN FILE
median() { python3 -c 'import statistics, sys; print(round(statistics.median(map(float, sys.argv[1:])), 3))' "$@"; }
wants() { case " $sections " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
# A section that is asked for, while there is time for it.
section() { # LETTER SECONDS TITLE
    wants "$1" || return 1
    if [ "$(left)" -lt "$2" ]; then
        echo "skip $1: $(left) s left, it needs $2: run it in a call of its own"
        return 1
    fi
    echo "== $1: $3 (after $SECONDS s)"
}

# ---- the program whose doings are known
target=() api=cuda more=+event many=30
if [ -n "$DRY" ]; then # the same program by the doubles: a libcupti that replays a script, and what the script does
    export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script LD_LIBRARY_PATH=$B/tests/doubles/nvml
    cat >"$tmp/target" <<END
#!/usr/bin/env bash
printf '%s\n' device context "copy 1" "set 1" "launch 100" "event 1" "pool 1" "sync 1" "environment 1" flush >$tmp/script
"$B/tests/doubles/target" cuda-script \${2:-5} >/dev/null
[ "\${1:-0}" -lt 1000000 ] || sleep 2
echo "steps=\${2:-5} kernels=\$((\${2:-5} * 100)) copies=\${2:-5} sets=\${2:-5} nodes=0 graphs=0 events=\${2:-5} waits=\${2:-5} allocations=\${2:-5} launch_ns=1000"
END
    chmod +x "$tmp/target"
    target=("$tmp/target") many=10
else
    nvcc=$(command -v nvcc || find /usr/local/cuda*/bin -name nvcc 2>/dev/null | sort | tail -n 1)
    cc=$(command -v "${CC:-cc}" || command -v gcc || command -v clang)
    if [ -n "$nvcc" ] && [ -z "${NO_NVCC:-}" ] && run "$nvcc" -O2 -o "$tmp/target" tests/gpu/target.cu -ldl 2>"$tmp/err"; then
        target=("$tmp/target")
    else
        [ -z "$nvcc" ] || head -n 3 "$tmp/err"
        api=cu more=+event,driver
        if [ -x "$B/target" ]; then cp "$B/target" "$tmp/target"
        elif [ -n "$cc" ]; then "$cc" -std=gnu11 -O2 -I. -o "$tmp/target" tests/gpu/target.c -ldl -pthread || cc=''; fi
        [ -x "$tmp/target" ] && target=("$tmp/target")
        echo "no nvcc: the program of the driver's interface instead"
    fi
    if [ ${#target[@]} -gt 0 ] && ! run "${target[@]}" 10 1 >"$tmp/out" 2>"$tmp/err"; then
        fail "the program does not run without a recorder: $(head -n 1 "$tmp/err")"
        target=()
    fi
fi
have_target() { [ ${#target[@]} -gt 0 ]; }

probe() {
    local lib cc
    lib=$("$BIN" doctor | sed -n 's/.* in \(\/[^ ;]*libcupti[^ ;]*\).*/\1/p' | head -n 1)
    cc=$(command -v "${CC:-cc}" || command -v gcc || command -v clang)
    if [ -x "$B/probe" ]; then cp "$B/probe" "$tmp/probe"
    else "$cc" -std=gnu11 -I. -o "$tmp/probe" tests/gpu/probe.c -ldl || { fail "the probe cannot be built"; return; }; fi
    run "$tmp/probe" "${lib:-libcupti.so}" >"$OUT/probe.txt" 2>&1 || fail "the probe: $(tail -n 1 "$OUT/probe.txt")"
    sed 's/^/  /' "$OUT/probe.txt"
    # "KIND: phase ActivityEnable code ms"; unified memory may need more, and is not recorded unless asked for
    awk '/ActivityEnable / && !/UNIFIED/ { seen++; if ($(NF - 1) != 0) bad++ } END { exit !seen || bad > 0 }' "$OUT/probe.txt" &&
        ok "every kind can be enabled" || fail "kinds that cannot be enabled: $(grep 'ActivityEnable ' "$OUT/probe.txt" | awk '$(NF - 1) != 0' | tr '\n' ' ')"
    figure first_enable_ms "$(awk '/early ActivityEnable / { ms += $NF } END { print ms + 0 }' "$OUT/probe.txt")" ms
    figure second_enable_ms "$(awk '/again ActivityEnable / { ms += $NF } END { print ms + 0 }' "$OUT/probe.txt")" ms
}

if section A 20 "what is here, and what the real libcupti answers"; then
    uname -srm
    command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,power.draw --format=csv
    [ -z "$DRY" ] && run "$PYTHON" -c 'import torch; print("torch", torch.__version__, torch.version.cuda, torch.cuda.is_available())' 2>/dev/null
    run "$BIN" doctor
    [ -n "$DRY" ] || probe
fi

if have_target && section B 60 "exact counts"; then
    record --memory --trace $more "${target[@]}" 1000
    warnings
    same "status" $status 0
    same "kernels" "$(sum kernels calls)" "$(said kernels)"
    same "copies" "$(sum memcpy calls Memcpy)" "$(said copies)"
    same "sets" "$(sum memcpy calls Memset)" "$(said sets)"
    same "graph launches" "$(sum runtime_api calls ${api}GraphLaunch)" "$(said graphs)"
    same "steps" "$(table step_breakdown | tail -n +2 | wc -l)" "$(said steps)"
    same "recordings of events" "$(sum runtime_api calls ${api}EventRecord)" "$(said events)"
    run "$BIN" export "$dir" -o "$tmp/b.json" 2>/dev/null
    same "waits of streams for events" "$(lines '"name": "Stream Wait Event"' "$tmp/b.json")" "$(said waits)"
    same "waits that know the recording" "$(grep '"Stream Wait Event"' "$tmp/b.json" | grep -c '"wait_on_cuda_event_record_corr_id": [0-9]')" "$(said waits)"
    same "nodes of graphs" "$(grep '"cat": "kernel"' "$tmp/b.json" | grep -c '"graph node id"')" "$(said nodes)"
    [ "$(lines '"cat": "gpu_user_annotation", "name": "ProfilerStep#' "$tmp/b.json")" -ge "$(said steps)" ] && ok "steps are on the streams" ||
        fail "steps are not on the streams"
    [ "$(lines '"\[memory\]".*"pool"' "$tmp/b.json")" -ge "$(said allocations)" ] && ok "allocations from pools" || fail "no allocations from pools"
    run "$BIN" check "$dir" >"$tmp/check"
    sed 's/^/  /' "$tmp/check"
    for what in before_launch recorder_drops unlinked; do
        grep -q "  $what" "$tmp/check" && fail "problem $what" || ok "no problem $what"
    done
    record --steps "(1,3)" "${target[@]}" 0
    same "kernels of two steps" "$(sum kernels calls)" 200
    if [ -z "$DRY" ]; then
        record --trace +graph "${target[@]}" 0
        same "whole graphs" "$(sum kernels calls 'CUDA Graph')" "$(said graphs)"
        record --buffers 1 --buffer-size 64K --device-buffer-limit 4 "${target[@]}" 100000
        drops=$("$BIN" check "$dir" | grep -A1 '^  recorder_drops ' | sed -n 's/^ *count *//p')
        same "tiny buffers: the program goes on" $status 0
        echo "  $(sum kernels calls) of $(said kernels) kernels, ${drops:-0} drops counted"
        warnings
    fi
fi

if have_target && section C 60 "cost of a launch"; then
    plain=() recorded=() whole=()
    for _ in $(seq "$REPEAT"); do
        run "${target[@]}" 100000 >"$tmp/out"; plain+=("$(said launch_ns)")
        record "${target[@]}" 100000; recorded+=("$(said launch_ns)"); forget
        record --trace kernel "${target[@]}" 100000; whole+=("$(said launch_ns)"); forget
    done
    a=$(median "${plain[@]}") b=$(median "${recorded[@]}") k=$(median "${whole[@]}")
    figure launch_ns "$a" ns; figure launch_recorded_ns "$b" ns; figure launch_recorded_kernels_only_ns "$k" ns
    echo "  each: ${plain[*]} / ${recorded[*]} / ${whole[*]}"
    python3 -c 'import sys; a, b = map(float, sys.argv[1:]); sys.exit(b - a > 1000)' "$a" "$b" && ok "a recorded launch costs at most 1 us more" ||
        fail "a recorded launch costs more than 1 us"
fi

if have_target && section G 60 "signals"; then
    for sig in KILL TERM INT; do
        dir=$tmp/sig$sig && rm -f "$tmp/pid"
        # what runs in the background of a script ignores SIGINT, unless somebody undoes that
        timeout -k 5 60 "$BIN" record -o "$dir" --format spool --at-end nothing python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
with open(sys.argv[1], "w") as f: f.write(str(os.getpid()))
os.execvp(sys.argv[2], sys.argv[2:])' "$tmp/pid" "${target[@]}" 30000000 "$many" >"$tmp/out" 2>"$tmp/err" &
        recorder=$!
        for _ in $(seq 200); do # until some blocks are on the disk
            [ -n "$(find "$dir" -name '*.ttspool' -size +100k 2>/dev/null)" ] && break
            sleep 0.1
        done
        kill -"$sig" "$(cat "$tmp/pid")" 2>/dev/null
        wait $recorder
        got=$?
        [ "$(sum kernels calls)" -gt 100 ] && ok "SIG$sig keeps what was complete: $(sum kernels calls) kernels, status $got" ||
            fail "SIG$sig: $(sum kernels calls) kernels, status $got: $(tail -n 1 "$tmp/err")"
        [ -n "$DRY" ] || same "status after SIG$sig" $got $((128 + $(kill -l $sig)))
        forget
    done
fi

if have_target && section J 40 "clocks, queues, GPU counters, times that count from the context"; then
    record --trace +env,latency --gpu-util 50 "${target[@]}" 1000000 "$many"
    warnings
    same "status" $status 0
    run "$BIN" export "$dir" -o "$tmp/j.json" 2>/dev/null
    python3 - "$tmp/j.json" <<'PY' || failed=1
import json, os, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
bad = 0
def say(good, what):
    global bad
    bad += not good
    print("ok" if good else "FAIL", what)
kernels = [e for e in events if e.get("cat") == "kernel"]
late = [e for e in kernels if e["args"].get("queued")]
counters = {e["name"] for e in events if e["ph"] == "C"}
print("  counters:", ", ".join(sorted(counters)))
if not os.environ.get("DRY"):
    say(len(late) >= 0.99 * len(kernels) > 0, "%d of %d kernels know when they were queued" % (len(late), len(kernels)))
    order = [e for e in late if not e["args"]["queued"] <= e["args"].get("submitted", e["args"]["queued"]) <= e["ts"] + 1]
    say(len(order) <= 0.01 * len(late), "queued, submitted, started in this order but for %d" % len(order))
    delays = sorted(e["args"]["queued to start (us)"] for e in late)
    if delays: print("  queued to start: median %.3f us, 99 %% %.3f us" % (delays[len(delays) // 2], delays[len(delays) * 99 // 100]))
say(any("(CUPTI)" in c for c in counters), "clocks and power by CUPTI")
for name in ("GPU utilisation %", "GPU memory MiB", "GPU power W", "SM clock MHz", "GPU temperature C"):
    say(name in counters, "by NVML: " + name)
sys.exit(bad > 0)
PY
    record --clock cuda "${target[@]}" 1000
    same "--clock cuda: kernels from the first context on" "$(sum kernels calls)" "$(said kernels)"
    if [ -n "${UM:-}" ] && [ -x "$tmp/target" ] && [ $api = cu ]; then
        TARGET_MANAGED=1 record --trace +um "${target[@]}" 10 1
        warnings
        run "$BIN" export "$dir" -o "$tmp/um.json" 2>/dev/null
        [ "$(lines '"cat": "unified_memory"' "$tmp/um.json")" -gt 0 ] && ok "unified memory: $(lines '"cat": "unified_memory"' "$tmp/um.json") records" || fail "no unified memory"
    fi
fi
have_target || echo "skip B, C, G, J: no program"

torch() { # arguments of train.py
    run "$PYTHON" tests/gpu/train.py "$@" >"$tmp/out" 2>"$tmp/err2" || fail "train.py $*: $(tail -n 1 "$tmp/err2")"
}
train() { record "${options[@]}" "$PYTHON" tests/gpu/train.py "$@"; }
options=()
have_torch=''
case " $sections " in *" "[DEFHI]" "*)
    [ -z "$DRY" ] && run "$PYTHON" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null && have_torch=1
    [ -n "$have_torch" ] || echo "skip D, E, F, H: no torch with CUDA" ;;
esac

if [ -n "$have_torch" ] && section D 120 "cost of recording PyTorch"; then
    for loop in small large launch; do
        a=() b=() c=() o=()
        for _ in $(seq "$REPEAT"); do # one after another, so that all see the same clocks and temperature
            [ "$(left)" -gt 60 ] || break
            torch none $loop; a+=("$(said ms_per_step)")
            options=(); train none $loop; b+=("$(said ms_per_step)"); forget
            options=(--ops); train none $loop; o+=("$(said ms_per_step)"); forget
            torch torch $loop "$tmp/torch.json"; c+=("$(said ms_per_step)")
        done
        [ ${#c[@]} -ge 3 ] || { echo "skip $loop: ${#c[@]} runs in the time that there is"; continue; }
        x=$(median "${a[@]}") y=$(median "${b[@]}") z=$(median "${c[@]}") w=$(median "${o[@]}")
        figure "${loop}_ms" "$x" ms; figure "${loop}_recorded_ms" "$y" ms; figure "${loop}_recorded_ops_ms" "$w" ms
        figure "${loop}_torch_profiler_ms" "$z" ms
        echo "  each: ${a[*]} / ${b[*]} / ${o[*]} / ${c[*]}"
        most=1.10; [ $loop = large ] && most=1.01
        [ $loop = launch ] && most=10 # bound by the cost of a launch, which C measures
        python3 -c 'import sys; a, b, c, most = map(float, sys.argv[1:]); sys.exit(not (b <= c and b <= most * a))' "$x" "$y" "$z" $most &&
            ok "$loop: recording costs less than torch.profiler, and at most x$most" || fail "$loop: $x ms, recorded $y ms, torch.profiler $z ms"
        python3 -c 'import sys; o, c = map(float, sys.argv[1:]); sys.exit(o > c)' "$w" "$z" && ok "$loop: --ops costs no more than torch.profiler" ||
            fail "$loop: --ops $w ms, torch.profiler $z ms"
    done
fi

if [ -n "$have_torch" ] && section E 60 "kernels as torch.profiler has them, of the same steps of the same loop"; then
    options=(--steps "(20,70)"); train none small
    warnings
    torch torch small "$tmp/torch.json"
    python3 - <(table kernels) <(table kernels "$tmp/torch.json") <<'PY' || failed=1
import csv, sys
ours, theirs = ({r["name"]: r for r in csv.DictReader(open(f))} for f in sys.argv[1:])
calls = lambda t, k: int(t[k]["calls"]) if k in t else 0
bad = ["%s: %d, torch.profiler %d" % (k[:80], calls(ours, k), calls(theirs, k)) for k in sorted(set(ours) | set(theirs)) if calls(ours, k) != calls(theirs, k)]
print("FAIL kernels differ:\n  " + "\n  ".join(bad[:10]) if bad else "ok %d kernels with the names and counts of torch.profiler" % len(ours))
a, b = (sum(int(r["total_ns"]) for r in t.values()) for t in (ours, theirs))
print("%s sum of durations: %.3f ms, torch.profiler %.3f ms" % ("ok" if b and abs(a - b) <= 0.1 * b else "FAIL", a / 1e6, b / 1e6))
sys.exit(bool(bad) or not ours or not b or abs(a - b) > 0.1 * b)
PY
    options=(--ops=shapes --steps "(20,23)"); train none small
    [ "$(sum operators calls 'aten::linear')" -gt 0 ] && ok "--ops: operators of PyTorch" || fail "--ops: no operators of PyTorch: $(head -n 1 "$tmp/err")"
    [ "$(sum operators calls 'Backward')" -gt 0 ] && ok "--ops: those of its backward threads" || fail "--ops: none of its backward threads"
fi

if [ -n "$have_torch" ] && section F 40 "both profilers in one process"; then
    options=(); train torch small "$tmp/both.json"
    same "status" $status 0
    sed 's/^/  /' "$tmp/err" | head -n 8
    echo "  kernels: ours $(sum kernels calls), torch.profiler's $(dir=$tmp/both.json sum kernels calls)"
    options=(--yield-cupti); train torch small "$tmp/yield.json"
    same "--yield-cupti: status" $status 0
    [ "$(dir=$tmp/yield.json sum kernels calls)" -gt 0 ] && ok "--yield-cupti: torch.profiler has its kernels" || fail "--yield-cupti: torch.profiler has no kernels"
    echo "  --via kineto:"
    options=(--via kineto --duration 1s); n=$((n + 1)) dir=$tmp/r$n
    run "$BIN" record -o "$dir" --at-end nothing --linger 20 "${options[@]}" "$PYTHON" tests/gpu/train.py wait small 25 >"$tmp/out" 2>"$tmp/err"
    status=$?
    same "--via kineto: status" $status 0
    [ -n "$(find "$dir" -name '*.json*' -size +10k 2>/dev/null)" ] && [ "$(sum kernels calls)" -gt 0 ] && ok "--via kineto: $(sum kernels calls) kernels" ||
        fail "--via kineto: no trace: $(grep -v '^$' "$tmp/err" | tail -n 2 | tr '\n' ' ')"
fi

if [ -n "$have_torch" ] && section H 30 "data loader processes"; then
    options=(); train none input
    same "status" $status 0
    same "one process is recorded" "$(find "$dir" -name '*.ttspool' | wc -l)" 1
fi

if section I 30 "samples"; then
    if have_target; then
        record --memory --trace $more "${target[@]}" 200 3
        rm -f "$OUT/cuda_program.json.gz" && run "$BIN" export "$dir" -o "$OUT/cuda_program.json.gz" 2>/dev/null
    fi
    if [ -n "$have_torch" ]; then
        STEPS=6 torch torch-full small "$OUT/train_torch.pt.trace.json" && gzip -f "$OUT/train_torch.pt.trace.json"
        for loop in small input launch; do
            options=(--memory --trace +event --ops --steps "(20,26)"); train none $loop
            rm -f "$OUT/train_$loop.json.gz" && run "$BIN" export "$dir" -o "$OUT/train_$loop.json.gz" 2>/dev/null
        done
        run "$PYTHON" -c 'import hta' 2>/dev/null && run "$PYTHON" - "$OUT/train_small.json.gz" <<'PY'
import sys
from hta.trace_analysis import TraceAnalysis
print("ok HTA reads the export:", len(TraceAnalysis(trace_files={0: sys.argv[1]}).get_temporal_breakdown(visualize=False)), "rank")
PY
    fi
    for f in "$OUT"/*.json.gz; do
        [ -e "$f" ] || continue
        [ "$(table kernels "$f" | wc -l)" -gt 1 ] && ok "sample ${f##*/}: $(wc -c <"$f") bytes" || fail "sample ${f##*/} has no kernels"
    done
fi
echo "after $SECONDS s: figures, report and samples in $OUT"
exec >&- 2>&-
wait "$tee"
exit $failed
