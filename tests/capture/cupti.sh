#!/usr/bin/env bash
# CUPTI by a double that replays scripts: layouts of all versions, odd orders, errors, losses, schedules, export.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/double/libfakecupti.so FAKE_CUPTI=$tmp/script
script() { printf '%s\n' "$@" >"$FAKE_CUPTI"; }
all=(device context "launch 100" "early 50" "copy 10" "peer 2" "set 5" "sync 3" "overhead 2" "memory 4" "noisy 7" "driver 2" "graph 1" flush)

for version in 13 14 15 17 18 19 20 22 26 27 130000 999999; do
    script "version $version" "${all[@]}"
    record --memory --trace +graph "$target" cuda-script
    got="$status $(cell runtime_api calls cudaLaunchKernel) $(cell kernels calls 'void gemm<float, 128>(float const*, float*)')"
    got="$got $(cell memcpy calls 'Memcpy HtoD (Pinned -> Device)') $(cell memcpy calls 'Memset (Device)') $(cell kernels calls 'CUDA Graph 5')"
    same "version $version" "$got $(cell memory_devices peak_allocated_bytes GPU0)" "0 150 50 10 5 1 1048576"
    [ "$("$BIN" check "$dir" | grep -c -e recorder_drops -e before_launch -e unlinked)" = 0 ] && echo "ok ... without losses" ||
        echo "FAIL version $version: $("$BIN" check "$dir" | head -20)"
    "$BIN" export "$dir" -o "$tmp/$version.json" 2>/dev/null
    if [ "$version" = 13 ]; then
        same "a version without graph ids gives none" "$(grep -c '"graph id": 4' "$tmp/$version.json")" 0
    fi
done
same "names without versions" "$(cell runtime_api calls cudaGraphLaunch)" 1
same "calls that say little are left out" "$(cell runtime_api calls cudaGetDevice)" ""
same "occupancy" "$(cell devices achieved_occupancy_pct GPU0 | cut -c1-5)" "12.12"
same "kernels are linked to operators" "$(cell operators device_total_ns aten::mm | wc -c | tr -d ' ')" "7"
record --noisy-api "$target" cuda-script
same "--noisy-api" "$(cell runtime_api calls cudaGetDevice)" 7
record --trace kernel "$target" cuda-script
same "--trace kernel" "$(cell kernels calls _Z6vecaddPfS_i) $(table runtime_api | wc -l)" "50 1"

# ---- what goes wrong
script "fail Subscribe 39" "launch 5"
record "$target" cuda-script; same "another subscriber" $status 0
has "... is said" "$tmp/err" 'another profiler holds CUPTI'
has "... and in the trace" <(table run) '^gpu,.*another profiler'
same "... NVTX goes on" "$(table operators | grep -c 'aten::mm')" 1
script "fail ActivityEnable 999"; record "$target" cuda-script; has "kinds that are refused" "$tmp/err" 'refused [0-9]+ of'
script "fail ActivityRegisterCallbacks 15"; record "$target" cuda-script; has "callbacks that are refused" "$tmp/err" 'RegisterCallbacks failed: error 15'
script "fail ActivityFlushPeriod 1" "fail ActivityRegisterTimestampCallback 1" "fail SetThreadIdType 1" "launch 6" flush
record "$target" cuda-script; same "optional functions that fail" "$status $(cell runtime_api calls cudaLaunchKernel)" "0 6"
script "version 9"; record "$target" cuda-script; has "a version that is too old" "$tmp/err" 'older than CUDA 11'
TRACETTY_CUPTI=/no/such.so record "$target" cuda-script; has "no libcupti" "$tmp/err" 'libcupti was not found'
TRACETTY_CUPTI='' record --cupti "$target" "$target" cuda-script; has "a --cupti that is none" "$tmp/err" 'that --cupti names cannot be loaded'
script "launch 10" "unknown 60 48 5" "launch 10" flush
record "$target" cuda-script; same "unknown records are counted" "$(cell runtime_api calls cudaLaunchKernel) $(problem recorder_drops)" "20 5"
script "launch 10" invalid "launch 10" flush
record "$target" cuda-script; same "what cannot be divided" "$(cell runtime_api calls cudaLaunchKernel)" 10
script "launch 10" "zero 5" flush
record "$target" cuda-script; same "work without times" "$(problem recorder_drops)" 5
script "launch 10" "cut 30" "launch 10"
record "$target" cuda-script; same "a buffer that is cut" "$status" 0
script "launch 10" "drop 1234" flush
record "$target" cuda-script; same "drops that CUPTI reports" "$(problem recorder_drops)" 1234
script "launch 10" flush "sleep 1000" "launch 10" "kill 9"
record "$target" cuda-script
same "SIGKILL: complete buffers are kept" "$status $(cell runtime_api calls cudaLaunchKernel)" "137 10"
script "launch 10" "kill 15"
record "$target" cuda-script
same "SIGTERM: open buffers are asked for" "$status $(cell runtime_api calls cudaLaunchKernel)" "143 10"

