#!/usr/bin/env bash
# An idle process leaves the control file alone, which a thousand ranks may share over a network, and follows orders
# soon all the same.
. "$(dirname "$0")/_lib.sh"
dir=$tmp/idle
"$BIN" record -o "$dir" --at-end nothing --start-paused --trace -cpu,-nvml "$target" ticks 100000 >"$tmp/out" 2>"$tmp/err" &
launcher=$!
until_ attached "$dir"
pid=$(pgrep -P $launcher -f "^$target ticks")
trap 'kill $launcher 2>/dev/null; rm -rf "$tmp"' EXIT
# the writer's thread has waited once for each of its passes
writer=$(grep -lx tracetty "/proc/$pid"/task/*/comm | sed 's/.*task.\([0-9]*\).comm/\1/')
passes() { wakes "$pid/task/$writer"; }
reads() { sed -n 's/^syscr: //p' "/proc/$pid/io" 2>/dev/null; }
after() { [ "$(passes)" -ge "$1" ]; } # PASSES
# The first seconds have more reads: orders often follow each other. 100 passes are 5 s.
until_ after $(($(passes) + 100))
if [ -z "$(reads)" ]; then echo "skip reads of an idle process: this kernel does not count them"; else
    from=$SECONDS had=$(reads)
    until_ after $(($(passes) + 100))
    n=$(($(reads) - had)) took=$((SECONDS - from + 1)) # a busy machine reads less often
    if [ $n -le $((3 * took)) ]; then echo "ok an idle process reads $n times in $took s"; else echo "FAIL an idle process reads $n times in $took s"; fi
fi
# events of a tick are written as soon as the order has come
from=$(passes) was=$(events "$dir")
"$BIN" ctl "$dir" start
until_ more_events "$dir" $((was + 20))
of=$(($(passes) - from))
if [ $of -le 60 ]; then echo "ok an order is followed within $of passes"; else echo "FAIL an order is followed after $of passes"; fi
kill $launcher; wait $launcher
exit 0
