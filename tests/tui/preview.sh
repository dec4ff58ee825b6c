#!/usr/bin/env bash
# A trace that is still being read: its first part can be used, and the view stays in place when more comes.
. "$(dirname "$0")/_lib.sh"
FILE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
slow=$(mktemp -d)
trap 'rm -rf "$slow"; tt_cleanup' EXIT
mkfifo "$slow/pipe.json"

# Sends half of the trace in pieces until a preview was seen, then the rest.
python3 tests/tools/slow_pipe.py "$FILE" "$slow" 0.5 &

TT_NO_WAIT=1 tt_start 120 40 "$slow/pipe.json" || exit 1
tt_check "preview: the overview while the trace is read" tt_until tt_has "loading "
tt_send 2
tt_check "preview: a table" tt_until tt_has "── Operators"
tt_until tt_has "aten::" && tt_send '>' j j
taken() { [ "$(tt_title | cut -d' ' -f4)" -ge $TT_SENT ] 2>/dev/null; }
tt_check "preview: all keys are taken" tt_until taken
shot=$(tt_screen) # row and order must come from one screen
chosen=$(grep '^>' <<<"$shot" | cut -c2-30)
sorted=$(grep -oE '[A-Z][A-Za-z]+( [a-z]+)?[↓↑]' <<<"$shot" | head -n 1)
tt_check "preview: a row is selected" [ -n "$chosen" ]
tt_check "preview: a column is sorted by" [ -n "$sorted" ]
tt_send 4 5 6 7 8 9 2
tt_check "preview: back at the table" tt_until tt_has "── Operators"
touch "$slow/go"
tt_wait "the end of the trace"
tt_reject "complete: nothing is missing any more" "loading "
tt_expect "complete: all events" "$(python3 tests/tools/count_events.py "$FILE" | awk '{print $1}' | sed 's/...$/,&/') events"
tt_check "complete: the same row ($chosen)" [ "$(tt_screen | grep '^>' | cut -c2-30)" = "$chosen" ]
tt_check "complete: the same order ($sorted)" grep -qF "$sorted" <(tt_screen)
for tab in 1 2 4 5 6 7 8 9; do tt_keys $tab || exit 1; done
tt_keys 5
tt_expect "complete: memory of all of it" "peak 8.29 GiB"
tt_quit Q
exit 0
