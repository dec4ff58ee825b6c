#!/usr/bin/env bash
# CUPTI by a double that replays scripts: layouts of all versions, odd orders, errors, losses, schedules, export.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
script() { printf '%s\n' "$@" >"$FAKE_CUPTI"; }
all=(device context stream "launch 100" "early 50" "node 4" "copy 10" "peer 2" "set 5" "sync 3" "event 4" "overhead 2" "memory 4" "pool 3"
     "noisy 7" "driver 2" "environment 1" "graph 1" flush)
more=(context "wait 1 25" "unified 2" "environment 3" "${all[@]}") # unified memory can be requested once a context exists

# The program with the records of each version: equal events, except those that a version lacks.
old=$B/tests/doubles/libfakecupti-11.so
for version in 130001 13 14 15 16 17 18 19 20 21 22 23 24 26 27 130200; do
    script "version $version" "${more[@]}"
    lib=$TRACETTY_CUPTI
    [ $version -lt 14 ] && lib=$old # also without the functions of later versions
    TRACETTY_CUPTI=$lib record --memory --trace +graph,event,um,env,latency "$target" cuda-script
    got="$status $(cell runtime_api calls cudaLaunchKernel) $(cell kernels calls 'void gemm<float, 128>(float const*, float*)')"
    got="$got $(cell memcpy calls 'Memcpy HtoD (Pinned -> Device)') $(cell memcpy calls 'Memset (Device)')"
    same "version $version" "$got" "0 150 54 10 5"
    [ "$("$BIN" check "$dir" | grep -c -e recorder_drops -e before_launch -e unlinked)" = 0 ] && echo "ok ... without losses" ||
        echo "FAIL version $version: $("$BIN" check "$dir" | head -20)"
    "$BIN" export "$dir" -o "$tmp/$version.json" 2>/dev/null
    python3 tests/capture/same_events.py "$version" "$tmp/$version.json" "$tmp/130001.json"
done
same "names without versions" "$(cell runtime_api calls cudaGraphLaunch)" 5
same "calls that say little are left out" "$(cell runtime_api calls cudaGetDevice)" ""
same "occupancy" "$(cell devices achieved_occupancy_pct GPU0 | cut -c1-5)" "24.24"
same "kernels are linked to operators" "$(cell operators device_total_ns aten::mm | wc -c | tr -d ' ')" "7"
script "version 130001" "${all[@]}"
record --noisy-api "$target" cuda-script
same "--noisy-api" "$(cell runtime_api calls cudaGetDevice)" 7
record --trace kernel "$target" cuda-script
same "--trace kernel" "$(cell kernels calls 'vecadd(float*, float*, int)') $(table runtime_api | wc -l)" "54 1"

# combinations of words of --trace, and synonyms
words() { # kinds of events in the recording: kernel launches, pool changes, allocations
    "$BIN" export "$dir" -o "$tmp/words.json" 2>/dev/null
    python3 - "$tmp/words.json" <<'EOF'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
print(*[any(e.get("cat") == word or e["name"] == word for e in events) for word in ("kernel", "memory_pool", "[memory]")])
EOF
}
script device context stream "launch 5" "memory 4" "pool 3" flush
record --trace kernel,memory "$target" cuda-script
same "--trace kernel,memory: no pools" "$(words)" "True False True"
record --trace kernel,mempool "$target" cuda-script
same "--trace kernel,mempool: only pools" "$(words)" "True True False"
"$BIN" record --trace +graphs=graph,+graphs=node --dry-run true >/dev/null 2>&1
same "graphs=graph and graphs=node are words" $? 0
"$BIN" record --trace graphs=none --dry-run true 2>"$tmp/err"
has "... others are not" "$tmp/err" "'graphs=none' is none of kernel"

