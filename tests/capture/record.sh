#!/usr/bin/env bash
# tracetty record without a GPU: NVTX by its real protocol, the C and Python interfaces, schedules, statuses, signals, forks, limits.
. "$(dirname "$0")/_lib.sh"

# ---- recorded events
record -- "$target" basic
same "status of the command" $status 0
same "nested ranges" "$(cell user_ranges calls inner)" 10
same "outer range" "$(cell user_ranges calls outer)" 1
same "a clean recording" "$("$BIN" check "$dir" | grep -c 'no problems')" 1
has "a line at the end" "$tmp/err" 'ended +1 process +[0-9]+ events'
record -- "$target" odd
for name in "wide ä" domain:registered "start/end" after; do same "NVTX: $name" "$(cell user_ranges calls "$name")" 1; done
same "names of PyTorch are split" "$(cell operators calls 'aten::mm')" 1
same "shapes of PyTorch" "$("$BIN" summary --table operators --group-by shape --format csv "$dir" 2>/dev/null | grep -c '\[\[32, 64\], \[64, 8\]\]')" 1
same "ranges nested too deeply are counted" "$(problem recorder_drops)" 76
has "facts from the program" <(table run) '^batch,64'
record -- "$target" names 10000
same "ten thousand names" "$(table user_ranges | tail -n +2 | wc -l)" 10000

# ---- the summary of each process
record --summarize -- "$target" basic
same "--summarize: status of the command" $status 0
same "--summarize: a summary beside the recording" "$(ls "$dir"/*.tts | wc -l)" 1
same "its ranges are those of the recording" "$("$BIN" summary --table user_ranges --format csv "$dir"/*.tts)" "$("$BIN" summary --table user_ranges --format csv "$dir"/*.ttspool)"
same "the folder is still the recording" "$("$BIN" summary --table user_ranges --format csv "$dir" 2>/dev/null)" "$("$BIN" summary --table user_ranges --format csv "$dir"/*.ttspool)"

