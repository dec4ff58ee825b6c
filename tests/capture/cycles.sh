#!/usr/bin/env bash
# record --steps ...,repeat=N: each cycle becomes a span of its worker, with its own JSON.
. "$(dirname "$0")/_lib.sh"
spans() { table step_breakdown | tail -n +2 | cut -d, -f1,2 | tr '\n' ' '; }

record --steps skip_first=2,wait=1,warmup=1,active=2,repeat=3 "$target" steps 20
same "each cycle is a span" "$(spans)" "1,4 1,5 2,8 2,9 3,12 3,13 "
same "... of one worker" "$("$BIN" summary --format json --table run --span 2 "$dir" | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["source"]["workers"]))')" 1
same "... with JSON of its own" "$(find "$dir" -name '*.pt.trace.json.gz' | wc -l)" 3
same "... which the index names" "$(python3 -c 'import json,sys; print(sum("json.gz" in f for f in json.load(open(sys.argv[1]))["files"]))' "$dir/index.json")" 3
same "... and no step missing" "$("$BIN" summary --table trust --format csv "$dir" | grep -c 'none overlaps, repeats or is missing')" 1
(cd "$dir" && rm ./*.ttspool)
same "the JSON alone is the same spans" "$(spans)" "1,4 1,5 2,8 2,9 3,12 3,13 "
record --steps wait=1,active=1 "$target" steps 9
same "repeat=0: until the end" "$(spans)" "1,1 2,3 3,5 4,7 "
record --steps active=2,repeat=3 "$target" api 9
same "cycles that touch" "$(spans)" "1,0 1,1 2,2 2,3 3,4 3,5 "
same "... a sample each at the end of their steps" "$(table throughput | grep -c ips)" 3
record --steps wait=1,active=2,repeat=1 "$target" steps 9
same "one cycle is no span of many" "$(table step_breakdown | head -n 1 | cut -d, -f1) $(ls "$dir" | grep -c ttspool)" "step 1"
record "$target" steps 9
same "without a schedule nothing is divided" "$(ls "$dir" | grep -c ttspool)" 1
RANK=1 WORLD_SIZE=2 record --format json --steps wait=1,active=1,repeat=2 "$target" steps 9
same "JSON without spools" "$(find "$dir" -name '*_rank1.*.pt.trace.json' | wc -l) $(ls "$dir" | grep -c ttspool)" "2 0"

# ---- CUDA: device work belongs to the cycle of its launch
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
printf '%s\n' device context "launch 10" "copy 1" flush >"$FAKE_CUPTI"
record --steps wait=1,warmup=1,active=2,repeat=2 "$target" cuda-script 8
same "kernels of each cycle" "$(table kernels | python3 -c 'import csv,sys
n = {}
for r in csv.DictReader(sys.stdin): n[r["span"]] = n.get(r["span"], 0) + int(r["calls"])
print(n)')" "{'1': 20, '2': 20}"
same "... with the device's facts" "$("$BIN" summary --table run --span 2 --format csv "$dir" 2>/dev/null | grep -c '^device_type,GPU\|deviceProperties')" "$("$BIN" summary --table run --span 1 --format csv "$dir" 2>/dev/null | grep -c '^device_type,GPU\|deviceProperties')"

# ---- handmade recordings: device work far behind, names far apart, losses, a killed program, damage
cat >"$tmp/made.sh" <<END
"$target" steps 3
python3 tests/capture/cycles.py write "\$1"
END
dir=$tmp/rec$((n + 1))
record --steps active=1,repeat=9 sh "$tmp/made.sh" "$dir"
python3 tests/capture/cycles.py check "$dir" "$BIN"
same "a damaged one says so" "$("$BIN" check "$dir"/damaged*.ttspool | grep -c "example  block with a wrong checksum")" 1