# ---- faults
script "fail ActivityConfigureUnifiedMemoryCounter 34" "fail ActivityEnableLatencyTimestamps 15" context "launch 5" flush
record --trace +um,latency "$target" cuda-script
same "unified memory and latency are refused: the rest is there" "$status $(cell runtime_api calls cudaLaunchKernel)" "0 5"
has "... said: unified memory" "$tmp/err" 'unified memory is not recorded: error 34'
has "... said: latency" "$tmp/err" 'when kernels were queued is not recorded: error 15'
has "... and in the trace" <(table run) '^unified_memory,error 34'
script "fail EnableCallback 1" context "launch 5" flush
record --trace +um "$target" cuda-script
has "unified memory where contexts cannot be seen" "$tmp/err" 'unified memory is not recorded: .*contexts cannot be seen'
script "fail Subscribe 39" "launch 5"
record "$target" cuda-script; same "another subscriber" $status 0
has "... is said" "$tmp/err" 'another profiler holds CUPTI'
has "... and in the trace" <(table run) '^gpu,.*another profiler'
same "... NVTX goes on" "$(table operators | grep -c 'aten::mm')" 1
script "holder Nsight Systems" "launch 5"; record "$target" cuda-script
has "... by its name, where the library knows it" "$tmp/err" 'holds CUPTI in this process: Nsight Systems \(error 39\)'
script device context steal "launch 5" flush; record "$target" cuda-script
has "a profiler that takes the buffers" "$tmp/err" 'gave no records, though there was a CUDA context: .*--yield-cupti'
script device context "noisy 1" "launch 1" flush; record "$target" cuda-script
same "... is not suspected where there are records" "$(grep -c 'gave no records' "$tmp/err")" 0
script "fail Subscribe_v2 1" "launch 5" flush; record "$target" cuda-script
same "a library that only knows the old way to subscribe" "$status $(cell runtime_api calls cudaLaunchKernel)" "0 5"
script "launch 5" flush; record --device-buffer-limit 2 --device-buffer-size 1M "$target" cuda-script
same "memory that CUPTI may take on the device" "$(grep attribute "$tmp/out" | tr '\n' ' ')" "attribute 0 1048576 attribute 2 2 attribute 5 1 attribute 6 1 attribute 9 1 "
script "fail ActivitySetAttribute 2" "launch 5" flush; record --device-buffer-limit 20 "$target" cuda-script
same "... is refused: the rest is there" "$status $(cell runtime_api calls cudaLaunchKernel)" "0 5"
has "... said" "$tmp/err" 'device-buffer-limit could not be set: error 2'
script "fail ActivityEnable 999"; record "$target" cuda-script; has "kinds that are refused" "$tmp/err" 'refused [0-9]+ of'
script "fail ActivityRegisterCallbacks 15"; record "$target" cuda-script; has "callbacks that are refused" "$tmp/err" 'RegisterCallbacks failed: error 15'
script "fail ActivityFlushPeriod 1" "fail ActivityRegisterTimestampCallback 1" "fail SetThreadIdType 1" "launch 6" flush
record "$target" cuda-script; same "optional functions that fail" "$status $(cell runtime_api calls cudaLaunchKernel)" "0 6"
script "version 9"; record "$target" cuda-script; has "a version that is too old" "$tmp/err" 'older than CUDA 11'
TRACETTY_CUPTI=/no/such.so record "$target" cuda-script; has "no libcupti" "$tmp/err" 'libcupti was not found'
TRACETTY_CUPTI='' record --cupti "$target" "$target" cuda-script; has "a --cupti that is none" "$tmp/err" 'that --cupti names cannot be loaded'
script "launch 10" "unknown 60 48 5" "launch 10" flush
record "$target" cuda-script; same "unknown records are counted" "$(cell runtime_api calls cudaLaunchKernel) $(problem recorder_drops)" "20 5"
has "... and named" "$tmp/err" "records of kind 60 are not known here"
script "launch 10" invalid "launch 10" flush
record "$target" cuda-script; same "what cannot be divided" "$(cell runtime_api calls cudaLaunchKernel)" 10
script "launch 10" "zero 5" flush
record "$target" cuda-script; same "work without times" "$(problem recorder_drops)" 5
script "launch 10" "cut 30" "launch 10"
record "$target" cuda-script; same "a buffer that is cut" "$status" 0
script "launch 10" "drop 1234" flush
record "$target" cuda-script; same "drops that CUPTI reports" "$(problem recorder_drops)" 1234
"$BIN" export "$dir" -o "$tmp/drops.json" 2>/dev/null
has "... are in the export" "$tmp/drops.json" '"clean_exit": true, "drops": \{"cupti": 1234\}'
script "launch 10" flush "sleep 1000" "launch 10" "kill 9"
record "$target" cuda-script
same "SIGKILL: complete buffers are kept" "$status $(cell runtime_api calls cudaLaunchKernel)" "137 10"
script "launch 10" "kill 15"
record "$target" cuda-script
same "SIGTERM: open buffers are asked for" "$status $(cell runtime_api calls cudaLaunchKernel)" "143 10"

