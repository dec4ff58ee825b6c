#!/usr/bin/env bash
# The prompt of `tracetty sql` in a real terminal: answers, several lines, completion, history, Ctrl-C, mistakes.
set -u
cd "$(dirname "$0")/../.." || exit 1
BIN=${BIN:-$PWD/tracetty}
command -v tmux >/dev/null || { echo "skip sql prompt: tmux is not installed"; exit 0; }
"$BIN" sql -e 'SELECT 1' assets/sample_gpu 2>&1 | grep -q 'built without' && { echo "skip sql prompt: no libsqlite3"; exit 0; }
tmp=$(mktemp -d) sock=ttsql$$
trap 'tmux -L "$sock" kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
screen() { tmux -L "$sock" capture-pane -p -t app; }
until_text() { # WHAT TEXT
    for _ in $(seq 150); do screen | grep -qF -- "$2" && { echo "ok $1"; return; }; sleep 0.1; done
    echo "FAIL $1: $(screen | tail -12)"
}
start() {
    tmux -L "$sock" -f /dev/null new-session -d -s app -x 100 -y 30 \
        "env XDG_STATE_HOME='$tmp' TERM=screen LC_ALL=C.UTF-8 '$BIN' sql assets/sample_gpu; echo status \$?; sleep 100"
    until_text "the prompt ($1)" 'sql>'
}
type_text() { tmux -L "$sock" send-keys -t app -l -- "${1/%;/\\;}"; } # a ; at the end is tmux's own
key() { tmux -L "$sock" send-keys -t app "$@"; }
start first
type_text "SELECT 40 + 2 AS answer"; key Enter; until_text "a statement may go on" '...>'
type_text ";"; key Enter; until_text "it is answered" '42'
type_text "SELECT x FROM nowhere;"; key Enter; until_text "a mistake is told, and the prompt comes back" 'no such table: nowhere'
type_text ".schema steps"; key Enter; until_text "columns of a table" 'host_duration'
type_text "SELECT count(*) AS endless FROM slices a, slices b, slices c;"; key Enter; sleep 0.5; key C-c
until_text "Ctrl-C stops a query" 'the query was stopped'
if ldconfig -p 2>/dev/null | grep -q 'libedit\.so\.2'; then
    type_text "SELECT count(*) AS n FROM step_bre"; key Tab; sleep 0.5; type_text ";"; key Enter
    until_text "Tab completes the name of a table" 'step_breakdown'
else echo "skip completion at the prompt: no libedit"; fi
key C-d; until_text "Ctrl-D quits" 'status 0'
tmux -L "$sock" kill-session -t app
if ldconfig -p 2>/dev/null | grep -q 'libedit\.so\.2'; then
    start second
    key Up; sleep 0.3; key Up; until_text "the history of before" 'endless'
fi
