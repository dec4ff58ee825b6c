#!/usr/bin/env bash
# No event is lost silently: each is in the recording or counted as dropped: with many events, a stalled writer, a full
# disk, a killed process; and memory stays bounded.
. "$(dirname "$0")/_lib.sh"
sanitized && million=100000 || million=1000000 # a sanitizer makes it ten times slower
emitted() { sed -n 's/^pairs \([0-9]*\) .*/\1/p' "$tmp/out"; }
kept() { table user_ranges | python3 -c 'import csv, sys; print(sum(int(r["calls"]) for r in csv.DictReader(sys.stdin)))'; }
drops() { problem recorder_drops | grep . || echo 0; }
bounded() { # WHAT KIB: limit of the last program's memory growth, by its own report
    local grown
    grown=$(sed -n 's/.*grown \([0-9]*\) KiB/\1/p' "$tmp/out")
    if sanitized; then echo "skip $1: a sanitizer keeps memory of its own"
    elif [ -n "$grown" ] && [ "$grown" -le "$2" ]; then echo "ok $1 ($grown KiB)"
    else echo "FAIL $1: $grown KiB, more than $2"; fi
}

# ten million events, five million pairs, by a program that leaves time to write: all are recorded
record --format spool --max-spool 4G "$target" paced $((5 * million))
same "ten million events" "$status $(emitted) $(kept) $(drops)" "0 $((5 * million)) $((5 * million)) 0"
bounded "... within the memory for events" $((80 * 1024))
# the same number from four threads that leave no time
record --format spool --max-spool 4G "$target" many $((5 * million / 4))
same "a flood: in = out + drops" "$status $(($(kept) + $(drops)))" "0 $(emitted)"
bounded "... within the memory for events" $((96 * 1024))
# 64 MiB hold 2.8 million events: the rest is dropped while the writer stalls
record --format spool "$target" stalled 1000000
if grep -q 'cannot hold' "$tmp/out"; then echo "skip a writer that stands still: no ptrace here"
else
    same "a writer that stands still: in = out + drops" "$status $(($(kept) + $(drops)))" "0 $(emitted)"
    [ "$(drops)" -gt 100000 ] && echo "ok ... of which many were dropped" || echo "FAIL ... none was dropped: $(drops)"
    has "... which is said, with the cause" "$tmp/err" "warning: $(drops) dropped: range events that found the buffers full; fewer ranges, or fewer steps"
    same "... and each range is whole" "$("$BIN" check "$dir" | grep -c 'unmatched\|unclean')" 0
    bounded "... within the memory for events" $((96 * 1024))
fi
# a full disk: the program goes on, and the written part can be read
record --format spool -- sh -c 'ulimit -f 3000; exec "$0" threads 100000' "$target"
same "a file that may not grow: the program goes on" $status 0
has "... it is said" "$tmp/err" 'recording stopped, its file cannot be written: File too large'
has "... and how many were dropped" "$tmp/err" ' [1-9][0-9]* dropped'
[ "$(kept)" -gt 1000 ] && echo "ok ... what was written is read" || echo "FAIL ... $(kept) ranges"
# killed: only events since the last block are missing
record --format spool "$target" cut-off 3000
lost=$(($(emitted) - $(kept)))
if [ "$status" = 137 ] && [ "$(emitted)" -gt 100 ] && [ $((lost * 3000)) -le $((1000 * $(emitted))) ]; then
    echo "ok SIGKILL loses the last moments only ($((lost * 3000 / $(emitted))) of 3000 ms)"
else echo "FAIL SIGKILL: status $status, $lost of $(emitted) pairs lost"; fi
exit 0
