#!/usr/bin/env bash
# Counts the instructions that recording adds to a launch, compared with the smallest possible client of CUPTI. With
# COST_RUNS (make nightly) it also measures the time: medians of COST_BLOCKS blocks of 1000 launches, in runs that
# alternate.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
least=(env "CUDA_INJECTION64_PATH=$B/tests/doubles/libbareclient.so")
script() { printf '%s\n' "version 130001" device context "rate $1" >"$FAKE_CUPTI"; }

# Counts the launching thread only, from the call into the double until it returns.
INSTRUCTIONS=60 # measured: 20
counted() { sed -n 's/.*Collected : \([0-9]*\)$/\1/p' "$tmp/log"; }
if sanitized; then
    echo "skip instructions of a launch: built with a sanitizer"
elif ! command -v valgrind >/dev/null; then
    echo "skip instructions of a launch: valgrind is not installed"
else
    count=(valgrind --tool=callgrind --toggle-collect=fake_launch --callgrind-out-file=/dev/null --log-file="$tmp/log")
    script 5 # blocks of 1000
    "${least[@]}" "${count[@]}" "$target" cuda-script >/dev/null
    bare=$(counted)
    record --format spool -- "${count[@]}" "$target" cuda-script
    recorded=$(counted)
    kernels=$(table kernels | python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin)))')
    same "the launches that are counted are recorded" "$kernels" 5000
    more=$(((${recorded:-0} - ${bare:-0}) / 5000))
    if [ "${bare:-0}" -gt 0 ] && [ $more -ge 0 ] && [ $more -le $INSTRUCTIONS ]; then how=ok; else how=FAIL; fi
    echo "$how a launch costs $more instructions more than with the least client: at most $INSTRUCTIONS (of ${bare:-0} and ${recorded:-0})"
fi

[ -n "${COST_RUNS:-}" ] || exit 0
launch() { sed -n 's/^launch \([0-9.]*\)$/\1/p' "$tmp/out"; }
for ((i = 0; i < COST_RUNS; i++)); do
    script "${COST_BLOCKS:-400}"
    "${least[@]}" "$target" cuda-script >"$tmp/out"
    launch >>"$tmp/bare"
    record --format spool "$target" cuda-script
    launch >>"$tmp/recorded"
    script "${COST_BLOCKS:-400}" && sed -i '1a fail ActivityFlushAll 1' "$FAKE_CUPTI"
    record --format spool "$target" cuda-script
    launch >>"$tmp/unflushed"
done
python3 - "$tmp" <<'PY'
import sys
bare, recorded, unflushed = (min(map(float, open(sys.argv[1] + "/" + name))) for name in ("bare", "recorded", "unflushed"))
print("%s a launch costs %.0f ns with the recorder, %.0f ns with the least client: at most 200 more" %
      ("ok" if recorded <= bare + 200 else "FAIL", recorded, bare))
print("%s ... of which asking for records once a second: %+.1f ns" % ("ok" if recorded - unflushed <= 100 else "FAIL", recorded - unflushed + 0.0))
PY
exit 0
