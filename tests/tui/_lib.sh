# shellcheck shell=bash
# Drives the real program in a real terminal: a private tmux server with one session that keeps it alive. Tests never
# wait with a sleep of fixed length, nor for a number of seconds (tests/until.sh). With TRACETTY_IDLE=1 the program
# sets the terminal title after each frame: "idle FRAME keys N size WxH", or "busy ..." while it loads or computes; it
# had read N keys before it drew the frame. Every function here waits for an idle mark with its own number of keys, or
# its size.
#
#   tt_start W H ARGS...   start the program in a W x H terminal and wait for its first idle frame
#   tt_keys KEY...         send keys by tmux name (Enter, Down, Escape, q) one at a time, waiting after each
#   tt_type TEXT           send literal text, one character at a time
#   tt_screen              print the screen as text
#   tt_expect WHAT TEXT    one check: the screen has TEXT (a fixed string); prints ok or FAIL
#   tt_reject WHAT TEXT    one check: the screen does not have TEXT
#   tt_check WHAT COMMAND  one check by a command's exit status
#   tt_until COMMAND...    wait until a command succeeds: for what changes without a key, and for what tmux has still to read
#   tt_resize W H          resize the terminal and wait for the new frame
#   tt_quit KEYS...        send keys that leave; sets TT_STATUS to the exit status and checks that the terminal is restored
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
. tests/until.sh
BIN=${BIN:-$PWD/tracetty}
command -v tmux >/dev/null || { echo "skip terminal: tmux is not installed"; exit 0; }
TT_DIR=$(mktemp -d)
TT_SOCK=tracetty-test-$$
TT_SENT=0
TT_SIZE=''
tt_tmux() { tmux -L "$TT_SOCK" -f /dev/null "$@"; }
tt_cleanup() { tt_tmux kill-server 2>/dev/null; rm -rf "$TT_DIR"; }
trap tt_cleanup EXIT
export LC_ALL=C.UTF-8 TZ=UTC ESCDELAY=25
unset TMUX NO_COLOR LINES COLUMNS
tt_tmux new-session -d -s keep -x 80 -y 24 'exec tail -f /dev/null'
tt_tmux set -g escape-time 0
tt_tmux set -g history-limit 0
tt_tmux set -g default-terminal tmux-256color
tt_tmux set -g set-titles off
tt_tmux set -g status off

