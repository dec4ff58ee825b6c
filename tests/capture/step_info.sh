#!/usr/bin/env bash
# record --step-info N: Paddle's line about every N steps, on stderr.
. "$(dirname "$0")/_lib.sh"
lines() { grep -c "step [0-9]*: .*batch_cost" "$tmp/err"; }
record --step-info 5 --steps 0-1000 "$target" api 21
same "a line for every 5 steps" "$(lines)" 4
has "... in Paddle's format, with samples" "$tmp/err" "step [0-9]+: batch_cost: [0-9]+\.[0-9]{5} s ips: [0-9]+\.[0-9]{3} samples/s$"
same "... ips = samples / batch_cost" "$(sed -n 's/.*batch_cost: \([0-9.]*\) s ips: \([0-9.]*\) samples.*/\1 \2/p' "$tmp/err" | awk '{ if ($1 * $2 > 31 && $1 * $2 < 33) n++ } END { print n }')" 4
same "... and the command prints nothing of it" "$(grep -c batch_cost "$tmp/out")" 0
record --step-info 3 "$target" steps 10
has "steps without samples" "$tmp/err" "step [0-9]+: batch_cost: [0-9.]+ s ips: [0-9]+\.[0-9]{3} steps/s$"
same "... three lines" "$(lines)" 3
record "$target" steps 10
same "without the option no line" "$(lines)" 0
record --step-info 0 "$target" steps 3
has "0 is refused" "$tmp/err" "step-info: '0' is not a number from 1"

# the time of reading data
command -v python3 >/dev/null || exit 0
if sanitized; then
    echo "skip Python: the interpreter cannot load a library built with a sanitizer"
    exit 0
fi
cat >"$tmp/reads.py" <<'END'
import sys, time
sys.path.insert(0, "capture")
import tracetty
for i in range(9):
    with tracetty.range("load", "dataloader"):
        time.sleep(0.004)
    time.sleep(0.004)
    tracetty.step(samples=8)
END
record --step-info 4 python3 "$tmp/reads.py"
same "reader_cost is below batch_cost" "$(sed -n 's/.*reader_cost: \([0-9.]*\) s batch_cost: \([0-9.]*\) s.*/\1 \2/p' "$tmp/err" | awk '{ if ($1 >= 0.004 && $1 < $2) n++ } END { print n }')" 2
