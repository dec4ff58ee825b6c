#!/usr/bin/env bash
# record --on-cycle: a handler for each cycle of the schedule, once and in order, while the command runs.
. "$(dirname "$0")/_lib.sh"
export LOG=$tmp/log BIN
cycles() { tr '\n' ' ' <"$LOG"; }
log() { : >"$LOG"; }

# ---- the recording of the cycle is there, and is that of the recorded folder afterwards
log
cat >"$tmp/steps.sh" <<'END'
"$BIN" summary --table step_breakdown --format csv "$TRACETTY_TRACE" 2>/dev/null |
    python3 -c 'import csv, os, sys; print(os.environ["TRACETTY_CYCLE"], *(r["step"] for r in csv.DictReader(sys.stdin)))' >>"$LOG"
END
record --steps skip_first=2,wait=1,warmup=1,active=2,repeat=3 --on-cycle "sh $tmp/steps.sh" "$target" steps 20
same "each cycle has its handler, in order" "$(cycles)" "1 4 5 2 8 9 3 12 13 "
same "... and its span at the end" "$(table step_breakdown | tail -n +2 | cut -d, -f1,2 | tr '\n' ' ')" "1,4 1,5 2,8 2,9 3,12 3,13 "
same "... the handler's files are gone" "$(find "$dir" -name '.*.ttspool' | wc -l)" 0
log
record --steps active=2,repeat=3 --on-cycle "sh $tmp/steps.sh" "$target" api 9
same "cycles that touch" "$(cycles)" "1 0 1 2 2 3 3 4 5 "
log
record --steps wait=1,active=2,repeat=1 --on-cycle "sh $tmp/steps.sh" "$target" steps 9
same "one cycle" "$(cycles)" "1 1 2 "
log
record --steps wait=1,active=20,repeat=1 --on-cycle "sh $tmp/steps.sh" "$target" steps 4
same "a cycle that the end cuts" "$(cycles)" "1 1 2 3 "

# ---- while the command runs: it ends only after the handler of its first cycle ran
log
cat >"$tmp/waits.sh" <<END
"$target" steps 6
i=0
while [ ! -s "$LOG" ] && [ \$i -lt 600 ]; do sleep 0.1; i=\$((i + 1)); done
[ -s "$LOG" ] && echo "met \$(cat "$LOG")"
END
record --steps wait=1,active=1,repeat=2 --on-cycle 'echo $TRACETTY_CYCLE $(ls "$TRACETTY_DIR"/.*cycle$TRACETTY_CYCLE* | wc -l) >>"$LOG"' sh "$tmp/waits.sh"
has "the handler runs before the command has ended" "$tmp/out" "^met 1 1"
same "... and the others at the end" "$(cycles)" "1 1 2 1 "

# ---- handlers that fail, hang, print
log
record --steps wait=1,active=1,repeat=3 --on-cycle 'echo $TRACETTY_CYCLE >>"$LOG"; echo heard; exit 3' "$target" steps 9
same "a handler that fails runs for each" "$(cycles) $status" "1 2 3  0"
same "... which is said once" "$(grep -c 'handler ended with status 3' "$tmp/err")" 1
same "... its output goes to stderr" "$(grep -c heard "$tmp/err") $(grep -c heard "$tmp/out")" "3 0"
log
record --steps wait=1,active=1,repeat=2 --cycle-limit 200ms --on-cycle 'echo $TRACETTY_CYCLE >>"$LOG"; sleep 1000' "$target" steps 9
same "a handler that hangs is ended" "$(cycles) $status" "1 2  0"
same "... which is said once" "$(grep -c 'was ended; --cycle-limit' "$tmp/err")" 1
same "... and the recording is whole" "$(table step_breakdown | tail -n +2 | cut -d, -f1,2 | tr '\n' ' ')" "1,1 2,3 "

# ---- device work that comes late is in the handler's recording
log
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
printf '%s\n' device context "launch 10" "copy 1" flush >"$FAKE_CUPTI"
cat >"$tmp/kernels.sh" <<'END'
"$BIN" summary --table kernels --format csv "$TRACETTY_TRACE" 2>/dev/null |
    python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin)))' >>"$LOG"
END
record --steps wait=1,warmup=1,active=2,repeat=2 --on-cycle "sh $tmp/kernels.sh" "$target" cuda-script 8
same "kernels of each cycle" "$(cycles)" "20 20 "

log
printf '%s\n' device context "launch 10" "sleep 400" >"$FAKE_CUPTI"
record --steps wait=1,active=1,repeat=3 --on-cycle "sh $tmp/kernels.sh" "$target" cuda-script 14
same "... also of a spool that grows, whose buffers the program does not complete" "$(cycles)" "10 10 10 "

# ---- the handler's file is the one that the folder has at the end
printf '%s\n' device context "launch 10" "copy 1" >"$FAKE_CUPTI"
mkdir "$tmp/kept"
export KEPT=$tmp/kept
record --format spool --steps wait=1,active=2,repeat=3 --on-cycle 'cp "$TRACETTY_TRACE" "$KEPT/$TRACETTY_CYCLE"' "$target" cuda-script 12
i=0 equal=''
for f in "$dir"/*.ttspool; do i=$((i + 1)) && cmp -s "$f" "$tmp/kept/$i" && equal+="$i "; done
same "the handler's files are those of the folder" "$equal" "1 2 3 "

# ---- what cannot be
record --on-cycle true "$target" steps 3
has "--on-cycle without cycles is refused" "$tmp/err" "needs the cycles of --steps"