# ---- accounts: emitted = kept + drops, with tiny pools, many threads, and a disk that stalls for a while
for version in 26 130001; do
    for stall in 0 300; do
        what="records in = records out + drops, version $version, writes that take $stall ms"
        script "version $version" "threads 8 20000"
        TARGET_STALL_MS=$stall record --buffers 3 --buffer-size 16K "$target" cuda-script
        emitted=$(sed -n 's/^emitted \([0-9]*\) .*/\1/p' "$tmp/out") refused=$(sed -n 's/.*refused \([0-9]*\) .*/\1/p' "$tmp/out")
        # slices: the calls and kernels, plus the program's range and step
        kept=$("$BIN" summary --format json --table run "$dir" 2>/dev/null | python3 -c 'import json,sys; print(json.load(sys.stdin)["source"]["slices"] - 2)')
        said=$(problem recorder_drops)
        same "$what" "$((kept + ${said:-0}))" "$((emitted + refused))"
        [ "$stall" = 0 ] || [ "${said:-0}" -gt 0 ] && echo "ok ... $((${said:-0})) drops" || echo "FAIL a disk that stands still cost nothing"
    done
done

TARGET_STALL_MS=500 record --format spool "$target" threads 1000000
kept=$(cell user_ranges calls pair)
same "ranges in = ranges out + drops, with a disk that stands still" "$((kept + $(problem recorder_drops)))" 4000000

# ---- schedules: device work of the recorded steps only
script "version 130001" "launch 4" flush
record --steps skip_first=2,wait=1,warmup=1,active=2,repeat=1 "$target" cuda-script 8
same "steps of a schedule" "$(steps)" "4 5 "
same "device work of these steps" "$(cell runtime_api calls cudaLaunchKernel)" 8
script "version 130001" context "wait 1 25" "environment 1" "unified 1" flush
record --steps skip_first=0,wait=0,warmup=2,active=2,repeat=1 --trace +um,env "$target" cuda-script 4
"$BIN" export "$dir" -o "$tmp/um.json" 2>/dev/null
same "unified memory and clocks of the steps that are recorded, not of those that warm up" "$(grep -c '"Throttling", "pid"' "$tmp/um.json") $(grep -c 'GPU fan' "$tmp/um.json")" "2 2"

# ---- recording begun and ended by the program
script "version 130001" "launch 5" "profiler 1" "launch 7" "profiler 0" "launch 9" flush
record --capture-range cudaProfilerApi "$target" cuda-script
same "from cudaProfilerStart() to cudaProfilerStop()" "$(cell runtime_api calls cudaLaunchKernel) $(table kernels | python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin)))')" "7 7"
script "version 130001" "fail EnableCallback 1" "profiler 1" "launch 7" flush
record --capture-range cudaProfilerApi "$target" cuda-script
has "... which a libcupti may refuse" "$tmp/err" 'cudaProfilerStart\(\) cannot be followed'

