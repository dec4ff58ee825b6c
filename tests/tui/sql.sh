#!/usr/bin/env bash
# The prompt of `tracetty sql` in a real terminal: answers, several lines, completion, history, Ctrl-C, mistakes.
. "$(dirname "$0")/_lib.sh"
"$BIN" sql -e 'SELECT 1' assets/sample_gpu 2>&1 | grep -q 'built without' && { echo "skip sql prompt: no libsqlite3"; exit 0; }
shows() { tt_screen | grep -qF -- "$1"; }
last_line() { tt_screen | grep . | tail -1; }
ends_with() { last_line | grep -qE -- "$1"; }
asks() { tt_screen | grep -qE '^ : *$'; } # the explorer's prompt for a command is open
hides() { ! shows "$1"; }
until_text() { # WHAT TEXT
    if until_ shows "$2"; then echo "ok $1"; else echo "FAIL $1: $(tt_screen | tail -12)"; fi
}
terminal() { # ARGUMENTS: starts the program in a terminal, sets $pid; error messages go to the screen too
    tt_tmux kill-session -t app 2>/dev/null
    rm -f "$TT_DIR/pid"
    tt_tmux new-session -d -s app -x 100 -y 30 \
        "sh -c 'echo \$\$ >\"$TT_DIR/pid\"; exec env XDG_STATE_HOME=\"$TT_DIR\" TERM=screen \"$BIN\" $*'; echo status \$?; exec tail -f /dev/null"
    until_ test -s "$TT_DIR/pid" || { echo "FAIL no terminal for $*"; exit; }
    pid=$(cat "$TT_DIR/pid")
}
start() { terminal sql assets/sample_gpu; until_text "the prompt ($1)" 'sql>'; }
at_work() { until_ works "$pid" $((before + 10)); } # has begun the work requested since $before
type_text() { tt_tmux send-keys -t app -l -- "${1/%;/\\;}"; } # tmux takes a final ; for its own
key() { tt_tmux send-keys -t app "$@"; }
start first
type_text "SELECT 40 + 2 AS answer"; key Enter; until_text "a statement may go on" '...>'
type_text ";"; key Enter; until_text "it is answered" '42'
type_text "SELECT x FROM nowhere;"; key Enter; until_text "a mistake is told, and the prompt comes back" 'no such table: nowhere'
type_text ".schema steps"; key Enter; until_text "columns of a table" 'host_duration'
type_text "SELECT count(*) AS endless FROM slices a, slices b, slices c;"; until_ shows 'slices c;'
before=$(used "$pid"); key Enter; at_work; key C-c
until_text "Ctrl-C stops a query" 'the query was stopped'
if ldconfig -p 2>/dev/null | grep -q 'libedit\.so\.2'; then
    type_text "SELECT count(*) AS n FROM step_bre"; key Tab
    until_text "Tab completes the name of a table" 'step_breakdown'
    type_text ";"; key Enter
else echo "skip completion at the prompt: no libedit"; fi
until_ ends_with '^sql> *$' # Ctrl-D ends a line where no prompt reads it
key C-d; until_text "Ctrl-D quits" 'status 0'
if ldconfig -p 2>/dev/null | grep -q 'libedit\.so\.2'; then
    start second
    key Up; until_text "the history of before" 'step_breakdown'
    key Up; until_text "... and what was before that" 'endless'
fi
start third
type_text ".format csv"; key Enter; type_text "SELECT a.id, b.name FROM slices a, slices b;"; key Enter
until_ hides 'sql>' # the rows have moved the prompt away
key C-c; until_text "Ctrl-C stops an answer that is being written" 'the query was stopped'
type_text "SELECT nonsense"; until_ shows 'SELECT nonsense'; key C-c; until_ ends_with '^sql> *$'
type_text "SELECT 6 * 7 AS still;"; key Enter; until_text "Ctrl-C drops what was typed, and the next one is answered" '42'

# the prompt in the explorer
terminal assets/sample_gpu
until_text "the explorer" 'Top kernels'
ask() { key :; until_ asks; type_text "sql $1"; key Enter; }
ask "SELECT count(*) AS endless FROM slices a, slices b, slices c"; until_text "an endless query leaves the screen alive" 'running ... Esc stops it'
key Escape; until_text "Esc stops it" 'the query was stopped'
ask "SELECT group_concat(printf('%.2000c', 'x')) FROM slices"; until_text "one that takes too much ends by itself" 'longer than 16 MiB'
ask "SELECT zeroblob(1000000000)"; until_text "so does a blob" '16 MiB'
ask "ATTACH '/tmp/x' AS y"; until_text "what writes is refused" 'not allowed'
ask "SELECT 40 + 2 AS answer"; until_text "and the next query is answered" '42'
ask "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"; until_text "an endless recursion" 'running ... Esc stops it'
key C-c; until_text "Ctrl-C leaves at once" 'status 0'