# ---- schedules
record --steps skip_first=10,wait=5,warmup=1,active=3,repeat=2 -- "$target" steps 40
same "PyTorch's schedule, NVTX markers" "$(steps)" "16 17 18 25 26 27 "
same "only ranges of these steps, the first three of them in one span" "$(cell user_ranges calls work)" 3
record --steps "(2, 10)" "$target" steps 15
same "Paddle's schedule, NVTX markers" "$(steps)" "2 3 4 5 6 7 8 9 "
record --steps skip_first=10,closed=5,ready=1,record=3,repeat=2 "$target" api 40
same "Paddle's words, C interface" "$(steps)" "16 17 18 25 26 27 "
record --steps 2-10 "$target" api 15
same "a range of steps, C interface" "$(steps)" "2 3 4 5 6 7 8 9 "
# 32 samples a step: samples per second = 32 * steps per second, in the spool and in its JSON
cat >"$tmp/ips.py" <<'PY'
import csv, sys
rows = {r["name"]: r for r in csv.DictReader(sys.stdin)}
ips, cost = rows["ips"], rows["batch_cost"]
print(ips["unit"], *(abs(float(ips[a]) * float(cost[b]) - 32) < 1e-6 for a, b in (("mean", "mean"), ("max", "min"), ("min", "max"))))
PY
same "samples of tracetty_step()" "$(table throughput | python3 "$tmp/ips.py")" "samples/s True True True"
same "... from the JSON" "$(table throughput "$(ls "$dir"/*.json.gz)" | python3 "$tmp/ips.py")" "samples/s True True True"
same "... unless it is said how many" "$("$BIN" summary --table throughput --samples-per-step 64 --format csv "$dir" 2>/dev/null | sed 's/32/64/' | python3 "$tmp/ips.py")" "samples/s False False False"
same "categories of the C interface" "$(cell stages calls Forward)" 8
cat >"$tmp/steps.py" <<'PY'
import tracetty
@tracetty.range("decorated")
def f(): pass
tracetty.meta("model", {"name": "mlp"})
for i in range(30):
    with tracetty.range("fwd", "forward"):
        f()
    tracetty.step(64)
assert tracetty.status().step == 30, tracetty.status().step
PY
if sanitized; then
    echo "skip Python: the interpreter cannot load a library built with a sanitizer"
else
    PYTHONPATH=capture record --steps skip_first=10,wait=5,warmup=1,active=3,repeat=2 python3 "$tmp/steps.py"
    same "Python under the recorder" $status 0
    same "PyTorch's schedule, Python" "$(steps)" "16 17 18 25 26 27 "
    same "decorated function" "$(cell user_ranges calls decorated)" 3
    PYTHONPATH=capture record --steps "(2,10)" python3 "$tmp/steps.py"
    same "Paddle's schedule, Python" "$(steps)" "2 3 4 5 6 7 8 9 "
    # the recorder reads part of a window, and the rest together with the next window's beginning
    cat >"$tmp/quick.py" <<'PY'
import random, time, tracetty
for i in range(401):
    end = time.perf_counter() + (random.random() / 5000 if i % 4 == 2 else 0)
    while time.perf_counter() < end: pass
    tracetty.step()
PY
    PYTHONPATH=capture record --steps wait=2,active=2,repeat=50 python3 "$tmp/quick.py"
    same "steps of windows that follow each other at once" "$(steps | wc -w)" 100
    sed -i '/assert/d' "$tmp/steps.py"
    PYTHONPATH=capture python3 "$tmp/steps.py" && echo "ok Python without a recorder" || echo "FAIL Python without a recorder"
    (cd "$tmp" && PYTHONPATH=$OLDPWD/capture python3 -c 'import tracetty; tracetty.init("own"); tracetty.mark("x")')
    same "a program that records itself" "$(find "$tmp/own" -name '*.ttspool' | wc -l)" 1
fi
record --capture-range inner "$target" basic
same "only inside a range" "$(cell user_ranges calls inner) $(cell user_ranges calls outer)" "10 "
# a run of consecutive steps, neither the first nor the last ones; their number depends on the machine's load
window() { # WHAT LAST
    local got first last n
    got=$(ticks) && first=$(head -n 1 <<<"$got") last=$(tail -n 1 <<<"$got") n=$(grep -c . <<<"$got")
    if [ "$n" -gt 0 ] && [ "$first" -gt 0 ] && [ "$last" -lt "$2" ] && [ "$n" = $((last - first + 1)) ]; then echo "ok $1"; else
        echo "FAIL $1: $n ticks, $first to $last"; fi
}
record --delay 300ms --duration 300ms "$target" ticks 200
window "a time window" 199
for bad in "wait=1" "5-3" "active=x" "actve=3" "(5"; do
    record --steps "$bad" "$target" basic
    same "schedule '$bad' is refused" $status 2
done

# ---- control
ctl() { "$BIN" ctl "$dir" "$@"; }
status_has() { ctl status | grep -Eq -- "$1"; }
TICKS_UNTIL=$tmp/enough record --start-paused "$target" ticks 6000 &
n=$((n + 1)) dir=$tmp/rec$n
until_ attached "$dir"
ticking=$(pgrep -f "^$target ticks 6000") before=$(wakes "$ticking")
until_ woken "$ticking" $((before + 5)) # ticks pass before recording begins, during it, and after it stopped
ctl start && until_ status_has '1 recording' && before=$(events "$dir") && until_ more_events "$dir" $((before + 20))
ctl stop && until_ status_has '0 recording' && before=$(wakes "$ticking") && until_ woken "$ticking" $((before + 5))
ctl status >"$tmp/status"
touch "$tmp/enough"; wait
has "status of a running recording" "$tmp/status" 'processes +1 attached'
window "begin and end by command" 5999
"$BIN" ctl "$tmp" status 2>"$tmp/err"; same "no recording there" $? 3

# ---- beside other runs
mkdir -p "$tmp/beside/old" && cp assets/sample_cpu.pt.trace.json.gz "$tmp/beside/old"
TICKS_UNTIL=$tmp/beside.enough "$BIN" record -o "$tmp/beside/rec" --at-end nothing "$target" ticks 6000 2>/dev/null &
until_ attached "$tmp/beside/rec"
"$BIN" summary --table run --format csv "$tmp/beside" >"$tmp/out" 2>"$tmp/err"
has "a recording in progress is passed over" "$tmp/out" 'sample_cpu'
has "... which is said" "$tmp/err" 'passed over.*\.ttspool'
"$BIN" summary --table run --format csv "$tmp/beside/rec" >"$tmp/out" 2>&1; has "... and opens by its own folder" "$tmp/out" tracetty
touch "$tmp/beside.enough"; wait
"$BIN" summary --table run --format csv "$tmp/beside" >"$tmp/out" 2>"$tmp/err"
has "a complete recording is the newest run" "$tmp/err" "'rec' was taken"

# ---- statuses
for mode in "exit 7" "exit 0"; do
    # shellcheck disable=SC2086
    record -- "$target" $mode
    same "status of: $mode" $status "${mode#exit }"
done
record "$target" kill 15
same "status of a command that a signal ended" $status 143
same "SIGTERM loses nothing" "$(cell user_ranges calls whole) $("$BIN" check "$dir" | grep -c unclean_end)" "1 0"
record "$target" kill 6
same "SIGABRT loses nothing" "$status $(cell user_ranges calls whole) $("$BIN" check "$dir" | grep -c unclean_end)" "134 1 0"
for threads in 1 8; do
    record "$target" abort $threads
    same "abort() on $threads of several threads loses nothing" "$status $(cell user_ranges calls whole) $("$BIN" check "$dir" | grep -c unclean_end)" "134 $threads 0"
done
# how the program ends is its own: by which signal, with a core where the system writes one
cat >"$tmp/ends.py" <<'PY'
import os, resource, sys
os.chdir(sys.argv[1])
most = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (most, most))
for args in (["kill", "6"], ["abort", "1"], ["abort", "8"]):
    pid = os.fork()
    if not pid: os.execv(sys.argv[2], sys.argv[2:] + args)
    status = os.waitpid(pid, 0)[1]
    print(os.WTERMSIG(status), os.WCOREDUMP(status))
PY
mkdir "$tmp/cores"
python3 "$tmp/ends.py" "$tmp/cores" "$target" 2>/dev/null >"$tmp/without"
record python3 "$tmp/ends.py" "$tmp/cores" "$target"
same "SIGABRT ends the program as without the recorder" "$(cat "$tmp/out")" "$(cat "$tmp/without")"
rm -rf "$tmp/cores"
record "$target" kill 9
same "status after SIGKILL" $status 137
same "SIGKILL: what was complete is kept" "$(cell user_ranges calls whole)" 1
same "SIGKILL: an open range is kept" "$(cell user_ranges calls 'long range') $(problem unmatched_begin)" "1 1"
record no-such-command; same "no such command" $status 127
record "$tmp"; same "a command that cannot be run" $status 126
record --status-ok "$target" exit 7; same "--status-ok" $status 0
"$BIN" record 2>"$tmp/err"; same "no command" $? 2
record --dry-run "$target" basic; has "--dry-run" "$tmp/out" "^NVTX_INJECTION64_PATH=.*capture.so"
record "$target" basic
"$BIN" record -o "$dir" --at-end nothing "$target" basic >/dev/null 2>"$tmp/err"; same "a directory that is in use" $? 125
before=$(cd "$dir" && echo *.ttspool)
cp assets/sample_gpu/*rank0* "$dir/other.pt.trace.json.gz"
"$BIN" record -o "$dir" --force no-such-command 2>/dev/null; same "--force with no such command" "$? $(cd "$dir" && echo *.ttspool)" "127 $before"
"$BIN" record -o "$dir" --force --at-end nothing "$target" basic >/dev/null 2>"$tmp/err"; same "--force" $? 0
same "--force replaces the spool and what was made of it" "$(cd "$dir" && ls *.ttspool | wc -l) $(cd "$dir" && ls *.gz | wc -l) $(ls "$dir/${before%.ttspool}".* 2>/dev/null)" "1 2 "
[ -e "$dir/other.pt.trace.json.gz" ]; same "--force leaves traces of others" $? 0
(cd "$tmp" && "$BIN" record -o a/b/c --at-end nothing "$target" basic 2>"$tmp/err"); same "folders above are made" "$? $(ls "$tmp"/a/b/c/*.ttspool | wc -l)" "0 1"
NVTX_INJECTION64_PATH=/other/tool.so record "$target" basic; same "another profiler" $status 125
has "... is named" "$tmp/err" 'NVTX_INJECTION64_PATH is set already'
mkdir "$tmp/ro" && chmod 555 "$tmp/ro"
if [ "$(id -u)" != 0 ]; then "$BIN" record -o "$tmp/ro/x" "$target" basic 2>/dev/null; same "a directory that cannot be made" $? 125; fi
"$BIN" record -o "$tmp/out2" "$target" basic >"$tmp/out" 2>"$tmp/err"; has "a summary follows" "$tmp/out" '^events +12'
record true; has "nothing recorded is said" "$tmp/err" 'nothing was recorded'

# ---- signals to the recorder go to the command
"$BIN" record -o "$tmp/sig" --at-end nothing "$target" ticks 500 2>/dev/null &
pid=$!
until_ attached "$tmp/sig"
kill -TERM $pid; wait $pid
same "SIGTERM is passed on" $? 143

# ---- processes
if ! unforkable "a fork without exec"; then
    record "$target" fork 5; same "a fork without exec is silent" "$(ls "$dir" | grep -c ttspool)" 1
    same "... and the parent unhurt" "$(cell user_ranges calls parent)" 1
    record --children all "$target" fork 5; same "--children all" "$(ls "$dir" | grep -c ttspool)" 2
fi
cat >"$tmp/ranks.sh" <<'SH'
for r in 0 1 2 3; do RANK=$r WORLD_SIZE=4 "$1" steps 3 & done
wait
SH
record bash "$tmp/ranks.sh" "$target"
same "four ranks" "$(table run | grep -c '^[^,]*rank[0-9],.*world_size,4')$(ls "$dir" | grep -c 'rank[0-3].*ttspool')" "$(table run | grep -c '^[^,]*rank[0-9],.*world_size,4')4"
same "... are four workers" "$("$BIN" summary --format json --table run "$dir" 2>/dev/null | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["source"]["workers"]))')" 4
record --only-rank 1-2 bash "$tmp/ranks.sh" "$target"; same "--only-rank" "$(ls "$dir" | grep -c ttspool)" 2

# ---- large recordings
record --max-spool 128K "$target" threads 20000
has "the limit of the file is said" "$tmp/err" 'size limit'
size=$(cat "$dir"/*.ttspool | wc -c)
[ "$size" -le 140000 ] && echo "ok the limit of the file" || echo "FAIL the limit of the file: $size bytes"
record "$target" bench
ns=$(sed -n 's/^median \([0-9]*\) ns/\1/p' "$tmp/out")
[ -n "$ns" ] && echo "ok a pair of push and pop: ${ns} ns (median)" || echo "FAIL no figure for a pair of push and pop"
