#!/usr/bin/env bash
# shellcheck disable=SC2015 # ok and fail never fail
# Proves recording on a machine with a GPU; not part of `make test`. It runs unattended: tests/gpu/run.sh
# [SECTION...]; all sections by default:
#   A the machine, and the answers of the real libcupti    B exact counts                C cost of a launch
#   D cost of recording PyTorch                            E kernels as torch.profiler has them
#   F both profilers in one process                        G KILL, TERM, INT             H data loader processes
#   I samples                                              J clocks, queues, GPU counters, times from the context on
#   K windows: schedules under many threads, ranges, graphs made earlier                 L errors before the start
#   M a GPU that is behind, or hangs                       N a ring and its dumps        O a forked process, NCCL
# Without torch E and F are left out, and D and H use their own programs.
# Environment: B (build folder, or the folder of tests/gpu/bundle), BIN, PYTHON (with torch, if installed), OUT
# (folder for report.txt with everything, figures.txt, probe.txt and sample traces, default B/gpu), LIMIT (seconds for
# everything, default 470; sections that do not fit are listed and can run in another call), REPEAT (runs of each
# measurement, default 5), UM=1 (unified memory, too), DRY=1 (run on the doubles). Needs python3. With nvcc it builds
# a program in CUDA C++, else one that uses the driver alone. Exit status: 0 all passed, 1 something failed, 77 no
# GPU.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build} PYTHON=${PYTHON:-python3} DRY=${DRY:-} LIMIT=${LIMIT:-470} REPEAT=${REPEAT:-5}
case $B in /*) ;; *) B=$PWD/$B ;; esac
if [ "$B" = "$PWD/build" ] && [ -x ./tracetty ]; then BIN=${BIN:-$PWD/tracetty}; else BIN=${BIN:-$B/tracetty}; fi
OUT=${OUT:-$B/gpu}
sections=${*:-A B C D E F G H I J K L M N O}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
mkdir -p "$OUT" && : >>"$OUT/figures.txt"
[ $# -gt 0 ] || rm -f "$OUT/report.txt" # a report of selected sections is extended
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
figure() { # NAME VALUE UNIT: replaces an earlier value of the name
    sed -i "/^$1 /d" "$OUT/figures.txt"
    echo "$1 $2 $3" | tee -a "$OUT/figures.txt"
}
left() { echo $((LIMIT - SECONDS)); }
# Nothing may hang: a command gets two minutes, or the time that is left.
run() { timeout -k 10 "$(($(left) > 125 ? 120 : $(left) > 10 ? $(left) - 5 : 5))" "$@"; }
# A library that checks the heap: freeing or overwriting foreign memory ends with SIGABRT.
heap=()
for f in /lib/*/libc_malloc_debug.so.0 /lib64/libc_malloc_debug.so.0; do [ -e "$f" ] && heap=(env LD_PRELOAD="$f" MALLOC_CHECK_=3); done
[ ${#heap[@]} -gt 0 ] || heap=(env MALLOC_CHECK_=3)
record() { # OPTIONS... COMMAND: record into a new $dir; sets $status; messages are in $tmp/err, the command's output in $tmp/out
    n=$((n + 1)) dir=$tmp/r$n
    run "$BIN" record -o "$dir" --format spool --at-end nothing "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
    # a script that cannot record proves nothing: print the reason
    [ $status = 0 ] || tail -n 3 "$tmp/err" | sed 's/^/  /'
}
warnings() { grep 'warning:' "$tmp/err" | sed 's/^/  /'; }
forget() { rm -rf "$dir"; } # recordings of long loops are large
said() { sed -n "s/.*\\b$1=\\([0-9.]*\\).*/\\1/p" "$tmp/out" | tail -n 1; } # value that the command printed for a key
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
# Starts a selected section if time is left.
section() { # LETTER SECONDS TITLE
    wants "$1" || return 1
    if [ "$(left)" -lt "$2" ]; then
        echo "skip $1: $(left) s left, it needs $2: run it in a call of its own"
        return 1
    fi
    echo "== $1: $3 (after $SECONDS s)"
}

# ---- programs with known work
target=() cases=() api=cuda more=+event many=30
cc=$(command -v "${CC:-cc}" || command -v gcc || command -v clang)
build() { # NAME: copy it from the bundle, or build it, to $tmp/NAME
    if [ -x "$B/$1" ] && [ -z "$DRY" ]; then cp "$B/$1" "$tmp/$1"
    elif [ -n "$cc" ]; then "$cc" -std=gnu11 -O2 -I. -o "$tmp/$1" "tests/gpu/$1.c" -ldl -pthread; fi
    [ -x "$tmp/$1" ] || { fail "tests/gpu/$1.c cannot be built, and is not in the bundle"; return 1; }
}
build cases && cases=("$tmp/cases")
bare=$B/libbareclient.so
if [ -n "$DRY" ]; then # the same programs on the doubles: a driver whose work becomes records of the tests' libcupti
    export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so LD_LIBRARY_PATH=$B/tests/doubles/nvml:$B/tests/doubles/driver TARGET_NODES=3
    bare=$B/tests/doubles/libbareclient.so
    build target && target=("$tmp/target") many=10
else
    nvcc=$(command -v nvcc || find /usr/local/cuda*/bin -name nvcc 2>/dev/null | sort | tail -n 1)
    [ -e "$bare" ] || bare=$B/tests/doubles/libbareclient.so
    if [ -n "$nvcc" ] && [ -z "${NO_NVCC:-}" ] && run "$nvcc" -O2 -o "$tmp/target" tests/gpu/target.cu -ldl 2>"$tmp/err"; then
        target=("$tmp/target")
    else
        [ -z "$nvcc" ] || head -n 3 "$tmp/err"
        api=cu more=+event,driver
        build target && target=("$tmp/target")
        echo "no nvcc: the program of the driver's interface instead"
    fi
    if [ ${#target[@]} -gt 0 ] && ! run "${target[@]}" 10 1 >"$tmp/out" 2>"$tmp/err"; then
        fail "the program does not run without a recorder: $(head -n 1 "$tmp/err")"
        target=() cases=()
    fi
fi
# calls of a driver-only program's launches in the recording
calls=''
[ -n "$DRY" ] || calls=cuLaunchKernel
# noisy MOST WHAT PLAIN... RECORDED...: the ratio of medians is at most MOST, plus the scatter of the runs
noisy() {
    python3 - "$@" <<'PY' || failed=1
import statistics, sys
most, what = float(sys.argv[1]), sys.argv[2]
a, b = ([float(x) for x in s.split()] for s in sys.argv[3:5])
noise = (max(a) - min(a)) / statistics.median(a) / 2
ratio = statistics.median(b) / statistics.median(a)
good = ratio <= most + noise
print("%s %s costs x%.3f recorded, at most x%.2f and %.1f %% of noise" % ("ok" if good else "FAIL", what, ratio, most, 100 * noise))
sys.exit(not good)
PY
}
have_target() { [ ${#target[@]} -gt 0 ]; }

probe() {
    build probe || return
    run "$tmp/probe" "${lib:-libcupti.so}" >"$OUT/probe.txt" 2>&1 || fail "the probe: $(tail -n 1 "$OUT/probe.txt")"
    sed 's/^/  /' "$OUT/probe.txt"
    # "KIND: phase ActivityEnable code ms"; unified memory may need more, and is not recorded unless asked for
    awk '/ActivityEnable / && !/UNIFIED/ { seen++; if ($(NF - 1) != 0) bad++ } END { exit !seen || bad > 0 }' "$OUT/probe.txt" &&
        ok "every kind can be enabled" || fail "kinds that cannot be enabled: $(grep 'ActivityEnable ' "$OUT/probe.txt" | awk '$(NF - 1) != 0' | tr '\n' ' ')"
    figure first_enable_ms "$(awk '/early ActivityEnable / { ms += $NF } END { print ms + 0 }' "$OUT/probe.txt")" ms
    figure second_enable_ms "$(awk '/again ActivityEnable / { ms += $NF } END { print ms + 0 }' "$OUT/probe.txt")" ms
}

# the library that the recorder takes, then all others: an older one works on a newer driver
lib=${TRACETTY_CUPTI:-$("$BIN" doctor | sed -n 's/.* in \(\/[^ ;]*libcupti[^ ;]*\).*/\1/p' | head -n 1)}
all_cupti() {
    { echo "$lib"; [ -n "$DRY" ] || find /usr/local /usr/lib /opt "$HOME" -xdev -name 'libcupti.so*' 2>/dev/null; } | while read -r f; do
        [ -e "$f" ] && realpath "$f"
    done | sort -u | head -n 6
}
if section A 20 "what is here, and what the real libcupti answers"; then
    uname -srm
    command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,power.draw --format=csv
    [ -z "$DRY" ] && run "$PYTHON" -c 'import torch; print("torch", torch.__version__, torch.version.cuda, torch.cuda.is_available())' 2>/dev/null
    run "$BIN" doctor
    probe
    if have_target; then # exact counts with each library, and no foreign memory freed
        for f in $(all_cupti); do
            record --cupti "$f" "${heap[@]}" "${target[@]}" 200 1
            same "$f: status" $status 0
            same "$f: kernels" "$(sum kernels calls)" "$(said kernels)"
        done
    fi
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
    for what in recorder_drops unlinked; do
        grep -q "  $what" "$tmp/check" && fail "problem $what" || ok "no problem $what"
    done
    # the GPU's clock is interpolated: one kernel in a thousand may seem to begin before its launch
    early=$(grep -A1 '^  before_launch' "$tmp/check" | sed -n 's/^ *count *//p')
    [ "${early:-0}" -le $(($(said kernels) / 1000)) ] && ok "${early:-0} kernels before their launch" || fail "$early kernels before their launch"
    want="$(said kernels) $(said copies) $(said steps)"
    TARGET_NVTX_FIRST=1 record --memory --trace $more "${target[@]}" 1000
    same "a range before cuInit: the same counts" "$(sum kernels calls) $(sum memcpy calls Memcpy) $(table step_breakdown | tail -n +2 | wc -l)" "$want"
    if [ ${#cases[@]} -gt 0 ]; then
        record "${cases[@]}" threads 64 100
        same "64 threads: kernels" "$(sum kernels calls)" "$(said kernels)"
        same "64 threads: a call for each, not two" "$(sum runtime_api calls $calls)" "$(said kernels)"
        "$BIN" check "$dir" | grep -q recorder_drops && fail "64 threads: drops" || ok "64 threads: no drops"
        record "${cases[@]}" each
        same "each way to launch work" "$(($(sum kernels calls) + $(sum memcpy calls)))" "$(said work)"
        "$BIN" check "$dir" | grep -q unlinked && fail "... and some of it is not linked" || ok "... all of it is linked"
    fi
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
    # Load of the machine only adds time to a loop of launches: compare the minima of the rounds, and repeat with more
    # rounds before a large difference is believed.
    plain=() recorded=() whole=() floor=()
    least() { python3 -c 'import sys; print(min(map(float, sys.argv[1:])))' "$@"; }
    cheap() { python3 -c 'import sys; a, b = map(float, sys.argv[1:]); sys.exit(b - a > 200)' "$(least "${floor[@]}")" "$(least "${recorded[@]}")"; }
    for round in $(seq "$((REPEAT + 8))"); do
        [ "$round" -gt "$REPEAT" ] && cheap && break
        run "${target[@]}" 100000 >"$tmp/out"; plain+=("$(said launch_ns)")
        record "${target[@]}" 100000; recorded+=("$(said launch_ns)"); forget
        record --trace kernel "${target[@]}" 100000; whole+=("$(said launch_ns)"); forget
        TRACETTY_CUPTI=$lib CUDA_INJECTION64_PATH=$bare run "${target[@]}" 100000 >"$tmp/out"; floor+=("$(said launch_ns)")
    done
    a=$(median "${plain[@]}") b=$(median "${recorded[@]}") k=$(median "${whole[@]}") least=$(median "${floor[@]}")
    figure launch_ns "$a" ns; figure launch_bare_client_ns "$least" ns; figure launch_recorded_ns "$b" ns; figure launch_recorded_kernels_only_ns "$k" ns
    echo "  each: ${plain[*]} / ${recorded[*]} / ${whole[*]} / ${floor[*]}"
    b=$(least "${recorded[@]}") least=$(least "${floor[@]}")
    cheap && ok "a launch costs $b ns, $least ns with the least client of CUPTI: at most 200 ns more" || fail "a launch costs $b ns, $least ns with the least client of CUPTI"
    if [ ${#cases[@]} -gt 0 ]; then # CUPTI's device memory stays below the limit, however much is launched
        record --max-spool 64M "${cases[@]}" memory $([ -n "$DRY" ] && echo 50000 || echo 5000000)
        figure device_memory_taken_mib "$(said taken_mib)" MiB
        same "many launches: status" $status 0
        [ "$(said taken_mib)" -le 200 ] && ok "device memory: $(said taken_mib) MiB taken" || fail "device memory: $(said taken_mib) MiB taken"
        forget
    fi
fi

if have_target && section G 60 "signals"; then
    for sig in KILL TERM INT; do
        dir=$tmp/sig$sig && rm -f "$tmp/pid"
        # a script's background processes ignore SIGINT unless that is undone
        timeout -k 5 60 "$BIN" record -o "$dir" --format spool --at-end nothing python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
with open(sys.argv[1], "w") as f: f.write(str(os.getpid()))
os.execvp(sys.argv[2], sys.argv[2:])' "$tmp/pid" "${target[@]}" 30000000 "$many" >"$tmp/out" 2>"$tmp/err" &
        recorder=$!
        for _ in $(seq 200); do # wait until some blocks are on the disk
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

if [ ${#cases[@]} -gt 0 ] && section G 20 "SIGKILL: nothing older than two seconds is lost"; then
    dir=$tmp/ticks && rm -f "$tmp/launched"
    timeout -k 5 60 "$BIN" record -o "$dir" --format spool --at-end nothing "${cases[@]}" ticks "$tmp/launched" >"$tmp/out" 2>"$tmp/err" &
    recorder=$!
    for _ in $(seq 300); do [ "$(wc -l 2>/dev/null <"$tmp/launched" || echo 0)" -ge 60 ] && break; sleep 0.1; done
    killed=$(date +%s%N)
    kill -KILL "$(sed -n 's/^pid //p' "$tmp/launched")" 2>/dev/null
    wait $recorder 2>/dev/null
    same "status after SIGKILL" $? 137
    want=$(awk -v until=$((killed - 2000000000)) '$1 > 0 && $1 <= until { n = $2 } END { print n + 0 }' "$tmp/launched")
    got=$(sum kernels calls)
    [ "$want" -gt 0 ] && [ "$got" -ge "$want" ] && ok "of $want launches older than 2 s all are there: $got kernels" || fail "of $want launches older than 2 s $got kernels are there"
    forget
fi

if [ ${#cases[@]} -gt 0 ] && section K 60 "windows"; then
    for i in 1 2 3; do # kinds are disabled at the end of each window, while 8 threads launch
        begun=$SECONDS
        record --steps wait=1,warmup=1,active=1,repeat=20 "${cases[@]}" cycles 70
        same "20 windows under 8 threads: status" $status 0
        same "... each is a span" "$(find "$dir" -name '*.ttspool' | wc -l)" 20
        same "... with its step" "$(table step_breakdown | tail -n +2 | wc -l)" 20
        same "... a kernel for each call" "$(sum kernels calls)" "$(sum runtime_api calls $calls)"
        [ $((SECONDS - begun)) -le 20 ] && ok "... in time" || fail "... in $((SECONDS - begun)) s"
    done
    for mode in profiler range; do
        range=cudaProfilerApi
        [ $mode = profiler ] || range="the range"
        record --capture-range "$range" "${cases[@]}" $mode
        warnings
        same "--capture-range $range: kernels" "$(sum kernels calls)" "$(said kernels)"
        same "--capture-range $range: calls" "$(sum runtime_api calls $calls)" "$(said kernels)"
        figure "${mode}_start_ms" "$(said start_ms)" ms
        python3 -c 'import sys; sys.exit(float(sys.argv[1]) > 20)' "$(said start_ms)" && ok "... which begins within 20 ms" || fail "... which begins after $(said start_ms) ms"
    done
    record --start-paused "${cases[@]}" graphs
    same "a graph made while nothing was recorded, in two windows: kernels" "$(sum kernels calls)" "$(said kernels)"
    "$BIN" check "$dir" | grep -q unlinked && fail "... some of them are not linked" || ok "... all of them are linked"
fi

if [ ${#cases[@]} -gt 0 ] && section L 10 "what goes wrong before it begins"; then
    CUDA_INJECTION64_PATH=/no/such/library.so run "${cases[@]}" init >"$tmp/out" 2>&1
    echo "  a tool that cannot be loaded: $(head -n 1 "$tmp/out")" # only reported: CUDA's documentation does not define its behaviour here
    run "${cases[@]}" init >"$tmp/out" 2>&1
    same "cuInit without a tool" "$(said cuInit)" 0
    record "${cases[@]}" init
    same "cuInit with the recorder" "$(said cuInit)" 0
    TRACETTY_CAPTURE_LIB=/no/such/library.so run "$BIN" record -o "$tmp/none" --at-end nothing "${cases[@]}" init >/dev/null 2>"$tmp/err"
    same "the recorder is not there: refused" $? 125
fi

# MODE FILE OPTIONS...: record the mode in the background into $dir until it has written FILE; sets $pid, $recorder
start() {
    local mode=$1 file=$2
    shift 2
    n=$((n + 1)) dir=$tmp/r$n
    rm -f "$file"
    timeout -k 5 100 "$BIN" record -o "$dir" --format spool --at-end nothing "$@" "${cases[@]}" "$mode" "$file" >"$tmp/out" 2>"$tmp/err" &
    recorder=$!
    for _ in $(seq 300); do [ -s "$file" ] && break; sleep 0.1; done # polls
    pid=$(sed -n 's/^pid //p' "$file")
}
# rows of table unfinished, and the first one's name and order
unfinished() { table unfinished | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(len(rows), rows[0]["order"], rows[0]["name"] if len(sys.argv) < 2 else "spin") if rows else print(0)' ${DRY:+dry}; }
if [ ${#cases[@]} -gt 0 ] && section M 60 "a GPU that is behind, or hangs"; then
    [ -z "$DRY" ] || export FAKE_HANG_AFTER=51
    for sig in KILL TERM ABRT; do
        start stuck "$tmp/stuck"
        sleep 3 # two requests for records
        kill -$sig "$pid" 2>/dev/null
        wait $recorder
        same "SIG$sig while a kernel hangs: it, and those behind it" "$(unfinished)" "21 1 spin"
        same "... those that ended" "$(sum kernels calls)" 50
        "$BIN" "$dir" 2>/dev/null | head -n 1 | grep -q 'is stuck: .*on stream' && ok "... the first line names it" || fail "... the first line: $("$BIN" "$dir" 2>/dev/null | head -n 1)"
    done
    unset FAKE_HANG_AFTER
    [ -z "$DRY" ] || export FAKE_AHEAD_MS=3000
    start behind "$tmp/behind"
    for _ in $(seq 300); do [ "$(wc -l <"$tmp/behind")" -ge 60 ] && break; sleep 0.1; done
    killed=$(date +%s%N)
    kill -KILL "$pid" 2>/dev/null
    wait $recorder 2>/dev/null
    unset FAKE_AHEAD_MS
    want=$(awk -v until=$((killed - 2000000000)) '$1 > 0 && $1 <= until { n = $2 } END { print n + 0 }' "$tmp/behind")
    got=$(sum runtime_api calls $calls)
    [ "$want" -gt 0 ] && [ "$got" -ge "$want" ] && ok "SIGKILL, the GPU is behind: of $want launches older than 2 s all are there: $got" || fail "SIGKILL, the GPU is behind: of $want launches older than 2 s $got are there"
    figure behind_kernels "$(sum kernels calls)" kernels
    figure behind_unfinished "$(table unfinished | tail -n +2 | wc -l)" kernels
    forget
fi

if [ ${#cases[@]} -gt 0 ] && section N 60 "a ring and its dumps"; then
    [ -z "$DRY" ] || export FAKE_HANG_AFTER=51
    start stuck "$tmp/stuck" --keep 5s --stall 4s
    sleep 12 # the segments with the launches are gone then
    kill -KILL "$pid" 2>/dev/null
    wait $recorder
    unset FAKE_HANG_AFTER
    dumps=("$dir"/hang-*)
    same "a hang of 12 s: dumps" "$([ -d "${dumps[0]}" ] && echo ${#dumps[@]} || echo 0)" 1
    same "... the kernel in the dump" "$(dir=${dumps[0]} unfinished)" "21 1 spin"
    table run "${dumps[0]}" | grep -q 'no progress for' && ok "... says why" || fail "... says no reason"
fi

if have_target && section J 40 "clocks, queues, GPU counters, times that count from the context"; then
    record --trace +env,latency --gpu-util 50 "${target[@]}" $([ -n "$DRY" ] && echo 100000 || echo 1000000) "$many"
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
    [ -z "$DRY" ] && [ -z "${NO_TORCH:-}" ] && run "$PYTHON" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null && have_torch=1
    [ -n "$have_torch" ] || echo "skip E, F: no torch with CUDA" ;;
esac

if [ -z "$have_torch" ] && have_target && section D 60 "cost of recording a program whose device is busy (no torch)"; then
    a=() b=()
    for _ in $(seq "$REPEAT"); do
        run "${target[@]}" 0 200 >"$tmp/out"; a+=("$(said step_ms)")
        record "${target[@]}" 0 200; b+=("$(said step_ms)"); forget
    done
    x=$(median "${a[@]}") y=$(median "${b[@]}")
    figure busy_step_ms "$x" ms; figure busy_step_recorded_ms "$y" ms
    echo "  each: ${a[*]} / ${b[*]}"
    [ -n "$DRY" ] || noisy 1.01 "a busy device: a step" "${a[*]}" "${b[*]}"
fi

if [ -n "$have_torch" ] && section D 120 "cost of recording PyTorch"; then
    for loop in small large launch; do
        a=() b=() c=() o=()
        for _ in $(seq "$REPEAT"); do # alternating, so that all meet equal clocks and temperature
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
        [ $loop = launch ] && most=10 # the cost of a launch dominates, which C measures
        noisy $most "$loop: a step" "${a[*]}" "${b[*]}"
        python3 -c 'import sys; b, c = map(float, sys.argv[1:]); sys.exit(b > c)' "$y" "$z" &&
            ok "$loop: recording costs less than torch.profiler" || fail "$loop: $x ms, recorded $y ms, torch.profiler $z ms"
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
    options=(--steps "(20,23)"); train none small; want=$(sum kernels calls)
    options=(--ops=shapes --steps "(20,23)"); train none small
    same "--ops: as many kernels as without" "$(sum kernels calls)" "$want"
    [ "$(sum operators calls 'aten::linear')" -gt 0 ] && ok "--ops: operators of PyTorch" || fail "--ops: no operators of PyTorch: $(head -n 1 "$tmp/err")"
    [ "$(sum operators calls 'Backward')" -gt 0 ] && ok "--ops: those of its backward threads" || fail "--ops: none of its backward threads"
fi

if [ -n "$have_torch" ] && section F 40 "both profilers in one process"; then
    run "$PYTHON" -c 'import torch; print("  torch", torch.__version__)' # the CUPTI version decides which of the two profilers loses
    options=(); train none small; each=$(($(sum kernels calls) / 70)) # kernels of a step: 20 to warm up, 50 more
    options=(); train torch small "$tmp/both.json"
    same "status" $status 0
    sed 's/^/  /' "$tmp/err" | head -n 8
    ours=$(sum kernels calls) theirs=$(dir=$tmp/both.json sum kernels calls)
    lost() { grep -qiE 'another|torch.profiler|no records|taken' "$tmp/err" || "$BIN" check "$dir" | grep -qiE 'taken|stopped'; }
    [ "$ours" -ge $((each * 69)) ] && ok "ours has all: $ours kernels" || { lost && ok "ours has $ours kernels of $((each * 70)), and says so"; } ||
        fail "ours has $ours kernels of $((each * 70)) without a word"
    [ "$theirs" -gt 0 ] && ok "torch.profiler's has $theirs kernels" || { lost && ok "torch.profiler's has no kernels, and ours says so"; } ||
        fail "torch.profiler's has no kernels, without a word"
    python3 - "$tmp/both.json" <<'PY' || failed=1
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
of = lambda cat: {e["tid"] for e in events if e.get("cat") == cat}
calls, ops = of("cuda_runtime"), of("cpu_op")
good = not calls or bool(calls & ops)
print("%s threads of torch.profiler's calls are those of its operators: %s, %s" % ("ok" if good else "FAIL", sorted(calls)[:4], sorted(ops)[:4]))
sys.exit(not good)
PY
    # torch.profiler first, then a recording that the program begins: late buffers of the first may still come
    rm -rf "$tmp/late" && PYTHONPATH=$PWD/capture LATE=$tmp/late run "${heap[@]}" "$PYTHON" tests/gpu/train.py late small >"$tmp/out" 2>"$tmp/err"
    same "torch.profiler, then tracetty.init(): status" $? 0
    [ "$(dir=$tmp/late sum kernels calls)" -gt 0 ] && ok "... has $(dir=$tmp/late sum kernels calls) kernels" || fail "... has no kernels: $(tail -n 1 "$tmp/err")"
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

if section O 40 "a forked process, NCCL"; then
    # the parent is attached by a range, its child begins CUDA
    PYTHONPATH=$PWD/capture record python3 -c 'import ctypes, os, tracetty
with tracetty.range("parent"): pass
pid = os.fork()
if pid == 0:
    cuda, context, at, device = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_int()
    cuda.cuInit(0)
    cuda.cuDeviceGet(ctypes.byref(device), 0)
    cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
    cuda.cuCtxSetCurrent(context)
    cuda.cuMemAlloc_v2(ctypes.byref(at), ctypes.c_size_t(1 << 20))
    for _ in range(20): cuda.cuMemsetD8Async(at, ctypes.c_ubyte(1), ctypes.c_size_t(1 << 20), None)
    cuda.cuCtxSynchronize()
    raise SystemExit
os.waitpid(pid, 0)'
    same "a forked child that begins CUDA: memory sets" "$(sum memcpy calls)" 20
    if [ -n "$have_torch" ]; then
        record "$PYTHON" -c 'import sys, torch, torch.distributed as dist
dist.init_process_group("nccl", init_method="file://" + sys.argv[1], rank=0, world_size=1)
x = torch.ones(1 << 20, device="cuda")
for _ in range(20): dist.all_reduce(x)
torch.cuda.synchronize()
dist.destroy_process_group()' "$tmp/rendezvous"
        warnings
        same "NCCL with its profiler plugin: status" $status 0
        run "$BIN" export "$dir" -o "$tmp/nccl.json" 2>/dev/null
        calls_of_nccl=$(grep -o '"nccl_profiler"' "$tmp/nccl.json" | wc -l)
        [ "$calls_of_nccl" -ge 20 ] && ok "... its calls: $calls_of_nccl" || fail "... only $calls_of_nccl calls: this NCCL may call no plugin for a single rank"
        figure nccl_calls "$calls_of_nccl" calls
    fi
fi

if section H 40 "data loader processes"; then
    if [ -n "$have_torch" ]; then
        options=(); train none input
        same "status" $status 0
        same "one process is recorded" "$(find "$dir" -name '*.ttspool' | wc -l)" 1
    fi
    for how in fork spawn forkserver; do # a process of rank 3 with CUDA, and workers that print
        PYTHONPATH=$PWD/capture RANK=3 record --children all "$PYTHON" tests/gpu/workers.py $how
        same "$how: status" $status 0
        same "$how: one of them is the rank" "$(find "$dir" -name '*_rank3.*.ttspool' | wc -l)" 1
        same "$how: what its workers said" "$(cat "$dir"/*.ttspool | grep -ao 'worker [01]' | sort -u | tr '\n' ' ')" "worker 0 worker 1 "
    done
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
echo "figures:" && sed 's/^/  /' "$OUT/figures.txt"
echo "after $SECONDS s: figures, report and samples in $OUT"
exec >&- 2>&-
wait "$tee"
exit $failed
