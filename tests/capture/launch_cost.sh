#!/usr/bin/env bash
# alone: it measures time
# Cost of a launch compared with a minimal client of CUPTI, and the cost of requesting records once a second: medians of
# blocks of 1000 launches, in alternating runs. COST_RUNS, COST_BLOCKS for a precise measurement.
. "$(dirname "$0")/_lib.sh"
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
blocks=${COST_BLOCKS:-400} runs=${COST_RUNS:-3}
launch() { sed -n 's/^launch \([0-9.]*\)$/\1/p' "$tmp/out"; }
script() { printf '%s\n' "version 130001" device context "rate $blocks" >"$FAKE_CUPTI"; }
for ((i = 0; i < runs; i++)); do
    script
    CUDA_INJECTION64_PATH=$B/tests/doubles/libbareclient.so "$target" cuda-script >"$tmp/out"
    launch >>"$tmp/bare"
    record --format spool "$target" cuda-script
    launch >>"$tmp/recorded"
    script && sed -i '1a fail ActivityFlushAll 1' "$FAKE_CUPTI"
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
