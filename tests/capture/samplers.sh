#!/usr/bin/env bash
# Sampling while a program runs: processor use, and GPUs by an NVML double with two, of which CUDA shows the second.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script LD_LIBRARY_PATH=$B/tests/doubles/nvml
script() { printf '%s\n' "$@" >"$FAKE_CUPTI"; }
# waits until the file has a GPU's counters, however long the machine takes
sampled() { grep -qa 'SM clock MHz' "$1"/*.ttspool 2>/dev/null; }
until_sampled() { until_ sampled "$1"; }
run_until_sampled() { # OPTIONS...: runs the script's program until its GPU was sampled
    n=$((n + 1)) dir=$tmp/rec$n
    rm -f "$tmp/end"
    TICKS_UNTIL=$tmp/end "$BIN" record -o "$dir" --at-end nothing --format spool "$@" "$target" cuda-sampled >"$tmp/out" 2>"$tmp/err" &
    until_sampled "$dir"
    touch "$tmp/end"
    wait $! && status=$? || status=$?
}
script device context "launch 5" flush
run_until_sampled
same "a program whose GPU is sampled" "$status" 0
counters "$dir" 0 >"$tmp/counters"
for want in "GPU utilisation % {'gpu': 41, 'memory bus': 21}" "GPU memory MiB {'used': 1025}" "GPU power W {'draw': 301.5, 'limit': 701}" \
    "SM clock MHz {'clock': 1901}" "GPU temperature C {'GPU': 61}" "PCIe MB/s {'sent': 4, 'received': 6}" \
    "GPU clocks held back {'power': 1, 'heat': 1, 'hardware slowdown': 0, 'other GPUs': 0}"; do
    if grep -qxF "$want" "$tmp/counters"; then echo "ok CUDA's GPU 0 is NVML's 1: $want"; else echo "FAIL no $want in: $(tr '\n' ' ' <"$tmp/counters")"; fi
done
same "the GPU that is not used is left alone" "$(counters "$dir" 1)" ""
grep -q 'NVML' "$tmp/err" && echo "FAIL $(cat "$tmp/err")" || echo "ok ... without a word"
FAKE_NVML_FAIL=DeviceGetUtilizationRates run_until_sampled
same "what a GPU does not have is left out" "$(counters "$dir" 0 | cut -d' ' -f 1,2 | tr '\n' ' ')" \
    "GPU clocks GPU memory GPU power GPU temperature PCIe MB/s SM clock "
FAKE_MIG=1 run_until_sampled
same "a part of a GPU is known by its own number" "$(counters "$dir" 0 | grep -c "SM clock MHz {'clock': 1905}")" 1
# without CUPTI: all GPUs, by NVML's numbers
run_until_sampled --yield-cupti
same "without CUPTI: all GPUs" "$(counters "$dir" 0 | grep -c "{'gpu': 40") $(counters "$dir" 1 | grep -c "{'gpu': 41")" "1 1"
# two processes, one sampler per GPU
cat >"$tmp/two.sh" <<'SH'
for r in 0 1; do RANK=$r WORLD_SIZE=2 "$1" cuda-sampled & done
wait
SH
both() { [ "$(find "$1" -name '*.ttspool' 2>/dev/null | wc -l)" = 2 ]; }
n=$((n + 1)) dir=$tmp/rec$n && rm -f "$tmp/end"
TICKS_UNTIL=$tmp/end "$BIN" record -o "$dir" --at-end nothing --format spool bash "$tmp/two.sh" "$target" >"$tmp/out" 2>"$tmp/err" &
until_sampled "$dir" && until_ both "$dir" && before=$(events "$dir") && until_ more_events "$dir" $((before + 100))
files="$(grep -la 'SM clock MHz' "$dir"/*.ttspool | wc -l) of $(find "$dir" -name '*.ttspool' | wc -l)"
touch "$tmp/end"; wait
same "one process samples a GPU" "$files" "1 of 2"

# ---- the choice of the sampler needs no file system, which a thousand ranks may share
if sanitized; then
    echo "skip a system that refuses locks: nothing can be preloaded before a sanitizer"
else
    refusing() { # WHAT OPTIONS...: two processes on one GPU for three seconds, on a system that refuses WHAT
        local what=$1
        n=$((n + 1)) dir=$tmp/rec$n
        rm -f "$tmp/end" "$tmp/calls"
        shift
        TICKS_UNTIL=$tmp/end "$BIN" record -o "$dir" --at-end nothing --format spool "$@" env LD_PRELOAD="$B/tests/doubles/librefuse.so" \
            REFUSE="$what" REFUSE_LOG="$tmp/calls" bash "$tmp/two.sh" "$target" >"$tmp/out" 2>"$tmp/err" &
        until_ both "$dir"
        sleep 3
        touch "$tmp/end"; wait
    }
    refusing flock
    same "a file system without locks: the GPU is sampled" "$(grep -la 'SM clock MHz' "$dir"/*.ttspool | wc -l)" 1
    same "... and none is asked for" "$(grep -c -e flock -e open "$tmp/calls")" 0
    [ "$(grep -c bind "$tmp/calls")" -le 12 ] && echo "ok ... nor anything ten times a second: $(grep -c bind "$tmp/calls") times by two processes" ||
        echo "FAIL the lock is asked for $(grep -c bind "$tmp/calls") times in 3 s"
    refusing socket
    same "no lock at all: no samples" "$(grep -la 'SM clock MHz' "$dir"/*.ttspool | wc -l)" 0
    has "... and it is said" "$tmp/err" 'GPU-01020304-.* is not sampled: .*Permission denied'
fi
record --gpu-util 0 "$target" cuda-script
same "--gpu-util 0" "$(counters "$dir" 0)" ""
# processor use, absolute and relative to the limit: four threads on one processor
record --format spool --cpu-util 200 taskset -c 0 "$target" threads 300000
"$BIN" export "$dir" -o "$tmp/cpu.json" 2>/dev/null
python3 - "$tmp/cpu.json" "$(nproc)" <<'PY'
import json, sys
samples = [e["args"] for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "C" and e["name"] == "CPU utilisation %"]
lines = {k for a in samples for k in a}
most = max((a.get("process", 0) for a in samples), default=0)
print("ok use of processors" if most > 5 and "system" in lines else "FAIL use of processors: %s, at most %s" % (sorted(lines), most))
# a limit is reported if it is below the machine's processors
limited = "process, of its limit" in lines
print("ok ... and of those that it may use" if limited == (int(sys.argv[2]) > 1) else "FAIL lines %s" % sorted(lines))
PY
[ "$(nproc)" -gt 1 ] && has "... how many" <(table run) '^processors_allowed,(1.00|0\.[0-9]+)$'
exit 0