tt_fail() {
    echo "FAIL $1"
    echo "--- screen"; tt_screen; echo "--- end"
    cat "$TT_DIR/stderr" 2>/dev/null
}
tt_title() { tt_tmux display-message -p -t app '#{pane_title}' 2>/dev/null; }
tt_ended() { [ -e "$TT_DIR/status" ]; }
tt_idle() {
    local mark
    read -ra mark <<<"$(tt_title)"
    [ "${mark[0]:-}" = idle ] && [ "${mark[3]:-0}" -ge $TT_SENT ] && [ "${mark[5]:-}" = "$TT_SIZE" ]
}
tt_idle_or_ended() { tt_idle || tt_ended; }
# Waits for an idle mark that counts every key sent and has the terminal's size.
tt_wait() {
    if ! until_ tt_idle_or_ended; then tt_fail "no idle mark ($1): $(tt_title)"; return 1; fi
    tt_idle && return 0
    tt_fail "the program ended ($1)"
    return 1
}
tt_start() {
    local w=$1 h=$2 line=''
    shift 2
    tt_tmux kill-session -t app 2>/dev/null
    rm -f "$TT_DIR"/* 2>/dev/null
    printf -v line '%q ' "$BIN" "$@"
    cat >"$TT_DIR/go" <<GO
cd '$PWD'
export TRACETTY_IDLE=1 HOME='$TT_DIR' XDG_CONFIG_HOME='$TT_DIR' XDG_RUNTIME_DIR='$TT_DIR' ASAN_OPTIONS="\${ASAN_OPTIONS:-}:log_path=$TT_DIR/asan"
stty -g >'$TT_DIR/tty-before'
set -m # a program that suspends itself returns to this script, which resumes it when the test says so
bash -c 'echo \$\$ >"\$0"; exec "\$@"' '$TT_DIR/pid' ${TT_ENV:-} $line 2>'$TT_DIR/stderr'
status=\$?
if [ \$status = 148 ]; then
    touch '$TT_DIR/stopped'
    until [ -e '$TT_DIR/go-on' ]; do sleep 0.01; done
    fg >/dev/null
    status=\$?
fi
echo \$status >'$TT_DIR/status.new'
stty -g >'$TT_DIR/tty-after'
mv '$TT_DIR/status.new' '$TT_DIR/status'
exec tail -f /dev/null
GO
    TT_SENT=0 TT_SIZE=${w}x$h
    tt_tmux new-session -d -s app -x "$w" -y "$h" "exec bash '$TT_DIR/go'"
    [ -n "${TT_NO_WAIT:-}" ] || tt_wait "start: $*"
}
tt_keys() {
    local k
    for k in "$@"; do
        TT_SENT=$((TT_SENT + 1))
        tt_tmux send-keys -t app "$k"
        tt_wait "key $k" || return 1
    done
}
# Sends keys without waiting for their effect.
tt_send() { local k; for k in "$@"; do TT_SENT=$((TT_SENT + 1)); tt_tmux send-keys -t app "$k"; done; }
tt_type() {
    local i
    for ((i = 0; i < ${#1}; i++)); do
        TT_SENT=$((TT_SENT + 1))
        tt_tmux send-keys -t app -l "${1:i:1}"
        tt_wait "text ${1:i:1}" || return 1
    done
}
tt_screen() { tt_tmux capture-pane -p -t app 2>/dev/null; }
tt_expect() {
    if tt_screen | grep -qF -- "$2"; then echo "ok $1"; else tt_fail "$1: not on the screen: $2"; return 1; fi
}
tt_reject() {
    if tt_screen | grep -qF -- "$2"; then tt_fail "$1: still on the screen: $2"; return 1; else echo "ok $1"; fi
}
tt_until() { until_ "$@"; }
tt_has() { tt_screen | grep -qF -- "$1"; }
tt_is() { [ "$(tt_tmux display-message -p -t app "$1")" = "$2" ]; }
tt_check() {
    local what=$1
    shift
    if "$@"; then echo "ok $what"; else tt_fail "$what"; return 1; fi
}
tt_resize() {
    TT_SIZE=$1x$2
    tt_tmux resize-window -t app -x "$1" -y "$2"
    tt_wait "resize to $1x$2"
}
tt_quit() {
    local k
    for k in "$@"; do tt_tmux send-keys -t app "$k"; done
    until_ tt_ended || { tt_fail "still running after $*"; TT_STATUS=running; return 1; }
    TT_STATUS=$(cat "$TT_DIR/status")
    tt_check "exit status is ${TT_WANT_STATUS:-0} (got $TT_STATUS)" [ "$TT_STATUS" = "${TT_WANT_STATUS:-0}" ]
    tt_check "terminal modes restored" cmp -s "$TT_DIR/tty-before" "$TT_DIR/tty-after"
    tt_check "main screen, cursor and mouse restored" tt_until tt_is \
        '#{alternate_on}#{cursor_flag}#{mouse_any_flag}#{keypad_flag}' 0100
    if ls "$TT_DIR"/asan.* >/dev/null 2>&1; then tt_fail "sanitizer report"; cat "$TT_DIR"/asan.*; fi
    tt_tmux kill-session -t app
    return 0
}
# One check: the terminal shows the same text as --dump does for that screen. Where a slice fills a part of a cell,
# the cell is left out: on a slow terminal the program draws whole cells.
tt_like_dump() { # WHAT W H SCREEN ARGS...
    local what=$1 size=$2x$3 screen=$4
    shift 4
    # when a terminal is at rest, the cursor's line crosses all rows
    plain() { sed $'s/\x1b\\[[0-9;:]*m//g; s/│/ /g; s/ *$//'; }
    if diff <("$BIN" --dump "$size" --screen "$screen" --color 256 --unicode always "$@" | plain) <(tt_screen | plain) \
        >"$TT_DIR/diff"; then
        echo "ok $what"
    else
        echo "FAIL $what"
        cat "$TT_DIR/diff"
        return 1
    fi
}
