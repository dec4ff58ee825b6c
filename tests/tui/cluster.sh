#!/usr/bin/env bash
# `tracetty cluster` on a terminal: a line counts the ranks that are done, Ctrl-C cancels, and at the end the explorer
# shows the result.
. "$(dirname "$0")/_lib.sh"
own=$(mktemp -d) && trap 'rm -rf "$own"; tt_cleanup' EXIT
python3 tests/tools/make_ranks.py "$own/run" --ranks 64 --per-node 8 --steps 80 --calls 8 || exit 1

# the terminal shows standard error too, which the explorer's tests keep apart
raw() { tt_tmux capture-pane -p -t raw 2>/dev/null; }
raw_has() { raw | grep -qE "$1"; }
printf -v line '%q ' "$BIN" cluster --engine local --tasks 1 "$own/run"
tt_tmux new-session -d -s raw -x 90 -y 12 "bash -c $(printf '%q' "trap : INT; $line; echo ended \$?; exec tail -f /dev/null")"
tt_check "ranks done, time so far" tt_until raw_has '^tracetty: local: [1-9][0-9]* of 64 ranks   [0-9.]+ s'
tt_check "time left" tt_until raw_has 'about [0-9]+ s left'
tt_check "in one line" [ "$(raw | grep -c 'of 64 ranks')" = 1 ]
tt_tmux send-keys -t raw C-c
tt_check "Ctrl-C ends it" tt_until raw_has '^ended 130'
tt_check "what is done is kept" raw_has 'cancelled with [1-9][0-9]* of 64'
tt_check "and there is no result" [ ! -e "$own/run.tts" ]
tt_tmux kill-session -t raw

tt_start 100 30 cluster --engine local "$own/run" || exit 1
tt_expect "the explorer has the result" "run.tts"
tt_expect "with all ranks" "of 64 workers"
tt_quit Q
tt_check "which stays" [ -s "$own/run.tts" ]
