#!/usr/bin/env bash
# Follows a running recording in a terminal: it grows on the screen, its newest step stays visible, the follower costs
# little and leaves the folder alone; then its end, a killed recorder, a late rank, and `record --live`.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/../tui/_lib.sh"
trap 'tt_cleanup; kill $(jobs -p) 2>/dev/null; rm -rf "$tmp"' EXIT
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
printf '%s\n' "version 130001" device context stream "launch 20" "memory 4" "copy 3" >"$FAKE_CUPTI"

begin() { # DIR STEPS: starts a recording with a step each 200 ms, until $tmp/end exists; sets $recorder
    rm -f "$tmp/end"
    TICKS_UNTIL=$tmp/end "$BIN" record -o "$1" --at-end nothing --format spool "$target" cuda-script "$2" >"$tmp/out" 2>"$tmp/err" &
    recorder=$!
    until_ attached "$1"
}
program_of() { pgrep -P "$1" | head -1; }
line() { tt_screen | sed -n "$1p"; }
shown_steps() { line 2 | grep -oE '[0-9,]+ steps' | tr -dc 0-9; }
more_than() { local n; n=$(shown_steps); [ "${n:-0}" -gt "$1" ]; }
chip() { line 2 | grep -qE -- "$1 *\$"; }
last_label() { line 5 | grep -oE '[0-9.]+ (m?s|µs)' | tail -1; }  # last label of the ruler, with its unit
moved_on() { [ "$(last_label)" != "$1" ]; }
newest_row() { local n; n=$(shown_steps); tt_screen | grep -qE "^ *>? ?step $((n - 1)) "; }
ticks_of() { awk '{print $14 + $15}' "/proc/$1/stat"; }
listing() { ls -lA --time-style=full-iso "$1" | tail -n +2; }
fact() { "$BIN" summary --table step_breakdown --format json "$1" 2>/dev/null | python3 -c "import json, sys
d = json.load(sys.stdin)
print($2, end='')"; }

# ---- a recording that runs to its end
begin "$tmp/a" 3000
tt_start 130 30 --screen steps "$tmp/a" || exit 1
tt_check "it says that it is live" tt_until chip "LIVE [0-9]+ s"
tt_check "steps come" tt_until more_than 2
first=$(shown_steps)
tt_check "more steps come" tt_until more_than $((first + 3))
tt_check "the newest step is in sight" tt_until newest_row
tt_check "... when there are more than fit" tt_until more_than 16
tt_check "... too" tt_until newest_row
recorded() { "$BIN" ctl "$tmp/a" status | sed -n 's/^steps *//p'; }
tt_check "what is shown is at most 3 s old" tt_until eval '[ $(($(recorded) - $(shown_steps))) -le 15 ]'
tt_keys g
n=$(shown_steps)
tt_until more_than $((n + 8))
tt_check "who looks at another step stays there" grep -qE '^ *> ?step 0 ' <<<"$(tt_screen)"
tt_reject "trust is not lost over what is not written yet" "killed"

follower=$(cat "$TT_DIR/pid")
tt_keys 4
tt_check "the timeline" tt_until tt_has "[4 Timeline]"
before=$(ticks_of "$follower") at=$(date +%s%N)
n=$(shown_steps)
tt_until more_than $((n + 18))
used=$(($(ticks_of "$follower") - before)) took=$((($(date +%s%N) - at) / 10000000))
tt_check "less than 2 % of a core while following: $used of $took ticks" [ $((used * 50)) -lt "$took" ]
tt_check "... still" chip "LIVE [0-9]+ s"
program=$(program_of "$recorder")
kill -STOP "$recorder" "$program"
stopped() { ! ps -o stat= -p "$recorder,$program" -L | grep -qv '^T'; }
tt_until stopped
listing "$tmp/a" >"$tmp/before"
n=$(wakes "$follower")
tt_until woken "$follower" $((n + 5)) # it has looked at the folder again
listing "$tmp/a" >"$tmp/after"
kill -CONT "$program" "$recorder"
tt_check "the follower changes nothing in the folder" cmp "$tmp/before" "$tmp/after"
same "what lies there" "$(ls "$tmp/a" | sed 's/.*ttspool/spool/' | tr '\n' ' ')" "ctl record.json spool "
tt_check "no lock on it" eval "! grep -q \":\$(stat -c %i '$tmp/a/ctl') \" /proc/locks"

tt_keys + + +
tt_keys End
label=$(last_label)
tt_check "a window that ends at the newest step slides" tt_until moved_on "$label"
tt_keys '(' '('
label=$(last_label) n=$(shown_steps)
tt_until more_than $((n + 10))
same "panned away it stays" "$(last_label)" "$label"
tt_keys '&'
tt_check "& leads back to the newest" tt_until moved_on "$label"
label=$(last_label)
tt_check "... and the window slides again" tt_until moved_on "$label"
tt_keys '&'
tt_expect "& again stops" "no longer following"
tt_check "no chip then" eval '! chip "LIVE.*"'
n=$(shown_steps) goes_on=$(($(recorded) + 8))
tt_until eval '[ "$(recorded)" -gt $goes_on ]'
same "nothing moves then" "$(shown_steps)" "$n"
tt_keys : && tt_type "follow on" && tt_keys Enter
tt_check ":follow on" tt_until more_than "$n"
touch "$tmp/end"
wait "$recorder"
tt_check "it ends" tt_until chip "ended"
tt_expect "... in words" "the recording has ended"
same "steps as of the whole recording" "$(shown_steps)" "$(fact "$tmp/a" 'len(d["tables"][0]["rows"])')"
same "... which are those of the program" "$(shown_steps)" "$(grep -c "^step " "$tmp/out")"
same "events, too" "$(line 2 | grep -oE '[0-9,]+ events' | tr -dc 0-9)" "$(fact "$tmp/a" 'd["source"]["events"]')"
tt_quit q

# ---- recordings that cannot be followed
tt_start 100 20 --follow "$tmp/a"
tt_expect "one that has ended: opened, and said" "this recording has ended"
tt_quit q
echo '{"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 1, "pid": 1, "tid": 1}]}' >"$tmp/trace.json"
TT_NO_WAIT=1 tt_start 100 20 --follow "$tmp/trace.json"
tt_check "another file is refused" tt_until test -e "$TT_DIR/status"
same "... as wrong use" "$(cat "$TT_DIR/status")" 2
has "... in words" "$TT_DIR/stderr" "only such a one can be followed"

# ---- killed
begin "$tmp/b" 200
program=$(program_of "$recorder")
tt_start 130 30 --screen steps "$tmp/b"
tt_check "followed" tt_until more_than 2
kill -9 "$recorder"
n=$(shown_steps)
tt_check "a recorder that was killed: the program goes on, and is followed" tt_until more_than $((n + 5))
tt_check "... as live" tt_until chip "LIVE [0-9]+ s"
kill -9 "$program"
tt_check "the program, too: following stops" tt_until chip "recorder killed"
tt_expect "... and says why" "the recorder was killed"
same "all that was written is there" "$(shown_steps)" "$(fact "$tmp/b" 'len(d["tables"][0]["rows"])')"
tt_quit q
wait "$recorder" 2>/dev/null

# ---- a long recording: its newest part is read, and all of it at the end
printf '%s\n' "version 130001" device context stream "rate 10" >"$FAKE_CUPTI"
begin "$tmp/long" 100000
size() { cat "$tmp"/long/*.ttspool | wc -c; }
large() { [ "$(size)" -gt 60000000 ]; }
tt_check "a long recording" until_ large
tt_start 130 30 --screen timeline "$tmp/long"
tt_check "... its newest part is shown" tt_until chip "LIVE [0-9]+ s, newest [0-9.]+ s"
follower=$(cat "$TT_DIR/pid")
bytes_read() { awk '/^rchar/ {print $2}' "/proc/$follower/io"; }
events_shown() { line 2 | grep -oE '[0-9,]+ events' | tr -dc 0-9; }
before=$(bytes_read) frames=0
for ((k = 0; k < 5; k++)); do
    was=$(events_shown)
    other() { [ "$(events_shown)" != "$was" ]; }
    tt_until other && frames=$((frames + 1))
done
same "... and grows" $frames 5
now=$(($(bytes_read) - before))
# each of the frames is read at least once, and a look may fall between two
tt_check "... a look reads a part of $(size) bytes: $now in $frames frames" [ $now -lt $((frames * $(size) / 2)) ]
tt_keys '&'
tt_expect "... which is said when it is no longer followed" "R reads all of it"
tt_check "... and stays in the header" tt_until chip " newest [0-9.]+ s"
tt_keys R
tt_check "... until R reads all" tt_until eval '! chip "newest.*"'
tt_keys '&'
tt_check "... and following goes on" tt_until chip "LIVE [0-9]+ s, newest [0-9.]+ s"
touch "$tmp/end"
wait "$recorder"
tt_check "... all of it at the end" tt_until chip "ended"
same "... with all events" "$(events_shown)" "$(fact "$tmp/long" 'd["source"]["events"]')"
tt_quit q
printf '%s\n' "version 130001" device context stream "launch 20" "memory 4" "copy 3" >"$FAKE_CUPTI"

# ---- a rank that comes later
rank() { RANK=$1 WORLD_SIZE=2 "$BIN" record -o "$tmp/c" --at-end nothing --format spool "$target" cuda-script "$2" >/dev/null 2>&1; }
rank 0 40 &
until_ attached "$tmp/c"
tt_start 130 30 --screen steps "$tmp/c"
tt_check "one rank" tt_until more_than 2
tt_reject "... alone" "2 ranks"
rank 1 20 &
tt_check "the other one, as soon as it is there" tt_until tt_has "2 ranks"
wait
tt_check "both have ended" tt_until chip "ended"
same "all of both" "$(line 2 | grep -oE '[0-9,]+ events' | tr -dc 0-9)" "$(fact "$tmp/c" 'd["source"]["events"]')"
tt_quit q

# ---- record --live
printf '#!/bin/bash\nexec %q "$@" 2>/dev/tty\n' "$BIN" >"$tmp/on_terminal" # the other runs of record write their messages to a file
chmod +x "$tmp/on_terminal"
program=$BIN BIN=$tmp/on_terminal
tt_start 130 30 record --live -o "$tmp/d" --format spool bash -c "echo first line; '$target' cuda-script 15; echo last line; exit 3"
tt_check "--live shows the recording" tt_until chip "LIVE.*"
tt_check "... as it grows" tt_until more_than 5
tt_reject "the command's output is not on the screen" "first line"
tt_check "... its end" tt_until chip "ended"
tt_send q
tt_check "its last lines come at the end" tt_until tt_has "last line"
tt_check "... from the file that it was written to" tt_until tt_has "output.txt"
tt_check "the status is the command's" tt_until grep -qx 3 "$TT_DIR/status"
same "all of the output" "$(sed -n '1p;$p' "$tmp/d/output.txt" | tr '\n' ' ')" "first line last line "
tt_check "the terminal is restored" cmp -s "$TT_DIR/tty-before" "$TT_DIR/tty-after"
tt_start 100 30 record --live -o "$tmp/e" --format spool "$target" cuda-script 30
tt_check "left before its end ..." tt_until more_than 2
tt_send q
tt_check "... one line goes on" tt_until tt_has "recording  1 process"
tt_check "... to the end" tt_until grep -qx 0 "$TT_DIR/status"
BIN=$program
same "... of all steps" "$(fact "$tmp/e" 'len(d["tables"][0]["rows"])')" 30
"$BIN" record --live -o "$tmp/f" true >"$tmp/out" 2>&1 </dev/null
same "--live without a terminal is refused" $? 125
has "... in words" "$tmp/out" "needs a terminal"
exit 0