sum_calls() { table "$1" | python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin)))'; }
# ---- times counted from the first context: nothing before it or after the time is recorded
calls() { cell runtime_api calls cudaLaunchKernel; }
script "version 130001" "launch 3" context "launch 5" flush "wait 0" "launch 7" flush
record --clock cuda --duration 100ms "$target" cuda-script
same "--clock cuda: from the first context on" "$status $(calls)" "0 5"
has "... when it came is kept" <(table run) '^clock_began,[1-9]'
script "version 130001" context "launch 3" flush "wait 0" "wait 1" "launch 5" flush
record --clock cuda --delay 100ms "$target" cuda-script
same "--clock cuda --delay" "$status $(calls)" "0 5"
# 400 ms after the process's start no context exists yet: the command must not be killed then
script "version 130001" "sleep 600" context "launch 5" flush "wait 0" "launch 7" flush "sleep 60000"
record --clock cuda --duration 100ms --kill TERM "$target" cuda-script
same "--clock cuda --kill" "$status $(calls)" "143 5"
script "version 130001" "launch 3" flush
record --clock cuda "$target" cuda-script
same "--clock cuda without a context" "$status $(calls) $(cell operators calls aten::mm)" "0  "
has "... is said" "$tmp/err" 'nothing was recorded: no CUDA context came'
has "... and in the trace" <(table run) '^clock,"no CUDA context came'
script "version 130001" "fail EnableCallback 1" "launch 3" flush
record --clock cuda "$target" cuda-script
same "--clock cuda where contexts cannot be seen" "$status $(calls)" "0 3"
has "... is said" "$tmp/err" 'count from the start of CUDA'
TRACETTY_CUPTI=/no/such.so record --clock cuda "$target" cuda-script
same "--clock cuda without libcupti" "$status $(cell operators calls aten::mm)" "0 1"
record --clock cuda "$target" basic
has "--clock cuda without CUDA is said" "$tmp/err" 'nothing was recorded: no CUDA context came'
"$BIN" record --clock gpu true 2>"$tmp/err"; same "--clock gpu" $? 2

# ---- a program that records itself: before it uses CUDA, or while CUDA is at work
script "version 130001" device context "launch 5" flush
OWN_DIR=$tmp/own "$target" cuda-script >"$tmp/out" 2>"$tmp/err"; dir=$tmp/own
same "tracetty_init(): calls, kernels, ranges of NVTX" "$(calls) $(sum_calls kernels) $(cell operators calls aten::mm)" "5 5 1"
script "version 130001" "launch 5" flush
OWN_LATE=$B/tests/doubles/libfakecuda.so OWN_DIR=$tmp/late "$target" cuda-script >"$tmp/out" 2>"$tmp/err"; dir=$tmp/late
same "tracetty_init() when CUDA is at work" "$(calls) $(sum_calls kernels)" "5 5"
has "... devices and contexts that were there" <("$BIN" export "$dir" -o - 2>/dev/null) '"deviceProperties":.*A GPU for tests'

# ---- external ids
script "version 130001" "launch 3" flush
record --trace +external "$target" cuda-script
"$BIN" export "$dir" -o "$tmp/ext.json" 2>/dev/null
python3 - "$tmp/ext.json" <<'PY'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
of = lambda *cats: [e["args"]["External id"] for e in events if e.get("cat") in cats]
op, step, on_stream = of("cpu_op"), of("user_annotation"), of("gpu_user_annotation")
# ids of CUPTI's external correlation: thread << 32 | count
good = len(op) == 1 and op[0] >> 32 and on_stream == step and set(of("kernel", "cuda_runtime")) == set(op) and len(of("kernel")) == 3
print("ok external ids" if good else "FAIL external ids: %s" % [op, step, on_stream, of("kernel", "cuda_runtime")])
PY

