#!/usr/bin/env bash
# A GPU that is busy when its program ends: work that has not ended is kept by name, and nothing before it is lost.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
cuda=$B/tests/doubles/libfakecuda.so
script() { printf '%s\n' "$@" >"$FAKE_CUPTI"; }
launches() { table runtime_api | python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin) if r["name"] == "cudaLaunchKernel"))'; }
kernels() { table kernels | python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin)))'; }
# number of rows of table unfinished, and the first one's name, stream and range
unfinished() { table unfinished | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(len(rows), *(rows[0][c] for c in ("order", "stream", "name", "call", "range")) if rows else "")'; }

# the 60th of 100 kernels never ends, as a collective does when a rank does not come
for signal in ABRT TERM KILL; do
    script "version 130001" device context "launch 50" "sleep 1500" "launch 50" "sleep 2500" "kill $(kill -l $signal)"
    FAKE_HANG_AFTER=60 record "$target" cuda-script
    same "SIG$signal while a kernel hangs: all launches, and the kernels before it" "$(launches) $(kernels)" "100 59"
    same "... that kernel and those behind it" "$(unfinished)" "41 1 7 void gemm<float, 128>(float const*, float*) cudaLaunchKernel ProfilerStep#0"
    same "... are a problem of their own" "$(problem unfinished) $(problem recorder_drops)" "41 "
    same "... and lead the findings" "$(table findings | sed -n '2p' | grep -c 'GPU 0 is stuck: void gemm<float, 128>(float const\*, float\*) on stream 7 had run for .*, launched in aten::mm of ProfilerStep#0')" 1
    same "... and no lack of memory" "$(cat "$tmp/err" <("$BIN" check "$dir") | grep -c 'memory is full')" 0
done
"$BIN" export "$dir" -o "$tmp/again.json" 2>/dev/null
dir=$tmp/again.json
same "... after an export, too" "$(unfinished) $(kernels)" "41 1 7 void gemm<float, 128>(float const*, float*) cudaLaunchKernel ProfilerStep#0 59"

# a ring deletes the segments with the launches, and repeats what is open
script "version 130001" device context "launch 50" "sleep 1500" "launch 50" "sleep 8000" "kill 9"
FAKE_HANG_AFTER=60 record --keep 2s "$target" cuda-script
same "a ring of 2 s, 8 s after the launches: the kernel that hangs" "$(unfinished)" "41 1 7 void gemm<float, 128>(float const*, float*) cudaLaunchKernel ProfilerStep#0"
same "... and no others" "$(launches) $(kernels) $(problem unfinished)" "41 0 41"

# the GPU is 3 s behind, the program ends in order: what has no time then is unfinished
for version in 18 130001; do
    script "version $version" device context "launch 400" "sleep 1500" "launch 100"
    FAKE_AHEAD_MS=600000 FAKE_CUDA=$cuda record "$target" cuda-script
    same "CUPTI $version, nothing has ended when the program does" "$status $(launches) $(kernels) $(problem unfinished)" "0 500 0 500"
    same "... and CUPTI was not taken by another" "$(problem recorder_taken)" ""
    FAKE_AHEAD_MS=1000 FAKE_CUDA=$cuda record "$target" cuda-script
    same "CUPTI $version, the first launches have ended" "$status $(launches) $(kernels) $(problem unfinished)" "0 500 400 100"
done

# work whose times CUPTI could not collect has ended when later work of its stream has
script "version 130001" device context "zero 5" "launch 5"
record "$target" cuda-script
same "lost times are no unfinished work" "$(kernels) $(problem recorder_drops) $(problem unfinished)" "5 5 "

# ---- what CUPTI is told
# Kineto switches to one buffer for all threads when torch.profiler starts; that is undefined where threads had their own
cc -shared -o "$tmp/libkineto.so" -x c /dev/null
for version in 18 22 24 26 130001; do
    for beside in '' "$tmp/libkineto.so"; do
        script "version $version" device context "launch 5" "sleep 600" ${beside:+kineto} "launch 5"
        FAKE_CUDA=$cuda${beside:+:$beside} record "$target" cuda-script
        want=1
        [ $version -ge 26 ] && [ -z "$beside" ] || want=0
        [ $version -ge 21 ] || want='' # from 12.3 on
        same "CUPTI $version${beside:+ beside Kineto, which starts}: buffers per thread" \
            "$status $(sed -n 's/^attribute 9 \([0-9]*\)$/\1/p' "$tmp/out" | tail -1) $(grep -c UNDEFINED "$tmp/err")" "0 $want 0"
    done
done
# graphs that are instantiated while the recording is paused: from 12.0 Update 1 on CUPTI needs nothing for them
for version in 18 19 130001; do
    { printf 'version %s\ndevice\ncontext\nwait 0\ncount\n' $version; for _ in $(seq 20); do echo instantiate; done; echo count; } >"$FAKE_CUPTI"
    record --start-paused "$target" cuda-script
    want="COUNT Enable 0 Disable 0 EnableDriverApi 0"
    [ $version = 18 ] && want="COUNT Enable 3 Disable 0 EnableDriverApi 0"
    same "CUPTI $version: what 20 graphs cost while paused" "$(grep COUNT "$tmp/out" | tail -1)" "$want"
done
exit 0
