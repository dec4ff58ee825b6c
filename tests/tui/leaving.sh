#!/usr/bin/env bash
# The terminal is restored however the program ends, and the exit status tells the result.
. "$(dirname "$0")/_lib.sh"
RUN=assets/sample_gpu

tt_start 80 24 "$RUN" && tt_quit Q
tt_start 80 24 "$RUN" && tt_quit C-c
tt_start 80 24 "$RUN" && tt_keys '?' && tt_keys Escape && tt_keys 4 && tt_quit Q
for command in q quit; do
    if tt_start 80 24 "$RUN"; then
        tt_keys :
        tt_type $command
        tt_quit Enter
    fi
done
for signal in TERM HUP USR1 USR2 ALRM VTALRM RTMIN QUIT; do
    if tt_start 80 24 "$RUN"; then
        kill -s $signal "$(cat "$TT_DIR/pid")"
        TT_WANT_STATUS=$((128 + $(kill -l $signal))) tt_quit
    fi
done
# suspend and resume, in a shell with job control
if tt_start 80 24 "$RUN"; then
    TT_SENT=$((TT_SENT + 1))
    tt_tmux send-keys -t app C-z
    tt_check "suspended" tt_until [ -e "$TT_DIR/stopped" ]
    tt_check "suspended: main screen and cursor" tt_until tt_is '#{alternate_on}#{cursor_flag}' 01
    touch "$TT_DIR/go-on"
    tt_wait resume && tt_keys 2 && tt_expect "resumed" "── Operators"
    tt_quit Q
fi
# a path that cannot be opened ends with a message and status 3
TT_NO_WAIT=1 tt_start 80 24 "$TT_DIR/none.json"
TT_WANT_STATUS=3 tt_quit
tt_check "missing file: a message" grep -q none.json "$TT_DIR/stderr"
exit 0