# ---- export: all tables are equal, and other tools find their keys
script "version 130001" "${more[@]}"
record --memory --trace +graph,event,um,env,latency "$target" cuda-script
worker=$(basename "$dir"/*.ttspool); worker=${worker%%.*}
mkdir "$tmp/e" && "$BIN" export "$dir" -o "$tmp/e/$worker.json.gz" 2>"$tmp/err"; same "export" $? 0
mv "$tmp/e/$worker.json.gz" "$tmp/e.json.gz" && ln "$tmp/e.json.gz" "$tmp/e/$worker.json.gz"
ids=$("$BIN" tables | sed -n 's/^\([a-z_]*\): .*/\1/p' | grep -v '^diff_') # diff tables need two runs
with_rows=0
for t in $ids; do
    case $t in run | runs) continue ;; esac # path and metadata of the file
    a=$(table "$t" "$dir") b=$(table "$t" "$tmp/e/$worker.json.gz")
    [ "$(wc -l <<<"$a")" -gt 1 ] && with_rows=$((with_rows + 1))
    [ -n "$a" ] && [ "$a" = "$b" ] && echo "ok same table from the export: $t" || { echo "FAIL table $t differs"; diff <(echo "$a") <(echo "$b") | head -6; }
done
[ "$with_rows" -ge 20 ] && echo "ok $with_rows of them have rows" || echo "FAIL only $with_rows tables have rows"
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
for c in "cpu_op user_annotation cuda_runtime cuda_driver kernel gpu_memcpy gpu_memset cuda_sync cuda_event overhead gpu_user_annotation".split(): need("category " + c, c in cat)
host = {e["args"]["External id"]: e for e in d["traceEvents"] if e.get("cat") in ("cpu_op", "user_annotation")}
for c in ("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "gpu_user_annotation"):
    need(c + " has the id of a range", all(e["args"].get("External id") in host for e in d["traceEvents"] if e.get("cat") == c))
work = [e for e in d["traceEvents"] if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
for g in [e for e in d["traceEvents"] if e.get("cat") == "gpu_user_annotation"]:
    mine = [e for e in work if (e["pid"], e["tid"]) == (g["pid"], g["tid"])]
    first, last = min(e["ts"] for e in mine), max(e["ts"] + e["dur"] for e in mine)
    need("a range on stream %s, from first to last work" % g["tid"], abs(g["ts"] - first) < 0.002 and abs(g["ts"] + g["dur"] - last) < 0.002)
waits = [e["args"] for e in d["traceEvents"] if e["name"] in ("Stream Wait Event", "Event Sync")]
records = {e["args"]["correlation"] for e in d["traceEvents"] if e["name"] == "cudaEventRecord"}
need("waits know the recording they wait for", len(waits) == 8 and all(a["wait_on_stream"] == 7 and
     a["wait_on_cuda_event_record_corr_id"] in records and 0 < a["correlation"] - a["wait_on_cuda_event_record_corr_id"] < 3 for a in waits))
for key in ["queued", "device", "context", "stream", "correlation", "registers per thread", "shared memory", "blocks per SM", "warps per SM",
            "grid", "block", "est. achieved occupancy %"]: need("kernel " + key, key in cat["kernel"]["args"])
need("it says that nothing was lost", d["tracetty"]["clean_exit"] and d["tracetty"]["drops"] == {})
need("streams are in order", ("thread_sort_index", "0") in {(e["name"], str(e["pid"])) for e in d["traceEvents"] if e["ph"] == "M"})
need("kernel names are demangled", any(e["name"] == "vecadd(float*, float*, int)" for e in d["traceEvents"]))
for key in "device context stream correlation bytes".split(): need("copy " + key, key in cat["gpu_memcpy"]["args"])
for key in "cbid correlation".split(): need("call " + key, key in cat["cuda_runtime"]["args"])
m = [e for e in d["traceEvents"] if e["name"] == "[memory]"]
need("memory", m and all(k in m[0]["args"] for k in ("Addr", "Bytes", "Device Type", "Device Id", "Total Allocated", "Total Reserved")))
need("a pool's memory is held, not only what is allocated of it", max(e["args"]["Total Reserved"] for e in m) == 32 << 20)
need("pools come and go", [e["name"] for e in d["traceEvents"] if e.get("cat") == "memory_pool"] ==
     ["Memory Pool Created", "Memory Pool Trimmed", "Memory Pool Destroyed"])
names = {(e["name"], str(e["pid"])) for e in d["traceEvents"] if e["ph"] == "M"}
need("names of the GPU's tracks", ("process_labels", "0") in names and ("thread_name", "0") in names)
begins, ends = ([e["id"] for e in d["traceEvents"] if e["ph"] == ph] for ph in "sf")
need("flows from launches", len(ends) > 100 and len(set(begins)) == len(begins) and set(begins) == set(ends))
k = [e for e in d["traceEvents"] if e.get("cat") == "kernel" and "submitted" in e["args"]]
need("kernels know when they were queued and submitted", len(k) == 162 and
     all(abs(e["ts"] - e["args"]["queued"] - 1.5) < 0.01 and e["args"]["queued to start (us)"] == 1.5 and abs(e["ts"] - e["args"]["submitted"] - 0.7) < 0.01 for e in k))
um = [e for e in d["traceEvents"] if e.get("cat") == "unified_memory"]
seen = {e["name"]: e["args"] for e in um}
need("unified memory: %s" % sorted(seen), len(um) == 16 and sorted(seen) == ["CPU Page Fault", "GPU Page Fault", "Remote Map", "Thrashing",
     "Throttling", "Unified Memory DtoD", "Unified Memory DtoH", "Unified Memory HtoD"])
need("... bytes, causes, faults", (seen["Unified Memory HtoD"]["bytes"], seen["Unified Memory HtoD"]["cause"], seen["GPU Page Fault"]["faults"],
     seen["GPU Page Fault"]["access"], seen["Unified Memory DtoD"]["toDevice"]) == (2 << 20, "prefetch", 3, "read", 1))
need("... moments are instants", {e["name"]: e["ph"] for e in um}["Thrashing"] == "i" and {e["name"]: e["ph"] for e in um}["Throttling"] == "X")
need("... on rows with names", {(e["args"]["name"]) for e in d["traceEvents"] if e["name"] == "thread_name" and str(e["tid"]) > str(1 << 30) and len(str(e["tid"])) == 10} ==
     {"UM HtoD", "UM DtoH", "UM DtoD", "UM CPU faults", "UM GPU faults", "UM thrashing", "UM throttling", "UM remote maps"})
c = {}
for e in d["traceEvents"]:
    if e["ph"] == "C": c.setdefault(e["name"], {}).update(e["args"])
need("clocks, power, temperature", [c.get(k + " (CUPTI)") for k in ("GPU clocks MHz", "GPU power W", "GPU temperature C", "GPU fan %", "PCIe link",
     "GPU clocks held back")] == [{"SM": 1980, "memory": 2619}, {"draw": 651.5, "limit": 700}, {"GPU": 64}, {"speed": 40},
     {"generation": 5, "lanes": 16}, {"set by the user": 0, "power cap": 1, "hardware slowdown": 0}])
need("steps", any(e["name"].startswith("ProfilerStep#") for e in d["traceEvents"]))
PY

# ---- the real library, where it is installed without a driver
lib=$(ls /usr/local/cuda*/lib*/libcupti.so.1[1-9] 2>/dev/null | head -1)
if [ -n "$lib" ] && [ ! -e /dev/nvidiactl ]; then
    unset FAKE_CUPTI
    TRACETTY_CUPTI=$lib record "$target" cuda-basic
    same "the real libcupti without a driver" "$status $(cell user_ranges calls inner)" "0 10"
    has "... and why" "$tmp/err" 'cuptiSubscribe failed: error'
else
    echo "skip the real libcupti without a driver: not installed, or there is a driver"
fi