# ---- accounts: emitted = kept + drops, with tiny pools and many threads
for version in 26 130001; do
    script "version $version" "threads 8 20000"
    record --buffers 3 --buffer-size 16K "$target" cuda-script
    emitted=$(sed -n 's/^emitted \([0-9]*\) .*/\1/p' "$tmp/out") refused=$(sed -n 's/.*refused \([0-9]*\) .*/\1/p' "$tmp/out")
    # slices: the calls and kernels, besides the range and the step of the program
    kept=$("$BIN" summary --format json --table run "$dir" 2>/dev/null | python3 -c 'import json,sys; print(json.load(sys.stdin)["source"]["slices"] - 2)')
    lost=$("$BIN" check "$dir" | sed -n '/example  buffers/!s/^ *count *//p' | head -1)
    if [ "$version" = 26 ]; then # spare buffers come back counted
        same "records in = records out + drops, version $version" "$((kept + $(problem recorder_drops || echo 0)))" "$emitted"
    else
        [ "$kept" = "$emitted" ] && [ "$(problem recorder_drops)" -ge "$refused" ] && echo "ok records in = records out + drops, version $version ($kept kept, $refused refused)" ||
            echo "FAIL version $version: kept $kept of $emitted, refused $refused, said ${lost:-0}"
    fi
done

# ---- schedules: device work of the steps that are recorded, and no other
script "version 130001" "launch 4" flush
record --steps skip_first=2,wait=1,warmup=1,active=2,repeat=1 "$target" cuda-script 8
same "steps of a schedule" "$(steps)" "4 5 "
same "device work of these steps" "$(cell runtime_api calls cudaLaunchKernel)" 8

# ---- external ids
script "version 130001" "launch 3" flush
record --trace +external "$target" cuda-script
"$BIN" export "$dir" -o "$tmp/ext.json" 2>/dev/null
same "external ids" "$(grep -c '"External id"' "$tmp/ext.json")" 5

# ---- export: the same tables, and what other tools look for
script "version 130001" "${all[@]}"
record --memory "$target" cuda-script
"$BIN" export "$dir" -o "$tmp/e.json.gz" 2>"$tmp/err"; same "export" $? 0
for t in step_breakdown operators kernels runtime_api memcpy memory_devices user_ranges stages devices; do
    a=$(table $t "$dir") b=$(table $t "$tmp/e.json.gz")
    [ -n "$a" ] && [ "$a" = "$b" ] && echo "ok same table from the export: $t" || { echo "FAIL table $t differs"; diff <(echo "$a") <(echo "$b") | head -6; }
done
gzip -dc "$tmp/e.json.gz" >"$tmp/e.json"
python3 - "$tmp/e.json" <<'PY'
import json, re, sys
text = open(sys.argv[1]).read()
d = json.loads(text)
def need(what, cond): print("ok export:" if cond else "FAIL export:", what)
for key in "schemaVersion deviceProperties displayTimeUnit baseTimeNanoseconds traceEvents cupti_version".split(): need(key, key in d)
for key in "id name totalGlobalMem computeMajor computeMinor maxThreadsPerBlock regsPerBlock warpSize numSms".split():
    need("device " + key, key in d["deviceProperties"][0])
cat = {}
for e in d["traceEvents"]: cat.setdefault(e.get("cat"), e)
for c in "cpu_op user_annotation cuda_runtime kernel gpu_memcpy gpu_memset cuda_sync overhead".split(): need("category " + c, c in cat)
for key in ["queued", "device", "context", "stream", "correlation", "registers per thread", "shared memory", "blocks per SM", "warps per SM",
            "grid", "block", "est. achieved occupancy %"]: need("kernel " + key, key in cat["kernel"]["args"])
for key in "device context stream correlation bytes".split(): need("copy " + key, key in cat["gpu_memcpy"]["args"])
for key in "cbid correlation".split(): need("call " + key, key in cat["cuda_runtime"]["args"])
m = [e for e in d["traceEvents"] if e["name"] == "[memory]"]
need("memory", m and all(k in m[0]["args"] for k in ("Addr", "Bytes", "Device Type", "Device Id", "Total Allocated")))
names = {(e["name"], str(e["pid"])) for e in d["traceEvents"] if e["ph"] == "M"}
need("names of the GPU's tracks", ("process_labels", "0") in names and ("thread_name", "0") in names)
need("flows from launches", sum(e["ph"] == "s" for e in d["traceEvents"]) == sum(e["ph"] == "f" for e in d["traceEvents"]) > 100)
need("steps", any(e["name"].startswith("ProfilerStep#") for e in d["traceEvents"]))
PY

# ---- the real library, where it is installed without a driver
lib=$(ls /usr/local/cuda*/lib64/libcupti.so.1[1-9] 2>/dev/null | head -1)
if [ -n "$lib" ] && [ ! -e /dev/nvidiactl ]; then
    unset FAKE_CUPTI
    TRACETTY_CUPTI=$lib record "$target" cuda-basic
    same "the real libcupti without a driver" "$status $(cell user_ranges calls inner)" "0 10"
    has "... and why" "$tmp/err" 'cuptiSubscribe failed: error'
else
    echo "skip the real libcupti without a driver: not installed, or there is a driver"
fi
